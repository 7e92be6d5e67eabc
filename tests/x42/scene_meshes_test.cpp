/// Groups, levels of detail, winding, vertices, weights, materials, morph targets.

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "effigy/gltf.hpp"
#include "effigy/poser.hpp"

#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

using Json = nlohmann::json;
using effigy::x42::Group;
using effigy::x42::identity;
using effigy::x42::no_bone;
using effigy::x42::PrimitiveType;
using Numbers = std::vector<std::uint32_t>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void expect_writable(const Scene& scene) {
    const auto glb = gltf::write_glb(scene);
    EXPECT_TRUE(glb) << to_string(glb.error());
    EXPECT_TRUE(playback::Poser::make(scene));
}

Numbers indices(const Primitive& primitive) { return {primitive.indices.begin(), primitive.indices.end()}; }

std::vector<Vec3> vectors(const Mesh& mesh, Semantic semantic) {
    const Attribute* attribute = find(mesh, semantic);
    EXPECT_NE(attribute, nullptr);
    if (attribute == nullptr) return {};
    const auto values = attribute->data.as<Vec3>();
    return {values.begin(), values.end()};
}

template <class T>
std::vector<int> bytes(const Mesh& mesh, Semantic semantic, std::size_t vertex) {
    const Attribute* attribute = find(mesh, semantic);
    EXPECT_NE(attribute, nullptr);
    if (attribute == nullptr) return {};
    const auto values = attribute->data.as<T>().subspan(4 * vertex, 4);
    return {values.begin(), values.end()};
}

// Groups and levels.

TEST(X42Meshes, HaveOnePrimitiveForEachGroupWithVerticesOfItsOwn) {
    FileBuilder builder;
    for (int i = 0; i < 6; ++i) builder.vertex({static_cast<float>(i), static_cast<float>(i % 2), 0});
    builder.group("last", 3, 3, {0, 1, 2});
    builder.group("first", 0, 3, {0, 1, 2});
    builder.group("overlap", 2, 3, {2, 1, 0});
    const auto loaded = convert(builder.build());
    ASSERT_EQ(loaded.value.meshes.size(), 1u);
    const Mesh& mesh = loaded.value.meshes[0];
    EXPECT_EQ(mesh.vertex_count, 9u);
    std::vector<float> x;
    for (const Vec3& v : vectors(mesh, Semantic::position)) x.push_back(v.x);
    EXPECT_EQ(x, (std::vector<float>{3, 4, 5, 0, 1, 2, 2, 3, 4}));
    ASSERT_EQ(mesh.primitives.size(), 3u);
    EXPECT_EQ(mesh.primitives[2].first_vertex, 6u);
    EXPECT_EQ(indices(mesh.primitives[2]), (Numbers{2, 0, 1}));
    EXPECT_TRUE(loaded.value.skins.empty());
    const Node& node = loaded.value.nodes[find(loaded.value, "char.mesh")];
    EXPECT_EQ(node.parent, find(loaded.value, "char")) << "it follows no bone";
    EXPECT_EQ(loaded.report.count(Severity::warning), 0u);
    expect_writable(loaded.value);
}

TEST(X42Meshes, LeaveOutVerticesInNoGroup) {
    FileBuilder builder;
    builder.vertex({9, 9, 9});
    builder.triangle("a");
    builder.vertex({9, 9, 9});
    const auto loaded = convert(builder.build());
    EXPECT_EQ(loaded.value.meshes[0].vertex_count, 3u);
    EXPECT_EQ(finding(loaded.report, "x42-vertex-loose").found, "2");
}

FileBuilder levels() {
    FileBuilder builder;
    for (int i = 0; i < 4; ++i) builder.triangle("s" + std::to_string(i), static_cast<float>(i));
    builder.lod("fine", 0, 2);
    builder.lod("", 2, 1);
    return builder;
}

TEST(X42Levels, AreHiddenNodesThatReplaceTheFinest) {
    const auto loaded = convert(levels().build());
    const Scene& scene = loaded.value;
    const Node& fine = scene.nodes[find(scene, "char.fine")];
    const Index coarse = find(scene, "char.lod1");
    EXPECT_EQ(fine.lods, std::vector<Index>{coarse});
    EXPECT_FALSE(fine.hidden);
    EXPECT_TRUE(scene.nodes[coarse].hidden);
    EXPECT_EQ(scene.nodes[coarse].parent, no_index);
    EXPECT_EQ(scene.meshes[fine.mesh].primitives.size(), 3u) << "the group that is in no level joins";
    EXPECT_EQ(finding(loaded.report, "x42-lod-loose").found, "1: s3");
    const Json extras = Json::parse(scene.meshes[fine.mesh].extras.json);
    EXPECT_EQ(extras["name"], "fine");
    EXPECT_EQ(extras["groups"].size(), 3u);
    EXPECT_EQ(extras["groups"][1]["surface"], "s1");
    EXPECT_FALSE(extras["groups"][1].contains("group")) << "it is the one behind the last";
    EXPECT_EQ(extras["groups"][2]["group"], 3);
    EXPECT_EQ(kept_file(scene).groups[1].first_vertex, 3u);
    expect_writable(scene);
}

