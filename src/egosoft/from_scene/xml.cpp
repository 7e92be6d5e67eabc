/// The XML of a component: the one that it comes from, changed where the scene says something else, or a new one.

#include "egosoft/from_scene/xml.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/from_scene/motions.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::string joined(const std::vector<std::string>& tags) {
    std::string result;
    for (const std::string& tag : tags) result += (result.empty() ? "" : " ") + text(tag);
    return result;
}

class ComponentXml {
public:
    ComponentXml(Context& context, const Plan& plan, const ComponentNames& names, const ani::File& animations,
                 ComponentDocument& document)
        : context_(context), plan_(plan), names_(names), document_(document), component_(document.component()) {
        for (const ani::Animation& animation : animations.animations)
            states_[text(ani::part_of(animation))].push_back(&animation);
    }

    void run() {
        write_head();
        write_connections();
        note();
    }

private:
    // --- the component

    /// What has no name does without the attribute as well.
    void write_name(pugi::xml_node node, const std::string& name) {
        if (!name.empty() || node.attribute("name")) edit_.set(node, "name", name);
    }

    void write_head() {
        write_name(component_, names_.name);
        if (!names_.class_name.empty()) edit_.set(component_, "class", names_.class_name);
        if (!names_.geometry.empty()) edit_.set(edit_.child(component_, "source"), "geometry", names_.geometry);
        std::vector<OldLight> lights;
        pugi::xml_node layer;
        for (const pugi::xml_node one : elements(component_, "layers", "layer")) {
            if (!layer) layer = one;
            for (const pugi::xml_node light : light_elements(one)) lights.push_back({nullptr, light});
        }
        if (document_.old() != nullptr) match(lights, document_.old()->lights);
        if (document_.old() == nullptr) layer = edit_.child(edit_.child(component_, "layers"), "layer");
        if (plan_.lights.empty() && lights.empty()) return;
        if (!layer) layer = edit_.child(edit_.child(component_, "layers"), "layer");
        write_lights(edit_, context_, plan_.lights, std::move(lights), layer);
    }

    static void match(std::vector<OldLight>& elements, const std::vector<Light>& lights) {
        if (elements.size() != lights.size()) elements.clear();
        for (std::size_t i = 0; i < elements.size(); ++i) elements[i].thing = &lights[i];
    }

    void write_connections() {
        const pugi::xml_node list = edit_.child(component_, "connections");
        if (document_.old() == nullptr && text_at(plan_.record, "kind") != "component") {
            const bool is_x4_mod = context_.options.for_mod && context_.options.target != Target::x_rebirth;
            expected_ = expected_connections(names_.class_name, is_x4_mod);
            write_expected(list);
        }
        for (const PlannedConnection& planned : plan_.connections) {
            OldConnection* const old =
                planned.known ? document_.take_connection(name_in_scene(planned.node), planned.record) : nullptr;
            write_connection(old != nullptr ? old->node : edit_.add(list, "connection"),
                             old != nullptr ? old->thing : nullptr, planned);
        }
        document_.remove_left();
    }

    // --- connections

    /// By which the file knows a thing that gets another one.
    [[nodiscard]] const std::string& name_in_scene(Index node) const { return context_.scene.nodes[node].name; }

    /// What the game looks for in a new component and the scene does not have.
    void write_expected(pugi::xml_node list) {
        for (const ExpectedConnection& expected : expected_) {
            if (has_connection(expected)) continue;
            const pugi::xml_node node = edit_.add(list, "connection");
            edit_.set(node, "name", expected.name);
            edit_.set(node, "tags", expected.tags);
            if (!expected.value.empty()) edit_.set(node, "value", expected.value);
            if (expected.at != Vec3{}) edit_.set_position(node, place_of(expected.at));
            if (context_.options.for_mod && expected.name.starts_with("con_")) made_.add(std::string(expected.name));
        }
    }

    [[nodiscard]] bool has_connection(const ExpectedConnection& expected) const {
        return std::any_of(plan_.connections.begin(), plan_.connections.end(), [&](const PlannedConnection& planned) {
            return lower(planned.name) == lower(expected.name) || has_tag(planned.tags, expected.role);
        });
    }

    /// What a connection without tags is by its name.
    [[nodiscard]] const ExpectedConnection* expected_of(const PlannedConnection& planned) const {
        const auto found = std::find_if(expected_.begin(), expected_.end(), [&](const ExpectedConnection& expected) {
            return planned.parts.empty() && lower(planned.name) == lower(expected.name);
        });
        return found == expected_.end() ? nullptr : &*found;
    }

    /// In the room that all parts take.
    [[nodiscard]] glm::dvec3 place_of(const Vec3& shares) const {
        const Box room = room_of(plan_);
        return wide(room.center) + wide(shares) * wide(room.half_size);
    }

