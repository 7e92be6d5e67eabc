/// What is drawn: vertices of all meshes in the frames of their bones. Rules: docs/formats/arp.md, "From a scene".

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <map>

#include "effigy/arp_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "arp/from_scene/from_scene.hpp"
#include "core/problem.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::arp::native {
namespace {

glm::dvec3 vector_of(std::span<const float> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

bool has_area(const effigy::Mesh& mesh) {
    return std::any_of(mesh.primitives.begin(), mesh.primitives.end(), [](const Primitive& primitive) {
        return has_triangles(primitive.topology) && !primitive.indices.empty();
    });
}

glm::dmat4 inverse_of(const Frame& frame) {
    const glm::dmat3 back = glm::transpose(glm::mat3_cast(frame.rotation));
    glm::dmat4 matrix(back);
    matrix[3] = glm::dvec4(-(back * frame.translation), 1);
    return matrix;
}

/// From the mesh's space to that of a bone.
struct Way {
    std::size_t bone = 0;
    glm::dmat4 points{1};
    glm::dmat3 normals{1};
};

Way way_to(const Skeleton& skeleton, std::size_t bone, const glm::dmat4& to_scene) {
    Way way{bone, inverse_of(skeleton.bones[bone].rest) * to_scene, glm::dmat3(1)};
    const glm::dmat3 linear(way.points);
    // The cofactors: the inverse's transpose but for its size, and there for flat matrices as well.
    way.normals = glm::dmat3(glm::cross(linear[1], linear[2]), glm::cross(linear[2], linear[0]),
                             glm::cross(linear[0], linear[1]));
    // They point inwards where the matrix mirrors.
    if (glm::determinant(linear) < 0) way.normals *= -1.0;
    return way;
}

struct Tallies {
    std::uint64_t many = 0, loose = 0, normals = 0, not_finite = 0, indices = 0, colors = 0, left_out = 0;
    double max_weight = 0;
    NameList odd_skins, weights;
};

class MeshGatherer {
public:
    MeshGatherer(Build& build, const Tree& tree, const Skeleton& skeleton, const DrawnMesh& drawn, Figure& figure,
                 LevelDraft& level, const std::vector<std::size_t>& targets, Tallies& tallies)
        : build_(build),
          tree_(tree),
          skeleton_(skeleton),
          drawn_(drawn),
          mesh_(build.source.meshes[drawn.mesh]),
          figure_(figure),
          level_(level),
          targets_(targets),
          tallies_(tallies),
          positions_(mesh_, Semantic::position),
          normals_(mesh_, Semantic::normal) {}

    Result<void> gather(bool is_alone) {
        const std::size_t count = mesh_.vertex_count;
        if (positions_.empty()) return {};
        auto taken = build_.take(count, sizeof(VertexDraft) + 2 * sizeof(LinkDraft) + 96, "vertices");
        if (!taken) return taken;
        set_ways();
        add_face_normals();
        places_.assign(count, none);
        if (is_alone) keep_order();
        for (const Primitive& primitive : mesh_.primitives) {
            if (auto added = add_triangles(primitive); !added) return added;
        }
        return add_moves();
    }

private:
    void set_ways() {
        const Index carrier = build_.source.nodes[drawn_.node].follows;
        const Index node = carrier < tree_.worlds.size() ? carrier : drawn_.node;
        if (drawn_.skin == no_index) {
            const glm::dmat4& world = tree_.worlds[drawn_.node];
            ways_.push_back(way_to(skeleton_, skeleton_.bone_of_node[node], world));
            is_mirrored_ = glm::determinant(glm::dmat3(world)) < 0;
            return;
        }
        const Skin& skin = build_.source.skins[drawn_.skin];
        std::vector<std::uint32_t> bones;
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            const Index joint = skin.joints[i];
            const glm::dmat4 to_scene = tree_.worlds[joint] * wide(skin.inverse_bind_matrices[i]);
            ways_.push_back(way_to(skeleton_, skeleton_.bone_of_node[joint], to_scene));
            bones.push_back(static_cast<std::uint32_t>(ways_.back().bone));
        }
        influences_ = InfluenceReader(mesh_, ways_.size(), std::move(bones));
    }

    [[nodiscard]] bool has_normal(std::size_t vertex) const {
        const double length = normals_.empty() ? 0 : glm::length(vector_of(normals_[vertex]));
        return std::isfinite(length) && length > 1e-6;
    }

    /// For vertices without a normal of their own.
    void add_face_normals() {
        bool all = !normals_.empty();
        for (std::size_t i = 0; all && i < mesh_.vertex_count; ++i) all = has_normal(i);
        if (all) return;
        face_normals_.assign(mesh_.vertex_count, glm::dvec3(0));
        for (const Primitive& primitive : mesh_.primitives) {
            for_each_corners(primitive, [&](std::size_t a, std::size_t b, std::size_t c) {
                const glm::dvec3 place = vector_of(positions_[a]);
                const glm::dvec3 normal =
                    glm::cross(vector_of(positions_[b]) - place, vector_of(positions_[c]) - place);
                if (!is_finite(normal)) return;
                for (const std::size_t corner : {a, b, c}) face_normals_[corner] += normal;
            });
        }
        for (glm::dvec3& normal : face_normals_) {
            const double length = glm::length(normal);
            normal = std::isfinite(length) && length > 1e-30 ? normal / length : glm::dvec3(0, 1, 0);
        }
    }

    /// Vertices of the mesh; triangles of those that do not exist are left out.
    template <class Visit>
    void for_each_corners(const Primitive& primitive, Visit&& visit, std::uint64_t* astray = nullptr) const {
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const std::uint64_t first = primitive.first_vertex;
            const std::uint64_t largest = std::max({a, b, c});
            if (largest >= primitive.vertex_count || first + largest >= mesh_.vertex_count) {
                if (astray != nullptr) ++*astray;
                return;
            }
            visit(static_cast<std::size_t>(first + a), static_cast<std::size_t>(first + b),
                  static_cast<std::size_t>(first + c));
        });
    }

    [[nodiscard]] glm::dvec3 normal_of(std::size_t vertex) {
        if (has_normal(vertex)) return glm::normalize(vector_of(normals_[vertex]));
        ++tallies_.normals;
        return face_normals_[vertex];
    }

    /// Of an untouched mesh, which vertices are copies of one point.
    void keep_order() {
        const Json record = record_of(mesh_.extras);
        const auto points = whole_in(record, "points"), copies = whole_in(record, "duplicates");
        if (!build_.untouched(mesh_) || !points || !copies || mesh_.primitives.size() != 1) return;
        if (std::uint64_t{*points} + *copies != mesh_.vertex_count || mesh_.vertex_count > max_vertices) return;
        const FloatView originals(find_attribute(mesh_, "_ORIGINAL_VERTEX"));
        if (originals.empty() && *copies != 0) return;
        std::vector<std::uint32_t> kept;
        for (std::uint32_t i = 0; i < mesh_.vertex_count; ++i) {
            const double point = originals.empty() ? static_cast<double>(i) : double{originals[i][0]};
            if (!(point >= 0 && point < static_cast<double>(*points)) ||
                (i < *points && point != static_cast<double>(i)))
                return;
            kept.push_back(static_cast<std::uint32_t>(point));
        }
        level_.points = std::move(kept);
        level_.point_count = *points;
        level_.record = record;
        const Primitive& primitive = mesh_.primitives.front();
        const std::size_t material = material_place(primitive.material);
        const FloatView& coordinates = coordinates_of(primitive.material);
        for (std::size_t i = 0; i < mesh_.vertex_count; ++i) add_vertex(i, material, coordinates);
    }

    [[nodiscard]] std::size_t material_place(Index material) {
        if (material >= build_.source.materials.size()) material = no_index;
        auto& used = figure_.materials;
        const auto found = std::find(used.begin(), used.end(), material);
        if (found != used.end()) return static_cast<std::size_t>(found - used.begin());
        used.push_back(material);
        return used.size() - 1;
    }

    [[nodiscard]] const FloatView& coordinates_of(Index material) {
        const bool has = material < build_.source.materials.size();
        const std::uint32_t set = has ? build_.source.materials[material].base_color_texture.texcoord : 0;
        const auto known = coordinates_.find(set);
        return known != coordinates_.end()
                   ? known->second
                   : coordinates_.try_emplace(set, mesh_, Semantic::texcoord, set).first->second;
    }

    Result<void> add_triangles(const Primitive& primitive) {
        if (!has_triangles(primitive.topology)) {
            ++tallies_.left_out;
            return {};
        }
        auto taken = build_.take(primitive.indices.size(), 16 * sizeof(std::uint32_t), "triangles");
        if (!taken) return taken;
        const std::size_t material = material_place(primitive.material);
        const FloatView& coordinates = coordinates_of(primitive.material);
        if (find_attribute(mesh_, Semantic::color) != nullptr) ++tallies_.colors;
        for_each_corners(
            primitive,
            [&](std::size_t a, std::size_t b, std::size_t c) {
                if (a == b || b == c || c == a) return;
                if (is_mirrored_) std::swap(b, c);
                for (const std::size_t corner : {a, b, c})
                    level_.triangles.push_back(static_cast<std::uint32_t>(add_vertex(corner, material, coordinates)));
            },
            &tallies_.indices);
        return {};
    }

    /// A vertex that two materials share becomes two.
    std::size_t add_vertex(std::size_t vertex, std::size_t material, const FloatView& coordinates) {
        std::size_t& place = places_[vertex];
        if (place != none && level_.vertices[place].material == material) return place;
        if (place != none) {
            const auto [other, is_new] = more_places_.try_emplace({vertex, material}, level_.vertices.size());
            if (!is_new) return other->second;
            more_of_[vertex].push_back(other->second);
        } else {
            place = level_.vertices.size();
        }
        VertexDraft made;
        made.material = material;
        if (!coordinates.empty()) {
            const std::span<const float> uv = coordinates[vertex];
            made.texcoord = {narrow(double{uv[0]}), narrow(double{uv[1]})};
        }
        made.links = links_of(vertex);
        level_.vertices.push_back(std::move(made));
        return level_.vertices.size() - 1;
    }

    std::vector<LinkDraft> links_of(std::size_t vertex) {
        glm::dvec3 position = vector_of(positions_[vertex]);
        if (!is_finite(position)) {
            ++tallies_.not_finite;
            position = glm::dvec3(0);
        }
        const glm::dvec3 normal = normal_of(vertex);
        if (drawn_.skin == no_index) return {link_of(ways_.front(), position, normal)};
        const auto heaviest = influences_.heaviest(vertex, max_links);
        const std::vector<VertexInfluence> kept(heaviest.begin(), heaviest.end());
        if (influences_.dropped() != 0) {
            ++tallies_.many;
            tallies_.max_weight = std::max(tallies_.max_weight, influences_.dropped_weight());
        }
        double sum = 0;
        for (const VertexInfluence& one : kept) sum += one.weight;
        std::vector<LinkDraft> links;
        for (const VertexInfluence& one : kept) {
            const float weight = narrow(one.weight / sum);
            if (weight > 0) links.push_back(link_of(vertex, one, weight, position, normal));
        }
        if (!links.empty()) return links;
        ++tallies_.loose;
        return {link_of(way_to(skeleton_, 0, tree_.worlds[drawn_.node]), position, normal)};
    }

    static glm::dvec3 direction(const glm::dvec3& v) {
        const double length = glm::length(v);
        return std::isfinite(length) && length > 1e-30 ? v / length : glm::dvec3(1, 0, 0);
    }

    static LinkDraft link_of(const Way& way, const glm::dvec3& position, const glm::dvec3& normal) {
        return {way.bone, 1, glm::dvec3(way.points * glm::dvec4(position, 1)), direction(way.normals * normal)};
    }

    /// To the bone of `merged`, which several joints may stand for.
    LinkDraft link_of(std::size_t vertex, const VertexInfluence& merged, float weight, const glm::dvec3& position,
                      const glm::dvec3& normal) {
        LinkDraft link{ways_[merged.joint].bone, weight, {}, {}};
        for (const VertexInfluence& one : influences_.all(vertex)) {
            const Way& way = ways_[one.joint];
            if (way.bone != link.bone) continue;
            link.offset += one.weight * glm::dvec3(way.points * glm::dvec4(position, 1));
            link.normal += one.weight * (way.normals * normal);
        }
        link.offset /= merged.weight;
        link.normal = direction(link.normal);
        return link;
    }

    // Morph targets

    Result<void> add_moves() {
        for (std::size_t k = 0; k < std::min(targets_.size(), mesh_.targets.size()); ++k) {
            const effigy::MorphTarget& target = mesh_.targets[k];
            const std::size_t count = target.indices.size();
            const bool moves = target.positions.size() == count, turns = target.normals.size() == count;
            if (auto taken = build_.take(count, 2 * sizeof(MovedPoint), "morph targets"); !taken) return taken;
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t vertex = target.indices[i];
                if (vertex >= places_.size() || places_[vertex] == none) continue;
                const glm::dvec3 offset = moves ? wide(target.positions[i]) : glm::dvec3(0);
                const glm::dvec3 normal = turns ? wide(target.normals[i]) : glm::dvec3(0);
                if (!is_finite(offset) || !is_finite(normal)) continue;
                if (offset == glm::dvec3(0) && normal == glm::dvec3(0) && level_.points.empty()) continue;
                add_move(places_[vertex], vertex, targets_[k], offset, normal);
                const auto more = more_of_.find(vertex);
                if (more == more_of_.end()) continue;
                for (const std::size_t place : more->second) add_move(place, vertex, targets_[k], offset, normal);
            }
        }
        return {};
    }

    /// As the bone of the heaviest link sees it.
    void add_move(std::size_t place, std::size_t vertex, std::size_t target, const glm::dvec3& offset,
                  const glm::dvec3& normal) {
        VertexDraft& draft = level_.vertices[place];
        const Way* way = heaviest_way(vertex, draft.links.front().bone);
        const Way fallback = way_to(skeleton_, 0, tree_.worlds[drawn_.node]);
        if (way == nullptr) way = &fallback;
        MovedPoint moved{target, glm::dmat3(way->points) * offset, glm::dvec3(0)};
        if (normal != glm::dvec3(0)) {
            const glm::dvec3 own =
                has_normal(vertex) ? glm::normalize(vector_of(normals_[vertex])) : face_normals_[vertex];
            const glm::dvec3 turned = way->normals * (own + normal);
            const double length = glm::length(turned);
            if (std::isfinite(length) && length > 1e-30) moved.normal = turned / length;
        }
        if (is_finite(moved.offset)) draft.moves.push_back(moved);
    }

    [[nodiscard]] const Way* heaviest_way(std::size_t vertex, std::size_t bone) {
        if (drawn_.skin == no_index) return &ways_.front();
        const Way* best = nullptr;
        double most = 0;
        for (const VertexInfluence& one : influences_.all(vertex)) {
            const Way& way = ways_[one.joint];
            if (way.bone != bone || !(one.weight > most)) continue;
            best = &way;
            most = one.weight;
        }
        return best;
    }

    Build& build_;
    const Tree& tree_;
    const Skeleton& skeleton_;
    const DrawnMesh& drawn_;
    const effigy::Mesh& mesh_;
    Figure& figure_;
    LevelDraft& level_;
    const std::vector<std::size_t>& targets_;
    Tallies& tallies_;
    FloatView positions_, normals_;
    std::map<std::uint32_t, FloatView> coordinates_;  ///< by set
    InfluenceReader influences_;
    std::vector<Way> ways_;
    bool is_mirrored_ = false;
    std::vector<glm::dvec3> face_normals_;
    std::vector<std::size_t> places_;  ///< of the mesh's vertices among the level's
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> more_places_;
    std::map<std::size_t, std::vector<std::size_t>> more_of_;
};

