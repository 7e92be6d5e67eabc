#pragma once
/// Meshes of simple shapes, for levels of detail.

#include <cstdint>
#include <functional>
#include <string>

#include "effigy/scene.hpp"

namespace effigy::test {

struct Corner {
    Vec3 position, normal;
    Vec2 texcoord;
    Color color{1, 1, 1, 1};
};

/// A mesh of places on a sheet, `at` says where each is: u and v run from 0 to 1. Triangles are wound so that the
/// normals of a sheet in x and y look along +Z.
[[nodiscard]] Mesh sheet(std::uint32_t columns, std::uint32_t rows, const std::function<Corner(double u, double v)>& at,
                         bool with_colors = false);

[[nodiscard]] Mesh sphere(std::uint32_t rows, double bumps = 0);  ///< closed, with a seam of its texture
[[nodiscard]] Mesh cylinder(std::uint32_t columns);               ///< open at both ends, likewise
[[nodiscard]] Mesh grid(std::uint32_t side, double waves = 0);    ///< from 0 to 1 in x and y
/// What is right of the middle of a grid gets a primitive of its own, which has the border's vertices again.
[[nodiscard]] Mesh in_two_materials(const Mesh& grid);
/// Each triangle gets vertices of its own with its own normal.
[[nodiscard]] Mesh with_flat_faces(const Mesh& mesh);
/// A tube along x from 0 to 2 whose weights go from one joint to the other.
[[nodiscard]] Scene skinned_tube(std::uint32_t columns);

/// One node with it.
[[nodiscard]] Scene scene_of(Mesh mesh, const std::string& name = "hull");
/// Another node.
Index add_node(Scene& scene, const std::string& name, Index mesh);

}  // namespace effigy::test
