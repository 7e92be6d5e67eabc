/// Mods that have a component of the name already: what is somebody else's stays.

#include <gmock/gmock.h>

#include "effigy/catalog.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/hashes.hpp"

#include "egosoft/file/written_mark.hpp"
#include "egosoft/from_scene_component_files.hpp"
#include "egosoft/mod_files.hpp"

namespace effigy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string buoy_file = "assets/props/surfaceelements/buoy.xml";
std::string component_text(const std::string& class_name, const std::string& connections) {
    return "<components><component name=\"buoy\" class=\"" + class_name + "\"><connections>" + connections +
           "</connections></component></components>";
}

std::string refusal(const Texts& old, const Scene& scene = boat(), const egosoft::ModOptions& options = {}) {
    const auto made = try_mod("buoy", "", old, scene, options);
    return made ? "" : made.error().code + " " + made.error().file;
}

TEST(WrittenMark, TellsWhetherATextWasEdited) {
    const std::string text = egosoft::with_mark("<a>\n  <b />\n</a>\n");
    EXPECT_THAT(text, testing::MatchesRegex("<a>\n  <b />\n</a>\n<!-- effigy xxh3:[0-9a-f]+ -->\n"));
    EXPECT_TRUE(egosoft::has_valid_mark(text));
    EXPECT_EQ(egosoft::with_mark(text), text);
    std::string dos;
    for (const char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_TRUE(egosoft::has_valid_mark(dos)) << "a program for versions changes line ends";
    EXPECT_TRUE(egosoft::has_valid_mark(text.substr(0, text.size() - 1)));
    std::string edited = text;
    edited[1] = 'c';
    EXPECT_FALSE(egosoft::has_valid_mark(edited));
    EXPECT_FALSE(egosoft::has_valid_mark(text + "<!-- mine -->"));
    for (const char* other : {"", "<a />", "<!-- effigy ", "<!-- effigy -->", " -->"})
        EXPECT_FALSE(egosoft::has_valid_mark(other)) << other;
}

TEST(ModWithComponent, ReplacesWhatItWroteItself) {
    const Texts first = made_mod("buoy", "destructible").files;
    EXPECT_TRUE(egosoft::has_valid_mark(first.at(buoy_file)));
    Scene scene = boat();
    add(scene, "con_lamp", "");
    EXPECT_EQ(refusal(first, scene), "");
    EXPECT_THAT(made_mod("buoy", "destructible", first, scene).files.at(buoy_file), HasSubstr("con_lamp"));
}

TEST(ModWithComponent, LeavesWhatOthersMadeOrEdited) {
    Texts old = made_mod("buoy", "destructible").files;
    old.at(buoy_file).insert(old.at(buoy_file).find("<layers>"), "<!-- mine -->");
    EXPECT_EQ(refusal(old), "mod-component-foreign " + buoy_file);
    EXPECT_EQ(refusal({{buoy_file, component_text("engine", "")}}), "mod-component-foreign " + buoy_file);
    egosoft::ModOptions options;
    options.replaces_others = true;
    EXPECT_EQ(refusal(old, boat(), options), "");
    // Elsewhere, where the index leads.
    Texts elsewhere{{"index/components.xml",
                     "<index><entry name=\"buoy\" value=\"extensions\\my_mod\\assets\\all\\props\" /></index>"},
                    {"assets/all/props.xml", component_text("engine", "")}};
    EXPECT_EQ(refusal(elsewhere), "mod-component-foreign assets/all/props.xml");
}

TEST(ModWithComponent, LeavesAnimationsOfOthers) {
    Scene scene = boat();
    Clip& clip = scene.clips.emplace_back();
    clip.name = "turn";
    clip.duration = 1;
    clip.tracks.push_back({.node = 0, .path = TrackPath::translation, .times = {0, 1}, .values = {0, 0, 0, 0, 0, 1}});
    const std::string motions = "assets/props/surfaceelements/buoy_data.ani";
    const Texts made = made_mod("buoy", "destructible", {}, scene).files;
    ASSERT_TRUE(made.contains(motions));
    EXPECT_EQ(refusal({{motions, "somebody's"}}, scene), "mod-component-foreign " + motions);
    EXPECT_EQ(refusal({{motions, "somebody's"}, {buoy_file, made.at(buoy_file)}}, scene), "")
        << "it goes with the component";
}

TEST(ModWithComponent, ReplacesWhatTheSceneWasMadeOf) {
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {builders::part("part_main")})}));
    input.components[0].file.components[0].name = "buoy";
    input.components[0].file.components[0].class_name = "engine";
    input.components[0].file.text = [] {
        const std::string text =
            component_text("engine",
                           "<connection name=\"con\" tags=\"part\"><parts><part name=\"part_main\">"
                           "</part></parts></connection>");
        const auto raw = std::as_bytes(std::span(text));
        return Bytes(raw.begin(), raw.end());
    }();
    input.meshes.push_back(mesh("part_main-lod0"));
    const std::string text = text_of(input.components[0].file.text);
    Scene scene = builders::convert(std::move(input)).value;
    set_hashes(scene);
    leave_untouched(scene);
    const std::string engine = "assets/props/engines/buoy.xml";
    EXPECT_EQ(refusal({{engine, text}}, scene), "");
    EXPECT_EQ(refusal({{engine, text + "<!-- mine -->"}}, scene), "mod-component-foreign " + engine);
}

