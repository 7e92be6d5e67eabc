/// What the engine does on request so that a motion made for one figure fits another.

#include <cmath>
#include <variant>

#include "effigy/emfx_codes.hpp"

#include "emfx/to_scene/motions.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {
namespace {

Vec3 sum(Vec3 a, Vec3 b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3 difference(Vec3 a, Vec3 b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

void add(Bulk<xsm::VectorKey>& keys, Vec3& pose, Vec3 offset) {
    pose = sum(pose, offset);
    for (xsm::VectorKey& key : keys) key.value = sum(key.value, offset);
}

void multiply(Bulk<xsm::VectorKey>& keys, Vec3& pose, float factor) {
    const auto times = [&](Vec3 v) { return Vec3{v.x * factor, v.y * factor, v.z * factor}; };
    pose = times(pose);
    for (xsm::VectorKey& key : keys) key.value = times(key.value);
}

/// All in the file's own frame, of which y points up. `topmost`: the motion moves nothing above the node.
template <class Rotation>
bool fit(xsm::BasicSubmotion<Rotation>& submotion, const xac::Node& node, bool topmost) {
    const Vec3 bind = submotion.bind_pose_position;
    const Vec3 stretch = difference(node.scale, submotion.bind_pose_scale);
    const bool fits = node.position == bind && stretch == Vec3{};
    if (fits) return false;
    // The engine scales the root's whole way, unless its height says nothing.
    constexpr float min_height = 1e-4f, max_ratio = 10;
    const float ratio = std::abs(bind.y) > min_height ? node.position.y / bind.y : 0.0f;
    if (topmost && ratio > 0 && ratio <= max_ratio) {
        multiply(submotion.position_keys, submotion.pose_position, ratio);
    } else {
        add(submotion.position_keys, submotion.pose_position, difference(node.position, bind));
    }
    add(submotion.scale_keys, submotion.pose_scale, stretch);
    return true;
}

/// Whether a node stands below one that is moved.
std::vector<bool> below_moved(const Skeleton& skeleton, const Matches& matches) {
    std::vector<bool> moved(skeleton.nodes.size(), false);
    for (const Match& match : matches.matched) moved[match.node] = true;
    std::vector<bool> below(skeleton.nodes.size(), false);
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const Index parent = skeleton.nodes[i].parent;
        below[i] = parent != no_index && (moved[parent] || below[parent]);
    }
    return below;
}

}  // namespace

void retarget(Context& context, SkeletalMotion& motion) {
    if (context.models.empty()) return;
    const Skeleton& skeleton = context.skeleton;
    const Matches matches(context, motion.file);
    const std::vector<bool> below = below_moved(skeleton, matches);
    std::size_t changed = 0;
    for (const Match& match : matches.matched) {
        const SkeletonNode& node = skeleton.nodes[match.node];
        const xac::Node& record = *context.models[node.model].records[node.file_index];
        const auto fit_one = [&](auto* submotion) { return fit(*submotion, record, !below[match.node]); };
        changed += std::visit(fit_one, match.submotion) ? 1u : 0u;
    }
    if (changed == 0) return;
    context.note(codes::motion_retargeted, "submotions",
                 "Positions and scales were adapted from the motion's bind pose to the actor's.",
                 std::to_string(changed) + " of " + std::to_string(matches.matched.size()) + " nodes");
}

}  // namespace effigy::emfx::bridge
