#pragma once
/// A component file of the game and what its extensions change in it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/game_files.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::egosoft {

struct ChangedFile {
    Location base;                  ///< the highest layer that is no <diff>
    std::vector<Location> changes;  ///< those above it, in the order in which they count
};

/// Nothing where no layer holds the file itself, or none above it changes it.
[[nodiscard]] std::optional<ChangedFile> changed_file(const GameFiles& files, std::string_view path,
                                                      const Limits& limits);

struct ChangedComponents {
    ComponentFile file;
    std::vector<std::string> changed_by;  ///< names of the changes that had an effect
};

/// The file with its changes; `base` is its text. Changes that cannot be read are findings, and skipped.
[[nodiscard]] Result<Loaded<ChangedComponents>> read_changed(const GameFiles& files, const ChangedFile& changed,
                                                             const Bytes& base, const Limits& limits);
/// The same, base and all.
[[nodiscard]] Result<Loaded<ChangedComponents>> read_changed(const GameFiles& files, const ChangedFile& changed,
                                                             const Limits& limits);

/// What is found in a <diff> itself where it is laid over the file of the game that it is for, with the changes before
/// it; nothing where no layer holds that file, or, of files that extensions' own are united with, not the game itself.
[[nodiscard]] std::optional<Report> findings_of_change(const GameFiles& files, std::string_view path,
                                                       const Bytes& change, const Limits& limits);

}  // namespace effigy::egosoft