TEST(ModWithComponent, KeepsItsClass) {
    Texts old = made_mod("buoy", "ship_s").files;
    const std::string ship = "assets/units/size_s/buoy.xml";
    const Made made = made_mod("buoy", "", old);
    EXPECT_EQ(made.files.at(ship), old.at(ship));
    EXPECT_EQ(made.report.count(egosoft::codes::mod_class_kept), 1u);
    EXPECT_EQ(made.report.count(egosoft::codes::mod_connections_lost), 0u);
    const Made other = made_mod("buoy", "destructible", old);
    EXPECT_THAT(other.files.at(ship), HasSubstr("class=\"destructible\""));
    EXPECT_EQ(other.report.count(egosoft::codes::mod_class_kept), 0u);
    EXPECT_EQ(other.report.count(egosoft::codes::mod_connections_lost), 1u) << "those of ships";
}

/// As where Blender exported without custom properties.
TEST(ModWithComponent, SaysWhichTagsAreGone) {
    Scene scene = boat();
    add(scene, "con_seat", R"({"tags": "cockpit"})");
    const Texts old = made_mod("buoy", "prop", {}, scene).files;
    EXPECT_EQ(made_mod("buoy", "prop", old, scene).report.count(egosoft::codes::mod_connections_lost), 0u);
    scene.nodes.back().extras = {};
    const Report report = made_mod("buoy", "prop", old, scene).report;
    const auto lost = std::find_if(report.diagnostics().begin(), report.diagnostics().end(),
                                   [](const Diagnostic& one) { return one.code == "mod-connections-lost"; });
    ASSERT_NE(lost, report.diagnostics().end());
    EXPECT_THAT(lost->found, HasSubstr("without tags (1: cockpit)"));
}

std::string found_in(const Report& report, std::string_view code) {
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.code == code) return one.found;
    }
    return {};
}

TEST(ModWithComponent, LosesNothingWithItsClass) {
    const Texts old = made_mod("buoy", "prop").files;
    EXPECT_EQ(made_mod("buoy", "ship_s", old).report.count(egosoft::codes::mod_connections_lost), 0u)
        << "only the tag that says the class is gone";
}

Clip turn_of(Index node) {
    Clip clip;
    clip.name = "turn";
    clip.duration = 1;
    clip.tracks.push_back(
        {.node = node, .path = TrackPath::translation, .times = {0, 1}, .values = {0, 0, 0, 0, 0, 1}});
    return clip;
}

TEST(ModWithComponent, SaysWhichFilesAreLeft) {
    Scene scene = boat();
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes.back().name = "Mast";
    scene.clips.push_back(turn_of(0));
    Texts old = made_mod("buoy", "prop", {}, scene).files;
    const std::string folder = "assets/props/surfaceelements/buoy_data";
    ASSERT_TRUE(old.contains(folder + "/mast-lod0.xmf"));
    ASSERT_TRUE(old.contains(folder + ".ani"));
    const std::string code(egosoft::codes::mod_files_left.name);
    EXPECT_EQ(made_mod("buoy", "prop", old, scene).report.count(code), 0u);
    old[folder + "/hull-lod1.xmf"] = old[folder + "/hull-lod2.xmf"] = "coarse";
    old[folder + "/hull-lod4.xmf"] = "behind a gap, where nobody looks";
    old[folder + "/hull-notes.xmf"] = "somebody's";
    const Made made = made_mod("buoy", "prop", old);
    EXPECT_EQ(found_in(made.report, code),
              folder + ": hull-lod1.xmf, hull-lod2.xmf, mast-lod0.xmf, mast-collision.xmf, buoy_data.ani");
    egosoft::ModOptions options;
    options.scene.makes_collision = false;
    EXPECT_THAT(found_in(made_mod("buoy", "prop", old, boat(), options).report, code), HasSubstr("hull-collision.xmf"));
    EXPECT_EQ(made_mod("mast", "prop", old).report.count(code), 0u) << "they are another one's";
}

