#pragma once
/// Of several levels of detail, one.

#include <cstddef>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

/// Leaves one level of each mesh that has several: `level`, counted from 0, or the next finer one that there is
/// ("lod-other"). It takes the place of the finest; what was hidden as another level goes.
[[nodiscard]] Report keep_level(Scene& scene, std::size_t level);

}  // namespace effigy
