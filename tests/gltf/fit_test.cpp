/// Keys that make glTF's readers turn bones as their games do.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "effigy/gltf.hpp"

#include "gltf/glb.hpp"
#include "gltf/write/fit_rotations.hpp"
#include "scene/by_angle.hpp"

namespace effigy::test {
namespace {

using gltf::fit_rotations;
using gltf::FittedTrack;

/// The rule in words of its own, in double precision.
glm::dquat shown_by_rule(const glm::dquat& from, glm::dquat to, double part) {
    double cosine = glm::dot(from, to);
    if (cosine < 0) to = -to;
    cosine = std::abs(cosine);
    if (cosine >= 0.2) return glm::normalize(from * (1 - part) + to * part);
    const double angle = std::acos(cosine);
    return glm::normalize((from * std::sin((1 - part) * angle) + to * std::sin(part * angle)) / std::sin(angle));
}

double angle_between(const glm::dquat& a, const glm::dquat& b) {
    const double sign = glm::dot(a, b) < 0 ? -1 : 1;
    return 4 * std::asin(std::min(1.0, glm::length(a - b * sign) / 2));
}

template <class Numbers>
glm::dquat quat_at(const Numbers& values, std::size_t key) {
    const auto at = [&](std::size_t i) { return static_cast<double>(values[4 * key + i]); };
    return {at(3), at(0), at(1), at(2)};
}

/// As readers do it.
template <class Times, class Values>
glm::dquat slerped(const Times& times, const Values& values, double time) {
    std::size_t upper = 1;
    while (upper + 1 < times.size() && static_cast<double>(times[upper]) < time) ++upper;
    const double begin = static_cast<double>(times[upper - 1]);
    const double part = (time - begin) / (static_cast<double>(times[upper]) - begin);
    return glm::slerp(quat_at(values, upper - 1), quat_at(values, upper), part);
}

Track make_track(const std::vector<glm::dquat>& keys, float step = 0.25f) {
    Track track;
    track.node = 0;
    track.path = TrackPath::rotation;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        track.times.push_back(step * static_cast<float>(i));
        for (const double number : {keys[i].x, keys[i].y, keys[i].z, keys[i].w}) {
            track.values.push_back(static_cast<float>(number));
        }
    }
    return track;
}

/// The largest error of the fitted keys between two keys, looked at closely.
double worst_error(const Track& track, const FittedTrack& fitted) {
    double worst = 0;
    for (std::size_t key = 0; key + 1 < track.times.size(); ++key) {
        const double begin = static_cast<double>(track.times[key]);
        const double end = static_cast<double>(track.times[key + 1]);
        for (int i = 0; i <= 997; ++i) {
            const double part = i / 997.0;
            const glm::dquat expected = shown_by_rule(quat_at(track.values, key), quat_at(track.values, key + 1), part);
            worst = std::max(
                worst, angle_between(slerped(fitted.times, fitted.values, begin + part * (end - begin)), expected));
        }
    }
    return worst;
}

class Random {
public:
    double number() { return static_cast<double>(engine_()) / 2147483647.5 - 1; }
    glm::dquat rotation() { return glm::normalize(glm::dquat(number(), number(), number(), number())); }
    /// A rotation whose product with `q` is `cosine`.
    glm::dquat apart(const glm::dquat& q, double cosine) {
        const glm::dquat other = rotation();
        const glm::dquat across = glm::normalize(other - q * glm::dot(q, other));
        return q * cosine + across * std::sqrt(1 - cosine * cosine);
    }
    /// As a file has it: 16 bits for each number.
    glm::dquat stored(const glm::dquat& q) {
        const auto part = [](double number) { return std::trunc(number * 32767) / 32767; };
        return {part(q.w), part(q.x), part(q.y), part(q.z)};
    }

private:
    std::mt19937 engine_{5};
};

void expect_fitted(const Track& track, const FittedTrack& fitted) {
    ASSERT_EQ(fitted.values.size(), 4 * fitted.times.size());
    EXPECT_EQ(fitted.times.size(), track.times.size() + fitted.inserted);
    EXPECT_LE(fitted.error, gltf::fit_tolerance);
    EXPECT_LE(worst_error(track, fitted), gltf::fit_tolerance);
    for (std::size_t i = 0; i < fitted.times.size(); ++i) {
        EXPECT_NEAR(glm::length(quat_at(fitted.values, i)), 1, 2e-7);
        if (i == 0) continue;
        EXPECT_LT(fitted.times[i - 1], fitted.times[i]);
        EXPECT_GE(glm::dot(quat_at(fitted.values, i - 1), quat_at(fitted.values, i)), -1e-7);
    }
}

TEST(FitRotations, ReadersAgreeWithTheRuleBetweenTheKeys) {
    Random random;
    for (const double cosine :
         {1.0,    0.9999999, 0.999995, 0.999985, 0.999, 0.99,    0.9,     0.7,  0.5,    0.3,       0.2001,
          0.1999, 0.1,       1e-3,     -1e-3,    -0.1,  -0.1999, -0.2001, -0.5, -0.999, -0.999995, -1.0}) {
        SCOPED_TRACE(cosine);
        for (int i = 0; i < 4; ++i) {
            const glm::dquat from = random.rotation();
            const glm::dquat to = random.apart(from, cosine);
            for (const bool is_stored : {false, true}) {
                const Track track =
                    is_stored ? make_track({random.stored(from), random.stored(to)}) : make_track({from, to});
                const FittedTrack fitted = fit_rotations(track);
                expect_fitted(track, fitted);
                EXPECT_LE(fitted.inserted, 150u);
            }
        }
    }
}

TEST(FitRotations, WholeTracksOfAnyKeys) {
    Random random;
    std::vector<glm::dquat> keys;
    for (int i = 0; i < 40; ++i) keys.push_back(random.stored(random.rotation()));
    const Track track = make_track(keys, 1.0f / 30);
    expect_fitted(track, fit_rotations(track));
}

/// Between keys 0 and 1, against the rule in floats, as the game has it: they say which way half a turn goes.
double error_of_turn(const Track& track, const FittedTrack& fitted) {
    const auto key = [&](std::size_t i) {
        return Quat{track.values[4 * i], track.values[4 * i + 1], track.values[4 * i + 2], track.values[4 * i + 3]};
    };
    double worst = 0;
    for (const float part : {0.125f, 0.25f, 0.5f, 0.75f}) {
        const Quat shown = mix_by_angle(key(0), key(1), part);
        const glm::dquat expected(static_cast<double>(shown.w), static_cast<double>(shown.x),
                                  static_cast<double>(shown.y), static_cast<double>(shown.z));
        const double time = static_cast<double>(part * track.times[1]);
        worst = std::max(worst, angle_between(slerped(fitted.times, fitted.values, time), expected));
    }
    return worst;
}

TEST(FitRotations, HalfTurnsGoTheirOwnWay) {
    const glm::dquat none(1, 0, 0, 0), turned(0, 1, 0, 0);
    for (const std::size_t room : {gltf::max_fitted_keys, std::size_t{0}}) {
        for (const auto& keys : {std::vector{-none, turned}, std::vector{none, turned}, std::vector{turned, -none}}) {
            const Track track = make_track(keys);
            const FittedTrack fitted = fit_rotations(track, room);
            EXPECT_LE(error_of_turn(track, fitted), 1e-5) << room;
            EXPECT_EQ(fitted.inserted, room == 0 ? 0u : 1u);
        }
    }
}

TEST(FitRotations, RoundingDoesNotChooseTheWayOfHalfTurns) {
    Random random;
    for (int i = 0; i < 50; ++i) {
        const glm::dquat from = random.rotation();
        const Track track = make_track({from, random.apart(from, 0)});
        const FittedTrack fitted = fit_rotations(track);
        EXPECT_LE(error_of_turn(track, fitted), 1e-5);
        ASSERT_EQ(fitted.inserted, 1u);
        for (std::size_t key = 1; key < 3; ++key)
            EXPECT_GT(glm::dot(quat_at(fitted.values, key - 1), quat_at(fitted.values, key)), 0.7);
    }
}

TEST(FitRotations, InsertsNothingWhereNothingDiffers) {
    Random random;
    const glm::dquat from = random.rotation();
    std::vector<glm::dquat> keys{from, from, -from};
    for (int i = 0; i < 20; ++i) keys.push_back(random.apart(keys.back(), 0.9998));  // 2.3 degrees
    keys.push_back(random.apart(keys.back(), 0.1));                                  // an arc already
    const Track track = make_track(keys);
    const FittedTrack fitted = fit_rotations(track);
    EXPECT_EQ(fitted.inserted, 0u);
    EXPECT_EQ(fitted.times, track.times);
    EXPECT_LE(worst_error(track, fitted), gltf::fit_tolerance);
}

TEST(FitRotations, NearKeysAreOffByNoMoreThanTheirBound) {
    Random random;
    constexpr double near = gltf::fit_tolerance / 100;
    std::size_t bounded = 0;
    for (int i = 0; i < 2000; ++i) {
        const double angle = std::pow(10, -2.5 * (1 + random.number()));
        const glm::dquat from = random.rotation();
        const glm::dquat to = random.apart(from, std::cos(angle)) * (i % 3 == 0 ? 1 + 2e-5 * random.number() : 1.0);
        const Track track = i % 2 == 0 ? make_track({from, to}) : make_track({random.stored(from), random.stored(to)});
        for (const RotationRule rule : {RotationRule::by_angle, RotationRule::nlerp}) {
            const FittedTrack fitted = fit_rotations(track, 0, gltf::fit_tolerance, rule);
            if (fitted.error >= near) continue;
            ++bounded;
            const double measured = fit_rotations(track, 0, 1e-16, rule).error;
            // Sums in double precision are off by as much.
            EXPECT_LE(measured, fitted.error + 1e-15) << angle;
            EXPECT_EQ(fitted.inserted, 0u);
        }
    }
    EXPECT_GT(bounded, 2000u);
}

TEST(FitRotations, NeedsHardlyMoreKeysThanTheBestPlacesDo) {
    // From 0 to acos(0.2), which is the farthest that is straight. Curvature c of the angle needs, in pieces of the
    // same error e each, the integral of sqrt(c / 8 e) over the way.
    const double cosine = 0.2001;
    const double sine = std::sqrt(1 - cosine * cosine);
    double fewest = 0;
    constexpr int steps = 10000;
    for (int i = 0; i < steps; ++i) {
        const double u = (i + 0.5) / steps;
        const double size = 1 - 2 * u * (1 - u) * (1 - cosine);
        const double curvature = 2 * 2 * sine * (1 - cosine) * std::abs(1 - 2 * u) / (size * size);
        fewest += std::sqrt(curvature / (8 * gltf::fit_tolerance)) / steps;
    }
    const FittedTrack fitted = fit_rotations(make_track({{1, 0, 0, 0}, {cosine, sine, 0, 0}}));
    EXPECT_GE(static_cast<double>(fitted.inserted) + 1, fewest * 0.97);
    EXPECT_LE(static_cast<double>(fitted.inserted) + 1, fewest * 1.2);
}

TEST(FitRotations, BadKeysDoNoHarm) {
    const glm::dquat turn(0.3, 0.95, 0, 0);
    // No length, tiny, huge, and of very different lengths.
    const Track track = make_track({{0, 0, 0, 0},
                                    turn,
                                    {0, 0, 0, 0},
                                    turn * 1e-20,
                                    turn * 1e20,
                                    turn,
                                    {0.5, 0, 0, 0.01},
                                    {1e30, 0, 1e30, 0},
                                    {0, 0, 1e-30, 1e-30}});
    const FittedTrack fitted = fit_rotations(track);
    EXPECT_EQ(fitted.times.size(), track.times.size() + fitted.inserted);
    for (std::size_t i = 0; i < fitted.times.size(); ++i) EXPECT_NEAR(glm::length(quat_at(fitted.values, i)), 1, 2e-7);
    EXPECT_EQ(quat_at(fitted.values, 0), glm::dquat(1, 0, 0, 0));
}

TEST(FitRotations, TimesStayApartAndRoomIsKept) {
    Track track = make_track({{1, 0, 0, 0}, {0.5, std::sqrt(0.75), 0, 0}, {1, 0, 0, 0}});
    // Floats have a handful of places between these.
    track.times[1] = 1000;
    track.times[2] = 1000 + 6.5e-4f;
    const FittedTrack fitted = fit_rotations(track);
    EXPECT_TRUE(std::is_sorted(fitted.times.begin(), fitted.times.end(), std::less_equal<>()));
    EXPECT_GT(fitted.error, gltf::fit_tolerance);
    const FittedTrack none = fit_rotations(track, 5);
    EXPECT_LE(none.inserted, 5u);
    EXPECT_GT(none.error, 1e-3);
}

Scene scene_of(RotationRule rule, Track track) {
    Scene scene;
    scene.nodes.resize(1);
    Clip& clip = scene.clips.emplace_back();
    clip.name = "turn";
    clip.extras.json = "{}";
    clip.rules.rotation = rule;
    clip.duration = 0.5f;
    clip.tracks.push_back(std::move(track));
    Track other;
    other.node = 0;
    other.times = {0.0f, 0.5f};
    other.values = {1, 2, 3, 4, 5, 6};
    clip.tracks.push_back(other);
    return scene;
}

Gltf write(const Scene& scene) {
    const auto bytes = gltf::write_glb(scene);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? parse_glb(*bytes) : Gltf();
}

TEST(FitRotations, KeysByNlerpStayAndGetOthersBetween) {
    Random random;
    Track track = make_track({random.rotation()});
    for (const double cosine : {0.9999, 0.99, 0.7, -0.7, 0.3, 0.999, -0.25}) {
        const glm::dquat next = random.apart(quat_at(track.values, track.times.size() - 1), cosine);
        track.times.push_back(track.times.back() + 0.25f);
        for (const double number : {next.x, next.y, next.z, next.w}) track.values.push_back(static_cast<float>(number));
    }
    const FittedTrack fitted = fit_rotations(track, gltf::max_fitted_keys, gltf::fit_tolerance, RotationRule::nlerp);
    EXPECT_GT(fitted.inserted, 10u);
    EXPECT_LE(fitted.error, gltf::fit_tolerance);
    EXPECT_LE(worst_error(track, fitted), gltf::fit_tolerance);  // all are near enough for both rules to be one
    std::size_t own = 0, place = 0;
    for (std::size_t key = 0; key < track.times.size(); ++key) {
        EXPECT_EQ(fitted.times[own], track.times[key]);
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(fitted.values[4 * own + k], track.values[4 * key + k]);
        ++own;
        if (place == fitted.places.size() || fitted.places[place].first != key) continue;
        own += fitted.places[place++].second;
    }
    EXPECT_EQ(own, fitted.times.size());
    EXPECT_EQ(place, fitted.places.size());
}

TEST(FitRotations, KeysByNlerpThatAreNearNeedNone) {
    Random random;
    Clip clip;
    clip.rules.rotation = RotationRule::nlerp;
    const glm::dquat from = random.rotation();
    const Track near = make_track({from, random.apart(from, 0.99661)});
    EXPECT_FALSE(gltf::needs_fitting(clip, near));
    EXPECT_LE(worst_error(near, {near.times, near.values, 0, 0, {}}), gltf::fit_tolerance);
    Track far = make_track({from, random.apart(from, -0.9965)});
    EXPECT_TRUE(gltf::needs_fitting(clip, far));
    far.interpolation = Interpolation::step;
    EXPECT_FALSE(gltf::needs_fitting(clip, far));
}

TEST(FitRotations, TheWriterFitsClipsByOtherRulesThanItsReaders) {
    const glm::dquat half(0.5, std::sqrt(0.75), 0, 0);
    const Track track = make_track({{1, 0, 0, 0}, half * 0.999});
    {
        const Scene scene = scene_of(RotationRule::slerp, track);
        const Gltf written = write(scene);
        EXPECT_EQ(written.read(0), std::vector<double>(track.times.begin(), track.times.end()));
        EXPECT_EQ(written.read(2), std::vector<double>(track.values.begin(), track.values.end()));
        EXPECT_TRUE(gltf::losses(scene).empty());
    }
    const Scene scene = scene_of(RotationRule::by_angle, track);
    const Gltf written = write(scene);
    const auto& samplers = written.json["animations"][0]["samplers"];
    const std::vector<double> times = written.read(samplers[0]["input"]);
    const std::vector<double> values = written.read(samplers[0]["output"]);
    EXPECT_GT(times.size(), 10u);
    for (int i = 0; i <= 500; ++i) {
        const double part = i / 500.0;
        EXPECT_LE(angle_between(slerped(times, values, 0.25 * part), shown_by_rule({1, 0, 0, 0}, half * 0.999, part)),
                  gltf::fit_tolerance);
    }
    // Other tracks are as they were, and the hash covers what was written.
    EXPECT_EQ(written.read(samplers[1]["input"]), (std::vector<double>{0, 0.5}));
    EXPECT_EQ(written.read(samplers[1]["output"]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_NE(written.json["animations"][0]["extras"]["effigy"]["hash"],
              write(scene_of(RotationRule::slerp, track)).json["animations"][0]["extras"]["effigy"]["hash"]);

    const Report report = gltf::losses(scene);
    const TemporaryFolder folder;
    EXPECT_EQ(gltf::write_file(scene, folder.path() / "a.glb").value().diagnostics().size(), 1u);
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].code, "clip-fitted");
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::info);
    EXPECT_EQ(report.diagnostics()[0].path, "clips[0] turn");
    EXPECT_EQ(report.diagnostics()[0].found.rfind(std::to_string(times.size() - 2) + " keys in 1 track,", 0), 0u)
        << report.diagnostics()[0].found;
}

