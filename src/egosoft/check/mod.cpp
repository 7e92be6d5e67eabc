/// Rules over all files of a mod.

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

#include "egosoft/check/mod_check.hpp"
#include "egosoft/check/scope.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

namespace fs = std::filesystem;

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

/// Where only a part of a mod is looked at, its files' paths still start at the mod's root.
void place_below(const fs::path& root, const fs::path& folder, std::vector<FolderFile>& files) {
    std::error_code error;
    const std::string below = lower(fs::relative(folder, root, error).generic_string());
    if (error || below.empty() || below == "." || below.starts_with("..")) return;
    for (FolderFile& file : files) file.normal.insert(0, below + "/");
}

void take_component(ModCheck& check, const Component& component, const FolderFile& file) {
    Defined& defined = check.components.emplace_back(
        Defined{component.name, component.class_name, component.geometry, file.path, {}, {}, component.place});
    for (const Connection& connection : component.connections) {
        std::string name = lower(connection.name);
        if (!defined.connections.insert(name).second) defined.repeated.insert(std::move(name));
    }
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
    const XmlKind kind = xml_kind(check.head(file, head));
    if (kind != XmlKind::component && kind != XmlKind::macros) return;
    auto text = check.read(file);
    if (!text) return;
    if (kind == XmlKind::component) {
        const auto loaded = read_components(std::move(*text), {check.context.limits});
        if (!loaded) return;
        check.component_files.insert(file.path);
        for (const Component& component : loaded->value.components) take_component(check, component, file);
    } else {
        auto loaded = read_macros(std::move(*text), {check.context.limits});
        if (!loaded) return;
        check.macro_files.insert(file.path);
        for (Macro& macro : loaded->value.macros) {
            check.used_components.insert(lower(macro.component));
            check.macros.push_back({std::move(macro), file.path});
        }
    }
}

