/// Meshes made anew: layouts, limits, repairs, names.

#include <limits>

#include "egosoft/from_scene_files.hpp"
#include "gltf/rich_scene.hpp"

namespace {

using namespace effigy;
using namespace builders;
using effigy::test::make_accessor;
using egosoft::FromSceneOptions;
using Type = xmf::ElementType;

/// A scene of one node with one mesh of these positions.
Scene scene_of(const std::vector<float>& positions, Bulk<std::uint32_t> indices) {
    Scene scene;
    scene.name = "thing";
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = static_cast<std::uint32_t>(positions.size() / 3);
    mesh.attributes.push_back(
        {Semantic::position, 0, {}, make_accessor(effigy::ElementType::vec3, ComponentType::f32, false, positions)});
    mesh.primitives.push_back({0, mesh.vertex_count, std::move(indices), no_index, Topology::triangles});
    scene.nodes.emplace_back().name = "part_main";
    scene.nodes[0].mesh = 0;
    return scene;
}

Scene triangle() { return scene_of({0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}); }

void add(Mesh& mesh, Semantic semantic, std::uint32_t set, effigy::ElementType type, const std::vector<float>& values,
         const std::string& name = {}) {
    mesh.attributes.push_back({semantic, set, name, make_accessor(type, ComponentType::f32, false, values)});
}

/// With normals, and texture coordinates that say where a tangent points.
Scene whole_triangle() {
    Scene scene = triangle();
    add(scene.meshes[0], Semantic::normal, 0, effigy::ElementType::vec3, {0, 0, 1, 0, 0, 1, 0, 0, 1});
    add(scene.meshes[0], Semantic::texcoord, 0, effigy::ElementType::vec2, {0, 1, 1, 1, 0, 0});
    return scene;
}

/// "P3 N T" and so on.
std::string layout_of(const xmf::File& file) {
    std::string text;
    for (const xmf::Buffer& buffer : file.buffers) {
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            text += std::to_string(static_cast<unsigned>(placed.element.usage)) + ":" +
                    std::to_string(static_cast<std::uint32_t>(placed.element.type)) + "." +
                    std::to_string(placed.element.usage_index) + " ";
        }
        if (xmf::is_index_buffer(buffer)) text += "I" + std::to_string(8 * buffer.item_size);
    }
    return text;
}

TEST(EgosoftMeshMade, LaysVerticesOutAsTheTargetDoes) {
    const Scene scene = whole_triangle();
    EXPECT_EQ(layout_of(made_mesh(scene).value), "0:2.0 3:4.0 6:4.0 5:1.0 10:4.0 10:4.1 I16");
    FromSceneOptions options;
    options.target = egosoft::Target::x_rebirth;
    const xmf::File old = made_mesh(scene, options).value;
    EXPECT_EQ(layout_of(old), "0:2.0 3:4.0 6:4.0 5:15.0 10:4.0 I16");
    EXPECT_EQ(old.header.cull, 1);
    EXPECT_EQ(old.header.mesh_optimization, 1u);
    options.target = egosoft::Target::x4;
    EXPECT_EQ(layout_of(made_mesh(scene, options).value), "0:2.0 3:4.0 6:4.0 5:1.0 10:4.0 10:4.1 I16");
    EXPECT_EQ(layout_of(made_mesh(triangle()).value), "0:2.0 3:4.0 10:4.0 10:4.1 I16");
}

TEST(EgosoftMeshMade, HeaderAndDescriptorsAreThoseOfTheGamesOwnFiles) {
    const xmf::File file = made_mesh(whole_triangle()).value;
    EXPECT_EQ(file.header.vertex_count, 3u);
    EXPECT_EQ(file.header.index_count, 3u);
    EXPECT_EQ(file.header.cull, 0);
    EXPECT_EQ(file.header.descriptor_size, 188);
    ASSERT_EQ(file.buffers.size(), 2u);
    EXPECT_EQ(file.buffers[0].format, 32u);
    EXPECT_EQ(file.buffers[0].minimum, 0);
    EXPECT_EQ(file.buffers[0].maximum, 0);
    EXPECT_EQ(file.buffers[1].minimum, 0);
    EXPECT_EQ(file.buffers[1].maximum, 2);
    for (const xmf::Buffer& buffer : file.buffers) {
        EXPECT_EQ(buffer.compressed, 1u);
        EXPECT_EQ(static_cast<std::uint32_t>(buffer.elements[15].type), 0xffffffffu);
        ASSERT_LT(buffer.data_offset + 1, file.data.size());
        EXPECT_EQ(file.data[buffer.data_offset + 1], std::byte{0xda}) << "the highest level";
    }
}

