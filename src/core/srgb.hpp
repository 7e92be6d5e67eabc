#pragma once
/// The encoding of colours that displays and 8-bit images use.

#include <cmath>
#include <concepts>

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

}  // namespace effigy
