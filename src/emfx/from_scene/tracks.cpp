/// Skeletal motions made of a clip's tracks.

#include <algorithm>
#include <array>
#include <cmath>

#include "effigy/emfx_codes.hpp"

#include "emfx/file/container_write.hpp"
#include "emfx/from_scene/clip.hpp"
#include "emfx/to_scene/key_codes.hpp"

namespace effigy::emfx::bridge {
namespace {

std::array<float, 3> numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
std::array<float, 4> numbers(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

/// What one node does, in the scene's frame.
struct NodeMotion {
    Channel position, rotation, scale, frame;
    bool moves_position = false, moves_rotation = false, moves_scale = false, stretched = false;

    [[nodiscard]] std::array<Channel*, 4> channels() { return {&position, &rotation, &scale, &frame}; }
};

bool is_stretched(const Channel& scale) {
    const auto even = [](const float* v) {
        return is_uniform(glm::dvec3(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])));
    };
    if (!scale.keyed()) return !even(scale.pose.data());
    for (std::size_t i = 0; i < scale.values.size(); i += 3) {
        if (!even(scale.values.data() + i)) return true;
    }
    return false;
}

/// Keys of a product beyond this many are not made closer than those of its factors.
constexpr std::uint64_t max_product_keys = 1u << 20;

class MotionMaker {
public:
    MotionMaker(MotionBuild& build) : build_(build), maker_(*build.clip, build.options.max_error) {}

    NodeMotion make(const MovedNode& node) {
        NodeMotion motion;
        const Transform& rest = build_.scene.nodes[node.first()].local;
        motion.position =
            channel(node.first(), TrackPath::translation, numbers(rest.translation), motion.moves_position);
        motion.scale = channel(node.first(), TrackPath::scale, numbers(rest.scale), motion.moves_scale);
        motion.stretched = is_stretched(motion.scale);
        motion.frame.width = 4;
        motion.frame.pose = {0, 0, 0, 1};
        Channel rotation = channel(node.node, TrackPath::rotation,
                                   numbers(build_.scene.nodes[node.node].local.rotation), motion.moves_rotation);
        if (node.link == no_index) {
            // Rotated, then stretched along its own axes: what the other order can say with rotated axes.
            if (motion.stretched && build_.order == Order::rotation_first) motion.frame = rotation;
            motion.rotation = std::move(rotation);
            return motion;
        }
        Channel link = channel(node.link, TrackPath::rotation, numbers(rest.rotation), motion.moves_rotation);
        motion.frame = build_.order == Order::rotation_first ? link : conjugated(rotation);
        bool united = false;
        const bool refine = product_size(link, rotation, true) <= max_product_keys;
        motion.rotation = product(std::move(link), std::move(rotation), refine, united);
        start_pose(motion.rotation);
        start_pose(motion.frame);
        return motion;
    }

    void note() const { maker_.note(build_); }

private:
    template <std::size_t size>
    Channel channel(Index node, TrackPath path, const std::array<float, size>& rest, bool& moves) {
        const Track* track = build_.find(node, path);
        moves = moves || track != nullptr;
        return maker_.make(track, path, rest);
    }

    static void start_pose(Channel& channel) {
        if (channel.keyed()) std::copy_n(channel.values.begin(), channel.width, channel.pose.begin());
    }

