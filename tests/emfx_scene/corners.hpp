#pragma once
/// What is drawn of a scene, corner by corner, so that scenes whose vertices stand in another order can be compared.

#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <vector>

#include "effigy/scene.hpp"

namespace corners {

using namespace effigy;

struct Corner {
    glm::dvec3 position{0};  ///< in the world
    glm::dvec3 normal{0};    ///< in the mesh's space, or zero
    std::vector<Vec2> uvs;
    std::vector<glm::dvec4> colors;
    std::map<std::string, double> weights;  ///< by the joint's name
};

struct Drawn {
    std::string mesh;      ///< name of its node, without what the bridge adds
    std::string material;  ///< name, or empty
    std::string texture;   ///< of its base colour, lower case and without extension
    std::vector<Corner> corners;
};

/// Places of all nodes: at rest, or, with a seed, as if something had moved them all. Nodes of one name move alike.
[[nodiscard]] std::vector<glm::dmat4> worlds(const Scene& scene, unsigned seed = 0);

/// All primitives with triangles that the scene shows, in order.
[[nodiscard]] std::vector<Drawn> drawn(const Scene& scene, const std::vector<glm::dmat4>& worlds);

/// The largest distance between corners that belong together, as a share of the larger model; fails the test where
/// primitives, materials, weights, normals or texture coordinates do not belong together.
[[nodiscard]] double compare(const std::vector<Drawn>& a, const std::vector<Drawn>& b, bool with_normals = true);

}  // namespace corners
