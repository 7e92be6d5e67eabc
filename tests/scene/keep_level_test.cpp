/// One level of detail of several: in the finest one's place, or where it stands.

#include "scene/keep_level.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/scene_access.hpp"
#include "effigy/validate.hpp"

#include "scene/level_names.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;

Mesh mesh_of(Index material) {
    Mesh mesh;
    mesh.vertex_count = 3;
    Accessor places;
    places.element = ElementType::vec3;
    places.bytes.assign(36, std::byte{});
    mesh.attributes.push_back({Semantic::position, 0, {}, places});
    mesh.primitives.push_back({0, 3, {0, 1, 2}, material});
    return mesh;
}

/// A hat on a head, in three levels, with a material each; node i + 1 has mesh i.
Scene hat() {
    Scene scene;
    scene.nodes.resize(4);
    scene.meshes = {mesh_of(0), mesh_of(1), mesh_of(2)};
    scene.materials.resize(3);
    for (Index i = 0; i < 3; ++i) {
        scene.nodes[i + 1].mesh = i;
        scene.nodes[i + 1].hidden = i > 0;
        scene.nodes[i + 1].local.translation = {0, 2, 0};
    }
    scene.nodes[0].name = "head";
    scene.nodes[1].name = "hat";
    scene.nodes[1].lods = {2, 3};
    add_child(scene, 0, 1);
    Clip& clip = scene.clips.emplace_back();
    clip.tracks.push_back({1, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 2, 0, 1, 2, 0}});
    return scene;
}

std::vector<Index> materials_shown(const Scene& scene) {
    std::vector<Index> materials;
    for (const Node& node : scene.nodes) {
        if (node.mesh == no_index) continue;
        EXPECT_FALSE(node.hidden);
        materials.push_back(scene.meshes[node.mesh].primitives.front().material);
    }
    return materials;
}

TEST(KeepLevel, PutsTheLevelInTheFinestOnesPlace) {
    for (std::size_t level = 0; level < 3; ++level) {
        Scene scene = hat();
        EXPECT_TRUE(keep_level(scene, level).empty());
        ASSERT_TRUE(validate(scene).empty());
        ASSERT_EQ(scene.nodes.size(), 2U);
        EXPECT_EQ(scene.nodes[1].name, "hat");
        EXPECT_TRUE(scene.nodes[1].lods.empty());
        EXPECT_EQ(scene.meshes.size(), 1U);
        EXPECT_EQ(scene.materials.size(), 3U) << "a game's file numbers those that it does not use";
        EXPECT_THAT(materials_shown(scene), ElementsAre(level));
        EXPECT_EQ(scene.clips.front().tracks.front().node, 1U);
    }
}

TEST(KeepLevel, SaysWhatLacksTheLevel) {
    Scene scene = hat();
    const Report report = keep_level(scene, 7);
    EXPECT_THAT(materials_shown(scene), ElementsAre(2));
    ASSERT_EQ(report.diagnostics().size(), 1U);
    EXPECT_EQ(report.diagnostics().front().code, "lod-other");
    EXPECT_EQ(report.diagnostics().front().found, "1 mesh");
}

TEST(KeepLevel, LetsALevelStandElsewhere) {
    Scene scene = hat();
    scene.nodes[0].local.translation = {5, 0, 0};
    scene.nodes[2].local.translation = {0, 3, 0};
    scene.nodes[2].local.scale = {1, 0.5F, 1};
    EXPECT_TRUE(keep_level(scene, 1).empty());
    ASSERT_TRUE(validate(scene).empty());
    EXPECT_THAT(materials_shown(scene), ElementsAre(1));
    ASSERT_EQ(scene.nodes.size(), 3U);
    EXPECT_EQ(scene.nodes[2].parent, 1U) << "which moves it";
    const auto worlds = world_matrices(scene);
    EXPECT_EQ(worlds[2][12], 5);
    EXPECT_EQ(worlds[2][13], 3);
    EXPECT_EQ(worlds[2][5], 0.5F);
}

TEST(KeepLevel, TakesANodeBelowAlong) {
    Scene scene = hat();
    scene.nodes.emplace_back().mesh = 2;
    scene.nodes[3].mesh = no_index;
    add_child(scene, 3, 4);
    Scene other = scene;
    static_cast<void>(keep_level(scene, 2));
    ASSERT_TRUE(validate(scene).empty());
    EXPECT_THAT(materials_shown(scene), ElementsAre(2));
    static_cast<void>(keep_level(other, 0));
    EXPECT_THAT(materials_shown(other), ElementsAre(0)) << "nothing of a level is left that is not shown";
}

TEST(KeepLevel, ExchangesGroups) {
    Scene scene = hat();
    for (const Index group : {1U, 2U}) {
        Node& node = scene.nodes.emplace_back();
        std::swap(node.mesh, scene.nodes[group].mesh);
        add_child(scene, group, static_cast<Index>(scene.nodes.size() - 1));
    }
    Scene other = scene;
    static_cast<void>(keep_level(scene, 0));
    EXPECT_THAT(materials_shown(scene), ElementsAre(0));
    static_cast<void>(keep_level(other, 1));
    EXPECT_TRUE(validate(other).empty());
    EXPECT_THAT(materials_shown(other), ElementsAre(1));
}

TEST(KeepLevel, LetsALevelMoveElsewhere) {
    Scene scene = hat();
    scene.nodes[1].local.translation = {0, 2, 0};
    scene.nodes[2].local.translation = {0, 3, 0};
    scene.nodes[2].local.scale = {1, 0.5F, 1};
    scene.clips[0].tracks[0].node = 2;
    EXPECT_TRUE(keep_level(scene, 1).empty());
    ASSERT_TRUE(validate(scene).empty());
    EXPECT_THAT(materials_shown(scene), ElementsAre(1));
    const Index moved = scene.clips[0].tracks[0].node;
    EXPECT_FALSE(scene.nodes[moved].matrix);
    EXPECT_EQ(world_matrices(scene)[moved][13], 3);
}

TEST(KeepLevel, PassesOverALevelAboveItsNode) {
    Scene scene = hat();
    scene.nodes[0].hidden = true;
    scene.nodes[1].lods = {0};
    static_cast<void>(keep_level(scene, 1));
    EXPECT_TRUE(validate(scene).empty());
}

TEST(KeepLevel, LeavesWhatIsShownBeside) {
    Scene scene = hat();
    scene.nodes[2].hidden = false;
    static_cast<void>(keep_level(scene, 0));
    EXPECT_THAT(materials_shown(scene), ElementsAre(0, 1));
}

TEST(LevelNames, TheLastWordSaysWhatAMeshIs) {
    const LevelName collision = parse_level_name("x-lod5.collision");
    EXPECT_EQ(collision.kind, LevelName::Kind::collision);
    EXPECT_EQ(collision.part, "x-lod5");
    EXPECT_EQ(collision.number, 0u);
    const LevelName level = parse_level_name("x.collision.lod5");
    EXPECT_EQ(level.kind, LevelName::Kind::level);
    EXPECT_EQ(level.part, "x.collision");
    EXPECT_EQ(level.number, 5u);
}

}  // namespace
}  // namespace effigy::test
