/// Clips of a model: its own animations, those of the files beside it, or all frames as one. Rules:
/// docs/conversion/x42.md, "Animations".

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "core/text.hpp"
#include "x42/file/companion_text.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/to_scene/clip_maker.hpp"
#include "x42/to_scene/config_lines.hpp"

namespace effigy::x42::bridge {

namespace {

/// Frame rates that an option may ask for: seconds stay numbers that floats can tell apart.
constexpr double min_option = min_frame_rate, max_option = 1e5;

using Configs = std::unordered_set<const AnimationConfig*>;

std::optional<double> rate_asked_for(Build& build) {
    const double wanted = build.options.frames_per_second;
    if (wanted >= min_option && wanted <= max_option) return wanted;
    if (wanted != 0) {
        build.note(codes::animation_frame_rate, "animations",
                   "The frame rate that was asked for is none; the files' own are used.", number_text(wanted),
                   number_text(min_option) + " to " + number_text(max_option));
    }
    return std::nullopt;
}

/// Tracks that something can be seen of. Of several bones at one node the first one moves it.
Result<std::vector<Curve>> curves_of(Build& build, const Model& model) {
    std::vector<Curve> curves;
    std::unordered_set<Index> taken;
    const std::size_t bones = std::min(model.file->bones.size(), model.bone_nodes.size());
    for (std::size_t bone = 0; bone < bones; ++bone) {
        const Index node = model.bone_nodes[bone];
        if (node >= build.scene.nodes.size() || !taken.insert(node).second) continue;
        for (const KeyType type : key_types) {
            const std::size_t keys = model.tracks->keys(bone, type).size();
            if (keys == 0) continue;
            if (auto room = build.take(1, sizeof(Curve) + 2 * keys, "animations"); !room)
                return fail(std::move(room.error()));
            curves.emplace_back(*model.file, *model.tracks, bone, type, node);
        }
    }
    return curves;
}

/// What to subtract from the frames of the model's own animations.
std::int64_t embedded_base(Build& build, const File& file) {
    const std::int64_t base = animation_base(file);
    if (base == file.header.base_frame) return base;
    build.note(
        codes::animation_base_frame, "animations",
        "The animations' frames lead out of the key stream if they count from the base frame, and do not if they "
        "count from 0: they are taken so.",
        std::to_string(file.header.base_frame));
    return base;
}

/// To the first clip of each file; `settled` are those that had one.
Result<void> add_settings(Build& build, const AnimationConfig& config, Configs& settled, Json& extras) {
    if (config.settings.empty() || !settled.insert(&config).second) return {};
    Json settings = Json::array();
    for (const auto& [name, value] : config.settings) {
        constexpr std::size_t node_size = 256;  // of the document's own making
        if (auto room = build.take(1, node_size + name.size() + value.size(), "settings"); !room) return room;
        settings.push_back({{"name", json_text(name)}, {"value", json_text(value)}});
    }
    extras["settings"] = std::move(settings);
    return {};
}

void note_drafts(Build& build, const DraftFindings& findings, const char* path) {
    build.note_any(findings.beyond, codes::animation_frame_range, path);
    build.note_any(
        findings.rates, codes::animation_frame_rate, path,
        "Frame rates of animations are not credible; they play at 30 frames a second. --fps sets another rate.");
    build.note_any(findings.frameless, codes::clip_empty, path, "Animations without frames are left out.");
    build.note_any(findings.lost, codes::clip_empty, path,
                   "Animations of a model without bones move nothing and are left out.");
}

Json animation_record(const Animation& animation, std::size_t number) {
    Json json = {{"kind", "animation"}, {"number", number}};
    json.update(record_json(animation));
    json.erase("name");  // a place
    for (const char* loop : {"loop_start", "loop_end"}) {
        if (json[loop] == no_loop) json.erase(loop);
    }
    return json;
}

Json line_record(const ConfigAnimation& animation, const Source& source) {
    Json json = {{"kind", "config"}, {"line", animation.line}};
    json["first_frame"] = animation.first_frame;
    json["frame_count"] = animation.frame_count;
    json["loop_frames"] = animation.loop_frames;
    json["frame_rate"] = json_number(animation.frame_rate);
    json["source"] = json_text(source.stem);
    return json;
}

Result<void> add_animations(Build& build, const File& file, ConfigLines& lines, Configs& settled, ClipMaker& clips) {
    constexpr std::uint64_t name_cost = 200;  // among those of lines
    DraftFindings findings;
    const std::int64_t base = embedded_base(build, file);
    LineNames names;
    for (std::size_t i = 0; i < file.animations.size(); ++i) {
        const Animation& animation = file.animations[i];
        ClipDraft draft;
        draft.name = name_of(file, animation.name);
        draft.first = animation.first_frame - base;
        draft.last = animation.last_frame - base;
        draft.rate = animation.frame_rate;
        // Rates of lines are those that the game plays, and need not be whole.
        if (auto room = build.take(1, name_cost + 4 * draft.name.size(), "animations"); !room) return room;
        auto same = lines.take(names.add(draft.name), animation, base);
        if (!same) same = lines.take(draft.name, animation, base);  // others' lines have names twice as well
        draft.extras = animation_record(animation, i);
        if (same) {
            draft.rate = static_cast<double>(same->line->frame_rate);
            if (auto done = add_settings(build, *same->config, settled, draft.extras); !done) return done;
        }
        if (auto done = clips.add(std::move(draft), findings); !done) return done;
    }
    note_drafts(build, findings, "animations");
    return {};
}

Result<void> add_config(Build& build, const File& file, const ConfigInput& input, const ConfigLines& lines,
                        Configs& settled, ClipMaker& clips) {
    DraftFindings findings;
    for (const ConfigAnimation& animation : input.config.animations) {
        if (lines.is_taken(animation)) continue;
        if (animation.frame_count == 0) {
            findings.frameless.add(build.text(cut(animation.name, 80)));
            continue;
        }
        const PlayedFrames frames = frames_of(animation, file.header.base_frame);
        ClipDraft draft{animation.name, frames.first, frames.last, animation.frame_rate,
                        line_record(animation, input.source)};
        if (auto done = add_settings(build, input.config, settled, draft.extras); !done) return done;
        if (auto done = clips.add(std::move(draft), findings); !done) return done;
    }
    note_drafts(build, findings, "animation.cfg");
    return {};
}

/// No clip shows the one pose of a model, and the nodes rest where vertices were bound.
void note_hidden_pose(Build& build, const File& file, std::span<const Curve> curves) {
    NameList bones;
    Index last = no_index;
    for (const Curve& curve : curves) {
        if (curve.node() == last || !leaves_rest(build, file, curve, 0)) continue;
        last = curve.node();
        bones.add(build.scene.nodes[last].name);
    }
    build.note_any(bones, codes::x42_pose_hidden, "keys",
                   "All frames of the model are one pose, which is not the one that its vertices are bound in: the "
                   "bones rest in the latter, and nothing shows the former. A line of an animation.cfg beside the "
                   "model makes it a clip.");
}

Result<void> add_all_frames(Build& build, const Model& model, std::span<const Curve> curves, ClipMaker& clips) {
    const std::int64_t count = frames_in(*model.file);
    const bool moves = std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
        return curve.moves_within(0, static_cast<double>(count - 1));
    });
    if (!moves) {
        note_hidden_pose(build, *model.file, curves);
        return {};
    }
    build.note(codes::animation_none, "animations",
               "The model names no animations: all of its frames are one clip. The game's animation.cfg, given beside "
               "the model, says which frames belong together.",
               std::to_string(count) + " frames");
    ClipDraft draft{model.source->stem, 0, count - 1, default_frame_rate};
    draft.extras = {{"kind", "all_frames"}};
    DraftFindings none;  // about frames that are there, at a rate that is credible
    return clips.add(std::move(draft), none);
}

}  // namespace

Result<void> add_clips(Build& build, const Model& model, std::span<const ConfigInput> configs) {
    const File& file = *model.file;
    const auto rate = rate_asked_for(build);
    auto curves = curves_of(build, model);
    if (!curves) return fail(std::move(curves.error()));
    ClipMaker clips(build, model, *curves, rate);
    constexpr std::uint64_t size_of_line = 200;  // where it is looked up
    std::size_t line_count = 0;
    for (const ConfigInput& input : configs) line_count += input.config.animations.size();
    if (auto room = build.take(line_count, size_of_line, "animations"); !room) return room;
    ConfigLines lines(configs, file.header.base_frame);
    Configs settled;
    if (auto done = add_animations(build, file, lines, settled, clips); !done) return done;
    const std::string model_file = build.file;
    for (const ConfigInput& input : configs) {
        build.file = input.source.named();
        if (auto done = add_config(build, file, input, lines, settled, clips); !done) return done;
    }
    build.file = model_file;
    if (file.animations.empty() && line_count == 0) {
        if (auto done = add_all_frames(build, model, *curves, clips); !done) return done;
    }
    clips.note_tracks();
    return {};
}

}  // namespace effigy::x42::bridge
