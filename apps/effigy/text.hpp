#pragma once
/// Text for people: numbers with their nouns, sizes, strings of old code pages.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace effigy::app {

/// "1 file", "2 files"; `noun` is the singular.
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& noun);

/// "front, side"
template <class Words, class Name = std::identity>
[[nodiscard]] std::string joined(const Words& words, std::string_view between = ", ", Name&& name = {}) {
    std::string text;
    for (const auto& word : words) {
        if (!text.empty()) text += between;
        text += name(word);
    }
    return text;
}

/// ASCII only.
[[nodiscard]] std::string lower(std::string text);

/// Letters of UTF-8; what is none becomes U+FFFD.
[[nodiscard]] std::u32string letters_of(std::string_view text);

/// For tables: followed by blanks until it has so many letters.
[[nodiscard]] std::string padded(std::string text, std::size_t width);

/// Names come from anywhere, and a terminal would obey what they tell it: control characters become '?'.
[[nodiscard]] std::string without_controls(std::string_view text);
/// Breaks of lines as well: what is said of a file stays one line, however the file is called.
[[nodiscard]] std::string on_one_line(std::string_view text);

/// The start of a text for so many columns, with whole letters: none takes more columns than bytes.
[[nodiscard]] std::string fitting(std::string text, std::size_t columns);

/// "812 bytes", "14.2 KB", "3.1 MB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// The bytes behind base64 in a dump, decoded from a code page; what means nothing there becomes '?'.
[[nodiscard]] std::string text_of_base64(std::string_view base64, const std::string& encoding);

}  // namespace effigy::app
