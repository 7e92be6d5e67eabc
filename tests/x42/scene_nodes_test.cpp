/// Bones, tags, joints, several models, names, extras.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"

#include "scene/records.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

using Json = nlohmann::json;
using effigy::x42::identity;
using effigy::x42::no_bone;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void expect_writable(const Scene& scene) {
    const auto glb = gltf::write_glb(scene);
    EXPECT_TRUE(glb) << to_string(glb.error());
}

void expect_near(const glm::dvec3& a, const glm::dvec3& b) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

/// hip (influenced) - knee (not) - foot (influenced), and a loose one.
FileBuilder leg() {
    FileBuilder builder;
    const auto hip = builder.bone("hip", no_bone, {0, 9, 0});
    const auto knee = builder.bone("knee", hip, {0, -4, 0});
    const auto foot = builder.bone("foot", knee, {0, -4, 1});
    builder.bone("loose", no_bone, {5, 0, 0});
    builder.influence(hip, moved({0, -10, 0}));
    builder.influence(foot, moved({0, 0, -2}));
    auto& group = builder.triangle("skin");
    group.vertex_influences = 1;
    group.influence_count = 2;
    group.influences[1] = 1;
    builder.blend({0, 0, 1});
    return builder;
}

TEST(X42Nodes, AloneAreASkeleton) {
    FileBuilder builder;
    builder.bone("hip", builder.bone("root", no_bone), {0, 9, 0});
    const auto loaded = convert(builder.build());
    EXPECT_TRUE(loaded.value.meshes.empty());
    EXPECT_EQ(loaded.report.count("mesh-empty"), 0u);
    expect_near(place(loaded.value, "hip"), {0, 9, 0});
    expect_writable(loaded.value);
}

TEST(X42Nodes, LookAlongTheFilesOwnFront) {
    const auto loaded = convert(leg().build());
    EXPECT_EQ(loaded.value.facing, -90);
    const auto poser = playback::Poser::make(loaded.value);
    ASSERT_TRUE(poser);
    EXPECT_EQ(playback::bake(*poser).value().facing, -90);
}

TEST(X42Nodes, RestWhereVerticesWereBoundAndElsewhereAsInFrame0) {
    const auto loaded = convert(leg().build());
    const Scene& scene = loaded.value;
    EXPECT_EQ(scene.nodes[find(scene, "char")].parent, no_index);
    EXPECT_EQ(scene.nodes[find(scene, "hip")].parent, find(scene, "char"));
    EXPECT_EQ(scene.nodes[find(scene, "foot")].parent, find(scene, "knee"));
    expect_near(place(scene, "hip"), {0, 10, 0});
    expect_near(place(scene, "knee"), {0, 6, 0});
    expect_near(place(scene, "foot"), {0, 0, 2});
    expect_near(place(scene, "loose"), {5, 0, 0});
    EXPECT_FALSE(loaded.report.has_errors());
    EXPECT_EQ(loaded.report.count(Severity::warning), 0u);
    expect_writable(scene);
}

TEST(X42Nodes, TurnAndStretchAsTheInverseOfTheInfluence) {
    FileBuilder builder = leg();
    // Mesh to bone: half the size, turned by a quarter about z, mirrored in the bone's z.
    builder.file.influences[0].mesh_to_bone = {0, 0.5f, 0, -0.5f, 0, 0, 0, 0, -0.5f, 1, 2, 3};
    const auto loaded = convert(builder.build());
    const glm::dmat4 hip = world(loaded.value, find(loaded.value, "hip"));
    expect_near(glm::dvec3(hip * glm::dvec4(1, 2, 3, 1)), {0, 0, 0});
    expect_near(glm::dvec3(hip * glm::dvec4(1, 2.5, 3, 1)), {1, 0, 0});
    expect_near(glm::dvec3(hip * glm::dvec4(0.5, 2, 3, 1)), {0, 1, 0});
    expect_near(glm::dvec3(hip * glm::dvec4(1, 2, 2.5, 1)), {0, 0, 1});
    EXPECT_EQ(loaded.report.count("x42-rest-shear"), 0u) << "mirrored is not sheared";
    expect_near(place(loaded.value, "foot"), {0, 0, 2});
}

TEST(X42Nodes, SayWhereRestHasShear) {
    FileBuilder builder = leg();
    builder.file.influences[0].mesh_to_bone = {1, 0, 0, 0.5f, 1, 0, 0, 0, 1, 0, -10, 0};
    const auto loaded = convert(builder.build());
    const Diagnostic found = finding(loaded.report, "x42-rest-shear");
    EXPECT_EQ(found.severity, Severity::warning);
    EXPECT_NE(found.found.find("2: hip, foot"), std::string::npos) << found.found;
    expect_near(place(loaded.value, "hip"), {-5, 10, 0});
    expect_near(place(loaded.value, "foot"), {0, 0, 2});
    expect_writable(loaded.value);
}

