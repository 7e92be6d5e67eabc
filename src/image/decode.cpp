/// Pictures of any kind (PNG, JPEG, TGA, DDS, WebP, gzipped or not), recognised by content: the one entry, and what
/// they share.

#include <algorithm>
#include <libdeflate.h>
#include <memory>
#include <new>
#include <zlib.h>

#include "effigy/image_codes.hpp"

#include "core/problem.hpp"
#include "internal.hpp"

namespace effigy::image {

namespace {

Diagnostic too_large(std::uint64_t budget) {
    return detail::problem(codes::limit_memory, "The gzipped image inflates to more than the limit allows.",
                           "more than " + std::to_string(budget) + " bytes",
                           "at most " + std::to_string(budget) + " bytes");
}

// No stream of DEFLATE holds more than 1032 bytes in one.
std::uint64_t max_bytes(std::uint64_t compressed, std::uint64_t budget) noexcept {
    return compressed > UINT64_MAX / 1032 ? budget : std::min<std::uint64_t>(budget, compressed * 1032);
}

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) noexcept {
    return bytes.size() > 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B} && bytes[2] == std::byte{8};
}

Result<Bytes> gunzip(std::span<const std::byte> bytes, const Limits& limits) {
    try {
        return detail::inflate_gzip(bytes, detail::memory_budget(limits, bytes.size()));
    } catch (const std::bad_alloc&) {
        return fail(detail::problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

Result<Bytes> gzip(std::span<const std::byte> bytes) {
    constexpr int level = 9;
    const auto no_memory = [] {
        return fail(detail::problem(codes::limit_memory, "There is not enough memory for the gzip file."));
    };
    try {
        const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
            libdeflate_alloc_compressor(level), libdeflate_free_compressor);
        if (!compressor) return no_memory();
        Bytes packed(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()));
        packed.resize(
            libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), packed.data(), packed.size()));
        return packed;
    } catch (const std::bad_alloc&) {
        return no_memory();
    }
}

namespace detail {

Result<Bytes> inflate_gzip(std::span<const std::byte> bytes, std::uint64_t budget) {
    constexpr std::size_t min_file = 18;
    if (!is_gzip(bytes) || bytes.size() < min_file) return fail(truncated(bytes.size(), min_file));
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!decompressor) throw std::bad_alloc();

    // The file's last field is the size, if it tells the truth and there is one member only.
    const std::uint64_t most = max_bytes(bytes.size(), budget);
    const std::uint64_t hint = u32_at(bytes, bytes.size() - 4);
    Bytes inflated(static_cast<std::size_t>(std::min(most, std::max<std::uint64_t>(hint, 4096))));
    std::size_t done = 0;
    std::size_t used = 0;
    while (used < bytes.size() && (used == 0 || is_gzip(bytes.subspan(used)))) {
        std::size_t read = 0;
        std::size_t written = 0;
        const auto result =
            libdeflate_gzip_decompress_ex(decompressor.get(), bytes.data() + used, bytes.size() - used,
                                          inflated.data() + done, inflated.size() - done, &read, &written);
        if (result == LIBDEFLATE_SUCCESS) {
            used += read;
            done += written;
        } else if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            return fail(problem(codes::image_damaged, "The gzipped image cannot be inflated: it is cut off or damaged.",
                                {}, {}, used));
        } else if (inflated.size() >= most) {
            return fail(too_large(most));
        } else {
            inflated.resize(
                static_cast<std::size_t>(std::min<std::uint64_t>(most, std::uint64_t{inflated.size()} * 2)));
        }
    }
    inflated.resize(done);
    return inflated;
}

std::size_t inflate_head(std::span<const std::byte> bytes, std::span<std::byte> head) noexcept {
    z_stream stream{};
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream, gzip_only) != Z_OK) return 0;
    // zlib does not write to its input, but its interface does not say so.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), UINT32_MAX));
    stream.next_out = reinterpret_cast<Bytef*>(head.data());
    stream.avail_out = static_cast<uInt>(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t written = head.size() - stream.avail_out;
    inflateEnd(&stream);
    return written;
}

Diagnostic problem(const Code& code, std::string message, std::string found, std::string expected,
                   std::uint64_t offset) {
    Diagnostic diagnostic = problem_at("image", code, std::move(message), std::move(found), std::move(expected));
    diagnostic.offset = offset;
    return diagnostic;
}

