/// Files whose buffer is given back while a scene is made of them.

#include <gtest/gtest.h>

#include "effigy/hashes.hpp"

#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

constexpr std::uint32_t count = 150'000;  // of vertices: more than a megabyte for most attributes

Floats values(std::size_t width, float first) {
    Floats all(count * width);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = first + static_cast<float>(i % 1000);
    return all;
}

json triangles(AssetBuilder& builder, std::uint32_t first) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t i = first; i + 2 < count; ++i) corners.insert(corners.end(), {i, i + 1, i + 2});
    return add_numbers(builder, corners, 5125, "SCALAR", 1);
}

/// The bytes of a view in the file.
std::span<const std::byte> view_of(const gltf::File& file, const AssetBuilder& builder, std::size_t accessor) {
    const json& view =
        builder.root["bufferViews"][builder.root["accessors"][accessor]["bufferView"].get<std::size_t>()];
    return bytes_of(file.chunks.at(1).bytes)
        .subspan(view.value("byteOffset", std::size_t{0}), view["byteLength"].get<std::size_t>());
}

/// All but the first and the last page, of which neighbours have a part.
bool is_given_back(std::span<const std::byte> bytes) {
    const auto inner = bytes.subspan(65536, bytes.size() - 131072);
    return std::all_of(inner.begin(), inner.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

void expect_equal(const Scene& scene, const Scene& expected) {
    ASSERT_EQ(scene.meshes.size(), expected.meshes.size());
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
        EXPECT_EQ(hash_of(scene.meshes[m]), hash_of(expected.meshes[m])) << "mesh " << m;
    EXPECT_TRUE(written(scene) == written(expected));
}

/// Reads the file with and without keeping it; what is left of it.
gltf::File spend(const AssetBuilder& builder) {
    gltf::File file = file_of(builder.glb());
    const auto expected = gltf::to_scene(file);
    const auto scene = gltf::to_scene(std::move(file));
    EXPECT_TRUE(expected && scene);
    if (!expected || !scene) return {};
    expect_equal(scene->value, expected->value);
    EXPECT_EQ(scene->report.diagnostics().size(), expected->report.diagnostics().size());
    return file;  // NOLINT(bugprone-use-after-move): whose memory is given back, which is looked at
}

TEST(GltfSpent, ViewsOfOneMeshAreGivenBack) {
    AssetBuilder builder;
    json first;
    first["attributes"]["POSITION"] = add_floats(builder, values(3, 1), "VEC3");
    first["attributes"]["_HEAT"] = add_floats(builder, values(2, 2), "VEC2");
    json second = first;
    first["indices"] = triangles(builder, 0);
    second["indices"] = triangles(builder, 5);
    builder.root["meshes"].push_back({{"primitives", {first, second}}});
    add_node(builder, {{"mesh", 0}});
    const gltf::File file = spend(builder);
    for (const std::size_t accessor : {0u, 1u, 2u, 3u})
        EXPECT_TRUE(is_given_back(view_of(file, builder, accessor))) << accessor;
}

TEST(GltfSpent, WhatTwoMeshesShareIsGivenBackByTheSecond) {
    AssetBuilder builder;
    json primitive;
    primitive["attributes"]["POSITION"] = add_floats(builder, values(3, 1), "VEC3");
    primitive["attributes"]["_HEAT"] = add_floats(builder, values(2, 2), "VEC2");
    for (std::size_t i = 0; i < 2; ++i) {
        builder.root["meshes"].push_back({{"primitives", {primitive}}});
        add_node(builder, {{"mesh", i}});
    }
    const gltf::File file = spend(builder);
    EXPECT_TRUE(is_given_back(view_of(file, builder, 0)));
    EXPECT_TRUE(is_given_back(view_of(file, builder, 1)));
}

TEST(GltfSpent, WhatOthersReadStays) {
    AssetBuilder builder;
    json primitive;
    // An attribute that a morph target and a clip read as well, one in the view of a picture, and two that overlap.
    const std::size_t moved = add_floats(builder, values(3, 1), "VEC3");
    primitive["attributes"]["POSITION"] = moved;
    primitive["targets"] = {{{"POSITION", moved}}};
    const std::size_t keys = add_floats(builder, Floats(count * 4, 0.5f), "VEC4");
    Floats times(count);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<float>(i);
    primitive["attributes"]["_KEYS"] = keys;
    primitive["attributes"]["_TIMES"] = add_floats(builder, times, "SCALAR");
    const std::size_t pictured = add_floats(builder, values(2, 3), "VEC2");
    primitive["attributes"]["_PICTURE"] = pictured;
    builder.root["images"] = {{{"bufferView", builder.root["accessors"][pictured]["bufferView"]}, {"mimeType", "a/b"}}};
    const std::size_t whole = add_floats(builder, values(4, 4), "VEC4");
    primitive["attributes"]["_WHOLE"] = whole;
    json half = builder.root["bufferViews"][builder.root["accessors"][whole]["bufferView"].get<std::size_t>()];
    half["byteLength"] = half["byteLength"].get<std::size_t>() / 2;
    builder.root["bufferViews"].push_back(half);
    primitive["attributes"]["_HALF"] = builder.accessor({{"bufferView", builder.root["bufferViews"].size() - 1},
                                                         {"componentType", 5126},
                                                         {"type", "VEC2"},
                                                         {"count", count}});
    builder.root["meshes"].push_back({{"primitives", {primitive}}});
    add_node(builder, {{"mesh", 0}});
    builder.root["animations"] = {{{"samplers", {{{"input", primitive["attributes"]["_TIMES"]}, {"output", keys}}}},
                                   {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}}}}};
    const gltf::File file = spend(builder);
    for (const std::size_t accessor : {0u, 1u, 2u, 3u, 4u, 5u})
        EXPECT_FALSE(is_given_back(view_of(file, builder, accessor))) << accessor;
}

TEST(GltfSpent, MeshesThatHaveToBeReadAgainAreWhole) {
    // Vertices that no primitive stands on, and a hash that speaks of another mesh.
    AssetBuilder builder;
    json primitive;
    primitive["attributes"]["POSITION"] = add_floats(builder, values(3, 1), "VEC3");
    builder.root["accessors"][0]["count"] = count - 10;
    builder.root["meshes"].push_back(
        {{"primitives", {primitive}}, {"extras", {{"effigy", {{"record", 1}, {"hash", "xxh3:0123456789abcdef"}}}}}});
    add_node(builder, {{"mesh", 0}});
    gltf::File file = file_of(builder.glb());
    const auto scene = gltf::to_scene(std::move(file));
    ASSERT_TRUE(scene);
    const Mesh& mesh = scene->value.meshes.at(0);
    EXPECT_EQ(mesh.vertex_count, count - 10);
    const auto positions = mesh.attributes.at(0).data.as<float>();
    const Floats expected = values(3, 1);
    EXPECT_TRUE(std::equal(positions.begin(), positions.end(), expected.begin()));
}

}  // namespace
}  // namespace effigy::gltf_test
