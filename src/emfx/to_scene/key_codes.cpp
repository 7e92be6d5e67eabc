/// Packs rotations into 16 bits and weights into 65535 steps, so that unchanged ones come back exactly.

#include "emfx/to_scene/key_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace effigy::emfx::bridge {
namespace {

constexpr double max_packed = 32767;

float square(const Quat& q) noexcept { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }

/// Halves away from 0, as std::lround() has it, without a call. The largest number below a half, as adding a half would
/// also lift what is just below it.
std::int16_t rounded(double value) noexcept {
    constexpr double almost_half = 0.49999999999999994;
    const double clamped = std::clamp(value, -max_packed, max_packed);
    return static_cast<std::int16_t>(static_cast<int>(clamped + std::copysign(almost_half, clamped)));
}

xsm::PackedQuat scaled(const Quat& q, double length) noexcept {
    return {rounded(length * q.x), rounded(length * q.y), rounded(length * q.z), rounded(length * q.w)};
}

/// Whether the packed rotation is this one: to the bit, or up to what floats cannot tell apart.
bool is_packed_as(const Quat& q, const xsm::PackedQuat& packed, float rounding) noexcept {
    const Quat again = unit(unpacked(packed));
    return std::fabs(again.x - q.x) <= rounding && std::fabs(again.y - q.y) <= rounding &&
           std::fabs(again.z - q.z) <= rounding && std::fabs(again.w - q.w) <= rounding;
}

/// The lengths that pack() tries, in this order: of the largest part of a packed rotation.
struct Lengths {
    double largest;  ///< part of the rotation
    std::array<double, 4> numbers;
};

Lengths lengths_to_try(const Quat& rotation) noexcept {
    const double largest =
        std::max({std::fabs(rotation.x), std::fabs(rotation.y), std::fabs(rotation.z), std::fabs(rotation.w)});
    const double cut = std::floor(std::min(largest, 1.0) * max_packed + 1e-3);
    return {largest, {cut, cut - 1, cut - 2, cut + 1}};
}

bool can_be_packed(const Lengths& lengths) noexcept { return lengths.largest > 1e-6 && std::isfinite(lengths.largest); }

xsm::PackedQuat candidate(const Quat& rotation, const Lengths& lengths, double number) noexcept {
    return scaled(rotation, std::clamp(number, 1.0, max_packed) / lengths.largest);
}

bool are_equal(const xsm::PackedQuat& a, const xsm::PackedQuat& b) noexcept {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

bool has_bits(float a, float b) noexcept { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }
bool has_bits(const Quat& a, const Quat& b) noexcept {
    return has_bits(a.x, b.x) && has_bits(a.y, b.y) && has_bits(a.z, b.z) && has_bits(a.w, b.w);
}

bool comes_back(const Quat& key, const Quat& rotation) noexcept { return has_bits(key, mirrored(rotation)); }

/// Whether pack() makes this key of the rotation. Nearly always the rotation is what the key gives, so that only what
/// would be tried before it has to be looked at.
bool comes_back(const xsm::PackedQuat& key, const Quat& shown) noexcept {
    const Quat rotation = mirrored(shown);
    const Lengths lengths = lengths_to_try(rotation);
    if (can_be_packed(lengths) && is_packed_as(rotation, key, 0)) {
        for (const double number : lengths.numbers) {
            const xsm::PackedQuat packed = candidate(rotation, lengths, number);
            if (are_equal(packed, key)) return true;
            if (is_packed_as(rotation, packed, 0)) return false;
        }
    }
    return are_equal(pack(rotation), key);
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
    const Lengths lengths = lengths_to_try(rotation);
    if (!can_be_packed(lengths)) return {};
    for (const float rounding : {0.0f, 1.5e-7f}) {
        for (const double number : lengths.numbers) {
            const xsm::PackedQuat packed = candidate(rotation, lengths, number);
            if (is_packed_as(rotation, packed, rounding)) return packed;
        }
    }
    return scaled(rotation, max_packed / std::sqrt(std::max(static_cast<double>(square(rotation)), 1e-12)));
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

bool come_back(std::span<const xsm::VectorKey> keys, const Channel& channel, float start, float z_sign) {
    if (keys.size() != channel.times.size()) return false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Vec3& value = keys[i].value;
        const float* shown = channel.values.data() + 3 * i;
        const bool same = has_bits(value.x, shown[0]) && has_bits(value.y, shown[1]) &&
                          has_bits(value.z, z_sign * shown[2]) && has_bits(keys[i].time, channel.times[i] + start);
        if (!same) return false;
    }
    return true;
}

template <class Rotation>
bool come_back(std::span<const xsm::RotationKey<Rotation>> keys, const Channel& channel, float start) {
    if (keys.size() != channel.times.size()) return false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const float* q = channel.values.data() + 4 * i;
        if (!has_bits(keys[i].time, channel.times[i] + start) || !comes_back(keys[i].value, {q[0], q[1], q[2], q[3]}))
            return false;
    }
    return true;
}

template bool come_back(std::span<const xsm::RotationKey<Quat>>, const Channel&, float);
template bool come_back(std::span<const xsm::RotationKey<xsm::PackedQuat>>, const Channel&, float);

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
