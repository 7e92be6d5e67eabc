/// Two scenes as one: numbers, names, records, motions.

#include "scene/join.hpp"

#include <gtest/gtest.h>

#include "effigy/validate.hpp"

namespace effigy::test {
namespace {

/// A triangle on a bone, in one colour, that a clip moves.
Scene part(const std::string& name, Color color = {1, 1, 1, 1}) {
    Scene scene;
    scene.name = name;
    scene.nodes.resize(3);
    scene.nodes[0].name = "bone";
    scene.nodes[1].name = name;
    scene.nodes[2].name = name + "-lod1";
    add_child(scene, 0, 1);
    scene.nodes[1].lods = {2};
    scene.nodes[2].hidden = true;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.name = name;
    mesh.vertex_count = 3;
    Accessor places;
    places.element = ElementType::vec3;
    places.bytes.assign(36, std::byte{});
    mesh.attributes.push_back({Semantic::position, 0, {}, places});
    Accessor coordinates;
    coordinates.element = ElementType::vec2;
    coordinates.bytes.assign(24, std::byte{});
    mesh.attributes.push_back({Semantic::texcoord, 0, {}, coordinates});
    Accessor joints;
    joints.element = ElementType::vec4;
    joints.component = ComponentType::u8;
    joints.bytes.assign(12, std::byte{});
    mesh.attributes.push_back({Semantic::joints, 0, {}, joints});
    Accessor weights;
    weights.element = ElementType::vec4;
    const std::vector<float> whole{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const auto bytes = std::as_bytes(std::span(whole));
    weights.bytes.assign(bytes.begin(), bytes.end());
    mesh.attributes.push_back({Semantic::weights, 0, {}, weights});
    mesh.primitives.push_back({0, 3, {0, 1, 2}, 0});
    scene.nodes[1].mesh = scene.nodes[2].mesh = 0;
    scene.nodes[1].skin = scene.nodes[2].skin = 0;
    scene.skins.push_back({name, {0}, {Mat4()}, 0, {}});
    scene.materials.emplace_back().name = "paint";
    scene.materials.back().base_color = color;
    scene.materials.back().base_color_texture.image = 0;
    scene.images.push_back({"picture", "image/png", Bytes(4, std::byte{1}), {}});
    Clip& clip = scene.clips.emplace_back();
    clip.name = "walk";
    clip.tracks.push_back({0, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0}});
    return scene;
}

TEST(Join, NumbersAreShiftedAndNamesStayApart) {
    Scene scene = part("body");
    const Report report = append_scene(scene, part("hat", {1, 0, 0, 1}), "hat");
    EXPECT_TRUE(validate(scene).empty()) << to_string(validate(scene).diagnostics().front());
    ASSERT_EQ(scene.nodes.size(), 6u);
    EXPECT_EQ(scene.nodes[3].name, "hat_bone");
    EXPECT_EQ(scene.nodes[4].name, "hat");
    EXPECT_EQ(scene.nodes[4].parent, 3u);
    EXPECT_EQ(scene.nodes[3].children, std::vector<Index>{4});
    EXPECT_EQ(scene.nodes[4].lods, std::vector<Index>{5});
    EXPECT_EQ(scene.nodes[4].mesh, 1u);
    EXPECT_EQ(scene.skins[scene.nodes[4].skin].joints, std::vector<Index>{3});
    EXPECT_EQ(scene.skins[1].skeleton, 3u);
    EXPECT_EQ(scene.images.size(), 1u) << "the same picture";
    ASSERT_EQ(scene.materials.size(), 2u);
    EXPECT_EQ(scene.materials[1].name, "hat_paint");
    EXPECT_EQ(scene.materials[1].base_color_texture.image, 0u);
    EXPECT_EQ(scene.meshes[1].primitives[0].material, 1u);
    ASSERT_EQ(scene.clips.size(), 2u);
    EXPECT_EQ(scene.clips[1].name, "hat_walk");
    EXPECT_EQ(scene.clips[1].tracks[0].node, 3u);
    ASSERT_EQ(report.count("joined-names"), 1u);
    EXPECT_EQ(report.diagnostics().front().found, "3: hat_walk, hat_bone, hat_paint");
}

TEST(Join, WhatIsTheSameIsThereOnce) {
    Scene scene = part("body");
    static_cast<void>(append_scene(scene, part("body"), "again"));
    EXPECT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.meshes[1].primitives[0].material, 0u);
    EXPECT_EQ(scene.nodes[4].name, "again_body");
    EXPECT_EQ(scene.nodes[5].name, "again_body-lod1");
    Scene other = part("body");
    other.images[0].bytes.front() = std::byte{2};
    static_cast<void>(append_scene(scene, other, "other"));
    EXPECT_EQ(scene.images.size(), 2u);
    EXPECT_EQ(scene.materials.size(), 2u) << "alike by names, but not in what is on the picture";
    EXPECT_EQ(scene.nodes[7].name, "other_body");
}

TEST(Join, LevelsAreRenamedWithTheirPart) {
    Scene scene;
    scene.nodes.emplace_back().name = "ship";
    Scene more = scene;
    more.nodes.emplace_back().name = "ship-lod1";
    static_cast<void>(append_scene(scene, more, "b"));
    EXPECT_EQ(scene.nodes[2].name, "b_ship-lod1");
}

TEST(Join, RecordsStayWithTheFirstThatHasAny) {
    const auto with_records = [](const std::string& name) {
        Scene scene = part(name);
        scene.asset_extras.json = R"({"file":")" + name + "\"}";
        scene.nodes[1].extras.json = R"({"number":7})";
        scene.nodes[1].extras.other = R"({"mine":1})";
        return scene;
    };
    Scene scene = part("body");
    EXPECT_EQ(append_scene(scene, with_records("hat"), "hat").count("joined-records"), 0u);
    EXPECT_EQ(scene.asset_extras.json, R"({"file":"hat"})");
    EXPECT_EQ(scene.nodes[4].extras.json, R"({"number":7})");
    EXPECT_EQ(append_scene(scene, with_records("boot"), "boot").count("joined-records"), 1u);
    EXPECT_EQ(scene.asset_extras.json, R"({"file":"hat"})");
    EXPECT_EQ(scene.nodes[7].extras.json, "");
    EXPECT_EQ(scene.nodes[7].extras.other, R"({"mine":1})");
}

