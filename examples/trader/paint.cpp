/// Paints the trader's textures.

#include "paint.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace trader {

namespace {

vec3 rgb(int r, int g, int b) { return vec3(r, g, b) / 255.0f; }

/// 1 between the two numbers, with soft edges.
float band(float value, float low, float high, float edge = 0.06f) {
    return glm::smoothstep(low - edge, low + edge, value) * (1 - glm::smoothstep(high - edge, high + edge, value));
}

const vec3 metal = rgb(226, 220, 204), orange = rgb(232, 122, 46), cloth = rgb(40, 84, 112), gold = rgb(222, 178, 92),
           leather = rgb(112, 70, 42), dark_leather = rgb(64, 42, 30), wine = rgb(128, 42, 54);

vec3 weave(vec3 color, vec3 p) { return color * (1 + 0.02f * std::sin(p.y * 11) * std::sin((p.x + p.z) * 11)); }

/// The satchel's strap runs from the right shoulder to the left hip.
float strap(vec3 p) {
    const vec3 across = glm::normalize(vec3(0.78f, 0.62f, 0));
    return p.y > 18 ? band(glm::dot(p - vec3(1.2f, 27, 0), across), -0.75f, 0.75f) : 0.0f;
}

vec3 with_strap(vec3 color, vec3 p) { return glm::mix(color, leather, strap(p)); }

}  // namespace

vec3 paint_plain(vec3) { return rgb(150, 154, 158); }
vec3 paint_accent(vec3) { return orange; }

vec3 paint_head(vec3 p) {
    vec3 color = metal;
    color = glm::mix(color, rgb(170, 164, 152), band(p.z, -1.7f, -1.5f));                        // a joint of plates
    color = glm::mix(color, orange, band(std::abs(p.x), 3.1f, 4.1f) * band(p.z, -9.0f, -1.9f));  // two stripes behind
    const vec2 rim = glm::abs(vec2(p.x, p.y - 43.6f)) - vec2(3.2f, 1.7f);
    const float frame = glm::length(glm::max(rim, vec2(0)));
    return p.z > 3 ? glm::mix(color, rgb(120, 118, 112), band(frame, 2.0f, 2.7f)) : color;
}

vec3 paint_visor(vec3 p) {
    const vec2 at(std::abs(p.x), p.y - 43.6f);
    const vec3 glass = glm::mix(rgb(16, 22, 36), rgb(40, 58, 84), glm::smoothstep(1.0f, 4.0f, at.y + 0.25f * p.x));
    const vec3 light = rgb(126, 240, 236);
    const float eye = glm::length(vec2(at.x - 2.2f, std::max(std::abs(at.y - 0.35f) - 0.55f, 0.0f)));
    const float smile = std::abs(glm::length(vec2(p.x, at.y - 0.7f)) - 2.9f);
    vec3 color = glm::mix(glass, light * 0.45f, 0.7f * std::exp(-eye * eye));
    color = glm::mix(color, light, band(eye, -1, 0.85f, 0.1f));
    color = glm::mix(color, rgb(255, 255, 255),
                     band(glm::length(vec2(p.x - 1.9f, at.y - 0.9f)), -1, 0.25f, 0.1f) +
                         band(glm::length(vec2(p.x + 2.5f, at.y - 0.9f)), -1, 0.25f, 0.1f));
    return glm::mix(color, light, band(smile, -1, 0.2f, 0.1f) * band(at.y, -9, -1.45f));
}

/// Rings of rubber on metal.
vec3 paint_hose(vec3 p) {
    const float under_coat = p.y > 20 ? 1.0f : 0.55f;
    return rgb(112, 114, 120) * under_coat;
}

vec3 paint_coat(vec3 p) {
    vec3 color = weave(cloth, p);
    color = glm::mix(color, gold, band(p.y, 9.3f, 10.0f));
    const float angle = std::atan2(std::abs(p.x), p.z);  // from the front
    const float pleat = 1 - 0.22f * band(std::abs(angle - glm::pi<float>()), -1, 0.03f, 0.02f) * band(p.y, 0, 23);
    if (p.y > 26.5f && p.z > 0) {  // lapels
        const float width = std::abs(p.x) - glm::mix(2.0f, 4.9f, (p.y - 26.5f) / 10);
        color = glm::mix(color, cloth * 0.72f, band(width, -9, -0.2f));
        color = glm::mix(color, gold, band(width, -0.2f, 0.1f));
    }
    if (p.y < 22.5f && p.z > 0) {
        const float flap = std::abs(p.x) - 5;  // pockets
        color = glm::mix(color, cloth * 0.7f, band(std::abs(flap), -1, 1.6f) * band(p.y, 15.2f, 18.0f));
        color = glm::mix(color, gold, band(std::abs(flap), -1, 1.6f) * band(p.y, 17.6f, 18.0f));
    }
    return with_strap(color * pleat, p);
}

vec3 paint_lining(vec3 p) { return wine * glm::mix(0.85f, 0.5f, glm::smoothstep(9.0f, 20.0f, p.y)); }

