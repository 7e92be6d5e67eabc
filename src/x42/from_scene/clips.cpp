/// Clips as ranges of frames.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <unordered_set>

#include "effigy/x42_codes.hpp"

#include "core/text.hpp"
#include "scene/level_names.hpp"
#include "x42/file/companion_text.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint64_t max_frames = 0xffff;
constexpr double off_grid = 1e-3;  ///< frames; floats in seconds are no more exact

double duration_of(const Clip& clip) noexcept {
    double longest = std::isfinite(clip.duration) ? std::max(0.0, static_cast<double>(clip.duration)) : 0;
    for (const Track& track : clip.tracks) {
        if (!track.times.empty() && std::isfinite(track.times.back()))
            longest = std::max(longest, static_cast<double>(track.times.back()));
    }
    return longest;
}

/// Whether all keys stand at whole frames.
bool suits(const Clip& clip, double rate) noexcept {
    for (const Track& track : clip.tracks) {
        for (const float time : track.times) {
            const double frame = static_cast<double>(time) * rate;
            if (!(std::abs(frame - std::round(frame)) <= off_grid)) return false;
        }
    }
    return true;
}

double rate_of(const Clip& clip, const Json& extras, double wanted) {
    if (is_credible_rate(wanted)) return wanted;
    const double stated = number_at(extras, "frames_per_second").value_or(0);
    if (is_credible_rate(stated)) return stated;
    for (const double rate : {30.0, 24.0, 25.0, 60.0, 50.0, 48.0, 120.0, 100.0}) {
        if (suits(clip, rate)) return rate;
    }
    return default_frame_rate;
}

bool moves_nodes(const Clip& clip, const Scene& scene) {
    return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
        return track.node < scene.nodes.size() && track.path != TrackPath::weights && !track.times.empty();
    });
}

constexpr std::int64_t behind_all = std::numeric_limits<std::int64_t>::max();

/// Where the clip was in the key stream that it comes from; behind all others if it comes from none.
std::int64_t old_place(const ClipPlan& plan) {
    const Json* const frames = member(plan.extras, "stream_frames");
    if (frames == nullptr || !frames->is_array() || frames->size() != 2) return behind_all;
    if (!(*frames)[0].is_number_integer() || !(*frames)[1].is_number_integer()) return behind_all;
    return std::min((*frames)[0].get<std::int64_t>(), (*frames)[1].get<std::int64_t>());
}

bool ran_backwards(const Json& extras) {
    const auto first = integer_at(extras, "first_frame"), last = integer_at(extras, "last_frame");
    return (first && last && *last < *first) || integer_at(extras, "frame_count").value_or(1) < 0;
}

class ClipPlanner {
public:
    explicit ClipPlanner(FileBuild& build) : build_(build) {}

    Result<void> run() {
        for (const Clip& clip : build_.scene.clips) clip_names_.insert(clip.name);
        for (const Clip& clip : build_.scene.clips) {
            if (auto taken =
                    build_.take(1, sizeof(ClipPlan) + 8 * clip.extras.json.size() + clip.extras.bulk.size(), "clips");
                !taken)
                return taken;
            if (!moves_nodes(clip, build_.scene)) {
                without_nodes_.add(label(build_.scene.clips, clip, "clip"));
                continue;
            }
            build_.clips.push_back(plan(clip));
        }
        name_clips();
        build_.keys_kept = are_kept();
        // Lines of animation.cfg have their names in the order of the file's animations.
        const auto place = [&](const ClipPlan& plan) {
            return build_.keys_kept ? integer_at(plan.extras, "number").value_or(behind_all) : old_place(plan);
        };
        std::stable_sort(build_.clips.begin(), build_.clips.end(),
                         [&](const ClipPlan& a, const ClipPlan& b) { return place(a) < place(b); });
        report();
        return lay_out();
    }

private:
    ClipPlan plan(const Clip& clip) {
        ClipPlan plan;
        plan.clip = &clip;
        plan.extras = record_of(clip.extras);
        plan.rate = rate_of(clip, plan.extras, build_.options.frames_per_second);
        if (!suits(clip, plan.rate)) off_grid_.add(label(build_.scene.clips, clip, "clip"));
        const double frames = std::round(duration_of(clip) * plan.rate) + 1;
        plan.frames = static_cast<std::uint32_t>(std::min(frames, 1e9));
        plan.backwards = ran_backwards(plan.extras);
        return plan;
    }

