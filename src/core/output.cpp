/// Output files under temporary names, reserved, renamed when they are whole, taken back on failure.

#include "core/output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"

namespace effigy {
namespace {

constexpr std::size_t buffer_size = 256 * 1024;
// The system takes at most 2 GiB less a page at a time.
constexpr std::size_t max_write = std::size_t{1} << 30;

std::filesystem::path folder_of(const std::filesystem::path& file) {
    const auto folder = file.parent_path();
    return folder.empty() ? std::filesystem::path(".") : folder;
}

// Unlikely to be taken is enough: O_EXCL notices when it is. Its length does not depend on the target's name, which
// may already be as long as the file system allows.
std::string temporary_name(std::uint64_t attempt) {
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const unsigned long long number = now + attempt;
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%llx", number);
    return ".effigy-" + process_token() + "-" + digits.data() + ".tmp";
}

void append(Bytes& bytes, std::span<const std::byte> more) {
    if (more.empty()) return;
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + more.size());
    std::memcpy(bytes.data() + old_size, more.data(), more.size());
}

}  // namespace

bool have_same_bytes(const std::filesystem::path& a, const std::filesystem::path& b) {
    auto one = ByteSource::open(a), other = ByteSource::open(b);
    if (!one || !other || one->remaining() != other->remaining()) return false;
    std::vector<std::byte> left(buffer_size), right(buffer_size);
    while (one->remaining() != 0) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_size, one->remaining()));
        if (!one->read(left.data(), size) || !other->read(right.data(), size)) return false;
        if (std::memcmp(left.data(), right.data(), size) != 0) return false;
    }
    return true;
}

std::string process_token() {
    static const unsigned drawn = std::random_device()();
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%llxp%x", static_cast<unsigned long long>(::getpid()), drawn);
    return text.data();
}

Sink memory_sink(Bytes& bytes) {
    return [&bytes](std::span<const std::byte> more) -> Result<void> {
        append(bytes, more);
        return {};
    };
}

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, Existing existing) {
    OutputFile file(path, existing);
    if (auto opened = file.open(); !opened) return fail(std::move(opened.error()));
    file.buffer_.reserve(buffer_size);
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      existing_(other.existing_),
      reserved_(other.reserved_),
      written_(other.written_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)),
      replaces_(other.replaces_),
      committed_(other.committed_),
      buffer_(std::move(other.buffer_)) {}

OutputFile::~OutputFile() { discard(); }

Result<void> OutputFile::open() {
    if (path_ == "-") {
        descriptor_ = STDOUT_FILENO;
        return {};
    }
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return failure(codes::output_create, "the output is a folder", EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        // A device or a pipe must not be replaced by a file.
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) return failure(codes::output_create, "the output cannot be opened", errno);
        owns_descriptor_ = true;
        return {};
    }
    std::error_code ignored;
    target_ = exists ? std::filesystem::canonical(path_, ignored) : path_;
    if (target_.empty()) target_ = path_;
    replaces_ = exists;
    if (auto opened = open_temporary(); !opened) return opened;
    // Not every file system knows permissions; a file with the usual ones is better than none.
    if (exists) static_cast<void>(::fchmod(descriptor_, status.st_mode & 0777));
    return {};
}

Result<void> OutputFile::open_temporary() {
    constexpr std::uint64_t max_attempts = 100;
    for (std::uint64_t attempt = 0; attempt < max_attempts; ++attempt) {
        auto name = folder_of(target_) / temporary_name(attempt);
        descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) {
            owns_descriptor_ = true;
            temporary_ = std::move(name);
            return {};
        }
        if (errno != EEXIST && errno != EINTR) break;
    }
    return failure(codes::output_create,
                   errno == ENOENT ? "the folder of the output does not exist; make it first"
                                   : "no file can be made in the folder of the output",
                   errno);
}

Result<void> OutputFile::reserve(std::uint64_t size) {
    constexpr std::uint64_t worthwhile = std::uint64_t{1} << 20;
    if (temporary_.empty() || size < worthwhile || size > std::uint64_t{INT64_MAX}) return {};
#ifdef __linux__
    if (::fallocate(descriptor_, 0, 0, static_cast<off_t>(size)) == 0) {
        reserved_ = size;
    } else if (errno == ENOSPC) {
        return failure(codes::output_write, "the output cannot be written", errno);
    }
#endif
    return {};
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() <= buffer_size) {
        append(buffer_, bytes);
        return {};
    }
    if (auto flushed = flush(); !flushed) return flushed;
    if (bytes.size() >= buffer_size) return write_through(bytes);
    append(buffer_, bytes);
    return {};
}

