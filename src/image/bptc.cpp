/// BC6H and BC7 (both BPTC), decoded: lines between two colours in one to three subsets of the pixels. The tables are
/// those of the format itself: Khronos Data Format Specification, "BPTC Compressed Texture Image Formats"; Direct3D's
/// functional specification holds the same.

#include <bit>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/half.hpp"
#include "internal.hpp"

namespace effigy::image::detail {

namespace {

// Partitions into two subsets: one bit a pixel, the first pixel lowest.
constexpr std::array<std::uint16_t, 64> two_subsets{
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
    0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
    0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
    0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
    0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};

// The pixel of each further subset whose index lacks its highest bit; for the first subset it is pixel 0.
constexpr std::array<std::uint8_t, 64> second_of_two_anchor{
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};

constexpr std::array<std::uint8_t, 4> weights_of_2_bits{0, 21, 43, 64};
constexpr std::array<std::uint8_t, 8> weights_of_3_bits{0, 9, 18, 27, 37, 46, 55, 64};
constexpr std::array<std::uint8_t, 16> weights_of_4_bits{0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

unsigned weight(unsigned index, unsigned index_bits) noexcept {
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

// The last scaling makes room for all finite half floats and no others. What is below 0 or above 1 is cut off.
std::uint8_t to_byte(int value, bool is_signed) noexcept {
    if (value <= 0) return 0;
    const auto bits = static_cast<unsigned>(is_signed ? value * 31 >> 5 : value * 31 >> 6);
    const float color = half_to_float(static_cast<std::uint16_t>(bits));
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
