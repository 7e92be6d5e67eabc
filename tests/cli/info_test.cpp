/// `effigy info`.

#include <sstream>
#include <unistd.h>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CliInfo : public Cli {};

TEST_F(CliInfo, ShowsAnActor) {
    const Outcome run = expect_success("effigy info soldier.xac");
    EXPECT_TRUE(run.err.empty()) << run.err;
    for (const char* line : {"file: soldier.xac\n", "format: xac\n", "    1 x mesh v1 (id 1)\n",
                             "counts: 3 nodes, 2 joints, 1 mesh, 3 vertices, 1 triangle", "  root, arm, body\n",
                             "  body, 3 vertices, 1 triangle", "  cloth, standard\n    diffuse: skin\n", "  smile\n"}) {
        EXPECT_THAT(run.out, HasSubstr(line));
    }
}

TEST_F(CliInfo, ShowsAnActorAsJson) {
    const Json json = expect_success("effigy info --json soldier.xac").json();
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["file"], "soldier.xac");
    EXPECT_EQ(json[0]["format"], "xac");
    EXPECT_EQ(json[0]["counts"]["nodes"], 3);
    EXPECT_EQ(json[0]["nodes"], Json({"root", "arm", "body"}));
    EXPECT_THAT(json[0]["chunks"],
                ::testing::Contains(Json({{"id", 11}, {"kind", "nodes"}, {"version", 1}, {"count", 1}})));
    EXPECT_EQ(json[0]["lods"].size(), 1U);
}

TEST_F(CliInfo, NamesFoldersThatMayNotBeEntered) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may enter every folder";
    expect_success("mkdir -p game/closed && cp soldier.xac game && chmod 000 game/closed");
    const Outcome run = this->run("effigy info game --json");
    expect_success("chmod 700 game/closed");
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.json().size(), 1U);
    EXPECT_THAT(run.err, HasSubstr("game/closed: error"));
}

TEST_F(CliInfo, KeepsControlCharactersFromTheTerminal) {
    const std::string escape = "\x1b[m";
    std::string actor = content("soldier.xac");
    actor.replace(actor.find("skin"), 4, "s" + escape);
    write("new.xac", actor);
    EXPECT_THAT(expect_success("effigy info new.xac").out, HasSubstr("s?[m"));
    const Outcome missing = expect_failure("effigy info 'x" + escape + "'", 3, {"x?[m"});
    EXPECT_THAT(missing.err, Not(HasSubstr("\x1b")));
}

TEST_F(CliInfo, ShowsSeveralFiles) {
    const Json json = expect_success("effigy info soldier.xac walk.xsm face.xpm walk.xsmtime --json").json();
    ASSERT_EQ(json.size(), 4U);
    EXPECT_EQ(json[1]["nodes"], Json({"root"}));
    EXPECT_EQ(json[1]["duration"], 1.0);
    EXPECT_EQ(json[2]["morph_targets"][0]["name"], "smile");
    EXPECT_EQ(json[3]["format"], "xsmtime");
    const Outcome text = expect_success("effigy info soldier.xac walk.xsm face.xpm walk.xsmtime --long");
    EXPECT_THAT(text.out, HasSubstr("\n\nfile: walk.xsm\n"));
}

TEST_F(CliInfo, SeveralFilesAreATable) {
    expect_success("effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx");
    const Outcome table = expect_success("effigy info soldier.xac walk.xsm soldier.glb walk.xsmtime");
    std::istringstream stream(table.out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 5U) << table.out;
    EXPECT_THAT(lines[0], ::testing::ContainsRegex("^file +format +extent +contents$"));
    EXPECT_THAT(lines[1], ::testing::ContainsRegex("^soldier\\.xac +xac +1 x 1 x 0 +3 nodes, 2 joints, 1 mesh"));
    EXPECT_THAT(lines[2], ::testing::ContainsRegex("^walk\\.xsm +xsm +1 s +1 "));
    EXPECT_THAT(lines[3], ::testing::ContainsRegex("^soldier\\.glb +glb +1 x 1 x 0 .*1 image"));
    EXPECT_THAT(lines[4], ::testing::ContainsRegex("^walk\\.xsmtime +xsmtime +times beside"));
    EXPECT_EQ(lines[0].find("format"), lines[3].find(" glb ") + 1);
    EXPECT_EQ(lines[1].find("1 x 1"), lines[2].find("1 s"));
    EXPECT_EQ(expect_success("effigy info soldier.xac").out, expect_success("effigy info soldier.xac --long").out);
}

TEST_F(CliInfo, ColumnsCountLettersAndNotBytes) {
    expect_success("cp soldier.xac s\xc3\xb6ldner_\xe5\xad\x97.xac");
    const std::string table = expect_success("effigy info soldier.xac s\xc3\xb6ldner_\xe5\xad\x97.xac").out;
    EXPECT_THAT(table, HasSubstr("\nsoldier.xac    xac "));
    EXPECT_THAT(table, HasSubstr("\ns\xc3\xb6ldner_\xe5\xad\x97.xac  xac "));
}

