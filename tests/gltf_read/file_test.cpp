/// .glb and .gltf as files: every byte kept, damage reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asset_builder.hpp"
#include "reports.hpp"

namespace effigy::gltf_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Loaded<gltf::File> read(std::string_view bytes) {
    auto loaded = gltf::read(std::as_bytes(std::span(bytes)));
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return loaded ? std::move(*loaded) : Loaded<gltf::File>{};
}

std::string written(const gltf::File& file, const WriteOptions& options = {}) {
    const auto bytes = gltf::write(file, options);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
}

constexpr std::string_view bin("BIN\0", 4);
const std::string json_text = R"({"asset":{"version":"2.0"}}  )";

std::string plain() { return glb_of(chunk("JSON", "{}  ") + chunk(bin, "12345678")); }

TEST(GltfFile, ChunksAreRead) {
    const auto loaded = read(plain());
    EXPECT_THAT(test::codes_of(loaded.report), IsEmpty());
    EXPECT_TRUE(loaded.value.is_binary);
    EXPECT_EQ(loaded.value.declared_length, plain().size());
    ASSERT_EQ(loaded.value.chunks.size(), 2u);
    EXPECT_EQ(loaded.value.chunks[0].type, gltf::json_chunk);
    EXPECT_EQ(loaded.value.chunks[1].type, gltf::binary_chunk);
    EXPECT_EQ(loaded.value.chunks[1].bytes.size(), 8u);
    EXPECT_EQ(written(loaded.value), plain());
}

struct Damaged {
    std::string bytes;
    std::vector<std::string> codes;
    std::uint64_t offset;  ///< of the first finding
};

std::string with_word(std::string bytes, std::size_t offset, std::uint32_t value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return bytes;
}

TEST(GltfFile, WhatIsWrongIsReportedAndKept) {
    const std::string whole = plain();
    const std::vector<Damaged> all{
        {with_word(whole, 4, 1), {"gltf-version"}, 4},
        {with_word(whole, 8, 12), {"gltf-length"}, 8},
        {with_word(whole, 8, 0), {"gltf-length"}, 8},
        {with_word(whole, 8, 4000), {"gltf-length"}, 8},
        {whole + "xy", {"gltf-length", "gltf-trailing"}, 8},
        {whole + chunk("MORE", "1234"), {"gltf-length", "gltf-trailing"}, 8},
        {whole.substr(0, whole.size() - 1), {"gltf-length", "gltf-chunk-truncated"}, 8},
        {with_word(whole, 12, 0xffffffffu), {"gltf-chunk-order", "gltf-chunk-truncated"}, no_offset},
        {glb_of(chunk(bin, "1234")), {"gltf-chunk-order"}, 16},
        {glb_of(chunk("JSON", "{}  ") + chunk("JSON", "{}  ")), {"gltf-chunk-order"}, 28},
        {glb_of(chunk("JSON", "{}  ") + chunk("EXTR", "1234")), {"gltf-chunk-unknown"}, 28},
        {glb_of(chunk("JSON", "{}")), {"gltf-padding"}, 12},
        {glb_of(chunk("JSON", std::string_view("{}\0\0", 4))), {"gltf-padding"}, 23},
        {glb_of(""), {"gltf-chunk-order"}, no_offset},
        {"glTF", {"gltf-header"}, 0},
        {"glTF\2", {"gltf-header"}, 0},
        {"\xef\xbb\xbf{}", {"gltf-mark"}, 0},
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto loaded = read(all[i].bytes);
        EXPECT_EQ(test::codes_of(loaded.report), all[i].codes) << i;
        const auto& findings = loaded.report.diagnostics();
        EXPECT_EQ(findings.empty() ? no_offset : findings.front().offset, all[i].offset) << i;
        EXPECT_EQ(written(loaded.value), all[i].bytes) << i;
    }
}

TEST(GltfFile, EveryBeginningIsKept) {
    const std::string whole = glb_of(chunk("JSON", "{}  ") + chunk(bin, "12345678") + chunk("EXTR", "")) + "tail";
    for (std::size_t size = 4; size <= whole.size(); ++size)
        EXPECT_EQ(written(read(whole.substr(0, size)).value), whole.substr(0, size)) << size;
}

TEST(GltfFile, EveryChangedByteIsKept) {
    const std::string whole = glb_of(chunk("JSON", "{}  ") + chunk(bin, "12345678"));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (int value = 0; value < 256; ++value) {
            std::string changed = whole;
            changed[i] = static_cast<char>(value);
            ASSERT_EQ(written(read(changed).value), changed) << i << " " << value;
        }
    }
}

TEST(GltfFile, NormalizedLengthsAreTrue) {
    const std::string whole = with_word(plain(), 8, 7);
    EXPECT_EQ(written(read(whole).value, {.normalize = true}), plain());
}

TEST(GltfFile, TextIsKept) {
    const auto loaded = read(json_text);
    EXPECT_FALSE(loaded.value.is_binary);
    EXPECT_TRUE(loaded.report.empty());
    EXPECT_EQ(written(loaded.value), json_text);
}

