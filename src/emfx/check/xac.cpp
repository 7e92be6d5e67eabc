/// Rules of `check` for an actor beside nodes and meshes: materials, limits, groups, mirroring, morph targets, levels
/// of detail.

#include <algorithm>
#include <functional>
#include <tuple>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/check/actor.hpp"

namespace effigy::emfx::checks {

namespace {

/// Files inside files that are followed; readers allow fewer.
constexpr int max_nested = 32;

template <class Record>
void add_keyed(std::vector<Keyed<Record>>& list, const xac::Chunk& chunk, std::size_t index) {
    if (const auto* record = std::get_if<Record>(&chunk.record))
        list.push_back({key_of(*record, chunk.version), index, record});
}

template <class Record>
void sort_keyed(std::vector<Keyed<Record>>& list) {
    std::sort(list.begin(), list.end(), [](const auto& left, const auto& right) {
        return std::tie(left.key, left.chunk) < std::tie(right.key, right.chunk);
    });
}

template <class Record>
const Keyed<Record>* find_keyed(const std::vector<Keyed<Record>>& list, const MeshKey& key) noexcept {
    const auto found =
        std::lower_bound(list.begin(), list.end(), key,
                         [](const Keyed<Record>& keyed, const MeshKey& wanted) { return keyed.key < wanted; });
    return found != list.end() && found->key == key ? &*found : nullptr;
}

// --- info

void check_optional_node(const Actor& actor, std::uint32_t node, const Where& where) {
    if (node != xac::no_node) actor.check_node(node, where);
}

void check_info(const Actor& actor, const xac::Info& info, std::uint32_t version, const Where& where) {
    if (version < 3) {
        check_optional_node(actor, info.reposition_node, {&where, "reposition_node"});
    } else {
        check_optional_node(actor, info.trajectory_node, {&where, "trajectory_node"});
        check_optional_node(actor, info.motion_extraction_node, {&where, "motion_extraction_node"});
    }
    actor.findings.text(info.source_application, {&where, "source_application"});
    actor.findings.text(info.original_file, {&where, "original_file"});
    actor.findings.text(info.export_date, {&where, "export_date"});
    actor.findings.text(info.actor_name, {&where, "actor_name"});
}

// --- materials

bool has_path(std::string_view name) { return name.find_first_of("/\\") != std::string_view::npos; }

/// A dot with one to four letters or digits behind it.
bool has_extension(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot != std::string_view::npos && name.size() - dot >= 2 && name.size() - dot <= 5;
}

void check_material_layer(const Actor& actor, const xac::MaterialLayer& layer, const Where& where) {
    const auto values = std::to_array<std::pair<std::string_view, float>>({{"amount", layer.amount},
                                                                           {"u_offset", layer.u_offset},
                                                                           {"v_offset", layer.v_offset},
                                                                           {"u_tiling", layer.u_tiling},
                                                                           {"v_tiling", layer.v_tiling},
                                                                           {"rotation", layer.rotation}});
    for (const auto& [name, value] : values) check_finite(value, {&where, name}, actor.findings);
    if (layer.map_type > 13)
        actor.findings.add(codes::material_map_type, {&where, "map_type"}, number(layer.map_type), "0 to 13");
    const Where texture{&where, "texture"};
    actor.findings.text(layer.texture, texture);
    // Paradox's games want a mask even where there is nothing to mask.
    constexpr std::uint8_t mask_slot = 3;
    const bool is_stub = layer.map_type == mask_slot && !layer.texture.empty();
    if (is_no_texture(layer.texture) && !is_stub)
        actor.findings.collect(codes::texture_none, texture, in_quotes(layer.texture), "a texture");
    else if (has_path(layer.texture) || has_extension(layer.texture))
        actor.findings.collect(codes::texture_path, texture, in_quotes(layer.texture), "a plain name");
}

void check_color(const Color& color, const Where& where, Findings& findings) {
    if (not_finite(color.r) || not_finite(color.g) || not_finite(color.b) || not_finite(color.a))
        findings.add(codes::not_finite, where, numbers(std::array{color.r, color.g, color.b, color.a}),
                     "finite numbers");
}

void check_material(const Actor& actor, const xac::StandardMaterial& material, const Where& where) {
    Findings& findings = actor.findings;
    findings.text(material.name, {&where, "name"});
    check_color(material.ambient, {&where, "ambient"}, findings);
    check_color(material.diffuse, {&where, "diffuse"}, findings);
    check_color(material.specular, {&where, "specular"}, findings);
    check_color(material.emissive, {&where, "emissive"}, findings);
    check_finite(material.shine, {&where, "shine"}, findings);
    check_finite(material.shine_strength, {&where, "shine_strength"}, findings);
    check_finite(material.opacity, {&where, "opacity"}, findings);
    if (!not_finite(material.opacity) && (material.opacity < 0 || material.opacity > 1))
        findings.add(codes::material_opacity, {&where, "opacity"}, number(material.opacity), "0 to 1");
    check_finite(material.index_of_refraction, {&where, "index_of_refraction"}, findings);
    constexpr std::string_view transparency_types = "FSAU";
    if (transparency_types.find(static_cast<char>(material.transparency_type)) == std::string_view::npos)
        findings.add(codes::material_transparency, {&where, "transparency_type"}, number(material.transparency_type),
                     "70 F, 83 S, 65 A or 85 U");
    for (std::size_t index = 0; index < material.layers.size(); ++index)
        check_material_layer(actor, material.layers[index], {&where, "layer", index});
}

/// Calls `check(element, place)` for each element of a list of parameters.
template <class List, class Check>
void each_parameter(const List& list, std::string_view name, const Where& where, Findings& findings, Check check) {
    for (std::size_t index = 0; index < list.size(); ++index) {
        const Where place{&where, name, index};
        findings.text(list[index].name, {&place, "name"});
        check(list[index], Where{&place, "value"});
    }
}

void check_fx_material(const Actor& actor, const xac::FxMaterial& material, const Where& where) {
    Findings& findings = actor.findings;
    findings.text(material.name, {&where, "name"});
    findings.text(material.effect_file, {&where, "effect_file"});
    findings.text(material.technique, {&where, "technique"});
    const auto ignore = [](const auto&, const Where&) {};
    each_parameter(material.ints, "int", where, findings, ignore);
    each_parameter(material.floats, "float", where, findings,
                   [&](const auto& parameter, const Where& value) { check_finite(parameter.value, value, findings); });
    each_parameter(material.colors, "color", where, findings,
                   [&](const auto& parameter, const Where& value) { check_color(parameter.value, value, findings); });
    each_parameter(material.bools, "bool", where, findings, ignore);
    each_parameter(material.vectors, "vector", where, findings,
                   [&](const auto& parameter, const Where& value) { check_finite(parameter.value, value, findings); });
    each_parameter(material.bitmaps, "bitmap", where, findings, [&](const auto& parameter, const Where& value) {
        findings.text(parameter.value, value);
        if (is_no_texture(parameter.value))
            findings.collect(codes::texture_none, value, in_quotes(parameter.value), "a texture");
        else if (has_path(parameter.value))  // an extension is usual here
            findings.collect(codes::texture_path, value, in_quotes(parameter.value), "a plain name");
    });
}

/// Materials of one kind at one level of detail; all of them if `lod` is none.
template <class Material>
std::uint64_t count_materials(const xac::File& file, std::optional<std::uint32_t> lod) {
    std::uint64_t count = 0;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* material = std::get_if<Material>(&chunk.record);
        if (material != nullptr && (!lod || *lod == (chunk.version >= 3 ? material->lod : 0))) ++count;
    }
    return count;
}

void check_material_info(const Actor& actor, const xac::MaterialInfo& info, std::uint32_t version, const Where& where) {
    const std::optional<std::uint32_t> lod = version >= 2 ? std::optional(info.lod) : std::nullopt;
    const std::uint64_t standard = count_materials<xac::StandardMaterial>(actor.file, lod);
    const std::uint64_t fx = count_materials<xac::FxMaterial>(actor.file, lod);
    const auto compare = [&](std::string_view field, std::uint32_t stored, std::uint64_t counted) {
        if (stored != counted)
            actor.findings.add(codes::material_info_count, {&where, field}, number(stored), number(counted));
    };
    compare("total", info.total, standard + fx);
    compare("standard", info.standard, standard);
    compare("fx", info.fx, fx);
}

void check_material_infos(const Actor& actor) {
    bool any = false;
    constexpr int max_compared = 64;  // counting is linear in the chunks: a real file has one info a level
    int compared = 0;
    for (std::size_t index = 0; index < actor.file.chunks.size(); ++index) {
        const xac::Chunk& chunk = actor.file.chunks[index];
        const auto* info = std::get_if<xac::MaterialInfo>(&chunk.record);
        if (info == nullptr) continue;
        any = true;
        if (compared++ < max_compared) check_material_info(actor, *info, chunk.version, actor.place(index));
    }
    if (!any && actor.materials() != 0)
        actor.findings.add(codes::material_info_missing, actor.findings.file(), "no material info",
                           number(actor.materials()) + " materials counted");
}

// --- limits, groups, mirroring, attachments

void check_limit(const Actor& actor, const xac::Limit& limit, const Where& where) {
    actor.check_node(limit.node, {&where, "node"});
    const auto pair = [&](const Vec3& low, const Vec3& high, std::string_view low_name, std::string_view high_name) {
        check_finite(low, {&where, low_name}, actor.findings);
        check_finite(high, {&where, high_name}, actor.findings);
        if (low.x > high.x || low.y > high.y || low.z > high.z)
            actor.findings.add(codes::node_limit_order, {&where, low_name}, numbers(low), "at most " + numbers(high));
    };
    pair(limit.translation_min, limit.translation_max, "translation_min", "translation_max");
    pair(limit.rotation_min, limit.rotation_max, "rotation_min", "rotation_max");
    pair(limit.scale_min, limit.scale_max, "scale_min", "scale_max");
}

/// node-range for a list; `none` is allowed.
void check_node_list(const Actor& actor, std::span<const std::uint16_t> nodes, std::uint32_t none,
                     std::string_view name, const Where& where) {
    const auto beyond = [&](std::size_t i) { return nodes[i] >= actor.nodes.size() && nodes[i] != none; };
    if (const Tally bad = tally(nodes.size(), beyond))
        actor.findings.add(codes::node_range, {&where, name, bad.first}, number(nodes[bad.at()]),
                           "below " + number(actor.nodes.size()), bad.count);
}

void check_mirror(const Actor& actor, const xac::NodeMotionSources& mirror, const Where& where) {
    const auto length = [&](std::string_view name, std::size_t size) {
        if (size != actor.nodes.size())
            actor.findings.add(codes::mirror_count, {&where, name}, number(size), number(actor.nodes.size()));
    };
    length("sources", mirror.sources.size());
    if (mirror.has_axes) {
        length("axes", mirror.axes.size());
        length("flags", mirror.flags.size());
    }
    check_node_list(actor, mirror.sources, 0xffff, "sources", where);
}

// --- morph targets

void check_repeated(const Bulk<std::uint32_t>& vertices, const Where& where, Findings& findings) {
    // Exporters write them in order, in which nothing needs to be sorted.
    if (std::adjacent_find(vertices.begin(), vertices.end(), std::greater_equal<>()) == vertices.end()) return;
    Bulk<std::uint32_t> sorted = vertices;
    std::sort(sorted.begin(), sorted.end());
    const auto again = [&](std::size_t i) { return sorted[i] == sorted[i + 1]; };
    if (const Tally repeated = tally(sorted.size() - 1, again))
        findings.add(codes::morph_vertex_repeated, {&where, "vertices"}, number(sorted[repeated.at()]) + " again",
                     "each vertex once", repeated.count);
}

void check_deformation(const Actor& actor, const xac::MorphDeformation& deformation, const Where& where) {
    Findings& findings = actor.findings;
    check_finite(deformation.min_value, {&where, "min_value"}, findings);
    check_finite(deformation.max_value, {&where, "max_value"}, findings);
    if (deformation.min_value > deformation.max_value)
        findings.add(codes::morph_delta_range, {&where, "min_value"}, number(deformation.min_value),
                     "at most " + number(deformation.max_value));
    const auto length = [&](std::string_view name, std::size_t size) {
        if (size != deformation.vertices.size())
            findings.add(codes::morph_arrays, {&where, name}, number(size) + " elements",
                         number(deformation.vertices.size()) + ", as vertices");
    };
    length("positions", deformation.positions.size());
    length("normals", deformation.normals.size());
    length("tangents", deformation.tangents.size());

    check_repeated(deformation.vertices, where, findings);

    const std::optional<std::uint32_t> vertices = actor.vertices_on(deformation.node);
    if (deformation.node >= actor.nodes.size() || !vertices) {
        actor.check_node(deformation.node, {&where, "node"});
        if (deformation.node < actor.nodes.size())
            findings.add(codes::morph_mesh, {&where, "node"}, number(deformation.node), "a node with a mesh");
        return;
    }
    const auto beyond = [&](std::size_t i) { return deformation.vertices[i] >= *vertices; };
    if (const Tally bad = tally(deformation.vertices.size(), beyond))
        findings.add(codes::morph_vertex, {&where, "vertices", bad.first}, number(deformation.vertices[bad.at()]),
                     "below " + number(*vertices), bad.count);
}

void check_transformation(const Actor& actor, const xac::MorphTransformation& transformation, const Where& where) {
    actor.check_node(transformation.node, {&where, "node"});
    check_rotation(transformation.rotation, {&where, "rotation"}, actor.findings);
    check_rotation(transformation.scale_rotation, {&where, "scale_rotation"}, actor.findings);
    check_finite(transformation.position, {&where, "position"}, actor.findings);
    check_finite(transformation.scale, {&where, "scale"}, actor.findings);
}

void check_target(const Actor& actor, const xac::MorphTarget& target, const Where& where) {
    Findings& findings = actor.findings;
    check_finite(target.range_min, {&where, "range_min"}, findings);
    check_finite(target.range_max, {&where, "range_max"}, findings);
    if (target.range_min >= target.range_max)
        findings.add(codes::morph_range, {&where, "range_min"}, number(target.range_min),
                     "below " + number(target.range_max));
    findings.text(target.name, {&where, "name"});
    if (target.name.empty()) findings.add(codes::morph_name_empty, {&where, "name"}, in_quotes(""), "a name");
    for (std::size_t index = 0; index < target.deformations.size(); ++index)
        check_deformation(actor, target.deformations[index], {&where, "deformation", index});
    for (std::size_t index = 0; index < target.transformations.size(); ++index)
        check_transformation(actor, target.transformations[index], {&where, "transformation", index});
}

/// Names are unique at one level of detail: later levels repeat them.
void check_target_names(const Actor& actor) {
    struct Named {
        std::uint32_t lod;
        std::string_view name;
        std::size_t chunk;
        std::uint64_t element;
    };
    std::vector<Named> targets;
    for (std::size_t index = 0; index < actor.file.chunks.size(); ++index) {
        const xac::Record& record = actor.file.chunks[index].record;
        if (const auto* single = std::get_if<xac::MorphTarget>(&record))
            targets.push_back({single->lod, single->name, index, Where::no_index});
        if (const auto* list = std::get_if<xac::MorphTargets>(&record))
            for (std::size_t element = 0; element < list->targets.size(); ++element)
                targets.push_back({list->lod, list->targets[element].name, index, element});
    }
    const auto same = [](const Named& left, const Named& right) {
        return std::tie(left.lod, left.name) == std::tie(right.lod, right.name);
    };
    std::stable_sort(targets.begin(), targets.end(), [](const Named& left, const Named& right) {
        return std::tie(left.lod, left.name) < std::tie(right.lod, right.name);
    });
    for (std::size_t index = 1; index < targets.size(); ++index) {
        const Named& target = targets[index];
        if (target.name.empty() || !same(target, targets[index - 1])) continue;
        const Where chunk = actor.place(target.chunk);
        const Where element{&chunk, "target", target.element};
        const Where& place = target.element == Where::no_index ? chunk : element;
        actor.findings.add(codes::morph_name_duplicate, {&place, "name"}, in_quotes(target.name),
                           "a name that no earlier target has");
    }
}

// --- the whole

void check_actor(const xac::File& file, Findings& findings, int depth, const Actor* base);

void check_lod(const Actor& actor, const xac::MeshLod& lod, const Where& where, int depth) {
    if (lod.actor.empty()) {
        actor.findings.add(codes::lod_actor, where, number(lod.bytes.size()) + " bytes", "an XAC file");
    } else if (depth >= max_nested) {
        actor.findings.add(codes::lod_depth, where, "more than " + number(max_nested), "fewer levels inside levels");
    } else {
        const Where embedded{&where, "actor"};
        Findings findings(actor.findings.report(), &embedded);
        check_actor(lod.actor.front(), findings, depth + 1, &actor);
        findings.finish();
    }
}

/// Nodes of a level of detail are found in the actor by name.
void check_lod_nodes(const Actor& lod, const Actor& base) {
    std::vector<std::string_view> names;
    for (const NodePlace& place : base.nodes) names.push_back(place.node->name);
    std::sort(names.begin(), names.end());
    for (std::size_t index = 0; index < lod.nodes.size(); ++index) {
        const std::string_view name = lod.nodes[index].node->name;
        if (std::binary_search(names.begin(), names.end(), name)) continue;
        lod.with_node(index, [&](const Where& node) {
            lod.findings.collect(codes::lod_node, {&node, "name"}, in_quotes(name), "a node of the actor");
        });
    }
}

struct ChunkCheck {
    const Actor& actor;
    const xac::Chunk& chunk;
    Where where;
    int depth = 0;

