/// What convert makes of scenes: files of games, and the way there and back.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CliNative : public Cli {
protected:
    void make_glb() const {
        expect_success("effigy convert soldier.xac walk.xsm face.xpm --textures gfx -o soldier.glb -q && mkdir out");
    }
    void expect_same(const std::string& a, const std::string& b) const { EXPECT_EQ(content(a), content(b)) << a; }
};

TEST_F(CliNative, UnchangedFilesComeBackAsTheyWere) {
    make_glb();
    const Outcome run = expect_success("effigy convert soldier.glb -o out/soldier.xac");
    EXPECT_THAT(run.out, HasSubstr("beside it soldier_walk.xsm, soldier_face.xpm, soldier_walk.xsmtime"));
    expect_same("out/soldier.xac", "soldier.xac");
    expect_same("out/soldier_walk.xsm", "walk.xsm");
    expect_same("out/soldier_walk.xsmtime", "walk.xsmtime");
    expect_same("out/soldier_face.xpm", "face.xpm");
    expect_success("effigy convert trader.x42 -o trader.glb -q && effigy convert trader.glb -o out/trader.x42 -q");
    expect_same("out/trader.x42", "trader.x42");
}

TEST_F(CliNative, WrittenFilesPassTheCheck) {
    make_glb();
    for (const char* name : {"out/a.xac --target victoria2", "out/b.xac --target tos", "out/c.x42", "out/d.jar"})
        expect_success(std::string("effigy convert soldier.glb -q -o ") + name);
    EXPECT_THAT(expect_success("effigy check out --severity warning").out, HasSubstr("0 errors, 0 warnings"));
}

TEST_F(CliNative, OneClipAlone) {
    make_glb();
    expect_success("effigy convert soldier.glb -o out/walk.xsm -q");
    expect_same("out/walk.xsm", "walk.xsm");
    expect_failure("effigy convert hair.xac -o out/walk.xsm", 1, {"emfx-clip"});
}

