#pragma once
/// What the tests of playback share: random numbers, memory with guards, every kind of vectors in turn.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "effigy/playback.hpp"

namespace effigy::playback {

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinite = std::numeric_limits<float>::infinity();

/// The same numbers in every run.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    float number(float low = -1, float high = 1) {
        return low + (high - low) * static_cast<float>(engine_() & 0xffffff) / 16777216.0f;
    }
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
    Vec3 vector() { return {number(), number(), number()}; }
    Vec4 tangent() { return {number(), number(), number(), below(2) == 0 ? -1.0f : 1.0f}; }
    Quat rotation() {
        const glm::quat q = glm::normalize(glm::quat(number(), number(), number(), number() + 0.01f));
        return {q.x, q.y, q.z, q.w};
    }
    Mat4 matrix() {
        Mat4 result;
        for (std::size_t i = 0; i < 16; ++i) result.m[i] = i % 4 == 3 ? (i == 15 ? 1.0f : 0.0f) : number();
        return result;
    }

private:
    std::mt19937 engine_;
};

/// `count` elements that begin `shift` numbers behind an aligned address. With `guards`, the numbers around them must
/// stay; without, they end where the memory ends, which AddressSanitizer looks at.
template <class T>
class Guarded {
public:
    static constexpr float guard = 12345.5f;
    static constexpr std::size_t width = sizeof(T) / sizeof(float);

    Guarded(std::size_t count, std::size_t shift, bool guards)
        : begin_(shift + 4), count_(count), numbers_(begin_ + width * count + (guards ? 4 : 0), guard) {}
    [[nodiscard]] std::span<T> span() { return {reinterpret_cast<T*>(numbers_.data() + begin_), count_}; }
    [[nodiscard]] bool is_intact() const {
        const auto is_guard = [](float number) { return number == guard; };
        const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(begin_);
        return std::all_of(numbers_.begin(), begin, is_guard) &&
               std::all_of(begin + static_cast<std::ptrdiff_t>(width * count_), numbers_.end(), is_guard);
    }

private:
    std::size_t begin_;
    std::size_t count_;
    std::vector<float> numbers_;
};

/// Calls `work`; what fails in it is said to fail with this machine's kind of vectors. ctest runs everything once for
/// each kind.
template <class Work>
void with_vectors(const Work& work) {
    SCOPED_TRACE(std::string(vector_target()));
    work();
}

template <class T>
std::vector<float> numbers_of(const T& values) {
    std::vector<float> numbers;
    for (const auto& value : values) {
        const auto* first = reinterpret_cast<const float*>(&value);
        numbers.insert(numbers.end(), first, first + sizeof(value) / sizeof(float));
    }
    return numbers;
}

/// Number by number.
template <class A, class B>
void expect_near(const A& found, const B& expected, float tolerance) {
    const std::vector<float> a = numbers_of(found);
    const std::vector<float> b = numbers_of(expected);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "number " << i;
}

template <class T>
std::span<const T> one(const T& value) {
    return {&value, 1};
}

inline void expect_same(const Vec3& a, const Vec3& b, float tolerance = 1e-6f) {
    expect_near(one(a), one(b), tolerance);
}

/// Whether both turn the same way; q and -q do.
inline void expect_same(const Quat& a, const Quat& b, float tolerance = 1e-6f) {
    const float product = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    const Quat near = product < 0 ? Quat{-b.x, -b.y, -b.z, -b.w} : b;
    expect_near(one(a), one(near), tolerance);
}

inline void expect_same(const Transform& a, const Transform& b) {
    expect_same(a.translation, b.translation);
    expect_same(a.rotation, b.rotation);
    expect_same(a.scale, b.scale);
}

/// Turned round an axis of unit length by `angle` degrees.
inline Quat turned(const Vec3& axis, double angle) {
    const double half = angle / 360 * 3.14159265358979323846;
    const auto sine = static_cast<float>(std::sin(half));
    return {axis.x * sine, axis.y * sine, axis.z * sine, static_cast<float>(std::cos(half))};
}

inline glm::dmat4 widened(const Mat4& matrix) {
    glm::dmat4 wide;
    for (int i = 0; i < 16; ++i) wide[i / 4][i % 4] = static_cast<double>(matrix.m[static_cast<std::size_t>(i)]);
    return wide;
}

inline Mat4 narrowed(const glm::dmat4& wide) {
    Mat4 matrix;
    for (int i = 0; i < 16; ++i) matrix.m[static_cast<std::size_t>(i)] = static_cast<float>(wide[i / 4][i % 4]);
    return matrix;
}

inline glm::dvec3 widened(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 narrowed(const glm::dvec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Unit, or as it is if it has no length.
inline glm::dvec3 direction(const glm::dvec3& v) {
    const double length = glm::length(v);
    return length == 0 ? v : v / length;
}

inline Pose make_pose(std::size_t joints, Random& random) {
    Pose pose;
    pose.resize(joints);
    for (std::size_t i = 0; i < joints; ++i) {
        pose.translations[i] = random.vector();
        pose.rotations[i] = random.rotation();
        pose.scales[i] = {random.number(0.5f, 2), random.number(0.5f, 2), random.number(0.5f, 2)};
    }
    return pose;
}

/// One joint.
inline Pose make_pose(const Transform& transform) {
    Pose pose;
    pose.resize(1);
    pose.translations[0] = transform.translation;
    pose.rotations[0] = transform.rotation;
    pose.scales[0] = transform.scale;
    return pose;
}

}  // namespace effigy::playback
