/// Runs over folders as users start them, and the scripts that share them out.

#include <sstream>
#include <unistd.h>

#include "cli/workspace.hpp"
#include "contents.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CliBatch : public Cli {
protected:
    /// Files below a folder, without what runs remember.
    [[nodiscard]] std::map<std::string, std::string> tree(const std::string& name) const {
        std::map<std::string, std::string> found;
        for (const auto& [file, content] : files()) {
            if (file.starts_with(name + "/") && file.find(".effigy-batch") == std::string::npos)
                found[file.substr(name.size())] = content;
        }
        return found;
    }
    /// Twelve models in three folders, of which one is damaged.
    void fill_tree() const {
        expect_success(
            "for f in a b c; do mkdir -p tree/$f; for n in 1 2 3 4; do cp soldier.xac tree/$f/$n.xac; done; done; "
            "cp truncated.xac tree/b/2.xac");
    }
};

TEST_F(CliBatch, ConvertsWhatIsInAFolder) {
    fill_tree();
    expect_success("cp walk.xsm tree/a");
    const Outcome first =
        run("effigy convert tree -o out/ --to glb --textures gfx --pair folder -j 2 --report report.jsonl");
    EXPECT_EQ(first.code, 1) << first.err;
    EXPECT_THAT(first.out, HasSubstr("12 files: "));
    EXPECT_THAT(first.out, HasSubstr("1 failed"));
    EXPECT_THAT(first.out, HasSubstr("[damaged-input]"));
    EXPECT_THAT(first.err, HasSubstr("failed b/2.xac"));
    EXPECT_TRUE(exists("out/c/4.glb"));
    EXPECT_FALSE(exists("out/b/2.glb"));
    EXPECT_EQ(glb_json(content("out/a/1.glb"))["animations"].size(), 1u);
    std::istringstream lines(content("report.jsonl"));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        EXPECT_TRUE(Json::parse(line).contains("findings")) << line;
    EXPECT_EQ(count, 12u);
    expect_success("cp soldier.xac tree/b/2.xac");
    EXPECT_THAT(expect_success("effigy convert tree -o out/ --to glb --textures gfx --pair folder").out,
                HasSubstr("11 unchanged"));
    expect_success("rm tree/c/4.xac");
    EXPECT_THAT(expect_success("effigy convert tree -o out --to glb --textures gfx --pair folder").out,
                HasSubstr("--prune"));
    EXPECT_THAT(expect_success("effigy convert tree -o out --to glb --textures gfx --pair folder --prune").out,
                HasSubstr("1 removed: c/4.glb"));
    EXPECT_FALSE(exists("out/c/4.glb"));
}

TEST_F(CliBatch, SpeaksToPrograms) {
    fill_tree();
    const Outcome outcome = run("effigy convert tree -o out/ --to glb --json");
    std::istringstream lines(outcome.out);
    std::map<std::string, std::size_t> events;
    Json last;
    for (std::string line; std::getline(lines, line);) {
        last = Json::parse(line);
        ++events[last["event"]];
    }
    EXPECT_EQ(events, (std::map<std::string, std::size_t>{{"plan", 1}, {"begin", 12}, {"end", 12}, {"summary", 1}}));
    EXPECT_EQ(last["failed"], 1);
    for (const auto& [command, code] : {std::pair("convert tree -o tree/ --to glb", "usage-output"),
                                        {"convert tree -o out/", "usage-option"},
                                        {"convert tree -o out/ --to fbx", "usage-option"},
                                        {"convert base -o new/ --to glb", "input-none"},
                                        {"convert none* -o new/ --to glb", "input-open"},
                                        {"render tree -o new/ --sheet", "usage-option"},
                                        {"check tree -o new/ --actor none.xac", "input-open"},
                                        {"check tree -o new/ --actor walk.xsm", "usage-option"}}) {
        const Json failure = run("effigy " + std::string(command) + " --json").json();
        EXPECT_EQ(failure["event"], "error") << command;
        EXPECT_EQ(failure["error"]["code"], code) << command;
    }
    EXPECT_EQ(run("effigy report merge notes.txt --json").json()["error"]["code"], "unknown-format");
    EXPECT_EQ(last["codes"]["damaged-input"][0], "error");
}

