#pragma once
/// The layout of X42: docs/formats/x42.md.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/x42.hpp"

#include "core/element.hpp"
#include "core/fields_json.hpp"
#include "core/path.hpp"
#include "core/problem.hpp"
#include "x42/file/sections.hpp"

namespace effigy::layout {

template <>
struct ElementTraits<x42::Range> : detail::Uniform<float, 2> {
    static constexpr const char* name = "f32";
};
template <>
struct ElementTraits<x42::Key> {
    static constexpr const char* name = "key";
    static constexpr std::array<Part, 4> parts{{{"type", Kind::unsigned_integer, 2, 1},
                                                {"bone", Kind::unsigned_integer, 2, 1},
                                                {"frame", Kind::unsigned_integer, 2, 1},
                                                {"value", Kind::unsigned_integer, 2, 1}}};
};
template <>
struct ElementTraits<x42::PrimitiveType> : ElementTraits<std::uint16_t> {};

static_assert(sizeof(x42::Range) == 8 && sizeof(x42::Key) == 8 && sizeof(x42::PackedTangent) == 7);

}  // namespace effigy::layout

namespace effigy::x42 {

/// The number of a section's elements as the header has it.
template <class Stored, class Visitor>
void layout_count(Visitor& v, const char* name, [[maybe_unused]] Access<Visitor, File>& file, Walk& walk,
                  Section section, [[maybe_unused]] std::uint64_t there) {
    std::uint64_t& announced = walk.announced[number_of(section)];
    Stored stored = 0;
    if constexpr (!Visitor::reading) {
        announced = add_saturated(there, walk.without_vertices ? 0 : file.missing[number_of(section)]);
        if (announced > std::numeric_limits<Stored>::max()) {
            return v.fail(problem_at(v.path().string(name), codes::write_too_large,
                                     "an array is too long for the count that the format has for it",
                                     std::to_string(announced),
                                     "at most " + std::to_string(std::numeric_limits<Stored>::max())));
        }
        stored = static_cast<Stored>(announced);
    }
    v.field(name, stored);
    if constexpr (Visitor::reading) announced = stored;
}

/// "HW42", turned round in a big-endian file.
template <class Visitor>
void layout_ident(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] const Walk& walk) {
    std::array<char, 4> ident = file.big_endian ? ident_big : ident_little;
    v.field("ident", ident);
    if constexpr (Visitor::reading) {
        file.big_endian = ident == ident_big;
        if (!file.big_endian && ident != ident_little) {
            return v.fail(problem_at("ident", codes::build_value, "the ident is not that of the dump's format",
                                     std::string(ident.data(), ident.size()), "HW42 or 24WH"));
        }
        if constexpr (requires { v.source().set_swapped(true); }) v.source().set_swapped(file.big_endian);
    } else {
        v.handler().set_swapped(file.big_endian);
    }
}

/// How a file of version 6 is stored stands nowhere in it: the reader finds out, and dumps say so.
template <class Visitor>
void layout_morph_notes(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] const Walk& walk) {
    if (file.version == version_5) return;
    auto& morphs = file.morphs;
    bool plain = morphs.layout == MorphLayout::none || morphs.plain_header, wide = morphs.wide_counts,
         large = morphs.layout == MorphLayout::large, undetermined = morphs.layout == MorphLayout::undetermined;
    if constexpr (Visitor::reading) {
        if (!walk.from_dump) return;
        large = true;
    }
    v.note("plain_header", plain);
    v.note("wide_counts", wide);
    v.note("large_targets", large);
    v.note("morphs_undetermined", undetermined);
    if constexpr (Visitor::reading) {
        morphs.wide_counts = wide;
        morphs.plain_header = plain && undetermined;
        morphs.layout = undetermined ? MorphLayout::undetermined
                        : plain      ? MorphLayout::none
                        : large      ? MorphLayout::large
                                     : MorphLayout::small;
    }
}

template <class Stored, class Visitor>
void layout_target_count(Visitor& v, Access<Visitor, File>& file, Walk& walk) {
    auto& morphs = file.morphs;
    if (has_morph_sections(file)) {
        return layout_count<Stored>(v, "morph_target_count", file, walk, Section::morph_targets, morphs.targets.size());
    }
    auto stored = static_cast<Stored>(morphs.stored_target_count);
    v.field("morph_target_count", stored);
    if constexpr (Visitor::reading) morphs.stored_target_count = stored;
}

