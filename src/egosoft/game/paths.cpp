/// Paths as Egosoft's games take them: any case, either slash.

#include <array>
#include <system_error>

#include "effigy/game_files.hpp"

#include "core/pattern.hpp"
#include "core/text.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {

namespace {

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

std::string_view extension_of(std::string_view path) noexcept {
    if (!path.starts_with(extensions_folder)) return {};
    const std::string_view rest = path.substr(extensions_folder.size());
    const std::size_t slash = rest.find('/');
    return slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
}

std::string_view without_extension_folder(std::string_view path) noexcept {
    const std::string_view name = extension_of(path);
    return name.empty() ? path : path.substr(extensions_folder.size() + name.size() + 1);
}

bool matches(std::string_view pattern, std::string_view path) noexcept {
    return matches_pattern(pattern, path, PatternCase::is_ignored);
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
