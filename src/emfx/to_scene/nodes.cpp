/// The node tree: nodes of several actors joined by name, and scene nodes made of them, one or two each (helper
/// chains).

#include <algorithm>
#include <glm/common.hpp>
#include <set>

#include "effigy/scene_codes.hpp"

#include "core/text.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {
namespace {

/// How far the transforms of nodes of one name lie apart.
struct BindDifference {
    std::size_t nodes = 0;
    double largest = 0;

    void add(const glm::dmat4& one, const glm::dmat4& other) {
        const auto [difference, size] = apart(one, other);
        if (difference <= 1e-5 * size) return;
        ++nodes;
        largest = std::max(largest, difference);
    }
};

std::string node_path(const xac::Node& record, std::size_t index, const Context& context) {
    return "node[" + std::to_string(index) + "] " + context.text(record.name);
}

/// The parent's number, or no_index for roots; a parent that does not come first makes a root, as in the engine.
Index parent_of(Context& context, const xac::Node& record, std::size_t index) {
    if (record.parent == xac::no_node) return no_index;
    if (record.parent < index) return record.parent;
    context.note(codes::node_parent, node_path(record, index, context),
                 "The parent does not come before the node: the engine makes it a root, and so does the scene.",
                 std::to_string(record.parent), "less than " + std::to_string(index));
    return no_index;
}

void note_difference(Context& context, const BindDifference& difference) {
    if (difference.nodes == 0) return;
    context.note(codes::binds_differ, "nodes",
                 "Nodes have other rest transforms than those of the same name in the first actor, which win; skins "
                 "keep their own.",
                 std::to_string(difference.nodes) + " nodes, largest difference " + number_text(difference.largest),
                 "equal transforms");
}

Index emit_link(Context& context, const SkeletonNode& node, Index parent, const Transform& local, bool helper) {
    const Index index = context.add_node(helper ? node.name + ".scale" : node.name, parent);
    context.scene.nodes[index].local = local;
    if (helper) context.scene.nodes[index].extras.json = R"({"helper":true})";
    return index;
}

void emit_node(Context& context, SkeletonNode& node, NameList& baked) {
    const Index parent = node.parent == no_index ? no_index : context.skeleton.nodes[node.parent].last;
    if (!node.chained) {
        node.first = node.last = emit_link(context, node, parent, plain(node.rest), false);
        return;
    }
    const Chain links = chain(node.rest, node.order);
    node.first = emit_link(context, node, parent, links.first, true);
    Transform lower;
    lower.rotation = links.second;
    node.last = emit_link(context, node, node.first, lower, false);
    baked.add(node.name);
}

/// The skeleton's roots under which the skin's joints stand.
std::set<Index> roots_of(const Skin& skin, const std::unordered_map<Index, Index>& root_of_node) {
    std::set<Index> roots;
    for (const Index joint : skin.joints) roots.insert(root_of_node.at(joint));
    return roots;
}

/// A file that has a name once may be joined with one that has it twice: on the way back none of them gives way.
void number_namesakes(Skeleton& skeleton) {
    for (const auto& [name, index] : skeleton.by_name) {
        const bool has_others = name.first.empty() || skeleton.find({name.first, 1}) != no_index;
        if (has_others) skeleton.nodes[index].namesake = name.second + 1;
    }
}

/// For each node of a file: whether its record has a count of children.
std::vector<bool> records_with_counts(const xac::File& file) {
    std::vector<bool> with_counts;
    for (const xac::Chunk& chunk : file.chunks) {
        const bool has_counts = std::holds_alternative<xac::Nodes>(chunk.record) || chunk.version >= 4;
        with_counts.resize(with_counts.size() + records_in(chunk.record, &xac::Nodes::nodes).size(), has_counts);
    }
    return with_counts;
}

Index add_root_above_all(Context& context) {
    Scene& scene = context.scene;
    const Index top = context.add_node("effigy_root", no_index);
    scene.nodes[top].extras.json = R"({"helper":true})";
    for (const SkeletonNode& node : context.skeleton.nodes) {
        if (node.parent == no_index) add_child(scene, top, node.first);
    }
    return top;
}

}  // namespace

