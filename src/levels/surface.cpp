/// Meshes as surfaces, and back.

#include "levels/surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <xxhash.h>

#include "effigy/scene_access.hpp"

#include "scene/attributes.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"

namespace effigy::levels {
namespace {

constexpr std::uint32_t none = 0xffffffffu;

/// Of one wedge; further sets of coordinates and colours do not count.
constexpr std::uint64_t max_numbers = 16;
/// How far apart a difference of 1 looks, as part of the model's size.
constexpr double normal_weight = 0.02, color_weight = 0.05, texture_weight = 0.5;

/// Numbers keys in the order in which they come, equal ones alike. Keys are hashes of 64 bits.
class Numbering {
public:
    explicit Numbering(std::size_t count) {
        std::size_t size = 16;
        while (size < 2 * count) size *= 2;
        slots_.assign(size, none);
    }
    std::uint32_t number(std::uint64_t key) {
        std::size_t slot = key & (slots_.size() - 1);
        while (slots_[slot] != none && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
        if (slots_[slot] == none) {
            slots_[slot] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return slots_[slot];
    }
    [[nodiscard]] std::size_t count() const noexcept { return keys_.size(); }

private:
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint64_t> keys_;
};

bool is_shading(const Attribute& attribute) {
    return attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent ||
           attribute.custom_name.find("TANGENT") != std::string::npos;
}

bool is_color(const Attribute& attribute) {
    return attribute.semantic == Semantic::color || attribute.custom_name.starts_with("_COLOR");
}

/// The bytes that one vertex has in some of the attributes, one after the other.
class Keys {
public:
    Keys(const Mesh& mesh, bool with_shading) {
        for (const Attribute& attribute : mesh.attributes) {
            const std::size_t stride = attribute.data.stride();
            const bool is_whole = attribute.data.bytes.size() == std::size_t{mesh.vertex_count} * stride;
            if (attribute.semantic == Semantic::position || !is_whole) continue;
            if (with_shading || !is_shading(attribute)) parts_.push_back({attribute.data.bytes.data(), stride});
        }
    }
    std::uint64_t of(std::uint32_t vertex, std::uint32_t place, std::uint32_t primitive) {
        const std::array<std::uint32_t, 2> head{place, primitive};
        const auto first = std::as_bytes(std::span(head));
        bytes_.assign(first.begin(), first.end());
        for (const auto& [data, stride] : parts_)
            bytes_.insert(bytes_.end(), data + vertex * stride, data + (vertex + 1) * stride);
        return XXH3_64bits(bytes_.data(), bytes_.size());
    }

private:
    struct Part {
        const std::byte* data;
        std::size_t stride;
    };
    std::vector<Part> parts_;
    std::vector<std::byte> bytes_;
};

class Maker {
public:
    Maker(const Mesh& mesh, Detail detail) : mesh_(mesh), detail_(detail), positions_(mesh, Semantic::position) {}

    Surface make() {
        if (positions_.width() < 3) return {};
        number_places();
        add_triangles();
        finish_places();
        if (detail_ == Detail::all) {
            add_normals();
            add_values();
            add_influences();
        }
        if (surface_.normals.empty()) add_face_normals();
        return std::move(surface_);
    }

private:
    [[nodiscard]] glm::dvec3 position(std::uint32_t vertex) const {
        const auto p = positions_[vertex];
        return {p[0], p[1], p[2]};
    }

    void number_places() {
        Numbering numbers(mesh_.vertex_count);
        place_of_.resize(mesh_.vertex_count);
        for (std::uint32_t i = 0; i < mesh_.vertex_count; ++i) {
            const auto p = positions_[i];
            const std::array<float, 3> key{p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f};  // -0 is 0
            place_of_[i] = numbers.number(XXH3_64bits(key.data(), sizeof key));
            if (place_of_[i] == surface_.places.size()) surface_.places.push_back(position(i));
        }
    }

    void add_triangles() {
        std::size_t corners = 0;
        for (const Primitive& primitive : mesh_.primitives) corners += primitive.vertex_count;
        Numbering wedges(corners), looks(corners);
        Keys all(mesh_, true), plain(mesh_, false);
        for (std::uint32_t number = 0; number < mesh_.primitives.size(); ++number) {
            const Primitive& primitive = mesh_.primitives[number];
            std::vector<std::uint32_t> known(has_triangles(primitive.topology) ? primitive.vertex_count : 0, none);
            const auto wedge = [&](std::uint32_t index) {
                if (known[index] != none) return known[index];
                const std::uint32_t vertex = primitive.first_vertex + index, place = place_of_[vertex];
                const bool is_plain = detail_ == Detail::shape;
                const std::uint32_t look = is_plain ? place : looks.number(plain.of(vertex, place, number));
                known[index] = is_plain ? wedges.number(place) : wedges.number(all.of(vertex, place, number));
                if (known[index] == surface_.wedges.size()) surface_.wedges.push_back({place, look, vertex, number});
                return known[index];
            };
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                const std::uint64_t end = std::uint64_t{primitive.first_vertex} + primitive.vertex_count;
                if (std::max({a, b, c}) >= primitive.vertex_count || end > mesh_.vertex_count) return;
                const std::uint32_t first = primitive.first_vertex;
                const glm::dvec3 p = position(first + a), q = position(first + b), r = position(first + c);
                const double area = glm::length(glm::cross(q - p, r - p));
                if (area > 0 && std::isfinite(area)) surface_.triangles.push_back({wedge(a), wedge(b), wedge(c)});
            });
        }
    }

