#pragma once
/// The values of channels at the time of a KeyFinder. `cursors` are those of the channels.

#include <cstdint>
#include <span>

#include "effigy/playback.hpp"

#include "playback/key_finder.hpp"

namespace effigy::playback {

void sample_vectors(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors, std::span<Vec3> out);
void sample_weights(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors, std::span<float> out);
/// Puts the keys next to each other, so that they can be mixed in vectors: into `from`, `to` and `parts`.
void gather_rotations(std::span<const Channel> channels, KeyFinder& finder, std::uint32_t* cursors,
                      SampleContext& context);

}  // namespace effigy::playback
