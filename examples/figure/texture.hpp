#pragma once
/// Texture coordinates by part of the figure, and the picture that is painted through them.

#include "effigy/image.hpp"

#include "shape.hpp"

namespace figure {

/// A shape as an engine draws it: vertices split where the texture has a seam.
struct RenderShape {
    std::vector<std::uint32_t> original;  ///< for each render vertex its vertex in the shape
    std::vector<vec2> uv;                 ///< v = 0 at the top of the picture
    std::vector<glm::vec4> tangents;      ///< w: cross(normal, tangent) * w runs along dP/dv
    std::vector<Triangle> triangles;      ///< over render vertices
};

[[nodiscard]] RenderShape unwrap(const Shape& shape);

/// Paints what is drawn onto a picture of `size` x `size`.
class Canvas {
public:
    explicit Canvas(int size);
    void paint(const Shape& shape, const RenderShape& rendered);
    /// Bleeds colours over the charts' borders, so that filtering does not reach what was never painted.
    [[nodiscard]] effigy::image::Picture finish();

private:
    int size_;
    std::vector<vec3> pixels_;
    std::vector<std::uint8_t> painted_;
};

}  // namespace figure
