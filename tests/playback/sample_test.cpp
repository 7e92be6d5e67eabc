/// Clips at any time, by each kind of keys.

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "playback/support.hpp"

namespace effigy::playback {
namespace {

/// Keys of one component of joint 0.
struct Keys {
    TrackPath path = TrackPath::translation;
    std::vector<float> times;
    std::vector<float> values;
    Interpolation interpolation = Interpolation::linear;
};

/// One joint and two weights, moved by a few tracks.
class Player {
public:
    explicit Player(std::vector<Keys> keys, float duration, ClipRules rules = {})
        : keys_(std::move(keys)), animation_(make_animation(keys_, duration, rules)), context_(animation_) {
        rest_ = make_pose(Transform{{7, 8, 9}, turned({0, 1, 0}, 30), {2, 2, 2}});
        pose_.resize(1);
    }

    void play(double time, bool loop = false, Kernel kernel = Kernel::vector) {
        SampleJob job;
        job.animation = &animation_;
        job.context = &context_;
        job.time = time;
        job.loop = loop;
        job.rest = rest_.view();
        job.rest_weights = rest_weights_;
        job.pose = pose_.span();
        job.weights = weights_;
        job.kernel = kernel;
        const auto result = job.run();
        ASSERT_TRUE(result) << to_string(result.error());
    }
    Vec3 translation(double time, bool loop = false) {
        play(time, loop);
        return pose_.translations[0];
    }
    Quat rotation(double time, Kernel kernel = Kernel::vector) {
        play(time, false, kernel);
        return pose_.rotations[0];
    }
    Vec3 scale(double time) {
        play(time);
        return pose_.scales[0];
    }
    std::vector<float> weights(double time) {
        play(time);
        return weights_;
    }
    SampleContext& context() { return context_; }

private:
    static Animation make_animation(const std::vector<Keys>& all, float duration, ClipRules rules) {
        Animation animation;
        animation.duration = duration;
        animation.rules = rules;
        for (const Keys& keys : all) {
            Channel channel;
            channel.interpolation = keys.interpolation;
            channel.times = keys.times;
            channel.values = keys.values;
            switch (keys.path) {
                case TrackPath::translation:
                    animation.translations.push_back(channel);
                    break;
                case TrackPath::rotation:
                    channel.width = 4;
                    animation.rotations.push_back(channel);
                    break;
                case TrackPath::scale:
                    animation.scales.push_back(channel);
                    break;
                case TrackPath::weights:
                    channel.width = 2;
                    animation.weights.push_back(channel);
                    break;
            }
        }
        return animation;
    }

