/// The jobs that move vertices: SkinJob by influences, TransformJob by one matrix (normals by its inverse transposed),
/// MorphJob by weighted offsets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {

namespace {

Result<void> check_batch(const InfluenceBatch& batch, std::size_t matrices, std::size_t vertices) {
    if (batch.influences == 0 && !batch.vertices.empty()) return wrong_value("batches.influences", "0", "at least 1");
    const std::uint64_t count = std::uint64_t{batch.vertices.size()} * batch.influences;
    if (auto fits = check_sizes(
            {{"batches.joints", batch.joints.size(), count}, {"batches.weights", batch.weights.size(), count}});
        !fits) {
        return fits;
    }
    if (auto fits = check_indices("batches.joints", batch.joints, matrices); !fits) return fits;
    return check_ascending("batches.vertices", batch.vertices, vertices);
}

/// `in`, without what `out` has no room for.
VertexView wanted(const VertexView& in, const VertexSpan& out) {
    VertexView view = in;
    if (out.normals.empty()) view.normals = {};
    if (out.tangents.empty()) view.tangents = {};
    return view;
}

}  // namespace

Result<void> SkinJob::run() const {
    const VertexView source = wanted(in, out);
    if (auto fits = check_vertices(source, out); !fits) return fits;
    for (const InfluenceBatch& batch : batches) {
        if (auto fits = check_batch(batch, matrices.size(), in.positions.size()); !fits) return fits;
    }
    (kernel == Kernel::vector ? kernels::skin : reference::skin)(matrices, batches, source, out, normalize);
    return {};
}

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

namespace {

Result<void> check_target(const MorphTarget& target, std::size_t number, std::size_t vertices) {
    const std::size_t count = target.indices.size();
    for (const auto* offsets : {&target.positions, &target.normals, &target.tangents}) {
        if (offsets->empty() || offsets->size() == count) continue;
        return wrong_size("targets[" + std::to_string(number) + "]", offsets->size(), std::to_string(count) + " or 0");
    }
    return check_ascending("targets.indices", target.indices, vertices);
}

Result<void> check(const MorphJob& job) {
    if (auto fits = check_vertices(job.base, job.out); !fits) return fits;
    if (auto fits = check_sizes({{"weights", job.weights.size(), job.targets.size()}}); !fits) return fits;
    for (std::size_t i = 0; i < job.targets.size(); ++i) {
        if (auto fits = check_target(job.targets[i], i, job.base.positions.size()); !fits) return fits;
    }
    return {};
}

template <class Vector>
void add_offsets(std::span<const std::uint32_t> indices, std::span<const Vec3> offsets, float weight,
                 std::span<Vector> out) {
    if (out.empty()) return;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        Vector& vector = out[indices[i]];
        vector.x += weight * offsets[i].x;
        vector.y += weight * offsets[i].y;
        vector.z += weight * offsets[i].z;
    }
}

}  // namespace

Result<void> MorphJob::run() const {
    if (auto fits = check(*this); !fits) return fits;
    std::copy(base.positions.begin(), base.positions.end(), out.positions.begin());
    std::copy(base.normals.begin(), base.normals.end(), out.normals.begin());
    std::copy(base.tangents.begin(), base.tangents.end(), out.tangents.begin());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (weights[i] == 0) continue;
        const MorphTarget& target = targets[i];
        add_offsets<Vec3>(target.indices, target.positions, weights[i], out.positions);
        add_offsets<Vec3>(target.indices, target.normals, weights[i], out.normals);
        add_offsets<Vec4>(target.indices, target.tangents, weights[i], out.tangents);
    }
    return {};
}

void Bounds::add(std::span<const Vec3> points) noexcept {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    Bounds found{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}, false};
    kernels::grow_bounds(points, found.low, found.high);
    found.empty = found.low.x > found.high.x;
    add(found);
}

void Bounds::add(const Bounds& other) noexcept {
    if (other.empty) return;
    if (empty) {
        *this = other;
        return;
    }
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y), std::min(low.z, other.low.z)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y), std::max(high.z, other.high.z)};
}

}  // namespace effigy::playback
