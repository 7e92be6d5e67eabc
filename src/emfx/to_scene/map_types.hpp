#pragma once
/// Maps of a material's layers that a glTF material has too: docs/formats/emfx.md.

#include <cstdint>

namespace effigy::emfx::bridge {

enum MapType : std::uint8_t { diffuse = 2, opacity = 4, bump = 5, self_illumination = 6 };

}  // namespace effigy::emfx::bridge
