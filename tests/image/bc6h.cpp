/// BC6H blocks against a second decoder.

#include <gtest/gtest.h>

#include "image/internal.hpp"
#include "samples.hpp"

namespace effigy::image::test {
namespace {

using detail::BlockPixels;
using Block = std::array<std::uint8_t, 16>;

BlockPixels decoded(const Block& block, bool is_signed) {
    return detail::decode_bc6h(std::as_bytes(std::span(block)), is_signed);
}

Color color_of(const BlockPixels& pixels, std::size_t i) {
    return {pixels[i * 4], pixels[i * 4 + 1], pixels[i * 4 + 2], pixels[i * 4 + 3]};
}

struct Known {
    bool is_signed;
    Block block;
    std::array<Color, 4> pixels;  // 1, 6, 11 and 15
};

// Blocks of random bits, one of each mode, and what another decoder (that of the Python Imaging Library, which cuts
// instead of rounding) makes of them.
const std::vector<Known> known_blocks{
    {false,
     {0x44, 0xAD, 0xC8, 0xCC, 0xDB, 0xF6, 0xF0, 0x0C, 0x40, 0xB8, 0x06, 0x3C, 0x1D, 0x96, 0x4E, 0x95},
     {{{15, 36, 220, 255}, {15, 39, 208, 255}, {14, 43, 193, 255}, {15, 40, 204, 255}}}},  // mode 1
    {false,
     {0x1D, 0x8A, 0xDF, 0x3E, 0x0B, 0x03, 0x3F, 0x8C, 0x35, 0x11, 0xEB, 0x1F, 0xD8, 0x99, 0x9D, 0xD7},
     {{{66, 109, 51, 255}, {66, 109, 51, 255}, {145, 46, 0, 255}, {66, 109, 51, 255}}}},  // mode 2
    {false,
     {0xC2, 0xE4, 0x8B, 0x09, 0xAF, 0x30, 0xE4, 0x74, 0xC2, 0x09, 0x2A, 0x3D, 0x5A, 0x3A, 0xBA, 0x37},
     {{{36, 31, 102, 255}, {36, 31, 101, 255}, {33, 31, 98, 255}, {38, 29, 106, 255}}}},  // mode 3
    {false,
     {0x06, 0xF5, 0x8C, 0xF3, 0x56, 0x4A, 0x13, 0x86, 0xD3, 0x63, 0x14, 0x7D, 0x90, 0x45, 0xC0, 0xC8},
     {{{148, 31, 92, 255}, {143, 34, 91, 255}, {136, 34, 89, 255}, {147, 33, 92, 255}}}},  // mode 4
    {false,
     {0x4A, 0xF1, 0x98, 0x09, 0x57, 0x45, 0x18, 0x88, 0x5D, 0x05, 0x47, 0xA6, 0xD5, 0x3B, 0x52, 0x36},
     {{{106, 44, 95, 255}, {105, 44, 92, 255}, {107, 44, 101, 255}, {108, 43, 101, 255}}}},  // mode 5
    {false,
     {0x6E, 0xDC, 0x5A, 0xDB, 0x8D, 0x2E, 0x2C, 0xAF, 0x43, 0xD7, 0x2C, 0x4F, 0x3C, 0xF1, 0x3A, 0x02},
     {{{96, 16, 171, 255}, {206, 20, 152, 255}, {192, 18, 152, 255}, {116, 11, 152, 255}}}},  // mode 6
    {false,
     {0x32, 0xEC, 0xAB, 0xCC, 0xEE, 0x3B, 0x25, 0x2C, 0x37, 0x56, 0x1B, 0x4D, 0xB2, 0x33, 0x03, 0x4E},
     {{{162, 27, 26, 255}, {28, 11, 29, 255}, {27, 13, 40, 255}, {27, 15, 36, 255}}}},  // mode 7
    {false,
     {0xB6, 0x0B, 0xB0, 0xDF, 0xC0, 0x80, 0x49, 0x95, 0x94, 0xAC, 0x60, 0x59, 0xAB, 0x79, 0x9F, 0x81},
     {{{11, 61, 196, 255}, {16, 30, 115, 255}, {11, 56, 111, 255}, {31, 12, 122, 255}}}},  // mode 8
    {false,
     {0x1A, 0x4E, 0x34, 0xB0, 0xD0, 0x14, 0x2D, 0xCB, 0x82, 0x75, 0x4B, 0x7C, 0x1B, 0x16, 0xFB, 0xFC},
     {{{76, 77, 40, 255}, {227, 85, 32, 255}, {70, 86, 51, 255}, {60, 103, 88, 255}}}},  // mode 9
    {false,
     {0x3E, 0xB3, 0xEB, 0xB2, 0x98, 0x8F, 0x71, 0xAC, 0x48, 0xCE, 0x67, 0x0F, 0xC1, 0xAC, 0xD3, 0x28},
     {{{172, 255, 0, 255}, {43, 22, 43, 255}, {143, 13, 40, 255}, {143, 13, 40, 255}}}},  // mode 10
    {false,
     {0x43, 0xAE, 0xD8, 0x5E, 0x53, 0x2B, 0xB6, 0x1F, 0x57, 0xAB, 0x3B, 0x5B, 0x54, 0x3D, 0x11, 0x10},
     {{{18, 71, 190, 255}, {16, 71, 255, 255}, {18, 71, 124, 255}, {19, 71, 85, 255}}}},  // mode 11
    {false,
     {0x27, 0x5D, 0xED, 0xC5, 0x2F, 0xCE, 0x3C, 0xD6, 0x54, 0x97, 0x0A, 0x6C, 0x8E, 0xF1, 0x77, 0xA7},
     {{{15, 229, 208, 255}, {12, 206, 132, 255}, {11, 196, 113, 255}, {13, 212, 152, 255}}}},  // mode 12
    {false,
     {0x0B, 0xDA, 0xB4, 0xB8, 0x76, 0xB3, 0xDA, 0x42, 0x85, 0x5C, 0xE9, 0x2A, 0x3F, 0x6A, 0x41, 0xD7},
     {{{104, 10, 112, 255}, {112, 10, 104, 255}, {98, 10, 120, 255}, {122, 9, 93, 255}}}},  // mode 13
    {false,
     {0x0F, 0x6C, 0x38, 0x54, 0x1D, 0xD7, 0x9C, 0xB3, 0x00, 0xF7, 0x5D, 0xBE, 0x30, 0xC2, 0x5A, 0x75},
     {{{185, 102, 61, 255}, {185, 103, 61, 255}, {185, 103, 61, 255}, {185, 103, 61, 255}}}},  // mode 14
    {true,
     {0xDE, 0x11, 0x46, 0x07, 0x82, 0xA6, 0xB1, 0x80, 0x02, 0xC8, 0x02, 0x8C, 0x73, 0xF8, 0x33, 0x55},
     {{{133, 35, 0, 255}, {255, 61, 0, 255}, {168, 39, 0, 255}, {202, 44, 0, 255}}}},  // mode 10
    {true,
     {0xC3, 0x72, 0x6F, 0xCE, 0xA9, 0xC9, 0x96, 0x72, 0x12, 0x83, 0x7F, 0x87, 0x0A, 0xBD, 0x44, 0xAC},
     {{{0, 84, 128, 255}, {0, 42, 124, 255}, {33, 26, 122, 255}, {11, 29, 123, 255}}}},  // mode 11
    {true,
     {0x0F, 0xCF, 0x07, 0x1F, 0x1F, 0x5A, 0xE9, 0xA4, 0xC5, 0xCD, 0xB6, 0x21, 0x91, 0xC9, 0xF1, 0xF9},
     {{{20, 18, 24, 255}, {19, 18, 24, 255}, {20, 18, 24, 255}, {20, 18, 24, 255}}}},  // mode 14
};

TEST(Bc6h, EveryModeIsDecodedAsByAnotherDecoder) {
    for (const Known& known : known_blocks) {
        const BlockPixels pixels = decoded(known.block, known.is_signed);
        const std::array<std::size_t, 4> places{1, 6, 11, 15};
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t channel = 0; channel < 4; ++channel) {
                EXPECT_NEAR(color_of(pixels, places[i])[channel], known.pixels[i][channel], 1)
                    << "mode bits " << (known.block[0] & 31) << (known.is_signed ? ", signed" : "") << ", pixel "
                    << places[i];
            }
        }
    }
}

