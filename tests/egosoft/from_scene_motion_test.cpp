/// Clips as ANI: what nobody edited comes back to the byte, all else shows the same poses.

#include <glm/gtc/quaternion.hpp>
#include <iostream>
#include <limits>

#include "effigy/ani.hpp"

#include "egosoft/from_scene_files.hpp"
#include "egosoft/raw_ani.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"

namespace {

using namespace effigy;
using namespace builders;
using egosoft::FromSceneOptions;

Loaded<ani::File> made_motion(const Scene& scene, const FromSceneOptions& options = {}) {
    auto made = egosoft::animation_from_scene(scene, options);
    EXPECT_TRUE(made) << to_string(made.error());
    if (!made) return {};
    const Report findings = ani::check(made->value);
    for (const Diagnostic& one : findings.diagnostics()) ADD_FAILURE() << to_string(one);
    const auto bytes = ani::write(made->value);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    if (!bytes) return std::move(*made);
    const auto again = ani::read(*bytes);
    EXPECT_TRUE(again && again->report.empty());
    return std::move(*made);
}

glm::dmat4 local_at(const Scene& scene, const Clip* clip, Index node, double time) {
    const Transform& rest = scene.nodes[node].local;
    glm::dvec3 t = wide_of(rest.translation), s = wide_of(rest.scale);
    glm::dquat r(rest.rotation.w, rest.rotation.x, rest.rotation.y, rest.rotation.z);
    const auto values = [&](TrackPath path) {
        const Track* const track = clip == nullptr ? nullptr : find(*clip, node, path);
        return track == nullptr ? std::vector<double>() : sample(*track, time);
    };
    if (const auto v = values(TrackPath::translation); !v.empty()) t = {v[0], v[1], v[2]};
    if (const auto v = values(TrackPath::rotation); !v.empty()) r = glm::dquat(v[3], v[0], v[1], v[2]);
    if (const auto v = values(TrackPath::scale); !v.empty()) s = {v[0], v[1], v[2]};
    glm::dmat4 matrix = glm::mat4_cast(glm::normalize(r));
    for (int axis = 0; axis < 3; ++axis) matrix[axis] *= s[axis];
    matrix[3] = glm::dvec4(t, 1);
    return matrix;
}

/// The node's rest, as a component's connection has it: without scale.
glm::dmat4 place_of(const Node& node) {
    const Quat& q = node.local.rotation;
    glm::dmat4 matrix = glm::mat4_cast(glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)));
    matrix[3] = glm::dvec4(wide_of(node.local.translation), 1);
    return matrix;
}

struct PoseDistances {
    double position = 0, direction = 0;
    std::size_t poses = 0;
};

/// Each node that clips move, at many times: in the scene, and as the file moves the part in the place of its rest.
PoseDistances compare_poses(const Scene& scene, const Scene& again, double start = 0) {
    PoseDistances most;
    for (const Clip& clip : scene.clips) {
        const Clip* const other = find_clip(again, clip.name);
        for (Index node = 0; node < scene.nodes.size(); ++node) {
            const bool moves = std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
                return track.node == node && track.path != TrackPath::weights;
            });
            if (!moves) continue;
            EXPECT_NE(other, nullptr) << clip.name;
            if (other == nullptr) break;
            const Index part = find(again, scene.nodes[node].name);
            const Vec3& s = scene.nodes[node].local.scale;
            const glm::dmat4 size(glm::dvec4(s.x, 0, 0, 0), glm::dvec4(0, s.y, 0, 0), glm::dvec4(0, 0, s.z, 0),
                                  glm::dvec4(0, 0, 0, 1));
            for (int step = 0; step <= 200; ++step) {
                const double time = start + (static_cast<double>(clip.duration) - start) * step / 200;
                const glm::dmat4 wanted = local_at(scene, &clip, node, time);
                const glm::dmat4 got = place_of(scene.nodes[node]) * local_at(again, other, part, time) * size;
                most.position = std::max(most.position, glm::length(glm::dvec3(wanted[3] - got[3])));
                for (int axis = 0; axis < 3; ++axis) {
                    const double length = std::max(glm::length(glm::dvec3(wanted[axis])), 1e-9);
                    most.direction =
                        std::max(most.direction, glm::length(glm::dvec3(wanted[axis] - got[axis])) / length);
                }
                ++most.poses;
            }
        }
    }
    return most;
}

Track& add_track(Scene& scene, std::size_t clip, Index node, TrackPath path, Interpolation way,
                 const std::vector<float>& times, const std::vector<float>& values) {
    Track& track = scene.clips[clip].tracks.emplace_back();
    track.node = node;
    track.path = path;
    track.interpolation = way;
    track.times.assign(times.begin(), times.end());
    track.values.assign(values.begin(), values.end());
    scene.clips[clip].duration = std::max(scene.clips[clip].duration, times.back());
    return track;
}

