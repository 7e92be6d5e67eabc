#pragma once
/// Clips of the scene as motions.

#include "effigy/emfx_scene.hpp"
#include "effigy/hashes.hpp"

#include "emfx/from_scene/from_scene.hpp"

namespace effigy::emfx::bridge {

/// Widens the ranges of the map's targets to all weights that clips and meshes give them; those of meshes that are
/// untouched stay. To be called before targets are written.
void cover_weights(const Scene& scene, const Untouched& untouched, NodeMap& map);

/// For each clip an XSM if it moves nodes and an XPM if it moves weights, and its ticks. `files.actor` is finished.
void add_motions(const Scene& scene, const NodeMap& map, const FromSceneOptions& options, NativeFiles& files,
                 Report& report);

}  // namespace effigy::emfx::bridge
