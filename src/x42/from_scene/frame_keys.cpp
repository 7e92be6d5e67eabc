/// Tracks with keys at whole frames, as X42's key stream has them, and with frames between where the way asks for them.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "scene/between_keys.hpp"
#include "scene/wide_math.hpp"
#include "x42/from_scene/bone_tracks.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr double same_frame = 1e-3;

class Sampler {
public:
    Sampler(const LinearTrack& track, TrackPath path, std::size_t width, double rate)
        : values_(track.values), path_(path), width_(width) {
        for (const float time : track.times) places_.push_back(static_cast<double>(time) * rate);
    }

    /// Frames at which there must be keys.
    [[nodiscard]] std::vector<std::uint32_t> frames(std::uint32_t last) const {
        std::vector<std::uint32_t> frames{0, last};
        const auto add = [&](double frame) {
            if (frame >= 0 && frame <= last) frames.push_back(static_cast<std::uint32_t>(frame));
        };
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const double before = std::floor(places_[i] + same_frame);
            add(before);
            add(std::ceil(places_[i] - same_frame));
            // What jumps within a frame must have held until then.
            if (i > 0 && places_[i] - places_[i - 1] < 1 - same_frame) add(before - 1);
        }
        std::sort(frames.begin(), frames.end());
        frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
        return frames;
    }

    [[nodiscard]] std::array<float, 4> at(double frame) const {
        const auto next = std::upper_bound(places_.begin(), places_.end(), frame + same_frame);
        const auto after = static_cast<std::size_t>(next - places_.begin());
        if (after == 0) return key_at(0);
        const double from = places_[after - 1];
        if (after == places_.size() || std::abs(frame - from) <= same_frame) return key_at(after - 1);
        std::array<double, 4> mixed{};
        BetweenKeys(key(after - 1), key(after), path_, RotationRule::by_angle)
            .at((frame - from) / (places_[after] - from), std::span(mixed).first(width_));
        std::array<float, 4> value{};
        std::transform(mixed.begin(), mixed.end(), value.begin(), [](double number) { return narrow(number); });
        return value;
    }

    /// How far the way between two frames is off, at a few whole frames on it.
    [[nodiscard]] double error_between(std::uint32_t from, std::uint32_t to) const {
        constexpr std::uint32_t max_places = 8;
        const std::array<float, 4> first = at(from), last = at(to);
        const std::span<const float> begin(first.data(), width_), end(last.data(), width_);
        const BetweenKeys between(begin, end, path_, RotationRule::by_angle);
        double error = 0;
        for (std::uint32_t i = 1; i < max_places; ++i) {
            const std::uint32_t frame = from + (to - from) * i / max_places;
            if (frame <= from) continue;
            std::array<double, 4> shown{}, wanted{};
            between.at(static_cast<double>(frame - from) / (to - from), std::span(shown).first(width_));
            const std::array<float, 4> value = at(frame);
            std::copy(value.begin(), value.end(), wanted.begin());
            error =
                std::max(error, difference_of(path_, std::span(shown).first(width_), std::span(wanted).first(width_)));
        }
        return error;
    }

private:
    [[nodiscard]] std::span<const float> key(std::size_t number) const {
        return std::span<const float>(values_).subspan(number * width_, width_);
    }
    [[nodiscard]] std::array<float, 4> key_at(std::size_t number) const {
        std::array<float, 4> value{};
        std::copy_n(key(number).begin(), width_, value.begin());
        return value;
    }

    const Bulk<float>& values_;
    TrackPath path_;
    std::size_t width_;
    std::vector<double> places_;  ///< of the keys, in frames
};

/// With frames between, halved until the way is right.
std::vector<std::uint32_t> refined(const Sampler& sampler, const std::vector<std::uint32_t>& frames, double tolerance) {
    std::vector<std::uint32_t> result{frames.front()}, ends;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        ends.push_back(frames[i]);
        while (!ends.empty()) {
            const std::uint32_t from = result.back(), to = ends.back();
            if (to - from > 1 && sampler.error_between(from, to) > tolerance) {
                ends.push_back(from + (to - from) / 2);
            } else {
                result.push_back(to);
                ends.pop_back();
            }
        }
    }
    return result;
}

}  // namespace

void FrameKeys::reverse(std::uint32_t frame_count) {
    const std::size_t width = frames.empty() ? 0 : values.size() / frames.size();
    std::reverse(frames.begin(), frames.end());
    for (float& frame : frames) frame = static_cast<float>(frame_count - 1) - frame;
    std::vector<float> reversed;
    reversed.reserve(values.size());
    for (std::size_t i = values.size(); i > 0; i -= width) {
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(i);
        reversed.insert(reversed.end(), end - static_cast<std::ptrdiff_t>(width), end);
    }
    values = std::move(reversed);
}

FrameKeys at_whole_frames(const LinearTrack& track, TrackPath path, std::size_t width, double rate,
                          std::uint32_t frame_count, double tolerance) {
    const Sampler sampler(track, path, width, rate);
    std::vector<std::uint32_t> frames = sampler.frames(frame_count - 1);
    if (path == TrackPath::rotation) frames = refined(sampler, frames, tolerance);
    FrameKeys keys;
    for (const std::uint32_t frame : frames) {
        const std::array<float, 4> value = sampler.at(frame);
        keys.frames.push_back(static_cast<float>(frame));
        keys.values.insert(keys.values.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(width));
    }
    return keys;
}

}  // namespace effigy::x42::bridge
