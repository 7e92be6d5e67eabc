/// `effigy dump`.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliDump : public Cli {};

TEST_F(CliDump, ShowsATree) {
    const Outcome run = expect_success("effigy dump soldier.xac");
    EXPECT_THAT(run.out, HasSubstr("\n         4         1    major_version = 1  u8\n"));
    EXPECT_THAT(run.out, HasSubstr("chunk[4] mesh\n"));
    EXPECT_THAT(run.out, HasSubstr("data = 36 bytes  vec3[]\n"));
    EXPECT_THAT(expect_success("effigy dump soldier.xac --expand").out,
                HasSubstr("data = [[0.0,0.0,0.0],[0.0,1.0,0.0],[1.0,0.0,0.0]]  vec3[]\n"));
}

TEST_F(CliDump, CoversEveryByteOnce) {
    const Json dump = expect_success("effigy dump soldier.xac --json").json();
    std::uint64_t at = 0;
    for (const Json& node : dump["value"]) {
        EXPECT_EQ(node["offset"], at);
        at += node["size"].get<std::uint64_t>();
    }
    EXPECT_EQ(at, content("soldier.xac").size());
}

TEST_F(CliDump, ShowsAHexMap) {
    const Outcome run = expect_success("effigy dump walk.xsm --hex");
    EXPECT_THAT(run.out, ::testing::StartsWith("    "));
    EXPECT_THAT(run.out, HasSubstr("00000000 58 53 4d 20 "));
}

TEST_F(CliDump, ShowsStringsOfOldCodePages) {
    Json dump = Json::parse(content("soldier.json"));
    for (Json& chunk : dump["value"]) {
        for (Json& field : chunk["value"]) {
            if (field["name"] == "actor_name") field["value"] = {{"bytes", "sKE="}};  // 0xb0 0xa1
        }
    }
    write("korean.json", dump.dump());
    expect_success("effigy build korean.json -o korean.xac --normalize");
    EXPECT_THAT(expect_success("effigy dump korean.xac --encoding CP949").out,
                HasSubstr("actor_name = \"\uac00\"  string"));
    EXPECT_THAT(expect_success("effigy dump korean.xac").out, HasSubstr("actor_name = \"\u00b0\u00a1\"  string"));
}

TEST_F(CliDump, WritesFilesWholeOrNotAtAll) {
    expect_success("effigy dump soldier.xac --json -o dumped.json");
    EXPECT_EQ(content("dumped.json"), expect_success("effigy dump soldier.xac --json").out);
    expect_failure("effigy dump soldier.xac --json -o nowhere/dumped.json", 1, {"nowhere/dumped.json: error:"});
    expect_failure("effigy dump soldier.xac --json -o gfx", 1, {"gfx: error:", "folder"});
    expect_failure("effigy dump soldier.xac -o soldier.xac", 2, {"the output is the input"});
    expect_failure("effigy dump soldier.xac -o ./gfx/../soldier.xac", 2, {"the output is the input"});
}

TEST_F(CliDump, ReadsStandardInput) {
    EXPECT_EQ(expect_success("effigy dump - --json < soldier.xac").out,
              expect_success("effigy dump soldier.xac --json").out);
}

TEST_F(CliDump, ShowsWhatIsLeftOfDamagedFiles) {
    const Outcome run = this->run("effigy dump truncated.xac --json");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, ::testing::ContainsRegex("error: .* in truncated\\.xac"));
    EXPECT_EQ(run.json()["format"], "xac");
}

TEST_F(CliDump, NamesWhatItCannotRead) {
    expect_failure("effigy dump missing.xac", 3, {"missing.xac: error:"});
    expect_failure("effigy dump empty.xac --json -o x.json", 3, {"empty.xac: error:"});
    expect_failure("effigy dump foreign.xac", 3, {"foreign.xac: error:"});
    const Json failure = expect_failure("effigy dump empty.xac --json", 3, {"empty.xac: error:"}).json();
    EXPECT_EQ(failure["error"]["code"], "unknown-format") << failure;
    EXPECT_EQ(failure["error"]["file"], "empty.xac");
    expect_failure("effigy dump models", 3, {"models: error:"});
    expect_failure("effigy dump soldier.xac --limit-memory 1KB", 4, {"limit"});
}

}  // namespace
}  // namespace effigy::test
