/// Chunks of the old file, with what they are about as it is now.

#include <algorithm>
#include <array>
#include <utility>

#include "emfx/from_scene/chunks.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Takes records of the old file over to the node numbers of today.
struct NodeUpdate {
    const FileParts& parts;
    bool is_same = true;  ///< nothing has changed

    [[nodiscard]] std::uint32_t number(std::uint32_t node) {
        const std::uint32_t now = parts.numbering.of_old(node);
        is_same = is_same && now == node;
        return now;
    }

    void list(Bulk<std::uint16_t>& nodes) {
        std::size_t kept = 0;
        for (const std::uint16_t node : nodes) {
            const std::uint32_t now = number(node);
            if (now <= 0xffff) nodes[kept++] = static_cast<std::uint16_t>(now);
        }
        nodes.resize(kept);
    }

    void info(xac::Info& record) {
        for (std::uint32_t* node : {&record.reposition_node, &record.trajectory_node, &record.motion_extraction_node}) {
            if (*node != xac::no_node) *node = number(*node);
            if (!parts.are_nodes_raw && *node >= parts.nodes.size()) *node = xac::no_node;
        }
    }

    void sources(xac::NodeMotionSources& mirror) {
        // A file that does not say how many nodes it had has one source for each.
        const bool are_all_there = parts.numbering.old.empty() || mirror.sources.size() == parts.nodes.size();
        if (parts.are_nodes_raw && are_all_there) return;
        is_same = false;
        xac::NodeMotionSources now;
        now.has_axes = mirror.has_axes && mirror.axes.size() == mirror.sources.size() &&
                       mirror.flags.size() == mirror.sources.size();
        const std::size_t count = parts.nodes.size();
        now.sources.assign(count, std::uint16_t{0xffff});
        if (now.has_axes) now.axes.assign(count, std::uint8_t{0});
        if (now.has_axes) now.flags.assign(count, std::uint8_t{0});
        for (std::uint32_t old = 0; old < mirror.sources.size(); ++old) {
            const std::uint32_t node = parts.numbering.of_old(old);
            if (node >= count) continue;
            const std::uint32_t source = parts.numbering.of_old(mirror.sources[old]);
            if (source < count) now.sources[node] = static_cast<std::uint16_t>(source);
            if (!now.has_axes) continue;
            now.axes[node] = mirror.axes[old];
            now.flags[node] = mirror.flags[old];
        }
        mirror = std::move(now);
    }

    void morph_target(xac::MorphTarget& target) {
        for (xac::MorphDeformation& deformation : target.deformations) deformation.node = number(deformation.node);
        std::erase_if(target.deformations, [](const auto& d) { return d.node == no_number; });
        for (xac::MorphTransformation& transformation : target.transformations) {
            transformation.node = number(transformation.node);
        }
        std::erase_if(target.transformations, [](const auto& t) { return t.node == no_number; });
    }
};

bool has_id(const FileParts& parts, std::size_t chunk, std::uint64_t id) {
    const Json& chunks = chunks_of(parts.json);
    return chunk < chunks.size() && number_member(chunks[chunk], "id") == id;
}

/// A material that does not stand where it stood has all its layers in itself. Every layer says whose it is.
void settle_layers_of(NativeMaterial& material, std::size_t number) {
    auto* const standard = std::get_if<xac::StandardMaterial>(&material.record);
    if (standard == nullptr || (material.is_raw && material.chunk)) return;
    join_layers(*standard, material.separate_layers);
    for (xac::MaterialLayer& layer : standard->layers) layer.material = static_cast<std::uint16_t>(number);
}

/// A mesh that cannot stand where it stood, its skinning behind it, is a new one.
void find_place(FileParts& parts, std::size_t number, OldPlaces& places) {
    NativeMesh& mesh = parts.meshes[number];
    const bool skinning_fits =
        !mesh.skinning || (mesh.chunk && mesh.skinning_chunk && *mesh.skinning_chunk > *mesh.chunk &&
                           has_id(parts, *mesh.skinning_chunk, 2) && !places.skinnings.contains(*mesh.skinning_chunk));
    const bool fits = mesh.chunk && has_id(parts, *mesh.chunk, 1) && !places.meshes.contains(*mesh.chunk);
    const bool is_as_it_was = mesh.is_raw && fits;  // even with its skinning before it, or shared
    if (!fits || (!skinning_fits && !is_as_it_was)) {
        mesh.chunk.reset();
        return;
    }
    places.meshes.emplace(*mesh.chunk, number);
    if (mesh.skinning && mesh.skinning_chunk) places.skinnings.try_emplace(*mesh.skinning_chunk, number);
}

