/// Mixing of rotations (slerp, nlerp) and matrices one number after the other: what kernels_pose has to equal.

#include <algorithm>
#include <cmath>

#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"
#include "scene/by_angle.hpp"

namespace effigy::playback::reference {
namespace {

Quat nlerp(const Quat& from, const Quat& to, float part) {
    return normalized(add(scaled(from, 1 - part), scaled(to, part)));
}

/// From here on the sines of the angles are too small to be divided, and a straight line is as good.
constexpr float nearly_same = 0.9999f;

Quat slerp(const Quat& from, const Quat& to, float part) {
    const float cosine = dot(from, to);
    if (!(cosine < nearly_same)) return nlerp(from, to, part);
    const float angle = std::acos(cosine);
    return normalized(add(scaled(from, std::sin((1 - part) * angle)), scaled(to, std::sin(part * angle))));
}

}  // namespace

void mix_rotations(RotationRule rule, std::span<Quat> from, const Quat* to, const float* parts) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (rule == RotationRule::by_angle) {
            from[i] = mix_by_angle(from[i], to[i], parts[i]);
            continue;
        }
        const Quat near = dot(from[i], to[i]) < 0 ? scaled(to[i], -1) : to[i];
        from[i] = rule == RotationRule::slerp ? slerp(from[i], near, parts[i]) : nlerp(from[i], near, parts[i]);
    }
}

void local_matrices(const PoseView& pose, Mat4* out) {
    for (std::size_t i = 0; i < pose.size(); ++i) {
        out[i] = compose(pose.translations[i], pose.rotations[i], pose.scales[i]);
    }
}

void chain_matrices(std::span<const Index> parents, Mat4* models) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
        if (parents[i] != no_index) models[i] = multiply(models[parents[i]], models[i]);
    }
}

void multiply_matrices(const Mat4* models, std::span<const Index> joints, const Mat4* right, Mat4* out) {
    for (std::size_t i = 0; i < joints.size(); ++i) out[i] = multiply(models[joints[i]], right[i]);
}

}  // namespace effigy::playback::reference
