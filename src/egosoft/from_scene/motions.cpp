/// The clips of a scene as one ANI.

#include "egosoft/from_scene/motions.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/matrix.hpp>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/lists.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/from_scene/component.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft {
namespace bridge {
namespace {

constexpr std::size_t max_name = 63;

void set_name(std::array<char, 64>& field, std::string_view name) {
    field = {};
    const std::string_view kept = cut(name, max_name);
    std::copy(kept.begin(), kept.end(), field.begin());
}

/// The record of an animation as animation_record() wrote it.
std::optional<ani::Animation> restored(const Json& json) {
    const auto descriptor = bytes_at(json, "descriptor");
    ani::Animation animation;
    constexpr std::size_t names = 128, size = names + 4 + 8;
    if (!descriptor || descriptor->size() != size) return std::nullopt;
    std::memcpy(animation.part.data(), descriptor->data(), 64);
    std::memcpy(animation.state.data(), descriptor->data() + 64, 64);
    std::memcpy(&animation.duration, descriptor->data() + names, 4);
    std::memcpy(animation.reserved.data(), descriptor->data() + names + 4, 8);
    const auto keys = [&](std::string_view name, Bulk<ani::Key>& list) {
        if (member(json, name) == nullptr) return true;
        const auto bytes = bytes_at(json, name);
        if (!bytes || bytes->size() % sizeof(ani::Key) != 0) return false;
        list.resize(bytes->size() / sizeof(ani::Key));
        if (!bytes->empty()) std::memcpy(static_cast<void*>(list.data()), bytes->data(), bytes->size());
        return true;
    };
    const bool whole = std::all_of(ani::key_lists.begin(), ani::key_lists.end(),
                                   [&](const ani::KeyList& list) { return keys(list.name, animation.*list.keys); });
    return whole ? std::optional(std::move(animation)) : std::nullopt;
}

std::optional<std::size_t> place_of(const Json& json) {
    const auto index = integer_at(json, "index");
    return index && *index >= 0 && *index < 0x1000000 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

/// One animation on its way into the file.
struct Slot {
    static constexpr std::size_t behind = std::numeric_limits<std::size_t>::max();
    std::size_t place = behind;  ///< in the file that it comes from, or behind all that were there
    ani::Animation animation;
    bool is_new = false;  ///< its keys are not a file's
};

/// How a clip moves one part.
struct PartTracks {
    Index node = no_index;
    const Track* translation = nullptr;
    const Track* rotation = nullptr;
    const Track* scale = nullptr;
};

/// How a clip moves one part in a state.
struct PartMotion {
    const Clip* clip = nullptr;
    std::string state, part;
    PartTracks tracks;
};

/// The same where nobody has touched it and its keys are a range of another state.
struct CutMotion {
    PartMotion motion;
    std::string source;  ///< that state
};

/// What clips become.
struct MadeMotions {
    std::vector<Slot> slots{};
    std::vector<CutMotion> cuts{};
};

/// What keys of a known part are relative to; without its component all is as that had it.
struct PartRest {
    std::optional<Transform> old, now;
    std::optional<std::string> name;  ///< that it had in its file
};

/// What the keys of all clips are made of.
struct MotionSource {
    Context& context;
    const std::vector<std::string>& part_of;     ///< of each node
    std::unordered_map<Index, PartRest>& rests;  ///< those that were asked for
    bool with_records = true;                    ///< what nobody has touched is taken from there
    const Plan* component = nullptr;
    std::span<const glm::dmat4> worlds{};  ///< of nodes at rest; none where frames of parts are not known
    std::span<const MovingClips> clips{};  ///< likewise
    bool without_damaged = false;          ///< what is damaged by itself is not taken from records
};

/// What could not be said.
struct MotionFindings {
    KeyLosses losses;
    NameList morphs, without_part, long_names, repeated, sheared;
};

/// What the file had that no clip is made of.
struct OldMotions {
    ani::File file;  ///< header, gap and trailing bytes
    std::vector<Slot> slots;
    std::size_t count = 0;    ///< of animations in it
    bool has_offset = false;  ///< where its keys started is known
};

bool is_damaged(const ani::Animation& animation) {
    ani::File alone;
    alone.animations.push_back(animation);
    alone.header.key_offset = 16 + 160;
    return ani::check(alone).has_errors();
}

/// What of a record can be written as it was.
std::optional<ani::Animation> usable(const MotionSource& from, const Json& json) {
    auto animation = restored(json);
    return animation && from.without_damaged && is_damaged(*animation) ? std::nullopt : std::move(animation);
}

OldMotions old_motions(const MotionSource& from) {
    OldMotions old;
    const Json* const file = old_animation_file(from.context, from.component);
    if (file == nullptr) return old;
    const Json& record = *file;
    if (const Json* header = member(record, "header"); header != nullptr) {
        const auto word = [&](std::string_view name, std::uint32_t usual) {
            const auto number = integer_at(*header, name);
            return number && *number >= 0 && *number <= UINT32_MAX ? static_cast<std::uint32_t>(*number) : usual;
        };
        old.has_offset = integer_at(*header, "key_offset").has_value();
        old.file.header = {
            .key_offset = word("key_offset", 0), .version = word("version", 1), .reserved = word("reserved", 0)};
    }
    old.file.gap = bytes_at(record, "gap").value_or(Bytes());
    old.file.trailing = bytes_at(record, "trailing").value_or(Bytes());
    old.count = static_cast<std::size_t>(std::max<std::int64_t>(integer_at(record, "count").value_or(0), 0));
    const Json* const others = member(record, "animations");
    if (others == nullptr || !others->is_array()) return old;
    for (const Json& other : *others) {
        auto animation = usable(from, other);
        const auto place = place_of(other);
        if (animation && place) old.slots.push_back({*place, std::move(*animation)});
    }
    return old;
}

// --- clips

/// By the names of the parts that move.
std::map<std::string, PartTracks> tracks_of(const MotionSource& from, const Clip& clip, MotionFindings& found) {
    const Scene& scene = from.context.scene;
    std::map<std::string, PartTracks> parts;
    std::set<Index> others;
    for (const Track& track : clip.tracks) {
        if (track.path == TrackPath::weights) {
            found.morphs.add(clip.name);
            continue;
        }
        const std::string part = track.node < from.part_of.size() ? from.part_of[track.node] : std::string();
        if (part.empty()) {
            const bool is_other = from.component != nullptr && track.node < from.component->is_other.size() &&
                                  from.component->is_other[track.node];
            if (track.node < scene.nodes.size() && !is_other && others.insert(track.node).second)
                found.without_part.add(scene.nodes[track.node].name);
            continue;
        }
        PartTracks& tracks = parts[part];
        if (tracks.node == no_index) tracks.node = track.node;
        if (tracks.node != track.node) continue;  // several nodes of one part move alike
        (track.path == TrackPath::translation ? tracks.translation
         : track.path == TrackPath::rotation  ? tracks.rotation
                                              : tracks.scale) = &track;
    }
    return parts;
}

/// From the space that a node's tracks speak of into the frame without scale that its part has at rest; nothing where
/// these are a rotation apart, as usual.
std::optional<glm::dmat3> axes_of(const MotionSource& from, Index index, const Transform& rest) {
    if (index >= from.worlds.size()) return std::nullopt;
    const Scene& scene = from.context.scene;
    const Node& node = scene.nodes[index];
    if (node.matrix || (node.parent == no_index && scene.facing != 0)) return std::nullopt;
    const glm::dmat4 above = node.parent == no_index ? glm::dmat4(1) : from.worlds[node.parent];
    const glm::dmat3 axes = glm::transpose(glm::dmat3(frame_of(above * matrix_of(rest)))) * glm::dmat3(above);
    const glm::dmat3 usual = glm::transpose(glm::mat3_cast(moving_part(rest).rotation));
    constexpr double rounding = 1e-5;
    return largest(axes - usual) > rounding ? std::optional(axes) : std::nullopt;
}

bool is_uneven(const glm::dmat3& axes) {
    const glm::dmat3 squares = glm::transpose(axes) * axes;
    const double mean = (squares[0][0] + squares[1][1] + squares[2][2]) / 3;
    constexpr double tolerance = 1e-3;
    return largest(squares - glm::dmat3(mean)) > tolerance * mean;
}

/// A track as seen from the part's frame at rest.
Track seen_from_rest(const Track& track, const glm::dmat3& axes, const Transform& rest) {
    Track result = track;
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const glm::dmat3 upright = glm::determinant(axes) < 0 ? -axes : axes;
    const glm::dquat rotation = glm::normalize(glm::quat_cast(glm::dmat3(frame_of(glm::dmat4(upright)))));
    const glm::dquat back = glm::conjugate(moving_part(rest).rotation) * glm::conjugate(rotation);
    const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    for (std::size_t i = 0; i + width <= result.values.size(); i += width) {
        float* const v = result.values.data() + i;
        if (track.path == TrackPath::rotation) {
            const Quat seen = narrow(rotation * glm::dquat(v[3], v[0], v[1], v[2]) * back);
            v[0] = seen.x, v[1] = seen.y, v[2] = seen.z, v[3] = seen.w;
        } else if (track.path == TrackPath::translation) {
            const bool is_place = !cubic || i / 3 % 3 == 1;
            const glm::dvec3 origin = is_place ? wide(rest.translation) : glm::dvec3(0);
            const Vec3 seen = narrow(axes * (glm::dvec3(v[0], v[1], v[2]) - origin));
            v[0] = seen.x, v[1] = seen.y, v[2] = seen.z;
        }
    }
    return result;
}

/// Nodes and what holds them may have long records.
const PartRest& rest_of(const MotionSource& from, Index node) {
    const auto [place, is_new] = from.rests.try_emplace(node);
    PartRest& rest = place->second;
    if (!is_new) return rest;
    const Scene& scene = from.context.scene;
    const Json record = record_of(scene.nodes[node].extras);
    rest.old = old_rest(scene, node, record);
    if (text_at(record, "kind") == "part") rest.name = text_at(record, "name");
    rest.now = node < from.clips.size() ? known_rest(scene, node, record, from.clips[node]) : rest.old;
    return rest;
}

/// Whether what a part goes through was read with a frame that has been turned since, or is below a scale now.
bool has_another_frame(const MotionSource& from, const PartTracks& tracks) {
    const PartRest& rest = rest_of(from, tracks.node);
    if (!rest.old || !rest.now) return false;
    if (axes_of(from, tracks.node, *rest.now)) return true;
    if (tracks.translation == nullptr || tracks.node >= from.clips.size() || from.clips[tracks.node].rotation != 0)
        return false;
    return !same_rotation(wide(rest.old->rotation), wide(rest.now->rotation));
}

/// Parts that go through what a clip's record says, by the names that they had in their file, in lower case. Copies
/// have the records of what they were copied from: what has the name still comes first.
std::map<std::string, std::string> unchanged_parts(const MotionSource& from,
                                                   const std::map<std::string, PartTracks>& parts) {
    std::map<std::string, std::string> names;
    for (const auto& [name, tracks] : parts) {
        if (has_another_frame(from, tracks)) continue;
        const std::string old = lower(rest_of(from, tracks.node).name.value_or(name));
        const auto [place, is_first] = names.try_emplace(old, name);
        if (!is_first && lower(name) == old) place->second = name;
    }
    return names;
}

void rename_part(Slot& slot, const std::string& name, MotionFindings& found) {
    if (name.size() > max_name) found.long_names.add(name + " / " + text(ani::state_of(slot.animation)));
    set_name(slot.animation.part, name);
}

/// What nobody has touched, as it was but for the names of parts; the parts that need no more. `parts`: as
/// unchanged_parts() has them.
std::set<std::string> keep(const MotionSource& from, const Json& record,
                           const std::map<std::string, std::string>& parts, std::vector<Slot>& slots,
                           MotionFindings& found) {
    std::set<std::string> kept;
    for (const Json& one : list_at(record, "parts")) {
        const std::string part = part_in(one);
        const auto name = parts.find(part);
        if (name == parts.end()) continue;
        auto animation = usable(from, one);
        const auto place = place_of(one);
        if (!animation || !place || lower(text(ani::part_of(*animation))) != part) continue;
        slots.push_back({*place, std::move(*animation)});
        if (lower(name->second) != part) rename_part(slots.back(), name->second, found);
        kept.insert(lower(name->second));
    }
    return kept;
}

/// The states that keys of these parts were cut from, by the parts' names in lower case.
std::map<std::string, std::string> sources_of_ranges(const Json& record,
                                                     const std::map<std::string, std::string>& parts) {
    std::map<std::string, std::string> sources;
    for (const Json& one : list_at(record, "parts")) {
        const auto name = parts.find(part_in(one));
        const Json* const range = member(one, "range");
        if (range != nullptr && name != parts.end())
            sources.emplace(lower(name->second), text(text_at(*range, "state").value_or("")));
    }
    return sources;
}

Result<ani::Animation> new_animation(const MotionSource& from, const PartMotion& motion, MotionFindings& found) {
    const auto& [clip, state, part, tracks] = motion;
    ani::Animation animation;
    if (part.size() > max_name || state.size() > max_name) found.long_names.add(part + " / " + state);
    set_name(animation.part, part);
    set_name(animation.state, state);
    const Node& node = from.context.scene.nodes[tracks.node];
    const Transform old = rest_of(from, tracks.node).now.value_or(node.local);
    const auto axes = axes_of(from, tracks.node, old);
    const Transform rest = axes ? Transform{{}, {}, old.scale} : old;
    if (axes && is_uneven(*axes) && (tracks.rotation != nullptr || tracks.scale != nullptr)) found.sheared.add(part);
    const MovingPart moving = moving_part(rest);
    animation.duration = std::isfinite(clip->duration) && clip->duration > 0 ? clip->duration : 0;
    const std::array<std::pair<const Track*, Bulk<ani::Key>*>, 3> lists{{{tracks.translation, &animation.positions},
                                                                         {tracks.rotation, &animation.rotations},
                                                                         {tracks.scale, &animation.scales}}};
    for (const auto& [track, keys] : lists) {
        if (track == nullptr) continue;
        const std::optional<Track> seen = axes ? std::optional(seen_from_rest(*track, *axes, old)) : std::nullopt;
        const Track& one = seen ? *seen : *track;
        auto made = one.path == TrackPath::rotation
                        ? rotation_keys(from.context, one, clip->rules.rotation, moving, found.losses)
                        : vector_keys(from.context, one, moving, found.losses);
        if (!made) return fail(std::move(made.error()));
        *keys = std::move(*made);
        if (!keys->empty()) animation.duration = std::max(animation.duration, keys->back().time);
    }
    return animation;
}

Result<void> add_new(const MotionSource& from, const PartMotion& motion, std::vector<Slot>& slots,
                     MotionFindings& found) {
    auto made = new_animation(from, motion, found);
    if (!made) return fail(std::move(made.error()));
    slots.push_back({Slot::behind, std::move(*made), true});
    return {};
}

/// Keys that were kept, of a clip that has been given another name.
void rename_states(std::span<Slot> slots, const std::string& state, MotionFindings& found) {
    for (Slot& slot : slots) {
        if (state.size() > max_name) found.long_names.add(text(ani::part_of(slot.animation)) + " / " + state);
        set_name(slot.animation.state, state);
        slot.place = Slot::behind;
    }
}

Result<void> add_clip(const MotionSource& from, const Clip& clip, MadeMotions& made, MotionFindings& found) {
    Context& context = from.context;
    const std::map<std::string, PartTracks> parts = tracks_of(from, clip, found);
    if (parts.empty()) return {};
    if (auto taken = context.take(6 * clip.extras.json.size() + clip.extras.bulk.size(), 1, "extras"); !taken)
        return taken;
    const Json record = record_of(clip.extras);
    const std::string state = state_of(clip, record);
    std::set<std::string> kept;
    std::map<std::string, std::string> sources;
    if (from.with_records && context.untouched(clip)) {
        const std::map<std::string, std::string> unchanged = unchanged_parts(from, parts);
        const std::size_t before = made.slots.size();
        kept = keep(from, record, unchanged, made.slots, found);
        if (is_renamed(state, record)) {
            rename_states(std::span(made.slots).subspan(before), state, found);
        } else {
            sources = sources_of_ranges(record, unchanged);
        }
    }
    for (const auto& [name, tracks] : parts) {
        const std::string key = lower(name);
        if (kept.contains(key)) continue;
        PartMotion motion{&clip, state, name, tracks};
        if (const auto source = sources.find(key); source != sources.end()) {
            made.cuts.push_back({std::move(motion), source->second});
        } else if (auto added = add_new(from, motion, made.slots, found); !added) {
            return added;
        }
    }
    return {};
}

/// Ranges are cut from a part's only state. Where that is gone or has others beside it, they become states as well.
Result<void> add_cuts(const MotionSource& from, MadeMotions& made, MotionFindings& found) {
    if (made.cuts.empty()) return {};
    std::map<std::string, std::set<std::string>> states;  // by the part's name in lower case
    for (const Slot& slot : made.slots)
        states[lower(text(ani::part_of(slot.animation)))].insert(text(ani::state_of(slot.animation)));
    for (const CutMotion& cut : made.cuts) {
        if (states[lower(cut.motion.part)] == std::set{cut.source}) continue;
        if (auto added = add_new(from, cut.motion, made.slots, found); !added) return added;
    }
    return {};
}

// --- the file

/// What no clip was made from goes with its part as well, under its new name or out of the file. What is of no part of
/// the component stays.
void follow_parts(std::vector<Slot>& slots, const Plan& plan, MotionFindings& found) {
    const std::map<std::string, std::string> names = names_of_old_parts(plan);
    std::erase_if(slots, [&](Slot& slot) {
        const std::string part = part_state(slot.animation).first;
        const auto now = names.find(part);
        if (now == names.end()) return plan.old_parts.contains(part);
        if (lower(now->second) != part) rename_part(slot, now->second, found);
        return false;
    });
}

/// What no clip was made from gives way to what clips make: mostly it is states without keys.
std::vector<Slot> without_replaced(std::vector<Slot> old, const std::vector<Slot>& made) {
    std::set<PartState> added;
    for (const Slot& slot : made) {
        if (slot.place == Slot::behind) added.insert(part_state(slot.animation));
    }
    std::erase_if(old, [&](const Slot& slot) { return added.contains(part_state(slot.animation)); });
    return old;
}

/// In the places that they had, new ones behind; each part has a state once.
MadeAnimations united(OldMotions old, std::vector<Slot> made_slots, MotionFindings& found) {
    std::vector<Slot> slots = without_replaced(std::move(old.slots), made_slots);
    std::move(made_slots.begin(), made_slots.end(), std::back_inserter(slots));
    std::stable_sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.place < b.place; });
    std::set<std::string> seen;
    std::set<std::size_t> places;
    const bool all_old = std::all_of(slots.begin(), slots.end(), [&](const Slot& slot) {
        return slot.place < old.count && places.insert(slot.place).second;
    });
    const bool same = all_old && slots.size() == old.count && old.has_offset;
    MadeAnimations made;
    ani::File& file = made.file;
    if (same) file = std::move(old.file);
    for (Slot& slot : slots) {
        const std::string part(ani::part_of(slot.animation)), state(ani::state_of(slot.animation));
        if (seen.insert(lower(part) + '\0' + state).second || same) {
            file.animations.push_back(std::move(slot.animation));
            made.is_new.push_back(slot.is_new);
        } else {
            found.repeated.add(part + " / " + state);
        }
    }
    if (!same) file.header.key_offset = static_cast<std::uint32_t>(16 + 160 * std::uint64_t{file.animations.size()});
    return made;
}

void note_findings(Context& context, const MotionFindings& found) {
    const char* const path = "animations";
    context.note_any(found.morphs, codes::ani_weights_lost, path,
                     "The format moves parts only; weights of morph targets are left out.");
    context.note_any(found.without_part, codes::ani_part_missing, path,
                     "These nodes are no parts, and only parts move; their tracks are left out.");
    context.note_any(found.sheared, codes::ani_shear_lost, path);
    context.note_any(found.long_names, codes::ani_name_cut, path);
    context.note_any(found.repeated, codes::ani_state_repeated, path);
    context.note_any(found.losses.not_finite, codes::ani_number_repaired, path, "Numbers that are not finite become 0.",
                     " numbers");
    context.note_any(found.losses.left_out, codes::key_left_out, path,
                     "Keys whose times are not finite or do not rise are left out, with all behind them.", " keys");
    context.note_any(
        found.losses.rotations, codes::ani_rotation_angles, path,
        "Rotations became angles about three axes, with keys where straight lines between them would be off, by "
        "at most " +
            rounded_text(found.losses.rotation_error, 2) + " radians.",
        " tracks");
}

Result<MadeAnimations> animations(const MotionSource& from) {
    MotionFindings found;
    OldMotions old = from.with_records ? old_motions(from) : OldMotions();
    if (from.component != nullptr) follow_parts(old.slots, *from.component, found);
    MadeMotions motions;
    for (const Clip& clip : from.context.scene.clips) {
        if (auto added = add_clip(from, clip, motions, found); !added) return fail(std::move(added.error()));
    }
    if (auto added = add_cuts(from, motions, found); !added) return fail(std::move(added.error()));
    MadeAnimations made = united(std::move(old), std::move(motions.slots), found);
    note_findings(from.context, found);
    return made;
}

Result<Loaded<ani::File>> convert_motions(const Scene& scene, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    Context context = start(scene, options);
    std::vector<std::string> names;
    for (const Node& node : scene.nodes) names.push_back(node.name);
    auto made = make_animations(context, names);
    if (!made) return fail(std::move(made.error()));
    if (made->file.animations.empty() && !has_old_animations(context, nullptr))
        return fail(nothing_to_show("The scene has no animations that move nodes."));
    return Loaded<ani::File>{std::move(made->file), std::move(context.report)};
}

}  // namespace

