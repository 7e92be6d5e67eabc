/// WebP pictures, lossless, lossy and damaged.

#include <gtest/gtest.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

TEST(Webp, LosslessPicturesAreThePixels) {
    for (const bool alpha : {false, true}) {
        const Picture original = pattern(37, 21, alpha);
        const auto picture = decode(webp(original, true));
        ASSERT_TRUE(picture) << picture.error().message;
        EXPECT_EQ(picture->width, 37U);
        EXPECT_EQ(picture->height, 21U);
        EXPECT_EQ(picture->has_alpha, alpha);
        for (std::uint32_t i = 0; i < 37 * 21; ++i) {
            const Color wanted = pixel(original, i % 37, i / 37);
            if (wanted[3] != 0) EXPECT_EQ(pixel(*picture, i % 37, i / 37), wanted);
        }
    }
}

TEST(Webp, LossyPicturesComeNear) {
    Picture original = pattern(32, 32, true);
    for (std::size_t i = 0; i < original.rgba.size(); ++i)
        original.rgba[i] = static_cast<std::byte>(i % 4 == 3 ? 200 : i / 32 + 40 * (i % 4));
    const auto picture = decode(gzip(webp(original, false)));
    ASSERT_TRUE(picture);
    EXPECT_TRUE(picture->has_alpha);
    for (std::uint32_t i = 0; i < 32 * 32; ++i) {
        for (std::size_t channel = 0; channel < 4; ++channel)
            EXPECT_NEAR(pixel(*picture, i % 32, i / 32)[channel], pixel(original, i % 32, i / 32)[channel], 12);
    }
}

TEST(Webp, AnimationsAreRefused) {
    auto encoder = AnimationEncoder::make(AnimationKind::webp, 8, 8, 40);
    ASSERT_TRUE(encoder);
    ASSERT_TRUE(encoder->add(pattern(8, 8, false)));
    ASSERT_TRUE(encoder->add(pattern(8, 8, true)));
    const auto picture = image::decode(encoder->finish().value());
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-unsupported");
    EXPECT_NE(picture.error().message.find("animation"), std::string::npos);
}

TEST(Webp, EndsAreMissed) {
    Data file = webp(pattern(64, 64, true), true);
    file.resize(file.size() / 2);
    const auto picture = decode(file);
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, "image-truncated");
}

}  // namespace
}  // namespace effigy::image::test
