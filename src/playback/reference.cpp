/// Skinning, transforming and the mixing of rotations (slerp, nlerp) and matrices, one number after the other: what the
/// kernels have to equal.

#include <algorithm>
#include <cmath>

#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"
#include "scene/by_angle.hpp"

namespace effigy::playback::reference {
namespace {

Mat4 blend(const Mat4* matrices, const std::uint16_t* joints, const float* weights, std::size_t influences) {
    Mat4 sum{{}};
    for (std::size_t i = 0; i < influences; ++i) {
        const Mat4& matrix = matrices[joints[i]];
        for (std::size_t k = 0; k < 16; ++k) sum.m[k] += weights[i] * matrix.m[k];
    }
    return sum;
}

void transform_vertex(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out,
                      std::size_t v, bool normalize) {
    const auto turned = [&](const Mat4& by, const Vec3& direction) {
        const Vec3 result = transform_direction(by, direction);
        return normalize ? normalized(result) : result;
    };
    out.positions[v] = transform_point(matrix, in.positions[v]);
    if (!in.normals.empty()) out.normals[v] = turned(normal_matrix, in.normals[v]);
    if (!in.tangents.empty()) {
        const Vec4 tangent = in.tangents[v];
        const Vec3 direction = turned(matrix, {tangent.x, tangent.y, tangent.z});
        out.tangents[v] = {direction.x, direction.y, direction.z, tangent.w};
    }
}

void skin_batch(const Mat4* matrices, const InfluenceBatch& batch, const VertexView& in, const VertexSpan& out,
                bool normalize) {
    const std::size_t influences = batch.influences;
    for (std::size_t i = 0; i < batch.vertices.size(); ++i) {
        const Mat4 matrix =
            blend(matrices, batch.joints.data() + i * influences, batch.weights.data() + i * influences, influences);
        transform_vertex(matrix, matrix, in, out, batch.vertices[i], normalize);
    }
}

}  // namespace

void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out, bool normalize) {
    for (const InfluenceBatch& batch : batches) skin_batch(matrices.data(), batch, in, out, normalize);
}

void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out) {
    for (std::size_t v = 0; v < in.positions.size(); ++v) transform_vertex(matrix, normal_matrix, in, out, v, true);
}

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

std::size_t find_outdated(std::span<const float> begins, const float* ends, float time, std::uint32_t* out) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        out[count] = static_cast<std::uint32_t>(i);
        count += begins[i] <= time && time < ends[i] ? 0 : 1;
    }
    return count;
}

void find_parts(std::span<const float> begins, const float* ends, float time, float rest, float* out) {
    for (std::size_t i = 0; i < begins.size(); ++i) {
        // The time may lie before a key that it was rounded to, and is taken for the key's own then.
        const float way = std::max((time - begins[i]) + rest, 0.0f);
        out[i] = std::min(way / (ends[i] - begins[i]), 1.0f);
    }
}

void mix_vectors(std::span<const Vec3> from, const Vec3* to, const float* parts, Vec3* out) {
    for (std::size_t i = 0; i < from.size(); ++i) out[i] = mix(from[i], to[i], parts[i]);
}

void mix_rotations(RotationRule rule, std::span<const Quat> from, const Quat* to, const float* parts, Quat* out) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (rule == RotationRule::by_angle) {
            out[i] = mix_by_angle(from[i], to[i], parts[i]);
            continue;
        }
        const Quat near = dot(from[i], to[i]) < 0 ? scaled(to[i], -1) : to[i];
        out[i] = rule == RotationRule::slerp ? slerp(from[i], near, parts[i]) : nlerp(from[i], near, parts[i]);
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
