#pragma once
/// X42: HermitWorks' character models, exactly as they stand on disk. Facts: docs/formats/x42.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::x42 {

inline constexpr std::uint32_t version_5 = 101;
/// No file of version 6 is known; the number is the one that follows.
inline constexpr std::uint32_t version_6 = 102;

/// Bits of Header::model_flags.
inline constexpr std::uint16_t has_normals = 0x0001;
inline constexpr std::uint16_t has_tangents = 0x0002;
inline constexpr std::uint16_t has_texcoords = 0x0004;
inline constexpr std::uint16_t has_colors = 0x0008;
inline constexpr std::uint16_t uniform_scale = 0x0100;  ///< one number for each scale instead of three

/// Bit of Bone::flags: divide by the parent's scale. No exporter sets it, and the game ignores it.
inline constexpr std::uint16_t inverse_parent_scale = 0x0001;

inline constexpr std::uint16_t no_bone = 0xffff;  ///< the model itself, where a bone's number stands
inline constexpr std::uint16_t no_loop = 0xffff;
inline constexpr std::uint32_t no_indices = 0xffffffff;
inline constexpr std::size_t max_influences = 60;  ///< of one group
inline constexpr std::size_t max_weights = 4;      ///< of one vertex
inline constexpr std::size_t max_animation_groups = 32;

/// value = code * (high - low) / 65530 + low. Codes above 65530 are legal and lie above `high`.
struct Range {
    float low = 0, high = 0;
    friend bool operator==(const Range&, const Range&) = default;
};

/// The header less its counts, which are those of the arrays.
struct Header {
    std::uint16_t model_flags = 0;
    std::int16_t base_frame = 0;    ///< what the artist calls frame 0 of the key stream
    std::uint16_t frame_count = 0;  ///< frames of the key stream are 0 .. frame_count - 1
    std::uint16_t padding = 0;      ///< version 6 with small counts has its number of morph targets here
    Vec3 bounds_low, bounds_high;   ///< file space
    Vec3 sphere_center;
    float sphere_radius = 0;
};

/// Ranges of what is range-packed.
struct PackHeader {
    std::array<Range, 3> animation_positions;  ///< x, y, z of the position palette
    Range animation_scales;                    ///< of all axes
    std::array<Range, 3> vertex_positions;
    std::array<Range, 2> texcoords;
    std::array<Range, 3> morph_positions;  ///< version 6 only
};

struct Bone {
    std::uint16_t name = 0;  ///< as all names: where it begins in File::strings
    std::uint16_t flags = 0;
    std::uint16_t parent = no_bone;  ///< a bone with a smaller number, or no_bone
    std::uint16_t padding = 0;
    float extent = 0;  ///< how far vertices reach that follow it; for the bounds of a pose
};

/// Bones that can be animated apart from others: legs, torso.
struct AnimationGroup {
    std::uint16_t name = 0;
    std::uint16_t begin_bone = 0;
    std::uint16_t end_bone = 0;  ///< one behind the last
};

using PackedVec3 = std::array<std::uint16_t, 3>;
using PackedVec2 = std::array<std::uint16_t, 2>;
using PackedQuat = std::array<std::int16_t, 4>;    ///< x, y, z, w in units of 1 / 32767
using PackedNormal = std::array<std::int8_t, 3>;   ///< in units of 1 / 127
using PackedTangent = std::array<std::int8_t, 7>;  ///< tangent, sign of the normal, bitangent; likewise
using PackedColor = std::array<std::uint8_t, 4>;   ///< red, green, blue, alpha

/// Numbers as in files: scale stands before rotation here.
enum class KeyType : std::uint16_t { position = 0, scale = 1, rotation = 2 };

/// One entry of the key stream. The first 6 * (number of bones) are the first two keys of each track: bone by bone,
/// positions, scales, rotations. All later ones stand in the order in which playing needs them: by the frame of the key
/// before them in their track.
struct Key {
    KeyType type = KeyType::position;  ///< other numbers are possible in damaged files
    std::uint16_t bone = 0;
    std::uint16_t frame = 0;
    std::uint16_t value = 0;  ///< place in the palette of the type
};

