/// Head, coat, belts, legs and hands of the trader, and the bones that they follow.

#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "paint.hpp"

namespace trader {

namespace {

enum GroupNumber : std::size_t { face, limbs, hands, coat, belts, hat, boots };

// ---- surfaces ----

/// A smooth curve through all of the points, `t` from 0 to 1.
vec4 curve(const std::vector<vec4>& points, float t) {
    const float place = glm::clamp(t, 0.0f, 1.0f) * static_cast<float>(points.size() - 1);
    const auto last = static_cast<int>(points.size()) - 1;
    const int i = std::min(static_cast<int>(place), last - 1);
    const auto at = [&](int j) { return points[static_cast<std::size_t>(std::clamp(j, 0, last))]; };
    const float f = place - static_cast<float>(i);
    const vec4 a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
    return b + 0.5f * f * (c - a + f * (2.0f * a - 5.0f * b + 4.0f * c - d + f * (3.0f * (b - c) + d - a)));
}

/// Sections one above the other, listed upwards as seen on the outside: height, half-axes to the side and to the
/// front, and the angle on either side of the front where cloth is open.
Surface turned(std::vector<vec4> sections) {
    return [sections = std::move(sections)](float u, float v) {
        const vec4 section = curve(sections, v);
        const float angle = glm::mix(section.w, glm::two_pi<float>() - section.w, u);
        return vec3(section.y * std::sin(angle), section.x, section.z * std::cos(angle));
    };
}

/// Of circles: height and radius.
Surface round(const std::vector<vec2>& sections) {
    std::vector<vec4> all;
    for (const vec2 section : sections) all.emplace_back(section, section.y, 0);
    return turned(std::move(all));
}

/// An ellipsoid for roundness 2, and ever more of a box above. The seam is behind.
Surface rounded(vec3 radius, float roundness) {
    return [=](float u, float v) {
        const float turn = (u - 0.5f) * glm::two_pi<float>(), height = v * glm::pi<float>();
        const vec3 unit{std::sin(height) * std::sin(turn), -std::cos(height), std::sin(height) * std::cos(turn)};
        const vec3 powers = glm::pow(glm::abs(unit), vec3(roundness));
        return radius * unit / std::pow(powers.x + powers.y + powers.z, 1 / roundness);
    };
}

/// The inner side of open cloth, which meets the outer one at its borders.
Surface lining_of(Surface outside) {
    return [outside = std::move(outside)](float u, float v) {
        const vec3 p = outside(1 - u, v);
        const float inside = glm::smoothstep(0.0f, 0.04f, u) * glm::smoothstep(1.0f, 0.96f, u) * std::min(v * 8, 1.0f);
        return p * (vec3(1) - vec3(0.05f, 0, 0.05f) * inside);
    };
}

glm::mat4 at(vec3 place) { return glm::translate(glm::mat4(1), place); }
glm::mat4 rotated(glm::mat4 frame, float degrees, vec3 axis) { return glm::rotate(frame, glm::radians(degrees), axis); }
/// +Y runs along the left arm, +Z to the front.
glm::mat4 on_arm(float distance) {
    const vec3 along = arm_direction(), front{0, 0, 1};
    return {vec4(glm::cross(along, front), 0), vec4(along, 0), vec4(front, 0),
            vec4(joint(l_upper_arm) + along * distance, 1)};
}

// ---- weights ----

Weights sorted(Weights weights) {
    std::erase_if(weights, [](const Weight& weight) { return weight.weight < 1e-3f; });
    std::stable_sort(weights.begin(), weights.end(),
                     [](const Weight& a, const Weight& b) { return a.weight > b.weight; });
    return weights;
}

Weights two(Bone one, Bone other, float share) { return sorted({{one, 1 - share}, {other, share}}); }

std::function<Weights(vec3)> only(Bone bone) {
    return [bone](vec3) { return Weights{{bone, 1}}; };
}

Weights leg_weights(vec3 p) { return two(l_thigh, l_shin, glm::smoothstep(14.2f, 10.4f, p.y)); }

Weights boot_weights(vec3 p) {
    if (p.z > 1.5f) return two(l_foot, l_toes, glm::smoothstep(2.0f, 4.8f, p.z));
    return two(l_shin, l_foot, glm::smoothstep(6.2f, 3.6f, p.y));
}

Weights neck_weights(vec3 p) { return two(spine_chest, neck_base, glm::smoothstep(35.5f, 37.0f, p.y)); }

/// Above the waist the spine carries the cloth, below it the legs push it.
Weights coat_weights(vec3 p) {
    if (p.y < 22) {
        const float legs = 0.85f * glm::smoothstep(21.0f, 11.0f, p.y), left = glm::smoothstep(-5.0f, 5.0f, p.x);
        return sorted({{hips, 1 - legs}, {l_thigh, legs * left}, {r_thigh, legs * (1 - left)}});
    }
    if (p.y < 25.5f) return two(hips, spine_base, glm::smoothstep(22.0f, 25.5f, p.y));
    if (p.y < 30.5f) return two(spine_base, spine_chest, glm::smoothstep(26.5f, 30.5f, p.y));
    const float shoulder = 0.7f * glm::smoothstep(3.5f, 6.5f, std::abs(p.x)) * glm::smoothstep(30.5f, 33.0f, p.y);
    return two(spine_chest, p.x > 0 ? l_clavicle : r_clavicle, shoulder);
}

Weights sleeve_weights(vec3 p) {
    const float along = glm::dot(p - joint(l_upper_arm), arm_direction());
    if (along < 3) return two(l_clavicle, l_upper_arm, glm::smoothstep(-2.2f, 1.2f, along));
    return two(l_upper_arm, l_forearm, glm::smoothstep(5.2f, 8.8f, along));
}

Weights belt_weights(vec3 p) { return p.y > 30 ? two(spine_chest, neck_base, 0.4f) : two(hips, spine_base, 0.6f); }

// ---- the parts ----

Chart cells(int column, int row, int width = 1, int height = 1) {
    return {vec2(column, row) / 4.0f, vec2(width, height) / 4.0f};
}

void add_head(std::vector<Patch>& all) {
    all.push_back({face, rounded({6.7f, 5.4f, 5.7f}, 3), at({0, 44, 0.2f}), 40, 28, cells(0, 0, 2, 2), only(head),
                   paint_head, false});
    all.push_back({face, rounded({5.4f, 3.9f, 3.3f}, 2.9f), at({0, 43.6f, 3.3f}), 36, 22, cells(2, 0, 2, 2), only(head),
                   paint_visor, false});
    const glm::mat4 ear = rotated(at({6.2f, 43.8f, 0}), -90, {0, 0, 1});
    all.push_back({face, round({{0, 2.4f}, {0.7f, 2.5f}, {1.05f, 2.2f}, {1.1f, 1.5f}, {0.85f, 1.1f}, {0.95f, 0}}), ear,
                   20, 8, cells(2, 2), only(head), paint_accent, true});
    const vec3 foot = joint(antenna);
    all.push_back({face, round({{-0.5f, 0.75f}, {0.3f, 0.7f}, {0.6f, 0.3f}, {3, 0.22f}, {6.2f, 0.2f}}), at(foot), 10, 8,
                   cells(3, 2), only(antenna), paint_plain, false});
    all.push_back({face, rounded({0.85f, 0.85f, 0.85f}, 2), at(foot + vec3(0, 6.6f, 0)), 14, 8, cells(2, 3),
                   only(antenna), paint_accent, false});
    const glm::mat4 tilted = rotated(rotated(at({-0.6f, 48.4f, -0.5f}), 7, {0, 0, 1}), -6, {1, 0, 0});
    all.push_back({hat,
                   turned({{0, 0, 0, 0},
                           {-0.2f, 5, 4.6f, 0},
                           {0.1f, 7.6f, 7, 0},
                           {0.45f, 8.1f, 7.4f, 0},
                           {0.75f, 7.5f, 6.8f, 0},
                           {0.8f, 5.6f, 5, 0},
                           {1.6f, 5.1f, 4.5f, 0},
                           {3.4f, 5, 4.4f, 0},
                           {5.2f, 4.6f, 4, 0},
                           {6.5f, 3.3f, 2.8f, 0},
                           {6.9f, 0, 0, 0}}),
                   tilted, 32, 20, cells(0, 2), only(head), paint_hat, false});
}

void add_coat(std::vector<Patch>& all) {
    const Surface outside = turned({{8.6f, 9.2f, 8.3f, 0.5f},
                                    {13.2f, 8.5f, 7.6f, 0.4f},
                                    {17.6f, 7.6f, 6.7f, 0.28f},
                                    {21.4f, 6.7f, 5.8f, 0.16f},
                                    {24.3f, 6.1f, 5.1f, 0.12f},
                                    {27.4f, 6.5f, 5.3f, 0.22f},
                                    {30.6f, 7, 5.4f, 0.38f},
                                    {33.4f, 6.9f, 4.9f, 0.5f},
                                    {35.3f, 5.4f, 4.2f, 0.62f},
                                    {36.6f, 3.6f, 3.6f, 0.75f}});
    all.push_back({coat, outside, at({}), 44, 36, cells(0, 0, 2, 2), coat_weights, paint_coat, false});
    all.push_back({coat, lining_of(outside), at({}), 32, 24, cells(3, 1), coat_weights, paint_lining, false});
    all.push_back({coat,
                   turned({{18, 0, 0, 0},
                           {18.2f, 3.4f, 3, 0},
                           {20, 5.4f, 4.7f, 0},
                           {24.4f, 5.4f, 4.6f, 0},
                           {28, 6, 4.9f, 0},
                           {31.5f, 6.2f, 5, 0},
                           {34, 5.2f, 4.3f, 0},
                           {36.6f, 2.6f, 2.6f, 0}}),
                   at({}), 32, 22, cells(2, 0, 2, 1), coat_weights, paint_vest, false});
    all.push_back({coat,
                   round({{-3, 1.4f},
                          {-1.6f, 2.5f},
                          {0.6f, 2.75f},
                          {3.6f, 2.4f},
                          {7, 2.2f},
                          {10, 2.3f},
                          {12.6f, 2.65f},
                          {13.1f, 2.45f},
                          {12.4f, 1.9f},
                          {11.8f, 1},
                          {11.7f, 0}}),
                   on_arm(0), 20, 24, cells(2, 1), sleeve_weights, paint_sleeve, true});
    all.push_back({coat, rounded({4.9f, 5.2f, 2.5f}, 4), at({0, 29.6f, -7.2f}), 28, 18, cells(1, 2), only(spine_chest),
                   paint_pack, false});
    all.push_back(
        {coat,
         round({{-6.4f, 0}, {-6.35f, 1.6f}, {-6, 2.05f}, {-3, 2.1f}, {3, 2.1f}, {6, 2.05f}, {6.35f, 1.6f}, {6.4f, 0}}),
         rotated(at({0, 36.2f, -7}), -90, {0, 0, 1}), 24, 16, cells(2, 2), only(spine_chest), paint_roll, false});
    all.push_back({coat, rounded({1.7f, 2.9f, 3.2f}, 4), rotated(at({8.6f, 18.6f, 0.6f}), 8, {0, 0, 1}), 24, 16,
                   cells(3, 3), coat_weights, paint_satchel, false});
}

void add_belts(std::vector<Patch>& all) {
    all.push_back({belts,
                   turned({{23.4f, 6.1f, 5.2f, 0},
                           {23.5f, 6.6f, 5.6f, 0},
                           {24.3f, 6.75f, 5.7f, 0},
                           {25.1f, 6.6f, 5.6f, 0},
                           {25.2f, 6.1f, 5.2f, 0}}),
                   at({}), 40, 8, cells(0, 3), belt_weights, paint_belt, false});
    all.push_back({belts,
                   turned({{35.2f, 3, 2.9f, 0},
                           {34.6f, 4.3f, 4.3f, 0},
                           {35.4f, 5.1f, 5, 0},
                           {36.7f, 5, 4.8f, 0},
                           {37.6f, 4.2f, 4, 0},
                           {37.2f, 2.8f, 2.6f, 0}}),
                   at({}), 32, 12, cells(3, 2), belt_weights, paint_scarf, false});
}

void add_legs(std::vector<Patch>& all) {
    const vec3 ankle = joint(l_foot), up = glm::normalize(joint(l_thigh) - ankle);
    const glm::mat4 leg{vec4(1, 0, 0, 0), vec4(up, 0), vec4(0, 0, 1, 0), vec4(ankle, 1)};
    const Surface hose = [](float u, float v) {
        const float ripple = 0.16f * std::cos(v * glm::two_pi<float>() * 10), angle = u * glm::two_pi<float>();
        const float radius = glm::mix(1.75f, 2.4f, v) + ripple;
        return vec3(radius * std::sin(angle), v * 17, radius * std::cos(angle));
    };
    all.push_back({limbs, hose, leg, 18, 40, cells(0, 2, 2), leg_weights, paint_hose, true});
    const Surface neck = [](float u, float v) {
        const float ripple = 0.15f * std::cos(v * glm::two_pi<float>() * 5), angle = u * glm::two_pi<float>();
        return vec3((2.1f + ripple) * std::sin(angle), v * 5, (2.1f + ripple) * std::cos(angle));
    };
    all.push_back({limbs, neck, at({0, 35, -0.1f}), 18, 20, cells(0, 3, 2), neck_weights, paint_hose, false});

    all.push_back({boots,
                   round({{1, 2},
                          {2, 2.25f},
                          {4, 2.3f},
                          {7, 2.4f},
                          {8.6f, 2.75f},
                          {9.3f, 2.95f},
                          {9.7f, 2.75f},
                          {9.6f, 2.4f},
                          {9, 2.2f}}),
                   at({3.55f, 0, -0.2f}), 20, 14, cells(1, 3), boot_weights, paint_boot, true});
    const Surface sole = rounded({2.75f, 2.9f, 4.7f}, 2.5f);
    const Surface shoe = [sole](float u, float v) {
        vec3 p = sole(u, v);
        p.y *= 1 - 0.22f * glm::smoothstep(-1.0f, 4.5f, p.z);  // lower at the toes
        return vec3(p.x, std::max(p.y, -1.5f), p.z);
    };
    all.push_back({boots, shoe, at({3.65f, 1.5f, 1.3f}), 24, 18, cells(2, 3), boot_weights, paint_boot, true});
}

void add_hand(std::vector<Patch>& all) {
    const auto add = [&](vec3 radius, const glm::mat4& frame, int around, int along) {
        all.push_back(
            {hands, rounded(radius, 2.3f), frame, around, along, cells(3, 2), only(l_hand), paint_plain, true});
    };
    add({1.15f, 1.9f, 1.75f}, on_arm(14), 18, 12);
    for (const float spread : {-1.0f, 0.0f, 1.0f}) {
        const glm::mat4 knuckle = glm::translate(on_arm(16), vec3(0.15f, -0.12f * spread * spread, 1.1f * spread));
        add({0.62f, 1.5f, 0.58f}, rotated(rotated(knuckle, -14, {0, 0, 1}), 7 * spread, {1, 0, 0}), 10, 8);
    }
    add({0.6f, 1.35f, 0.6f}, rotated(glm::translate(on_arm(14.6f), vec3(0.3f, 0, 1.75f)), 42, {1, 0, 0}), 10, 8);
}

}  // namespace

const std::vector<Group>& groups() {
    static const std::vector<Group> all{{"h_head", Texture::shell, 1, false},  {"l_hose", Texture::shell, 2, false},
                                        {"u_hands", Texture::shell, 1, false}, {"u_coat", Texture::suit, 3, false},
                                        {"u_belts", Texture::suit, 2, true},   {"h_hat", Texture::suit, 1, false},
                                        {"l_boots", Texture::suit, 2, false}};
    return all;
}

const std::vector<Patch>& patches() {
    static const std::vector<Patch> all = [] {
        std::vector<Patch> result;
        add_head(result);
        add_coat(result);
        add_belts(result);
        add_legs(result);
        add_hand(result);
        return result;
    }();
    return all;
}

float openness(vec3 point, vec3 normal) {
    struct Ball {
        vec3 centre;
        float radius;
    };
    static const std::vector<Ball> balls = [] {
        std::vector<Ball> result{{{0, 44, 0}, 6.2f}, {{0, 35.8f, 0}, 4.4f}, {{0, 31, 0}, 5.5f}, {{0, 26, 0}, 5},
                                 {{0, 20, 0}, 5.8f}, {{0, 29.5f, -7}, 4},   {{0, 49, -0.5f}, 6}};
        for (const float way : {-1.0f, 1.0f}) {
            const vec3 twin(way, 1, 1), along = arm_direction();
            for (const float distance : {1.0f, 5.0f, 9.0f, 12.5f})
                result.push_back({(joint(l_upper_arm) + along * distance) * twin, 2.2f});
            for (const float height : {2.0f, 6.0f, 10.0f, 14.0f})
                result.push_back({vec3(3.5f, height, 0) * twin, 2.2f});
        }
        return result;
    }();
    float hidden = 0;
    for (const Ball& ball : balls) {
        const vec3 way = ball.centre - point;
        const float distance = glm::length(way);
        if (distance < ball.radius) continue;  // it is what the point belongs to
        const float size = ball.radius / distance;
        hidden += size * size * std::max(0.0f, glm::dot(normal, way) / distance);
    }
    return glm::clamp(1 - 0.75f * hidden, 0.35f, 1.0f);
}

}  // namespace trader
