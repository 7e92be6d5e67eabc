/// Body, skirt, hat and lantern of the figure, by fields of blobs and by rings.

#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace figure {

namespace {

vec3 joint(Bone bone) { return skeleton()[bone].position; }
vec3 on_arm(float distance, vec3 offset = {}) { return joint(l_upper_arm) + arm_direction() * distance + offset; }

void add_both_sides(std::vector<Blob>& blobs, Blob blob) {
    blobs.push_back(blob);
    blob.bone = mirrored(blob.bone);
    blob.a.x = -blob.a.x;
    blob.b.x = -blob.b.x;
    blobs.push_back(blob);
}

/// Shirt and trousers.
Field make_body_field() {
    Field field{{{pelvis, Part::torso, {0, 0.98f, 0.005f}, {0, 0.93f, 0.005f}, 0.11f, 0.108f, {1.2f, 1, 0.9f}},
                 {spine, Part::torso, {0, 1.05f, 0.008f}, {0, 1.14f, 0.005f}, 0.097f, 0.102f, {1.16f, 1, 0.86f}},
                 {chest, Part::torso, {0, 1.21f, 0.004f}, {0, 1.325f, 0.01f}, 0.108f, 0.113f, {1.28f, 1, 0.84f}},
                 {chest, Part::torso, {-0.06f, 1.385f, 0.014f}, {0.06f, 1.385f, 0.014f}, 0.07f, 0.07f},
                 {neck, Part::neck, {0, 1.45f, 0.018f}, {0, 1.535f, 0.008f}, 0.046f, 0.044f}},
                0.015f};
    const std::vector<Blob> left{
        {l_clavicle, Part::torso, {0.04f, 1.425f, 0.014f}, {0.14f, 1.4f, 0.014f}, 0.05f, 0.047f},
        {l_upper_arm, Part::arm, on_arm(0), on_arm(0.265f), 0.053f, 0.036f},
        {l_forearm, Part::arm, on_arm(0.285f), on_arm(0.5f), 0.037f, 0.027f},
        {l_thigh, Part::leg, {0.088f, 0.9f, 0.005f}, {0.094f, 0.53f, -0.004f}, 0.082f, 0.046f},
        {l_calf, Part::leg, {0.095f, 0.49f, -0.002f}, {0.099f, 0.2f, 0.016f}, 0.044f, 0.038f},
        {l_calf, Part::leg, {0.097f, 0.42f, 0.016f}, {0.098f, 0.34f, 0.02f}, 0.042f, 0.041f},
    };
    for (const Blob& blob : left) add_both_sides(field.blobs, blob);
    return field;
}

/// A mitten of one palm, four fingers grown together and curled a little, and a thumb.
Field make_hand_field() {
    const vec3 along = arm_direction(), inwards{along.y, -along.x, 0};  // the palm faces the body
    const auto at = [&](float distance, float curl, float z) {
        return on_arm(distance, inwards * curl + vec3(0, 0, z));
    };
    Field field{{{l_hand, Part::hand, at(0.48f, 0, 0), at(0.54f, 0, 0), 0.016f, 0.016f}}, 0.008f};
    for (const float spread : {-1.0f, -0.33f, 0.33f, 1.0f}) {
        const float z = spread * 0.023f, length = 0.662f - 0.014f * spread * spread;
        field.blobs.push_back({l_hand, Part::hand, at(0.54f, 0, z * 0.7f), at(0.605f, 0.004f, z), 0.011f, 0.0095f});
        field.blobs.push_back(
            {l_hand, Part::hand, at(0.605f, 0.004f, z), at(length, 0.026f, z * 0.9f), 0.0095f, 0.007f});
    }
    field.blobs.push_back(
        {l_hand, Part::hand, at(0.545f, 0.006f, -0.02f), at(0.602f, 0.02f, -0.054f), 0.0135f, 0.0115f});
    return field;
}

Field make_boot_field() {
    return {
        {{l_calf, Part::leg, {0.099f, 0.285f, 0.016f}, {0.1f, 0.12f, 0.018f}, 0.047f, 0.041f},
         {l_foot, Part::boot, {0.1f, 0.07f, 0.02f}, {0.1f, 0.045f, 0.035f}, 0.045f, 0.042f},
         {l_foot, Part::boot, {0.1f, 0.06f, -0.005f}, {0.104f, 0.036f, -0.1f}, 0.044f, 0.034f, {1.05f, 1, 1}},
         {l_toes, Part::boot, {0.104f, 0.034f, -0.115f}, {0.106f, 0.03f, -0.145f}, 0.036f, 0.031f, {1.1f, 0.95f, 1}}},
        0.014f};
}

/// A ring of cloth or leather: `centre` in its middle, `axis` along the limb.
Shape ring(vec3 centre, vec3 axis, vec3 squash, float radius, float thickness, float height, int segments, Part part) {
    const vec3 y = glm::normalize(axis), x = glm::normalize(vec3(y.y, -y.x, 0)), z = glm::cross(x, y);
    const glm::mat4 frame{glm::vec4(x * squash.x, 0), glm::vec4(y * squash.y, 0), glm::vec4(z * squash.z, 0),
                          glm::vec4(centre, 1)};
    std::vector<vec2> profile;
    constexpr int steps = 6;
    for (int i = 0; i <= steps; ++i) {  // its inner side stays open, it is never seen
        const float angle = glm::radians(-130.0f + 260.0f * static_cast<float>(i) / steps);
        profile.emplace_back(radius + thickness * std::cos(angle), height * 0.5f * std::sin(angle));
    }
    return lathe(profile, segments, part, frame);
}

Weights skirt_weights(vec3 p) {
    const float legs = 0.75f * glm::smoothstep(1.02f, 0.82f, p.y), left = glm::smoothstep(-0.12f, 0.12f, p.x);
    if (legs <= 0) return {{pelvis, 1}};
    if (left <= 0) return {{pelvis, 1 - legs}, {r_thigh, legs}};
    if (left >= 1) return {{pelvis, 1 - legs}, {l_thigh, legs}};
    return {{pelvis, 1 - legs}, {l_thigh, legs * left}, {r_thigh, legs * (1 - left)}};
}

int segments_for(float detail, int finest) { return static_cast<int>(static_cast<float>(finest) * detail); }

Shape make_skirt(float detail) {
    const glm::mat4 frame = glm::scale(glm::translate(glm::mat4(1), vec3(0, 0, 0.004f)), vec3(1.18f, 1, 0.95f));
    Shape skirt = lathe({{0.155f, 0.82f},
                         {0.163f, 0.803f},
                         {0.169f, 0.801f},
                         {0.1725f, 0.807f},
                         {0.171f, 0.825f},
                         {0.164f, 0.865f},
                         {0.151f, 0.91f},
                         {0.138f, 0.955f},
                         {0.123f, 1.0f},
                         {0.114f, 1.035f}},
                        segments_for(detail, 36), Part::torso, frame);
    weigh(skirt, skirt_weights);
    return skirt;
}

}  // namespace

