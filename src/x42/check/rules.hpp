#pragma once
/// The rules for X42 files, and what their checks share.

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "effigy/x42.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::x42::checks {

/// What every part of the check works on.
struct Context {
    const File& file;
    std::size_t names_end;  ///< behind the last zero in the strings: a name that begins before it ends
    Findings& findings;
};

/// Elements that a section has, with those that are cut off: nothing is wrong with what refers to them.
[[nodiscard]] inline std::uint64_t announced(const File& file, Section section, std::uint64_t there) noexcept {
    return there + std::min(~there, file.missing[static_cast<std::size_t>(section)]);
}

[[nodiscard]] inline std::string field_path(const char* list, std::uint64_t index, const char* field) {
    return element_path(list, index) + " / " + field;
}
[[nodiscard]] inline std::string below(std::uint64_t count) { return "less than " + std::to_string(count); }
[[nodiscard]] inline std::string at_most(std::uint64_t count) { return "at most " + std::to_string(count); }

void check_name(const Context& context, std::uint16_t name, std::string path);
/// Whether every code in it is a number.
[[nodiscard]] bool is_usable(const Range& range) noexcept;

/// Names that occur twice among the records of one kind.
class Duplicates {
public:
    Duplicates(const Context& context, const char* kind, bool ignore_case)
        : context_(context), kind_(kind), ignore_case_(ignore_case) {}
    void add(std::uint16_t name, std::size_t index);
    void report();

private:
    [[nodiscard]] std::string key_of(std::uint16_t name) const;

    const Context& context_;
    const char* kind_;
    bool ignore_case_;
    std::unordered_map<std::string, std::size_t> seen_;
    Tally repeated_;
    std::uint16_t name_ = 0;
    std::size_t earlier_ = 0;
};

/// How many ranges hold each of so many places; ranges must lie within.
class Coverage {
public:
    explicit Coverage(std::size_t places) : changes_(places + 1) {}
    void add(std::size_t begin, std::size_t end) {
        ++changes_[begin];
        --changes_[end];
    }
    template <class Visit>
    void each(Visit&& visit) const {
        std::int64_t covered = 0;
        for (std::size_t place = 0; place + 1 < changes_.size(); ++place) {
            covered += changes_[place];
            visit(place, covered);
        }
    }

private:
    std::vector<std::int64_t> changes_;
};

void check_missing(const Context& context);
void check_file(const Context& context);  ///< header and array sizes
void check_strings_end(const Context& context);
void check_ranges(const Context& context);  ///< pack header
void check_bones(const Context& context);   ///< bones, animation groups, tags, influences
void check_keys(const Context& context);    ///< palettes and key stream
void check_animations(const Context& context);
void check_groups(const Context& context);  ///< groups and levels of detail
void check_blend(const Context& context);
void check_vertices(const Context& context);  ///< bounds, normals, tangents
void check_morphs(const Context& context);

}  // namespace effigy::x42::checks
