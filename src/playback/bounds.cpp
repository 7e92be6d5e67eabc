/// Boxes around points.

#include <algorithm>
#include <limits>

#include "effigy/playback.hpp"

#include "playback/kernels.hpp"

namespace effigy::playback {

void Bounds::add(std::span<const Vec3> points) noexcept {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    Bounds found{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}, false};
    kernels::grow_bounds(points, found.low, found.high);
    found.empty = found.low.x > found.high.x;
    add(found);
}

void Bounds::add(const Bounds& other) noexcept {
    if (other.empty) return;
    if (empty) {
        *this = other;
        return;
    }
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y), std::min(low.z, other.low.z)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y), std::max(high.z, other.high.z)};
}

}  // namespace effigy::playback
