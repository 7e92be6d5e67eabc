/// What can be told of a picture without decoding it: how large it is, by its header, and whether its end is there.

#include <cstring>
#include <string_view>
#include <webp/decode.h>

#include "effigy/image.hpp"

#include "core/text.hpp"

namespace effigy::image {
namespace {

std::uint32_t big_endian(std::span<const std::byte> bytes) noexcept {
    std::uint32_t value = 0;
    for (const std::byte one : bytes) value = value << 8 | std::to_integer<std::uint32_t>(one);
    return value;
}

std::optional<Dimensions> of_png(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < 24) return std::nullopt;
    return Dimensions{big_endian(bytes.subspan(16, 4)), big_endian(bytes.subspan(20, 4))};
}

/// A frame header begins with ff c0 to ff cf, but for three that are something else.
bool is_frame(unsigned marker) noexcept {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

std::optional<Dimensions> of_jpeg(std::span<const std::byte> bytes) noexcept {
    for (std::size_t at = 2; at + 9 <= bytes.size();) {
        if (bytes[at] != std::byte{0xff}) return std::nullopt;
        const auto marker = std::to_integer<unsigned>(bytes[at + 1]);
        if (marker == 0xff) {  // filling
            ++at;
            continue;
        }
        if (is_frame(marker))
            return Dimensions{big_endian(bytes.subspan(at + 7, 2)), big_endian(bytes.subspan(at + 5, 2))};
        at += 2 + big_endian(bytes.subspan(at + 2, 2));
    }
    return std::nullopt;
}

std::optional<Dimensions> of_webp(std::span<const std::byte> bytes) noexcept {
    int width = 0, height = 0;
    if (WebPGetInfo(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &width, &height) == 0)
        return std::nullopt;
    return Dimensions{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

bool has_end_of_png(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t signature = 8, around = 12;  // length, type and checksum of a chunk
    for (std::uint64_t at = signature; at + around <= bytes.size();) {
        const auto chunk = bytes.subspan(static_cast<std::size_t>(at));
        if (std::memcmp(chunk.data() + 4, "IEND", 4) == 0) return true;
        at += around + big_endian(chunk.first(4));
    }
    return false;
}

/// Behind the last scan, in whose data no marker stands but those that restart it.
bool has_end_of_jpeg(std::span<const std::byte> bytes) noexcept {
    const std::string_view text = as_text(bytes);
    const std::size_t scan = text.rfind("\xff\xda"), end = text.rfind("\xff\xd9");
    return scan != std::string_view::npos && end != std::string_view::npos && scan < end;
}

}  // namespace

bool is_cut_off(std::span<const std::byte> bytes) noexcept {
    switch (probe(bytes)) {
        case Kind::png:
            return !has_end_of_png(bytes);
        case Kind::jpeg:
            return !has_end_of_jpeg(bytes);
        default:
            return false;
    }
}

std::optional<Dimensions> dimensions(std::span<const std::byte> bytes) noexcept {
    switch (probe(bytes)) {
        case Kind::png:
            return of_png(bytes);
        case Kind::jpeg:
            return of_jpeg(bytes);
        default:
            return bytes.size() >= 12 && std::memcmp(bytes.data() + 8, "WEBP", 4) == 0 ? of_webp(bytes) : std::nullopt;
    }
}

}  // namespace effigy::image
