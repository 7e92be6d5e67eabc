#pragma once
/// Groups on their way to meshes.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.hpp"
#include "scene/attributes.hpp"
#include "scene/triangles.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

/// A group as far as its parts exist.
struct DrawnGroup {
    std::size_t number = 0;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::uint32_t first_index = no_indices, element_count = 0;
    std::uint64_t blend = 0;  ///< where its bytes begin in File::blend
    bool has_blend = false;   ///< they are there
    Topology topology = Topology::triangles;
    std::string_view shader;  ///< raw

    [[nodiscard]] bool indexed() const noexcept { return first_index != no_indices; }
};

/// One group in one level of detail.
struct Piece {
    const DrawnGroup* group = nullptr;
    std::uint32_t first_vertex = 0;  ///< in the mesh
};

struct Level {
    std::uint32_t number = 0;
    std::optional<std::size_t> lod;   ///< record in the file
    std::vector<std::size_t> groups;  ///< of the file, drawn or not
    std::vector<Piece> pieces;
    std::uint32_t vertex_count = 0;
    bool skinned = false;
    bool needs_still = false;  ///< some of its vertices follow no influence
};

/// What is drawn of a model.
struct Geometry {
    std::vector<std::optional<DrawnGroup>> groups;  ///< for each of the file's
    std::vector<Level> levels;                      ///< those that are shown, the finest first
};

/// Memory for all that will be built is taken. (to_scene/groups.cpp)
[[nodiscard]] Result<Geometry> plan_geometry(Build& build, const Model& model);

/// What was found wrong with the vertices and elements of a model.
struct MeshFindings {
    std::uint64_t not_finite = 0;
    std::uint64_t bad_normals = 0;
    std::uint64_t bad_tangents = 0;
    std::uint64_t heavy = 0;       ///< vertices whose weights are more than 1
    std::uint64_t many = 0;        ///< vertices with more than four joints
    std::uint64_t repeated = 0;    ///< influences that name a vertex's joint again
    std::uint64_t bad_blend = 0;   ///< vertices whose palette has no such place
    std::uint64_t astray = 0;      ///< elements that are no vertices of their group
    std::uint64_t incomplete = 0;  ///< elements that are left over
};

// to_scene/vertices.cpp
/// The group's elements as indices of its vertices, in the file's order, without those that cannot be drawn.
[[nodiscard]] Bulk<std::uint32_t> elements_of(const File& file, const DrawnGroup& group, MeshFindings& findings);
/// Calls `take(a, b, c)` with places in the mesh for each triangle.
template <class Take>
void each_triangle(const Primitive& primitive, Take&& take) {
    const std::uint32_t first = primitive.first_vertex;
    for_each_triangle(
        primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) { take(first + a, first + b, first + c); });
}

/// Calls `take(place in the mesh, place in the file)` for each vertex.
template <class Take>
void each_vertex(const Level& level, Take&& take) {
    for (const Piece& piece : level.pieces) {
        for (std::uint32_t i = 0; i < piece.group->vertex_count; ++i) {
            take(std::size_t{piece.first_vertex} + i, std::size_t{piece.group->first_vertex} + i);
        }
    }
}

/// The elements of a mesh's attribute; empty if it has none.
template <class T>
[[nodiscard]] std::span<T> elements(Mesh& mesh, Semantic semantic) {
    for (Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == semantic) return attribute.data.as<T>();
    }
    return {};
}

/// For and against something that is inferred.
struct Vote {
    std::uint64_t agree = 0, contradict = 0;
    void count(double value) noexcept {
        if (value > 0) ++agree;
        if (value < 0) ++contradict;
    }
    /// At least nine of ten, of at least eight.
    [[nodiscard]] bool is_contradicted() const noexcept { return agree + contradict >= 8 && contradict >= 9 * agree; }
    [[nodiscard]] std::string text() const;
};

// to_scene/vertices.cpp
[[nodiscard]] bool is_textured(const File& file) noexcept;
/// Positions, texture coordinates, colours, and normals as they are: those of no length are zero.
void add_vertices(const File& file, const Level& level, Mesh& mesh, MeshFindings& findings);
/// Normals of no length become those of their faces. Triangles have their final winding.
void repair_normals(Mesh& mesh, MeshFindings& findings);
/// For a mesh with normals; one of points goes without.
void add_tangents(const File& file, const Level& level, Mesh& mesh, MeshFindings& findings);
/// Whether the triangles are clockwise as seen from where the normals point.
void judge_winding(Mesh& mesh, Vote& vote);
/// Whether bitangents run along -dP/dv.
void judge_bitangents(Mesh& mesh, Vote& vote);

// to_scene/weights.cpp
/// For a level that is skinned.
void add_weights(const File& file, const Joints& joints, const Level& level, Mesh& mesh, MeshFindings& findings);

// to_scene/mesh_codes.cpp
/// Codes of the level's vertices that packing its mesh again would not give back.
[[nodiscard]] Json codes_record(const File& file, const Joints& joints, const Level& level, const Mesh& mesh);

// to_scene/morphs.cpp
struct LevelMesh {
    const Level* level = nullptr;
    Mesh mesh;
};
[[nodiscard]] Result<void> add_morphs(Build& build, const Model& model, std::span<LevelMesh> meshes);

}  // namespace effigy::x42::bridge
