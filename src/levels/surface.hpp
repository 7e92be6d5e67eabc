#pragma once
/// A mesh as a simplifier sees it: equal vertices are one, and places are known that several of them share.

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::levels {

/// What differs in anything at one place, or belongs to another primitive, is another wedge there. Where two meet along
/// edges is a seam.
struct Surface {
    using Triangle = std::array<std::uint32_t, 3>;  ///< wedges

    struct Wedge {
        std::uint32_t place = 0;
        std::uint32_t look = 0;       ///< equal for wedges that differ in normals and tangents only
        std::uint32_t vertex = 0;     ///< of the mesh
        std::uint32_t primitive = 0;  ///< of the mesh
    };

    struct Influences {
        std::array<std::uint32_t, 4> joints{};
        std::array<float, 4> weights{};
    };

    double size = 0;                 ///< the longest edge of the mesh's box
    std::vector<glm::dvec3> places;  ///< with that edge as their unit
    std::vector<Wedge> wedges;
    std::vector<glm::dvec3> normals;     ///< of wedges; of their faces where the mesh has none
    std::size_t width = 0;               ///< how many numbers a wedge has in `values`
    std::vector<double> values;          ///< normals, texture coordinates and colours, as far apart as they look
    std::vector<Influences> influences;  ///< of wedges; empty: there is no skin
    std::vector<Triangle> triangles;     ///< with an area
};

/// What counts of a mesh: nothing but the shape, or also what is painted on it.
enum class Detail : std::uint8_t { shape, all };

/// Bytes that a surface and its simplification take.
[[nodiscard]] std::uint64_t memory_for(const Mesh& mesh) noexcept;

[[nodiscard]] Surface make_surface(const Mesh& mesh, Detail detail);

/// The mesh with these triangles instead of its own; lines and points stay. No record comes with it, and no name.
[[nodiscard]] Mesh mesh_of(const Mesh& mesh, const Surface& surface, const std::vector<Surface::Triangle>& triangles);

/// The places of these triangles as a mesh that is nothing but a shape, in the mesh's own units.
[[nodiscard]] Mesh shape_of(const Mesh& mesh, const Surface& surface, const std::vector<Surface::Triangle>& triangles);

}  // namespace effigy::levels
