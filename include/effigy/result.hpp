#pragma once
/// How effigy reports: Result for what failed, Report for what was noticed on the way.

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "effigy/code.hpp"

namespace effigy {

/// No offset is known (the finding is about a whole file, an option, a conversion).
inline constexpr std::uint64_t no_offset = ~std::uint64_t{0};

/// One finding with its address. `code` is stable across releases; docs/diagnostics.md lists all of them, and the
/// families' headers of codes have a constant for each.
struct Diagnostic {
    std::string code;  ///< e.g. "truncated", "mesh-index-range"
    Severity severity = Severity::error;
    std::uint64_t offset = no_offset;  ///< first byte concerned, from the start of the file
    std::uint64_t length = 0;          ///< number of bytes concerned, 0 if unknown
    std::string path;                  ///< e.g. "chunk[12] mesh / submesh[3] / indices[17]"
    std::string message;               ///< one sentence: what is wrong and what it means for the user
    std::string found;                 ///< the value that stands there, as text
    std::string expected;              ///< what would be right, as text
    std::string file;                  ///< file concerned, as the user named it; empty for memory
};

/// One line for people: "file: severity: message (found .., expected ..) [code] at path, offset".
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

/// Findings in the order in which they were made. Repeats of one code beyond `max_per_code` are only counted.
class Report {
public:
    static constexpr std::size_t max_per_code = 100;

    void add(Diagnostic diagnostic);
    void append(Report other);
    /// Sets `file` on every finding that has none.
    void name_file(std::string_view file);

    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const& noexcept { return diagnostics_; }
    [[nodiscard]] std::vector<Diagnostic>& diagnostics() & noexcept { return diagnostics_; }
    /// Of a report that ends here, so that a loop over `check(file).diagnostics()` has something to stand on.
    [[nodiscard]] std::vector<Diagnostic> diagnostics() && noexcept { return std::move(diagnostics_); }
    /// How many findings of `code` were made, the suppressed ones included.
    [[nodiscard]] std::size_t count(std::string_view code) const noexcept;
    [[nodiscard]] std::size_t count(Severity severity) const noexcept;
    /// Codes with more findings than are listed, and how many are not listed.
    [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> suppressed() const;
    [[nodiscard]] bool has_errors() const noexcept { return count(Severity::error) != 0; }
    [[nodiscard]] bool empty() const noexcept { return diagnostics_.empty(); }

private:
    struct Tally {
        std::string code;
        Severity severity;
        std::size_t count;
    };
    Tally& tally_of(const std::string& code, Severity severity);

    std::vector<Diagnostic> diagnostics_;
    std::vector<Tally> tallies_;
};

/// A value, or the one diagnostic that says why there is none.
template <class T>
using Result = tl::expected<T, Diagnostic>;

/// Shorthand for `return fail(...)` in functions that return a Result.
[[nodiscard]] inline tl::unexpected<Diagnostic> fail(Diagnostic diagnostic) {
    return tl::unexpected<Diagnostic>(std::move(diagnostic));
}

/// A value together with what was noticed while it was read. Errors in the report mean a damaged file: the value
/// holds what could be read, the rest as opaque bytes, so that it can still be shown and copied.
template <class T>
struct Loaded {
    T value;
    Report report;
};

}  // namespace effigy
