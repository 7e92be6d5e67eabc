/// Motions that nobody has edited come back as they were.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "builders.hpp"
#include "corpus/corpus.hpp"
#include "emfx/fixtures.hpp"
#include "emfx/to_scene/key_codes.hpp"
#include "motion_back.hpp"
#include "scene/wide_math.hpp"

namespace {

using namespace builders;
using emfx::bridge::pack;
using emfx::bridge::unit;

/// To the scene and back, with an actor or alone; empty if nothing was written.
Bytes there_and_back(const Bytes& motion, const xac::File* actor, std::string* why = nullptr) {
    const auto read = xsm::read(motion);
    EXPECT_TRUE(read);
    if (!read) return {};
    emfx::SceneInput files;
    if (actor != nullptr) files.actors.push_back({{"actor", 0, {}}, *actor});
    files.motions.push_back({{"motion", 0, {}}, read->value, {}});
    auto scene = emfx::to_scene(std::move(files));
    if (!scene || scene->value.clips.empty()) {
        if (why != nullptr) *why = scene ? "no clip" : scene.error().code;
        return {};
    }
    mark_untouched(scene->value);
    const emfx::NativeFiles back = motions_back(scene->value, actor);
    return back.motions.size() == 1 ? bytes_of_motion(back.motions[0].file) : Bytes{};
}

TEST(MotionBack, FixturesComeBackByteForByte) {
    int exact = 0;
    for (const test::Fixture& fixture : test::xsm_fixtures()) {
        for (const bool big : {false, true}) {
            const Bytes bytes = fixture.bytes(big);
            std::string why;
            const Bytes back = there_and_back(bytes, nullptr, &why);
            if (back.empty()) {
                EXPECT_TRUE(why == "nothing-to-show" || why == "wavelet-size" || why == "no clip")
                    << fixture << ": " << why;
                continue;
            }
            EXPECT_EQ(back, bytes) << fixture << (big ? " big" : " little");
            ++exact;
        }
    }
    EXPECT_EQ(exact, 2 * 9);
}

/// Nodes that stand for those of a motion alone have no record of their bytes.
TEST(MotionBack, NamesKeepTheCodePageInWhichTheyWereRead) {
    const std::string name = "\xB0\xA1";  // of CP949; two letters of CP1252, too
    xsm::Submotion moved = submotion(name), nobody = submotion(name);
    moved.position_keys = {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}};
    for (const xsm::Submotion& one : {moved, nobody}) {
        emfx::SceneInput files;
        files.motions.push_back({{name, 0, {}}, motion({one}), {}});
        emfx::SceneOptions korean;
        korean.encoding = "CP949";
        Scene scene = convert(std::move(files), korean).value;
        mark_untouched(scene);
        const auto back = emfx::from_scene(scene);
        ASSERT_TRUE(back);
        ASSERT_EQ(back->value.motions.size(), 1u);
        EXPECT_EQ(back->value.motions[0].name, "\xEA\xB0\x80");
        EXPECT_EQ(bytes_of_motion(back->value.motions[0].file), bytes_of_motion(motion({one})));
    }
}

TEST(MotionBack, FixturesOnAnActorComeBackByteForByte) {
    const auto actor = xac::read(test::whole_actor(false));
    ASSERT_TRUE(actor);
    const Bytes motion = test::whole_motion(false);
    EXPECT_EQ(there_and_back(motion, &actor->value), motion);
    const auto weights = xpm::read(test::whole_weights(true));
    emfx::SceneInput files;
    files.actors.push_back({{"actor", 0, {}}, actor->value});
    files.motions.push_back({{"both", 0, {}}, xsm::read(motion)->value, {{0.5f, 7}, {0.75f, 65535}}});
    files.morph_motions.push_back({{"both", 0, {}}, weights->value});
    auto scene = convert(std::move(files));
    ASSERT_EQ(scene.value.clips.size(), 1u);
    mark_untouched(scene.value);
    const emfx::NativeFiles back = motions_back(scene.value, &actor->value);
    ASSERT_EQ(back.motions.size(), 1u);
    ASSERT_EQ(back.morph_motions.size(), 1u);
    EXPECT_EQ(bytes_of_motion(back.motions[0].file), motion);
    EXPECT_EQ(bytes_of_motion(back.morph_motions[0].file), test::whole_weights(true)) << "padding is no zeros there";
    EXPECT_EQ(back.motions[0].name, "both");
    ASSERT_EQ(back.ticks.size(), 1u);
    const auto ticks = emfx::read_ticks(emfx::write_ticks(back.ticks[0].file));
    ASSERT_TRUE(ticks);
    ASSERT_EQ(ticks->size(), 2u);
    EXPECT_EQ((*ticks)[1].time, 0.75f);
    EXPECT_EQ((*ticks)[1].value, 65535);
    const auto of_copy = emfx::from_scene(scene.value), of_spent = emfx::from_scene(std::move(scene.value));
    for (const auto* const files_back : {&of_copy, &of_spent}) {
        ASSERT_TRUE(*files_back);
        ASSERT_EQ((*files_back)->value.motions.size(), 1u);
        ASSERT_EQ((*files_back)->value.morph_motions.size(), 1u);
        EXPECT_EQ(bytes_of_motion((*files_back)->value.motions[0].file), motion);
        EXPECT_EQ(bytes_of_motion((*files_back)->value.morph_motions[0].file), test::whole_weights(true));
    }
}