TEST_F(CliBatch, TellsOfMotionsThatNoModelTakes) {
    expect_success("mkdir -p tree/far && cp soldier.xac tree && for n in 1 2; do cp face.xpm tree/far/$n.xpm; done");
    const Outcome whole = expect_success("effigy convert tree -o out/ --to glb --pair folder --report report.jsonl");
    EXPECT_THAT(whole.out, HasSubstr("3 files: "));
    EXPECT_THAT(whole.out, HasSubstr("2 times in 2 files [batch-left]"));
    EXPECT_THAT(whole.err, HasSubstr("no model in the inputs takes this motion"));
    for (const char* name : {"far/1.xpm", "far/2.xpm"})
        EXPECT_THAT(content("report.jsonl"),
                    HasSubstr("{\"file\":\"" + std::string(name) + "\",\"status\":\"warned\""));
    const Outcome events = expect_success("effigy convert tree -o out/ --to glb --pair folder --json");
    EXPECT_THAT(events.out, HasSubstr("{\"event\":\"plan\",\"jobs\":3,"));
    EXPECT_THAT(events.out, HasSubstr("{\"event\":\"end\",\"file\":\"far/2.xpm\",\"status\":\"warned\""));
    EXPECT_THAT(events.out, HasSubstr("\"batch-left\":[\"warning\",2]"));
    expect_success(
        "for n in 1 2; do effigy convert tree -o shares/ --to glb --pair folder -q --shard $n/2 --report $n.jsonl; "
        "done");
    const Json merged = expect_success("effigy report merge 1.jsonl 2.jsonl --json").json();
    EXPECT_EQ(merged["jobs"], 3);
    EXPECT_EQ(merged["repeated"], 0) << "each is told of by one share";
}

TEST_F(CliBatch, ListsFindingsOfEachFileWhenAsked) {
    expect_success("mkdir -p tree/far && cp soldier.xac tree && for n in 1 2; do cp face.xpm tree/far/$n.xpm; done");
    const Outcome brief = expect_success("effigy convert tree -o out/ --to glb --pair folder");
    EXPECT_THAT(brief.err, Not(HasSubstr("out/soldier.glb: warning")));
    const Outcome whole = expect_success("effigy convert tree -o new/ --to glb --pair folder -v");
    for (const char* name : {"new/soldier.glb", "tree/far/1.xpm", "tree/far/2.xpm"})
        EXPECT_THAT(whole.err, HasSubstr("  " + std::string(name) + ": warning: ")) << name;
}

TEST_F(CliBatch, SaysNamesOnOneLine) {
    expect_success("mkdir tree && cp truncated.xac tree");
    std::filesystem::rename(path("tree/truncated.xac"), path("tree/two\nlines.xac"));
    const Outcome outcome = run("effigy convert tree -o out/ --to glb");
    EXPECT_THAT(outcome.err, HasSubstr("1/1: failed two?lines.xac\n"));
    EXPECT_THAT(outcome.err, HasSubstr("  tree/two?lines.xac: error: "));
    EXPECT_THAT(run("effigy check tree -v").out, HasSubstr("tree/two?lines.xac: error: "));
    EXPECT_THAT(run("effigy check tree").out, HasSubstr("tree/two?lines.xac"));
}

TEST_F(CliBatch, SaysWhatItNeeds) {
    expect_failure("effigy convert models -o out/", 2, {"--to"});
    expect_failure("effigy convert models -o out/ --to fbx", 2, {"fbx"});
    expect_failure("effigy convert models -o out/ --to glb --via xac", 2, {"--via"});
    expect_failure("effigy convert models -o out/ --to glb --shard 9/8", 2, {"3/8"});
    expect_failure("effigy convert models -o models/ --to glb", 2, {"the output folder is one of the inputs"});
    expect_failure("effigy convert base -o out/ --to glb", 3, {"nothing in the inputs"});
    expect_failure("effigy convert 'none*.xac' -o out/ --to glb", 3, {"none*.xac"});
    for (const std::string input : {"base -o out/", "'none*.xac' -o out/"})
        expect_failure("effigy convert " + input + " --to glb --report r.jsonl", 3, {"no report is written"});
    expect_failure("effigy convert models -o models/ --to glb --report r.jsonl", 2, {"no report is written"});
    expect_failure("effigy check models --report x.jsonl", 2, {"--output"});
    expect_failure("effigy render models -o out/ --sheet", 2, {"all.png"});
}

TEST_F(CliBatch, ChecksAndDraws) {
    fill_tree();
    expect_success("cp walk.xsm tree/a");
    EXPECT_EQ(run("effigy check tree -o findings/").code, 1);
    EXPECT_EQ(Json::parse(content("findings/b/2.xac.json"))["files"][0]["findings"][0]["code"], "truncated");
    EXPECT_TRUE(exists("findings/a/walk.xsm.json"));
    EXPECT_THAT(run("effigy check tree -o findings/").out, HasSubstr("13 unchanged"));
    const Outcome drawn = run("effigy render tree -o thumbnails/ --size 16 --samples 1");
    if (drawn.err.find("render-unavailable") != std::string::npos) GTEST_SKIP() << "nothing can be drawn here";
    EXPECT_TRUE(exists("thumbnails/c/4.png")) << drawn.err;
    EXPECT_THAT(run("effigy render tree -o thumbnails/ --size 16 --samples 1").out, HasSubstr("12 unchanged"));
}

