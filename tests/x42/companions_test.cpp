/// animation.cfg and .skin: reading, recognising, checking.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/registry.hpp"
#include "effigy/x42.hpp"
#include "effigy/x42_companions.hpp"

#include "contents.hpp"
#include "core/json.hpp"
#include "registry/document_row.hpp"
#include "reports.hpp"
#include "x42/file/formats.hpp"

namespace effigy::x42 {
namespace {

Loaded<AnimationConfig> config_from(std::string_view text) {
    auto loaded = read_animation_config(test::bytes_of_text(text));
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : to_string(loaded.error()));
    return loaded ? std::move(*loaded) : Loaded<AnimationConfig>{};
}

Loaded<Skin> skin_from(std::string_view text) {
    auto loaded = read_skin(test::bytes_of_text(text));
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : to_string(loaded.error()));
    return loaded ? std::move(*loaded) : Loaded<Skin>{};
}

void expect_animation(const ConfigAnimation& animation, std::string_view name, int first, int count, int loop,
                      float rate, unsigned line) {
    EXPECT_EQ(animation.name, name);
    EXPECT_EQ(animation.first_frame, first);
    EXPECT_EQ(animation.frame_count, count);
    EXPECT_EQ(animation.loop_frames, loop);
    EXPECT_EQ(animation.frame_rate, rate);
    EXPECT_EQ(animation.line, line);
}

TEST(AnimationConfig, ReadsNamedLines) {
    const auto config = config_from("// a comment\n\nBOTH_DEATH1\t0 31 0 25\r\nLEGS_RUN 100 -12 12 18.5 // fast\n");
    ASSERT_EQ(config.value.animations.size(), 2u);
    expect_animation(config.value.animations[0], "BOTH_DEATH1", 0, 31, 0, 25, 3);
    expect_animation(config.value.animations[1], "LEGS_RUN", 100, -12, 12, 18.5f, 4);
    EXPECT_TRUE(config.report.empty());
}

TEST(AnimationConfig, ReadsTheOrderOfQuake) {
    const auto config = config_from("0\t31\t0\t25\t\t// BOTH_DEATH1 (dies)\n31 1 0 25\n32 -5 0 20//TORSO_DROP\n");
    ASSERT_EQ(config.value.animations.size(), 3u);
    expect_animation(config.value.animations[0], "BOTH_DEATH1", 0, 31, 0, 25, 1);
    expect_animation(config.value.animations[1], "animation1", 31, 1, 0, 25, 2);
    expect_animation(config.value.animations[2], "TORSO_DROP", 32, -5, 0, 20, 3);
}

TEST(AnimationConfig, KeepsSettings) {
    const auto config = config_from("sex m\nfootsteps\tboot\nheadoffset 0 0 4\nFIXEDLEGS\nmood bright\nRUN 0 1 0 1\n");
    const std::vector<std::pair<std::string, std::string>> expected{
        {"sex", "m"}, {"footsteps", "boot"}, {"headoffset", "0 0 4"}, {"FIXEDLEGS", ""}, {"mood", "bright"}};
    EXPECT_EQ(config.value.settings, expected);
    EXPECT_EQ(config.report.count("config-setting"), 1u);
    EXPECT_EQ(config.report.count(Severity::warning), 0u);
}

TEST(AnimationConfig, CommentsAndQuotes) {
    const auto config = config_from(
        "\xEF\xBB\xBF/* RUN 9 9 9 9\n still */ \"two words\" 1 /* in between */ 2 0 3\r\"180TURN\" 4 5 0 6\r"
        "180TURN 7 8 0 9");
    ASSERT_EQ(config.value.animations.size(), 3u);
    expect_animation(config.value.animations[0], "two words", 1, 2, 0, 3, 2);
    expect_animation(config.value.animations[1], "180TURN", 4, 5, 0, 6, 3);
    expect_animation(config.value.animations[2], "180TURN", 7, 8, 0, 9, 4);
    EXPECT_TRUE(config.report.empty());
}

