/// What is drawn: vertices of all meshes in the frames of their bones, and the bones that each hangs on. Rules:
/// docs/conversion/arp.md, "From a scene".

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <map>
#include <set>

#include "effigy/arp_codes.hpp"

#include "arp/file/names.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/problem.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::arp::native {

namespace {

/// From a mesh's space to that of a bone.
struct BoneSpace {
    std::size_t bone = 0;
    glm::dmat4 points{1};
    glm::dmat3 normals{1};
    double twist = 0;  ///< the part of the bone's twist that a helper joint takes
};

/// What was found of vertices and triangles.
struct MeshTallies {
    std::uint64_t many = 0, loose = 0, normals = 0, not_finite = 0, indices = 0, colors = 0, left_out = 0;
    std::uint64_t weights = 0, joints = 0;
    double max_weight = 0;
};

/// Of unit length; `fallback` for what has no length or is not finite.
glm::dvec3 unit_or(const glm::dvec3& vector, const glm::dvec3& fallback) {
    const double length = glm::length(vector);
    return std::isfinite(length) && length > 1e-30 ? vector / length : fallback;
}

constexpr glm::dvec3 along_x{1, 0, 0};

glm::dmat4 inverse_of(const Frame& frame) {
    const glm::dmat3 back = glm::transpose(glm::mat3_cast(frame.rotation));
    glm::dmat4 matrix(back);
    matrix[3] = glm::dvec4(-(back * frame.translation), 1);
    return matrix;
}

BoneSpace space_of_bone(const Skeleton& skeleton, std::size_t bone, const glm::dmat4& to_scene) {
    BoneSpace space{bone, inverse_of(skeleton.bones[bone].rest) * to_scene, glm::dmat3(1)};
    const glm::dmat3 linear(space.points);
    // The cofactors: the inverse's transpose but for its size, and there for flat matrices as well.
    space.normals = glm::dmat3(glm::cross(linear[1], linear[2]), glm::cross(linear[2], linear[0]),
                               glm::cross(linear[0], linear[1]));
    // They point inwards where the matrix mirrors.
    if (glm::determinant(linear) < 0) space.normals *= -1.0;
    return space;
}

LinkDraft whole_link(const BoneSpace& space, const glm::dvec3& position, const glm::dvec3& normal) {
    return {space.bone, 1, glm::dvec3(space.points * glm::dvec4(position, 1)),
            unit_or(space.normals * normal, along_x)};
}

double twist_part(const Node& node) {
    const Json record = record_of(node.extras);
    return flag_at(record, "helper") ? number_at(record, "part").value_or(0) : 0;
}

class LinkFinder {
public:
    LinkFinder(const Build& build, const Tree& tree, const Skeleton& skeleton, const DrawnMesh& drawn)
        : root_(space_of_bone(skeleton, 0, tree.worlds[drawn.node])), is_skinned_(drawn.skin != no_index) {
        if (!is_skinned_) {
            const Index carrier = build.source.nodes[drawn.node].follows;
            const Index node = carrier < tree.worlds.size() ? carrier : drawn.node;
            spaces_.push_back(space_of_bone(skeleton, skeleton.bone_of_node[node], tree.worlds[drawn.node]));
            return;
        }
        const Skin& skin = build.source.skins[drawn.skin];
        std::vector<std::uint32_t> bones;
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            const Index joint = skin.joints[i];
            const glm::dmat4 to_scene = tree.worlds[joint] * wide(skin.inverse_bind_matrices[i]);
            spaces_.push_back(space_of_bone(skeleton, skeleton.bone_of_node[joint], to_scene));
            BoneSpace& space = spaces_.back();
            bones.push_back(static_cast<std::uint32_t>(space.bone));
            if (!is_forearm(skeleton.bones[space.bone].code)) continue;
            space.twist = twist_part(build.source.nodes[joint]);
            if (space.twist > 0) forearms_.insert(space.bone);
        }
        influences_ = InfluenceReader(build.source.meshes[drawn.mesh], spaces_.size(), std::move(bones));
    }