const Field& body_field() {
    static const Field field = make_body_field();
    return field;
}

Shape make_body(float detail) {
    const Field hand_field = make_hand_field(), boot_field = make_boot_field();
    const float coarseness = 1 / std::sqrt(detail), cell = 0.029f * coarseness;
    Shape shape = polygonize(body_field(), {-23 * cell, 0.1f, -7.4f * cell}, {23 * cell, 1.62f, 7 * cell}, cell);
    append(shape, make_skirt(detail));

    Shape belt = ring({0, 1.035f, 0.007f}, {0, 1, 0}, {1.16f, 1, 0.93f}, 0.109f, 0.013f, 0.046f,
                      segments_for(detail, 36), Part::torso);
    weigh(belt, [](vec3) { return Weights{{pelvis, 0.5f}, {spine, 0.5f}}; });
    append(shape, belt);
    Shape scarf = ring({0, 1.482f, 0.012f}, {0, 1, -0.2f}, {1.05f, 1, 1}, 0.058f, 0.026f, 0.062f,
                       segments_for(detail, 28), Part::scarf);
    weigh(scarf, [](vec3) { return Weights{{neck, 0.6f}, {chest, 0.4f}}; });
    append(shape, scarf);

    Shape left = polygonize(hand_field, {0.46f, 0.86f, -0.09f}, {0.72f, 1.13f, 0.07f}, 0.0135f * coarseness);
    append(left,
           polygonize(boot_field, {0.02f, -0.03f, -0.22f}, {0.18f, 0.37f, 0.11f}, 0.022f * std::min(coarseness, 1.2f)));
    for (vec3& p : left.positions) p.y = std::max(p.y, 0.0f);  // flat soles
    smooth_normals(left);
    Shape cuff = ring(on_arm(0.497f), arm_direction() * -1.0f, {1, 1, 1}, 0.0265f, 0.0105f, 0.04f,
                      segments_for(detail, 16), Part::arm);
    weigh(cuff, [](vec3) { return Weights{{l_forearm, 1}}; });
    append(left, cuff);
    Shape boot_top =
        ring({0.099f, 0.318f, 0.016f}, {0, 1, 0}, {1, 1, 1}, 0.046f, 0.01f, 0.05f, segments_for(detail, 20), Part::leg);
    weigh(boot_top, [](vec3) { return Weights{{l_calf, 1}}; });
    append(left, boot_top);
    append(shape, left);
    append(shape, mirrored(left));
    return shape;
}

