/// Standard streams, exit codes, limits, progress and JSON of every verb.

#include "common.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <set>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"
#include "effigy/program_codes.hpp"

#include "text.hpp"

namespace effigy::app {

namespace {

volatile std::sig_atomic_t cancel_asked = 0;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_closed(const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::directory_iterator inside(folder, error);
    return error == std::errc::permission_denied;
}

/// Folders in it that may not be entered go to `problems`.
Result<std::vector<std::string>> files_in(const std::string& folder, std::vector<Diagnostic>& problems) {
    std::error_code error;
    std::vector<std::string> files;
    constexpr const char* closed = "the folder may not be read; `chmod u+rx` gives its owner the right to";
    if (is_closed(folder)) return fail(make_finding(codes::input_open, folder, closed));
    auto entry = std::filesystem::recursive_directory_iterator(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    for (; !error && !cancelled() && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        if (auto problem = too_long(*entry)) {
            problems.push_back(std::move(*problem));
            entry.disable_recursion_pending();
            continue;
        }
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path().string());
        if (!entry->is_symlink(ignored) && entry->is_directory(ignored) && is_closed(entry->path()))
            problems.push_back(make_finding(codes::input_open, entry->path().string(), closed));
    }
    if (error) return fail(make_finding(codes::input_open, folder, "the folder cannot be read: " + error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

/// The content of a catalog may begin like a file of any format.
bool is_catalog_data(const std::string& file) {
    std::filesystem::path catalog(file);
    if (catalog.extension() != ".dat") return false;
    std::error_code error;
    return std::filesystem::exists(catalog.replace_extension(".cat"), error);
}

/// Files of other programs may be called and begin like a known format: a look inside tells.
bool is_foreign(const std::string& path, const FormatInfo& format) {
    if (format.traits.foreign_code.empty()) return false;
    const auto loaded = open_file(path);
    return !loaded && loaded.error().code == format.traits.foreign_code;
}

using PathSet = std::set<std::filesystem::path>;

bool is_new(const std::string& path, PathSet& known) {
    std::error_code error;
    return known.insert(std::filesystem::absolute(path, error).lexically_normal()).second;
}

/// Folders may be named twice, or be within each other.
void add_folder(const std::string& folder, PathSet& known, InputList& inputs) {
    auto files = files_in(folder, inputs.problems);
    if (!files) return inputs.problems.push_back(std::move(files.error()));
    std::erase_if(*files, [](const std::string& path) {
        if (is_catalog_data(path)) return true;
        const FormatInfo* format = format_of_file(path);
        return format == nullptr || !format->reads || is_companion(*format) || is_foreign(path, *format);
    });
    if (files->empty()) {
        inputs.problems.push_back(
            make_finding(codes::input_none, folder,
                         "this folder holds no file that effigy reads; `effigy formats` lists the formats"));
    }
    std::copy_if(files->begin(), files->end(), std::back_inserter(inputs.paths),
                 [&](const std::string& path) { return is_new(path, known); });
}

}  // namespace

Diagnostic make_finding(const Code& code, std::string file, std::string message, std::string found,
                        std::string expected) {
    return {std::string(code.name), code.severity,       no_offset,      0, {}, std::move(message),
            std::move(found),       std::move(expected), std::move(file)};
}

std::optional<Diagnostic> too_long(const std::filesystem::directory_entry& entry) {
    const std::string& path = entry.path().native();
    if (path.size() < PATH_MAX) return std::nullopt;
    std::error_code ignored;
    return make_finding(codes::input_open, path,
                        std::string(entry.is_directory(ignored) ? "the folder" : "the file") +
                            " cannot be read: " + std::make_error_code(std::errc::filename_too_long).message());
}

int fail_usage(std::string_view verb, std::string_view message) {
    print_error("effigy " + std::string(verb) + ": " + std::string(message));
    return exit_code::usage;
}

int fail_with(const Diagnostic& failure) {
    print_error(to_string(failure));
    return exit_code_of(failure);
}

int fail_usage(std::string_view verb, std::string_view message, const CommonOptions& common) {
    if (common.json) print(pretty({{"error", to_json(make_finding(codes::usage_option, {}, std::string(message)))}}));
    return fail_usage(verb, message);
}

int fail_with(const Diagnostic& failure, const CommonOptions& common) {
    if (common.json) print(pretty({{"error", to_json(failure)}}));
    return fail_with(failure);
}

int exit_code_of(const Diagnostic& problem) noexcept {
    if (codes::is_limit(problem.code)) return exit_code::limit;
    if (codes::is_usage(problem.code)) return exit_code::usage;
    return is_unreadable(problem) ? exit_code::unreadable : exit_code::findings;
}

void CommonOptions::add(CLI::App& verb) {
    add_json(verb);
    add_limit(verb);
    add_quiet(verb);
}

void CommonOptions::add_json(CLI::App& verb) {
    verb.add_flag("--json", json, "Print JSON for programs instead of text");
}

void CommonOptions::add_limit(CLI::App& verb) {
    verb.add_option("--limit-memory", limits.memory,
                    "Most memory for one input, e.g. 2GB (default: 64 MB + 16 times its size)")
        ->transform(CLI::AsSizeValue(false))
        ->transform(CLI::Validator(  // which is asked first
            [](const std::string& text) {
                return std::string(text.starts_with('-') ? "a size is needed, as 500MB or 2GB" : "");
            },
            ""))
        ->option_text("SIZE");
}

void CommonOptions::add_quiet(CLI::App& verb, const char* effect) {
    auto* const flag = verb.add_flag("-q,--quiet", quiet, effect);
    verb.add_flag("-v,--verbose", verbose, "List each finding, instead of one line for each code")->excludes(flag);
}

namespace {

/// False if nobody reads it any more.
bool write_out(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return false;
        if (written < 0) {
            print_error(std::string("effigy: standard output cannot be written: ") + std::strerror(errno));
            std::_Exit(exit_code::findings);
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void print(std::string_view text) { print_painted(without_controls(text)); }

void print_painted(std::string_view text) {
    if (!write_out(text)) std::_Exit(exit_code::fine);
}

bool try_print(std::string_view text) { return write_out(without_controls(text)); }

void print_error(std::string_view line) { std::fprintf(stderr, "%s\n", on_one_line(line).c_str()); }

Json to_json(const Diagnostic& diagnostic) {
    Json json{{"code", diagnostic.code}, {"severity", to_string(diagnostic.severity)}, {"message", diagnostic.message}};
    if (!diagnostic.file.empty()) json["file"] = diagnostic.file;
    if (!diagnostic.path.empty()) json["path"] = diagnostic.path;
    if (diagnostic.offset != no_offset) json["offset"] = diagnostic.offset;
    if (diagnostic.length != 0) json["length"] = diagnostic.length;
    if (!diagnostic.found.empty()) json["found"] = diagnostic.found;
    if (!diagnostic.expected.empty()) json["expected"] = diagnostic.expected;
    return json;
}

Json to_json(const Report& report) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : report.diagnostics()) list.push_back(to_json(diagnostic));
    return list;
}

int rank(Severity severity) noexcept { return severity == Severity::error ? 2 : severity == Severity::warning ? 1 : 0; }

Json suppressed_json(const Report& report, Severity least) {
    Json json = Json::object();
    for (const auto& [code, count] : report.suppressed()) {
        const bool counts = std::any_of(report.diagnostics().begin(), report.diagnostics().end(),
                                        [&, &code = code](const Diagnostic& listed) {
                                            return listed.code == code && rank(listed.severity) >= rank(least);
                                        });
        if (counts) json[code] = count;
    }
    return json;
}

std::string pretty(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

namespace {

/// Without --limit-memory: what has no end must not take the machine with it.
std::uint64_t most_of_standard_input() {
    constexpr std::uint64_t most = std::uint64_t{4} << 30;
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return most;
    return std::min(most, static_cast<std::uint64_t>(pages) / 4 * static_cast<std::uint64_t>(size));
}

constexpr std::size_t head_size = 4096;  // by which formats are recognised

bool begins_like_a_format(const Bytes& bytes) {
    const FormatInfo* format = recognize(std::span(bytes).first(head_size), "-").format;
    return format != nullptr && format->reads;
}

}  // namespace

Result<Bytes> read_standard_input(const Limits& limits, bool is_any_text) {
    const std::uint64_t most = limits.memory != 0 ? limits.memory : most_of_standard_input();
    bool is_wanted = is_any_text;
    Bytes bytes;
    std::array<std::byte, 1 << 16> block{};
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
        if (cancelled()) return fail(make_finding(codes::limit_cancelled, "-", "cancelled"));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return fail(make_finding(codes::input_read, "-",
                                     std::string("standard input cannot be read: ") + std::strerror(errno)));
        if (got == 0) return bytes;
        if (bytes.size() + static_cast<std::size_t>(got) > most) {
            return fail(make_finding(codes::limit_memory, "-",
                                     "standard input is larger than the limit; raise it with --limit-memory"));
        }
        bytes.insert(bytes.end(), block.begin(), block.begin() + got);
        if (is_wanted || bytes.size() < head_size) continue;
        is_wanted = begins_like_a_format(bytes);
        if (!is_wanted) return bytes;
    }
}

Result<Loaded<Document>> open(const std::string& path, const Limits& limits) {
    const ReadOptions options{limits};
    if (path != "-") return open_file(path, options);
    const Result<Bytes> bytes = read_standard_input(limits);
    if (!bytes) return fail(bytes.error());
    return open_bytes(*bytes, "-", options);
}

InputList collect_inputs(const std::vector<std::string>& arguments) {
    InputList inputs;
    PathSet known;
    for (const std::string& argument : arguments) static_cast<void>(is_new(argument, known));
    for (const std::string& argument : arguments) {
        std::error_code error;
        if (argument != "-" && std::filesystem::is_directory(argument, error)) {
            add_folder(argument, known, inputs);
        } else if (argument == "-" && std::count(inputs.paths.begin(), inputs.paths.end(), argument) != 0) {
            inputs.problems.push_back(
                make_finding(codes::usage_input_twice, "-", "standard input can be read only once"));
        } else {
            inputs.paths.push_back(argument);
        }
    }
    return inputs;
}

const FormatInfo* format_of_file(const std::string& path) { return recognize_file(path).format; }

bool is_companion(const std::string& path) {
    const FormatInfo* format = format_of_file(path);
    return format != nullptr && is_companion(*format);
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return a != "-" && b != "-" && std::filesystem::equivalent(a, b, error);
}

Result<void> write_text(const std::string& path, std::string_view text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

bool cancelled() noexcept { return cancel_asked != 0; }

void watch_for_cancel() {
    struct sigaction action {};
    action.sa_handler = [](int) { cancel_asked = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second time ends the program at once
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that gets too large fails by itself
}

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)), total_(total), active_(!quiet && ::isatty(STDERR_FILENO) != 0), start_(seconds_now()) {}

void Progress::step(std::size_t done, std::string_view name) {
    const double now = active_ ? seconds_now() : 0;
    if (!active_ || now - start_ < 1 || now - last_ < 0.2) return;
    last_ = now;
    shown_ = true;
    std::string line = what_ + " " + std::to_string(done) + " of " + std::to_string(total_);
    if (done != 0) {
        const double left = (now - start_) / static_cast<double>(done) * static_cast<double>(total_ - done);
        line += ", about " + std::to_string(static_cast<long>(left + 1)) + " s left";
    }
    line += ": " + on_one_line(name);
    std::fprintf(stderr, "\r\x1b[K%s", line.substr(0, 110).c_str());
    std::fflush(stderr);
}

CLI::App* add_verb(CLI::App& program, const char* name, const char* description, const char* footer) {
    CLI::App* verb = program.add_subcommand(name, description);
    verb->group("Verbs");
    verb->footer(footer);
    return verb;
}

Progress::~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace effigy::app
