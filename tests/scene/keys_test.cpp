/// Tracks of any interpolation as linear ones, and which keys can be left out.

#include "scene/keys.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "scene/by_angle.hpp"

namespace effigy {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Value = std::vector<double>;

constexpr std::size_t many = 1000000;

Track make(TrackPath path, Interpolation interpolation, const std::vector<float>& times,
           const std::vector<float>& values) {
    Track track;
    track.path = path;
    track.interpolation = interpolation;
    track.times = {times.begin(), times.end()};
    track.values = {values.begin(), values.end()};
    return track;
}

glm::dquat quat(const float* q) { return {q[3], q[0], q[1], q[2]}; }
glm::dquat about(const glm::dvec3& axis, double angle) { return glm::angleAxis(angle, glm::normalize(axis)); }

void append(std::vector<float>& values, const glm::dquat& q, double sign = 1) {
    for (const double number : {q.x, q.y, q.z, q.w}) values.push_back(static_cast<float>(sign * number));
}

/// Between two rotations, by the words of the formats and not by effigy's code.
glm::dquat mix(const glm::dquat& a, glm::dquat b, double part, RotationRule rule) {
    if (glm::dot(a, b) < 0) b = -b;
    const bool straight = rule == RotationRule::nlerp ||
                          (rule == RotationRule::by_angle && glm::dot(a, b) >= static_cast<double>(shortened_cosine));
    return glm::normalize(straight ? a * (1 - part) + b * part : glm::slerp(a, b, part));
}

/// The value of a track at a moment: the formulas of glTF 2.0, appendix C.
Value at(const Track& track, std::size_t components, double time, RotationRule rule = RotationRule::slerp) {
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t stride = components * (cubic ? 3 : 1);
    const auto number = [&](std::size_t key, std::size_t group, std::size_t k) {
        return static_cast<double>(track.values[key * stride + (cubic ? group : 0) * components + k]);
    };
    const auto next = std::upper_bound(track.times.begin(), track.times.end(), time,
                                       [](double t, float key) { return t < static_cast<double>(key); });
    const auto after = static_cast<std::size_t>(next - track.times.begin());
    const std::size_t from = after == 0 ? 0 : after - 1;
    const std::size_t to = std::min(after, track.times.size() - 1);
    Value value(components);
    const double length = static_cast<double>(track.times[to]) - static_cast<double>(track.times[from]);
    const double t = length > 0 ? (time - static_cast<double>(track.times[from])) / length : 0;
    const bool turns = track.path == TrackPath::rotation;
    if (track.interpolation == Interpolation::linear && turns) {
        const glm::dquat q = mix(glm::normalize(quat(track.values.data() + 4 * from)),
                                 glm::normalize(quat(track.values.data() + 4 * to)), t, rule);
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t k = 0; k < components; ++k) {
        const double a = number(from, 1, k);
        const double b = number(to, 1, k);
        if (track.interpolation == Interpolation::step) {
            value[k] = a;
        } else if (!cubic) {
            value[k] = (1 - t) * a + t * b;
        } else {
            const double t2 = t * t, t3 = t2 * t;
            value[k] = (2 * t3 - 3 * t2 + 1) * a + length * (t3 - 2 * t2 + t) * number(from, 2, k) +
                       (-2 * t3 + 3 * t2) * b + length * (t3 - t2) * number(to, 0, k);
        }
    }
    if (turns && cubic) {
        const glm::dquat q = glm::normalize(glm::dquat(value[3], value[0], value[1], value[2]));
        return {q.x, q.y, q.z, q.w};
    }
    return value;
}

double distance(TrackPath path, const Value& a, const Value& b) {
    if (path == TrackPath::rotation) {
        const glm::dquat p(a[3], a[0], a[1], a[2]), q(b[3], b[0], b[1], b[2]);
        const glm::dquat way = glm::conjugate(p) * q;
        return 2 * std::atan2(std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z), std::abs(way.w));
    }
    double sum = 0, most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return path == TrackPath::weights ? most : std::sqrt(sum);
}

Track as_track(const LinearTrack& linear, TrackPath path) {
    Track track;
    track.path = path;
    track.times = linear.times;
    track.values = linear.values;
    return track;
}

struct Rules {
    RotationRule source = RotationRule::slerp, target = RotationRule::slerp;
};

