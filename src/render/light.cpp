/// Shading: key light, sky and reflections (GGX), shadows and occlusion by rays.

#include "light.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "vectors.hpp"

namespace effigy::render {
namespace {

constexpr glm::vec3 key_color{1.0f, 0.96f, 0.9f};
constexpr glm::vec3 fill_color{0.10f, 0.11f, 0.13f};
constexpr glm::vec3 rim_color{0.30f, 0.32f, 0.36f};
constexpr glm::vec3 sky_color{0.37f, 0.39f, 0.42f};
constexpr glm::vec3 ground_color{0.17f, 0.16f, 0.155f};

/// Tangent of half the angle under which the key light is seen.
constexpr float key_radius = 0.12f;
/// Part of the scene's size within which surfaces shade one another.
constexpr float occlusion_reach = 0.18f;
constexpr float ray_lift = 4e-4f;
/// From here on brightness is bent.
constexpr float shoulder = 0.45f;
constexpr float min_roughness = 0.2f;

float positive(float value) noexcept { return std::max(value, 0.0f); }

/// Share of light that is mirrored at this angle.
glm::vec3 fresnel(const glm::vec3& straight, float cosine) noexcept {
    const float rest = 1 - std::clamp(cosine, 0.0f, 1.0f);
    const float square = rest * rest;
    return straight + (1.0f - straight) * (square * square * rest);
}

/// GGX with Smith's masking; times pi, so that it goes with a diffuse term of plain albedo.
float highlight(float alpha, float n_l, float n_v, float n_h) noexcept {
    const float square = alpha * alpha;
    const float spread = n_h * n_h * (square - 1) + 1;
    const float masking =
        n_l * std::sqrt(n_v * n_v * (1 - square) + square) + n_v * std::sqrt(n_l * n_l * (1 - square) + square);
    return square / (spread * spread) * 0.5f / std::max(masking, 1e-4f);
}

glm::vec3 sky(const Lights& lights, const glm::vec3& direction) noexcept {
    return glm::mix(ground_color, sky_color, 0.5f + 0.5f * glm::dot(direction, lights.up));
}

/// How much of the sky a surface mirrors, over all directions (fitted by Karis for GGX).
glm::vec3 mirrored_share(const glm::vec3& straight, float roughness, float n_v) noexcept {
    const glm::vec4 r = roughness * glm::vec4(-1, -0.0275f, -0.572f, 0.022f) + glm::vec4(1, 0.0425f, 1.04f, -0.04f);
    const float a = std::min(r.x * r.x, std::exp2(-9.28f * n_v)) * r.x + r.y;
    return straight * (-1.04f * a + r.z) + (1.04f * a + r.w);
}

/// What a surface mirrors of the sky and the lamps in it, the more blurred the rougher it is.
glm::vec3 mirrored_sky(const Lights& lights, const glm::vec3& direction, float roughness) noexcept {
    const float sharpness = 2 / std::max(roughness * roughness, 0.02f);
    const auto lamp = [&](const glm::vec3& to_lamp) {
        return std::exp((glm::dot(direction, to_lamp) - 1) * sharpness);
    };
    return sky(lights, direction) + key_color * (0.8f * lamp(lights.key)) + rim_color * lamp(lights.rim);
}

struct Frame3 {
    glm::vec3 x, y;
};

/// Two vectors across a unit vector, without a branch (Duff and others).
Frame3 across(const glm::vec3& n) noexcept {
    const float sign = std::copysign(1.0f, n.z);
    const float a = -1 / (sign + n.z);
    const float b = n.x * n.y * a;
    return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

}  // namespace

Lights make_lights(const Projection& projection, const playback::Bounds& bounds) noexcept {
    const auto direction = [&](float right, float up, float back) {
        return glm::normalize(projection.right() * right + projection.up() * up - projection.forward() * back);
    };
    Lights lights;
    lights.key = direction(-0.55f, 0.75f, 0.7f);
    lights.fill = direction(0.9f, 0.1f, 0.6f);
    lights.rim = direction(0.6f, 0.5f, -0.7f);
    lights.up = projection.up();
    const float size = bounds.empty ? 1.0f : glm::length(to_glm(bounds.high) - to_glm(bounds.low));
    lights.reach = size * occlusion_reach;
    lights.lift = size * ray_lift;
    return lights;
}

Reflected reflect(const Lights& lights, const Point& point, const glm::vec3& to_viewer) noexcept {
    const glm::vec3& n = point.detailed;
    const float n_v = std::max(glm::dot(n, to_viewer), 0.02f);
    const float roughness = std::clamp(point.roughness, min_roughness, 1.0f);
    const glm::vec3 diffuse = point.color * (1 - point.metallic);
    const glm::vec3 straight = glm::mix(glm::vec3(0.04f), point.color, point.metallic);

    Reflected reflected;
    const float n_l = positive(glm::dot(n, lights.key));
    if (n_l > 0) {
        const glm::vec3 half = glm::normalize(lights.key + to_viewer);
        const glm::vec3 mirrored = fresnel(straight, glm::dot(half, to_viewer)) *
                                   highlight(roughness * roughness, n_l, n_v, positive(glm::dot(n, half)));
        reflected.key = key_color * n_l * (diffuse + mirrored);
    }
    const glm::vec3 mirror = 2 * glm::dot(n, to_viewer) * n - to_viewer;
    const float edge = 1 - std::min(n_v, 1.0f);
    reflected.ambient = diffuse * (sky(lights, n) + fill_color * positive(glm::dot(n, lights.fill)) +
                                   rim_color * (positive(glm::dot(n, lights.rim)) * edge)) +
                        mirrored_share(straight, roughness, n_v) * mirrored_sky(lights, mirror, roughness);
    reflected.ambient *= point.occlusion;
    return reflected;
}

glm::vec3 key_direction(const Lights& lights, float x, float y) noexcept {
    const Frame3 frame = across(lights.key);
    const float radius = key_radius * std::sqrt(x);
    const float angle = glm::two_pi<float>() * y;
    return glm::normalize(lights.key + frame.x * (radius * std::cos(angle)) + frame.y * (radius * std::sin(angle)));
}

glm::vec3 sky_direction(const glm::vec3& normal, float x, float y) noexcept {
    const Frame3 frame = across(normal);
    const float radius = std::sqrt(x);
    const float angle = glm::two_pi<float>() * y;
    return frame.x * (radius * std::cos(angle)) + frame.y * (radius * std::sin(angle)) +
           normal * std::sqrt(positive(1 - x));
}

glm::vec3 tone(const glm::vec3& color) noexcept {
    const auto bend = [](float value) {
        if (value <= shoulder) return value;
        return shoulder + (1 - shoulder) * (1 - std::exp((shoulder - value) / (1 - shoulder)));
    };
    return {bend(color.r), bend(color.g), bend(color.b)};
}

}  // namespace effigy::render
