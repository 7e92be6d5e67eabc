#pragma once
/// What glTF has no place for, or what modelling programs lose, as members of a node's `extras.effigy`.

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "effigy/scene.hpp"

#include "gltf/write/more_joints.hpp"

namespace effigy::gltf {

/// `hidden`, `level_of`, `follows`, `collision`, `rest` and `mesh` of every node: an object each.
[[nodiscard]] std::vector<nlohmann::json> node_hints(const Scene& scene, const std::map<Index, MoreJoints>& more);

}  // namespace effigy::gltf
