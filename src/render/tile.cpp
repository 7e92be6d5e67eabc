/// Samples of a tile's pixels: rays, light rays, lines of a wireframe.

#include "tile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "surface.hpp"
#include "vectors.hpp"

namespace effigy::render {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Half the width of a line, in pixels.
constexpr float line_reach = 0.55f;
constexpr glm::vec3 line_color{0.02f, 0.03f, 0.04f};
constexpr float line_alpha = 0.75f;
/// Triangles less high than this get fainter lines, so that dense meshes do not drown in them.
constexpr float dense_height = 6;
constexpr float min_line_alpha = 0.3f;
/// Under lines surfaces are paler, so that dark ones do not swallow them.
constexpr glm::vec3 pale_color{0.6f, 0.6f, 0.6f};
constexpr float paleness = 0.6f;
constexpr glm::vec3 collision_line_color{1.0f, 0.25f, 0.02f};

/// The fraction of `index` steps of the sequence that spreads points the most evenly over a square or a cube (the
/// powers of the roots of x^3 = x + 1 and x^4 = x + 1).
float step(std::uint32_t index, float stride) noexcept {
    // In whole numbers, so that far points are as exact as near ones.
    const auto scaled = static_cast<std::uint32_t>(static_cast<double>(stride) * 4294967296.0);
    return static_cast<float>((index * scaled) >> 8U) * (1.0f / 16777216.0f);
}
glm::vec2 square_point(std::uint32_t index) noexcept {
    return {step(index, 0.7548776662f), step(index, 0.5698402910f)};
}
glm::vec3 cube_point(std::uint32_t index) noexcept {
    return {step(index, 0.8191725134f), step(index, 0.6710436067f), step(index, 0.5497004779f)};
}

/// Pixels of a block share one sequence, so that together they have what one alone has too little of. Smoothing takes
/// every place in a block alike, so that no pattern is left of it.
std::uint32_t block_index(const glm::uvec2& pixel) noexcept {
    constexpr std::uint32_t side = 2 * smoothing_reach;
    return pixel.x % side + side * (pixel.y % side);
}

/// How many light rays a pixel gets: fewer than samples, since they are smoothed.
std::uint32_t light_step(std::uint32_t samples) noexcept {
    const auto root = static_cast<std::uint32_t>(std::sqrt(static_cast<float>(samples)));
    return std::max(1U, root / 2);
}

/// A checker with 8 x 8 cells for each turn of the texture, red along u and green along v.
glm::vec3 checker(const glm::vec2& uv) noexcept {
    const auto cell = [](float value) {
        const float part = std::isfinite(value) ? value - std::floor(value) : 0;
        return std::min(static_cast<int>(part * 8), 7);
    };
    const int u = cell(uv.x);
    const int v = cell(uv.y);
    const float bright = (u + v) % 2 == 0 ? 1.0f : 0.7f;
    const glm::vec3 color(0.3f + 0.1f * static_cast<float>(u), 0.3f + 0.1f * static_cast<float>(v), 0.65f);
    return {srgb_to_linear(color.r * bright), srgb_to_linear(color.g * bright), srgb_to_linear(color.b * bright)};
}

float cross(const glm::vec2& a, const glm::vec2& b) noexcept { return a.x * b.y - a.y * b.x; }

glm::vec3 normal_color(const glm::vec3& normal) noexcept {
    const glm::vec3 stored = normal * 0.5f + 0.5f;
    return {srgb_to_linear(stored.r), srgb_to_linear(stored.g), srgb_to_linear(stored.b)};
}

void make_pale(Point& point) noexcept {
    point.color = glm::mix(point.color, pale_color, paleness);
    point.emissive *= 1 - paleness;
}

}  // namespace

std::vector<glm::vec2> spread_places(std::uint32_t count) {
    std::vector<glm::vec2> places(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        float x = 0;
        float digit = 0.5f;
        for (std::uint32_t rest = i; rest != 0; rest >>= 1U, digit *= 0.5f) x += (rest & 1U) != 0 ? digit : 0;
        places[i] = {x, (static_cast<float>(i) + 0.5f) / static_cast<float>(count)};
    }
    // In the mean through the pixel's centre, which also makes a single ray the central one.
    float mean = 0;
    for (const glm::vec2& place : places) mean += place.x / static_cast<float>(count);
    for (glm::vec2& place : places) place.x += 0.5f - mean;
    return places;
}

TileTracer::TileTracer(const Shot& shot)
    : shot_(shot),
      light_step_(light_step(shot.options.samples)),
      pixels_(std::size_t{tile_size} * tile_size),
      sums_(pixels_.size()) {}

