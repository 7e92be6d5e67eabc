/// Clips of scenes that no EMotion FX file has made.

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <random>

#include "builders.hpp"
#include "core/json.hpp"
#include "emfx/file/wavelets.hpp"
#include "motion_back.hpp"

namespace {

using namespace builders;
using ::testing::SizeIs;

Track track(Index node, TrackPath path, Interpolation interpolation, const std::vector<float>& times,
            const std::vector<float>& values) {
    Track result;
    result.node = node;
    result.path = path;
    result.interpolation = interpolation;
    result.times = {times.begin(), times.end()};
    result.values = {values.begin(), values.end()};
    return result;
}

void append(std::vector<float>& values, const Quat& q) { values.insert(values.end(), {q.x, q.y, q.z, q.w}); }

/// hips > spine > head, and hips > leg; the spine is turned at rest.
Scene skeleton() {
    Scene scene;
    for (const char* name : {"hips", "spine", "head", "leg"}) scene.nodes.emplace_back().name = name;
    add_child(scene, 0, 1);
    add_child(scene, 1, 2);
    add_child(scene, 0, 3);
    scene.nodes[0].local.translation = {0, 1, 0.25f};
    scene.nodes[1].local = {{0, 0.5f, 0.125f}, turn({1, 2, 3}, 40), {1, 1, 1}};
    scene.nodes[2].local = {{0.5f, 0.5f, 0}, turn({0, 1, 0}, -70), {1, 1, 1}};
    scene.nodes[3].local.translation = {0.25f, -0.5f, -1};
    return scene;
}

struct Back {
    emfx::NativeFiles files;
    Report report;
    Scene scene;
};

void expect_clean(const Report& report) {
    for (const Diagnostic& one : report.diagnostics()) ADD_FAILURE() << to_string(one);
}

/// The files of a scene, which no check complains about, and what becomes of them.
Back there_and_back(const Scene& scene, const emfx::FromSceneOptions& options = {}) {
    Back back;
    auto files = emfx::from_scene(scene, options);
    EXPECT_TRUE(files) << to_string(files.error());
    if (!files) return back;
    back.files = std::move(files->value);
    back.report = std::move(files->report);
    emfx::SceneInput input;
    input.actors.push_back({{"actor", 0, {}}, back.files.actor});
    for (const auto& [name, file] : back.files.motions) {
        expect_clean(xsm::check(file, &back.files.actor));
        input.motions.push_back({{name, 0, {}}, file, {}});
    }
    for (const auto& [name, file] : back.files.morph_motions) {
        expect_clean(xpm::check(file, &back.files.actor));
        input.morph_motions.push_back({{name, 0, {}}, file});
    }
    back.scene = convert(std::move(input)).value;
    return back;
}

const Clip& clip_named(const Scene& scene, const std::string& name) {
    for (const Clip& clip : scene.clips) {
        if (clip.name == name) return clip;
    }
    ADD_FAILURE() << name;
    static const Clip none;
    return none;
}

bool has(const Report& report, std::string_view code) {
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.code == code) return true;
    }
    return false;
}

/// The largest difference of all named nodes' matrices at moments all over.
double worst(const Scene& before, const Scene& after, const std::string& clip) {
    const Clip& one = clip_named(before, clip);
    const Clip& two = clip_named(after, clip);
    const double end = static_cast<double>(one.duration) * 1.1;
    double most = 0;
    for (Index node = 0; node < before.nodes.size(); ++node) {
        const Index other = find(after, before.nodes[node].name);
        for (int i = 0; i <= 800; ++i) {
            const double time = end * i / 800;
            most = std::max(most, difference(world_at(before, one, node, time), world_at(after, two, other, time)));
        }
    }
    return most;
}

Clip walk() {
    Clip clip;
    clip.name = "walk";
    clip.duration = 2;
    std::vector<float> times, turns, steps;
    for (int i = 0; i <= 60; ++i) {
        const float time = static_cast<float>(i) / 30;
        times.push_back(time);
        append(turns, turn({1, std::sin(time), 0.5f}, 60 * std::sin(3.0 * static_cast<double>(time))));
        steps.insert(steps.end(), {std::sin(time), 1 + 0.1f * time, time});
    }
    clip.tracks.push_back(track(1, TrackPath::rotation, Interpolation::linear, times, turns));
    clip.tracks.push_back(track(0, TrackPath::translation, Interpolation::linear, times, steps));
    return clip;
}

const std::vector<emfx::Target>& targets() {
    using emfx::Target;
    static const std::vector<Target> all{Target::any, Target::victoria2, Target::eu3, Target::tree_of_savior,
                                         Target::x_rebirth};
    return all;
}

TEST(NewMotion, PosesAsTheClipDoesForEachTarget) {
    Scene scene = skeleton();
    scene.clips.push_back(walk());
    for (const emfx::Target target : targets()) {
        const Back back = there_and_back(scene, {.target = target});
        ASSERT_THAT(back.files.motions, SizeIs(1));
        EXPECT_THAT(back.files.morph_motions, SizeIs(0));
        const bool packed = target == emfx::Target::tree_of_savior || target == emfx::Target::x_rebirth;
        EXPECT_EQ(back.files.motions[0].file.chunks.at(1).version, packed ? 2u : 1u);
        EXPECT_LE(worst(scene, back.scene, "walk"), packed ? 3e-4 : 1e-4) << static_cast<int>(target);
        EXPECT_EQ(clip_named(back.scene, "walk").duration, 2);
    }
}

TEST(NewMotion, EachNodeHasASubmotionAndTheFirstKeyIsThePose) {
    Scene scene = skeleton();
    scene.clips.push_back(walk());
    const Back back = there_and_back(scene);
    const auto& list = std::get<xsm::Submotions>(back.files.motions.at(0).file.chunks.at(1).record).submotions;
    ASSERT_THAT(list, SizeIs(4));
    const auto nodes = xac::nodes(back.files.actor);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(list[i].node_name, nodes[i]->name);
        EXPECT_EQ(list[i].bind_pose_position, nodes[i]->position);
        EXPECT_EQ(list[i].bind_pose_rotation, nodes[i]->rotation);
    }
    EXPECT_EQ(list[0].pose_position, list[0].position_keys.at(0).value);
    EXPECT_EQ(list[1].pose_rotation, list[1].rotation_keys.at(0).value);
    EXPECT_THAT(list[3].position_keys, SizeIs(0));
    EXPECT_EQ(list[3].pose_position, nodes[3]->position);
    EXPECT_EQ(list[0].position_keys.size(), 61u);
}

