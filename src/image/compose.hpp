#pragma once
/// A picture put together from single channels of others.

#include <array>
#include <cstdint>

#include "effigy/image.hpp"

namespace effigy::image {

// One channel of a picture.
struct Plane {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Bytes values;  // width * height
};

[[nodiscard]] Plane red_plane(const Picture& picture);

// value * scale, or 1 minus that.
struct ChannelUse {
    const Plane* plane = nullptr;  // null: `scale` is the value
    float scale = 1;
    bool inverted = false;

    // What becomes of a value of 0..1.
    [[nodiscard]] float apply(float value) const noexcept;
};

// Red, green and blue, opaque. As large as the largest plane on each side; smaller ones are stretched bilinearly, as
// textures that repeat. 1 x 1 without any plane.
[[nodiscard]] Result<Picture> compose(const std::array<ChannelUse, 3>& channels, const Limits& limits);

}  // namespace effigy::image
