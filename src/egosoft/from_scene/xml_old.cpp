/// What the connections and parts of a scene are in the XML that they come from, under whatever names they have now.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "effigy/hashes.hpp"

#include "core/text.hpp"
#include "egosoft/from_scene/xml.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft::bridge {
namespace {

// --- what records say, which other names do not change; programs may have put members in another order

/// `hash`: of the node, which tells where the connection stood.
std::string connection_key(const Json& record, std::uint64_t hash) {
    std::string key = std::to_string(hash);
    for (const char* name : {"tags", "group", "value", "parent"}) {
        const Json* const said = member(record, name);
        key += '\n' + (said == nullptr ? std::string() : to_text(*said));
    }
    const Json* const ranges = member(record, "animations");
    if (ranges == nullptr || !ranges->is_array()) return key;
    for (const Json& range : *ranges) {
        key += '\n' + text_at(range, "name").value_or("");
        for (const char* frame : {"start", "end"}) key += ' ' + std::to_string(integer_at(range, frame).value_or(0));
    }
    return key;
}

std::string connection_key(const Connection& connection) {
    std::uint64_t not_finite = 0;
    Node node;
    node.local = to_scene(connection.offset, not_finite);
    return connection_key(connection_record(connection), hash_of(node));
}

std::string part_key(const Json& record) {
    std::string key;
    for (const char* name : {"reference", "wreck", "uv_animations"}) key += text_at(record, name).value_or("") + '\n';
    const Json* const levels = member(record, "lods");
    key += std::to_string(levels == nullptr ? 0 : levels->size());
    const Json* const size = member(record, "size");
    for (const char* name : {"center", "half_size"}) {
        const Json* const numbers = size == nullptr ? nullptr : member(*size, name);
        if (numbers == nullptr || !numbers->is_array()) continue;
        for (const Json& number : *numbers) key += ' ' + number_text(double_from_json(number).value_or(0));
    }
    return key;
}

/// Whether the record tells the part from those that are there to hold others.
bool tells_part(const Json& record) {
    return member(record, "reference") != nullptr || member(record, "size") != nullptr;
}

bool has_like_parts(const OldConnection& old, const PlannedConnection& planned) {
    if (old.parts.empty() || planned.parts.empty()) return old.parts.empty() && planned.parts.empty();
    return old.parts.front()->key == part_key(planned.parts.front().record);
}

// --- elements

/// Counts what an element is as text.
struct ElementSize : pugi::xml_writer {
    std::uint64_t bytes = 0, places = 0;
    void write(const void* data, std::size_t size) override {
        bytes += size;
        const auto* const text = static_cast<const char*>(data);
        places += static_cast<std::uint64_t>(std::count(text, text + size, '<'));
    }
};

/// What nobody has taken, if it is what the key says.
template <class Thing>
bool take(Thing* thing, const std::string& key) {
    if (thing == nullptr || thing->used || thing->key != key) return false;
    thing->used = true;
    return true;
}

/// As when the file is opened.
Result<void> take_copy(Context& context, pugi::xml_node node) {
    ElementSize size;
    node.print(size, "", pugi::format_raw);
    return context.take(size.bytes + 100 * size.places, 4, "copies of connections and parts");
}

}  // namespace

/// The first one of the name, whoever has taken it, or null.
template <class Thing>
Thing* OldElements::first(const Places& all, const std::string& name, std::deque<Thing>& things) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : &things[found->second.places.front()];
}

/// One of the name that nobody has taken: that which the record means, else the next one, or null.
template <class Thing>
Thing* OldElements::next_free(Places& all, const std::string& name, const Json& record, std::deque<Thing>& things) {
    const auto found = all.find(name);
    if (found == all.end()) return nullptr;
    auto& [places, next] = found->second;
    while (next < places.size() && things[places[next]].used) ++next;
    if (next == places.size()) return nullptr;
    const auto wanted = static_cast<std::size_t>(integer_at(record, "repeat").value_or(0));
    const bool is_free = wanted < places.size() && !things[places[wanted]].used;
    return &things[places[is_free ? wanted : next]];
}

OldConnection& OldElements::add(const Connection& connection, pugi::xml_node node) {
    OldConnection& added = connections_.emplace_back();
    added.thing = &connection;
    added.node = node;
    const auto nodes = elements(node, "parts", "part");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        OldPart& part = parts_.emplace_back();
        part.thing = &connection.parts[i];
        part.node = nodes[i];
        part.connection = &added;
        added.parts.push_back(&part);
    }
    return added;
}

void OldElements::read(const Component& component, pugi::xml_node element) {
    *this = {};
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
}

Result<void> OldElements::find(Context& context, Plan& plan, XmlEdit& edit) {
    if (find_by_name(context.scene, plan)) {
        make_keys();
        for (PlannedConnection& connection : plan.connections) {
            if (!connection.known || connection.is_image || connection.old != nullptr) continue;
            const auto found = find_renamed(context, connection, edit);
            if (!found) return fail(found.error());
            connection.old = *found;
        }
        for (PlannedConnection& connection : plan.connections) {
            for (PlannedPart& part : connection.parts) {
                if (!part.known || part.old != nullptr) continue;
                const auto found = find_renamed(context, part, connection.old, edit);
                if (!found) return fail(found.error());
                part.old = *found;
            }
        }
    }
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) part.is_new = part.old == nullptr || part.old->is_copy;
    }
    return {};
}