    void finish_places() {
        glm::dvec3 low(std::numeric_limits<double>::max()), high(-low);
        for (const Surface::Triangle& triangle : surface_.triangles) {
            for (const std::uint32_t wedge : triangle) {
                const glm::dvec3& p = surface_.places[surface_.wedges[wedge].place];
                low = glm::min(low, p);
                high = glm::max(high, p);
            }
        }
        if (surface_.triangles.empty()) return;
        surface_.size = largest(high - low);
        const glm::dvec3 center = (low + high) / 2.0;
        for (glm::dvec3& p : surface_.places) p = (p - center) / surface_.size;
    }

    void add_normals() {
        const FloatView view(mesh_, Semantic::normal);
        if (view.width() != 3) return;
        for (const Surface::Wedge& wedge : surface_.wedges) {
            const auto n = view[wedge.vertex];
            surface_.normals.push_back(direction_of({n[0], n[1], n[2]}));
        }
    }

    void add_face_normals() {
        std::vector<glm::dvec3> sums(surface_.places.size());
        for (const Surface::Triangle& t : surface_.triangles) {
            const auto at = [&](std::size_t corner) { return surface_.places[surface_.wedges[t[corner]].place]; };
            const glm::dvec3 area = glm::cross(at(1) - at(0), at(2) - at(0));
            for (const std::uint32_t wedge : t) sums[surface_.wedges[wedge].place] += area;
        }
        for (const Surface::Wedge& wedge : surface_.wedges) {
            const double length = glm::length(sums[wedge.place]);
            surface_.normals.push_back(length > 0 ? sums[wedge.place] / length : glm::dvec3(0));
        }
    }

    struct Painted {
        FloatView view;
        double weight;
    };

    /// How long a step of 1 in texture coordinates is on the surface.
    [[nodiscard]] double texture_scale(const FloatView& view) const {
        double area = 0, painted = 0;
        for (const Surface::Triangle& t : surface_.triangles) {
            const auto at = [&](std::size_t corner) { return surface_.places[surface_.wedges[t[corner]].place]; };
            const auto uv = [&](std::size_t corner) { return view[surface_.wedges[t[corner]].vertex]; };
            area += glm::length(glm::cross(at(1) - at(0), at(2) - at(0)));
            painted +=
                std::abs((uv(1)[0] - uv(0)[0]) * (uv(2)[1] - uv(0)[1]) - (uv(2)[0] - uv(0)[0]) * (uv(1)[1] - uv(0)[1]));
        }
        const double scale = std::sqrt(area / painted);
        return std::isfinite(scale) ? scale : 0;
    }

    void add_values() {
        std::vector<Painted> painted;
        for (const Attribute& attribute : mesh_.attributes) {
            FloatView view(&attribute);
            const std::size_t numbers = view.values().size();
            if (numbers != view.width() * mesh_.vertex_count || surface_.width + view.width() > max_numbers) continue;
            double weight = 0;
            if (attribute.semantic == Semantic::normal) weight = normal_weight;
            if (is_color(attribute)) weight = color_weight;
            if (attribute.semantic == Semantic::texcoord && view.width() == 2)
                weight = texture_weight * texture_scale(view);
            if (weight == 0) continue;
            surface_.width += view.width();
            painted.push_back({std::move(view), weight});
        }
        surface_.values.reserve(surface_.width * surface_.wedges.size());
        for (const Surface::Wedge& wedge : surface_.wedges) {
            for (const Painted& one : painted) {
                for (const float value : one.view[wedge.vertex])
                    surface_.values.push_back(std::isfinite(value) ? value * one.weight : 0);
            }
        }
    }

    void add_influences() {
        constexpr std::size_t any_joint = 65536;
        InfluenceReader reader(mesh_, any_joint);
        if (reader.empty()) return;
        for (const Surface::Wedge& wedge : surface_.wedges) {
            Surface::Influences& own = surface_.influences.emplace_back();
            std::size_t count = 0;
            double sum = 0;
            const auto heaviest = reader.heaviest(wedge.vertex, own.joints.size());
            for (const VertexInfluence& one : heaviest) sum += one.weight;
            for (const VertexInfluence& one : heaviest) {
                own.joints[count] = one.joint;
                own.weights[count++] = static_cast<float>(one.weight / sum);
            }
        }
    }

