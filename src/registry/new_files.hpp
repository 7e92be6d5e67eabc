#pragma once
/// What families find beside the files that they read, and put beside those that they make of a scene.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/registry.hpp"
#include "effigy/scene.hpp"
#include "effigy/textures.hpp"

#include "scene/texture_names.hpp"

namespace effigy {

/// A file beside an input, on the disk or in `files`; nothing if there is none, or one that is larger.
[[nodiscard]] std::optional<Bytes> read_beside(const std::filesystem::path& path, const Files* files,
                                               std::uint64_t max_bytes);

/// By folders: the names in them, by these in lower case.
using Listings = std::map<std::string, std::map<std::string, std::set<std::string>>>;
/// The spelling of a file, or of a folder on its path, that is there already in another case only: the games see one of
/// the two. `name`: below the folder, with slashes.
[[nodiscard]] std::string spelled(const std::filesystem::path& folder, const std::string& name, Listings& listings);

/// What the pictures of a game are written as.
enum class TextureForm : std::uint8_t {
    keep,  ///< PNG or JPEG, as they are in the scene
    png,
    dds,  ///< BC1 where every pixel is opaque, else BC3, with all levels; sides that are powers of two
};
/// What the switch `textures-as` says; without it, DDS where `target` names a game.
[[nodiscard]] TextureForm texture_form(const OptionValues& options);

/// That an image of the scene is left out, because reading or changing it failed so.
[[nodiscard]] Diagnostic unusable_image(Index index, const Image& image, const Diagnostic& why);

struct ImageWriting {
    std::string_view mark;  ///< member that all records have that the family makes of materials
    GreenChannel green = GreenChannel::keep;
    TextureForm form = TextureForm::keep;
    Limits limits{};
    /// What mask_images() become; those of masks that would say nothing are left out. Nothing: they stay as they are.
    std::optional<image::MaskUse> mask{};
    /// Of a mod that has to have all its textures: those that it lacks are written, known or not. Empty: new ones only.
    std::filesystem::path folder{};
    /// Whose very files are written where they have a picture's pixels; null: none.
    const image::Library* textures = nullptr;
    /// Those that what is written refers to.
    Slots slots{};
    std::string_view marks = texture_marks;  ///< see texture_names()
};

struct OriginalTexture {
    std::filesystem::path path;
    Bytes bytes;  ///< unpacked
};
/// The DDS that textures have under a name ("x.dds"), gzipped or not; nothing if there is none.
[[nodiscard]] std::optional<OriginalTexture> original_dds(const image::Library& textures, std::string_view name);
/// Its bytes where it has the pixels of `picture` (alpha counts where that has any): what is compressed a second time
/// is not what it was. Nothing without `textures`.
[[nodiscard]] std::optional<Bytes> unedited_original(const image::Library* textures, std::string_view name,
                                                     const image::Picture& picture, const Limits& limits);

/// A square of one colour.
[[nodiscard]] image::Picture flat_picture(const Color& color, std::uint32_t size);
/// The scene with a picture of its colour for each new material that has a colour and no texture of it, where a game
/// knows colours by textures only, and with texture coordinates where such a material's mesh has none; nothing if there
/// are none such.
[[nodiscard]] std::optional<Scene> with_flat_textures(const Scene& scene, std::string_view mark);

/// The images that the game does not have yet (new_images()), under their names as textures (texture_names()) with an
/// extension. Images whose bytes are neither PNG, JPEG nor WebP are reported and left out. Normal maps, which are
/// green-up in a scene, are turned over for games whose maps are green-down.
[[nodiscard]] Report append_images(const Scene& scene, const ImageWriting& writing, std::vector<NewFile>& files);

}  // namespace effigy
