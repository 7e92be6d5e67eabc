/// The JSON and the buffer of written glTF.

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <string>
#include <vector>
#include <xxhash.h>

#include "effigy/gltf.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

using nlohmann::json;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Le;

Gltf write(const Scene& scene) {
    const auto bytes = gltf::write_glb(scene);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? parse_glb(*bytes) : Gltf{};
}

const json& body_of(const Gltf& gltf) { return gltf.json["meshes"][0]; }

std::vector<double> as_doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

// A mesh of one primitive over all its vertices.
Scene scene_of(std::uint32_t vertex_count, Bulk<std::uint32_t> indices) {
    Scene scene;
    Mesh mesh;
    mesh.vertex_count = vertex_count;
    mesh.attributes = {grid_positions(vertex_count)};
    mesh.primitives = {{0, vertex_count, std::move(indices), no_index}};
    scene.meshes = {mesh};
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

/// Fails where the JSON would take more than the limit, and does not without one.
void expect_limited(const Scene& scene) {
    gltf::WriteOptions options;
    EXPECT_TRUE(gltf::write_glb(scene, options));
    options.limits.memory = std::uint64_t{1} << 20;
    const auto limited = gltf::write_glb(scene, options);
    ASSERT_FALSE(limited);
    EXPECT_EQ(limited.error().code, "limit-memory");
}

TEST(WriteGlb, MemoryForTheJsonIsLimited) {
    constexpr std::size_t many = 3000;
    Scene morphed = scene_of(3, {0, 1, 2});
    MorphTarget target;
    target.indices = {0};
    target.positions = {{1, 0, 0}};
    morphed.meshes[0].targets.assign(many, target);
    morphed.meshes[0].weights.assign(many, 0);
    expect_limited(morphed);

    Scene moved;
    moved.nodes.resize(many);
    Clip& clip = moved.clips.emplace_back();
    for (std::size_t i = 0; i < many; ++i) {
        Track& track = clip.tracks.emplace_back();
        track.node = static_cast<Index>(i);
        track.times = {0};
        track.values = {1, 2, 3};
    }
    expect_limited(moved);

    Scene parted = scene_of(3, {0, 1, 2});
    parted.meshes[0].primitives.assign(many, parted.meshes[0].primitives[0]);
    expect_limited(parted);
}

TEST(WriteGlb, EmptySceneHasNoBuffer) {
    const Gltf gltf = write({});
    EXPECT_EQ(gltf.json["asset"]["version"], "2.0");
    EXPECT_THAT(gltf.json["asset"]["generator"].get<std::string>(), ::testing::StartsWith("effigy "));
    EXPECT_FALSE(gltf.json.contains("buffers"));
    EXPECT_FALSE(gltf.json.contains("nodes"));
    EXPECT_EQ(gltf.json["scenes"], json::array({json::object()}));
    EXPECT_TRUE(gltf.binary.empty());
}

TEST(WriteGlb, SameSceneGivesSameBytes) {
    const auto first = gltf::write_glb(rich_scene());
    const auto second = gltf::write_glb(rich_scene());
    ASSERT_TRUE(first && second);
    EXPECT_TRUE(*first == *second);
}

TEST(WriteGlb, AttributesOfEachPrimitiveAreThoseOfTheScene) {
    const Scene scene = rich_scene();
    const Mesh& mesh = scene.meshes[rich::body_mesh];
    const Gltf gltf = write(scene);
    ASSERT_EQ(body_of(gltf)["primitives"].size(), 3u) << "the primitive without triangles is left out";
    const std::pair<std::size_t, std::size_t> written[] = {{0, 0}, {1, 1}, {2, 3}};
    for (const auto& [number, source] : written) {
        const json& attributes = body_of(gltf)["primitives"][number]["attributes"];
        const Primitive& primitive = mesh.primitives[source];
        EXPECT_EQ(attributes.size(), mesh.attributes.size());
        for (const Attribute& attribute : mesh.attributes) {
            if (attribute.data.component != ComponentType::f32) continue;
            const char* const name = attribute.semantic == Semantic::position   ? "POSITION"
                                     : attribute.semantic == Semantic::normal   ? "NORMAL"
                                     : attribute.semantic == Semantic::tangent  ? "TANGENT"
                                     : attribute.semantic == Semantic::texcoord ? "TEXCOORD_0"
                                     : attribute.semantic == Semantic::color    ? "COLOR_1"
                                     : attribute.semantic == Semantic::weights
                                         ? (attribute.set == 0 ? "WEIGHTS_0" : "WEIGHTS_1")
                                         : attribute.custom_name.c_str();
            const std::size_t components = component_count(attribute.data.element);
            const auto expected = attribute.data.as<float>().subspan(primitive.first_vertex * components,
                                                                     primitive.vertex_count * components);
            EXPECT_EQ(gltf.read(attributes[name]), as_doubles(expected)) << name;
        }
    }
}

TEST(WriteGlb, WeightsAndJointsThatMoveNothingAreZeros) {
    Scene scene = rich_scene();
    Mesh& mesh = scene.meshes[rich::body_mesh];
    mesh.attributes[7].data.as<std::uint8_t>()[2] = 200;  // its weight is 0
    mesh.attributes[8].data.as<float>()[1] = -0.5f;
    const Gltf gltf = write(scene);
    const json& attributes = body_of(gltf)["primitives"][0]["attributes"];
    const auto joints = gltf.read(attributes["JOINTS_0"]), weights = gltf.read(attributes["WEIGHTS_0"]);
    ASSERT_GT(joints.size(), 5u);
    ASSERT_GT(weights.size(), 5u);
    EXPECT_EQ(joints[2], 0);
    EXPECT_EQ(weights[0], 0.375);
    EXPECT_EQ(weights[1], 0);
    EXPECT_EQ(weights[5], 0.375) << "of the next vertex";
    EXPECT_EQ(gltf::losses(scene).count("skin-weight"), 1u);
    EXPECT_EQ(gltf::losses(rich_scene()).count("skin-weight"), 0u);
}

TEST(WriteGlb, SmallElementsArePaddedToFourBytes) {
    const Gltf gltf = write(rich_scene());
    const json& attributes = body_of(gltf)["primitives"][1]["attributes"];
    const auto level = [](std::size_t vertex, std::size_t i) {
        return static_cast<double>((vertex * 3 + i * 50) % 256);
    };
    for (const auto& [name, components, stride] : {std::tuple{"COLOR_0", 3u, 4u}, std::tuple{"_WIDE", 3u, 8u},
                                                   std::tuple{"_NARROW", 1u, 4u}, std::tuple{"TEXCOORD_1", 2u, 4u}}) {
        const auto values = gltf.read(attributes[name]);
        ASSERT_EQ(values.size(), rich::second_vertices * components) << name;
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(values[i], level(rich::first_vertices + i / components, i % components)) << name << " " << i;
        }
        const json& view = gltf.json["bufferViews"][gltf.accessor(attributes[name])["bufferView"].get<std::size_t>()];
        EXPECT_EQ(view["byteStride"], stride) << name;
    }
    EXPECT_TRUE(gltf.accessor(attributes["COLOR_0"])["normalized"]);
    EXPECT_EQ(gltf.accessor(attributes["JOINTS_0"])["componentType"], 5121);
    EXPECT_EQ(gltf.accessor(attributes["JOINTS_1"])["componentType"], 5123);
}

