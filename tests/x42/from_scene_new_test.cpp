/// Scenes without records: from another tool, or edited.

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/image.hpp"
#include "effigy/poser.hpp"
#include "effigy/x42_scene.hpp"

#include "gltf/rich_scene.hpp"
#include "scene/records.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_matrix.hpp"
#include "scene/worlds.hpp"
#include "x42/from_scene/folder.hpp"
#include "x42/from_scene_files.hpp"
#include "x42/raw_x42.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

using effigy::x42::from_scene;
using effigy::x42::FromSceneOptions;
using effigy::x42::NativeFiles;

Scene figure_scene(unsigned flags = all_flags) {
    auto read = effigy::x42::read(make(figure(flags)));
    return convert(std::move(read->value)).value;
}

void strip_extras(Scene& scene) {
    const auto strip = [](auto& objects) {
        for (auto& one : objects) one.extras = {};
    };
    strip(scene.nodes);
    strip(scene.meshes);
    strip(scene.materials);
    strip(scene.skins);
    strip(scene.clips);
    scene.asset_extras = {};
}

/// The file; fails the test if there is none, or if it has findings.
NativeFiles made(const Scene& scene, const FromSceneOptions& options = {}) {
    auto files = from_scene(scene, options);
    EXPECT_TRUE(files) << to_string(files.error());
    if (!files) return {};
    const Report findings = effigy::x42::check(files->value.model);
    for (const Diagnostic& one : findings.diagnostics()) ADD_FAILURE() << to_string(one);
    const auto bytes = effigy::x42::write(files->value.model);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    if (bytes) {
        const auto again = effigy::x42::read(*bytes);
        EXPECT_TRUE(again && again->report.empty());
    }
    return std::move(files->value);
}

/// At the corners of all triangles that are drawn at a moment.
std::vector<glm::dvec3> at_corners(const Scene& scene, Index clip, double time, int level,
                                   std::span<const Vec3> playback::VertexView::*what) {
    playback::PoserOptions options;
    options.level = level;
    auto poser = playback::Poser::make(scene, options);
    EXPECT_TRUE(poser) << to_string(poser.error());
    if (!poser) return {};
    EXPECT_TRUE(poser->pose(clip, time, false));
    std::vector<glm::dvec3> result;
    for (const playback::PosedMesh& posed : poser->meshes()) {
        for (const Primitive& primitive : scene.meshes[posed.mesh].primitives) {
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                for (const std::uint32_t i : {a, posed.mirrored ? c : b, posed.mirrored ? b : c})
                    result.push_back(wide((posed.vertices.*what)[primitive.first_vertex + i]));
            });
        }
    }
    return result;
}

std::vector<glm::dvec3> corners(const Scene& scene, Index clip, double time, int level = 0) {
    return at_corners(scene, clip, time, level, &playback::VertexView::positions);
}

std::vector<glm::dvec3> normals_at_corners(const Scene& scene, Index clip, double time) {
    return at_corners(scene, clip, time, 0, &playback::VertexView::normals);
}

double max_difference(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
    EXPECT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, glm::distance(a[i], b[i]));
    return most;
}

/// A node with a mesh of its own: a triangle, and what `change` makes of it.
Index add_triangle(Scene& scene, Index parent, const std::string& name) {
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.name = name;
    mesh.vertex_count = 3;
    Attribute& positions = mesh.attributes.emplace_back();
    positions.data = make_accessor<float>(ElementType::vec3, ComponentType::f32, false, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = 3;
    primitive.indices = {0, 1, 2};
    const auto node = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = name;
    scene.nodes[node].mesh = static_cast<Index>(scene.meshes.size() - 1);
    if (parent != no_index) add_child(scene, parent, node);
    return node;
}

Track& add_track(Scene& scene, Index node, TrackPath path, Interpolation way, std::vector<float> times,
                 std::vector<float> values) {
    if (scene.clips.empty()) scene.clips.emplace_back().name = "move";
    Track& track = scene.clips.back().tracks.emplace_back();
    track.node = node;
    track.path = path;
    track.interpolation = way;
    track.times.assign(times.begin(), times.end());
    track.values.assign(values.begin(), values.end());
    scene.clips.back().duration = std::max(scene.clips.back().duration, times.back());
    return track;
}

TEST(X42FromSceneNew, FiguresWithoutRecordsMoveAsBefore) {
    for (const unsigned flags : {0u, 1u, 3u, 4u, 8u, all_flags}) {
        Scene before = figure_scene(flags);
        strip_extras(before);
        const Scene after = convert(made(before).model).value;
        ASSERT_EQ(after.clips.size(), before.clips.size());
        double error = 0, between = 0;
        for (Index clip = 0; clip < before.clips.size(); ++clip) {
            for (int frame = 0; frame <= std::lround(30 * before.clips[clip].duration); ++frame) {
                const double time = frame / 30.0, later = (frame + 0.4) / 30;
                for (const int level : {0, 1}) {
                    error = std::max(
                        error, max_difference(corners(before, clip, time, level), corners(after, clip, time, level)));
                    between = std::max(between, max_difference(corners(before, clip, later, level),
                                                               corners(after, clip, later, level)));
                }
            }
        }
        std::cout << "flags " << flags << ": vertices off by at most " << error << " at frames, " << between
                  << " between them\n";
        EXPECT_LT(error, 4e-3);
        EXPECT_EQ(after.materials.size(), before.materials.size());
        for (std::size_t i = 0; i < after.materials.size(); ++i)
            EXPECT_EQ(after.materials[i].name, before.materials[i].name);
    }
}

TEST(X42FromSceneNew, FindingsNumberWhatHasNoName) {
    Scene scene;
    add_triangle(scene, no_index, "");
    scene.nodes.emplace_back();
    scene.materials.emplace_back().double_sided = true;
    for (const std::uint32_t set : {0u, 1u}) {
        Attribute& texcoords = scene.meshes[0].attributes.emplace_back();
        texcoords.semantic = Semantic::texcoord;
        texcoords.set = set;
        texcoords.data = make_accessor<float>(ElementType::vec2, ComponentType::f32, false, {0, 0, 1, 0, 0, 1});
    }
    const auto files = from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    std::vector<std::string> found;
    for (const Diagnostic& one : files->report.diagnostics()) found.push_back(one.code + " " + one.found);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (std::vector<std::string>{"x42-material-reduced 1: material 0", "x42-node-left-out 1: node 1",
                                               "x42-sets-left-out 1: mesh 0"}));
}

