#pragma once
/// Normal maps with x in alpha and y in green, as BC3 holds them best ("DXT5nm").

#include "effigy/image.hpp"

namespace effigy::image {

// Nothing varies in red, and alpha is no mask of opaque pixels.
[[nodiscard]] bool looks_like_alpha_green(const Picture& picture);

// To all three components; the third always points out of the surface.
void spread_alpha_green(Picture& picture);

}  // namespace effigy::image
