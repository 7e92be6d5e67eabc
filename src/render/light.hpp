#pragma once
/// The light in which surfaces are shown: a key light, a weak fill and rim, and a sky.

#include <glm/glm.hpp>

#include "point.hpp"
#include "projection.hpp"

namespace effigy::render {

/// Directions lead to the lights and have unit length.
struct Lights {
    glm::vec3 key{0}, fill{0}, rim{0};
    glm::vec3 up{0};
    float reach = 1;  ///< how near a surface must be to take light of the sky away
    float lift = 0;   ///< how far from a surface light rays start
};

/// Placed as the camera stands, for a scene of this size.
[[nodiscard]] Lights make_lights(const Projection& projection, const playback::Bounds& bounds) noexcept;

/// Light that a surface sends to the viewer.
struct Reflected {
    glm::vec3 key{0};      ///< where no shadow falls
    glm::vec3 ambient{0};  ///< where nothing is near
};
[[nodiscard]] Reflected reflect(const Lights& lights, const Point& point, const glm::vec3& to_viewer) noexcept;

/// A direction to the key light, which has a size: `x` and `y` are 0..1.
[[nodiscard]] glm::vec3 key_direction(const Lights& lights, float x, float y) noexcept;
/// A direction out of a surface, the more often the nearer to its normal.
[[nodiscard]] glm::vec3 sky_direction(const glm::vec3& normal, float x, float y) noexcept;

/// Bends what is brighter than white can be to below 1; darker values stay.
[[nodiscard]] glm::vec3 tone(const glm::vec3& color) noexcept;

}  // namespace effigy::render
