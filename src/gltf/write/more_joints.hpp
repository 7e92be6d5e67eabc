#pragma once
/// Joints that no vertex follows, for programs that make bones of joints alone.

#include <map>
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

}  // namespace effigy::gltf
