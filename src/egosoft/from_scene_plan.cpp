/// Which nodes of a scene are connections, parts, levels of detail, collision meshes and wrecks.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene_component.hpp"
#include "egosoft/from_scene_motions.hpp"
#include "egosoft/to_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {

glm::dmat4 frame_of(const glm::dmat4& matrix) {
    glm::dvec3 x(matrix[0]), y(matrix[1]);
    const auto unit = [](const glm::dvec3& v, const glm::dvec3& otherwise) {
        const double length = glm::length(v);
        return length > 1e-12 && std::isfinite(length) ? v / length : otherwise;
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

/// What no path gets wrong on any system.
bool is_file_name(std::string_view name) {
    const auto is_bad = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 ||
               std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
    };
    constexpr std::size_t most = 200;
    return !name.empty() && name.size() <= most && name.front() != '.' &&
           std::none_of(name.begin(), name.end(), is_bad);
}

class Planner {
public:
    explicit Planner(Making& making)
        : making_(making), scene_(making.scene), roles_(roles_of(making.scene)), worlds_(worlds_of(making.scene)) {}

    Plan run() {
        describe();
        find_root();
        order_nodes();
        for (const Index node : order_) mark_part(node);
        for (const Index node : order_) reserve_name(node);
        for (const Index node : order_) add_connection(node);
        for (const Index node : order_) add_part(node);
        for (const Index node : order_) add_light(node);
        for (Index node = 0; node < scene_.nodes.size(); ++node) add_mesh(node);
        sort_levels();
        if (!left_.empty()) {
            making_.note("component-mesh-left", Severity::warning, "nodes",
                         "It is not known to which parts these meshes belong; they are left out. Call levels "
                         "<part>-lod1 and so on, and collision meshes <part>-collision.",
                         left_.text());
        }
        if (!others_.empty()) {
            making_.note("component-others-left", Severity::warning, "nodes",
                         "One file is written for one component; these are left out. Write each from a scene of its "
                         "own.",
                         others_.text());
        }
        return std::move(plan_);
    }

private:
    struct PartPlace {
        std::size_t connection = 0, part = 0;
    };
    static constexpr std::size_t none = ~std::size_t{0};

    void describe() {
        const std::size_t count = scene_.nodes.size();
        for (const Node& node : scene_.nodes) {
            records_.push_back(object_of(node.extras.json));
            kinds_.push_back(text_at(records_.back(), "kind").value_or(""));
            frames_.push_back(frame_of(worlds_[frames_.size()]));
        }
        is_joint_.assign(count, false);
        moves_.assign(count, false);
        is_part_.assign(count, false);
        connection_of_.assign(count, none);
        part_of_.assign(count, {none, none});
        is_leaf_place_.assign(count, false);
        is_other_.assign(count, false);
        above_.assign(count, no_index);
        for (const Skin& skin : scene_.skins) {
            for (const Index joint : skin.joints) {
                if (joint < count) is_joint_[joint] = true;
            }
        }
        for (const Clip& clip : scene_.clips) {
            for (const Track& track : clip.tracks) {
                if (track.node < count && track.path != TrackPath::weights) moves_[track.node] = true;
            }
        }
        plan_.part_of.assign(count, {});
    }

    [[nodiscard]] bool is_plain(Index node) const {
        return kinds_[node].empty() && roles_[node] == MeshRole::none && scene_.nodes[node].light == no_index &&
               !is_joint_[node] && !moves_[node];
    }

    void find_root() {
        for (Index i = 0; i < scene_.nodes.size() && plan_.root == no_index; ++i) {
            if (kinds_[i] == "component") plan_.root = i;
        }
        if (plan_.root == no_index) {
            std::vector<Index> roots;
            for (Index i = 0; i < scene_.nodes.size(); ++i) {
                if (scene_.nodes[i].parent == no_index && !scene_.nodes[i].hidden) roots.push_back(i);
            }
            if (roots.size() == 1 && is_plain(roots.front()) && !scene_.nodes[roots.front()].children.empty())
                plan_.root = roots.front();
        }
        if (plan_.root != no_index) plan_.record = records_[plan_.root];
    }

    /// Parents first.
    void order_nodes() {
        std::vector<Index> open;
        for (Index i = static_cast<Index>(scene_.nodes.size()); i-- > 0;) {
            if (scene_.nodes[i].parent == no_index) open.push_back(i);
        }
        while (!open.empty()) {
            const Index node = open.back();
            open.pop_back();
            if (kinds_[node] == "component" && node != plan_.root) {
                is_other_[node] = true;
                others_.add(scene_.nodes[node].name);
            }
            const Index parent = scene_.nodes[node].parent;
            if (parent != no_index && is_other_[parent]) is_other_[node] = true;
            if (!is_other_[node]) order_.push_back(node);
            const auto& children = scene_.nodes[node].children;
            open.insert(open.end(), children.rbegin(), children.rend());
        }
        // Plain nodes that hold nothing else are places for something.
        std::vector<bool> holds(scene_.nodes.size(), false);
        for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
            const bool something = holds[*node] || !is_plain(*node);
            const Index parent = scene_.nodes[*node].parent;
            if (parent != no_index && something) holds[parent] = true;
            const bool can_be = is_plain(*node) && !flag_at(records_[*node], "helper") && !scene_.nodes[*node].hidden;
            is_leaf_place_[*node] = can_be && (!holds[*node] || property_of(scene_.nodes[*node], "tags"));
        }
    }

    [[nodiscard]] Index part_above(Index node) const { return above_[node]; }
    /// A component that was moved as a whole is the same component; other roots turn and shift what hangs on them.
    [[nodiscard]] Index base_of_all() const {
        return plan_.root != no_index && kinds_[plan_.root] == "component" ? plan_.root : no_index;
    }

    void mark_part(Index node) {
        const Index parent = scene_.nodes[node].parent;
        if (parent != no_index) above_[node] = is_part_[parent] ? parent : above_[parent];
        if (kinds_[node] == "part") {
            is_part_[node] = true;
            return;
        }
        if (!kinds_[node].empty() || is_joint_[node] || scene_.nodes[node].hidden) return;
        if (roles_[node] == MeshRole::shown) {
            const Index above = part_above(node);
            const bool is_level =
                above != no_index && kinds_[above] == "part" &&
                lower(parse_mesh_name(scene_.nodes[node].name).part) == lower(scene_.nodes[above].name);
            is_part_[node] = !is_level;
        } else if (moves_[node]) {
            is_part_[node] = true;
        }
    }

    /// Where a node stands in another, or in the scene: as it says itself, if it can.
    [[nodiscard]] glm::dmat4 inside(Index node, Index base) const {
        if (base == no_index) return frames_[node];
        constexpr double rounding = 1e-5;
        const glm::dmat3 axes(worlds_[base]);
        const bool is_scaled =
            glm::determinant(axes) < 0 || !(largest(glm::transpose(axes) * axes - glm::dmat3(1)) <= rounding);
        if (scene_.nodes[node].parent == base && !is_scaled) return frame_of(local_of(scene_.nodes[node]));
        return glm::inverse(frames_[base]) * frames_[node];
    }

    /// Names that nobody has yet, however many want the same one.
    class Names {
    public:
        std::string unique(const std::string& wish) {
            std::string name = wish;
            int& next = next_[lower(wish)];
            while (!taken_.insert(lower(name)).second) name = wish + "_" + std::to_string(next++ + 2);
            return name;
        }
        void reserve(const std::string& name) { taken_.insert(lower(name)); }

    private:
        std::unordered_set<std::string> taken_;
        std::unordered_map<std::string, int> next_;
    };

    /// Things that come from a component keep their names, and new ones give way.
    void reserve_name(Index node) {
        const std::string& name = scene_.nodes[node].name;
        if (kinds_[node] != "part" && kinds_[node] != "connection") return;
        Names& names = kinds_[node] == "part" ? part_wishes_ : connection_wishes_;
        const std::string wish = is_file_name(name) ? name : plain_name(name, kinds_[node]);
        // What has a name twice since it was read has it in the file.
        const bool as_it_was = scene_.nodes[node].extras.untouched && wish == name;
        if (as_it_was) names.reserve(name);
        known_names_[node] = as_it_was ? name : names.unique(wish);
    }

    /// Names of files and of entries in fields of 64 bytes.
    static std::string new_name(std::string_view name, std::string_view otherwise) {
        constexpr std::size_t most = 48;
        std::string plain(cut(plain_name(name, otherwise), most));
        std::replace(plain.begin(), plain.end(), '.', '_');
        return plain;
    }

    [[nodiscard]] std::string name_of_part(Index node) {
        if (node == no_index) return {};
        if (kinds_[node] == "part") return known_names_[node];
        auto [place, is_new] = part_names_.try_emplace(node);
        if (is_new)
            place->second = part_wishes_.unique(new_name(parse_mesh_name(scene_.nodes[node].name).part, "part"));
        return place->second;
    }

    /// A connection for each that is known, for each new part and for each place.
    void add_connection(Index node) {
        if (node == plan_.root && !is_part_[node]) return;
        const bool known = kinds_[node] == "connection";
        const bool part = is_part_[node];
        if (!known && !is_leaf_place_[node] && !(part && known_connection(node) == no_index)) return;
        PlannedConnection connection;
        connection.node = node;
        connection.known = known;
        if (known) connection.record = records_[node];
        const Index above = part_above(node);
        connection.parent = name_of_part(above);
        const std::string& own = scene_.nodes[node].name;
        const std::string wish = part ? "con_" + name_of_part(node) : new_name(own, "connection");
        connection.name = known ? known_names_[node] : connection_wishes_.unique(wish);
        const Index base = above != no_index ? above : base_of_all();
        connection.offset = inside(node, base);
        connection_of_[node] = plan_.connections.size();
        plan_.connections.push_back(std::move(connection));
    }

    /// That of a known part: its parent, or the one above `<part>.offset`.
    [[nodiscard]] Index known_connection(Index part) const {
        if (kinds_[part] != "part") return no_index;
        Index above = scene_.nodes[part].parent;
        if (above != no_index && flag_at(records_[above], "helper")) above = scene_.nodes[above].parent;
        return above != no_index && kinds_[above] == "connection" ? above : no_index;
    }

    void add_part(Index node) {
        if (!is_part_[node]) return;
        const Index connection = known_connection(node) != no_index ? known_connection(node) : node;
        PartPlace& place = part_of_[node];
        place.connection = connection_of_[connection];
        if (place.connection == none) return;
        PlannedPart part;
        part.name = name_of_part(node);
        part.node = node;
        part.known = kinds_[node] == "part";
        if (part.known) part.record = records_[node];
        part.wreck = text_at(part.record, "wreck").value_or("");
        if (!is_file_name(part.wreck)) part.wreck.clear();
        part.moves = moves_[node];
        if (connection != node) part.offset = offset_of(node, connection);
        plan_.part_of[node] = part.name;
        by_name_.try_emplace(lower(part.name), node);
        auto& parts = plan_.connections[place.connection].parts;
        place.part = parts.size();
        parts.push_back(std::move(part));
    }

    /// Where a known part stands in its connection. Tracks take the place of what a node says itself.
    [[nodiscard]] glm::dmat4 offset_of(Index part, Index connection) const {
        if (!moves_[part]) return inside(part, connection);
        const Index above = scene_.nodes[part].parent;
        if (above != connection) return inside(above, connection);
        return matrix_of(known_rest(scene_, part, records_[part]).value_or(Transform()));
    }

    [[nodiscard]] PlannedPart* part_at(Index node) {
        if (node == no_index || part_of_[node].connection == none) return nullptr;
        return &plan_.connections[part_of_[node].connection].parts[part_of_[node].part];
    }

    void add_light(Index node) {
        const bool is_light = kinds_[node] == "light" || (kinds_[node].empty() && scene_.nodes[node].light != no_index);
        if (!is_light) return;
        const Index above = is_part_[node] ? node : part_above(node);
        PlannedPart* const part = part_at(above);
        PlannedLight light{node, kinds_[node] == "light", {}, inside(node, part != nullptr ? above : base_of_all())};
        if (light.known) light.record = records_[node];
        (part != nullptr ? part->lights : plan_.lights).push_back(std::move(light));
    }

    // --- meshes

    /// The node of the part that a mesh belongs to.
    [[nodiscard]] Index part_of_mesh(Index node) const {
        if (is_part_[node]) return node;
        const auto named = [&](const std::string& name) {
            const auto found = by_name_.find(lower(name));
            return found == by_name_.end() ? no_index : found->second;
        };
        const Index above = part_above(node), follows = scene_.nodes[node].follows;
        if (follows < scene_.nodes.size() && is_part_[follows]) return follows;
        if (const auto part = text_at(records_[node], "part")) {
            if (const Index found = named(*part); found != no_index) return found;
        }
        if (roles_[node] == MeshRole::shown && !scene_.nodes[node].hidden) return above;
        std::string name = lower(parse_mesh_name(scene_.nodes[node].name).part);
        if (const Index found = named(name); found != no_index) return found;
        constexpr std::string_view mark = "_wreck";
        if (name.ends_with(mark)) name.resize(name.size() - mark.size());
        if (const Index found = named(name); found != no_index) return found;
        return above;
    }

    void add_mesh(Index node) {
        const MeshRole role = roles_[node];
        if (role == MeshRole::none || role == MeshRole::level) return;
        const Index follows = scene_.nodes[node].follows;
        if (is_other_[node] || (follows < is_other_.size() && is_other_[follows])) return;
        const Index owner = part_of_mesh(node);
        PlannedPart* const part = part_at(owner);
        if (part == nullptr) return left_.add(scene_.nodes[node].name);
        const MeshName name = parse_mesh_name(scene_.nodes[node].name);
        // A wreck that is a part of its own has its meshes under its own name.
        const bool own = lower(name.part) == lower(part->name);
        const bool of_wreck = !own && (role == MeshRole::wreck || flag_at(records_[node], "wreck") ||
                                       lower(name.part).ends_with("_wreck"));
        if (role == MeshRole::collision) {
            (of_wreck ? part->wreck_collisions : part->collisions).push_back({name.number, piece(node, owner)});
            return;
        }
        if (of_wreck && part->wreck.empty()) part->wreck = new_name(name.part, part->name + "_wreck");
        add_levels(node, owner, of_wreck ? part->wreck_levels : part->levels);
    }

    void add_levels(Index base, Index owner, std::vector<PlannedMesh>& levels) {
        const MeshName name = parse_mesh_name(scene_.nodes[base].name);
        const bool numbered = name.kind == MeshName::Kind::level;
        std::uint32_t next = numbered ? name.number : 0;
        const Piece first = piece(base, owner);
        levels.push_back({next, first});
        const auto add = [&](Index level) {
            if (level >= scene_.nodes.size() || roles_[level] != MeshRole::level || !placed_.insert(level).second)
                return;
            const MeshName own = parse_mesh_name(scene_.nodes[level].name);
            next = own.kind == MeshName::Kind::level ? own.number : next + 1;
            levels.push_back({next, level_piece(level, first, owner)});
        };
        for (const Index level : scene_.nodes[base].lods) add(level);
        for (const Index level : levels_named(name.part)) add(level);
    }

    /// Those that no other node had.
    std::vector<Index> levels_named(const std::string& part) {
        if (!levels_found_) {
            levels_found_ = true;
            for (Index i = 0; i < scene_.nodes.size(); ++i) {
                const MeshName name = parse_mesh_name(scene_.nodes[i].name);
                if (roles_[i] == MeshRole::level && name.kind == MeshName::Kind::level)
                    levels_by_name_[lower(name.part)].push_back(i);
            }
        }
        return std::exchange(levels_by_name_[lower(part)], {});
    }

    /// Where the part rests. What does not hang on its node does not move with the pose that the node was left in.
    [[nodiscard]] glm::dmat4 rest_of(Index owner, Index node) const {
        const Index connection = known_connection(owner);
        if (!moves_[owner] || connection == no_index || above_[node] == owner) return frames_[owner];
        return frames_[connection] * offset_of(owner, connection);
    }

    [[nodiscard]] Piece placed(Index node, Index owner, const glm::dmat4& world) const {
        const glm::dmat4 inside =
            node == owner ? glm::inverse(frames_[owner]) * world : glm::inverse(rest_of(owner, node)) * world;
        return {node, scene_.nodes[node].mesh, snapped(inside, glm::length(glm::dvec3(worlds_[owner][3])))};
    }
    [[nodiscard]] Piece piece(Index node, Index owner) const {
        // Hidden meshes of a file stand where their part rests. One that nobody has moved goes with it.
        const Node& one = scene_.nodes[node];
        const bool is_recorded = kinds_[node] == "collision" || kinds_[node] == "wreck";
        if (is_recorded && one.hidden && one.follows == owner && one.extras.untouched)
            return {node, one.mesh, glm::dmat4(1)};
        return placed(node, owner, worlds_[node]);
    }

    /// A level stands beside the node that it replaces, wherever the file has it.
    [[nodiscard]] Piece level_piece(Index level, const Piece& base, Index owner) const {
        const Node& node = scene_.nodes[level];
        const Index above = scene_.nodes[base.node].parent;
        if (node.follows != no_index && node.follows == scene_.nodes[base.node].follows) {
            const glm::dmat4 beside = glm::inverse(worlds_[base.node]) * worlds_[level];
            return {level, node.mesh, base.place * snapped(beside, glm::length(glm::dvec3(worlds_[level][3])))};
        }
        if (node.parent != no_index || node.follows != no_index || above == no_index) return piece(level, owner);
        return {level, node.mesh, placed(base.node, owner, worlds_[above] * local_of(node)).place};
    }

    /// Numbered from 0 without gaps, as the games want it; collision meshes by their numbers.
    void sort_levels() {
        const auto by_number = [](const PlannedMesh& a, const PlannedMesh& b) { return a.number < b.number; };
        for (PlannedConnection& connection : plan_.connections) {
            for (PlannedPart& part : connection.parts) {
                for (auto* list : {&part.levels, &part.wreck_levels, &part.collisions, &part.wreck_collisions}) {
                    std::stable_sort(list->begin(), list->end(), by_number);
                    std::uint32_t least = 0;
                    for (PlannedMesh& mesh : *list) {
                        if (!part.known || mesh.number < least) mesh.number = least;
                        least = mesh.number + 1;
                    }
                }
            }
        }
    }

    Making& making_;
    const Scene& scene_;
    std::vector<MeshRole> roles_;
    std::vector<glm::dmat4> worlds_, frames_;
    std::vector<Json> records_;
    std::vector<std::string> kinds_;
    std::vector<bool> is_joint_, moves_, is_part_, is_leaf_place_;
    std::vector<bool> is_other_;  ///< of another component
    std::vector<Index> order_;
    std::vector<Index> above_;  ///< the next part above
    std::unordered_set<Index> placed_;
    std::vector<std::size_t> connection_of_;
    std::vector<PartPlace> part_of_;
    std::unordered_map<Index, std::string> part_names_, known_names_;
    std::unordered_map<std::string, Index> by_name_;
    std::unordered_map<std::string, std::vector<Index>> levels_by_name_;
    bool levels_found_ = false;
    Names part_wishes_, connection_wishes_;
    NameList left_, others_;
    Plan plan_;
};

}  // namespace

Plan make_plan(Making& making) { return Planner(making).run(); }

}  // namespace effigy::egosoft::bridge
