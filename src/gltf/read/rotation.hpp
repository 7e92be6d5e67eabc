#pragma once
/// Rotations that ought to be of unit length.

#include <cmath>

#include "effigy/math.hpp"

namespace effigy::gltf {

/// Within what exporters round to; nothing is gained by turning such numbers into others.
[[nodiscard]] inline bool is_about_unit(const Quat& q) noexcept {
    const double square = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
    return square > 0.998 && square < 1.002;
}

/// The rotation with unit length; none at all if it has no length.
[[nodiscard]] inline Quat unit(const Quat& q) noexcept {
    const double length = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    if (!(length > 1e-30)) return {};
    const auto part = [&](float value) { return static_cast<float>(value / length); };
    return {part(q.x), part(q.y), part(q.z), part(q.w)};
}

}  // namespace effigy::gltf
