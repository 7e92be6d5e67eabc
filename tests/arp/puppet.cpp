/// Makes avatars whose bind is known.

#include "puppet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace puppets {

effigy::Vec3 narrow(const dvec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
effigy::Quat narrow(const dquat& q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}
dvec3 wide(const effigy::Vec3& v) { return {v.x, v.y, v.z}; }
dquat unit(const effigy::Quat& q) { return glm::normalize(dquat(q.w, q.x, q.y, q.z)); }

Frame inverse(const Frame& frame) {
    const dquat back = glm::conjugate(frame.rotation);
    return {-(back * frame.translation), back};
}
Frame frame_of(const arp::BoneFrame& bone) {
    return {{bone.translation[0], bone.translation[1], bone.translation[2]},
            {bone.rotation[3], bone.rotation[0], bone.rotation[1], bone.rotation[2]}};
}
double degrees_between(const dquat& a, const dquat& b) {
    const dquat turn = glm::conjugate(a) * b;
    return 2 * std::atan2(glm::length(dvec3(turn.x, turn.y, turn.z)), std::abs(turn.w)) * 180 / pi;
}

double Dice::between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
}
dvec3 Dice::vector(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
}
dvec3 Dice::direction() {
    dvec3 axis = vector(1);
    while (glm::length(axis) < 0.1) axis = vector(1);
    return glm::normalize(axis);
}
dquat Dice::turn(double max_degrees) { return turn(-max_degrees, max_degrees); }
dquat Dice::turn(double min_degrees, double max_degrees) {
    const dvec3 axis = direction();
    return glm::angleAxis(between(min_degrees, max_degrees) * pi / 180, axis);
}

Puppet::Puppet(unsigned seed) : dice_(seed) {
    file.meshes.emplace_back();
    add_bone("ROOT", "", dvec3(0), dquat(1, 0, 0, 0), dquat(1, 0, 0, 0));
}

void Puppet::add_bone(const std::string& name, const std::string& parent, const dvec3& joint, const dquat& local,
                      const dquat& rest_turn) {
    const std::size_t above = arp::find_bone(file, parent);
    bind.push_back(above < bind.size() ? bind[above] * Frame{joint, local} : Frame{joint, local});
    arp::Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.translation = narrow(joint);
    bone.rotation = narrow(rest_turn);
    file.bones.push_back(bone);
    file.link_names.push_back(name);
}
void Puppet::add_bone(const std::string& name, const std::string& parent, const dvec3& joint) {
    const dquat local = dice_.turn(80), rest = dice_.turn(80);
    add_bone(name, parent, joint, local, rest);
}

void Puppet::add_point(const dvec3& place, const dvec3& normal, const std::vector<Hold>& holds) {
    arp::Points& points = file.meshes.back().points;
    points.link_counts.push_back(static_cast<std::uint32_t>(holds.size()));
    for (const Hold& hold : holds) {
        const std::size_t bone = arp::find_bone(file, hold.bone);
        const Frame back = inverse(bind[bone]);
        points.offsets.push_back(narrow(back * place));
        points.normals.push_back(narrow(back.rotation * normal));
        points.bones.push_back(static_cast<std::uint32_t>(bone));
        points.weights.push_back(static_cast<float>(hold.weight));
        points.distances.push_back(0);
    }
}
void Puppet::add_cloud(const std::string& a, const std::string& b, const std::string& joint, int count, double size) {
    const dvec3 middle = bind_of(joint).translation;
    for (int k = 0; k < count; ++k) {
        const dvec3 arm = dice_.vector(size);
        const double weight = dice_.between(0.1, 0.9);
        add_point(middle + arm, glm::normalize(arm / size + dvec3(0.1, 0.2, 0.3)), {{a, weight}, {b, 1 - weight}});
    }
}

void add_ends(Puppet& puppet) {
    puppet.add_point({0, 10, 0}, {0, 1, 0}, {{"ROOT", 1}});
    puppet.add_point({0, -10, 0}, {0, -1, 0}, {{"ROOT", 1}});
}

Puppet torso(unsigned seed, int points) {
    Puppet puppet(seed);
    add_ends(puppet);
    const std::vector<std::array<const char*, 2>> bones = {{"SPI1", "ROOT"}, {"SPI2", "SPI1"}, {"HEAD", "SPI2"},
                                                           {"LUPA", "SPI2"}, {"LLRA", "LUPA"}, {"RUPA", "SPI2"},
                                                           {"RLRA", "RUPA"}};
    for (const auto& [name, parent] : bones) {
        puppet.add_bone(name, parent, {3, 0.5, -0.2});
        puppet.add_cloud(parent, name, name, points);
    }
    puppet.add_bone("EN01", "HEAD", {2, 0, 0});
    return puppet;
}

void expect_bind(const Puppet& puppet, const arp::Bind& bind, double distance, double degrees,
                 const std::vector<std::string>& except) {
    ASSERT_EQ(bind.bones.size(), puppet.bind.size());
    for (std::size_t k = 0; k < bind.bones.size(); ++k) {
        const std::string& name = puppet.file.bones[k].name;
        if (std::find(except.begin(), except.end(), name) != except.end()) continue;
        const Frame found = frame_of(bind.bones[k]);
        EXPECT_LT(glm::distance(found.translation, puppet.bind[k].translation), distance) << name;
        EXPECT_LT(degrees_between(found.rotation, puppet.bind[k].rotation), degrees) << name;
    }
}

}  // namespace puppets
