/// A scene as a component: its connections, parts and lights, and what they are called.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"
#include "scene/level_names.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// What no path gets wrong on any system.
bool is_file_name(std::string_view name) {
    const auto is_bad = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 ||
               std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
    };
    constexpr std::size_t max_size = 200;
    return !name.empty() && name.size() <= max_size && name.front() != '.' &&
           std::none_of(name.begin(), name.end(), is_bad);
}

struct OldName {
    std::string kind, name;
    std::int64_t repeat = 0;
    bool operator<(const OldName& other) const {
        return std::tie(kind, name, repeat) < std::tie(other.kind, other.name, other.repeat);
    }
};

class Planner {
public:
    Planner(Context& context, const PlanNodes& nodes) : context_(context), nodes_(nodes) {}

    Plan run() {
        const std::size_t count = nodes_.scene.nodes.size();
        connection_of_.assign(count, PartPlaces::none);
        places_.part_of.assign(count, {});
        plan_.part_of.assign(count, {});
        plan_.root = nodes_.root;
        plan_.component_count = std::max<std::size_t>(nodes_.roots.size(), 1);
        plan_.is_other = nodes_.is_other;
        plan_.worlds = nodes_.worlds;
        plan_.clips = nodes_.clips;
        if (plan_.root != no_index) plan_.record = nodes_.records[plan_.root];
        if (const auto text = nodes_.text_of.find(plan_.root); text != nodes_.text_of.end()) plan_.text = text->second;
        note_origin();
        find_numbered();
        for (const bool is_old : {true, false}) {
            for (const Index node : nodes_.order) reserve_name(node, is_old);
        }
        for (const Index node : nodes_.order) add_connection(node);
        name_connections();
        for (const Index node : nodes_.order) add_part(node);
        for (const Index node : nodes_.order) add_light(node);
        context_.note_any(
            plan_meshes(nodes_, places_, plan_, context_), codes::component_mesh_left, "nodes",
            "It is not known to which parts these meshes belong; they are left out. Call levels <part>-lod1 and "
            "so on, and collision meshes <part>-collision; what belongs to a copy ends as it does: hull-lod1.001 "
            "beside hull.001.");
        context_.note_any(
            lone_levels_, codes::component_level_alone, "nodes",
            "These meshes are called like levels of parts that are not there, and become parts of their own, seen at "
            "all distances. Call the part as they are called before -lod1, with the same .001 behind if there is one.");
        context_.note_any(
            shown_collisions(), codes::component_collision_shown, "nodes",
            "These meshes are called like collision meshes but for the \"_\", and become parts of their own, which are "
            "seen: games have parts of such names. Call collision meshes <part>-collision.");
        context_.note_any(
            posed_, codes::component_pose_left, "nodes",
            "These parts stand elsewhere than where they rest. Some clips move them away from there and others leave "
            "them, as if that were a pose: they rest where they did. Give all their clips keys of the same kinds, or "
            "move the connection above.");
        for (PlannedConnection& connection : plan_.connections) describe(connection);
        if (const auto axis = context_.options.mirror_axis) {
            context_.note_any(mirror_connections(nodes_, plan_, *axis, connection_wishes_), codes::connections_mirrored,
                              "nodes");
        }
        return std::move(plan_);
    }

private:
    /// A component that was moved as a whole is the same component, and of several each has its own origin; another
    /// root turns and shifts what hangs on it.
    [[nodiscard]] Index base_of_all() const {
        if (plan_.root == no_index) return no_index;
        return nodes_.kinds[plan_.root] == "component" || nodes_.roots.size() > 1 ? plan_.root : no_index;
    }

    void note_origin() {
        if (plan_.root == no_index || nodes_.is_part[plan_.root]) return;
        const bool is_base = base_of_all() == plan_.root;
        const glm::dmat4& frame = nodes_.frames[plan_.root];
        const double turned = is_base ? largest(glm::dmat3(frame) - glm::dmat3(1)) : 0;
        constexpr double rounding = 1e-5;
        if (std::max(largest(glm::dvec3(frame[3])), turned) <= rounding) return;
        context_.note(
            codes::component_origin, "nodes",
            nodes_.roots.size() > 1
                ? "Of several components in a scene, each has its origin at its root node, wherever that stands."
            : is_base ? "The component's origin is its root node, which was moved or turned: in the game nothing is "
                        "elsewhere than before. Move or turn the nodes below it if that is meant."
                      : "The component's origin is the scene's, and its root node stands elsewhere: in the game all "
                        "of it is so far off. Move that node to the origin if it is to be in the middle.",
            nodes_.scene.nodes[plan_.root].name);
    }

    /// Whether a part without a name had none in its file either: it has no meshes of its own, or they are called so.
    [[nodiscard]] bool needs_no_name(Index part) const {
        const Node& node = nodes_.scene.nodes[part];
        if (!text_at(nodes_.records[part], "reference").value_or("").empty()) return true;
        return node.mesh == no_index && std::all_of(node.children.begin(), node.children.end(), [&](Index child) {
                   const Node& mesh = nodes_.scene.nodes[child];
                   return mesh.mesh == no_index || mesh.name.starts_with("-lod");
               });
    }

