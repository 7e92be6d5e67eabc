/// Pictures put together from channels of others.

#include "image/compose.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

Plane plane(std::uint32_t width, std::uint32_t height, const Data& values) {
    const auto bytes = as_bytes(values);
    return {width, height, Bytes(bytes.begin(), bytes.end())};
}

TEST(Compose, RedOfAPicture) {
    const Picture picture = pattern(3, 2, true);
    const Plane red = red_plane(picture);
    ASSERT_EQ(red.values.size(), 6U);
    for (std::uint32_t i = 0; i < 6; ++i) {
        EXPECT_EQ(std::to_integer<std::uint8_t>(red.values[i]), pixel(picture, i % 3, i / 3)[0]);
    }
}

TEST(Compose, ChannelsAreScaledAndInverted) {
    const Plane smooth = plane(2, 1, {0, 200});
    const Plane metal = plane(2, 1, {255, 100});
    const auto picture = compose({{{}, {&smooth, 0.5F, true}, {&metal, 2, false}}}, {});
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 2U);
    EXPECT_EQ(pixel(*picture, 0, 0), (Color{255, 255, 255, 255}));
    EXPECT_EQ(pixel(*picture, 1, 0), (Color{255, 155, 200, 255}));
}

TEST(Compose, ConstantsAloneMakeOnePixel) {
    const auto picture =
        compose({{{nullptr, 0.2F, false}, {nullptr, 0.2F, true}, {nullptr, std::nanf(""), false}}}, {});
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->rgba.size(), 4U);
    EXPECT_EQ(pixel(*picture, 0, 0), (Color{51, 204, 0, 255}));
}

TEST(Compose, SmallerPlanesAreStretchedAsTexturesThatRepeat) {
    const Plane small = plane(2, 1, {0, 200});
    const Plane large = plane(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto picture = compose({{{&small, 1, false}, {&large, 1, false}, {}}}, {});
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 4U);
    EXPECT_EQ(picture->height, 2U);
    // The four centres lie a quarter beside the two texels, and beyond the left one is the right one again.
    const std::array<int, 4> reds{50, 50, 150, 150};
    for (std::uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(pixel(*picture, i % 4, i / 4)[0], reds[i % 4]) << i;
        EXPECT_EQ(pixel(*picture, i % 4, i / 4)[1], i + 1);
    }
    // Each side is that of the largest plane.
    const Plane tall = plane(1, 3, {0, 100, 200});
    const auto crossed = compose({{{&small, 1, false}, {&tall, 1, false}, {}}}, {});
    ASSERT_TRUE(crossed);
    EXPECT_EQ(crossed->width, 2U);
    EXPECT_EQ(crossed->height, 3U);
    EXPECT_EQ(pixel(*crossed, 1, 2), (Color{200, 200, 255, 255}));
}

TEST(Compose, KeepsTheLimit) {
    const Plane wide = plane(4096, 1, Data(4096));
    const Plane tall = plane(1, 4096, Data(4096));
    const auto picture = compose({{{&wide, 1, false}, {&tall, 1, false}, {}}}, {.memory = 1 << 20});
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "limit-memory");
}

}  // namespace
}  // namespace effigy::image::test
