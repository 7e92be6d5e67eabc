/// Which nodes of a scene get levels, and how they hang in it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/levels.hpp"
#include "effigy/validate.hpp"

#include "levels/measure.hpp"
#include "levels/shapes.hpp"

namespace effigy::test {
namespace {

using testing::HasSubstr;

Report complete(Scene& scene, CollisionShape collision = CollisionShape::none) {
    LevelOptions options;
    options.ratios = {0.5, 0.25};
    options.collision = collision;
    auto report = make_levels(scene, options);
    EXPECT_TRUE(report) << to_string(report.error());
    EXPECT_FALSE(validate(scene).has_errors());
    return report ? std::move(*report) : Report();
}

TEST(MakeLevels, StandBesideWhatTheyReplace) {
    Scene scene = scene_of(sphere(12), "hull-lod0");
    scene.nodes[0].local.translation = {1, 2, 3};
    EXPECT_EQ(complete(scene).count("level-kept"), 0u);
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[0].lods, (std::vector<Index>{1, 2}));
    for (const Index level : scene.nodes[0].lods) {
        const Node& node = scene.nodes[level];
        EXPECT_EQ(node.name, "hull-lod" + std::to_string(level));
        EXPECT_EQ(scene.meshes[node.mesh].name, node.name);
        EXPECT_TRUE(node.hidden);
        EXPECT_EQ(node.parent, no_index);
        EXPECT_EQ(node.local, scene.nodes[0].local);
        EXPECT_TRUE(scene.meshes[node.mesh].extras.json.empty());
    }
}

TEST(MakeLevels, AreSharedWhereMeshesAre) {
    Scene scene = scene_of(sphere(12));
    add_node(scene, "twin", 0);
    (void)complete(scene, CollisionShape::hull);
    EXPECT_EQ(scene.meshes.size(), 4u);
    EXPECT_EQ(scene.nodes.size(), 8u);
    EXPECT_EQ(scene.nodes[scene.nodes[1].lods[1]].mesh, scene.nodes[scene.nodes[0].lods[1]].mesh);
}

TEST(MakeLevels, LeaveLevelsThatAreThere) {
    for (const char* const name : {"hull-lod1", "HULL.lod1", "hull_LOD2", "hull-lod1.001"}) {
        Scene scene = scene_of(sphere(12));
        scene.meshes.push_back(sphere(8));
        add_node(scene, name, 1);
        const Report report = complete(scene);
        EXPECT_EQ(scene.nodes.size(), 2u) << name;
        EXPECT_EQ(report.diagnostics().size(), 1u);
        EXPECT_EQ(report.count("level-kept"), 1u);
    }
    Scene scene = scene_of(sphere(12));
    scene.meshes.push_back(sphere(8));
    scene.nodes[add_node(scene, "far", 1)].hidden = true;
    scene.nodes[0].lods = {1};
    (void)complete(scene);
    EXPECT_EQ(scene.nodes.size(), 2u);
}

TEST(MakeLevels, LeaveLevelsOfTheSameCopy) {
    for (const auto& [name, level] : {std::pair("hull.001", "hull-lod1.001"), {"hull.001", "hull.001-lod1"}}) {
        Scene scene = scene_of(sphere(12), name);
        scene.nodes.push_back(scene.nodes[0]);
        scene.nodes.back().name = level;
        scene.nodes.push_back(scene.nodes[0]);
        scene.nodes.back().name = "hull";
        (void)complete(scene);
        EXPECT_TRUE(scene.nodes[0].lods.empty()) << level;
        EXPECT_FALSE(scene.nodes[2].lods.empty()) << level;
    }
}

TEST(MakeLevels, AreNotForWhatIsSeenFromNearbyOnly) {
    const auto levels_of = [](const std::string& name, const std::string& other, const std::string& record) {
        Scene scene = scene_of(sphere(12), name);
        const Index part = add_node(scene, "part", no_index);
        scene.nodes[part].extras.other = other;
        scene.nodes[part].extras.json = record;
        scene.nodes[part].children = {0};
        scene.nodes[0].parent = part;
        const Report report = complete(scene);
        EXPECT_EQ(report.count("level-detail"), scene.nodes[0].lods.empty() ? 1u : 0u);
        return scene.nodes[0].lods.size();
    };
    EXPECT_EQ(levels_of("detail_xl_door-lod0", {}, {}), 0u);
    EXPECT_EQ(levels_of("door", R"({"tags":"part detail_s"})", {}), 0u);
    EXPECT_EQ(levels_of("door", {}, R"({"kind":"connection","tags":["part","detail_xxl"]})"), 0u);
    EXPECT_EQ(levels_of("details", R"({"tags":"part"})", {}), 2u);
    EXPECT_EQ(levels_of("detail_door", {}, {}), 2u);
}

TEST(MakeLevels, AreForWhatIsSeen) {
    for (const char* const name : {"hull-collision", "hull.collision", "hull_wreck", "hull-collision2"}) {
        Scene scene = scene_of(sphere(12), name);
        (void)complete(scene, CollisionShape::hull);
        EXPECT_EQ(scene.nodes.size(), 1u) << name;
    }
    for (const char* const record : {R"({"kind":"wreck"})", R"({"kind":"collision"})", R"({"collision":true})"}) {
        Scene scene = scene_of(sphere(12));
        scene.nodes[0].extras.json = record;
        (void)complete(scene, CollisionShape::hull);
        EXPECT_EQ(scene.nodes.size(), 1u) << record;
    }
    Scene hidden = scene_of(sphere(12));
    hidden.nodes[0].hidden = true;
    (void)complete(hidden);
    EXPECT_EQ(hidden.nodes.size(), 1u);
    for (const char* const name : {"collision_detector", "anim_ladder_collision", "lod1", "wreckage"}) {
        Scene named = scene_of(sphere(12), name);
        (void)complete(named);
        EXPECT_EQ(named.nodes.size(), 3u) << name;
    }
}

TEST(MakeLevels, AreNoneWhereTargetsMoveVertices) {
    Scene scene = scene_of(sphere(12));
    MorphTarget& target = scene.meshes[0].targets.emplace_back();
    target.indices.push_back(0);
    target.positions.push_back({0, 1, 0});
    const Report report = complete(scene);
    EXPECT_EQ(report.count("level-morphs"), 1u);
    EXPECT_EQ(scene.nodes.size(), 1u);
}

TEST(MakeLevels, SayWhatCouldNotBeReached) {
    Scene scene = scene_of(sphere(12));
    LevelOptions options;
    options.ratios = {0.5, 0.02, 0.01};
    options.max_error = 0.04;
    const auto report = make_levels(scene, options);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->count("level-ratio"), 1u);
    EXPECT_EQ(report->count("level-equal"), 1u);
    EXPECT_FALSE(scene.nodes[0].lods.empty());
    for (const Diagnostic& finding : report->diagnostics()) {
        const bool is_ratio = finding.code == "level-ratio", is_equal = finding.code == "level-equal";
        EXPECT_THAT(finding.found, HasSubstr(is_ratio ? ": hull (2 %: " : is_equal ? "1 %)" : "1: hull ("));
    }
}