/// Whether chunks of a kind name nodes by their numbers.
bool names_nodes(std::uint32_t id) {
    constexpr std::array<bool, 16> by_id{true,  true, true, false, false, false, true, true,
                                         false, true, true, true,  true,  false, true, true};
    return id < by_id.size() && by_id[id];
}

/// Whether nodes have the numbers that they had, and there are no others.
bool are_numbers_kept(const FileParts& parts) {
    const auto told_count = number_member(parts.json, "node_count");
    if (told_count && *told_count != parts.nodes.size()) return false;
    if (parts.are_nodes_raw) return true;
    const std::vector<std::uint32_t>& now = parts.numbering.old;
    for (std::uint32_t old = 0; old < now.size(); ++old) {
        if (now[old] != old) return false;
    }
    return now.size() == parts.nodes.size();
}

/// Whether the file has the meshes that the old one had, edited or not, and no others.
bool has_old_meshes(const FileParts& parts, const OldPlaces& places) {
    const Json& chunks = chunks_of(parts.json);
    const auto old = std::count_if(chunks.begin(), chunks.end(), is_mesh);
    return std::cmp_equal(places.meshes.size(), old) && places.meshes.size() == parts.meshes.size();
}

/// Levels of detail whose meshes are in the file itself.
std::uint32_t count_levels(const FileParts& parts) {
    std::uint32_t last = 0;
    for (const NativeMesh& native : parts.meshes) last = std::max(last, native.mesh.lod);
    return last + 1;
}

bool are_materials_raw(const FileParts& parts, const OldPlaces& places) {
    return places.materials.size() == places.old_materials.size() &&
           parts.materials.size() == places.old_materials.size();
}

/// A texture in a chunk of its own stays with a material that is what it was.
Fate update_layer(const FileParts& parts, const OldPlaces& places, xac::MaterialLayer& layer) {
    if (layer.material >= places.old_materials.size())
        return are_materials_raw(parts, places) ? Fate::same : Fate::gone;
    const auto found = places.materials.find(places.old_materials[layer.material]);
    if (found == places.materials.end() || !parts.materials[found->second].is_raw) return Fate::gone;
    const bool is_same = layer.material == found->second;
    layer.material = static_cast<std::uint16_t>(found->second);
    return is_same ? Fate::same : Fate::changed;
}

/// Version 1 has a list for each vertex.
void split_table(xac::Skinning& skinning) {
    for (const xac::InfluenceRange& range : skinning.ranges) {
        xac::VertexInfluences& vertex = skinning.vertices.emplace_back();
        const std::size_t all = skinning.influences.size();
        const std::size_t first = std::min<std::size_t>(range.first, all);
        const std::size_t count = std::min<std::size_t>({range.count, all - first, 255});
        const auto begin = skinning.influences.begin() + static_cast<std::ptrdiff_t>(first);
        vertex.influences.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    skinning.influences = {};
    skinning.ranges = {};
}

}  // namespace

bool are_meshes_raw(const FileParts& parts) {
    return std::all_of(parts.meshes.begin(), parts.meshes.end(), [](const auto& mesh) { return mesh.is_raw; });
}

void settle_layers(FileParts& parts) {
    for (std::size_t i = 0; i < parts.materials.size(); ++i) settle_layers_of(parts.materials[i], i);
}

OldPlaces find_old_places(FileParts& parts) {
    OldPlaces places;
    for (std::size_t i = 0; i < parts.materials.size(); ++i) {
        if (parts.materials[i].chunk) places.materials.try_emplace(*parts.materials[i].chunk, i);
    }
    const Json& chunks = chunks_of(parts.json);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        if (is_material(chunks[i])) places.old_materials.push_back(i);
    }
    for (std::size_t i = 0; i < parts.meshes.size(); ++i) find_place(parts, i, places);
    return places;
}

bool is_still_true(const FileParts& parts, const OldPlaces& places, const xac::Chunk& chunk) {
    if (!names_nodes(chunk.id) || !XacFormat::make_record(chunk.id, chunk.version)) return true;
    const bool names_vertices = chunk.id == 9 || chunk.id == 12;
    return are_numbers_kept(parts) && (!names_vertices || (are_meshes_raw(parts) && has_old_meshes(parts, places)));
}