TEST(AnimationConfig, NumbersAreChecked) {
    const auto config = config_from(
        "A 0 10 0 20\nB 99999999999 1 0 20\nC 0 1 0 nan\nD 0 1 0 inf\nE 0 1 0 1e99\nF 0.5 1 0 20\nG +3 4.00 0 +1.5\n"
        "H 0 1 0\nI 0 1x 0 20\n-2147483648 2147483647 0 1\n");
    ASSERT_EQ(config.value.animations.size(), 3u);
    expect_animation(config.value.animations[1], "G", 3, 4, 0, 1.5f, 7);
    expect_animation(config.value.animations[2], "animation2", -2147483647 - 1, 2147483647, 0, 1, 10);
    EXPECT_EQ(config.report.count("config-line"), 7u);
    const Diagnostic& first = config.report.diagnostics().front();
    EXPECT_EQ(first.path, "line[2]");
    EXPECT_EQ(first.offset, 12u);
    EXPECT_EQ(first.found, "B 99999999999 1 0 20");
}

TEST(AnimationConfig, ReportsWhatIsLeftOver) {
    EXPECT_EQ(config_from("RUN 0 1 0 20 21").report.count("config-line"), 1u);
    EXPECT_EQ(config_from("\"RUN 0\nWALK 0 1 0 20").report.count("config-line"), 2u);
    const auto open = config_from("RUN 0 1 0 20\n/* WALK 0 1 0 20");
    EXPECT_EQ(open.report.count("companion-comment"), 1u);
    EXPECT_EQ(open.value.animations.size(), 1u);
}

TEST(AnimationConfig, RefusesWhatIsNone) {
    for (const std::string_view text : {"", "hello\n", "1 2 3\n", "/* RUN 0 1 0 20 */", "<xml/>"}) {
        const auto loaded = read_animation_config(test::bytes_of_text(text));
        ASSERT_FALSE(loaded.has_value()) << text;
        EXPECT_EQ(loaded.error().code, "not-this-format");
    }
}

TEST(AnimationConfig, LimitsHold) {
    ReadOptions options;
    options.limits.count = 2;
    auto loaded = read_animation_config(test::bytes_of_text("A 0 1 0 1\nB 0 1 0 1\nC 0 1 0 1"), options);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, "limit-count");
    options.limits = {};
    options.limits.string = 3;
    loaded = read_animation_config(test::bytes_of_text("LONG 0 1 0 1"), options);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, "limit-string");
    options.limits = {};
    options.limits.memory = 100;
    loaded = read_animation_config(test::bytes_of_text("A 0 1 0 1\nB 0 1 0 1"), options);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, "limit-memory");
}

TEST(AnimationConfig, IsCopiedByteForByte) {
    const std::string text = "sex m\r\n\tRUN 0  1 0 20 // x\r\nnonsense\r\n";
    const auto opened = open_bytes(std::as_bytes(std::span(text)), "models/animation.cfg");
    ASSERT_TRUE(opened.has_value());
    EXPECT_EQ(opened->value.format().id, "animation-cfg");
    EXPECT_EQ(opened->value.write().value(), test::bytes_of_text(text));
    const auto built = effigy::build(opened->value.dump().value());
    ASSERT_TRUE(built.has_value());
    EXPECT_EQ(built->write().value(), test::bytes_of_text(text));
}

bool is_config(const std::string& text, std::string_view name) {
    return looks_like_config(std::as_bytes(std::span(text)).first(std::min<std::size_t>(text.size(), 4096)), name);
}

TEST(AnimationConfig, IsRecognised) {
    EXPECT_TRUE(is_config("RUN 0 10 10 20\n", "a/Animation.CFG"));
    EXPECT_TRUE(is_config("RUN 0 10 10 20\nsome other words\nand more\nand more\n", "animation.cfg"));
    EXPECT_TRUE(is_config("sex m\n0 10 10 20 // RUN\n", "hub.cfg"));
    EXPECT_TRUE(is_config("// " + std::string(5000, '-') + "\nRUN 0 10 10 20\n", "animation.cfg"));
}

