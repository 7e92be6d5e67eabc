#pragma once
/// Patterns that paths are compared with.

#include <string_view>

namespace effigy {

/// On the disk letters are what they are, and a backslash is one of them; games know neither case nor kinds of slashes.
enum class PatternCase : bool { counts, is_ignored };

/// Whether a path matches a pattern with * (not over slashes), ** and ?.
[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view path, PatternCase letters) noexcept;

}  // namespace effigy
