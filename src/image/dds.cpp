/// DDS: the header in its old and its DX10 form, uncompressed pixels by masks, block-compressed ones by block.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <squish.h>

#include "effigy/image_codes.hpp"

#include "image/dds_header.hpp"
#include "internal.hpp"

namespace effigy::image::detail {

namespace {

using Palette = std::array<std::uint8_t, 8>;

// `numerator / denominator` lies in 0..255.
std::uint8_t unsigned_value(int numerator, int denominator) noexcept {
    return static_cast<std::uint8_t>((numerator + denominator / 2) / denominator);
}

// `numerator / denominator` lies in -127..127.
std::uint8_t signed_value(int numerator, int denominator) noexcept {
    return static_cast<std::uint8_t>(((numerator + 127 * denominator) * 255 + 127 * denominator) / (254 * denominator));
}

// Eight steps from `first` to `second`, or six and the two extremes, told by the order of the end points.
template <class ToValue>
Palette make_palette(int first, int second, int lowest, int highest, ToValue to_value) noexcept {
    const int steps = first > second ? 7 : 5;
    Palette palette{to_value(first, 1), to_value(second, 1)};
    for (int step = 1; step < steps; ++step) {
        palette[static_cast<std::size_t>(step) + 1] = to_value(first * (steps - step) + second * step, steps);
    }
    if (steps == 5) {
        palette[6] = to_value(lowest, 1);
        palette[7] = to_value(highest, 1);
    }
    return palette;
}

std::array<std::uint8_t, 16> look_up(const Palette& palette, Block8 block) noexcept {
    std::uint64_t indices = 0;
    for (std::size_t i = 0; i < 6; ++i) indices |= std::to_integer<std::uint64_t>(block[i + 2]) << (8 * i);
    std::array<std::uint8_t, 16> values{};
    for (std::size_t i = 0; i < 16; ++i) values[i] = palette[indices >> (3 * i) & 7U];
    return values;
}

// -128 stands for the same -1 as -127.
int signed_end_point(std::byte value) noexcept {
    const int number = static_cast<std::int8_t>(std::to_integer<std::uint8_t>(value));
    return number == -128 ? -127 : number;
}

}  // namespace

std::array<std::uint8_t, 16> decode_bc4(Block8 block) noexcept {
    const int first = std::to_integer<int>(block[0]);
    const int second = std::to_integer<int>(block[1]);
    return look_up(make_palette(first, second, 0, 255, unsigned_value), block);
}

std::array<std::uint8_t, 16> decode_bc4_signed(Block8 block) noexcept {
    const int first = signed_end_point(block[0]);
    const int second = signed_end_point(block[1]);
    return look_up(make_palette(first, second, -127, 127, signed_value), block);
}

namespace {

enum class Coding : std::uint8_t { masks, bc1, bc2, bc3, bc4, bc4_signed, bc5, bc5_signed, bc6h, bc6h_signed, bc7 };

struct Masks {
    std::uint32_t red = 0;
    std::uint32_t green = 0;
    std::uint32_t blue = 0;
    std::uint32_t alpha = 0;
};

struct Format {
    Coding coding = Coding::masks;
    std::uint32_t bits_per_pixel = 0;  // for masks only
    Masks masks;
    bool normal = false;         // red and green are a normal's, blue is to be computed
    bool premultiplied = false;  // colours have been multiplied by alpha
};

struct Header {
    static constexpr std::size_t size = 128;
    static constexpr std::size_t dx10_size = 20;
    static constexpr std::size_t four_cc_offset = 84;

    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Format format;
    std::size_t data_offset = size;
};

constexpr std::uint32_t four_cc(const char (&name)[5]) noexcept {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < 4; ++i) code |= std::uint32_t{static_cast<unsigned char>(name[i])} << (8 * i);
    return code;
}

constexpr Format block_format(Coding coding, bool premultiplied = false) {
    Format format;
    format.coding = coding;
    format.normal = coding == Coding::bc5 || coding == Coding::bc5_signed;
    format.premultiplied = premultiplied;
    return format;
}

constexpr Format mask_format(std::uint32_t bits, Masks masks, bool normal = false) {
    return {Coding::masks, bits, masks, normal, false};
}

constexpr Format grey_format(std::uint32_t bits, std::uint32_t mask, std::uint32_t alpha) {
    return mask_format(bits, {mask, mask, mask, alpha});
}

/// Codes from `first` to `last` and what they mean.
struct KnownFormat {
    std::uint32_t first = 0, last = 0;
    Format format;
};

constexpr KnownFormat known_four_cc(const char (&name)[5], Coding coding, bool premultiplied = false) {
    return {four_cc(name), four_cc(name), block_format(coding, premultiplied)};
}

constexpr KnownFormat four_cc_formats[] = {
    known_four_cc("DXT1", Coding::bc1),        known_four_cc("DXT2", Coding::bc2, true),
    known_four_cc("DXT3", Coding::bc2),        known_four_cc("DXT4", Coding::bc3, true),
    known_four_cc("DXT5", Coding::bc3),        known_four_cc("ATI1", Coding::bc4),
    known_four_cc("BC4U", Coding::bc4),        known_four_cc("BC4S", Coding::bc4_signed),
    known_four_cc("ATI2", Coding::bc5),        known_four_cc("BC5U", Coding::bc5),
    known_four_cc("BC5S", Coding::bc5_signed),
};

// The numbers of DXGI_FORMAT: typeless, UNORM and sRGB forms hold the same bits.
constexpr KnownFormat dxgi_formats[] = {
    {23, 24, mask_format(32, {0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000})},  // R10G10B10A2
    {27, 29, mask_format(32, {0xFF, 0xFF00, 0xFF0000, 0xFF000000})},      // R8G8B8A8
    {48, 49, mask_format(16, {0xFF, 0xFF00, 0, 0}, true)},                // R8G8
    {60, 61, grey_format(8, 0xFF, 0)},                                    // R8
    {65, 65, mask_format(8, {0, 0, 0, 0xFF})},                            // A8
    {70, 72, block_format(Coding::bc1)},
    {73, 75, block_format(Coding::bc2)},
    {76, 78, block_format(Coding::bc3)},
    {79, 80, block_format(Coding::bc4)},
    {81, 81, block_format(Coding::bc4_signed)},
    {82, 83, block_format(Coding::bc5)},
    {84, 84, block_format(Coding::bc5_signed)},
    {85, 85, mask_format(16, {0xF800, 0x7E0, 0x1F, 0})},              // B5G6R5
    {86, 86, mask_format(16, {0x7C00, 0x3E0, 0x1F, 0x8000})},         // B5G5R5A1
    {87, 87, mask_format(32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000})},  // B8G8R8A8
    {88, 88, mask_format(32, {0xFF0000, 0xFF00, 0xFF, 0})},           // B8G8R8X8
    {90, 91, mask_format(32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000})},  // B8G8R8A8
    {92, 93, mask_format(32, {0xFF0000, 0xFF00, 0xFF, 0})},           // B8G8R8X8
    {94, 95, block_format(Coding::bc6h)},
    {96, 96, block_format(Coding::bc6h_signed)},
    {97, 99, block_format(Coding::bc7)},
    {115, 115, mask_format(16, {0xF00, 0xF0, 0xF, 0xF000})},  // B4G4R4A4
};

