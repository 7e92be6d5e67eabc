#pragma once
/// What an index of a game says with all its layers.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "effigy/game_files.hpp"

namespace effigy::egosoft {

/// Where components or macros are: paths, as they are written, by names in lower case.
using IndexPaths = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] IndexPaths read_paths(const GameFiles& files, std::string_view path, const Limits& limits);
/// Empty if there is none, or none that leads to a file.
[[nodiscard]] std::string path_in(const IndexPaths& paths, std::string_view name);

}  // namespace effigy::egosoft
