#pragma once
/// Matrices of the scene in double precision.

#include <glm/gtc/type_ptr.hpp>

#include "scene/wide_math.hpp"

namespace effigy {

[[nodiscard]] inline glm::dmat4 wide(const Mat4& matrix) noexcept {
    return glm::dmat4(glm::make_mat4(matrix.m.data()));
}

}  // namespace effigy