    const Mesh& mesh_;
    Detail detail_;
    FloatView positions_;
    std::vector<std::uint32_t> place_of_;
    Surface surface_;
};

/// Copies the vertices of `from` that `vertices` names.
void copy_vertices(const Accessor& from, const std::vector<std::uint32_t>& vertices, Accessor& to) {
    const std::size_t stride = from.stride();
    to.element = from.element;
    to.component = from.component;
    to.normalized = from.normalized;
    to.bytes.resize(vertices.size() * stride);
    for (std::size_t i = 0; i < vertices.size(); ++i)
        std::copy_n(from.bytes.data() + vertices[i] * stride, stride, to.bytes.data() + i * stride);
}

/// Gives a primitive vertices of its own, behind those that are in `vertices` already: the wanted ones of the mesh.
/// `numbers` are as many as the mesh has vertices.
void take_vertices(Primitive& primitive, std::vector<std::uint32_t>& numbers, std::vector<std::uint32_t>& vertices) {
    std::vector<std::uint32_t> used(primitive.indices.begin(), primitive.indices.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (std::uint32_t i = 0; i < used.size(); ++i) numbers[used[i]] = i;
    for (std::uint32_t& index : primitive.indices) index = numbers[index];
    primitive.first_vertex = static_cast<std::uint32_t>(vertices.size());
    primitive.vertex_count = static_cast<std::uint32_t>(used.size());
    vertices.insert(vertices.end(), used.begin(), used.end());
}

}  // namespace

std::uint64_t memory_for(const Mesh& mesh) noexcept {
    std::uint64_t wedges = 0, triangles = 0, numbers = 0;
    for (const Primitive& primitive : mesh.primitives) {
        wedges += primitive.vertex_count;
        triangles += triangle_count(primitive);
    }
    for (const Attribute& attribute : mesh.attributes) {
        const bool counts = attribute.semantic == Semantic::normal || attribute.semantic == Semantic::texcoord;
        if (counts || is_color(attribute)) numbers += component_count(attribute.data.element);
    }
    constexpr std::uint64_t of_place = 180, of_wedge = 200, of_number = 40, of_triangle = 60;
    return std::uint64_t{mesh.vertex_count} * of_place +
           wedges * (of_wedge + of_number * std::min(numbers, max_numbers)) + triangles * of_triangle;
}

Surface make_surface(const Mesh& mesh, Detail detail) { return Maker(mesh, detail).make(); }

Mesh mesh_of(const Mesh& mesh, const Surface& surface, const std::vector<Surface::Triangle>& triangles) {
    std::vector<Primitive> primitives(mesh.primitives.size());
    for (const Surface::Triangle& triangle : triangles) {
        for (const std::uint32_t wedge : triangle)
            primitives[surface.wedges[wedge].primitive].indices.push_back(surface.wedges[wedge].vertex);
    }
    Mesh made;
    std::vector<std::uint32_t> vertices, numbers(mesh.vertex_count);
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& old = mesh.primitives[i];
        Primitive& primitive = primitives[i];
        if (!has_triangles(old.topology)) {
            primitive = old;
            for (std::uint32_t& index : primitive.indices) index += old.first_vertex;
            for (std::uint32_t index = 0; old.indices.empty() && index < old.vertex_count; ++index)
                primitive.indices.push_back(old.first_vertex + index);
        }
        const bool is_whole = std::all_of(primitive.indices.begin(), primitive.indices.end(),
                                          [&](std::uint32_t index) { return index < mesh.vertex_count; });
        if (primitive.indices.empty() || !is_whole) continue;
        primitive.material = old.material;
        take_vertices(primitive, numbers, vertices);
        made.primitives.push_back(std::move(primitive));
    }
    made.vertex_count = static_cast<std::uint32_t>(vertices.size());
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.data.bytes.size() != std::size_t{mesh.vertex_count} * attribute.data.stride()) continue;
        Attribute& copy = made.attributes.emplace_back();
        copy.semantic = attribute.semantic;
        copy.set = attribute.set;
        copy.custom_name = attribute.custom_name;
        copy_vertices(attribute.data, vertices, copy.data);
    }
    return made;
}

Mesh shape_of(const Mesh& mesh, const Surface& surface, const std::vector<Surface::Triangle>& triangles) {
    Mesh made;
    Primitive primitive;
    for (const Surface::Triangle& triangle : triangles) {
        for (const std::uint32_t wedge : triangle) primitive.indices.push_back(surface.wedges[wedge].vertex);
    }
    std::vector<std::uint32_t> vertices, numbers(mesh.vertex_count);
    take_vertices(primitive, numbers, vertices);
    made.vertex_count = primitive.vertex_count;
    const auto out = add_attribute<Vec3>(made, Semantic::position, ElementType::vec3, ComponentType::f32);
    const FloatView positions(mesh, Semantic::position);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const auto p = positions[vertices[i]];
        out[i] = {p[0], p[1], p[2]};
    }
    made.primitives.push_back(std::move(primitive));
    return made;
}

}  // namespace effigy::levels
