#pragma once
/// Codes of what is found while levels of detail and collision meshes are made.

#include "effigy/code.hpp"

// clang-format off
#define EFFIGY_LEVELS_CODES(SECTION, CODE) \
    SECTION(levels) \
    CODE(levels_made, "levels-made", info, "scenes", "Meshes without levels of detail got some, as `--lods` asks.") \
    CODE(level_ratio, "level-ratio", info, "scenes", "A level of detail has more triangles than asked for: seams, borders or `--lod-error` hold what would go on. It is written as it is.") \
    CODE(level_equal, "level-equal", info, "scenes", "A level of detail would have as many triangles as the one before; it is left out.") \
    CODE(level_kept, "level-kept", info, "scenes", "Meshes that have levels of detail keep them: `--lods` makes some where there are none.") \
    CODE(level_detail, "level-detail", info, "scenes", "Parts that are tagged or called `detail_xs` to `detail_xxl` are seen from nearby only, and keep one level.") \
    CODE(level_morphs, "level-morphs", info, "scenes", "Meshes with morph targets get no levels of detail: what the targets move would be missing.") \
    CODE(collision_made, "collision-made", info, "scenes", "Meshes without a collision mesh got one, as `--collision` asks.") \
    CODE(collision_flat, "collision-flat", info, "scenes", "A flat mesh has no convex hull; its collision mesh is the mesh itself, cut down where it is large.") \
    CODE(collision_large, "collision-large", info, "scenes", "A collision mesh could not be cut down as far as it should be.") \
    CODE(collision_skinned, "collision-skinned", info, "scenes", "Skinned meshes get no collision mesh.")
// clang-format on

namespace effigy::codes {
EFFIGY_LEVELS_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)
}  // namespace effigy::codes
