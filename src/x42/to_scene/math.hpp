#pragma once
/// Affine matrices in double precision, and what of them a node can say.

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "effigy/math.hpp"
#include "effigy/scene.hpp"
#include "effigy/x42.hpp"

#include "scene/worlds.hpp"

namespace effigy::x42::bridge {

[[nodiscard]] glm::dmat4 wide(const Matrix& matrix) noexcept;

/// Inverse of an affine matrix; nothing if it is singular or not finite.
[[nodiscard]] std::optional<glm::dmat4> inverse(const glm::dmat4& matrix) noexcept;
/// The largest difference between the elements of two matrices.
[[nodiscard]] double difference(const glm::dmat4& a, const glm::dmat4& b) noexcept;

/// The nearest translation, rotation and scale, mirrored if the matrix is.
struct Split {
    Transform transform;
    double residual = 0;  ///< of the matrix's axes: the largest error, as a part of the longest one
};
[[nodiscard]] Split split(const glm::dmat4& matrix) noexcept;

/// Two nodes say every matrix: the lower one only turns.
struct Chain {
    Transform upper;
    Quat lower;
};
[[nodiscard]] Chain chain(const glm::dmat4& matrix) noexcept;

/// Residuals below this are the rounding of floats.
inline constexpr double split_tolerance = 1e-5;

}  // namespace effigy::x42::bridge
