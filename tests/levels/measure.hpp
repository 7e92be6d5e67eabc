#pragma once
/// What is true of levels of detail, computed the plain way.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::test {

[[nodiscard]] std::size_t triangles_of(const Mesh& mesh);
/// Triangles that look the other way than the sum of their vertices' normals.
[[nodiscard]] std::size_t turned_over(const Mesh& mesh);
/// Edges with a triangle on one side only, by the places of their ends.
[[nodiscard]] std::vector<std::pair<Vec3, Vec3>> open_edges(const Mesh& mesh);
/// Edges that more than two triangles have, likewise.
[[nodiscard]] std::size_t crowded_edges(const Mesh& mesh);
/// The first vertex of `level` that is none of the mesh's, with all attributes; empty if there is none.
[[nodiscard]] std::string strange_vertex(const Mesh& mesh, const Mesh& level);
/// The largest distance of a vertex or a triangle's middle to the other mesh, either way, each looked at on its own.
[[nodiscard]] double plain_distance(const Mesh& a, const Mesh& b);

}  // namespace effigy::test
