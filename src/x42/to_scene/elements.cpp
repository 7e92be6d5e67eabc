/// Indices of groups, and their winding.

#include <algorithm>

#include "x42/to_scene/geometry.hpp"

namespace effigy::x42::bridge {
namespace {

/// Elements of one primitive in a list; 0 where all elements hang together.
std::size_t list_width(Topology topology) noexcept {
    switch (topology) {
        case Topology::points:
            return 1;
        case Topology::lines:
            return 2;
        case Topology::triangles:
            return 3;
        default:
            return 0;
    }
}

/// Lists lose the primitives that cannot be drawn.
void clean_list(Bulk<std::uint32_t>& indices, std::size_t width, std::uint32_t vertices, MeshFindings& findings) {
    findings.incomplete += indices.size() % width;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + width <= indices.size(); i += width) {
        const auto first = indices.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = first + static_cast<std::ptrdiff_t>(width);
        const auto bad = std::count_if(first, end, [&](std::uint32_t index) { return index >= vertices; });
        findings.astray += static_cast<std::uint64_t>(bad);
        if (bad != 0) continue;
        std::copy(first, end, indices.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += width;
    }
    indices.resize(kept);
}

/// Strips and fans end before what cannot be drawn.
void clean_strip(Bulk<std::uint32_t>& indices, std::size_t least, std::uint32_t vertices, MeshFindings& findings) {
    const auto bad =
        std::find_if(indices.begin(), indices.end(), [&](std::uint32_t index) { return index >= vertices; });
    findings.astray += static_cast<std::uint64_t>(indices.end() - bad);
    indices.erase(bad, indices.end());
    if (indices.size() >= least) return;
    findings.incomplete += indices.size();
    indices.clear();
}

}  // namespace

Bulk<std::uint32_t> elements_of(const File& file, const DrawnGroup& group, MeshFindings& findings) {
    Bulk<std::uint32_t> indices;
    indices.reserve(std::size_t{group.element_count} + 1);
    for (std::uint32_t i = 0; i < group.element_count; ++i) {
        indices.push_back(group.indexed() ? file.indices[std::size_t{group.first_index} + i] : i);
    }
    if (const std::size_t width = list_width(group.topology); width != 0) {
        clean_list(indices, width, group.vertex_count, findings);
    } else {
        clean_strip(indices, group.topology == Topology::line_strip ? 2 : 3, group.vertex_count, findings);
    }
    return indices;
}

}  // namespace effigy::x42::bridge
