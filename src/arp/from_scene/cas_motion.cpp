/// A clip as CAS: the file that it was, or its frames, signs and camera as a new one.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>
#include <string_view>

#include "effigy/arp_codes.hpp"

#include "arp/file/cas_reader.hpp"
#include "arp/file/cas_writer.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/motion.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

/// With the fewest decimals that say the same: scenes have seconds as floats.
double milliseconds_of(double seconds) {
    const double exact = 1000 * seconds;
    double factor = 1;
    for (int decimals = 0; decimals <= 6; ++decimals, factor *= 10) {
        const double rounded = std::round(exact * factor) / factor;
        if (narrow(rounded / 1000) == narrow(seconds)) return rounded;
    }
    return exact;
}

/// Whether what the file shows is what the targets that the clip moves are called now: where a mesh has lost its
/// record, nothing else tells.
bool names_what_moves(const Character& character, const Clip& clip, const cas::File& file) {
    const std::vector<TargetDraft>& targets = character.figure.targets;
    std::vector<bool> moves(targets.size());
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::weights) continue;
        for (const std::vector<DrawnTargets>& level : character.figure.targets_of) {
            for (const auto& [node, places] : level) {
                if (node != track.node || places.empty()) continue;
                for (std::size_t k = 0; k < track.values.size(); ++k) {
                    if (track.values[k] != 0) moves[places[k % places.size()]] = true;
                }
            }
        }
    }
    std::set<std::string_view> names;
    for (const cas::Frame& frame : file.frames) {
        for (const cas::MorphKey& morph : frame.morphs) names.insert(morph.name);
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (moves[i] && !targets[i].is_known && !names.contains(targets[i].code)) return false;
    }
    return true;
}

/// The file that a clip was, if neither the clip nor a bone was touched, and what it names has its old name.
std::optional<cas::File> kept_file(Build& build, const Character& character, const Clip& clip, const Json& record) {
    const bool has_weights =
        std::ranges::any_of(clip.tracks, [](const Track& track) { return track.path == TrackPath::weights; });
    const bool is_same = character.skeleton.is_whole() && !(build.options.height > 0) &&
                         !any_renamed(character.skeleton.bones) &&
                         !(has_weights && any_renamed(character.figure.targets));
    const auto kept = is_same && build.untouched(clip) ? bytes_at(record, "text") : std::nullopt;
    auto text = kept ? unpacked(*kept, build.budget) : std::nullopt;
    if (!text) return std::nullopt;
    auto read = cas::read(std::move(*text), {build.options.limits});
    if (!read || !names_what_moves(character, clip, read->value)) return std::nullopt;
    return std::move(read->value);
}

/// Frames at the usual rate up to the end, and at the keys, between which players turn bones as clips do.
std::vector<double> frame_times(std::vector<double> times, std::size_t count, double seconds) {
    constexpr double least = 1e-3;  // times are in milliseconds
    for (std::size_t i = 0; i < count; ++i) times.push_back(static_cast<double>(i) / frames_per_second);
    times.push_back(std::max(seconds, 0.0));
    std::sort(times.begin(), times.end());
    std::vector<double> kept;
    for (const double time : times) {
        if (std::isfinite(time) && time >= 0 && time <= seconds && (kept.empty() || time >= kept.back() + least))
            kept.push_back(time);
    }
    if (kept.empty()) kept.push_back(0);
    return kept;
}

/// How far apart they are: radians, amounts, or tenths of a metre.
double difference(const PoseSample& a, const PoseSample& b, double units) {
    double most = 10 * glm::distance(a.places.front(), b.places.front()) / units;
    for (std::size_t i = 0; i < a.rotations.size(); ++i)
        most = std::max(most, angle_between(a.rotations[i], b.rotations[i]));
    for (std::size_t i = 0; i < a.amounts.size(); ++i)
        most = std::max(most, std::abs(double{a.amounts[i]} - double{b.amounts[i]}));
    return most;
}

