#pragma once
/// XMF ("XUMF"): Egosoft's meshes of X Rebirth and X4, exactly as they stand on disk. Facts: docs/formats/xmf.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::xmf {

/// The first bytes of a file, usually 64. Many of them hold garbage in real files; only `size`, the two record sizes
/// and the two counts (those of File's arrays) decide how the rest is read.
struct Header {
    std::array<char, 4> magic{'X', 'U', 'M', 'F'};
    std::uint8_t version = 3;
    std::uint8_t big_endian = 0;  ///< not 0: big-endian
    std::uint8_t size = 64;       ///< bytes of the header: where the first descriptor stands; at least 26
    std::uint8_t reserved = 0;
    std::uint8_t descriptor_size = 188;  ///< bytes of one buffer's descriptor; at least 40
    std::uint8_t material_size = 136;    ///< bytes of one material's record; at least 8
    std::uint8_t cull = 0;               ///< 1 in X Rebirth's files; says nothing about the winding
    std::uint8_t right_handed = 0;
    std::uint32_t vertex_count = 0;       ///< garbage in files of some tools: the descriptors count
    std::uint32_t index_count = 0;        ///< likewise
    std::uint32_t primitive_type = 4;     ///< D3DPRIMITIVETYPE; 4 is a list of triangles
    std::uint32_t mesh_optimization = 0;  ///< this and what follows only as far as `size` reaches
    Vec3 box_center;                      ///< zero in all known files
    Vec3 box_half_size;                   ///< likewise
    std::array<std::uint8_t, 10> reserved_end{};
    Bytes rest;  ///< bytes up to `size` that are no whole field
};

/// D3DDECLTYPE: how the components of an element are stored.
enum class ElementType : std::uint32_t {
    float1,
    float2,
    float3,
    float4,
    color,  ///< D3DCOLOR: bytes blue, green, red, alpha; read as red, green, blue, alpha in 0..1
    ubyte4,
    short2,
    short4,
    ubyte4n,
    short2n,
    short4n,
    ushort2n,
    ushort4n,
    udec3,
    dec3n,
    half2,
    half4,
    unused,
};

/// D3DDECLUSAGE: what an element is for.
enum class Usage : std::uint8_t {
    position,
    blend_weight,
    blend_indices,
    normal,
    point_size,
    texcoord,
    tangent,
    binormal,
    tessellation_factor,
    transformed_position,
    color,
    fog,
    depth,
    sample,
};

/// One entry of a vertex declaration. Values beyond the enums' are possible in damaged files.
struct Element {
    ElementType type = ElementType::unused;
    Usage usage = Usage::position;
    std::uint8_t usage_index = 0;
    std::array<std::uint8_t, 2> padding{};
};

inline constexpr std::uint32_t index_buffer_kind = 30;
inline constexpr std::uint32_t index_format_16 = 30, index_format_32 = 31;
inline constexpr std::size_t max_elements = 16;

/// A buffer: its descriptor, and what it holds.
struct Buffer {
    std::uint32_t kind = 0;         ///< 30: indices; else vertices, and the usage of the implicit element
    std::uint32_t usage_index = 0;  ///< of the implicit element
    std::uint32_t data_offset = 0;  ///< from the start of File::data
    std::uint32_t compressed = 1;   ///< not 0: a zlib stream
    std::uint32_t reserved = 0;
    std::uint32_t format = 0;       ///< index_format_16 or _32; 32 (or 0) with explicit elements; else an ElementType
    std::uint32_t stored_size = 0;  ///< bytes in the file
    std::uint32_t item_count = 0;   ///< vertices or indices in each section
    std::uint32_t item_size = 0;    ///< bytes of one
    std::uint32_t section_count = 1;
    double minimum = 0;  ///< of all scalars; both 0: not given. This and what follows only as far as
                         ///< Header::descriptor_size reaches
    double maximum = 0;
    std::uint32_t element_count = 0;               ///< explicit elements, 0 to 16
    std::array<Element, max_elements> elements{};  ///< slots beyond element_count hold garbage
    Bytes rest;                                    ///< descriptor bytes that are no whole field

    /// item_size * item_count * section_count bytes, decompressed, little-endian. Empty if the stored bytes are
    /// damaged.
    Bytes content;
};

/// Triangles that are drawn with one material.
struct Material {
    std::uint32_t first_index = 0;
    std::uint32_t index_count = 0;
    std::array<char, 128> name{};  ///< "collection.material", zero-padded; as far as Header::material_size reaches
    Bytes rest;
};

struct File {
    Header header;
    std::vector<Buffer> buffers;
    std::vector<Material> materials;
    /// Everything behind the material table, as it was stored. write() takes from here the bytes of each buffer whose
    /// content they still decode to, and compresses anew what has changed. Empty in a file made by a program.
    Bytes data;
};

/// Damaged streams are findings: their buffers have no content, and write() gives their bytes back.
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});
/// Offsets and sizes of streams are set if a buffer's content has changed. With `normalize`, all streams are laid out
/// anew and the header's counts are made true.
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

[[nodiscard]] Report check(const File& file);

/// Up to the first NUL.
[[nodiscard]] std::string_view name_of(const Material& material) noexcept;

[[nodiscard]] inline bool is_index_buffer(const Buffer& buffer) noexcept { return buffer.kind == index_buffer_kind; }
/// Vertices or indices in all sections.
[[nodiscard]] inline std::uint64_t item_count(const Buffer& buffer) noexcept {
    return std::uint64_t{buffer.item_count} * buffer.section_count;
}

/// Bytes of one value; 0 for `unused` and for numbers that are no type.
[[nodiscard]] std::uint32_t size_of(ElementType type) noexcept;
/// One value; components that the type lacks are 0, 0, 0, 1 as in Direct3D. `bytes` holds size_of(type) bytes.
[[nodiscard]] Vec4 decode(ElementType type, const std::byte* bytes) noexcept;

/// An element and where it stands in a vertex.
struct PlacedElement {
    Element element;
    std::uint32_t offset = 0;
};
/// The explicit elements of a vertex buffer, or its implicit one. Elements that reach beyond item_size are left out.
[[nodiscard]] std::vector<PlacedElement> declaration(const Buffer& buffer);

/// The indices of an index buffer, widened; empty if its item_size is neither 2 nor 4.
[[nodiscard]] Bulk<std::uint32_t> indices(const Buffer& buffer);

/// One buffer of vertices that holds nothing but positions, and no materials: what the game takes for collision.
[[nodiscard]] bool is_collision_mesh(const File& file) noexcept;

}  // namespace effigy::xmf