std::optional<Format> find_format(std::span<const KnownFormat> formats, std::uint32_t code) {
    for (const KnownFormat& known : formats) {
        if (code >= known.first && code <= known.last) return known.format;
    }
    return std::nullopt;
}

// The flags of DDS_PIXELFORMAT.
constexpr std::uint32_t has_alpha_mask = 0x1;
constexpr std::uint32_t only_alpha = 0x2;
constexpr std::uint32_t has_four_cc = 0x4;
constexpr std::uint32_t indexed_colors = 0x20 | 0x8 | 0x10 | 0x800 | 0x1000;  // of 1 to 8 bits
constexpr std::uint32_t luma_and_chroma = 0x200;
constexpr std::uint32_t luminance = 0x20000;
constexpr std::uint32_t signed_channels = 0x40000 | 0x80000;

std::optional<Format> format_of_masks(std::span<const std::byte> bytes, std::uint32_t flags) {
    const std::uint32_t bits = u32_at(bytes, 88);
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32) return std::nullopt;
    if ((flags & (indexed_colors | luma_and_chroma | signed_channels)) != 0) return std::nullopt;
    Masks masks{u32_at(bytes, 92), u32_at(bytes, 96), u32_at(bytes, 100), u32_at(bytes, 104)};
    if ((flags & only_alpha) != 0) return mask_format(bits, {0, 0, 0, masks.alpha});
    if ((flags & has_alpha_mask) == 0) masks.alpha = 0;
    if ((flags & luminance) != 0) return grey_format(bits, masks.red, masks.alpha);
    if ((masks.red | masks.green | masks.blue | masks.alpha) == 0) return std::nullopt;
    return mask_format(bits, masks);
}

