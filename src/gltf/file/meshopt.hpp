#pragma once
/// EXT_meshopt_compression.

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"

namespace effigy::gltf {

/// What says how a buffer view is compressed, or null if it is not.
[[nodiscard]] const nlohmann::json* meshopt_extension(const nlohmann::json& view);

/// The bytes of the view. Fails with "gltf-meshopt" and "limit-memory".
[[nodiscard]] Result<Bytes> decode_meshopt(const nlohmann::json& extension, std::span<const std::byte> compressed,
                                           const std::string& path, Budget& budget);

}  // namespace effigy::gltf
