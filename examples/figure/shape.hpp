#pragma once
/// Surfaces: what the figure is made of before it becomes vertex layers. Everything here stands in the numbers of an
/// actor file: metres, +X the figure's left, +Y up, facing -Z, triangles counter-clockwise by the right-hand formula.

#include <array>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "skeleton.hpp"

namespace figure {

using glm::quat;
using glm::vec2;
using glm::vec3;

/// Regions of the texture; each part has its own chart.
enum class Part : std::uint8_t {
    torso,
    arm,
    leg,
    hand,
    boot,
    scarf,
    neck,
    head,
    mouth,
    hair,
    eye,
    hat,
    hat_band,
    lantern,
    flame
};

struct Weight {
    Bone bone;
    float weight;
};
using Weights = std::vector<Weight>;  ///< at most four, the sum is 1

struct Triangle {
    std::array<std::uint32_t, 3> corners;
    Part part;
};

struct Shape {
    std::vector<vec3> positions, normals;
    std::vector<Weights> weights;  ///< empty: rigid
    std::vector<Triangle> triangles;
};

/// A capsule that tapers from `a` to `b`; the field around it tells which bone moves what is near.
struct Blob {
    Bone bone;
    Part part;
    vec3 a, b;
    float radius_a, radius_b;
    vec3 squash{1, 1, 1};  ///< scales the cross-section about `a`
};

/// Blobs that melt into each other: negative inside, smooth everywhere.
struct Field {
    std::vector<Blob> blobs;
    float blend = 0.01f;  ///< metres over which two blobs melt together

    [[nodiscard]] float distance(vec3 p) const;
    [[nodiscard]] Weights weights(vec3 p) const;
    [[nodiscard]] Part part(vec3 p) const;
};

/// The surface where the field is 0, as evenly spread quads of about `cell` metres cut into triangles.
[[nodiscard]] Shape polygonize(const Field& field, vec3 low, vec3 high, float cell);

/// Turns a profile of (radius, height), listed upwards as seen on the outside, about the Y axis. A point given twice
/// makes a crease.
[[nodiscard]] Shape lathe(const std::vector<vec2>& profile, int segments, Part part, const glm::mat4& frame);
[[nodiscard]] Shape ellipsoid(vec3 centre, vec3 radii, int segments, Part part);

/// Normals from the triangles, weighted by area.
void smooth_normals(Shape& shape);
void weigh(Shape& shape, const std::function<Weights(vec3)>& weights);
void append(Shape& shape, const Shape& other);
/// The other side's twin: a left boot makes a right one.
[[nodiscard]] Shape mirrored(Shape shape);

}  // namespace figure
