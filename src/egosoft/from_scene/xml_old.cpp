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

std::uint64_t hash_of_place(const Connection& connection) {
    std::uint64_t not_finite = 0;
    Node node;
    node.local = to_scene(connection.offset, not_finite);
    return hash_of(node);
}

std::string connection_key(const Connection& connection) {
    return connection_key(connection_record(connection), hash_of_place(connection));
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

/// With what its first part says: at the origin many connections are said to be the same.
std::string whole_key(const std::string& key, const std::string* first_part) {
    return first_part == nullptr ? key : key + "\n\n" + *first_part;
}

std::string whole_key(const OldConnection& old) {
    return whole_key(old.key, old.parts.empty() ? nullptr : &old.parts.front()->key);
}

bool has_part_of(const PlannedConnection& planned, const OldConnection* old) {
    return std::any_of(planned.parts.begin(), planned.parts.end(),
                       [&](const PlannedPart& part) { return part.old != nullptr && part.old->connection == old; });
}

bool is_sought(const PlannedConnection& planned) { return planned.known && !planned.is_image; }

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
    find_by_name(context.scene, plan);
    if (has_renamed(context.scene, plan)) {
        forget(plan);
        make_keys();
        if (auto found = find_renamed(context, plan, edit); !found) return found;
    }
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) part.is_new = part.old == nullptr || part.old->is_copy;
    }
    return {};
}

void OldElements::find_by_name(const Scene& scene, Plan& plan) {
    for (PlannedConnection& connection : plan.connections) {
        find_by_name(scene, connection);
        for (PlannedPart& part : connection.parts) find_by_name(scene, part);
    }
}

void OldElements::find_by_name(const Scene& scene, PlannedConnection& planned) {
    if (!is_sought(planned) || planned.old != nullptr) return;
    planned.old = next_free(connection_places_, scene.nodes[planned.node].name, planned.record, connections_);
    if (planned.old != nullptr) planned.old->used = true;
}

void OldElements::find_by_name(const Scene& scene, PlannedPart& planned) {
    if (!planned.known || planned.old != nullptr) return;
    planned.old = next_free(part_places_, scene.nodes[planned.node].name, planned.record, parts_);
    if (planned.old != nullptr) planned.old->used = true;
}

/// Some have names of their own, or those of others: these stood elsewhere, or are not where their parts are.
bool OldElements::has_renamed(const Scene& scene, const Plan& plan) {
    return std::any_of(plan.connections.begin(), plan.connections.end(), [&](const PlannedConnection& connection) {
        if (is_sought(connection) && (connection.old == nullptr || hash_of_place(*connection.old->thing) !=
                                                                       scene.nodes[connection.node].extras.hash))
            return true;
        return std::any_of(connection.parts.begin(), connection.parts.end(), [&](const PlannedPart& part) {
            if (!part.known) return false;
            return part.old == nullptr || (connection.old != nullptr && part.old->connection != connection.old);
        });
    });
}

void OldElements::forget(Plan& plan) {
    for (OldConnection& connection : connections_) connection.used = false;
    for (OldPart& part : parts_) part.used = false;
    for (Places* const all : {&connection_places_, &part_places_}) {
        for (auto& [name, namesakes] : *all) namesakes.next = 0;
    }
    for (PlannedConnection& connection : plan.connections) {
        connection.old = nullptr;
        for (PlannedPart& part : connection.parts) part.old = nullptr;
    }
}

void OldElements::make_keys() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].key = part_key(part_record(*parts_[i].thing));
        part_keys_[parts_[i].key].places.push_back(i);
    }
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        connections_[i].key = connection_key(*connections_[i].thing);
        connection_keys_[connections_[i].key].places.push_back(i);
        whole_keys_[whole_key(connections_[i])].places.push_back(i);
    }
}

