/// Clips of a model: its own animations, those of the files beside it, or all frames as one. Rules:
/// docs/conversion/x42.md, "Animations".

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "scene/records.hpp"
#include "x42/file/companion_text.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/to_scene/clip_tracks.hpp"
#include "x42/to_scene/config_lines.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

namespace {

/// Frame rates that an option may ask for: seconds stay numbers that floats can tell apart.
constexpr double min_option = min_frame_rate, max_option = 1e5;

/// Which bones an animation is for, as the games name theirs; all of them are written.
std::string_view group_meant(std::string_view name) {
    for (const std::string_view group : {"both", "torso", "legs"}) {
        if (name.size() > group.size() && name[group.size()] == '_' && lower(name.substr(0, group.size())) == group) {
            return group;
        }
    }
    return {};
}

/// What an animation is before it has tracks.
struct Draft {
    std::string_view name;  ///< raw bytes
    FrameRange range;
    Json extras = Json::object();
};

/// Names that something is wrong with, by what it is.
struct DraftFindings {
    NameList beyond, rates, frameless, lost;
};

class ClipBuilder {
public:
    ClipBuilder(Build& build, const Model& model) : build_(build), model_(model), file_(*model.file) {
        const double wanted = build.options.frames_per_second;
        if (wanted >= min_option && wanted <= max_option) given_rate_ = wanted;
        for (const Clip& clip : build.scene.clips) names_.take(clip.name);
    }

    Result<void> run(std::span<const ConfigInput> configs) {
        note_option();
        if (auto done = collect_curves(); !done) return done;
        const std::string model_file = build_.file;
        if (auto room = take_lines(configs); !room) return room;
        ConfigLines lines(configs, file_.header.base_frame);
        if (auto done = add_animations(lines); !done) return done;
        bool any = !file_.animations.empty();
        for (const ConfigInput& input : configs) {
            build_.file = input.source.named();
            if (auto done = add_config(input, lines); !done) return done;
            any = any || !input.config.animations.empty();
        }
        build_.file = model_file;
        if (!any) {
            if (auto done = add_all_frames(); !done) return done;
        }
        note_tracks();
        return {};
    }

private:
    /// Tracks that something can be seen of. Of several bones at one node the first one moves it.
    Result<void> collect_curves() {
        std::unordered_set<Index> taken;
        const std::size_t bones = std::min(file_.bones.size(), model_.bone_nodes.size());
        for (std::size_t bone = 0; bone < bones; ++bone) {
            const Index node = model_.bone_nodes[bone];
            if (node >= build_.scene.nodes.size() || !taken.insert(node).second) continue;
            if (first_node_ == no_index) first_node_ = node;
            for (const KeyType type : key_types) {
                const std::size_t keys = model_.tracks->keys(bone, type).size();
                if (keys == 0) continue;
                if (auto room = build_.take(1, sizeof(Curve) + 2 * keys, "animations"); !room) return room;
                curves_.emplace_back(file_, *model_.tracks, bone, type, node);
            }
        }
        return {};
    }

    Result<void> take_lines(std::span<const ConfigInput> configs) {
        constexpr std::uint64_t size_of_line = 200;  // where it is looked up
        std::size_t count = 0;
        for (const ConfigInput& input : configs) count += input.config.animations.size();
        return build_.take(count, size_of_line, "animations");
    }

    [[nodiscard]] std::int64_t frame_count() const noexcept {
        return std::max<std::int64_t>(1, file_.header.frame_count);
    }

    [[nodiscard]] bool fits_stream(const Animation& animation, std::int64_t base) const noexcept {
        const auto is_there = [&](std::int64_t frame) { return frame - base >= 0 && frame - base < frame_count(); };
        return is_there(animation.first_frame) && is_there(animation.last_frame);
    }

    /// What to subtract from the frames of the model's own animations.
    std::int64_t embedded_base() {
        const std::int64_t base = file_.header.base_frame;
        const auto fit = [&](std::int64_t start) {
            return std::all_of(file_.animations.begin(), file_.animations.end(),
                               [&](const Animation& animation) { return fits_stream(animation, start); });
        };
        if (base == 0 || fit(base) || !fit(0)) return base;
        build_.note(codes::animation_base_frame, "animations",
                    "The animations' frames lead out of the key stream if they count from the base frame, and do not "
                    "if they count from 0: they are taken so.",
                    std::to_string(base));
        return 0;
    }

