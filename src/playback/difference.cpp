/// DifferenceJob: a pose relative to another one, for additive layers.

#include <cstddef>

#include "effigy/playback.hpp"

#include "playback/checks.hpp"
#include "playback/vector_math.hpp"

namespace effigy::playback {
namespace {

/// Nothing times any factor is nothing, so the factor may be 1.
float ratio(float number, float reference) { return reference == 0 ? 1 : number / reference; }

}  // namespace

Result<void> DifferenceJob::run() const {
    const std::size_t joints = pose.size();
    if (auto fits = check_pose("pose", pose, joints); !fits) return fits;
    if (auto fits = check_pose("reference", reference, joints); !fits) return fits;
    if (auto fits = check_pose("difference", difference, joints); !fits) return fits;
    for (std::size_t i = 0; i < joints; ++i) {
        difference.translations[i] = subtract(pose.translations[i], reference.translations[i]);
        difference.rotations[i] = normalized(multiply(pose.rotations[i], conjugate(reference.rotations[i])));
        const Vec3 scale = pose.scales[i];
        const Vec3 base = reference.scales[i];
        difference.scales[i] = {ratio(scale.x, base.x), ratio(scale.y, base.y), ratio(scale.z, base.z)};
    }
    return {};
}

}  // namespace effigy::playback
