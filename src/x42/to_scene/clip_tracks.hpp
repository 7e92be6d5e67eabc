#pragma once
/// Tracks of a clip: a part of the key stream, in seconds. Rules: docs/conversion/x42.md, "Animations".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "effigy/scene.hpp"
#include "effigy/x42.hpp"

#include "x42/player/tracks.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

[[nodiscard]] TrackPath path_of(KeyType type) noexcept;

/// Frames of the key stream as an animation asks for them; they need not all be there.
struct FrameRange {
    std::int64_t first = 0;
    std::int64_t last = 0;         ///< inclusive; before `first`: backwards
    std::int64_t frame_count = 1;  ///< of the key stream
    double rate = 1;               ///< frames a second

    [[nodiscard]] bool backwards() const noexcept { return last < first; }
    [[nodiscard]] bool fits() const noexcept { return is_there(first) && is_there(last); }
    [[nodiscard]] double duration() const noexcept {
        return static_cast<double>(backwards() ? first - last : last - first) / rate;
    }
    /// The lowest and the highest frame that are shown: before the first and behind the last one these hold.
    [[nodiscard]] double low() const noexcept { return held(backwards() ? last : first); }
    [[nodiscard]] double high() const noexcept { return held(backwards() ? first : last); }
    [[nodiscard]] double time_of(double frame) const noexcept {
        return (backwards() ? static_cast<double>(first) - frame : frame - static_cast<double>(first)) / rate;
    }

private:
    [[nodiscard]] bool is_there(std::int64_t frame) const noexcept { return frame >= 0 && frame < frame_count; }
    [[nodiscard]] double held(std::int64_t frame) const noexcept {
        return static_cast<double>(frame < 0 ? 0 : frame < frame_count ? frame : frame_count - 1);
    }
};

/// One track of a bone's.
class Curve {
public:
    /// There is at least one key, and `file` and the keys stay where they are.
    Curve(const File& file, const Tracks& tracks, std::size_t bone, KeyType type, Index node);

    [[nodiscard]] Index node() const noexcept { return node_; }
    [[nodiscard]] KeyType type() const noexcept { return type_; }
    [[nodiscard]] std::span<const TrackKey> keys() const noexcept { return keys_; }
    [[nodiscard]] bool moves() const noexcept { return run_ends_.front() + 1u < keys_.size(); }
    /// By the places in the palette.
    [[nodiscard]] bool moves_within(double low, double high) const noexcept;
    /// Of rotations the rotation, of others x, y and z.
    [[nodiscard]] Quat at(double frame) const noexcept;
    [[nodiscard]] Quat value(std::uint16_t place) const noexcept;

private:
    const File* file_;
    std::span<const TrackKey> keys_;
    std::vector<std::uint16_t> run_ends_;  ///< for each key the last one behind it with the same value throughout
    KeyType type_;
    Index node_;
};

/// What making tracks came across.
struct TrackFindings {
    std::uint64_t not_finite = 0;   ///< values
    std::uint64_t no_rotation = 0;  ///< rotations of no length
    std::uint64_t inserted = 0;     ///< keys of rotations that are no keys of the file
    double rotation_error = 0;      ///< between those, in radians
};

/// The largest error that keys put into a cut or continued rotation leave, in radians.
inline constexpr double cut_tolerance = 2e-5;

/// Whether the node's rest is another pose than the curve's in a frame, by more than packing can make of one.
[[nodiscard]] bool leaves_rest(const Build& build, const File& file, const Curve& curve, double frame);

/// The track of a curve in a range; nothing if the node's rest transform says the same all the time.
[[nodiscard]] Result<std::optional<Track>> make_track(Build& build, const Curve& curve, const FrameRange& range,
                                                      TrackFindings& findings);

}  // namespace effigy::x42::bridge
