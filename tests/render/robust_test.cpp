/// Whatever is asked for or given, there is a picture or a reason.

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

#include "stage.hpp"

namespace effigy::render::test {
namespace {

class RobustTest : public RenderTest {};

std::string code_of(const Scene& scene, const Camera& camera, const Options& options) {
    auto poser = playback::Poser::make(scene);
    auto renderer = Renderer::open(scene);
    if (!poser || !renderer) return "no renderer";
    if (!renderer->value.load(*poser)) return "not loaded";
    const auto frame = renderer->value.draw(camera, options);
    return frame ? "" : frame.error().code;
}

TEST_F(RobustTest, OptionsOutOfRangeAreRefused) {
    Scene scene;
    add(scene, plane());
    EXPECT_EQ(code_of(scene, front_camera(), small(8)), "");
    const std::vector<std::function<void(Options&)>> mistakes{
        [](Options& options) { options.width = 0; },
        [](Options& options) { options.height = 0; },
        [](Options& options) { options.width = 16385; },
        [](Options& options) { options.samples = 0; },
        [](Options& options) { options.samples = 0xffffffffU; },
        [](Options& options) { options.width = options.height = 1, options.samples = 1U << 17; },
        [](Options& options) { options.width = options.height = 16384, options.samples = 64; },
        [](Options& options) { options.background.g = NAN; },
        [](Options& options) { options.background.a = 1.5f; },
    };
    for (const auto& mistake : mistakes) {
        Options options = small(8);
        mistake(options);
        EXPECT_EQ(code_of(scene, front_camera(), options), "render-options");
    }
}

TEST_F(RobustTest, StripsAreDrawnAndLinesAreReported) {
    Scene scene;
    add(scene, plane());
    const Options options = small(16);
    const Frame as_list = draw(scene, front_camera(), options);
    Primitive& primitive = scene.meshes[0].primitives[0];
    // plane() has its corners round about.
    const std::vector<std::uint32_t> strip{0, 1, 3, 2};
    primitive.indices = {strip.begin(), strip.end()};
    primitive.topology = Topology::triangle_strip;
    const Frame as_strip = draw(scene, front_camera(), options);
    for (std::uint32_t i = 0; i < options.width; ++i) expect_near(pixel(as_strip, i, i), pixel(as_list, i, i), 1);
    EXPECT_TRUE(Renderer::open(scene)->report.empty());

    primitive.topology = Topology::line_strip;
    const auto opened = Renderer::open(scene);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->report.count("render-lines"), 1u);
    EXPECT_EQ(code_of(scene, front_camera(), options), "");
}

TEST_F(RobustTest, CamerasThatLookNowhereAreRefused) {
    Scene scene;
    add(scene, plane());
    const std::vector<std::function<void(Camera&)>> mistakes{
        [](Camera& camera) { camera.target = camera.position; },
        [](Camera& camera) { camera.position.x = NAN; },
        [](Camera& camera) { camera.target.y = std::numeric_limits<float>::infinity(); },
        [](Camera& camera) { camera.field_of_view = 0; },
        [](Camera& camera) { camera.field_of_view = 180; },
        [](Camera& camera) { camera.field_of_view = NAN; },
    };
    for (const auto& mistake : mistakes) {
        Camera camera = front_camera();
        mistake(camera);
        EXPECT_EQ(code_of(scene, camera, small(8)), "render-options");
    }
}

TEST_F(RobustTest, NothingIsDrawnBeforeSomethingIsLoaded) {
    const Scene scene;
    const auto renderer = Renderer::open(scene);
    ASSERT_TRUE(renderer);
    const auto frame = renderer->value.draw(front_camera(), small(8));
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, "render-options");
}

TEST_F(RobustTest, AnUpwardDirectionAlongTheViewIsReplaced) {
    Scene scene;
    add(scene, sphere(8, 16));
    Camera camera = front_camera();
    camera.up = {0, 0, 1};
    EXPECT_EQ(pixel(draw(scene, camera, small(16)), 8, 8)[3], 255);
}

TEST_F(RobustTest, TheCameraMayStandInside) {
    Scene scene;
    Material material;
    material.double_sided = true;
    add(scene, sphere(16, 32), add_material(scene, material));
    Camera camera;
    camera.target = {0, 0.3f, -1};
    camera.field_of_view = 120;
    Options options = small(32);
    options.wireframe = true;
    const Frame frame = draw(scene, camera, options);
    for (std::uint32_t i = 0; i < 32 * 32; ++i) EXPECT_EQ(pixel(frame, i % 32, i / 32)[3], 255);
}

TEST_F(RobustTest, DrawingStopsWhenAskedTo) {
    Scene scene;
    add(scene, plane());
    std::atomic<int> asked{0};
    Options options = small(256, 4);
    options.threads = 2;
    options.cancelled = [&] { return ++asked > 20; };
    EXPECT_EQ(code_of(scene, front_camera(), options), "limit-cancelled");
    EXPECT_LT(asked, 40);  // a tile has 16 x 16 of the pixels: 256 tiles in all
    options.cancelled = [] { return false; };
    EXPECT_EQ(code_of(scene, front_camera(), options), "");
}

