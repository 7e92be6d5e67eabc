/// Catalogs (.cat) and what lies in their .dat: index lines, MD5 sums, extraction, writing.

#include "effigy/catalog.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <md5.h>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"

#include "core/budget.hpp"
#include "core/byte_source.hpp"
#include "core/file_set.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::catalog {

namespace {

constexpr std::size_t md5_digits = 32;
/// "a 1 1 <md5>": entries cannot be denser than this.
constexpr std::size_t min_line_size = 6 + md5_digits;
constexpr std::size_t block_size = std::size_t{1} << 18;
constexpr std::uint64_t max_bytes = static_cast<std::uint64_t>(INT64_MAX);

/// Eight hexadecimal digits to four bytes, all at once; false if one of them is none. Half of a catalog's text are
/// sums, and half a million of them are read before a game's files can be listed.
bool parse_digits(const char* text, std::uint8_t* bytes) noexcept {
    constexpr auto each = [](std::uint64_t byte) { return byte * 0x0101'0101'0101'0101U; };
    std::uint64_t digits = 0;
    std::memcpy(&digits, text, sizeof digits);
    if ((digits & each(0x80)) != 0) return false;
    // The highest bit of each byte says whether that byte is at least, or above, a letter.
    const std::uint64_t lower = digits | each(0x20);
    const std::uint64_t is_number = (digits + each(0x80 - '0')) & ~(digits + each(0x7f - '9'));
    const std::uint64_t is_letter = (lower + each(0x80 - 'a')) & ~(lower + each(0x7f - 'f'));
    if (((is_number | is_letter) & each(0x80)) != each(0x80)) return false;
    // Letters have the bit 0x40, and their lower half counts from 1.
    const std::uint64_t values = (digits & each(0x0f)) + 9 * (digits >> 6 & each(1));
    std::uint64_t pairs = (values << 4 | values >> 8) & 0x00ff'00ff'00ff'00ffU;
    pairs = (pairs | pairs >> 8) & 0x0000'ffff'0000'ffffU;
    const auto packed = static_cast<std::uint32_t>(pairs | pairs >> 16);
    std::memcpy(bytes, &packed, sizeof packed);
    return true;
}

bool parse_md5(const char* text, Md5& sum) noexcept {
    for (std::size_t part = 0; part < sum.size(); part += 4) {
        if (!parse_digits(text + 2 * part, sum.data() + part)) return false;
    }
    return true;
}

enum class Line : std::uint8_t { entry, malformed, bad_size, long_path };

/// Cuts the last word off; empty if there is none.
std::string_view last_word(std::string_view& line) noexcept {
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos) return {};
    const std::string_view word = line.substr(space + 1);
    line.remove_suffix(word.size() + 1);
    return word;
}

template <class Number>
std::errc parse_whole(std::string_view word, Number& number) noexcept {
    constexpr std::size_t safe_digits = 18;
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < word.size() && word[digits] >= '0' && word[digits] <= '9'; ++digits)
        value = value * 10 + static_cast<std::uint64_t>(word[digits] - '0');
    if (digits == word.size() && digits > 0 && digits <= safe_digits) {  // as good as always; a million times a game
        number = static_cast<Number>(value);
        return {};
    }
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end != word.data() + word.size() ? std::errc::invalid_argument : error;
}

/// A path may have spaces, so the line is taken apart from its end.
Line parse_line(std::string_view line, Entry& entry) noexcept {
    if (line.size() < min_line_size || line[line.size() - md5_digits - 1] != ' ') return Line::malformed;
    if (!parse_md5(line.data() + line.size() - md5_digits, entry.md5)) return Line::malformed;
    line.remove_suffix(md5_digits + 1);
    const std::string_view time = last_word(line), size = last_word(line);
    if (line.empty() || parse_whole(time, entry.time) != std::errc()) return Line::malformed;
    const std::errc error = parse_whole(size, entry.size);
    const bool is_negative = size.size() > 1 && size[0] == '-' && size[1] >= '0' && size[1] <= '9';
    if (error == std::errc::result_out_of_range || is_negative || entry.size > max_bytes) return Line::bad_size;
    if (error != std::errc()) return Line::malformed;
    if (line.size() > egosoft::max_path_size) return Line::long_path;
    entry.path_size = static_cast<std::uint32_t>(line.size());
    return Line::entry;
}

