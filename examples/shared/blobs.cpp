/// Cuts a field of distances into triangles over a grid, and smooths them.

#include "blobs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace surfaces {

namespace {

using Quad = std::array<std::uint32_t, 4>;

/// Distances at the corners of a regular grid, and the surface's vertices in the cells that it crosses.
struct Grid {
    glm::ivec3 count;
    std::vector<float> values;
    std::vector<std::uint32_t> vertices;

    [[nodiscard]] std::size_t at(glm::ivec3 place) const {
        const glm::vec<3, std::size_t> p(place), n(count);
        return (p.z * n.y + p.y) * n.x + p.x;
    }
    template <class Action>
    void each(int from, int until, Action action) const {
        for (int z = from; z < count.z - until; ++z)
            for (int y = from; y < count.y - until; ++y)
                for (int x = from; x < count.x - until; ++x) action(glm::ivec3(x, y, z));
    }
};

/// The mean of the points where the surface cuts the cell's edges; false if it cuts none.
bool cell_vertex(const Grid& grid, glm::ivec3 cell, vec3& vertex) {
    vec3 sum{0};
    float cuts = 0;
    for (int corner = 0; corner < 8; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
            if (corner & (1 << axis)) continue;
            const glm::ivec3 from(corner & 1, (corner >> 1) & 1, corner >> 2);
            glm::ivec3 to = from;
            to[axis] = 1;
            const float a = grid.values[grid.at(cell + from)], b = grid.values[grid.at(cell + to)];
            if ((a < 0) == (b < 0)) continue;
            sum += glm::mix(vec3(from), vec3(to), a / (a - b));
            cuts += 1;
        }
    }
    vertex = vec3(cell) + sum / std::max(cuts, 1.0f);
    return cuts > 0;
}

/// One quad for each grid edge that the surface cuts, facing outwards.
std::vector<Quad> quads_of(const Grid& grid) {
    std::vector<Quad> quads;
    grid.each(1, 1, [&](glm::ivec3 corner) {
        for (int axis = 0; axis < 3; ++axis) {
            glm::ivec3 step{0}, u{0}, v{0};
            step[axis] = u[(axis + 1) % 3] = v[(axis + 2) % 3] = 1;
            const bool inside = grid.values[grid.at(corner)] < 0;
            if (inside == (grid.values[grid.at(corner + step)] < 0)) continue;
            const auto id = [&](glm::ivec3 cell) { return grid.vertices[grid.at(cell)]; };
            Quad quad{id(corner - u - v), id(corner - v), id(corner), id(corner - u)};
            if (!inside) std::reverse(quad.begin(), quad.end());
            quads.push_back(quad);
        }
    });
    return quads;
}

/// Evens out the spacing: each vertex goes halfway to the middle of its neighbours and back onto the surface.
void relax(std::vector<vec3>& positions, const std::vector<Quad>& quads, const Distance& distance, float longest) {
    std::vector<glm::vec4> sums(positions.size(), glm::vec4(0));
    for (const Quad& quad : quads) {
        for (std::size_t i = 0; i < 4; ++i) {
            sums[quad[i]] += glm::vec4(positions[quad[(i + 1) % 4]], 1);
            sums[quad[i]] += glm::vec4(positions[quad[(i + 3) % 4]], 1);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        vec3& p = positions[i];
        p = glm::mix(p, vec3(sums[i]) / sums[i].w, 0.5f);
        for (int step = 0; step < 3; ++step) p -= normal_of(distance, p) * glm::clamp(distance(p), -longest, longest);
    }
}

/// Where relaxing has folded a triangle over, its shortest edge becomes a single vertex. True if one was found.
bool collapse_folds(Solid& solid, const Distance& distance) {
    std::vector<vec3>& at = solid.positions;
    std::vector<std::uint32_t> target(at.size());
    std::iota(target.begin(), target.end(), 0u);
    std::vector<bool> touched(at.size(), false);
    bool found = false;
    for (const Facet& triangle : solid.triangles) {
        const auto [a, b, c] = triangle.corners;
        const vec3 normal = glm::cross(at[b] - at[a], at[c] - at[a]), middle = (at[a] + at[b] + at[c]) / 3.0f;
        if (glm::dot(normal, normal_of(distance, middle)) > 0.2f * glm::length(normal)) continue;
        found = true;
        if (touched[a] || touched[b] || touched[c]) continue;
        const std::array<std::array<std::uint32_t, 2>, 3> edges{{{a, b}, {b, c}, {c, a}}};
        const auto [keep, drop] =
            *std::min_element(edges.begin(), edges.end(), [&](const auto& one, const auto& other) {
                return glm::distance(at[one[0]], at[one[1]]) < glm::distance(at[other[0]], at[other[1]]);
            });
        touched[a] = touched[b] = touched[c] = true;
        target[drop] = keep;
        at[keep] = (at[keep] + at[drop]) / 2.0f;
    }
    for (Facet& triangle : solid.triangles)
        for (std::uint32_t& corner : triangle.corners) corner = target[corner];
    std::erase_if(solid.triangles, [](const Facet& triangle) {
        const auto [a, b, c] = triangle.corners;
        return a == b || b == c || c == a;
    });
    return found;
}

void drop_unused(Solid& solid) {
    constexpr std::uint32_t unused = ~0u;
    std::vector<std::uint32_t> place(solid.positions.size(), unused);
    std::vector<vec3> used;
    for (Facet& triangle : solid.triangles) {
        for (std::uint32_t& corner : triangle.corners) {
            if (place[corner] == unused) {
                place[corner] = static_cast<std::uint32_t>(used.size());
                used.push_back(solid.positions[corner]);
            }
            corner = place[corner];
        }
    }
    solid.positions = std::move(used);
}

}  // namespace

