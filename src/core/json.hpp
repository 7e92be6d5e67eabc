#pragma once
/// JSON values as all of effigy's documents write them.

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/result.hpp"

#include "element.hpp"
#include "json_fwd.hpp"

namespace effigy {

/// An object with room for so many members: when it grows, it copies all that it has. Lists of members copy each, too.
[[nodiscard]] Json json_object(std::size_t members);

/// Shortest decimal that gives the same float back; {"bits": "0x7fc00001"} for what JSON has no number for.
[[nodiscard]] Json json_number(float value);
[[nodiscard]] Json json_number(double value);
/// Vectors and rotations as arrays of their numbers.
[[nodiscard]] Json json_numbers(const Vec3& v);
[[nodiscard]] Json json_numbers(const Quat& q);
/// Without the signs of zeros.
[[nodiscard]] Json json_numbers_unsigned_zeros(const Vec3& v);
/// The way back; nothing if `json` is no such value.
[[nodiscard]] std::optional<float> float_from_json(const Json& json);
[[nodiscard]] std::optional<double> double_from_json(const Json& json);

/// Text if the bytes are UTF-8 without control characters other than tab and newline, else {"bytes": base64}.
[[nodiscard]] Json json_text(std::string_view bytes);
[[nodiscard]] std::optional<std::string> text_from_json(const Json& json);

[[nodiscard]] std::string to_base64(std::span<const std::byte> bytes);
/// Nothing if `text` is not base64.
[[nodiscard]] std::optional<Bytes> from_base64(std::string_view text);

/// Bytes in a record: a binary value, which is kept beside the record's text (scene/records.hpp), or base64 if few.
[[nodiscard]] Json json_bytes(std::span<const std::byte> bytes);
[[nodiscard]] Json json_binary(std::span<const std::byte> bytes);
/// The way back; nothing if `json` is neither.
[[nodiscard]] std::optional<Bytes> bytes_from_json(const Json& json);

[[nodiscard]] bool is_utf8(std::string_view bytes) noexcept;

/// One element as a number, a string (characters) or an array of its parts' values.
[[nodiscard]] Json json_element(const layout::ElementType& type, const std::byte* data);
/// Writes one element; false if `json` does not fit the type.
[[nodiscard]] bool element_from_json(const layout::ElementType& type, const Json& json, std::byte* destination);

/// Parses a document of untrusted text; nothing if it is not JSON, or if an object has more members or the nesting is
/// deeper than any document of effigy's has (adding members one by one, and printing what is deep, would not end well).
/// `bad` becomes the offset of the last byte that was read of what is no JSON, or no_offset for the other two.
[[nodiscard]] std::optional<Json> parse_json(std::string_view text, std::uint64_t* bad = nullptr);

/// The document on one line or indented; never throws (bytes that are not UTF-8 are replaced).
[[nodiscard]] std::string to_text(const Json& json, int indent = -1);

}  // namespace effigy
