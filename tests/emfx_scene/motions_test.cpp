/// Motions in scenes: keys, times, names of clips.

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "builders.hpp"

namespace {

using namespace builders;

/// An actor of one node called "a".
ActorFile one_node(std::uint8_t multiplication_order = 0) { return ActorFile(multiplication_order).nodes({node("a")}); }

xsm::Submotion moved(std::vector<xsm::VectorKey> keys) {
    auto result = submotion("a");
    result.position_keys.assign(keys.begin(), keys.end());
    return result;
}

const Track& only_track(const Loaded<Scene>& converted) {
    EXPECT_EQ(converted.value.clips.size(), 1u);
    EXPECT_EQ(converted.value.clips.at(0).tracks.size(), 1u);
    return converted.value.clips.at(0).tracks.at(0);
}

TEST(Motions, KeysAreMirroredAndClipsNamed) {
    const auto converted = convert(one_node(), motion({moved({{{1, 2, 3}, 0}, {{4, 5, 6}, 0.5f}})}));
    const Track& track = only_track(converted);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 0.5f}));
    EXPECT_EQ(values(track.values), (std::vector<float>{1, 2, -3, 4, 5, -6}));
    EXPECT_EQ(converted.value.clips[0].name, "motion");
    EXPECT_EQ(converted.value.clips[0].duration, 0.5f);
}

TEST(Motions, RotationsAreUnitAndNeverTurnTheLongWay) {
    auto part = submotion("a");
    for (int i = 0; i < 8; ++i) {
        Quat q = turn({1, 2, 3}, 50.0 * i);
        const float scale = i % 2 == 0 ? 1.0f : -3.0f;  // the same rotation, stored the other way round
        part.rotation_keys.push_back(
            {{q.x * scale, q.y * scale, q.z * scale, q.w * scale}, 0.1f * static_cast<float>(i)});
    }
    const auto converted = convert(one_node(), motion({part}));
    const Track& track = only_track(converted);
    for (std::size_t i = 0; i < track.values.size(); i += 4) {
        double square = 0;
        double dot = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            square += double{track.values[i + k]} * track.values[i + k];
            if (i > 0) dot += double{track.values[i + k]} * track.values[i + k - 4];
        }
        EXPECT_NEAR(square, 1, 1e-6);
        EXPECT_GE(dot, 0);
    }
}

/// Half a turn has no shorter way: it goes as the keys are stored, and behind a turned key the other way.
TEST(Motions, HalfTurnsGoAsTheirKeysAreStored) {
    const auto values_with = [](float sign) {
        auto part = submotion("a");
        part.rotation_keys = {{{0, 0, 0, 1}, 0}, {{0, 0, 0, sign}, 1}, {{0, sign, 0, 0}, 2}};
        const auto converted = convert(one_node(), motion({part}));
        return values(only_track(converted).values);
    };
    EXPECT_EQ(values_with(-1), values_with(1));
}

TEST(Motions, PackedRotationsMeanTheSame) {
    xsm::PackedSubmotion part;
    part.node_name = "a";
    part.pose_scale = {1, 1, 1};
    part.rotation_keys = {{{0, 0, 0, 32767}, 0}, {{0, 23170, 0, -23170}, 1}};
    xsm::PackedSubmotions list;
    list.submotions.push_back(std::move(part));
    xsm::File file;
    file.chunks.push_back({202, 2, std::nullopt, std::move(list), {}});
    const auto converted = convert(one_node(), std::move(file));
    const Track& track = only_track(converted);
    EXPECT_NEAR(track.values[5], 0.70710678, 1e-6) << "y is mirrored, and then the sign is turned";
    EXPECT_NEAR(track.values[7], 0.70710678, 1e-6);
}

TEST(Motions, KeylessComponentsShowThePose) {
    auto part = submotion("a");
    part.pose_position = {0, 7, 1};
    part.pose_scale = {2, 2, 2};
    const auto converted = convert(one_node(), motion({part}));
    const Clip& clip = converted.value.clips.at(0);
    ASSERT_EQ(clip.tracks.size(), 2u) << "the rotation is that of the rest";
    const Track* track = find(clip, 0, TrackPath::translation);
    EXPECT_EQ(track->interpolation, Interpolation::step);
    EXPECT_EQ(values(track->times), std::vector<float>{0});
    EXPECT_EQ(values(track->values), (std::vector<float>{0, 7, -1}));
}

