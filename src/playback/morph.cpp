/// MorphJob: offsets of morph targets added by weight.

#include <algorithm>
#include <cstddef>
#include <string>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {
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

}  // namespace effigy::playback
