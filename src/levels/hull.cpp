/// Convex hulls by Qhull.

#include "levels/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <memory>
#include <vector>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "levels/distance.hpp"
#include "scene/attributes.hpp"
#include "scene/wide_math.hpp"

namespace effigy::levels {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// Flatter than this part of their size points have no hull that anything could hit.
constexpr double min_height = 1e-5;

std::vector<glm::dvec3> points_of(const Mesh& mesh) {
    std::vector<glm::dvec3> points;
    for (const Corners& corners : corners_of(mesh)) points.insert(points.end(), corners.begin(), corners.end());
    const auto is_before = [](const glm::dvec3& a, const glm::dvec3& b) {
        return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
    };
    std::sort(points.begin(), points.end(), is_before);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

template <class Measure>
std::size_t farthest(const std::vector<glm::dvec3>& points, Measure&& measure) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double value = measure(points[i]);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

/// Qhull would say so as well, at length and to standard error.
bool is_flat(const std::vector<glm::dvec3>& points) {
    if (points.size() < 4) return true;
    const glm::dvec3& a = points.front();
    const glm::dvec3 b = points[farthest(points, [&](const glm::dvec3& p) { return glm::distance(p, a); })];
    const glm::dvec3 along = b - a;
    const auto width = [&](const glm::dvec3& p) { return glm::length(glm::cross(along, p - a)); };
    const glm::dvec3 normal = glm::cross(along, points[farthest(points, width)] - a);
    const auto height = [&](const glm::dvec3& p) { return std::abs(glm::dot(normal, p - a)); };
    const double length = glm::length(along), area = glm::length(normal);
    const double thickness = height(points[farthest(points, height)]) / area;
    return !(area > min_height * length * length && thickness > min_height * length);
}

/// Triangles of the hull, wound outwards as in glTF.
std::vector<Triangle> facets_of(std::vector<glm::dvec3>& points) {
    std::vector<Triangle> triangles;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
    if (!nowhere) return triangles;
    qhT state;
    qhT* const qh = &state;
    qh_zero(qh, nowhere.get());
    std::array<char, 9> command{"qhull Qt"};
    // Neither are the points changed, nor does it jump out of here.
    const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), &points.front().x, False, command.data(),
                                    nullptr, nowhere.get());
    if (failed == 0) {
        for (const facetT* facet = qh->facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
            Triangle corners{};
            std::size_t count = 0;
            for (void** place = &facet->vertices->e[0].p; *place != nullptr && count < 3; ++place)
                corners[count++] = static_cast<std::uint32_t>(qh_pointid(qh, static_cast<vertexT*>(*place)->point));
            const auto [a, b, c] = corners;
            const glm::dvec3 normal(facet->normal[0], facet->normal[1], facet->normal[2]);
            const bool outwards = glm::dot(glm::cross(points[b] - points[a], points[c] - points[a]), normal) > 0;
            triangles.push_back(outwards ? corners : Triangle{a, c, b});
        }
    }
    qh_freeqhull(qh, qh_ALL);
    int left = 0, left_size = 0;
    qh_memfreeshort(qh, &left, &left_size);
    return triangles;
}

}  // namespace

std::optional<Mesh> hull_of(const Mesh& mesh) {
    std::vector<glm::dvec3> points = points_of(mesh);
    if (is_flat(points) || points.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return std::nullopt;
    std::vector<Triangle> triangles = facets_of(points);
    if (triangles.empty()) return std::nullopt;
    std::sort(triangles.begin(), triangles.end());  // in an order that only the points decide
    constexpr std::uint32_t unused = 0xffffffffu;
    std::vector<std::uint32_t> numbers(points.size(), unused), used;
    Primitive primitive;
    for (const Triangle& triangle : triangles) {
        for (const std::uint32_t point : triangle) {
            if (numbers[point] == unused) {
                numbers[point] = static_cast<std::uint32_t>(used.size());
                used.push_back(point);
            }
            primitive.indices.push_back(numbers[point]);
        }
    }
    Mesh hull;
    hull.vertex_count = primitive.vertex_count = static_cast<std::uint32_t>(used.size());
    const auto out = add_attribute<Vec3>(hull, Semantic::position, ElementType::vec3, ComponentType::f32);
    for (std::size_t i = 0; i < used.size(); ++i) out[i] = narrow(points[used[i]]);
    hull.primitives.push_back(std::move(primitive));
    return hull;
}

}  // namespace effigy::levels
