/// Triangles as one triangle strip, by meshoptimizer.

#include <meshoptimizer.h>

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

std::vector<std::uint32_t> one_strip(const std::vector<std::uint32_t>& triangles, std::size_t vertices) {
    if (triangles.empty()) return {};
    std::vector<std::uint32_t> strip(meshopt_stripifyBound(triangles.size()));
    // 0: runs are joined by triangles without area, as the format has them.
    strip.resize(meshopt_stripify(strip.data(), triangles.data(), triangles.size(), vertices, 0U));
    return strip;
}

}  // namespace effigy::arp::native
