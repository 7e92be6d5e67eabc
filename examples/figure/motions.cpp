/// The figure's clips, key by key: it walks, waves and talks.

#include "motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <glm/gtc/constants.hpp>

#include "face.hpp"
#include "skeleton.hpp"

namespace figure {

namespace {

using namespace effigy;

constexpr vec3 side{1, 0, 0}, up{0, 1, 0}, depth{0, 0, 1};

quat turn(float degrees, vec3 axis) { return glm::angleAxis(glm::radians(degrees), axis); }
float wave(float phase) { return std::sin(glm::two_pi<float>() * phase); }

/// Rotations away from the modelled pose, about the model's axes as the parent carries them along.
struct Pose {
    std::array<quat, bone_count> turns;
    vec3 pelvis_shift{0};

    Pose() { turns.fill(quat(1, 0, 0, 0)); }
    /// The rotation that reaches the bone through all of its parents.
    [[nodiscard]] quat total(Bone bone) const {
        return bone == root ? turns[root] : total(skeleton()[bone].parent) * turns[bone];
    }
};
using Performance = std::function<Pose(float seconds)>;

quat local_rotation(const Pose& pose, Bone bone) {
    const Joint& joint = skeleton()[bone];
    if (bone == root) return pose.turns[root] * joint.rotation;
    return glm::conjugate(skeleton()[joint.parent].rotation) * pose.turns[bone] * joint.rotation;
}

vec3 local_position(const Pose& pose, Bone bone) {
    const Joint& joint = skeleton()[bone];
    if (bone == root) return joint.position;
    const vec3 shift = bone == pelvis ? pose.pelvis_shift : vec3(0);
    return glm::conjugate(skeleton()[joint.parent].rotation) *
           (joint.position + shift - skeleton()[joint.parent].position);
}

// ---- from poses to tracks ----

void store(quat q, Quat& out) { out = {q.x, q.y, q.z, q.w}; }
void store(quat q, xsm::PackedQuat& out) {
    const auto pack = [](float value) { return static_cast<std::int16_t>(std::clamp(value, -1.0f, 1.0f) * 32767); };
    out = {pack(q.x), pack(q.y), pack(q.z), pack(q.w)};
}
Vec3 stored(vec3 v) { return {v.x, v.y, v.z}; }

template <class Rotation>
xsm::BasicSubmotion<Rotation> sample(const Performance& performance, Bone bone, float duration) {
    xsm::BasicSubmotion<Rotation> track;
    const Pose rest;
    const int last = static_cast<int>(std::lround(duration * 30));
    bool moves = false, turns = false;
    quat before = local_rotation(performance(0), bone);
    for (int frame = 0; frame <= last; ++frame) {
        const float time = duration * static_cast<float>(frame) / static_cast<float>(last);
        const Pose pose = performance(frame == last && last > 0 ? 0 : time);  // the end is the beginning
        quat rotation = local_rotation(pose, bone);
        if (glm::dot(before, rotation) < 0) rotation = -rotation;
        turns = turns || std::abs(glm::dot(rotation, local_rotation(performance(0), bone))) < 1 - 1e-7f;
        before = rotation;
        xsm::RotationKey<Rotation> key;
        store(rotation, key.value);
        key.time = time;
        track.rotation_keys.push_back(key);
        track.position_keys.push_back({stored(local_position(pose, bone)), time});
        moves = moves || !(track.position_keys.back().value == track.position_keys.front().value);
    }
    track.node_name = skeleton()[bone].name;
    track.pose_rotation = track.rotation_keys.front().value;
    track.pose_position = track.position_keys.front().value;
    store(local_rotation(rest, bone), track.bind_pose_rotation);
    track.bind_pose_position = stored(local_position(rest, bone));
    if (!turns) track.rotation_keys.clear();  // the pose says it all
    if (!moves) track.position_keys.clear();
    return track;
}

template <class Rotation>
xsm::File record(const Performance& performance, float duration, std::uint32_t version, const char* name) {
    emfx::MotionInfo info;
    info.source_application = "effigy example";
    info.motion_name = name;
    xsm::BasicSubmotions<Rotation> tracks;
    for (const Bone bone : {pelvis, spine,      chest,       neck,      head,   l_clavicle, l_upper_arm, l_forearm,
                            l_hand, r_clavicle, r_upper_arm, r_forearm, r_hand, l_thigh,    l_calf,      l_foot,
                            l_toes, r_thigh,    r_calf,      r_foot,    r_toes, lantern}) {
        tracks.submotions.push_back(sample<Rotation>(performance, bone, duration));
    }
    xsm::File file;
    file.chunks.push_back({201, 2, {}, info, {}});
    file.chunks.push_back({202, version, {}, std::move(tracks), {}});
    return file;
}

// ---- arms and legs ----

struct Arm {
    float swing;  ///< degrees, forwards
    float lift;   ///< degrees, outwards from hanging
    float elbow;  ///< degrees
    float wrist = 8;
};

void place_arm(Pose& pose, bool left, Arm arm) {
    const float way = left ? 1.0f : -1.0f;
    const vec3 along = arm_direction() * vec3(way, 1, 1), bend = glm::cross(along, -depth);
    const int shift = left ? 0 : r_clavicle - l_clavicle;
    pose.turns[static_cast<std::size_t>(l_upper_arm + shift)] =
        turn(arm.swing, side) * turn((arm.lift - 45) * way, depth);
    pose.turns[static_cast<std::size_t>(l_forearm + shift)] = turn(arm.elbow, bend);
    pose.turns[static_cast<std::size_t>(l_hand + shift)] = turn(arm.wrist, bend);
}

/// The lantern hangs down whatever the hand does.
void hang_lantern(Pose& pose, float swing) {
    pose.turns[lantern] = glm::conjugate(pose.total(l_hand)) * turn(swing, side);
}

/// How far a bone leans forwards, seen from the side.
float lean(vec3 from, vec3 to) { return std::atan2(from.z - to.z, from.y - to.y); }

/// Bends hip and knee so that the ankle comes to `ankle` with the foot turned by `pitch` degrees.
void place_leg(Pose& pose, bool left, vec3 ankle, float pitch, float toe_bend) {
    const auto bone = [&](Bone of_left) { return left ? of_left : mirrored(of_left); };
    const auto at = [&](Bone of_left) { return skeleton()[bone(of_left)].position; };
    const vec3 pivot = skeleton()[pelvis].position;
    const vec3 hip = pivot + pose.pelvis_shift + pose.total(pelvis) * (at(l_thigh) - pivot);
    const vec2 thigh(at(l_thigh).y - at(l_calf).y, at(l_thigh).z - at(l_calf).z);
    const vec2 calf(at(l_calf).y - at(l_foot).y, at(l_calf).z - at(l_foot).z);
    const float upper = glm::length(thigh), lower = glm::length(calf);
    const float reach = std::min(glm::length(vec2(hip.y - ankle.y, hip.z - ankle.z)), upper + lower - 1e-4f);
    const auto angle = [&](float near, float far) {  // of the triangle hip, knee, ankle
        return std::acos(glm::clamp((near * near + reach * reach - far * far) / (2 * near * reach), -1.0f, 1.0f));
    };
    const float straight = lean(hip, ankle);
    const float thigh_turn = straight + angle(upper, lower) - lean(at(l_thigh), at(l_calf));
    const float calf_turn = straight - angle(lower, upper) - lean(at(l_calf), at(l_foot));
    pose.turns[bone(l_thigh)] = glm::conjugate(pose.total(pelvis)) * glm::angleAxis(thigh_turn, side);
    pose.turns[bone(l_calf)] = glm::angleAxis(calf_turn - thigh_turn, side);
    pose.turns[bone(l_foot)] = glm::angleAxis(glm::radians(pitch) - calf_turn, side);
    pose.turns[bone(l_toes)] = turn(toe_bend, side);
}

/// A smooth periodic curve through (phase, value) points; the first phase is 0.
float cycle(const std::vector<vec2>& points, float phase) {
    phase -= std::floor(phase);
    std::size_t i = 0;
    while (i + 1 < points.size() && points[i + 1].x <= phase) ++i;
    const vec2 from = points[i], to = i + 1 < points.size() ? points[i + 1] : vec2(1, points[0].y);
    return glm::mix(from.y, to.y, glm::smoothstep(from.x, to.x, phase));
}

/// One foot's way through a step: on the ground it goes back at an even pace and rolls from heel to toes.
void step(Pose& pose, bool left, float phase) {
    constexpr float stance = 0.6f, stride = 0.23f;
    phase -= std::floor(phase);
    const float swing = std::max(0.0f, (phase - stance) / (1 - stance));
    const float pitch = cycle({{0, 20}, {0.12f, 0}, {0.36f, 0}, {0.62f, -42}, {0.72f, -46}, {0.9f, 18}}, phase);
    const float way = phase < stance ? glm::mix(-stride, stride, phase / stance)
                                     : glm::mix(stride, -stride, 0.5f - 0.5f * std::cos(glm::pi<float>() * swing));
    const vec3 ankle = skeleton()[left ? l_foot : r_foot].position;
    const vec3 ball{ankle.x, 0, skeleton()[l_toes].position.z}, heel{ankle.x, 0, ankle.z + 0.045f};
    const vec3 pivot = pitch < 0 ? ball : heel;
    const vec3 lift{0, 0.045f * std::sin(glm::pi<float>() * swing), way - 0.02f};
    const float toe_bend = std::min(0.0f, pitch) * -0.95f * (1 - glm::smoothstep(0.1f, 0.5f, swing));
    place_leg(pose, left, pivot + turn(pitch, side) * (ankle - pivot) + lift, pitch, toe_bend);
}

Pose walk_pose(float seconds) {
    const float phase = seconds / 1.2f;  // the left heel meets the ground at 0, the right one at half
    Pose pose;
    pose.pelvis_shift = {0.018f * wave(phase + 0.02f),
                         -0.014f - 0.013f * std::cos(4 * glm::pi<float>() * (phase - 0.04f)), 0};
    const float twist = 7 * std::cos(glm::two_pi<float>() * phase), tilt = 3.5f * wave(phase);
    pose.turns[pelvis] = turn(-twist, up) * turn(tilt, depth) * turn(-2, side);
    pose.turns[spine] = turn(twist, up) * turn(-tilt * 0.8f, depth) * turn(-1, side);
    pose.turns[chest] = turn(twist * 0.8f, up) * turn(-tilt * 0.5f, depth);
    pose.turns[neck] = turn(-twist * 0.5f, up) * turn(2, side);
    pose.turns[head] = turn(-twist * 0.3f, up) * turn(1.5f * std::cos(4 * glm::pi<float>() * phase), side);
    step(pose, true, phase);
    step(pose, false, phase + 0.5f);
    const float swing = std::cos(glm::two_pi<float>() * phase);  // against the legs
    place_arm(pose, true, {-12 * swing + 5, 11, 24 - 5 * swing});
    place_arm(pose, false, {25 * swing - 2, 6, 17 + 11 * swing});
    hang_lantern(pose, 9 * wave(phase - 0.12f));
    return pose;
}

Pose wave_pose(float seconds) {
    const float raised = glm::smoothstep(0.1f, 0.7f, seconds) * (1 - glm::smoothstep(1.95f, 2.55f, seconds));
    const float greeting = raised * wave((seconds - 0.5f) / 0.42f);
    Pose pose;
    const float breath = std::sin(glm::two_pi<float>() * seconds / 2.6f);
    pose.turns[spine] = turn(-2.5f * raised, depth) * turn(0.8f * breath, side);
    pose.turns[chest] = turn(5 * raised, up);
    pose.turns[neck] = turn(9 * raised, up);
    pose.turns[head] = turn(12 * raised, up) * turn(6 * raised, depth) * turn(3 * raised, side);
    place_arm(pose, true, {6 + 2 * breath, 13, 22});
    place_arm(pose, false, {4, 10, 16});
    const quat hanging = pose.turns[r_upper_arm], bent = pose.turns[r_forearm];
    pose.turns[r_clavicle] = turn(-10 * raised, depth);
    pose.turns[r_upper_arm] = glm::slerp(hanging, turn(14, side) * turn(-38, depth), raised);
    pose.turns[r_forearm] = glm::slerp(bent, turn(-58, depth) * turn(25, side), raised) * turn(-24 * greeting, depth);
    pose.turns[r_hand] = glm::slerp(pose.turns[r_hand], quat(1, 0, 0, 0), raised) * turn(-14 * greeting, depth);
    hang_lantern(pose, 2 * breath);
    return pose;
}

// ---- speech ----

struct Sound {
    float time;
    const char* target;
    float weight;
    float length;  ///< seconds from rest to full weight, and back again
};

constexpr std::array<Sound, 17> speech{{
    {0.15f, "IH_AE_AH_EY", 0.8f, 0.12f},
    {0.30f, "L_EL", 0.9f, 0.10f},
    {0.46f, "AA_AO_OW", 0.7f, 0.14f},
    {0.60f, "W", 0.6f, 0.12f},
    {0.00f, "MBPX", 0.3f, 0.08f},
    {1.00f, "W", 1.0f, 0.12f},
    {1.14f, "IY_EH_Y", 0.8f, 0.12f},
    {1.28f, "L_EL", 0.7f, 0.10f},
    {1.38f, "N_D_T_S", 0.8f, 0.08f},
    {1.50f, "AA_AO_OW", 0.9f, 0.14f},
    {1.68f, "MBPX", 1.0f, 0.12f},
    {1.85f, "neutral", 1.0f, 0.15f},
    {0.75f, "blink", 1.0f, 0.08f},
    {1.95f, "blink", 1.0f, 0.08f},
    {2.05f, "smile", 1.0f, 0.30f},
    {0.45f, "smile", 0.25f, 0.40f},
    {1.45f, "smile", 0.3f, 0.25f},
}};

Bulk<xpm::WeightKey> keys_of(const char* target, float duration) {
    constexpr int rate = 30;
    Bulk<xpm::WeightKey> keys;
    for (int frame = 0; frame <= static_cast<int>(duration * rate); ++frame) {
        const float time = static_cast<float>(frame) / rate;
        float weight = 0;
        for (const Sound& sound : speech) {
            if (std::strcmp(sound.target, target) != 0) continue;
            weight = std::max(
                weight, sound.weight * glm::smoothstep(0.0f, 1.0f, 1 - std::abs(time - sound.time) / sound.length));
        }
        keys.push_back({time, static_cast<std::uint16_t>(std::lround(weight * 65535)), {}});
    }
    return keys;
}

}  // namespace

xsm::File make_walk() { return record<Quat>(walk_pose, 1.2f, 1, "walk"); }
xsm::File make_wave() { return record<xsm::PackedQuat>(wave_pose, 2.6f, 2, "wave"); }

xpm::File make_talk() {
    emfx::MotionInfo info;
    info.source_application = "effigy example";
    info.motion_name = "talk";
    xpm::Submotions tracks;
    for (const Expression& expression : expressions()) {
        xpm::Submotion track;
        track.name = expression.name;
        track.phoneme_set = expression.phonemes;
        track.keys = keys_of(expression.name, 2.4f);
        track.pose_weight = static_cast<float>(track.keys.front().value) / 65535;
        const bool still =
            std::all_of(track.keys.begin(), track.keys.end(), [](const xpm::WeightKey& key) { return key.value == 0; });
        if (still) track.keys.clear();
        tracks.submotions.push_back(std::move(track));
    }
    xpm::File file;
    file.chunks.push_back({101, 1, {}, info, {}});
    file.chunks.push_back({102, 1, {}, std::move(tracks), {}});
    return file;
}

Bytes make_step_events() {
    Bytes bytes;
    const auto add = [&](std::uint32_t value, int size) {  // little-endian
        for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    };
    const auto add_event = [&](float time, std::uint32_t foot) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &time, sizeof bits);
        add(bits, 4);
        add(foot, 2);
    };
    add(0xffffffffu, 4);
    add(2, 4);
    add_event(0, 1);
    add_event(0.6f, 2);
    return bytes;
}

}  // namespace figure
