/// Meshes: vertices, triangles, materials, and what happens to broken ones.

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "effigy/gltf.hpp"

#include "egosoft/scene_builders.hpp"
#include "scene/records.hpp"

namespace {

using namespace builders;
using Type = xmf::ElementType;
using xmf::Usage;
using Json = nlohmann::json;

const Mesh& only_mesh(const Loaded<Scene>& loaded) {
    EXPECT_EQ(loaded.value.meshes.size(), 1u);
    return loaded.value.meshes.front();
}

void expect_writable(const Scene& scene) {
    const auto glb = gltf::write_glb(scene);
    EXPECT_TRUE(glb) << to_string(glb.error());
}

/// Three vertices with the usual elements; the alphas of their normals as given.
xmf::File usual(std::array<int, 3> alphas) {
    VertexBytes content;
    for (std::size_t i = 0; i < 3; ++i) {
        const float x = i == 1 ? 1.0f : 0.0f, y = i == 2 ? 1.0f : 0.0f;
        content.add(x, y, 5.0f);
        content.add(color(128, 128, 0, alphas[i]));  // the normal (0, 0, -1)
        content.add(color(255, 128, 128, 0));        // the tangent (1, 0, 0)
        content.add(x, y);
    }
    return file({vertices({element(Type::float3, Usage::position), element(Type::color, Usage::normal),
                           element(Type::color, Usage::tangent), element(Type::float2, Usage::texcoord)},
                          content),
                 indices({0, 1, 2})},
                {material("collection.hull", 0, 3)});
}

TEST(EgosoftMesh, MirrorsXAndKeepsTheOrderOfIndices) {
    const auto loaded = convert(quad());
    const Mesh& mesh = only_mesh(loaded);
    const std::vector<Vec3> expected{{0, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {-1, 2, 3}};
    EXPECT_EQ(points(*find(mesh, Semantic::position)), expected);
    ASSERT_EQ(mesh.primitives.size(), 1u);
    const auto& got = mesh.primitives[0].indices;
    EXPECT_EQ(std::vector<std::uint32_t>(got.begin(), got.end()), (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3}));
    EXPECT_EQ(mesh.primitives[0].material, no_index);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, TurnsTangentsAndTakesTheirSignFromTheNormalsAlpha) {
    const auto loaded = convert(usual({255, 0, 128}));
    const Mesh& mesh = only_mesh(loaded);
    const auto tangents = find(mesh, Semantic::tangent)->data.as<Vec4>();
    // The file's (1, 0, 0) is -dP/du; mirrored it is (-1, 0, 0), and turned round (1, 0, 0).
    for (const Vec4& tangent : tangents) EXPECT_NEAR(tangent.x, 1, 1e-2);
    EXPECT_EQ(tangents[0].w, -1);
    EXPECT_EQ(tangents[1].w, 1);
    EXPECT_EQ(tangents[2].w, -1);
    for (const Vec3& normal : points(*find(mesh, Semantic::normal))) EXPECT_NEAR(normal.z, -1, 1e-2);
    // 128 cannot be told from the tangents, so that the alphas are kept.
    const Attribute* alphas = find_custom(mesh, "_NORMAL_ALPHA");
    ASSERT_NE(alphas, nullptr);
    EXPECT_EQ(alphas->data.as<std::uint8_t>()[2], 128);
    EXPECT_EQ(loaded.report.count("tangent-sign-unknown"), 0u);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, MirrorsVectorsOfFloatsAndPackedOnes) {
    VertexBytes content;
    content.add(1.f, 2.f, 3.f, 0.6f, 0.f, 0.8f).add(color(191, 128, 64, 0));
    for (int i = 0; i < 2; ++i) content.add(0.f, float(i), 0.f, 0.f, 1.f, 0.f).add(color(255, 128, 128, 0));
    const auto loaded =
        convert(file({vertices({element(Type::float3, Usage::position), element(Type::float3, Usage::normal),
                                element(Type::color, Usage::tangent)},
                               content),
                      indices({0, 1, 2})}));
    const Mesh& mesh = only_mesh(loaded);
    const Vec3 normal = points(*find(mesh, Semantic::normal))[0];
    EXPECT_NEAR(normal.x, -0.6, 1e-6);
    EXPECT_NEAR(normal.z, 0.8, 1e-6);
    const Vec4 tangent = find(mesh, Semantic::tangent)->data.as<Vec4>()[0];
    const double x = 191 / 127.5 - 1, y = 128 / 127.5 - 1, z = 64 / 127.5 - 1;
    const double length = std::sqrt(x * x + y * y + z * z);
    EXPECT_NEAR(tangent.x, x / length, 1e-6);
    EXPECT_NEAR(tangent.y, -y / length, 1e-6);
    EXPECT_NEAR(tangent.z, -z / length, 1e-6);
    EXPECT_EQ(tangent.w, 1) << "normals of floats have no alpha";
}

TEST(EgosoftMesh, SaysOnceWhereMirroredCoordinatesAreNotMarked) {
    const auto loaded = convert(usual({0, 0, 0}));
    EXPECT_EQ(loaded.report.count("tangent-sign-unknown"), 1u);
    const Json extras = Json::parse(only_mesh(loaded).extras.json);
    EXPECT_EQ(extras["normal_alpha"], 0);
    xmf::File upright = usual({0, 0, 0});
    upright.buffers[1].content = indices({0, 2, 1}).content;
    EXPECT_EQ(convert(upright).report.count("tangent-sign-unknown"), 1u) << "turned round, it is as mirrored";
    upright = usual({0, 0, 0});
    for (std::size_t i = 0; i < 3; ++i)
        upright.buffers[0].content[i * 28 + 12] = std::byte{255};  // the normal (0, 0, 1)
    EXPECT_EQ(convert(upright).report.count("tangent-sign-unknown"), 0u);
}

TEST(EgosoftMesh, CountsRepairsOfSeveralMeshesInOneLine) {
    xmf::File broken = usual({0, 0, 0});
    broken.buffers[0].content[16] = broken.buffers[0].content[17] = broken.buffers[0].content[18] = std::byte{127};
    egosoft::SceneInput input;
    input.meshes = {mesh("a-lod0", broken), mesh("b-lod0", broken)};
    const auto loaded = convert(std::move(input));
    ASSERT_EQ(loaded.report.count("tangent-repaired"), 1u);
    const auto& findings = loaded.report.diagnostics();
    const auto line = std::find_if(findings.begin(), findings.end(),
                                   [](const Diagnostic& one) { return one.code == "tangent-repaired"; });
    EXPECT_EQ(line->found, "2 tangents in meshes 2: a-lod0, b-lod0");
}

TEST(EgosoftMesh, PacksSparseSetsDenselyAndKeepsTheirNumbers) {
    VertexBytes content;
    for (int i = 0; i < 3; ++i) {
        content.add(float(i), float(i * i), 0.f);
        content.add(0.25f, 0.75f);             // TEXCOORD 2
        content.add(0.5f, 0.125f);             // TEXCOORD 0
        content.add(color(1, 2, 3, 4));        // COLOR 102
        content.add(color(250, 128, 7, 255));  // COLOR 0
    }
    const xmf::File source =
        file({vertices({element(Type::float3, Usage::position), element(Type::float2, Usage::texcoord, 2),
                        element(Type::float2, Usage::texcoord, 0), element(Type::color, Usage::color, 102),
                        element(Type::color, Usage::color, 0)},
                       content),
              indices({0, 1, 2})});
    const auto loaded = convert(source);
    const Mesh& mesh = only_mesh(loaded);
    EXPECT_EQ(find(mesh, Semantic::texcoord, 0)->data.as<Vec2>()[1], (Vec2{0.5f, 0.125f}));
    EXPECT_EQ(find(mesh, Semantic::texcoord, 1)->data.as<Vec2>()[1], (Vec2{0.25f, 0.75f})) << "no flip of v";
    const Json extras = Json::parse(mesh.extras.json);
    EXPECT_EQ(extras["texcoords"], (Json{0, 2}));
    EXPECT_EQ(extras["colors"], (Json{0, 102}));
    EXPECT_EQ(find(mesh, Semantic::color), nullptr);
    const Attribute* color_102 = find_custom(mesh, "_COLOR_102");
    ASSERT_NE(color_102, nullptr);
    EXPECT_TRUE(color_102->data.normalized);
    const auto bytes = color_102->data.as<std::uint8_t>();
    EXPECT_EQ((std::array{bytes[0], bytes[1], bytes[2], bytes[3]}), (std::array<std::uint8_t, 4>{1, 2, 3, 4}));
    expect_writable(loaded.value);

    egosoft::SceneOptions options;
    options.colors = egosoft::ColorExport::vertex;
    const auto shown = convert(source, options);
    const auto second = find(only_mesh(shown), Semantic::color, 1)->data.as<std::uint8_t>();
    EXPECT_EQ(second[3], 4);
    EXPECT_EQ(find(only_mesh(shown), Semantic::color, 0)->data.as<std::uint8_t>()[0], 250);
    expect_writable(shown.value);
}

TEST(EgosoftMesh, KeepsTheFilesRecordsInExtras) {
    xmf::File source = usual({0, 0, 255});
    source.header.cull = 1;
    source.header.reserved = 9;
    source.buffers[0].elements[15].padding = {std::uint8_t{7}, std::uint8_t{8}};
    const auto loaded = convert(source);
    const Json extras = record_of(only_mesh(loaded).extras);
    EXPECT_EQ(extras["cull"], 1);
    EXPECT_EQ(extras["reserved"], 9);
    ASSERT_EQ(extras["buffers"].size(), 2u);
    EXPECT_EQ(extras["buffers"][0]["element_count"], 4);
    ASSERT_EQ(extras["buffers"][0]["elements"].size(), 4u);
    EXPECT_EQ(extras["buffers"][0]["elements"][2]["usage"], 6);
    // Twelve slots of eight bytes.
    EXPECT_EQ(extras["buffers"][0]["unused_elements"].get_binary().size(), 96u);
    EXPECT_EQ(extras["materials"].size(), 1u);
}

/// Nobody can tell how many bytes an element of an unknown type takes, nor where the next ones are.
TEST(EgosoftMesh, ReadsNothingBehindAnUnknownElement) {
    xmf::File source = usual({0, 0, 255});
    source.buffers[0].elements[2].type = static_cast<Type>(18);
    const auto loaded = convert(source);
    const Mesh& mesh = only_mesh(loaded);
    EXPECT_NE(find(mesh, Semantic::normal), nullptr);
    EXPECT_EQ(find(mesh, Semantic::texcoord), nullptr);
    EXPECT_EQ(loaded.report.count("xmf-element-type"), 1u);
    ASSERT_EQ(loaded.report.count("mesh-bytes-lost"), 1u);
    for (const Diagnostic& finding : loaded.report.diagnostics()) {
        if (finding.code == "mesh-bytes-lost") {
            EXPECT_EQ(finding.found, "12 bytes from byte 16 on, buffer[0]");
        }
    }
}

TEST(EgosoftMesh, SaysWhatOfAFileIsLeftOut) {
    xmf::File undeclared = usual({0, 0, 255});
    undeclared.buffers[0].element_count = 3;
    EXPECT_EQ(convert(undeclared).report.count("mesh-bytes-lost"), 1u);
    xmf::File cut = usual({0, 0, 255});
    cut.buffers[0].item_size -= 4;
    cut.buffers[0].content.resize(3 * cut.buffers[0].item_size);
    EXPECT_EQ(convert(cut).report.count("mesh-bytes-lost"), 2u) << "of two coordinates none is left";
    xmf::File trailing = xmf::read(*xmf::write(usual({0, 0, 255})))->value;
    EXPECT_EQ(convert(trailing).report.count("mesh-bytes-lost"), 0u);
    trailing.data.resize(trailing.data.size() + 5);
    EXPECT_EQ(convert(trailing).report.count("mesh-bytes-lost"), 1u);
    xmf::File crowded = usual({0, 0, 255});
    EXPECT_EQ(convert(crowded).report.count("xmf-element-count"), 0u);
    crowded.buffers[0].element_count = 17;
    EXPECT_EQ(convert(crowded).report.count("xmf-element-count"), 1u);
    xmf::File other = usual({0, 0, 255});
    other.header.version = 4;
    other.buffers[1].format = 7;
    const auto loaded = convert(other);
    EXPECT_EQ(loaded.report.count("xmf-version"), 1u);
    EXPECT_EQ(loaded.report.count("xmf-index-format"), 1u);
    EXPECT_FALSE(loaded.report.has_errors());
}

TEST(EgosoftMesh, JoinsSeveralStreamsOfSeveralTypesBySectionAndIndex) {
    VertexBytes positions, normals, uvs, colors;
    constexpr std::uint16_t half_0 = 0, half_1 = 0x3c00, half_minus_2 = 0xc000, half_05 = 0x3800;
    positions.add(half_1, half_minus_2, half_05, half_0);
    positions.add(half_0, half_1, half_1, half_0);
    positions.add(half_0, half_05, half_1, half_0);
    for (int i = 0; i < 3; ++i) {
        normals.add(color(128, 255, 128, 0));
        uvs.add(half_05, half_minus_2);
        colors.add(color(9, 8, 7, 6));
    }
    xmf::Buffer sections = stream(0, Type::half4, positions);
    sections.item_count = 1;
    sections.section_count = 3;
    const auto loaded = convert(file({sections, stream(2, Type::color, normals), stream(6, Type::half2, uvs),
                                      stream(8, Type::color, colors, 1), indices({2, 1, 0}, 4)}));
    const Mesh& mesh = only_mesh(loaded);
    EXPECT_EQ(points(*find(mesh, Semantic::position))[0], (Vec3{-1, -2, 0.5f}));
    EXPECT_NEAR(points(*find(mesh, Semantic::normal))[2].y, 1, 1e-4);
    EXPECT_EQ(find(mesh, Semantic::texcoord)->data.as<Vec2>()[2], (Vec2{0.5f, -2}));
    EXPECT_NE(find_custom(mesh, "_COLOR_1"), nullptr);
    EXPECT_EQ(find_custom(mesh, "_POSITION_W"), nullptr);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, CarriesWhatGltfHasNoPlaceForAsCustomAttributes) {
    VertexBytes content;
    for (int i = 0; i < 3; ++i) {
        content.add(float(i), 1.f, float(i * i));
        content.add(std::uint8_t{255}, std::uint8_t{0}, std::uint8_t{51}, std::uint8_t{102});  // BLENDWEIGHT
        content.add(2.5f);                                                                     // PSIZE
        content.add(color(255, 128, 0, 77));                                                   // BINORMAL
        content.add(0.f, 0.f, 1.f);                                                            // NORMAL 0
        content.add(1.f, 0.f, 0.f);                                                            // NORMAL 1
        content.add(0.25f, 0.5f, 0.75f, 1.f);                                                  // TEXCOORD of four
        content.add(std::int16_t{-32767}, std::int16_t{16384});                                // TESSFACTOR
    }
    const auto loaded = convert(
        file({vertices({element(Type::float3, Usage::position), element(Type::ubyte4n, Usage::blend_weight),
                        element(Type::float1, Usage::point_size), element(Type::color, Usage::binormal),
                        element(Type::float3, Usage::normal), element(Type::float3, Usage::normal, 1),
                        element(Type::float4, Usage::texcoord), element(Type::short2n, Usage::tessellation_factor)},
                       content),
              indices({0, 1, 2})}));
    const Mesh& mesh = only_mesh(loaded);
    EXPECT_NEAR(find_custom(mesh, "_BLENDWEIGHT_0")->data.as<Vec4>()[0].w, 0.4, 1e-6);
    EXPECT_EQ(find_custom(mesh, "_PSIZE_0")->data.as<float>()[2], 2.5f);
    const Vec4 binormal = find_custom(mesh, "_BINORMAL_0")->data.as<Vec4>()[0];
    EXPECT_EQ(binormal.x, -1);
    EXPECT_EQ(binormal.z, -1);
    EXPECT_EQ(find_custom(mesh, "_NORMAL_1")->data.as<Vec3>()[0], (Vec3{-1, 0, 0}));
    EXPECT_EQ(find_custom(mesh, "_TEXCOORD_0_ZW")->data.as<Vec2>()[1], (Vec2{0.75f, 1}));
    EXPECT_EQ(find_custom(mesh, "_TESSFACTOR_0")->data.as<Vec2>()[0].x, -1);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, RepairsVectorsWithoutDirectionAndNumbersThatAreNone) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    VertexBytes content;
    content.add(nan, 1.f, 2.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f);
    content.add(0.f, 1.f, 2.f, nan, 0.f, 1.f, 0.f, 0.f, 0.f);
    content.add(1.f, 1.f, 2.f, 0.f, 0.f, 9.f, 1.f, 0.f, 0.f);
    const auto loaded =
        convert(file({vertices({element(Type::float3, Usage::position), element(Type::float3, Usage::normal),
                                element(Type::float3, Usage::tangent)},
                               content),
                      indices({0, 1, 2})}));
    const Mesh& mesh = only_mesh(loaded);
    for (const Vec3& n : points(*find(mesh, Semantic::normal))) {
        EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-5);
    }
    for (const Vec4& t : find(mesh, Semantic::tangent)->data.as<Vec4>()) {
        EXPECT_NEAR(t.x * t.x + t.y * t.y + t.z * t.z, 1, 1e-5);
    }
    EXPECT_EQ(loaded.report.count("normal-repaired"), 1u);
    EXPECT_EQ(loaded.report.count("tangent-repaired"), 1u);
    EXPECT_EQ(loaded.report.count("not-finite-replaced"), 1u);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, MakesPrimitivesOfMaterialsThatShareTheirVertices) {
    xmf::File source = quad();
    source.materials = {material("a.one", 0, 3), material("a.two", 3, 3)};
    auto loaded = convert(source);
    const Mesh& mesh = only_mesh(loaded);
    ASSERT_EQ(mesh.primitives.size(), 2u);
    for (const Primitive& primitive : mesh.primitives) {
        EXPECT_EQ(primitive.first_vertex, 0u);
        EXPECT_EQ(primitive.vertex_count, 4u);
        EXPECT_EQ(primitive.indices.size(), 3u);
    }
    ASSERT_EQ(loaded.value.materials.size(), 2u);
    EXPECT_EQ(loaded.value.materials[mesh.primitives[1].material].name, "a.two");
    EXPECT_EQ(loaded.report.count("material-range"), 0u);
}

