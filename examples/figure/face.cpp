/// Head, eyes and mouth of the figure, and its morph targets.

#include "face.hpp"

#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace figure {

namespace {

constexpr vec3 centre{0, 1.625f, 0.004f};

/// A loop around the mouth: half its width and height as angles seen from the middle of the head, how far it stands
/// off the surface, and how much it moves with the lips.
struct Ring {
    float width, height, offset, follow;
};

constexpr std::array<Ring, 21> rings{{
    {0, 0, -0.028f, 1},           {0.15f, 0.06f, -0.021f, 1}, {0.225f, 0.009f, -0.004f, 1},
    {0.235f, 0.045f, 0.0028f, 1}, {0.27f, 0.1f, 0.0005f, 1},  {0.33f, 0.18f, 0, 0.8f},
    {0.4f, 0.28f, 0, 0.6f},       {0.48f, 0.4f, 0, 0.42f},    {0.57f, 0.52f, 0, 0.27f},
    {0.66f, 0.64f, 0, 0.15f},     {0.77f, 0.76f, 0, 0.05f},   {0.89f, 0.88f, 0, 0},
    {1.02f, 1.02f, 0, 0},         {1.17f, 1.17f, 0, 0},       {1.34f, 1.34f, 0, 0},
    {1.53f, 1.53f, 0, 0},         {1.75f, 1.75f, 0, 0},       {2.0f, 2.0f, 0, 0},
    {2.3f, 2.3f, 0, 0},           {2.7f, 2.7f, 0, 0},         {glm::pi<float>(), glm::pi<float>(), 0, 0},
}};

Field make_head_field() {
    Field field{{{head, Part::head, {0, 1.665f, 0.012f}, {0, 1.645f, 0.0f}, 0.088f, 0.086f, {0.86f, 0.95f, 1.08f}},
                 {head, Part::head, {0, 1.62f, -0.022f}, {0, 1.556f, -0.042f}, 0.07f, 0.036f, {0.95f, 1, 1}},
                 {head, Part::head, {0, 1.64f, -0.095f}, {0, 1.607f, -0.109f}, 0.007f, 0.0125f}},
                0.0085f};
    return field;
}

/// Where the ray from the middle of the head leaves it.
vec3 surface_along(vec3 direction) {
    float inside = 0, outside = 0.2f;
    for (int step = 0; step < 26; ++step) {
        const float middle = (inside + outside) / 2;
        (head_field().distance(centre + direction * middle) < 0 ? inside : outside) = middle;
    }
    return centre + direction * inside;
}

vec3 mouth_direction() { return glm::normalize(vec3(0, 1.568f, -0.085f) - centre); }

vec3 ring_vertex(const Ring& ring, float angle, const Expression& e) {
    const vec3 forward = mouth_direction(), right{1, 0, 0}, up = glm::cross(forward, right) * -1.0f;
    const float across = std::cos(angle), above = std::sin(angle);
    const float width = ring.width * glm::mix(1.0f, e.width, ring.follow);
    const vec2 spread{width * across, ring.height * above};
    const float turn = glm::length(spread);
    const vec2 way = turn > 0 ? spread / turn : vec2(0);
    const vec3 direction = forward * std::cos(turn) + (right * way.x + up * way.y) * std::sin(turn);
    vec3 p = surface_along(direction) + direction * ring.offset;

    const float lower = above < 0 ? std::pow(-above, 0.6f) : 0.0f, upper = above > 0 ? std::pow(above, 0.6f) : 0.0f;
    const float corner = std::pow(std::abs(across), 4.0f);
    const float lips = ring.follow * ring.follow;
    p += vec3(0, -0.024f, 0.006f) * (e.open * lower * ring.follow) + vec3(0, 0.005f, 0) * (e.open * upper * lips);
    p += vec3(across * 0.008f, 0.012f, 0.004f) * (e.smile * corner * ring.follow) +
         vec3(0, -0.0015f, 0) * (e.smile * lips);
    p += vec3(0, 0, -0.012f) * (e.pucker * lips);
    p += vec3(0, 0.0075f, 0.004f) * (std::max(e.lower_lip, 0.0f) * lower * lips);
    p += vec3(0, lower > 0 ? 0.0025f : -0.002f, 0.002f) * (std::max(-e.lower_lip, 0.0f) * lips * (1 - corner));
    return p;
}

Shape make_eye(const Expression& e, float detail) {
    const vec3 radii{0.0098f, 0.0138f * glm::mix(1.0f, 0.1f, e.blink), 0.006f};
    return ellipsoid(eye_centre() - vec3(0, 0.003f * e.blink, 0), radii, static_cast<int>(16 * detail), Part::eye);
}

}  // namespace

