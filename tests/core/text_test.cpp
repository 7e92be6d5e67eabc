/// Text: UTF-8, code pages, case, numbers.

#include "core/text.hpp"

#include <gtest/gtest.h>

namespace {

using effigy::to_utf8;

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
    EXPECT_FALSE(effigy::is_known_encoding("no such code page"));
    EXPECT_TRUE(effigy::is_known_encoding("CP949"));
}

TEST(Text, CaseIsThatOfAsciiOnly) {
    EXPECT_EQ(effigy::lower("Ab-Z\xC4\xDF"), "ab-z\xC4\xDF");
    EXPECT_EQ(effigy::lower('['), '[');
}

TEST(Text, FieldsEndAtTheirFirstZero) {
    EXPECT_EQ(effigy::up_to_nul(std::array<char, 4>{'a', 0, 'b', 0}), "a");
    EXPECT_EQ(effigy::up_to_nul(std::array<char, 2>{'a', 'b'}), "ab");
}

TEST(Text, LongTextsAreCutBetweenCharacters) {
    EXPECT_EQ(effigy::shortened("four", 4), "four");
    EXPECT_EQ(effigy::shortened("fours", 4), "four...");
    EXPECT_EQ(effigy::shortened("a\xE2\x82\xAC", 3), "a...");
    EXPECT_EQ(effigy::cut(std::string(9, '\x80'), 8).size(), 5U) << "no UTF-8: no more than a character is lost";
    EXPECT_EQ(effigy::cut("\x80\x80", 1), "");
}

TEST(Text, NumbersAreShort) {
    EXPECT_EQ(effigy::number_text(0.1F), "0.1");
    EXPECT_EQ(effigy::number_text(-2), "-2");
}

TEST(Text, LongTextsAreConvertedInPieces) {
    const std::string raw(5000, '\xE4');
    EXPECT_EQ(to_utf8(raw, "CP1252").size(), 10000u);
}

TEST(Text, PlainTextHasOneMarkForEachCharacter) {
    EXPECT_EQ(effigy::plain_text("H\xC3\xBCll & <x>", "-"), "H_ll____x_");
    EXPECT_EQ(effigy::plain_text("\xEC\x9D\xB8\xEA\xB0\x84", ""), "__");
    EXPECT_EQ(effigy::plain_text("\xF0\x9F\x99\x82-a", "-"), "_-a");
    EXPECT_EQ(effigy::plain_text("\xBC", ""), "_") << "no character";
}

}  // namespace
