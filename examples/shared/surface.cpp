/// Ellipsoids, tubes and discs, triangle by triangle, and mirror images of them.

#include "surface.hpp"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace surfaces {

namespace {

/// At a pole, where u leads nowhere, the neighbourhood decides.
Vertex vertex_at(const Surface& surface, float u, float v) {
    constexpr float step = 1e-3f;
    const float inner = glm::clamp(v, 2 * step, 1 - 2 * step);
    const vec3 along_u = surface(u + step, inner) - surface(u - step, inner);
    const vec3 along_v = surface(u, inner + step) - surface(u, inner - step);
    Vertex vertex;
    vertex.position = surface(u, v);
    vertex.normal = glm::normalize(glm::cross(along_u, along_v));
    const vec3 tangent = glm::normalize(along_u - vertex.normal * glm::dot(vertex.normal, along_u));
    vertex.tangent = glm::vec4(tangent, 1);
    return vertex;
}

Vertex mirror(Vertex vertex) {
    vertex.position.x = -vertex.position.x;
    vertex.normal.x = -vertex.normal.x;
    vertex.tangent.x = -vertex.tangent.x;
    vertex.tangent.w = -vertex.tangent.w;
    return vertex;
}

void add_triangle(Shape& shape, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const vec3 p = shape.vertices[a].position;
    const vec3 area = glm::cross(shape.vertices[b].position - p, shape.vertices[c].position - p);
    if (glm::length(area) > 1e-8f) shape.indices.insert(shape.indices.end(), {a, b, c});
}

}  // namespace

void add(Shape& shape, const Surface& surface, int around, int along, Chart chart, bool mirrored) {
    const auto first = static_cast<std::uint32_t>(shape.vertices.size());
    for (int j = 0; j <= along; ++j) {
        for (int i = 0; i <= around; ++i) {
            const vec2 place{static_cast<float>(i) / static_cast<float>(around),
                             static_cast<float>(j) / static_cast<float>(along)};
            Vertex vertex = vertex_at(surface, place.x, place.y);
            vertex.uv = chart.corner + chart.size * vec2(place.x, 1 - place.y);
            shape.vertices.push_back(mirrored ? mirror(vertex) : vertex);
        }
    }
    const auto at = [&](int i, int j) { return first + static_cast<std::uint32_t>(j * (around + 1) + i); };
    for (int j = 0; j < along; ++j) {
        for (int i = 0; i < around; ++i) {
            const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            if (mirrored) {
                add_triangle(shape, a, c, b);
                add_triangle(shape, a, d, c);
            } else {
                add_triangle(shape, a, b, c);
                add_triangle(shape, a, c, d);
            }
        }
    }
}

void end_range(Shape& shape, std::string material) {
    const std::uint32_t first =
        shape.ranges.empty() ? 0 : shape.ranges.back().first_index + shape.ranges.back().index_count;
    shape.ranges.push_back({std::move(material), first, static_cast<std::uint32_t>(shape.indices.size()) - first});
}

Surface ellipsoid(vec3 centre, vec3 radius) {
    return [=](float u, float v) {
        const float turn = u * glm::two_pi<float>(), height = v * glm::pi<float>();
        const vec3 unit{std::sin(height) * std::cos(turn), std::sin(height) * std::sin(turn), -std::cos(height)};
        return centre + radius * unit;
    };
}

Surface tube(vec3 from, vec3 to, vec2 radius_from, vec2 radius_to) {
    return [=](float u, float v) {
        const float turn = u * glm::two_pi<float>();
        const vec2 radius = glm::mix(radius_from, radius_to, v);
        return glm::mix(from, to, v) + vec3(radius.x * std::cos(turn), radius.y * std::sin(turn), 0);
    };
}

Surface disc(vec3 centre, float radius) {
    return [=](float u, float v) {
        const float turn = u * glm::two_pi<float>();
        return centre + radius * v * vec3(std::cos(turn), std::sin(turn), 0);
    };
}

}  // namespace surfaces