std::string printable(std::uint32_t code) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i) {
        const auto letter = static_cast<char>(code >> (8 * i) & 0xFFU);
        if (letter < ' ' || letter > '~') return "code " + std::to_string(code);
        text += letter;
    }
    return text;
}

Diagnostic unsupported_format(std::string found, std::uint64_t offset) {
    return problem(codes::image_unsupported, "The DDS image has a pixel format that cannot be read.", std::move(found),
                   "8, 16, 24 or 32 bits with masks, or BC1 to BC7", offset);
}

Result<Header> read_dx10_header(std::span<const std::byte> bytes, Header header) {
    header.data_offset += Header::dx10_size;
    if (bytes.size() < header.data_offset) return fail(truncated(bytes.size(), header.data_offset));
    const std::uint32_t number = u32_at(bytes, Header::size);
    const std::optional<Format> format = find_format(dxgi_formats, number);
    if (!format) return fail(unsupported_format("DXGI format " + std::to_string(number), Header::size));
    header.format = *format;
    constexpr std::uint32_t premultiplied = 2;
    header.format.premultiplied = (u32_at(bytes, Header::size + 16) & 7U) == premultiplied;
    return header;
}

Result<Header> read_header(std::span<const std::byte> bytes) {
    if (bytes.size() < Header::size) return fail(truncated(bytes.size(), Header::size));
    Header header;
    header.height = u32_at(bytes, 12);
    header.width = u32_at(bytes, 16);
    const std::uint32_t flags = u32_at(bytes, 80);
    const std::uint32_t code = u32_at(bytes, Header::four_cc_offset);
    if ((flags & has_four_cc) != 0 && code == four_cc("DX10")) return read_dx10_header(bytes, header);

    const bool by_code = (flags & has_four_cc) != 0;
    const std::optional<Format> format = by_code ? find_format(four_cc_formats, code) : format_of_masks(bytes, flags);
    if (!format) {
        std::string found =
            by_code ? printable(code) : std::to_string(u32_at(bytes, 88)) + " bits with flags " + std::to_string(flags);
        return fail(unsupported_format(std::move(found), by_code ? Header::four_cc_offset : 80));
    }
    header.format = *format;
    return header;
}

std::uint64_t block_size(Coding coding) noexcept {
    const bool small = coding == Coding::bc1 || coding == Coding::bc4 || coding == Coding::bc4_signed;
    return small ? 8 : 16;
}

