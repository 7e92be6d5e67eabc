#pragma once
/// Interpolation from one key of a track to the next, in double precision.

#include <glm/gtc/quaternion.hpp>
#include <span>

#include "effigy/scene.hpp"

namespace effigy {

/// Linear interpolation as the rule has it; rotations come out of it with unit length.
class BetweenKeys {
public:
    BetweenKeys(std::span<const float> from, std::span<const float> to, TrackPath path, RotationRule rule);
    void at(double t, std::span<double> out) const;
    /// How far at most, in radians, a rotation is from where it would be if it went the same way in several steps; 0
    /// where it keeps its speed.
    [[nodiscard]] double unevenness() const noexcept;

private:
    [[nodiscard]] glm::dquat rotation_at(double t) const;

    std::span<const float> from_, to_;
    bool rotates_;
    bool equal_ = false;
    RotationRule rule_;
    glm::dquat first_{1, 0, 0, 0}, last_{1, 0, 0, 0};
    double cosine_ = 1, angle_ = 0;  ///< half the angle between both
};

/// The values of a track's keys, and the tangents of cubic splines around them.
struct KeyValues {
    std::span<const float> values;
    std::size_t components = 0;
    bool cubic = false;

    [[nodiscard]] std::size_t stride() const noexcept { return components * (cubic ? 3 : 1); }
    [[nodiscard]] std::span<const float> value(std::size_t key) const noexcept { return group(key, cubic ? 1 : 0); }
    [[nodiscard]] std::span<const float> in_tangent(std::size_t key) const noexcept { return group(key, 0); }
    [[nodiscard]] std::span<const float> out_tangent(std::size_t key) const noexcept { return group(key, 2); }

private:
    [[nodiscard]] std::span<const float> group(std::size_t key, std::size_t which) const noexcept {
        return values.subspan(key * stride() + which * components, components);
    }
};

/// From a key to the next one, `seconds` later, linearly or along a cubic spline.
class SegmentSampler {
public:
    SegmentSampler(const KeyValues& keys, std::size_t key, double seconds, TrackPath path, RotationRule rule)
        : keys_(keys),
          key_(key),
          seconds_(seconds),
          rotates_(path == TrackPath::rotation),
          line_(keys.value(key), keys.value(key + 1), path, rule) {}
    /// `t` runs from 0 to 1.
    void at(double t, std::span<double> out) const;

private:
    KeyValues keys_;
    std::size_t key_;
    double seconds_;
    bool rotates_;
    BetweenKeys line_;
};

/// A rotation of unit length; one of no length is no rotation.
[[nodiscard]] glm::dquat unit_rotation(const glm::dquat& rotation) noexcept;

/// How far two values of a track are apart: rotations as an angle, weights by the one that differs most, others as a
/// distance.
[[nodiscard]] double difference_of(TrackPath path, std::span<const double> a, std::span<const double> b) noexcept;

}  // namespace effigy
