/// What lets light through: holes, translucent layers, back sides, the background.

#include <cmath>

#include "stage.hpp"

namespace effigy::render::test {
namespace {

int byte(double linear) { return static_cast<int>(std::lround(to_srgb(linear) * 255)); }

Material blended(const Color& color) {
    Material material = unlit(color);
    material.alpha_mode = AlphaMode::blend;
    return material;
}

class TransparencyTest : public RenderTest {};

TEST_F(TransparencyTest, MasksCutHoles) {
    Scene scene;
    Material material = unlit({1, 1, 1, 1});
    material.alpha_mode = AlphaMode::mask;
    material.base_color_texture.image =
        add_image(scene, 2, 2, {{{255, 0, 0, 255}}, {{255, 0, 0, 100}}, {{255, 0, 0, 0}}, {{255, 0, 0, 140}}});
    add(scene, plane(), add_material(scene, material));
    const Frame frame = draw(scene, front_camera(), small(2, 1));
    expect_near(pixel(frame, 0, 0), {255, 0, 0, 255}, 0);
    expect_near(pixel(frame, 1, 0), {0, 0, 0, 0}, 0);
    expect_near(pixel(frame, 0, 1), {0, 0, 0, 0}, 0);
    expect_near(pixel(frame, 1, 1), {255, 0, 0, 255}, 0);
    EXPECT_TRUE(std::isinf(frame.depth[1]));
    EXPECT_NEAR(frame.depth[0], 4, 1e-5);
    EXPECT_TRUE(frame.picture.has_alpha);

    scene.materials[0].alpha_cutoff = 0.3f;
    expect_near(pixel(draw(scene, front_camera(), small(2, 1)), 1, 0), {255, 0, 0, 255}, 0);
}

TEST_F(TransparencyTest, WhatIsBehindAHoleIsSeen) {
    Scene scene;
    Material material = unlit({1, 0, 0, 0.2f});
    material.alpha_mode = AlphaMode::mask;
    add(scene, plane(0.1f), add_material(scene, material));
    add(scene, plane(0), add_material(scene, unlit({0, 1, 0, 1})));
    expect_near(pixel(draw(scene, front_camera(), small(8)), 4, 4), {0, 255, 0, 255}, 0);
}

TEST_F(TransparencyTest, LayersAreBlendedFromFrontToBackInLinearLight) {
    Scene scene;
    add(scene, plane(0), add_material(scene, unlit({0, 0, 1, 1})));
    add(scene, plane(0.1f), add_material(scene, blended({0, 1, 0, 0.5f})));
    add(scene, plane(0.2f), add_material(scene, blended({1, 0, 0, 0.25f})));
    const Frame frame = draw(scene, front_camera(), small(16));
    // 0.25 red, then 0.5 of the rest green, then the rest blue.
    expect_near(pixel(frame, 8, 8), {byte(0.25), byte(0.375), byte(0.375), 255}, 1);
    EXPECT_NEAR(frame.depth[8 * 16 + 8], 3.8, 1e-4);
}

TEST_F(TransparencyTest, AlphaOfATransparentPictureIsStraight) {
    Scene scene;
    add(scene, plane(), add_material(scene, blended({1, 0.2f, 0, 0.5f})));
    const Frame frame = draw(scene, front_camera(), small(16));
    expect_near(pixel(frame, 8, 8), {255, byte(0.2), 0, 128}, 1);
}

/// Rays through the middles of pixels meet both triangles of a square on its diagonal.
TEST_F(TransparencyTest, TrianglesOfASurfaceShareTheirEdges) {
    Scene scene;
    const Index glass = add_material(scene, blended({1, 1, 1, 0.5f}));
    for (const int alpha : {128, 191}) {  // another square in the same place is another layer
        add(scene, plane(), glass);
        const Frame frame = draw(scene, front_camera(), small(32, 1));
        for (std::uint32_t i = 0; i < 32 * 32; ++i) {
            SCOPED_TRACE(i);
            expect_near(pixel(frame, i % 32, i / 32), {255, 255, 255, alpha}, 1);
        }
    }
}

TEST_F(TransparencyTest, EdgesKeepTheirColor) {
    Scene scene;
    add(scene, sphere(32, 64), add_material(scene, unlit({1, 0.5f, 0, 1})));
    Camera camera;
    camera.position = {0, 0, 5};
    const Frame frame = draw(scene, camera, small(48));
    int partial = 0;
    for (std::uint32_t i = 0; i < 48 * 48; ++i) {
        const Rgba found = pixel(frame, i % 48, i / 48);
        if (found[3] == 0) continue;
        partial += found[3] < 255 ? 1 : 0;
        expect_near(found, {255, byte(0.5), 0, found[3]}, 1);
    }
    EXPECT_GT(partial, 40);
}

TEST_F(TransparencyTest, BackgroundStandsAsGivenAndShinesThrough) {
    Scene scene;
    Shape shape = plane();
    for (Vec3& position : shape.positions) position.x *= 0.5f;
    add(scene, shape, add_material(scene, blended({1, 1, 1, 0.5f})));
    Options options = small(32);
    options.background = {0.2f, 0.4f, 0.6f, 1};
    const Frame frame = draw(scene, front_camera(), options);
    expect_near(pixel(frame, 1, 16), {51, 102, 153, 255}, 0);
    const auto mixed = [](double background) { return byte(0.5 + 0.5 * to_linear(background)); };
    expect_near(pixel(frame, 16, 16), {mixed(0.2), mixed(0.4), mixed(0.6), 255}, 1);
    EXPECT_FALSE(frame.picture.has_alpha);

    options.background.a = 0.5f;
    const Frame half = draw(scene, front_camera(), options);
    expect_near(pixel(half, 1, 16), {51, 102, 153, 128}, 0);
    EXPECT_NEAR(pixel(half, 16, 16)[3], 191, 1);
}

TEST_F(TransparencyTest, SingleSidedSurfacesHaveNoBack) {
    Scene scene;
    add(scene, plane(0), add_material(scene, unlit({1, 0, 0, 1})));
    add(scene, plane(0.5f), add_material(scene, unlit({0, 1, 0, 1})));
    Camera behind = front_camera();
    behind.position.z = -4;
    Frame frame = draw(scene, behind, small(16));
    expect_near(pixel(frame, 8, 8), {0, 0, 0, 0}, 0);
    EXPECT_TRUE(std::isinf(frame.depth[8 * 16 + 8]));

    scene.materials[1].double_sided = true;
    frame = draw(scene, behind, small(16));
    expect_near(pixel(frame, 8, 8), {0, 255, 0, 255}, 0);
    EXPECT_EQ(frame.normals[8 * 16 + 8], (Vec3{0, 0, -1}));
}

TEST_F(TransparencyTest, AFrontInTheSamePlaceAsABackIsSeen) {
    Scene scene;
    add(scene, plane(), add_material(scene, unlit({1, 0, 0, 1})));
    Shape turned = plane();
    std::swap(turned.indices[1], turned.indices[2]);
    std::swap(turned.indices[4], turned.indices[5]);
    add(scene, turned, add_material(scene, unlit({0, 1, 0, 1})));
    Camera behind = front_camera();
    behind.position.z = -4;
    expect_near(pixel(draw(scene, front_camera(), small(16)), 8, 8), {255, 0, 0, 255}, 0);
    expect_near(pixel(draw(scene, behind, small(16)), 8, 8), {0, 255, 0, 255}, 0);
}

TEST_F(TransparencyTest, ManyLayersAreBounded) {
    Scene scene;
    const Index material = add_material(scene, blended({1, 1, 1, 0.02f}));
    for (int i = 0; i < 100; ++i) add(scene, plane(static_cast<float>(i) * 0.001f), material);
    const Frame frame = draw(scene, front_camera(), small(8, 1));
    // At least the nearest 32 count.
    EXPECT_NEAR(pixel(frame, 4, 4)[3], 255 * (1 - std::pow(0.98, 32)), 1);
}

}  // namespace
}  // namespace effigy::render::test
