/// The clips of a scene as one ANI.

#include "egosoft/from_scene/motions.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/matrix.hpp>
#include <limits>
#include <map>
#include <set>

#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/from_scene/component.hpp"
#include "egosoft/to_scene/to_scene.hpp"
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

std::string error_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
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
    const bool whole = keys("positions", animation.positions) && keys("rotations", animation.rotations) &&
                       keys("scales", animation.scales) && keys("pre_scales", animation.pre_scales) &&
                       keys("post_scales", animation.post_scales);
    return whole ? std::optional(std::move(animation)) : std::nullopt;
}

std::optional<std::size_t> place_of(const Json& json) {
    const auto index = integer_at(json, "index");
    return index && *index >= 0 && *index < 0x1000000 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

/// One animation on its way into the file.
struct Slot {
    std::size_t place = std::numeric_limits<std::size_t>::max();  ///< in the file that it comes from
    ani::Animation animation;
};

/// How a clip moves one part.
struct PartTracks {
    Index node = no_index;
    const Track* translation = nullptr;
    const Track* rotation = nullptr;
    const Track* scale = nullptr;
};

class MotionMaker {
public:
    MotionMaker(Making& making, const std::vector<std::string>& part_of, bool with_records, bool is_component)
        : making_(making),
          scene_(making.scene),
          part_of_(part_of),
          with_records_(with_records),
          worlds_(is_component ? worlds_of(making.scene) : std::vector<glm::dmat4>()) {}

    Result<ani::File> run() {
        read_file_record();
        for (const Clip& clip : scene_.clips) {
            if (auto added = add_clip(clip); !added) return fail(std::move(added.error()));
        }
        finish();
        report();
        return std::move(file_);
    }

private:
    /// What the file had that no clip is made of.
    void read_file_record() {
        if (!with_records_ || scene_.asset_extras.json.empty()) return;
        const Json asset = record_of(scene_.asset_extras);
        const Json* const files = member(asset, "animation_files");
        if (files == nullptr || !files->is_array() || files->size() != 1) return;
        const Json& record = files->front();
        if (const Json* header = member(record, "header"); header != nullptr) {
            const auto word = [&](std::string_view name, std::uint32_t usual) {
                const auto number = integer_at(*header, name);
                return number && *number >= 0 && *number <= UINT32_MAX ? static_cast<std::uint32_t>(*number) : usual;
            };
            key_offset_ = word("key_offset", 0);
            had_offset_ = integer_at(*header, "key_offset").has_value();
            file_.header.version = word("version", 1);
            file_.header.reserved = word("reserved", 0);
        }
        file_.gap = bytes_at(record, "gap").value_or(Bytes());
        file_.trailing = bytes_at(record, "trailing").value_or(Bytes());
        const Json* const others = member(record, "animations");
        if (others == nullptr || !others->is_array()) return;
        for (const Json& other : *others) {
            auto animation = restored(other);
            const auto place = place_of(other);
            if (animation && place) slots_.push_back({*place, std::move(*animation)});
        }
        old_count_ = static_cast<std::size_t>(std::max<std::int64_t>(integer_at(record, "count").value_or(0), 0));
    }

    // --- clips

    Result<void> add_clip(const Clip& clip) {
        if (auto taken = making_.take(6 * clip.extras.json.size() + clip.extras.bulk.size(), 1, "extras"); !taken)
            return taken;
        const Json record = record_of(clip.extras);
        const std::map<std::string, PartTracks> parts = tracks_of(clip);
        std::set<std::string> kept;
        if (with_records_ && making_.untouched(clip)) keep(record, parts, kept);
        const std::string state = state_of(clip, record);
        for (const auto& [name, tracks] : parts) {
            if (kept.contains(lower(name))) continue;
            if (auto added = derive(clip, state, name, tracks); !added) return added;
        }
        return {};
    }

    std::map<std::string, PartTracks> tracks_of(const Clip& clip) {
        std::map<std::string, PartTracks> parts;
        for (const Track& track : clip.tracks) {
            if (track.path == TrackPath::weights) {
                morphs_.add(clip.name);
                continue;
            }
            const std::string part = track.node < part_of_.size() ? part_of_[track.node] : std::string();
            if (part.empty()) {
                if (track.node < scene_.nodes.size()) without_part_.add(scene_.nodes[track.node].name);
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

    /// What nobody has touched, as it was. Ranges that were cut from a state are in that state.
    void keep(const Json& record, const std::map<std::string, PartTracks>& parts, std::set<std::string>& kept) {
        const Json* const list = member(record, "parts");
        if (list == nullptr || !list->is_array()) return;
        std::set<std::string> here;
        for (const auto& [name, tracks] : parts) here.insert(lower(name));
        for (const Json& one : *list) {
            const std::string part = lower(text_at(one, "part").value_or(""));
            if (!here.contains(part)) continue;  // the part has another name now
            if (member(one, "range") != nullptr) {
                kept.insert(part);
                continue;
            }
            auto animation = restored(one);
            const auto place = place_of(one);
            if (!animation || !place || lower(text(ani::part_of(*animation))) != part) continue;
            slots_.push_back({*place, std::move(*animation)});
            kept.insert(part);
        }
    }

    /// The state that the clip was made of, unless the clip has been given another name.
    static std::string state_of(const Clip& clip, const Json& record) {
        const auto state = text_at(record, "state");
        if (!state) return clip.name.empty() ? "animation" : clip.name;
        const bool numbered = clip.name.starts_with(*state + ".") &&
                              clip.name.find_first_not_of("0123456789", state->size() + 1) == std::string::npos;
        return clip.name == *state || numbered ? *state : clip.name;
    }

    /// From the space that a node's tracks speak of into the frame without scale that its part has; nothing where these
    /// are a turn apart, as usual.
    [[nodiscard]] std::optional<glm::dmat3> axes_of(Index index) const {
        if (index >= worlds_.size()) return std::nullopt;
        const Node& node = scene_.nodes[index];
        if (node.matrix || (node.parent == no_index && scene_.facing != 0)) return std::nullopt;
        const glm::dmat3 above = node.parent == no_index ? glm::dmat3(1) : glm::dmat3(worlds_[node.parent]);
        const glm::dmat3 axes = glm::transpose(glm::dmat3(frame_of(worlds_[index]))) * above;
        const glm::dmat3 usual = glm::transpose(glm::mat3_cast(moving_part({}, node.local).rotation));
        constexpr double rounding = 1e-5;
        return largest(axes - usual) > rounding ? std::optional(axes) : std::nullopt;
    }

    [[nodiscard]] static bool is_uneven(const glm::dmat3& axes) {
        const glm::dmat3 squares = glm::transpose(axes) * axes;
        const double mean = (squares[0][0] + squares[1][1] + squares[2][2]) / 3;
        constexpr double least = 1e-3;
        return largest(squares - glm::dmat3(mean)) > least * mean;
    }

    /// A track as seen from the part's frame at rest.
    [[nodiscard]] static Track turned(const Track& track, const glm::dmat3& axes, const Transform& rest) {
        Track result = track;
        const bool cubic = track.interpolation == Interpolation::cubic_spline;
        const glm::dmat3 upright = glm::determinant(axes) < 0 ? -axes : axes;
        const glm::dquat turn = glm::normalize(glm::quat_cast(glm::dmat3(frame_of(glm::dmat4(upright)))));
        const glm::dquat back = glm::conjugate(moving_part({}, rest).rotation) * glm::conjugate(turn);
        const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
        for (std::size_t i = 0; i + width <= result.values.size(); i += width) {
            float* const v = result.values.data() + i;
            if (track.path == TrackPath::rotation) {
                const glm::dquat q = turn * glm::dquat(v[3], v[0], v[1], v[2]) * back;
                const Quat seen = narrow(q);
                v[0] = seen.x, v[1] = seen.y, v[2] = seen.z, v[3] = seen.w;
            } else if (track.path == TrackPath::translation) {
                const bool is_place = !cubic || i / 3 % 3 == 1;
                const glm::dvec3 from = is_place ? wide(rest.translation) : glm::dvec3(0);
                const Vec3 seen = narrow(axes * (glm::dvec3(v[0], v[1], v[2]) - from));
                v[0] = seen.x, v[1] = seen.y, v[2] = seen.z;
            }
        }
        return result;
    }

    Result<void> derive(const Clip& clip, const std::string& state, const std::string& part, const PartTracks& tracks) {
        ani::Animation animation;
        if (part.size() > max_name || state.size() > max_name) long_names_.add(part + " / " + state);
        set_name(animation.part, part);
        set_name(animation.state, state);
        const Node& node = scene_.nodes[tracks.node];
        const auto known = known_rest(scene_, tracks.node, record_of(node.extras));
        const auto axes = known ? std::nullopt : axes_of(tracks.node);
        Transform rest = known.value_or(node.local);
        if (axes) rest = {{}, {}, rest.scale};
        if (axes && is_uneven(*axes) && (tracks.rotation != nullptr || tracks.scale != nullptr)) sheared_.add(part);
        const MovingPart moving = moving_part(part, rest);
        const auto add = [&](const Track* track, Bulk<ani::Key>& keys) -> Result<void> {
            if (track == nullptr) return {};
            const std::optional<Track> seen = axes ? std::optional(turned(*track, *axes, node.local)) : std::nullopt;
            const Track& from = seen ? *seen : *track;
            auto made = from.path == TrackPath::rotation
                            ? rotation_keys(making_, from, clip.rules.rotation, moving, losses_)
                            : vector_keys(making_, from, moving, losses_);
            if (!made) return fail(std::move(made.error()));
            keys = std::move(*made);
            return {};
        };
        if (auto added = add(tracks.translation, animation.positions); !added) return added;
        if (auto added = add(tracks.rotation, animation.rotations); !added) return added;
        if (auto added = add(tracks.scale, animation.scales); !added) return added;
        animation.duration = std::isfinite(clip.duration) && clip.duration > 0 ? clip.duration : 0;
        for (const auto* keys : {&animation.positions, &animation.rotations, &animation.scales}) {
            if (!keys->empty()) animation.duration = std::max(animation.duration, keys->back().time);
        }
        slots_.push_back({std::numeric_limits<std::size_t>::max(), std::move(animation)});
        return {};
    }

    // --- the file

    /// In the places that they had, new ones behind; each part has a state once.
    void finish() {
        std::stable_sort(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.place < b.place; });
        std::set<std::string> seen;
        std::set<std::size_t> places;
        const bool all_old = std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
            return slot.place < old_count_ && places.insert(slot.place).second;
        });
        const bool same = all_old && slots_.size() == old_count_ && had_offset_;
        for (Slot& slot : slots_) {
            std::string both(ani::part_of(slot.animation));
            both.append(1, '\0').append(ani::state_of(slot.animation));
            if (!seen.insert(std::move(both)).second && !same) {
                repeated_.add(std::string(ani::part_of(slot.animation)) + " / " +
                              std::string(ani::state_of(slot.animation)));
                continue;
            }
            file_.animations.push_back(std::move(slot.animation));
        }
        file_.header.key_offset =
            same ? key_offset_ : static_cast<std::uint32_t>(16 + 160 * std::uint64_t{file_.animations.size()});
        if (same) return;
        file_.gap.clear();
        file_.trailing.clear();
        file_.header.version = 1;
        file_.header.reserved = 0;
    }

    void note(const Code& code, const NameList& names, std::string message = {}) {
        if (!names.empty()) making_.note(code, "animations", std::move(message), names.text());
    }

    void report() {
        note(codes::ani_weights_lost, morphs_, "The format moves parts only; weights of morph targets are left out.");
        note(codes::ani_part_missing, without_part_,
             "These nodes are no parts, and only parts move; their tracks are left out.");
        note(codes::ani_shear_lost, sheared_);
        note(codes::ani_name_cut, long_names_);
        note(codes::ani_state_repeated, repeated_);
        if (losses_.not_finite != 0) {
            making_.note(codes::ani_number_repaired, "animations", "Numbers that are not finite become 0.",
                         std::to_string(losses_.not_finite) + " numbers");
        }
        if (losses_.rotations == 0) return;
        making_.note(codes::ani_rotation_angles, "animations",
                     "Rotations became angles about three axes, with keys where straight lines between them would be "
                     "off, by at most " +
                         error_text(losses_.rotation_error) + " radians.",
                     std::to_string(losses_.rotations) + " tracks");
    }

    Making& making_;
    const Scene& scene_;
    const std::vector<std::string>& part_of_;
    bool with_records_;
    std::vector<glm::dmat4> worlds_;  ///< of nodes at rest; none where frames of parts are not known
    ani::File file_;
    std::vector<Slot> slots_;
    std::uint32_t key_offset_ = 0;
    bool had_offset_ = false;
    std::size_t old_count_ = 0;
    KeyLosses losses_;
    NameList morphs_, without_part_, long_names_, repeated_, sheared_;
};

Result<Loaded<ani::File>> convert_motions(const Scene& scene, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    Making making = start(scene, options);
    auto made = make_animations(making, part_names(scene));
    if (!made) return fail(std::move(made.error()));
    const Json asset = record_of(scene.asset_extras);
    if (made->animations.empty() && member(asset, "animation_files") == nullptr)
        return fail(nothing_to_show("The scene has no animations that move nodes."));
    if (std::any_of(scene.meshes.begin(), scene.meshes.end(),
                    [](const Mesh& mesh) { return mesh.vertex_count != 0; })) {
        making.note(codes::ani_meshes_left, "meshes",
                    "An ANI file has animations only; write a component to get the meshes too.",
                    std::to_string(scene.meshes.size()));
    }
    return Loaded<ani::File>{std::move(*made), std::move(making.report)};
}

}  // namespace

std::vector<std::string> part_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const Node& node : scene.nodes) names.push_back(node.name);
    return names;
}

Result<ani::File> make_animations(Making& making, const std::vector<std::string>& part_of, bool is_component) {
    Report before = making.report;
    auto made = MotionMaker(making, part_of, true, is_component).run();
    if (!made || !ani::check(*made).has_errors()) return made;
    // Extras are untrusted: then all is made anew.
    making.report = std::move(before);
    return MotionMaker(making, part_of, false, is_component).run();
}

}  // namespace bridge

Result<Loaded<ani::File>> animation_from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert_motions(scene, options); });
}

}  // namespace effigy::egosoft
