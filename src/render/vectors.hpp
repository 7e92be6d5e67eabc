#pragma once
/// Between the scene's plain numbers and those that can be reckoned with.

#include <cmath>
#include <glm/glm.hpp>

#include "effigy/math.hpp"

namespace effigy::render {

[[nodiscard]] inline glm::vec2 to_glm(const Vec2& v) noexcept { return {v.x, v.y}; }
[[nodiscard]] inline glm::vec3 to_glm(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }
[[nodiscard]] inline glm::vec4 to_glm(const Vec4& v) noexcept { return {v.x, v.y, v.z, v.w}; }
[[nodiscard]] inline glm::vec4 to_glm(const Color& v) noexcept { return {v.r, v.g, v.b, v.a}; }
[[nodiscard]] inline Vec3 from_glm(const glm::vec3& v) noexcept { return {v.x, v.y, v.z}; }

[[nodiscard]] inline bool is_finite(const glm::vec3& v) noexcept {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// To unit length; `fallback` if there is no direction.
[[nodiscard]] inline glm::vec3 direction_or(const glm::vec3& v, const glm::vec3& fallback) noexcept {
    const float square = glm::dot(v, v);
    return square > 1e-36f && square < 1e36f ? v / std::sqrt(square) : fallback;
}

/// Any direction across `v`, which has unit length.
[[nodiscard]] inline glm::vec3 any_across(const glm::vec3& v) noexcept {
    const glm::vec3 axis = std::abs(v.x) < 0.6f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
    return glm::normalize(glm::cross(axis, v));
}

}  // namespace effigy::render
