#pragma once
/// Which names in a material's texture slots stand for no texture.

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text.hpp"

namespace effigy::emfx {

/// Exporters leave the name empty; the games have black pictures of some of these names.
[[nodiscard]] inline bool is_no_texture(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"", "none", "nospec", "standinspec", "test256texture"};
    return std::find(names.begin(), names.end(), lower(name.substr(0, 32))) != names.end();
}

}  // namespace effigy::emfx