    /// At most `max_links`, the heaviest first.
    std::vector<LinkDraft> links_of(std::size_t vertex, const glm::dvec3& position, const glm::dvec3& normal,
                                    MeshTallies& tallies) {
        if (!is_skinned_) return {whole_link(spaces_.front(), position, normal)};
        const auto heaviest = influences_.heaviest(vertex, max_links);
        const std::vector<VertexInfluence> kept(heaviest.begin(), heaviest.end());
        if (influences_.dropped() != 0) {
            ++tallies.many;
            tallies.max_weight = std::max(tallies.max_weight, influences_.dropped_weight());
        }
        double sum = 0;
        for (const VertexInfluence& one : kept) sum += one.weight;
        std::vector<LinkDraft> links;
        for (const VertexInfluence& one : kept) {
            const float weight = narrow(one.weight / sum);
            if (weight > 0) links.push_back(merged_link(vertex, one, weight, position, normal));
        }
        if (!links.empty()) return links;
        ++tallies.loose;
        return {whole_link(root_, position, normal)};
    }

    /// The part of a forearm's twist that a vertex with these links takes; nothing where no helper joint tells.
    std::optional<double> forearm_twist(std::size_t vertex, const std::vector<LinkDraft>& links) {
        const auto link = std::find_if(links.begin(), links.end(),
                                       [&](const LinkDraft& one) { return forearms_.contains(one.bone); });
        if (link == links.end() || links.size() < 2) return std::nullopt;
        double twist = 0, sum = 0;
        for (const VertexInfluence& one : influences_.all(vertex)) {
            const BoneSpace& space = spaces_[one.joint];
            if (space.bone != link->bone) continue;
            twist += one.weight * space.twist;
            sum += one.weight;
        }
        return twist / sum;
    }

    /// By the joint that holds the vertex most, of those that stand for the bone.
    const BoneSpace& space_of(std::size_t vertex, std::size_t bone) {
        if (!is_skinned_) return spaces_.front();
        const BoneSpace* best = &root_;
        double max_weight = 0;
        for (const VertexInfluence& one : influences_.all(vertex)) {
            const BoneSpace& space = spaces_[one.joint];
            if (space.bone != bone || !(one.weight > max_weight)) continue;
            best = &space;
            max_weight = one.weight;
        }
        return *best;
    }

private:
    /// To the bone of `merged`, which several joints may stand for.
    LinkDraft merged_link(std::size_t vertex, const VertexInfluence& merged, float weight, const glm::dvec3& position,
                          const glm::dvec3& normal) {
        LinkDraft link{spaces_[merged.joint].bone, weight, {}, {}};
        for (const VertexInfluence& one : influences_.all(vertex)) {
            const BoneSpace& space = spaces_[one.joint];
            if (space.bone != link.bone) continue;
            link.offset += one.weight * glm::dvec3(space.points * glm::dvec4(position, 1));
            link.normal += one.weight * (space.normals * normal);
        }
        link.offset /= merged.weight;
        link.normal = unit_or(link.normal, along_x);
        return link;
    }

    std::vector<BoneSpace> spaces_;   ///< of the skin's joints, or of the bone that the mesh moves with
    std::set<std::size_t> forearms_;  ///< bones with helper joints
    BoneSpace root_;                  ///< what hangs on no joint hangs on it
    bool is_skinned_ = false;
    InfluenceReader influences_;
};

glm::dvec3 vector_of(std::span<const float> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

/// Visits vertices of the mesh; triangles of those that do not exist are left out and counted.
template <class Visit>
std::uint64_t for_each_corners(const effigy::Mesh& mesh, const Primitive& primitive, Visit&& visit) {
    std::uint64_t astray = 0;
    for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint64_t first = primitive.first_vertex;
        const std::uint64_t largest = std::max({a, b, c});
        if (largest >= primitive.vertex_count || first + largest >= mesh.vertex_count) {
            ++astray;
            return;
        }
        visit(static_cast<std::size_t>(first + a), static_cast<std::size_t>(first + b),
              static_cast<std::size_t>(first + c));
    });
    return astray;
}

