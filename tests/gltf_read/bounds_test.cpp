/// Small files that say the same thing over and over: what is made of them stays within the limits.

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "effigy/gltf.hpp"

#include "gltf_read/asset_builder.hpp"
#include "gltf_read/reading.hpp"

namespace effigy::gltf_test {
namespace {

constexpr int f32 = 5126;

std::string code_with_16_mib(const AssetBuilder& builder) {
    gltf::SceneOptions options;
    options.limits.memory = 16u << 20;
    return code_of(try_to_read(builder.glb(), options));
}

std::size_t triangle(AssetBuilder& builder) {
    return builder.accessor(packed(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0}), f32, "VEC3", 3);
}

AssetBuilder with_mesh(const json& primitive) {
    AssetBuilder builder;
    triangle(builder);
    builder.root["meshes"] = {{{"primitives", json::array({primitive})}}};
    builder.root["nodes"] = {{{"mesh", 0}}};
    return builder;
}

TEST(GltfBounds, TheSameBytesForEachChannel) {
    AssetBuilder builder = with_mesh({{"attributes", {{"POSITION", 0}}}});
    std::vector<float> times(25'000);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<float>(i);
    const std::size_t input = builder.accessor(packed(times), f32, "SCALAR", times.size());
    const std::size_t output =
        builder.accessor(packed(std::vector<float>(3 * times.size())), f32, "VEC3", times.size());
    const auto animation = [&](const json& target, std::size_t count) {
        json list = json::array();
        for (std::size_t i = 0; i < count; ++i) {
            json one = target;
            if (target.contains("path")) one["node"] = builder.root["nodes"].size() - 1 - i;
            list.push_back({{"sampler", 0}, {"target", one}});
        }
        return json{{"channels", list},
                    {"samplers", {{{"input", input}, {"output", output}}}},
                    {"extras", {{"effigy", {{"hash", "xxh3:0000000000000000"}}}}}};
    };
    for (int i = 0; i < 500; ++i) builder.root["nodes"].push_back(json::object());
    const json nothing = json::object();  // moves nothing: is not read, and costs nothing
    builder.root["animations"] = json::array({animation(nothing, 500)});
    EXPECT_EQ(code_with_16_mib(builder), "");
    const json moves = {{"path", "translation"}};
    builder.root["animations"] = json::array({animation(moves, 500)});
    EXPECT_EQ(code_with_16_mib(builder), "limit-memory");
    builder.root["animations"] = json::array({animation(moves, 5)});
    EXPECT_EQ(code_with_16_mib(builder), "");
}

TEST(GltfBounds, TwinsOfAJointWithALongName) {
    AssetBuilder builder = with_mesh({{"attributes", {{"POSITION", 0}}}});
    builder.root["nodes"][0]["name"] = std::string(100'000, 'x');
    builder.root["skins"] = {{{"joints", json(20, 0)}}};
    EXPECT_EQ(code_with_16_mib(builder), "");
    builder.root["skins"] = {{{"joints", json(1000, 0)}}};
    EXPECT_EQ(code_with_16_mib(builder), "limit-memory");
}

TEST(GltfBounds, CopiesOfAMeshWithALongName) {
    AssetBuilder builder =
        with_mesh({{"attributes", {{"POSITION", 0}}}, {"targets", {{{"POSITION", 0}}, {{"POSITION", 0}}}}});
    builder.root["meshes"][0]["name"] = std::string(100'000, 'x');
    json nodes = json::array();
    for (int i = 0; i < 1000; ++i) nodes.push_back({{"mesh", 0}, {"weights", {i, 1}}});
    builder.root["nodes"] = nodes;
    EXPECT_EQ(code_with_16_mib(builder), "limit-memory");
    nodes.erase(nodes.begin() + 20, nodes.end());
    builder.root["nodes"] = nodes;
    EXPECT_EQ(code_with_16_mib(builder), "");
}

// Each takes more than its few offsets: four arrays of its own.
TEST(GltfBounds, ManyTargetsOfFewVertices) {
    const auto code_of_targets = [](std::size_t count) {
        return code_with_16_mib(
            with_mesh({{"attributes", {{"POSITION", 0}}}, {"targets", json(count, {{"POSITION", 0}})}}));
    };
    EXPECT_EQ(code_of_targets(10'000), "");
    EXPECT_EQ(code_of_targets(35'000), "limit-memory");
}

// Lists that are shorter than the number of targets, or end in zeros, are the same weights.
TEST(GltfBounds, WeightsOfNodesAreComparedByValue) {
    AssetBuilder builder = with_mesh({{"attributes", {{"POSITION", 0}}}, {"targets", json(3, {{"POSITION", 0}})}});
    builder.root["meshes"][0]["weights"] = {0.5, 0, 0};
    const auto node = [](const json& weights) { return json{{"mesh", 0}, {"weights", weights}}; };
    builder.root["nodes"] = {{{"mesh", 0}}, node({0.5}), node({0.5, 0, 0}), node({0, 0, 0}), node({0, 0, 0.25})};
    const Scene scene = read_text(builder.glb());
    ASSERT_EQ(scene.meshes.size(), 3u);
    EXPECT_EQ(scene.nodes[1].mesh, scene.nodes[0].mesh);
    EXPECT_EQ(scene.nodes[2].mesh, scene.nodes[0].mesh);
    EXPECT_EQ(scene.meshes[scene.nodes[0].mesh].weights, (std::vector<float>{0.5f, 0, 0}));
    EXPECT_EQ(scene.meshes[scene.nodes[3].mesh].weights, (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(scene.meshes[scene.nodes[4].mesh].weights, (std::vector<float>{0, 0, 0.25f}));
}

TEST(GltfBounds, AttributesOfOnesOwn) {
    AssetBuilder builder = with_mesh({{"attributes", {{"POSITION", 0}}}});
    json& attributes = builder.root["meshes"][0]["primitives"][0]["attributes"];
    for (int i = 0; i < 300; ++i) attributes["_A" + std::to_string(i)] = 0;
    const auto loaded = load(builder.glb());
    ASSERT_EQ(loaded.value.meshes.size(), 1u);
    EXPECT_EQ(loaded.value.meshes[0].attributes.size(), 257u);
    EXPECT_EQ(loaded.report.count("gltf-attribute-lost"), 44u);
}

// Targets of one range among many that have none.
TEST(GltfBounds, TargetsOfOneRangeOnly) {
    AssetBuilder builder = with_mesh({{"attributes", {{"POSITION", 0}}}});
    triangle(builder);
    builder.root["meshes"][0]["primitives"] = {
        {{"attributes", {{"POSITION", 0}}}},
        {{"attributes", {{"POSITION", 1}}}, {"targets", {{{"POSITION", 0}}, {{"POSITION", 1}}}}}};
    const Scene scene = read_text(builder.glb());
    ASSERT_EQ(scene.meshes.size(), 1u);
    ASSERT_EQ(scene.meshes[0].vertex_count, 6u);
    ASSERT_EQ(scene.meshes[0].targets.size(), 2u);
    EXPECT_EQ(scene.meshes[0].targets[1].indices, (Bulk<std::uint32_t>{4, 5}));
}

}  // namespace
}  // namespace effigy::gltf_test