/// A node that is turned, moved and stretched at rest.
Scene gate() {
    Scene scene;
    Node& node = scene.nodes.emplace_back();
    node.name = "gate";
    node.local.translation = {1, 2, 3};
    node.local.rotation = {0.5f, -0.5f, 0.5f, 0.5f};
    node.local.scale = {2, 2, 2};
    scene.clips.emplace_back().name = "doors_opening";
    return scene;
}

TEST(EgosoftMotionBack, UntouchedFixturesAreTheSameToTheByte) {
    std::size_t same = 0;
    for (const auto& fixture : effigy::test::all_animations()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = write_raw(fixture.file);
        auto file = ani::read(bytes);
        ASSERT_TRUE(file);
        egosoft::SceneInput input;
        input.animations.push_back(motion(std::move(file->value)));
        auto loaded = egosoft::to_scene(std::move(input));
        if (!loaded) continue;
        leave_untouched(loaded->value);
        const auto made = egosoft::animation_from_scene(loaded->value);
        ASSERT_TRUE(made) << to_string(made.error());
        const auto written = ani::write(made->value);
        ASSERT_TRUE(written);
        // Gaps and trailing bytes stay; what contradicts itself is made anew.
        const bool is_damaged = fixture.code == "ani-key-offset" || fixture.code == "ani-keys-missing";
        EXPECT_EQ(*written == bytes, !is_damaged);
        if (is_damaged) {
            EXPECT_TRUE(ani::check(made->value).empty());
        }
        same += *written == bytes ? 1u : 0u;
    }
    EXPECT_GE(same, 3u);
}

/// Nothing else of the file is in the scene then.
TEST(EgosoftMotionBack, GapsStayWhereAllStatesAreClips) {
    effigy::test::RawAnimations raw = effigy::test::landing_gear();
    raw.animations.resize(1);
    raw.gap = Bytes(7, std::byte{0xab});
    raw.trailing = Bytes(130, std::byte{0xcd});
    const Bytes bytes = write_raw(raw);
    egosoft::SceneInput input;
    input.animations.push_back(motion(ani::read(bytes).value().value));
    Scene scene = builders::convert(std::move(input)).value;
    leave_untouched(scene);
    const auto made = egosoft::animation_from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(ani::write(made->value).value(), bytes);
}

/// As it comes back through a scene that nobody edited.
Loaded<ani::File> back(const effigy::test::RawAnimations& raw) {
    egosoft::SceneInput input;
    input.animations.push_back(motion(ani::read(write_raw(raw)).value().value));
    Scene scene = builders::convert(std::move(input)).value;
    leave_untouched(scene);
    auto made = egosoft::animation_from_scene(scene);
    EXPECT_TRUE(made) << to_string(made.error());
    return made ? std::move(*made) : Loaded<ani::File>();
}

TEST(EgosoftMotionBack, PartsWhoseNamesAreNotAsciiKeepTheirKeys) {
    effigy::test::RawAnimations raw = effigy::test::landing_gear();
    for (effigy::test::RawAnimation& one : raw.animations) one.part += "_\xe4";
    EXPECT_EQ(ani::write(back(raw).value).value(), write_raw(raw));
}

TEST(EgosoftMotionBack, KeysOfDamagedFilesAreMadeAnewAloud) {
    effigy::test::RawAnimations raw = effigy::test::landing_gear();
    EXPECT_EQ(back(raw).report.count("ani-made-anew"), 0U);
    raw.animations.front().tracks[0] = {{0.5F, 1, 0, 0, 2}, {0, 0, 0, 0, 2}};
    EXPECT_EQ(back(raw).report.count("ani-made-anew"), 1U);
    raw.animations.front().tracks[0] = {{0, 0, 0, 0, 2}, {0.5F, std::numeric_limits<float>::quiet_NaN(), 0, 0, 2}};
    EXPECT_EQ(back(raw).report.count("ani-made-anew"), 1U);
}

TEST(EgosoftMotionBack, OnlyDamagedKeysOfAFileAreMadeAnew) {
    effigy::test::RawAnimations raw = effigy::test::landing_gear();
    raw.animations[1] = raw.animations[0];
    raw.animations[1].part = "anim_door";
    raw.animations[0].tracks[0] = {{0, 0, 0, 0, 2}, {0.5F, std::numeric_limits<float>::quiet_NaN(), 0, 0, 2}};
    const Loaded<ani::File> made = back(raw);
    EXPECT_EQ(made.report.count("ani-made-anew"), 1U);
    EXPECT_FALSE(ani::check(made.value).has_errors());
    ASSERT_EQ(made.value.animations.size(), 2U);
    const ani::Animation& door = made.value.animations.front();
    EXPECT_EQ(ani::part_of(door), "anim_door");
    ani::File alone;
    alone.animations.push_back(door);
    alone.header.key_offset = 16 + 160;
    raw.animations.erase(raw.animations.begin());
    EXPECT_EQ(ani::write(alone).value(), write_raw(raw)) << "its keys are what they were";
}