TEST(AnimationConfig, OtherFilesAreNotClaimed) {
    EXPECT_FALSE(is_config("RUN 0 10 10 20\n", "animation.txt"));
    EXPECT_FALSE(is_config("", "animation.cfg"));
    EXPECT_FALSE(is_config("sex m\n", "animation.cfg"));
    EXPECT_FALSE(is_config("bind w +forward\nseta cl_fps 125\nseta color 1 1 1 1\n", "autoexec.cfg"));
    EXPECT_FALSE(is_config("[video]\nwidth=1024\n", "video.cfg"));
    EXPECT_FALSE(is_config("1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", "matrix.cfg"));
    EXPECT_FALSE(is_config("color 255 255 255 1\nname x\nsize big\n", "other.cfg"));
    EXPECT_FALSE(is_config(std::string("RUN 0 10 10 20\n\0\x01", 17), "animation.cfg"));
    // A line that the head cuts is no proof.
    EXPECT_FALSE(is_config("some text\n" + std::string(4070, ' ') + "RUN 0 10 10 20", "other.cfg"));
}

TEST(SkinFile, ReadsSurfacesAndTags) {
    const auto skin = skin_from(
        "l_legs,models/players/a/legs.tga\r\ntag_head,\n  \"u torso\" , \"my path/x\" // no\n\nTAG_WEAPON\n"
        "h_head models//head\nx,//gone\n");
    const std::vector<std::pair<std::string, std::string>> expected{{"l_legs", "models/players/a/legs.tga"},
                                                                    {"tag_head", ""},
                                                                    {"u torso", "my path/x"},
                                                                    {"TAG_WEAPON", ""},
                                                                    {"h_head", "models//head"},
                                                                    {"x", ""}};
    EXPECT_EQ(skin.value.surfaces, expected);
    ASSERT_EQ(skin.report.count("skin-line"), 1u);  // x has no shader
    EXPECT_EQ(skin.report.diagnostics()[0].message, "a surface has no shader; it is not drawn");
}

TEST(SkinFile, ReportsLinesThatMeanNothing) {
    const auto skin = skin_from("a,b\n,c\nonly\nd,e,f\ng,h i\n\"j,k\nl,m\n");
    const std::vector<std::pair<std::string, std::string>> expected{{"a", "b"}, {"d", "e"}, {"g", "h"}, {"l", "m"}};
    EXPECT_EQ(skin.value.surfaces, expected);
    EXPECT_EQ(skin.report.count("skin-line"), 6u);  // the open quote by itself and its line
    EXPECT_EQ(skin.report.diagnostics().front().offset, 4u);
}

TEST(SkinFile, RefusesWhatIsNone) {
    for (const std::string& text : {std::string(), std::string("hello\n"), std::string("a,b\n\0", 5)}) {
        const auto loaded = read_skin(test::bytes_of_text(text));
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, "not-this-format");
    }
}

bool is_skin(const std::string& text, std::string_view name) {
    return looks_like_skin(std::as_bytes(std::span(text)), name);
}

TEST(SkinFile, IsRecognised) {
    EXPECT_TRUE(is_skin("l_legs,models/x.tga\n", "default.skin"));
    EXPECT_TRUE(is_skin("// c\ntag_head,\n", "A/HUB.SKIN"));
    EXPECT_FALSE(is_skin("l_legs,models/x.tga\n", "default.txt"));
    EXPECT_FALSE(is_skin("[General]\nname=x\nfont=Arial, 12\n", "winamp.skin"));
    EXPECT_FALSE(is_skin("<skin><window x=\"1\"/></skin>\n", "other.skin"));
    EXPECT_FALSE(is_skin(std::string("a,b\n\x03\0", 6), "other.skin"));
    EXPECT_FALSE(is_skin("PK\x03\x04 a,b\n", "other.skin"));
}

