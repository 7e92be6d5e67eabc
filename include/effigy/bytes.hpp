#pragma once
/// Owned blocks of memory for bulk data: vertex arrays, indices, keys, opaque chunks.

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace effigy {

namespace detail {
/// Memory for `size` bytes, aligned for any SIMD type; large blocks ask the system for huge pages.
/// Throws std::bad_alloc like operator new.
[[nodiscard]] void* allocate_block(std::size_t size);
void release_block(void* block, std::size_t size) noexcept;
}  // namespace detail

/// Standard allocator that leaves trivial elements uninitialised on resize(): a block that is about to be read
/// from a file must not be cleared first.
template <class T>
struct BulkAllocator {
    using value_type = T;

    BulkAllocator() noexcept = default;
    template <class U>
    BulkAllocator(const BulkAllocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
        return static_cast<T*>(detail::allocate_block(count * sizeof(T)));
    }
    void deallocate(T* block, std::size_t count) noexcept { detail::release_block(block, count * sizeof(T)); }

    /// Default member initialisers are skipped, too: the elements exist, their values do not.
    template <class U>
    void construct(U* place) noexcept {
        if constexpr (!std::is_trivially_copyable_v<U>) ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) U(static_cast<Arguments&&>(arguments)...);
    }

    friend bool operator==(const BulkAllocator&, const BulkAllocator&) noexcept { return true; }
};

/// A bulk array of trivially copyable elements.
template <class T>
using Bulk = std::vector<T, BulkAllocator<T>>;

/// Raw bytes.
using Bytes = Bulk<std::byte>;

/// The bytes of any contiguous range of trivially copyable elements.
template <class T>
[[nodiscard]] std::span<const std::byte> bytes_of(const Bulk<T>& values) noexcept {
    return std::as_bytes(std::span<const T>(values));
}

}  // namespace effigy
