#pragma once
/// Bytes to read, from memory or straight from a file, with a limit that can be narrowed for nested files.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"

namespace effigy {

class FileHash;

class ByteSource {
public:
    explicit ByteSource(std::span<const std::byte> bytes) noexcept;
    /// A regular file, or a pipe that holds less than 64 KiB. Small reads go through a window, bulk reads straight to
    /// their destination.
    /// Failures have the code "input-open" or "input-read".
    [[nodiscard]] static Result<ByteSource> open(const std::filesystem::path& path);

    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;
    ~ByteSource();

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t position() const noexcept {
        return window_end_offset_ - static_cast<std::uint64_t>(window_end_ - cursor_);
    }
    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }
    [[nodiscard]] std::uint64_t remaining() const noexcept { return limit_ - position(); }
    /// Bytes from `limit` on are out of reach until the limit is set back; never before the position.
    void set_limit(std::uint64_t limit) noexcept {
        limit_ = limit;
        find_end();
    }
    void seek(std::uint64_t position) noexcept;
    /// Gives `hash`, which must live longer, what is read from the file, and what has been read of its begin.
    void hash_into(FileHash& hash);

    /// The next `size` bytes, or false (and the position unchanged) if so many do not remain.
    [[nodiscard, gnu::always_inline]] bool read(void* destination, std::uint64_t size) noexcept {
        if (size > static_cast<std::uint64_t>(end_ - cursor_))
            return read_on(static_cast<std::byte*>(destination), size);
        if (size != 0) std::memcpy(destination, cursor_, static_cast<std::size_t>(size));
        cursor_ += size;
        return true;
    }
    /// As read(), without moving.
    [[nodiscard]] bool peek(void* destination, std::uint64_t size) noexcept;

    /// The system failed to deliver bytes that the file should have (it was cut off meanwhile, or the device failed).
    [[nodiscard]] bool broken() const noexcept { return broken_; }

private:
    ByteSource() noexcept = default;
    void find_end() noexcept {
        const std::uint64_t beyond = window_end_offset_ > limit_ ? window_end_offset_ - limit_ : 0;
        end_ = window_end_ - beyond;
    }
    bool read_on(std::byte* destination, std::uint64_t size) noexcept;
    bool read_from_file(std::byte* destination, std::uint64_t size, std::uint64_t offset) noexcept;

    const std::byte* cursor_ = nullptr;
    const std::byte* end_ = nullptr;  ///< of what can be read from the window: its own, or the limit
    const std::byte* window_end_ = nullptr;
    std::uint64_t window_end_offset_ = 0;
    std::uint64_t limit_ = 0;
    std::uint64_t size_ = 0;
    std::span<const std::byte> memory_;
    int descriptor_ = -1;
    std::unique_ptr<std::byte[]> window_;
    FileHash* hash_ = nullptr;
    bool broken_ = false;
};

}  // namespace effigy