TEST(X42Levels, CanBeChosen) {
    for (const auto& [wanted, found, shown] :
         {std::tuple(0, 0, "char.fine"), std::tuple(1, 1, "char.lod1"), std::tuple(5, 1, "char.lod1")}) {
        effigy::x42::SceneOptions options;
        options.lod = wanted;
        const auto loaded = convert(levels().build(), options);
        ASSERT_EQ(loaded.value.meshes.size(), 1u);
        EXPECT_EQ(loaded.value.meshes[0].name, shown);
        EXPECT_FALSE(loaded.value.nodes[find(loaded.value, shown)].hidden);
        EXPECT_EQ(loaded.report.count("lod-other"), wanted == found ? 0u : 1u);
    }
    FileBuilder one_level = levels();
    one_level.file.lods.clear();
    effigy::x42::SceneOptions options;
    options.lod = 1;
    const auto loaded = convert(one_level.build(), options);
    EXPECT_EQ(loaded.report.count("lod-other"), 1u);
    EXPECT_EQ(loaded.value.meshes.at(0).primitives.size(), 4u);
}

TEST(X42Levels, WithGroupsThatDoNotExistHaveTheOthers) {
    FileBuilder builder = levels();
    builder.file.lods[1].group_count = 9;
    builder.lod("none", 40, 2);
    builder.lod("empty", 0, 0);
    const auto loaded = convert(builder.build());
    EXPECT_EQ(finding(loaded.report, "x42-lod-range").severity, Severity::warning);
    EXPECT_EQ(loaded.value.meshes.size(), 2u);
    EXPECT_EQ(loaded.report.count("mesh-empty"), 2u);
    EXPECT_EQ(loaded.report.count("x42-lod-loose"), 0u);
    expect_writable(loaded.value);
}

TEST(X42Levels, OfStaticGroupsOnlyHaveNoSkin) {
    FileBuilder builder = levels();
    const auto bone = builder.bone("b", no_bone);
    builder.influence(bone, identity);
    builder.file.groups[1].vertex_influences = 1;
    builder.file.groups[1].influence_count = 1;
    builder.blend({0, 0, 0});
    const auto loaded = convert(builder.build());
    const Scene& scene = loaded.value;
    const Node& fine = scene.nodes[find(scene, "char.fine")];
    EXPECT_EQ(fine.skin, 0u);
    EXPECT_EQ(fine.parent, no_index) << "skinned meshes hang at the root of the scene";
    EXPECT_EQ(scene.nodes[find(scene, "char.lod1")].skin, no_index);
    EXPECT_EQ(find(scene.meshes[1], Semantic::joints), nullptr);
    ASSERT_EQ(scene.skins[0].joints.size(), 2u);
    EXPECT_EQ(scene.skins[0].joints[1], find(scene, "char")) << "what stands still";
    EXPECT_EQ(bytes<std::uint8_t>(scene.meshes[0], Semantic::joints, 0), (std::vector{1, 0, 0, 0}));
    EXPECT_EQ(bytes<std::uint8_t>(scene.meshes[0], Semantic::weights, 0), (std::vector{255, 0, 0, 0}));
    EXPECT_EQ(bytes<std::uint8_t>(scene.meshes[0], Semantic::joints, 3), (std::vector{0, 0, 0, 0}));
    expect_writable(scene);
}

TEST(X42Scene, StopsAtTheLimitWhereGroupsAndLevelsClaimEverything) {
    FileBuilder builder;
    for (int i = 0; i < 60000; ++i) builder.file.vertices.push_back({1, 2, 3});
    Group all;
    all.vertex_count = all.element_count = 60000;
    for (int i = 0; i < 65535; ++i) builder.file.groups.push_back(all);
    effigy::x42::SceneInput input;
    input.models.push_back(model("groups", builder.file));
    const auto groups = effigy::x42::to_scene(input);
    ASSERT_FALSE(groups);
    EXPECT_EQ(groups.error().code, "limit-memory");
    for (int i = 0; i < 65535; ++i) input.models[0].file.lods.push_back({0, 0, 65535});
    const auto lods = effigy::x42::to_scene(input);
    ASSERT_FALSE(lods);
    EXPECT_EQ(lods.error().code, "limit-memory");
}