    /// What a record says that a node was called, and which of several.
    [[nodiscard]] std::optional<OldName> old_name_of(Index node) const {
        const Json& record = nodes_.records[node];
        auto name = text_at(record, "name");
        if (!name) return std::nullopt;
        return OldName{nodes_.kinds[node], std::move(*name), integer_at(record, "repeat").value_or(0)};
    }

    /// Programs put numbers behind names that several have, in other components as well: "hull.001" is the file's
    /// "hull" as long as no other node comes from that.
    void find_numbered() {
        std::map<OldName, Index> first;  // none where a node has another name than a number makes
        for (const Index node : nodes_.order) {
            const auto old_name = old_name_of(node);
            if (!old_name || (nodes_.kinds[node] != "part" && nodes_.kinds[node] != "connection")) continue;
            const std::string& name = nodes_.scene.nodes[node].name;
            const bool is_numbered = !copy_number_of(name).empty() && without_copy_number(name) == old_name->name;
            const auto [place, is_new] = first.try_emplace(*old_name, is_numbered ? node : no_index);
            Index& found = place->second;
            if (is_new || found == no_index) continue;
            if (!is_numbered) found = no_index;
            if (is_numbered && name < nodes_.scene.nodes[found].name) found = node;
        }
        for (const auto& [old_name, node] : first) {
            if (node != no_index) numbered_.emplace(node, old_name.name);
        }
    }

    /// Whether it has the name that it had in its file, where others may have it, too. Copies have the same record.
    [[nodiscard]] bool has_old_name(Index node, const std::string& name) {
        auto old_name = old_name_of(node);
        if (!old_name) return context_.untouched(nodes_.scene.nodes[node]);
        return old_name->name == name && old_names_.insert(std::move(*old_name)).second;
    }

    /// Things that come from a component keep their names, and others give way. Only parts name files.
    void reserve_name(Index node, bool is_old) {
        const auto numbered = numbered_.find(node);
        const std::string& own = numbered != numbered_.end() ? numbered->second : nodes_.scene.nodes[node].name;
        const std::string name = is_old ? own : name_of_copy(own);
        const bool is_part = nodes_.kinds[node] == "part";
        if ((!is_part && nodes_.kinds[node] != "connection") || known_names_.contains(node)) return;
        UniqueNames& names = is_part ? part_wishes_ : connection_wishes_;
        const bool has_none = name.empty() && (!is_part || needs_no_name(node));
        const std::string wish =
            !is_part || has_none || is_file_name(name) ? name : plain_name(name, nodes_.kinds[node]);
        // Any number of things has none.
        if (is_old && !has_none && (wish != name || !has_old_name(node, name))) return;
        if (is_old) names.take(name);
        known_names_[node] = is_old ? name : names.add(wish);
    }

    [[nodiscard]] std::string name_of_part(Index node) {
        if (node == no_index) return {};
        if (nodes_.kinds[node] == "part") return known_names_[node];
        auto [place, is_new] = part_names_.try_emplace(node);
        if (is_new)
            place->second =
                part_wishes_.add(spelled(new_name(parse_level_name(nodes_.scene.nodes[node].name).part, "part")));
        return place->second;
    }

    [[nodiscard]] std::string spelled(const std::string& name) const {
        return context_.options.for_mod ? lower(name) : name;
    }

    /// A connection for each that is known, for each new part and for each place.
    void add_connection(Index node) {
        if (node == plan_.root && !nodes_.is_part[node]) return;
        const bool known = nodes_.kinds[node] == "connection";
        const bool part = nodes_.is_part[node];
        if (!known && !nodes_.is_leaf_place[node] && !(part && known_connection(nodes_, node) == no_index)) return;
        PlannedConnection connection;
        connection.node = node;
        connection.known = known;
        if (known) connection.record = nodes_.records[node];
        const Index above = nodes_.above[node];
        connection.parent = name_of_part(above);
        const std::string& own = nodes_.scene.nodes[node].name;
        connection.name = known ? known_names_[node] : part ? "con_" + name_of_part(node) : new_name(own, "connection");
        // Nothing can name a part without a name: what hangs on one hangs on the component.
        const Index base = connection.parent.empty() ? base_of_all() : above;
        connection.offset = inside(nodes_, node, base);
        connection_of_[node] = plan_.connections.size();
        plan_.connections.push_back(std::move(connection));
    }

    /// The game looks for places by what somebody called them, and not for the connections of parts, which give way.
    void name_connections() {
        for (const bool of_parts : {false, true}) {
            for (PlannedConnection& one : plan_.connections) {
                if (!one.known && nodes_.is_part[one.node] == of_parts) one.name = connection_wishes_.add(one.name);
            }
        }
    }

