#include "emfx/text.hpp"

#include <array>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using effigy::emfx::to_utf8;

TEST(Text, Utf8StaysAndTheRestIsDecoded) {
    EXPECT_EQ(to_utf8("S\xC3\xA4"
                      "bel",
                      "CP1252"),
              "S\xC3\xA4"
              "bel");
    EXPECT_EQ(to_utf8("S\xE4"
                      "bel",
                      "CP1252"),
              "S\xC3\xA4"
              "bel");
    EXPECT_EQ(to_utf8("\xC0\xCE\xB0\xA3", "CP949"), "\xEC\x9D\xB8\xEA\xB0\x84");
    EXPECT_EQ(to_utf8("", "CP1252"), "");
}

TEST(Text, BytesWithoutMeaningBecomeReplacementCharacters) {
    EXPECT_EQ(to_utf8("a\x81z", "CP1252"), "a\xEF\xBF\xBDz");
    EXPECT_EQ(to_utf8("a\x81", "CP1252"), "a\xEF\xBF\xBD");
    EXPECT_EQ(to_utf8("a\xE4", "no such code page"), "a\xEF\xBF\xBD");
    EXPECT_EQ(to_utf8("\xC0", "CP949"), "\xEF\xBF\xBD") << "half of a character";
    EXPECT_FALSE(effigy::emfx::is_known_encoding("no such code page"));
    EXPECT_TRUE(effigy::emfx::is_known_encoding("CP949"));
}

TEST(Text, LongTextsAreConvertedInPieces) {
    const std::string raw(5000, '\xE4');
    EXPECT_EQ(to_utf8(raw, "CP1252").size(), 10000u);
}

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