TEST(X42Scene, StopsAtTheLimitWhereLevelsShareManyWeights) {
    FileBuilder builder;
    builder.influence(no_bone, moved({}));
    Group& group = builder.triangle("heavy");
    group.vertex_influences = 65535;
    group.influence_count = 1;
    builder.file.blend.resize(3 * 131069);
    for (int i = 0; i < 20000; ++i) builder.file.lods.push_back({0, 0, 1});
    effigy::x42::SceneInput input;
    input.models.push_back(model("levels", builder.file));
    const auto scene = effigy::x42::to_scene(input);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, "limit-memory");
    EXPECT_NE(scene.error().message.find("weights"), std::string::npos) << to_string(scene.error());
}

// Elements.

struct Turned {
    PrimitiveType type;
    Numbers file, scene;
};

TEST(X42Elements, AreTurnedByTheirKind) {
    const std::vector<Turned> cases{
        {PrimitiveType::points, {2, 0, 3}, {2, 0, 3}},
        {PrimitiveType::lines, {0, 1, 2, 3}, {0, 1, 2, 3}},
        {PrimitiveType::line_strip, {0, 3, 1}, {0, 3, 1}},
        {PrimitiveType::triangles, {0, 1, 2, 3, 2, 1}, {0, 2, 1, 3, 1, 2}},
        {PrimitiveType::triangle_strip, {0, 1, 2, 3}, {0, 0, 1, 2, 3}},
        {PrimitiveType::triangle_strip, {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}},
        {PrimitiveType::triangle_fan, {0, 1, 2, 3}, {0, 3, 2, 1}},
    };
    for (const Turned& one : cases) {
        FileBuilder builder;
        for (int i = 0; i < 5; ++i) builder.vertex({static_cast<float>(i % 3), static_cast<float>(i * i), 0});
        Group& group = builder.group("s", 0, 5);
        group.type = one.type;
        group.first_index = 0;
        group.element_count = static_cast<std::uint32_t>(one.file.size());
        for (const std::uint32_t index : one.file) builder.file.indices.push_back(static_cast<std::uint16_t>(index));
        const auto loaded = convert(builder.build());
        const Primitive& primitive = loaded.value.meshes.at(0).primitives.at(0);
        EXPECT_EQ(static_cast<int>(primitive.topology), static_cast<int>(one.type));
        EXPECT_EQ(indices(primitive), one.scene) << static_cast<int>(one.type);
        EXPECT_EQ(loaded.report.count(Severity::warning), 0u);
        expect_writable(loaded.value);
    }
}

TEST(X42Elements, WithoutIndicesAreTheVerticesInTheirOrder) {
    FileBuilder builder;
    for (int i = 0; i < 6; ++i) builder.vertex({static_cast<float>(i % 2), static_cast<float>(i), 0});
    builder.group("s", 0, 6);
    const auto loaded = convert(builder.build());
    EXPECT_EQ(indices(loaded.value.meshes[0].primitives[0]), (Numbers{0, 2, 1, 3, 5, 4}));
    EXPECT_EQ(kept_file(loaded.value).groups[0].first_index, effigy::x42::no_indices);
}

TEST(X42Elements, ThatLeadAstrayAreCut) {
    const auto cut = [](PrimitiveType type, std::initializer_list<int> file) {
        FileBuilder builder;
        builder.triangle("whole");
        for (int i = 0; i < 4; ++i) builder.vertex({static_cast<float>(i % 2), static_cast<float>(i), 3});
        builder.group("cut", 3, 4, file).type = type;
        const auto loaded = convert(builder.build());
        EXPECT_EQ(finding(loaded.report, "x42-index-range").severity, Severity::warning);
        expect_writable(loaded.value);
        const auto& primitives = loaded.value.meshes[0].primitives;
        return primitives.size() < 2 ? Numbers{} : indices(primitives[1]);
    };
    EXPECT_EQ(cut(PrimitiveType::triangles, {0, 1, 2, 1, 4, 3, 1, 2, 3}), (Numbers{0, 2, 1, 1, 3, 2}));
    EXPECT_EQ(cut(PrimitiveType::lines, {0, 9, 1, 2}), (Numbers{1, 2}));
    EXPECT_EQ(cut(PrimitiveType::points, {0, 9, 1}), (Numbers{0, 1}));
    EXPECT_EQ(cut(PrimitiveType::triangle_strip, {0, 1, 2, 9, 3}), (Numbers{2, 1, 0}));
    EXPECT_EQ(cut(PrimitiveType::triangle_fan, {0, 1, 9, 3}), Numbers{});
    EXPECT_EQ(cut(PrimitiveType::line_strip, {0, 2, 65535}), (Numbers{0, 2}));
}