TEST(WriteGlb, PrimitivesOfOneRangeShareAccessors) {
    const Gltf gltf = write(rich_scene());
    const json& primitives = body_of(gltf)["primitives"];
    EXPECT_EQ(primitives[1]["attributes"], primitives[2]["attributes"]);
    EXPECT_EQ(primitives[1]["targets"], primitives[2]["targets"]);
    EXPECT_NE(primitives[0]["attributes"], primitives[1]["attributes"]);
}

TEST(WriteGlb, StrideIsWrittenOnlyWhereItIsNeeded) {
    const Gltf gltf = write(rich_scene());
    const json& sign = gltf.json["meshes"][1]["primitives"][0]["attributes"];
    const json& view = gltf.json["bufferViews"][gltf.accessor(sign["POSITION"])["bufferView"].get<std::size_t>()];
    EXPECT_FALSE(view.contains("byteStride"));
    EXPECT_EQ(view["target"], 34962);
}

TEST(WriteGlb, PositionBoundsAreTheNumbersThemselves) {
    const Gltf gltf = write(rich_scene());
    for (const json& primitive : body_of(gltf)["primitives"]) {
        const std::size_t accessor = primitive["attributes"]["POSITION"];
        const auto values = gltf.read(accessor);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double least = INFINITY;
            double greatest = -INFINITY;
            for (std::size_t i = axis; i < values.size(); i += 3) {
                least = std::min(least, values[i]);
                greatest = std::max(greatest, values[i]);
            }
            EXPECT_EQ(gltf.accessor(accessor)["min"][axis].get<double>(), least);
            EXPECT_EQ(gltf.accessor(accessor)["max"][axis].get<double>(), greatest);
        }
    }
}

