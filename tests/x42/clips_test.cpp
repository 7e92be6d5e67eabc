/// Clips of X42 models: what is played must be what the key stream says.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/playback.hpp"
#include "effigy/x42.hpp"

#include "contents.hpp"
#include "core/json.hpp"
#include "x42/player/tracks.hpp"
#include "x42/to_scene/clip_tracks.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42 {
namespace {

using bridge::Build;
using bridge::Model;

constexpr const char* reference_files[] = {"le_full", "be_full", "le_uniform", "le_nonorm", "le_notc"};

File reference(const std::string& name) {
    auto loaded = read_file(std::string(EFFIGY_SOURCE_DIR "/tests/x42/reference/") + name + ".x42");
    EXPECT_TRUE(loaded.has_value()) << name;
    return loaded ? std::move(loaded->value) : File{};
}

struct KeyFrame {
    std::uint16_t frame;
    std::uint16_t value;
};

/// A model put together by hand: codes of positions are their values, those of scales thousandths.
struct Fixture {
    File file;

    explicit Fixture(std::uint16_t frames, std::size_t bones = 1) {
        file.header.model_flags = uniform_scale;
        file.header.frame_count = frames;
        file.pack.animation_positions = {Range{0, 65530}, Range{0, 65530}, Range{0, 65530}};
        file.pack.animation_scales = {0, 65.53f};
        file.strings.push_back('\0');
        for (std::size_t i = 0; i < bones; ++i) file.bones.push_back({});
    }
    std::uint16_t name(std::string_view text) {
        const auto place = static_cast<std::uint16_t>(file.strings.size());
        file.strings.insert(file.strings.end(), text.begin(), text.end());
        file.strings.push_back('\0');
        return place;
    }
    void positions(std::initializer_list<std::uint16_t> codes) {
        for (const std::uint16_t code : codes) file.positions.push_back({code, 0, 0});
    }
    /// About z.
    void rotations(std::initializer_list<double> degrees) {
        for (const double angle : degrees) {
            const double half = angle * 3.14159265358979 / 360;
            const auto packed = [](double value) { return static_cast<std::int16_t>(std::lround(value * 32767)); };
            file.rotations.push_back({0, 0, packed(std::sin(half)), packed(std::cos(half))});
        }
    }
    void track(std::uint16_t bone, KeyType type, std::initializer_list<KeyFrame> keys) {
        for (const KeyFrame& key : keys) file.keys.push_back({type, bone, key.frame, key.value});
    }
    void animation(std::string_view text, std::uint16_t first, std::uint16_t last, std::uint16_t rate = 10) {
        file.animations.push_back({name(text), first, last, no_loop, no_loop, rate});
    }
    /// One bone that moves by 10 a frame.
    static Fixture moving(std::uint16_t frames) {
        Fixture fixture(frames);
        fixture.positions({0, static_cast<std::uint16_t>(10 * (frames - 1))});
        fixture.track(0, KeyType::position, {{0, 0}, {static_cast<std::uint16_t>(frames - 1), 1}});
        return fixture;
    }
};

/// The clips of one model, with a node for each bone at identity.
struct Converted {
    File file;
    Source source;
    Tracks tracks;
    Build build;
    std::vector<Index> nodes;
    Result<void> done;

