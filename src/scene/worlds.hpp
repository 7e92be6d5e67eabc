#pragma once
/// Local and world matrices of nodes, in double precision.

#include <glm/mat4x4.hpp>
#include <vector>

#include "effigy/scene.hpp"

#include "scene/wide_matrix.hpp"

namespace effigy {

/// Within what exporters round to; nothing is gained by turning such numbers into others.
[[nodiscard]] bool is_about_unit(const Quat& rotation) noexcept;

/// Of unit length, where it is off by more than floats are; none at all if it has no length.
[[nodiscard]] glm::dquat usable_rotation(const Quat& rotation) noexcept;

/// Scale, then rotation, then translation.
[[nodiscard]] glm::dmat4 matrix_of(const glm::dvec3& translation, const glm::dquat& rotation,
                                   const glm::dvec3& scale) noexcept;
[[nodiscard]] glm::dmat4 matrix_of(const Transform& transform) noexcept;

/// The identity where a number is not finite.
[[nodiscard]] glm::dmat4 local_matrix(const Node& node) noexcept;

/// Of all nodes at rest; those that parents_first() leaves out stand at the origin. The rules are world_matrices()'s.
[[nodiscard]] std::vector<glm::dmat4> rest_worlds(const Scene& scene);

/// Of each node, whether the scene shows neither it nor anything below it: it or one above it is hidden.
[[nodiscard]] std::vector<bool> hidden_nodes(const Scene& scene);

}  // namespace effigy