/// Targets of one name are one, whichever mesh they are of.
class TargetList {
public:
    explicit TargetList(Figure& figure) : figure_(figure) {}

    std::vector<std::size_t> places_of(const effigy::Mesh& mesh) {
        std::vector<std::size_t> places;
        std::map<std::string, std::size_t> times;
        for (std::size_t i = 0; i < mesh.targets.size(); ++i) {
            std::string name = mesh.targets[i].name;
            if (name.empty()) name = "target" + std::to_string(i);
            const auto key = std::pair(name, times[name]++);
            const auto [found, is_new] = known_.try_emplace(key, figure_.targets.size());
            if (is_new) figure_.targets.push_back({name, {}});
            places.push_back(found->second);
        }
        return places;
    }

private:
    Figure& figure_;
    std::map<std::pair<std::string, std::size_t>, std::size_t> known_;
};

void report_weights(Build& build, const std::vector<std::vector<DrawnMesh>>& levels) {
    NameList names;
    for (const std::vector<DrawnMesh>& drawn : levels) {
        for (const DrawnMesh& one : drawn) {
            const effigy::Mesh& mesh = build.source.meshes[one.mesh];
            for (std::size_t t = 0; t < std::min(mesh.targets.size(), mesh.weights.size()); ++t) {
                const std::string& name = mesh.targets[t].name;
                if (std::abs(mesh.weights[t]) > 1e-6f) names.add(name.empty() ? "target" + std::to_string(t) : name);
            }
        }
    }
    if (names.empty()) return;
    build.note(codes::arp_weights_lost, "meshes",
               "Avatars rest with their morph targets off, and these are on at rest: a clip has to turn them on.",
               names.text());
}

