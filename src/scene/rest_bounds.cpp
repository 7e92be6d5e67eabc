/// Vertices of a scene at rest, for their bounds.

#include "scene/rest_bounds.hpp"

#include <vector>

#include "effigy/scene_access.hpp"

#include "scene/worlds.hpp"

namespace effigy {
namespace {

glm::dvec3 placed(const glm::dmat4& matrix, std::span<const float> p) {
    return matrix * glm::dvec4(p[0], p[1], p[2], 1);
}

/// Where a joint takes what hangs on it.
std::vector<glm::dmat4> joint_matrices(const Skin& skin, const std::vector<glm::dmat4>& worlds) {
    std::vector<glm::dmat4> matrices;
    for (std::size_t i = 0; i < skin.joints.size() && i < skin.inverse_bind_matrices.size(); ++i)
        matrices.push_back(worlds[skin.joints[i]] * wide(skin.inverse_bind_matrices[i]));
    return matrices;
}

void add_mesh(RestBounds& bounds, const Mesh& mesh, const glm::dmat4& world) {
    const FloatView positions(mesh, Semantic::position);
    for (std::size_t vertex = 0; !positions.empty() && vertex < mesh.vertex_count; ++vertex)
        bounds.add(placed(world, positions[vertex]));
}

void add_skinned_mesh(RestBounds& bounds, const Mesh& mesh, const std::vector<glm::dmat4>& joints) {
    const FloatView positions(mesh, Semantic::position);
    InfluenceReader influences(mesh, joints.size());
    for (std::size_t vertex = 0; !positions.empty() && vertex < mesh.vertex_count; ++vertex) {
        glm::dvec3 sum(0);
        double weights = 0;
        for (const VertexInfluence& influence : influences.all(vertex)) {
            sum += influence.weight * placed(joints[influence.joint], positions[vertex]);
            weights += influence.weight;
        }
        bounds.add(sum / weights);
    }
}

}  // namespace

std::optional<RestBounds> rest_bounds(const Scene& scene) {
    const std::vector<glm::dmat4> worlds = rest_worlds(scene);
    RestBounds bounds;
    const std::vector<bool> hidden = hidden_nodes(scene);
    for (const Index number : parents_first(scene)) {
        const Node& node = scene.nodes[number];
        if (node.mesh == no_index || hidden[number]) continue;
        const Mesh& mesh = scene.meshes[node.mesh];
        if (node.skin == no_index)
            add_mesh(bounds, mesh, worlds[number]);
        else
            add_skinned_mesh(bounds, mesh, joint_matrices(scene.skins[node.skin], worlds));
    }
    return bounds.is_empty() ? std::nullopt : std::optional(bounds);
}

}  // namespace effigy
