/// The manual page, the completions of shells and `effigy help`: they say what --help says.

#include <regex>
#include <set>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliManual : public Cli {
protected:
    CliManual() { expect_success("effigy manual manual"); }

    /// What bash offers for the last of these words.
    std::string completed(const std::string& words, std::size_t place) const {
        write("ask", "source manual/effigy\nCOMP_WORDS=(" + words + ")\nCOMP_CWORD=" + std::to_string(place) +
                         "\n_effigy\necho \"${COMPREPLY[*]}\"\n");
        return expect_success("bash ask").out;
    }
};

const std::vector<std::string> verbs{"info", "check", "diff", "match",  "convert", "pose",   "render", "view",
                                     "dump", "build", "ls",   "unpack", "pack",    "report", "formats"};

/// "--json", "--output" ... of a verb's help, where options stand.
std::set<std::string> options_in(const std::string& help) {
    std::set<std::string> names;
    const std::regex option("\n  (?:-[a-z], )?(--[a-z0-9-]+)");
    for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match)
        names.insert((*match)[1]);
    return names;
}

std::string troff(const std::string& name) { return std::regex_replace(name, std::regex("-"), "\\-"); }

TEST_F(CliManual, HasEveryVerbAndOptionForEveryShell) {
    for (const std::string& verb : verbs) {
        const std::string page = content("manual/effigy.1");
        const std::size_t start = page.find(".SS effigy " + verb + "\n");
        ASSERT_NE(start, std::string::npos) << verb;
        const std::string section = page.substr(start, page.find("\n.S", start + 1) - start);
        const std::set<std::string> options = options_in(expect_success("effigy " + verb + " --help").out);
        EXPECT_FALSE(options.empty()) << verb;
        const std::string bash = completed("effigy " + verb + " --", 2), zsh = content("manual/_effigy"),
                          fish = content("manual/effigy.fish");
        for (const std::string& option : options) {
            EXPECT_THAT(section, HasSubstr(troff(option))) << verb;
            EXPECT_THAT(" " + bash, HasSubstr(" " + option)) << verb;
            EXPECT_THAT(zsh, HasSubstr("*" + option + "[")) << verb;
            EXPECT_THAT(fish, ::testing::ContainsRegex("from " + verb + "'[^\n]* -l " + option.substr(2) + " "))
                << verb;
        }
    }
}

TEST_F(CliManual, IsWellFormed) {
    EXPECT_TRUE(content("manual/effigy.1").starts_with(".TH EFFIGY 1 "));
    // Whatever of these the machine has.
    const Outcome lint = expect_success(
        "if command -v groff >/dev/null; then groff -man -Tutf8 -ww -z manual/effigy.1; fi\n"
        "if command -v zsh >/dev/null; then zsh -n manual/_effigy; fi\n"
        "if command -v fish >/dev/null; then fish -n manual/effigy.fish; fi\nbash -n manual/effigy");
    EXPECT_EQ(lint.err, "");
    std::istringstream lines(content("manual/effigy.1"));
    const std::regex known(R"(\.(TH|SH|SS|TP|PP|B|I|nf|fi)( .*)?)");
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(!line.starts_with('.') || std::regex_match(line, known)) << line;
}

TEST_F(CliManual, CompletesInBash) {
    EXPECT_EQ(completed("effigy conv", 1), "convert\n");
    EXPECT_EQ(completed("effigy help ren", 2), "render\n");
    EXPECT_EQ(completed("effigy convert soldier.xac --textu", 3), "--textures --textures-as\n");
    EXPECT_EQ(completed("effigy convert soldier.xac --normal-map-green ", 4), "auto flip keep\n");
    for (const char* const game : {"eu3", "tos", "x4", "spacetrader"})
        EXPECT_EQ(completed("effigy convert soldier.glb --target " + std::string(game), 4), game + std::string("\n"));
    EXPECT_EQ(completed("effigy convert sold", 2), "\n") << "files are bash's own";
}

/// Of options that take words only: what is asked for where another stands there.
TEST_F(CliManual, CompletesEveryWordThatAnOptionTakes) {
    const std::string zsh = content("manual/_effigy"), fish = content("manual/effigy.fish");
    std::size_t count = 0;
    const auto expect_words = [&](const std::string& verb, const std::string& option, const std::string& words) {
        ++count;
        EXPECT_EQ(completed("effigy " + verb + " " + option + " ''", 3), words + "\n") << verb << " " << option;
        EXPECT_THAT(zsh, HasSubstr(":(" + words + ")'")) << option;
        EXPECT_THAT(fish, ::testing::ContainsRegex("from " + verb + "'[^\n]* -l " + option.substr(2) + " [^\n]*-a '" +
                                                   words + "'"));
    };
    for (const std::string& verb : verbs) {
        for (const std::string& option : options_in(expect_success("effigy " + verb + " --help").out)) {
            const std::string said = run("effigy " + verb + " " + option + " no-such-word").err;
            std::smatch match;
            if (std::regex_search(said, match, std::regex(" " + option + ": no-such-word not in \\{([^}]*)\\}")))
                expect_words(verb, option, std::regex_replace(match[1].str(), std::regex(","), " "));
        }
    }
    EXPECT_GT(count, 20U);
    expect_words("render", "--view", "front side left right back top bottom three-quarter");
    expect_words("render", "--background", "none white black");
    expect_words("convert", "--lod", "all");
    EXPECT_THAT(completed("effigy convert soldier.xac --to ''", 4), HasSubstr(" glb gltf"));
    EXPECT_THAT(completed("effigy convert soldier.xac --via ''", 4), HasSubstr("xac "));
    EXPECT_THAT(completed("effigy diff a.glb b.glb --ignore ''", 5), HasSubstr(" extras "));
    EXPECT_EQ(completed("effigy render soldier.xac --lod ''", 4), "\n") << "one level only";
}

TEST_F(CliManual, IsWhatHelpSays) {
    EXPECT_EQ(expect_success("effigy help").out, expect_success("effigy --help").out);
    for (const std::string verb : {"convert", "ls"})
        EXPECT_EQ(expect_success("effigy help " + std::string(verb)).out,
                  expect_success("effigy " + std::string(verb) + " --help").out);
    expect_failure("effigy help convrt", 2, {"no verb convrt", "did you mean convert?"});
    EXPECT_THAT(expect_success("effigy --help").out, ::testing::Not(HasSubstr("manual")));
}

}  // namespace
}  // namespace effigy::test