// A scale of 0 would hide what it is of.
TEST(Motions, ScalesThatAreNoNumbersAreOne) {
    auto part = submotion("a");
    part.pose_scale = {NAN, 2, 2};
    part.scale_keys = {{{2, INFINITY, 3}, 0}, {{NAN, 2, 3}, 1}};
    const auto converted = convert(one_node(), motion({part}));
    const Track* track = find(converted.value.clips.at(0), 0, TrackPath::scale);
    ASSERT_NE(track, nullptr);
    EXPECT_EQ(values(track->values), (std::vector<float>{2, 1, 3, 1, 2, 3}));
    EXPECT_EQ(converted.report.count("not-finite-replaced"), 1u);
}

TEST(Motions, KeysThatShareATimeJump) {
    const auto converted = convert(
        one_node(), motion({moved({{{0, 0, 0}, 0}, {{1, 0, 0}, 1}, {{2, 0, 0}, 1}, {{3, 0, 0}, 1}, {{4, 0, 0}, 2}})}));
    const Track& track = only_track(converted);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, std::nextafter(1.0f, 0.0f), 1, 2}));
    EXPECT_EQ(track.values[3], 1);
    EXPECT_EQ(track.values[6], 3);
    EXPECT_EQ(converted.report.count("key-duplicate"), 1u);
}

/// In Victoria 2's motions tracks that kept every sample begin at the scene's time, thinned ones at 0.
TEST(Motions, EveryTrackBeginsAtZero) {
    auto part = moved({{{0, 0, 0}, 16.75f}, {{1, 0, 0}, 17.25f}, {{4, 0, 0}, 17.75f}});
    part.rotation_keys = {{Quat{}, 0}, {turn({0, 1, 0}, 90), 1}};
    const auto converted = convert(one_node(), motion({part}));
    const Clip& clip = converted.value.clips.at(0);
    EXPECT_EQ(clip.duration, 1);
    EXPECT_EQ(values(find(clip, 0, TrackPath::translation)->times), (std::vector<float>{0, 0.5f, 1}));
    EXPECT_EQ(values(find(clip, 0, TrackPath::rotation)->times), (std::vector<float>{0, 1}));
    ASSERT_EQ(converted.report.count("key-times-rebased"), 1u);
    EXPECT_EQ(converted.report.count("key-late-start"), 0u);
    for (const Diagnostic& note : converted.report.diagnostics()) {
        if (note.code == "key-times-rebased") {
            EXPECT_EQ(note.found, "1 tracks, up to 16.75 s");
        }
    }
    EXPECT_EQ(xsm::duration(motion({part})), 1);
}

/// One track as Maya 2013's exporter writes those that kept every sample, one that its optimiser thinned: the same way,
/// at the same speed.
TEST(Motions, FullAndThinnedTracksStayInPhase) {
    auto full = submotion("a");
    for (int i = 0; i <= 100; ++i) {
        const auto step = static_cast<float>(i);
        full.position_keys.push_back({{step, 0, 0}, 400.0f / 24 + step / 24});
    }
    auto thinned = submotion("b");
    thinned.position_keys = {{{0, 0, 0}, 0}, {{100, 0, 0}, 100.0f / 24}};
    ActorFile actor;
    actor.nodes({node("a"), node("b")});
    const auto scene = convert(std::move(actor), motion({full, thinned})).value;
    const Clip& clip = scene.clips.at(0);
    EXPECT_NEAR(clip.duration, 100.0 / 24, 2e-6) << "not 500 / 24";
    for (int k = 0; k <= 40; ++k) {
        const float time = 0.1f * static_cast<float>(k);
        const double expected = 24.0 * static_cast<double>(time);
        EXPECT_NEAR(world(scene, clip, find(scene, "a"), time)[3].x, expected, 1e-3) << time;
        EXPECT_NEAR(world(scene, clip, find(scene, "b"), time)[3].x, expected, 1e-3) << time;
    }
}

