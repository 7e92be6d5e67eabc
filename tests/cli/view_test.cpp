/// effigy view: pages hold every file that they need, and nothing else.

#include "cli/shown_page.hpp"

namespace effigy::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class CliView : public Cli {
protected:
    [[nodiscard]] ShownPage shown(const std::string& arguments) const {
        expect_success("effigy view " + arguments + " -o page.html -q");
        return shown_page(content("page.html"));
    }
    /// The page converts to the same bytes as the files where they lie, with the same names for all it asks for.
    void expect_same(const ShownPage& page, const std::string& arguments) const {
        expect_success("effigy convert " + arguments + " -o same.glb -q");
        const std::string glb = page.glb(), expected = content("same.glb");
        EXPECT_TRUE(glb == expected) << glb.size() << " and " << expected.size() << " bytes";
    }
};

TEST_F(CliView, AnActorHasItsMotionsAndTextures) {
    const ShownPage page = shown("soldier.xac walk.xsm face.xpm --textures gfx");
    EXPECT_THAT(page.inputs(), ElementsAre("soldier.xac", "walk.xsm", "face.xpm"));
    EXPECT_THAT(page.sides(), ElementsAre("gfx/skin.png", "walk.xsmtime"));
    for (const ShownFile& file : page.files) EXPECT_TRUE(file.bytes == content(file.name)) << file.name;
    EXPECT_THAT(page.options, IsEmpty());
    expect_same(page, "soldier.xac walk.xsm face.xpm --textures gfx");
}

TEST_F(CliView, ExamplesOfThePageGiveWay) {
    const std::string before = "<!doctype html><title>effigy</title><body>", after = "<script>1</script>";
    const std::string examples = R"(<script type="application/json" id="effigy-examples">[{"title":"x"}]</script>)";
    write("with.html", before + "<!--effigy-files-->" + examples + after);
    write("without.html", before + "<!--effigy-files-->" + after);
    expect_success("EFFIGY_PAGE=with.html effigy view soldier.xac -o a.html -q");
    expect_success("EFFIGY_PAGE=without.html effigy view soldier.xac -o b.html -q");
    EXPECT_TRUE(content("a.html") == content("b.html"));
    write("first.html", before + examples + "<!--effigy-files-->" + after);
    expect_success("EFFIGY_PAGE=first.html effigy view soldier.xac -o c.html -q");
    EXPECT_TRUE(content("c.html") == content("b.html"));
}

TEST_F(CliView, AnX42ModelHasItsCompanions) {
    const ShownPage page = shown("trader.x42 animation.cfg default.skin --textures base");
    EXPECT_THAT(page.inputs(), ElementsAre("trader.x42", "animation.cfg", "default.skin"));
    expect_same(page, "trader.x42 animation.cfg default.skin");
}

TEST_F(CliView, AnAvatarHasItsMotion) {
    const ShownPage page = shown("signer.jar hello.cas.xml");
    EXPECT_THAT(page.inputs(), ElementsAre("signer.jar", "hello.cas.xml"));
    expect_same(page, "signer.jar hello.cas.xml");
}

TEST_F(CliView, AComponentHasItsMeshesAndMaterials) {
    const ShownPage page = shown("my_mod/assets/units/size_s/ship_test.xml");
    EXPECT_THAT(page.inputs(), ElementsAre("assets/units/size_s/ship_test.xml"));
    EXPECT_THAT(page.sides(), Contains(HasSubstr("material_library.xml")));
    EXPECT_THAT(page.sides(), Contains(::testing::EndsWith(".xmf")));
    expect_same(page, "my_mod/assets/units/size_s/ship_test.xml");
}

TEST_F(CliView, AGltfFileHasItsBuffersAndPictures) {
    expect_success("mkdir out && effigy convert soldier.xac -o out/s.gltf --textures gfx -q");
    const ShownPage page = shown("out/s.gltf");
    EXPECT_THAT(page.inputs(), ElementsAre("s.gltf"));
    EXPECT_THAT(page.sides(), Contains("s.bin"));
    EXPECT_THAT(page.sides(), Contains(::testing::EndsWith(".png")));
}

TEST_F(CliView, MotionsThatFitBecomeInputs) {
#ifdef EFFIGY_FIGURE
    const std::string figure = EFFIGY_FIGURE;
    const ShownPage page = shown("'" + figure + "/figure.xac' --motions '" + figure + "'");
    EXPECT_THAT(page.inputs(), UnorderedElementsAre("figure.xac", "walk.xsm", "wave.xsm", "talk.xpm"));
    EXPECT_THAT(page.sides(), UnorderedElementsAre("figure_diffuse.png", "walk.xsmtime"));
    EXPECT_FALSE(page.options.contains("motions"));
#endif
}

