/// What the connections, parts and lights of a scene are in the XML that they come from, under whatever names they have
/// now.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/text.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

// --- whether a record says what the element says; that of another component may have its name

std::string connection_key(const Json& record) {
    std::string key;
    for (const char* name : {"tags", "group", "value", "parent"}) {
        const Json* const said = member(record, name);
        key += '\n' + (said == nullptr ? std::string() : to_text(*said));
    }
    for (const Json& range : list_at(record, "animations")) {
        key += '\n' + text_at(range, "name").value_or("");
        for (const char* frame : {"start", "end"}) key += ' ' + std::to_string(integer_at(range, frame).value_or(0));
    }
    return key;
}

std::string part_key(const Json& record) {
    std::string key;
    for (const char* name : {"reference", "wreck", "uv_animations"}) key += text_at(record, name).value_or("") + '\n';
    key += std::to_string(list_at(record, "lods").size());
    const Json* const size = member(record, "size");
    if (size == nullptr) return key;
    for (const char* name : {"center", "half_size"}) {
        for (const Json& number : list_at(*size, name)) key += ' ' + number_text(double_from_json(number).value_or(0));
    }
    return key;
}

bool fits(const Json& record, const Connection& thing) {
    return connection_key(record) == connection_key(connection_record(thing));
}
bool fits(const Json& record, const Part& thing) { return part_key(record) == part_key(part_record(thing)); }
bool fits(const Json& record, const Light& thing) {
    const Json now = light_record(thing);
    return text_at(record, "element") == text_at(now, "element") &&
           list_at(record, "attributes") == list_at(now, "attributes");
}

std::string name_in_file(const Connection& thing) { return text(thing.name); }
std::string name_in_file(const Part& thing) { return text(thing.name); }
std::string name_in_file(const Light& thing) { return shown_name(thing); }

// --- elements

/// Of all <lights> of parts and layers.
std::vector<pugi::xml_node> light_elements(const std::vector<pugi::xml_node>& parents) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node parent : parents) {
        for (const pugi::xml_node list : parent.children("lights")) {
            for (const pugi::xml_node node : list.children()) {
                if (node.type() == pugi::node_element) found.push_back(node);
            }
        }
    }
    return found;
}

/// Counts what an element is as text.
struct ElementSize : pugi::xml_writer {
    std::uint64_t bytes = 0, places = 0;
    void write(const void* data, std::size_t size) override {
        bytes += size;
        const auto* const text = static_cast<const char*>(data);
        places += static_cast<std::uint64_t>(std::count(text, text + size, '<'));
    }
};

/// Takes memory for it as when the file is opened.
Result<pugi::xml_node> copied_element(Context& context, pugi::xml_node node, XmlEdit& edit) {
    ElementSize size;
    node.print(size, "", pugi::format_raw);
    auto taken = context.take(size.bytes + 100 * size.places, 4, "copies of connections, parts and lights");
    if (!taken) return fail(std::move(taken.error()));
    return edit.copy(node);
}

/// Null: none is.
template <class Thing>
Thing* first_left(std::deque<Thing>& things, Namesakes& all) {
    const std::vector<std::size_t>& places = all.places;
    while (all.first_left < places.size() && things[places[all.first_left]].used) ++all.first_left;
    return all.first_left < places.size() ? &things[places[all.first_left]] : nullptr;
}

/// That from which what has the record was made, or null. `name`: of its node; earlier files record none, and then it
/// is the first one that is left.
template <class Thing>
Thing* original(std::deque<Thing>& things, ElementPlaces& all, const Json& record, const std::string& name) {
    const auto old_name = text_at(record, "name");
    const auto found = all.find(old_name.value_or(name));
    if (found == all.end()) return nullptr;
    const std::vector<std::size_t>& places = found->second.places;
    const auto repeat = static_cast<std::size_t>(integer_at(record, "repeat").value_or(0));
    if (old_name) return &things[places[std::min(repeat, places.size() - 1)]];
    Thing* const left = first_left(things, found->second);
    return left != nullptr ? left : &things[places.front()];
}