template <class Visitor>
void layout_header(Visitor& v, Access<Visitor, File>& file, Walk& walk) {
    auto& header = file.header;
    const auto count = [&](const char* name, Section section, std::uint64_t there) {
        layout_count<std::uint16_t>(v, name, file, walk, section, there);
    };
    v.field("model_flags", header.model_flags);
    v.field("base_frame", header.base_frame);
    v.field("frame_count", header.frame_count);
    count("string_size", Section::strings, file.strings.size());
    count("bone_count", Section::bones, file.bones.size());
    count("animation_group_count", Section::animation_groups, file.animation_groups.size());
    count("position_count", Section::positions, file.positions.size());
    count("rotation_count", Section::rotations, file.rotations.size());
    count("scale_count", Section::scales, file.scales.size() / scale_width(header));
    count("key_count", Section::keys, file.keys.size());
    count("animation_count", Section::animations, file.animations.size());
    count("tag_count", Section::tags, file.tags.size());
    count("influence_count", Section::influences, file.influences.size());
    count("lod_count", Section::lods, file.lods.size());
    count("group_count", Section::groups, file.groups.size());
    if (has_morph_header(file) && !file.morphs.wide_counts) {
        layout_target_count<std::uint16_t>(v, file, walk);
    } else {
        v.field("padding", header.padding);
    }
    layout_count<std::uint32_t>(v, "vertex_count", file, walk, Section::vertices, file.vertices.size());
    layout_count<std::uint32_t>(v, "index_count", file, walk, Section::indices, file.indices.size());
    if (has_morph_header(file)) {
        if (file.morphs.wide_counts) layout_target_count<std::uint32_t>(v, file, walk);
        if (has_morph_sections(file)) {
            layout_count<std::uint32_t>(v, "morph_delta_count", file, walk, Section::morph_indices,
                                        file.morphs.indices.size());
        } else {
            v.field("morph_delta_count", file.morphs.stored_delta_count);
        }
    }
    v.field("bounds_low", header.bounds_low);
    v.field("bounds_high", header.bounds_high);
    v.field("sphere_center", header.sphere_center);
    v.field("sphere_radius", header.sphere_radius);
}

template <class Visitor, class Ranges>
void layout_ranges(Visitor& v, const char* name, Ranges& ranges) {
    v.each(name, ranges, [&](auto& range) {
        v.field("low", range.low);
        v.field("high", range.high);
    });
}

template <class Visitor>
void layout_pack_header(Visitor& v, Access<Visitor, File>& file) {
    auto& pack = file.pack;
    layout_ranges(v, "animation_positions", pack.animation_positions);
    v.field("animation_scales", pack.animation_scales);
    layout_ranges(v, "vertex_positions", pack.vertex_positions);
    layout_ranges(v, "texcoords", pack.texcoords);
    if (has_morph_header(file)) layout_ranges(v, "morph_positions", pack.morph_positions);
}

/// Fields of the records in their order, each with its member.
template <class Record>
inline constexpr auto record_fields = nullptr;
template <>
inline constexpr auto record_fields<Bone> = std::tuple(std::pair("name", &Bone::name), std::pair("flags", &Bone::flags),
                                                       std::pair("parent", &Bone::parent),
                                                       std::pair("padding", &Bone::padding),
                                                       std::pair("extent", &Bone::extent));
template <>
inline constexpr auto record_fields<AnimationGroup> = std::tuple(std::pair("name", &AnimationGroup::name),
                                                                 std::pair("begin_bone", &AnimationGroup::begin_bone),
                                                                 std::pair("end_bone", &AnimationGroup::end_bone));
template <>
inline constexpr auto record_fields<Animation> = std::tuple(std::pair("name", &Animation::name),
                                                            std::pair("first_frame", &Animation::first_frame),
                                                            std::pair("last_frame", &Animation::last_frame),
                                                            std::pair("loop_start", &Animation::loop_start),
                                                            std::pair("loop_end", &Animation::loop_end),
                                                            std::pair("frame_rate", &Animation::frame_rate));
template <>
inline constexpr auto record_fields<Tag> = std::tuple(std::pair("name", &Tag::name), std::pair("bone", &Tag::bone),
                                                      std::pair("matrix", &Tag::matrix));
template <>
inline constexpr auto record_fields<Influence> = std::tuple(std::pair("bone", &Influence::bone),
                                                            std::pair("padding", &Influence::padding),
                                                            std::pair("mesh_to_bone", &Influence::mesh_to_bone));
