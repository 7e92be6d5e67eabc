/// Rules over all files of a mod.

#include "egosoft/check/mod.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"

#include "egosoft/check/scope.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view library_path = "libraries/material_library.xml";
constexpr std::string_view component_index_path = "index/components.xml", macro_index_path = "index/macros.xml";

/// A component, and which file it is in.
struct Defined {
    std::string name, file;
    std::uint64_t place = 0;
};

/// One mod while it is checked.
struct ModCheck {
    fs::path folder;
    const CheckContext& context;
    Findings& findings;
    Scope scope;
    std::vector<FolderFile> files;
    std::set<std::string> paths;                         ///< of the files, in lower case
    std::vector<Defined> components;                     ///< in all files
    std::map<std::string, std::set<std::string>> parts;  ///< by folder of meshes: names of the parts that are there
    std::set<std::string> used_components;               ///< by macros, in lower case

    [[nodiscard]] Place place(const std::string& file, std::string path = {}, std::uint64_t offset = no_offset) const {
        return {std::move(path), offset, file.empty() ? folder.string() : (folder / file).string()};
    }
    [[nodiscard]] bool has(std::string_view path) const { return paths.contains(std::string(path)); }
    /// A file by its path below the mod's root, in lower case.
    [[nodiscard]] const FolderFile* find(std::string_view normal) const {
        const auto is_it = [&](const FolderFile& file) { return file.normal == normal; };
        const auto found = std::find_if(files.begin(), files.end(), is_it);
        return found == files.end() ? nullptr : &*found;
    }
};

bool is_mesh_file(std::string_view path) {
    return path.ends_with(".xmf") || path.ends_with(".ani") || path.ends_with(".jcs");
}

bool is_component_file(const fs::path& path) {
    constexpr std::size_t head = 4096;
    return xml_kind(head_of(path, head)) == XmlKind::component;
}

bool is_mod(const fs::path& folder, const std::vector<FolderFile>& files) {
    const auto tells = [](const FolderFile& file) {
        return is_mesh_file(file.normal) || file.normal.ends_with(".cat") || file.normal == "content.xml" ||
               file.normal == library_path || file.normal == component_index_path || file.normal == macro_index_path;
    };
    if (std::any_of(files.begin(), files.end(), tells)) return true;
    return std::any_of(files.begin(), files.end(), [&](const FolderFile& file) {
        return file.normal.ends_with(".xml") && is_component_file(folder / file.path);
    });
}

/// A path without extension/<name>, where the rest is in the folder.
std::string inside(const ModCheck& check, std::string_view path) {
    const std::string normal = normal_path(path).value_or("");
    const std::string rest(without_extension_folder(normal));
    return check.scope.owns(path) ? rest : normal;
}

/// Where only a part of a mod is looked at, its files' paths still start at the mod's root.
void place_below(const fs::path& root, const fs::path& folder, std::vector<FolderFile>& files) {
    std::error_code error;
    const std::string below = lower(fs::relative(folder, root, error).generic_string());
    if (error || below.empty() || below == "." || below.starts_with("..")) return;
    for (FolderFile& file : files) file.normal.insert(0, below + "/");
}

void take_component(ModCheck& check, const Component& component, const FolderFile& file) {
    check.components.push_back({component.name, file.path, component.place});
    const std::string geometry = normal_path(component.geometry).value_or("");
    if (geometry.empty()) return;
    std::set<std::string> parts;
    for (const Connection& connection : component.connections) {
        for (const Part& part : connection.parts) {
            parts.insert(lower(part.name));
            if (!part.wreck.empty()) parts.insert(lower(part.wreck));
        }
    }
    // Where the folders above are missing, the meshes' folder may still lie beside the component.
    const std::string beside =
        file.normal.substr(0, file.normal.rfind('/') + 1) + geometry.substr(geometry.rfind('/') + 1);
    check.parts[beside].insert(parts.begin(), parts.end());
    check.parts[std::string(without_extension_folder(geometry))].merge(parts);
}