bool is_sought(const PlannedConnection& planned) { return planned.known && !planned.is_image; }

}  // namespace

OldConnection& OldElements::add(const Connection& connection, pugi::xml_node node) {
    OldConnection& added = connections_.emplace_back();
    added.thing = &connection;
    added.node = node;
    const auto nodes = elements(node, "parts", "part");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        OldPart& part = parts_.emplace_back();
        part.thing = &connection.parts[i];
        part.node = nodes[i];
        part.connection = &connection;
        part.number = i;
        added.parts.push_back(&part);
        add_lights(part.thing->lights, {part.node}, &part);
    }
    return added;
}

void OldElements::add_lights(const std::vector<Light>& lights, const std::vector<pugi::xml_node>& parents,
                             OldPart* part) {
    const std::vector<pugi::xml_node> nodes = light_elements(parents);
    for (std::size_t i = 0; i < nodes.size() && nodes.size() == lights.size(); ++i) {
        lights_at_home_[{part, shown_name(lights[i])}].places.push_back(lights_.size());
        OldLight& added = lights_.emplace_back(OldLight{{&lights[i], nodes[i]}, part, i});
        if (part != nullptr) part->lights.push_back(&added);
    }
}

void OldElements::read(const Component& component, pugi::xml_node element) {
    *this = {};
    add_lights(component.lights, elements(element, "layers", "layer"), nullptr);
    const auto nodes = elements(element, "connections", "connection");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Connection& connection = component.connections[i];
        connection_places_[text(connection.name)].places.push_back(i);
        for (std::size_t j = 0; j < connection.parts.size(); ++j) {
            part_places_[text(connection.parts[j].name)].places.push_back(parts_.size() + j);
            known_parts_.emplace(lower(text(connection.parts[j].name)));
        }
        add(connection, nodes[i]);
    }
    for (std::size_t i = 0; i < lights_.size(); ++i) {
        light_places_[shown_name(*lights_[i].thing)].places.push_back(i);
    }
}

/// What has its old name comes before what was renamed, and that before copies.
Result<void> OldElements::find(Context& context, Plan& plan, XmlEdit& edit) {
    const std::vector<Node>& nodes = context.scene.nodes;
    for (const bool is_named : {true, false}) {
        for (PlannedConnection& one : plan.connections) {
            if (!is_sought(one) || one.old != nullptr) continue;
            const std::string& name = nodes[one.node].name;
            auto found = take(context, original(connections_, connection_places_, one.record, name), one.record,
                              is_named ? &name : nullptr, edit);
            if (!found) return fail(std::move(found.error()));
            one.old = *found;
        }
    }
    for (const bool is_named : {true, false}) {
        for (PlannedConnection& connection : plan.connections) {
            for (PlannedPart& one : connection.parts) {
                if (!one.known || one.old != nullptr) continue;
                const std::string& name = nodes[one.node].name;
                auto found = take(context, part_in(connection.old, original(parts_, part_places_, one.record, name)),
                                  one.record, is_named ? &name : nullptr, edit);
                if (!found) return fail(std::move(found.error()));
                one.old = *found;
            }
        }
    }
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) part.is_new = part.old == nullptr || part.old->is_copy;
    }
    plan.old_parts = known_parts_;
    // Several lights may have one name. Those that are where they were come before others and copies.
    for (const LightRule rule : {LightRule::named_at_home, LightRule::at_home, LightRule::any}) {
        if (auto found = find_lights(context, plan, rule, edit); !found) return found;
    }
    return {};
}

Result<void> OldElements::find_lights(Context& context, Plan& plan, LightRule rule, XmlEdit& edit) {
    for (PlannedLight& light : plan.lights) {
        if (auto found = find_light(context, light, nullptr, rule, edit); !found) return found;
    }
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) {
            const LightHome home = part.old != nullptr ? LightHome(part.old) : std::nullopt;
            for (PlannedLight& light : part.lights) {
                if (auto found = find_light(context, light, home, rule, edit); !found) return found;
            }
        }
    }
    return {};
}