TEST_F(CliNative, NewTexturesGoBesideTheModelUnlessTheyAreThere) {
    make_glb();
    expect_success("effigy convert soldier.glb -o plain.gltf --no-textures -q");
    Json json = glb_json(content("soldier.glb"));
    ASSERT_FALSE(json["images"].empty());
    // Another colour: the material is no longer the game's.
    expect_success("effigy convert soldier.glb -o edited.gltf -q");
    Json edited = Json::parse(content("edited.gltf"));
    edited["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = 0.25;
    write("edited.gltf", edited.dump());
    expect_success("effigy convert edited.gltf -o out/edited.xac -q");
    EXPECT_TRUE(exists("out/skin.png"));
    write("out/skin.png", "mine");
    const Outcome run = expect_success("effigy convert edited.gltf -o out/edited.xac");
    EXPECT_THAT(run.err, HasSubstr("output-picture-kept"));
    EXPECT_EQ(content("out/skin.png"), "mine");
    expect_success("effigy convert edited.gltf -o out/bare.xac --no-textures");
}

TEST_F(CliNative, MaterialsStayWithoutTheirTextures) {
    make_glb();
    expect_success("effigy convert soldier.glb -o out/soldier.xac --no-textures -q");
    expect_same("out/soldier.xac", "soldier.xac");
    EXPECT_FALSE(exists("out/skin.png"));
}

TEST_F(CliNative, ForeignTexturesAreWrittenEvenIfNobodyEditedThem) {
    make_glb();
    const Outcome out = expect_success("effigy convert soldier.glb -o other/soldier.x42");
    EXPECT_THAT(out.out, HasSubstr("skin.png"));
    EXPECT_THAT(expect_success("effigy info other/soldier.x42").out, HasSubstr("skin"));
    expect_success("effigy convert other/soldier.x42 -o soldier42.glb");
    expect_success("effigy convert soldier42.glb -o same/soldier.x42");
    EXPECT_FALSE(exists("same/skin.png"));  // the game has it
    expect_success("effigy convert soldier42.glb -o back/soldier.xac");
    EXPECT_TRUE(exists("back/skin.png"));
}

TEST_F(CliNative, InputsAreNeverReplaced) {
    make_glb();
    expect_success("cp walk.xsm soldier2_walk.xsm");
    expect_failure("effigy convert soldier.xac walk.xsm -o soldier.xac", 2, {"the output is one of the inputs"});
    expect_failure("effigy convert soldier.xac soldier2_walk.xsm -o soldier2.xac", 2,
                   {"soldier2_walk.xsm", "another folder"});
}

TEST_F(CliNative, JsonNamesAllFiles) {
    make_glb();
    const Json json = expect_success("effigy convert soldier.glb -o out/soldier.xac --json").json();
    EXPECT_EQ(json["files"].size(), 4U);
    EXPECT_EQ(json["files"][0], "out/soldier.xac");
}

TEST_F(CliNative, ThereAndBackSaysWhatIsLost) {
    make_glb();
    const auto before = files();
    const Outcome kept = expect_success("effigy convert soldier.glb --via xac");
    EXPECT_THAT(kept.out, HasSubstr("nothing is lost"));
    EXPECT_EQ(kept.err, "");
    EXPECT_THAT(expect_success("effigy convert soldier.xac walk.xsm face.xpm --textures gfx --via xac").out,
                HasSubstr("nothing is lost"));
    const Outcome lost = expect_success("effigy convert soldier.glb --via x42");
    EXPECT_THAT(lost.err, Not(HasSubstr("texture-missing")));  // it would name a folder that nobody sees
    EXPECT_THAT(lost.err, HasSubstr("x42-morphs-left-out"));
    EXPECT_THAT(lost.err, HasSubstr("diff-"));
    EXPECT_THAT(lost.out, Not(HasSubstr("nothing is lost")));
    EXPECT_EQ(files(), before);
    expect_success("effigy convert soldier.glb --via x42 -o left.glb -q");
    EXPECT_EQ(glb_json(content("left.glb"))["meshes"][0].count("targets"), 0U);
    for (const char* format : {"glb", "cas", "xpm"})
        expect_failure(std::string("effigy convert soldier.glb --via ") + format, 2, {"--via wants a game's format"});
    expect_failure("effigy convert soldier.glb --via xac -o soldier.glb", 2, {"the output is one of the inputs"});
}

TEST_F(CliNative, SwitchesBelongToTheirFormats) {
    make_glb();
    const std::string convert = "effigy convert soldier.glb -o ";
    expect_failure(convert + "x.glb --target eu3", 2, {"--target says nothing about .glb"});
    expect_failure(convert + "x.xac --height 2", 2, {"--height says nothing about .xac"});
    expect_failure(convert + "x.x42 --levels fields", 2, {"--levels"});
    expect_failure(convert + "x.jar --bones 30", 2, {"--bones"});
    expect_failure(convert + "x.xac --target doom", 2, {"--target"});
    expect_failure(convert + "x.xac --max-error -1", 2, {"--max-error"});
    expect_failure(convert + "x.xac --bones 2", 2, {"--bones"});
    expect_success(convert + "x.xac --levels fields --bones 8 --max-error 0.001 --target eu3 -q");
    expect_success(convert + "y.x42 --animation-config --fps 20 --overwrite -q");
    EXPECT_TRUE(exists("animation.cfg"));
    expect_success(convert + "z.jar --height 1.7 -q");
}

TEST_F(CliNative, SaysWhatACopiedComponentLacks) {
    const std::string examples = EFFIGY_SOURCE_DIR "/docs/formats/examples/hatch";
    expect_success("mkdir here there && cp -r " + examples + ".xml " + examples + "_data here");
    for (const char* const mod : {"here", "there"}) write(std::string(mod) + "/content.xml", "<content/>");
    const std::string convert = "effigy convert here/hatch.xml -o there/hatch.xml";
    EXPECT_THAT(expect_success(convert).err, AllOf(HasSubstr("here/hatch_data"), HasSubstr("copied-alone")));
    EXPECT_EQ(content("there/hatch.xml"), content("here/hatch.xml"));
    expect_success("cp -r here/hatch_data there");
    EXPECT_THAT(expect_success(convert).err, Not(HasSubstr("copied-alone")));
    EXPECT_THAT(expect_success("effigy convert here/hatch.xml -o here/copy.xml").err, Not(HasSubstr("copied-alone")));
    expect_success("mv there/hatch_data there/Hatch_Data");
    EXPECT_THAT(expect_success(convert).err, Not(HasSubstr("copied-alone")));
    expect_success("mv here/hatch_data here/Hatch_Data && rm -r there/Hatch_Data");
    EXPECT_THAT(expect_success(convert).err, AllOf(HasSubstr("here/Hatch_Data"), HasSubstr("copied-alone")));
    // Folders that differ in case only: the meshes are in one of them.
    expect_success("mkdir -p here/assets/props && mv here/Hatch_Data here/assets/props/hatch_data");
    expect_success(R"(sed -i 's/"hatch_data"/"assets\\props\\hatch_data"/' here/hatch.xml)");
    EXPECT_THAT(expect_success(convert).err, HasSubstr("copied-alone"));
    for (const char* const folders : {"ASSETS/props/hatch_data assets", "assets/props/hatch_data ASSETS"}) {
        expect_success("rm -rf there/assets there/ASSETS && cd there && mkdir -p " + std::string(folders));
        EXPECT_THAT(expect_success(convert).err, Not(HasSubstr("copied-alone"))) << folders;
    }
}

TEST_F(CliNative, GltfWithOtherFilesStaysWhole) {
    expect_success(
        "mkdir far && effigy convert soldier.xac -o far/a.gltf -q && effigy convert far/a.gltf -o b.gltf -q");
    EXPECT_TRUE(exists("b.bin"));
    expect_success("effigy convert far/a.gltf -o c.glb -q && effigy convert b.gltf -o d.glb -q && cmp c.glb d.glb");
    expect_success("effigy convert c.glb -o e.glb -q && cmp c.glb e.glb");
    expect_failure("effigy convert b.gltf -o f.dat --to gltf", 2, {"--to gltf", "names files"});
    write("own.gltf", R"({"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [0]}]})");
    expect_success("effigy convert own.gltf -o g.gltf && cmp own.gltf g.gltf");
    expect_success("effigy convert own.gltf -o g.dat --to gltf && cmp own.gltf g.dat");
    expect_failure("effigy convert far/a.gltf --scene 7 -o x.glb", 1, {"gltf-scene-missing"});
    EXPECT_THAT(expect_success("effigy convert c.glb d.glb -o x.glb").err, HasSubstr("joined-names"));
    expect_success("effigy convert c.glb d.glb -o y.xac -q && effigy check y.xac -q");
    expect_success("effigy convert c.glb walk.xsm -o z.xac -q");
    EXPECT_TRUE(exists("z_walk.xsm"));
}

TEST_F(CliNative, SaysWhatACopiedMotionLacks) {
    expect_success("mkdir there");
    const std::string convert = "effigy convert walk.xsm -o there/a.xsm";
    EXPECT_THAT(expect_success(convert).err,
                AllOf(HasSubstr("walk.xsmtime"), HasSubstr("there/a.xsmtime"), HasSubstr("copied-alone")));
    expect_success("cp walk.xsmtime there/a.xsmtime");
    EXPECT_THAT(expect_success(convert).err, Not(HasSubstr("copied-alone")));
    expect_success("cp walk.xsm bare.xsm");
    EXPECT_THAT(expect_success("effigy convert bare.xsm -o there/b.xsm").err, Not(HasSubstr("copied-alone")));
}

}  // namespace
}  // namespace effigy::test
