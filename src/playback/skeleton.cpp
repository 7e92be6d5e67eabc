/// A skeleton from a scene: nodes with parents first, circles cut, rest pose.

#include <cstdint>
#include <utility>
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

}  // namespace effigy::playback
