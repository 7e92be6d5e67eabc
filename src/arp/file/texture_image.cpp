/// The texture inside an ARP avatar as an image: rows found by sizes, flipped where needed, as PNG.

#include "arp/file/texture_image.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "effigy/arp_codes.hpp"

#include "arp/file/layout_elements.hpp"
#include "core/hasher.hpp"
#include "core/problem.hpp"

namespace effigy::arp {

namespace {

using Block = std::span<const std::byte>;

constexpr std::size_t png_flag = 2, jib_flag = 4, flipped_flag = 5;
constexpr std::size_t size_fields = 8;  // width and height

std::uint32_t u32_at(Block bytes, std::size_t offset) noexcept {
    std::uint32_t value = 0;
    for (std::size_t byte = 4; byte-- > 0;) value = value << 8U | std::to_integer<std::uint32_t>(bytes[offset + byte]);
    return value;
}

Diagnostic problem(const Code& code, std::string message, std::string found = {}, std::string expected = {}) {
    return problem_at("image", code, std::move(message), std::move(found), std::move(expected));
}

/// Width and height that explain every byte of a block, and the rows behind them.
struct Rows {
    std::uint32_t width = 0, height = 0;
    Block bytes;
};

std::optional<Rows> rows_at(Block block) noexcept {
    if (block.size() < size_fields) return std::nullopt;
    const Rows rows{u32_at(block, 0), u32_at(block, 4), block.subspan(size_fields)};
    if (rows.width == 0 || rows.height == 0) return std::nullopt;
    const std::uint64_t pixels = std::uint64_t{rows.width} * rows.height;
    if (rows.bytes.size() % 4 != 0 || pixels != rows.bytes.size() / 4) return std::nullopt;
    return rows;
}

/// The size in front of a block is inside what was compressed, and outside what was not.
std::optional<Rows> find_rows(Block block) noexcept {
    if (const auto rows = rows_at(block)) return rows;
    if (block.size() < 4) return std::nullopt;
    const std::uint64_t size = u32_at(block, 0), rest = block.size() - 4;
    // Counted with width and height, or without them.
    if (size != rest && size + size_fields != rest) return std::nullopt;
    return rows_at(block.subspan(4));
}

Result<image::Picture> picture_of(Block block, bool bottom_first, std::uint64_t budget) {
    const auto rows = find_rows(block);
    if (!rows) {
        const std::string sizes =
            block.size() < size_fields
                ? std::string()
                : ", which begin with " + std::to_string(u32_at(block, 0)) + " and " + std::to_string(u32_at(block, 4));
        return fail(problem(codes::arp_texture_size,
                            "The embedded texture's width and height do not suit its bytes: it cannot be decoded.",
                            std::to_string(block.size()) + " bytes" + sizes, "width, height, 4 bytes for each pixel"));
    }
    if (rows->bytes.size() > budget)
        return fail(problem(codes::limit_memory, "The embedded texture takes more memory than the limit allows.",
                            std::to_string(rows->bytes.size()) + " bytes", "at most " + std::to_string(budget)));
    image::Picture picture;
    picture.width = rows->width;
    picture.height = rows->height;
    picture.rgba.resize(rows->bytes.size());
    const std::size_t stride = std::size_t{rows->width} * 4;
    for (std::size_t row = 0; row < rows->height; ++row) {
        const std::size_t from = bottom_first ? rows->height - 1 - row : row;
        std::memcpy(picture.rgba.data() + row * stride, rows->bytes.data() + from * stride, stride);
    }
    for (std::size_t alpha = 3; alpha < picture.rgba.size() && !picture.has_alpha; alpha += 4)
        picture.has_alpha = picture.rgba[alpha] != std::byte{0xff};
    return picture;
}

/// As images are bounded: without a limit of its own, a texture may take at least 256 MiB.
std::uint64_t budget_of(const Limits& limits, std::size_t size) noexcept {
    constexpr std::uint64_t mebibyte = 1 << 20;
    if (limits.memory != 0) return limits.memory;
    return std::max<std::uint64_t>(256 * mebibyte, 64 * mebibyte + 16 * std::uint64_t{size});
}

Result<image::Picture> decode(const File& file, const Limits& limits) {
    const Block stored = file.texture.image;
    // The bytes know better than the flags what they are; a JIB's first byte is not that of any file of these.
    const image::Kind kind = image::is_gzip(stored) ? image::Kind::unknown : image::probe(stored);
    if (kind == image::Kind::png || kind == image::Kind::jpeg) return image::decode(stored, limits);
    if (file.layout.texture == TextureForm::named && file.texture.flags[jib_flag] == 0)
        return image::decode(stored, limits);

    const bool bottom_first = !is_flipped(file);
    const std::uint64_t budget = budget_of(limits, stored.size());
    if (!image::is_gzip(stored)) return picture_of(stored, bottom_first, budget);
    Limits left = limits;
    left.memory = budget;
    const auto block = image::gunzip(stored, left);
    if (!block) return fail(block.error());
    return picture_of(*block, bottom_first, budget - std::min<std::uint64_t>(budget, block->size()));
}

std::optional<Diagnostic> why_none(const File& file) {
    if (!has_image(file))
        return problem(codes::arp_texture_missing, "The avatar has no embedded texture.", "", "an embedded image");
    if (file.texture.image.empty())
        return problem(codes::arp_texture_size, "The embedded texture has no bytes: there is nothing to decode.",
                       "0 bytes", "an image");
    return std::nullopt;
}

}  // namespace

bool is_flipped(const File& file) noexcept {
    if (file.layout.texture == TextureForm::flag) return false;
    const auto& flags = file.texture.flags;
    // Players take an image of no kind for a PNG that is upside down already.
    return flags[flipped_flag] != 0 || (flags[png_flag] == 0 && flags[jib_flag] == 0);
}

Result<image::Picture> texture_picture(const File& file, const Limits& limits) {
    if (auto why = why_none(file)) return fail(std::move(*why));
    try {
        return decode(file, limits);
    } catch (const std::bad_alloc&) {
        return fail(problem(codes::limit_memory, "There is not enough memory for the embedded texture."));
    }
}

Result<Bytes> texture_png(const File& file, const Limits& limits) {
    if (auto why = why_none(file)) return fail(std::move(*why));
    const Bytes& stored = file.texture.image;
    if (!image::is_gzip(stored) && image::probe(stored) == image::Kind::png) {
        // Nobody is served by a file that cannot be decoded.
        const auto picture = texture_picture(file, limits);
        if (!picture) return fail(picture.error());
        try {
            return stored;
        } catch (const std::bad_alloc&) {
            return fail(problem(codes::limit_memory, "There is not enough memory for the embedded texture."));
        }
    }
    const auto picture = texture_picture(file, limits);
    if (!picture) return fail(picture.error());
    return image::encode_png(*picture);
}

std::string image_hash(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add(bytes);
    return hash_text(hasher.digest());
}

}  // namespace effigy::arp
