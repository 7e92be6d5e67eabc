#pragma once
/// Objects in extras, which anybody may have edited: what is missing or of another kind is not there.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.hpp"

namespace effigy {

/// The object that a text is; an empty one for anything else.
[[nodiscard]] Json object_of(std::string_view text);
/// A member, or null.
[[nodiscard]] const Json* member(const Json& json, std::string_view name) noexcept;
[[nodiscard]] std::optional<std::int64_t> integer_at(const Json& json, std::string_view name);
[[nodiscard]] std::optional<double> number_at(const Json& json, std::string_view name);
[[nodiscard]] std::optional<std::string> text_at(const Json& json, std::string_view name);
/// An empty list for anything else.
[[nodiscard]] const Json& list_at(const Json& json, std::string_view name) noexcept;
/// Those of a bulk part, or of a base64 text.
[[nodiscard]] std::optional<Bytes> bytes_at(const Json& json, std::string_view name);
[[nodiscard]] bool flag_at(const Json& json, std::string_view name) noexcept;

/// True, or 1: modelling programs whose custom properties know no truth values make that of it.
[[nodiscard]] bool is_true(const Json& json) noexcept;

}  // namespace effigy
