/// The order of joints, levels and rest poses of a skeleton.

#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

/// Nodes with the given parents.
Scene make_scene(const std::vector<Index>& parents) {
    Scene scene;
    scene.nodes.resize(parents.size());
    for (std::size_t i = 0; i < parents.size(); ++i) {
        scene.nodes[i].parent = parents[i];
        scene.nodes[i].local.translation.x = static_cast<float>(i);
        if (parents[i] < parents.size()) scene.nodes[parents[i]].children.push_back(static_cast<Index>(i));
    }
    return scene;
}

/// The node above each node, as the skeleton has it.
std::vector<Index> parents_by_node(const Skeleton& skeleton) {
    std::vector<Index> result(skeleton.nodes.size(), no_index);
    for (std::size_t joint = 0; joint < skeleton.nodes.size(); ++joint) {
        const Index above = skeleton.parents[joint];
        if (above == no_index) continue;
        EXPECT_LT(above, joint);
        result[skeleton.nodes[joint]] = skeleton.nodes[above];
    }
    return result;
}

TEST(Skeleton, KeepsAnOrderThatFits) {
    const Skeleton skeleton = make_skeleton(make_scene({no_index, 0, 0, 2, no_index}));
    EXPECT_EQ(skeleton.nodes, (std::vector<Index>{0, 1, 2, 3, 4}));
    EXPECT_EQ(skeleton.joints, (std::vector<Index>{0, 1, 2, 3, 4}));
    EXPECT_EQ(skeleton.parents, (std::vector<Index>{no_index, 0, 0, 2, no_index}));
    EXPECT_EQ(skeleton.rest.translations[3].x, 3);
    EXPECT_EQ(skeleton.rest.scales[3], (Vec3{1, 1, 1}));
}

TEST(Skeleton, MovesParentsToTheFront) {
    const Skeleton skeleton = make_skeleton(make_scene({2, 0, 3, no_index}));
    EXPECT_EQ(skeleton.nodes, (std::vector<Index>{3, 2, 0, 1}));
    EXPECT_EQ(skeleton.joints, (std::vector<Index>{2, 3, 1, 0}));
    EXPECT_EQ(skeleton.parents, (std::vector<Index>{no_index, 0, 1, 2}));
    EXPECT_EQ(skeleton.rest.translations[0].x, 3);
}

TEST(Skeleton, NodesInACircleBecomeRoots) {
    // 1, 2 and 3 go round; 0 and 4 hang on them; 5 is its own parent; 6 has none such.
    const Skeleton skeleton = make_skeleton(make_scene({2, 2, 3, 1, 0, 5, 99}));
    EXPECT_EQ(parents_by_node(skeleton), (std::vector<Index>{2, no_index, no_index, no_index, 0, no_index, no_index}));
}

TEST(Skeleton, LevelsOfDetailStandUnderTheParentOfWhatTheyReplace) {
    Scene scene = make_scene({no_index, 0, no_index, no_index});
    scene.nodes[1].lods = {2, 3, 77};
    const Skeleton skeleton = make_skeleton(scene);
    EXPECT_EQ(parents_by_node(skeleton), (std::vector<Index>{no_index, 0, 0, 0}));
}

TEST(Skeleton, MatricesStandBesideTheRestPose) {
    Scene scene = make_scene({no_index, 0, 0});
    scene.nodes[1].matrix = Mat4{{2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}};
    const Skeleton skeleton = make_skeleton(scene);
    ASSERT_EQ(skeleton.matrices.size(), 1u);
    EXPECT_EQ(skeleton.matrices[0].joint, 1u);
    EXPECT_EQ(skeleton.matrices[0].matrix, *scene.nodes[1].matrix);
    EXPECT_EQ(skeleton.rest.translations[1], Vec3());
    EXPECT_EQ(skeleton.rest.rotations[1], Quat());
}

TEST(Skeleton, WeightsOfAllMeshesInARow) {
    Scene scene = make_scene({no_index, 0, 0, 99});
    scene.meshes.resize(2);
    scene.meshes[0].targets.resize(3);
    scene.meshes[0].weights = {0.5f, 0.25f, 0.125f};
    scene.meshes[1].targets.resize(2);
    scene.nodes[0].mesh = 1;
    scene.nodes[2].mesh = 0;
    scene.nodes[3].mesh = 5;
    const Skeleton skeleton = make_skeleton(scene);
    EXPECT_EQ(skeleton.weights, (std::vector<std::uint32_t>{0, 2, 2, 5, 5}));
    EXPECT_EQ(numbers_of(skeleton.rest_weights), (std::vector<float>{0, 0, 0.5f, 0.25f, 0.125f}));
}

TEST(Skeleton, OfAnEmptyScene) {
    const Skeleton skeleton = make_skeleton({});
    EXPECT_TRUE(skeleton.nodes.empty());
    EXPECT_EQ(skeleton.weights, (std::vector<std::uint32_t>{0}));
}

Track make_track(Index node, TrackPath path, std::size_t keys, std::size_t values) {
    Track track;
    track.node = node;
    track.path = path;
    for (std::size_t i = 0; i < keys; ++i) track.times.push_back(static_cast<float>(i));
    track.values.resize(values, 0);
    return track;
}

