/// Plurals, lower case, sizes with units, code pages, and text without control characters.

#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iconv.h>

namespace effigy::app {

namespace {

std::string bytes_of_base64(std::string_view base64) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char letter : base64) {
        const std::size_t digit = digits.find(letter);
        if (digit == std::string_view::npos) break;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xffu);
    }
    return bytes;
}

// What iconv_open() returns when it fails.
iconv_t no_converter() { return reinterpret_cast<iconv_t>(-1); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

std::string counted(std::uint64_t count, const std::string& noun) {
    if (count == 1) return "1 " + noun;
    return std::to_string(count) + " " + (noun.ends_with("sh") ? noun + "es" : noun + "s");
}

std::string lower(std::string text) {
    for (char& letter : text) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return text;
}

std::string without_controls(std::string_view text) {
    std::string tame(text);
    for (char& letter : tame) {
        const bool obeyed =
            (static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t') || letter == 0x7f;
        if (obeyed) letter = '?';
    }
    return tame;
}

std::string on_one_line(std::string_view text) {
    std::string line = without_controls(text);
    std::replace(line.begin(), line.end(), '\n', '?');
    return line;
}

std::u32string letters_of(std::string_view text) {
    std::u32string letters;
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at++]);
        const unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
        char32_t letter = more == 0 ? first : first & (0x3fU >> more);
        unsigned read = 0;
        for (; read < more && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80; ++read)
            letter = letter << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
        const bool is_whole = read == more && (more != 0 || first < 0x80) && letter <= 0x10ffff;
        letters += is_whole ? letter : U'\ufffd';
    }
    return letters;
}

std::string padded(std::string text, std::size_t width) {
    const std::size_t letters = letters_of(text).size();
    return letters < width ? text.append(width - letters, ' ') : text;
}

std::string fitting(std::string text, std::size_t columns) {
    if (text.size() <= columns) return text;
    const auto continues = [&] { return (static_cast<unsigned char>(text[columns]) & 0xc0U) == 0x80; };
    while (columns > 0 && continues()) --columns;
    return text.substr(0, columns);
}

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1024) return counted(bytes, "byte");
    constexpr std::array<const char*, 4> units{"KB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, units[unit]);
    return text.data();
}

std::string text_of_base64(std::string_view base64, const std::string& encoding) {
    std::string bytes = bytes_of_base64(base64);
    const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
    if (converter == no_converter()) return std::string(base64);
    std::string text(bytes.size() * 4 + 4, '\0');
    char* from = bytes.data();
    char* to = text.data();
    std::size_t left = bytes.size(), room = text.size();
    while (left != 0 && iconv(converter, &from, &left, &to, &room) == static_cast<std::size_t>(-1) && left != 0 &&
           room != 0) {
        *to++ = '?';
        ++from;
        --left;
        --room;
    }
    iconv_close(converter);
    text.resize(text.size() - room);
    return text;
}

}  // namespace effigy::app
