/// Every record of every binary format, described by its layout function.

#include "docs/layouts.hpp"

#include <map>
#include <stdexcept>
#include <tuple>

#include "arp/file/layout_arp.hpp"
#include "egosoft/file/layout_ani.hpp"
#include "egosoft/file/layout_xmf.hpp"
#include "emfx/file/formats.hpp"
#include "x42/file/layout_x42.hpp"

namespace effigy::test {
namespace {

/// Counts that do not stand in the record itself, or are more than one field.
const std::map<std::string, std::string>& counts() {
    static const std::map<std::string, std::string> all{
        {"xac/mesh/layer/data", "element_size × mesh.vertex_count"},
        {"xac/skinning/ranges", "mesh.original_vertex_count"},
        {"xac/skinning/vertex", "mesh.original_vertex_count"},
        {"xac/mesh_lod/bytes", "size"},
        {"xac/morph_target/deformation/positions", "vertex_count"},
        {"xac/morph_target/deformation/normals", "vertex_count"},
        {"xac/morph_target/deformation/tangents", "vertex_count"},
        {"xac/morph_targets/target/deformation/positions", "vertex_count"},
        {"xac/morph_targets/target/deformation/normals", "vertex_count"},
        {"xac/morph_targets/target/deformation/tangents", "vertex_count"},
        {"xac/node_motion_sources/axes", "node_count"},
        {"xac/node_motion_sources/flags", "node_count"},
        {"xsm/wavelet/mappings", "submotion_count"},
        {"emfx/chunk/content", "size"},
        {"xmf/header/rest", "what is left of header.size"},
        {"xmf/buffer/rest", "what is left of header.descriptor_size"},
        {"xmf/material/rest", "what is left of header.material_size"},
        {"xmf/data", "the rest of the file"},
        {"ani/gap", "key_offset − 16 − 160 × animation_count"},
        {"ani/keys", "animation_count"},
        {"ani/keys/positions", "animation.position_count"},
        {"ani/keys/rotations", "animation.rotation_count"},
        {"ani/keys/scales", "animation.scale_count"},
        {"ani/keys/pre_scales", "animation.pre_scale_count"},
        {"ani/keys/post_scales", "animation.post_scale_count"},
        {"x42/bone", "header.bone_count"},
        {"x42/animation_group", "header.animation_group_count"},
        {"x42/positions", "header.position_count"},
        {"x42/scales", "header.scale_count × (3; 1 with flag 0x100)"},
        {"x42/rotations", "header.rotation_count"},
        {"x42/keys", "header.key_count"},
        {"x42/animation", "header.animation_count"},
        {"x42/tag", "header.tag_count"},
        {"x42/influence", "header.influence_count"},
        {"x42/lod", "header.lod_count"},
        {"x42/group", "header.group_count"},
        {"x42/vertices", "header.vertex_count"},
        {"x42/blend", "sum of all groups' (2 × vertex_influences − 1) × vertex_count"},
        {"x42/normals", "header.vertex_count"},
        {"x42/tangents", "header.vertex_count"},
        {"x42/texcoords", "header.vertex_count"},
        {"x42/colors", "header.vertex_count"},
        {"x42/indices", "header.index_count"},
        {"x42/morph_target", "header.morph_target_count"},
        {"x42/morph_indices", "header.morph_delta_count"},
        {"x42/morph_positions", "header.morph_delta_count"},
        {"x42/morph_normals", "header.morph_delta_count"},
        {"x42/morph_tangents", "header.morph_delta_count"},
        {"x42/strings", "header.string_size"},
        {"arp/mesh/point/offsets", "link_count"},
        {"arp/mesh/point/normals", "link_count"},
        {"arp/mesh/point/bone", "link_count"},
        {"arp/mesh/point/weights", "link_count"},
        {"arp/mesh/point/distances", "link_count"},
        {"arp/mesh/duplicate_list", "point_count"},
        {"arp/mesh/point", "point_count"},
        {"arp/mesh/duplicate_list/duplicates", "size"},
        {"arp/image", "image_size"},
    };
    return all;
}

/// Counts of `fields`, which belong to the record `name`, and of the records in them.
void set_counts(const std::string& name, std::vector<Field>& fields) {
    for (Field& field : fields) {
        const std::string path = name + "/" + field.name;
        const auto known = counts().find(path);
        if (known != counts().end()) field.count = known->second;
        if (field.count == "?") throw std::logic_error("docs/layouts.cpp does not say how many there are of " + path);
        set_counts(path, field.fields);
    }
}

template <class Visit>
Variant describe(const std::string& name, std::string label, Visit&& visit) {
    LayoutVisitor visitor;
    visit(visitor);
    if (visitor.failure) throw std::logic_error(name + ": " + visitor.failure->message);
    set_counts(name, visitor.fields);
    return {std::move(label), std::move(visitor.fields)};
}

/// Chunks of one kind: versions 1 to `newest`, as long as the format knows them.
template <class Format>
void add_chunk(std::vector<RecordLayout>& layouts, const std::string& name, std::uint32_t id,
               bool other_layout = false) {
    RecordLayout record{name, {}};
    std::uint32_t newest = 0;
    while (Format::make_record(id, newest + 1)) ++newest;
    for (std::uint32_t version = 1; version <= newest; ++version) {
        auto made = *Format::make_record(id, version);
        (void)emfx::prepare_attempt(made, version, other_layout ? 1 : 0);
        if constexpr (std::is_same_v<Format, emfx::XacFormat>) {
            if (auto* sources = std::get_if<xac::NodeMotionSources>(&made)) sources->has_axes = true;
            if (auto* groups = std::get_if<xac::NodeGroups>(&made)) groups->counted = true;
        }
        record.variants.push_back(
            describe(name, newest > 1 ? "v" + std::to_string(version) : "", [&](LayoutVisitor& visitor) {
                emfx::layout_record(visitor, std::as_const(made), version,
                                    [](const auto&) { return std::uint64_t{1}; });
            }));
    }
    layouts.push_back(std::move(record));
}

void add_one(std::vector<RecordLayout>& layouts, const std::string& name, const auto& visit) {
    layouts.push_back({name, {describe(name, "", visit)}});
}

void add_emfx(std::vector<RecordLayout>& layouts) {
    using emfx::XacFormat, emfx::XpmFormat, emfx::XsmFormat;
    const auto of_header = [](LayoutVisitor& visitor) {
        emfx::layout(visitor, emfx::Header{});
        visitor.fields = std::vector<Field>(visitor.fields.front().fields);
    };
    add_one(layouts, "emfx/header", of_header);
    add_one(layouts, "emfx/chunk", [](LayoutVisitor& visitor) {
        for (const char* name : {"id", "size", "version"}) visitor.field(name, std::uint32_t{});
        visitor.bulk("content", Bytes{});
    });
    add_chunk<XacFormat>(layouts, "emfx/motion_events", 50);
    add_chunk<XacFormat>(layouts, "emfx/timestamp", 51);
    add_chunk<XacFormat>(layouts, "xac/node", 0);
    add_chunk<XacFormat>(layouts, "xac/mesh", 1);
    add_chunk<XacFormat>(layouts, "xac/skinning", 2);
    add_chunk<XacFormat>(layouts, "xac/standard_material", 3);
    add_chunk<XacFormat>(layouts, "xac/material_layer", 4);
    add_chunk<XacFormat>(layouts, "xac/fx_material", 5);
    add_chunk<XacFormat>(layouts, "xac/limit", 6);
    add_chunk<XacFormat>(layouts, "xac/info", 7);
    add_one(layouts, "xac/mesh_lod", [](LayoutVisitor& visitor) {
        visitor.field("level", xac::MeshLod{}.level);
        visitor.field("size", std::uint32_t{});
        visitor.bulk("bytes", Bytes{});
    });
    add_chunk<XacFormat>(layouts, "xac/morph_target", 9);
    add_chunk<XacFormat>(layouts, "xac/node_groups", 10);
    add_chunk<XacFormat>(layouts, "xac/nodes", 11);
    add_chunk<XacFormat>(layouts, "xac/morph_targets", 12);
    add_chunk<XacFormat>(layouts, "xac/material_info", 13);
    add_chunk<XacFormat>(layouts, "xac/node_motion_sources", 14);
    add_chunk<XacFormat>(layouts, "xac/attachment_nodes", 15);
    add_chunk<XsmFormat>(layouts, "xsm/submotion", 200);
    add_chunk<XsmFormat>(layouts, "xsm/motion_info", 201);
    add_chunk<XsmFormat>(layouts, "xsm/submotions", 202);
    add_chunk<XsmFormat>(layouts, "xsm/wavelet", 203);
    add_chunk<XpmFormat>(layouts, "xpm/submotion", 100);
    add_chunk<XpmFormat>(layouts, "xpm/motion_info", 101);
    add_chunk<XpmFormat>(layouts, "xpm/submotions", 102);
}

/// What stands in a file from its beginning to its end is called after its format, the records in it after themselves.
void add_file(std::vector<RecordLayout>& layouts, const std::string& format, std::vector<Variant> variants) {
    layouts.push_back({format, std::move(variants)});
}

std::vector<Variant> xmf_variants() {
    xmf::File file;
    file.buffers.resize(1);
    file.materials.resize(1);
    return {describe("xmf", "", [&](LayoutVisitor& visitor) {
        visitor.record("header", layout::Path::no_index, [&] {
            xmf::layout(visitor, std::as_const(file.header), std::as_const(file.buffers),
                        std::as_const(file.materials));
        });
        const auto rest_of_file = [] { return std::uint64_t{0}; };
        LayoutVisitor all;
        xmf::layout(all, std::as_const(file), rest_of_file);
        for (Field& field : all.fields) {
            if (field.kind != Field::Kind::record && field.name != "data") continue;
            if (field.name == "buffer") field.count = "header.buffer_count";
            if (field.name == "material") field.count = "header.material_count";
            visitor.fields.push_back(std::move(field));
        }
    })};
}

std::vector<Variant> ani_variants() {
    ani::File file;
    file.animations.resize(1);
    file.animations[0].missing[0] = 1;  // so that there may be a gap
    file.gap.resize(1);
    return {describe("ani", "", [&](LayoutVisitor& visitor) {
        ani::Counts counts;
        ani::layout(visitor, std::as_const(file), counts, [] { return std::uint64_t{1} << 32; });
    })};
}

Variant x42_variant(std::string label, const x42::File& file) {
    return describe("x42", std::move(label), [&](LayoutVisitor& visitor) {
        x42::Walk walk;
        x42::layout(visitor, file, walk, [] { return std::uint64_t{0}; });
    });
}

std::vector<Variant> x42_variants() {
    x42::File file;
    file.header.model_flags = 0xf;
    std::vector<Variant> variants{x42_variant("v5", file)};
    file.version = x42::version_6;
    file.morphs.layout = x42::MorphLayout::small;
    variants.push_back(x42_variant("v6 small", file));
    file.morphs.layout = x42::MorphLayout::large;
    file.morphs.wide_counts = true;
    variants.push_back(x42_variant("v6 large", file));
    return variants;
}

/// An avatar that has one of everything.
arp::File arp_file(const std::string& version) {
    arp::File file;
    file.version = version;
    file.layout = arp::usual_layout(version);
    file.link_names.resize(1);
    file.meshes.resize(1);
    file.ambient.emplace().frames.resize(1);
    auto& points = file.meshes[0].points;
    points.link_counts.assign(1, 1);
    points.offsets.resize(1);
    points.normals.resize(1);
    points.bones.assign(1, 0);
    points.weights.resize(1);
    points.distances.resize(1);
    if (file.layout.adjacency) {
        points.neighbour_counts.assign(1, 1);
        points.neighbours.resize(1);
    }
    file.texture.flags[0] = 1;
    file.texture.embedded = 1;
    return file;
}

/// The count of points stands in front of the points themselves.
std::vector<Variant> arp_variants() {
    std::vector<Variant> variants;
    for (const char* version : {"2.0", "2.1", "2.2", "3.0", "3.1"}) {
        const arp::File file = arp_file(version);
        variants.push_back(describe("arp", version, [&](LayoutVisitor& visitor) {
            arp::Walk walk;
            arp::layout(visitor, file, walk);
        }));
    }
    return variants;
}

void add_element(std::vector<RecordLayout>& layouts, const std::string& name, const layout::ElementType& type) {
    Variant variant;
    for (const layout::Part& part : type.parts) {
        const layout::Kind kind = part.kind;
        const bool is_bytes = kind == layout::Kind::padding;
        const std::string letter = kind == layout::Kind::real             ? "f"
                                   : kind == layout::Kind::signed_integer ? "i"
                                   : kind == layout::Kind::character      ? "char"
                                                                          : "u";
        Field field;
        field.name = part.name;
        static std::map<std::string, std::string> names;  // what an ElementType points at
        const std::string text =
            kind == layout::Kind::character ? letter : letter + std::to_string(8 * (is_bytes ? 1 : part.width));
        const auto& kept = *names.emplace(text, text).first;
        static std::map<std::tuple<layout::Kind, int, int>, layout::Part> parts;
        const layout::Part nameless{"", is_bytes ? layout::Kind::unsigned_integer : kind, part.width, part.count};
        const auto& kept_part = *parts.emplace(std::tuple(nameless.kind, part.width, part.count), nameless).first;
        field.type = {kept.second.c_str(), std::uint32_t{part.width} * part.count, std::span(&kept_part.second, 1)};
        variant.fields.push_back(std::move(field));
    }
    layouts.push_back({name, {std::move(variant)}});
}

void add_elements(std::vector<RecordLayout>& layouts) {
    using layout::element_type;
    add_element(layouts, "xac/elements/influence", element_type<xac::Influence>);
    add_element(layouts, "xac/elements/range", element_type<xac::InfluenceRange>);
    add_element(layouts, "xsm/elements/vector_key", element_type<xsm::VectorKey>);
    add_element(layouts, "xsm/elements/rotation_key", element_type<xsm::RotationKey<Quat>>);
    add_element(layouts, "xsm/elements/packed_rotation_key", element_type<xsm::RotationKey<xsm::PackedQuat>>);
    add_element(layouts, "xpm/elements/weight_key", element_type<xpm::WeightKey>);
    add_element(layouts, "ani/elements/key", element_type<ani::Key>);
    add_element(layouts, "x42/elements/key", element_type<x42::Key>);
    add_element(layouts, "arp/elements/morph_set", element_type<arp::MorphSet>);
    add_element(layouts, "arp/elements/plain_morph_set", element_type<arp::PlainMorphSet>);
    add_element(layouts, "arp/elements/pose_entry", element_type<arp::PoseEntry>);
    add_element(layouts, "arp/elements/morph_amount", element_type<arp::MorphAmount>);
}

/// The records in a record, behind it.
void add_with_nested(std::vector<RecordLayout>& layouts, const RecordLayout& record) {
    std::vector<RecordLayout> nested;
    for (const Variant& variant : record.variants) {
        for (const Field& field : variant.fields) {
            if (field.kind != Field::Kind::record) continue;
            const std::string name = record.name + "/" + field.name;
            auto known = std::find_if(nested.begin(), nested.end(), [&](const auto& one) { return one.name == name; });
            if (known == nested.end()) known = nested.insert(nested.end(), {name, {}});
            known->variants.push_back({variant.label, field.fields});
        }
    }
    layouts.push_back(record);
    for (const RecordLayout& one : nested) add_with_nested(layouts, one);
}

}  // namespace

const std::vector<RecordLayout>& record_layouts() {
    static const std::vector<RecordLayout> all = [] {
        std::vector<RecordLayout> records, with_nested;
        add_emfx(records);
        add_file(records, "xmf", xmf_variants());
        add_file(records, "ani", ani_variants());
        add_file(records, "x42", x42_variants());
        add_file(records, "arp", arp_variants());
        for (const RecordLayout& record : records) add_with_nested(with_nested, record);
        add_elements(with_nested);
        for (RecordLayout& record : with_nested) {
            if (record.name.find('/') == std::string::npos) record.name += "/file";
        }
        return with_nested;
    }();
    return all;
}

RecordLayout find_layout(const std::string& name) {
    for (const RecordLayout& record : record_layouts()) {
        if (record.name == name) return record;
        for (const Variant& variant : record.variants) {
            std::string with_version = record.name + "/" + variant.label;
            std::replace(with_version.begin(), with_version.end(), ' ', '-');
            if (!variant.label.empty() && with_version == name) return {name, {{"", variant.fields}}};
        }
    }
    return {name, {}};
}

}  // namespace effigy::test
