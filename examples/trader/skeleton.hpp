#pragma once
/// The trader's bones, in the pose in which it is modelled: units of the game, feet at 0, facing +Z, +X to its left.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace trader {

using glm::quat;
using glm::vec2;
using glm::vec3;
using glm::vec4;

/// In the order of the file: parents first, and the bones of an animation group in one run.
enum Bone : std::uint16_t {
    hips,
    l_thigh,
    l_shin,
    l_foot,
    l_toes,
    r_thigh,
    r_shin,
    r_foot,
    r_toes,
    spine_base,
    spine_chest,
    neck_base,
    head,
    antenna,
    l_clavicle,
    l_upper_arm,
    l_forearm,
    l_hand,
    r_clavicle,
    r_upper_arm,
    r_forearm,
    r_hand,
    bone_count
};
inline constexpr Bone legs_begin = hips, torso_begin = spine_base;

/// All bones stand upright in the modelled pose: a bone's rotation is how far it has turned away from there.
struct Joint {
    const char* name;
    Bone parent;  ///< the hips are their own
    vec3 position;
};

[[nodiscard]] const std::array<Joint, bone_count>& skeleton();
[[nodiscard]] inline vec3 joint(Bone bone) { return skeleton()[bone].position; }
/// Left for right.
[[nodiscard]] Bone mirrored(Bone bone);
/// The direction of the left arm.
[[nodiscard]] vec3 arm_direction();

inline constexpr float arm_lift = 40;  ///< degrees between the modelled arms and hanging ones

}  // namespace trader
