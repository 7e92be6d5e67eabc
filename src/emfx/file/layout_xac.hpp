#pragma once
/// The layout of every XAC record: fields in file order, with the versions that have them. Visitors read, write,
/// measure, dump and build from these functions alone. Source: docs/formats/xac.md, "All chunks".

#include "effigy/xac.hpp"

#include "emfx/file/elements.hpp"
#include "emfx/file/layout_common.hpp"

namespace effigy::xac {

using emfx::Access;

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Info>& info, std::uint32_t version) {
    if (version >= 4) v.field("lod_count", info.lod_count);
    if (version <= 2) {
        v.field("reposition_mask", info.reposition_mask);
        v.field("reposition_node", info.reposition_node);
    } else {
        v.field("trajectory_node", info.trajectory_node);
        v.field("motion_extraction_node", info.motion_extraction_node);
        if (version == 3) v.field("motion_extraction_mask", info.motion_extraction_mask);
    }
    v.field("exporter_major", info.exporter_major);
    v.field("exporter_minor", info.exporter_minor);
    v.field("padding", info.padding);
    if (version >= 2) v.field("retarget_root_offset", info.retarget_root_offset);
    v.field("source_application", info.source_application);
    v.field("original_file", info.original_file);
    v.field("export_date", info.export_date);
    v.field("actor_name", info.actor_name);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Node>& node, std::uint32_t version) {
    v.field("rotation", node.rotation);
    v.field("scale_rotation", node.scale_rotation);
    v.field("position", node.position);
    v.field("scale", node.scale);
    v.field("shear", node.shear);
    v.field("skeletal_lods", node.skeletal_lods);
    if (version >= 4) v.field("motion_lods", node.motion_lods);
    v.field("parent", node.parent);
    if (version >= 4) v.field("child_count", node.child_count);
    if (version >= 2) {
        v.field("flags", node.flags);
        v.field("padding", node.padding);
    }
    if (version >= 3) v.field("box", node.box);
    if (version >= 4) v.field("importance", node.importance);
    v.field("name", node.name);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Nodes>& nodes, std::uint32_t /*version*/) {
    constexpr std::uint32_t node_version = 4;  // chunk 11 v1 holds records of chunk 0 v4
    v.count("node_count", "node", nodes.nodes, 160);
    v.field("root_count", nodes.root_count);
    v.each("node", nodes.nodes, [&](auto& node) { layout(v, node, node_version); });
}

/// What the data of a layer consists of: known types swap by their parts, unknown ones stay as they are.
[[nodiscard]] const layout::ElementType& element_type_of(const VertexLayer& layer) noexcept;

template <class Visitor>
void layout(Visitor& v, Access<Visitor, VertexLayer>& layer, std::uint64_t vertex_count) {
    auto type = static_cast<std::uint32_t>(layer.type);
    v.field("type", type);
    if constexpr (Visitor::reading) layer.type = static_cast<LayerType>(type);
    v.field("element_size", layer.element_size);
    v.field("enable_deformations", layer.enable_deformations);
    v.field("is_scale", layer.is_scale);
    v.field("padding", layer.padding);
    v.block("data", layer.data, layer.element_size * vertex_count, element_type_of(layer));
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Submesh>& submesh) {
    v.count("index_count", "indices", submesh.indices, 4);
    v.field("vertex_count", submesh.vertex_count);
    v.field("material", submesh.material);
    v.count("bone_count", "bones", submesh.bones, 4);
    v.bulk("indices", submesh.indices);
    v.bulk("bones", submesh.bones);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Mesh>& mesh, std::uint32_t version) {
    v.field("node", mesh.node);
    if (version >= 2) v.field("lod", mesh.lod);
    v.field("original_vertex_count", mesh.original_vertex_count);
    v.field("vertex_count", mesh.vertex_count);
    v.field("index_count", mesh.index_count);
    v.count("submesh_count", "submesh", mesh.submeshes, 16);
    v.count("layer_count", "layer", mesh.layers, 12);
    v.field("is_collision", mesh.is_collision);
    v.field("padding", mesh.padding);
    v.each("layer", mesh.layers, [&](auto& layer) { layout(v, layer, std::uint64_t{mesh.vertex_count}); });
    v.each("submesh", mesh.submeshes, [&](auto& submesh) { layout(v, submesh); });
}

