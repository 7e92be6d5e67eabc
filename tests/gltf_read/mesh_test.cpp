/// Meshes of glTF files.

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"

#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == semantic && attribute.set == set) return &attribute;
    }
    return nullptr;
}

std::vector<std::uint32_t> list(const Bulk<std::uint32_t>& values) { return {values.begin(), values.end()}; }

/// A file with one node and one mesh of these primitives.
AssetBuilder mesh_of(AssetBuilder builder, std::vector<json> primitives) {
    builder.root["meshes"].push_back({{"primitives", primitives}});
    add_node(builder, {{"mesh", 0}});
    return builder;
}

/// One primitive over five vertices on a line.
AssetBuilder five_vertices(int mode, const std::vector<std::uint16_t>& indices) {
    AssetBuilder builder;
    json primitive = {{"mode", mode}};
    primitive["attributes"]["POSITION"] = add_positions(builder, {0, 0, 0, 1, 0, 0, 2, 1, 0, 3, 0, 0, 4, 1, 0});
    if (!indices.empty()) primitive["indices"] = add_indices(builder, indices);
    return mesh_of(std::move(builder), {primitive});
}

Primitive only_primitive(const AssetBuilder& builder) { return read_text(builder.glb()).meshes.at(0).primitives.at(0); }

TEST(GltfMeshes, ShareVerticesWhereTheFileDoes) {
    const Scene scene = read_text(gltf_model("parts"));
    const Mesh& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.vertex_count, 24u);
    ASSERT_EQ(mesh.primitives.size(), 2u);
    for (const Primitive& primitive : mesh.primitives) {
        EXPECT_EQ(primitive.first_vertex, 0u);
        EXPECT_EQ(primitive.vertex_count, 24u);
    }
    EXPECT_EQ(mesh.primitives[1].material, 1u);
}

TEST(GltfMeshes, JoinVerticesOfPrimitivesThatShareNone) {
    const Mesh mesh = read_text(gltf_model("vertex_color")).meshes.at(0);
    EXPECT_EQ(mesh.vertex_count, 72u);
    EXPECT_EQ(mesh.primitives.at(2).first_vertex, 48u);
    const Attribute* const colors = find(mesh, Semantic::color);
    ASSERT_NE(colors, nullptr);
    EXPECT_EQ(colors->data.component, ComponentType::f32) << "bytes, words and floats have become one type";
    EXPECT_EQ(colors->data.element, ElementType::vec4);
    const auto values = colors->data.as<Vec4>();
    EXPECT_NEAR(values[3].x, 30.0 / 255, 1e-6);
    EXPECT_NEAR(values[24 + 2].x, 5000.0 / 65535, 1e-6);
    EXPECT_EQ(values[48 + 12].x, 0.5f);
    EXPECT_EQ(values[48].w, 1);
}

TEST(GltfMeshes, TakeQuantizedNumbersForWhatTheyMean) {
    const Mesh mesh = read_text(gltf_model("quantized")).meshes.at(0);
    const auto positions = find(mesh, Semantic::position)->data.as<Vec3>();
    const auto normals = find(mesh, Semantic::normal)->data.as<Vec3>();
    EXPECT_EQ(positions[0], (Vec3{-1, 1, -1}));
    EXPECT_EQ(normals[0], (Vec3{-1, 0, 0}));
    EXPECT_EQ(find(mesh, Semantic::texcoord)->data.component, ComponentType::u16);
    EXPECT_TRUE(find(mesh, Semantic::texcoord)->data.normalized);
}

TEST(GltfMeshes, HaveSparseVertices) {
    const Mesh mesh = read_text(gltf_model("simple_sparse")).meshes.at(0);
    const auto positions = find(mesh, Semantic::position)->data.as<Vec3>();
    EXPECT_EQ(positions[8], (Vec3{1, 2, 0}));
    EXPECT_EQ(positions[9], (Vec3{2, 1, 0}));
    EXPECT_EQ(positions[12], (Vec3{5, 4, 0}));
}