Result<void> OldElements::find_light(Context& context, PlannedLight& planned, LightHome home, LightRule rule,
                                     XmlEdit& edit) {
    if (!planned.known || planned.old != nullptr) return {};
    const std::string& name = context.scene.nodes[planned.node].name;
    OldLight* const original = original_light(planned.record, name, home);
    const bool is_free_at_home = original != nullptr && home && original->part == *home && !original->used;
    if (rule != LightRule::any && !is_free_at_home) return {};
    auto found = take(context, original, planned.record, rule == LightRule::named_at_home ? &name : nullptr, edit);
    if (!found) return fail(std::move(found.error()));
    planned.old = *found;
    return {};
}

/// Earlier files do not say which one of a name is meant: it is where the light hangs, or none.
OldLight* OldElements::original_light(const Json& record, const std::string& name, LightHome home) {
    if (text_at(record, "name"))
        return light_in(home.value_or(nullptr), original(lights_, light_places_, record, name));
    if (!home) return nullptr;
    const auto found = lights_at_home_.find({*home, name});
    return found != lights_at_home_.end() ? first_left(lights_, found->second) : nullptr;
}

/// A copied part has copies of its lights.
OldLight* OldElements::light_in(const OldPart* part, OldLight* light) {
    if (part == nullptr || light == nullptr || light->number >= part->lights.size()) return light;
    OldLight* const own = part->lights[light->number];
    return own->thing == light->thing && !own->used ? own : light;
}

/// A copied connection has copies of its parts.
OldPart* OldElements::part_in(const OldConnection* connection, OldPart* part) {
    if (connection == nullptr || part == nullptr || part->number >= connection->parts.size()) return part;
    OldPart* const own = connection->parts[part->number];
    return own->thing == part->thing && !own->used ? own : part;
}

/// With a name only what is free and has it; else what fits the record, or a copy of it. Null: there is none.
template <class Thing>
Result<Thing*> OldElements::take(Context& context, Thing* found, const Json& record, const std::string* name,
                                 XmlEdit& edit) {
    const bool can_be = found != nullptr && (name != nullptr ? !found->used && name_in_file(*found->thing) == *name
                                                             : fits(record, *found->thing));
    if (!can_be) return nullptr;
    if (found->used) return copy(context, *found, edit);
    found->used = true;
    return found;
}

Result<OldConnection*> OldElements::copy(Context& context, const OldConnection& from, XmlEdit& edit) {
    const auto node = copied_element(context, from.node, edit);
    if (!node) return fail(node.error());
    OldConnection& made = add(*from.thing, *node);
    made.used = made.is_copy = true;
    for (OldPart* const part : made.parts) part->is_copy = true;
    return &made;
}

Result<OldPart*> OldElements::copy(Context& context, const OldPart& from, XmlEdit& edit) {
    const auto node = copied_element(context, from.node, edit);
    if (!node) return fail(node.error());
    OldPart& made = parts_.emplace_back(from);
    made.node = *node;
    made.used = made.is_copy = true;
    made.lights.clear();
    add_lights(made.thing->lights, {made.node}, &made);
    return &made;
}

Result<OldLight*> OldElements::copy(Context& context, const OldLight& from, XmlEdit& edit) {
    const auto node = copied_element(context, from.node, edit);
    if (!node) return fail(node.error());
    OldLight& made = lights_.emplace_back(from);
    made.node = *node;
    made.used = made.is_copy = true;
    return &made;
}

void OldElements::remove_left(XmlEdit& edit) const {
    for (const OldLight& light : lights_) {
        if (!light.used) edit.remove(light.node);
    }
    for (const OldPart& part : parts_) {
        if (!part.used) edit.remove(part.node);
    }
    for (const OldConnection& connection : connections_) {
        if (!connection.used) edit.remove(connection.node);
    }
}

}  // namespace effigy::egosoft::bridge
