#pragma once
/// The parts of a comparison of scenes; scenes.cpp runs them.

#include <glm/mat4x4.hpp>
#include <vector>

#include "effigy/scene.hpp"

#include "core/budget.hpp"
#include "diff/findings.hpp"
#include "diff/match.hpp"

namespace effigy::diff {

/// Both scenes, which object is which, and where differences go.
struct Comparison {
    Comparison(const Scene& first, const Scene& second, const DiffOptions& options);

    const Scene &a, &b;
    Tree tree_a, tree_b;
    Match nodes, materials, clips;
    double size = 0;  ///< diagonal of both scenes' boxes
    Findings findings;
    Budget budget;

    [[nodiscard]] Result<void> take(std::uint64_t count, std::uint64_t bytes_each);
    [[nodiscard]] double position_tolerance() const noexcept { return findings.tolerances().position * size; }
    [[nodiscard]] std::string node_path(Index node) const;  ///< of `a`
};

/// Where all nodes rest in the scene.
[[nodiscard]] std::vector<glm::dmat4> world_matrices(const Scene& scene, const Tree& tree);
/// The diagonal of the box around all nodes and the corners of their meshes.
[[nodiscard]] double size_of(const Scene& scene, const Tree& tree);
/// The diagonal of a mesh's box; what is not finite is left out.
[[nodiscard]] double size_of(const Mesh& mesh);

void compare_nodes(Comparison& comparison);
[[nodiscard]] Result<void> compare_meshes(Comparison& comparison);
void compare_materials(Comparison& comparison);
void compare_lights(Comparison& comparison);
[[nodiscard]] Result<void> compare_clips(Comparison& comparison);
/// One pair of meshes on one pair of nodes.
struct MeshPair {
    Index mesh_a, mesh_b, skin_a, skin_b;
    friend auto operator<=>(const MeshPair&, const MeshPair&) = default;  // NOLINT(modernize-use-nullptr)
};
/// All meshes that nodes which belong together have, each pair once.
[[nodiscard]] std::vector<MeshPair> mesh_pairs(const Comparison& comparison);

[[nodiscard]] Result<void> compare_extras(Comparison& comparison);

}  // namespace effigy::diff
