/// The ranges of states on the time line of a modelling program, in the XML of connections; the states themselves are
/// in the ANI file.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::int64_t frames_in(float seconds) {
    const double known = std::isfinite(seconds) ? static_cast<double>(seconds) : 0;
    return static_cast<std::int64_t>(std::ceil(std::clamp(known, 0.0, 1e6) * 30 - 1e-3));
}

/// The first and the last one of a range, if they make sense.
std::optional<std::pair<std::int64_t, std::int64_t>> frames_of(const Json& range) {
    const auto start = integer_at(range, "start"), end = integer_at(range, "end");
    if (!start || !end || *start < INT32_MIN || *start > *end || *end > INT32_MAX) return std::nullopt;
    return std::pair(*start, *end);
}

OldLengths old_lengths(const Json& record, float longest) {
    OldLengths lengths{frames_in(longest), {}};
    for (const Json& one : list_at(record, "parts")) {
        const Json* const duration = member(one, "duration");
        const Json* const range = member(one, "range");
        if (duration != nullptr) {
            lengths.of_part.emplace(part_in(one), frames_in(float_from_json(*duration).value_or(longest)));
        } else if (const auto frames = range != nullptr ? frames_of(*range) : std::nullopt) {
            lengths.of_part.emplace(part_in(one), frames->second - frames->first);
        }
    }
    return lengths;
}

/// How long the part's connection was in a state, if that is known. All parts that an edited clip moves get its length:
/// where that is what it was, none of them is said to be longer.
std::optional<std::int64_t> old_length_of(const PlannedPart& part, const std::string& state, std::int64_t length,
                                          const RangedStates& states) {
    const auto found = states.old_lengths.find(state);
    if (found == states.old_lengths.end()) return std::nullopt;
    const OldLengths& old = found->second;
    if (length == old.longest) return old.longest;
    std::optional<std::int64_t> longest;
    const auto add = [&](const std::string& name) {
        const auto one = old.of_part.find(lower(name));
        if (one != old.of_part.end()) longest = std::max(longest.value_or(0), one->second);
    };
    if (part.old != nullptr) {
        for (const Part& one : part.old->connection->parts) add(text(one.name));
    } else {
        add(text_at(part.record, "name").value_or(part.name));
    }
    return longest.value_or(old.longest);
}

/// Such a state is of no clip: it comes from the file, and the file has what ranges it wants.
bool moves_nothing(const ani::Animation& state) {
    return state.positions.empty() && state.rotations.empty() && state.scales.empty();
}

/// The ranges that a connection has so far.
struct RangeList {
    XmlEdit& edit;
    pugi::xml_node connection;
    std::unordered_set<std::string> states{};  ///< in lower case
    std::int64_t last = 0;                     ///< frame of all
    std::unordered_set<std::string> moved{};   ///< states whose ranges go on with new names
    std::unordered_set<std::string> fitted{};  ///< states whose ranges are as long as they are to be
};

/// Those that are gone, unless their clips have other names now. One that a part still has a state for stays.
void update_gone(RangeList& to, const PlannedConnection& planned, const GoneRanges& gone) {
    if (gone.all.empty()) return;
    for (const pugi::xml_node range : elements(to.connection, "animations", "animation")) {
        const std::string state = lower(range.attribute("name").value());
        bool is_gone = false, is_left = false;
        const std::string* name = nullptr;
        for (const PlannedPart& part : planned.parts) {
            const PartState place(lower(part.name), state);
            is_gone = is_gone || gone.all.contains(place);
            is_left = is_left || gone.left.contains(place);
            const auto found = gone.names.find(place);
            if (name == nullptr && found != gone.names.end()) name = &found->second;
        }
        if (!is_gone || is_left) continue;
        to.states.erase(state);
        if (name != nullptr && to.states.insert(lower(*name)).second) {
            to.edit.set(range, "name", *name);
            to.moved.insert(lower(*name));
        } else {
            to.edit.remove(range);
        }
    }
}

/// Whether a range says when a part is in a state, or is cut from its only one.
bool is_of(const PlannedPart& part, const std::string& state, const RangedStates& states) {
    if (part.old != nullptr && !part.old->thing->uv_animations.empty()) return true;
    const auto found = states.all.find(lower(part.name));
    return found != states.all.end() && (found->second.size() == 1 || found->second.contains(state));
}

