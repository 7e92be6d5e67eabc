/// Which meshes of a scene are a part's levels of detail, collision meshes and wrecks, and where they stand in it.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft::bridge {
namespace {

struct MeshPlan {
    const PlanNodes& nodes;
    const PartPlaces& places;
    Plan& plan;
    const Context& context;
    PartFinder parts{nodes.scene};                                   ///< the nodes of all parts
    std::unordered_map<Index, std::vector<Index>> levels_by_name{};  ///< of the finest meshes that they are called by
    std::map<std::pair<const std::vector<PlannedMesh>*, std::uint32_t>, std::size_t> level_places{};  ///< by number
    std::unordered_set<Index> placed{};
    NameList left{};
};

/// Rounding is no reason to move anything.
glm::dmat4 snapped(const glm::dmat4& matrix, double extent) {
    double off = 0;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            const double scale = column == 3 ? 1 + extent : 1;
            off = std::max(off, std::fabs(matrix[column][row] - (column == row ? 1 : 0)) / scale);
        }
    }
    return off < 1e-6 ? glm::dmat4(1) : matrix;
}

/// The part that a mesh of the file belonged to, whoever has its name now. Copies have the records of what they were
/// copied from.
Index recorded_part(const MeshPlan& to, Index node) {
    const auto part = text_at(to.nodes.records[node], "part");
    const auto found = part ? to.places.by_old_name.find(lower(*part)) : to.places.by_old_name.end();
    if (found == to.places.by_old_name.end()) return no_index;
    const std::vector<Index>& all = found->second;
    const auto followed = std::find(all.begin(), all.end(), to.nodes.scene.nodes[node].follows);
    return followed != all.end() ? *followed : all.front();
}

/// The node of the part that a mesh belongs to.
Index part_of_mesh(const MeshPlan& to, Index node) {
    const PlanNodes& nodes = to.nodes;
    if (nodes.is_part[node]) return node;
    const PartName name = part_name_of(nodes.scene.nodes[node].name);
    const auto wrecked = part_of_wreck(name.stem);
    const auto find = [&](auto way) {
        const Index found = (to.parts.*way)(name, node);
        return found == no_index && wrecked ? (to.parts.*way)({std::string(*wrecked), name.copy}, node) : found;
    };
    // A copy has the records of what it was copied from.
    const bool is_visible = nodes.roles[node] == MeshRole::visible && !nodes.hidden[node];
    const Index copy = name.copy.empty() || is_visible ? no_index : find(&PartFinder::find_copy);
    if (copy != no_index) return copy;
    if (const Index known = recorded_part(to, node); known != no_index) return known;
    const Index above = nodes.above[node], follows = nodes.scene.nodes[node].follows;
    if (follows < nodes.scene.nodes.size() && nodes.is_part[follows]) return follows;
    if (const auto part = text_at(nodes.records[node], "part")) {
        const auto found = to.places.by_name.find(lower(*part));
        if (found != to.places.by_name.end()) return found->second;
    }
    if (is_visible) return above;
    const Index found = find(&PartFinder::find);
    return found != no_index ? found : above;
}

/// Where the part rests. What does not hang on its node does not move with the pose that the node was left in.
glm::dmat4 rest_of(const PlanNodes& nodes, Index owner, Index node) {
    const Index connection = known_connection(nodes, owner);
    if (!nodes.moves[owner] || connection == no_index || nodes.above[node] == owner) return nodes.frames[owner];
    return nodes.frames[connection] * offset_of(nodes, owner, connection);
}

Piece placed(const PlanNodes& nodes, Index node, Index owner, const glm::dmat4& world) {
    const glm::dmat4 inside =
        node == owner ? glm::inverse(nodes.frames[owner]) * world : glm::inverse(rest_of(nodes, owner, node)) * world;
    return {node, nodes.scene.nodes[node].mesh, snapped(inside, glm::length(glm::dvec3(nodes.worlds[owner][3])))};
}

Piece piece(const PlanNodes& nodes, Index node, Index owner, const Context& context) {
    // Hidden meshes of a file stand where their part rests. One that nobody has moved goes with it.
    const Node& one = nodes.scene.nodes[node];
    const bool is_recorded = nodes.kinds[node] == "collision" || nodes.kinds[node] == "wreck";
    if (is_recorded && one.hidden && one.follows == owner && context.untouched(one))
        return {node, one.mesh, glm::dmat4(1)};
    return placed(nodes, node, owner, nodes.worlds[node]);
}