TEST(EgosoftMeshMade, PacksVectorsToTheNearestByteAndTheSignInTheNormalsAlpha) {
    Scene scene = whole_triangle();
    const auto stored = [](const xmf::File& file, std::size_t offset) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(file.buffers[0].content.data()) + offset;
        return std::array{at[2], at[1], at[0], at[3]};  // red, green, blue, alpha
    };
    xmf::File file = made_mesh(scene).value;
    // Normal (0, 0, 1): of 127 and 128, which are as near to 0, the files have 127. Tangent along +x: mirrored and
    // negated.
    EXPECT_EQ(stored(file, 12), (std::array<std::uint8_t, 4>{127, 127, 255, 0}));
    EXPECT_EQ(stored(file, 16), (std::array<std::uint8_t, 4>{255, 127, 127, 0}));
    // A mirrored picture.
    scene.meshes[0].attributes.pop_back();
    add(scene.meshes[0], Semantic::texcoord, 0, effigy::ElementType::vec2, {1, 1, 0, 1, 1, 0});
    file = made_mesh(scene).value;
    EXPECT_EQ(stored(file, 12), (std::array<std::uint8_t, 4>{127, 127, 255, 255}));
    EXPECT_EQ(stored(file, 16), (std::array<std::uint8_t, 4>{0, 127, 127, 0}));
}

TEST(EgosoftMeshMade, CollisionHasPositionsOnceAnd32Bits) {
    Scene scene = scene_of({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, -2}, {0, 1, 2, 3, 4, 5});
    FromSceneOptions options;
    options.collision = true;
    const xmf::File file = made_mesh(scene, options).value;
    EXPECT_EQ(layout_of(file), "0:2.0 I32");
    EXPECT_EQ(file.header.vertex_count, 4u);
    EXPECT_EQ(file.header.index_count, 6u);
    EXPECT_EQ(file.buffers[0].kind, 0u);
    EXPECT_EQ(file.buffers[0].format, 2u);
    EXPECT_EQ(file.buffers[0].element_count, 0u);
    EXPECT_EQ(file.buffers[0].minimum, -2);
    EXPECT_EQ(file.buffers[0].maximum, 1);
    EXPECT_TRUE(file.materials.empty());
}

/// A surface of two triangles between each four of its side x side vertices, with texture coordinates.
Scene surface(std::uint32_t side, bool with_normals) {
    std::vector<float> positions, normals, uvs;
    Bulk<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const auto x = static_cast<float>(i % side), z = static_cast<float>(i / side);
        positions.insert(positions.end(), {x, static_cast<float>(i % 3), z});
        normals.insert(normals.end(), {0, 1, 0});
        uvs.insert(uvs.end(), {x / 512, z / 512});
        if (i % side + 1 == side || i + side >= side * side) continue;
        indices.insert(indices.end(), {i, i + side, i + 1, i + 1, i + side, i + side + 1});
    }
    Scene scene = scene_of(positions, std::move(indices));
    if (with_normals) add(scene.meshes[0], Semantic::normal, 0, effigy::ElementType::vec3, normals);
    add(scene.meshes[0], Semantic::texcoord, 0, effigy::ElementType::vec2, uvs);
    return scene;
}

TEST(EgosoftMeshMade, LargeMeshesNeedNoOtherLimit) {
    constexpr std::uint32_t side = 388;
    const Scene flat = surface(side, false);
    auto made = egosoft::mesh_from_scene(flat);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->value.header.vertex_count, 6 * (side - 1) * (side - 1));
    FromSceneOptions options;
    options.limits.memory = std::uint64_t{32} << 20;  // less than these vertices take
    const auto refused = egosoft::mesh_from_scene(flat, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
    const Scene smooth = surface(side, true);
    options.limits.memory = std::uint64_t{128} << 20;
    made = egosoft::mesh_from_scene(smooth, options);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->value.header.vertex_count, side * side);
}

