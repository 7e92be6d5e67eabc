#pragma once
/// What skeletal and morph motions share on their way into clips.

#include <vector>

#include "emfx/scene_keys.hpp"
#include "emfx/to_scene.hpp"

namespace effigy::emfx::bridge {

/// The times at which every track is sampled: none unless the caller asks for resampling.
[[nodiscard]] Result<std::vector<float>> sample_times(Context& context, float duration);
/// What was found in the keys of one motion.
void note_keys(Context& context, const KeyFindings& findings);

}  // namespace effigy::emfx::bridge
