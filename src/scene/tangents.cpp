/// Tangents and bitangent signs computed from normals and texture coordinates.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"
#include "effigy/scene_codes.hpp"
#include "effigy/textures.hpp"

#include "bridge.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "material_slots.hpp"
#include "triangles.hpp"
#include "validate.hpp"
#include "wide_math.hpp"

namespace effigy {
namespace {

/// Below this share of their weight, the directions that meet at a vertex cancel each other out.
constexpr double min_share = 1e-4;

bool has_direction(const glm::dvec3& v) { return v != glm::dvec3(0); }

/// Empty unless the mesh has this attribute, as three floats for each vertex.
std::span<const Vec3> find_vectors(const Mesh& mesh, Semantic semantic) {
    const Attribute* attribute = find_attribute(mesh, semantic);
    if (attribute == nullptr || attribute->data.element != ElementType::vec3 ||
        attribute->data.component != ComponentType::f32) {
        return {};
    }
    const std::span<const Vec3> vectors = attribute->data.as<Vec3>();
    return vectors.size() == mesh.vertex_count ? vectors : std::span<const Vec3>();
}

bool has_texcoords(const Mesh& mesh, std::uint32_t set) {
    const Attribute* const attribute = find_attribute(mesh, Semantic::texcoord, set);
    return attribute != nullptr && element_fits(Semantic::texcoord, attribute->data.element) &&
           type_fits(Semantic::texcoord, attribute->data);
}

/// Directions in which u and v grow, summed over the corners at a vertex.
struct Gradient {
    glm::dvec3 along_u{0};
    glm::dvec3 along_v{0};
    double weight = 0;
};

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

/// Each corner weighs as much as its angle, so that the way in which a surface is cut into triangles does not show.
void add_triangle(const std::array<std::size_t, 3>& corners, std::span<const Vec3> positions,
                  const FloatView& texcoords, std::span<Gradient> gradients) {
    std::array<glm::dvec3, 3> p{};
    std::array<glm::dvec2, 3> uv{};
    for (std::size_t i = 0; i < 3; ++i) {
        p[i] = wide(positions[corners[i]]);
        uv[i] = {texcoords[corners[i]][0], texcoords[corners[i]][1]};
    }
    const glm::dvec3 edge1 = p[1] - p[0];
    const glm::dvec3 edge2 = p[2] - p[0];
    const glm::dvec2 uv1 = uv[1] - uv[0];
    const glm::dvec2 uv2 = uv[2] - uv[0];
    const double uv_area = uv1.x * uv2.y - uv2.x * uv1.y;
    if (!std::isfinite(uv_area) || uv_area == 0 || !has_direction(direction_of(glm::cross(edge1, edge2)))) return;

    const double sign = uv_area < 0 ? -1 : 1;
    const glm::dvec3 along_u = direction_of((edge1 * uv2.y - edge2 * uv1.y) * sign);
    const glm::dvec3 along_v = direction_of((edge2 * uv1.x - edge1 * uv2.x) * sign);
    if (!has_direction(along_u) || !has_direction(along_v)) return;
    for (std::size_t i = 0; i < 3; ++i) {
        const double angle = angle_between(p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
        Gradient& gradient = gradients[corners[i]];
        gradient.along_u += along_u * angle;
        gradient.along_v += along_v * angle;
        gradient.weight += angle;
    }
}

void add_primitive(const Primitive& primitive, std::span<const Vec3> positions, const FloatView& texcoords,
                   std::span<Gradient> gradients) {
    if (std::uint64_t{primitive.first_vertex} + primitive.vertex_count > positions.size()) return;
    for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (std::max({a, b, c}) >= primitive.vertex_count) return;
        const std::size_t first = primitive.first_vertex;
        add_triangle({first + a, first + b, first + c}, positions, texcoords, gradients);
    });
}

glm::dvec3 any_orthogonal(const glm::dvec3& normal) {
    const glm::dvec3 axis = std::abs(normal.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return direction_of(axis - normal * glm::dot(normal, axis));
}

/// The part of a sum of directions that lies in the surface, or zero if nothing certain is left of it.
glm::dvec3 direction_in_surface(const glm::dvec3& sum, double weight, const glm::dvec3& normal) {
    if (!(glm::length(sum) > weight * min_share)) return glm::dvec3(0);
    const glm::dvec3 whole = direction_of(sum);
    const glm::dvec3 part = whole - normal * glm::dot(normal, whole);
    return glm::length(part) > min_share ? direction_of(part) : glm::dvec3(0);
}

struct Tangent {
    Vec4 value;
    bool is_arbitrary = false;
};

Tangent make_tangent(const Gradient& gradient, const glm::dvec3& normal) {
    const glm::dvec3 up = direction_in_surface(-gradient.along_v, gradient.weight, normal);
    glm::dvec3 tangent = direction_in_surface(gradient.along_u, gradient.weight, normal);
    // On the seam of a mirrored texture u runs both ways, but v is still good.
    if (!has_direction(tangent)) tangent = direction_of(glm::cross(up, normal));
    const bool is_arbitrary = !has_direction(tangent);
    if (is_arbitrary) tangent = any_orthogonal(normal);
    const double side = glm::dot(glm::cross(normal, tangent), up);
    return {{static_cast<float>(tangent.x), static_cast<float>(tangent.y), static_cast<float>(tangent.z),
             side < 0 ? -1.0f : 1.0f},
            is_arbitrary};
}

/// What a mesh lacks so that a normal map could be used on it.
enum class Lack : std::uint8_t { nothing, texcoords, normals };

class Generator {
public:
    explicit Generator(Scene& scene) : scene_(scene), keeps_normal_map_(scene.materials.size()) {}

    Report run() {
        for (std::size_t m = 0; m < scene_.meshes.size(); ++m) visit(m);
        report_generated();
        drop_normal_maps();
        return std::move(report_);
    }

private:
    struct Place {
        std::size_t mesh;
        std::size_t primitive;
    };

    /// The slot of a primitive's normal map, if it has one.
    const TextureSlot* normal_map_of(const Primitive& primitive) const {
        if (primitive.material >= scene_.materials.size()) return nullptr;
        const TextureSlot& slot = scene_.materials[primitive.material].normal_texture;
        return slot.used() ? &slot : nullptr;
    }

    static Lack find_lack(const Mesh& mesh, std::uint32_t set, bool has_tangents) {
        if (has_tangents) {
            return find_attribute(mesh, Semantic::texcoord, set) != nullptr ? Lack::nothing : Lack::texcoords;
        }
        if (!has_texcoords(mesh, set)) return Lack::texcoords;
        const bool has_frame =
            !find_vectors(mesh, Semantic::position).empty() && !find_vectors(mesh, Semantic::normal).empty();
        return has_frame ? Lack::nothing : Lack::normals;
    }

    void visit(std::size_t mesh_index) {
        const Mesh& mesh = scene_.meshes[mesh_index];
        const bool has_tangents = find_attribute(mesh, Semantic::tangent) != nullptr;
        const Primitive* first_able = nullptr;
        bool is_reported = false;
        for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
            const TextureSlot* slot = normal_map_of(mesh.primitives[p]);
            if (slot == nullptr) continue;
            const Lack lack = find_lack(mesh, slot->texcoord, has_tangents);
            if (lack == Lack::nothing) {
                keeps_normal_map_[mesh.primitives[p].material] = true;
                if (first_able == nullptr) first_able = &mesh.primitives[p];
                continue;
            }
            unable_.push_back({mesh_index, p});
            if (!std::exchange(is_reported, true)) report_lack({mesh_index, p}, lack);
        }
        if (first_able != nullptr && !has_tangents) generate(mesh_index, *first_able);
    }

    void generate(std::size_t mesh_index, const Primitive& first_able) {
        Mesh& mesh = scene_.meshes[mesh_index];
        const std::span<const Vec3> positions = find_vectors(mesh, Semantic::position);
        const std::span<const Vec3> normals = find_vectors(mesh, Semantic::normal);
        const std::uint32_t usual_set = normal_map_of(first_able)->texcoord;

        std::vector<Gradient> gradients(mesh.vertex_count);
        std::map<std::uint32_t, FloatView> views;
        for (const Primitive& primitive : mesh.primitives) {
            const TextureSlot* slot = normal_map_of(primitive);
            const std::uint32_t set = slot != nullptr ? slot->texcoord : usual_set;
            if (!has_texcoords(mesh, set)) continue;
            if (!views.contains(set)) views.try_emplace(set, mesh, Semantic::texcoord, set);
            add_primitive(primitive, positions, views.at(set), gradients);
        }

        Attribute attribute;
        attribute.semantic = Semantic::tangent;
        attribute.data.element = ElementType::vec4;
        attribute.data.bytes.resize(gradients.size() * sizeof(Vec4));
        const std::span<Vec4> tangents = attribute.data.as<Vec4>();
        std::size_t arbitrary_count = 0;
        for (std::size_t v = 0; v < gradients.size(); ++v) {
            const Tangent tangent = make_tangent(gradients[v], direction_of(wide(normals[v])));
            tangents[v] = tangent.value;
            if (tangent.is_arbitrary) ++arbitrary_count;
        }
        generated_.add(mesh.name);
        arbitrary_ += arbitrary_count;
        const bool untouched = mesh.extras.hash != 0 && mesh.extras.hash == hash_of(mesh);
        mesh.attributes.push_back(std::move(attribute));
        if (untouched) mesh.extras.hash = hash_of(mesh);
    }

    /// A normal map without tangents or texture coordinates is not valid glTF, so these primitives get a material
    /// that has none. Materials that are good elsewhere stay as they are, and a copy is made.
    void drop_normal_maps() {
        const std::vector<bool> unused_before = find_unused_images(scene_);
        std::map<Index, Index> replacements;
        for (const Place& place : unable_) {
            Primitive& primitive = scene_.meshes[place.mesh].primitives[place.primitive];
            const auto [entry, is_new] = replacements.try_emplace(primitive.material, primitive.material);
            if (is_new && keeps_normal_map_[primitive.material]) {
                entry->second = static_cast<Index>(scene_.materials.size());
                Material copy = scene_.materials[primitive.material];
                scene_.materials.push_back(std::move(copy));
            }
            primitive.material = entry->second;
            scene_.materials[primitive.material].normal_texture = {};
        }
        std::vector<bool> orphans = find_unused_images(scene_);
        for (std::size_t i = 0; i < orphans.size(); ++i) orphans[i] = orphans[i] && !unused_before[i];
        remove_images(scene_, orphans);
    }

    void report(const Code& code, std::string path, std::string message, std::string found = {}) {
        report_.add(problem_at(std::move(path), code, std::move(message), std::move(found)));
    }

    void report_generated() {
        if (generated_.empty()) return;
        const std::string some = "; " + std::to_string(arbitrary_) + " vertices have no texture direction and got any";
        report(codes::tangents_generated, "meshes",
               "meshes have no tangents for the normal maps of their materials: they were computed from the texture "
               "coordinates",
               generated_.text() + (arbitrary_ == 0 ? std::string() : some));
    }

    void report_lack(const Place& place, Lack lack) {
        const Mesh& mesh = scene_.meshes[place.mesh];
        const Material& material = scene_.materials[mesh.primitives[place.primitive].material];
        const std::string set = std::to_string(material.normal_texture.texcoord);
        const bool lacks_texcoords = lack == Lack::texcoords;
        report(lacks_texcoords ? codes::normal_map_without_uv : codes::normal_map_without_normals,
               element_path("meshes", place.mesh) + " / " + element_path("primitives", place.primitive),
               "the mesh '" + mesh.name + "' has no usable " +
                   (lacks_texcoords ? "texture coordinates (set " + set + ")" : std::string("positions and normals")) +
                   " for the normal map of the material '" + material.name + "': it is drawn without the normal map");
    }

    Scene& scene_;
    std::vector<bool> keeps_normal_map_;  ///< materials with a mesh that can use their normal map
    std::vector<Place> unable_;           ///< primitives that cannot use their normal map
    NameList generated_;
    std::uint64_t arbitrary_ = 0;  ///< vertices whose tangent has any direction
    Report report_;
};

}  // namespace

Report generate_missing_tangents(Scene& scene) {
    const KeepMaterials keep(scene);
    return Generator(scene).run();
}

}  // namespace effigy