/// Whether it is a part that the connection had in the file, and no copy.
bool is_at_home(const PlannedPart& part, const PlannedConnection& planned) {
    return part.old != nullptr && !part.old->is_copy && planned.old != nullptr &&
           planned.old->thing == part.old->connection;
}

/// Ranges that are of no part here, because those that they were of are elsewhere now, or were not copied with clips.
void remove_left(RangeList& to, const PlannedConnection& planned, const RangedStates& states) {
    const OldConnection& old = *planned.old;
    const auto left = std::count_if(planned.parts.begin(), planned.parts.end(),
                                    [&](const PlannedPart& part) { return is_at_home(part, planned); });
    if (states.all.empty() || (!old.is_copy && std::cmp_equal(left, old.parts.size()))) return;
    for (const pugi::xml_node range : elements(to.connection, "animations", "animation")) {
        const std::string state = lower(range.attribute("name").value());
        if (std::ranges::any_of(planned.parts, [&](const PlannedPart& part) { return is_of(part, state, states); }))
            continue;
        to.states.erase(state);
        to.edit.remove(range);
    }
}

void add_range(RangeList& to, const std::string& state, std::int64_t first, std::int64_t last) {
    const pugi::xml_node range = to.edit.add(to.edit.child(to.connection, "animations"), "animation");
    to.edit.set(range, "name", state);
    to.edit.set(range, "start", std::to_string(first));
    to.edit.set(range, "end", std::to_string(last));
    to.last = std::max(to.last, last);
}

void add_recorded(RangeList& to, const Json& record) {
    for (const Json& one : list_at(record, "animations")) {
        const auto name = text_at(one, "name");
        const auto frames = frames_of(one);
        if (name && frames && to.states.insert(lower(*name)).second)
            add_range(to, *name, frames->first, frames->second);
    }
}

/// Those of parts that hung on another connection.
void add_brought(RangeList& to, const PlannedConnection& planned, const RangedStates& states) {
    for (const PlannedPart& part : planned.parts) {
        if (part.old == nullptr || part.old->is_copy || is_at_home(part, planned)) continue;
        for (const AnimationRange& range : part.old->connection->animations) {
            const std::string state = lower(text(range.name));
            if (is_of(part, state, states) && to.states.insert(state).second)
                add_range(to, text(range.name), range.start, range.end);
        }
    }
}

/// A state that is no longer as long as it was starts where it did as long as there is room, else behind all others.
/// `old_length`: nothing where it is not known.
void fit_range(RangeList& to, const std::string& state, std::int64_t length, std::optional<std::int64_t> old_length) {
    const auto all = elements(to.connection, "animations", "animation");
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](pugi::xml_node one) { return lower(one.attribute("name").value()) == state; });
    if (found == all.end()) return;
    const std::int64_t start = found->attribute("start").as_llong(), end = found->attribute("end").as_llong();
    const std::int64_t change = length - old_length.value_or(end - start);
    // A range may count its last frame or not.
    if (change == 0 || (!old_length && std::abs(change) == 1)) return;
    const bool has_room = std::none_of(all.begin(), all.end(), [&](pugi::xml_node one) {
        const std::int64_t other = one.attribute("start").as_llong();
        return other > end && other <= end + change;
    });
    const std::int64_t first = has_room ? start : to.last + 1, last = std::max(first, first + end - start + change);
    to.edit.set(*found, "start", std::to_string(first));
    to.edit.set(*found, "end", std::to_string(last));
    to.last = std::max(to.last, last);
}

/// Of what any of its parts is in, the longest: it has one range for all of them.
std::unordered_map<std::string, std::int64_t> lengths_of(const PlannedConnection& planned, const RangedStates& states) {
    std::unordered_map<std::string, std::int64_t> lengths;
    for (const PlannedPart& part : planned.parts) {
        const auto found = states.of_part.find(lower(part.name));
        if (found == states.of_part.end()) continue;
        for (const RangedState& one : found->second) {
            std::int64_t& length = lengths[lower(text(ani::state_of(*one.animation)))];
            length = std::max(length, frames_in(one.animation->duration));
        }
    }
    return lengths;
}

