#pragma once
/// Triangles of primitives, whatever their topology.

#include <cstddef>
#include <cstdint>
#include <span>

#include "effigy/scene.hpp"

namespace effigy {

[[nodiscard]] constexpr bool has_triangles(Topology topology) noexcept { return topology >= Topology::triangles; }

/// Whether so many indices make whole points, lines or triangles. None at all do.
[[nodiscard]] constexpr bool makes_whole(Topology topology, std::size_t indices) noexcept {
    switch (topology) {
        case Topology::points:
            return true;
        case Topology::lines:
            return indices % 2 == 0;
        case Topology::line_strip:
            return indices != 1;
        case Topology::triangles:
            return indices % 3 == 0;
        case Topology::triangle_strip:
        case Topology::triangle_fan:
            return indices == 0 || indices > 2;
    }
    return false;
}

/// Calls `visit(a, b, c)` with the indices of each triangle, wound as in glTF. In strips and fans, triangles of which
/// two corners are one vertex only lead on to others and are left out.
template <class Visit>
void for_each_triangle(const Primitive& primitive, Visit&& visit) {
    const auto& indices = primitive.indices;
    const std::size_t step = primitive.topology == Topology::triangles ? 3 : 1;
    if (!has_triangles(primitive.topology)) return;
    const auto visit_area = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (step == 3 || (a != b && b != c && c != a)) visit(a, b, c);
    };
    for (std::size_t i = 0; i + 2 < indices.size(); i += step) {
        if (primitive.topology == Topology::triangle_fan) {
            visit_area(indices[i + 1], indices[i + 2], indices[0]);
        } else if (step == 1 && i % 2 != 0) {
            visit_area(indices[i], indices[i + 2], indices[i + 1]);
        } else {
            visit_area(indices[i], indices[i + 1], indices[i + 2]);
        }
    }
}

/// Winds all triangles the other way round: of a list by its corners, or of any primitive.
void reverse_winding(std::span<std::uint32_t> corners) noexcept;
void reverse_winding(Primitive& primitive);

/// Takes out triangles of a list with an index of `vertex_count` or more, and an incomplete last one; says how many.
std::size_t drop_bad_triangles(Bulk<std::uint32_t>& corners, std::uint32_t vertex_count);

}  // namespace effigy
