/// What is printed of findings: one line a code, most severe first, each on request, colours on a terminal.

#include <algorithm>

#include "cli/fixtures.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class CliFindings : public Cli {
protected:
    CliFindings() { std::filesystem::create_directory(path("many")); }

    /// A folder with a hundred files that have notes, and one with an error in the middle of them.
    void fill_folder() const {
        for (int i = 0; i < 100; ++i) std::filesystem::copy(path("unknown.xac"), path(name(i)));
        std::filesystem::copy(path("broken.xac"), path("many/050_broken.xac"));
    }
    static std::string name(int index) { return "many/" + std::to_string(100 + index).substr(1) + ".xac"; }

    static std::ptrdiff_t line_count(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
};

TEST_F(CliFindings, AFolderDoesNotBuryItsOneError) {
    fill_folder();
    const Outcome run = this->run("effigy check many");
    EXPECT_EQ(run.code, 1);
    EXPECT_LT(line_count(run.out), 10) << run.out;
    EXPECT_THAT(run.out, ::testing::StartsWith("error: A triangle refers to a vertex"));
    EXPECT_THAT(run.out.substr(0, run.out.find('\n')),
                HasSubstr("[mesh-index-range] in many/050_broken.xac at chunk[4]"));
    EXPECT_THAT(run.out,
                ContainsRegex("warning: 100 times in 100 files: .*\\[chunk-unknown\\], first in many/00\\.xac at "));
    EXPECT_THAT(run.out, HasSubstr("101 files: 1 error, "));
}

TEST_F(CliFindings, AreAllListedOnRequest) {
    fill_folder();
    const Outcome run = this->run("effigy check many --verbose");
    EXPECT_EQ(run.code, 1);
    EXPECT_GT(line_count(run.out), 100);
    EXPECT_THAT(run.out, AllOf(HasSubstr("many/050_broken.xac: error: "), HasSubstr("many/99.xac: warning: ")));
    EXPECT_THAT(expect_success("effigy info unknown.xac -v").err, HasSubstr("unknown.xac: warning: "));
    expect_failure("effigy check many -q -v", 2, {"--quiet"});
}

TEST_F(CliFindings, AreNotPrintedByAQuietCheck) {
    const Outcome run = this->run("effigy check broken.xac -q");
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out + run.err, "");
    EXPECT_EQ(this->run("effigy check broken.xac -q --json").out, this->run("effigy check broken.xac --json").out);
}

TEST_F(CliFindings, OfInfoAreJoinedOverFiles) {
    expect_success("cp unknown.xac many/a.xac && cp unknown.xac many/b.xac");
    EXPECT_THAT(expect_success("effigy info many").err, ContainsRegex("^warning: 2 times in 2 files: [^\n]*\n$"));
}

TEST_F(CliFindings, CountWhatOneOfThemStandsFor) {
    xsm::File file = walk();
    auto& keys = std::get<xsm::Submotions>(file.chunks[1].record).submotions[0].rotation_keys;
    keys = {{{0, 0, 0, 1}, 0}, {{0, 0, 0, -1}, 1}, {{0, 0, 0, 1}, 2}, {{0, 0, 0, -1}, 3}};
    for (const char* motion : {"many/a.xsm", "many/b.xsm"}) ASSERT_TRUE(xsm::write_file(file, path(motion)));
    EXPECT_THAT(run("effigy check many -v").out, HasSubstr("3 in all, this is the first."));
    EXPECT_THAT(run("effigy check many").out,
                ContainsRegex("info: 6 times in 2 files: .*way round\\. \\(.*key-sign-flip"));
}

TEST_F(CliFindings, HaveColoursOnATerminalOnly) {
    const auto on_terminal = [&](const std::string& variables) {
        return run(variables + " script -qec 'effigy check broken.xac' /dev/null").out;
    };
    EXPECT_THAT(on_terminal("NO_COLOR= TERM=xterm"), HasSubstr("\x1b[1;31merror\x1b[0m: "));
    EXPECT_THAT(on_terminal("NO_COLOR=1 TERM=xterm"), AllOf(HasSubstr("error: "), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(on_terminal("NO_COLOR= TERM=dumb"), AllOf(HasSubstr("error: "), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(run("TERM=xterm effigy check broken.xac").out, Not(HasSubstr("\x1b")));
}

TEST_F(CliFindings, EndWithWhatIsLostAndWhatToDo) {
    const Outcome noted = expect_success("effigy convert soldier.xac --no-textures -o y.glb");
    EXPECT_THAT(noted.err, HasSubstr("info: "));
    EXPECT_THAT(noted.out, HasSubstr("; 1 note; "));
    EXPECT_THAT(expect_success("effigy convert soldier.xac --textures gfx -o x.glb").out,
                HasSubstr("; nothing is lost; `effigy render x.glb -o picture.png` draws it\n"));
    EXPECT_THAT(expect_success("effigy convert soldier.xac -o copy.xac").out,
                HasSubstr("; nothing is lost; `effigy check copy.xac` looks it over\n"));
    EXPECT_THAT(expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o x.obj").out,
                HasSubstr(" warnings (obj-lost); --verbose lists each\n"));
    EXPECT_THAT(expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o x.obj -v").out,
                HasSubstr(" warnings (obj-lost); docs/diagnostics.md says what each means\n"));
    EXPECT_THAT(run("effigy convert truncated.xac --allow-damaged -o y.glb").out,
                HasSubstr("; `effigy check` says what is damaged\n"));
}

TEST_F(CliFindings, SuggestNoCommandThatAShellWouldMisread) {
    for (const char* const name : {"a;b.glb", "a&b.glb", "a*b.glb", "a\nb.glb", "a b.glb", "a$b.glb", "~.glb"})
        EXPECT_THAT(expect_success("effigy convert soldier.xac --textures gfx -o '" + std::string(name) + "'").out,
                    AllOf(HasSubstr("nothing is lost"), Not(HasSubstr("effigy render"))))
            << name;
    EXPECT_THAT(expect_success("effigy convert soldier.xac --textures gfx --output=-a.glb").out,
                Not(HasSubstr("effigy render")));
    EXPECT_THAT(expect_success("effigy convert soldier.xac --textures gfx -o ./\xc3\xa4-1_%.glb").out,
                HasSubstr("`effigy render ./\xc3\xa4-1_%.glb -o"));
}

}  // namespace
}  // namespace effigy::test