/// A key at the end that shows what the one before it does is how long that one lasts: so clips hold the last frame of
/// a CAS. Sampled at another rate it may begin a little late, where the motion before has not quite ended.
bool holds_end(Motion& motion, double units, double seconds, const std::vector<double>& times) {
    constexpr double rounding = 1e-6, nothing = 1e-5, unseen = 1e-3, rest = 0.1;
    if (times.size() < 2 || times.back() < seconds - rounding) return false;
    const double start = times[times.size() - 2], length = times.back() - start;
    const PoseSample end = motion.at(times.back()), held = motion.at(start);
    const double before = difference(motion.at(std::max(0.0, start - length)), held, units);
    const double most = std::max(nothing, std::min(unseen, rest * before));
    return difference(held, end, units) <= most;
}

/// At their keys if the clip has as many as it had, wherever these were moved to, otherwise when they began. Signs
/// behind the end have no frames. `keys`, `seconds`: of the clip. `added`: frames before the first key.
std::vector<cas::Sign> signs_of(Build& build, const Clip& clip, const Json& record, std::span<const double> keys,
                                double seconds, std::uint32_t added) {
    const double known = number_at(record, "keys").value_or(-1), count = static_cast<double>(keys.size());
    const bool are_all_there = count == known || count == known + 1;  // the last one may say when the clip ends
    std::vector<cas::Sign> signs;
    std::uint64_t lost = 0;
    for (const Json& entry : list_at(record, "signs")) {
        const auto gloss = text_at(entry, "gloss");
        if (!gloss) continue;
        const auto time = number_at(entry, "time"), key = number_at(entry, "key");
        double place = count;
        if (are_all_there && key) {
            place = std::clamp(*key, 0.0, count);
        } else if (time) {
            const auto found = std::lower_bound(keys.begin(), keys.end(), *time - 1e-5);
            place = static_cast<double>(found - keys.begin());
            if (found == keys.end()) ++lost;
        }
        const std::uint32_t before = signs.empty() ? 0 : signs.back().first_frame;
        signs.push_back({*gloss, std::max(before, place > 0 ? static_cast<std::uint32_t>(place) + added : 0)});
    }
    if (signs.empty()) signs.push_back({clip.name, 0});
    const double change = std::abs(number_at(record, "seconds").value_or(seconds) - seconds);
    const bool is_stretched = !are_all_there && signs.back().first_frame > 0 && change > 1 / frames_per_second + 1e-5;
    if (is_stretched || lost != 0) {
        build.note(codes::arp_sign_times, path_of(clip),
                   "The clip has other keys and another length than its file: signs begin when they did. If it was "
                   "stretched, or cut at its start, correct `time` of the signs in its extras.",
                   std::to_string(lost) + " of " + std::to_string(signs.size()) + " signs behind the end");
    }
    return signs;
}

std::optional<cas::Camera> camera_of(const Json& record) {
    const Json* stored = member(record, "camera_location");
    if (stored == nullptr) return std::nullopt;
    cas::Camera camera;
    for (const auto& [name, field] : cas::camera_fields) camera.*field = number_at(*stored, name).value_or(0);
    return camera;
}

/// The first frame has all bones, the others have those that are not as `shown` before, which is kept up to date.
cas::Frame cas_frame(const Character& character, const PoseSample& pose, double max_error, PoseSample& shown) {
    cas::Frame frame;
    frame.complete = shown.rotations.empty();
    for (std::size_t k = 0; k < pose.amounts.size(); ++k) {
        if (cas::number(double{pose.amounts[k]}) != "0")
            frame.morphs.push_back({character.figure.targets[k].code, pose.amounts[k]});
    }
    const double least_angle = std::max(max_error, no_rotation);
    const double least_distance = std::max(max_error * character.skeleton.units, 1e-6);
    if (frame.complete) shown = pose;
    for (std::size_t i = 0; i < pose.rotations.size(); ++i) {
        const bool rotates = frame.complete || angle_between(pose.rotations[i], shown.rotations[i]) > least_angle;
        const bool moves =
            frame.complete || (i == 0 && glm::distance(pose.places[i], shown.places[i]) > least_distance);
        if (!rotates && !moves) continue;
        const Bone& bone = character.file.bones[i];
        cas::BoneKey& key = frame.bones.emplace_back();
        key.name = up_to_nul(bone.name);
        if (moves) {
            shown.places[i] = pose.places[i];
            key.translation = i == 0 ? narrow(pose.places[i]) : bone.translation;
        }
        if (rotates) {
            shown.rotations[i] = pose.rotations[i];
            key.rotation = narrow(pose.rotations[i]);
        }
    }
    return frame;
}

