/// Nodes of the scene as nodes of the actor.

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <queue>
#include <set>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "core/unique_names.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::uint64_t max_nodes = 65535;  // numbers have 16 bits, and the last one means none

bool is_uneven(const LocalTransform& local) { return !is_uniform(local.scale); }

Vec3 file_position(const glm::dvec3& v) { return narrow(glm::dvec3(v.x, v.y, -v.z)); }
Quat file_rotation(const glm::dquat& q) { return narrow(glm::dquat(q.w, -q.x, -q.y, q.z)); }

class NodeAdder {
public:
    explicit NodeAdder(Build& build) : build_(build), scene_(build.scene) {}

    Result<void> run() {
        collect();
        if (ordered_.size() > max_nodes) {
            return fail(beyond(codes::emfx_node_count, "nodes",
                               "The scene has more nodes than an actor can have; leave out nodes that move nothing.",
                               ordered_.size(), max_nodes));
        }
        if (ordered_.empty() && build_.places.empty()) {
            return fail(problem_at("nodes", codes::emfx_empty,
                                   "No node of the scene is one of an actor's: there is nothing to make an actor of."));
        }
        if (!build_.budget.take(ordered_.size(), 512)) return fail(build_.memory_limit());
        build_.worlds = worlds_ = rest_worlds(scene_);
        read_values("transforms", transforms_);
        read_values("flags", flags_);
        read_values("boxes", boxes_);
        // Where no node has a box, there is no such member; where they are lost, it has nothing in it.
        const Json& file = build_.files.front().json;
        has_boxes_ = !file.empty() && (member(file, "boxes") == nullptr || bytes_at(file, "boxes"));
        adopt_binds();
        choose_order();
        for (const Index node : ordered_) {
            if (keeps_name(scene_.nodes[node])) (void)names_.take(name_of(node));
        }
        for (const Index node : ordered_) add(node);
        fill_counts();
        fill_file();
        add_own_nodes();
        fill_map();
        return {};
    }

private:
    [[nodiscard]] bool is_node(Index node) const { return build_.node_places[node].role == NodeRole::node; }
    [[nodiscard]] bool is_actor_node(Index node) const {
        return is_node(node) && !build_.node_places[node].is_of_level;
    }

    /// What the asset says of the first file's nodes, by their numbers.
    template <class Value>
    void read_values(const char* name, std::unordered_map<std::uint32_t, Value>& values) const {
        const auto list = elements_at<NodeValue<Value>>(build_.files.front().json, name);
        if (!list) return;
        for (const auto& [node, value] : *list) values.try_emplace(node, value);
    }

    void set_values(xac::Node& record, std::uint32_t number) const {
        if (const auto found = transforms_.find(number); found != transforms_.end())
            set_transform(record, found->second);
        if (const auto found = boxes_.find(number); found != boxes_.end()) record.box = found->second;
        const auto found = flags_.find(number);
        if (found == flags_.end()) return;
        record.flags = found->second[0];
        std::copy_n(found->second.begin() + 1, 3, record.padding.begin());
    }

    /// The one of a node's scene nodes that carries position and scale.
    [[nodiscard]] Index upper_of(Index node) const {
        const Index partner = build_.node_places[node].partner;
        return partner != no_index && partner == scene_.nodes[node].parent ? partner : node;
    }

    /// The node of a file above a node of the scene.
    [[nodiscard]] Index parent_of(Index node) const {
        Index above = scene_.nodes[upper_of(node)].parent;
        while (above != no_index && !is_node(above)) above = scene_.nodes[above].parent;
        return above;
    }

