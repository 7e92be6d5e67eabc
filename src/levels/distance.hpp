#pragma once
/// How far surfaces are apart.

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy::levels {

using Corners = std::array<glm::dvec3, 3>;

/// Of a point and a triangle, squared.
[[nodiscard]] double squared_distance(const glm::dvec3& point, const Corners& triangle) noexcept;

/// Triangles in boxes in boxes, so that the nearest is found without looking at all of them.
class TriangleTree {
public:
    explicit TriangleTree(std::vector<Corners> triangles);
    [[nodiscard]] const std::vector<Corners>& triangles() const noexcept { return triangles_; }
    /// Of a point and the nearest triangle, squared; what is no nearer than `limit` need not be found.
    [[nodiscard]] double squared_distance_to(const glm::dvec3& point, double limit) const;

private:
    struct Box {
        glm::dvec3 low, high;
        std::uint32_t begin, end;  ///< triangles of it
        std::uint32_t second;      ///< number of the second half; the first one is next to the whole; 0: not halved
    };
    std::uint32_t add_box(std::uint32_t begin, std::uint32_t end);

    std::vector<Corners> triangles_;
    std::vector<Box> boxes_;
};

/// The largest distance between two surfaces that have triangles: of about so many points of each, either way round.
[[nodiscard]] double distance_of(const TriangleTree& a, const TriangleTree& b, std::size_t samples);

/// All triangles of a mesh that have three finite corners.
[[nodiscard]] std::vector<Corners> corners_of(const Mesh& mesh);

}  // namespace effigy::levels
