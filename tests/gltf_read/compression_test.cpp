/// Compressed meshes, made by the encoders of the libraries themselves.

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <meshoptimizer.h>
#include <span>

#include "asset_builder.hpp"
#include "draco_encoder.hpp"

namespace effigy::gltf_test {
namespace {

using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

enum Component { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

// meshoptimizer

std::string encoded_vertices(const void* vertices, std::size_t count, std::size_t stride) {
    std::string bytes(meshopt_encodeVertexBufferBound(count, stride), '\0');
    bytes.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), vertices,
                                            count, stride));
    return bytes;
}
std::string encoded_triangles(const std::vector<unsigned>& indices) {
    std::string bytes(meshopt_encodeIndexBufferBound(indices.size(), 1000), '\0');
    bytes.resize(meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), indices.data(),
                                           indices.size()));
    return bytes;
}
std::string encoded_sequence(const std::vector<unsigned>& indices) {
    std::string bytes(meshopt_encodeIndexSequenceBound(indices.size(), 1000), '\0');
    bytes.resize(meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                             indices.data(), indices.size()));
    return bytes;
}

struct Stream {
    std::string bytes;
    std::size_t count = 0, stride = 0;
    std::string mode = "ATTRIBUTES";
    std::string filter = "NONE";
};

/// A compressed view in the .glb, as exporters write it: the plain one lies in a buffer that is not there.
AssetBuilder compressed(const Stream& stream, int component, const std::string& type) {
    AssetBuilder builder;
    builder.root["extensionsUsed"] = builder.root["extensionsRequired"] = {"EXT_meshopt_compression"};
    const auto source = builder.view("xxxx" + stream.bytes);
    json view = {{"buffer", 1}, {"byteLength", stream.count * stream.stride}};
    if (stream.mode == "ATTRIBUTES") view["byteStride"] = stream.stride;
    view["extensions"]["EXT_meshopt_compression"] = {
        {"buffer", 0},
        {"byteOffset", builder.root["bufferViews"][source]["byteOffset"].get<std::size_t>() + 4},
        {"byteLength", stream.bytes.size()},
        {"byteStride", stream.stride},
        {"count", stream.count},
        {"mode", stream.mode}};
    if (stream.filter != "NONE") view["extensions"]["EXT_meshopt_compression"]["filter"] = stream.filter;
    builder.root["bufferViews"].push_back(view);
    builder.root["buffers"] = {{{"byteLength", builder.buffer.size()}},
                               {{"byteLength", stream.count * stream.stride},
                                {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
    builder.accessor(
        {{"bufferView", source + 1}, {"componentType", component}, {"type", type}, {"count", stream.count}});
    return builder;
}

std::vector<float> wave(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(static_cast<float>(i) * 0.1f);
    return values;
}

TEST(Meshopt, Attributes) {
    const std::vector<float> values = wave(3 * 1000);
    const auto opened = open(compressed({encoded_vertices(values.data(), 1000, 12), 1000, 12}, f32, "VEC3"));
    ASSERT_TRUE(opened->asset) << to_string(opened->asset.error());
    const auto accessor = opened->asset->accessor(0);
    ASSERT_TRUE(accessor) << to_string(accessor.error());
    EXPECT_THAT(values_of<float>(*accessor), ElementsAreArray(values));
}

TEST(Meshopt, AttributesWithAStride) {
    std::string rows;
    for (int i = 0; i < 100; ++i)
        rows += packed_row(static_cast<std::int16_t>(i), static_cast<std::int16_t>(-i),
                           static_cast<std::int16_t>(2 * i), std::int16_t{0});
    const auto opened = open(compressed({encoded_vertices(rows.data(), 100, 8), 100, 8}, i16, "VEC3"));
    const auto values = values_of<std::int16_t>(*opened->asset->accessor(0));
    ASSERT_EQ(values.size(), 300u);
    EXPECT_EQ(values[3 * 99 + 1], -99);
    EXPECT_EQ(values[3 * 99 + 2], 198);
}

std::vector<unsigned> strip_of_triangles() {
    std::vector<unsigned> indices;
    for (unsigned i = 0; i < 300; ++i) indices.insert(indices.end(), {i, i + 1, i + 2});
    return indices;
}

/// Triangles may come back with their corners turned.
std::vector<unsigned> turned(std::vector<unsigned> indices) {
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const auto begin = indices.begin() + static_cast<std::ptrdiff_t>(i);
        std::rotate(begin, std::min_element(begin, begin + 3), begin + 3);
    }
    return indices;
}

TEST(Meshopt, Triangles) {
    const std::vector<unsigned> indices = strip_of_triangles();
    for (const std::size_t stride : {2u, 4u}) {
        const Stream stream{encoded_triangles(indices), indices.size(), stride, "TRIANGLES"};
        const auto opened = open(compressed(stream, stride == 2 ? u16 : u32, "SCALAR"));
        const auto read = opened->asset->indices(0);
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(turned({read->begin(), read->end()}), turned(indices));
    }
}

TEST(Meshopt, Indices) {
    const std::vector<unsigned> indices{5, 3, 900, 0, 1, 2, 2, 1, 0, 7};
    for (const std::size_t stride : {2u, 4u}) {
        const Stream stream{encoded_sequence(indices), indices.size(), stride, "INDICES"};
        const auto opened = open(compressed(stream, stride == 2 ? u16 : u32, "SCALAR"));
        const auto read = opened->asset->indices(0);
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_THAT(*read, ElementsAreArray(indices));
    }
}

std::vector<float> unit_vectors(std::size_t count) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const float a = static_cast<float>(i) * 0.37f, b = static_cast<float>(i) * 0.11f;
        const std::array<float, 4> one{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b) * 0.6f,
                                       std::sin(b) * 0.8f};
        values.insert(values.end(), one.begin(), one.end());
    }
    return values;
}

