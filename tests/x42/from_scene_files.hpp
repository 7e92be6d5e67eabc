#pragma once
/// What the tests of the way back share.

#include "effigy/hashes.hpp"

namespace effigy::test::x42 {

/// The records describe the scene as it stands, whatever was done to it.
inline void set_untouched(Scene& scene) { set_hashes(scene); }

}  // namespace effigy::test::x42
