/// Which texel stands where, on a plane that fills the picture and shines by itself.

#include <cmath>
#include <functional>

#include "stage.hpp"

namespace effigy::render::test {
namespace {

constexpr std::uint32_t texels = 4;

/// Different in every texel.
std::array<std::uint8_t, 4> texel(std::uint32_t x, std::uint32_t y) {
    return {static_cast<std::uint8_t>(20 + 70 * x), static_cast<std::uint8_t>(30 + 60 * y),
            static_cast<std::uint8_t>((x + y) % 2 == 0 ? 200 : 40), 255};
}

Index add_texels(Scene& scene) {
    std::vector<std::array<std::uint8_t, 4>> pixels;
    for (std::uint32_t y = 0; y < texels; ++y) {
        for (std::uint32_t x = 0; x < texels; ++x) pixels.push_back(texel(x, y));
    }
    return add_image(scene, texels, texels, pixels);
}

Material textured(Scene& scene) {
    Material material = unlit({1, 1, 1, 1});
    material.base_color_texture.image = add_texels(scene);
    return material;
}

/// Which texel a place on the plane shows: numbers that may lie beyond the image.
struct Place {
    int x, y;
};

/// Compares the middle of each texel on a plane that shows the image `turns` times on each axis: one pixel for each
/// texel, and one ray through its middle, where no neighbour has a part.
void compare(const Scene& scene, int turns, const std::function<Place(int, int)>& shown) {
    const int count = static_cast<int>(texels) * turns;
    const Frame frame = draw(scene, front_camera(), small(static_cast<std::uint32_t>(count), 1));
    for (int y = 0; y < count; ++y) {
        for (int x = 0; x < count; ++x) {
            SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y));
            const Place place = shown(x, y);
            const auto color = texel(static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y));
            const Rgba found = pixel(frame, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            expect_near(found, {color[0], color[1], color[2], 255}, 1);
        }
    }
}

int modulo(int value, int size_) { return (value % size_ + size_) % size_; }

class TextureTest : public RenderTest {};

TEST_F(TextureTest, StandsUprightWithVZeroAtTheTop) {
    Scene scene;
    add(scene, plane(), add_material(scene, textured(scene)));
    compare(scene, 1, [](int x, int y) { return Place{x, y}; });
}

TEST_F(TextureTest, BlendsNeighboursInLinearLight) {
    Scene scene;
    Material material = unlit({1, 1, 1, 1});
    material.base_color_texture.image = add_image(scene, 2, 1, {{{0, 0, 0, 255}}, {{255, 255, 255, 255}}});
    add(scene, plane(), add_material(scene, material));
    const Frame frame = draw(scene, front_camera(), small(65, 1));
    const int half = static_cast<int>(std::lround(to_srgb(0.5) * 255));
    expect_near(pixel(frame, 32, 32), {half, half, half, 255}, 2);
}

TEST_F(TextureTest, Repeats) {
    Scene scene;
    add(scene, plane(0, 2), add_material(scene, textured(scene)));
    compare(scene, 2, [](int x, int y) { return Place{modulo(x, texels), modulo(y, texels)}; });
}

TEST_F(TextureTest, RepeatsMirrored) {
    Scene scene;
    Material material = textured(scene);
    material.base_color_texture.wrap_u = Wrap::mirrored_repeat;
    material.base_color_texture.wrap_v = Wrap::mirrored_repeat;
    add(scene, plane(0, 2), add_material(scene, material));
    const auto mirror = [](int i) { return i < 4 ? i : 7 - i; };
    compare(scene, 2, [&](int x, int y) { return Place{mirror(x), mirror(y)}; });
}

TEST_F(TextureTest, StopsAtItsEdge) {
    Scene scene;
    Material material = textured(scene);
    material.base_color_texture.wrap_u = Wrap::clamp_to_edge;
    material.base_color_texture.wrap_v = Wrap::repeat;
    add(scene, plane(0, 2), add_material(scene, material));
    compare(scene, 2, [](int x, int y) { return Place{std::min(x, 3), modulo(y, texels)}; });
}

TEST_F(TextureTest, IsMovedAndScaled) {
    Scene scene;
    Material material = textured(scene);
    material.base_color_texture.offset = {0.25f, 0.5f};
    material.base_color_texture.scale = {1, -1};
    add(scene, plane(), add_material(scene, material));
    compare(scene, 1, [](int x, int y) { return Place{modulo(x + 1, texels), modulo(2 - (y + 1), texels)}; });
}