    std::vector<Keys> keys_;
    Animation animation_;
    SampleContext context_;
    Pose rest_;
    Pose pose_;
    std::vector<float> rest_weights_{0.25f, 0.5f};
    std::vector<float> weights_ = std::vector<float>(2);
};

constexpr std::array all_rules{RotationRule::slerp, RotationRule::nlerp, RotationRule::by_angle};

constexpr double pi = 3.14159265358979323846;

const std::vector<float> three_points{0, 0, 0, 10, 20, 30, 10, 0, -30};

TEST(Sample, RestWhereNothingMoves) {
    Player player({}, 1);
    EXPECT_EQ(player.translation(0.5), (Vec3{7, 8, 9}));
    EXPECT_EQ(player.scale(0.5), (Vec3{2, 2, 2}));
    EXPECT_EQ(player.rotation(0.5), turned({0, 1, 0}, 30));
    EXPECT_EQ(player.weights(0.5), (std::vector<float>{0.25f, 0.5f}));
}

TEST(Sample, LinearTranslationOnAndBetweenKeys) {
    Player player({{TrackPath::translation, {1, 2, 4}, three_points}}, 5);
    EXPECT_EQ(player.translation(1), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(1.5), (Vec3{5, 10, 15}));
    EXPECT_EQ(player.translation(2), (Vec3{10, 20, 30}));
    EXPECT_EQ(player.translation(3.5), (Vec3{10, 5, -15}));
    EXPECT_EQ(player.translation(4), (Vec3{10, 0, -30}));
}

TEST(Sample, FirstKeyHoldsBeforeAndLastAfter) {
    Player player({{TrackPath::translation, {1, 2, 4}, three_points}}, 5);
    EXPECT_EQ(player.translation(0.5), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(4.5), (Vec3{10, 0, -30}));
    EXPECT_EQ(player.translation(-3), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(1000), (Vec3{10, 0, -30}));
}

TEST(Sample, LastKeyBeforeFirstWhereTheFormatSaysSo) {
    Player player({{TrackPath::translation, {1, 2, 4}, three_points}}, 5, {RotationRule::nlerp, true});
    EXPECT_EQ(player.translation(0.5), (Vec3{10, 0, -30}));
    EXPECT_EQ(player.translation(1), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(4.5), (Vec3{10, 0, -30}));
}

TEST(Sample, StepHoldsUntilTheNextKey) {
    Player player({{TrackPath::translation, {1, 2, 4}, three_points, Interpolation::step}}, 5);
    EXPECT_EQ(player.translation(1.999), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(2), (Vec3{10, 20, 30}));
    EXPECT_EQ(player.translation(3.999), (Vec3{10, 20, 30}));
    EXPECT_EQ(player.translation(4), (Vec3{10, 0, -30}));
}

TEST(Sample, DecimalTimeFindsTheKeyThatIsItsFloat) {
    Player player({{TrackPath::translation, {0, 0.1f, 0.2f}, three_points, Interpolation::step}}, 1);
    EXPECT_EQ(player.translation(0.1), (Vec3{10, 20, 30}));
    EXPECT_EQ(player.translation(0.2), (Vec3{10, 0, -30}));
}

TEST(Sample, CubicSplineFollowsItsTangents) {
    // From 1 to 3 in 2 seconds, leaving with a slope of 2 and arriving with -1.
    const std::vector<float> values{0, 0, 0, 1, 1, 1, 2, 2, 2, -1, -1, -1, 3, 3, 3, 0, 0, 0};
    Player player({{TrackPath::scale, {1, 3}, values, Interpolation::cubic_spline}}, 5);
    const auto expected = [](double t) {
        const double square = t * t;
        const double cube = square * t;
        return (2 * cube - 3 * square + 1) * 1 + 2 * (cube - 2 * square + t) * 2 + (-2 * cube + 3 * square) * 3 +
               2 * (cube - square) * -1;
    };
    for (const double time : {1.0, 1.25, 2.0, 2.9, 3.0}) {
        const auto value = static_cast<float>(expected((time - 1) / 2));
        expect_same(player.scale(time), {value, value, value});
    }
    EXPECT_EQ(player.scale(0.5), (Vec3{1, 1, 1}));
    EXPECT_EQ(player.scale(4), (Vec3{3, 3, 3}));
}

TEST(Sample, CubicSplineRotationIsNormalised) {
    const std::vector<float> values{0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    Player player({{TrackPath::rotation, {0, 1}, values, Interpolation::cubic_spline}}, 1);
    // Half way: 0.5 * (0, 0, 0, 1) + 0.125 * (0, 2, 0, 0) + 0.5 * (1, 0, 0, 0)
    const auto length = static_cast<float>(std::sqrt(0.5 * 0.5 + 0.25 * 0.25 + 0.5 * 0.5));
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        expect_same(player.rotation(0.5, kernel), {0.5f / length, 0.25f / length, 0, 0.5f / length});
    }
}

std::vector<float> rotation_values(const Quat& a, const Quat& b) { return {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}; }

TEST(Sample, SlerpTurnsAtConstantSpeed) {
    Player player({{TrackPath::rotation, {0, 1}, rotation_values(turned({0, 0, 1}, 10), turned({0, 0, 1}, 170))}}, 1);
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        for (const double part : {0.0, 0.1, 0.25, 0.5, 0.9, 1.0}) {
            expect_same(player.rotation(part, kernel), turned({0, 0, 1}, 10 + 160 * part));
        }
    }
}

TEST(Sample, NlerpGoesStraight) {
    const Quat a = turned({0, 0, 1}, 10);
    const Quat b = turned({0, 0, 1}, 170);
    Player player({{TrackPath::rotation, {0, 1}, rotation_values(a, b)}}, 1, {RotationRule::nlerp, false});
    const double z = 0.75 * static_cast<double>(a.z) + 0.25 * static_cast<double>(b.z);
    const double w = 0.75 * static_cast<double>(a.w) + 0.25 * static_cast<double>(b.w);
    const double length = std::hypot(z, w);
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        expect_same(player.rotation(0.25, kernel),
                    {0, 0, static_cast<float>(z / length), static_cast<float>(w / length)});
        expect_same(player.rotation(0.5, kernel), turned({0, 0, 1}, 90));
    }
}

