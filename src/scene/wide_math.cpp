/// Vectors, quaternions and matrices between floats and double precision.

#include "scene/wide_math.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace effigy {

float narrow(double value) noexcept {
    constexpr double most = 3.4028234663852886e38;
    return static_cast<float>(std::clamp(std::isnan(value) ? 0.0 : value, -most, most));
}

Vec3 narrow(const glm::dvec3& v) noexcept { return {narrow(v.x), narrow(v.y), narrow(v.z)}; }

Quat narrow(const glm::dquat& q) noexcept { return {narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)}; }

Mat4 narrow(const glm::dmat4& matrix) noexcept {
    Mat4 result;
    auto element = result.m.begin();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) *element++ = narrow(matrix[column][row]);
    }
    return result;
}

double largest(const glm::dvec3& v) noexcept { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

double largest(const glm::dmat3& matrix) noexcept {
    return std::max({largest(matrix[0]), largest(matrix[1]), largest(matrix[2])});
}

double angle_between(const glm::dquat& a, const glm::dquat& b) noexcept {
    const double sign = glm::dot(a, b) < 0 ? -1 : 1;
    const glm::dquat difference(a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z);
    return 4 * std::asin(std::min(1.0, glm::length(difference) / 2));
}

std::optional<glm::dmat4> inverse_affine(const glm::dmat4& matrix, double min_volume) noexcept {
    const glm::dmat3 linear(matrix);
    const double size = largest(linear);
    // Relative to the size of the matrix: a tiny figure is not a flat one.
    const glm::dmat3 unit = linear / size;
    const double determinant = glm::determinant(unit);
    if (!std::isfinite(determinant) || std::abs(determinant) < min_volume) return std::nullopt;
    const glm::dmat3 back = glm::inverse(unit) / size;
    glm::dmat4 result(back);
    result[3] = glm::dvec4(-(back * glm::dvec3(matrix[3])), 1);
    constexpr double most = 3.4e38;
    const bool fits = largest(back) < most && largest(glm::dvec3(result[3])) < most;  // false for NaN as well
    return fits ? std::optional(result) : std::nullopt;
}

}  // namespace effigy
