/// X42 models and what goes with them, as their users meet them.

#include "cli/workspace.hpp"
#include "contents.hpp"

namespace effigy::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path reference = std::filesystem::path(EFFIGY_SOURCE_DIR) / "tests/x42/reference";

class CliX42 : public Cli {
protected:
    void SetUp() override { std::filesystem::copy_file(reference / "be_full.x42", path("big.x42")); }

    [[nodiscard]] std::vector<std::string> clips_of(const std::string& glb) const {
        std::vector<std::string> names;
        const Json json = glb_json(content(glb));
        if (json.contains("animations"))
            for (const Json& animation : json["animations"]) names.push_back(animation["name"]);
        return names;
    }

    /// Seconds to the last key of the animation of that name.
    [[nodiscard]] double length_of(const std::string& glb, const std::string& clip) const {
        const Json json = glb_json(content(glb));
        double last = 0;
        for (const Json& animation : json["animations"]) {
            if (animation["name"] != clip) continue;
            for (const Json& sampler : animation["samplers"]) {
                const Json& times = json["accessors"][sampler["input"].get<std::size_t>()];
                last = std::max(last, times["max"][0].get<double>());
            }
        }
        return last;
    }
};

TEST_F(CliX42, ConvertsWithTheModelsOwnAnimation) {
    const Outcome outcome = expect_success("effigy convert trader.x42 -o trader.glb");
    EXPECT_THAT(outcome.out, HasSubstr("wrote trader.glb"));
    const Json json = glb_json(content("trader.glb"));
    EXPECT_EQ(json["animations"].size(), 1U);
    EXPECT_THAT(json["extensionsUsed"], Contains("MSFT_lod"));
    EXPECT_EQ(json["asset"]["extras"]["effigy"]["source"]["format"], "x42");
    EXPECT_EQ(json["skins"].size(), 1U);
}

TEST_F(CliX42, TakesAnimationsFromTheGamesSideFile) {
    expect_success("effigy convert trader.x42 animation.cfg -o trader.glb");
    const auto clips = clips_of("trader.glb");
    EXPECT_THAT(clips, Contains("BOTH_WAVE"));
    EXPECT_THAT(clips, Contains("LEGS_BACK"));
    EXPECT_NEAR(length_of("trader.glb", "BOTH_WAVE"), 9 / 20.0, 1e-6);
    EXPECT_NEAR(length_of("trader.glb", "LEGS_BACK"), 4 / 10.0, 1e-6);
}

TEST_F(CliX42, SaysWhatLiesBesideTheModel) {
    EXPECT_THAT(expect_success("effigy convert trader.x42 -o trader.glb").err,
                HasSubstr("animation.cfg, default.skin"));
    EXPECT_THAT(expect_success("effigy convert trader.x42 animation.cfg -o trader.glb").err,
                AllOf(HasSubstr("(found default.skin)"), HasSubstr("x42-beside")));
    EXPECT_THAT(expect_success("effigy convert trader.x42 animation.cfg default.skin -o trader.glb").err,
                Not(HasSubstr("x42-beside")));
}

TEST_F(CliX42, FpsSetsTheRateOfAllAnimations) {
    expect_success("effigy convert trader.x42 animation.cfg --fps 5 -o trader.glb");
    EXPECT_NEAR(length_of("trader.glb", "BOTH_WAVE"), 9 / 5.0, 1e-6);
    expect_failure("effigy convert trader.x42 --fps 0 -o out.glb", 2, {"--fps"});
}

TEST_F(CliX42, FpsHoldsOnTheWayBack) {
    expect_success("effigy convert trader.x42 --fps 60 -o fast.glb");
    expect_success("effigy convert fast.glb -o fast.x42");
    expect_success("effigy convert fast.x42 -o again.glb");
    const std::string clip = clips_of("fast.glb").front();
    EXPECT_NEAR(length_of("again.glb", clip), length_of("fast.glb", clip), 1e-6);
    expect_success("effigy convert trader.x42 -o plain.glb && effigy convert plain.glb -o back.x42");
    EXPECT_EQ(content("back.x42"), content("trader.x42"));
    EXPECT_NE(content("fast.x42"), content("trader.x42"));
}

