/// Paints the figure's texture and splits vertices at its seams.

#include "texture.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <map>
#include <tuple>

#include "body.hpp"
#include "face.hpp"

namespace figure {

namespace {

/// A rectangle of the picture and the capsule whose surface is rolled out onto it: u runs around the axis from the
/// seam, v along it from `top` to `bottom`, over the rounded ends.
struct Chart {
    vec2 corner, size;  // of the picture, 0..1
    vec3 top, bottom;
    float radius;
    vec3 front;  // opposite of the seam
};

constexpr float margin = 0.1f;  // of the width, for triangles across the seam

std::vector<Chart> make_charts() {  // in the order of Part
    const vec3 shoulder = skeleton()[l_upper_arm].position, wrist = skeleton()[l_hand].position;
    const vec3 along = arm_direction(), ahead{0, 0, -1}, eye = eye_centre() + vec3(0, 0, 0.01f), mouth = mouth_centre();
    return {
        {{0, 0}, {0.5f, 0.4f}, {0, 1.3f, 0.01f}, {0, 0.95f, 0.005f}, 0.13f, ahead},
        {{0, 0.4f}, {0.3f, 0.3f}, shoulder, wrist, 0.05f, ahead},
        {{0.3f, 0.4f}, {0.35f, 0.4f}, {0.09f, 0.9f, 0}, {0.1f, 0.1f, 0.016f}, 0.07f, ahead},
        {{0.65f, 0.7f}, {0.2f, 0.15f}, wrist, wrist + along * 0.11f, 0.03f, ahead},
        {{0.65f, 0.4f}, {0.35f, 0.3f}, {0.1f, 0.08f, 0.03f}, {0.104f, 0.035f, -0.12f}, 0.06f, {0, 0.5f, -0.8f}},
        {{0.75f, 0.85f}, {0.25f, 0.08f}, {0, 1.52f, 0.012f}, {0, 1.44f, 0.012f}, 0.005f, ahead},
        {{0.6f, 0.85f}, {0.15f, 0.15f}, {0, 1.65f, 0.01f}, {0, 1.45f, 0.01f}, 0.02f, ahead},
        {{0.5f, 0}, {0.5f, 0.4f}, {0, 1.64f, 0.004f}, {0, 1.6f, 0.004f}, 0.09f, ahead},
        {{0.9f, 0.96f}, {0.03f, 0.04f}, mouth + vec3(0, 0.01f, 0.02f), mouth + vec3(0, -0.02f, 0.02f), 0.02f, ahead},
        {{0.85f, 0.7f}, {0.15f, 0.15f}, {0, 1.67f, 0.03f}, {0, 1.655f, 0.03f}, 0.09f, ahead},
        {{0.93f, 0.93f}, {0.07f, 0.07f}, eye + vec3(0, 0.002f, 0), eye - vec3(0, 0.002f, 0), 0.012f, ahead},
        {{0, 0.7f}, {0.3f, 0.3f}, {0, 0.06f, 0}, {0, 0.02f, 0}, 0.12f, ahead},
        {{0.75f, 0.93f}, {0.15f, 0.03f}, {0, 0.05f, 0}, {0, 0.013f, 0}, 0.001f, ahead},
        {{0.3f, 0.8f}, {0.3f, 0.2f}, {0, -0.02f, 0}, {0, -0.2f, 0}, 0.04f, ahead},
        {{0.75f, 0.96f}, {0.15f, 0.04f}, {0, -0.1f, 0}, {0, -0.18f, 0}, 0.04f, ahead},
    };
}

const Chart& chart_of(Part part) {
    static const std::vector<Chart> charts = make_charts();
    return charts[static_cast<std::size_t>(part)];
}

bool is_paired(Part part) {
    return part == Part::arm || part == Part::leg || part == Part::boot || part == Part::hand || part == Part::eye;
}

/// Around (turns from the seam) and along (0..1); `sure` is false on the axis, where no direction leads.
vec2 roll_out(const Chart& chart, vec3 p, bool& sure) {
    const vec3 axis = glm::normalize(chart.bottom - chart.top);
    const vec3 front = glm::normalize(chart.front - axis * glm::dot(axis, chart.front)), side = glm::cross(axis, front);
    const float length = glm::distance(chart.top, chart.bottom), along = glm::dot(p - chart.top, axis);
    const vec3 across = p - chart.top - axis * along;
    const float radius = glm::length(across);
    float distance = along;
    if (along < 0) distance = -chart.radius * std::atan2(-along, radius);
    if (along > length) distance = length + chart.radius * std::atan2(along - length, radius);
    const float cap = chart.radius * glm::half_pi<float>();
    sure = radius > 1e-4f;
    return {0.5f + std::atan2(glm::dot(across, side), glm::dot(across, front)) / glm::two_pi<float>(),
            (distance + cap) / (length + 2 * cap)};
}

/// The texture coordinates of a triangle, unbroken where it crosses the seam.
std::array<vec2, 3> unwrap_triangle(const std::array<vec3, 3>& corners, Part part) {
    const Chart& chart = chart_of(part);
    const bool flip = is_paired(part) && corners[0].x + corners[1].x + corners[2].x < 0;  // both sides share a chart
    std::array<vec2, 3> uv;
    std::array<bool, 3> sure{};
    for (std::size_t i = 0; i < 3; ++i) uv[i] = roll_out(chart, corners[i] * vec3(flip ? -1 : 1, 1, 1), sure[i]);
    float highest = 0;
    for (std::size_t i = 0; i < 3; ++i)
        if (sure[i]) highest = std::max(highest, uv[i].x);
    float sum = 0, count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!sure[i]) continue;
        if (highest - uv[i].x > 0.5f) uv[i].x += 1;
        sum += uv[i].x;
        count += 1;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (!sure[i]) uv[i].x = sum / std::max(count, 1.0f);
        uv[i].x = std::min((uv[i].x + margin) / (1 + 2 * margin), 1.0f);
        uv[i] = chart.corner + chart.size * (0.02f + 0.96f * uv[i]);
    }
    return uv;
}

