/// Counts bytes in operator new and delete.

#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::size_t in_use = 0;  // the tests run in one thread
std::size_t peak = 0;

void* try_allocate(std::size_t size) noexcept {
    void* block = std::malloc(size);
    if (block != nullptr) in_use += malloc_usable_size(block);
    peak = std::max(peak, in_use);
    return block;
}

void* allocate(std::size_t size) {
    void* block = try_allocate(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void release(void* block) noexcept {
    if (block != nullptr) in_use -= malloc_usable_size(block);
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }

namespace effigy::test {

PeakMemory::PeakMemory() noexcept : start_(in_use) { peak = in_use; }
std::size_t PeakMemory::bytes() const noexcept { return peak - start_; }

}  // namespace effigy::test
