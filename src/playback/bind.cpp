/// What jobs need made once: skeletons, and clips bound to them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "effigy/playback.hpp"

namespace effigy::playback {

namespace {

/// A scene that asks for more weights than this (each mesh may stand at many nodes) gets none for the rest of them.
constexpr std::uint64_t max_weights = std::uint64_t{1} << 26;

/// The node above each node, levels of detail included.
std::vector<Index> find_parents(const Scene& scene) {
    const std::size_t count = scene.nodes.size();
    std::vector<Index> parents(count, no_index);
    for (std::size_t i = 0; i < count; ++i) {
        if (scene.nodes[i].parent < count) parents[i] = scene.nodes[i].parent;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (const Index level : scene.nodes[i].lods) {
            if (level >= count) continue;
            const Index parent = scene.nodes[i].parent;
            parents[level] = parent < count ? parent : no_index;
        }
    }
    return parents;
}

enum class Visit : std::uint8_t { not_yet, on_the_way, done };

/// Cuts the circle in `way`, whose nodes lead up to each other, that `meeting` is part of.
void cut_circle(const std::vector<Index>& way, Index meeting, std::vector<Index>& parents) {
    for (std::size_t i = way.size(); i-- > 0;) {
        parents[way[i]] = no_index;
        if (way[i] == meeting) return;
    }
}

/// Nodes in their order, but each one after those above it.
std::vector<Index> sort_parents_first(std::vector<Index>& parents) {
    std::vector<Index> order;
    order.reserve(parents.size());
    std::vector<Visit> visits(parents.size(), Visit::not_yet);
    std::vector<Index> way;
    for (std::size_t i = 0; i < parents.size(); ++i) {
        way.clear();
        auto node = static_cast<Index>(i);
        while (node != no_index && visits[node] == Visit::not_yet) {
            visits[node] = Visit::on_the_way;
            way.push_back(node);
            node = parents[node];
        }
        if (node != no_index && visits[node] == Visit::on_the_way) cut_circle(way, node, parents);
        for (std::size_t step = way.size(); step-- > 0;) {
            visits[way[step]] = Visit::done;
            order.push_back(way[step]);
        }
    }
    return order;
}

void set_rest(Skeleton& skeleton, Index joint, const Node& node) {
    const Transform local = node.matrix ? Transform() : node.local;
    skeleton.rest.translations[joint] = local.translation;
    skeleton.rest.rotations[joint] = local.rotation;
    skeleton.rest.scales[joint] = local.scale;
    if (node.matrix) skeleton.matrices.push_back({joint, *node.matrix});
}

void add_weights(Skeleton& skeleton, const Scene& scene, const Node& node) {
    skeleton.weights.push_back(static_cast<std::uint32_t>(skeleton.rest_weights.size()));
    if (node.mesh >= scene.meshes.size()) return;
    const Mesh& mesh = scene.meshes[node.mesh];
    const std::size_t count = mesh.targets.size();
    if (count > max_weights - skeleton.rest_weights.size()) return;
    for (std::size_t i = 0; i < count; ++i) {
        skeleton.rest_weights.push_back(i < mesh.weights.size() ? mesh.weights[i] : 0.0f);
    }
}

}  // namespace

void Pose::resize(std::size_t joints) {
    translations.resize(joints);
    rotations.resize(joints);
    scales.resize(joints);
}

Skeleton make_skeleton(const Scene& scene) {
    Skeleton skeleton;
    std::vector<Index> node_parents = find_parents(scene);
    skeleton.nodes = sort_parents_first(node_parents);
    const std::size_t count = skeleton.nodes.size();
    skeleton.joints.resize(count);
    for (std::size_t joint = 0; joint < count; ++joint) {
        skeleton.joints[skeleton.nodes[joint]] = static_cast<Index>(joint);
    }
    skeleton.parents.reserve(count);
    skeleton.weights.reserve(count + 1);
    skeleton.rest.resize(count);
    for (std::size_t joint = 0; joint < count; ++joint) {
        const Index node = skeleton.nodes[joint];
        const Index above = node_parents[node];
        skeleton.parents.push_back(above == no_index ? no_index : skeleton.joints[above]);
        set_rest(skeleton, static_cast<Index>(joint), scene.nodes[node]);
        add_weights(skeleton, scene, scene.nodes[node]);
    }
    skeleton.weights.push_back(static_cast<std::uint32_t>(skeleton.rest_weights.size()));
    return skeleton;
}

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

}  // namespace effigy::playback
