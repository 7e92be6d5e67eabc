#pragma once
/// Which parts of a picture can show anything.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "effigy/bytes.hpp"

#include "geometry.hpp"
#include "projection.hpp"

namespace effigy::render {

/// Pixels on each side of a tile, the unit of work.
inline constexpr std::uint32_t tile_size = 16;

/// The screen's place of each vertex.
[[nodiscard]] Bulk<ScreenPoint> project_all(const Geometry& geometry, const Projection& projection);

/// Tiles that some triangle may touch.
class Coverage {
public:
    Coverage(const Geometry& geometry, const Bulk<ScreenPoint>& screen, std::uint32_t width, std::uint32_t height);
    [[nodiscard]] bool at(std::uint32_t tile_x, std::uint32_t tile_y) const noexcept {
        return touched_[std::size_t{tile_y} * columns_ + tile_x];
    }

private:
    std::uint32_t columns_;
    std::vector<bool> touched_;
};

}  // namespace effigy::render
