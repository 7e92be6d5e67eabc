/// Draws names on pictures by fonts of this machine, or by built-in letters.

#include "lettering.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <stb/stb_easy_font.h>
#include <vector>

namespace effigy::app {

namespace {

std::uint32_t plain_width(std::string text, std::uint32_t scale) {
    return static_cast<std::uint32_t>(stb_easy_font_width(text.data())) * scale;
}

/// stb_easy_font has letters of ASCII only.
std::string to_ascii(const std::u32string& text) {
    std::string ascii;
    for (const char32_t letter : text) {
        if (letter == U'\u2026') {
            ascii += "...";
        } else {
            ascii += letter >= 0x20 && letter < 0x7f ? static_cast<char>(letter) : '?';
        }
    }
    return ascii;
}

/// What stb_easy_font makes of a letter's strokes: four corners of a rectangle.
struct Corner {
    float x, y, z;
    std::array<std::uint8_t, 4> color;
};
struct Quad {
    std::array<Corner, 4> corners;
};

std::vector<Quad> quads_of(std::string text) {
    std::vector<Quad> quads(text.size() * 32 + 1);
    const int count =
        stb_easy_font_print(0, 0, text.data(), nullptr, quads.data(), static_cast<int>(quads.size() * sizeof(Quad)));
    quads.resize(static_cast<std::size_t>(count));
    return quads;
}

void fill(image::Picture& picture, std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom,
          Ink ink) {
    const std::array<std::uint8_t, 4> color{ink[0], ink[1], ink[2], 255};
    for (std::uint32_t y = top; y < bottom && y < picture.height; ++y) {
        for (std::uint32_t x = left; x < right && x < picture.width; ++x)
            std::memcpy(picture.rgba.data() + (std::size_t{y} * picture.width + x) * 4, color.data(), 4);
    }
}

/// Of fonts, which have more in a line than the built-in letters: those below the base line.
float font_height(std::uint32_t scale) noexcept { return scale == 1 ? 13 : 21; }

}  // namespace

std::uint32_t line_height(std::uint32_t scale) noexcept { return 9 * scale; }

Lettering::Lettering(const std::vector<std::u32string>& texts, bool plain) {
    if (!plain) fonts_ = Fonts::find(texts);
}

std::uint32_t Lettering::width(const std::u32string& text, std::uint32_t scale) const {
    return fonts_.empty() ? plain_width(to_ascii(text), scale)
                          : static_cast<std::uint32_t>(std::ceil(fonts_.width(text, font_height(scale))));
}

void Lettering::write_centered(image::Picture& picture, std::uint32_t left, std::uint32_t width, std::uint32_t top,
                               const std::u32string& text, std::uint32_t scale, Ink ink) const {
    const std::uint32_t used = this->width(text, scale);
    const std::uint32_t start = left + (used < width ? (width - used) / 2 : 0);
    if (!fonts_.empty()) {
        fonts_.write(picture, static_cast<float>(start), static_cast<float>(top), font_height(scale), text, ink);
        return;
    }
    for (const Quad& quad : quads_of(to_ascii(text))) {
        const auto column = [&](std::size_t corner) {
            return start + static_cast<std::uint32_t>(quad.corners[corner].x) * scale;
        };
        const auto row = [&](std::size_t corner) {
            return top + static_cast<std::uint32_t>(quad.corners[corner].y) * scale;
        };
        fill(picture, column(0), row(0), column(2), row(2), ink);
    }
}

}  // namespace effigy::app
