#pragma once
/// Words on pictures: in a font of this machine, or in plain built-in letters.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "effigy/image.hpp"

#include "font.hpp"

namespace effigy::app {

using Ink = std::array<std::uint8_t, 3>;

/// Pixels of a line; 1 is for small cells, 2 for others.
[[nodiscard]] std::uint32_t line_height(std::uint32_t scale) noexcept;

class Lettering {
public:
    /// Built-in letters if they are asked for or no font is there: ASCII only, and the same everywhere.
    Lettering(const std::vector<std::u32string>& texts, bool plain);

    /// In pixels.
    [[nodiscard]] std::uint32_t width(const std::u32string& text, std::uint32_t scale) const;
    /// In the middle of the columns from `left`, `width` wide. Nothing is written beside the picture.
    void write_centered(image::Picture& picture, std::uint32_t left, std::uint32_t width, std::uint32_t top,
                        const std::u32string& text, std::uint32_t scale, Ink ink) const;

private:
    Fonts fonts_;
};

}  // namespace effigy::app
