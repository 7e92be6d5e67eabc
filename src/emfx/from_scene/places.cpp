/// Which nodes of the scene are nodes of the actor, and which meshes go where.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// `<node>` of names like `<node>.mesh2`, `<node>.lod1`, `<node>.collision.lod1`; empty for others.
std::string owner_in(const std::string& name) {
    for (const std::string_view mark : {".collision", ".lod", ".mesh"}) {
        const std::size_t at = name.rfind(mark);
        if (at == std::string::npos || at == 0) continue;
        const std::string_view rest = std::string_view(name).substr(at + mark.size());
        const bool plain = rest.find_first_not_of("0123456789") == std::string_view::npos;
        if (plain || (mark == ".collision" && rest.starts_with(".lod"))) return name.substr(0, at);
    }
    return {};
}

/// Whether a holder's name says that its mesh collides. The name of the node that it begins with does not count.
bool is_called_collision(const std::string& name, const Json& extras) {
    const std::string told = text_member(extras, "node");
    const std::string owner = name.starts_with(told) && !told.empty() ? told : owner_in(name);
    return name.find(".collision", owner.size()) != std::string::npos;
}

std::uint64_t level_in(const std::string& name) {
    const std::size_t at = name.rfind(".lod");
    std::uint64_t level = 0;
    if (at == std::string::npos || name.size() > at + 8) return 0;
    for (const char c : name.substr(at + 4)) {
        if (c < '0' || c > '9') return 0;
        level = 10 * level + static_cast<std::uint64_t>(c - '0');
    }
    return level;
}

std::optional<std::size_t> chunk_in(const Json& json) {
    const auto chunk = number_member(json, "chunk");
    return chunk ? std::optional(static_cast<std::size_t>(*chunk)) : std::nullopt;
}

bool has_track(const Scene& scene, Index node) {
    return std::any_of(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) {
        return std::any_of(clip.tracks.begin(), clip.tracks.end(),
                           [&](const Track& track) { return track.node == node; });
    });
}

OldMesh old_mesh(const Mesh& mesh) {
    const Json record = record_of(mesh.extras);
    OldMesh old;
    old.has_layers = member(record, "layers") != nullptr;
    old.model = number_member(record, "model").value_or(0);
    old.node = number_member(record, "node").value_or(0);
    const auto owner = number_member(record, "owner");
    old.owner = owner.value_or(old.node);
    old.owner_model = owner ? number_member(record, "owner_model").value_or(0) : old.model;
    old.lod = number_member(record, "lod").value_or(0);
    old.chunk = chunk_in(record);
    if (const Json* const skinning = member(record, "skinning")) old.skinning_chunk = chunk_in(*skinning);
    return old;
}

class Finder {
public:
    explicit Finder(Build& build) : build_(build), scene_(build.scene), is_hidden_(hidden_nodes(build.scene)) {}

    void run() {
        for (const Mesh& mesh : scene_.meshes) build_.old_meshes.push_back(old_mesh(mesh));
        build_.node_places.assign(scene_.nodes.size(), {});
        is_level_.assign(scene_.nodes.size(), 0);
        level_owner_.assign(scene_.nodes.size(), no_index);
        for (Index owner = 0; owner < scene_.nodes.size(); ++owner) {
            const std::vector<Index>& lods = scene_.nodes[owner].lods;
            for (std::size_t i = 0; i < lods.size(); ++i) {
                if (lods[i] >= is_level_.size() || level_owner_[lods[i]] != no_index)
                    continue;  // a copy lists them, too
                is_level_[lods[i]] = i + 1;
                level_owner_[lods[i]] = owner;
            }
        }
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            if (!by_name_.try_emplace(scene_.nodes[i].name, i).second) shared_names_.insert(scene_.nodes[i].name);
        }
        for (Index i = 0; i < scene_.nodes.size(); ++i) look_at(i);
        find_owners();
        for (Index i = 0; i < scene_.nodes.size(); ++i) add_mesh(i);
        build_.note_any(left_out_, codes::emfx_hidden_left_out, "nodes",
                        "The scene does not show these meshes, and they are neither levels of detail nor collision "
                        "meshes: they are left out. List their nodes in the scene to have them.");
    }

