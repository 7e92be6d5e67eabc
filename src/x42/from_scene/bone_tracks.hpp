#pragma once
/// Tracks of bones through all clips, before they become X42's key stream.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scene/keys.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42::bridge {

/// A track whose keys stand at whole frames.
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

inline constexpr std::size_t max_keys = 0xffff;

[[nodiscard]] inline std::size_t width_of(KeyType type) noexcept { return type == KeyType::rotation ? 4 : 3; }

/// One track of a bone through all clips.
struct BoneTrack {
    std::vector<FrameKeys> clips;
};
/// Of each bone one track of each type, in the order of the bones.
[[nodiscard]] Result<std::vector<BoneTrack>> bone_tracks(FileBuild& build);

}  // namespace effigy::x42::bridge
