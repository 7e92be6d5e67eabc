/// Clips with keys at a fixed rate.

#include "scene/resample.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/core_codes.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

Track track(TrackPath path, Interpolation interpolation, Bulk<float> times, Bulk<float> values) {
    Track result;
    result.node = 0;
    result.path = path;
    result.interpolation = interpolation;
    result.times = std::move(times);
    result.values = std::move(values);
    return result;
}

Scene with(std::vector<Track> tracks, float duration) {
    Scene scene;
    scene.nodes.resize(1);
    Clip& clip = scene.clips.emplace_back();
    clip.name = "walk";
    clip.duration = duration;
    clip.tracks = std::move(tracks);
    return scene;
}

Result<void> resample_at(Scene& scene, double rate, std::uint64_t memory = 0) {
    Limits limits;
    limits.memory = memory;
    BridgeState state(Budget(limits, 0));
    return resample(scene.clips.front(), rate, state);
}

TEST(Resample, GivesEachTrackTheSameTimes) {
    Scene scene = with({track(TrackPath::translation, Interpolation::linear, {0.25f, 0.75f}, {0, 0, 0, 2, 4, 6}),
                        track(TrackPath::weights, Interpolation::step, {0, 0.5f}, {1, 2, 3, 4})},
                       0.9f);
    ASSERT_TRUE(resample_at(scene, 4));
    for (const Track& one : scene.clips[0].tracks) {
        EXPECT_THAT(one.times, ElementsAre(0, 0.25f, 0.5f, 0.75f, 0.9f));
        EXPECT_EQ(one.interpolation, Interpolation::linear);
    }
    EXPECT_THAT(scene.clips[0].tracks[0].values, ElementsAre(0, 0, 0, 0, 0, 0, 1, 2, 3, 2, 4, 6, 2, 4, 6));
    EXPECT_THAT(scene.clips[0].tracks[1].values, ElementsAre(1, 2, 1, 2, 3, 4, 3, 4, 3, 4));
}

/// From 0 to 1 with level tangents: 3t^2 - 2t^3.
TEST(Resample, FollowsSplines) {
    Scene scene = with({track(TrackPath::scale, Interpolation::cubic_spline, {0, 1},
                              {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0})},
                       1);
    ASSERT_TRUE(resample_at(scene, 4));
    const auto& values = scene.clips[0].tracks[0].values;
    ASSERT_EQ(values.size(), 15u);
    EXPECT_THAT(values[3], FloatEq(0.15625f));
    EXPECT_THAT(values[6], FloatEq(0.5f));
}

/// Each kind turns by its own rule, and what comes out turns as glTF says.
TEST(Resample, TurnsByTheClipsRule) {
    const float half = std::sqrt(0.5f);
    for (const RotationRule rule : {RotationRule::slerp, RotationRule::nlerp}) {
        Scene scene =
            with({track(TrackPath::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, -half, -half})}, 1);
        scene.clips[0].rules.rotation = rule;
        ASSERT_TRUE(resample_at(scene, 4));
        const auto& values = scene.clips[0].tracks[0].values;
        ASSERT_EQ(values.size(), 20u);
        const double angle = 2 * std::atan2(values[6], values[7]);
        const double straight = 2 * std::atan2(0.25 * double{half}, 0.75 + 0.25 * double{half});
        EXPECT_NEAR(angle, rule == RotationRule::slerp ? std::acos(-1.0) / 8 : straight, 1e-6);
        EXPECT_GT(values[19], 0) << "the same half of the sphere";
        EXPECT_EQ(scene.clips[0].rules, ClipRules());
    }
}

TEST(Resample, IsBounded) {
    Scene scene = with({track(TrackPath::scale, Interpolation::linear, {0}, {1, 1, 1})}, 1e9f);
    const auto done = resample_at(scene, 10000, 1'000'000);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, codes::limit_memory.name);
    EXPECT_EQ(scene.clips[0].tracks[0].times.size(), 1u);
}

}  // namespace
}  // namespace effigy::test
