#pragma once
/// What `ls` and `unpack` are asked for: catalogs, games and mods, and patterns for what is in them.

#include <functional>
#include <string>
#include <vector>

#include "effigy/game_files.hpp"

#include "common.hpp"

namespace effigy::app {

struct ArchiveContents {
    egosoft::GameFiles files;
    Report report;
    std::vector<std::string> patterns;  ///< each matches at least one entry

    /// Of half a million files only those that are asked for, sorted by path.
    void visit(const std::function<void(egosoft::LayerEntry entry)>& visit) const;
};

/// Arguments that exist as a file or folder are sources, later ones on top; all others are patterns.
/// Fails with "usage-..." if there is no source, or nothing for a pattern.
[[nodiscard]] Result<ArchiveContents> open_archives(const std::vector<std::string>& arguments, const Limits& limits);

/// Whether any of the patterns matches, or there are none.
[[nodiscard]] bool matches_any(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace effigy::app
