/// Clips of the scene as motions: which come from records, which are made anew, and what their files are called.

#include <algorithm>
#include <cmath>
#include <utility>

#include "effigy/emfx_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/from_scene/clip.hpp"

namespace effigy::emfx::bridge {
namespace {

std::uint64_t track_key(Index node, TrackPath path) {
    return std::uint64_t{node} * 4 + static_cast<std::uint64_t>(path);
}

std::vector<TimedValue> ticks_of(const Json* record) {
    std::vector<TimedValue> ticks;
    if (record == nullptr) return ticks;
    for (const Json& json : list_at(*record, "ticks")) {
        const Json* time = member(json, "time");
        const auto value = number_member(json, "value");
        const auto seconds = time == nullptr ? std::nullopt : float_from_json(*time);
        if (seconds && value && *value <= UINT16_MAX) {
            ticks.push_back({*seconds, static_cast<std::uint16_t>(*value)});
        }
    }
    return ticks;
}

constexpr double frame_rate = 30;

/// How many moments of 1/30 s a motion has, its end included.
std::size_t frames_in(float duration) {
    constexpr double most = 65535;
    const double last = std::isfinite(duration) ? std::round(static_cast<double>(duration) * frame_rate) : 0;
    return static_cast<std::size_t>(std::clamp(last, 0.0, most)) + 1;
}

/// The ends of frames, by which Tree of Savior plays a motion.
std::vector<TimedValue> frame_ends(const Clip& clip) {
    std::vector<TimedValue> ticks(frames_in(clip.duration));
    for (std::size_t i = 0; i < ticks.size(); ++i)
        ticks[i].time = static_cast<float>(static_cast<double>(i + 1) / frame_rate);
    return ticks;
}

std::optional<float> old_duration(const Json& record) {
    const Json* const old = member(record, "duration");
    return old == nullptr ? std::nullopt : float_from_json(*old);
}

/// Whether the clip is not as long as its file was, by a frame or more.
bool has_other_length(const Clip& clip, const Json& record) {
    const auto duration = old_duration(record);
    return duration && frames_in(*duration) != frames_in(clip.duration);
}

std::string ticks_text(const std::vector<TimedValue>& ticks) {
    return std::to_string(ticks.size()) + " times, up to " + number_text(ticks.back().time) + " s";
}

class ClipWriter {
public:
    ClipWriter(MotionBuild& build, NativeFiles& files) : build_(build), files_(files) {}

    void add(std::size_t number) {
        build_.open(number);
        const Clip& clip = *build_.clip;
        const std::string name = names_.add(clip.name.empty() ? "clip" + std::to_string(number + 1) : clip.name);
        const Json extras = record_of(clip.extras);
        const Json* motion = member(extras, "motion");
        const Json* morph_motion = member(extras, "morph_motion");
        build_.is_shortened = clip.duration < old_duration(extras).value_or(0);
        auto skeletal =
            build_.map.is_ported ? new_motion(build_, motion) : motion_of(motion, restored_motion, new_motion);
        if (skeletal) finish(*skeletal);
        auto morphs = motion_of(morph_motion, restored_morph_motion, new_morph_motion);
        if (morphs) fit_target(build_.options.target, *morphs, build_.path, build_.report);
        if (morphs) note_still_weights(build_);
        if (!skeletal && !morphs) {
            build_.note(codes::motion_empty, "The clip moves nothing that the actor has; no motion is written for it.");
            return;
        }
        auto ticks = keeps_ticks() ? ticks_of(motion) : std::vector<TimedValue>();
        const bool wants_ticks = skeletal && build_.options.target == Target::tree_of_savior;
        if (ticks.empty() && wants_ticks) {
            ticks = frame_ends(clip);
        } else if (!ticks.empty() && skeletal && has_other_length(clip, extras)) {
            const auto old = std::exchange(ticks, frame_ends(clip));
            build_.note(codes::motion_ticks, {}, ticks_text(old), ticks_text(ticks));
        }
        if (skeletal) files_.motions.push_back({name, std::move(*skeletal)});
        if (morphs) files_.morph_motions.push_back({name, std::move(*morphs)});
        if (!ticks.empty()) files_.ticks.push_back({name, std::move(ticks)});
    }

