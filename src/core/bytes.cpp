/// Memory for bulk data: uninitialised, and on huge pages where it is large.

#include "effigy/bytes.hpp"

#include <cstdlib>
#include <sys/mman.h>

namespace effigy::detail {

namespace {
// From here on a block is worth huge pages: without them, clearing fresh 4 KiB pages costs more than reading a file.
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t huge_threshold = 2 * huge_page;
}  // namespace

void* allocate_block(std::size_t size) {
    if (size < huge_threshold) return ::operator new(size);
    if (size > SIZE_MAX - huge_page) throw std::bad_alloc();
    const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
    void* block = std::aligned_alloc(huge_page, rounded);
    if (block == nullptr) throw std::bad_alloc();
    // Only whole huge pages: the last, partly used one would cost memory that nobody asked for.
    (void)madvise(block, size / huge_page * huge_page, MADV_HUGEPAGE);
    return block;
}

void release_block(void* block, std::size_t size) noexcept {
    if (size < huge_threshold) {
        ::operator delete(block);
    } else {
        std::free(block);
    }
}

}  // namespace effigy::detail
