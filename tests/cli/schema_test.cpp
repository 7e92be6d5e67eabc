/// Everything that is printed as JSON agrees with its published schema.

#include "arp/raw_arp.hpp"
#include "arp/raw_zip.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

const std::string source = EFFIGY_SOURCE_DIR;

// The schemas and documents go to a validator outside of the project: npm's ajv.
class CliSchema : public Cli {
protected:
    void SetUp() override {
        if (run("node --version").code != 0) GTEST_SKIP() << "node is not installed";
        if (!std::filesystem::exists(source + "/tests/tools/node_modules/ajv")) {
            GTEST_SKIP() << "ajv is not installed: run npm ci in tests/tools";
        }
    }

    [[nodiscard]] Outcome validate(const std::string& schema, const std::string& file) const {
        return run("node '" + source + "/tests/tools/schema.mjs' '" + source + "/docs/schemas/" + schema +
                   ".schema.json' " + file);
    }

    /// The standard output of a command, whatever its exit code.
    void expect_valid(const std::string& schema, const std::string& command) const {
        static_cast<void>(run(command + " > document.json"));
        ASSERT_FALSE(content("document.json").empty()) << command;
        const Outcome result = validate(schema, "document.json");
        EXPECT_EQ(result.code, 0) << command << "\n" << result.out << result.err;
    }
};

const std::string all =
    "soldier.xac hair.xac walk.xsm face.xpm unknown.xac broken.xac truncated.xac empty.xac foreign.xac missing.xac "
    "walk.xsmtime ";

TEST_F(CliSchema, OfFormats) { expect_valid("formats", "effigy formats --json"); }
TEST_F(CliSchema, OfInfo) { expect_valid("info", "effigy info --json " + all); }
TEST_F(CliSchema, OfInfoOfArchives) {
    write("part.jcs", std::string("\0\0\0\0\14 and more", 14));
    write(
        "library.xml",
        "<diff><add sel=\"//materiallibrary\"><collection name=\"a\"><material name=\"b\"/></collection></add></diff>");
    write("macros.xml", "<macros><macro name=\"m\" class=\"ship\"><component ref=\"c\"/></macro></macros>");
    expect_valid("info", "effigy info --json 01.cat mod part.jcs library.xml macros.xml");
    EXPECT_EQ(Json::parse(content("document.json")).size(), 7U);
}
TEST_F(CliSchema, OfInfoOfX42) {
    const std::string reference = source + "/tests/x42/reference/";
    write("animation.cfg", "sex m\nBOTH_WAVE 3 10 0 20\nBOTH_BACK 30 -5 0 12.5\n");
    write("default.skin", "body,models/coat\ntag_weapon,\n");
    static_cast<void>(run("effigy convert '" + reference + "be_full.x42' -o six.x42 --x42-version 6"));
    expect_valid("info", "effigy info --json '" + reference + "le_full.x42' six.x42 animation.cfg default.skin");
    EXPECT_EQ(Json::parse(content("document.json")).size(), 4U);
}
TEST_F(CliSchema, OfInfoOfAvatars) {
    arp::Description bare;
    write("old.arp", std::string(text_from(arp::make(arp::figure("2.0")))));
    write("bare.jarp", std::string(text_from(arp::make(bare))));
    write("signs.cas", R"({"signIndex":0,"gloss":"YOU","baseFrameIndex":0,"frames":[]}{})");
    expect_valid("info", "effigy info --json signer.jar old.arp bare.jarp hello.cas.xml signs.cas");
    EXPECT_EQ(Json::parse(content("document.json")).size(), 5U);
}
TEST_F(CliSchema, OfInfoAndDumpsOfGltf) {
    for (const char* name : {"a.glb", "a.gltf"})
        static_cast<void>(run(std::string("effigy convert soldier.xac walk.xsm -o ") + name));
    write("broken.gltf", "{");
    expect_valid("info", "effigy info --json a.glb a.gltf broken.gltf");
    EXPECT_EQ(Json::parse(content("document.json")).size(), 3U);
    for (const char* name : {"a.glb", "a.gltf", "broken.gltf"})
        expect_valid("dump", std::string("effigy dump --json ") + name);
}
TEST_F(CliSchema, OfMatches) {
    expect_valid("match", "effigy match --json " + all);
    expect_success("effigy convert soldier.xac walk.xsm -o here.glb && effigy match models --json > document.json");
    EXPECT_EQ(Json::parse(content("document.json"))["models"].size(), 1U);
}
TEST_F(CliSchema, OfChecks) {
    expect_valid("check", "effigy check --json " + all);
    expect_valid("check", "effigy check --json " + all + " --actor hair.xac --severity warning");
    write("my_mod/assets/textures/x.dds", "no picture");
    expect_valid("check", "effigy check --json my_mod");
}

TEST_F(CliSchema, OfDumps) {
    write("signer.jarp", std::string(text_from(arp::make(arp::figure()))));
    for (const char* file : {"soldier.xac", "hair.xac", "walk.xsm", "face.xpm", "unknown.xac", "truncated.xac",
                             "signer.jarp", "signer.jar", "hello.cas.xml"}) {
        expect_valid("dump", std::string("effigy dump --json ") + file);
        expect_valid("dump", std::string("effigy dump --json --expand ") + file);
    }
}

TEST_F(CliSchema, OfDumpsWithNumbersThatJsonLacks) {
    Json dump = Json::parse(content("soldier.json"));
    for (Json& chunk : dump["value"]) {
        for (Json& field : chunk["value"]) {
            if (field["name"] == "retarget_root_offset") field["value"] = {{"bits", "0x7fc00001"}};
            if (field["name"] == "actor_name") field["value"] = {{"bytes", "4A=="}};
        }
    }
    write("odd.json", dump.dump());
    expect_success("effigy build odd.json -o odd.xac --normalize");
    expect_valid("dump", "effigy dump --json odd.xac");
    EXPECT_THAT(content("document.json"), ::testing::HasSubstr("0x7fc00001"));
}

TEST_F(CliSchema, OfDifferences) {
    expect_valid("diff", "effigy diff --json soldier.xac hair.xac");
    expect_valid("diff", "effigy diff --json soldier.xac missing.xac");
    expect_valid("diff", "effigy diff --json models my_mod");
}

TEST_F(CliSchema, OfReports) {
    expect_valid("report", "effigy convert soldier.xac walk.xsm --no-textures -o x.glb -q --report -");
    expect_valid("report", "effigy convert truncated.xac -o x.glb -q --report -");
}

// The judge must be able to say no.
TEST_F(CliSchema, RefusesWhatIsWrong) {
    Json dump = Json::parse(content("soldier.json"));
    dump["value"][0]["value"][0]["type"] = "record";
    write("wrong.json", dump.dump());
    EXPECT_EQ(validate("dump", "wrong.json").code, 1);
    EXPECT_EQ(validate("info", "soldier.json").code, 1);
    EXPECT_EQ(validate("check", "soldier.json").code, 1);
    EXPECT_EQ(validate("report", "soldier.json").code, 1);
    EXPECT_EQ(validate("diff", "soldier.json").code, 1);
    EXPECT_EQ(validate("formats", "soldier.json").code, 1);
}

}  // namespace
}  // namespace effigy::test