void add_tangents(const Shape& shape, RenderShape& rendered) {
    std::vector<vec3> along_u(rendered.uv.size(), vec3(0)), along_v(rendered.uv.size(), vec3(0));
    for (const auto& [corners, part] : rendered.triangles) {
        const auto at = [&, &vertices = corners](std::size_t i) {
            return shape.positions[rendered.original[vertices[i]]];
        };
        const vec3 p1 = at(1) - at(0), p2 = at(2) - at(0);
        const vec2 t1 = rendered.uv[corners[1]] - rendered.uv[corners[0]],
                   t2 = rendered.uv[corners[2]] - rendered.uv[corners[0]];
        const float area = t1.x * t2.y - t2.x * t1.y;
        if (std::abs(area) < 1e-12f) continue;
        for (const std::uint32_t corner : corners) {
            along_u[corner] += (p1 * t2.y - p2 * t1.y) / area * std::abs(area);
            along_v[corner] += (p2 * t1.x - p1 * t2.x) / area * std::abs(area);
        }
    }
    for (std::size_t i = 0; i < rendered.uv.size(); ++i) {
        const vec3 normal = shape.normals[rendered.original[i]];
        vec3 tangent = along_u[i] - normal * glm::dot(normal, along_u[i]);
        if (glm::length(tangent) < 1e-12f)
            tangent = glm::cross(normal, std::abs(normal.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0));
        tangent = glm::normalize(tangent);
        rendered.tangents.emplace_back(tangent, glm::dot(glm::cross(normal, tangent), along_v[i]) < 0 ? -1.0f : 1.0f);
    }
}

// ---- paint: colours by place in space, so that patterns run on across the charts' borders (sRGB, 0..1) ----

vec3 rgb(int r, int g, int b) { return vec3(r, g, b) / 255.0f; }
float band(float value, float low, float high, float edge = 0.0015f) {
    return glm::smoothstep(low - edge, low + edge, value) * (1 - glm::smoothstep(high - edge, high + edge, value));
}
float spot(vec3 p, vec3 centre, float radius) {
    return std::exp(-glm::dot(p - centre, p - centre) / (radius * radius));
}

/// Rings of a trunk that stands a little askew, with fibres along it.
vec3 wood(vec3 p) {
    const float wobble = 0.006f * std::sin(9 * p.y + 3 * p.x) + 0.003f * std::sin(31 * p.y);
    const float radius = glm::length(vec2(p.x + 0.13f + 0.1f * p.y + wobble, p.z * 1.3f + 0.19f));
    const float ring = 0.5f + 0.5f * std::sin(radius * 380 + 2 * std::sin(radius * 120));
    const float fibre = 0.5f + 0.5f * std::sin(radius * 2900 + 40 * p.y);
    return glm::mix(rgb(226, 178, 128), rgb(204, 149, 99), 0.42f * ring * ring + 0.12f * fibre);
}