TEST(NewMotion, FollowsSplinesStepsAndLongTurns) {
    Scene scene = skeleton();
    Clip clip;
    clip.name = "mixed";
    clip.duration = 3;
    clip.tracks.push_back(track(0, TrackPath::translation, Interpolation::cubic_spline, {0, 1, 3},
                                {0, 0, 0, 1, 0, 0, 9, 0, 2, 0, 0, 0, 2, 2, 0, 0, -5, 0, 0, 1, 0, 0, 1, 5, 0, 0, 0}));
    clip.tracks.push_back(
        track(3, TrackPath::translation, Interpolation::step, {0, 1.5f, 2}, {0, 0, 0, 1, 1, 1, 0, 2, 0}));
    std::vector<float> turns;
    append(turns, turn({0, 1, 0}, 0));
    append(turns, turn({0, 1, 0}, 170));
    append(turns, turn({1, 1, 0}, 250));
    clip.tracks.push_back(track(1, TrackPath::rotation, Interpolation::linear, {0, 1, 3}, turns));
    scene.clips.push_back(clip);
    const Back back = there_and_back(scene);
    EXPECT_TRUE(has(back.report, "motion-keys-added"));
    EXPECT_LE(worst(scene, back.scene, "mixed"), 3e-3);
}

TEST(NewMotion, KeysStartAtZeroAndTheLoopEndsWithTheClip) {
    Scene scene = skeleton();
    Clip clip;
    clip.name = "late";
    clip.duration = 4;
    clip.tracks.push_back(track(0, TrackPath::translation, Interpolation::linear, {1, 2}, {0, 0, 0, 1, 1, 1}));
    clip.tracks.push_back(track(3, TrackPath::translation, Interpolation::linear, {0.5f}, {0, 3, 0}));
    clip.tracks.push_back(track(2, TrackPath::scale, Interpolation::linear, {0, 1}, {2, 2, 2, 2, 2, 2}));
    scene.clips.push_back(clip);
    const Back back = there_and_back(scene);
    EXPECT_LE(worst(scene, back.scene, "late"), 1e-5);
    EXPECT_EQ(xsm::duration(back.files.motions.at(0).file), 4);
    const auto& list = std::get<xsm::Submotions>(back.files.motions.at(0).file.chunks.at(1).record).submotions;
    EXPECT_THAT(list[3].position_keys, SizeIs(0)) << "one value needs no keys";
    EXPECT_THAT(list[2].scale_keys, SizeIs(0));
}

TEST(NewMotion, ShowsTheLastKeyBeforeTheFirstWhereTheClipDoes) {
    Scene scene = skeleton();
    Clip clip;
    clip.name = "engine";
    clip.duration = 2;
    clip.rules = {RotationRule::nlerp, true};
    clip.tracks.push_back(track(0, TrackPath::translation, Interpolation::linear, {1, 2}, {0, 0, 0, 1, 1, 1}));
    scene.clips.push_back(clip);
    EXPECT_LE(worst(scene, there_and_back(scene).scene, "engine"), 1e-5);
}

TEST(NewMotion, StretchesNodesThatTurnInEitherOrder) {
    Scene scene = skeleton();
    scene.nodes[1].local.scale = {1, 2, 0.5f};
    Clip clip = walk();
    clip.tracks.push_back(track(2, TrackPath::scale, Interpolation::linear, {0, 1, 2}, {1, 1, 1, 1, 3, 1, 1, 1, 2}));
    std::vector<float> turns;
    for (int i = 0; i <= 20; ++i) append(turns, turn({1, 1, 0}, 9 * i));
    std::vector<float> times;
    for (int i = 0; i <= 20; ++i) times.push_back(static_cast<float>(i) / 10);
    clip.tracks.push_back(track(2, TrackPath::rotation, Interpolation::linear, times, turns));
    scene.clips.push_back(clip);
    for (const emfx::Target target : targets()) {
        EXPECT_LE(worst(scene, there_and_back(scene, {.target = target}).scene, "walk"), 4e-3)
            << static_cast<int>(target);
    }
}

/// A node that stands above the roots and is none of the actor changes nothing, moved by a rounding error or not.
TEST(NewMotion, StretchesNodesBelowSeveralRoots) {
    for (const float off : {0.0f, 1e-6f}) {
        std::vector<xac::Node> nodes{node("one"), node("two")};
        nodes[0].scale = {1.25f, 0.5f, 1.75f};
        nodes[0].rotation = turn({1, 2, 3}, 40);
        auto part = submotion("one");
        for (int i = 0; i <= 8; ++i)
            part.rotation_keys.push_back({turn({1, 2, 3}, 40.0 + 5 * i), static_cast<float>(i) / 8});
        part.pose_scale = nodes[0].scale;
        Scene scene = convert(ActorFile(1).nodes(nodes), motion({part}, 1)).value;
        scene.asset_extras = {};
        for (Node& one : scene.nodes) one.extras = {};
        for (Clip& one : scene.clips) one.extras = {};
        const auto top = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = "effigy_root";
        scene.nodes[top].local.translation.x = off;
        for (Index i = 0; i < top; ++i) {
            if (scene.nodes[i].parent == no_index) add_child(scene, top, i);
        }
        ASSERT_EQ(scene.clips.size(), 1u);
        const Back back = there_and_back(scene);
        const Clip& before = scene.clips[0];
        const Clip& after = clip_named(back.scene, before.name);
        for (int i = 0; i <= 16; ++i) {
            const Index one = find(scene, "one"), other = find(back.scene, "one");
            EXPECT_LT(difference(world_at(scene, before, one, i / 16.0), world_at(back.scene, after, other, i / 16.0)),
                      4e-3)
                << off << ' ' << i;
        }
    }
}

TEST(NewMotion, LeavesOutKeysWithinTheError) {
    Scene scene = skeleton();
    scene.clips.push_back(walk());
    const auto size_with = [&](double error) {
        const Back back = there_and_back(scene, {.max_error = error});
        EXPECT_EQ(has(back.report, "motion-keys-left-out"), error > 0);
        // Errors of a node add to those of its parents, farther out by the length of the bones.
        EXPECT_LE(worst(scene, back.scene, "walk"), 2e-4 + 4 * error);
        return bytes_of_motion(back.files.motions.at(0).file).size();
    };
    const std::size_t whole = size_with(0);
    const std::size_t close = size_with(0.001);
    const std::size_t rough = size_with(0.03);
    EXPECT_LT(close, whole);
    EXPECT_LT(rough, close * 2 / 3);
}

