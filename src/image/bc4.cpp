/// BC4: two 8-bit end points and sixteen 3-bit indices into the values between them.

#include "internal.hpp"

namespace effigy::image::detail {

namespace {

using Palette = std::array<std::uint8_t, 8>;

// `numerator / denominator` lies in 0..255.
std::uint8_t unsigned_value(int numerator, int denominator) noexcept {
    return static_cast<std::uint8_t>((numerator + denominator / 2) / denominator);
}

// `numerator / denominator` lies in -127..127.
std::uint8_t signed_value(int numerator, int denominator) noexcept {
    return static_cast<std::uint8_t>(((numerator + 127 * denominator) * 255 + 127 * denominator) / (254 * denominator));
}

// Eight steps from `first` to `second`, or six and the two extremes, told by the order of the end points.
template <class ToValue>
Palette make_palette(int first, int second, int lowest, int highest, ToValue to_value) noexcept {
    const int steps = first > second ? 7 : 5;
    Palette palette{to_value(first, 1), to_value(second, 1)};
    for (int step = 1; step < steps; ++step) {
        palette[static_cast<std::size_t>(step) + 1] = to_value(first * (steps - step) + second * step, steps);
    }
    if (steps == 5) {
        palette[6] = to_value(lowest, 1);
        palette[7] = to_value(highest, 1);
    }
    return palette;
}

std::array<std::uint8_t, 16> look_up(const Palette& palette, Block8 block) noexcept {
    std::uint64_t indices = 0;
    for (std::size_t i = 0; i < 6; ++i) indices |= std::to_integer<std::uint64_t>(block[i + 2]) << (8 * i);
    std::array<std::uint8_t, 16> values{};
    for (std::size_t i = 0; i < 16; ++i) values[i] = palette[indices >> (3 * i) & 7U];
    return values;
}

// -128 stands for the same -1 as -127.
int signed_end_point(std::byte value) noexcept {
    const int number = static_cast<std::int8_t>(std::to_integer<std::uint8_t>(value));
    return number == -128 ? -127 : number;
}

}  // namespace

std::array<std::uint8_t, 16> decode_bc4(Block8 block) noexcept {
    const int first = std::to_integer<int>(block[0]);
    const int second = std::to_integer<int>(block[1]);
    return look_up(make_palette(first, second, 0, 255, unsigned_value), block);
}

std::array<std::uint8_t, 16> decode_bc4_signed(Block8 block) noexcept {
    const int first = signed_end_point(block[0]);
    const int second = signed_end_point(block[1]);
    return look_up(make_palette(first, second, -127, 127, signed_value), block);
}

}  // namespace effigy::image::detail