TEST(MakeLevels, SayWhereTheyStandAndCanBeCancelled) {
    Scene scene = scene_of(sphere(12));
    scene.meshes.push_back(grid(8));
    add_node(scene, "wing", 1);
    LevelOptions options;
    options.ratios = {0.5};
    std::vector<std::string> steps;
    options.progress = [&](std::string_view mesh, std::size_t done, std::size_t total) {
        steps.push_back(std::string(mesh) + " " + std::to_string(done) + "/" + std::to_string(total));
        return done == 0;
    };
    const auto report = make_levels(scene, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "limit-cancelled");
    EXPECT_THAT(steps, testing::ElementsAre("hull 0/2", "grid 1/2"));
    EXPECT_EQ(scene.nodes.size(), 2u);
    EXPECT_EQ(scene.meshes.size(), 2u);
}

TEST(MakeLevels, RatiosOutOfRangeAreRefused) {
    for (const double ratio : {-0.5, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
        Scene scene = scene_of(sphere(12));
        LevelOptions options;
        options.ratios = {0.5, ratio};
        const auto report = make_levels(scene, options);
        ASSERT_FALSE(report) << ratio;
        EXPECT_EQ(report.error().code, "usage-option");
        EXPECT_EQ(scene.nodes.size(), 1u);
    }
}

TEST(MakeLevels, TakeNoMoreMemoryThanAllowed) {
    Scene scene = scene_of(sphere(64));
    LevelOptions options;
    options.ratios = {0.5};
    options.limits.memory = 100'000;
    const auto report = make_levels(scene, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "limit-memory");
    EXPECT_EQ(scene.nodes.size(), 1u);
}

}  // namespace
}  // namespace effigy::test
