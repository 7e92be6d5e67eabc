/// DDS pictures in every form that games use.

#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

Picture picture_of(const Data& file) {
    Result<Picture> picture = decode(file);
    if (!picture) {
        ADD_FAILURE() << picture.error().code << ": " << picture.error().message << " " << picture.error().found;
        return {};
    }
    return std::move(*picture);
}

// End points and rows of four 2-bit indices, the leftmost pixel lowest.
Data color_block(std::uint32_t first, std::uint32_t second, std::array<std::uint8_t, 4> rows) {
    Data block;
    put16(block, first);
    put16(block, second);
    block.insert(block.end(), rows.begin(), rows.end());
    return block;
}

// End points and sixteen 3-bit indices 0, 1, .. 7, 0, 1, .. 7.
Data ramp_block(std::uint8_t first, std::uint8_t second) { return {first, second, 0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA}; }

constexpr std::uint32_t red565 = 0xF800;
constexpr std::uint32_t blue565 = 0x001F;
constexpr std::uint8_t all_four = 0xE4;  // the indices 0, 1, 2, 3

TEST(Dds, Bc1HasFourColorsIfTheFirstEndPointIsLarger) {
    const Picture picture =
        picture_of(dds(4, 4, by_code("DXT1"), color_block(red565, blue565, {all_four, 0, 0, 0x55})));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(picture, 1, 0), (Color{0, 0, 255, 255}));
    EXPECT_EQ(pixel(picture, 2, 0), (Color{170, 0, 85, 255}));
    EXPECT_EQ(pixel(picture, 3, 0), (Color{85, 0, 170, 255}));
    EXPECT_EQ(pixel(picture, 3, 1), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(picture, 3, 3), (Color{0, 0, 255, 255}));
    EXPECT_FALSE(picture.has_alpha);
}

TEST(Dds, Bc1HasThreeColorsAndTransparencyOtherwise) {
    const Picture picture = picture_of(dds(4, 4, by_code("DXT1"), color_block(blue565, red565, {all_four, 0, 0, 0})));
    EXPECT_EQ(pixel(picture, 0, 0), (Color{0, 0, 255, 255}));
    EXPECT_EQ(pixel(picture, 1, 0), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(picture, 2, 0), (Color{127, 0, 127, 255}));
    EXPECT_EQ(pixel(picture, 3, 0), (Color{0, 0, 0, 0}));
    EXPECT_TRUE(picture.has_alpha);
}

TEST(Dds, Bc2HasFourBitsOfAlphaForEachPixel) {
    Data block{0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};
    append(block, color_block(red565, blue565, {all_four, 0, 0, 0}));
    const Picture picture = picture_of(dds(4, 4, by_code("DXT3"), block));
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(pixel(picture, i % 4, i / 4)[3], 17 * i);
    EXPECT_EQ(pixel(picture, 2, 0), (Color{170, 0, 85, 34}));
}

TEST(Dds, Bc3AlphaIsARampOfEightOrOfSixAndTheExtremes) {
    const Data colors = color_block(red565, red565, {0, 0, 0, 0});
    Data eight = ramp_block(210, 0);
    append(eight, colors);
    const Picture ramp = picture_of(dds(4, 4, by_code("DXT5"), eight));
    const std::array<int, 8> expected{210, 0, 180, 150, 120, 90, 60, 30};
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(pixel(ramp, i % 4, i / 4)[3], expected[i % 8]);

    Data six = ramp_block(0, 200);
    append(six, colors);
    const Picture extremes = picture_of(dds(4, 4, by_code("DXT5"), six));
    const std::array<int, 8> with_extremes{0, 200, 40, 80, 120, 160, 0, 255};
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(pixel(extremes, i % 4, i / 4)[3], with_extremes[i % 8]);
}

TEST(Dds, PremultipliedAlphaIsReported) {
    Data block(8, 0xFF);
    append(block, color_block(red565, red565, {0, 0, 0, 0}));
    EXPECT_EQ(picture_of(dds(4, 4, by_code("DXT2"), block)).report.count("image-premultiplied"), 1U);
    EXPECT_EQ(picture_of(dds(4, 4, by_code("DXT3"), block)).report.count("image-premultiplied"), 0U);
    DdsFormat format = by_dxgi(74);
    format.alpha_mode = 2;
    EXPECT_EQ(picture_of(dds(4, 4, format, block)).report.count("image-premultiplied"), 1U);
}

TEST(Dds, Bc4IsGrey) {
    for (const DdsFormat& format : {by_code("ATI1"), by_code("BC4U"), by_dxgi(80)}) {
        const Picture picture = picture_of(dds(4, 4, format, ramp_block(70, 0)));
        const std::array<std::uint8_t, 8> expected{70, 0, 60, 50, 40, 30, 20, 10};
        for (std::uint32_t i = 0; i < 16; ++i) {
            const std::uint8_t grey = expected[i % 8];
            EXPECT_EQ(pixel(picture, i % 4, i / 4), (Color{grey, grey, grey, 255}));
        }
    }
}

