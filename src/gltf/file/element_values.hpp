#pragma once
/// What stored components stand for.

#include <cstdint>

#include "effigy/scene.hpp"

#include "gltf/file/accessors.hpp"

namespace effigy::gltf {

/// Any accessor as f32: normalised integers become fractions, others the number that they are.
[[nodiscard]] Accessor to_floats(const Accessor& accessor);

/// Unsigned scalars as 32 bits, `elements.count` of them.
void widen_indices(ComponentType component, const ElementRange& elements, std::uint32_t* destination) noexcept;

}  // namespace effigy::gltf
