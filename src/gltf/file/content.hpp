#pragma once
/// The passes over bulk data that must happen before the JSON is known.

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "effigy/math.hpp"

#include "scene/finite.hpp"

namespace effigy::gltf {

/// Least and greatest x, y and z.
struct Bounds {
    static constexpr float infinity = std::numeric_limits<float>::infinity();
    std::array<float, 3> least{infinity, infinity, infinity};
    std::array<float, 3> greatest{-infinity, -infinity, -infinity};

    void extend(std::span<const Vec3> points);
};

/// Calls `visit(block, offset)` for blocks that stay in the second-level cache, so that several passes over a block
/// cost one pass over memory. The size is a multiple of every element's size.
template <class T, class Visit>
void for_each_block(std::span<const T> values, Visit&& visit) {
    constexpr std::size_t block_size = 192 * 1024 / sizeof(T);
    for (std::size_t offset = 0; offset < values.size(); offset += block_size) {
        visit(values.subspan(offset, std::min(block_size, values.size() - offset)), offset);
    }
}

}  // namespace effigy::gltf