TEST(X42FromSceneNew, EditedMeshesKeepTheRest) {
    Scene scene = figure_scene();
    set_untouched(scene);
    const auto read = effigy::x42::read(make(figure()));
    scene.meshes[0].extras.hash = 0;
    const NativeFiles files = made(scene);
    EXPECT_EQ(files.model.keys.size(), read->value.keys.size());
    EXPECT_EQ(files.model.animations.size(), read->value.animations.size());
    EXPECT_EQ(files.model.pack.vertex_positions, read->value.pack.vertex_positions);
    ASSERT_EQ(files.model.groups.size(), read->value.groups.size());
    for (std::size_t i = 0; i < files.model.groups.size(); ++i) {
        EXPECT_EQ(name_of(files.model, files.model.groups[i].surface),
                  name_of(read->value, read->value.groups[i].surface));
    }
}

TEST(X42FromSceneNew, EditedClipsComeInTheirOrder) {
    Scene scene = figure_scene();
    set_untouched(scene);
    std::swap(scene.clips[0], scene.clips[1]);
    scene.clips[0].extras.hash = 0;
    const NativeFiles files = made(scene);
    ASSERT_EQ(files.model.animations.size(), 2u);
    EXPECT_EQ(name_of(files.model, files.model.animations[0].name), scene.clips[1].name);
    EXPECT_EQ(files.model.lods.size(), 2u);
    EXPECT_EQ(files.model.animation_groups.size(), 2u);
}

TEST(X42FromSceneNew, ScenesThatLookElsewhereAreTurned) {
    Scene before = figure_scene();
    strip_extras(before);
    before.facing = 0;
    const Scene after = convert(made(before).model).value;
    std::vector<glm::dvec3> turned = corners(before, 0, 0.1);
    // What looked along +Z looks along -X now.
    for (glm::dvec3& v : turned) v = {-v.z, v.y, v.x};
    EXPECT_LT(max_difference(turned, corners(after, 0, 0.1)), 4e-3);
}

/// Programs may drop what the asset and the scene say, and keep what the nodes do.
TEST(X42FromSceneNew, RecordsOfNodesAloneSayWhereAModelLooks) {
    Scene scene = figure_scene();
    set_untouched(scene);
    Index tag = 0;
    while (scene.nodes[tag].extras.json.find("\"tag\"") == std::string::npos) ASSERT_LT(++tag, scene.nodes.size());
    scene.nodes[tag].name = "hand";  // nothing but its record says what it is
    scene.asset_extras = {};
    const auto glb = gltf::write_glb(scene);
    ASSERT_TRUE(glb);
    const auto file = gltf::read(*glb);
    ASSERT_TRUE(file);
    const auto again = gltf::to_scene(file->value);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->value.facing, -90);
    const effigy::x42::File model = made(again->value).model;
    EXPECT_LT(max_difference(corners(scene, 0, 0.1), corners(convert(model).value, 0, 0.1)), 4e-3);
    const auto is_called_hand = [&](const auto& one) { return name_of(model, one.name) == "hand"; };
    EXPECT_TRUE(std::any_of(model.tags.begin(), model.tags.end(), is_called_hand));
}

TEST(X42FromSceneNew, RigidMeshesFollowTheirNodes) {
    Scene scene;
    scene.facing = -90;
    scene.nodes.emplace_back().name = "armature";
    scene.nodes[0].local.scale = {2, 2, 2};
    scene.nodes[0].local.rotation = {0, 0.70710678f, 0, 0.70710678f};
    scene.nodes.emplace_back().name = "arm";
    add_child(scene, 0, 1);
    scene.nodes[1].local.translation = {1, 2, 3};
    const Index moving = add_triangle(scene, 1, "moving"), still = add_triangle(scene, 0, "still");
    scene.nodes[still].local.scale = {-1, 1, 1};
    scene.nodes[moving].local.translation = {0, 5, 0};
    add_track(scene, 1, TrackPath::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0});
    add_track(scene, 1, TrackPath::translation, Interpolation::cubic_spline, {0, 1},
              {0, 0, 0, 1, 2, 3, 9, 0, 0, 0, 9, 0, 4, 5, 6, 0, 0, 0});
    const NativeFiles files = made(scene);
    const Scene after = convert(files.model).value;
    EXPECT_EQ(files.model.bones.size(), 1u);
    double error = 0;
    for (double time = 0; time <= 1; time += 1.0 / 30)
        error = std::max(error, max_difference(corners(scene, 0, time), corners(after, 0, time)));
    EXPECT_LT(error, 2e-3);
}

TEST(X42FromSceneNew, UnevenNodesAboveBonesBecomeBones) {
    Scene scene;
    scene.facing = -90;
    scene.nodes.emplace_back().name = "uneven";
    scene.nodes[0].local.scale = {1, 2, 3};
    const Index moving = add_triangle(scene, 0, "moving");
    add_track(scene, moving, TrackPath::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, 0.6f, 0.8f});
    const NativeFiles files = made(scene);
    EXPECT_EQ(files.model.bones.size(), 2u);
    EXPECT_LT(max_difference(corners(scene, 0, 0.5), corners(convert(files.model).value, 0, 0.5)), 2e-3);
}