TEST_F(TextureTest, IsTurnedCounterClockwise) {
    Scene scene;
    Material material = textured(scene);
    material.base_color_texture.rotation = static_cast<float>(std::acos(0.0));
    add(scene, plane(), add_material(scene, material));
    // u and v turn to v and -u.
    compare(scene, 1, [](int x, int y) { return Place{y, modulo(-(x + 1), texels)}; });
}

TEST_F(TextureTest, IsScaledBeforeItIsTurned) {
    Scene scene;
    Material material = textured(scene);
    material.base_color_texture.rotation = static_cast<float>(std::acos(0.0));
    material.base_color_texture.scale = {1, -1};
    add(scene, plane(), add_material(scene, material));
    // u and v become u and -v, and these -v and -u.
    compare(scene, 1, [](int x, int y) { return Place{modulo(-(y + 1), texels), modulo(-(x + 1), texels)}; });
}

TEST_F(TextureTest, IsMultipliedByFactorAndVertexColor) {
    Scene scene;
    Material material = unlit({0.5f, 1, 0.25f, 1});
    material.base_color_texture.image = add_image(scene, 1, 1, {{{188, 100, 255, 255}}});
    Shape shape = plane();
    shape.colors.assign(4, {0.5f, 0.75f, 1, 1});
    add(scene, shape, add_material(scene, material));
    const Frame frame = draw(scene, front_camera(), small(8, 4));
    const auto byte = [](double value, double factor) {
        return static_cast<int>(std::lround(to_srgb(to_linear(value / 255) * factor) * 255));
    };
    expect_near(pixel(frame, 4, 4), {byte(188, 0.25), byte(100, 0.75), byte(255, 0.25), 255}, 1);
}

TEST_F(TextureTest, ThatIsDamagedIsReportedAndLeftOut) {
    Scene scene;
    Material material = unlit({1, 0, 0, 1});
    material.base_color_texture.image = 0;
    Image image;
    image.name = "broken";
    image.bytes.resize(40, std::byte{7});
    scene.images.push_back(std::move(image));
    add(scene, plane(), add_material(scene, material));
    const auto renderer = Renderer::open(scene);
    ASSERT_TRUE(renderer);
    EXPECT_EQ(renderer->report.count("texture-damaged"), 1U);
    expect_near(pixel(draw(scene, front_camera(), small(8)), 4, 4), {255, 0, 0, 255}, 0);
}

TEST_F(TextureTest, NormalMapsTurnTheNormal) {
    Scene scene;
    Material material;
    const auto byte = [](double value) { return static_cast<std::uint8_t>(std::lround((value * 0.5 + 0.5) * 255)); };
    material.normal_texture.image = add_image(scene, 1, 1, {{{byte(0.48), byte(0.6), byte(0.64), 255}}});
    const Index node = add(scene, plane(), add_material(scene, material));
    Options options = small(16, 4);
    options.shading = Shading::normals;
    // Green is up.
    expect_near(pixel(draw(scene, front_camera(), options), 8, 8), {byte(0.48), byte(0.6), byte(0.64), 255}, 2);
    // In a mirror the tangent turns round; up stays up.
    scene.nodes[node].local.scale = {-1, 1, 1};
    expect_near(pixel(draw(scene, front_camera(), options), 8, 8), {byte(-0.48), byte(0.6), byte(0.64), 255}, 2);
    // From behind, everything is turned.
    scene.nodes[node].local = {};
    scene.materials[0].double_sided = true;
    Camera behind = front_camera();
    behind.position.z = -4;
    expect_near(pixel(draw(scene, behind, options), 8, 8), {byte(-0.48), byte(-0.6), byte(-0.64), 255}, 2);
}

TEST_F(TextureTest, CoordinatesModeShowsACheckerOfEightByEight) {
    Scene scene;
    add(scene, plane());
    Options options = small(64, 4);
    options.shading = Shading::texcoords;
    const Frame frame = draw(scene, front_camera(), options);
    for (std::uint32_t y = 0; y < 8; ++y) {
        for (std::uint32_t x = 0; x < 8; ++x) {
            const Rgba here = pixel(frame, x * 8 + 4, y * 8 + 4);
            expect_near(pixel(frame, x * 8 + 1, y * 8 + 1), here, 3);
            EXPECT_NE(pixel(frame, (x * 8 + 12) % 64, y * 8 + 4), here);
            EXPECT_NE(pixel(frame, x * 8 + 4, (y * 8 + 12) % 64), here);
        }
    }
    // Red grows with u, green with v, between cells of one brightness.
    EXPECT_GT(pixel(frame, 52, 4)[0], pixel(frame, 4, 4)[0] + 20);
    EXPECT_GT(pixel(frame, 4, 52)[1], pixel(frame, 4, 4)[1] + 20);
}

}  // namespace
}  // namespace effigy::render::test
