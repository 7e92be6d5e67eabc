#pragma once
/// When a link says what it should, for checks and conversions alike.

#include <algorithm>
#include <cmath>

#include "effigy/math.hpp"

namespace effigy::arp {

/// How far from 1 a point's weights may add up to: known avatars come within 3e-6.
inline constexpr double weight_tolerance = 1e-4;

/// Whether a link's distance along the bone is not that of its offset. Relative, and for distances below 1 in units.
[[nodiscard]] inline bool is_distance_off(float distance, const Vec3& offset) noexcept {
    constexpr double tolerance = 1e-4;
    const double along = std::max(0.0, double{offset.x});
    return !(std::abs(double{distance} - along) <= tolerance * std::max(1.0, along));
}

}  // namespace effigy::arp
