/// ZIP archives in memory with minizip: listing, inflating within limits, writing.

#include "arp/file/zip.hpp"

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <new>
#include <utility>

#include "effigy/arp_codes.hpp"

#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::arp {

namespace {

/// As many as archives without the 64-bit extension can have. Avatars have about six.
constexpr std::uint64_t max_entries = 65535;
constexpr std::size_t max_name_length = 65535;
/// No stream of DEFLATE holds more bytes in one.
constexpr std::uint64_t max_deflated = 1032;
constexpr std::uint32_t encrypted_flags = 1U << 0 | 1U << 6 | 1U << 13;
constexpr std::uint32_t utf8_flag = 1U << 11;
constexpr std::uint64_t max_plain_size = 0xF000'0000;  // beyond it, packed bytes may pass 32 bits

Diagnostic damaged_archive(std::string found) {
    return problem_at(
        {}, codes::container_damaged,
        "the ZIP archive's directory cannot be read: the file is cut off or damaged; take it from another copy",
        std::move(found));
}

Diagnostic damaged_entry(const ZipEntry& entry, std::string found, std::string expected = {}) {
    return problem_at(shortened(entry.name), codes::container_entry_damaged,
                      "an entry of the container cannot be unpacked; take it from another copy of the container",
                      std::move(found), std::move(expected));
}

/// Where minizip wants to be in a block of memory.
std::uint64_t moved(std::uint64_t position, std::uint64_t size, std::uint64_t offset, int origin) noexcept {
    if (origin == ZLIB_FILEFUNC_SEEK_CUR) return position + offset;
    return origin == ZLIB_FILEFUNC_SEEK_END ? size + offset : offset;
}

template <class Memory>
void* open_memory(void* opaque, const void* /*name*/, int /*mode*/) {
    return opaque;
}
template <class Memory>
ZPOS64_T tell_memory(void* /*opaque*/, void* stream) {
    return static_cast<Memory*>(stream)->position;
}
template <class Memory>
long seek_memory(void* /*opaque*/, void* stream, ZPOS64_T offset, int origin) {
    auto& memory = *static_cast<Memory*>(stream);
    const std::uint64_t place = moved(memory.position, memory.bytes.size(), offset, origin);
    if (place > memory.bytes.size()) return -1;
    memory.position = static_cast<std::size_t>(place);
    return 0;
}
template <class Memory>
uLong read_memory(void* /*opaque*/, void* stream, void* destination, uLong size) {
    auto& memory = *static_cast<Memory*>(stream);
    const std::size_t count = std::min<std::size_t>(size, memory.bytes.size() - memory.position);
    if (count != 0) std::memcpy(destination, memory.bytes.data() + memory.position, count);
    memory.position += count;
    memory.is_short = count < size;
    return static_cast<uLong>(count);
}
/// Minizip takes the end of a file for a zero unless it is called an error.
template <class Memory>
int error_of_memory(void* /*opaque*/, void* stream) {
    return static_cast<Memory*>(stream)->is_short ? 1 : 0;
}
int close_memory(void* /*opaque*/, void* /*stream*/) { return 0; }

template <class Memory>
zlib_filefunc64_def functions_of(Memory& memory) noexcept {
    zlib_filefunc64_def functions{};
    functions.zopen64_file = open_memory<Memory>;
    functions.zread_file = read_memory<Memory>;
    functions.ztell64_file = tell_memory<Memory>;
    functions.zseek64_file = seek_memory<Memory>;
    functions.zclose_file = close_memory;
    functions.zerror_file = error_of_memory<Memory>;
    functions.opaque = &memory;
    return functions;
}

struct Release {
    void operator()(libdeflate_decompressor* decompressor) const noexcept {
        libdeflate_free_decompressor(decompressor);
    }
};

/// False unless the content comes out as large as it is.
bool inflate_exactly(std::span<const std::byte> packed, Bytes& content) {
    const std::unique_ptr<libdeflate_decompressor, Release> decompressor(libdeflate_alloc_decompressor());
    if (!decompressor) throw std::bad_alloc();
    // An empty block of memory has no address, which the library does not take.
    std::byte nothing{};
    return libdeflate_deflate_decompress(decompressor.get(), packed.data(), packed.size(),
                                         content.empty() ? &nothing : content.data(), content.size(),
                                         nullptr) == LIBDEFLATE_SUCCESS;
}

struct Output {
    Bytes bytes;
    std::size_t position = 0;
    bool is_short = false;  ///< the last read went beyond the end
};

/// No exception may pass through minizip: what finds no memory is a failed write.
uLong write_memory(void* /*opaque*/, void* stream, const void* source, uLong size) noexcept {
    auto& output = *static_cast<Output*>(stream);
    try {
        const std::size_t end = output.position + size;
        if (end > output.bytes.capacity()) output.bytes.reserve(std::max(end, 2 * output.bytes.capacity()));
        if (end > output.bytes.size()) output.bytes.resize(end);
    } catch (const std::bad_alloc&) {
        return 0;
    }
    if (size != 0) std::memcpy(output.bytes.data() + output.position, source, size);
    output.position += size;
    return size;
}

/// 1980-01-01, where dates in archives begin.
zip_fileinfo fixed_info(bool is_folder) noexcept {
    zip_fileinfo info{};
    info.dosDate = 1U << 21 | 1U << 16;
    info.external_fa = is_folder ? 0x10 : 0;
    return info;
}

bool put_bytes(zipFile archive, std::span<const std::byte> bytes) {
    constexpr std::size_t max_at_once = std::size_t{1} << 30;
    while (!bytes.empty()) {
        const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), max_at_once));
        if (zipWriteInFileInZip(archive, part.data(), static_cast<unsigned>(part.size())) != ZIP_OK) return false;
        bytes = bytes.subspan(part.size());
    }
    return true;
}

