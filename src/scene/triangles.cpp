/// Triangles of lists, strips and fans.

#include "scene/triangles.hpp"

#include <algorithm>
#include <utility>

namespace effigy {

std::size_t triangle_count(const Primitive& primitive) noexcept {
    if (primitive.topology == Topology::triangles) return primitive.indices.size() / 3;
    std::size_t count = 0;
    for_each_triangle(primitive, [&](std::uint32_t, std::uint32_t, std::uint32_t) { ++count; });
    return count;
}

void turn(Primitive& primitive) {
    auto& indices = primitive.indices;
    if (primitive.topology == Topology::triangles) {
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) std::swap(indices[i + 1], indices[i + 2]);
    } else if (primitive.topology == Topology::triangle_fan && !indices.empty()) {
        std::reverse(indices.begin() + 1, indices.end());
    } else if (primitive.topology == Topology::triangle_strip && indices.size() % 2 != 0) {
        std::reverse(indices.begin(), indices.end());
    } else if (primitive.topology == Topology::triangle_strip && !indices.empty()) {
        // Backwards, a strip of an even number of vertices has the same sides: one more at its start turns it.
        indices.insert(indices.begin(), indices.front());
    }
}

}  // namespace effigy
