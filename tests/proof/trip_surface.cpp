/// Triangles of a .glb as a viewer draws them, and pairs of equal ones.

#include "proof/trip_surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_inverse.hpp>
#include <limits>
#include <map>
#include <utility>

namespace trip {
namespace {

using glb::Vec3;
using Places = std::array<Vec3, 3>;

/// What a difference of 1 in texture coordinates counts as: it decides where two triangles are in one place.
constexpr double coordinates_count = 1e-5;

Places places(const glb::Document& document, const glb::Pose& pose, const Triangle& triangle) {
    return {place(document, pose, triangle, 0), place(document, pose, triangle, 1), place(document, pose, triangle, 2)};
}

double area(const Places& corners) {
    return glm::length(glm::cross(corners[1] - corners[0], corners[2] - corners[0])) / 2;
}

double diagonal(const std::vector<Places>& all) {
    if (all.empty()) return 1;
    Vec3 low = all.front()[0], high = low;
    for (const Places& corners : all) {
        for (const Vec3& corner : corners) {
            low = glm::min(low, corner);
            high = glm::max(high, corner);
        }
    }
    return glm::length(high - low);
}

/// Triangles by the cell that their middle lies in.
class Cells {
public:
    Cells(const std::vector<Places>& all, double width) : width_(width) {
        for (std::size_t i = 0; i < all.size(); ++i) cells_[cell(all[i], {0, 0, 0})].push_back(i);
    }
    template <class Use>
    void near(const Places& corners, Use use) const {
        for (int n = 0; n < 27; ++n) {
            const auto found = cells_.find(cell(corners, {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}));
            if (found == cells_.end()) continue;
            for (const std::size_t i : found->second) use(i);
        }
    }

private:
    using Cell = std::array<long, 3>;
    [[nodiscard]] Cell cell(const Places& corners, const std::array<int, 3>& step) const {
        const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        Cell result{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            result[a] = std::lround(std::floor(middle[axis] / width_)) + step[a];
        }
        return result;
    }
    double width_;
    std::map<Cell, std::vector<std::size_t>> cells_;
};

double coordinate_distance(const Triangle& a, const Triangle& b, std::size_t turn) {
    if (a.primitive->uvs.empty() || b.primitive->uvs.empty()) return 0;
    double worst = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const auto& one = a.primitive->uvs[0].at(a.corners[c]);
        worst = std::max(worst, glm::length(one - b.primitive->uvs[0].at(b.corners[(c + turn) % 3])));
    }
    return worst;
}

struct Candidate {
    std::size_t number = 0, turn = 0;
    double distance = std::numeric_limits<double>::infinity();  ///< the greatest of a corner
    double badness = distance;
};

Triangle turned(Triangle triangle, std::size_t turn) {
    std::rotate(triangle.corners.begin(), triangle.corners.begin() + static_cast<std::ptrdiff_t>(turn),
                triangle.corners.end());
    return triangle;
}

std::vector<Places> all_places(const Drawn& drawn, const std::vector<Triangle>& triangles, const glb::Mat4& placed) {
    std::vector<Places> all;
    for (const Triangle& triangle : triangles) {
        Places corners = places(drawn.document, drawn.pose, triangle);
        for (Vec3& corner : corners) corner = Vec3(placed * glb::Vec4(corner, 1));
        all.push_back(corners);
    }
    return all;
}

}  // namespace

std::vector<Triangle> triangles_of(const glb::Document& document, const glb::Pose& pose) {
    std::vector<Triangle> triangles;
    for (std::size_t node = 0; node < document.nodes.size(); ++node) {
        if (!document.nodes[node].in_scene || document.nodes[node].mesh == glb::none) continue;
        for (const auto& primitive : document.meshes.at(static_cast<std::size_t>(document.nodes[node].mesh)).primitives)
            for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
                Triangle triangle{
                    node, &primitive, {primitive.indices[i], primitive.indices[i + 1], primitive.indices[i + 2]}};
                // A mirroring node turns its triangles over.
                const auto matrix = glb::vertex_matrix(document, pose, node, primitive, triangle.corners[0]);
                if (glm::determinant(glm::dmat3(matrix)) < 0) std::swap(triangle.corners[1], triangle.corners[2]);
                if (area(places(document, pose, triangle)) > 0) triangles.push_back(triangle);
            }
    }
    return triangles;
}

glb::Pose bare(const glb::Document& document) {
    glb::Pose pose = glb::rest(document);
    for (glb::Node& node : pose.nodes) std::fill(node.weights.begin(), node.weights.end(), 0.0);
    return pose;
}

Vec3 place(const glb::Document& document, const glb::Pose& pose, const Triangle& triangle, std::size_t corner) {
    return glb::position(document, pose, triangle.node, *triangle.primitive, triangle.corners.at(corner));
}

Vec3 normal(const glb::Document& document, const glb::Pose& pose, const Triangle& triangle, std::size_t corner) {
    const glb::Primitive& primitive = *triangle.primitive;
    const std::uint32_t vertex = triangle.corners.at(corner);
    const glm::dmat3 matrix(glb::vertex_matrix(document, pose, triangle.node, primitive, vertex));
    if (!primitive.normals.empty()) return glm::normalize(glm::inverseTranspose(matrix) * primitive.normals.at(vertex));
    const Places at = places(document, pose, triangle);
    return glm::normalize(glm::cross(at[1] - at[0], at[2] - at[0]));
}

Matching match(const Drawn& before, const Drawn& after, const glb::Mat4& placed, double tolerance) {
    const std::vector<Triangle> old = triangles_of(before.document, before.pose);
    const std::vector<Triangle> fresh = triangles_of(after.document, after.pose);
    const std::vector<Places> old_places = all_places(before, old, placed);
    const std::vector<Places> fresh_places = all_places(after, fresh, glb::Mat4(1.0));
    Matching result;
    result.size = diagonal(old_places);
    const double within = tolerance * result.size;
    const Cells cells(fresh_places, 2 * within);
    std::vector<bool> used(fresh.size());
    for (std::size_t i = 0; i < old.size(); ++i) {
        Candidate best;
        cells.near(old_places[i], [&](std::size_t j) {
            for (std::size_t turn = 0; turn < 3 && !used[j]; ++turn) {
                Candidate one{j, turn, 0, 0};
                for (std::size_t c = 0; c < 3; ++c)
                    one.distance =
                        std::max(one.distance, glm::length(old_places[i][c] - fresh_places[j][(c + turn) % 3]));
                one.badness =
                    one.distance + coordinates_count * result.size * coordinate_distance(old[i], fresh[j], turn);
                if (one.distance <= within && one.badness < best.badness) best = one;
            }
        });
        if (std::isinf(best.distance)) {
            ++result.lost;
            continue;
        }
        used[best.number] = true;
        result.pairs.push_back({old[i], turned(fresh[best.number], best.turn)});
    }
    result.made = fresh.size() - result.pairs.size();
    return result;
}

}  // namespace trip
