/// Names, parents, places and groups of the trader's bones.

#include "skeleton.hpp"

namespace trader {

namespace {

std::array<Joint, bone_count> make_skeleton() {
    const vec3 shoulder{6.1f, 33.6f, -0.2f}, along = arm_direction();
    std::array<Joint, bone_count> joints{{
        {"hips", hips, {0, 21.5f, 0}},
        {"l_thigh", hips, {3.2f, 20.5f, 0}},
        {"l_shin", l_thigh, {3.4f, 12.2f, 0.3f}},
        {"l_foot", l_shin, {3.6f, 4, -0.3f}},
        {"l_toes", l_foot, {3.7f, 1.5f, 3.4f}},
        {"r_thigh", hips, {}},
        {"r_shin", r_thigh, {}},
        {"r_foot", r_shin, {}},
        {"r_toes", r_foot, {}},
        {"spine_base", hips, {0, 24, 0}},
        {"spine_chest", spine_base, {0, 29.5f, -0.2f}},
        {"neck_base", spine_chest, {0, 36.2f, -0.2f}},
        {"head", neck_base, {0, 38.6f, 0}},
        {"antenna", head, {6.6f, 46, -0.4f}},
        {"l_clavicle", spine_chest, {1.8f, 34.6f, 0}},
        {"l_upper_arm", l_clavicle, shoulder},
        {"l_forearm", l_upper_arm, shoulder + along * 7.0f},
        {"l_hand", l_forearm, shoulder + along * 13.6f},
        {"r_clavicle", spine_chest, {}},
        {"r_upper_arm", r_clavicle, {}},
        {"r_forearm", r_upper_arm, {}},
        {"r_hand", r_forearm, {}},
    }};
    for (const Bone left : {l_thigh, l_shin, l_foot, l_toes, l_clavicle, l_upper_arm, l_forearm, l_hand})
        joints[mirrored(left)].position = joints[left].position * vec3(-1, 1, 1);
    return joints;
}

}  // namespace

const std::array<Joint, bone_count>& skeleton() {
    static const std::array<Joint, bone_count> joints = make_skeleton();
    return joints;
}

Bone mirrored(Bone bone) {
    const bool left = (bone >= l_thigh && bone <= l_toes) || (bone >= l_clavicle && bone <= l_hand);
    const bool right = (bone >= r_thigh && bone <= r_toes) || (bone >= r_clavicle && bone <= r_hand);
    return static_cast<Bone>(bone + (left ? 4 : right ? -4 : 0));
}

vec3 arm_direction() {
    const float angle = glm::radians(arm_lift);
    return {std::sin(angle), -std::cos(angle), 0};
}

}  // namespace trader
