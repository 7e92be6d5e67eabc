#pragma once
/// The files in a mod's catalogs, each by itself.

#include <filesystem>

#include "effigy/game_files.hpp"
#include "effigy/registry.hpp"
#include "effigy/result.hpp"

namespace effigy::egosoft::checks {

/// `mod` has the files of the folder and of no other. Findings are said to be about "<folder>/ext_01.cat/<path>".
[[nodiscard]] Report check_packed(const std::filesystem::path& folder, const GameFiles& mod, CheckContext context);

}  // namespace effigy::egosoft::checks