/// The largest difference at moments all over, between keys and at them.
double worst(const Track& source, const LinearTrack& result, std::size_t components, Rules rules = {}) {
    const Track target = as_track(result, source.path);
    const double end = static_cast<double>(source.times.back());
    constexpr int moments = 40000;
    double most = 0;
    for (int i = 0; i <= moments; ++i) {
        const double time = end * i / moments;
        most = std::max(most, distance(source.path, at(source, components, time, rules.source),
                                       at(target, components, time, rules.target)));
    }
    return most;
}

double min_product(const LinearTrack& track) {
    double least = 1;
    for (std::size_t i = 4; i < track.values.size(); i += 4) {
        least = std::min(least, glm::dot(quat(&track.values[i - 4]), quat(&track.values[i])));
    }
    return least;
}

std::vector<double> lengths(const LinearTrack& track) {
    std::vector<double> result;
    for (std::size_t i = 0; i < track.values.size(); i += 4) result.push_back(glm::length(quat(&track.values[i])));
    return result;
}

TEST(LinearTrack, KeepsWhatIsLinear) {
    const Track track = make(TrackPath::translation, Interpolation::linear, {0, 1, 2.5f}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const LinearTrack result = linear_track(track, 3, 0.5, many);
    EXPECT_EQ(result.times, track.times);
    EXPECT_EQ(result.values, track.values);
    EXPECT_EQ(result.error, 0);
}

TEST(LinearTrack, CountsKeysAndNumbersThatItCannotUse) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Track track = make(TrackPath::weights, Interpolation::linear, {0, 2, 1, nan, 3}, {1, nan, 5, 6, 4});
    const LinearTrack result = linear_track(track, 1, 0.5, many);
    EXPECT_THAT(result.times, ElementsAre(0, 2, 3));
    EXPECT_THAT(result.values, ElementsAre(1, 0, 4));
    EXPECT_EQ(result.left_out, 2u);
    EXPECT_EQ(result.not_finite, 1u);
}

TEST(LinearTrack, HoldsStepsUntilJustBeforeTheNextKey) {
    const Track track = make(TrackPath::scale, Interpolation::step, {0, 1, 2, 3}, {1, 1, 1, 2, 2, 2, 2, 2, 2, 5, 5, 5});
    const LinearTrack result = linear_track(track, 3, 0, many);
    EXPECT_THAT(result.times, ElementsAre(0, std::nextafter(1.0f, 0.0f), 1, 2, std::nextafter(3.0f, 0.0f), 3));
    EXPECT_THAT(result.values, ElementsAre(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5));
    EXPECT_EQ(worst(track, result, 3), 0);
}

TEST(LinearTrack, StepsBetweenNeighbouringTimesNeedNoKeyBetween) {
    const float next = std::nextafter(1.0f, 2.0f);
    const Track track = make(TrackPath::weights, Interpolation::step, {1, next}, {0, 1});
    const LinearTrack result = linear_track(track, 1, 0, many);
    EXPECT_THAT(result.times, ElementsAre(1, next));
}

TEST(LinearTrack, FollowsSplinesOfVectorsWithinTheError) {
    const Track track = make(TrackPath::translation, Interpolation::cubic_spline, {0, 0.7f, 1, 4},
                             {0, 0, 0, 1, 2, 3,  9,  -4, 2,  0,  5, 0, 2, 2, 2,  -8, 1, 0,
                              3, 0, 1, 4, 4, -4, 20, 0,  10, -9, 1, 1, 0, 0, -1, 0,  0, 0});
    for (const double bound : {0.1, 0.01, 0.001}) {
        const LinearTrack result = linear_track(track, 3, bound, many);
        const double most = worst(track, result, 3);
        EXPECT_LE(most, bound);
        EXPECT_LE(most, result.error + 1e-5);
        EXPECT_LE(result.error, bound);
        EXPECT_GT(most, bound / 20) << "more keys than it takes: " << result.times.size();
    }
}

TEST(LinearTrack, FollowsSplinesOfWeightsWithinTheErrorOfTheWorst) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-3, 3);
    std::vector<float> values(3 * 7 * 6);
    for (float& value : values) value = number(random);
    const Track track = make(TrackPath::weights, Interpolation::cubic_spline, {0, 0.1f, 1, 2, 3, 9}, values);
    const LinearTrack result = linear_track(track, 7, 0.01, many);
    EXPECT_LE(worst(track, result, 7), 0.01);
}

