#pragma once
/// The rules for what is in a container beside the avatar.

#include <array>

#include "core/rules.hpp"

namespace effigy::arp::container {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    {"container-texture-missing", Severity::warning, "container", "The texture that the avatar names is not in the container: the avatar is shown without it."},
    {"container-file-missing", Severity::info, "container", "A file that signing tools look for beside the avatar is not in the container: they go without its settings or gestures."},
    {"container-entry-repeated", Severity::warning, "container", "Two entries have one name: tools take the first or the last of them."},
});
// clang-format on

using Code = RuleCode<rules>;
using Findings = RuleFindings<rules>;

}  // namespace effigy::arp::container
