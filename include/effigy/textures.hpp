#pragma once
/// Finding, decoding and placing the images that a scene names: one service for every family.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

enum class GreenChannel : std::uint8_t { keep, flip };

struct TextureOptions {
    std::vector<std::filesystem::path> folders;          ///< searched in this order
    GreenChannel normal_map_green = GreenChannel::flip;  ///< flip: DirectX-style normal maps become green-up
    bool quick = false;  ///< do not compress what is stored as PNG: for pictures that are drawn, not written
    Limits limits;
};

/// Loads every image that has a name but no bytes: PNG and JPEG as they are, all else decoded and stored as PNG;
/// normal maps are flipped as asked. Images that are not found or not readable are reported and taken out of their
/// materials. An image used both as a normal map and as colour is stored twice. A base colour texture that has
/// alpha makes no material transparent by itself; a blended material whose base colour is opaque becomes opaque.
[[nodiscard]] Report load_textures(Scene& scene, const TextureOptions& options);

/// Gives meshes whose material has a normal map, and that have none, tangents: averaged dP/du, orthogonal to the
/// normal, w by the handedness of the UVs in glTF's sense (bitangent along -dP/dv). Reported.
[[nodiscard]] Report generate_missing_tangents(Scene& scene);

}  // namespace effigy