TEST(LinearTrack, FollowsSplinesOfRotationsWithinTheError) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<float> times, values;
    for (int i = 0; i < 40; ++i) {
        times.push_back(static_cast<float>(i) * 0.3f);
        for (int group = 0; group < 3; ++group) {
            const glm::dquat q(number(random), number(random), number(random), number(random));
            append(values, group == 1 ? glm::normalize(q) : q);
        }
    }
    const Track track = make(TrackPath::rotation, Interpolation::cubic_spline, times, values);
    for (const double bound : {0.05, 0.002}) {
        const LinearTrack result = linear_track(track, 4, bound, many);
        EXPECT_LE(worst(track, result, 4), bound + 1e-6);
        EXPECT_GE(min_product(result), 0);
        EXPECT_THAT(lengths(result), Each(::testing::DoubleNear(1, 1e-6)));
    }
}

TEST(LinearTrack, SplitsArcsTheLongWayRound) {
    std::vector<float> values(4, 0.0f);
    append(values, about({0, 0, 1}, 0));
    values.insert(values.end(), 8, 0.0f);
    append(values, about({0, 0, 1}, 0.5), -1);  // nearly a whole turn
    values.insert(values.end(), 4, 0.0f);
    const Track track = make(TrackPath::rotation, Interpolation::cubic_spline, {0, 1}, values);
    const LinearTrack result = linear_track(track, 4, 0.01, many);
    EXPECT_GT(result.times.size(), 4u);
    EXPECT_LE(worst(track, result, 4), 0.01);
    EXPECT_GT(min_product(result), 0.5);
    EXPECT_GT(distance(TrackPath::rotation, at(as_track(result, track.path), 4, 0.5), {0, 0, 0, 1}), 2.5);
}

TEST(LinearTrack, TurnsSignsAndMakesRotationsUnit) {
    std::vector<float> values;
    append(values, about({1, 0, 0}, 0.3));
    append(values, about({1, 0, 0}, 0.4), -1);
    append(values, about({1, 0, 0}, 0.5), 3);
    values.insert(values.end(), 4, 0.0f);
    const Track track = make(TrackPath::rotation, Interpolation::linear, {0, 1, 2, 3}, values);
    const LinearTrack result = linear_track(track, 4, 0, many);
    ASSERT_THAT(result.times, SizeIs(4));
    EXPECT_GE(min_product(result), 0);
    EXPECT_THAT(lengths(result), Each(::testing::DoubleNear(1, 1e-6)));
    EXPECT_EQ(std::vector(result.values.begin(), result.values.begin() + 4),
              std::vector(track.values.begin(), track.values.begin() + 4));
}

TEST(LinearTrack, FitsOneRuleToAnother) {
    std::vector<float> values;
    append(values, about({1, 2, 3}, 0));
    append(values, about({1, 2, 3}, 2.2));
    append(values, about({1, 2, 3}, 5.1));
    append(values, about({1, 2, 3}, 5.11));
    const Track track = make(TrackPath::rotation, Interpolation::linear, {0, 1, 2, 3}, values);
    const auto all = {RotationRule::slerp, RotationRule::nlerp, RotationRule::by_angle};
    for (const RotationRule from : all) {
        for (const RotationRule to : all) {
            const LinearTrack result = linear_track(track, 4, 0.001, many, {from, to});
            EXPECT_LE(worst(track, result, 4, {from, to}), 0.001) << static_cast<int>(from) << static_cast<int>(to);
            EXPECT_EQ(result.times.size() == 4, from == to) << static_cast<int>(from) << static_cast<int>(to);
        }
    }
}

TEST(LinearTrack, StaysBelowTheBoundOfKeysAndSaysWhatIsReached) {
    std::vector<float> times, values;
    for (int i = 0; i < 50; ++i) {
        times.push_back(static_cast<float>(i));
        values.insert(values.end(), {40, 0, 0, 0, std::sin(static_cast<float>(i)), 0, -40, 0, 0});
    }
    const Track cubic = make(TrackPath::translation, Interpolation::cubic_spline, times, values);
    const Track step = make(TrackPath::translation, Interpolation::step, times,
                            std::vector<float>(values.begin(), values.begin() + 150));
    for (const Track& track : {cubic, step}) {
        for (const std::size_t most : {2u, 20u, 51u, 70u}) {
            const LinearTrack result = linear_track(track, 3, 0.001, most);
            EXPECT_LE(result.times.size(), most);
            EXPECT_EQ(result.times.front(), 0);
            EXPECT_EQ(result.times.back(), 49);
            EXPECT_GT(result.error, 0.001);
            if (track.interpolation == Interpolation::step) continue;  // between two neighbouring floats all is shown
            EXPECT_LE(worst(track, result, 3), result.error);
        }
        EXPECT_THAT(linear_track(track, 3, 0.001, 0).times, IsEmpty());
        EXPECT_THAT(linear_track(track, 3, 0.001, 1).times, ElementsAre(0));
    }
}

