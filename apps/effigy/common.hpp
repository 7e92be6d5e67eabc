#pragma once
/// What the verbs share: exit codes, inputs, reports.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/result.hpp"

namespace effigy::app {

using Json = nlohmann::ordered_json;

namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int findings = 1;  ///< findings of severity error, a damaged file, a failed conversion
inline constexpr int usage = 2;
inline constexpr int unreadable = 3;  ///< not there, or of no known format
inline constexpr int limit = 4;       ///< a limit was reached, or the user cancelled
}  // namespace exit_code

/// The exit code that a failure asks for.
[[nodiscard]] int exit_code_of(const Diagnostic& failure) noexcept;

/// Switches that several verbs have.
struct CommonOptions {
    Limits limits;
    bool json = false;
    bool quiet = false;
    bool verbose = false;

    void add(CLI::App& verb);  ///< all of them
    void add_json(CLI::App& verb);
    void add_limit(CLI::App& verb);
    /// and --verbose
    void add_quiet(CLI::App& verb, const char* effect = "No warnings, notes and progress on standard error");
};

[[nodiscard]] Diagnostic make_finding(const Code& code, std::string file, std::string message, std::string found = {},
                                      std::string expected = {});
/// "effigy convert: message" on standard error; returns the exit code.
[[nodiscard]] int fail_usage(std::string_view verb, std::string_view message);
/// The failure on standard error; returns the exit code that it asks for.
[[nodiscard]] int fail_with(const Diagnostic& failure);
/// The same two, and {"error": ...} on standard output for --json.
[[nodiscard]] int fail_usage(std::string_view verb, std::string_view message, const CommonOptions& common);
[[nodiscard]] int fail_with(const Diagnostic& failure, const CommonOptions& common);

/// Writes to standard output; a closed pipe ends the program quietly.
void print(std::string_view text);
/// False where the pipe is closed: what is being done is more than its telling.
[[nodiscard]] bool try_print(std::string_view text);
/// As print(), for text that has been tamed and may hold colours.
void print_painted(std::string_view text);
/// Writes a line to standard error.
void print_error(std::string_view line);
[[nodiscard]] Json to_json(const Diagnostic& diagnostic);
[[nodiscard]] Json to_json(const Report& report);
/// 2 error, 1 warning, 0 info.
[[nodiscard]] int rank(Severity severity) noexcept;
/// {code: how many findings are not listed}, of codes of at least this severity
[[nodiscard]] Json suppressed_json(const Report& report, Severity least = Severity::info);
/// Indented, with a line feed at the end; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string pretty(const Json& json);

/// The bytes of standard input, up to the memory limit or a quarter of the machine's memory. What begins like no file
/// that can be read is cut off behind its beginning, unless it is text of another kind.
[[nodiscard]] Result<Bytes> read_standard_input(const Limits& limits, bool is_any_text = false);
/// "-" is standard input.
[[nodiscard]] Result<Loaded<Document>> open(const std::string& path, const Limits& limits);

/// Files to look at by themselves, and what kept others out.
struct InputList {
    std::vector<std::string> paths;
    std::vector<Diagnostic> problems;
};
/// The files that the user named and, recursively and sorted by name, what folders hold of known formats, each once.
/// Companions in folders go with other files and are left out, and so are other programs' files that are called alike.
[[nodiscard]] InputList collect_inputs(const std::vector<std::string>& arguments);

/// What is wrong with an entry whose path no system call takes: walks over folders get there nevertheless.
[[nodiscard]] std::optional<Diagnostic> too_long(const std::filesystem::directory_entry& entry);

/// The format of a file; null if neither content nor extension says one.
[[nodiscard]] const FormatInfo* format_of_file(const std::string& path);
/// As effigy::is_companion().
using effigy::is_companion;
[[nodiscard]] bool is_companion(const std::string& path);

/// Whether both name one file, however they are written; "-" is no file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Writes text to a file, whole or not at all; "-" is standard output.
[[nodiscard]] Result<void> write_text(const std::string& path, std::string_view text);

/// The user pressed Ctrl-C; looked at between files and steps.
[[nodiscard]] bool cancelled() noexcept;
void watch_for_cancel();

/// "12 of 340, 5 s left" on standard error: on a terminal only, and only once a second has passed.
class Progress {
public:
    Progress(std::string what, std::size_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void step(std::size_t done, std::string_view name);

private:
    std::string what_;
    std::size_t total_;
    bool shown_ = false;
    bool active_;
    double start_;
    double last_ = 0;
};

using Verb = std::function<int()>;
/// A verb with its help; `footer` ends with examples, one a line, which the tests run.
CLI::App* add_verb(CLI::App& program, const char* name, const char* description, const char* footer);
/// One with arguments of its own, which it keeps, and what runs it.
template <class Arguments>
[[nodiscard]] std::pair<CLI::App*, std::remove_const_t<Arguments>*> add_verb(CLI::App& program, Verb& chosen,
                                                                             int (*run)(Arguments&), const char* name,
                                                                             const char* description,
                                                                             const char* footer) {
    const auto arguments = std::make_shared<std::remove_const_t<Arguments>>();
    CLI::App* verb = add_verb(program, name, description, footer);
    verb->callback([arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
    return {verb, arguments.get()};
}
/// What an option's check is described by where it takes these words ("a,b"), besides others perhaps: completions offer
/// them.
[[nodiscard]] inline std::string word_list(const std::string& words) {
    return words.empty() ? words : "{" + words + "}";
}
/// Each verb adds itself to the command line and sets what to run.
void add_info(CLI::App& program, Verb& chosen);
void add_dump(CLI::App& program, Verb& chosen);
void add_build(CLI::App& program, Verb& chosen);
void add_check(CLI::App& program, Verb& chosen);
void add_diff(CLI::App& program, Verb& chosen);
void add_convert(CLI::App& program, Verb& chosen);
void add_pose(CLI::App& program, Verb& chosen);
void add_render(CLI::App& program, Verb& chosen);
void add_formats(CLI::App& program, Verb& chosen);
void add_match(CLI::App& program, Verb& chosen);
void add_view(CLI::App& program, Verb& chosen);
void add_ls(CLI::App& program, Verb& chosen);
void add_unpack(CLI::App& program, Verb& chosen);
void add_pack(CLI::App& program, Verb& chosen);

}  // namespace effigy::app
