#pragma once
/// The rigid transform that takes points to points best, in double precision.

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace effigy::arp {

struct Frame {
    glm::dvec3 translation{0};
    glm::dquat rotation{1, 0, 0, 0};
    [[nodiscard]] glm::dvec3 operator*(const glm::dvec3& point) const { return translation + rotation * point; }
    [[nodiscard]] Frame operator*(const Frame& child) const;
};

/// Sums over pairs of points and of directions: a fit of any number of them takes no memory.
class RigidFit {
public:
    void add_point(const glm::dvec3& from, const glm::dvec3& to, double weight);
    /// Turned, not moved.
    void add_direction(const glm::dvec3& from, const glm::dvec3& to, double weight);

    [[nodiscard]] std::size_t points() const noexcept { return points_; }
    /// The area that the first points cover, as a part of their extent: 0 on a line, 0.5 for a round plate.
    [[nodiscard]] double spread() const;
    /// The square of their extent in two directions: of two sets, the larger one tells more.
    [[nodiscard]] double area() const;

    /// Where pairs do not tell the rotation, as for points on a line, it is the one nearest to `guess`.
    [[nodiscard]] Frame freely(const glm::dquat& guess) const;
    /// With the origin of the first points held at a place of the second ones.
    [[nodiscard]] Frame about(const glm::dvec3& joint, const glm::dquat& guess) const;

private:
    std::size_t points_ = 0;
    double weight_ = 0;
    glm::dvec3 from_{0}, to_{0};           // weighted sums
    glm::dmat3 squares_{0}, products_{0};  // of from with from, and of to with from
    glm::dmat3 directions_{0};

    [[nodiscard]] glm::dmat3 covariance() const;
};

/// The rotation R for which the sum of the products of R's elements with the matrix's is largest.
[[nodiscard]] glm::dquat nearest_rotation(const glm::dmat3& matrix);

}  // namespace effigy::arp
