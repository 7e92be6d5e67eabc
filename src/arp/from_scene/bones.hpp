#pragma once
/// A skeleton for an avatar, in steps: which nodes are bones, what they are called, and along what they lie.

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

inline constexpr double no_distance = 1e-6;

struct RecordedBone {
    Index node = no_index;
    Json record;
};

/// What a scene has of bones.
struct BoneNodes {
    std::vector<bool> is_bone{};           ///< of each node
    std::vector<RecordedBone> recorded{};  ///< bones of an avatar, by their extras
};
[[nodiscard]] BoneNodes find_bone_nodes(const Scene& scene, const Tree& tree,
                                        const std::vector<std::vector<DrawnMesh>>& levels);
/// Rests and lengths of bones: x along each of them, but for those of an avatar.
void align_bones(Skeleton& skeleton, const Tree& tree);

}  // namespace effigy::arp::native
