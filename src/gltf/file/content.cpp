/// Bounds of positions.

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

}  // namespace effigy::gltf
