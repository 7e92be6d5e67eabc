/// Switches: each is declared once, and whatever is given is compared with that.

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "effigy/convert.hpp"
#include "effigy/version.hpp"

#include "contents.hpp"

namespace effigy::test {
namespace {

using testing::HasSubstr;

Result<void> check(const OptionValues& values) { return check_options(values, Registry::standard().options()); }

TEST(Options, FitTheirDeclarations) {
    EXPECT_TRUE(check({}));
    EXPECT_TRUE(check({{"lod", "all"}, {"max-error", "0.5"}, {"target", "eu3"}, {"textures", "a"}, {"textures", "b"}}));
    EXPECT_TRUE(check({{"target", "x4"}})) << "of several declarations of a name, one is enough";
    const std::map<std::pair<std::string, std::string>, std::string> wrong{
        {{"lod", "high"}, "a level"},
        {{"lod", "1.5"}, "a level"},
        {{"max-error", "-1"}, "between 0 and 1000"},
        {{"target", "doom"}, "x4, "},
        {{"bones", "2"}, "between 4"},
        {{"retarget", "perhaps"}, "true or false"},
        {{"resample", "nan"}, "frames a"},
        {{"resample", ""}, "frames a"},
        {{"arp-twist", "some"}, "none, joints, bake"},
        {{"no-such-thing", "1"}, "no switch"}};
    for (const auto& [given, expected] : wrong) {
        const auto checked = check({{given.first, given.second}});
        ASSERT_FALSE(checked) << given.first;
        EXPECT_EQ(checked.error().code, "usage-option");
        EXPECT_THAT(to_string(checked.error()), HasSubstr(expected)) << given.first;
    }
    EXPECT_FALSE(check({{"lod", "1"}, {"lod", "2"}}));
}

TEST(Options, SayOnceWhatIsWrongAndWhatIsRight) {
    const Diagnostic level = check({{"lod", "high"}}).error();
    EXPECT_EQ(level.message, "--lod does not take this value");
    EXPECT_EQ(level.found, "high");
    EXPECT_EQ(level.expected, "a level (0, 1, ...) or all");
    const Diagnostic game = check({{"target", "moon"}}).error();
    EXPECT_EQ(game.message, "--target does not take this value");
    for (const char* one : {"victoria2", "x4", "xrebirth", "spacetrader"})
        EXPECT_THAT(game.expected, HasSubstr(one)) << "games of all families";
    EXPECT_EQ(game.expected.find("xrebirth"), game.expected.rfind("xrebirth"));
    const Diagnostic twice = check({{"lod", "1"}, {"lod", "2"}}).error();
    EXPECT_EQ(twice.message, "--lod: it is given once only");
    EXPECT_EQ(twice.expected, "");
}

TEST(Options, InputsAreNeeded) {
    const auto none = convert({}, OutputFiles("x.glb"), {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, "usage-input");
    EXPECT_THAT(none.error().message, HasSubstr("no inputs"));
}

TEST(Options, MayNeedAnother) {
    OptionValues values;
    values.set("quality", "50");
    const auto alone = check(values);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().code, "usage-option");
    EXPECT_NE(alone.error().message.find("it needs --wavelets"), std::string::npos) << alone.error().message;
    values.set("wavelets", "haar");
    EXPECT_TRUE(check(values));
}

TEST(Options, SayWhatTheyAreFor) {
    std::map<std::string, OptionDeclaration> by_name;
    for (const DeclaredOption& option : Registry::standard().options()) {
        const OptionDeclaration& declaration = option.declaration;
        SCOPED_TRACE(declaration.name);
        EXPECT_FALSE(declaration.help.empty());
        EXPECT_FALSE(declaration.help.ends_with('.'));
        EXPECT_TRUE(declaration.reads || declaration.writes);
        EXPECT_EQ(declaration.argument.empty(), declaration.type == OptionType::flag);
        if (!declaration.default_value.empty() && declaration.type != OptionType::text) {
            EXPECT_EQ(option_problem(declaration, declaration.default_value), "");
        }
        const auto [known, is_new] = by_name.try_emplace(std::string(declaration.name), declaration);
        EXPECT_TRUE(known->second.type == declaration.type && known->second.help == declaration.help)
            << "two families say different things of one name";
    }
}

TEST(Options, ThePageIsUpToDate) {
    const std::string path = EFFIGY_SOURCE_DIR "/docs/options.md";
    if (std::getenv("EFFIGY_RENEW") != nullptr) std::ofstream(path, std::ios::binary) << options_page();
    EXPECT_TRUE(read_text(path) == options_page())
        << "docs/options.md is stale: EFFIGY_RENEW=1 test_convert writes it anew";
}

TEST(Options, TheVersionIsThatOfTheBuild) {
    EXPECT_THAT(read_text(EFFIGY_SOURCE_DIR "/CMakeLists.txt"),
                HasSubstr("project(effigy VERSION " + std::string(version) + " "));
}

}  // namespace
}  // namespace effigy::test