TEST(EgosoftMesh, ClipsRangesOfMaterialsAndReportsThem) {
    xmf::File source = quad();
    // An overlap, a gap and an end beyond the indices; together they must draw each triangle once.
    source.buffers[1] = indices({0, 1, 2, 2, 1, 3, 0, 2, 3, 0, 1, 3}, 4);
    source.materials = {material("a.one", 0, 6), material("a.two", 3, 3), material("a.three", 9, 0xffffffffu)};
    const auto loaded = convert(source);
    std::size_t indices_drawn = 0;
    for (const Primitive& primitive : only_mesh(loaded).primitives) indices_drawn += primitive.indices.size();
    EXPECT_EQ(indices_drawn, 12u);
    EXPECT_EQ(loaded.report.count("material-range"), 1u);
    EXPECT_EQ(loaded.report.count("material-gap"), 1u);
    expect_writable(loaded.value);
}

TEST(EgosoftMesh, LeavesOutTrianglesThatReachBeyondTheVertices) {
    xmf::File source = quad();
    source.buffers[1] = indices({0, 1, 2, 2, 1, 4, 1, 2, 3, 0}, 2);
    const auto loaded = convert(source);
    EXPECT_EQ(only_mesh(loaded).primitives[0].indices.size(), 6u);
    EXPECT_EQ(loaded.report.count("triangle-index"), 1u);
}

