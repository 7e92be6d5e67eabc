#pragma once
/// What the rules of `check` share: places, findings, tallies of what breaks a rule.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/result.hpp"

#include "core/problem.hpp"

namespace effigy {

/// Where a finding stands.
struct Place {
    std::string path;
    std::uint64_t offset = no_offset;
    std::string file;  ///< empty: the file that is checked

    Place(std::string where = {}, std::uint64_t byte = no_offset, std::string other_file = {})
        : path(std::move(where)), offset(byte), file(std::move(other_file)) {}
    Place(const char* where) : path(where) {}
};

/// Collects what a check finds.
class Findings {
public:
    explicit Findings(Report& report) noexcept : report_(&report) {}

    void add(const Code& code, Place place, std::string found = {}, std::string expected = {}) {
        Diagnostic finding = problem_at(std::move(place.path), code, {}, std::move(found), std::move(expected));
        finding.offset = place.offset;
        finding.file = std::move(place.file);
        report_->add(std::move(finding));
    }

private:
    Report* report_;
};

/// How many elements break a rule, and the first of them.
struct Tally {
    std::uint64_t count = 0;
    std::uint64_t first = 0;

    /// The first, where what is counted are elements in memory.
    [[nodiscard]] std::size_t at() const noexcept { return static_cast<std::size_t>(first); }

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