/// Readers tell `Open` from `open`.
void respell(RangeList& to, const std::string& name) {
    const auto all = elements(to.connection, "animations", "animation");
    const bool is_there =
        std::any_of(all.begin(), all.end(), [&](pugi::xml_node one) { return one.attribute("name").value() == name; });
    if (is_there) return;
    const auto found = std::find_if(all.begin(), all.end(), [&](pugi::xml_node one) {
        return lower(one.attribute("name").value()) == lower(name);
    });
    if (found != all.end()) to.edit.set(*found, "name", name);
}

}  // namespace

Result<RangedStates> ranged_states(Context& context, const Plan& plan, const MadeAnimations& animations,
                                   const Component* old) {
    RangedStates states;
    std::set<PartState> kept;
    for (const Clip& clip : context.scene.clips) {
        const std::set<std::string> parts = moved_parts(clip, plan);
        if (parts.empty()) continue;
        const Json record = record_of(clip.extras);
        const std::string state = state_of(clip, record);
        const bool has_new_name = is_renamed(state, record);
        if (has_new_name) {
            const bool is_another = lower(state) != lower(text_at(record, "state").value_or(""));
            (is_another ? states.renamed : states.respelled).insert(lower(state));
        }
        if (context.untouched(clip)) {
            if (has_new_name) continue;
            for (const std::string& part : parts) kept.emplace(part, lower(state));
        } else if (const auto length = old_length(record)) {
            states.old_lengths.emplace(lower(state), old_lengths(record, *length));
        }
    }
    for (std::size_t i = 0; i < animations.file.animations.size(); ++i) {
        const ani::Animation& animation = animations.file.animations[i];
        const PartState place = part_state(animation);
        if (old != nullptr) states.all[place.first].insert(place.second);
        // What nobody has touched had its ranges or did without.
        if (old != nullptr && (kept.contains(place) || moves_nothing(animation))) continue;
        states.of_part[place.first].push_back({&animation, animations.is_new[i]});
    }
    if (old == nullptr) return states;
    auto gone = gone_ranges(context, plan, animations.file, *old);
    if (!gone) return fail(std::move(gone.error()));
    states.gone = std::move(*gone);
    return states;
}

void write_ranges(XmlEdit& edit, pugi::xml_node node, const Connection* old, const PlannedConnection& planned,
                  const RangedStates& states) {
    RangeList ranges{edit, node};
    if (old != nullptr) {
        for (const AnimationRange& range : old->animations) {
            ranges.states.insert(lower(text(range.name)));
            ranges.last = std::max<std::int64_t>(ranges.last, range.end);
        }
        update_gone(ranges, planned, states.gone);
        remove_left(ranges, planned, states);
    } else if (planned.known) {
        add_recorded(ranges, planned.record);
    }
    add_brought(ranges, planned, states);
    const std::unordered_map<std::string, std::int64_t> lengths = lengths_of(planned, states);
    for (const PlannedPart& part : planned.parts) {
        const auto found = states.of_part.find(lower(part.name));
        if (found == states.of_part.end()) continue;
        for (const auto& [state, is_new] : found->second) {
            const std::string name = text(ani::state_of(*state)), key = lower(name);
            const std::int64_t length = lengths.at(key);
            if (ranges.states.insert(key).second) {
                ranges.fitted.insert(key);
                add_range(ranges, name, ranges.last + 1, ranges.last + 1 + std::max<std::int64_t>(length, 1));
                continue;
            }
            const bool is_renamed = states.renamed.contains(key);
            if (is_renamed || states.respelled.contains(key)) respell(ranges, name);
            // The range may have been that of another clip, which had the name.
            const bool is_others = is_renamed && !ranges.moved.contains(key);
            if ((old != nullptr && !is_new && !is_others) || !ranges.fitted.insert(key).second) continue;
            fit_range(ranges, key, length, is_others ? std::nullopt : old_length_of(part, key, length, states));
        }
    }
}

}  // namespace effigy::egosoft::bridge
