/// Morph targets of actors in scenes.

#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using namespace builders;

xac::MorphDeformation deformation(std::uint32_t node, const std::vector<std::uint32_t>& vertices) {
    xac::MorphDeformation result;
    result.node = node;
    result.min_value = -1;
    result.max_value = 1;
    for (const std::uint32_t vertex : vertices) {
        result.positions.push_back({{65535, 0, 65535}});
        result.normals.push_back({{255, 0, 255}});
        result.tangents.push_back({{255, 255, 255}});
        result.vertices.push_back(vertex);
    }
    return result;
}

xac::MorphTarget target(std::string name, std::vector<xac::MorphDeformation> deformations, float low = 0,
                        float high = 1) {
    xac::MorphTarget result;
    result.name = std::move(name);
    result.range_min = low;
    result.range_max = high;
    result.deformations = std::move(deformations);
    return result;
}

ActorFile face(std::vector<xac::MorphTarget> targets) {
    xac::MorphTargets list;
    list.targets = std::move(targets);
    return std::move(ActorFile().nodes({node("a"), node("b")}).mesh(triangle(0)).add(12, 1, std::move(list)));
}

xpm::Submotion weights(std::string name, std::vector<xpm::WeightKey> keys, float low = 0, float high = 1) {
    xpm::Submotion result;
    result.name = std::move(name);
    result.min_weight = low;
    result.max_weight = high;
    result.keys.assign(keys.begin(), keys.end());
    return result;
}

Loaded<Scene> spoken(ActorFile actor, std::vector<xpm::Submotion> submotions, const emfx::SceneOptions& options = {}) {
    emfx::SceneInput files = input(std::move(actor));
    files.morph_motions.push_back({{"talk", 0, {}}, morph_motion(std::move(submotions))});
    return convert(std::move(files), options);
}

TEST(Morphs, OffsetsAreDecodedSortedAndMirrored) {
    const auto converted = convert(face({target("smile", {deformation(0, {2, 0, 2, 7})})}));
    const Mesh& mesh = converted.value.meshes.at(0);
    ASSERT_EQ(mesh.targets.size(), 1u);
    const MorphTarget& result = mesh.targets[0];
    EXPECT_EQ((std::vector<std::uint32_t>(result.indices.begin(), result.indices.end())),
              (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(result.positions[0], (Vec3{1, -1, -1}));
    EXPECT_EQ(result.positions[1], (Vec3{2, -2, -2})) << "offsets of one vertex add up";
    EXPECT_EQ(result.normals[0], (Vec3{1, -1, -1}));
    EXPECT_TRUE(result.tangents.empty()) << "the mesh has none";
    EXPECT_EQ(mesh.weights, std::vector<float>{0});
    EXPECT_EQ(converted.report.count("morph-vertex"), 1u);
    EXPECT_NE(mesh.extras.json.find(R"("name":"smile")"), std::string::npos);
}

TEST(Morphs, OnlyTargetsThatDeformAMeshStandThere) {
    const auto converted = convert(face({target("a", {deformation(0, {0})}), target("b", {deformation(1, {0})}),
                                         target("c", {deformation(0, {})}), target("d", {}, 0.25f, 1)}));
    EXPECT_EQ(converted.value.meshes.at(0).targets.size(), 1u);
    EXPECT_EQ(converted.report.count("morph-mesh"), 1u);
    EXPECT_EQ(converted.report.count("morph-empty"), 1u);
}

TEST(Morphs, NormalsMaySpanTwice) {
    emfx::SceneOptions options;
    options.morph_normal_range = 2;
    const auto scene = convert(face({target("a", {deformation(0, {0})}, 0.25f, 1)}), options).value;
    EXPECT_EQ(scene.meshes.at(0).targets.at(0).normals[0], (Vec3{2, -2, -2}));
    EXPECT_EQ(scene.meshes[0].weights, std::vector<float>{0.25f}) << "the default stays in the range";
}

TEST(Morphs, WeightsOfSeveralTargetsShareTheirTimes) {
    const auto converted = spoken(
        face({target("a", {deformation(0, {0})}), target("b", {deformation(0, {1})})}),
        {weights("a", {{0, 0, {}}, {1, 65535, {}}}), weights("b", {{0, 65535, {}}, {0.5f, 0, {}}}), weights("c", {})});
    const Clip& clip = converted.value.clips.at(0);
    EXPECT_EQ(clip.name, "talk");
    const Track& track = clip.tracks.at(0);
    EXPECT_EQ(track.path, TrackPath::weights);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 0.5f, 1}));
    EXPECT_EQ(values(track.values), (std::vector<float>{0, 1, 0.5f, 0, 1, 0}));
    EXPECT_EQ(converted.report.count("motion-target-unknown"), 1u);
}