TEST_F(CliBatch, ChecksWhatIsInCatalogs) {
    expect_success("mkdir game && cp 01.cat 01.dat 02.cat 02.dat game");
    EXPECT_LE(run("effigy check game -o findings/").code, 1);
    for (const char* name : {"01.cat", "02.cat", "index/macros.xml"})
        EXPECT_TRUE(exists(std::string("findings/") + name + ".json")) << name;
    EXPECT_LE(run("effigy check 01.cat -o one/").code, 1);
    for (const char* name : {"01.cat", "assets/units/old.xml"})
        EXPECT_TRUE(exists(std::string("one/") + name + ".json")) << name;
}

TEST_F(CliBatch, LeavesFilesThatNoRunHasMade) {
    expect_success("mkdir tree findings thumbnails && cp soldier.xac tree");
    write("findings/soldier.xac.json", "mine");
    write("thumbnails/soldier.png", "mine");
    const Outcome checked = run("effigy check tree -o findings/");
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.err, HasSubstr("--overwrite"));
    EXPECT_THAT(checked.err, HasSubstr("[output-kept]"));
    EXPECT_EQ(content("findings/soldier.xac.json"), "mine");
    expect_success("effigy check tree -o findings/ --overwrite");
    EXPECT_TRUE(Json::parse(content("findings/soldier.xac.json")).contains("files"));
    EXPECT_THAT(run("effigy check tree -o findings/").out, HasSubstr("1 unchanged"));
    EXPECT_EQ(run("effigy render tree -o thumbnails/ --size 16 --samples 1").code, 1);
    EXPECT_EQ(content("thumbnails/soldier.png"), "mine");
    write("findings/soldier.xac.json", "mine");
    expect_success("rm tree/soldier.xac && cp walk.xsm tree");
    EXPECT_THAT(expect_success("effigy check tree -o findings/ --prune").out,
                HasSubstr("1 changed since, which stays: soldier.xac.json"));
    expect_failure("effigy check tree --overwrite", 2, {"--overwrite", "folder"});
}

TEST_F(CliBatch, GoesOnAfterCtrlC) {
    fill_tree();
    expect_success(
        "for f in a b c; do for n in 5 6 7 8 9 10 11 12 13 14 15 16; do cp soldier.xac tree/$f/$n.xac; done; done");
    // The first event comes while there is much left to do.
    const Outcome outcome =
        run("mkfifo events; effigy convert tree -o out/ --to glb -j 1 --json > events & process=$!; "
            "{ head -n 3 > /dev/null; kill -INT $process; cat > rest.jsonl; } < events; wait $process");
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_THAT(content("rest.jsonl"), HasSubstr("\"event\":\"summary\""));
    EXPECT_EQ(run("effigy convert tree -o out/ --to glb -q").code, 1);
    EXPECT_EQ(run("effigy convert tree -o whole/ --to glb -q").code, 1);
    EXPECT_EQ(tree("out"), tree("whole"));
}

TEST_F(CliBatch, HasABarThatFitsTheTerminal) {
    expect_success("mkdir tree");
    const std::string name = std::string(30, 'x') + "\xc3\xa4\xc3\xa4\xc3\xa4";
    for (int number = 0; number < 40; ++number)
        expect_success("cp soldier.xac tree/" + name + std::to_string(number) + ".xac");
    const auto longest_bar = [&](const std::string& size, const std::string& output) {
        const std::string text =
            run("script -qec '" + size + "effigy convert tree -j 1 -o " + output + " --to glb' /dev/null").out;
        std::size_t longest = 0;
        const std::string begin = "\r\x1b[K[";
        for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
            at += begin.size() - 1;
            const std::string bar = text.substr(at, text.find_first_of("\r\n", at) - at);
            EXPECT_NE(static_cast<unsigned char>(bar.back()) & 0xc0U, 0xc0U) << "half a letter";
            longest = std::max(longest, bar.size());
        }
        return longest;
    };
    EXPECT_LT(longest_bar("", "a/"), 80u) << "where nobody knows the size";
    EXPECT_LT(longest_bar("stty cols 50; ", "b/"), 50u);
}

TEST_F(CliBatch, IsCancelledWhenNobodyReadsItsEvents) {
    fill_tree();
    const Outcome outcome = run("{ effigy convert tree -o out/ --to glb -j 1 --json; echo $? > code; } | head -n 1");
    EXPECT_THAT(outcome.out, HasSubstr("\"plan\""));
    EXPECT_EQ(content("code"), "4\n");
}

