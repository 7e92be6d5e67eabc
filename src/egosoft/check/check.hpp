#pragma once
/// Rules for one mesh. Those of components and over whole folders are declared with the formats (file/formats.hpp).

#include "effigy/registry.hpp"
#include "effigy/xmf.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

/// Every rule; `named_collision` says that the file's name makes the game take it for a collision mesh.
[[nodiscard]] Report check_mesh(const xmf::File& file, bool named_collision);
/// By its name: glass is seen from both sides, and has no colours of its own.
[[nodiscard]] bool is_glass(std::string_view material);
/// What the geometry says: triangles, normals, tangents.
void check_geometry(const xmf::File& file, Findings& findings);
/// The materials of a mesh, looked up in the library if `context` has one.
[[nodiscard]] Report check_mesh_materials(const xmf::File& file, const CheckContext& context);

}  // namespace effigy::egosoft
