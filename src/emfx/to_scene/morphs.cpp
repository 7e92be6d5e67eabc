/// Morph targets as those of scene meshes, and morph motions (XPM) as tracks of weights.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <unordered_set>

#include "effigy/emfx_codes.hpp"
#include "effigy/scene_access.hpp"

#include "emfx/file/formats.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/key_codes.hpp"
#include "emfx/to_scene/motions.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {
namespace {

/// A mesh of one level of one actor file that morph targets may deform.
struct Deformed {
    MeshJob* job = nullptr;
    MorphedNode binding;
    Json records = Json::array();
};

bool has(const Mesh& mesh, Semantic semantic) { return find_attribute(mesh, semantic) != nullptr; }

float finite(float value) { return std::isfinite(value) ? value : 0.0f; }

float in_range(float weight, const BoundTarget& target) {
    return std::min(std::max(weight, target.range_min), target.range_max);
}

void append_positions(const xac::MorphDeformation& source, Bulk<Vec3>& out) {
    const double low = static_cast<double>(finite(source.min_value));
    const double step = (static_cast<double>(finite(source.max_value)) - low) / 65535.0;
    const auto decode = [&](std::uint16_t value) { return static_cast<float>(low + step * value); };
    const std::size_t first = out.size();
    out.resize(first + source.vertices.size());
    for (std::size_t i = 0; i < source.vertices.size(); ++i) {
        const auto& value = source.positions[i].value;
        out[first + i] = {decode(value[0]), decode(value[1]), -decode(value[2])};
    }
}

/// Directions of -range..range; none where the file has none.
void append_directions(const Bulk<xac::PackedDirection>& source, std::size_t count, float range, Bulk<Vec3>& out) {
    const std::size_t first = out.size();
    out.resize(first + count);
    const bool present = source.size() == count;
    const auto decode = [&](std::uint8_t value) { return range * (static_cast<float>(value) / 127.5f - 1.0f); };
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = present ? source[i].value : std::array<std::uint8_t, 3>{};
        out[first + i] = present ? Vec3{decode(value[0]), decode(value[1]), -decode(value[2])} : Vec3{};
    }
}

void add_to(Vec3& sum, const Vec3& v) {
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
}

/// The offsets by vertex, each vertex once, without those that do not exist. Returns how many did not.
std::uint64_t arrange(MorphTarget& offsets, std::uint32_t vertex_count) {
    Bulk<std::uint32_t>& vertices = offsets.indices;
    const auto last = std::adjacent_find(vertices.begin(), vertices.end(), std::greater_equal<>());
    if (last == vertices.end() && (vertices.empty() || vertices.back() < vertex_count)) return 0;
    std::vector<std::uint32_t> order(vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return vertices[a] < vertices[b]; });
    MorphTarget result;
    std::uint64_t dropped = 0;
    for (const std::uint32_t i : order) {
        if (vertices[i] >= vertex_count) {
            ++dropped;
            continue;
        }
        const bool again = !result.indices.empty() && result.indices.back() == vertices[i];
        if (!again) result.indices.push_back(vertices[i]);
        const auto put = [&](const Bulk<Vec3>& from, Bulk<Vec3>& to) {
            if (from.empty()) return;
            if (!again) {
                to.push_back(from[i]);
            } else {
                add_to(to.back(), from[i]);
            }
        };
        put(offsets.positions, result.positions);
        put(offsets.normals, result.normals);
        put(offsets.tangents, result.tangents);
    }
    offsets = std::move(result);
    return dropped;
}

/// Of a mesh whose vertices `world` has moved.
void move_offsets(MorphTarget& offsets, const glm::dmat4& world) {
    const OffsetFrame frame = offset_frame(world);
    const auto move = [](Bulk<Vec3>& list, const glm::dmat3& by) {
        for (Vec3& v : list) v = narrow(by * wide(v));
    };
    move(offsets.positions, frame.positions);
    move(offsets.normals, frame.normals);
    move(offsets.tangents, frame.tangents);
}

/// The morph targets of one actor file.
class TargetBuilder {
public:
    TargetBuilder(Context& context, std::size_t model) : context_(context) {
        for (MeshJob& job : context.jobs) {
            if (job.model != model || job.collision || job.scene_node == no_index) continue;
            meshes_.try_emplace({job.mesh->node, job.mesh->lod}, Deformed{&job, {}, Json::array()});
        }
    }

