/// Which nodes are drawn: hidden ones and levels of detail.

#include "playback/drawn.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "effigy/playback_codes.hpp"

#include "core/problem.hpp"

namespace effigy::playback {
namespace {

Diagnostic no_such(const char* what, Index node, Index found) {
    return problem_at("nodes[" + std::to_string(node) + "]", codes::playback_node,
                      std::string("The node names a ") + what + " that does not exist.", std::to_string(found));
}

/// For each node, whether it or a node above it is hidden.
std::vector<bool> hidden_nodes(const Scene& scene, const Skeleton& skeleton) {
    std::vector<bool> hidden(scene.nodes.size(), false);
    for (std::size_t joint = 0; joint < skeleton.nodes.size(); ++joint) {
        const Index node = skeleton.nodes[joint], parent = skeleton.parents[joint];
        hidden[node] = scene.nodes[node].hidden || (parent != no_index && hidden[skeleton.nodes[parent]]);
    }
    return hidden;
}

/// The node that stands for `node` at a level of detail.
Index at_level(const Node& node, Index own, int level) {
    if (level <= 0 || node.lods.empty()) return own;
    return node.lods[std::min(static_cast<std::size_t>(level), node.lods.size()) - 1];
}

}  // namespace

Result<std::vector<Index>> drawn_nodes(const Scene& scene, const Skeleton& skeleton, const PoserOptions& options) {
    const std::vector<bool> hidden = hidden_nodes(scene, skeleton);
    std::vector<bool> drawn(scene.nodes.size(), false);
    for (Index index = 0; index < scene.nodes.size(); ++index) {
        const Node& node = scene.nodes[index];
        if (node.mesh == no_index) continue;
        if (node.collision) {
            drawn[index] = drawn[index] || options.collision;
        } else if (!hidden[index]) {
            const Index shown = at_level(node, index, options.level);
            if (shown >= scene.nodes.size()) return fail(no_such("level of detail", index, shown));
            drawn[shown] = true;
        }
    }
    std::vector<Index> nodes;
    for (Index index = 0; index < scene.nodes.size(); ++index) {
        const Node& node = scene.nodes[index];
        if (!drawn[index] || node.mesh == no_index) continue;
        if (node.mesh >= scene.meshes.size()) return fail(no_such("mesh", index, node.mesh));
        nodes.push_back(index);
    }
    return nodes;
}

}  // namespace effigy::playback
