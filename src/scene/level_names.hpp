#pragma once
/// Names of levels of detail and collision meshes beside the mesh that they belong to: one rule for whoever makes
/// levels and whoever writes them.

#include <cstdint>
#include <string>
#include <string_view>

namespace effigy {

struct LevelName {
    enum class Kind : std::uint8_t { plain, level, collision };
    std::string part;  ///< "hull" of "hull-lod1"; the whole name if it is plain
    Kind kind = Kind::plain;
    std::uint32_t number = 0;  ///< of the level, 0 for the finest; or of the collision mesh
};

/// Of what a person or a program calls a node, in any case: `<part>-lod1`, `<part>_lod1`, `<part>.lod1`,
/// `<part>-collision`, `<part>.collision`, with or without the ".001" that modelling programs put behind names.
[[nodiscard]] LevelName parse_level_name(std::string_view name);

/// The name without ".001".
[[nodiscard]] std::string_view without_copy_number(std::string_view name) noexcept;

}  // namespace effigy
