/// The bind pose that avatars do not store: avatars whose bind is known, files that have none, and real ones.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/arp_bind.hpp"

#include "arp/bind/problem.hpp"
#include "arp/file/arp_format.hpp"
#include "avatars.hpp"
#include "core/json.hpp"
#include "corpus/corpus.hpp"
#include "puppet.hpp"

namespace {

namespace arp = effigy::arp;
using namespace puppets;
using arp::BindSource;

TEST(Bind, IsRecoveredFromSharedPoints) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Puppet puppet = torso(seed, 12);
        // What no bone shares can only be at its parent's bind, as stored.
        puppet.bind.back() =
            puppet.bind[3] *
            Frame{{2, 0, 0},
                  glm::normalize(dquat(puppet.file.bones.back().rotation.w, puppet.file.bones.back().rotation.x,
                                       puppet.file.bones.back().rotation.y, puppet.file.bones.back().rotation.z))};
        const arp::Bind bind = arp::recover_bind(puppet.file, 0);
        EXPECT_TRUE(bind.fits);
        EXPECT_EQ(bind.shared_points, 7u * 12u);
        EXPECT_LT(bind.worst_residual, 1e-5);
        EXPECT_LE(bind.median_residual, bind.worst_residual);
        EXPECT_GE(bind.height, 20);
        expect_bind(puppet, bind, 1e-4, 1e-3);
        EXPECT_EQ(bind.sources.front(), BindSource::stored);
        EXPECT_EQ(bind.sources[1], BindSource::rigid);
        EXPECT_EQ(bind.sources.back(), BindSource::stored);
    }
}

class FewPoints : public testing::TestWithParam<int> {};

TEST_P(FewPoints, TurnABoneAboutItsJoint) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Puppet puppet(seed);
        add_ends(puppet);
        puppet.add_bone("SPI1", "ROOT", {1, 4, 2});
        puppet.add_cloud("ROOT", "SPI1", "SPI1", GetParam());
        const arp::Bind bind = arp::recover_bind(puppet.file, 0);
        EXPECT_TRUE(bind.fits);
        EXPECT_EQ(bind.sources[1], BindSource::rotation);
        expect_bind(puppet, bind, 1e-5, 1e-2);
    }
}
INSTANTIATE_TEST_SUITE_P(Bind, FewPoints, testing::Values(1, 2, 3));

TEST(Bind, PointsOnALineTurnABoneWithTheirNormals) {
    Puppet puppet(3);
    add_ends(puppet);
    puppet.add_bone("SPI1", "ROOT", {1, 4, 2});
    for (int k = 0; k < 8; ++k)
        puppet.add_point({1.0 + k, 5, 2.5}, glm::normalize(dvec3(0.2, std::cos(k), std::sin(k))),
                         {{"ROOT", 0.3}, {"SPI1", 0.7}});
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_EQ(bind.sources[1], BindSource::rotation);
    EXPECT_TRUE(bind.fits);
    expect_bind(puppet, bind, 1e-5, 1e-3);
}

TEST(Bind, ABoneMayHangOnAnotherThanItsParent) {
    Puppet puppet(4);
    add_ends(puppet);
    // SPI2's parent shares points with SPI2 alone: solved from the root outwards, it would stay where the rest has it.
    puppet.add_bone("SPI1", "ROOT", {1, 4, 2});
    puppet.add_bone("SPI2", "SPI1", {3, 0, 0});
    puppet.add_cloud("ROOT", "SPI2", "SPI2", 12);
    puppet.add_cloud("SPI1", "SPI2", "SPI2", 12);
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_TRUE(bind.fits);
    EXPECT_LT(bind.worst_residual, 1e-5);
    expect_bind(puppet, bind, 1e-4, 1e-3);
}

TEST(Bind, BonesThatNeedSeveralOthersAndHangOnAnotherThanTheirParent) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Puppet puppet(seed);
        add_ends(puppet);
        // Parents share points with their children alone, and every third bone has too few with each of two others.
        std::string above = "ROOT";
        for (int k = 1; k <= 10; k += 3) {
            const std::string a = "B" + std::to_string(k), b = "B" + std::to_string(k + 1);
            const std::string c = "B" + std::to_string(k + 2);
            puppet.add_bone(a, above, {1, 4, 2});
            puppet.add_bone(b, a, {3, 0, 0});
            puppet.add_cloud(above, b, b, 12);
            puppet.add_cloud(a, b, b, 12);
            puppet.add_bone(c, b, {3, 0, 0});
            puppet.add_cloud(b, c, c, 3);
            puppet.add_cloud(above, c, c, 3);
            above = c;
        }
        const arp::Bind bind = arp::recover_bind(puppet.file, 0);
        EXPECT_TRUE(bind.fits);
        EXPECT_LT(bind.worst_residual, 1e-5);
        expect_bind(puppet, bind, 1e-4, 1e-2);
    }
}

