/// Paths as Egosoft's games take them: any case, either slash.

#include <array>
#include <system_error>

#include "effigy/game_files.hpp"

#include "core/text.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {

namespace {

/// A pattern's place to go on from, one further along the path, after something did not match.
struct Retry {
    std::size_t pattern = std::string_view::npos;
    std::size_t path = 0;
    [[nodiscard]] bool is_set() const noexcept { return pattern != std::string_view::npos; }
};

bool is_root(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / "content.xml", ignored) ||
           std::filesystem::exists(folder / "01.cat", ignored);
}

}  // namespace

bool normalize_path(std::string_view path, std::string& normal) {
    normal.clear();
    const bool is_absolute = !path.empty() && (path.front() == '/' || path.front() == '\\');
    if (is_absolute || path.size() > max_path_size) return false;
    std::size_t step = 0;  // where the last one starts
    const auto end_step = [&] {
        const std::string_view name = std::string_view(normal).substr(step);
        if (name == "..") return false;
        if (name == ".") normal.resize(step);
        if (normal.size() > step) normal += '/';
        step = normal.size();
        return true;
    };
    for (const char letter : path) {
        if (letter == '\0' || letter == ':') return false;
        if (letter == '/' || letter == '\\') {
            if (!end_step()) return false;
        } else {
            normal += lower(letter);
        }
    }
    if (!end_step()) return false;
    if (!normal.empty()) normal.pop_back();
    return true;
}

std::optional<std::string> normal_path(std::string_view path) {
    std::string normal;
    return normalize_path(path, normal) ? std::optional(std::move(normal)) : std::nullopt;
}

bool matches(std::string_view pattern, std::string_view path) noexcept {
    const auto is_slash = [](char c) { return c == '/' || c == '\\'; };
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

std::filesystem::path root_of(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(file, error).lexically_normal();
    if (error) absolute = file;
    std::filesystem::path own = absolute.parent_path();
    for (std::filesystem::path folder = own;; folder = folder.parent_path()) {
        if (is_root(folder)) return folder;
        if (folder == folder.parent_path()) break;
    }
    constexpr std::array<std::string_view, 3> usual{"assets", "index", "libraries"};
    for (std::filesystem::path folder = own; folder != folder.parent_path(); folder = folder.parent_path()) {
        const auto name = normal_path(folder.filename().string());
        for (const std::string_view known : usual) {
            if (name && *name == known) return folder.parent_path();
        }
    }
    return own;
}

}  // namespace effigy::egosoft
