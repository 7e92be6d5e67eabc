/// Rules for DDS textures, gzipped or not: header, pixel formats, mipmap levels, and whether all bytes are there.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <zlib.h>

#include "effigy/bytes.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"

#include "core/problem.hpp"
#include "egosoft/check/mod.hpp"
#include "image/dds_header.hpp"

namespace effigy::egosoft::checks {

namespace {

bool is_gzip(const Bytes& head) { return head.size() > 2 && head[0] == std::byte{0x1f} && head[1] == std::byte{0x8b}; }

constexpr std::size_t dx10_header_size = 20;

/// The first bytes of what is gzipped; fewer if the stream is damaged.
Bytes inflate_head(Bytes packed) {
    Bytes head(image::DdsHeader::size + dx10_header_size);
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(head.data());
    stream.avail_out = static_cast<uInt>(head.size());
    inflate(&stream, Z_SYNC_FLUSH);
    head.resize(head.size() - stream.avail_out);
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

std::uint32_t number_at(const Bytes& head, std::size_t offset) {
    std::uint32_t value = 0;
    if (head.size() >= offset + sizeof value) std::memcpy(&value, head.data() + offset, sizeof value);
    return value;
}

/// Formats that exist, of float or of wide channels: a game may have uses for them.
bool is_rare_format(const image::DdsHeader& header, const Bytes& head) {
    constexpr std::size_t format_at = 84;
    if (header.has_dx10_header) {
        const std::uint32_t number = number_at(head, image::DdsHeader::size);
        return number >= 1 && number <= 132;
    }
    const std::uint32_t number = number_at(head, format_at);
    return header.is_compressed && (number == 36 || (number >= 110 && number <= 117));
}

/// What the file has to hold: of cubes and volumes, whose faces and slices are not counted here, at least the first.
struct Needed {
    std::uint64_t bytes = 0;
    std::uint32_t levels = 1;
};

std::uint32_t levels_of(const image::DdsHeader& header, const Bytes& head) {
    constexpr std::uint32_t has_levels = 0x20000;
    constexpr std::size_t flags_at = 8;
    const auto deepest = static_cast<std::uint32_t>(std::bit_width(std::max(header.width, header.height)));
    return (number_at(head, flags_at) & has_levels) != 0 ? std::clamp(header.levels, 1U, deepest) : 1;
}

Diagnostic damage(const Place& place, std::string message, std::string found, std::string expected) {
    Diagnostic finding = problem_at(place.path, codes::texture_damaged_header, std::move(message), std::move(found),
                                    std::move(expected));
    finding.file = place.file;
    return finding;
}

Diagnostic too_short(const image::DdsHeader& header, const Needed& needed, std::string found, const Place& place) {
    return damage(
        place,
        "A texture ends before all that its header announces: the game cannot load it, or shows noise. Export "
        "or copy it again.",
        std::move(found),
        std::to_string(needed.bytes) + " bytes for " + count_text(needed.levels, "levels") + " of " +
            std::to_string(header.width) + " x " + std::to_string(header.height));
}

/// What is in a gzipped texture, all of it.
std::optional<Diagnostic> damage_inside(const TextureFile& file, const image::DdsHeader& header, const Needed& needed,
                                        const Place& place) {
    // No stream of DEFLATE holds more than 1032 bytes in one.
    constexpr std::uint64_t most_in_one = 1032, most = std::uint64_t{1} << 29, slack = 1 << 16;
    const std::uint64_t largest = file.limits.memory == 0 ? most : std::min(most, file.limits.memory);
    if (needed.bytes / most_in_one > file.size)
        return too_short(header, needed, count_text(file.size, "bytes") + " of a gzip file", place);
    if (needed.bytes > largest || !file.whole) return std::nullopt;
    const auto packed = file.whole();
    if (!packed) return std::nullopt;
    Limits limits;
    limits.memory = needed.bytes + slack;
    const auto whole = image::gunzip(*packed, limits);
    if (!whole && is_limit(whole.error())) return std::nullopt;  // more than is needed
    if (!whole)
        return damage(place,
                      "A texture's gzip file is cut off or damaged, or its checksum is wrong: the game cannot load it. "
                      "Gzip the DDS again.",
                      count_text(file.size, "bytes"), "a whole gzip file");
    if (whole->size() < needed.bytes) return too_short(header, needed, count_text(whole->size(), "bytes"), place);
    return std::nullopt;
}

void check_pixels(const TextureFile& file, const Bytes& head, const image::DdsHeader& header, bool packed,
                  const Place& place, Report& report) {
    const std::uint32_t levels = levels_of(header, head);
    const auto bytes = image::dds_size(head, levels);
    if (!bytes && bytes.error().code == codes::image_unsupported) {
        if (is_rare_format(header, head)) return;
        return report.add(damage(place,
                                 "A texture has a pixel format that is not known: the game cannot load it. "
                                 "Export it as DXT5.",
                                 bytes.error().found, "DXT5, or another block format"));
    }
    const Needed needed{bytes.value_or(image::DdsHeader::size + dx10_header_size), levels};
    if (packed) {
        if (auto found = damage_inside(file, header, needed, place)) report.add(std::move(*found));
    } else if (file.size < needed.bytes) {
        report.add(too_short(header, needed, count_text(file.size, "bytes"), place));
    }
}

}  // namespace

void check_dds(TextureFile file, const Place& place, Report& report) {
    Findings findings(report);
    const bool packed = is_gzip(file.head);
    Bytes head = packed ? inflate_head(std::move(file.head)) : std::move(file.head);
    if (const auto header = image::read_dds_header(head)) {
        check_header(*header, place, findings);
        if (!header->is_damaged()) check_pixels(file, head, *header, packed, place, report);
        if (!packed) findings.add(codes::texture_unpacked, place, "a plain DDS file", "a gzipped one, named .gz");
    } else if (!packed || head.size() < 4 || std::memcmp(head.data(), "DDS ", 4) == 0 ||
               image::probe(head) != image::Kind::unknown) {
        findings.add(codes::texture_damaged_header, place, "", "a DDS file, plain or gzipped");
    }
}

}  // namespace effigy::egosoft::checks
