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

TEST_F(CliFolder, OfAModHasTexturesInOneForm) {
    expect_success("effigy convert soldier.xac --textures gfx -o buoy.glb --no-records -q");
    for (const std::string form : {"png", "keep"}) {
        expect_failure("effigy convert buoy.glb -o dds_mod/ --target x4 --textures-as " + form, 2,
                       {"--textures-as", "always DDS"});
    }
    EXPECT_FALSE(exists("dds_mod"));
    expect_success("effigy convert buoy.glb -o dds_mod/ --target x4 --textures-as dds -q");
}

TEST_F(CliFolder, IsAModThatIsCalledOtherwiseInTheGame) {
    expect_success("effigy convert soldier.xac --textures gfx -o buoy.glb --no-records -q");
    expect_success("effigy convert buoy.glb -o new_mod/ --target x4 --mod Ship_Pack -q && mv new_mod copied");
    expect_success("cp buoy.glb mast.glb && effigy convert mast.glb -o copied --target x4 -q");
    for (const char* index : {"components", "macros"}) {
        const std::string text = content("copied/index/" + std::string(index) + ".xml");
        EXPECT_THAT(text, HasSubstr("name=\"mast"));
        EXPECT_THAT(text, Not(HasSubstr("extensions\\copied")));
    }
    EXPECT_THAT(expect_success("effigy check copied").out, HasSubstr("0 errors, 0 warnings"));
    expect_success("effigy convert mast.glb -o copied --target x4 --mod third -q");
    EXPECT_THAT(content("copied/index/components.xml"), HasSubstr("extensions\\third\\"));
}

TEST_F(CliFolder, KeepsWhatIsSpelledOtherwise) {
    expect_success("effigy convert soldier.xac --textures gfx -o buoy.glb --no-records -q");
    expect_success("effigy convert buoy.glb -o my_mod/ --target x4 --stubs -q");
    expect_success(
        "cd my_mod && mv t/0001-l044.xml t/0001-L044.xml && mv index/components.xml index/Components.xml && "
        "mv content.xml Content.xml && mv libraries/material_library.xml libraries/Material_Library.XML && "
        "sed -i 's/>Say here what it is.</>It floats.</' t/0001-L044.xml");
    expect_success("cp buoy.glb mast.glb && effigy convert mast.glb -o my_mod/ --target x4 --stubs -q");
    EXPECT_EQ(run("cd my_mod && ls t index libraries *ontent.xml").out,
              "Content.xml\n\nindex:\nComponents.xml\nmacros.xml\n\nlibraries:\nMaterial_Library.XML\nwares.xml\n\nt:\n"
              "0001-L044.xml\n");
    EXPECT_THAT(content("my_mod/t/0001-L044.xml"), HasSubstr("It floats."));
    for (const char* name : {"name=\"buoy\"", "name=\"mast\""})
        EXPECT_THAT(content("my_mod/index/Components.xml"), HasSubstr(name));
    EXPECT_THAT(content("my_mod/t/0001-L044.xml"), HasSubstr("<t id=\"201\">mast</t>")) << "101 is the other one's";
    EXPECT_THAT(run("grep -r ,201 my_mod --include=mast_macro.xml").out, HasSubstr("name=\"{"));
}

TEST_F(CliFolder, IsThatOfAParadoxGame) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q");
    expect_success("effigy convert soldier.glb -o my_mod/ --target victoria2");
    EXPECT_TRUE(exists("my_mod/gfx/anims/soldier.xac"));
    EXPECT_TRUE(exists("my_mod/gfx/anims/soldier_walk.xsm"));
    EXPECT_THAT(content("my_mod/interface/soldier.gfx"), HasSubstr("move = \"gfx\\anims\\soldier_walk.xsm\""));
}