    /// Whether the scene will say all of the target's offsets, so that they can be had back from it.
    [[nodiscard]] bool tells(const xac::MorphTarget& target) const {
        std::unordered_set<const Deformed*> seen;
        return std::all_of(target.deformations.begin(), target.deformations.end(), [&](const auto& deformation) {
            const auto found = meshes_.find({deformation.node, target.lod});
            return found != meshes_.end() && seen.insert(&found->second).second && tells(deformation, found->second);
        });
    }

    void add(xac::MorphTarget& target) {
        path_ = "morph target " + context_.text(target.name);
        const Json record = morph_target_record(target);  // before the offsets are moved out
        std::map<Deformed*, MorphTarget> parts;
        for (xac::MorphDeformation& deformation : target.deformations) collect(target, deformation, parts);
        for (auto& [mesh, offsets] : parts) finish(target, record, *mesh, offsets);
        if (target.transformations.empty()) return;
        context_.note(codes::morph_transform_lost, path_,
                      "The target moves nodes as well, which glTF cannot say; that stays in extras only.",
                      std::to_string(target.transformations.size()) + " nodes");
    }

    void finish_meshes() {
        for (auto& [key, deformed] : meshes_) {
            if (deformed.binding.targets.empty()) continue;
            Mesh& mesh = context_.scene.meshes[deformed.job->scene_mesh];
            for (const BoundTarget& target : deformed.binding.targets) mesh.weights.push_back(in_range(0, target));
            Json extras = record_of(mesh.extras);
            extras["targets"] = std::move(deformed.records);
            set_record(mesh.extras, std::move(extras));
            deformed.binding.node = deformed.job->scene_node;
            context_.morphed.push_back(std::move(deformed.binding));
        }
    }

private:
    [[nodiscard]] bool tells(const xac::MorphDeformation& deformation, const Deformed& deformed) const {
        const Mesh& mesh = context_.scene.meshes[deformed.job->scene_mesh];
        const auto& vertices = deformation.vertices;
        const bool in_order =
            std::adjacent_find(vertices.begin(), vertices.end(), std::greater_equal<>()) == vertices.end();
        const double range = static_cast<double>(deformation.max_value) - static_cast<double>(deformation.min_value);
        const double size = std::max(std::abs(static_cast<double>(deformation.max_value)),
                                     std::abs(static_cast<double>(deformation.min_value)));
        // Beside larger numbers the steps would be lost in the rounding of floats.
        const bool has_steps = range > 1e-2 * size && size < 1e30;
        return !vertices.empty() && in_order && vertices.back() < mesh.vertex_count && has_steps &&
               deformation.positions.size() == vertices.size() &&
               tells(deformation.normals, vertices.size(), has(mesh, Semantic::normal)) &&
               tells(deformation.tangents, vertices.size(), has(mesh, Semantic::tangent));
    }

    /// Offsets that the scene has no place for are what is written where there are none.
    static bool tells(const Bulk<xac::PackedDirection>& offsets, std::size_t count, bool has_place) {
        constexpr std::uint8_t none = 128;
        return offsets.size() == count &&
               (has_place || std::all_of(offsets.begin(), offsets.end(), [](const xac::PackedDirection& offset) {
                    return offset.value == std::array<std::uint8_t, 3>{none, none, none};
                }));
    }

    void collect(const xac::MorphTarget& target, xac::MorphDeformation& source,
                 std::map<Deformed*, MorphTarget>& parts) {
        const auto found = meshes_.find({source.node, target.lod});
        if (found == meshes_.end()) {
            const bool chosen_away = context_.options.lod >= 0;
            if (chosen_away) return;
            context_.note(codes::morph_mesh.as(Severity::warning), path_, "The target deforms a node that has no mesh.",
                          "node " + std::to_string(source.node) + ", level " + std::to_string(target.lod));
            return;
        }
        if (source.positions.size() != source.vertices.size()) {
            context_.note(codes::morph_vertex.as(Severity::warning), path_,
                          "There is not one offset for each vertex; all are left out.",
                          std::to_string(source.positions.size()), std::to_string(source.vertices.size()));
            return;
        }
        Deformed& deformed = found->second;
        const Mesh& mesh = context_.scene.meshes[deformed.job->scene_mesh];
        const std::size_t count = source.vertices.size();
        const float range = context_.options.morph_normal_range;
        MorphTarget& offsets = parts[&deformed];
        append_positions(source, offsets.positions);
        if (has(mesh, Semantic::normal)) append_directions(source.normals, count, range, offsets.normals);
        if (has(mesh, Semantic::tangent)) append_directions(source.tangents, count, range, offsets.tangents);
        if (offsets.indices.empty()) {
            offsets.indices = std::move(source.vertices);
        } else {
            offsets.indices.insert(offsets.indices.end(), source.vertices.begin(), source.vertices.end());
        }
        source.vertices = {};
        source.positions = {};
        source.normals = {};
        source.tangents = {};
    }

