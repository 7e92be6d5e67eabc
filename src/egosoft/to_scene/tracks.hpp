#pragma once
/// Curves to tracks of glTF, in the scene's frame.

#include <limits>

#include "egosoft/to_scene/curves.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

/// The part of a curve that becomes a track, whose times count from its start.
struct Window {
    double start = 0;
    double end = std::numeric_limits<double>::infinity();
};

struct MadeTrack {
    Track track;
    bool sampled = false;
    double error = 0;  ///< largest one found between the samples: in the track's unit, for rotations in radians
};

/// Translations (x is negated) and scales: as they are where glTF reads them alike, else sampled.
[[nodiscard]] Result<MadeTrack> vector_track(Build& build, const Curve& curve, TrackPath path, const Window& window);
/// Angles, of which glTF knows nothing: sampled unless they only step.
[[nodiscard]] Result<MadeTrack> rotation_track(Build& build, const Curve& curve, const Window& window);

/// The rotation of a key: x first, then z, then y, in the scene's frame.
[[nodiscard]] Quat rotation_of(const Values& angles) noexcept;

}  // namespace effigy::egosoft::bridge