Clip clip_in(const std::filesystem::path& path) {
    auto read = gltf::read_scene(path);
    EXPECT_TRUE(read) << to_string(read.error());
    return read ? std::move(read->value.clips.at(0)) : Clip();
}

TEST(FitRotations, KeysByNlerpComeBackAlone) {
    Random random;
    const glm::dquat from = random.rotation();
    const Track track = make_track({from, random.apart(from, 0.5), random.apart(from, 0.9), from, from});
    Scene scene = scene_of(RotationRule::nlerp, track);
    scene.clips[0].extras.json = R"({"a":1})";
    const TemporaryFolder folder;
    const auto glb = folder.path() / "a.glb", again = folder.path() / "b.glb", text = folder.path() / "a.gltf";
    ASSERT_TRUE(gltf::write_file(scene, glb));
    const Clip back = clip_in(glb);
    ASSERT_EQ(back.tracks.size(), 2u);
    EXPECT_EQ(back.tracks[0].times, track.times);
    EXPECT_EQ(back.tracks[0].values, track.values);
    EXPECT_EQ(back.rules, scene.clips[0].rules);
    EXPECT_EQ(back.extras.json, scene.clips[0].extras.json);
    scene.clips[0] = back;
    ASSERT_TRUE(gltf::write_file(scene, again));
    EXPECT_EQ(read_bytes(glb), read_bytes(again));

    // What is damaged or edited counts for nothing.
    ASSERT_TRUE(gltf::write_file(scene, text));
    const nlohmann::json sound = nlohmann::json::parse(read_text(text));
    const auto clip_with = [&](const char* fitted, const char* hash = nullptr) {
        nlohmann::json json = sound;
        nlohmann::json& effigy = json["animations"][0]["extras"]["effigy"];
        effigy["fitted"] = nlohmann::json::parse(fitted);
        if (hash != nullptr) effigy["hash"] = hash;
        std::ofstream(text) << json;
        return clip_in(text);
    };
    const std::string right = sound["animations"][0]["extras"]["effigy"]["fitted"].dump();
    EXPECT_EQ(clip_with(right.c_str()).tracks[0].times, track.times);
    for (const char* bad : {"3", "[3]", "[[]]", "[[9,0,1]]", "[[1,0,1]]", "[[0,0,4000]]", "[[0,4000,1]]", "[[0,-1,1]]",
                            "[[0,0,1e99]]", "[[0,0,18446744073709551615]]", R"([["x",{},[]]])", "[[0,0,1],[0,0,1]]"}) {
        const Clip clip = clip_with(bad);
        EXPECT_GT(clip.tracks.at(0).times.size(), 20u) << bad;
        EXPECT_EQ(clip.rules, ClipRules()) << bad;
    }
    EXPECT_GT(clip_with(right.c_str(), "0").tracks.at(0).times.size(), 20u);
}

