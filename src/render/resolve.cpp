/// Pixels from samples: light smoothed over neighbours of one surface, sRGB.

#include "resolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "light.hpp"
#include "texture.hpp"

namespace effigy::render {
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
    [[nodiscard]] float value_or(float otherwise) const noexcept { return weight > 0 ? sum / weight : otherwise; }
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