ModIndex read_index_file(const ModCheck& check, std::string_view path) {
    ModIndex index{path, {}, {}};
    const FolderFile* file = check.find(path);
    if (file == nullptr) return index;
    auto text = check.read(*file);
    if (!text) return index;
    auto loaded = read_index(std::move(*text), {check.context.limits});
    if (loaded) index.file = std::move(loaded->value);
    for (const IndexEntry& entry : index.file.entries) index.names.insert(lower(entry.name));
    return index;
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

/// The part that a mesh file is named after: "part_main" of "part_main-lod0.xmf".
std::string mesh_owner(std::string_view name) { return std::string(name.substr(0, name.rfind('-'))); }

bool is_named(const ModCheck& check, const FolderFile& file) {
    const std::string folder(folder_of(file.normal)), name = file.normal.substr(file.normal.rfind('/') + 1);
    if (name.ends_with(".ani")) return check.parts.contains(file.normal.substr(0, file.normal.size() - 4));
    // Each folder holds a box for the root of the scene that it was exported from.
    if (name.starts_with("assets_") || name.starts_with("extensions_")) return true;
    const auto parts = check.parts.find(folder);
    return parts != check.parts.end() && parts->second.contains(mesh_owner(name));
}

/// In subst_01.cat and its like, which take the place of the game's files, or below extensions/<another mod>.
bool is_for_others(const FolderFile& file) {
    const bool is_substitute = file.packed && lower(file.packed->file.filename().string()).starts_with("subst_");
    return is_substitute || !extension_of(file.normal).empty();
}

/// The paths of meshes in the mod that others have as well. Without game it is not known which those are: all of them.
std::set<std::string> paths_of_others(const ModCheck& check) {
    std::set<std::string> wanted, others;
    for (const FolderFile& file : check.files) {
        if (is_mesh_file(file.normal) && is_for_others(file)) wanted.insert(file.normal);
    }
    if (wanted.empty() || !check.scope.game || check.scope.files == nullptr) return wanted;
    std::error_code error;
    const fs::path own = fs::weakly_canonical(check.scope.root, error);
    // All at once, as each question would look through all files of the game.
    check.scope.files->visit_layers("**", [&](const LayerEntry& entry) {
        const std::string path = lower(entry.listed.path);
        if (entry.deletes || !wanted.contains(path)) return;
        const fs::path place = entry.catalog.empty() ? entry.listed.location.file : entry.catalog;
        if (fs::weakly_canonical(root_of(place), error) != own) others.insert(path);
    });
    return others;
}

void check_unnamed(ModCheck& check) {
    if (check.components.empty()) return;
    const std::set<std::string> others = paths_of_others(check);
    std::map<std::string, std::vector<std::string>> unnamed;
    for (const FolderFile& file : check.files) {
        if (!is_mesh_file(file.normal) || is_named(check, file)) continue;
        if (is_for_others(file) && others.contains(file.normal)) continue;
        const fs::path path(file.path);
        unnamed[path.parent_path().generic_string()].push_back(path.filename().string());
    }
    for (const auto& [folder, names] : unnamed)
        check.findings.add(codes::file_unnamed, check.place(folder), listed(names, "file"));
}

void check_index(ModCheck& check, const ModIndex& index) {
    const FolderFile* file = check.find(index.path);
    const std::vector<IndexEntry>& entries = index.file.entries;
    for (std::size_t number = 0; number < entries.size(); ++number) {
        const IndexEntry& entry = entries[number];
        if (!normal_path(entry.value)) continue;  // which the file itself is told of
        const bool is_known = check.scope.game || check.scope.owns(entry.value);
        const std::string wanted = path_inside(check, entry.value) + ".xml";
        if (entry.value.empty() || !is_known || check.has(wanted) || check.scope.find(entry.value + ".xml")) continue;
        const Place place = check.place(file->path, index.path_of(number), entry.place);
        const bool is_used = index.path == component_index_path && check.used_components.contains(lower(entry.name));
        check.findings.add(is_used ? codes::index_dangling_used : codes::index_dangling, place, entry.value, wanted);
    }
}

/// Of the macros that the game finds: whatever others use is not asked for.
std::set<std::string> components_in_use(const ModCheck& check) {
    std::set<std::string> used;
    for (const DefinedMacro& one : check.macros) {
        if (check.macro_index.names.contains(lower(one.macro.name))) used.insert(lower(one.macro.component));
    }
    return used;
}

void check_components_are_indexed(ModCheck& check) {
    if (!check.is_whole()) return;
    const auto is_indexed = [&](const std::string& name) {
        return check.scope.files != nullptr && !find_component(*check.scope.files, name).empty();
    };
    const std::set<std::string> used = components_in_use(check);
    for (const Defined& component : check.components) {
        if (check.component_index.names.contains(lower(component.name)) || is_indexed(component.name)) continue;
        check.findings.add(used.contains(lower(component.name)) ? codes::component_unindexed
                                                                : codes::component_unindexed.as(Severity::info),
                           check.place(component.file, "", component.place), component.name,
                           "an entry in " + std::string(component_index_path));
    }
}

/// Of shaders, without the ending, which may be left out.
std::string shader_key(std::string_view name) {
    std::string key = lower(name);
    if (key.ends_with(".fx")) key.resize(key.size() - 3);
    return key;
}

class ShaderRules {
public:
    explicit ShaderRules(const ModCheck& check) : check_(&check) {
        const MaterialLibrary* library = game_of(check.context.surroundings).materials;
        if (library == nullptr || !check.scope.game) return;
        for (const LibraryMaterial& material : library->materials()) ++uses_[shader_key(material.shader)];
    }

    /// `materials`: those of the mod's library.
    void look_at(const std::vector<LibraryMaterial>& materials, const std::string& file) {
        std::map<std::string, std::size_t> own;
        for (const LibraryMaterial& material : materials) ++own[shader_key(material.shader)];
        for (const LibraryMaterial& material : materials) {
            const std::string key = shader_key(material.shader);
            // Others than the mod's own materials have it.
            if (is_known(key) || uses_[key] > own[key]) continue;
            const bool may_be =
                !check_->scope.game && (key.starts_with("p1_") || key.starts_with("p2_") || key.starts_with("xu_"));
            check_->findings.add(
                may_be ? codes::material_shader_unknown.as(Severity::info) : codes::material_shader_unknown,
                check_->place(file, material.collection + "." + material.name, material.place), material.shader,
                "P1_complex_surface.fx or another shader of the game");
        }
    }

private:
    static bool is_known(std::string_view key) {
        static constexpr std::string_view known[] = {
            "p1_complex_surface", "p1_complex_projection",     "p1_glass",    "xu_glass", "p2_complex_boron",
            "p1_trail",           "p1_complex_unlit_parallax", "p1_character"};
        return std::find(std::begin(known), std::end(known), key) != std::end(known);
    }

    const ModCheck* check_;
    std::map<std::string, std::size_t> uses_;
};

void check_library(const ModCheck& check, Result<Bytes> text, const std::string& file) {
    if (!text) return;
    const auto loaded = read_material_library(std::move(*text), {check.context.limits});
    if (!loaded) return;
    TextureRules textures(check.scope, check.findings);
    for (const LibraryMaterial& material : loaded->value.materials)
        textures.look_at(material, check.place(file, material.collection + "." + material.name, material.place));
    textures.finish_library(check.place(file));
    ShaderRules(check).look_at(loaded->value.materials, file);
}

/// Icons are none: they have one level, plain pixels and any size.
bool is_texture(std::string_view normal) {
    const bool is_icon = normal.find("assets/fx/gui/") != std::string_view::npos;
    return !is_icon && (normal.ends_with(".dds") || normal.ends_with(".gz"));
}

void check_own_materials(const ModCheck& check) {
    if (const FolderFile* file = check.find(library_path)) check_library(check, check.read(*file), file->path);
    for (const FolderFile& file : check.files) {
        if (!is_texture(file.normal)) continue;
        const auto whole = [&] { return check.read(file); };
        check_dds({check.head(file, texture_head_size), file.size, whole, check.context.limits}, check.place(file.path),
                  check.report);
    }
}

/// Of an extension; a whole game would take hours, and is not the user's to mend.
void add_packed(ModCheck& check) {
    const auto is_catalog = [](const FolderFile& file) { return file.normal.ends_with(".cat"); };
    const bool has_catalogs = std::any_of(check.files.begin(), check.files.end(), is_catalog);
    const bool is_whole = std::any_of(check.files.begin(), check.files.end(),
                                      [](const FolderFile& file) { return file.normal == "content.xml"; });
    if (!is_whole || !has_catalogs || check.scope.files == nullptr) return;
    auto mod = GameFiles::open({check.scope.root}, check.context.limits);
    if (!mod) return;
    check.mod = std::move(mod->value);
    for (const Listed& file : check.mod->list()) {
        if (!file.location.in_catalog) continue;
        check.files.push_back({name_in_catalog(file), lower(file.path), file.location.size, file.location});
    }
}

}  // namespace