private:
    void look_at(Index index) {
        const Node& node = scene_.nodes[index];
        const Json extras = record_of(node.extras);
        NodePlace& place = build_.node_places[index];
        if (const auto raw = bytes_at(extras, "name_bytes")) build_.has_raw_names |= !is_utf8(as_text(*raw));
        place.model =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(number_member(extras, "model").value_or(0), no_number));
        const auto number = number_member(extras, "index");
        if (number && *number < no_number) {
            place.index = static_cast<std::uint32_t>(*number);
            if (place.role == NodeRole::link) place.role = NodeRole::node;  // a node that a chain was seen in wrongly
            return;
        }
        if (place.role == NodeRole::link) return;
        const bool helper = flag_at(extras, "helper");
        if (is_holder(node, index, extras, helper)) return hold(index, extras);
        if (find_link(node, index)) return;
        if (!node.children.empty() && node.parent == no_index && node.mesh == no_index && node.name == "effigy_root") {
            // One that was moved, or that a clip moves, moves the actor, and so is a node of it.
            const bool is_still = is_close(local_matrix(node), glm::dmat4(1), 1e-5) && !has_track(scene_, index);
            if (is_still) place.role = NodeRole::above;
            return;
        }
        if (node.parent != no_index && node.children.empty() && node.mesh == no_index &&
            node.name == scene_.nodes[node.parent].name + ".twin") {
            place.role = NodeRole::twin;
            place.partner = node.parent;
        }
    }

    /// `<node>.scale` above its only child `<node>`. One of the two may have another name by now.
    bool find_link(const Node& node, Index index) {
        if (node.children.size() != 1 || node.mesh != no_index) return false;
        const Index child = node.children.front();
        const bool is_pair = node.name == scene_.nodes[child].name + ".scale" || was_link(node, child);
        if (!is_pair || scene_.nodes[child].matrix || node.matrix) return false;
        const Transform& lower = scene_.nodes[child].local;
        if (lower.translation != Vec3{} || lower.scale != Vec3{1, 1, 1}) return false;
        build_.node_places[index].role = NodeRole::link;
        build_.node_places[index].partner = child;
        build_.node_places[child].partner = index;
        return true;
    }

    /// Whether the records say so: the upper half of a pair is a helper and has none of its own, the lower one has that
    /// of a node. The root that to_scene puts above all others is a helper, too, and so are nodes of other formats.
    [[nodiscard]] bool was_link(const Node& node, Index child) const {
        const bool may_be = node.name.ends_with(".scale") || !build_.files.front().json.empty();
        return may_be && node.name != "effigy_root" && flag_at(record_of(node.extras), "helper") &&
               number_member(record_of(scene_.nodes[child].extras), "index").has_value();
    }

    bool is_holder(const Node& node, Index index, const Json& extras, bool helper) const {
        if (node.mesh == no_index || !node.children.empty()) return false;
        if (helper || node.collision || flag_at(extras, "collision") || is_level_[index] != 0) return true;
        const std::string owner = owner_in(node.name);
        return !owner.empty() && by_name_.contains(owner);
    }

    void hold(Index index, const Json& extras) {
        const Node& node = scene_.nodes[index];
        NodePlace& place = build_.node_places[index];
        place.role = NodeRole::holder;
        place.collision = node.collision || flag_at(extras, "collision") || is_called_collision(node.name, extras);
        place.baked = flag_at(extras, "baked");
        const std::uint64_t named = level_in(node.name);
        // A level that is shown, and not called one, is the finest now.
        if (is_hidden_[index] || named != 0) place.level = number_member(extras, "level").value_or(0);
        if (place.level == 0) place.level = is_level_[index] != 0 ? is_level_[index] : named;
        place.had_owner = member(extras, "node") != nullptr;
        place.base = level_owner_[index];
    }

    void find_owners() {
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const NodePlace& place = build_.node_places[i];
            if (place.index != no_number) by_number_.try_emplace({place.model, place.index}, i);
        }
        for (const bool is_level : {false, true}) {  // which ask their finest one
            for (Index i = 0; i < scene_.nodes.size(); ++i) {
                NodePlace& place = build_.node_places[i];
                if (place.role == NodeRole::holder && (level_owner_[i] != no_index) == is_level)
                    place.partner = owner_of(i);
            }
        }
    }

    Index owner_of(Index holder) {
        const Node& node = scene_.nodes[holder];
        if (node.follows < scene_.nodes.size()) return node.follows;
        for (const std::string& name : {text_member(record_of(node.extras), "node"), owner_in(node.name)}) {
            const auto found = by_name_.find(name);
            if (name.empty() || found == by_name_.end()) continue;
            if (const Index owner = among_namesakes(holder, found->second); owner != holder) return owner;
        }
        // It may have another name by now.
        if (const Index old = old_owner(node.mesh); old != no_index) return old;
        return level_owner_[holder] != no_index ? level_owner_[holder] : node.parent;
    }

    /// Of the nodes that have the name of `named`, or had it in the file, the holder's own.
    Index among_namesakes(Index holder, Index named) {
        const Node& node = scene_.nodes[named];
        if (!shared_names_.contains(node.name) && !keeps_name(node)) return named;
        const Index own = own_namesake(holder);
        if (own == no_index) return named;
        const bool was_equal = keeps_name(node) && keeps_name(scene_.nodes[own]);
        return was_equal || scene_.nodes[own].name == node.name ? own : named;
    }

    Index own_namesake(Index holder) {
        if (const Index old = old_owner(scene_.nodes[holder].mesh); old != no_index) return old;
        const Index finest = level_owner_[holder];
        if (finest == no_index || build_.node_places[finest].role == NodeRole::node) return finest;
        return build_.node_places[finest].partner;
    }

    /// The node that a mesh had in its file.
    [[nodiscard]] Index old_owner(Index mesh) const {
        const OldMesh& old = build_.old_meshes[mesh];
        const auto found = by_number_.find({old.owner_model, old.owner});
        return old.has_layers && found != by_number_.end() ? found->second : no_index;
    }

    void add_mesh(Index index) {
        const Node& node = scene_.nodes[index];
        if (node.mesh == no_index) return;
        const NodePlace& place = build_.node_places[index];
        const bool collides = place.collision || node.collision;
        if (is_hidden_[index] && place.level == 0 && !collides) return left_out_.add(node.name);
        build_.places.push_back({index, node.mesh, node.skin, no_number, place.level, collides, place.baked, 0, 0});
    }

    Build& build_;
    const Scene& scene_;
    std::vector<bool> is_hidden_;
    NameList left_out_;
    std::vector<std::uint64_t> is_level_;  ///< which level of another node a node is; 0: none
    std::vector<Index> level_owner_;
    std::unordered_map<std::string, Index> by_name_;  ///< the first of each name
    std::unordered_set<std::string> shared_names_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Index> by_number_;  ///< by model and number there
};

