#pragma once
/// The vertices of a mesh as the jobs want them.

#include "effigy/bytes.hpp"
#include "effigy/playback.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::playback {

/// Memory for the vertices of a mesh.
struct Vertices {
    Bulk<Vec3> positions;
    Bulk<Vec3> normals;
    Bulk<Vec4> tangents;

    /// Room for at least as much as `like` has.
    void grow(const VertexView& like);
    [[nodiscard]] VertexSpan span() noexcept { return {positions, normals, tangents}; }
    /// As much of it as `like` has, which must have been given room.
    [[nodiscard]] VertexSpan first(const VertexView& like) noexcept;
    [[nodiscard]] VertexView view() const noexcept { return {positions, normals, tangents}; }
};

/// Positions, and normals and tangents where the mesh has them, all with one float element for each vertex; else
/// "playback-attribute". `number` is the mesh's, for the message.
[[nodiscard]] Result<VertexView> vertices_of(const Mesh& mesh, Index number);

}  // namespace effigy::playback