Diagnostic truncated(std::uint64_t found_bytes, std::uint64_t expected_bytes) {
    return problem(codes::image_truncated, "The image ends before its last pixel.",
                   std::to_string(found_bytes) + " bytes", "at least " + std::to_string(expected_bytes) + " bytes",
                   found_bytes);
}

std::uint64_t memory_budget(const Limits& limits, std::uint64_t input_size) noexcept {
    constexpr std::uint64_t mebibyte = 1U << 20U;
    constexpr std::uint64_t most = SIZE_MAX < UINT64_MAX ? SIZE_MAX / 2 : UINT64_MAX;  // see Budget
    if (limits.memory != 0) return std::min(limits.memory, most);
    const std::uint64_t for_input = input_size > UINT64_MAX / 32 ? UINT64_MAX : 64 * mebibyte + 16 * input_size;
    return std::min(std::max(for_input, 256 * mebibyte), most);
}

Result<Picture> make_picture(std::uint32_t width, std::uint32_t height, std::uint64_t scratch, std::uint64_t budget) {
    const std::string size = std::to_string(width) + " x " + std::to_string(height) + " pixels";
    if (width == 0 || height == 0) {
        return fail(problem(codes::image_damaged, "The image has no pixels.", size, "at least 1 x 1 pixels"));
    }
    const std::uint64_t pixels = std::uint64_t{width} * height;
    if (scratch > budget || pixels > (budget - scratch) / 4 || pixels > SIZE_MAX / 4) {
        return fail(problem(codes::limit_memory, "The image needs more memory than the limit allows.", size,
                            "at most " + std::to_string(budget) + " bytes in memory"));
    }
    Picture picture;
    picture.width = width;
    picture.height = height;
    picture.rgba.resize(static_cast<std::size_t>(pixels * 4));
    return picture;
}

bool any_transparent(const Picture& picture) noexcept {
    const std::uint8_t* pixels = pixels_of(picture);
    const std::size_t size = picture.rgba.size();
    for (std::size_t i = 3; i < size; i += 4) {
        if (pixels[i] != 255) return true;
    }
    return false;
}

Result<void> check_size(const Picture& picture) {
    const std::uint64_t pixels = std::uint64_t{picture.width} * picture.height;
    if (pixels > 0 && pixels <= UINT64_MAX / 4 && picture.rgba.size() == pixels * 4) return {};
    return fail(problem(
        codes::image_size, "The picture's size does not fit its pixels.",
        std::to_string(picture.rgba.size()) + " bytes",
        std::to_string(picture.width) + " x " + std::to_string(picture.height) + " pixels of 4 bytes, at least one"));
}

}  // namespace detail

namespace {

tl::unexpected<Diagnostic> unknown(std::span<const std::byte> bytes) {
    return fail(detail::problem(codes::image_unknown, "This is not an image that can be read.",
                                std::to_string(bytes.size()) + " bytes of another kind", "PNG, JPEG, DDS, TGA or WebP",
                                0));
}

Result<Picture> decode_kind(std::span<const std::byte> bytes, std::uint64_t budget) {
    // A gzip file in another one is none of these: its decoder refuses it.
    switch (is_gzip(bytes) ? Kind::unknown : probe(bytes)) {
        case Kind::png:
            return detail::decode_png(bytes, budget);
        case Kind::jpeg:
            return detail::decode_jpeg(bytes, budget);
        case Kind::dds:
            return detail::decode_dds(bytes, budget);
        case Kind::tga:
            return detail::decode_tga(bytes, budget);
        case Kind::webp:
            return detail::decode_webp(bytes, budget);
        case Kind::unknown:
            break;
    }
    return unknown(bytes);
}

// The inflated file counts towards the budget, too.
Result<Picture> decode_gzip(std::span<const std::byte> bytes, const Limits& limits) {
    // A bomb that is no picture is not even inflated.
    if (probe(bytes) == Kind::unknown) return unknown(bytes);
    const Result<Bytes> plain = detail::inflate_gzip(bytes, detail::memory_budget(limits, bytes.size()));
    if (!plain) return fail(plain.error());
    const std::uint64_t budget = detail::memory_budget(limits, plain->size());
    return decode_kind(*plain, limits.memory == 0 ? budget : budget - plain->size());
}

}  // namespace