TEST_F(CliView, NamesSayNothingOfOtherPlaces) {
    expect_success("mkdir -p a/b c && cp soldier.xac a/b && cp gfx/skin.png c");
    const ShownPage page = shown("\"$PWD/a/b/soldier.xac\" --textures \"$PWD/c\"");
    EXPECT_THAT(page.inputs(), ElementsAre("soldier.xac"));
    EXPECT_THAT(page.sides(), ElementsAre("beside/skin.png"));
    expect_same(page, "a/b/soldier.xac --textures c");
}

TEST_F(CliView, TexturesOfTheFirstFolderCount) {
    expect_success("mkdir other && cp gfx/skin.png other && printf x >> other/skin.png");
    const ShownPage page = shown("soldier.xac --textures other --textures gfx");
    EXPECT_THAT(page.sides(), ElementsAre("other/skin.png"));
}

TEST_F(CliView, SwitchesOfReadingAreGivenOn) {
    const ShownPage page = shown("soldier.xac --lod 0 --no-textures --encoding CP949");
    EXPECT_EQ(page.options, Json({{"lod", "0"}, {"no-textures", true}, {"encoding", "CP949"}}));
    EXPECT_THAT(page.sides(), IsEmpty());
    expect_failure("effigy view soldier.xac --arp-twist bake -o x.html", 2, {"--arp-twist"});
    expect_failure("effigy view soldier.xac --textures nowhere -o x.html", 2, {"--textures", "nowhere"});
}

TEST_F(CliView, ModelsThatMakeNoSceneTogetherAreShownBesideOneAnother) {
    const ShownPage page = shown("soldier.xac trader.x42 --textures gfx");
    EXPECT_THAT(page.inputs(), ElementsAre("soldier.xac", "trader.x42"));
    EXPECT_THAT(page.sides(), Contains("gfx/skin.png"));
}

TEST_F(CliView, EachModelHasTheTexturesOfItsFolder) {
    expect_success("mkdir one two && cp soldier.xac one/a.xac && cp soldier.xac two/b.xac && cp walk.xsm two");
    expect_success("cp gfx/skin.png one && cp gfx/skin.png two && printf x >> two/skin.png");
    const ShownPage page = shown("one/a.xac two/b.xac two/walk.xsm");
    EXPECT_THAT(page.inputs(), ElementsAre("one/a.xac", "two/b.xac", "two/walk.xsm"));
    EXPECT_THAT(page.sides(), UnorderedElementsAre("one/skin.png", "two/skin.png"));
}

TEST_F(CliView, FoldersStandForWhatIsInThem) {
    EXPECT_THAT(shown("models").inputs(), ElementsAre("soldier.xac", "walk.xsm"));
    expect_failure("effigy view base -o x.html", 3, {"base", "no file that effigy reads"});
}

TEST_F(CliView, StandardInputHasAName) {
    expect_success("effigy view - -q -o page.html --textures gfx < soldier.xac");
    EXPECT_THAT(shown_page(content("page.html")).inputs(), ElementsAre("stdin.xac"));
}

TEST_F(CliView, NamesAreNeverMarkup) {
    expect_success("cp soldier.xac '<script>.xac' && cp hair.xac '<!--.xac'");
    const Outcome run = expect_success("effigy view '<script>.xac' --attach '<!--.xac@root' -o - -q");
    EXPECT_THAT(shown_page(run.out).inputs(), ElementsAre("<script>.xac"));
    EXPECT_EQ(shown_page(run.out).options["attach"], "<!--.xac@root");
}

TEST_F(CliView, DamagedFilesAreShownAndSaid) {
    const Outcome run = this->run("effigy view truncated.xac -o page.html");
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("error"));
    EXPECT_THAT(shown_page(content("page.html")).inputs(), ElementsAre("truncated.xac"));
}

TEST_F(CliView, RefusesWhatCannotBeShown) {
    expect_failure("effigy view", 2, {"INPUT", "--serve"});
    expect_failure("effigy view nothing.xac -o x.html", 3, {"nothing.xac"});
    expect_failure("effigy view notes.txt -o x.html", 3, {"notes.txt"});
    expect_failure("effigy view soldier.xac -o soldier.xac", 2, {"inputs are never changed"});
    expect_failure("effigy view soldier.xac -o x.png", 2, {".html", "effigy render"});
    expect_failure("effigy view soldier.xac -o nowhere/x.html", 1, {"the folder of the output does not exist"});
    expect_failure("effigy view soldier.xac soldier.xac -o x.html", 2, {"twice"});
    expect_failure("effigy view --serve nowhere", 2, {"nowhere"});
    EXPECT_EQ(run("effigy view --serve nowhere --json").json()["error"]["code"], "usage-option");
    EXPECT_EQ(run("effigy view base -o x.html --json").json()["error"]["code"], "input-none");
    expect_failure("effigy view --serve models soldier.xac", 2, {"--serve"});
    expect_failure("effigy view soldier.xac --within nowhere -o x.html", 2, {"nowhere"});
    expect_failure("effigy view --port 80 soldier.xac", 2, {"--serve"});
}

