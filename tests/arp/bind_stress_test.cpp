/// Binds of whole figures as hard as real avatars: the rest is far from the bind, bones in between hold nothing,
/// numbers are coarse.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "effigy/arp_bind.hpp"

#include "arp/bind/problem.hpp"
#include "puppet.hpp"

namespace {

using namespace puppets;
using arp::BindSource;

/// What figures differ in.
struct Build {
    unsigned seed = 1;
    double size = 1;               ///< of a unit; 1: 46 units high
    dvec3 place{0};                ///< of ROOT
    bool root_holds = true;        ///< points of the hip
    bool wrists_hold = true;       ///< points of wrists and hands; otherwise fingers grow from the forearm
    int around = 8;                ///< points of a ring
    double noise = 0;              ///< of places, in units
    double normal_noise = 0;       ///< of normals, in degrees
    const char* marker = nullptr;  ///< the name of all end markers; each its own if there is none
};

/// A T-pose of tubes along all bones; at rest shoulders are 50 to 85 degrees off, fingers 40 to 50, the rest up to 10.
class Mannequin {
public:
    Puppet puppet;
    std::vector<std::string> markers;

    explicit Mannequin(const Build& build) : puppet(build.seed), build_(build) {
        puppet.bind[0].translation = build.place;
        puppet.file.bones[0].translation = narrow(build.place);
        spine();
        for (const double side : {1.0, -1.0}) {
            arm(side);
            leg(side);
        }
    }

private:
    Build build_;

