#pragma once
/// The switches that conversions have whatever the format.

#include <span>

#include "effigy/option_values.hpp"

namespace effigy {

[[nodiscard]] std::span<const OptionDeclaration> general_options() noexcept;

}  // namespace effigy