vec3 weave(vec3 color, vec3 p) {
    const float threads = std::sin(p.y * 520) * std::sin((p.x + p.z) * 520);
    return color * (1 + 0.02f * threads);
}

vec3 paint_torso(vec3 p) {
    const vec3 cloth = rgb(38, 98, 104), cream = rgb(238, 224, 192), rust = rgb(186, 82, 54);
    if (p.y < 0.92f && glm::length(vec2(p.x / 1.2f, p.z)) < 0.135f) return rgb(70, 58, 48);  // under the skirt
    vec3 color = weave(cloth, p);
    color = glm::mix(color, cream, band(p.y, 0.8f, 0.838f));
    const float zigzag = 0.819f + 0.008f * std::asin(std::sin(std::atan2(p.x, -p.z) * 24)) / glm::half_pi<float>();
    color = glm::mix(color, rust, band(p.y, zigzag - 0.003f, zigzag + 0.003f));
    if (p.z < 0 && p.y > 1.05f) {  // the placket and its buttons
        color = glm::mix(color, cloth * 0.72f, band(std::abs(p.x), 0.017f, 0.0195f, 0.0008f));
        const float nearest = std::round((p.y - 1.115f) / 0.075f) * 0.075f + 1.115f;
        const float button = glm::length(vec2(p.x, p.y - nearest));
        color = glm::mix(color, rgb(228, 186, 98), band(button, -1, 0.0095f, 0.001f));
        color = glm::mix(color, rgb(150, 104, 44),
                         band(button, 0.0075f, 0.0095f, 0.0006f) + band(button, -1, 0.002f, 0.0008f));
    }
    if (p.y > 1.0105f && p.y < 1.0595f) {  // the belt
        color = rgb(112, 66, 38) * (1 - 0.25f * band(std::abs(p.y - 1.035f), 0.014f, 0.016f, 0.0006f));
        const vec2 buckle = glm::abs(vec2(p.x, p.y - 1.035f));
        if (p.z < 0 && std::max(buckle.x - 0.006f, buckle.y) < 0.018f)
            color = std::max(buckle.x - 0.006f, buckle.y) > 0.0115f || buckle.x < 0.0025f ? rgb(226, 182, 92)
                                                                                          : rgb(84, 48, 30);
    }
    return color;
}

vec3 paint_arm(vec3 p) {
    const vec3 cloth = rgb(38, 98, 104);
    const float along = glm::dot(p - skeleton()[l_upper_arm].position, arm_direction());
    vec3 color = glm::mix(cloth, rgb(238, 224, 192), band(along, 0.472f, 0.6f));
    return glm::mix(color, rgb(186, 82, 54), band(along, 0.455f, 0.463f));
}

vec3 paint_scarf(vec3 p) {
    const float stripes = std::sin(std::atan2(p.x, -p.z) * 12 + 25 * p.y);
    return weave(glm::mix(rgb(226, 170, 66), rgb(186, 82, 54), band(stripes, 0.6f, 2, 0.1f)), p);
}

vec3 paint_leg(vec3 p) {
    if (p.y < 0.288f) return rgb(92, 58, 38);   // the boot's shaft
    if (p.y < 0.35f) return rgb(158, 112, 74);  // its turned-down top
    const float stripes = std::sin(std::atan2(p.x - 0.095f, p.z) * 9);
    return weave(rgb(108, 90, 76) * (1 - 0.1f * band(stripes, 0.75f, 2, 0.1f)), p);
}

vec3 paint_boot(vec3 p) {
    const vec3 leather = glm::mix(rgb(92, 58, 38), rgb(132, 88, 58), 0.4f * spot(p, {0.104f, 0.08f, -0.11f}, 0.08f));
    return glm::mix(leather, rgb(44, 30, 24), band(p.y, -1, 0.013f));
}

