// Every chunk in every version: read, written and dumped without a bit lost, in either byte order.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fixtures.hpp"
#include "support.hpp"

namespace effigy::test {
namespace {

class Faithful : public testing::TestWithParam<Fixture> {};

INSTANTIATE_TEST_SUITE_P(Files, Faithful, testing::ValuesIn(all_fixtures()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Faithful, ReadsEveryField) {
    for (const bool big : {false, true}) {
        SCOPED_TRACE(big ? "big-endian" : "little-endian");
        const auto loaded = open_bytes(GetParam().bytes(big), "fixture");
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_EQ(findings(loaded->report), "");
        GetParam().expect(loaded->value);
    }
}

TEST_P(Faithful, WritesTheSameBytes) {
    for (const bool big : {false, true}) {
        const Bytes bytes = GetParam().bytes(big);
        const auto loaded = open_bytes(bytes, "fixture");
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        const auto written = loaded->value.write();
        ASSERT_TRUE(written) << to_string(written.error());
        EXPECT_EQ(*written, bytes);
    }
}

TEST_P(Faithful, DumpsAndBuildsTheSameBytes) {
    for (const bool big : {false, true}) {
        for (const bool expand : {false, true}) {
            const Bytes bytes = GetParam().bytes(big);
            const auto loaded = open_bytes(bytes, "fixture");
            ASSERT_TRUE(loaded) << to_string(loaded.error());
            const auto built = build(loaded->value.dump({expand}).value());
            ASSERT_TRUE(built) << to_string(built.error());
            const auto written = built->write();
            ASSERT_TRUE(written) << to_string(written.error());
            EXPECT_EQ(*written, bytes);
            GetParam().expect(*built);
        }
    }
}

using Json = nlohmann::json;

/// Names and values without what is meant to differ: the byte order, and so the text of blocks.
void strip_byte_order(Json& nodes) {
    for (Json& node : nodes) {
        if (node["name"] == "endian") node["value"] = "either";
        if (node["type"] == "record") strip_byte_order(node["value"]);
    }
}

TEST_P(Faithful, BothByteOrdersHoldTheSameValues) {
    Json dumps[2];
    for (const bool big : {false, true}) {
        const auto loaded = open_bytes(GetParam().bytes(big), "fixture");
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        dumps[big] = Json::parse(loaded->value.dump({true}).value());
        strip_byte_order(dumps[big]["value"]);
    }
    EXPECT_EQ(dumps[0], dumps[1]);
}

/// The offsets and sizes in a dump cover the file without gaps and overlaps.
std::uint64_t expect_contiguous(const Json& nodes, std::uint64_t offset) {
    for (const Json& node : nodes) {
        EXPECT_EQ(node["offset"], offset) << node["name"];
        if (node["type"] == "record") {
            EXPECT_EQ(expect_contiguous(node["value"], offset), offset + node["size"].get<std::uint64_t>())
                << node["name"];
        }
        offset += node["size"].get<std::uint64_t>();
    }
    return offset;
}

TEST_P(Faithful, DumpCoversEveryByte) {
    const Bytes bytes = GetParam().bytes(false);
    const auto loaded = open_bytes(bytes, "fixture");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(expect_contiguous(Json::parse(loaded->value.dump().value())["value"], 0), bytes.size());
    EXPECT_FALSE(loaded->value.hex_map().value().empty());
}

void empty_blocks(Json& nodes) {
    for (Json& node : nodes) {
        if (node["type"] == "record") empty_blocks(node["value"]);
        if (node["type"].get<std::string>().ends_with("[]")) node["value"] = nullptr;
    }
}

TEST_P(Faithful, DumpsCanLeaveBlocksOut) {
    const auto loaded = open_bytes(GetParam().bytes(false), "fixture");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Json whole = Json::parse(loaded->value.dump().value());
    empty_blocks(whole["value"]);
    DumpOptions options;
    options.blocks = false;
    EXPECT_EQ(Json::parse(loaded->value.dump(options).value()), whole);
}

TEST_P(Faithful, DumpsEndAtTheLimit) {
    const auto loaded = open_bytes(GetParam().bytes(false), "fixture");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Limits limits;
    limits.memory = 1000;
    EXPECT_EQ(loaded->value.dump({false, limits}).error().code, "limit-memory");
    EXPECT_EQ(loaded->value.dump({true, limits}).error().code, "limit-memory");
    EXPECT_EQ(loaded->value.hex_map({false, limits}).error().code, "limit-memory");
    limits.memory = std::uint64_t{64} << 20;
    EXPECT_EQ(loaded->value.dump({false, limits}).value(), loaded->value.dump().value());
}

TEST_P(Faithful, NormalizedFilesReadBackWithoutFindings) {
    for (const bool big : {false, true}) {
        const auto loaded = open_bytes(GetParam().bytes(big), "fixture");
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        const auto normalized = loaded->value.write({.normalize = true});
        ASSERT_TRUE(normalized) << to_string(normalized.error());
        const auto again = open_bytes(*normalized, "fixture");
        ASSERT_TRUE(again) << to_string(again.error());
        EXPECT_EQ(findings(again->report), "");
        EXPECT_EQ(again->value.check().count("declared-size"), 0u);
        GetParam().expect(again->value);
        const auto rebuilt = build(loaded->value.dump().value(), true);
        ASSERT_TRUE(rebuilt) << to_string(rebuilt.error());
        const auto rewritten = rebuilt->write();
        ASSERT_TRUE(rewritten) << to_string(rewritten.error());
        EXPECT_EQ(*rewritten, *normalized);
    }
}

}  // namespace
}  // namespace effigy::test
