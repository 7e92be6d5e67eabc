/// Triangles of lists, strips and fans.

#include "scene/triangles.hpp"

#include <algorithm>
#include <utility>

#include "scene/finite.hpp"

namespace effigy {

std::size_t triangle_count(const Primitive& primitive) noexcept {
    if (primitive.topology == Topology::triangles) return primitive.indices.size() / 3;
    std::size_t count = 0;
    for_each_triangle(primitive, [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++count; });
    return count;
}

void reverse_winding(std::span<std::uint32_t> corners) noexcept {
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) std::swap(corners[i + 1], corners[i + 2]);
}

void reverse_winding(Primitive& primitive) {
    auto& indices = primitive.indices;
    if (primitive.topology == Topology::triangles) {
        reverse_winding(std::span(indices));
    } else if (primitive.topology == Topology::triangle_fan && !indices.empty()) {
        std::reverse(indices.begin() + 1, indices.end());
    } else if (primitive.topology == Topology::triangle_strip && indices.size() % 2 != 0) {
        std::reverse(indices.begin(), indices.end());
    } else if (primitive.topology == Topology::triangle_strip && !indices.empty()) {
        // Backwards, a strip of an even number of vertices has the same sides: one more at its start reverses it.
        indices.insert(indices.begin(), indices.front());
    }
}

std::size_t drop_bad_triangles(Bulk<std::uint32_t>& corners, std::uint32_t vertex_count) {
    const std::size_t triangles = (corners.size() + 2) / 3;
    if (corners.size() % 3 == 0 && !find_not_below(corners, vertex_count)) return 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        if (std::max({corners[i], corners[i + 1], corners[i + 2]}) >= vertex_count) continue;
        for (std::size_t k = 0; k < 3; ++k) corners[kept + k] = corners[i + k];
        kept += 3;
    }
    corners.resize(kept);
    return triangles - kept / 3;
}

}  // namespace effigy