    void finish(const xac::MorphTarget& source, const Json& record, Deformed& deformed, MorphTarget& offsets) {
        Mesh& mesh = context_.scene.meshes[deformed.job->scene_mesh];
        const std::uint64_t dropped = arrange(offsets, mesh.vertex_count);
        context_.note_any(dropped, codes::morph_vertex.as(Severity::warning), path_,
                          "Offsets for vertices that do not exist are left out.", {},
                          "vertices below " + std::to_string(mesh.vertex_count));
        if (offsets.indices.empty()) {
            context_.note(codes::morph_empty, path_,
                          "The target has no usable offset for the mesh " + mesh.name + "; it is left out there.");
            return;
        }
        if (deformed.job->is_baked) move_offsets(offsets, context_.skeleton.nodes[deformed.job->node].world);
        offsets.name = context_.text(source.name);
        mesh.targets.push_back(std::move(offsets));
        deformed.binding.targets.push_back({source.name, finite(source.range_min), finite(source.range_max)});
        deformed.records.push_back(record);
    }

    Context& context_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Deformed> meshes_;  ///< by node and level of the file
    std::string path_;
};

std::vector<xpm::Submotion*> submotions_of(xpm::File& file) {
    std::vector<xpm::Submotion*> result;
    for (xpm::Chunk& chunk : file.chunks) {
        for (xpm::Submotion& one : records_in(chunk.record, &xpm::Submotions::submotions)) result.push_back(&one);
    }
    return result;
}

/// Weights of one target in its range. Where a line crosses the range's end a key is added, so that the clamped line
/// has its corner there.
Channel clamped(const Channel& weights, const BoundTarget& target, bool& outside) {
    Channel result;
    result.width = 1;
    result.pose[0] = in_range(weights.pose[0], target);
    if (!weights.keyed()) {
        outside = outside || result.pose[0] != weights.pose[0];
        return result;
    }
    result.times.reserve(weights.times.size());
    result.values.reserve(weights.values.size());
    const auto push = [&](float time, float value) {
        if (!result.times.empty() && !(time > result.times.back())) return;
        result.times.push_back(time);
        result.values.push_back(value);
    };
    for (std::size_t i = 0; i < weights.times.size(); ++i) {
        if (i > 0) {
            const double from = static_cast<double>(weights.values[i - 1]);
            const double to = static_cast<double>(weights.values[i]);
            const double start = static_cast<double>(weights.times[i - 1]);
            const double length = static_cast<double>(weights.times[i]) - start;
            std::array<float, 2> limits{target.range_min, target.range_max};
            if (from > to) std::swap(limits[0], limits[1]);
            for (const float limit : limits) {
                const double wanted = static_cast<double>(limit);
                if ((from - wanted) * (to - wanted) >= 0) continue;
                const auto time = static_cast<float>(start + length * (wanted - from) / (to - from));
                if (time < weights.times[i]) push(time, in_range(limit, target));
            }
        }
        const float value = in_range(weights.values[i], target);
        outside = outside || value != weights.values[i];
        push(weights.times[i], value);
    }
    return result;
}

/// The weights of one motion on their way into a clip.
class WeightBuilder {
public:
    WeightBuilder(Context& context, Clip& clip, std::span<const float> times)
        : context_(context), clip_(clip), times_(times) {}

    /// Returns false if the name has been seen before.
    Result<bool> add(xpm::Submotion& submotion) {
        const float start = context_.options.keep_key_times ? 0 : start_of(submotion.keys, findings_);
        Channel channel = weight_channel(submotion.keys, start, submotion.pose_weight, submotion.min_weight,
                                         submotion.max_weight, findings_);
        submotion.keys = decltype(submotion.keys)();  // {} would keep the memory
        if (channel.keyed() && !times_.empty()) {
            if (auto room = context_.take(times_.size(), 2 * sizeof(float), "resampled keys"); !room) {
                return fail(std::move(room.error()));
            }
            channel = resampled(channel, times_);
        }
        return channels_.try_emplace(submotion.name, std::move(channel)).second;
    }

