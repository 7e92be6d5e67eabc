/// The nodes that hints of others name: programs number nodes anew, and give those that share a name others.

#include "gltf/read/named_nodes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "effigy/scene_access.hpp"

#include "gltf/file/json.hpp"
#include "scene/level_names.hpp"

namespace effigy::gltf {

NamedNodes::NamedNodes(const Reading& reading) : nodes_(reading.scene.nodes) {
    for (Index i = 0; i < nodes_.size(); ++i) by_name_.try_emplace({nodes_[i].name, {}, {}}, i);
    const auto says_place = [](const Value& hints) {
        return std::ranges::any_of(std::array{"follows", "level_of"}, [&](const char* name) {
            const Value* const hint = member(hints, name);
            return hint != nullptr && member(*hint, "root") != nullptr;
        });
    };
    if (std::ranges::any_of(reading.hints, says_place)) find_places(reading.scene);
}

void NamedNodes::find_places(const Scene& scene) {
    places_.resize(nodes_.size());
    for (const Index i : parents_first(scene)) {
        const Index parent = nodes_[i].parent;
        if (parent < nodes_.size()) {
            places_[i] = {places_[parent].root, without_copy_number(nodes_[parent].name)};
        } else {
            places_[i] = {without_copy_number(nodes_[i].name), {}};
        }
    }
    // What has the very name counts before what has a number behind it.
    for (const bool is_numbered : {false, true}) {
        for (Index i = 0; i < nodes_.size(); ++i) {
            const auto& [root, parent] = places_[i];
            if (root.empty()) continue;
            const std::string_view own = nodes_[i].name, name = is_numbered ? without_copy_number(own) : own;
            by_name_.try_emplace({name, root, parent}, i);
            by_name_.try_emplace({name, root, {}}, i);
        }
    }
}

Index NamedNodes::at(std::string_view name, const Place& place) const {
    const auto found = by_name_.find({name, place.root, place.parent});
    return found != by_name_.end() ? found->second : no_index;
}

bool NamedNodes::is_at(Index node, const Place& place) const {
    if (place.root.empty()) return true;
    return places_[node].root == place.root && (place.parent.empty() || places_[node].parent == place.parent);
}

Index NamedNodes::find(std::string_view name, const Node& from, const Value& hint) const {
    const std::string_view copy_number = copy_number_of(from.name);
    const std::string copy = copy_number.empty() ? std::string() : std::string(name).append(copy_number);
    const auto number = whole_member(hint, "node");
    const bool has_number = number && *number < nodes_.size() && nodes_[static_cast<std::size_t>(*number)].name == name;
    const std::string_view root = without_copy_number(text_member(hint, "root"));
    const std::string_view parent = without_copy_number(text_member(hint, "parent"));
    for (const Place& place : {Place{root, parent}, Place{root, {}}, Place{}}) {
        const Index same_copy = copy.empty() ? no_index : at(copy, place);
        if (same_copy != no_index) return same_copy;
        if (has_number && is_at(static_cast<Index>(*number), place)) return static_cast<Index>(*number);
        if (const Index named = at(name, place); named != no_index) return named;
    }
    return no_index;
}

}  // namespace effigy::gltf
