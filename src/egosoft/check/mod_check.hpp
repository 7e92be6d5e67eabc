#pragma once
/// One mod while it is checked: what its files hold, and the rules that look at several of them.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/registry.hpp"

#include "core/xml.hpp"
#include "egosoft/check/mod.hpp"
#include "egosoft/check/scope.hpp"

namespace effigy::egosoft::checks {

inline constexpr std::string_view library_path = "libraries/material_library.xml";
inline constexpr std::string_view component_index_path = "index/components.xml";
inline constexpr std::string_view macro_index_path = "index/macros.xml";

/// A component, and which file it is in.
struct Defined {
    std::string name, class_name, geometry, file;
    std::set<std::string> connections;  ///< in lower case
    std::set<std::string> repeated;     ///< of those, the ones that stand there twice
    std::uint64_t place = 0;
};

struct DefinedMacro {
    Macro macro;
    std::string file;
};

/// "entry[3] ship_x"
[[nodiscard]] inline std::string entry_path(const IndexFile& index, std::size_t entry) {
    return "entry[" + std::to_string(entry) + "] " + index.entries[entry].name;
}

/// An index of the mod.
struct ModIndex {
    std::string_view path{};
    IndexFile file{};
    std::set<std::string> names{};  ///< in lower case

    [[nodiscard]] std::string path_of(std::size_t entry) const { return entry_path(file, entry); }
};

struct ModCheck {
    std::filesystem::path folder;
    const CheckContext& context;
    Findings& findings;
    Report& report;  ///< that the findings go to
    Scope scope;
    std::vector<FolderFile> files;
    std::map<std::string, const FolderFile*, std::less<>> paths{};  ///< below the root in lower case
    std::vector<Defined> components{};                              ///< in all files
    std::vector<DefinedMacro> macros{};
    std::map<std::string, std::set<std::string>> parts{};  ///< by folder of meshes: names of the parts that are there
    std::set<std::string> used_components{};               ///< by macros, in lower case
    std::set<std::string> component_files{};               ///< that were read: their paths below the folder
    std::set<std::string> macro_files{};                   ///< likewise
    std::set<std::pair<std::string, std::uint64_t>> dead_changes{};  ///< that match in no game: file and offset
    ModIndex component_index{}, macro_index{};
    bool depends = false;            ///< on another mod
    std::optional<GameFiles> mod{};  ///< its own files, where some are in catalogs

    /// A loose or a packed file, and the first bytes of one; no bytes if it cannot be read.
    [[nodiscard]] Result<Bytes> read(const FolderFile& file) const;
    [[nodiscard]] Bytes head(const FolderFile& file, std::size_t max_size) const;

    [[nodiscard]] Place place(const std::string& file, std::string path = {}, std::uint64_t offset = no_offset) const {
        return {std::move(path), offset, file.empty() ? folder.string() : (folder / file).string()};
    }
    /// What was found while `file` was read.
    void add(Diagnostic finding, const FolderFile& file) {
        finding.file = place(file.path).file;
        report.add(std::move(finding));
    }
    [[nodiscard]] bool has(std::string_view path) const { return paths.contains(path); }
    /// A file by its path below the mod's root, in lower case.
    [[nodiscard]] const FolderFile* find(std::string_view normal) const {
        const auto found = paths.find(normal);
        return found == paths.end() ? nullptr : found->second;
    }
    /// It is meant to be loaded, so that what its indexes lack is missing.
    [[nodiscard]] bool is_whole() const { return has("content.xml") || has(component_index_path); }
};

/// content.xml: whether it is there, its id and version.
void check_content(ModCheck& check);
/// Whether what the game looks for by its path can be read, and is what belongs there.
void check_expected_files(ModCheck& check);
/// Case of names of files; names of the mod's folder in paths.
void check_paths(ModCheck& check);
/// Macros, their components and what hangs on them; wares.
void check_macros(ModCheck& check);
/// Texts that own pages lack, and the changes in their files.
void check_texts(ModCheck& check);
/// Selectors of changes to indexes and libraries.
void check_changes(ModCheck& check);
/// Those of one file.
void look_at_changes(ModCheck& check, const FolderFile& file, XmlReader& reader);
/// Whether a <diff> begins in the first bytes of a file.
[[nodiscard]] bool begins_as_change(const ModCheck& check, const FolderFile& file);
/// Changes to what the game has, of all files but components and libraries of materials, whose formats look at them.
void check_changes_over_game(ModCheck& check);
/// What is found in a <diff> where it is laid over the game's own file and what lies over that below it. Nothing where
/// the game's file is not among `files`. `normal`: below the mod's root, in lower case.
[[nodiscard]] std::optional<Report> findings_over_game(const GameFiles& files, std::string_view normal,
                                                       const Bytes& change, const Limits& limits);
/// A path in an index, without extensions/<name> where that is the mod.
[[nodiscard]] std::string path_inside(const ModCheck& check, std::string_view path);

}  // namespace effigy::egosoft::checks
