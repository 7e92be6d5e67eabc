#pragma once
/// Tracks of the scene as channels that the engine reads: linear, from 0 on, rotations by normalised interpolation.

#include <string>

#include "emfx/from_scene/clip.hpp"

namespace effigy::emfx::bridge {

class ChannelMaker {
public:
    ChannelMaker(const Clip& clip, double max_error) : clip_(clip), max_error_(max_error) {}

    /// Without a track, or where it never changes, only the pose.
    [[nodiscard]] Channel make(const Track* track, TrackPath path, std::span<const float> rest);
    /// One for each target; weights outside of 0 to 1 are taken as they are.
    [[nodiscard]] std::vector<Channel> make_weights(const Track& track, std::size_t targets);
    /// What was done to the keys.
    void note(MotionBuild& build) const;

private:
    [[nodiscard]] Channel linear(const Track& track, std::size_t components);
    void thin(Channel& channel, TrackPath path);

    const Clip& clip_;
    double max_error_;
    std::size_t resampled_ = 0, rough_ = 0, left_out_ = 0;
    double error_ = 0, rough_error_ = 0;
};

/// Its last value once more at `time`, if it ends earlier; a channel without keys gets two.
void hold_until(Channel& channel, float time);

}  // namespace effigy::emfx::bridge