TEST(NewMotion, NamesOfClipsAreTheirOwn) {
    Scene scene = skeleton();
    for (const char* name : {"walk", "", "walk", "walk.2", ""}) {
        scene.clips.push_back(walk());
        scene.clips.back().name = name;
    }
    auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    std::vector<std::string> names;
    for (const auto& motion : files->value.motions) names.push_back(motion.name);
    EXPECT_THAT(names, ::testing::ElementsAre("walk", "clip2", "walk.2", "walk.2.2", "clip5"));
}

/// A triangle with targets; the first vertex goes up by 1 with each.
Index add_face(Scene& scene, Index node, const std::vector<std::string>& names) {
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.name = "face";
    mesh.vertex_count = 3;
    const auto add = [&](Semantic semantic, const std::vector<float>& values) {
        Attribute& attribute = mesh.attributes.emplace_back();
        attribute.semantic = semantic;
        attribute.data.element = ElementType::vec3;
        attribute.data.bytes = raw(values);
    };
    add(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    add(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1});
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = 3;
    primitive.indices = {0, 1, 2};
    for (const std::string& name : names) {
        MorphTarget& target = mesh.targets.emplace_back();
        target.name = name;
        target.indices = {0};
        target.positions = {{0, 1, 0}};
    }
    mesh.weights.assign(names.size(), 0.0f);
    scene.nodes[node].mesh = static_cast<Index>(scene.meshes.size() - 1);
    return scene.nodes[node].mesh;
}

Index mesh_node(const Scene& scene, const std::string& name) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].mesh != no_index && scene.nodes[i].name.starts_with(name)) return i;
    }
    ADD_FAILURE() << name;
    return 0;
}

TEST(NewMorphMotion, WeighsAsTheClipDoes) {
    Scene scene = skeleton();
    add_face(scene, 2, {"smile", "blink"});
    add_face(scene, 3, {"curl"});
    Clip clip;
    clip.name = "talk";
    clip.duration = 2;
    clip.tracks.push_back(track(2, TrackPath::weights, Interpolation::linear, {0, 1, 2}, {0, 1, 0.5f, 0.25f, 1, 0}));
    clip.tracks.push_back(track(3, TrackPath::weights, Interpolation::cubic_spline, {0, 1}, {0, 0, 2, -1, 1.5f, 0}));
    scene.clips.push_back(clip);
    const Back back = there_and_back(scene);
    EXPECT_THAT(back.files.motions, SizeIs(0));
    ASSERT_THAT(back.files.morph_motions, SizeIs(1));
    const Clip& after = clip_named(back.scene, "talk");
    EXPECT_EQ(after.duration, 2);
    const Index face = mesh_node(back.scene, "head");
    const Index leg = mesh_node(back.scene, "leg");
    for (int i = 0; i <= 400; ++i) {
        const double time = 2.2 * i / 400;
        // A unit of the range (1.5 is reached), and the error of keys.
        for (const std::size_t target : {0u, 1u}) {
            EXPECT_NEAR(weight_at(scene, clip, 2, target, time), weight_at(back.scene, after, face, target, time),
                        1.0 / 65535);
        }
        EXPECT_NEAR(weight_at(scene, clip, 3, 0, time), weight_at(back.scene, after, leg, 0, time), 2e-4);
    }
}

TEST(NewMorphMotion, OneNameHasOneWeight) {
    Scene scene = skeleton();
    add_face(scene, 2, {"smile", "smile"});
    add_face(scene, 3, {"smile"});
    Clip clip;
    clip.name = "talk";
    clip.duration = 1;
    clip.tracks.push_back(track(2, TrackPath::weights, Interpolation::linear, {0, 1}, {0, 0, 1, 1}));
    clip.tracks.push_back(track(3, TrackPath::weights, Interpolation::linear, {0, 1}, {1, 0}));
    scene.clips.push_back(clip);
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    ASSERT_THAT(files->value.morph_motions, SizeIs(1));
    const xpm::File& file = files->value.morph_motions[0].file;
    expect_clean(xpm::check(file, &files->value.actor));
    const auto& list = std::get<xpm::Submotions>(file.chunks.at(1).record).submotions;
    // Either the names were made different or the difference is reported: nothing is lost in silence.
    EXPECT_TRUE(list.size() > 1 || has(files->report, "motion-weights-differ"));
    EXPECT_EQ(list.at(0).keys.back().value, 65535);
}

/// The clip moves the one and leaves the other, which has the target, too.
TEST(NewMorphMotion, SaysThatStillMeshesMoveByTheSameName) {
    Scene scene = skeleton();
    add_face(scene, 2, {"smile"});
    add_face(scene, 3, {"smile"});
    Clip clip;
    clip.name = "talk";
    clip.duration = 1;
    clip.tracks.push_back(track(2, TrackPath::weights, Interpolation::linear, {0, 1}, {0, 1}));
    scene.clips.push_back(clip);
    EXPECT_TRUE(has(emfx::from_scene(scene)->report, "motion-weights-differ"));
    scene.nodes[3].hidden = true;
    EXPECT_FALSE(has(emfx::from_scene(scene)->report, "motion-weights-differ"));
}

TEST(NewMorphMotion, GoesBesideTheMotionOfNodes) {
    Scene scene = skeleton();
    add_face(scene, 2, {"smile"});
    scene.clips.push_back(walk());
    scene.clips[0].tracks.push_back(track(2, TrackPath::weights, Interpolation::step, {0, 0.5f}, {0, 1}));
    const Back back = there_and_back(scene);
    ASSERT_THAT(back.files.motions, SizeIs(1));
    ASSERT_THAT(back.files.morph_motions, SizeIs(1));
    EXPECT_EQ(back.files.motions[0].name, back.files.morph_motions[0].name);
    EXPECT_EQ(xpm::duration(back.files.morph_motions[0].file), 2) << "both loop together";
}

