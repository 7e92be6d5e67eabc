#pragma once
/// Tracks for formats that know fewer ways between keys than glTF.

#include <cstdint>
#include <span>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

/// The track with linear keys only: steps become two keys next to each other, cubic splines as many as it takes for
/// linear interpolation (slerp for rotations) to be off by at most `max_error`, in the units of the values, radians for
/// rotations. At most `max_keys` come out of it; `error` is what was reached.
struct LinearTrack {
    Bulk<float> times;
    Bulk<float> values;
    double error = 0;
    std::uint64_t left_out = 0;    ///< keys of the track whose times are not finite or do not rise
    std::uint64_t not_finite = 0;  ///< numbers of its other keys, which are 0 here
};

/// How rotations run between the keys of a linear track, and how they will run between those that are made of it. Where
/// the two differ, long ways get keys between.
struct RuleChange {
    RotationRule from = RotationRule::slerp;
    RotationRule to = RotationRule::slerp;
};

/// Rotations come out with unit length and each on the same half of the sphere as the one before. Distances are as for
/// keys_to_keep. An error of 0 stands for the precision of floats, which takes many keys.
[[nodiscard]] LinearTrack linear_track(const Track& track, std::size_t components, double max_error,
                                       std::size_t max_keys, RuleChange rules = {});

/// Which keys of a linear track to keep, the first and the last among them, so that interpolation between those is off
/// by at most `max_error` at every other key, and of rotations between them, too: distance of vectors, angle of
/// rotations (by `rule`), the largest difference of weights. With 0, only keys that the neighbours give exactly are
/// left out. Times must rise; with `only_whole` nothing is looked at but what whole ones show.
[[nodiscard]] std::vector<std::uint32_t> keys_to_keep(std::span<const float> times, std::span<const float> values,
                                                      TrackPath path, std::size_t components, RotationRule rule,
                                                      double max_error, bool only_whole = false);
/// The same with an error for each key.
[[nodiscard]] std::vector<std::uint32_t> keys_to_keep(std::span<const float> times, std::span<const float> values,
                                                      TrackPath path, std::size_t components, RotationRule rule,
                                                      std::span<const float> max_errors);

}  // namespace effigy