std::span<const Pixel> TileTracer::trace(const Area& area) {
    area_ = area;
    std::fill_n(pixels_.begin(), area.size(), Pixel{});
    std::fill_n(sums_.begin(), area.size(), Sums{});
    const auto samples = static_cast<std::uint32_t>(shot_.places.size());
    const auto total = static_cast<std::uint32_t>(area.size()) * std::uint64_t{samples};
    RayPacket rays;
    HitPacket hits;
    std::array<glm::vec2, packet_size> places{};
    for (std::uint64_t begin = 0; begin < total; begin += packet_size) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(packet_size, total - begin));
        for (std::size_t i = 0; i < count; ++i) {
            const auto pixel = static_cast<std::uint32_t>((begin + i) / samples);
            const glm::vec2& inside = shot_.places[(begin + i) % samples];
            places[i] = glm::vec2(area.place(pixel)) + inside;
            rays[i] = {shot_.projection.origin(), shot_.projection.direction(places[i].x, places[i].y), 0, infinity};
        }
        shot_.tracer.nearest(rays, count, hits);
        for (std::size_t i = 0; i < count; ++i) {
            if (hits[i].triangle == no_index) continue;
            pixel_ = static_cast<std::uint32_t>((begin + i) / samples);
            place_ = places[i];
            see(rays[i], hits[i], static_cast<std::uint32_t>((begin + i) % samples));
        }
    }
    flush(open_queue_);
    flush(lit_queue_);
    finish();
    return std::span<const Pixel>(pixels_).first(area.size());
}

void TileTracer::see(const Ray& ray, const Hit& nearest, std::uint32_t sample) {
    look(shot_.model, shot_.tracer, ray, nearest, layers_);
    float passing = 1;
    float most = 0;
    const Hit* main = nullptr;
    for (std::size_t i = 0; i < layers_.count && passing > 0; ++i) {
        const float weight = passing * add_layer(layers_.hits[i], ray.direction, passing);
        if (weight > most) main = &layers_.hits[i];
        most = std::max(weight, most);
        passing -= weight;
    }
    if (main == nullptr) return;
    Pixel& pixel = pixels_[pixel_];
    pixel.alpha += 1 - std::max(passing, 0.0f);
    pixel.depth += main->distance;
    pixel.normal += normal_at(shot_.model.geometry, *main, ray.direction);
    sums_[pixel_].weight += 1;
    if (shot_.options.shading == Shading::lit && sample % light_step_ == 0) add_light_rays(*main, ray, sample);
}

/// Adds what a layer shows to the pixel, as far as `passing` lets it; its opacity.
float TileTracer::add_layer(const Hit& hit, const glm::vec3& direction, float passing) {
    const Surface& surface = shot_.model.surface(hit);
    Point point = point_at(shot_.model, hit, direction);
    if (shot_.options.wireframe && !surface.collision) make_pale(point);
    Pixel& pixel = pixels_[pixel_];
    float alpha = point.alpha;
    float shown = 1;  // what lines leave of the surface
    const float line = shot_.options.wireframe || surface.collision ? line_at(hit) : 0;
    if (line > 0) {
        shown = 1 - line;
        alpha = std::max(alpha, line);
        pixel.plain += (surface.collision ? collision_line_color : line_color) * (passing * alpha * line);
    }
    const float weight = passing * alpha * shown;
    if (weight <= 0) return alpha;
    switch (shot_.options.shading) {
        case Shading::normals:
            pixel.plain += normal_color(point.detailed) * weight;
            break;
        case Shading::texcoords: {
            const glm::vec3 to_viewer = -glm::normalize(direction);
            const float facing = 0.6f + 0.4f * std::max(glm::dot(point.normal, to_viewer), 0.0f);
            pixel.plain += checker(texcoord_at(shot_.model.geometry, hit, 0)) * (weight * facing);
            break;
        }
        case Shading::lit: {
            if (surface.unlit) {
                pixel.plain += point.color * weight;
                break;
            }
            const Reflected light = reflect(shot_.lights, point, -glm::normalize(direction));
            pixel.plain += point.emissive * weight;
            pixel.key += light.key * weight;
            pixel.ambient += light.ambient * weight;
            break;
        }
    }
    return alpha;
}