    void write_connection(pugi::xml_node node, const Connection* old, const PlannedConnection& planned) {
        write_name(node, planned.name);
        write_tags(node, old, planned);
        write_parent(node, old, planned);
        edit_.set_offset(node, old != nullptr ? &old->offset : nullptr, planned.offset);
        write_animations(node, old, planned);
        for (const PlannedPart& part : planned.parts) write_part(node, part);
    }

    void write_tags(pugi::xml_node node, const Connection* old, const PlannedConnection& planned) {
        const std::string was = old != nullptr ? joined(old->tags) : std::string();
        std::string tags = planned.tags;
        if (const ExpectedConnection* expected = tags.empty() ? expected_of(planned) : nullptr) {
            tags = expected->tags;
            if (!expected->value.empty()) edit_.set(node, "value", expected->value);
        }
        if (tags != was) edit_.set(node, "tags", tags);
        if (!planned.group.empty()) edit_.set(node, "group", planned.group);
        const auto value = property_of(context_.scene.nodes[planned.node], "value");
        const std::string wanted = value.value_or(text_at(planned.record, "value").value_or(""));
        if (!wanted.empty()) edit_.set(node, "value", wanted);
    }

    /// Names that are no parts stand for the component itself, as an absent one does.
    void write_parent(pugi::xml_node node, const Connection* old, const PlannedConnection& planned) {
        const std::string was = old != nullptr ? lower(text(old->parent)) : std::string();
        const bool was_part = document_.has_part(was);
        if (lower(planned.parent) == (was_part ? was : std::string())) return;
        if (!planned.parent.empty()) return edit_.set(node, "parent", planned.parent);
        edit_.remove_attribute(node, "parent");
    }

    /// Ranges on the time line of a modelling program; the states themselves are in the ANI file.
    void write_animations(pugi::xml_node node, const Connection* old, const PlannedConnection& planned) {
        std::unordered_set<std::string> there;
        std::int64_t frame = 0;
        if (old != nullptr) {
            for (const AnimationRange& range : old->animations) {
                there.insert(lower(text(range.name)));
                frame = std::max<std::int64_t>(frame, range.end);
            }
        } else if (planned.known) {
            write_recorded_ranges(node, planned, there, frame);
        }
        for (const PlannedPart& part : planned.parts) {
            const auto found = states_.find(part.name);
            if (found == states_.end()) continue;
            for (const ani::Animation* state : found->second) {
                const std::string name = text(ani::state_of(*state));
                if (is_kept(name) || (document_.old() != nullptr && has_no_keys(*state))) continue;
                const std::int64_t length = frames_in(state->duration);
                if (!there.insert(lower(name)).second) {
                    fit_range(node, lower(name), length, frame);
                    continue;
                }
                const pugi::xml_node range = edit_.add(edit_.child(node, "animations"), "animation");
                edit_.set(range, "name", name);
                edit_.set(range, "start", std::to_string(frame + 1));
                frame += 1 + std::max<std::int64_t>(length, 1);
                edit_.set(range, "end", std::to_string(frame));
            }
        }
    }

    static std::int64_t frames_in(float seconds) {
        const double known = std::isfinite(seconds) ? static_cast<double>(seconds) : 0;
        return static_cast<std::int64_t>(std::ceil(std::clamp(known, 0.0, 1e6) * 30 - 1e-3));
    }

    /// A state that is no longer as long as it was starts where it did as long as there is room, else behind all
    /// others.
    void fit_range(pugi::xml_node connection, const std::string& state, std::int64_t length, std::int64_t& frame) {
        const auto all = elements(connection, "animations", "animation");
        const auto found = std::find_if(
            all.begin(), all.end(), [&](pugi::xml_node one) { return lower(one.attribute("name").value()) == state; });
        if (found == all.end()) return;
        const std::int64_t start = found->attribute("start").as_llong(), end = found->attribute("end").as_llong();
        const auto old = old_frames_.find(state);
        const std::int64_t change = length - (old != old_frames_.end() ? old->second : end - start);
        // A range may count its last frame or not.
        if (change == 0 || (old == old_frames_.end() && std::abs(change) == 1)) return;
        const bool has_room = std::none_of(all.begin(), all.end(), [&](pugi::xml_node one) {
            const std::int64_t other = one.attribute("start").as_llong();
            return other > end && other <= end + change;
        });
        const std::int64_t first = has_room ? start : frame + 1, last = std::max(first, first + end - start + change);
        edit_.set(*found, "start", std::to_string(first));
        edit_.set(*found, "end", std::to_string(last));
        frame = std::max(frame, last);
    }

