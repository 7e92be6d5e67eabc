#pragma once
/// Pictures: what game folders hold, turned into what glTF can hold.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::image {

enum class Kind : std::uint8_t { unknown, png, jpeg, dds, tga };

/// Recognised by content; a TGA has no magic and is recognised by a header that makes sense. Of a gzip file, what is
/// in it.
[[nodiscard]] Kind probe(std::span<const std::byte> bytes) noexcept;

[[nodiscard]] bool is_gzip(std::span<const std::byte> bytes) noexcept;
/// What is in a gzip file (its members, one after the other). Fails with "image-damaged", "image-truncated" or
/// "limit-memory".
[[nodiscard]] Result<Bytes> gunzip(std::span<const std::byte> bytes, const Limits& limits = {});

struct Dimensions {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// What the header of a PNG, JPEG or WebP says; nothing for others.
[[nodiscard]] std::optional<Dimensions> dimensions(std::span<const std::byte> bytes) noexcept;

/// 8-bit RGBA pixels, rows from top to bottom.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Bytes rgba;              ///< width * height * 4 bytes
    bool has_alpha = false;  ///< some pixel is not opaque
    Report report;           ///< damage that still left a picture: a JPEG that ends early, premultiplied alpha
};

/// Decodes PNG, JPEG, DDS (uncompressed, BC1-BC7; the largest level of the first face) and TGA, plain
/// or gzipped. Of BC6H, what lies outside 0..1 is cut off.
/// One channel (BC4, R8) becomes grey; two channels (BC5, R8G8) are taken for a normal, whose third is computed.
/// Without a limit of its own, a picture may take at least 256 MiB of memory.
[[nodiscard]] Result<Picture> decode(std::span<const std::byte> bytes, const Limits& limits = {});

/// Lossless PNG, without an alpha channel when every pixel is opaque. Deterministic. `quick` does not compress: for
/// pictures that are decoded again at once.
[[nodiscard]] Result<Bytes> encode_png(const Picture& picture, bool quick = false);

/// Lossless WebP, for the web. Deterministic.
[[nodiscard]] Result<Bytes> encode_webp(const Picture& picture);

enum class AnimationKind : std::uint8_t { webp, gif };

/// Pictures of one size, one after the other, into an endless loop. WebP is lossless; GIF has 256 colours, chosen over
/// all pictures, and alpha that is either there or not. Deterministic.
class AnimationEncoder {
public:
    /// `frame_time`: milliseconds for each picture (GIF: rounded to hundredths of a second).
    [[nodiscard]] static Result<AnimationEncoder> make(AnimationKind kind, std::uint32_t width, std::uint32_t height,
                                                       int frame_time);
    AnimationEncoder(AnimationEncoder&&) noexcept;
    AnimationEncoder& operator=(AnimationEncoder&&) noexcept;
    ~AnimationEncoder();

    [[nodiscard]] Result<void> add(const Picture& picture);
    /// The file. Nothing can be added afterwards.
    [[nodiscard]] Result<Bytes> finish();

private:
    struct State;
    explicit AnimationEncoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// Turns a green-down normal map into a green-up one or back.
void flip_green(Picture& picture) noexcept;

/// Finds texture files by the names that materials use: without regard to case, slashes, leading path or
/// extension, in the folders given, in their order (each folder searched recursively, once, on first use).
class Library {
public:
    explicit Library(std::vector<std::filesystem::path> folders);
    /// Of files that are not on the disk; find() gives one of the names.
    [[nodiscard]] static Library of_names(const std::vector<std::string>& names);

    /// The file for `name` ("HAB_Diffuse_4", "x.dds", "gfx\\anims\\x.tga"), or an empty path. The first folder that
    /// holds one decides. In it, a name with an extension prefers that very file; otherwise PNG, DDS, gzipped
    /// ones, TGA, JPEG in this order. A gzip file is called <name>.gz, <name>.dds.gz or the like.
    [[nodiscard]] std::filesystem::path find(std::string_view name) const;

private:
    struct Entry {
        std::string stem;       // lower case, no folder, no extension
        std::string extension;  // lower case, no dot
        std::filesystem::path path;
        std::size_t folder;  // its place among the folders given
    };
    void scan() const;
    void add(std::filesystem::path path, std::size_t folder) const;
    void sort() const;

    std::vector<std::filesystem::path> folders_;
    mutable std::vector<Entry> entries_;
    mutable bool scanned_ = false;
};

}  // namespace effigy::image
