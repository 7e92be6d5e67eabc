#pragma once
/// The rules for the text files beside a model.

#include <array>

#include "core/rules.hpp"

namespace effigy::x42::companion {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    // animation.cfg
    {"config-name-repeated", Severity::warning, "animation.cfg", "Two animations have one name: whoever looks for it finds one of them."},
    {"config-frame-count", Severity::warning, "animation.cfg", "An animation has no frames: nothing moves, and conversions leave it out."},
    {"config-frame-rate", Severity::warning, "animation.cfg", "A frame rate is below 0.001 or above 240: the animation stands still or flickers; conversions take another rate."},
    {"config-loop", Severity::warning, "animation.cfg", "More frames repeat than the animation has, or fewer than none: frames are played that are not in it."},
    {"config-frame-range", Severity::warning, "animation.cfg with model", "An animation has frames that the model does not have: the nearest frame holds there."},
    // .skin
    {"surface-repeated", Severity::warning, ".skin", "A surface has two shaders: the first one counts."},
    {"surface-unknown", Severity::warning, ".skin with model", "The model has no surface of this name: its shader is not shown anywhere."},
    {"surface-unnamed", Severity::info, ".skin with model", "The skin does not name a surface of the model: the surface keeps the model's own shader."},
    {"skin-tag-unknown", Severity::info, ".skin with model", "The model has no tag of this name: usual where models share skins, and nothing is lost."},
});
// clang-format on

using Code = RuleCode<rules>;
using Findings = RuleFindings<rules>;

}  // namespace effigy::x42::companion
