/// Outputs that are folders of a game: mods, and what is beside a model when it is written again.

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CliFolder : public Cli {};

TEST_F(CliFolder, IsAModOfX4ThatCheckFindsWhole) {
    expect_success("effigy convert soldier.xac --textures gfx -o buoy.glb --no-records -q");
    const Outcome made = expect_success("effigy convert buoy.glb -o mods/my_mod/ --target x4 --author me");
    EXPECT_THAT(made.out, HasSubstr("mods/my_mod"));
    EXPECT_THAT(content("mods/my_mod/content.xml"), HasSubstr("author=\"me\""));
    EXPECT_THAT(content("mods/my_mod/index/components.xml"),
                HasSubstr("extensions\\my_mod\\assets\\props\\surfaceelements\\buoy"));
    EXPECT_TRUE(exists("mods/my_mod/assets/props/surfaceelements/buoy.xml"));
    EXPECT_THAT(content("mods/my_mod/libraries/material_library.xml"), HasSubstr("<collection name=\"my_mod\">"));
    EXPECT_THAT(expect_success("effigy check mods/my_mod").out, HasSubstr("0 errors, 0 warnings"));
    // What is there already stays, and so does the second time what the first one made.
    const std::string index = content("mods/my_mod/index/components.xml");
    expect_success("effigy convert buoy.glb -o mods/my_mod --target x4 -q");
    EXPECT_EQ(content("mods/my_mod/index/components.xml"), index);
    EXPECT_THAT(content("mods/my_mod/content.xml"), HasSubstr("author=\"me\""));
}

TEST_F(CliFolder, IsThatOfAParadoxGame) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q");
    expect_success("effigy convert soldier.glb -o my_mod/ --target victoria2");
    EXPECT_TRUE(exists("my_mod/gfx/anims/soldier.xac"));
    EXPECT_TRUE(exists("my_mod/gfx/anims/soldier_walk.xsm"));
    EXPECT_THAT(content("my_mod/interface/soldier.gfx"), HasSubstr("move = \"gfx\\anims\\soldier_walk.xsm\""));
}

TEST_F(CliFolder, WantsToKnowTheGame) {
    const Outcome run = expect_failure("effigy convert soldier.xac -o my_mod/", 2);
    EXPECT_THAT(run.err, HasSubstr("--target"));
    EXPECT_THAT(run.err, HasSubstr("victoria2"));
    EXPECT_THAT(run.err, HasSubstr("x4"));
}

TEST_F(CliFolder, HasPicturesOfTheModelThatIsWrittenAgain) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb --no-records -q && mkdir out");
    expect_success("effigy convert soldier.glb -o out/soldier.xac -q --textures-as png");
    const std::string first = run("ls out/*.png").out;
    const std::string picture = first.substr(0, first.find('\n'));
    ASSERT_TRUE(exists(picture));
    // Its own picture is replaced, another model's and an edited one are not.
    expect_success("effigy convert soldier.glb -o out/soldier.xac -q --textures-as png");
    EXPECT_THAT(run("effigy convert soldier.glb -o out/soldier.xac --textures-as png").err,
                Not(HasSubstr("output-picture-kept")));
    expect_success("printf x >> " + picture);
    const std::string edited = content(picture);
    EXPECT_THAT(run("effigy convert soldier.glb -o out/soldier.xac --textures-as png").err,
                HasSubstr("output-picture-kept"));
    EXPECT_EQ(content(picture), edited);
    expect_success("effigy convert soldier.glb -o out/soldier.xac --textures-as png --overwrite -q");
    EXPECT_NE(content(picture), edited);
    expect_success("effigy convert soldier.glb -o out/soldier.xac -q --target victoria2");
    const std::string dds = picture.substr(0, picture.rfind('.')) + ".dds";
    EXPECT_EQ(content(dds).substr(0, 4), "DDS ");
}

}  // namespace
}  // namespace effigy::test