TEST(X42Nodes, RestAsInFrame0WhereTheBindCannotBeTold) {
    FileBuilder builder = leg();
    builder.file.influences[0].mesh_to_bone = {1, 0, 0, 1, 0, 0, 0, 0, 1, 0, -10, 0};
    const auto flat = convert(builder.build());
    EXPECT_EQ(flat.report.count("x42-influence-singular"), 1u);
    expect_near(place(flat.value, "hip"), {0, 9, 0});
    builder.file.influences[0].mesh_to_bone[4] = nan;
    const auto broken = convert(builder.build());
    expect_near(place(broken.value, "hip"), {0, 9, 0});
    EXPECT_EQ(finding(broken.report, "not-finite-replaced").path, "influences");
    const Mat4& bind = broken.value.skins.at(0).inverse_bind_matrices.at(0);
    EXPECT_EQ(bind.m[13], -9) << "the inverse of the rest";
    expect_writable(broken.value);
}

TEST(X42Nodes, MakeRootsOfBonesWhoseParentDoesNotComeFirst) {
    FileBuilder builder = leg();
    builder.file.bones[1].parent = 2;
    builder.file.bones[3].parent = 700;
    const auto loaded = convert(builder.build());
    const Index root = find(loaded.value, "char");
    EXPECT_EQ(loaded.value.nodes[find(loaded.value, "knee")].parent, root);
    EXPECT_EQ(loaded.value.nodes[find(loaded.value, "loose")].parent, root);
    EXPECT_EQ(finding(loaded.report, "x42-parent-order").severity, Severity::warning);
    expect_writable(loaded.value);
}

TEST(X42Nodes, ReplaceNumbersThatAreNone) {
    FileBuilder builder = leg();
    builder.file.pack.animation_positions[1].high = nan;
    const auto loaded = convert(builder.build());
    EXPECT_EQ(place(loaded.value, "loose").y, 0);
    EXPECT_GE(loaded.report.count("not-finite-replaced"), 1u);
    File without_rotation = leg().build();
    without_rotation.rotations[0] = {0, 0, 0, 0};
    const auto still = convert(without_rotation);
    EXPECT_GE(still.report.count("rotation-zero"), 1u);
    expect_writable(still.value);
}

TEST(X42Nodes, HaveNamesInUtf8AndKeepTheirBytes) {
    FileBuilder builder = leg();
    builder.file.bones[0].name = builder.name(
        "h\xfc"
        "fte");
    builder.file.bones[1].name = 60000;
    builder.file.bones[2].flags = effigy::x42::inverse_parent_scale;
    const auto loaded = convert(builder.build());
    const Scene& scene = loaded.value;
    const Node& hip = scene.nodes[find(scene,
                                       "h\xc3\xbc"
                                       "fte")];
    const Json extras = Json::parse(hip.extras.json);
    EXPECT_EQ(extras["bone"], 0);
    EXPECT_EQ(kept_file(scene).bones[0].extent, 7);
    EXPECT_TRUE(extras["name"].contains("bytes"));
    (void)find(scene, "bone1");
    EXPECT_EQ(Json::parse(scene.nodes[find(scene, "foot")].extras.json)["bone"], 2);
    EXPECT_EQ(kept_file(scene).bones[2].flags, 1);
    EXPECT_EQ(finding(loaded.report, "x42-inverse-parent-scale").severity, Severity::warning);
    effigy::x42::SceneOptions options;
    options.encoding = "nonsense";
    EXPECT_EQ(convert(builder.build(), options).report.count("encoding-unknown"), 1u);
}

// Joints.

TEST(X42Joints, AreTheDistinctInfluencesInTheirOrder) {
    FileBuilder builder = leg();
    const std::uint16_t hip = 0;
    builder.influence(hip, moved({0, -10, 0}));
    builder.influence(hip, moved({1, -10, 0}));
    builder.influence(no_bone, moved({0, 3, 0}));
    builder.influence(no_bone, identity);
    builder.influence(hip, moved({2, -10, 0}));
    const auto loaded = convert(builder.build());
    const Scene& scene = loaded.value;
    ASSERT_EQ(scene.skins.size(), 1u);
    const effigy::Skin& skin = scene.skins[0];
    std::vector<std::string> names;
    for (const Index joint : skin.joints) names.push_back(scene.nodes[joint].name);
    EXPECT_EQ(names, (std::vector<std::string>{"hip", "foot", "hip.2", "char", "char.2", "hip.3"}));
    EXPECT_EQ(scene.nodes[find(scene, "hip.2")].parent, find(scene, "hip"));
    EXPECT_EQ(scene.nodes[find(scene, "hip.2")].local, Transform{});
    EXPECT_EQ(skin.inverse_bind_matrices[2].m[12], 1);
    EXPECT_EQ(skin.inverse_bind_matrices[3].m[13], 3);
    EXPECT_EQ(skin.skeleton, find(scene, "char"));
    EXPECT_EQ(finding(loaded.report, "x42-several-binds").found, "1: hip");
    const Json extras = Json::parse(skin.extras.json);
    EXPECT_EQ(extras["influences"].size(), 7u);
    EXPECT_EQ(extras["influences"][2], 0);
    expect_writable(scene);
}

