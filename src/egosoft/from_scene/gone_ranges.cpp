/// Ranges of the XML whose clips are gone, or have other names now. Records tell of the animations that the clips which
/// are there were made of, and how many the file had.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// A range of a part that has no such state.
struct StatelessRange {
    PartState place;
    bool is_sound = true;     ///< it ends where it starts or later
    bool wants_state = true;  ///< what moves textures only stands in the XML itself
};

/// All ranges of a connection are of all its parts.
Result<std::vector<StatelessRange>> stateless_ranges(Context& context, const Component& component,
                                                     const std::set<PartState>& states) {
    std::vector<StatelessRange> ranges;
    for (const Connection& connection : component.connections) {
        for (const AnimationRange& range : connection.animations) {
            for (const Part& part : connection.parts) {
                PartState place(lower(text(part.name)), lower(text(range.name)));
                if (states.contains(place)) continue;
                constexpr std::uint64_t size = 400;
                if (auto taken = context.take(1, size, "ranges of parts"); !taken)
                    return fail(std::move(taken.error()));
                ranges.push_back({std::move(place), range.start <= range.end, part.uv_animations.empty()});
            }
        }
    }
    return ranges;
}

/// What is known of the animations that the file had.
class OldStates {
public:
    OldStates(Context& context, const Plan& plan, const Json& file)
        : context_(context), plan_(plan), lost_(std::max<std::int64_t>(integer_at(file, "count").value_or(0), 0)) {
        for (const Json& one : list_at(file, "animations")) {
            if (is_another(one)) without_clip_.insert(part_in(one));
        }
    }

    void add(const Clip& clip) {
        const std::set<std::string> moved = moved_parts(clip, plan_);
        if (moved.empty()) return;
        moved_.insert(moved.begin(), moved.end());
        const Json record = record_of(clip.extras);
        // Some programs lose the records of clips, but not the clips.
        if (member(record, "parts") == nullptr) lost_ -= static_cast<std::int64_t>(moved.size());
        const std::string state = state_of(clip, record);
        const bool has_new_name = is_renamed(state, record), is_same = !has_new_name && context_.untouched(clip);
        const std::string old_state = lower(text_at(record, "state").value_or(state));
        for (const Json& one : list_at(record, "parts")) {
            const PartState place(part_in(one), old_state);
            const bool is_range = member(one, "range") != nullptr, is_there = moved.contains(place.first);
            if (!is_range && is_another(one)) ++counts_[place.first];
            const bool is_left = is_same || (is_range && is_there && !has_new_name);
            (is_left ? left_ : is_range && !is_there ? cut_ : states_).insert(place);
            if (is_there && has_new_name) names_.emplace(place, state);
        }
    }

    [[nodiscard]] GoneRanges gone(const std::vector<StatelessRange>& ranges, std::set<PartState> with_state) const {
        GoneRanges result{{}, std::move(with_state), names_};
        result.left.insert(left_.begin(), left_.end());
        std::set<PartState> unknown;
        for (const StatelessRange& range : ranges) {
            if (left_.contains(range.place)) continue;
            // From the part's one state, as a clip that is not there, or no longer moves the part. Of parts that do not
            // move at all the keys may be damaged.
            const bool was_cut = (range.is_sound && had_one_state(range.place.first)) || cut_.contains(range.place);
            if ((was_cut && moved_.contains(range.place.first)) || states_.contains(range.place)) {
                result.all.insert(range.place);
            } else if (range.wants_state) {
                unknown.insert(range.place);
            }
        }
        // Where more have no state than are missing, some never had one.
        if (static_cast<std::int64_t>(unknown.size()) <= lost_) result.all.merge(unknown);
        return result;
    }

private:
    /// Copies of a clip have the same records.
    bool is_another(const Json& record) {
        const auto place = integer_at(record, "index");
        if (!place || !places_.insert(*place).second) return false;
        --lost_;
        return true;
    }
    [[nodiscard]] bool had_one_state(const std::string& part) const {
        const auto count = counts_.find(part);
        return count != counts_.end() && count->second == 1 && !without_clip_.contains(part);
    }

    Context& context_;
    const Plan& plan_;
    std::int64_t lost_;                       ///< animations of the file that nothing here comes from
    std::set<std::int64_t> places_;           ///< in the file, of those that something does
    std::map<std::string, int> counts_;       ///< of the states of parts that clips come from
    std::set<std::string> without_clip_;      ///< parts that have other states
    std::set<std::string> moved_;             ///< parts that clips move
    std::set<PartState> states_, cut_;        ///< that clips came from, and ranges whose clips no longer move the part
    std::set<PartState> left_;                ///< of clips that are as they were, and ranges that are still clips
    std::map<PartState, std::string> names_;  ///< of states whose clips are called otherwise now
};

}  // namespace

std::set<std::string> moved_parts(const Clip& clip, const Plan& plan) {
    std::set<std::string> parts;
    for (const Track& track : clip.tracks) {
        if (track.path == TrackPath::weights || track.node >= plan.part_of.size()) continue;
        if (const std::string& part = plan.part_of[track.node]; !part.empty()) parts.insert(lower(part));
    }
    return parts;
}

Result<GoneRanges> gone_ranges(Context& context, const Plan& plan, const ani::File& animations, const Component& old) {
    const Json* const file = old_animation_file(context, &plan);
    if (file == nullptr) return GoneRanges();
    std::set<PartState> with_state;
    for (const ani::Animation& animation : animations.animations) with_state.insert(part_state(animation));
    std::set<PartState> as_before = with_state;
    for (const auto& [name, now] : names_of_old_parts(plan)) {
        const std::string part = lower(now);
        for (auto one = with_state.lower_bound({part, {}}); one != with_state.end() && one->first == part; ++one)
            as_before.emplace(name, one->second);
    }
    const auto ranges = stateless_ranges(context, old, as_before);
    if (!ranges) return fail(ranges.error());
    if (ranges->empty()) return GoneRanges();
    OldStates states(context, plan, *file);
    for (const Clip& clip : context.scene.clips) states.add(clip);
    return states.gone(*ranges, std::move(with_state));
}

}  // namespace effigy::egosoft::bridge