std::vector<glm::dvec3> normals_of_faces(const effigy::Mesh& mesh, const FloatView& positions) {
    std::vector<glm::dvec3> normals(mesh.vertex_count, glm::dvec3(0));
    for (const Primitive& primitive : mesh.primitives) {
        for_each_corners(mesh, primitive, [&](std::size_t a, std::size_t b, std::size_t c) {
            const glm::dvec3 place = vector_of(positions[a]);
            const glm::dvec3 normal = glm::cross(vector_of(positions[b]) - place, vector_of(positions[c]) - place);
            if (!is_finite(normal)) return;
            for (const std::size_t corner : {a, b, c}) normals[corner] += normal;
        });
    }
    for (glm::dvec3& normal : normals) normal = unit_or(normal, {0, 1, 0});
    return normals;
}

/// Of unit length: those of the faces for vertices that have none.
struct VertexNormals {
    std::vector<glm::dvec3> values;
    std::vector<bool> is_own;
};

VertexNormals normals_of(const effigy::Mesh& mesh, const FloatView& positions) {
    const FloatView stored(mesh, Semantic::normal);
    VertexNormals normals{std::vector<glm::dvec3>(mesh.vertex_count), std::vector<bool>(mesh.vertex_count)};
    for (std::size_t i = 0; !stored.empty() && i < mesh.vertex_count; ++i) {
        const double length = glm::length(vector_of(stored[i]));
        normals.is_own[i] = std::isfinite(length) && length > 1e-6;
        if (normals.is_own[i]) normals.values[i] = glm::normalize(vector_of(stored[i]));
    }
    if (std::find(normals.is_own.begin(), normals.is_own.end(), false) == normals.is_own.end()) return normals;
    const std::vector<glm::dvec3> faces = normals_of_faces(mesh, positions);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        if (!normals.is_own[i]) normals.values[i] = faces[i];
    }
    return normals;
}

std::size_t material_place(const Build& build, Figure& figure, Index material) {
    if (material >= build.source.materials.size()) material = no_index;
    const auto [place, is_new] = figure.material_places.try_emplace(material, figure.materials.size());
    if (is_new) figure.materials.push_back(material);
    return place->second;
}

/// Vertices of a mesh on their way into a level.
class VertexAdder {
public:
    VertexAdder(const effigy::Mesh& mesh, LinkFinder& links, LevelDraft& level, MeshTallies& tallies)
        : mesh_(mesh),
          links_(links),
          level_(level),
          tallies_(tallies),
          positions_(mesh, Semantic::position),
          normals_(normals_of(mesh, positions_)),
          places_(mesh.vertex_count, none) {}

    /// What is added from here on is drawn with it.
    void set_material(const Build& build, Figure& figure, Index material) {
        material_ = material_place(build, figure, material);
        const bool has = material < build.source.materials.size();
        const std::uint32_t set = has ? build.source.materials[material].base_color_texture.texcoord : 0;
        if (set != set_) coordinates_ = FloatView(mesh_, Semantic::texcoord, set);
        set_ = set;
    }

    /// Its place in the level. A vertex that two materials share becomes two.
    std::size_t add(std::size_t vertex) {
        std::size_t& place = places_[vertex];
        if (place == none) return place = add_new(vertex);
        if (level_.vertices[place].material == material_) return place;
        const auto [other, is_new] = more_.try_emplace({vertex, material_}, none);
        if (is_new) other->second = add_new(vertex);
        return other->second;
    }

    /// Of a vertex that was added: as the bone of the heaviest link sees it.
    void add_move(std::size_t vertex, std::size_t target, const glm::dvec3& offset, const glm::dvec3& normal) {
        if (places_[vertex] == none) return;
        add_move_at(places_[vertex], vertex, target, offset, normal);
        for (auto other = more_.lower_bound({vertex, 0}); other != more_.end() && other->first.first == vertex; ++other)
            add_move_at(other->second, vertex, target, offset, normal);
    }

private:
    std::size_t add_new(std::size_t vertex) {
        VertexDraft made;
        made.material = material_;
        if (!coordinates_.empty()) {
            const std::span<const float> uv = coordinates_[vertex];
            made.texcoord = {narrow(double{uv[0]}), narrow(double{uv[1]})};
        }
        glm::dvec3 position = vector_of(positions_[vertex]);
        if (!is_finite(position)) {
            ++tallies_.not_finite;
            position = glm::dvec3(0);
        }
        if (!normals_.is_own[vertex]) ++tallies_.normals;
        made.links = links_.links_of(vertex, position, normals_.values[vertex], tallies_);
        made.forearm_twist = links_.forearm_twist(vertex, made.links);
        level_.vertices.push_back(std::move(made));
        return level_.vertices.size() - 1;
    }

