#pragma once
/// Shapes and parts from which models are put together.

#include <cstdint>
#include <string>
#include <vector>

#include "asset_builder.hpp"

namespace effigy::gltf_test {

using Floats = std::vector<float>;

struct Shape {
    Floats positions, normals, coordinates;  // 3, 3 and 2 numbers for each vertex
    std::vector<std::uint16_t> indices;
    [[nodiscard]] std::size_t count() const { return positions.size() / 3; }
};

/// A box about the origin with its sides' corners apart: 24 vertices, 12 triangles.
[[nodiscard]] Shape box(float size = 1);
/// An upright tube of `rings` rings of `sides` vertices (the seam doubled), each ring one unit above the last.
[[nodiscard]] Shape tube(std::size_t rings, std::size_t sides);

/// Adds accessors; the numbers are theirs.
std::size_t add_floats(AssetBuilder& builder, const Floats& values, const char* type);
std::size_t add_positions(AssetBuilder& builder, const Floats& values);
std::size_t add_indices(AssetBuilder& builder, const std::vector<std::uint16_t>& values);
template <class T>
std::size_t add_numbers(AssetBuilder& builder, const std::vector<T>& values, int component, const char* type,
                        std::size_t width, bool normalized = false) {
    const std::size_t number = builder.accessor(packed(values), component, type, values.size() / width);
    if (normalized) builder.root["accessors"][number]["normalized"] = true;
    return number;
}

/// {"attributes": {...}, "indices": n} of a shape.
[[nodiscard]] json primitive_of(AssetBuilder& builder, const Shape& shape, bool indexed = true);
/// JOINTS_0 and WEIGHTS_0 of a tube: each ring follows the two joints of a chain between which it stands.
void add_influences(AssetBuilder& builder, json& primitive, const Shape& shape, std::size_t joints);
/// A chain of nodes, each a unit above the last, and the skin of them; the number of the first node.
std::size_t add_chain(AssetBuilder& builder, std::size_t joints);

/// A material with a picture of a few colours; its number.
std::size_t add_textured_material(AssetBuilder& builder, const std::string& name, unsigned seed = 0);
std::size_t add_texture(AssetBuilder& builder, unsigned seed = 0);
std::size_t add_node(AssetBuilder& builder, json node, bool in_scene = true);

/// A channel with a sampler of its own.
void add_channel(AssetBuilder& builder, json& animation, std::size_t node, const char* path, const Floats& times,
                 const Floats& values, const char* interpolation = "LINEAR");

}  // namespace effigy::gltf_test
