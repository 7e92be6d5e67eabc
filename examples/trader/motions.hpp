#pragma once
/// How the trader moves: one run of frames, cut into clips.

#include <array>
#include <vector>

#include "skeleton.hpp"

namespace trader {

inline constexpr int frame_rate = 20;

/// Rotations away from the modelled pose, about the model's axes as the parent carries them along.
struct Pose {
    std::array<quat, bone_count> turns;
    vec3 shift{0};  ///< of the hips

    Pose() { turns.fill(quat(1, 0, 0, 0)); }
};
struct Clip {
    const char* name;
    const char* name_in_model;  ///< nullptr: only animation.cfg knows it
    int first, count;
    bool loops, backwards;
    Pose (*pose)(float phase);  ///< 0..1 from the first frame to the last one, or to the first one again
};
[[nodiscard]] const std::vector<Clip>& clips();
[[nodiscard]] int frame_count();
[[nodiscard]] Pose pose_at(int frame);

}  // namespace trader
