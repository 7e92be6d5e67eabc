/// A whole scene at one moment.

#include "effigy/poser.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"

#include "scene/triangles.hpp"

namespace effigy::playback {
namespace {

constexpr float close = 1e-6f;

template <class T>
Attribute attribute(Semantic semantic, ElementType element, ComponentType component, const std::vector<T>& values) {
    Attribute made;
    made.semantic = semantic;
    made.data.element = element;
    made.data.component = component;
    made.data.bytes.resize(values.size() * sizeof(T));
    std::memcpy(made.data.bytes.data(), values.data(), made.data.bytes.size());
    return made;
}

Attribute positions(const std::vector<Vec3>& values) {
    return attribute(Semantic::position, ElementType::vec3, ComponentType::f32, values);
}
Attribute normals(const std::vector<Vec3>& values) {
    return attribute(Semantic::normal, ElementType::vec3, ComponentType::f32, values);
}
Attribute tangents(const std::vector<Vec4>& values) {
    return attribute(Semantic::tangent, ElementType::vec4, ComponentType::f32, values);
}

const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

/// One triangle that faces +Z.
Mesh triangle(std::string name) {
    Mesh mesh;
    mesh.name = std::move(name);
    mesh.vertex_count = 3;
    mesh.attributes = {positions(corners)};
    mesh.primitives.resize(1);
    mesh.primitives[0].vertex_count = 3;
    mesh.primitives[0].indices = {0, 1, 2};
    return mesh;
}

/// The triangle with all that a lit texture needs: u runs along +X, v along -Y.
Mesh textured_triangle() {
    Mesh mesh = triangle("textured");
    mesh.attributes.push_back(normals({{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}));
    mesh.attributes.push_back(tangents({{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}));
    mesh.attributes.push_back(
        attribute<Vec2>(Semantic::texcoord, ElementType::vec2, ComponentType::f32, {{0, 1}, {1, 1}, {0, 0}}));
    return mesh;
}

Index add_node(Scene& scene, std::string name, Index parent = no_index) {
    const auto index = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = std::move(name);
    if (parent != no_index) add_child(scene, parent, index);
    return index;
}

Index add_mesh_node(Scene& scene, Mesh mesh, Index parent = no_index) {
    const Index node = add_node(scene, mesh.name, parent);
    scene.nodes[node].mesh = static_cast<Index>(scene.meshes.size());
    scene.meshes.push_back(std::move(mesh));
    return node;
}

Quat quarter_turn_about_z() {
    const float half = std::numbers::sqrt2_v<float> / 2;
    return {0, 0, half, half};
}

/// A clip that holds one value.
void add_still_clip(Scene& scene, Index node, TrackPath path, const std::vector<float>& value) {
    Clip& clip = scene.clips.emplace_back();
    clip.duration = 1;
    Track& track = clip.tracks.emplace_back();
    track.node = node;
    track.path = path;
    track.times = {0};
    track.values.assign(value.begin(), value.end());
}

Poser poser_of(const Scene& scene, const PoserOptions& options = {}) {
    auto poser = Poser::make(scene, options);
    if (!poser) throw std::runtime_error(to_string(poser.error()));
    return std::move(*poser);
}

std::vector<std::string> shown(const Scene& scene, const PoserOptions& options) {
    const Poser poser = poser_of(scene, options);
    std::vector<std::string> names;
    for (const PosedMesh& mesh : poser.meshes()) names.push_back(scene.nodes[mesh.node].name);
    return names;
}

void expect_near(const Vec3& found, const Vec3& expected) {
    EXPECT_NEAR(found.x, expected.x, close);
    EXPECT_NEAR(found.y, expected.y, close);
    EXPECT_NEAR(found.z, expected.z, close);
}

std::string code_of(const Scene& scene) {
    const auto poser = Poser::make(scene);
    return poser ? "" : poser.error().code;
}

using Names = std::vector<std::string>;

TEST(Poser, LevelsReplaceTheirNodes) {
    Scene scene;
    const Index body = add_mesh_node(scene, triangle("body"));
    add_mesh_node(scene, triangle("hat"), body);
    for (const char* name : {"middle", "far"}) {
        const Index level = add_mesh_node(scene, triangle(name));
        scene.nodes[level].hidden = true;
        scene.nodes[body].lods.push_back(level);
    }
    EXPECT_EQ(shown(scene, {.level = 0}), (Names{"body", "hat"}));
    EXPECT_EQ(shown(scene, {.level = -1}), (Names{"body", "hat"}));
    EXPECT_EQ(shown(scene, {.level = 1}), (Names{"hat", "middle"}));
    EXPECT_EQ(shown(scene, {.level = 2}), (Names{"hat", "far"}));
    EXPECT_EQ(shown(scene, {.level = 7}), (Names{"hat", "far"}));
}

TEST(Poser, LevelsStandWhereTheirNodesStand) {
    Scene scene;
    const Index bone = add_node(scene, "bone");
    scene.nodes[bone].local.translation = {5, 0, 0};
    const Index body = add_mesh_node(scene, triangle("body"), bone);
    const Index level = add_mesh_node(scene, triangle("far"));
    scene.nodes[level].hidden = true;
    scene.nodes[body].lods = {level};
    const Poser poser = poser_of(scene, {.level = 1});
    ASSERT_EQ(poser.meshes().size(), 1u);
    expect_near(poser.meshes()[0].vertices.positions[0], {5, 0, 0});
}

TEST(Poser, HiddenNodesAndAllBelowAreNotShown) {
    Scene scene;
    const Index wreck = add_mesh_node(scene, triangle("wreck"));
    scene.nodes[wreck].hidden = true;
    add_mesh_node(scene, triangle("part of the wreck"), wreck);
    add_mesh_node(scene, triangle("whole"));
    EXPECT_EQ(shown(scene, {}), Names{"whole"});
}

TEST(Poser, CollisionMeshesFollowTheirNodes) {
    Scene scene;
    const Index bone = add_node(scene, "bone");
    scene.nodes[bone].local.translation = {1, 0, 0};
    const Index box = add_mesh_node(scene, triangle("box"));
    scene.nodes[box].hidden = scene.nodes[box].collision = true;
    scene.nodes[box].follows = bone;
    scene.nodes[box].local.translation = {2, 0, 0};
    const Quat turn = quarter_turn_about_z();
    add_still_clip(scene, bone, TrackPath::rotation, {turn.x, turn.y, turn.z, turn.w});
    EXPECT_EQ(shown(scene, {}), Names{});

    Poser poser = poser_of(scene, {.collision = true});
    ASSERT_EQ(poser.meshes().size(), 1u);
    EXPECT_TRUE(poser.meshes()[0].collision);
    const auto vertices = poser.meshes()[0].vertices.positions;
    expect_near(vertices[0], {2, 0, 0});
    ASSERT_TRUE(poser.pose(0, 0));
    expect_near(vertices[0], {1, 1, 0});
    expect_near(vertices[1], {1, 2, 0});
    ASSERT_TRUE(poser.pose(no_index, 0));
    expect_near(vertices[1], {3, 0, 0});
}

TEST(Poser, WhatFollowsANodeWithoutSizeStaysWhereItIs) {
    Scene scene;
    const Index bone = add_node(scene, "bone");
    scene.nodes[bone].local.scale = {0, 0, 0};
    const Index box = add_mesh_node(scene, triangle("box"));
    scene.nodes[box].collision = true;
    scene.nodes[box].follows = bone;
    const Poser poser = poser_of(scene, {.collision = true});
    expect_near(poser.meshes()[0].vertices.positions[1], {1, 0, 0});
}

TEST(Poser, MirroredNodesSaySo) {
    Scene scene;
    const Index node = add_mesh_node(scene, textured_triangle());
    scene.nodes[node].local.scale = {-2, 1, 1};
    const Poser poser = poser_of(scene);
    const PosedMesh& mesh = poser.meshes()[0];
    EXPECT_TRUE(mesh.mirrored);
    expect_near(mesh.vertices.positions[1], {-2, 0, 0});
    expect_near(mesh.vertices.normals[1], {0, 0, 1});
    const Vec4 tangent = mesh.vertices.tangents[1];
    expect_near({tangent.x, tangent.y, tangent.z}, {-1, 0, 0});
}

TEST(Poser, MatrixNodesMoveTheirMeshes) {
    Scene scene;
    const Index node = add_mesh_node(scene, textured_triangle());
    Mat4 shear;
    shear.m[4] = 1;  // x += y
    shear.m[12] = 3;
    scene.nodes[node].matrix = shear;
    const Index child = add_mesh_node(scene, triangle("child"), node);
    scene.nodes[child].local.translation = {0, 1, 0};
    const Poser poser = poser_of(scene);
    expect_near(poser.meshes()[0].vertices.positions[2], {4, 1, 0});
    expect_near(poser.meshes()[0].vertices.normals[2], {0, 0, 1});
    expect_near(poser.meshes()[1].vertices.positions[0], {4, 1, 0});
    EXPECT_FALSE(poser.meshes()[0].mirrored);
}

TEST(Poser, MorphsMeshesWithoutNormals) {
    Scene scene;
    Mesh mesh = triangle("face");
    MorphTarget& target = mesh.targets.emplace_back();
    target.indices = {2};
    target.positions = {{0, 2, 0}};
    target.normals = {{0, 1, 0}};
    mesh.weights = {0.5f};
    const Index node = add_mesh_node(scene, mesh);
    add_still_clip(scene, node, TrackPath::weights, {1});
    Poser poser = poser_of(scene);
    const VertexView& vertices = poser.meshes()[0].vertices;
    EXPECT_TRUE(vertices.normals.empty());
    EXPECT_TRUE(vertices.tangents.empty());
    expect_near(vertices.positions[2], {0, 2, 0});
    ASSERT_TRUE(poser.pose(0, 0.5));
    expect_near(vertices.positions[2], {0, 3, 0});
    expect_near(vertices.positions[1], {1, 0, 0});
    EXPECT_EQ(poser.weights()[0], 1.0f);
}

/// Two bones; the second one carries the last corner.
Scene skinned_scene() {
    Scene scene;
    const Index hip = add_node(scene, "hip"), knee = add_node(scene, "knee", hip);
    scene.nodes[hip].local.translation = {0, 1, 0};
    scene.nodes[knee].local.translation = {1, 0, 0};
    Mesh mesh = textured_triangle();
    mesh.attributes.push_back(attribute<std::uint8_t>(Semantic::joints, ElementType::vec4, ComponentType::u8,
                                                      {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}));
    mesh.attributes.push_back(attribute<float>(Semantic::weights, ElementType::vec4, ComponentType::f32,
                                               {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0}));
    Skin& skin = scene.skins.emplace_back();
    skin.joints = {hip, knee};
    skin.inverse_bind_matrices.resize(2);
    skin.inverse_bind_matrices[0].m[13] = -1;
    skin.inverse_bind_matrices[1].m[12] = -1;
    skin.inverse_bind_matrices[1].m[13] = -1;
    const Index body = add_mesh_node(scene, mesh);
    scene.nodes[body].skin = 0;
    scene.nodes[body].local.translation = {7, 7, 7};  // which a skin does not feel
    const Quat turn = quarter_turn_about_z();
    add_still_clip(scene, knee, TrackPath::rotation, {turn.x, turn.y, turn.z, turn.w});
    return scene;
}

TEST(Poser, SkinsRestInTheirBindPose) {
    const Scene scene = skinned_scene();
    const Poser poser = poser_of(scene);
    const VertexView& vertices = poser.meshes()[0].vertices;
    for (std::size_t v = 0; v < 3; ++v) expect_near(vertices.positions[v], corners[v]);
    expect_near(vertices.normals[2], {0, 0, 1});
    EXPECT_FALSE(poser.meshes()[0].mirrored);
}

TEST(Poser, SkinsMoveAfterTheirMorphs) {
    Scene scene = skinned_scene();
    MorphTarget& target = scene.meshes[0].targets.emplace_back();
    target.indices = {2};
    target.positions = {{1, 0, 0}};
    scene.meshes[0].weights = {1};
    Poser poser = poser_of(scene);
    ASSERT_TRUE(poser.pose(0, 0));
    const VertexView& vertices = poser.meshes()[0].vertices;
    expect_near(vertices.positions[0], {0, 0, 0});
    expect_near(vertices.positions[1], {1.5f, 0.5f, 0});  // halfway between (1, 0) and (2, 1)
    expect_near(vertices.positions[2], {1, 1, 0});        // morphed onto the knee
    const Vec4 tangent = vertices.tangents[2];
    expect_near({tangent.x, tangent.y, tangent.z}, {0, 1, 0});
    EXPECT_EQ(tangent.w, 1.0f);
}

TEST(Poser, KernelsAgree) {
    const Scene scene = skinned_scene();
    Poser fast = poser_of(scene), plain = poser_of(scene, {.kernel = Kernel::scalar});
    ASSERT_TRUE(fast.pose(0, 0.5));
    ASSERT_TRUE(plain.pose(0, 0.5));
    for (std::size_t v = 0; v < 3; ++v)
        expect_near(fast.meshes()[0].vertices.positions[v], plain.meshes()[0].vertices.positions[v]);
}

TEST(Poser, RefusesWhatDoesNotExist) {
    const Scene scene = skinned_scene();
    Poser poser = poser_of(scene);
    const auto posed = poser.pose(1, 0);
    ASSERT_FALSE(posed);
    EXPECT_EQ(posed.error().code, "playback-clip");
    EXPECT_TRUE(poser.pose(0, 0)) << "a refusal does no harm";
}

TEST(Poser, RefusesContradictions) {
    const auto broken = [](auto&& edit) {
        Scene scene = skinned_scene();
        edit(scene);
        return code_of(scene);
    };
    EXPECT_EQ(broken([](Scene&) {}), "");
    EXPECT_EQ(broken([](Scene& scene) { scene.nodes[2].mesh = 9; }), "playback-node");
    EXPECT_EQ(broken([](Scene& scene) { scene.nodes[2].skin = 9; }), "playback-skin");
    EXPECT_EQ(broken([](Scene& scene) { scene.skins[0].joints[1] = 9; }), "playback-skin");
    EXPECT_EQ(broken([](Scene& scene) { scene.skins[0].inverse_bind_matrices.pop_back(); }), "playback-skin");
    EXPECT_EQ(broken([](Scene& scene) { scene.meshes[0].attributes.erase(scene.meshes[0].attributes.begin()); }),
              "playback-attribute");
    EXPECT_EQ(broken([](Scene& scene) { scene.meshes[0].attributes[1].data.bytes.resize(24); }), "playback-attribute");
    EXPECT_EQ(broken([](Scene& scene) { scene.meshes[0].attributes[2].data.element = ElementType::vec3; }),
              "playback-attribute");
    EXPECT_NE(
        broken([](Scene& scene) { scene.skins[0].joints.pop_back(), scene.skins[0].inverse_bind_matrices.pop_back(); }),
        "")
        << "the mesh names two joints";
    const auto lose_joint = [](Scene& scene) {
        scene.skins[0].joints.pop_back();
        scene.skins[0].inverse_bind_matrices.pop_back();
    };
    EXPECT_NE(broken(lose_joint), "") << "the mesh names two joints";
    const auto add_target = [](Scene& scene) {
        MorphTarget& target = scene.meshes[0].targets.emplace_back();
        target.indices = {3};
        target.positions.resize(1);
    };
    EXPECT_NE(broken(add_target), "") << "the mesh has three vertices";
    Scene scene = skinned_scene();
    scene.nodes[2].lods = {77};
    EXPECT_TRUE(Poser::make(scene, {.level = 0}));
    EXPECT_FALSE(Poser::make(scene, {.level = 1}));
}

TEST(Poser, AcceptsAnEmptyScene) {
    const Scene scene;
    const Poser poser = poser_of(scene);
    EXPECT_TRUE(poser.meshes().empty());
    EXPECT_TRUE(poser.models().empty());
    EXPECT_TRUE(poser.bounds().empty);
    EXPECT_TRUE(bake(poser)->nodes.empty());
}

TEST(Poser, BoundsAreOfVerticesOrElseOfJoints) {
    Scene scene;
    const Index root = add_node(scene, "root"), tip = add_node(scene, "tip", root);
    scene.nodes[tip].local.translation = {0, 9, 0};
    const Bounds joints = poser_of(scene).bounds();
    EXPECT_FALSE(joints.empty);
    expect_near(joints.high, {0, 9, 0});
    add_mesh_node(scene, triangle("flag"));
    const Bounds vertices = poser_of(scene).bounds();
    expect_near(vertices.low, {0, 0, 0});
    expect_near(vertices.high, {1, 1, 0});
}

/// For each corner: does the triangle turn the way that its normal says, and does the bitangent run against v?
void expect_right_surface(const Mesh& mesh) {
    const auto place = mesh.attributes[0].data.as<Vec3>();
    const auto normal = mesh.attributes[1].data.as<Vec3>();
    const auto tangent = mesh.attributes[2].data.as<Vec4>();
    const auto texture = mesh.attributes[3].data.as<Vec2>();
    const auto minus = [](const Vec3& a, const Vec3& b) { return Vec3{a.x - b.x, a.y - b.y, a.z - b.z}; };
    const auto cross = [](const Vec3& a, const Vec3& b) {
        return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    };
    const auto dot = [](const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
    const auto& index = mesh.primitives[0].indices;
    const Vec3 one = minus(place[index[1]], place[index[0]]), other = minus(place[index[2]], place[index[0]]);
    const float u1 = texture[index[1]].x - texture[index[0]].x, u2 = texture[index[2]].x - texture[index[0]].x;
    const float v1 = texture[index[1]].y - texture[index[0]].y, v2 = texture[index[2]].y - texture[index[0]].y;
    const float area = u1 * v2 - u2 * v1;
    const Vec3 along_v{(other.x * u1 - one.x * u2) / area, (other.y * u1 - one.y * u2) / area,
                       (other.z * u1 - one.z * u2) / area};
    for (const std::uint32_t v : index) {
        EXPECT_GT(dot(cross(one, other), normal[v]), 0) << "corner " << v;
        const Vec3 bitangent = cross(normal[v], {tangent[v].x, tangent[v].y, tangent[v].z});
        EXPECT_LT(dot(bitangent, along_v) * tangent[v].w, 0) << "corner " << v;
    }
}

TEST(Bake, KeepsTheSurfaceOfMirroredNodes) {
    for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{-1, 1, 1}, Vec3{1, -2, 1}, Vec3{1, 1, -1}, Vec3{-1, -1, -1}}) {
        Scene scene;
        const Index node = add_mesh_node(scene, textured_triangle());
        expect_right_surface(scene.meshes[0]);
        scene.nodes[node].local.scale = scale;
        const Scene baked = bake(poser_of(scene)).value();
        ASSERT_EQ(baked.meshes.size(), 1u);
        expect_right_surface(baked.meshes[0]);
    }
}

TEST(Bake, TurnsStripsAndFansOfMirroredNodes) {
    for (const Topology topology : {Topology::triangle_strip, Topology::triangle_fan}) {
        Mesh mesh = textured_triangle();
        mesh.primitives[0].topology = topology;
        Scene scene;
        const Index node = add_mesh_node(scene, std::move(mesh));
        scene.nodes[node].local.scale = {-1, 1, 1};
        Mesh baked = bake(poser_of(scene)).value().meshes.at(0);
        Bulk<std::uint32_t> triangle;
        for_each_triangle(baked.primitives[0], [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            triangle = {a, b, c};
        });
        EXPECT_EQ(baked.primitives[0].topology, topology);
        baked.primitives[0].indices = triangle;
        expect_right_surface(baked);
    }
}

TEST(Bake, LightsStandAndShineAsPosed) {
    constexpr float half = 0.70710678f;
    for (const Quat turn : {Quat{0, 0, 0, 1}, Quat{0, half, 0, half}, Quat{half, 0, 0, half}, Quat{0, 1, 0, 0},
                            Quat{0.5f, 0.5f, 0.5f, 0.5f}}) {
        Scene scene;
        scene.lights.resize(1);
        const Index arm = add_node(scene, "arm"), lamp = add_node(scene, "lamp", arm);
        scene.nodes[arm].local = {{1, 2, 3}, turn, {2, 2, 2}};
        scene.nodes[lamp].local.translation = {0, 0, -1};
        scene.nodes[lamp].light = 0;
        const Scene baked = bake(poser_of(scene)).value();
        ASSERT_EQ(baked.nodes.size(), 1u);
        EXPECT_EQ(baked.lights.size(), 1u);
        EXPECT_EQ(baked.nodes[0].light, 0u);
        // The lamp stands two units along the arm's -Z, and shines on that way.
        const auto [x, y, z, w] = turn;
        const Vec3 way{-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))};
        expect_near(baked.nodes[0].local.translation, {1 + 2 * way.x, 2 + 2 * way.y, 3 + 2 * way.z});
        const auto [a, b, c, d] = baked.nodes[0].local.rotation;
        expect_near(Vec3{-2 * (a * c + d * b), -2 * (b * c - d * a), -(1 - 2 * (a * a + b * b))}, way);
    }
}

TEST(Bake, HoldsThePoseAndNothingElse) {
    Scene scene = skinned_scene();
    scene.name = "figure";
    scene.asset_extras.json = "{}";
    scene.nodes[2].extras.json = "{}";
    scene.materials.resize(1);
    scene.images.resize(1);
    Mesh& mesh = scene.meshes[0];
    mesh.extras.json = "{}";
    mesh.primitives[0].material = 0;
    Attribute second = mesh.attributes[2], original = mesh.attributes[0];
    second.semantic = original.semantic = Semantic::custom;
    second.custom_name = "_TANGENT_1";
    original.custom_name = "_ORIGINAL";
    mesh.attributes.push_back(second);
    mesh.attributes.push_back(original);
    mesh.targets.resize(1);

    Poser poser = poser_of(scene);
    ASSERT_TRUE(poser.pose(0, 0));
    const Scene baked = bake(poser).value();
    EXPECT_EQ(baked.name, "figure");
    EXPECT_TRUE(baked.asset_extras.json.empty());
    EXPECT_TRUE(baked.skins.empty());
    EXPECT_TRUE(baked.clips.empty());
    EXPECT_EQ(baked.materials.size(), 1u);
    EXPECT_EQ(baked.images.size(), 1u);
    ASSERT_EQ(baked.nodes.size(), 1u);
    EXPECT_EQ(baked.nodes[0].name, "textured");
    EXPECT_EQ(baked.nodes[0].local, Transform());
    EXPECT_EQ(baked.nodes[0].skin, no_index);
    EXPECT_TRUE(baked.nodes[0].extras.json.empty());
    const Mesh& still = baked.meshes.at(0);
    EXPECT_TRUE(still.targets.empty());
    EXPECT_TRUE(still.weights.empty());
    EXPECT_TRUE(still.extras.json.empty());
    EXPECT_EQ(still.primitives[0].material, 0u);
    std::vector<Semantic> semantics;
    for (const Attribute& attribute : still.attributes) semantics.push_back(attribute.semantic);
    EXPECT_EQ(semantics, (std::vector{Semantic::position, Semantic::normal, Semantic::tangent, Semantic::texcoord,
                                      Semantic::custom}));
    EXPECT_EQ(still.attributes.back().custom_name, "_ORIGINAL");
    const auto posed = poser.meshes()[0].vertices.positions;
    const auto kept = still.attributes[0].data.as<Vec3>();
    EXPECT_TRUE(std::equal(posed.begin(), posed.end(), kept.begin(), kept.end()));
    EXPECT_TRUE(gltf::write_glb(baked));
}

TEST(Bake, KeepsTheMarkOfCollisionMeshesAndShowsLevels) {
    Scene scene;
    const Index body = add_mesh_node(scene, triangle("body")), far = add_mesh_node(scene, triangle("far")),
                box = add_mesh_node(scene, triangle("box"));
    scene.nodes[body].lods = {far};
    scene.nodes[far].hidden = true;
    scene.nodes[box].hidden = scene.nodes[box].collision = true;
    const Scene baked = bake(poser_of(scene, {.level = 1, .collision = true})).value();
    ASSERT_EQ(baked.nodes.size(), 2u);
    EXPECT_EQ(baked.nodes[0].name, "far");
    EXPECT_FALSE(baked.nodes[0].hidden);
    EXPECT_FALSE(baked.nodes[0].collision);
    EXPECT_TRUE(baked.nodes[1].hidden);
    EXPECT_TRUE(baked.nodes[1].collision);
}

TEST(Bake, VectorsOfNoLengthBecomeUnitOnes) {
    constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
    Scene scene;
    Mesh mesh = triangle("odd");
    mesh.attributes.push_back(normals({{0, 0, 0}, {0, 5, 0}, {nothing, 0, 0}}));
    mesh.attributes.push_back(tangents({{0, 0, 0, 0}, {0, 0, 0, -1}, {nothing, 0, 0, nothing}}));
    add_mesh_node(scene, mesh);
    const Scene baked = bake(poser_of(scene)).value();
    const auto unit = baked.meshes[0].attributes[1].data.as<Vec3>();
    const auto along = baked.meshes[0].attributes[2].data.as<Vec4>();
    for (std::size_t v = 0; v < 3; ++v) {
        EXPECT_NEAR(std::hypot(unit[v].x, unit[v].y, unit[v].z), 1, close);
        EXPECT_NEAR(std::hypot(along[v].x, along[v].y, along[v].z), 1, close);
        EXPECT_NEAR(unit[v].x * along[v].x + unit[v].y * along[v].y + unit[v].z * along[v].z, 0, close);
        EXPECT_EQ(std::fabs(along[v].w), 1.0f);
    }
    EXPECT_TRUE(gltf::write_glb(baked));
}

}  // namespace
}  // namespace effigy::playback
