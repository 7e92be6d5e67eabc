#pragma once
/// Finding, decoding and placing the images that a scene names: one service for every family.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy {

enum class GreenChannel : std::uint8_t { keep, flip };

/// A texture that did not come from the folders.
struct FoundTexture {
    Bytes bytes;
    std::string name;              ///< for messages: where it was found
    std::filesystem::path file{};  ///< of the disk that has it, or is the archive that does; empty: none is known
};
/// Fails with "file-missing" for what it does not know.
using TextureSource = std::function<Result<FoundTexture>(std::string_view name)>;

/// How normal maps are stored.
enum class NormalLayout : std::uint8_t {
    automatic,    ///< two channels are x and y; BC3 with a constant red is alpha_green; else all three
    rgb,          ///< as they are
    alpha_green,  ///< "DXT5nm": x in alpha, y in green
};

struct TextureOptions {
    TextureSource source;                        ///< asked before the folders
    bool source_is_game = true;                  ///< whether messages advise to name a game's folder
    std::vector<std::filesystem::path> folders;  ///< searched in this order
    /// Instead of searching them: the file of a texture, or an empty path.
    std::function<std::filesystem::path(std::string_view name)> find{};
    GreenChannel normal_map_green = GreenChannel::flip;  ///< flip: DirectX-style normal maps become green-up
    NormalLayout normal_map_layout = NormalLayout::automatic;
    bool quick = false;  ///< do not compress what is stored as PNG: for pictures that are drawn, not written
    Limits limits;
};

/// Loads every image that has a name but no bytes: PNG and JPEG as they are, all else decoded and stored as PNG;
/// normal maps are flipped as asked; images of channels are put together. Files may be gzipped. Images that are not
/// found or not readable are reported and taken out of their materials. An image used both as a normal map and as
/// colour is stored twice. A base colour texture that has alpha makes no material transparent by itself; a blended
/// material whose base colour is opaque becomes opaque.
[[nodiscard]] Report load_textures(Scene& scene, const TextureOptions& options);

/// Gives meshes whose material has a normal map, and that have none, tangents: averaged dP/du, orthogonal to the
/// normal, w by the handedness of the UVs in glTF's sense (bitangent along -dP/dv). Reported.
[[nodiscard]] Report generate_missing_tangents(Scene& scene);

}  // namespace effigy