    void add_move_at(std::size_t place, std::size_t vertex, std::size_t target, const glm::dvec3& offset,
                     const glm::dvec3& normal) {
        VertexDraft& draft = level_.vertices[place];
        const BoneSpace& space = links_.space_of(vertex, draft.links.front().bone);
        MovedPoint moved{target, glm::dmat3(space.points) * offset, glm::dvec3(0)};
        if (normal != glm::dvec3(0))
            moved.normal = unit_or(space.normals * (normals_.values[vertex] + normal), glm::dvec3(0));
        if (is_finite(moved.offset)) draft.moves.push_back(moved);
    }

    const effigy::Mesh& mesh_;
    LinkFinder& links_;
    LevelDraft& level_;
    MeshTallies& tallies_;
    FloatView positions_, coordinates_;
    VertexNormals normals_;
    std::optional<std::uint32_t> set_;  ///< that `coordinates_` are
    std::size_t material_ = 0;
    std::vector<std::size_t> places_;                                    ///< of the mesh's vertices among the level's
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> more_{};  ///< likewise, with other materials
};

/// Of an untouched mesh, the point that each vertex is a copy of; empty for others.
std::vector<std::uint32_t> kept_points(const Build& build, const effigy::Mesh& mesh, const Json& record) {
    const auto points = whole_in(record, "points"), copies = whole_in(record, "duplicates");
    if (!build.untouched(mesh) || !points || !copies || mesh.primitives.size() != 1) return {};
    if (std::uint64_t{*points} + *copies != mesh.vertex_count || mesh.vertex_count > max_vertices) return {};
    const FloatView originals(find_attribute(mesh, "_ORIGINAL_VERTEX"));
    if (originals.empty() && *copies != 0) return {};
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        const double point = originals.empty() ? static_cast<double>(i) : double{originals[i][0]};
        if (!(point >= 0 && point < static_cast<double>(*points)) || (i < *points && point != static_cast<double>(i)))
            return {};
        kept.push_back(static_cast<std::uint32_t>(point));
    }
    return kept;
}

/// Points, copies and their order as the avatar had them, if nobody has touched the mesh.
void keep_order(const Build& build, const effigy::Mesh& mesh, Index skin, Figure& figure, LevelDraft& level,
                VertexAdder& adder) {
    Json record = record_of(mesh.extras);
    level.points = kept_points(build, mesh, record);
    if (level.points.empty()) return;
    const auto& skins = build.source.skins;
    const bool has_record = skin < skins.size() && !skins[skin].extras.json.empty();
    if (has_record && !build.untouched(skins[skin])) record.erase("exact");  // what it is beside is made by the skin
    level.point_count = whole_in(record, "points").value_or(0);
    level.record = std::move(record);
    adder.set_material(build, figure, mesh.primitives.front().material);
    for (std::size_t i = 0; i < mesh.vertex_count; ++i) adder.add(i);
}

Result<void> add_triangles(Build& build, const effigy::Mesh& mesh, const Primitive& primitive, bool is_mirrored,
                           Figure& figure, LevelDraft& level, VertexAdder& adder, MeshTallies& tallies) {
    if (!has_triangles(primitive.topology)) {
        ++tallies.left_out;
        return {};
    }
    auto taken = build.take(primitive.indices.size(), 16 * sizeof(std::uint32_t), "triangles");
    if (!taken) return taken;
    adder.set_material(build, figure, primitive.material);
    if (find_attribute(mesh, Semantic::color) != nullptr) ++tallies.colors;
    tallies.indices += for_each_corners(mesh, primitive, [&](std::size_t a, std::size_t b, std::size_t c) {
        if (a == b || b == c || c == a) return;
        if (is_mirrored) std::swap(b, c);
        for (const std::size_t corner : {a, b, c})
            level.triangles.push_back(static_cast<std::uint32_t>(adder.add(corner)));
    });
    return {};
}

