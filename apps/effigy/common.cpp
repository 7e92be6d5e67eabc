#include "common.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "effigy/files.hpp"

namespace effigy::app {

namespace {

volatile std::sig_atomic_t cancel_asked = 0;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Diagnostic failure(const char* code, std::string file, std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.file = std::move(file);
    diagnostic.message = std::move(message);
    return diagnostic;
}

}  // namespace

int exit_code_of(const Diagnostic& problem) noexcept {
    if (problem.code.starts_with("limit-")) return exit_code::limit;
    if (problem.code.starts_with("input-") || problem.code == "unknown-format" || problem.code == "foreign-format" ||
        problem.code == "not-this-format") {
        return exit_code::unreadable;
    }
    return exit_code::findings;
}

void CommonOptions::add_to(CLI::App& verb) {
    verb.add_flag("--json", json, "Print JSON for programs instead of text");
    verb.add_option("--encoding", encoding, "Code page of strings that are not UTF-8, e.g. CP949")->capture_default_str();
    verb.add_option("--limit-memory", limits.memory, "Most memory for one input, e.g. 2GB; default: 64 MiB + 16 times its size")
        ->transform(CLI::AsSizeValue(false));
    verb.add_flag("-q,--quiet", quiet, "No warnings, notes and progress on standard error");
}

void print(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) std::_Exit(errno == EPIPE ? exit_code::fine : exit_code::findings);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void print_error(std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }

void print_report(const Report& report, bool all) {
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        if (all || diagnostic.severity == Severity::error) print_error(to_string(diagnostic));
    }
    for (const auto& [code, count] : report.suppressed()) print_error("... and " + std::to_string(count) + " more [" + code + "]");
}

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

Result<Bytes> read_standard_input(const Limits& limits) {
    const std::uint64_t most = limits.memory != 0 ? limits.memory : std::uint64_t{4} << 30;
    Bytes bytes;
    std::array<std::byte, 1 << 16> block;
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(failure("input-read", "-", std::string("standard input cannot be read: ") + std::strerror(errno)));
        if (got == 0) return bytes;
        if (bytes.size() + static_cast<std::size_t>(got) > most) {
            return fail(failure("limit-memory", "-", "standard input is larger than the limit; raise it with --limit-memory"));
        }
        bytes.insert(bytes.end(), block.begin(), block.begin() + got);
    }
}

Result<Loaded<Document>> open(const std::string& path, const Limits& limits) {
    const ReadOptions options{limits};
    if (path != "-") return open_file(path, options);
    const Result<Bytes> bytes = read_standard_input(limits);
    if (!bytes) return fail(bytes.error());
    return open_bytes(*bytes, "-", options);
}

Result<std::vector<Input>> collect_inputs(const std::vector<std::string>& paths) {
    std::vector<Input> inputs;
    for (const std::string& path : paths) {
        std::error_code error;
        if (path == "-" || !std::filesystem::is_directory(path, error)) {
            inputs.push_back({path, true});
            continue;
        }
        std::vector<Input> found;
        auto entry = std::filesystem::recursive_directory_iterator(path, std::filesystem::directory_options::skip_permission_denied, error);
        for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
            std::error_code ignored;
            if (entry->is_regular_file(ignored)) found.push_back({entry->path().string(), false});
        }
        if (error) return fail(failure("input-open", path, "the folder cannot be read: " + error.message()));
        std::sort(found.begin(), found.end(), [](const Input& a, const Input& b) { return a.path < b.path; });
        inputs.insert(inputs.end(), found.begin(), found.end());
    }
    return inputs;
}

bool is_readable_format(const std::string& path) {
    std::array<char, 4096> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    const auto size = static_cast<std::size_t>(file.gcount());
    const FormatInfo* format = recognize(std::as_bytes(std::span(head.data(), size)), path).format;
    return format != nullptr && format->role != Role::companion;
}

bool is_companion(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    const FormatInfo* format = extension.empty() ? nullptr : find_format(extension);
    return format != nullptr && format->role == Role::companion;
}

Result<void> write_text(const std::string& path, std::string_view text) {
    return write_bytes(path, std::as_bytes(std::span(text)));
}

bool cancelled() noexcept { return cancel_asked != 0; }

void watch_for_cancel() {
    struct sigaction action {};
    action.sa_handler = [](int) { cancel_asked = 1; };
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
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
    line += ": " + std::string(name);
    std::fprintf(stderr, "\r\x1b[K%s", line.substr(0, 110).c_str());
    std::fflush(stderr);
}

Progress::~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace effigy::app