TEST(FitRotations, KeysAreKeptWhereThatIsAskedFor) {
    Random random;
    const glm::dquat from = random.rotation();
    for (const RotationRule rule : {RotationRule::nlerp, RotationRule::by_angle}) {
        const Track track = make_track({from, random.apart(from, 0.75), random.apart(from, 0.6)});
        Scene scene = scene_of(rule, track);
        scene.nodes[0].name = "arm";
        scene.clips.push_back(scene.clips[0]);
        scene.clips[0].tracks[0] = make_track({from, random.apart(from, 0.9)});
        gltf::WriteOptions options;
        options.keep_keys = true;
        const auto bytes = gltf::write_glb(scene, options);
        ASSERT_TRUE(bytes) << to_string(bytes.error());
        const Gltf written = parse_glb(*bytes);
        EXPECT_EQ(written.read(written.json["animations"][1]["samplers"][0]["input"]).size(), track.times.size());

        const Report report = gltf::losses(scene, options);
        ASSERT_EQ(report.diagnostics().size(), 1u);
        const Diagnostic& finding = report.diagnostics()[0];
        EXPECT_EQ(finding.code, "clip-keys-kept");
        EXPECT_EQ(finding.severity, Severity::warning);
        EXPECT_EQ(finding.path, "clips[1] turn / tracks[0] arm");
        const std::string start = "2 clips, at most ";
        ASSERT_EQ(finding.found.rfind(start, 0), 0u) << finding.found;
        const FittedTrack kept = fit_rotations(track, 0, gltf::fit_tolerance, rule);
        EXPECT_EQ(kept.times, track.times);
        const double said = std::stod(finding.found.substr(start.size()));
        EXPECT_NEAR(said, kept.error, 0.05 * kept.error);
        if (rule == RotationRule::by_angle) EXPECT_NEAR(worst_error(track, kept), kept.error, 0.02 * kept.error);
    }
}