bool OldElements::find_by_name(const Scene& scene, Plan& plan) {
    bool has_others = false;
    for (PlannedConnection& connection : plan.connections) {
        if (connection.known && !connection.is_image) {
            connection.old =
                next_free(connection_places_, scene.nodes[connection.node].name, connection.record, connections_);
            if (connection.old != nullptr) connection.old->used = true;
            has_others = has_others || connection.old == nullptr;
        }
        for (PlannedPart& part : connection.parts) {
            if (!part.known) continue;
            part.old = next_free(part_places_, scene.nodes[part.node].name, part.record, parts_);
            if (part.old != nullptr) part.old->used = true;
            has_others = has_others || part.old == nullptr;
        }
    }
    return has_others;
}

void OldElements::make_keys() {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        connections_[i].key = connection_key(*connections_[i].thing);
        connection_keys_[connections_[i].key].places.push_back(i);
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].key = part_key(part_record(*parts_[i].thing));
        part_keys_[parts_[i].key].places.push_back(i);
    }
}

/// The one that its part stands in; the one that it was copied from, by its name without a number; else any that is
/// said to be the same. Null: it comes from elsewhere.
Result<OldConnection*> OldElements::find_renamed(Context& context, const PlannedConnection& planned, XmlEdit& edit) {
    const Node& node = context.scene.nodes[planned.node];
    const std::string key = connection_key(planned.record, node.extras.hash);
    const auto part = std::find_if(planned.parts.begin(), planned.parts.end(),
                                   [](const PlannedPart& one) { return one.old != nullptr; });
    OldConnection* const above = part == planned.parts.end() ? nullptr : part->old->connection;
    if (take(above, key)) return above;
    const std::string name(without_copy_number(node.name));
    if (OldConnection* const left = next_free(connection_places_, name, planned.record, connections_); take(left, key))
        return left;
    const OldConnection* const namesake = first(connection_places_, name, connections_);
    if (namesake != nullptr && namesake->key == key) return copy(context, *namesake, edit);
    if (OldConnection* const left = next_free(connection_keys_, key, {}, connections_); take(left, key)) return left;
    const OldConnection* const alike = first(connection_keys_, key, connections_);
    if (alike == nullptr || !has_like_parts(*alike, planned)) return nullptr;
    return copy(context, *alike, edit);
}

/// Likewise; `above`: what its connection is.
Result<OldPart*> OldElements::find_renamed(Context& context, const PlannedPart& planned, OldConnection* above,
                                           XmlEdit& edit) {
    const std::string key = part_key(planned.record);
    if (above != nullptr) {
        std::size_t& next = above->next;
        while (next < above->parts.size() && above->parts[next]->used) ++next;
        OldPart* const left = next < above->parts.size() ? above->parts[next] : nullptr;
        if (take(left, key)) return left;
    }
    const std::string name(without_copy_number(context.scene.nodes[planned.node].name));
    if (OldPart* const left = next_free(part_places_, name, planned.record, parts_); take(left, key)) return left;
    const OldPart* const namesake = first(part_places_, name, parts_);
    if (namesake != nullptr && namesake->key == key) return copy(context, *namesake, edit);
    if (!tells_part(planned.record)) return nullptr;
    if (OldPart* const left = next_free(part_keys_, key, {}, parts_); take(left, key)) return left;
    const OldPart* const alike = first(part_keys_, key, parts_);
    return alike == nullptr ? Result<OldPart*>(nullptr) : copy(context, *alike, edit);
}

Result<OldConnection*> OldElements::copy(Context& context, const OldConnection& from, XmlEdit& edit) {
    if (auto taken = take_copy(context, from.node); !taken) return fail(std::move(taken.error()));
    OldConnection& made = add(*from.thing, edit.copy(from.node));
    made.used = true;
    for (std::size_t i = 0; i < made.parts.size(); ++i) {
        made.parts[i]->is_copy = true;
        made.parts[i]->key = from.parts[i]->key;
    }
    return &made;
}

Result<OldPart*> OldElements::copy(Context& context, const OldPart& from, XmlEdit& edit) {
    if (auto taken = take_copy(context, from.node); !taken) return fail(std::move(taken.error()));
    OldPart made = from;
    made.node = edit.copy(from.node);
    made.used = made.is_copy = true;
    return &parts_.emplace_back(std::move(made));
}

void OldElements::remove_left(XmlEdit& edit) const {
    for (const OldPart& part : parts_) {
        if (!part.used) edit.remove(part.node);
    }
    for (const OldConnection& connection : connections_) {
        if (!connection.used) edit.remove(connection.node);
    }
}

}  // namespace effigy::egosoft::bridge
