// Damaged and lying files: a diagnostic or a picture, nothing else.

#include <gtest/gtest.h>
#include <png.h>

#include "samples.hpp"

namespace effigy::image::test {
namespace {

void expect_sound(const Result<Picture>& picture) {
    if (picture) {
        EXPECT_GT(picture->width, 0U);
        EXPECT_GT(picture->height, 0U);
        EXPECT_EQ(picture->rgba.size(), std::uint64_t{picture->width} * picture->height * 4);
    } else {
        EXPECT_FALSE(picture.error().code.empty());
        EXPECT_FALSE(picture.error().message.empty());
        EXPECT_EQ(picture.error().severity, Severity::error);
    }
}

constexpr Limits small_limits{.memory = 1 << 20};

TEST(Hostile, EverySampleIsSound) {
    for (const Data& file : all_kinds()) {
        const auto picture = decode(file);
        ASSERT_TRUE(picture) << picture.error().message << " " << picture.error().found;
        EXPECT_EQ(picture->width, 5U);
        EXPECT_EQ(picture->height, 3U);
    }
}

TEST(Hostile, TruncationAtEveryByte) {
    for (const Data& file : all_kinds()) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            // A block of exactly this size, so that a sanitizer sees every byte read beyond it.
            const Data part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            expect_sound(decode(part, small_limits));
        }
    }
}

TEST(Hostile, TruncatedDdsTellsHowMuchIsMissing) {
    const Data file = dds(8, 8, by_code("DXT5"), Data(64));
    for (std::size_t size = 4; size < file.size(); ++size) {
        const Data part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        const auto picture = decode(part);
        ASSERT_FALSE(picture);
        EXPECT_EQ(picture.error().code, "image-truncated");
        EXPECT_EQ(picture.error().found, std::to_string(size) + " bytes");
        EXPECT_EQ(picture.error().expected, size < 128 ? "at least 128 bytes" : "at least 192 bytes");
    }
}

TEST(Hostile, EveryByteDamaged) {
    for (const Data& file : all_kinds()) {
        for (std::size_t i = 0; i < file.size(); ++i) {
            for (const unsigned flip : {0x01U, 0x10U, 0x80U, 0xFFU}) {
                Data damaged = file;
                damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ flip);
                expect_sound(decode(damaged, small_limits));
            }
        }
    }
}

TEST(Hostile, DeclaredSizesThatTheFileCannotHold) {
    for (const std::uint32_t size : {65536U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        for (const DdsFormat& format : {by_code("DXT1"), by_dxgi(98), by_dxgi(28)}) {
            const auto picture = decode(dds(size, size, format, Data(64)));
            ASSERT_FALSE(picture);
            EXPECT_EQ(picture.error().code, "image-truncated");
        }
    }
    const auto lying_tga = decode(tga(65535, 65535, {.type = 10}, Data(64, 0xFF)));
    ASSERT_FALSE(lying_tga);
    EXPECT_EQ(lying_tga.error().code, "image-truncated");
}

// The checksum of a PNG chunk, so that only its content is a lie.
std::uint32_t checksum(const Data& data, std::size_t first, std::size_t last) {
    std::uint32_t value = 0xFFFFFFFF;
    for (std::size_t i = first; i < last; ++i) {
        value ^= data[i];
        for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~value;
}

void put_big(Data& data, std::size_t offset, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) data[offset + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

TEST(Hostile, PngThatDeclaresMoreThanItsStreamCanHold) {
    for (const std::uint32_t size : {8000U, 65536U, 0x7FFFFFFFU}) {
        Data file = png(1, 1, {.color_type = PNG_COLOR_TYPE_RGB_ALPHA}, {1, 2, 3, 4});
        put_big(file, 16, size);
        put_big(file, 20, size);
        put_big(file, 29, checksum(file, 12, 29));
        const auto picture = decode(file);
        ASSERT_FALSE(picture);
        EXPECT_EQ(picture.error().code, "image-truncated") << picture.error().found;
    }
}

TEST(Hostile, JpegThatDeclaresTooMuch) {
    for (const bool progressive : {false, true}) {
        Data file = jpeg(8, 8, {.progressive = progressive}, Data(8 * 8 * 3, 9));
        std::size_t frame = 0;
        for (std::size_t i = 0; i + 1 < file.size(); ++i) {
            if (file[i] == 0xFF && (file[i + 1] == 0xC0 || file[i + 1] == 0xC2)) frame = i;
        }
        for (const std::size_t i : {5U, 7U}) {
            file[frame + i] = 0xFF;
            file[frame + i + 1] = 0x00;
        }
        const auto picture = decode(file);
        ASSERT_FALSE(picture);
        EXPECT_EQ(picture.error().code, "limit-memory");
    }
}

TEST(Hostile, TheLimitHoldsForEveryKind) {
    const Data wide(256 * 256 * 3, 1);
    const std::vector<Data> files{
        dds(256, 256, by_code("DXT1"), Data(256 * 256 / 2)),
        tga(256, 256, {}, wide),
        png(256, 256, {.color_type = PNG_COLOR_TYPE_RGB}, wide),
        jpeg(256, 256, {}, wide),
        webp(pattern(256, 256, true), true),
        jpeg(256, 256, {.progressive = true}, wide),
    };
    for (const Data& file : files) {
        const auto refused = decode(file, {.memory = 256 * 256 * 4 - 1});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, "limit-memory");
        EXPECT_TRUE(decode(file, {.memory = 256 * 256 * 4 * 4}));
    }
    // A progressive picture's coefficients need room besides the pixels.
    const auto refused = decode(files.back(), {.memory = 256 * 256 * 4 + 1000});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
}

TEST(Hostile, OtherFilesAreNotPictures) {
    for (const Data& file : {Data{}, Data{'X', 'A', 'C', ' ', 1, 0, 0, 0}, Data(1000, 0), Data(1000, 0xFF)}) {
        EXPECT_EQ(probe(as_bytes(file)), Kind::unknown);
        const auto picture = decode(file);
        ASSERT_FALSE(picture);
        EXPECT_EQ(picture.error().code, "image-unknown");
    }
}

TEST(Hostile, KindsAreToldByContent) {
    EXPECT_EQ(probe(as_bytes(png(1, 1, {}, {1}))), Kind::png);
    EXPECT_EQ(probe(as_bytes(jpeg(1, 1, {}, {1, 2, 3}))), Kind::jpeg);
    EXPECT_EQ(probe(as_bytes(dds(1, 1, by_code("DXT1"), {}))), Kind::dds);
    EXPECT_EQ(probe(as_bytes(tga(1, 1, {}, {}))), Kind::tga);
    EXPECT_EQ(probe(as_bytes(webp(pattern(1, 1, false), true))), Kind::webp);
    EXPECT_EQ(probe(as_bytes({'R', 'I', 'F', 'F', 4, 0, 0, 0, 'W', 'A', 'V', 'E'})), Kind::unknown);
    EXPECT_EQ(probe(as_bytes(tga(0, 1, {}, {}))), Kind::unknown);
    EXPECT_EQ(probe(as_bytes(tga(1, 1, {.type = 4}, {}))), Kind::unknown);
}

}  // namespace
}  // namespace effigy::image::test
