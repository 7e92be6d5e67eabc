/// BC6H (BPTC of half floats): fourteen modes of one or two subsets of pixels, each with a line between two colours.

#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include "bptc.hpp"

namespace effigy::image::detail {

namespace {

// End points: w and x are the line of the first subset, y and z that of the second.
constexpr std::string_view points = "wxyz";
constexpr std::string_view channel_letters = "rgb";

// One bit of a block's header: which bit of which number it is.
struct Place {
    std::uint8_t channel = 0;
    std::uint8_t point = 0;  // 4: the partition
    std::uint8_t bit = 0;
};

struct Mode {
    unsigned mode_bits = 5;
    std::array<unsigned, 3> delta_bits{};  // of x, y and z; in absolute modes as many as base_bits
    unsigned base_bits = 0;
    bool two_subsets = true;
    bool deltas = true;
    std::array<Place, 80> places{};
    unsigned place_count = 0;
};

constexpr unsigned number_at(std::string_view text, std::size_t& at) {
    unsigned number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        number = number * 10 + static_cast<unsigned>(text[at] - '0');
    }
    return number;
}

// The layout as the specification's tables write it, after the mode's own bits: "rw9:0" stands for the bits 0 to 9 of
// the red of w, "rw10:11" for bit 11 and then 10, "d4:0" for the partition.
constexpr Mode make_mode(unsigned mode_bits, unsigned base_bits, std::array<unsigned, 3> delta_bits, bool deltas,
                         std::string_view layout) {
    Mode mode;
    mode.mode_bits = mode_bits;
    mode.base_bits = base_bits;
    mode.delta_bits = delta_bits;
    mode.deltas = deltas;
    mode.two_subsets = layout.find('d') != std::string_view::npos;
    for (std::size_t at = 0; at < layout.size(); ++at) {
        const bool partition = layout[at] == 'd';
        Place place;
        place.channel = partition ? std::uint8_t{0} : static_cast<std::uint8_t>(channel_letters.find(layout[at]));
        place.point = partition ? std::uint8_t{4} : static_cast<std::uint8_t>(points.find(layout[++at]));
        ++at;
        const unsigned last = number_at(layout, at);
        unsigned bit = last;
        if (at < layout.size() && layout[at] == ':') bit = number_at(layout, ++at);
        for (;; bit < last ? ++bit : --bit) {
            place.bit = static_cast<std::uint8_t>(bit);
            mode.places[mode.place_count++] = place;
            if (bit == last) break;
        }
    }
    return mode;
}

constexpr std::array<Mode, 14> modes{
    make_mode(2, 10, {5, 5, 5}, true,
              "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"),
    make_mode(2, 7, {6, 6, 6}, true,
              "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 "
              "ry5:0 rz5:0 d4:0"),
    make_mode(5, 11, {5, 4, 4}, true,
              "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"),
    make_mode(
        5, 11, {4, 5, 4}, true,
        "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3 "
        "d4:0"),
    make_mode(
        5, 11, {4, 4, 5}, true,
        "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3 "
        "d4:0"),
    make_mode(5, 9, {5, 5, 5}, true,
              "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"),
    make_mode(5, 8, {6, 5, 5}, true,
              "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0 d4:0"),
    make_mode(5, 8, {5, 6, 5}, true,
              "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 "
              "bz3 d4:0"),
    make_mode(5, 8, {5, 5, 6}, true,
              "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 "
              "bz3 d4:0"),
    make_mode(5, 6, {6, 6, 6}, false,
              "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 "
              "ry5:0 rz5:0 d4:0"),
    make_mode(5, 10, {10, 10, 10}, false, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"),
    make_mode(5, 11, {9, 9, 9}, true, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"),
    make_mode(5, 12, {8, 8, 8}, true, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"),
    make_mode(5, 16, {4, 4, 4}, true, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15"),
};

// By the lowest five bits of a block; nothing for the reserved ones.
const Mode* mode_of(unsigned bits) noexcept {
    constexpr std::array<unsigned, 14> codes{0x00, 0x01, 0x02, 0x06, 0x0A, 0x0E, 0x12,
                                             0x16, 0x1A, 0x1E, 0x03, 0x07, 0x0B, 0x0F};
    for (std::size_t i = 0; i < modes.size(); ++i) {
        const unsigned mask = (1U << modes[i].mode_bits) - 1U;
        if ((bits & mask) == codes[i]) return &modes[i];
    }
    return nullptr;
}

using Numbers = std::array<std::array<int, 4>, 3>;  // by channel and point

struct Lines {
    Numbers numbers{};
    unsigned partition = 0;
};

Lines read_lines(BitReader& bits, const Mode& mode) noexcept {
    Lines lines;
    for (unsigned i = 0; i < mode.place_count; ++i) {
        const Place& place = mode.places[i];
        const unsigned value = bits.take(1) << place.bit;
        if (place.point == 4) {
            lines.partition |= value;
        } else {
            lines.numbers[place.channel][place.point] |= static_cast<int>(value);
        }
    }
    return lines;
}

int sign_extended(int value, unsigned bits) noexcept {
    const int sign = 1 << (bits - 1);
    return (value ^ sign) - sign;
}

void apply_deltas(Numbers& numbers, const Mode& mode, bool is_signed) noexcept {
    for (std::size_t channel = 0; channel < 3; ++channel) {
        std::array<int, 4>& points_of_line = numbers[channel];
        const int base = points_of_line[0];
        const int mask = (1 << mode.base_bits) - 1;
        for (std::size_t point = 1; point < 4 && mode.deltas; ++point) {
            points_of_line[point] = (base + sign_extended(points_of_line[point], mode.delta_bits[channel])) & mask;
        }
        if (!is_signed) continue;
        for (int& value : points_of_line) value = sign_extended(value, mode.base_bits);
    }
}

// To the 16 bits (signed: 15 and a sign) between which colours are interpolated.
int unquantized(int value, unsigned bits, bool is_signed) noexcept {
    if (!is_signed) {
        if (bits >= 15 || value == 0) return value;
        return value == (1 << bits) - 1 ? 0xFFFF : ((value << 16) + 0x8000) >> bits;
    }
    if (bits >= 16) return value;
    const int size = value < 0 ? -value : value;
    if (size == 0) return 0;
    const int result = size >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -result : result;
}

// The bits of a half float that is not negative.
float from_half(unsigned bits) noexcept {
    const unsigned exponent = bits >> 10U;
    const unsigned fraction = bits & 0x3FFU;
    if (exponent == 0) return static_cast<float>(fraction) / 16777216.0F;  // 2^-24
    return std::bit_cast<float>((exponent + 112) << 23U | fraction << 13U);
}

// The last scaling makes room for all finite half floats and no others. What is below 0 or above 1 is cut off.
std::uint8_t to_byte(int value, bool is_signed) noexcept {
    if (value <= 0) return 0;
    const auto bits = static_cast<unsigned>(is_signed ? value * 31 >> 5 : value * 31 >> 6);
    const float color = from_half(bits);
    return color >= 1 ? std::uint8_t{255} : static_cast<std::uint8_t>(std::lround(color * 255));
}

}  // namespace

BlockPixels decode_bc6h(Block16 block, bool is_signed) noexcept {
    BlockPixels pixels{};
    for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
    const Mode* mode = mode_of(std::to_integer<unsigned>(block[0]) & 0x1FU);
    if (mode == nullptr) return pixels;

    BitReader bits(block);
    bits.take(mode->mode_bits);
    Lines lines = read_lines(bits, *mode);
    apply_deltas(lines.numbers, *mode, is_signed);
    const unsigned index_bits = mode->two_subsets ? 3 : 4;
    for (std::size_t pixel = 0; pixel < 16; ++pixel) {
        const bool anchor = pixel == 0 || (mode->two_subsets && pixel == second_of_two_anchor[lines.partition]);
        const auto share = static_cast<int>(weight(bits.take(index_bits - (anchor ? 1 : 0)), index_bits));
        const std::size_t subset =
            mode->two_subsets ? static_cast<unsigned>(two_subsets[lines.partition]) >> pixel & 1U : 0;
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const std::array<int, 4>& line = lines.numbers[channel];
            const int first = unquantized(line[subset * 2], mode->base_bits, is_signed);
            const int second = unquantized(line[subset * 2 + 1], mode->base_bits, is_signed);
            pixels[pixel * 4 + channel] = to_byte((first * (64 - share) + second * share + 32) >> 6, is_signed);
        }
    }
    return pixels;
}

}  // namespace effigy::image::detail
