#pragma once
/// Meshes of the examples: surfaces over a grid, in glTF's frame (right-handed, Y up, the front along +Z).

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace surfaces {

using glm::vec2;
using glm::vec3;

struct Vertex {
    vec3 position, normal;
    glm::vec4 tangent;  // w: cross(normal, tangent) * w runs along -dP/dv
    vec2 uv;            // v = 0 at the top of the picture
};

/// Triangles of one material, counter-clockwise.
struct Range {
    std::string material;
    std::uint32_t first_index = 0, index_count = 0;
};

struct Shape {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::vector<Range> ranges;
};

/// A rectangle of the texture.
struct Chart {
    vec2 corner{0, 0}, size{1, 1};
};

/// A point of a surface, u around and v along it, both 0..1; it is seen from where dP/du x dP/dv points.
using Surface = std::function<vec3(float u, float v)>;

/// Adds a surface of `around` x `along` quads. Mirrored: its image on the other side, -X for +X.
void add(Shape& shape, const Surface& surface, int around, int along, Chart chart, bool mirrored = false);
/// Ends a run of triangles that share a material.
void end_range(Shape& shape, std::string material);

/// Closed at both ends, with the given half-axes.
[[nodiscard]] Surface ellipsoid(vec3 centre, vec3 radius);
/// A tube along +Z with half-axes at each end.
[[nodiscard]] Surface tube(vec3 from, vec3 to, vec2 radius_from, vec2 radius_to);
/// A disc that faces -Z.
[[nodiscard]] Surface disc(vec3 centre, float radius);

}  // namespace surfaces