/// Everything that to_scene has to repair.
TEST(MotionBack, WhatWasRepairedOrLeftOutComesBack) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    auto odd = submotion("a");
    odd.position_keys = {{{1, 2, 3}, 0.5f}, {{1, nan, 3}, 0.25f}, {{4, 5, 6}, 0.5f}, {{7, 8, 9}, -1}, {{0, 0, 0}, nan}};
    odd.rotation_keys = {{turn({0, 1, 0}, 10), 0}, {turn({0, 1, 0}, 20), 1}, {{0, 0, 0, 0}, 2}};
    for (float* number : {&odd.rotation_keys[1].value.x, &odd.rotation_keys[1].value.y, &odd.rotation_keys[1].value.z,
                          &odd.rotation_keys[1].value.w})
        *number *= -3;
    odd.scale_rotation_keys = {{turn({1, 0, 0}, 30), 0}};
    auto nobody = submotion("nobody");
    nobody.position_keys = {{{1, 2, 3}, 0}, {{1, 2, 3}, 7}};
    auto again = submotion("a");
    again.scale_keys = {{{1, 2, 3}, 0}, {{3, 2, 1}, 4}};
    for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}}) {
        ActorFile actor(order);
        actor.nodes({node("a"), node("b", 0)});
        xsm::File file = motion({odd, nobody, submotion("b"), again}, order);
        file.chunks[0].size = 1234567;
        file.trailing = raw<std::uint8_t>({1, 2, 3});
        const Bytes bytes = bytes_of_motion(file);
        EXPECT_EQ(there_and_back(bytes, &actor.file), bytes);
    }
}

/// In the scene they begin at 0; in the file they begin when they did, however the subtraction was rounded.
TEST(MotionBack, LateTracksComeBackByteForByte) {
    for (const float start : {1.0416666f, 16.666666f, 25.0f, 0.1f, 1e-3f, -2.5f, 1e6f, 3e38f}) {
        auto late = submotion("a");
        auto thinned = submotion("b");
        xpm::Submotion smile;
        smile.name = "smile";
        for (int i = 0; i < 100; ++i) {
            const auto step = static_cast<float>(i);
            const float time = start + step / 24;
            late.position_keys.push_back({{step, 0, 1}, time});
            late.rotation_keys.push_back({turn({0, 1, 0}, 5.0 * i), time});
            late.scale_keys.push_back({{1 + step, 1 + step, 1 + step}, time});
            late.scale_rotation_keys.push_back({turn({1, 1, 0}, 3.0 * i), time});
            smile.keys.push_back({time, static_cast<std::uint16_t>(600 * i), {1, 2}});
        }
        thinned.position_keys = {{{0, 0, 0}, 0}, {{1, 0, 0}, 99.0f / 24}};
        for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}}) {
            ActorFile actor(order);
            actor.nodes({node("a"), node("b", 0)});
            const Bytes bytes = bytes_of_motion(motion({late, thinned}, order));
            EXPECT_EQ(there_and_back(bytes, &actor.file), bytes) << start;
            EXPECT_EQ(there_and_back(bytes, nullptr), bytes) << start << ", alone";
        }
        const auto actor = xac::read(test::whole_actor(false));
        emfx::SceneInput files;
        files.actors.push_back({{"actor", 0, {}}, actor->value});
        files.morph_motions.push_back({{"face", 0, {}}, morph_motion({smile})});
        auto scene = convert(std::move(files)).value;
        ASSERT_EQ(scene.clips.size(), 1u);
        EXPECT_EQ(scene.clips[0].tracks.at(0).times.front(), 0);
        mark_untouched(scene);
        const emfx::NativeFiles back = motions_back(scene, &actor->value);
        ASSERT_EQ(back.morph_motions.size(), 1u);
        EXPECT_EQ(bytes_of_motion(back.morph_motions[0].file), bytes_of_motion(morph_motion({smile}))) << start;
    }
}

