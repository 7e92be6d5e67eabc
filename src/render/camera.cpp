/// A camera that has all points in the picture, seen from a direction.

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/trigonometric.hpp>

#include "effigy/render.hpp"

namespace effigy::render {
namespace {

using Reach = Framer::Reach;

/// Part of the picture that stays free on each side.
constexpr double margin = 0.05;

/// Vectors of the camera in the scene's space; it looks along -back.
struct Axes {
    glm::dvec3 right, up, back;
};

Axes axes_of(View view) noexcept {
    const double yaw = glm::radians(std::isfinite(view.yaw) ? double{view.yaw} : 0.0);
    const double pitch = glm::radians(std::isfinite(view.pitch) ? double{view.pitch} : 0.0);
    const glm::dvec3 right(std::cos(yaw), 0, -std::sin(yaw));
    const glm::dvec3 back(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
    return {right, glm::cross(back, right), back};
}

struct Box {
    glm::dvec3 low, high;
};

/// A point, or nothing at all, gets a box that can be looked at.
Box solid_box(const playback::Bounds& bounds) noexcept {
    Box box{{bounds.low.x, bounds.low.y, bounds.low.z}, {bounds.high.x, bounds.high.y, bounds.high.z}};
    const double largest = std::max({std::abs(box.low.x), std::abs(box.low.y), std::abs(box.low.z),
                                     std::abs(box.high.x), std::abs(box.high.y), std::abs(box.high.z)});
    // Written so that NaN fails.
    const bool is_usable =
        !bounds.empty && largest < 1e30 && glm::length(box.high) < 1e31 && glm::length(box.low) < 1e31;
    if (!is_usable) return {glm::dvec3(-1), glm::dvec3(1)};
    if (glm::length(box.high - box.low) > largest * 1e-6) return box;
    const double reach = largest > 0 ? largest * 1e-3 : 1;
    return {box.low - reach, box.high + reach};
}

Vec3 to_scene(const glm::dvec3& v) noexcept {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Slopes of the picture's edges, as far as the margin leaves it free.
struct Slopes {
    double x, y;
};

Slopes slopes_of(float aspect) noexcept {
    const double ratio = aspect > 0 && std::isfinite(aspect) ? double{aspect} : 1.0;
    const double slope = std::tan(glm::radians(double{Camera{}.field_of_view}) / 2) * (1 - 2 * margin);
    return {slope * std::max(ratio, 1.0), slope * std::max(1 / ratio, 1.0)};
}

void extend(Reach& reach, const glm::dvec3& point, const Axes& axes, Slopes slopes) noexcept {
    const double depth = glm::dot(point, axes.back);
    const double across = glm::dot(point, axes.right), along = glm::dot(point, axes.up);
    reach.right = std::max(reach.right, across + slopes.x * depth);
    reach.left = std::max(reach.left, -across + slopes.x * depth);
    reach.top = std::max(reach.top, along + slopes.y * depth);
    reach.bottom = std::max(reach.bottom, -along + slopes.y * depth);
    reach.front = std::max(reach.front, depth);
}

/// Stands where all planes of the reach meet the picture's edges, or before it. `centre` is what the points are
/// relative to.
Camera camera_for(const Reach& reach, const glm::dvec3& centre, double size, const Axes& axes, Slopes slopes) noexcept {
    Camera camera;
    // What has no depth is seen from its own front otherwise, not from before it.
    const double distance = std::max({(reach.right + reach.left) / (2 * slopes.x),
                                      (reach.top + reach.bottom) / (2 * slopes.y), reach.front + 0.01 * size});
    const glm::dvec3 foot =
        centre + axes.right * ((reach.right - reach.left) / 2) + axes.up * ((reach.top - reach.bottom) / 2);
    camera.position = to_scene(foot + axes.back * distance);
    camera.target = to_scene(foot);
    camera.up = to_scene(axes.up);
    return camera;
}

/// The reach relative to another point than the origin.
Reach moved(Reach reach, const glm::dvec3& point, const Axes& axes, Slopes slopes) noexcept {
    const double depth = glm::dot(point, axes.back);
    const double across = glm::dot(point, axes.right), along = glm::dot(point, axes.up);
    reach.right -= across + slopes.x * depth;
    reach.left -= -across + slopes.x * depth;
    reach.top -= along + slopes.y * depth;
    reach.bottom -= -along + slopes.y * depth;
    reach.front -= depth;
    return reach;
}

}  // namespace

Camera frame(const playback::Bounds& bounds, View view, float aspect) noexcept {
    const Axes axes = axes_of(view);
    const Slopes slopes = slopes_of(aspect);
    const Box box = solid_box(bounds);
    const glm::dvec3 centre = (box.low + box.high) * 0.5;
    Reach reach;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 point((corner & 1) != 0 ? box.high.x : box.low.x, (corner & 2) != 0 ? box.high.y : box.low.y,
                               (corner & 4) != 0 ? box.high.z : box.low.z);
        extend(reach, point - centre, axes, slopes);
    }
    return camera_for(reach, centre, glm::length(box.high - box.low), axes, slopes);
}

void Framer::add(const playback::Poser& poser) {
    const Axes axes = axes_of(view_);
    const Slopes slopes = slopes_of(aspect_);
    bounds_.add(poser.bounds());
    for (const playback::PosedMesh& mesh : poser.meshes()) {
        for (const Vec3& vertex : mesh.vertices.positions) {
            extend(reach_, glm::dvec3(vertex.x, vertex.y, vertex.z), axes, slopes);
        }
    }
}

Camera Framer::camera() const noexcept {
    const Box box = solid_box(bounds_);
    const glm::dvec3 low(bounds_.low.x, bounds_.low.y, bounds_.low.z);
    const glm::dvec3 high(bounds_.high.x, bounds_.high.y, bounds_.high.z);
    const bool is_solid = box.low == low && box.high == high && reach_.front > -1e300;
    if (!is_solid) return frame(bounds_, view_, aspect_);
    const Axes axes = axes_of(view_);
    const Slopes slopes = slopes_of(aspect_);
    const glm::dvec3 centre = (low + high) * 0.5;
    return camera_for(moved(reach_, centre, axes, slopes), centre, glm::length(high - low), axes, slopes);
}

}  // namespace effigy::render
