#pragma once
/// What each format is expected to keep, lose and say of each model.

#include <set>
#include <span>
#include <string_view>

namespace trip {

/// Everything by its name, in alphabetical order, with blanks or commas between.
struct Expected {
    std::string_view model, format;
    std::string_view lost;      ///< kinds of differences: "clips, morph targets"
    std::string_view warnings;  ///< codes: "clip-empty x42-morphs-left-out"
    std::string_view notes;
};

[[nodiscard]] std::span<const Expected> expected();

inline constexpr std::string_view unknown_code = "unknown";

/// What a code says is not the same any more; empty for what is only made, added or named otherwise, unknown_code for
/// codes that nobody has thought about here.
[[nodiscard]] std::set<std::string_view> losses_of(std::string_view code);

}  // namespace trip
