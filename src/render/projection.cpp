/// Where a point of the scene stands in the picture.

#include "projection.hpp"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>

#include "effigy/playback_codes.hpp"

#include "problem.hpp"
#include "vectors.hpp"

namespace effigy::render {

Result<Projection> Projection::make(const Camera& camera, std::uint32_t width, std::uint32_t height) {
    const glm::vec3 origin = to_glm(camera.position);
    const glm::vec3 way = to_glm(camera.target) - origin;
    const glm::vec3 forward = direction_or(way, glm::vec3(0));
    if (!is_finite(origin) || forward == glm::vec3(0)) {
        return fail(problem(codes::render_options,
                            "the camera does not look anywhere: its position and its target must be "
                            "finite and apart"));
    }
    if (!(camera.field_of_view > 0.01f && camera.field_of_view < 179.0f)) {
        return fail(problem(codes::render_options, "the camera's field of view cannot be drawn",
                            std::to_string(camera.field_of_view), "0.01 to 179 degrees"));
    }
    const glm::vec3 up = direction_or(to_glm(camera.up), glm::vec3(0, 1, 0));
    const glm::vec3 side = glm::cross(forward, up);

    Projection projection;
    projection.origin_ = origin;
    projection.forward_ = forward;
    projection.right_ = glm::length(side) > 1e-4f ? glm::normalize(side) : any_across(forward);
    projection.up_ = glm::cross(projection.right_, forward);
    const auto smaller = static_cast<float>(std::min(width, height));
    projection.pixel_ = 2 * std::tan(glm::radians(camera.field_of_view) / 2) / smaller;
    projection.half_ = glm::vec2(width, height) * 0.5f;
    projection.across_ = projection.right_ * projection.pixel_;
    projection.down_ = -projection.up_ * projection.pixel_;
    projection.corner_ = forward - projection.across_ * projection.half_.x - projection.down_ * projection.half_.y;
    return projection;
}

ScreenPoint Projection::project(const glm::vec3& point) const noexcept {
    const glm::vec3 offset = point - origin_;
    const float depth = glm::dot(offset, forward_);
    const float scale = 1 / (depth * pixel_);
    return {half_.x + glm::dot(offset, right_) * scale, half_.y - glm::dot(offset, up_) * scale, depth};
}

}  // namespace effigy::render
