#pragma once
/// Which object of one scene is which of the other.

#include <string>
#include <string_view>
#include <vector>

#include "effigy/scene.hpp"

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

}  // namespace effigy::diff
