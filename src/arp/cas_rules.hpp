#pragma once
/// The rules for motion of signing avatars.

#include <array>

#include "core/rules.hpp"

namespace effigy::arp::motion {

// clang-format off
inline constexpr auto rules = std::to_array<Rule>({
    {"cas-version", Severity::info, "CAS XML", "The version is not 2.1: what differs in it is not known, and it is read like 2.1."},
    {"cas-empty", Severity::warning, "CAS", "There is no frame: nothing moves."},
    {"cas-sign-empty", Severity::info, "CAS", "A sign has no frame of its own: it is not shown."},
    {"cas-time", Severity::warning, "CAS", "A frame is not later than the frame before it: players jump there or skip it."},
    {"cas-duration", Severity::warning, "CAS", "A frame lasts less than no time: players that add up durations run backwards."},
    {"cas-rotation-length", Severity::warning, "CAS", "A rotation is not of unit length: players that do not normalise it distort the bone."},
    {"cas-bone-repeated", Severity::warning, "CAS", "A frame names a bone twice: which of the two counts is left to each tool."},
    {"cas-morph-repeated", Severity::warning, "CAS", "A frame names a morph target twice: which of the two counts is left to each tool."},
    {"cas-bone-late", Severity::info, "CAS", "A bone is not in the first frame and moves later on: until then it rests as the avatar says."},
    {"cas-bone-unknown", Severity::warning, "CAS with avatar", "The avatar has no bone of this name: its movement is lost."},
    {"cas-morph-unknown", Severity::warning, "CAS with avatar", "The avatar has no morph target of this name: what it shows is lost."},
});
// clang-format on

using Code = RuleCode<rules>;
using Findings = RuleFindings<rules>;

}  // namespace effigy::arp::motion