TEST(EgosoftMotionBack, EditedAnimationsShowTheSamePoses) {
    const auto loaded = [] {
        egosoft::SceneInput input;
        input.animations.push_back(motion(ani::read(write_raw(effigy::test::landing_gear()))->value));
        return convert(std::move(input)).value;
    };
    Scene scene = loaded();
    for (Clip& clip : scene.clips) clip.extras.hash = 0;
    const PoseDistances most = compare_poses(scene, convert(made_motion(scene).value).value);
    std::cout << most.poses << " poses: " << most.position << " m, " << most.direction << "\n";
    EXPECT_GT(most.poses, 0u);
    EXPECT_LT(most.position, 1e-3);
    EXPECT_LT(most.direction, 2e-3);
}

TEST(EgosoftMotionMade, KeysAreRelativeToTheNodesRest) {
    Scene scene = gate();
    add_track(scene, 0, 0, TrackPath::translation, Interpolation::linear, {0, 1, 2}, {1, 2, 3, 1, 5, 3, 4, 5, 3});
    add_track(scene, 0, 0, TrackPath::scale, Interpolation::linear, {0, 2}, {2, 2, 2, 4, 2, 1});
    const auto made = made_motion(scene);
    ASSERT_EQ(made.value.animations.size(), 1u);
    const ani::Animation& animation = made.value.animations[0];
    EXPECT_EQ(ani::part_of(animation), "gate");
    EXPECT_EQ(ani::state_of(animation), "doors_opening");
    EXPECT_EQ(animation.duration, 2);
    EXPECT_EQ(animation.positions[0].value, Vec3{});
    EXPECT_EQ(animation.scales[1].value, (Vec3{2, 1, 0.5f}));
    const PoseDistances most = compare_poses(scene, convert(made.value).value);
    EXPECT_LT(most.position, 1e-5);
    EXPECT_LT(most.direction, 1e-5);
}

TEST(EgosoftMotionMade, SplinesAreHandlesAtThirds) {
    Scene scene = gate();
    add_track(scene, 0, 0, TrackPath::translation, Interpolation::cubic_spline, {0, 0.5f, 2},
              {0, 0, 0, 1, 2, 3, 3, -1, 0, 4, 4, 4, 0, 1, 0, -2, 0, 1, 1, 1, 1, 5, 5, 5, 0, 0, 0});
    const auto made = made_motion(scene);
    for (const ani::Key& key : made.value.animations.at(0).positions)
        EXPECT_EQ(key.interpolation[0], ani::Interpolation::bezier);
    EXPECT_LT(compare_poses(scene, convert(made.value).value).position, 1e-5);
}

TEST(EgosoftMotionMade, StepsStayStepsAndRotationsStayWithinTheStatedError) {
    Scene steps = gate();
    add_track(steps, 0, 0, TrackPath::translation, Interpolation::step, {0, 1, 2}, {0, 0, 0, 1, 1, 1, 2, 2, 2});
    add_track(steps, 0, 0, TrackPath::rotation, Interpolation::step, {0, 1.5f}, {0, 0, 0, 1, 0.6f, 0, 0, 0.8f});
    EXPECT_LT(compare_poses(steps, convert(made_motion(steps).value).value).direction, 1e-5);

    for (const double max_error : {0.0, 0.002, 0.02}) {
        Scene scene = gate();
        std::vector<float> times, values;
        for (int i = 0; i <= 40; ++i) {
            times.push_back(0.05f * static_cast<float>(i));
            const glm::dquat q = glm::angleAxis(2.5 * std::sin(0.3 * i), glm::normalize(glm::dvec3(1, 0.2 * i, -1)));
            for (const double part : {q.x, q.y, q.z, q.w}) values.push_back(static_cast<float>(part));
        }
        add_track(scene, 0, 0, TrackPath::rotation, Interpolation::linear, times, values);
        FromSceneOptions options;
        options.max_error = max_error;
        const auto made = made_motion(scene, options);
        EXPECT_EQ(made.report.count("ani-rotation-angles"), 1u);
        const PoseDistances most = compare_poses(scene, convert(made.value).value);
        std::cout << made.value.animations.at(0).rotations.size() << " keys for an error of " << max_error << ": "
                  << most.direction << "\n";
        // The way from angles to quaternions has an error of its own.
        EXPECT_LT(most.direction, std::max(max_error, 5e-4) + 1e-3);
    }
}