TEST(Sample, RotationsTakeTheShorterWay) {
    const Quat b = turned({1, 0, 0}, 60);
    const Quat negated{-b.x, -b.y, -b.z, -b.w};
    for (const RotationRule rule : all_rules) {
        Player player({{TrackPath::rotation, {0, 1}, rotation_values({}, negated)}}, 1, {rule, false});
        for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
            expect_same(player.rotation(0.5, kernel), turned({1, 0, 0}, 30));
        }
    }
}

TEST(Sample, ByAngleIsStraightThenShortenedThenAnArc) {
    struct Case {
        double degrees;  ///< between the keys
        float length;    ///< of the keys
        double expected_degrees, expected_length;
    };
    const double part = 0.25;
    // A quarter of the straight way, seen from the keys' origin: half the angle counts.
    const auto straight = [&](double degrees) {
        const double half = degrees / 360 * pi;
        return 360 / pi * std::atan2(part * std::sin(half), (1 - part) + part * std::cos(half));
    };
    const double narrow = 0.2 / 360 * pi;
    const std::vector<Case> cases{
        {0.2, 1, straight(0.2), std::hypot(part * std::sin(narrow), (1 - part) + part * std::cos(narrow))},
        {0.2, 0.9999f, straight(0.2), 1},  // shorter keys: a smaller product
        {90, 1, straight(90), 1},
        {156, 1, straight(156), 1},
        {158, 1, 158 * part, 1},  // half of it is beyond acos(0.2) = 78.46 degrees
        {180, 1, 45, 1},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.degrees);
        const Quat unit = turned({0, 1, 0}, c.degrees);
        const Quat to{unit.x * c.length, unit.y * c.length, unit.z * c.length, unit.w * c.length};
        Player player({{TrackPath::rotation, {0, 1}, rotation_values({0, 0, 0, c.length}, to)}}, 1,
                      {RotationRule::by_angle, false});
        for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
            const Quat q = player.rotation(part, kernel);
            EXPECT_NEAR(2 * std::atan2(q.y, q.w), c.expected_degrees / 180 * pi, 1e-6);
            EXPECT_NEAR(std::hypot(q.y, q.w), c.expected_length, 3e-7);
        }
    }
}

TEST(Sample, ByAngleLeavesKeysAsTheyAre) {
    const Quat a{0.1f, 0.2f, 0.3f, 0.4f};
    const Quat b{-0.9f, 0.2f, 0.1f, 0.3f};
    std::vector<float> values = rotation_values(a, a);
    values.insert(values.end(), {b.x, b.y, b.z, b.w});
    for (const auto interpolation : {Interpolation::linear, Interpolation::step}) {
        Player player({{TrackPath::rotation, {0, 1, 2}, values, interpolation}}, 2, {RotationRule::by_angle, false});
        for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
            EXPECT_EQ(player.rotation(0, kernel), a);
            EXPECT_EQ(player.rotation(0.7, kernel), a);
            EXPECT_EQ(player.rotation(2, kernel), b);
        }
    }
    const std::vector<float> nothing(8, 0.0f);
    Player player({{TrackPath::rotation, {0, 1}, nothing}}, 1, {RotationRule::by_angle, false});
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        EXPECT_EQ(player.rotation(0.5, kernel), (Quat{0, 0, 0, 0}));
    }
}

