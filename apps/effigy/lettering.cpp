#include "lettering.hpp"

#include <cstddef>
#include <cstring>
#include <stb/stb_easy_font.h>
#include <vector>

namespace effigy::app {

namespace {

/// stb_easy_font has letters of one height.
constexpr std::uint32_t letter_height = 9;

std::uint32_t text_width(std::string text, std::uint32_t scale) {
    return static_cast<std::uint32_t>(stb_easy_font_width(text.data())) * scale;
}

std::string to_ascii(const std::string& text) {
    std::string ascii;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if ((byte & 0xc0U) == 0x80U) continue;  // the rest of a letter that has its '?' already
        ascii += byte >= 0x20 && byte < 0x7f ? letter : '?';
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

}  // namespace

std::uint32_t text_height(std::uint32_t scale) noexcept { return letter_height * scale; }

std::string fit_text(const std::string& text, std::uint32_t width, std::uint32_t scale) {
    std::string ascii = to_ascii(text.substr(0, 4096));
    if (text_width(ascii, scale) <= width) return ascii;
    for (std::size_t kept = ascii.size() - 1; kept > 0; --kept) {
        const std::size_t head = (kept + 1) / 2;
        std::string shorter = ascii.substr(0, head) + "..." + ascii.substr(ascii.size() - (kept - head));
        if (text_width(shorter, scale) <= width) return shorter;
    }
    return {};
}

void write_centered(image::Picture& picture, std::uint32_t left, std::uint32_t width, std::uint32_t top,
                    const std::string& text, std::uint32_t scale, Ink ink) {
    const std::uint32_t used = text_width(text, scale);
    const std::uint32_t start = left + (used < width ? (width - used) / 2 : 0);
    for (const Quad& quad : quads_of(text)) {
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