/// `numbers`: of the mesh's targets among the figure's.
Result<void> add_moves(Build& build, const effigy::Mesh& mesh, const std::vector<std::size_t>& numbers,
                       const LevelDraft& level, VertexAdder& adder) {
    for (std::size_t k = 0; k < std::min(numbers.size(), mesh.targets.size()); ++k) {
        const effigy::MorphTarget& target = mesh.targets[k];
        const std::size_t count = target.indices.size();
        const bool has_offsets = target.positions.size() == count, has_normals = target.normals.size() == count;
        if (auto taken = build.take(count, 2 * sizeof(MovedPoint), "morph targets"); !taken) return taken;
        for (std::size_t i = 0; i < count; ++i) {
            if (target.indices[i] >= mesh.vertex_count) continue;
            const glm::dvec3 offset = has_offsets ? wide(target.positions[i]) : glm::dvec3(0);
            const glm::dvec3 normal = has_normals ? wide(target.normals[i]) : glm::dvec3(0);
            if (!is_finite(offset) || !is_finite(normal)) continue;
            if (offset == glm::dvec3(0) && normal == glm::dvec3(0) && level.points.empty()) continue;
            adder.add_move(target.indices[i], numbers[k], offset, normal);
        }
    }
    return {};
}

/// Whether what is drawn there has its faces turned over: by its node, or by most of the joints that it follows
/// instead.
bool is_mirrored(const Scene& scene, const Tree& tree, const DrawnMesh& drawn) {
    const auto turns_over = [](const glm::dmat4& matrix) { return glm::determinant(glm::dmat3(matrix)) < 0; };
    if (drawn.skin == no_index) return turns_over(tree.worlds[drawn.node]);
    const Skin& skin = scene.skins[drawn.skin];
    std::size_t count = 0;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const bool has_bind = i < skin.inverse_bind_matrices.size();
        const glm::dmat4 bind = has_bind ? wide(skin.inverse_bind_matrices[i]) : glm::dmat4(1);
        if (turns_over(tree.worlds[skin.joints[i]] * bind)) ++count;
    }
    return 2 * count > skin.joints.size();
}

Result<void> add_drawn(Build& build, const Tree& tree, const Skeleton& skeleton, const DrawnMesh& drawn, bool is_alone,
                       const std::vector<std::size_t>& targets, Figure& figure, LevelDraft& level,
                       MeshTallies& tallies) {
    const effigy::Mesh& mesh = build.source.meshes[drawn.mesh];
    if (find_attribute(mesh, Semantic::position) == nullptr) return {};
    auto taken = build.take(mesh.vertex_count, sizeof(VertexDraft) + 2 * sizeof(LinkDraft) + 96, "vertices");
    if (!taken) return taken;
    if (drawn.skin != no_index) {
        const std::size_t joints = build.source.skins[drawn.skin].joints.size();
        tallies.weights += count_bad_weights(mesh);
        if (!check_joints(mesh, drawn.mesh, joints)) ++tallies.joints;
    }
    LinkFinder links(build, tree, skeleton, drawn);
    VertexAdder adder(mesh, links, level, tallies);
    const bool turns_over = is_mirrored(build.source, tree, drawn);
    if (is_alone) keep_order(build, mesh, drawn.skin, figure, level, adder);
    for (const Primitive& primitive : mesh.primitives) {
        auto added = add_triangles(build, mesh, primitive, turns_over, figure, level, adder, tallies);
        if (!added) return added;
    }
    return add_moves(build, mesh, targets, level, adder);
}

/// Targets of one name are one, whichever mesh they are of.
class TargetList {
public:
    explicit TargetList(Figure& figure) : figure_(figure) {}

