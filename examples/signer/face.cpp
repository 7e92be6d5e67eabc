/// Skin, nose, eyes, teeth, tongue, hair and neck of the signer's head.

#include "face.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

namespace signer {

namespace {

using surfaces::melt;
using surfaces::normal_of;

constexpr float pi = glm::pi<float>();
const vec3 middle{0, 1.65f, 0}, mouth{0, 1.598f, 0.092f};
constexpr float reach = 0.105f;       // metres along the skin for an angle of 1
constexpr float half_width = 0.026f;  // of the mouth

// The skull, as a distance.

std::vector<Blob> make_skull() {
    std::vector<Blob> blobs;
    const auto add = [&](vec3 a, vec3 b, float radius_a, float radius_b, vec3 squash = {1, 1, 1}) {
        blobs.push_back({0, a, b, radius_a, radius_b, squash});
    };
    const auto add_pair = [&](vec3 a, vec3 b, float radius_a, float radius_b, vec3 squash = {1, 1, 1}) {
        add(a, b, radius_a, radius_b, squash);
        add(a * vec3(-1, 1, 1), b * vec3(-1, 1, 1), radius_a, radius_b, squash);
    };
    add({0, 1.708f, -0.014f}, {0, 1.708f, -0.014f}, 0.088f, 0.088f, {0.9f, 0.98f, 1.1f});
    add({0, 1.668f, 0.026f}, {0, 1.635f, 0.032f}, 0.056f, 0.046f, {1.13f, 1, 0.98f});
    add({0, 1.582f, 0.06f}, {0, 1.582f, 0.06f}, 0.022f, 0.022f, {1.15f, 0.95f, 1});
    add({0, 1.6f, 0.056f}, {0, 1.6f, 0.056f}, 0.031f, 0.031f);
    add_pair({0.036f, 1.604f, 0.012f}, {0.014f, 1.584f, 0.046f}, 0.026f, 0.021f);
    add_pair({0.033f, 1.632f, 0.054f}, {0.033f, 1.632f, 0.054f}, 0.026f, 0.026f);
    add_pair({0.03f, 1.7f, 0.064f}, {0.02f, 1.7f, 0.068f}, 0.019f, 0.019f);
    add_pair({0.03f, 1.6515f, 0.0615f}, {0.042f, 1.653f, 0.057f}, 0.0145f, 0.0145f);  // around the eyes
    add_pair({0.03f, 1.688f, 0.0625f}, {0.043f, 1.687f, 0.057f}, 0.0145f, 0.0145f);
    return blobs;
}

std::vector<Blob> make_nose() {
    return {{0, {0, 1.675f, 0.082f}, {0, 1.64f, 0.1f}, 0.0065f, 0.0115f},
            {0, {0.0095f, 1.635f, 0.09f}, {0.0095f, 1.635f, 0.09f}, 0.0075f, 0.0075f},
            {0, {-0.0095f, 1.635f, 0.09f}, {-0.0095f, 1.635f, 0.09f}, 0.0075f, 0.0075f}};
}

float head_distance(vec3 p) {
    static const std::vector<Blob> skull = make_skull(), nose = make_nose();
    const float body = melt(melt(skull, p, 0.008f), melt(nose, p, 0.0025f), 0.006f);
    const vec3 eye = left_eye();
    const float socket = glm::distance(vec3(std::abs(p.x), p.y, p.z), eye + vec3(0, 0, 0.009f)) - 0.72f * eye_radius;
    return -melt(-body, socket, 0.005f);
}

/// Where a ray from the middle of the head leaves it.
vec3 on_head(vec3 direction) {
    float far = 0.25f;
    for (int step = 0; step < 200 && far > 0; ++step) {
        const float distance = head_distance(middle + far * direction);
        if (distance < 1e-6f) break;
        far -= 0.5f * distance;
    }
    return middle + far * direction;
}

// Rings about the mouth, out to the back of the head.

const vec3 ahead = glm::normalize(mouth - middle), up = glm::cross(ahead, vec3(1, 0, 0));

vec2 plane_at(Ring ring) {
    const float width = half_width * (1 - glm::smoothstep(0.05f, 0.2f, ring.out));
    return {(width + ring.out) * std::cos(ring.around), ring.out * std::sin(ring.around)};
}

vec3 direction_at(vec2 plane) {
    const float length = glm::length(plane), angle = std::min(length / reach, pi);
    if (length < 1e-7f) return ahead;
    return std::cos(angle) * ahead + std::sin(angle) * (plane.x * vec3(1, 0, 0) + plane.y * up) / length;
}

vec3 skin_at(Ring ring) {
    vec2 plane = plane_at(ring);
    const float across = plane.x / half_width;
    plane.y += 0.003f * across * across * std::exp(-ring.out * ring.out / 1.5e-4f);  // a friendly mouth
    const vec3 p = on_head(direction_at(plane));
    const float side = std::abs(std::sin(ring.around)), width = lip_width(ring.around);
    float lips = 0;
    if (ring.out < 1.6f * width) {
        const float part = ring.out / width;
        const float height = std::sin(ring.around) > 0 ? 0.0042f : 0.0052f;
        lips = height * std::sqrt(side) *
               (std::exp(-std::pow((part - 0.45f) / 0.42f, 2.0f)) - 0.2f * std::exp(-part * part / 0.02f));
    }
    return p + lips * normal_of(head_distance, p);
}

std::vector<float> ring_distances() {
    std::vector<float> result{0, 0.0009f, 0.0022f, 0.0038f, 0.0055f, 0.0072f, 0.009f, 0.011f, 0.0135f};
    float step = 0.0038f;
    while (result.back() + step < pi * reach - 0.004f) {
        result.push_back(result.back() + step);
        if (result.back() > 0.115f) step = std::min(step * 1.2f, 0.016f);
    }
    return result;
}

constexpr int columns = 96;

float column_angle(int column) { return 2 * pi * static_cast<float>(column) / columns; }

Weights on(const char* name) { return {{bone(name), 1}}; }

void add_skin(Mesh& mesh) {
    const std::vector<float> distances = ring_distances();
    const vec2 pole(0, pi * reach);
    Row before = add_row(mesh, 1, [&](int) {
        return Point{on_head(-ahead), on("HEAD"), {Organ::skin, false, pi / 2, pole.y, pole}};
    });
    float before_out = pole.y;
    const auto place = [](float out, int column) { return drawn_together(plane_at({column_angle(column), out})); };
    for (std::size_t k = distances.size(); k-- > 0;) {
        const float out = distances[k];
        const Row row = add_row(mesh, columns, [&](int i) {
            const Ring ring{column_angle(i), out};
            return Point{skin_at(ring), on("HEAD"), {Organ::skin, false, ring.around, out, plane_at(ring)}};
        });
        stitch(mesh, before, row, true, Chart::head,
               [&](int column, int side) { return place(side == 0 ? before_out : out, column); });
        before = row;
        before_out = out;
    }
    const float depths[] = {0.0015f, 0.004f, 0.008f, 0.014f, 0.022f, 0.03f};
    const float heights[] = {0.002f, 0.006f, 0.009f, 0.011f, 0.011f, 0.007f};
    float before_depth = 0;
    for (int k = 0; k < 7; ++k) {
        const float depth = k < 6 ? depths[k] : 0.033f;
        const Row row = add_row(mesh, k < 6 ? columns : 1, [&](int i) {
            const float angle = column_angle(i);
            const float height = k < 6 ? heights[k] * std::sin(angle) : 0;
            const float narrow = k < 6 ? 1 - 0.4f * depth / 0.033f : 0;
            const vec3 edge = skin_at({angle, 0});
            const vec3 p(edge.x * narrow, edge.y + height, edge.z - depth);
            return Point{p, on("HEAD"), {Organ::mouth, false, angle, -depth, plane_at({angle, 0})}};
        });
        stitch(mesh, before, row, true, Chart::mouth, [&](int column, int side) {
            return vec2(static_cast<float>(column) / columns, (side == 0 ? before_depth : depth) / 0.033f);
        });
        before = row;
        before_depth = depth;
    }
}

void add_teeth(Mesh& mesh, Organ organ) {
    constexpr int count = 15;
    const vec3 front = skin_at({pi / 2, 0});
    const bool is_upper = organ == Organ::upper_teeth;
    const float gums = front.y + (is_upper ? 0.0105f : -0.0125f), edge = front.y + (is_upper ? 0.0012f : -0.0022f);
    Row before;
    for (int k = 0; k < 4; ++k) {
        const float part = static_cast<float>(k) / 3;
        const float y = is_upper ? glm::mix(edge, gums, part) : glm::mix(gums, edge, part);
        const Row row = add_row(mesh, count, [&](int i) {
            const float turn = 1.25f * (2 * static_cast<float>(i) / (count - 1) - 1);
            const float bulge = 0.001f * std::sin(pi * part);
            const vec3 p(0.0195f * std::sin(turn), y, front.z - 0.0045f + bulge - 0.024f * (1 - std::cos(turn)));
            return Point{p, on("HEAD"), {organ, false, turn, part}};
        });
        if (k > 0)
            stitch(mesh, before, row, false, Chart::teeth, [&](int column, int side) {
                const float out = (static_cast<float>(k - 1 + side)) / 3;
                return vec2(static_cast<float>(column) / (count - 1), is_upper ? 1 - out : out);
            });
        before = row;
    }
}

/// A ball by rows from -Y to +Y, its columns turning about Y.
void add_ball(Mesh& mesh, int around, int along, const std::function<Point(vec3 unit)>& point, Chart chart,
              const std::function<vec2(vec3 unit)>& place) {
    const auto unit = [&](int column, int row) {
        const float turn = 2 * pi * static_cast<float>(column) / static_cast<float>(around);
        const float rise = pi * static_cast<float>(row) / static_cast<float>(along);
        return vec3(std::sin(rise) * std::sin(turn), -std::cos(rise), std::sin(rise) * std::cos(turn));
    };
    Row before;
    for (int j = 0; j <= along; ++j) {
        const Row row = add_row(mesh, j == 0 || j == along ? 1 : around, [&](int i) { return point(unit(i, j)); });
        if (j > 0)
            stitch(mesh, before, row, true, chart,
                   [&](int column, int side) { return place(unit(column, j - 1 + side)); });
        before = row;
    }
}

void add_tongue(Mesh& mesh) {
    const vec3 front = skin_at({pi / 2, 0});
    const auto point = [&](vec3 unit) {
        const vec3 p = front + vec3(0, -0.0045f, -0.0245f) + unit * vec3(0.0135f, 0.0042f, 0.016f);
        return Point{p, on("HEAD"), {Organ::tongue, false, unit.x, unit.z}};
    };
    add_ball(mesh, 16, 8, point, Chart::tongue, [](vec3 unit) { return vec2(unit.x, unit.z) * 0.5f + 0.5f; });
}

// Eyes: balls, and lids that slide over them.

constexpr float lid_end = 1.15f;  // radians from the middle of the eye to its corners

/// How far a lid's edge is turned up or down at a place along it.
float lid_edge(bool is_upper, float along, float closed) {
    const float arch = std::sqrt(std::max(1 - along * along, 0.0f));
    const float open = (is_upper ? 0.5f : -0.43f) * arch;
    const float shut = -0.26f * arch;
    return glm::mix(open, shut, closed) + 0.08f * along;  // the outer corner is higher
}

/// A lid of the left eye; `along` runs from -1 at the inner corner to 1, `out` from 0 at the edge to 1.
vec3 lid_at(bool is_upper, float along, float out, float closed) {
    const float edge = lid_edge(is_upper, along, closed), back = is_upper ? 1.75f : -1.75f;
    const float turn = glm::mix(edge, back, std::max(out, 0.0f)), side = lid_end * along;
    const float radius = eye_radius * (out < 0 ? 1.0f : 1.065f);  // a rim leads back to the ball
    return left_eye() + radius * vec3(std::sin(side), std::cos(side) * std::sin(turn), std::cos(side) * std::cos(turn));
}

void add_lid(Mesh& mesh, bool is_upper) {
    constexpr int count = 21;
    const float outs[] = {-1, 0, 0.07f, 0.18f, 0.32f, 0.48f, 0.65f, 0.82f, 1};
    Row before;
    float before_out = 0;
    for (const float out : outs) {
        const Row row = add_row(mesh, count, [&](int i) {
            const float along = 2 * static_cast<float>(i) / (count - 1) - 1;
            const Organ organ = is_upper ? Organ::upper_lid : Organ::lower_lid;
            return Point{lid_at(is_upper, along, out, 0), on("HEAD"), {organ, true, along, out}};
        });
        if (!before.empty()) {
            const Row &low = is_upper ? before : row, &high = is_upper ? row : before;
            stitch(mesh, low, high, false, Chart::lid, [&](int column, int side) {
                const float place = (side == 0) == is_upper ? before_out : out;
                const float along = static_cast<float>(column) / (count - 1);
                return vec2(is_upper ? along : 0.5f * along,
                            is_upper ? 0.5f + 0.5f * place : 0.5f - 0.5f * std::max(place, 0.08f));
            });
        }
        before = row;
        before_out = std::max(out, 0.0f);
    }
}

void add_eye(Mesh& mesh) {
    // Rows run about the axis of sight, so that the iris is round.
    const auto turned = [](vec3 unit) { return vec3(unit.x, -unit.z, unit.y); };
    const auto point = [&](vec3 unit) { return Point{left_eye() + eye_radius * turned(unit), on("LEYE")}; };
    add_ball(mesh, 28, 16, point, Chart::eye, [&](vec3 unit) {
        const vec3 at = turned(unit);
        const float angle = std::acos(glm::clamp(at.z, -1.0f, 1.0f)), flat = glm::length(vec2(at));
        return flat > 1e-6f ? vec2(at) / flat * (angle / (pi / 2)) : vec2(0, at.z > 0 ? 0.0f : 2.0f);
    });
}

void add_brow(Mesh& mesh) {
    constexpr int around = 8, along = 14;
    const auto spine = [](float part) {
        const vec3 flat(glm::mix(0.012f, 0.06f, part), 1.7015f + 0.0075f * std::sin(2.3f * part + 0.2f), 0.09f);
        return on_head(glm::normalize(flat - middle));
    };
    Row before;
    for (int k = 0; k <= along; ++k) {
        const float part = static_cast<float>(k) / along;
        const vec3 at = spine(part), out = normal_of(head_distance, at);
        const vec3 forward = glm::normalize(spine(part + 0.01f) - spine(part - 0.01f));
        const vec3 rise = glm::cross(out, forward);
        const float thick = 0.0042f * std::pow(std::max(1 - part, 0.0f), 0.45f) * glm::smoothstep(-0.14f, 0.08f, part);
        const Row row = add_row(mesh, k == 0 || k == along ? 1 : around, [&](int i) {
            const float turn = 2 * pi * static_cast<float>(i) / around;
            const bool is_end = k == 0 || k == along;
            const vec3 p = is_end ? at : at + thick * (0.45f * std::cos(turn) * out - std::sin(turn) * rise);
            return Point{p, on("HEAD"), {Organ::brow, true, part, 0}};
        });
        if (k > 0)
            stitch(mesh, before, row, true, Chart::brow, [&](int column, int side) {
                return vec2(static_cast<float>(k - 1 + side) / along, static_cast<float>(column) / around);
            });
        before = row;
    }
}

// Hair and neck.

float hair_distance(vec3 p) {
    static const std::vector<Blob> hull{
        {0, {0, 1.722f, -0.014f}, {0, 1.722f, -0.014f}, 0.1f, 0.1f, {0.94f, 0.98f, 1.08f}},
        {0, {0, 1.65f, -0.03f}, {0, 1.6f, -0.034f}, 0.09f, 0.088f, {1.06f, 1, 0.95f}},
        {0, {0.07f, 1.63f, 0.012f}, {0.066f, 1.595f, 0.016f}, 0.03f, 0.026f},
        {0, {-0.07f, 1.63f, 0.012f}, {-0.066f, 1.595f, 0.016f}, 0.03f, 0.026f}};
    static const std::vector<Blob> opening{
        {0, {0, 1.645f, 0.12f}, {0, 1.55f, 0.12f}, 0.074f, 0.074f, {0.98f, 1.28f, 1.25f}},
        {0, {-0.012f, 1.73f, 0.125f}, {0.03f, 1.715f, 0.125f}, 0.034f, 0.03f}};
    const float part = 0.004f * std::exp(-std::pow((p.x - 0.03f) / 0.006f, 2.0f)) * glm::smoothstep(1.74f, 1.8f, p.y);
    const float body = melt(hull, p, 0.012f) + part;
    const float hem = 1.556f + 0.25f * std::max(p.z, 0.0f) - p.y;
    return -melt(melt(-body, melt(opening, p, 0.008f), 0.006f), -hem, 0.006f);
}

void add_hair(Mesh& mesh) {
    const auto solid =
        surfaces::polygonize(hair_distance, {-0.13f, 1.53f, -0.16f}, {0.13f, 1.85f, 0.13f}, vec3(0.0105f));
    add_solid(mesh, solid, {2, Chart::hair_front, Chart::hair_back}, [](vec3) { return on("HEAD"); });
}

void add_neck(Mesh& mesh) {
    constexpr int around = 28, along = 9;
    Row before;
    for (int k = 0; k <= along; ++k) {
        const float part = static_cast<float>(k) / along, y = glm::mix(1.465f, 1.6f, part);
        const Row row = add_row(mesh, around, [&](int i) {
            const float turn = 2 * pi * static_cast<float>(i) / around;
            constexpr float radius = 0.0435f;
            const vec3 p(radius * std::sin(turn), y, radius * std::cos(turn) - 0.016f + 0.05f * (y - 1.5f));
            return Point{p, neck_weights(y)};
        });
        if (k > 0)
            stitch(mesh, before, row, true, Chart::neck, [&](int column, int side) {
                return vec2(static_cast<float>(column) / around, static_cast<float>(k - 1 + side) / along);
            });
        before = row;
    }
}

}  // namespace

Weights neck_weights(float y) {
    const double neck = double{glm::smoothstep(1.42f, 1.5f, y)}, head = double{glm::smoothstep(1.5f, 1.585f, y)};
    Weights weights;
    if (neck < 1) weights.push_back({bone("SPI3"), 1 - neck});
    if (neck > 0 && head < 1) weights.push_back({bone("NEC1"), neck * (1 - head)});
    if (head > 0) weights.push_back({bone("HEAD"), neck * head});
    return weights;
}

vec3 left_eye() { return joint("LEYE").position; }

vec2 plane_of(vec3 p) {
    const vec3 direction = glm::normalize(p - middle);
    const float angle = std::acos(glm::clamp(glm::dot(direction, ahead), -1.0f, 1.0f));
    const vec2 flat(direction.x, glm::dot(direction, up));
    return flat / std::max(glm::length(flat), 1e-7f) * angle * reach;
}

Ring ring_of(vec2 plane) {
    float low = 0, high = pi * reach;
    for (int step = 0; step < 30; ++step) {
        const float out = (low + high) / 2;
        const vec2 across = plane_at({0, out}), along = plane_at({pi / 2, out});
        const vec2 part = plane / vec2(across.x, std::max(along.y, 1e-9f));
        (glm::dot(part, part) > 1 ? low : high) = out;
    }
    return {std::atan2(plane.y / std::max(low, 1e-9f), plane.x / plane_at({0, low}).x), low};
}

float lip_width(float around) {
    const float side = std::abs(std::sin(around));
    return (std::sin(around) > 0 ? 0.0088f - 0.0012f * std::pow(side, 30.0f) : 0.0105f) * (0.25f + 0.75f * side);
}

vec3 lid_motion(const Feature& feature, float closed) {
    const bool is_upper = feature.organ == Organ::upper_lid;
    const vec3 move =
        lid_at(is_upper, feature.around, feature.out, closed) - lid_at(is_upper, feature.around, feature.out, 0);
    return feature.is_left ? move : move * vec3(-1, 1, 1);
}

Mesh make_head() {
    Mesh mesh;
    add_skin(mesh);
    add_teeth(mesh, Organ::upper_teeth);
    add_teeth(mesh, Organ::lower_teeth);
    add_tongue(mesh);
    Mesh side;
    add_eye(side);
    add_lid(side, true);
    add_lid(side, false);
    add_brow(side);
    append(mesh, side);
    append(mesh, mirrored(side));
    add_hair(mesh);
    add_neck(mesh);
    return mesh;
}

}  // namespace signer