TEST(GltfFile, ManyEmptyChunksMeetTheLimit) {
    const std::string many = glb_of(std::string(8 * 100000, '\0'));
    ReadOptions options;
    options.limits.count = 1000;
    const auto loaded = gltf::read(std::as_bytes(std::span(std::string_view(many))), options);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "limit-count");
}

// What the JSON says as a whole

std::string open_code(const std::string& text) {
    const auto opened = open(text);
    return opened->asset ? "" : opened->asset.error().code;
}

TEST(GltfAsset, Json) {
    EXPECT_EQ(open_code(R"({"asset":{"version":"2.0"}})"), "");
    EXPECT_EQ(open_code(R"({"asset":{"version":"2.1","minVersion":"2.0"}})"), "");
    EXPECT_EQ(open_code(R"({"asset":{"version":"2.1","minVersion":"2.1"}})"), "gltf-version");
    EXPECT_EQ(open_code(R"({"asset":{"version":"1.0"}})"), "gltf-version");
    EXPECT_EQ(open_code(R"({"asset":{}})"), "gltf-version");
    EXPECT_EQ(open_code("{}"), "gltf-version");
    EXPECT_EQ(open_code("[]"), "gltf-json");
    EXPECT_EQ(open_code(""), "gltf-json");
    EXPECT_EQ(open_code("{"), "gltf-json");
    EXPECT_EQ(open_code("{\"a\":1e999}"), "gltf-json");
    EXPECT_EQ(open_code("{\"a\":\"\xff\"}"), "gltf-json");
    EXPECT_EQ(open_code("glTF\2"), "gltf-json");
    EXPECT_EQ(open_code(glb_of("")), "gltf-json");
    EXPECT_EQ(open_code(glb_of(chunk(bin, "1234"))), "gltf-json");
    EXPECT_EQ(open_code(with_word(AssetBuilder{}.glb(), 4, 1)), "gltf-version");
    EXPECT_EQ(open_code(glb_of(chunk("JSON", std::string_view("{\"asset\":{\"version\":\"2.0\"}}\0\0\0", 30)))), "");
}

std::string nested(std::size_t depth) {
    return R"({"asset":{"version":"2.0"},"extras":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

TEST(GltfAsset, NestingIsBounded) {
    EXPECT_EQ(open_code(nested(200)), "");
    EXPECT_EQ(open_code(nested(300)), "gltf-json");
    EXPECT_EQ(open_code(nested(1'000'000)), "gltf-json");
}

TEST(GltfAsset, ALargeTreeMeetsTheLimit) {
    std::string text = R"({"asset":{"version":"2.0"},"extras":[)";
    for (int i = 0; i < 1'500'000; ++i) text += "{},";
    text += "0]}";
    EXPECT_EQ(open_code(text), "limit-memory");
}

TEST(GltfAsset, RepeatedNamesAreSafe) {
    EXPECT_EQ(open_code(R"({"asset":{"version":"1.0"},"asset":{"version":"2.0"}})"), "");
}

TEST(GltfAsset, RequiredExtensionsMustBeKnown) {
    const auto code = [](const json& required) {
        AssetBuilder builder;
        builder.root["extensionsRequired"] = required;
        const auto opened = open(builder);
        return opened->asset ? "" : opened->asset.error().code + " " + opened->asset.error().found;
    };
    EXPECT_EQ(code({"KHR_mesh_quantization", "KHR_texture_transform", "MSFT_lod"}), "");
    EXPECT_EQ(code({"KHR_mesh_quantization", "KHR_texture_basisu"}), "gltf-extension-required KHR_texture_basisu");
    EXPECT_EQ(code({"FB_geometry_metadata"}), "gltf-extension-required FB_geometry_metadata");
    EXPECT_EQ(code({1, nullptr}), "");
    EXPECT_EQ(code("KHR_texture_basisu"), "");
}

TEST(GltfAsset, UsedExtensionsAreNamed) {
    AssetBuilder builder;
    builder.root["extensionsUsed"] = {"VRMC_vrm", "KHR_materials_unlit", "VENDOR_thing", "VRMC_vrm"};
    builder.root["extensions"] = {{"VENDOR_unlisted", {{"a", 1}}}, {"VRMC_vrm", {{"specVersion", "1.0"}}}};
    const auto opened = open(builder);
    ASSERT_TRUE(opened->asset);
    EXPECT_THAT(test::codes_of(opened->report), ElementsAre("gltf-extension-unknown"));
    EXPECT_EQ(opened->report.diagnostics()[0].severity, Severity::warning);
    EXPECT_EQ(opened->report.diagnostics()[0].found, "VENDOR_thing, VENDOR_unlisted, VRMC_vrm");
}

TEST(GltfAsset, ListsThatAreNoneAreEmpty) {
    AssetBuilder builder;
    builder.root["nodes"] = 5;
    const auto opened = open(builder);
    EXPECT_TRUE(opened->asset->array("nodes").is_array());
    EXPECT_EQ(opened->asset->array("nodes").size(), 0u);
    EXPECT_EQ(opened->asset->array("meshes").size(), 0u);
}

}  // namespace
}  // namespace effigy::gltf_test
