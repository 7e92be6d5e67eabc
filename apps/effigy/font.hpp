#pragma once
/// TrueType and OpenType fonts of this machine, for names on pictures.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "effigy/image.hpp"

namespace effigy::app {

/// Fonts in the order in which letters are looked for in them.
class Fonts {
public:
    Fonts();
    ~Fonts();
    Fonts(Fonts&&) noexcept;
    Fonts& operator=(Fonts&&) noexcept;

    /// The usual fonts of distributions that this machine has: the first, and others as long as letters are missing.
    [[nodiscard]] static Fonts find(const std::vector<std::u32string>& texts);
    [[nodiscard]] bool empty() const noexcept { return fonts_.empty(); }
    /// In pixels, where a line is `height` of them high.
    [[nodiscard]] float width(const std::u32string& text, float height) const;
    /// Letter after letter from left to right, without the shaping that some scripts want; blended with what is there.
    void write(image::Picture& picture, float left, float top, float height, const std::u32string& text,
               const std::array<std::uint8_t, 3>& ink) const;

private:
    struct Font;
    struct Glyph {
        const Font* font;
        int index;
    };
    [[nodiscard]] Glyph glyph(char32_t letter) const;
    [[nodiscard]] bool has(const std::vector<std::u32string>& texts) const;

    std::vector<std::unique_ptr<Font>> fonts_;
};

}  // namespace effigy::app