Diagnostic line_problem(Line kind, std::string_view line, std::uint64_t offset) {
    constexpr std::size_t max_shown = 100;
    Diagnostic diagnostic =
        kind == Line::bad_size
            ? problem_at({}, egosoft::codes::catalog_size,
                         "this entry has a size that no file has, and is left out; files after it may be taken from "
                         "the wrong place in the .dat",
                         {}, "0 or more; all together less than 2^63")
            : problem_at({}, egosoft::codes::catalog_line,
                         "this line is no entry and is left out; files after it may be taken from the wrong place in "
                         "the .dat",
                         {},
                         kind == Line::long_path
                             ? "a path of at most " + std::to_string(egosoft::max_path_size) + " bytes"
                             : "path size time md5");
    diagnostic.found = line.substr(0, max_shown);
    diagnostic.offset = offset;
    diagnostic.length = line.size();
    return diagnostic;
}

class CatalogReader {
public:
    CatalogReader(std::string_view text, Bulk<Entry>& entries, Report& report)
        : text_(text), entries_(entries), report_(report) {}

    /// False if there are more than `most` entries.
    bool read(std::uint64_t max_entries) {
        const char* const start = text_.data();
        const char* const end = start + text_.size();
        const std::size_t mark = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;  // which editors put before UTF-8
        for (const char* line = start + mark; line != end;) {
            const auto* feed = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
            const char* line_end = feed != nullptr ? feed : end;
            read_line(trimmed(line, line_end), static_cast<std::uint64_t>(line - start));
            if (entries_.size() > max_entries) return false;
            line = feed != nullptr ? feed + 1 : end;
        }
        return true;
    }

private:
    static std::string_view trimmed(const char* line, const char* end) noexcept {
        while (end != line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) --end;
        return {line, static_cast<std::size_t>(end - line)};
    }

    void read_line(std::string_view line, std::uint64_t offset) {
        if (line.empty()) return;
        Entry entry;
        Line kind = parse_line(line, entry);
        if (kind == Line::entry && entry.size > max_bytes - offset_) kind = Line::bad_size;
        if (kind != Line::entry) return report_.add(line_problem(kind, line, offset));
        entry.path_offset = offset;
        entry.offset = offset_;
        offset_ += entry.size;
        entries_.push_back(entry);
    }

    std::string_view text_;
    Bulk<Entry>& entries_;
    Report& report_;
    std::uint64_t offset_ = 0;  // in the .dat
};

