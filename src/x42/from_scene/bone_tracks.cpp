/// Tracks of bones through all clips: keys at whole frames, in the frame of the bone's parent, repaired.

#include "x42/from_scene/bone_tracks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "scene/wide_matrix.hpp"
#include "x42/to_scene/clip_tracks.hpp"
#include "x42/to_scene/math.hpp"

namespace effigy::x42::bridge {
namespace {

/// What stands above a bone and is no bone goes into its keys.
struct ParentTransform {
    bool any = false;
    glm::dmat4 matrix{1};
    glm::dquat rotation{1, 0, 0, 0};
    double scale = 1;

    explicit ParentTransform(const glm::dmat4& above) : any(above != glm::dmat4(1)), matrix(above) {
        if (!any) return;
        scale = glm::length(glm::dvec3(above[0]));
        rotation = glm::normalize(glm::quat_cast(glm::dmat3(above) / scale));
    }

    void apply(KeyType type, float* value) const {
        if (!any) return;
        const auto put = [&](const glm::dvec3& v) {
            const Vec3 narrowed = narrow(v);
            value[0] = narrowed.x, value[1] = narrowed.y, value[2] = narrowed.z;
        };
        if (type == KeyType::position) {
            put(glm::dvec3(matrix * glm::dvec4(value[0], value[1], value[2], 1)));
        } else if (type == KeyType::scale) {
            put(scale * glm::dvec3(value[0], value[1], value[2]));
        } else {
            const Quat q = narrow(rotation * glm::dquat(value[3], value[0], value[1], value[2]));
            value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
        }
    }
};

using TrackTable = std::map<std::pair<Index, TrackPath>, const Track*>;

/// Of several tracks for one thing the first counts.
TrackTable table_of(const Clip& clip) {
    TrackTable table;
    for (const Track& track : clip.tracks) table.try_emplace({track.node, track.path}, &track);
    return table;
}

/// Rotations that are not of about unit length become so, and what is no number something harmless.
void repair(float* value, KeyType type) {
    for (std::size_t i = 0; i < width_of(type); ++i) {
        if (!std::isfinite(value[i])) value[i] = type == KeyType::scale ? 1.0f : 0.0f;
    }
    if (type != KeyType::rotation) return;
    constexpr double tolerance = 1e-3;
    const double length = glm::length(glm::dvec4(value[0], value[1], value[2], value[3]));
    if (std::abs(length - 1) <= tolerance) return;
    for (int i = 0; i < 4; ++i)
        value[i] = length > 1e-9 ? narrow(static_cast<double>(value[i]) / length) : (i == 3 ? 1.0f : 0.0f);
}

bool ends_as_it_begins(const FrameKeys& keys, KeyType type) {
    constexpr double tolerance = 1e-3;
    const std::size_t width = width_of(type);
    double difference = 0, other_side = 0, size = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const double a = static_cast<double>(keys.values[i]);
        const double b = static_cast<double>(keys.values[keys.values.size() - width + i]);
        difference += (a - b) * (a - b);
        other_side += (a + b) * (a + b);
        size += a * a;
    }
    if (type == KeyType::rotation) difference = std::min(difference, other_side);
    return std::sqrt(difference) <= tolerance * std::max(1.0, std::sqrt(size));
}

/// Before the ranges of the palettes are known.
double aim_of(KeyType type) noexcept { return type == KeyType::rotation ? 2e-5 : 1e-5; }

ParentTransform parent_of(const FileBuild& build, Index node) {
    const Index parent = build.nodes.parents[node];
    if (parent != no_index) return ParentTransform(build.nodes.within[parent]);
    return ParentTransform(build.nodes.rotation);
}

FrameKeys held(std::array<float, 4> value, KeyType type, std::uint32_t frames, const ParentTransform& parent) {
    repair(value.data(), type);
    parent.apply(type, value.data());
    FrameKeys keys;
    for (const std::uint32_t frame : {0u, frames - 1}) {
        if (!keys.frames.empty() && keys.frames.back() == static_cast<float>(frame)) continue;
        keys.frames.push_back(static_cast<float>(frame));
        keys.values.insert(keys.values.end(), value.begin(),
                           value.begin() + static_cast<std::ptrdiff_t>(width_of(type)));
    }
    return keys;
}

FrameKeys rest_of(const FileBuild& build, std::uint32_t frames, std::size_t track) {
    const Index node = build.nodes.bones[track / key_types.size()];
    const KeyType type = key_types[track % key_types.size()];
    const Node& one = build.scene.nodes[node];
    const Transform rest = one.matrix ? split(wide(*one.matrix)).transform : one.local;
    std::array<float, 4> value{rest.translation.x, rest.translation.y, rest.translation.z, 0};
    if (type == KeyType::scale) value = {rest.scale.x, rest.scale.y, rest.scale.z, 0};
    if (type == KeyType::rotation) value = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
    return held(value, type, frames, parent_of(build, node));
}

Result<FrameKeys> keys_of(FileBuild& build, ClipPlan& clip, const TrackTable& table, std::size_t number) {
    const Index node = build.nodes.bones[number / key_types.size()];
    const KeyType type = key_types[number % key_types.size()];
    const auto found = table.find({node, path_of(type)});
    const std::size_t keys = found == table.end() ? 0 : found->second->times.size();
    if (auto taken = build.take(2 + 4 * keys, 40, "keys"); !taken) return fail(std::move(taken.error()));
    if (keys == 0) return rest_of(build, clip.frames, number);
    const Track& track = *found->second;
    const double tolerance = std::max(build.options.max_error, aim_of(type));
    const LinearTrack linear =
        linear_track(track, width_of(type), tolerance, max_keys, {clip.clip->rules.rotation, RotationRule::by_angle});
    clip.left_out += linear.left_out;
    clip.not_finite += linear.not_finite;
    if (linear.times.empty()) return rest_of(build, clip.frames, number);
    FrameKeys result = at_whole_frames(linear, path_of(type), width_of(type), clip.rate, clip.frames, tolerance);
    if (auto taken = build.take(result.frames.size(), 40, "keys"); !taken) return fail(std::move(taken.error()));
    clip.closes = clip.closes && ends_as_it_begins(result, type);
    if (clip.backwards) result.reverse(clip.frames);
    const ParentTransform parent = parent_of(build, node);
    for (std::size_t i = 0; i < result.frames.size(); ++i) {
        float* const value = result.values.data() + i * width_of(type);
        repair(value, type);
        parent.apply(type, value);
    }
    return result;
}

void note_odd_keys(FileBuild& build, const ClipPlan& clip) {
    const std::string path = "clips[" + std::to_string(clip.clip - build.scene.clips.data()) + "] " + clip.clip->name;
    build.note_any(clip.left_out, codes::key_left_out, path, {}, " keys");
    build.note_any(clip.not_finite, codes::not_finite_replaced, path, "Numbers that are not finite become 0.",
                   " numbers");
}

}  // namespace

Result<std::vector<BoneTrack>> bone_tracks(FileBuild& build) {
    std::vector<BoneTrack> tracks(key_types.size() * build.nodes.bones.size());
    if (auto taken = build.take(tracks.size(), sizeof(BoneTrack), "keys"); !taken)
        return fail(std::move(taken.error()));
    if (build.clips.empty()) {
        for (std::size_t i = 0; i < tracks.size(); ++i) tracks[i].clips.push_back(rest_of(build, ClipPlan().frames, i));
    }
    for (ClipPlan& clip : build.clips) {
        const TrackTable table = table_of(*clip.clip);
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            auto keys = keys_of(build, clip, table, i);
            if (!keys) return fail(std::move(keys.error()));
            tracks[i].clips.push_back(std::move(*keys));
        }
        note_odd_keys(build, clip);
    }
    return tracks;
}

}  // namespace effigy::x42::bridge
