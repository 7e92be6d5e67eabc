/// The XML of a component: the one that it comes from, changed where the scene says something else, or a new one.

#include "egosoft/from_scene/xml.hpp"

#include <algorithm>
#include <array>

#include "effigy/egosoft_codes.hpp"

#include "core/lists.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft::bridge {
namespace {

// --- the component

void write_head(XmlEdit& edit, pugi::xml_node component, const ComponentNames& names) {
    edit.set_name(component, names.name);
    if (!names.class_name.empty()) edit.set(component, "class", names.class_name);
    if (!names.geometry.empty()) edit.set(edit.child(component, "source"), "geometry", names.geometry);
}

/// A new component has a layer even with no lights in it.
void write_layers(Context& context, ComponentDocument& document, const std::vector<PlannedLight>& lights) {
    if (document.old() != nullptr && lights.empty()) return;
    XmlEdit& edit = document.edit;
    const auto layers = elements(document.component(), "layers", "layer");
    const pugi::xml_node layer =
        layers.empty() ? edit.child(edit.child(document.component(), "layers"), "layer") : layers.front();
    write_lights(edit, context, lights, layer);
}

// --- connections that the game looks for

/// "con_engine_" of "con_engine_02".
std::string without_number(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789");
    return lower(name.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

/// What connections of parts are called says nothing of them. A copy, "con_cockpit.001", is what it was copied from.
/// Equipment may be there more than once: the second engine is one, too.
bool is_called(const Scene& scene, const PlannedConnection& planned, const ExpectedConnection& expected) {
    if (!planned.parts.empty()) return false;
    const std::string original = new_name(without_copy_number(scene.nodes[planned.node].name), "");
    constexpr std::array<std::string_view, 4> equipment{"engine", "shield", "weapon", "turret"};
    const bool is_numbered = std::find(equipment.begin(), equipment.end(), expected.role) != equipment.end();
    const auto is_it = [&](const std::string& name) {
        return is_numbered ? without_number(name) == without_number(expected.name)
                           : lower(name) == lower(expected.name);
    };
    return is_it(planned.name) || is_it(original);
}

bool has_connection(const Scene& scene, const Plan& plan, const ExpectedConnection& expected) {
    return std::any_of(plan.connections.begin(), plan.connections.end(), [&](const PlannedConnection& planned) {
        return is_called(scene, planned, expected) || has_tag(planned.tags, expected.role);
    });
}

/// Adds those that the scene does not have, and returns the places among them ("con_...") that are a mod's.
NameList write_expected(const Context& context, XmlEdit& edit, pugi::xml_node list,
                        const std::vector<ExpectedConnection>& all, const Plan& plan) {
    NameList made;
    UniqueNames names(UniqueNames::Case::is_ignored);
    for (const PlannedConnection& planned : plan.connections) names.take(planned.name);
    for (const ExpectedConnection& expected : all) {
        if (has_connection(context.scene, plan, expected)) continue;
        const pugi::xml_node node = edit.add(list, "connection");
        const std::string name = names.add(std::string(expected.name));
        edit.set(node, "name", name);
        edit.set(node, "tags", expected.tags);
        if (!expected.value.empty()) edit.set(node, "value", expected.value);
        if (expected.at != Vec3{}) {
            const Box room = room_of(plan);
            edit.set_position(node, wide(room.center) + wide(expected.at) * wide(room.half_size));
        }
        if (context.options.for_mod && expected.name.starts_with("con_")) made.add(name);
    }
    return made;
}

/// What a connection without tags is by its name.
const ExpectedConnection* expected_of(const Scene& scene, const PlannedConnection& planned,
                                      const std::vector<ExpectedConnection>& all) {
    return first_where(all, [&](const ExpectedConnection& expected) { return is_called(scene, planned, expected); });
}

// --- connections

/// What a known connection no longer says goes.
void write_word(XmlEdit& edit, pugi::xml_node node, const char* attribute, const std::string& value, bool is_known) {
    if (!value.empty()) return edit.set(node, attribute, value);
    if (is_known && *node.attribute(attribute).value() != 0) edit.remove_attribute(node, attribute);
}

/// False if the connection says nothing of what it is.
bool write_tags(const Scene& scene, XmlEdit& edit, pugi::xml_node node, const Connection* old,
                const PlannedConnection& planned, const std::vector<ExpectedConnection>& all_expected) {
    const std::string was = old != nullptr ? joined(old->tags, " ", text) : std::string();
    std::string tags = planned.tags;
    if (const ExpectedConnection* expected = tags.empty() ? expected_of(scene, planned, all_expected) : nullptr) {
        tags = expected->tags;
        if (!expected->value.empty()) edit.set(node, "value", expected->value);
    }
    if (tags != was) edit.set(node, "tags", tags);
    write_word(edit, node, "group", planned.group, old != nullptr);
    const auto value = property_or_number_of(scene.nodes[planned.node], "value");
    write_word(edit, node, "value", value.value_or(text_at(planned.record, "value").value_or("")), old != nullptr);
    return old != nullptr || !tags.empty() || !planned.parts.empty();
}

/// Names that are no parts stand for the component itself, as an absent one does; its own follows it.
void write_parent(ComponentDocument& document, pugi::xml_node node, const Connection* old, const std::string& parent) {
    const std::string was = old != nullptr ? lower(text(old->parent)) : std::string();
    const bool was_part = document.has_part(was);
    const std::string name = document.component().attribute("name").value();
    const bool was_component = old != nullptr && !was_part && was == lower(text(document.old()->name));
    if (was_component && parent.empty() && lower(name) != was) return document.edit.set(node, "parent", name);
    if (lower(parent) == (was_part ? was : std::string())) return;
    if (!parent.empty()) return document.edit.set(node, "parent", parent);
    document.edit.remove_attribute(node, "parent");
}

Result<void> write_connections(Context& context, ComponentDocument& document, const Plan& plan,
                               const std::string& class_name, const MadeAnimations& animations) {
    XmlEdit& edit = document.edit;
    const pugi::xml_node list = edit.child(document.component(), "connections");
    std::vector<ExpectedConnection> expected;
    const bool is_new = document.old() == nullptr && text_at(plan.record, "kind") != "component";
    if (is_new) {
        const bool is_x4_mod = context.options.for_mod && context.options.target != Target::x_rebirth;
        expected = expected_connections(class_name, is_x4_mod);
    }
    const NameList made = write_expected(context, edit, list, expected, plan);
    const auto states = ranged_states(context, plan, animations, document.old());
    if (!states) return fail(states.error());
    NameList absent, untagged;
    for (const PlannedConnection& planned : plan.connections) {
        const Connection* const old = planned.old != nullptr ? planned.old->thing : nullptr;
        const pugi::xml_node node = planned.old != nullptr ? planned.old->node : edit.add(list, "connection");
        edit.set_name(node, planned.name);
        if (!write_tags(context.scene, edit, node, old, planned, expected) && is_new) untagged.add(planned.name);
        write_parent(document, node, old, planned.parent);
        edit.set_offset(node, old != nullptr ? &old->offset : nullptr, planned.offset);
        write_ranges(edit, node, old, planned, *states);
        for (const PlannedPart& part : planned.parts) write_part(context, document, node, part, absent);
    }
    document.remove_left();
    context.note_any(absent, codes::component_mesh_absent, "parts",
                     "The XML goes on naming meshes that were not there when the scene was made; they are not written. "
                     "Their files must be beside the others.");
    context.note_any(untagged, codes::component_tags_missing, "connections");
    context.note_any(made, codes::component_places_made, "connections",
                     "The game looks for these connections in ships of this class; they were made, at the "
                     "middle, bow, stern, top or bottom of the hull. Put empties with these names, or with "
                     "custom properties \"tags\", where they belong.");
    return {};
}

/// A part that hangs on another one now is still what it was: its new connection has the tags of the one that it had.
void keep_tags(const Scene& scene, Plan& plan) {
    for (PlannedConnection& connection : plan.connections) {
        if (connection.known || connection.parts.empty() || property_of(scene.nodes[connection.node], "tags")) continue;
        const OldPart* const old = connection.parts.front().old;
        const std::string tags = old != nullptr ? joined(old->connection->tags, " ", text) : std::string();
        if (!tags.empty()) connection.tags = tags;
    }
}

}  // namespace

bool joins_others(const Context& context, const Plan& plan) {
    const auto open = context.documents.find(plan.text);
    return open != context.documents.end() && open->second->waits_for(plan);
}

Result<std::shared_ptr<ComponentDocument>> component_document(Context& context, Plan& plan) {
    const bool joins = joins_others(context, plan);
    auto document = joins ? context.documents.at(plan.text) : std::make_shared<ComponentDocument>();
    auto opened = joins ? Result<void>() : document->open(context, plan);
    if (opened) opened = document->begin(context, plan);
    if (!opened) return fail(std::move(opened.error()));
    keep_tags(context.scene, plan);
    return document;
}

Result<Bytes> component_xml(Context& context, const std::shared_ptr<ComponentDocument>& document, const Plan& plan,
                            const ComponentNames& names, const MadeAnimations& animations) {
    write_head(document->edit, document->component(), names);
    write_layers(context, *document, plan.lights);
    auto written = write_connections(context, *document, plan, names.class_name, animations);
    if (!written) return fail(std::move(written.error()));
    const auto open = context.documents.find(plan.text);
    const bool joins = open != context.documents.end() && open->second == document;
    if (!joins && document->is_done()) return document->bytes();
    context.documents.emplace(plan.text, document);
    return Bytes();
}

}  // namespace effigy::egosoft::bridge
