/// Skinning by ozz-animation's SkinningJob, from a checkout of it: https://github.com/guillaumeblanc/ozz-animation

#include <cstring>

#include "ozz/base/maths/simd_math.h"
#include "ozz/geometry/runtime/skinning_job.h"
#include "playback_reference.hpp"

namespace effigy::bench {
namespace {

template <class Vector>
ozz::span<const float> floats(std::span<const Vector> vectors) {
    return {&vectors.data()->x, vectors.size() * sizeof(Vector) / sizeof(float)};
}
template <class Vector>
ozz::span<float> floats(std::span<Vector> vectors) {
    return {&vectors.data()->x, vectors.size() * sizeof(Vector) / sizeof(float)};
}

}  // namespace

bool skin_by_ozz(const SkinnedVertices& mesh, const playback::VertexSpan& out) {
    // Its matrices are aligned, ours need not be: the copy is a thousandth of the work.
    std::vector<ozz::math::Float4x4> matrices(mesh.matrices.size());
    static_assert(sizeof(Mat4) == sizeof(ozz::math::Float4x4));
    std::memcpy(static_cast<void*>(matrices.data()), mesh.matrices.data(), mesh.matrices.size_bytes());
    ozz::geometry::SkinningJob job;
    job.vertex_count = static_cast<int>(mesh.in.positions.size());
    job.influences_count = static_cast<int>(mesh.influences);
    job.joint_matrices = {matrices.data(), matrices.size()};
    job.joint_indices = {mesh.joints.data(), mesh.joints.size()};
    job.joint_indices_stride = mesh.influences * sizeof(std::uint16_t);
    job.joint_weights = {mesh.weights.data(), mesh.weights.size()};
    job.joint_weights_stride = mesh.influences * sizeof(float);
    job.in_positions = floats(mesh.in.positions);
    job.in_normals = floats(mesh.in.normals);
    job.in_tangents = floats(mesh.in.tangents);
    job.out_positions = floats(out.positions);
    job.out_normals = floats(out.normals);
    job.out_tangents = floats(out.tangents);
    job.in_positions_stride = job.in_normals_stride = sizeof(Vec3);
    job.out_positions_stride = job.out_normals_stride = sizeof(Vec3);
    job.in_tangents_stride = job.out_tangents_stride = sizeof(Vec4);
    return job.Run();
}

}  // namespace effigy::bench