    void add_part(Index node) {
        if (!nodes_.is_part[node]) return;
        const Index connection = known_connection(nodes_, node) != no_index ? known_connection(nodes_, node) : node;
        PartPlaces::Place& place = places_.part_of[node];
        place.connection = connection_of_[connection];
        if (place.connection == PartPlaces::none) return;
        PlannedPart part;
        part.name = name_of_part(node);
        part.node = node;
        part.known = nodes_.kinds[node] == "part";
        part.is_new = !part.known;
        if (part.known) part.record = nodes_.records[node];
        part.wreck = text_at(part.record, "wreck").value_or("");
        if (!is_file_name(part.wreck)) part.wreck.clear();
        part.moves = nodes_.moves[node];
        const LevelName name = parse_level_name(nodes_.scene.nodes[node].name);
        if (!part.known && name.kind == LevelName::Kind::level && name.number > 0)
            lone_levels_.add(nodes_.scene.nodes[node].name);
        if (connection != node) part.offset = offset_of(nodes_, node, connection);
        if (part.known && is_posed(node)) posed_.add(part.name);
        plan_.part_of[node] = part.name;
        places_.by_name.try_emplace(lower(part.name), node);
        if (const auto old_name = text_at(part.record, "name")) places_.by_old_name[lower(*old_name)].push_back(node);
        auto& parts = plan_.connections[place.connection].parts;
        place.part = parts.size();
        parts.push_back(std::move(part));
    }

    /// New parts "<part>_collision" beside a part.
    [[nodiscard]] NameList shown_collisions() const {
        PartFinder parts(nodes_.scene);
        for (const Index node : nodes_.order) {
            if (nodes_.is_part[node]) parts.add(node);
        }
        NameList found;
        for (const Index node : nodes_.order) {
            const Node& one = nodes_.scene.nodes[node];
            if (!nodes_.is_part[node] || nodes_.kinds[node] == "part" || one.mesh == no_index) continue;
            const PartName name = part_name_of(one.name);
            const auto part = part_of_shown_collision(name.stem);
            if (part && parts.find({std::string(*part), name.copy}, node) != no_index) found.add(one.name);
        }
        return found;
    }

    /// Whether it is not where it was, and nothing tells if that is a pose or the place that some clips leave it at.
    [[nodiscard]] bool is_posed(Index node) const {
        const MovingClips& clips = nodes_.clips[node];
        const auto is_sometimes = [&](std::uint32_t count) { return count != 0 && count < clips.all; };
        const auto rest = old_rest(nodes_.scene, node, nodes_.records[node]);
        const Node& one = nodes_.scene.nodes[node];
        if (!rest || one.matrix) return false;
        return (is_sometimes(clips.translation) && !same_place(wide(rest->translation), wide(one.local.translation))) ||
               (is_sometimes(clips.rotation) && !same_rotation(wide(rest->rotation), wide(one.local.rotation)));
    }

    void describe(PlannedConnection& connection) const {
        const Node& node = nodes_.scene.nodes[connection.node];
        connection.group =
            property_or_number_of(node, "group").value_or(text_at(connection.record, "group").value_or(""));
        if (const auto property = property_of(node, "tags")) {
            connection.tags = *property;
        } else if (connection.known) {
            connection.tags = tags_of(member(connection.record, "tags"));
        } else if (!connection.parts.empty()) {
            const bool moves = std::any_of(connection.parts.begin(), connection.parts.end(),
                                           [](const PlannedPart& part) { return part.moves; });
            connection.tags = moves ? "part animation" : "part";
        }
    }

    static std::string tags_of(const Json* tags) {
        std::string result;
        if (tags == nullptr || !tags->is_array()) return result;
        for (const Json& tag : *tags) {
            const auto one = text_from_json(tag);
            if (one && !one->empty()) result += (result.empty() ? "" : " ") + *one;
        }
        return result;
    }

    void add_light(Index node) {
        const bool is_light =
            nodes_.kinds[node] == "light" || (nodes_.kinds[node].empty() && nodes_.scene.nodes[node].light != no_index);
        if (!is_light) return;
        const Index above = nodes_.is_part[node] ? node : nodes_.above[node];
        PlannedPart* const part = places_.at(plan_, above);
        PlannedLight light{
            node, {}, nodes_.kinds[node] == "light", {}, inside(nodes_, node, part != nullptr ? above : base_of_all())};
        if (light.known) light.record = nodes_.records[node];
        (part != nullptr ? part->lights : plan_.lights).push_back(std::move(light));
    }

    Context& context_;
    const PlanNodes& nodes_;
    std::vector<std::size_t> connection_of_;
    PartPlaces places_;
    NameList lone_levels_, posed_;
    std::unordered_map<Index, std::string> part_names_, known_names_;
    std::unordered_map<Index, std::string> numbered_;  ///< what nodes were called that have a number behind that now
    std::set<OldName> old_names_;
    UniqueNames part_wishes_{UniqueNames::Case::is_ignored}, connection_wishes_{UniqueNames::Case::is_ignored};
    Plan plan_;
};

}  // namespace

std::string new_name(std::string_view name, std::string_view fallback) {
    constexpr std::size_t max_size = 48;
    std::string plain(cut(plain_name(name, fallback), max_size));
    std::replace(plain.begin(), plain.end(), '.', '_');
    return plain;
}

Plan make_plan(Context& context, const PlanNodes& nodes) { return Planner(context, nodes).run(); }

}  // namespace effigy::egosoft::bridge
