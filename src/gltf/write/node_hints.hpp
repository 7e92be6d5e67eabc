#pragma once
/// What glTF has no place for, or what modelling programs lose, as members of a node's `extras.effigy`.

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::gltf {

struct MoreJoints {
    std::vector<Index> nodes;
    std::vector<Mat4> inverse_bind_matrices;  ///< one for each of them
};

/// By skin: nodes without a mesh below its joints, parents first. Blender makes a bone of each joint and an object of
/// each other node; of objects below bones it loses the children (3.4), and the pose at rest where they are animated.
[[nodiscard]] std::map<Index, MoreJoints> more_joints(const Scene& scene);

/// `hidden`, `level_of`, `follows`, `collision`, `rest`, `bind` and `mesh` of every node: an object each.
[[nodiscard]] std::vector<nlohmann::json> node_hints(const Scene& scene, const std::map<Index, MoreJoints>& more);

}  // namespace effigy::gltf
