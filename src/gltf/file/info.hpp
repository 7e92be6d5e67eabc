#pragma once
/// What effigy info says of a .glb or .gltf.

#include <string_view>

#include "effigy/gltf_file.hpp"

#include "core/json.hpp"

namespace effigy::gltf {

/// What the JSON of a file says, as JSON: docs/json.md, "info". Buffers are not looked at.
[[nodiscard]] effigy::Json file_info(const File& file, std::string_view format);

}  // namespace effigy::gltf
