#pragma once
/// Where in a track a frame is.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "x42/player/tracks.hpp"

namespace effigy::x42 {

/// Two places in a palette and the way from one to the other, beyond 0..1 outside of the track's keys.
struct TrackPlace {
    std::uint16_t from = 0;
    std::uint16_t to = 0;
    float part = 0;
};

/// Between the keys `upper - 1` and `upper`. Equal values are one value wherever the frame lies.
[[nodiscard]] inline TrackPlace place_between(std::span<const TrackKey> keys, std::size_t upper,
                                              double frame) noexcept {
    const TrackKey& from = keys[upper - 1];
    const TrackKey& to = keys[upper];
    return {from.value, to.value, static_cast<float>(frame - from.frame) / static_cast<float>(to.frame - from.frame)};
}

/// The key at which a step ends that holds `frame`: the first one that is not before it, yet neither the first of all
/// nor behind the last.
[[nodiscard]] inline std::size_t upper_key(std::span<const TrackKey> keys, double frame) noexcept {
    const auto is_before = [](const TrackKey& key, double time) { return key.frame < time; };
    const auto found = std::lower_bound(keys.begin() + 1, keys.end() - 1, frame, is_before);
    return static_cast<std::size_t>(found - keys.begin());
}

/// Nothing for a track without keys.
[[nodiscard]] inline std::optional<TrackPlace> place_at(std::span<const TrackKey> keys, double frame) noexcept {
    if (keys.empty()) return std::nullopt;
    if (keys.size() == 1) return TrackPlace{keys[0].value, keys[0].value, 0};
    return place_between(keys, upper_key(keys, frame), frame);
}

[[nodiscard]] inline Vec3 mixed(const Vec3& from, const Vec3& to, float part) noexcept {
    return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y), from.z + part * (to.z - from.z)};
}

}  // namespace effigy::x42
