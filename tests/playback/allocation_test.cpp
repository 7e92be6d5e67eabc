/// No job asks for memory while it runs.

#include <gtest/gtest.h>
#include <vector>

#include "effigy/poser.hpp"

#include "playback/allocations.hpp"
#include "playback/support.hpp"

namespace effigy::playback {
namespace {

using test::count_allocations;

TEST(Allocation, IsCounted) {
    EXPECT_GT(count_allocations([] { std::vector<int> memory(100); }), 0);
    EXPECT_GT(count_allocations([] { Bulk<int> memory(100); }), 0);
}

/// A scene of 50 joints with a clip that moves all of them.
struct Stage {
    Scene scene;
    Skeleton skeleton;
    Animation animation;

    Stage() {
        Random random(6);
        scene.nodes.resize(50);
        scene.meshes.resize(1);
        scene.meshes[0].targets.resize(3);
        scene.nodes[7].mesh = 0;
        Clip& clip = scene.clips.emplace_back();
        clip.duration = 9;
        for (Index node = 0; node < 50; ++node) {
            if (node != 0) scene.nodes[node].parent = node / 2;
            add_track(clip, node, TrackPath::translation, 3, random);
            add_track(clip, node, TrackPath::rotation, 4, random);
            add_track(clip, node, TrackPath::scale, 3, random);
        }
        add_track(clip, 7, TrackPath::weights, 3, random);
        skeleton = make_skeleton(scene);
        animation = bind(scene, skeleton, clip);
    }

    static void add_track(Clip& clip, Index node, TrackPath path, std::size_t width, Random& random) {
        Track& track = clip.tracks.emplace_back();
        track.node = node;
        track.path = path;
        track.interpolation = static_cast<Interpolation>(node % 3);
        const std::size_t groups = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
        for (int i = 0; i < 10; ++i) track.times.push_back(static_cast<float>(i));
        for (std::size_t i = 0; i < 10 * width * groups; ++i) track.values.push_back(random.number());
    }
};

TEST(Allocation, NoneWhilePoseJobsRun) {
    const Stage stage;
    ASSERT_EQ(stage.animation.rotations.size(), 50u);
    ASSERT_EQ(stage.animation.weights.size(), 1u);
    SampleContext context(stage.animation);
    Pose pose;
    Pose mixed;
    pose.resize(50);
    mixed.resize(50);
    std::vector<float> weights(3);
    std::vector<float> mixed_weights(3);
    std::vector<Mat4> models(50);
    std::vector<Mat4> skin(50);
    const std::vector<Mat4> binds(50);

    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        SampleJob sample{
            &stage.animation, &context, 0,     true, stage.skeleton.rest.view(), stage.skeleton.rest_weights,
            pose.span(),      weights,  kernel};
        const BlendLayer layer{pose.view(), weights, 1, {}};
        const BlendJob blend{one(layer),   one(layer),   stage.skeleton.rest.view(), stage.skeleton.rest_weights, 0.1f,
                             mixed.span(), mixed_weights};
        const DifferenceJob difference{mixed.view(), stage.skeleton.rest.view(), mixed.span()};
        const LocalToModelJob to_models{stage.skeleton.parents, pose.view(), stage.skeleton.matrices, models, kernel};
        const SkinMatricesJob to_skin{models, stage.skeleton.joints, binds, skin, kernel};
        bool is_fine = true;
        const int count = count_allocations([&] {
            for (const double time : {0.0, 0.5, 3.7, 8.9, 0.1, 100.0, -5.0}) {
                sample.time = time;
                is_fine =
                    is_fine && sample.run() && blend.run() && difference.run() && to_models.run() && to_skin.run();
            }
        });
        EXPECT_TRUE(is_fine);
        EXPECT_EQ(count, 0);
    }
}

TEST(Allocation, NoneWhileMeshJobsRun) {
    constexpr std::size_t vertices = 1000;
    Mesh mesh;
    mesh.vertex_count = vertices;
    const Result<Influences> influences = make_influences(mesh, 1);
    ASSERT_TRUE(influences);
    const std::vector<Vec3> vectors(vertices, {1, 2, 3});
    const std::vector<Vec4> tangents(vertices, {1, 0, 0, 1});
    std::vector<Vec3> positions(vertices);
    std::vector<Vec3> normals(vertices);
    std::vector<Vec4> out_tangents(vertices);
    const VertexView in{vectors, vectors, tangents};
    const VertexSpan out{positions, normals, out_tangents};
    MorphTarget target;
    target.indices = {1, 2, 3};
    target.positions.resize(3, Vec3());
    const std::vector<float> weights{1};
    const std::vector<Mat4> matrices(1);
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        const MorphJob morph{in, one(target), weights, out};
        const SkinJob skin{matrices, influences->batches, in, out, kernel};
        const TransformJob transform{{}, in, out, kernel};
        Bounds bounds;
        bool is_fine = true;
        const int count = count_allocations([&] {
            is_fine = morph.run() && skin.run() && transform.run();
            bounds.add(positions);
        });
        EXPECT_TRUE(is_fine);
        EXPECT_EQ(count, 0);
    }
}

Attribute attribute(Semantic semantic, ElementType element, ComponentType component, std::uint32_t vertices) {
    Attribute made;
    made.semantic = semantic;
    made.data.element = element;
    made.data.component = component;
    made.data.bytes.assign(vertices * made.data.stride(), std::byte{0});
    return made;
}

/// Skinned and rigid meshes that are morphed, a level of detail and a collision mesh.
TEST(Allocation, NoneWhileAPoserPoses) {
    Stage stage;
    Scene& scene = stage.scene;
    constexpr std::uint32_t vertices = 300;
    Mesh& mesh = scene.meshes[0];
    mesh.vertex_count = vertices;
    mesh.attributes = {attribute(Semantic::position, ElementType::vec3, ComponentType::f32, vertices),
                       attribute(Semantic::normal, ElementType::vec3, ComponentType::f32, vertices),
                       attribute(Semantic::tangent, ElementType::vec4, ComponentType::f32, vertices),
                       attribute(Semantic::joints, ElementType::vec4, ComponentType::u8, vertices),
                       attribute(Semantic::weights, ElementType::vec4, ComponentType::f32, vertices)};
    for (MorphTarget& target : mesh.targets) {
        target.indices = {5, 7};
        target.positions.resize(2, Vec3());
    }
    scene.skins.resize(1);
    for (Index node = 0; node < 50; ++node) scene.skins[0].joints.push_back(node);
    scene.skins[0].inverse_bind_matrices.resize(50);
    scene.nodes[7].skin = 0;
    scene.nodes[8].mesh = scene.nodes[9].mesh = scene.nodes[10].mesh = 0;
    scene.nodes[8].lods = {9};
    scene.nodes[9].hidden = true;
    scene.nodes[10].collision = true;
    scene.nodes[10].follows = 3;

    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        Result<Poser> poser = Poser::make(scene, {1, true, kernel});
        ASSERT_TRUE(poser);
        EXPECT_EQ(poser->meshes().size(), 3u);
        bool is_fine = true;
        const int count = count_allocations([&] {
            for (const double time : {0.0, 3.7, 0.1, 100.0, -5.0}) is_fine = is_fine && poser->pose(0, time);
            is_fine = is_fine && poser->pose(no_index, 0) && !poser->bounds().empty;
        });
        EXPECT_TRUE(is_fine);
        EXPECT_EQ(count, 0);
    }
}

}  // namespace
}  // namespace effigy::playback
