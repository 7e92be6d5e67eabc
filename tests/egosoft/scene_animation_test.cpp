/// Animations, compared with what the keys say by formulas of their own.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "effigy/gltf.hpp"

#include "egosoft/scene_builders.hpp"

namespace {

using namespace builders;
using ani::Interpolation;
using Matrix = glm::dmat3;
using Json = nlohmann::json;
constexpr double pi = 3.14159265358979323846;

void expect_writable(const Scene& scene) {
    const auto glb = gltf::write_glb(scene);
    EXPECT_TRUE(glb) << to_string(glb.error());
}

/// One part with one state.
ani::File moving(std::vector<ani::Key> positions, std::vector<ani::Key> rotations = {},
                 std::vector<ani::Key> scales = {}) {
    ani::Animation one = animation("part", "state");
    one.positions.assign(positions.begin(), positions.end());
    one.rotations.assign(rotations.begin(), rotations.end());
    one.scales.assign(scales.begin(), scales.end());
    return animations({one});
}

const Track& only_track(const Scene& scene, TrackPath path) {
    const Track* track = scene.clips.empty() ? nullptr : find(scene.clips.front(), find(scene, "part"), path);
    if (track == nullptr) throw std::runtime_error("no such track");
    return *track;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                 const std::string& where) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance) << where;
}

/// Rotations about the file's axes, written out.
Matrix about_x(double a) { return {1, 0, 0, 0, std::cos(a), std::sin(a), 0, -std::sin(a), std::cos(a)}; }
Matrix about_y(double a) { return {std::cos(a), 0, -std::sin(a), 0, 1, 0, std::sin(a), 0, std::cos(a)}; }
Matrix about_z(double a) { return {std::cos(a), std::sin(a), 0, -std::sin(a), std::cos(a), 0, 0, 0, 1}; }

/// What a key's angles mean, in the scene: mirrored before and after.
Matrix expected_turn(double x, double y, double z) {
    const Matrix mirror(-1, 0, 0, 0, 1, 0, 0, 0, 1);
    return mirror * about_y(y) * about_z(-z) * about_x(-x) * mirror;
}

double turn_error(const std::vector<double>& q, const Matrix& expected) {
    const Matrix difference = glm::mat3_cast(glm::normalize(glm::dquat(q[3], q[0], q[1], q[2]))) - expected;
    double square = 0;
    for (int column = 0; column < 3; ++column) square += glm::dot(difference[column], difference[column]);
    return 2 * std::asin(std::min(1.0, std::sqrt(square / 8)));
}

TEST(EgosoftAnimation, TurnsAboutXThenZThenYWithTheFilesSigns) {
    const Vec3 angles{0.3f, -0.7f, 1.1f};
    const auto loaded = convert(moving({}, {key(0, angles, Interpolation::step)}));
    const Track& track = only_track(loaded.value, TrackPath::rotation);
    EXPECT_LT(turn_error(sample(track, 0), expected_turn(0.3f, -0.7f, 1.1f)), 1e-6);
    // Each other order and sign is far off, so that this says something.
    EXPECT_GT(turn_error(sample(track, 0), expected_turn(-0.3f, -0.7f, 1.1f)), 0.1);
    EXPECT_EQ(track.interpolation, effigy::Interpolation::step);
}

TEST(EgosoftAnimation, FollowsTurnsThatGoRoundSeveralTimes) {
    const double turns = 6 * pi;
    const auto loaded = convert(moving({}, {key(0, {0, 0, 0}), key(2, {0.5f, float(turns), -3})}));
    const Track& track = only_track(loaded.value, TrackPath::rotation);
    double worst = 0;
    for (int i = 0; i <= 5000; ++i) {
        const double u = i / 5000.0;
        worst = std::max(worst, turn_error(sample(track, 2 * u),
                                           expected_turn(0.5 * u, static_cast<double>(float(turns)) * u, -3 * u)));
    }
    EXPECT_LT(worst, 1e-3);
    EXPECT_EQ(loaded.report.count("rotation-sampled"), 1u);
    expect_writable(loaded.value);
}