std::string path_inside(const ModCheck& check, std::string_view path) {
    const std::string normal = normal_path(path).value_or("");
    const std::string rest(without_extension_folder(normal));
    return check.scope.owns(path) ? rest : normal;
}

Result<Bytes> ModCheck::read(const FolderFile& file) const {
    return file.packed && mod ? mod->read(*file.packed) : read_plain(folder / file.path, context.limits);
}

Bytes ModCheck::head(const FolderFile& file, std::size_t max_size) const {
    if (!file.packed || !mod) return head_of(folder / file.path, max_size);
    Location head = *file.packed;
    head.size = std::min<std::uint64_t>(head.size, max_size);
    return mod->read(head).value_or(Bytes());
}

}  // namespace checks

Report check_mod(const std::filesystem::path& folder, const CheckContext& context) {
    Report report;
    Findings findings(report);
    std::vector<checks::FolderFile> files = checks::files_in(folder);
    if (!checks::is_mod(folder, files)) return report;
    const std::filesystem::path root = root_of(folder / "content.xml");
    checks::place_below(root, folder, files);
    checks::ModCheck check{
        folder,          context, findings, report, checks::scope_of(game_of(context.surroundings).files, root),
        std::move(files)};
    checks::add_packed(check);
    for (const checks::FolderFile& file : check.files) {
        check.paths.try_emplace(file.normal, &file);
        if (file.normal.ends_with(".xml")) checks::read_xml(check, file);
    }
    check.component_index = checks::read_index_file(check, checks::component_index_path);
    check.macro_index = checks::read_index_file(check, checks::macro_index_path);
    checks::learn_names(check, check.component_index.file);
    checks::learn_names(check, check.macro_index.file);
    checks::check_content(check);
    checks::check_paths(check);
    checks::check_expected_files(check);
    checks::check_index(check, check.component_index);
    checks::check_index(check, check.macro_index);
    checks::check_components_are_indexed(check);
    checks::check_macros(check);
    checks::check_unnamed(check);
    checks::check_own_materials(check);
    checks::check_texts(check);
    checks::check_changes(check);
    checks::check_changes_over_game(check);
    if (check.mod) report.append(checks::check_packed(folder, *check.mod, context));
    return report;
}

}  // namespace effigy::egosoft