TEST(Dds, Bc4IsRoundedToTheNearestValue) {
    const Picture picture = picture_of(dds(4, 4, by_code("BC4U"), ramp_block(255, 0)));
    const std::array<int, 8> expected{255, 0, 219, 182, 146, 109, 73, 36};
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(pixel(picture, i % 4, i / 4)[0], expected[i]);
}

TEST(Dds, SignedBc4RunsFromMinusOneToOne) {
    for (const DdsFormat& format : {by_code("BC4S"), by_dxgi(81)}) {
        // 127 .. -127 in sevenths: 1, -1, 5/7, 3/7, 1/7, -1/7, -3/7, -5/7
        const Picture eight = picture_of(dds(4, 4, format, ramp_block(127, 0x81)));
        const std::array<int, 8> expected{255, 0, 219, 182, 146, 109, 73, 36};
        for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(pixel(eight, i % 4, i / 4)[0], expected[i]) << i;

        // -127 .. 0 in fifths, and the extremes
        const Picture six = picture_of(dds(4, 4, format, ramp_block(0x80, 0)));
        const std::array<int, 8> with_extremes{0, 128, 26, 51, 77, 102, 0, 255};
        for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(pixel(six, i % 4, i / 4)[0], with_extremes[i]) << i;
    }
}

TEST(Dds, Bc5IsANormalWhoseThirdComponentIsComputed) {
    Data flat = ramp_block(128, 128);
    append(flat, ramp_block(128, 128));
    for (const DdsFormat& format : {by_code("ATI2"), by_code("BC5U"), by_dxgi(83)}) {
        EXPECT_EQ(pixel(picture_of(dds(4, 4, format, flat)), 0, 0), (Color{128, 128, 255, 255}));
    }
    Data tilted = ramp_block(204, 204);  // x = 0.6
    append(tilted, ramp_block(25, 25));  // y = -0.8
    EXPECT_NEAR(pixel(picture_of(dds(4, 4, by_code("BC5U"), tilted)), 0, 0)[2], 128, 8);

    Data signed_flat = ramp_block(0, 0);
    append(signed_flat, ramp_block(0, 0));
    for (const DdsFormat& format : {by_code("BC5S"), by_dxgi(84)}) {
        EXPECT_EQ(pixel(picture_of(dds(4, 4, format, signed_flat)), 0, 0), (Color{128, 128, 255, 255}));
    }
    Data two_ramps = ramp_block(70, 0);
    append(two_ramps, ramp_block(0, 200));
    const Picture ramps = picture_of(dds(4, 4, by_code("BC5U"), two_ramps));
    EXPECT_EQ(pixel(ramps, 2, 0)[0], 60);
    EXPECT_EQ(pixel(ramps, 2, 0)[1], 40);
}

TEST(Dds, BlocksMayStandOutOfThePicture) {
    Data blocks;
    for (std::uint32_t color : {red565, blue565, 0x07E0U, 0xFFFFU}) append(blocks, color_block(color, 0, {0, 0, 0, 0}));
    const Picture picture = picture_of(dds(5, 7, by_code("DXT1"), blocks));
    ASSERT_EQ(picture.rgba.size(), 5U * 7 * 4);
    EXPECT_EQ(pixel(picture, 3, 3), (Color{255, 0, 0, 255}));
    EXPECT_EQ(pixel(picture, 4, 0), (Color{0, 0, 255, 255}));
    EXPECT_EQ(pixel(picture, 0, 4), (Color{0, 255, 0, 255}));
    EXPECT_EQ(pixel(picture, 4, 6), (Color{255, 255, 255, 255}));

    EXPECT_EQ(pixel(picture_of(dds(1, 1, by_code("DXT1"), color_block(red565, 0, {0, 0, 0, 0}))), 0, 0),
              (Color{255, 0, 0, 255}));
}

