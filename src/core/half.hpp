#pragma once
/// 16-bit floats: 1 sign, 5 exponent and 10 fraction bits, as IEEE 754 has them.

#include <bit>
#include <cstdint>

namespace effigy {

[[nodiscard]] constexpr float half_to_float(std::uint16_t half) noexcept {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
    const std::uint32_t exponent = (half >> 10) & 31u, fraction = half & 0x3ffu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    constexpr float smallest = 1.0f / 16777216.0f;  // 2^-24, the unit of what is too small for an exponent
    const float value = static_cast<float>(fraction) * smallest;
    return sign != 0 ? -value : value;
}

/// The nearest half, to even where two are as near; beyond the largest it is infinite. NaN stays NaN.
[[nodiscard]] constexpr std::uint16_t half_from_float(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const auto with_sign = [&](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
    if (magnitude > 0x7f800000u) return with_sign(0x7e00u);
    if (magnitude >= 0x477ff000u) return with_sign(0x7c00u);  // from 65520 on
    if (magnitude < 0x33000000u) return sign;                 // up to 2^-25
    const std::uint32_t exponent = magnitude >> 23;
    // Bits that do not fit; the fraction's leading one is written out where the half has none of its own.
    const std::uint32_t dropped = exponent >= 113 ? 13 : 126 - exponent;
    const std::uint32_t number =
        exponent >= 113 ? magnitude - (std::uint32_t{112} << 23) : (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t half = number >> dropped, rest = number & ((1u << dropped) - 1), middle = 1u << (dropped - 1);
    return with_sign(half + (rest > middle || (rest == middle && (half & 1u) != 0) ? 1u : 0u));
}

}  // namespace effigy
