#pragma once
/// Rules of `check`: tables with a severity and a sentence for each code, and the findings that they make.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/result.hpp"

namespace effigy {

/// One row of docs/diagnostics.md.
struct Rule {
    std::string_view code;
    Severity severity;
    std::string_view applies_to;
    std::string_view sentence;  ///< what is wrong and what it breaks for the user
};

/// The rule of a code in `table`; a misspelt code does not compile.
template <const auto& table>
struct RuleCode {
    const Rule* rule = nullptr;

    consteval RuleCode(const char* code) : rule(find(code)) {}

private:
    static consteval const Rule* find(std::string_view code) {
        for (const Rule& candidate : table)
            if (candidate.code == code) return &candidate;
        throw "this code is not in the table of rules";
    }
};

/// Where a finding stands.
struct Place {
    std::string path;
    std::uint64_t offset = no_offset;
    std::string file;  ///< empty: the file that is checked

    Place(std::string where = {}, std::uint64_t byte = no_offset, std::string other_file = {})
        : path(std::move(where)), offset(byte), file(std::move(other_file)) {}
    Place(const char* where) : path(where) {}
};

[[nodiscard]] inline Diagnostic finding_of(const Rule& rule, Place place, std::string found, std::string expected) {
    Diagnostic finding;
    finding.code = rule.code;
    finding.severity = rule.severity;
    finding.offset = place.offset;
    finding.path = std::move(place.path);
    finding.message = rule.sentence;
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    finding.file = std::move(place.file);
    return finding;
}

/// Collects findings by the rules of a table.
template <const auto& table>
class RuleFindings {
public:
    explicit RuleFindings(Report& report) noexcept : report_(&report) {}

    void add(RuleCode<table> code, Place place, std::string found = {}, std::string expected = {}) {
        report_->add(finding_of(*code.rule, std::move(place), std::move(found), std::move(expected)));
    }

private:
    Report* report_;
};

/// How many elements break a rule, and the first of them.
struct Tally {
    std::uint64_t count = 0;
    std::uint64_t first = 0;

    void hit(std::uint64_t index) noexcept {
        if (count++ == 0) first = index;
    }
    explicit operator bool() const noexcept { return count != 0; }
};

/// "3 vertices", "1 vertex": the noun stands in the plural.
[[nodiscard]] inline std::string count_text(std::uint64_t count, std::string_view noun) {
    const auto without = [&](std::size_t letters) { return std::string(noun.substr(0, noun.size() - letters)); };
    const std::string number = std::to_string(count) + " ";
    if (count != 1 || !noun.ends_with('s')) return number + std::string(noun);
    if (noun.ends_with("ies")) return number + without(3) + "y";
    if (noun.ends_with("ices")) return number + without(4) + "ex";
    return number + without(noun.ends_with("shes") ? 2 : 1);
}

/// The first of `count` finds, and how many there are beside it.
[[nodiscard]] inline std::string first_of(const std::string& found, std::uint64_t count) {
    return count > 1 ? found + " and " + std::to_string(count - 1) + " more like it" : found;
}

}  // namespace effigy
