/// A frame drawn in bands and tiles by several threads.

#include "draw.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "effigy/playback_codes.hpp"

#include "light.hpp"
#include "problem.hpp"
#include "projection.hpp"
#include "threads.hpp"
#include "tile.hpp"

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

namespace {

constexpr std::uint32_t max_side = 16384;
/// A picture of the largest size with the usual samples, and somewhat more.
constexpr std::uint64_t max_rays = std::uint64_t{1} << 33;
/// More show nothing new, and their places in a pixel take memory.
constexpr std::uint64_t max_samples_of_a_pixel = 1U << 16;
/// Rays' findings take 64 bytes a pixel, so a large picture is made in bands of about this many.
constexpr std::uint32_t band_pixels = 1U << 20;

Result<void> check(const Options& options) {
    const auto size = [](std::uint32_t width, std::uint32_t height) {
        return std::to_string(width) + " x " + std::to_string(height);
    };
    const bool is_sized =
        options.width >= 1 && options.width <= max_side && options.height >= 1 && options.height <= max_side;
    if (!is_sized) {
        return fail(problem(codes::render_options, "a picture of this size cannot be drawn",
                            size(options.width, options.height), "1 x 1 to " + size(max_side, max_side)));
    }
    const std::uint64_t max_samples =
        std::min(max_rays / (std::uint64_t{options.width} * options.height), max_samples_of_a_pixel);
    if (options.samples == 0 || options.samples > max_samples) {
        return fail(problem(codes::render_options, "the number of samples is out of range",
                            std::to_string(options.samples), "1 to " + std::to_string(max_samples) + " for this size"));
    }
    for (const float value : {options.background.r, options.background.g, options.background.b, options.background.a}) {
        if (!(value >= 0 && value <= 1)) {
            return fail(problem(codes::render_options,
                                "the background's red, green, blue and alpha must each be 0 to 1",
                                std::to_string(value)));
        }
    }
    return {};
}

class Drawing {
public:
    Drawing(const Content& content, const Surfaces& surfaces, const Tracer& tracer, const Projection& projection,
            const Options& options)
        : options_(options),
          projection_(projection),
          lights_(make_lights(projection, content.geometry.bounds)),
          screen_(project_all(content.geometry, projection)),
          coverage_(content.geometry, screen_, options.width, options.height),
          shot_{{content.geometry, surfaces},  tracer, projection_, lights_, options_, screen_,
                spread_places(options.samples)} {}

    /// False if memory ran out.
    [[nodiscard]] bool run(Frame& frame) {
        const std::size_t size = std::size_t{options_.width} * options_.height;
        frame.picture.width = options_.width;
        frame.picture.height = options_.height;
        frame.picture.rgba.resize(size * 4);
        frame.depth.resize(size);
        frame.normals.resize(size);
        const std::uint32_t rows = std::max(band_pixels / options_.width / tile_size, 1U) * tile_size;
        for (std::uint32_t y = 0; y < options_.height && !is_cancelled(); y += rows) {
            if (!run_band(frame, y, std::min(y + rows, options_.height))) return false;
        }
        return true;
    }

    /// The picture is not complete then.
    [[nodiscard]] bool was_cancelled() const noexcept { return cancelled_; }

private:
    bool is_cancelled() {
        if (options_.cancelled && options_.cancelled()) cancelled_ = true;
        return cancelled_;
    }

    /// Rows [first, end). Smoothing needs some more on both sides, which are traced as well.
    bool run_band(Frame& frame, std::uint32_t first, std::uint32_t end) {
        band_.width = options_.width;
        band_.first_row = first - std::min(first, smoothing_reach);
        band_.end_row = std::min(end + smoothing_reach, options_.height);
        pixels_.resize(std::size_t{band_.end_row - band_.first_row} * band_.width);
        band_.pixels = pixels_;

        const std::uint32_t columns = (options_.width + tile_size - 1) / tile_size;
        const std::uint32_t first_tile = band_.first_row / tile_size;
        const std::uint32_t end_tile = (band_.end_row + tile_size - 1) / tile_size;
        const std::uint32_t tiles = columns * (end_tile - first_tile);
        std::atomic<std::uint32_t> next_tile{0};
        const bool is_traced = run_on_threads(thread_count(options_.threads, tiles), [&] {
            TileTracer tracer(shot_);
            for (std::uint32_t i = next_tile++; i < tiles && !is_cancelled(); i = next_tile++) {
                trace_tile(tracer, frame, i % columns, first_tile + i / columns);
            }
        });
        if (!is_traced) return false;

        std::atomic<std::uint32_t> next_row{first};
        return run_on_threads(thread_count(options_.threads, end - first), [&] {
            for (std::uint32_t y = next_row++; y < end; y = next_row++) {
                const std::size_t pitch = std::size_t{options_.width} * 4;
                resolve_row(band_, y, projection_, options_.background,
                            std::span(frame.picture.rgba).subspan(y * pitch, pitch));
            }
        });
    }

    void trace_tile(TileTracer& tracer, Frame& frame, std::uint32_t tile_x, std::uint32_t tile_y) {
        const Area area{tile_x * tile_size, std::max(tile_y * tile_size, band_.first_row),
                        std::min((tile_x + 1) * tile_size, options_.width),
                        std::min((tile_y + 1) * tile_size, band_.end_row)};
        std::array<float, tile_size * tile_size> depths{};
        std::array<Vec3, tile_size * tile_size> normals{};
        std::span<const Pixel> traced;
        if (coverage_.at(tile_x, tile_y)) {
            traced = tracer.trace(area);
            tracer.trace_centers(area, depths, normals);
        } else {
            depths.fill(std::numeric_limits<float>::infinity());
        }
        for (std::uint32_t row = 0; row < area.height(); ++row) {
            const std::size_t from = std::size_t{row} * area.width();
            const std::size_t to = std::size_t{area.y + row} * options_.width + area.x;
            const std::size_t in_band = to - std::size_t{band_.first_row} * options_.width;
            if (traced.empty()) {
                std::fill_n(&pixels_[in_band], area.width(), Pixel{});
            } else {
                std::copy_n(&traced[from], area.width(), &pixels_[in_band]);
            }
            std::copy_n(&depths[from], area.width(), &frame.depth[to]);
            std::copy_n(&normals[from], area.width(), &frame.normals[to]);
        }
    }

    const Options& options_;
    const Projection& projection_;
    Lights lights_;
    Bulk<ScreenPoint> screen_;
    Coverage coverage_;
    Shot shot_;
    Bulk<Pixel> pixels_;
    Band band_;
    std::atomic<bool> cancelled_{false};
};

bool any_transparent(const image::Picture& picture) noexcept {
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) {
        if (picture.rgba[i] != std::byte{255}) return true;
    }
    return false;
}

}  // namespace

Result<Frame> draw_frame(const Content& content, const Surfaces& surfaces, const Tracer& tracer, const Camera& camera,
                         const Options& options) {
    if (auto checked = check(options); !checked) return fail(checked.error());
    const auto projection = Projection::make(camera, options.width, options.height);
    if (!projection) return fail(projection.error());
    Frame frame;
    Drawing drawing(content, surfaces, tracer, *projection, options);
    if (!drawing.run(frame)) throw std::bad_alloc();
    if (drawing.was_cancelled()) return fail(problem(codes::limit_cancelled, "cancelled while a picture was drawn"));
    if (options.skeleton) draw_bones(frame.picture, content.bones, *projection);
    frame.picture.has_alpha = any_transparent(frame.picture);
    return frame;
}

}  // namespace effigy::render
