/// What the nodes of a scene are for a component: its root, parts, places, other components; and where they stand.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <map>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "scene/level_names.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// All nodes that have a mesh at them or below them that goes with them as a whole.
std::vector<bool> carrying_nodes(const PlanNodes& nodes) {
    const Scene& scene = nodes.scene;
    std::vector<bool> carries(scene.nodes.size(), false);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const bool is_rigid = scene.nodes[i].skin >= scene.skins.size();
        if (!is_rigid || nodes.roles[i] != MeshRole::visible || nodes.hidden[i]) continue;
        for (Index node = i; node != no_index && !carries[node]; node = scene.nodes[node].parent) carries[node] = true;
    }
    return carries;
}

/// Joints that do nothing but bend meshes, which the format cannot hold. Bones that carry whole meshes are nodes like
/// others, and so are those of skins that no mesh has: Blender writes one for each armature.
void find_joints(PlanNodes& nodes) {
    const Scene& scene = nodes.scene;
    const std::vector<bool> carries = carrying_nodes(nodes);
    std::vector<bool> bends(scene.skins.size(), false);
    for (const Node& node : scene.nodes) {
        if (node.mesh != no_index && node.skin < bends.size()) bends[node.skin] = true;
    }
    nodes.is_joint.assign(scene.nodes.size(), false);
    for (std::size_t skin = 0; skin < bends.size(); ++skin) {
        if (!bends[skin]) continue;
        for (const Index joint : scene.skins[skin].joints) {
            if (joint < carries.size() && !carries[joint]) nodes.is_joint[joint] = true;
        }
    }
}

void describe(PlanNodes& nodes) {
    const std::size_t count = nodes.scene.nodes.size();
    for (const Node& node : nodes.scene.nodes) {
        nodes.records.push_back(record_of(node.extras));
        nodes.kinds.push_back(text_at(nodes.records.back(), "kind").value_or(""));
        nodes.frames.push_back(frame_of(nodes.worlds[nodes.frames.size()]));
    }
    find_joints(nodes);
    nodes.moves.assign(count, false);
    nodes.clips = moving_clips(nodes.scene);
    for (Index i = 0; i < count; ++i) nodes.moves[i] = nodes.clips[i].all != 0;
}

bool is_plain(const PlanNodes& nodes, Index node) {
    return nodes.kinds[node].empty() && nodes.roles[node] == MeshRole::none &&
           nodes.scene.nodes[node].light == no_index && !nodes.is_joint[node] && !nodes.moves[node];
}

/// Components of files; else nodes on top that say their class; else one that holds everything.
std::vector<Index> find_roots(const PlanNodes& nodes) {
    std::vector<Index> known, stated, tops;
    for (Index i = 0; i < nodes.scene.nodes.size(); ++i) {
        if (nodes.kinds[i] == "component") known.push_back(i);
        if (nodes.scene.nodes[i].parent != no_index || nodes.scene.nodes[i].hidden) continue;
        tops.push_back(i);
        if (nodes.kinds[i].empty() && property_of(nodes.scene.nodes[i], "class")) stated.push_back(i);
    }
    if (!known.empty()) return known;
    if (!stated.empty()) return stated;
    const bool holds_all = tops.size() == 1 && is_plain(nodes, tops.front());
    return holds_all && !nodes.scene.nodes[tops.front()].children.empty() ? tops : std::vector<Index>();
}

/// Of several components of one file the first has its text, and all go back into it. One of a number that is there
/// already is a copy, and becomes a file of its own.
void find_texts(PlanNodes& nodes, bool each_alone) {
    std::map<std::pair<std::string, std::string>, SourceText*> by_name;  // and hash
    std::vector<std::pair<Index, SourceText*>> files;
    for (const Index root : nodes.roots) {
        const Json* const file = member(nodes.records[root], "file");
        if (file == nullptr || !file->is_object()) continue;
        const Json* const xml = member(*file, "xml");
        const std::string hash = text_at(*file, "hash").value_or("");
        SourceText*& text = by_name[{text_at(*file, "name").value_or(""), hash}];
        // Another file of that name begins.
        if (text == nullptr || (xml != nullptr && text->xml != nullptr && *xml != *text->xml))
            text = &nodes.texts.emplace_back();
        if (xml != nullptr) text->xml = xml;
        text->was_shared = member(*file, "component_count") != nullptr;
        files.emplace_back(root, text);
    }
    for (auto [root, text] : files) {
        const std::size_t number = number_in_file(*member(nodes.records[root], "file"));
        if (each_alone || text->xml == nullptr || !text->numbers.insert(number).second)
            text = &nodes.texts.emplace_back(SourceText{text->xml, {number}, text->was_shared});
        nodes.text_of.emplace(root, text);
    }
}