TEST(Motions, TimesAreKeptOnRequest) {
    auto part = moved({{{0, 0, 0}, 16.75f}, {{4, 0, 0}, 17.75f}});
    part.rotation_keys = {{Quat{}, 0}, {turn({0, 1, 0}, 90), 1}};
    emfx::SceneOptions options;
    options.keep_key_times = true;
    const auto converted = convert(one_node(), motion({part}), options);
    const Clip& clip = converted.value.clips.at(0);
    EXPECT_EQ(clip.duration, 17.75f);
    EXPECT_EQ(values(find(clip, 0, TrackPath::translation)->times), (std::vector<float>{16.75f, 17.75f}));
    EXPECT_EQ(converted.report.count("key-late-start"), 1u);
    EXPECT_EQ(converted.report.count("key-times-rebased"), 0u);
}

/// The engine moves late tracks only: what is before 0 is over when a motion begins.
TEST(Motions, TracksFromBeforeZeroAreCutThere) {
    const auto converted =
        convert(one_node(), motion({moved({{{9, 0, 0}, -3}, {{0, 0, 0}, -2}, {{6, 0, 0}, 1}, {{7, 0, 0}, 2}})}));
    const Track& track = only_track(converted);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 1, 2}));
    EXPECT_NEAR(track.values[0], 4, 1e-6) << "on its way";
    EXPECT_EQ(track.values[3], 6);
    EXPECT_EQ(converted.value.clips[0].duration, 2);
    EXPECT_EQ(converted.report.count("key-times-rebased"), 0u);
    EXPECT_EQ(converted.report.count("key-duplicate"), 0u);
    EXPECT_EQ(converted.report.count("key-before-zero"), 1u);
    EXPECT_EQ(values(only_track(convert(one_node(), motion({moved({{{1, 0, 0}, -2}, {{2, 0, 0}, -1}})}))).times),
              (std::vector<float>{0}));
}

TEST(Motions, TurnsFromBeforeZeroAreCutThere) {
    auto turning = submotion("a");
    turning.rotation_keys = {{turn({0, 1, 0}, -30), -1}, {turn({0, 1, 0}, 30), 1}};
    turning.rotation_keys[1].value = {-turning.rotation_keys[1].value.x, -turning.rotation_keys[1].value.y,
                                      -turning.rotation_keys[1].value.z, -turning.rotation_keys[1].value.w};
    const auto converted = convert(one_node(), motion({turning}));
    const Track& track = only_track(converted);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 1}));
    EXPECT_NEAR(std::abs(track.values[3]), 1, 1e-6) << "half-way";
}

TEST(Motions, BrokenTimesAreSortedOut) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    emfx::SceneOptions options;
    options.keep_key_times = true;
    const auto converted = convert(
        one_node(), motion({moved({{{3, 0, 0}, 2}, {{9, 0, 0}, nan}, {{1, 0, 0}, -1}, {{2, 0, 0}, 0}})}), options);
    const Track& track = only_track(converted);
    EXPECT_EQ(values(track.times), (std::vector<float>{0, 2}));
    EXPECT_EQ(track.values[0], 2);
    for (const char* code : {"key-time", "key-order", "key-before-zero"}) {
        EXPECT_EQ(converted.report.count(code), 1u) << code;
    }
}

TEST(Motions, NamesDecideAndTheFirstOneCounts) {
    auto first = moved({{{1, 0, 0}, 0}, {{2, 0, 0}, 1}});
    auto second = moved({{{8, 0, 0}, 0}, {{9, 0, 0}, 3}});
    auto stranger = submotion("nobody");
    const auto converted = convert(one_node(), motion({first, second, stranger}));
    EXPECT_EQ(only_track(converted).values[0], 1);
    EXPECT_EQ(converted.value.clips[0].duration, 3) << "the second one still lengthens the motion";
    EXPECT_EQ(only_track(converted).times.back(), 3) << "and the clip shows its length";
    EXPECT_EQ(converted.report.count("motion-repeated"), 1u);
    EXPECT_EQ(converted.report.count("motion-node-absent"), 1u) << "and nothing is lost with it";
    EXPECT_EQ(converted.report.count(Severity::warning), 1u);
}