    /// Motions that moved nothing and had no clip.
    void add_idle() {
        const Json asset = record_of(build_.scene.asset_extras);
        build_.close();
        for (const Json& one : list_at(asset, "idle_motions")) {
            const Json* motion = member(one, "motion");
            const Json* morph_motion = member(one, "morph_motion");
            if (motion != nullptr) {
                if (auto file = restored_motion(build_, *motion)) {
                    finish(*file);
                    files_.motions.push_back({idle_name(*motion, files_.motions), std::move(*file)});
                    if (auto ticks = ticks_of(motion); !ticks.empty() && keeps_ticks()) {
                        files_.ticks.push_back({files_.motions.back().name, std::move(ticks)});
                    }
                }
            } else if (morph_motion != nullptr) {
                if (auto file = restored_morph_motion(build_, *morph_motion)) {
                    fit_target(build_.options.target, *file, build_.path, build_.report);
                    files_.morph_motions.push_back({idle_name(*morph_motion, files_.morph_motions), std::move(*file)});
                }
            }
        }
    }

private:
    /// Only Tree of Savior has such files.
    [[nodiscard]] bool keeps_ticks() const {
        return !build_.map.is_ported || build_.options.target == Target::tree_of_savior;
    }

    /// That of the file that it was. Motions of skeletons and of morph targets go together by their names, so that only
    /// another one of its kind keeps it from that.
    template <class Files>
    std::string idle_name(const Json& record, const Files& files) {
        const Json* source = member(record, "source");
        const Json* stem = source == nullptr ? nullptr : member(*source, "name");
        const auto raw = stem == nullptr ? std::nullopt : text_from_json(*stem);
        std::string name = raw ? to_utf8(*raw, build_.encodings.front()) : std::string("motion");
        const auto is_it = [&](const auto& file) { return file.name == name; };
        const bool is_free = std::none_of(files.begin(), files.end(), is_it);
        std::string unique = names_.add(name);
        return is_free ? name : unique;
    }

    /// As keys or compressed, if either is asked for, and as the target's own files are, of which none is compressed.
    void finish(xsm::File& file) {
        const FromSceneOptions& options = build_.options;
        const bool is_for_game = has_known_files(options.target);
        if (xsm::has_wavelets(file) && (is_for_game || options.coding == MotionCoding::keys))
            take(xsm::with_keys(file, options.limits), file);
        if (is_for_game) make_little_endian(file);
        if (options.coding == MotionCoding::compressed)
            take(xsm::with_wavelets(file, options.wavelets, options.limits), file);
        fit_target(options.target, build_.budget, file, build_.path, build_.report);
    }

    /// What that fails for is said, and the motion stays as it is.
    void take(Result<Loaded<xsm::File>> coded, xsm::File& file) {
        if (!coded) {
            coded.error().path = build_.path;
            return build_.report.add(std::move(coded.error()));
        }
        file = std::move(coded->value);
        for (Diagnostic finding : coded->report.diagnostics()) {
            finding.path = build_.path;
            build_.report.add(std::move(finding));
        }
    }

    template <class File>
    std::optional<File> motion_of(const Json* record, std::optional<File> (*restored)(MotionBuild&, const Json&),
                                  std::optional<File> (*made)(MotionBuild&, const Json*)) {
        if (build_.untouched(*build_.clip) && record != nullptr) {
            if (auto file = restored(build_, *record)) return file;
        }
        return made(build_, record);
    }

    MotionBuild& build_;
    NativeFiles& files_;
    UniqueNames names_{UniqueNames::Case::counts, "."};  ///< clips' parts of the names of their files
};

void widen(MappedTarget& target, float weight) {
    if (!std::isfinite(weight)) return;
    target.range_min = std::min(target.range_min, weight);
    target.range_max = std::max(target.range_max, weight);
}

/// A spline stays between its keys and the points that its tangents lead to.
void widen(std::vector<MappedTarget>& targets, const Track& track) {
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t count = targets.size();
    const std::size_t stride = count * (cubic ? 3 : 1);
    const std::size_t keys = std::min(track.times.size(), track.values.size() / stride);
    for (std::size_t key = 0; key < keys; ++key) {
        for (std::size_t i = 0; i < count; ++i) {
            const float* value = track.values.data() + key * stride + i;
            if (!cubic) {
                widen(targets[i], value[0]);
                continue;
            }
            const float at = value[count];
            widen(targets[i], at);
            if (key > 0) widen(targets[i], at - value[0] * (track.times[key] - track.times[key - 1]) / 3);
            if (key + 1 < keys)
                widen(targets[i], at + value[2 * count] * (track.times[key + 1] - track.times[key]) / 3);
        }
    }
}

TargetNames names_now(const NodeMap& map) {
    TargetNames names;
    for (const std::vector<MappedTarget>& targets : map.targets) {
        for (const MappedTarget& target : targets)
            names[target.old_name ? *target.old_name : target.raw_name].insert(target.raw_name);
    }
    return names;
}

}  // namespace

MotionBuild::MotionBuild(const Scene& from, const Untouched& known, const NodeMap& node_map,
                         const FromSceneOptions& from_options, const Encodings& read_in, const xac::File& actor,
                         Report& to)
    : scene(from),
      untouched(known),
      map(node_map),
      options(from_options),
      encodings(read_in),
      report(to),
      budget(from_options.limits, size_of(from)),
      order(node_map.multiplication_order == 0 ? Order::scale_first : Order::rotation_first),
      is_moved(from.nodes.size(), false),
      target_names(names_now(node_map)) {
    const std::vector<const xac::Node*> records = xac::nodes(actor);
    nodes.resize(records.size());
    for (Index i = 0; i < from.nodes.size() && i < map.nodes.size(); ++i) {
        const MappedNode& mapped = map.nodes[i];
        if (mapped.number >= nodes.size() || mapped.helper_of != no_index) continue;
        MovedNode& node = nodes[mapped.number];
        if (node.node != no_index) continue;
        node.node = i;
        node.link = mapped.helper < from.nodes.size() ? mapped.helper : no_index;
        node.raw_name = mapped.raw_name;
        node.bind = records[mapped.number];
        node.rests_elsewhere = mapped.is_moved;
        is_moved[node.node] = true;
        is_moved[node.first()] = true;
    }
    std::erase_if(nodes, [](const MovedNode& node) { return node.node == no_index; });
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        by_name.try_emplace(nodes[i].raw_name, i);
        by_text.try_emplace(scene.nodes[nodes[i].node].name, i);
    }
}