    std::vector<std::size_t> places_of(const effigy::Mesh& mesh) {
        std::vector<std::size_t> places;
        std::map<std::string, std::size_t> times;
        const std::vector<std::string> codes = old_codes(mesh);
        for (std::size_t i = 0; i < mesh.targets.size(); ++i) {
            std::string name = mesh.targets[i].name;
            if (name.empty()) name = "target" + std::to_string(i);
            const auto key = std::pair(name, times[name]++);
            const auto [found, is_new] = known_.try_emplace(key, figure_.targets.size());
            const bool is_renamed = !codes.empty() && codes[i] != mesh.targets[i].name;
            if (is_new) figure_.targets.push_back({name, {}, is_renamed ? codes[i] : std::string(), !codes.empty()});
            places.push_back(found->second);
        }
        return places;
    }

private:
    /// Of an avatar's mesh, edited or not: none if it has other targets now.
    static std::vector<std::string> old_codes(const effigy::Mesh& mesh) {
        const Json record = record_of(mesh.extras);
        const Json* codes = member(record, "codes");
        std::vector<std::string> names;
        if (codes == nullptr || !codes->is_array() || codes->size() != mesh.targets.size()) return names;
        for (const Json& code : *codes) names.push_back(text_from_json(code).value_or(""));
        return names;
    }

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
    build.note_any(names, codes::arp_weights_lost, "meshes",
                   "Avatars rest with their morph targets off, and these are on at rest: a clip has to turn them on.");
}

void report(Build& build, const MeshTallies& tallies) {
    if (tallies.many != 0) {
        build.note(codes::arp_links_left_out, "meshes",
                   "Points of an avatar hang on four bones at most: the lightest links are left out, and the others' "
                   "weights divided by their sum.",
                   std::to_string(tallies.many) + " points, of one up to " +
                       std::to_string(std::lround(100 * tallies.max_weight)) + " % of its weight",
                   "at most 4");
    }
    build.note_any(tallies.weights, codes::skin_weight, "meshes",
                   "Weights that are negative or not finite are left out.", " weights");
    build.note_any(tallies.joints, codes::skin_node.as(Severity::warning), "meshes",
                   "Influences of joints that a mesh's skin does not have are left out.", " meshes");
    build.note_any(tallies.loose, codes::arp_point_loose.as(Severity::warning), "meshes",
                   "Vertices that hang on no joint hang on ROOT.");
    build.note_any(tallies.normals, codes::normal_repaired.as(Severity::info), "meshes",
                   "Vertices without a normal get that of their faces.");
    build.note_any(tallies.not_finite, codes::not_finite_replaced, "meshes",
                   "Vertices whose place is not finite are put to the origin.");
    build.note_any(tallies.indices, codes::triangle_index, "meshes",
                   "Triangles of vertices that do not exist are left out.");
    build.note_any(tallies.left_out, codes::arp_not_triangles, "meshes",
                   "An avatar has triangles only: points and lines are left out.");
    build.note_any(
        tallies.colors, codes::arp_vertex_colors, "meshes",
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

Result<Figure> gather(Build& build, const Tree& tree, const Skeleton& skeleton,
                      const std::vector<std::vector<DrawnMesh>>& levels) {
    Figure figure;
    TargetList targets(figure);
    MeshTallies tallies;
    for (const std::vector<DrawnMesh>& drawn : levels) {
        LevelDraft level;
        std::vector<DrawnTargets> drawn_targets;
        for (const DrawnMesh& one : drawn) {
            const effigy::Mesh& mesh = build.source.meshes[one.mesh];
            if (auto taken = build.take(mesh.targets.size(), 128, "morph targets"); !taken) return fail(taken.error());
            const auto& places = drawn_targets.emplace_back(DrawnTargets{one.node, targets.places_of(mesh)}).places;
            auto added = add_drawn(build, tree, skeleton, one, drawn.size() == 1, places, figure, level, tallies);
            if (!added) return fail(std::move(added.error()));
        }
        if (!drawn.empty()) {
            const Json record = record_of(build.source.meshes[drawn.front().mesh].extras);
            level.switch_distance = number_at(record, "switch_distance").value_or(-1);
        }
        if (level.triangles.empty() && !figure.levels.empty()) continue;
        figure.targets_of.push_back(std::move(drawn_targets));
        figure.levels.push_back(std::move(level));
    }
    const bool has_triangles = !figure.levels.front().triangles.empty();
    if (!has_triangles && !build.options.only_motions) return fail(no_triangles());
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