    Result<void> add_track(const MorphedNode& morphed) {
        std::vector<Channel> channels;
        std::uint64_t keys = 0;
        for (const BoundTarget& target : morphed.targets) keys += keys_of(target);
        if (auto room = context_.take(keys, 4 * sizeof(float), "weight keys"); !room) return room;
        bool moves = false;
        bool keyed = false;
        for (const BoundTarget& target : morphed.targets) {
            const auto found = channels_.find(target.raw_name);
            Channel rest;
            rest.width = 1;
            rest.pose[0] = in_range(0, target);
            channels.push_back(found == channels_.end() ? std::move(rest) : clamped(found->second, target, outside_));
            keyed = keyed || channels.back().keyed();
            moves = moves || channels.back().pose[0] != in_range(0, target);
        }
        return keyed || moves ? join(morphed.node, channels) : Result<void>{};
    }

    void note() const {
        note_keys(context_, findings_);
        if (!outside_) return;
        context_.note(codes::morph_range.as(Severity::info), "keys",
                      "Weights are clamped to the range of their target.");
    }

private:
    std::uint64_t keys_of(const BoundTarget& target) const {
        const auto found = channels_.find(target.raw_name);
        return found == channels_.end() ? 0 : 3 * std::uint64_t{found->second.times.size()};
    }

    /// One track with the weights of all targets at the times of all keys.
    Result<void> join(Index node, const std::vector<Channel>& channels) {
        std::vector<const Channel*> keyed;
        for (const Channel& channel : channels) {
            if (channel.keyed()) keyed.push_back(&channel);
        }
        Track track;
        track.node = node;
        track.path = TrackPath::weights;
        track.times = united_times(keyed);
        if (keyed.empty()) {
            track.times.assign(1, 0.0f);
            track.interpolation = Interpolation::step;
        }
        const std::size_t count = channels.size();
        const std::uint64_t values = std::uint64_t{track.times.size()} * count;
        if (auto room = context_.take(values, sizeof(float), "weights"); !room) return room;
        track.values.resize(track.times.size() * count);
        for (std::size_t target = 0; target < count; ++target) {
            Sampler sampler(channels[target], false);
            for (std::size_t i = 0; i < track.times.size(); ++i) {
                float& value = track.values[i * count + target];
                value = channels[target].pose[0];
                if (channels[target].keyed()) sampler.sample(track.times[i], std::span(&value, 1));
            }
        }
        clip_.tracks.push_back(std::move(track));
        return {};
    }

    Context& context_;
    Clip& clip_;
    std::span<const float> times_;
    KeyFindings findings_;
    std::unordered_map<std::string_view, Channel> channels_;
    bool outside_ = false;
};

std::unordered_set<std::string_view> target_names(const Context& context) {
    std::unordered_set<std::string_view> names;
    for (const MorphedNode& morphed : context.morphed) {
        for (const BoundTarget& target : morphed.targets) names.insert(target.raw_name);
    }
    return names;
}

/// The clip of the skeletal motion with the same stem, if it has no weights yet; or a new one.
Clip& clip_for(Context& context, const std::string& name) {
    Scene& scene = context.scene;
    const auto found = std::find_if(scene.clips.begin(), scene.clips.end(), [&](const Clip& clip) {
        return clip.name == name && std::none_of(clip.tracks.begin(), clip.tracks.end(),
                                                 [](const Track& track) { return track.path == TrackPath::weights; });
    });
    if (found != scene.clips.end()) return *found;
    Clip& clip = scene.clips.emplace_back();
    clip.name = context.clip_names.add(name);
    clip.rules = engine_rules;
    return clip;
}

void add_extras(Clip& clip, Json motion) {
    Json extras = record_of(clip.extras);
    extras["duration"] = json_number(clip.duration);
    extras["morph_motion"] = std::move(motion);
    set_record_with_tables(clip.extras, std::move(extras));
}