Result<void> OutputFile::flush() {
    auto written = write_through(buffer_);
    buffer_.clear();
    return written;
}

Result<void> OutputFile::write_through(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), max_write));
        if (written > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            written_ += static_cast<std::uint64_t>(written);
        } else if (written == 0 || errno != EINTR) {
            return failure(codes::output_write, "the output cannot be written", written == 0 ? EIO : errno);
        }
    }
    return {};
}

Result<void> OutputFile::close(bool fsync) {
    if (descriptor_ < 0) return {};
    if (auto flushed = flush(); !flushed) return flushed;
    if (written_ < reserved_ && ::ftruncate(descriptor_, static_cast<off_t>(written_)) != 0) {
        return failure(codes::output_write, "the output cannot be written", errno);
    }
    // Pipes and terminals cannot be synchronised, and say EINVAL.
    if (fsync && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
        return failure(codes::output_write, "the output cannot be flushed to its device", errno);
    }
    buffer_ = Bytes();
    const int descriptor = std::exchange(descriptor_, -1);
    if (!std::exchange(owns_descriptor_, false)) return {};
    // After EINTR the descriptor is closed, and a second close() could hit another thread's file.
    if (::close(descriptor) != 0 && errno != EINTR) {
        return failure(codes::output_write, "the output cannot be written", errno);
    }
    struct stat ignored {};
    const bool stays = existing_ == Existing::kept && !temporary_.empty() && ::stat(target_.c_str(), &ignored) == 0;
    if (!stays || have_same_bytes(temporary_, target_)) return {};
    Diagnostic kept =
        problem_at({}, codes::output_kept,
                   "another file of this name is there, which was not made with this output, was changed since, or is "
                   "one that the inputs refer to: it stays. Write to another folder or move it away; --overwrite of "
                   "`convert` and of runs over folders replaces what no input refers to");
    kept.file = path_.string();
    return fail(std::move(kept));
}

Result<void> OutputFile::commit(bool fsync) {
    if (auto closed = close(fsync); !closed) return closed;
    if (temporary_.empty()) return {};
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
        return failure(codes::output_rename, "the finished output cannot be given its name", errno);
    }
    temporary_.clear();
    committed_ = true;
    if (!fsync) return {};
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synchronised = folder >= 0 && (::fsync(folder) == 0 || errno == EINVAL);
    const int error = errno;
    if (folder >= 0) ::close(folder);
    if (!synchronised)
        return failure(codes::output_write, "the output's folder cannot be flushed to its device", error);
    return {};
}

void OutputFile::retract() noexcept {
    if (committed_ && !replaces_) ::unlink(target_.c_str());
    committed_ = false;
}

Sink OutputFile::sink() {
    return [this](std::span<const std::byte> bytes) { return write(bytes); };
}

tl::unexpected<Diagnostic> OutputFile::failure(const Code& code, const char* message, int error) const {
    // Whether it is noticed when room is made or when it is filled.
    if (error == ENOSPC) message = "there is not enough room for the output";
    return fail(file_problem(path_.string(), code, message, std::generic_category().message(error)));
}

void OutputFile::discard() noexcept {
    if (owns_descriptor_ && descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    descriptor_ = -1;
    owns_descriptor_ = false;
    temporary_.clear();
}

NewFolders::~NewFolders() {
    std::error_code ignored;  // one that has something in it stays
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) std::filesystem::remove(*folder, ignored);
}

std::error_code NewFolders::make(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path whole;
    for (const std::filesystem::path& step : folder) {
        whole /= step;
        if (std::filesystem::create_directory(whole, error)) made_.push_back(whole);
        if (error) return error;
    }
    return error;
}

Result<void> write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes, bool fsync,
                         Existing existing) {
    auto output = OutputFile::create(path, existing);
    if (!output) return fail(std::move(output.error()));
    if (auto done = output->write(bytes); !done) return done;
    return output->commit(fsync);
}

}  // namespace effigy