/// Paradox's games get keys from 0; others the file as it was.
TEST(MotionBack, LateTracksAreMovedForTheirGames) {
    auto late = submotion("a");
    late.position_keys = {{{1, 2, 3}, 16.666666f}, {{4, 5, 6}, 17.25f}};
    late.rotation_keys = {{{0, 0, 0, 3}, 2}, {{0, 0, 0, 3}, 4}};  // comes from its record
    auto unknown = submotion("nowhere");
    unknown.scale_keys = {{{1, 1, 1}, 1.5f}, {{2, 2, 2}, 2}};
    auto early = submotion("b");
    early.position_keys = {{{1, 2, 3}, -1}, {{4, 5, 6}, 1}};
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0)});
    emfx::SceneInput files = input(actor);
    const xsm::File file = motion({late, unknown, early});
    files.motions.push_back({{"late", 0, {}}, file, {}});
    auto scene = convert(std::move(files)).value;
    mark_untouched(scene);
    emfx::FromSceneOptions options;
    EXPECT_EQ(bytes_of_motion(motions_back(scene, &actor.file, options).motions.at(0).file), bytes_of_motion(file));
    options.target = emfx::Target::victoria2;
    const xsm::File moved = motions_back(scene, &actor.file, options).motions.at(0).file;
    const auto& list = std::get<xsm::Submotions>(moved.chunks.at(0).record).submotions;
    EXPECT_EQ(list[0].position_keys[0].time, 0);
    EXPECT_EQ(list[0].position_keys[1].time, 17.25f - 16.666666f);
    EXPECT_EQ(list[0].position_keys[1].value, (Vec3{4, 5, 6}));
    EXPECT_EQ(list[0].rotation_keys[1].time, 2);
    EXPECT_EQ(list[1].scale_keys[0].time, 0);
    EXPECT_EQ(list[1].scale_keys[1].time, 0.5f);
    EXPECT_EQ(list[2].position_keys[0].time, -1) << "the engine moves late ones only";
}

/// A motion of nodes "a" and "b", unedited, for a game.
xsm::File motion_for(emfx::Target target, const xsm::File& file, Report& report) {
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0)});
    emfx::SceneInput files = input(actor);
    files.motions.push_back({{"run", 0, {}}, file, {}});
    Scene scene = convert(std::move(files)).value;
    mark_untouched(scene);
    emfx::FromSceneOptions options;
    options.target = target;
    return motions_back(scene, &actor.file, options, &report).motions.at(0).file;
}

using Kinds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Ids and versions.
Kinds kinds_in(const xsm::File& file) {
    Kinds kinds;
    for (const xsm::Chunk& chunk : file.chunks) kinds.emplace_back(chunk.id, chunk.version);
    return kinds;
}