constexpr const char* other_entries =
    "# mine\r\nobjectTypes = {\r\n\tmeshType = { name = \"soldier\" }\r\n\tEMFXActorType = { # a tank\r\n\t\tname = "
    "\"BritishTank\"\r\n\t\tactorfile = \"gfx\\anims\\tank.xac\"\r\n\t\tanimation = { name = \"idle\" file = "
    "\"x.xsm\" }\r\n\t\tscale = 0.7f\r\n\t}\r\n";

TEST_F(CliFolder, HasNamesInTheGamesCodePage) {
    expect_success("effigy convert soldier.xac -o Zulu\xc3\xa9.glb -q");
    expect_success("effigy convert Zulu\xc3\xa9.glb -o my_mod/ --target victoria2 -q");
    const std::string entry = content("my_mod/interface/Zulu\xc3\xa9.gfx");
    EXPECT_THAT(entry, HasSubstr("Zulu\xe9.xac"));
    EXPECT_THAT(entry, Not(HasSubstr("\xc3\xa9")));
}

TEST_F(CliFolder, AddsItsEntryToDefinitionsThatAreThere) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q && mkdir -p my_mod/interface");
    const std::string old(other_entries);
    write("my_mod/interface/Units.GFX", old + "}\r\n# }");
    write("my_mod/interface/other.gfx", "spriteTypes = { }\n");
    const Outcome made = expect_success("effigy convert soldier.glb -o my_mod/ --target hoi3");
    EXPECT_THAT(made.err, HasSubstr("[game-entry]"));
    EXPECT_FALSE(exists("my_mod/interface/soldier.gfx"));
    const std::string text = content("my_mod/interface/Units.GFX");
    EXPECT_EQ(text.substr(0, old.size()), old);
    EXPECT_THAT(text, HasSubstr("\r\n\tEMFXActorType = {\r\n\t\tname = \"soldier\"\r\n"));
    EXPECT_TRUE(text.ends_with("\r\n\t}\r\n}\r\n# }"));
    // What the modder changes in it stays.
    write("my_mod/interface/Units.GFX",
          old +
              "\tEMFXActorType = { name = \"BritishGCInfantry\" scale = 3.5\r\n\t\tactorfile = "
              "\"gfx/anims/SOLDIER.xac\" move = \"gfx\\anims\\old.xsm\" use_animation = no }\r\n}\r\n");
    expect_success("effigy convert soldier.glb -o my_mod/ --target hoi3 -q");
    EXPECT_EQ(content("my_mod/interface/Units.GFX"),
              old +
                  "\tEMFXActorType = { name = \"BritishGCInfantry\" scale = 3.5\r\n\t\tactorfile = "
                  "\"gfx/anims/SOLDIER.xac\" move = \"gfx\\anims\\soldier_walk.xsm\" }\r\n}\r\n");
    // However the path is spelled.
    for (const std::string path : {R"(gfx\\anims\\soldier.xac)", "gfx//anims//soldier.xac", "/gfx/anims/soldier.xac",
                                   R"(.\gfx\anims\soldier.xac)"}) {
        const std::string entry = "\tEMFXActorType = { name = \"GC\" actorfile = \"" + path + "\" move = \"";
        write("my_mod/interface/Units.GFX", old + entry + "old.xsm\" }\r\n}\r\n");
        expect_success("effigy convert soldier.glb -o my_mod/ --target hoi3 -q");
        EXPECT_EQ(content("my_mod/interface/Units.GFX"), old + entry + "gfx\\anims\\soldier_walk.xsm\" }\r\n}\r\n");
    }
    // A line of its own goes as a whole.
    const std::string lines = "\tEMFXActorType = {\r\n\t\tactorfile = \"gfx\\anims\\soldier.xac\"";
    write("my_mod/interface/Units.GFX", old + lines + "\r\n\t\tuse_animation = no\r\n\t\tscale = 2\r\n\t}\r\n}\r\n");
    expect_success("effigy convert soldier.glb -o my_mod/ --target eu3 -q");
    EXPECT_EQ(content("my_mod/interface/Units.GFX"),
              old + lines + "\r\n\t\tmove = \"gfx\\anims\\soldier_walk.xsm\"\r\n\t\tscale = 2\r\n\t}\r\n}\r\n");
    EXPECT_EQ(content("my_mod/interface/other.gfx"), "spriteTypes = { }\n");
}

