/// Sampling of a track at any time, by the rules of its clip.

#include <algorithm>
#include <cmath>

#include "effigy/scene_access.hpp"

#include "scene/between_keys.hpp"

namespace effigy {

std::size_t value_width(const Scene& scene, const Track& track) noexcept {
    if (track.node >= scene.nodes.size() || track.times.empty()) return 0;
    std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    if (track.path == TrackPath::weights) {
        const Index mesh = scene.nodes[track.node].mesh;
        width = mesh < scene.meshes.size() ? scene.meshes[mesh].targets.size() : 0;
    }
    const std::size_t groups = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
    if (track.values.size() != track.times.size() * width * groups) return 0;
    const auto is_finite = [](float value) { return std::isfinite(value); };
    const bool rise =
        std::adjacent_find(track.times.begin(), track.times.end(), std::greater_equal<>()) == track.times.end();
    return rise && std::all_of(track.times.begin(), track.times.end(), is_finite) &&
                   std::all_of(track.values.begin(), track.values.end(), is_finite)
               ? width
               : 0;
}

void TrackSampler::at(double time, std::span<double> out) const {
    const auto& times = track_->times;
    const KeyValues keys{track_->values, width_, track_->interpolation == Interpolation::cubic_spline};
    const auto after = std::upper_bound(times.begin(), times.end(), static_cast<float>(time));
    const auto next = static_cast<std::size_t>(after - times.begin());
    const std::size_t last = times.size() - 1;
    std::size_t key = next == 0 ? (rules_.last_before_first ? last : 0) : next - 1;
    double fraction = 0;
    if (next != 0 && key != last && track_->interpolation != Interpolation::step) {
        const double begin = times[key];
        fraction = std::max(0.0, time - begin) / (static_cast<double>(times[next]) - begin);
    }
    if (fraction > 0) {
        const double seconds = static_cast<double>(times[next]) - static_cast<double>(times[key]);
        return SegmentSampler(keys, key, seconds, track_->path, rules_.rotation).at(fraction, out);
    }
    const auto value = keys.value(key);
    BetweenKeys(value, value, track_->path, rules_.rotation).at(0, out);
}

}  // namespace effigy
