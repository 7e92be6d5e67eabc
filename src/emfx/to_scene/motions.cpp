/// Skeletal motions (XSM) as clips: which submotion moves which node, and its keys as tracks.

#include "emfx/to_scene/motions.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <variant>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/key_codes.hpp"
#include "emfx/to_scene/keys.hpp"
#include "emfx/to_scene/to_scene.hpp"
#include "scene/resample.hpp"

namespace effigy::emfx::bridge {
namespace {

/// None of them has a node yet.
std::vector<Match> submotions_of(xsm::File& file) {
    std::vector<Match> result;
    for (xsm::Chunk& chunk : file.chunks) {
        const bool is_packed = chunk.id == wavelet_id;
        const auto add = [&](auto& one) { result.push_back({no_index, &one, result.size(), is_packed}); };
        for (auto& one : records_in(chunk.record, &xsm::Submotions::submotions)) add(one);
        for (auto& one : records_in(chunk.record, &xsm::PackedSubmotions::submotions)) add(one);
    }
    return result;
}

std::string_view name_of(const AnySubmotion& submotion) {
    return std::visit([](const auto* one) { return std::string_view(one->node_name); }, submotion);
}

template <class Rotation>
glm::dquat rotation_of(const Rotation& rotation) {
    Repairs repairs;
    return to_scene_rotation(unpacked(rotation), repairs);
}

/// All scales that the submotion shows.
template <class Rotation>
std::vector<glm::dvec3> scales_of(const xsm::BasicSubmotion<Rotation>& submotion) {
    std::vector<glm::dvec3> scales;
    for (const xsm::VectorKey& key : submotion.scale_keys) scales.push_back(wide(key.value));
    if (scales.empty()) scales.push_back(wide(submotion.pose_scale));
    return scales;
}

template <class Rotation>
bool stretches(const xsm::BasicSubmotion<Rotation>& submotion) {
    const std::vector<glm::dvec3> scales = scales_of(submotion);
    return !std::all_of(scales.begin(), scales.end(), is_uniform);
}

/// Whether the rotation inside of the scale is ever anything that the scale does not commute with. Where it moves,
/// the answer is yes rather than a proof of the contrary.
template <class Rotation>
bool needs_chain(const xsm::BasicSubmotion<Rotation>& submotion, Order order) {
    const std::vector<glm::dvec3> scales = scales_of(submotion);
    if (std::all_of(scales.begin(), scales.end(), is_uniform)) return false;
    const auto& frames = submotion.scale_rotation_keys;
    if (order == Order::rotation_first && !(frames.empty() && submotion.rotation_keys.empty())) return true;
    if (!frames.empty()) {
        return !std::all_of(frames.begin(), frames.end(),
                            [](const auto& key) { return is_identity(rotation_of(key.value)); });
    }
    LocalTransform local;
    local.rotation = rotation_of(submotion.pose_rotation);
    local.scale_rotation = rotation_of(submotion.pose_scale_rotation);
    return std::any_of(scales.begin(), scales.end(), [&](const glm::dvec3& scale) {
        local.scale = scale;
        return needs_chain(local, order);
    });
}

/// The tracks of one clip.
class ClipBuilder {
public:
    ClipBuilder(Context& context, Clip& clip, std::span<const float> sample_times)
        : context_(context), clip_(clip), sample_times_(sample_times) {}

    /// `record` gets the keys that the tracks do not tell; null: it needs none.
    template <class Rotation>
    Result<void> add(Index skeleton_node, xsm::BasicSubmotion<Rotation>& submotion, Json* record) {
        const SkeletonNode& node = context_.skeleton.nodes[skeleton_node];
        std::array<float, 4> starts{};
        std::size_t number = 0;
        each_track(submotion, [&](auto& keys) {
            starts[number++] = context_.options.keep_key_times ? 0 : start_of(keys, findings);
        });
        using Keys = std::span<const xsm::RotationKey<Rotation>>;
        Channel position =
            vector_channel(submotion.position_keys, starts[0], submotion.pose_position, VectorKind::position, findings);
        Channel rotation =
            rotation_channel(Keys(submotion.rotation_keys), starts[1], submotion.pose_rotation, findings);
        Channel scale =
            vector_channel(submotion.scale_keys, starts[2], submotion.pose_scale, VectorKind::scale, findings);
        Channel frame =
            rotation_channel(Keys(submotion.scale_rotation_keys), starts[3], submotion.pose_scale_rotation, findings);
        if (record != nullptr && sample_times_.empty())
            keep(*record, submotion, starts, node.chained, position, rotation, scale);
        // Not {}, which would keep the memory.
        each_track(submotion, [](auto& keys) { keys = std::decay_t<decltype(keys)>(); });
        for (Channel* channel : {&position, &rotation, &scale, &frame}) {
            if (auto sampled = resample(*channel); !sampled) return sampled;
        }
        add_track(node.first, TrackPath::translation, std::move(position));
        add_track(node.first, TrackPath::scale, std::move(scale));
        if (!node.chained) {
            unused_frames += frame.keyed() ? 1u : 0u;
            add_track(node.last, TrackPath::rotation, std::move(rotation));
            return {};
        }
        return add_chain(node, std::move(rotation), std::move(frame));
    }

