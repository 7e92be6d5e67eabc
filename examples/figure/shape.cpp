/// Surfaces of the figure: turned on a lathe, ellipsoids, blobs; their normals and weights.

#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numeric>
#include <utility>

#include "shared/blobs.hpp"

namespace figure {

namespace {

float distance_to(const Blob& blob, vec3 p) {
    return surfaces::distance_to({blob.bone, blob.a, blob.b, blob.radius_a, blob.radius_b, blob.squash}, p);
}

}  // namespace

float Field::distance(vec3 p) const {
    std::vector<float> distances(blobs.size());
    std::transform(blobs.begin(), blobs.end(), distances.begin(), [&](const Blob& b) { return distance_to(b, p); });
    const float nearest = *std::min_element(distances.begin(), distances.end());
    float sum = 0;
    for (const float distance : distances) sum += std::exp((nearest - distance) / blend);
    return nearest - blend * std::log(sum);
}

Weights Field::weights(vec3 p) const {
    constexpr float falloff = 0.018f;
    constexpr int reach = 2;  // steps in the tree: what is near in space only must not pull
    std::vector<float> nearest(bone_count, 1e9f);
    for (const Blob& blob : blobs) nearest[blob.bone] = std::min(nearest[blob.bone], distance_to(blob, p));
    const auto first = std::min_element(nearest.begin(), nearest.end());
    const auto owner = static_cast<Bone>(first - nearest.begin());

    Weights weights;
    for (std::uint16_t i = 0; i < bone_count; ++i) {
        const auto bone = static_cast<Bone>(i);
        const float weight = std::exp((*first - nearest[bone]) / falloff);
        if (weight > 0.02f && tree_distance(owner, bone) <= reach) weights.push_back({bone, weight});
    }
    std::stable_sort(weights.begin(), weights.end(),
                     [](const Weight& a, const Weight& b) { return a.weight > b.weight; });
    if (weights.size() > 4) weights.erase(weights.begin() + 4, weights.end());
    float sum = 0;
    for (const Weight& weight : weights) sum += weight.weight;
    for (Weight& weight : weights) weight.weight /= sum;
    return weights;
}

Part Field::part(vec3 p) const {
    const auto nearest = std::min_element(blobs.begin(), blobs.end(), [&](const Blob& a, const Blob& b) {
        return distance_to(a, p) < distance_to(b, p);
    });
    return nearest->part;
}

Shape polygonize(const Field& field, vec3 low, vec3 high, float cell) {
    const auto distance = [&](vec3 p) { return field.distance(p); };
    surfaces::Solid solid = surfaces::polygonize(distance, low, high, vec3(cell), 9);
    Shape shape;
    shape.positions = std::move(solid.positions);
    for (const auto& [corners, middle] : solid.triangles) shape.triangles.push_back({corners, field.part(middle)});
    weigh(shape, [&](vec3 p) { return field.weights(p); });
    smooth_normals(shape);
    return shape;
}

Shape lathe(const std::vector<vec2>& profile, int segments, Part part, const glm::mat4& frame) {
    Shape shape;
    const auto columns = static_cast<std::uint32_t>(segments);
    for (const vec2 point : profile) {
        for (int i = 0; i < segments; ++i) {
            const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(segments);
            const vec3 p{point.x * std::cos(angle), point.y, point.x * std::sin(angle)};
            shape.positions.emplace_back(frame * glm::vec4(p, 1));
        }
    }
    for (std::uint32_t row = 0; row + 1 < profile.size(); ++row) {
        if (profile[row] == profile[row + 1]) continue;  // a crease
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t a = row * columns + i, b = row * columns + (i + 1) % columns;
            if (profile[row + 1].x > 0) shape.triangles.push_back({{a, a + columns, b + columns}, part});
            if (profile[row].x > 0) shape.triangles.push_back({{a, b + columns, b}, part});
        }
    }
    smooth_normals(shape);
    for (std::size_t row = 0; row < profile.size(); ++row) {  // at a pole the vertices of one row meet
        if (profile[row].x > 0) continue;
        const auto first = shape.normals.begin() + static_cast<std::ptrdiff_t>(row * columns);
        const vec3 sum = std::accumulate(first, first + segments, vec3(0));
        std::fill(first, first + segments, glm::normalize(sum));
    }
    return shape;
}

Shape ellipsoid(vec3 centre, vec3 radii, int segments, Part part) {
    std::vector<vec2> profile;
    for (int i = 0; i <= segments / 2; ++i) {
        const float angle = glm::pi<float>() * static_cast<float>(i) / static_cast<float>(segments / 2);
        profile.emplace_back(i == 0 || i == segments / 2 ? 0.0f : std::sin(angle), -std::cos(angle));
    }
    return lathe(profile, segments, part, glm::scale(glm::translate(glm::mat4(1), centre), radii));
}

void smooth_normals(Shape& shape) {
    const std::vector<vec3>& at = shape.positions;
    shape.normals.assign(at.size(), vec3(0));
    for (const auto& [corners, part] : shape.triangles) {
        const auto [a, b, c] = corners;
        const vec3 normal = glm::cross(at[b] - at[a], at[c] - at[a]);
        for (const std::uint32_t corner : corners) shape.normals[corner] += normal;
    }
    for (vec3& normal : shape.normals) {
        const float length = glm::length(normal);
        normal = length > 0 ? normal / length : vec3(0, 1, 0);
    }
}

void weigh(Shape& shape, const std::function<Weights(vec3)>& weights) {
    shape.weights.clear();
    for (const vec3 p : shape.positions) shape.weights.push_back(weights(p));
}

void append(Shape& shape, const Shape& other) {
    const auto base = static_cast<std::uint32_t>(shape.positions.size());
    shape.positions.insert(shape.positions.end(), other.positions.begin(), other.positions.end());
    shape.normals.insert(shape.normals.end(), other.normals.begin(), other.normals.end());
    shape.weights.insert(shape.weights.end(), other.weights.begin(), other.weights.end());
    for (Triangle triangle : other.triangles) {
        for (std::uint32_t& corner : triangle.corners) corner += base;
        shape.triangles.push_back(triangle);
    }
}

Shape mirrored(Shape shape) {
    for (vec3& p : shape.positions) p.x = -p.x;
    for (vec3& n : shape.normals) n.x = -n.x;
    for (Weights& weights : shape.weights)
        for (Weight& weight : weights) weight.bone = mirrored(weight.bone);
    for (Triangle& triangle : shape.triangles) std::swap(triangle.corners[1], triangle.corners[2]);
    return shape;
}

}  // namespace figure