/// A file that is open for reading at any place.
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (descriptor_ < 0 || ::fstat(descriptor_, &status_) != 0) error_ = errno;
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] int error() const noexcept { return error_; }
    [[nodiscard]] bool is_regular() const noexcept { return S_ISREG(status_.st_mode); }
    [[nodiscard]] std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(status_.st_size); }
    [[nodiscard]] std::int64_t time() const noexcept { return static_cast<std::int64_t>(status_.st_mtime); }
    /// How many bytes were read: fewer at the end, less than 0 if the device failed.
    [[nodiscard]] std::int64_t read(std::span<std::byte> destination, std::uint64_t offset) const noexcept {
        std::size_t done = 0;
        while (done < destination.size()) {
            const ssize_t got = ::pread(descriptor_, destination.data() + done, destination.size() - done,
                                        static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return -1;
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        return static_cast<std::int64_t>(done);
    }

private:
    int descriptor_;
    int error_ = 0;
    struct stat status_ {};
};

Result<Bytes> extract_from(const std::filesystem::path& data, const Entry& entry, bool verify, const Limits& limits) {
    const OpenFile file(data);
    if (file.error() != 0) {
        return fail(file_problem(data.string(), egosoft::codes::catalog_data,
                                 "the .dat that belongs to a catalog cannot be opened",
                                 std::generic_category().message(file.error())));
    }
    const bool is_there = file.is_regular() && entry.offset <= file.size() && entry.size <= file.size() - entry.offset;
    if (!is_there) {
        Diagnostic diagnostic =
            file_problem(data.string(), egosoft::codes::catalog_data,
                         "the .dat ends before the file that it should hold", std::to_string(file.size()) + " bytes",
                         std::to_string(entry.size) + " bytes at " + std::to_string(entry.offset));
        diagnostic.offset = entry.offset;
        return fail(std::move(diagnostic));
    }
    if (!Budget(limits, entry.size).take(entry.size)) {
        return fail(
            file_problem(data.string(), codes::limit_memory,
                         "a file in the catalog is larger than the memory limit; raise it with --limit-memory"));
    }
    Bytes bytes(static_cast<std::size_t>(entry.size));
    if (file.read(bytes, entry.offset) != static_cast<std::int64_t>(bytes.size()))
        return fail(file_problem(data.string(), codes::input_read, "the .dat cannot be read"));
    if (verify && md5_of(bytes) != entry.md5) {
        Diagnostic diagnostic =
            file_problem(data.string(), egosoft::codes::catalog_md5,
                         "the bytes of a file in the catalog do not have the MD5 sum that it gives: damaged",
                         to_hex(md5_of(bytes)), to_hex(entry.md5));
        diagnostic.offset = entry.offset;
        diagnostic.length = entry.size;
        return fail(std::move(diagnostic));
    }
    return bytes;
}

// --- writing

/// Every path is safe, fits into a line, and stands there once.
Result<void> check_paths(std::span<const Packed> files) {
    std::set<std::string> seen;
    for (const Packed& file : files) {
        const auto normal = egosoft::normal_path(file.path);
        if (!normal || normal->empty())
            return fail(file_problem(file.path, egosoft::codes::path_outside,
                                     "a path in a catalog is relative, without steps \"..\""));
        if (file.path.find_first_of("\r\n") != std::string::npos)
            return fail(file_problem(file.path, egosoft::codes::pack_path,
                                     "a path with a line break has no place in a catalog"));
        if (file.path.back() == ' ' || file.path.front() == ' ')
            return fail(file_problem(file.path, egosoft::codes::pack_path,
                                     "a path that starts or ends with a space has no place in a catalog"));
        if (!seen.insert(*normal).second)
            return fail(
                file_problem(file.path, egosoft::codes::pack_duplicate,
                             "two files have this path; to the game, names that differ only in case are the same"));
    }
    return {};
}

void append_line(std::string& index, const std::string& path, std::uint64_t size, std::int64_t time, const Md5& sum) {
    index += path + " " + std::to_string(size) + " " + std::to_string(time) + " " + to_hex(sum) + "\n";
}

/// Copies a file behind the others, and describes it in the index.
Result<void> append_file(const Packed& file, const Sink& data, std::span<std::byte> block, std::string& index) {
    const OpenFile source(file.source);
    if (source.error() != 0 || !source.is_regular())
        return fail(file_problem(file.source.string(), codes::input_open, "the file cannot be opened, or is none",
                                 std::generic_category().message(source.error() != 0 ? source.error() : EINVAL)));
    MD5_CTX context;
    MD5Init(&context);
    std::uint64_t size = 0;
    for (;;) {
        const std::int64_t got = source.read(block, size);
        if (got < 0) return fail(file_problem(file.source.string(), codes::input_read, "the file cannot be read"));
        if (got == 0) break;
        const auto bytes = block.first(static_cast<std::size_t>(got));
        MD5Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        if (auto written = data(bytes); !written) return written;
        size += bytes.size();
    }
    if (size == 0)
        return fail(file_problem(file.source.string(), egosoft::codes::pack_empty,
                                 "the file is empty, and an entry of no bytes deletes its path in the game"));
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
        if (progress && !progress(number))
            return fail(problem_at({}, codes::limit_cancelled, "cancelled; nothing was written"));
        if (file.source.empty()) {
            append_line(index, file.path, 0, 0, {});
        } else if (auto done = append_file(file, data, block, index); !done) {
            return done;
        }
    }
    return {};
}

}  // namespace

Result<Loaded<Index>> read(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<Index>> {
        Loaded<Index> loaded;
        Budget budget(options.limits, text.size());
        const std::uint64_t max_lines = text.size() / min_line_size + 1;
        if (!budget.take(text.size()) || !budget.take(max_lines, sizeof(Entry)))
            return fail(problem_at({}, codes::limit_memory,
                                   "reading this catalog needs more memory than the limit allows; raise it with "
                                   "--limit-memory"));
        // Room that is not used is never touched.
        loaded.value.entries.reserve(static_cast<std::size_t>(max_lines));
        const std::string_view view = as_text(text);
        if (!CatalogReader(view, loaded.value.entries, loaded.report).read(options.limits.count))
            return fail(problem_at({}, codes::limit_count, "the catalog has more entries than the limits allow", {},
                                   "at most " + std::to_string(options.limits.count)));
        loaded.value.text = std::move(text);
        return loaded;
    });
}

Result<Loaded<Index>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return layout::read_file(
        path, [&](ByteSource source) { return egosoft::CatalogFormat::read(std::move(source), options); });
}

std::filesystem::path data_path(const std::filesystem::path& catalog) {
    std::filesystem::path usual = catalog, upper = catalog;
    usual.replace_extension(".dat");
    upper.replace_extension(".DAT");
    std::error_code ignored;
    return !std::filesystem::exists(usual, ignored) && std::filesystem::exists(upper, ignored) ? upper : usual;
}

Result<Bytes> extract(const std::filesystem::path& data, const Entry& entry, bool verify, const Limits& limits) {
    return without_exceptions([&] { return extract_from(data, entry, verify, limits); });
}

Md5 md5_of(std::span<const std::byte> bytes) noexcept {
    Md5 sum{};
    MD5_CTX context;
    MD5Init(&context);
    MD5Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    MD5Final(sum.data(), &context);
    return sum;
}

std::string to_hex(const Md5& sum) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : sum) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

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
