/// Normal maps in alpha and green, recognised and spread to all channels.

#include "alpha_green.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace effigy::image {

bool looks_like_alpha_green(const Picture& picture) {
    const Bytes& rgba = picture.rgba;
    bool alpha_varies = false;
    for (std::size_t i = 4; i < rgba.size(); i += 4) {
        if (rgba[i] != rgba[0]) return false;
        alpha_varies = alpha_varies || rgba[i + 3] != rgba[3];
    }
    return alpha_varies;
}

void spread_alpha_green(Picture& picture) {
    const auto as_float = [](std::byte value) { return static_cast<float>(value) / 127.5F - 1; };
    Bytes& rgba = picture.rgba;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const float x = as_float(rgba[i + 3]);
        const float y = as_float(rgba[i + 1]);
        const float z = std::sqrt(std::max(0.0F, 1 - x * x - y * y));
        rgba[i] = rgba[i + 3];
        rgba[i + 2] = static_cast<std::byte>(std::lround((z + 1) * 127.5F));
        rgba[i + 3] = std::byte{255};
    }
    picture.has_alpha = false;
}

}  // namespace effigy::image
