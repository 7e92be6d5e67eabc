#pragma once
/// From true colours to a palette.

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "effigy/bytes.hpp"

namespace effigy::image::detail {

using Rgb = std::array<std::uint8_t, 3>;

// Pixels less opaque than this are left out of a GIF.
inline constexpr std::uint8_t min_alpha = 128;

// The colours that show all opaque pixels of the RGBA frames best, at most `most` (2 to 255): the very colours where
// there are no more.
[[nodiscard]] std::vector<Rgb> choose_colors(std::span<const Bytes> frames, std::size_t most);

// Which colour of a palette stands for a pixel. A colour that the palette lacks is a pattern of the two that mix it
// best. The pattern stays in place from frame to frame, so that nothing flickers.
class Dither {
public:
    explicit Dither(std::vector<Rgb> palette) : palette_(std::move(palette)) {}

    [[nodiscard]] std::uint8_t index_of(Rgb color, std::uint32_t x, std::uint32_t y);

private:
    struct Mix {
        std::uint8_t near = 0, far = 0;
        float share = 0;  // of `far`
    };
    [[nodiscard]] Mix mix_of(Rgb color) const noexcept;

    std::vector<Rgb> palette_;
    std::unordered_map<std::uint32_t, Mix> known_;
};

}  // namespace effigy::image::detail
