/// The rigid transform that best lays points on points: Horn's method, with eigenvectors by Jacobi rotations.

#include "arp/bind/rigid_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/matrix.hpp>

#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace {

/// What a guess weighs against the pairs: too little to be seen where those say anything.
constexpr double guess_weight = 1e-9;

double trace(const glm::dmat3& m) { return m[0][0] + m[1][1] + m[2][2]; }

/// Of all 2x2 minors on the diagonal: the products of two eigenvalues.
double minors(const glm::dmat3& m) {
    const auto minor = [&](int a, int b) { return m[a][a] * m[b][b] - m[a][b] * m[b][a]; };
    return std::max(0.0, minor(0, 1) + minor(0, 2) + minor(1, 2));
}

/// Beside elements of up to 1: turns by too little to be seen even where a guess alone decides.
constexpr double negligible = 1e-22;

using Symmetric4 = std::array<std::array<double, 4>, 4>;

/// Horn's matrix: its largest eigenvalue belongs to the quaternion (w x y z) that is looked for.
Symmetric4 horn_matrix(const glm::dmat3& m) {
    const auto s = [&](int to, int from) { return m[from][to]; };
    const double x = s(2, 1) - s(1, 2), y = s(0, 2) - s(2, 0), z = s(1, 0) - s(0, 1);
    const double xy = s(0, 1) + s(1, 0), xz = s(0, 2) + s(2, 0), yz = s(1, 2) + s(2, 1);
    return {{{s(0, 0) + s(1, 1) + s(2, 2), x, y, z},
             {x, s(0, 0) - s(1, 1) - s(2, 2), xy, xz},
             {y, xy, s(1, 1) - s(0, 0) - s(2, 2), yz},
             {z, xz, yz, s(2, 2) - s(0, 0) - s(1, 1)}}};
}

/// One of Jacobi's rotations: makes the element (p, q) zero.
void annihilate(Symmetric4& m, Symmetric4& vectors, std::size_t p, std::size_t q) {
    if (std::abs(m[p][q]) < negligible) return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double tangent = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
    const double cosine = 1 / std::hypot(tangent, 1.0), sine = tangent * cosine;
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = cosine * a - sine * b;
        m[k][q] = sine * a + cosine * b;
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[p][k], b = m[q][k];
        m[p][k] = cosine * a - sine * b;
        m[q][k] = sine * a + cosine * b;
        const double u = vectors[k][p], v = vectors[k][q];
        vectors[k][p] = cosine * u - sine * v;
        vectors[k][q] = sine * u + cosine * v;
    }
    m[p][q] = m[q][p] = 0;
}

}  // namespace

Frame Frame::operator*(const Frame& child) const {
    return {translation + rotation * child.translation, rotation * child.rotation};
}

glm::dquat nearest_rotation(const glm::dmat3& matrix) {
    const double scale = largest(matrix);
    if (!(scale > 0) || !std::isfinite(scale)) return {1, 0, 0, 0};
    Symmetric4 m = horn_matrix(matrix / scale);
    Symmetric4 vectors{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    // Convergence is quadratic: eight sweeps are more than doubles can use.
    for (int sweep = 0; sweep < 8; ++sweep)
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) annihilate(m, vectors, p, q);
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k)
        if (m[k][k] > m[best][best]) best = k;
    return glm::normalize(glm::dquat(vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]));
}

void RigidFit::add_point(const glm::dvec3& from, const glm::dvec3& to, double weight) {
    ++points_;
    weight_ += weight;
    from_ += weight * from;
    to_ += weight * to;
    squares_ += glm::outerProduct(from, weight * from);
    products_ += glm::outerProduct(to, weight * from);
}

void RigidFit::add_direction(const glm::dvec3& from, const glm::dvec3& to, double weight) {
    directions_ += glm::outerProduct(to, weight * from);
}

glm::dmat3 RigidFit::covariance() const {
    if (!(weight_ > 0)) return glm::dmat3(0);
    return squares_ / weight_ - glm::outerProduct(from_ / weight_, from_ / weight_);
}

double RigidFit::spread() const {
    const glm::dmat3 c = covariance();
    return trace(c) > 0 ? std::sqrt(minors(c)) / trace(c) : 0;
}

double RigidFit::area() const { return std::sqrt(minors(covariance())); }

Frame RigidFit::freely(const glm::dquat& guess) const {
    if (!(weight_ > 0)) return {glm::dvec3(0), guess};
    const glm::dvec3 from = from_ / weight_, to = to_ / weight_;
    const glm::dmat3 turned = products_ - glm::outerProduct(to, from_) + directions_;
    const glm::dquat rotation = nearest_rotation(turned + guess_weight * largest(turned) * glm::mat3_cast(guess));
    return {to - rotation * from, rotation};
}

Frame RigidFit::about(const glm::dvec3& joint, const glm::dquat& guess) const {
    const glm::dmat3 turned = products_ - glm::outerProduct(joint, from_) + directions_;
    if (!(largest(turned) > 0)) return {joint, guess};
    return {joint, nearest_rotation(turned + guess_weight * largest(turned) * glm::mat3_cast(guess))};
}

}  // namespace effigy::arp