TEST(Sample, SplinesHaveUnitLengthByAnyRule) {
    const std::vector<float> values{0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    for (const RotationRule rule : all_rules) {
        Player player({{TrackPath::rotation, {0, 1}, values, Interpolation::cubic_spline}}, 1, {rule, false});
        for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
            const Quat q = player.rotation(0.4, kernel);
            EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
        }
    }
}

TEST(Sample, RotationsInSteps) {
    Player player({{TrackPath::rotation, {0, 1}, rotation_values({}, turned({1, 0, 0}, 60)), Interpolation::step}}, 2);
    expect_same(player.rotation(0.99), {});
    expect_same(player.rotation(1), turned({1, 0, 0}, 60));
}

TEST(Sample, WeightsAreInterpolatedEachOnItsOwn) {
    Player player({{TrackPath::weights, {0, 2}, {0, 1, 1, 0.5f}}}, 2);
    EXPECT_EQ(player.weights(0.5), (std::vector<float>{0.25f, 0.875f}));
}

TEST(Sample, LoopsWrapAround) {
    Player player({{TrackPath::translation, {0, 2}, {0, 0, 0, 2, 4, 6}}}, 2);
    EXPECT_EQ(player.translation(2, true), (Vec3{2, 4, 6}));
    EXPECT_EQ(player.translation(2.5, true), (Vec3{0.5f, 1, 1.5f}));
    EXPECT_EQ(player.translation(4, true), (Vec3{0, 0, 0}));
    EXPECT_EQ(player.translation(-0.5, true), (Vec3{1.5f, 3, 4.5f}));
    EXPECT_EQ(player.translation(2001, true), (Vec3{1, 2, 3}));
    EXPECT_EQ(player.translation(2001, false), (Vec3{2, 4, 6}));
}

/// 1.3f is less than 1.3.
TEST(Sample, DecimalDurationShowsTheLastMoment) {
    Player player({{TrackPath::translation, {0, 1.3f}, {0, 0, 0, 2, 4, 6}}}, 1.3f);
    EXPECT_EQ(player.translation(1.3, true), (Vec3{2, 4, 6}));
    EXPECT_LT(player.translation(1.3001, true).x, 0.01f);
}

TEST(Sample, NoDurationShowsTheFirstMoment) {
    Player player({{TrackPath::translation, {0}, {1, 2, 3}}}, 0);
    EXPECT_EQ(player.translation(5, true), (Vec3{1, 2, 3}));
    EXPECT_EQ(player.translation(5, false), (Vec3{1, 2, 3}));
}

TEST(Sample, TimeMayJumpAnywhere) {
    std::vector<float> times;
    std::vector<float> values;
    for (int i = 0; i < 100; ++i) {
        times.push_back(static_cast<float>(i) * 0.5f);
        values.insert(values.end(), {static_cast<float>(i), static_cast<float>(i * i), 0});
    }
    Player player({{TrackPath::translation, times, values}}, 50);
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const float time = random.number(0, 49.5f);
        const auto key = static_cast<int>(time * 2);
        const auto x = static_cast<float>(key);
        const float part = time * 2 - x;
        if (i % 7 == 0) {
            player.context().translations.cursors[0] = random.below(200);
            player.context().release();
        }
        const Vec3 expected{x + part, x * x + part * (2 * x + 1), 0};
        expect_same(player.translation(time), expected, 2e-3f);
    }
}

