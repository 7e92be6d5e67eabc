/// Scales above joints, as of an armature in centimetres: all positions of bones have one range in the file, which
/// units of different size would share.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "effigy/playback.hpp"

#include "scene/wide_matrix.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/to_scene/math.hpp"

namespace effigy::x42::bridge {
namespace {

/// Nodes that are joints or stand above one, and draw nothing by themselves.
std::vector<bool> carriers_of_joints(const Scene& scene, const playback::Skeleton& skeleton) {
    std::vector<bool> carries(scene.nodes.size(), false);
    for (const effigy::Skin& skin : scene.skins) {
        for (const Index joint : skin.joints) carries[joint] = true;
    }
    for (std::size_t i = skeleton.nodes.size(); i-- > 0;) {
        const Index parent = skeleton.parents[i];
        if (parent != no_index && carries[skeleton.nodes[i]]) carries[skeleton.nodes[parent]] = true;
    }
    for (std::size_t i = 0; i < carries.size(); ++i) {
        const Node& node = scene.nodes[i];
        const bool draws = node.mesh != no_index && node.skin == no_index;
        carries[i] = carries[i] && !draws && !is_named_tag(node);
    }
    return carries;
}

std::vector<bool> scaled_by_clips(const Scene& scene) {
    std::vector<bool> scaled(scene.nodes.size(), false);
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.path == TrackPath::scale) scaled[track.node] = true;
        }
    }
    return scaled;
}

/// The node's scale if it is even and not 1 but for rounding; else 1.
double even_scale(const Node& node) {
    constexpr double tolerance = 1e-5;
    const glm::dmat4 local = local_matrix(node);
    const double scale = is_even(local) ? glm::length(glm::dvec3(local[0])) : 1;
    return std::abs(scale - 1) > tolerance ? scale : 1;
}

/// How much smaller each node's own units can be made: by its even scale and those above it.
std::vector<double> scales_to_take(const Scene& scene, const playback::Skeleton& skeleton) {
    const std::vector<bool> carries = carriers_of_joints(scene, skeleton), scaled = scaled_by_clips(scene);
    std::vector<double> taken(scene.nodes.size(), 1);
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const Index node = skeleton.nodes[i], parent = skeleton.parents[i];
        if (!carries[node]) continue;
        const double above = parent == no_index ? 1 : taken[skeleton.nodes[parent]];
        taken[node] = above * (scaled[node] ? 1 : even_scale(scene.nodes[node]));
    }
    return taken;
}

Vec3 times(const Vec3& v, double factor) { return narrow(factor * wide(v)); }

void scale_node(Node& node, double above, double own) {
    if (node.matrix) {
        for (std::size_t i = 0; i < 12; ++i)
            node.matrix->m[i] = narrow(static_cast<double>(node.matrix->m[i]) * above / own);
        for (std::size_t i = 12; i < 15; ++i)
            node.matrix->m[i] = narrow(static_cast<double>(node.matrix->m[i]) * above);
        return;
    }
    node.local.translation = times(node.local.translation, above);
    node.local.scale = times(node.local.scale, above / own);
}

void scale_values(Track& track, double factor) {
    if (factor == 1) return;
    for (float& value : track.values) value = narrow(static_cast<double>(value) * factor);
}

}  // namespace

std::optional<Scene> without_scales(const Scene& scene) {
    const playback::Skeleton skeleton = playback::make_skeleton(scene);
    const std::vector<double> taken = scales_to_take(scene, skeleton);
    const bool has_none = std::all_of(taken.begin(), taken.end(), [](double scale) { return scale == 1; });
    if (has_none || is_own(scene, record_of(scene.asset_extras))) return std::nullopt;
    std::vector<double> above(scene.nodes.size(), 1);
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        if (skeleton.parents[i] != no_index) above[skeleton.nodes[i]] = taken[skeleton.nodes[skeleton.parents[i]]];
    }
    Scene result = scene;
    for (std::size_t i = 0; i < result.nodes.size(); ++i) scale_node(result.nodes[i], above[i], taken[i]);
    for (Clip& clip : result.clips) {
        for (Track& track : clip.tracks) {
            if (track.path == TrackPath::translation) scale_values(track, above[track.node]);
            if (track.path == TrackPath::scale) scale_values(track, above[track.node] / taken[track.node]);
        }
    }
    for (effigy::Skin& skin : result.skins) {
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            const glm::dmat4 bind = wide(skin.inverse_bind_matrices[i]);
            const double scale = taken[skin.joints[i]];
            skin.inverse_bind_matrices[i] = narrow(glm::scale(glm::dmat4(1), glm::dvec3(scale)) * bind);
        }
    }
    return result;
}

}  // namespace effigy::x42::bridge
