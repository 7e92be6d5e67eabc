#pragma once
/// The way from one key of a track to the next, in double precision.

#include <array>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "effigy/scene.hpp"

namespace effigy {

/// Linear interpolation as the rule has it; rotations come out of it with unit length.
class BetweenKeys {
public:
    BetweenKeys(std::span<const float> from, std::span<const float> to, TrackPath path, RotationRule rule);
    void at(double part, std::span<double> out) const;

private:
    [[nodiscard]] glm::dquat rotation_at(double part) const;

    std::span<const float> from_, to_;
    bool turns_;
    bool equal_ = false;
    RotationRule rule_;
    glm::dquat first_{1, 0, 0, 0}, last_{1, 0, 0, 0};
    double cosine_ = 1, angle_ = 0;  ///< half the angle between both
};

/// A rotation of unit length; one of no length is no rotation.
[[nodiscard]] glm::dquat unit_rotation(const glm::dquat& rotation) noexcept;

/// How far two values of a track are apart: rotations as an angle, weights by the one that differs most, others as a
/// distance.
[[nodiscard]] double difference_of(TrackPath path, std::span<const double> a, std::span<const double> b) noexcept;

}  // namespace effigy
