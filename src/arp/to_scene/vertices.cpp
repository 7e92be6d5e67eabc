/// Vertices of a mesh, and its triangles. Rules: docs/conversion/arp.md, "Meshes".

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "arp/file/texture_image.hpp"
#include "arp/to_scene/meshes.hpp"
#include "scene/attributes.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

class VertexBuilder {
public:
    VertexBuilder(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies, const BoundPoints& bound,
                  effigy::Mesh& made, MeshFindings& findings)
        : build_(build),
          avatar_(avatar),
          mesh_(mesh),
          copies_(copies),
          bound_(bound),
          made_(made),
          findings_(findings) {}

    void add() {
        Primitive& primitive = made_.primitives.emplace_back();
        primitive.vertex_count = made_.vertex_count;
        primitive.material = avatar_.material;
        primitive.indices = triangles();
        const auto positions = add_attribute<Vec3>(made_, Semantic::position, ElementType::vec3, ComponentType::f32);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            positions[i] = narrow(bound_.positions[copies_.points[i]] * avatar_.metres);
        }
        add_normals(positions);
        add_texcoords();
        add_original_vertices();
    }

private:
    /// Joins of the strip are left out.
    [[nodiscard]] Bulk<std::uint32_t> triangles() {
        Bulk<std::uint32_t> indices;
        const auto& strip = mesh_.strip;
        for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
            const std::uint32_t a = strip[i], b = strip[i + 1], c = strip[i + 2];
            if (a == b || b == c || c == a) continue;
            if (std::max({a, b, c}) >= made_.vertex_count) {
                ++findings_.astray;
                continue;
            }
            const bool flipped = i % 2 != 0;
            indices.insert(indices.end(), {a, flipped ? c : b, flipped ? b : c});
        }
        return indices;
    }

    void add_normals(std::span<const Vec3> positions) {
        std::vector<glm::dvec3> faces;
        const auto is_zero = [](const glm::dvec3& normal) { return normal == glm::dvec3(0); };
        findings_.bad_normals =
            static_cast<std::uint64_t>(std::count_if(bound_.normals.begin(), bound_.normals.end(), is_zero));
        if (findings_.bad_normals != 0) faces = normals_of_faces(positions);
        const auto normals = add_attribute<Vec3>(made_, Semantic::normal, ElementType::vec3, ComponentType::f32);
        for (std::size_t i = 0; i < normals.size(); ++i) {
            const glm::dvec3& normal = bound_.normals[copies_.points[i]];
            normals[i] = narrow(is_zero(normal) ? faces[copies_.points[i]] : normal);
        }
    }

    /// Of each point; up, where it has no faces.
    [[nodiscard]] std::vector<glm::dvec3> normals_of_faces(std::span<const Vec3> positions) const {
        std::vector<glm::dvec3> normals(mesh_.points.size(), glm::dvec3(0));
        const Bulk<std::uint32_t>& indices = made_.primitives.front().indices;
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            const glm::dvec3 a = wide(positions[indices[i]]);
            const glm::dvec3 normal =
                glm::cross(wide(positions[indices[i + 1]]) - a, wide(positions[indices[i + 2]]) - a);
            for (std::size_t k = 0; k < 3; ++k) normals[copies_.points[indices[i + k]]] += normal;
        }
        for (glm::dvec3& normal : normals) normal = direction_of(normal, {0, 1, 0});
        return normals;
    }

    void add_texcoords() {
        const auto& stored = mesh_.texcoords;
        if (stored.empty()) {
            findings_.no_texcoords = made_.vertex_count;
            if (avatar_.material != no_index) made_.primitives.front().material = plain_material();
            return;
        }
        const bool flipped = is_flipped(*avatar_.file);
        const auto coordinates = add_attribute<Vec2>(made_, Semantic::texcoord, ElementType::vec2, ComponentType::f32);
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            if (i >= stored.size()) {
                ++findings_.no_texcoords;
                coordinates[i] = {};
                continue;
            }
            const double v = stored[i].y;
            coordinates[i] = {narrow(double{stored[i].x}), narrow(flipped ? v : 1 - v)};
        }
    }

    /// Which vertices are copies of one point. Floats hold whole numbers up to 2^24.
    void add_original_vertices() {
        constexpr std::size_t most = std::size_t{1} << 24U;
        if (copies_.points.size() == mesh_.points.size() || copies_.points.size() > most) return;
        const auto numbers = add_attribute<float>(made_, Semantic::custom, ElementType::scalar, ComponentType::f32);
        made_.attributes.back().custom_name = "_ORIGINAL_VERTEX";
        std::transform(copies_.points.begin(), copies_.points.end(), numbers.begin(),
                       [](std::uint32_t point) { return static_cast<float>(point); });
    }

    /// Without its texture, for a mesh that has no coordinates for it.
    [[nodiscard]] Index plain_material() {
        Material material = build_.scene.materials[avatar_.material];
        material.name += ".plain";
        material.base_color_texture = {};
        build_.scene.materials.push_back(std::move(material));
        return static_cast<Index>(build_.scene.materials.size() - 1);
    }

    Build& build_;
    const Avatar& avatar_;
    const Mesh& mesh_;
    const Copies& copies_;
    const BoundPoints& bound_;
    effigy::Mesh& made_;
    MeshFindings& findings_;
};

}  // namespace

void add_vertices(Build& build, const Avatar& avatar, const Mesh& mesh, const Copies& copies, const BoundPoints& bound,
                  effigy::Mesh& made, MeshFindings& findings) {
    VertexBuilder(build, avatar, mesh, copies, bound, made, findings).add();
}

}  // namespace effigy::arp::bridge
