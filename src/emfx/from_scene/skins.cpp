/// Joints and weights as influences of an actor's nodes.

#include <algorithm>
#include <cmath>
#include <glm/matrix.hpp>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/build.hpp"
#include "scene/validate.hpp"

namespace effigy::emfx::bridge {

SkinLimits skin_limits(const FromSceneOptions& options) noexcept {
    const bool paradox = is_paradox(options.target);
    const std::uint32_t bones = paradox ? 45 : 0;
    return {paradox ? 2u : 4u, options.max_bones != 0 ? options.max_bones : bones, paradox ? 0xffffu : 0};
}

bool binds_to_node(const Build& build, const MeshPlace& place) noexcept {
    return is_paradox(build.options.target) && !place.collision && place.number < build.nodes.size();
}

bool is_close(const glm::dmat4& a, const glm::dmat4& b, double tolerance) {
    const auto [difference, size] = apart(a, b);
    return difference <= tolerance * size;
}

glm::dmat4 bind_difference(const glm::dmat4& world, const Mat4& inverse_bind) {
    glm::dmat4 bind = wide(inverse_bind);
    for (int column = 0; column < 4; ++column) bind[column][3] = column == 3 ? 1 : 0;
    return world * bind;
}

std::optional<glm::dmat4> bind_of(const Mat4& inverse_bind) {
    return inverse_affine(bind_difference(glm::dmat4(1), inverse_bind), 1e-30);
}

std::uint32_t joint_number(const Build& build, Index scene_node) noexcept {
    const NodePlace& place = build.node_places[scene_node];
    const bool stands_for_other = place.role == NodeRole::twin || place.role == NodeRole::link;
    const Index node = stands_for_other ? place.partner : scene_node;
    return node == no_index ? no_number : build.map.nodes[node].number;
}

glm::dmat4 joint_world(const Build& build, Index scene_node, std::uint32_t number) {
    const NodePlace& place = build.node_places[scene_node];
    const glm::dmat4& world = build.nodes[number].world;
    if (place.role != NodeRole::link) return world;
    // All that the lower half does is turn.
    const glm::dquat lower = usable_rotation(build.scene.nodes[place.partner].local.rotation);
    return world * glm::mat4_cast(glm::conjugate(lower));
}

SkinReader::SkinReader(Build& build, const MeshPlace& place)
    : build_(build), mesh_(build.scene.meshes[place.mesh]), own_(place.number) {
    if (place.skin == no_index || find_attribute(mesh_, Semantic::joints, 0) == nullptr) {
        is_bound_to_node_ = binds_to_node(build, place);
        return;
    }
    skin_ = &build.scene.skins[place.skin];
    is_counted_.assign(mesh_.vertex_count, false);
    for (std::size_t i = 0; i < skin_->joints.size(); ++i) {
        const std::uint32_t number = joint_number(build_, skin_->joints[i]);
        const bool is_there = number < build_.nodes.size();
        numbers_.push_back(is_there ? number : own_);
        glm::dmat4 placement(1);
        if (i < skin_->inverse_bind_matrices.size()) {
            const glm::dmat4 world =
                is_there ? joint_world(build_, skin_->joints[i], number) : build_.nodes[own_].world;
            placement = bind_difference(world, skin_->inverse_bind_matrices[i]);
        }
        placements_.push_back(placement);
    }
    reader_ = InfluenceReader(mesh_, numbers_.size(), numbers_);
    compare_placements();
}

/// What joints that move no vertex say counts for nothing.
void SkinReader::leave_out_idle_joints() {
    std::vector<bool> moves(placements_.size());
    for (std::uint32_t vertex = 0; vertex < mesh_.vertex_count; ++vertex) {
        for (const VertexInfluence& share : reader_.all(vertex)) moves[share.joint] = true;
    }
    const auto first = std::find(moves.begin(), moves.end(), true);
    if (first == moves.end()) return;
    const glm::dmat4 usual = placements_[static_cast<std::size_t>(first - moves.begin())];
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!moves[i]) placements_[i] = usual;
    }
}

void SkinReader::compare_placements() {
    const auto are_all = [&](const glm::dmat4& one, double tolerance) {
        return std::all_of(placements_.begin(), placements_.end(),
                           [&](const glm::dmat4& other) { return is_close(one, other, tolerance); });
    };
    if (placements_.empty()) return;
    if (!are_all(placements_.front(), 1e-4)) leave_out_idle_joints();
    differs_ = !are_all(placements_.front(), 1e-4);
    if (are_all(glm::dmat4(1), 1e-5)) placements_.assign(placements_.size(), glm::dmat4(1));
}

Influences SkinReader::influences(std::uint32_t vertex) {
    if (is_bound_to_node_) {
        influences_.assign(1, {1.0f, static_cast<std::uint16_t>(own_), {}});
        return influences_;
    }
    const auto shares = reader_.heaviest(vertex, skin_limits(build_.options).influences);
    const bool is_new = !is_counted_[vertex];
    is_counted_[vertex] = true;
    reduced_ += is_new && reader_.dropped() != 0 ? 1u : 0u;
    double sum = 0;
    for (const VertexInfluence& share : shares) sum += share.weight;
    const bool exact = std::abs(sum - 1) <= 1e-6;
    influences_.clear();
    for (const VertexInfluence& share : shares) {
        const auto weight = static_cast<float>(exact ? share.weight : share.weight / sum);
        if (weight > 0) influences_.push_back({weight, static_cast<std::uint16_t>(numbers_[share.joint]), {}});
    }
    if (!influences_.empty()) return influences_;
    unbound_ += is_new ? 1u : 0u;
    influences_.push_back({1.0f, static_cast<std::uint16_t>(own_), {}});
    return influences_;
}

glm::dmat4 SkinReader::placement(std::uint32_t vertex) {
    if (placements_.empty()) return glm::dmat4(1);
    if (!differs_) return placements_.front();
    glm::dmat4 sum(0);
    double weights = 0;
    for (const VertexInfluence& share : reader_.all(vertex)) {
        sum += placements_[share.joint] * share.weight;
        weights += share.weight;
    }
    return weights > 0 ? sum / weights : glm::dmat4(1);
}

void SkinReader::report(const std::string& path) {
    if (reduced_ != 0) {
        const std::string most = std::to_string(skin_limits(build_.options).influences);
        build_.note(codes::emfx_influences, path,
                    "Vertices have more influences than the engine uses; the " + most +
                        " heaviest are kept and made to add up to 1.",
                    std::to_string(reduced_) + " vertices", "at most " + most + " influences");
    }
    build_.note_any(unbound_, codes::emfx_unbound, path, {}, " vertices");
    build_.note_any(skin_ == nullptr ? 0 : count_bad_weights(mesh_), codes::skin_weight, path,
                    "Weights that are negative or not finite are left out.", " weights");
    if (differs_) {
        build_.note(codes::emfx_bind_differs, path,
                    "The skin was bound over another pose than its joints have: they were moved since, or an earlier "
                    "skin of theirs has another one. Its vertices are moved to where they stand at rest, and bend a "
                    "little differently.");
    }
}

}  // namespace effigy::emfx::bridge