TEST(FitRotations, KeptKeysComeBackWithTheirRule) {
    Random random;
    const glm::dquat from = random.rotation();
    const Track track = make_track({from, random.apart(from, 0.5)});
    Scene scene = scene_of(RotationRule::nlerp, track);
    scene.clips[0].extras.json = R"({"a":1})";
    const TemporaryFolder folder;
    gltf::WriteOptions options;
    options.keep_keys = true;
    ASSERT_TRUE(gltf::write_file(scene, folder.path() / "a.glb", options));
    const Clip back = clip_in(folder.path() / "a.glb");
    EXPECT_EQ(back.tracks[0].times, track.times);
    EXPECT_EQ(back.tracks[0].values, track.values);
    EXPECT_EQ(back.rules.rotation, RotationRule::nlerp);
    EXPECT_EQ(back.extras.json, scene.clips[0].extras.json);
}

TEST(FitRotations, OneFindingNamesAllClips) {
    Scene scene = scene_of(RotationRule::by_angle, make_track({{1, 0, 0, 0}, {0.5, std::sqrt(0.75), 0, 0}}));
    const std::string one = gltf::losses(scene).diagnostics().at(0).found;
    scene.clips.push_back(scene.clips[0]);
    const Report report = gltf::losses(scene);
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].path, "clips");
    EXPECT_EQ(report.diagnostics()[0].found.find(std::to_string(2 * std::stoi(one)) + " keys in 2 tracks of 2 clips,"),
              0u)
        << report.diagnostics()[0].found;
}

