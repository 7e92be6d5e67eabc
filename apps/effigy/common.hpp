#pragma once
/// What the verbs share: exit codes, inputs, reports.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/result.hpp"

namespace effigy::app {

using Json = nlohmann::ordered_json;

namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int findings = 1;     ///< findings of severity error, a damaged file, a failed conversion
inline constexpr int usage = 2;
inline constexpr int unreadable = 3;   ///< not there, or of no known format
inline constexpr int limit = 4;        ///< a limit was reached, or the user cancelled
}  // namespace exit_code

/// The exit code that a failure asks for.
[[nodiscard]] int exit_code_of(const Diagnostic& failure) noexcept;

/// Switches that every verb has.
struct CommonOptions {
    Limits limits;
    std::string encoding = "CP1252";
    bool json = false;
    bool quiet = false;

    void add_to(CLI::App& verb);
};

/// Writes to standard output; a closed pipe ends the program quietly.
void print(std::string_view text);
/// Writes a line to standard error.
void print_error(std::string_view line);
/// A diagnostic or a report on standard error, one line each; infos only if `all`.
void print_report(const Report& report, bool all);
[[nodiscard]] Json to_json(const Diagnostic& diagnostic);
[[nodiscard]] Json to_json(const Report& report);

/// The bytes of standard input, up to the memory limit.
[[nodiscard]] Result<Bytes> read_standard_input(const Limits& limits);
/// "-" is standard input.
[[nodiscard]] Result<Loaded<Document>> open(const std::string& path, const Limits& limits);

/// A file to look at.
struct Input {
    std::string path;
    bool named = true;    ///< by the user, not found in a folder
};
/// Files and, recursively, what folders hold, sorted by name within each folder.
[[nodiscard]] Result<std::vector<Input>> collect_inputs(const std::vector<std::string>& paths);
/// Whether the file is of a format that effigy reads: files found in folders that are not are passed over.
[[nodiscard]] bool is_readable_format(const std::string& path);

/// A file that goes with others and is not looked at by itself (.xsmtime).
[[nodiscard]] bool is_companion(const std::string& path);

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
/// Each verb adds itself to the command line and sets what to run.
void add_info(CLI::App& program, Verb& chosen);
void add_dump(CLI::App& program, Verb& chosen);
void add_build(CLI::App& program, Verb& chosen);
void add_check(CLI::App& program, Verb& chosen);
void add_convert(CLI::App& program, Verb& chosen);
void add_formats(CLI::App& program, Verb& chosen);

}  // namespace effigy::app
