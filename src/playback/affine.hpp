#pragma once
/// Matrices of a poser: the few calculations that no job does.

#include <cmath>
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <optional>

#include "effigy/math.hpp"

namespace effigy::playback {

[[nodiscard]] inline glm::dmat4 wide_matrix(const Mat4& matrix) {
    glm::dmat4 wide;
    for (std::size_t i = 0; i < 16; ++i)
        wide[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = static_cast<double>(matrix.m[i]);
    return wide;
}

[[nodiscard]] inline Mat4 narrow_matrix(const glm::dmat4& wide) {
    Mat4 matrix;
    for (std::size_t i = 0; i < 16; ++i)
        matrix.m[i] = static_cast<float>(wide[static_cast<int>(i / 4)][static_cast<int>(i % 4)]);
    return matrix;
}

/// Does the matrix turn what it moves inside out?
[[nodiscard]] inline bool mirrors(const Mat4& matrix) { return glm::determinant(glm::dmat3(wide_matrix(matrix))) < 0; }

/// The inverse, or nothing if there is none.
[[nodiscard]] inline std::optional<glm::dmat4> inverse(const Mat4& matrix) {
    const glm::dmat4 wide = wide_matrix(matrix);
    const double determinant = glm::determinant(glm::dmat3(wide));
    if (determinant == 0 || !std::isfinite(determinant)) return std::nullopt;
    return glm::inverse(wide);
}

}  // namespace effigy::playback
