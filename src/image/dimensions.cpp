/// How large a picture is, from its header alone.

#include <cstring>
#include <webp/decode.h>

#include "effigy/image.hpp"

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

}  // namespace

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