TEST(Bind, AllBonesAreSolvedTogetherWhereHingesLeaveThemLoose) {
    // Points nearly on a line, a little off, tell hardly how SPI1 is turned about it; what hangs on SPI1 does.
    Puppet puppet(5);
    add_ends(puppet);
    puppet.add_bone("SPI1", "ROOT", {1, 4, 0});
    puppet.add_bone("SPI2", "SPI1", {0, 12, 0});
    for (int k = 0; k < 12; ++k) {
        const dvec3 at(0.5 * k, 4 + 0.05 * (k % 3), 0.05 * (k % 2));
        puppet.add_point(at, {0, 0, 1}, {{"ROOT"}, {"SPI1"}});
        effigy::Vec3& offset = puppet.file.meshes.front().points.offsets.back();
        offset.y += static_cast<float>(puppet.dice().between(-2e-3, 2e-3));
        offset.z += static_cast<float>(puppet.dice().between(-2e-3, 2e-3));
    }
    puppet.add_cloud("SPI1", "SPI2", "SPI2", 12);
    puppet.add_cloud("ROOT", "SPI2", "SPI2", 3);
    const arp::BindProblem problem = arp::problem_of(puppet.file, puppet.file.meshes.front());
    const auto recipe = arp::residuals(problem, arp::grow_by_constraints(problem).bones);
    const double recipe_worst = *std::max_element(recipe.begin(), recipe.end());
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_TRUE(bind.fits);
    EXPECT_GT(recipe_worst, 0.02);
    EXPECT_LT(bind.worst_residual, 0.2 * recipe_worst);
    expect_bind(puppet, bind, 0.01, 0.1);
}

TEST(Bind, LinksWithoutWeightSayNothing) {
    Puppet puppet = torso(6, 12);
    const arp::Bind before = arp::recover_bind(puppet.file, 0);
    arp::Points& points = puppet.file.meshes.front().points;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [weight, offset] : std::vector<std::pair<float, effigy::Vec3>>{
             {0.0F, {70, -3, 1e30F}}, {1e-6F, {55, 0, 0}}, {-1.0F, {9, 9, 9}}, {0.5F, {nan, 0, 0}}, {nan, {1, 2, 3}}}) {
        points.link_counts.push_back(2);
        for (const bool garbage : {false, true}) {
            points.offsets.push_back(garbage ? offset : effigy::Vec3{0, 1, 0});
            points.normals.push_back({0, 0, 1});
            points.bones.push_back(garbage ? 2 : 0);
            points.weights.push_back(garbage ? weight : 1);
            points.distances.push_back(0);
        }
    }
    const arp::Bind after = arp::recover_bind(puppet.file, 0);
    EXPECT_TRUE(after.fits);
    EXPECT_EQ(after.shared_points, before.shared_points);
    for (std::size_t k = 0; k < after.bones.size(); ++k) {
        EXPECT_EQ(after.bones[k].translation, before.bones[k].translation);
        EXPECT_EQ(after.bones[k].rotation, before.bones[k].rotation);
    }
}

TEST(Bind, OnePointThatWasMovedDoesNotSpoilTheRest) {
    Puppet puppet = torso(7, 12);
    puppet.file.meshes.front().points.offsets[20].x += 0.5F;
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_TRUE(bind.fits);
    EXPECT_NEAR(bind.worst_residual, 0.5, 1e-4);
    EXPECT_LT(bind.median_residual, 1e-5);
    EXPECT_EQ(bind.worst_point, 11u);  // two ends with one link, then two links each
}

TEST(Bind, WithoutSharedPointsIsTheRest) {
    Puppet puppet = torso(8, 0);
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_TRUE(bind.fits);  // nothing speaks against it
    EXPECT_EQ(bind.shared_points, 0u);
    EXPECT_EQ(bind.worst_residual, 0);
    const std::vector<Frame> rest = arp::skeleton_of(puppet.file).rest();
    for (std::size_t k = 0; k < rest.size(); ++k)
        EXPECT_LT(glm::distance(frame_of(bind.bones[k]).translation, rest[k].translation), 1e-12);
}

TEST(Bind, OfPointsThatHaveNoneIsTheRest) {
    Puppet puppet = torso(9, 40);
    Dice dice(10);
    for (effigy::Vec3& offset : puppet.file.meshes.front().points.offsets) offset = narrow(dice.vector(3));
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    EXPECT_FALSE(bind.fits);
    EXPECT_GT(bind.worst_residual, 0.1);
    const std::vector<Frame> rest = arp::skeleton_of(puppet.file).rest();
    for (std::size_t k = 0; k < rest.size(); ++k) {
        EXPECT_EQ(bind.sources[k], BindSource::stored);
        EXPECT_LT(glm::distance(frame_of(bind.bones[k]).translation, rest[k].translation), 1e-12);
        EXPECT_LT(degrees_between(frame_of(bind.bones[k]).rotation, rest[k].rotation), 1e-6);
    }
}