    void write_recorded_ranges(pugi::xml_node node, const PlannedConnection& planned,
                               std::unordered_set<std::string>& there, std::int64_t& frame) {
        const Json* const list = member(planned.record, "animations");
        if (list == nullptr || !list->is_array()) return;
        for (const Json& one : *list) {
            const auto name = text_at(one, "name");
            const auto start = integer_at(one, "start"), end = integer_at(one, "end");
            const bool is_range = name && start && end && *start >= INT32_MIN && *start <= *end && *end <= INT32_MAX;
            if (!is_range || !there.insert(lower(*name)).second) continue;
            const pugi::xml_node range = edit_.add(edit_.child(node, "animations"), "animation");
            edit_.set(range, "name", *name);
            edit_.set(range, "start", std::to_string(*start));
            edit_.set(range, "end", std::to_string(*end));
            frame = std::max(frame, *end);
        }
    }

    /// Such a state is of no clip: it comes from the file, and the file has what ranges it wants.
    static bool has_no_keys(const ani::Animation& state) {
        return state.positions.empty() && state.rotations.empty() && state.scales.empty() && state.pre_scales.empty() &&
               state.post_scales.empty();
    }

    /// What nobody has touched had its ranges or did without.
    [[nodiscard]] bool is_kept(const std::string& state) {
        if (!kept_known_) {
            kept_known_ = true;
            for (const Clip& clip : context_.scene.clips) {
                if (moves_part(clip)) remember(clip);
            }
        }
        return document_.old() != nullptr && kept_states_.contains(lower(state));
    }