TEST(EgosoftAnimation, TurnsThatJumpFromFloatToFloatChangeNothingBefore) {
    for (const int floats : {0, 1, 2, 3, 5}) {
        float before = 1;
        for (int i = 0; i < floats; ++i) before = std::nextafter(before, 0.0f);
        const Vec3 turned{1.5f, 1, 0.4f};
        const auto loaded =
            convert(moving({}, {key(0, {0, 0, 0}), key(before, {0, 0, 0}), key(1, turned), key(3, turned)}));
        const Track& track = only_track(loaded.value, TrackPath::rotation);
        EXPECT_LT(turn_error(sample(track, 0.5), expected_turn(0, 0, 0)), 1e-6) << floats;
        EXPECT_LT(turn_error(sample(track, 1), expected_turn(1.5, 1, 0.4f)), 1e-5) << floats;
        EXPECT_LT(turn_error(sample(track, 2), expected_turn(1.5, 1, 0.4f)), 1e-5) << floats;
    }
}

TEST(EgosoftAnimation, AnglesThatStepDoSoAmongOthersThatTurn) {
    ani::Key first = key(0, {1, 0, 0});
    first.interpolation = {Interpolation::step, Interpolation::linear, Interpolation::linear};
    const auto loaded = convert(moving({}, {first, key(1, {2, 1, 0}), key(2, {2, 1, 0})}));
    const Track& track = only_track(loaded.value, TrackPath::rotation);
    EXPECT_LT(turn_error(sample(track, 0.999), expected_turn(1, 0.999, 0)), 1e-3);
    EXPECT_LT(turn_error(sample(track, 1), expected_turn(2, 1, 0)), 1e-5);
    EXPECT_LT(turn_error(sample(track, 1.5), expected_turn(2, 1, 0)), 1e-5);
}

TEST(EgosoftAnimation, KeepsStepsAndLines) {
    const auto steps =
        convert(moving({key(0, {1, 2, 3}, Interpolation::step), key(1, {4, 5, 6}, Interpolation::step)}));
    const Track& step = only_track(steps.value, TrackPath::translation);
    EXPECT_EQ(step.interpolation, effigy::Interpolation::step);
    expect_near(sample(step, 0.99), {-1, 2, 3}, 0, "before the second key");
    expect_near(sample(step, 1), {-4, 5, 6}, 0, "at the second key");

    // What the last key says about itself does not matter.
    const auto lines = convert(moving({key(0, {1, 2, 3}), key(1, {4, 5, 6}, Interpolation::step)}, {},
                                      {key(0, {1, 1, 1}), key(1, {2, 3, 4})}));
    const Track& line = only_track(lines.value, TrackPath::translation);
    EXPECT_EQ(line.interpolation, effigy::Interpolation::linear);
    EXPECT_EQ(line.times.size(), 2u);
    const Track& scale = only_track(lines.value, TrackPath::scale);
    expect_near(sample(scale, 1), {2, 3, 4}, 0, "x of a scale is not negated");
}

/// By halving the control polygon.
double casteljau(double a, double b, double c, double d, double u) {
    const double ab = a + (b - a) * u, bc = b + (c - b) * u, cd = c + (d - c) * u;
    const double abc = ab + (bc - ab) * u, bcd = bc + (cd - bc) * u;
    return abc + (bcd - abc) * u;
}