/// Modelling programs put a scale above the skeleton, which bones get with their keys.
TEST(X42FromSceneNew, BoundsAreTheModelsBelowAScale) {
    for (const float scale : {1.0f, 0.01f, 40.0f}) {
        Scene scene;
        scene.facing = -90;
        scene.nodes.emplace_back().name = "armature";
        scene.nodes[0].local.scale = {scale, scale, scale};
        const Index moving = add_triangle(scene, 0, "moving");
        scene.nodes[moving].local.translation = {3, 0, 0};
        add_track(scene, moving, TrackPath::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, 0.6f, 0.8f});
        const NativeFiles files = made(scene);
        ASSERT_EQ(files.model.bones.size(), 1u);
        EXPECT_NEAR(files.model.bones[0].extent, scale, 1e-4f * scale);
        EXPECT_NEAR(files.model.header.bounds_low.x, 3 * scale, 1e-4f * scale);
        EXPECT_NEAR(files.model.header.bounds_high.x, 4 * scale, 1e-4f * scale);
        EXPECT_NEAR(files.model.header.sphere_radius, scale * std::sqrt(0.5f), 1e-4f * scale);
    }
}

TEST(X42FromSceneNew, SaysThatAScaledArmatureMovesInCoarseSteps) {
    for (const float scale : {1.0f, 0.1f, 0.01f, 0.001f}) {
        Scene scene;
        scene.facing = -90;
        scene.nodes.emplace_back().name = "armature";
        scene.nodes[0].local.scale = {scale, scale, scale};
        const Index hip = add_triangle(scene, 0, "hip");
        const Index chest = add_triangle(scene, hip, "chest");
        scene.nodes[hip].local.translation = {0, 1 / scale, 0};
        scene.nodes[chest].local.translation = {0, 1 / scale, 0};
        for (const Index node : {hip, chest})
            add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 1},
                      {0, 1 / scale, 0, 0, 1.1f / scale, 0});
        EXPECT_EQ(x42::from_scene(scene, {}).value().report.count("x42-positions-coarse"), scale < 0.05f ? 1u : 0u)
            << scale;
    }
}

/// A skin on two joints below an armature with a scale, a prop in the hand and a tag, all in the armature's units.
Scene scaled_armature(float scale) {
    Scene scene;
    scene.asset_extras.json = R"({"source":{"format":"xac"}})";  // that it is not the format's own
    scene.facing = -90;
    scene.nodes.emplace_back().name = "armature";
    scene.nodes[0].local.scale = {scale, scale, scale};
    const auto joint = [&](const std::string& name, Index parent, float height) {
        const auto node = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = name;
        scene.nodes[node].local.translation = {0, height / scale, 0};
        add_child(scene, parent, node);
        return node;
    };
    const Index hip = joint("hip", 0, 1), chest = joint("chest", hip, 0.5f), hand = joint("hand", chest, 0.25f);
    scene.nodes[chest].local.scale = {2, 2, 2};
    const Index tag = joint("tag_weapon", hand, 0.25f);
    const Index prop = add_triangle(scene, hand, "prop");
    scene.nodes[prop].local.scale = {0.1f / scale, 0.1f / scale, 0.1f / scale};
    EXPECT_EQ(scene.nodes[tag].parent, hand);
    const Index carrier = add_triangle(scene, no_index, "skin");
    Mesh& mesh = scene.meshes[scene.nodes[carrier].mesh];
    Attribute numbers, weights;
    numbers.semantic = Semantic::joints;
    numbers.data =
        make_accessor<std::uint8_t>(ElementType::vec4, ComponentType::u8, false, {0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 0, 0});
    weights.semantic = Semantic::weights;
    weights.data = make_accessor<float>(ElementType::vec4, ComponentType::f32, false,
                                        {1, 0, 0, 0, 0.8f, 0.2f, 0, 0, 0.6f, 0.4f, 0, 0});
    mesh.attributes.push_back(std::move(numbers));
    mesh.attributes.push_back(std::move(weights));
    scene.nodes[carrier].skin = 0;
    effigy::Skin& skin = scene.skins.emplace_back();
    skin.joints = {hip, chest, hand};
    const std::vector<glm::dmat4> worlds = rest_worlds(scene);
    for (const Index one : skin.joints) skin.inverse_bind_matrices.push_back(narrow(glm::inverse(worlds[one])));
    add_track(scene, hip, TrackPath::translation, Interpolation::linear, {0, 1},
              {0, 1 / scale, 0, 0.3f / scale, 1.1f / scale, 0});
    add_track(scene, chest, TrackPath::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, 0.6f, 0.8f});
    return scene;
}

glm::dvec3 place_of(const Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& n) { return n.name == name; });
    EXPECT_NE(found, scene.nodes.end()) << name;
    if (found == scene.nodes.end()) return {};
    return rest_worlds(scene)[static_cast<std::size_t>(found - scene.nodes.begin())][3];
}

/// Where the tag is, and how it turns and stretches, at a moment of the first clip.
std::vector<glm::dvec3> posed_tag(const Scene& scene, double time) {
    auto poser = playback::Poser::make(scene, {});
    EXPECT_TRUE(poser && poser->pose(0, time, false));
    if (!poser) return {};
    const glm::dmat4 matrix = wide(poser->models()[poser->skeleton().joints[find(scene, "tag_weapon")]]);
    return {matrix[0], matrix[1], matrix[2], matrix[3]};
}

