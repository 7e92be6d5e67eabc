#pragma once
/// Clips with keys at a fixed rate.

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "core/budget.hpp"

namespace effigy {

/// Gives every track `rate` linear keys a second, from 0 on, and one at the clip's end: what its own keys show there.
/// Fails with "limit-memory".
[[nodiscard]] Result<void> resample(Scene& scene, double rate, Budget& budget);

}  // namespace effigy