bool put_entry(zipFile archive, const ZipContent& entry) {
    const std::string name(entry.name);
    const zip_fileinfo info = fixed_info(name.ends_with('/'));
    const bool names_utf8 = !is_ascii(name) && is_utf8(name);
    const int method = entry.bytes.empty() ? 0 : Z_DEFLATED;
    if (zipOpenNewFileInZip4_64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, method,
                                Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 0,
                                names_utf8 ? utf8_flag : 0, entry.bytes.size() > max_plain_size) != ZIP_OK) {
        return false;
    }
    const bool done = put_bytes(archive, entry.bytes);
    return zipCloseFileInZip(archive) == ZIP_OK && done;
}

}  // namespace

struct ZipReader::Stream {
    std::span<const std::byte> bytes;
    std::size_t position = 0;
    bool is_short = false;  ///< the last read went beyond the end
};

void ZipReader::Close::operator()(void* handle) const noexcept { unzClose(handle); }

ZipReader::ZipReader(std::unique_ptr<Stream> stream, std::unique_ptr<void, Close> handle, const Limits& limits,
                     std::size_t archive_size)
    : stream_(std::move(stream)), handle_(std::move(handle)), limits_(limits), stored_left_(archive_size) {}

Result<ZipReader> ZipReader::open(std::span<const std::byte> archive, const Limits& limits) {
    auto stream = std::make_unique<Stream>(Stream{archive, 0, false});
    zlib_filefunc64_def functions = functions_of(*stream);
    std::unique_ptr<void, Close> handle(unzOpen2_64("", &functions));
    unz_global_info64 information{};
    if (!handle || unzGetGlobalInfo64(handle.get(), &information) != UNZ_OK) return fail(damaged_archive({}));
    ZipReader reader(std::move(stream), std::move(handle), limits, archive.size());
    reader.count_ = information.number_entry;
    const std::uint64_t most = std::min(limits.count, max_entries);
    if (reader.count_ > most) {
        return fail(problem_at({}, codes::limit_count, "the container has more entries than the limit allows",
                               std::to_string(reader.count_), "at most " + std::to_string(most)));
    }
    return reader;
}

Result<bool> ZipReader::next(ZipEntry& entry) {
    if (place_ == count_) return false;
    const std::string number = "entry " + std::to_string(place_);
    const int moved_on = place_ == 0 ? unzGoToFirstFile(handle_.get()) : unzGoToNextFile(handle_.get());
    unz_file_info64 information{};
    if (moved_on != UNZ_OK ||
        unzGetCurrentFileInfo64(handle_.get(), &information, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
        return fail(damaged_archive(number));
    }
    if (information.size_filename > limits_.string) {
        return fail(problem_at(number, codes::limit_string, "the name of an entry is longer than the limit allows"));
    }
    entry.name.assign(information.size_filename, '\0');
    if (!entry.name.empty() && unzGetCurrentFileInfo64(handle_.get(), nullptr, entry.name.data(),
                                                       information.size_filename, nullptr, 0, nullptr, 0) != UNZ_OK) {
        return fail(damaged_archive(number));
    }
    entry.size = information.uncompressed_size;
    entry.stored_size = information.compressed_size;
    entry.checksum = static_cast<std::uint32_t>(information.crc);
    entry.flags = static_cast<std::uint32_t>(information.flag);
    entry.method = static_cast<std::uint32_t>(information.compression_method);
    ++place_;
    return true;
}

/// What is stored of the current entry, where its local header says so.
std::optional<std::span<const std::byte>> ZipReader::packed_bytes(const ZipEntry& entry) {
    int method = 0, level = 0;
    constexpr int raw = 1;
    if (unzOpenCurrentFile2(handle_.get(), &method, &level, raw) != UNZ_OK) return std::nullopt;
    const std::uint64_t place = unzGetCurrentFileZStreamPos64(handle_.get());
    (void)unzCloseCurrentFile(handle_.get());
    const std::span<const std::byte> bytes = stream_->bytes;
    if (place > bytes.size() || entry.stored_size > bytes.size() - place) return std::nullopt;
    return bytes.subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(entry.stored_size));
}

