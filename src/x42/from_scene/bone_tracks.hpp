#pragma once
/// Tracks of bones through all clips, before they become X42's key stream.

#include "x42/from_scene/frame_keys.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42::bridge {

inline constexpr std::size_t max_keys = 0xffff;

[[nodiscard]] inline std::size_t width_of(KeyType type) noexcept { return type == KeyType::rotation ? 4 : 3; }

/// One track of a bone through all clips.
struct BoneTrack {
    std::vector<FrameKeys> clips;
};
/// Of each bone one track of each type, in the order of the bones.
[[nodiscard]] Result<std::vector<BoneTrack>> bone_tracks(Making& making);

}  // namespace effigy::x42::bridge
