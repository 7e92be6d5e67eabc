/// What the meshes of one file say together, in the scene's frame.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/matrix.hpp>
#include <limits>
#include <span>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "scene/triangles.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// Where the vertices of one mesh stand at rest: under its node, or where the joints of its skin carry them.
class RestPlace {
public:
    /// `worlds` are those of all nodes; they count for skinned meshes only.
    RestPlace(const Scene& scene, const Piece& piece, const std::vector<glm::dmat4>& worlds);

    [[nodiscard]] bool is_skinned() const noexcept { return !poses_.empty(); }
    [[nodiscard]] bool moves() const noexcept { return is_skinned() || place_ != glm::dmat4(1); }
    /// Of a skin what its first vertex says: joints that nothing follows may be mirrored for their own ends.
    [[nodiscard]] bool mirrors(std::size_t vertices);
    [[nodiscard]] glm::dmat4 at(std::size_t vertex);

private:
    glm::dmat4 place_;
    std::vector<glm::dmat4> poses_;  ///< of each joint; empty: there is no skin
    InfluenceReader influences_;
};

RestPlace::RestPlace(const Scene& scene, const Piece& piece, const std::vector<glm::dmat4>& worlds)
    : place_(piece.place) {
    const Node& node = scene.nodes[piece.node];
    if (node.skin >= scene.skins.size()) return;
    const Mesh& mesh = scene.meshes[piece.mesh];
    influences_ = InfluenceReader(mesh, scene.skins[node.skin].joints.size());
    // A skinned mesh's own node counts for nothing.
    const auto root = effigy::inverse_affine(worlds[piece.node], 1e-30);
    if (influences_.empty() || !root) return;
    const Skin& skin = scene.skins[node.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
        poses_.push_back(place_ * *root * worlds[skin.joints[i]] * wide(skin.inverse_bind_matrices[i]));
}

bool RestPlace::mirrors(std::size_t vertices) {
    return glm::determinant(glm::dmat3(vertices > 0 ? at(0) : place_)) < 0;
}

glm::dmat4 RestPlace::at(std::size_t vertex) {
    if (!is_skinned()) return place_;
    glm::dmat4 sum(0);
    double total = 0;
    for (const VertexInfluence& one : influences_.all(vertex)) {
        sum += one.weight * poses_[one.joint];
        total += one.weight;
    }
    return total > 0 ? sum / total : place_;
}

class Gatherer {
public:
    Gatherer(Context& context, Geometry& geometry, Target target, const std::string& path)
        : context_(context), scene_(context.scene), geometry_(geometry), target_(target), path_(path) {}

    Result<void> add(const Piece& piece) {
        mesh_ = &scene_.meshes[piece.mesh];
        base_ = geometry_.count;
        if (find_attribute(*mesh_, Semantic::position, 0) == nullptr) return {};
        if (std::uint64_t{base_} + mesh_->vertex_count >= std::numeric_limits<std::uint32_t>::max()) {
            return fail(problem_at(path_, codes::xmf_too_many,
                                   "The meshes have more vertices than indices can count. Split the model into parts.",
                                   std::to_string(std::uint64_t{base_} + mesh_->vertex_count), "less than 4294967295"));
        }
        std::uint64_t numbers = 16;
        for (const Attribute& one : mesh_->attributes) numbers += component_count(one.data.element);
        if (auto taken = context_.take(mesh_->vertex_count, 8 * numbers, "vertices"); !taken) return taken;
        geometry_.count = base_ + mesh_->vertex_count;
        record_ = &context_.record_of_mesh(piece.mesh);
        if (const auto alpha = integer_at(*record_, "normal_alpha"); alpha && !geometry_.normal_sign)
            geometry_.normal_sign = *alpha > 127 ? 1.0f : 0.0f;
        const bool is_skinned = scene_.nodes[piece.node].skin < scene_.skins.size();
        if (is_skinned && worlds_.empty()) worlds_ = worlds_of(scene_);
        RestPlace place(scene_, piece, worlds_);
        posed_ += place.is_skinned() ? 1u : 0u;
        morphs_ += mesh_->targets.size();
        mirrored_ = place.mirrors(mesh_->vertex_count);
        add_vectors();
        add_morphs();
        if (place.moves()) {
            for (std::size_t i = 0; i < mesh_->vertex_count; ++i) move(base_ + i, place.at(i));
        }
        add_sets();
        add_customs();
        return add_triangles();
    }

    void report() {
        context_.note_any(lines_, codes::xmf_topology, path_, {}, " primitives");
        context_.note_any(posed_, codes::xmf_skin_lost, path_,
                          "The format has no skins: vertices stand where they are at rest, and nothing bends them. Cut "
                          "the model into parts that move as a whole.",
                          " meshes");
        context_.note_any(morphs_, codes::xmf_morphs_lost, path_, {}, " targets");
    }

private:
    void add_vectors() {
        const Attribute* const positions = find_attribute(*mesh_, Semantic::position, 0);
        const Attribute* const normals = find_attribute(*mesh_, Semantic::normal, 0);
        const Attribute* const tangents = normals == nullptr ? nullptr : find_attribute(*mesh_, Semantic::tangent, 0);
        geometry_.positions.resize(geometry_.count);
        if (normals != nullptr || !geometry_.normals.empty()) geometry_.normals.resize(geometry_.count);
        if (tangents != nullptr || !geometry_.tangents.empty()) geometry_.tangents.resize(geometry_.count);
        read(positions, geometry_.positions);
        repair_positions();
        if (normals != nullptr) read(normals, geometry_.normals);
        if (tangents != nullptr) read(tangents, geometry_.tangents);
    }

    /// Before anything moves them, which makes finite numbers of all.
    void repair_positions() {
        for (Vec3& p : std::span(geometry_.positions).subspan(base_)) {
            for (float* value : {&p.x, &p.y, &p.z}) {
                if (std::isfinite(*value)) continue;
                *value = 0;
                ++geometry_.not_finite;
            }
        }
    }

    template <class Vector>
    void read(const Attribute* attribute, std::vector<Vector>& out) const {
        constexpr std::size_t width = sizeof(Vector) / sizeof(float);
        const std::span<float> numbers(&out.data()[base_].x, width * mesh_->vertex_count);
        if (mesh_->vertex_count != 0) read_numbers(attribute->data, numbers, width);
    }

    /// Targets that the mesh shows at rest.
    void add_morphs() {
        for (std::size_t t = 0; t < std::min(mesh_->targets.size(), mesh_->weights.size()); ++t) {
            const MorphTarget& target = mesh_->targets[t];
            const auto weight = static_cast<double>(mesh_->weights[t]);
            if (weight == 0 || !std::isfinite(weight)) continue;
            for (std::size_t i = 0; i < target.indices.size(); ++i) {
                if (target.indices[i] >= mesh_->vertex_count) continue;
                const std::size_t vertex = std::size_t{base_} + target.indices[i];
                const auto add = [&](const Bulk<Vec3>& offsets, std::vector<Vec3>& values) {
                    if (i < offsets.size() && vertex < values.size())
                        values[vertex] = narrow(wide(values[vertex]) + weight * wide(offsets[i]));
                };
                add(target.positions, geometry_.positions);
                add(target.normals, geometry_.normals);
            }
        }
    }

    void move(std::size_t vertex, const glm::dmat4& matrix) {
        Vec3& p = geometry_.positions[vertex];
        p = narrow(glm::dvec3(matrix * glm::dvec4(wide(p), 1)));
        const glm::dmat3 linear(matrix);
        const double volume = glm::determinant(linear);
        const bool flat = std::fabs(volume) < 1e-30;
        if (!geometry_.normals.empty()) {
            Vec3& n = geometry_.normals[vertex];
            n = narrow(direction_of((flat ? linear : glm::transpose(glm::inverse(linear))) * wide(n)));
        }
        if (geometry_.tangents.empty()) return;
        Vec4& t = geometry_.tangents[vertex];
        const Vec3 along = narrow(direction_of(linear * glm::dvec3(t.x, t.y, t.z)));
        t = {along.x, along.y, along.z, volume < 0 ? -t.w : t.w};
    }

    // --- sets and custom attributes

    void add_sets() {
        for (std::uint32_t set = 0; set < 256; ++set) {
            const Attribute* const found = find_attribute(*mesh_, Semantic::texcoord, set);
            if (found == nullptr) {
                if (set >= geometry_.texcoords.size()) break;
                geometry_.texcoords[set].resize(geometry_.count);
                continue;
            }
            if (set >= geometry_.texcoords.size()) geometry_.texcoords.resize(set + 1);
            std::vector<Vec2>& out = geometry_.texcoords[set];
            out.resize(geometry_.count);
            read(found, out);
        }
        // Sets with gaps.
        for (std::vector<Vec2>& set : geometry_.texcoords) set.resize(geometry_.count);
    }

    void add_customs() {
        for (const Attribute& one : mesh_->attributes) {
            if (one.semantic == Semantic::custom) add_custom(one, one.custom_name, component_count(one.data.element));
        }
        // The format's own masks count more than what a viewer was to show.
        for (const Attribute& one : mesh_->attributes) {
            if (one.semantic == Semantic::color) add_custom(one, color_name(one.set), 4);
        }
        for (auto& [name, custom] : geometry_.customs) {
            if (custom.values.size() < geometry_.count * custom.width) fill(name, custom);
        }
    }

    std::string color_name(std::uint32_t set) const {
        const Json* const numbers = member(*record_, "colors");
        std::uint64_t number = set;
        if (numbers != nullptr && numbers->is_array() && set < numbers->size() && (*numbers)[set].is_number_unsigned())
            number = (*numbers)[set].get<std::uint64_t>();
        return "_COLOR_" + std::to_string(number);
    }

    /// Vertices without the attribute, which others have.
    void fill(const std::string& name, Geometry::Custom& custom, std::size_t count) const {
        const std::size_t from = custom.values.size();
        custom.values.resize(count * custom.width);
        const auto set = custom.width == 4 ? color_number(name) : std::nullopt;
        if (!set) return;
        const Vec4 color = default_color(*set, target_);
        const std::array<float, 4> numbers{color.x, color.y, color.z, color.w};
        for (std::size_t i = from; i < custom.values.size(); ++i) custom.values[i] = numbers[i % 4];
    }
    void fill(const std::string& name, Geometry::Custom& custom) const { fill(name, custom, geometry_.count); }

    void add_custom(const Attribute& attribute, const std::string& name, std::size_t width) {
        if (width > 4 || name.empty()) return;
        // Colours may come without alpha, which is dirt: those are clean.
        if (name.starts_with("_COLOR_") && width == 3) width = 4;
        const auto [place, is_new] = geometry_.customs.try_emplace(name);
        Geometry::Custom& custom = place->second;
        if (is_new) custom.width = width;
        if (custom.width != width || custom.values.size() == geometry_.count * width) return;
        if (base_ != 0) fill(name, custom, base_);
        custom.values.resize(geometry_.count * width, 0.0f);
        read_numbers(attribute.data, std::span(custom.values).subspan(base_ * width), width);
    }

    // --- triangles

    Result<void> add_triangles() {
        for (const Primitive& primitive : mesh_->primitives) {
            if (!has_triangles(primitive.topology)) {
                ++lines_;
                continue;
            }
            if (auto taken = context_.take(3 * std::uint64_t{primitive.indices.size()}, 8, "indices"); !taken)
                return taken;
            const std::size_t before = geometry_.indices.size();
            const std::uint64_t first = std::uint64_t{base_} + primitive.first_vertex;
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                if (first + std::max({a, b, c}) >= geometry_.count) return;
                const auto corner = [&](std::uint32_t index) { return static_cast<std::uint32_t>(first + index); };
                geometry_.indices.push_back(corner(a));
                geometry_.indices.push_back(corner(mirrored_ ? c : b));
                geometry_.indices.push_back(corner(mirrored_ ? b : c));
            });
            if (geometry_.indices.size() > std::numeric_limits<std::uint32_t>::max()) {
                return fail(problem_at(path_, codes::xmf_too_many,
                                       "The mesh has more indices than the format can count.",
                                       std::to_string(geometry_.indices.size()), "at most 4294967295"));
            }
            const auto count = static_cast<std::uint32_t>(geometry_.indices.size() - before);
            if (count != 0) geometry_.ranges.push_back({primitive.material, {}, count});
        }
        return {};
    }

    Context& context_;
    const Scene& scene_;
    Geometry& geometry_;
    Target target_;
    const std::string& path_;
    const Mesh* mesh_ = nullptr;
    const Json* record_ = nullptr;
    std::uint32_t base_ = 0;
    bool mirrored_ = false;
    std::vector<glm::dmat4> worlds_;
    std::uint64_t lines_ = 0, posed_ = 0, morphs_ = 0;
};

}  // namespace

std::uint64_t Geometry::vertex_size() const noexcept {
    std::uint64_t size = sizeof(Vec3) + sizeof(Vec2) * texcoords.size();
    if (!normals.empty()) size += sizeof(Vec3);
    if (!tangents.empty()) size += sizeof(Vec4);
    for (const auto& [name, custom] : customs) size += sizeof(float) * custom.width;
    return size;
}

Result<Geometry> gather(Context& context, const std::vector<Piece>& pieces, Target target, bool reports,
                        const std::string& path) {
    Geometry geometry;
    Gatherer gatherer(context, geometry, target, path);
    for (const Piece& piece : pieces) {
        if (piece.mesh >= context.scene.meshes.size() || piece.node >= context.scene.nodes.size()) continue;
        if (auto added = gatherer.add(piece); !added) return fail(std::move(added.error()));
    }
    if (reports) gatherer.report();
    return geometry;
}

}  // namespace effigy::egosoft::bridge
