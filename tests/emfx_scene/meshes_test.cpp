/// Meshes of actors in scenes: mirroring, layers, extras.

#include <cmath>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using namespace builders;
using xac::LayerType;

/// A node with the mesh on it.
Loaded<Scene> with_mesh(xac::Mesh mesh) { return convert(ActorFile().nodes({node("a")}).mesh(std::move(mesh))); }

std::vector<std::uint32_t> indices(const Scene& scene, std::size_t primitive = 0) {
    const auto& list = scene.meshes.at(0).primitives.at(primitive).indices;
    return {list.begin(), list.end()};
}

TEST(Meshes, AreMirroredAndTurnedOver) {
    auto mesh = triangle(0);
    mesh.layers.push_back(layer<Vec2>(LayerType::uv, {{0, 0}, {1, 0.25f}, {0, 1}}));
    mesh.layers.push_back(layer<Vec4>(LayerType::tangent, {{0, 0, 1, -1}, {1, 0, 0, 1}, {0, 1, 0, 1}}));
    const auto converted = with_mesh(std::move(mesh));
    const Mesh& result = converted.value.meshes.at(0);
    EXPECT_EQ(find(result, Semantic::position)->data.as<const Vec3>()[1], (Vec3{1, 0, -1}));
    EXPECT_EQ(find(result, Semantic::normal)->data.as<const Vec3>()[0], (Vec3{0, 0, -1}));
    EXPECT_EQ(find(result, Semantic::tangent)->data.as<const Vec4>()[0], (Vec4{0, 0, -1, -1}));
    EXPECT_EQ(find(result, Semantic::texcoord)->data.as<const Vec2>()[1], (Vec2{1, 0.25f}));
    EXPECT_EQ(indices(converted.value), (std::vector<std::uint32_t>{0, 2, 1}));
    EXPECT_EQ(converted.value.nodes[0].mesh, 0u);
    EXPECT_TRUE(converted.report.empty() || converted.report.count(Severity::error) == 0);
}

TEST(Meshes, MirroringNodesKeepTheStoredOrder) {
    auto list = std::vector{node("a")};
    list[0].scale = {-1, 1, 1};
    const auto rigid = convert(ActorFile().nodes(list).mesh(triangle(0)));
    EXPECT_EQ(indices(rigid.value), (std::vector<std::uint32_t>{0, 1, 2}));
    const auto all = std::vector<std::vector<xac::Influence>>(3, {influence(1, 0)});
    const auto skinned = convert(ActorFile().nodes(list).mesh(triangle(0)).skinning(skinning(0, all)));
    EXPECT_EQ(indices(skinned.value), (std::vector<std::uint32_t>{0, 2, 1})) << "a skinned mesh ignores its node";
}

