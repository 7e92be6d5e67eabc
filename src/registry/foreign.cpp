/// Relatives of the known formats, recognised by content or extension, with what can be done about them.

#include "registry/foreign.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/text.hpp"

namespace effigy {

namespace {

struct Relative {
    std::string_view magic;
    std::string_view answer;
};

constexpr Relative relatives[] = {
    {"ACTR",
     "this is a Lumberyard or O3DE actor (.actor), a later EMotion FX format that effigy does not read; O3DE's editor "
     "opens it"},
    {"MOT ",
     "this is a Lumberyard or O3DE motion (.motion), a later EMotion FX format that effigy does not read; O3DE's "
     "editor opens it"},
    {"MOTW", "this is a Lumberyard wavelet motion (.motion), a later EMotion FX format that effigy does not read"},
    {"FXA ", "this is a Gothic 3 actor, an older EMotion FX format (FXA) that effigy does not read"},
    {"LMA ", "this is a Gothic 3 motion, an older EMotion FX format (LMA) that effigy does not read"},
    {"GENOMFLE", "this is a Gothic 3 container (GENOMFLE); the older EMotion FX formats in it are not supported"},
    {"XMF_", "this is an eXtensible Music Format file (.xmf), which is music and no mesh"},
    {"Kaydara FBX Binary", "this is an FBX file, which effigy does not read; Blender and Assimp do"},
    {"DDS ", "this is a DDS texture; name its folder with --textures when you convert a model"},
    {"\x1f\x8b",
     "this is a gzip file, as the games' textures (.gz) are; name the game's folder with --game, or its own with "
     "--textures, when you convert a model"},
    {"\x89PNG", "this is a PNG image; name its folder with --textures when you convert a model"},
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower_extension(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return lower(dot == std::string_view::npos ? "" : name.substr(dot + 1));
}

/// What belongs to signing avatars without being one.
std::string_view of_signing_tools(std::string_view text) {
    if (contains(text, "<sigml") || contains(text, "<hamgestural_sign"))
        return "this is SiGML, which says what signs there are and not how an avatar moves; a signing player such as "
               "CWASA or JASigning computes CAS from it, and that effigy converts";
    if (contains(text, "<avatarStaticData") || contains(text, "<nonmanuals") || contains(text, "animgen config"))
        return "this file goes with a signing avatar and is read with it: name the avatar's .jar, or the "
               "avatardef.jarp beside this file";
    if (contains(text, "\"skelBones\"") || contains(text, "\"meshPoints\""))
        return "this is a signing avatar as JSON, which effigy does not read; take the avatar's .jar or .jarp";
    return {};
}

}  // namespace

std::string foreign_relative(std::span<const std::byte> head, std::string_view name) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    for (const Relative& relative : relatives) {
        if (text.starts_with(relative.magic)) return std::string(relative.answer);
    }
    if (const std::string_view answer = of_signing_tools(text.substr(0, 1024)); !answer.empty())
        return std::string(answer);
    if (contains(text.substr(0, 1024), "FXA "))
        return "this looks like a Gothic 3 actor: an older EMotion FX format (FXA) that effigy does not read";
    if (!jolt_shape(head, name).empty())
        return "this is a collision shape that X4 bakes for its physics (.jcs); effigy names it, and reads the .xmf "
               "beside it";
    const bool xml = text.starts_with("<?xml") || text.starts_with("\xef\xbb\xbf<?xml") || text.starts_with("<");
    if (lower_extension(name) == "xmf" && xml)
        return "this is an Adobe XML file that happens to be called .xmf, and no mesh";
    if (lower_extension(name) == "xml" && xml)
        return "this is an XML file, but no component, material library, index, macros or CAS motion, which effigy "
               "reads";
    return {};
}

std::string_view jolt_shape(std::span<const std::byte> head, std::string_view name) noexcept {
    constexpr std::size_t kind_offset = 4;
    if (head.size() <= kind_offset || lower_extension(name) != "jcs") return {};
    const bool starts_with_zero =
        std::all_of(head.begin(), head.begin() + kind_offset, [](std::byte byte) { return byte == std::byte{0}; });
    if (!starts_with_zero) return {};
    switch (std::to_integer<unsigned>(head[kind_offset])) {
        case 6:
            return "hull";
        case 7:
            return "compound";
        case 12:
            return "mesh";
        default:
            return {};
    }
}

bool looks_like_ticks(std::span<const std::byte> head) noexcept {
    constexpr std::size_t header_size = 8, tick_size = 6;
    std::int32_t marker = 0;
    std::uint32_t count = 0;
    if (head.size() < header_size) return false;
    std::memcpy(&marker, head.data(), sizeof marker);
    std::memcpy(&count, head.data() + sizeof marker, sizeof count);
    const std::uint64_t size = header_size + std::uint64_t{count} * tick_size;
    // The head may be cut off, so a long list is only known to start like one.
    return marker == -1 && (size == head.size() || (head.size() == 4096 && size > head.size()));
}

}  // namespace effigy