std::string state_of(const Clip& clip, const Json& record) {
    const auto state = text_at(record, "state");
    if (!state) return clip.name.empty() ? "animation" : clip.name;
    const bool numbered = clip.name.starts_with(*state + ".") &&
                          clip.name.find_first_not_of("0123456789", state->size() + 1) == std::string::npos;
    return clip.name == *state || numbered ? *state : clip.name;
}

bool is_renamed(const std::string& state, const Json& record) {
    return state != text_at(record, "state").value_or(state);
}

std::map<std::string, std::string> names_of_old_parts(const Plan& plan) {
    std::map<std::string, std::string> names;
    // Copies have the records of what they were copied from, which comes first, and above all what has the name still.
    for (const bool is_new : {false, true}) {
        for (const PlannedConnection& connection : plan.connections) {
            for (const PlannedPart& part : connection.parts) {
                if (part.is_new != is_new) continue;
                const std::string old = lower(text(text_at(part.record, "name").value_or(part.name)));
                const auto [place, is_first] = names.try_emplace(old, part.name);
                if (!is_first && !is_new && lower(part.name) == old) place->second = part.name;
            }
        }
    }
    return names;
}

PartState part_state(const ani::Animation& animation) {
    return {lower(text(ani::part_of(animation))), lower(text(ani::state_of(animation)))};
}

