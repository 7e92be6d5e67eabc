#pragma once
/// Strings from files: compared without regard to case, cut for messages, and shown as UTF-8 whatever their code page.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace effigy {

/// ASCII only: bytes beyond it stand for themselves, so that no locale plays a part.
[[nodiscard]] constexpr char lower(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
/// A path with slashes for backslashes, and none at its end.
[[nodiscard]] inline std::string path_with_slashes(std::string path) {
    for (char& letter : path) letter = letter == '\\' ? '/' : letter;
    while (path.ends_with('/')) path.pop_back();
    return path;
}
[[nodiscard]] inline std::string lower(std::string_view text) {
    std::string result(text);
    for (char& letter : result) letter = lower(letter);
    return result;
}

/// A letter or a digit of ASCII.
[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}
[[nodiscard]] constexpr bool is_ascii(std::string_view text) noexcept {
    for (const char c : text) {
        if (static_cast<signed char>(c) < 0) return false;
    }
    return true;
}
/// For names of files: letters and digits of ASCII and those of `others` stay, every other character of UTF-8 becomes
/// "_".
[[nodiscard]] inline std::string plain_text(std::string_view text, std::string_view others) {
    std::string plain;
    bool follows_byte = false;  // of a character that has several
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool goes_on = follows_byte && (byte & 0xc0U) == 0x80U;
        const bool stays = is_alphanumeric(c) || others.find(c) != std::string_view::npos;
        if (!goes_on) plain += stays ? c : '_';
        follows_byte = byte >= 0x80U;
    }
    return plain;
}

[[nodiscard]] constexpr bool contains(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// "front, side": what `name` makes of each, or what it says itself.
template <class Range, class Name = std::identity>
[[nodiscard]] std::string joined(const Range& range, std::string_view between = ", ", Name&& name = {}) {
    std::string text;
    for (const auto& one : range) {
        if (!text.empty()) text += between;
        text += std::invoke(name, one);
    }
    return text;
}

/// All of a text as a number; nothing if it is none, or none of that type.
template <class Number>
[[nodiscard]] std::optional<Number> number_from(std::string_view text) noexcept {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// What a field of fixed size says: up to its first zero, or all of it.
template <std::size_t size>
[[nodiscard]] std::string_view up_to_nul(const std::array<char, size>& field) noexcept {
    return {field.data(), static_cast<std::size_t>(std::find(field.begin(), field.end(), '\0') - field.begin())};
}

[[nodiscard]] constexpr std::string_view up_to_nul(std::string_view text) noexcept {
    return text.substr(0, text.find('\0'));
}

/// The start of a text of at most so many bytes, not ending within a character of UTF-8.
[[nodiscard]] std::string_view cut(std::string_view text, std::size_t most) noexcept;
/// For messages: at most so many bytes of what may be megabytes, and dots for the rest.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most = 80);

/// "meshes[3]"
[[nodiscard]] inline std::string element_path(std::string_view list, std::uint64_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

/// The shortest decimal that is read back as the same float, or "nan" and the like.
[[nodiscard]] std::string number_text(double value);

/// Whether the system can decode `encoding` (a name as iconv takes it).
[[nodiscard]] bool is_known_encoding(const std::string& encoding) noexcept;

/// Valid UTF-8 stays as it is; everything else is decoded from `encoding`. Bytes that mean nothing there, or that are
/// not ASCII where the encoding is unknown, become U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view raw, const std::string& encoding);

}  // namespace effigy
