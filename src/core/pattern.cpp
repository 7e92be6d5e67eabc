/// Patterns that paths are compared with.

#include "core/pattern.hpp"

#include <cstddef>

#include "core/text.hpp"

namespace effigy {
namespace {

/// A pattern's place to go on from, one further along the path, after something did not match.
struct Retry {
    std::size_t pattern = std::string_view::npos;
    std::size_t path = 0;
    [[nodiscard]] bool is_set() const noexcept { return pattern != std::string_view::npos; }
};

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view path, PatternCase letters) noexcept {
    const bool counts = letters == PatternCase::counts;
    const auto is_slash = [&](char c) { return c == '/' || (c == '\\' && !counts); };
    Retry one, many;  // after the last "*", after the last "**"
    std::size_t p = 0, t = 0;
    while (true) {
        if (pattern.substr(p).starts_with("**")) {
            // "**/" is also nothing at all, and else ends with a slash.
            p += 2;
            const bool whole_steps = p < pattern.size() && is_slash(pattern[p]);
            if (whole_steps) ++p;
            many = {p, t};
            one = {};
            continue;
        }
        if (p < pattern.size() && pattern[p] == '*') {
            one = {++p, t};
            continue;
        }
        if (p == pattern.size() && t == path.size()) return true;
        const bool both = p < pattern.size() && t < path.size();
        const bool alike = both && (is_slash(pattern[p]) ? is_slash(path[t])
                                    : pattern[p] == '?'  ? !is_slash(path[t])
                                    : counts             ? pattern[p] == path[t]
                                                         : lower(pattern[p]) == lower(path[t]));
        if (alike) {
            ++p;
            ++t;
        } else if (one.is_set() && one.path < path.size() && !is_slash(path[one.path])) {
            t = ++one.path;
            p = one.pattern;
        } else if (many.is_set() && many.path < path.size()) {
            const bool whole_steps = is_slash(pattern[many.pattern - 1]);
            while (whole_steps && many.path < path.size() && !is_slash(path[many.path])) ++many.path;
            if (many.path >= path.size()) return false;
            t = ++many.path;
            p = many.pattern;
            one = {};
        } else {
            return false;
        }
    }
}

}  // namespace effigy
