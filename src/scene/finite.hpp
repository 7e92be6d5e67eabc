#pragma once
/// Search for numbers that are not finite.

#include <cstddef>
#include <optional>
#include <span>

namespace effigy {

/// Where a float that is not finite stands among `values`.
[[nodiscard]] std::optional<std::size_t> find_not_finite(std::span<const float> values);

}  // namespace effigy
