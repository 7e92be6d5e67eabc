#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/trigonometric.hpp>
#include <limits>

#include "effigy/render.hpp"

namespace effigy::render {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

/// How far the box reaches beyond a pair of planes through the camera, one on each side, at a slope.
struct Span {
    double above = -infinity, below = -infinity;
    void add(double across, double depth, double slope) noexcept {
        above = std::max(above, across + slope * depth);
        below = std::max(below, -across + slope * depth);
    }
    [[nodiscard]] double distance(double slope) const noexcept { return (above + below) / (2 * slope); }
    [[nodiscard]] double middle() const noexcept { return (above - below) / 2; }
};

Vec3 to_scene(const glm::dvec3& v) noexcept {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

}  // namespace

Camera frame(const playback::Bounds& bounds, View view, float aspect) noexcept {
    Camera camera;
    const Axes axes = axes_of(view);
    const Box box = solid_box(bounds);
    const glm::dvec3 center = (box.low + box.high) * 0.5;
    const double ratio = aspect > 0 && std::isfinite(aspect) ? double{aspect} : 1.0;
    const double slope = std::tan(glm::radians(double{camera.field_of_view}) / 2) * (1 - 2 * margin);
    const double slope_x = slope * std::max(ratio, 1.0);
    const double slope_y = slope * std::max(1 / ratio, 1.0);

    Span across, along;
    double nearest = -infinity;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 point((corner & 1) != 0 ? box.high.x : box.low.x, (corner & 2) != 0 ? box.high.y : box.low.y,
                               (corner & 4) != 0 ? box.high.z : box.low.z);
        const glm::dvec3 offset = point - center;
        const double depth = glm::dot(offset, axes.back);
        across.add(glm::dot(offset, axes.right), depth, slope_x);
        along.add(glm::dot(offset, axes.up), depth, slope_y);
        nearest = std::max(nearest, depth);
    }
    // A box without width is seen from its own front otherwise, not from before it.
    const double size = glm::length(box.high - box.low);
    const double distance = std::max({across.distance(slope_x), along.distance(slope_y), nearest + 0.01 * size});
    const glm::dvec3 foot = center + axes.right * across.middle() + axes.up * along.middle();
    camera.position = to_scene(foot + axes.back * distance);
    camera.target = to_scene(foot);
    camera.up = to_scene(axes.up);
    return camera;
}

}  // namespace effigy::render
