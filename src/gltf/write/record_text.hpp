#pragma once
/// Records go from extras into the file as text: their members are sorted, but nothing is parsed into values and
/// printed again.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "gltf/file/json.hpp"

namespace effigy::gltf {

/// The text of one JSON object as nlohmann::json would print it once `more` are members of it. Nothing for a text that
/// is not as effigy writes it (blanks, escapes, letters beyond ASCII, members that stand twice, deep nesting, damage):
/// it has to be parsed then.
[[nodiscard]] std::optional<std::string> sorted_text(std::string_view object, const nlohmann::json& more);

}  // namespace effigy::gltf