template <>
inline constexpr auto record_fields<Lod> = std::tuple(std::pair("name", &Lod::name),
                                                      std::pair("first_group", &Lod::first_group),
                                                      std::pair("group_count", &Lod::group_count));
template <>
inline constexpr auto record_fields<Group> = std::tuple(
    std::pair("material", &Group::material), std::pair("surface", &Group::surface),
    std::pair("vertex_influences", &Group::vertex_influences), std::pair("influence_count", &Group::influence_count),
    std::pair("influences", &Group::influences), std::pair("type", &Group::type), std::pair("padding", &Group::padding),
    std::pair("first_vertex", &Group::first_vertex), std::pair("vertex_count", &Group::vertex_count),
    std::pair("first_index", &Group::first_index), std::pair("element_count", &Group::element_count));

template <class Visitor, class Record>
void layout_record(Visitor& v, Record& record) {
    std::apply([&](const auto&... fields) { (v.field(fields.first, record.*fields.second), ...); },
               record_fields<std::remove_const_t<Record>>);
}

template <class Visitor>
void layout_number_16(Visitor& v, const char* name, Access<Visitor, std::uint32_t>& number) {
    std::uint16_t stored = 0;
    if constexpr (!Visitor::reading) {
        if (number > 0xffff) {
            return v.fail(problem_at(v.path().string(name), codes::write_too_large,
                                     "a number is too large for the small form of morph targets",
                                     std::to_string(number), "at most 65535"));
        }
        stored = static_cast<std::uint16_t>(number);
    }
    v.field(name, stored);
    if constexpr (Visitor::reading) number = stored;
}

template <class Visitor>
void layout_target(Visitor& v, Access<Visitor, MorphTarget>& target, bool large) {
    if constexpr (Visitor::reading) target = {};
    v.field("name", target.name);
    if (large) {
        v.field("padding", target.padding);
        v.field("first_delta", target.first_delta);
        v.field("delta_count", target.delta_count);
    } else {
        layout_number_16(v, "first_delta", target.first_delta);
        layout_number_16(v, "delta_count", target.delta_count);
    }
}

/// The number of elements that an optional section has to have.
template <class Visitor, class Array>
[[nodiscard]] bool has_section(Visitor& v, Access<Visitor, File>& file, std::uint16_t flag, const char* name,
                               Array& array) {
    if ((file.header.model_flags & flag) != 0) return true;
    if constexpr (!Visitor::reading) {
        if (!array.empty()) v.bulk(name, array, 0);  // which says that this cannot be
    }
    return false;
}

template <class Visitor, class Available>
void layout_skeleton(Visitor& v, Access<Visitor, File>& file, Sections<Visitor, Available>& sections) {
    const auto visit = [&](auto& record) { layout_record(v, record); };
    sections.align(Section::bones, "padding_before_bones", 8);
    sections.records(Section::bones, "bone", file.bones, 12, visit);
    sections.align(Section::animation_groups, "padding_before_animation_groups", 8);
    sections.records(Section::animation_groups, "animation_group", file.animation_groups, 6, visit);
    sections.align(Section::positions, "padding_before_positions", 2);
    sections.block(Section::positions, "positions", file.positions);
    sections.block(Section::scales, "scales", file.scales, scale_width(file.header));
    sections.block(Section::rotations, "rotations", file.rotations);
    sections.align(Section::keys, "padding_before_keys", 8);
    sections.block(Section::keys, "keys", file.keys);
    sections.align(Section::animations, "padding_before_animations", 8);
    sections.records(Section::animations, "animation", file.animations, 12, visit);
    sections.align(Section::tags, "padding_before_tags", 8);
    sections.records(Section::tags, "tag", file.tags, 52, visit);
    sections.align(Section::influences, "padding_before_influences", 8);
    sections.records(Section::influences, "influence", file.influences, 52, visit);
    sections.align(Section::lods, "padding_before_lods", 8);
    sections.records(Section::lods, "lod", file.lods, 6, visit);
    sections.align(Section::groups, "padding_before_groups", 8);
    sections.records(Section::groups, "group", file.groups, 148, visit);
}