/// About how long a frame is as text.
std::uint64_t text_size(const cas::Frame& frame) noexcept {
    constexpr std::uint64_t start_and_end = 200;
    return start_and_end + text_of_key * (frame.bones.size() + frame.morphs.size());
}

/// While text grows and becomes bytes, there is so much of it at once.
constexpr std::uint64_t max_texts = 3;

/// Memory for a frame, also as text: how much it takes is not known beforehand.
Result<void> take_frame(Build& build, const cas::Frame& frame) {
    const std::uint64_t keys =
        frame.bones.capacity() * sizeof(cas::BoneKey) + frame.morphs.capacity() * sizeof(cas::MorphKey);
    return build.take(1, sizeof(cas::Frame) + keys + max_texts * text_size(frame), "frames of motion");
}

/// The frames end with it: reading it makes others.
Bytes text_bytes(cas::File file) {
    const std::string text = cas::text_of(file, false);
    const auto bytes = std::as_bytes(std::span(text));
    file = {};
    return {bytes.begin(), bytes.end()};
}

}  // namespace

Result<cas::File> cas_of(Build& build, const Character& character, const Clip& clip, const Json& record,
                         Motion& motion) {
    if (auto kept = kept_file(build, character, clip, record)) return std::move(*kept);
    const bool is_own = text_at(record, "kind") == "cas";
    const double seconds = std::max(double{clip.duration}, motion.sampler().end());
    const std::vector<double> keys = motion.sampler().key_times();
    std::vector<double> times = keys;
    const bool begins_late = times.empty() || times.front() > 0;
    if (is_own && begins_late) times.insert(times.begin(), 0.0);
    const auto count = is_own ? 0 : frame_count(seconds, frames_per_second);
    if (auto taken = build.take(times.size() + count, 2 * sizeof(double) + sizeof(cas::Frame), "frames of motion");
        !taken)
        return fail(std::move(taken.error()));
    if (!is_own) times = frame_times(times, static_cast<std::size_t>(count), std::isfinite(seconds) ? seconds : 0);
    cas::File file;
    file.avatar = text_at(record, "avatar").value_or(build.options.name);
    file.signs = signs_of(build, clip, record, keys, seconds, begins_late ? 1 : 0);
    file.camera = camera_of(record);
    // A sign that begins with the last key makes that a frame, whatever it shows.
    const bool begins_last = std::ranges::any_of(
        file.signs, [&](const cas::Sign& sign) { return std::size_t{sign.first_frame} + 1 == times.size(); });
    if (!begins_last && holds_end(motion, character.skeleton.units, seconds, times)) times.pop_back();
    std::vector<bool> moved(character.skeleton.bones.size());
    PoseSample shown;
    std::uint64_t text = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const PoseSample& pose = motion.at(times[i]);
        find_moved(character, pose, 1, moved);
        cas::Frame& frame = file.frames.emplace_back(cas_frame(character, pose, build.options.max_error, shown));
        frame.time = milliseconds_of(times[i]);
        const double end = milliseconds_of(i + 1 < times.size() ? times[i + 1] : std::max(seconds, times[i]));
        frame.duration = end > frame.time ? end - frame.time : 1000 / frames_per_second;
        if (auto taken = take_frame(build, frame); !taken) return fail(std::move(taken.error()));
        text += text_size(frame);
    }
    report_moved(build, character, clip, moved,
                 "Players move ROOT only: that the clip moves these bones as well is lost.");
    auto read = cas::read(text_bytes(std::move(file)), {build.options.limits});
    if (!read) return fail(std::move(read.error()));
    build.budget.give_back((max_texts - 1) * text);
    return std::move(read->value);
}

}  // namespace effigy::arp::native
