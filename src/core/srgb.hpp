#pragma once
/// The encoding of colours that displays and 8-bit images use.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace effigy {

template <std::floating_point Number>
[[nodiscard]] Number srgb_to_linear(Number value) noexcept {
    return value <= Number(0.04045) ? value / Number(12.92)
                                    : std::pow((value + Number(0.055)) / Number(1.055), Number(2.4));
}

template <std::floating_point Number>
[[nodiscard]] Number linear_to_srgb(Number value) noexcept {
    return value <= Number(0.0031308) ? value * Number(12.92)
                                      : Number(1.055) * std::pow(value, 1 / Number(2.4)) - Number(0.055);
}

/// What 8 bits say of 0 to 1; what is beyond stays at the end.
[[nodiscard]] inline std::uint8_t byte_of(float share) noexcept {
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * 255));
}

}  // namespace effigy