const std::string buoy_macro = "assets/props/surfaceelements/macros/buoy_macro.xml";

TEST(ModWithComponent, MacrosThatNobodyEditedGetItsClass) {
    egosoft::ModOptions options;
    options.stubs = true;
    Texts old = made_mod("buoy", "prop", {}, boat(), options).files;
    const std::string macro = old.at(buoy_macro), name = macro.substr(macro.find("name=\"{"), 16);
    EXPECT_EQ(made_mod("buoy", "prop", old).files.count(buoy_macro), 0u) << "it fits";
    const Made made = made_mod("buoy", "ship_s", old);
    ASSERT_TRUE(made.files.contains(buoy_macro));
    EXPECT_THAT(made.files.at(buoy_macro), HasSubstr("class=\"ship_s\""));
    EXPECT_THAT(made.files.at(buoy_macro), HasSubstr("<connection ref=\"con_cockpit\">"));
    EXPECT_THAT(made.files.at(buoy_macro), HasSubstr(name)) << "its texts are there";
    EXPECT_EQ(found_in(made.report, "mod-macro-replaced"), buoy_macro);
    old.at(buoy_macro).insert(macro.find("<hull"), "<!-- mine -->");
    const Made edited = made_mod("buoy", "ship_s", old);
    EXPECT_FALSE(edited.files.contains(buoy_macro));
    EXPECT_EQ(found_in(edited.report, "macro-class-differs"), "destructible in " + buoy_macro);
    EXPECT_EQ(made_mod("buoy", "prop", old).report.count("macro-class-differs"), 0u);
}

TEST(ModWithComponent, StorageGoesWithTheClassOfItsShip) {
    const std::string storage = "assets/units/size_s/macros/storage_buoy_macro.xml";
    Texts old = made_mod("buoy", "ship_s").files;
    EXPECT_EQ(made_mod("buoy", "ship_s", old).files.count(storage), 0u) << "it fits";
    const Made larger = made_mod("buoy", "ship_m", old);
    ASSERT_TRUE(larger.files.contains(storage));
    EXPECT_THAT(larger.files.at(storage), HasSubstr("cargo max=\"2000\""));
    EXPECT_EQ(larger.report.count("mod-macro-replaced"), 2u);
    const Made prop = made_mod("buoy", "prop", old);
    EXPECT_FALSE(prop.files.contains(storage));
    EXPECT_EQ(found_in(prop.report, "mod-files-left"), storage);
    for (const auto& [path, text] : prop.files) old[path] = text;
    EXPECT_EQ(found_in(made_mod("buoy", "prop", old).report, "mod-files-left"), storage) << "it still is there";
    old = made_mod("buoy", "ship_s").files;
    old.at(storage) += "<!-- mine -->";
    EXPECT_FALSE(made_mod("buoy", "ship_m", old).files.contains(storage));
    EXPECT_EQ(made_mod("buoy", "prop", old).report.count("mod-files-left"), 0u);
}

TEST(ModWithComponent, MacrosThatHangOnWhatIsGoneAreNamed) {
    Scene scene = boat();
    add(scene, "con_pier", R"({"tags": "dock_xs"})");
    Texts old = made_mod("buoy", "ship_s", {}, scene).files;
    const std::string macro = "assets/units/size_s/macros/buoy_macro.xml";
    ASSERT_THAT(old.at(macro), HasSubstr("ref=\"con_pier\""));
    scene.nodes.back().name = "con_jetty";
    EXPECT_THAT(made_mod("buoy", "ship_s", old, scene).files.at(macro), HasSubstr("ref=\"con_jetty\""));
    old.at(macro) += "<!-- mine -->";
    const Made edited = made_mod("buoy", "ship_s", old, scene);
    EXPECT_FALSE(edited.files.contains(macro));
    EXPECT_EQ(found_in(edited.report, "macro-connection-missing"), "1: con_pier, in " + macro);
}

