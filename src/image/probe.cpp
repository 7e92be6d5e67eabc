/// Recognises pictures by content.

#include <algorithm>

#include "internal.hpp"

namespace effigy::image {

namespace {

template <std::size_t size>
bool starts_with(std::span<const std::byte> bytes, const std::array<std::uint8_t, size>& magic) noexcept {
    return bytes.size() >= size && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                              [](auto wanted, auto found) { return std::byte{wanted} == found; });
}

constexpr std::array<std::uint8_t, 8> png_magic{0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
constexpr std::array<std::uint8_t, 3> jpeg_magic{0xFF, 0xD8, 0xFF};
constexpr std::array<std::uint8_t, 4> dds_magic{'D', 'D', 'S', ' '};

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
