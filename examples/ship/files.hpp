#pragma once
/// The example ship as Egosoft's files: values in their left-handed frame (X negated).

#include <string>
#include <vector>

#include "effigy/ani.hpp"
#include "effigy/xmf.hpp"

#include "parts.hpp"

namespace ship {

/// Positions, normals, tangents, texture coordinates and colours in one stream, as in X4's ships.
[[nodiscard]] effigy::xmf::File mesh_file(const Shape& shape);
/// Positions only, 32-bit indices, no materials: what the game wants for collision.
[[nodiscard]] effigy::xmf::File collision_file(const Shape& shape);
[[nodiscard]] effigy::ani::File animation_file(const std::vector<Part>& parts);
[[nodiscard]] std::string component_text(const std::vector<Part>& parts);

}  // namespace ship