Fate fill_nodes(const FileParts& parts, const Json& json, std::size_t& next, xac::Chunk& chunk) {
    if (!parts.are_nodes_raw) {
        if (next != 0) return Fate::gone;
        chunk = nodes_chunk(parts);
        next = parts.nodes.size();
        return Fate::changed;
    }
    if (auto* node = std::get_if<xac::Node>(&chunk.record)) {
        if (next >= parts.nodes.size()) return Fate::gone;
        *node = parts.nodes[next++];
        return Fate::same;
    }
    auto& list = std::get<xac::Nodes>(chunk.record);
    const std::size_t rest = parts.nodes.size() - next;
    const std::uint64_t single = parts.json.is_object() ? number_member(json, "node_count").value_or(rest) : rest;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(single, rest));
    const auto first = parts.nodes.begin() + static_cast<std::ptrdiff_t>(next);
    list.nodes.assign(first, first + static_cast<std::ptrdiff_t>(count));
    next += count;
    list.root_count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(number_member(json, "root_count").value_or(count_roots(list)), no_number));
    return Fate::same;
}

Fate fill_material(const FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk) {
    const auto found = places.materials.find(index);
    if (found == places.materials.end()) return Fate::gone;
    const NativeMaterial& material = parts.materials[found->second];
    xac::Chunk fresh = material_chunk(material);
    // Version 1 has its textures in other chunks, which a changed material does not use.
    if (fresh.id == chunk.id && (material.is_raw || chunk.version >= 2)) fresh.version = chunk.version;
    chunk = std::move(fresh);
    return material.is_raw ? Fate::same : Fate::changed;
}

Fate fill_mesh(FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk) {
    const auto found = places.meshes.find(index);
    if (found == places.meshes.end()) return Fate::gone;
    NativeMesh& native = parts.meshes[found->second];
    if (native.mesh.lod != 0) chunk.version = std::max(chunk.version, 2u);
    chunk.record = std::move(native.mesh);
    return native.is_raw ? Fate::same : Fate::changed;
}

Fate fill_skinning(FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk) {
    const auto found = places.skinnings.find(index);
    if (found == places.skinnings.end()) return Fate::gone;
    NativeMesh& native = parts.meshes[found->second];
    if (native.skinning->lod != 0) chunk.version = std::max(chunk.version, 4u);
    if (chunk.version == 1) split_table(*native.skinning);
    chunk.record = std::move(*native.skinning);
    native.skinning.reset();
    return native.is_raw ? Fate::same : Fate::changed;
}

Fate update_record(const FileParts& parts, const OldPlaces& places, bool is_ported, xac::Chunk& chunk) {
    xac::Record& record = chunk.record;
    NodeUpdate update{parts};
    if (auto* info = std::get_if<xac::Info>(&record)) {
        update.info(*info);
        if (chunk.version >= 4 && !has_old_meshes(parts, places)) {
            info->lod_count = count_levels(parts);
            update.is_same = false;
        }
    } else if (auto* limit = std::get_if<xac::Limit>(&record)) {
        limit->node = update.number(limit->node);
        if (limit->node == no_number) return Fate::gone;
    } else if (auto* list = std::get_if<xac::NodeGroups>(&record)) {
        for (xac::NodeGroup& group : list->groups) update.list(group.nodes);
    } else if (auto* attachments = std::get_if<xac::AttachmentNodes>(&record)) {
        update.list(attachments->nodes);
    } else if (auto* mirror = std::get_if<xac::NodeMotionSources>(&record)) {
        update.sources(*mirror);
    } else if (auto* counts = std::get_if<xac::MaterialInfo>(&record)) {
        if (are_materials_raw(parts, places) && !is_ported) return Fate::same;
        // From version 2 on, each level of detail has its own.
        *counts = count_materials(parts, chunk.version < 2 ? std::nullopt : std::optional(counts->lod));
        return Fate::changed;
    } else if (auto* layer = std::get_if<xac::MaterialLayer>(&record)) {
        return update_layer(parts, places, *layer);
    } else if (std::holds_alternative<xac::MorphTarget>(record) || std::holds_alternative<xac::MorphTargets>(record)) {
        for (xac::MorphTarget& one : records_in(record, &xac::MorphTargets::targets)) update.morph_target(one);
        return update.is_same && are_meshes_raw(parts) ? Fate::same : Fate::changed;
    }
    return update.is_same ? Fate::same : Fate::changed;
}

}  // namespace effigy::emfx::bridge