/// Of each submotion the keys that the tracks do not tell.
void keep_lost_keys(const Context& context, const Clip& clip, MorphMotion& motion,
                    const std::vector<Bulk<xpm::WeightKey>>& keys, Json& record) {
    const std::vector<xpm::Submotion*> submotions = submotions_of(motion.file);
    const std::vector<Json*> records = submotion_records(record["chunks"]);
    std::unordered_map<Index, const MorphedNode*> by_node;
    for (const MorphedNode& morphed : context.morphed) by_node.try_emplace(morphed.node, &morphed);
    const auto places = weight_places(clip, [&](Index node) { return &by_node.at(node)->targets; });
    for (std::size_t i = 0; i < submotions.size(); ++i) {
        if (flag_at(*records[i], "unmatched")) continue;  // which has all its keys
        const xpm::Submotion& one = *submotions[i];
        const auto found = places.find(one.name);
        const float start = context.options.keep_key_times ? 0 : span_of(keys[i]).start();
        bool is_again = keys[i].empty();
        if (found != places.end() && found->second.track->times.size() == keys[i].size()) {
            const auto& [track, number, count] = found->second;
            is_again =
                is_same(keys[i],
                        weight_keys(track->times, track->values, number, count, one.min_weight, one.max_weight), start);
        }
        keep_keys(*records[i], "keys", keys[i], is_again, start);
    }
}

Result<void> add_morph_motion(Context& context, MorphMotion& motion) {
    const std::unordered_set<std::string_view> targets = target_names(context);
    NameList unmatched;
    NameList repeated;
    Clip fresh;
    fresh.duration = length_of_tracks(motion.file, context.options.keep_key_times);
    const auto times = sample_times(context, fresh.duration);
    if (!times) return fail(times.error());
    Json record = motion_record(motion);
    const std::vector<Json*> records = submotion_records(record["chunks"]);
    std::vector<Bulk<xpm::WeightKey>> keys;
    WeightBuilder builder(context, fresh, *times);
    for (xpm::Submotion* submotion : submotions_of(motion.file)) {
        keys.push_back(submotion->keys);
        if (!targets.contains(submotion->name)) {
            unmatched.add(context.text(submotion->name));
            Json& own = *records[keys.size() - 1];
            own["unmatched"] = true;
            keep_keys(own, "keys", submotion->keys);
            continue;
        }
        const auto added = builder.add(*submotion);
        if (!added) return fail(added.error());
        if (!*added) repeated.add(context.text(submotion->name));
    }
    for (const MorphedNode& morphed : context.morphed) {
        if (auto added = builder.add_track(morphed); !added) return added;
    }
    builder.note();
    note_repeated(context, "morph targets", repeated);
    if (fresh.tracks.empty()) {
        note_left_out(context, codes::motion_empty.as(Severity::info), keys.size(), unmatched);
        keep_lost_keys(context, fresh, motion, keys, record);
        context.idle_motions.push_back(Json{{"morph_motion", std::move(record)}});
        return {};
    }
    context.note_any(unmatched, codes::motion_target_unknown, "submotions");
    if (times->empty()) keep_lost_keys(context, fresh, motion, keys, record);
    Clip& clip = clip_for(context, context.text(motion.source.stem));
    for (Track& track : fresh.tracks) clip.tracks.push_back(std::move(track));
    clip.duration = std::max(clip.duration, fresh.duration);
    add_extras(clip, std::move(record));
    return {};
}

}  // namespace

Result<void> add_morph_targets(Context& context) {
    for (std::size_t i = 0; i < context.models.size(); ++i) {
        Model& model = context.models[i];
        context.file = model.source->named();
        TargetBuilder builder(context, i);
        for (std::size_t c = 0; c < model.file->chunks.size(); ++c) {
            const auto targets = records_in(model.file->chunks[c].record, &xac::MorphTargets::targets);
            const auto told = [&](const xac::MorphTarget& target) { return builder.tells(target); };
            if (!std::all_of(targets.begin(), targets.end(), told)) context.keep_chunk(i, c);
            for (xac::MorphTarget& target : targets) builder.add(target);
        }
        builder.finish_meshes();
    }
    return {};
}

Result<void> add_morph_motions(Context& context, std::vector<MorphMotion>& motions) {
    for (MorphMotion& motion : motions) {
        context.file = motion.source.named();
        if (auto added = add_morph_motion(context, motion); !added) return added;
    }
    return {};
}

}  // namespace effigy::emfx::bridge