    /// Names that clips keep are theirs, whatever comes before them. In animation.cfg case does not tell them apart.
    void name_clips() {
        const bool has_target = !build_.options.shader_folder.empty();
        UniqueNames names(has_target ? UniqueNames::Case::is_ignored : UniqueNames::Case::counts, ".");
        std::set<Json> keepers;  // copies have the record of the first
        for (ClipPlan& plan : build_.clips) {
            const std::string raw = text_at(plan.extras, "name").value_or("");
            const bool is_own = has_own_name(*plan.clip, plan.extras, raw);
            plan.keeps_name = is_own && keepers.insert(plan.extras).second;
            plan.name = is_own && (plan.keeps_name || !raw.empty()) ? raw : plan.clip->name;
            if (plan.keeps_name) names.take(raw);  // which the file may have twice
        }
        for (ClipPlan& plan : build_.clips) {
            if (!plan.keeps_name) plan.name = names.add(plan.name);
        }
    }

    /// Whether nobody has renamed the clip: it is called as the reader showed it, or as programs number copies where no
    /// other clip has the name itself.
    bool has_own_name(const Clip& clip, const Json& extras, const std::string& raw) {
        if (member(extras, "kind") == nullptr) return false;
        const auto shown = text_at(extras, "shown");
        const auto is_name = [&](std::string_view name) {
            return shown ? name == *shown : means(raw, name, build_.encodings);
        };
        if (is_name(clip.name)) return true;
        const std::string_view original = without_copy_number(clip.name);
        return original != clip.name && is_name(original) && !clip_names_.contains(original);
    }

    /// Every clip that the file gave is there as it was, and no other.
    [[nodiscard]] bool are_kept() const {
        const auto& clips = build_.scene.clips;
        if (!build_.records || !build_.nodes.bones_kept || clips.size() != build_.records->clip_count) return false;
        std::set<Json> records;  // a copy is no less untouched
        return std::all_of(clips.begin(), clips.end(), [&](const Clip& clip) { return build_.untouched(clip); }) &&
               std::all_of(build_.clips.begin(), build_.clips.end(), [&](const ClipPlan& plan) {
                   const bool same_rate = number_at(plan.extras, "frames_per_second") == plan.rate;
                   return same_rate && member(plan.extras, "kind") != nullptr && records.insert(plan.extras).second;
               });
    }

    Result<void> lay_out() {
        std::uint64_t first = 0;
        for (ClipPlan& plan : build_.clips) {
            plan.first = static_cast<std::uint32_t>(std::min<std::uint64_t>(first, max_frames));
            first += plan.frames;
        }
        if (build_.keys_kept || (first <= max_frames && build_.clips.size() <= max_frames)) return {};
        return fail(too_many("clips", std::max<std::uint64_t>(first, build_.clips.size()), max_frames,
                             "The clips have more frames than one key stream can hold. Leave clips out, or set a lower "
                             "frame rate (--fps)."));
    }

    void report() {
        build_.note_any(without_nodes_, codes::clip_empty, "clips",
                        "These clips move no nodes, and are left out: the format animates nothing else.");
        if (build_.keys_kept) return;
        build_.note_any(
            off_grid_, codes::x42_keys_between_frames, "clips",
            "Keys of these clips stand between frames; the key stream has what the clips show at the whole frames "
            "on both sides. A rate at which keys stand at whole frames (--fps) keeps them.");
    }

    FileBuild& build_;
    std::unordered_set<std::string_view> clip_names_;
    NameList without_nodes_, off_grid_;
};

/// The frames of a loop among those of the clip, counted as they play; nothing: it plays once.
struct Loop {
    std::uint32_t first, last;
};

