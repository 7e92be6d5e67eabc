/// TGA through stb_image, once the file is known to hold what its header declares: stb_image itself does not tell a
/// file that ends early, nor does it know of alpha in 16 bits, or of colour maps that start elsewhere.

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_FAILURE_STRINGS
#define STBI_MALLOC(size) std::calloc(1, size)  // so that no byte of a picture is ever left unset
#define STBI_REALLOC(block, size) std::realloc(block, size)
#define STBI_FREE(block) std::free(block)
#include <stb/stb_image.h>

#include "effigy/image_codes.hpp"

#include "internal.hpp"

namespace effigy::image::detail {

namespace {

constexpr std::uint64_t largest_map = std::uint64_t{UINT16_MAX} * 4;  // in bytes

constexpr std::uint64_t bytes_for(std::uint64_t bits) noexcept { return (bits + 7) / 8; }

// Where the packets of `pixels` pixels end, which is beyond `bytes` if they are cut off.
std::uint64_t end_of_packets(std::span<const std::byte> bytes, std::uint64_t position, std::uint64_t pixels,
                             std::uint64_t pixel_bytes) noexcept {
    while (pixels > 0) {
        if (position >= bytes.size()) return position + 1;
        const auto command = std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(position)]);
        const std::uint64_t count = (command & 127U) + 1;
        position += 1 + pixel_bytes * ((command & 128U) != 0 ? 1 : count);
        pixels -= std::min(pixels, count);
    }
    return position;
}

// Where the pixels end in the file. The last packet may declare more of them than the picture has.
std::uint64_t end_of_pixels(std::span<const std::byte> bytes, const TgaHeader& header) noexcept {
    std::uint64_t position = TgaHeader::size + std::uint64_t{header.id_length};
    if (header.indexed()) position += std::uint64_t{header.color_map_length} * bytes_for(header.color_map_bits);
    const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
    const std::uint64_t pixel_bytes = bytes_for(header.pixel_bits);
    if (!header.run_length_encoded()) return position + pixels * pixel_bytes;
    return end_of_packets(bytes, position, pixels, pixel_bytes);
}

void mirror_rows(Picture& picture) noexcept {
    for (std::uint32_t row = 0; row < picture.height; ++row) {
        std::uint8_t* left = pixels_of(picture) + row * row_bytes(picture);
        std::uint8_t* right = left + row_bytes(picture) - 4;
        for (; left < right; left += 4, right -= 4) std::swap_ranges(left, left + 4, right);
    }
}

// What stb_image reads as the colours of a map, in a copy of the file: the entries in front of its first one, too. They
// are black, as nothing says what they are.
Bytes with_whole_map(std::span<const std::byte> bytes, const TgaHeader& header) {
    const std::size_t map = TgaHeader::size + std::size_t{header.id_length};
    const std::size_t length = std::size_t{header.color_map_first} + header.color_map_length;
    Bytes whole(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(map));
    whole[3] = whole[4] = std::byte{0};
    whole[5] = static_cast<std::byte>(length & 0xFFU);
    whole[6] = static_cast<std::byte>(length >> 8U);
    whole.resize(map + static_cast<std::size_t>(header.color_map_first * bytes_for(header.color_map_bits)),
                 std::byte{0});
    whole.insert(whole.end(), bytes.begin() + static_cast<std::ptrdiff_t>(map), bytes.end());
    return whole;
}

// Grey with alpha has 16 bits, too, of which stb_image gives both bytes as they are.
Bytes with_grey_for_colors(std::span<const std::byte> bytes) {
    Bytes grey(bytes.begin(), bytes.end());
    grey[2] |= std::byte{1};
    return grey;
}

// From the grey and the alpha that the two bytes were read as. A bit of 1 is opaque, as in Direct3D's A1R5G5B5.
void expand_sixteen_bits(Picture& picture) noexcept {
    const auto channel = [](unsigned color) { return static_cast<std::uint8_t>((color & 31U) * 255U / 31U); };
    std::uint8_t* pixels = pixels_of(picture);
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        const unsigned color = pixels[i] | static_cast<unsigned>(pixels[i + 3]) << 8U;
        pixels[i] = channel(color >> 10U);
        pixels[i + 1] = channel(color >> 5U);
        pixels[i + 2] = channel(color);
        pixels[i + 3] = (color & 0x8000U) != 0 ? 255 : 0;
    }
}

// Many programs write a fourth byte of zero and declare that it means nothing, or declare a bit that they leave at
// zero.
void drop_empty_alpha(Picture& picture) noexcept {
    std::uint8_t* pixels = pixels_of(picture);
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) {
        if (pixels[i] != 0) return;
    }
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) pixels[i] = 255;
}

}  // namespace

Result<Picture> decode_tga(std::span<const std::byte> bytes, std::uint64_t budget) {
    const TgaHeader header = read_tga_header(bytes);
    const bool starts_elsewhere = header.indexed() && header.color_map_first != 0;
    const unsigned last_entry = header.color_map_first + unsigned{header.color_map_length};
    if (starts_elsewhere && last_entry > UINT16_MAX) {
        return fail(problem(codes::image_unsupported,
                            "The TGA image has a colour map of more entries than can be named.",
                            std::to_string(last_entry), "at most " + std::to_string(UINT16_MAX), 3));
    }
    const std::uint64_t end = end_of_pixels(bytes, header);
    if (end > bytes.size()) return fail(truncated(bytes.size(), end));
    if (end > INT_MAX - largest_map) {
        return fail(problem(codes::image_unsupported, "The TGA image is too large.", std::to_string(end) + " bytes",
                            "at most " + std::to_string(INT_MAX - largest_map) + " bytes"));
    }

    const unsigned alpha_bits = header.descriptor & 0x0FU;
    const bool has_alpha_bit = !header.indexed() && !header.grey() && header.pixel_bits == 16 && alpha_bits == 1;
    // stb_image holds the file's own channels, three at most, and their RGBA twin for a while.
    std::uint64_t scratch = std::uint64_t{header.width} * header.height * (3 + 4);
    if (starts_elsewhere || has_alpha_bit) scratch += end + largest_map;
    Result<Picture> picture = make_picture(header.width, header.height, scratch, budget);
    if (!picture) return picture;

    bytes = bytes.first(static_cast<std::size_t>(end));
    Bytes copy;
    if (starts_elsewhere) bytes = copy = with_whole_map(bytes, header);
    if (has_alpha_bit) bytes = copy = with_grey_for_colors(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&std::free)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &width,
                              &height, &channels, 4),
        &std::free);
    if (pixels == nullptr || width != header.width || height != header.height) {
        return fail(problem(codes::image_unsupported, "The TGA image is of a kind that cannot be read.",
                            "image type " + std::to_string(header.image_type) + " with " +
                                std::to_string(header.pixel_bits) + " bits a pixel",
                            "8 to 32 bits a pixel", 2));
    }
    std::memcpy(picture->rgba.data(), pixels.get(), picture->rgba.size());
    if ((header.descriptor & 0x10U) != 0) mirror_rows(*picture);
    if (has_alpha_bit) expand_sixteen_bits(*picture);
    if (has_alpha_bit || (channels == 4 && alpha_bits == 0)) drop_empty_alpha(*picture);
    return picture;
}

}  // namespace effigy::image::detail