/// Decoded as normalised integers.
std::vector<float> filtered(const std::string& encoded, std::size_t count, std::size_t stride,
                            const std::string& filter, int component) {
    AssetBuilder builder = compressed(
        {encoded_vertices(encoded.data(), count, stride), count, stride, "ATTRIBUTES", filter}, component, "VEC4");
    builder.root["accessors"][0]["normalized"] = component != f32;
    const auto opened = open(builder);
    const auto floats = opened->asset->floats(0);
    EXPECT_TRUE(floats) << to_string(floats.error());
    return floats ? values_of<float>(*floats) : std::vector<float>();
}

TEST(Meshopt, OctahedralFilter) {
    constexpr std::size_t count = 50;
    std::vector<float> normals = unit_vectors(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float length = std::hypot(normals[4 * i], normals[4 * i + 1], normals[4 * i + 2]);
        for (std::size_t axis = 0; axis < 3; ++axis) normals[4 * i + axis] /= length;
        normals[4 * i + 3] = i % 2 == 0 ? 1.0f : -1.0f;
    }
    for (const std::size_t stride : {4u, 8u}) {
        std::string encoded(count * stride, '\0');
        meshopt_encodeFilterOct(encoded.data(), count, stride, stride == 4 ? 8 : 16, normals.data());
        EXPECT_THAT(filtered(encoded, count, stride, "OCTAHEDRAL", stride == 4 ? i8 : i16),
                    Pointwise(FloatNear(stride == 4 ? 0.03f : 2e-4f), normals));
    }
}

TEST(Meshopt, QuaternionFilter) {
    constexpr std::size_t count = 50;
    const std::vector<float> rotations = unit_vectors(count);
    std::string encoded(count * 8, '\0');
    meshopt_encodeFilterQuat(encoded.data(), count, 8, 16, rotations.data());
    const std::vector<float> read = filtered(encoded, count, 8, "QUATERNION", i16);
    ASSERT_EQ(read.size(), rotations.size());
    for (std::size_t i = 0; i < count; ++i) {
        double dot = 0;
        for (std::size_t k = 0; k < 4; ++k) dot += double{read[4 * i + k]} * double{rotations[4 * i + k]};
        EXPECT_NEAR(std::abs(dot), 1, 1e-4) << i;
    }
}

TEST(Meshopt, ExponentialFilter) {
    constexpr std::size_t count = 50;
    const std::vector<float> values = wave(4 * count);
    std::string encoded(count * 16, '\0');
    meshopt_encodeFilterExp(encoded.data(), count, 16, 20, values.data());
    EXPECT_THAT(filtered(encoded, count, 16, "EXPONENTIAL", f32), Pointwise(FloatNear(1e-5f), values));
}

