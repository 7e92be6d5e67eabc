#pragma once
/// The trader as an X42 file.

#include "effigy/x42.hpp"

namespace trader {

[[nodiscard]] effigy::x42::File make_model();

}  // namespace trader
