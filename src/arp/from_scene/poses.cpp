/// What an avatar shows of a clip at any time: rotations and places of its bones, amounts of its morph targets.

#include <algorithm>
#include <cmath>

#include "arp/from_scene/motion.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

constexpr float no_amount = 1e-6F;

/// Whether a node may move beside one that should stand above it.
bool moves_below(const Scene& scene, const Sampler& sampler, Index node, Index above) {
    for (; node != above; node = scene.nodes[node].parent) {
        if (node >= scene.nodes.size() || sampler.has_track(node)) return true;
    }
    return false;
}

/// Whether the bone has only turned and moved since its node stood at `rest`.
bool is_rigid(const BoneDraft& bone, const glm::dmat4& rest, const glm::dmat4& world, const glm::dquat& rotation) {
    constexpr double least = 1e-3;
    const glm::dmat3 linear(rest);
    const glm::dmat3 rotated = glm::mat3_cast(rotation * glm::conjugate(bone.rest.rotation)) * linear;
    return !(largest(rotated - glm::dmat3(world)) > least * largest(linear));
}

/// Of targets that no finer level has. Whether meshes have other amounts of targets that are one.
bool add_amounts(const std::vector<DrawnTargets>& level, const Sampler& sampler, const std::vector<bool>& is_finer,
                 std::vector<bool>& is_known, std::vector<float>& amounts) {
    constexpr float unseen = 1e-3F;
    bool differs = false;
    for (const DrawnTargets& drawn : level) {
        const std::vector<double> weights = sampler.weights(drawn.node);
        for (std::size_t k = 0; k < std::min(weights.size(), drawn.places.size()); ++k) {
            const std::size_t place = drawn.places[k];
            if (is_finer[place]) continue;
            const float amount = narrow(weights[k]);
            differs = differs || (is_known[place] && std::abs(amounts[place] - amount) > unseen);
            is_known[place] = true;
            if (std::abs(amount) > no_amount) amounts[place] = amount;
        }
    }
    return differs;
}

}  // namespace

Motion::Motion(const Scene& scene, const Character& character, const Clip& clip)
    : character_(character),
      sampler_(scene, character.tree, clip),
      turns_(character.skeleton.bones.size()),
      shown_(turns_.size()) {
    find_turning(scene);
}

const PoseSample& Motion::at(double time) {
    sampler_.go_to(time);
    const bool is_first = frames_.empty();
    const std::size_t count = character_.skeleton.bones.size();
    frames_.resize(count);
    pose_.rotations.resize(count);
    pose_.places.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (is_first || shown_[i]) place(i);
        if (is_first || turns_[i]) pose(i);
    }
    if (is_first) watch_shown();
    pose_.amounts.assign(character_.figure.targets.size(), 0.0F);
    std::vector<bool> is_known(pose_.amounts.size());
    for (const std::vector<DrawnTargets>& level : character_.figure.targets_of) {
        const std::vector<bool> is_finer = is_known;
        if (add_amounts(level, sampler_, is_finer, is_known, pose_.amounts)) has_unlike_amounts_ = true;
    }
    return pose_;
}

/// Bones that turn or move beside their parent; they and their parents have to be looked at again and again.
void Motion::find_turning(const Scene& scene) {
    const auto& bones = character_.skeleton.bones;
    for (std::size_t i = bones.size(); i-- > 0;) {
        const std::size_t parent = bones[i].parent;
        const bool is_root = parent == none;
        if (bones[i].node != no_index)
            turns_[i] = moves_below(scene, sampler_, bones[i].node, is_root ? no_index : bones[parent].node);
        const bool has_no_own = bones[i].node == no_index && shown_[i];
        if (turns_[i]) shown_[i] = true;
        if (!is_root && (turns_[i] || has_no_own)) shown_[parent] = true;
    }
}

void Motion::watch_shown() {
    const auto& bones = character_.skeleton.bones;
    std::vector<Index> nodes;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        if (shown_[i] && bones[i].node != no_index) nodes.push_back(bones[i].node);
    }
    sampler_.watch(nodes);
}

void Motion::place(std::size_t i) {
    const BoneDraft& bone = character_.skeleton.bones[i];
    if (bone.node == no_index) {
        frames_[i] = bone.parent == none ? bone.rest : frames_[bone.parent];
    } else {
        const glm::dmat4& world = sampler_.worlds()[bone.node];
        frames_[i] = rigid_part(world);
        frames_[i].rotation = glm::normalize(frames_[i].rotation * bone.node_to_bone);
        bends_ = bends_ || !is_rigid(bone, character_.tree.worlds[bone.node], world, frames_[i].rotation);
    }
}

/// Beside its parent, which has been placed.
void Motion::pose(std::size_t i) {
    const Skeleton& skeleton = character_.skeleton;
    const BoneDraft& bone = skeleton.bones[i];
    const bool is_root = bone.parent == none;
    const glm::dquat back = is_root ? glm::dquat(1, 0, 0, 0) : glm::conjugate(frames_[bone.parent].rotation);
    const glm::dvec3 from = is_root ? skeleton.origin : frames_[bone.parent].translation;
    glm::dquat rotation = glm::normalize(back * frames_[i].rotation);
    if (rotation.w < 0) rotation = -rotation;
    pose_.rotations[i] = rotation;
    pose_.places[i] = back * (frames_[i].translation - from) * skeleton.units;
    if (is_root) pose_.places[i].y -= double{character_.file.skeleton_offset};
}

}  // namespace effigy::arp::native
