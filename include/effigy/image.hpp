#pragma once
/// Pictures: what game folders hold, turned into what glTF can hold.

#include <array>
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

enum class Kind : std::uint8_t { unknown, png, jpeg, dds, tga, webp };

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

/// Whether a PNG or JPEG lacks its end, as what was copied in part does. No pixel is looked at.
[[nodiscard]] bool is_cut_off(std::span<const std::byte> bytes) noexcept;

/// 8-bit RGBA pixels, rows from top to bottom.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Bytes rgba;              ///< width * height * 4 bytes
    bool has_alpha = false;  ///< some pixel is not opaque
    Report report;           ///< damage that still left a picture: a JPEG that ends early, premultiplied alpha
};

/// Decodes PNG, JPEG, DDS (uncompressed, BC1-BC7; the largest level of the first face), TGA and WebP (not animated),
/// plain or gzipped. Of BC6H, what lies outside 0..1 is cut off.
/// One channel (BC4, R8) becomes grey; two channels (BC5, R8G8) are taken for a normal, whose third is computed.
/// Without a limit of its own, a picture may take at least 256 MiB of memory.
[[nodiscard]] Result<Picture> decode(std::span<const std::byte> bytes, const Limits& limits = {});

/// Lossless PNG, without an alpha channel when every pixel is opaque. Deterministic. `quick` does not compress: for
/// pictures that are decoded again at once.
[[nodiscard]] Result<Bytes> encode_png(const Picture& picture, bool quick = false);

/// What the channels mean, which decides how they are averaged.
enum class Role : std::uint8_t {
    color,   ///< sRGB: averaged as light
    linear,  ///< masks, smoothness, metalness, ...: as the numbers that they are, alpha like any other channel
    normal,  ///< vectors in red, green and blue: averaged and made as long as one again
};

struct Filtering {
    Role role = Role::color;
    bool alpha_is_opacity = true;         ///< of `color`: a colour counts as much as can be seen of it
    std::optional<float> alpha_cutoff{};  ///< of `color`: as many pixels have this alpha or more as did before
};

/// The picture in another size, each pixel the average of the area that it stands for; enlarged bilinearly. Edges are
/// those of textures that repeat. Fails with "image-size" or "limit-memory".
[[nodiscard]] Result<Picture> resized(const Picture& picture, std::uint32_t width, std::uint32_t height,
                                      const Filtering& filtering = {}, const Limits& limits = {});
/// The power of two that is the least times larger or smaller; of two, the larger.
[[nodiscard]] std::uint32_t nearest_power_of_two(std::uint32_t size) noexcept;
/// Resizes a picture with other sides to the nearest powers of two; whether there was need. Fails as resized().
[[nodiscard]] Result<bool> resize_to_powers_of_two(Picture& picture, const Filtering& filtering = {},
                                                   const Limits& limits = {});

enum class DdsCoding : std::uint8_t {
    bc1,           ///< "DXT1": colour; alpha below one half (or below the cutoff) is transparent black
    bc3,           ///< "DXT5": colour and alpha
    bc4,           ///< "ATI1": red
    bc5,           ///< "ATI2": red, then green
    uncompressed,  ///< BGRA, or BGR where every pixel is opaque; 8 bits each
};

struct DdsOptions {
    DdsCoding coding = DdsCoding::bc3;
    bool mips = true;  ///< all levels down to 1 x 1, or only the first
    Filtering filtering;
    bool gzip = false;  ///< the file within a gzip file
};

/// A DDS file with the header that every program knows, without the DX10 one. BC1 and BC3 by libsquish's slowest and
/// best method, on all processors. Level n + 1 has half as many pixels on each side as level n, rounded down, at least
/// one; the first level holds the picture as it is. Deterministic. Fails with "image-size" or "limit-memory".
[[nodiscard]] Result<Bytes> encode_dds(const Picture& picture, const DdsOptions& options = {},
                                       const Limits& limits = {});

/// A gzip file without a name or time in it: the same for the same content. Fails with "limit-memory".
[[nodiscard]] Result<Bytes> gzip(std::span<const std::byte> bytes);

/// Lossless WebP, for the web. Deterministic.
[[nodiscard]] Result<Bytes> encode_webp(const Picture& picture);

enum class AnimationKind : std::uint8_t { webp, gif };

