/// What the signer's face can do: jaw, lips, cheeks, tongue, brow and lids, as morph targets.

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "face.hpp"

namespace signer {

namespace {

constexpr float millimetre = 0.001f;

float near(vec2 place, vec2 centre, float width) {
    const vec2 off = (place - centre) / width;
    return std::exp(-glm::dot(off, off));
}

/// How much of the lower jaw a place is.
float jaw_share(const Feature& feature) {
    if (feature.organ == Organ::lower_teeth || feature.organ == Organ::tongue) return 1;
    if (feature.organ != Organ::skin && feature.organ != Organ::mouth) return 0;
    const float below = glm::smoothstep(-0.2f, 0.75f, -std::sin(feature.around));
    return below * (1 - glm::smoothstep(0.06f, 0.14f, std::max(feature.out, 0.0f)));
}

vec3 jaw(const Expression& e, const Point& point) {
    const float share = jaw_share(point.feature);
    if (share == 0) return vec3(0);
    const vec3 hinge(0, 1.635f, 0.0f);
    const glm::quat turn = glm::angleAxis(glm::radians(e.jaw_open), vec3(1, 0, 0));
    const vec3 turned = hinge + turn * (point.position - hinge) - point.position;
    return share * (turned + vec3(e.jaw_side, 0, e.jaw_forward) * millimetre);
}

vec3 lips(const Expression& e, const Feature& feature) {
    if (feature.organ != Organ::skin && feature.organ != Organ::mouth) return vec3(0);
    const float rise = std::sin(feature.around), out = std::max(feature.out, 0.0f);
    const float along = glm::clamp(feature.plane.x / 0.026f, -1.4f, 1.4f);
    const float ring = std::exp(-std::pow(out / 0.019f, 2.0f)), wide = std::exp(-std::pow(out / 0.024f, 2.0f));
    const float upper = std::sqrt(std::max(rise, 0.0f)) * ring, lower = std::sqrt(std::max(-rise, 0.0f)) * ring;
    const float corner = std::pow(std::abs(along), 1.5f) * wide;
    vec3 move(0);
    move.x += e.wide * along * wide;
    move.y += e.corners * corner;
    move.z -= 0.5f * std::max(e.wide, 0.0f) * corner + 0.25f * std::max(e.corners, 0.0f) * corner;
    move.z += e.forward * wide * (1 - 0.4f * std::min(std::abs(along), 1.0f));
    const float left = glm::smoothstep(-0.4f, 0.6f, along), right = glm::smoothstep(-0.4f, 0.6f, -along);
    move.y += upper * (e.upper_lip + e.upper_lip_left * left + e.upper_lip_right * right) + lower * e.lower_lip;
    move.z += lower * e.lower_lip_forward + e.puffed_lips * std::exp(-std::pow((out - 0.01f) / 0.009f, 2.0f));
    return move * millimetre;
}

vec3 cheeks_and_nose(const Expression& e, const Point& point) {
    if (point.feature.organ != Organ::skin) return vec3(0);
    const vec2 place = point.feature.plane;
    const vec3 p = point.position, outwards = glm::normalize(vec3(p.x, 0.2f * (p.y - 1.61f), p.z - 0.02f));
    const auto both = [&](vec2 centre, float width) {
        return vec2(near(place, centre, width), near(place, centre * vec2(-1, 1), width));
    };
    const vec2 cheek = both({0.05f, 0.012f}, 0.024f), apple = both({0.043f, 0.038f}, 0.022f);
    vec3 move = outwards * (e.cheek_left * cheek.x + e.cheek_right * cheek.y);
    move += vec3(0, e.cheeks_up, 0.4f * e.cheeks_up) * (apple.x + apple.y);
    const vec3 wing(0.013f, 1.634f, 0.092f);
    const float by_wing = std::exp(-std::pow(glm::distance(vec3(std::abs(p.x), p.y, p.z), wing) / 0.009f, 2.0f));
    move.x += e.nostrils * by_wing * (p.x > 0 ? 1.0f : -1.0f);
    const vec3 tip(0, 1.645f, 0.1f);
    move.y += e.nose_up * std::exp(-std::pow(glm::distance(p, tip) / 0.017f, 2.0f));
    const float brow =
        e.brow_left * near(place, {0.034f, 0.108f}, 0.03f) + e.brow_right * near(place, {-0.034f, 0.108f}, 0.03f);
    move.y += 0.6f * brow;
    return move * millimetre;
}

vec3 tongue(const Expression& e, const Feature& feature) {
    if (feature.organ != Organ::tongue) return vec3(0);
    const float tip = glm::smoothstep(-0.6f, 1.0f, feature.out);
    return vec3(e.tongue_left * tip, e.tongue_up + e.tongue_tip_up * tip * tip, e.tongue_out * tip) * millimetre;
}

vec3 brow(const Expression& e, const Feature& feature) {
    if (feature.organ != Organ::brow) return vec3(0);
    const float rise = feature.is_left ? e.brow_left : e.brow_right;
    // Frowning pulls the inner end furthest, wondering lifts the arch.
    const float part = rise < 0 ? 1.25f - 0.7f * feature.around : 0.75f + 0.5f * std::sin(3 * feature.around);
    const float inwards = std::min(rise, 0.0f) * 0.35f * (feature.is_left ? 1.0f : -1.0f);
    return vec3(inwards, rise * part, 0.12f * rise) * millimetre;
}

vec3 lid(const Expression& e, const Feature& feature) {
    const bool is_upper = feature.organ == Organ::upper_lid;
    if (!is_upper && feature.organ != Organ::lower_lid) return vec3(0);
    const float upper = feature.is_left ? e.lid_left : e.lid_right;
    const float lower = feature.is_left ? e.lower_lid_left : e.lower_lid_right;
    return lid_motion(feature, is_upper ? upper : lower);
}

std::vector<Expression> make_expressions() {
    return {
        // Sounds.
        {.name = "aaa", .jaw_open = 15, .upper_lip = 1},
        {.name = "eee", .jaw_open = 3.5f, .wide = 5, .corners = 2, .upper_lip = 1.5f, .lower_lip = -1},
        {.name = "ooo", .jaw_open = 9, .wide = -8.5f, .forward = 6, .upper_lip = 1.2f},
        {.name = "mbp", .wide = 1, .forward = -2.5f, .upper_lip = -1.2f, .lower_lip = 1.2f},
        {.name = "fv", .jaw_open = 1, .wide = 1, .upper_lip = 2.5f, .lower_lip = 2.2f, .lower_lip_forward = -5},
        {.name = "th", .jaw_open = 4.5f, .wide = 1.5f, .upper_lip = 1.2f, .tongue_out = 14, .tongue_up = 1.5f},
        {.name = "dtnl", .jaw_open = 4.5f, .wide = 1.5f, .upper_lip = 1.2f, .tongue_out = 5, .tongue_tip_up = 6},
        {.name = "cgng", .jaw_open = 5, .wide = 2, .upper_lip = 1.5f, .tongue_out = -5},
        {.name = "jsch", .jaw_open = 2.5f, .wide = -4.5f, .forward = 6, .upper_lip = 2, .lower_lip = -2},
        // Lips.
        {.name = "smlc",
         .wide = 5.5f,
         .corners = 5,
         .cheeks_up = 2.5f,
         .lower_lid_left = 0.25f,
         .lower_lid_right = 0.25f},
        {.name = "smlo",
         .jaw_open = 4,
         .wide = 6.5f,
         .corners = 5.5f,
         .upper_lip = 2,
         .cheeks_up = 3,
         .lower_lid_left = 0.3f,
         .lower_lid_right = 0.3f},
        {.name = "kiss", .wide = -10, .forward = 9, .upper_lip = 0.5f},
        {.name = "pout", .wide = -6, .corners = -3, .forward = 6.5f, .lower_lip = 1, .lower_lip_forward = 2},
        {.name = "llpc", .lower_lip = 3, .lower_lip_forward = -6},
        {.name = "llpd", .lower_lip = -5},
        {.name = "llpu", .upper_lip = 1.5f, .lower_lip = 4},
        {.name = "ulpu", .upper_lip = 4.5f},
        {.name = "ulpd", .upper_lip = -3, .lower_lip = -2.5f},
        {.name = "ulpl", .upper_lip_left = 5},
        {.name = "ulpr", .upper_lip_right = 5},
        // Jaw and cheeks.
        {.name = "jawd", .jaw_open = 19},
        {.name = "jawf", .jaw_forward = 7},
        {.name = "jawl", .jaw_side = 7},
        {.name = "jawr", .jaw_side = -7},
        {.name = "puff", .wide = -1, .cheek_left = 11, .cheek_right = 11},
        {.name = "pufl", .cheek_left = 12},
        {.name = "pufr", .cheek_right = 12},
        {.name = "lpuf", .forward = 1, .puffed_lips = 5},
        {.name = "suck", .wide = -4, .forward = 3, .cheek_left = -9, .cheek_right = -9},
        {.name = "chkl", .cheek_left = 8, .tongue_left = 8},
        {.name = "chkr", .cheek_right = 8, .tongue_left = -8},
        // Nose.
        {.name = "nsfl", .nostrils = 4},
        {.name = "nsps", .nostrils = -3},
        {.name = "nswr",
         .upper_lip = 2,
         .cheeks_up = 2,
         .nostrils = 1.5f,
         .nose_up = 5,
         .brow_left = -2,
         .brow_right = -2},
        // Tongue.
        {.name = "tngo", .jaw_open = 7, .tongue_out = 36, .tongue_up = 3},
        {.name = "tngl", .jaw_open = 6, .tongue_out = 29, .tongue_up = 3, .tongue_left = 13},
        {.name = "tngr", .jaw_open = 6, .tongue_out = 29, .tongue_up = 3, .tongue_left = -13},
        {.name = "tchn", .jaw_open = 8, .tongue_out = 33, .tongue_up = 3, .tongue_tip_up = -15},
        {.name = "tllp", .jaw_open = 6, .tongue_out = 27, .tongue_up = 3, .tongue_tip_up = -5},
        {.name = "tulp", .jaw_open = 6, .tongue_out = 27, .tongue_up = 3, .tongue_tip_up = 10},
        // Brows and lids.
        {.name = "lbru", .brow_left = 8},
        {.name = "rbru", .brow_right = 8},
        {.name = "lbrd", .brow_left = -6},
        {.name = "rbrd", .brow_right = -6},
        {.name = "eylc", .lid_left = 1, .lower_lid_left = 0.12f},
        {.name = "eyrc", .lid_right = 1, .lower_lid_right = 0.12f},
        {.name = "eyls", .cheeks_up = 0.5f, .lid_left = 0.45f, .lower_lid_left = 0.5f},
        {.name = "eyrs", .cheeks_up = 0.5f, .lid_right = 0.45f, .lower_lid_right = 0.5f},
        {.name = "eywl", .lid_left = -0.35f, .lower_lid_left = -0.2f},
        {.name = "eywr", .lid_right = -0.35f, .lower_lid_right = -0.2f},
    };
}

}  // namespace

const std::vector<Expression>& expressions() {
    static const std::vector<Expression> all = make_expressions();
    return all;
}

vec3 displacement(const Expression& e, const Point& point) {
    const Feature& feature = point.feature;
    if (feature.organ == Organ::none) return vec3(0);
    return jaw(e, point) + lips(e, feature) + cheeks_and_nose(e, point) + tongue(e, feature) + brow(e, feature) +
           lid(e, feature);
}

}  // namespace signer
