/// Triangles of a posed scene for Embree: positions, normals, tangents, texture coordinates, colours.

#include "geometry.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "effigy/core_codes.hpp"
#include "effigy/scene_access.hpp"

#include "problem.hpp"
#include "scene/triangles.hpp"
#include "vectors.hpp"

namespace effigy::render {
namespace {

/// What lies further out cannot be reckoned with in single precision (squares of distances must stay finite).
constexpr float far_out = 1e15f;

std::uint32_t surface_of(const Primitive& primitive, bool is_collision, const Surfaces& surfaces) {
    if (is_collision) return surfaces.collision();
    return std::min(primitive.material, surfaces.plain());
}

class Builder {
public:
    Builder(const playback::Poser& poser, const Surfaces& surfaces) : poser_(poser), surfaces_(surfaces) {}

    Result<Geometry> run() {
        std::uint64_t vertices = 0;
        std::uint64_t triangles = 0;
        for (const playback::PosedMesh& posed : poser_.meshes()) {
            const Mesh& mesh = mesh_of(posed);
            vertices += posed.vertices.positions.size();
            for (const Primitive& primitive : mesh.primitives) triangles += triangle_count(primitive);
            has_colors_ = has_colors_ || find_attribute(mesh, Semantic::color, 0) != nullptr;
        }
        if (vertices >= no_index || triangles >= no_index) {
            return fail(problem(codes::limit_memory, "the scene has too many vertices or triangles for a picture"));
        }
        make_room(static_cast<std::size_t>(vertices), static_cast<std::size_t>(triangles));
        for (const playback::PosedMesh& posed : poser_.meshes()) add(posed);
        geometry_.triangles.resize(triangle_count_);
        return std::move(geometry_);
    }

private:
    const Mesh& mesh_of(const playback::PosedMesh& posed) const { return poser_.scene().meshes[posed.mesh]; }

    void make_room(std::size_t vertices, std::size_t triangles) {
        const bool needs_tangents = std::any_of(surfaces_.all.begin(), surfaces_.all.end(),
                                                [](const Surface& surface) { return surface.normal_map.used(); });
        geometry_.positions.assign(vertices + 1, glm::vec3(0));
        geometry_.normals.assign(vertices, glm::vec3(0));
        if (needs_tangents) geometry_.tangents.assign(vertices, glm::vec4(0));
        geometry_.texcoords.resize(surfaces_.texcoord_sets);
        for (auto& set : geometry_.texcoords) set.assign(vertices, glm::vec2(0));
        if (has_colors_) geometry_.colors.assign(vertices, glm::vec4(1));
        geometry_.triangles.resize(triangles);
    }

    void add(const playback::PosedMesh& posed) {
        const Mesh& mesh = mesh_of(posed);
        add_vertices(posed, mesh);
        for (const Primitive& primitive : mesh.primitives) add_triangles(posed, primitive);
        vertex_count_ += posed.vertices.positions.size();
    }

    void add_vertices(const playback::PosedMesh& posed, const Mesh& mesh) {
        const playback::VertexView& view = posed.vertices;
        const std::size_t count = view.positions.size();
        std::transform(view.positions.begin(), view.positions.end(), geometry_.positions.begin() + offset(),
                       [](const Vec3& v) { return to_glm(v); });
        if (view.normals.size() == count) {
            std::transform(view.normals.begin(), view.normals.end(), geometry_.normals.begin() + offset(),
                           [](const Vec3& v) { return to_glm(v); });
        }
        if (view.tangents.size() == count && !geometry_.tangents.empty()) {
            // A mirrored mesh has its bitangents, too, on the other side of normal and tangent.
            const float side = posed.mirrored ? -1.0f : 1.0f;
            std::transform(view.tangents.begin(), view.tangents.end(), geometry_.tangents.begin() + offset(),
                           [side](const Vec4& v) { return glm::vec4(v.x, v.y, v.z, v.w * side); });
        }
        if (count == 0 || mesh.vertex_count != count) return;
        for (std::uint32_t set = 0; set < geometry_.texcoords.size(); ++set) {
            const Attribute* attribute = find_attribute(mesh, Semantic::texcoord, set);
            if (attribute != nullptr)
                read_numbers(attribute->data, std::span(&geometry_.texcoords[set][vertex_count_].x, 2 * count), 2);
        }
        const Attribute* colors = find_attribute(mesh, Semantic::color, 0);
        if (colors != nullptr) read_numbers(colors->data, std::span(&geometry_.colors[vertex_count_].x, 4 * count), 4);
    }

    void add_triangles(const playback::PosedMesh& posed, const Primitive& primitive) {
        const std::size_t count = posed.vertices.positions.size();
        if (std::uint64_t{primitive.first_vertex} + primitive.vertex_count > count) return;
        const std::uint32_t surface = surface_of(primitive, posed.collision, surfaces_);
        const auto first = static_cast<std::uint32_t>(vertex_count_ + primitive.first_vertex);
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            if (std::max({a, b, c}) >= primitive.vertex_count) return;
            Triangle triangle{first + a, first + b, first + c, surface};
            if (posed.mirrored) std::swap(triangle.b, triangle.c);
            add(triangle);
        });
    }

    void add(const Triangle& triangle) {
        for (const std::uint32_t corner : {triangle.a, triangle.b, triangle.c}) {
            const glm::vec3& p = geometry_.positions[corner];
            // Written so that NaN fails.
            if (!(std::abs(p.x) < far_out && std::abs(p.y) < far_out && std::abs(p.z) < far_out)) return;
        }
        for (const std::uint32_t corner : {triangle.a, triangle.b, triangle.c}) {
            const Vec3 position = from_glm(geometry_.positions[corner]);
            include(position);
        }
        const Surface& surface = surfaces_.all[triangle.surface];
        geometry_.has_cutouts = geometry_.has_cutouts || surface.alpha_mode != AlphaMode::opaque;
        geometry_.has_collision = geometry_.has_collision || surface.collision;
        geometry_.triangles[triangle_count_++] = triangle;
    }

    void include(const Vec3& p) {
        playback::Bounds& bounds = geometry_.bounds;
        if (bounds.empty) bounds = {p, p, false};
        bounds.low = {std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y), std::min(bounds.low.z, p.z)};
        bounds.high = {std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y), std::max(bounds.high.z, p.z)};
    }

    [[nodiscard]] std::ptrdiff_t offset() const noexcept { return static_cast<std::ptrdiff_t>(vertex_count_); }

    const playback::Poser& poser_;
    const Surfaces& surfaces_;
    Geometry geometry_;
    bool has_colors_ = false;
    std::size_t vertex_count_ = 0;
    std::size_t triangle_count_ = 0;
};

}  // namespace

Result<Geometry> make_geometry(const playback::Poser& poser, const Surfaces& surfaces) {
    return Builder(poser, surfaces).run();
}

}  // namespace effigy::render
