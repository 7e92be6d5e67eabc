#pragma once
/// Which vertices a morph target moves.

#include <array>
#include <bit>
#include <cstdint>

#include "effigy/math.hpp"

namespace effigy::gltf {

/// Any bit counts, so that -0 stays -0 on its way through a file.
[[nodiscard]] inline bool is_moved(const Vec3& offset) noexcept {
    using Bits = std::array<std::uint32_t, 3>;
    return std::bit_cast<Bits>(offset) != Bits{};
}

}  // namespace effigy::gltf
