#include "gltf/content.hpp"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <algorithm>
#include <bit>
#include <xxhash.h>

namespace effigy::gltf {

struct Hasher::State {
    XXH3_state_t xxh3;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh3); }
Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) { XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size()); }
std::uint64_t Hasher::digest() const { return XXH3_64bits_digest(&state_->xxh3); }

std::uint64_t hash_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void Bounds::extend(std::span<const Vec3> points) {
    // In locals, which stay in registers.
    auto [low_x, low_y, low_z] = least;
    auto [high_x, high_y, high_z] = greatest;
    for (const Vec3& point : points) {
        low_x = std::min(low_x, point.x);
        low_y = std::min(low_y, point.y);
        low_z = std::min(low_z, point.z);
        high_x = std::max(high_x, point.x);
        high_y = std::max(high_y, point.y);
        high_z = std::max(high_z, point.z);
    }
    least = {low_x, low_y, low_z};
    greatest = {high_x, high_y, high_z};
}

std::optional<std::size_t> find_not_finite(std::span<const float> values) {
    constexpr std::uint32_t exponent = 0x7f800000u;
    const auto is_bad = [](float value) { return (std::bit_cast<std::uint32_t>(value) & exponent) == exponent; };
    // No early exit: only a loop that always runs through is vectorised.
    std::uint32_t bad = 0;
    for (const float value : values) bad |= is_bad(value) ? 1u : 0u;
    if (bad == 0) return std::nullopt;
    return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), is_bad) - values.begin());
}

std::optional<std::size_t> find_not_below(std::span<const std::uint32_t> values, std::uint32_t limit) {
    std::uint32_t bad = 0;
    for (const std::uint32_t value : values) bad |= value >= limit ? 1u : 0u;
    if (bad == 0) return std::nullopt;
    const auto found = std::find_if(values.begin(), values.end(), [&](std::uint32_t value) { return value >= limit; });
    return static_cast<std::size_t>(found - values.begin());
}

}  // namespace effigy::gltf
