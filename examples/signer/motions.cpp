/// The signer's frames: breathing, and signs with both hands.

#include "motions.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace signer {

namespace {

using Letter = char;  // 'L' or 'R'

std::string named(Letter side, const std::string& name) { return side + name; }

dquat turn(double degrees, dvec3 axis) { return glm::angleAxis(glm::radians(degrees), glm::normalize(axis)); }

/// Bends a finger's three joints towards the palm, and the first one sideways, away from the middle finger.
void bend(Pose& pose, Letter side, const std::string& finger, dvec3 degrees, double spread = 0) {
    const dvec3 down = finger == "TH" ? dvec3(side == 'L' ? -0.1 : 0.1, -0.75, -0.65) : dvec3(0, -1, 0);
    for (int i = 0; i < 3; ++i) {
        const std::string name = named(side, finger + std::to_string(i + 1));
        const dvec3 along = joint(name).rotation * dvec3(1, 0, 0);
        pose[name] = turn(degrees[i], glm::cross(along, down));
        if (i == 0) pose[name] = turn(side == 'L' ? -spread : spread, {0, 1, 0}) * pose[name];
    }
}

struct HandShape {
    dvec3 bends[5];  ///< of each finger's joints, degrees; thumb first
    double spreads[5];
};

const HandShape relaxed{{{8, 12, 14}, {24, 30, 16}, {28, 34, 18}, {30, 36, 20}, {30, 36, 20}}, {0, -3, 0, 2, 6}};
const HandShape flat{{{6, 8, 12}, {0, 2, 2}, {0, 2, 2}, {0, 2, 2}, {0, 2, 2}}, {-24, -7, -1, 5, 13}};
const HandShape open{{{-6, 2, 4}, {2, 4, 3}, {0, 3, 3}, {1, 4, 3}, {3, 5, 4}}, {6, 6, 1, -4, -8}};
const HandShape love{{{-4, 4, 4}, {0, 2, 2}, {84, 96, 58}, {84, 96, 58}, {2, 3, 2}}, {6, 2, 0, 1, -2}};

void shape_hand(Pose& pose, Letter side, const HandShape& shape) {
    for (int i = 0; i < 5; ++i) bend(pose, side, fingers[i], shape.bends[i], shape.spreads[i]);
}

dquat rotation_between(dvec3 x, dvec3 y, dvec3 new_x, dvec3 new_y) {
    const auto frame = [](dvec3 a, dvec3 b) {
        const dvec3 first = glm::normalize(a), third = glm::normalize(glm::cross(first, b));
        return dmat3(first, glm::cross(third, first), third);
    };
    return glm::normalize(glm::quat_cast(frame(new_x, new_y) * glm::transpose(frame(x, y))));
}

/// Where a hand is, and where its fingers and its palm point.
struct Reach {
    dvec3 wrist, fingers, palm;
    dvec3 elbow{0.45, -0.85, -0.3};  ///< the side to which the elbow bends; this and all else as for the left arm
};

/// Two bones and a hinge.
void reach(Pose& pose, Letter side, Reach to) {
    const dvec3 mirror(side == 'L' ? 1 : -1, 1, 1);
    const dvec3 wrist = to.wrist * mirror, hint = to.elbow * mirror;
    const auto now = places(pose);
    const dquat clavicle = now[bone(named(side, "CLR"))].turn;
    const dvec3 shoulder = now[bone(named(side, "UPA"))].position;
    const double upper = joint(named(side, "UPA")).length, lower = joint(named(side, "LRA")).length;
    const dvec3 way = wrist - shoulder;
    const double distance = std::min(glm::length(way), 0.999 * (upper + lower));
    const dvec3 ahead = glm::normalize(way);
    const double along = (distance * distance + upper * upper - lower * lower) / (2 * distance);
    const dvec3 aside = glm::normalize(hint - ahead * glm::dot(hint, ahead));
    const dvec3 elbow = shoulder + ahead * along + aside * std::sqrt(std::max(upper * upper - along * along, 0.0));
    const dvec3 first = glm::normalize(elbow - shoulder);
    const dvec3 second = glm::normalize(shoulder + ahead * distance - elbow);
    const dvec3 bound = dvec3(1, 0, 0) * mirror, forward(0, 0, 1), hinge = glm::cross(bound, forward);
    const dvec3 new_hinge = glm::cross(first, second);
    const dquat upper_turn = rotation_between(bound, hinge, first, new_hinge);
    const dquat lower_turn = rotation_between(bound, hinge, second, new_hinge);
    const dquat hand_turn = rotation_between(bound, {0, -1, 0}, to.fingers * mirror, to.palm * mirror);
    pose[named(side, "UPA")] = glm::conjugate(clavicle) * upper_turn;
    pose[named(side, "LRA")] = glm::conjugate(upper_turn) * lower_turn;
    pose[named(side, "WRI")] = glm::conjugate(lower_turn) * hand_turn;
}

Pose signing(Reach to, const HandShape& shape) {
    Pose pose = rest_pose();
    pose["RCLR"] = turn(-3, {0, 0, 1});
    reach(pose, 'R', to);
    shape_hand(pose, 'R', shape);
    return pose;
}

/// A pose with the head turned towards the hand or the one addressed, degrees: up, left, tilted to the left.
Pose looking(Pose pose, dvec3 head, dvec3 eyes = {0, 0, 0}) {
    const auto towards = [](dvec3 degrees) {
        return turn(degrees.y, {0, 1, 0}) * turn(-degrees.x, {1, 0, 0}) * turn(-degrees.z, {0, 0, 1});
    };
    pose["HEAD"] = towards(head);
    pose["NEC1"] = towards(0.4 * head);
    pose["LEYE"] = pose["REYE"] = towards(eyes);
    return pose;
}

struct Key {
    double time;  ///< seconds
    Pose pose;
};

/// Slow at both ends of each step.
Pose pose_at(const std::vector<Key>& keys, double time) {
    const auto next = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.time > time; });
    if (next == keys.end()) return keys.back().pose;
    if (next == keys.begin()) return keys.front().pose;
    const Key& before = *(next - 1);
    const double part = (time - before.time) / (next->time - before.time);
    return mix(before.pose, next->pose, part * part * (3 - 2 * part));
}

