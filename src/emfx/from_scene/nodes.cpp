/// Nodes of the scene as nodes of the actor.

#include "emfx/from_scene/nodes.hpp"

#include <algorithm>
#include <queue>
#include <set>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "core/unique_names.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::uint64_t max_nodes = 65535;  // numbers have 16 bits, and the last one means none

Vec3 file_position(const glm::dvec3& v) { return narrow(glm::dvec3(v.x, v.y, -v.z)); }
Quat file_rotation(const glm::dquat& q) { return narrow(glm::dquat(q.w, -q.x, -q.y, q.z)); }

bool is_node(const Build& build, Index node) { return build.node_places[node].role == NodeRole::node; }

// --- order

/// By model and number there.
std::uint64_t old_key(const NodePlace& place) { return (std::uint64_t{place.model} << 32) | place.index; }

struct NodeOrder {
    std::vector<Index> nodes;
    std::vector<std::uint32_t> numbers;  ///< for each node of the scene, or no_number
};

/// Old nodes in their old order, new ones behind them, parents always first. Of several with one old number the others
/// than the first become new ones.
NodeOrder order_nodes(Build& build) {
    using Entry = std::pair<std::uint64_t, Index>;
    const std::size_t count = build.scene.nodes.size();
    std::vector<std::vector<Index>> children(count);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    std::set<std::uint64_t> taken;
    std::vector<std::uint64_t> keys(count);
    for (Index i = 0; i < count; ++i) {
        if (!is_actor_node(build, i)) continue;
        NodePlace& place = build.node_places[i];
        const bool is_old = place.index != no_number && taken.insert(old_key(place)).second;
        if (!is_old) place.index = no_number;
        keys[i] = is_old ? old_key(place) : (std::uint64_t{no_number} << 32) | i;
        const Index parent = parent_of(build, i);
        if (parent == no_index) {
            ready.emplace(keys[i], i);
        } else {
            children[parent].push_back(i);
        }
    }
    NodeOrder order{{}, std::vector<std::uint32_t>(count, no_number)};
    while (!ready.empty()) {
        const Index node = ready.top().second;
        ready.pop();
        order.numbers[node] = static_cast<std::uint32_t>(order.nodes.size());
        order.nodes.push_back(node);
        for (const Index child : children[node]) ready.emplace(keys[child], child);
    }
    return order;
}

// --- names

std::string raw_name_of(Build& build, const Node& node) {
    const bool has_bytes = node.extras.json.find("name_bytes") != std::string::npos;
    return build.raw_name(node.name, has_bytes ? record_of(node.extras) : Json::object(), "name_bytes");
}

struct NodeNames {
    UniqueNames all{UniqueNames::Case::counts, "."};
    std::unordered_map<std::string, std::size_t> owners{};  ///< numbers of nodes that have the name that they wanted
};

/// Motions find nodes by their names. `own`: of the node that is the next one.
std::string unique_name(Build& build, NodeNames& names, const std::string& own, bool is_old) {
    const std::string wish = own.empty() ? "node" : own;
    std::string name = names.all.add(wish);
    const std::size_t number = build.nodes.size();
    if (name == wish) names.owners.emplace(wish, number);
    if (own.empty() || name == wish) return name;
    if (!is_old) {
        build.note(codes::emfx_node_renamed, "node " + wish, {}, wish, name);
        return name;
    }
    const auto first = names.owners.find(wish);
    const std::string other = first == names.owners.end() ? "another" : std::to_string(first->second);
    build.note(codes::emfx_node_renamed.as(Severity::warning), "node " + std::to_string(number),
               "The node is called as node " + other +
                   ", which has the name now: if that one was renamed, the motions of the game move it instead. "
                   "Give one of them another name.",
               wish, name);
    return name;
}

// --- records

/// What the asset says of the first file's nodes, by their numbers.
template <class Value>
std::unordered_map<std::uint32_t, Value> values_in(const Json& file, const char* name) {
    std::unordered_map<std::uint32_t, Value> values;
    if (const auto list = elements_at<NodeValue<Value>>(file, name)) {
        for (const auto& [node, value] : *list) values.try_emplace(node, value);
    }
    return values;
}