TEST(EgosoftAnimation, BezierCurvesAreExactBetweenKeys) {
    const std::vector<ani::Key> keys{bezier_key(0.5f, {0, 1, 2}, {3, -1, 5}, {}, 1, 2),
                                     bezier_key(2.5f, {4, 0, -2}, {4, 9, 0}, {6, 1, 1}, 2, 0.5f),
                                     bezier_key(3, {1, 1, 1}, {}, {2, -3, 0}, 0.5f, 1)};
    const auto loaded = convert(moving(keys));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    EXPECT_EQ(track.interpolation, effigy::Interpolation::cubic_spline);
    EXPECT_EQ(track.times.size(), 3u);
    for (int i = 0; i <= 100; ++i) {
        const double u = i / 100.0;
        expect_near(sample(track, 0.5 + 2 * u),
                    {-casteljau(0, 3, 6, 4, u), casteljau(1, -1, 1, 0, u), casteljau(2, 5, 1, -2, u)}, 2e-5, "first");
        expect_near(sample(track, 2.5 + 0.5 * u),
                    {-casteljau(4, 4, 2, 1, u), casteljau(0, 9, -3, 1, u), casteljau(-2, 0, 0, 1, u)}, 2e-5, "second");
    }
    EXPECT_EQ(loaded.report.count("track-sampled"), 0u);
    expect_writable(loaded.value);
}

TEST(EgosoftAnimation, LinesAmongBezierCurvesAreExactToo) {
    ani::Key first = bezier_key(0, {0, 0, 0}, {1, 0, 0}, {}, 1, 1);
    first.interpolation[1] = Interpolation::linear;
    const auto loaded = convert(moving({first, bezier_key(1, {4, 8, 0}, {}, {4, 77, 0}, 1, 1)}));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    EXPECT_EQ(track.interpolation, effigy::Interpolation::cubic_spline);
    for (const double u : {0.1, 0.4, 0.8}) {
        expect_near(sample(track, u), {-casteljau(0, 1, 4, 4, u), 8 * u, 0}, 1e-5, "between");
    }
}

TEST(EgosoftAnimation, HandlesInFramesOfTheirSceneAreRecognised) {
    std::vector<ani::Key> keys{bezier_key(0, {0, 0, 0}, {1, 0, 0}, {}, 1, 1),
                               bezier_key(1, {4, 0, 0}, {}, {2, 0, 0}, 1, 1)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        keys[0].handles[axis][0].time = 110;
        keys[1].handles[axis][1].time = 120;
    }
    const auto loaded = convert(moving(keys));
    EXPECT_EQ(only_track(loaded.value, TrackPath::translation).interpolation, effigy::Interpolation::cubic_spline);
}

/// The height of a curve of two coordinates over a time, by search.
double curve_at(double time, double t1, double t2, double v0, double v1, double v2, double v3) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double u = (low + high) / 2;
        (casteljau(0, t1, t2, 1, u) < time ? low : high) = u;
    }
    return casteljau(v0, v1, v2, v3, low);
}

TEST(EgosoftAnimation, HandlesThatBendTimeAreSampledAndReported) {
    std::vector<ani::Key> keys{bezier_key(0, {0, 0, 0}, {0, 0, 0}, {}, 1, 1),
                               bezier_key(1, {10, 0, 0}, {}, {10, 0, 0}, 1, 1)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        keys[0].handles[axis][0].time = 0.8f;
        keys[1].handles[axis][1].time = 0.9f;
    }
    const auto loaded = convert(moving(keys));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    for (int i = 0; i <= 200; ++i) {
        const double t = i / 200.0;
        EXPECT_NEAR(sample(track, t)[0], -curve_at(t, 0.8f, 0.9f, 0, 0, 10, 10), 0.01) << t;
    }
    EXPECT_EQ(loaded.report.count("handle-time"), 1u);
    EXPECT_EQ(loaded.report.count("track-sampled"), 1u);

    for (ani::Key& one : keys) {
        one.interpolation = {Interpolation::bezier_linear_time, Interpolation::bezier_linear_time,
                             Interpolation::bezier_linear_time};
    }
    const auto straight = convert(moving(keys));
    const Track& cubic = only_track(straight.value, TrackPath::translation);
    EXPECT_EQ(cubic.interpolation, effigy::Interpolation::cubic_spline);
    EXPECT_NEAR(sample(cubic, 0.25)[0], -casteljau(0, 0, 10, 10, 0.25), 1e-5);
}

