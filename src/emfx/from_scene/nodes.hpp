#pragma once
/// Nodes on their way to the actor: what they are in the scene, and how they rest.

#include <glm/mat4x4.hpp>
#include <span>
#include <vector>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {

/// Whether a node of the scene is one of the actor itself, and not of its levels of detail only.
[[nodiscard]] bool is_actor_node(const Build& build, Index node);
/// The one of a node's scene nodes that carries position and scale.
[[nodiscard]] Index upper_of(const Build& build, Index node);
/// The node of a file above a node of the scene.
[[nodiscard]] Index parent_of(const Build& build, Index node);
/// Whether nobody has touched a node since it was read.
[[nodiscard]] bool is_as_read(const Build& build, Index node);

// from_scene/rest_pose.cpp
/// Where nodes of the scene stand in the actor at rest, in the scene's frame.
struct RestPose {
    std::vector<glm::dmat4> worlds;
    std::vector<bool> moved;  ///< those that stand in a skin's bind, or follow one that does
};
/// `nodes`: the actor's, parents first. Where the joints of a skin do not all stand as they did when it was bound, the
/// actor takes the bind: in EMotion FX nodes have no other one.
[[nodiscard]] RestPose rest_pose(Build& build, std::span<const Index> nodes);
[[nodiscard]] LocalTransform local_of(const Build& build, const RestPose& pose, Index node, Order order);
/// Sets the multiplication order: that of the old file, or of the target; rotation first only if no scale is uneven,
/// where it could be seen. Returns whether the old file had another one.
[[nodiscard]] bool choose_order(Build& build, const RestPose& pose, std::span<const Index> nodes);

}  // namespace effigy::emfx::bridge
