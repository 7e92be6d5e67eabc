#pragma once
/// What makes a folder a game's or an extension's.

#include <filesystem>
#include <string_view>
#include <vector>

#include "egosoft/game/load_order.hpp"

namespace effigy::egosoft {

/// An extension of a game, on the disk.
struct ExtensionFolder {
    std::filesystem::path folder;
    ExtensionContent content;
};

[[nodiscard]] bool is_extension(const std::filesystem::path& folder);
[[nodiscard]] ExtensionContent content_of(const std::filesystem::path& extension, const Limits& limits);
[[nodiscard]] std::vector<ExtensionFolder> in_load_order(std::vector<ExtensionFolder> folders);

/// "<start><number>.cat" in the order of the numbers.
[[nodiscard]] std::vector<std::filesystem::path> catalogs_in(const std::filesystem::path& folder,
                                                             std::string_view start);
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);
/// An entry of a folder whose name may have any case; empty if there is none.
[[nodiscard]] std::filesystem::path entry_named(const std::filesystem::path& folder, std::string_view name);

}  // namespace effigy::egosoft