// Bytes of the largest level of the first face, slice or array element, which comes first in every DDS. The pitch in
// the header is wrong in so many files that it is computed, as Direct3D's own loaders do. Saturates.
std::uint64_t data_size(const Header& header) noexcept {
    const std::uint64_t width = header.width;
    const std::uint64_t height = header.height;
    if (header.format.coding != Coding::masks) {
        const std::uint64_t blocks = ((width + 3) / 4) * ((height + 3) / 4);  // at most 2^60
        const std::uint64_t size = block_size(header.format.coding);
        return blocks > UINT64_MAX / size ? UINT64_MAX : blocks * size;
    }
    const std::uint64_t row = width * (header.format.bits_per_pixel / 8);  // at most 2^34
    return height != 0 && row > UINT64_MAX / height ? UINT64_MAX : row * height;
}

// One channel of a pixel, found by its mask and scaled to 8 bits.
class Channel {
public:
    Channel(std::uint32_t mask, std::uint8_t if_absent) noexcept
        : mask_(mask),
          shift_(mask == 0 ? 0U : static_cast<unsigned>(std::countr_zero(mask))),
          highest_(mask >> shift_),
          if_absent_(if_absent) {}

    [[nodiscard]] std::uint8_t of(std::uint32_t pixel) const noexcept {
        if (highest_ == 0) return if_absent_;
        const std::uint64_t value = (pixel & mask_) >> shift_;
        if (highest_ == 255) return static_cast<std::uint8_t>(value);
        return static_cast<std::uint8_t>((value * 255 + highest_ / 2) / highest_);
    }

private:
    std::uint32_t mask_;
    unsigned shift_;
    std::uint32_t highest_;
    std::uint8_t if_absent_;
};

void decode_masks(std::span<const std::byte> data, const Format& format, Picture& picture) noexcept {
    const Channel red(format.masks.red, 0);
    const Channel green(format.masks.green, 0);
    const Channel blue(format.masks.blue, 0);
    const Channel alpha(format.masks.alpha, 255);
    const std::size_t pixel_bytes = format.bits_per_pixel / 8;
    const std::size_t count = picture.rgba.size() / 4;
    std::uint8_t* target = pixels_of(picture);
    for (std::size_t i = 0; i < count; ++i, target += 4) {
        std::uint32_t pixel = 0;
        for (std::size_t byte = 0; byte < pixel_bytes; ++byte) {
            pixel |= std::to_integer<std::uint32_t>(data[i * pixel_bytes + byte]) << (8 * byte);
        }
        target[0] = red.of(pixel);
        target[1] = green.of(pixel);
        target[2] = blue.of(pixel);
        target[3] = alpha.of(pixel);
    }
}

BlockPixels decode_squish(const std::byte* block, int flags) {
    BlockPixels pixels{};
    squish::Decompress(pixels.data(), block, flags);
    return pixels;
}

BlockPixels interleave(const std::array<std::uint8_t, 16>& red, const std::array<std::uint8_t, 16>& green,
                       const std::array<std::uint8_t, 16>& blue) noexcept {
    BlockPixels pixels{};
    for (std::size_t i = 0; i < 16; ++i) {
        pixels[i * 4] = red[i];
        pixels[i * 4 + 1] = green[i];
        pixels[i * 4 + 2] = blue[i];
        pixels[i * 4 + 3] = 255;
    }
    return pixels;
}

