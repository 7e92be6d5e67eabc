#pragma once
/// A point of a surface where a ray meets it.

#include <glm/glm.hpp>

#include "geometry.hpp"
#include "surface.hpp"
#include "tracer.hpp"

namespace effigy::render {

/// Triangles and their surfaces.
struct Model {
    const Geometry& geometry;
    const Surfaces& surfaces;

    [[nodiscard]] const Triangle& triangle(const Hit& hit) const noexcept { return geometry.triangles[hit.triangle]; }
    [[nodiscard]] const Surface& surface(const Hit& hit) const noexcept { return surfaces.all[triangle(hit).surface]; }
};

struct Point {
    glm::vec3 normal{0};    ///< interpolated, on the side that is seen
    glm::vec3 detailed{0};  ///< with the normal map
    glm::vec3 color{0};
    glm::vec3 emissive{0};
    float alpha = 1;  ///< as the alpha mode means it
    float metallic = 0;
    float roughness = 1;
    float occlusion = 1;
};

/// Across the triangle, of any length, where its corners run counter-clockwise.
[[nodiscard]] glm::vec3 face_normal(const Geometry& geometry, const Triangle& triangle) noexcept;

/// Is it the front that a ray of this direction meets?
[[nodiscard]] inline bool is_front(const Geometry& geometry, const Triangle& triangle,
                                   const glm::vec3& direction) noexcept {
    return glm::dot(face_normal(geometry, triangle), direction) < 0;
}

/// Opacity by factor, texture and vertex colour, whatever the alpha mode.
[[nodiscard]] float raw_alpha(const Model& model, const Hit& hit) noexcept;

[[nodiscard]] glm::vec2 texcoord_at(const Geometry& geometry, const Hit& hit, std::uint32_t set) noexcept;
/// The interpolated normal on the side that is seen.
[[nodiscard]] glm::vec3 normal_at(const Geometry& geometry, const Hit& hit, const glm::vec3& direction) noexcept;
[[nodiscard]] Point point_at(const Model& model, const Hit& hit, const glm::vec3& direction) noexcept;

/// Where light rays start: on the curved surface that the normals tell of, rather than on the flat triangle, so that
/// its facets cast no shadows on one another.
[[nodiscard]] glm::vec3 lifted(const Geometry& geometry, const Hit& hit, bool is_front_side) noexcept;

}  // namespace effigy::render
