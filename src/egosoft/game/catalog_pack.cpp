/// Writing catalogs.

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <md5.h>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "effigy/catalog.hpp"
#include "effigy/core_codes.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"

#include "core/file_set.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"

namespace effigy::catalog {

namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;

tl::unexpected<Diagnostic> failure(const Code& code, const std::string& file, std::string message,
                                   std::string found = {}) {
    Diagnostic diagnostic = problem_at({}, code, std::move(message), std::move(found));
    diagnostic.file = file;
    return fail(std::move(diagnostic));
}

/// Every path is safe, fits into a line, and stands there once.
Result<void> check_paths(std::span<const Packed> files) {
    std::set<std::string> seen;
    for (const Packed& file : files) {
        const auto normal = egosoft::normal_path(file.path);
        if (!normal || normal->empty())
            return failure(egosoft::codes::path_outside, file.path,
                           "a path in a catalog is relative, without steps \"..\"");
        if (file.path.find_first_of("\r\n") != std::string::npos)
            return failure(egosoft::codes::pack_path, file.path, "a path with a line break has no place in a catalog");
        if (file.path.back() == ' ' || file.path.front() == ' ')
            return failure(egosoft::codes::pack_path, file.path,
                           "a path that starts or ends with a space has no place in a catalog");
        if (!seen.insert(*normal).second)
            return failure(egosoft::codes::pack_duplicate, file.path,
                           "two files have this path; to the game, names that differ only in case are the same");
    }
    return {};
}

class Source {
public:
    explicit Source(const std::filesystem::path& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (descriptor_ < 0 || ::fstat(descriptor_, &status_) != 0) error_ = errno;
        if (error_ == 0 && !S_ISREG(status_.st_mode)) error_ = EINVAL;
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] int error() const noexcept { return error_; }
    [[nodiscard]] std::int64_t time() const noexcept { return static_cast<std::int64_t>(status_.st_mtime); }
    /// How many bytes were read: 0 at the end, less than 0 if the device failed.
    [[nodiscard]] ssize_t read(std::span<std::byte> block) const noexcept {
        ssize_t got = 0;
        do {
            got = ::read(descriptor_, block.data(), block.size());
        } while (got < 0 && errno == EINTR);
        return got;
    }

private:
    int descriptor_;
    int error_ = 0;
    struct stat status_ {};
};

void append_line(std::string& index, const std::string& path, std::uint64_t size, std::int64_t time, const Md5& sum) {
    index += path + " " + std::to_string(size) + " " + std::to_string(time) + " " + to_hex(sum) + "\n";
}

/// Copies a file behind the others, and describes it in the index.
Result<void> append_file(const Packed& file, const Sink& data, std::span<std::byte> block, std::string& index) {
    const Source source(file.source);
    if (source.error() != 0)
        return failure(codes::input_open, file.source.string(), "the file cannot be opened, or is none",
                       std::generic_category().message(source.error()));
    MD5_CTX context;
    MD5Init(&context);
    std::uint64_t size = 0;
    for (;;) {
        const ssize_t got = source.read(block);
        if (got < 0) return failure(codes::input_read, file.source.string(), "the file cannot be read");
        if (got == 0) break;
        const auto bytes = block.first(static_cast<std::size_t>(got));
        MD5Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        if (auto written = data(bytes); !written) return written;
        size += bytes.size();
    }
    if (size == 0)
        return failure(egosoft::codes::pack_empty, file.source.string(),
                       "the file is empty, and an entry of no bytes deletes its path in the game");
    Md5 sum{};
    MD5Final(sum.data(), &context);
    append_line(index, file.path, size, source.time(), sum);
    return {};
}

Result<void> append_all(std::span<const Packed> files, const Sink& data,
                        const std::function<bool(std::size_t)>& progress, std::string& index) {
    Bytes block(block_size);
    for (std::size_t number = 0; number < files.size(); ++number) {
        const Packed& file = files[number];
        if (progress && !progress(number)) return failure(codes::limit_cancelled, {}, "cancelled; nothing was written");
        if (file.source.empty()) {
            append_line(index, file.path, 0, 0, {});
        } else if (auto done = append_file(file, data, block, index); !done) {
            return done;
        }
    }
    return {};
}

}  // namespace

Result<void> pack(std::span<const Packed> files, const std::filesystem::path& catalog, bool fsync,
                  const std::function<bool(std::size_t)>& progress) {
    return without_exceptions([&]() -> Result<void> {
        if (auto safe = check_paths(files); !safe) return safe;
        std::string index;
        FileSet output(fsync);
        auto data = output.add(data_path(catalog), 0,
                               [&](const Sink& sink) { return append_all(files, sink, progress, index); });
        if (!data) return data;
        auto listed =
            output.add(catalog, index.size(), [&](const Sink& sink) { return sink(std::as_bytes(std::span(index))); });
        if (!listed) return listed;
        return output.commit();
    });
}

}  // namespace effigy::catalog