TEST(Sample, ChannelsWithAndWithoutSharedTimesAgree) {
    const std::vector<float> times{0, 1, 3, 4, 9};
    const std::vector<float> copied_times = times;
    const std::vector<float> other_times{0, 2, 5, 6, 9};
    std::vector<float> values;
    for (int i = 0; i < 15; ++i) values.push_back(static_cast<float>(i * i));
    Animation animation;
    animation.duration = 9;
    for (const auto* keys : {&times, &times, &copied_times, &other_times, &times, &other_times}) {
        const auto joint = static_cast<std::uint32_t>(animation.translations.size());
        animation.translations.push_back({joint, 3, Interpolation::linear, *keys, values});
    }
    SampleContext context(animation);
    Random random(9);
    const Pose rest = make_pose(6, random);
    Pose pose;
    pose.resize(6);
    SampleJob job;
    job.animation = &animation;
    job.context = &context;
    job.rest = rest.view();
    job.pose = pose.span();
    for (int i = 0; i < 200; ++i) {
        job.time = static_cast<double>(random.number(0, 9));
        ASSERT_TRUE(job.run());
        for (const std::size_t joint : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
            EXPECT_EQ(pose.translations[joint], pose.translations[0]);
        }
        EXPECT_EQ(pose.translations[5], pose.translations[3]);
    }
}

/// Five joints, each of whose channels has keys at times of its own, of every interpolation.
struct OwnTimes {
    struct Keys {
        std::vector<float> times, values;
    };
    std::vector<Keys> keys;
    Animation animation;

    explicit OwnTimes(Random& random) {
        keys.reserve(15);
        animation.duration = 10;
        animation.rules.last_before_first = true;
        for (std::uint32_t joint = 0; joint < 5; ++joint) {
            const auto interpolation =
                std::array{Interpolation::linear, Interpolation::step, Interpolation::cubic_spline}[joint % 3];
            animation.translations.push_back(channel(joint, 3, interpolation, random));
            animation.rotations.push_back(channel(joint, 4, interpolation, random));
            animation.scales.push_back(channel(joint, 3, interpolation, random));
        }
    }

private:
    Channel channel(std::uint32_t joint, std::uint32_t width, Interpolation interpolation, Random& random) {
        Keys& made = keys.emplace_back();
        for (float time = random.number(0, 1); time < 9.5f; time += random.number(0.01f, 0.8f))
            made.times.push_back(time);
        const std::size_t groups = interpolation == Interpolation::cubic_spline ? 3 : 1;
        for (std::size_t i = 0; i < made.times.size() * width * groups; ++i)
            made.values.push_back(random.number(-1, 1));
        return {joint, width, interpolation, made.times, made.values};
    }
};

SampleJob job_for(const Animation& animation, SampleContext& context, const Pose& rest, Pose& pose, Kernel kernel) {
    SampleJob job;
    job.animation = &animation;
    job.context = &context;
    job.rest = rest.view();
    job.pose = pose.span();
    job.kernel = kernel;
    return job;
}

void expect_equal(const Pose& a, const Pose& b) {
    EXPECT_EQ(a.translations, b.translations);
    EXPECT_EQ(a.rotations, b.rotations);
    EXPECT_EQ(a.scales, b.scales);
}

TEST(Sample, HeldKeysAreThoseOfTheTimeWhereverItGoes) {
    Random random(21);
    const OwnTimes own(random);
    const Pose rest = make_pose(5, random);
    for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
        SampleContext held(own.animation);
        Pose pose, expected;
        pose.resize(5);
        expected.resize(5);
        SampleJob job = job_for(own.animation, held, rest, pose, kernel);
        job.loop = false;
        for (int i = 0; i < 3000; ++i) {
            // Forwards, then backwards, then anywhere.
            const double step = i / 1000.0;
            job.time = i < 1000 ? step * 11 : i < 2000 ? (2 - step) * 11 : static_cast<double>(random.number(-1, 11));
            ASSERT_TRUE(job.run());
            SampleContext fresh(own.animation);
            SampleJob other = job;
            other.context = &fresh;
            other.pose = expected.span();
            ASSERT_TRUE(other.run());
            expect_equal(pose, expected);
            if (HasFailure()) FAIL() << "at " << job.time;
        }
    }
}

