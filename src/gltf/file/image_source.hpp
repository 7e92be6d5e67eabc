#pragma once
/// Where the images of a glTF file are.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "gltf/file/asset.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/buffers.hpp"

namespace effigy::gltf {

/// A file that is not there is no failure; one that may not be read is ("gltf-uri", "gltf-uri-outside").
[[nodiscard]] Result<EncodedImage> read_image(const nlohmann::json& root, std::uint64_t number, Buffers& buffers,
                                              AssetFiles& files, Budget& budget);

}  // namespace effigy::gltf
