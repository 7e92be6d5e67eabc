#pragma once
/// What a viewer draws of a .glb, as triangles without any order, and which of them are the same in another .glb.

#include <array>
#include <cstddef>
#include <vector>

#include "proof/glb.hpp"

namespace trip {

struct Triangle {
    std::size_t node = 0;
    const glb::Primitive* primitive = nullptr;
    std::array<std::uint32_t, 3> corners{};
};

/// Triangles of the default scene, but for those without area in a pose.
[[nodiscard]] std::vector<Triangle> triangles_of(const glb::Document& document, const glb::Pose& pose);

/// The rest with all morph targets off.
[[nodiscard]] glb::Pose bare(const glb::Document& document);

[[nodiscard]] glb::Vec3 place(const glb::Document& document, const glb::Pose& pose, const Triangle& triangle,
                              std::size_t corner);
/// Of unit length; the triangle's own where the mesh has none.
[[nodiscard]] glb::Vec3 normal(const glb::Document& document, const glb::Pose& pose, const Triangle& triangle,
                               std::size_t corner);

/// Two triangles with their corners in the same order.
struct Pair {
    Triangle before, after;
};

struct Matching {
    std::vector<Pair> pairs;
    std::size_t lost = 0, made = 0;  ///< triangles that only one of them has
    double size = 1;                 ///< diagonal of all that is drawn
};

/// A document in a pose.
struct Drawn {
    const glb::Document& document;
    glb::Pose pose;
};

/// Pairs of triangles whose corners lie within `tolerance` (of the size) of one another, in the same sense of winding;
/// of several, the nearest, with the nearest texture coordinates. `placed` carries the first into the frame of the
/// second.
[[nodiscard]] Matching match(const Drawn& before, const Drawn& after, const glb::Mat4& placed, double tolerance);

}  // namespace trip
