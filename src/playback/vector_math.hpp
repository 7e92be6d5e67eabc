#pragma once
/// The little algebra that playback needs, one number after the other.

#include <cmath>
#include <cstddef>

#include "effigy/math.hpp"

namespace effigy::playback {

[[nodiscard]] inline Vec3 add(const Vec3& a, const Vec3& b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Vec3 subtract(const Vec3& a, const Vec3& b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Vec3 scaled(const Vec3& v, float factor) noexcept {
    return {v.x * factor, v.y * factor, v.z * factor};
}

/// The point that lies `part` of the way from `a` to `b`.
[[nodiscard]] inline Vec3 mix(const Vec3& a, const Vec3& b, float part) noexcept {
    return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
}

[[nodiscard]] inline float dot(const Quat& a, const Quat& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
[[nodiscard]] inline Quat add(const Quat& a, const Quat& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
[[nodiscard]] inline Quat scaled(const Quat& q, float factor) noexcept {
    return {q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}
[[nodiscard]] inline Quat conjugate(const Quat& q) noexcept { return {-q.x, -q.y, -q.z, q.w}; }
/// First `b`, then `a`.
[[nodiscard]] inline Quat multiply(const Quat& a, const Quat& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
/// To unit length; a quaternion of no length becomes `fallback`.
[[nodiscard]] inline Quat normalized(const Quat& q, const Quat& fallback = {}) noexcept {
    const float square = dot(q, q);
    return square == 0 ? fallback : scaled(q, 1 / std::sqrt(square));
}

/// To unit length; a vector of no length stays.
[[nodiscard]] inline Vec3 normalized(const Vec3& v) noexcept {
    const float square = v.x * v.x + v.y * v.y + v.z * v.z;
    return square == 0 ? v : scaled(v, 1 / std::sqrt(square));
}

[[nodiscard]] inline Mat4 multiply(const Mat4& a, const Mat4& b) noexcept {
    Mat4 product;
    for (std::size_t column = 0; column < 16; column += 4) {
        for (std::size_t row = 0; row < 4; ++row) {
            product.m[column + row] = a.m[row] * b.m[column] + a.m[4 + row] * b.m[column + 1] +
                                      a.m[8 + row] * b.m[column + 2] + a.m[12 + row] * b.m[column + 3];
        }
    }
    return product;
}

/// First scale, then rotation, which has unit length, then translation.
[[nodiscard]] inline Mat4 compose(const Vec3& translation, const Quat& rotation, const Vec3& scale) noexcept {
    const auto [x, y, z, w] = rotation;
    return {{(1 - 2 * (y * y + z * z)) * scale.x, 2 * (x * y + w * z) * scale.x, 2 * (x * z - w * y) * scale.x, 0,
             2 * (x * y - w * z) * scale.y, (1 - 2 * (x * x + z * z)) * scale.y, 2 * (y * z + w * x) * scale.y, 0,
             2 * (x * z + w * y) * scale.z, 2 * (y * z - w * x) * scale.z, (1 - 2 * (x * x + y * y)) * scale.z, 0,
             translation.x, translation.y, translation.z, 1}};
}

[[nodiscard]] inline Vec3 transform_point(const Mat4& matrix, const Vec3& p) noexcept {
    const auto& m = matrix.m;
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}
[[nodiscard]] inline Vec3 transform_direction(const Mat4& matrix, const Vec3& d) noexcept {
    const auto& m = matrix.m;
    return {m[0] * d.x + m[4] * d.y + m[8] * d.z, m[1] * d.x + m[5] * d.y + m[9] * d.z,
            m[2] * d.x + m[6] * d.y + m[10] * d.z};
}

}  // namespace effigy::playback
