/// Writes ZIP archives byte by byte.

#include "arp/raw_zip.hpp"

#include <utility>
#include <zlib.h>

namespace effigy::test {

namespace {

void put(std::string& text, std::uint32_t number, int width) {
    for (int index = 0; index < width; ++index) text += static_cast<char>(number >> (8 * index) & 0xffU);
}

std::uint32_t checksum_of(std::string_view content) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

/// What header and directory both say of an entry.
std::string common_fields(const RawZipEntry& entry) {
    std::string text;
    put(text, 20, 2);
    put(text, entry.flags, 2);
    put(text, entry.method, 2);
    put(text, 0, 4);
    put(text, entry.checksum, 4);
    put(text, static_cast<std::uint32_t>(entry.packed.size()), 4);
    put(text, entry.size, 4);
    put(text, static_cast<std::uint32_t>(entry.name.size()), 2);
    put(text, 0, 2);
    return text;
}

std::string local_entry(const RawZipEntry& entry) {
    return "PK\x03\x04" + common_fields(entry) + entry.name + entry.packed;
}

std::string listed_entry(const RawZipEntry& entry, std::uint32_t place) {
    std::string text = "PK\x01\x02";
    put(text, 20, 2);
    text += common_fields(entry);
    put(text, 0, 2);
    put(text, 0, 2);
    put(text, 0, 2);
    put(text, 0, 4);
    put(text, place, 4);
    return text + entry.name;
}

std::string end_of_directory(std::uint32_t count, std::uint32_t size, std::uint32_t place) {
    std::string text = "PK\x05\x06";
    put(text, 0, 4);
    put(text, count, 2);
    put(text, count, 2);
    put(text, size, 4);
    put(text, place, 4);
    put(text, 0, 2);
    return text;
}

}  // namespace

std::string_view text_from(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

RawZipEntry stored(std::string name, std::string_view content) {
    return {std::move(name),     std::string(content), 0, 0, static_cast<std::uint32_t>(content.size()),
            checksum_of(content)};
}

RawZipEntry deflated(std::string name, std::string_view content) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    RawZipEntry entry = stored(std::move(name), content);
    entry.packed = std::move(packed);
    entry.method = Z_DEFLATED;
    return entry;
}

Bytes raw_zip(const std::vector<RawZipEntry>& entries) {
    std::string archive, directory;
    for (const RawZipEntry& entry : entries) {
        directory += listed_entry(entry, static_cast<std::uint32_t>(archive.size()));
        archive += local_entry(entry);
    }
    const auto place = static_cast<std::uint32_t>(archive.size());
    archive += directory;
    archive += end_of_directory(static_cast<std::uint32_t>(entries.size()),
                                static_cast<std::uint32_t>(directory.size()), place);
    return bytes_of_text(archive);
}

Bytes overlapping_zip(const RawZipEntry& entry, std::size_t count) {
    std::string archive = local_entry(entry), directory;
    const auto place = static_cast<std::uint32_t>(archive.size());
    for (std::size_t index = 0; index < count; ++index) directory += listed_entry(entry, 0);
    archive += directory;
    archive += end_of_directory(static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(directory.size()), place);
    return bytes_of_text(archive);
}

}  // namespace effigy::test