TEST(EditedMotion, KeepsWhatTheFileSaidAndChangesTheRest) {
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0, {0, 1, 0})});
    xsm::PackedSubmotion part;
    part.node_name = "b";
    part.pose_position = {0, 1, 0};
    part.position_keys = {{{0, 1, 0}, 0}, {{0, 2, 1}, 1}};
    xsm::File file;
    emfx::MotionInfo info;
    info.frames_per_second = 24;
    info.original_file = "walk.ma";
    file.chunks.push_back({201, 2, std::nullopt, info, {}});
    file.chunks.push_back({202, 2, 9999, xsm::PackedSubmotions{{part}}, {}});
    auto scene = convert(actor, file).value;
    mark_untouched(scene);
    scene.clips.at(0).extras.hash = 0;
    scene.clips[0].tracks.at(0).values.back() = -5;
    const Back back = there_and_back(scene);
    const xsm::File& written = back.files.motions.at(0).file;
    ASSERT_THAT(written.chunks, SizeIs(2));
    EXPECT_EQ(std::get<emfx::MotionInfo>(written.chunks[0].record).original_file, "walk.ma");
    EXPECT_EQ(std::get<emfx::MotionInfo>(written.chunks[0].record).frames_per_second, 24u);
    EXPECT_EQ(written.chunks[1].version, 2u);
    EXPECT_FALSE(written.chunks[1].size);
    const auto& list = std::get<xsm::PackedSubmotions>(written.chunks[1].record).submotions;
    ASSERT_THAT(list, SizeIs(2));
    EXPECT_EQ(list[1].position_keys.at(1).value, (Vec3{0, 2, 5}));
}

