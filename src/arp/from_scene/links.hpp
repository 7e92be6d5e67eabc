#pragma once
/// What vertices of a mesh hang on.

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

/// Of unit length; `fallback` for what has no length or is not finite.
[[nodiscard]] glm::dvec3 unit_or(const glm::dvec3& vector, const glm::dvec3& fallback);

/// From a mesh's space to that of a bone.
struct BoneSpace {
    std::size_t bone = 0;
    glm::dmat4 points{1};
    glm::dmat3 normals{1};
};

/// What was found of vertices and triangles.
struct MeshTallies {
    std::uint64_t many = 0, loose = 0, normals = 0, not_finite = 0, indices = 0, colors = 0, left_out = 0;
    double max_weight = 0;
};

class LinkFinder {
public:
    LinkFinder(const Build& build, const Tree& tree, const Skeleton& skeleton, const DrawnMesh& drawn);

    /// At most `max_links`, the heaviest first.
    [[nodiscard]] std::vector<LinkDraft> links_of(std::size_t vertex, const glm::dvec3& position,
                                                  const glm::dvec3& normal, MeshTallies& tallies);
    /// By the joint that holds the vertex most, of those that stand for the bone.
    [[nodiscard]] const BoneSpace& space_of(std::size_t vertex, std::size_t bone);

private:
    [[nodiscard]] LinkDraft merged_link(std::size_t vertex, const VertexInfluence& merged, float weight,
                                        const glm::dvec3& position, const glm::dvec3& normal);

    std::vector<BoneSpace> spaces_;  ///< of the skin's joints, or of the bone that the mesh moves with
    BoneSpace root_;                 ///< what hangs on no joint hangs on it
    bool is_skinned_ = false;
    InfluenceReader influences_;
};

}  // namespace effigy::arp::native