TEST_F(CliX42, SaysThatClipsOfTheSideFileAreLeftOut) {
    expect_success("effigy convert trader.x42 animation.cfg -o trader.glb");
    const Outcome left = expect_success("effigy convert trader.glb -o back.x42");
    EXPECT_THAT(left.err, AllOf(HasSubstr("x42-config-left-out"), HasSubstr("BOTH_WAVE")));
    EXPECT_THAT(left.err, HasSubstr("--animation-config"));
    std::filesystem::create_directory(path("there"));
    EXPECT_THAT(expect_success("effigy convert trader.glb -o there/both.x42 --animation-config").err,
                Not(HasSubstr("x42-config-left-out")));
}

// There is one animation.cfg in a folder, whatever its models are called.
TEST_F(CliX42, ANewModelDoesNotTakeAnothersSideFile) {
    expect_success("effigy convert trader.x42 animation.cfg -o trader.glb");
    const std::string convert = "effigy convert trader.glb --fps 7 --animation-config -q -o ";
    const std::string config = content("animation.cfg");
    expect_failure(convert + "other.x42", 1, {"animation.cfg", "output-kept", "--overwrite"});
    expect_success(convert + "other.x42 --overwrite");
    EXPECT_NE(content("animation.cfg"), config);
    // What is made anew is made anew as a whole.
    write("animation.cfg", config);
    expect_success(convert + "other.x42");
    EXPECT_NE(content("animation.cfg"), config);
}

TEST_F(CliX42, ASkinNamesTheShaders) {
    expect_success("effigy convert trader.x42 default.skin -o trader.glb");
    std::vector<std::string> names;
    const Json json = glb_json(content("trader.glb"));
    for (const Json& material : json["materials"]) names.push_back(material["name"]);
    EXPECT_THAT(names, Contains("models/players/trader/coat"));
}

TEST_F(CliX42, CopiesAreByteExact) {
    expect_success("effigy convert trader.x42 -o copy.x42");
    EXPECT_EQ(content("copy.x42"), content("trader.x42"));
    expect_success("effigy dump big.x42 --json > big.json");
    expect_success("effigy build big.json -o copy2.x42");
    EXPECT_EQ(content("copy2.x42"), content("big.x42"));
    expect_success("effigy convert animation.cfg -o copy.cfg");
    EXPECT_EQ(content("copy.cfg"), content("animation.cfg"));
}

TEST_F(CliX42, BothByteOrdersMeanTheSame) {
    expect_success("mkdir one two && cp trader.x42 one/model.x42 && cp big.x42 two/model.x42");
    expect_success("effigy convert one/model.x42 -o one/model.obj");
    expect_success("effigy convert two/model.x42 -o two/model.obj");
    EXPECT_EQ(content("one/model.obj"), content("two/model.obj"));
}

TEST_F(CliX42, OtherVersionsOnRequest) {
    expect_success("effigy convert trader.x42 -o six.x42 --x42-version 6");
    EXPECT_EQ(content("six.x42").substr(4, 4), std::string("\x66\0\0\0", 4));
    expect_success("effigy convert six.x42 -o six.glb");
    expect_success("effigy convert six.x42 -o five.x42 --x42-version 5");
    EXPECT_EQ(content("five.x42"), content("trader.x42"));
    expect_failure("effigy convert trader.x42 -o out.glb --x42-version 6", 2, {"--x42-version"});
    expect_failure("effigy convert trader.x42 -o out.x42 --x42-version 4", 2, {"--x42-version"});
    expect_failure("effigy convert trader.x42 -o out.x42 --x42-version six", 2, {"six not in {5,6}"});
    EXPECT_THAT(expect_success("effigy check six.x42").out, HasSubstr("[x42-version] in six.x42 at version, offset 4"));
}

