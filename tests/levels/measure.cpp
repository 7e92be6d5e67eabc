/// Distances, borders and orientation of levels, computed the plain way.

#include "levels/measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <map>
#include <set>

#include "effigy/scene_access.hpp"

#include "scene/triangles.hpp"

namespace effigy::test {
namespace {

using Place = std::array<float, 3>;
using Triangle = std::array<std::uint32_t, 3>;

std::vector<Triangle> vertices_of(const Mesh& mesh) {
    std::vector<Triangle> found;
    for (const Primitive& primitive : mesh.primitives) {
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const std::uint32_t first = primitive.first_vertex;
            found.push_back({first + a, first + b, first + c});
        });
    }
    return found;
}

glm::dvec3 at(const FloatView& view, std::uint32_t vertex) {
    return {view[vertex][0], view[vertex][1], view[vertex][2]};
}

std::map<std::pair<Place, Place>, int> edges_of(const Mesh& mesh) {
    const FloatView positions(mesh, Semantic::position);
    std::map<std::pair<Place, Place>, int> edges;
    for (const Triangle& triangle : vertices_of(mesh)) {
        for (std::size_t i = 0; i < 3; ++i) {
            const auto a = positions[triangle[i]], b = positions[triangle[(i + 1) % 3]];
            Place p{a[0], a[1], a[2]}, q{b[0], b[1], b[2]};
            if (q < p) std::swap(p, q);
            ++edges[{p, q}];
        }
    }
    return edges;
}

/// By trying all places that the nearest point can have: inside, on an edge, at a corner.
double distance(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
    double best = std::min({glm::distance(p, a), glm::distance(p, b), glm::distance(p, c)});
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
        const glm::dvec3 along = to - from;
        const double share = glm::dot(p - from, along) / glm::dot(along, along);
        if (share > 0 && share < 1) best = std::min(best, glm::distance(p, from + share * along));
    }
    const glm::dvec3 u = b - a, v = c - a, w = p - a, normal = glm::cross(u, v);
    const double area = glm::dot(normal, normal);
    const double second = glm::dot(glm::cross(w, v), normal) / area, third = glm::dot(glm::cross(u, w), normal) / area;
    if (second >= 0 && third >= 0 && second + third <= 1)
        best = std::min(best, std::abs(glm::dot(w, normal)) / std::sqrt(area));
    return best;
}

double one_way(const Mesh& from, const Mesh& to) {
    const FloatView source(from, Semantic::position), target(to, Semantic::position);
    std::vector<glm::dvec3> points;
    for (const auto& [a, b, c] : vertices_of(from)) {
        points.push_back(at(source, a));
        points.push_back((at(source, a) + at(source, b) + at(source, c)) / 3.0);
    }
    double most = 0;
    const std::vector<Triangle> triangles = vertices_of(to);
    for (const glm::dvec3& point : points) {
        double nearest = std::numeric_limits<double>::max();
        for (const auto& [a, b, c] : triangles)
            nearest = std::min(nearest, distance(point, at(target, a), at(target, b), at(target, c)));
        most = std::max(most, nearest);
    }
    return most;
}

std::string bytes_of(const Mesh& mesh, std::uint32_t vertex) {
    std::string bytes;
    for (const Attribute& attribute : mesh.attributes) {
        const std::size_t stride = attribute.data.stride();
        bytes.append(reinterpret_cast<const char*>(attribute.data.bytes.data()) + vertex * stride, stride);
    }
    return bytes;
}

}  // namespace

std::size_t triangles_of(const Mesh& mesh) { return vertices_of(mesh).size(); }

std::size_t turned_over(const Mesh& mesh) {
    const FloatView positions(mesh, Semantic::position), normals(mesh, Semantic::normal);
    const std::vector<Triangle> triangles = vertices_of(mesh);
    return static_cast<std::size_t>(std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& t) {
        const glm::dvec3 a = at(positions, t[0]);
        const glm::dvec3 face = glm::cross(at(positions, t[1]) - a, at(positions, t[2]) - a);
        return glm::dot(face, at(normals, t[0]) + at(normals, t[1]) + at(normals, t[2])) <= 0;
    }));
}

std::vector<std::pair<Vec3, Vec3>> open_edges(const Mesh& mesh) {
    std::vector<std::pair<Vec3, Vec3>> open;
    for (const auto& [edge, count] : edges_of(mesh)) {
        const auto& [a, b] = edge;
        if (count == 1) open.push_back({{a[0], a[1], a[2]}, {b[0], b[1], b[2]}});
    }
    return open;
}

std::size_t crowded_edges(const Mesh& mesh) {
    const auto edges = edges_of(mesh);
    return static_cast<std::size_t>(
        std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second > 2; }));
}

std::string strange_vertex(const Mesh& mesh, const Mesh& level) {
    if (level.attributes.size() != mesh.attributes.size()) return "attributes";
    std::set<std::string> known;
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) known.insert(bytes_of(mesh, i));
    for (std::uint32_t i = 0; i < level.vertex_count; ++i) {
        if (!known.contains(bytes_of(level, i))) return "vertex " + std::to_string(i);
    }
    return {};
}

double plain_distance(const Mesh& a, const Mesh& b) { return std::max(one_way(a, b), one_way(b, a)); }

}  // namespace effigy::test