TEST(EgosoftMesh, SaysWhyAMeshCannotBeShown) {
    const auto code_of = [](xmf::File broken) {
        egosoft::SceneInput input;
        input.meshes.push_back(mesh("good-lod0"));
        input.meshes.push_back(mesh("broken-lod0", std::move(broken)));
        const auto loaded = convert(std::move(input));
        EXPECT_EQ(loaded.value.meshes.size(), 1u);
        return loaded.report.diagnostics().empty() ? std::string() : loaded.report.diagnostics().front().code;
    };
    xmf::File strip = quad();
    strip.header.primitive_type = 5;
    EXPECT_EQ(code_of(strip), "primitive-type");
    xmf::File no_positions = quad();
    no_positions.buffers[0].kind = 6;
    EXPECT_EQ(code_of(no_positions), "mesh-no-positions");
    xmf::File no_indices = quad();
    no_indices.buffers.pop_back();
    EXPECT_EQ(code_of(no_indices), "mesh-empty");
    xmf::File damaged = quad();
    damaged.buffers[0].content.clear();
    EXPECT_EQ(code_of(damaged), "stream-missing");
    egosoft::SceneInput alone;
    alone.meshes.push_back(mesh("broken-lod0", damaged));
    const auto failed = egosoft::to_scene(std::move(alone));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, "nothing-to-show");
}

