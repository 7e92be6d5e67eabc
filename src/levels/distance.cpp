/// Distances of surfaces, by the places of many points of each on the other.

#include "levels/distance.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "effigy/levels.hpp"
#include "effigy/scene_access.hpp"

#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"

namespace effigy::levels {
namespace {

double squared_length(const glm::dvec3& v) { return glm::dot(v, v); }

double squared_distance_to_line(const glm::dvec3& point, const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 along = b - a;
    const double length = squared_length(along);
    const double share = length > 0 ? std::clamp(glm::dot(point - a, along) / length, 0.0, 1.0) : 0;
    return squared_length(point - a - along * share);
}

double squared_distance_to_box(const glm::dvec3& point, const glm::dvec3& low, const glm::dvec3& high) {
    return squared_length(glm::max(glm::max(low - point, point - high), glm::dvec3(0)));
}

/// Corners, middles of edges, and the middle of some of the triangles, evenly chosen.
double farthest(const std::vector<Corners>& from, const TriangleTree& to, std::size_t samples) {
    double farthest = 0;
    const std::size_t step = std::max<std::size_t>(1, from.size() * 7 / std::max<std::size_t>(samples, 1));
    for (std::size_t i = 0; i < from.size(); i += step) {
        const auto& [a, b, c] = from[i];
        for (const glm::dvec3& point : {a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0, (a + b + c) / 3.0})
            farthest = std::max(farthest, to.squared_distance_to(point, std::numeric_limits<double>::max()));
    }
    return std::sqrt(farthest);
}

}  // namespace

double distance_of(const TriangleTree& a, const TriangleTree& b, std::size_t samples) {
    return std::max(farthest(a.triangles(), b, samples), farthest(b.triangles(), a, samples));
}

double squared_distance(const glm::dvec3& point, const Corners& triangle) noexcept {
    const auto& [a, b, c] = triangle;
    const glm::dvec3 normal = glm::cross(b - a, c - a);
    const double area = squared_length(normal);
    const auto is_inside = [&](const glm::dvec3& p, const glm::dvec3& q) {
        return glm::dot(glm::cross(q - p, point - p), normal) >= 0;
    };
    if (area > 0 && is_inside(a, b) && is_inside(b, c) && is_inside(c, a)) {
        const double height = glm::dot(point - a, normal);
        return height * height / area;
    }
    return std::min({squared_distance_to_line(point, a, b), squared_distance_to_line(point, b, c),
                     squared_distance_to_line(point, c, a)});
}

TriangleTree::TriangleTree(std::vector<Corners> triangles) : triangles_(std::move(triangles)) {
    if (!triangles_.empty()) add_box(0, static_cast<std::uint32_t>(triangles_.size()));
}

std::uint32_t TriangleTree::add_box(std::uint32_t begin, std::uint32_t end) {
    const auto number = static_cast<std::uint32_t>(boxes_.size());
    glm::dvec3 low(std::numeric_limits<double>::max()), high(-low);
    for (std::uint32_t i = begin; i < end; ++i) {
        for (const glm::dvec3& corner : triangles_[i]) {
            low = glm::min(low, corner);
            high = glm::max(high, corner);
        }
    }
    boxes_.push_back({low, high, begin, end, 0});
    constexpr std::uint32_t few = 4;
    if (end - begin <= few) return number;
    const glm::dvec3 size = high - low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto place = [](std::uint32_t index) { return static_cast<std::ptrdiff_t>(index); };
    const auto sum = [axis](const Corners& t) { return t[0][axis] + t[1][axis] + t[2][axis]; };
    std::nth_element(triangles_.begin() + place(begin), triangles_.begin() + place(middle),
                     triangles_.begin() + place(end),
                     [&](const Corners& a, const Corners& b) { return sum(a) < sum(b); });
    add_box(begin, middle);
    const std::uint32_t second = add_box(middle, end);
    boxes_[number].second = second;
    return number;
}

double TriangleTree::squared_distance_to(const glm::dvec3& point, double limit) const {
    std::vector<std::pair<double, std::uint32_t>> open;
    const auto look_at = [&](std::uint32_t number) {
        const double distance = squared_distance_to_box(point, boxes_[number].low, boxes_[number].high);
        if (distance < limit) open.emplace_back(distance, number);
    };
    if (!boxes_.empty()) look_at(0);
    while (!open.empty()) {
        const auto [distance, number] = open.back();
        open.pop_back();
        if (distance >= limit) continue;
        const Box& box = boxes_[number];
        if (box.second != 0) {
            look_at(number + 1);
            look_at(box.second);
            // The nearer half first.
            if (open.size() > 1 && open[open.size() - 2].first < open.back().first)
                std::swap(open[open.size() - 2], open.back());
            continue;
        }
        for (std::uint32_t i = box.begin; i < box.end; ++i)
            limit = std::min(limit, squared_distance(point, triangles_[i]));
    }
    return limit;
}

std::vector<Corners> corners_of(const Mesh& mesh) {
    std::vector<Corners> found;
    const FloatView positions(mesh, Semantic::position);
    if (positions.width() < 3) return found;
    for (const Primitive& primitive : mesh.primitives) {
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            Corners corners{};
            std::size_t count = 0;
            for (const std::uint32_t index : {a, b, c}) {
                const std::size_t vertex = std::size_t{primitive.first_vertex} + index;
                if (vertex >= mesh.vertex_count) return;
                const auto p = positions[vertex];
                corners[count++] = {p[0], p[1], p[2]};
            }
            if (is_finite(corners[0]) && is_finite(corners[1]) && is_finite(corners[2])) found.push_back(corners);
        });
    }
    return found;
}

}  // namespace effigy::levels

namespace effigy {

double surface_distance(const Mesh& a, const Mesh& b, std::size_t samples) {
    using namespace levels;
    const TriangleTree first(corners_of(a)), second(corners_of(b));
    if (first.triangles().empty() || second.triangles().empty())
        return first.triangles().empty() && second.triangles().empty() ? 0 : std::numeric_limits<double>::infinity();
    return distance_of(first, second, samples);
}

}  // namespace effigy
