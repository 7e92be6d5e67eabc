#pragma once
/// What has a game's files: a folder, a catalog or memory, and the paths under which they are seen.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {

using MemoryFiles = std::map<std::string, Listed, std::less<>>;  ///< by normal path

/// What one layer is and where it is seen.
struct PlacedLayer {
    std::unique_ptr<FolderLayer> folder;  ///< one of the three
    std::unique_ptr<CatalogLayer> catalog;
    MemoryFiles memory{};
    std::vector<std::string> prefixes;  ///< "", "extensions/name/": the first is the one that lists show
    std::size_t group = 0;              ///< layers of one game, one extension, one catalog
    bool replaces_base = false;         ///< an extension's substitutes for files of the game itself

    [[nodiscard]] Answer find(std::string_view path) const {
        if (folder != nullptr) return folder->find(path);
        if (catalog != nullptr) return catalog->find(path);
        const auto found = memory.find(path);
        return found == memory.end() ? Answer{} : Answer{Presence::found, found->second, 0, nullptr};
    }
    /// What is left of the path of a file in the extension that this is a layer of; other paths as they are.
    [[nodiscard]] std::string_view below(std::string_view path) const {
        for (const std::string& prefix : prefixes) {
            if (!prefix.empty() && path.starts_with(prefix)) return path.substr(prefix.size());
        }
        return path;
    }
    /// The loose files, without what other layers list: catalogs and their content, and the extensions in a game's
    /// folder.
    void list_loose(const ListVisitor& visit) const;
};

/// What layers below do not count for.
[[nodiscard]] inline bool is_final(const Answer& answer) {
    return answer.presence == Presence::found || answer.presence == Presence::deleted;
}

/// Visits what the layers have under paths that match, by path, and of one path the lowest layer first.
void visit_matches(const std::vector<PlacedLayer>& layers, std::string_view pattern,
                   const std::function<void(LayerEntry entry)>& visit);

}  // namespace effigy::egosoft
