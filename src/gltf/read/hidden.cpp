/// Nodes that were hidden are so again, whatever shows all of them: levels of detail, collision, and what follows
/// others.

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "scene/bridge.hpp"
#include "scene/level_names.hpp"

namespace effigy::gltf {
namespace {

using NodesByName = std::map<std::string_view, Index>;

/// The end if it is no copy, or its owner has none.
NodesByName::const_iterator copy_of_owner(const NodesByName& nodes, const Node& other, std::string_view name) {
    const std::string_view number = copy_number_of(other.name);
    return number.empty() ? nodes.end() : nodes.find(std::string(name).append(number));
}

/// The node that a hint of another one names; the end if there is none. A copy that a modelling program made goes with
/// the copy of the same number: "wing-lod1.001" with "wing-lod0.001".
NodesByName::const_iterator owner_of(const NodesByName& nodes, const Node& other, std::string_view name) {
    const auto copy = copy_of_owner(nodes, other, name);
    return copy != nodes.end() ? copy : nodes.find(name);
}

class Hider {
public:
    explicit Hider(Reading& reading) : reading_(reading), nodes_(reading.scene.nodes) {}

    void run() {
        std::vector<bool> is_level(nodes_.size());
        for (const Node& node : nodes_) {
            for (const Index level : node.lods) is_level[level] = true;
        }
        for (Index i = 0; i < nodes_.size(); ++i) by_name_.try_emplace(nodes_[i].name, i);
        for (Index i = 0; i < nodes_.size(); ++i) {
            if (is_level[i] || nodes_[i].hidden || !stays_hidden(i)) continue;
            if (nodes_[i].skin != no_index) detach(nodes_[i]);
            nodes_[i].hidden = nodes_[i].parent == no_index;
            if (nodes_[i].hidden) note_level(i);
        }
        for (Index i = 0; i < nodes_.size(); ++i) {
            std::erase_if(nodes_[i].children, [&](Index child) { return nodes_[child].parent != i; });
        }
        for (auto& [owner, levels] : levels_) {
            std::stable_sort(levels.begin(), levels.end(),
                             [](const Level& a, const Level& b) { return a.number < b.number; });
            for (const Level& level : levels) nodes_[owner].lods.push_back(level.node);
        }
        if (!alone_.empty()) reading_.note(codes::gltf_level_alone, "nodes", {}, alone_.text());
    }

private:
    struct Level {
        std::uint64_t number;
        Index node;
    };

    // Where a skinned mesh hangs makes no difference, and neither does its node's transform.
    static void detach(Node& node) {
        if (node.parent == no_index) return;
        node.parent = no_index;
        node.local = {};
        node.matrix.reset();
    }

    /// A level that has got the name of the finest mesh is that now.
    [[nodiscard]] bool stays_hidden(Index index) const {
        const Value* const level_of = member(reading_.hints[index], "level_of");
        const bool is_finest = level_of != nullptr && text_member(*level_of, "name") == nodes_[index].name;
        return is_set(reading_.hints[index], "hidden") && !is_finest;
    }

    /// Where a mesh was renamed with its levels, another one may have its old name.
    [[nodiscard]] NodesByName::const_iterator owner_of_level(const Node& level, std::string_view hint) const {
        const LevelName own = parse_level_name(level.name), old = parse_level_name(hint);
        if (own.kind == LevelName::Kind::level && old.kind == own.kind && own.part != old.part) {
            const auto renamed = owner_of(by_name_, level, own.part + std::string(hint.substr(old.part.size())));
            if (renamed != by_name_.end()) return renamed;
        }
        return owner_of(by_name_, level, hint);
    }

    void note_level(Index index) {
        const Value* const level_of = member(reading_.hints[index], "level_of");
        if (level_of == nullptr) return;
        const auto owner = owner_of_level(nodes_[index], text_member(*level_of, "name"));
        if (owner == by_name_.end()) return alone_.add(nodes_[index].name);
        if (stays_hidden(owner->second)) return;
        levels_[owner->second].push_back({whole_member_or(*level_of, "level", 1).value_or(1), index});
    }

    Reading& reading_;
    std::vector<Node>& nodes_;
    NodesByName by_name_;
    std::map<Index, std::vector<Level>> levels_;
    NameList alone_;
};

/// By number where the name still fits, else the first node of that name.
void restore_followers(Reading& reading) {
    std::vector<Node>& nodes = reading.scene.nodes;
    NodesByName by_name;
    for (Index i = 0; i < nodes.size(); ++i) by_name.try_emplace(nodes[i].name, i);
    for (Index i = 0; i < nodes.size(); ++i) {
        const Value* const follows = nodes[i].hidden ? member(reading.hints[i], "follows") : nullptr;
        if (follows == nullptr) continue;
        const std::string_view name = text_member(*follows, "name");
        const auto number = whole_member(*follows, "node");
        const auto copy = copy_of_owner(by_name, nodes[i], name);
        const auto named = by_name.find(name);
        if (copy != by_name.end()) {
            nodes[i].follows = copy->second;
        } else if (number && *number < nodes.size() && nodes[static_cast<std::size_t>(*number)].name == name) {
            nodes[i].follows = static_cast<Index>(*number);
        } else if (named != by_name.end()) {
            nodes[i].follows = named->second;
        }
    }
}

}  // namespace

void hide_again(Reading& reading) {
    Hider(reading).run();
    for (Node& node : reading.scene.nodes) node.collision = node.collision && node.hidden;
    restore_followers(reading);
}

}  // namespace effigy::gltf
