/// Which nodes of a scene are an avatar's bones: joints, what clips move, and nodes between them.

#include "arp/from_scene/bones.hpp"

namespace effigy::arp::native {
namespace {

/// Nodes that clips move, if there is something on them or below.
void add_moving(const Scene& scene, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels,
                const std::vector<bool>& helpers, std::vector<bool>& is_bone) {
    std::vector<bool> carries(is_bone.begin(), is_bone.end());
    for (const auto& level : levels) {
        for (const DrawnMesh& drawn : level) {
            if (drawn.skin == no_index) carries[drawn.node] = true;
        }
    }
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        const Index parent = scene.nodes[*node].parent;
        if (carries[*node] && parent < carries.size()) carries[parent] = true;
    }
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.node < carries.size() && carries[track.node] && !helpers[track.node] &&
                track.path != TrackPath::weights) {
                is_bone[track.node] = true;
            }
        }
    }
}

/// Nodes between bones are bones.
void add_between(const Scene& scene, const Tree& tree, const std::vector<bool>& helpers, std::vector<bool>& is_bone) {
    std::vector<bool> below(is_bone.size()), above(is_bone.size());
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        const Index parent = scene.nodes[*node].parent;
        if (parent < below.size() && (below[*node] || is_bone[*node])) below[parent] = true;
    }
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        if (parent < above.size() && (above[parent] || is_bone[parent])) above[node] = true;
        if (below[node] && above[node] && !helpers[node]) is_bone[node] = true;
    }
}

}  // namespace

BoneNodes find_bone_nodes(const Scene& scene, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels) {
    BoneNodes found;
    std::vector<bool>& is_bone = found.is_bone;
    std::vector<bool> helpers(scene.nodes.size());
    is_bone.assign(scene.nodes.size(), false);
    for (const Index i : tree.order) {
        const Json record = record_of(scene.nodes[i].extras);
        helpers[i] = flag_at(record, "helper") && member(record, "twist_of") != nullptr;
        if (whole_in(record, "bone") && member(record, "inverse_twist") != nullptr) {
            is_bone[i] = true;
            found.recorded.push_back({i, record});
        }
    }
    for (const auto& level : levels) {
        for (const DrawnMesh& drawn : level) {
            if (drawn.skin == no_index) continue;
            for (const Index joint : scene.skins[drawn.skin].joints) {
                if (joint < is_bone.size() && !helpers[joint]) is_bone[joint] = true;
            }
        }
    }
    add_moving(scene, tree, levels, helpers, is_bone);
    add_between(scene, tree, helpers, is_bone);
    return found;
}

}  // namespace effigy::arp::native
