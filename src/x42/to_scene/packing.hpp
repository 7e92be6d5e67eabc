#pragma once
/// From numbers to codes: docs/formats/x42.md, "Numbers". Always to the nearest.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "effigy/x42.hpp"

#include "scene/wide_math.hpp"

namespace effigy::x42::bridge {

/// The code that a range's upper end has.
inline constexpr double full_code = 65530;

/// What is not in the range gets its nearest code.
[[nodiscard]] inline std::uint16_t pack(double value, const Range& range) noexcept {
    const double size = static_cast<double>(range.high) - static_cast<double>(range.low);
    const double code = size != 0 ? (value - static_cast<double>(range.low)) / size * full_code : 0;
    return code > 0 ? static_cast<std::uint16_t>(std::lround(std::min(code, 65535.0))) : std::uint16_t{0};
}

/// The range of some values.
class ValueRange {
public:
    void add(float value) noexcept {
        range_ = any_ ? Range{std::min(range_.low, value), std::max(range_.high, value)} : Range{value, value};
        any_ = true;
    }
    /// That of the file that the values come from, if it holds them and is not much larger: codes then stay the same.
    [[nodiscard]] Range range(const Range* old) const noexcept {
        if (old == nullptr || !(old->low <= range_.low && old->high >= range_.high)) return range_;
        return old->high - old->low <= 2 * (range_.high - range_.low) ? *old : range_;
    }

private:
    Range range_{};
    bool any_ = false;
};

[[nodiscard]] inline PackedVec3 pack(const glm::dvec3& v, const std::array<Range, 3>& ranges) noexcept {
    return {pack(v.x, ranges[0]), pack(v.y, ranges[1]), pack(v.z, ranges[2])};
}

/// A number of -1 to 1 in units of 1 / `most`.
template <class Code>
[[nodiscard]] Code pack_unit(double value, double most) noexcept {
    return static_cast<Code>(std::isfinite(value) ? std::lround(std::clamp(value, -1.0, 1.0) * most) : 0);
}

[[nodiscard]] inline PackedNormal pack_normal(const glm::dvec3& n) noexcept {
    return {pack_unit<std::int8_t>(n.x, 127), pack_unit<std::int8_t>(n.y, 127), pack_unit<std::int8_t>(n.z, 127)};
}

/// Tangent, and bitangent on the side that `side` says, as glTF has them.
[[nodiscard]] inline PackedTangent pack_tangent(const glm::dvec3& normal, const glm::dvec3& tangent,
                                                double side) noexcept {
    const double sign = side < 0 ? -1 : 1;
    const PackedNormal t = pack_normal(tangent), b = pack_normal(sign * glm::cross(normal, tangent));
    return {t[0], t[1], t[2], static_cast<std::int8_t>(sign * 127), b[0], b[1], b[2]};
}

[[nodiscard]] inline PackedQuat pack_rotation(const Quat& q) noexcept {
    const auto code = [](float value) { return pack_unit<std::int16_t>(static_cast<double>(value), 32767); };
    return {code(q.x), code(q.y), code(q.z), code(q.w)};
}

}  // namespace effigy::x42::bridge