TEST(EgosoftMesh, LeavesOutStreamsThatAreTooShort) {
    xmf::File source = quad();
    VertexBytes uvs;
    uvs.add(0.f, 0.f, 1.f, 1.f);
    source.buffers.push_back(stream(6, Type::float2, uvs));
    const auto loaded = convert(source);
    EXPECT_EQ(find(only_mesh(loaded), Semantic::texcoord), nullptr);
    EXPECT_EQ(loaded.report.count("stream-count"), 1u);
}

TEST(EgosoftMesh, DamagedIndicesTakeNoMemoryForWhatTheyAnnounce) {
    xmf::File damaged = quad();
    damaged.buffers.back().content.clear();
    damaged.buffers.back().item_count = UINT32_MAX;
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("hull-lod0"));
    input.meshes.push_back(mesh("wing-lod0", damaged));
    EXPECT_TRUE(has(convert(std::move(input)).value, "hull"));
}

TEST(EgosoftMesh, StaysWithinItsMemory) {
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("part-lod0"));
    egosoft::SceneOptions options;
    options.limits.memory = 40;
    const auto failed = egosoft::to_scene(std::move(input), options);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, "limit-memory");
}

TEST(EgosoftParts, ACollisionMeshAloneIsSeenAndMarked) {
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("part_main-collision"));
    const auto loaded = convert(std::move(input));
    const Node& node = loaded.value.nodes[find(loaded.value, "part_main")];
    EXPECT_FALSE(node.hidden);
    EXPECT_NE(node.mesh, no_index);
    EXPECT_EQ(Json::parse(node.extras.json)["collision"], true);
    EXPECT_TRUE(loaded.value.materials.empty());
}