TEST_F(CliBatch, RefusesSwitchesThatSayNothing) {
    fill_tree();
    expect_failure("effigy convert soldier.xac -o out.glb --shard 1/2", 2, {"--shard", "folder"});
    expect_failure("effigy check tree --prune", 2, {"--prune", "folder"});
    expect_failure("effigy render soldier.xac -o out.png --fail-fast", 2, {"--fail-fast", "folder"});
    expect_failure("effigy render tree -o thumbnails/ --clip walk", 2, {"--clip"});
    EXPECT_FALSE(exists("out.glb"));
}

TEST_F(CliBatch, MergesReports) {
    const Outcome merged = expect_success("effigy report merge shard1.jsonl shard2.jsonl -o all.jsonl");
    EXPECT_THAT(merged.out, HasSubstr("3 files: 3 done"));
    EXPECT_THAT(merged.err, Not(HasSubstr("passed over")));
    const Outcome again = expect_success("effigy report merge shard1.jsonl shard1.jsonl shard2.jsonl");
    EXPECT_THAT(again.out, HasSubstr("3 files: 3 done"));
    EXPECT_THAT(again.err, HasSubstr("passed over"));
    EXPECT_EQ(expect_success("effigy report merge shard1.jsonl shard1.jsonl --json").json()["repeated"], 2);
    EXPECT_TRUE(content("all.jsonl").starts_with("{\"file\":\"a.xac\""));
    expect_success("{ cat shard1.jsonl; echo; printf '{\"file\":\"x'; } > torn.jsonl");
    const Outcome torn = expect_success("effigy report merge torn.jsonl shard2.jsonl");
    EXPECT_THAT(torn.out, HasSubstr("3 files: 3 done"));
    EXPECT_THAT(torn.err, HasSubstr("1 last line cut off"));
    EXPECT_EQ(expect_success("effigy report merge torn.jsonl shard2.jsonl --json").json()["torn"], 1);
    expect_failure("effigy report merge shard1.jsonl shard2.jsonl -o ./shard1.jsonl", 2, {"one of the reports"});
    expect_failure("effigy report merge notes.txt", 3, {"notes.txt", "line 1"});
}

/// Lines of the page that begin so and are typed into a shell.
std::string recipe_of(const std::string& page, const std::string& begin) {
    std::istringstream lines(page);
    std::string recipe;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("    " + begin)) recipe += line + "\n";
    }
    return recipe;
}

TEST_F(CliBatch, IsSharedOutByALineForEachFolder) {
    const std::string recipe = recipe_of(read_text(EFFIGY_SOURCE_DIR "/docs/batch.md"), "find models ");
    ASSERT_THAT(recipe, HasSubstr("part.top"));
    expect_success("rm -r models");
    for (const char* name : {"plain", "ends\n", "\xff\n"}) std::filesystem::create_directories(path("models") / name);
    write("models/file.xac", "");
    write("models/file\n..", "");
    expect_success(recipe);
    EXPECT_EQ(expect_success("cat part.*").out, "models/plain/**\nmodels/file.xac\n");
}

const std::string scripts = EFFIGY_SOURCE_DIR "/examples/batch/";

TEST_F(CliBatch, IsSharedOutByParallel) {
    if (run("command -v parallel").code != 0) GTEST_SKIP() << "GNU parallel is not installed";
    fill_tree();
    expect_success("rm tree/b/2.xac; effigy convert tree -o whole/ --to glb -q");
    const Outcome first = expect_success(scripts + "parallel.sh tree out 5 -j 2");
    EXPECT_THAT(first.out, HasSubstr("11 files: "));
    EXPECT_EQ(tree("out"), tree("whole"));
    EXPECT_THAT(expect_success(scripts + "parallel.sh tree out 5 -j 2").out, HasSubstr("11 unchanged"));
}

TEST_F(CliBatch, IsSharedOutBySlurm) {
    if (run("PATH=$PATH:/usr/sbin; command -v slurmctld && command -v slurmd && command -v munged").code != 0 ||
        ::geteuid() != 0)
        GTEST_SKIP() << "Slurm is not installed, or nobody is root, whom its daemon wants";
    fill_tree();
    expect_success("rm tree/b/2.xac; effigy convert tree -o whole/ --to glb -q");
    const Outcome outcome = run("bash " EFFIGY_SOURCE_DIR "/tests/cli/one_node_slurm.sh sbatch --wait --array=1-3 " +
                                scripts + "slurm.sh tree out && effigy report merge out.reports/*.jsonl");
    if (outcome.code == 77) GTEST_SKIP() << "Slurm's daemons do not start here: " << outcome.err;
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("11 files: "));
    EXPECT_EQ(tree("out"), tree("whole"));
}

}  // namespace
}  // namespace effigy::test