/// Modelling programs put scales above skeletons. All positions of bones share the steps that the format has.
TEST(X42FromSceneNew, ScalesAboveJointsCostNoSteps) {
    const std::vector<std::function<void(Scene&)>> changes{
        [](Scene&) {},
        [](Scene& s) {
            s.nodes[1].local.scale = {1, 2, 1};
        },
        [](Scene& s) {
            add_track(s, 2, TrackPath::scale, Interpolation::linear, {0, 1}, {2, 2, 2, 1, 3, 1});
        },
        [](Scene& s) {
            s.nodes[0].matrix = narrow(glm::translate(glm::dmat4(1), {1, 0, 0}) * local_matrix(s.nodes[0]));
        }};
    for (const float scale : {1.0f, 0.01f, 0.001f, 40.0f}) {
        for (std::size_t change = 0; change < changes.size(); ++change) {
            Scene scene = scaled_armature(scale);
            changes[change](scene);
            const NativeFiles files = made(scene);
            const Scene after = convert(files.model).value;
            for (const double time : {0.0, 0.5, 1.0})
                EXPECT_LT(max_difference(corners(scene, 0, time), corners(after, 0, time)), 2e-4)
                    << scale << ' ' << change << ' ' << time;
            EXPECT_LT(glm::distance(place_of(scene, "tag_weapon"), place_of(after, "tag_weapon")), 2e-4)
                << scale << ' ' << change;
        }
    }
    EXPECT_TRUE(from_scene(scaled_armature(0.001f)).value().report.empty());
}

/// Viewers and the game turn normals of skinned meshes as they turn positions, whatever bones are scaled by.
TEST(X42FromSceneNew, NormalsOfSkinnedMeshesFollowTheirJointsBelowAnUnevenScale) {
    Scene scene = scaled_armature(1);
    scene.nodes[0].local.scale = {1, 2, 1};
    scene.nodes[0].local.rotation = {0.3f, 0.1f, 0.2f, std::sqrt(0.86f)};
    scene.nodes[find(scene, "prop")].mesh = no_index;
    Attribute normals;
    normals.semantic = Semantic::normal;
    normals.data = make_accessor<float>(ElementType::vec3, ComponentType::f32, false,
                                        {0.6f, 0.8f, 0, 0, 0.6f, 0.8f, -0.48f, 0.64f, 0.6f});
    scene.meshes[scene.nodes[find(scene, "skin")].mesh].attributes.push_back(std::move(normals));
    const Scene after = convert(made(scene).model).value;
    for (const double time : {0.0, 0.5, 1.0}) {
        EXPECT_LT(max_difference(corners(scene, 0, time), corners(after, 0, time)), 5e-4) << time;
        EXPECT_LT(max_difference(normals_at_corners(scene, 0, time), normals_at_corners(after, 0, time)), 1e-2) << time;
    }
}

/// Two bones say what one cannot.
TEST(X42FromSceneNew, ShearOfNodesStays) {
    glm::dmat4 shear(1);
    shear[1][0] = 0.5;
    for (const char* sheared : {"armature", "chest", "tag_weapon", "prop"}) {
        Scene scene = scaled_armature(2);
        scene.clips[0].tracks.pop_back();
        Node& node = scene.nodes[find(scene, sheared)];
        node.matrix = narrow(local_matrix(node) * shear);
        const auto files = from_scene(scene);
        ASSERT_TRUE(files) << to_string(files.error());
        EXPECT_TRUE(files->report.empty()) << sheared << ": " << to_string(files->report.diagnostics()[0]);
        EXPECT_TRUE(effigy::x42::check(files->value.model).empty()) << sheared;
        const bool is_bone = sheared == std::string("armature") || sheared == std::string("chest");
        EXPECT_EQ(files->value.model.bones.size(), is_bone ? (sheared[0] == 'a' ? 5u : 4u) : 3u) << sheared;
        const Scene after = convert(files->value.model).value;
        for (const double time : {0.0, 0.5, 1.0}) {
            EXPECT_LT(max_difference(corners(scene, 0, time), corners(after, 0, time)), 5e-4) << sheared << ' ' << time;
            EXPECT_LT(max_difference(posed_tag(scene, time), posed_tag(after, time)), 5e-4) << sheared << ' ' << time;
        }
    }
}

TEST(X42FromSceneNew, StepsTakeOneFrame) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "jumps");
    add_track(scene, node, TrackPath::translation, Interpolation::step, {0, 0.5f, 1}, {0, 0, 0, 8, 0, 0, 0, 0, 0});
    const Scene after = convert(made(scene).model).value;
    EXPECT_NEAR(corners(after, 0, 14.0 / 30)[0].x, 0, 1e-3);
    EXPECT_NEAR(corners(after, 0, 0.5)[0].x, 8, 1e-3);
    EXPECT_NEAR(corners(after, 0, 29.0 / 30)[0].x, 8, 1e-3);
    EXPECT_NEAR(corners(after, 0, 1)[0].x, 0, 1e-3);
}

/// The game turns faster in the middle of a long way than glTF.
TEST(X42FromSceneNew, FastTurnsAreRightAtEveryFrame) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "rotor");
    std::vector<float> values;
    for (const float degrees : {0.0f, 161.0f, 271.0f}) {
        const float half = glm::radians(degrees) / 2;
        values.insert(values.end(), {0, 0, std::sin(half), std::cos(half)});
    }
    add_track(scene, node, TrackPath::rotation, Interpolation::linear, {0, 0.3f, 0.8f}, values);
    const Scene after = convert(made(scene).model).value;
    for (int frame = 0; frame <= 24; ++frame)
        EXPECT_LT(max_difference(corners(scene, 0, frame / 30.0), corners(after, 0, frame / 30.0)), 3e-4) << frame;
}

