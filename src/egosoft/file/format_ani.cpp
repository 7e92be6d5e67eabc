/// ANI's row in the registry.

#include <array>
#include <cstring>

#include "core/text.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::array<std::string_view, 1> ani_extensions{"ani"};
constexpr FormatInfo ani_format{"ani",          "Egosoft animation",
                                "egosoft",      Role::motion,
                                ani_extensions, "1, as X Rebirth and X4 have it",
                                true,           true,
                                true,           true};

bool ends_in_ani(std::string_view name) noexcept {
    return name.size() >= 4 && lower(name.substr(name.size() - 4)) == ".ani";
}

/// A name with its end in the first 64 bytes, of printable characters.
bool is_name(std::span<const std::byte> field) noexcept {
    for (const std::byte letter : field) {
        if (letter == std::byte{0}) return true;
        if (letter < std::byte{0x20} || letter == std::byte{0x7f}) return false;
    }
    return false;
}

}  // namespace

const FormatInfo& AniFormat::format() { return ani_format; }

Report AniFormat::check(const ani::File& file, const CheckContext&) { return ani::check(file); }

/// There is no magic: version 1 and keys behind the table, or the name of the file together with a plausible header.
bool looks_like_ani(std::span<const std::byte> head, std::string_view name) noexcept {
    std::array<std::uint32_t, 4> words{};  // animations, offset of the keys, version, 0
    if (head.size() < sizeof words) return false;
    std::memcpy(words.data(), head.data(), sizeof words);
    constexpr std::uint64_t header = 16, descriptor = 160, field = 64;
    if (ends_in_ani(name) && words[2] == 1) return true;
    if (words[0] == 0) return head.size() == header && words[2] == 1 && words[1] <= header && words[3] == 0;
    if (words[1] != header + descriptor * words[0] || head.size() < header + descriptor) return false;
    if (!ends_in_ani(name) && (words[2] != 1 || words[3] != 0)) return false;
    return is_name(head.subspan(header, field)) && is_name(head.subspan(header + field, field));
}

}  // namespace effigy::egosoft