/// As some mods keep their attachments: the model goes to gfx/anims, where that one is not.
TEST_F(CliFolder, LeavesEntriesOfAnotherFolderToTheirModels) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q && mkdir -p my_mod/interface");
    const std::string other =
        "objectTypes = {\r\n\tEMFXActorType = {\r\n\t\tname = \"guard\"\r\n\t\tactorfile = "
        "\"gfx\\anims\\Attachments\\soldier.xac\"\r\n\t\tmove = \"gfx\\anims\\old.xsm\"\r\n\t}\r\n";
    write("my_mod/interface/units.gfx", other + "}\r\n");
    expect_success("effigy convert soldier.glb -o my_mod/ --target victoria2 -q");
    const std::string text = content("my_mod/interface/units.gfx");
    EXPECT_EQ(text.substr(0, other.size()), other);
    EXPECT_THAT(text, HasSubstr("name = \"soldier\"\r\n\t\tactorfile = \"gfx\\anims\\soldier.xac\""));
    // One of the model's name is the model's, whatever its actor was.
    write("my_mod/interface/units.gfx", std::string(other).replace(other.find("guard"), 5, "Soldier") + "}\r\n");
    expect_success("effigy convert soldier.glb -o my_mod/ --target victoria2 -q");
    EXPECT_EQ(content("my_mod/interface/units.gfx"),
              "objectTypes = {\r\n\tEMFXActorType = {\r\n\t\tname = \"Soldier\"\r\n\t\tactorfile = "
              "\"gfx\\anims\\soldier.xac\"\r\n\t\tmove = \"gfx\\anims\\soldier_walk.xsm\"\r\n\t}\r\n}\r\n");
}

/// Case does not matter to the games.
TEST_F(CliFolder, GoesToFoldersThatAreSpelledOtherwise) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q");
    expect_success("mkdir -p my_mod/Interface my_mod/GFX/Anims other/INTERFACE");
    write("my_mod/Interface/units.gfx",
          "objectTypes = { EMFXActorType = { actorfile = \"gfx\\anims\\soldier.xac\" move = \"x.xsm\" } }\n");
    expect_success("effigy convert soldier.glb -o my_mod/ --target victoria2 -q");
    EXPECT_TRUE(exists("my_mod/GFX/Anims/soldier.xac"));
    EXPECT_THAT(content("my_mod/Interface/units.gfx"), HasSubstr("move = \"gfx\\anims\\soldier_walk.xsm\""));
    EXPECT_FALSE(exists("my_mod/gfx"));
    EXPECT_FALSE(exists("my_mod/interface"));
    expect_success("mkdir -p both/gfx/anims both/Gfx/anims && effigy convert soldier.glb -o both/ --target eu3 -q");
    EXPECT_TRUE(exists("both/gfx/anims/soldier.xac")) << "where that is there as well";
    expect_success("effigy convert soldier.glb -o other/ --target victoria2 -q");
    EXPECT_TRUE(exists("other/INTERFACE/soldier.gfx"));
}