/// As the exporter writes them, with keys or compressed.
TEST(EditedMotion, HasItsEventsBehindWhatMoves) {
    ActorFile actor;
    actor.nodes({node("a")});
    auto part = submotion("a");
    part.position_keys = {{{0, 1, 0}, 0}, {{0, 2, 1}, 1}};
    xsm::File file = motion({part});
    file.chunks.insert(file.chunks.begin(), {201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    emfx::MotionEvents events;
    events.tracks.emplace_back().name = "steps";
    file.chunks.push_back({50, 4, std::nullopt, events, {}});
    emfx::Timestamp exported;
    exported.year = 2009;
    file.chunks.push_back({51, 1, std::nullopt, exported, {}});
    auto scene = convert(actor, file).value;
    mark_untouched(scene);
    scene.clips.at(0).tracks.at(0).values.back() = -5;
    for (const auto coding : {emfx::MotionCoding::kept, emfx::MotionCoding::compressed}) {
        emfx::FromSceneOptions options;
        options.coding = coding;
        const auto files = emfx::from_scene(scene, options);
        ASSERT_TRUE(files);
        std::vector<std::uint32_t> ids;
        for (const xsm::Chunk& chunk : files->value.motions.at(0).file.chunks) ids.push_back(chunk.id);
        const std::uint32_t moving = coding == emfx::MotionCoding::kept ? 202 : 203;
        EXPECT_THAT(ids, ::testing::ElementsAre(201u, moving, 50u, 51u));
    }
}

/// Tree of Savior plays a motion as long as they say.
TEST(EditedMotion, HasTheTimesBesideItOfItsLength) {
    ActorFile actor;
    actor.nodes({node("a")});
    auto part = submotion("a");
    part.position_keys = {{{0, 1, 0}, 0}, {{0, 2, 1}, 1}};
    emfx::SceneInput files = input(actor);
    files.motions.push_back({{"run", 0, {}}, motion({part}), {{0.6f, 0}, {1.2f, 0}}});
    Scene scene = convert(std::move(files)).value;
    mark_untouched(scene);
    for (const auto target : {emfx::Target::any, emfx::Target::tree_of_savior}) {
        Scene edited = scene;
        Clip& clip = edited.clips.at(0);
        clip.tracks.at(0).values.back() = -5;
        const Back same = there_and_back(edited, {.target = target});
        ASSERT_THAT(same.files.ticks, SizeIs(1));
        EXPECT_THAT(same.files.ticks[0].file, SizeIs(2)) << "slower than its keys, as the game had it";
        EXPECT_FALSE(has(same.report, "motion-ticks"));
        for (float& time : clip.tracks[0].times) time *= 2;
        clip.duration = 2;
        const Back longer = there_and_back(edited, {.target = target});
        ASSERT_THAT(longer.files.ticks, SizeIs(1));
        ASSERT_THAT(longer.files.ticks[0].file, SizeIs(61));
        EXPECT_FLOAT_EQ(longer.files.ticks[0].file.back().time, 61.0f / 30);
        EXPECT_TRUE(has(longer.report, "motion-ticks"));
    }
}

/// Which takes a rotation of its own where an engine scales before it turns, and where the old file has one.
TEST(EditedMotion, FollowsAnUnevenScaleOfTheRest) {
    for (const auto& [order, axes] :
         {std::pair(std::uint8_t{0}, 0.0), std::pair(std::uint8_t{1}, 0.0), std::pair(std::uint8_t{0}, 50.0)}) {
        for (const Vec3& scale : {Vec3{2, 1, 0.5f}, Vec3{-1, 1, 1}}) {
            ActorFile actor(order);
            actor.add(7, 2, xac::Info{});
            xac::Node tilted = node("b", 0, {0, 1, 0});
            tilted.rotation = turn({1, 1, 0}, 40);
            actor.nodes({node("a"), tilted, node("c", 1, {0, 3, 1})});
            auto part = submotion("b");
            part.pose_position = {0, 1, 0};
            part.pose_rotation = tilted.rotation;
            part.pose_scale_rotation = part.bind_pose_scale_rotation = turn({1, 0, 1}, axes);
            auto end = submotion("c");
            end.pose_position = {0, 3, 1};
            end.position_keys = {{{0, 3, 1}, 0}, {{0, 4, 1}, 1}};
            xsm::File file = motion({submotion("a"), part, end}, order);
            file.chunks.insert(file.chunks.begin(), {201, 2, std::nullopt, emfx::MotionInfo{}, {}});
            auto scene = convert(actor, file).value;
            mark_untouched(scene);
            const Index b = find(scene, "b");
            scene.nodes[b].local.scale = scale;
            scene.nodes[b].extras.hash = 0;
            const Back back = there_and_back(scene);
            EXPECT_LE(worst(scene, back.scene, "motion"), 1e-5) << int{order} << ' ' << axes << ' ' << scale.x;
        }
    }
}

TEST(EditedMotion, FollowsARenamedNodeAndAMovedRest) {
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0, {0, 1, 0}), node("c", 0, {0, 3, 0})});
    auto part = submotion("b");
    part.pose_position = {0, 1, 0};
    part.position_keys = {{{0, 1, 0}, 0}, {{0, 2, 1}, 1}};
    auto still = submotion("c");
    still.pose_position = {0, 3, 0};
    xsm::File file = motion({submotion("a"), part, still});
    file.chunks.insert(file.chunks.begin(), {201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    auto scene = convert(actor, file).value;
    mark_untouched(scene);
    const Index c = find(scene, "c");
    scene.nodes[c].local.translation = {0, 4, 0};
    scene.nodes[c].extras.hash = 0;
    {
        const Back back = there_and_back(scene);
        const auto& list = std::get<xsm::Submotions>(back.files.motions.at(0).file.chunks.at(1).record).submotions;
        ASSERT_THAT(list, SizeIs(3));
        EXPECT_EQ(list[2].pose_position, (Vec3{0, 4, 0}));
    }
    const Index b = find(scene, "b");
    scene.nodes[b].name = "arm";
    scene.nodes[b].extras.hash = 0;
    const Back back = there_and_back(scene);
    EXPECT_LE(worst(scene, back.scene, "motion"), 1e-6);
}

/// Those of a file's one list.
template <class List, class File>
auto submotions_in(const File& file) {
    for (const auto& chunk : file.chunks) {
        if (const auto* list = std::get_if<List>(&chunk.record)) return list->submotions;
    }
    return List().submotions;
}

xsm::Submotion moving(const char* name, float start = 0) {
    auto part = submotion(name);
    part.position_keys = {{{0, 1, 0}, start}, {{0, 2, 1}, start + 1}};
    part.rotation_keys = {{turn({0, 1, 0}, 10), start}, {turn({0, 1, 1}, 40), start + 0.5f}};
    return part;
}

/// `a` and `b`, of which the second is moved; the file moves others, too. The clip is edited, or a node renamed.
Scene edited_scene(const xsm::File& file, bool is_renamed = false) {
    Scene scene = convert(ActorFile().nodes({node("a"), node("b", 0, {0, 1, 0})}), file).value;
    if (is_renamed) {
        scene.nodes[find(scene, "b")].name = "arm";
    } else {
        scene.clips.at(0).tracks.at(0).values.back() = -5;
    }
    return scene;
}

/// Actors share motions, and other programs know more kinds of chunks.
TEST(EditedMotion, KeepsTracksOfOtherActorsAndUnknownChunks) {
    xsm::File file = motion({moving("b"), moving("ghost", 0.5f), submotion("still ghost")});
    file.chunks.insert(file.chunks.begin(), {201, 2, std::nullopt, emfx::MotionInfo{}, {}});
    file.chunks.push_back({50, 4, std::nullopt, emfx::Opaque{raw<std::uint8_t>({1, 2, 3})}, {}});
    file.chunks.push_back({222, 1, std::nullopt, emfx::Opaque{raw<std::uint8_t>({4})}, {}});
    file.trailing = raw<std::uint8_t>({7, 8});
    for (const bool is_renamed : {false, true}) {
        const auto files = emfx::from_scene(edited_scene(file, is_renamed));
        ASSERT_TRUE(files);
        EXPECT_FALSE(has(files->report, "motion-track-lost"));
        const xsm::File& written = files->value.motions.at(0).file;
        xsm::File opaque;
        std::ranges::copy_if(written.chunks, std::back_inserter(opaque.chunks), [](const xsm::Chunk& chunk) {
            return std::holds_alternative<emfx::Opaque>(chunk.record);
        });
        xsm::File wanted;
        wanted.chunks = {file.chunks[2], file.chunks[3]};
        EXPECT_EQ(bytes_of_motion(opaque), bytes_of_motion(wanted));
        EXPECT_EQ(written.trailing, file.trailing);
        const auto list = submotions_in<xsm::Submotions>(written);
        ASSERT_THAT(list, SizeIs(4));
        EXPECT_EQ(list[1].node_name, is_renamed ? "arm" : "b");
        EXPECT_EQ(bytes_of_motion(motion({list[2], list[3]})),
                  bytes_of_motion(motion({moving("ghost", 0.5f), submotion("still ghost")})));
    }
}

/// All keys of the one clip at half their times.
void play_twice_as_fast(Scene& scene) {
    for (Track& one : scene.clips.at(0).tracks) {
        for (float& time : one.times) time /= 2;
    }
    scene.clips[0].duration /= 2;
}

/// No clip is shorter than its longest track.
TEST(EditedMotion, CutsTracksOfOtherActorsWhereTheClipIsShorter) {
    for (const bool is_longer : {false, true}) {
        auto ghost = moving("ghost", 0.5f);
        if (is_longer) ghost.position_keys[1].time = 2.5f;
        const float half = is_longer ? 1.0f : 0.5f;
        Scene scene = edited_scene(motion({moving("b"), ghost}));
        const auto same = emfx::from_scene(scene);
        ASSERT_TRUE(same);
        EXPECT_FLOAT_EQ(xsm::duration(same->value.motions.at(0).file), 2 * half);
        play_twice_as_fast(scene);
        const auto files = emfx::from_scene(scene);
        ASSERT_TRUE(files);
        EXPECT_FLOAT_EQ(xsm::duration(files->value.motions.at(0).file), half);
        const auto list = submotions_in<xsm::Submotions>(files->value.motions[0].file);
        ASSERT_THAT(list, SizeIs(3));
        ASSERT_THAT(list[2].position_keys, SizeIs(2));
        EXPECT_EQ(list[2].position_keys[0].time, 0.5f);
        EXPECT_EQ(list[2].position_keys[1].time, 0.5f + half);
        EXPECT_EQ(list[2].position_keys[1].value, (Vec3{0, 1.5f, 0.5f}));
        ASSERT_THAT(list[2].rotation_keys, SizeIs(2)) << "which is as long as that";
        EXPECT_EQ(list[2].rotation_keys[1].time, 1);
    }
    Scene scene = edited_scene(motion({moving("b"), moving("ghost")}));
    play_twice_as_fast(scene);
    play_twice_as_fast(scene);
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    const auto list = submotions_in<xsm::Submotions>(files->value.motions.at(0).file);
    ASSERT_THAT(list, SizeIs(3));
    ASSERT_THAT(list[2].rotation_keys, SizeIs(2));
    EXPECT_EQ(list[2].rotation_keys[1].time, 0.25f);
    const Quat a = turn({0, 1, 0}, 10), b = turn({0, 1, 1}, 40), cut = list[2].rotation_keys[1].value;
    EXPECT_NEAR(cut.y / cut.w, (a.y + b.y) / (a.w + b.w), 1e-5);
    EXPECT_NEAR(cut.z / cut.w, (a.z + b.z) / (a.w + b.w), 1e-5);
    EXPECT_NEAR(cut.x * cut.x + cut.y * cut.y + cut.z * cut.z + cut.w * cut.w, 1, 1e-5);
}

/// Else there would be two accounts of how the clip moves.
TEST(EditedMotion, LeavesOutTracksThatItCannotRead) {
    const emfx::Opaque bytes{raw<std::uint8_t>({1, 2, 3})};
    xsm::File file = motion({moving("b")});
    for (const std::uint32_t id : {200u, 201u, 202u, 203u, 204u})
        file.chunks.push_back({id, 9, std::nullopt, bytes, {}});
    const auto files = emfx::from_scene(edited_scene(file));
    ASSERT_TRUE(files);
    std::vector<std::uint32_t> ids;
    for (const xsm::Chunk& chunk : files->value.motions.at(0).file.chunks) ids.push_back(chunk.id);
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{201, 202, 204}));
    const auto& findings = files->report.diagnostics();
    const auto lost = std::ranges::find(findings, "emfx-chunk-lost", &Diagnostic::code);
    ASSERT_NE(lost, findings.end());
    EXPECT_EQ(lost->found, "4: 200 v9, 201 v9, 202 v9, 203 v9");
}

