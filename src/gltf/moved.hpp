#pragma once
/// Which vertices a morph target moves.

#include <cstring>

#include "effigy/math.hpp"

namespace effigy::gltf {

/// Any bit counts, so that -0 stays -0 on its way through a file.
[[nodiscard]] inline bool is_moved(const Vec3& offset) noexcept {
    static constexpr Vec3 nothing{};
    return std::memcmp(&offset, &nothing, sizeof(Vec3)) != 0;
}

}  // namespace effigy::gltf
