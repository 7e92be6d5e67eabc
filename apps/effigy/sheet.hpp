#pragma once
/// Several pictures in one, in rows, with their names under them.

#include <cstddef>
#include <string>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/math.hpp"

#include "lettering.hpp"
#include "picture_options.hpp"

namespace effigy::app {

class Sheet {
public:
    /// The size of the sheet that this many cells of this size make.
    [[nodiscard]] static Size size_of(std::size_t cells, Size cell) noexcept;

    /// A cell for each label. `plain`: in built-in letters, which are the same everywhere.
    Sheet(const std::vector<std::string>& labels, Size cell, Color background, bool plain);

    /// A picture of the cell's size.
    void put(std::size_t cell, const image::Picture& picture);
    /// A word in place of a picture.
    void put_word(std::size_t cell, const std::string& word);
    [[nodiscard]] const image::Picture& picture() const noexcept { return picture_; }

private:
    [[nodiscard]] std::uint32_t left_of(std::size_t cell) const noexcept;
    [[nodiscard]] std::uint32_t top_of(std::size_t cell) const noexcept;
    void write(std::size_t cell, std::uint32_t top, const std::u32string& text);

    std::size_t cells_;
    Size cell_;
    Color background_;
    std::vector<std::u32string> labels_;
    Lettering lettering_;
    std::uint32_t scale_;  ///< of the letters
    image::Picture picture_;
};

}  // namespace effigy::app
