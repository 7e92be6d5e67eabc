/// Chunks that the old file did not have, and where they go.

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "emfx/from_scene/chunks.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Places of chunks in the order in which engines want them; -1: anywhere.
int rank_of(const xac::Chunk& chunk) {
    enum Rank : int { info, nodes, limits, material_info, materials, meshes, morphs, groups, levels };
    constexpr std::array<Rank, 16> by_id{nodes,  meshes, meshes, materials, materials, materials,     limits, info,
                                         levels, morphs, groups, nodes,     morphs,    material_info, groups, groups};
    return chunk.id < by_id.size() ? by_id[chunk.id] : -1;
}

void add_limit(Build& build, const Json& extras, std::uint32_t number, std::vector<xac::Chunk>& chunks) {
    const Json* json = member(extras, "limit");
    if (json == nullptr || !json->is_object()) return;
    xac::Limit limit;
    if (!read_record(build, *json, 1, limit)) return;
    limit.node = number;
    chunks.push_back({6, 1, std::nullopt, limit, {}});
}

}  // namespace

std::uint32_t count_roots(const xac::Nodes& list) {
    return static_cast<std::uint32_t>(std::count_if(
        list.nodes.begin(), list.nodes.end(), [&](const xac::Node& node) { return node.parent >= list.nodes.size(); }));
}

xac::Chunk nodes_chunk(const FileParts& parts) {
    xac::Nodes list;
    list.nodes = parts.nodes;
    list.root_count = count_roots(list);
    return {11, 1, std::nullopt, std::move(list), {}};
}

xac::Chunk material_chunk(const NativeMaterial& material) {
    const bool fx = std::holds_alternative<xac::FxMaterial>(material.record);
    const std::uint32_t version = lod_of(material) == 0 ? material.version : std::max(material.version, 3u);
    return {fx ? 5u : 3u, version, std::nullopt, material.record, {}};
}

xac::Chunk mesh_chunk(NativeMesh& native) {
    const std::uint32_t version = native.mesh.lod == 0 ? 1 : 2;
    return {1, version, std::nullopt, std::move(native.mesh), {}};
}

/// Records of older versions do not have it.
void count_bones(xac::Skinning& skinning) {
    if (skinning.local_bone_count != 0) return;
    std::set<std::uint32_t> bones;
    for (const xac::Influence& influence : skinning.influences) bones.insert(influence.node);
    skinning.local_bone_count = static_cast<std::uint32_t>(bones.size());
}

xac::Chunk skinning_chunk(NativeMesh& native) {
    count_bones(*native.skinning);
    const std::uint32_t version = native.skinning->lod == 0 ? 3 : 4;
    return {2, version, std::nullopt, std::move(*native.skinning), {}};
}

xac::MaterialInfo count_materials(const FileParts& parts, std::optional<std::uint32_t> lod) {
    xac::MaterialInfo counts;
    counts.lod = lod.value_or(0);
    for (const NativeMaterial& material : parts.materials) {
        if (lod && lod_of(material) != *lod) continue;
        ++counts.total;
        ++(std::holds_alternative<xac::FxMaterial>(material.record) ? counts.fx : counts.standard);
    }
    return counts;
}

void add_notes(Build& build, std::vector<xac::Chunk>& chunks) {
    std::map<std::string, xac::NodeGroup> node_groups;
    Bulk<std::uint16_t> attachments;
    xac::NodeMotionSources mirror;
    mirror.sources.assign(build.nodes.size(), std::uint16_t{0xffff});
    mirror.axes.assign(build.nodes.size(), std::uint8_t{0});
    mirror.flags = mirror.axes;
    bool mirrors = false;
    for (std::size_t i = 0; i < build.nodes.size(); ++i) {
        const Json extras = record_of(build.scene.nodes[build.nodes[i].scene_node].extras);
        const auto number = static_cast<std::uint16_t>(i);
        add_limit(build, extras, number, chunks);
        if (flag_at(extras, "attachment")) attachments.push_back(number);
        const auto source = number_member(extras, "motion_source");
        if (source && build.numbers_kept && *source < build.nodes.size()) {
            mirror.sources[i] = static_cast<std::uint16_t>(*source);
            mirrors = true;
            const auto axis = number_member(extras, "motion_axis"), flags = number_member(extras, "motion_flags");
            mirror.has_axes = mirror.has_axes || axis || flags;
            mirror.axes[i] = static_cast<std::uint8_t>(axis.value_or(0));
            mirror.flags[i] = static_cast<std::uint8_t>(flags.value_or(0));
        }
        std::set<std::string> names;
        for (const Json& name : list_at(extras, "groups")) {
            if (auto text = text_from_json(name); text && names.insert(*text).second)
                node_groups[*text].nodes.push_back(number);
        }
        for (const Json& name : list_at(extras, "disabled_groups")) {
            const auto text = text_from_json(name);
            if (text && names.contains(*text)) node_groups[*text].disabled_on_default = 1;
        }
    }
    if (!node_groups.empty()) {
        xac::NodeGroups record;
        for (auto& [name, group] : node_groups) {
            group.name = name;
            record.groups.push_back(std::move(group));
        }
        chunks.push_back({10, 1, std::nullopt, std::move(record), {}});
    }
    if (mirrors) chunks.push_back({14, 1, std::nullopt, std::move(mirror), {}});
    if (attachments.empty()) return;
    xac::AttachmentNodes record;
    record.nodes = std::move(attachments);
    chunks.push_back({15, 1, std::nullopt, std::move(record), {}});
}

void insert_new(std::vector<xac::Chunk>& chunks, std::vector<xac::Chunk> added) {
    std::stable_sort(added.begin(), added.end(),
                     [](const xac::Chunk& a, const xac::Chunk& b) { return rank_of(a) < rank_of(b); });
    for (auto first = added.begin(); first != added.end();) {
        const int rank = rank_of(*first);
        const auto last = std::find_if(first, added.end(), [&](const xac::Chunk& one) { return rank_of(one) != rank; });
        std::size_t at = chunks.size();
        while (at > 0) {
            const int before = rank_of(chunks[at - 1]);
            if (before >= 0 && before <= rank) break;
            --at;
        }
        chunks.insert(chunks.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(first),
                      std::make_move_iterator(last));
        first = last;
    }
}

}  // namespace effigy::emfx::bridge
