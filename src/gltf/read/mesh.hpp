#pragma once
/// How meshes are read: primitives that share accessors share a range of the mesh's vertices.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "effigy/scene.hpp"

#include "gltf/read/context.hpp"

namespace effigy::gltf {

/// Names and numbers of accessors.
using AccessorNumbers = std::map<std::string, Index, std::less<>>;

/// Vertices on which one or more primitives stand.
struct VertexRange {
    AccessorNumbers attributes;
    std::map<std::string, Accessor> decoded;    ///< instead of those accessors, where they are compressed
    std::vector<std::array<Index, 3>> targets;  ///< accessors of positions, normals, tangents of each morph target
    std::string path;                           ///< of the first of its primitives
    std::uint32_t first = 0;                    ///< in the mesh
    std::uint32_t count = 0;
};

struct PrimitiveSource {
    const Value* json = nullptr;
    std::string path;
    std::size_t range = 0;
    Index indices = no_index;  ///< accessor
    std::optional<Bulk<std::uint32_t>> decoded_indices{};
    Topology topology = Topology::triangles;
    bool is_loop = false;  ///< a line strip that ends where it begins
};

struct MeshSource {
    std::string path;
    std::vector<VertexRange> ranges;
    std::vector<PrimitiveSource> primitives;
    std::uint32_t vertex_count = 0;
    /// The arrays in the buffer views are the mesh's own: they are taken as a whole, with vertices that no primitive
    /// stands on.
    bool takes_whole_views = false;
    /// They have more than the primitives name, which is the mesh's own only if its hash says so; else it is read
    /// again.
    bool is_tentative = false;
};

/// "POSITION", "NORMAL", "TANGENT"
inline constexpr std::array<const char*, 3> target_names{"POSITION", "NORMAL", "TANGENT"};

/// What the primitives of a mesh refer to; those that cannot be drawn are left out.
[[nodiscard]] Result<MeshSource> read_mesh_source(Reading& reading, const Value& json, std::size_t number);

/// Finds each range's place in the mesh. Meshes that have not been changed since effigy wrote them keep the places they
/// had; else ranges keep them where that leaves no gap, and follow one another where it would.
[[nodiscard]] Result<void> place_ranges(Reading& reading, MeshSource& source, bool untouched);

/// Vertex attributes. What only some ranges have is made up for the others, but for normals and tangents, whose ranges
/// without are returned.
struct MissingVectors {
    std::vector<std::size_t> normals, tangents;  ///< numbers of ranges
};
[[nodiscard]] Result<MissingVectors> read_attributes(Reading& reading, const MeshSource& source, Mesh& mesh);
/// Normals from triangles, and any tangents that stand upright on normals.
void fill_vectors(const MissingVectors& missing, const MeshSource& source, Mesh& mesh);

[[nodiscard]] Result<void> read_primitives(Reading& reading, MeshSource& source, Mesh& mesh);
/// The numbers of a list; missing ones are 0.
[[nodiscard]] std::vector<float> weights_of(const Value& list, std::size_t count);
[[nodiscard]] Result<void> read_targets(Reading& reading, const MeshSource& source, Mesh& mesh);

}  // namespace effigy::gltf