TEST(Bind, TracksBecomeChannelsByJoint) {
    Scene scene = make_scene({1, no_index, 1});
    scene.meshes.resize(1);
    scene.meshes[0].targets.resize(2);
    scene.nodes[0].mesh = 0;
    scene.nodes[2].mesh = 0;
    Clip clip;
    clip.duration = 3;
    clip.rules = {RotationRule::nlerp, true};
    clip.tracks.push_back(make_track(2, TrackPath::translation, 2, 6));
    clip.tracks.push_back(make_track(1, TrackPath::translation, 1, 3));
    clip.tracks.push_back(make_track(0, TrackPath::rotation, 2, 8));
    clip.tracks.push_back(make_track(0, TrackPath::scale, 2, 18));
    clip.tracks.back().interpolation = Interpolation::cubic_spline;
    clip.tracks.push_back(make_track(2, TrackPath::weights, 2, 4));
    const Skeleton skeleton = make_skeleton(scene);
    ASSERT_EQ(skeleton.nodes, (std::vector<Index>{1, 0, 2}));
    const Animation animation = bind(scene, skeleton, clip);
    EXPECT_EQ(animation.duration, 3);
    EXPECT_EQ(animation.rules, clip.rules);
    ASSERT_EQ(animation.translations.size(), 2u);
    EXPECT_EQ(animation.translations[0].target, 0u);
    EXPECT_EQ(animation.translations[0].times.data(), clip.tracks[1].times.data());
    EXPECT_EQ(animation.translations[1].target, 2u);
    ASSERT_EQ(animation.rotations.size(), 1u);
    EXPECT_EQ(animation.rotations[0].target, 1u);
    EXPECT_EQ(animation.rotations[0].width, 4u);
    ASSERT_EQ(animation.scales.size(), 1u);
    EXPECT_EQ(animation.scales[0].interpolation, Interpolation::cubic_spline);
    ASSERT_EQ(animation.weights.size(), 1u);
    EXPECT_EQ(animation.weights[0].target, 2u);
    EXPECT_EQ(animation.weights[0].width, 2u);
}

TEST(Bind, LeavesOutWhatDoesNotFit) {
    const Scene scene = make_scene({no_index, 0});
    const Skeleton skeleton = make_skeleton(scene);
    const auto is_bound = [&](Track track) {
        Clip clip;
        clip.tracks.push_back(std::move(track));
        const Animation animation = bind(scene, skeleton, clip);
        return !animation.translations.empty() || !animation.rotations.empty() || !animation.weights.empty();
    };
    EXPECT_TRUE(is_bound(make_track(1, TrackPath::translation, 2, 6)));
    EXPECT_FALSE(is_bound(make_track(2, TrackPath::translation, 2, 6)));
    EXPECT_FALSE(is_bound(make_track(no_index, TrackPath::translation, 2, 6)));
    EXPECT_FALSE(is_bound(make_track(1, TrackPath::translation, 0, 0)));
    EXPECT_FALSE(is_bound(make_track(1, TrackPath::translation, 2, 5)));
    EXPECT_FALSE(is_bound(make_track(1, TrackPath::translation, 2, 8)));
    EXPECT_FALSE(is_bound(make_track(1, TrackPath::rotation, 2, 6)));
    EXPECT_FALSE(is_bound(make_track(1, TrackPath::weights, 2, 2)));
    for (const float wrong : {0.0f, -1.0f, not_a_number}) {
        Track track = make_track(1, TrackPath::translation, 2, 6);
        track.times[1] = wrong;
        EXPECT_FALSE(is_bound(std::move(track)));
    }
    Track track = make_track(1, TrackPath::translation, 2, 6);
    track.interpolation = Interpolation::cubic_spline;
    EXPECT_FALSE(is_bound(std::move(track)));
}

TEST(Bind, EqualTimesAreShared) {
    const Scene scene = make_scene({no_index, 0, 0});
    Clip clip;
    clip.tracks.push_back(make_track(0, TrackPath::translation, 3, 9));
    clip.tracks.push_back(make_track(1, TrackPath::translation, 2, 6));
    clip.tracks.push_back(make_track(2, TrackPath::translation, 3, 9));
    clip.tracks.push_back(make_track(2, TrackPath::rotation, 3, 12));
    const Animation animation = bind(scene, make_skeleton(scene), clip);
    ASSERT_EQ(animation.translations.size(), 3u);
    const float* times = animation.translations[0].times.data();
    EXPECT_NE(animation.translations[1].times.data(), times);
    EXPECT_EQ(animation.translations[2].times.data(), times);
    EXPECT_EQ(animation.rotations[0].times.data(), times);
}

TEST(Bind, TheFirstOfSeveralTracksCounts) {
    const Scene scene = make_scene({no_index});
    Clip clip;
    clip.duration = -1;
    clip.tracks.push_back(make_track(0, TrackPath::scale, 2, 6));
    clip.tracks.push_back(make_track(0, TrackPath::scale, 3, 9));
    const Animation animation = bind(scene, make_skeleton(scene), clip);
    ASSERT_EQ(animation.scales.size(), 1u);
    EXPECT_EQ(animation.scales[0].times.size(), 2u);
    EXPECT_EQ(animation.duration, 0);
}

TEST(SampleContext, HasRoomForEveryChannel) {
    Animation animation;
    animation.translations.resize(2);
    animation.rotations.resize(3);
    animation.weights.resize(1);
    const SampleContext context(animation);
    EXPECT_EQ(context.translations.from.size(), 2u);
    EXPECT_EQ(context.rotations.from.size(), 3u);
    EXPECT_TRUE(context.scales.from.empty());
    EXPECT_EQ(context.weights.size(), 1u);
    EXPECT_EQ(context.parts.size(), 3u);
}

}  // namespace
}  // namespace effigy::playback