TEST(EgosoftMeshMade, IndicesHave32BitsBeyond65535Vertices) {
    for (const std::uint32_t count : {65535u, 65536u}) {
        std::vector<float> positions;
        Bulk<std::uint32_t> indices;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto x = static_cast<float>(i);
            positions.insert(positions.end(), {x, static_cast<float>(i % 2), 0});
            if (i + 2 < count) indices.insert(indices.end(), {i, i + 1 + i % 2, i + 2 - i % 2});
        }
        Scene scene = scene_of(positions, std::move(indices));
        std::vector<float> normals(positions.size(), 0);
        for (std::size_t i = 2; i < normals.size(); i += 3) normals[i] = -1;
        add(scene.meshes[0], Semantic::normal, 0, effigy::ElementType::vec3, normals);
        const xmf::File file = made_mesh(scene).value;
        EXPECT_EQ(file.header.vertex_count, count);
        EXPECT_EQ(file.buffers.back().item_size, count > 65535 ? 4u : 2u) << count;
    }
}

TEST(EgosoftMeshMade, MoreThan255MaterialsAreRefused) {
    for (const std::uint32_t count : {255u, 256u}) {
        Scene scene = triangle();
        scene.meshes[0].primitives.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            scene.materials.emplace_back();
            scene.meshes[0].primitives.push_back({0, 3, {0, 1, 2}, i, Topology::triangles});
        }
        if (count == 255) {
            const auto made = made_mesh(scene);
            ASSERT_EQ(made.value.materials.size(), 255u);
            EXPECT_EQ(xmf::name_of(made.value.materials[0]), "thing.default");
            EXPECT_EQ(xmf::name_of(made.value.materials[7]), "thing.default_7");
            continue;
        }
        const auto made = egosoft::mesh_from_scene(scene);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, "xmf-too-many");
        EXPECT_EQ(made.error().found, "256");
        EXPECT_EQ(made.error().expected, "at most 255");
    }
}

TEST(EgosoftMeshMade, MaterialsGetNamesOfTheFormatsForm) {
    const auto named = [](const std::string& name) {
        Scene scene = triangle();
        scene.materials.emplace_back().name = name;
        scene.meshes[0].primitives[0].material = 0;
        return std::string(xmf::name_of(made_mesh(scene).value.materials.at(0)));
    };
    EXPECT_EQ(named("ships.hull"), "ships.hull");
    EXPECT_EQ(named("ships.hull.001"), "ships.hull");
    EXPECT_EQ(named("hull"), "thing.hull");
    EXPECT_EQ(named("hull.001"), "thing.hull_001");
    EXPECT_EQ(named("a.b.c"), "thing.a_b_c");
    EXPECT_EQ(named(""), "thing.default");
    EXPECT_EQ(named(".hull"), "thing._hull");
    EXPECT_EQ(named("standardmaterial"), "standardmaterial");
    EXPECT_EQ(named("Hüll & <x>"), "thing.H_ll____x_");
    EXPECT_LE(named(std::string(300, 'x')).size(), 127u);
}

TEST(EgosoftMeshMade, PartsOfOneMaterialAreOneRange) {
    Scene scene = scene_of({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1}, {0, 1, 2});
    scene.materials.resize(2);
    scene.materials[0].name = "a.first";
    scene.materials[1].name = "a.second";
    scene.meshes[0].primitives = {{0, 6, {0, 1, 2}, 1, Topology::triangles},
                                  {0, 6, {3, 4, 5}, 0, Topology::triangles},
                                  {0, 6, {0, 2, 4}, 1, Topology::triangles}};
    const xmf::File file = made_mesh(scene).value;
    ASSERT_EQ(file.materials.size(), 2u);
    EXPECT_EQ(xmf::name_of(file.materials[0]), "a.second");
    EXPECT_EQ(file.materials[0].index_count, 6u);
    EXPECT_EQ(file.materials[1].first_index, 6u);
}

