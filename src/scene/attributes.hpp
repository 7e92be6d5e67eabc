#pragma once
/// Attributes of meshes in the making.

#include <cstddef>
#include <cstdint>
#include <span>

#include "effigy/scene.hpp"

namespace effigy {

/// Adds an attribute with room for all vertices, for which memory has been taken.
template <class T>
[[nodiscard]] std::span<T> add_attribute(Mesh& mesh, Semantic semantic, ElementType element, ComponentType component,
                                         std::uint32_t set = 0) {
    Attribute& attribute = mesh.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.set = set;
    attribute.data.element = element;
    attribute.data.component = component;
    attribute.data.normalized =
        component != ComponentType::f32 && (semantic == Semantic::color || semantic == Semantic::weights);
    attribute.data.bytes.resize(std::size_t{mesh.vertex_count} * attribute.data.stride());
    return attribute.data.as<T>();
}

}  // namespace effigy