TEST(Sample, AContextNoticesAnotherAnimationAndOtherJoints) {
    Random random(22);
    const OwnTimes one(random), other(random);
    const Pose rest = make_pose(9, random);
    SampleContext context(one.animation), fresh(other.animation);
    Pose pose, expected;
    pose.resize(9);
    expected.resize(9);
    SampleJob job = job_for(one.animation, context, rest, pose, Kernel::vector);
    job.time = 5;
    ASSERT_TRUE(job.run());
    job.animation = &other.animation;
    ASSERT_TRUE(job.run());
    SampleJob anew = job_for(other.animation, fresh, rest, expected, Kernel::vector);
    anew.time = 5;
    ASSERT_TRUE(anew.run());
    expect_equal(pose, expected);

    const Pose small_rest = make_pose(4, random);
    Pose small;
    small.resize(4);
    job.rest = small_rest.view();
    job.pose = small.span();
    const auto refused = job.run();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().path, "animation.translations[4].target");
    EXPECT_FALSE(job.run()) << "what was held before it was refused";
}

TEST(Sample, AContextNoticesAnAnimationAssignedAnew) {
    Random random(23);
    const OwnTimes one(random), other(random);
    const Pose rest = make_pose(5, random);
    Animation animation = one.animation;
    SampleContext context(animation), fresh(other.animation);
    Pose pose, expected;
    pose.resize(5);
    expected.resize(5);
    SampleJob job = job_for(animation, context, rest, pose, Kernel::vector);
    job.time = 5;
    ASSERT_TRUE(job.run());
    animation = Animation(other.animation);
    ASSERT_TRUE(job.run());
    SampleJob anew = job_for(other.animation, fresh, rest, expected, Kernel::vector);
    anew.time = 5;
    ASSERT_TRUE(anew.run());
    expect_equal(pose, expected);
}

TEST(Sample, KeysThatAreGoneAreNotRead) {
    const std::vector<float> times{0, 1, 2};
    const std::vector<float> values(9);
    Animation animation;
    animation.duration = 2;
    animation.translations.push_back({0, 3, Interpolation::linear, times, values});
    SampleContext context(animation);
    Random random(1);
    const Pose rest = make_pose(1, random);
    Pose pose;
    pose.resize(1);
    SampleJob job = job_for(animation, context, rest, pose, Kernel::vector);
    job.time = 0.5;
    ASSERT_TRUE(job.run());
    animation.translations[0].values = std::span(values).first(6);
    job.time = 1.5;
    const auto refused = job.run();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().path, "animation.translations[0].values");
}

TEST(Sample, ChangedKeysAreSeenAfterRelease) {
    const std::vector<float> times{0, 1};
    std::vector<float> values{0, 0, 0, 1, 1, 1};
    Animation animation;
    animation.duration = 1;
    animation.translations.push_back({0, 3, Interpolation::linear, times, values});
    SampleContext context(animation);
    Random random(1);
    const Pose rest = make_pose(1, random);
    Pose pose;
    pose.resize(1);
    SampleJob job = job_for(animation, context, rest, pose, Kernel::vector);
    job.time = 0.5;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(pose.translations[0], (Vec3{0.5f, 0.5f, 0.5f}));
    values[3] = 3;
    context.release();
    ASSERT_TRUE(job.run());
    EXPECT_EQ(pose.translations[0], (Vec3{1.5f, 0.5f, 0.5f}));
}

TEST(Sample, BadNumbersDoNoHarm) {
    const std::vector<float> rotations{0, 0, 0, 0, 0, 0, 0, 0, not_a_number, 0, 0, infinite};
    for (const RotationRule rule : all_rules) {
        Player player({{TrackPath::rotation, {0, 1, 2}, rotations},
                       {TrackPath::translation, {0, not_a_number, 1}, {1, 2, 3, 4, 5, 6, infinite, 8, 9}}},
                      2, {rule, true});
        for (const Kernel kernel : {Kernel::vector, Kernel::scalar}) {
            const Quat nothing = rule == RotationRule::by_angle ? Quat{0, 0, 0, 0} : Quat();
            EXPECT_EQ(player.rotation(0.5, kernel), nothing);
            for (const double time : {-1.0, 0.0, 0.7, 1.5, 2.0, 9.0}) player.play(time, true, kernel);
        }
    }
}

Quat nearby(const Quat& q, Random& random) {
    const glm::quat moved = glm::normalize(glm::quat(q.w, q.x + random.number(-0.02f, 0.02f), q.y, q.z));
    return {moved.x, moved.y, moved.z, moved.w};
}