bool ZipReader::is_possible(const ZipEntry& entry) noexcept {
    if (entry.method == 0) return entry.size == entry.stored_size;
    return entry.size / max_deflated <= entry.stored_size;
}

Result<Bytes> ZipReader::unpack(const ZipEntry& entry) {
    if ((entry.flags & encrypted_flags) != 0 || (entry.method != 0 && entry.method != Z_DEFLATED)) {
        const bool encrypted = (entry.flags & encrypted_flags) != 0;
        return fail(problem_at(
            shortened(entry.name), codes::container_entry_unsupported,
            "an entry of the container is encrypted or packed by a method that is not known; pack the container anew",
            encrypted ? "encrypted" : "method " + std::to_string(entry.method), "stored or deflated, not encrypted"));
    }
    // Entries that lie in one another could be unpacked without end.
    if (entry.stored_size > stored_left_ || !is_possible(entry)) {
        return fail(damaged_entry(entry, std::to_string(entry.size) + " bytes in " + std::to_string(entry.stored_size),
                                  "a size that fits the archive"));
    }
    stored_left_ -= entry.stored_size;
    const auto packed = packed_bytes(entry);
    if (!packed) return fail(damaged_entry(entry, "another header than listed"));
    Bytes content(static_cast<std::size_t>(entry.size));
    if (entry.method == 0) {
        std::copy(packed->begin(), packed->end(), content.begin());
    } else if (!inflate_exactly(*packed, content)) {
        return fail(damaged_entry(entry, "damaged or of another size", std::to_string(entry.size) + " bytes"));
    }
    if (libdeflate_crc32(0, content.data(), content.size()) != entry.checksum) {
        return fail(damaged_entry(entry, "another checksum than stated"));
    }
    return content;
}

Result<Bytes> write_zip(std::span<const ZipContent> entries) {
    Output output;
    zlib_filefunc64_def functions = functions_of(output);
    functions.zwrite_file = write_memory;
    zipFile archive = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    bool done = archive != nullptr;
    for (const ZipContent& entry : entries) {
        if (done && entry.name.size() > max_name_length) {
            (void)zipClose(archive, nullptr);
            return fail(problem_at(shortened(entry.name), codes::container_entry_name,
                                   "the name of an entry is too long", std::to_string(entry.name.size()) + " bytes",
                                   "at most " + std::to_string(max_name_length)));
        }
        done = done && put_entry(archive, entry);
    }
    if (archive != nullptr) done = zipClose(archive, nullptr) == ZIP_OK && done;
    // Nothing else can go wrong in memory.
    if (!done) throw std::bad_alloc();
    return std::move(output.bytes);
}

namespace {

constexpr std::size_t size_bytes = 8;

}  // namespace

Bytes packed(std::span<const std::byte> bytes) {
    constexpr int level = 9;
    const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> tool(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (tool == nullptr) return {};
    Bytes result(size_bytes + libdeflate_zlib_compress_bound(tool.get(), bytes.size()));
    for (unsigned i = 0; i < size_bytes; ++i)
        result[i] = static_cast<std::byte>(std::uint64_t{bytes.size()} >> (8 * i));
    result.resize(size_bytes + libdeflate_zlib_compress(tool.get(), bytes.data(), bytes.size(),
                                                        result.data() + size_bytes, result.size() - size_bytes));
    return result;
}

std::optional<Bytes> unpacked(std::span<const std::byte> packed, Budget& budget) {
    constexpr std::uint64_t max_of_one = 1032;  // bytes that DEFLATE makes of one
    if (packed.size() < size_bytes) return std::nullopt;
    std::uint64_t size = 0;
    for (unsigned i = 0; i < size_bytes; ++i) size |= std::to_integer<std::uint64_t>(packed[i]) << (8 * i);
    if (size > packed.size() * max_of_one || !budget.take(size)) return std::nullopt;
    Bytes bytes(static_cast<std::size_t>(size));
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> tool(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    const bool is_whole = tool != nullptr &&
                          libdeflate_zlib_decompress(tool.get(), packed.data() + size_bytes, packed.size() - size_bytes,
                                                     bytes.data(), bytes.size(), nullptr) == LIBDEFLATE_SUCCESS;
    return is_whole ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace effigy::arp
