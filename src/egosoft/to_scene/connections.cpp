/// Connections and parts of a component as nodes: hung under one another, circles cut, and where they rest.

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/to_scene/component.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::uint64_t count_nodes(const Component& component) {
    std::uint64_t nodes = 1 + component.lights.size();
    for (const Connection& connection : component.connections) {
        nodes += 1 + 3 * connection.parts.size();
        for (const Part& part : connection.parts) nodes += part.lights.size();
    }
    return nodes;
}

Result<Index> add_root(Build& build, const ComponentInput& input, const Component& component) {
    const Index root = build.add_node(text(component.name), no_index);
    const auto index = static_cast<std::size_t>(&component - input.file.components.data());
    Json record = component_record(component);
    record["file"] = {{"name", text(input.source.stem)}, {"component", index}};
    const Bytes& xml = input.file.text;
    const std::size_t count = input.file.components.size();
    if (count > 1 && !xml.empty()) {
        record["file"]["component_count"] = count;
        if (!input.source.hash.empty()) record["file"]["hash"] = text(input.source.hash);  // others have its name
    }
    if (index == 0 && !xml.empty()) {
        if (auto taken = build.take(xml.size(), 3, "extras"); !taken) return fail(std::move(taken.error()));
        record["file"]["xml"] = json_text(as_text(xml));
    }
    set_record(build.scene.nodes[root].extras, std::move(record));
    return root;
}

void add_part(Build& build, const Part& part, Index parent, bool moves, ComponentNodes& nodes) {
    const std::string name = text(part.name);
    if (part.offset && moves) {
        // Tracks take the place of the part's own transform.
        parent = build.add_node(name + ".offset", parent);
        build.scene.nodes[parent].local = to_scene(*part.offset, nodes.not_finite);
        build.scene.nodes[parent].extras.json = R"({"helper":true})";
    }
    const Index index = build.add_node(name, parent);
    if (part.offset && !moves) build.scene.nodes[index].local = to_scene(*part.offset, nodes.not_finite);
    add_lights(build, part.lights, index, nodes.light_names);
    nodes.parts.push_back({&part, lower(part.name), index, moves});
    nodes.by_name[nodes.parts.back().name].push_back(index);
    if (!part.wreck.empty()) nodes.wrecks.insert(lower(part.wreck));
}

/// The number of the connection in which the parent of each one is; no_parent: the component itself.
std::vector<std::size_t> parents_of(const Component& component, NameList& unknown) {
    std::unordered_map<std::string, std::size_t> connection_of;  // by the lower-case name of a part
    for (std::size_t i = 0; i < component.connections.size(); ++i) {
        for (const Part& part : component.connections[i].parts) connection_of.try_emplace(lower(part.name), i);
    }
    std::vector<std::size_t> parents(component.connections.size(), no_parent);
    for (std::size_t i = 0; i < parents.size(); ++i) {
        const Connection& connection = component.connections[i];
        if (connection.parent.empty() || lower(connection.parent) == lower(component.name)) continue;
        if (const auto found = connection_of.find(lower(connection.parent)); found != connection_of.end()) {
            parents[i] = found->second;
        } else {
            unknown.add(text(connection.name) + " (" + text(connection.parent) + ")");
        }
    }
    return parents;
}

/// Hangs each connection under the part that it names.
void attach(Build& build, const Component& component, const std::vector<Index>& connections,
            const ComponentNodes& nodes) {
    NameList unknown, circles;
    std::vector<std::size_t> parents = parents_of(component, unknown);
    for (const std::size_t i : cut_circles(parents)) circles.add(text(component.connections[i].name));
    for (std::size_t i = 0; i < parents.size(); ++i) {
        const bool is_below = parents[i] != no_parent;
        add_child(build.scene, is_below ? nodes.by_name.at(lower(component.connections[i].parent)).front() : nodes.root,
                  connections[i]);
    }
    build.note_any(unknown, codes::connection_parent, "connections",
                   "Connections name parents that are no parts; they hang at the component itself.");
    build.note_any(circles, codes::connection_cycle, "connections",
                   "The parents of connections lead round in a circle; it is cut, and these hang at the component "
                   "itself.");
}

/// Where each node from the root on rests in the scene.
std::vector<Transform> rest_of(const Scene& scene, Index root) {
    std::vector<Transform> rest(scene.nodes.size() - root);
    std::vector<Index> open{root};
    while (!open.empty()) {
        const Index index = open.back();
        const Node& node = scene.nodes[index];
        open.pop_back();
        rest[index - root] = combined(node.parent == no_index ? Transform() : rest[node.parent - root], node.local);
        open.insert(open.end(), node.children.begin(), node.children.end());
    }
    return rest;
}

}  // namespace

Result<ComponentNodes> add_component_nodes(Build& build, const ComponentInput& input, const Component& component,
                                           const std::unordered_set<std::string>& moving) {
    if (auto taken = build.take(count_nodes(component), sizeof(Node), "nodes"); !taken)
        return fail(std::move(taken.error()));
    const auto root = add_root(build, input, component);
    if (!root) return fail(root.error());
    ComponentNodes nodes{*root};
    add_lights(build, component.lights, *root, nodes.light_names);
    std::vector<Index> connections;
    NameCounts counts;
    for (const Connection& connection : component.connections) {
        const Index node = connections.emplace_back(build.add_node(text(connection.name), no_index));
        build.scene.nodes[node].local = to_scene(connection.offset, nodes.not_finite);
        Json record = connection_record(connection);
        record_name(record, connection.name, counts);
        set_record(build.scene.nodes[node].extras, std::move(record));
        for (const Part& part : connection.parts) {
            add_part(build, part, node, moving.contains(lower(part.name)), nodes);
            for (const AnimationRange& range : connection.animations)
                nodes.ranges.push_back({nodes.parts.back().name, range});
        }
    }
    attach(build, component, connections, nodes);
    nodes.rest = rest_of(build.scene, nodes.root);
    return nodes;
}

}  // namespace effigy::egosoft::bridge
