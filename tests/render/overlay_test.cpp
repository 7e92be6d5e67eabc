/// Lines, bones and collision meshes.

#include "stage.hpp"

namespace effigy::render::test {
namespace {

class OverlayTest : public RenderTest {};

/// A square, black or white, from somewhat farther off than fills the picture.
Frame draw_edges(float brightness) {
    Scene scene;
    add(scene, plane(), add_material(scene, unlit({brightness, brightness, brightness, 1})));
    Camera camera = front_camera();
    camera.position.z = 5;
    Options options = small(64);
    options.wireframe = true;
    return draw(scene, camera, options);
}

TEST_F(OverlayTest, EdgesOfTrianglesStandOutOnWhiteAndOnBlack) {
    for (const float brightness : {0.0f, 1.0f}) {
        const Frame frame = draw_edges(brightness);
        const int surface = pixel(frame, 20, 31)[0];
        // The diagonal runs from the lower left to the upper right corner.
        for (std::uint32_t i = 12; i < 52; ++i) EXPECT_LT(pixel(frame, i, 63 - i)[0], surface - 40) << brightness;
        EXPECT_LT(pixel(frame, 32, 6)[0], surface - 20);  // the upper edge, at 32 - 32 * 4 / 5
        for (std::uint32_t i = 12; i < 28; ++i) {
            EXPECT_EQ(pixel(frame, i, 31)[0], surface);
            EXPECT_EQ(pixel(frame, i + 24, 31)[0], surface);
        }
    }
    EXPECT_LT(pixel(draw_edges(0), 20, 31)[0] + 20, pixel(draw_edges(1), 20, 31)[0]);  // paler, yet told apart
}

/// Two joints one unit apart.
Scene two_joints() {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].local.translation = {-0.5f, 0, 0};
    scene.nodes[1].local.translation = {1, 0, 0};
    add_child(scene, 0, 1);
    return scene;
}

TEST_F(OverlayTest, ASceneWithoutMeshesShowsItsSkeleton) {
    const Scene scene = two_joints();
    Options options = small(64);
    EXPECT_EQ(pixel(draw(scene, front_camera(), options), 16, 32)[3], 0);
    options.skeleton = true;
    const Frame frame = draw(scene, front_camera(), options);
    EXPECT_GT(pixel(frame, 16, 32)[3], 200);
    EXPECT_GT(pixel(frame, 48, 32)[3], 200);
    EXPECT_GT(pixel(frame, 24, 32)[3], 150);
    EXPECT_EQ(pixel(frame, 32, 44)[3], 0);
    EXPECT_EQ(pixel(frame, 6, 32)[3], 0);
    EXPECT_EQ(pixel(frame, 58, 32)[3], 0);
    EXPECT_TRUE(frame.picture.has_alpha);
}

TEST_F(OverlayTest, WithSkinsOnlyTheirJointsAreDrawn) {
    Scene scene = two_joints();
    Node holder;  // carries the joints and is none
    holder.local.translation = {0, 0.7f, 0};
    scene.nodes.push_back(holder);
    Node prop;  // stands below a joint and is none
    prop.local.translation = {0, -0.5f, 0};
    scene.nodes.push_back(prop);
    scene.nodes[0].local.translation.y = -0.7f;
    add_child(scene, 2, 0);
    add_child(scene, 1, 3);
    Options options = small(64);
    options.skeleton = true;
    EXPECT_GT(pixel(draw(scene, front_camera(), options), 32, 10)[3], 200);
    EXPECT_GT(pixel(draw(scene, front_camera(), options), 48, 48)[3], 200);

    Skin skin;
    skin.joints = {0, 1};
    skin.inverse_bind_matrices.resize(2);
    scene.skins.push_back(skin);
    const Frame frame = draw(scene, front_camera(), options);
    EXPECT_EQ(pixel(frame, 32, 10)[3], 0);
    EXPECT_EQ(pixel(frame, 48, 48)[3], 0);
    EXPECT_GT(pixel(frame, 16, 32)[3], 200);
    EXPECT_GT(pixel(frame, 48, 32)[3], 200);
}

TEST_F(OverlayTest, BonesAreDrawnOverTheSurface) {
    Scene scene = two_joints();
    add(scene, plane(1), add_material(scene, unlit({0, 0, 1, 1})));
    Options options = small(64);
    options.skeleton = true;
    const Frame frame = draw(scene, front_camera(), options);
    EXPECT_GT(pixel(frame, 16, 32)[0], 150);
    EXPECT_EQ(pixel(frame, 32, 20), (Rgba{0, 0, 255, 255}));
}

TEST_F(OverlayTest, BonesBehindTheCameraAreLeftOut) {
    Scene scene = two_joints();
    scene.nodes[0].local.translation = {0, 0, 100};
    scene.nodes[1].local.translation = {0, 0, -100};
    Options options = small(64);
    options.skeleton = true;
    const Frame frame = draw(scene, front_camera(), options);
    EXPECT_GT(pixel(frame, 32, 32)[3], 200);
    EXPECT_EQ(pixel(frame, 4, 4)[3], 0);
}

TEST_F(OverlayTest, CollisionMeshesAreTranslucentWithEdges) {
    Scene scene;
    const Index node = add(scene, plane());
    scene.nodes[node].collision = true;
    scene.nodes[node].hidden = true;
    EXPECT_EQ(pixel(draw(scene, front_camera(), small(64)), 20, 20)[3], 0);
    const Frame frame = draw(scene, front_camera(), small(64), true);
    EXPECT_GT(pixel(frame, 20, 20)[3], 20);
    EXPECT_LT(pixel(frame, 20, 20)[3], 128);
    EXPECT_GT(pixel(frame, 40, 23)[3], pixel(frame, 20, 20)[3] + 50);  // on the diagonal
}

}  // namespace
}  // namespace effigy::render::test