void read_xml(ModCheck& check, const FolderFile& file) {
    constexpr std::size_t head = 4096;
    const fs::path path = check.folder / file.path;
    const XmlKind kind = xml_kind(head_of(path, head));
    if (kind != XmlKind::component && kind != XmlKind::macros) return;
    auto text = read_plain(path, check.context.limits);
    if (!text) return;
    if (kind == XmlKind::component) {
        const auto loaded = read_components(std::move(*text), {check.context.limits});
        if (!loaded) return;
        for (const Component& component : loaded->value.components) take_component(check, component, file);
    } else {
        const auto loaded = read_macros(std::move(*text), {check.context.limits});
        if (!loaded) return;
        for (const Macro& macro : loaded->value.macros) check.used_components.insert(lower(macro.component));
    }
}

IndexFile read_index_file(const ModCheck& check, std::string_view path) {
    const FolderFile* file = check.find(path);
    if (file == nullptr) return {};
    auto text = read_plain(check.folder / file->path, check.context.limits);
    if (!text) return {};
    auto loaded = read_index(std::move(*text), {check.context.limits});
    return loaded ? std::move(loaded->value) : IndexFile();
}

/// A mod is unpacked under any name; what its index says of files that are here tells what it calls itself.
void learn_names(ModCheck& check, const IndexFile& index) {
    for (const IndexEntry& entry : index.entries) {
        const std::string path = normal_path(entry.value).value_or("");
        const std::string_view name = extension_of(path);
        if (!name.empty() && check.has(std::string(without_extension_folder(path)) + ".xml"))
            check.scope.names.emplace(name);
    }
}

/// Meshes alone are no mod yet.
void check_content(ModCheck& check) {
    if (check.components.empty() && !check.has(component_index_path) && !check.has(library_path)) return;
    std::error_code error;
    const fs::path& root = check.scope.root;
    if (!fs::exists(root / "content.xml", error) && !fs::exists(root / "01.cat", error))
        check.findings.add(codes::content_missing, check.place(""), "");
}

void check_case(ModCheck& check) {
    std::map<std::string_view, const FolderFile*> known;
    for (const FolderFile& file : check.files) {
        const auto [first, is_new] = known.try_emplace(file.normal, &file);
        if (!is_new) check.findings.add(codes::path_case, check.place(file.path), file.path, first->second->path);
    }
}

/// The part that a mesh file is named after: "part_main" of "part_main-lod0.xmf".
std::string mesh_owner(std::string_view name) { return std::string(name.substr(0, name.rfind('-'))); }

bool is_named(const ModCheck& check, const FolderFile& file) {
    const std::size_t slash = file.normal.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : file.normal.substr(0, slash);
    const std::string name = slash == std::string::npos ? file.normal : file.normal.substr(slash + 1);
    if (name.ends_with(".ani")) return check.parts.contains(file.normal.substr(0, file.normal.size() - 4));
    // Each folder holds a box for the root of the scene that it was exported from.
    if (name.starts_with("assets_") || name.starts_with("extensions_")) return true;
    const auto parts = check.parts.find(folder);
    return parts != check.parts.end() && parts->second.contains(mesh_owner(name));
}

void check_unnamed(ModCheck& check) {
    if (check.components.empty()) return;
    std::map<std::string, std::vector<std::string>> unnamed;
    for (const FolderFile& file : check.files) {
        if (!is_mesh_file(file.normal) || is_named(check, file)) continue;
        const fs::path path(file.path);
        unnamed[path.parent_path().generic_string()].push_back(path.filename().string());
    }
    for (const auto& [folder, names] : unnamed)
        check.findings.add(codes::file_unnamed, check.place(folder), listed(names, "file"));
}

