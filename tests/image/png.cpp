/// PNG pictures, written and read.

#include <gtest/gtest.h>
#include <png.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

Color only_pixel(const Data& file) {
    const auto picture = decode(file);
    if (!picture) {
        ADD_FAILURE() << picture.error().code << ": " << picture.error().message << " " << picture.error().found;
        return {};
    }
    return pixel(*picture, picture->width - 1, picture->height - 1);
}

std::uint8_t color_type_in(const Bytes& file) { return std::to_integer<std::uint8_t>(file[25]); }

TEST(Png, WhatIsWrittenIsReadBack) {
    for (const bool alpha : {false, true}) {
        for (const auto& [width, height] : {std::pair{1U, 1U}, {3U, 1U}, {1U, 5U}, {7U, 13U}, {64U, 64U}, {300U, 2U}}) {
            const Picture original = pattern(width, height, alpha);
            const auto file = encode_png(original);
            ASSERT_TRUE(file);
            EXPECT_EQ(color_type_in(*file), alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB);
            const auto again = image::decode(*file);
            ASSERT_TRUE(again) << again.error().message;
            EXPECT_EQ(again->width, width);
            EXPECT_EQ(again->height, height);
            EXPECT_EQ(again->rgba, original.rgba);
            EXPECT_EQ(again->has_alpha, alpha);
        }
    }
}

TEST(Png, QuickWritingDoesNotCompress) {
    const Picture original = pattern(40, 30, true);
    const auto file = encode_png(original, true);
    ASSERT_TRUE(file);
    EXPECT_GE(file->size(), original.rgba.size());
    EXPECT_EQ(*file, *encode_png(original, true));
    const auto again = image::decode(*file);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->rgba, original.rgba);
}

TEST(Png, WritingIsDeterministic) { EXPECT_EQ(*encode_png(pattern(40, 30, true)), *encode_png(pattern(40, 30, true))); }

TEST(Png, ThePixelsDecideAboutTheAlphaChannel) {
    Picture picture = pattern(4, 4, false);
    picture.has_alpha = true;
    EXPECT_EQ(color_type_in(*encode_png(picture)), PNG_COLOR_TYPE_RGB);
    picture.rgba.back() = std::byte{254};
    picture.has_alpha = false;
    EXPECT_EQ(color_type_in(*encode_png(picture)), PNG_COLOR_TYPE_RGB_ALPHA);
}

TEST(Png, APictureThatDoesNotFitItsSizeIsRefused) {
    Picture picture = pattern(4, 4, false);
    picture.rgba.pop_back();
    EXPECT_EQ(encode_png(picture).error().code, "image-size");
    EXPECT_EQ(encode_png(Picture{}).error().code, "image-size");
    Picture huge;
    huge.width = 0xFFFFFFFF;
    huge.height = 0xFFFFFFFF;
    EXPECT_EQ(encode_png(huge).error().code, "image-size");
    huge.width = 0x80000000;  // times this height times 4 is 0 modulo 2^64
    huge.height = 0x80000000;
    EXPECT_EQ(encode_png(huge).error().code, "image-size");
}

TEST(Png, EveryFormBecomesRgba) {
    EXPECT_EQ(only_pixel(png(1, 1, {.color_type = PNG_COLOR_TYPE_GRAY, .depth = 1}, {0x80})),
              (Color{255, 255, 255, 255}));
    EXPECT_EQ(only_pixel(png(2, 1, {.color_type = PNG_COLOR_TYPE_GRAY, .depth = 4}, {0x05})), (Color{85, 85, 85, 255}));
    EXPECT_EQ(only_pixel(png(1, 1, {.color_type = PNG_COLOR_TYPE_GRAY_ALPHA}, {7, 8})), (Color{7, 7, 7, 8}));
    EXPECT_EQ(only_pixel(png(1, 1, {.color_type = PNG_COLOR_TYPE_RGB}, {1, 2, 3})), (Color{1, 2, 3, 255}));
    EXPECT_EQ(only_pixel(png(1, 1, {.color_type = PNG_COLOR_TYPE_RGB_ALPHA}, {1, 2, 3, 4})), (Color{1, 2, 3, 4}));
    EXPECT_EQ(only_pixel(png(1, 1, {.color_type = PNG_COLOR_TYPE_RGB, .depth = 16}, {128, 0, 64, 0, 255, 255})),
              (Color{128, 64, 255, 255}));
    EXPECT_EQ(
        only_pixel(png(
            2, 1, {.color_type = PNG_COLOR_TYPE_PALETTE, .depth = 4, .palette = {{1, 2, 3, 4}, {5, 6, 7, 8}}}, {0x01})),
        (Color{5, 6, 7, 8}));
}

TEST(Png, InterlacedPicturesAreWhole) {
    const Picture original = pattern(21, 17, true);
    Data rows;
    for (std::byte value : original.rgba) rows.push_back(std::to_integer<std::uint8_t>(value));
    const auto picture = decode(png(21, 17, {.color_type = PNG_COLOR_TYPE_RGB_ALPHA, .interlaced = true}, rows));
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->rgba, original.rgba);
}

TEST(Png, DamageIsTold) {
    Data file = png(1, 1, {.color_type = PNG_COLOR_TYPE_RGB}, {1, 2, 3});
    file[30] ^= 1;  // the checksum of the header
    const auto picture = decode(file);
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-damaged");
    EXPECT_FALSE(picture.error().found.empty());
}

TEST(Picture, GreenIsFlippedBothWays) {
    Picture picture = pattern(5, 4, true);
    const Bytes original = picture.rgba;
    flip_green(picture);
    EXPECT_EQ(pixel(picture, 2, 1), (Color{14, 244, 2, 3}));
    flip_green(picture);
    EXPECT_EQ(picture.rgba, original);
}

}  // namespace
}  // namespace effigy::image::test