    Result<void> add_animations(ConfigLines& lines) {
        constexpr std::uint64_t name_cost = 200;  // among those of lines
        DraftFindings findings;
        const std::int64_t base = embedded_base();
        LineNames names;
        for (std::size_t i = 0; i < file_.animations.size(); ++i) {
            const Animation& animation = file_.animations[i];
            double rate = animation.frame_rate >= 1 ? animation.frame_rate : 0;
            Draft draft;
            draft.name = name_of(file_, animation.name);
            // Lines count from the base frame. Their rates are those that the game plays, and need not be whole.
            std::optional<ConfigLines::Found> same;
            if (base == file_.header.base_frame) {
                if (auto room = build_.take(1, name_cost + 4 * draft.name.size(), "animations"); !room) return room;
                same = lines.take(names.add(draft.name), animation);
                if (!same) same = lines.take(draft.name, animation);  // others' lines have names twice as well
            }
            if (same) rate = static_cast<double>(same->line->frame_rate);
            draft.range =
                range_of(animation.first_frame - base, animation.last_frame - base, rate, draft.name, findings);
            Json& extras = draft.extras;
            extras = {{"kind", "animation"}, {"number", i}};
            extras.update(record_json(animation));
            extras.erase("name");  // a place
            for (const char* loop : {"loop_start", "loop_end"}) {
                if (extras[loop] == no_loop) extras.erase(loop);
            }
            if (same) {
                if (auto done = add_settings(*same->config, extras); !done) return done;
            }
            if (auto done = add_clip(draft, findings); !done) return done;
        }
        note_drafts(findings, "animations");
        return {};
    }

    Result<void> add_config(const ConfigInput& input, const ConfigLines& lines) {
        DraftFindings findings;
        for (const ConfigAnimation& animation : input.config.animations) {
            if (lines.is_taken(animation)) continue;
            if (animation.frame_count == 0) {
                findings.frameless.add(short_text(animation.name));
                continue;
            }
            const PlayedFrames frames = frames_of(animation, file_.header.base_frame);
            Draft draft;
            draft.name = animation.name;
            draft.range = range_of(frames.first, frames.last, animation.frame_rate, draft.name, findings);
            Json& extras = draft.extras;
            extras = {{"kind", "config"}, {"line", animation.line}};
            extras["first_frame"] = animation.first_frame;
            extras["frame_count"] = animation.frame_count;
            extras["loop_frames"] = animation.loop_frames;
            extras["frame_rate"] = json_number(animation.frame_rate);
            extras["source"] = json_text(input.source.stem);
            if (auto done = add_settings(input.config, extras); !done) return done;
            if (auto done = add_clip(draft, findings); !done) return done;
        }
        note_drafts(findings, "animation.cfg");
        return {};
    }

    /// To the first clip of each file.
    Result<void> add_settings(const AnimationConfig& config, Json& extras) {
        if (config.settings.empty() || !settled_.insert(&config).second) return {};
        auto settings = settings_of(config);
        if (!settings) return fail(std::move(settings.error()));
        extras["settings"] = std::move(*settings);
        return {};
    }

    Result<Json> settings_of(const AnimationConfig& config) {
        Json settings = Json::array();
        for (const auto& [name, value] : config.settings) {
            constexpr std::size_t node_size = 256;  // of the document's own making
            if (auto room = build_.take(1, node_size + name.size() + value.size(), "settings"); !room) {
                return fail(std::move(room.error()));
            }
            settings.push_back({{"name", json_text(name)}, {"value", json_text(value)}});
        }
        return settings;
    }

    Result<void> add_all_frames() {
        const bool moves = std::any_of(curves_.begin(), curves_.end(), [&](const Curve& curve) {
            return curve.moves_within(0, static_cast<double>(frame_count() - 1));
        });
        if (!moves) return {};
        DraftFindings findings;
        Draft draft;
        draft.name = model_.source->stem;
        draft.range = {0, frame_count() - 1, frame_count(), given_rate_.value_or(default_frame_rate)};
        draft.extras = {{"kind", "all_frames"}};
        build_.note(codes::animation_none, "animations",
                    "The model names no animations: all of its frames are one clip. The game's animation.cfg, given "
                    "beside the model, says which frames belong together.",
                    std::to_string(frame_count()) + " frames");
        return add_clip(draft, findings);
    }

    /// `rate` as the file says it; 0 or less: not credible.
    FrameRange range_of(std::int64_t first, std::int64_t last, double rate, std::string_view name,
                        DraftFindings& findings) {
        if (!given_rate_ && !is_credible_rate(rate)) {
            findings.rates.add(short_text(name));
            rate = default_frame_rate;
        }
        const FrameRange range{first, last, frame_count(), given_rate_.value_or(rate)};
        if (!range.fits()) findings.beyond.add(short_text(name));
        return range;
    }

