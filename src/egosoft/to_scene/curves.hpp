#pragma once
/// Animation keys as curves that can be read at any time, in the file's own frame and units, and as tracks of glTF.

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <span>
#include <vector>

#include "effigy/ani.hpp"

#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

/// What was found in the keys of one file.
struct KeyFindings {
    std::uint64_t bad_times = 0;
    std::uint64_t unsorted = 0;  ///< lists
    std::uint64_t duplicates = 0;
    std::uint64_t not_finite = 0;
    std::uint64_t unknown_kinds = 0;  ///< read as linear
    std::uint64_t handle_times = 0;   ///< bezier segments whose handles bend time as well
};

using Values = std::array<double, 3>;

[[nodiscard]] inline float component(const Vec3& v, std::size_t axis) noexcept {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// x, y and z over time. Before the first key they are as there, after the last likewise.
class Curve {
public:
    Curve() = default;
    Curve(std::span<const ani::Key> keys, KeyFindings& findings);

    [[nodiscard]] bool empty() const noexcept { return times_.empty(); }
    [[nodiscard]] std::span<const float> times() const noexcept { return times_; }

    /// How the curve can be said without loss between the times that are asked for.
    struct Forms {
        bool step = true, linear = true, cubic = true;
        bool prefers_step = false;  ///< nothing moves, but the keys say so
    };
    [[nodiscard]] Forms forms() const noexcept;

    /// At a time: from the key there on, if there is one.
    [[nodiscard]] Values at(double time) const noexcept { return read(segment_from(time), time, &Curve::value); }
    /// Just before a time: what steps has not stepped yet.
    [[nodiscard]] Values before(double time) const noexcept { return read(segment_to(time), time, &Curve::value); }
    [[nodiscard]] Values slope_at(double time) const noexcept { return read(segment_from(time), time, &Curve::slope); }
    [[nodiscard]] Values slope_before(double time) const noexcept {
        return read(segment_to(time), time, &Curve::slope);
    }
    /// How far the components can move between two times of one segment.
    [[nodiscard]] double travel(double from, double to) const noexcept;

private:
    enum class Kind : std::uint8_t { constant, step, linear, cubic, warped };
    /// One component from one key to the next: a cubic of its ends' values and slopes, over a time that may be bent.
    struct Segment {
        Kind kind = Kind::constant;
        double from = 0, to = 0;
        double slope_from = 0, slope_to = 0;  ///< per unit of the segment
        double time_1 = 1.0 / 3, time_2 = 2.0 / 3;
        double ease_out = 0, ease_in = 0;
    };
    using Reader = double (Curve::*)(const Segment&, double unit, double length) const noexcept;

    void clean(std::span<const ani::Key> keys, KeyFindings& findings);
    [[nodiscard]] Segment make_segment(std::size_t key, std::size_t axis, KeyFindings& findings) const;
    void set_bezier(Segment& segment, std::size_t key, std::size_t axis, bool bends_time, KeyFindings& findings) const;
    void set_tcb(Segment& segment, std::size_t key, std::size_t axis) const;
    [[nodiscard]] double value(std::size_t key, std::size_t axis) const noexcept;
    [[nodiscard]] std::size_t segment_from(double time) const noexcept;
    [[nodiscard]] std::size_t segment_to(double time) const noexcept;
    [[nodiscard]] Values read(std::size_t segment, double time, Reader reader) const noexcept;
    [[nodiscard]] double value(const Segment& segment, double unit, double length) const noexcept;
    [[nodiscard]] double slope(const Segment& segment, double unit, double length) const noexcept;

    std::vector<ani::Key> keys_;                    ///< in order of time, finite
    std::vector<float> times_;                      ///< strictly increasing
    std::vector<std::array<Segment, 3>> segments_;  ///< one less than keys
};

/// The part of a curve that becomes a track, whose times count from its start.
struct Window {
    double start = 0;
    double end = std::numeric_limits<double>::infinity();
};

struct MadeTrack {
    Track track;
    bool sampled = false;
    double error = 0;  ///< largest one found between the samples: in the track's unit, for rotations in radians
};

/// Translations (x is negated) and scales: as they are where glTF reads them alike, else sampled.
[[nodiscard]] Result<MadeTrack> vector_track(Build& build, const Curve& curve, TrackPath path, const Window& window);
/// Angles, of which glTF knows nothing: sampled unless they only step.
[[nodiscard]] Result<MadeTrack> rotation_track(Build& build, const Curve& curve, const Window& window);

/// The rotation of a key: x first, then z, then y, in the scene's frame.
[[nodiscard]] glm::dquat rotation_by(const Values& angles) noexcept;

}  // namespace effigy::egosoft::bridge
