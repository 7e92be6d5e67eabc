// The example avatar: what it promises about itself.

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/arp_bind.hpp"
#include "effigy/arp_container.hpp"
#include "effigy/cas.hpp"

#include "contents.hpp"
#include "reports.hpp"
#include "signer/skeleton.hpp"

namespace effigy::test {
namespace {

using glm::dquat;
using glm::dvec3;

constexpr double units_per_metre = 25;

Bytes content(const std::string& name) { return read_bytes(std::string(EFFIGY_SIGNER) + "/" + name); }

const Loaded<arp::File>& loaded() {
    static const Loaded<arp::File> file = arp::read(content("avatardef.jarp")).value();
    return file;
}
const arp::File& avatar() { return loaded().value; }

dvec3 wide(const Vec3& v) { return {v.x, v.y, v.z}; }
dquat wide(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

/// Degrees between two rotations.
double angle(const dquat& a, const dquat& b) {
    const dquat between = glm::conjugate(a) * b;
    return glm::degrees(2 * std::atan2(glm::length(dvec3(between.x, between.y, between.z)), std::abs(between.w)));
}

/// Weighted means of the links' positions or normals, with bones in the T-pose.
std::vector<dvec3> in_t_pose(bool normals) {
    const arp::Points& points = avatar().meshes.front().points;
    std::vector<dvec3> result;
    std::size_t link = 0;
    for (const std::uint32_t count : points.link_counts) {
        dvec3 sum(0);
        for (const std::size_t end = link + count; link < end; ++link) {
            const signer::Joint& joint = signer::joint(avatar().link_names[points.bones[link]]);
            const dvec3 local = wide(normals ? points.normals[link] : points.offsets[link]);
            const dvec3 origin = normals ? dvec3(0) : units_per_metre * joint.position;
            sum += double{points.weights[link]} * (origin + joint.rotation * local);
        }
        result.push_back(sum);
    }
    return result;
}

TEST(Signer, HasNothingToComplainAbout) {
    EXPECT_EQ(findings(loaded().report), "");
    EXPECT_EQ(findings(arp::check(avatar())), "");
    const auto container = arp::read_container(content("signer.jar"));
    ASSERT_TRUE(container) << to_string(container.error());
    EXPECT_EQ(findings(container->report), "");
    for (const char* name : {"signer.png", "config.xml", "asd.xml", "nonmanuals.xml"})
        EXPECT_NE(arp::find_entry(container->value, name), nullptr) << name;
}

TEST(Signer, IsWrittenAsItWasRead) {
    EXPECT_EQ(avatar().version, "3.1");
    const Bytes bytes = content("avatardef.jarp");
    EXPECT_EQ(arp::write(avatar()).value(), bytes);
    const auto container = arp::read_container(content("signer.jar"));
    ASSERT_TRUE(container) << to_string(container.error());
    EXPECT_EQ(container->value.entries[container->value.definition].content, bytes);
}

/// The stream of JSON says the same as the XML.
TEST(Signer, SignsInBothForms) {
    const auto xml = cas::read(content("hello.cas.xml")), json = cas::read(content("hello.cas.json"));
    ASSERT_TRUE(xml) << to_string(xml.error());
    ASSERT_TRUE(json) << to_string(json.error());
    EXPECT_EQ(findings(xml->report) + findings(json->report), "");
    ASSERT_EQ(xml->value.signs.size(), 2u);
    ASSERT_EQ(json->value.signs.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(xml->value.signs[i].gloss, json->value.signs[i].gloss);
    const auto &frames = xml->value.frames, &others = json->value.frames;
    ASSERT_EQ(frames.size(), others.size());
    EXPECT_EQ(frames.front().bones.size(), avatar().bones.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(frames[i].time, others[i].time);
        ASSERT_EQ(frames[i].bones.size(), others[i].bones.size());
        for (std::size_t k = 0; k < frames[i].bones.size(); ++k) {
            EXPECT_EQ(frames[i].bones[k].name, others[i].bones[k].name);
            EXPECT_EQ(frames[i].bones[k].rotation, others[i].bones[k].rotation);
        }
        if (i == 0) continue;
        EXPECT_LT(frames[i].bones.size(), avatar().bones.size()) << "frame " << i;
    }
}

TEST(Signer, TPoseIsRecovered) {
    const arp::Bind bind = arp::recover_bind(avatar(), 0);
    ASSERT_TRUE(bind.fits);
    EXPECT_GT(bind.shared_points, 1000u);
    EXPECT_LT(bind.worst_residual, 1e-6 * bind.height);
    const dvec3 root = signer::joint("ROOT").position;
    double worst_distance = 0, worst_angle = 0;
    for (std::size_t i = 0; i < signer::skeleton().size(); ++i) {
        const signer::Joint& joint = signer::skeleton()[i];
        const auto& [t, r] = bind.bones[i];
        const dvec3 expected = units_per_metre * (joint.position - root);
        worst_distance = std::max(worst_distance, glm::distance(dvec3(t[0], t[1], t[2]), expected));
        worst_angle = std::max(worst_angle, angle(dquat(r[3], r[0], r[1], r[2]), joint.rotation));
    }
    std::cout << "bind: off by at most " << worst_distance << " units and " << worst_angle << " degrees, links by "
              << bind.worst_residual << " units of " << bind.height << "\n";
    EXPECT_LT(worst_distance, 1e-5 * bind.height);
    EXPECT_LT(worst_angle, 0.005);
}

TEST(Signer, RestIsNotTheTPose) {
    const signer::Pose t_pose;
    const auto turned = [&](const char* name) {
        const std::size_t bone = signer::bone(name);
        return angle(wide(avatar().bones[bone].rotation), signer::local_rotation(t_pose, bone));
    };
    for (const char* arm : {"LUPA", "RUPA"}) EXPECT_GT(turned(arm), 50) << arm;
    for (const char* joint : {"LLRA", "RLRA", "LIF2", "RMF2"}) EXPECT_GT(turned(joint), 20) << joint;
}

TEST(Signer, FacesLookWhereNormalsPoint) {
    const std::vector<dvec3> positions = in_t_pose(false), normals = in_t_pose(true);
    const arp::Mesh& mesh = avatar().meshes.front();
    const auto duplicates = arp::duplicate_points(mesh, avatar().layout);
    const auto point = [&](std::size_t k) -> std::size_t {
        const std::size_t vertex = mesh.strip[k];
        return vertex < positions.size() ? vertex : duplicates[vertex - positions.size()];
    };
    std::size_t faces = 0, agree = 0;
    for (std::size_t k = 0; k + 2 < mesh.strip.size(); ++k) {
        std::size_t a = point(k), b = point(k + 1), c = point(k + 2);
        if (a == b || b == c || c == a) continue;
        if (k % 2 != 0) std::swap(b, c);
        const dvec3 face = glm::cross(positions[b] - positions[a], positions[c] - positions[a]);
        ++faces;
        if (glm::dot(face, normals[a] + normals[b] + normals[c]) > 0) ++agree;
    }
    EXPECT_GT(faces, 10000u);
    EXPECT_GE(static_cast<double>(agree), 0.999 * static_cast<double>(faces)) << agree << " of " << faces;
}

TEST(Signer, AmbientMotionLoops) {
    const auto& frames = avatar().ambient->frames;
    const auto step = [&](std::size_t from, std::size_t to) {
        double most = 0;
        for (std::size_t i = 0; i < frames[from].bones.size(); ++i)
            most = std::max(most, angle(wide(frames[from].bones[i].rotation), wide(frames[to].bones[i].rotation)));
        return most;
    };
    double usual = 0;
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) usual = std::max(usual, step(i, i + 1));
    EXPECT_LE(step(frames.size() - 1, 0), usual);
    EXPECT_TRUE(frames.front().morphs.empty());
    EXPECT_TRUE(frames.back().morphs.empty());
}

}  // namespace
}  // namespace effigy::test