/// Nodes on top that are no component belong to the one before them, as meshes that are not shown do.
void find_others(PlanNodes& nodes) {
    if (nodes.roots.size() < 2) return;
    Index last = nodes.roots.front();
    for (Index i = 0; i < nodes.scene.nodes.size(); ++i) {
        const bool is_root = std::binary_search(nodes.roots.begin(), nodes.roots.end(), i);
        if (is_root) last = i;
        nodes.is_other[i] = is_root ? i != nodes.root : nodes.scene.nodes[i].parent == no_index && last != nodes.root;
    }
}

/// Parents first.
void order_nodes(PlanNodes& nodes) {
    std::vector<Index> open;
    for (Index i = static_cast<Index>(nodes.scene.nodes.size()); i-- > 0;) {
        if (nodes.scene.nodes[i].parent == no_index) open.push_back(i);
    }
    while (!open.empty()) {
        const Index node = open.back();
        open.pop_back();
        const Index parent = nodes.scene.nodes[node].parent;
        if (parent != no_index && nodes.is_other[parent] && node != nodes.root) nodes.is_other[node] = true;
        if (!nodes.is_other[node]) nodes.order.push_back(node);
        const auto& children = nodes.scene.nodes[node].children;
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    // Plain nodes that hold nothing else are places for something.
    std::vector<bool> holds(nodes.scene.nodes.size(), false);
    for (auto node = nodes.order.rbegin(); node != nodes.order.rend(); ++node) {
        const bool something = holds[*node] || !is_plain(nodes, *node);
        const Index parent = nodes.scene.nodes[*node].parent;
        if (parent != no_index && something) holds[parent] = true;
        const bool can_be = is_plain(nodes, *node) && !flag_at(nodes.records[*node], "helper") && !nodes.hidden[*node];
        nodes.is_leaf_place[*node] = can_be && (!holds[*node] || property_of(nodes.scene.nodes[*node], "tags"));
    }
}

/// Whether a mesh is called "<part>-lod0". Copies may have got other numbers than what they hang below.
bool is_finest_of(std::string_view mesh, std::string_view part) {
    if (part.empty()) return mesh.starts_with("-lod");
    const LevelName name = parse_level_name(mesh);
    return name.kind == LevelName::Kind::level && name.number == 0 &&
           part_name_of(mesh).stem == part_name_of(part).stem;
}

/// The mesh below a node that is "<part>-lod0", as components are read, or none.
Index finest_below(const PlanNodes& nodes, Index node, std::string_view part) {
    for (const Index child : nodes.scene.nodes[node].children) {
        if (nodes.roles[child] == MeshRole::visible && is_finest_of(nodes.scene.nodes[child].name, part)) return child;
    }
    return no_index;
}

/// The finest mesh of a part that was renamed without it.
Index left_mesh(const PlanNodes& nodes, Index part) {
    const Node& node = nodes.scene.nodes[part];
    const auto name = text_at(nodes.records[part], "name");
    if (!name || node.mesh != no_index || finest_below(nodes, part, node.name) != no_index) return no_index;
    return finest_below(nodes, part, *name);
}

void mark_part(PlanNodes& nodes, Index node) {
    const Index parent = nodes.scene.nodes[node].parent;
    if (parent != no_index) nodes.above[node] = nodes.is_part[parent] ? parent : nodes.above[parent];
    if (nodes.kinds[node] == "part") {
        nodes.is_part[node] = true;
        if (const Index mesh = left_mesh(nodes, node); mesh != no_index) nodes.left_meshes.emplace(node, mesh);
        return;
    }
    if (!nodes.kinds[node].empty() || nodes.is_joint[node] || nodes.hidden[node]) return;
    if (nodes.roles[node] == MeshRole::visible) {
        const Index above = nodes.above[node];
        const auto left = nodes.left_meshes.find(above);
        // The mesh of a part may hang below the node that is the part, or that moves.
        const bool is_level =
            above != no_index && (nodes.kinds[above] == "part" || nodes.scene.nodes[above].mesh == no_index) &&
            (is_finest_of(nodes.scene.nodes[node].name, nodes.scene.nodes[above].name) ||
             lower(parse_level_name(nodes.scene.nodes[node].name).part) == lower(nodes.scene.nodes[above].name));
        nodes.is_part[node] = !is_level && (left == nodes.left_meshes.end() || left->second != node);
    } else if (nodes.moves[node] || (nodes.scene.nodes[node].mesh == no_index &&
                                     finest_below(nodes, node, nodes.scene.nodes[node].name) != no_index)) {
        nodes.is_part[node] = true;
    }
}

}  // namespace

