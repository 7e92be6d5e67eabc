#pragma once
/// Images as a material sees them.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "core/srgb.hpp"

namespace effigy::render {

/// What the first three channels of an image hold.
enum class Encoding : std::uint8_t { srgb, plain };

/// The value of an image at `uv` (v = 0 at the top), between its texels, in linear numbers.
[[nodiscard]] glm::vec4 sample(const image::Picture& picture, glm::vec2 uv, Wrap wrap_u, Wrap wrap_v,
                               Encoding encoding) noexcept;

/// All images that the scene's materials use, decoded; ones that cannot be are reported and stay without pixels.
[[nodiscard]] Loaded<std::vector<image::Picture>> decode_images(const Scene& scene, const Limits& limits);

}  // namespace effigy::render
