#pragma once
/// What families find beside the files that they read, and put beside those that they make of a scene.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/scene.hpp"
#include "effigy/textures.hpp"

namespace effigy {

/// A file beside an input, on the disk or in `files`; nothing if there is none, or one that is larger.
[[nodiscard]] std::optional<Bytes> read_beside(const std::filesystem::path& path, const Files* files,
                                               std::uint64_t max_bytes);

/// The images that the game does not have yet (new_images()), under their names as textures (texture_names()) with
/// ".png" or ".jpg" behind them. Images whose bytes are neither are reported and left out. Normal maps, which are
/// green-up in a scene, are turned over for games whose maps are green-down. All records that the family makes of
/// materials have the member `mark`.
[[nodiscard]] Report append_images(const Scene& scene, std::string_view mark, GreenChannel green,
                                   std::vector<NewFile>& files);

}  // namespace effigy
