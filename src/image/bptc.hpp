#pragma once
/// What BC6H and BC7 (both BPTC) share. The tables are those of the format itself: Khronos Data Format Specification,
/// "BPTC Compressed Texture Image Formats"; Direct3D's functional specification holds the same.

#include "internal.hpp"

namespace effigy::image::detail {

// Partitions into two subsets: one bit a pixel, the first pixel lowest.
inline constexpr std::array<std::uint16_t, 64> two_subsets{
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
    0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
    0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
    0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
    0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};

// The pixel of each further subset whose index lacks its highest bit; for the first subset it is pixel 0.
inline constexpr std::array<std::uint8_t, 64> second_of_two_anchor{
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};

inline constexpr std::array<std::uint8_t, 4> weights_of_2_bits{0, 21, 43, 64};
inline constexpr std::array<std::uint8_t, 8> weights_of_3_bits{0, 9, 18, 27, 37, 46, 55, 64};
inline constexpr std::array<std::uint8_t, 16> weights_of_4_bits{0,  4,  9,  13, 17, 21, 26, 30,
                                                                34, 38, 43, 47, 51, 55, 60, 64};

[[nodiscard]] inline unsigned weight(unsigned index, unsigned index_bits) noexcept {
    if (index_bits == 2) return weights_of_2_bits[index];
    if (index_bits == 3) return weights_of_3_bits[index];
    return weights_of_4_bits[index];
}

// 128 bits, the lowest first.
class BitReader {
public:
    explicit BitReader(Block16 block) noexcept {
        for (std::size_t i = 0; i < 8; ++i) {
            low_ |= std::to_integer<std::uint64_t>(block[i]) << (8 * i);
            high_ |= std::to_integer<std::uint64_t>(block[i + 8]) << (8 * i);
        }
    }

    // At most 16 bits.
    unsigned take(unsigned count) noexcept {
        if (count == 0) return 0;
        const auto value = static_cast<unsigned>(low_ & ((1U << count) - 1U));
        low_ = low_ >> count | high_ << (64 - count);
        high_ >>= count;
        return value;
    }

private:
    std::uint64_t low_ = 0;
    std::uint64_t high_ = 0;
};

}  // namespace effigy::image::detail
