#pragma once
/// JSON as glTF wants it.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "gltf/problem.hpp"

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

/// Puts extras, if there are any, into `object.extras`: what effigy knows into its member `effigy`, together with
/// `more` and with `hash` over the object's data; other custom properties beside it. Members of both come sorted.
[[nodiscard]] Result<void> add_extras(Json& object, const Extras& extras, std::optional<std::uint64_t> hash,
                                      Steps steps, const nlohmann::json& more = nlohmann::json::object());

/// Whether `extras.effigy` of a hidden node says that the node is what hits are tested against.
[[nodiscard]] bool is_collision(const nlohmann::json& effigy);

}  // namespace effigy::gltf
