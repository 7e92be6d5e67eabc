#pragma once
/// Small letters on pictures.

#include <array>
#include <cstdint>
#include <string>

#include "effigy/image.hpp"

namespace effigy::app {

using Ink = std::array<std::uint8_t, 3>;

/// Pixels from the top of the highest letter to the foot of the lowest.
[[nodiscard]] std::uint32_t text_height(std::uint32_t scale) noexcept;

/// The text as it can be written: letters that are not ASCII become '?', and what does not fit into `width` pixels is
/// cut out of the middle.
[[nodiscard]] std::string fit_text(const std::string& text, std::uint32_t width, std::uint32_t scale);

/// Writes text that has been fitted in the middle of the columns from `left`, `width` wide. Nothing is written beside
/// the picture.
void write_centered(image::Picture& picture, std::uint32_t left, std::uint32_t width, std::uint32_t top,
                    const std::string& text, std::uint32_t scale, Ink ink);

}  // namespace effigy::app
