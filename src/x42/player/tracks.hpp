#pragma once
/// The key stream by tracks, and what a track shows at a frame. Rules: docs/formats/x42.md, "Key stream".

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/scene.hpp"
#include "effigy/x42.hpp"

namespace effigy::x42 {

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
[[nodiscard]] Quat mix(const Quat& from, const Quat& to, float part) noexcept;

/// A bone's local transform at a frame of the key stream, which may lie between or behind keys: before the first and
/// behind the last key the game goes on along the line through the nearest two. A track without keys is at rest: no
/// translation, no rotation, a scale of 1. The rotation is as the file has it, not of unit length.
[[nodiscard]] Transform sample(const File& file, const Tracks& tracks, std::size_t bone, double frame) noexcept;

}  // namespace effigy::x42