TEST(X42Joints, OfBonesThatDoNotExistFollowTheRoot) {
    FileBuilder builder = leg();
    builder.file.influences[1].bone = 77;
    const auto loaded = convert(builder.build());
    EXPECT_EQ(loaded.value.skins[0].joints[1], find(loaded.value, "char"));
    EXPECT_EQ(finding(loaded.report, "x42-influence-bone").severity, Severity::warning);
    expect_writable(loaded.value);
}

// Tags.

TEST(X42Tags, StandInTheirBone) {
    FileBuilder builder = leg();
    const auto tag = [&](const char* name, std::uint16_t bone, const Matrix& matrix) {
        builder.file.tags.push_back({builder.name(name), bone, matrix});
    };
    tag("tag_eye", 2, {0, 0, -1, 0, 1, 0, 1, 0, 0, 1, 2, 3});
    tag("tag_root", no_bone, moved({0, 1, 0}));
    const Matrix sheared{1, 2, 3, -4, 0.5f, 6, 0.1f, 1, -1, 7, 8, 9};
    tag("tag_sheared", 0, sheared);
    tag("tag_flat", no_bone, {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4});
    tag("tag_mirror", no_bone, {-2, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0});
    tag("tag_lost", 99, identity);
    tag("", 0, {nan, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    const auto loaded = convert(builder.build());
    const Scene& scene = loaded.value;
    expect_near(place(scene, "tag_eye"), {1, 2, 5});
    const Node& eye = scene.nodes[find(scene, "tag_eye")];
    EXPECT_EQ(eye.parent, find(scene, "foot"));
    EXPECT_NEAR(eye.local.rotation.y, std::sqrt(0.5), 1e-6);
    EXPECT_EQ(Json::parse(eye.extras.json)["tag"], 0);
    EXPECT_EQ(kept_file(scene).tags[0].matrix, builder.file.tags[0].matrix);
    EXPECT_EQ(scene.nodes[find(scene, "tag_root")].parent, find(scene, "char"));
    for (const auto& [name, bone, number] : {std::tuple("tag_sheared", "hip", 2), std::tuple("tag_flat", "char", 3),
                                             std::tuple("tag_mirror", "char", 4)}) {
        const glm::dmat4 above = world(scene, find(scene, bone));
        const glm::dmat4 is = glm::inverse(above) * world(scene, find(scene, name));
        const Matrix& wanted = builder.file.tags[static_cast<std::size_t>(number)].matrix;
        for (int i = 0; i < 12; ++i) {
            EXPECT_NEAR(is[i / 3][i % 3], static_cast<double>(wanted[static_cast<std::size_t>(i)]), 1e-5)
                << name << " " << i;
        }
    }
    EXPECT_NE(finding(loaded.report, "scale-baked").found.find("tag_sheared"), std::string::npos);
    EXPECT_EQ(scene.nodes[find(scene, "tag_lost")].parent, find(scene, "char"));
    EXPECT_EQ(finding(loaded.report, "x42-tag-bone").severity, Severity::warning);
    (void)find(scene, "tag6");
    expect_writable(scene);
}

// Several models.

TEST(X42Models, JoinByTheNamesOfBones) {
    FileBuilder head;
    const auto foot = head.bone("foot", no_bone, {0, 1, 0});
    head.bone("toe", foot, {0, 0, 3});
    head.bone("foot", no_bone, {0, 0, 0});
    head.bone("", no_bone, {0, 0, 0});
    head.influence(foot, moved({0, 0, -9}));
    auto& group = head.triangle("hat");
    group.vertex_influences = 1;
    group.influence_count = 1;
    head.blend({0, 0, 0});
    effigy::x42::SceneInput input;
    input.models.push_back(model("char", leg().build()));
    input.models.push_back(model("head", head.build()));
    const auto loaded = convert(std::move(input));
    const Scene& scene = loaded.value;
    expect_near(place(scene, "foot"), {0, 0, 2});
    expect_near(place(scene, "toe"), {0, 0, 5});
    EXPECT_EQ(scene.nodes[find(scene, "toe")].parent, find(scene, "foot"));
    const auto feet =
        std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.name == "foot"; });
    EXPECT_EQ(feet, 2) << "a model's own bones of one name stay two";
    ASSERT_EQ(scene.skins.size(), 2u);
    EXPECT_EQ(scene.skins[1].joints[0], find(scene, "foot"));
    EXPECT_EQ(scene.skins[1].inverse_bind_matrices[0].m[14], -9);
    EXPECT_EQ(scene.skins[1].skeleton, find(scene, "char"));
    EXPECT_EQ(finding(loaded.report, "binds-differ").found, "1: foot");
    EXPECT_EQ(scene.nodes[find(scene, "head.mesh")].skin, 1u);
    const Json extras = record_of(scene.asset_extras);
    ASSERT_EQ(extras["parts"].size(), 1u);
    EXPECT_EQ(kept_file(extras["parts"][0]).bones.size(), 4u);
    expect_writable(scene);
}