    /// A clip must move something, if only to where it is.
    void add_rest(Index skeleton_node) {
        const Index node = context_.skeleton.nodes[skeleton_node].first;
        const Vec3 rest = context_.scene.nodes[node].local.translation;
        Channel channel;
        channel.pose = {rest.x, rest.y, rest.z, 0};
        push(node, TrackPath::translation, std::move(channel));
    }

    KeyFindings findings;
    std::uint64_t unused_frames = 0;  ///< scale rotation tracks without effect
    std::uint64_t united = 0;         ///< tracks made of two that move

private:
    template <class Rotation>
    void keep(Json& record, const xsm::BasicSubmotion<Rotation>& raw, const std::array<float, 4>& starts, bool chained,
              const Channel& position, const Channel& rotation, const Channel& scale) const {
        const auto vectors_come_back = [](const auto& keys, const Channel& channel, float start, float z_sign) {
            return come_back(std::span<const xsm::VectorKey>(keys), channel, start, z_sign);
        };
        const std::span<const xsm::RotationKey<Rotation>> rotations(raw.rotation_keys);
        keep_keys(record, "position_keys", raw.position_keys,
                  vectors_come_back(raw.position_keys, position, starts[0], -1), starts[0]);
        keep_keys(record, "rotation_keys", raw.rotation_keys,
                  rotations.empty() || (!chained && come_back(rotations, rotation, starts[1])), starts[1]);
        keep_keys(record, "scale_keys", raw.scale_keys, vectors_come_back(raw.scale_keys, scale, starts[2], 1),
                  starts[2]);
        keep_keys(record, "scale_rotation_keys", raw.scale_rotation_keys, raw.scale_rotation_keys.empty(), 0);
    }

    Result<void> resample(Channel& channel) {
        if (!channel.keyed() || sample_times_.empty()) return {};
        auto room = context_.take(sample_times_.size(), sizeof(float) * (1 + channel.width), "resampled keys");
        if (room) channel = resampled(channel, sample_times_);
        return room;
    }

    Result<void> add_chain(const SkeletonNode& node, Channel rotation, Channel frame) {
        bool joined = false;
        const bool refine = sample_times_.empty();
        const std::uint64_t keys = product_size(rotation, frame, refine);
        if (auto room = context_.take(keys, 5 * sizeof(float), "keys of joined rotations"); !room) return room;
        Channel back = conjugated(frame);
        if (node.order == Order::scale_first) {
            add_track(node.first, TrackPath::rotation, product(std::move(rotation), std::move(frame), refine, joined));
            add_track(node.last, TrackPath::rotation, std::move(back));
        } else {
            add_track(node.first, TrackPath::rotation, std::move(frame));
            add_track(node.last, TrackPath::rotation, product(std::move(back), std::move(rotation), refine, joined));
        }
        united += joined ? 1u : 0u;
        return {};
    }

    void add_track(Index node, TrackPath path, Channel channel) {
        if (channel.keyed() || moves(context_.scene.nodes[node].local, path, channel.pose)) {
            push(node, path, std::move(channel));
        }
    }

    static bool moves(const Transform& rest, TrackPath path, const std::array<float, 4>& pose) {
        const Vec3& v = path == TrackPath::scale ? rest.scale : rest.translation;
        const Quat& q = rest.rotation;
        return path == TrackPath::rotation ? differs(pose, std::array{q.x, q.y, q.z, q.w})
                                           : differs(pose, std::array{v.x, v.y, v.z});
    }

    void push(Index node, TrackPath path, Channel channel) {
        Track& track = clip_.tracks.emplace_back();
        track.node = node;
        track.path = path;
        if (channel.keyed()) {
            track.times = std::move(channel.times);
            track.values = std::move(channel.values);
            return;
        }
        track.interpolation = Interpolation::step;
        track.times.assign(1, 0.0f);
        track.values.assign(channel.pose.begin(), channel.pose.begin() + (path == TrackPath::rotation ? 4 : 3));
    }