void TileTracer::add_light_rays(const Hit& hit, const Ray& ray, std::uint32_t sample) {
    const Model& model = shot_.model;
    if (model.surface(hit).unlit) return;
    const glm::vec3 normal = normal_at(model.geometry, hit, ray.direction);
    const bool is_front_side = is_front(model.geometry, model.triangle(hit), ray.direction);
    const glm::vec3 start = lifted(model.geometry, hit, is_front_side) + normal * shot_.lights.lift;

    const auto rays = (shot_.options.samples + light_step_ - 1) / light_step_;
    const std::uint32_t index = block_index(area_.place(pixel_)) * rays + sample / light_step_;
    const glm::vec3 random = cube_point(index);
    push(open_queue_, {start, sky_direction(normal, random.x, random.y), 0, shot_.lights.reach * random.z});
    if (glm::dot(normal, shot_.lights.key) > 0) {
        const glm::vec2 place = square_point(index);
        push(lit_queue_, {start, key_direction(shot_.lights, place.x, place.y), 0, infinity});
    }
}

void TileTracer::push(Queue& queue, const Ray& ray) {
    queue.rays[queue.count] = ray;
    queue.pixels[queue.count] = pixel_;
    if (++queue.count == packet_size) flush(queue);
}

void TileTracer::flush(Queue& queue) {
    if (queue.count == 0) return;
    LightPassage passage(shot_.model);
    const bool asks = shot_.model.geometry.has_cutouts;
    const unsigned blocked = shot_.tracer.blocked(queue.rays, queue.count, asks ? &passage : nullptr);
    for (std::size_t i = 0; i < queue.count; ++i) {
        Sums& sums = sums_[queue.pixels[i]];
        const float free = (blocked >> i & 1U) != 0 ? 0.0f : 1.0f;
        (&queue == &open_queue_ ? sums.open : sums.lit) += free;
        (&queue == &open_queue_ ? sums.open_count : sums.lit_count) += 1;
    }
    queue.count = 0;
}

/// From sums to means.
void TileTracer::finish() {
    const float part = 1 / static_cast<float>(shot_.places.size());
    for (std::size_t i = 0; i < area_.size(); ++i) {
        Pixel& pixel = pixels_[i];
        const Sums& sums = sums_[i];
        pixel.plain *= part;
        pixel.key *= part;
        pixel.ambient *= part;
        pixel.alpha *= part;
        if (sums.weight > 0) pixel.depth /= sums.weight;
        pixel.normal = direction_or(pixel.normal, glm::vec3(0));
        if (sums.open_count > 0) pixel.open = sums.open / sums.open_count;
        if (sums.lit_count > 0) pixel.lit = sums.lit / sums.lit_count;
    }
}

/// Opacity of the line here, if an edge of the triangle is near in the picture, or 0.
float TileTracer::line_at(const Hit& hit) const noexcept {
    const Triangle& triangle = shot_.model.triangle(hit);
    const std::array<ScreenPoint, 3> corners{shot_.screen[triangle.a], shot_.screen[triangle.b],
                                             shot_.screen[triangle.c]};
    float longest = 0;
    bool is_near = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const ScreenPoint& from = corners[i];
        const ScreenPoint& to = corners[(i + 1) % 3];
        if (!(from.depth > 0 && to.depth > 0)) continue;
        const glm::vec2 edge(to.x - from.x, to.y - from.y);
        const glm::vec2 offset = place_ - glm::vec2(from.x, from.y);
        const float length = glm::length(edge);
        longest = std::max(longest, length);
        is_near = is_near || std::abs(cross(edge, offset)) < line_reach * length;
    }
    if (!is_near) return 0;
    const glm::vec2 a(corners[1].x - corners[0].x, corners[1].y - corners[0].y);
    const glm::vec2 b(corners[2].x - corners[0].x, corners[2].y - corners[0].y);
    const float height = std::abs(cross(a, b)) / longest;
    return std::min(line_alpha, std::max(line_alpha * height / dense_height, min_line_alpha));
}

void TileTracer::trace_centers(const Area& area, std::span<float> depths, std::span<Vec3> normals) const {
    RayPacket rays;
    HitPacket hits;
    Layers layers;
    for (std::size_t begin = 0; begin < area.size(); begin += packet_size) {
        const std::size_t count = std::min(packet_size, area.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const auto pixel = static_cast<std::uint32_t>(begin + i);
            const glm::vec2 place = glm::vec2(area.place(pixel)) + 0.5f;
            rays[i] = {shot_.projection.origin(), shot_.projection.direction(place.x, place.y), 0, infinity};
        }
        shot_.tracer.nearest(rays, count, hits);
        for (std::size_t i = 0; i < count; ++i) {
            depths[begin + i] = infinity;
            normals[begin + i] = {};
            look(shot_.model, shot_.tracer, rays[i], hits[i], layers);
            const auto seen = std::span<const Hit>(layers.hits).first(layers.count);
            const auto first = std::find_if(seen.begin(), seen.end(), [&](const Hit& hit) {
                return shot_.model.surface(hit).alpha_mode != AlphaMode::blend || raw_alpha(shot_.model, hit) > 0;
            });
            if (first == seen.end()) continue;
            depths[begin + i] = first->distance;
            normals[begin + i] = from_glm(normal_at(shot_.model.geometry, *first, rays[i].direction));
        }
    }
}

