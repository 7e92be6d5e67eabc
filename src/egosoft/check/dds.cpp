/// Rules for DDS textures, gzipped or not: header, block formats, mipmap levels.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <zlib.h>

#include "effigy/bytes.hpp"
#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/mod.hpp"
#include "image/dds_header.hpp"

namespace effigy::egosoft::checks {

namespace {

bool is_gzip(const Bytes& head) { return head.size() > 2 && head[0] == std::byte{0x1f} && head[1] == std::byte{0x8b}; }

/// The first bytes of what is gzipped; fewer if the stream is damaged.
Bytes inflate_head(Bytes packed) {
    Bytes head(image::DdsHeader::size);
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(head.data());
    stream.avail_out = static_cast<uInt>(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    head.resize(image::DdsHeader::size - stream.avail_out);
    inflateEnd(&stream);
    return head;
}

void check_header(const image::DdsHeader& header, const Place& place, Findings& findings) {
    if (header.has_dx10_header) findings.add(codes::texture_header_dx10, place, "DX10", "DXT5, DXT1, ATI1 or ATI2");
    const std::string size = std::to_string(header.width) + " x " + std::to_string(header.height);
    if (header.is_damaged())
        return findings.add(codes::texture_damaged_header, place, size, "a DDS header with a width and a height");
    if (!header.has_powers_of_two()) findings.add(codes::texture_power, place, size, "powers of two");
    if (!header.has_all_levels()) {
        findings.add(codes::texture_levels, place,
                     std::to_string(header.levels) + (header.levels == 1 ? " level" : " levels"),
                     std::to_string(std::bit_width(std::max(header.width, header.height))) + " levels for " + size);
    }
    if (!header.is_compressed)
        findings.add(codes::texture_uncompressed, place, "plain pixels", "DXT5 or another block format");
}

}  // namespace

void check_dds(Bytes head, const Place& place, Findings& findings) {
    const bool packed = is_gzip(head);
    if (packed) head = inflate_head(std::move(head));
    if (const auto header = image::read_dds_header(head)) {
        check_header(*header, place, findings);
        if (!packed) findings.add(codes::texture_unpacked, place, "a plain DDS file", "a gzipped one, named .gz");
    } else if (!packed || head.size() < 4 || std::memcmp(head.data(), "DDS ", 4) == 0) {
        findings.add(codes::texture_damaged_header, place, "", "a DDS file, plain or gzipped");
    }
}

}  // namespace effigy::egosoft::checks
