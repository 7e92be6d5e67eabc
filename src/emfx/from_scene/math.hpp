#pragma once
/// Transforms of the scene as EMotion FX can say them, in the scene's frame and in double precision.

#include "emfx/to_scene/math.hpp"

namespace effigy::emfx::bridge {

/// What chain() made two nodes of.
[[nodiscard]] LocalTransform undo_chain(const Transform& upper, const Quat& lower, Order order) noexcept;
/// Translation, rotation and scale as in glTF, where scale comes first.
[[nodiscard]] LocalTransform from_transform(const Transform& transform, Order order) noexcept;
/// Any affine matrix.
[[nodiscard]] LocalTransform from_matrix(const glm::dmat4& matrix, Order order) noexcept;

}  // namespace effigy::emfx::bridge
