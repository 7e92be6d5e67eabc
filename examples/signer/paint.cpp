/// Paints the signer's charts into one texture.

#include "paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "face.hpp"

namespace signer {

namespace {

vec3 rgb(int r, int g, int b) { return vec3(r, g, b) / 255.0f; }

/// 1 between the two numbers, with soft edges.
float band(float value, float low, float high, float edge) {
    return glm::smoothstep(low - edge, low + edge, value) * (1 - glm::smoothstep(high - edge, high + edge, value));
}
float spot(vec2 p, vec2 centre, vec2 size) {
    const vec2 off = (p - centre) / size;
    return std::exp(-glm::dot(off, off));
}

const vec3 skin = rgb(214, 158, 122), rose = rgb(206, 112, 92), lip = rgb(176, 78, 72), hair = rgb(62, 36, 28),
           wool = rgb(28, 112, 124), denim = rgb(46, 54, 80), leather = rgb(226, 222, 212);

vec2 spread_out(vec2 place) {
    const float length = glm::length(place);
    return length > 0 ? place * std::pow(length, 0.25f) * 0.33f : place;
}

vec3 paint_head(vec2 place) {
    const vec2 p = spread_out(place);
    const vec2 even(std::abs(p.x), p.y);
    vec3 color = skin;
    color = glm::mix(color, rose, 0.34f * spot(even, {0.046f, 0.03f}, {0.02f, 0.015f}));
    color = glm::mix(color, rose, 0.25f * spot(even, {0, 0.047f}, {0.011f, 0.008f}));
    color = glm::mix(color, rose, 0.14f * spot(even, {0.034f, 0.085f}, {0.02f, 0.012f}));
    const vec3 wing(0.0052f, 1.6295f, 0.095f);
    color = glm::mix(color, rgb(92, 46, 38), 0.85f * spot(even, plane_of(wing), {0.0034f, 0.0022f}));
    const Ring ring = ring_of({p.x, p.y - 5.4f * p.x * p.x * std::exp(-p.y * p.y / 1.5e-4f)});
    const float width = lip_width(ring.around);
    color = glm::mix(color, lip, 0.92f * (1 - glm::smoothstep(0.82f * width, 1.08f * width, ring.out)));
    return glm::mix(color, lip * 0.55f, 0.55f * (1 - glm::smoothstep(0.0f, 0.0011f, ring.out)));
}

vec3 paint_eye(vec2 p) {
    const float radius = glm::length(p), turn = std::atan2(p.y, p.x);
    const vec3 white = glm::mix(rgb(246, 242, 238), rgb(216, 170, 160), glm::smoothstep(0.55f, 1.1f, radius));
    const float rays = 0.5f + 0.5f * std::sin(23 * turn) * std::sin(7 * turn + 1);
    vec3 iris = glm::mix(rgb(120, 74, 34), rgb(66, 38, 22), glm::smoothstep(0.18f, 0.4f, radius));
    iris = glm::mix(iris, rgb(168, 112, 56), 0.35f * rays * band(radius, 0.2f, 0.34f, 0.04f));
    vec3 color = glm::mix(iris, white, glm::smoothstep(0.42f, 0.46f, radius));
    color = glm::mix(color, rgb(14, 10, 10), 1 - glm::smoothstep(0.18f, 0.21f, radius));
    color =
        glm::mix(color, rgb(255, 255, 255), 1 - glm::smoothstep(0.075f, 0.105f, glm::distance(p, vec2(0.15f, 0.17f))));
    return glm::mix(color, rgb(255, 255, 255),
                    0.5f * (1 - glm::smoothstep(0.02f, 0.06f, glm::distance(p, vec2(-0.15f, -0.17f)))));
}

/// The upper half belongs to upper lids, whose edges carry the lashes.
vec3 paint_lid(vec2 p) {
    const float out = std::abs(p.y - 0.5f) * 2;
    if (p.y < 0.5f) return glm::mix(rgb(190, 120, 98), skin, glm::smoothstep(0.02f, 0.16f, out));
    const vec3 shade = glm::mix(rgb(196, 132, 104), skin, glm::smoothstep(0.15f, 0.5f, out));
    return glm::mix(rgb(30, 18, 16), shade, glm::smoothstep(0.07f, 0.12f, out));
}

vec3 paint_mouth(vec2 p) { return glm::mix(lip * 0.5f, rgb(46, 14, 18), glm::smoothstep(0.0f, 0.4f, p.y)); }

vec3 paint_teeth(vec2 p) {
    const float gap = std::abs(std::fmod(p.x * 10, 1.0f) - 0.5f);
    const vec3 tooth = rgb(244, 238, 224) * (1 - 0.16f * glm::smoothstep(0.42f, 0.5f, gap));
    return glm::mix(rgb(190, 92, 92), tooth, glm::smoothstep(0.06f, 0.16f, p.y));
}

vec3 paint_tongue(vec2 p) { return rgb(204, 96, 96) * (1 - 0.16f * spot({p.x, 0}, {0.5f, 0}, {0.06f, 1})); }
vec3 paint_brow(vec2 p) { return hair * (1 + 0.18f * std::sin(p.x * 90 + p.y * 9)); }
vec3 paint_neck(vec2 p) { return skin * glm::mix(1.0f, 0.86f, band(p.y, 0.55f, 2, 0.2f)); }

vec3 paint_hair(vec2 p) {
    const float turn = std::atan2(p.x - 0.03f, p.y - 1.7f);
    const float strands = std::sin(turn * 60 + 6 * std::sin(p.y * 40)) + 0.6f * std::sin(turn * 131 + p.y * 60);
    const float shine = spot({0, p.y}, {0, 1.765f}, {1, 0.018f}) * 0.3f;
    return hair * (1 + 0.13f * strands + shine);
}

vec3 knit(vec2 p) { return wool * (1 + 0.025f * std::sin(p.x * 900) * std::sin(p.y * 700)); }

/// Plain, as hands must stand out from it; a stripe across the chest.
vec3 paint_sweater(vec2 p) {
    const float at = std::abs(p.x) > 0.21f ? 1 : p.y;
    const vec3 stripe = rgb(232, 214, 170) * (1 + 0.025f * std::sin(p.x * 900) * std::sin(p.y * 700));
    return glm::mix(knit(p), stripe, 0.9f * (band(at, 1.196f, 1.216f, 0.001f) + band(at, 1.224f, 1.23f, 0.001f)));
}

vec3 paint_rib(vec2 p) { return wool * (0.74f + 0.09f * std::sin(p.x * 40 * 6.2832f)); }

vec3 paint_trousers(vec2 p) {
    const float weave = std::sin((p.x + p.y) * 1400) * std::sin(p.x * 900);
    vec3 color = denim * (1 + 0.06f * weave);
    const float leg = std::abs(std::abs(p.x) - 0.095f);
    color = glm::mix(color, denim * 1.25f, 0.5f * spot({leg, p.y}, {0, 0.68f}, {0.035f, 0.2f}));
    return glm::mix(color, denim * 0.7f, band(p.y, 0.088f, 0.091f, 0.001f));
}

vec3 paint_shoe(vec2 p) {
    vec3 color = leather;
    color = glm::mix(color, wool * 0.9f,
                     band(p.y, 0.04f, 0.075f, 0.002f) * band(p.x, -0.06f, 0.03f, 0.01f) *
                         band(std::sin((p.x - p.y * 0.6f) * 190), 0.1f, 2, 0.2f));
    color = glm::mix(color, rgb(196, 190, 178),
                     glm::smoothstep(0.098f, 0.1f, p.x - 0.2f * p.y) * band(p.y, 0.02f, 1, 0.001f));
    color = glm::mix(color, rgb(250, 250, 248), 1 - glm::smoothstep(0.019f, 0.02f, p.y));
    return glm::mix(color, rgb(120, 116, 110), 1 - glm::smoothstep(0.002f, 0.005f, p.y));
}

/// A nail lies on the last bone of each finger.
float nail(vec2 p, const char* finger, float half_width) {
    const Joint& last = joint(std::string("L") + finger + "3");
    const vec3 along3(last.rotation * dvec3(1, 0, 0));
    const vec2 along = glm::normalize(vec2(along3.x, along3.z)), across(-along.y, along.x);
    const vec2 at = p - vec2(last.position.x, last.position.z);
    const float length = static_cast<float>(last.length);
    const vec2 local(glm::dot(at, along) - 0.66f * length, glm::dot(at, across));
    const vec2 off = glm::abs(local) / vec2(0.36f * length, half_width);
    return 1 - glm::smoothstep(0.85f, 1.1f, std::pow(off.x, 4.0f) + std::pow(off.y, 4.0f));
}

vec3 paint_hand_back(vec2 p) {
    vec3 color = skin;
    for (const char* finger : fingers) {
        for (int i = 1; i <= 3; ++i) {
            const dvec3 at = joint("L" + std::string(finger) + std::to_string(i)).position;
            color = glm::mix(color, rose, (i == 1 ? 0.26f : 0.32f) * spot(p, vec2(at.x, at.z), vec2(0.0062f)));
        }
        const float width = finger[0] == 'T' ? 0.0068f : finger[0] == 'P' ? 0.0046f : 0.0055f;
        color = glm::mix(color, rgb(236, 184, 162), 0.9f * nail(p, finger, width));
    }
    return color;
}

vec3 paint_hand_palm(vec2 p) {
    const vec3 pale = rgb(226, 168, 138);
    vec3 color = pale;
    const dvec3 wrist = joint("LWRI").position;
    const vec2 at = p - vec2(wrist.x, wrist.z);
    const float lines = std::min({std::abs(at.y - 0.02f + 2.6f * std::pow(at.x - 0.085f, 2.0f) * 4) * 1.4f,
                                  std::abs(at.x - 0.078f - 0.25f * at.y + 8 * at.y * at.y)});
    if (at.x > 0.035f && at.x < 0.098f && std::abs(at.y) < 0.034f)
        color = glm::mix(color, rose, 0.45f * (1 - glm::smoothstep(0.0006f, 0.0022f, lines)));
    for (const char* finger : fingers) {
        for (int i = 2; i <= 3; ++i) {
            const Joint& joint = signer::joint("L" + std::string(finger) + std::to_string(i));
            const vec3 along(joint.rotation * dvec3(1, 0, 0));
            const vec2 off = p - vec2(joint.position.x, joint.position.z);
            const vec2 local(along.x * off.x + along.z * off.y, along.x * off.y - along.z * off.x);
            color = glm::mix(color, rose, 0.4f * spot(local, {0, 0}, {0.0012f, 0.008f}));
        }
    }
    return color;
}

struct Area {
    vec2 corner, size;  // pixels, from the top left
    vec2 low, high;     // the places that it shows
    vec3 (*color)(vec2 place);
};

constexpr float size = 1024;
constexpr float border = 2;  // pixels that repeat the edge

const std::array<Area, static_cast<std::size_t>(Chart::count)>& areas() {
    static const std::array<Area, static_cast<std::size_t>(Chart::count)> all{{
        {{0, 0}, {512, 512}, {-1, -1}, {1, 1}, paint_head},
        {{0, 512}, {128, 128}, {-1.15f, -1.15f}, {1.15f, 1.15f}, paint_eye},
        {{128, 512}, {128, 128}, {0, 0}, {1, 1}, paint_lid},
        {{0, 640}, {64, 64}, {0, 0}, {1, 1}, paint_mouth},
        {{64, 640}, {128, 64}, {0, 0}, {1, 1}, paint_teeth},
        {{192, 640}, {64, 64}, {0, 0}, {1, 1}, paint_tongue},
        {{0, 704}, {128, 32}, {0, 0}, {1, 1}, paint_brow},
        {{128, 704}, {128, 64}, {0, 0}, {1, 1}, paint_neck},
        {{0, 768}, {192, 256}, {-0.125f, 1.53f}, {0.125f, 1.85f}, paint_hair},
        {{192, 768}, {192, 256}, {-0.125f, 1.53f}, {0.125f, 1.85f}, paint_hair},
        {{512, 0}, {512, 256}, {-0.68f, 0.83f}, {0.68f, 1.53f}, paint_sweater},
        {{512, 256}, {512, 256}, {-0.68f, 0.83f}, {0.68f, 1.53f}, paint_sweater},
        {{704, 512}, {160, 512}, {-0.2f, 0.05f}, {0.2f, 1.08f}, paint_trousers},
        {{864, 512}, {160, 512}, {-0.2f, 0.05f}, {0.2f, 1.08f}, paint_trousers},
        {{384, 512}, {160, 112}, {-0.1f, -0.01f}, {0.17f, 0.19f}, paint_shoe},
        {{544, 512}, {160, 112}, {-0.1f, -0.01f}, {0.17f, 0.19f}, paint_shoe},
        {{384, 624}, {320, 200}, {0.58f, -0.085f}, {0.9f, 0.115f}, paint_hand_back},
        {{384, 824}, {320, 200}, {0.58f, -0.085f}, {0.9f, 0.115f}, paint_hand_palm},
        {{256, 512}, {128, 64}, {0, 0}, {1, 1}, paint_rib},
    }};
    return all;
}

}  // namespace

vec2 texcoord(Chart chart, vec2 place) {
    const Area& area = areas()[static_cast<std::size_t>(chart)];
    const vec2 part = glm::clamp((place - area.low) / (area.high - area.low), vec2(0), vec2(1));
    const vec2 inner = area.size - 2 * border;
    const vec2 pixel(area.corner.x + border + part.x * inner.x, area.corner.y + border + (1 - part.y) * inner.y);
    return vec2(pixel.x, size - pixel.y) / size;
}

vec2 drawn_together(vec2 plane) {
    const float length = glm::length(plane) / 0.33f;
    return length > 0 ? plane / 0.33f * std::pow(length, -0.2f) : plane;
}

effigy::image::Picture paint() {
    constexpr int pixels = static_cast<int>(size);
    effigy::image::Picture picture{
        pixels, pixels, effigy::Bytes(std::size_t{pixels} * pixels * 4, std::byte{255}), false, {}};
    for (const Area& area : areas()) {
        for (int y = 0; y < static_cast<int>(area.size.y); ++y) {
            for (int x = 0; x < static_cast<int>(area.size.x); ++x) {
                const vec2 at = (vec2(x, y) + 0.5f - border) / (area.size - 2 * border);
                const vec2 part = glm::clamp(vec2(at.x, 1 - at.y), vec2(0), vec2(1));
                const vec3 color = glm::clamp(area.color(glm::mix(area.low, area.high, part)), vec3(0), vec3(1));
                const auto pixel = static_cast<std::size_t>((static_cast<int>(area.corner.y) + y) * pixels +
                                                            static_cast<int>(area.corner.x) + x);
                for (int channel = 0; channel < 3; ++channel)
                    picture.rgba[pixel * 4 + static_cast<std::size_t>(channel)] =
                        static_cast<std::byte>(std::lround(255 * color[channel]));
            }
        }
    }
    return picture;
}

}  // namespace signer
