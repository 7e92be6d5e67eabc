/// Counts findings by their codes and prints them: in a line each, in colour on a terminal, or as JSON.

#include "findings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>

#include "effigy/registry.hpp"
#include "effigy/scene_codes.hpp"

#include "text.hpp"

namespace effigy::app {

namespace {

constexpr std::string_view count_end = " in all, this is the first.";

/// Rules that look at many values make one finding of them and say so at the end of its sentence: takes it off.
std::uint64_t take_count(std::string& message) {
    if (!message.ends_with(count_end)) return 1;
    const std::size_t end = message.size() - count_end.size();
    const std::size_t space = message.rfind(' ', end - 1);
    if (space == std::string::npos) return 1;
    const std::uint64_t count = std::strtoull(message.c_str() + space + 1, nullptr, 10);
    if (count != 0) message.resize(space);
    return std::max<std::uint64_t>(count, 1);
}

/// " (found 3, expected 4) [code]"
std::string details(const Diagnostic& finding) {
    std::string values;
    if (!finding.found.empty()) values = "found " + finding.found;
    if (!finding.expected.empty()) values += (values.empty() ? "expected " : ", expected ") + finding.expected;
    return (values.empty() ? "" : " (" + values + ")") + " [" + finding.code + "]";
}

/// " in soldier.xac at chunk[2] mesh, offset 40"
std::string place(const Diagnostic& finding) {
    std::string text;
    if (!finding.file.empty()) text += " in " + finding.file;
    if (!finding.path.empty()) text += " at " + finding.path;
    if (finding.offset != no_offset) text += ", offset " + std::to_string(finding.offset);
    return text;
}

std::string painted(Severity severity) {
    static constexpr std::array<std::string_view, 3> colors{"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m"};
    return std::string(colors[static_cast<std::size_t>(2 - rank(severity))]).append(to_string(severity)) + "\x1b[0m";
}

/// "texture-missing, bone-missing and 2 more"
std::string lossy_codes(const Report& report) {
    constexpr std::size_t max_named = 3;
    std::vector<std::string> codes;
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity == Severity::warning && std::find(codes.begin(), codes.end(), finding.code) == codes.end())
            codes.push_back(finding.code);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(codes.size(), max_named); ++i) text += (i == 0 ? "" : ", ") + codes[i];
    if (codes.size() > max_named) text += " and " + std::to_string(codes.size() - max_named) + " more";
    return text;
}

bool has_repeats(const Report& report) {
    std::vector<std::string_view> codes;
    for (const Diagnostic& finding : report.diagnostics()) codes.push_back(finding.code);
    std::sort(codes.begin(), codes.end());
    return std::adjacent_find(codes.begin(), codes.end()) != codes.end();
}

/// Whether shells take a name as it stands.
bool is_plain_argument(const std::string& name) {
    const auto is_plain = [](char letter) {
        const bool is_word = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                             (letter >= 'a' && letter <= 'z') || static_cast<unsigned char>(letter) >= 0x80;
        return is_word || std::string_view("/._-+,:=@%").find(letter) != std::string_view::npos;
    };
    return !name.starts_with('-') && std::all_of(name.begin(), name.end(), is_plain);
}

std::string next_step(const Report& report, const std::string& output, const CommonOptions& options) {
    if (report.has_errors()) return "`effigy check` says what is damaged";
    if (report.count(codes::texture_missing) != 0) return "name the textures' folder with --textures DIR";
    if (const std::string_view advice = advice_for(report); !advice.empty()) return std::string(advice);
    if (report.count(Severity::warning) != 0) {
        return has_repeats(report) && !options.verbose ? "--verbose lists each"
                                                       : "docs/diagnostics.md says what each means";
    }
    const FormatInfo* format = format_of_name(output);
    if (format == nullptr || !is_plain_argument(output)) return "";
    if (format->traits.is_exchange) return "`effigy render " + output + " -o picture.png` draws it";
    return format->reads ? "`effigy check " + output + "` looks it over" : "";
}

}  // namespace

void FindingSummary::add(const Diagnostic& finding) {
    Diagnostic one = finding;
    const std::uint64_t count = take_count(one.message);
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) {
        return other.first.code == one.code && other.first.severity == one.severity;
    });
    if (group == groups_.end()) group = groups_.insert(group, Group{one, 0, {}, true});
    group->count += count;
    ++group->files[one.file];
    group->all_alike = group->all_alike && group->first.message == one.message;
}

void FindingSummary::add_more(const std::string& code, std::size_t count) {
    Group* worst = nullptr;
    for (Group& group : groups_) {
        const bool fits = group.first.code == code;
        if (fits && (worst == nullptr || rank(group.first.severity) > rank(worst->first.severity))) worst = &group;
    }
    if (worst != nullptr) worst->count += count;
}

void FindingSummary::add(const Report& report) {
    for (const Diagnostic& finding : report.diagnostics()) add(finding);
    for (const auto& [code, count] : report.suppressed()) add_more(code, count);
}

std::string FindingSummary::line(const Group& group) {
    if (group.count == 1) return ": " + group.first.message + details(group.first) + place(group.first);
    std::string text = ": " + std::to_string(group.count) + " times";
    if (group.files.size() > 1) text += " in " + counted(group.files.size(), "file");
    text += (group.all_alike ? ": " : ", first: ") + group.first.message + details(group.first);
    const std::string first = place(group.first);
    return group.all_alike && !first.empty() ? text + ", first" + first : text + first;
}

std::vector<std::string> FindingSummary::lines(Severity least, bool colors) const {
    std::vector<const Group*> sorted;
    for (const Group& group : groups_) {
        if (rank(group.first.severity) >= rank(least)) sorted.push_back(&group);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Group* a, const Group* b) { return rank(a->first.severity) > rank(b->first.severity); });
    std::vector<std::string> lines;
    lines.reserve(sorted.size());
    for (const Group* group : sorted) {
        const Severity severity = group->first.severity;
        lines.push_back((colors ? painted(severity) : std::string(to_string(severity))) + on_one_line(line(*group)));
    }
    return lines;
}

bool wants_colors(int descriptor) {
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    if ((refused != nullptr && *refused != '\0') || terminal == nullptr || std::string_view(terminal) == "dumb")
        return false;
    return ::isatty(descriptor) != 0;
}

void print_report(const Report& report, const CommonOptions& options) {
    if (options.verbose) {
        for (const Diagnostic& finding : report.diagnostics()) print_error(to_string(finding));
        for (const auto& [code, count] : report.suppressed())
            print_error("... and " + std::to_string(count) + " more findings [" + code + "]");
        return;
    }
    FindingSummary summary;
    summary.add(report);
    for (const std::string& line :
         summary.lines(options.quiet ? Severity::error : Severity::info, wants_colors(STDERR_FILENO)))
        std::fprintf(stderr, "%s\n", line.c_str());
}

std::string closing_words(const Report& report, const std::string& output, const CommonOptions& options) {
    std::string text;
    const std::size_t errors = report.count(Severity::error), warnings = report.count(Severity::warning);
    if (errors != 0) text += "; " + counted(errors, "error");
    if (warnings != 0) text += "; " + counted(warnings, "warning") + " (" + lossy_codes(report) + ")";
    // Notes, too, may say that something is left out.
    const std::size_t notes = report.count(Severity::info);
    if (errors + warnings == 0) text += notes == 0 ? "; nothing is lost" : "; " + counted(notes, "note");
    const std::string next = next_step(report, output, options);
    return next.empty() ? text : text + "; " + next;
}

}  // namespace effigy::app