/// Of a chunk that nobody knows, it is not known how to turn its numbers.
TEST(EditedMotion, KeepsTheByteOrderOfUnknownChunks) {
    for (const bool has_unknown : {false, true}) {
        xsm::File file = motion({moving("b")});
        file.header.endian = 1;
        if (has_unknown) file.chunks.push_back({999, 1, std::nullopt, emfx::Opaque{raw<std::uint8_t>({1, 2})}, {}});
        const auto files = emfx::from_scene(edited_scene(file), {.target = emfx::Target::eu3});
        ASSERT_TRUE(files);
        EXPECT_EQ(files->value.motions.at(0).file.header.big_endian(), has_unknown);
        EXPECT_EQ(has(files->report, "emfx-chunk-version"), has_unknown);
    }
}

/// Rotations in 16 bits, and tracks from 0 on.
TEST(EditedMotion, WritesTracksOfOtherActorsAsTheTargetHasThem) {
    const Scene scene = edited_scene(motion({moving("b"), moving("ghost", 0.5f)}));
    const auto files = [&](emfx::Target target) { return emfx::from_scene(scene, {.target = target}).value().value; };
    const auto for_xrebirth = files(emfx::Target::x_rebirth), for_eu3 = files(emfx::Target::eu3);
    const auto packed = submotions_in<xsm::PackedSubmotions>(for_xrebirth.motions.at(0).file);
    ASSERT_THAT(packed, SizeIs(3));
    const xsm::Submotion before = moving("ghost", 0.5f);
    ASSERT_EQ(packed[2].rotation_keys.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Quat rotation = xsm::decode(packed[2].rotation_keys[i].value);
        EXPECT_NEAR(rotation.y, before.rotation_keys[i].value.y, 1e-4);
        EXPECT_NEAR(rotation.w, before.rotation_keys[i].value.w, 1e-4);
        EXPECT_EQ(packed[2].rotation_keys[i].time, before.rotation_keys[i].time);
    }
    const auto late = submotions_in<xsm::Submotions>(for_eu3.motions.at(0).file);
    ASSERT_THAT(late, SizeIs(3));
    EXPECT_EQ(late[2].position_keys.at(0).time, 0);
    EXPECT_EQ(late[2].position_keys.at(1).time, 1);
}

/// Programs that rewrite glTF drop bulk data.
TEST(EditedMotion, SaysWhichTracksOfOtherActorsAreLost) {
    Scene scene = edited_scene(motion({moving("b"), moving("ghost")}));
    scene.clips[0].extras.bulk.clear();
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    const auto& findings = files->report.diagnostics();
    const auto lost = std::ranges::find(findings, "motion-track-lost", &Diagnostic::code);
    ASSERT_NE(lost, findings.end());
    EXPECT_NE(lost->found.find("ghost"), std::string::npos) << lost->found;
}

/// Moves vertices of node 0.
xac::MorphTarget morph_target(const char* name, const std::vector<std::uint32_t>& vertices) {
    xac::MorphDeformation moved;
    moved.max_value = 1;
    for (const std::uint32_t vertex : vertices) {
        moved.positions.push_back({{65535, 0, 0}});
        moved.normals.push_back({{128, 128, 128}});
        moved.tangents.push_back({{128, 128, 128}});
        moved.vertices.push_back(vertex);
    }
    xac::MorphTarget target;
    target.name = name;
    target.range_max = 1;
    target.deformations.push_back(std::move(moved));
    return target;
}

TEST(EditedMorphMotion, KeepsTracksOfOtherActors) {
    xac::MorphTargets targets;
    targets.targets.push_back(morph_target("smile", {1}));
    emfx::SceneInput input =
        builders::input(ActorFile().nodes({node("face")}).mesh(triangle(0)).add(12, 1, std::move(targets)));
    xpm::Submotion own, other, still;
    own.name = "smile";
    own.keys = {{0, 0, {}}, {1, 65535, {}}};
    other.name = "frown";
    other.keys = {{0.5f, 7, {1, 2}}, {1, 9, {3, 4}}};
    other.pose_weight = 0.25f;
    still.name = "blink";
    input.morph_motions.push_back({{"face", 0, {}}, morph_motion({own, other, still})});
    for (const double resample : {0.0, 30.0}) {
        emfx::SceneOptions options;
        options.resample = resample;
        Scene scene = convert(emfx::SceneInput(input), options).value;
        scene.clips.at(0).tracks.at(0).values.back() = 0.5f;
        const auto files = emfx::from_scene(scene);
        ASSERT_TRUE(files);
        const auto list = submotions_in<xpm::Submotions>(files->value.morph_motions.at(0).file);
        ASSERT_THAT(list, SizeIs(3));
        EXPECT_EQ(list[0].name, "smile");
        EXPECT_EQ(bytes_of_motion(morph_motion({list[1], list[2]})), bytes_of_motion(morph_motion({other, still})));
    }
    Scene scene = convert(std::move(input)).value;
    play_twice_as_fast(scene);
    play_twice_as_fast(scene);
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    const auto list = submotions_in<xpm::Submotions>(files->value.morph_motions.at(0).file);
    ASSERT_THAT(list, SizeIs(3));
    ASSERT_THAT(list[1].keys, SizeIs(2));
    EXPECT_EQ(list[1].keys[1].time, 0.75f);
    EXPECT_EQ(list[1].keys[1].value, 8);
}

