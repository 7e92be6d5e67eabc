#pragma once
/// What the rules over a whole mod look at: the files of its folder, textures, what its catalogs hold.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "effigy/game_files.hpp"
#include "effigy/registry.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft::checks {

struct FolderFile {
    std::string path;    ///< below the folder, with slashes, as it is spelled; in a catalog, "ext_01.cat/<path>"
    std::string normal;  ///< below the mod's root, in lower case
    std::uint64_t size = 0;
    std::optional<Location> packed{};  ///< in a catalog
};

/// In order of their paths. Neither links nor the folders of other mods inside this one are entered.
[[nodiscard]] std::vector<FolderFile> files_in(const std::filesystem::path& folder);

/// The first bytes of a file; empty if it cannot be read.
[[nodiscard]] Bytes head_of(const std::filesystem::path& path, std::size_t max_size);

/// As much of a texture's file as its rules want.
inline constexpr std::size_t texture_head_size = 65'536;
/// A .dds file, or a gzipped one.
struct TextureFile {
    Bytes head;
    std::uint64_t size = 0;
    std::function<Result<Bytes>()> whole;  ///< asked for where it has to be inflated
    Limits limits;
};
/// What is gzipped and no DDS is no texture, and passed over.
void check_dds(TextureFile file, const Place& place, Report& report);

/// "ext_01.cat/<path>" of a file in a catalog.
[[nodiscard]] std::string name_in_catalog(const Listed& file);
/// Each file by its own rules. `mod` has the files of the folder and of no other. Findings are said to be about
/// "<folder>/ext_01.cat/<path>".
[[nodiscard]] Report check_packed(const std::filesystem::path& folder, const GameFiles& mod, CheckContext context);

}  // namespace effigy::egosoft::checks
