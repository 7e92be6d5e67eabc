/// Nodes that only embedded levels of detail have, and not the actor: they stay with their levels as long as they can.

#include <algorithm>
#include <set>
#include <string>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::size_t max_numbers = 65535;  // influences name nodes by 16 bits

class OwnNodes {
public:
    explicit OwnNodes(Build& build) : build_(build), scene_(build.scene) {}

    bool set_aside() {
        // A list of levels in one file has one list of nodes.
        const bool keeps_files = build_.options.levels != LevelStorage::fields && !build_.map.is_ported;
        if (!keeps_files || build_.files.size() < 2 || scene_.nodes.size() > max_numbers) return false;
        is_own_.assign(scene_.nodes.size(), false);
        for (Index i = 0; i < scene_.nodes.size(); ++i) is_own_[i] = is_own(i);
        if (std::find(is_own_.begin(), is_own_.end(), true) == is_own_.end()) return false;
        collect_names();
        if (!are_untouched() || is_above_others() || !have_meshes_all() || does_a_clip_move_them()) return false;
        for (Index i = 0; i < scene_.nodes.size(); ++i) build_.node_places[i].is_of_level = is_own_[i];
        return true;
    }

private:
    [[nodiscard]] bool is_own(Index node) const {
        const NodePlace& place = build_.node_places[node];
        const bool is_of_level = place.role == NodeRole::node && place.index != no_number && place.model != 0 &&
                                 place.model < build_.files.size();
        return is_of_level && member(record_of(scene_.nodes[node].extras), "part") == nullptr;
    }

    void collect_names() {
        for (const FileParts& file : build_.files) {
            std::set<std::string>& names = names_.emplace_back();
            for (const xac::Node& node : file.nodes) names.insert(node.name);
        }
    }

    [[nodiscard]] bool are_untouched() const {
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            if (!is_own_[i]) continue;
            const Index link = build_.node_places[i].partner;
            if (!build_.untouched(scene_.nodes[i])) return false;
            if (link != no_index && !build_.untouched(scene_.nodes[link])) return false;
        }
        return true;
    }

    /// The node that a node of the scene is, or is a part of.
    [[nodiscard]] Index whole(Index node) const {
        const NodePlace& place = build_.node_places[node];
        return place.role == NodeRole::node ? node : place.partner;
    }
    [[nodiscard]] bool is_any_own(Index node) const {
        const Index one = whole(node);
        return one != no_index && is_own_[one];
    }

    [[nodiscard]] bool is_above_others() const {
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            if (build_.node_places[i].role != NodeRole::node || is_own_[i]) continue;
            for (Index above = scene_.nodes[i].parent; above != no_index; above = scene_.nodes[above].parent) {
                if (is_own_[above]) return true;
            }
        }
        return false;
    }

    /// Whether each mesh finds the nodes that it needs in the file that it goes to.
    [[nodiscard]] bool have_meshes_all() const {
        return std::ranges::all_of(build_.places, [&](const MeshPlace& place) {
            const std::size_t file = old_level_of(build_, build_.old_meshes[place.mesh]);
            if (!has(file, place.scene_node)) return false;
            if (place.skin == no_index) return true;
            const std::vector<Index>& joints = scene_.skins[place.skin].joints;
            return std::ranges::all_of(joints, [&](Index joint) { return has(file, joint); });
        });
    }

    [[nodiscard]] bool has(std::size_t file, Index node) const {
        if (!is_any_own(node)) return true;
        if (file == 0) return false;
        const Node& one = scene_.nodes[whole(node)];
        return names_[file].contains(build_.raw_name(one.name, record_of(one.extras), "name_bytes"));
    }

    /// Motions move the actor's nodes only; those of unedited clips come from their records.
    [[nodiscard]] bool does_a_clip_move_them() const {
        return std::ranges::any_of(scene_.clips, [&](const Clip& clip) {
            return !build_.untouched(clip) && std::ranges::any_of(clip.tracks, [&](const Track& track) {
                return track.node < is_own_.size() && is_any_own(track.node);
            });
        });
    }

    Build& build_;
    const Scene& scene_;
    std::vector<bool> is_own_;                  ///< for each node of the scene
    std::vector<std::set<std::string>> names_;  ///< of nodes, for each file
};

}  // namespace

bool set_own_nodes_aside(Build& build) { return OwnNodes(build).set_aside(); }

}  // namespace effigy::emfx::bridge
