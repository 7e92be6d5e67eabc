#pragma once
/// Vertex data and triangles turned into the scene's frame, in place.

#include <cstdint>
#include <span>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::emfx::bridge {

/// Which component of each element changes its sign.
enum class Mirror : std::uint8_t { none, third_of_three, third_of_four };

/// Numbers before they were changed, and where they stand.
struct OldValues {
    std::vector<std::uint32_t> places;
    std::vector<float> values;

    void add(std::size_t place, float value) {
        places.push_back(static_cast<std::uint32_t>(place));
        values.push_back(value);
    }
    [[nodiscard]] bool empty() const noexcept { return places.empty(); }
};

/// Weights are about 1; larger ones than this could not be added up.
[[nodiscard]] constexpr bool counts_as_weight(float weight) noexcept { return weight > 0 && weight < 1e30f; }

/// Mirrors; returns how many numbers were not finite and became 0. Those stand in `old`, mirrored.
std::uint64_t mirror(std::span<float> values, Mirror which, OldValues& old);

/// Clamps to 0..1; returns how many numbers changed.
std::uint64_t clamp_unit(std::span<float> values, OldValues& old);

/// Makes normals unit; those of no length are made from the triangles around them. Triangles are counter-clockwise
/// unless `clockwise`. Returns how many changed.
std::uint64_t repair_normals(std::span<Vec3> normals, std::span<const Vec3> positions,
                             std::span<const Primitive> primitives, bool clockwise, OldValues& old);

/// Makes tangents unit with w = +-1; those of no length become some direction along the surface. Returns how many
/// changed.
std::uint64_t repair_tangents(std::span<Vec4> tangents, std::span<const Vec3> normals, OldValues& old);

}  // namespace effigy::emfx::bridge