    Context& context_;
    Clip& clip_;
    std::span<const float> sample_times_;
};

void note_order(Context& context, const SkeletalMotion& motion, std::size_t stretched) {
    if (stretched == 0) return;
    context.note(codes::motion_order_differs, "header",
                 "The motion was exported with another order of scale and rotation than the actor; the engine uses the "
                 "actor's, and it matters where scale is not uniform.",
                 std::to_string(motion.file.header.multiplication_order) + ", " + std::to_string(stretched) +
                     " stretched nodes");
}

void keep_idle(const Matches& matches, const std::vector<Json*>& records) {
    for (const Match& match : matches.idle) {
        Json& record = *records[match.number];
        if (match.is_packed)
            record["unmatched"] = true;
        else
            std::visit([&](const auto* one) { keep_all_keys(record, *one); }, match.submotion);
    }
}

Result<void> add_motion(Context& context, SkeletalMotion& motion, std::optional<PackedMotion>& packed) {
    const Matches matches(context, motion.file);
    note_repeated(context, "nodes", matches.repeated);
    if (matches.matched.empty()) {
        note_left_out(context, codes::motion_empty, matches.idle.size(), matches.unmatched);
        Json kept{{"motion", packed ? std::move(packed->record) : motion_record(motion)}};
        keep_idle(matches, submotion_records(kept["motion"]["chunks"]));
        context.idle_motions.push_back(std::move(kept));
        return {};
    }
    context.note_any(matches.unknown, codes::motion_node_unknown, "submotions");
    context.note_any(matches.absent, codes::motion_node_absent, "submotions");
    Clip clip;
    clip.name = context.clip_names.add(context.text(motion.source.stem));
    clip.duration = length_of_tracks(motion.file, context.options.keep_key_times);
    if (packed) clip.duration = std::max(clip.duration, packed->duration);
    clip.rules = engine_rules;
    auto times = sample_times(context, clip.duration);
    if (!times) return fail(std::move(times.error()));
    Json extras;
    extras["duration"] = json_number(clip.duration);
    extras["motion"] = packed ? std::move(packed->record) : motion_record(motion);
    const std::vector<Json*> records = submotion_records(extras["motion"]["chunks"]);
    ClipBuilder builder(context, clip, *times);
    for (const Match& match : matches.matched) {
        Json* const record = match.is_packed ? nullptr : records[match.number];
        auto added = std::visit([&](auto* one) { return builder.add(match.node, *one, record); }, match.submotion);
        if (!added) return added;
    }
    keep_idle(matches, records);
    set_record_with_tables(clip.extras, std::move(extras));
    if (clip.tracks.empty()) builder.add_rest(matches.matched.front().node);
    note_keys(context, builder.findings);
    context.note_any(builder.unused_frames, codes::scale_rotation_unused, "submotions",
                     "Scale rotation keys have no effect because the scale is uniform.", " tracks");
    context.note_any(
        builder.united, codes::track_resampled, "submotions",
        "Rotation and scale rotation both move; their product has keys wherever one of them has one, and between.",
        " tracks");
    context.scene.clips.push_back(std::move(clip));
    return {};
}

}  // namespace

Matches::Matches(const Context& context, xsm::File& file) {
    std::unordered_set<std::string_view> seen;
    for (Match match : submotions_of(file)) {
        const std::string_view name = name_of(match.submotion);
        match.node = context.skeleton.find({name, 0});
        if (!seen.insert(name).second) {
            repeated.add(context.text(name));
            idle.push_back(match);
        } else if (match.node == no_index) {
            unmatched.add(context.text(name));
            const bool moves = std::visit([](const auto* one) { return has_movement(*one); }, match.submotion);
            (moves ? unknown : absent).add(context.text(name));
            idle.push_back(match);
        } else {
            matched.push_back(match);
        }
    }
}

namespace {

bool is_submotion(const Json& chunk_id) {
    return std::ranges::any_of(std::array{100u, 200u}, [&](unsigned id) { return chunk_id == id; });
}

}  // namespace

std::vector<Json*> submotion_records(Json& chunks) {
    std::vector<Json*> records;
    for (Json& chunk : chunks) {
        const auto record = chunk.find("record");
        if (record == chunk.end() || !record->is_object()) continue;
        if (const auto list = record->find("submotions"); list != record->end() && list->is_array()) {
            for (Json& one : *list) records.push_back(&one);
        } else if (!record->contains("bytes") &&
                   is_submotion(chunk["id"])) {  // bytes: of an unknown version, or damaged
            records.push_back(&*record);
        }
    }
    return records;
}

Result<Bulk<float>> sample_times(Context& context, float duration) {
    const double rate = context.options.resample;
    if (!(rate > 0) || !std::isfinite(rate)) return Bulk<float>();
    const std::uint64_t count = count_steady_times(rate, double{duration});
    auto room = context.take(count, sizeof(float), "resampled keys");
    return room ? Result<Bulk<float>>(steady_times(rate, double{duration})) : fail(std::move(room.error()));
}

void note_keys(Context& context, const KeyFindings& findings) {
    context.note_any(findings.bad_times, codes::key_time, "keys", "Keys whose time is not a number are left out.");
    context.note_any(findings.unsorted, codes::key_order, "keys",
                     "Tracks whose keys are not in order of time are sorted.");
    context.note_any(findings.duplicates, codes::key_duplicate, "keys",
                     "Keys share a time; the later value holds from then on, the earlier one until just before.");
    context.note_any(findings.rebased, codes::key_times_rebased, "keys",
                     "The first keys of tracks are after time 0: the engine lets each track begin there, so the first "
                     "time is subtracted.",
                     " tracks, up to " + number_text(findings.latest_start) + " s");
    context.note_any(findings.negative, codes::key_before_zero, "keys");
    context.note_any(
        findings.late, codes::key_late_start, "keys",
        "Tracks begin after time 0, and times are kept: the engine shows their last key until then, glTF the first "
        "(resampling keeps the engine's way).");
    context.note_repairs(findings.values, "keys");
}

void note_repeated(Context& context, const std::string& kind, const NameList& repeated) {
    context.note_any(repeated, codes::motion_repeated, "submotions",
                     "Submotions name " + kind + " that earlier ones name already; the first one counts.");
}

void note_left_out(Context& context, const Code& empty, std::size_t tracks, const NameList& unmatched) {
    if (tracks == 0) return context.note(empty, "motion");
    if (unmatched.empty()) return context.note(codes::clip_empty, "motion");
    context.note_any(unmatched, codes::motion_names_nothing, "motion");
}

void prepare_motions(Context& context, std::vector<SkeletalMotion>& motions) {
    for (SkeletalMotion& motion : motions) {
        context.file = motion.source.named();
        if (context.options.retarget) retarget(context, motion);
        std::size_t stretched = 0;
        const Matches matches(context, motion.file);
        for (const Match& match : matches.matched) {
            SkeletonNode& node = context.skeleton.nodes[match.node];
            const auto judge = [&](const auto* one) {
                node.chained = node.chained || needs_chain(*one, node.order);
                if (node.order != order_of(motion.file.header) && stretches(*one)) ++stretched;
            };
            std::visit(judge, match.submotion);
        }
        note_order(context, motion, stretched);
    }
}

Result<void> add_motions(Context& context, std::vector<SkeletalMotion>& motions) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
        context.file = motions[i].source.named();
        if (auto added = add_motion(context, motions[i], context.packed[i]); !added) return added;
    }
    return {};
}

void nodes_from_motion(Context& context, SkeletalMotion& motion) {
    Skeleton& skeleton = context.skeleton;
    Repairs repairs;
    for (const Match& one_of_all : submotions_of(motion.file)) {
        const AnySubmotion& submotion = one_of_all.submotion;
        const auto index = static_cast<Index>(skeleton.nodes.size());
        if (!skeleton.by_name.try_emplace({name_of(submotion), 0}, index).second) continue;
        SkeletonNode& node = skeleton.nodes.emplace_back();
        node.raw_name = name_of(submotion);
        node.name = context.text(node.raw_name);
        node.root = index;
        node.order = order_of(motion.file.header);
        std::visit(
            [&](const auto* one) {
                node.rest.position = to_scene_position(one->bind_pose_position, repairs);
                node.rest.scale = to_scene_scale(one->bind_pose_scale, repairs);
                node.rest.rotation = rotation_of(one->bind_pose_rotation);
                node.rest.scale_rotation = rotation_of(one->bind_pose_scale_rotation);
            },
            submotion);
        node.chained = needs_chain(node.rest, node.order);
        node.world = matrix(node.rest, node.order);
    }
    context.note_repairs(repairs, "bind pose");
}

}  // namespace effigy::emfx::bridge