TEST_F(CliFolder, HasBlocksForStatesWithoutAWordOfTheirOwn) {
    expect_success(
        "cp walk.xsm attack_move.xsm && cp walk.xsm Retreat.xsm && effigy convert soldier.xac "
        "attack_move.xsm Retreat.xsm walk.xsm --textures gfx -o soldier.glb -q");
    for (const std::string game : {"hoi3", "victoria2", "eu3"}) {
        expect_success("effigy convert soldier.glb -o " + game + "/ --target " + game + " -q");
        const std::string text = content(game + "/interface/soldier.gfx");
        EXPECT_THAT(text, HasSubstr("\tmove = \"gfx\\anims\\soldier_walk.xsm\"\r\n"));
        const bool has_states = game != "eu3";
        for (const std::string state : {"\"attackmove\" file = \"gfx\\anims\\soldier_attack_move.xsm\" }\r\n",
                                        "\"retreat\" file = \"gfx\\anims\\soldier_Retreat.xsm\" }\r\n"})
            EXPECT_EQ(text.find("\tanimation = { name = " + state) != std::string::npos, has_states) << game;
        EXPECT_THAT(text, Not(HasSubstr("retargeting")));
        // A second time nothing changes.
        expect_success("effigy convert soldier.glb -o " + game + "/ --target " + game + " -q");
        EXPECT_EQ(content(game + "/interface/soldier.gfx"), text);
    }
    // In blocks that are there, the file alone changes.
    const std::string entry =
        "objectTypes = { EMFXActorType = { actorfile = \"soldier.xac\" animation = { name = \"Move\" file = \"";
    const std::string rest = "\" defaultAnimationTime = 2.0 } animation = { name = \"retreat\" file = \"";
    write("hoi3/interface/soldier.gfx", entry + "old.xsm" + rest + "old.xsm\" } }\n}");
    expect_success("effigy convert soldier.glb -o hoi3/ --target hoi3 -q");
    const std::string text = content("hoi3/interface/soldier.gfx");
    EXPECT_THAT(text, HasSubstr(entry.substr(entry.find("animation")) + "gfx\\anims\\soldier_walk.xsm" + rest +
                                "gfx\\anims\\soldier_Retreat.xsm\" }"));
    EXPECT_THAT(text, HasSubstr("animation = { name = \"attackmove\" file = "));
    EXPECT_THAT(text, Not(HasSubstr("move = \"gfx")));
}

TEST_F(CliFolder, SaysThatNothingMoves) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb -q");
    expect_success("effigy convert soldier.glb -o eu3/ --target eu3 -q");
    const std::string text = content("eu3/interface/soldier.gfx");
    EXPECT_THAT(text, HasSubstr("idle = \"gfx\\anims\\Static.xsm\"\r\n"));
    EXPECT_THAT(text, HasSubstr("use_animation = no\r\n"));
    EXPECT_THAT(text, HasSubstr("scale = "));
    expect_success("effigy convert soldier.glb -o vic/ --target victoria2 -q");
    EXPECT_THAT(content("vic/interface/soldier.gfx"), Not(HasSubstr("use_animation")));
}

TEST_F(CliFolder, HasAMaskForTheGamesShaders) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.gltf --no-records -q");
    Json gltf = Json::parse(content("soldier.gltf"));
    Json rough = gltf["images"][0];
    rough["name"] = "coarse";
    gltf["images"].push_back(rough);
    gltf["textures"].push_back({{"source", gltf["images"].size() - 1}});
    gltf["materials"][0]["pbrMetallicRoughness"]["metallicRoughnessTexture"] = {{"index", gltf["textures"].size() - 1}};
    write("rough.gltf", gltf.dump());
    // The mask of the surface's roughness where the game shows highlights, its own stand-in elsewhere.
    for (const std::string game : {"eu3", "hoi3", "victoria2"}) {
        const bool has_highlights = game != "victoria2";
        expect_success("effigy convert rough.gltf -o " + game + "/ --target " + game + " -q");
        EXPECT_EQ(exists(game + "/gfx/anims/coarse.dds"), has_highlights) << game;
        EXPECT_THAT(content(game + "/gfx/anims/rough.xac"), HasSubstr(has_highlights ? "coarse" : "standinspec"));
    }
    expect_success(
        "effigy convert soldier.gltf -o eu3/ --target eu3 -q && effigy convert soldier.gltf -o hoi3/ --target hoi3 -q");
    EXPECT_THAT(content("eu3/gfx/anims/soldier.xac"), HasSubstr("nospec"));
    EXPECT_THAT(content("hoi3/gfx/anims/soldier.xac"), HasSubstr("effigy_nospec"));
    EXPECT_TRUE(exists("hoi3/gfx/anims/effigy_nospec.dds"));
}

