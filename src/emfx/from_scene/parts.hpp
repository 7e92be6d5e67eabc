#pragma once
/// Triangles of one material, before they become submeshes.

#include <functional>
#include <string>
#include <vector>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {

struct Part {
    Index material = no_index;
    std::vector<std::uint32_t> corners;  ///< vertices of the scene's mesh, three for each triangle
};

using InfluencesOf = std::function<Influences(std::uint32_t vertex)>;

/// Splits parts whose triangles need more than `max_bones` nodes. Fails if one triangle alone does.
[[nodiscard]] Result<void> split_parts(std::vector<Part>& parts, const std::string& path, std::uint32_t max_bones,
                                       const InfluencesOf& influences);

/// A number for each vertex that is the same where all morph targets move vertices in the same way; empty: no targets.
[[nodiscard]] std::vector<std::uint64_t> morph_keys(const Mesh& mesh);

}  // namespace effigy::emfx::bridge
