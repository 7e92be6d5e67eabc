#pragma once
/// Motions on their way to clips.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "arp/to_scene/to_scene.hpp"

namespace effigy::arp::bridge {

/// Where a frame says nothing about something that others move.
enum class Gap : std::uint8_t { rest, hold };

/// Values of one thing at frames, without those in the middle of equal ones.
class Curve {
public:
    Curve(Index node, TrackPath path, std::vector<float> rest, Gap gap);

    /// Frames come in ascending order. False: the frame has a value already.
    bool put(std::uint32_t frame, std::span<const float> value);
    /// Nothing if the rest says the same all the time.
    [[nodiscard]] std::optional<Track> finish(std::span<const float> seconds);

private:
    void push(std::uint32_t frame, std::span<const float> value);
    void fill_until(std::uint32_t frame);
    [[nodiscard]] std::size_t width() const noexcept { return rest_.size(); }
    [[nodiscard]] std::span<const float> value(std::size_t key) const noexcept;

    Track track_;
    std::vector<float> rest_;
    Gap gap_;
    std::vector<std::uint32_t> frames_;
    std::uint32_t next_ = 0;  ///< the first frame of which nothing has been said
};

inline constexpr double usual_frame = 40;  ///< milliseconds

/// Seconds of frames, as floats that tell them apart.
class FrameTimes {
public:
    /// After the frame before; negative, not finite or of days: by `fallback`. False: it was so.
    bool add(double milliseconds, double fallback);
    [[nodiscard]] std::span<const float> seconds() const noexcept { return seconds_; }

private:
    double last_ = 0;
    std::vector<float> seconds_;
};

/// Gathers what frames say of bones and morph targets.
class ClipMaker {
public:
    /// `frames`: how many there are; `entries`: of bones in all of them.
    [[nodiscard]] static Result<ClipMaker> make(Build& build, const Avatar& avatar, Gap gap, std::uint64_t frames,
                                                std::uint64_t entries);

    /// No bone, counted as unmatched, if it does not exist.
    [[nodiscard]] std::size_t bone(std::string_view name);
    [[nodiscard]] glm::dquat rotation(const Quat& raw) { return unit(raw, bad_rotations_); }
    void put_rotation(std::uint32_t frame, std::size_t bone, const glm::dquat& rotation);
    void put_translation(std::uint32_t frame, std::size_t bone, const Vec3& translation);
    void set_morph(std::string_view name, float amount);
    void put_morphs(std::uint32_t frame);  ///< those that were set since the last frame; all others are 0

    /// Adds the clip to the scene unless nothing moves.
    [[nodiscard]] Result<void> finish(Clip clip, std::span<const float> seconds);

private:
    struct MorphCurve {
        Curve curve;
        std::vector<float> row;
        std::vector<std::uint32_t> used;
    };
    ClipMaker(Build& build, const Avatar& avatar, Gap gap);
    Curve& curve_of(std::size_t bone, TrackPath path);
    void note_unmatched(std::string_view name);
    void report();

    Build* build_;
    const Avatar* avatar_;
    Gap gap_;
    std::vector<Curve> curves_;
    std::vector<std::uint32_t> rotations_, translations_;  ///< of bones: their curve's number and 1
    std::vector<MorphCurve> morphs_;                       ///< of the avatar's meshes
    std::unordered_set<std::string> unmatched_;
    NameList unmatched_names_;
    std::uint64_t bad_rotations_ = 0, repeated_ = 0, not_finite_ = 0;
};

}  // namespace effigy::arp::bridge
