#pragma once
/// The parts of a comparison of scenes; scenes.cpp runs them.

#include <glm/mat4x4.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/scene.hpp"

#include "core/budget.hpp"
#include "diff/findings.hpp"

namespace effigy::diff {

/// Pairs of objects of two lists; no_index where there is no counterpart.
struct Match {
    std::vector<Index> to_b, to_a;

    Match(std::size_t a, std::size_t b) : to_b(a, no_index), to_a(b, no_index) {}
    void join(Index a, Index b) {
        to_b[a] = b;
        to_a[b] = a;
    }
};

/// Who hangs under whom, whatever the scene says: parents that do not exist and circles end at the root.
struct Tree {
    explicit Tree(const Scene& scene);

    std::vector<Index> parents;
    std::vector<std::vector<Index>> children;  ///< the roots come last, as if they hung on one more node
    std::vector<Index> order;                  ///< parents first
    [[nodiscard]] const std::vector<Index>& roots() const { return children.back(); }
};

/// Nodes of one name under one parent, in their order; then nodes that hang elsewhere and whose name is the only one
/// left; then, where as many are left under a parent, those in their order.
[[nodiscard]] Match match_nodes(const Scene& a, const Tree& tree_a, const Scene& b, const Tree& tree_b);

/// Objects of one name in their order; then, where as many are left, those in their order.
[[nodiscard]] Match match_names(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b);

template <class Object>
[[nodiscard]] std::vector<std::string_view> names_of(const std::vector<Object>& objects) {
    std::vector<std::string_view> names;
    names.reserve(objects.size());
    for (const Object& object : objects) names.push_back(object.name);
    return names;
}

/// "nodes[3] arm"
[[nodiscard]] std::string object_path(std::string_view list, std::size_t index, std::string_view name);

/// Both scenes, which object is which, and where differences go.
struct Comparison {
    Comparison(const Scene& first, const Scene& second, const DiffOptions& options);

    const Scene &a, &b;
    Tree tree_a, tree_b;
    Match nodes, materials, clips;
    Findings findings;
    Budget budget;

    [[nodiscard]] Result<void> take(std::uint64_t count, std::uint64_t bytes_each);
    /// The diagonal of both scenes' boxes, which only differences ask for.
    [[nodiscard]] double size() const;
    [[nodiscard]] double position_tolerance() const { return findings.tolerances().position * size(); }
    [[nodiscard]] std::string node_path(Index node) const;  ///< of `a`

private:
    mutable std::optional<double> size_{};
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
