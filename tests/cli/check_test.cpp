/// `effigy check`.

#include <algorithm>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CliCheck : public Cli {};

std::vector<std::string> codes(const Json& file) {
    std::vector<std::string> all;
    for (const Json& finding : file["findings"]) all.push_back(finding["code"]);
    return all;
}

TEST_F(CliCheck, FindsNothingInAGoodFile) {
    const Outcome run = expect_success("effigy check walk.xsm");
    EXPECT_THAT(run.out, HasSubstr("1 file: 0 errors, 0 warnings, "));
    EXPECT_EQ(run.err, "");
}

TEST_F(CliCheck, FindsErrors) {
    const Outcome text = run("effigy check broken.xac");
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.out, StartsWith("error: "));
    EXPECT_THAT(text.out, HasSubstr("[mesh-index-range] in broken.xac at chunk[4] mesh / submesh[0] / indices"));
    EXPECT_THAT(text.out, HasSubstr("1 file: 1 error, "));
    const Outcome json = run("effigy check broken.xac --json");
    EXPECT_EQ(json.code, 1);
    const Json document = json.json();
    EXPECT_EQ(document["effigy_check"], 1);
    EXPECT_EQ(document["counts"]["errors"], 1);
    EXPECT_EQ(document["files"][0]["format"], "xac");
    EXPECT_THAT(codes(document["files"][0]), ::testing::Contains("mesh-index-range"));
}

TEST_F(CliCheck, ComparesMotionsWithTheirActor) {
    expect_success("effigy check walk.xsm face.xpm --actor soldier.xac");
    const Json json = run("effigy check face.xpm --actor hair.xac --json").json();
    EXPECT_FALSE(codes(json["files"][0]).empty());
    expect_failure("effigy check walk.xsm --actor face.xpm", 2, {"--actor wants a model"});
    expect_failure("effigy check walk.xsm --actor missing.xac", 3, {"missing.xac: error:"});
    expect_failure("effigy check walk.xsm --actor foreign.xac", 3, {"foreign.xac: error:"});
}

TEST_F(CliCheck, ShowsFromASeverityOn) {
    const Json all = run("effigy check unknown.xac --json").json();
    const Json errors = run("effigy check unknown.xac --json --severity error").json();
    EXPECT_FALSE(all["files"][0]["findings"].empty());
    EXPECT_TRUE(errors["files"][0]["findings"].empty());
    EXPECT_EQ(run("effigy check broken.xac --severity error").code, 1);
}

TEST_F(CliCheck, SearchesFolders) {
    const Json json = expect_success("effigy check models --json").json();
    ASSERT_EQ(json["files"].size(), 2U);
    EXPECT_EQ(json["files"][1]["file"], "models/walk.xsm");
    expect_failure("effigy check gfx", 3, {"gfx"});
    // A file that has a known name and unknown content is not passed over.
    EXPECT_EQ(run("effigy check .").code, 3);
}

TEST_F(CliCheck, LeavesOutCompanions) {
    EXPECT_EQ(expect_success("effigy check walk.xsm walk.xsmtime --json").json()["files"].size(), 1U);
    expect_failure("effigy check walk.xsmtime", 2, {"only go with others"});
}

TEST_F(CliCheck, GivesTheHighestExitCode) {
    EXPECT_EQ(run("effigy check soldier.xac truncated.xac").code, 1);
    const Outcome run = this->run("effigy check truncated.xac empty.xac soldier.xac --json");
    EXPECT_EQ(run.code, 3);
    EXPECT_THAT(run.err, HasSubstr("empty.xac: error:"));
    const Json json = run.json();
    ASSERT_EQ(json["files"].size(), 3U);
    EXPECT_EQ(json["files"][1]["format"], nullptr);
    EXPECT_EQ(codes(json["files"][1]), std::vector<std::string>{"unknown-format"});
}

TEST_F(CliCheck, PrintsSarif) {
    std::filesystem::rename(path("broken.xac"), path("broken one.xac"));
    const Outcome run = this->run("effigy check 'broken one.xac' missing.xac --sarif");
    EXPECT_EQ(run.code, 3);
    const Json sarif = run.json();
    EXPECT_EQ(sarif["version"], "2.1.0");
    const Json& driver = sarif["runs"][0]["tool"]["driver"];
    EXPECT_EQ(driver["name"], "effigy");
    std::vector<std::string> rules;
    for (const Json& rule : driver["rules"]) rules.push_back(rule["id"]);
    EXPECT_TRUE(std::is_sorted(rules.begin(), rules.end()));
    bool found = false;
    for (const Json& result : sarif["runs"][0]["results"]) {
        EXPECT_THAT(rules, ::testing::Contains(result["ruleId"].get<std::string>()));
        EXPECT_THAT((std::vector<std::string>{"error", "warning", "note"}),
                    ::testing::Contains(result["level"].get<std::string>()));
        EXPECT_TRUE(result["message"]["text"].is_string());
        const Json& location = result["locations"][0]["physicalLocation"];
        const bool is_broken = location["artifactLocation"]["uri"] == "broken%20one.xac";
        found = found || (is_broken && result["ruleId"] == "mesh-index-range" &&
                          location["region"]["byteOffset"].is_number_unsigned());
    }
    EXPECT_TRUE(found) << run.out;
}