void MotionBuild::close() {
    clip = nullptr;
    path = "asset";
    tracks.clear();
}

const MovedNode* MotionBuild::find_node(std::string_view raw_name) const {
    if (const auto found = by_name.find(raw_name); found != by_name.end()) return &nodes[found->second];
    for (const std::string& encoding : encodings) {
        const std::string text = to_utf8(raw_name, encoding);
        if (const auto found = by_text.find(text); found != by_text.end()) return &nodes[found->second];
    }
    return nullptr;
}

void MotionBuild::open(std::size_t clip_number) {
    clip = &scene.clips[clip_number];
    path = "clips[" + std::to_string(clip_number) + "] " + clip->name;
    tracks.clear();
    for (const Track& track : clip->tracks) {
        if (!track.times.empty()) tracks.try_emplace(track_key(track.node, track.path), &track);
    }
}

const Track* MotionBuild::find(Index node, TrackPath track_path) const noexcept {
    const auto found = tracks.find(track_key(node, track_path));
    return found == tracks.end() ? nullptr : found->second;
}

void MotionBuild::note(const Code& code, std::string message, std::string found, std::string expected) {
    report.add(problem_at(path, code, std::move(message), std::move(found), std::move(expected)));
}

std::size_t components_of(const Scene& scene, const Track& track) noexcept {
    if (track.path == TrackPath::rotation) return 4;
    if (track.path != TrackPath::weights) return 3;
    if (track.node >= scene.nodes.size() || scene.nodes[track.node].mesh >= scene.meshes.size()) return 0;
    return scene.meshes[scene.nodes[track.node].mesh].targets.size();
}

void cover_weights(const Scene& scene, const Untouched& untouched, NodeMap& map) {
    const auto targets_of = [&](Index mesh) -> std::vector<MappedTarget>* {
        const bool is_free = mesh < map.targets.size() && mesh < scene.meshes.size() &&
                             !untouched(scene.meshes[mesh]) &&
                             map.targets[mesh].size() == scene.meshes[mesh].targets.size();
        return is_free && !map.targets[mesh].empty() ? &map.targets[mesh] : nullptr;
    };
    for (Index mesh = 0; mesh < scene.meshes.size(); ++mesh) {
        std::vector<MappedTarget>* targets = targets_of(mesh);
        if (targets == nullptr || scene.meshes[mesh].weights.size() != targets->size()) continue;
        for (std::size_t i = 0; i < targets->size(); ++i) widen((*targets)[i], scene.meshes[mesh].weights[i]);
    }
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::weights || track.node >= scene.nodes.size()) continue;
            std::vector<MappedTarget>* targets = targets_of(scene.nodes[track.node].mesh);
            if (targets == nullptr) continue;
            widen(*targets, track);
        }
    }
}

void add_motions(const Scene& scene, const Untouched& untouched, const NodeMap& map, const FromSceneOptions& options,
                 const Encodings& encodings, NativeFiles& files, Report& report) {
    MotionBuild build(scene, untouched, map, options, encodings, files.actor, report);
    ClipWriter writer(build, files);
    for (std::size_t clip = 0; clip < scene.clips.size(); ++clip) writer.add(clip);
    writer.add_idle();
}

}  // namespace effigy::emfx::bridge