    void bone(const std::string& name, const std::string& parent, dvec3 joint, const dvec3& along, double least,
              double most) {
        joint = build_.place + build_.size * joint;
        const dquat turn(glm::dquat(dvec3(1, 0, 0), glm::normalize(along)));
        const Frame local = inverse(puppet.bind_of(parent)) * Frame{joint, turn};
        puppet.add_bone(name, parent, local.translation, local.rotation,
                        local.rotation * puppet.dice().turn(least, most));
    }
    /// At the end of a bone, without points: it can only be where the stored skeleton has it.
    void marker(const std::string& parent, double length) {
        const std::string number = std::to_string(markers.size() + 1);
        markers.push_back(build_.marker != nullptr ? build_.marker
                                                   : "EN" + std::string(number.size() < 2 ? "0" : "") + number);
        const dquat local = puppet.dice().turn(20);
        puppet.add_bone(markers.back(), parent, {build_.size * length, 0, 0}, local, local);
    }
    /// Rings around a bone; those near its start are shared with other bones.
    void tube(const std::string& name, const std::vector<std::string>& shared, double length, double radius) {
        Dice& dice = puppet.dice();
        const Frame& frame = puppet.bind_of(name);
        for (const double along : {-0.1, 0.0, 0.2, 0.6}) {
            for (int k = 0; k < build_.around; ++k) {
                const double angle = 2 * pi * (k + 0.3 * dice.between(0, 1)) / build_.around;
                const dvec3 out(0, std::cos(angle), std::sin(angle));
                const dvec3 place = build_.size * (dvec3(along * length, 0, 0) + radius * dice.between(0.8, 1.2) * out);
                add_point(frame * place, frame.rotation * out, name, along < 0.5 ? shared : std::vector<std::string>{});
            }
        }
    }
    void add_point(const dvec3& place, const dvec3& normal, const std::string& name,
                   const std::vector<std::string>& shared) {
        Dice& dice = puppet.dice();
        std::vector<Hold> holds{{name, 1}};
        for (const std::string& other : shared) {
            holds.push_back({other, dice.between(0.2, 0.8)});
            if (shared.size() > 1 && dice.between(0, 1) < 0.5) break;
        }
        double sum = 0;
        for (const Hold& hold : holds) sum += hold.weight;
        for (Hold& hold : holds) hold.weight /= sum;
        puppet.add_point(place, normal, holds);
        arp::Points& points = puppet.file.meshes.back().points;
        for (std::size_t k = points.offsets.size() - holds.size(); k < points.offsets.size(); ++k) {
            points.offsets[k] = narrow(wide(points.offsets[k]) + dice.vector(build_.noise));
            points.normals[k] = narrow(dice.turn(build_.normal_noise) * wide(points.normals[k]));
        }
    }
    void spine() {
        if (build_.root_holds) tube("ROOT", {}, 2, 3);
        const std::vector<std::pair<const char*, double>> bones{
            {"SPI1", 2}, {"SPI2", 5}, {"SPI3", 9}, {"NEC1", 14}, {"HEAD", 16}};
        std::string parent = "ROOT";
        for (const auto& [name, height] : bones) {
            bone(name, parent, {0, height, 0}, {0.02 * height, 1, 0.1}, 0, 10);
            const bool first = parent == "ROOT" && !build_.root_holds;
            tube(name, first ? std::vector<std::string>{} : std::vector{parent}, 4, 2.5);
            parent = name;
        }
        for (const double side : {1.0, -1.0}) {
            const std::string eye = side > 0 ? "LEYE" : "REYE";
            bone(eye, "HEAD", {0.8 * side, 18, 2}, {0, 0, 1}, 0, 0);
            tube(eye, {}, 0.3, 0.3);
        }
        marker("HEAD", 5);
    }
    void arm(double side) {
        const std::string s = side > 0 ? "L" : "R";
        const dvec3 out(side, 0, 0);
        bone(s + "CLR", "SPI3", {0.5 * side, 13, 0}, out, 50, 85);
        bone(s + "UPA", s + "CLR", {4 * side, 13.2, -0.2}, out, 50, 85);
        bone(s + "LRA", s + "UPA", {11 * side, 13.1, -0.3}, out, 0, 10);
        bone(s + "WRI", s + "LRA", {18 * side, 13, 0}, out, 0, 10);
        tube(s + "CLR", {"SPI3"}, 3.5, 1.2);
        tube(s + "UPA", {s + "CLR", "SPI3"}, 7, 1);
        tube(s + "LRA", {s + "UPA"}, 7, 0.8);
        if (build_.wrists_hold) tube(s + "WRI", {s + "LRA"}, 1, 0.6);
        const std::array<const char*, 4> names{"IF", "MF", "RF", "PF"};
        for (std::size_t k = 0; k < names.size(); ++k) {
            const double spread = 0.6 - 0.4 * static_cast<double>(k);
            const std::string hand = s + "MC" + std::to_string(k + 2);
            bone(hand, s + "WRI", {18.8 * side, 13, spread / 2}, dvec3(side, 0, 0.2 * spread), 0, 10);
            if (build_.wrists_hold) tube(hand, {s + "WRI"}, 1, 0.3);
            finger(s + names[k], hand, {20 * side, 13, spread}, {side, -0.1, 0.2 * spread});
        }
        finger(s + "TH", s + "WRI", {18.5 * side, 12.8, 0.9}, {0.7 * side, -0.2, 0.7});
    }
    void finger(const std::string& name, const std::string& hand, dvec3 joint, const dvec3& along) {
        std::string parent = hand;
        for (int k = 1; k <= 3; ++k) {
            const std::string own = name + std::to_string(k);
            bone(own, parent, joint, along, 40, 50);
            const bool from_arm = k == 1 && !build_.wrists_hold;
            tube(own, {from_arm ? name.substr(0, 1) + "LRA" : parent}, 0.9, 0.2);
            joint += 0.9 * glm::normalize(along);
            parent = own;
        }
        marker(parent, 0.8);
    }
    void leg(double side) {
        const std::string s = side > 0 ? "L" : "R";
        bone(s + "THG", "ROOT", {2 * side, -1, 0}, {0.1 * side, -1, 0}, 0, 10);
        bone(s + "CLF", s + "THG", {2.5 * side, -12, 0.2}, {0, -1, -0.1}, 0, 10);
        bone(s + "FOT", s + "CLF", {2.5 * side, -22, -0.5}, {0, -0.3, 1}, 0, 10);
        tube(s + "THG", {build_.root_holds ? "ROOT" : "SPI1"}, 10, 1.6);
        tube(s + "CLF", {s + "THG"}, 10, 1.2);
        tube(s + "FOT", {s + "CLF"}, 2, 0.8);
        marker(s + "FOT", 2);
    }
};

constexpr double height = 46;

/// The largest errors of bones that hold points, in percent of the height and in degrees.
std::pair<double, double> errors(const Mannequin& figure, const arp::Bind& bind, double size = 1) {
    double distance = 0, degrees = 0;
    for (std::size_t k = 0; k < bind.bones.size(); ++k) {
        const Frame found = frame_of(bind.bones[k]);
        distance = std::max(distance, glm::distance(found.translation, figure.puppet.bind[k].translation));
        degrees = std::max(degrees, degrees_between(found.rotation, figure.puppet.bind[k].rotation));
    }
    return {100 * distance / (size * height), degrees};
}

void print(const char* name, const Mannequin& figure, const arp::Bind& bind, double size = 1) {
    const auto [distance, degrees] = errors(figure, bind, size);
    std::printf("stress: %s: residual median %.2e worst %.2e %% of height, bones %.2e %%, %.2e degrees off\n", name,
                100 * bind.median_residual / (size * height), 100 * bind.worst_residual / (size * height), distance,
                degrees);
}

TEST(BindStress, RestFarFromTheBind) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        const Mannequin figure({.seed = seed});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("far rest", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(bind.worst_residual, 1e-5 * height);
        const auto [distance, degrees] = errors(figure, bind);
        EXPECT_LT(distance, 0.001);
        EXPECT_LT(degrees, 0.01);
        const arp::Bind rest = arp::recover_bind(Mannequin({.seed = seed, .around = 0}).puppet.file, 0);
        EXPECT_GT(errors(figure, rest).first, 5);  // the rest is far away indeed
    }
}

