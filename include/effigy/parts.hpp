#pragma once
/// Scenes made of several: hung on one another's nodes, and taken apart again. docs/gltf.md, "Parts".

#include <string>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

/// Hangs a model's roots on a node (on none where the scene has no such node), and remembers which objects are its:
/// split_scene() gets it back. Its records no longer count for a file that the whole is written to. Both functions are
/// for scenes that validate() finds nothing wrong with.
void attach_scene(Scene& scene, Scene part, Index node, std::string name);

struct NamedScene {
    std::string name;  ///< without folder and extension
    Scene scene;
};
/// What a scene was put together from: the first model with all clips that move it, then each that was attached to it
/// or that joined it by the names of its nodes. The scene alone where its records tell of no parts.
[[nodiscard]] std::vector<NamedScene> split_scene(const Scene& scene);

}  // namespace effigy
