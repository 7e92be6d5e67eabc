/// diff: what is said about two files, and the exit codes.

#include "arp/raw_arp.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CliDiff : public Cli {
protected:
    /// A copy of soldier.xac with another number in the fields of that name.
    void write_changed(const std::string& name, const std::string& field, const Json& value) const {
        Json dump = Json::parse(content("soldier.json"));
        std::size_t count = 0;
        change(dump["value"], field, value, count);
        EXPECT_NE(count, 0U) << field;
        write(name + ".json", dump.dump());
        expect_success("effigy build " + name + ".json -o " + name);
    }

private:
    static void change(Json& nodes, const std::string& field, const Json& value, std::size_t& count) {
        for (Json& node : nodes) {
            if (node["name"] == field && count++ == 0) node["value"] = value;
            if (node["type"] == "record") change(node["value"], field, value, count);
        }
    }
};

TEST_F(CliDiff, SaysThatFilesAreIdentical) {
    EXPECT_EQ(expect_success("effigy diff soldier.xac body.xac").out,
              "soldier.xac and body.xac: the files are identical\n");
    EXPECT_EQ(expect_success("effigy diff walk.xsm walk.xsm").out, "walk.xsm and walk.xsm: the files are identical\n");
    for (const std::string file :
         {"face.xpm", "trader.x42", "signer.jar", "hello.cas.xml", "animation.cfg", "default.skin", "01.cat"})
        EXPECT_THAT(expect_success("effigy diff " + file + " " + file).out, HasSubstr("the files are identical"));
}

TEST_F(CliDiff, SaysThatFilesOfOtherNamesAreIdentical) {
    const Bytes avatar = arp::make(arp::figure());
    for (const std::string folder : {"anna", "otto"}) {
        expect_success("mkdir " + folder);
        write(folder + "/avatardef.jarp", {reinterpret_cast<const char*>(avatar.data()), avatar.size()});
    }
    write("otto/config.xml", "<config/>");
    EXPECT_EQ(expect_success("effigy diff anna/avatardef.jarp otto/avatardef.jarp").out,
              "anna/avatardef.jarp and otto/avatardef.jarp: the files are identical\n");
    expect_success("effigy convert soldier.xac -o soldier.gltf --no-textures -q && cp soldier.gltf anna/other.gltf");
    EXPECT_THAT(expect_success("effigy diff soldier.gltf anna/other.gltf").out, HasSubstr("the files are identical"));
}

TEST_F(CliDiff, PassesOverPadding) {
    write_changed("padded.xac", "padding", Json::array({7, 7}));
    EXPECT_NE(content("padded.xac"), content("soldier.xac"));
    EXPECT_EQ(expect_success("effigy diff soldier.xac padded.xac").out,
              "soldier.xac and padded.xac: no difference in meaning\n");
}

TEST_F(CliDiff, ShowsWhatDiffers) {
    write_changed("moved.xac", "position", Json::array({3, 0, 0}));
    const Outcome result = run("effigy diff soldier.xac moved.xac");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, ::testing::StartsWith("nodes[0] root\n  the local translation differs by 3: "
                                                  "(0, 0, 0) -> (3, 0, 0) [diff-transform]\n"));
    // Vertices stay where they are, so that they are bound to the joint elsewhere.
    EXPECT_THAT(result.out, HasSubstr("\nskins[0] body skin\n  nodes[0] root: the joint is bound elsewhere"));
    EXPECT_THAT(result.out, HasSubstr("soldier.xac and moved.xac: 3 differences\n"));
    EXPECT_EQ(run("effigy diff soldier.xac moved.xac --ignore transform").code, 1);
    EXPECT_EQ(run("effigy diff soldier.xac moved.xac --ignore transform --ignore bind").code, 0);
    EXPECT_EQ(run("effigy diff soldier.xac moved.xac --tolerance position=100").code, 0);
    EXPECT_EQ(run("effigy diff soldier.xac moved.xac -q").out, "");
    EXPECT_EQ(run("effigy diff soldier.xac moved.xac -q").code, 1);
}

TEST_F(CliDiff, PrintsJson) {
    const Json same = expect_success("effigy diff soldier.xac body.xac --json").json();
    EXPECT_EQ(same["effigy_diff"], 1);
    ASSERT_EQ(same["pairs"].size(), 1U);
    EXPECT_EQ(same["pairs"][0]["a"], Json({{"file", "soldier.xac"}, {"format", "xac"}}));
    EXPECT_EQ(same["pairs"][0]["identical"], true);
    EXPECT_TRUE(same["pairs"][0]["differences"].empty());
    const Json other = run("effigy diff soldier.xac hair.xac --json").json();
    EXPECT_EQ(other["pairs"][0]["identical"], false);
    ASSERT_FALSE(other["pairs"][0]["differences"].empty());
    EXPECT_TRUE(other["pairs"][0]["differences"][0]["code"].get<std::string>().starts_with("diff-"));
}

