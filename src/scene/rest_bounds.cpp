/// Vertices of a scene at rest, for their bounds.

#include "scene/rest_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "effigy/scene_access.hpp"

namespace effigy {
namespace {

using Matrix = std::array<double, 16>;
using Point = std::array<double, 3>;

Point placed(const Matrix& m, std::span<const float> p) {
    Point point{};
    for (std::size_t i = 0; i < 3; ++i)
        point[i] = m[i] * double{p[0]} + m[4 + i] * double{p[1]} + m[8 + i] * double{p[2]} + m[12 + i];
    return point;
}

Matrix product(const Matrix& a, const Mat4& b) {
    Matrix result{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t k = 0; k < 4; ++k)
                result[4 * column + row] += a[4 * k + row] * double{b.m[4 * column + k]};
        }
    }
    return result;
}

void extend(RestBounds& bounds, const Point& point) {
    if (!std::all_of(point.begin(), point.end(), [](double number) { return std::isfinite(number); })) return;
    for (std::size_t i = 0; i < 3; ++i) {
        bounds.low[i] = std::min(bounds.low[i], point[i]);
        bounds.high[i] = std::max(bounds.high[i], point[i]);
    }
}

/// Where a joint takes what hangs on it.
std::vector<Matrix> joint_matrices(const Skin& skin, const std::vector<Matrix>& worlds) {
    std::vector<Matrix> matrices;
    for (std::size_t i = 0; i < skin.joints.size() && i < skin.inverse_bind_matrices.size(); ++i)
        matrices.push_back(product(worlds[skin.joints[i]], skin.inverse_bind_matrices[i]));
    return matrices;
}

void add_mesh(RestBounds& bounds, const Mesh& mesh, const Matrix& world) {
    const FloatView positions(mesh, Semantic::position);
    for (std::size_t vertex = 0; !positions.empty() && vertex < mesh.vertex_count; ++vertex)
        extend(bounds, placed(world, positions[vertex]));
}

void add_skinned_mesh(RestBounds& bounds, const Mesh& mesh, const std::vector<Matrix>& joints) {
    const FloatView positions(mesh, Semantic::position);
    InfluenceReader influences(mesh, joints.size());
    for (std::size_t vertex = 0; !positions.empty() && vertex < mesh.vertex_count; ++vertex) {
        Point sum{};
        double weights = 0;
        for (const VertexInfluence& influence : influences.all(vertex)) {
            const Point point = placed(joints[influence.joint], positions[vertex]);
            for (std::size_t i = 0; i < 3; ++i) sum[i] += influence.weight * point[i];
            weights += influence.weight;
        }
        for (double& number : sum) number /= weights;
        extend(bounds, sum);
    }
}

}  // namespace

std::optional<RestBounds> rest_bounds(const Scene& scene) {
    const std::vector<Matrix> worlds = world_matrices(scene);
    RestBounds bounds;
    std::vector<bool> hidden(scene.nodes.size(), false);
    for (const Index number : parents_first(scene)) {
        const Node& node = scene.nodes[number];
        hidden[number] = node.hidden || (node.parent != no_index && hidden[node.parent]);
        if (node.mesh == no_index || hidden[number]) continue;
        const Mesh& mesh = scene.meshes[node.mesh];
        if (node.skin == no_index)
            add_mesh(bounds, mesh, worlds[number]);
        else
            add_skinned_mesh(bounds, mesh, joint_matrices(scene.skins[node.skin], worlds));
    }
    return bounds.low[0] <= bounds.high[0] ? std::optional(bounds) : std::nullopt;
}

}  // namespace effigy
