/// LocalToModelJob and SkinMatricesJob: model space from local transforms, times inverse bind matrices.

#include <cstddef>
#include <string>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"

namespace effigy::playback {
namespace {

Result<void> check(const LocalToModelJob& job) {
    const std::size_t joints = job.parents.size();
    if (auto fits = check_pose("pose", job.pose, joints); !fits) return fits;
    if (auto fits = check_sizes({{"models", job.models.size(), joints}}); !fits) return fits;
    for (std::size_t i = 0; i < joints; ++i) {
        if (job.parents[i] < i || job.parents[i] == no_index) continue;
        return wrong_index("parents[" + std::to_string(i) + "]", job.parents[i], "less than " + std::to_string(i));
    }
    for (const MatrixJoint& matrix : job.matrices) {
        if (matrix.joint >= joints) {
            return wrong_index("matrices", matrix.joint, "less than " + std::to_string(joints));
        }
    }
    return {};
}

}  // namespace

Result<void> LocalToModelJob::run() const {
    if (auto fits = check(*this); !fits) return fits;
    const bool is_vector = kernel == Kernel::vector;
    (is_vector ? kernels::local_matrices : reference::local_matrices)(pose, models.data());
    for (const MatrixJoint& matrix : matrices) models[matrix.joint] = matrix.matrix;
    (is_vector ? kernels::chain_matrices : reference::chain_matrices)(parents, models.data());
    return {};
}

Result<void> SkinMatricesJob::run() const {
    if (auto fits = check_sizes({{"inverse_bind_matrices", inverse_bind_matrices.size(), joints.size()},
                                 {"out", out.size(), joints.size()}});
        !fits) {
        return fits;
    }
    if (auto fits = check_indices("joints", joints, models.size()); !fits) return fits;
    const auto multiply = kernel == Kernel::vector ? kernels::multiply_matrices : reference::multiply_matrices;
    multiply(models.data(), joints, inverse_bind_matrices.data(), out.data());
    return {};
}

}  // namespace effigy::playback