TEST(Join, MotionsMoveTheNodesOfTheirNames) {
    Scene scene = part("body"), motion = part("run");
    motion.meshes.clear(), motion.skins.clear(), motion.materials.clear(), motion.images.clear();
    for (Node& node : motion.nodes) node.mesh = node.skin = no_index;
    motion.clips.front().tracks.push_back(motion.clips.front().tracks.front());
    motion.clips.front().tracks.back().node = 1;
    std::swap(scene.nodes[0].name, scene.nodes[2].name);
    motion.nodes[0].local.translation = motion.nodes[0].local.scale = {2, 2, 2};
    const Report report = append_scene(scene, motion, "run");
    EXPECT_EQ(scene.nodes.size(), 3u);
    ASSERT_EQ(scene.clips.size(), 2u);
    EXPECT_EQ(scene.clips[1].name, "run_walk");
    ASSERT_EQ(scene.clips[1].tracks.size(), 2u) << "and the other rest, for what is not moved";
    EXPECT_EQ(scene.clips[1].tracks[0].node, 2u);
    EXPECT_EQ(scene.clips[1].tracks[1].node, 2u);
    EXPECT_EQ(scene.clips[1].tracks[1].path, TrackPath::scale);
    EXPECT_EQ(scene.clips[1].tracks[1].values, (Bulk<float>{2, 2, 2}));
    EXPECT_EQ(report.count("motion-unmatched"), 1u);
    for (Node& node : motion.nodes) node.name += "'";
    static_cast<void>(append_scene(scene, motion, "stranger"));
    EXPECT_EQ(scene.nodes.size(), 6u) << "of another model";
}

}  // namespace
}  // namespace effigy::test