template <class Visitor, class Available>
void layout_vertices(Visitor& v, Access<Visitor, File>& file, Sections<Visitor, Available>& sections,
                     const Walk& walk) {
    sections.align(Section::vertices, "padding_before_vertices", 2);
    sections.block(Section::vertices, "vertices", file.vertices);
    const std::uint64_t count = walk.announced[number_of(Section::vertices)];
    if (v.ok()) sections.block_of(blend_size(file.groups), Section::blend, "blend", file.blend);
    if (has_section(v, file, has_normals, "normals", file.normals))
        sections.block_of(count, Section::normals, "normals", file.normals);
    if (has_section(v, file, has_tangents, "tangents", file.tangents))
        sections.block_of(count, Section::tangents, "tangents", file.tangents);
    if (has_section(v, file, has_texcoords, "texcoords", file.texcoords)) {
        sections.align(Section::texcoords, "padding_before_texcoords", 2);
        sections.block_of(count, Section::texcoords, "texcoords", file.texcoords);
    }
    if (has_section(v, file, has_colors, "colors", file.colors)) {
        sections.align(Section::colors, "padding_before_colors", 4);
        sections.block_of(count, Section::colors, "colors", file.colors);
    }
    sections.align(Section::indices, "padding_before_indices", 4);
    sections.block(Section::indices, "indices", file.indices);
}

template <class Visitor, class Available>
void layout_morphs(Visitor& v, Access<Visitor, File>& file, Sections<Visitor, Available>& sections, const Walk& walk) {
    auto& morphs = file.morphs;
    if (morphs.layout == MorphLayout::undetermined) return sections.opaque("morphs", morphs.opaque);
    if (!has_morph_sections(file)) return;
    const bool large = morphs.layout == MorphLayout::large;
    sections.align(Section::morph_targets, "padding_before_morph_targets", 8);
    sections.records(Section::morph_targets, "morph_target", morphs.targets,
                     large ? large_target_size : small_target_size,
                     [&](auto& target) { layout_target(v, target, large); });
    sections.align(Section::morph_indices, "padding_before_morph_indices", 4);
    sections.block(Section::morph_indices, "morph_indices", morphs.indices);
    const std::uint64_t count = walk.announced[number_of(Section::morph_indices)];
    sections.align(Section::morph_positions, "padding_before_morph_positions", 2);
    sections.block_of(count, Section::morph_positions, "morph_positions", morphs.positions);
    if (has_section(v, file, has_normals, "morph_normals", morphs.normals))
        sections.block_of(count, Section::morph_normals, "morph_normals", morphs.normals);
    if (has_section(v, file, has_tangents, "morph_tangents", morphs.tangents))
        sections.block_of(count, Section::morph_tangents, "morph_tangents", morphs.tangents);
}

/// What is left. Behind a section that was cut off that begins with the last element that is there.
template <class Visitor, class Available>
void layout_trailing(Visitor& v, Access<Visitor, File>& file, [[maybe_unused]] Walk& walk,
                     [[maybe_unused]] Available&& available) {
    if constexpr (Visitor::reading) {
        if constexpr (requires { v.source().bytes(); }) {
            if (walk.cut_off) v.source().bytes().seek(walk.elements_end);
        }
        if (available() != 0 || v.source().stated_length("trailing", 1)) v.bulk("trailing", file.trailing, available());
    } else if (!file.trailing.empty()) {
        v.bulk("trailing", file.trailing);
    }
}

template <class Visitor, class Available>
void layout(Visitor& v, Access<Visitor, File>& file, Walk& walk, Available&& available) {
    layout_ident(v, file, walk);
    v.field("version", file.version);
    if (!v.ok()) return;
    if (walk.from_dump || walk.cut_off) v.note("incomplete", walk.cut_off);
    layout_morph_notes(v, file, walk);
    v.record("header", layout::Path::no_index, [&] { layout_header(v, file, walk); });
    if (v.ok()) v.record("pack", layout::Path::no_index, [&] { layout_pack_header(v, file); });
    if (!v.ok()) return;
    Sections<Visitor, Available&> sections(v, file, walk, available);
    layout_skeleton(v, file, sections);
    if (!walk.without_vertices) layout_vertices(v, file, sections, walk);
    layout_morphs(v, file, sections, walk);
    sections.block(Section::strings, "strings", file.strings);
    if (v.ok()) layout_trailing(v, file, walk, available);
}

/// The fields of whatever `visit` hands to a visitor.
template <class Visit>
[[nodiscard]] Json fields_of(Visit&& visit) {
    layout::FieldsJson handler({});
    layout::Path path;
    layout::WriteVisitor<layout::FieldsJson> visitor(handler, path);
    visit(visitor);
    return handler.take();
}

template <class Record>
[[nodiscard]] Json record_json(const Record& record) {
    return fields_of([&](auto& visitor) { layout_record(visitor, record); });
}

}  // namespace effigy::x42