TEST_F(CliCheck, CountsWhatItDoesNotList) {
    Json dump = Json::parse(content("soldier.json"));
    Json& chunks = dump["value"];
    const Json unknown = Json::parse(expect_success("effigy dump unknown.xac --json -q").out)["value"].back();
    for (int count = 0; count < 150; ++count) chunks.push_back(unknown);
    write("many.json", dump.dump());
    expect_success("effigy build many.json -o many.xac");
    const Json json = run("effigy check many.xac --json").json();
    EXPECT_EQ(json["files"][0]["suppressed"]["opaque-chunk"], 50) << json.dump(1).substr(0, 2000);
    EXPECT_THAT(run("effigy check many.xac -v").out, HasSubstr("many.xac: ... and 50 more findings [opaque-chunk]"));
    EXPECT_THAT(run("effigy check many.xac").out, StartsWith("warning: 150 times: "));
    EXPECT_TRUE(run("effigy check many.xac --json --severity error").json()["files"][0]["suppressed"].empty());
}

class CliCheckMod : public Cli {
protected:
    static constexpr const char* data = "my_mod/assets/units/size_s/ship_test_data/";
    static constexpr const char* component = "my_mod/assets/units/size_s/ship_test.xml";

    /// What is found about one file or folder; null if it is not listed.
    static Json entry(const Json& document, const std::string& file) {
        for (const Json& one : document["files"]) {
            if (one["file"] == file) return one;
        }
        return nullptr;
    }
    void remove(const std::string& name) const { std::filesystem::remove(path(name)); }
};

TEST_F(CliCheckMod, FindsNothingInAWholeMod) {
    const Outcome run = expect_success("effigy check my_mod --severity warning");
    EXPECT_THAT(run.out, HasSubstr(": 0 errors, 0 warnings, 0 notes"));
    EXPECT_EQ(run.err, "");
}

TEST_F(CliCheckMod, LooksForTheFilesOfAComponent) {
    remove(data + std::string("part_main-lod1.xmf"));
    for (const char* what : {component, "my_mod", "my_mod/", "my_mod/assets/units", "."}) {
        const Outcome run = this->run(std::string("effigy check ") + what);
        EXPECT_NE(run.code, 0) << what;
        EXPECT_THAT(run.out, ContainsRegex("\\[lod-missing\\] in .*ship_test\\.xml at connection\\[0\\] Connection01 / "
                                           "part part_main / lod\\[1\\]"))
            << what;
    }
}

TEST_F(CliCheckMod, SaysOnceWhatReadingAndTheRulesFind) {
    const std::string mesh = data + std::string("part_main-lod0.xmf");
    std::string bytes = content(mesh);
    bytes.back() = static_cast<char>(~bytes.back());  // of the last stream's checksum
    write(mesh, bytes);
    const Outcome run = this->run("effigy check " + mesh + " --json");
    EXPECT_EQ(run.code, 1);
    const std::vector<std::string> found = codes(run.json()["files"][0]);
    EXPECT_EQ(std::count(found.begin(), found.end(), "stream-damaged"), 1) << run.out;
}

TEST_F(CliCheckMod, ListsWhatConcernsTheFolder) {
    write(data + std::string("part_wing-lod0.xmf"), content(data + std::string("fx_glow-lod0.xmf")));
    write("my_mod/assets/textures/x.dds", "no picture");
    const std::string folder = "my_mod/assets/units/size_s/ship_test_data";
    const Outcome text = run("effigy check my_mod");
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.out, ContainsRegex("info: .* in " + folder + "\n"));
    EXPECT_THAT(text.out, ContainsRegex("error: .* in my_mod/assets/textures/x\\.dds\n"));
    const Json json = run("effigy check my_mod --json").json();
    ASSERT_TRUE(entry(json, folder).is_object()) << json.dump(1);
    EXPECT_EQ(codes(entry(json, folder)), std::vector<std::string>{"file-unnamed"});
    EXPECT_EQ(entry(json, folder)["format"], nullptr);
    EXPECT_EQ(codes(entry(json, "my_mod/assets/textures/x.dds")), std::vector<std::string>{"texture-damaged-header"});
    EXPECT_EQ(json["counts"]["files"].get<std::size_t>() + 2, json["files"].size());
    const Json errors = run("effigy check my_mod --json --severity error").json();
    EXPECT_EQ(entry(errors, folder), nullptr);
    const Json sarif = run("effigy check my_mod --sarif").json();
    std::vector<std::string> places;
    for (const Json& result : sarif["runs"][0]["results"])
        places.push_back(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
    EXPECT_THAT(places, ::testing::IsSupersetOf({folder, std::string("my_mod/assets/textures/x.dds")}));
}

