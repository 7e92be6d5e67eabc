#pragma once
/// A piece of a picture: rays out, light back.

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/render.hpp"

#include "geometry.hpp"
#include "light.hpp"
#include "point.hpp"
#include "projection.hpp"
#include "tracer.hpp"

namespace effigy::render {

/// Hits by ascending distance; only the last one may be opaque.
struct Layers {
    static constexpr std::size_t most = 32;
    std::array<Hit, most + 1> hits;
    std::size_t count = 0;
};

/// From the nearest triangle that `ray` meets to what it sees: triangles seen from behind that have no back side, and
/// holes, let it pass. Beyond the 32nd translucent layer only what is opaque is seen.
void look(const Model& model, const Tracer& tracer, const Ray& ray, const Hit& nearest, Layers& layers);

/// Lets light through holes and through what is rather transparent than not.
class LightPassage final : public Passage {
public:
    explicit LightPassage(const Model& model) : model_(model) {}
    bool lets_pass(const Hit& hit, const glm::vec3& direction) override;

private:
    const Model& model_;
};

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

/// How far the smoothing of light looks, in pixels.
inline constexpr std::uint32_t smoothing_reach = 2;

/// All that a picture is made from.
struct Shot {
    Model model;
    const Tracer& tracer;
    const Projection& projection;
    const Lights& lights;
    const Options& options;
    const Bulk<ScreenPoint>& screen;
    std::vector<glm::vec2> places;  ///< where in a pixel its rays go through
};

/// What the rays through a pixel found. Light is kept apart by its kind, because how much of it arrives is smoothed
/// over neighbouring pixels.
struct Pixel {
    glm::vec3 plain{0};    ///< shines by itself
    glm::vec3 key{0};      ///< of the key light, if no shadow fell
    glm::vec3 ambient{0};  ///< of the sky, if nothing were near
    float alpha = 0;       ///< all colours are multiplied by it
    float open = -1;       ///< share of the sky that is free; negative: not known here
    float lit = -1;        ///< share of the key light that arrives; likewise
    glm::vec3 normal{0};   ///< mean of what is seen
    float depth = 0;       ///< likewise
};

/// Pixels [x, x_end) x [y, y_end).
struct Area {
    std::uint32_t x = 0, y = 0, x_end = 0, y_end = 0;
    [[nodiscard]] std::uint32_t width() const noexcept { return x_end - x; }
    [[nodiscard]] std::uint32_t height() const noexcept { return y_end - y; }
    [[nodiscard]] std::size_t size() const noexcept { return std::size_t{width()} * height(); }
    /// Where the pixel of this number is in the picture, row by row.
    [[nodiscard]] glm::uvec2 place(std::uint32_t number) const noexcept {
        return {x + number % width(), y + number / width()};
    }
};

/// Where in a pixel the rays go through: spread evenly, whatever their number.
[[nodiscard]] std::vector<glm::vec2> spread_places(std::uint32_t count);

/// Draws tiles, one after the other.
class TileTracer {
public:
    explicit TileTracer(const Shot& shot);

    /// The area's pixels, row by row; at most tile_size on each side.
    [[nodiscard]] std::span<const Pixel> trace(const Area& area);
    /// Depth and normal of what the ray through each pixel's centre meets first.
    void trace_centers(const Area& area, std::span<float> depths, std::span<Vec3> normals) const;

private:
    struct Sums {
        float weight = 0;  ///< samples that see something
        float open = 0, open_count = 0;
        float lit = 0, lit_count = 0;
    };
    /// Rays to a light that wait for a full packet.
    struct Queue {
        RayPacket rays;
        std::array<std::uint32_t, packet_size> pixels{};
        std::size_t count = 0;
    };

    void see(const Ray& ray, const Hit& nearest, std::uint32_t sample);
    float add_layer(const Hit& hit, const glm::vec3& direction, float weight);
    void add_light_rays(const Hit& hit, const Ray& ray, std::uint32_t sample);
    void push(Queue& queue, const Ray& ray);
    void flush(Queue& queue);
    void finish();
    [[nodiscard]] float line_at(const Hit& hit) const noexcept;

    const Shot& shot_;
    std::uint32_t light_step_;  ///< every how manyth sample asks for light
    Area area_;
    std::uint32_t pixel_ = 0;  ///< in the area
    glm::vec2 place_{0};       ///< of the ray in the picture
    std::vector<Pixel> pixels_;
    std::vector<Sums> sums_;
    Queue open_queue_, lit_queue_;
    Layers layers_;
};

/// Some whole rows of a picture.
struct Band {
    std::uint32_t width = 0;
    std::uint32_t first_row = 0, end_row = 0;  ///< of the picture
    std::span<const Pixel> pixels;

    [[nodiscard]] const Pixel& at(std::uint32_t x, std::uint32_t y) const noexcept {
        return pixels[std::size_t{y - first_row} * width + x];
    }
};

/// One row of the picture, as RGBA bytes with straight alpha in sRGB.
void resolve_row(const Band& band, std::uint32_t y, const Projection& projection, const Color& background,
                 std::span<std::byte> rgba);

}  // namespace effigy::render
