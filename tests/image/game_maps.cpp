/// Channels of the games' textures, made from glTF's.

#include <cmath>
#include <gtest/gtest.h>

#include "image/compose.hpp"
#include "samples.hpp"

namespace effigy::image::test {
namespace {

// Roughness in green, metalness in blue, occlusion in red.
Picture metallic_roughness() {
    Picture picture = pattern(16, 16, false);
    for (std::uint32_t i = 0; i < 256; ++i) {
        picture.rgba[4 * std::size_t{i} + 1] = static_cast<std::byte>(i);
        picture.rgba[4 * std::size_t{i} + 2] = static_cast<std::byte>(255 - i);
    }
    return picture;
}

int value(const Picture& picture, std::uint32_t i, std::size_t channel) {
    return pixel(picture, i % picture.width, i / picture.width)[channel];
}

TEST(GameMaps, SmoothnessAndMetalnessAreReadAsWhatTheyWere) {
    const Picture original = metallic_roughness();
    const Picture smooth = smoothness_map(original), metal = metalness_map(original);
    for (const Picture* map : {&smooth, &metal}) {
        EXPECT_FALSE(map->has_alpha);
        for (std::uint32_t i = 0; i < 256; ++i) {
            EXPECT_EQ(value(*map, i, 1), value(*map, i, 0));
            EXPECT_EQ(value(*map, i, 2), value(*map, i, 0));
            EXPECT_EQ(value(*map, i, 3), 255);
        }
    }
    // As the materials of X4 are read.
    const Plane smooth_plane = red_plane(smooth), metal_plane = red_plane(metal);
    const auto read = compose({{{nullptr, 1, false}, {&smooth_plane, 1, true}, {&metal_plane, 1, false}}}, {});
    ASSERT_TRUE(read);
    for (std::uint32_t i = 0; i < 256; ++i) {
        EXPECT_EQ(value(*read, i, 1), value(original, i, 1));
        EXPECT_EQ(value(*read, i, 2), value(original, i, 2));
    }
}

TEST(GameMaps, FactorsAreInThem) {
    const Picture original = metallic_roughness();
    const Picture smooth = smoothness_map(original, 0.5F), metal = metalness_map(original, 0.25F);
    for (std::uint32_t i = 0; i < 256; ++i) {
        EXPECT_NEAR(255 - value(smooth, i, 0), 0.5 * value(original, i, 1), 0.51);
        EXPECT_NEAR(value(metal, i, 0), 0.25 * value(original, i, 2), 0.51);
    }
}

TEST(GameMaps, NormalsAreTurnedBack) {
    Picture normal = pattern(8, 8, true);
    const Picture original = normal;
    flip_green(normal);
    drop_alpha(normal);
    EXPECT_FALSE(normal.has_alpha);
    flip_green(normal);  // as textures are read
    for (std::uint32_t i = 0; i < 64; ++i) {
        for (std::size_t channel = 0; channel < 3; ++channel)
            EXPECT_EQ(value(normal, i, channel), value(original, i, channel));
        EXPECT_EQ(value(normal, i, 3), 255);
    }
}

double light(int srgb) {
    const double v = srgb / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

TEST(GameMaps, GlowHasTheFactorsColor) {
    const Picture original = pattern(16, 16, false);
    const GlowMap white = glow_map(original, {2, 2, 2});
    EXPECT_EQ(white.strength, 2);
    const GlowMap colored = glow_map(original, {0.5F, 0.25F, 0});
    EXPECT_EQ(colored.strength, 0.5F);
    for (std::uint32_t i = 0; i < 256; ++i) {
        for (std::size_t channel = 0; channel < 3; ++channel)
            EXPECT_EQ(value(white.picture, i, channel), value(original, i, channel));
        EXPECT_EQ(value(white.picture, i, 3), 0);
        EXPECT_EQ(value(colored.picture, i, 0), value(original, i, 0));
        // Reading multiplies with the strength: the same light.
        EXPECT_NEAR(light(value(colored.picture, i, 1)) * 0.5, light(value(original, i, 1)) * 0.25, 0.003);
        EXPECT_EQ(value(colored.picture, i, 2), 0);
    }
    EXPECT_EQ(glow_map(original, {0, 0, 0}).strength, 0);
}

TEST(GameMaps, MasksHaveNoCountryColors) {
    const Picture original = metallic_roughness();
    const Picture europa = paradox_mask(MaskUse::highlight_and_colors, original);
    const Picture victoria = paradox_mask(MaskUse::colors, original);
    const Picture hearts = paradox_mask(MaskUse::highlight_and_brightness, original, 0.5F);
    for (std::uint32_t i = 0; i < 256; ++i) {
        const std::uint32_t x = i % 16, y = i / 16;
        EXPECT_EQ(pixel(europa, x, y), (Color{static_cast<std::uint8_t>(255 - i), 0, 0, 255}));
        EXPECT_EQ(pixel(victoria, x, y), (Color{0, 0, 0, 255}));
        // Black in green would make the model black.
        EXPECT_EQ(pixel(hearts, x, y)[1], 255);
        EXPECT_NEAR(pixel(hearts, x, y)[0], 255 - 0.5 * i, 0.51);
        EXPECT_EQ(pixel(hearts, x, y)[2], 0);
    }
}

}  // namespace
}  // namespace effigy::image::test