TEST(LinearTrack, IsSafeWithAnything) {
    const float nan = std::nanf("");
    for (const Interpolation interpolation :
         {Interpolation::linear, Interpolation::step, Interpolation::cubic_spline}) {
        for (const TrackPath path : {TrackPath::translation, TrackPath::rotation, TrackPath::weights}) {
            const auto components = path == TrackPath::rotation ? 4u : 3u;
            std::vector<float> values(60, nan);
            std::iota(values.begin() + 10, values.end(), -1e38f);
            values[20] = HUGE_VALF;
            values[30] = 3e38f;
            values[31] = -3e38f;
            const LinearTrack odd =
                linear_track(make(path, interpolation, {0, nan, 1, 1, 0.5f, 2, 3e38f}, values), components, nan, 500);
            EXPECT_LE(odd.times.size(), 500u);
            EXPECT_TRUE(std::is_sorted(odd.times.begin(), odd.times.end()));
            EXPECT_TRUE(std::all_of(odd.values.begin(), odd.values.end(), [](float v) { return std::isfinite(v); }));
            EXPECT_EQ(odd.values.size(), odd.times.size() * components);
            const LinearTrack short_one = linear_track(make(path, interpolation, {0, 1, 2}, {1, 2}), components, 0, 9);
            EXPECT_THAT(short_one.times, IsEmpty());
        }
    }
    EXPECT_THAT(linear_track(make(TrackPath::weights, Interpolation::linear, {0}, {}), 0, 0, 9).times, IsEmpty());
}

/// Independent of how the keys were chosen: every key against the line between the kept ones around it.
double worst_left_out(const Track& track, std::size_t components, const std::vector<std::uint32_t>& kept,
                      RotationRule rule) {
    Track thin = track;
    thin.times.clear();
    thin.values.clear();
    for (const std::uint32_t key : kept) {
        thin.times.push_back(track.times[key]);
        const float* value = track.values.data() + key * components;
        thin.values.insert(thin.values.end(), value, value + components);
    }
    double most = 0;
    for (std::size_t i = 0; i < track.times.size(); ++i) {
        const auto time = static_cast<double>(track.times[i]);
        most = std::max(most, distance(track.path, at(track, components, time), at(thin, components, time, rule)));
    }
    return most;
}

TEST(KeysToKeep, LeavesOutWhatALineGives) {
    const std::vector<float> times{0, 1, 2, 3, 4, 5};
    const std::vector<float> values{0, 1, 2, 3, 3, 3};
    EXPECT_THAT(keys_to_keep(times, values, TrackPath::weights, 1, RotationRule::slerp, 0), ElementsAre(0, 3, 5));
    const std::vector<float> noisy{0, 1, 2, std::nextafter(3.0f, 4.0f), 3, 3};
    EXPECT_THAT(keys_to_keep(times, noisy, TrackPath::weights, 1, RotationRule::slerp, 0), SizeIs(::testing::Gt(3u)));
    EXPECT_THAT(keys_to_keep(times, noisy, TrackPath::weights, 1, RotationRule::slerp, 1e-5), ElementsAre(0, 3, 5));
}

TEST(KeysToKeep, KeepsTheEndsAndTakesAnyCount) {
    const std::vector<float> times{0, 1, 2};
    const std::vector<float> same(9, 7.0f);
    const auto kept = [&](std::size_t count) {
        return keys_to_keep(std::span(times).first(count), same, TrackPath::translation, 3, RotationRule::slerp, 1);
    };
    EXPECT_THAT(kept(0), IsEmpty());
    EXPECT_THAT(kept(1), ElementsAre(0));
    EXPECT_THAT(kept(2), ElementsAre(0, 1));
    EXPECT_THAT(kept(3), ElementsAre(0, 2));
    EXPECT_THAT(keys_to_keep(times, {}, TrackPath::translation, 3, RotationRule::slerp, 1), IsEmpty());
    EXPECT_THAT(keys_to_keep(times, same, TrackPath::translation, 0, RotationRule::slerp, 1), IsEmpty());
    EXPECT_THAT(keys_to_keep(times, same, TrackPath::rotation, 3, RotationRule::slerp, 1), IsEmpty());
}

