/// Which tiles of the picture have triangles in them.

#include "coverage.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace effigy::render {
namespace {

struct Range {
    std::uint32_t first, end;
};

/// Tiles from the least to the greatest of three coordinates, and a pixel more for rounding.
Range tiles(std::array<float, 3> values, std::uint32_t tile_count) noexcept {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const auto most = static_cast<float>(tile_count * tile_size);
    const auto tile = [&](float value) {
        return std::min(static_cast<std::uint32_t>(std::clamp(value, 0.0f, most)) / tile_size, tile_count - 1);
    };
    if (!(*high + 1 >= 0 && *low - 1 <= most)) return {0, 0};
    return {tile(*low - 1), tile(*high + 1) + 1};
}

}  // namespace

Bulk<ScreenPoint> project_all(const Geometry& geometry, const Projection& projection) {
    Bulk<ScreenPoint> screen(geometry.vertex_count());
    for (std::size_t i = 0; i < screen.size(); ++i) screen[i] = projection.project(geometry.positions[i]);
    return screen;
}

Coverage::Coverage(const Geometry& geometry, const Bulk<ScreenPoint>& screen, std::uint32_t width, std::uint32_t height)
    : columns_((width + tile_size - 1) / tile_size) {
    const std::uint32_t rows = (height + tile_size - 1) / tile_size;
    // Rectangles are noted at their corners and summed up at the end, so that large ones cost no more than small ones.
    const std::size_t pitch = columns_ + std::size_t{1};
    std::vector<std::int64_t> sums(pitch * (rows + std::size_t{1}));
    for (const Triangle& triangle : geometry.triangles) {
        const std::array<ScreenPoint, 3> p{screen[triangle.a], screen[triangle.b], screen[triangle.c]};
        Range x{0, columns_};
        Range y{0, rows};
        const bool is_placed = std::all_of(p.begin(), p.end(), [](const ScreenPoint& corner) {
            return corner.depth > 0 && std::isfinite(corner.x) && std::isfinite(corner.y);
        });
        if (is_placed) {
            x = tiles({p[0].x, p[1].x, p[2].x}, columns_);
            y = tiles({p[0].y, p[1].y, p[2].y}, rows);
        } else if (std::all_of(p.begin(), p.end(), [](const ScreenPoint& corner) { return corner.depth < 0; })) {
            continue;
        }
        ++sums[y.first * pitch + x.first];
        --sums[y.first * pitch + x.end];
        --sums[y.end * pitch + x.first];
        ++sums[y.end * pitch + x.end];
    }
    touched_.resize(std::size_t{columns_} * rows);
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns_; ++x) {
            std::int64_t& sum = sums[y * pitch + x];
            if (x != 0) sum += sums[y * pitch + x - 1];
            if (y != 0) sum += sums[(y - 1) * pitch + x];
            if (x != 0 && y != 0) sum -= sums[(y - 1) * pitch + x - 1];
            touched_[y * columns_ + x] = sum > 0;
        }
    }
}

}  // namespace effigy::render
