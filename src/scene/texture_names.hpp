#pragma once
/// Images of a scene as files of a game.

#include <string>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

/// One name for each image, without folder and extension: plain characters, none twice whatever the case.
[[nodiscard]] std::vector<std::string> texture_names(const Scene& scene);

/// Images that the game does not have yet: they have bytes, and a material uses them that is not untouched.
[[nodiscard]] std::vector<Index> new_images(const Scene& scene);

}  // namespace effigy