struct NodeValues {
    explicit NodeValues(const Json& file)
        : transforms(values_in<NodeTransform>(file, "transforms")),
          flags(values_in<NodeFlags>(file, "flags")),
          boxes(values_in<NodeBox>(file, "boxes")),
          has_boxes(!file.empty() && (member(file, "boxes") == nullptr || bytes_at(file, "boxes"))) {}

    std::unordered_map<std::uint32_t, NodeTransform> transforms;
    std::unordered_map<std::uint32_t, NodeFlags> flags;
    std::unordered_map<std::uint32_t, NodeBox> boxes;
    /// Where no node has a box, there is no such member; where they are lost, it has nothing in it.
    bool has_boxes;
};

void set_values(xac::Node& record, const NodeValues& values, std::uint32_t number) {
    if (const auto found = values.transforms.find(number); found != values.transforms.end())
        set_transform(record, found->second);
    if (const auto found = values.boxes.find(number); found != values.boxes.end()) record.box = found->second;
    const auto found = values.flags.find(number);
    if (found == values.flags.end()) return;
    record.flags = found->second[0];
    std::copy_n(found->second.begin() + 1, 3, record.padding.begin());
}

/// A root that named a parent which was none keeps its word.
std::uint32_t parent_number(const ActorNode& node, Index parent, const std::vector<std::uint32_t>& numbers) {
    const std::uint32_t number = parent == no_index ? xac::no_node : numbers[parent];
    const bool was_wrong = node.record.parent >= numbers[node.scene_node];
    return number == xac::no_node && node.is_raw && was_wrong ? node.record.parent : number;
}

/// Whether a record means the transform that the scene shows. Of an untouched node it does not where what glTF cannot
/// say is lost, where it comes from a file of another multiplication order, or where the node was one of a pair.
bool tells_transform(const Build& build, Index node, const xac::Node& record) {
    // Twice what is lost where one node of the scene stands for a scale with axes of its own.
    constexpr double rounding = 2e-5;
    const std::vector<Node>& nodes = build.scene.nodes;
    const Index upper = upper_of(build, node);
    glm::dmat4 shown = local_matrix(nodes[upper]);
    if (upper != node) shown = shown * local_matrix(nodes[node]);
    Repairs repairs;
    const LocalTransform local = local_transform(record, repairs);
    const glm::dmat3 difference = glm::dmat3(matrix(local, build.order)) - glm::dmat3(shown);
    const glm::dvec3 moved = local.position - glm::dvec3(shown[3]);
    return largest(difference) <= rounding * largest(local.scale) &&
           largest(moved) <= rounding * largest(local.position);
}

/// What nodes are made of.
struct NodeSources {
    std::vector<std::uint32_t> numbers;  ///< for each node of the scene
    RestPose pose;
    bool has_new_order;  ///< another multiplication order than the old file's
    NodeValues values;
    NodeNames names{};
};

void add_node(Build& build, NodeSources& from, Index index) {
    ActorNode node;
    node.scene_node = index;
    const Node& own = build.scene.nodes[index];
    const NodePlace& place = build.node_places[index];
    const bool is_old = place.index != no_number;
    node.is_moved = from.pose.moved[index];
    node.is_raw = !node.is_moved && is_as_read(build, index);
    if (is_old) {
        constexpr std::uint32_t all_fields = 4;
        const Json extras = record_of(own.extras);
        take_transform(node.record, build.scene.nodes[upper_of(build, index)].local);
        if (place.model == 0) set_values(node.record, from.values, place.index);
        node.has_box = place.model != 0 || from.values.has_boxes;
        (void)read_record(build, extras, all_fields, node.record);
        node.counts_children = member(extras, "child_count") != nullptr;
        node.namesake = number_member(extras, "keeps_name").value_or(0);
    }
    node.local = local_of(build, from.pose, index, build.order);
    node.world = from.pose.worlds[index];
    const bool is_told = node.is_raw && tells_transform(build, index, node.record);
    if (!is_told) {
        node.record.position = file_position(node.local.position);
        node.record.rotation = file_rotation(node.local.rotation);
        node.record.scale = narrow(node.local.scale);
    }
    if (!is_told || from.has_new_order) node.record.scale_rotation = file_rotation(node.local.scale_rotation);
    node.record.parent = parent_number(node, parent_of(build, index), from.numbers);
    node.is_raw_to_root =
        node.is_raw && (node.record.parent >= build.nodes.size() || build.nodes[node.record.parent].is_raw_to_root);
    node.record.name = raw_name_of(build, own);
    if (!keeps_name(own)) node.record.name = unique_name(build, from.names, node.record.name, is_old);
    build.nodes.push_back(std::move(node));
}