TEST(Meshopt, WhatDoesNotGoTogetherIsRefused) {
    const std::vector<float> values = wave(4 * 20);
    const std::string bytes = encoded_vertices(values.data(), 20, 16);
    const std::vector<Stream> all{{bytes, 20, 16, "VERTICES"},
                                  {bytes, 20, 16, "TRIANGLES"},
                                  {bytes, 20, 4, "TRIANGLES"},
                                  {bytes, 21, 3, "TRIANGLES"},
                                  {bytes, 20, 16, "INDICES"},
                                  {bytes, 20, 0},
                                  {bytes, 20, 15},
                                  {bytes, 20, 260},
                                  {bytes, 0, 16},
                                  {bytes, 20, 16, "ATTRIBUTES", "OCTAHEDRAL"},
                                  {bytes, 20, 16, "ATTRIBUTES", "QUATERNION"},
                                  {bytes, 20, 16, "ATTRIBUTES", "COLOR"},
                                  {bytes, 20, 4, "INDICES", "OCTAHEDRAL"},
                                  {bytes.substr(0, 20), 20, 16},
                                  {bytes, 400, 16},
                                  {"", 20, 16}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto opened = open(compressed(all[i], f32, "VEC4"));
        EXPECT_EQ(code_of(opened->asset->accessor(0)), "gltf-meshopt") << i;
    }
    const auto opened = open(compressed({bytes, std::size_t{1} << 40, 256}, f32, "SCALAR"));
    EXPECT_EQ(code_of(opened->asset->accessor(0)), "gltf-accessor");
    const auto large = open(compressed({bytes, 4000000000u, 256}, f32, "SCALAR"));
    EXPECT_EQ(code_of(large->asset->accessor(0)), "limit-memory");
}

TEST(Meshopt, EveryChangedByteIsSafe) {
    const std::vector<float> values = wave(3 * 100);
    std::vector<unsigned> indices = strip_of_triangles();
    indices.resize(300);
    const std::vector<std::pair<Stream, int>> all{{{encoded_vertices(values.data(), 100, 12), 100, 12}, f32},
                                                  {{encoded_triangles(indices), indices.size(), 4, "TRIANGLES"}, u32},
                                                  {{encoded_sequence(indices), indices.size(), 2, "INDICES"}, u16}};
    for (const auto& [stream, component] : all) {
        for (std::size_t i = 0; i < stream.bytes.size(); ++i) {
            Stream changed = stream;
            changed.bytes[i] = static_cast<char>(~changed.bytes[i]);
            (void)open(compressed(changed, component, "SCALAR"))->asset->accessor(0);
            changed.bytes.resize(i);
            (void)open(compressed(changed, component, "SCALAR"))->asset->accessor(0);
        }
    }
}

// Draco

struct Grid {
    std::vector<float> positions, texcoords;
    std::vector<std::uint16_t> joints;  ///< four each
    std::vector<std::uint32_t> indices;
};

Grid make_grid(std::uint32_t side) {
    Grid grid;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const auto u = static_cast<float>(x), v = static_cast<float>(y);
            grid.positions.insert(grid.positions.end(), {u, v, std::sin(u) * std::cos(v)});
            grid.texcoords.insert(grid.texcoords.end(), {u / 8, v / 8});
            for (std::uint32_t k = 0; k < 4; ++k) grid.joints.push_back(static_cast<std::uint16_t>(300 * k + x));
            if (x + 1 == side || y + 1 == side) continue;
            const std::uint32_t a = y * side + x, b = a + side;
            grid.indices.insert(grid.indices.end(), {a, a + 1, b, b, a + 1, b + 1});
        }
    }
    return grid;
}