TEST(Bind, IsTheSameEachTime) {
    Puppet puppet = torso(11, 12);
    puppet.file.meshes.front().points.offsets[20].x += 0.5F;
    const arp::Bind a = arp::recover_bind(puppet.file, 0), b = arp::recover_bind(puppet.file, 0);
    for (std::size_t k = 0; k < a.bones.size(); ++k) {
        EXPECT_EQ(a.bones[k].translation, b.bones[k].translation);
        EXPECT_EQ(a.bones[k].rotation, b.bones[k].rotation);
    }
}

void expect_sane(const arp::File& file, std::size_t mesh = 0) {
    const arp::Bind bind = arp::recover_bind(file, mesh);
    ASSERT_EQ(bind.bones.size(), file.bones.size());
    ASSERT_EQ(bind.sources.size(), file.bones.size());
    EXPECT_TRUE(std::isfinite(bind.worst_residual) && std::isfinite(bind.median_residual));
    EXPECT_TRUE(std::isfinite(bind.height));
    for (const arp::BoneFrame& bone : bind.bones) {
        for (const double value : bone.translation) ASSERT_TRUE(std::isfinite(value));
        double length = 0;
        for (const double value : bone.rotation) length += value * value;
        ASSERT_NEAR(length, 1, 1e-9);
    }
}

TEST(Bind, TakesAnyFile) {
    expect_sane({});
    expect_sane(torso(1, 3).file, 7);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float huge = std::numeric_limits<float>::max();
    for (int change = 0; change < 12; ++change) {
        SCOPED_TRACE(change);
        arp::File file = torso(12, 12).file;
        arp::Points& points = file.meshes.front().points;
        switch (change) {
            case 0:
                file.bones[0].name = "PELV";
                break;
            case 1:
                file.bones[1].parent = "HEAD";
                break;  // a ring
            case 2:
                file.bones[2].parent = "SPI2";
                break;
            case 3:
                file.bones.erase(file.bones.begin() + 2, file.bones.begin() + 4);
                break;
            case 4:
                file.bones.clear();
                break;
            case 5:
                file.bones[2].rotation = {nan, 0, 0, 0}, file.bones[3].translation = {nan, huge, -huge};
                break;
            case 6:
                file.bones[2].rotation = {0, 0, 0, 0}, file.bones[3].translation = {huge, huge, huge};
                break;
            case 7:
                for (effigy::Vec3& v : points.offsets) v = {v.x * huge, -huge, huge};
                break;
            case 8:
                points.link_counts[0] = 4000000000u, points.link_counts[3] = 4000000000u;
                break;
            case 9:
                points.normals.resize(5), points.bones.resize(30);
                break;
            case 10:
                for (std::uint32_t& bone : points.bones) bone = bone * 77777u;
                break;
            case 11:
                for (float& weight : points.weights) weight = huge;
                break;
            default:
                break;
        }
        expect_sane(file);
    }
}

TEST(Bind, TakesPointsWithManyLinksAndBonesInALongChain) {
    Dice dice(13);
    arp::File file;
    constexpr std::uint32_t bones = 20000;
    for (std::uint32_t k = 0; k < bones; ++k) {
        arp::Bone bone;
        bone.name = k == 0 ? "ROOT" : std::to_string(k);
        // The order is turned round, so that each bone stands before its parent.
        bone.parent = k == 0 ? "" : k + 1 == bones ? "ROOT" : std::to_string(k + 1);
        bone.translation = {1, 0, 0};
        file.bones.push_back(bone);
        file.link_names.push_back(bone.name);
    }
    arp::Points& points = file.meshes.emplace_back().points;
    for (int k = 0; k < 400; ++k) {
        points.link_counts.push_back(500);
        for (int link = 0; link < 500; ++link) {
            points.offsets.push_back(narrow(dice.vector(5)));
            points.normals.push_back({0, 0, 1});
            points.bones.push_back(static_cast<std::uint32_t>(dice.between(0, bones)));
            points.weights.push_back(0.002F);
            points.distances.push_back(0);
        }
    }
    expect_sane(file);
}

TEST(Bind, IsThatOfTheMeshItIsAskedFor) {
    Puppet puppet = torso(14, 12);
    puppet.file.meshes.insert(puppet.file.meshes.begin(), arp::Mesh{});
    EXPECT_EQ(arp::recover_bind(puppet.file, 0).shared_points, 0u);
    EXPECT_EQ(arp::recover_bind(puppet.file, 1).shared_points, 7u * 12u);
}

