/// BlendJob: poses of several layers mixed by weight, additive ones included; DifferenceJob, which makes such.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {

namespace {

Result<void> check_layers(const char* name, std::span<const BlendLayer> layers, std::size_t joints,
                          std::size_t weights) {
    for (const BlendLayer& layer : layers) {
        if (auto fits = check_pose(name, layer.pose, joints); !fits) return fits;
        if (!layer.mask.empty() && layer.mask.size() != joints) {
            return wrong_size(std::string(name) + ".mask", layer.mask.size(), std::to_string(joints) + " or 0");
        }
        if (weights != 0 && !layer.weights.empty() && layer.weights.size() != weights) {
            return wrong_size(std::string(name) + ".weights", layer.weights.size(), std::to_string(weights) + " or 0");
        }
        if (!(layer.weight >= 0) || !std::isfinite(layer.weight)) {
            return wrong_value(std::string(name) + ".weight", std::to_string(layer.weight),
                               "a finite number, not negative");
        }
    }
    return {};
}

Result<void> check(const BlendJob& job) {
    const std::size_t joints = job.rest.size();
    if (!(job.threshold > 0) || !std::isfinite(job.threshold)) {
        return wrong_value("threshold", std::to_string(job.threshold), "a finite number above 0");
    }
    if (auto fits = check_pose("rest", job.rest, joints); !fits) return fits;
    if (auto fits = check_pose("pose", job.pose, joints); !fits) return fits;
    const std::size_t weights = job.weights.size();
    if (weights != 0 && job.rest_weights.size() != weights) {
        return wrong_size("rest_weights", job.rest_weights.size(), std::to_string(weights));
    }
    if (auto fits = check_layers("layers", job.layers, joints, weights); !fits) return fits;
    return check_layers("additive", job.additive, joints, weights);
}

float weight_of(const BlendLayer& layer, std::size_t joint) {
    return layer.mask.empty() ? layer.weight : layer.weight * layer.mask[joint];
}

struct JointSum {
    Vec3 translation;
    Quat rotation{0, 0, 0, 0};
    Vec3 scale{0, 0, 0};
    float weight = 0;

    void add_joint(const PoseView& pose, std::size_t joint, float part) {
        const Quat turn = pose.rotations[joint];
        translation = add(translation, scaled(pose.translations[joint], part));
        rotation = add(rotation, scaled(turn, dot(rotation, turn) < 0 ? -part : part));
        scale = add(scale, scaled(pose.scales[joint], part));
        weight += part;
    }
};

void mix_joint(const BlendJob& job, std::size_t joint) {
    JointSum sum;
    for (const BlendLayer& layer : job.layers) {
        // A joint that a layer does not move must not be able to spoil the others either.
        if (const float part = weight_of(layer, joint); part != 0) sum.add_joint(layer.pose, joint, part);
    }
    if (sum.weight < job.threshold) sum.add_joint(job.rest, joint, job.threshold - sum.weight);
    job.pose.translations[joint] = scaled(sum.translation, 1 / sum.weight);
    job.pose.rotations[joint] = normalized(sum.rotation, job.rest.rotations[joint]);
    job.pose.scales[joint] = scaled(sum.scale, 1 / sum.weight);
}

/// The turn by `part` of the angle of `turn`, the shorter way round.
Quat partial_turn(const Quat& turn, float part) {
    const Quat near = turn.w < 0 ? scaled(turn, -1) : turn;
    const float sine = std::sqrt(near.x * near.x + near.y * near.y + near.z * near.z);
    if (sine == 0) return {};
    const float angle = part * std::atan2(sine, near.w);
    const float factor = std::sin(angle) / sine;
    return {near.x * factor, near.y * factor, near.z * factor, std::cos(angle)};
}

void add_joint(const BlendLayer& layer, const PoseSpan& pose, std::size_t joint) {
    const float part = weight_of(layer, joint);
    if (part == 0) return;
    const Vec3 factor = layer.pose.scales[joint];
    Vec3& scale = pose.scales[joint];
    pose.translations[joint] = add(pose.translations[joint], scaled(layer.pose.translations[joint], part));
    pose.rotations[joint] =
        normalized(multiply(partial_turn(layer.pose.rotations[joint], part), pose.rotations[joint]));
    scale = {scale.x * (1 + part * (factor.x - 1)), scale.y * (1 + part * (factor.y - 1)),
             scale.z * (1 + part * (factor.z - 1))};
}

void mix_weights(const BlendJob& job) {
    float total = 0;
    for (const BlendLayer& layer : job.layers) {
        if (!layer.weights.empty()) total += layer.weight;
    }
    const float rest = std::max(job.threshold - total, 0.0f);
    total += rest;
    for (std::size_t i = 0; i < job.weights.size(); ++i) {
        float sum = rest * job.rest_weights[i];
        for (const BlendLayer& layer : job.layers) {
            if (!layer.weights.empty()) sum += layer.weight * layer.weights[i];
        }
        sum /= total;
        for (const BlendLayer& layer : job.additive) {
            if (!layer.weights.empty()) sum += layer.weight * layer.weights[i];
        }
        job.weights[i] = sum;
    }
}

}  // namespace

Result<void> BlendJob::run() const {
    if (auto fits = check(*this); !fits) return fits;
    for (std::size_t joint = 0; joint < rest.size(); ++joint) {
        mix_joint(*this, joint);
        for (const BlendLayer& layer : additive) add_joint(layer, pose, joint);
    }
    mix_weights(*this);
    return {};
}

namespace {

/// Nothing times any factor is nothing, so the factor may be 1.
float ratio(float number, float reference) { return reference == 0 ? 1 : number / reference; }

}  // namespace

Result<void> DifferenceJob::run() const {
    const std::size_t joints = pose.size();
    if (auto fits = check_pose("pose", pose, joints); !fits) return fits;
    if (auto fits = check_pose("reference", reference, joints); !fits) return fits;
    if (auto fits = check_pose("difference", difference, joints); !fits) return fits;
    for (std::size_t i = 0; i < joints; ++i) {
        difference.translations[i] = subtract(pose.translations[i], reference.translations[i]);
        difference.rotations[i] = normalized(multiply(pose.rotations[i], conjugate(reference.rotations[i])));
        const Vec3 scale = pose.scales[i];
        const Vec3 base = reference.scales[i];
        difference.scales[i] = {ratio(scale.x, base.x), ratio(scale.y, base.y), ratio(scale.z, base.z)};
    }
    return {};
}

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