/// That of the record, at the same share of the clip, whose length or rate may be another one by now.
std::optional<Loop> loop_of(const ClipPlan& plan) {
    const Json& extras = plan.extras;
    const auto number = [&](const char* name, std::int64_t fallback) {
        return std::clamp<std::int64_t>(integer_at(extras, name).value_or(fallback), -1000000, 1000000);
    };
    const std::uint32_t end = plan.frames - 1;
    const std::string kind = text_at(extras, "kind").value_or("");
    if (kind != "config" && kind != "animation") return plan.closes ? std::optional(Loop{0, end}) : std::nullopt;
    std::int64_t old_end = 0, start = 0, stop = 0;
    if (kind == "config") {
        old_end = stop = std::abs(number("frame_count", plan.frames)) - 1;
        const std::int64_t frames = number("loop_frames", 0);
        if (frames <= 0) return std::nullopt;
        start = old_end + 1 - frames;
    } else {
        const std::int64_t first = number("first_frame", 0), last = number("last_frame", first);
        if (!integer_at(extras, "loop_start")) return std::nullopt;
        const std::int64_t step = last < first ? -1 : 1;
        old_end = step * (last - first);
        start = step * (number("loop_start", first) - first);
        stop = step * (number("loop_end", last) - first);
    }
    const auto moved = [&](std::int64_t frame) {
        if (old_end <= 0) return frame <= 0 ? 0u : end;
        const double share = std::clamp(static_cast<double>(frame) / static_cast<double>(old_end), 0.0, 1.0);
        return static_cast<std::uint32_t>(std::round(share * end));
    };
    const Loop loop{moved(start), old_end <= 0 ? end : moved(stop)};
    return loop.last < loop.first ? Loop{loop.first, end} : loop;
}

/// Frames at the end that repeat; 0: it plays once.
std::uint32_t loop_frames(const ClipPlan& plan) {
    const auto loop = loop_of(plan);
    return loop ? plan.frames - loop->first : 0;
}

/// A clip with the numbers that a file has for it.
Animation animation_of(const ClipPlan& plan, std::uint16_t name) {
    const std::uint32_t last = plan.frames - 1;
    const auto frame = [&](std::uint32_t number) {
        return static_cast<std::uint16_t>(plan.first + (plan.backwards ? last - number : number));
    };
    Animation animation;
    animation.name = name;
    animation.first_frame = frame(0);
    animation.last_frame = frame(last);
    if (const auto loop = loop_of(plan)) {
        animation.loop_start = frame(loop->first);
        animation.loop_end = frame(loop->last);
    }
    animation.frame_rate = whole_rate(plan.rate);
    return animation;
}

/// What the extras of a clip say, if the key stream is as it was. Lines count from the base frame; the file's
/// animations may not: `shift` is what to add to theirs.
ConfigAnimation stated_config(const ClipPlan& plan, std::int64_t shift) {
    const Json& extras = plan.extras;
    const auto number = [&](const char* name, std::int64_t fallback) {
        return std::clamp<std::int64_t>(integer_at(extras, name).value_or(fallback), -1000000, 1000000);
    };
    ConfigAnimation line;
    line.frame_rate = static_cast<float>(plan.rate);
    const std::int64_t first = number("first_frame", 0);
    if (text_at(extras, "kind") == "animation") {
        const std::int64_t last = number("last_frame", first);
        line.first_frame = static_cast<std::int32_t>(std::min(first, last) + shift);
        line.frame_count = static_cast<std::int32_t>(last < first ? last - first - 1 : last - first + 1);
    } else {
        line.first_frame = static_cast<std::int32_t>(first);
        line.frame_count = static_cast<std::int32_t>(number("frame_count", plan.frames));
        const double stated = number_at(extras, "frame_rate").value_or(plan.rate);
        line.frame_rate = static_cast<float>(is_credible_rate(stated) ? plan.rate : stated);
    }
    return line;
}

/// As a line of animation.cfg has it: in quotes where it would not be one word.
std::string config_name(const std::string& name) {
    const bool plain = !(name[0] >= '0' && name[0] <= '9') &&
                       std::all_of(name.begin(), name.end(), [](char c) { return is_alphanumeric(c) || c == '_'; });
    return plain ? name : "\"" + name + "\"";
}

