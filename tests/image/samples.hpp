#pragma once
// Small pictures made for the tests, in every kind of file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "effigy/image.hpp"

namespace effigy::image::test {

using Data = std::vector<std::uint8_t>;
using Color = std::array<std::uint8_t, 4>;

[[nodiscard]] inline std::span<const std::byte> as_bytes(const Data& data) { return std::as_bytes(std::span(data)); }
[[nodiscard]] inline Result<Picture> decode(const Data& data, const Limits& limits = {}) {
    return image::decode(as_bytes(data), limits);
}
[[nodiscard]] Color pixel(const Picture& picture, std::uint32_t x, std::uint32_t y);

void put16(Data& data, std::uint32_t value);
void put32(Data& data, std::uint32_t value);
void append(Data& data, const Data& more);

// DDS_PIXELFORMAT and what follows from it.
struct DdsFormat {
    std::uint32_t flags = 0;
    std::string_view four_cc{};  // or none
    std::uint32_t bits = 0;
    std::array<std::uint32_t, 4> masks{};
    std::uint32_t dxgi = 0;  // a DX10 header follows if this is not 0
    std::uint32_t alpha_mode = 0;
};
[[nodiscard]] DdsFormat by_code(std::string_view four_cc);
[[nodiscard]] DdsFormat by_dxgi(std::uint32_t number);
[[nodiscard]] Data dds(std::uint32_t width, std::uint32_t height, const DdsFormat& format, const Data& pixels);

struct TgaFormat {
    std::uint8_t type = 2;
    std::uint8_t bits = 24;
    std::uint8_t descriptor = 0;
    std::uint16_t map_first = 0;
    std::uint16_t map_length = 0;
    std::uint8_t map_bits = 0;
};
[[nodiscard]] Data tga(std::uint16_t width, std::uint16_t height, const TgaFormat& format, const Data& rest);

struct PngFormat {
    int color_type = 0;
    int depth = 8;
    bool interlaced = false;
    std::vector<Color> palette{};
};
// `rows` holds packed rows as PNG stores them.
[[nodiscard]] Data png(std::uint32_t width, std::uint32_t height, const PngFormat& format, const Data& rows);

struct JpegFormat {
    int channels = 3;  // 1 grey, 3 RGB, 4 CMYK
    bool progressive = false;
};
[[nodiscard]] Data jpeg(std::uint32_t width, std::uint32_t height, const JpegFormat& format, const Data& pixels);

[[nodiscard]] Data webp(const Picture& picture, bool lossless);

[[nodiscard]] Data gzip(const Data& content);

// Any picture, with some pattern in it.
[[nodiscard]] Picture pattern(std::uint32_t width, std::uint32_t height, bool alpha);

// One small file of every kind and form, for tests that damage them.
[[nodiscard]] std::vector<Data> all_kinds();

}  // namespace effigy::image::test
