/// Rules for DDS textures, gzipped or not: header, block formats, mipmap levels.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <zlib.h>

#include "effigy/bytes.hpp"
#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/mod.hpp"

namespace effigy::egosoft::checks {

namespace {

constexpr std::size_t header_size = 128, format_at = 80;

bool is_gzip(const Bytes& head) { return head.size() > 2 && head[0] == std::byte{0x1f} && head[1] == std::byte{0x8b}; }

/// The first bytes of what is gzipped; fewer if the stream is damaged.
Bytes inflate_head(Bytes packed) {
    Bytes head(header_size);
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(head.data());
    stream.avail_out = static_cast<uInt>(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    head.resize(header_size - stream.avail_out);
    inflateEnd(&stream);
    return head;
}

std::uint32_t number_at(const Bytes& head, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, head.data() + offset, sizeof value);
    return value;
}

/// With enough levels the last one is a single block of 4x4.
bool has_all_levels(std::uint32_t size, std::uint32_t levels) {
    constexpr std::uint32_t block = 4;
    return levels > 31 || (size >> (std::max(levels, 1U) - 1)) <= block;
}

void check_header(const Bytes& head, const Place& place, Findings& findings) {
    if (std::memcmp(head.data() + format_at + 4, "DX10", 4) == 0)
        findings.add(codes::texture_header_dx10, place, "DX10", "DXT5, DXT1, ATI1 or ATI2");
    constexpr std::size_t height_at = 12, width_at = 16, levels_at = 28;
    constexpr std::uint32_t four_letters = 4;
    const std::uint32_t width = number_at(head, width_at), height = number_at(head, height_at);
    const std::uint32_t levels = number_at(head, levels_at);
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (number_at(head, 4) != header_size - 4 || width == 0 || height == 0)
        return findings.add(codes::texture_damaged_header, place, size, "a DDS header with a width and a height");
    if (!std::has_single_bit(width) || !std::has_single_bit(height))
        findings.add(codes::texture_power, place, size, "powers of two");
    if (!has_all_levels(std::max(width, height), levels)) {
        findings.add(codes::texture_levels, place, std::to_string(levels) + (levels == 1 ? " level" : " levels"),
                     std::to_string(std::bit_width(std::max(width, height))) + " levels for " + size);
    }
    if ((number_at(head, format_at) & four_letters) == 0)
        findings.add(codes::texture_uncompressed, place, "plain pixels", "DXT5 or another block format");
}

}  // namespace

void check_dds(Bytes head, const Place& place, Findings& findings) {
    const bool packed = is_gzip(head);
    if (packed) head = inflate_head(std::move(head));
    const bool is_dds = head.size() >= header_size && std::memcmp(head.data(), "DDS ", 4) == 0;
    if (is_dds) {
        check_header(head, place, findings);
        if (!packed) findings.add(codes::texture_unpacked, place, "a plain DDS file", "a gzipped one, named .gz");
    } else if (!packed || head.size() < 4 || std::memcmp(head.data(), "DDS ", 4) == 0) {
        findings.add(codes::texture_damaged_header, place, "", "a DDS file, plain or gzipped");
    }
}

}  // namespace effigy::egosoft::checks