TEST_F(CliDiff, ComparesMotions) {
    expect_success("cp walk.xsm stride.xsm && cp walk.xsmtime stride.xsmtime");
    EXPECT_THAT(expect_success("effigy diff walk.xsm stride.xsm").out, HasSubstr("the files are identical"));
    expect_failure("effigy diff walk.xsm face.xpm", 1, {"[diff-formats]"});
    expect_success("cp walk.xsm alone.xsm");
    const Outcome beside = run("effigy diff walk.xsm alone.xsm");
    EXPECT_EQ(beside.code, 0);
    EXPECT_EQ(beside.out, "walk.xsm and alone.xsm: the files are identical\n");
    EXPECT_THAT(beside.err, HasSubstr("[diff-beside]"));
    EXPECT_EQ(run("effigy diff walk.xsm stride.xsm").err, "");
}

TEST_F(CliDiff, ComparesText) {
    write("a.cfg", "sex m\nBOTH_WAVE 3 10 0 20\nBOTH_BACK 30 -5 0 12.5\n");
    write("b.cfg", "// again\nsex   m\nBOTH_WAVE 3 10 0 20 // wave\nBOTH_BACK 30 -5 0 12.50\n");
    write("c.cfg", "sex m\nBOTH_WAVE 3 11 0 20\nBOTH_BACK 30 -5 0 12.5\n");
    EXPECT_THAT(expect_success("effigy diff a.cfg b.cfg").out, HasSubstr("no difference in meaning"));
    const Outcome other = run("effigy diff a.cfg c.cfg");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("BOTH_WAVE"));
    EXPECT_THAT(other.out, HasSubstr("10 -> 11 [diff-content]"));
}

TEST_F(CliDiff, ComparesXml) {
    const auto library = [](const std::string& color) {
        return "<materiallibrary><collection name=\"a\"><material name=\"b\" shader=\"" + color +
               "\"/><material name=\"c\"/></collection></materiallibrary>";
    };
    write("a.xml", library("p1.fx"));
    write("b.xml",
          "<?xml version=\"1.0\"?>\n<materiallibrary> <!-- x -->\n <collection name='a'>\n<material name='c'/>"
          "<material shader='p1.fx' name='b'></material></collection></materiallibrary>\n");
    write("c.xml", library("p2.fx"));
    EXPECT_THAT(expect_success("effigy diff a.xml b.xml").out, HasSubstr("no difference in meaning"));
    const Outcome other = run("effigy diff a.xml c.xml");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("p1.fx -> p2.fx [diff-content]"));
}

TEST_F(CliDiff, ComparesFolders) {
    expect_success("cp -r models other && cp hair.xac other/");
    EXPECT_THAT(expect_success("effigy diff models models").out,
                HasSubstr("models/soldier.xac: the files are identical"));
    const Outcome result = run("effigy diff models other");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.out, HasSubstr("only the second folder has this file: nothing -> a file [diff-file]"));
    EXPECT_THAT(result.out, HasSubstr("other/hair.xac: 1 difference"));
}

TEST_F(CliDiff, ComparesWithGltf) {
    expect_success("effigy convert soldier.xac -o soldier.glb --textures gfx -q");
    EXPECT_THAT(expect_success("effigy diff soldier.xac soldier.glb").out, HasSubstr("no difference in meaning"));
    expect_success("effigy convert soldier.xac walk.xsm -o moving.glb --textures gfx -q");
    const Outcome other = run("effigy diff soldier.glb moving.glb");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.out, HasSubstr("the first has no such clip"));
}

TEST_F(CliDiff, SaysWhatItCannotRead) {
    expect_failure("effigy diff soldier.xac missing.xac", 3, {"missing.xac"});
    expect_failure("effigy diff notes.txt soldier.xac", 3, {"notes.txt"});
    expect_failure("effigy diff walk.xsmtime walk.xsmtime", 3, {"name the motion"});
    expect_failure("effigy diff soldier.xac models", 2, {"a folder and a file cannot be compared"});
    expect_failure("effigy diff nowhere models", 2, {"there is no file or folder nowhere"});
    expect_failure("effigy diff soldier.xac", 2, {"B"});
    expect_failure("effigy diff soldier.xac hair.xac --tolerance near", 2, {"--tolerance", "position, normal"});
    expect_failure("effigy diff soldier.xac hair.xac --tolerance nose=1", 2, {"NAME=NUMBER"});
    expect_failure("effigy diff soldier.xac hair.xac --ignore noses", 2, {"--ignore", "noses", "the kinds are node"});
    expect_failure("effigy diff soldier.xac hair.xac --textures nowhere", 2, {"nowhere"});
    expect_failure("effigy diff soldier.xac truncated.xac --limit-memory 1000", 4, {"limit-memory"});
}

TEST_F(CliDiff, ComparesWhatCanBeReadOfDamagedFiles) {
    const Outcome result = run("effigy diff soldier.xac truncated.xac");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, ::testing::ContainsRegex("error: .* in truncated\\.xac"));
    EXPECT_EQ(run("effigy diff truncated.xac truncated.xac").code, 1);
    EXPECT_THAT(run("effigy diff - soldier.xac < body.xac").out, HasSubstr("the files are identical"));
}

TEST_F(CliDiff, KnowsTheSameBytesFromStandardInput) {
    for (const char* files : {"- soldier.xac", "soldier.xac -"}) {
        const std::string command = std::string("effigy diff ") + files + " < soldier.xac";
        EXPECT_THAT(expect_success(command).out, HasSubstr("the files are identical"));
    }
    EXPECT_THAT(run("effigy diff - hair.xac < soldier.xac").out, Not(HasSubstr("stdin ->")));
}

}  // namespace
}  // namespace effigy::test
