#pragma once
/// Rules for one XMF alone.

#include <array>
#include <string>
#include <string_view>

#include "effigy/result.hpp"
#include "effigy/xmf.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

/// Every rule; `named_collision` says that the file's name makes the game take it for a collision mesh.
[[nodiscard]] Report check_mesh(const xmf::File& file, bool named_collision);

/// Where streams lie: overlaps, gaps, bytes that belong to none.
void check_streams(const xmf::File& file, Findings& findings);
/// What the geometry says: triangles, normals, tangents.
void check_geometry(const xmf::File& file, Findings& findings);

/// Offsets for the findings that name a field by its path; those about content get the place of its stream.
void locate(const xmf::File& file, Report& report);

/// "buffer[2] / content[17]"
[[nodiscard]] std::string buffer_path(std::size_t buffer, std::string_view field = {});

}  // namespace effigy::egosoft