BlockPixels decode_block(const std::byte* block, Coding coding) {
    const auto half = [block](std::size_t number) { return Block8(block + 8 * number, 8); };
    switch (coding) {
        case Coding::bc1:
            return decode_squish(block, squish::kDxt1);
        case Coding::bc2:
            return decode_squish(block, squish::kDxt3);
        case Coding::bc3:
            return decode_squish(block, squish::kDxt5);
        case Coding::bc4: {
            const auto grey = decode_bc4(half(0));
            return interleave(grey, grey, grey);
        }
        case Coding::bc4_signed: {
            const auto grey = decode_bc4_signed(half(0));
            return interleave(grey, grey, grey);
        }
        case Coding::bc5:
            return interleave(decode_bc4(half(0)), decode_bc4(half(1)), {});
        case Coding::bc5_signed:
            return interleave(decode_bc4_signed(half(0)), decode_bc4_signed(half(1)), {});
        case Coding::bc6h:
            return decode_bc6h(Block16(block, 16), false);
        case Coding::bc6h_signed:
            return decode_bc6h(Block16(block, 16), true);
        case Coding::bc7:
            return decode_bc7(Block16(block, 16));
        case Coding::masks:
            break;
    }
    return {};
}

// The last column and row of blocks may stand out of the picture.
void decode_blocks(std::span<const std::byte> data, Coding coding, Picture& picture) {
    const auto size = static_cast<std::size_t>(block_size(coding));
    const std::byte* block = data.data();
    for (std::size_t y = 0; y < picture.height; y += 4) {
        for (std::size_t x = 0; x < picture.width; x += 4, block += size) {
            const BlockPixels pixels = decode_block(block, coding);
            const std::size_t columns = std::min<std::size_t>(4, picture.width - x);
            const std::size_t rows = std::min<std::size_t>(4, picture.height - y);
            for (std::size_t row = 0; row < rows; ++row) {
                std::uint8_t* target = pixels_of(picture) + (y + row) * row_bytes(picture) + x * 4;
                std::memcpy(target, &pixels[row * 16], columns * 4);
            }
        }
    }
}

// A normal's third component always points out of the surface.
void compute_blue(Picture& picture) noexcept {
    std::uint8_t* pixels = pixels_of(picture);
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        const float x = static_cast<float>(pixels[i]) / 127.5F - 1;
        const float y = static_cast<float>(pixels[i + 1]) / 127.5F - 1;
        const float z = std::sqrt(std::max(0.0F, 1 - x * x - y * y));
        pixels[i + 2] = static_cast<std::uint8_t>(std::lround((z + 1) * 127.5F));
    }
}

}  // namespace

Result<Picture> decode_dds(std::span<const std::byte> bytes, std::uint64_t budget) {
    const Result<Header> header = read_header(bytes);
    if (!header) return fail(header.error());
    const std::uint64_t size = data_size(*header);
    const std::span<const std::byte> data = bytes.subspan(header->data_offset);
    if (size > data.size()) {
        const bool saturated = size > UINT64_MAX - header->data_offset;
        return fail(truncated(bytes.size(), saturated ? size : size + header->data_offset));
    }

    Result<Picture> picture = make_picture(header->width, header->height, 0, budget);
    if (!picture) return picture;
    if (header->format.coding == Coding::masks) {
        decode_masks(data, header->format, *picture);
    } else {
        decode_blocks(data, header->format.coding, *picture);
    }
    if (header->format.normal) compute_blue(*picture);
    if (header->format.premultiplied) {
        picture->report.add(problem(codes::image_premultiplied,
                                    "The colours are multiplied by alpha; they are kept so and may look dark.", {}, {},
                                    header->data_offset == Header::size ? Header::four_cc_offset : Header::size));
    }
    return picture;
}

}  // namespace effigy::image::detail

namespace effigy::image {

Result<std::uint64_t> dds_size(std::span<const std::byte> head, std::uint32_t levels) {
    const Result<detail::Header> header = detail::read_header(head);
    if (!header) return fail(header.error());
    std::uint64_t sum = header->data_offset;
    for (std::uint32_t i = 0; i < std::min(levels, 32U); ++i) {
        detail::Header level = *header;
        level.width = std::max(header->width >> i, 1U);
        level.height = std::max(header->height >> i, 1U);
        const std::uint64_t size = detail::data_size(level);
        sum = size > UINT64_MAX - sum ? UINT64_MAX : sum + size;
    }
    return sum;
}

}  // namespace effigy::image