TEST(Dds, MasksPickTheChannels) {
    struct Case {
        DdsFormat format;
        Data data;
        Color expected;
    };
    constexpr std::uint32_t rgb = 0x40;
    constexpr std::uint32_t rgba = 0x41;
    const std::vector<Case> cases{
        {{.flags = rgba, .bits = 32, .masks = {0xFF0000, 0xFF00, 0xFF, 0xFF000000}}, {1, 2, 3, 4}, {3, 2, 1, 4}},
        {{.flags = rgb, .bits = 32, .masks = {0xFF0000, 0xFF00, 0xFF, 0xFF000000}}, {1, 2, 3, 4}, {3, 2, 1, 255}},
        {{.flags = rgba, .bits = 32, .masks = {0xFF, 0xFF00, 0xFF0000, 0xFF000000}}, {1, 2, 3, 4}, {1, 2, 3, 4}},
        {{.flags = rgb, .bits = 24, .masks = {0xFF0000, 0xFF00, 0xFF, 0}}, {1, 2, 3}, {3, 2, 1, 255}},
        {{.flags = rgb, .bits = 16, .masks = {0xF800, 0x7E0, 0x1F, 0}}, {0x1F, 0x84}, {132, 130, 255, 255}},
        {{.flags = rgba, .bits = 16, .masks = {0x7C00, 0x3E0, 0x1F, 0x8000}}, {0x00, 0xFC}, {255, 0, 0, 255}},
        {{.flags = rgba, .bits = 16, .masks = {0xF00, 0xF0, 0xF, 0xF000}}, {0x34, 0x12}, {34, 51, 68, 17}},
        {{.flags = rgb, .bits = 8, .masks = {0xE0, 0x1C, 0x03, 0}}, {0xE1}, {255, 0, 85, 255}},
        {{.flags = 0x20000, .bits = 8, .masks = {0xFF, 0, 0, 0}}, {77}, {77, 77, 77, 255}},
        {{.flags = 0x20001, .bits = 16, .masks = {0xFF, 0, 0, 0xFF00}}, {77, 5}, {77, 77, 77, 5}},
        {{.flags = 0x20001, .bits = 8, .masks = {0xF, 0, 0, 0xF0}}, {0x5F}, {255, 255, 255, 85}},
        {{.flags = 0x20000, .bits = 16, .masks = {0xFFFF, 0, 0, 0}}, {0x00, 0x80}, {128, 128, 128, 255}},
        {{.flags = 0x2, .bits = 8, .masks = {0, 0, 0, 0xFF}}, {9}, {0, 0, 0, 9}},
        {{.flags = rgba, .bits = 32, .masks = {0xFFFFFFFF, 0, 0, 0}}, {0, 0, 0, 0x80}, {128, 0, 0, 255}},
        {by_dxgi(28), {1, 2, 3, 4}, {1, 2, 3, 4}},
        {by_dxgi(87), {1, 2, 3, 4}, {3, 2, 1, 4}},
        {by_dxgi(88), {1, 2, 3, 4}, {3, 2, 1, 255}},
        {by_dxgi(85), {0x1F, 0x84}, {132, 130, 255, 255}},
        {by_dxgi(86), {0x00, 0x7C}, {255, 0, 0, 0}},
        {by_dxgi(115), {0x34, 0x12}, {34, 51, 68, 17}},
        {by_dxgi(24), {0xFF, 0x03, 0x00, 0x40}, {255, 0, 0, 85}},
        {by_dxgi(49), {128, 128}, {128, 128, 255, 255}},
        {by_dxgi(61), {42}, {42, 42, 42, 255}},
        {by_dxgi(65), {42}, {0, 0, 0, 42}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(testing::Message() << "bits " << one.format.bits << " flags " << one.format.flags << " DXGI "
                                        << one.format.dxgi);
        Data twice(one.data.size(), 0);
        append(twice, one.data);
        const Picture picture = picture_of(dds(2, 1, one.format, twice));
        ASSERT_EQ(picture.rgba.size(), 8U);
        EXPECT_EQ(pixel(picture, 1, 0), one.expected);
    }
}

TEST(Dds, OnlyTheLargestLevelOfTheFirstFaceIsRead) {
    Data pixels{1, 2, 3, 4};
    append(pixels, Data(400, 0xEE));  // further levels and faces
    Data file = dds(1, 1, by_dxgi(28), pixels);
    file[28] = 1;      // one level
    file[24] = 4;      // depth
    file[113] = 0xFE;  // a cube with all its faces
    EXPECT_EQ(pixel(picture_of(file), 0, 0), (Color{1, 2, 3, 4}));
}

TEST(Dds, UnknownFormatsAreNamed) {
    const auto by_letters = decode(dds(4, 4, by_code("UYVY"), Data(64)));
    ASSERT_FALSE(by_letters);
    EXPECT_EQ(by_letters.error().code, "image-unsupported");
    EXPECT_EQ(by_letters.error().found, "UYVY");
    EXPECT_EQ(by_letters.error().offset, 84U);

    const auto by_number = decode(dds(4, 4, by_dxgi(2), Data(64)));
    ASSERT_FALSE(by_number);
    EXPECT_EQ(by_number.error().code, "image-unsupported");
    EXPECT_EQ(by_number.error().found, "DXGI format 2");

    const auto by_flags = decode(dds(4, 4, {.flags = 0x20, .bits = 8}, Data(2000)));
    ASSERT_FALSE(by_flags);
    EXPECT_EQ(by_flags.error().code, "image-unsupported");
}

TEST(Dds, APictureWithoutPixelsIsDamaged) {
    const auto picture = decode(dds(0, 4, by_code("DXT1"), Data(64)));
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-damaged");
}

}  // namespace
}  // namespace effigy::image::test