TEST(Motions, MovementThatNobodyTakesIsLost) {
    const auto converted = convert(one_node(), motion({submotion("a"), [] {
                                                           auto stranger = moved({{{8, 0, 0}, 0}, {{9, 0, 0}, 3}});
                                                           stranger.node_name = "nobody";
                                                           return stranger;
                                                       }()}));
    EXPECT_EQ(converted.report.count("motion-node-unknown"), 1u);
    EXPECT_EQ(converted.report.count("motion-node-absent"), 0u);
}

TEST(Motions, MotionsThatMatchNothingAreLeftOut) {
    const auto converted = convert(one_node(), motion({submotion("nobody")}));
    EXPECT_TRUE(converted.value.clips.empty());
    EXPECT_EQ(converted.report.count("motion-names-nothing"), 1u);
    EXPECT_EQ(converted.report.diagnostics().size(), 1u) << "which is said once";
}

TEST(Motions, StillMotionsAreClipsToo) {
    const auto converted = convert(one_node(), motion({submotion("a")}));
    EXPECT_EQ(only_track(converted).times.size(), 1u);
    EXPECT_EQ(converted.value.clips[0].duration, 0);
}

TEST(Motions, ClipsOfOneNameAreNumbered) {
    emfx::SceneInput files = input(one_node());
    for (int i = 0; i < 3; ++i) files.motions.push_back({{"walk", 0, {}}, motion({submotion("a")}), {}});
    const auto scene = convert(std::move(files)).value;
    EXPECT_EQ(scene.clips[0].name, "walk");
    EXPECT_EQ(scene.clips[1].name, "walk.2");
    EXPECT_EQ(scene.clips[2].name, "walk.3");
}

TEST(Motions, AloneMakeFlatNodes) {
    auto part = submotion("x");
    part.bind_pose_position = {1, 2, 3};
    part.position_keys = {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}};
    emfx::SceneInput files;
    files.motions.push_back({{"walk", 0, {}}, motion({part, submotion("y")}), {{0.5f, 3}}});
    const auto scene = convert(std::move(files)).value;
    ASSERT_EQ(scene.nodes.size(), 2u);
    EXPECT_EQ(scene.nodes[0].local.translation, (Vec3{1, 2, -3}));
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_NE(scene.clips[0].extras.json.find(R"("ticks":[{"time":0.5,"value":3}])"), std::string::npos);
}

TEST(Motions, ThoseThatCannotBeDecodedAreLeftOut) {
    xsm::File file;
    file.chunks.push_back({203, 1, std::nullopt, xsm::Wavelet{}, {}});
    const auto converted = convert(one_node(), file);
    EXPECT_GE(converted.report.count("wavelet-size"), 1u);
    emfx::SceneInput alone;
    alone.motions.push_back({{"walk", 0, {}}, file, {}});
    const auto result = emfx::to_scene(std::move(alone));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "wavelet-size");
}

struct ChainCase {
    int order;
    bool turn, frame;
};

class Chains : public testing::TestWithParam<ChainCase> {};