/// The scene node that stands for the owner of a holder: not another holder.
Index owner(const Build& build, Index holder) {
    Index index = build.node_places[holder].partner;
    for (int steps = 0; index != no_index && steps < 4; ++steps) {
        if (index == holder) return no_index;
        const NodePlace& place = build.node_places[index];
        if (place.role == NodeRole::node) return index;
        index = place.partner;
    }
    return no_index;
}

/// Tells the meshes of old files from copies of them, whose records are the same.
class Originals {
public:
    explicit Originals(const Build& build) : build_(build) {}

    /// Whether the mesh is one of a file, and the first that says to be this one.
    bool add(Index mesh) {
        const OldMesh& old = build_.old_meshes[mesh];
        return old.chunk && chunks_.emplace(old.model, *old.chunk).second;
    }

private:
    const Build& build_;
    std::set<std::pair<std::uint64_t, std::size_t>> chunks_;  ///< by model
};

/// Whether a mesh that stands in the world is where to_scene() put it, and its node where the file had it: rounding is
/// no move then, however far it reaches. A rigid level of detail of a skinned mesh stands at the origin.
bool stands_as_it_was(const Build& build, const MeshPlace& place) {
    const Node& holder = build.scene.nodes[place.scene_node];
    const ActorNode& node = build.nodes[place.number];
    const bool is_loose = holder.parent == no_index && build.node_places[place.scene_node].base == no_index;
    const bool is_of_node = holder.follows == node.scene_node || (holder.follows == no_index && place.level != 0);
    return is_loose && is_of_node && node.is_raw_to_root && build.untouched(holder);
}

}  // namespace

void find_places(Build& build) { Finder(build).run(); }

void promote_holders(Build& build) {
    std::set<std::tuple<Index, std::uint64_t, bool>> taken;
    const auto claim = [&](const MeshPlace& place, Index node) {
        return taken.emplace(node, place.level, place.collision).second;
    };
    Originals originals(build);
    for (const MeshPlace& place : build.places) {
        if (build.node_places[place.scene_node].role != NodeRole::node) continue;
        claim(place, place.scene_node);
        originals.add(place.mesh);
    }
    for (const MeshPlace& place : build.places) {
        NodePlace& node = build.node_places[place.scene_node];
        if (node.role != NodeRole::holder) continue;
        node.partner = owner(build, place.scene_node);
        const bool is_original = originals.add(place.mesh);
        const bool was_second = is_original && build.untouched(build.scene.meshes[place.mesh]);  // as its file had it
        if (node.partner != no_index && (claim(place, node.partner) || was_second)) continue;
        if (node.partner == no_index && was_second && !node.had_owner && !build.files.front().json.empty()) continue;
        node.role = NodeRole::node;
        node.partner = no_index;
    }
}

glm::dmat4 rest_world(const Build& build, const MeshPlace& place) {
    const Node& node = build.scene.nodes[place.scene_node];
    const glm::dmat4& world = build.worlds[place.scene_node];
    const Index base = build.node_places[place.scene_node].base;
    if (base == no_index || node.parent != no_index || node.follows != no_index) return world;
    const Index above = build.scene.nodes[base].parent;
    return above == no_index ? world : build.worlds[above] * world;
}

bool is_apart_from_node(const Build& build, const MeshPlace& place) {
    // Twice what is lost where translation, rotation and scale stand for a node's matrix.
    constexpr double rounding = 2e-5;
    if (place.number >= build.nodes.size() || stands_as_it_was(build, place)) return false;
    const Index node = build.nodes[place.number].scene_node;
    return !is_close(build.worlds[node], rest_world(build, place), rounding);
}

}  // namespace effigy::emfx::bridge