TEST_F(CliInfo, ShowsHowLargeGltfIs) {
    expect_success("effigy convert soldier.xac walk.xsm -o soldier.glb --textures gfx");
    const Json xac = expect_success("effigy info soldier.xac --json").json()[0];
    const Json glb = expect_success("effigy info soldier.glb --json").json()[0];
    EXPECT_EQ(glb["bounds"], xac["bounds"]);
    ASSERT_EQ(glb["images"].size(), 1U);
    EXPECT_EQ(glb["images"][0]["width"], 2);
    EXPECT_EQ(glb["images"][0]["height"], 2);
    EXPECT_THAT(expect_success("effigy info soldier.glb").out,
                HasSubstr("bounds: min (0.0, 0.0, 0.0), max (1.0, 1.0, 0.0)\n"));
}

TEST_F(CliInfo, SearchesFolders) {
    const Json json = expect_success("effigy info models --json").json();
    ASSERT_EQ(json.size(), 2U);
    EXPECT_EQ(json[0]["file"], "models/soldier.xac");
    EXPECT_EQ(json[1]["file"], "models/walk.xsm");
    expect_failure("effigy info gfx", 3, {"gfx", "holds no file that effigy reads"});
}

TEST_F(CliInfo, ReadsStandardInput) {
    EXPECT_EQ(expect_success("effigy info - --json < soldier.xac").json()[0]["file"], "-");
    EXPECT_EQ(expect_success("cat soldier.xac | effigy info - --json").json()[0]["counts"]["nodes"], 3);
    EXPECT_EQ(run("effigy info - - < soldier.xac").code, 2);
}

TEST_F(CliInfo, DecodesNames) {
    Json dump = Json::parse(content("soldier.json"));
    for (Json& chunk : dump["value"]) {
        for (Json& field : chunk["value"]) {
            if (field["name"] == "actor_name") field["value"] = {{"bytes", "4A=="}};  // 0xe0
        }
    }
    write("grave.json", dump.dump());
    expect_success("effigy build grave.json -o grave.xac --normalize");
    EXPECT_EQ(expect_success("effigy info grave.xac --json").json()[0]["name"], "\u00e0");
    EXPECT_EQ(expect_success("effigy info grave.xac --json --encoding CP1251").json()[0]["name"], "\u0430");
}

TEST_F(CliInfo, GivesTheHighestExitCode) {
    const Outcome damaged = run("effigy info truncated.xac soldier.xac --json");
    EXPECT_EQ(damaged.code, 1);
    EXPECT_THAT(damaged.err, ::testing::ContainsRegex("error: .* in truncated\\.xac"));
    EXPECT_EQ(damaged.json().size(), 2U);
    const Outcome both = run("effigy info truncated.xac foreign.xac soldier.xac --json");
    EXPECT_EQ(both.code, 3);
    EXPECT_EQ(both.json().size(), 2U);
    EXPECT_EQ(run("effigy info foreign.xac truncated.xac").code, 3);
}

TEST_F(CliInfo, NamesWhatItCannotRead) {
    expect_failure("effigy info missing.xac", 3, {"missing.xac: error:", "No such file"});
    expect_failure("effigy info empty.xac", 3, {"empty.xac: error:"});
    expect_failure("effigy info notes.txt", 3, {"notes.txt: error:", "effigy formats"});
    expect_failure("effigy info foreign.xac", 3, {"foreign.xac: error:", "O3DE"});
    expect_failure("effigy info missing.xsmtime", 3, {"missing.xsmtime"});
    expect_failure("effigy info soldier.xac/body.xac", 3);
}

TEST_F(CliInfo, KeepsToLimits) {
    expect_failure("effigy info soldier.xac --limit-memory 1KB", 4, {"soldier.xac: error:", "limit"});
}

TEST_F(CliInfo, WarnsUnlessQuiet) {
    EXPECT_THAT(expect_success("effigy info unknown.xac").err, HasSubstr(" in unknown.xac "));
    EXPECT_EQ(expect_success("effigy info unknown.xac --quiet").err, "");
    EXPECT_THAT(run("effigy info truncated.xac --quiet").err, ::testing::ContainsRegex("error: .* in truncated\\.xac"));
}

TEST_F(CliInfo, ListsFormats) {
    const Json json = expect_success("effigy formats --json").json();
    EXPECT_EQ(json[0]["id"], "xac");
    EXPECT_EQ(json[0]["write"], true);
    const Outcome text = expect_success("effigy formats");
    for (const Json& format : json) EXPECT_THAT(text.out, HasSubstr(format["id"].get<std::string>().append(" ")));
    expect_failure("effigy formats soldier.xac", 2);
}

}  // namespace
}  // namespace effigy::test
