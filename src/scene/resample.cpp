/// Keys at a fixed rate.

#include "scene/resample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "effigy/scene_access.hpp"

#include "scene/wide_math.hpp"

namespace effigy {
namespace {

std::size_t width_of(const Track& track) noexcept {
    const std::size_t parts = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
    return track.times.empty() ? 0 : track.values.size() / (track.times.size() * parts);
}

/// On the same half of the sphere as the one before, so that a straight line between both is the short way.
void turn_like_before(std::span<const float> before, std::span<float> value) noexcept {
    float dot = 0;
    for (std::size_t i = 0; i < value.size(); ++i) dot += before[i] * value[i];
    if (dot >= 0) return;
    for (float& number : value) number = -number;
}

void resample(Track& track, const Bulk<float>& times, const ClipRules& rules) {
    std::vector<double> row(width_of(track));
    if (row.empty()) return;
    const TrackSampler sampler(track, row.size(), rules);
    Bulk<float> values(times.size() * row.size());
    std::span<float> before;
    for (std::size_t i = 0; i < times.size(); ++i) {
        sampler.at(double{times[i]}, row);
        const std::span<float> value = std::span(values).subspan(i * row.size(), row.size());
        std::transform(row.begin(), row.end(), value.begin(), [](double number) { return narrow(number); });
        if (track.path == TrackPath::rotation && i != 0) turn_like_before(before, value);
        before = value;
    }
    track.times = times;
    track.values = std::move(values);
    track.interpolation = Interpolation::linear;
}

}  // namespace

Bulk<float> steady_times(double rate, double duration) {
    Bulk<float> times{0};
    for (double number = 1; number / rate < duration; ++number) {
        const float time = narrow(number / rate);
        if (time > times.back()) times.push_back(time);
    }
    const float end = narrow(duration);
    if (end > times.back()) times.push_back(end);
    return times;
}

std::uint64_t count_steady_times(double rate, double duration) noexcept {
    const double count = std::floor(duration * rate) + 2;
    return count < 1e15 ? static_cast<std::uint64_t>(std::max(count, 1.0)) : UINT64_MAX;
}

Result<void> resample(Clip& clip, double rate, BridgeState& memory) {
    double duration = double{clip.duration};
    std::uint64_t width = 1;
    for (const Track& track : clip.tracks) {
        if (!track.times.empty()) duration = std::max(duration, double{track.times.back()});
        width += 1 + width_of(track);
    }
    auto taken = memory.take(count_steady_times(rate, duration), sizeof(float) * width, "resampled keys");
    if (!taken) return taken;
    const Bulk<float> times = steady_times(rate, duration);
    for (Track& track : clip.tracks) resample(track, times, clip.rules);
    clip.rules = {};
    return {};
}

}  // namespace effigy