void report(Build& build, const Tallies& tallies) {
    const auto note = [&](std::uint64_t count, const Code& code, std::string message) {
        if (count != 0) build.note(code, "meshes", std::move(message), std::to_string(count));
    };
    if (tallies.many != 0) {
        build.note(codes::arp_links_left_out, "meshes",
                   "Points of an avatar hang on four bones at most: the lightest links are left out, and the others' "
                   "weights divided by their sum.",
                   std::to_string(tallies.many) + " points, of one up to " +
                       std::to_string(std::lround(100 * tallies.max_weight)) + " % of its weight",
                   "at most 4");
    }
    note(tallies.loose, codes::arp_point_loose.as(Severity::warning), "Vertices that hang on no joint hang on ROOT.");
    note(tallies.normals, codes::normal_repaired.as(Severity::info),
         "Vertices without a normal get that of their faces.");
    note(tallies.not_finite, codes::not_finite_replaced, "Vertices whose place is not finite are put to the origin.");
    note(tallies.indices, codes::triangle_index, "Triangles of vertices that do not exist are left out.");
    note(tallies.left_out, codes::arp_not_triangles, "An avatar has triangles only: points and lines are left out.");
    note(tallies.colors, codes::arp_vertex_colors,
         "An avatar has no colours of vertices: those of so many primitives are lost; bake them into a texture.");
}