const Expression& neutral_expression() {
    static const Expression rest{"rest", 0, 0, 1, 0.25f};
    return rest;
}

const std::vector<Expression>& expressions() {
    static const std::vector<Expression> all{
        {"neutral", 0x1, 0.05f, 1, 0},
        {"MBPX", 0x2, 0, 0.95f, 0.1f, 0.25f, -1},
        {"AA_AO_OW", 0x4, 0.95f, 0.85f, 0, 0.15f},
        {"IH_AE_AH_EY", 0x8, 0.5f, 1.1f, 0.3f},
        {"AW", 0x10, 0.8f, 0.7f, 0, 0.5f},
        {"N_D_T_S", 0x20, 0.18f, 1.08f, 0.3f},
        {"IY_EH_Y", 0x40, 0.3f, 1.22f, 0.6f},
        {"UW_UH_OY", 0x80, 0.35f, 0.5f, 0, 1},
        {"FV", 0x100, 0.12f, 1, 0.2f, 0, 1},
        {"L_EL", 0x200, 0.4f, 0.95f, 0.2f},
        {"W", 0x400, 0.15f, 0.45f, 0, 1},
        {"R_ER", 0x800, 0.25f, 0.75f, 0, 0.6f},
        {"smile", 0, 0.15f, 1.3f, 1.3f},
        {"blink", 0, 0, 1, 0.25f, 0, 0, 1},
    };
    return all;
}

const Field& head_field() {
    static const Field field = make_head_field();
    return field;
}

vec3 mouth_centre() {
    static const vec3 place = surface_along(mouth_direction());
    return place;
}

vec3 eye_centre() {
    static const vec3 place = surface_along(glm::normalize(vec3(0.034f, 1.642f, -0.09f) - centre));
    return place + vec3(0, 0, 0.001f);
}

Shape make_face(const Expression& expression, float detail) {
    Shape shape;
    const auto columns = static_cast<std::uint32_t>(36 * detail);
    const auto last = static_cast<std::uint32_t>(rings.size() - 1);
    for (const Ring& ring : rings) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(columns);
            shape.positions.push_back(ring_vertex(ring, angle, expression));
            if (&ring == &rings.front() || &ring == &rings.back()) break;  // a single vertex closes the surface
        }
    }
    const auto vertex = [&](std::uint32_t ring, std::uint32_t column) {
        return ring == 0 ? 0 : ring == last ? (last - 1) * columns + 1 : (ring - 1) * columns + 1 + column % columns;
    };
    for (std::uint32_t ring = 0; ring < last; ++ring) {
        const Part part = ring < 2 ? Part::mouth : Part::head;
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t a = vertex(ring, i), b = vertex(ring, i + 1), c = vertex(ring + 1, i),
                                d = vertex(ring + 1, i + 1);
            if (ring + 1 < last) shape.triangles.push_back({{a, d, c}, part});
            if (ring > 0) shape.triangles.push_back({{a, b, ring + 1 < last ? d : c}, part});
        }
    }
    smooth_normals(shape);

    const int segments = static_cast<int>(16 * detail);
    const Shape ear = ellipsoid({0.0765f, 1.628f, 0.012f}, {0.011f, 0.027f, 0.018f}, segments, Part::neck);
    append(shape, ear);
    append(shape, mirrored(ear));
    append(shape, ellipsoid({0, 1.663f, 0.03f}, {0.0835f, 0.096f, 0.0925f}, static_cast<int>(28 * detail), Part::hair));
    const Shape eye = make_eye(expression, detail);
    append(shape, eye);
    append(shape, mirrored(eye));
    weigh(shape, [](vec3) { return Weights{{head, 1}}; });
    return shape;
}

}  // namespace figure