TEST(EgosoftParts, LevelsCollisionsAndWrecksOfSeveralFilesFindTogether) {
    egosoft::SceneInput input;
    for (const char* stem :
         {"Hull-lod1", "hull-collision", "hull-lod0", "hull_wreck-lod0", "hull_wreck-collision", "gear-lod0"}) {
        input.meshes.push_back(mesh(stem));
    }
    const auto loaded = convert(std::move(input));
    const Scene& scene = loaded.value;
    const Index hull = find(scene, "Hull");
    const Node& finest = scene.nodes[find(scene, "Hull-lod0")];
    EXPECT_EQ(finest.parent, hull);
    ASSERT_EQ(finest.lods.size(), 1u);
    EXPECT_TRUE(scene.nodes[finest.lods[0]].hidden);
    const Node& collision = scene.nodes[find(scene, "hull-collision")];
    EXPECT_TRUE(collision.hidden);
    EXPECT_TRUE(collision.collision);
    EXPECT_EQ(collision.follows, hull);
    EXPECT_FALSE(scene.nodes[find(scene, "hull_wreck-collision")].collision) << "a wreck is not there yet";
    const Node& wreck = scene.nodes[find(scene, "hull_wreck-lod0")];
    EXPECT_TRUE(wreck.hidden);
    EXPECT_EQ(wreck.follows, hull);
    EXPECT_NE(scene.nodes[find(scene, "gear")].mesh, no_index);
    expect_writable(scene);
}

TEST(EgosoftParts, OneLevelIsShownWhereOneIsAskedFor) {
    const auto shown = [](int lod) {
        egosoft::SceneInput input;
        for (const char* stem : {"hull-lod0", "hull-lod2", "gear-lod0"}) input.meshes.push_back(mesh(stem));
        egosoft::SceneOptions options;
        options.lod = lod;
        auto loaded = convert(std::move(input), options);
        EXPECT_EQ(loaded.value.meshes.size(), 2u);
        EXPECT_EQ(loaded.report.count("lod-other"), lod == 0 ? 0u : 1u);
        return loaded.value.meshes[0].name;
    };
    EXPECT_EQ(shown(0), "hull-lod0");
    EXPECT_EQ(shown(1), "hull-lod0");
    EXPECT_EQ(shown(2), "hull-lod2");
    EXPECT_EQ(shown(9), "hull-lod2");
}

}  // namespace