Result<Picture> decode(std::span<const std::byte> bytes, const Limits& limits) {
    try {
        Result<Picture> picture = is_gzip(bytes) ? decode_gzip(bytes, limits)
                                                 : decode_kind(bytes, detail::memory_budget(limits, bytes.size()));
        if (picture) picture->has_alpha = detail::any_transparent(*picture);
        return picture;
    } catch (const std::bad_alloc&) {
        return fail(detail::problem(codes::limit_memory, "There is not enough memory for the image."));
    }
}

void flip_green(Picture& picture) noexcept {
    std::uint8_t* pixels = detail::pixels_of(picture);
    for (std::size_t i = 1; i < picture.rgba.size(); i += 4) pixels[i] = static_cast<std::uint8_t>(255 - pixels[i]);
}

void drop_alpha(Picture& picture) noexcept {
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = std::byte{255};
    picture.has_alpha = false;
}

namespace {

template <std::size_t size>
bool starts_with(std::span<const std::byte> bytes, const std::array<std::uint8_t, size>& magic) noexcept {
    return bytes.size() >= size && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                              [](auto wanted, auto found) { return std::byte{wanted} == found; });
}

constexpr std::array<std::uint8_t, 8> png_magic{0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
constexpr std::array<std::uint8_t, 3> jpeg_magic{0xFF, 0xD8, 0xFF};
constexpr std::array<std::uint8_t, 4> dds_magic{'D', 'D', 'S', ' '};
constexpr std::array<std::uint8_t, 4> riff_magic{'R', 'I', 'F', 'F'};
constexpr std::array<std::uint8_t, 4> webp_magic{'W', 'E', 'B', 'P'};  // behind the size of the rest

bool is_one_of(unsigned value, std::initializer_list<unsigned> choices) noexcept {
    return std::find(choices.begin(), choices.end(), value) != choices.end();
}

}  // namespace

namespace detail {

TgaHeader read_tga_header(std::span<const std::byte> bytes) noexcept {
    const auto byte_at = [bytes](std::size_t offset) { return std::to_integer<std::uint8_t>(bytes[offset]); };
    TgaHeader header;
    header.id_length = byte_at(0);
    header.color_map_type = byte_at(1);
    header.image_type = byte_at(2);
    header.color_map_first = u16_at(bytes, 3);
    header.color_map_length = u16_at(bytes, 5);
    header.color_map_bits = byte_at(7);
    header.width = u16_at(bytes, 12);
    header.height = u16_at(bytes, 14);
    header.pixel_bits = byte_at(16);
    header.descriptor = byte_at(17);
    return header;
}

bool makes_sense(const TgaHeader& header) noexcept {
    if (header.width == 0 || header.height == 0) return false;
    if ((header.descriptor & 0xC0U) != 0) return false;  // interleaved rows were never used
    switch (header.image_type) {
        case 1:
        case 9:
            return header.color_map_type == 1 && header.color_map_length != 0 &&
                   is_one_of(header.color_map_bits, {15, 16, 24, 32}) && is_one_of(header.pixel_bits, {8, 16});
        case 2:
        case 10:
            return header.color_map_type == 0 && is_one_of(header.pixel_bits, {15, 16, 24, 32});
        case 3:
        case 11:
            return header.color_map_type == 0 && is_one_of(header.pixel_bits, {8, 16});
        default:
            return false;
    }
}

}  // namespace detail

namespace {

Kind probe_plain(std::span<const std::byte> bytes) noexcept {
    if (starts_with(bytes, png_magic)) return Kind::png;
    if (starts_with(bytes, jpeg_magic)) return Kind::jpeg;
    if (starts_with(bytes, dds_magic)) return Kind::dds;
    if (starts_with(bytes, riff_magic) && bytes.size() >= 12 && starts_with(bytes.subspan(8), webp_magic))
        return Kind::webp;
    const bool tga = bytes.size() >= detail::TgaHeader::size && detail::makes_sense(detail::read_tga_header(bytes));
    return tga ? Kind::tga : Kind::unknown;
}

}  // namespace

Kind probe(std::span<const std::byte> bytes) noexcept {
    if (!is_gzip(bytes)) return probe_plain(bytes);
    std::array<std::byte, 64> head{};
    return probe_plain(std::span(head).first(detail::inflate_head(bytes, head)));
}

}  // namespace effigy::image
