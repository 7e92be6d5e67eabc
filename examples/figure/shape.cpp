#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numeric>

namespace figure {

namespace {

float distance_to(const Blob& blob, vec3 p) {
    p = blob.a + (p - blob.a) / blob.squash;
    const vec3 axis = blob.b - blob.a;
    const float along = glm::clamp(glm::dot(p - blob.a, axis) / std::max(glm::dot(axis, axis), 1e-9f), 0.0f, 1.0f);
    const float distance = glm::length(p - blob.a - axis * along) - glm::mix(blob.radius_a, blob.radius_b, along);
    return distance * std::min({blob.squash.x, blob.squash.y, blob.squash.z});
}

/// Field values at the corners of a regular grid, and the surface's vertices in the cells that it crosses.
struct Grid {
    glm::ivec3 count;
    std::vector<float> values;
    std::vector<std::int64_t> vertices;

    [[nodiscard]] std::size_t at(glm::ivec3 cell) const {
        return (static_cast<std::size_t>(cell.z) * static_cast<std::size_t>(count.y) +
                static_cast<std::size_t>(cell.y)) *
                   static_cast<std::size_t>(count.x) +
               static_cast<std::size_t>(cell.x);
    }
    /// Calls with every cell that has neighbours on all of its sides.
    template <class Action>
    void each(int from, Action action) const {
        for (int z = from; z + 1 < count.z; ++z)
            for (int y = from; y + 1 < count.y; ++y)
                for (int x = from; x + 1 < count.x; ++x) action(glm::ivec3(x, y, z));
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
std::vector<std::array<std::uint32_t, 4>> quads_of(const Grid& grid) {
    std::vector<std::array<std::uint32_t, 4>> quads;
    grid.each(1, [&](glm::ivec3 corner) {
        for (int axis = 0; axis < 3; ++axis) {
            glm::ivec3 step{0}, u{0}, v{0};
            step[axis] = u[(axis + 1) % 3] = v[(axis + 2) % 3] = 1;
            const bool inside = grid.values[grid.at(corner)] < 0;
            if (inside == (grid.values[grid.at(corner + step)] < 0)) continue;
            const auto id = [&](glm::ivec3 cell) { return static_cast<std::uint32_t>(grid.vertices[grid.at(cell)]); };
            std::array<std::uint32_t, 4> quad{id(corner - u - v), id(corner - v), id(corner), id(corner - u)};
            if (!inside) std::reverse(quad.begin(), quad.end());
            quads.push_back(quad);
        }
    });
    return quads;
}

/// Evens out the spacing: each vertex goes halfway to the middle of its neighbours and back onto the surface.
void relax(Shape& shape, const std::vector<std::array<std::uint32_t, 4>>& quads, const Field& field,
           float longest_step) {
    std::vector<glm::vec4> sums(shape.positions.size(), glm::vec4(0));
    for (const auto& quad : quads) {
        for (std::size_t i = 0; i < 4; ++i) {
            sums[quad[i]] += glm::vec4(shape.positions[quad[(i + 1) % 4]], 1);
            sums[quad[i]] += glm::vec4(shape.positions[quad[(i + 3) % 4]], 1);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        vec3& p = shape.positions[i];
        p = glm::mix(p, vec3(sums[i]) / sums[i].w, 0.5f);
        for (int step = 0; step < 3; ++step)
            p -= field.normal(p) * glm::clamp(field.distance(p), -longest_step, longest_step);
    }
}

/// Where relaxing has folded a triangle over, its shortest edge becomes a single vertex. True if one was found.
bool collapse_folds(Shape& shape, const Field& field) {
    std::vector<vec3>& at = shape.positions;
    std::vector<std::uint32_t> target(at.size());
    std::iota(target.begin(), target.end(), 0u);
    std::vector<bool> touched(at.size(), false);
    bool found = false;
    for (const auto& [corners, part] : shape.triangles) {
        const auto [a, b, c] = corners;
        const vec3 normal = glm::cross(at[b] - at[a], at[c] - at[a]), middle = (at[a] + at[b] + at[c]) / 3.0f;
        if (glm::dot(normal, field.normal(middle)) > 0.2f * glm::length(normal)) continue;
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
    for (Triangle& triangle : shape.triangles)
        for (std::uint32_t& corner : triangle.corners) corner = target[corner];
    std::erase_if(shape.triangles, [](const Triangle& triangle) {
        const auto [a, b, c] = triangle.corners;
        return a == b || b == c || c == a;
    });
    return found;
}

void drop_unused_vertices(Shape& shape) {
    constexpr std::uint32_t unused = ~0u;
    std::vector<std::uint32_t> place(shape.positions.size(), unused);
    std::vector<vec3> used;
    for (Triangle& triangle : shape.triangles) {
        for (std::uint32_t& corner : triangle.corners) {
            if (place[corner] == unused) {
                place[corner] = static_cast<std::uint32_t>(used.size());
                used.push_back(shape.positions[corner]);
            }
            corner = place[corner];
        }
    }
    shape.positions = std::move(used);
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

vec3 Field::normal(vec3 p) const {
    constexpr float step = 1e-3f;
    vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 offset{0};
        offset[axis] = step;
        gradient[axis] = distance(p + offset) - distance(p - offset);
    }
    return glm::normalize(gradient);
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
    Grid grid{glm::ivec3(glm::ceil((high - low) / cell)) + 1, {}, {}};
    const auto size = static_cast<std::size_t>(grid.count.x) * static_cast<std::size_t>(grid.count.y) *
                      static_cast<std::size_t>(grid.count.z);
    grid.values.reserve(size);
    for (int z = 0; z < grid.count.z; ++z)
        for (int y = 0; y < grid.count.y; ++y)
            for (int x = 0; x < grid.count.x; ++x) grid.values.push_back(field.distance(low + cell * vec3(x, y, z)));

    Shape shape;
    grid.vertices.assign(size, -1);
    grid.each(0, [&](glm::ivec3 place) {
        vec3 vertex;
        if (!cell_vertex(grid, place, vertex)) return;
        grid.vertices[grid.at(place)] = static_cast<std::int64_t>(shape.positions.size());
        shape.positions.push_back(low + cell * vertex);
    });
    const auto quads = quads_of(grid);
    for (int pass = 0; pass < 9; ++pass) relax(shape, quads, field, cell / 4);

    const std::vector<vec3>& at = shape.positions;
    for (const auto& [a, b, c, d] : quads) {
        const Part part = field.part((at[a] + at[b] + at[c] + at[d]) / 4.0f);
        const bool shorter = glm::distance(at[a], at[c]) < glm::distance(at[b], at[d]);
        shape.triangles.push_back({shorter ? std::array{a, b, c} : std::array{a, b, d}, part});
        shape.triangles.push_back({shorter ? std::array{a, c, d} : std::array{b, c, d}, part});
    }
    for (int pass = 0; pass < 10 && collapse_folds(shape, field); ++pass) {
    }
    drop_unused_vertices(shape);
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
