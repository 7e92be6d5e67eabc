/// PNG pictures, written and read.

#include <array>
#include <gtest/gtest.h>
#include <png.h>
#include <random>
#include <vector>
#include <zlib.h>

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
        for (const auto& [width, height] :
             {std::pair{1U, 1U}, {3U, 1U}, {1U, 5U}, {7U, 13U}, {64U, 64U}, {300U, 2U}, {90U, 260U}}) {
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

/// The filter of each row. The rows stand in one chunk behind the header.
std::vector<std::uint8_t> filters_of(const Bytes& file, const Picture& picture, std::size_t pixel_size) {
    constexpr std::size_t rows_at = 8 + 25 + 8;
    const std::size_t row_size = 1 + picture.width * pixel_size;
    std::vector<std::uint8_t> rows(picture.height * row_size), filters;
    uLongf size = rows.size();
    EXPECT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(file.data()) + rows_at,
                         static_cast<uLong>(file.size() - rows_at)),
              Z_OK);
    EXPECT_EQ(size, rows.size());
    for (std::size_t row = 0; row < rows.size(); row += row_size) filters.push_back(rows[row]);
    return filters;
}

TEST(Png, RowsAreFilteredWhereThatMakesThemSmaller) {
    constexpr std::uint32_t side = 200;
    for (const std::size_t pixel_size : {3U, 4U}) {
        Picture smooth = pattern(side, side, pixel_size == 4), blocks = smooth;
        std::mt19937 random(3);
        std::array<std::uint8_t, 64> colors{};
        for (std::uint8_t& color : colors) color = static_cast<std::uint8_t>(random());
        std::vector<std::uint32_t> of_block(side * side);
        for (std::uint32_t& color : of_block) color = random() % 48;
        for (std::uint32_t y = 0; y < side; ++y) {
            for (std::uint32_t x = 0; x < side; ++x) {
                if (pixel_size == 4) blocks.rgba[4 * (std::size_t{y} * side + x) + 3] = std::byte{254};
                const std::uint32_t of_pixel = random() % 4 * 4;
                for (std::uint32_t k = 0; k < 3; ++k) {
                    const std::size_t at = 4 * (std::size_t{y} * side + x) + k;
                    smooth.rgba[at] = static_cast<std::byte>(x * (k + 1) + y * (3 - k) + random() % 2);
                    // As block compression leaves them: the same few colours again and again.
                    blocks.rgba[at] = static_cast<std::byte>(colors[of_block[y / 4 * side + x / 4] + of_pixel + k]);
                }
            }
        }
        const auto filtered = encode_png(smooth), plain = encode_png(blocks);
        ASSERT_TRUE(filtered && plain);
        EXPECT_EQ(image::decode(*filtered)->rgba, smooth.rgba);
        EXPECT_EQ(image::decode(*plain)->rgba, blocks.rgba);
        for (const std::uint8_t filter : filters_of(*filtered, smooth, pixel_size)) EXPECT_NE(filter, 0);
        for (const std::uint8_t filter : filters_of(*plain, blocks, pixel_size)) EXPECT_EQ(filter, 0);
        EXPECT_LT(filtered->size(), smooth.rgba.size() / 4);
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
