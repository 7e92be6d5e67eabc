#pragma once
/// Vertex data and triangles turned into the scene's frame, in place.

#include <cstdint>
#include <span>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::emfx::bridge {

/// Which component of each element changes its sign.
enum class Mirror : std::uint8_t { none, third_of_three, third_of_four };

/// Mirrors; returns how many numbers were not finite and became 0.
std::uint64_t mirror(std::span<float> values, Mirror which);

/// Clamps to 0..1; returns how many numbers changed.
std::uint64_t clamp_unit(std::span<float> values);

/// Takes out triangles with an index at or above `vertex_count` and an incomplete last one; returns how many.
std::uint64_t drop_bad_triangles(Bulk<std::uint32_t>& indices, std::uint32_t vertex_count);

/// Turns every triangle over.
void reverse_winding(std::span<std::uint32_t> indices);

/// Makes normals unit; those of no length are made from the triangles around them. Triangles are counter-clockwise
/// unless `clockwise`. Returns how many changed.
std::uint64_t repair_normals(std::span<Vec3> normals, std::span<const Vec3> positions,
                             std::span<const Primitive> primitives, bool clockwise);

/// Makes tangents unit with w = +-1; those of no length become some direction along the surface. Returns how many
/// changed.
std::uint64_t repair_tangents(std::span<Vec4> tangents, std::span<const Vec3> normals);

}  // namespace effigy::emfx::bridge