/// Rises to `amount` from `start` on, stays, and is gone at `end`.
double swell(double time, double start, double rise, double end, double amount = 1) {
    const double up = glm::smoothstep(start, start + rise, time), down = glm::smoothstep(end - rise, end, time);
    return amount * up * (1 - down);
}

void add_morph(Frame& frame, const std::string& target, double amount) {
    if (amount > 0.0005) frame.morphs.push_back({target, amount});
}

std::vector<Key> hello_keys() {
    const auto wave = [](double lean) {
        return signing({{0.36, 1.5, 0.2}, {0.1 + lean, 0.95, 0.1}, {-0.12, -0.1, 1}, {0.7, -0.8, -0.1}}, open);
    };
    const Pose salute =
        signing({{0.255, 1.62, 0.155}, {-0.75, 0.62, -0.25}, {-0.3, -0.6, 0.65}, {0.9, -0.55, 0}}, flat);
    const Pose away = signing({{0.37, 1.57, 0.27}, {0.15, 0.95, 0.25}, {-0.1, -0.25, 1}, {0.8, -0.7, -0.1}}, flat);
    const Pose i_love_you = signing({{0.25, 1.42, 0.3}, {-0.02, 1, 0.1}, {-0.05, -0.1, 1}, {0.7, -0.9, -0.2}}, love);
    return {{0.0, rest_pose()},
            {0.12, rest_pose()},
            {0.56, looking(salute, {1, -3, -4})},
            {0.72, looking(salute, {1, -3, -4})},
            {1.04, looking(away, {-3, 0, -2})},
            {1.24, looking(wave(0.32), {2, 0, 5})},
            {1.48, looking(wave(-0.34), {1, 2, 4})},
            {1.72, looking(wave(0.32), {2, 0, 5})},
            {1.96, looking(wave(-0.34), {1, 2, 4})},
            {2.2, looking(wave(0.1), {0, 0, 2})},
            {2.56, looking(i_love_you, {-2, 0, -4})},
            {3.2, looking(signing({{0.24, 1.43, 0.33}, {-0.02, 1, 0.16}, {-0.05, -0.16, 1}, {0.7, -0.9, -0.2}}, love),
                          {-4, 0, -5})},
            {3.76, looking(rest_pose(), {0, 0, 0})},
            {3.96, rest_pose()}};
}

/// The mouth says what the hands sign.
void add_face(Frame& frame, double time) {
    const double smile = swell(time, 0.1, 0.35, 3.9, 0.75);
    const double speaking = swell(time, 0.34, 0.15, 1.2) + swell(time, 2.4, 0.15, 3.3);
    add_morph(frame, "smlc", smile * (1 - 0.6 * std::min(speaking, 1.0)));
    add_morph(frame, "smlo", swell(time, 1.2, 0.25, 2.35, 0.7));
    add_morph(frame, "eee", swell(time, 0.36, 0.12, 0.72, 0.8));
    add_morph(frame, "dtnl", swell(time, 0.6, 0.08, 0.82, 0.8));
    add_morph(frame, "ooo", swell(time, 0.74, 0.14, 1.2, 0.8) + swell(time, 2.95, 0.12, 3.3, 0.7));
    add_morph(frame, "aaa", swell(time, 2.42, 0.12, 2.68, 0.6) + swell(time, 2.7, 0.1, 2.95, 0.7));
    add_morph(frame, "fv", swell(time, 2.84, 0.07, 3.05, 0.8));
    const double brows = swell(time, 0.2, 0.25, 1.3) + swell(time, 2.4, 0.25, 3.4, 0.5);
    for (const char* brow : {"lbru", "rbru"}) add_morph(frame, brow, brows);
    const double blink = swell(time, 2.18, 0.08, 2.36) + swell(time, 3.52, 0.08, 3.7);
    for (const char* lid : {"eylc", "eyrc"}) add_morph(frame, lid, blink);
}

}  // namespace

