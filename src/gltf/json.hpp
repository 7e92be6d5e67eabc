#pragma once
/// JSON as glTF wants it.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

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

/// Puts extras, if there are any, into `object.extras.effigy`, with `hash` over the object's data.
[[nodiscard]] Result<void> add_extras(Json& object, const Extras& extras, std::optional<std::uint64_t> hash,
                                      Steps steps);

}  // namespace effigy::gltf
