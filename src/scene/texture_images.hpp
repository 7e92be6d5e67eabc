#pragma once
/// The pictures of a scene's images: read, converted to what glTF has, or put together from channels.

#include <optional>
#include <vector>

#include "effigy/textures.hpp"

namespace effigy {

/// What materials do with an image.
struct ImageUse {
    bool as_color = false;  ///< in any slot but that of a normal map
    bool as_normal_map = false;
    std::vector<Index> materials;  ///< increasing
};

/// Where the slots of an image lead once it is loaded.
struct ImageTarget {
    Index color = no_index;
    Index normal_map = no_index;
    std::optional<bool> has_alpha{};  ///< of the picture; images that were not loaded here are not looked into
};

/// Loads the images that materials use and that have no content yet; adds some for normal maps. One use and one target
/// for each image of the scene as it comes. Where an image has no texture but constants, materials' factors get them.
[[nodiscard]] std::vector<ImageTarget> load_images(Scene& scene, const TextureOptions& options,
                                                   const std::vector<ImageUse>& uses, Report& report);

}  // namespace effigy
