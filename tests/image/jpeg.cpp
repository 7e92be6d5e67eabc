/// JPEG pictures, whole, cut off and hostile.

#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

Data solid(std::uint32_t count, const Data& color) {
    Data pixels;
    for (std::uint32_t i = 0; i < count; ++i) append(pixels, color);
    return pixels;
}

void expect_near(const Color& found, const Color& expected) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found.at(i), expected.at(i), 2) << "channel " << i;
}

TEST(Jpeg, BaselineAndProgressiveAreRead) {
    for (const bool progressive : {false, true}) {
        const auto picture = decode(jpeg(33, 17, {.progressive = progressive}, solid(33 * 17, {200, 100, 50})));
        ASSERT_TRUE(picture) << picture.error().found;
        EXPECT_EQ(picture->width, 33U);
        EXPECT_EQ(picture->height, 17U);
        expect_near(pixel(*picture, 32, 16), {200, 100, 50, 255});
        EXPECT_FALSE(picture->has_alpha);
        EXPECT_TRUE(picture->report.empty());
    }
}

TEST(Jpeg, GreyAndInksBecomeRgb) {
    const auto grey = decode(jpeg(8, 8, {.channels = 1}, Data(64, 90)));
    ASSERT_TRUE(grey);
    expect_near(pixel(*grey, 3, 3), {90, 90, 90, 255});

    // Adobe's inks hold the light that is left.
    const auto inks = decode(jpeg(8, 8, {.channels = 4}, solid(64, {255, 128, 0, 200})));
    ASSERT_TRUE(inks);
    expect_near(pixel(*inks, 3, 3), {200, 100, 0, 255});
}

TEST(Jpeg, AFileThatEndsEarlyGivesAPictureAndAWarning) {
    Data pixels;
    for (std::uint32_t i = 0; i < 64 * 64 * 3; ++i) pixels.push_back(static_cast<std::uint8_t>(i * i));
    Data file = jpeg(64, 64, {}, pixels);
    file.resize(file.size() * 3 / 4);
    const auto picture = decode(file);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->report.count("image-truncated"), 1U);
    EXPECT_FALSE(picture->report.has_errors());
}

TEST(Jpeg, AHeaderThatEndsEarlyIsTold) {
    Data file = jpeg(8, 8, {}, solid(64, {1, 2, 3}));
    file.resize(100);
    const auto picture = decode(file);
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-truncated");
}

TEST(Jpeg, ScansWithoutEndAreRefused) {
    const Data file = jpeg(8, 8, {.progressive = true}, solid(64, {1, 2, 3}));
    std::size_t scan = 0;
    for (std::size_t i = 0; i + 1 < file.size(); ++i) {
        if (file[i] == 0xFF && file[i + 1] == 0xDA) scan = i;
    }
    ASSERT_NE(scan, 0U);
    Data long_file = file;
    long_file.resize(file.size() - 2);
    const Data last_scan(file.begin() + static_cast<std::ptrdiff_t>(scan), file.end() - 2);
    for (int i = 0; i < 200; ++i) append(long_file, last_scan);
    append(long_file, {0xFF, 0xD9});
    const auto picture = decode(long_file);
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "limit-scans");
}

}  // namespace
}  // namespace effigy::image::test