TEST(Meshes, FurtherTangentLayersBecomeCustomAttributes) {
    auto mesh = triangle(0);
    const std::vector<Vec4> tangents{{0.6f, 0, 0.8f, 1}, {1, 0, 0, 1}, {0, 1, 0, -1}};
    for (int i = 0; i < 3; ++i) mesh.layers.push_back(layer(LayerType::tangent, tangents));
    mesh.layers.push_back(layer<Vec3>(LayerType::bitangent, {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
    const auto converted = with_mesh(std::move(mesh));
    const Mesh& result = converted.value.meshes.at(0);
    ASSERT_NE(find_custom(result, "_TANGENT_1"), nullptr);
    ASSERT_NE(find_custom(result, "_TANGENT_2"), nullptr);
    EXPECT_EQ(find_custom(result, "_TANGENT_1")->data.as<const Vec4>()[0], (Vec4{0.6f, 0, -0.8f, 1}));
    EXPECT_EQ(find_custom(result, "_BITANGENT_0")->data.as<const Vec3>()[0], (Vec3{0, 0, -1}));
    EXPECT_EQ(find_custom(result, "_ORIGINAL_VERTEX")->data.as<const float>()[2], 2.0f);
}

TEST(Meshes, ColoursOfBothKindsComeInFileOrder) {
    auto mesh = triangle(0);
    mesh.layers.push_back(layer<Color>(LayerType::color128, {{2, 0.5f, -1, 1}, {0, 0, 0, 1}, {1, 1, 1, 1}}));
    mesh.layers.push_back(layer<std::uint32_t>(LayerType::color32, {0x04030201, 0, 0xffffffff}));
    const auto converted = with_mesh(std::move(mesh));
    const Mesh& result = converted.value.meshes.at(0);
    EXPECT_EQ(find(result, Semantic::color, 0)->data.as<const Color>()[0], (Color{1, 0.5f, 0, 1}));
    const Accessor& packed = find(result, Semantic::color, 1)->data;
    EXPECT_TRUE(packed.normalized);
    EXPECT_EQ(packed.as<const std::uint8_t>()[1], 2);
    EXPECT_EQ(converted.report.count("color-clamped"), 1u);
}

TEST(Meshes, DirectionsAreMadeUnit) {
    auto mesh = triangle(0);
    mesh.layers[2] = layer<Vec3>(LayerType::normal, {{0, 0, 2}, {0, 0, 0}, {0, NAN, 1}});
    mesh.layers.push_back(layer<Vec4>(LayerType::tangent, {{0, 0, 0, 0}, {2, 0, 0, -3}, {0, 1, 0, 1}}));
    const auto converted = with_mesh(std::move(mesh));
    const Mesh& result = converted.value.meshes.at(0);
    const auto normals = find(result, Semantic::normal)->data.as<const Vec3>();
    EXPECT_EQ(normals[0], (Vec3{0, 0, -1}));
    EXPECT_EQ(normals[1], (Vec3{0, 0, -1})) << "made from the triangle, which looks the other way after mirroring";
    const auto tangents = find(result, Semantic::tangent)->data.as<const Vec4>();
    EXPECT_NEAR(tangents[0].x * normals[0].x + tangents[0].y * normals[0].y + tangents[0].z * normals[0].z, 0, 1e-6);
    EXPECT_EQ(tangents[0].w, 1);
    EXPECT_EQ(tangents[1], (Vec4{1, 0, 0, -1}));
    EXPECT_EQ(converted.report.count("normal-repaired"), 1u);
    EXPECT_EQ(converted.report.count("tangent-repaired"), 1u);
    EXPECT_EQ(converted.report.count("not-finite-replaced"), 1u);
}

TEST(Meshes, TangentsWithoutNormalsBecomeCustom) {
    auto mesh = triangle(0);
    mesh.layers.pop_back();
    mesh.layers.push_back(layer<Vec4>(LayerType::tangent, {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}));
    const auto converted = with_mesh(std::move(mesh));
    EXPECT_EQ(find(converted.value.meshes.at(0), Semantic::tangent), nullptr);
    EXPECT_NE(find_custom(converted.value.meshes.at(0), "_TANGENT_0"), nullptr);
    EXPECT_EQ(converted.report.count("tangent-without-normal"), 1u);
}

TEST(Meshes, LayersWithoutAPlaceAreKeptInTheExtras) {
    auto mesh = triangle(0);
    mesh.layers.push_back(layer<std::uint32_t>(LayerType::cloth, {1, 2, 3}));
    mesh.layers.push_back(layer<std::uint32_t>(LayerType::uv, {1, 2, 3}));  // half as large as it should be
    auto scaled = layer<Vec3>(LayerType::normal, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
    scaled.is_scale = 1;
    mesh.layers.push_back(std::move(scaled));
    mesh.layers.push_back(layer<Vec2>(LayerType::uv, {{0, 0}}));  // too few
    const auto converted = with_mesh(std::move(mesh));
    EXPECT_EQ(find(converted.value.meshes.at(0), Semantic::texcoord), nullptr);
    EXPECT_EQ(converted.report.count("layer-kept"), 2u);
    EXPECT_EQ(converted.report.count("layer-size"), 2u);
    const std::string& extras = converted.value.meshes.at(0).extras.json;
    EXPECT_NE(extras.find(R"({"layer":3,"bytes":"AQAAAAIAAAADAAAA"})"), std::string::npos) << extras;
}

TEST(Meshes, SubmeshesBecomePrimitives) {
    auto mesh = triangle(0);
    mesh.vertex_count = 7;
    mesh.layers = {};
    mesh.layers.push_back(layer<Vec3>(LayerType::position, std::vector<Vec3>(7)));
    xac::Submesh second;
    second.vertex_count = 3;
    second.material = 1;
    second.indices = {0, 1, 2, 2, 1, 3, 0, 2, 1, 0};
    mesh.submeshes.push_back(std::move(second));
    ActorFile actor;
    xac::StandardMaterial material;
    material.name = "skin";
    actor.nodes({node("a")}).add(3, 2, material).mesh(std::move(mesh));
    const auto converted = convert(std::move(actor));
    const Mesh& result = converted.value.meshes.at(0);
    ASSERT_EQ(result.primitives.size(), 2u);
    EXPECT_EQ(result.primitives[1].first_vertex, 3u);
    EXPECT_EQ(result.primitives[0].material, 0u);
    EXPECT_EQ(result.primitives[1].material, no_index);
    EXPECT_EQ(indices(converted.value, 1), (std::vector<std::uint32_t>{0, 2, 1, 0, 1, 2}));
    EXPECT_EQ(converted.report.count("triangle-index"), 1u);
    EXPECT_EQ(converted.report.count("material-missing"), 1u);
    EXPECT_EQ(converted.report.count("mesh-vertex-count"), 1u);
}

TEST(Meshes, CountsThatLieAreBounded) {
    auto mesh = triangle(0);
    mesh.submeshes[0].vertex_count = 0xffffffff;
    mesh.submeshes.push_back(mesh.submeshes[0]);
    const auto converted = with_mesh(std::move(mesh));
    const Mesh& result = converted.value.meshes.at(0);
    ASSERT_EQ(result.primitives.size(), 1u) << "nothing is left for the second submesh";
    EXPECT_EQ(result.primitives[0].vertex_count, 3u);
}

TEST(Meshes, WithoutPositionsOrTrianglesAreLeftOut) {
    auto no_positions = triangle(0);
    no_positions.layers.erase(no_positions.layers.begin() + 1);
    auto empty = triangle(0);
    empty.submeshes[0].indices = {5, 6, 7};
    const auto converted = convert(ActorFile().nodes({node("a")}).mesh(std::move(no_positions)).mesh(std::move(empty)));
    EXPECT_TRUE(converted.value.meshes.empty());
    EXPECT_EQ(converted.report.count("mesh-no-positions"), 1u);
    EXPECT_EQ(converted.report.count("mesh-empty"), 1u);
}

TEST(Meshes, OfUnknownNodesHangAtTheRoot) {
    const auto converted = convert(ActorFile().nodes({node("a")}).mesh(triangle(7)));
    EXPECT_EQ(converted.report.count("mesh-node"), 1u);
    EXPECT_EQ(converted.value.nodes.back().mesh, 0u);
    EXPECT_EQ(converted.value.nodes.back().parent, no_index);
}

TEST(Meshes, SeveralOnOneNodeGetNodesOfTheirOwn) {
    const auto scene =
        convert(ActorFile().nodes({node("a")}).mesh(triangle(0)).mesh(triangle(0)).mesh(triangle(0))).value;
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[find(scene, "a.mesh")].parent, 0u);
    EXPECT_EQ(scene.nodes[find(scene, "a.mesh2")].mesh, 2u);
}

TEST(Meshes, ALongNameSharedByManyCannotUseUpTheMemory) {
    ActorFile file;
    file.nodes({node(std::string(1'000'000, 'n'))});
    for (int count = 0; count < 100; ++count) file.mesh(triangle(0));
    const auto result = emfx::to_scene(input(std::move(file)));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "limit-memory");
}

}  // namespace
