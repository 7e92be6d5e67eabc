// ANI: every byte comes back, every number is the one that was written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/raw_ani.hpp"
#include "reports.hpp"

namespace effigy::test {
namespace {

using ani::Interpolation;

class AnyAni : public testing::TestWithParam<AniFixture> {};
INSTANTIATE_TEST_SUITE_P(Files, AnyAni, testing::ValuesIn(all_animations()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(AnyAni, IsKept) {
    const Bytes bytes = write_raw(GetParam().file);
    const auto loaded = ani::read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(ani::write(loaded->value).value(), bytes);
    for (const bool expand : {false, true}) {
        const auto nodes = parse_json(to_text(egosoft::AniFormat::dump(loaded->value, {expand}).value()));
        const auto built = egosoft::AniFormat::build(*nodes, false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(ani::write(*built).value(), bytes);
    }
}

TEST_P(AnyAni, IsReported) {
    const Bytes bytes = write_raw(GetParam().file);
    const auto loaded = ani::read(bytes);
    ASSERT_TRUE(loaded);
    if (GetParam().code.empty()) {
        EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
        return;
    }
    ASSERT_EQ(loaded->report.count(GetParam().code), 1u) << findings(loaded->report);
    EXPECT_LT(loaded->report.diagnostics()[0].offset, bytes.size());
    EXPECT_EQ(ani::check(loaded->value).count(GetParam().code), 1u);
    const auto normalized = ani::read(ani::write(loaded->value, {.normalize = true}).value());
    if (GetParam().code == "ani-key-offset" || GetParam().code == "ani-keys-missing") {
        EXPECT_EQ(normalized->report.count(GetParam().code), 0u) << findings(normalized->report);
    }
}

TEST(Ani, NumbersAreThoseOfTheFile) {
    const auto loaded = ani::read(write_raw(landing_gear()));
    ASSERT_EQ(loaded->value.animations.size(), 2u);
    const ani::Animation& opening = loaded->value.animations[0];
    EXPECT_EQ(ani::part_of(opening), "anim_gear");
    EXPECT_EQ(ani::state_of(opening), "landinggears_activating");
    EXPECT_EQ(opening.part.back(), '\xcc') << "garbage stays";
    EXPECT_EQ(opening.duration, 2.0f);
    ASSERT_EQ(opening.positions.size(), 3u);
    const ani::Key& last = opening.positions[2];
    EXPECT_EQ(last.value, (Vec3{0, -2, 0.5f}));
    EXPECT_EQ(last.time, 2.0f);
    EXPECT_EQ(last.interpolation[1], Interpolation::bezier);
    EXPECT_EQ(last.handles[2][0].value, 0.5f);
    EXPECT_FLOAT_EQ(last.handles[2][1].time, 1.9f);
    EXPECT_EQ(opening.rotations[2].tension, 0.5f);
    EXPECT_EQ(opening.rotations[1].interpolation[0], Interpolation::bezier_linear_time);
    EXPECT_EQ(opening.scales.size(), 1u);
    const ani::Animation& loop = loaded->value.animations[1];
    EXPECT_EQ(loop.pre_scales[0].value, (Vec3{1, 1, 1}));
    EXPECT_EQ(loop.post_scales[0].value, (Vec3{2, 2, 2}));
}

TEST(Ani, KeysThatAreThereAreReadFromAFileCutOff) {
    Bytes bytes = write_raw(landing_gear());
    bytes.resize(bytes.size() - 200);
    const auto loaded = ani::read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(loaded->report.has_errors());
    EXPECT_EQ(loaded->value.animations[0].positions.size(), 3u);
    EXPECT_EQ(loaded->value.animations[1].post_scales.size(), 0u);
    EXPECT_EQ(ani::write(loaded->value).value(), bytes);
}

TEST(Ani, CountsInADumpMustMatch) {
    Json nodes = egosoft::AniFormat::dump(ani::read(write_raw(landing_gear()))->value, {true}).value();
    for (Json& node : nodes) {
        if (node["name"] != "keys[0]") continue;
        node["value"][0]["value"].erase(1);
    }
    EXPECT_EQ(egosoft::AniFormat::build(nodes, false, {}).error().code, "build-count");
    const auto built = egosoft::AniFormat::build(nodes, true, {});
    ASSERT_TRUE(built);
    const auto again = ani::read(*ani::write(*built));
    EXPECT_TRUE(again->report.empty()) << findings(again->report);
    EXPECT_EQ(again->value.animations[0].positions.size(), 2u);
    for (Json& node : nodes) {
        if (node["name"] == "animation[0]") node["value"][2]["value"] = 1;
    }
    EXPECT_EQ(egosoft::AniFormat::build(nodes, false, {}).error().code, "build-count") << "too small";
    EXPECT_TRUE(egosoft::AniFormat::build(nodes, true, {}));
}

TEST(Ani, NamesAreTextInDumps) {
    RawAnimations file = landing_gear();
    file.animations[0].name_filling = 0;
    const Json nodes = egosoft::AniFormat::dump(ani::read(write_raw(file))->value, {}).value();
    for (const Json& node : nodes) {
        if (node["name"] == "animation[0]") {
            EXPECT_EQ(node["value"][0]["value"], "anim_gear");
        }
    }
}

TEST(Ani, IsRecognised) {
    using egosoft::looks_like_ani;
    const Bytes bytes = write_raw(landing_gear());
    EXPECT_TRUE(looks_like_ani(bytes, "-"));
    EXPECT_TRUE(looks_like_ani(std::span(bytes).first(400), "-"));
    EXPECT_TRUE(looks_like_ani(write_raw(RawAnimations{}), "-"));
    RawAnimations odd;
    odd.key_offset = 0;
    EXPECT_TRUE(looks_like_ani(write_raw(odd), "X_DATA.ANI"));
    EXPECT_FALSE(looks_like_ani(Bytes(), "x.ani"));
    Bytes zeros(400);
    std::fill(zeros.begin(), zeros.end(), std::byte{0});
    EXPECT_FALSE(looks_like_ani(zeros, "-"));
    const Bytes cursor = RawBytes().text("RIFF", 4).u32(300).text("ACONanih", 8).repeat(65, 300).bytes();
    EXPECT_FALSE(looks_like_ani(cursor, "wait.ani"));
}

TEST(Ani, Info) {
    const Json info = egosoft::AniFormat::info(ani::read(write_raw(landing_gear()))->value, {});
    EXPECT_EQ(info["states"], Json({"landinggears_activating", "loop"}));
    EXPECT_EQ(info["parts"], Json::array({"anim_gear"}));
    EXPECT_EQ(info["interpolation"], Json({"step", "linear", "bezier", "bezier_linear_time", "tcb"}));
    EXPECT_EQ(info["counts"]["position_keys"], 3);
    EXPECT_EQ(info["duration"], 2.0);
}

// --- check ---

std::string codes(const RawAnimations& file) {
    std::string list;
    const Report report = ani::check(ani::read(write_raw(file))->value);
    for (const Diagnostic& diagnostic : report.diagnostics()) {
        EXPECT_NE(diagnostic.offset, no_offset) << to_string(diagnostic);
        EXPECT_NE(diagnostic.message, "");
        list += (list.empty() ? "" : " ") + diagnostic.code;
    }
    return list;
}

/// One animation without findings, for `change` to break.
template <class Change>
std::string codes_after(Change change) {
    RawAnimations file;
    file.animations = {{"part", "loop", 2, {}, 0, {}}};
    file.animations[0].tracks[0] = {{0, 0, 0, 0, 2}, {1, 0, -1, 0, 2}, {2, 0, -2, 0.5f, 5}};
    change(file, file.animations[0], file.animations[0].tracks[0]);
    return codes(file);
}

TEST(AniCheck, Rules) {
    using File = RawAnimations;
    using One = RawAnimation;
    using Keys = std::vector<RawKey>;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(codes_after([](File&, One&, Keys&) {}), "");
    EXPECT_EQ(codes_after([](File& file, One&, Keys&) { file.version = 2; }), "ani-version");
    EXPECT_EQ(codes_after([](File&, One& one, Keys&) { one.part = std::string(64, 'x'); }), "ani-name-end");
    EXPECT_EQ(codes_after([](File&, One& one, Keys&) { one.part = ""; }), "ani-name-empty");
    EXPECT_EQ(codes_after([](File& file, One&, Keys&) { file.animations.push_back(file.animations[0]); }),
              "ani-repeated");
    EXPECT_EQ(codes_after([&](File&, One& one, Keys&) { one.duration = nan; }), "ani-duration");
    EXPECT_EQ(codes_after([&](File&, One& one, Keys&) { one.duration = 1; }), "ani-key-late");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { std::swap(keys[1], keys[2]); }), "ani-key-order");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[1].time = 0; }), "ani-key-repeated");
    const Keys pair{{0, 1, 1, 1, 2}, {0, 0, 0, 0, 2}};
    EXPECT_EQ(codes_after([&](File&, One& one, Keys&) { one.tracks[3] = one.tracks[4] = pair; }), "");
    EXPECT_EQ(codes_after([&](File&, One& one, Keys&) {
                  one.tracks[3] = {pair[0], pair[1], pair[0]};
              }),
              "ani-key-repeated");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[0].time = -1; }), "ani-key-negative");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[0].time = -6e-8f; }), "");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[0].y = nan; }), "ani-not-finite");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[0].interpolation = 3; }), "ani-interpolation");
    EXPECT_EQ(codes_after([&](File&, One&, Keys& keys) { keys[0].interpolation = 7; }), "ani-interpolation-rare");
}

}  // namespace
}  // namespace effigy::test
