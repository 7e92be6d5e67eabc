#pragma once
/// One line of a .skin file.

#include <cstdint>
#include <string_view>

#include "x42/file/companion_text.hpp"

namespace effigy::x42 {

enum class SkinLine : std::uint8_t {
    surface,    ///< surface and shader
    tag,        ///< a tag, which has no shader
    no_shader,  ///< a surface without a shader
    unknown,
};

struct ParsedSkinLine {
    SkinLine kind = SkinLine::unknown;
    std::string_view surface, shader;
    bool has_comma = false;
    bool has_more = false;  ///< words that mean nothing
};

[[nodiscard]] ParsedSkinLine parse_skin_line(const TextLine& line) noexcept;

/// By the name: "tag_weapon".
[[nodiscard]] bool is_tag(std::string_view surface) noexcept;

}  // namespace effigy::x42