    Result<void> add_clip(Draft& draft, DraftFindings& findings) {
        constexpr std::uint64_t extras_size = 512, visit_cost = 8;
        const std::uint64_t size = sizeof(Clip) + extras_size + 4 * draft.name.size();
        // Time must not grow with the product of clips and tracks any more than memory: hence their cost.
        if (auto room = build_.take(1, size + visit_cost * curves_.size(), "animations"); !room) return room;
        Clip clip;
        for (const Curve& curve : curves_) {
            auto track = make_track(build_, curve, draft.range, tracks_);
            if (!track) return fail(std::move(track.error()));
            if (*track) clip.tracks.push_back(std::move(**track));
        }
        if (clip.tracks.empty() && first_node_ != no_index) clip.tracks.push_back(rest_track());
        if (clip.tracks.empty()) {
            findings.lost.add(short_text(draft.name));
            return {};
        }
        clip.duration = static_cast<float>(draft.range.duration());
        if (!(build_.options.resample > 0)) clip.rules.rotation = RotationRule::by_angle;
        const std::string name = text(draft.name);
        clip.name = names_.add(name.empty() ? "animation" : name);
        if (clip.name != name) draft.extras["shown"] = clip.name;
        set_record_with_tables(clip.extras, finished_extras(draft));
        fill_duration(clip);
        build_.scene.clips.push_back(std::move(clip));
        return {};
    }

    /// A clip in which nothing leaves its rest is a clip all the same.
    [[nodiscard]] Track rest_track() const {
        const Vec3& rest = build_.scene.nodes[first_node_].local.translation;
        Track track;
        track.node = first_node_;
        track.times = {0};
        track.values = {rest.x, rest.y, rest.z};
        return track;
    }

    Json finished_extras(Draft& draft) const {
        Json extras = std::move(draft.extras);
        if (!draft.name.empty()) extras["name"] = json_text(draft.name);
        extras["stream_frames"] = {draft.range.first, draft.range.last};
        extras["frames_per_second"] = json_number(draft.range.rate);
        const std::string_view group = group_meant(draft.name);
        if (!group.empty() && !file_.animation_groups.empty()) extras["animation_group"] = group;
        return extras;
    }

    [[nodiscard]] std::string text(std::string_view raw) const { return to_utf8(raw, build_.options.encoding); }

    /// For findings.
    [[nodiscard]] std::string short_text(std::string_view raw) const { return text(cut(raw, 80)); }

    void note_option() {
        const double wanted = build_.options.frames_per_second;
        if (wanted == 0 || given_rate_) return;
        build_.note(codes::animation_frame_rate, "animations",
                    "The frame rate that was asked for is none; the files' own are used.", number_text(wanted),
                    number_text(min_option) + " to " + number_text(max_option));
    }

    void note_drafts(const DraftFindings& findings, const char* path) {
        build_.note_any(findings.beyond, codes::animation_frame_range, path);
        build_.note_any(
            findings.rates, codes::animation_frame_rate, path,
            "Frame rates of animations are not credible; they play at 30 frames a second. --fps sets another rate.");
        build_.note_any(findings.frameless, codes::clip_empty, path, "Animations without frames are left out.");
        build_.note_any(findings.lost, codes::clip_empty, path,
                        "Animations of a model without bones move nothing and are left out.");
    }

    void note_tracks() {
        build_.note_any(
            model_.tracks->left_out(), codes::x42_keys_left_out, "keys",
            "Keys that name no bone, type or value, or that are not later than the key before them in their "
            "track, are left out.",
            " keys");
        build_.note_any(tracks_.not_finite, codes::not_finite_replaced, "keys",
                        "Numbers that are not finite become 0, in scales 1.", " numbers");
        build_.note_any(tracks_.no_rotation, codes::rotation_zero, "keys", "Rotations of no length become no rotation.",
                        " keys");
        build_.note_any(
            tracks_.inserted, codes::rotation_cut, "keys",
            "Animations begin or end between keys of rotations, or go on beyond them: keys are put in there, and "
            "the largest error between them is stated.",
            " keys, " + number_text(tracks_.rotation_error) + " radians");
    }

    Build& build_;
    const Model& model_;
    const File& file_;
    std::optional<double> given_rate_;
    std::vector<Curve> curves_;
    Index first_node_ = no_index;
    UniqueNames names_{UniqueNames::Case::counts, "."};
    std::unordered_set<const AnimationConfig*> settled_;
    TrackFindings tracks_;
};

}  // namespace

Result<void> add_clips(Build& build, const Model& model, std::span<const ConfigInput> configs) {
    return ClipBuilder(build, model).run(configs);
}

}  // namespace effigy::x42::bridge
