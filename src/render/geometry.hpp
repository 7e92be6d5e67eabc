#pragma once
/// All triangles of a posed scene in one list.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/poser.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "surface.hpp"

namespace effigy::render {

/// Counter-clockwise where it is seen from outside.
struct Triangle {
    std::uint32_t a = 0, b = 0, c = 0;
    std::uint32_t surface = 0;
};

struct Geometry {
    Bulk<glm::vec3> positions;               ///< and one more behind the last, which the ray tracer may read
    Bulk<glm::vec3> normals;                 ///< zero where a mesh has none
    Bulk<glm::vec4> tangents;                ///< likewise; empty if no surface has a normal map
    std::vector<Bulk<glm::vec2>> texcoords;  ///< the sets that are used
    Bulk<glm::vec4> colors;                  ///< empty if no mesh has any
    Bulk<Triangle> triangles;                ///< of finite size
    playback::Bounds bounds;                 ///< of the triangles' vertices
    bool has_cutouts = false;                ///< some surface does not stop all light
    bool has_collision = false;

    [[nodiscard]] std::size_t vertex_count() const noexcept { return normals.size(); }
};

/// What the poser shows. Triangles with vertices that do not exist, or that lie nowhere, are left out.
[[nodiscard]] Result<Geometry> make_geometry(const playback::Poser& poser, const Surfaces& surfaces);

}  // namespace effigy::render
