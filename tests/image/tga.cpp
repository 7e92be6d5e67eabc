/// TGA pictures: directions, runs, colour maps, alpha.

#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

Picture picture_of(const Data& file) {
    Result<Picture> picture = decode(file);
    if (!picture) {
        ADD_FAILURE() << picture.error().code << ": " << picture.error().message;
        return {};
    }
    return std::move(*picture);
}

constexpr std::uint8_t top_down = 0x20;

TEST(Tga, RowsRunFromTheBottomUnlessTheHeaderSaysOtherwise) {
    const Data pixels{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const Picture bottom_up = picture_of(tga(2, 2, {}, pixels));
    EXPECT_EQ(pixel(bottom_up, 0, 1), (Color{3, 2, 1, 255}));
    EXPECT_EQ(pixel(bottom_up, 1, 0), (Color{12, 11, 10, 255}));
    EXPECT_FALSE(bottom_up.has_alpha);

    const Picture from_top = picture_of(tga(2, 2, {.descriptor = top_down}, pixels));
    EXPECT_EQ(pixel(from_top, 0, 0), (Color{3, 2, 1, 255}));
    EXPECT_EQ(pixel(from_top, 1, 1), (Color{12, 11, 10, 255}));
}

TEST(Tga, ColumnsMayRunFromTheRight) {
    const Data pixels{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const Picture picture = picture_of(tga(3, 1, {.descriptor = top_down | 0x10}, pixels));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{9, 8, 7, 255}));
    EXPECT_EQ(pixel(picture, 1, 0), (Color{6, 5, 4, 255}));
    EXPECT_EQ(pixel(picture, 2, 0), (Color{3, 2, 1, 255}));
}

TEST(Tga, FourthByteIsAlpha) {
    const Picture picture = picture_of(tga(1, 1, {.bits = 32, .descriptor = 8}, {1, 2, 3, 0}));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{3, 2, 1, 0}));
    EXPECT_TRUE(picture.has_alpha);
}

TEST(Tga, FourthByteOfZeroThatIsNotDeclaredMeansNothing) {
    EXPECT_EQ(pixel(picture_of(tga(1, 1, {.bits = 32}, {1, 2, 3, 0})), 0, 0), (Color{3, 2, 1, 255}));
    EXPECT_EQ(pixel(picture_of(tga(2, 1, {.bits = 32}, {1, 2, 3, 0, 1, 2, 3, 4})), 0, 0), (Color{3, 2, 1, 0}));
}

TEST(Tga, RunsAndRawPacketsMayCrossRows) {
    // Three of one colour, then two others, in a picture two pixels wide; the last packet is longer than needed.
    const Data packets{0x82, 1, 2, 3, 0x01, 4, 5, 6, 7, 8, 9, 0x87, 10, 11, 12};
    const Picture picture = picture_of(tga(2, 3, {.type = 10, .descriptor = top_down}, packets));
    EXPECT_EQ(pixel(picture, 0, 1), (Color{3, 2, 1, 255}));
    EXPECT_EQ(pixel(picture, 1, 1), (Color{6, 5, 4, 255}));
    EXPECT_EQ(pixel(picture, 0, 2), (Color{9, 8, 7, 255}));
    EXPECT_EQ(pixel(picture, 1, 2), (Color{12, 11, 10, 255}));

    const Picture with_alpha =
        picture_of(tga(2, 1, {.type = 10, .bits = 32, .descriptor = top_down | 8}, {0x81, 1, 2, 3, 4}));
    EXPECT_EQ(pixel(with_alpha, 1, 0), (Color{3, 2, 1, 4}));
}

TEST(Tga, GreyAndColorMapsAndSixteenBits) {
    EXPECT_EQ(pixel(picture_of(tga(1, 1, {.type = 3, .bits = 8}, {77})), 0, 0), (Color{77, 77, 77, 255}));
    EXPECT_EQ(pixel(picture_of(tga(1, 1, {.bits = 16}, {0x00, 0x7C})), 0, 0), (Color{255, 0, 0, 255}));
    const TgaFormat indexed{.type = 1, .bits = 8, .map_length = 2, .map_bits = 24};
    EXPECT_EQ(pixel(picture_of(tga(1, 1, indexed, {1, 2, 3, 4, 5, 6, 1})), 0, 0), (Color{6, 5, 4, 255}));
}

TEST(Tga, SixteenBitsHaveAlphaIfTheHeaderSaysSo) {
    const Data red_and_hidden_red{0x00, 0xFC, 0x00, 0x7C};
    const Picture opaque = picture_of(tga(2, 1, {.bits = 16}, red_and_hidden_red));
    EXPECT_EQ(pixel(opaque, 0, 0), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(opaque, 1, 0), (Color{255, 0, 0, 255}));

    const Picture with_alpha = picture_of(tga(2, 1, {.bits = 16, .descriptor = 1}, red_and_hidden_red));
    EXPECT_EQ(pixel(with_alpha, 0, 0), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(with_alpha, 1, 0), (Color{255, 0, 0, 0}));

    // In a run: white, red, green, blue are seen, and one black is not.
    const Data packets{0x03, 0xFF, 0xFF, 0x00, 0xFC, 0xE0, 0x83, 0x1F, 0x80, 0x80, 0x00, 0x00};
    const Picture run = picture_of(tga(5, 1, {.type = 10, .bits = 16, .descriptor = 1}, packets));
    EXPECT_EQ(pixel(run, 0, 0), (Color{255, 255, 255, 255}));
    EXPECT_EQ(pixel(run, 2, 0), (Color{0, 255, 0, 255}));
    EXPECT_EQ(pixel(run, 3, 0), (Color{0, 0, 255, 255}));
    EXPECT_EQ(pixel(run, 4, 0), (Color{0, 0, 0, 0}));
}

TEST(Tga, AnAlphaBitThatIsNeverSetMeansNothing) {
    const Picture picture = picture_of(tga(1, 1, {.bits = 16, .descriptor = 1}, {0x00, 0x7C}));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{255, 0, 0, 255}));
    EXPECT_FALSE(picture.has_alpha);
}

TEST(Tga, AColorMapMayStartElsewhere) {
    const TgaFormat indexed{.type = 1, .bits = 8, .map_first = 7, .map_length = 2, .map_bits = 24};
    const Picture picture = picture_of(tga(3, 1, indexed, {1, 2, 3, 4, 5, 6, 7, 8, 0}));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{3, 2, 1, 255}));
    EXPECT_EQ(pixel(picture, 1, 0), (Color{6, 5, 4, 255}));
    EXPECT_EQ(pixel(picture, 2, 0), (Color{0, 0, 0, 255}));
}

TEST(Tga, AColorMapOfTooManyEntriesIsRefused) {
    const TgaFormat indexed{.type = 1, .bits = 8, .map_first = 65535, .map_length = 2, .map_bits = 24};
    const auto picture = decode(tga(1, 1, indexed, {1, 2, 3, 4, 5, 6, 1}));
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-unsupported");
    EXPECT_EQ(picture.error().offset, 3U);
}

TEST(Tga, AFileThatEndsEarlyIsTold) {
    for (const Data& file : {tga(9, 9, {}, Data(9 * 9 * 3 - 1)), tga(9, 9, {.type = 10}, {0xFF, 1, 2})}) {
        const auto picture = decode(file);
        ASSERT_FALSE(picture);
        EXPECT_EQ(picture.error().code, "image-truncated");
        EXPECT_EQ(picture.error().offset, file.size());
    }
}

}  // namespace
}  // namespace effigy::image::test
