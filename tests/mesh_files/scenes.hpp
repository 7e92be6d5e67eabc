#pragma once
/// Scenes with all that the writers of still meshes must cope with.

#include <string>

#include "effigy/scene.hpp"

namespace effigy::test {

/// Nodes of figure() with a mesh, in the order in which they are drawn.
namespace figure_node {
inline constexpr Index skinned = 1;   ///< joint 2 up; morphed; two UV sets; normals, tangents; materials 0 and 1
inline constexpr Index mirrored = 2;  ///< x becomes 5 - x; colours; neither normals nor UVs nor material
inline constexpr Index plain = 3;     ///< normals, no UVs; material 1
inline constexpr Index hidden = 4;
}  // namespace figure_node

/// A clip, a skin, a morph target at weight 1 and the nodes above.
[[nodiscard]] Scene figure();

/// A square in the plane z = 0, from 0 to 1, facing +z, in two primitives of one triangle each that share no vertex.
[[nodiscard]] Mesh square();

template <class Component>
[[nodiscard]] Attribute attribute(Semantic semantic, std::uint32_t set, ElementType element, ComponentType component,
                                  const std::vector<Component>& values);

/// One square for each topology, numbered 0, 1, 2, 3 round about.
[[nodiscard]] Scene squares_of_all_topologies();

}  // namespace effigy::test