/// `range_count` gives the number of original vertices once everything before the ranges is known: it stands in the
/// mesh's chunk.
template <class Visitor, class RangeCount>
void layout(Visitor& v, Access<Visitor, Skinning>& skinning, std::uint32_t version, RangeCount&& range_count) {
    v.field("node", skinning.node);
    if (version >= 4) v.field("lod", skinning.lod);
    if (version >= 3) v.field("local_bone_count", skinning.local_bone_count);
    if (version >= 2) v.count("influence_count", "influences", skinning.influences, 8);
    v.field("is_for_collision_mesh", skinning.is_for_collision_mesh);
    v.field("padding", skinning.padding);
    if (version >= 2) {
        v.bulk("influences", skinning.influences);
        v.bulk("ranges", skinning.ranges, range_count());
        return;
    }
    v.each("vertex", skinning.vertices, range_count(), 1, [&](auto& vertex) {
        v.template count<std::uint8_t>("influence_count", "influences", vertex.influences, 8);
        v.bulk("influences", vertex.influences);
    });
}

/// Chunk 4 v1-v2; the layers inside chunk 3 have the v2 shape.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, MaterialLayer>& layer, std::uint32_t /*version*/) {
    v.field("amount", layer.amount);
    v.field("u_offset", layer.u_offset);
    v.field("v_offset", layer.v_offset);
    v.field("u_tiling", layer.u_tiling);
    v.field("v_tiling", layer.v_tiling);
    v.field("rotation", layer.rotation);
    v.field("material", layer.material);
    v.field("map_type", layer.map_type);
    v.field("blend_mode", layer.blend_mode);
    v.field("texture", layer.texture);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, StandardMaterial>& material, std::uint32_t version) {
    if (version >= 3) v.field("lod", material.lod);
    v.field("ambient", material.ambient);
    v.field("diffuse", material.diffuse);
    v.field("specular", material.specular);
    v.field("emissive", material.emissive);
    v.field("shine", material.shine);
    v.field("shine_strength", material.shine_strength);
    v.field("opacity", material.opacity);
    v.field("index_of_refraction", material.index_of_refraction);
    v.field("double_sided", material.double_sided);
    v.field("wireframe", material.wireframe);
    v.field("transparency_type", material.transparency_type);
    if (version == 1) {
        v.field("padding", material.padding);
    } else {
        v.template count<std::uint8_t>("layer_count", "layer", material.layers, 32);
    }
    v.field("name", material.name);
    if (version >= 2) v.each("layer", material.layers, [&](auto& layer) { layout(v, layer, 2); });
}

