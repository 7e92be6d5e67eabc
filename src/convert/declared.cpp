/// Text files of games that say which motions are whose: found, and read once for all models around them.

#include "convert/declared.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "core/text.hpp"
#include "registry/new_files.hpp"

namespace effigy::conversion {
namespace {

namespace fs = std::filesystem;

std::string lower_name(const fs::path& path) { return lower(path.filename().string()); }

}  // namespace

/// Files and folders, sorted.
std::vector<fs::path> DeclaredFiles::paths_in(const fs::path& folder) const {
    std::vector<fs::path> paths;
    if (options_.files.read) {
        for (const std::string& name : options_.files.list ? options_.files.list() : std::vector<std::string>()) {
            for (fs::path path = name; path != path.parent_path(); path = path.parent_path()) {
                if (path.parent_path() == folder) paths.push_back(path);
            }
        }
    } else {
        std::error_code error;
        fs::directory_iterator entry(folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) paths.push_back(entry->path());
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

void DeclaredFiles::read_in(const fs::path& folder, const Declarations& kind, std::vector<TextFile>& files) const {
    constexpr std::uint64_t max_size = std::uint64_t{1} << 26;
    for (const fs::path& path : paths_in(folder)) {
        if (!lower_name(path).ends_with(kind.extension)) continue;
        const auto bytes = read_beside(path, options_.files.read ? &options_.files : nullptr, max_size);
        if (!bytes) continue;
        const std::string_view text = as_text(*bytes);
        files.push_back({path.filename().string(), kind.read(text)});
    }
}

std::vector<DeclaredFiles::TextFile> DeclaredFiles::around(const fs::path& folder, const Declarations& kind) const {
    constexpr int max_above = 3;  // of gfx/anims/Attachments
    std::vector<TextFile> files;
    read_in(folder, kind, files);
    fs::path above = folder;
    for (int steps = 0; steps <= max_above; ++steps, above = above.parent_path()) {
        for (const fs::path& path : paths_in(above)) {
            if (lower_name(path) == kind.folder) read_in(path, kind, files);
        }
        if (above == above.parent_path()) break;
    }
    return files;
}

DeclaredNames DeclaredFiles::of(const fs::path& model, const FamilyRow& family) {
    DeclaredNames names;
    if (!family.declarations) return names;
    std::error_code error;
    const fs::path place = options_.files.read ? model : fs::absolute(model, error).lexically_normal();
    const auto [found, is_new] = known_.try_emplace({&family, place.parent_path()});
    if (is_new) found->second = around(place.parent_path(), *family.declarations);
    for (const TextFile& file : found->second) {
        for (const DeclaredMotions& declared : file.declared) {
            if (declared.model != lower_name(model)) continue;
            for (const std::string& motion : declared.motions) names.try_emplace(motion, file.name);
        }
    }
    return names;
}

}  // namespace effigy::conversion
