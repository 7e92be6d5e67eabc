/// Where vertices stand at rest.

#include <glm/matrix.hpp>

#include "egosoft/from_scene/from_scene.hpp"

namespace effigy::egosoft::bridge {
RestPlace::RestPlace(const Scene& scene, const Piece& piece, const std::vector<glm::dmat4>& worlds)
    : place_(piece.place) {
    const Node& node = scene.nodes[piece.node];
    if (node.skin >= scene.skins.size()) return;
    const Mesh& mesh = scene.meshes[piece.mesh];
    influences_ = InfluenceReader(mesh, scene.skins[node.skin].joints.size());
    // A skinned mesh's own node counts for nothing.
    const auto root = effigy::inverse_affine(worlds[piece.node], 1e-30);
    if (influences_.empty() || !root) return;
    const Skin& skin = scene.skins[node.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
        poses_.push_back(place_ * *root * worlds[skin.joints[i]] * wide(skin.inverse_bind_matrices[i]));
}

bool RestPlace::mirrors() const noexcept {
    return glm::determinant(glm::dmat3(is_skinned() ? poses_.front() : place_)) < 0;
}

glm::dmat4 RestPlace::at(std::size_t vertex) {
    if (!is_skinned()) return place_;
    glm::dmat4 sum(0);
    double total = 0;
    for (const VertexInfluence& one : influences_.all(vertex)) {
        sum += one.weight * poses_[one.joint];
        total += one.weight;
    }
    return total > 0 ? sum / total : place_;
}

}  // namespace effigy::egosoft::bridge
