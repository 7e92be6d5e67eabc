#pragma once
/// A small glTF asset that has something of everything.

#include "gltf_read/asset_builder.hpp"

namespace effigy::gltf_test {

/// A skinned, morphing, animated triangle with a picture and a sparse accessor.
[[nodiscard]] AssetBuilder rich_asset();

}  // namespace effigy::gltf_test