TEST(GltfMeshes, HaveAllTopologies) {
    using enum Topology;
    EXPECT_EQ(list(only_primitive(five_vertices(4, {})).indices), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(list(only_primitive(five_vertices(0, {})).indices), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(only_primitive(five_vertices(5, {})).topology, triangle_strip);
    EXPECT_EQ(only_primitive(five_vertices(6, {})).topology, triangle_fan);
    const Primitive loop = only_primitive(five_vertices(2, {0, 1, 2}));
    EXPECT_EQ(loop.topology, line_strip);
    EXPECT_EQ(list(loop.indices), (std::vector<std::uint32_t>{0, 1, 2, 0}));
    EXPECT_EQ(list(only_primitive(five_vertices(1, {0, 1, 2})).indices), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(code_of(try_to_read(five_vertices(7, {}).glb())), "gltf-mode");
}

TEST(GltfMeshes, LeaveOutWhatHasCornersThatAreNoVertices) {
    const auto left = [](int mode, const std::vector<std::uint16_t>& indices) {
        const auto loaded = load(five_vertices(mode, indices).glb());
        EXPECT_EQ(loaded.report.count("gltf-index-range"), 1u);
        EXPECT_FALSE(written(loaded.value).empty());
        return list(loaded.value.meshes.at(0).primitives.at(0).indices);
    };
    EXPECT_EQ(left(4, {0, 1, 2, 0, 1, 9, 2, 3, 4}), (std::vector<std::uint32_t>{0, 1, 2, 2, 3, 4}));
    EXPECT_EQ(left(1, {0, 1, 9, 2}), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(left(0, {0, 9, 2}), (std::vector<std::uint32_t>{0, 2}));
    // A strip begins anew, and so does the way its triangles are wound.
    EXPECT_EQ(left(5, {0, 1, 2, 65535, 1, 2, 3, 4}), (std::vector<std::uint32_t>{0, 1, 2, 1, 2, 3, 2, 4, 3}));
    EXPECT_EQ(left(3, {0, 1, 65535, 3, 4}), (std::vector<std::uint32_t>{0, 1, 3, 4}));
    EXPECT_TRUE(left(4, {9, 9, 9}).empty());
}

TEST(GltfMeshes, MakeUpWhatOnlySomePrimitivesHave) {
    AssetBuilder builder;
    json bare = primitive_of(builder, box()), full = primitive_of(builder, box(2));
    const Floats expected = box().normals;
    bare["attributes"].erase("NORMAL");
    bare["attributes"].erase("TEXCOORD_0");
    full["attributes"]["COLOR_0"] = add_floats(builder, Floats(72, 0.5f), "VEC3");
    full["attributes"]["_EXTRA"] = add_floats(builder, Floats(24, 3), "SCALAR");
    const auto loaded = load(mesh_of(std::move(builder), {bare, full}).glb());
    const Mesh& mesh = loaded.value.meshes.at(0);
    EXPECT_EQ(loaded.report.count("gltf-attribute-made"), 4u);
    const auto normals = find(mesh, Semantic::normal)->data.as<float>();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(normals[i], expected[i], 1e-6) << i;
    EXPECT_EQ(find(mesh, Semantic::color)->data.as<Vec3>()[0], (Vec3{1, 1, 1}));
    EXPECT_EQ(find(mesh, Semantic::color)->data.as<Vec3>()[24], (Vec3{0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(find(mesh, Semantic::custom)->custom_name, "_EXTRA");
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfMeshes, NumberSetsWithoutGaps) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    json& attributes = primitive["attributes"];
    attributes["TEXCOORD_2"] = attributes["TEXCOORD_0"];
    attributes.erase("TEXCOORD_0");
    attributes["JOINTS_1"] = add_numbers(builder, std::vector<std::uint8_t>(96), 5121, "VEC4", 4);
    attributes["WEIGHTS_1"] = add_floats(builder, Floats(96, 0.25f), "VEC4");
    attributes["WEIGHTS_3"] = attributes["WEIGHTS_1"];
    attributes["BOGUS"] = attributes["NORMAL"];
    attributes["TEXCOORD_4000000000"] = attributes["TEXCOORD_2"];
    const auto loaded = load(mesh_of(std::move(builder), {primitive}).glb());
    const Mesh& mesh = loaded.value.meshes.at(0);
    for (std::uint32_t set = 0; set < 3; ++set) EXPECT_NE(find(mesh, Semantic::texcoord, set), nullptr) << set;
    EXPECT_NE(find(mesh, Semantic::joints, 0), nullptr);
    EXPECT_NE(find(mesh, Semantic::weights, 0), nullptr);
    EXPECT_EQ(loaded.report.count("gltf-attribute-made"), 2u);
    EXPECT_EQ(loaded.report.count("gltf-attribute-lost"), 3u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfMeshes, ReplaceNumbersThatAreNone) {
    AssetBuilder builder;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    json primitive;
    primitive["attributes"]["POSITION"] = add_floats(builder, {0, nan, 0, 1, 0, infinity, 0, 1, 0}, "VEC3");
    primitive["targets"].push_back({{"POSITION", add_floats(builder, {0, nan, 0, 1, 0, 0, 0, 0, 0}, "VEC3")}});
    const auto loaded = load(mesh_of(std::move(builder), {primitive}).glb());
    EXPECT_EQ(loaded.report.count("gltf-not-a-number"), 2u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfMeshes, MustHaveEquallyManyElements) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, box());
    primitive["attributes"]["COLOR_0"] = add_floats(builder, Floats(69, 0.5f), "VEC3");
    EXPECT_EQ(code_of(try_to_read(mesh_of(builder, {primitive}).glb())), "gltf-counts");
    primitive["attributes"].erase("COLOR_0");
    primitive["targets"].push_back({{"POSITION", add_floats(builder, Floats(69, 0.5f), "VEC3")}});
    EXPECT_EQ(code_of(try_to_read(mesh_of(builder, {primitive}).glb())), "gltf-counts");
    primitive["targets"][0]["POSITION"] = primitive["attributes"]["TEXCOORD_0"];
    EXPECT_EQ(code_of(try_to_read(mesh_of(builder, {primitive}).glb())), "gltf-attribute-type");
}

TEST(GltfMorphs, AreSparse) {
    const Scene scene = read_text(gltf_model("simple_morph"));
    const Mesh& mesh = scene.meshes.at(0);
    ASSERT_EQ(mesh.targets.size(), 2u);
    EXPECT_EQ(list(mesh.targets[0].indices), std::vector<std::uint32_t>{2});
    EXPECT_EQ(mesh.targets[0].positions.at(0), (Vec3{-1, 1, 0}));
    EXPECT_EQ(mesh.weights, (std::vector<float>{1, 0.5f}));
}

TEST(GltfMorphs, KeepTheVerticesThatSparseAccessorsList) {
    const Mesh mesh = read_text(gltf_model("animated_morph_cube")).meshes.at(0);
    ASSERT_EQ(mesh.targets.size(), 2u);
    EXPECT_EQ(mesh.targets[0].name, "thin");
    EXPECT_EQ(list(mesh.targets[0].indices), (std::vector<std::uint32_t>{1, 5, 20}));
    EXPECT_EQ(mesh.targets[0].normals.size(), 3u);
    EXPECT_EQ(mesh.targets[1].name, "angle");
    EXPECT_EQ(list(mesh.targets[1].indices), (std::vector<std::uint32_t>{0, 23}));
    EXPECT_TRUE(mesh.targets[1].normals.empty());
}

TEST(GltfMorphs, MoveSeveralPrimitives) {
    const Mesh mesh = read_text(gltf_model("morph_stress")).meshes.at(0);
    ASSERT_EQ(mesh.targets.size(), 8u);
    EXPECT_EQ(mesh.targets[7].name, "Key 8");
    EXPECT_EQ(mesh.targets[7].indices.size(), mesh.vertex_count) << "every vertex of both primitives rises";
    EXPECT_EQ(mesh.targets[7].positions.back(), (Vec3{0, 0.8f, 0}));
    EXPECT_LT(mesh.targets[0].indices.size(), mesh.vertex_count);
}

TEST(GltfMorphs, ThatDifferBetweenPrimitivesOfTheSameVerticesStayApart) {
    AssetBuilder builder;
    json first = primitive_of(builder, box()), second = first;
    first["targets"].push_back({{"POSITION", add_positions(builder, Floats(72, 1))}});
    second["targets"].push_back({{"POSITION", add_positions(builder, Floats(72, 2))}});
    const Mesh mesh = read_text(mesh_of(std::move(builder), {first, second}).glb()).meshes.at(0);
    EXPECT_EQ(mesh.vertex_count, 48u);
    EXPECT_EQ(mesh.targets.at(0).positions.at(0).x, 1);
    EXPECT_EQ(mesh.targets.at(0).positions.at(47).x, 2);
}

/// A mesh with vertices that no primitive stands on, before, between and behind.
Scene with_gaps() {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 20;
    mesh.extras.json = R"({"record":1})";
    Attribute& positions = mesh.attributes.emplace_back();
    positions.data.element = ElementType::vec3;
    positions.data.bytes.resize(20 * sizeof(Vec3));
    for (std::size_t i = 0; i < 20; ++i) positions.data.as<Vec3>()[i] = {static_cast<float>(i), 1, 2};
    mesh.primitives = {{12, 4, {0, 1, 2}, no_index}, {2, 5, {0, 1, 4}, no_index}, {4, 5, {0, 1, 4}, no_index}};
    MorphTarget& target = mesh.targets.emplace_back();
    target.indices = {3, 5, 13};
    target.positions = {{1, 0, 0}, {}, {0, 0, -0.0f}};
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

TEST(GltfMeshes, KeepVerticesThatNobodyStandsOnWhileTheyAreUntouched) {
    const Scene scene = with_gaps();
    const std::string once = written(scene);
    const Scene again = read_text(once);
    const Mesh& mesh = again.meshes.at(0);
    EXPECT_TRUE(Untouched(again)(mesh));
    EXPECT_EQ(mesh.vertex_count, 20u);
    EXPECT_TRUE(mesh.attributes.at(0).data.bytes == scene.meshes[0].attributes[0].data.bytes);
    EXPECT_EQ(mesh.primitives.at(0).first_vertex, 12u);
    EXPECT_EQ(list(mesh.targets.at(0).indices), list(scene.meshes[0].targets[0].indices));
    EXPECT_TRUE(written(again) == once);
}

TEST(GltfMeshes, CloseGapsWhereSomebodyHasEdited) {
    Scene scene = with_gaps();
    scene.meshes[0].extras.json.clear();
    const Scene again = read_text(written(scene));
    const Mesh& mesh = again.meshes.at(0);
    EXPECT_EQ(mesh.vertex_count, 14u);
    const auto positions = mesh.attributes.at(0).data.as<Vec3>();
    for (std::size_t i = 0; i < 3; ++i) {
        const Primitive &before = scene.meshes[0].primitives[i], &after = mesh.primitives.at(i);
        EXPECT_EQ(positions[after.first_vertex].x, static_cast<float>(before.first_vertex));
        EXPECT_EQ(list(after.indices), list(before.indices));
    }
}

/// Two primitives on halves of the same views, in a mesh whose hash speaks of another one.
AssetBuilder halves_of_views() {
    AssetBuilder builder;
    const std::size_t positions = builder.view(packed(Floats(18, 1)));
    const std::size_t colors = builder.view(packed(std::vector<std::uint8_t>(24, 51)));
    std::vector<json> primitives(2);
    for (std::size_t i = 0; i < 2; ++i) {
        json accessor = {
            {"bufferView", positions}, {"byteOffset", 36 * i}, {"componentType", 5126}, {"type", "VEC3"}, {"count", 3}};
        primitives[i]["attributes"]["POSITION"] = builder.accessor(accessor);
        accessor = {{"bufferView", colors}, {"byteOffset", 12 * i}, {"componentType", 5121},
                    {"type", "VEC4"},       {"count", 3},           {"normalized", true}};
        primitives[i]["attributes"]["COLOR_0"] = builder.accessor(accessor);
    }
    builder = mesh_of(std::move(builder), primitives);
    builder.root["meshes"][0]["extras"]["effigy"] = {{"record", 1}, {"hash", "xxh3:0123456789abcdef"}};
    return builder;
}

TEST(GltfMeshes, ViewsAreTakenAsAWholeOnlyWhereTheirPartsAreAlike) {
    AssetBuilder builder = halves_of_views();
    const Mesh whole = read_text(builder.glb()).meshes.at(0);
    EXPECT_EQ(whole.vertex_count, 6u);
    EXPECT_EQ(find(whole, Semantic::color)->data.component, ComponentType::u8);

    builder.root["accessors"][3]["normalized"] = false;
    const Mesh mixed = read_text(builder.glb()).meshes.at(0);
    const Attribute* const colors = find(mixed, Semantic::color);
    ASSERT_EQ(colors->data.component, ComponentType::f32);
    EXPECT_FLOAT_EQ(colors->data.as<float>()[0], 0.2f);
    EXPECT_EQ(colors->data.as<float>()[12], 51);

    builder = halves_of_views();
    builder.root["accessors"][3]["count"] = 2;
    EXPECT_EQ(code_of(try_to_read(builder.glb())), "gltf-counts");
}

TEST(GltfMeshes, CompareTheFormOfTargetsWithWhatTheyMove) {
    // More than half of the vertices are listed, and few of them move.
    Scene scene = with_gaps();
    Mesh& mesh = scene.meshes[0];
    mesh.primitives = {{0, 20, {0, 1, 2}, no_index}};
    MorphTarget& target = mesh.targets[0];
    target.indices.clear();
    target.positions.clear();
    for (std::uint32_t i = 0; i < 19; ++i) {
        target.indices.push_back(i);
        target.positions.push_back(i < 5 ? Vec3{1, 0, 0} : Vec3{});
    }
    const std::string once = written(scene);
    const Scene again = read_text(once);
    EXPECT_EQ(list(again.meshes[0].targets[0].indices), list(target.indices));
    EXPECT_TRUE(written(again) == once);
}

}  // namespace
}  // namespace effigy::gltf_test