void add_settings(const Json& extras, AnimationConfig& config) {
    const Json* const settings = member(extras, "settings");
    if (settings == nullptr || !settings->is_array()) return;
    for (const Json& setting : *settings) {
        const auto name = text_at(setting, "name"), value = text_at(setting, "value");
        const auto breaks = [](const std::string& text) { return text.find_first_of("\n\r\"") != std::string::npos; };
        if (name && value && !name->empty() && !breaks(*name) && !breaks(*value))
            config.settings.emplace_back(*name, *value);
    }
}

/// Those of the file, whose clips nobody has touched.
void keep_animations(FileBuild& build, NameList& rounded) {
    build.file.animations = build.records->file.animations;
    for (const ClipPlan& plan : build.clips) {
        const auto number = integer_at(plan.extras, "number");
        if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= build.file.animations.size()) continue;
        Animation& animation = build.file.animations[static_cast<std::size_t>(*number)];
        // --fps said how fast it is to be taken.
        if (text_at(plan.extras, "kind") == "animation" && is_credible_rate(animation.frame_rate)) {
            const std::uint16_t rate = whole_rate(plan.rate);
            // Lines of animation.cfg may say more exactly what the file says.
            const bool is_new = rate != animation.frame_rate || plan.rate == build.options.frames_per_second;
            if (is_new && rate != plan.rate) rounded.add(label(build.scene.clips, *plan.clip, "clip"));
            animation.frame_rate = rate;
        }
        std::uint16_t& name = animation.name;
        if (!plan.keeps_name) name = build.names.add(plan.name);
    }
}

}  // namespace

Result<void> plan_clips(FileBuild& build) { return ClipPlanner(build).run(); }

Result<void> make_animations(FileBuild& build) {
    NameList rounded;
    if (build.keys_kept) {
        keep_animations(build, rounded);
    } else {
        for (const ClipPlan& plan : build.clips) {
            build.file.animations.push_back(animation_of(plan, build.names.add(plan.name)));
            if (whole_rate(plan.rate) != plan.rate) rounded.add(label(build.scene.clips, *plan.clip, "clip"));
        }
    }
    build.note_any(
        rounded, codes::x42_frame_rate_rounded, "clips",
        "The format counts whole frames a second, 1 to 240: these clips play a little faster or slower. --fps sets "
        "another rate.");
    return {};
}

void make_config(FileBuild& build) {
    AnimationConfig& config = build.config;
    std::string text;
    LineNames names;
    const File& counted = build.records ? build.records->file : build.file;
    const std::int64_t shift = counted.header.base_frame - animation_base(counted);
    for (const ClipPlan& plan : build.clips) {
        if (config.settings.empty()) add_settings(plan.extras, config);
        ConfigAnimation line;
        if (build.keys_kept && member(plan.extras, "first_frame") != nullptr) {
            line = stated_config(plan, shift);
        } else {
            line.first_frame = static_cast<std::int32_t>(plan.first) + build.file.header.base_frame;
            line.frame_count = static_cast<std::int32_t>(plan.frames) * (plan.backwards ? -1 : 1);
            line.frame_rate = static_cast<float>(plan.rate);
        }
        line.loop_frames = static_cast<std::int32_t>(loop_frames(plan));
        line.name = names.add(plan.name);
        config.animations.push_back(std::move(line));
    }
    for (const auto& [name, value] : config.settings) text += name + (value.empty() ? "" : " " + value) + "\n";
    auto number = static_cast<std::uint32_t>(config.settings.size());  // each is a line
    for (ConfigAnimation& line : config.animations) {
        line.line = ++number;
        text += config_name(line.name) + " " + std::to_string(line.first_frame) + " " +
                std::to_string(line.frame_count) + " " + std::to_string(line.loop_frames) + " " +
                number_text(static_cast<double>(line.frame_rate)) + "\n";
    }
    const auto bytes = std::as_bytes(std::span(text));
    config.text.assign(bytes.begin(), bytes.end());
}

}  // namespace effigy::x42::bridge