/// Many triangles, each on joints of its own.
Scene many_joints(std::size_t joints) {
    Scene scene;
    scene.facing = -90;
    const Index carrier = add_triangle(scene, no_index, "skin");
    Mesh& mesh = scene.meshes[0];
    std::vector<float> positions, weights;
    std::vector<std::uint16_t> numbers;
    Primitive& primitive = mesh.primitives[0];
    primitive.indices.clear();
    Skin& skin = scene.skins.emplace_back();
    for (std::size_t i = 0; i < joints; ++i) {
        Node& node = scene.nodes.emplace_back();
        node.name = "j" + std::to_string(i);
        node.local.translation = {static_cast<float>(i), 0, 0};
        skin.joints.push_back(static_cast<Index>(i + 1));
        Mat4 bind;
        bind.m[12] = -static_cast<float>(i);
        skin.inverse_bind_matrices.push_back(bind);
        for (std::size_t corner = 0; corner < 3; ++corner) {
            positions.insert(positions.end(),
                             {static_cast<float>(i), static_cast<float>(corner), static_cast<float>(corner % 2)});
            numbers.insert(numbers.end(),
                           {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>((i + 1) % joints), 0, 0});
            weights.insert(weights.end(), {0.75f, 0.25f, 0, 0});
            primitive.indices.push_back(static_cast<std::uint32_t>(3 * i + corner));
        }
    }
    primitive.vertex_count = mesh.vertex_count = static_cast<std::uint32_t>(3 * joints);
    mesh.attributes[0].data = make_accessor<float>(ElementType::vec3, ComponentType::f32, false, positions);
    Attribute joint_numbers, joint_weights;
    joint_numbers.semantic = Semantic::joints;
    joint_numbers.data = make_accessor<std::uint16_t>(ElementType::vec4, ComponentType::u16, false, numbers);
    joint_weights.semantic = Semantic::weights;
    joint_weights.data = make_accessor<float>(ElementType::vec4, ComponentType::f32, false, weights);
    mesh.attributes.push_back(std::move(joint_numbers));
    mesh.attributes.push_back(std::move(joint_weights));
    scene.nodes[carrier].skin = 0;
    return scene;
}

TEST(X42FromSceneNew, GroupsAreSplitByTheirPalettes) {
    const Scene scene = many_joints(150);
    for (const std::uint32_t most : {60u, 20u, 1u}) {
        FromSceneOptions options;
        options.max_bones = most;
        const NativeFiles files = made(scene, options);
        EXPECT_EQ(files.model.bones.size(), 150u);
        EXPECT_GT(files.model.groups.size(), 2u);
        for (const effigy::x42::Group& group : files.model.groups)
            EXPECT_LE(group.influence_count, std::max(12u, most));
        EXPECT_LT(max_difference(corners(scene, no_index, 0), corners(convert(files.model).value, no_index, 0)), 3e-3);
    }
}

TEST(X42FromSceneNew, WideMeshesAreSplitByTheirVertices) {
    Scene scene;
    scene.facing = -90;
    add_triangle(scene, no_index, "wide");
    Mesh& mesh = scene.meshes[0];
    constexpr std::uint32_t count = 90000;
    std::vector<float> positions;
    Primitive& primitive = mesh.primitives[0];
    primitive.indices.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        positions.insert(positions.end(), {static_cast<float>(i % 300), static_cast<float>(i / 300), 0});
        primitive.indices.push_back(i);
    }
    primitive.vertex_count = mesh.vertex_count = count;
    mesh.attributes[0].data = make_accessor<float>(ElementType::vec3, ComponentType::f32, false, positions);
    EXPECT_EQ(made(scene).model.groups.size(), 2u);
}

TEST(X42FromSceneNew, LinesAndPointsStay) {
    Scene scene;
    scene.facing = -90;
    add_triangle(scene, no_index, "mixed");
    Mesh& mesh = scene.meshes[0];
    for (const Topology topology : {Topology::points, Topology::lines, Topology::line_strip}) {
        Primitive primitive;
        primitive.vertex_count = 3;
        primitive.indices = {2, 0};
        primitive.topology = topology;
        mesh.primitives.push_back(std::move(primitive));
    }
    const NativeFiles files = made(scene);
    ASSERT_EQ(files.model.groups.size(), 4u);
    EXPECT_EQ(files.model.groups[1].type, effigy::x42::PrimitiveType::points);
    EXPECT_EQ(files.model.groups[1].first_index, effigy::x42::no_indices);
    EXPECT_EQ(files.model.groups[3].type, effigy::x42::PrimitiveType::lines);
}

TEST(X42FromSceneNew, NamesMakeTags) {
    Scene scene;
    scene.facing = -90;
    const Index hand = add_triangle(scene, no_index, "hand");
    add_track(scene, hand, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0});
    for (const char* name : {"tag_weapon", "TAG_Weapon", "weapon"}) {
        scene.nodes.emplace_back().name = name;
        scene.nodes.back().local.translation = {0, 3, 0};
        add_child(scene, hand, static_cast<Index>(scene.nodes.size() - 1));
    }
    const auto loaded = from_scene(scene);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->report.count("x42-node-left-out"), 1u);
    const File& file = loaded->value.model;
    ASSERT_EQ(file.tags.size(), 2u);
    EXPECT_EQ(name_of(file, file.tags[0].name), "tag_weapon");
    EXPECT_EQ(name_of(file, file.tags[1].name), "TAG_Weapon.2");
    EXPECT_EQ(file.tags[0].bone, 0);
    EXPECT_EQ(file.tags[0].matrix, moved({0, 3, 0}));
    EXPECT_TRUE(effigy::x42::check(file).empty());
}