TEST(X42Elements, ThatAreLeftOverOrNotThereAreReported) {
    FileBuilder builder;
    for (int i = 0; i < 5; ++i) builder.vertex({static_cast<float>(i % 2), static_cast<float>(i), 3});
    builder.group("left over", 0, 5);
    builder.group("beyond", 2, 9).element_count = 9;
    builder.group("far", 0, 5, {0, 1, 2}).element_count = 30;
    builder.group("nowhere", 70, 3);
    builder.group("", 71, 3);
    builder.group("two", 0, 5).type = static_cast<PrimitiveType>(2);
    builder.group("nine", 0, 5).type = static_cast<PrimitiveType>(9);
    const auto loaded = convert(builder.build());
    ASSERT_EQ(loaded.value.meshes.at(0).primitives.size(), 3u);
    for (const Primitive& primitive : loaded.value.meshes[0].primitives) EXPECT_EQ(primitive.indices.size(), 3u);
    EXPECT_EQ(finding(loaded.report, "x42-group-incomplete").found, "2");
    EXPECT_EQ(finding(loaded.report, "x42-group-vertices").found, "3: beyond, nowhere, group 4");
    EXPECT_EQ(finding(loaded.report, "x42-group-elements").found.substr(0, 2), "4:");
    EXPECT_EQ(finding(loaded.report, "x42-group-type").found, "2: 2 of two, 9 of nine");
    EXPECT_EQ(finding(loaded.report, "x42-group-empty").found, "2: nowhere, group 4");
    const Json groups = Json::parse(loaded.value.meshes[0].extras.json)["groups"];
    EXPECT_EQ(groups.size(), 7u) << "what is not drawn is kept";
    EXPECT_EQ(groups[4]["drawn"], false);
    expect_writable(loaded.value);
}

// Winding, normals, tangents.

/// Triangles in the plane z = 0, whose normals are (0, 0, z).
FileBuilder plates(int count, int z) {
    FileBuilder builder;
    for (int i = 0; i < count; ++i) builder.triangle("s" + std::to_string(i), static_cast<float>(i));
    builder.file.header.model_flags = effigy::x42::has_normals;
    builder.file.normals.assign(builder.file.vertices.size(), {0, 0, static_cast<std::int8_t>(z)});
    return builder;
}

TEST(X42Winding, IsTurnedUnlessNormalsSayOtherwise) {
    const auto first = [](FileBuilder builder) {
        const auto loaded = convert(builder.build());
        return std::pair(indices(loaded.value.meshes[0].primitives[0]), loaded.report.count("x42-winding-kept"));
    };
    const Numbers turned{0, 2, 1}, kept{0, 1, 2};
    EXPECT_EQ(first(plates(10, -127)), std::pair(turned, std::size_t{0}));
    EXPECT_EQ(first(plates(10, 127)), std::pair(kept, std::size_t{1}));
    EXPECT_EQ(first(plates(7, 127)), std::pair(turned, std::size_t{0})) << "too few to judge";
    FileBuilder mixed = plates(20, 127);
    for (std::size_t i = 0; i < 9; ++i) mixed.file.normals[i] = {0, 0, -127};
    EXPECT_EQ(first(mixed), std::pair(turned, std::size_t{0})) << "17 of 20";
    for (std::size_t i = 6; i < 9; ++i) mixed.file.normals[i] = {0, 0, 127};
    EXPECT_EQ(first(mixed), std::pair(kept, std::size_t{1})) << "18 of 20";
}

TEST(X42Winding, OfStripsAndFansIsJudgedTriangleByTriangle) {
    FileBuilder builder;
    for (int i = 0; i < 12; ++i) builder.vertex({static_cast<float>(i / 2), static_cast<float>(i % 2), 0});
    builder.group("strip", 0, 12).type = PrimitiveType::triangle_strip;
    builder.file.header.model_flags = effigy::x42::has_normals;
    builder.file.normals.assign(12, {0, 0, 127});
    EXPECT_EQ(convert(builder.build()).report.count("x42-winding-kept"), 0u);
    builder.file.normals.assign(12, {0, 0, -127});
    EXPECT_EQ(convert(builder.build()).report.count("x42-winding-kept"), 1u);
}

TEST(X42Normals, AreMadeUnitAndThoseOfNoLengthFromFaces) {
    FileBuilder builder = plates(2, -127);
    builder.file.normals[1] = {3, 4, 0};
    builder.file.normals[2] = {0, 0, 0};
    builder.vertex({5, 5, 5});
    builder.file.groups[1].vertex_count = 4;
    builder.file.normals.push_back({0, 0, 0});
    const auto loaded = convert(builder.build());
    const auto normals = vectors(loaded.value.meshes[0], Semantic::normal);
    EXPECT_NEAR(normals[1].x, 0.6, 1e-6);
    EXPECT_NEAR(normals[1].y, 0.8, 1e-6);
    EXPECT_EQ(normals[2], (Vec3{0, 0, -1})) << "as its triangle is seen";
    EXPECT_EQ(normals[6], (Vec3{0, 1, 0})) << "in no triangle";
    EXPECT_EQ(finding(loaded.report, "normal-repaired").found, "2");
    expect_writable(loaded.value);
}