// Extremes must be found wherever they stand in a block or behind the last full group of a vectorised loop.
TEST(WriteGlb, PositionBoundsAreFoundAtEveryPlace) {
    for (const std::uint32_t count : {3u, 4u, 5u, 6u, 7u, 2047u, 2048u, 2049u, 5000u}) {
        for (const std::uint32_t place : {0u, 1u, count / 2, count - 2, count - 1}) {
            Scene scene = scene_of(count, strip(3));
            const auto floats = scene.meshes[0].attributes[0].data.as<float>();
            floats[place * 3 + 1] = 12345.5f;
            floats[place * 3 + 2] = -777.25f;
            const Gltf gltf = write(scene);
            EXPECT_EQ(gltf.accessor(0)["max"][1], 12345.5) << count << " " << place;
            EXPECT_EQ(gltf.accessor(0)["min"][2], -777.25) << count << " " << place;
        }
    }
}

TEST(WriteGlb, IndicesAreNarrowedWhereVerticesAllowIt) {
    for (const auto& [count, type] : {std::pair{65535u, 5123}, std::pair{65536u, 5125}}) {
        Bulk<std::uint32_t> indices = strip(20000);
        indices.back() = count - 1;
        const Gltf gltf = write(scene_of(count, indices));
        const std::size_t accessor = gltf.json["meshes"][0]["primitives"][0]["indices"];
        EXPECT_EQ(gltf.accessor(accessor)["componentType"], type);
        EXPECT_EQ(gltf.read(accessor), std::vector<double>(indices.begin(), indices.end()));
        const double restart = type == 5123 ? 65535.0 : 4294967295.0;
        EXPECT_THAT(gltf.read(accessor), Each(::testing::Lt(restart)));
    }
}

TEST(WriteGlb, IndicesOfAMeshShareOneViewForEachWidth) {
    Scene scene = scene_of(70000, strip(9));
    scene.meshes[0].primitives.push_back({1000, 300, strip(7), no_index});
    scene.meshes[0].primitives.push_back({5, 69995, strip(6), no_index});
    const Gltf gltf = write(scene);
    const json& primitives = gltf.json["meshes"][0]["primitives"];
    std::vector<std::size_t> views;
    const std::uint32_t lengths[] = {9, 7, 6};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t accessor = primitives[i]["indices"];
        const auto expected = strip(lengths[i]);
        EXPECT_EQ(gltf.read(accessor), std::vector<double>(expected.begin(), expected.end()));
        views.push_back(gltf.accessor(accessor)["bufferView"]);
    }
    EXPECT_EQ(views[0], views[2]);
    EXPECT_NE(views[0], views[1]);
}

TEST(WriteGlb, MorphTargetsMoveTheVerticesOfTheScene) {
    const Scene scene = rich_scene();
    const Mesh& mesh = scene.meshes[rich::body_mesh];
    const Gltf gltf = write(scene);
    EXPECT_THAT(body_of(gltf)["extras"]["targetNames"], ElementsAre("smile", "all", "blink", "nothing"));
    EXPECT_THAT(body_of(gltf)["weights"], ElementsAre(0, 0.25, 0, 1));
    const std::size_t sources[] = {0, 1, 3};
    for (std::size_t number = 0; number < 3; ++number) {
        const Primitive& primitive = mesh.primitives[sources[number]];
        const json& targets = body_of(gltf)["primitives"][number]["targets"];
        ASSERT_EQ(targets.size(), mesh.targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const MorphTarget& target = mesh.targets[i];
            ASSERT_TRUE(targets[i].contains("NORMAL")) << "every target has what any target has";
            EXPECT_FALSE(targets[i].contains("TANGENT"));
            std::vector<double> positions(primitive.vertex_count * 3, 0.0);
            std::vector<double> normals = positions;
            for (std::size_t k = 0; k < target.indices.size(); ++k) {
                const std::size_t vertex = std::size_t{target.indices[k]} - primitive.first_vertex;
                if (vertex >= primitive.vertex_count) continue;
                positions[vertex * 3] = static_cast<double>(target.positions[k].x);
                positions[vertex * 3 + 1] = static_cast<double>(target.positions[k].y);
                positions[vertex * 3 + 2] = static_cast<double>(target.positions[k].z);
                if (!target.normals.empty()) normals[vertex * 3 + 1] = static_cast<double>(target.normals[k].y);
            }
            const std::size_t accessor = targets[i]["POSITION"];
            EXPECT_EQ(gltf.read(accessor), positions) << number << " " << i;
            EXPECT_EQ(gltf.read(targets[i]["NORMAL"]), normals) << number << " " << i;
            double least = 0;
            for (std::size_t k = 1; k < positions.size(); k += 3)
                least = k == 1 ? positions[k] : std::min(least, positions[k]);
            EXPECT_EQ(gltf.accessor(accessor)["min"][1].get<double>(), least);
        }
    }
}

