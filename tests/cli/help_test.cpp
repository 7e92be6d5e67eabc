/// What the program says about itself, and about command lines that it does not understand.

#include <sstream>

#include "effigy/render.hpp"

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class CliHelp : public Cli {};

const std::vector<std::string> verbs{"info", "check", "diff", "match",  "convert", "pose",   "render", "view",
                                     "dump", "build", "ls",   "unpack", "pack",    "report", "formats"};

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> examples_of(const std::string& help) {
    std::vector<std::string> examples;
    bool inside = false;
    for (const std::string& line : lines_of(help)) {
        if (inside && line.starts_with("  ")) examples.push_back(line);
        inside = line == "Examples:" || (inside && line.starts_with("  "));
    }
    return examples;
}

std::string of_verb(const std::string& verb) { return "effigy" + (verb.empty() ? "" : " " + verb) + " --help"; }

class CliHelpOf : public Cli, public ::testing::WithParamInterface<std::string> {};

TEST_P(CliHelpOf, FitsThePage) {
    const Outcome help = expect_success(of_verb(GetParam()));
    EXPECT_TRUE(help.err.empty()) << help.err;
    EXPECT_THAT(help.out, HasSubstr("Usage: effigy"));
    for (const std::string& line : lines_of(help.out)) {
        EXPECT_LE(line.size(), 100U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST_P(CliHelpOf, HasExamplesThatRun) {
    if (GetParam() == "render" && !render::missing_component().empty()) GTEST_SKIP() << render::missing_component();
    const std::vector<std::string> examples = examples_of(expect_success(of_verb(GetParam())).out);
    EXPECT_FALSE(examples.empty());
    for (const std::string& example : examples) {
        EXPECT_THAT(example, HasSubstr("effigy ")) << example;
        const Outcome result = expect_success(example);
        EXPECT_THAT(result.err, Not(HasSubstr(": error: "))) << example;
    }
}

std::string name_of(const ::testing::TestParamInfo<std::string>& tested) {
    return tested.param.empty() ? "program" : tested.param;
}

INSTANTIATE_TEST_SUITE_P(All, CliHelpOf,
                         ::testing::Values("", "info", "check", "diff", "match", "convert", "pose", "render", "view",
                                           "dump", "build", "ls", "unpack", "pack", "report", "formats"),
                         name_of);

TEST_F(CliHelp, ListsEveryVerb) {
    const Outcome help = expect_success("effigy --help");
    for (const std::string& verb : verbs)
        EXPECT_THAT(lines_of(help.out), Contains(::testing::StartsWith("  " + verb + " ")));
}

TEST_F(CliHelp, IsShownWithoutArguments) {
    const Outcome run = expect_failure("effigy", 2, {"Usage: effigy", "convert"});
    EXPECT_TRUE(run.out.empty());
}

TEST_F(CliHelp, NamesTheVersion) {
    EXPECT_THAT(expect_success("effigy --version").out, ::testing::MatchesRegex("effigy [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(CliHelp, SuggestsVerbs) {
    expect_failure("effigy convrt soldier.xac -o x.glb", 2, {"no verb convrt", "did you mean convert?"});
    expect_failure("effigy frobnicate soldier.xac", 2,
                   {"no verb frobnicate", "the verbs are info, check, diff, match, convert"});
    expect_failure("effigy --jsn", 2, {"no option --jsn"});
}

TEST_F(CliHelp, SuggestsOptions) {
    expect_failure("effigy convert soldier.xac --resampel 30 -o x.glb", 2,
                   {"no option --resampel", "did you mean --resample?", "--help"});
    expect_failure("effigy convert soldier.xac --texture=gfx", 2, {"no option --texture", "did you mean --textures?"});
    expect_failure("effigy info --jsom soldier.xac", 2, {"did you mean --json?"});
    expect_failure("effigy info soldier.xac --frobnicate", 2, {"no option --frobnicate"});
    expect_failure("effigy dump soldier.xac walk.xsm", 2, {"no argument walk.xsm"});
}

TEST_F(CliHelp, SaysWhatIsMissing) {
    expect_failure("effigy info", 2, {"effigy info: ", "PATH"});
    expect_failure("effigy dump", 2, {"FILE"});
    expect_failure("effigy check", 2, {"PATH"});
    expect_failure("effigy build soldier.json", 2, {"--output"});
    expect_failure("effigy convert soldier.xac", 2, {"--output", "`effigy convert --help`"});
    expect_failure("effigy convert -o x.glb", 2, {"INPUT"});
    expect_failure("effigy convert soldier.xac -o", 2, {"--output"});
}

TEST_F(CliHelp, RefusesValuesThatDoNotFit) {
    const std::string convert = "effigy convert soldier.xac -o x.glb ";
    expect_failure(convert + "--lod high", 2, {"--lod", "a level"});
    expect_failure(convert + "--lod -1", 2);
    expect_failure(convert + "--resample 0", 2, {"--resample"});
    expect_failure(convert + "--resample soon", 2, {"--resample"});
    expect_failure(convert + "--resample nan", 2, {"--resample"});
    expect_failure(convert + "--morph-normal-range 3", 2, {"--morph-normal-range"});
    expect_failure(convert + "--normal-map-green up", 2, {"--normal-map-green"});
    expect_failure(convert + "--encoding Klingon", 2, {"--encoding", "Klingon", "iconv -l"});
    expect_failure(convert + "--limit-memory much", 2, {"--limit-memory"});
    expect_failure(convert + "--limit-memory -1", 2, {"--limit-memory", "a size is needed"});
    expect_failure(convert + "--textures nowhere", 2, {"--textures", "nowhere"});
    expect_failure(convert + "--textures gfx --no-textures", 2, {"--textures"});
    expect_failure("effigy check soldier.xac --severity dreadful", 2, {"--severity"});
    expect_failure("effigy check soldier.xac --json --sarif", 2, {"--sarif"});
    expect_failure("effigy dump soldier.xac --json --hex", 2, {"--hex"});
    expect_failure("effigy dump soldier.xac --expand --hex", 2, {"--hex"});
}

}  // namespace
}  // namespace effigy::test