vec3 paint_head(vec3 p) {
    vec3 color = wood(p);
    if (p.z > -0.02f) return color;
    const vec3 at{std::abs(p.x), p.y, p.z}, mouth = mouth_centre(), eye = eye_centre();
    color = glm::mix(color, rgb(222, 116, 86), 0.5f * spot(at, {0.048f, 1.598f, -0.075f}, 0.02f));
    color = glm::mix(color, rgb(214, 130, 92), 0.35f * spot(at, {0, 1.605f, -0.12f}, 0.014f));
    const float brow = eye.y + 0.027f - 5.0f * (at.x - 0.037f) * (at.x - 0.037f) - at.y;
    const float thickness = 0.0035f * glm::smoothstep(0.058f, 0.03f, at.x) + 0.0008f;
    color = glm::mix(color, rgb(82, 50, 32),
                     band(at.x, 0.016f, 0.055f, 0.002f) * band(std::abs(brow), -1, thickness, 0.0009f));
    const vec2 lip = vec2(at.x, p.y - mouth.y) / vec2(0.0295f, p.y > mouth.y ? 0.0085f : 0.0105f);
    const float dip = p.y > mouth.y ? 0.25f * std::exp(-at.x * at.x / 0.00003f) : 0.0f;  // of the upper lip
    color = glm::mix(color, rgb(188, 92, 74), 0.85f * (1 - glm::smoothstep(0.85f, 1.05f, glm::length(lip) + dip)));
    return color;
}

vec3 paint_hat(vec3 p) {
    return rgb(164, 70, 46) * (1 + 0.03f * std::sin(p.x * 700) * std::sin(p.z * 760 + p.y * 500));
}

vec3 paint_lantern(vec3 p) {
    const vec3 iron = rgb(58, 54, 56), brass = rgb(206, 158, 74);
    const bool handle = p.y > -0.07f, rims = band(p.y, -0.225f, -0.214f) + band(p.y, -0.125f, -0.114f) > 0.5f;
    return handle || rims ? brass : iron;
}

vec3 paint_eye(vec3 p) {
    const vec3 at = p - eye_centre();
    const vec3 iris = glm::mix(rgb(22, 14, 12), rgb(92, 54, 30), 0.8f * glm::smoothstep(0.0f, -0.012f, at.y));
    return glm::mix(iris, rgb(255, 252, 244),
                    1 - glm::smoothstep(0.0022f, 0.003f, glm::length(vec2(at) - vec2(0.0015f, 0.0055f))));
}

vec3 paint_part(Part part, vec3 p) {
    switch (part) {
        case Part::torso:
            return paint_torso(p);
        case Part::arm:
            return paint_arm(p);
        case Part::leg:
            return paint_leg(p);
        case Part::hand:
            return wood(vec3(p.y * 0.4f, p.x * 0.6f, p.z));
        case Part::boot:
            return paint_boot(p);
        case Part::neck:
            return p.y > 1.475f ? wood(p) : rgb(38, 98, 104);
        case Part::head:
            return paint_head(p);
        case Part::mouth:
            return rgb(84, 30, 30);
        case Part::hair:
            return rgb(92, 56, 34) * (0.92f + 0.12f * std::sin(std::atan2(p.x, p.z - 0.03f) * 60 + 20 * p.y));
        case Part::scarf:
            return paint_scarf(p);
        case Part::hat:
            return paint_hat(p);
        case Part::hat_band:
            return weave(rgb(58, 40, 34), p);
        case Part::eye:
            return paint_eye(p);
        case Part::lantern:
            return paint_lantern(p);
        case Part::flame:
            break;
    }
    return rgb(255, 214, 128);
}

/// How open the place is to the sky, from the fields of body and head: 1 is free, 0 is deep in a fold.
float openness(vec3 p, vec3 normal) {
    float hidden = 0, share = 0.5f;
    p += normal * std::max(0.0f, -body_field().distance(p));  // flat triangles cut into round limbs
    for (const float height : {0.008f, 0.02f, 0.045f, 0.09f}) {
        const vec3 sample = p + normal * height;
        const float distance = std::min(body_field().distance(sample), head_field().distance(sample));
        hidden += share * glm::clamp((height - distance) / height, 0.0f, 1.0f);
        share *= 0.8f;
    }
    return glm::clamp(1 - 0.45f * hidden, 0.0f, 1.0f);
}

bool has_folds(Part part, vec3 p) {
    const bool is_ear = part == Part::neck && p.y > 1.57f;
    return (part == Part::torso || part == Part::arm || part == Part::leg || part == Part::neck ||
            part == Part::head) &&
           !is_ear;
}

}  // namespace

