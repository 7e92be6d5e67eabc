/// Clips from the states and frame ranges of an ANI file.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <unordered_set>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/to_scene/curves.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

bool has_keys(const ani::Animation& animation) noexcept {
    return !animation.positions.empty() || !animation.rotations.empty() || !animation.scales.empty();
}

std::string key_of_part(const ani::Animation& animation) { return lower(ani::part_of(animation)); }

std::string path_of(const ani::Animation& animation) {
    return text(ani::part_of(animation)) + " / " + text(ani::state_of(animation));
}

/// Whether pre and post scales say nothing that the scale does not: their keys repeat its values, or are the even scale
/// or the angles 0 (exporters write pairs of both).
bool is_redundant(const Bulk<ani::Key>& keys, const Bulk<ani::Key>& scales) {
    if (keys.empty()) return true;
    const auto bits = [](const ani::Key& key) {
        return std::bit_cast<std::array<std::uint32_t, 4>>(std::array{key.value.x, key.value.y, key.value.z, key.time});
    };
    std::set<std::array<std::uint32_t, 4>> known;
    for (const ani::Key& scale : scales) known.insert(bits(scale));
    return std::all_of(keys.begin(), keys.end(), [&](const ani::Key& key) {
        return key.value == Vec3{} || key.value == Vec3{1, 1, 1} || known.contains(bits(key));
    });
}

/// One state of all parts, or a range of frames with a name.
struct ClipDraft {
    Clip clip;
    Json parts = Json::array();
    std::vector<std::size_t> animations;  ///< of the file, whose keys are in `parts`
    std::set<std::pair<Index, TrackPath>> taken;
};

class MotionBuilder {
public:
    MotionBuilder(Build& build, const AnimationInput& input, const PartNodes& parts)
        : build_(build), file_(input.file), parts_(parts) {}

    Result<void> run(const std::vector<NamedRange>& ranges) {
        collect();
        for (const ani::Animation* animation : known_) {
            if (auto added = add_state(*animation); !added) return added;
        }
        if (auto added = add_ranges(ranges); !added) return added;
        note_findings();
        in_clips_.assign(file_.animations.size(), false);
        for (const std::size_t number : order_) finish(drafts_[number]);
        build_.animation_files.push_back(animation_file_record(file_, in_clips_));
        return {};
    }

private:
    void collect() {
        NameList unmatched, repeated;
        std::unordered_set<std::string> missing;
        for (const ani::Animation& animation : file_.animations) {
            const std::string part = key_of_part(animation);
            const std::string state(ani::state_of(animation));
            if (!parts_.contains(part)) {
                if (missing.insert(part).second) unmatched.add(text(ani::part_of(animation)));
                continue;
            }
            std::string both = part;
            both.append(1, '\0').append(state);
            if (!states_.insert(std::move(both)).second) {
                repeated.add(path_of(animation));
                continue;
            }
            known_.push_back(&animation);
            states_in_lower_case_.insert(part + '\0' + lower(state));
            by_part_[part].push_back(&animation);
        }
        build_.note_any(unmatched, codes::motion_unmatched, "animations",
                        "The file moves parts that are not there; their animations are left out.");
        build_.note_any(repeated, codes::motion_repeated, "animations",
                        "A part has a state twice; the first one counts.");
    }

    ClipDraft& draft_of(const std::string& name) {
        const auto [place, is_new] = numbers_.try_emplace(name, drafts_.size());
        if (is_new) {
            order_.push_back(drafts_.size());
            drafts_.emplace_back().clip.name = text(name);
        }
        return drafts_[place->second];
    }

    Result<void> add_state(const ani::Animation& animation) {
        if (!has_keys(animation)) {
            build_.keyless.add(path_of(animation));
            return {};
        }
        ClipDraft& draft = draft_of(std::string(ani::state_of(animation)));
        if (std::isfinite(animation.duration) && animation.duration > draft.clip.duration) {
            draft.clip.duration = animation.duration;
        }
        return add(draft, animation, Window());
    }

    Result<void> add_ranges(const std::vector<NamedRange>& ranges) {
        NameList ambiguous, backwards;
        std::set<std::pair<std::string, std::string>> done;
        for (const NamedRange& named : ranges) {
            const auto found = by_part_.find(named.part);
            if (found == by_part_.end() || !done.emplace(named.part, named.range.name).second) continue;
            const auto& states = found->second;
            if (states_in_lower_case_.contains(named.part + '\0' + lower(named.range.name))) continue;
            const std::string path = text(named.part) + " / " + text(named.range.name);
            if (named.range.end < named.range.start) {
                backwards.add(path);
            } else if (states.size() != 1) {
                ambiguous.add(path);
            } else if (has_keys(*states.front())) {
                if (auto added = add_range(named.range, *states.front()); !added) return added;
            }
        }
        build_.note_any(ambiguous, codes::animation_range, "animations",
                        "Ranges of the component are no states of their parts, which have several; what they would cut "
                        "is not known, and they are left out.");
        build_.note_any(backwards, codes::animation_range, "animations",
                        "Ranges of the component end before they start; they are left out.");
        return {};
    }

    Result<void> add_range(const AnimationRange& range, const ani::Animation& animation) {
        constexpr double rate = 30;
        const Window window{range.start / rate, range.end / rate};
        ClipDraft& draft = draft_of(range.name);
        draft.clip.duration = std::max(draft.clip.duration, static_cast<float>(window.end - window.start));
        return add(draft, animation, window, &range);
    }

    [[nodiscard]] std::size_t index_of(const ani::Animation& animation) const {
        return static_cast<std::size_t>(&animation - file_.animations.data());
    }

