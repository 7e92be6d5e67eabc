#pragma once
/// Materials that ask for more texture coordinates than a mesh has.

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// Gives primitives whose mesh lacks a set of texture coordinates that their material asks for a variant of the
/// material that takes set 0, or that has no textures if there are no coordinates at all. Reported.
[[nodiscard]] Report fit_texture_coordinates(Scene& scene);

}  // namespace effigy