vec3 paint_sleeve(vec3 p) {
    const float along = glm::dot(p - joint(l_upper_arm), arm_direction());
    vec3 color = weave(cloth, p);
    color = glm::mix(color, gold, band(along, 10.0f, 10.35f));
    color = glm::mix(color, cloth * 0.72f, band(along, 10.35f, 20));
    const float inside = glm::length(p - joint(l_upper_arm) - arm_direction() * along);
    return along > 10.5f && inside < 2.2f ? wine * 0.5f : color;
}

vec3 paint_vest(vec3 p) {
    vec3 color = weave(wine, p);
    if (p.y < 19.8f) return dark_leather;
    if (p.z > 0) {
        const float nearest = std::round((p.y - 27) / 2.4f) * 2.4f + 27;
        color *= 1 - 0.3f * band(std::abs(p.x), 0.75f, 0.9f);
        color = glm::mix(color, gold, band(glm::length(vec2(p.x, p.y - nearest)), -1, 0.5f));
    }
    return with_strap(color, p);
}

vec3 paint_hat(vec3 p) {
    const float height = p.y - 48.4f - 0.12f * (p.x + 0.6f) - 0.1f * (p.z + 0.5f);  // it is tilted
    const vec3 felt = rgb(104, 66, 42) * (1 + 0.03f * std::sin(p.x * 9) * std::sin(p.z * 9));
    return glm::mix(felt, orange, band(height, 1.2f, 2.5f) * band(glm::length(vec2(p.x, p.z)), 0, 6));
}

vec3 paint_scarf(vec3 p) {
    const float stripes = std::sin(std::atan2(p.x, p.z) * 9 + 2 * p.y);
    return weave(glm::mix(orange, rgb(250, 226, 176), band(stripes, 0.55f, 2, 0.12f)), p);
}

vec3 paint_belt(vec3 p) {
    const vec2 buckle = glm::abs(vec2(p.x, p.y - 24.3f)) - vec2(1.5f, 0.95f);
    const float edge = std::max(buckle.x, buckle.y);
    if (p.z < 0 || edge > 0) return dark_leather * (1 + 0.5f * band(std::abs(p.y - 24.3f), 0.55f, 0.65f));
    return edge > -0.45f ? gold : dark_leather;
}

vec3 paint_boot(vec3 p) {
    const vec3 color = glm::mix(leather, leather * 1.35f, band(p.y, 8.3f, 12));
    const float cap = glm::smoothstep(3.6f, 3.8f, p.z);  // over the toes
    return glm::mix(glm::mix(color, leather * 0.72f, cap), rgb(34, 28, 26), band(p.y, -9, 0.75f));
}

vec3 paint_pack(vec3 p) {
    const vec3 canvas = weave(rgb(150, 134, 92), p);
    const float flap = band(p.y, 31.0f + 0.12f * p.x * p.x, 50);
    vec3 color = glm::mix(canvas, canvas * 0.78f, flap);
    color = glm::mix(color, leather, band(std::abs(std::abs(p.x) - 2.4f), -1, 0.45f));
    return glm::mix(color, gold, band(std::abs(std::abs(p.x) - 2.4f), -1, 0.6f) * band(p.y, 29.3f, 30.3f));
}

vec3 paint_roll(vec3 p) {
    const vec3 wool = weave(glm::mix(wine * 1.25f, gold, band(std::sin(p.x * 1.6f), 0.8f, 2, 0.1f)), p);
    const float ring = std::sin(glm::length(vec2(p.y - 36.2f, p.z + 7)) * 9);
    if (std::abs(p.x) > 6.2f) return wine * (1 + 0.3f * ring);
    return glm::mix(wool, leather, band(std::abs(std::abs(p.x) - 3.4f), -1, 0.4f));
}

vec3 paint_satchel(vec3 p) {
    const float flap = band(p.y, 18.2f + 0.1f * p.z * p.z, 50);
    const vec3 color = glm::mix(leather * 0.85f, leather * 1.15f, flap);
    return glm::mix(color, gold, band(glm::length(vec2(p.z - 0.6f, p.y - 18.0f)), -1, 0.55f));
}

effigy::image::Picture paint(Texture texture) {
    constexpr int size = 1024;
    constexpr float border = 2;  // pixels of a chart that repeat its edge
    effigy::image::Picture picture{size, size, effigy::Bytes(std::size_t{size} * size * 4, std::byte{255}), false, {}};
    for (const Patch& patch : patches()) {
        if (groups()[patch.group].texture != texture) continue;
        const vec2 corner = patch.chart.corner * float{size}, extent = patch.chart.size * float{size};
        for (int y = 0; y < static_cast<int>(extent.y); ++y) {
            for (int x = 0; x < static_cast<int>(extent.x); ++x) {
                const vec2 place = (vec2(x, y) + 0.5f - border) / (extent - 2 * border);
                const vec2 uv = glm::clamp(place, vec2(0), vec2(1));
                const vec3 point(patch.frame * vec4(patch.surface(uv.x, 1 - uv.y), 1));
                const vec3 color = glm::clamp(patch.color(point), vec3(0), vec3(1));
                const auto pixel =
                    static_cast<std::size_t>((static_cast<int>(corner.y) + y) * size + static_cast<int>(corner.x) + x);
                for (int channel = 0; channel < 3; ++channel)
                    picture.rgba[pixel * 4 + static_cast<std::size_t>(channel)] =
                        static_cast<std::byte>(std::lround(255 * color[channel]));
            }
        }
    }
    return picture;
}

}  // namespace trader