/// Eight plates with texture coordinates (x, -y) and normals down, so that u runs along x and v against y.
FileBuilder textured_plates() {
    FileBuilder builder = plates(8, -127);
    builder.file.header.model_flags = 7;
    for (std::size_t i = 0; i < builder.file.vertices.size(); ++i) {
        const std::size_t corner = i % 3;
        builder.file.texcoords.push_back({static_cast<std::uint16_t>(32765 + (corner == 1 ? 1 : 0)),
                                          static_cast<std::uint16_t>(32765 - (corner == 2 ? 1 : 0))});
        builder.file.tangents.push_back({120, 0, 40, 127, 0, 127, 0});
    }
    return builder;
}

TEST(X42Tangents, StandAtRightAnglesWithTheSideOfTheBitangent) {
    const auto loaded = convert(textured_plates().build());
    const Mesh& mesh = loaded.value.meshes[0];
    const Vec4 tangent = find(mesh, Semantic::tangent)->data.as<Vec4>()[0];
    // cross(N, T) = (0, -1, 0), and the file's bitangent is (0, 1, 0), which is -dP/dv as glTF has it.
    EXPECT_EQ(tangent, (Vec4{1, 0, 0, -1}));
    EXPECT_EQ(find(mesh, Semantic::texcoord)->data.as<Vec2>()[2], (Vec2{0, -1})) << "no flip";
    EXPECT_EQ(loaded.report.count("x42-bitangents-turned"), 0u);
    EXPECT_EQ(loaded.report.count(Severity::warning), 0u);
    expect_writable(loaded.value);
}

TEST(X42Tangents, AreTurnedWhereBitangentsRunAlongV) {
    FileBuilder builder = textured_plates();
    for (auto& packed : builder.file.tangents) packed[5] = -127;
    const auto loaded = convert(builder.build());
    EXPECT_EQ(find(loaded.value.meshes[0], Semantic::tangent)->data.as<Vec4>()[0].w, -1);
    EXPECT_EQ(finding(loaded.report, "x42-bitangents-turned").severity, Severity::info);
}

TEST(X42Tangents, GiveTheNormalsThatAreMissing) {
    FileBuilder builder = textured_plates();
    builder.file.normals.clear();
    builder.file.header.model_flags = 6;
    for (auto& packed : builder.file.tangents) packed = {127, 0, 0, -127, 0, 127, 0};
    const auto loaded = convert(builder.build());
    EXPECT_EQ(vectors(loaded.value.meshes[0], Semantic::normal)[0], (Vec3{0, 0, -1}));
    EXPECT_EQ(find(loaded.value.meshes[0], Semantic::tangent)->data.as<Vec4>()[0], (Vec4{1, 0, 0, -1}));
    EXPECT_EQ(loaded.report.count("x42-winding-kept"), 0u);
    expect_writable(loaded.value);
}

TEST(X42Tangents, WithoutDirectionAreReplaced) {
    FileBuilder builder = textured_plates();
    builder.file.tangents[0] = {0, 0, 127, 127, 0, 127, 0};
    builder.file.tangents[1] = {0, 0, 0, 0, 0, 0, 0};
    const auto loaded = convert(builder.build());
    EXPECT_EQ(finding(loaded.report, "tangent-repaired").found, "2");
    const auto tangents = find(loaded.value.meshes[0], Semantic::tangent)->data.as<Vec4>();
    for (const Vec4& t : tangents) EXPECT_NEAR(t.x * t.x + t.y * t.y + t.z * t.z, 1, 1e-6);
    expect_writable(loaded.value);
}

