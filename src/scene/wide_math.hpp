#pragma once
/// Vectors, rotations and matrices in double precision, and the way back to the scene's floats.

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "effigy/math.hpp"

namespace effigy {

[[nodiscard]] inline glm::dvec3 wide(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }
[[nodiscard]] inline glm::dquat wide(const Quat& q) noexcept { return {q.w, q.x, q.y, q.z}; }

[[nodiscard]] inline bool is_finite(const glm::dvec3& v) noexcept {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// `v` with length 1, or `fallback` where it has no direction.
[[nodiscard]] inline glm::dvec3 direction_of(const glm::dvec3& v, const glm::dvec3& fallback = glm::dvec3(0)) noexcept {
    const double length = glm::length(v);
    return length > 0 && std::isfinite(length) ? v / length : fallback;
}

/// Finite floats: what is too large is clamped, what is no number becomes 0.
[[nodiscard]] float narrow(double value) noexcept;
[[nodiscard]] Vec3 narrow(const glm::dvec3& v) noexcept;
[[nodiscard]] Quat narrow(const glm::dquat& q) noexcept;
[[nodiscard]] Mat4 narrow(const glm::dmat4& matrix) noexcept;

/// The largest element without its sign.
[[nodiscard]] double largest(const glm::dvec3& v) noexcept;
[[nodiscard]] double largest(const glm::dmat3& matrix) noexcept;

[[nodiscard]] inline glm::dmat3 diagonal(const glm::dvec3& v) noexcept { return {v.x, 0, 0, 0, v.y, 0, 0, 0, v.z}; }

/// Between two rotations of unit length, in radians. Good for small angles.
[[nodiscard]] double angle_between(const glm::dquat& a, const glm::dquat& b) noexcept;

/// Inverse of an affine matrix; nothing if it is not finite, or flatter than `min_volume`: its determinant where its
/// largest element is 1.
[[nodiscard]] std::optional<glm::dmat4> inverse_affine(const glm::dmat4& matrix, double min_volume) noexcept;

}  // namespace effigy
