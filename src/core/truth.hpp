#pragma once
/// Truth values in extras.

#include "json.hpp"

namespace effigy {

/// True, or 1: modelling programs whose custom properties know no truth values make that of it.
[[nodiscard]] inline bool is_true(const Json& json) noexcept {
    if (json.is_boolean()) return json.get<bool>();
    return json.is_number_unsigned() && json.get<std::uint64_t>() == 1;
}

}  // namespace effigy