float distance_to(const Blob& blob, vec3 p) {
    p = blob.a + (p - blob.a) / blob.squash;
    const vec3 axis = blob.b - blob.a;
    const float along = glm::clamp(glm::dot(p - blob.a, axis) / std::max(glm::dot(axis, axis), 1e-9f), 0.0f, 1.0f);
    const float distance = glm::length(p - blob.a - axis * along) - glm::mix(blob.radius_a, blob.radius_b, along);
    return distance * std::min({blob.squash.x, blob.squash.y, blob.squash.z});
}

float melt(float a, float b, float width) {
    const float least = std::min(a, b);
    return least - width * std::log(std::exp((least - a) / width) + std::exp((least - b) / width));
}

float melt(const std::vector<Blob>& blobs, vec3 p, float width) {
    float least = 1e9f;
    for (const Blob& blob : blobs) least = std::min(least, distance_to(blob, p));
    float sum = 0;
    for (const Blob& blob : blobs) sum += std::exp((least - distance_to(blob, p)) / width);
    return least - width * std::log(sum);
}

vec3 normal_of(const Distance& distance, vec3 p) {
    constexpr float step = 1e-3f;
    vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 offset{0};
        offset[axis] = step;
        gradient[axis] = distance(p + offset) - distance(p - offset);
    }
    return glm::normalize(gradient);
}

Solid polygonize(const Distance& distance, vec3 low, vec3 high, vec3 cell, int passes) {
    Grid grid{glm::ivec3(glm::ceil((high - low) / cell)) + 1, {}, {}};
    grid.each(0, 0, [&](glm::ivec3 place) { grid.values.push_back(distance(low + cell * vec3(place))); });
    Solid solid;
    grid.vertices.resize(grid.values.size());
    grid.each(0, 1, [&](glm::ivec3 place) {
        vec3 vertex;
        if (!cell_vertex(grid, place, vertex)) return;
        grid.vertices[grid.at(place)] = static_cast<std::uint32_t>(solid.positions.size());
        solid.positions.push_back(low + cell * vertex);
    });
    const std::vector<Quad> quads = quads_of(grid);
    const float longest = std::min({cell.x, cell.y, cell.z}) / 4;
    for (int pass = 0; pass < passes; ++pass) relax(solid.positions, quads, distance, longest);
    const std::vector<vec3>& at = solid.positions;
    for (const auto& [a, b, c, d] : quads) {
        const bool shorter = glm::distance(at[a], at[c]) < glm::distance(at[b], at[d]);
        const vec3 middle = (at[a] + at[b] + at[c] + at[d]) / 4.0f;
        solid.triangles.push_back({shorter ? std::array{a, b, c} : std::array{a, b, d}, middle});
        solid.triangles.push_back({shorter ? std::array{a, c, d} : std::array{b, c, d}, middle});
    }
    for (int pass = 0; pass < 10 && collapse_folds(solid, distance); ++pass) {
    }
    drop_unused(solid);
    return solid;
}

}  // namespace surfaces
