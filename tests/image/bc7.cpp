/// BC7 blocks of every mode, written bit by bit.

#include <algorithm>
#include <gtest/gtest.h>

#include "image/internal.hpp"
#include "samples.hpp"

namespace effigy::image::test {
namespace {

using detail::BlockPixels;

class BlockWriter {
public:
    explicit BlockWriter(unsigned mode) { put(1U << mode, mode + 1); }

    BlockWriter& put(unsigned value, unsigned count) {
        for (unsigned i = 0; i < count; ++i, ++position_) {
            EXPECT_LT(position_, 128U);
            if ((value >> i & 1U) != 0) block_.at(position_ / 8) |= std::byte{1} << static_cast<int>(position_ % 8);
        }
        return *this;
    }
    BlockWriter& put_all(std::initializer_list<unsigned> values, unsigned count) {
        for (unsigned value : values) put(value, count);
        return *this;
    }
    BlockWriter& fill_with_ones() {
        while (position_ < 128) put(1, 1);
        return *this;
    }
    [[nodiscard]] unsigned position() const { return position_; }
    [[nodiscard]] BlockPixels decoded() const { return detail::decode_bc7(block_); }

private:
    std::array<std::byte, 16> block_{};
    unsigned position_ = 0;
};

Color color_of(const BlockPixels& pixels, std::size_t i) {
    return {pixels[i * 4], pixels[i * 4 + 1], pixels[i * 4 + 2], pixels[i * 4 + 3]};
}

TEST(Bc7, Mode6RunsThroughSixteenColors) {
    BlockWriter block(6);
    block.put_all({0, 127, 127, 0, 64, 64, 0, 127}, 7);  // red, green, blue, alpha: from, to
    block.put(0, 1).put(1, 1);                           // lowest bits
    block.put(0, 3);
    for (unsigned i = 1; i < 16; ++i) block.put(i, 4);
    ASSERT_EQ(block.position(), 128U);
    const BlockPixels pixels = block.decoded();
    const std::array<int, 16> up{0, 16, 36, 52, 68, 84, 104, 120, 135, 151, 171, 187, 203, 219, 239, 255};
    for (std::size_t i = 0; i < 16; ++i) {
        const Color color = color_of(pixels, i);
        EXPECT_EQ(color[0], up[i]);
        EXPECT_EQ(color[3], up[i]);
        EXPECT_NEAR(color[1], 254 - up[i] * 253 / 255, 1);
        EXPECT_NEAR(color[2], 128, 1);
    }
    EXPECT_EQ(color_of(pixels, 0), (Color{0, 254, 128, 0}));
    EXPECT_EQ(color_of(pixels, 15), (Color{255, 1, 129, 255}));
}

TEST(Bc7, Mode5HasItsOwnIndicesForAlphaAndRotatesChannels) {
    const std::array<Color, 4> last{{{255, 126, 0, 200}, {200, 126, 0, 255}, {255, 200, 0, 126}, {255, 126, 200, 0}}};
    for (unsigned rotation = 0; rotation < 4; ++rotation) {
        BlockWriter block(5);
        block.put(rotation, 2);
        block.put_all({0, 127, 0, 63, 0, 0}, 7).put_all({100, 200}, 8);
        block.put(0, 1);
        for (unsigned i = 1; i < 16; ++i) block.put(i % 4, 2);  // colours
        block.put(0, 1);
        for (unsigned i = 1; i < 16; ++i) block.put(i / 4, 2);  // alpha
        ASSERT_EQ(block.position(), 128U);
        EXPECT_EQ(color_of(block.decoded(), 15), last.at(rotation)) << rotation;
        if (rotation != 0) continue;
        EXPECT_EQ(color_of(block.decoded(), 1), (Color{84, 41, 0, 100}));
        EXPECT_EQ(color_of(block.decoded(), 4), (Color{0, 0, 0, 133}));
        EXPECT_EQ(color_of(block.decoded(), 8), (Color{0, 0, 0, 167}));
    }
}

TEST(Bc7, Mode4ChoosesWhichIndicesAreForAlpha) {
    for (unsigned selection = 0; selection < 2; ++selection) {
        BlockWriter block(4);
        block.put(0, 2).put(selection, 1);
        block.put_all({0, 31, 0, 0, 31, 31}, 5).put_all({0, 63}, 6);
        block.put(0, 1);
        for (unsigned i = 1; i < 16; ++i) block.put(1, 2);
        block.put(0, 2);
        for (unsigned i = 1; i < 16; ++i) block.put(1, 3);
        ASSERT_EQ(block.position(), 128U);
        const Color expected = selection == 0 ? Color{84, 0, 255, 36} : Color{36, 0, 255, 84};
        EXPECT_EQ(color_of(block.decoded(), 0), (Color{0, 0, 255, 0}));
        EXPECT_EQ(color_of(block.decoded(), 9), expected);
    }
}

TEST(Bc7, Mode1SharesALowestBitInEachSubset) {
    BlockWriter block(1);
    block.put(0, 6);  // left half, right half
    block.put_all({63, 63, 0, 0}, 6).put_all({0, 0, 63, 63}, 6).put_all({0, 0, 0, 0}, 6);
    block.put(1, 1).put(0, 1);
    const BlockPixels pixels = block.decoded();
    // 63 with a lowest bit of 1 is 127 of 127; 0 with 1 is 1 of 127, widened to 2; 63 with 0 is 126 of 127.
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_EQ(color_of(pixels, i), i % 4 < 2 ? (Color{255, 2, 2, 255}) : (Color{0, 253, 0, 255})) << i;
    }
}

TEST(Bc7, Mode3HasALowestBitForEachEndPoint) {
    BlockWriter block(3);
    block.put(13, 6);  // upper half, lower half
    block.put_all({127, 0, 0, 0}, 7).put_all({0, 0, 127, 0}, 7).put_all({0, 0, 0, 127}, 7);
    block.put_all({1, 0, 0, 1}, 1);
    block.put(0, 1);
    for (unsigned i = 1; i < 15; ++i) block.put(i % 4 == 3 ? 3 : 0, 2);
    block.put(1, 1);
    ASSERT_EQ(block.position(), 128U);
    const BlockPixels pixels = block.decoded();
    EXPECT_EQ(color_of(pixels, 0), (Color{255, 1, 1, 255}));
    EXPECT_EQ(color_of(pixels, 3), (Color{0, 0, 0, 255}));
    EXPECT_EQ(color_of(pixels, 8), (Color{0, 254, 0, 255}));
    EXPECT_EQ(color_of(pixels, 11), (Color{1, 1, 255, 255}));
    // Index 1 of the anchor: a third of the way from {0, 254, 0} to {1, 1, 255}.
    EXPECT_EQ(color_of(pixels, 15), (Color{0, 171, 84, 255}));
}

TEST(Bc7, Modes0And2HaveThreeSubsets) {
    BlockWriter mode0(0);
    mode0.put(8, 4);  // two rows, one row, one row
    mode0.put_all({15, 15, 0, 0, 0, 0}, 4).put_all({0, 0, 15, 15, 0, 0}, 4).put_all({0, 0, 0, 0, 15, 15}, 4);
    mode0.put_all({0, 0, 1, 1, 0, 0}, 1);
    BlockWriter mode2(2);
    mode2.put(8, 6);
    mode2.put_all({31, 31, 0, 0, 0, 0}, 5).put_all({0, 0, 31, 31, 0, 0}, 5).put_all({0, 0, 0, 0, 31, 31}, 5);
    const BlockPixels pixels0 = mode0.decoded();
    const BlockPixels pixels2 = mode2.decoded();
    const std::array<Color, 3> expected0{{{247, 0, 0, 255}, {8, 255, 8, 255}, {0, 0, 247, 255}}};
    const std::array<Color, 3> expected2{{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}}};
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t subset = i < 8 ? 0 : i / 4 - 1;
        EXPECT_EQ(color_of(pixels0, i), expected0.at(subset)) << i;
        EXPECT_EQ(color_of(pixels2, i), expected2.at(subset)) << i;
    }
}