TEST_F(CliView, SaysHowMuchAPageHolds) {
    expect_success("cp soldier.xac big.xac && truncate -s 400M big.xac");
    const Outcome run = this->run("effigy view big.xac -o x.html");
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.err, HasSubstr("more than a page can hold"));
    EXPECT_FALSE(exists("x.html"));
}

TEST_F(CliView, SaysWhereThePageShouldBe) {
    expect_failure("EFFIGY_PAGE=nowhere.html effigy view soldier.xac -o x.html", 1, {"nowhere.html", "EFFIGY_PAGE"});
    expect_failure("EFFIGY_PAGE=notes.txt effigy view soldier.xac -o x.html", 1, {"no place for files"});
    write("twice.html", "<!--effigy-files--><!--effigy-files-->");
    expect_failure("EFFIGY_PAGE=twice.html effigy view soldier.xac -o x.html", 1, {"no place for files"});
    // Installed, the program finds it by itself.
    expect_success(
        "mkdir -p usr/bin usr/share/effigy && cp \"$(command -v effigy)\" usr/bin && cp \"$EFFIGY_PAGE\" "
        "usr/share/effigy/view.html");
    expect_success("EFFIGY_PAGE= usr/bin/effigy view soldier.xac -q -o x.html");
    expect_success("rm usr/share/effigy/view.html");
    const Outcome none = run("EFFIGY_PAGE= usr/bin/effigy view soldier.xac -o none.html");
    EXPECT_EQ(none.code, 1);
    EXPECT_THAT(none.err, HasSubstr("./dev web"));
}

TEST_F(CliView, OpensAPrivatePageInABrowser) {
    expect_success("mkdir bin && printf '#!/bin/sh\\necho \"$1\" > opened\\n' > bin/xdg-open && chmod +x bin/xdg-open");
    const Json said =
        expect_success("PATH=$PWD/bin:$PATH effigy view soldier.xac --json -q; until test -s opened; do :; done")
            .json();
    EXPECT_EQ(said["opened"], true);
    const std::filesystem::path page = said["output"].get<std::string>();
    EXPECT_EQ(content("opened"), page.string() + "\n");
    EXPECT_EQ(page.filename(), "soldier.html");
    EXPECT_EQ(std::filesystem::status(page.parent_path()).permissions(), std::filesystem::perms::owner_all);
    const Outcome none = expect_success("PATH=$PWD/none:$(dirname \"$(command -v effigy)\") effigy view soldier.xac");
    EXPECT_THAT(none.out, HasSubstr("open that file in a browser"));
    const Outcome quiet = expect_success("rm opened; PATH=$PWD/bin:$PATH effigy view soldier.xac --no-open");
    EXPECT_THAT(quiet.out, HasSubstr("soldier.html"));
    EXPECT_FALSE(exists("opened"));
}

TEST_F(CliView, SaysWhatIsInside) {
    const Json said = expect_success("effigy view soldier.xac walk.xsm --textures gfx -o page.html --json").json();
    EXPECT_EQ(said["output"], "page.html");
    EXPECT_EQ(said["opened"], false);
    ASSERT_EQ(said["files"].size(), 4U);
    EXPECT_EQ(said["files"][0]["role"], "input");
    EXPECT_EQ(said["files"][0]["size"], content("soldier.xac").size());
    EXPECT_TRUE(said["findings"].is_array());
    EXPECT_THAT(expect_success("effigy view soldier.xac walk.xsm --textures gfx -o page.html").out,
                HasSubstr("2 inputs, 2 files beside"));
}

TEST_F(CliView, ReadsNothingOutsideOfAFolder) {
    expect_success("mkdir -p in/gfx && cp soldier.xac in && ln -s ../../gfx/skin.png in/gfx/skin.png");
    EXPECT_THAT(shown("in/soldier.xac").sides(), ElementsAre("gfx/skin.png"));
    EXPECT_THAT(shown("in/soldier.xac --within in").sides(), IsEmpty());
    expect_failure("effigy view soldier.xac --within in -o x.html", 3);
}

TEST_F(CliView, NeverWritesOverWhatItsInputsReferTo) {
    expect_success(
        "effigy convert soldier.xac --textures gfx -o s.gltf -q && mv s.bin s.html && sed -i s/s.bin/s.html/ s.gltf");
    expect_failure("effigy view s.gltf -o s.html", 2, {"[usage-output]", "the inputs refer to this file"});
    for (const std::string arguments :
         {"soldier.xac --textures gfx -o gfx/skin.png", "soldier.xac walk.xsm -o walk.xsmtime"})
        expect_failure("effigy view " + arguments, 2, {"ends in .html"});
}

}  // namespace
}  // namespace effigy::test
