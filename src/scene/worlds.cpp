/// Local and world matrices of nodes, and the order of nodes in which parents come first.

#include "scene/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "effigy/scene_access.hpp"

namespace effigy {

bool is_about_unit(const Quat& rotation) noexcept {
    const glm::dquat raw = wide(rotation);
    const double square = glm::dot(raw, raw);
    return square > 0.998 && square < 1.002;
}

glm::dquat usable_rotation(const Quat& rotation) noexcept {
    constexpr double rounding = 1e-6;
    const glm::dquat raw = wide(rotation);
    const double square = glm::dot(raw, raw);
    if (std::abs(square - 1) <= rounding) return raw;
    return std::isfinite(square) && square > 1e-36 ? raw / std::sqrt(square) : glm::dquat(1, 0, 0, 0);
}

glm::dmat4 matrix_of(const glm::dvec3& translation, const glm::dquat& rotation, const glm::dvec3& scale) noexcept {
    glm::dmat4 matrix(glm::mat3_cast(rotation) * diagonal(scale));
    matrix[3] = glm::dvec4(translation, 1);
    return matrix;
}

glm::dmat4 matrix_of(const Transform& transform) noexcept {
    return matrix_of(wide(transform.translation), usable_rotation(transform.rotation), wide(transform.scale));
}

glm::dmat4 local_matrix(const Node& node) noexcept {
    const glm::dmat4 matrix = node.matrix ? wide(*node.matrix) : matrix_of(node.local);
    double sum = 0;  // what is not finite stays so
    for (int column = 0; column < 4; ++column) sum += glm::dot(matrix[column] * 0.0, glm::dvec4(1));
    return sum == 0 ? matrix : glm::dmat4(1);
}

std::vector<Index> parents_first(const Scene& scene) {
    const std::size_t count = scene.nodes.size();
    std::vector<std::uint8_t> is_open(count, 1);
    std::vector<Index> order, way;
    order.reserve(count);
    for (Index i = 0; i < count; ++i) {
        way.clear();
        Index node = i;
        for (; node < count && is_open[node] == 1; node = scene.nodes[node].parent) {
            is_open[node] = 2;
            way.push_back(node);
        }
        // Whoever meets its own way goes round in a circle, and what leads to such a one hangs below it.
        const bool is_lost = node < count && is_open[node] == 2;
        for (auto next = way.rbegin(); next != way.rend(); ++next) {
            is_open[*next] = is_lost ? 2 : 0;
            if (!is_lost) order.push_back(*next);
        }
    }
    return order;
}

std::vector<glm::dmat4> rest_worlds(const Scene& scene) {
    std::vector<glm::dmat4> worlds(scene.nodes.size(), glm::dmat4(1));
    for (const Index index : parents_first(scene)) {
        const Node& node = scene.nodes[index];
        const glm::dmat4 local = local_matrix(node);
        worlds[index] = node.parent < worlds.size() ? worlds[node.parent] * local : local;
    }
    return worlds;
}

std::vector<bool> hidden_nodes(const Scene& scene) {
    std::vector<bool> hidden(scene.nodes.size());
    for (const Index index : parents_first(scene)) {
        const Node& node = scene.nodes[index];
        hidden[index] = node.hidden || (node.parent < hidden.size() && hidden[node.parent]);
    }
    return hidden;
}

std::vector<std::array<double, 16>> world_matrices(const Scene& scene) {
    std::vector<std::array<double, 16>> result;
    for (const glm::dmat4& world : rest_worlds(scene)) {
        std::copy_n(glm::value_ptr(world), 16, result.emplace_back().begin());
    }
    return result;
}

}  // namespace effigy