struct ManyRotations {
    std::vector<float> times{0, 1, 2};
    std::vector<std::vector<float>> values;
    Animation animation;
    Pose rest;

    ManyRotations(std::size_t joints, RotationRule rule, Random& random) {
        rest = make_pose(joints, random);
        animation.duration = 2;
        animation.rules.rotation = rule;
        for (std::size_t i = 0; i < joints; ++i) {
            Quat from = random.rotation();
            Quat to = random.rotation();
            // Keys that hardly differ are the usual ones.
            if (i % 3 == 0) to = nearby(from, random);
            if (i % 5 == 0) to = {-from.x, -from.y, -from.z, -from.w};
            values.push_back({from.x, from.y, from.z, from.w, to.x, to.y, to.z, to.w, from.y, from.x, from.w, from.z});
        }
        for (std::size_t i = 0; i < joints; ++i) {
            Channel channel{static_cast<std::uint32_t>(i), 4, Interpolation::linear, times, values[i]};
            if (i % 7 == 6) channel.interpolation = Interpolation::step;
            animation.rotations.push_back(channel);
        }
    }
};

/// Of keys as they are.
glm::dquat mixed_by_angle(const glm::dquat& from, glm::dquat to, double part) {
    double cosine = glm::dot(from, to);
    if (cosine < 0) {
        to = -to;
        cosine = -cosine;
    }
    if (cosine < 0.2) {
        const double angle = std::acos(cosine);
        return (from * std::sin((1 - part) * angle) + to * std::sin(part * angle)) / std::sin(angle);
    }
    const glm::dquat straight = from * (1 - part) + to * part;
    return cosine < 1 - 1e-5 ? glm::normalize(straight) : straight;
}

glm::dquat reference_rotation(const Channel& channel, double time, RotationRule rule) {
    const auto key = static_cast<std::size_t>(time);
    const auto at = [&](std::size_t k) {
        const float* v = channel.values.data() + 4 * k;
        return glm::dquat(v[3], v[0], v[1], v[2]);
    };
    const bool is_alone = channel.interpolation == Interpolation::step || key == 2;
    const double part = time - static_cast<double>(key);
    if (rule == RotationRule::by_angle) return is_alone ? at(key) : mixed_by_angle(at(key), at(key + 1), part);
    const glm::dquat from = glm::normalize(at(key));
    if (is_alone) return from;
    glm::dquat to = glm::normalize(at(key + 1));
    if (glm::dot(from, to) < 0) to = -to;
    if (rule == RotationRule::nlerp) return glm::normalize(from * (1 - part) + to * part);
    return glm::normalize(glm::slerp(from, to, part));
}

TEST(Sample, RotationsAgreeWithDoublesForEveryNumberOfJoints) {
    for (const RotationRule rule : all_rules) {
        for (std::size_t joints = 1; joints <= 40; ++joints) {
            Random random(static_cast<std::uint32_t>(joints));
            ManyRotations many(joints, rule, random);
            SampleContext context(many.animation);
            Pose pose;
            pose.resize(joints);
            SampleJob job;
            job.animation = &many.animation;
            job.context = &context;
            job.rest = many.rest.view();
            job.pose = pose.span();
            const auto compare = [&] {
                for (const double time : {0.0, 0.125, 0.5, 0.75, 1.0, 1.3, 1.999, 2.0}) {
                    job.time = time;
                    ASSERT_TRUE(job.run());
                    for (std::size_t i = 0; i < joints; ++i) {
                        const glm::dquat q = reference_rotation(many.animation.rotations[i], time, rule);
                        const glm::quat expected(q);
                        expect_same(pose.rotations[i], {expected.x, expected.y, expected.z, expected.w}, 2e-6f);
                    }
                }
            };
            job.kernel = Kernel::scalar;
            compare();
            job.kernel = Kernel::vector;
            with_vectors(compare);
        }
    }
}

}  // namespace
}  // namespace effigy::playback
