/// Light that lets shape be read.

#include "stage.hpp"

namespace effigy::render::test {
namespace {

int brightness(const Rgba& color) { return color[0] + color[1] + color[2]; }

class LightTest : public RenderTest {};

TEST_F(LightTest, ComesFromTheUpperLeft) {
    Scene scene;
    add(scene, sphere(48, 96));
    Camera camera;
    camera.position = {0, 0, 5};
    const Frame frame = draw(scene, camera, small(64));
    EXPECT_GT(brightness(pixel(frame, 22, 20)), brightness(pixel(frame, 42, 44)) + 150);
    EXPECT_GT(brightness(pixel(frame, 42, 44)), 120);
}

TEST_F(LightTest, IsWeakerWhereSurfacesMeet) {
    Scene scene;
    Shape floor = plane();
    for (Vec3& position : floor.positions) position = {position.x * 6, 0, -position.y * 6};
    for (Vec3& normal : floor.normals) normal = {0, 1, 0};
    Material grey;
    grey.base_color = {0.4f, 0.4f, 0.4f, 1};
    const Index material = add_material(scene, grey);
    add(scene, floor, material);
    const Index box = add(scene, cube(), material);
    scene.nodes[box].local.translation = {0, 1, 0};
    Camera camera;
    camera.position = {0, 5, 12};
    camera.target = {0, 0.5f, 0};
    const Frame frame = draw(scene, camera, small(96));
    // On the floor before the box, which the key light reaches: near it and further off.
    const auto floor_at = [&](double x, double z) {
        const glm::dvec3 offset = glm::dvec3(x, 0, z) - position_of(camera);
        const glm::dvec3 forward = glm::normalize(glm::dvec3(0, 0.5, 0) - position_of(camera));
        const glm::dvec3 right(1, 0, 0);
        const glm::dvec3 up = glm::cross(right, forward);
        const double scale = 48 / std::tan(glm::radians(15.0)) / glm::dot(offset, forward);
        return pixel(frame, static_cast<std::uint32_t>(48 + glm::dot(offset, right) * scale),
                     static_cast<std::uint32_t>(48 - glm::dot(offset, up) * scale));
    };
    EXPECT_LT(brightness(floor_at(0, 1.15)), brightness(floor_at(0, 3)) - 15);
    // To the right of the box lies its shadow.
    EXPECT_LT(brightness(floor_at(1.5, 0)), brightness(floor_at(-2.5, 0)) - 100);
}

TEST_F(LightTest, HasNoGrain) {
    Scene scene;
    add(scene, plane());
    const Frame frame = draw(scene, front_camera(), small(64));
    for (std::uint32_t y = 8; y < 56; ++y) {
        for (std::uint32_t x = 8; x < 56; ++x) expect_near(pixel(frame, x, y), pixel(frame, 32, 32), 3);
    }
}

TEST_F(LightTest, EmissionAddsToIt) {
    Scene scene;
    Material material;
    material.base_color = {0, 0, 0, 1};
    add(scene, plane(), add_material(scene, material));
    const Rgba dark = pixel(draw(scene, front_camera(), small(16)), 8, 8);
    scene.materials[0].emissive = {0, 0.5f, 0};
    const Rgba bright = pixel(draw(scene, front_camera(), small(16)), 8, 8);
    EXPECT_EQ(bright[0], dark[0]);
    EXPECT_GE(bright[1], 186);
}

TEST_F(LightTest, ThePictureDoesNotDependOnThreads) {
    Scene scene;
    Material glass;
    glass.base_color = {0.4f, 0.6f, 0.9f, 0.4f};
    glass.alpha_mode = AlphaMode::blend;
    add(scene, sphere(24, 48));
    add(scene, cube(), add_material(scene, glass));
    Camera camera;
    camera.position = {3, 3, 6};
    Options options = small(80, 9);
    options.wireframe = true;
    options.threads = 1;
    const Frame one = draw(scene, camera, options);
    for (const unsigned threads : {2U, 5U}) {
        options.threads = threads;
        const Frame other = draw(scene, camera, options);
        EXPECT_TRUE(one.picture.rgba == other.picture.rgba);
        EXPECT_TRUE(one.depth == other.depth);
        EXPECT_TRUE(one.normals == other.normals);
    }
}

}  // namespace
}  // namespace effigy::render::test
