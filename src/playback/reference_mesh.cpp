/// Skinning and transforming one number after the other: what kernels_mesh has to equal.

#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"

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
                      std::size_t v) {
    out.positions[v] = transform_point(matrix, in.positions[v]);
    if (!in.normals.empty()) out.normals[v] = normalized(transform_direction(normal_matrix, in.normals[v]));
    if (!in.tangents.empty()) {
        const Vec4 tangent = in.tangents[v];
        const Vec3 direction = normalized(transform_direction(matrix, {tangent.x, tangent.y, tangent.z}));
        out.tangents[v] = {direction.x, direction.y, direction.z, tangent.w};
    }
}

void skin_batch(const Mat4* matrices, const InfluenceBatch& batch, const VertexView& in, const VertexSpan& out) {
    const std::size_t influences = batch.influences;
    for (std::size_t i = 0; i < batch.vertices.size(); ++i) {
        const Mat4 matrix =
            blend(matrices, batch.joints.data() + i * influences, batch.weights.data() + i * influences, influences);
        transform_vertex(matrix, matrix, in, out, batch.vertices[i]);
    }
}

}  // namespace

void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out) {
    for (const InfluenceBatch& batch : batches) skin_batch(matrices.data(), batch, in, out);
}

void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out) {
    for (std::size_t v = 0; v < in.positions.size(); ++v) transform_vertex(matrix, normal_matrix, in, out, v);
}

}  // namespace effigy::playback::reference
