#pragma once
/// Images and materials made ready for shading.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
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

/// A texture slot with its image and its transform.
struct Map {
    const image::Picture* picture = nullptr;  ///< null: no texture
    std::uint32_t texcoord = 0;
    Wrap wrap_u = Wrap::repeat;
    Wrap wrap_v = Wrap::repeat;
    glm::mat2 turn{1};
    glm::vec2 offset{0};
    float strength = 1;

    [[nodiscard]] bool used() const noexcept { return picture != nullptr; }
    [[nodiscard]] glm::vec4 at(glm::vec2 uv, Encoding encoding) const noexcept {
        return sample(*picture, turn * uv + offset, wrap_u, wrap_v, encoding);
    }
};

struct Surface {
    glm::vec4 base{1};
    glm::vec3 emissive{0};
    float metallic = 0;
    float roughness = 1;
    float cutoff = 0.5f;
    AlphaMode alpha_mode = AlphaMode::opaque;
    bool double_sided = false;
    bool unlit = false;
    bool collision = false;  ///< translucent, with its edges; casts no shadow
    Map base_map, metallic_roughness_map, normal_map, occlusion_map, emissive_map;
};

/// The surfaces of a scene's materials, then one for triangles without material, then one for collision meshes.
struct Surfaces {
    std::vector<Surface> all;
    std::uint32_t texcoord_sets = 1;  ///< how many are used

    [[nodiscard]] std::uint32_t plain() const noexcept { return static_cast<std::uint32_t>(all.size()) - 2; }
    [[nodiscard]] std::uint32_t collision() const noexcept { return static_cast<std::uint32_t>(all.size()) - 1; }
};

/// `images` as decode_images() made them; they must stay where they are.
[[nodiscard]] Surfaces make_surfaces(const Scene& scene, std::span<const image::Picture> images);

}  // namespace effigy::render
