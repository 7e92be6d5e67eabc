/// Shear in matrices of nodes: bones only move, turn and scale, and two of them say every matrix.

#include <algorithm>

#include "scene/wide_matrix.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/to_scene/math.hpp"

namespace effigy::x42::bridge {
namespace {

/// Neither levels of detail nor what they stand beside: they draw, and vertices take any matrix.
bool is_sheared(const Node& node) {
    if (!node.matrix || node.hidden || !node.lods.empty()) return false;
    return !(split(wide(*node.matrix)).residual <= split_tolerance);
}

void replace_child(Scene& scene, Index parent, Index child, Index other) {
    if (parent >= scene.nodes.size()) return;
    auto& children = scene.nodes[parent].children;
    std::replace(children.begin(), children.end(), child, other);
}

/// The node only turns from now on, so that joints and meshes stay on it, below one that stretches along other axes.
void put_below_stretch(Scene& scene, Index node) {
    const auto above = static_cast<Index>(scene.nodes.size());
    Node& upper = scene.nodes.emplace_back();
    Node& lower = scene.nodes[node];
    const Chain two = chain(wide(*lower.matrix));
    upper.name = lower.name + ".scale";
    upper.parent = lower.parent;
    upper.children = {node};
    upper.local = two.upper;
    upper.extras.json = R"({"helper":true})";
    replace_child(scene, lower.parent, node, above);
    lower.parent = above;
    lower.matrix.reset();
    lower.local = {{}, two.lower, {1, 1, 1}};
}

}  // namespace

std::optional<Scene> without_shear(const Scene& scene) {
    if (std::find_if(scene.nodes.begin(), scene.nodes.end(), is_sheared) == scene.nodes.end()) return std::nullopt;
    Scene result = scene;
    const auto count = static_cast<Index>(scene.nodes.size());
    for (Index node = 0; node < count; ++node) {
        if (is_sheared(scene.nodes[node])) put_below_stretch(result, node);
    }
    return result;
}

}  // namespace effigy::x42::bridge