TEST(ModWithComponent, SaysThatTheGameHasTheName) {
    egosoft::ModOptions options;
    options.is_in_game = [](const std::string& name) { return name == "buoy"; };
    EXPECT_EQ(made_mod("Buoy", "prop", {}, boat(), options).report.count(egosoft::codes::mod_game_name), 1u);
    EXPECT_EQ(made_mod("other", "prop", {}, boat(), options).report.count(egosoft::codes::mod_game_name), 0u);
}

TEST(ModWithComponent, EntriesThatOnlySometimesCountStay) {
    const std::string old =
        "<diff>\n  <add sel=\"/index\" if=\"x\">\n    <entry name=\"buoy\" value=\"extensions\\my_mod\\assets\\other\" "
        "/>\n"
        "  </add>\n</diff>\n";
    const Texts files = made_mod("buoy", "destructible", {{"index/components.xml", old}}).files;
    const std::string& index = files.at("index/components.xml");
    EXPECT_THAT(index, HasSubstr("value=\"extensions\\my_mod\\assets\\other\" />\n  </add>\n  <add sel=\"/index\">\n"));
    EXPECT_THAT(index, HasSubstr("surfaceelements\\buoy\" />"));
}

TEST(ModWithComponent, ListsOfOtherRootsAreNotExtended) {
    for (const char* list : {"index/components.xml", "index/macros.xml"})
        EXPECT_EQ(refusal({{list, "<foo/>"}}), "mod-list-root " + std::string(list));
}

/// What is packed in the mod's own catalogs is there as well.
TEST(ModWithComponent, ExtendsListsThatArePacked) {
    Folder folder;
    const std::string index = "<index>\n  <entry name=\"a\" value=\"extensions\\my_mod\\assets\\a\" />\n</index>\n";
    folder.write("my_mod/content.xml", "<content id=\"my_mod\" version=\"100\"/>");
    folder.write("my_mod/ext_01.dat", index);
    const std::string sum = catalog::to_hex(catalog::md5_of(std::as_bytes(std::span(index))));
    folder.write("my_mod/ext_01.cat", "index/components.xml " + std::to_string(index.size()) + " 1 " + sum + "\n");
    const auto made = make_folder(boat(), folder.path() / "my_mod" / "buoy", {OptionValues({{"target", "x4"}})});
    ASSERT_TRUE(made) << to_string(made.error());
    bool found = false;
    for (const NewFile& file : made->value) {
        if (file.name != "index/components.xml") continue;
        found = true;
        EXPECT_THAT(text_of(file.bytes), HasSubstr("<entry name=\"a\" value="));
        EXPECT_THAT(text_of(file.bytes), HasSubstr("<entry name=\"buoy\" value="));
    }
    EXPECT_TRUE(found);
}

TEST(ModOfSeveral, ComponentsStandAtTheirRoots) {
    const auto scene_with = [](std::size_t count) {
        Scene scene = boat();
        scene.nodes.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const Index root = add(scene, i == 0 ? "one" : "two", R"({"class":"prop"})", {50, 0, 0});
            scene.nodes[add(scene, "hull", "", {1, 0, 0}, root)].mesh = 0;
        }
        return scene;
    };
    const Made two = made_mod("x", "", {}, scene_with(2));
    for (const char* name : {"one", "two"}) {
        EXPECT_THAT(two.files.at("assets/props/surfaceelements/" + std::string(name) + ".xml"),
                    HasSubstr("<position x=\"-1\" y=\"0\" z=\"0\" />"));
    }
    EXPECT_EQ(two.report.count(egosoft::codes::component_origin), 2u);
    const Made one = made_mod("one", "", {}, scene_with(1));
    EXPECT_THAT(one.files.at("assets/props/surfaceelements/one.xml"),
                HasSubstr("<position x=\"-51\" y=\"0\" z=\"0\" />"));
    EXPECT_EQ(one.report.count(egosoft::codes::component_origin), 1u);
}

}  // namespace
}  // namespace effigy::test
