#pragma once
/// Names that have little room: without the path that all share, cut where they do not differ.

#include <functional>
#include <string>
#include <vector>

namespace effigy::app {

/// File paths without the folders that all of them begin with.
[[nodiscard]] std::vector<std::string> without_common_path(const std::vector<std::string>& paths);

/// Each name as it is if it `fits`, and otherwise with an ellipsis in front, or in front and in the middle where names
/// end alike: what tells it from the others stays, as far as there is room.
[[nodiscard]] std::vector<std::u32string> shortened(const std::vector<std::u32string>& names,
                                                    const std::function<bool(const std::u32string&)>& fits);

}  // namespace effigy::app