TEST_F(CliX42, WhatCannotBecomeVersion5IsNamed) {
    std::string odd = content("trader.x42") + "no targets";
    odd[4] = 102;
    write("odd.x42", odd);
    expect_failure("effigy convert odd.x42 -o five.x42 --x42-version 5", 1, {"odd.x42: error: ", "can only be copied"});
    expect_success("effigy convert odd.x42 -o copy.x42");
    EXPECT_EQ(content("copy.x42"), odd);
}

TEST_F(CliX42, OldVersionsAreNamed) {
    std::string old = content("trader.x42");
    old[4] = 4;
    write("old.x42", old);
    expect_failure("effigy info old.x42", 3, {"4", "old.x42"});
    expect_failure("effigy convert old.x42 -o old.glb", 3, {"4"});
}

TEST_F(CliX42, ACutFileIsConvertedOnlyOnRequest) {
    write("cut.x42", content("trader.x42").substr(0, 3500));
    expect_failure("effigy convert cut.x42 -o cut.glb", 1, {"truncated", "--allow-damaged"});
    EXPECT_EQ(run("effigy check cut.x42").code, 1);
    expect_success("effigy convert trader.x42 -o whole.glb");
    EXPECT_EQ(run("effigy convert cut.x42 --allow-damaged -o cut.glb").code, 1);
}

/// What is written is no failure: the rest of such a model is shown.
TEST_F(CliX42, AKeyOfNoBoneIsLeftOut) {
    std::string model = read_text(reference / "le_full.x42");
    model[763] = 0x20;  // key 5 is of bone 8192
    write("astray.x42", model);
    EXPECT_EQ(run("effigy check astray.x42").code, 1);
    const Outcome outcome = expect_success("effigy convert astray.x42 -o astray.glb");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("warning: "), HasSubstr("[x42-keys-left-out]")));
    EXPECT_EQ(clips_of("astray.glb").size(), 1U);
}

TEST_F(CliX42, ShowsEveryByte) {
    const Outcome outcome = expect_success("effigy dump trader.x42 --hex");
    EXPECT_THAT(outcome.out, HasSubstr("48 57 34 32"));
    EXPECT_THAT(outcome.out, HasSubstr("bone[6]"));
    EXPECT_THAT(outcome.out, HasSubstr("influence"));
}

TEST_F(CliX42, ChecksSideFilesAgainstTheModel) {
    EXPECT_EQ(expect_success("effigy check animation.cfg --actor trader.x42 --json").json()["files"].size(), 1U);
    write("late.cfg", "BOTH_LATE 100 50 0 20\n");
    const Outcome outcome = run("effigy check late.cfg --actor trader.x42");
    EXPECT_THAT(outcome.out, HasSubstr("late.cfg"));
    EXPECT_THAT(outcome.out, HasSubstr("BOTH_LATE"));
}

TEST_F(CliX42, ChecksSideFilesAgainstTheModelBesideThem) {
    expect_success("mkdir -p one && cp trader.x42 one");
    write("one/late.cfg", "BOTH_LATE 100 50 0 20\n");
    EXPECT_THAT(expect_success("effigy check one").out, HasSubstr("config-frame-range"));
    expect_success("cp trader.x42 one/second.x42");
    EXPECT_THAT(expect_success("effigy check one").out, Not(HasSubstr("config-frame-range")));
}

TEST_F(CliX42, ASideFileAloneShowsNothing) {
    expect_failure("effigy convert animation.cfg -o out.glb", 1, {"name the .x42 as an input"});
}

TEST_F(CliX42, InfoSaysLoopsInWords) {
    const Outcome outcome = expect_success("effigy info trader.x42");
    EXPECT_THAT(outcome.out, HasSubstr("loop (start "));
    EXPECT_THAT(outcome.out, Not(HasSubstr("{\"")));
}

TEST_F(CliX42, SettingsOfOtherProgramsAreNotInputs) {
    write("settings.cfg", "volume 5\nbind x \"quit\"\n");
    expect_failure("effigy info settings.cfg", 3);
}

TEST_F(CliX42, IsPosedAndDrawn) {
    expect_success("effigy pose trader.x42 --time 0.2 -o posed.obj");
    EXPECT_THAT(content("posed.obj"), HasSubstr("\nf "));
}

}  // namespace
}  // namespace effigy::test
