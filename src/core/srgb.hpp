#pragma once
/// The encoding of colours that displays and 8-bit images use.

#include <cmath>

namespace effigy {

[[nodiscard]] inline float srgb_to_linear(float value) noexcept {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

[[nodiscard]] inline float linear_to_srgb(float value) noexcept {
    return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1.0f / 2.4f) - 0.055f;
}

}  // namespace effigy
