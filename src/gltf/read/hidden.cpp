/// Nodes that were hidden are so again, whatever shows all of them: levels of detail, collision, and what follows
/// others. Those that people made are known by their names.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "gltf/read/named_nodes.hpp"
#include "scene/bridge.hpp"
#include "scene/level_names.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::gltf {
namespace {

/// Takes a node off the one that it hangs on, and leaves its own transform as it is.
void take_off(std::vector<Node>& nodes, Index index) {
    if (nodes[index].parent == no_index) return;
    std::erase(nodes[nodes[index].parent].children, index);
    nodes[index].parent = no_index;
}

void stand_at(Node& node, const glm::dmat4& matrix) {
    node.local = {};
    node.matrix.reset();
    if (matrix != glm::dmat4(1)) node.matrix = narrow(matrix);
}

class Hider {
public:
    Hider(Reading& reading, const NamedNodes& named) : reading_(reading), nodes_(reading.scene.nodes), named_(named) {}

    void run() {
        std::vector<bool> is_level(nodes_.size());
        for (const Node& node : nodes_) {
            for (const Index level : node.lods) is_level[level] = true;
        }
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
    [[nodiscard]] Index owner_of_level(const Node& level, const Value& hint) const {
        const std::string_view name = text_member(hint, "name");
        const LevelName own = parse_level_name(level.name), old = parse_level_name(name);
        if (own.kind == LevelName::Kind::level && old.kind == own.kind && own.part != old.part) {
            const std::string now = own.part + std::string(name.substr(old.part.size()));
            if (const Index renamed = named_.find(now, level, hint); renamed != no_index) return renamed;
        }
        return named_.find(name, level, hint);
    }

    void note_level(Index index) {
        const Value* const level_of = member(reading_.hints[index], "level_of");
        if (level_of == nullptr) return;
        const Index owner = owner_of_level(nodes_[index], *level_of);
        if (owner == no_index) return alone_.add(nodes_[index].name);
        if (stays_hidden(owner)) return;
        levels_[owner].push_back({whole_member_or(*level_of, "level", 1).value_or(1), index});
    }

    Reading& reading_;
    std::vector<Node>& nodes_;
    const NamedNodes& named_;
    std::map<Index, std::vector<Level>> levels_;
    NameList alone_;
};

void restore_followers(Reading& reading, const NamedNodes& named) {
    for (std::size_t i = 0; i < reading.scene.nodes.size(); ++i) {
        Node& node = reading.scene.nodes[i];
        const Value* const follows = node.hidden ? member(reading.hints[i], "follows") : nullptr;
        if (follows == nullptr) continue;
        const Index leader = named.find(text_member(*follows, "name"), node, *follows);
        if (leader != no_index) node.follows = leader;
    }
}

/// Levels and collision meshes that only their names tell of, as no modelling program writes anything else: they are
/// hidden where the finest mesh is there as well. What a file of a game shows, its records say.
class NamedLevels {
public:
    explicit NamedLevels(Reading& reading)
        : reading_(reading), nodes_(reading.scene.nodes), owners_(nodes_.size(), no_index), finest_(reading.scene) {}

    void run() {
        names_.reserve(nodes_.size());
        for (const Node& node : nodes_) names_.push_back(parse_level_name(node.name));
        const auto tells = [&](const LevelName& name) { return !is_finest(name); };
        if (!std::ranges::any_of(names_, tells)) return;
        find_owners();
        if (std::ranges::all_of(owners_, [](Index owner) { return owner == no_index; })) return;
        for (Index i = 0; i < nodes_.size(); ++i) {
            const bool is_level = owners_[i] != no_index && names_[i].kind == LevelName::Kind::level;
            if (is_level && !add_level(i)) owners_[i] = no_index;
        }
        worlds_ = rest_worlds(reading_.scene);
        for (const Index index : order_) hide(index);
        for (auto& [owner, levels] : levels_) {
            for (const auto& [number, level] : levels) nodes_[owner].lods.push_back(level);
        }
    }

private:
    static bool is_finest(const LevelName& name) { return name.kind != LevelName::Kind::collision && name.number == 0; }

