#pragma once
/// The example ship's textures.

#include "effigy/bytes.hpp"

namespace ship {

enum class Map { diffuse, normal, metal, smooth, glow };

/// A DDS file (DXT5 with all levels of detail) in a gzip wrapper, as the games keep their textures.
[[nodiscard]] effigy::Bytes texture_file(Map map);

}  // namespace ship