TEST_P(Chains, MoveAsTheFileSays) {
    const auto [order, turns, frames] = GetParam();
    auto part = submotion("a");
    part.pose_rotation = turn({1, 1, 0}, 20);
    part.pose_scale_rotation = turn({0, 1, 2}, 35);
    part.scale_keys = {{{1, 1, 1}, 0}, {{1, 2, 0.5f}, 1}};
    if (turns) part.rotation_keys = {{turn({1, 0, 0}, 10), 0}, {turn({0, 1, 1}, 60), 1}};
    if (frames)
        part.scale_rotation_keys = {{turn({0, 0, 1}, 0), 0}, {turn({0, 0, 1}, 50), 0.5f}, {turn({1, 0, 1}, 30), 1}};
    const auto scene =
        convert(one_node(static_cast<std::uint8_t>(order)), motion({part}, static_cast<std::uint8_t>(order))).value;
    const Index last = find(scene, "a");
    ASSERT_NE(scene.nodes[last].parent, no_index) << "the motion makes it a chain";
    for (const float time : {0.0f, 1.0f}) {
        xac::Node pose = node("a");
        const bool end = time > 0;
        pose.scale = end ? Vec3{1, 2, 0.5f} : Vec3{1, 1, 1};
        pose.rotation = turns ? end ? turn({0, 1, 1}, 60) : turn({1, 0, 0}, 10) : part.pose_rotation;
        pose.scale_rotation = frames ? end ? turn({1, 0, 1}, 30) : Quat{} : part.pose_scale_rotation;
        EXPECT_LT(difference(world(scene, scene.clips.at(0), last, time), expected_local(pose, order)), 1e-6) << time;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Chains,
                         testing::Values(ChainCase{0, false, false}, ChainCase{0, true, false},
                                         ChainCase{0, false, true}, ChainCase{0, true, true},
                                         ChainCase{1, false, false}, ChainCase{1, true, false},
                                         ChainCase{1, false, true}, ChainCase{1, true, true}));

TEST(Motions, ProductsOfTwoTurnsStayCloseBetweenTheirKeys) {
    auto part = submotion("a");
    part.pose_scale = {1, 3, 0.5f};
    part.rotation_keys = {{turn({1, 0, 0}, 0), 0}, {turn({1, 0, 0}, 80), 1}};
    part.scale_rotation_keys = {{turn({0, 0, 1}, 0), 0}, {turn({0, 0, 1}, 80), 1}};
    const auto converted = convert(one_node(), motion({part}));
    xac::Node middle = node("a");
    middle.scale = part.pose_scale;
    middle.rotation = turn({1, 0, 0}, 40);
    middle.scale_rotation = turn({0, 0, 1}, 40);
    const Index last = find(converted.value, "a");
    EXPECT_LT(difference(world(converted.value, converted.value.clips[0], last, 0.5f), expected_local(middle, 0)),
              5e-3);
    EXPECT_EQ(converted.report.count("track-resampled"), 1u);
}

TEST(Motions, AnotherOrderThanTheActorsIsReported) {
    auto part = submotion("a");
    part.pose_scale = {1, 2, 3};
    EXPECT_EQ(convert(one_node(0), motion({part}, 1)).report.count("motion-order-differs"), 1u);
    part.pose_scale = {2, 2, 2};
    EXPECT_EQ(convert(one_node(0), motion({part}, 1)).report.count("motion-order-differs"), 0u);
}

TEST(Motions, UniformScaleMakesItsRotationIdle) {
    auto part = submotion("a");
    part.scale_rotation_keys = {{turn({0, 0, 1}, 0), 0}, {turn({0, 0, 1}, 50), 1}};
    const auto converted = convert(one_node(), motion({part}));
    EXPECT_EQ(converted.value.nodes.size(), 1u);
    EXPECT_EQ(converted.report.count("scale-rotation-unused"), 1u);
}

TEST(Resampling, FollowsTheEnginesRules) {
    auto part = moved({{{1, 0, 0}, 0.25f}, {{3, 0, 0}, 0.75f}});
    part.rotation_keys = {{Quat{}, 0}, {turn({0, 1, 0}, 120), 1}};
    emfx::SceneOptions options;
    options.resample = 4;
    options.keep_key_times = true;
    const auto converted = convert(one_node(), motion({part}), options);
    const Track* position = find(converted.value.clips.at(0), 0, TrackPath::translation);
    EXPECT_EQ(values(position->times), (std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1}));
    EXPECT_EQ(position->values[0], 3) << "before the first key the engine shows the last one";
    EXPECT_EQ(position->values[6], 2);
    EXPECT_EQ(position->values[12], 3);
    const Track* rotation = find(converted.value.clips[0], 0, TrackPath::rotation);
    // Normalised linear interpolation: a quarter of the way in the chord, not in the arc.
    const double x = 0.75 + 0.25 * std::cos(M_PI / 3);
    const double y = 0.25 * std::sin(M_PI / 3);
    EXPECT_NEAR(rotation->values[5], -y / std::hypot(x, y), 1e-6);
}

TEST(Resampling, IsBounded) {
    emfx::SceneOptions options;
    options.resample = 1e12;
    emfx::SceneInput files = input(one_node());
    files.motions.push_back({{"m", 0, {}}, motion({moved({{{1, 0, 0}, 0}, {{3, 0, 0}, 1e9f}})}), {}});
    const auto result = emfx::to_scene(std::move(files), options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "limit-memory");
}

}  // namespace
