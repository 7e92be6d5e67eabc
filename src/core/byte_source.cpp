/// Bytes to read from a file or from memory, through a window.

#include "byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/file_hash.hpp"
#include "core/problem.hpp"

namespace effigy {

namespace {
constexpr std::uint64_t window_size = 64 * 1024;

Diagnostic open_failure(const std::filesystem::path& path, int error) {
    Diagnostic diagnostic =
        file_problem(path.string(), codes::input_open, "the file cannot be opened", std::strerror(error));
    if (error == EACCES)
        diagnostic.message =
            "you may not read this file: `chmod u+r` gives its owner the right to, and `chmod u+x` that to "
            "enter the folders above it; or copy it to where you may";
    if (error == ESPIPE)
        diagnostic.message = "this is no file that can be read in any order; pass it on standard input, as -";
    return diagnostic;
}

/// Reads until the window is full or the file ends; nothing on failure.
std::optional<std::uint64_t> fill(int descriptor, std::byte* window) {
    std::uint64_t filled = 0;
    while (filled < window_size) {
        const ssize_t got = ::read(descriptor, window + filled, static_cast<std::size_t>(window_size - filled));
        if (got == 0) break;
        if (got > 0) {
            filled += static_cast<std::uint64_t>(got);
            // Asking where a file ends is cheaper than reading nothing there.
            const off_t here = static_cast<off_t>(filled), end = ::lseek(descriptor, 0, SEEK_END);
            if (end == here) break;
            if (end >= 0 && ::lseek(descriptor, here, SEEK_SET) != here) return std::nullopt;
        } else if (errno == EAGAIN) {
            // A pipe that somebody writes to: now waiting is what is wanted.
            if (::fcntl(descriptor, F_SETFL, 0) != 0) return std::nullopt;
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
    return filled;
}

}  // namespace

ByteSource::ByteSource(std::span<const std::byte> bytes) noexcept
    : cursor_(bytes.data()),
      end_(bytes.data() + bytes.size()),
      window_end_(bytes.data() + bytes.size()),
      window_end_offset_(bytes.size()),
      limit_(bytes.size()),
      size_(bytes.size()),
      memory_(bytes) {}

Result<ByteSource> ByteSource::open(const std::filesystem::path& path) {
    // Without waiting: a pipe that nobody writes to would never open.
    ByteSource source;
    source.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source.descriptor_ < 0) return fail(open_failure(path, errno));
    source.window_ = std::make_unique_for_overwrite<std::byte[]>(window_size);
    const std::optional<std::uint64_t> filled = fill(source.descriptor_, source.window_.get());
    if (!filled) return fail(open_failure(path, errno));
    std::uint64_t size = *filled;
    if (size == window_size) {
        struct stat status {};
        if (::fstat(source.descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
            return fail(open_failure(path, ESPIPE));
        size = static_cast<std::uint64_t>(status.st_size);
    } else {
        // A small file is all there, and is from now on one in memory.
        ::close(std::exchange(source.descriptor_, -1));
        source.memory_ = {source.window_.get(), static_cast<std::size_t>(size)};
    }
    source.cursor_ = source.window_.get();
    source.window_end_ = source.cursor_ + *filled;
    source.window_end_offset_ = *filled;
    source.size_ = source.limit_ = size;
    source.find_end();
    return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : cursor_(other.cursor_),
      end_(other.end_),
      window_end_(other.window_end_),
      window_end_offset_(other.window_end_offset_),
      limit_(other.limit_),
      size_(other.size_),
      memory_(other.memory_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      window_(std::move(other.window_)),
      hash_(other.hash_),
      broken_(other.broken_) {}

ByteSource::~ByteSource() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void ByteSource::seek(std::uint64_t position) noexcept {
    if (descriptor_ < 0) {
        cursor_ = memory_.data() + position;
        return;
    }
    const std::uint64_t window_start = window_end_offset_ - static_cast<std::uint64_t>(window_end_ - window_.get());
    if (position >= window_start && position <= window_end_offset_) {
        cursor_ = window_.get() + (position - window_start);
    } else {
        cursor_ = window_end_ = window_.get();
        window_end_offset_ = position;
        find_end();
    }
}

void ByteSource::hash_into(FileHash& hash) {
    hash_ = &hash;
    const auto size = static_cast<std::size_t>(window_end_ - window_.get());
    descriptor_ < 0 ? hash.add(0, memory_) : hash.add(window_end_offset_ - size, {window_.get(), size});
}

bool ByteSource::peek(void* destination, std::uint64_t size) noexcept {
    const std::uint64_t start = position();
    if (!read(destination, size)) return false;
    seek(start);
    return true;
}

// With enough bytes left, reached for large files only: the window of a source in memory is all of it.
bool ByteSource::read_on(std::byte* destination, std::uint64_t size) noexcept {
    if (size > remaining()) return false;
    const std::uint64_t start = position();
    const auto buffered = static_cast<std::uint64_t>(window_end_ - cursor_);
    if (buffered != 0) std::memcpy(destination, cursor_, static_cast<std::size_t>(buffered));
    destination += buffered;
    size -= buffered;
    std::uint64_t offset = start + buffered;
    bool complete = true;
    if (size >= window_size) {
        complete = read_from_file(destination, size, offset);
        offset += size;
        size = 0;
    }
    const std::uint64_t refill = size == 0 ? 0 : std::min(window_size, size_ - offset);
    complete = complete && read_from_file(window_.get(), refill, offset);
    if (!complete) {
        broken_ = true;
        seek(start);
        return false;
    }
    if (size != 0) std::memcpy(destination, window_.get(), static_cast<std::size_t>(size));
    cursor_ = window_.get() + size;
    window_end_ = window_.get() + refill;
    window_end_offset_ = offset + refill;
    find_end();
    return true;
}

bool ByteSource::read_from_file(std::byte* destination, std::uint64_t size, std::uint64_t offset) noexcept {
    while (size != 0) {
        const ssize_t got =
            ::pread(descriptor_, destination, static_cast<std::size_t>(size), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        if (hash_ != nullptr) hash_->add(offset, {destination, static_cast<std::size_t>(got)});
        destination += got;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::uint64_t>(got);
    }
    return true;
}

}  // namespace effigy
