#pragma once
/// RotationRule::by_angle, one number after the other.

#include <cmath>

#include "effigy/math.hpp"

namespace effigy {

/// Cosines of half the angle between two rotations: from the first one on the way is straight, from the second one on
/// straight and then brought to unit length, and below that an arc at constant speed.
inline constexpr float straight_cosine = 0.99999f;
inline constexpr float shortened_cosine = 0.2f;

/// What the two ends are multiplied with; the second one for the shorter way.
template <class Number>
struct MixFactors {
    Number from, to;
};

/// `fraction` may lie beyond 0..1.
template <class Number>
[[nodiscard]] MixFactors<Number> factors_by_angle(Number cosine, Number fraction) noexcept {
    if (cosine >= static_cast<Number>(shortened_cosine)) return {1 - fraction, fraction};
    const Number angle = std::acos(cosine);
    const Number sine = std::sqrt(1 - cosine * cosine);
    return {std::sin((1 - fraction) * angle) / sine, std::sin(fraction * angle) / sine};
}

[[nodiscard]] inline float product_of(const Quat& a, const Quat& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// What does not change is not touched at all, so that a key stays as it is.
[[nodiscard]] inline Quat mix_by_angle(const Quat& from, const Quat& to, float fraction) noexcept {
    if (from == to) return from;
    const float product = product_of(from, to);
    const float cosine = std::fabs(product);
    auto [a, b] = factors_by_angle(cosine, fraction);
    if (product < 0) b = -b;
    const Quat mixed{a * from.x + b * to.x, a * from.y + b * to.y, a * from.z + b * to.z, a * from.w + b * to.w};
    if (cosine < shortened_cosine || cosine >= straight_cosine) return mixed;
    const float square = product_of(mixed, mixed);
    if (square == 0) return {};
    const float factor = 1 / std::sqrt(square);
    return {mixed.x * factor, mixed.y * factor, mixed.z * factor, mixed.w * factor};
}

}  // namespace effigy
