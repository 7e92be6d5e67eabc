#pragma once
/// What is measured of two scenes, by names: nodes' numbers are others afterwards.

#include <map>
#include <string>

#include "effigy/scene.hpp"

namespace effigy::blender_test {

/// What nodes there are that are no mesh's own, each with its parent's name.
[[nodiscard]] std::map<std::string, std::string> parents(const Scene& scene);

/// The largest difference between local transforms of nodes of one name: metres or the file's units, and the elements
/// of rotation and scale as a matrix.
struct Apart {
    double place = 0, turn = 0;
    std::string where;
};
[[nodiscard]] Apart rests_apart(const Scene& a, const Scene& b);

/// How far the boxes around the scene lie apart, as a part of the first one's diagonal: at rest, and at moments of each
/// clip that both have.
[[nodiscard]] double bounds_apart(const Scene& a, const Scene& b, std::size_t& clips);

/// Levels of detail of each mesh's node, and collision meshes; by name.
[[nodiscard]] std::map<std::string, std::size_t> levels(const Scene& scene);
[[nodiscard]] std::size_t collision_meshes(const Scene& scene);

}  // namespace effigy::blender_test