    [[nodiscard]] bool moves_part(const Clip& clip) const {
        return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
            return track.node < plan_.part_of.size() && !plan_.part_of[track.node].empty();
        });
    }

    void remember(const Clip& clip) {
        const Json record = record_of(clip.extras);
        const auto state = text_at(record, "state");
        if (context_.untouched(clip)) {
            kept_states_.insert(lower(clip.name));
            if (state) kept_states_.insert(lower(*state));
        } else if (const auto length = old_length(record)) {
            old_frames_.emplace(lower(state.value_or(clip.name)), frames_in(*length));
        }
    }

    // --- parts

    void write_part(pugi::xml_node connection, const PlannedPart& part) {
        OldPart* const found = part.known ? document_.take_part(name_in_scene(part.node), part.record) : nullptr;
        const Part* const old = found != nullptr ? found->thing : nullptr;
        pugi::xml_node node;
        if (found == nullptr) {
            node = edit_.add(edit_.child(connection, "parts"), "part");
        } else {
            node = found->node;
            if (node.parent().parent() != connection) {
                const pugi::xml_node parts = edit_.child(connection, "parts");
                edit_.move(node, parts);
                node = parts.last_child();
            }
        }
        write_name(node, part.name);
        write_recorded(node, old, part);
        const bool borrows = node.attribute("ref");
        if (!part.wreck.empty() && !borrows) edit_.set(node, "wreck", part.wreck);
        if (part.known) edit_.set_offset(node, old != nullptr && old->offset ? &*old->offset : nullptr, part.offset);
        if (!borrows) {
            write_levels(node, part);
            write_sizes(node, old, part);
        }
        std::vector<OldLight> lights;
        for (const pugi::xml_node light : light_elements(node)) lights.push_back({nullptr, light});
        static const std::vector<Light> none;
        match(lights, old != nullptr ? old->lights : none);  // which keeps pointers into it
        if (!part.lights.empty() || !lights.empty())
            write_lights(edit_, context_, part.lights, std::move(lights), node);
    }

    /// Of a part that was taken from another component's scene.
    void write_recorded(pugi::xml_node node, const Part* old, const PlannedPart& part) {
        if (old != nullptr || !part.known) return;
        if (const auto reference = text_at(part.record, "reference"); reference && !reference->empty())
            edit_.set(node, "ref", *reference);
        if (const auto pivot = offset_at(part.record, "pivot")) {
            std::uint64_t not_finite = 0;
            edit_.set_offset(edit_.child(node, "pivot"), nullptr, matrix_of(to_scene(*pivot, not_finite)));
        }
    }

    void write_levels(pugi::xml_node node, const PlannedPart& part) {
        std::map<std::string, const PlannedMesh*> levels;
        for (const PlannedMesh& level : part.levels) levels.emplace(std::to_string(level.number), &level);
        std::unordered_set<std::string> absent;
        if (const Json* list = member(part.record, "absent_levels"); list != nullptr && list->is_array()) {
            for (const Json& one : *list) absent.insert(to_text(one));
        }
        for (const pugi::xml_node lod : elements(node, "lods", "lod")) {
            const std::string index = lod.attribute("index").as_string("0");
            const auto found = levels.find(index);
            if (found == levels.end()) {
                if (absent.contains(index)) {
                    absent_.add(part.name + "-lod" + index);
                } else {
                    edit_.remove(lod);
                }
                continue;
            }
            if (found->second->other_materials) write_materials(lod, *found->second);
            levels.erase(found);
        }
        for (const PlannedMesh& level : part.levels) {
            // Files may have levels that their XML does not name.
            if (!levels.contains(std::to_string(level.number)) ||
                (level.kept && document_.old() != nullptr && part.known))
                continue;
            const pugi::xml_node lod = edit_.add(edit_.child(node, "lods"), "lod");
            edit_.set(lod, "index", std::to_string(level.number));
            write_materials(lod, level);
        }
    }

    void write_materials(pugi::xml_node lod, const PlannedMesh& level) {
        std::vector<pugi::xml_node> listed = elements(lod, "materials", "material");
        const bool same = listed.size() == level.materials.size() &&
                          std::equal(listed.begin(), listed.end(), level.materials.begin(),
                                     [](pugi::xml_node one, const std::string& name) {
                                         return lower(one.attribute("ref").value()) == lower(text(name));
                                     });
        if (same) return;
        edit_.remove_children(lod, "materials");
        const pugi::xml_node list = edit_.add(lod, "materials");
        int id = 0;
        for (const std::string& name : level.materials) {
            const pugi::xml_node material = edit_.add(list, "material");
            edit_.set(material, "id", std::to_string(++id));
            edit_.set(material, "ref", name);
        }
    }

    void write_sizes(pugi::xml_node node, const Part* old, const PlannedPart& part) {
        if (part.levels.empty() || !part.levels.front().box) return;
        const Box& box = *part.levels.front().box;
        if (part.levels.front().kept && old != nullptr) {
            // Only new ways that the part goes can need more room.
            if (old->size && part.swept && !holds(*old->size, *part.swept)) write_box(node.child("size"), *part.swept);
            return;
        }
        // A file may do without either.
        if (old == nullptr || old->size) write_box(edit_.child(node, "size"), part.swept.value_or(box));
        if (old == nullptr ? part.swept.has_value() : old->size_raw.has_value())
            write_box(edit_.child(node, "size_raw"), box);
    }

    static bool holds(const Box& outer, const Box& inner) {
        const auto fits = [](float center, float half, float inner_center, float inner_half) {
            return std::fabs(inner_center - center) + inner_half <= half * 1.01f + 1e-3f;
        };
        return fits(outer.center.x, outer.half_size.x, inner.center.x, inner.half_size.x) &&
               fits(outer.center.y, outer.half_size.y, inner.center.y, inner.half_size.y) &&
               fits(outer.center.z, outer.half_size.z, inner.center.z, inner.half_size.z);
    }

    void write_box(pugi::xml_node node, const Box& box) {
        const auto write = [&](const char* name, const Vec3& v) {
            const pugi::xml_node element = edit_.child(node, name);
            edit_.set(element, "x", v.x);
            edit_.set(element, "y", v.y);
            edit_.set(element, "z", v.z);
        };
        write("max", box.half_size);
        write("center", box.center);
    }

    // --- the end

    void note() {
        context_.note_any(
            absent_, codes::component_mesh_absent, "parts",
            "The XML goes on naming meshes that were not there when the scene was made; they are not written. "
            "Their files must be beside the others.");
        context_.note_any(made_, codes::component_places_made, "connections",
                          "The game looks for these connections in ships of this class; they were made, at the "
                          "middle, bow, stern, top or bottom of the hull. Put empties with these names, or with "
                          "custom properties \"tags\", where they belong.");
    }

    Context& context_;
    const Plan& plan_;
    const ComponentNames& names_;
    ComponentDocument& document_;
    XmlEdit& edit_ = document_.edit;
    const pugi::xml_node component_;
    std::unordered_set<std::string> kept_states_;
    bool kept_known_ = false;
    std::unordered_map<std::string, std::int64_t> old_frames_;  ///< of states that were edited
    std::unordered_map<std::string, std::vector<const ani::Animation*>> states_;
    std::vector<ExpectedConnection> expected_;  ///< of a new component
    NameList absent_, made_;
};

}  // namespace

bool joins_others(const Context& context, const Plan& plan) {
    const auto open = context.documents.find(plan.text);
    return open != context.documents.end() && open->second->waits_for(plan);
}

Result<Bytes> component_xml(Context& context, const Plan& plan, const ComponentNames& names,
                            const ani::File& animations) {
    const bool joins = joins_others(context, plan);
    const auto document = joins ? context.documents.at(plan.text) : std::make_shared<ComponentDocument>();
    if (!joins) {
        if (auto opened = document->open(context, plan); !opened) return fail(std::move(opened.error()));
    }
    document->begin(plan);
    ComponentXml(context, plan, names, animations, *document).run();
    if (!joins && document->is_done()) return document->bytes();
    context.documents.emplace(plan.text, document);
    return Bytes();
}

}  // namespace effigy::egosoft::bridge
