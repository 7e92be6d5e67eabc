#pragma once
/// XAC: EMotion FX actors (node tree, meshes, skinning, materials, morph targets), exactly as they stand on disk:
/// left-handed, exporter units, raw strings. Facts: docs/formats/xac.md.

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/emfx.hpp"
#include "effigy/math.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::xac {

inline constexpr std::uint32_t no_node = 0xffffffffu;

using emfx::Header;
using emfx::MotionEvents;
using emfx::Opaque;
using emfx::Timestamp;

/// Chunk 7 v1-v4.
struct Info {
    std::uint32_t lod_count = 1;                     ///< v4
    std::uint32_t reposition_mask = 0;               ///< v1, v2: bits 1 position, 2 rotation, 4 scale
    std::uint32_t reposition_node = no_node;         ///< v1, v2
    std::uint32_t trajectory_node = no_node;         ///< v3, v4
    std::uint32_t motion_extraction_node = no_node;  ///< v3, v4
    std::uint32_t motion_extraction_mask = 0;        ///< v3
    std::uint8_t exporter_major = 0, exporter_minor = 0;
    std::array<std::uint8_t, 2> padding{};
    float retarget_root_offset = 0;                                          ///< v2 and later
    std::string source_application, original_file, export_date, actor_name;  ///< raw bytes
};

/// One node: chunk 0 v1-v4 (one chunk each) and the elements of chunk 11, which have the v4 shape.
struct Node {
    static constexpr std::array<float, 16> no_box{1, 0, 0, -3.402823466e+38f, 0, 1, 0, -3.402823466e+38f,
                                                  0, 0, 1, -3.402823466e+38f, 0, 0, 0, 1};
    Quat rotation;        ///< local
    Quat scale_rotation;  ///< frame of the scale axes
    Vec3 position;
    Vec3 scale{1, 1, 1};
    Vec3 shear{-1, -1, -1};                     ///< dead data, -1 in all known files
    std::uint32_t skeletal_lods = 0xffffffffu;  ///< bit n: active in level n
    std::uint32_t motion_lods = 0xffffffffu;    ///< v4
    std::uint32_t parent = no_node;
    std::uint32_t child_count = 0;  ///< v4
    std::uint8_t flags = 1;         ///< v2 and later; bit 0: included in bounds, others garbage
    std::array<std::uint8_t, 3> padding{};
    std::array<float, 16> box = no_box;  ///< v3 and later: axes, extents in [3] [7] [11], centre in [12-14]
    float importance = 1;                ///< v4
    std::string name;                    ///< raw bytes
};

/// Chunk 11 v1.
struct Nodes {
    std::uint32_t root_count = 0;
    std::vector<Node> nodes;
};

enum class LayerType : std::uint32_t {
    position = 0,         ///< Vec3
    normal = 1,           ///< Vec3
    tangent = 2,          ///< Vec4, w = +-1; one layer for each UV set
    uv = 3,               ///< Vec2, v down
    color32 = 4,          ///< 4 x u8 r, g, b, a
    original_vertex = 5,  ///< u32, index into the skinning table
    color128 = 6,         ///< Color
    bitangent = 7,        ///< Vec3, later engine only
    cloth = 8,            ///< u32, later engine only
};

struct VertexLayer {
    LayerType type = LayerType::position;
    std::uint32_t element_size = 12;  ///< bytes for each vertex
    std::uint8_t enable_deformations = 0;
    std::uint8_t is_scale = 0;
    std::array<std::uint8_t, 2> padding{};
    Bytes data;  ///< element_size x vertex count, native byte order

    /// The elements, or nothing if element_size is not sizeof(T).
    template <class T>
    [[nodiscard]] std::span<const T> as() const noexcept {
        if (element_size != sizeof(T)) return {};
        return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
    }
};

struct Submesh {
    std::uint32_t vertex_count = 0;
    std::uint32_t material = 0;   ///< in file order over chunks 3 and 5
    Bulk<std::uint32_t> indices;  ///< relative to the submesh's first vertex
    Bulk<std::uint32_t> bones;    ///< palette: the distinct nodes that move its vertices
};

