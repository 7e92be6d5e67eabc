/// Animations as clips: ranges of frames and their rates, tracks, names, records.

#include "x42/to_scene/clip_maker.hpp"

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "core/text.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"
#include "x42/file/companion_text.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::bridge {

namespace {

/// Which bones an animation is for, as the games name theirs; all of them are written.
std::string_view group_meant(std::string_view name) {
    for (const std::string_view group : {"both", "torso", "legs"}) {
        if (name.size() > group.size() && name[group.size()] == '_' && lower(name.substr(0, group.size())) == group) {
            return group;
        }
    }
    return {};
}

}  // namespace

Result<void> ClipMaker::add(ClipDraft draft, DraftFindings& findings) {
    constexpr std::uint64_t extras_size = 512, visit_cost = 8;
    const FrameRange range = range_of(draft, findings);
    const std::uint64_t size = sizeof(Clip) + extras_size + 4 * draft.name.size();
    // Time must not grow with the product of clips and tracks any more than memory: hence their cost.
    if (auto room = build_.take(1, size + visit_cost * curves_.size(), "animations"); !room) return room;
    Clip clip;
    for (const Curve& curve : curves_) {
        auto track = make_track(build_, curve, range, tracks_);
        if (!track) return fail(std::move(track.error()));
        if (*track) clip.tracks.push_back(std::move(**track));
    }
    if (clip.tracks.empty() && model_.bone_nodes.empty()) {
        findings.lost.add(build_.text(cut(draft.name, 80)));
        return {};
    }
    if (clip.tracks.empty()) clip.tracks.push_back(rest_track());
    clip.duration = static_cast<float>(range.duration());
    if (!(build_.options.resample > 0)) clip.rules.rotation = RotationRule::by_angle;
    const std::string name = build_.text(draft.name);
    clip.name = build_.clip_names.add(name.empty() ? "animation" : name);
    if (clip.name != name) draft.extras["shown"] = clip.name;
    set_record_with_tables(clip.extras, finished_extras(draft, range));
    fill_duration(clip);
    build_.scene.clips.push_back(std::move(clip));
    return {};
}

FrameRange ClipMaker::range_of(const ClipDraft& draft, DraftFindings& findings) const {
    const bool is_usable = given_rate_ || is_credible_rate(draft.rate);
    if (!is_usable) findings.rates.add(build_.text(cut(draft.name, 80)));
    const double rate = given_rate_.value_or(is_usable ? draft.rate : default_frame_rate);
    const FrameRange range{draft.first, draft.last, frames_in(*model_.file), rate};
    if (!range.fits()) findings.beyond.add(build_.text(cut(draft.name, 80)));
    return range;
}

/// A clip in which nothing leaves its rest is a clip all the same.
Track ClipMaker::rest_track() const {
    Track track;
    track.node = model_.bone_nodes.front();
    const Vec3& rest = build_.scene.nodes[track.node].local.translation;
    track.times = {0};
    track.values = {rest.x, rest.y, rest.z};
    return track;
}

Json ClipMaker::finished_extras(ClipDraft& draft, const FrameRange& range) const {
    Json extras = std::move(draft.extras);
    if (!draft.name.empty()) extras["name"] = json_text(draft.name);
    extras["stream_frames"] = {range.first, range.last};
    extras["frames_per_second"] = json_number(range.rate);
    const std::string_view group = group_meant(draft.name);
    if (!group.empty() && !model_.file->animation_groups.empty()) extras["animation_group"] = group;
    return extras;
}

void ClipMaker::note_lengths() {
    std::uint64_t count = 0;
    double worst = 1;
    for (const Curve& curve : curves_) {
        if (curve.type() != KeyType::rotation) continue;
        for (const TrackKey& key : curve.keys()) {
            const double length = glm::length(wide(curve.value(key.value)));
            if (length == 0 || std::fabs(length - 1) <= max_length_error) continue;
            ++count;
            if (std::fabs(length - 1) > std::fabs(worst - 1)) worst = length;
        }
    }
    build_.note_any(count, codes::x42_rotation_length, "keys",
                    "Rotations that are no unit quaternions are made unit: what they scale or skew in the game keeps "
                    "its shape.",
                    " keys, the worst of length " + number_text(static_cast<float>(worst)), "1");
}

void ClipMaker::note_tracks() {
    build_.note_any(model_.tracks->left_out(), codes::x42_keys_left_out, "keys",
                    "Keys that name no bone, type or value, or that are not later than the key before them in their "
                    "track, are left out.",
                    " keys");
    build_.note_any(tracks_.not_finite, codes::not_finite_replaced, "keys",
                    "Numbers that are not finite become 0, in scales 1.", " numbers");
    build_.note_any(tracks_.no_rotation, codes::rotation_zero, "keys", "Rotations of no length become no rotation.",
                    " keys");
    if (!build_.scene.clips.empty()) note_lengths();
    build_.note_any(
        tracks_.inserted, codes::rotation_cut, "keys",
        "Animations begin or end between keys of rotations, or go on beyond them: keys are put in there, and "
        "the largest error between them is stated.",
        " keys, " + number_text(tracks_.rotation_error) + " radians");
}

}  // namespace effigy::x42::bridge