TEST(FitRotations, SaysWhereReadersStayFarOff) {
    Track track = make_track({{1, 0, 0, 0}, {0.5, std::sqrt(0.75), 0, 0}});
    track.times = {1000, 1000 + 6.5e-4f};
    const Report report = gltf::losses(scene_of(RotationRule::by_angle, track));
    EXPECT_EQ(report.count("clip-fitted"), 1u);
    EXPECT_EQ(report.count("clip-fit-limit"), 1u);
    EXPECT_FALSE(report.has_errors());
}

/// Between keys that are 165 degrees apart, nlerp needs more than a hundred others.
Track make_swing(std::size_t key_count) {
    const double half = glm::radians(165.0) / 2;
    std::vector<glm::dquat> keys;
    for (std::size_t i = 0; i < key_count; ++i)
        keys.push_back(i % 2 == 0 ? glm::dquat(1, 0, 0, 0) : glm::dquat(std::cos(half), 0, 0, std::sin(half)));
    return make_track(keys);
}

TEST(FitRotations, TracksShareTheRoomThatThereIs) {
    constexpr std::size_t track_count = 24, keys = 120;
    Scene scene = scene_of(RotationRule::nlerp, make_swing(keys));
    scene.clips[0].tracks.assign(track_count, Track(scene.clips[0].tracks[0]));
    gltf::ClipFitter fitter(scene, false);
    std::size_t inserted = 0;
    double worst = 0;
    for (std::size_t i = 0; i < track_count; ++i) {
        const FittedTrack fitted = fitter.fit(0, i);
        inserted += fitted.inserted;
        worst = std::max(worst, fitted.error);
    }
    EXPECT_LE(inserted, gltf::room_for_keys(track_count * keys));
    EXPECT_GT(worst, gltf::fit_tolerance);
    EXPECT_LT(worst, 10 * gltf::fit_tolerance);
    EXPECT_EQ(fitter.report().count("clip-fit-limit"), 1u);
    EXPECT_EQ(gltf::room_for_keys(SIZE_MAX), gltf::max_fitted_keys);
}

