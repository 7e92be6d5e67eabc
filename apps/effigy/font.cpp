/// Loads TrueType and OpenType fonts and draws their glyphs.

#include "font.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_truetype.h>

namespace effigy::app {

namespace {

namespace fs = std::filesystem;

/// Readable ones first, then those that have the letters of Asia. Only the system's own folders are looked into:
/// stb_truetype trusts what it reads.
constexpr std::array<std::string_view, 9> file_names{
    "DejaVuSans.ttf",   "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf",    "FreeSans.ttf", "Arimo-Regular.ttf",
    "wqy-microhei.ttc", "DroidSansFallbackFull.ttf",  "NotoSansCJK-Regular.ttc", "unifont.ttf"};
constexpr std::array<const char*, 2> font_folders{"/usr/share/fonts", "/usr/local/share/fonts"};

/// In the order of the names.
std::vector<fs::path> font_files() {
    std::array<fs::path, file_names.size()> found;
    for (const char* folder : font_folders) {
        std::error_code error;
        fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            const auto* const known = std::find(file_names.begin(), file_names.end(), name);
            if (known != file_names.end()) found[static_cast<std::size_t>(known - file_names.begin())] = entry->path();
        }
    }
    std::vector<fs::path> files;
    std::copy_if(found.begin(), found.end(), std::back_inserter(files),
                 [](const fs::path& file) { return !file.empty(); });
    return files;
}

void blend(std::byte* pixel, const std::array<std::uint8_t, 3>& ink, float opacity) {
    const float below = static_cast<float>(pixel[3]) / 255 * (1 - opacity), alpha = opacity + below;
    if (alpha <= 0) return;
    for (std::size_t i = 0; i < 3; ++i) {
        const float mixed = (static_cast<float>(ink[i]) * opacity + static_cast<float>(pixel[i]) * below) / alpha;
        pixel[i] = static_cast<std::byte>(std::lround(mixed));
    }
    pixel[3] = static_cast<std::byte>(std::lround(alpha * 255));
}

}  // namespace

struct Fonts::Font {
    std::string bytes;
    stbtt_fontinfo info{};
    int ascent = 0;

    [[nodiscard]] static std::unique_ptr<Font> open(const fs::path& file) {
        auto font = std::make_unique<Font>();
        std::ifstream stream(file, std::ios::binary);
        font->bytes.assign(std::istreambuf_iterator<char>(stream), {});
        if (font->bytes.size() < 12) return nullptr;
        const auto* const data = reinterpret_cast<const unsigned char*>(font->bytes.data());
        const int start = stbtt_GetFontOffsetForIndex(data, 0);
        if (start < 0 || stbtt_InitFont(&font->info, data, start) == 0) return nullptr;
        int descent = 0, gap = 0;
        stbtt_GetFontVMetrics(&font->info, &font->ascent, &descent, &gap);
        return font;
    }
    [[nodiscard]] float scale(float height) const { return stbtt_ScaleForPixelHeight(&info, height); }
    [[nodiscard]] float advance(int glyph) const {
        int width = 0, bearing = 0;
        stbtt_GetGlyphHMetrics(&info, glyph, &width, &bearing);
        return static_cast<float>(width);
    }
};

Fonts::Fonts() = default;
Fonts::~Fonts() = default;
Fonts::Fonts(Fonts&&) noexcept = default;
Fonts& Fonts::operator=(Fonts&&) noexcept = default;

Fonts Fonts::find(const std::vector<std::u32string>& texts) {
    Fonts fonts;
    for (const fs::path& file : font_files()) {
        if (auto font = Font::open(file)) fonts.fonts_.push_back(std::move(font));
        if (!fonts.empty() && fonts.has(texts)) break;
    }
    return fonts;
}

Fonts::Glyph Fonts::glyph(char32_t letter) const {
    for (const auto& font : fonts_) {
        const int index = stbtt_FindGlyphIndex(&font->info, static_cast<int>(letter));
        if (index != 0) return {font.get(), index};
    }
    return {fonts_.front().get(), 0};  // a box that stands for what is missing
}

bool Fonts::has(const std::vector<std::u32string>& texts) const {
    return std::all_of(texts.begin(), texts.end(), [&](const std::u32string& text) {
        return std::all_of(text.begin(), text.end(), [&](char32_t letter) { return glyph(letter).index != 0; });
    });
}

float Fonts::width(const std::u32string& text, float height) const {
    float width = 0;
    for (const char32_t letter : text) {
        const auto [font, index] = glyph(letter);
        width += font->advance(index) * font->scale(height);
    }
    return width;
}

void Fonts::write(image::Picture& picture, float left, float top, float height, const std::u32string& text,
                  const std::array<std::uint8_t, 3>& ink) const {
    std::vector<unsigned char> covered;
    for (const char32_t letter : text) {
        const auto [font, index] = glyph(letter);
        const float scale = font->scale(height), shift = left - std::floor(left);
        int x = 0, y = 0, right = 0, bottom = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&font->info, index, scale, scale, shift, 0, &x, &y, &right, &bottom);
        const int columns = right - x, rows = bottom - y;
        covered.assign(static_cast<std::size_t>(std::max(columns * rows, 0)), 0);
        if (!covered.empty())
            stbtt_MakeGlyphBitmapSubpixel(&font->info, covered.data(), columns, rows, columns, scale, scale, shift, 0,
                                          index);
        const auto first_x = static_cast<std::int64_t>(std::floor(left)) + x;
        const auto first_y = std::lround(top + static_cast<float>(font->ascent) * scale) + y;
        for (std::size_t i = 0; i < covered.size(); ++i) {
            const std::int64_t column = first_x + static_cast<std::int64_t>(i) % columns;
            const std::int64_t row = first_y + static_cast<std::int64_t>(i) / columns;
            if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
            const auto at = static_cast<std::size_t>(row) * picture.width + static_cast<std::size_t>(column);
            blend(picture.rgba.data() + at * 4, ink, static_cast<float>(covered[i]) / 255);
        }
        left += font->advance(index) * scale;
    }
}

}  // namespace effigy::app
