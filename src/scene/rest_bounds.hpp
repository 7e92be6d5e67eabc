#pragma once
/// How large a scene is.

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>

#include "effigy/scene.hpp"

#include "scene/wide_math.hpp"

namespace effigy {

struct RestBounds {
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    glm::dvec3 low{infinity};
    glm::dvec3 high{-infinity};

    /// Points that are not finite do not count.
    void add(const glm::dvec3& point) noexcept {
        if (!is_finite(point)) return;
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    [[nodiscard]] bool is_empty() const noexcept { return low.x > high.x; }
    [[nodiscard]] double diagonal() const noexcept { return is_empty() ? 0 : glm::length(high - low); }
};

/// Of what is drawn at rest, with its skins and without morph targets; nothing where nothing is drawn.
[[nodiscard]] std::optional<RestBounds> rest_bounds(const Scene& scene);

}  // namespace effigy