/// Those that only levels of detail have, behind the actor's, parents first.
void add_own_nodes(Build& build, NodeSources& from) {
    std::vector<std::pair<std::uint64_t, Index>> own;
    for (Index i = 0; i < build.scene.nodes.size(); ++i) {
        const NodePlace& place = build.node_places[i];
        if (place.is_of_level) own.emplace_back(old_key(place), i);
    }
    std::sort(own.begin(), own.end());
    for (const auto& [key, node] : own) {
        from.numbers[node] = static_cast<std::uint32_t>(build.nodes.size());
        add_node(build, from, node);
    }
}

// --- what others have to know of all nodes

/// Old numbers to new ones; true if the tree is the old one.
bool renumber(Build& build) {
    std::size_t old_count = 0;
    bool kept = true;
    bool same_parents = true;
    for (std::size_t i = 0; i < build.nodes.size(); ++i) {
        const ActorNode& node = build.nodes[i];
        const NodePlace& place = build.node_places[node.scene_node];
        if (place.index == no_number || place.model != 0 || place.index > max_nodes) {
            same_parents = false;
            continue;
        }
        ++old_count;
        if (place.index >= build.renumbered.size()) build.renumbered.resize(place.index + 1, no_number);
        build.renumbered[place.index] = static_cast<std::uint32_t>(i);
        kept = kept && place.index == i;
        const auto old_parent = number_member(record_of(build.scene.nodes[node.scene_node].extras), "parent");
        same_parents = same_parents && old_parent.value_or(node.record.parent) == node.record.parent;
    }
    build.numbers_kept = kept && old_count != 0;
    const auto told_count = number_member(build.files.front().json, "node_count");
    return build.numbers_kept && same_parents && told_count.value_or(old_count) == old_count;
}

/// Records of 2007 have no counts of children, whatever extras say.
bool has_child_counts(const Json& file) {
    return std::ranges::any_of(chunks_of(file), [](const Json& chunk) {
        const auto id = number_member(chunk, "id");
        return id == 11u || (id == 0u && number_member(chunk, "version").value_or(1) >= 4);
    });
}

/// What a file has miscounted stays as long as all nodes do. A parent that does not come first has no child, as in the
/// scene.
void count_children(std::vector<ActorNode>& nodes, bool keeps_counts) {
    const bool is_kept =
        keeps_counts && std::all_of(nodes.begin(), nodes.end(), [](const ActorNode& node) { return node.is_raw; });
    std::vector<std::uint32_t> counts(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].record.parent < i) ++counts[nodes[i].record.parent];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (!is_kept || !nodes[i].counts_children) nodes[i].record.child_count = counts[i];
    }
}

void fill_file(const Build& build, bool is_tree_kept, FileParts& file) {
    file.numbering.old = build.renumbered;
    file.are_nodes_raw = is_tree_kept;
    for (const ActorNode& node : build.nodes) {
        file.nodes.push_back(node.record);
        file.are_nodes_raw = file.are_nodes_raw && node.is_raw;
    }
    // The file itself named nodes beyond its own, and goes on doing so.
    if (file.are_nodes_raw && member(file.json, "node_count") != nullptr) file.numbering.old.clear();
}

