/// Decomposes matrices into rotation, scale and scale rotation (polar decomposition).

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Of unit length; no rotation where there is no length.
glm::dquat unit_or_identity(const glm::dquat& q) noexcept {
    const double length = std::sqrt(glm::dot(q, q));
    return length > 1e-18 && std::isfinite(length) ? q / length : glm::dquat(1, 0, 0, 0);
}

struct Axes {
    glm::dmat3 vectors{1};
    glm::dvec3 values{1, 1, 1};
};

/// Jacobi's method: turns a symmetric matrix until only its diagonal is left.
Axes axes_of(glm::dmat3 m) noexcept {
    Axes axes;
    for (int round = 0; round < 32; ++round) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (m[q][p] == 0) continue;
                const double angle = 0.5 * std::atan2(2 * m[q][p], m[q][q] - m[p][p]);
                glm::dmat3 rotation(1);
                rotation[p][p] = rotation[q][q] = std::cos(angle);
                rotation[q][p] = std::sin(angle);
                rotation[p][q] = -std::sin(angle);
                m = glm::transpose(rotation) * m * rotation;
                axes.vectors = axes.vectors * rotation;
            }
        }
    }
    axes.values = {m[0][0], m[1][1], m[2][2]};
    if (glm::determinant(axes.vectors) < 0) axes.vectors[0] = -axes.vectors[0];
    return axes;
}

/// linear = rotation * frame * scale * frame^-1
LocalTransform polar(const glm::dmat3& linear) noexcept {
    LocalTransform local;
    const double sign = glm::determinant(linear) < 0 ? -1 : 1;
    const Axes axes = axes_of(glm::transpose(linear) * linear);
    for (int i = 0; i < 3; ++i) local.scale[i] = sign * std::sqrt(std::max(axes.values[i], 0.0));
    local.scale_rotation = unit_or_identity(glm::quat_cast(axes.vectors));
    glm::dmat3 rotated = linear * axes.vectors;
    for (int i = 0; i < 3; ++i) rotated[i] = glm::dvec3(rotated[i] / (local.scale[i] != 0 ? local.scale[i] : 1.0));
    if (glm::determinant(rotated) < 0.5) return local;  // flat: any rotation would do
    local.rotation = unit_or_identity(glm::quat_cast(rotated * glm::transpose(axes.vectors)));
    return local;
}

/// From scale first to rotation first: the axes of the scale are rotated along.
void reorder(LocalTransform& local, Order order) noexcept {
    if (order == Order::scale_first || is_uniform(local.scale)) return;
    local.scale_rotation = unit_or_identity(local.rotation * local.scale_rotation);
}

}  // namespace

LocalTransform undo_chain(const Transform& upper, const Quat& lower, Order order) noexcept {
    LocalTransform local;
    local.position = wide(upper.translation);
    local.scale = wide(upper.scale);
    const glm::dquat outer = unit_or_identity(wide(upper.rotation));
    const glm::dquat inner = unit_or_identity(wide(lower));
    local.scale_rotation = order == Order::scale_first ? glm::conjugate(inner) : outer;
    local.rotation = unit_or_identity(outer * inner);
    return local;
}

LocalTransform from_transform(const Transform& transform, Order order) noexcept {
    LocalTransform local;
    local.position = wide(transform.translation);
    local.rotation = unit_or_identity(wide(transform.rotation));
    local.scale = wide(transform.scale);
    reorder(local, order);
    return local;
}

LocalTransform from_matrix(const glm::dmat4& matrix, Order order) noexcept {
    if (const auto plain = decompose(matrix)) {
        LocalTransform local = from_transform(*plain, order);
        local.position = glm::dvec3(matrix[3]);
        return local;
    }
    LocalTransform local = polar(glm::dmat3(matrix));
    local.position = glm::dvec3(matrix[3]);
    reorder(local, order);
    return local;
}

}  // namespace effigy::emfx::bridge
