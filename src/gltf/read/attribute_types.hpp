#pragma once
/// Which types vertex attributes have in a scene, and the way to them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "effigy/scene.hpp"

#include "scene/validate.hpp"

namespace effigy::gltf {

inline constexpr std::uint32_t max_sets = 64;  ///< of texture coordinates and the like

/// Semantic, set and name of an attribute; nothing for names that glTF does not know.
[[nodiscard]] std::optional<Attribute> attribute_of(const std::string& name);

[[nodiscard]] inline bool is_float(const Accessor& data) {
    return data.component == ComponentType::f32 && !data.normalized;
}

/// Joints as 16-bit numbers; nothing if they are none.
[[nodiscard]] std::optional<Accessor> to_u16(const Accessor& joints);
/// Colours of three floats as such of four, the last one opaque.
[[nodiscard]] Accessor with_alpha(const Accessor& colors);
/// White where nothing is known of colours; all of the weight on the first joint. All else is zero already.
void make_up(Attribute& attribute, std::size_t first, std::size_t count);

}  // namespace effigy::gltf
