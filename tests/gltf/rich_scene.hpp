#pragma once
/// A made-up scene that has one of everything that the writer can write.

#include <cstdint>
#include <span>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::test {

/// Numbers of the scene's objects.
namespace rich {
inline constexpr Index body_node = 3, static_node = 4, hidden_node = 5, lod_node = 6, empty_mesh_node = 7;
inline constexpr Index empty_mesh = 0, body_mesh = 1, static_mesh = 2;
inline constexpr std::uint32_t first_vertices = 40, second_vertices = 24;
}  // namespace rich

[[nodiscard]] Scene rich_scene();

template <class T>
[[nodiscard]] Bulk<T> bulk(std::span<const T> values) {
    return Bulk<T>(values.begin(), values.end());
}

/// An accessor with these numbers.
template <class T>
[[nodiscard]] Accessor make_accessor(ElementType element, ComponentType component, bool normalized,
                                     const std::vector<T>& values) {
    Accessor accessor;
    const auto bytes = std::as_bytes(std::span(values));
    accessor.bytes.assign(bytes.begin(), bytes.end());
    accessor.element = element;
    accessor.component = component;
    accessor.normalized = normalized;
    return accessor;
}

/// A strip of triangles over `count` vertices.
[[nodiscard]] Bulk<std::uint32_t> strip(std::uint32_t count);

/// One mesh with a primitive of each topology over the same vertices.
[[nodiscard]] Scene scene_of_all_topologies();

/// A flat grid of `count` positions.
[[nodiscard]] Attribute grid_positions(std::uint32_t count);

}  // namespace effigy::test