Index Skeleton::find(const NumberedName& raw_name) const noexcept {
    const auto found = by_name.find(raw_name);
    return found == by_name.end() ? no_index : found->second;
}

void join_nodes(Context& context, Model& model) {
    Skeleton& skeleton = context.skeleton;
    const auto model_number = static_cast<std::size_t>(&model - context.models.data());
    BindDifference difference;
    Namesakes names;
    for (std::size_t i = 0; i < model.records.size(); ++i) {
        const xac::Node& record = *model.records[i];
        Repairs repairs;
        const LocalTransform local = local_transform(record, repairs);
        context.note_repairs(repairs, node_path(record, i, context));
        const glm::dmat4 transform = matrix(local, model.order);
        const Index parent = parent_of(context, record, i);
        model.world_bind.push_back(parent == no_index ? transform : model.world_bind[parent] * transform);

        // A name that stands twice in one file means two nodes: each joins its own of the earlier files.
        const NumberedName name = names.add(record.name);
        if (const Index found = skeleton.find(name); found != no_index) {
            const SkeletonNode& twin = skeleton.nodes[found];
            difference.add(matrix(twin.rest, twin.order), transform);
            model.to_skeleton.push_back(found);
            continue;
        }
        SkeletonNode node;
        node.raw_name = record.name;
        node.name = context.text(record.name);
        node.parent = parent == no_index ? no_index : model.to_skeleton[parent];
        node.rest = local;
        node.order = model.order;
        node.model = model_number;
        node.file_index = static_cast<std::uint32_t>(i);
        node.chained = needs_chain(local, model.order);
        const auto index = static_cast<Index>(skeleton.nodes.size());
        const bool root = node.parent == no_index;
        node.root = root ? index : skeleton.nodes[node.parent].root;
        node.world = root ? transform : skeleton.nodes[node.parent].world * transform;
        skeleton.by_name.emplace(name, index);
        skeleton.nodes.push_back(std::move(node));
        model.to_skeleton.push_back(index);
    }
    note_difference(context, difference);
}

void emit_nodes(Context& context) {
    NameList baked;
    std::vector<NodeNotes> notes;
    std::vector<std::vector<bool>> has_counts;
    for (const Model& model : context.models) {
        notes.emplace_back(*model.file);
        has_counts.push_back(records_with_counts(*model.file));
    }
    number_namesakes(context.skeleton);
    std::vector<std::uint32_t> child_counts(context.skeleton.nodes.size());
    for (const SkeletonNode& node : context.skeleton.nodes) {
        if (node.parent != no_index) ++child_counts[node.parent];
    }
    for (std::size_t i = 0; i < context.skeleton.nodes.size(); ++i) {
        SkeletonNode& node = context.skeleton.nodes[i];
        emit_node(context, node, baked);
        if (context.models.empty()) continue;
        const xac::Node& record = *context.models[node.model].records[node.file_index];
        xac::Node told;
        take_transform(told, context.scene.nodes[node.first].local);
        told.child_count = has_counts[node.model][node.file_index] ? child_counts[i] : record.child_count;
        if (node.parent != no_index) told.parent = context.skeleton.nodes[node.parent].file_index;
        context.scene.nodes[node.last].extras.json =
            notes[node.model].extras(node, record, told, context.models[node.model].part);
    }
    if (baked.empty()) return;
    context.file.clear();
    context.note(codes::scale_baked, "nodes",
                 "Scale and rotation of these nodes need two glTF nodes each; the first one is called <name>.scale.",
                 baked.text());
}

void set_common_roots(Context& context) {
    std::unordered_map<Index, Index> root_of_node;
    for (const SkeletonNode& node : context.skeleton.nodes) root_of_node[node.last] = node.root;
    std::vector<Index> skeletons;
    bool several = false;
    for (const Skin& skin : context.scene.skins) {
        const std::set<Index> roots = roots_of(skin, root_of_node);
        several = several || roots.size() > 1;
        skeletons.push_back(roots.empty() ? no_index : context.skeleton.nodes[*roots.begin()].first);
    }
    const Index top = several ? add_root_above_all(context) : no_index;
    for (std::size_t i = 0; i < skeletons.size(); ++i) {
        context.scene.skins[i].skeleton = several ? top : skeletons[i];
    }
}

}  // namespace effigy::emfx::bridge
