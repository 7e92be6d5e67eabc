#pragma once
/// The files of textures, found by name, read and decoded: from a game's source, or from folders.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "effigy/textures.hpp"

namespace effigy {

/// The name of a texture as sources and materials spell it: any case, either slash.
[[nodiscard]] std::string texture_key(std::string_view name);

/// A path for messages.
[[nodiscard]] std::string path_text(const std::filesystem::path& path);

struct TextureFile {
    std::string name;     ///< for messages: where it was found
    Result<Bytes> bytes;  ///< or why it cannot be read
};

class TextureFiles {
public:
    explicit TextureFiles(const TextureOptions& options) : options_(options), library_(options.folders) {}

    /// Nothing if the source has no such texture.
    [[nodiscard]] std::optional<TextureFile> from_source(const std::string& name) const;
    /// An empty path if the folders have no such texture.
    [[nodiscard]] std::filesystem::path in_folders(std::string_view name) const;
    /// What stands at a path of in_folders().
    [[nodiscard]] TextureFile read(const std::filesystem::path& path) const;
    /// From the source or the folders; nothing if there is no such texture. What the source cannot read is called by
    /// the texture's name.
    [[nodiscard]] std::optional<TextureFile> find(const std::string& name) const;
    /// What a gzipped file holds takes its place.
    [[nodiscard]] Result<image::Picture> decode(Bytes& file) const;

private:
    const TextureOptions& options_;
    image::Library library_;
};

}  // namespace effigy
