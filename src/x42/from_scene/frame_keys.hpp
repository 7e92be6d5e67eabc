#pragma once
/// Tracks whose keys stand at whole frames.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "effigy/scene.hpp"

#include "scene/keys.hpp"

namespace effigy::x42::bridge {

struct FrameKeys {
    std::vector<float> frames;  ///< whole numbers, rising, from 0
    std::vector<float> values;

    /// The other way round in so many frames.
    void reverse(std::uint32_t frame_count);
};

/// What a track with linear keys shows at the first and the last frame, and at the whole frames at or beside its keys.
/// Rotations, by RotationRule::by_angle, have more keys where they would be off by more than `tolerance` at whole
/// frames between.
[[nodiscard]] FrameKeys at_whole_frames(const LinearTrack& track, TrackPath path, std::size_t width, double rate,
                                        std::uint32_t frame_count, double tolerance);

}  // namespace effigy::x42::bridge