TEST_F(CliFolder, IsThatOfTreeOfSavior) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb --no-records -q");
    const Outcome made = expect_success("effigy convert soldier.glb -o out/ --target tos");
    const std::string folder = "out/char_hi/npc/soldier/";
    EXPECT_TRUE(exists(folder + "soldier_set.xac"));
    EXPECT_TRUE(exists(folder + "soldier_walk.xsm"));
    // One second of frames, and each ends when the next one begins.
    EXPECT_EQ(content(folder + "soldier_walk.xsmtime").size(), 8U + 31 * 6);
    EXPECT_EQ(content(folder + "skin.dds").substr(0, 4), "DDS ");
    EXPECT_THAT(made.err, HasSubstr("Mesh npc/soldier/soldier_set.xac, Path npc/soldier/"));
}

/// A triangle of one colour and without texture coordinates.
const std::string plain_gltf =
    R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"cube","mesh":0}],"meshes":[{"primitives":)"
    R"([{"attributes":{"POSITION":0},"material":0}]}],"materials":[{"name":"red","pbrMetallicRoughness":)"
    R"({"baseColorFactor":[1,0,0,1]}}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
    R"("min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":)"
    R"("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

TEST_F(CliFolder, HasNothingThatTheSceneDoesNotShow) {
    Json gltf = Json::parse(plain_gltf);
    gltf["nodes"].push_back({{"name", "other"}, {"children", {2}}});
    gltf["nodes"].push_back({{"name", "spare"}, {"mesh", 0}});
    write("plain.gltf", gltf.dump());
    for (const std::string format : {"glb", "xac", "x42", "jar", "xmf"}) {
        expect_success("mkdir " + format + " && effigy convert plain.gltf -q -o " + format + "/it." + format);
        expect_success("effigy convert " + format + "/it." + format + " -q -o " + format + "/it.obj");
        const std::string obj = content(format + "/it.obj");
        EXPECT_NE(obj.find("\nf "), std::string::npos) << format;
        EXPECT_EQ(obj.find("\nf "), obj.rfind("\nf ")) << format;
    }
}

TEST_F(CliFolder, ShowsColoursOfMeshesWithoutTextureCoordinates) {
    write("plain.gltf", plain_gltf);
    for (const std::string target : {"victoria2", "eu3", "hoi3", "tos", "spacetrader"})
        expect_success("effigy convert plain.gltf -o " + target + "/ --target " + target);
    EXPECT_EQ(content("eu3/gfx/anims/red.dds").substr(0, 4), "DDS ");
    expect_success("effigy convert plain.gltf -o alone/plain.xac --target eu3");
    EXPECT_EQ(content("alone/red.dds"), content("eu3/gfx/anims/red.dds"));
    EXPECT_EQ(content("alone/plain.xac"), content("eu3/gfx/anims/plain.xac"));
}

TEST_F(CliFolder, HasTexturesThatOnlyTheGameShows) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb --no-records -q");
    expect_success("effigy convert soldier.glb -o first.xac --target victoria2 -q");
    expect_success("cp skin.dds shine_masks.dds && effigy dump first.xac --json > first.json");
    expect_success("sed -i 's/standinspec/shine_masks/' first.json && effigy build first.json -o second.xac");
    expect_success("effigy convert second.xac -o mod/ --target victoria2 -q");
    EXPECT_EQ(content("mod/gfx/anims/shine_masks.dds"), content("shine_masks.dds"));
    const Outcome bare =
        expect_success("rm -r mod shine_masks.dds && effigy convert second.xac -o bare/ --target victoria2 -v");
    EXPECT_THAT(bare.err, HasSubstr("shine_masks) [texture-missing]"));
    // Folders are those of Windows, letters those of its code page, and not every dot begins an ending.
    std::string third = content("first.xac");
    third.replace(third.find("standinspec"), 11, "xy\\m\xe9sk.pec");
    write("third.xac", third);
    expect_success("cp skin.dds m\xc3\xa9sk.pec.dds && effigy convert third.xac -o other/ --target victoria2 -q");
    EXPECT_EQ(content("other/gfx/anims/m\xc3\xa9sk.pec.dds"), content("skin.dds"));
    EXPECT_FALSE(exists("other/gfx/anims/xy\\m\xe9sk.pec.dds"));
    // What nobody has edited stands in the code page in which it was read.
    expect_success(
        "mv m\xc3\xa9sk.pec.dds m\xd0\xb9sk.pec.dds && effigy convert third.xac --encoding CP1251 -o third.glb -q");
    expect_success("effigy convert third.glb -o cyrillic/ --target victoria2 -q");
    EXPECT_EQ(content("cyrillic/gfx/anims/m\xd0\xb9sk.pec.dds"), content("skin.dds"));
}