TEST(KeysToKeep, StaysWithinTheErrorOfVectors) {
    Track track;
    for (int i = 0; i < 3000; ++i) {
        const float t = static_cast<float>(i) / 30;
        track.times.push_back(t);
        for (const float value : {std::sin(t), std::cos(2 * t), t * t / 1000}) track.values.push_back(value);
    }
    for (const double bound : {0.1, 0.01, 0.001}) {
        const auto kept = keys_to_keep(track.times, track.values, track.path, 3, RotationRule::slerp, bound);
        const double most = worst_left_out(track, 3, kept, RotationRule::slerp);
        EXPECT_LE(most, bound);
        EXPECT_GT(most, bound / 2);
        EXPECT_LT(kept.size(), bound < 0.01 ? 3000u : 1500u);
    }
}

TEST(KeysToKeep, StaysWithinTheErrorOfRotationsByEachRule) {
    Track track;
    track.path = TrackPath::rotation;
    std::vector<float> values;
    for (int i = 0; i < 2000; ++i) {
        const double t = i / 30.0;
        track.times.push_back(static_cast<float>(t));
        const double sign = i % 7 == 0 ? -1 : 1;  // says the same rotation
        append(values, about({std::sin(t / 5), 1, 0}, 2.5 * std::sin(t)), sign);
    }
    track.values = {values.begin(), values.end()};
    for (const RotationRule rule : {RotationRule::slerp, RotationRule::nlerp, RotationRule::by_angle}) {
        const auto kept = keys_to_keep(track.times, track.values, track.path, 4, rule, 0.02);
        EXPECT_LE(worst_left_out(track, 4, kept, rule), 0.02 + 1e-6) << static_cast<int>(rule);
        EXPECT_LT(kept.size(), 1000u) << static_cast<int>(rule);
        EXPECT_THAT(keys_to_keep(track.times, track.values, track.path, 4, rule, 1e-12), SizeIs(2000))
            << "nothing fits";
    }
}

/// Straight ways are fastest in their middle, which is where the key between them is.
TEST(KeysToKeep, StaysWithinTheErrorBetweenRotations) {
    const auto kept = [](double degrees, RotationRule rule, double max_error, float step = 0) {
        std::vector<float> times, values;
        for (int i = 0; i < 5; ++i) {
            times.push_back(static_cast<float>(i) * (step > 0 ? step : 1));
            append(values, about({1, 2, 3}, i * glm::radians(degrees)));
        }
        return keys_to_keep(times, values, TrackPath::rotation, 4, rule, max_error, step > 0);
    };
    for (const RotationRule rule : {RotationRule::nlerp, RotationRule::by_angle}) {
        EXPECT_THAT(kept(30, rule, 1e-4), SizeIs(5));
        EXPECT_THAT(kept(1, rule, 1e-4), ElementsAre(0, 4));
        EXPECT_THAT(kept(30, rule, 1e-4, 1), ElementsAre(0, 2, 4)) << "frames without keys of their own";
        EXPECT_THAT(kept(30, rule, 1e-4, 2), SizeIs(5));
    }
    EXPECT_THAT(kept(30, RotationRule::slerp, 1e-4), ElementsAre(0, 4));
}

TEST(KeysToKeep, KeepsWhatIsNoNumber) {
    const std::vector<float> times{0, 1, 2, 3};
    const std::vector<float> values{0, std::nanf(""), 0, 0};
    for (const double bound : {0.0, 10.0}) {
        const auto kept = keys_to_keep(times, values, TrackPath::weights, 1, RotationRule::slerp, bound);
        EXPECT_THAT(kept, ::testing::Contains(1u));
    }
}

TEST(KeysToKeep, TakesAMillionKeysOfEachKind) {
    constexpr std::size_t count = 1000000;
    std::vector<float> times(count), flat(count, 1.0f), wave(count), noise(count);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(0, 1);
    for (std::size_t i = 0; i < count; ++i) {
        times[i] = static_cast<float>(i);
        wave[i] = static_cast<float>(std::sin(static_cast<double>(i) / 5000));
        noise[i] = number(random);
    }
    const auto kept = [&](const std::vector<float>& values) {
        return keys_to_keep(times, values, TrackPath::weights, 1, RotationRule::slerp, 0.01).size();
    };
    EXPECT_EQ(kept(flat), 2u);
    EXPECT_LT(kept(wave), 1000u);
    EXPECT_GT(kept(noise), count / 2);
}

}  // namespace
}  // namespace effigy