/// A level stands beside the node that it replaces, wherever the file has it.
Piece level_piece(const PlanNodes& nodes, Index level, const Piece& base, Index owner, const Context& context) {
    const Node& node = nodes.scene.nodes[level];
    const Index above = nodes.scene.nodes[base.node].parent;
    if (node.follows != no_index && node.follows == nodes.scene.nodes[base.node].follows) {
        const glm::dmat4 beside = glm::inverse(nodes.worlds[base.node]) * nodes.worlds[level];
        return {level, node.mesh, base.place * snapped(beside, glm::length(glm::dvec3(nodes.worlds[level][3])))};
    }
    if (node.parent != no_index || node.follows != no_index || above == no_index)
        return piece(nodes, level, owner, context);
    return {level, node.mesh, placed(nodes, base.node, owner, nodes.worlds[above] * local_matrix(node)).place};
}

/// Meshes of one part and level are one file.
void put_level(MeshPlan& to, std::vector<PlannedMesh>& levels, std::uint32_t number, const Piece& piece) {
    const auto [place, is_new] = to.level_places.try_emplace({&levels, number}, levels.size());
    if (is_new)
        levels.push_back({number, {piece}});
    else
        levels[place->second].pieces.push_back(piece);
}

void add_levels(MeshPlan& to, Index base, Index owner, std::vector<PlannedMesh>& levels) {
    const PlanNodes& nodes = to.nodes;
    const LevelName name = parse_level_name(nodes.scene.nodes[base].name);
    const bool numbered = name.kind == LevelName::Kind::level;
    std::uint32_t next = numbered ? name.number : 0;
    const Piece first = piece(nodes, base, owner, to.context);
    put_level(to, levels, next, first);
    const auto add = [&](Index level) {
        if (level >= nodes.scene.nodes.size() || nodes.roles[level] != MeshRole::level ||
            !to.placed.insert(level).second)
            return;
        const LevelName own = parse_level_name(nodes.scene.nodes[level].name);
        next = own.kind == LevelName::Kind::level ? own.number : next + 1;
        put_level(to, levels, next, level_piece(nodes, level, first, owner, to.context));
    };
    for (const Index level : nodes.scene.nodes[base].lods) add(level);
    const auto named = to.levels_by_name.find(base);
    if (named == to.levels_by_name.end()) return;
    for (const Index level : named->second) {
        const std::uint32_t number = parse_level_name(nodes.scene.nodes[level].name).number;
        if (!to.level_places.contains({&levels, number})) add(level);
    }
}

std::string wreck_name(const MeshPlan& to, const std::string& name, const PlannedPart& part) {
    const std::string wreck = new_name(name, part.name + "_wreck");
    return to.context.options.for_mod ? lower(wreck) : wreck;
}

void add_mesh(MeshPlan& to, Index node) {
    const PlanNodes& nodes = to.nodes;
    const MeshRole role = nodes.roles[node];
    if (role == MeshRole::none || role == MeshRole::level) return;
    const Index follows = nodes.scene.nodes[node].follows;
    if (nodes.is_other[follows < nodes.is_other.size() ? follows : node]) return;
    const Index owner = part_of_mesh(to, node);
    PlannedPart* const part = to.places.at(to.plan, owner);
    if (part == nullptr) return to.left.add(nodes.scene.nodes[node].name);
    const LevelName name = parse_level_name(nodes.scene.nodes[node].name);
    // A wreck that is a part of its own has its meshes under its own name.
    const std::string stem = part_name_of(nodes.scene.nodes[node].name).stem;
    const bool own = stem == part_name_of(nodes.scene.nodes[owner].name).stem;
    const bool of_wreck =
        !own && (role == MeshRole::wreck || flag_at(nodes.records[node], "wreck") || part_of_wreck(stem));
    if (role == MeshRole::collision) {
        (of_wreck ? part->wreck_collisions : part->collisions)
            .push_back({name.number, {piece(nodes, node, owner, to.context)}});
        return;
    }
    if (of_wreck && part->wreck.empty()) part->wreck = wreck_name(to, name.part, *part);
    add_levels(to, node, owner, of_wreck ? part->wreck_levels : part->levels);
}

/// What a part's record says of the levels in its file.
struct OldLevels {
    std::set<std::uint32_t> listed{};  ///< those of these that were there
    std::set<std::uint32_t> absent{};
};

OldLevels old_levels(const Json& record) {
    OldLevels old;
    const auto add = [](std::set<std::uint32_t>& to, std::optional<std::int64_t> number) {
        if (number && *number >= 0 && *number <= UINT32_MAX) to.insert(static_cast<std::uint32_t>(*number));
    };
    for (const Json& level : list_at(record, "absent_levels")) {
        if (level.is_number_integer()) add(old.absent, level.get<std::int64_t>());
    }
    for (const Json& level : list_at(record, "lods")) add(old.listed, integer_at(level, "index"));
    for (const std::uint32_t number : old.absent) old.listed.erase(number);
    return old;
}

