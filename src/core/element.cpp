/// Byte order of arrays: 16, 32 and 64-bit elements swapped in place.

#include "element.hpp"

#include <algorithm>
#include <cstring>

namespace effigy::layout {

namespace {
template <class Word, Word (*swap)(Word)>
void swap_each(std::byte* data, std::uint64_t size) noexcept {
    for (std::uint64_t at = 0; at + sizeof(Word) <= size; at += sizeof(Word)) {
        Word word;
        std::memcpy(&word, data + at, sizeof(Word));
        word = swap(word);
        std::memcpy(data + at, &word, sizeof(Word));
    }
}
std::uint16_t swap16(std::uint16_t word) { return __builtin_bswap16(word); }
std::uint32_t swap32(std::uint32_t word) { return __builtin_bswap32(word); }
std::uint64_t swap64(std::uint64_t word) { return __builtin_bswap64(word); }
}  // namespace

void swap_words(std::byte* data, std::uint64_t size, unsigned width) noexcept {
    if (width == 2) swap_each<std::uint16_t, swap16>(data, size);
    if (width == 4) swap_each<std::uint32_t, swap32>(data, size);
    if (width == 8) swap_each<std::uint64_t, swap64>(data, size);
}

void swap_bytes(const ElementType& type, std::byte* data, std::uint64_t count) noexcept {
    const unsigned width = type.parts.front().width;
    const bool uniform =
        std::all_of(type.parts.begin(), type.parts.end(), [&](const Part& part) { return part.width == width; });
    if (uniform) return swap_words(data, count * type.size, width);
    for (std::uint64_t index = 0; index < count; ++index) {
        for (const Part& part : type.parts) {
            const std::uint64_t size = std::uint64_t{part.width} * part.count;
            swap_words(data, size, part.width);
            data += size;
        }
    }
}

}  // namespace effigy::layout
