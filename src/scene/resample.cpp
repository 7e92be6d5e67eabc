/// Clips with keys at a fixed rate.

#include "scene/resample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "effigy/core_codes.hpp"

#include "core/problem.hpp"
#include "scene/between_keys.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace {

/// Values of a track at times that rise.
class TrackReader {
public:
    TrackReader(const Track& track, RotationRule rule, std::size_t components)
        : track_(track),
          rule_(rule),
          keys_{track.values, components, track.interpolation == Interpolation::cubic_spline},
          value_(components) {}

    void read(float time, std::span<float> out) {
        const Bulk<float>& times = track_.times;
        while (key_ + 1 < times.size() && times[key_ + 1] <= time) ++key_;
        const bool is_between = key_ + 1 < times.size() && time > times[key_];
        if (!is_between || track_.interpolation == Interpolation::step) {
            const std::span<const float> value = keys_.value(key_);
            std::copy(value.begin(), value.end(), out.begin());
            return;
        }
        const double begin = times[key_], seconds = static_cast<double>(times[key_ + 1]) - begin;
        SegmentSampler(keys_, key_, seconds, track_.path, rule_)
            .at((static_cast<double>(time) - begin) / seconds, value_);
        std::transform(value_.begin(), value_.end(), out.begin(), [](double value) { return narrow(value); });
    }

private:
    const Track& track_;
    RotationRule rule_;
    KeyValues keys_;
    std::vector<double> value_;
    std::size_t key_ = 0;
};

std::size_t components_of(const Track& track) noexcept {
    const std::size_t parts = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
    return track.times.empty() ? 0 : track.values.size() / (track.times.size() * parts);
}

std::vector<float> times_of(float duration, double rate, std::uint64_t count) {
    std::vector<float> times;
    times.reserve(static_cast<std::size_t>(count));
    times.push_back(0);
    for (std::uint64_t k = 1; k < count; ++k) {
        const float time = std::min(narrow(static_cast<double>(k) / rate), duration);
        // A rate beyond the precision of floats gives equal times.
        if (time > times.back()) times.push_back(time);
    }
    return times;
}

/// On the same half of the sphere as the one before, so that a straight line between both is the short way.
void turn_like_before(std::span<const float> before, std::span<float> value) noexcept {
    float dot = 0;
    for (std::size_t i = 0; i < value.size(); ++i) dot += before[i] * value[i];
    if (dot >= 0) return;
    for (float& number : value) number = -number;
}

void resample(Track& track, const std::vector<float>& times, RotationRule rule) {
    const std::size_t components = components_of(track);
    if (components == 0) return;
    Bulk<float> values(times.size() * components);
    TrackReader reader(track, rule, components);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::span<float> value = std::span(values).subspan(i * components, components);
        reader.read(times[i], value);
        if (i != 0 && track.path == TrackPath::rotation)
            turn_like_before(std::span(values).subspan((i - 1) * components, components), value);
    }
    track.times.assign(times.begin(), times.end());
    track.values = std::move(values);
    track.interpolation = Interpolation::linear;
}

}  // namespace

Result<void> resample(Scene& scene, double rate, Budget& budget) {
    for (Clip& clip : scene.clips) {
        std::uint64_t width = 1;
        for (const Track& track : clip.tracks) width += 1 + components_of(track);
        const double count = std::floor(std::max(static_cast<double>(clip.duration), 0.0) * rate) + 2;
        if (!(count < 1e15) || !budget.take(static_cast<std::uint64_t>(count), width * sizeof(float)))
            return fail(problem_at("clip " + clip.name, codes::limit_memory,
                                   "the resampled keys need more memory than the limit allows; resample at a lower "
                                   "rate, or raise the limit with --limit-memory"));
        const std::vector<float> times = times_of(clip.duration, rate, static_cast<std::uint64_t>(count));
        for (Track& track : clip.tracks) resample(track, times, clip.rules.rotation);
        clip.rules = {};
    }
    return {};
}

}  // namespace effigy
