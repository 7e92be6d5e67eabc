/// Meshes that Blender's exporter has turned inside out.

#include <glm/geometric.hpp>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/read/context.hpp"
#include "scene/bridge.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"

namespace effigy::gltf {
namespace {

/// Whether three of four triangles at least, of those that have an area, look away from their normals.
bool is_inside_out(const Mesh& mesh) {
    const FloatView positions(mesh, Semantic::position), normals(mesh, Semantic::normal);
    if (positions.width() != 3 || normals.width() != 3) return false;
    std::size_t seen = 0, inverted = 0;
    for (const Primitive& primitive : mesh.primitives) {
        const auto vector = [&](const FloatView& view, std::uint32_t index) {
            const auto numbers = view[std::size_t{primitive.first_vertex} + index];
            return wide(Vec3{numbers[0], numbers[1], numbers[2]});
        };
        for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const glm::dvec3 corner = vector(positions, a);
            const glm::dvec3 face = glm::cross(vector(positions, b) - corner, vector(positions, c) - corner);
            const double side = glm::dot(face, vector(normals, a) + vector(normals, b) + vector(normals, c));
            seen += side != 0 ? 1 : 0;
            inverted += side < 0 ? 1 : 0;
        });
    }
    return seen != 0 && 4 * inverted >= 3 * seen;
}

}  // namespace

void note_inside_out(Reading& reading) {
    if (!is_made_by_blender(reading)) return;
    NameList names;
    for (const Mesh& mesh : reading.scene.meshes) {
        if (is_inside_out(mesh)) names.add(mesh.name);
    }
    if (!names.empty()) reading.note(codes::gltf_inside_out, "meshes", {}, names.text());
}

}  // namespace effigy::gltf
