#pragma once
/// Whether all numbers of a matrix are finite.

#include <algorithm>
#include <cmath>

#include "effigy/x42.hpp"

namespace effigy::x42 {

[[nodiscard]] inline bool is_finite(const Matrix& matrix) noexcept {
    return std::all_of(matrix.begin(), matrix.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace effigy::x42
