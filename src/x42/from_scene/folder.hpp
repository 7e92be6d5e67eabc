#pragma once
/// What Space Trader wants beside a character: docs/conversion/x42.md, "In the game".

#include "effigy/registry.hpp"
#include "effigy/x42_scene.hpp"

namespace effigy::x42 {

/// Adds the skin, an icon, and a script for shaders that are more than a
/// texture. `files` has the model and its textures already; all names are from the game's root.
[[nodiscard]] Result<void> add_character(const Scene& scene, const File& model, const FromSceneOptions& options,
                                         const ConversionContext& context, Loaded<std::vector<NewFile>>& files);

}  // namespace effigy::x42
