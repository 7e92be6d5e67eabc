#pragma once
/// Words on the command line that say how a picture is taken.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "effigy/render.hpp"

namespace effigy::app {

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// "512" or "400x300", each side 1 to 16384.
[[nodiscard]] std::optional<Size> parse_size(const std::string& text);
/// "front", "back" ... or "YAW,PITCH" in degrees.
[[nodiscard]] std::optional<render::View> parse_view(const std::string& text);
/// "none", "white", "black", "#rrggbb" or "#rrggbbaa".
[[nodiscard]] std::optional<Color> parse_background(const std::string& text);

/// "front, side ...": what --view knows.
[[nodiscard]] std::string view_names(std::string_view between = ", ");
/// One that is known by that name.
[[nodiscard]] render::View named_view(const std::string& name);

}  // namespace effigy::app