void fill_map(Build& build, const std::vector<std::uint32_t>& numbers) {
    build.map.nodes.assign(build.scene.nodes.size(), {});
    for (const ActorNode& node : build.nodes) {
        MappedNode& mapped = build.map.nodes[node.scene_node];
        mapped.number = numbers[node.scene_node];
        mapped.raw_name = node.record.name;
        mapped.is_moved = node.is_moved;
        const NodePlace& place = build.node_places[node.scene_node];
        if (place.partner == no_index || place.partner != build.scene.nodes[node.scene_node].parent) continue;
        mapped.helper = place.partner;
        build.map.nodes[place.partner].helper_of = node.scene_node;
    }
}

/// The node that an old mesh names and that there never was.
std::uint32_t missing_number(const Build& build, Index mesh) {
    const std::uint64_t number = std::min<std::uint64_t>(build.old_meshes[mesh].node, no_number - 1);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(number, build.nodes.size()));
}

void number_places(Build& build, const std::vector<std::uint32_t>& numbers) {
    for (MeshPlace& place : build.places) {
        const NodePlace& node = build.node_places[place.scene_node];
        if (node.role == NodeRole::holder && node.partner == no_index) {
            place.number = missing_number(build, place.mesh);
        } else {
            place.number = numbers[node.role == NodeRole::holder ? node.partner : place.scene_node];
        }
    }
}

Result<void> make_nodes(Build& build) {
    NodeOrder order = order_nodes(build);
    if (order.nodes.size() > max_nodes) {
        return fail(beyond(codes::emfx_node_count, "nodes",
                           "The scene has more nodes than an actor can have; leave out nodes that move nothing.",
                           order.nodes.size(), max_nodes));
    }
    if (order.nodes.empty() && build.places.empty()) {
        return fail(problem_at("nodes", codes::emfx_empty,
                               "No node of the scene is one of an actor's: there is nothing to make an actor of."));
    }
    if (!build.budget.take(order.nodes.size(), 512)) return fail(build.memory_limit());
    build.worlds = rest_worlds(build.scene);
    RestPose pose = rest_pose(build, order.nodes);
    const bool has_new_order = choose_order(build, pose, order.nodes);
    FileParts& file = build.files.front();
    NodeSources from{std::move(order.numbers), std::move(pose), has_new_order, NodeValues(file.json)};
    for (const Index node : order.nodes) {
        const Node& one = build.scene.nodes[node];
        if (keeps_name(one)) (void)from.names.all.take(raw_name_of(build, one));
    }
    for (const Index node : order.nodes) add_node(build, from, node);
    const bool is_tree_kept = renumber(build);
    count_children(build.nodes, is_tree_kept && has_child_counts(file.json));
    fill_file(build, is_tree_kept, file);
    add_own_nodes(build, from);
    fill_map(build, from.numbers);
    number_places(build, from.numbers);
    return {};
}

}  // namespace

bool is_actor_node(const Build& build, Index node) {
    return is_node(build, node) && !build.node_places[node].is_of_level;
}

Index upper_of(const Build& build, Index node) {
    const Index partner = build.node_places[node].partner;
    return partner != no_index && partner == build.scene.nodes[node].parent ? partner : node;
}

Index parent_of(const Build& build, Index node) {
    Index above = build.scene.nodes[upper_of(build, node)].parent;
    while (above != no_index && !is_node(build, above)) above = build.scene.nodes[above].parent;
    return above;
}

bool is_as_read(const Build& build, Index node) {
    if (build.node_places[node].index == no_number || !build.untouched(build.scene.nodes[node])) return false;
    const Index upper = upper_of(build, node);
    return upper == node || build.untouched(build.scene.nodes[upper]);
}

Result<void> add_nodes(Build& build) {
    if (!set_own_nodes_aside(build)) return make_nodes(build);
    const Report before = build.report;
    auto added = make_nodes(build);
    if (!added || build.files.front().are_nodes_raw) return added;
    // Levels of an actor that was edited get the actor's nodes, so that these have to be all.
    build.report = before;
    build.nodes.clear();
    build.renumbered.clear();
    build.files.front().nodes.clear();
    for (NodePlace& place : build.node_places) place.is_of_level = false;
    return make_nodes(build);
}

}  // namespace effigy::emfx::bridge
