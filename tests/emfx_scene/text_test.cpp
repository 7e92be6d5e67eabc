/// Names in old code pages, and ticks of definitions.

#include <gtest/gtest.h>

#include "builders.hpp"
#include "core/json.hpp"
#include "scene/bridge.hpp"

namespace {

TEST(Text, NodeNamesAreDecodedAndTheirBytesKept) {
    const auto scene =
        builders::convert(builders::ActorFile().nodes({builders::node("S\xE4"
                                                                      "bel")}));
    EXPECT_EQ(scene.value.nodes.at(0).name,
              "S\xC3\xA4"
              "bel");
    EXPECT_NE(scene.value.nodes.at(0).extras.json.find(R"("name_bytes":"U+RiZWw=")"), std::string::npos)
        << scene.value.nodes.at(0).extras.json;
    effigy::emfx::SceneOptions options;
    options.encoding = "none such";
    EXPECT_EQ(
        builders::convert(builders::ActorFile().nodes({builders::node("x")}), options).report.count("encoding-unknown"),
        1u);
}

/// No record leads to the code page of the machine's locale.
TEST(Text, CodePagesOfARecordAreThoseThatAUserMayChoose) {
    const auto first_of = [](const effigy::Json& asset) {
        return effigy::encodings_of(asset, "CP949", "CP1252").front();
    };
    EXPECT_EQ(first_of(effigy::Json::object()), "CP949");
    EXPECT_EQ(first_of({{"encoding", 7}}), "CP949");
    const std::string long_name = "CP1251" + std::string(100, '/');
    for (const std::string& stated : {std::string(), std::string("//"), std::string("no such page"), long_name})
        EXPECT_EQ(first_of({{"encoding", stated}}), "CP949") << stated;
    for (const char* const stated : {"CP1251", "ISO_8859-5:1988", "ANSI_X3.4-1968"})
        EXPECT_EQ(first_of({{"encoding", stated}}), stated);
    EXPECT_TRUE(effigy::means("\xB0\xA1", "\xEA\xB0\x80", effigy::encodings_of({}, "CP949", "CP1252")));
    EXPECT_FALSE(effigy::means("\xB0\xA1", "\xEA\xB0\x80", effigy::encodings_of({}, "CP1251", "CP1252")));
}

TEST(Ticks, AreReadExactly) {
    const std::vector<std::uint8_t> bytes{0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 7, 1, 0, 0, 0, 0, 9, 0};
    const auto ticks = effigy::emfx::read_ticks(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(ticks);
    ASSERT_EQ(ticks->size(), 2u);
    EXPECT_EQ(ticks->at(0).time, 1.0f);
    EXPECT_EQ(ticks->at(0).value, 263);
    EXPECT_EQ(ticks->at(1).value, 9);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(effigy::emfx::read_ticks(std::as_bytes(std::span(bytes)).first(size))) << size;
    }
    std::vector<std::uint8_t> many(bytes.begin(), bytes.begin() + 8);
    many[7] = 0xff;
    EXPECT_FALSE(effigy::emfx::read_ticks(std::as_bytes(std::span(many))));
}

}  // namespace