// Checks

Document model_document() {
    File model;
    File* const file = &model;
    const std::string_view strings("\0L_Legs\0u_torso\0tag_eye\0", 23);
    file->strings.assign(strings.begin(), strings.end());
    file->strings.push_back('\0');
    file->header.frame_count = 50;
    file->header.base_frame = 10;
    file->groups.resize(2);
    file->groups[0] = {};
    file->groups[1] = {};
    file->groups[0].surface = 1;
    file->groups[1].surface = 8;
    file->tags.push_back({16, 0, identity});
    return document_of<ModelFormat>(std::move(model));
}

TEST(AnimationConfig, IsChecked) {
    const auto config = config_from("RUN 0 10 0 20\nrun 0 0 0 20\nA 0 -5 6 20\nB 0 1 -1 0\nC 0 1 0 1000\n").value;
    const Report report = ConfigFormat::check(config, {});
    const std::vector<std::string> expected{"config-name-repeated", "config-frame-count", "config-loop",
                                            "config-frame-rate",    "config-loop",        "config-frame-rate"};
    EXPECT_EQ(test::codes_of(report), expected);
    EXPECT_EQ(report.diagnostics()[2].path, "animation[2]");
    EXPECT_EQ(report.diagnostics()[2].offset, 27u);
}

TEST(AnimationConfig, IsCheckedAgainstTheModel) {
    const Document model = model_document();
    const CheckContext context{.model = &model};
    const auto config =
        config_from("A 10 50 0 20\nB 10 51 0 20\nC 9 2 0 20\nD 59 -1 0 20\nE 2147483647 -2147483648 0 1").value;
    const Report report = ConfigFormat::check(config, context);
    EXPECT_EQ(report.count("config-frame-range"), 3u);
    EXPECT_EQ(report.diagnostics()[0].found, "'B': 10 to 60");
    EXPECT_EQ(report.diagnostics()[0].expected, "10 to 59");
}

TEST(SkinFile, IsChecked) {
    const auto skin = skin_from("l_legs,a\nl_LEGS,b\nother,c\ntag_EYE,\ntag_hand,\n").value;
    EXPECT_EQ(test::codes_of(SkinFormat::check(skin, {})), std::vector<std::string>{"surface-repeated"});
    const Document model = model_document();
    const CheckContext context{.model = &model};
    const Report report = SkinFormat::check(skin, context);
    const std::vector<std::string> expected{"surface-repeated", "surface-unknown", "skin-tag-unknown",
                                            "surface-unnamed"};
    EXPECT_EQ(test::codes_of(report), expected);
    EXPECT_EQ(report.diagnostics()[0].offset, 9u);
    EXPECT_EQ(report.diagnostics()[3].found, "'u_torso'");
}

TEST(Companions, Info) {
    const Json config = ConfigFormat::info(config_from("sex m\nR\xFCN 0 10 5 20\n").value, {});
    EXPECT_EQ(config["counts"]["animations"], 1);
    EXPECT_EQ(config["settings"][0], (Json{{"name", "sex"}, {"value", "m"}}));
    EXPECT_EQ(config["animations"][0]["name"], "R\xC3\xBCN");
    EXPECT_EQ(config["animations"][0]["loop_frames"], 5);
    const Json skin = SkinFormat::info(skin_from("a,b\ntag_x,\n").value, {});
    EXPECT_EQ(skin["surfaces"], Json::array({Json{{"surface", "a"}, {"shader", "b"}}}));
    EXPECT_EQ(skin["tags"], Json::array({"tag_x"}));
}

TEST(Companions, LongFilesAreReadInOneGo) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "/* \" // \n";
    text += "*/ RUN 0 1 0 1\n";
    for (int i = 0; i < 200'000; ++i) text += "\"";
    for (int i = 0; i < 200'000; ++i) text += " a";
    const auto config = config_from(text);
    EXPECT_EQ(config.value.animations.size(), 1u);
}

}  // namespace
}  // namespace effigy::x42
