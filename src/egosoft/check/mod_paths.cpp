/// Names of a mod's files, and the name of its folder in paths.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/mod_check.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

namespace fs = std::filesystem;

void check_same_names(ModCheck& check) {
    std::map<std::string_view, const FolderFile*> known;
    for (const FolderFile& file : check.files) {
        const auto [first, is_new] = known.try_emplace(file.normal, &file);
        if (!is_new) check.findings.add(codes::path_case, check.place(file.path), file.path, first->second->path);
    }
}

/// Names of ANI files are upper case in the game, too.
bool is_loaded(std::string_view path) {
    static constexpr std::string_view endings[] = {".xmf", ".jcs", ".xml", ".gz", ".dds"};
    static constexpr std::string_view folders[] = {"assets/", "index/", "libraries/", "maps/"};
    return std::any_of(std::begin(endings), std::end(endings), [&](auto ending) { return path.ends_with(ending); }) &&
           std::any_of(std::begin(folders), std::end(folders), [&](auto folder) { return path.starts_with(folder); });
}

void check_capitals(ModCheck& check) {
    std::vector<std::string> texts, others;
    for (const FolderFile& file : check.files) {
        if (file.packed) continue;  // no disk spells the names in a catalog
        // `path` starts at the folder that is looked at, which may lie below the root.
        if (file.normal.ends_with(lower(file.path)) && lower(file.path) == file.path) continue;
        if (file.normal.starts_with("t/")) {
            texts.push_back(file.path);
        } else if (is_loaded(file.normal)) {
            others.push_back(file.path);
        }
    }
    if (!texts.empty()) check.findings.add(codes::text_file_case, check.place(""), listed(texts, "file"));
    if (!others.empty()) check.findings.add(codes::file_name_case, check.place(""), listed(others, "file"));
}

/// A path in an index or a component that leads to a file of this mod.
struct OwnPath {
    std::string value;      ///< as it is spelled
    std::string extension;  ///< "mod" of extensions\mod\..., or empty
    Place place;
};

/// What the game would find there belongs to others.
bool is_of_others(const ModCheck& check, const std::string& path) {
    const auto found = check.scope.game ? check.scope.find(path) : std::nullopt;
    if (!found) return false;
    std::error_code error;
    const std::string below = fs::relative(found->file, check.scope.root, error).generic_string();
    return error || below.starts_with("..");
}

bool has_files_in(const ModCheck& check, const std::string& folder) {
    const auto first = check.paths.lower_bound(folder + "/");
    return first != check.paths.end() && first->first.starts_with(folder + "/");
}

void add_index_paths(const ModCheck& check, const ModIndex& index, std::vector<OwnPath>& paths) {
    const FolderFile* file = check.find(index.path);
    for (std::size_t number = 0; file != nullptr && number < index.file.entries.size(); ++number) {
        const IndexEntry& entry = index.file.entries[number];
        const std::string normal = normal_path(entry.value).value_or("");
        const std::string below(without_extension_folder(normal));
        if (!check.has(below + ".xml") || is_of_others(check, normal + ".xml")) continue;
        if (!below.starts_with("assets/")) continue;  // maps and libraries take the place of the game's
        paths.push_back({entry.value, std::string(extension_of(normal)),
                         check.place(file->path, index.path_of(number), entry.place)});
    }
}

void add_geometry_paths(const ModCheck& check, std::vector<OwnPath>& paths) {
    for (const Defined& component : check.components) {
        const std::string normal = normal_path(component.geometry).value_or("");
        const std::string below(without_extension_folder(normal)), extension(extension_of(normal));
        // Where the game's own component is replaced, its meshes may be, too.
        const bool is_new = check.component_index.names.contains(lower(component.name));
        if (below.empty() || (extension.empty() && !is_new) || !has_files_in(check, below)) continue;
        if (is_of_others(check, normal + "/")) continue;
        paths.push_back({component.geometry, extension,
                         check.place(component.file, component.name + " / source", component.place)});
    }
}

/// The folder's own name where it lies in the game's; elsewhere mods are unpacked under any, and most of their paths
/// say how they are called.
std::string name_of_folder(const ModCheck& check, const std::map<std::string, std::size_t>& votes, bool& is_installed) {
    std::error_code error;
    const fs::path root = fs::absolute(check.scope.root / "content.xml", error).lexically_normal().parent_path();
    std::string name = lower(root.filename().string());
    is_installed = lower(root.parent_path().filename().string()) == "extensions";
    if (is_installed || votes.empty()) return name;
    const auto rank = [&](const std::pair<const std::string, std::size_t>& one) {
        return std::pair(one.second, one.first == name);
    };
    return std::max_element(votes.begin(), votes.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); })
        ->first;
}

void check_folder_name(ModCheck& check) {
    std::vector<OwnPath> paths;
    add_index_paths(check, check.component_index, paths);
    add_index_paths(check, check.macro_index, paths);
    add_geometry_paths(check, paths);
    std::map<std::string, std::size_t> votes;
    for (const OwnPath& path : paths) {
        if (!path.extension.empty()) ++votes[path.extension];
    }
    bool is_installed = false;
    const std::string name = name_of_folder(check, votes, is_installed);
    if (is_installed && !votes.empty() && !votes.contains(name))
        return check.findings.add(codes::folder_name, check.place(""), name, votes.begin()->first);
    // The game's own paths, in its unpacked files, need no folder.
    if (!check.scope.is_mod) return;
    for (const OwnPath& path : paths) {
        if (path.extension != name)
            check.findings.add(codes::path_folder, path.place, path.value, "extensions\\" + name + "\\...");
    }
}

}  // namespace

void check_paths(ModCheck& check) {
    check_same_names(check);
    check_capitals(check);
    check_folder_name(check);
}

}  // namespace checks

Report IndexFormat::check(const IndexFile& file, const CheckContext& /*context*/) {
    Report report;
    Findings findings(report);
    for (std::size_t number = 0; number < file.entries.size(); ++number) {
        const IndexEntry& entry = file.entries[number];
        if (!normal_path(entry.value))
            findings.add(codes::path_outside, {checks::entry_path(file, number), entry.place}, entry.value,
                         checks::path_wanted);
    }
    return report;
}

}  // namespace effigy::egosoft
