#pragma once
/// Search for numbers that cannot be used: floats that are not finite, indices out of range.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace effigy {

/// Where a float that is not finite stands among `values`.
[[nodiscard]] std::optional<std::size_t> find_not_finite(std::span<const float> values);

/// Where a value of `limit` or more stands among `values`: of 8, 16 or 32 bits.
template <class Number>
[[nodiscard]] std::optional<std::size_t> find_not_below(std::span<const Number> values, std::uint32_t limit);
[[nodiscard]] inline std::optional<std::size_t> find_not_below(std::span<const std::uint32_t> values,
                                                               std::uint32_t limit) {
    return find_not_below<std::uint32_t>(values, limit);
}

}  // namespace effigy
