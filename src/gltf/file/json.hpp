#pragma once
/// JSON as glTF wants it; members of untrusted JSON, taken only if they are what they should be.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "effigy/scene.hpp"

#include "core/json.hpp"

namespace effigy::gltf {

/// Keeps keys in the order in which they were set, so that the output is the same on every run.
using effigy::Json;

inline constexpr const char* lights_extension = "KHR_lights_punctual";

/// The shortest decimal that gives the same float back: 0.1, not 0.10000000149011612.
[[nodiscard]] Json number(float value);
[[nodiscard]] Json numbers(std::span<const float> values);

using effigy::to_text;
/// The same of sorted members, on one line.
[[nodiscard]] std::string to_text(const nlohmann::json& json);

/// Whether JSON is deeper than what can be written safely.
[[nodiscard]] bool nested_too_deep(std::string_view text);

/// The object that the text of an extras member is; nothing if it is no such text, or too deep.
[[nodiscard]] std::optional<nlohmann::json> parse_object(const std::string& text);

/// Views of records' bulk data are called so; readers take no others for them.
inline constexpr const char* record_view_name = "effigy";

/// Whether `extras.effigy` of a hidden node says that the node is what hits are tested against.
[[nodiscard]] bool is_collision(const nlohmann::json& effigy);

/// A node's member `rest` or `bind`: the numbers, or where that is shorter the base64 of their bits.
[[nodiscard]] nlohmann::json rest_json(const Transform& rest);
/// Of a node's `extras.effigy`; nothing if it has none that can be used.
[[nodiscard]] std::optional<Transform> rest_in(const nlohmann::json& effigy, const char* name = "rest");
/// hash_of() a node that stands there: where that is its hash, it has no member for it.
[[nodiscard]] std::uint64_t hash_at(const Transform& rest);

/// The member `name` of `object`, or null if there is none or `object` is no object.
[[nodiscard]] inline const nlohmann::json* member(const nlohmann::json& object, std::string_view name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

/// The elements of a member that is an array; nothing if it is none.
[[nodiscard]] inline const nlohmann::json& list_member(const nlohmann::json& object, std::string_view name) {
    static const nlohmann::json nothing = nlohmann::json::array();
    const nlohmann::json* const value = member(object, name);
    return value != nullptr && value->is_array() ? *value : nothing;
}

/// A number of 0 or more without a fraction: 3, and also 3.0, which some exporters write.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(const nlohmann::json& value) {
    constexpr double most = 9007199254740992.0;  // beyond, doubles have gaps
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= most) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

[[nodiscard]] inline std::optional<std::uint64_t> whole_member(const nlohmann::json& object, std::string_view name) {
    const nlohmann::json* const value = member(object, name);
    return value == nullptr ? std::nullopt : whole_number(*value);
}

/// As whole_member(), where a missing member means `fallback` and a wrong one nothing.
[[nodiscard]] inline std::optional<std::uint64_t> whole_member_or(const nlohmann::json& object, std::string_view name,
                                                                  std::uint64_t fallback) {
    const nlohmann::json* const value = member(object, name);
    return value == nullptr ? std::optional(fallback) : whole_number(*value);
}

/// Empty if there is no such text.
[[nodiscard]] inline std::string_view text_member(const nlohmann::json& object, std::string_view name) {
    const nlohmann::json* const value = member(object, name);
    return value != nullptr && value->is_string() ? std::string_view(value->get_ref<const std::string&>())
                                                  : std::string_view();
}

/// Null if there is no such extension.
[[nodiscard]] inline const nlohmann::json* extension_of(const nlohmann::json& object, std::string_view name) {
    const nlohmann::json* const extensions = member(object, "extensions");
    return extensions == nullptr ? nullptr : member(*extensions, name);
}

}  // namespace effigy::gltf