TEST(WriteGlb, MorphTargetsTakeTheSmallestForm) {
    const Gltf gltf = write(rich_scene());
    const auto position = [&](std::size_t primitive, std::size_t target) -> const json& {
        return gltf.accessor(body_of(gltf)["primitives"][primitive]["targets"][target]["POSITION"]);
    };
    EXPECT_EQ(position(0, 0)["sparse"]["count"], 5);
    EXPECT_EQ(position(1, 0)["sparse"]["count"], 5);
    EXPECT_TRUE(position(0, 1).contains("bufferView")) << "all vertices move";
    EXPECT_FALSE(position(0, 1).contains("sparse"));
    EXPECT_EQ(position(1, 2)["sparse"]["count"], 3);
    EXPECT_FALSE(position(0, 2).contains("sparse")) << "no vertex moves";
    EXPECT_FALSE(position(0, 2).contains("bufferView"));
    EXPECT_EQ(body_of(gltf)["primitives"][0]["targets"][2]["POSITION"],
              body_of(gltf)["primitives"][0]["targets"][3]["POSITION"])
        << "zeros are shared";
}

TEST(WriteGlb, MorphTargetWithGapsCanBeDense) {
    Scene scene = scene_of(3000, strip(3000));
    MorphTarget target;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        if (i % 100 == 7) continue;
        target.indices.push_back(i);
        target.positions.push_back({static_cast<float>(i) + 1, 2, 3});
    }
    scene.meshes[0].targets = {target};
    scene.meshes[0].extras.json = "{}";
    const Gltf gltf = write(scene);
    const std::size_t accessor = gltf.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
    ASSERT_TRUE(gltf.accessor(accessor).contains("bufferView"));
    const auto values = gltf.read(accessor);
    for (std::size_t i = 0; i < 3000; ++i) {
        EXPECT_EQ(values[i * 3], i % 100 == 7 ? 0.0 : static_cast<double>(i + 1));
    }
    EXPECT_THAT(gltf.accessor(accessor)["min"], ElementsAre(0, 0, 0));
    EXPECT_THAT(gltf.accessor(accessor)["max"], ElementsAre(3000, 2, 3));
}

TEST(WriteGlb, LargePrimitivesHaveWideSparseIndices) {
    Scene scene = scene_of(70000, strip(3));
    MorphTarget target;
    target.indices = bulk<std::uint32_t>(std::vector<std::uint32_t>{0, 65535, 65536, 69999});
    target.positions.assign(4, Vec3{1, 1, 1});
    scene.meshes[0].targets = {target};
    const Gltf gltf = write(scene);
    const std::size_t accessor = gltf.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
    EXPECT_EQ(gltf.accessor(accessor)["sparse"]["indices"]["componentType"], 5125);
    EXPECT_EQ(gltf.read(accessor)[65536 * 3], 1.0);
    EXPECT_EQ(gltf.read(accessor)[65537 * 3], 0.0);
}

TEST(WriteGlb, PrimitivesNameTheirTopology) {
    const Scene scene = scene_of_all_topologies();
    const Gltf gltf = write(scene);
    std::vector<int> modes;
    for (std::size_t i = 0; i < 6; ++i) {
        const json& primitive = body_of(gltf)["primitives"][i];
        modes.push_back(primitive.value("mode", 4));
        const auto& indices = scene.meshes[0].primitives[i].indices;
        EXPECT_EQ(gltf.read(primitive["indices"]), std::vector<double>(indices.begin(), indices.end()));
    }
    EXPECT_THAT(modes, ElementsAre(0, 1, 3, 4, 5, 6));
    EXPECT_FALSE(body_of(gltf)["primitives"][3].contains("mode"));
}