TEST(MotionBack, GamesHaveRotationsAsInTheirFiles) {
    using emfx::Target;
    xsm::PackedSubmotion turned;
    turned.node_name = "a";
    turned.rotation_keys = {{{0, 0, 0, 32767}, 0}, {{0, 23169, 0, 23169}, 1}};
    xsm::File packed;
    packed.chunks.push_back({201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    packed.chunks.push_back({202, 2, 9999, xsm::PackedSubmotions{{turned}}, {}});
    Report report;
    EXPECT_EQ(bytes_of_motion(motion_for(Target::victoria2, packed, report)), bytes_of_motion(packed));
    const xsm::File floats = motion_for(Target::eu3, packed, report);
    EXPECT_EQ(kinds_in(floats), (Kinds{{201, 2}, {202, 1}}));
    const auto& list = std::get<xsm::Submotions>(floats.chunks.at(1).record).submotions;
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].node_name, "a");
    ASSERT_EQ(list[0].rotation_keys.size(), 2u);
    EXPECT_EQ(list[0].rotation_keys[1].time, 1);
    EXPECT_FLOAT_EQ(list[0].rotation_keys[1].value.y, std::sqrt(0.5f));
    packed.chunks[1].size.reset();
    EXPECT_EQ(bytes_of_motion(motion_for(Target::tree_of_savior, floats, report)), bytes_of_motion(packed));
    // What is packed already keeps its digits.
    turned.rotation_keys = {{{0, 0, 0, 32000}, 0}, {{0, 20000, 0, 23169}, 1}};
    xsm::File single;
    single.chunks.push_back({201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    single.chunks.push_back({200, 3, std::nullopt, turned, {}});
    packed.chunks[1].record = xsm::PackedSubmotions{{turned}};
    EXPECT_EQ(bytes_of_motion(motion_for(Target::tree_of_savior, single, report)), bytes_of_motion(packed));
    EXPECT_TRUE(report.diagnostics().empty());
}

TEST(MotionBack, GamesHaveListsAsInTheirFiles) {
    using emfx::Target;
    auto moved = submotion("a"), still = submotion("b");
    moved.position_keys = {{{1, 2, 3}, 0}, {{4, 5, 6}, 1}};
    xsm::File old;
    old.chunks.push_back({201, 1, std::nullopt, emfx::MotionInfo{}, {}});
    for (const auto& one : {moved, still}) old.chunks.push_back({200, 1, std::nullopt, one, {}});
    Report report;
    EXPECT_EQ(bytes_of_motion(motion_for(Target::hoi3, old, report)), bytes_of_motion(old)) << "as that game's";
    const xsm::File list = motion_for(Target::eu3, old, report);
    EXPECT_EQ(kinds_in(list), (Kinds{{201, 2}, {202, 1}}));
    EXPECT_EQ(std::get<emfx::MotionInfo>(list.chunks[0].record).maximum_error, 1e8f);
    const auto& submotions = std::get<xsm::Submotions>(list.chunks[1].record).submotions;
    ASSERT_EQ(submotions.size(), 2u);
    EXPECT_EQ(submotions[0].position_keys.at(1).value, (Vec3{4, 5, 6}));
    EXPECT_EQ(submotions[1].node_name, "b");
    EXPECT_TRUE(report.diagnostics().empty());
    emfx::Timestamp exported;
    exported.year = 2007;
    old.chunks.push_back({51, 1, std::nullopt, exported, {}});
    EXPECT_EQ(kinds_in(motion_for(Target::eu3, old, report)), (Kinds{{201, 2}, {202, 1}, {51, 1}}));
    ASSERT_EQ(report.count("emfx-chunk-version"), 1u) << "no known file has one";
    EXPECT_EQ(report.diagnostics().front().found, "1: timestamp v1 (id 51)");
}

TEST(MotionBack, OfLateTracksOnlyTheFirstTimeIsKept) {
    auto late = submotion("a");
    late.position_keys = {{{1, 2, 3}, 16.666666f}, {{4, 5, 6}, 17.25f}};
    emfx::SceneInput files = input(ActorFile().nodes({node("a")}));
    files.motions.push_back({{"late", 0, {}}, motion({late}), {}});
    const auto scene = convert(std::move(files)).value;
    EXPECT_NE(scene.clips.at(0).extras.json.find(R"("position_keys_start":16.666666)"), std::string::npos);
    EXPECT_EQ(scene.clips[0].extras.json.find(R"("position_keys":)"), std::string::npos);
}

/// What real files of 2012 hold: scales by nothing, rotations of no length.
TEST(MotionBack, PosesThatAreNoNumbersComeBack) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const float bad : {inf, -inf, std::numeric_limits<float>::quiet_NaN()}) {
        xsm::PackedSubmotion packed;
        packed.node_name = "a";
        packed.pose_rotation = packed.bind_pose_rotation = {0, 0, 0, 0};
        packed.pose_scale = packed.bind_pose_scale = {bad, bad, bad};
        packed.scale_keys = {{{bad, bad, bad}, 0}, {{bad, 1, bad}, 0.5f}};
        xsm::PackedSubmotion posed = packed;
        posed.node_name = "b";
        posed.scale_keys.clear();
        posed.pose_position = {1, bad, 2};
        xsm::PackedSubmotions list;
        list.submotions = {packed, posed};
        xsm::File file;
        file.header.multiplication_order = 1;
        file.chunks.push_back({202, 2, std::nullopt, std::move(list), {}});
        ActorFile actor(1);
        actor.nodes({node("a"), node("b", 0)});
        const Bytes bytes = bytes_of_motion(file);
        EXPECT_EQ(there_and_back(bytes, nullptr), bytes) << bad;
        EXPECT_EQ(there_and_back(bytes, &actor.file), bytes) << bad;
        auto floats = submotion("a");
        floats.pose_rotation = {0, 0, 0, bad};
        floats.pose_scale_rotation = {bad, 0, 0, 0};
        floats.pose_position = {bad, 0, 0};
        const Bytes bytes_of_floats = bytes_of_motion(motion({floats}, 1));
        EXPECT_EQ(there_and_back(bytes_of_floats, nullptr), bytes_of_floats) << bad;
        EXPECT_EQ(there_and_back(bytes_of_floats, &actor.file), bytes_of_floats) << bad;
    }
}

