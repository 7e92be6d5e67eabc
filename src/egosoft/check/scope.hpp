#pragma once
/// What belongs to the mod that is checked, and what may be the game's.

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "effigy/game_files.hpp"

namespace effigy::egosoft::checks {

struct Scope {
    const GameFiles* files = nullptr;  ///< null: nothing is known but the file itself
    std::filesystem::path root;        ///< of the mod
    bool game = false;                 ///< a game was named: what is not among the files does not exist
    std::set<std::string> names;       ///< lower case: what the mod is called in extensions/<name>/...

    /// Of a path as it stands in a file: below extensions/<the mod>.
    [[nodiscard]] bool owns(std::string_view path) const;
    [[nodiscard]] std::optional<Location> find(std::string_view path) const;
    /// A texture by its name in a library: without extension, or with.
    [[nodiscard]] std::optional<Location> find_texture(std::string_view name) const;
};

/// `root` is a mod's or a game's folder.
[[nodiscard]] Scope scope_of(const GameFiles* files, const std::filesystem::path& root);

/// For messages: the name of a loose file, or a file and its catalog.
[[nodiscard]] std::string name_of(const Location& location);
/// "assets/x/y" of "extensions/mod/assets/x/y"; other paths as they are. `path` is a normal one.
[[nodiscard]] std::string_view without_extension_folder(std::string_view path) noexcept;
/// "mod" of "extensions/mod/assets/x/y", or nothing.
[[nodiscard]] std::string_view extension_of(std::string_view path) noexcept;
/// As normal_path(), but never lower case, for comparing spellings.
[[nodiscard]] std::string with_slashes(std::string_view path);

}  // namespace effigy::egosoft::checks