TEST(BindInfo, IsThatOfEachMesh) {
    Puppet puppet = torso(15, 12);
    puppet.file.volume_high.y = 40;
    puppet.file.meshes.front().points.offsets[20].x += 0.5F;
    puppet.file.meshes.emplace_back();
    const effigy::Json info = arp::info(puppet.file, "ISO-8859-1");
    const arp::Bind bind = arp::recover_bind(puppet.file, 0);
    const effigy::Json& json = info["meshes"][0]["bind"];
    EXPECT_EQ(json["pose"], "recovered");
    EXPECT_EQ(json["fits"], true);
    EXPECT_EQ(json["shared_points"], bind.shared_points);
    EXPECT_EQ(json["worst_point"], bind.worst_point);
    EXPECT_FLOAT_EQ(json["median_residual"].get<float>(), static_cast<float>(bind.median_residual));
    EXPECT_FLOAT_EQ(json["worst_residual"].get<float>(), static_cast<float>(bind.worst_residual));
    EXPECT_EQ(json["height"], 40);
    EXPECT_FLOAT_EQ(json["worst_percent"].get<float>(), static_cast<float>(100 * bind.worst_residual / 40));
    EXPECT_EQ(json["bones"]["rigid"], 7);
    EXPECT_EQ(json["bones"]["rotation"], 0);
    EXPECT_EQ(json["bones"]["stored"], 2);
    const effigy::Json& empty = info["meshes"][1]["bind"];
    EXPECT_EQ(empty["pose"], "rest");
    EXPECT_EQ(empty["shared_points"], 0);
}

TEST(BindInfo, OfAFileThatTellsNoneIsTheRest) {
    Puppet puppet = torso(16, 40);
    for (effigy::Vec3& offset : puppet.file.meshes.front().points.offsets) offset = narrow(puppet.dice().vector(3));
    const effigy::Json json = arp::info(puppet.file, "ISO-8859-1")["meshes"][0]["bind"];
    EXPECT_EQ(json["pose"], "rest");
    EXPECT_EQ(json["fits"], false);
    EXPECT_GT(json["worst_percent"].get<double>(), 1);
}

TEST(BindInfo, TakesManyMeshesOfManyBones) {
    arp::File file;
    file.bones.resize(10000);
    file.meshes.resize(10000);
    const effigy::Json meshes = arp::info(file, "ISO-8859-1")["meshes"];
    EXPECT_EQ(meshes.size(), 10000u);
    EXPECT_TRUE(meshes.front().contains("bind"));
    EXPECT_FALSE(meshes.back().contains("bind"));
}

// The corpus. What the binds do to skins: skin_proof_test.cpp.

double worst(const std::vector<double>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// From the left hand to the right one: the widest of all places of bones that hold points.
double width(const arp::File& file, const arp::Bind& bind) {
    double low = 0, high = 0;
    for (arp::PointCursor cursor(file, file.meshes.front()); cursor.next();)
        for (const arp::SharedLink& link : cursor.links()) {
            const double x = (frame_of(bind.bones[link.bone]) * link.offset).x;
            low = std::min(low, x), high = std::max(high, x);
        }
    return high - low;
}

TEST(BindCorpus, ExplainsSharedPointsAndIsATPose) {
    EFFIGY_NEEDS_AVATARS();
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        ASSERT_FALSE(file.meshes.empty());
        const auto start = std::chrono::steady_clock::now();
        const arp::Bind bind = arp::recover_bind(file, 0);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
        const double percent = 100 / bind.height;
        std::printf(
            "corpus: %s: %zu points with several links; residual median %.6f worst %.6f units (%.5f, %.5f %% of "
            "height); arm span %.2f, height %.2f; %.1f ms\n",
            name.c_str(), bind.shared_points, bind.median_residual, bind.worst_residual, percent * bind.median_residual,
            percent * bind.worst_residual, width(file, bind), bind.height, time.count());
        // One real avatar was changed by hand after it was bound: no bind explains all of its points.
        const bool changed = file.meshes.front().points.size() == 6340 && file.bones.size() == 74;
        EXPECT_TRUE(bind.fits);
        EXPECT_LE(percent * bind.median_residual, 0.0013);
        EXPECT_LE(percent * bind.worst_residual, changed ? 0.85 : 0.02);
        // A bind is a T: arms reach as far to the sides as the avatar is high.
        EXPECT_GT(width(file, bind), 0.6 * bind.height);
        // No worse than what the recipe alone finds.
        const arp::BindProblem problem = arp::problem_of(file, file.meshes.front());
        EXPECT_LE(bind.worst_residual, worst(arp::residuals(problem, arp::grow_by_constraints(problem).bones)));
    }
    std::printf("corpus: bind poses of %zu avatars\n", avatars::all().size());
}

}  // namespace