    void operator()(const xac::Info& info) const { check_info(actor, info, chunk.version, where); }
    void operator()(const xac::StandardMaterial& material) const { check_material(actor, material, where); }
    void operator()(const xac::FxMaterial& material) const { check_fx_material(actor, material, where); }
    void operator()(const xac::MaterialLayer& layer) const {
        check_material_layer(actor, layer, where);
        if (layer.material >= actor.materials())
            actor.findings.add(codes::material_layer_number, {&where, "material"}, number(layer.material),
                               "below " + number(actor.materials()));
    }
    void operator()(const xac::Limit& limit) const { check_limit(actor, limit, where); }
    void operator()(const xac::MeshLod& lod) const { check_lod(actor, lod, where, depth); }
    void operator()(const xac::MorphTarget& target) const { check_target(actor, target, where); }
    void operator()(const xac::MorphTargets& list) const {
        for (std::size_t index = 0; index < list.targets.size(); ++index)
            check_target(actor, list.targets[index], {&where, "target", index});
    }
    void operator()(const xac::NodeGroups& list) const {
        for (std::size_t index = 0; index < list.groups.size(); ++index) {
            const Where group{&where, "group", index};
            actor.findings.text(list.groups[index].name, {&group, "name"});
            check_node_list(actor, list.groups[index].nodes, xac::no_node, "nodes", group);
        }
    }
    void operator()(const xac::NodeMotionSources& mirror) const { check_mirror(actor, mirror, where); }
    void operator()(const xac::AttachmentNodes& attachments) const {
        check_node_list(actor, attachments.nodes, xac::no_node, "nodes", where);
    }
    void operator()(const MotionEvents& events) const { check_events(events, chunk.version, where, actor.findings); }
    void operator()(const Timestamp& timestamp) const { check_timestamp(timestamp, where, actor.findings); }
    // These have rules of their own that look at all of their kind.
    template <class Other>
    void operator()(const Other&) const {}
};

void check_actor(const xac::File& file, Findings& findings, int depth, const Actor* base) {
    const Actor actor(file, findings);
    check_container<xac::Info>(file, findings);
    check_nodes(actor);
    if (base != nullptr) check_lod_nodes(actor, *base);
    check_material_infos(actor);
    check_meshes(actor);
    check_target_names(actor);
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const xac::Chunk& chunk = file.chunks[index];
        if (!chunk.record.valueless_by_exception())
            std::visit(ChunkCheck{actor, chunk, actor.place(index), depth}, chunk.record);
    }
}

}  // namespace