RenderShape unwrap(const Shape& shape) {
    RenderShape rendered;
    std::map<std::tuple<std::uint32_t, bool, float, float>, std::uint32_t> known;
    for (const auto& [corners, part] : shape.triangles) {
        const auto uv = unwrap_triangle(
            {shape.positions[corners[0]], shape.positions[corners[1]], shape.positions[corners[2]]}, part);
        const vec2 a = uv[1] - uv[0], b = uv[2] - uv[0];
        const bool turned = a.x * b.y < b.x * a.y;  // tangents of both kinds must not meet in one vertex
        Triangle triangle{{}, part};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto next = static_cast<std::uint32_t>(rendered.uv.size());
            const auto [entry, fresh] = known.try_emplace({corners[i], turned, uv[i].x, uv[i].y}, next);
            triangle.corners[i] = entry->second;
            if (!fresh) continue;
            rendered.original.push_back(corners[i]);
            rendered.uv.push_back(uv[i]);
        }
        rendered.triangles.push_back(triangle);
    }
    add_tangents(shape, rendered);
    return rendered;
}

Canvas::Canvas(int size)
    : size_(size), pixels_(static_cast<std::size_t>(size * size), rgb(150, 110, 80)), painted_(pixels_.size(), 0) {}

void Canvas::paint(const Shape& shape, const RenderShape& rendered) {
    for (const auto& [corners, part] : rendered.triangles) {
        std::array<vec2, 3> uv;
        std::array<vec3, 3> position, normal;
        for (std::size_t i = 0; i < 3; ++i) {
            uv[i] = rendered.uv[corners[i]] * static_cast<float>(size_);
            position[i] = shape.positions[rendered.original[corners[i]]];
            normal[i] = shape.normals[rendered.original[corners[i]]];
        }
        const vec2 a = uv[1] - uv[0], b = uv[2] - uv[0];
        const float area = a.x * b.y - b.x * a.y;
        const bool twin = is_paired(part) && position[0].x + position[1].x + position[2].x < 0;
        if (std::abs(area) < 1e-6f || twin) continue;
        const glm::ivec2 low(glm::floor(glm::min(glm::min(uv[0], uv[1]), uv[2])));
        const glm::ivec2 high(glm::ceil(glm::max(glm::max(uv[0], uv[1]), uv[2])));
        for (int y = low.y; y <= high.y; ++y) {
            for (int x = low.x; x <= high.x; ++x) {
                const vec2 c = vec2(x, y) + 0.5f - uv[0];
                const vec3 share{0, (c.x * b.y - b.x * c.y) / area, (a.x * c.y - c.x * a.y) / area};
                const vec3 weights{1 - share.y - share.z, share.y, share.z};
                const float edge = -0.02f;
                if (weights.x < edge || weights.y < edge || weights.z < edge) continue;
                const vec3 p = position[0] * weights.x + position[1] * weights.y + position[2] * weights.z;
                const vec3 n = normal[0] * weights.x + normal[1] * weights.y + normal[2] * weights.z;
                const auto pixel =
                    static_cast<std::size_t>(std::clamp(y, 0, size_ - 1) * size_ + std::clamp(x, 0, size_ - 1));
                pixels_[pixel] = paint_part(part, p) * (has_folds(part, p) ? openness(p, n) : 1.0f);
                painted_[pixel] = 1;
            }
        }
    }
}

effigy::image::Picture Canvas::finish() {
    for (int pass = 0; pass < 6; ++pass) {
        const std::vector<std::uint8_t> before = painted_;
        for (int y = 1; y + 1 < size_; ++y) {
            for (int x = 1; x + 1 < size_; ++x) {
                const auto pixel = static_cast<std::size_t>(y * size_ + x), row = static_cast<std::size_t>(size_);
                if (before[pixel]) continue;
                for (const std::size_t next : {pixel - 1, pixel + 1, pixel - row, pixel + row}) {
                    if (!before[next]) continue;
                    pixels_[pixel] = pixels_[next];
                    painted_[pixel] = 1;
                }
            }
        }
    }
    effigy::image::Picture picture{static_cast<std::uint32_t>(size_), static_cast<std::uint32_t>(size_), {}, false, {}};
    picture.rgba.reserve(pixels_.size() * 4);
    for (const vec3 color : pixels_) {
        for (int i = 0; i < 3; ++i)
            picture.rgba.push_back(static_cast<std::byte>(std::lround(255 * glm::clamp(color[i], 0.0f, 1.0f))));
        picture.rgba.push_back(std::byte{255});
    }
    return picture;
}

}  // namespace figure