AssetBuilder with_draco(const std::string& bytes, std::size_t vertices, std::size_t indices) {
    AssetBuilder builder;
    builder.root["extensionsUsed"] = builder.root["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    const auto view = builder.view(bytes);
    const auto accessor = [&](int component, const char* type, std::size_t count) {
        return builder.accessor({{"componentType", component}, {"type", type}, {"count", count}});
    };
    const auto position = accessor(f32, "VEC3", vertices);
    const auto texcoord = accessor(f32, "VEC2", vertices);
    const auto joints = accessor(u16, "VEC4", vertices);
    json primitive = {{"attributes", {{"POSITION", position}, {"TEXCOORD_0", texcoord}, {"JOINTS_0", joints}}},
                      {"indices", accessor(u32, "SCALAR", indices)}};
    primitive["extensions"]["KHR_draco_mesh_compression"] = {
        {"bufferView", view}, {"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}, {"JOINTS_0", 2}}}};
    builder.root["meshes"] = {{{"primitives", {primitive}}}};
    return builder;
}

Result<std::optional<gltf::DecodedPrimitive>> decode(const AssetBuilder& builder,
                                                     const gltf::SceneOptions& options = {}) {
    const auto opened = open(builder, options);
    if (!opened->asset) return fail(opened->asset.error());
    return opened->asset->draco(opened->asset->array("meshes")[0]["primitives"][0]);
}

std::array<float, 3> corner(const std::vector<float>& positions, std::uint32_t index) {
    return {positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]};
}

/// Triangles by what their corners are, whatever order vertices and triangles came in.
std::vector<std::array<long, 9>> triangles(const std::vector<float>& positions,
                                           std::span<const std::uint32_t> indices) {
    std::vector<std::array<long, 9>> all;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        std::array<std::array<long, 3>, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto point = corner(positions, indices[i + k]);
            for (std::size_t axis = 0; axis < 3; ++axis) corners[k][axis] = std::lround(point[axis] * 1000);
        }
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        std::array<long, 9> triangle{};
        for (std::size_t k = 0; k < 9; ++k) triangle[k] = corners[k / 3][k % 3];
        all.push_back(triangle);
    }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(Draco, BothMethodsWithoutQuantisation) {
    const Grid grid = make_grid(9);
    for (const bool edgebreaker : {false, true}) {
        const std::string bytes =
            draco_encoded({grid.positions, grid.texcoords, grid.joints, grid.indices}, edgebreaker);
        const auto decoded = decode(with_draco(bytes, 81, grid.indices.size()));
        ASSERT_TRUE(decoded) << to_string(decoded.error());
        ASSERT_TRUE(*decoded);
        std::map<std::string, Accessor> attributes((*decoded)->attributes.begin(), (*decoded)->attributes.end());
        ASSERT_EQ(attributes.size(), 3u);
        const auto positions = values_of<float>(attributes["POSITION"]);
        ASSERT_EQ(positions.size(), grid.positions.size());
        EXPECT_EQ(triangles(positions, (*decoded)->indices), triangles(grid.positions, grid.indices));
        const auto texcoords = values_of<float>(attributes["TEXCOORD_0"]);
        const auto joints = values_of<std::uint16_t>(attributes["JOINTS_0"]);
        ASSERT_EQ(joints.size(), 4 * 81u);
        for (std::size_t i = 0; i < 81; ++i) {
            EXPECT_EQ(texcoords[2 * i], positions[3 * i] / 8);
            EXPECT_EQ(texcoords[2 * i + 1], positions[3 * i + 1] / 8);
            EXPECT_EQ(joints[4 * i + 3], 900 + std::lround(positions[3 * i]));
        }
    }
}

TEST(Draco, APrimitiveWithoutTheExtensionIsNone) {
    const auto opened = open(AssetBuilder{});
    const auto decoded = opened->asset->draco(json::object());
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(*decoded);
}

TEST(Draco, ContradictionsAreRefused) {
    const Grid grid = make_grid(4);
    const std::string bytes = draco_encoded({grid.positions, grid.texcoords, grid.joints, grid.indices}, true);
    const auto code = [&](const char* path, json value) {
        AssetBuilder builder = with_draco(bytes, 16, grid.indices.size());
        builder.root[json::json_pointer("/meshes/0/primitives/0" + std::string(path))] = std::move(value);
        return code_of(decode(builder));
    };
    const std::string extension = "/extensions/KHR_draco_mesh_compression";
    EXPECT_EQ(code((extension + "/bufferView").c_str(), 5), "gltf-reference");
    EXPECT_EQ(code((extension + "/bufferView").c_str(), "0"), "gltf-draco");
    EXPECT_EQ(code((extension + "/attributes").c_str(), 5), "gltf-draco");
    EXPECT_EQ(code((extension + "/attributes/POSITION").c_str(), 9), "gltf-draco");
    EXPECT_EQ(code((extension + "/attributes/NORMAL").c_str(), 0), "gltf-draco");
    EXPECT_EQ(code("/attributes/POSITION", 99), "gltf-reference");
    EXPECT_EQ(code("/attributes", json()), "gltf-draco");
}

TEST(Draco, TheMemoryLimitCounts) {
    const Grid grid = make_grid(60);
    const std::string bytes = draco_encoded({grid.positions, grid.texcoords, grid.joints, grid.indices}, true);
    gltf::SceneOptions small;
    small.limits.memory = 500'000;
    EXPECT_EQ(code_of(decode(with_draco(bytes, 3600, grid.indices.size()), small)), "limit-memory");
}

TEST(Draco, EveryChangedByteIsSafe) {
    const Grid grid = make_grid(5);
    for (const bool edgebreaker : {false, true}) {
        const std::string bytes =
            draco_encoded({grid.positions, grid.texcoords, grid.joints, grid.indices}, edgebreaker);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (const char mask : {'\xff', '\x01', '\x80'}) {
                std::string changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ mask);
                (void)decode(with_draco(changed, 25, grid.indices.size()));
            }
            EXPECT_FALSE(decode(with_draco(bytes.substr(0, i), 25, grid.indices.size())));
        }
    }
}

}  // namespace
}  // namespace effigy::gltf_test
