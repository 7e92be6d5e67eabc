#pragma once
/// Hashes over objects whose data stands in the JSON: docs/gltf.md, "Hashes". What is not written counts as its
/// default.

#include <cstdint>

#include "effigy/scene.hpp"

namespace effigy::gltf {

/// Of the matrix, or of translation, rotation and scale.
[[nodiscard]] std::uint64_t hash_of(const Node& node);
/// Of all numbers of the light.
[[nodiscard]] std::uint64_t hash_of(const Light& light);

}  // namespace effigy::gltf
