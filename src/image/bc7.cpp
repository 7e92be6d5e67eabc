/// BC7 (BPTC): eight bc7_modes of one to three subsets of pixels, each with a line between two colours.
/// The tables are those of the format itself: Khronos Data Format Specification, "BPTC Compressed Texture Image
/// Formats"; Direct3D's functional specification holds the same.

#include <bit>
#include <utility>

#include "bptc.hpp"

namespace effigy::image::detail {

namespace {

struct Bc7Mode {
    std::uint8_t subsets;
    std::uint8_t partition_bits;
    std::uint8_t rotation_bits;
    std::uint8_t selection_bits;
    std::uint8_t color_bits;
    std::uint8_t alpha_bits;
    std::uint8_t p_bits;  // extra lowest bits: 0 none, 1 one for each subset, 2 one for each end point
    std::uint8_t index_bits;
    std::uint8_t second_index_bits;
};

constexpr std::array<Bc7Mode, 8> bc7_modes{{
    {3, 4, 0, 0, 4, 0, 2, 3, 0},
    {2, 6, 0, 0, 6, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 2, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 2, 4, 0},
    {2, 6, 0, 0, 5, 5, 2, 2, 0},
}};

// Partitions into three subsets: two bits a pixel.
constexpr std::array<std::uint32_t, 64> three_subsets{
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254};

// As second_of_two_anchor.
constexpr std::array<std::uint8_t, 64> second_of_three_anchor{
    3, 3,  15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3, 3,  8, 15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3};
constexpr std::array<std::uint8_t, 64> third_of_three_anchor{
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8};

using Color = std::array<std::uint8_t, 4>;
using EndPoints = std::array<Color, 6>;  // two for each subset
using Indices = std::array<std::uint8_t, 16>;

// Spreads a value of `bits` bits over 0..255 by repeating its highest bits.
std::uint8_t widen(unsigned value, unsigned bits) noexcept {
    const unsigned high = value << (8 - bits);
    return static_cast<std::uint8_t>(high | high >> bits);
}

EndPoints read_end_points(BitReader& bits, const Bc7Mode& mode) noexcept {
    const std::size_t count = std::size_t{mode.subsets} * 2;
    std::array<std::array<unsigned, 4>, 6> raw{};
    for (std::size_t channel = 0; channel < 4; ++channel) {
        const unsigned width = channel < 3 ? mode.color_bits : mode.alpha_bits;
        for (std::size_t i = 0; i < count; ++i) raw[i][channel] = bits.take(width);
    }

    std::array<unsigned, 6> p_bits{};
    for (std::size_t i = 0; i < count; ++i) {
        const bool shared = mode.p_bits == 1 && i % 2 == 1;
        if (mode.p_bits != 0) p_bits[i] = shared ? p_bits[i - 1] : bits.take(1);
    }

    const unsigned extra = mode.p_bits != 0 ? 1 : 0;
    EndPoints end_points{};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t channel = 0; channel < 4; ++channel) {
            const unsigned width = channel < 3 ? mode.color_bits : mode.alpha_bits;
            end_points[i][channel] =
                width == 0 ? std::uint8_t{255} : widen(raw[i][channel] << extra | p_bits[i], width + extra);
        }
    }
    return end_points;
}

unsigned subset_of(const Bc7Mode& mode, unsigned partition, std::size_t pixel) noexcept {
    if (mode.subsets == 2) return static_cast<unsigned>(two_subsets[partition]) >> pixel & 1U;
    if (mode.subsets == 3) return three_subsets[partition] >> (2 * pixel) & 3U;
    return 0;
}

bool is_anchor(const Bc7Mode& mode, unsigned partition, std::size_t pixel) noexcept {
    if (pixel == 0) return true;
    if (mode.subsets == 2) return pixel == second_of_two_anchor[partition];
    if (mode.subsets == 3)
        return pixel == second_of_three_anchor[partition] || pixel == third_of_three_anchor[partition];
    return false;
}

Indices read_indices(BitReader& bits, const Bc7Mode& mode, unsigned partition, unsigned index_bits) noexcept {
    Indices indices{};
    if (index_bits == 0) return indices;
    for (std::size_t pixel = 0; pixel < 16; ++pixel) {
        const unsigned missing = is_anchor(mode, partition, pixel) ? 1 : 0;
        indices[pixel] = static_cast<std::uint8_t>(bits.take(index_bits - missing));
    }
    return indices;
}

std::uint8_t interpolate(unsigned first, unsigned second, unsigned weight_of_second) noexcept {
    return static_cast<std::uint8_t>(((64 - weight_of_second) * first + weight_of_second * second + 32) >> 6U);
}

}  // namespace

BlockPixels decode_bc7(Block16 block) noexcept {
    const int mode_number = std::countr_zero(std::to_integer<std::uint8_t>(block[0]));
    BlockPixels pixels{};
    if (mode_number == 8) return pixels;

    const Bc7Mode& mode = bc7_modes[static_cast<std::size_t>(mode_number)];
    BitReader bits(block);
    bits.take(static_cast<unsigned>(mode_number) + 1);
    const unsigned partition = bits.take(mode.partition_bits);
    const unsigned rotation = bits.take(mode.rotation_bits);
    const bool colors_use_second = bits.take(mode.selection_bits) != 0;
    const EndPoints end_points = read_end_points(bits, mode);

    Indices color_indices = read_indices(bits, mode, partition, mode.index_bits);
    Indices alpha_indices = color_indices;
    unsigned color_index_bits = mode.index_bits;
    unsigned alpha_index_bits = mode.index_bits;
    if (mode.second_index_bits != 0) {
        alpha_indices = read_indices(bits, mode, partition, mode.second_index_bits);
        alpha_index_bits = mode.second_index_bits;
    }
    if (colors_use_second) {
        std::swap(color_indices, alpha_indices);
        std::swap(color_index_bits, alpha_index_bits);
    }

    for (std::size_t pixel = 0; pixel < 16; ++pixel) {
        const std::size_t subset = subset_of(mode, partition, pixel);
        const Color& first = end_points[subset * 2];
        const Color& second = end_points[subset * 2 + 1];
        const unsigned color_weight = weight(color_indices[pixel], color_index_bits);
        const unsigned alpha_weight = weight(alpha_indices[pixel], alpha_index_bits);
        std::uint8_t* rgba = &pixels[pixel * 4];
        for (std::size_t channel = 0; channel < 3; ++channel) {
            rgba[channel] = interpolate(first[channel], second[channel], color_weight);
        }
        rgba[3] = interpolate(first[3], second[3], alpha_weight);
        if (rotation != 0) std::swap(rgba[3], rgba[rotation - 1]);
    }
    return pixels;
}

}  // namespace effigy::image::detail
