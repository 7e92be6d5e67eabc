#pragma once
/// Between the scene's space and the picture's pixels.

#include <cstdint>
#include <glm/glm.hpp>

#include "effigy/render.hpp"
#include "effigy/result.hpp"

namespace effigy::render {

/// A point in the picture: pixels from its upper left corner, and the distance from the camera's plane.
struct ScreenPoint {
    float x = 0, y = 0;
    float depth = 0;
};

class Projection {
public:
    /// "render-options" if nothing can be seen through such a camera.
    [[nodiscard]] static Result<Projection> make(const Camera& camera, std::uint32_t width, std::uint32_t height);

    /// The way through a point of the picture. One length of it goes one unit away from the camera's plane, so that
    /// distances along it are depths.
    [[nodiscard]] glm::vec3 direction(float x, float y) const noexcept { return corner_ + across_ * x + down_ * y; }
    /// Nothing sensible if the point is not in front of the camera: depth <= 0.
    [[nodiscard]] ScreenPoint project(const glm::vec3& point) const noexcept;

    [[nodiscard]] const glm::vec3& origin() const noexcept { return origin_; }
    [[nodiscard]] const glm::vec3& right() const noexcept { return right_; }
    [[nodiscard]] const glm::vec3& up() const noexcept { return up_; }
    [[nodiscard]] const glm::vec3& forward() const noexcept { return forward_; }
    /// Size of a pixel at depth 1.
    [[nodiscard]] float pixel_size() const noexcept { return pixel_; }

private:
    glm::vec3 origin_{0}, right_{0}, up_{0}, forward_{0};
    glm::vec3 corner_{0}, across_{0}, down_{0};
    glm::vec2 half_{0};
    float pixel_ = 0;
};

}  // namespace effigy::render