TEST(EgosoftMotionMade, RotationsMayJumpFromFloatToFloat) {
    for (const int floats : {1, 2, 3, 5}) {
        SCOPED_TRACE(floats);
        float before = 1;
        for (int i = 0; i < floats; ++i) before = std::nextafter(before, 0.0f);
        Scene scene = gate();
        scene.nodes[0].local = {};
        add_track(scene, 0, 0, TrackPath::rotation, Interpolation::linear, {0, before, 1, 3},
                  {0, 0, 0, 1, 0, 0, 0, 1, 0.5f, 0.5f, -0.1f, 0.7f, 0.5f, 0.5f, -0.1f, 0.7f});
        const auto made = made_motion(scene);
        const auto& keys = made.value.animations.at(0).rotations;
        ASSERT_GE(keys.size(), 4u);
        EXPECT_EQ(keys[keys.size() - 2].time, 1);
        EXPECT_EQ(keys[keys.size() - 2].value, keys.back().value);
        EXPECT_LT(compare_poses(scene, convert(made.value).value).direction, 2e-3);
        for (const Diagnostic& one : made.report.diagnostics())
            EXPECT_NE(one.message.find("at most 0.000"), std::string::npos) << one.message;
    }
}

TEST(EgosoftMotionMade, KeysThatOthersGiveAreLeftOut) {
    Scene scene = gate();
    std::vector<float> times, values;
    for (int i = 0; i <= 100; ++i) {
        times.push_back(0.1f * static_cast<float>(i));
        values.insert(values.end(), {0, std::sin(0.1f * static_cast<float>(i)), 0});
    }
    add_track(scene, 0, 0, TrackPath::translation, Interpolation::linear, times, values);
    EXPECT_EQ(made_motion(scene).value.animations.at(0).positions.size(), 101u);
    FromSceneOptions options;
    options.max_error = 0.01;
    const auto made = made_motion(scene, options);
    EXPECT_LT(made.value.animations.at(0).positions.size(), 40u);
    EXPECT_LE(compare_poses(scene, convert(made.value).value).position, 0.01 + 1e-6);
}

TEST(EgosoftMotionMade, ModelsOfOtherToolsMoveTheSame) {
    for (const char* name : {"fox", "cesium_man", "rigged_figure", "box_animated", "interpolation"}) {
        SCOPED_TRACE(name);
        const Scene scene = gltf_test::read_text(gltf_test::gltf_model(name));
        const auto made = made_motion(scene);
        const PoseDistances most = compare_poses(scene, convert(made.value).value);
        std::cout << name << ": " << most.poses << " poses, " << most.position << ", " << most.direction << "\n";
        EXPECT_GT(most.poses, 0u);
        EXPECT_LT(most.position, 1e-4);
        EXPECT_LT(most.direction, 2e-3);
    }
}

TEST(EgosoftMotionMade, SaysWhatIsLost) {
    Scene scene = gate();
    scene.nodes.emplace_back();
    const std::string long_name(100, 'n');
    scene.nodes.emplace_back().name = long_name;
    for (const Index node : {0u, 1u, 2u})
        add_track(scene, 0, node, TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1});
    scene.nodes[0].mesh = static_cast<Index>(scene.meshes.size());
    scene.meshes.emplace_back().targets.emplace_back();
    add_track(scene, 0, 0, TrackPath::weights, Interpolation::linear, {0, 1}, {0, 1});
    scene.clips.push_back(scene.clips[0]);
    const auto made = made_motion(scene);
    EXPECT_EQ(made.value.animations.size(), 2u);
    for (const char* code : {"ani-weights-lost", "ani-part-missing", "ani-name-cut", "ani-state-repeated"})
        EXPECT_EQ(made.report.count(code), 1u) << code;
    EXPECT_EQ(ani::part_of(made.value.animations[1]).size(), 63u);
}

TEST(EgosoftMotionMade, NumbersThatAreNoneAreRepaired) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Scene scene = gate();
    add_track(scene, 0, 0, TrackPath::translation, Interpolation::linear, {0, 1, nan, 3},
              {nan, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
    add_track(scene, 0, 0, TrackPath::rotation, Interpolation::linear, {0, 1}, {nan, 0, 0, 1, 0, 0, 0, 0});
    scene.clips[0].duration = nan;
    const auto made = made_motion(scene);
    EXPECT_EQ(made.report.count("ani-number-repaired"), 1u);
    EXPECT_EQ(made.report.count("key-left-out"), 1u);
    EXPECT_EQ(made.value.animations.at(0).positions.size(), 2u);
    // A track of the wrong length is no scene.
    add_track(scene, 0, 0, TrackPath::scale, Interpolation::cubic_spline, {0, 1}, {nan, 0, 0, 1, 1});
    const auto broken = egosoft::animation_from_scene(scene);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, "scene-invalid");
}

TEST(EgosoftMotionMade, NothingThatMovesIsRefused) {
    const auto made = egosoft::animation_from_scene(Scene());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "nothing-to-show");
}

}  // namespace