/// Chunk 1 v1-v2.
struct Mesh {
    std::uint32_t node = 0;
    std::uint32_t lod = 0;  ///< v2
    std::uint32_t original_vertex_count = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t index_count = 0;
    std::uint8_t is_collision = 0;
    std::array<std::uint8_t, 3> padding{};
    std::vector<VertexLayer> layers;
    std::vector<Submesh> submeshes;
};

struct Influence {
    float weight = 0;
    std::uint16_t node = 0;
    std::array<std::uint8_t, 2> padding{};
};

struct InfluenceRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// Influences of one original vertex in chunk 2 v1.
struct VertexInfluences {
    Bulk<Influence> influences;  ///< at most 255
};

/// Chunk 2 v1-v4. The number of ranges (v1: vertices) is the mesh's original_vertex_count and is not stored here.
struct Skinning {
    std::uint32_t node = 0;
    std::uint32_t lod = 0;               ///< v4
    std::uint32_t local_bone_count = 0;  ///< v3, v4: distinct nodes used
    std::uint8_t is_for_collision_mesh = 0;
    std::array<std::uint8_t, 3> padding{};
    Bulk<Influence> influences;              ///< v2 and later
    Bulk<InfluenceRange> ranges;             ///< v2 and later
    std::vector<VertexInfluences> vertices;  ///< v1
};

/// Texture slot: inline in chunk 3 v2-v3, or chunk 4 v1-v2.
struct MaterialLayer {
    float amount = 1;
    float u_offset = 0, v_offset = 0;
    float u_tiling = 1, v_tiling = 1;
    float rotation = 0;  ///< radians
    std::uint16_t material = 0;
    std::uint8_t map_type = 0;    ///< 2 diffuse, 3 specular, 4 opacity, 5 bump, 6 self-illumination ...
    std::uint8_t blend_mode = 0;  ///< padding in chunk 4 v1
    std::string texture;          ///< raw bytes; usually no path and no extension
};

/// Chunk 3 v1-v3.
struct StandardMaterial {
    std::uint32_t lod = 0;  ///< v3
    Color ambient, diffuse, specular, emissive;
    float shine = 0, shine_strength = 0, opacity = 1, index_of_refraction = 1;
    std::uint8_t double_sided = 0;
    std::uint8_t wireframe = 0;
    std::uint8_t transparency_type = 'F';  ///< F filter, S subtractive, A additive, U unknown
    std::uint8_t padding = 0;              ///< v1; later versions count their layers here
    std::string name;                      ///< raw bytes
    std::vector<MaterialLayer> layers;     ///< v2, v3
};

struct IntParameter {
    std::int32_t value = 0;
    std::string name;
};
struct FloatParameter {
    float value = 0;
    std::string name;
};
struct ColorParameter {
    Color value;
    std::string name;
};
struct BoolParameter {
    std::uint8_t value = 0;
    std::string name;
};
struct VectorParameter {
    Vec3 value;
    std::string name;
};
struct BitmapParameter {
    std::string name;
    std::string value;
};

/// Chunk 5 v1-v3.
struct FxMaterial {
    std::uint32_t lod = 0;  ///< v3
    std::string name, effect_file;
    std::string technique;  ///< v2 and later
    std::vector<IntParameter> ints;
    std::vector<FloatParameter> floats;
    std::vector<ColorParameter> colors;
    std::vector<BoolParameter> bools;      ///< v2 and later
    std::vector<VectorParameter> vectors;  ///< v2 and later
    std::vector<BitmapParameter> bitmaps;
};

/// Chunk 6 v1.
struct Limit {
    Vec3 translation_min, translation_max, rotation_min, rotation_max, scale_min, scale_max;
    std::array<std::uint8_t, 9> flags{};
    std::array<std::uint8_t, 3> padding{};
    std::uint32_t node = 0;
};

struct File;

/// Chunk 8 v1: a whole actor as the next level of detail.
struct MeshLod {
    std::uint32_t level = 0;
    std::optional<std::uint32_t> size;  ///< declared bytes of the embedded file
    std::vector<File> actor;            ///< one, or none if the bytes are not an actor
    Bytes bytes;                        ///< in that case
};

/// 16-bit offset in units of (max - min) / 65535 above min.
struct PackedPosition {
    std::array<std::uint16_t, 3> value{};
};
/// 8-bit offset over -1..1 (or -2..2, see docs/formats/xac.md).
struct PackedDirection {
    std::array<std::uint8_t, 3> value{};
};

