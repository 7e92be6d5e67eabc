#pragma once
/// What is said of textures that are missing or damaged.

#include <string>
#include <string_view>
#include <vector>

#include "effigy/textures.hpp"

namespace effigy {

[[nodiscard]] std::string in_quotes(std::string_view name);

/// `image`: the one that is left out, or would be put together from the texture; `materials`: those that use it.
[[nodiscard]] Diagnostic missing_texture(const Scene& scene, const TextureOptions& options, std::string_view name,
                                         Index image, const std::vector<Index>& materials);
/// Likewise, of a texture in `file`.
[[nodiscard]] Diagnostic damaged_texture(const Scene& scene, std::string_view name, Index image,
                                         const std::vector<Index>& materials, const std::string& file,
                                         const Diagnostic& cause);
/// What was noticed while a file was decoded, as findings about the image.
[[nodiscard]] Report noticed_in_texture(Report noticed, const std::string& file, Index image);

}  // namespace effigy
