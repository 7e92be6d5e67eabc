#pragma once
/// What belongs to the mod that is checked, and what may be the game's: files, textures, materials.

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"
#include "effigy/registry.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft::checks {

struct Scope {
    const GameFiles* files = nullptr;  ///< null: nothing is known but the file itself
    std::filesystem::path root;        ///< of the mod
    bool game = false;                 ///< a game was named: what is not among the files does not exist
    bool is_mod = false;               ///< its root has a content.xml
    std::set<std::string> names;       ///< lower case: what the mod is called in extensions/<name>/...

    /// Of a path as it stands in a file: below extensions/<the mod>.
    [[nodiscard]] bool owns(std::string_view path) const;
    [[nodiscard]] std::optional<Location> find(std::string_view path) const;
};

/// `root` is a mod's or a game's folder.
[[nodiscard]] Scope scope_of(const GameFiles* files, const std::filesystem::path& root);

/// For messages: the name of a loose file, or a file and its catalog.
[[nodiscard]] std::string name_of(const Location& location);
/// As normal_path(), but never lower case, for comparing spellings.
[[nodiscard]] std::string with_slashes(std::string_view path);

/// What is expected where a path leads outside.
inline constexpr const char* path_wanted = "a path below the game's folder, without drive and \"..\"";

/// "3 files: a, b, c" of many names; only the first ones are listed.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::string_view noun);

/// Whether the textures that materials name are there, and are textures.
class TextureRules {
public:
    TextureRules(const Scope& scope, Findings& findings) : scope_(&scope), findings_(&findings) {}
    void look_at(const LibraryMaterial& material, const Place& place);
    /// Of a library: what is missing, once for a folder that has none of them or for a material.
    void finish_library(const Place& place);
    /// Of a component: one finding for all its materials.
    void finish_component(const Place& place);

private:
    struct Lack {
        std::string material;
        std::vector<std::string> textures;
        Place place;
    };
    /// Takes out those whose folder has none of what is wanted of it.
    void say_folders(const Place& place);
    /// Paths that lead outside, pictures instead of textures, and how many may be the game's.
    void finish(const Place& place);

    const Scope* scope_;
    Findings* findings_;
    std::vector<Lack> lacks_;
    std::set<std::string> unresolved_, pictures_, endings_, outside_;  ///< textures
    std::set<std::string> folders_;                                    ///< where some were found
};

/// What can be said of names of materials.
struct MaterialNames {
    explicit MaterialNames(const CheckContext& context);

    const MaterialLibrary* library;     ///< null: nothing
    std::set<std::string> collections;  ///< of the library, in lower case

    /// Whether a name that no library has is wrong: others may be those of libraries that were not given.
    [[nodiscard]] bool must_have(std::string_view name, const Scope& scope) const;
};

}  // namespace effigy::egosoft::checks
