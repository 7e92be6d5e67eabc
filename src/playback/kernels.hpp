#pragma once
/// The work of the jobs, twice: in the widest vectors of the machine, and one number after the other. Sizes and
/// indices have been checked.

#include <cstdint>
#include <span>
#include <string_view>

#include "effigy/playback.hpp"

namespace effigy::playback {

namespace kernels {

[[nodiscard]] std::string_view target();

/// Of a span that is not empty.
[[nodiscard]] std::uint16_t largest(std::span<const std::uint16_t> values);
[[nodiscard]] std::uint32_t largest(std::span<const std::uint32_t> values);
/// Whether each value is above the one before it.
[[nodiscard]] bool is_ascending(std::span<const std::uint32_t> values);
/// `low` and `high` take in those points that are finite.
void grow_bounds(std::span<const Vec3> points, Vec3& low, Vec3& high);

/// Writes the numbers of those channels that hold no keys for `time`; how many.
[[nodiscard]] std::size_t find_outdated(std::span<const float> begins, const float* ends, float time,
                                        std::uint32_t* out);
/// How far time + `rest`, which it lost by rounding, is from each channel's begin to its end, 0..1.
void find_parts(std::span<const float> begins, const float* ends, float time, float rest, float* out);
/// out[i] becomes the vector that lies `parts[i]` of the way from from[i] to to[i].
void mix_vectors(std::span<const Vec3> from, const Vec3* to, const float* parts, Vec3* out);
/// out[i] becomes the rotation that lies `parts[i]` of the shorter way from from[i] to to[i]. `out` may be `from`.
void mix_rotations(RotationRule rule, std::span<const Quat> from, const Quat* to, const float* parts, Quat* out);
void local_matrices(const PoseView& pose, Mat4* out);
/// Local matrices to the model's space, in place; parents come first.
void chain_matrices(std::span<const Index> parents, Mat4* models);
/// out[i] = models[joints[i]] * right[i]
void multiply_matrices(const Mat4* models, std::span<const Index> joints, const Mat4* right, Mat4* out);
void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out, bool normalize);
/// Positions and tangents by `matrix`, normals by `normal_matrix`. `out` may be `in`.
void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out);

}  // namespace kernels

namespace reference {

[[nodiscard]] std::size_t find_outdated(std::span<const float> begins, const float* ends, float time,
                                        std::uint32_t* out);
void find_parts(std::span<const float> begins, const float* ends, float time, float rest, float* out);
void mix_vectors(std::span<const Vec3> from, const Vec3* to, const float* parts, Vec3* out);
void mix_rotations(RotationRule rule, std::span<const Quat> from, const Quat* to, const float* parts, Quat* out);
void local_matrices(const PoseView& pose, Mat4* out);
void chain_matrices(std::span<const Index> parents, Mat4* models);
void multiply_matrices(const Mat4* models, std::span<const Index> joints, const Mat4* right, Mat4* out);
void skin(std::span<const Mat4> matrices, std::span<const InfluenceBatch> batches, const VertexView& in,
          const VertexSpan& out, bool normalize);
void transform(const Mat4& matrix, const Mat4& normal_matrix, const VertexView& in, const VertexSpan& out);

}  // namespace reference
}  // namespace effigy::playback
