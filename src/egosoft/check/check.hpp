#pragma once
/// Rules over several files: a component with its meshes, animations and materials. Those over a whole folder are
/// check_mod()'s in file/formats.hpp.

#include "effigy/component.hpp"
#include "effigy/registry.hpp"
#include "effigy/result.hpp"
#include "effigy/xmf.hpp"

namespace effigy::egosoft {

/// What stands in the XML is compared with the files around it, if `context` has some. Offsets are bytes of the XML.
[[nodiscard]] Report check_component(const ComponentFile& file, const CheckContext& context);

/// The materials of a mesh, looked up in the library if `context` has one.
[[nodiscard]] Report check_mesh_materials(const xmf::File& file, const CheckContext& context);

}  // namespace effigy::egosoft
