/// Names, parents and places of the figure's joints.

#include "skeleton.hpp"

namespace figure {

namespace {

using glm::quat;
using glm::vec3;

quat turn(float degrees, vec3 axis) { return glm::angleAxis(glm::radians(degrees), axis); }

constexpr vec3 side{1, 0, 0};
constexpr vec3 depth{0, 0, 1};
constexpr float arm_drop = 45;  // degrees below the horizontal
constexpr vec3 shoulder{0.174f, 1.405f, 0.012f};

std::vector<Joint> make_skeleton() {
    const quat upright{1, 0, 0, 0};
    const quat outwards = turn(-90, depth), along_arm = turn(-90 - arm_drop, depth);
    const quat downwards = turn(180, side), forwards = turn(-90, side);
    const auto on_arm = [](float distance) { return shoulder + arm_direction() * distance; };

    std::vector<Joint> joints{
        {"figure", root, {0, 0, 0}, upright},
        {"pelvis", root, {0, 0.95f, 0.005f}, upright},
        {"spine", pelvis, {0, 1.06f, 0.01f}, upright},
        {"chest", spine, {0, 1.2f, 0.012f}, upright},
        {"neck", chest, {0, 1.455f, 0.015f}, upright},
        {"head", neck, {0, 1.52f, 0.005f}, upright},
        {"l_clavicle", chest, {0.03f, 1.412f, 0.01f}, outwards},
        {"l_upper_arm", l_clavicle, shoulder, along_arm},
        {"l_forearm", l_upper_arm, on_arm(0.275f), along_arm},
        {"l_hand", l_forearm, on_arm(0.525f), along_arm},
        {"r_clavicle", chest, {}, {}},
        {"r_upper_arm", r_clavicle, {}, {}},
        {"r_forearm", r_upper_arm, {}, {}},
        {"r_hand", r_forearm, {}, {}},
        {"l_thigh", pelvis, {0.09f, 0.92f, 0.005f}, downwards},
        {"l_calf", l_thigh, {0.095f, 0.5f, 0}, downwards},
        {"l_foot", l_calf, {0.1f, 0.085f, 0.02f}, forwards},
        {"l_toes", l_foot, {0.104f, 0.03f, -0.105f}, forwards},
        {"r_thigh", pelvis, {}, {}},
        {"r_calf", r_thigh, {}, {}},
        {"r_foot", r_calf, {}, {}},
        {"r_toes", r_foot, {}, {}},
        {"body", root, {0, 0, 0}, upright},
        {"face", root, {0, 0, 0}, upright},
        {"hat", head, {0, 1.702f, 0.012f}, turn(9, side)},
        {"lantern", l_hand, on_arm(0.615f), upright},
        {"r_grip", r_hand, {}, {}},
    };
    for (const Bone left : {l_clavicle, l_upper_arm, l_forearm, l_hand, l_thigh, l_calf, l_foot, l_toes}) {
        const Joint& joint = joints[left];
        Joint& right = joints[mirrored(left)];
        right.position = joint.position * vec3(-1, 1, 1);
        right.rotation = quat(joint.rotation.w, joint.rotation.x, -joint.rotation.y, -joint.rotation.z);
    }
    joints[r_grip].position = joints[lantern].position * vec3(-1, 1, 1);
    joints[r_grip].rotation = joints[r_hand].rotation;
    return joints;
}

}  // namespace

const std::vector<Joint>& skeleton() {
    static const std::vector<Joint> joints = make_skeleton();
    return joints;
}

glm::vec3 arm_direction() {
    const float angle = glm::radians(arm_drop);
    return {std::cos(angle), -std::sin(angle), 0};
}

int tree_distance(Bone a, Bone b) {
    int steps = 0;
    for (; a != b; ++steps) {
        Bone& deeper = a > b ? a : b;  // a parent comes before its children
        deeper = skeleton()[deeper].parent;
    }
    return steps;
}

Bone mirrored(Bone bone) {
    const bool left = (bone >= l_clavicle && bone <= l_hand) || (bone >= l_thigh && bone <= l_toes);
    const bool right = (bone >= r_clavicle && bone <= r_hand) || (bone >= r_thigh && bone <= r_toes);
    return static_cast<Bone>(bone + (left ? 4 : right ? -4 : 0));
}

}  // namespace figure
