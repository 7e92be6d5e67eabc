/// Names, parents and places of the signer's bones.

#include "skeleton.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace signer {

namespace {

/// +X along the direction, +Z as near to the hint as can be.
dquat frame_along(dvec3 direction, dvec3 hint) {
    const dvec3 x = glm::normalize(direction), y = glm::normalize(glm::cross(hint, x));
    return glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y))));
}

class Builder {
public:
    std::vector<Joint> joints;

    std::size_t add(const std::string& name, std::size_t parent, dvec3 from, dvec3 to, dvec3 hint = {0, 0, 1}) {
        joints.push_back({name, parent, from, frame_along(to - from, hint), glm::distance(from, to)});
        return joints.size() - 1;
    }
    /// Where a chain ends.
    void mark(const std::string& name, std::size_t parent) {
        const Joint& last = joints[parent];
        joints.push_back({name, parent, last.position + last.rotation * dvec3(last.length, 0, 0), last.rotation, 0});
    }
};

struct Finger {
    const char* name;
    int metacarpal;     ///< 0: none
    dvec3 base, first;  ///< of the metacarpal, and of the finger; from the wrist, along the arm, up, forward
    dvec3 directions[3];
    double lengths[3];
};

constexpr double hand_scale = 1.16;

const Finger hand[] = {
    {"TH",
     0,
     {},
     {0.018, -0.008, 0.022},
     {{0.62, -0.3, 0.73}, {0.77, -0.24, 0.59}, {0.84, -0.2, 0.5}},
     {0.044, 0.034, 0.027}},
    {"IF",
     2,
     {0.022, 0, 0.012},
     {0.092, 0.002, 0.030},
     {{1, 0, 0.15}, {1, 0, 0.15}, {1, 0, 0.15}},
     {0.043, 0.026, 0.021}},
    {"MF",
     3,
     {0.022, 0.001, 0.004},
     {0.096, 0.004, 0.010},
     {{1, 0, 0.03}, {1, 0, 0.03}, {1, 0, 0.03}},
     {0.048, 0.030, 0.022}},
    {"RF",
     4,
     {0.022, 0, -0.005},
     {0.091, 0.002, -0.011},
     {{1, 0, -0.1}, {1, 0, -0.1}, {1, 0, -0.1}},
     {0.044, 0.028, 0.021}},
    {"PF",
     5,
     {0.022, -0.001, -0.013},
     {0.082, -0.002, -0.030},
     {{1, 0, -0.25}, {1, 0, -0.25}, {1, 0, -0.25}},
     {0.034, 0.021, 0.019}},
};

/// Left or right; what is given is the left side.
class Side {
public:
    Side(Builder& builder, char letter) : builder_(builder), letter_(letter) {}

    std::size_t add(const char* name, std::size_t parent, dvec3 from, dvec3 to, dvec3 hint = {0, 0, 1}) {
        return builder_.add(letter_ + std::string(name), parent, mirrored(from), mirrored(to), hint);
    }

    void arm(std::size_t chest, int first_marker) {
        const dvec3 shoulder(0.16, 1.41, -0.01), elbow(0.425, 1.41, -0.01), wrist(0.66, 1.41, -0.01);
        const std::size_t clavicle = add("CLR", chest, {0.03, 1.41, -0.01}, shoulder);
        const std::size_t upper = add("UPA", clavicle, shoulder, elbow);
        const std::size_t lower = add("LRA", upper, elbow, wrist);
        const std::size_t root = add("WRI", lower, wrist, wrist + hand_scale * hand[2].base);
        int marker = first_marker;
        for (const Finger& finger : hand) add_finger(finger, root, wrist, marker++);
    }

    void leg(std::size_t root, int marker) {
        const dvec3 hip(0.088, 0.92, 0), knee(0.095, 0.5, 0.005), ankle(0.1, 0.085, -0.03), toes(0.104, 0.025, 0.13);
        const std::size_t thigh = add("THG", root, hip, knee);
        const std::size_t calf = add("CLF", thigh, knee, ankle);
        const std::size_t foot = add("FOT", calf, ankle, toes, {0, 1, 0});
        mark(marker, foot);
    }

private:
    [[nodiscard]] dvec3 mirrored(dvec3 p) const { return {letter_ == 'L' ? p.x : -p.x, p.y, p.z}; }