MeshKey key_of(const xac::Mesh& mesh, std::uint32_t version) noexcept {
    return {mesh.node, version >= 2 ? mesh.lod : 0, mesh.is_collision != 0};
}

MeshKey key_of(const xac::Skinning& skinning, std::uint32_t version) noexcept {
    return {skinning.node, version >= 4 ? skinning.lod : 0, skinning.is_for_collision_mesh != 0};
}

Actor::Actor(const xac::File& actor_file, Findings& actor_findings) : file(actor_file), findings(actor_findings) {
    for (std::size_t index = 0; index < file.chunks.size(); ++index) {
        const xac::Chunk& chunk = file.chunks[index];
        if (const auto* node = std::get_if<xac::Node>(&chunk.record))
            nodes.push_back({node, index, Where::no_index, chunk.version >= 4});
        if (const auto* list = std::get_if<xac::Nodes>(&chunk.record))
            for (std::size_t element = 0; element < list->nodes.size(); ++element)
                nodes.push_back({&list->nodes[element], index, element, true});
        add_keyed(meshes, chunk, index);
        add_keyed(skinnings, chunk, index);
        if (std::holds_alternative<xac::StandardMaterial>(chunk.record)) ++standard_materials;
        if (std::holds_alternative<xac::FxMaterial>(chunk.record)) ++fx_materials;
    }
    sort_keyed(meshes);
    sort_keyed(skinnings);
    for (const Keyed<xac::Mesh>& mesh : meshes) {
        if (mesh_nodes.empty() || mesh_nodes.back().first != mesh.key.node) mesh_nodes.emplace_back(mesh.key.node, 0);
        mesh_nodes.back().second = std::max(mesh_nodes.back().second, mesh.record->vertex_count);
    }
}

void Actor::check_node(std::uint32_t node, const Where& where) const {
    if (node >= nodes.size()) findings.add(codes::node_range, where, number(node), "below " + number(nodes.size()));
}

const Keyed<xac::Mesh>* Actor::mesh_of(const MeshKey& key) const noexcept { return find_keyed(meshes, key); }

const Keyed<xac::Skinning>* Actor::skinning_of(const MeshKey& key) const noexcept { return find_keyed(skinnings, key); }

std::optional<std::uint32_t> Actor::vertices_on(std::uint32_t node) const noexcept {
    const auto found = std::lower_bound(mesh_nodes.begin(), mesh_nodes.end(), node,
                                        [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
    if (found == mesh_nodes.end() || found->first != node) return std::nullopt;
    return found->second;
}

}  // namespace effigy::emfx::checks

namespace effigy::xac {

Report check(const File& file) {
    Report report;
    emfx::checks::Findings findings(report);
    emfx::checks::check_actor(file, findings, 0, nullptr);
    findings.finish();
    layout::locate(emfx::walk_of(file, false), report);
    return report;
}

}  // namespace effigy::xac