    explicit Converted(File model, const SceneOptions& options = {}, const std::vector<ConfigInput>& configs = {})
        : file(std::move(model)), source{"char", 0, ""}, tracks(file), build(Budget(options.limits, 0), options) {
        for (std::size_t i = 0; i < file.bones.size(); ++i) {
            nodes.push_back(build.add_node("bone" + std::to_string(i), no_index));
        }
        done = add(configs);
    }
    Result<void> add(const std::vector<ConfigInput>& configs) {
        Model model;
        model.source = &source;
        model.file = &file;
        model.tracks = &tracks;
        model.bone_nodes = nodes;
        return bridge::add_clips(build, model, configs);
    }
    [[nodiscard]] const Clip& clip(std::size_t number) const { return build.scene.clips.at(number); }
    [[nodiscard]] Json extras(std::size_t number) const { return Json::parse(clip(number).extras.json); }
    [[nodiscard]] const Track* track(std::size_t number, TrackPath path, Index node = 0) const {
        for (const Track& track : clip(number).tracks) {
            if (track.node == node && track.path == path) return &track;
        }
        return nullptr;
    }
};

double largest(std::initializer_list<double> numbers) { return std::max(numbers); }

double distance(const Vec3& a, const Vec3& b) {
    return largest({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}

double angle(const Quat& left, const Quat& right) {
    const auto unit = [](const Quat& q) {
        const double x = q.x, y = q.y, z = q.z, w = q.w, size = std::sqrt(x * x + y * y + z * z + w * w);
        return std::array<double, 4>{x / size, y / size, z / size, w / size};
    };
    const auto a = unit(left), b = unit(right);
    double minus = 0, plus = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        minus += (a[i] - b[i]) * (a[i] - b[i]);
        plus += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return 4 * std::asin(std::sqrt(std::min(minus, plus)) / 2);
}

struct Difference {
    double vectors = 0, angles = 0;
};

/// The largest difference between a clip as playback shows it and what `frame_at` says of the key stream.
Difference difference(const Converted& converted, std::size_t number, const std::function<double(double)>& frame_at) {
    const Scene& scene = converted.build.scene;
    const Clip& clip = converted.clip(number);
    const playback::Skeleton skeleton = playback::make_skeleton(scene);
    const playback::Animation animation = playback::bind(scene, skeleton, clip);
    playback::SampleContext context(animation);
    playback::Pose pose;
    pose.resize(skeleton.nodes.size());
    Difference worst;
    constexpr int steps = 1733;
    for (int i = 0; i <= steps; ++i) {
        const double time = clip.duration * static_cast<double>(i) / steps;
        playback::SampleJob job;
        job.animation = &animation;
        job.context = &context;
        job.time = time;
        job.loop = false;
        job.rest = skeleton.rest.view();
        job.pose = pose.span();
        job.kernel = i % 2 == 0 ? playback::Kernel::vector : playback::Kernel::scalar;
        EXPECT_TRUE(job.run().has_value());
        for (std::size_t bone = 0; bone < converted.nodes.size(); ++bone) {
            const Index joint = skeleton.joints[converted.nodes[bone]];
            const Transform expected = sample(converted.file, converted.tracks, bone, frame_at(time));
            const double scale = 1 + distance(expected.translation, {});
            worst.vectors = largest({worst.vectors, distance(pose.translations[joint], expected.translation) / scale,
                                     distance(pose.scales[joint], expected.scale)});
            worst.angles = std::max(worst.angles, angle(pose.rotations[joint], expected.rotation));
        }
    }
    return worst;
}

void set_animations(File& file, std::initializer_list<std::pair<std::uint16_t, std::uint16_t>> ranges) {
    file.animations.clear();
    for (const auto& [first, last] : ranges) file.animations.push_back({0, first, last, no_loop, no_loop, 20});
}

TEST(Clips, WholeClipsPlayTheKeyStream) {
    for (const char* name : reference_files) {
        File file = reference(name);
        file.header.base_frame = 0;
        set_animations(file, {{0, 39}});
        const Converted converted(std::move(file));
        ASSERT_TRUE(converted.done.has_value());
        const Difference found = difference(converted, 0, [](double time) { return time * 20; });
        EXPECT_LT(found.vectors, 1e-5) << name;
        EXPECT_LT(found.angles, 2e-5) << name;
        EXPECT_EQ(converted.clip(0).rules.rotation, RotationRule::by_angle);
        EXPECT_FLOAT_EQ(converted.clip(0).duration, 39 / 20.0f);
    }
}

TEST(Clips, PartsOfTheKeyStreamStayWithinTheStatedError) {
    File file = reference("le_full");
    file.header.base_frame = 0;
    set_animations(file, {{3, 17}, {7, 8}, {11, 29}, {30, 39}});
    const Converted converted(std::move(file));
    ASSERT_TRUE(converted.done.has_value());
    for (std::size_t i = 0; i < 4; ++i) {
        const double first = converted.file.animations[i].first_frame;
        const Difference found = difference(converted, i, [&](double time) { return first + time * 20; });
        EXPECT_LT(found.vectors, 1e-5) << i;
        EXPECT_LT(found.angles, bridge::cut_tolerance) << i;
    }
    ASSERT_EQ(converted.build.report.count("rotation-cut"), 1u);
}

TEST(Clips, BackwardsIsTheSameInReverse) {
    File file = reference("le_full");
    file.header.base_frame = 0;
    set_animations(file, {{29, 11}});
    const Converted converted(std::move(file));
    ASSERT_TRUE(converted.done.has_value());
    const Difference found = difference(converted, 0, [&](double time) { return 29 - time * 20; });
    EXPECT_LT(found.vectors, 1e-5);
    EXPECT_LT(found.angles, bridge::cut_tolerance);
}

/// Any keys, any part of them, either way round.
TEST(Clips, AnyPartOfAnyTrack) {
    std::mt19937 random(5);
    const auto below = [&](std::size_t end) { return static_cast<std::uint16_t>(random() % end); };
    for (int round = 0; round < 60; ++round) {
        Fixture fixture(60);
        for (std::size_t i = 0; i < 6; ++i) {
            const auto code = [&] { return below(60000); };
            fixture.file.positions.push_back({code(), code(), code()});
            fixture.file.scales.push_back(code());
        }
        fixture.rotations({0, 1, 40, 130, 165, 260});
        for (const KeyType type : {KeyType::position, KeyType::scale, KeyType::rotation}) {
            for (std::uint16_t frame = below(6); frame < 60;) {
                fixture.file.keys.push_back({type, 0, frame, below(6)});
                frame = static_cast<std::uint16_t>(frame + 6 + below(12));
            }
        }
        const std::uint16_t from = below(60), to = below(60);
        fixture.animation("part", from, to);
        const Converted converted(std::move(fixture.file));
        ASSERT_TRUE(converted.done.has_value());
        const double step = to < from ? -10 : 10;
        const Difference found = difference(converted, 0, [&](double time) { return from + step * time; });
        EXPECT_LT(found.vectors, 1e-5) << round;
        EXPECT_LT(found.angles, bridge::cut_tolerance) << round;
    }
}

/// Angles of each rule of the game's, cut in the middle.
TEST(Clips, CutRotationsFollowTheirWholeStep) {
    for (const double degrees : {0.1, 0.6, 5.0, 45.0, 120.0, 156.0, 158.0, 170.0, 179.0, 200.0, 300.0}) {
        Fixture fixture(101);
        fixture.rotations({10, 10 + degrees});
        fixture.track(0, KeyType::rotation, {{0, 0}, {100, 1}});
        fixture.animation("cut", 13, 78);
        fixture.animation("back", 78, 13);
        const Converted converted(std::move(fixture.file));
        ASSERT_TRUE(converted.done.has_value());
        const Difference forward = difference(converted, 0, [](double time) { return 13 + time * 10; });
        EXPECT_LT(forward.angles, bridge::cut_tolerance) << degrees;
        const Difference backward = difference(converted, 1, [](double time) { return 78 - time * 10; });
        EXPECT_LT(backward.angles, bridge::cut_tolerance) << degrees;
        EXPECT_LT(converted.track(0, TrackPath::rotation)->times.size(), 500u) << degrees;
    }
}

TEST(Clips, TheGameGoesOnBeyondTheLastKey) {
    for (const double degrees : {0.5, 3.0, 60.0, 170.0}) {
        Fixture fixture(60);
        fixture.rotations({0, degrees});
        fixture.positions({100, 110});
        fixture.track(0, KeyType::rotation, {{5, 0}, {12, 1}});
        fixture.track(0, KeyType::position, {{5, 0}, {12, 1}});
        fixture.animation("all", 0, 59);
        const Converted converted(std::move(fixture.file));
        ASSERT_TRUE(converted.done.has_value());
        const Difference found = difference(converted, 0, [](double time) { return time * 10; });
        EXPECT_LT(found.vectors, 1e-5) << degrees;
        EXPECT_LT(found.angles, bridge::cut_tolerance) << degrees;
        EXPECT_EQ(converted.track(0, TrackPath::translation)->times.size(), 4u);
    }
}

TEST(Clips, KeysStayAsTheyAre) {
    Fixture fixture(11);
    fixture.positions({5, 7, 9});
    fixture.rotations({0, 20, 90});
    fixture.track(0, KeyType::position, {{0, 0}, {4, 1}, {10, 2}});
    fixture.track(0, KeyType::rotation, {{0, 0}, {4, 1}, {10, 2}});
    fixture.animation("walk", 0, 10, 20);
    const Converted converted(std::move(fixture.file));
    const Track* track = converted.track(0, TrackPath::translation);
    ASSERT_NE(track, nullptr);
    EXPECT_EQ(std::vector<float>(track->times.begin(), track->times.end()), (std::vector<float>{0, 0.2f, 0.5f}));
    EXPECT_EQ(std::vector<float>(track->values.begin(), track->values.end()),
              (std::vector<float>{5, 0, 0, 7, 0, 0, 9, 0, 0}));
    track = converted.track(0, TrackPath::rotation);
    ASSERT_NE(track, nullptr);
    ASSERT_EQ(track->values.size(), 12u);
    EXPECT_EQ(track->values[7], unpack(converted.file.rotations[1]).w);
    EXPECT_EQ(converted.clip(0).name, "walk");
    EXPECT_TRUE(converted.build.report.empty());
    const Json extras = converted.extras(0);
    EXPECT_EQ(extras["kind"], "animation");
    EXPECT_EQ(extras["name"], "walk");
    EXPECT_EQ(extras["first_frame"], 0);
    EXPECT_EQ(extras["last_frame"], 10);
    EXPECT_EQ(extras["frame_rate"], 20);
    EXPECT_FALSE(extras.contains("loop_start"));
}

TEST(Clips, HoldsAreConstant) {
    Fixture fixture(31);
    fixture.rotations({30, 50});
    fixture.track(0, KeyType::rotation, {{0, 0}, {10, 0}, {20, 1}, {30, 1}});
    fixture.animation("still", 2, 9);
    fixture.animation("turn", 5, 25);
    fixture.animation("after", 20, 30);
    const Converted converted(std::move(fixture.file));
    ASSERT_TRUE(converted.done.has_value());
    const Track* still = converted.track(0, TrackPath::rotation);
    ASSERT_NE(still, nullptr);  // fill_duration() holds it to the end
    EXPECT_EQ(still->times.size(), 2u);
    EXPECT_EQ(still->values[2], still->values[6]);
    EXPECT_EQ(converted.track(2, TrackPath::rotation)->times.size(), 2u);
    const Track* turn = converted.track(1, TrackPath::rotation);
    EXPECT_EQ(std::vector<float>(turn->times.begin(), turn->times.end()), (std::vector<float>{0, 0.5f, 1.5f, 2}));
    EXPECT_LT(difference(converted, 1, [](double time) { return 5 + 10 * time; }).angles, 2e-6);
}

TEST(Clips, WhatRestsHasNoTrack) {
    Fixture fixture(11, 3);
    fixture.positions({0, 3, 8});
    fixture.rotations({0});
    for (std::uint16_t bone = 0; bone < 3; ++bone) {
        fixture.track(bone, KeyType::position, {{0, bone}, {10, bone}});
        fixture.track(bone, KeyType::rotation, {{0, 0}, {10, 0}});
    }
    fixture.animation("pose", 0, 10);
    Converted converted(std::move(fixture.file));
    ASSERT_EQ(converted.clip(0).tracks.size(), 2u);  // bone 0 is where its node is
    EXPECT_EQ(converted.clip(0).tracks[0].node, 1u);
    EXPECT_EQ(converted.clip(0).tracks[0].values[0], 3.0f);
    EXPECT_FLOAT_EQ(converted.clip(0).duration, 1);
}

TEST(Clips, AClipInWhichNothingMovesIsAClip) {
    Fixture fixture(11);
    fixture.animation("pose", 4, 8);
    fixture.animation("frame", 4, 4);
    const Converted converted(std::move(fixture.file));
    ASSERT_EQ(converted.build.scene.clips.size(), 2u);
    EXPECT_EQ(converted.clip(0).tracks.size(), 1u);
    EXPECT_FLOAT_EQ(converted.clip(0).tracks[0].times.back(), 0.4f);
    EXPECT_EQ(converted.clip(1).tracks[0].times.size(), 1u);
    EXPECT_EQ(converted.clip(1).duration, 0.0f);
}

TEST(Clips, SingleFramesHaveOneKey) {
    Fixture fixture = Fixture::moving(11);
    fixture.animation("frame", 4, 4);
    const Converted converted(std::move(fixture.file));
    const Track* track = converted.track(0, TrackPath::translation);
    ASSERT_NE(track, nullptr);
    ASSERT_EQ(track->times.size(), 1u);
    EXPECT_EQ(track->times[0], 0.0f);
    EXPECT_NEAR(track->values[0], 40, 1e-3);
}

float value_at_start(const Converted& converted, std::size_t number) {
    return converted.track(number, TrackPath::translation)->values[0];
}

TEST(Clips, BaseFrameIsSubtracted) {
    Fixture fixture = Fixture::moving(11);
    fixture.file.header.base_frame = 100;
    fixture.animation("walk", 103, 108);
    const Converted converted(std::move(fixture.file));
    EXPECT_NEAR(value_at_start(converted, 0), 30, 1e-3);
    EXPECT_EQ(converted.extras(0)["stream_frames"], Json::array({3, 8}));
    EXPECT_TRUE(converted.build.report.empty());
}

TEST(Clips, BaseFrameIsLeftWhereItLeadsAstray) {
    Fixture fixture = Fixture::moving(11);
    fixture.file.header.base_frame = 5;
    fixture.animation("walk", 6, 8);
    fixture.animation("run", 3, 10);
    const Converted converted(std::move(fixture.file));
    EXPECT_NEAR(value_at_start(converted, 0), 60, 1e-3);
    EXPECT_EQ(converted.build.report.count("animation-base-frame"), 1u);
}

TEST(Clips, NegativeBaseFrame) {
    Fixture fixture = Fixture::moving(11);
    fixture.file.header.base_frame = -4;
    fixture.animation("walk", 0, 6);
    const Converted converted(std::move(fixture.file));
    EXPECT_NEAR(value_at_start(converted, 0), 40, 1e-3);
}

TEST(Clips, FramesBeyondTheModelHold) {
    Fixture fixture = Fixture::moving(11);
    fixture.animation("late", 8, 20);
    fixture.animation("gone", 30, 40);
    fixture.animation("back", 20, 8);
    const Converted converted(std::move(fixture.file));
    ASSERT_TRUE(converted.done.has_value());
    EXPECT_EQ(converted.build.report.count("animation-frame-range"), 1u);
    const auto clamped = [](double frame) { return std::clamp(frame, 0.0, 10.0); };
    EXPECT_LT(difference(converted, 0, [&](double time) { return clamped(8 + 10 * time); }).vectors, 1e-5);
    EXPECT_LT(difference(converted, 1, [&](double) { return 10.0; }).vectors, 1e-5);
    EXPECT_LT(difference(converted, 2, [&](double time) { return clamped(20 - 10 * time); }).vectors, 1e-5);
    EXPECT_FLOAT_EQ(converted.clip(0).duration, 1.2f);
}

TEST(Clips, FrameRates) {
    Fixture fixture = Fixture::moving(31);
    fixture.animation("none", 0, 30, 0);
    fixture.animation("absurd", 0, 30, 241);
    fixture.animation("fast", 0, 30, 240);
    const File file = fixture.file;
    const Converted converted(file);
    EXPECT_FLOAT_EQ(converted.clip(0).duration, 1);
    EXPECT_FLOAT_EQ(converted.clip(1).duration, 1);
    EXPECT_FLOAT_EQ(converted.clip(2).duration, 0.125f);
    ASSERT_EQ(converted.build.report.count("animation-frame-rate"), 1u);
    EXPECT_EQ(converted.build.report.diagnostics()[0].found, "2: none, absurd");
    SceneOptions options;
    options.frames_per_second = 15;
    const Converted asked(file, options);
    EXPECT_FLOAT_EQ(asked.clip(2).duration, 2);
    EXPECT_TRUE(asked.build.report.empty());
    for (const double wrong : {-1.0, 1e-9, 1e9, std::nan(""), std::numeric_limits<double>::infinity()}) {
        options.frames_per_second = wrong;
        const Converted refused(file, options);
        EXPECT_FLOAT_EQ(refused.clip(2).duration, 0.125f);
        EXPECT_EQ(refused.build.report.count("animation-frame-rate"), 2u);
    }
}

ConfigInput config_of(std::string_view text, std::string stem = "animation") {
    auto loaded = read_animation_config(test::bytes_of_text(text));
    EXPECT_TRUE(loaded.has_value());
    return {{std::move(stem), 0, ""}, std::move(loaded->value)};
}

TEST(Clips, ConfigsNameClips) {
    Fixture fixture = Fixture::moving(31);
    fixture.file.animation_groups.push_back({0, 0, 1});
    fixture.file.header.base_frame = 5;
    fixture.animation("walk", 5, 35);
    const Converted converted(std::move(fixture.file), {},
                              {config_of("sex m\nwalk 10 6 2 10\nTORSO_BACK 10 -6 0 20\nlegs_x 5 1 0 0.5\nnone 0 0 0 "
                                         "1\n"),
                               config_of("walk 5 2 0 30\n", "hub")});
    ASSERT_EQ(converted.build.scene.clips.size(), 5u);
    EXPECT_EQ(converted.clip(1).name, "walk.2");
    EXPECT_EQ(converted.clip(4).name, "walk.3");
    EXPECT_NEAR(value_at_start(converted, 1), 50, 1e-3);
    EXPECT_FLOAT_EQ(converted.clip(1).duration, 0.5f);
    const Json extras = converted.extras(1);
    EXPECT_EQ(extras["kind"], "config");
    EXPECT_EQ(extras["source"], "animation");
    EXPECT_EQ(extras["first_frame"], 10);
    EXPECT_EQ(extras["frame_count"], 6);
    EXPECT_EQ(extras["loop_frames"], 2);
    EXPECT_EQ(extras["frame_rate"], 10.0);
    EXPECT_EQ(extras["settings"], Json::array({Json{{"name", "sex"}, {"value", "m"}}}));
    EXPECT_FALSE(extras.contains("animation_group"));
    EXPECT_FALSE(converted.extras(2).contains("settings"));
    EXPECT_EQ(converted.extras(2)["animation_group"], "torso");
    EXPECT_EQ(converted.extras(3)["animation_group"], "legs");
    EXPECT_NEAR(value_at_start(converted, 2), 100, 1e-3);  // frame 15 of the artist's
    EXPECT_LT(difference(converted, 2, [](double time) { return 10 - 20 * time; }).vectors, 1e-5);
    EXPECT_EQ(converted.build.report.count("clip-empty"), 1u);
    EXPECT_EQ(converted.extras(4)["source"], "hub");
}

/// Lines count from the base frame, also where the model's animations cannot.
TEST(Clips, WhatAConfigSaysOfAnimationsThatCountFromZeroIsOneClip) {
    Fixture fixture = Fixture::moving(31);
    fixture.file.header.base_frame = 5;
    fixture.animation("walk", 0, 30);
    const Converted converted(std::move(fixture.file), {}, {config_of("sex m\nwalk 5 31 0 10\n")});
    ASSERT_EQ(converted.build.scene.clips.size(), 1u);
    EXPECT_TRUE(converted.extras(0).contains("settings"));
    EXPECT_EQ(converted.build.report.count("animation-base-frame"), 1u);
}

/// As effigy itself writes both.
TEST(Clips, WhatAConfigSaysAgainIsOneClip) {
    Fixture fixture = Fixture::moving(31);
    fixture.file.header.base_frame = 5;
    fixture.animation("walk", 5, 15);
    fixture.animation("back", 35, 16, 30);
    fixture.file.animations[1].loop_start = 20;
    fixture.file.animations[1].loop_end = 16;
    fixture.animation("rest", 5, 35);
    const ConfigInput config =
        config_of("sex m\nwalk 5 11 0 10\nback 16 -20 5 29.97\nrest 5 31 3 10\nwalk 5 11 0 20\n");
    const Converted converted(std::move(fixture.file), {}, {config});
    std::vector<std::string> names;
    for (const Clip& clip : converted.build.scene.clips) names.push_back(clip.name);
    EXPECT_EQ(names, (std::vector<std::string>{"walk", "back", "rest", "rest.2", "walk.2"})) << "loop and rate differ";
    EXPECT_EQ(converted.extras(0)["kind"], "animation");
    EXPECT_EQ(converted.extras(0)["settings"], Json::array({Json{{"name", "sex"}, {"value", "m"}}}));
    EXPECT_FALSE(converted.extras(3).contains("settings"));
    EXPECT_NEAR(converted.clip(1).duration, 19 / 29.97, 1e-6) << "the game plays it so";
}

TEST(Clips, LinesHaveNamesOfTheirOwnWhereAModelHasNot) {
    Fixture fixture = Fixture::moving(31);
    fixture.animation("walk", 0, 10);
    for (const char* name : {"walk", "", "a\"b", ""}) fixture.animation(name, 10, 20);
    for (const char* config :
         {"walk 0 11 0 10\nwalk.2 10 11 0 10\nanimation 10 11 0 10\na_b 10 11 0 10\nanimation.2 10 11 0 10\n",
          "walk 0 11 0 10\nwalk 10 11 0 10\n"}) {
        const Converted converted(fixture.file, {}, {config_of(config)});
        EXPECT_EQ(converted.build.scene.clips.size(), 5u) << config;
    }
}

TEST(Clips, ConfigsWithAbsurdNumbers) {
    Fixture fixture = Fixture::moving(31);
    SceneOptions options;
    const std::vector<ConfigInput> configs{config_of(
        "a -2147483648 2147483647 0 1\nb 2147483647 -2147483648 -5 1e30\nc -2147483648 -2147483648 9 1e-30\n")};
    const Converted kept(fixture.file, options, configs);
    ASSERT_TRUE(kept.done.has_value());
    options.resample = 60;
    const Converted baked(fixture.file, options, configs);
    ASSERT_TRUE(baked.done.has_value());
    for (const Clip& clip : kept.build.scene.clips) EXPECT_TRUE(std::isfinite(clip.duration));
}

TEST(Clips, AModelWithoutNamesIsOneClip) {
    const Converted converted(Fixture::moving(31).file);
    ASSERT_EQ(converted.build.scene.clips.size(), 1u);
    EXPECT_EQ(converted.clip(0).name, "char");
    EXPECT_FLOAT_EQ(converted.clip(0).duration, 1);
    EXPECT_EQ(converted.build.report.count("animation-none"), 1u);
    Fixture still(31);
    still.positions({4});
    still.track(0, KeyType::position, {{0, 0}, {30, 0}});
    EXPECT_TRUE(Converted(still.file).build.scene.clips.empty());
}

TEST(Clips, APoseThatNothingShowsIsNamed) {
    const auto hidden = [](std::uint16_t place) {
        Fixture still(31);
        still.positions({place});
        still.track(0, KeyType::position, {{0, 0}, {30, 0}});
        const Report report = Converted(still.file).build.report;
        return report.empty() ? std::string() : report.diagnostics()[0].code + " " + report.diagnostics()[0].found;
    };
    EXPECT_EQ(hidden(4), "x42-pose-hidden 1: bone0");
    EXPECT_EQ(hidden(1), "") << "packing alone can make as much of the rest";
    EXPECT_EQ(hidden(0), "");
}

TEST(Clips, NamesAreMadeUniqueAndUtf8) {
    Fixture fixture = Fixture::moving(11);
    for (const char* name : {"a", "a", "a.2", "a", "", "R\xFCN"}) fixture.animation(name, 0, 10);
    const Converted converted(std::move(fixture.file));
    std::vector<std::string> names;
    for (const Clip& clip : converted.build.scene.clips) names.push_back(clip.name);
    EXPECT_EQ(names, (std::vector<std::string>{"a", "a.2", "a.2.2", "a.3", "animation", "R\xC3\xBCN"}));
    EXPECT_TRUE(converted.extras(5)["name"].contains("bytes"));
}

TEST(Clips, LoopsAreKept) {
    Fixture fixture = Fixture::moving(11);
    fixture.animation("loop", 0, 10);
    fixture.file.animations[0].loop_start = 2;
    fixture.file.animations[0].loop_end = 9;
    const Converted converted(std::move(fixture.file));
    EXPECT_EQ(converted.extras(0)["loop_start"], 2);
    EXPECT_EQ(converted.extras(0)["loop_end"], 9);
}

TEST(Clips, ResampledClipsAreBaked) {
    File file = reference("le_full");
    file.header.base_frame = 0;
    set_animations(file, {{2, 37}, {37, 2}});
    SceneOptions options;
    options.resample = 240;
    const Converted converted(std::move(file), options);
    ASSERT_TRUE(converted.done.has_value());
    EXPECT_EQ(converted.clip(0).rules, ClipRules{});
    for (const Clip& clip : converted.build.scene.clips) {
        for (const Track& track : clip.tracks) {
            EXPECT_TRUE(std::is_sorted(track.times.begin(), track.times.end()));
            if (track.path != TrackPath::rotation) continue;
            for (std::size_t i = 0; i < track.values.size(); i += 4) {
                const float* q = &track.values[i];
                EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-6);
            }
        }
    }
    EXPECT_LT(difference(converted, 0, [](double time) { return 2 + 20 * time; }).angles, 0.02);
    EXPECT_LT(difference(converted, 1, [](double time) { return 37 - 20 * time; }).angles, 0.02);
    EXPECT_EQ(converted.clip(0).tracks.front().times.size(), 421u);  // 1.75 s and both ends
}

TEST(Clips, SecondModelsMoveSharedNodes) {
    Fixture first = Fixture::moving(11), second = Fixture::moving(21);
    first.animation("walk", 0, 10);
    second.animation("walk", 0, 20);
    Converted converted(std::move(first.file));
    converted.file = std::move(second.file);
    converted.tracks = Tracks(converted.file);
    ASSERT_TRUE(converted.add({}).has_value());
    ASSERT_EQ(converted.build.scene.clips.size(), 2u);
    EXPECT_EQ(converted.clip(1).name, "walk.2");
    EXPECT_EQ(converted.clip(1).tracks[0].node, 0u);
}

TEST(Clips, BonesWithoutANodeOrWithOneTogether) {
    Fixture fixture = Fixture::moving(11);
    fixture.file.bones.resize(3);
    for (std::uint16_t bone : {std::uint16_t{1}, std::uint16_t{2}}) {
        fixture.track(bone, KeyType::position, {{0, 1}, {10, 0}});
    }
    fixture.animation("walk", 0, 10);
    Converted converted(fixture.file);
    converted.build.scene.clips.clear();
    converted.nodes = {0, 0, no_index};
    ASSERT_TRUE(converted.add({}).has_value());
    ASSERT_EQ(converted.clip(0).tracks.size(), 1u);
    EXPECT_EQ(converted.clip(0).tracks[0].values[0], 0.0f);
}

TEST(Clips, RotationsThatScaleAreNamed) {
    Fixture fixture(11);
    fixture.rotations({0, 90});
    fixture.track(0, KeyType::rotation, {{0, 0}, {5, 1}, {10, 0}});
    fixture.animation("walk", 0, 10);
    EXPECT_EQ(Converted(fixture.file).build.report.count("x42-rotation-length"), 0u);
    fixture.file.rotations[0] = {0, 0, 0, 26214};
    const Converted converted(fixture.file);
    const Report& report = converted.build.report;
    ASSERT_EQ(report.count("x42-rotation-length"), 1u);
    EXPECT_EQ(report.diagnostics()[0].found.substr(0, 31), "2 keys, the worst of length 0.8");
}

TEST(Clips, DamagedNumbersDoNoHarm) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    Fixture fixture(11);
    fixture.positions({3, 5});
    fixture.file.scales = {1000, 2000};
    fixture.file.rotations = {{0, 0, 0, 0}, {0, 0, 0, 32767}};
    for (const KeyType type : {KeyType::position, KeyType::scale, KeyType::rotation}) {
        fixture.track(0, type, {{0, 0}, {9, 1}});
    }
    fixture.animation("walk", 0, 10, 30);
    fixture.file.pack.animation_positions[1] = {nan, infinite};
    fixture.file.pack.animation_scales = {-infinite, infinite};
    const Converted converted(fixture.file);
    ASSERT_TRUE(converted.done.has_value());
    EXPECT_EQ(converted.build.report.count("not-finite-replaced"), 1u);
    EXPECT_EQ(converted.build.report.count("rotation-zero"), 1u);
    for (const Track& track : converted.clip(0).tracks) {
        for (const float value : track.values) EXPECT_TRUE(std::isfinite(value));
    }
    fixture.file.header.frame_count = 0;
    EXPECT_TRUE(Converted(fixture.file).done.has_value());
    fixture.file.bones.clear();
    const Converted empty(fixture.file);
    EXPECT_TRUE(empty.build.scene.clips.empty());
    EXPECT_EQ(empty.build.report.count("clip-empty"), 1u);
}

TEST(Clips, KeysThatCannotBePlayedAreLeftOutAndReported) {
    Fixture fixture = Fixture::moving(11);
    EXPECT_EQ(Converted(fixture.file).build.report.count("x42-keys-left-out"), 0u);
    fixture.track(0, KeyType::position, {{10, 0}, {3, 0}, {12, 7}});
    fixture.track(1, KeyType::position, {{12, 0}});
    const Converted converted(fixture.file);
    ASSERT_EQ(converted.build.report.count("x42-keys-left-out"), 1u);
    for (const Diagnostic& finding : converted.build.report.diagnostics()) {
        if (finding.code == "x42-keys-left-out") {
            EXPECT_EQ(finding.found, "4 keys");
            EXPECT_EQ(finding.severity, Severity::warning) << "the file is read, and the rest of it shown";
        }
    }
    // As exporters write a model of one frame.
    Fixture still(1);
    still.positions({5});
    still.track(0, KeyType::position, {{0, 0}, {0, 0}});
    EXPECT_EQ(Converted(still.file).build.report.count("x42-keys-left-out"), 0u);
}

TEST(Clips, TooMuchEndsAtTheLimit) {
    Fixture fixture(65535);
    fixture.positions({0, 1, 2});
    for (std::uint16_t frame = 0; frame < 65000; ++frame) {
        fixture.track(0, KeyType::position, {{frame, static_cast<std::uint16_t>(frame % 3)}});
    }
    for (int i = 0; i < 5000; ++i) fixture.animation("a", 0, 65534);
    const Converted converted(fixture.file);
    ASSERT_FALSE(converted.done.has_value());
    EXPECT_EQ(converted.done.error().code, "limit-memory");
    SceneOptions options;
    options.resample = 1e9;
    const Converted baked(fixture.file, options);
    ASSERT_FALSE(baked.done.has_value());
    EXPECT_EQ(baked.done.error().code, "limit-memory");
}

TEST(Clips, ManyClipsOfManyStillTracksEnd) {
    Fixture fixture(65535, 10000);
    fixture.positions({0, 1});
    for (std::uint16_t bone = 0; bone < 10000; ++bone) {
        fixture.track(bone, KeyType::position, {{0, 0}, {60000, 0}, {60001, 1}});
    }
    for (int i = 0; i < 65535; ++i) fixture.file.animations.push_back({0, 0, 100, no_loop, no_loop, 30});
    const Converted converted(fixture.file);
    ASSERT_FALSE(converted.done.has_value());
    EXPECT_EQ(converted.done.error().code, "limit-memory");
}

TEST(Clips, ArcsBeyondTheLastKeyEnd) {
    Fixture fixture(65535);
    fixture.rotations({0, 170});
    fixture.track(0, KeyType::rotation, {{0, 0}, {1, 1}});
    fixture.animation("a", 0, 65534, 100);
    const Converted converted(fixture.file);
    ASSERT_TRUE(converted.done.has_value());
    EXPECT_GE(converted.track(0, TrackPath::rotation)->times.size(), 65535u);
}

}  // namespace
}  // namespace effigy::x42
