#pragma once
/// From what rays found to the bytes of a picture.

#include <cstddef>
#include <span>

#include "effigy/math.hpp"

#include "projection.hpp"
#include "tile.hpp"

namespace effigy::render {

/// Some whole rows of a picture.
struct Band {
    std::uint32_t width = 0;
    std::uint32_t first_row = 0, end_row = 0;  ///< of the picture
    std::span<const Pixel> pixels;

    [[nodiscard]] const Pixel& at(std::uint32_t x, std::uint32_t y) const noexcept {
        return pixels[std::size_t{y - first_row} * width + x];
    }
};

/// One row of the picture, as RGBA bytes with straight alpha in sRGB.
void resolve_row(const Band& band, std::uint32_t y, const Projection& projection, const Color& background,
                 std::span<std::byte> rgba);

}  // namespace effigy::render