struct Animation {
    std::uint16_t name = 0;
    std::uint16_t first_frame = 0;
    std::uint16_t last_frame = 0;        ///< inclusive; before first_frame: it plays backwards
    std::uint16_t loop_start = no_loop;  ///< no_loop: it plays once
    std::uint16_t loop_end = no_loop;    ///< inclusive
    std::uint16_t frame_rate = 0;        ///< of doubtful unit: docs/conversion/x42.md, "Animations"
};

/// X axis, Y axis, Z axis, origin: out = X * x + Y * y + Z * z + origin.
using Matrix = std::array<float, 12>;
inline constexpr Matrix identity{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

/// A place to put things.
struct Tag {
    std::uint16_t name = 0;
    std::uint16_t bone = no_bone;
    Matrix matrix = identity;  ///< in the bone's space
};

/// What vertices follow: the bone's matrix times this one.
struct Influence {
    std::uint16_t bone = no_bone;
    std::uint16_t padding = 0;
    Matrix mesh_to_bone = identity;
};

struct Lod {
    std::uint16_t name = 0;
    std::uint16_t first_group = 0;
    std::uint16_t group_count = 0;
};

/// Numbers as in OpenGL and glTF; other ones are possible in damaged files.
enum class PrimitiveType : std::uint16_t {
    points = 0,
    lines = 1,
    line_strip = 3,
    triangles = 4,
    triangle_strip = 5,
    triangle_fan = 6
};

struct Group {
    std::uint16_t material = 0;           ///< name of a shader or texture
    std::uint16_t surface = 0;            ///< name that the game looks up in .skin files, without regard to case
    std::uint16_t vertex_influences = 0;  ///< the most that a vertex has, 0..4; 0: vertices stand in the model's space
    std::uint16_t influence_count = 0;    ///< of `influences`
    std::array<std::uint16_t, max_influences> influences{};  ///< the palette: places in File::influences
    PrimitiveType type = PrimitiveType::triangles;
    std::uint16_t padding = 0;
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t first_index = no_indices;  ///< no_indices: the vertices as they come
    std::uint32_t element_count = 0;         ///< indices, or vertices where there are none
};

/// Version 6. This project's reading: docs/formats/x42.md, "Version 6".
struct MorphTarget {
    std::uint16_t name = 0;
    std::uint16_t padding = 0;      ///< only where the record has 12 bytes
    std::uint32_t first_delta = 0;  ///< 16 bits where the record has 6 bytes
    std::uint32_t delta_count = 0;  ///< likewise
};

/// How the parts of version 6 that no document describes are stored, as far as the file itself shows it.
enum class MorphLayout : std::uint8_t {
    none,          ///< version 5, or a file of version 6 that is stored like one
    small,         ///< records of 6 bytes
    large,         ///< records of 12 bytes
    undetermined,  ///< the bytes are in Morphs::opaque
};

struct Morphs {
    MorphLayout layout = MorphLayout::none;
    bool wide_counts = false;  ///< both counts have 32 bits and stand behind the number of indices
    Bulk<MorphTarget> targets;
    Bulk<std::uint16_t> indices;   ///< vertices of the model
    Bulk<PackedVec3> positions;    ///< offsets, one for each of `indices`
    Bulk<PackedNormal> normals;    ///< likewise, with has_normals
    Bulk<PackedTangent> tangents;  ///< likewise, with has_tangents
    /// Undetermined only: the header is version 5's, without counts and ranges of morph targets.
    bool plain_header = false;
    /// The counts as they stand there, where they cannot be those of the arrays.
    std::uint32_t stored_target_count = 0, stored_delta_count = 0;
    Bytes opaque;  ///< what stands between the indices and the strings
};

/// The sections in the order in which they are stored.
enum class Section : std::uint8_t {
    bones,
    animation_groups,
    positions,
    scales,
    rotations,
    keys,
    animations,
    tags,
    influences,
    lods,
    groups,
    vertices,
    blend,
    normals,
    tangents,
    texcoords,
    colors,
    indices,
    morph_targets,
    morph_indices,
    morph_positions,
    morph_normals,
    morph_tangents,
    strings,
};
inline constexpr std::size_t section_count = 24;

struct File {
    std::uint32_t version = version_5;
    bool big_endian = false;
    Header header;
    PackHeader pack;
    Bulk<Bone> bones;
    Bulk<AnimationGroup> animation_groups;
    Bulk<PackedVec3> positions;  ///< palette
    Bulk<std::uint16_t> scales;  ///< palette: three numbers each, or one with uniform_scale
    Bulk<PackedQuat> rotations;  ///< palette
    Bulk<Key> keys;
    Bulk<Animation> animations;
    Bulk<Tag> tags;
    Bulk<Influence> influences;
    Bulk<Lod> lods;
    Bulk<Group> groups;
    Bulk<PackedVec3> vertices;
    Bytes blend;                   ///< indices and weights of the groups one after the other: see blend_size()
    Bulk<PackedNormal> normals;    ///< with has_normals, one for each vertex
    Bulk<PackedTangent> tangents;  ///< with has_tangents
    Bulk<PackedVec2> texcoords;    ///< with has_texcoords
    Bulk<PackedColor> colors;      ///< with has_colors
    Bulk<std::uint16_t> indices;   ///< of the group's vertices
    Morphs morphs;                 ///< version 6
    Bulk<char> strings;            ///< names, each with a NUL at its end
    Bytes trailing;                ///< bytes behind the strings

    /// Bytes that align a section to its place, as many as it needs; their values mean nothing.
    std::array<std::array<std::uint8_t, 8>, section_count> padding{};
    /// Elements of each section that the file announces and does not hold; 0 but in files cut off.
    std::array<std::uint64_t, section_count> missing{};
    /// The file ends inside padding with only empty sections to follow: nothing of meaning is missing.
    bool ends_early = false;
};

/// Of versions before 5 and after 6 nothing but the number can be read: "input-version".
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});
/// With `normalize`, nothing is announced that is not there, and padding is zero.
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