Shape make_hat(float detail) {
    const glm::mat4 frame = glm::scale(glm::mat4(1), vec3(0.93f, 1, 1.06f));
    Shape hat = lathe({{0, 0.004f},
                       {0.09f, -0.002f},
                       {0.15f, 0.0f},
                       {0.156f, 0.004f},
                       {0.15f, 0.009f},
                       {0.12f, 0.008f},
                       {0.099f, 0.012f},
                       {0.096f, 0.018f},
                       {0.096f, 0.018f},
                       {0.094f, 0.048f},
                       {0.094f, 0.048f},
                       {0.09f, 0.07f},
                       {0.083f, 0.094f},
                       {0.068f, 0.112f},
                       {0.045f, 0.118f},
                       {0.02f, 0.113f},
                       {0, 0.11f}},
                      segments_for(detail, 32), Part::hat, frame);
    for (vec3& p : hat.positions) {  // the brim bends down in front and behind, the crown has a dent
        const float brim = glm::smoothstep(0.1f, 0.156f, glm::length(vec2(p.x, p.z)));
        p.y += brim * (0.9f * p.x * p.x - 0.55f * p.z * p.z) * 1.1f;
        p.y -= 0.022f * glm::smoothstep(0.1f, 0.118f, p.y) * std::exp(-p.x * p.x / 0.0006f);
    }
    smooth_normals(hat);
    append(hat, lathe({{0.0945f, 0.014f}, {0.0985f, 0.016f}, {0.097f, 0.046f}, {0.093f, 0.049f}},
                      segments_for(detail, 32), Part::hat_band, frame));
    return hat;
}

Shape make_lantern(float detail) {
    const int segments = segments_for(detail, 16);
    const glm::mat4 frame = glm::translate(glm::mat4(1), vec3(0, -0.235f, 0));
    Shape lantern = lathe({{0, 0}, {0.05f, 0}, {0.054f, 0.006f}, {0.054f, 0.018f}, {0.048f, 0.024f}, {0.035f, 0.026f}},
                          segments, Part::lantern, frame);
    append(lantern, lathe({{0.037f, 0.024f}, {0.044f, 0.055f}, {0.044f, 0.085f}, {0.034f, 0.118f}}, segments,
                          Part::flame, frame));
    append(lantern, lathe({{0.03f, 0.116f},
                           {0.05f, 0.112f},
                           {0.053f, 0.118f},
                           {0.04f, 0.14f},
                           {0.018f, 0.155f},
                           {0.012f, 0.166f},
                           {0, 0.168f}},
                          segments, Part::lantern, frame));
    for (int i = 0; i < 4; ++i) {  // bars around the glass
        const float angle = glm::radians(45.0f + 90.0f * static_cast<float>(i));
        const vec3 foot = vec3(0.049f * std::cos(angle), 0.066f, 0.049f * std::sin(angle));
        append(lantern, ellipsoid(vec3(frame * glm::vec4(foot, 1)), {0.0035f, 0.056f, 0.0035f}, 8, Part::lantern));
    }
    Shape handle = ring({0, -0.035f, 0}, {1, 0, 0.001f}, {1, 1, 1}, 0.036f, 0.0035f, 0.007f, segments_for(detail, 20),
                        Part::lantern);
    append(lantern, handle);
    return lantern;
}

Shape make_hull() {
    return lathe({{0, 0}, {0.3f, 0.12f}, {0.42f, 0.9f}, {0.3f, 1.55f}, {0, 1.85f}}, 10, Part::torso,
                 glm::scale(glm::mat4(1), vec3(1, 1, 0.75f)));
}

}  // namespace figure