TEST_F(CliFolder, IsThatOfSpaceTrader) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q");
    expect_success("effigy convert soldier.glb -o base/ --target spacetrader");
    const std::string folder = "base/models/players/soldier/";
    EXPECT_EQ(content(folder + "char.x42").substr(0, 4), "HW42");
    EXPECT_THAT(content(folder + "animation.cfg"), HasSubstr("walk 0 "));
    EXPECT_THAT(content(folder + "char_default.skin"), HasSubstr(",models/players/soldier/skin\n"));
    EXPECT_EQ(content(folder + "skin.dds").substr(0, 4), "DDS ");
    EXPECT_EQ(content(folder + "icon_default.dds").substr(0, 4), "DDS ");
    expect_success("cd " + folder + " && effigy convert char.x42 animation.cfg char_default.skin -o back.glb");
    EXPECT_EQ(glb_json(content(folder + "back.glb"))["animations"].size(), 1U) << "both files have it";
    // Its shaders are taken to be in the game by now, and so are their textures.
    EXPECT_THAT(expect_success("effigy convert " + folder + "back.glb -o third/ --target spacetrader -v").err,
                HasSubstr("[x42-shaders-of-game]"));
    // The soldier is a person in metres, without the names that the game looks for.
    const Outcome made = expect_success("effigy convert soldier.glb -o other/ --target spacetrader -v");
    EXPECT_THAT(made.err, HasSubstr("x42-character-height"));
    EXPECT_THAT(made.err, HasSubstr("tag_weapon, tag_eye, spine_base, neck_base"));
}

TEST_F(CliFolder, HasTexturesThatTheModelNames) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.gltf --no-records -q");
    Json gltf = Json::parse(content("soldier.gltf"));
    gltf["images"].push_back({{"name", "shadows"}, {"uri", "shadows.png"}});
    gltf["textures"].push_back({{"source", gltf["images"].size() - 1}});
    for (Json& material : gltf["materials"]) material["occlusionTexture"] = {{"index", gltf["textures"].size() - 1}};
    write("soldier.gltf", gltf.dump());
    write("shadows.png", content("soldier_skin.png"));
    for (const std::string options : {"-o alone/soldier.x42", "-o base/ --target spacetrader"})
        expect_success("effigy convert soldier.gltf -q " + options);
    EXPECT_TRUE(exists("alone/skin.png"));
    EXPECT_FALSE(exists("alone/shadows.png"));
    EXPECT_TRUE(exists("base/models/players/soldier/skin.dds"));
    EXPECT_FALSE(exists("base/models/players/soldier/shadows.dds"));
}

TEST_F(CliFolder, NamesOfShadersHaveNoBlanks) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.gltf --no-records -q");
    Json gltf = Json::parse(content("soldier.gltf"));
    gltf["images"][0]["name"] = "my tex";
    write("soldier.gltf", gltf.dump());
    expect_success("effigy convert soldier.gltf -q -o base/ --target spacetrader");
    const std::string folder = "base/models/players/soldier/";
    EXPECT_THAT(content(folder + "char_default.skin"), HasSubstr(",models/players/soldier/my_tex\n"));
    EXPECT_TRUE(exists(folder + "my_tex.dds"));
}