TEST(Bc7, Mode7HasAlphaInTwoSubsets) {
    BlockWriter block(7);
    block.put(13, 6);
    block.put_all({31, 31, 0, 0}, 5).put_all({0, 0, 31, 31}, 5).put_all({0, 0, 0, 0}, 5).put_all({31, 31, 16, 16}, 5);
    block.put_all({1, 1, 0, 0}, 1);
    const BlockPixels pixels = block.decoded();
    EXPECT_EQ(color_of(pixels, 0), (Color{255, 4, 4, 255}));
    EXPECT_EQ(color_of(pixels, 15), (Color{0, 251, 0, 130}));
}

TEST(Bc7, TheReservedModeIsTransparentBlack) {
    std::array<std::byte, 16> block{};
    block.fill(std::byte{0xFF});
    block[0] = std::byte{0};
    const BlockPixels pixels = detail::decode_bc7(block);
    EXPECT_TRUE(std::all_of(pixels.begin(), pixels.end(), [](auto value) { return value == 0; }));
}

// With every index bit set, a subset whose second end point alone is white is white everywhere but at its anchor,
// whose index lacks the highest bit. So each subset of each partition must have exactly one such pixel, and more than
// nothing else.
TEST(Bc7, EverySubsetOfEveryPartitionHasItsOneAnchor) {
    struct Mode {
        unsigned number, subsets, partition_bits, color_bits, alpha_bits, p_bits;
        std::uint8_t anchor;  // 255 at the weight of that index
    };
    const std::array<Mode, 5> modes{{{0, 3, 4, 4, 0, 0, 108},
                                     {1, 2, 6, 6, 0, 0, 108},
                                     {2, 3, 6, 5, 0, 0, 84},
                                     {3, 2, 6, 7, 0, 0, 84},
                                     {7, 2, 6, 5, 5, 0, 84}}};
    for (const Mode& mode : modes) {
        for (unsigned partition = 0; partition < 1U << mode.partition_bits; ++partition) {
            std::size_t covered = 0;
            for (unsigned white = 0; white < mode.subsets; ++white) {
                BlockWriter block(mode.number);
                block.put(partition, mode.partition_bits);
                for (unsigned channel = 0; channel < 4; ++channel) {
                    const unsigned bits = channel < 3 ? mode.color_bits : mode.alpha_bits;
                    for (unsigned i = 0; i < mode.subsets * 2; ++i) block.put(i == white * 2 + 1 ? 0xFF : 0, bits);
                }
                // Lowest bits: only the white end points' are set where each end point has its own.
                if (mode.number == 1) block.put(0, 2);
                if (mode.number == 0 || mode.number == 3 || mode.number == 7) {
                    for (unsigned i = 0; i < mode.subsets * 2; ++i) block.put(i == white * 2 + 1 ? 1 : 0, 1);
                }
                block.fill_with_ones();
                const BlockPixels pixels = block.decoded();
                std::size_t anchors = 0;
                std::size_t others = 0;
                const std::uint8_t full = mode.number == 1 ? 253 : 255;
                for (std::size_t i = 0; i < 16; ++i) {
                    const std::uint8_t red = pixels[i * 4];
                    if (red == full) ++others;
                    if (red > 0 && red < full) {
                        EXPECT_NEAR(red, mode.anchor, 1);
                        ++anchors;
                    }
                }
                EXPECT_EQ(anchors, 1U) << "mode " << mode.number << " partition " << partition << " subset " << white;
                EXPECT_LT(pixels[0], full);  // black, or the first subset's anchor
                covered += anchors + others;
            }
            EXPECT_EQ(covered, 16U) << "mode " << mode.number << " partition " << partition;
        }
    }
}

TEST(Bc7, IsReadFromDds) {
    Data block(16, 0);
    block[0] = 0x40;  // mode 6, all black and transparent
    const auto picture = decode(dds(3, 2, by_dxgi(99), block));
    ASSERT_TRUE(picture);
    EXPECT_EQ(pixel(*picture, 2, 1), (Color{0, 0, 0, 0}));
    EXPECT_TRUE(picture->has_alpha);
}

}  // namespace
}  // namespace effigy::image::test
