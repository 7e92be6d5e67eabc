#pragma once
/// Paths as Egosoft's games take them.

#include <cstddef>
#include <string>
#include <string_view>

namespace effigy::egosoft {

inline constexpr std::size_t longest_path = 4096;

/// As normal_path(), into a string that is used again for many paths.
[[nodiscard]] bool normalize_path(std::string_view path, std::string& normal);

}  // namespace effigy::egosoft
