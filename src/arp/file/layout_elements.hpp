#pragma once
/// Elements of ARP and the facts about its versions that the layout asks for.

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "effigy/arp.hpp"

#include "core/byte_source.hpp"
#include "core/element.hpp"

namespace effigy::arp {

/// A set of a morph target without normal.
struct PlainMorphSet {
    std::uint32_t point = 0;
    float weight = 0;
    Vec3 offset;
};

static_assert(sizeof(PlainMorphSet) == 20 && sizeof(MorphSet) == 32 && sizeof(PoseEntry) == 32 &&
              sizeof(MorphAmount) == 8);

}  // namespace effigy::arp

namespace effigy::layout {

template <>
struct ElementTraits<arp::MorphSet> {
    static constexpr const char* name = "morph_set";
    static constexpr std::array<Part, 4> parts{{{"point", Kind::unsigned_integer, 4, 1},
                                                {"weight", Kind::real, 4, 1},
                                                {"offset", Kind::real, 4, 3},
                                                {"normal", Kind::real, 4, 3}}};
};
template <>
struct ElementTraits<arp::PlainMorphSet> {
    static constexpr const char* name = "morph_set";
    static constexpr std::array<Part, 3> parts{
        {{"point", Kind::unsigned_integer, 4, 1}, {"weight", Kind::real, 4, 1}, {"offset", Kind::real, 4, 3}}};
};
template <>
struct ElementTraits<arp::PoseEntry> {
    static constexpr const char* name = "pose_entry";
    static constexpr std::array<Part, 3> parts{
        {{"bone", Kind::character, 1, 4}, {"translation", Kind::real, 4, 3}, {"rotation", Kind::real, 4, 4}}};
};
template <>
struct ElementTraits<arp::MorphAmount> {
    static constexpr const char* name = "morph_amount";
    static constexpr std::array<Part, 2> parts{{{"target", Kind::character, 1, 4}, {"amount", Kind::real, 4, 1}}};
};

}  // namespace effigy::layout

namespace effigy::arp {

/// How a version is laid out, by the page and by the players' readers; of a version that is none, that of 3.1.
[[nodiscard]] Layout usual_layout(std::string_view version) noexcept;

/// A hundred times the version: 310. 0 if it is none that was ever laid out.
[[nodiscard]] unsigned version_number(std::string_view version) noexcept;

/// Whether the file says that its texture is embedded.
[[nodiscard]] inline bool has_image(const File& file) noexcept {
    return file.layout.texture == TextureForm::named ? file.texture.flags[0] != 0 : file.texture.embedded == 1;
}

/// The bytes of an image of 2.0 and 2.1 that begins here: as many as its own numbers say, all that are left where they
/// are a gzip file, or `stored`.
[[nodiscard]] std::uint64_t old_image_size(ByteSource& source, std::uint64_t stored) noexcept;

/// Names of the notes in dumps of damaged files.
inline constexpr std::array<std::pair<Part, const char*>, 12> part_notes{
    {{Part::header, "ends_at_header"},
     {Part::mesh_count, "ends_at_mesh_count"},
     {Part::points, "ends_at_points"},
     {Part::strip, "ends_at_strip"},
     {Part::duplicates, "ends_at_duplicates"},
     {Part::texcoords, "ends_at_texcoords"},
     {Part::morph_targets, "ends_at_morph_targets"},
     {Part::default_pose, "ends_at_default_pose"},
     {Part::bones, "ends_at_bones"},
     {Part::material, "ends_at_material"},
     {Part::ambient, "ends_at_ambient"},
     {Part::texture, "ends_at_texture"}}};

}  // namespace effigy::arp
