/// Packs rotations into 16 bits and weights into 65535 steps, so that unchanged ones come back exactly.

#include "emfx/to_scene/key_codes.hpp"

#include <algorithm>
#include <cmath>

namespace effigy::emfx::bridge {
namespace {

constexpr double whole = 32767;

float square(const Quat& q) noexcept { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }

std::int16_t rounded(double value) noexcept {
    return static_cast<std::int16_t>(std::lround(std::clamp(value, -whole, whole)));
}

xsm::PackedQuat scaled(const Quat& q, double length) noexcept {
    return {rounded(length * q.x), rounded(length * q.y), rounded(length * q.z), rounded(length * q.w)};
}

/// Whether the packed rotation is this one: to the bit, or up to what floats cannot tell apart.
bool is_same(const Quat& q, const xsm::PackedQuat& packed, float rounding) noexcept {
    const Quat again = unit(unpacked(packed));
    return std::fabs(again.x - q.x) <= rounding && std::fabs(again.y - q.y) <= rounding &&
           std::fabs(again.z - q.z) <= rounding && std::fabs(again.w - q.w) <= rounding;
}

}  // namespace

bool is_unit(const Quat& rotation) noexcept {
    constexpr float rounding = 1e-5f;
    return std::fabs(square(rotation) - 1) <= rounding;
}

Quat unit(const Quat& rotation) noexcept {
    const float scale = 1.0f / std::sqrt(square(rotation));
    return {rotation.x * scale, rotation.y * scale, rotation.z * scale, rotation.w * scale};
}

xsm::PackedQuat pack(const Quat& rotation) noexcept {
    const double largest =
        std::max({std::fabs(rotation.x), std::fabs(rotation.y), std::fabs(rotation.z), std::fabs(rotation.w)});
    if (!(largest > 1e-6) || !std::isfinite(largest)) return {};
    const double cut = std::floor(std::min(largest, 1.0) * whole + 1e-3);
    for (const float rounding : {0.0f, 1.5e-7f}) {
        for (const double number : {cut, cut - 1, cut - 2, cut + 1}) {
            const xsm::PackedQuat packed = scaled(rotation, std::clamp(number, 1.0, whole) / largest);
            if (is_same(rotation, packed, rounding)) return packed;
        }
    }
    return scaled(rotation, whole / std::sqrt(std::max(static_cast<double>(square(rotation)), 1e-12)));
}

void to_file(const Quat& rotation, Quat& out) noexcept { out = mirrored(rotation); }
void to_file(const Quat& rotation, xsm::PackedQuat& out) noexcept { out = pack(mirrored(rotation)); }

Bulk<xsm::VectorKey> vector_keys(std::span<const float> times, std::span<const float> values, float z_sign) {
    Bulk<xsm::VectorKey> keys(times.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = {{values[3 * i], values[3 * i + 1], z_sign * values[3 * i + 2]}, times[i]};
    }
    return keys;
}

std::uint16_t pack_weight(double weight, float low, float high) noexcept {
    const double from = low;
    const double range = static_cast<double>(high) - from;
    if (!(range > 0) || std::isnan(weight)) return 0;
    return static_cast<std::uint16_t>(std::lround(std::clamp((weight - from) / range, 0.0, 1.0) * 65535));
}

Bulk<xpm::WeightKey> weight_keys(std::span<const float> times, std::span<const float> values, std::size_t first,
                                 std::size_t stride, float low, float high) {
    Bulk<xpm::WeightKey> keys(times.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = {times[i], pack_weight(values[first + i * stride], low, high), {}};
    }
    return keys;
}

}  // namespace effigy::emfx::bridge
