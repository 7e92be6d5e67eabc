#pragma once
/// Small scenes whose pictures can be computed by hand.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <gtest/gtest.h>
#include <vector>

#include "effigy/image.hpp"
#include "effigy/poser.hpp"
#include "effigy/render.hpp"
#include "effigy/scene.hpp"

namespace effigy::render::test {

/// Skips, with the reason, where no pictures can be drawn.
class RenderTest : public ::testing::Test {
protected:
    void SetUp() override;
};

struct Shape {
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> texcoords;
    std::vector<Vec4> tangents, colors;
    std::vector<std::uint32_t> indices;
};

/// Radius 1, around the origin.
Shape sphere(std::uint32_t rings, std::uint32_t sectors);
/// From -1 to 1 on each axis, with flat faces.
Shape cube();
/// From -1 to 1 in x and y at `z`, looking along +Z; texture coordinates from 0 to `turns`, v = 0 at the top.
Shape plane(float z = 0, float turns = 1);

/// Adds a node with the shape as its mesh.
Index add(Scene& scene, const Shape& shape, Index material = no_index);
Index add_material(Scene& scene, const Material& material);
/// Rows from top to bottom.
Index add_image(Scene& scene, std::uint32_t width, std::uint32_t height,
                const std::vector<std::array<std::uint8_t, 4>>& pixels);
Material unlit(const Color& color);

/// From which a plane() at z = 0 fills a square picture exactly.
Camera front_camera();

Options small(std::uint32_t size = 64, std::uint32_t samples = 16);

Frame draw(const Scene& scene, const Camera& camera, const Options& options, bool collision = false);

using Rgba = std::array<int, 4>;
Rgba pixel(const Frame& frame, std::uint32_t x, std::uint32_t y);
void expect_near(const Rgba& found, const Rgba& expected, int tolerance);

double to_linear(double srgb);
double to_srgb(double linear);

/// The way through a pixel's centre, one unit away from the camera's plane for each length; in double precision and
/// apart from the code under test.
glm::dvec3 pixel_direction(const Camera& camera, const Options& options, double x, double y);
glm::dvec3 position_of(const Camera& camera);

}  // namespace effigy::render::test