TEST(BindStress, NumbersOfSixDigits) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Mannequin figure({.seed = seed});
        for (effigy::Vec3& v : figure.puppet.file.meshes.front().points.offsets)
            for (float* number : {&v.x, &v.y, &v.z}) {
                std::array<char, 32> text{};
                std::snprintf(text.data(), text.size(), "%.6g", static_cast<double>(*number));
                *number = std::strtof(text.data(), nullptr);
            }
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("six digits", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(100 * bind.worst_residual / height, 0.0013);
        EXPECT_LT(errors(figure, bind).first, 0.002);
        EXPECT_LT(errors(figure, bind).second, 0.05);
    }
}

TEST(BindStress, NoiseOfRealAvatars) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Mannequin figure({.seed = seed, .noise = 1e-4, .normal_noise = 5});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("noise", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(100 * bind.worst_residual / height, 0.0013);
        EXPECT_LT(errors(figure, bind).first, 0.01);
        EXPECT_LT(errors(figure, bind).second, 0.2);
    }
}

TEST(BindStress, FewPointsForEachBone) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        const Mannequin figure({.seed = seed, .around = 1, .normal_noise = 3});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("few points", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(100 * bind.worst_residual / height, 0.0013);
    }
}

TEST(BindStress, BonesInBetweenWithoutPoints) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        const Mannequin figure({.seed = seed, .wrists_hold = false});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("bones in between", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(bind.worst_residual, 1e-5 * height);
        for (std::size_t k = 0; k < bind.bones.size(); ++k) {
            const std::string& name = figure.puppet.file.bones[k].name;
            const Frame found = frame_of(bind.bones[k]);
            EXPECT_LT(glm::distance(found.translation, figure.puppet.bind[k].translation), 1e-5 * height) << name;
            // Joints leave open how these are turned about themselves.
            if (name.substr(1, 2) == "MC") continue;
            EXPECT_LT(degrees_between(found.rotation, figure.puppet.bind[k].rotation), 0.01) << name;
        }
    }
}

TEST(BindStress, ARootWithoutPoints) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Mannequin figure({.seed = seed, .root_holds = false});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(bind.worst_residual, 1e-5 * height);
        // All bones together may stand in another place: skins are the same then.
        const Frame moved = frame_of(bind.bones[1]) * inverse(figure.puppet.bind[1]);
        for (std::size_t k = 1; k < bind.bones.size(); ++k) {
            const Frame expected = moved * figure.puppet.bind[k], found = frame_of(bind.bones[k]);
            EXPECT_LT(glm::distance(found.translation, expected.translation), 1e-5 * height);
            EXPECT_LT(degrees_between(found.rotation, expected.rotation), 0.01);
        }
    }
}

TEST(BindStress, LargeAndSmallUnitsFarFromTheOrigin) {
    for (const double size : {1e-3, 0.3, 25.4, 1e4}) {
        SCOPED_TRACE(size);
        const Mannequin figure({.size = size, .place = size * dvec3(300, -200, 100)});
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        print("units", figure, bind, size);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(100 * bind.worst_residual / (size * height), 0.001);
        EXPECT_LT(errors(figure, bind, size).first, 0.001);
    }
}

TEST(BindStress, MarkersThatShareAName) {
    const Mannequin figure({.marker = "EN01"});
    const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
    EXPECT_TRUE(bind.fits);
    EXPECT_LT(errors(figure, bind).first, 0.001);
    EXPECT_LT(errors(figure, bind).second, 0.01);
}

TEST(BindStress, EachMeshHasItsOwnBind) {
    Mannequin figure({.seed = 1});
    const Mannequin other({.seed = 2});
    figure.puppet.file.meshes.push_back(other.puppet.file.meshes.front());
    EXPECT_LT(errors(figure, arp::recover_bind(figure.puppet.file, 0)).first, 0.001);
    const arp::Bind second = arp::recover_bind(figure.puppet.file, 1);
    EXPECT_LT(second.worst_residual, 1e-5 * height);
}

TEST(BindStress, PointsMovedByHand) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Mannequin figure({.seed = seed});
        arp::Points& points = figure.puppet.file.meshes.front().points;
        std::size_t moved = 0;
        for (std::size_t link = 0; link < points.offsets.size(); link += 20, ++moved)
            points.offsets[link] = narrow(wide(points.offsets[link]) + figure.puppet.dice().vector(0.1));
        const arp::Bind bind = arp::recover_bind(figure.puppet.file, 0);
        if (seed == 1) print("points moved by hand", figure, bind);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(bind.median_residual, 0.01);
        EXPECT_LT(bind.worst_residual, 0.25);
    }
}

}  // namespace
