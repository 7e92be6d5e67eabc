#include "byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace effigy {

namespace {
constexpr std::uint64_t window_size = 64 * 1024;

Diagnostic open_failure(const std::filesystem::path& path, int error) {
    Diagnostic diagnostic;
    diagnostic.code = "input-open";
    diagnostic.file = path.string();
    diagnostic.message = "the file cannot be opened";
    diagnostic.found = std::strerror(error);
    return diagnostic;
}
}  // namespace

ByteSource::ByteSource(std::span<const std::byte> bytes) noexcept
    : cursor_(bytes.data()),
      window_end_(bytes.data() + bytes.size()),
      window_end_offset_(bytes.size()),
      limit_(bytes.size()),
      size_(bytes.size()),
      memory_(bytes) {}

Result<ByteSource> ByteSource::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail(open_failure(path, errno));
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return fail(open_failure(path, S_ISDIR(status.st_mode) ? EISDIR : ESPIPE));
    }
    ByteSource source;
    source.descriptor_ = descriptor;
    source.size_ = source.limit_ = static_cast<std::uint64_t>(status.st_size);
    source.window_ = std::make_unique_for_overwrite<std::byte[]>(std::max<std::uint64_t>(1, std::min(window_size, source.size_)));
    source.cursor_ = source.window_end_ = source.window_.get();
    return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : cursor_(other.cursor_),
      window_end_(other.window_end_),
      window_end_offset_(other.window_end_offset_),
      limit_(other.limit_),
      size_(other.size_),
      memory_(other.memory_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      window_(std::move(other.window_)),
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
    }
}

bool ByteSource::peek(void* destination, std::uint64_t size) noexcept {
    const std::uint64_t start = position();
    if (!read(destination, size)) return false;
    seek(start);
    return true;
}

// Reached for files only: the window of a source in memory is all of it.
bool ByteSource::read_on(std::byte* destination, std::uint64_t size) noexcept {
    const std::uint64_t start = position();
    const auto buffered = static_cast<std::uint64_t>(window_end_ - cursor_);
    if (buffered != 0) std::memcpy(destination, cursor_, buffered);
    destination += buffered;
    size -= buffered;
    std::uint64_t offset = start + buffered;
    const std::uint64_t capacity = std::min(window_size, size_);
    bool complete = true;
    if (size >= capacity) {
        complete = read_from_file(destination, size, offset);
        offset += size;
        size = 0;
    }
    const std::uint64_t refill = size == 0 ? 0 : std::min(capacity, size_ - offset);
    complete = complete && read_from_file(window_.get(), refill, offset);
    if (!complete) {
        broken_ = true;
        seek(start);
        return false;
    }
    if (size != 0) std::memcpy(destination, window_.get(), size);
    cursor_ = window_.get() + size;
    window_end_ = window_.get() + refill;
    window_end_offset_ = offset + refill;
    return true;
}

bool ByteSource::read_from_file(std::byte* destination, std::uint64_t size, std::uint64_t offset) noexcept {
    while (size != 0) {
        const ssize_t got = ::pread(descriptor_, destination, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        destination += got;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::uint64_t>(got);
    }
    return true;
}

}  // namespace effigy
