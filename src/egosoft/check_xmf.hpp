#pragma once
/// Rules for one XMF alone.

#include <array>
#include <string>
#include <string_view>

#include "effigy/result.hpp"
#include "effigy/xmf.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

// clang-format off
inline constexpr auto xmf_rules = std::to_array<Rule>({
    // Header and tables
    {"xmf-version", Severity::error, "XMF", "The version is not 3, the only one that the games have ever read: they refuse the file, and its layout may be another."},
    {"xmf-endian", Severity::warning, "XMF", "The byte order is neither 0 nor 1: the file is taken as big-endian, other tools may see it otherwise."},
    {"xmf-primitive", Severity::error, "XMF", "The primitive type is not 4, a list of triangles: the games draw nothing else, and every tool takes the indices for triangles."},
    {"xmf-header-size", Severity::warning, "XMF", "The header does not have 64 bytes: tools that expect the descriptors at 64 misread everything behind it."},
    {"xmf-record-size", Severity::warning, "XMF", "Descriptors do not have 56 or 188 bytes, or materials not 136: no known file has such records, and most tools have one size built in."},
    {"xmf-header-counts", Severity::warning, "XMF", "The header's numbers of vertices and indices are not those of the buffers: XRConverters writes garbage there. The games go by the buffers, other tools may not."},
    {"xmf-header-reserved", Severity::info, "XMF", "Reserved bytes of the header are not zero: the games ignore them, and some tools refuse the file."},
    // Streams
    {"stream-gap", Severity::warning, "XMF", "Bytes between two streams belong to no buffer: they are kept, and nothing reads them."},
    {"stream-overlap", Severity::warning, "XMF", "Two buffers share bytes of the file: changing one would damage the other, so a changed stream is stored behind all others."},
    {"stream-order", Severity::info, "XMF", "The streams do not stand in the order of their buffers: tools that ignore data_offset mix them up."},
    {"stream-trailing", Severity::warning, "XMF", "Bytes follow the last stream: they are kept, and nothing reads them."},
    // Buffers
    {"xmf-index-buffers", Severity::error, "XMF", "There is not exactly one index buffer: the games and all tools expect one."},
    {"xmf-vertex-buffers", Severity::error, "XMF", "There is no vertex buffer: there is nothing to draw."},
    {"xmf-vertex-counts", Severity::error, "XMF", "The vertex buffers do not have the same number of vertices: the games read past the end of the shorter one."},
    {"xmf-sections", Severity::warning, "XMF", "A buffer has not exactly one section: no known file has that, and tools read only the first."},
    {"xmf-uncompressed", Severity::info, "XMF", "A buffer is stored without compression: the descriptor allows it, no known file does it, and most tools decompress regardless."},
    {"xmf-item-size", Severity::error, "XMF", "The elements of a vertex do not add up to the item size: everything behind the first vertex is misread."},
    {"xmf-element-count", Severity::error, "XMF", "A declaration has more than 16 elements, for which there is no room: the games read foreign memory."},
    {"xmf-element-type", Severity::error, "XMF", "An element's type is unknown: where the elements behind it stand cannot be told."},
    {"xmf-element-usage", Severity::warning, "XMF", "An element's usage is unknown: it is not used."},
    {"xmf-element-repeated", Severity::warning, "XMF", "Two elements have the same usage and index: the shaders see only one of them."},
    {"xmf-format-zero", Severity::info, "XMF", "A buffer with explicit elements has the format 0: XRConverters writes that instead of 32, and the games accept it."},
    {"xmf-format", Severity::warning, "XMF", "A buffer's format does not go with what it holds: the games write 32 for explicit elements, a declaration type for an implicit one."},
    {"xmf-index-format", Severity::error, "XMF", "The index format (30 for 16 bits, 31 for 32) and the size of an index contradict each other: the triangles are misread."},
    {"xmf-index-width", Severity::info, "XMF", "Indices have 32 bits although 16 would do: the games' own tools use 32 only beyond 65535 vertices, and for collision."},
    {"xmf-index-count", Severity::error, "XMF", "The number of indices is not divisible by 3: the last triangle is incomplete."},
    {"xmf-index-range", Severity::error, "XMF", "An index refers to a vertex that does not exist: triangles are drawn astray, or the driver crashes."},
    {"xmf-range", Severity::info, "XMF", "The stated minimum and maximum are not those of the content: the games are not known to use them."},
    {"xmf-sets-sparse", Severity::info, "XMF", "Sets of texture coordinates or colours are not numbered without gaps: glTF needs them so; conversions pack them and keep the numbers."},
    {"xmf-position-missing", Severity::error, "XMF", "No buffer holds positions: there is nothing to draw."},
    {"xmf-normal-missing", Severity::info, "XMF", "A visible mesh has no normals: it is lit flat or not at all."},
    {"xmf-not-finite", Severity::error, "XMF", "Numbers are infinite or not numbers: the triangles around them disappear or cover the screen."},
    // Collision
    {"xmf-collision-stream", Severity::error, "XMF", "A collision mesh must be one buffer with one implicit FLOAT3 position (no elements) and no materials: the games crash on anything else."},
    {"xmf-collision-indices", Severity::warning, "XMF", "A collision mesh has 16-bit indices: X4 logs \"Could not process collision mesh ... for octree generation (index buffer is corrupt)\" and ignores it."},
    // Materials
    {"xmf-materials-missing", Severity::info, "XMF", "A visible mesh has no materials: all triangles are drawn with a default."},
    {"xmf-material-range", Severity::error, "XMF", "A material's triangles reach beyond the indices: the games read foreign memory."},
    {"xmf-material-count", Severity::error, "XMF", "A material's number of indices is not divisible by 3: its triangles are cut."},
    {"xmf-material-order", Severity::warning, "XMF", "The materials' ranges do not follow each other from 0 on: some triangles are drawn twice, or not at all."},
    {"xmf-material-sum", Severity::warning, "XMF", "The materials do not cover all indices: the rest is not drawn."},
    {"xmf-material-name-end", Severity::error, "XMF", "A material's name fills its field without an end: readers run into the next record."},
    {"xmf-material-name", Severity::warning, "XMF", "A material's name is not of the form collection.material: the games find no such material and draw a default."},
    // Geometry
    {"xmf-triangle-degenerate", Severity::info, "XMF", "Triangles without area: they are not drawn, and tools that compute tangents or collision from them stumble."},
    {"xmf-triangle-inverted", Severity::warning, "XMF", "Triangles wind the wrong way round for their normals: they are culled from the front and seen from behind."},
    {"xmf-triangle-inverted-some", Severity::info, "XMF", "Some triangles wind the wrong way round for their normals: they are culled from the front, unless the material is two-sided."},
    {"xmf-decal-inverted", Severity::info, "XMF", "A flat mesh, as decals are, winds the wrong way round for its normals: shipped decals do so and are seen all the same."},
    {"xmf-normal-length", Severity::info, "XMF", "Normals are not of unit length: lighting is uneven there; conversions make them unit."},
    {"xmf-tangent-alpha", Severity::info, "XMF", "The fourth byte of tangents is not 0: nothing reads it; the bitangent's sign stands in the normals' fourth byte."},
    {"xmf-normal-alpha", Severity::info, "XMF", "The fourth byte of normals is neither 0 nor 255: it is the bitangent's sign, and values in between are rounded."},
    {"xmf-tangent-direction", Severity::warning, "XMF", "Tangents run along the texture's U instead of against it, as the games have them: normal maps are lit from the wrong side."},
    {"xmf-tangent-sign", Severity::warning, "XMF", "The bitangent's sign contradicts the texture coordinates where it says that they are mirrored: normal maps are lit upside down there."},
    {"xmf-tangent-unmarked", Severity::info, "XMF", "Texture coordinates are mirrored where the normals' fourth byte does not say so: many exporters never set it; normal maps may be lit upside down there."},
});
// clang-format on

using XmfCode = RuleCode<xmf_rules>;
using XmfFindings = RuleFindings<xmf_rules>;

/// Every rule; `named_collision` says that the file's name makes the game take it for a collision mesh.
[[nodiscard]] Report check_mesh(const xmf::File& file, bool named_collision);

/// Where streams lie: overlaps, gaps, bytes that belong to none.
void check_streams(const xmf::File& file, XmfFindings& findings);
/// What the geometry says: triangles, normals, tangents.
void check_geometry(const xmf::File& file, XmfFindings& findings);

/// Offsets for the findings that name a field by its path; those about content get the place of its stream.
void locate(const xmf::File& file, Report& report);

/// "buffer[2] / content[17]"
[[nodiscard]] std::string buffer_path(std::size_t buffer, std::string_view field = {});

}  // namespace effigy::egosoft
