#pragma once
/// JSON as glTF wants it.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace effigy::gltf {

/// Keeps keys in the order in which they were set, so that the output is the same on every run.
using Json = nlohmann::ordered_json;

/// The shortest decimal that gives the same float back: 0.1, not 0.10000000149011612.
[[nodiscard]] Json number(float value);
[[nodiscard]] Json numbers(std::span<const float> values);

/// The text; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_text(const Json& json, int indent);
/// On one line.
[[nodiscard]] std::string to_text(const nlohmann::json& json);

/// Whether JSON is deeper than what can be written safely.
[[nodiscard]] bool nested_too_deep(std::string_view text);

/// As it stands in `extras.effigy.hash`.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

/// The object that the text of an extras member is; nothing if it is no such text, or too deep.
[[nodiscard]] std::optional<nlohmann::json> parse_object(const std::string& text);

/// Views of records' bulk data are called so; readers take no others for them.
inline constexpr const char* record_view_name = "effigy";

/// Whether `extras.effigy` of a hidden node says that the node is what hits are tested against.
[[nodiscard]] bool is_collision(const nlohmann::json& effigy);

}  // namespace effigy::gltf
