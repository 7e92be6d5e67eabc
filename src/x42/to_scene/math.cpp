/// Matrices of X42 taken apart into translation, rotation, scale and shear, in double precision.

#include "x42/to_scene/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace effigy::x42::bridge {
namespace {

/// Three axes of length 1 at right angles: the longest given one as it is, the others as near as they can be.
glm::dmat3 right_angled(const glm::dmat3& axes) noexcept {
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return glm::length(axes[a]) > glm::length(axes[b]); });
    glm::dmat3 result(0);
    for (const int i : order) {
        const auto without_others = [&](glm::dvec3 v) {
            for (const int k : order) v -= glm::dot(v, result[k]) * result[k];
            return v;
        };
        glm::dvec3 axis = without_others(axes[i]);
        for (int k = 0; k < 3 && !(glm::length(axis) > 1e-6); ++k) {
            glm::dvec3 other(0);
            other[k] = 1;
            axis = without_others(other);
        }
        result[i] = glm::normalize(axis);
    }
    if (glm::determinant(result) < 0) result[order[2]] = -result[order[2]];
    return result;
}

/// The rotation that is nearest to a matrix without its lengths.
glm::dmat3 nearest_rotation(const glm::dmat3& linear, const glm::dvec3& lengths) noexcept {
    glm::dmat3 axes(0);
    for (int i = 0; i < 3; ++i) {
        if (lengths[i] != 0) axes[i] = linear[i] / lengths[i];
    }
    if (std::abs(glm::determinant(axes)) < 1e-9) return right_angled(axes);
    glm::dmat3 rotation = axes;
    for (int round = 0; round < 64; ++round) {
        const glm::dmat3 next = 0.5 * (rotation + glm::transpose(glm::inverse(rotation)));
        const double change = largest(next - rotation);
        rotation = next;
        if (change < 1e-15) break;
    }
    return rotation;
}

/// Of the axes; the first one is negative in a matrix that mirrors.
glm::dvec3 lengths_of(const glm::dmat3& axes, bool mirrors) noexcept {
    const double first = glm::length(axes[0]);
    return {mirrors ? -first : first, glm::length(axes[1]), glm::length(axes[2])};
}

/// Rotates a symmetric matrix about one of its axes so that an element beside the diagonal vanishes (Jacobi).
void rotate_away(glm::dmat3& symmetric, glm::dmat3& axes, int p, int q) noexcept {
    if (symmetric[q][p] == 0) return;
    const double theta = (symmetric[q][q] - symmetric[p][p]) / (2 * symmetric[q][p]);
    const double tangent = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double cosine = 1 / std::sqrt(tangent * tangent + 1);
    glm::dmat3 rotation(1);
    rotation[p][p] = rotation[q][q] = cosine;
    rotation[q][p] = tangent * cosine;
    rotation[p][q] = -tangent * cosine;
    symmetric = glm::transpose(rotation) * symmetric * rotation;
    axes = axes * rotation;
}

/// The directions that a matrix stretches without shear.
glm::dmat3 stretched_axes(const glm::dmat3& linear) noexcept {
    glm::dmat3 symmetric = glm::transpose(linear) * linear;
    glm::dmat3 axes(1);
    for (int round = 0; round < 32; ++round) {
        rotate_away(symmetric, axes, 0, 1);
        rotate_away(symmetric, axes, 0, 2);
        rotate_away(symmetric, axes, 1, 2);
    }
    return right_angled(axes);
}

}  // namespace

glm::dmat4 wide(const Matrix& matrix) noexcept {
    glm::dmat4 result(1);
    auto element = matrix.begin();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) result[column][row] = static_cast<double>(*element++);
    }
    return result;
}

std::optional<glm::dmat4> inverse(const glm::dmat4& matrix) noexcept { return inverse_affine(matrix, 1e-12); }

double difference(const glm::dmat4& a, const glm::dmat4& b) noexcept {
    double most = 0;
    for (int column = 0; column < 4; ++column) most = std::max(most, largest(glm::dvec3(a[column] - b[column])));
    return most;
}

Split split(const glm::dmat4& matrix) noexcept {
    const glm::dmat3 linear(matrix);
    const double size = largest(linear);
    const glm::dmat3 rotation = nearest_rotation(linear, lengths_of(linear, glm::determinant(linear) < 0));
    const glm::dmat3 inside = glm::transpose(rotation) * linear;
    const glm::dvec3 scale(inside[0][0], inside[1][1], inside[2][2]);
    Split result;
    result.transform.translation = narrow(glm::dvec3(matrix[3]));
    result.transform.rotation = narrow(glm::normalize(glm::quat_cast(rotation)));
    result.transform.scale = narrow(scale);
    if (size > 0) result.residual = largest(rotation * diagonal(scale) - linear) / size;
    return result;
}

Chain chain(const glm::dmat4& matrix) noexcept {
    const glm::dmat3 linear(matrix);
    const glm::dmat3 inner = stretched_axes(linear);
    const glm::dmat3 stretched = linear * inner;
    const glm::dvec3 scale = lengths_of(stretched, glm::determinant(linear) < 0);
    const glm::dmat3 outer = nearest_rotation(stretched, scale);
    Chain result;
    result.upper.translation = narrow(glm::dvec3(matrix[3]));
    result.upper.rotation = narrow(glm::normalize(glm::quat_cast(outer)));
    result.upper.scale = narrow(scale);
    result.lower = narrow(glm::normalize(glm::quat_cast(glm::transpose(inner))));
    return result;
}

}  // namespace effigy::x42::bridge
