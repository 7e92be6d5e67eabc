#pragma once
/// The signer's head: skin, eyes, mouth, hair, and how expressions move them.

#include <string>
#include <vector>

#include "mesh.hpp"

namespace signer {

/// Where a place of the skin lies about the mouth: metres across and up from it, measured along the skin.
[[nodiscard]] vec2 plane_of(vec3 p);
/// Angle about the mouth and distance from its slit.
struct Ring {
    float around, out;
};
[[nodiscard]] Ring ring_of(vec2 plane);
/// How wide the lips are there.
[[nodiscard]] float lip_width(float around);

inline constexpr float eye_radius = 0.0178f;
[[nodiscard]] vec3 left_eye();

[[nodiscard]] Mesh make_head();
/// What moves the neck and its collar at a height.
[[nodiscard]] Weights neck_weights(float y);
/// How far a place on a lid moves when it closes: 1 is shut.
[[nodiscard]] vec3 lid_motion(const Feature& feature, float closed);

/// A morph target: how far everything moves at amount 1, in millimetres and degrees. Left and right are the signer's.
struct Expression {
    const char* name;
    float jaw_open = 0;  ///< degrees
    float jaw_side = 0, jaw_forward = 0;
    float wide = 0;                      ///< corners of the mouth, outwards
    float corners = 0;                   ///< likewise, up
    float forward = 0;                   ///< lips
    float upper_lip = 0, lower_lip = 0;  ///< up
    float upper_lip_left = 0, upper_lip_right = 0;
    float lower_lip_forward = 0;
    float cheek_left = 0, cheek_right = 0;  ///< outwards
    float puffed_lips = 0;
    float cheeks_up = 0;
    float nostrils = 0, nose_up = 0;
    float tongue_out = 0, tongue_up = 0, tongue_left = 0;
    float tongue_tip_up = 0;
    float brow_left = 0, brow_right = 0;  ///< up
    float lid_left = 0, lid_right = 0;    ///< 1: closed; below 0: wide open
    float lower_lid_left = 0, lower_lid_right = 0;
};
[[nodiscard]] const std::vector<Expression>& expressions();
[[nodiscard]] vec3 displacement(const Expression& expression, const Point& point);

}  // namespace signer
