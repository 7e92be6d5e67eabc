/// What convert makes.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CliConvert : public Cli {
protected:
    [[nodiscard]] Json glb(const std::string& name) const { return glb_json(content(name)); }
    /// Converts to x.glb and returns its JSON.
    [[nodiscard]] Json converted(const std::string& arguments) const {
        expect_success("effigy convert " + arguments + " -o x.glb");
        return glb("x.glb");
    }
};

std::vector<std::string> names(const Json& list) {
    std::vector<std::string> all;
    for (const Json& item : list) all.push_back(item.value("name", ""));
    return all;
}

std::vector<std::string> codes(const Json& report) {
    std::vector<std::string> all;
    for (const Json& finding : report["findings"]) all.push_back(finding["code"]);
    return all;
}

TEST_F(CliConvert, MakesAnActorWithMotions) {
    const Outcome run = expect_success("effigy convert soldier.xac walk.xsm face.xpm -o soldier.glb --textures gfx");
    EXPECT_THAT(run.out, ::testing::MatchesRegex(
                             "wrote soldier\\.glb \\([0-9.]+ [A-Za-z]+\\): .*2 skins, .*1 image, 2 clips.*\n"));
    const Json json = glb("soldier.glb");
    EXPECT_EQ(names(json["animations"]), (std::vector<std::string>{"walk", "face"}));
    EXPECT_EQ(json["skins"].size(), 2U);  // one for each level
    EXPECT_EQ(json["images"].size(), 1U);
    EXPECT_THAT(names(json["nodes"]), ::testing::IsSupersetOf({"root", "arm", "body"}));
}

TEST_F(CliConvert, GivesTheSameBytesEachTime) {
    expect_success(
        "effigy convert soldier.xac walk.xsm --textures gfx -o a.glb -q && effigy convert soldier.xac walk.xsm "
        "--textures gfx -o b.glb -q && cmp a.glb b.glb");
}

TEST_F(CliConvert, JoinsParts) {
    const Json json = converted("body.xac hair.xac walk.xsm");
    EXPECT_EQ(json["meshes"].size(), 3U);  // body, its second level, hair
    EXPECT_EQ(std::count_if(json["nodes"].begin(), json["nodes"].end(),
                            [](const Json& node) { return node.value("name", "") == "root"; }),
              1);
}

TEST_F(CliConvert, KeepsOneFormatByteExact) {
    for (const std::string name : {"soldier.xac", "walk.xsm", "face.xpm", "unknown.xac", "broken.xac"}) {
        const std::string copy = "copy" + path(name).extension().string();
        expect_success("effigy convert " + name + " -q -o " + copy + " && cmp " + copy + " " + name);
    }
    expect_success("effigy convert soldier.xac --normalize -o copy.xac && cmp copy.xac soldier.xac");
    expect_success("effigy convert soldier.xac --to xac -o copy.bin && cmp copy.bin soldier.xac");
}

TEST_F(CliConvert, WritesGltfInSeveralFiles) {
    expect_success("mkdir out && effigy convert soldier.xac --textures gfx -o out/soldier.gltf");
    const Json json = Json::parse(content("out/soldier.gltf"));
    EXPECT_TRUE(exists("out/" + json["buffers"][0]["uri"].get<std::string>()));
    EXPECT_EQ(json["images"].size(), 1U);
    EXPECT_TRUE(exists("out/" + json["images"][0]["uri"].get<std::string>()));
    expect_success("mkdir one && effigy convert soldier.xac --textures gfx --embed-images -o one/soldier.gltf");
    EXPECT_EQ(Json::parse(content("one/soldier.gltf"))["images"][0].count("uri"), 0U);
}

/// A .glb of a .gltf, whose buffer stays where it is.
std::string glb_around(std::string json) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const auto number = [](std::size_t value) {
        std::string bytes;
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
        return bytes;
    };
    return "glTF" + number(2) + number(20 + json.size()) + number(json.size()) + "JSON" + json;
}