TEST(EgosoftMeshMade, NumbersThatAreNoneAreRepaired) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    Scene scene = scene_of({nan, 0, 0, 1, 0, inf, 0, 1, 0}, {0, 1, 2});
    Mesh& mesh = scene.meshes[0];
    add(mesh, Semantic::normal, 0, effigy::ElementType::vec3, {nan, 0, 1, 0, 0, 0, inf, 0, 1});
    add(mesh, Semantic::tangent, 0, effigy::ElementType::vec4, {nan, 0, 0, 1, 1, 0, 0, nan, 0, 0, 0, 1});
    add(mesh, Semantic::texcoord, 0, effigy::ElementType::vec2, {0, 0, nan, 0, 0, -inf});
    add(mesh, Semantic::color, 0, effigy::ElementType::vec4, {nan, 0, 0, 1, 2, 0, 0, 1, inf, -1, 0, 1});
    const auto made = made_mesh(scene);
    EXPECT_EQ(made.report.count("xmf-number-repaired"), 1u);
    EXPECT_EQ(made.report.count("xmf-value-clamped"), 1u);
    EXPECT_EQ(made.report.count("xmf-normals-made"), 1u);
}

TEST(EgosoftMeshMade, NumbersThatAreNoneAreNamedWhereTheNodeMovesThem) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Scene scene = scene_of({nan, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2});
    scene.nodes[0].local.translation = {1, 2, 3};
    EXPECT_EQ(made_mesh(scene).report.count("xmf-number-repaired"), 1u);
}

/// Of all vertices, as red, green, blue, alpha: of one set.
std::vector<std::array<int, 4>> colors_of(const xmf::File& file, unsigned set = 0) {
    std::vector<std::array<int, 4>> colors;
    for (const xmf::PlacedElement& placed : xmf::declaration(file.buffers[0])) {
        if (placed.element.usage != xmf::Usage::color || placed.element.usage_index != set) continue;
        for (std::size_t at = placed.offset; at < file.buffers[0].content.size(); at += file.buffers[0].item_size) {
            const auto* bgra = reinterpret_cast<const std::uint8_t*>(file.buffers[0].content.data()) + at;
            colors.push_back({bgra[2], bgra[1], bgra[0], bgra[3]});
        }
    }
    return colors;
}

TEST(EgosoftMeshMade, MeshesWithoutColoursAreWhiteAndCleanInX4) {
    using Colors = std::vector<std::array<int, 4>>;
    const Scene scene = whole_triangle();
    const auto made = made_mesh(scene);
    EXPECT_EQ(colors_of(made.value), Colors(3, {255, 255, 255, 0}));
    EXPECT_EQ(colors_of(made.value, 1), Colors(3, {255, 0, 0, 0})) << "all of it can be painted";
    EXPECT_EQ(made.report.count("xmf-attributes-filled"), 0u);
    FromSceneOptions options;
    options.target = egosoft::Target::x_rebirth;
    EXPECT_EQ(colors_of(made_mesh(scene, options).value), Colors(3, {128, 128, 128, 0}));
}

TEST(EgosoftMeshMade, ColoursWithoutAlphaAreClean) {
    Scene scene = whole_triangle();
    add(scene.meshes[0], Semantic::color, 0, effigy::ElementType::vec3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    const auto colors = colors_of(made_mesh(scene).value);
    ASSERT_EQ(colors.size(), 3u);
    EXPECT_EQ(colors[1], (std::array{0, 255, 0, 0}));
}

TEST(EgosoftMeshMade, MeshesWithoutColoursStayWhiteBesideColouredOnes) {
    for (const std::size_t coloured : {0u, 1u}) {
        Scene scene = whole_triangle();
        scene.meshes.push_back(scene.meshes[0]);
        scene.nodes.push_back(scene.nodes[0]);
        scene.nodes[1].mesh = 1;
        scene.nodes[1].local.translation = {3, 0, 0};
        for (const std::uint32_t set : {0u, 1u})
            add(scene.meshes[coloured], Semantic::color, set, effigy::ElementType::vec4, std::vector<float>(12, 0));
        const xmf::File made = made_mesh(scene).value;
        const auto colors = colors_of(made), paint = colors_of(made, 1);
        ASSERT_EQ(colors.size(), 6u);
        ASSERT_EQ(paint.size(), 6u);
        const std::size_t plain = coloured == 0 ? 3 : 0;
        EXPECT_EQ(colors[3 - plain], (std::array{0, 0, 0, 0}));
        EXPECT_EQ(colors[plain], (std::array{255, 255, 255, 0}));
        EXPECT_EQ(paint[plain], (std::array{255, 0, 0, 0})) << "all of it can be painted";
    }
}

TEST(EgosoftMeshMade, MeshesWithoutTrianglesAreRefused) {
    Scene flat = scene_of({0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2});
    for (const Scene& scene : {flat, Scene()}) {
        const auto made = egosoft::mesh_from_scene(scene);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, "nothing-to-show");
    }
}

