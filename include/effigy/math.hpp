#pragma once
/// Plain numbers as they stand in files and in glTF: no operators, no padding, safe to copy as bytes.

#include <array>
#include <cstdint>

namespace effigy {

struct Vec2 {
    float x = 0, y = 0;
    friend bool operator==(const Vec2&, const Vec2&) = default;
};
struct Vec3 {
    float x = 0, y = 0, z = 0;
    friend bool operator==(const Vec3&, const Vec3&) = default;
};
struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
    friend bool operator==(const Vec4&, const Vec4&) = default;
};
/// Hamilton quaternion, imaginary part first; the default is no rotation.
struct Quat {
    float x = 0, y = 0, z = 0, w = 1;
    friend bool operator==(const Quat&, const Quat&) = default;
};
/// Linear red, green, blue, alpha; 0..1 unless a file says otherwise.
struct Color {
    float r = 0, g = 0, b = 0, a = 1;
    friend bool operator==(const Color&, const Color&) = default;
};
/// Column-major 4x4 matrix for column vectors: element [4 * column + row], as in glTF.
struct Mat4 {
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    friend bool operator==(const Mat4&, const Mat4&) = default;
};

}  // namespace effigy
