/// Levels of detail of a part: which one is shown, and the nodes of the others.

#include <algorithm>

#include "core/json.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

std::size_t choose_level(Build& build, const std::string& part, const std::vector<std::uint32_t>& levels) {
    const auto wanted = static_cast<std::uint32_t>(std::max(build.options.lod, 0));
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i] <= wanted) chosen = i;
    }
    if (levels[chosen] != wanted) build.other_levels.add(part);
    return chosen;
}

Index place_levels(Build& build, const std::string& part, Index parent, const std::vector<Level>& levels) {
    const auto name_of = [&](const Level& level) { return part + "-lod" + std::to_string(level.number); };
    Index first = no_index;
    for (const Level& level : levels) {
        if (level.mesh == no_index) continue;
        const Index node = build.add_node(name_of(level), first == no_index ? parent : no_index);
        build.scene.nodes[node].mesh = level.mesh;
        if (first == no_index) {
            first = node;
            continue;
        }
        build.scene.nodes[node].hidden = true;
        build.scene.nodes[first].lods.push_back(node);
    }
    return first;
}

Index place_hidden(Build& build, std::string name, Index mesh, Index part_node, const Transform& rest) {
    const Index index = build.add_node(std::move(name), no_index);
    Node& node = build.scene.nodes[index];
    node.mesh = mesh;
    node.hidden = true;
    node.follows = part_node;
    node.local = rest;
    return index;
}

}  // namespace effigy::egosoft::bridge