namespace {

/// How far off a pixel's plane its neighbours may lie, in pixels, until they count nothing.
constexpr float plane_reach = 3;
constexpr float min_alignment = 0.5f;

/// Shares of light that arrive, smoothed.
struct Shares {
    float open = 1;
    float lit = 1;
};

struct Mean {
    float sum = 0;
    float weight = 0;
    void add(float value, float w) noexcept {
        if (value < 0) return;
        sum += value * w;
        weight += w;
    }
    [[nodiscard]] float value_or(float fallback) const noexcept { return weight > 0 ? sum / weight : fallback; }
};

/// The outermost neighbours on both sides count half, so that each place in a block of pixels counts as much.
float share(std::uint32_t other, std::uint32_t center) noexcept {
    return other + smoothing_reach == center || other == center + smoothing_reach ? 0.5f : 1.0f;
}

/// The mean over neighbours that belong to the same surface: alike in direction and in one plane.
Shares smoothed(const Band& band, std::uint32_t x, std::uint32_t y, const Projection& projection) noexcept {
    const Pixel& center = band.at(x, y);
    const auto place = [&](std::uint32_t px, std::uint32_t py, float depth) {
        return projection.direction(static_cast<float>(px) + 0.5f, static_cast<float>(py) + 0.5f) * depth;
    };
    const glm::vec3 here = place(x, y, center.depth);
    const float reach = plane_reach * projection.pixel_size() * center.depth;
    const std::uint32_t first_x = x - std::min(x, smoothing_reach);
    const std::uint32_t end_x = std::min(x + smoothing_reach + 1, band.width);
    const std::uint32_t first_y = std::max(y - std::min(y, smoothing_reach), band.first_row);
    const std::uint32_t end_y = std::min(y + smoothing_reach + 1, band.end_row);
    Mean open, lit;
    for (std::uint32_t py = first_y; py < end_y; ++py) {
        for (std::uint32_t px = first_x; px < end_x; ++px) {
            const Pixel& other = band.at(px, py);
            if (other.open < 0) continue;
            const float alignment = glm::dot(center.normal, other.normal);
            if (alignment < min_alignment) continue;
            const float away = std::abs(glm::dot(center.normal, place(px, py, other.depth) - here));
            const float weight = share(px, x) * share(py, y) * alignment * std::max(1 - away / reach, 0.0f);
            open.add(other.open, weight);
            lit.add(other.lit, weight);
        }
    }
    return {open.value_or(std::max(center.open, 0.0f)), lit.value_or(1)};
}

glm::vec3 lit_color(const Pixel& pixel, const Shares& shares) noexcept {
    const glm::vec3 light = pixel.key * shares.lit + pixel.ambient * shares.open;
    return pixel.plain + tone(light / pixel.alpha) * pixel.alpha;
}

std::byte to_byte(float value) noexcept {
    // Written so that NaN becomes 0.
    const float bounded = value > 0 ? std::min(value, 1.0f) : 0.0f;
    return static_cast<std::byte>(std::lrint(bounded * 255));
}

void store(std::byte* out, const glm::vec3& color, float alpha) noexcept {
    out[0] = to_byte(linear_to_srgb(color.r));
    out[1] = to_byte(linear_to_srgb(color.g));
    out[2] = to_byte(linear_to_srgb(color.b));
    out[3] = to_byte(alpha);
}

}  // namespace

void resolve_row(const Band& band, std::uint32_t y, const Projection& projection, const Color& background,
                 std::span<std::byte> rgba) {
    const glm::vec3 behind(srgb_to_linear(background.r), srgb_to_linear(background.g), srgb_to_linear(background.b));
    std::array<std::byte, 4> empty{};
    if (background.a > 0) store(empty.data(), behind, background.a);
    for (std::uint32_t x = 0; x < band.width; ++x) {
        std::byte* out = &rgba[std::size_t{x} * 4];
        const Pixel& pixel = band.at(x, y);
        if (pixel.alpha <= 0) {
            std::copy(empty.begin(), empty.end(), out);
            continue;
        }
        const Shares shares = pixel.open >= 0 ? smoothed(band, x, y, projection) : Shares{};
        const float passing = (1 - std::min(pixel.alpha, 1.0f)) * background.a;
        const float alpha = std::min(pixel.alpha, 1.0f) + passing;
        store(out, (lit_color(pixel, shares) + behind * passing) / alpha, alpha);
    }
}

}  // namespace effigy::render
