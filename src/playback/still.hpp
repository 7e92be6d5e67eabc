#pragma once
/// What a scene shows in its rest pose, checked, for formats that know no more than that.

#include <cstdint>
#include <string_view>
#include <vector>

#include "effigy/math.hpp"
#include "effigy/poser.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

#include "scene/triangles.hpp"

namespace effigy {

/// One mesh where it stands.
struct StillMesh {
    const Node* node = nullptr;
    const Mesh* mesh = nullptr;
    bool mirrored = false;
    playback::VertexView vertices;  ///< of the poser
    Bulk<Vec2> texcoords;           ///< v upwards; empty if the mesh has none
    Bulk<Color> colors;             ///< linear; likewise
};

/// All that is drawn. Every index is below its limit and every number finite.
struct Still {
    playback::Poser poser;
    std::vector<StillMesh> meshes;
};

/// Fails with "output-scene" or "output-not-finite", or as playback::Poser does.
[[nodiscard]] Result<Still> still_of(const Scene& scene);

/// Calls `visit(a, b, c)` with the mesh's vertices of each triangle, turned so that its front stays in front.
template <class Visit>
void for_each_triangle(const StillMesh& mesh, const Primitive& primitive, Visit&& visit) {
    const std::uint32_t first = primitive.first_vertex;
    for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        mesh.mirrored ? visit(first + a, first + c, first + b) : visit(first + a, first + b, first + c);
    });
}

/// What a still format has room for besides positions, normals and one set of texture coordinates.
struct StillFormat {
    Code code;        ///< of what is lost
    Code plain_code;  ///< of what is lost and not seen
    std::string_view name;
    bool materials = false;
    bool colors = false;  ///< one colour a vertex
    bool lines = false;   ///< and points
};

/// One finding for each kind of thing in the scene that such a format cannot hold.
[[nodiscard]] Report still_losses(const Scene& scene, const StillFormat& format);

/// The set of texture coordinates that is written of a mesh: the one that its first base colour texture uses.
[[nodiscard]] std::uint32_t shown_texcoords(const Scene& scene, const Mesh& mesh);

}  // namespace effigy