std::string part_in(const Json& animation) { return lower(text(text_at(animation, "part").value_or(""))); }

const Json* old_animation_file(Context& context, const Plan* component) {
    const Json* const files = member(context.record_of_asset(), "animation_files");
    if (files == nullptr || !files->is_array()) return nullptr;
    if (component == nullptr || component->component_count == 1) return files->size() == 1 ? &files->front() : nullptr;
    return first_where(*files, [&](const Json& file) {
        return text_at(file, "component") == context.scene.nodes[component->root].name;
    });
}

std::optional<float> old_length(const Json& record) {
    const Json* const stated = member(record, "duration");
    auto length = stated != nullptr ? float_from_json(*stated) : std::nullopt;
    const Json* const parts = member(record, "parts");
    if (!length || parts == nullptr || !parts->is_array()) return length;
    for (const Json& part : *parts) {
        const auto animation = restored(part);
        if (!animation) continue;
        for (const ani::KeyList& list : ani::key_lists) {
            const Bulk<ani::Key>& keys = (*animation).*list.keys;
            if (!keys.empty()) length = std::max(*length, keys.back().time);
        }
    }
    return length;
}

bool has_old_animations(Context& context, const Plan* component) {
    const bool is_one_of_several = component != nullptr && component->component_count > 1;
    return is_one_of_several ? old_animation_file(context, component) != nullptr
                             : member(context.record_of_asset(), "animation_files") != nullptr;
}

