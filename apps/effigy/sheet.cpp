/// Cells, margins and names of a contact sheet.

#include "sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "short_names.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

/// Letters of two pixels a stroke, of one in small cells.
std::uint32_t scale_for(Size cell) noexcept { return cell.width >= 160 ? 2 : 1; }

std::uint32_t margin_for(Size cell) noexcept { return 4 * scale_for(cell); }

/// Pixels for a line of text.
std::uint32_t text_room(Size cell) noexcept {
    const std::uint32_t margins = 2 * margin_for(cell);
    return cell.width > margins ? cell.width - margins : cell.width;
}

/// Small letters for all if some label has no room otherwise.
std::uint32_t scale_of(const std::vector<std::u32string>& labels, const Lettering& lettering, Size cell) {
    const std::uint32_t usual = scale_for(cell), room = text_room(cell);
    const bool all_fit = std::all_of(labels.begin(), labels.end(), [&](const std::u32string& label) {
        return lettering.width(label, usual) <= room;
    });
    return all_fit ? usual : 1;
}

std::vector<std::u32string> letters_of_all(const std::vector<std::string>& labels) {
    constexpr std::size_t max_length = 4096;
    std::vector<std::u32string> all;
    for (const std::string& label : labels) all.push_back(letters_of(label).substr(0, max_length));
    return all;
}

std::uint32_t row_height(Size cell) noexcept { return cell.height + line_height(scale_for(cell)) + margin_for(cell); }

/// As few empty cells as a grid that is a little wider than high can have; up to four cells are one row.
std::size_t columns_for(std::size_t cells) noexcept {
    if (cells <= 4) return std::max<std::size_t>(cells, 1);
    const double square = std::sqrt(static_cast<double>(cells));
    const auto first = static_cast<std::size_t>(std::ceil(square));
    std::size_t best = first, least = cells;
    for (std::size_t columns = first; static_cast<double>(columns) <= 1.6 * square; ++columns) {
        const std::size_t empty = (cells + columns - 1) / columns * columns - cells;
        if (empty >= least) continue;
        least = empty;
        best = columns;
    }
    return best;
}

std::uint8_t to_byte(float part) noexcept {
    return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0F, 1.0F) * 255));
}

/// Readable on the background; on a transparent one, on white and black alike.
Ink ink_for(Color background) noexcept {
    if (background.a < 0.5F) return {128, 128, 128};
    const float light = 0.299F * background.r + 0.587F * background.g + 0.114F * background.b;
    return light > 0.5F ? Ink{48, 48, 48} : Ink{208, 208, 208};
}

}  // namespace

Size Sheet::size_of(std::size_t cells, Size cell) noexcept {
    const std::size_t columns = columns_for(cells);
    const std::size_t rows = (std::max<std::size_t>(cells, 1) + columns - 1) / columns;
    const auto side = [](std::size_t count, std::uint32_t each) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{count} * each, UINT32_MAX));
    };
    return {side(columns, cell.width), side(rows, row_height(cell))};
}

Sheet::Sheet(const std::vector<std::string>& labels, Size cell, Color background, bool plain)
    : cells_(labels.size()),
      cell_(cell),
      background_(background),
      labels_(letters_of_all(labels)),
      lettering_(labels_, plain),
      scale_(scale_of(labels_, lettering_, cell)) {
    const Size size = size_of(cells_, cell);
    picture_.width = size.width;
    picture_.height = size.height;
    picture_.rgba.resize(std::size_t{size.width} * size.height * 4);
    const std::array<std::uint8_t, 4> color{to_byte(background.r), to_byte(background.g), to_byte(background.b),
                                            to_byte(background.a)};
    for (std::size_t at = 0; at < picture_.rgba.size(); at += 4)
        std::memcpy(picture_.rgba.data() + at, color.data(), 4);
    labels_ = shortened(labels_,
                        [&](const std::u32string& text) { return lettering_.width(text, scale_) <= text_room(cell_); });
    for (std::size_t i = 0; i < cells_; ++i) write(i, cell.height, labels_[i]);
}

void Sheet::put(std::size_t cell, const image::Picture& picture) {
    const std::size_t row_bytes = std::size_t{cell_.width} * 4;
    for (std::uint32_t y = 0; y < cell_.height; ++y) {
        const std::size_t start = std::size_t{top_of(cell) + y} * picture_.width + left_of(cell);
        std::memcpy(picture_.rgba.data() + start * 4, picture.rgba.data() + y * row_bytes, row_bytes);
    }
}

void Sheet::put_word(std::size_t cell, const std::string& word) { write(cell, cell_.height / 2, letters_of(word)); }

std::uint32_t Sheet::left_of(std::size_t cell) const noexcept {
    return static_cast<std::uint32_t>(cell % columns_for(cells_)) * cell_.width;
}

std::uint32_t Sheet::top_of(std::size_t cell) const noexcept {
    return static_cast<std::uint32_t>(cell / columns_for(cells_)) * row_height(cell_);
}

void Sheet::write(std::size_t cell, std::uint32_t top, const std::u32string& text) {
    const std::uint32_t width = text_room(cell_);
    lettering_.write_centered(picture_, left_of(cell) + (cell_.width - width) / 2, width, top_of(cell) + top, text,
                              scale_, ink_for(background_));
}

}  // namespace effigy::app