    /// Old nodes in their old order, new ones behind them, parents always first.
    void collect() {
        using Entry = std::pair<std::uint64_t, Index>;
        std::vector<std::vector<Index>> children(scene_.nodes.size());
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
        std::set<std::uint64_t> taken;
        std::vector<std::uint64_t> keys(scene_.nodes.size());
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            if (!is_actor_node(i)) continue;
            const NodePlace& place = build_.node_places[i];
            const std::uint64_t old = (std::uint64_t{place.model} << 32) | place.index;
            const bool is_old = place.index != no_number && taken.insert(old).second;
            if (!is_old) build_.node_places[i].index = no_number;
            keys[i] = is_old ? old : (std::uint64_t{no_number} << 32) | i;
            const Index parent = parent_of(i);
            if (parent == no_index) {
                ready.emplace(keys[i], i);
            } else {
                children[parent].push_back(i);
            }
        }
        number_.assign(scene_.nodes.size(), no_number);
        while (!ready.empty()) {
            const Index node = ready.top().second;
            ready.pop();
            number_[node] = static_cast<std::uint32_t>(ordered_.size());
            ordered_.push_back(node);
            for (const Index child : children[node]) ready.emplace(keys[child], child);
        }
    }

    /// That of the old file, or of the target; rotation first only if no scale is uneven, where it could be seen.
    void choose_order() {
        const Json* const header = member(build_.files.front().json, "header");
        const std::uint64_t old = header == nullptr ? 0 : number_member(*header, "multiplication_order").value_or(0);
        set_order(static_cast<std::uint8_t>(old & 0xffu));
        if (header != nullptr && (!build_.map.is_ported || has_uneven_keys())) return;
        for (const Index node : ordered_) {
            if (is_uneven(local_of(node, Order::scale_first))) return;
        }
        const std::uint8_t wanted = build_.options.target == Target::tree_of_savior ? 1 : 0;
        has_new_order_ = header != nullptr && wanted != build_.map.multiplication_order;
        set_order(wanted);
    }

    void set_order(std::uint8_t order) {
        build_.order = order == 0 ? Order::scale_first : Order::rotation_first;
        build_.map.multiplication_order = order;
    }

    [[nodiscard]] bool has_uneven_keys() const {
        for (const Clip& clip : scene_.clips) {
            for (const Track& track : clip.tracks) {
                if (track.path != TrackPath::scale) continue;
                for (std::size_t i = 0; i + 2 < track.values.size(); i += 3) {
                    const float* const v = track.values.data() + i;
                    if (!is_uniform(wide(Vec3{v[0], v[1], v[2]}))) return true;
                }
            }
        }
        return false;
    }

    /// Where the joints of a skin do not all stand as they did when it was bound, the actor takes the bind: in EMotion
    /// FX nodes have no other one.
    void adopt_binds() {
        moved_.assign(scene_.nodes.size(), false);
        std::vector<const glm::dmat4*> wanted(scene_.nodes.size(), nullptr);
        std::vector<std::vector<glm::dmat4>> binds;
        for (const Skin& skin : scene_.skins) {
            if (is_bound_here(skin)) continue;
            std::vector<glm::dmat4>& list = binds.emplace_back(skin.joints.size());
            for (std::size_t i = 0; i < skin.joints.size(); ++i) {
                const auto bind = bind_of(skin.inverse_bind_matrices[i]);
                if (!bind || !is_actor_node(skin.joints[i]) || wanted[skin.joints[i]] != nullptr) continue;
                list[i] = *bind;
                wanted[skin.joints[i]] = &list[i];
            }
        }
        if (binds.empty()) return;
        const std::vector<glm::dmat4> old = worlds_;
        for (const Index node : ordered_) move(node, wanted[node], old);
        build_.note(codes::emfx_bind_pose, "skins",
                    "Joints do not rest where their skin was bound; the actor rests in the bind pose, and motions say "
                    "the poses of nodes that they do not move.");
    }

    void move(Index node, const glm::dmat4* wanted, const std::vector<glm::dmat4>& old) {
        const Index parent = parent_of(node);
        const bool follows = parent != no_index && moved_[parent];
        if (wanted == nullptr && !follows) return;
        if (wanted == nullptr) {
            const auto inverse = inverse_affine(old[parent], 1e-30);
            worlds_[node] = worlds_[parent] * (inverse ? *inverse : glm::dmat4(1)) * old[node];
        } else {
            worlds_[node] = *wanted;
        }
        moved_[node] = true;
    }

    /// Whether one matrix takes the mesh to where all joints rest.
    [[nodiscard]] bool is_bound_here(const Skin& skin) const {
        std::optional<glm::dmat4> first;
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            if (i >= skin.inverse_bind_matrices.size() || is_raw(skin.joints[i])) continue;
            const glm::dmat4 difference = bind_difference(worlds_[skin.joints[i]], skin.inverse_bind_matrices[i]);
            if (!first) first = difference;
            if (!is_close(*first, difference, 1e-4)) return false;
        }
        return true;
    }

    [[nodiscard]] LocalTransform local_of(Index node, Order order) const {
        if (moved_[node]) {
            const Index parent = parent_of(node);
            const auto inverse = parent == no_index ? std::nullopt : inverse_affine(worlds_[parent], 1e-30);
            return from_matrix(inverse ? *inverse * worlds_[node] : worlds_[node], order);
        }
        const Node& lower = scene_.nodes[node];
        const Index upper = upper_of(node);
        const Index above = scene_.nodes[upper].parent;
        const bool plain = above == no_index || is_node(above);
        if (upper != node && plain) return undo_chain(scene_.nodes[upper].local, lower.local.rotation, order);
        if (plain && !lower.matrix) return from_transform(lower.local, order);
        const Index parent = parent_of(node);
        glm::dmat4 local = worlds_[node];
        if (parent != no_index) {
            if (const auto inverse = inverse_affine(worlds_[parent], 1e-30)) local = *inverse * local;
        }
        return from_matrix(local, order);
    }

    [[nodiscard]] bool is_raw(Index node) const {
        const NodePlace& place = build_.node_places[node];
        if (place.index == no_number || !build_.untouched(scene_.nodes[node]) || moved_[node]) return false;
        return build_.untouched(scene_.nodes[upper_of(node)]) || upper_of(node) == node;
    }

    void add(Index index) {
        ActorNode node;
        node.scene_node = index;
        const Json extras = record_of(scene_.nodes[index].extras);
        constexpr std::uint32_t all_fields = 4;
        const bool is_old = build_.node_places[index].index != no_number;
        node.is_raw = is_raw(index);
        if (is_old) {
            take_transform(node.record, scene_.nodes[upper_of(index)].local);
            const NodePlace& place = build_.node_places[index];
            if (place.model == 0) set_values(node.record, place.index);
            node.has_box = place.model != 0 || has_boxes_;
            (void)read_record(build_, extras, all_fields, node.record);
            node.counts_children = member(extras, "child_count") != nullptr;
            node.namesake = number_member(extras, "keeps_name").value_or(0);
        }
        node.local = local_of(index, build_.order);
        node.world = worlds_[index];
        if (!node.is_raw) fill_transform(node);
        if (has_new_order_) node.record.scale_rotation = file_rotation(node.local.scale_rotation);
        node.is_moved = moved_[index];
        set_parent(node, parent_of(index));
        node.is_raw_to_root = node.is_raw && (node.record.parent >= build_.nodes.size() ||
                                              build_.nodes[node.record.parent].is_raw_to_root);
        node.record.name = name_of(index);
        if (!keeps_name(scene_.nodes[index])) make_unique(node.record.name, is_old);
        build_.nodes.push_back(std::move(node));
    }

    /// Those that only levels of detail have, behind the actor's, parents first.
    void add_own_nodes() {
        std::vector<std::pair<std::uint64_t, Index>> own;
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const NodePlace& place = build_.node_places[i];
            if (place.is_of_level) own.emplace_back((std::uint64_t{place.model} << 32) | place.index, i);
        }
        std::sort(own.begin(), own.end());
        for (const auto& [key, node] : own) {
            number_[node] = static_cast<std::uint32_t>(build_.nodes.size());
            add(node);
        }
    }

    static void fill_transform(ActorNode& node) {
        node.record.position = file_position(node.local.position);
        node.record.rotation = file_rotation(node.local.rotation);
        node.record.scale_rotation = file_rotation(node.local.scale_rotation);
        node.record.scale = narrow(node.local.scale);
    }

    /// A root that named a parent which was none keeps its word.
    void set_parent(ActorNode& node, Index parent) const {
        const std::uint32_t number = parent == no_index ? xac::no_node : number_[parent];
        const bool was_wrong = node.record.parent >= number_[node.scene_node];
        if (number == xac::no_node && node.is_raw && was_wrong) return;
        node.record.parent = number;
    }

    [[nodiscard]] std::string name_of(Index node) const {
        const Node& one = scene_.nodes[node];
        const bool has_bytes = one.extras.json.find("name_bytes") != std::string::npos;
        return build_.raw_name(one.name, has_bytes ? record_of(one.extras) : Json::object(), "name_bytes");
    }

    /// Motions find nodes by their names.
    void make_unique(std::string& name, bool is_old) {
        const bool is_unnamed = name.empty();
        if (is_unnamed) name = "node";
        const std::string wish = name;
        name = names_.add(wish);
        const std::size_t number = build_.nodes.size();
        if (name == wish) numbers_of_names_.emplace(wish, number);
        if (is_unnamed || name == wish) return;
        if (!is_old) return build_.note(codes::emfx_node_renamed, "node " + wish, {}, wish, name);
        const auto first = numbers_of_names_.find(wish);
        const std::string other = first == numbers_of_names_.end() ? "another" : std::to_string(first->second);
        build_.note(codes::emfx_node_renamed.as(Severity::warning), "node " + std::to_string(number),
                    "The node is called as node " + other +
                        ", which has the name now: if that one was renamed, the motions of the game move it instead. "
                        "Give one of them another name.",
                    wish, name);
    }

    void fill_counts() {
        std::vector<std::uint32_t> counts(build_.nodes.size());
        for (const ActorNode& node : build_.nodes) {
            if (node.record.parent < counts.size()) ++counts[node.record.parent];
        }
        tree_kept_ = renumber();
        for (std::size_t i = 0; i < counts.size(); ++i) {
            ActorNode& node = build_.nodes[i];
            if (!tree_kept_ || !node.counts_children) node.record.child_count = counts[i];
        }
    }

    /// Old numbers to new ones; true if the tree is the old one.
    bool renumber() {
        std::size_t old_count = 0;
        bool kept = true;
        bool same_parents = true;
        for (std::size_t i = 0; i < build_.nodes.size(); ++i) {
            const ActorNode& node = build_.nodes[i];
            const NodePlace& place = build_.node_places[node.scene_node];
            if (place.index == no_number || place.model != 0 || place.index > max_nodes) {
                same_parents = false;
                continue;
            }
            ++old_count;
            if (place.index >= build_.renumbered.size()) build_.renumbered.resize(place.index + 1, no_number);
            build_.renumbered[place.index] = static_cast<std::uint32_t>(i);
            kept = kept && place.index == i;
            const auto old_parent = number_member(record_of(scene_.nodes[node.scene_node].extras), "parent");
            same_parents = same_parents && old_parent.value_or(node.record.parent) == node.record.parent;
        }
        build_.numbers_kept = kept && old_count != 0;
        return build_.numbers_kept && same_parents;
    }

    void fill_map() {
        build_.map.nodes.assign(scene_.nodes.size(), {});
        for (const ActorNode& node : build_.nodes) {
            MappedNode& mapped = build_.map.nodes[node.scene_node];
            mapped.number = number_[node.scene_node];
            mapped.raw_name = node.record.name;
            mapped.is_moved = node.is_moved;
            const NodePlace& place = build_.node_places[node.scene_node];
            if (place.partner == no_index || place.partner != scene_.nodes[node.scene_node].parent) continue;
            mapped.helper = place.partner;
            build_.map.nodes[place.partner].helper_of = node.scene_node;
        }
        for (MeshPlace& place : build_.places) {
            const NodePlace& node = build_.node_places[place.scene_node];
            if (node.role == NodeRole::holder && node.partner == no_index) {
                place.number = missing_number(place.mesh);
            } else {
                place.number = number_[node.role == NodeRole::holder ? node.partner : place.scene_node];
            }
        }
    }

    /// The node that an old mesh names and that there never was.
    [[nodiscard]] std::uint32_t missing_number(Index mesh) const {
        const std::uint64_t number = std::min<std::uint64_t>(build_.old_meshes[mesh].node, no_number - 1);
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(number, build_.nodes.size()));
    }

    void fill_file() {
        FileParts& file = build_.files.front();
        file.numbering.old = build_.renumbered;
        file.are_nodes_raw = tree_kept_;
        for (const ActorNode& node : build_.nodes) {
            file.nodes.push_back(node.record);
            file.are_nodes_raw = file.are_nodes_raw && node.is_raw;
        }
    }

    Build& build_;
    const Scene& scene_;
    std::unordered_map<std::uint32_t, NodeTransform> transforms_;
    std::unordered_map<std::uint32_t, NodeFlags> flags_;
    std::unordered_map<std::uint32_t, NodeBox> boxes_;
    bool has_boxes_ = false;
    std::vector<Index> ordered_;
    std::vector<std::uint32_t> number_;  ///< for each node of the scene
    std::vector<glm::dmat4> worlds_;
    std::vector<bool> moved_;
    bool has_new_order_ = false;  ///< another multiplication order than the old file's
    bool tree_kept_ = false;
    UniqueNames names_{UniqueNames::Case::counts, "."};
    std::unordered_map<std::string, std::size_t> numbers_of_names_;
};

}  // namespace

Result<void> add_nodes(Build& build) {
    if (!set_own_nodes_aside(build)) return NodeAdder(build).run();
    const Report before = build.report;
    auto added = NodeAdder(build).run();
    if (!added || build.files.front().are_nodes_raw) return added;
    // Levels of an actor that was edited get the actor's nodes, so that these have to be all.
    build.report = before;
    build.nodes.clear();
    build.renumbered.clear();
    build.files.front().nodes.clear();
    for (NodePlace& place : build.node_places) place.is_of_level = false;
    return NodeAdder(build).run();
}

}  // namespace effigy::emfx::bridge