class BlockWriter {
public:
    BlockWriter& put(unsigned value, unsigned count) {
        for (unsigned i = 0; i < count; ++i, ++position_) {
            if (i < 32 && (value >> i & 1U) != 0)
                block_.at(position_ / 8) |= static_cast<std::uint8_t>(1U << position_ % 8);
        }
        return *this;
    }
    [[nodiscard]] const Block& block() const { return block_; }
    [[nodiscard]] unsigned position() const { return position_; }

private:
    Block block_{};
    unsigned position_ = 0;
};

TEST(Bc6h, SignedDeltasCrossZero) {
    BlockWriter writer;
    writer.put(1, 2).put(0, 3);
    writer.put(0x7D, 7).put(0, 3);  // red: from -3 ...
    writer.put(0, 7).put(0, 3).put(0, 7).put(0, 3);
    writer.put(31, 6).put(0, 36);  // ... by 31 to 28 of 63
    ASSERT_EQ(writer.position(), 77U);
    writer.put(0, 5).put(0, 2).put(7, 3);
    const BlockPixels pixels = decoded(writer.block(), true);
    EXPECT_EQ(color_of(pixels, 0), (Color{0, 0, 0, 255}));
    // 28 becomes the half float 0x3738, which is 0.4512.
    EXPECT_EQ(color_of(pixels, 1), (Color{115, 0, 0, 255}));
}

TEST(Bc6h, ReservedModesAreBlack) {
    for (const unsigned mode : {0x13U, 0x17U, 0x1BU, 0x1FU}) {
        Block block;
        block.fill(0xFF);
        block[0] = static_cast<std::uint8_t>(0xE0U | mode);
        for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(color_of(decoded(block, false), i), (Color{0, 0, 0, 255}));
    }
}

TEST(Bc6h, IsReadFromDdsFiles) {
    // Mode 11 without a line: one colour of ten bits a channel.
    BlockWriter writer;
    writer.put(3, 5).put(464, 10).put(1023, 10).put(0, 10).put(464, 10).put(1023, 10).put(0, 10);
    const Data block(writer.block().begin(), writer.block().end());
    for (const std::uint32_t number : {94U, 95U}) {
        const auto picture = decode(dds(4, 4, by_dxgi(number), block));
        ASSERT_TRUE(picture) << picture.error().message;
        // 464 becomes the half float 0x383F, which is 0.5308; the largest one is cut off at 1.
        EXPECT_EQ(pixel(*picture, 3, 3), (Color{135, 255, 0, 255}));
        EXPECT_FALSE(picture->has_alpha);
    }
    const auto as_signed = decode(dds(4, 4, by_dxgi(96), block));
    ASSERT_TRUE(as_signed);
    // The same bits are -1 as a signed number, and 464 of 511 is far above 1.
    EXPECT_EQ(pixel(*as_signed, 0, 0), (Color{255, 0, 0, 255}));
}

}  // namespace
}  // namespace effigy::image::test