    MotionBuild& build_;
    ChannelMaker maker_;
};

template <class Rotation>
void set_bind(xsm::BasicSubmotion<Rotation>& submotion, const xac::Node& bind) {
    submotion.bind_pose_position = bind.position;
    submotion.bind_pose_scale = bind.scale;
    to_file(mirrored(bind.rotation), submotion.bind_pose_rotation);
    to_file(mirrored(bind.scale_rotation), submotion.bind_pose_scale_rotation);
    submotion.pose_position = submotion.bind_pose_position;
    submotion.pose_scale = submotion.bind_pose_scale;
    submotion.pose_rotation = submotion.bind_pose_rotation;
    submotion.pose_scale_rotation = submotion.bind_pose_scale_rotation;
}

void set_vectors(const Channel& channel, float z_sign, Vec3& pose, Bulk<xsm::VectorKey>& keys) {
    pose = {channel.pose[0], channel.pose[1], z_sign * channel.pose[2]};
    keys = vector_keys(channel.times, channel.values, z_sign);
}

template <class Rotation>
void set_rotations(const Channel& channel, Rotation& pose, Bulk<xsm::RotationKey<Rotation>>& keys) {
    to_file({channel.pose[0], channel.pose[1], channel.pose[2], channel.pose[3]}, pose);
    keys = rotation_keys<Rotation>(channel.times, channel.values);
}

/// What nothing moves stays as the actor has it, to the bit.
template <class Rotation>
xsm::BasicSubmotion<Rotation> submotion_of(const MovedNode& node, const NodeMotion& motion) {
    xsm::BasicSubmotion<Rotation> submotion;
    submotion.node_name = node.raw_name;
    set_bind(submotion, *node.bind);
    const auto moves = [&](bool has_track, const Channel& channel) {
        return has_track || channel.keyed() || node.rests_elsewhere;
    };
    if (moves(motion.moves_position, motion.position)) {
        set_vectors(motion.position, -1, submotion.pose_position, submotion.position_keys);
    }
    // The factors are those along the axes of the scale rotation: one is not to be had without the other.
    const bool frame_moves = motion.stretched && moves(motion.moves_rotation || motion.moves_scale, motion.frame);
    if (frame_moves || moves(motion.moves_scale, motion.scale)) {
        set_vectors(motion.scale, 1, submotion.pose_scale, submotion.scale_keys);
    }
    if (moves(motion.moves_rotation, motion.rotation)) {
        set_rotations(motion.rotation, submotion.pose_rotation, submotion.rotation_keys);
    }
    if (frame_moves) {
        set_rotations(motion.frame, submotion.pose_scale_rotation, submotion.scale_rotation_keys);
    }
    return submotion;
}

float last_time(std::vector<NodeMotion>& motions) {
    float last = 0;
    for (NodeMotion& motion : motions) {
        for (const Channel* channel : motion.channels()) {
            if (channel->keyed()) last = std::max(last, channel->times.back());
        }
    }
    return last;
}

/// A motion is as long as its longest track.
void fill(std::vector<NodeMotion>& motions, float duration) {
    if (motions.empty() || !std::isfinite(duration) || !(last_time(motions) < duration)) return;
    for (NodeMotion& motion : motions) {
        for (Channel* channel : {&motion.position, &motion.rotation, &motion.scale}) {
            if (channel->keyed()) return hold_until(*channel, duration);
        }
    }
    hold_until(motions.front().position, duration);
}

/// Submotions of all nodes, and behind them those of the old file that move nothing here.
template <class Rotation>
xsm::File motion_with(MotionBuild& build, const Json* record, std::uint32_t version,
                      const std::vector<NodeMotion>& motions) {
    std::vector<xsm::BasicSubmotion<Rotation>> others;
    xsm::File file = motion_frame(build, record, others);
    xsm::BasicSubmotions<Rotation> list;
    list.submotions.reserve(motions.size() + others.size());
    for (std::size_t i = 0; i < motions.size(); ++i) {
        list.submotions.push_back(submotion_of<Rotation>(build.nodes[i], motions[i]));
    }
    for (auto& other : others) list.submotions.push_back(std::move(other));
    insert_submotions(file, {202, version, std::nullopt, std::move(list), {}});
    (void)set_wrapped_size(file.wrapper_head, file, false);
    return file;
}

/// 1 has floats, 2 rotations of 16 bits.
std::uint32_t version_for(const MotionBuild& build, const Json* record) {
    switch (build.options.target) {
        case Target::tree_of_savior:
        case Target::x_rebirth:
            return 2;
        case Target::victoria2:
        case Target::eu3:
        case Target::hoi3:
            return 1;
        case Target::any:
            break;
    }
    return std::max(submotions_version(record), 1u);
}

/// Each motion names all nodes.
bool has_room(MotionBuild& build) {
    if (build.budget.take(build.nodes.size(), sizeof(xsm::Submotion) + sizeof(NodeMotion))) return true;
    build.note(codes::limit_memory,
               "The memory limit is reached: the clip is left out. Raise it with --limit-memory, or write fewer clips "
               "at once.",
               {}, "at most " + std::to_string(build.budget.limit()) + " bytes in all");
    return false;
}

bool moves_nodes(const MotionBuild& build) {
    return std::any_of(build.clip->tracks.begin(), build.clip->tracks.end(), [&](const Track& track) {
        return track.path != TrackPath::weights && track.node < build.is_moved.size() && build.is_moved[track.node];
    });
}

/// Tracks for what the actor has no place for.
void note_lost(MotionBuild& build) {
    NameList lost;
    NameList upset;
    std::unordered_map<Index, const MovedNode*> linked;
    for (const MovedNode& node : build.nodes) {
        if (node.link != no_index) linked.emplace(node.node, &node);
    }
    for (const Track& track : build.clip->tracks) {
        if (track.path == TrackPath::weights || track.node >= build.scene.nodes.size()) continue;
        const std::string& name = build.scene.nodes[track.node].name;
        if (!build.is_moved[track.node]) {
            lost.add(name);
        } else if (track.path != TrackPath::rotation && linked.contains(track.node)) {
            upset.add(name);
        }
    }
    if (!lost.empty()) {
        build.note(
            codes::motion_track_lost,
            "Tracks move nodes that are none of the actor's; they are left out. Animate the actor's nodes instead.",
            lost.text());
    }
    if (!upset.empty()) {
        build.note(codes::motion_helper_moved,
                   "Nodes below a helper node can only rotate; move and scale the helper instead.", upset.text());
    }
}

}  // namespace

std::optional<xsm::File> new_motion(MotionBuild& build, const Json* record) {
    note_lost(build);
    if (!moves_nodes(build) || !has_room(build)) return std::nullopt;
    MotionMaker maker(build);
    std::vector<NodeMotion> motions;
    motions.reserve(build.nodes.size());
    for (const MovedNode& node : build.nodes) motions.push_back(maker.make(node));
    fill(motions, build.clip->duration);
    maker.note();
    const std::uint32_t version = version_for(build, record);
    return version == 1 ? motion_with<Quat>(build, record, version, motions)
                        : motion_with<xsm::PackedQuat>(build, record, version, motions);
}

}  // namespace effigy::emfx::bridge