void measure(const Skeleton& skeleton, Figure& figure) {
    bool is_first = true;
    for (const VertexDraft& vertex : figure.levels.front().vertices) {
        glm::dvec3 place(0);
        for (const LinkDraft& link : vertex.links)
            place += double{link.weight} * (skeleton.bones[link.bone].rest * link.offset);
        figure.least = is_first ? place : glm::min(figure.least, place);
        figure.greatest = is_first ? place : glm::max(figure.greatest, place);
        is_first = false;
    }
    figure.low = figure.least.y;
    figure.high = figure.greatest.y;
}

Diagnostic no_triangles() {
    return nothing_to_show("The scene has no triangles: an avatar is a figure of triangles on bones.");
}

}  // namespace

std::vector<std::vector<DrawnMesh>> drawn_meshes(Build& build, const Tree& tree) {
    const Scene& scene = build.source;
    const auto drawn_on = [&](Index node) -> std::optional<DrawnMesh> {
        if (node >= scene.nodes.size()) return std::nullopt;
        const Node& carrier = scene.nodes[node];
        if (carrier.mesh >= scene.meshes.size()) return std::nullopt;
        const effigy::Mesh& mesh = scene.meshes[carrier.mesh];
        const bool has_joints = find_attribute(mesh, Semantic::joints) != nullptr;
        const bool skinned =
            carrier.skin < scene.skins.size() && has_joints && !scene.skins[carrier.skin].joints.empty();
        return DrawnMesh{node, carrier.mesh, skinned ? carrier.skin : no_index};
    };
    std::vector<Index> seen;
    std::size_t levels = 1, collision = 0;
    for (const Index node : tree.order) {
        const Node& carrier = scene.nodes[node];
        if (carrier.collision && drawn_on(node)) ++collision;
        if (carrier.hidden || carrier.collision || !drawn_on(node)) continue;
        seen.push_back(node);
        levels = std::max(levels, std::min<std::size_t>(carrier.lods.size(), 15) + 1);
    }
    if (collision != 0) {
        build.note(codes::arp_collision_left_out, "nodes", "Avatars have no collision meshes; these are left out.",
                   std::to_string(collision));
    }
    std::sort(seen.begin(), seen.end());
    std::vector<std::vector<DrawnMesh>> result(levels);
    for (std::size_t level = 0; level < levels; ++level) {
        for (const Index node : seen) {
            const auto& lods = scene.nodes[node].lods;
            auto drawn = drawn_on(node);
            if (level > 0 && !lods.empty()) {
                const auto replacement = drawn_on(lods[std::min(level, lods.size()) - 1]);
                if (replacement) drawn = replacement;
            }
            if (drawn && has_area(scene.meshes[drawn->mesh])) result[level].push_back(*drawn);
        }
    }
    return result;
}

