#pragma once
/// Findings for people: one line a code, most severe first, and the words about losses at the end of a conversion.

#include <map>
#include <string>
#include <vector>

#include "effigy/result.hpp"

#include "common.hpp"

namespace effigy::app {

/// Findings of any number of files, joined by their codes.
class FindingSummary {
public:
    void add(const Diagnostic& finding);
    /// Findings that were counted and not listed.
    void add_more(const std::string& code, std::size_t count);
    void add(const Report& report);

    /// "warning: 66 times in 3 files: The first key ... [key-time-first], first in walk.xsm at ..."; those of at least
    /// this severity. With `colors` the severity is painted.
    [[nodiscard]] std::vector<std::string> lines(Severity least, bool colors) const;

private:
    struct Group {
        Diagnostic first;
        std::uint64_t count = 0;
        std::map<std::string, std::size_t> files;
        bool all_alike = true;  ///< all have the same message
    };
    [[nodiscard]] static std::string line(const Group& group);

    std::vector<Group> groups_;
};

/// Whether the stream is a terminal that wants colours.
[[nodiscard]] bool wants_colors(int descriptor);

/// On standard error: one line a code, or each finding with --verbose; with --quiet errors only.
void print_report(const Report& report, const CommonOptions& options);

/// What was lost on the way to the output, and what to do next: "; nothing is lost; `effigy check soldier.xac` ...".
[[nodiscard]] std::string closing_words(const Report& report, const std::string& output, const CommonOptions& options);

}  // namespace effigy::app