TEST(EgosoftAnimation, TcbCurvesFollowKochanekAndBartels) {
    std::vector<ani::Key> keys{key(0, {0, 0, 0}, Interpolation::tcb), key(1, {6, 0, 0}, Interpolation::tcb),
                               key(3, {2, 0, 0}, Interpolation::tcb), key(4, {8, 0, 0}, Interpolation::tcb)};
    keys[1].tension = 0.25f;
    keys[1].continuity = 0.5f;
    keys[1].bias = -0.2f;
    keys[2].bias = 0.4f;
    const auto loaded = convert(moving(keys));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    // The second interval: from 6 to 2 in two seconds, between intervals of one second.
    const double leaving = (0.75 * 1.5 * 0.8 / 2 * 6 + 0.75 * 0.5 * 1.2 / 2 * -4) * 2 * 2 / 3;
    const double arriving = (1.4 / 2 * -4 + 0.6 / 2 * 6) * 2 * 2 / 3;
    for (int i = 0; i <= 50; ++i) {
        const double u = i / 50.0;
        const double expected = casteljau(6, 6 + leaving / 3, 2 - arriving / 3, 2, u);
        EXPECT_NEAR(sample(track, 1 + 2 * u)[0], -expected, 1e-4) << u;
    }
    keys[1].ease_out = 0.5f;
    const auto eased = convert(moving(keys));
    EXPECT_EQ(eased.report.count("track-sampled"), 1u);
    const double u = 0.25 * 0.25 / (0.5 * 1.5);  // half of the interval speeds up
    EXPECT_NEAR(sample(only_track(eased.value, TrackPath::translation), 1.5)[0],
                -casteljau(6, 6 + leaving / 3, 2 - arriving / 3, 2, u), 0.02);
}

TEST(EgosoftAnimation, MixturesAreSampledToAStatedError) {
    ani::Key first = bezier_key(0, {0, 0, 5}, {9, 0, 5}, {}, 1, 1);
    first.interpolation[2] = Interpolation::step;
    const auto loaded = convert(moving({first, bezier_key(1, {4, 0, 7}, {}, {-5, 0, 7}, 1, 1)}));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    EXPECT_EQ(track.interpolation, effigy::Interpolation::linear);
    for (int i = 0; i < 200; ++i) {
        const double u = i / 200.0;
        expect_near(sample(track, u), {-casteljau(0, 9, -5, 4, u), 0, 5}, 0.01, "between");
    }
    expect_near(sample(track, 1), {-4, 0, 7}, 0, "at the end");
    EXPECT_EQ(loaded.report.count("track-sampled"), 1u);
    const auto& findings = loaded.report.diagnostics();
    const auto stated = std::find_if(findings.begin(), findings.end(),
                                     [](const Diagnostic& one) { return one.code == "track-sampled"; });
    EXPECT_NE(stated->message.find("error of at most"), std::string::npos);
}

TEST(EgosoftAnimation, PutsTimesInOrder) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto loaded = convert(moving({key(2, {3, 0, 0}), key(1, {1, 0, 0}), key(1, {2, 0, 0}), key(nan, {9, 9, 9})}));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    EXPECT_TRUE(std::is_sorted(track.times.begin(), track.times.end()));
    EXPECT_NEAR(sample(track, 0.999)[0], -1, 1e-6) << "the first of two keys is reached";
    EXPECT_NEAR(sample(track, 1)[0], -2, 1e-6) << "and the second holds from then on";
    for (const char* code : {"key-order", "key-duplicate", "key-time"})
        EXPECT_EQ(loaded.report.count(code), 1u) << code;
    expect_writable(loaded.value);
}

TEST(EgosoftAnimation, StartsAtZeroWhereKeysStartBefore) {
    const auto loaded = convert(moving({key(-2, {0, 0, 0}), key(2, {8, 0, 0})}));
    const Track& track = only_track(loaded.value, TrackPath::translation);
    EXPECT_EQ(track.times.front(), 0);
    expect_near(sample(track, 0), {-4, 0, 0}, 1e-6, "at 0");
    expect_near(sample(track, 1), {-6, 0, 0}, 1e-6, "at 1");
}