/// Lines of a .skin are parted by blanks.
TEST(X42FromSceneNew, TagsOfTheGameHaveNoBlanks) {
    Scene scene;
    scene.facing = -90;
    const Index hand = add_triangle(scene, no_index, "hand");
    for (const char* name : {"tag_a b", "tag_a_b", "tag_v1.5-c"}) {
        scene.nodes.emplace_back().name = name;
        add_child(scene, hand, static_cast<Index>(scene.nodes.size() - 1));
    }
    const auto names = [&](const FromSceneOptions& options) {
        const File file = made(scene, options).model;
        std::vector<std::string> result;
        for (const auto& tag : file.tags) result.emplace_back(name_of(file, tag.name));
        return result;
    };
    EXPECT_EQ(names({}), (std::vector<std::string>{"tag_a b", "tag_a_b", "tag_v1.5-c"}));
    FromSceneOptions options;
    options.shader_folder = "models/players/hero/";
    EXPECT_EQ(names(options), (std::vector<std::string>{"tag_a_b", "tag_a_b.2", "tag_v1.5-c"}));
}

TEST(X42FromSceneNew, TagsThatAFileHadKeepTheirNamesInTheGame) {
    FileBuilder builder;
    builder.bone("root", effigy::x42::no_bone);
    builder.triangle("body");
    builder.file.tags.push_back({builder.name("tag_a b"), 0, moved({})});
    Scene scene = convert(builder.build()).value;
    FromSceneOptions options;
    options.shader_folder = "models/players/hero/";
    const File kept = from_scene(scene, options).value().value.model;
    EXPECT_EQ(name_of(kept, kept.tags.at(0).name), "tag_a b");
    scene.nodes[find(scene, "tag_a b")].name = "tag_c d";
    const File renamed = from_scene(scene, options).value().value.model;
    EXPECT_EQ(name_of(renamed, renamed.tags.at(0).name), "tag_c_d");
}

/// The game's tables of animations ignore case.
TEST(X42FromSceneNew, ClipsOfTheGameDifferInMoreThanCase) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "node");
    for (const char* name : {"Walk", "walk", "run"}) {
        scene.clips.emplace_back().name = name;
        add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0});
    }
    const auto names = [&](const FromSceneOptions& options) {
        const NativeFiles files = made(scene, options);
        std::vector<std::string> result;
        for (const auto& line : files.config.animations) result.push_back(line.name);
        for (std::size_t i = 0; i < result.size(); ++i)
            EXPECT_EQ(name_of(files.model, files.model.animations[i].name), result[i]);
        return result;
    };
    EXPECT_EQ(names({}), (std::vector<std::string>{"Walk", "walk", "run"}));
    FromSceneOptions options;
    options.shader_folder = "models/players/hero/";
    EXPECT_EQ(names(options), (std::vector<std::string>{"Walk", "walk.2", "run"}));
    set_record(scene.clips[1].extras, {{"kind", "animation"}, {"name", "walk"}});  // which the file called so
    EXPECT_EQ(names(options), (std::vector<std::string>{"Walk.2", "walk", "run"}));
}

/// What looks different must not become one shader because programs let it have one name.
TEST(X42FromSceneNew, MaterialsOfOneNameThatLookDifferentAreTwoShaders) {
    Scene scene;
    scene.facing = -90;
    for (Index i = 0; i < 4; ++i) {
        scene.meshes[scene.nodes[add_triangle(scene, no_index, "mesh")].mesh].primitives[0].material = i;
        scene.materials.emplace_back().name = "Mat";
    }
    scene.materials[1].base_color = {1, 0, 0, 1};
    scene.materials[3].base_color = {0, 1, 0, 1};
    const auto shaders = [&] {
        const File file = made(scene).model;
        std::vector<std::string> result;
        for (const auto& group : file.groups) result.emplace_back(name_of(file, group.material));
        return result;
    };
    EXPECT_EQ(shaders(), (std::vector<std::string>{"Mat", "Mat_2", "Mat", "Mat_3"}));
    set_record(scene.materials[3].extras, {{"shader", "Mat"}});  // which the file called so
    EXPECT_EQ(shaders(), (std::vector<std::string>{"Mat_2", "Mat_3", "Mat_2", "Mat"}));
}

/// A character for the game: what its groups are called, and the texts and names of the files beside it.
struct Character {
    File model;
    std::vector<std::string> shaders{};
    std::string names{}, skin{}, script{};
};

Character character_of(const Scene& scene) {
    FromSceneOptions options;
    options.shader_folder = "models/players/hero/";
    Character character{made(scene, options).model};
    for (const auto& group : character.model.groups)
        character.shaders.emplace_back(name_of(character.model, group.material));
    Loaded<std::vector<NewFile>> files;
    EXPECT_TRUE(effigy::x42::add_character(scene, character.model, options, {}, files));
    for (const NewFile& file : files.value) {
        character.names += file.name + "\n";
        const std::string text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
        if (file.name.ends_with(".skin")) character.skin = text;
        if (file.name.ends_with(".shader")) character.script = text;
    }
    return character;
}

