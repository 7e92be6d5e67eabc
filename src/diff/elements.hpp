#pragma once
/// Triangles, lines and points of two meshes: which of one is which of the other, whatever their order.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "effigy/scene.hpp"

#include "diff/vertices.hpp"

namespace effigy::diff {

/// A triangle, a line or a point; triangles begin at any corner.
struct Element {
    std::array<std::uint32_t, 3> corners{};
    std::uint32_t corner_count = 3;
    Index material = no_index;
};

/// All of them in the mesh's order but triangles and lines that have one vertex twice. `materials`: which number each
/// material gets; no_index stays.
[[nodiscard]] Bulk<Element> elements_of(const Mesh& mesh, const std::vector<Index>& materials);

/// What came of matching them.
struct ElementMatch {
    std::uint64_t only_a = 0, only_b = 0;  ///< without a counterpart at their place
    std::uint64_t first_only_a = 0, first_only_b = 0;
    std::uint64_t other_material = 0;
    std::pair<Index, Index> materials{no_index, no_index};  ///< of the first of these
    bool differs = false;                                   ///< corners are beyond a tolerance; they are tallied
};

/// Each element of `a` gets one of `b` in its place: first those that are equal, then those within all tolerances, then
/// those that have at least the positions. Takes time for each element, not for each pair.
[[nodiscard]] Result<ElementMatch> match_elements(Comparison& comparison, Vertices& vertices, const Bulk<Element>& a,
                                                  const Bulk<Element>& b, std::uint32_t vertices_a,
                                                  std::uint32_t vertices_b);

}  // namespace effigy::diff