TEST(WriteGlb, PointsHaveNoTangents) {
    const Gltf gltf = write(scene_of_all_topologies());
    for (const json& primitive : body_of(gltf)["primitives"]) {
        const bool has_surface = primitive.value("mode", 4) != 0;
        EXPECT_EQ(primitive["attributes"].contains("TANGENT"), has_surface);
        EXPECT_EQ(primitive["targets"][0].contains("TANGENT"), has_surface);
        EXPECT_TRUE(primitive["attributes"].contains("NORMAL"));
    }
}

TEST(WriteGlb, MeshesWithoutTrianglesAreLeftOut) {
    const Gltf gltf = write(rich_scene());
    EXPECT_EQ(gltf.json["meshes"].size(), 2u);
    EXPECT_FALSE(gltf.json["nodes"][rich::empty_mesh_node].contains("mesh"));
    EXPECT_EQ(gltf.json["nodes"][rich::body_node]["mesh"], 0);
    EXPECT_EQ(gltf.json["nodes"][rich::static_node]["mesh"], 1);
}

TEST(WriteGlb, NodesKeepTheirTransforms) {
    const Gltf gltf = write(rich_scene());
    const json& nodes = gltf.json["nodes"];
    EXPECT_EQ(nodes[0]["translation"].dump(), "[0.1,0,0]") << "shortest decimals";
    EXPECT_FALSE(nodes[0].contains("rotation"));
    EXPECT_FALSE(nodes[0].contains("scale"));
    EXPECT_EQ(nodes[0]["children"], json::array({1}));
    EXPECT_EQ(nodes[1]["rotation"][3].get<float>(), std::sqrt(0.5f));
    EXPECT_THAT(nodes[2]["scale"], ElementsAre(1, 2, 1));
    EXPECT_EQ(nodes[rich::static_node]["matrix"][4], 0.5);
    EXPECT_FALSE(nodes[rich::static_node].contains("translation"));
}

TEST(WriteGlb, HiddenRootsStandInNoScene) {
    const Gltf gltf = write(rich_scene());
    EXPECT_EQ(gltf.json["scenes"][0]["nodes"],
              json::array({0, rich::body_node, rich::static_node, rich::empty_mesh_node}));
    EXPECT_EQ(gltf.json["nodes"].size(), 8u);
}

TEST(WriteGlb, LevelsOfDetailHaveFallingCoverage) {
    const Gltf gltf = write(rich_scene());
    const json& node = gltf.json["nodes"][rich::static_node];
    EXPECT_EQ(node["extensions"]["MSFT_lod"]["ids"], json::array({rich::lod_node}));
    const json& coverage = node["extras"]["MSFT_screencoverage"];
    ASSERT_EQ(coverage.size(), 2u);
    EXPECT_GT(coverage[0].get<double>(), coverage[1].get<double>());
}

TEST(WriteGlb, LightsStandInTheirExtension) {
    const Gltf gltf = write(rich_scene());
    const json& lights = gltf.json["extensions"]["KHR_lights_punctual"]["lights"];
    ASSERT_EQ(lights.size(), 3u);
    EXPECT_EQ(lights[0]["type"], "point");
    EXPECT_EQ(lights[0]["color"], json::array({1.0, 0.5, 0.0}));
    EXPECT_EQ(lights[0]["intensity"], 3.0);
    EXPECT_EQ(lights[0]["range"], 12.0);
    EXPECT_EQ(lights[0]["extras"]["effigy"]["element"], "omni");
    EXPECT_TRUE(lights[0]["extras"]["effigy"].contains("hash"));
    EXPECT_FALSE(lights[0].contains("spot"));
    EXPECT_EQ(lights[1]["spot"], json({{"innerConeAngle", 0.25}, {"outerConeAngle", 0.5}}));
    EXPECT_FALSE(lights[1].contains("range"));
    EXPECT_EQ(lights[2]["type"], "directional");
    EXPECT_EQ(gltf.json["nodes"][1]["extensions"]["KHR_lights_punctual"]["light"], 0);
    EXPECT_FALSE(gltf.json["nodes"][3].contains("extensions"));
    EXPECT_FALSE(write(Scene()).json.contains("extensions"));
}

TEST(WriteGlb, SkinsHaveExactLastRows) {
    const Gltf gltf = write(rich_scene());
    const json& skin = gltf.json["skins"][0];
    EXPECT_EQ(skin["joints"], json::array({0, 1, 2}));
    EXPECT_EQ(skin["skeleton"], 0);
    const auto values = gltf.read(skin["inverseBindMatrices"]);
    ASSERT_EQ(values.size(), 48u);
    EXPECT_EQ(values[16 + 13], -1.0);
    EXPECT_EQ(values[32 + 3], 0.0);
    EXPECT_EQ(gltf.json["nodes"][rich::body_node]["skin"], 0);
}