/// Two nodes, of which one moves.
constexpr const char* skeleton_only =
    R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"root","children":[1]},{"name":"arm"}],)"
    R"("buffers":[{"byteLength":32,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAACAPwAAgD8="}],)"
    R"("bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],)"
    R"("accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},)"
    R"({"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],"animations":[{"name":"walk","samplers":)"
    R"([{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}]})";

TEST_F(CliFolder, SaysThatNothingCanBeSeen) {
    write("bones.gltf", skeleton_only);
    for (const std::string game : {"spacetrader", "x4", "victoria2", "tos"}) {
        const Outcome made = expect_success("effigy convert bones.gltf -o " + game + "/ --target " + game);
        EXPECT_THAT(made.err, HasSubstr("[scene-shows-nothing]")) << game;
    }
    EXPECT_THAT(expect_success("effigy convert bones.gltf -o bones.xac").err, Not(HasSubstr("scene-shows-nothing")))
        << "a skeleton with its motion";
}

TEST_F(CliFolder, IsAskedForWhereNoGameIsNamed) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb --no-records -q");
    const Outcome plain = expect_success("effigy convert soldier.glb -o a.xac");
    EXPECT_THAT(plain.err, HasSubstr("[target-missing]"));
    EXPECT_THAT(plain.err, HasSubstr("victoria2, eu3, tos"));
    const Outcome named = expect_success("effigy convert soldier.glb -o a.xac --target eu3");
    EXPECT_THAT(named.err, Not(HasSubstr("[target-missing]")));
    EXPECT_THAT(named.err, HasSubstr("EMFXActorType = { name = \"a\" actorfile = \"gfx\\anims\\a.xac\""));
    // What came from such a file goes back as it came.
    expect_success("effigy convert soldier.xac -o soldier.glb -q");
    EXPECT_THAT(expect_success("effigy convert soldier.glb -o b.xac").err, Not(HasSubstr("[target-missing]")));
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

TEST_F(CliFolder, HasPicturesThatSomebodyHasPaintedOn) {
    expect_success("mkdir out unedited edited && effigy convert soldier.xac --textures gfx -o out/soldier.gltf -q");
    expect_success("effigy convert out/soldier.gltf -o unedited/soldier.xac -q");
    EXPECT_THAT(run("ls unedited").out, Not(HasSubstr(".png")));
    expect_success("for picture in out/*.png; do printf x >> $picture; done");
    expect_success("effigy convert out/soldier.gltf -o edited/soldier.xac -q");
    EXPECT_THAT(run("ls edited").out, HasSubstr(".png"));
    EXPECT_EQ(content("edited/soldier.xac"), content("unedited/soldier.xac"));
    // A file in between does not forget that it was edited.
    expect_success("mkdir later && effigy convert out/soldier.gltf -o again.glb -q");
    expect_success("effigy convert again.glb -o later/soldier.xac -q");
    EXPECT_THAT(run("ls later").out, HasSubstr(".png"));
}

TEST_F(CliFolder, HasTheGamesOwnTexturesAsTheyWere) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb --no-records -q && mkdir -p game/sub out");
    expect_success("effigy convert soldier.glb -o game/soldier.xac --target tos -q");
    expect_success("for each in game/*.dds; do printf more >> $each; done");
    expect_success("effigy convert game/soldier.xac -o there.gltf --no-records -q");
    expect_success("effigy convert there.gltf --textures game -o out/back.xac --target tos -q");
    EXPECT_NE(run("ls out/*.dds").out, "");
    const std::string compare = "for each in out/*.dds; do cmp $each game/${each#out/} || exit 1; done";
    expect_success(compare);
    // From where games have them gzipped, too.
    expect_success("rm out/*.dds && for each in game/*.dds; do gzip -c $each > game/sub/${each#game/}.gz; done");
    expect_success("mkdir plain && mv game/*.dds plain/ && mv game/sub packed");
    expect_success("effigy convert there.gltf --textures packed -o out/back.xac --target tos -q && mv plain/* game/");
    expect_success(compare);
}