TEST(EgosoftMeshMade, MirroredAndStretchedNodesKeepTheirLook) {
    Scene scene = whole_triangle();
    for (const Vec3 scale : {Vec3{-1, 1, 1}, Vec3{2, 1, 0.25f}, Vec3{-3, -2, -1}}) {
        Node& node = scene.nodes.emplace_back();
        node.mesh = 0;
        node.local.scale = scale;
        node.local.translation = {static_cast<float>(scene.nodes.size()), 0.5f, -2};
        node.local.rotation = {0.5f, 0.5f, 0.5f, 0.5f};
    }
    auto made = made_mesh(scene);
    const Distances most = distances(corners_of(scene), corners_of(convert(std::move(made.value)).value));
    EXPECT_EQ(most.triangles, 4u);
    EXPECT_LT(most.position, 1e-5);
    EXPECT_LT(most.normal, 1.0 / 255 + 1e-4);
}

/// Modellers mirror helpers of a skeleton for their own ends.
TEST(EgosoftMeshMade, AMirroredJointThatNothingFollowsTurnsNothingOver) {
    Scene scene = whole_triangle();
    Attribute joints;
    joints.semantic = Semantic::joints;
    joints.data.element = effigy::ElementType::vec4;
    joints.data.component = effigy::ComponentType::u8;
    for (int i = 0; i < 3; ++i) {
        for (const int joint : {1, 0, 0, 0}) joints.data.bytes.push_back(static_cast<std::byte>(joint));
    }
    scene.meshes[0].attributes.push_back(std::move(joints));
    add(scene.meshes[0], Semantic::weights, 0, effigy::ElementType::vec4, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    Skin& skin = scene.skins.emplace_back();
    skin.inverse_bind_matrices.resize(2);
    for (const float side : {-1.0f, 1.0f}) {
        skin.joints.push_back(static_cast<Index>(scene.nodes.size()));
        scene.nodes.emplace_back().local.scale = {side, 1, 1};
    }
    scene.nodes[0].skin = 0;
    auto made = made_mesh(scene);
    const Distances most = distances(corners_of(whole_triangle()), corners_of(convert(std::move(made.value)).value));
    EXPECT_EQ(most.triangles, 1u);
    EXPECT_LT(most.position, 1e-5);
    EXPECT_LT(most.normal, 1.0 / 255 + 1e-4);
}

TEST(EgosoftMeshMade, MirroredPicturesGetVerticesOfTheirOwn) {
    // Two triangles with an edge at which the picture is turned over.
    Scene scene = scene_of({0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0}, {0, 2, 1, 0, 1, 3});
    add(scene.meshes[0], Semantic::normal, 0, effigy::ElementType::vec3, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    add(scene.meshes[0], Semantic::texcoord, 0, effigy::ElementType::vec2, {0, 1, 0, 0, 1, 1, 1, 1});
    const auto made = made_mesh(scene);
    EXPECT_EQ(made.value.header.vertex_count, 6u);
    EXPECT_EQ(made.report.count("xmf-tangents-made"), 1u);
}

TEST(EgosoftMeshMade, TangentsAgainstTheTextureAreComputedAnew) {
    Scene scene = whole_triangle();
    add(scene.meshes[0], Semantic::tangent, 0, effigy::ElementType::vec4, {-1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1});
    const auto made = made_mesh(scene);
    ASSERT_EQ(made.report.count("xmf-tangents-made"), 1u);
    for (const Diagnostic& one : made.report.diagnostics()) {
        if (one.code != "xmf-tangents-made") continue;
        EXPECT_EQ(one.found, "2 tangents");
    }
}

/// Slivers in the picture, of which the last step of a byte says which way round it is.
TEST(EgosoftMeshMade, TangentsAreRightAsBytes) {
    Scene scene = scene_of({-2.012988f, -0.22374442f, -4.860475f, 2.0102143f, 0.5978308f, -4.8614616f, 2.0130315f,
                            -0.22374457f, -4.8605275f, -0.5392644f, 1.1034938f, 1.8870118f, 0.53926593f, 1.1034939f,
                            1.8870118f, 0.66122246f, 1.1047467f, 2.0315645f},
                           {0, 1, 2, 3, 4, 5});
    add(scene.meshes[0], Semantic::normal, 0, effigy::ElementType::vec3,
        {0, -0.0118f, -1, 0, -0.0039f, -1, 0, -0.0039f, -1, 0, -1, 0, 0, -1, 0, -0.6f, -0.8f, 0});
    add(scene.meshes[0], Semantic::texcoord, 0, effigy::ElementType::vec2,
        {0.9118424f, 0.99583465f, 0.9111861f, 0.9627419f, 0.9118458f, 0.99583465f, 0.423828f, 1.0498047f, 0.4238279f,
         1.0498047f, 0.38543475f, 1.0234375f});
    const auto made = made_mesh(scene);
    EXPECT_EQ(xmf::check(made.value).count("xmf-tangent-sign"), 0u);
    EXPECT_EQ(xmf::check(made.value).count("xmf-tangent-unmarked"), 0u);
}

TEST(EgosoftMeshMade, WhatTheFormatHasNoPlaceForIsNamed) {
    Scene scene = whole_triangle();
    add(scene.meshes[0], Semantic::custom, 0, effigy::ElementType::scalar, {1, 2, 3}, "_AGE");
    scene.meshes[0].primitives.push_back({0, 3, {0, 1}, no_index, Topology::lines});
    scene.meshes[0].targets.emplace_back();
    scene.clips.emplace_back();
    const auto made = made_mesh(scene);
    EXPECT_EQ(made.report.count("xmf-attributes-lost"), 1u);
    EXPECT_EQ(made.report.count("xmf-topology"), 1u);
    EXPECT_EQ(made.report.count("xmf-morphs-lost"), 1u);
    EXPECT_EQ(made.report.count("xmf-clips-left"), 1u);
}

TEST(EgosoftMeshMade, MorphTargetsStayAsTheyAreAtRest) {
    Scene scene = triangle();
    MorphTarget& target = scene.meshes[0].targets.emplace_back();
    target.indices = {2};
    target.positions = {{0, 4, 0}};
    scene.meshes[0].weights = {0.5f};
    auto made = made_mesh(scene);
    EXPECT_EQ(distances(corners_of(scene), corners_of(convert(std::move(made.value)).value)).position, 0);
}

TEST(EgosoftMeshMade, LevelsAndCollisionAreFilesOfTheirOwn) {
    Scene scene = triangle();
    for (const char* name : {"part_main-lod1", "part_main-collision"}) {
        Node& node = scene.nodes.emplace_back();
        node.name = name;
        node.mesh = 0;
        node.hidden = true;
    }
    scene.nodes[0].lods = {1};
    const auto made = made_mesh(scene);
    EXPECT_EQ(made.value.header.index_count, 3u);
    EXPECT_EQ(made.report.count("xmf-meshes-left"), 1u);
}

TEST(EgosoftFromScene, MakesWhatIsAskedFor) {
    const Scene scene = whole_triangle();
    FromSceneOptions options;
    options.name = "crate";
    options.collection = "props";
    const auto component = egosoft::from_scene(scene, options);
    ASSERT_TRUE(component) << to_string(component.error());
    ASSERT_GE(component->value.files.size(), 2u);
    EXPECT_EQ(component->value.files[0].name, "crate.xml");
    EXPECT_EQ(component->value.files[1].name, "crate_data/part_main-lod0.xmf");
    options.product = egosoft::Product::mesh;
    const auto mesh = egosoft::from_scene(scene, options);
    ASSERT_TRUE(mesh) << to_string(mesh.error());
    ASSERT_EQ(mesh->value.files.size(), 1u);
    EXPECT_EQ(mesh->value.files[0].name, "crate.xmf");
    EXPECT_EQ(mesh->value.files[0].bytes, *xmf::write(egosoft::mesh_from_scene(scene, options)->value));
    options.product = egosoft::Product::animation;
    EXPECT_EQ(egosoft::from_scene(scene, options).error().code, "nothing-to-show");
}

}  // namespace
