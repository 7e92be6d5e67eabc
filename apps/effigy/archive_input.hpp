#pragma once
/// What `ls` and `unpack` are asked for: catalogs, games and mods, and patterns for what is in them.

#include <string>
#include <vector>

#include "effigy/game_files.hpp"

#include "common.hpp"

namespace effigy::app {

struct ArchiveContents {
    std::vector<egosoft::LayerEntry> entries;  ///< sorted by path; each pattern matches at least one
    egosoft::GameFiles files;
    Report report;
};

/// Arguments that exist as a file or folder are sources, later ones on top; all others are patterns.
/// Fails with "usage-..." if there is no source, or nothing for a pattern.
[[nodiscard]] Result<ArchiveContents> open_archives(const std::vector<std::string>& arguments, const Limits& limits);

/// Whether any of the patterns matches, or there are none.
[[nodiscard]] bool matches_any(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace effigy::app
