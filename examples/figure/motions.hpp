#pragma once
/// What the figure does.

#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace figure {

[[nodiscard]] effigy::xsm::File make_walk();     ///< 1.2 s, loops; float quaternions
[[nodiscard]] effigy::xsm::File make_wave();     ///< 2.6 s, from rest to rest; 16-bit quaternions
[[nodiscard]] effigy::xpm::File make_talk();     ///< 2.4 s: "Hello, welcome!"
[[nodiscard]] effigy::Bytes make_step_events();  ///< .xsmtime: when the left (1) and right (2) heel meets the ground

}  // namespace figure
