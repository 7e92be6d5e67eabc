/// TransformJob: vertices by one matrix, normals by its inverse transposed.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"

namespace effigy::playback {
namespace {

using Column = std::array<double, 3>;

Column cross(const Column& a, const Column& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The inverse transposed of the upper 3x3 part, but for its length, which does not matter: so there is one even where
/// there is no inverse.
Mat4 normal_matrix(const Mat4& matrix) {
    const auto column = [&](std::size_t i) {
        return Column{matrix.m[4 * i], matrix.m[4 * i + 1], matrix.m[4 * i + 2]};
    };
    const Column x = column(0);
    const Column y = column(1);
    const Column z = column(2);
    const std::array<Column, 3> cofactors{cross(y, z), cross(z, x), cross(x, y)};
    double largest = 0;
    for (const Column& cofactor : cofactors) {
        for (const double number : cofactor) largest = std::max(largest, std::abs(number));
    }
    const double determinant = x[0] * cofactors[0][0] + x[1] * cofactors[0][1] + x[2] * cofactors[0][2];
    const double factor = largest == 0 ? 0 : (determinant < 0 ? -1 : 1) / largest;
    Mat4 result;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t row = 0; row < 3; ++row)
            result.m[4 * i + row] = static_cast<float>(cofactors[i][row] * factor);
    }
    return result;
}

}  // namespace

Result<void> TransformJob::run() const {
    if (auto fits = check_vertices(in, out); !fits) return fits;
    const auto transform = kernel == Kernel::vector ? kernels::transform : reference::transform;
    transform(matrix, normal_matrix(matrix), in, out);
    return {};
}

}  // namespace effigy::playback
