/// Meshes, one for each level of detail, and the nodes that carry them. Rules: docs/conversion/arp.md, "Meshes".

#include "arp/to_scene/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "effigy/arp_codes.hpp"

#include "core/text.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

std::string percent_text(double part, double whole) {
    return whole > 0 ? number_text(static_cast<double>(static_cast<float>(100 * part / whole))) + " % of the height"
                     : "no height";
}

class MeshBuilder {
public:
    MeshBuilder(Build& build, Avatar& avatar, std::size_t number)
        : build_(build), avatar_(avatar), file_(*avatar.file), mesh_(avatar.file->meshes[number]), number_(number) {}

    Result<void> add() {
        if (auto counted = count(); !counted) return counted;
        bind_ = recover_bind(file_, number_);
        set_bones();
        report_bind();
        return copy_points()
            .and_then([&] { return add_points(); })
            .and_then([&] { return add_morphs(build_, avatar_, mesh_, copies_, head_frame(), made_, placed_); })
            .and_then([&] { return mesh_extras(build_, file_, number_, made_.targets.size()); })
            .map([&](Json extras) {
                extras_ = std::move(extras);
                report();
                place();
            });
    }

private:
    [[nodiscard]] std::string path() const { return "mesh[" + std::to_string(number_) + "]"; }

    Result<void> count() {
        const std::uint64_t vertices = std::uint64_t{mesh_.points.size()} + mesh_.duplicates.size();
        constexpr std::uint64_t vertex_size = 4 + 4 + 4 + 4 + 2 * sizeof(Vec3) + sizeof(Vec2) + sizeof(glm::dvec3);
        return build_.take(vertices + 1, vertex_size, "vertices")
            .and_then([&] { return build_.take(mesh_.strip.size(), 24, "triangles"); })
            .and_then([&] {
                constexpr std::uint64_t bone_size = sizeof(BoundBone) + sizeof(Mat4) + sizeof(Index) + 96;
                return build_.take(file_.bones.size() + avatar_.twists.size() * twist_steps + 1, bone_size, "joints");
            });
    }

    /// Of bones that are not finite, which only bytes that are no avatar have, nothing is known.
    void set_bones() {
        bones_.resize(file_.bones.size());
        for (std::size_t i = 0; i < std::min(bones_.size(), bind_.bones.size()); ++i) {
            const auto& [t, r] = bind_.bones[i];
            const glm::dquat rotation(r[3], r[0], r[1], r[2]);
            const double length = glm::length(rotation);
            if (!std::isfinite(length) || length < 1e-6 || !std::isfinite(t[0] + t[1] + t[2])) continue;
            bones_[i] = {glm::mat3_cast(rotation / length), {t[0], t[1], t[2]}};
        }
    }

    void report_bind() {
        if (file_.bones.empty() || mesh_.points.size() == 0) return;
        const std::string found = "median " + number_text(bind_.median_residual) + ", worst " +
                                  number_text(bind_.worst_residual) + " units (" +
                                  percent_text(bind_.worst_residual, bind_.height) + ") at point " +
                                  std::to_string(bind_.worst_point);
        if (bind_.fits) {
            build_.note(codes::arp_bind, path(),
                        "The bind pose was recovered from points that hang on several bones; so far apart are their "
                        "links in it.",
                        found);
        } else {
            build_.note(codes::arp_bind_rest, path(), {}, found);
        }
    }

    Result<void> copy_points() {
        const Bulk<std::uint32_t> duplicates = duplicate_points(mesh_, file_.layout);
        const std::size_t points = mesh_.points.size();
        if (points == 0) return {};
        if (points + duplicates.size() > std::numeric_limits<std::uint32_t>::max()) {
            return build_.take(points + duplicates.size(), std::uint64_t{1} << 32U, "vertices");
        }
        copies_.points.reserve(points + duplicates.size());
        for (std::size_t i = 0; i < points; ++i) copies_.points.push_back(static_cast<std::uint32_t>(i));
        for (const std::uint32_t point : duplicates) {
            if (point >= points) ++findings_.bad_duplicates;
            copies_.points.push_back(point < points ? point : 0);
        }
        copies_.first_vertices.assign(points + 1, 0);
        for (const std::uint32_t point : copies_.points) ++copies_.first_vertices[point + 1];
        for (std::size_t i = 0; i < points; ++i) copies_.first_vertices[i + 1] += copies_.first_vertices[i];
        std::vector<std::uint32_t> next(copies_.first_vertices.begin(), copies_.first_vertices.end() - 1);
        copies_.vertices.resize(copies_.points.size());
        for (std::size_t vertex = 0; vertex < copies_.points.size(); ++vertex) {
            copies_.vertices[next[copies_.points[vertex]]++] = static_cast<std::uint32_t>(vertex);
        }
        return {};
    }

    Result<void> add_points() {
        auto bound = bind_points(build_, avatar_, mesh_, bones_, findings_);
        if (!bound) return fail(std::move(bound.error()));
        made_.name = avatar_name() + ".mesh" + (file_.meshes.size() > 1 ? std::to_string(number_) : "");
        made_.vertex_count = static_cast<std::uint32_t>(copies_.points.size());
        if (made_.vertex_count == 0) return {};
        add_vertices(build_, avatar_, mesh_, copies_, *bound, made_, findings_);
        return add_weights(build_, avatar_, copies_, *bound, path(), made_).map([&](bool skinned) {
            skinned_ = skinned;
        });
    }

