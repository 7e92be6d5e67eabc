/// Decodes BC1, BC3, BC4 and BC5 one pixel after the other.

#include "block_reference.hpp"

#include <cmath>

namespace effigy::image::test {
namespace {

using Real = std::array<double, 4>;
using Block = std::span<const std::byte>;

unsigned at(Block block, std::size_t offset) { return std::to_integer<unsigned>(block[offset]); }

// Bits of a number whose first byte is the lowest.
unsigned bits(Block block, std::size_t first, std::size_t count) {
    unsigned value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bit = first + i;
        value |= (at(block, bit / 8) >> (bit % 8) & 1U) << i;
    }
    return value;
}

Real color_of(unsigned packed) {
    const auto share = [packed](unsigned shift, unsigned width) {
        const unsigned value = packed >> shift & ((1U << width) - 1);
        return static_cast<double>(value << (8 - width) | value >> (2 * width - 8));
    };
    return {share(11, 5), share(5, 6), share(0, 5), 255};
}

Real between(const Real& a, const Real& b, double share) {
    Real result{};
    for (std::size_t i = 0; i < 4; ++i) result[i] = a[i] + (b[i] - a[i]) * share;
    return result;
}

// `always_four`: the colours of BC3 have no transparent one.
Real color_at(Block block, std::size_t pixel, bool always_four) {
    const unsigned packed_first = bits(block, 0, 16), packed_second = bits(block, 16, 16);
    const Real first = color_of(packed_first), second = color_of(packed_second);
    const unsigned index = bits(block, 32 + 2 * pixel, 2);
    if (index == 0) return first;
    if (index == 1) return second;
    if (always_four || packed_first > packed_second) return between(first, second, index == 2 ? 1.0 / 3 : 2.0 / 3);
    return index == 2 ? between(first, second, 0.5) : Real{0, 0, 0, 0};
}

double value_at(Block block, std::size_t pixel) {
    const double first = at(block, 0), second = at(block, 1);
    const unsigned index = bits(block, 16 + 3 * pixel, 3);
    if (index == 0) return first;
    if (index == 1) return second;
    if (first > second) return first + (second - first) * (index - 1) / 7;
    if (index > 5) return index == 6 ? 0 : 255;
    return first + (second - first) * (index - 1) / 5;
}

Real pixel_of(Blocks kind, Block block, std::size_t pixel) {
    switch (kind) {
        case Blocks::bc1:
            return color_at(block, pixel, false);
        case Blocks::bc3: {
            Real color = color_at(block.subspan(8), pixel, true);
            color[3] = value_at(block, pixel);
            return color;
        }
        case Blocks::bc4:
            return {value_at(block, pixel), 0, 0, 255};
        case Blocks::bc5:
            return {value_at(block, pixel), value_at(block.subspan(8), pixel), 0, 255};
    }
    return {};
}

}  // namespace

Picture decode_blocks(Blocks kind, std::uint32_t width, std::uint32_t height, std::span<const std::byte> blocks) {
    Picture picture;
    picture.width = width;
    picture.height = height;
    const std::size_t size = kind == Blocks::bc1 || kind == Blocks::bc4 ? 8 : 16;
    const std::size_t across = (width + 3) / 4;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const Block block = blocks.subspan((y / 4 * across + x / 4) * size, size);
            for (const double value : pixel_of(kind, block, std::size_t{y} % 4 * 4 + x % 4))
                picture.rgba.push_back(static_cast<std::byte>(std::lround(value)));
        }
    }
    return picture;
}

}  // namespace effigy::image::test