/// The same pixels under the header that games before Direct3D 10 do not know.
std::string with_dx10_header(std::string dds) {
    const std::uint32_t bc1 = 71, bc3 = 77, two_dimensions = 3;
    const std::array<std::uint32_t, 5> header{dds.substr(84, 4) == "DXT1" ? bc1 : bc3, two_dimensions, 0, 1, 0};
    dds.replace(84, 4, "DX10");
    return dds.insert(128, reinterpret_cast<const char*>(header.data()), sizeof header);
}

TEST_F(CliFolder, HasNoTexturesThatTheGameCannotLoad) {
    expect_success("effigy convert soldier.xac --textures gfx -o soldier.glb --no-records -q && mkdir -p game out");
    expect_success("effigy convert soldier.glb -o game/soldier.xac --target tos -q");
    const std::string pictures = run("ls game/*.dds").out, picture = pictures.substr(0, pictures.find('\n'));
    const std::string old = content(picture);
    write(picture, with_dx10_header(old));
    expect_success("effigy convert game/soldier.xac -o there.gltf --no-records -q");
    expect_success("effigy convert there.gltf --textures game -o out/back.xac --target tos -q");
    EXPECT_EQ(content("out/" + picture.substr(5)).substr(84, 4), old.substr(84, 4));
}

/// Nobody has named them as outputs, so they are anybody's.
TEST_F(CliFolder, KeepsModelsAndMotionsThatAreOthers) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q");
    const std::vector<std::pair<std::string, std::vector<std::string>>> games{
        {"victoria2", {"gfx/anims/soldier.xac", "gfx/anims/soldier_walk.xsm"}},
        {"eu3", {"gfx/anims/soldier.xac"}},
        {"tos", {"char_hi/npc/soldier/soldier_set.xac", "char_hi/npc/soldier/soldier_walk.xsmtime"}},
        {"spacetrader",
         {"models/players/soldier/char.x42", "models/players/soldier/animation.cfg",
          "models/players/soldier/char_default.skin"}}};
    for (const auto& [game, names] : games) {
        const std::string convert = "effigy convert soldier.glb -q -o " + game + "/ --target " + game;
        expect_success(convert);
        for (const std::string& name : names) {
            const std::string file = game + "/" + name, made = content(file);
            write(file, "somebody's");
            expect_failure(convert, 1, {file, "output-kept", "--overwrite"});
            expect_success(convert + " --overwrite");
            EXPECT_EQ(content(file), made);
        }
        // A second time they are the very same, and what was taken away comes back.
        std::filesystem::remove(path(game + "/" + names.back()));
        expect_success(convert);
        EXPECT_TRUE(exists(game + "/" + names.back()));
    }
}

/// Of a mod, the component says whose its meshes are.
TEST_F(CliFolder, ReplacesMeshesWithTheirComponentOnly) {
    expect_success("effigy convert soldier.xac --textures gfx -o buoy.glb --no-records -q");
    const std::string convert = "effigy convert buoy.glb -q -o my_mod/ --target x4", place = "my_mod/assets/props/";
    expect_success(convert);
    const std::string meshes = expect_success("find my_mod -name '*.xmf' | sort").out;
    const std::string mesh = meshes.substr(0, meshes.find('\n')), made = content(mesh);
    ASSERT_THAT(mesh, ::testing::StartsWith(place));
    write(mesh, "older");
    expect_success(convert);
    EXPECT_EQ(content(mesh), made);
    write(mesh, "somebody's");
    std::filesystem::remove(path(place + "surfaceelements/buoy.xml"));
    expect_failure(convert, 1, {mesh, "output-kept", "--overwrite"});
    expect_success(convert + " --overwrite");
    EXPECT_EQ(content(mesh), made);
}

}  // namespace
}  // namespace effigy::test