void check_index(ModCheck& check, const IndexFile& index, std::string_view path, bool is_of_components) {
    const FolderFile* file = check.find(path);
    for (std::size_t number = 0; number < index.entries.size(); ++number) {
        const IndexEntry& entry = index.entries[number];
        const bool is_known = check.scope.game || check.scope.owns(entry.value);
        const std::string wanted = inside(check, entry.value) + ".xml";
        if (entry.value.empty() || !is_known || check.has(wanted) || check.scope.find(entry.value + ".xml")) continue;
        const Place place = check.place(file->path, "entry[" + std::to_string(number) + "] " + entry.name, entry.place);
        const bool is_used = is_of_components && check.used_components.contains(lower(entry.name));
        check.findings.add(is_used ? codes::index_dangling_used : codes::index_dangling, place, entry.value, wanted);
    }
}

void check_components_are_indexed(ModCheck& check, const IndexFile& index) {
    if (!check.has("content.xml") && !check.has(component_index_path)) return;
    std::set<std::string> names;
    for (const IndexEntry& entry : index.entries) names.insert(lower(entry.name));
    const auto is_indexed = [&](const std::string& name) {
        return check.scope.files != nullptr && !find_component(*check.scope.files, name).empty();
    };
    for (const Defined& component : check.components) {
        if (names.contains(lower(component.name)) || is_indexed(component.name)) continue;
        check.findings.add(codes::component_unindexed, check.place(component.file, "", component.place), component.name,
                           "an entry in " + std::string(component_index_path));
    }
}

void check_library(ModCheck& check) {
    const FolderFile* file = check.find(library_path);
    if (file == nullptr) return;
    auto text = read_plain(check.folder / file->path, check.context.limits);
    if (!text) return;
    const auto loaded = read_material_library(std::move(*text), {check.context.limits});
    if (!loaded) return;
    TextureRules textures(check.scope, check.findings);
    for (const LibraryMaterial& material : loaded->value.materials)
        textures.look_at(material, check.place(file->path, material.collection + "." + material.name, material.place));
    textures.finish(check.place(file->path));
}

void check_pictures(ModCheck& check) {
    for (const FolderFile& file : check.files) {
        if (file.normal.ends_with(".dds") || file.normal.ends_with(".gz"))
            check_dds(check.folder / file.path, check.place(file.path), check.findings);
    }
}

/// Of an extension; a whole game would take hours, and is not the user's to mend.
Report check_catalogs(const ModCheck& check) {
    const auto is_catalog = [](const FolderFile& file) { return file.normal.ends_with(".cat"); };
    const bool has_catalogs = std::any_of(check.files.begin(), check.files.end(), is_catalog);
    if (!check.has("content.xml") || !has_catalogs || check.scope.files == nullptr) return {};
    const auto mod = GameFiles::open({check.scope.root}, check.context.limits);
    return mod ? check_packed(check.folder, mod->value, check.context) : Report();
}

}  // namespace

}  // namespace checks

Report check_mod(const std::filesystem::path& folder, const CheckContext& context) {
    Report report;
    Findings findings(report);
    std::vector<checks::FolderFile> files = checks::files_in(folder);
    if (!checks::is_mod(folder, files)) return report;
    const std::filesystem::path root = root_of(folder / "content.xml");
    checks::place_below(root, folder, files);
    checks::ModCheck check{
        folder, context, findings, checks::scope_of(game_of(context.surroundings).files, root), std::move(files), {},
        {},     {},      {}};
    for (const checks::FolderFile& file : check.files) {
        check.paths.insert(file.normal);
        if (file.normal.ends_with(".xml")) checks::read_xml(check, file);
    }
    const IndexFile components = checks::read_index_file(check, checks::component_index_path);
    const IndexFile macros = checks::read_index_file(check, checks::macro_index_path);
    checks::learn_names(check, components);
    checks::learn_names(check, macros);
    checks::check_content(check);
    checks::check_case(check);
    checks::check_index(check, components, checks::component_index_path, true);
    checks::check_index(check, macros, checks::macro_index_path, false);
    checks::check_components_are_indexed(check, components);
    checks::check_unnamed(check);
    checks::check_library(check);
    checks::check_pictures(check);
    report.append(checks::check_catalogs(check));
    return report;
}

}  // namespace effigy::egosoft