TEST(Morphs, ClampedWeightsHaveCornersAtTheLimits) {
    const auto converted = spoken(face({target("a", {deformation(0, {0})}, 0.25f, 0.75f)}),
                                  {weights("a", {{0, 0, {}}, {1, 65535, {}}, {2, 0, {}}})});
    const Track& track = converted.value.clips.at(0).tracks.at(0);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 0.25f, 0.75f, 1, 1.25f, 1.75f, 2}));
    EXPECT_EQ(values(track.values), (std::vector<float>{0.25f, 0.25f, 0.75f, 0.75f, 0.75f, 0.25f, 0.25f}));
    EXPECT_EQ(converted.report.count("morph-range"), 1u);
}

TEST(Morphs, KeylessSubmotionsShowTheirPose) {
    auto part = weights("a", {});
    part.pose_weight = 0.5f;
    const auto scene = spoken(face({target("a", {deformation(0, {0})})}), {part}).value;
    const Track& track = scene.clips.at(0).tracks.at(0);
    EXPECT_EQ(track.interpolation, Interpolation::step);
    EXPECT_EQ(values(track.values), std::vector<float>{0.5f});
}

TEST(Morphs, MotionsWithoutTracksAreNoWarning) {
    const auto converted = spoken(face({target("a", {deformation(0, {0})})}), {});
    EXPECT_EQ(converted.report.count("motion-empty"), 1u);
    EXPECT_EQ(converted.report.count(Severity::info), 1u);
    EXPECT_TRUE(converted.value.clips.empty());
}

TEST(Morphs, OneStemMakesOneClip) {
    emfx::SceneInput files = input(face({target("a", {deformation(0, {0})})}));
    files.motions.push_back({{"talk", 0, {}}, motion({submotion("b")}), {}});
    for (int i = 0; i < 2; ++i) {
        files.morph_motions.push_back({{"talk", 0, {}}, morph_motion({weights("a", {{0, 0, {}}, {2, 65535, {}}})})});
    }
    const auto scene = convert(std::move(files)).value;
    ASSERT_EQ(scene.clips.size(), 2u);
    EXPECT_EQ(scene.clips[0].tracks.size(), 2u);
    EXPECT_EQ(scene.clips[0].duration, 2);
    EXPECT_EQ(scene.clips[1].name, "talk.2");
    EXPECT_NE(scene.clips[0].extras.json.find("morph_motion"), std::string::npos);
}

TEST(Morphs, MovingNodesIsReported) {
    auto turning = target("a", {deformation(0, {0})});
    turning.transformations.push_back({1, {}, {}, {1, 2, 3}, {}});
    const auto converted = convert(face({turning}));
    EXPECT_EQ(converted.report.count("morph-transform-lost"), 1u);
    EXPECT_NE(converted.value.meshes[0].extras.json.find("transformations"), std::string::npos);
}

TEST(Morphs, LevelsFollowTheSameWeights) {
    ActorFile actor = face({target("a", {deformation(0, {0})})});
    xac::MeshLod level;
    level.actor.push_back(std::move(face({target("a", {deformation(0, {1})})}).file));
    actor.add(8, 1, std::move(level));
    const auto scene = spoken(std::move(actor), {weights("a", {{0, 0, {}}, {1, 65535, {}}})}).value;
    EXPECT_NE(find(scene.clips.at(0), find(scene, "a.mesh"), TrackPath::weights), nullptr);
    EXPECT_NE(find(scene.clips.at(0), find(scene, "a.lod1"), TrackPath::weights), nullptr);
}

TEST(Morphs, ManyTargetsTimesManyKeysAreBounded) {
    std::vector<xac::MorphTarget> targets;
    std::vector<xpm::Submotion> submotions;
    for (int i = 0; i < 3000; ++i) {
        const std::string name = std::to_string(i);
        targets.push_back(target(name, {deformation(0, {0})}));
        std::vector<xpm::WeightKey> keys;
        for (int k = 0; k < 20; ++k) keys.push_back({static_cast<float>(k == 0 ? 0 : i + 3001 * k), 9, {}});
        submotions.push_back(weights(name, std::move(keys)));
    }
    emfx::SceneInput files = input(face(std::move(targets)));
    files.morph_motions.push_back({{"talk", 0, {}}, morph_motion(std::move(submotions))});
    const auto result = emfx::to_scene(std::move(files));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "limit-memory");
}

}  // namespace