TEST(WriteGlb, CubicSplinesHaveThreeValuesForEachTime) {
    const Gltf gltf = write(rich_scene());
    const json& sampler = gltf.json["animations"][1]["samplers"][1];
    EXPECT_EQ(sampler["interpolation"], "CUBICSPLINE");
    EXPECT_EQ(gltf.accessor(sampler["input"])["count"], 2);
    EXPECT_EQ(gltf.accessor(sampler["output"])["count"], 6);
}

TEST(WriteGlb, AnimationsShareTimesAndLeaveEmptyTracksOut) {
    const Gltf gltf = write(rich_scene());
    const json& animations = gltf.json["animations"];
    ASSERT_EQ(animations.size(), 2u) << "the clip without keys is left out";
    EXPECT_EQ(animations[0]["name"], "walk");
    EXPECT_EQ(animations[0]["channels"].size(), 4u);
    EXPECT_EQ(animations[0]["samplers"][0]["input"], animations[0]["samplers"][1]["input"]);
    EXPECT_EQ(animations[0]["samplers"][0]["input"], animations[1]["samplers"][0]["input"]);
    EXPECT_EQ(animations[0]["samplers"][2]["interpolation"], "STEP");
    EXPECT_FALSE(animations[0]["samplers"][0].contains("interpolation"));
    const json& weights = animations[0]["samplers"][3];
    EXPECT_EQ(animations[0]["channels"][3]["target"], (json{{"node", rich::body_node}, {"path", "weights"}}));
    EXPECT_THAT(gltf.read(weights["output"]), ElementsAre(0, 0, 0, 0, 1, 0.5, 0, 0.25));
    const std::size_t input = animations[0]["samplers"][0]["input"];
    EXPECT_THAT(gltf.read(input), ElementsAre(0, 0.5, 1));
    EXPECT_EQ(gltf.accessor(input)["min"], json::array({0.0}));
    EXPECT_EQ(gltf.accessor(input)["max"], json::array({1.0}));
    std::set<std::size_t> views;
    for (const json& animation : animations) {
        for (const json& sampler : animation["samplers"]) {
            views.insert(gltf.accessor(sampler["input"])["bufferView"].get<std::size_t>());
            views.insert(gltf.accessor(sampler["output"])["bufferView"].get<std::size_t>());
        }
    }
    EXPECT_EQ(views.size(), 2u);
}

TEST(WriteGlb, MaterialsSayOnlyWhatIsNotDefault) {
    const Gltf gltf = write(rich_scene());
    const json& materials = gltf.json["materials"];
    const json& rich = materials[0];
    EXPECT_EQ(rich["pbrMetallicRoughness"]["baseColorFactor"].dump(), "[0.1,0.2,0.3,1]");
    EXPECT_EQ(rich["pbrMetallicRoughness"]["metallicFactor"], 0);
    EXPECT_EQ(rich["pbrMetallicRoughness"]["roughnessFactor"].dump(), "0.6");
    const json& transform = rich["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"];
    EXPECT_EQ(transform.dump(), R"({"offset":[0.5,0.25],"rotation":0.1,"scale":[2,3]})");
    EXPECT_EQ(rich["normalTexture"].dump(), R"({"index":1,"scale":0.7,"texCoord":1})");
    EXPECT_EQ(rich["occlusionTexture"].dump(), R"({"index":1,"strength":0.3})");
    EXPECT_EQ(rich["emissiveFactor"].dump(), "[1,0.5,0]");
    EXPECT_EQ(rich["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"], 4);
    EXPECT_FALSE(rich.contains("alphaMode"));
    EXPECT_EQ(materials[1]["alphaMode"], "MASK");
    EXPECT_EQ(materials[1]["alphaCutoff"], 0.25);
    EXPECT_TRUE(materials[1]["doubleSided"]);
    EXPECT_EQ(materials[2]["alphaMode"], "BLEND");
    EXPECT_FALSE(materials[2].contains("alphaCutoff"));
    EXPECT_FALSE(materials[2]["pbrMetallicRoughness"].contains("metallicFactor"));
    EXPECT_EQ(materials[3]["extensions"]["KHR_materials_unlit"], json::object());
    EXPECT_EQ(gltf.json["textures"].size(), 4u) << "alike textures are one";
    EXPECT_EQ(gltf.json["samplers"].size(), 2u);
    EXPECT_THAT(gltf.json["extensionsUsed"], ElementsAre("KHR_lights_punctual", "KHR_materials_emissive_strength",
                                                         "KHR_materials_unlit", "KHR_texture_transform", "MSFT_lod"));
}