Result<Figure> gather(Build& build, const Tree& tree, const Skeleton& skeleton,
                      const std::vector<std::vector<DrawnMesh>>& levels) {
    Figure figure;
    TargetList targets(figure);
    Tallies tallies;
    for (const std::vector<DrawnMesh>& drawn : levels) {
        LevelDraft level;
        std::vector<std::vector<std::size_t>> places;
        for (const DrawnMesh& one : drawn) {
            const effigy::Mesh& mesh = build.source.meshes[one.mesh];
            if (auto taken = build.take(mesh.targets.size(), 128, "morph targets"); !taken) return fail(taken.error());
            places.push_back(targets.places_of(mesh));
            MeshGatherer gatherer(build, tree, skeleton, one, figure, level, places.back(), tallies);
            if (auto done = gatherer.gather(drawn.size() == 1); !done) return fail(std::move(done.error()));
        }
        if (!drawn.empty()) {
            const Json record = record_of(build.source.meshes[drawn.front().mesh].extras);
            level.switch_distance = number_at(record, "switch_distance").value_or(-1);
        }
        if (level.triangles.empty() && !figure.levels.empty()) continue;
        figure.target_of.push_back(std::move(places));
        figure.levels.push_back(std::move(level));
    }
    if (figure.levels.empty() || figure.levels.front().triangles.empty()) return fail(no_triangles());
    if (figure.targets.size() > max_names) {
        return fail(problem_at("meshes", codes::arp_too_many_targets,
                               "the figure has more morph targets than there are names of four characters for",
                               std::to_string(figure.targets.size()), "at most " + std::to_string(max_names)));
    }
    report_weights(build, levels);
    report(build, tallies);
    measure(skeleton, figure);
    return figure;
}

}  // namespace effigy::arp::native
