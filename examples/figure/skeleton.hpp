#pragma once
/// The joints, in the pose in which the body is modelled.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

namespace figure {

/// In the order of the actor's nodes: parents first.
enum Bone : std::uint16_t {
    root,
    pelvis,
    spine,
    chest,
    neck,
    head,
    l_clavicle,
    l_upper_arm,
    l_forearm,
    l_hand,
    r_clavicle,
    r_upper_arm,
    r_forearm,
    r_hand,
    l_thigh,
    l_calf,
    l_foot,
    l_toes,
    r_thigh,
    r_calf,
    r_foot,
    r_toes,
    body,
    face,
    hat,
    lantern,
    r_grip,
    bone_count
};

struct Joint {
    const char* name;
    Bone parent;         ///< the root is its own
    glm::vec3 position;  ///< in the model's space
    glm::quat rotation;  ///< in the model's space; +Y runs along arms and legs
};

[[nodiscard]] const std::vector<Joint>& skeleton();
/// How many steps the tree lies between two bones.
[[nodiscard]] int tree_distance(Bone a, Bone b);
/// Left for right.
[[nodiscard]] Bone mirrored(Bone bone);
/// The direction of the left arm.
[[nodiscard]] glm::vec3 arm_direction();

}  // namespace figure
