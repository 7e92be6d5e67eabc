#pragma once
/// JSON on one line, added to text that grows.

#include <charconv>
#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json_fwd.hpp"

namespace effigy {

template <std::integral Integer>
void add_integer(std::string& out, Integer value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Printable ASCII without what JSON escapes.
[[nodiscard]] inline bool is_plain_letter(char c) noexcept {
    return c >= 0x20 && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x80;
}

/// A value that is text already: add_text() takes it as it is.
[[nodiscard]] Json::binary_t as_value(std::string_view text);

/// What to_text() says.
void add_text(std::string& out, const Json& json);

}  // namespace effigy