Pose rest_pose() {
    Pose pose;
    for (const Letter side : {'L', 'R'}) {
        const double sign = side == 'L' ? 1 : -1;
        pose[named(side, "CLR")] = turn(-4 * sign, {0, 0, 1});
        pose[named(side, "UPA")] = turn(-71 * sign, {0, 0, 1}) * turn(8 * sign, {1, 0, 0});
        pose[named(side, "LRA")] = turn(-26 * sign, {0, 1, 0});
        pose[named(side, "WRI")] = turn(-5 * sign, {0, 0, 1}) * turn(14, {1, 0, 0});
        for (int i = 0; i < 4; ++i)
            pose[named(side, "MC" + std::to_string(i + 2))] = turn((1 + 1.5 * i) * sign, {0, 0, -1});
        shape_hand(pose, side, relaxed);
        pose[named(side, "THG")] = turn(3 * sign, {0, 0, 1});
        pose[named(side, "CLF")] = turn(-1.5 * sign, {0, 0, 1});
        pose[named(side, "FOT")] = turn(-1.5 * sign, {0, 0, 1}) * turn(7 * sign, {0, 1, 0});
    }
    pose["SPI2"] = turn(1, {1, 0, 0});
    pose["SPI3"] = turn(2, {1, 0, 0});
    pose["NEC1"] = turn(-3, {1, 0, 0});
    return pose;
}

Pose default_pose() {
    Pose pose = rest_pose();
    pose["LUPA"] = turn(2, {0, 0, 1}) * pose["LUPA"];
    pose["RUPA"] = turn(-2, {0, 0, 1}) * pose["RUPA"];
    pose["LLRA"] = turn(-3, {0, 1, 0}) * pose["LLRA"];
    pose["RLRA"] = turn(4, {0, 1, 0}) * pose["RLRA"];
    pose["HEAD"] = turn(1.5, {1, 0, 0});
    return pose;
}

std::vector<Frame> ambient_motion() {
    constexpr int count = 200;
    std::vector<Frame> frames(count);
    for (int i = 0; i < count; ++i) {
        const double phase = glm::two_pi<double>() * i / count, time = i / frames_per_second;
        const double breath = 0.5 - 0.5 * std::cos(2 * phase);
        Frame& frame = frames[static_cast<std::size_t>(i)];
        frame.pose["SPI2"] = turn(-0.8 * breath, {1, 0, 0}) * turn(0.7 * std::sin(phase), {0, 0, 1});
        frame.pose["SPI3"] = turn(-1.1 * breath, {1, 0, 0}) * turn(0.6 * std::sin(phase + 0.6), {0, 1, 0});
        frame.pose["HEAD"] = turn(1.2 * std::sin(2 * phase + 0.7), {1, 0, 0}) *
                             turn(2.4 * std::sin(phase - 0.5), {0, 1, 0}) * turn(-0.8 * std::sin(phase), {0, 0, 1});
        const double glance = swell(time, 3.0, 0.12, 4.4, 6) - swell(time, 6.0, 0.12, 7.0, 5);
        const dquat look = turn(glance, {0, 1, 0});
        frame.pose["LEYE"] = frame.pose["REYE"] = look;
        const double blink = swell(time, 1.4, 0.1, 1.64) + swell(time, 4.3, 0.1, 4.54) + swell(time, 6.9, 0.1, 7.14);
        for (const char* lid : {"eylc", "eyrc"}) add_morph(frame, lid, blink);
    }
    return frames;
}

Motion hello() {
    const std::vector<Key> keys = hello_keys();
    Motion motion;
    const auto count = static_cast<std::size_t>(std::lround(keys.back().time * frames_per_second)) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const double time = static_cast<double>(i) / frames_per_second;
        Frame frame{pose_at(keys, time), {}};
        add_face(frame, time);
        motion.frames.push_back(std::move(frame));
    }
    motion.signs = {{"HELLO", 0}, {"I-LOVE-YOU", static_cast<std::size_t>(2.2 * frames_per_second)}};
    return motion;
}

}  // namespace signer