Result<MadeAnimations> make_animations(Context& context, const std::vector<std::string>& part_of,
                                       const Plan* component) {
    if (auto checked = check_option("max_error", context.options.max_error, 0); !checked)
        return fail(std::move(checked.error()));
    const Report before = context.report;
    std::unordered_map<Index, PartRest> rests;
    MotionSource from{context, part_of, rests, true, component};
    if (component != nullptr) {
        from.worlds = component->worlds;
        from.clips = component->clips;
    }
    const auto is_settled = [](const Result<MadeAnimations>& made) {
        return !made || !ani::check(made->file).has_errors();
    };
    auto made = animations(from);
    if (is_settled(made)) return made;
    // Extras are untrusted, and those of a damaged file lead to one that is damaged again: then what is damaged is made
    // anew, and where that is not enough, everything.
    const auto& is_new = made->is_new;
    const bool has_old = std::find(is_new.begin(), is_new.end(), false) != is_new.end();
    const auto again = [&] {
        context.report = before;
        if (has_old) context.note(codes::ani_made_anew, "animations");
        return animations(from);
    };
    if (has_old) {
        from.without_damaged = true;
        made = again();
        if (is_settled(made)) return made;
    }
    from.with_records = false;
    return again();
}

}  // namespace bridge

Result<Loaded<ani::File>> animation_from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert_motions(scene, options); });
}

}  // namespace effigy::egosoft
