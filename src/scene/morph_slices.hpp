#pragma once
/// Meshes in the parts that glTF has accessors for: ranges of vertices that primitives stand on, and the share of each
/// morph target that falls into one of them. Who writes them and who hashes them must see the same.

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

/// Any bit counts, so that -0 stays -0 on its way through a file.
[[nodiscard]] inline bool is_moved(const Vec3& offset) noexcept {
    using Bits = std::array<std::uint32_t, 3>;
    return std::bit_cast<Bits>(offset) != Bits{};
}

/// Primitives without indices are legal in the scene and illegal in glTF.
[[nodiscard]] inline bool is_drawn(const Primitive& primitive) noexcept {
    return !primitive.indices.empty() && primitive.vertex_count != 0;
}

struct VertexRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    friend auto operator<=>(const VertexRun&, const VertexRun&) = default;  // NOLINT(modernize-use-nullptr)
};
/// Those of the primitives that are drawn, each once, in their order.
[[nodiscard]] std::vector<VertexRun> vertex_runs(const Mesh& mesh);

struct MorphSlice {
    VertexRun range;
    std::span<const std::uint32_t> indices;        ///< of the mesh
    std::array<std::span<const Vec3>, 3> offsets;  ///< of positions, normals, tangents; each may be empty
    /// Sparse accessors are smaller. Vertices that are listed and stay where they are do not count: they would not be
    /// found again in a full one.
    bool is_sparse = false;

    [[nodiscard]] std::uint32_t index_width() const noexcept { return range.count <= 65536 ? 2 : 4; }
};
[[nodiscard]] MorphSlice slice_of(const MorphTarget& target, const VertexRun& range);

}  // namespace effigy