TEST(WriteGlb, ImagesStandInTheBuffer) {
    const Scene scene = rich_scene();
    const Gltf gltf = write(scene);
    ASSERT_EQ(gltf.json["images"].size(), 2u) << "the image without content is left out";
    const json& image = gltf.json["images"][1];
    EXPECT_EQ(image["mimeType"], "image/png");
    const json& view = gltf.json["bufferViews"][image["bufferView"].get<std::size_t>()];
    ASSERT_EQ(view["byteLength"], scene.images[1].bytes.size());
    EXPECT_TRUE(std::equal(scene.images[1].bytes.begin(), scene.images[1].bytes.end(),
                           gltf.binary.begin() + view["byteOffset"].get<std::ptrdiff_t>()));
}

TEST(WriteGlb, ImagesThatWereNeverLoadedTakeTheirTexturesAlong) {
    Scene scene = rich_scene();
    scene.materials[1].base_color_texture.image = 2;
    const Gltf gltf = write(scene);
    EXPECT_FALSE(gltf.json["materials"][1]["pbrMetallicRoughness"].contains("baseColorTexture"));
    scene.images[2].uri = "my textures\\skin.png";
    const Gltf referring = write(scene);
    EXPECT_EQ(referring.json["images"][2]["uri"], "my%20textures/skin.png");
    EXPECT_TRUE(referring.json["materials"][1]["pbrMetallicRoughness"].contains("baseColorTexture"));
}

TEST(WriteGlb, ExtrasCarryHashesThatFollowTheData) {
    Scene scene = rich_scene();
    scene.nodes.emplace_back().extras.json = R"({"own":true})";
    const Gltf before = write(scene);
    const auto hash = [](const json& object) { return object["extras"]["effigy"]["hash"].get<std::string>(); };
    const auto rest = [](const json& object) { return object["extras"]["effigy"]["rest"]; };
    EXPECT_THAT(hash(body_of(before)), ::testing::MatchesRegex("xxh3:[0-9a-f]{16}"));
    EXPECT_EQ(body_of(before)["extras"]["effigy"]["kind"], "skinned");
    EXPECT_EQ(before.json["nodes"][0]["extras"]["effigy"]["flags"], 1);
    EXPECT_EQ(before.json["animations"][0]["extras"]["effigy"]["duration"], 1);
    EXPECT_EQ(before.json["asset"]["extras"]["effigy"]["version"], 1);
    EXPECT_FALSE(before.json["asset"]["extras"]["effigy"].contains("hash"));
    EXPECT_FALSE(before.json["nodes"][1].contains("extras"));

    scene.meshes[rich::body_mesh].targets[2].positions[1].z = 9;
    scene.nodes[0].local.rotation = {1, 0, 0, 0};
    scene.nodes.back().local.rotation = {1, 0, 0, 0};
    scene.clips[0].tracks[0].values[4] = 0.5f;
    scene.materials[0].roughness = 0.5f;
    scene.skins[0].inverse_bind_matrices[0].m[12] = 7;
    const Gltf after = write(scene);
    EXPECT_NE(hash(body_of(before)), hash(body_of(after)));
    EXPECT_EQ(hash(before.json["meshes"][1]), hash(after.json["meshes"][1]));
    EXPECT_NE(rest(before.json["nodes"][0]), rest(after.json["nodes"][0])) << "of a joint it says what a hash would";
    EXPECT_NE(hash(before.json["nodes"].back()), hash(after.json["nodes"].back()));
    EXPECT_NE(hash(before.json["animations"][0]), hash(after.json["animations"][0]));
    EXPECT_NE(hash(before.json["materials"][0]), hash(after.json["materials"][0]));
    EXPECT_NE(hash(before.json["skins"][0]), hash(after.json["skins"][0]));
}

