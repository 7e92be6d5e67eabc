/// Mirrors positions, normals and tangents in place, flips winding, and repairs directions that are not unit.

#include "emfx/to_scene/geometry.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "scene/wide_math.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000u;
constexpr std::size_t period = 12;  // the least common multiple of 3 and 4

using Signs = std::array<std::uint32_t, period>;

constexpr Signs signs_of(Mirror which) {
    Signs signs{};
    const std::size_t width = which == Mirror::third_of_four ? 4 : 3;
    for (std::size_t i = 0; i < period; ++i) {
        if (which != Mirror::none && i % width == 2) signs[i] = sign_bit;
    }
    return signs;
}

/// The sign bit is set if the number is infinite or none at all.
constexpr std::uint32_t not_finite(std::uint32_t bits) { return (bits & ~sign_bit) + 0x00800000u; }

/// Returns not_finite() of all values, joined. Written so that compilers make SIMD of it.
std::uint32_t flip_signs(std::span<float> values, const Signs& signs) {
    std::uint32_t seen = 0;
    std::size_t i = 0;
    for (; i + period <= values.size(); i += period) {
        for (std::size_t k = 0; k < period; ++k) {
            const auto bits = std::bit_cast<std::uint32_t>(values[i + k]);
            seen |= not_finite(bits);
            values[i + k] = std::bit_cast<float>(bits ^ signs[k]);
        }
    }
    for (std::size_t k = 0; i + k < values.size(); ++k) {
        const auto bits = std::bit_cast<std::uint32_t>(values[i + k]);
        seen |= not_finite(bits);
        values[i + k] = std::bit_cast<float>(bits ^ signs[k]);
    }
    return seen;
}

/// Well inside what validators of glTF allow.
bool has_unit_length(float x, float y, float z) { return std::abs(x * x + y * y + z * z - 1.0f) <= 0.005f; }

/// Sums of the areas' normals around the vertices that `slots` names.
std::vector<glm::dvec3> area_normals(std::span<const std::uint32_t> slots, std::size_t count,
                                     std::span<const Vec3> positions, std::span<const Primitive> primitives) {
    std::vector<glm::dvec3> sums(count, glm::dvec3(0));
    for (const Primitive& primitive : primitives) {
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
            std::array<std::size_t, 3> corners{};
            for (std::size_t k = 0; k < 3; ++k) {
                corners[k] = std::size_t{primitive.first_vertex} + primitive.indices[i + k];
            }
            if (std::all_of(corners.begin(), corners.end(), [&](std::size_t v) { return slots[v] == no_index; }))
                continue;
            const glm::dvec3 origin = wide(positions[corners[0]]);
            const glm::dvec3 area =
                glm::cross(wide(positions[corners[1]]) - origin, wide(positions[corners[2]]) - origin);
            for (const std::size_t v : corners) {
                if (slots[v] != no_index) sums[slots[v]] += area;
            }
        }
    }
    return sums;
}

/// Makes the vector unit, or returns false if it has no length.
bool normalize(Vec3& v) {
    const glm::dvec3 direction = wide(v);
    const double length = glm::length(direction);
    if (!(length > 1e-20)) return false;
    v = narrow(direction / length);
    return true;
}

Vec3 any_orthogonal(Vec3 normal) {
    const glm::dvec3 n = wide(normal);
    const bool along_x = std::abs(n.x) > 0.9;
    const glm::dvec3 tangent = glm::cross(n, along_x ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0));
    Vec3 result = narrow(tangent);
    if (!normalize(result)) result = {1, 0, 0};
    return result;
}

}  // namespace

std::uint64_t mirror(std::span<float> values, Mirror which, OldValues& old) {
    static constexpr std::array<Signs, 3> signs{signs_of(Mirror::none), signs_of(Mirror::third_of_three),
                                                signs_of(Mirror::third_of_four)};
    if ((flip_signs(values, signs[static_cast<std::size_t>(which)]) & sign_bit) == 0) return 0;
    std::uint64_t replaced = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        old.add(i, values[i]);
        values[i] = 0;
        ++replaced;
    }
    return replaced;
}

std::uint64_t clamp_unit(std::span<float> values, OldValues& old) {
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float clamped = std::clamp(values[i], 0.0f, 1.0f);
        if (clamped == values[i]) continue;
        ++changed;
        old.add(i, values[i]);
        values[i] = clamped;
    }
    return changed;
}

std::uint64_t repair_normals(std::span<Vec3> normals, std::span<const Vec3> positions,
                             std::span<const Primitive> primitives, bool clockwise, OldValues& old) {
    std::uint64_t changed = 0;
    for (std::size_t v = 0; v < normals.size(); ++v) {
        const Vec3& normal = normals[v];
        if (has_unit_length(normal.x, normal.y, normal.z)) continue;
        ++changed;
        old.add(3 * v, normal.x);
        old.add(3 * v + 1, normal.y);
        old.add(3 * v + 2, normal.z);
    }
    if (changed == 0) return 0;
    std::vector<std::uint32_t> slots(normals.size(), no_index);
    std::uint32_t zeros = 0;
    for (std::size_t v = 0; v < normals.size(); ++v) {
        if (has_unit_length(normals[v].x, normals[v].y, normals[v].z)) continue;
        if (!normalize(normals[v])) slots[v] = zeros++;
    }
    if (zeros == 0) return changed;
    const std::vector<glm::dvec3> sums = area_normals(slots, zeros, positions, primitives);
    for (std::size_t v = 0; v < normals.size(); ++v) {
        if (slots[v] == no_index) continue;
        const glm::dvec3& sum = sums[slots[v]];
        // Positions as large as floats go overflow here: then no direction is better than another.
        normals[v] = narrow(direction_of(clockwise ? -sum : sum, {0, 0, 1}));
    }
    return changed;
}

std::uint64_t repair_tangents(std::span<Vec4> tangents, std::span<const Vec3> normals, OldValues& old) {
    std::uint64_t changed = 0;
    for (std::size_t v = 0; v < tangents.size(); ++v) {
        Vec4& tangent = tangents[v];
        const bool is_sign = tangent.w == 1.0f || tangent.w == -1.0f;
        if (is_sign && has_unit_length(tangent.x, tangent.y, tangent.z)) continue;
        ++changed;
        old.add(4 * v, tangent.x);
        old.add(4 * v + 1, tangent.y);
        old.add(4 * v + 2, tangent.z);
        old.add(4 * v + 3, tangent.w);
        Vec3 direction{tangent.x, tangent.y, tangent.z};
        if (!normalize(direction)) direction = any_orthogonal(normals[v]);
        tangent = {direction.x, direction.y, direction.z, tangent.w < 0 ? -1.0f : 1.0f};
    }
    return changed;
}

}  // namespace effigy::emfx::bridge
