/// `effigy build`.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliBuild : public Cli {};

TEST_F(CliBuild, GivesTheVeryBytes) {
    for (const std::string name : {"soldier.xac", "hair.xac", "walk.xsm", "face.xpm", "unknown.xac", "broken.xac"}) {
        expect_success("effigy dump " + name +
                       " --json --quiet -o dump.json && effigy build dump.json -o built && cmp built " + name);
        expect_success("effigy dump " + name + " --json --expand --quiet | effigy build - -o - | cmp - " + name);
    }
}

TEST_F(CliBuild, IsQuietAsOtherVerbsAre) { expect_success("effigy build soldier.json -o x.xac -q"); }

TEST_F(CliBuild, GivesTheVeryBytesOfDamagedFiles) {
    EXPECT_EQ(run("effigy dump truncated.xac --json -o dump.json").code, 1);
    expect_success("effigy build dump.json -o built && cmp built truncated.xac");
}

TEST_F(CliBuild, RefusesWrongCountsUnlessNormalizing) {
    Json dump = Json::parse(content("soldier.json"));
    for (Json& chunk : dump["value"]) {
        if (chunk["name"] != "chunk[1] nodes") continue;
        Json& fields = chunk["value"];
        fields.push_back(fields.back());
        for (Json& field : fields.back()["value"]) {
            if (field["name"] == "name") field["value"] = "sword";
        }
    }
    write("edited.json", dump.dump());
    expect_failure("effigy build edited.json -o edited.xac", 1, {"edited.json: error:", "--normalize"});
    expect_success("effigy build edited.json -o edited.xac --normalize");
    EXPECT_EQ(expect_success("effigy info edited.xac --json").json()[0]["nodes"],
              Json({"root", "arm", "body", "sword"}));
}

TEST_F(CliBuild, NamesWhatIsNoDump) {
    write("broken.json", "{\"effigy_dump\": 1,");
    write("other.json", "{}");
    write("newer.json", R"({"effigy_dump": 2, "format": "xac", "value": []})");
    expect_failure("effigy build broken.json -o x.xac", 3, {"broken.json: error:", "not valid JSON"});
    expect_failure("effigy build other.json -o x.xac", 3, {"effigy dump FILE --json"});
    expect_failure("effigy build newer.json -o x.xac", 3, {"version"});
    expect_failure("effigy build soldier.xac -o x.xac", 3, {"soldier.xac: error:"});
    expect_failure("effigy build missing.json -o x.xac", 3, {"missing.json: error:"});
    expect_failure("effigy build models -o x.xac", 3, {"models: error:"});
    expect_failure("effigy build - -o x.xac", 3);
}

TEST_F(CliBuild, LeavesNothingWhereItCannotWrite) {
    expect_failure("effigy build soldier.json -o nowhere/x.xac", 1, {"nowhere/x.xac: error:"});
    expect_failure("effigy build soldier.json -o gfx", 1, {"gfx: error:"});
    expect_failure("effigy build soldier.json -o soldier.json", 2, {"inputs are never changed"});
}

TEST_F(CliBuild, KeepsToLimits) {
    expect_failure("effigy build soldier.json -o x.xac --limit-memory 1KB", 4, {"limit"});
    expect_failure("effigy build - -o x.xac --limit-memory 1KB < soldier.json", 4, {"limit"});
}

}  // namespace
}  // namespace effigy::test
