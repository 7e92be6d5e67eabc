/// Vertices on their bones: influences of skins, or the one bone that a mesh moves with.

#include "arp/from_scene/links.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "scene/wide_matrix.hpp"

namespace effigy::arp::native {
namespace {

constexpr glm::dvec3 along_x{1, 0, 0};

glm::dmat4 inverse_of(const Frame& frame) {
    const glm::dmat3 back = glm::transpose(glm::mat3_cast(frame.rotation));
    glm::dmat4 matrix(back);
    matrix[3] = glm::dvec4(-(back * frame.translation), 1);
    return matrix;
}

BoneSpace space_of_bone(const Skeleton& skeleton, std::size_t bone, const glm::dmat4& to_scene) {
    BoneSpace space{bone, inverse_of(skeleton.bones[bone].rest) * to_scene, glm::dmat3(1)};
    const glm::dmat3 linear(space.points);
    // The cofactors: the inverse's transpose but for its size, and there for flat matrices as well.
    space.normals = glm::dmat3(glm::cross(linear[1], linear[2]), glm::cross(linear[2], linear[0]),
                               glm::cross(linear[0], linear[1]));
    // They point inwards where the matrix mirrors.
    if (glm::determinant(linear) < 0) space.normals *= -1.0;
    return space;
}

LinkDraft whole_link(const BoneSpace& space, const glm::dvec3& position, const glm::dvec3& normal) {
    return {space.bone, 1, glm::dvec3(space.points * glm::dvec4(position, 1)),
            unit_or(space.normals * normal, along_x)};
}

}  // namespace

glm::dvec3 unit_or(const glm::dvec3& vector, const glm::dvec3& fallback) {
    const double length = glm::length(vector);
    return std::isfinite(length) && length > 1e-30 ? vector / length : fallback;
}

LinkFinder::LinkFinder(const Build& build, const Tree& tree, const Skeleton& skeleton, const DrawnMesh& drawn)
    : root_(space_of_bone(skeleton, 0, tree.worlds[drawn.node])), is_skinned_(drawn.skin != no_index) {
    if (!is_skinned_) {
        const Index carrier = build.source.nodes[drawn.node].follows;
        const Index node = carrier < tree.worlds.size() ? carrier : drawn.node;
        spaces_.push_back(space_of_bone(skeleton, skeleton.bone_of_node[node], tree.worlds[drawn.node]));
        return;
    }
    const Skin& skin = build.source.skins[drawn.skin];
    std::vector<std::uint32_t> bones;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const Index joint = skin.joints[i];
        const glm::dmat4 to_scene = tree.worlds[joint] * wide(skin.inverse_bind_matrices[i]);
        spaces_.push_back(space_of_bone(skeleton, skeleton.bone_of_node[joint], to_scene));
        bones.push_back(static_cast<std::uint32_t>(spaces_.back().bone));
    }
    influences_ = InfluenceReader(build.source.meshes[drawn.mesh], spaces_.size(), std::move(bones));
}

std::vector<LinkDraft> LinkFinder::links_of(std::size_t vertex, const glm::dvec3& position, const glm::dvec3& normal,
                                            MeshTallies& tallies) {
    if (!is_skinned_) return {whole_link(spaces_.front(), position, normal)};
    const auto heaviest = influences_.heaviest(vertex, max_links);
    const std::vector<VertexInfluence> kept(heaviest.begin(), heaviest.end());
    if (influences_.dropped() != 0) {
        ++tallies.many;
        tallies.max_weight = std::max(tallies.max_weight, influences_.dropped_weight());
    }
    double sum = 0;
    for (const VertexInfluence& one : kept) sum += one.weight;
    std::vector<LinkDraft> links;
    for (const VertexInfluence& one : kept) {
        const float weight = narrow(one.weight / sum);
        if (weight > 0) links.push_back(merged_link(vertex, one, weight, position, normal));
    }
    if (!links.empty()) return links;
    ++tallies.loose;
    return {whole_link(root_, position, normal)};
}

/// To the bone of `merged`, which several joints may stand for.
LinkDraft LinkFinder::merged_link(std::size_t vertex, const VertexInfluence& merged, float weight,
                                  const glm::dvec3& position, const glm::dvec3& normal) {
    LinkDraft link{spaces_[merged.joint].bone, weight, {}, {}};
    for (const VertexInfluence& one : influences_.all(vertex)) {
        const BoneSpace& space = spaces_[one.joint];
        if (space.bone != link.bone) continue;
        link.offset += one.weight * glm::dvec3(space.points * glm::dvec4(position, 1));
        link.normal += one.weight * (space.normals * normal);
    }
    link.offset /= merged.weight;
    link.normal = unit_or(link.normal, along_x);
    return link;
}

const BoneSpace& LinkFinder::space_of(std::size_t vertex, std::size_t bone) {
    if (!is_skinned_) return spaces_.front();
    const BoneSpace* best = &root_;
    double max_weight = 0;
    for (const VertexInfluence& one : influences_.all(vertex)) {
        const BoneSpace& space = spaces_[one.joint];
        if (space.bone != bone || !(one.weight > max_weight)) continue;
        best = &space;
        max_weight = one.weight;
    }
    return *best;
}

}  // namespace effigy::arp::native
