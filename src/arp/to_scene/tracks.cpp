/// Tracks by other tracks: at a steady rate, and those of the helper joints of arms.

#include <algorithm>
#include <cmath>

#include "arp/to_scene/clips.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

/// Reads a linear track at times that go forward.
class TrackReader {
public:
    explicit TrackReader(const Track& track) : track_(track), width_(track.values.size() / track.times.size()) {}

    [[nodiscard]] std::size_t width() const noexcept { return width_; }

    void read(float time, std::span<float> result) {
        while (key_ + 1 < track_.times.size() && track_.times[key_ + 1] <= time) ++key_;
        const bool between = time > track_.times[key_] && key_ + 1 < track_.times.size();
        const double length = between ? double{track_.times[key_ + 1]} - double{track_.times[key_]} : 1;
        const double part = between ? (double{time} - double{track_.times[key_]}) / length : 0;
        if (track_.path == TrackPath::rotation) {
            turn(part, result);
            return;
        }
        for (std::size_t i = 0; i < width_; ++i) {
            const double from = at(key_, i);
            result[i] = narrow(part > 0 ? from + part * (at(key_ + 1, i) - from) : from);
        }
    }

    [[nodiscard]] glm::dquat rotation(float time) {
        std::array<float, 4> value{};
        read(time, value);
        return {value[3], value[0], value[1], value[2]};
    }

private:
    [[nodiscard]] double at(std::size_t key, std::size_t i) const noexcept { return track_.values[key * width_ + i]; }
    [[nodiscard]] glm::dquat quat(std::size_t key) const noexcept {
        return {at(key, 3), at(key, 0), at(key, 1), at(key, 2)};
    }
    void turn(double part, std::span<float> result) const {
        const glm::dquat value = part > 0 ? glm::slerp(quat(key_), quat(key_ + 1), part) : quat(key_);
        const Quat rotation = narrow(glm::normalize(value));
        std::copy_n(std::array{rotation.x, rotation.y, rotation.z, rotation.w}.begin(), 4, result.begin());
    }

    const Track& track_;
    std::size_t width_;
    std::size_t key_ = 0;
};

Bulk<float> steady_times(double rate, double duration) {
    Bulk<float> times{0};
    for (double number = 1; number / rate < duration; ++number) {
        const auto time = static_cast<float>(number / rate);
        if (time > times.back()) times.push_back(time);
    }
    const auto end = static_cast<float>(duration);
    if (end > times.back()) times.push_back(end);
    return times;
}

/// About x.
glm::dquat twist_of(const glm::dquat& rotation) noexcept {
    const double length = std::hypot(rotation.w, rotation.x);
    return length > 1e-9 ? glm::dquat(rotation.w / length, rotation.x / length, 0, 0) : glm::dquat(1, 0, 0, 0);
}

/// The part of a rotation, the shorter way round.
glm::dquat part_of(const glm::dquat& rotation, double part) noexcept {
    return glm::slerp(glm::dquat(1, 0, 0, 0), rotation.w < 0 ? -rotation : rotation, part);
}

class TwistMaker {
public:
    TwistMaker(const Avatar& avatar, const TwistedBone& twist)
        : twist_(twist), inverse_rest_(unit(avatar.file->bones[twist.driver].inverse_twist, ignored_)) {}

    /// Tracks of the helpers, without those that do not turn.
    std::vector<Track> make(const Track& driver, std::span<const float> times) {
        std::vector<Track> tracks(twist_steps);
        std::array<glm::dquat, twist_steps> last{};
        last.fill(glm::dquat(1, 0, 0, 0));
        TrackReader reader(driver);
        double largest = 0;
        for (const float time : times) {
            const glm::dquat turn = glm::normalize(twist_of(reader.rotation(time)) * inverse_rest_);
            const glm::dquat follow = twist_.is_forearm ? turn : glm::conjugate(turn);
            largest = std::max(largest, angle_between(follow, glm::dquat(1, 0, 0, 0)));
            for (std::size_t step = 0; step < twist_steps; ++step) {
                glm::dquat value = part_of(follow, static_cast<double>(step + 1) / twist_steps);
                if (glm::dot(value, last[step]) < 0) value = -value;
                last[step] = value;
                add(tracks[step], time, narrow(value));
            }
        }
        constexpr double visible = 1e-6;
        if (largest < visible) return {};
        for (std::size_t step = 0; step < twist_steps; ++step) {
            tracks[step].node = twist_.helpers[step];
            tracks[step].path = TrackPath::rotation;
        }
        return tracks;
    }

private:
    static void add(Track& track, float time, const Quat& value) {
        track.times.push_back(time);
        for (const float number : {value.x, value.y, value.z, value.w}) track.values.push_back(number);
    }

    const TwistedBone& twist_;
    std::uint64_t ignored_ = 0;
    glm::dquat inverse_rest_;
};

}  // namespace

Result<void> resample(Build& build, Clip& clip, double rate) {
    double duration = double{clip.duration};
    for (const Track& track : clip.tracks) duration = std::max(duration, double{track.times.back()});
    const double count = std::floor(duration * rate) + 2;
    std::uint64_t width = 1;
    for (const Track& track : clip.tracks) width += 1 + track.values.size() / track.times.size();
    const auto keys = count < 1e15 ? static_cast<std::uint64_t>(count) : UINT64_MAX;
    if (auto taken = build.take(keys, sizeof(float) * width, "resampled keys"); !taken) return taken;
    const Bulk<float> times = steady_times(rate, duration);
    for (Track& track : clip.tracks) {
        TrackReader reader(track);
        Bulk<float> values(times.size() * reader.width());
        for (std::size_t i = 0; i < times.size(); ++i) {
            reader.read(times[i], std::span(values).subspan(i * reader.width(), reader.width()));
        }
        track.times = times;
        track.values = std::move(values);
    }
    return {};
}

Result<void> add_twists(Build& build, const Avatar& avatar, Clip& clip, std::span<const float> seconds) {
    const bool each_frame = build.options.arm_twist == ArmTwist::bake && !(build.options.resample > 0);
    std::vector<Track> added;
    for (const TwistedBone& twist : avatar.twists) {
        const Index node = avatar.bone_nodes[twist.driver];
        const auto driver = std::find_if(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            return track.node == node && track.path == TrackPath::rotation;
        });
        if (driver == clip.tracks.end()) continue;
        const std::span<const float> times = each_frame ? seconds : std::span<const float>(driver->times);
        auto taken = build.take(times.size(), 2 * twist_steps * 5 * sizeof(float), "keys of helper joints");
        if (!taken) return taken;
        for (Track& track : TwistMaker(avatar, twist).make(*driver, times)) added.push_back(std::move(track));
    }
    for (Track& track : added) clip.tracks.push_back(std::move(track));
    return {};
}

}  // namespace effigy::arp::bridge