glm::dmat4 frame_of(const glm::dmat4& matrix) {
    glm::dvec3 x(matrix[0]), y(matrix[1]);
    const auto unit = [](const glm::dvec3& v, const glm::dvec3& fallback) {
        const double length = glm::length(v);
        return length > 1e-12 && std::isfinite(length) ? v / length : fallback;
    };
    // A mirrored node is one that turns and whose mesh is mirrored.
    if (glm::determinant(glm::dmat3(matrix)) < 0) x = -x;
    x = unit(x, {1, 0, 0});
    y = unit(y - x * glm::dot(x, y), std::fabs(x.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(0, 0, 1));
    y = unit(y - x * glm::dot(x, y), {0, 1, 0});
    const glm::dvec3 z = glm::cross(x, y);
    return {glm::dvec4(x, 0), glm::dvec4(y, 0), glm::dvec4(z, 0), matrix[3]};
}

namespace {

bool is_scaled(const glm::dmat4& world) {
    constexpr double rounding = 1e-5;
    const glm::dmat3 axes(world);
    return glm::determinant(axes) < 0 || !(largest(glm::transpose(axes) * axes - glm::dmat3(1)) <= rounding);
}

}  // namespace

glm::dmat4 inside(const PlanNodes& nodes, Index node, Index base) {
    if (base == no_index) return nodes.frames[node];
    if (nodes.scene.nodes[node].parent == base && !is_scaled(nodes.worlds[base]))
        return frame_of(local_matrix(nodes.scene.nodes[node]));
    return glm::inverse(nodes.frames[base]) * nodes.frames[node];
}

Index known_connection(const PlanNodes& nodes, Index part) {
    if (nodes.kinds[part] != "part") return no_index;
    Index above = nodes.scene.nodes[part].parent;
    if (above != no_index && flag_at(nodes.records[above], "helper")) above = nodes.scene.nodes[above].parent;
    return above != no_index && nodes.kinds[above] == "connection" ? above : no_index;
}

glm::dmat4 offset_of(const PlanNodes& nodes, Index part, Index connection) {
    if (!nodes.moves[part]) return inside(nodes, part, connection);
    const Index above = nodes.scene.nodes[part].parent;
    const auto known = known_rest(nodes.scene, part, nodes.records[part], nodes.clips[part]);
    const glm::dmat4 rest = matrix_of(known.value_or(Transform()));
    if (above != no_index && connection != no_index && is_scaled(nodes.worlds[above]))
        return glm::inverse(nodes.frames[connection]) * frame_of(nodes.worlds[above] * rest);
    return (above != connection ? inside(nodes, above, connection) : glm::dmat4(1)) * rest;
}

std::vector<MovingClips> moving_clips(const Scene& scene) {
    std::vector<MovingClips> moving(scene.nodes.size());
    std::vector<Index> last(scene.nodes.size(), no_index);  // of the clips that were counted
    for (Index clip = 0; clip < scene.clips.size(); ++clip) {
        for (const Track& track : scene.clips[clip].tracks) {
            if (track.node >= moving.size() || track.path == TrackPath::weights) continue;
            MovingClips& node = moving[track.node];
            if (track.path == TrackPath::translation) ++node.translation;
            if (track.path == TrackPath::rotation) ++node.rotation;
            if (std::exchange(last[track.node], clip) != clip) ++node.all;
        }
    }
    return moving;
}

PlanNodes plan_nodes(const Scene& scene, bool each_alone) {
    PlanNodes nodes{scene, roles_of(scene), worlds_of(scene), {}, hidden_nodes(scene)};
    describe(nodes);
    nodes.roots = find_roots(nodes);
    find_texts(nodes, each_alone);
    return nodes;
}

void choose_component(PlanNodes& nodes, std::size_t number) {
    const std::size_t count = nodes.scene.nodes.size();
    nodes.is_part.assign(count, false);
    nodes.is_leaf_place.assign(count, false);
    nodes.is_other.assign(count, false);
    nodes.above.assign(count, no_index);
    nodes.order.clear();
    nodes.left_meshes.clear();
    nodes.root = number < nodes.roots.size() ? nodes.roots[number] : no_index;
    find_others(nodes);
    order_nodes(nodes);
    for (const Index node : nodes.order) mark_part(nodes, node);
}

}  // namespace effigy::egosoft::bridge
