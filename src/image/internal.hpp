#pragma once
/// What the decoders share.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "effigy/core_codes.hpp"
#include "effigy/image.hpp"

namespace effigy::image::detail {

// Diagnostics with stable codes.

[[nodiscard]] Diagnostic problem(const Code& code, std::string message, std::string found = {},
                                 std::string expected = {}, std::uint64_t offset = no_offset);
[[nodiscard]] Diagnostic truncated(std::uint64_t found_bytes, std::uint64_t expected_bytes);

// The bytes that decoding an input of this size may take up.
[[nodiscard]] std::uint64_t memory_budget(const Limits& limits, std::uint64_t input_size) noexcept;

// An opaque or transparent picture's block, once its size and the decoder's `scratch` bytes are known to fit.
[[nodiscard]] Result<Picture> make_picture(std::uint32_t width, std::uint32_t height, std::uint64_t scratch,
                                           std::uint64_t budget);

[[nodiscard]] bool any_transparent(const Picture& picture) noexcept;

// Does the picture have pixels, as many as its size says?
[[nodiscard]] Result<void> check_size(const Picture& picture);

[[nodiscard]] inline std::uint8_t* pixels_of(Picture& picture) noexcept {
    return reinterpret_cast<std::uint8_t*>(picture.rgba.data());
}
[[nodiscard]] inline const std::uint8_t* pixels_of(const Picture& picture) noexcept {
    return reinterpret_cast<const std::uint8_t*>(picture.rgba.data());
}
[[nodiscard]] inline std::size_t row_bytes(const Picture& picture) noexcept { return std::size_t{picture.width} * 4; }

[[nodiscard]] inline std::uint16_t u16_at(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[offset]) |
                                      std::to_integer<unsigned>(bytes[offset + 1]) << 8U);
}
[[nodiscard]] inline std::uint32_t u32_at(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    return std::uint32_t{u16_at(bytes, offset)} | std::uint32_t{u16_at(bytes, offset + 2)} << 16U;
}

// One decoder a kind. The input has been recognised by probe(); `budget` is in bytes.
[[nodiscard]] Result<Picture> decode_png(std::span<const std::byte> bytes, std::uint64_t budget);
[[nodiscard]] Result<Picture> decode_jpeg(std::span<const std::byte> bytes, std::uint64_t budget);
[[nodiscard]] Result<Picture> decode_dds(std::span<const std::byte> bytes, std::uint64_t budget);
[[nodiscard]] Result<Picture> decode_tga(std::span<const std::byte> bytes, std::uint64_t budget);
[[nodiscard]] Result<Picture> decode_webp(std::span<const std::byte> bytes, std::uint64_t budget);

// What is inside a gzip file; bombs end at the budget.
[[nodiscard]] Result<Bytes> inflate_gzip(std::span<const std::byte> bytes, std::uint64_t budget);
// Its first bytes, as far as they can be read; how many.
[[nodiscard]] std::size_t inflate_head(std::span<const std::byte> bytes, std::span<std::byte> head) noexcept;

// The fixed part of a TGA file.
struct TgaHeader {
    static constexpr std::size_t size = 18;

    std::uint8_t id_length = 0;
    std::uint8_t color_map_type = 0;
    std::uint8_t image_type = 0;
    std::uint16_t color_map_first = 0;
    std::uint16_t color_map_length = 0;
    std::uint8_t color_map_bits = 0;
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::uint8_t pixel_bits = 0;
    std::uint8_t descriptor = 0;

    [[nodiscard]] bool indexed() const noexcept { return color_map_type == 1; }
    [[nodiscard]] bool grey() const noexcept { return image_type == 3 || image_type == 11; }
    [[nodiscard]] bool run_length_encoded() const noexcept { return image_type >= 8; }
};
// `bytes` must hold the header.
[[nodiscard]] TgaHeader read_tga_header(std::span<const std::byte> bytes) noexcept;
// Nothing else marks a TGA: do the header's fields fit together?
[[nodiscard]] bool makes_sense(const TgaHeader& header) noexcept;

// A decoded 4 x 4 block: rows from top to bottom, RGBA.
using BlockPixels = std::array<std::uint8_t, 64>;
using Block8 = std::span<const std::byte, 8>;
using Block16 = std::span<const std::byte, 16>;

// The 16 values of a BC4 block, which is also each half of a BC5 block. Signed values -1..1 become 0..255.
[[nodiscard]] std::array<std::uint8_t, 16> decode_bc4(Block8 block) noexcept;
[[nodiscard]] std::array<std::uint8_t, 16> decode_bc4_signed(Block8 block) noexcept;
// Values outside 0..1 are cut off; blocks of a reserved mode come out black.
[[nodiscard]] BlockPixels decode_bc6h(Block16 block, bool is_signed) noexcept;
// Blocks of the reserved mode come out as transparent black, as Direct3D defines it.
[[nodiscard]] BlockPixels decode_bc7(Block16 block) noexcept;

}  // namespace effigy::image::detail