// Extras of the whole, and what cannot be shown.

TEST(X42Extras, KeepTheHeader) {
    FileBuilder builder = leg();
    builder.file.big_endian = true;
    builder.file.header.base_frame = -3;
    builder.file.header.bounds_low = {1, nan, 3};
    builder.file.header.sphere_radius = 12;
    builder.file.header.padding = 5;
    builder.file.animation_groups.push_back({builder.name("legs"), 0, 4});
    builder.file.animations.push_back({builder.name("walk"), 0, 1, 0, 1, 25});
    builder.file.trailing.assign(2, std::byte{1});
    effigy::x42::SceneInput input;
    input.models.push_back({{"char", 99, "xxh3:0123456789abcdef"}, builder.build()});
    input.skins.push_back({{"default", 3, {}}, {}});
    const auto loaded = convert(std::move(input));
    const Json extras = Json::parse(loaded.value.asset_extras.json);
    EXPECT_EQ(extras["version"], 1);
    EXPECT_EQ(extras["source"]["format"], "x42");
    EXPECT_EQ(extras["source"]["version"], "101");
    EXPECT_EQ(extras["source"]["hash"], "xxh3:0123456789abcdef");
    EXPECT_EQ(extras["source"]["size"], 99);
    const effigy::x42::File file = kept_file(loaded.value);
    EXPECT_TRUE(file.big_endian);
    EXPECT_EQ(file.header.base_frame, -3);
    EXPECT_TRUE(std::isnan(file.header.bounds_low.y));
    EXPECT_EQ(file.header.padding, 5);
    EXPECT_EQ(file.pack.texcoords[1].low, -32765);
    EXPECT_EQ(name_of(file, file.animation_groups[0].name), "legs");
    EXPECT_EQ(file.animations[0].frame_rate, 25);
    EXPECT_EQ(file.trailing, Bytes(2, std::byte{1}));
    EXPECT_EQ(extras["companions"][0]["source"]["format"], "skin");
    EXPECT_EQ(loaded.value.name, "char");
}

TEST(X42Scene, RefusesWhatHasNothingToShow) {
    const auto nothing = effigy::x42::to_scene({});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, "nothing-to-show");
    effigy::x42::SceneInput input;
    input.models.push_back(model("empty", FileBuilder().build()));
    const auto empty = effigy::x42::to_scene(std::move(input));
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().code, "nothing-to-show");
}

TEST(X42Scene, StopsAtTheLimitWhereEveryBoneHasOneLongName) {
    FileBuilder builder;
    const std::uint16_t name = builder.name(std::string(60000, 'x'));
    for (int i = 0; i < 60000; ++i) builder.file.bones.push_back({name, 0, no_bone, 0, 0});
    effigy::x42::SceneInput input;
    input.models.push_back(model("names", builder.file));
    const auto loaded = effigy::x42::to_scene(std::move(input));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "limit-memory");
}

TEST(X42Scene, BearsALongChainOfGrowingBones) {
    FileBuilder builder;
    for (int i = 0; i < 3000; ++i) {
        builder.bone("b" + std::to_string(i), i == 0 ? no_bone : static_cast<std::uint16_t>(i - 1), {1, 0, 0});
    }
    File file = builder.build();
    std::fill(file.scales.begin(), file.scales.end(), std::uint16_t{65000});
    builder.influence(2999, moved({1, 0, 0}));
    file.influences = builder.file.influences;
    const auto loaded = convert(file);
    EXPECT_EQ(loaded.value.nodes.size(), 3001u);
    EXPECT_EQ(loaded.report.count("x42-influence-singular"), 1u);
    expect_writable(loaded.value);
}

}  // namespace
}  // namespace effigy::test::x42
