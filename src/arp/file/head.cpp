/// The version string that ARP files begin with: recognised by content, in the forms that are known to occur.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "effigy/arp_codes.hpp"
#include "effigy/core_codes.hpp"

#include "arp/file/formats.hpp"
#include "arp/file/variants.hpp"
#include "core/problem.hpp"

namespace effigy::arp {

namespace {

constexpr bool is_version_letter(char letter) noexcept { return (letter >= '0' && letter <= '9') || letter == '.'; }

std::string_view text_from(std::span<const std::byte> bytes, std::size_t begin) noexcept {
    if (begin >= bytes.size()) return {};
    return {reinterpret_cast<const char*>(bytes.data()) + begin, bytes.size() - begin};
}

/// The version of `size` letters at `begin`: digits and dots, the first a digit.
std::optional<std::string_view> version_at(std::span<const std::byte> head, std::size_t begin,
                                           std::uint32_t size) noexcept {
    if (size == 0 || size > max_version || begin + size > head.size()) return std::nullopt;
    const std::string_view text = text_from(head, begin).substr(0, size);
    const bool is_version = text.front() != '.' && std::all_of(text.begin(), text.end(), is_version_letter);
    return is_version ? std::optional(text) : std::nullopt;
}

/// A number of `width` bytes at the start, the last byte first or the other way round.
std::uint32_t length_at(std::span<const std::byte> head, std::size_t width, bool big_endian) noexcept {
    std::uint32_t length = 0;
    for (std::size_t index = 0; index < width && index < head.size(); ++index) {
        const std::size_t place = big_endian ? index : width - 1 - index;
        if (place < head.size()) length = length << 8 | std::to_integer<std::uint32_t>(head[place]);
    }
    return length;
}

std::optional<std::string_view> usual_version(std::span<const std::byte> head) noexcept {
    return head.size() < 4 ? std::nullopt : version_at(head, 4, length_at(head, 4, false));
}

/// Digit, dot, digit: what all versions that were ever seen begin with.
bool is_surely_version(std::optional<std::string_view> text) noexcept {
    return text && text->size() >= 3 && (*text)[1] == '.' && (*text)[2] != '.';
}

/// How the version would have to be read, in ways that no avatar is known to be stored.
const char* other_form(std::span<const std::byte> head) noexcept {
    if (head.size() < 4) return nullptr;
    if (is_surely_version(version_at(head, 4, length_at(head, 4, true)))) return "big-endian numbers";
    if (is_surely_version(version_at(head, 2, length_at(head, 2, true))))
        return "16-bit lengths of strings, as Java writes them";
    if (is_surely_version(version_at(head, 1, length_at(head, 1, false)))) return "lengths of strings in 7-bit pieces";
    const std::string_view text = text_from(head, 0);
    const auto end = static_cast<std::uint32_t>(std::min(text.find('\0'), text.size()));
    if (end < text.size() && is_surely_version(version_at(head, 0, end))) return "strings that end with a zero";
    return nullptr;
}

Diagnostic at_start(Diagnostic diagnostic, std::size_t size) {
    diagnostic.offset = 0;
    diagnostic.length = size;
    return diagnostic;
}

}  // namespace

Result<std::string> read_version(std::span<const std::byte> head) {
    const auto version = usual_version(head);
    if (version && version_number(*version) != 0) return std::string(*version);
    if (version) {
        return fail(at_start(problem_at("version", codes::input_version,
                                        "avatars of this version were never published, and how they are laid out is "
                                        "not known; save it again as version 3.1 with the program that it is from",
                                        std::string(*version), "2.0 to 3.1"),
                             4 + version->size()));
    }
    if (const char* form = other_form(head)) {
        return fail(at_start(problem_at("version", codes::arp_string_form,
                                        "the file begins with an avatar's version, but is stored in a way that no "
                                        "known program writes; save it again with the program that it is from",
                                        form, "a little-endian 32-bit length before each string"),
                             std::min<std::size_t>(head.size(), 8)));
    }
    return fail(at_start(
        problem_at("version", codes::not_this_format, "the file does not begin with a version, as every avatar does",
                   {}, "a length and digits: 03 00 00 00 \"3.1\""),
        std::min<std::size_t>(head.size(), 4)));
}

bool looks_like_avatar(std::span<const std::byte> head) noexcept {
    head = head.first(std::min(head.size(), max_head));
    return usual_version(head).has_value() || is_surely_version(version_at(head, 4, length_at(head, 4, true)));
}

}  // namespace effigy::arp