TEST(EgosoftAnimation, BakesAtARateByTheFormatsRules) {
    egosoft::SceneOptions options;
    options.resample = 10;
    const auto loaded = convert(
        moving({key(0, {0, 0, 0}, Interpolation::step), key(1, {5, 0, 0})}, {key(0, {0, 0, 0}), key(1, {0, 4, 0})}),
        options);
    const Track& track = only_track(loaded.value, TrackPath::translation);
    ASSERT_EQ(track.times.size(), 11u);
    EXPECT_EQ(track.values[3 * 9], 0);
    EXPECT_EQ(track.values[3 * 10], -5);
    const Track& turns = only_track(loaded.value, TrackPath::rotation);
    EXPECT_LT(turn_error(sample(turns, 0.5), expected_turn(0, 2, 0)), 1e-5);
}

TEST(EgosoftAnimation, BoundsWhatTurnsWithoutEnd) {
    std::vector<ani::Key> keys;
    for (int i = 0; i < 300; ++i) keys.push_back(key(float(i), {float(i % 2) * 4e4f, float(i % 3) * 1e3f, 0}));
    egosoft::SceneInput input;
    input.animations.push_back(motion(moving({}, keys)));
    egosoft::SceneOptions options;
    options.limits.memory = 4'000'000;
    const auto failed = egosoft::to_scene(std::move(input), options);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, "limit-memory");
}

TEST(EgosoftAnimation, MovesThePartsOfAComponentRelativeToTheirConnections) {
    egosoft::Part door = part("door");
    door.offset = egosoft::Offset{};
    door.offset->position = {0, 0, 10};
    auto hinge = connection("hinge", {1, 2, 3}, {door});
    hinge.animations = {{"opened", 0, 60}, {"door_half", 30, 60}};
    egosoft::SceneInput input;
    input.components.push_back(component({hinge}));
    input.meshes.push_back(mesh("door-lod0"));
    ani::Animation opens = animation("Door", "opened", 2);
    const std::vector<ani::Key> keys{key(0, {0, 0, 0}), key(2, {4, 0, 0})};
    opens.positions.assign(keys.begin(), keys.end());
    ani::Animation nobody = animation("nobody", "opened"), still = animation("door", "still");
    nobody.positions = opens.positions;
    input.animations.push_back(motion(animations({opens, nobody, still})));
    const auto loaded = convert(std::move(input));
    const Scene& scene = loaded.value;
    const Index node = find(scene, "door");
    EXPECT_EQ(glm::dvec3(world(scene, node)[3]), glm::dvec3(-1, 2, 13)) << "at rest";
    const Clip* clip = find_clip(scene, "opened");
    ASSERT_NE(clip, nullptr);
    EXPECT_EQ(clip->duration, 2);
    expect_near(sample(*find(*clip, node, TrackPath::translation), 2), {-4, 0, 0}, 0, "relative to both offsets");
    EXPECT_EQ(find_clip(scene, "still"), nullptr);
    EXPECT_EQ(loaded.report.count("animation-empty"), 1u);
    EXPECT_EQ(loaded.report.count("motion-unmatched"), 1u);
    // The part has two states, so that what the range would cut is not known.
    EXPECT_EQ(find_clip(scene, "door_half"), nullptr);
    EXPECT_EQ(loaded.report.count("animation-range"), 1u);
    expect_writable(scene);
}