TEST_F(CliConvert, TakesIntoACopyWhatAGlbHasOutsideOfItself) {
    expect_success("mkdir out there && effigy convert soldier.xac --textures gfx -o out/soldier.gltf");
    write("out/soldier.glb", glb_around(content("out/soldier.gltf")));
    expect_success("effigy convert out/soldier.glb -o there/soldier.glb");
    expect_success("effigy diff out/soldier.glb there/soldier.glb");
    expect_success("rm out/*.png && effigy convert there/soldier.glb -q -o copy.glb && cmp copy.glb there/soldier.glb");
    write("web.glb", glb_around(R"({"asset": {"version": "2.0"}, "images": [{"uri": "https://example.org/a.png"}]})"));
    expect_success("effigy convert web.glb -q -o copy.glb && cmp copy.glb web.glb");
    expect_success("rm out/soldier.bin");
    expect_failure("effigy convert out/soldier.glb -o there/again.glb", 1, {"gltf-file-missing"});
    EXPECT_FALSE(exists("there/again.glb"));
}

TEST_F(CliConvert, WritesMeshFiles) {
    const Outcome obj = expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o x.obj --report r.json");
    EXPECT_THAT(obj.out, ::testing::MatchesRegex("wrote x\\.obj \\([^)]+\\); [0-9]+ warnings \\(obj-lost\\); .*\n"));
    EXPECT_THAT(obj.err, ::testing::ContainsRegex("warning: .*1 clip is left out.* in x\\.obj"));
    EXPECT_THAT(codes(Json::parse(content("r.json"))), ::testing::Contains("obj-lost"));
    EXPECT_THAT(content("x.obj"), HasSubstr("mtllib x.mtl\n"));
    EXPECT_THAT(content("x.mtl"), HasSubstr("map_Kd x_skin.png\n"));
    EXPECT_TRUE(exists("x_skin.png"));
    expect_success("effigy convert soldier.xac hair.xac -q -o x.ply");
    EXPECT_THAT(content("x.ply"), HasSubstr("element vertex 6\n"));
    expect_failure("effigy convert soldier.xac -o x.glb --to obj", 2, {"--to obj", ".obj"});
    expect_failure("effigy convert soldier.xac walk.xsm -o y.obj --report nowhere/r.json", 1, {"nowhere"});
    const Json damaged = expect_failure("effigy convert truncated.xac -o y.glb --json", 1).json();
    EXPECT_EQ(damaged["error"]["code"], "damaged-input");
    EXPECT_EQ(damaged["findings"].back(), damaged["error"]);
    EXPECT_THAT(expect_failure("effigy convert soldier.xac -o y.fbx", 2, {"glb", "xac"}).err,
                Not(HasSubstr("animation-cfg")));
    EXPECT_EQ(expect_failure("effigy convert soldier.xac -o y.fbx --json", 2).json()["error"]["code"], "usage-output");
    EXPECT_EQ(expect_failure("effigy convert soldier.xac -o soldier.xac --json", 2).json()["error"]["code"],
              "usage-output");
}

TEST_F(CliConvert, ChoosesLevels) {
    EXPECT_EQ(converted("soldier.xac --lod all").value("extensionsUsed", Json()), Json({"MSFT_lod"}));
    EXPECT_EQ(converted("soldier.xac --lod 0").count("extensionsUsed"), 0U);
    EXPECT_EQ(converted("soldier.xac --lod 0")["meshes"].size(), 1U);
    const Json second = converted("soldier.xac --lod 1");
    EXPECT_EQ(second["meshes"].size(), 1U);
    EXPECT_EQ(second["meshes"][0]["primitives"][0].count("targets"), 0U);
    expect_success("effigy convert soldier.xac -q -o levels.glb && effigy convert levels.glb -o all.glb -q");
    EXPECT_EQ(converted("levels.glb").value("extensionsUsed", Json()), Json({"MSFT_lod"}));
    const auto counts = [&](const std::string& conversion) {
        const Json counts = expect_success("effigy convert -q --json " + conversion).json()["counts"];
        return std::pair(counts["meshes"], counts["triangles"]);
    };
    for (const std::string level : {" --lod 0", " --lod 1"}) {
        const auto shown = counts("soldier.xac -o one.glb" + level);
        EXPECT_EQ(counts("levels.glb -o two.glb" + level), shown);
        for (const std::string input : {"soldier.xac", "levels.glb"}) {
            expect_success("effigy convert " + input + " -q -o one.xac" + level);
            EXPECT_EQ(counts("one.xac -o three.glb --lod 0"), shown) << "a model of this level alone";
        }
    }
    EXPECT_THAT(expect_success("effigy convert levels.glb -o x.glb --lod 7").err, HasSubstr("[lod-other]"));
}

TEST_F(CliConvert, Resamples) {
    const auto key_counts = [](const Json& json) {
        std::vector<std::size_t> counts;
        for (const Json& sampler : json["animations"][0]["samplers"])
            counts.push_back(json["accessors"][sampler["input"].get<std::size_t>()]["count"]);
        return counts;
    };
    EXPECT_THAT(key_counts(converted("soldier.xac walk.xsm")), Not(::testing::Contains(11U)));
    EXPECT_THAT(key_counts(converted("soldier.xac walk.xsm --resample 10")), ::testing::Contains(11U));
}

TEST_F(CliConvert, EmbedsTheSource) {
    const Json without = converted("soldier.xac");
    expect_success("effigy convert soldier.xac --embed-source -o embedded.glb");
    const Json with = glb("embedded.glb");
    EXPECT_EQ(without["asset"]["extras"]["effigy"].count("embedded"), 0U);
    const Json& record = with["asset"]["extras"]["effigy"];
    const Json& embedded = record["embedded"];
    ASSERT_EQ(embedded.size(), 1U);
    EXPECT_EQ(embedded[0]["name"], "soldier.xac");
    EXPECT_EQ(bulk_of(content("embedded.glb"), record, embedded[0]["bytes"]), content("soldier.xac"));
}

TEST_F(CliConvert, FindsTexturesOrSaysWhereItLooked) {
    EXPECT_EQ(converted("soldier.xac --textures gfx")["images"].size(), 1U);
    EXPECT_EQ(converted("soldier.xac")["images"].size(), 1U);  // in a folder beside it
    const Outcome missing = expect_success(
        "mkdir a b && cp soldier.xac a && effigy convert a/soldier.xac --textures b --textures ./b --textures b/ -o "
        "x.glb");
    EXPECT_THAT(missing.err,
                HasSubstr("warning: the texture 'skin' of the material 'cloth' was not found in 'b', 'a' or"));
    EXPECT_THAT(missing.err, HasSubstr("[texture-missing] in x.glb at images[0]"));
    EXPECT_THAT(missing.out,
                HasSubstr("; 1 warning (texture-missing); name the textures' folder with --textures DIR\n"));
    EXPECT_EQ(glb("x.glb").count("images"), 0U);
}

TEST_F(CliConvert, LeavesOutTextures) {
    const Outcome run = expect_success("effigy convert soldier.xac --no-textures -o x.glb");
    EXPECT_EQ(glb("x.glb").count("images"), 0U);
    EXPECT_THAT(run.err, HasSubstr("info: 1 texture is left out, as --no-textures asks"));
    EXPECT_THAT(run.err, Not(HasSubstr("warning")));
}

TEST_F(CliConvert, WritesItsReport) {
    const Outcome run =
        expect_success("effigy convert soldier.xac walk.xsm --no-textures -o x.glb --report losses.json --json");
    const Json report = Json::parse(content("losses.json"));
    EXPECT_EQ(report["effigy_report"], 1);
    EXPECT_THAT(codes(report), ::testing::Contains("texture-missing"));
    const Json summary = run.json();
    EXPECT_EQ(summary["output"], "x.glb");
    EXPECT_EQ(summary["findings"], report["findings"]);
    EXPECT_EQ(summary["counts"]["clips"], 1);
    EXPECT_EQ(summary["clips"][0]["name"], "walk");
}

TEST_F(CliConvert, NamesTheFileOfEachFinding) {
    expect_success("effigy convert hair.xac models/walk.xsm models/soldier.xac face.xpm -o x.glb --report r.json -q");
    const Json report = Json::parse(content("r.json"));
    for (const Json& finding : report["findings"]) {
        const std::string file = finding.value("file", "");
        EXPECT_TRUE(file == "x.glb" || exists(file)) << finding.dump();
    }
}

TEST_F(CliConvert, TakesALoneMotion) {
    EXPECT_EQ(names(converted("walk.xsm")["animations"]), std::vector<std::string>{"walk"});
    expect_failure("effigy convert face.xpm -o y.glb", 1, {"face.xpm: error:", "name the actor as well"});
}

TEST_F(CliConvert, TakesCompanions) {
    const Json json = converted("soldier.xac walk.xsm walk.xsmtime");
    EXPECT_EQ(names(json["animations"]), std::vector<std::string>{"walk"});
}

TEST_F(CliConvert, TakesDamagedInputsWhenAsked) {
    expect_failure("effigy convert truncated.xac -o y.glb", 1, {"error: ", " in truncated.xac at ", "--allow-damaged"});
    expect_failure("effigy convert truncated.xac -o y.xac", 1, {"--allow-damaged"});
    // What can be read is written, and the exit code still says that something was lost.
    EXPECT_EQ(run("effigy convert truncated.xac --allow-damaged -o copy.xac").code, 1);
    EXPECT_EQ(content("copy.xac"), content("truncated.xac"));
    EXPECT_EQ(run("effigy convert truncated.xac --allow-damaged -o x.glb").code, 1);
    EXPECT_TRUE(exists("x.glb"));
}

TEST_F(CliConvert, IsQuietWhenAsked) {
    const Outcome run = expect_success("effigy convert soldier.xac --no-textures -o x.glb --quiet");
    EXPECT_EQ(run.out + run.err, "");
}

}  // namespace
}  // namespace effigy::test