    void mark(int number, std::size_t parent) {
        builder_.mark(std::string(number < 10 ? "EN0" : "EN") + std::to_string(number), parent);
    }

    void add_finger(const Finger& finger, std::size_t parent, dvec3 wrist, int marker) {
        dvec3 at = wrist + hand_scale * finger.first;
        if (finger.metacarpal != 0) {
            const std::string name = "MC" + std::to_string(finger.metacarpal);
            parent = add(name.c_str(), parent, wrist + hand_scale * finger.base, at);
        }
        for (int i = 0; i < 3; ++i) {
            const dvec3 next = at + glm::normalize(finger.directions[i]) * finger.lengths[i] * hand_scale;
            parent = add((finger.name + std::to_string(i + 1)).c_str(), parent, at, next);
            at = next;
        }
        mark(marker, parent);
    }

    Builder& builder_;
    char letter_;
};

std::vector<Joint> make_skeleton() {
    Builder builder;
    const double spine[] = {0.95, 1.0, 1.12, 1.25, 1.45, 1.55, 1.80};
    const char* names[] = {"ROOT", "SPI1", "SPI2", "SPI3", "NEC1", "HEAD"};
    std::size_t parent = no_bone, chest = 0;
    for (int i = 0; i < 6; ++i) {
        parent = builder.add(names[i], parent, {0, spine[i], 0}, {0, spine[i + 1], 0});
        if (i == 3) chest = parent;
    }
    // Turned as the head, as those of real avatars are: motions fit each other's avatars then.
    const dvec3 eye(0.0335, 1.667, 0.0655), up(0, 0.05, 0);
    builder.joints[parent].length = glm::distance(eye, builder.joints[parent].position);
    builder.mark("EN14", builder.add("LEYE", parent, eye, eye + up));
    const dvec3 other(-eye.x, eye.y, eye.z);
    builder.mark("EN15", builder.add("REYE", parent, other, other + up));
    Side left(builder, 'L'), right(builder, 'R');
    left.arm(chest, 2);
    right.arm(chest, 7);
    left.leg(0, 12);
    right.leg(0, 13);
    return std::move(builder.joints);
}

}  // namespace

const std::vector<Joint>& skeleton() {
    static const std::vector<Joint> joints = make_skeleton();
    return joints;
}

std::size_t bone(std::string_view name) {
    const auto& joints = skeleton();
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
    return static_cast<std::size_t>(found - joints.begin());
}

const Joint& joint(std::string_view name) { return skeleton()[bone(name)]; }

int tree_distance(std::size_t a, std::size_t b) {
    int steps = 0;
    for (; a != b; ++steps) {
        std::size_t& later = a > b ? a : b;  // parents stand before their children
        later = skeleton()[later].parent;
    }
    return steps;
}

dquat local_rotation(const Pose& pose, std::size_t bone) {
    const Joint& joint = skeleton()[bone];
    const dquat turned = pose.turns[bone] * joint.rotation;
    return glm::normalize(joint.parent == no_bone ? turned
                                                  : glm::conjugate(skeleton()[joint.parent].rotation) * turned);
}

dvec3 local_translation(std::size_t bone) {
    const Joint& joint = skeleton()[bone];
    if (joint.parent == no_bone) return {0, 0, 0};
    const Joint& parent = skeleton()[joint.parent];
    return glm::conjugate(parent.rotation) * (joint.position - parent.position);
}

std::vector<Place> places(const Pose& pose) {
    std::vector<Place> result;
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        const Joint& joint = skeleton()[i];
        if (joint.parent == no_bone) {
            result.push_back({joint.position, pose.turns[i]});
            continue;
        }
        const Place& parent = result[joint.parent];
        const dvec3 arm = joint.position - skeleton()[joint.parent].position;
        result.push_back({parent.position + parent.turn * arm, parent.turn * pose.turns[i]});
    }
    return result;
}

Pose mix(const Pose& from, const Pose& to, double part) {
    Pose pose;
    for (std::size_t i = 0; i < pose.turns.size(); ++i)
        pose.turns[i] = glm::normalize(glm::slerp(from.turns[i], to.turns[i], part));
    return pose;
}

}  // namespace signer