TEST_F(RobustTest, TrianglesThatLieNowhereAreLeftOut) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float value : {NAN, infinity, -infinity, 1e30f, 3e38f}) {
        Scene scene;
        Shape shape = plane();
        shape.positions[2].y = value;  // of both triangles
        add(scene, shape);
        add(scene, plane(-1), add_material(scene, unlit({1, 0, 0, 1})));
        EXPECT_EQ(pixel(draw(scene, front_camera(), small(16)), 8, 8), (Rgba{255, 0, 0, 255}));
    }
}

TEST_F(RobustTest, IndicesBeyondTheVerticesAreLeftOut) {
    Scene scene;
    const Index node = add(scene, plane(), add_material(scene, unlit({1, 0, 0, 1})));
    Primitive& primitive = scene.meshes[scene.nodes[node].mesh].primitives[0];
    primitive.indices[5] = 4000000000U;
    primitive.indices.push_back(1);
    const Frame frame = draw(scene, front_camera(), small(16));
    EXPECT_EQ(pixel(frame, 11, 11)[3], 255);
    EXPECT_EQ(pixel(frame, 4, 4)[3], 0);
    primitive.vertex_count = 3000000000U;
    EXPECT_EQ(pixel(draw(scene, front_camera(), small(16)), 11, 11)[3], 0);
}

TEST_F(RobustTest, NumbersWithoutSenseInVerticesAndMaterialsDoNoHarm) {
    Scene scene;
    Material material;
    material.base_color = {NAN, -5, 1e30f, NAN};
    material.emissive = {NAN, std::numeric_limits<float>::infinity(), 0};
    material.roughness = NAN;
    material.metallic = 1e30f;
    material.alpha_mode = AlphaMode::blend;
    material.base_color_texture.image = add_image(scene, 1, 1, {{{9, 9, 9, 200}}});
    material.base_color_texture.rotation = NAN;
    material.base_color_texture.offset = {NAN, 1e30f};
    material.normal_texture.image = 0;
    material.normal_texture.strength = NAN;
    material.emissive_texture.image = 77;
    Shape shape = plane();
    shape.texcoords[0] = {NAN, 1e30f};
    shape.texcoords[1] = {std::numeric_limits<float>::infinity(), -1e9f};
    shape.normals[0] = {NAN, 0, 0};
    shape.normals[1] = {0, 0, 0};
    shape.normals[2] = {1e30f, 0, 0};
    shape.tangents[0] = {NAN, 0, 0, NAN};
    shape.tangents[1] = {0, 0, 0, 0};
    add(scene, shape, add_material(scene, material));
    for (const Shading shading : {Shading::lit, Shading::normals, Shading::texcoords}) {
        Options options = small(32);
        options.shading = shading;
        options.wireframe = true;
        EXPECT_EQ(draw(scene, front_camera(), options).picture.rgba.size(), 32U * 32 * 4);
    }
}

TEST_F(RobustTest, ScenesFarOutOrTinyAreDrawn) {
    for (const float scale : {1e-6f, 1e-3f, 1e6f, 1e12f}) {
        Scene scene;
        const Index node = add(scene, cube());
        scene.nodes[node].local.scale = {scale, scale, scale};
        auto poser = playback::Poser::make(scene);
        ASSERT_TRUE(poser);
        const Frame frame_ = draw(scene, frame(poser->bounds(), {30, 20}, 1), small(32));
        EXPECT_EQ(pixel(frame_, 16, 16)[3], 255) << scale;
        EXPECT_EQ(pixel(frame_, 0, 0)[3], 0) << scale;
    }
}

TEST_F(RobustTest, AnEmptySceneIsAnEmptyPicture) {
    const Scene scene;
    const Frame found = draw(scene, front_camera(), small(16));
    EXPECT_EQ(pixel(found, 8, 8), (Rgba{0, 0, 0, 0}));
    EXPECT_TRUE(std::isinf(found.depth[0]));
}

TEST_F(RobustTest, WidePicturesAreMadeInBands) {
    Scene scene;
    add(scene, sphere(24, 48));
    Options options = small(16, 1);
    options.width = 16384;
    options.height = 80;  // more than one band of this width
    Camera camera;
    camera.position = {0, 0, 5};
    const Frame found = draw(scene, camera, options);
    // The same as a narrow picture of that height, wherever bands meet.
    options.width = 80;
    const Frame narrow = draw(scene, camera, options);
    for (std::uint32_t y = 0; y < 80; ++y) {
        for (std::uint32_t x = 0; x < 80; ++x) {
            expect_near(pixel(found, x + 8152, y), pixel(narrow, x, y), 6);
        }
    }
}

}  // namespace
}  // namespace effigy::render::test