    Result<void> add(ClipDraft& draft, const ani::Animation& animation, const Window& window,
                     const AnimationRange* range = nullptr) {
        const std::vector<Index>& nodes = parts_.at(key_of_part(animation));
        const std::array<std::pair<const Bulk<ani::Key>*, TrackPath>, 3> lists{
            {{&animation.positions, TrackPath::translation},
             {&animation.rotations, TrackPath::rotation},
             {&animation.scales, TrackPath::scale}}};
        for (const auto& [keys, path] : lists) {
            if (auto added = add(draft, animation, *keys, path, window, nodes); !added) return added;
        }
        const std::size_t index = index_of(animation);
        draft.parts.push_back(range == nullptr ? animation_record(animation, index)
                                               : range_record(animation, index, *range));
        if (range == nullptr) draft.animations.push_back(index);
        if (!is_redundant(animation.pre_scales, animation.scales) ||
            !is_redundant(animation.post_scales, animation.scales)) {
            outer_scales_.add(path_of(animation));
        }
        return {};
    }

    Result<void> add(ClipDraft& draft, const ani::Animation& animation, const Bulk<ani::Key>& keys, TrackPath path,
                     const Window& window, const std::vector<Index>& nodes) {
        if (keys.empty()) return {};
        if (auto taken = build_.take(keys.size(), 640, "animation keys"); !taken) return taken;
        const Curve curve(keys, findings_);
        if (curve.empty()) return {};
        auto made = path == TrackPath::rotation ? rotation_track(build_, curve, window)
                                                : vector_track(build_, curve, path, window);
        if (!made) return fail(std::move(made.error()));
        note_sampling(*made, animation, path);
        if (window.end == INFINITY && curve.times().back() > animation.duration + 1e-3f) {
            build_.longer_tracks.add(path_of(animation));
        }
        build_.budget.give_back(keys.size() * 640);
        for (const Index node : nodes) {
            if (!draft.taken.emplace(node, path).second) continue;
            const std::uint64_t numbers = made->track.times.size() + made->track.values.size();
            if (auto taken = build_.take(numbers, sizeof(float), "animation"); !taken) return taken;
            draft.clip.tracks.push_back(made->track);
            draft.clip.tracks.back().node = node;
        }
        return {};
    }

    void note_sampling(const MadeTrack& made, const ani::Animation& animation, TrackPath path) {
        if (path == TrackPath::rotation) {
            ++build_.rotations;
            build_.rotation_error = std::max(build_.rotation_error, made.error);
        } else if (made.sampled && build_.options.resample <= 0) {
            build_.sampled_tracks.add(path_of(animation));
            build_.sampled_error = std::max(build_.sampled_error, made.error);
        }
    }

    void note_findings() {
        build_.note_any(findings_.bad_times, codes::key_time, "animations", "Keys without a finite time are left out.",
                        " keys");
        build_.note_any(findings_.unsorted, codes::key_order, "animations",
                        "Keys that are not in order of time are sorted.", " lists");
        build_.note_any(findings_.duplicates, codes::key_duplicate, "animations",
                        "Keys share a time: the last one holds from then on.", " keys");
        build_.note_any(findings_.not_finite, codes::not_finite_replaced, "animations",
                        "Numbers that are not finite become 0.", " numbers");
        build_.note_any(findings_.unknown_kinds, codes::key_interpolation, "animations",
                        "Keys name an interpolation that is not known; they are read as linear.", " segments");
        build_.note_any(
            findings_.handle_times, codes::handle_time, "animations",
            "Handles of bezier curves do not stand at thirds of their intervals, which bends time: sampled.",
            " segments");
        build_.note_any(outer_scales_, codes::scale_keys_lost, "animations",
                        "Scales before and after the rotation have no place in glTF; they stay in extras only.");
    }

    void finish(ClipDraft& draft) {
        Clip& clip = draft.clip;
        if (clip.tracks.empty()) return;
        for (const std::size_t index : draft.animations) in_clips_[index] = true;
        Json extras{{"state", clip.name}, {"duration", json_number(clip.duration)}};
        extras["parts"] = std::move(draft.parts);
        set_record_with_tables(clip.extras, std::move(extras));
        clip.name = build_.clip_names.add(clip.name);
        fill_duration(clip);
        build_.scene.clips.push_back(std::move(clip));
    }

    Build& build_;
    const ani::File& file_;
    const PartNodes& parts_;
    KeyFindings findings_;
    NameList outer_scales_;
    std::vector<const ani::Animation*> known_;
    std::unordered_map<std::string, std::vector<const ani::Animation*>> by_part_;
    std::unordered_set<std::string> states_, states_in_lower_case_;  ///< "part\0state"
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::size_t> order_;
    std::vector<ClipDraft> drafts_;
    std::vector<bool> in_clips_;  ///< of the file's animations
};

}  // namespace

std::unordered_set<std::string> moving_parts(const ani::File& file) {
    std::unordered_set<std::string> parts;
    for (const ani::Animation& animation : file.animations) {
        if (has_keys(animation)) parts.insert(key_of_part(animation));
    }
    return parts;
}

PartNodes nodes_from_motions(Build& build, const AnimationInput& input) {
    PartNodes nodes;
    for (const ani::Animation& animation : input.file.animations) {
        auto [place, is_new] = nodes.try_emplace(key_of_part(animation));
        if (is_new) place->second.push_back(build.add_node(text(ani::part_of(animation)), no_index));
    }
    return nodes;
}

Result<void> add_motions(Build& build, const AnimationInput& input, const PartNodes& parts,
                         const std::vector<NamedRange>& ranges) {
    build.file = text(input.source.stem);
    return MotionBuilder(build, input, parts).run(ranges);
}

}  // namespace effigy::egosoft::bridge