template <class Visitor, class Parameters>
void layout_parameters(Visitor& v, const char* name, Parameters& parameters) {
    v.each(name, parameters, [&](auto& parameter) {
        v.field("value", parameter.value);
        v.field("name", parameter.name);
    });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, FxMaterial>& material, std::uint32_t version) {
    if (version >= 3) v.field("lod", material.lod);
    v.count("int_count", "int", material.ints, 8);
    v.count("float_count", "float", material.floats, 8);
    v.count("color_count", "color", material.colors, 20);
    if (version >= 2) {
        v.count("bool_count", "bool", material.bools, 5);
        v.count("vector_count", "vector", material.vectors, 16);
    }
    v.count("bitmap_count", "bitmap", material.bitmaps, 8);
    v.field("name", material.name);
    v.field("effect_file", material.effect_file);
    if (version >= 2) v.field("technique", material.technique);
    layout_parameters(v, "int", material.ints);
    layout_parameters(v, "float", material.floats);
    layout_parameters(v, "color", material.colors);
    if (version >= 2) {
        layout_parameters(v, "bool", material.bools);
        layout_parameters(v, "vector", material.vectors);
    }
    v.each("bitmap", material.bitmaps, [&](auto& bitmap) {
        v.field("name", bitmap.name);
        v.field("value", bitmap.value);
    });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Limit>& limit, std::uint32_t /*version*/) {
    v.field("translation_min", limit.translation_min);
    v.field("translation_max", limit.translation_max);
    v.field("rotation_min", limit.rotation_min);
    v.field("rotation_max", limit.rotation_max);
    v.field("scale_min", limit.scale_min);
    v.field("scale_max", limit.scale_max);
    v.field("flags", limit.flags);
    v.field("padding", limit.padding);
    v.field("node", limit.node);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MorphDeformation>& deformation) {
    v.field("node", deformation.node);
    v.field("min_value", deformation.min_value);
    v.field("max_value", deformation.max_value);
    v.count("vertex_count", "vertices", deformation.vertices, 16);
    const std::uint64_t count = deformation.vertices.size();
    v.bulk("positions", deformation.positions, count);
    v.bulk("normals", deformation.normals, count);
    v.bulk("tangents", deformation.tangents, count);
    v.bulk("vertices", deformation.vertices);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MorphTransformation>& transformation) {
    v.field("node", transformation.node);
    v.field("rotation", transformation.rotation);
    v.field("scale_rotation", transformation.scale_rotation);
    v.field("position", transformation.position);
    v.field("scale", transformation.scale);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MorphTarget>& target, std::uint32_t /*version*/) {
    v.field("range_min", target.range_min);
    v.field("range_max", target.range_max);
    v.field("lod", target.lod);
    v.count("deformation_count", "deformation", target.deformations, 16);
    v.count("transformation_count", "transformation", target.transformations, 60);
    v.field("phoneme_sets", target.phoneme_sets);
    v.field("name", target.name);
    v.each("deformation", target.deformations, [&](auto& deformation) { layout(v, deformation); });
    v.each("transformation", target.transformations, [&](auto& transformation) { layout(v, transformation); });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MorphTargets>& targets, std::uint32_t version) {
    v.count("target_count", "target", targets.targets, 28);
    v.field("lod", targets.lod);
    v.each("target", targets.targets, [&](auto& target) { layout(v, target, version); });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, NodeGroup>& group) {
    v.template count<std::uint16_t>("node_count", "nodes", group.nodes, 2);
    v.field("disabled_on_default", group.disabled_on_default);
    v.field("padding", group.padding);
    v.field("name", group.name);
    v.bulk("nodes", group.nodes);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, NodeGroups>& list, std::uint32_t /*version*/) {
    constexpr std::uint64_t min_group = 8;
    v.note("counted", list.counted);
    if (list.counted) {
        v.template count<std::uint16_t>("group_count", "group", list.groups, min_group);
        v.each("group", list.groups, [&](auto& group) { layout(v, group); });
    } else {
        v.each("group", list.groups, 1, min_group, [&](auto& group) { layout(v, group); });
    }
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MaterialInfo>& info, std::uint32_t version) {
    if (version >= 2) v.field("lod", info.lod);
    v.field("total", info.total);
    v.field("standard", info.standard);
    v.field("fx", info.fx);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, NodeMotionSources>& sources, std::uint32_t /*version*/) {
    v.note("has_axes", sources.has_axes);
    v.count("node_count", "sources", sources.sources, 2);
    v.bulk("sources", sources.sources);
    if (!sources.has_axes) return;
    v.bulk("axes", sources.axes, sources.sources.size());
    v.bulk("flags", sources.flags, sources.sources.size());
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, AttachmentNodes>& attachments, std::uint32_t /*version*/) {
    v.count("node_count", "nodes", attachments.nodes, 2);
    v.bulk("nodes", attachments.nodes);
}

}  // namespace effigy::xac