TEST(X42Vertices, CarryColoursAndReplaceNumbersThatAreNone) {
    FileBuilder builder = textured_plates();
    builder.file.header.model_flags = 15;
    builder.file.colors.assign(builder.file.vertices.size(), {1, 2, 3, 4});
    builder.file.pack.vertex_positions[1].low = nan;
    builder.file.pack.texcoords[0].high = std::numeric_limits<float>::infinity();
    const auto loaded = convert(builder.build());
    EXPECT_EQ(bytes<std::uint8_t>(loaded.value.meshes[0], Semantic::color, 5), (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(vectors(loaded.value.meshes[0], Semantic::position)[2].y, 0);
    EXPECT_GE(loaded.report.count("not-finite-replaced"), 1u);
    expect_writable(loaded.value);
}

TEST(X42Vertices, GoWithoutSectionsOfAnotherLength) {
    FileBuilder builder = textured_plates();
    builder.file.normals.pop_back();
    builder.file.tangents.clear();
    builder.file.texcoords.push_back({});
    const auto loaded = convert(builder.build());
    EXPECT_EQ(loaded.value.meshes[0].attributes.size(), 1u);
    EXPECT_EQ(loaded.report.count("x42-array-size"), 3u);
    EXPECT_TRUE(loaded.value.images.empty()) << "no texture without coordinates";
    expect_writable(loaded.value);
}

// Weights.

/// One triangle that follows some of five bones.
FileBuilder followers(std::uint16_t most, std::initializer_list<int> blend, int bones = 5) {
    FileBuilder builder;
    for (int i = 0; i < bones; ++i) {
        builder.influence(builder.bone("b" + std::to_string(i), no_bone, {static_cast<float>(i), 0, 0}), identity);
    }
    Group& group = builder.triangle("s");
    group.vertex_influences = most;
    group.influence_count = static_cast<std::uint16_t>(std::min(bones, 60));
    for (std::size_t i = 0; i < group.influence_count; ++i) group.influences[i] = static_cast<std::uint16_t>(i);
    builder.blend(blend);
    return builder;
}

struct Followed {
    std::vector<int> joints, weights;
    friend bool operator==(const Followed&, const Followed&) = default;
};
std::ostream& operator<<(std::ostream& out, const Followed& one) {
    return out << ::testing::PrintToString(one.joints) << ::testing::PrintToString(one.weights);
}

Followed followed(const Loaded<Scene>& loaded, std::size_t vertex) {
    const Mesh& mesh = loaded.value.meshes.at(0);
    return {bytes<std::uint8_t>(mesh, Semantic::joints, vertex), bytes<std::uint8_t>(mesh, Semantic::weights, vertex)};
}

TEST(X42Weights, AreTheFilesBytesAndWhatIsLeft) {
    const auto loaded = convert(followers(3, {4, 100, 2, 50, 1,  //
                                              0, 255, 3, 0, 1,   //
                                              2, 10, 2, 20, 3})
                                    .build());
    EXPECT_EQ(followed(loaded, 0), (Followed{{4, 2, 1, 0}, {100, 50, 105, 0}}));
    EXPECT_EQ(followed(loaded, 1), (Followed{{0, 0, 0, 0}, {255, 0, 0, 0}})) << "joints without weight are 0";
    EXPECT_EQ(followed(loaded, 2), (Followed{{2, 3, 0, 0}, {30, 225, 0, 0}})) << "one joint, twice";
    EXPECT_EQ(finding(loaded.report, "x42-blend-repeated").severity, Severity::info);
    EXPECT_EQ(loaded.report.count(Severity::warning), 0u);
    expect_writable(loaded.value);
}

TEST(X42Weights, ThatAreTooMuchAreMadeSmaller) {
    const auto loaded = convert(followers(3, {0, 200, 1, 200, 2,  //
                                              0, 255, 1, 1, 2,    //
                                              0, 100, 1, 155, 2})
                                    .build());
    EXPECT_EQ(followed(loaded, 0), (Followed{{0, 1, 0, 0}, {128, 127, 0, 0}}));
    EXPECT_EQ(followed(loaded, 1).weights[0], 255);
    EXPECT_EQ(followed(loaded, 2), (Followed{{0, 1, 0, 0}, {100, 155, 0, 0}}));
    EXPECT_EQ(finding(loaded.report, "x42-weight-sum").found, "2");
    expect_writable(loaded.value);
}

TEST(X42Weights, OfMoreThanFourAreTheStrongestFour) {
    const auto loaded = convert(followers(6, {0, 10,  1, 20, 2, 30, 3, 40, 4, 50, 0,  //
                                              0, 1,   1, 1,  2, 1,  3, 1,  4, 1,  3,  //
                                              0, 255, 0, 0,  0, 0,  0, 0,  0, 0,  0})
                                    .build());
    const Followed first = followed(loaded, 0);
    EXPECT_EQ(first.joints, (std::vector{0, 4, 3, 2})) << "115, 50, 40, 30";
    EXPECT_EQ(first.weights, (std::vector{126, 54, 43, 32}));
    EXPECT_EQ(followed(loaded, 1).joints[0], 3);
    EXPECT_EQ(followed(loaded, 2), (Followed{{0, 0, 0, 0}, {255, 0, 0, 0}}));
    EXPECT_EQ(finding(loaded.report, "x42-group-weights").found, "2");
    expect_writable(loaded.value);
}

TEST(X42Weights, OfPlacesThatDoNotExistGoToTheFirst) {
    FileBuilder builder = followers(1, {200, 1, 0});
    const auto bad_place = convert(builder.build());
    EXPECT_EQ(followed(bad_place, 0).joints[0], 0);
    EXPECT_EQ(finding(bad_place.report, "x42-blend-index").severity, Severity::warning);
    builder.file.groups[0].influences[1] = 999;
    const auto bad_influence = convert(builder.build());
    EXPECT_EQ(bad_influence.value.skins[0].joints.size(), 6u);
    EXPECT_EQ(followed(bad_influence, 1).joints[0], 5) << "what stands still";
    EXPECT_EQ(bad_influence.report.count("x42-group-influence"), 1u);
    builder.file.groups[0].influence_count = 61;
    EXPECT_EQ(convert(builder.build()).report.count("x42-group-palette"), 1u);
    builder.file.groups[0].influence_count = 0;
    const auto empty = convert(builder.build());
    EXPECT_EQ(followed(empty, 1).joints[0], 5);
    builder.file.groups[0].influence_count = 5;
    builder.file.blend.pop_back();
    const auto cut = convert(builder.build());
    EXPECT_EQ(followed(cut, 2), (Followed{{0, 0, 0, 0}, {255, 0, 0, 0}}));
    EXPECT_GE(cut.report.count("x42-array-size"), 1u);
    expect_writable(cut.value);
}

TEST(X42Weights, HaveWiderJointsWhereThereAreMany) {
    FileBuilder builder = followers(1, {59, 0, 1}, 300);
    builder.file.groups[0].influences[59] = 299;
    const auto loaded = convert(builder.build());
    EXPECT_EQ(bytes<std::uint16_t>(loaded.value.meshes[0], Semantic::joints, 0), (std::vector{299, 0, 0, 0}));
    expect_writable(loaded.value);
    const auto narrow = convert(followers(1, {59, 0, 1}, 256).build());
    EXPECT_EQ(find(narrow.value.meshes[0], Semantic::joints)->data.component, ComponentType::u8);
}

TEST(X42Weights, StandInTheOrderOfGroupsWhereverTheirVerticesAre) {
    FileBuilder builder = followers(2, {0, 255, 1, 0, 255, 1, 0, 255, 1});
    Group& early = builder.group("early", 0, 3, {0, 1, 2});
    early.vertex_influences = 1;
    early.influence_count = 1;
    early.influences[0] = 4;
    builder.blend({0, 0, 0});
    const auto loaded = convert(builder.build());
    EXPECT_EQ(followed(loaded, 0).joints[0], 0);
    EXPECT_EQ(followed(loaded, 3).joints[0], 4);
}

// Materials.

TEST(X42Materials, AreTheNamesOfShadersAndTheirImages) {
    FileBuilder builder = textured_plates();
    builder.file.groups[1].material = builder.file.groups[0].material;
    builder.file.groups[2].material = 0;
    const auto loaded = convert(builder.build());
    const Scene& scene = loaded.value;
    ASSERT_EQ(scene.materials.size(), 6u);
    EXPECT_EQ(scene.materials[0].name, "shader/s0");
    EXPECT_EQ(scene.materials[0].roughness, 1);
    EXPECT_EQ(scene.materials[0].metallic, 0);
    EXPECT_EQ(scene.images[scene.materials[0].base_color_texture.image].name, "shader/s0");
    EXPECT_EQ(scene.meshes[0].primitives[1].material, 0u);
    EXPECT_EQ(scene.meshes[0].primitives[2].material, no_index);
}

TEST(X42Materials, AreReplacedBySkins) {
    effigy::x42::SceneInput input;
    input.models.push_back(model("char", textured_plates().build()));
    effigy::x42::SkinInput skin{{"default", 0, {}}, {}};
    skin.skin.surfaces = {{"S0", "models/new"}, {"s1", "nodraw"}, {"s2", ""}, {"tag_weapon", ""}, {"other", "x"}};
    input.skins.push_back(skin);
    skin.skin.surfaces = {{"s0", "models/late"}};
    input.skins.push_back(skin);
    const auto loaded = convert(std::move(input));
    const Scene& scene = loaded.value;
    ASSERT_EQ(scene.meshes[0].primitives.size(), 6u);
    EXPECT_EQ(scene.materials[scene.meshes[0].primitives[0].material].name, "models/new");
    EXPECT_EQ(finding(loaded.report, "x42-not-drawn").found, "2: s1, s2");
    EXPECT_EQ(finding(loaded.report, "x42-skin-unmatched").found, "1: other");
    EXPECT_EQ(finding(loaded.report, "x42-skin-repeated").found, "1: s0");
    const Json groups = Json::parse(scene.meshes[0].extras.json)["groups"];
    const effigy::x42::File file = kept_file(scene);
    EXPECT_EQ(name_of(file, file.groups[0].material), "shader/s0") << "the file's own name is kept";
    EXPECT_EQ(groups[1]["drawn"], false);
    expect_writable(scene);
}

// Morph targets.

FileBuilder morphing() {
    FileBuilder builder = textured_plates();
    builder.file.version = effigy::x42::version_6;
    builder.file.morphs.layout = effigy::x42::MorphLayout::large;
    builder.lod("fine", 0, 8);
    builder.lod("coarse", 0, 1);
    const auto target = [&](const char* name, std::uint32_t first, std::uint32_t count) {
        builder.file.morphs.targets.push_back({builder.name(name), 0, first, count});
    };
    const auto delta = [&](int vertex, int x) {
        builder.file.morphs.indices.push_back(static_cast<std::uint16_t>(vertex));
        builder.file.morphs.positions.push_back({static_cast<std::uint16_t>(32765 + x), 32765, 32765});
        builder.file.morphs.normals.push_back({0, 127, 0});
        builder.file.morphs.tangents.push_back({0, 0, 127, 0, 0, 0, 0});
    };
    target("smile", 0, 3);
    delta(5, 50);
    delta(1, 10);
    delta(5, 60);
    target("", 3, 2);
    delta(1000, 1);
    delta(2, 20);
    target("none", 5, 9);
    return builder;
}

TEST(X42Morphs, MoveTheVerticesOfEachLevel) {
    const auto loaded = convert(morphing().build());
    const Scene& scene = loaded.value;
    ASSERT_EQ(scene.meshes.size(), 2u);
    const auto& targets = scene.meshes[0].targets;
    ASSERT_EQ(targets.size(), 3u);
    EXPECT_EQ(targets[0].name, "smile");
    EXPECT_EQ(targets[1].name, "target1");
    EXPECT_EQ(Numbers(targets[0].indices.begin(), targets[0].indices.end()), (Numbers{1, 5}));
    EXPECT_EQ(targets[0].positions[0], (Vec3{10, 0, 0}));
    EXPECT_EQ(targets[0].positions[1], (Vec3{50, 0, 0}));
    EXPECT_EQ(targets[0].normals[0], (Vec3{0, 1, 0}));
    EXPECT_EQ(targets[0].tangents[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(scene.meshes[0].weights, std::vector<float>(3, 0));
    EXPECT_EQ(scene.meshes[1].targets[0].indices.size(), 1u) << "the coarse level lacks vertex 5";
    EXPECT_EQ(loaded.report.count("x42-morph-index"), 1u);
    EXPECT_EQ(loaded.report.count("x42-morph-repeated"), 1u);
    EXPECT_EQ(finding(loaded.report, "x42-morph-range").found, "1: none");
    EXPECT_EQ(finding(loaded.report, "morph-empty").found, "1: none");
    const effigy::x42::Morphs morphs = kept_file(scene).morphs;
    EXPECT_EQ(morphs.targets[1].first_delta, 3u);
    EXPECT_EQ(morphs.layout, effigy::x42::MorphLayout::large);
    expect_writable(scene);
}

TEST(X42Morphs, StayOpaqueWhereTheyAreNotUnderstood) {
    FileBuilder builder = textured_plates();
    builder.file.version = effigy::x42::version_6;
    builder.file.morphs.layout = effigy::x42::MorphLayout::undetermined;
    builder.file.morphs.opaque.assign(3, std::byte{0});
    builder.file.morphs.stored_target_count = 2;
    const auto loaded = convert(builder.build());
    EXPECT_TRUE(loaded.value.meshes[0].targets.empty());
    const effigy::x42::Morphs morphs = kept_file(loaded.value).morphs;
    EXPECT_EQ(morphs.opaque, Bytes(3, std::byte{0}));
    EXPECT_EQ(morphs.stored_target_count, 2u);
}

TEST(X42Morphs, StopAtTheLimitWhereTargetsShareEverything) {
    FileBuilder builder = morphing();
    effigy::x42::MorphTarget all{0, 0, 0, 60000};
    builder.file.morphs.targets.assign(65535, all);
    builder.file.morphs.indices.assign(60000, 1);
    builder.file.morphs.positions.assign(60000, {});
    builder.file.morphs.normals.clear();
    builder.file.morphs.tangents.clear();
    effigy::x42::SceneInput input;
    input.models.push_back(model("morphs", builder.build()));
    const auto loaded = effigy::x42::to_scene(std::move(input));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "limit-memory");
}

}  // namespace
}  // namespace effigy::test::x42
