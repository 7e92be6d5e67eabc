#pragma once
/// The key stream by tracks, and what a track shows at a frame. Rules: docs/formats/x42.md, "Key stream".

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/scene.hpp"
#include "effigy/x42.hpp"

namespace effigy::x42 {

inline constexpr std::array<KeyType, 3> key_types{KeyType::position, KeyType::scale, KeyType::rotation};

/// Values in the palette of a type; none for other types.
[[nodiscard]] std::size_t palette_size(const File& file, KeyType type) noexcept;

struct TrackKey {
    std::uint16_t frame = 0;  ///< of the key stream, from 0
    std::uint16_t value = 0;  ///< place in the palette, which is there
};

/// Three tracks for each bone. Keys that name no bone, no type or no value are left out, and so are keys that are not
/// later than the one before them in their track: safe to play, whatever the file.
class Tracks {
public:
    explicit Tracks(const File& file);

    [[nodiscard]] std::span<const TrackKey> keys(std::size_t bone, KeyType type) const noexcept;
    /// Keys that are left out, but for those that say again what the key before them says.
    [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

private:
    Bulk<TrackKey> keys_;
    std::vector<std::uint32_t> begins_;  ///< of each track, and the end
    std::size_t left_out_ = 0;
};

/// The game's way from one rotation to another: RotationRule::by_angle. Not normalised beyond what that rule says.
[[nodiscard]] Quat mix(const Quat& from, const Quat& to, float fraction) noexcept;

/// A bone's local transform at a frame of the key stream, which may lie between or behind keys: before the first and
/// behind the last key the game goes on along the line through the nearest two. A track without keys is at rest: no
/// translation, no rotation, a scale of 1. The rotation is as the file has it, not of unit length.
[[nodiscard]] Transform sample(const File& file, const Tracks& tracks, std::size_t bone, double frame) noexcept;

/// Two places in a palette and the way from one to the other, beyond 0..1 outside of the track's keys.
struct TrackPlace {
    std::uint16_t from = 0;
    std::uint16_t to = 0;
    float fraction = 0;
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

[[nodiscard]] inline Vec3 mixed(const Vec3& from, const Vec3& to, float fraction) noexcept {
    return {from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y),
            from.z + fraction * (to.z - from.z)};
}

}  // namespace effigy::x42