/// Chunks that are kept as bytes, as those with vertices in no order are, have names, too; so have unedited motions.
TEST(EditedMorphMotion, FollowsTargetsThatAreRenamed) {
    for (const std::vector<std::uint32_t>& vertices : {std::vector<std::uint32_t>{1, 2}, {2, 1}}) {
        xac::MorphTargets targets;
        for (const char* const name : {"smile", "blink"}) targets.targets.push_back(morph_target(name, vertices));
        targets.targets[0].range_max = 2;
        targets.targets[0].phoneme_sets = 4;
        emfx::SceneInput input =
            builders::input(ActorFile().nodes({node("face")}).mesh(triangle(0)).add(12, 1, targets));
        xpm::Submotion own;
        own.name = "smile";
        own.phoneme_set = 0x800;
        own.keys = {{0, 0, {}}, {1, 65535, {}}};
        input.morph_motions.push_back({{"face", 0, {}}, morph_motion({own})});
        Scene scene = convert(std::move(input)).value;
        scene.meshes.at(0).targets.at(0).name = own.name = "grin";
        for (const bool is_edited : {false, true}) {
            if (is_edited) scene.clips.at(0).tracks.at(0).values.back() = 0.25f;
            const auto files = emfx::from_scene(scene);
            ASSERT_TRUE(files);
            const auto written = submotions_in<xpm::Submotions>(files->value.morph_motions.at(0).file);
            ASSERT_THAT(written, SizeIs(is_edited ? 2u : 1u));
            EXPECT_EQ(written[0].name, "grin");
            EXPECT_EQ(written[0].phoneme_set, 0x800u);
            if (!is_edited) EXPECT_EQ(bytes_of_motion(morph_motion(written)), bytes_of_motion(morph_motion({own})));
            const xac::Chunk& chunk = files->value.actor.chunks.back();
            const auto* const list = std::get_if<xac::MorphTargets>(&chunk.record);
            ASSERT_NE(list, nullptr);
            ASSERT_THAT(list->targets, SizeIs(2));
            EXPECT_EQ(list->targets[0].name, "grin");
            EXPECT_EQ(list->targets[0].range_max, 2);
            EXPECT_EQ(list->targets[0].phoneme_sets, 4u);
            const auto& moved = list->targets[0].deformations.at(0).vertices;
            EXPECT_EQ(std::vector(moved.begin(), moved.end()), vertices);
            EXPECT_EQ(list->targets[1].name, "blink");
        }
    }
}

/// The files of a scene as a scene.
Scene read_again(const emfx::NativeFiles& files) {
    emfx::SceneInput input;
    input.actors.push_back({{"actor", 0, {}}, files.actor});
    for (const auto& [name, file] : files.motions) input.motions.push_back({{name, 0, {}}, file, {}});
    return convert(std::move(input)).value;
}

/// A motion of a node that is stretched where it turns, so that it needs a pair of nodes.
xsm::File stretching() {
    auto part = submotion("hip");
    part.pose_position = part.bind_pose_position = {0, 5, 0};
    part.pose_rotation = part.bind_pose_rotation = turn({1, 1, 0}, 40);
    part.position_keys = {{{0, 5, 0}, 0}, {{0, 7, 0}, 1}};
    part.rotation_keys = {{turn({1, 1, 0}, 40), 0}, {turn({1, 0, 0}, 60), 1}};
    part.scale_keys = {{{1, 1, 1}, 0}, {{1, 3, 1}, 1}};
    return motion({part}, 1);
}

Scene stretched_hip(xsm::File file = stretching()) {
    xac::Node hip = node("hip", 0, {0, 5, 0});
    hip.rotation = turn({1, 1, 0}, 40);
    return convert(ActorFile(1).nodes({node("root"), hip, node("leg", 1, {0, -1, 0})}), std::move(file)).value;
}

TEST(EditedMotion, AloneKeepsItsMultiplicationOrder) {
    emfx::SceneInput input;
    input.motions.push_back({{"run", 0, {}}, stretching(), {}});
    Scene scene = convert(std::move(input)).value;
    scene.clips.at(0).tracks.at(0).values.back() = -5;
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    EXPECT_EQ(files->value.motions.at(0).file.header.multiplication_order, 1);
    EXPECT_LE(worst(scene, read_again(files->value), "run"), 4e-3);
}

std::vector<std::string> names_of_nodes(const xac::File& actor) {
    std::vector<std::string> names;
    for (const xac::Node* one : xac::nodes(actor)) names.push_back(one->name);
    return names;
}

/// The records say who they are.
TEST(EditedMotion, KeepsPairsOfWhichOneNodeIsRenamed) {
    for (const bool is_upper : {false, true}) {
        Scene scene = stretched_hip();
        scene.nodes[find(scene, is_upper ? "hip.scale" : "hip")].name = "pelvis";
        const auto files = emfx::from_scene(scene);
        ASSERT_TRUE(files);
        EXPECT_THAT(names_of_nodes(files->value.actor),
                    ::testing::ElementsAre("root", is_upper ? "hip" : "pelvis", "leg"));
        EXPECT_EQ(xac::nodes(files->value.actor).at(1)->position, (Vec3{0, 5, 0}));
    }
}

/// What the upper one says is not true of the lower one alone.
TEST(EditedMotion, MovesNodesOnceWherePairsAreTornApart) {
    Scene scene = stretched_hip();
    scene.nodes[find(scene, "hip.scale")].extras = {};
    scene.nodes[find(scene, "hip")].name = "pelvis";
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    EXPECT_THAT(names_of_nodes(files->value.actor),
                ::testing::UnorderedElementsAre("root", "hip.scale", "pelvis", "leg"));
    EXPECT_LE(worst(scene, read_again(files->value), "motion"), 4e-3);
}

