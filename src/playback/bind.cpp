/// A clip bound to a skeleton: tracks become channels by joint, times are shared.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "effigy/playback.hpp"

namespace effigy::playback {
namespace {

/// Target and number of values of a track; a width of 0 if it has none.
Channel find_target(const Skeleton& skeleton, const Track& track) {
    Channel channel;
    channel.width = 0;
    if (track.node >= skeleton.joints.size()) return channel;
    const Index joint = skeleton.joints[track.node];
    channel.target = joint;
    switch (track.path) {
        case TrackPath::translation:
        case TrackPath::scale:
            channel.width = 3;
            break;
        case TrackPath::rotation:
            channel.width = 4;
            break;
        case TrackPath::weights:
            channel.target = skeleton.weights[joint];
            channel.width = skeleton.weights[joint + 1] - skeleton.weights[joint];
            break;
    }
    return channel;
}

bool is_increasing(std::span<const float> times) {
    return std::adjacent_find(times.begin(), times.end(), [](float a, float b) { return !(a < b); }) == times.end();
}

bool has_fitting_values(const Channel& channel) {
    const std::uint64_t groups = channel.interpolation == Interpolation::cubic_spline ? 3 : 1;
    return channel.values.size() / channel.width / groups == channel.times.size() &&
           channel.values.size() % (channel.width * groups) == 0;
}

/// Finds the one of all equal spans that came first: most files give each track times of its own that are the same for
/// all, and playback needs to look at one of them only.
class SharedTimes {
public:
    std::span<const float> find(std::span<const float> times) { return *spans_.insert(times).first; }

private:
    struct Less {
        bool operator()(std::span<const float> a, std::span<const float> b) const {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        }
    };
    std::set<std::span<const float>, Less> spans_;
};

std::vector<Channel>& channels_of(Animation& animation, TrackPath path) {
    switch (path) {
        case TrackPath::translation:
            return animation.translations;
        case TrackPath::rotation:
            return animation.rotations;
        case TrackPath::scale:
            return animation.scales;
        case TrackPath::weights:
            break;
    }
    return animation.weights;
}

/// By target; of several channels for one target the first stays.
void sort_channels(std::vector<Channel>& channels) {
    std::stable_sort(channels.begin(), channels.end(),
                     [](const Channel& a, const Channel& b) { return a.target < b.target; });
    const auto end = std::unique(channels.begin(), channels.end(),
                                 [](const Channel& a, const Channel& b) { return a.target == b.target; });
    channels.erase(end, channels.end());
    channels.shrink_to_fit();
}

}  // namespace

Animation bind(const Scene& scene, const Skeleton& skeleton, const Clip& clip) {
    Animation animation;
    animation.rules = clip.rules;
    animation.duration = std::isfinite(clip.duration) ? std::max(clip.duration, 0.0f) : 0.0f;
    SharedTimes shared;
    for (const Track& track : clip.tracks) {
        if (track.node >= scene.nodes.size()) continue;
        Channel channel = find_target(skeleton, track);
        channel.interpolation = track.interpolation;
        channel.times = track.times;
        channel.values = track.values;
        if (channel.width == 0 || channel.times.empty()) continue;
        if (!std::isfinite(channel.times.front()) || !is_increasing(channel.times)) continue;
        if (!has_fitting_values(channel)) continue;
        channel.times = shared.find(channel.times);
        channels_of(animation, track.path).push_back(channel);
    }
    for (auto* channels : {&animation.translations, &animation.rotations, &animation.scales, &animation.weights}) {
        sort_channels(*channels);
    }
    return animation;
}

SampleContext::SampleContext(const Animation& animation)
    : cursors(animation.translations.size() + animation.rotations.size() + animation.scales.size() +
                  animation.weights.size(),
              0),
      from(animation.rotations.size()),
      to(animation.rotations.size()),
      parts(animation.rotations.size()) {}

}  // namespace effigy::playback
