#pragma once
/// Validation of a scene: whether it keeps its own rules and glTF's.

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// Everything that keeps a scene from being written, with paths into it ("meshes[3] / primitives[0] / indices[7]"):
/// references, counts and lengths, types, the tree of nodes, numbers that are not finite, indices of vertices and
/// joints, times of keys, rotations that are not of unit length. One finding for each array at most. Every from_scene()
/// and the glTF writer refuse what has such findings, but for rotations, keys and values of vertices, which each looks
/// at as it needs them, and indices, of which ARP's leaves triangles and joints out.
[[nodiscard]] Report validate(const Scene& scene);

}  // namespace effigy