TEST(EgosoftAnimation, CutsNamedRangesOutOfAnOnlyState) {
    auto hinge = connection("hinge", {}, {part("door")});
    hinge.animations = {{"all", 0, 90}, {"middle", 15, 45}};
    egosoft::SceneInput input;
    input.components.push_back(component({hinge}));
    input.meshes.push_back(mesh("door-lod0"));
    ani::Animation opens = animation("door", "all", 3);
    const std::vector<ani::Key> keys{bezier_key(0, {0, 0, 0}, {5, 0, 0}, {}, 1, 1),
                                     bezier_key(1, {4, 0, 0}, {3, 0, 0}, {6, 0, 0}, 1, 2),
                                     bezier_key(3, {9, 0, 0}, {}, {9, 0, 0}, 2, 1)};
    opens.positions.assign(keys.begin(), keys.end());
    input.animations.push_back(motion(animations({opens})));
    const auto loaded = convert(std::move(input));
    const Clip* clip = find_clip(loaded.value, "middle");
    ASSERT_NE(clip, nullptr);
    EXPECT_EQ(clip->duration, 1);
    const Track& track = *find(*clip, find(loaded.value, "door"), TrackPath::translation);
    EXPECT_EQ(track.interpolation, effigy::Interpolation::cubic_spline);
    for (const double t : {0.0, 0.2, 0.49}) {
        EXPECT_NEAR(sample(track, t)[0], -casteljau(0, 5, 6, 4, 0.5 + t), 1e-5) << t;
    }
    for (const double t : {0.5, 0.8, 1.0}) {
        EXPECT_NEAR(sample(track, t)[0], -casteljau(4, 3, 9, 9, (0.5 + t - 1) / 2), 1e-5) << t;
    }
    expect_writable(loaded.value);
}

TEST(EgosoftAnimation, RangesAreStatesInAnyCase) {
    auto hinge = connection("hinge", {}, {part("door")});
    hinge.animations = {{"loop", 0, 30}};
    egosoft::SceneInput input;
    input.components.push_back(component({hinge}));
    input.meshes.push_back(mesh("door-lod0"));
    ani::Animation loops = animation("door", "LOOP");
    loops.positions = {key(0, {0, 0, 0}), key(1, {0, 1, 0})};
    input.animations.push_back(motion(animations({loops})));
    const auto loaded = convert(std::move(input));
    ASSERT_EQ(loaded.value.clips.size(), 1u);
    EXPECT_EQ(loaded.value.clips[0].name, "LOOP");
}

TEST(EgosoftAnimation, KeepsScalesThatGltfCannotSay) {
    ani::File file = moving({}, {}, {key(0, {1, 0.5f, 1})});
    file.animations[0].pre_scales.assign(1, key(0, {1, 0.5f, 1}));
    file.animations[0].post_scales.assign(1, key(0, {0, 0, 0}));
    EXPECT_EQ(convert(file).report.count("scale-keys-lost"), 0u);
    file.animations[0].pre_scales.assign(1, key(0, {3, 1, 1}));
    const auto loaded = convert(file);
    EXPECT_EQ(loaded.report.count("scale-keys-lost"), 1u);
    EXPECT_TRUE(Json::parse(loaded.value.clips[0].extras.json)["parts"][0].contains("pre_scales"));
}

TEST(EgosoftAnimation, LoneMeshesAreMovedByTheirNames) {
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("part-lod0"));
    input.meshes.push_back(mesh("part-lod1"));
    input.animations.push_back(motion(moving({key(0, {1, 0, 0}), key(1, {2, 0, 0})})));
    const auto loaded = convert(std::move(input));
    const Index node = find(loaded.value, "part");
    EXPECT_EQ(loaded.value.nodes[find(loaded.value, "part-lod0")].parent, node);
    EXPECT_EQ(only_track(loaded.value, TrackPath::translation).node, node);
}

TEST(EgosoftAnimation, TurnsThatNoTrackCanFollowLeaveTheKeys) {
    ani::Animation spun = animation("hull", "idle");
    for (int i = 0; i < 100; ++i) spun.rotations.push_back(key(static_cast<float>(i), {i % 2 == 0 ? 1e30f : 0, 0, 3}));
    const auto loaded = convert(animations({spun}));
    const Clip* clip = find_clip(loaded.value, "idle");
    ASSERT_NE(clip, nullptr);
    ASSERT_EQ(clip->tracks.size(), 1u);
    EXPECT_EQ(clip->tracks[0].times.size(), 100u);
    for (const float value : clip->tracks[0].values) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
