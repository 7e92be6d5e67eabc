#pragma once
/// Scenes of some of another one's nodes.

#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

struct Extraction {
    std::vector<bool> nodes;             ///< that are kept, and with them the joints of their skins
    std::vector<bool> bare;              ///< of these: without their mesh; empty: none
    std::vector<bool> materials, clips;  ///< that are kept whether a mesh needs them or not; empty: none
    bool move_roots = true;              ///< what becomes a root stays where it is in the world
};
/// The nodes with all that they need: meshes, skins, materials, images, lights. What hung on a node that goes hangs on
/// the nearest one above it, where it is in the world at rest. Clips keep the tracks of nodes that are kept; none is
/// kept without tracks.
[[nodiscard]] Scene extract(const Scene& from, Extraction what);

}  // namespace effigy