TEST_F(CliCheckMod, PutsFindingsOfTheFolderToTheirFiles) {
    std::string index = content("my_mod/index/components.xml");
    const std::string lost = R"(<entry name="lost" value="extensions\my_mod\lost"/></add>)";
    index.replace(index.find("</add>"), 6, lost);
    write("my_mod/index/components.xml", index);
    const Json json = expect_success("effigy check my_mod --json").json();
    const Json file = entry(json, "my_mod/index/components.xml");
    EXPECT_EQ(codes(file), std::vector<std::string>{"index-dangling"});
    EXPECT_TRUE(file["format"].is_string());
    EXPECT_TRUE(file["findings"][0]["offset"].is_number_unsigned());
}

TEST_F(CliCheckMod, ComparesWithTheGame) {
    std::string xml = content(component);
    const std::string own = "ship_test.part_main";
    xml.replace(xml.find(own), own.size(), "ship_game.part_main");
    write(component, xml);
    const Json alone = expect_success(std::string("effigy check --json ") + component).json();
    EXPECT_EQ(codes(alone["files"][0]), std::vector<std::string>{"reference-unresolved"});
    const Outcome with_game = run(std::string("effigy check --json --game 'X4 Foundations' ") + component);
    EXPECT_EQ(with_game.code, 1);
    EXPECT_EQ(codes(with_game.json()["files"][0]), std::vector<std::string>{"reference-component-missing"});
    expect_failure("effigy check my_mod --game missing", 2, {"--game", "missing"});
    expect_failure("effigy check my_mod --materials missing", 2, {"--materials", "missing"});
}

TEST_F(CliCheckMod, LooksMaterialsUp) {
    std::string library = content("my_mod/libraries/material_library.xml");
    library.replace(library.find(R"(name="hull")"), 11, R"(name="skin")");
    remove("my_mod/libraries/material_library.xml");
    write("library.xml", library);
    const std::string command = std::string("effigy check --json --materials library.xml ") + component;
    EXPECT_EQ(codes(expect_success(command).json()["files"][0]), std::vector<std::string>{"material-unknown"});
    // Without any library they may be the game's.
    EXPECT_EQ(codes(expect_success(std::string("effigy check --json ") + component).json()["files"][0]),
              std::vector<std::string>{"material-unresolved"});
}

TEST_F(CliCheckMod, TakesEachModOfAFolderByItself) {
    std::filesystem::create_directories(path("mods"));
    std::filesystem::copy(path("my_mod"), path("mods/one"), std::filesystem::copy_options::recursive);
    std::filesystem::rename(path("my_mod"), path("mods/two"));
    remove("mods/two/assets/textures/hull_diff.gz");
    const Json json = expect_success("effigy check mods --json --severity warning").json();
    EXPECT_EQ(codes(entry(json, "mods/two/libraries/material_library.xml")),
              std::vector<std::string>{"material-texture-missing"});
    EXPECT_TRUE(entry(json, "mods/one/libraries/material_library.xml")["findings"].empty());
}

TEST_F(CliCheck, SaysThatAPathIsTooLong) {
    expect_success(
        "mkdir deep && cp soldier.xac deep; name=$(printf %0230d 0); "
        "for step in $(seq 20); do mkdir up && mv deep up/$name && mv up deep; done; cp soldier.xac deep");
    for (const char* command : {"check deep", "info deep", "pack deep -o deep.cat"}) {
        const Outcome outcome = run("effigy " + std::string(command));
        EXPECT_EQ(outcome.code, 3) << command;
        EXPECT_THAT(outcome.out + outcome.err, HasSubstr("cannot be read: File name too long")) << command;
    }
    EXPECT_FALSE(exists("deep.cat"));
    expect_success("rm -r deep");
}

TEST_F(CliCheck, ReadsStandardInput) {
    EXPECT_EQ(expect_success("effigy check - --json < walk.xsm").json()["files"][0]["file"], "-");
}

TEST_F(CliCheck, KeepsToLimits) {
    expect_failure("effigy check soldier.xac --limit-memory 1KB", 4, {"soldier.xac: error:", "limit"});
}

/// An extension's changes are held against what they change, where that is given.
TEST_F(CliCheck, LaysChangesOverTheGame) {
    expect_success("mkdir -p ext/assets/units");
    write("ext/content.xml", "<content id=\"ext\"/>");
    write("ext/assets/units/old.xml", "<diff><remove sel=\"/components/component[@name='none']\"/></diff>");
    EXPECT_THAT(run("effigy check ext").out, HasSubstr("[diff-base]"));
    const Outcome applied = run("effigy check ext --game 01.cat");
    EXPECT_THAT(applied.out, HasSubstr("[diff-no-match]"));
    EXPECT_THAT(applied.out, Not(HasSubstr("[diff-base]")));
}

}  // namespace
}  // namespace effigy::test