    /// From morph vectors to the space of the mesh.
    [[nodiscard]] glm::dmat3 head_frame() {
        if (mesh_.morph_targets.empty()) return glm::dmat3(1);
        const std::size_t head = avatar_.find("HEAD");
        if (head == avatar_.no_bone()) {
            build_.note(codes::arp_head, "bones",
                        "There is no bone HEAD, whose frame the morph targets are in: they are taken to be in that of "
                        "the model.");
            return glm::dmat3(1);
        }
        const glm::dmat3 quarter_turn(0, -1, 0, 1, 0, 0, 0, 0, 1);  // by -90 degrees about z
        return bones_[head].rotation * quarter_turn;
    }

    [[nodiscard]] std::string avatar_name() const { return build_.scene.nodes[avatar_.root].name; }

    void note(std::uint64_t count, const Code& code, std::string_view message = {}) {
        build_.note_any(count, code, path(), message);
    }

    void report() {
        build_.note_any(findings_.unknown_bones, codes::skin_node.as(Severity::warning), path(),
                        "Points hang on bones that do not exist; these links are left out.");
        note(findings_.bad_weights, codes::skin_weight, "Weights that are negative or not finite are left out.");
        note(findings_.loose, codes::arp_point_loose.as(Severity::warning),
             "Points that hang on no bone follow the first one.");
        note(findings_.not_finite, codes::not_finite_replaced,
             "Points whose place is not finite are put to the origin.");
        note(findings_.bad_normals, codes::normal_repaired, "Normals of no length become those of their faces.");
        note(findings_.bad_duplicates, codes::arp_duplicate_range.as(Severity::warning),
             "Duplicates of points that do not exist become duplicates of the first one.");
        note(findings_.no_texcoords, codes::texture_coordinates,
             "Vertices have no texture coordinates; they get 0, or if none has any, the mesh has no texture.");
        note(findings_.astray, codes::triangle_index, "Triangles of vertices that do not exist are left out.");
        report_losses();
    }

    /// What is sound and has no place in glTF.
    void report_losses() {
        note(findings_.weightless, codes::arp_weight_zero, "Links without weight, which hold nothing, are left out.");
        note(findings_.scaled, codes::arp_weight_sum,
             "Weights of points that do not add up to 1 are scaled until they do.");
        note(findings_.distances, codes::arp_distance,
             "Links' distances along the bone that are not those of their offsets are not kept; they count for the "
             "twist of arms only.");
        if (findings_.normals_apart != 0) {
            build_.note(codes::arp_normals_apart, path(),
                        "The links of points with several have different normals at the bind: glTF has their mean.",
                        std::to_string(findings_.normals_apart) + " points, worst " +
                            number_text(static_cast<double>(narrow(findings_.worst_normal))) + " degrees");
        }
        if (!mesh_.points.neighbour_counts.empty() || !mesh_.list_counts.empty()) {
            build_.note(codes::arp_neighbours, path());
        }
        const std::size_t vertices = copies_.points.size();
        note(mesh_.texcoords.size() - std::min(mesh_.texcoords.size(), vertices),
             codes::arp_texcoord_count.as(Severity::warning),
             "Texture coordinates of vertices that do not exist are left out.");
    }

    void place() {
        if (made_.primitives.empty() || made_.primitives.front().indices.empty()) {
            build_.note(codes::mesh_empty, path(), "The mesh has no triangles; it is left out.");
            return;
        }
        set_record(made_.extras, std::move(extras_));
        placed_.node = build_.add_node(made_.name, no_index);
        Node& node = build_.scene.nodes[placed_.node];
        node.mesh = static_cast<Index>(build_.scene.meshes.size());
        if (skinned_) node.skin = add_skin(build_, avatar_, bones_, bind_, made_.name);
        build_.scene.meshes.push_back(std::move(made_));
        if (!avatar_.meshes.empty()) {
            node.hidden = true;
            build_.scene.nodes[avatar_.meshes.front().node].lods.push_back(placed_.node);
        }
        avatar_.meshes.push_back(std::move(placed_));
    }

    Build& build_;
    Avatar& avatar_;
    const File& file_;
    const Mesh& mesh_;
    std::size_t number_;
    Bind bind_;
    std::vector<BoundBone> bones_;
    Copies copies_;
    MeshFindings findings_;
    effigy::Mesh made_;
    PlacedMesh placed_;
    Json extras_;
    bool skinned_ = false;
};

}  // namespace

Result<void> add_meshes(Build& build, Avatar& avatar) {
    const std::size_t count = avatar.file->meshes.size();
    std::size_t first = 0, end = count;
    if (build.options.lod >= 0 && count > 0) {
        const auto wanted = static_cast<std::size_t>(build.options.lod);
        first = std::min(wanted, count - 1);
        end = first + 1;
        if (first != wanted) {
            build.note(codes::lod_other, "meshes",
                       "The avatar lacks the level of detail that was asked for; its coarsest one is shown.",
                       std::to_string(wanted), "at most " + std::to_string(first));
        }
    }
    for (std::size_t number = first; number < end; ++number) {
        if (auto added = MeshBuilder(build, avatar, number).add(); !added) return added;
    }
    return {};
}

}  // namespace effigy::arp::bridge
