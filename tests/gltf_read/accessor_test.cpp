/// Accessors of every type: strides, sparse ones, hostile ones.

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "asset_builder.hpp"

namespace effigy::gltf_test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

enum Component { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

/// The accessor that is the only one of a file.
template <class T>
void expect_elements(const AssetBuilder& builder, const std::vector<T>& expected) {
    const auto opened = open(builder);
    ASSERT_TRUE(opened->asset) << to_string(opened->asset.error());
    const auto accessor = opened->asset->accessor(0);
    ASSERT_TRUE(accessor) << to_string(accessor.error());
    EXPECT_THAT(values_of<T>(*accessor), ElementsAreArray(expected));
}

template <class T>
void expect_component(int component, std::vector<T> values) {
    AssetBuilder builder;
    builder.accessor(packed(values), component, "SCALAR", values.size());
    expect_elements(builder, values);
    const auto opened = open(builder);
    const auto floats = opened->asset->floats(0);
    ASSERT_TRUE(floats);
    EXPECT_EQ(floats->component, ComponentType::f32);
    EXPECT_FALSE(floats->normalized);
    std::vector<float> expected;
    for (const T value : values) expected.push_back(static_cast<float>(value));
    EXPECT_THAT(values_of<float>(*floats), ElementsAreArray(expected));
}

TEST(Accessors, EveryComponentType) {
    expect_component<std::int8_t>(i8, {-128, -1, 0, 1, 127});
    expect_component<std::uint8_t>(u8, {0, 1, 128, 255});
    expect_component<std::int16_t>(i16, {-32768, -2, 0, 32767});
    expect_component<std::uint16_t>(u16, {0, 7, 65535});
    expect_component<std::uint32_t>(u32, {0, 1u << 24, 0xffffffffu});
    expect_component<float>(f32, {0.0f, -1.5f, 3e38f, 1e-40f});
}

TEST(Accessors, EveryElementType) {
    const std::vector<std::pair<std::string, std::size_t>> types{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (const auto& [type, components] : types) {
        std::vector<float> values(components * 3);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 0.5f;
        AssetBuilder builder;
        builder.accessor(packed(values), f32, type, 3);
        expect_elements(builder, values);
        const auto opened = open(builder);
        EXPECT_EQ(component_count(opened->asset->accessor(0)->element), components);
        EXPECT_EQ(opened->asset->accessor(0)->count(), 3u);
    }
}

TEST(Accessors, NumbersThatAreNotFiniteAreKept) {
    const float infinity = std::numeric_limits<float>::infinity();
    AssetBuilder builder;
    builder.accessor(packed(std::vector<float>{infinity, -infinity, std::nanf("")}), f32, "VEC3", 1);
    const auto opened = open(builder);
    const auto values = values_of<float>(*opened->asset->floats(0));
    EXPECT_EQ(values[0], infinity);
    EXPECT_EQ(values[1], -infinity);
    EXPECT_TRUE(std::isnan(values[2]));
}

template <class T>
std::vector<float> normalized(int component, const std::vector<T>& values) {
    AssetBuilder builder;
    builder.accessor(packed(values), component, "SCALAR", values.size());
    builder.root["accessors"][0]["normalized"] = true;
    const auto opened = open(builder);
    EXPECT_TRUE(opened->asset->accessor(0)->normalized);
    return values_of<float>(*opened->asset->floats(0));
}

TEST(Accessors, NormalisedIntegersAreFractions) {
    EXPECT_THAT(normalized<std::int8_t>(i8, {-128, -127, 0, 127}), ElementsAre(-1.0f, -1.0f, 0.0f, 1.0f));
    EXPECT_THAT(normalized<std::uint8_t>(u8, {0, 51, 255}), ElementsAre(0.0f, 51 / 255.0f, 1.0f));
    EXPECT_THAT(normalized<std::int16_t>(i16, {-32768, -32767, 1, 32767}),
                ElementsAre(-1.0f, -1.0f, 1 / 32767.0f, 1.0f));
    EXPECT_THAT(normalized<std::uint16_t>(u16, {0, 13107, 65535}), ElementsAre(0.0f, 13107 / 65535.0f, 1.0f));
}

TEST(Accessors, StrideAndOffset) {
    std::string rows;
    for (int i = 0; i < 3; ++i) {
        const auto number = static_cast<std::int16_t>(i);
        rows += packed_row(1.5f * static_cast<float>(i), number, static_cast<std::int16_t>(-number),
                           static_cast<std::int16_t>(100 + i), std::int16_t{99});
    }
    rows.resize(rows.size() - 2);  // nothing stands behind the last element
    AssetBuilder builder;
    builder.accessor(rows, i16, "VEC3", 3, 12, 4);
    expect_elements<std::int16_t>(builder, {0, 0, 100, 1, -1, 101, 2, -2, 102});

    AssetBuilder floats;
    floats.accessor(rows, f32, "SCALAR", 3, 12);
    expect_elements<float>(floats, {0.0f, 1.5f, 3.0f});
}

TEST(Accessors, WithoutAViewTheyAreZeros) {
    AssetBuilder builder;
    builder.accessor({{"componentType", f32}, {"type", "VEC2"}, {"count", 3}});
    expect_elements<float>(builder, std::vector<float>(6, 0.0f));
    const auto opened = open(builder);
    const auto sparse = opened->asset->sparse(0);
    ASSERT_TRUE(sparse && *sparse);
    EXPECT_EQ((*sparse)->count, 3u);
    EXPECT_TRUE((*sparse)->positions.empty());
}

template <class T>
json sparse_of(AssetBuilder& builder, int component, const std::vector<T>& positions,
               const std::vector<float>& values) {
    // The padding in front shows that offsets are heard.
    const auto indices = builder.view(std::string(4, '\7') + packed(positions));
    const auto elements = builder.view(std::string(8, '\7') + packed(values));
    return {{"count", positions.size()},
            {"indices", {{"bufferView", indices}, {"byteOffset", 4}, {"componentType", component}}},
            {"values", {{"bufferView", elements}, {"byteOffset", 8}}}};
}

template <class T>
void expect_sparse(int component) {
    AssetBuilder builder;
    json accessor = {{"componentType", f32}, {"type", "VEC2"}, {"count", 5}};
    accessor["sparse"] = sparse_of<T>(builder, component, {1, 4}, {1, 2, 3, 4});
    builder.accessor(accessor);
    expect_elements<float>(builder, {0, 0, 1, 2, 0, 0, 0, 0, 3, 4});
    const auto opened = open(builder);
    const auto sparse = opened->asset->sparse(0);
    ASSERT_TRUE(sparse && *sparse);
    EXPECT_EQ((*sparse)->count, 5u);
    EXPECT_THAT((*sparse)->positions, ElementsAre(1u, 4u));
    EXPECT_THAT(values_of<float>((*sparse)->values), ElementsAre(1, 2, 3, 4));
}

TEST(Accessors, SparseOverZeros) {
    expect_sparse<std::uint8_t>(u8);
    expect_sparse<std::uint16_t>(u16);
    expect_sparse<std::uint32_t>(u32);
}

TEST(Accessors, SparseOverAView) {
    AssetBuilder builder;
    const auto base = builder.view(packed(std::vector<float>{10, 11, 12, 13}));
    json accessor = {{"bufferView", base}, {"componentType", f32}, {"type", "SCALAR"}, {"count", 4}};
    accessor["sparse"] = sparse_of<std::uint16_t>(builder, u16, {0, 2}, {-1, -2});
    builder.accessor(accessor);
    expect_elements<float>(builder, {-1, 11, -2, 13});
    const auto opened = open(builder);
    EXPECT_FALSE(opened->asset->sparse(0)->has_value());
}

TEST(Accessors, SparsePositionsMustIncrease) {
    for (const std::vector<std::uint8_t>& positions : {std::vector<std::uint8_t>{2, 2}, {3, 1}, {1, 5}}) {
        AssetBuilder builder;
        json accessor = {{"componentType", f32}, {"type", "SCALAR"}, {"count", 5}};
        accessor["sparse"] = sparse_of(builder, u8, positions, {1, 2});
        builder.accessor(accessor);
        const auto opened = open(builder);
        EXPECT_EQ(code_of(opened->asset->accessor(0)), "gltf-sparse");
        EXPECT_EQ(code_of(opened->asset->sparse(0)), "gltf-sparse");
    }
}

TEST(Accessors, IndicesAreWidened) {
    AssetBuilder builder;
    builder.accessor(packed(std::vector<std::uint8_t>{0, 255}), u8, "SCALAR", 2);
    builder.accessor(packed(std::vector<std::uint16_t>{1, 65535}), u16, "SCALAR", 2);
    builder.accessor(packed(std::vector<std::uint32_t>{2, 0xfffffffeu}), u32, "SCALAR", 2);
    builder.accessor(packed(std::vector<float>{1, 2}), f32, "SCALAR", 2);
    builder.accessor(packed(std::vector<std::uint16_t>{1, 2}), u16, "VEC2", 1);
    const auto opened = open(builder);
    gltf::Asset& asset = *opened->asset;
    EXPECT_THAT(*asset.indices(0), ElementsAre(0u, 255u));
    EXPECT_THAT(*asset.indices(1), ElementsAre(1u, 65535u));
    EXPECT_THAT(*asset.indices(2), ElementsAre(2u, 0xfffffffeu));
    EXPECT_EQ(code_of(asset.indices(3)), "gltf-accessor");
    EXPECT_EQ(code_of(asset.indices(4)), "gltf-accessor");
    EXPECT_EQ(code_of(asset.indices(5)), "gltf-reference");
}

TEST(Accessors, GiveWhatTheyHoldAndNoMore) {
    AssetBuilder builder;
    const std::vector<std::uint16_t> indices{0, 2, 1};
    builder.accessor(packed(indices), u16, "SCALAR", 3);
    builder.accessor(packed_row(1.0f, 2.0f, 9.0f, 3.0f, 4.0f), f32, "VEC2", 2, 12);
    json sparse = {{"componentType", f32}, {"type", "SCALAR"}, {"count", 9}};
    sparse["sparse"] = sparse_of<std::uint8_t>(builder, u8, {3, 7}, {5, 6});
    builder.accessor(sparse);
    builder.accessor({{"componentType", f32}, {"type", "SCALAR"}, {"count", 9}});
    const auto opened = open(builder);
    gltf::Asset& asset = *opened->asset;
    const auto bytes_in = [&](std::size_t number) {
        const auto data = asset.accessor(number);
        EXPECT_TRUE(data);
        return data ? std::string(reinterpret_cast<const char*>(data->bytes.data()), data->bytes.size()) : "";
    };
    EXPECT_EQ(bytes_in(0), packed(indices));
    EXPECT_THAT(*asset.indices(0), ElementsAre(0u, 2u, 1u));
    EXPECT_EQ(bytes_in(1), packed_row(1.0f, 2.0f, 3.0f, 4.0f));
    const auto moved = asset.sparse(2);
    ASSERT_TRUE(moved && *moved);
    EXPECT_THAT((*moved)->positions, ElementsAre(3u, 7u));
    EXPECT_THAT((*moved)->values.as<float>(), ElementsAre(5.0f, 6.0f));
    const auto zeros = asset.sparse(3);
    ASSERT_TRUE(zeros && *zeros);
    EXPECT_TRUE((*zeros)->positions.empty());
}

struct Wrong {
    const char* name;
    std::string code;
    json change;  // merged into the accessor
};

TEST(Accessors, ContradictionsAreRefused) {
    const std::vector<Wrong> all{
        {"component", "gltf-accessor", {{"componentType", 5124}}},
        {"type", "gltf-accessor", {{"type", "MAT3"}}},
        {"no_count", "gltf-accessor", {{"count", nullptr}}},
        {"negative", "gltf-accessor", {{"count", -1}}},
        {"fraction", "gltf-accessor", {{"count", 1.5}}},
        {"too_many", "gltf-accessor", {{"count", 5}}},
        {"huge", "gltf-accessor", {{"count", 4294967295u}}},
        {"overflow", "gltf-accessor", {{"count", 18446744073709551615u}}},
        {"offset", "gltf-accessor", {{"byteOffset", 4}}},
        {"huge_offset", "gltf-accessor", {{"byteOffset", 18446744073709551615u}}},
        {"no_view", "gltf-reference", {{"bufferView", 7}}},
        {"text", "gltf-accessor", {{"bufferView", "0"}}},
    };
    for (const Wrong& wrong : all) {
        AssetBuilder builder;
        builder.accessor(packed(std::vector<float>(12, 1.0f)), f32, "VEC3", 4);
        builder.root["accessors"][0].merge_patch(wrong.change);
        const auto opened = open(builder);
        ASSERT_TRUE(opened->asset) << wrong.name;
        EXPECT_EQ(code_of(opened->asset->accessor(0)), wrong.code) << wrong.name;
        EXPECT_EQ(code_of(opened->asset->floats(0)), wrong.code) << wrong.name;
    }
}

TEST(Accessors, AStrideBelowTheElementIsRefused) {
    AssetBuilder builder;
    builder.accessor(packed(std::vector<float>(12, 1.0f)), f32, "VEC3", 4, 8);
    EXPECT_EQ(code_of(open(builder)->asset->accessor(0)), "gltf-accessor");
}

TEST(Accessors, OddPlacesAreReportedAndRead) {
    AssetBuilder builder;
    builder.accessor(std::string("x") + packed(std::vector<float>{1.0f, 2.0f}), f32, "SCALAR", 2, 0, 1);
    const auto opened = open(builder);
    EXPECT_EQ(opened->report.count("gltf-alignment"), 1u);
    EXPECT_THAT(values_of<float>(*opened->asset->accessor(0)), ElementsAre(1.0f, 2.0f));
}

TEST(Accessors, ZerosAreWithinTheMemoryLimit) {
    AssetBuilder builder;
    builder.accessor({{"componentType", f32}, {"type", "MAT4"}, {"count", 4000000000u}});
    const auto opened = open(builder);
    EXPECT_EQ(code_of(opened->asset->accessor(0)), "limit-memory");
    EXPECT_EQ(code_of(opened->asset->floats(0)), "limit-memory");
    EXPECT_TRUE(opened->asset->sparse(0));
}

TEST(Accessors, ManyCopiesAreWithinTheMemoryLimit) {
    AssetBuilder builder;
    builder.accessor(packed(std::vector<float>(250000, 1.0f)), f32, "SCALAR", 250000);
    const auto opened = open(builder);
    std::size_t copies = 0;
    while (copies < 1000 && opened->asset->accessor(0)) ++copies;
    EXPECT_GT(copies, 10u);
    EXPECT_LT(copies, 200u);
}

}  // namespace
}  // namespace effigy::gltf_test