/// What has its name and fits goes first; then what fits another one that is free; then what has a name at least; then
/// copies.
Result<void> OldElements::find_renamed(Context& context, Plan& plan, XmlEdit& edit) {
    const Scene& scene = context.scene;
    std::vector<SoughtConnection> connections;
    std::vector<SoughtPart> parts;
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) {
            if (!part.known) continue;
            const std::string& name = scene.nodes[part.node].name;
            parts.push_back({&part, &connection, name, part_key(part.record)});
            OldPart* const namesake = next_free(part_places_, name, part.record, parts_);
            if (take(namesake, parts.back().key)) part.old = namesake;
        }
        if (!is_sought(connection)) continue;
        const Node& node = scene.nodes[connection.node];
        const std::string key = connection_key(connection.record, node.extras.hash);
        const bool has_parts = !connection.parts.empty();
        const std::string first_part = has_parts ? part_key(connection.parts.front().record) : std::string();
        connections.push_back({&connection, node.name, key, whole_key(key, has_parts ? &first_part : nullptr)});
    }
    for (const SoughtConnection& one : connections) {
        OldConnection* const namesake = next_free(connection_places_, one.name, one.planned->record, connections_);
        if (namesake == nullptr || (!has_part_of(*one.planned, namesake) && whole_key(*namesake) != one.whole_key))
            continue;
        if (take(namesake, one.key)) one.planned->old = namesake;
    }
    for (const SoughtConnection& one : connections) {
        if (one.planned->old == nullptr) one.planned->old = find_free(one);
    }
    for (const SoughtConnection& one : connections) find_by_name(scene, *one.planned);
    for (const SoughtConnection& one : connections) {
        if (one.planned->old != nullptr) continue;
        auto found = find_alike(context, one, edit);
        if (!found) return fail(std::move(found.error()));
        one.planned->old = *found;
    }
    for (const SoughtPart& one : parts) {
        if (one.planned->old == nullptr) one.planned->old = find_free(one);
    }
    for (const SoughtPart& one : parts) find_by_name(scene, *one.planned);
    for (const SoughtPart& one : parts) {
        if (one.planned->old != nullptr) continue;
        auto found = find_alike(context, one, edit);
        if (!found) return fail(std::move(found.error()));
        one.planned->old = *found;
    }
    return {};
}

/// The one that its part stands in; the one that it was copied from, by its name without a number; else one whose part
/// is said to be the same, too. Null: there is none.
OldConnection* OldElements::find_free(const SoughtConnection& sought) {
    const auto& all = sought.planned->parts;
    const auto part = std::find_if(all.begin(), all.end(), [](const PlannedPart& one) { return one.old != nullptr; });
    OldConnection* const above = part == all.end() ? nullptr : part->old->connection;
    if (take(above, sought.key)) return above;
    const std::string name(without_copy_number(sought.name));
    if (name != sought.name) {
        OldConnection* const left = next_free(connection_places_, name, sought.planned->record, connections_);
        if (take(left, sought.key)) return left;
    }
    const OldConnection* const namesake = first(connection_places_, name, connections_);
    const bool is_copy = namesake != nullptr && namesake->used && namesake->key == sought.key;
    if (is_copy || (!all.empty() && !all.front().known)) return nullptr;
    OldConnection* const left = next_free(whole_keys_, sought.whole_key, {}, connections_);
    return take(left, sought.key) ? left : nullptr;
}

/// A copy of the one of its name without a number; any free one that is said to be the same; else a copy of such a one
/// whose part is, too. Null: it comes from elsewhere.
Result<OldConnection*> OldElements::find_alike(Context& context, const SoughtConnection& sought, XmlEdit& edit) {
    const std::string name(without_copy_number(sought.name));
    const OldConnection* const namesake = first(connection_places_, name, connections_);
    if (namesake != nullptr && namesake->key == sought.key) return copy(context, *namesake, edit);
    OldConnection* const left = next_free(connection_keys_, sought.key, {}, connections_);
    if (take(left, sought.key)) return left;
    const OldConnection* const alike = first(whole_keys_, sought.whole_key, connections_);
    return alike == nullptr ? Result<OldConnection*>(nullptr) : copy(context, *alike, edit);
}

/// Likewise, first of all in what its connection is.
OldPart* OldElements::find_free(const SoughtPart& sought) {
    if (OldConnection* const above = sought.connection->old; above != nullptr) {
        std::size_t& next = above->next;
        while (next < above->parts.size() && above->parts[next]->used) ++next;
        OldPart* const left = next < above->parts.size() ? above->parts[next] : nullptr;
        if (take(left, sought.key)) return left;
    }
    const std::string name(without_copy_number(sought.name));
    if (name != sought.name) {
        OldPart* const left = next_free(part_places_, name, sought.planned->record, parts_);
        if (take(left, sought.key)) return left;
    }
    const OldPart* const namesake = first(part_places_, name, parts_);
    const bool is_copy = namesake != nullptr && namesake->used && namesake->key == sought.key;
    if (is_copy || !tells_part(sought.planned->record)) return nullptr;
    OldPart* const left = next_free(part_keys_, sought.key, {}, parts_);
    return take(left, sought.key) ? left : nullptr;
}

Result<OldPart*> OldElements::find_alike(Context& context, const SoughtPart& sought, XmlEdit& edit) {
    const std::string name(without_copy_number(sought.name));
    const OldPart* const namesake = first(part_places_, name, parts_);
    if (namesake != nullptr && namesake->key == sought.key) return copy(context, *namesake, edit);
    if (!tells_part(sought.planned->record)) return nullptr;
    const OldPart* const alike = first(part_keys_, sought.key, parts_);
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
