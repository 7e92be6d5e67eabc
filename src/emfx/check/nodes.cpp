/// Rules of `check` for the node tree: parents, rings, counts, names, scales.

#include <algorithm>

#include "effigy/emfx_codes.hpp"

#include "emfx/check/actor.hpp"

namespace effigy::emfx::checks {

namespace {

std::string parent_text(std::uint32_t parent) { return parent == xac::no_node ? "no parent" : number(parent); }

/// Nodes that are on a ring of parents; each ring is reported once. Every node is visited once.
std::vector<bool> check_rings(const Actor& actor) {
    const std::size_t count = actor.nodes.size();
    std::vector<bool> on_ring(count);
    std::vector<std::size_t> walk_of(count, count);  // the walk that reached a node first
    for (std::size_t start = 0; start < count; ++start) {
        std::size_t node = start;
        while (node < count && walk_of[node] == count) {
            walk_of[node] = start;
            node = actor.nodes[node].node->parent;
        }
        if (node >= count || walk_of[node] != start || on_ring[node]) continue;
        std::size_t length = 0;
        for (std::size_t member = node; !on_ring[member]; member = actor.nodes[member].node->parent, ++length)
            on_ring[member] = true;
        if (length == 1)
            actor.add_at_node(codes::node_parent_self, node, "parent", number(node), "another node");
        else
            actor.add_at_node(codes::node_parent_cycle, node, "parent",
                              parent_text(actor.nodes[node].node->parent) + ", a ring of " + number(length) + " nodes",
                              "parents that end at a root");
    }
    return on_ring;
}

/// Whether all parents are in order, so that counting children makes sense.
bool check_parents(const Actor& actor) {
    const std::vector<bool> on_ring = check_rings(actor);
    bool good = std::find(on_ring.begin(), on_ring.end(), true) == on_ring.end();
    for (std::size_t index = 0; index < actor.nodes.size(); ++index) {
        const std::uint32_t parent = actor.nodes[index].node->parent;
        if (parent == xac::no_node || parent < index || on_ring[index]) continue;
        good = false;
        if (parent >= actor.nodes.size())
            actor.add_at_node(codes::node_parent_range, index, "parent", number(parent),
                              "below " + number(actor.nodes.size()));
        else
            actor.add_at_node(codes::node_parent_order, index, "parent", number(parent), "below " + number(index));
    }
    return good;
}

void check_counts(const Actor& actor) {
    std::vector<std::uint32_t> children(actor.nodes.size());
    std::vector<std::uint32_t> roots(actor.file.chunks.size());
    for (const NodePlace& place : actor.nodes) {
        if (place.node->parent < children.size())
            ++children[place.node->parent];
        else
            ++roots[place.chunk];
    }
    for (std::size_t index = 0; index < actor.nodes.size(); ++index) {
        const NodePlace& place = actor.nodes[index];
        if (place.counts_children && place.node->child_count != children[index])
            actor.add_at_node(codes::node_child_count, index, "child_count", number(place.node->child_count),
                              number(children[index]));
    }
    for (std::size_t index = 0; index < actor.file.chunks.size(); ++index) {
        const auto* list = std::get_if<xac::Nodes>(&actor.file.chunks[index].record);
        if (list == nullptr || list->root_count == roots[index]) continue;
        const Where chunk = actor.place(index);
        actor.findings.add(codes::node_root_count, {&chunk, "root_count"}, number(list->root_count),
                           number(roots[index]));
    }
}

void check_names(const Actor& actor) {
    std::vector<std::string_view> names;
    for (std::size_t index = 0; index < actor.nodes.size(); ++index) {
        names.push_back(actor.nodes[index].node->name);
        if (names.back().empty()) actor.add_at_node(codes::node_name_empty, index, "name", in_quotes(""), "a name");
    }
    for (const Duplicate& duplicate : duplicates(names))
        if (!names[duplicate.index].empty())
            actor.add_at_node(codes::node_name_duplicate, duplicate.index, "name", in_quotes(names[duplicate.index]),
                              "another name than node " + number(duplicate.earlier));
}

void check_scale(const Actor& actor, const Vec3& scale, const Where& node) {
    const Where where{&node, "scale"};
    const float x = std::fabs(scale.x), y = std::fabs(scale.y), z = std::fabs(scale.z);
    const float low = std::min({x, y, z}), high = std::max({x, y, z});
    if (low == 0)
        actor.findings.collect(codes::node_scale_zero, where, numbers(scale), "no zeros");
    else if (actor.file.header.multiplication_order == 1 && high - low > 1e-3f * high)
        actor.findings.collect(codes::node_scale_order, where, numbers(scale), "even scale, or multiplication order 0");
}

void check_values(const Actor& actor, const xac::Node& node, const Where& where) {
    actor.findings.text(node.name, {&where, "name"});
    check_rotation(node.rotation, {&where, "rotation"}, actor.findings);
    check_rotation(node.scale_rotation, {&where, "scale_rotation"}, actor.findings);
    check_finite(node.position, {&where, "position"}, actor.findings);
    check_finite(node.scale, {&where, "scale"}, actor.findings);
    if (!not_finite(node.scale)) check_scale(actor, node.scale, where);
}

/// Where nodes may stand: one chunk of nodes or single ones, before all that refers to them.
void check_places(const Actor& actor) {
    std::size_t lists = 0, singles = 0;
    bool others = false;
    for (std::size_t index = 0; index < actor.file.chunks.size(); ++index) {
        const xac::Record& record = actor.file.chunks[index].record;
        const bool list = std::holds_alternative<xac::Nodes>(record);
        const bool single = std::holds_alternative<xac::Node>(record);
        if (list || single) {
            const bool first = lists + singles == 0;
            lists += list ? 1u : 0u;
            singles += single ? 1u : 0u;
            if (first && others)
                actor.findings.add(codes::nodes_second, actor.place(index), "chunk " + number(index),
                                   "right after the info chunk");
            if (!first && list)
                actor.findings.add(codes::nodes_several, actor.place(index), "another list of nodes",
                                   "one list of nodes");
            else if (single && singles == 1 && lists > 0)
                actor.findings.add(codes::nodes_several, actor.place(index), "a single node after a list of nodes",
                                   "one list of nodes");
        } else if (!std::holds_alternative<xac::Info>(record) && !std::holds_alternative<xac::Timestamp>(record)) {
            others = true;
        }
    }
    if (actor.nodes.empty())
        actor.findings.add(codes::nodes_missing, actor.findings.file(), "0 nodes", "1 node or more");
}

}  // namespace

void check_nodes(const Actor& actor) {
    check_places(actor);
    if (check_parents(actor)) check_counts(actor);
    check_names(actor);
    for (std::size_t index = 0; index < actor.nodes.size(); ++index)
        actor.with_node(index, [&](const Where& where) { check_values(actor, *actor.nodes[index].node, where); });
}

}  // namespace effigy::emfx::checks
