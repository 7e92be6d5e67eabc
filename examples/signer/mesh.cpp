/// Triangles, rows and solids of points; mirror images, weights and normals.

#include "mesh.hpp"

#include <algorithm>
#include <cmath>

namespace signer {

namespace {

std::size_t mirrored_bone(std::size_t index) {
    std::string name = skeleton()[index].name;
    const bool has_side = bone((name[0] == 'L' ? 'R' : 'L') + name.substr(1)) < skeleton().size();
    if (!has_side) return index;
    name[0] = name[0] == 'L' ? 'R' : 'L';
    return bone(name);
}

void add_triangle(Mesh& mesh, const Corner& a, const Corner& b, const Corner& c) {
    if (a.point != b.point && b.point != c.point && c.point != a.point) mesh.triangles.push_back({a, b, c});
}

}  // namespace

Row add_row(Mesh& mesh, int count, const std::function<Point(int)>& point) {
    Row row;
    for (int i = 0; i < count; ++i) {
        row.push_back(static_cast<std::uint32_t>(mesh.points.size()));
        mesh.points.push_back(point(i));
    }
    return row;
}

void stitch(Mesh& mesh, const Row& low, const Row& high, bool closed, Chart chart,
            const std::function<vec2(int, int)>& place) {
    const int count = static_cast<int>(std::max(low.size(), high.size()));
    const auto corner = [&](const Row& row, int column, int side) {
        const auto at = static_cast<std::size_t>(row.size() == 1 ? 0 : column % count);
        return Corner{row[at], texcoord(chart, place(row.size() == 1 ? 0 : column, side))};
    };
    for (int i = 0; i < (closed ? count : count - 1); ++i) {
        const Corner a = corner(low, i, 0), b = corner(low, i + 1, 0), c = corner(high, i + 1, 1),
                     d = corner(high, i, 1);
        add_triangle(mesh, a, b, c);
        add_triangle(mesh, a, c, d);
    }
}

void add_solid(Mesh& mesh, const surfaces::Solid& solid, Sides sides, const std::function<Weights(vec3)>& weights) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (const vec3 p : solid.positions) mesh.points.push_back({p, weights(p)});
    const int u = sides.axis == 0 ? 2 : 0, v = sides.axis == 1 ? 2 : 1;
    for (const auto& [triangle, middle] : solid.triangles) {
        const vec3 p = solid.positions[triangle[0]];
        const vec3 normal = glm::cross(solid.positions[triangle[1]] - p, solid.positions[triangle[2]] - p);
        const Chart chart = normal[sides.axis] >= 0 ? sides.positive : sides.negative;
        const auto corner = [&](std::uint32_t index) {
            const vec3 at = solid.positions[index];
            return Corner{first + index, texcoord(chart, vec2(at[u], at[v]))};
        };
        add_triangle(mesh, corner(triangle[0]), corner(triangle[1]), corner(triangle[2]));
    }
}

Weights weigh(const std::vector<Blob>& blobs, vec3 p, float falloff) {
    constexpr int reach = 2;
    constexpr double least = 0.02;
    std::vector<float> nearest(skeleton().size(), 1e9f);
    for (const Blob& blob : blobs) nearest[blob.bone] = std::min(nearest[blob.bone], distance_to(blob, p));
    const auto first = std::min_element(nearest.begin(), nearest.end());
    const auto owner = static_cast<std::size_t>(first - nearest.begin());
    Weights weights;
    for (std::size_t bone = 0; bone < nearest.size(); ++bone) {
        const double weight = std::exp((double{*first} - double{nearest[bone]}) / double{falloff});
        if (weight > least && tree_distance(owner, bone) <= reach) weights.push_back({bone, weight - least});
    }
    std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
    if (weights.size() > 4) weights.erase(weights.begin() + 4, weights.end());
    double sum = 0;
    for (const Weight& weight : weights) sum += weight.weight;
    for (Weight& weight : weights) weight.weight /= sum;
    return weights;
}

void append(Mesh& mesh, const Mesh& other) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (auto triangle : other.triangles) {
        for (Corner& corner : triangle) corner.point += first;
        mesh.triangles.push_back(triangle);
    }
}

Mesh mirrored(Mesh mesh) {
    for (Point& point : mesh.points) {
        point.position.x = -point.position.x;
        point.feature.is_left = !point.feature.is_left;
        for (Weight& weight : point.weights) weight.bone = mirrored_bone(weight.bone);
    }
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return mesh;
}

std::vector<vec3> smooth_normals(const Mesh& mesh, const std::vector<vec3>& positions) {
    std::vector<vec3> normals(positions.size(), vec3(0));
    for (const auto& [a, b, c] : mesh.triangles) {
        const vec3 p = positions[a.point];
        const vec3 normal = glm::cross(positions[b.point] - p, positions[c.point] - p);
        for (const Corner* corner : {&a, &b, &c}) normals[corner->point] += normal;
    }
    for (vec3& normal : normals) {
        const float length = glm::length(normal);
        normal = length > 0 ? normal / length : vec3(0, 1, 0);
    }
    return normals;
}

}  // namespace signer
