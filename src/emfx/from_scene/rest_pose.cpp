/// How the actor's nodes rest: as in the scene, or where their skins were bound, each in its parent.

#include <algorithm>
#include <optional>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/nodes.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Whether one matrix takes the mesh to where all joints rest.
bool is_bound_here(const Build& build, const Skin& skin) {
    std::optional<glm::dmat4> first;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        if (i >= skin.inverse_bind_matrices.size() || is_as_read(build, skin.joints[i])) continue;
        const glm::dmat4 difference = bind_difference(build.worlds[skin.joints[i]], skin.inverse_bind_matrices[i]);
        if (!first) first = difference;
        if (!is_close(*first, difference, 1e-4)) return false;
    }
    return true;
}

/// For each node of the scene where it has to stand; empty if all skins are bound where their joints rest.
std::vector<std::optional<glm::dmat4>> binds_of(const Build& build) {
    std::vector<std::optional<glm::dmat4>> binds;
    for (const Skin& skin : build.scene.skins) {
        if (is_bound_here(build, skin)) continue;
        binds.resize(build.scene.nodes.size());
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            std::optional<glm::dmat4>& bind = binds[skin.joints[i]];
            if (!bind && is_actor_node(build, skin.joints[i])) bind = bind_of(skin.inverse_bind_matrices[i]);
        }
    }
    return binds;
}

bool has_uneven_keys(const Scene& scene) {
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::scale) continue;
            for (std::size_t i = 0; i + 2 < track.values.size(); i += 3) {
                const float* const v = track.values.data() + i;
                if (!is_uniform(wide(Vec3{v[0], v[1], v[2]}))) return true;
            }
        }
    }
    return false;
}

/// What the old file says of its numbers; null: there was none. Of motions alone it is the first that says so.
Json old_header(const Build& build) {
    if (const Json* const header = member(build.files.front().json, "header")) return *header;
    const bool has_old_nodes =
        std::ranges::any_of(build.node_places, [](const NodePlace& place) { return place.index != no_number; });
    if (has_old_nodes) return Json();
    for (const Clip& clip : build.scene.clips) {
        const Json extras = record_of(clip.extras);
        const Json* const motion = member(extras, "motion");
        const Json* const header = motion == nullptr ? nullptr : member(*motion, "header");
        if (header != nullptr) return *header;
    }
    return Json();
}

void set_order(Build& build, std::uint8_t order) {
    build.order = order == 0 ? Order::scale_first : Order::rotation_first;
    build.map.multiplication_order = order;
}

}  // namespace

RestPose rest_pose(Build& build, std::span<const Index> nodes) {
    RestPose pose{build.worlds, std::vector<bool>(build.scene.nodes.size())};
    const std::vector<std::optional<glm::dmat4>> binds = binds_of(build);
    if (binds.empty()) return pose;
    for (const Index node : nodes) {
        const Index parent = parent_of(build, node);
        if (binds[node]) {
            pose.worlds[node] = *binds[node];
        } else if (parent != no_index && pose.moved[parent]) {
            const auto inverse = inverse_affine(build.worlds[parent], 1e-30);
            pose.worlds[node] = pose.worlds[parent] * (inverse ? *inverse : glm::dmat4(1)) * build.worlds[node];
        } else {
            continue;
        }
        pose.moved[node] = true;
    }
    build.note(codes::emfx_bind_pose, "skins",
               "Joints do not rest where their skin was bound; the actor rests in the bind pose, and motions say "
               "the poses of nodes that they do not move.");
    return pose;
}

LocalTransform local_of(const Build& build, const RestPose& pose, Index node, Order order) {
    const std::vector<Node>& nodes = build.scene.nodes;
    const Index upper = upper_of(build, node);
    const Index above = nodes[upper].parent;
    const bool plain = above == no_index || build.node_places[above].role == NodeRole::node ||
                       (pose.worlds[above] == glm::dmat4(1) && parent_of(build, node) == no_index);
    if (plain && !pose.moved[node]) {
        if (upper != node) return undo_chain(nodes[upper].local, nodes[node].local.rotation, order);
        if (!nodes[node].matrix) return from_transform(nodes[node].local, order);
    }
    const Index parent = parent_of(build, node);
    const auto inverse = parent == no_index ? std::nullopt : inverse_affine(pose.worlds[parent], 1e-30);
    return from_matrix(inverse ? *inverse * pose.worlds[node] : pose.worlds[node], order);
}

bool choose_order(Build& build, const RestPose& pose, std::span<const Index> nodes) {
    const Json header = old_header(build);
    const bool is_old = !header.is_null();
    set_order(build, static_cast<std::uint8_t>(number_member(header, "multiplication_order").value_or(0) & 0xffu));
    if (is_old && (!build.map.is_ported || has_uneven_keys(build.scene))) return false;
    const bool has_uneven = std::any_of(nodes.begin(), nodes.end(), [&](Index node) {
        return !is_uniform(local_of(build, pose, node, Order::scale_first).scale);
    });
    if (has_uneven) return false;
    const std::uint8_t wanted = build.options.target == Target::tree_of_savior ? 1 : 0;
    const bool is_new = is_old && wanted != build.map.multiplication_order;
    set_order(build, wanted);
    return is_new;
}

}  // namespace effigy::emfx::bridge
