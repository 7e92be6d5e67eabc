/// Local transforms of EMotion FX as matrices and as translation, rotation, scale, by either multiplication order.

#include "emfx/file/transforms.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace effigy::emfx::bridge {
namespace {

/// Far above the rounding of floats, far below anything that can be seen.
// Exporters leave rounding noise of up to 2e-6 in scales that are meant to be even (measured on real files); helper
// nodes for noise would only be in the way.
constexpr double rounding_noise = 1e-5;

double finite(float value, Repairs& repairs, double fallback = 0) noexcept {
    if (std::isfinite(value)) return static_cast<double>(value);
    ++repairs.not_finite;
    return fallback;
}

/// Whether turning and scaling can change places.
bool commutes(const glm::dvec3& scale, const glm::dquat& rotation) noexcept {
    const glm::dmat3 rotated = glm::mat3_cast(rotation);
    const glm::dmat3 stretch = diagonal(scale);
    return largest(stretch * rotated - rotated * stretch) <= rounding_noise * largest(scale);
}

}  // namespace

glm::dvec3 to_scene_scale(Vec3 v, Repairs& repairs) noexcept {
    return {finite(v.x, repairs, 1), finite(v.y, repairs, 1), finite(v.z, repairs, 1)};
}

glm::dvec3 to_scene_position(Vec3 v, Repairs& repairs) noexcept {
    return {finite(v.x, repairs), finite(v.y, repairs), -finite(v.z, repairs)};
}

glm::dquat to_scene_rotation(Quat q, Repairs& repairs) noexcept {
    const glm::dquat mirrored(finite(q.w, repairs), -finite(q.x, repairs), -finite(q.y, repairs), finite(q.z, repairs));
    const double length = std::sqrt(glm::dot(mirrored, mirrored));
    if (length > 1e-18) return mirrored / length;
    ++repairs.zero_rotations;
    return {1, 0, 0, 0};
}

LocalTransform local_transform(const xac::Node& record, Repairs& repairs) noexcept {
    return {to_scene_position(record.position, repairs), to_scene_rotation(record.rotation, repairs),
            to_scene_rotation(record.scale_rotation, repairs), to_scene_scale(record.scale, repairs)};
}

glm::dmat4 matrix(const LocalTransform& local, Order order) noexcept {
    const glm::dmat3 rotation = glm::mat3_cast(local.rotation);
    const glm::dmat3 frame = glm::mat3_cast(local.scale_rotation);
    const glm::dmat3 stretch = frame * diagonal(local.scale) * glm::transpose(frame);
    glm::dmat4 result(order == Order::scale_first ? rotation * stretch : stretch * rotation);
    result[3] = glm::dvec4(local.position, 1);
    return result;
}

glm::dquat inner_rotation(const glm::dquat& rotation, const glm::dquat& scale_rotation, Order order) noexcept {
    const glm::dquat back = glm::conjugate(scale_rotation);
    return order == Order::scale_first ? back : back * rotation;
}

glm::dquat outer_rotation(const glm::dquat& rotation, const glm::dquat& scale_rotation, Order order) noexcept {
    return order == Order::scale_first ? rotation * scale_rotation : scale_rotation;
}

bool is_uniform(const glm::dvec3& scale) noexcept {
    const double room = rounding_noise * largest(scale);
    return std::abs(scale.x - scale.y) <= room && std::abs(scale.x - scale.z) <= room;
}

bool is_identity(const glm::dquat& rotation) noexcept {
    return std::max({std::abs(rotation.x), std::abs(rotation.y), std::abs(rotation.z)}) <= rounding_noise;
}

bool needs_chain(const LocalTransform& local, Order order) noexcept {
    if (is_uniform(local.scale)) return false;
    return !commutes(local.scale, inner_rotation(local.rotation, local.scale_rotation, order));
}

Transform plain(const LocalTransform& local) noexcept {
    return {narrow(local.position), narrow(local.rotation), narrow(local.scale)};
}

void take_transform(xac::Node& record, const Transform& local) noexcept {
    const auto [position, rotation, scale] = local;
    record.position = {position.x + 0, position.y + 0, 0 - position.z};
    record.rotation = {0 - rotation.x, 0 - rotation.y, rotation.z + 0, rotation.w + 0};
    record.scale = {scale.x + 0, scale.y + 0, scale.z + 0};
}

Chain chain(const LocalTransform& local, Order order) noexcept {
    Chain result;
    result.first.translation = narrow(local.position);
    result.first.rotation = narrow(outer_rotation(local.rotation, local.scale_rotation, order));
    result.first.scale = narrow(local.scale);
    result.second = narrow(inner_rotation(local.rotation, local.scale_rotation, order));
    return result;
}

std::optional<Transform> decompose(const glm::dmat4& matrix) noexcept {
    const glm::dmat3 linear(matrix);
    LocalTransform local;
    local.position = glm::dvec3(matrix[3]);
    local.scale = {glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2])};
    if (is_mirrored(matrix)) local.scale.x = -local.scale.x;
    if (local.scale.x == 0 || local.scale.y == 0 || local.scale.z == 0) return std::nullopt;
    const glm::dmat3 rotation(linear[0] / local.scale.x, linear[1] / local.scale.y, linear[2] / local.scale.z);
    local.rotation = glm::normalize(glm::quat_cast(rotation));
    const glm::dmat3 again(bridge::matrix(local, Order::scale_first));
    if (!(largest(again - linear) <= rounding_noise * largest(linear))) return std::nullopt;
    return plain(local);
}

Apart apart(const glm::dmat4& a, const glm::dmat4& b) noexcept {
    Apart result;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            result.difference = std::max(result.difference, std::abs(a[column][row] - b[column][row]));
            result.size = std::max(result.size, std::abs(a[column][row]));
        }
    }
    return result;
}

OffsetFrame offset_frame(const glm::dmat4& matrix) noexcept {
    const glm::dmat3 linear(matrix);
    const double size = std::cbrt(std::abs(glm::determinant(linear)));
    if (!(size > 1e-12) || !std::isfinite(size)) return {linear, linear, linear};
    return {linear, size * glm::transpose(glm::inverse(linear)), linear / size};
}

bool is_mirrored(const glm::dmat4& matrix) noexcept {
    // Below a scale of 0 the determinant is what products of doubles leave, with a sign that means nothing.
    constexpr double noise = 1e-13;
    const glm::dmat3 linear(matrix);
    return glm::determinant(linear) < -noise * std::pow(largest(linear), 3);
}

}  // namespace effigy::emfx::bridge
