#pragma once
/// Parsing JSON that may have been made to do harm.

#include <nlohmann/json.hpp>
#include <span>

#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace effigy::gltf {

/// The JSON of a glTF file. Fails with "gltf-json", and with "limit-memory" before a tree is made that is too large.
[[nodiscard]] Result<nlohmann::json> parse_asset(std::span<const std::byte> text, Budget& budget);

}  // namespace effigy::gltf
