#pragma once
/// How the signer stands, breathes and signs.

#include <string>
#include <vector>

#include "skeleton.hpp"

namespace signer {

inline constexpr double frames_per_second = 25;

struct MorphAmount {
    std::string target;
    double amount;
};
struct Frame {
    Pose pose;
    std::vector<MorphAmount> morphs;  ///< that are not 0
};

/// Arms lowered, elbows and fingers relaxed: what the file's skeleton stores.
[[nodiscard]] Pose rest_pose();
/// The rest with slight differences.
[[nodiscard]] Pose default_pose();

/// Breathing, glances and blinks, as turns away from any pose; the last frame leads to the first one.
[[nodiscard]] std::vector<Frame> ambient_motion();

struct Sign {
    std::string gloss;
    std::size_t first_frame;
};
struct Motion {
    std::vector<Sign> signs;
    std::vector<Frame> frames;
};
/// "Hello" with a wave, then "I love you".
[[nodiscard]] Motion hello();

}  // namespace signer