    void find_owners() {
        const std::vector<bool> hidden = hidden_nodes(reading_.scene);
        is_joint_ = joints_of(reading_.scene);
        std::vector<bool> is_level(nodes_.size());
        for (const Node& node : nodes_) {
            for (const Index level : node.lods) is_level[level] = true;
        }
        const auto is_shown = [&](Index i) { return nodes_[i].mesh != no_index && !hidden[i] && !is_level[i]; };
        for (Index i = 0; i < nodes_.size(); ++i) {
            if (is_shown(i) && is_finest(names_[i])) finest_.add(i, part_name_of_mesh(nodes_[i].name));
        }
        find_moved();
        order_ = parents_first(reading_.scene);
        std::reverse(order_.begin(), order_.end());  // what hangs on a level goes first
        for (const Index i : order_) {
            if (!is_shown(i) || is_finest(names_[i]) || is_joint_[i] || nodes_[i].light != no_index) continue;
            const Index owner = finest_.find(part_name_of_mesh(nodes_[i].name), i);
            if (owner != no_index && is_peoples(i, owner) && can_go(i, owner)) owners_[i] = owner;
        }
    }

    void find_moved() {
        is_moved_.resize(nodes_.size());
        for (const Clip& clip : reading_.scene.clips) {
            for (const Track& track : clip.tracks)
                is_moved_[track.node] = is_moved_[track.node] || track.path != TrackPath::weights;
        }
    }

    /// Whether it has no record, or that of the mesh which it was copied from.
    [[nodiscard]] bool is_peoples(Index index, Index owner) const {
        const Node &node = nodes_[index], &other = nodes_[owner];
        const bool has_record = !node.extras.json.empty() || !reading_.hints[index].empty();
        return !has_record || (node.extras.json == other.extras.json && reading_.hints[index] == reading_.hints[owner]);
    }

    /// What something else hangs on stays, and so does what clips move in the space of another node.
    [[nodiscard]] bool can_go(Index index, Index owner) const {
        const Node& node = nodes_[index];
        const bool stays_beside = node.parent == no_index || node.parent == nodes_[owner].parent;
        return (stays_beside || !is_moved_[index]) &&
               std::ranges::all_of(node.children, [&](Index child) { return owners_[child] != no_index; });
    }

    void hide(Index index) {
        const Index owner = owners_[index];
        if (owner == no_index) return;
        Node& node = nodes_[index];
        if (names_[index].kind == LevelName::Kind::collision) {
            if (node.parent != no_index) stand_at(node, worlds_[index]);
            node.collision = true;
            node.follows = owner;
        } else {
            stand_beside(node, worlds_[index], nodes_[owner].parent);
        }
        const Index above = node.parent;
        take_off(nodes_, index);
        node.hidden = true;
        hide_folders(above);
    }

    /// Whether it is the first of its number.
    bool add_level(Index index) {
        const Index owner = owners_[index];
        const std::uint32_t number = names_[index].number;
        return number > nodes_[owner].lods.size() && levels_[owner].emplace(number, index).second;
    }

    /// A level stands below what its finest mesh hangs on.
    void stand_beside(Node& node, const glm::dmat4& world, Index above) const {
        if (node.skin != no_index && node.parent != no_index) return stand_at(node, glm::dmat4(1));
        if (node.parent == no_index || node.parent == above) return;
        const auto back = above == no_index ? glm::dmat4(1) : inverse_affine(worlds_[above], 1e-30);
        stand_at(node, back.value_or(glm::dmat4(1)) * world);
    }

    /// What has held nothing but levels is no place for anything.
    void hide_folders(Index index) {
        while (index != no_index) {
            Node& node = nodes_[index];
            if (!node.children.empty() || node.mesh != no_index || node.light != no_index || is_joint_[index] ||
                is_moved_[index] || !node.extras.json.empty() || !node.extras.other.empty() ||
                !reading_.hints[index].empty())
                return;
            const Index above = node.parent;
            if (above != no_index) stand_at(node, worlds_[index]);
            take_off(nodes_, index);
            node.hidden = true;
            index = above;
        }
    }

    Reading& reading_;
    std::vector<Node>& nodes_;
    std::vector<Index> owners_;  ///< of each node: the finest mesh whose level or collision mesh it is
    PartFinder finest_;
    std::vector<LevelName> names_;
    std::vector<bool> is_joint_, is_moved_;
    std::vector<Index> order_;
    std::vector<glm::dmat4> worlds_;
    std::map<Index, std::map<std::uint32_t, Index>> levels_;  ///< by finest mesh and number
};

}  // namespace

void hide_again(Reading& reading) {
    const NamedNodes named(reading);
    Hider(reading, named).run();
    NamedLevels(reading).run();
    for (Node& node : reading.scene.nodes) node.collision = node.collision && node.hidden;
    restore_followers(reading, named);
}

}  // namespace effigy::gltf