/// Also by what is only a pose in the file.
TEST(EditedMotion, MovesBothNodesOfPairsThatAreTornApart) {
    xsm::File file = stretching();
    xsm::Submotion& part = std::get<xsm::Submotions>(file.chunks.at(0).record).submotions.at(0);
    part.position_keys.clear();
    part.scale_keys.clear();
    part.pose_position = {0, 7, 0};
    part.pose_scale = {1, 3, 1};
    Scene scene = stretched_hip(std::move(file));
    scene.nodes[find(scene, "hip")].local.translation = {0, 0, 1};
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files);
    EXPECT_LE(worst(scene, read_again(files->value), "motion"), 4e-3);
}

/// root > left, right
ActorFile arms() { return ActorFile().nodes({node("root"), node("left", 0, {1, 5, 0}), node("right", 0, {-1, 5, 0})}); }

/// Exchanges the names of the two arms, or what moves them: the hash of a clip covers neither.
void exchange_arms(Scene& scene, bool by_name) {
    const Index left = find(scene, "left"), right = find(scene, "right");
    if (by_name) return std::swap(scene.nodes[left].name, scene.nodes[right].name);
    for (Track& one : scene.clips.at(0).tracks) {
        if (one.node == left || one.node == right) one.node = left + right - one.node;
    }
}

TEST(EditedMotion, FollowsExchangedNodesThatOnlyHaveAPose) {
    auto root = submotion("root"), left = submotion("left");
    root.position_keys = {{{0, 0, 0}, 0}, {{0, 1, 0}, 1}};
    left.pose_position = {1, 9, 0};
    for (const bool by_name : {false, true}) {
        Scene scene = convert(arms(), motion({left, root})).value;
        exchange_arms(scene, by_name);
        const auto files = emfx::from_scene(scene);
        ASSERT_TRUE(files);
        EXPECT_LE(worst(scene, read_again(files->value), "motion"), 1e-5) << by_name;
    }
}

TEST(EditedMotion, FollowsExchangedNodesOfCompressedMotions) {
    auto left = submotion("left"), right = submotion("right");
    left.position_keys = {{{1, 5, 0}, 0}, {{4, 5, 0}, 1}};
    right.position_keys = {{{-1, 5, 0}, 0}, {{-1, 9, 0}, 1}};
    emfx::FromSceneOptions options;
    options.coding = emfx::MotionCoding::compressed;
    const auto packed = emfx::from_scene(convert(arms(), motion({left, right})).value, options);
    ASSERT_TRUE(packed);
    const xsm::File& file = packed->value.motions.at(0).file;
    ASSERT_TRUE(xsm::has_wavelets(file));
    const Scene before = convert(arms(), file).value;
    EXPECT_EQ(bytes_of_motion(emfx::from_scene(before).value().value.motions.at(0).file), bytes_of_motion(file));
    for (const bool by_name : {false, true}) {
        Scene scene = before;
        exchange_arms(scene, by_name);
        const auto files = emfx::from_scene(scene);
        ASSERT_TRUE(files);
        EXPECT_LE(worst(scene, read_again(files->value), "motion"), 1e-3) << by_name;
    }
}

TEST(EditedMotion, TracksOfOtherNodesAreReported) {
    Scene scene = skeleton();
    Clip clip = walk();
    clip.tracks.push_back(track(7, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1}));
    scene.clips.push_back(clip);
    Report report;
    scene.clips[0].tracks.back().node = 700;
    const auto files = motions_back(scene, nullptr, {}, &report);
    EXPECT_THAT(files.motions, SizeIs(1)) << "a track of no node is none";
    EXPECT_FALSE(report.has_errors());
}

/// Texts that stand for records, with everything wrong that a text can have.
TEST(HostileMotionExtras, AreSafeAndGiveFilesThatCanBeRead) {
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0, {0, 1, 0})});
    auto part = submotion("b");
    part.position_keys = {{{0, 1, 0}, 0}, {{0, 2, 1}, 1}};
    part.rotation_keys = {{turn({0, 1, 0}, 10), 0.5f}, {turn({0, 1, 0}, 20), 0.5f}};
    auto nobody = part;
    nobody.node_name = "nobody";
    Scene scene = convert(actor, motion({part, nobody})).value;
    mark_untouched(scene);
    const std::string honest = scene.clips.at(0).extras.json;
    std::mt19937 random(3);
    const std::vector<std::string> pieces{"-1",        "4294967295", "18446744073709551615",
                                          "1e300",     "null",       "[]",
                                          "{}",        "\"\"",       "\"AAAA\"",
                                          "[[[[1]]]]", "true",       "0",
                                          "202"};
    int written = 0;
    for (int round = 0; round < 1500; ++round) {
        std::string text = honest;
        for (int edit = 0; edit <= round % 3; ++edit) {
            // A value, from one colon to the next comma or bracket.
            const std::size_t colon = text.find(':', random() % text.size());
            if (colon == std::string::npos) continue;
            const std::size_t end = text.find_first_of(",}]", colon);
            text.replace(colon + 1, end - colon - 1, pieces[random() % pieces.size()]);
        }
        if (round % 7 == 0) text.resize(random() % text.size());
        scene.clips[0].extras.json = text;
        const emfx::NativeFiles files = motions_back(scene, &actor.file);
        for (const auto& one : files.motions) {
            const auto bytes = xsm::write(one.file);
            if (!bytes) continue;
            ++written;
            EXPECT_LT(bytes->size(), 100000u);
            EXPECT_TRUE(xsm::read(*bytes)) << text;
        }
    }
    EXPECT_GT(written, 1000);
}

TEST(NewMotion, KeysWithoutOrderAreLeftOutAndCounted) {
    Scene scene = skeleton();
    Clip clip;
    clip.name = "walk";
    clip.duration = 2;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    clip.tracks.push_back(track(0, TrackPath::translation, Interpolation::linear, {0, 1, 0.5f, nan, 2},
                                {0, 0, 0, 1, nan, 0, 5, 5, 5, 6, 6, 6, 2, 0, 0}));
    scene.clips.push_back(clip);
    const Back back = there_and_back(scene);
    ASSERT_TRUE(has(back.report, "key-left-out"));
    ASSERT_TRUE(has(back.report, "emfx-not-finite"));
    for (const Diagnostic& one : back.report.diagnostics()) {
        if (one.code == "key-left-out") EXPECT_EQ(one.found, "2 keys");
        if (one.code == "emfx-not-finite") EXPECT_EQ(one.found, "1 numbers");
    }
}

}  // namespace
