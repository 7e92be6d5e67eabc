#pragma once
/// How long a unit of an avatar is.

#include <cmath>

#include "effigy/arp.hpp"

#include "arp/file/layout_elements.hpp"

namespace effigy::arp {

/// Before version 3, whatever the volume says. Versions that are none count as the newest, as in usual_layout().
[[nodiscard]] inline bool is_in_inches(const File& file) noexcept {
    const unsigned number = version_number(file.version);
    return number != 0 && number < 300;
}

/// In units of the file; 0 where the volume has no height.
[[nodiscard]] inline double volume_height(const File& file) noexcept {
    const double height = double{file.volume_high.y} - double{file.volume_low.y};
    return std::isfinite(height) && height > 0 ? height : 0;
}

/// From version 3 on, an avatar's volume is 1.8 m high. 1 where it has no height.
[[nodiscard]] inline double metres_per_unit(const File& file) noexcept {
    constexpr double height_in_metres = 1.8, inches_per_metre = 39.37;
    if (is_in_inches(file)) return 1 / inches_per_metre;
    const double height = volume_height(file);
    return height > 0 ? height_in_metres / height : 1;
}

}  // namespace effigy::arp