TEST(X42FromSceneNew, MaterialsThatShareATextureHaveScriptsOfTheirOwn) {
    const image::Picture picture{4, 4, Bytes(64, std::byte{255}), false, {}};
    Scene scene;
    scene.facing = -90;
    scene.images.push_back({"paint", "image/png", image::encode_png(picture).value(), {}, {}});
    for (const AlphaMode mode : {AlphaMode::opaque, AlphaMode::mask, AlphaMode::blend, AlphaMode::opaque}) {
        Mesh& mesh = scene.meshes[scene.nodes[add_triangle(scene, no_index, "mesh")].mesh];
        mesh.primitives[0].material = static_cast<Index>(scene.materials.size());
        Attribute& texcoords = mesh.attributes.emplace_back();
        texcoords.semantic = Semantic::texcoord;
        texcoords.data = make_accessor<float>(ElementType::vec2, ComponentType::f32, false, {0, 0, 1, 0, 0, 1});
        Material& material = scene.materials.emplace_back();
        material.alpha_mode = mode;
        material.base_color_texture.image = 0;
    }
    const std::string paint = "models/players/hero/paint", map = "map " + paint + ".tga\n";
    const auto has = [](const Character& character, const std::string& text) {
        return character.script.find(text) != std::string::npos;
    };
    const Character first = character_of(scene);
    EXPECT_EQ(first.shaders, (std::vector<std::string>{paint, paint + "_2", paint + "_3", paint}));
    EXPECT_FALSE(has(first, paint + "\n{")) << "the texture itself is opaque";
    EXPECT_TRUE(has(first, paint + "_2\n{\n\t{\n\t\t" + map + "\t\talphaFunc")) << first.script;
    EXPECT_TRUE(has(first, paint + "_3\n{\n\t{\n\t\t" + map + "\t\tblendFunc")) << first.script;
    std::swap(scene.materials[0], scene.materials[1]);
    const Character second = character_of(scene);
    EXPECT_EQ(second.shaders, (std::vector<std::string>{paint, paint + "_2", paint + "_3", paint + "_2"}));
    EXPECT_TRUE(has(second, paint + "\n{\n\t{\n\t\t" + map + "\t\talphaFunc")) << second.script;
    EXPECT_TRUE(has(second, paint + "_2\n{\n\t{\n\t\t" + map + "\t\trgbGen")) << second.script;
}

/// The game draws nothing without a shader.
TEST(X42FromSceneNew, MeshesWithoutAMaterialAreWhiteInTheGame) {
    Scene scene;
    scene.facing = -90;
    add_triangle(scene, no_index, "bare");
    const std::string plain = "models/players/hero/plain";
    const Character character = character_of(scene);
    EXPECT_EQ(character.shaders, std::vector<std::string>{plain});
    EXPECT_EQ(character.model.texcoords.size(), 3u);
    EXPECT_EQ(character.skin, "bare," + plain + "\n");
    EXPECT_NE(character.names.find(plain + ".png\n"), std::string::npos) << character.names;
    const File alone = made(scene).model;
    EXPECT_EQ(name_of(alone, alone.groups.at(0).material), "");
    scene.meshes[0].primitives[0].material = 0;
    scene.materials.emplace_back().name = "paint";
    EXPECT_EQ(character_of(scene).names.find(plain), std::string::npos);
}

TEST(X42FromSceneNew, ConfigSaysWhichFramesAreWhichClip) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "node");
    add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0});
    scene.clips.emplace_back().name = "to and fro";
    add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 0, 0, 0, 0});
    const NativeFiles files = made(scene);
    const auto config = effigy::x42::read_animation_config(files.config.text);
    ASSERT_TRUE(config);
    EXPECT_TRUE(config->report.empty());
    ASSERT_EQ(config->value.animations.size(), 2u);
    EXPECT_EQ(config->value.animations[0].name, "move");
    EXPECT_EQ(config->value.animations[0].loop_frames, 0);
    EXPECT_EQ(config->value.animations[1].name, "to and fro");
    EXPECT_EQ(config->value.animations[1].first_frame, 31);
    EXPECT_EQ(config->value.animations[1].frame_count, 31);
    EXPECT_EQ(config->value.animations[1].loop_frames, 31);
    EXPECT_EQ(files.model.animations[1].loop_start, 31);
}

TEST(X42FromSceneNew, RatesAreThoseAtWhichKeysStandAtFrames) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "node");
    add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 1.0f / 24, 1},
              {0, 0, 0, 1, 0, 0, 0, 0, 0});
    EXPECT_EQ(made(scene).model.animations[0].frame_rate, 24);
    FromSceneOptions options;
    options.frames_per_second = 10;
    EXPECT_EQ(made(scene, options).model.animations[0].frame_rate, 10);
}

/// A clip of an animation in which frames `loop` of 0 to 59 repeat, at 20 frames a second, and that now lasts longer.
Scene looping(std::uint16_t first, std::uint16_t last, std::uint16_t loop, float times_as_long) {
    Scene scene;
    scene.facing = -90;
    const Index node = add_triangle(scene, no_index, "node");
    add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 59.0f / 20 * times_as_long},
              {0, 0, 0, 1, 0, 0});
    set_record(scene.clips.back().extras, {{"kind", "animation"},
                                           {"first_frame", first},
                                           {"last_frame", last},
                                           {"loop_start", loop},
                                           {"loop_end", last},
                                           {"frames_per_second", 20}});
    return scene;
}

