/// Hash, bounds and finiteness of bulk data in one pass.

#include "gltf/file/content.hpp"

namespace effigy::gltf {

void Bounds::extend(std::span<const Vec3> points) {
    // In locals, which stay in registers.
    auto [low_x, low_y, low_z] = least;
    auto [high_x, high_y, high_z] = greatest;
    for (const Vec3& point : points) {
        low_x = std::min(low_x, point.x);
        low_y = std::min(low_y, point.y);
        low_z = std::min(low_z, point.z);
        high_x = std::max(high_x, point.x);
        high_y = std::max(high_y, point.y);
        high_z = std::max(high_z, point.z);
    }
    least = {low_x, low_y, low_z};
    greatest = {high_x, high_y, high_z};
}

std::optional<std::size_t> find_not_below(std::span<const std::uint32_t> values, std::uint32_t limit) {
    std::uint32_t bad = 0;
    for (const std::uint32_t value : values) bad |= value >= limit ? 1u : 0u;
    if (bad == 0) return std::nullopt;
    const auto found = std::find_if(values.begin(), values.end(), [&](std::uint32_t value) { return value >= limit; });
    return static_cast<std::size_t>(found - values.begin());
}

}  // namespace effigy::gltf