struct MorphDeformation {
    std::uint32_t node = 0;
    float min_value = 0, max_value = 0;
    Bulk<PackedPosition> positions;
    Bulk<PackedDirection> normals;
    Bulk<PackedDirection> tangents;  ///< for the first tangent layer
    Bulk<std::uint32_t> vertices;    ///< vertices of the node's mesh, not original vertices
};

struct MorphTransformation {
    std::uint32_t node = 0;
    Quat rotation, scale_rotation;
    Vec3 position, scale;
};

/// Chunk 9 v1, and the elements of chunk 12.
struct MorphTarget {
    float range_min = 0, range_max = 1;
    std::uint32_t lod = 0;
    std::uint32_t phoneme_sets = 0;  ///< bits, 0 = an ordinary target
    std::string name;                ///< raw bytes
    std::vector<MorphDeformation> deformations;
    std::vector<MorphTransformation> transformations;
};

/// Chunk 12 v1.
struct MorphTargets {
    std::uint32_t lod = 0;
    std::vector<MorphTarget> targets;
};

struct NodeGroup {
    std::uint8_t disabled_on_default = 0;
    std::array<std::uint8_t, 1> padding{};
    std::string name;
    Bulk<std::uint16_t> nodes;
};

/// Chunk 10 v1: a number of groups, which is 0 in all known files, and so many.
struct NodeGroups {
    bool counted = true;  ///< false: one group without a number in front (not stored; found by the size)
    std::vector<NodeGroup> groups;
};

/// Chunk 13 v1-v2.
struct MaterialInfo {
    std::uint32_t lod = 0;  ///< v2
    std::uint32_t total = 0, standard = 0, fx = 0;
};

/// Chunk 14 v1: for each node the one that it takes its motion from when mirrored, 0xffff none.
struct NodeMotionSources {
    bool has_axes = false;  ///< later exporters (not stored; found by the size)
    Bulk<std::uint16_t> sources;
    Bulk<std::uint8_t> axes, flags;  ///< with has_axes
};

/// Chunk 15 v1.
struct AttachmentNodes {
    Bulk<std::uint16_t> nodes;
};

using Record = std::variant<Opaque, Node, Mesh, Skinning, StandardMaterial, MaterialLayer, FxMaterial, Limit, Info,
                            MeshLod, MorphTarget, NodeGroups, Nodes, MorphTargets, MaterialInfo, NodeMotionSources,
                            AttachmentNodes, MotionEvents, Timestamp>;
using Chunk = emfx::Chunk<Record>;

struct File {
    Header header{{'X', 'A', 'C', ' '}, 1, 0, 0, 0};
    std::vector<Chunk> chunks;
    Bytes trailing;      ///< bytes after the last chunk
    Bytes wrapper_head;  ///< Risen: the 140 bytes before the actor
    Bytes wrapper_tail;  ///< Risen: the bytes after it
};

/// Reads an actor. Fails only if the bytes are no XAC or a limit is reached; damage is reported as errors, and what
/// cannot be read is kept as opaque bytes, so that write() gives the same bytes again.
[[nodiscard]] Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options = {});
/// Reads from disk, bulk data straight into its arrays.
[[nodiscard]] Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options = {});

/// Fails if counts and arrays contradict each other.
[[nodiscard]] Result<Bytes> write(const File& file, const WriteOptions& options = {});
[[nodiscard]] Result<void> write_file(const File& file, const std::filesystem::path& path,
                                      const WriteOptions& options = {});

/// What would surprise an engine or a tool: see docs/diagnostics.md for the rules.
[[nodiscard]] Report check(const File& file);

/// The nodes of chunks 0 and 11 in order: a node's index is its place here.
[[nodiscard]] std::vector<const Node*> nodes(const File& file);

/// Influences of original vertex `vertex`, whatever the version; empty if out of range.
[[nodiscard]] std::span<const Influence> influences(const Skinning& skinning, std::uint32_t vertex) noexcept;

/// The skinning that belongs to `mesh` (same node, lod and kind), or null.
[[nodiscard]] const Skinning* find_skinning(const File& file, const Mesh& mesh) noexcept;

}  // namespace effigy::xac