TEST(X42FromSceneNew, LoopsOfClipsOfAnotherLengthOrRateKeepTheirShare) {
    for (const double rate : {10.0, 20.0, 24.0, 29.0, 30.0, 60.0}) {
        FromSceneOptions options;
        options.frames_per_second = rate;
        for (const float longer : {1.0f, 2.0f, 0.5f}) {
            const auto whole = made(looping(0, 59, 0, longer), options).model.animations[0];
            EXPECT_EQ(whole.loop_start, whole.first_frame) << rate << ", " << longer;
            EXPECT_EQ(whole.loop_end, whole.last_frame) << rate << ", " << longer;
            const auto end = made(looping(0, 59, 40, longer), options).model.animations[0];
            EXPECT_NEAR(end.loop_start, 40.0 / 59 * end.last_frame, 0.5) << rate << ", " << longer;
            EXPECT_EQ(end.loop_end, end.last_frame);
            const auto back = made(looping(59, 0, 59, longer), options).model.animations[0];
            EXPECT_GT(back.first_frame, back.last_frame);
            EXPECT_EQ(back.loop_start, back.first_frame) << rate << ", " << longer;
            EXPECT_EQ(back.loop_end, back.last_frame) << rate << ", " << longer;
        }
    }
    // Damaged ones that begin before the clip repeat all of it.
    EXPECT_EQ(made(looping(20, 59, 4, 1)).model.animations[0].loop_start, 0);
    EXPECT_EQ(made(looping(40, 0, 56, 1)).model.animations[0].loop_start, 59);
}

TEST(X42FromSceneNew, TooManyFramesAreRefused) {
    Scene scene;
    const Index node = add_triangle(scene, no_index, "node");
    add_track(scene, node, TrackPath::translation, Interpolation::linear, {0, 3000}, {0, 0, 0, 1, 0, 0});
    const auto files = from_scene(scene);
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, "x42-too-many");
    EXPECT_EQ(files.error().found, "90001");
    EXPECT_EQ(files.error().expected, "at most 65535");
}

TEST(X42FromSceneNew, TooManyBonesAreRefused) {
    const auto files = from_scene(many_joints(11000));
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, "x42-too-many");
    EXPECT_EQ(files.error().found, "11000");
}

TEST(X42FromSceneNew, TooManyKeysAreThinned) {
    Scene scene = many_joints(20);
    for (Index joint = 1; joint <= 20; ++joint) {
        std::vector<float> times, values;
        for (int frame = 0; frame < 5000; ++frame) {
            times.push_back(static_cast<float>(frame) / 30);
            const float wave = std::sin(0.7f * static_cast<float>(frame) + static_cast<float>(joint));
            values.insert(values.end(), {static_cast<float>(joint - 1), wave, 0});
        }
        add_track(scene, joint, TrackPath::translation, Interpolation::linear, times, values);
    }
    const auto files = from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->report.count("x42-keys-thinned"), 1u);
    EXPECT_LE(files->value.model.keys.size(), 65535u);
    EXPECT_TRUE(effigy::x42::check(files->value.model).empty());
}

TEST(X42FromSceneNew, EverythingThatGltfCanSayMakesASoundFile) {
    const auto files = from_scene(rich_scene());
    ASSERT_TRUE(files) << to_string(files.error());
    const Report findings = effigy::x42::check(files->value.model);
    for (const Diagnostic& one : findings.diagnostics()) ADD_FAILURE() << to_string(one);
    EXPECT_EQ(files->report.count("x42-morphs-left-out"), 1u);
}

TEST(X42FromSceneNew, SkeletonsAreWrittenByThemselves) {
    Scene scene;
    for (const char* name : {"hip", "knee"}) scene.nodes.emplace_back().name = name;
    add_child(scene, 0, 1);
    scene.nodes[1].local.translation = {0, -4, 0};
    const NativeFiles files = made(scene);
    ASSERT_EQ(files.model.bones.size(), 2u);
    EXPECT_EQ(files.model.bones[1].parent, 0);
}

TEST(X42FromSceneNew, NothingIsRefused) {
    const auto files = from_scene(Scene());
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, "nothing-to-show");
}

TEST(X42FromSceneNew, NumbersAndKeysThatNoFileCanHoldAreNamed) {
    Scene scene = figure_scene();
    strip_extras(scene);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (auto& attribute : scene.meshes[0].attributes) {
        if (attribute.semantic == Semantic::position) attribute.data.as<float>()[1] = nan;
    }
    Track track;
    track.node = scene.skins[0].joints[0];
    track.times = {0, 1, 0.5f};
    track.values = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    scene.clips.resize(1);
    scene.clips[0].tracks = {track};
    const auto files = from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->report.count("not-finite-replaced"), 1u);
    EXPECT_EQ(files->report.count("key-left-out"), 1u);
}

TEST(X42FromSceneNew, OptionsOutOfRangeAreRefused) {
    FromSceneOptions options;
    options.frames_per_second = std::numeric_limits<double>::infinity();
    const auto files = from_scene(figure_scene(), options);
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().code, "usage-option");
    EXPECT_EQ(files.error().path, "options / frames_per_second");
}

TEST(X42FromSceneNew, DamagedRecordsDoNoHarm) {
    Scene whole = figure_scene();
    set_untouched(whole);
    const auto try_with = [&](const std::function<std::string&(Scene&)>& text_of, std::size_t step) {
        const std::size_t size = text_of(whole).size();
        for (std::size_t i = 0; i < size; i += step) {
            for (const char letter : {'"', '9'}) {
                Scene scene = whole;
                text_of(scene)[i] = letter;
                const auto files = from_scene(scene);
                if (!files) continue;
                EXPECT_FALSE(effigy::x42::check(files->value.model).has_errors()) << i << letter;
                EXPECT_TRUE(effigy::x42::write(files->value.model));
            }
        }
    };
    try_with([](Scene& scene) -> std::string& { return scene.asset_extras.json; }, 37);
    try_with([](Scene& scene) -> std::string& { return scene.meshes[0].extras.json; }, 11);
    try_with([](Scene& scene) -> std::string& { return scene.skins[0].extras.json; }, 3);
    try_with([](Scene& scene) -> std::string& { return scene.nodes[1].extras.json; }, 1);
    try_with([](Scene& scene) -> std::string& { return scene.clips[0].extras.json; }, 3);
}

}  // namespace
}  // namespace effigy::test::x42
