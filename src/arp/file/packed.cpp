/// Bytes in zlib streams, by libdeflate.

#include "arp/file/packed.hpp"

#include <cstdint>
#include <libdeflate.h>
#include <memory>

namespace effigy::arp {
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