TEST(MotionBack, StretchedNodesComeBackByteForByte) {
    for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}}) {
        auto part = submotion("a");
        part.pose_scale = {1, 2, 3};
        part.rotation_keys = {{turn({0, 1, 0}, 10), 0}, {turn({1, 1, 0}, 50), 0.5f}, {turn({0, 0, 1}, 80), 1}};
        part.scale_rotation_keys = {{turn({1, 0, 0}, 30), 0}, {turn({1, 0, 1}, 60), 0.75f}};
        ActorFile actor(order);
        actor.nodes({node("a"), node("b", 0)});
        const Bytes bytes = bytes_of_motion(motion({part}, order));
        EXPECT_EQ(there_and_back(bytes, &actor.file), bytes);
    }
}

Quat random_rotation(std::mt19937& random) {
    std::normal_distribution<double> number(0, 1);
    const glm::dquat q = glm::normalize(glm::dquat(number(random), number(random), number(random), number(random)));
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

Quat unpacked(const xsm::PackedQuat& q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

std::array<int, 4> numbers(const xsm::PackedQuat& q) { return {q.x, q.y, q.z, q.w}; }

double angle(const Quat& a, const Quat& b) { return angle_between(glm::normalize(wide(a)), glm::normalize(wide(b))); }

/// Only where two packed rotations lie on one line, as closely as floats can tell, one of them is taken for both.
TEST(PackedRotations, ComeBackExactlyHoweverTheyWereRounded) {
    std::mt19937 random(17);
    int others = 0;
    for (int i = 0; i < 300000; ++i) {
        const Quat q = random_rotation(random);
        const auto cut = [](float value) { return static_cast<std::int16_t>(value * 32767.0f); };
        const auto near = [](float value) { return static_cast<std::int16_t>(std::lround(value * 32767.0f)); };
        for (const xsm::PackedQuat packed : {xsm::PackedQuat{cut(q.x), cut(q.y), cut(q.z), cut(q.w)},
                                             xsm::PackedQuat{near(q.x), near(q.y), near(q.z), near(q.w)}}) {
            const xsm::PackedQuat again = pack(unit(unpacked(packed)));
            if (numbers(again) == numbers(packed)) continue;
            ++others;
            EXPECT_LT(angle(unpacked(again), unpacked(packed)), 1e-6);
        }
    }
    EXPECT_LT(others, 10);
}

TEST(PackedRotations, AreOffByHalfAUnitAtMost) {
    std::mt19937 random(18);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const Quat q = random_rotation(random);
        worst = std::max(worst, angle(unpacked(pack(q)), q));
    }
    EXPECT_LE(worst, 2.0 / 32767);  // half a unit in each of four numbers, twice as an angle
    EXPECT_GT(worst, 0.5 / 32767);
    EXPECT_EQ(numbers(pack({0, 0, 0, 1})), (std::array{0, 0, 0, 32767}));
    EXPECT_EQ(numbers(pack({0, -1, 0, 0})), (std::array{0, -32767, 0, 0}));
    EXPECT_EQ(numbers(pack({0, 0, 0, 0})), (std::array{0, 0, 0, 32767}));
    const float nan = std::nanf("");
    EXPECT_EQ(numbers(pack({nan, nan, nan, nan})), (std::array{0, 0, 0, 32767}));
    EXPECT_EQ(numbers(pack({0, 0, 0, HUGE_VALF})), (std::array{0, 0, 0, 32767}));
}

TEST(PackedWeights, ComeBackExactly) {
    for (const auto& [low, high] : {std::pair(0.0f, 1.0f), std::pair(-1.0f, 1.0f), std::pair(-0.3f, 7.1f)}) {
        auto part = xpm::Submotion{};
        for (int value = 0; value < 65536; ++value) {
            const double weight =
                static_cast<double>(low) + (static_cast<double>(high) - static_cast<double>(low)) * value / 65535;
            ASSERT_EQ(emfx::bridge::pack_weight(static_cast<double>(static_cast<float>(weight)), low, high), value);
        }
    }
    EXPECT_EQ(emfx::bridge::pack_weight(2, 0, 1), 65535);
    EXPECT_EQ(emfx::bridge::pack_weight(-2, 0, 1), 0);
    EXPECT_EQ(emfx::bridge::pack_weight(std::nan(""), 0, 1), 0);
    EXPECT_EQ(emfx::bridge::pack_weight(0.5, 1, 1), 0);
}

TEST(MotionBack, MotionsThatMoveNothingComeBackAsWell) {
    auto nobody = submotion("nobody");
    nobody.position_keys = {{{1, 2, 3}, 0}, {{1, 2, 3}, 7}};
    xpm::Submotion frown;
    frown.name = "frown";
    frown.keys = {{0, 7, {1, 2}}, {1, 9, {3, 4}}};
    emfx::SceneInput files = input(ActorFile().nodes({node("a")}));
    const xac::File actor = files.actors[0].file;
    files.motions.push_back({{"idle", 0, {}}, motion({nobody}), {{0.5f, 7}}});
    files.morph_motions.push_back({{"face", 0, {}}, morph_motion({frown})});
    files.morph_motions.push_back({{"empty", 0, {}}, morph_motion({})});
    auto scene = convert(std::move(files)).value;
    EXPECT_TRUE(scene.clips.empty());
    mark_untouched(scene);
    const emfx::NativeFiles back = motions_back(scene, &actor);
    ASSERT_EQ(back.motions.size(), 1u);
    EXPECT_EQ(back.motions[0].name, "idle");
    EXPECT_EQ(bytes_of_motion(back.motions[0].file), bytes_of_motion(motion({nobody})));
    EXPECT_EQ(back.ticks.size(), 1u);
    ASSERT_EQ(back.morph_motions.size(), 2u);
    EXPECT_EQ(bytes_of_motion(back.morph_motions[0].file), bytes_of_motion(morph_motion({frown})));
    EXPECT_EQ(bytes_of_motion(back.morph_motions[1].file), bytes_of_motion(morph_motion({})));
}

/// A submotion that nobody can read is not one of those that are counted.
TEST(MotionBack, SubmotionsBehindAnUnknownOneKeepTheirKeys) {
    xsm::File file;
    file.chunks.push_back({200, 99, std::nullopt, emfx::Opaque{raw<std::uint8_t>({1, 2, 3, 4})}, {}});
    int turned = 0;
    for (const char* const name : {"a", "b", "c"}) {
        xsm::Submotion part = submotion(name);
        for (int i = 0; i < 4; ++i) {
            Quat q = turn({1, 2, 3}, 20.0 * i + 7 * turned);
            if (i == turned) q = {-q.x, -q.y, -q.z, -q.w};
            part.rotation_keys.push_back({q, static_cast<float>(i)});
        }
        ++turned;
        file.chunks.push_back({200, 2, std::nullopt, std::move(part), {}});
    }
    const xac::File actor = ActorFile().nodes({node("a"), node("b", 0), node("c", 1)}).file;
    const Bytes bytes = bytes_of_motion(file);
    EXPECT_EQ(there_and_back(bytes, &actor), bytes);
}

/// Tree of Savior finds the motion of morph targets by the name of the other one.
TEST(MotionBack, StillHalvesOfAPairKeepTheirName) {
    auto walk = submotion("a");
    walk.position_keys = {{{1, 2, 3}, 0}, {{1, 2, 4}, 1}};
    emfx::SceneInput files = input(ActorFile().nodes({node("a")}));
    const xac::File actor = files.actors[0].file;
    files.motions.push_back({{"run", 0, {}}, motion({walk}), {}});
    files.morph_motions.push_back({{"run", 0, {}}, morph_motion({})});
    auto scene = convert(std::move(files)).value;
    mark_untouched(scene);
    const emfx::NativeFiles back = motions_back(scene, &actor);
    ASSERT_EQ(back.motions.size(), 1u);
    ASSERT_EQ(back.morph_motions.size(), 1u);
    EXPECT_EQ(back.motions[0].name, "run");
    EXPECT_EQ(back.morph_motions[0].name, "run");
}

/// The actor beside a motion that knows most of its nodes.
const xac::File* best_actor(const std::vector<std::pair<std::filesystem::path, xac::File>>& actors,
                            const std::filesystem::path& motion, const std::vector<std::string>& names) {
    const xac::File* best = nullptr;
    std::size_t most = 0;
    for (const auto& [path, actor] : actors) {
        if (path.parent_path() != motion.parent_path()) continue;
        std::size_t known = 0;
        for (const xac::Node* one : xac::nodes(actor)) known += std::ranges::count(names, one->name) != 0 ? 1u : 0u;
        if (known > most) best = &actor;
        most = std::max(most, known);
    }
    return best;
}

std::vector<std::string> names_in(const xsm::File& file) {
    std::vector<std::string> names;
    for (const xsm::Chunk& chunk : file.chunks) {
        if (const auto* list = std::get_if<xsm::Submotions>(&chunk.record))
            for (const auto& one : list->submotions) names.push_back(one.node_name);
        if (const auto* list = std::get_if<xsm::PackedSubmotions>(&chunk.record))
            for (const auto& one : list->submotions) names.push_back(one.node_name);
    }
    return names;
}

TEST(MotionCorpus, RealMotionsComeBackByteForByte) {
    EFFIGY_NEEDS_CORPUS();
    std::vector<std::pair<std::filesystem::path, xac::File>> actors;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        if (auto actor = xac::read(file->bytes)) actors.emplace_back(file->path, std::move(actor->value));
    }
    int alone = 0, with_actor = 0, motions = 0, matched = 0;
    for (const corpus::File* file : corpus::files_of("XSM ")) {
        ++motions;
        const auto motion = xsm::read(file->bytes);
        ASSERT_TRUE(motion) << file->path;
        const Bytes bytes(file->bytes.begin(), file->bytes.end());
        const bool same = there_and_back(bytes, nullptr) == bytes;
        alone += same ? 1 : 0;
        EXPECT_TRUE(same) << file->path;
        const xac::File* actor = best_actor(actors, file->path, names_in(motion->value));
        if (actor == nullptr) continue;
        ++matched;
        const bool same_on_actor = there_and_back(bytes, actor) == bytes;
        with_actor += same_on_actor ? 1 : 0;
        EXPECT_TRUE(same_on_actor) << file->path;
    }
    std::printf("corpus: %d of %d motions byte-exact alone, %d of %d on an actor\n", alone, motions, with_actor,
                matched);
}

TEST(MotionCorpus, RealMorphMotionsComeBackByteForByte) {
    EFFIGY_NEEDS_CORPUS();
    int exact = 0, all = 0;
    for (const corpus::File* file : corpus::files_of("XPM ")) {
        const Bytes bytes(file->bytes.begin(), file->bytes.end());
        const auto motion = xpm::read(bytes);
        ASSERT_TRUE(motion) << file->path;
        emfx::SceneInput files = input(ActorFile().nodes({node("a")}));
        const xac::File actor = files.actors[0].file;
        files.morph_motions.push_back({{"face", 0, {}}, motion->value});
        auto scene = convert(std::move(files)).value;
        mark_untouched(scene);
        const emfx::NativeFiles back = motions_back(scene, &actor);
        ++all;
        const bool same = back.morph_motions.size() == 1 && bytes_of_motion(back.morph_motions[0].file) == bytes;
        EXPECT_TRUE(same) << file->path;
        exact += same ? 1 : 0;
    }
    std::printf("corpus: %d of %d morph motions byte-exact\n", exact, all);
}

}  // namespace
