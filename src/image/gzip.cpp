/// Textures that a game keeps gzipped.

#include <algorithm>
#include <libdeflate.h>
#include <memory>
#include <new>
#include <zlib.h>

#include "effigy/core_codes.hpp"
#include "effigy/image_codes.hpp"

#include "internal.hpp"

namespace effigy::image {

namespace {

struct Release {
    void operator()(libdeflate_decompressor* decompressor) const noexcept {
        libdeflate_free_decompressor(decompressor);
    }
};

Diagnostic too_large(std::uint64_t budget) {
    return detail::problem(codes::limit_memory, "The gzipped image inflates to more than the limit allows.",
                           "more than " + std::to_string(budget) + " bytes",
                           "at most " + std::to_string(budget) + " bytes");
}

// No stream of DEFLATE holds more than 1032 bytes in one.
std::uint64_t max_bytes(std::size_t compressed, std::uint64_t budget) noexcept {
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

namespace detail {

Result<Bytes> inflate_gzip(std::span<const std::byte> bytes, std::uint64_t budget) {
    constexpr std::size_t min_file = 18;
    if (!is_gzip(bytes) || bytes.size() < min_file) return fail(truncated(bytes.size(), min_file));
    const std::unique_ptr<libdeflate_decompressor, Release> decompressor(libdeflate_alloc_decompressor());
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

}  // namespace detail

}  // namespace effigy::image