TEST(FitRotations, MemoryForKeysIsLimited) {
    const Scene scene = scene_of(RotationRule::nlerp, make_swing(60));
    gltf::WriteOptions options;
    EXPECT_TRUE(gltf::write_glb(scene, options));
    options.limits.memory = 64 * 1024;
    const auto limited = gltf::write_glb(scene, options);
    ASSERT_FALSE(limited);
    EXPECT_EQ(limited.error().code, "limit-memory");
}

TEST(FitRotations, StepsAndSingleKeysGetUnitLengthAndNothingElse) {
    for (const auto interpolation : {Interpolation::step, Interpolation::linear}) {
        Track track = make_track({{2, 0, 0, 0}, {0, 0, 3, 0}});
        track.interpolation = interpolation;
        if (interpolation == Interpolation::linear) {
            track.times.resize(1);
            track.values.resize(4);
        }
        const FittedTrack fitted = fit_rotations(track);
        EXPECT_EQ(fitted.inserted, 0u);
        EXPECT_EQ(fitted.times, track.times);
        EXPECT_EQ(quat_at(fitted.values, 0), glm::dquat(1, 0, 0, 0));
        if (interpolation == Interpolation::linear) continue;
        EXPECT_EQ(quat_at(fitted.values, 1), glm::dquat(0, 0, 1, 0));
    }
}

}  // namespace
}  // namespace effigy::test