/// The number of a level that had one from `next` on: what is gone since leaves no gap.
std::uint32_t closed_up(const OldLevels& old, std::uint32_t number, std::uint32_t next, bool is_first) {
    const auto gone = old.listed.lower_bound(next);
    if (gone != old.listed.end() && *gone < number) return *gone;
    // What is not listed is found only behind others.
    if (is_first || old.listed.contains(number)) return number;
    while (next < number && old.absent.contains(next)) ++next;
    return next;
}

void number_collisions(std::vector<PlannedMesh>& meshes, bool keeps_gaps) {
    std::uint32_t next = 0;
    for (PlannedMesh& mesh : meshes) {
        if (!keeps_gaps || mesh.number < next) mesh.number = next;
        next = mesh.number + 1;
    }
}

/// `old`: null for a new part.
void number_levels(std::vector<PlannedMesh>& levels, const OldLevels* old) {
    std::uint32_t next = 0;
    for (PlannedMesh& level : levels) {
        const std::uint32_t number = level.number;
        const bool keeps_gaps = old != nullptr && number > next;
        level.number = keeps_gaps ? closed_up(*old, number, next, &level == &levels.front()) : next;
        level.has_new_number = level.number != number;
        next = level.number + 1;
    }
}

/// Numbered from 0 without gaps that were not there, as the games want it; collision meshes by their numbers.
void sort_levels(Plan& plan) {
    const auto by_number = [](const PlannedMesh& a, const PlannedMesh& b) { return a.number < b.number; };
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) {
            for (auto* list : {&part.levels, &part.wreck_levels, &part.collisions, &part.wreck_collisions})
                std::stable_sort(list->begin(), list->end(), by_number);
            const OldLevels old = old_levels(part.record), of_wreck;
            number_levels(part.levels, part.known ? &old : nullptr);
            number_levels(part.wreck_levels, part.known ? &of_wreck : nullptr);
            number_collisions(part.collisions, part.known);
            number_collisions(part.wreck_collisions, part.known);
        }
    }
}

/// A wreck that was there when the component was read, and is not now. Copies of a part share its wreck, and those that
/// borrow from it show one that is not theirs.
void forget_lost_wrecks(MeshPlan& to) {
    std::unordered_set<std::string> here;
    for (const PlannedConnection& connection : to.plan.connections) {
        for (const PlannedPart& part : connection.parts) {
            const bool borrows = !text_at(part.record, "reference").value_or("").empty();
            if (!borrows && !part.wreck_levels.empty()) here.insert(lower(part.wreck));
        }
    }
    for (PlannedConnection& connection : to.plan.connections) {
        for (PlannedPart& part : connection.parts) {
            const std::string wreck = lower(part.wreck);
            part.lost_wreck = part.known && !wreck.empty() && !flag_at(part.record, "absent_wreck") &&
                              !here.contains(wreck) && !to.places.by_name.contains(wreck);
            if (part.lost_wreck) part.wreck.clear();
        }
    }
}

}  // namespace

NameList plan_meshes(const PlanNodes& nodes, const PartPlaces& places, Plan& plan, const Context& context) {
    MeshPlan to{nodes, places, plan, context};
    const Scene& scene = nodes.scene;
    PartFinder finest(scene);
    std::vector<bool> is_stated(scene.nodes.size());
    std::unordered_set<std::string_view> names;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (nodes.is_part[i]) to.parts.add(i);
        if (nodes.is_part[i]) names.insert(scene.nodes[i].name);
        if (nodes.roles[i] == MeshRole::visible || nodes.roles[i] == MeshRole::wreck) {
            if (!nodes.is_other[i]) finest.add(i);
        }
        for (const Index level : scene.nodes[i].lods) {
            if (level < is_stated.size()) is_stated[level] = true;
        }
    }
    // What belongs to a renamed part may be called as the part was.
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const auto was =
            nodes.kinds[i] == "part" && nodes.is_part[i] ? text_at(nodes.records[i], "name") : std::nullopt;
        if (was && !names.contains(*was)) to.parts.add(i, part_name_of(*was));
    }
    std::vector<Index> named;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (nodes.roles[i] != MeshRole::level || is_stated[i] || nodes.is_other[i]) continue;
        named.push_back(i);
        to.levels_by_name[finest.find(part_name_of(scene.nodes[i].name), i)].push_back(i);
    }
    for (Index node = 0; node < scene.nodes.size(); ++node) add_mesh(to, node);
    for (const Index level : named) {
        if (!to.placed.contains(level)) to.left.add(scene.nodes[level].name);
    }
    forget_lost_wrecks(to);
    sort_levels(plan);
    return to.left;
}

}  // namespace effigy::egosoft::bridge
