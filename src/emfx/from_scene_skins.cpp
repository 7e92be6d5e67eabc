/// Joints and weights as influences of an actor's nodes.

#include <algorithm>
#include <cmath>
#include <glm/matrix.hpp>

#include "emfx/from_scene_build.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::size_t most_influences = 4;  // what engines use

std::uint32_t joint_at(const Accessor& accessor, std::size_t index) noexcept {
    return accessor.component == ComponentType::u8 ? accessor.as<std::uint8_t>()[index]
                                                   : accessor.as<std::uint16_t>()[index];
}

}  // namespace

bool is_close(const glm::dmat4& a, const glm::dmat4& b, double tolerance) {
    double difference = 0;
    double size = 1;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            difference = std::max(difference, std::abs(a[column][row] - b[column][row]));
            size = std::max(size, std::abs(a[column][row]));
        }
    }
    return difference <= tolerance * size;
}

glm::dmat4 bind_difference(const glm::dmat4& world, const Mat4& inverse_bind) {
    glm::dmat4 bind(1);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            bind[column][row] = static_cast<double>(inverse_bind.m[static_cast<std::size_t>(4 * column + row)]);
        }
    }
    return world * bind;
}

std::uint32_t joint_number(const Build& build, Index scene_node) noexcept {
    const NodePlace& place = build.node_places[scene_node];
    const bool stands_for_other = place.role == NodeRole::twin || place.role == NodeRole::link;
    const Index node = stands_for_other ? place.partner : scene_node;
    return node == no_index ? no_number : build.map.nodes[node].number;
}

SkinReader::SkinReader(Build& build, const MeshPlace& place)
    : build_(build), mesh_(build.scene.meshes[place.mesh]), own_(place.number) {
    if (place.skin == no_index || find_attribute(mesh_, Semantic::joints, 0) == nullptr) return;
    skin_ = &build.scene.skins[place.skin];
    for (std::uint32_t set = 0;; ++set) {
        const Attribute* joints = find_attribute(mesh_, Semantic::joints, set);
        const Attribute* weights = find_attribute(mesh_, Semantic::weights, set);
        if (joints == nullptr || weights == nullptr) break;
        sets_.emplace_back(&joints->data, &weights->data);
    }
    is_counted_.assign(mesh_.vertex_count, false);
    bool is_identity = true;
    for (std::size_t i = 0; i < skin_->joints.size(); ++i) {
        const std::uint32_t number = joint_number(build_, skin_->joints[i]);
        numbers_.push_back(number < build_.nodes.size() ? number : own_);
        glm::dmat4 placement(1);
        if (i < skin_->inverse_bind_matrices.size()) {
            placement = bind_difference(build_.nodes[numbers_.back()].world, skin_->inverse_bind_matrices[i]);
        }
        is_identity = is_identity && is_close(glm::dmat4(1), placement, 1e-5);
        differs_ = differs_ || (i != 0 && !is_close(placements_.front(), placement, 1e-4));
        placements_.push_back(placement);
    }
    if (is_identity) placements_.assign(placements_.size(), glm::dmat4(1));
}

void SkinReader::collect(std::uint32_t vertex) {
    shares_.clear();
    for (const auto& [joints, weights] : sets_) {
        for (std::size_t k = 4 * std::size_t{vertex}; k < 4 * std::size_t{vertex} + 4; ++k) {
            const auto weight = static_cast<double>(component_at(*weights, k));
            const std::uint32_t joint = joint_at(*joints, k);
            if (weight > 0 && std::isfinite(weight) && joint < numbers_.size()) add_share(weight, joint);
        }
    }
}

void SkinReader::add_share(double weight, std::uint32_t joint) {
    constexpr std::size_t most_searched = 64;  // far more than any real vertex has
    const auto end = shares_.begin() + static_cast<std::ptrdiff_t>(std::min(shares_.size(), most_searched));
    const auto same = std::find_if(shares_.begin(), end,
                                   [&](const Share& share) { return numbers_[share.joint] == numbers_[joint]; });
    if (same == end) {
        shares_.push_back({weight, joint});
    } else {
        same->weight += weight;
    }
}

Influences SkinReader::influences(std::uint32_t vertex) {
    collect(vertex);
    std::stable_sort(shares_.begin(), shares_.end(),
                     [](const Share& a, const Share& b) { return a.weight > b.weight; });
    const bool is_new = !is_counted_[vertex];
    is_counted_[vertex] = true;
    if (shares_.size() > most_influences) {
        reduced_ += is_new ? 1u : 0u;
        shares_.resize(most_influences);
    }
    double sum = 0;
    for (const Share& share : shares_) sum += share.weight;
    const bool exact = std::abs(sum - 1) <= 1e-6;
    Influences result;
    for (const Share& share : shares_) {
        const auto weight = static_cast<float>(exact ? share.weight : share.weight / sum);
        if (weight > 0) result.push_back({weight, static_cast<std::uint16_t>(numbers_[share.joint]), {}});
    }
    if (!result.empty()) return result;
    unbound_ += is_new ? 1u : 0u;
    return {{1.0f, static_cast<std::uint16_t>(own_), {}}};
}

glm::dmat4 SkinReader::placement(std::uint32_t vertex) {
    if (placements_.empty()) return glm::dmat4(1);
    if (!differs_) return placements_.front();
    collect(vertex);
    glm::dmat4 sum(0);
    double weights = 0;
    for (const Share& share : shares_) {
        sum += placements_[share.joint] * share.weight;
        weights += share.weight;
    }
    return weights > 0 ? sum / weights : glm::dmat4(1);
}

void SkinReader::report(const std::string& path) {
    if (reduced_ != 0) {
        build_.note("emfx-influences", Severity::warning, path,
                    "Vertices have more than 4 influences; engines use 4, so the heaviest ones are kept and made to "
                    "add up to 1.",
                    std::to_string(reduced_) + " vertices", "at most 4 influences");
    }
    if (unbound_ != 0) {
        build_.note("emfx-unbound", Severity::info, path,
                    "Vertices of a skinned mesh without weights are bound to the mesh's own node.",
                    std::to_string(unbound_) + " vertices");
    }
    if (differs_) {
        build_.note("emfx-bind-differs", Severity::warning, path,
                    "The skin was bound over another pose than an earlier skin of the same joints; its vertices are "
                    "moved to where they stand at rest, and bend a little differently.");
    }
}

}  // namespace effigy::emfx::bridge