template <class T>
void append(std::vector<std::byte>& bytes, std::span<const double> values) {
    for (const double value : values) {
        const std::array<T, 1> number{static_cast<T>(value)};
        const auto more = std::as_bytes(std::span(number));
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
}

void append_text(std::vector<std::byte>& bytes, const std::string& text) {
    const std::array<std::uint64_t, 1> size{text.size()};
    for (const std::span<const std::byte> piece : {std::span<const std::byte>(std::as_bytes(std::span(size))),
                                                   std::span<const std::byte>(std::as_bytes(std::span(text)))})
        bytes.insert(bytes.end(), piece.begin(), piece.end());
}

void append_attribute(std::vector<std::byte>& bytes, const Gltf& gltf, std::size_t number) {
    const int type = gltf.accessor(number)["componentType"];
    const auto values = gltf.read(number);
    if (type == 5121)
        append<std::uint8_t>(bytes, values);
    else if (type == 5123)
        append<std::uint16_t>(bytes, values);
    else
        append<float>(bytes, values);
}

// Vertices that are listed in a sparse accessor, and those of others that move.
void append_offsets(std::vector<std::byte>& bytes, const Gltf& gltf, std::size_t number) {
    const json& accessor = gltf.accessor(number);
    const auto values = gltf.read(number);
    std::vector<double> moved;
    if (accessor.contains("sparse")) {
        Gltf part = gltf;
        json& indices = part.json["accessors"][number];
        indices = accessor["sparse"]["indices"];
        indices["count"] = accessor["sparse"]["count"];
        indices["type"] = "SCALAR";
        moved = part.read(number);
    } else {
        for (std::size_t i = 0; i < values.size() / 3; ++i) {
            const auto is_zero = [](double value) { return value == 0 && !std::signbit(value); };
            if (!std::all_of(&values[i * 3], &values[i * 3] + 3, is_zero)) moved.push_back(static_cast<double>(i));
        }
    }
    for (const double index : moved) {
        append<std::uint32_t>(bytes, std::span(&index, 1));
        append<float>(bytes, std::span(values).subspan(static_cast<std::size_t>(index) * 3, 3));
    }
}

// A reader must be able to compute it from the file alone.
TEST(WriteGlb, HashOfAMeshCoversWhatItsAccessorsHold) {
    const Gltf gltf = write(rich_scene());
    for (const json& mesh : gltf.json["meshes"]) {
        std::vector<json> ranges;  // of vertices: a primitive that has them
        std::set<std::string> names;
        for (const json& primitive : mesh["primitives"]) {
            for (const auto& [name, accessor] : primitive["attributes"].items()) names.insert(name);
            const auto is_known = [&](const json& one) { return one["attributes"] == primitive["attributes"]; };
            if (std::none_of(ranges.begin(), ranges.end(), is_known)) ranges.push_back(primitive);
        }
        std::vector<std::byte> bytes;
        for (const std::string& name : names) {
            append_text(bytes, name);
            for (const json& range : ranges) append_attribute(bytes, gltf, range["attributes"][name]);
        }
        for (const json& primitive : mesh["primitives"])
            append<std::uint32_t>(bytes, gltf.read(primitive["indices"].get<std::size_t>()));
        const std::size_t targets = ranges.front().value("targets", json::array()).size();
        for (std::size_t target = 0; target < targets; ++target) {
            for (const json& range : ranges) {
                for (const char* const part : {"POSITION", "NORMAL", "TANGENT"}) {
                    const json& accessors = range["targets"][target];
                    if (accessors.contains(part)) append_offsets(bytes, gltf, accessors[part]);
                }
            }
        }
        std::array<char, 32> expected{};
        std::snprintf(expected.data(), expected.size(), "xxh3:%016llx",
                      static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
        EXPECT_EQ(mesh["extras"]["effigy"]["hash"], expected.data());
    }
}

TEST(WriteGlb, NamesThatAreNotUtf8DoNotBreakTheJson) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].name = "caf\xe9";
    EXPECT_EQ(write(scene).json["nodes"][0]["name"], "caf\xef\xbf\xbd");
}

TEST(WriteGlb, NumbersAreShortAndExact) {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].local.translation = {0.1f, 16777216.0f, 3.4028235e38f};
    scene.nodes[0].local.scale = {-0.0f, 1e-45f, 0.3333333432674408f};
    const json node = write(scene).json["nodes"][0];
    for (std::size_t i = 0; i < 3; ++i) {
        const float translation[] = {0.1f, 16777216.0f, 3.4028235e38f};
        const float scale[] = {-0.0f, 1e-45f, 0.3333333432674408f};
        EXPECT_EQ(node["translation"][i].get<float>(), translation[i]);
        EXPECT_EQ(node["scale"][i].get<float>(), scale[i]);
    }
    EXPECT_EQ(node["translation"][0].dump(), "0.1");
    EXPECT_EQ(node["scale"].dump(), "[-0.0,1e-45,0.33333334]");
}

}  // namespace
}  // namespace effigy::test
