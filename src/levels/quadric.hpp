#pragma once
/// Sums of weighted squares of linear functions of a place: how far it is from planes, or values from what they were.

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace effigy::levels {

struct Quadric {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    glm::dvec3 linear{0};
    double constant = 0;

    /// weight * (slope . p + offset)^2
    void add(const glm::dvec3& slope, double offset, double weight) noexcept {
        const glm::dvec3 s = slope * weight;
        xx += s.x * slope.x;
        yy += s.y * slope.y;
        zz += s.z * slope.z;
        xy += s.x * slope.y;
        xz += s.x * slope.z;
        yz += s.y * slope.z;
        linear += s * offset;
        constant += weight * offset * offset;
    }

    Quadric& operator+=(const Quadric& other) noexcept {
        xx += other.xx;
        yy += other.yy;
        zz += other.zz;
        xy += other.xy;
        xz += other.xz;
        yz += other.yz;
        linear += other.linear;
        constant += other.constant;
        return *this;
    }

    [[nodiscard]] double at(const glm::dvec3& p) const noexcept {
        const double squares = xx * p.x * p.x + yy * p.y * p.y + zz * p.z * p.z;
        const double mixed = xy * p.x * p.y + xz * p.x * p.z + yz * p.y * p.z;
        return squares + 2 * (mixed + glm::dot(linear, p)) + constant;
    }
};

}  // namespace effigy::levels