[[nodiscard]] Report check(const File& file);

/// The same model as another version: 5 or 6. What version 5 has no room for is left out and reported; version 6 is
/// written as docs/formats/x42.md reads it. Fails for other numbers, and where the morph targets of a file are not
/// understood.
[[nodiscard]] Result<Loaded<File>> with_version(File file, int version);

/// The string that begins at `name`, without its NUL; empty if it begins nowhere.
[[nodiscard]] std::string_view name_of(const File& file, std::uint16_t name) noexcept;

[[nodiscard]] constexpr float unpack(std::uint16_t code, const Range& range) noexcept {
    return static_cast<float>(code) * (range.high - range.low) / 65530.0f + range.low;
}
[[nodiscard]] constexpr Vec3 unpack(const PackedVec3& packed, const std::array<Range, 3>& ranges) noexcept {
    return {unpack(packed[0], ranges[0]), unpack(packed[1], ranges[1]), unpack(packed[2], ranges[2])};
}
[[nodiscard]] constexpr Vec2 unpack(const PackedVec2& packed, const std::array<Range, 2>& ranges) noexcept {
    return {unpack(packed[0], ranges[0]), unpack(packed[1], ranges[1])};
}
/// As it stands there: not of unit length.
[[nodiscard]] constexpr Quat unpack(const PackedQuat& packed) noexcept {
    constexpr float unit = 32767.0f;
    return {static_cast<float>(packed[0]) / unit, static_cast<float>(packed[1]) / unit,
            static_cast<float>(packed[2]) / unit, static_cast<float>(packed[3]) / unit};
}
[[nodiscard]] constexpr Vec3 unpack(const PackedNormal& packed) noexcept {
    constexpr float unit = 127.0f;
    return {static_cast<float>(packed[0]) / unit, static_cast<float>(packed[1]) / unit,
            static_cast<float>(packed[2]) / unit};
}

/// Numbers of the scale palette that one scale consists of: 1 or 3.
[[nodiscard]] constexpr std::size_t scale_width(const Header& header) noexcept {
    return (header.model_flags & uniform_scale) != 0 ? 1 : 3;
}
/// A scale of the palette; the place must be one.
[[nodiscard]] Vec3 scale_at(const File& file, std::size_t place) noexcept;

/// Bytes that a group has in File::blend: for each vertex (index, weight) for all influences but the last, whose weight
/// is what is left of 1, and the last one's index.
[[nodiscard]] constexpr std::uint64_t blend_size(const Group& group) noexcept {
    return group.vertex_influences == 0
               ? 0
               : (2 * std::uint64_t{group.vertex_influences} - 1) * std::uint64_t{group.vertex_count};
}

}  // namespace effigy::x42