/// Pictures of one size, one after the other, into an endless loop. WebP is lossless; GIF has 256 colours, chosen over
/// all pictures, and alpha that is either there or not. Deterministic.
class AnimationEncoder {
public:
    /// `frame_time`: milliseconds for each picture. Files have whole milliseconds (GIF: hundredths of a second); each
    /// picture begins at the nearest, so that the whole lasts as long as it should.
    [[nodiscard]] static Result<AnimationEncoder> make(AnimationKind kind, std::uint32_t width, std::uint32_t height,
                                                       double frame_time);
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
/// Every pixel opaque: for maps whose alpha would mean something else.
void drop_alpha(Picture& picture) noexcept;

/// Each channel's light (alpha: number) times a share of it, at least 0.
void tint(Picture& picture, const std::array<float, 4>& shares);
/// Darkens what ambient light does not reach, as glTF's occlusion texture says it, for games that have no such map.
/// Fails as resized().
[[nodiscard]] Result<void> darken(Picture& picture, const Picture& occlusion, float strength,
                                  const Limits& limits = {});

/// X4's smoothness map of glTF's metallic-roughness texture, whose green is roughness: grey, 1 - green * factor. With
/// it belongs no `Smoothness`. The inverse of what reading does.
[[nodiscard]] Picture smoothness_map(const Picture& metallic_roughness, float roughness_factor = 1);
/// X4's metalness map of the same, whose blue is metalness: grey, blue * factor. With it belongs no `Metallness`.
[[nodiscard]] Picture metalness_map(const Picture& metallic_roughness, float metallic_factor = 1);

/// X4's glow map: the factor's colour is in it, its strength beside it.
struct GlowMap {
    Picture picture;     ///< alpha 0: in the game it strengthens the glow up to ten times
    float strength = 0;  ///< `color_glowStr`
};
/// Of glTF's emissive texture (sRGB) and factor (linear).
[[nodiscard]] GlowMap glow_map(const Picture& emissive, const std::array<float, 3>& factor);

/// What the red, green and blue of the mask in the specular slot of the Paradox games' materials are for.
enum class MaskUse : std::uint8_t {
    highlight_and_colors,      ///< Europa Universalis III: strength of the highlight, first and second country colour
    colors,                    ///< Victoria 2: third, first and second country colour
    highlight_and_brightness,  ///< Hearts of Iron 3: strength of the highlight, brightness, share of terrain colour
};
/// The mask of a surface without country colours. Where red is the highlight, it is 1 - green * factor of glTF's
/// metallic-roughness texture (inferred: glTF has no word for the mask, and reading makes nothing of it).
[[nodiscard]] Picture paradox_mask(MaskUse use, const Picture& metallic_roughness, float roughness_factor = 1);

/// A PNG, JPEG, DDS or gzip file that says for which model it was written, without regard to case; other pictures as
/// they are. No pixel changes.
[[nodiscard]] Bytes with_origin(Bytes picture, std::string_view model);
/// Whether a picture says so, and nobody has changed it since.
[[nodiscard]] bool was_written_for(std::span<const std::byte> picture, std::string_view model);
[[nodiscard]] bool is_same_but_for_origin(std::span<const std::byte> a, std::span<const std::byte> b);

/// Finds texture files by the names that materials use: without regard to case or slashes, whatever their path or
/// extension, in the folders given, in their order (each folder searched recursively, once, on first use).
class Library {
public:
    explicit Library(std::vector<std::filesystem::path> folders);
    /// Of files that are not on the disk; find() gives one of the names.
    [[nodiscard]] static Library of_names(const std::vector<std::string>& names);

    /// The file for `name` ("HAB_Diffuse_4", "x.dds", "gfx\\anims\\x.tga"), or an empty path. The first folder that
    /// holds one decides; in it, which file has most of the name's own folders above it, counted from the file; then
    /// which lies least deep; then the kind: a name with an extension prefers that very file, otherwise PNG, DDS,
    /// gzipped ones, TGA, JPEG, WebP in this order. A gzip file is called <name>.gz, <name>.dds.gz or the like.
    [[nodiscard]] std::filesystem::path find(std::string_view name) const;

private:
    struct Entry {
        std::string stem;       // lower case, no folder, no extension
        std::string extension;  // lower case, no dot
        std::filesystem::path path;
        std::size_t folder;  // its place among the folders given
        std::string place;   // all of its path, in lower case with slashes
        std::size_t depth;   // folders between it and the one given
    };
    void scan() const;
    // `root`: how much of the path is the folder that is searched, whose own place stands before what is below it.
    void add(std::filesystem::path path, std::size_t folder, std::size_t root, const std::string& root_place) const;
    void sort() const;

    std::vector<std::filesystem::path> folders_;
    mutable std::vector<Entry> entries_;
    mutable bool scanned_ = false;
};

}  // namespace effigy::image
