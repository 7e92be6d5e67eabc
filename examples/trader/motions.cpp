/// The trader's frames: it stands, walks, waves and bows.

#include "motions.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace trader {

namespace {

constexpr vec3 side{1, 0, 0}, up{0, 1, 0}, ahead{0, 0, 1};

quat turn(float degrees, vec3 axis) { return glm::angleAxis(glm::radians(degrees), axis); }
float wave(float phase) { return std::sin(glm::two_pi<float>() * phase); }

struct Arm {
    float swing;  ///< degrees, forwards
    float lift;   ///< degrees, outwards from hanging
    float elbow;  ///< degrees
    float inwards = 0;
};

void place_arm(Pose& pose, bool left, Arm arm) {
    const float way = left ? 1.0f : -1.0f;
    const vec3 along = arm_direction() * vec3(way, 1, 1), bend = glm::cross(along, ahead);
    const int shift = left ? 0 : r_clavicle - l_clavicle;
    const auto turn_of = [&](Bone bone) -> quat& { return pose.turns[static_cast<std::size_t>(bone + shift)]; };
    turn_of(l_upper_arm) = turn(-arm.swing, side) * turn((arm.lift - arm_lift) * way, ahead);
    turn_of(l_forearm) = turn(arm.inwards * way, along) * turn(arm.elbow, bend);
    turn_of(l_hand) = turn(8, bend);
}

/// How far a bone leans backwards, seen from the side.
float lean(vec3 from, vec3 to) { return std::atan2(from.z - to.z, from.y - to.y); }

/// Bends hip and knee so that the ankle comes to `ankle`, with the foot turned by `pitch` degrees (toes down).
void place_leg(Pose& pose, bool left, vec3 ankle, float pitch, float toe_bend) {
    const auto bone = [&](Bone of_left) { return left ? of_left : mirrored(of_left); };
    const vec3 rest_hip = joint(bone(l_thigh)), knee = joint(bone(l_shin)), rest_ankle = joint(bone(l_foot));
    const vec3 hip = joint(hips) + pose.shift + pose.turns[hips] * (rest_hip - joint(hips));
    const float upper = glm::length(vec2(rest_hip.y - knee.y, rest_hip.z - knee.z));
    const float lower = glm::length(vec2(knee.y - rest_ankle.y, knee.z - rest_ankle.z));
    const float reach = std::min(glm::length(vec2(hip.y - ankle.y, hip.z - ankle.z)), upper + lower - 0.01f);
    const auto angle = [&](float near, float far) {  // of the triangle hip, knee, ankle
        return std::acos(glm::clamp((near * near + reach * reach - far * far) / (2 * near * reach), -1.0f, 1.0f));
    };
    const float straight = lean(hip, ankle);
    const float thigh_turn = straight - angle(upper, lower) - lean(rest_hip, knee);
    const float shin_turn = straight + angle(lower, upper) - lean(knee, rest_ankle);
    pose.turns[bone(l_thigh)] = glm::conjugate(pose.turns[hips]) * glm::angleAxis(thigh_turn, side);
    pose.turns[bone(l_shin)] = glm::angleAxis(shin_turn - thigh_turn, side);
    pose.turns[bone(l_foot)] = glm::angleAxis(glm::radians(pitch) - shin_turn, side);
    pose.turns[bone(l_toes)] = turn(toe_bend, side);
}

void stand(Pose& pose) {
    place_leg(pose, true, joint(l_foot), 0, 0);
    place_leg(pose, false, joint(r_foot), 0, 0);
}

Pose idle_pose(float phase) {
    Pose pose;
    const float breath = wave(2 * phase);
    pose.shift = {0.12f * wave(phase), -0.35f + 0.12f * breath, 0};
    pose.turns[hips] = turn(2 * wave(phase), ahead);
    pose.turns[spine_base] = turn(-2.5f * wave(phase), ahead);
    pose.turns[spine_chest] = turn(1.2f * breath, side);
    pose.turns[neck_base] = turn(7 * wave(phase + 0.1f), up);
    pose.turns[head] = turn(8 * wave(phase + 0.08f), up) * turn(3 * wave(phase + 0.3f), ahead);
    pose.turns[antenna] = turn(5 * wave(3 * phase), ahead);
    place_arm(pose, true, {4 + 2 * breath, 17 + breath, 24, 10});
    place_arm(pose, false, {2 - 2 * breath, 17 + breath, 20, 10});
    stand(pose);
    return pose;
}

/// A smooth periodic curve through (phase, value) points; the first phase is 0.
float cycle(const std::vector<vec2>& points, float phase) {
    std::size_t i = 0;
    while (i + 1 < points.size() && points[i + 1].x <= phase) ++i;
    const vec2 from = points[i], to = i + 1 < points.size() ? points[i + 1] : vec2(1, points[0].y);
    return glm::mix(from.y, to.y, glm::smoothstep(from.x, to.x, phase));
}

/// One foot's way through a step: on the ground it goes back at an even pace and rolls from heel to toes.
void step(Pose& pose, bool left, float phase) {
    constexpr float stance = 0.6f, stride = 4.6f;
    phase -= std::floor(phase);
    const float swing = std::max(0.0f, (phase - stance) / (1 - stance));
    const float pitch = cycle({{0, -18}, {0.12f, 0}, {0.36f, 0}, {0.62f, 36}, {0.72f, 40}, {0.9f, -15}}, phase);
    const float way = phase < stance ? glm::mix(stride, -stride, phase / stance)
                                     : glm::mix(-stride, stride, 0.5f - 0.5f * std::cos(glm::pi<float>() * swing));
    const vec3 ankle = joint(left ? l_foot : r_foot);
    const vec3 ball{ankle.x, 0, joint(l_toes).z}, heel{ankle.x, 0, ankle.z - 2};
    const vec3 pivot = pitch > 0 ? ball : heel;
    const vec3 lift{0, 1.5f * std::sin(glm::pi<float>() * swing), way};
    const float toe_bend = std::max(0.0f, pitch) * -0.95f * (1 - glm::smoothstep(0.1f, 0.5f, swing));
    place_leg(pose, left, pivot + turn(pitch, side) * (ankle - pivot) + lift, pitch, toe_bend);
}

Pose walk_pose(float phase) {
    Pose pose;
    pose.shift = {0.5f * wave(phase), -0.75f - 0.4f * std::cos(4 * glm::pi<float>() * phase), 0};
    const float ahead_left = std::cos(glm::two_pi<float>() * phase);  // the left foot is in front
    pose.turns[hips] = turn(-6 * ahead_left, up) * turn(3 * wave(phase), ahead) * turn(3, side);
    pose.turns[spine_base] = turn(6 * ahead_left, up) * turn(-2 * wave(phase), ahead);
    pose.turns[spine_chest] = turn(5 * ahead_left, up) * turn(2, side);
    pose.turns[neck_base] = turn(-3 * ahead_left, up) * turn(-2, side);
    pose.turns[head] = turn(-2 * ahead_left, up) * turn(-2 + 1.5f * wave(2 * phase), side);
    pose.turns[antenna] = turn(9 * wave(2 * phase + 0.2f), side);
    place_arm(pose, true, {-26 * ahead_left, 14, 24 - 14 * ahead_left, 12});
    place_arm(pose, false, {26 * ahead_left, 14, 24 + 14 * ahead_left, 12});
    step(pose, true, phase);
    step(pose, false, phase + 0.5f);
    return pose;
}

Pose wave_pose(float phase) {
    const float raised = glm::smoothstep(0.0f, 0.25f, phase) * (1 - glm::smoothstep(0.75f, 1.0f, phase));
    const float greeting = raised * wave(3 * phase);
    Pose pose = idle_pose(0);
    const auto reach = [&](Bone bone, quat goal) { pose.turns[bone] = glm::slerp(pose.turns[bone], goal, raised); };
    reach(spine_chest, turn(3, ahead));
    reach(head, turn(-7, ahead) * turn(-6, up));
    reach(r_clavicle, turn(-12, ahead));
    reach(r_upper_arm, turn(-18, side) * turn(-62, ahead));
    reach(r_forearm, turn(-52 - 22 * greeting, ahead) * turn(-12, side));
    reach(r_hand, turn(-14 * greeting, ahead));
    pose.turns[antenna] = turn(8 * greeting, ahead);
    return pose;
}

Pose bow_pose(float phase) {
    const float depth = glm::smoothstep(0.0f, 1.0f, phase);
    const auto part = [&](float from, float to) { return glm::mix(from, to, depth); };
    Pose pose = idle_pose(0);
    pose.shift += vec3(0, -0.5f, -2) * depth;
    pose.turns[hips] = turn(12 * depth, side);
    pose.turns[spine_base] = turn(22 * depth, side);
    pose.turns[spine_chest] = turn(16 * depth, side);
    pose.turns[neck_base] = pose.turns[neck_base] * turn(-6 * depth, side);
    pose.turns[antenna] = turn(-20 * std::sin(glm::pi<float>() * phase), side);
    place_arm(pose, true, {part(4, -14), part(17, 30), part(24, 30), 10});
    place_arm(pose, false, {part(2, 34), part(17, 12), part(20, 88), part(10, 70)});
    stand(pose);
    return pose;
}

}  // namespace

const std::vector<Clip>& clips() {
    static const std::vector<Clip> all{{"BOTH_IDLE", "idle", 0, 60, true, false, idle_pose},
                                       {"LEGS_WALK", "walk", 60, 24, true, false, walk_pose},
                                       {"TORSO_WAVE", nullptr, 84, 41, false, false, wave_pose},
                                       {"BOTH_BOW", nullptr, 125, 21, false, false, bow_pose},
                                       {"BOTH_RISE", nullptr, 125, 21, false, true, bow_pose}};
    return all;
}

int frame_count() { return clips().back().first + clips().back().count; }

Pose pose_at(int frame) {
    const auto clip = std::find_if(clips().rbegin(), clips().rend(), [&](const Clip& c) { return frame >= c.first; });
    const auto place = static_cast<float>(frame - clip->first);
    return clip->pose(place / static_cast<float>(clip->loops ? clip->count : clip->count - 1));
}

}  // namespace trader
