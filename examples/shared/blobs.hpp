#pragma once
/// Surfaces of the examples that are given by a distance: blobs that melt into each other, cut into triangles.

#include <array>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <vector>

namespace surfaces {

using glm::vec3;

/// Negative inside, smooth everywhere.
using Distance = std::function<float(vec3)>;

/// A capsule that tapers from `a` to `b`.
struct Blob {
    std::size_t bone;  ///< what moves it
    vec3 a, b;
    float radius_a, radius_b;
    vec3 squash{1, 1, 1};  ///< scales the cross-section about `a`
};

[[nodiscard]] float distance_to(const Blob& blob, vec3 p);
/// Both bodies, melting into each other where they are `width` apart.
[[nodiscard]] float melt(float a, float b, float width);
[[nodiscard]] float melt(const std::vector<Blob>& blobs, vec3 p, float width);
/// Away from the body, of length 1.
[[nodiscard]] vec3 normal_of(const Distance& distance, vec3 p);

struct Facet {
    std::array<std::uint32_t, 3> corners;  ///< counter-clockwise
    vec3 middle;                           ///< of the quad that it was cut from
};

struct Solid {
    std::vector<vec3> positions;
    std::vector<Facet> triangles;
};

/// The surface where the distance is 0, as quads of about a cell, cut into triangles. More passes spread them more
/// evenly.
[[nodiscard]] Solid polygonize(const Distance& distance, vec3 low, vec3 high, vec3 cell, int passes = 6);

}  // namespace surfaces
