#pragma once
/// Readers of glTF turn from key to key at constant speed. Where a clip's own rule does otherwise, keys are inserted
/// until both agree; also into half turns, of which both ways are as long. Rules: docs/gltf.md, "Animations".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::gltf {

/// Radians between the rotation that a reader shows and the one that the clip's rule gives.
inline constexpr double fit_tolerance = 2e-5;

/// Keys that may be inserted into all clips of a scene: 80 MiB.
inline constexpr std::size_t max_fitted_keys = 4'194'304;
inline constexpr std::size_t fitted_key_bytes = 5 * sizeof(float);
/// Between two keys: what even those far from unit length get; others need a hundred at most.
inline constexpr std::size_t max_pieces = 256;
/// The same of scenes with so many keys of their own in tracks that are fitted.
[[nodiscard]] constexpr std::size_t room_for_keys(std::size_t own) noexcept {
    constexpr std::size_t base = 262'144, each = 32;
    return own < (max_fitted_keys - base) / each ? base + each * own : max_fitted_keys;
}

struct FittedTrack {
    Bulk<float> times, values;
    std::size_t inserted = 0;
    /// The largest that remains, between the keys, too. Below a hundredth of what is allowed, a bound.
    double error = 0;
    /// Numbers of the track's own keys that others were inserted behind, each with how many.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
};

/// Whether the track must be fitted before glTF can hold it: linear or stepped rotations by angle; linear ones by nlerp
/// where two keys are far enough apart.
[[nodiscard]] bool needs_fitting(const Clip& clip, const Track& track) noexcept;

/// By angle, keys are brought to unit length and get signs by which none takes the long way round, and rotations
/// without length become none at all; by nlerp, they stay as they are. The track is as a checked scene has it: times
/// that increase, four finite numbers for each. With a `share` below 1, each gap gets that part of the keys it needs.
[[nodiscard]] FittedTrack fit_rotations(const Track& track, std::size_t max_inserted = max_fitted_keys,
                                        double tolerance = fit_tolerance, RotationRule rule = RotationRule::by_angle,
                                        double share = 1);

/// About how many keys fit_rotations() inserts, where there is room for all.
[[nodiscard]] double keys_needed(const Track& track, RotationRule rule);

/// Fits the tracks of all clips, one after the other, and says what became of them. Where half of the room may not do
/// for the next one, all that are left share what is left.
class ClipFitter {
public:
    /// With `keeps_keys`, none are inserted.
    explicit ClipFitter(const Scene& scene, bool keeps_keys) : scene_(scene), keeps_keys_(keeps_keys) {}
    [[nodiscard]] FittedTrack fit(std::size_t clip, std::size_t track);
    /// "clip-fitted" and "clip-fit-limit", or "clip-keys-kept", where they apply.
    [[nodiscard]] Report report() const;

private:
    void find_room();
    /// From this track on, which is the next.
    void find_share(std::size_t clip, std::size_t track);

    const Scene& scene_;
    bool keeps_keys_;
    std::optional<std::size_t> room_{};  // for keys in all clips
    std::optional<double> share_{};      // of the keys that they need, for tracks from one on; none: all
    std::set<std::size_t> fitted_clips_, limited_clips_;
    std::size_t tracks_ = 0;    // that keys were inserted into
    std::size_t inserted_ = 0;  // keys
    double error_ = 0;
    std::size_t worst_clip_ = 0, worst_track_ = 0;
};

}  // namespace effigy::gltf
