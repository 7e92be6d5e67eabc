/// Components there and back: untouched as they were, edited as the scene says.

#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <pugixml.hpp>
#include <set>

#include "effigy/convert.hpp"
#include "effigy/hashes.hpp"
#include "effigy/image.hpp"
#include "effigy/levels.hpp"

#include "core/json.hpp"
#include "egosoft/check_mod_folder.hpp"
#include "egosoft/from_scene_component_files.hpp"
#include "scene/records.hpp"
#include "scene/texture_names.hpp"

namespace {

using namespace effigy;
using namespace builders;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

/// The synthetic mod of the checks, and an empty one beside it with the same library.
class ComponentBack : public testing::Test {
protected:
    ComponentBack() {
        mod_ = test::whole_mod();
        mod_.write(old());
        for (const char* name : {"content.xml", "libraries/material_library.xml", "assets/textures/hull_diff.gz"}) {
            fs::create_directories((fresh() / name).parent_path());
            fs::copy_file(old() / name, fresh() / name);
        }
    }

    [[nodiscard]] fs::path old() const { return folder_.path() / "my_mod"; }
    [[nodiscard]] fs::path fresh() const { return folder_.path() / "new" / "my_mod"; }
    [[nodiscard]] fs::path old_path() const { return old() / test::component_path; }
    [[nodiscard]] fs::path new_path() const { return fresh() / test::component_path; }

    /// What the files of the old component were, by lower-case path.
    [[nodiscard]] std::map<std::string, std::string> old_files() const {
        std::map<std::string, std::string> files;
        const fs::path above = old_path().parent_path();
        for (const auto& entry : fs::recursive_directory_iterator(above)) {
            if (entry.is_regular_file())
                files[lower(fs::relative(entry.path(), above).generic_string())] = read_text(entry.path());
        }
        return files;
    }

    Folder folder_;
    test::ModFiles mod_;
};

TEST_F(ComponentBack, UntouchedFilesComeBackByteForByte) {
    const Scene scene = through_glb(component_scene(old_path()));
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(codes_of(made.report), "");
    const auto wanted = old_files();
    EXPECT_EQ(made.xml(), wanted.at("ship_test.xml"));
    std::size_t same = 0;
    for (const auto& [path, bytes] : made.by_path) {
        ASSERT_TRUE(wanted.contains(path)) << path;
        EXPECT_EQ(bytes, wanted.at(path)) << path;
        ++same;
    }
    // All but the stub of the root and the macro, which no part names.
    EXPECT_EQ(same, wanted.size() - 2);
    write_all(made, new_path().parent_path());
    EXPECT_EQ(codes_of(findings_of(new_path())), codes_of(findings_of(old_path())));
    EXPECT_EQ(differences(component_scene(old_path()), component_scene(new_path())), "");
}

TEST_F(ComponentBack, EditedMeshesAndPlacesAreWritten) {
    Scene scene = through_glb(component_scene(old_path()));
    for (Mesh& mesh : scene.meshes) {
        mesh.extras.hash = 0;
        for (Attribute& attribute : mesh.attributes) {
            if (attribute.semantic != Semantic::position) continue;
            for (Vec3& point : attribute.data.as<Vec3>()) point.y *= 2;
        }
    }
    scene.nodes[find(scene, "Connection01")].local.translation = {1, 2, 3};
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_THAT(made.xml(), HasSubstr("<position x=\"-1\" y=\"2\" z=\"3\""));
    EXPECT_THAT(made.xml(), HasSubstr("<max x=\"2\" y=\"4\" z=\"2\""));
    EXPECT_THAT(made.xml(), HasSubstr("ref=\"ship_test.part_main\""));
    EXPECT_THAT(made.xml(), HasSubstr("door_opening\" start=\"1\" end=\"30\""));
    EXPECT_THAT(codes_of(made.report), HasSubstr("component-jcs"));
    write_all(made, new_path().parent_path());
    EXPECT_EQ(codes_of(findings_of(new_path())), "");
    // Collision meshes and wrecks go with the part that they stand for.
    for (Node& node : scene.nodes) {
        if (node.follows != no_index) node.local.translation = {1, 2, 3};
    }
    DiffOptions options;
    options.ignore = {"extras"};
    EXPECT_EQ(differences(scene, component_scene(new_path()), options), "");
}

TEST_F(ComponentBack, ConnectionsComeAndGo) {
    Scene scene = through_glb(component_scene(old_path()));
    const Index effect = find(scene, "Connection03"), root = find(scene, "ship_test");
    std::erase(scene.nodes[root].children, effect);
    // What a modelling program leaves of a deleted object is nothing; here it is a node that nobody shows.
    Scene kept;
    Node engine;
    engine.name = "con_engine_01";
    engine.extras.other = R"({"tags": "engine small", "group": "engines"})";
    engine.local.translation = {0, 0, -5};
    scene.nodes.push_back(engine);
    add_child(scene, root, static_cast<Index>(scene.nodes.size() - 1));
    scene.nodes[effect].extras.json.clear();
    scene.nodes[find(scene, "fx_glow")].extras.json.clear();
    for (const char* name : {"Connection03", "fx_glow", "fx_glow-lod0"}) {
        Node& node = scene.nodes[find(scene, name)];
        node.hidden = true;
        node.mesh = no_index;
        node.parent = no_index;
        node.children.clear();
    }
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"con_engine_01\" tags=\"engine small\" group=\"engines\">"));
    EXPECT_THAT(made.xml(), Not(HasSubstr("fx_glow")));
    EXPECT_THAT(made.xml(), HasSubstr("Connection04"));
    EXPECT_FALSE(made.by_path.contains("ship_test_data/fx_glow-lod0.xmf"));
}

/// As modelling programs copy an object: with its record, and a number behind its name.
Index add_copy(Scene& scene, Index from, Index parent) {
    Node copy = scene.nodes[from];
    copy.name += ".001";
    copy.children.clear();
    copy.lods.clear();
    copy.parent = no_index;
    scene.nodes.push_back(std::move(copy));
    const auto index = static_cast<Index>(scene.nodes.size() - 1);
    add_child(scene, parent, index);
    return index;
}

TEST_F(ComponentBack, CopiedPartsAreDrawnAndHit) {
    Scene scene = through_glb(component_scene(old_path()));
    const Index place = add_copy(scene, find(scene, "Connection01"), find(scene, "ship_test"));
    const Index copy = add_copy(scene, find(scene, "part_main"), place);
    add_copy(scene, find(scene, "part_main-lod0"), copy);
    scene.nodes[place].local.translation = {20, 0, 0};
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_THAT(made.xml(), ContainsRegex("<connection name=\"Connection01_001\" tags=\"part\">[ \n]*<offset>"));
    EXPECT_THAT(made.xml(), ContainsRegex("<part name=\"part_main_001\" wreck=\"part_main_wreck\">[ \n]*<lods>[ \n]*"
                                          "<lod index=\"0\">(.|\n)*</lod>[ \n]*</lods>[ \n]*<size>"));
    EXPECT_TRUE(made.by_path.contains("ship_test_data/part_main_001-lod0.xmf"));
    EXPECT_TRUE(made.by_path.contains("ship_test_data/part_main_001-collision.xmf"));
    EXPECT_EQ(made.report.count("component-collision-made"), 1u);
    EXPECT_EQ(made.by_path.at("ship_test_data/part_main-collision.xmf"),
              old_files().at("ship_test_data/part_main-collision.xmf"));
    write_all(made, new_path().parent_path());
    EXPECT_EQ(codes_of(findings_of(new_path()), Severity::warning), "");
}

TEST_F(ComponentBack, RenamedPartsKeepTheirMeshes) {
    for (const bool with_mesh : {false, true}) {
        Scene scene = through_glb(component_scene(old_path()));
        const Index hull = find(scene, "part_main");
        scene.nodes[hull].name = "part_hull";
        if (with_mesh) scene.nodes[find(scene, "part_main-lod0")].name = "part_hull-lod0";
        // A reader of the file finds what others follow by its name.
        for (Node& node : scene.nodes) {
            if (node.follows == hull) node.follows = no_index;
        }
        const MadeFiles made = made_files(scene, new_path());
        EXPECT_EQ(codes_of(made.report, Severity::warning), "") << with_mesh;
        EXPECT_THAT(made.xml(), ContainsRegex("<connection name=\"Connection01\" tags=\"part\">[ \n]*<parts>[ \n]*"
                                              "<part name=\"part_hull\" wreck=\"part_main_wreck\">[ \n]*<lods>"));
        EXPECT_THAT(made.xml(), HasSubstr("<lod index=\"1\">"));
        EXPECT_THAT(made.xml(), HasSubstr("name=\"Connection02\" tags=\"part animation\" parent=\"part_hull\""));
        EXPECT_THAT(made.xml(), Not(HasSubstr("<part name=\"part_main\"")));
        EXPECT_THAT(made.xml(), Not(HasSubstr("con_part_main")));
        for (const char* name : {"part_hull-lod0", "part_hull-lod1", "part_hull-collision", "part_main_wreck-lod0",
                                 "part_main_wreck-collision"})
            EXPECT_TRUE(made.by_path.contains("ship_test_data/" + std::string(name) + ".xmf")) << name << with_mesh;
        EXPECT_EQ(made.files.size(), made_files(component_scene(old_path()), new_path()).files.size());
    }
}

TEST_F(ComponentBack, NewMeshesBelowPartsWithoutOneAreParts) {
    Scene scene = through_glb(component_scene(old_path()));
    Node& finest = scene.nodes[find(scene, "part_main-lod0")];
    finest.name = "gun-lod0";
    Mesh made_by_hand = scene.meshes[finest.mesh];
    made_by_hand.extras = {};
    finest.mesh = static_cast<Index>(scene.meshes.size());
    finest.extras = {};
    finest.lods.clear();
    scene.meshes.push_back(std::move(made_by_hand));
    EXPECT_THAT(made_files(scene, new_path()).xml(), HasSubstr("<part name=\"gun"));
}

TEST_F(ComponentBack, SeveralInOneSceneAreAllWritten) {
    const fs::path folder = old_path().parent_path(), second = folder / "ship_twin.xml";
    std::string xml = read_text(old_path());
    for (std::size_t at = 0; (at = xml.find("ship_test", at)) != std::string::npos;) xml.replace(at, 9, "ship_twin");
    std::ofstream(second) << xml;
    fs::copy(folder / "ship_test_data", folder / "ship_twin_data");
    fs::remove(folder / "ship_twin_data/assets_units_size_s_ship_test-lod0.xmf");
    fs::copy(old() / test::ani_path, folder / "SHIP_TWIN_DATA.ANI");
    const Scene scene = through_glb(component_scene(std::vector{old_path(), second}));
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(codes_of(made.report), "");
    const auto wanted = old_files();
    EXPECT_EQ(made.by_path.size(), wanted.size() - 2) << "all but a stub and a macro";
    for (const auto& [path, bytes] : made.by_path) {
        ASSERT_TRUE(wanted.contains(path)) << path;
        EXPECT_EQ(bytes, wanted.at(path)) << path;
    }
}

TEST_F(ComponentBack, SeveralOfOneFileComeBackInOne) {
    std::string xml = read_text(old_path());
    xml.insert(xml.find("</components>"),
               "  <component name=\"mast\" class=\"object\"><!-- kept --><layers><layer/></layers>"
               "<connections><connection name=\"space\" tags=\"object\"/></connections></component>\n");
    std::ofstream(old_path()) << xml;
    Scene scene = through_glb(component_scene(old_path()));
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(codes_of(made.report), "");
    EXPECT_EQ(made.xml(), xml);
    EXPECT_FALSE(made.by_path.contains("mast.xml"));
    EXPECT_EQ(made.files.size(), old_files().size() - 2) << "all but a stub and a macro";
    // What is edited is edited there, and what is gone goes.
    scene.nodes.back().local.translation = {1, 2, 3};
    ASSERT_EQ(scene.nodes.back().name, "space");
    const std::string edited = made_files(scene, new_path()).xml();
    EXPECT_THAT(edited, HasSubstr("<!-- kept -->"));
    EXPECT_THAT(edited, ContainsRegex("name=\"mast\"(.|\n)*<position x=\"-1\" y=\"2\" z=\"3\""));
    EXPECT_THAT(edited, HasSubstr("part_main"));
    scene.nodes[find(scene, "mast")].extras.json.clear();
    scene.nodes.back().extras.json.clear();
    EXPECT_THAT(made_files(scene, new_path()).xml(), Not(HasSubstr("kept")));
    // A mod's index names each: there, each has a file.
    Scene both = component_scene(old_path());
    egosoft::ModOptions mod;
    mod.folder = "other_mod";
    const auto files = egosoft::mod_from_scene(both, mod);
    ASSERT_TRUE(files) << to_string(files.error());
    const auto is_xml = [](const egosoft::NamedFile& file, const std::string& name) {
        return file.name.ends_with("/" + name + ".xml");
    };
    for (const std::string name : {"ship_test", "mast"})
        EXPECT_EQ(
            std::count_if(files->value.begin(), files->value.end(), [&](const auto& one) { return is_xml(one, name); }),
            1);
}

/// The scene with these of its roots in this order, and copies as modelling programs make them.
Scene with_roots(const Scene& scene, const std::vector<Index>& order) {
    Scene result = scene;
    result.nodes.clear();
    const std::function<void(Index, Index)> add = [&](Index from, Index parent) {
        const auto index = static_cast<Index>(result.nodes.size());
        Node& node = result.nodes.emplace_back(scene.nodes[from]);
        node.parent = no_index;
        node.children.clear();
        if (parent != no_index) add_child(result, parent, index);
        for (const Index child : scene.nodes[from].children) add(child, index);
    };
    std::set<Index> seen;
    for (const Index root : order) {
        const std::size_t place = result.nodes.size();
        add(root, no_index);
        if (!seen.insert(root).second) result.nodes[place].name += ".001";
    }
    return result;
}

/// Components without meshes, each with one connection, as the attributes of their elements say.
std::string components_xml(const std::vector<std::string>& attributes) {
    std::string xml = "<components>\n";
    for (const std::string& one : attributes)
        xml += "  <component " + one + R"( class="object"><source geometry="assets\units\size_s\some_data"/>)" +
               R"(<connections><connection name="a"/></connections></component>)" + "\n";
    return xml + "</components>\n";
}

TEST_F(ComponentBack, CopiesTakeNothingFromTheFirst) {
    const std::string xml = components_xml({R"(name="ship_test")", R"(name="mast")"});
    std::ofstream(old_path()) << xml;
    const Scene scene = through_glb(component_scene(old_path()));
    const Index mast = find(scene, "mast");
    for (const std::vector<Index>& order : {std::vector<Index>{0, 0, mast}, {0, mast, 0}, {0, mast, 0, mast}}) {
        const MadeFiles made = made_files(with_roots(scene, order), new_path());
        EXPECT_EQ(made.xml(), xml);
        EXPECT_EQ(made.files.size(), order.size() - 1);
        const auto copy = made.by_path.find("ship_test_001.xml");
        ASSERT_NE(copy, made.by_path.end());
        EXPECT_THAT(copy->second, HasSubstr("<component name=\"ship_test_001\""));
        EXPECT_THAT(copy->second, Not(HasSubstr("mast")));
    }
}

/// Modelling programs put objects in the order of their names.
TEST_F(ComponentBack, FilesOfOneNameStayApart) {
    const fs::path folder = old_path().parent_path();
    std::vector<fs::path> paths;
    std::vector<std::string> texts;
    for (const std::string letters : {"ac", "bd"}) {
        fs::create_directory(folder / letters);
        paths.push_back(folder / letters / "thing.xml");
        texts.push_back(
            components_xml({"name=\"" + letters.substr(0, 1) + "\"", "name=\"" + letters.substr(1) + "\""}));
        std::ofstream(paths.back()) << texts.back();
    }
    const Scene scene = through_glb(component_scene(paths));
    std::vector<Index> order;
    for (const char* name : {"a", "b", "c", "d"}) order.push_back(find(scene, name));
    std::vector<std::string> made;
    for (const NewFile& file : made_files(with_roots(scene, order), folder / "thing.xml").files)
        made.push_back(text_of(file.bytes));
    EXPECT_THAT(made, testing::UnorderedElementsAreArray(texts));
}

TEST_F(ComponentBack, WhatTheFirstOfAFileTookWithItIsSaid) {
    std::ofstream(old_path()) << components_xml({R"(name="ship_test")", R"(name="mast")"});
    const Scene scene = through_glb(component_scene(old_path()));
    const Scene rest = with_roots(scene, {find(scene, "mast")});
    EXPECT_EQ(codes_of(made_files(rest, new_path()).report, Severity::warning), "component-xml-lost ");
    const Scene first = with_roots(scene, {find(scene, "ship_test")});
    EXPECT_EQ(codes_of(made_files(first, new_path()).report, Severity::warning), "");
}

TEST_F(ComponentBack, SeveralOfOneFileKeepTheirNames) {
    const auto back = [&](const std::string& file, const std::vector<std::string>& attributes, bool reversed,
                          const std::string& output = {}) {
        const std::string xml = components_xml(attributes);
        const fs::path path = old_path().parent_path() / (file + ".xml");
        std::ofstream(path) << xml;
        const Scene scene = through_glb(component_scene(path));
        std::vector<Index> roots;
        for (Index i = 0; i < scene.nodes.size(); ++i) {
            if (scene.nodes[i].parent == no_index) roots.push_back(i);
        }
        if (reversed) std::reverse(roots.begin(), roots.end());
        const fs::path to = new_path().parent_path() / ((output.empty() ? file : output) + ".xml");
        const MadeFiles made = made_files(with_roots(scene, roots), to);
        EXPECT_EQ(made.files.size(), 1u);
        EXPECT_EQ(made.xml() == xml, output.empty()) << made.xml();
        return made.xml();
    };
    const std::string ship = R"(name="ship_test")", mast = R"(name="mast")", twin = R"(name="twin")";
    for (const bool reversed : {false, true}) {
        back("ship_test", {ship, mast}, reversed);
        back("mast", {ship, mast}, reversed);
        back("masts", {ship, mast}, reversed);
        back("ship_test", {ship, R"(name="Big Mast:1")"}, reversed);
        back("ship_test", {ship, R"(id="7")"}, reversed);
        back("twin", {twin, twin}, reversed);
        back("twins", {twin, ship, twin}, reversed);
        // Only what is called as the file is gets another name with it.
        const std::string other = back("mast", {ship, mast}, reversed, "other");
        EXPECT_THAT(other, HasSubstr(R"(name="ship_test" class="object">)"));
        EXPECT_THAT(other, HasSubstr(R"(name="other" class="object">)"));
        EXPECT_THAT(other, Not(HasSubstr("mast")));
        EXPECT_THAT(other, HasSubstr("some_data"));
        EXPECT_THAT(other, HasSubstr("other_data"));
    }
}

TEST_F(ComponentBack, SecondFilesKeepTheNamesThatTheirXmlHas) {
    const fs::path second = old_path().parent_path() / "mast.xml";
    const std::string xml = components_xml({R"(name="Big Mast:1")"});
    std::ofstream(second) << xml;
    const MadeFiles made = made_files(component_scene(std::vector{old_path(), second}), new_path());
    ASSERT_TRUE(made.by_path.contains("big_mast_1.xml"));
    EXPECT_EQ(made.by_path.at("big_mast_1.xml"), xml);
}

TEST_F(ComponentBack, AnimationsAreWrittenWhereTheXmlSays) {
    std::ofstream(old_path()) << R"(<components><component name="ship_test" class="object"><connections>)"
                              << R"(<connection name="con"><parts><part name="flap"/></parts></connection>)"
                              << "</connections></component></components>";
    Scene scene = component_scene(old_path());
    EXPECT_THAT(made_files(scene, new_path()).xml(), Not(HasSubstr("geometry")));
    Clip& clip = scene.clips.emplace_back();
    clip.name = "turn";
    clip.duration = 1;
    Track& track = clip.tracks.emplace_back();
    track.node = find(scene, "flap");
    track.path = TrackPath::translation;
    track.times = {0, 1};
    track.values = {0, 0, 0, 1, 2, 3};
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_TRUE(made.by_path.contains("ship_test_data.ani"));
    EXPECT_THAT(made.xml(), HasSubstr("\\ship_test_data\""));
}

TEST_F(ComponentBack, PartsThatLostTheirNamesKeepTheirMeshes) {
    egosoft::SceneInput input;
    input.components.push_back(
        component({connection("con_a", {}, {builders::part("a")}), connection("con_b", {}, {builders::part("b")})}));
    xmf::File other = quad();
    other.materials = {material("a.b", 0, 6)};
    input.meshes = {mesh("a-lod0"), mesh("b-lod0", other)};
    Scene scene = through_glb(builders::convert(std::move(input)).value);
    for (Node& node : scene.nodes) {
        if (node.parent != no_index) node.name.clear();
    }
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(codes_of(made.report).find("component-file-twice"), std::string::npos);
    EXPECT_EQ(std::count_if(made.files.begin(), made.files.end(),
                            [](const NewFile& file) { return file.name.ends_with("-lod0.xmf"); }),
              2);
    EXPECT_THAT(made.xml(), Not(HasSubstr("part name=\"\"")));
}

TEST_F(ComponentBack, ManyOfOneFileTakeNoMoreThanItsSize) {
    std::string xml = "<components>";
    for (int i = 0; i < 100; ++i) {
        xml += "<component name=\"c" + std::to_string(i) + "\" class=\"object\"><connections>";
        for (int k = 0; k < 20; ++k)
            xml +=
                "<connection name=\"con" + std::to_string(k) + "\"><offset><position x=\"1\"/></offset></connection>";
        xml += "</connections></component>";
    }
    xml += "</components>";
    std::ofstream(old_path()) << xml;
    ConversionContext options;
    options.limits.memory = 64 << 20;  // counted with each of them, the text and its elements take 490 MB
    const MadeFiles made = made_files(through_glb(component_scene(old_path())), new_path(), options);
    EXPECT_EQ(made.files.size(), 1u);
    EXPECT_EQ(made.xml(), xml);
}

TEST_F(ComponentBack, WhatHasNoNameKeepsWhatItSays) {
    std::string xml = read_text(old_path());
    xml.insert(
        xml.find("    </connections>"),
        "<connection tags=\"first\"><waypoint/></connection>\n"
        "<connection name=\"\" tags=\"second\"><!-- kept --></connection>\n"
        "<connection tags=\"part\"><parts><part ref=\"ship_test.part_main\"><pivot/></part></parts></connection>\n"
        "<connection tags=\"part\"><parts><part><pivot/></part></parts></connection>\n"
        "<connection name=\"con: 1\"><portal/></connection>\n");
    std::ofstream(old_path()) << xml;
    Scene scene = through_glb(component_scene(old_path()));
    EXPECT_EQ(made_files(scene, new_path()).xml(), xml);
    for (Node& node : scene.nodes) {
        if (node.extras.json.find("second") != std::string::npos || node.name == "con: 1")
            node.local.translation = {-1, 2, 3};
    }
    const std::string moved = made_files(scene, new_path()).xml();
    EXPECT_THAT(moved, HasSubstr("<connection tags=\"first\">"));
    EXPECT_THAT(moved, HasSubstr("<waypoint/>"));
    EXPECT_THAT(moved,
                ContainsRegex("name=\"\" tags=\"second\">[ \n]*<offset>[ \n]*<position x=\"1\" y=\"2\" z=\"3\""));
    EXPECT_THAT(moved, HasSubstr("<!-- kept -->"));
    EXPECT_THAT(moved, HasSubstr("<part ref=\"ship_test.part_main\">"));
    EXPECT_THAT(moved, ContainsRegex("name=\"con: 1\">[ \n]*<offset>"));
    EXPECT_THAT(moved, HasSubstr("<portal/>"));
}

TEST_F(ComponentBack, MovedTwinsKeepWhatTheySay) {
    std::string xml = read_text(old_path());
    xml.insert(xml.find("    </connections>"),
               "<connection name=\"twin\"><one/></connection>\n<connection name=\"twin\"><two/></connection>\n");
    std::ofstream(old_path()) << xml;
    Scene scene = through_glb(component_scene(old_path()));
    for (Node& node : scene.nodes) {
        if (node.extras.json.find("\"repeat\"") != std::string::npos) node.local.translation = {1, 2, 3};
    }
    const std::string moved = made_files(scene, new_path()).xml();
    EXPECT_THAT(moved, HasSubstr("<one/>"));
    EXPECT_THAT(moved, HasSubstr("<two/>"));
}

TEST_F(ComponentBack, StatesOfAnotherLengthGetOtherFrames) {
    const auto edited = [&](const std::string& state, float factor) {
        Scene scene = through_glb(component_scene(old_path()));
        for (Clip& clip : scene.clips) {
            if (clip.name != state) continue;
            clip.extras.hash = 0;
            clip.duration *= factor;
            for (Track& track : clip.tracks) {
                for (float& time : track.times) time *= factor;
                track.values.back() += 1;
            }
        }
        return made_files(scene, new_path()).xml();
    };
    const std::string closing = R"(door_closing" start="31" end="60")", opening = R"(door_opening" start="1" end="30")";
    const std::string same = edited("door_closing", 1), longer = edited("door_closing", 2),
                      shorter = edited("door_opening", 0.5f), no_room = edited("door_opening", 1.5f);
    EXPECT_THAT(same, HasSubstr(opening));
    EXPECT_THAT(same, HasSubstr(closing));
    EXPECT_THAT(longer, HasSubstr(opening));
    EXPECT_THAT(longer, HasSubstr(R"(door_closing" start="31" end="90")"));
    EXPECT_THAT(shorter, HasSubstr(R"(door_opening" start="1" end="15")"));
    EXPECT_THAT(shorter, HasSubstr(closing));
    EXPECT_THAT(no_room, HasSubstr(R"(door_opening" start="61" end="105")"));
    EXPECT_THAT(no_room, HasSubstr(closing));
}

TEST_F(ComponentBack, SizesGrowWhereNewKeysNeedIt) {
    const std::string size = R"(<max x="1" y="1" z="9")";
    mod_.replace(test::component_path, R"(<max x="1" y="9" z="1")", size);
    mod_.write(old());
    Scene scene = through_glb(component_scene(old_path()));
    Clip other = scene.clips.at(0);
    other.name = "other";
    other.extras = {};
    for (Track& track : other.tracks) track.node = find(scene, "fx_glow");
    Scene unmoved = scene;
    unmoved.clips.push_back(other);
    EXPECT_THAT(made_files(unmoved, new_path()).xml(), HasSubstr(size));

    Clip& edited = scene.clips.at(0);
    edited.extras.hash = 0;
    for (Track& track : edited.tracks) {
        ASSERT_EQ(track.values.size(), 6u);
        track.values[4] = 5;
    }
    const std::string grown = made_files(scene, new_path()).xml();
    EXPECT_THAT(grown, HasSubstr(R"(<max x="1" y="3.5" z="9")"));
    EXPECT_THAT(grown, HasSubstr(R"(<center x="0" y="2.5" z="0")"));
}

TEST_F(ComponentBack, PartsThatMoveForTheFirstTimeSaySo) {
    Scene scene = through_glb(component_scene(old_path()));
    EXPECT_THAT(made_files(scene, new_path()).xml(), HasSubstr("<connection name=\"Connection01\" tags=\"part\">"));
    Clip& clip = scene.clips.emplace_back();
    clip.name = "wobble";
    clip.duration = 1;
    Track& track = clip.tracks.emplace_back();
    track.node = find(scene, "part_main");
    track.times = {0, 1};
    track.values = {0, 0, 0, 0, 0.5f, 0};
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"Connection01\" tags=\"part animation\">"));
    EXPECT_THAT(made.xml(), ContainsRegex("name=\"part_main\"(.|\n)*<size_raw>(.|\n)*</part>(.|\n)*\"wobble\""));
}

TEST_F(ComponentBack, WrecksThatAreDeletedAreNotNamed) {
    Scene scene = through_glb(component_scene(old_path()));
    Node& wreck = scene.nodes[find(scene, "part_main_wreck-lod0")];
    wreck = {};
    wreck.hidden = true;
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_THAT(made.xml(), Not(HasSubstr("wreck=")));
    EXPECT_FALSE(made.by_path.contains("ship_test_data/part_main_wreck-collision.xmf"));
    // Without its collision mesh as well.
    scene.nodes[find(scene, "part_main_wreck-collision")] = wreck;
    EXPECT_THAT(made_files(scene, new_path()).xml(), Not(HasSubstr("wreck=")));
}

TEST_F(ComponentBack, WrecksThatWereMissingStayNamed) {
    for (const char* mesh : {"part_main_wreck-lod0.xmf", "part_main_wreck-collision.xmf"}) {
        fs::remove(old() / (test::data_path + mesh));
        const Scene scene = through_glb(component_scene(old_path()));
        EXPECT_THAT(scene.nodes[find(scene, "part_main")].extras.json, HasSubstr("\"absent_wreck\"")) << mesh;
        EXPECT_THAT(made_files(scene, new_path()).xml(), HasSubstr("wreck=\"part_main_wreck\"")) << mesh;
    }
}

TEST_F(ComponentBack, OfAnotherClassAreTiedToTheGameAsThat) {
    mod_.replace(test::component_path, R"(tags="ship ship_s")", R"(tags="ship ship_s mine")");
    mod_.write(old());
    Scene scene = through_glb(component_scene(old_path()));
    ConversionContext options;
    EXPECT_EQ(made_files(scene, new_path(), options).xml(), mod_.texts.at(test::component_path));
    options.options.set("class", "ship_m");
    EXPECT_THAT(made_files(scene, new_path(), options).xml(),
                testing::AllOf(HasSubstr("class=\"ship_m\""), HasSubstr("name=\"space\" tags=\"ship ship_m mine\"")));
    options.options.set("class", "storage");
    EXPECT_THAT(made_files(scene, new_path(), options).xml(), HasSubstr("name=\"space\" tags=\"storage mine\""));
    // What somebody has written stays.
    scene.nodes[find(scene, "space")].extras.other = R"({"tags":"ship ship_s"})";
    EXPECT_THAT(made_files(scene, new_path(), options).xml(), HasSubstr("name=\"space\" tags=\"ship ship_s\""));
}

TEST_F(ComponentBack, OtherNamesAndFoldersAreWritten) {
    const Scene scene = through_glb(component_scene(old_path()));
    const MadeFiles other = made_files(scene, fresh() / "assets/units/size_s/ship_other.xml");
    EXPECT_THAT(other.xml(), HasSubstr("<component name=\"ship_other\""));
    EXPECT_THAT(other.xml(), HasSubstr("geometry=\"extensions\\my_mod\\assets\\units\\size_s\\ship_other_data\""));
    EXPECT_TRUE(other.by_path.contains("ship_other_data/part_main-lod0.xmf"));
    EXPECT_TRUE(other.by_path.contains("ship_other_data.ani"));
    const MadeFiles moved = made_files(scene, fresh() / "assets/props/ship_test.xml");
    EXPECT_THAT(moved.xml(), HasSubstr("geometry=\"extensions\\my_mod\\assets\\props\\ship_test_data\""));
    // Outside of a game nothing says where a component is to stand.
    const MadeFiles elsewhere = made_files(scene, folder_.path() / "ship_test.xml");
    EXPECT_EQ(elsewhere.xml(), read_text(old_path()));
}

TEST_F(ComponentBack, FilesThatAreThereKeepTheirSpelling) {
    fs::create_directories(new_path().parent_path() / "Ship_Test_DATA");
    std::ofstream(new_path().parent_path() / "Ship_Test_data.ani") << "old";
    std::ofstream(new_path().parent_path() / "Ship_Test_DATA" / "Part_main-lod0.xmf") << "old";
    const MadeFiles made = made_files(through_glb(component_scene(old_path())), new_path());
    std::set<std::string> names;
    for (const NewFile& file : made.files) names.insert(file.name);
    EXPECT_TRUE(names.contains("Ship_Test_data.ani"));
    EXPECT_TRUE(names.contains("Ship_Test_DATA/Part_main-lod0.xmf"));
    EXPECT_TRUE(names.contains("Ship_Test_DATA/part_main-lod1.xmf"));
}

TEST_F(ComponentBack, MovedPartsKeepTheirKeysAndOffsets) {
    Scene scene = component_scene(old_path());
    leave_untouched(scene);
    // As Blender leaves it: the pose of the frame that was shown.
    Node& door = scene.nodes[find(scene, "anim_door")];
    door.local.translation = {0.5f, 0, 0};
    door.extras.hash = 0;
    for (Clip& clip : scene.clips) clip.extras = {};
    const MadeFiles made = made_files(scene, new_path());
    write_all(made, new_path().parent_path());
    EXPECT_EQ(codes_of(findings_of(new_path())), "");
    DiffOptions options;
    options.ignore = {"extras"};
    EXPECT_EQ(differences(component_scene(old_path()), component_scene(new_path()), options), "");
}

/// Half a turn instead of a way.
void turn_instead(Clip& clip) {
    for (Track& track : clip.tracks) {
        track.path = TrackPath::rotation;
        track.times = {0, 1};
        track.values = {0, 0, 0, 1, 0, 1, 0, 0};
        track.interpolation = Interpolation::linear;
    }
    clip.extras = {};
}

/// What no clip moves is where the node says, in glTF and here.
TEST_F(ComponentBack, PartsThatMoveStandWhereTheirNodesSay) {
    for (const bool turns : {false, true}) {
        Scene scene = through_glb(component_scene(old_path()));
        Node& door = scene.nodes[find(scene, "anim_door")];
        ASSERT_FALSE(scene.clips.empty());
        for (Clip& clip : scene.clips) {
            if (turns) turn_instead(clip);
        }
        if (turns) door.local.translation = {10, 20, 5};
        if (!turns) door.local.rotation = {0, 0.6f, 0, 0.8f};
        const MadeFiles made = made_files(scene, new_path());
        EXPECT_EQ(codes_of(made.report, Severity::warning), "");
        write_all(made, new_path().parent_path());
        const Scene again = component_scene(new_path());
        EXPECT_LE(distance_of(scene, again), 1e-3) << turns;
        EXPECT_TRUE(has(again, "anim_door.offset")) << turns;
    }
}

/// Keys of a part stand in a frame without scale, whichever node above it was given one.
TEST_F(ComponentBack, PartsMoveAlikeBelowNodesThatWereScaled) {
    for (const char* name : {"Connection02", "part_main", "Connection01", "ship_test"}) {
        for (const Vec3& scale : {Vec3{2, 2, 2}, Vec3{-1, 1, 1}, Vec3{1, 3, 2}}) {
            Scene scene = through_glb(component_scene(old_path()));
            scene.nodes[find(scene, "Connection02")].local.translation = {0, 5, 0};
            scene.nodes[find(scene, name)].local.scale = scale;
            const MadeFiles made = made_files(scene, new_path());
            EXPECT_EQ(made.report.count("ani-shear-lost"), 0u) << name;
            write_all(made, new_path().parent_path());
            EXPECT_LE(distance_of(scene, component_scene(new_path())), 1e-4) << name;
        }
    }
}

TEST_F(ComponentBack, PartsThatTurnBelowUnevenScaleAreNamed) {
    for (const Vec3& scale : {Vec3{2, 2, 2}, Vec3{1, 3, 2}}) {
        Scene scene = through_glb(component_scene(old_path()));
        scene.nodes[find(scene, "Connection02")].local = {{0, 5, 0}, {0.6f, 0, 0, 0.8f}, scale};
        for (Clip& clip : scene.clips) turn_instead(clip);
        const MadeFiles made = made_files(scene, new_path());
        const bool is_even = scale.x == scale.y;
        EXPECT_EQ(made.report.count("ani-shear-lost"), is_even ? 0u : 1u);
        if (!is_even) continue;
        write_all(made, new_path().parent_path());
        EXPECT_LE(distance_of(scene, component_scene(new_path())), 1e-2);
    }
}

/// The file has its parts where they are below the root.
TEST_F(ComponentBack, RootsThatWereMovedOrTurnedAreNamed) {
    const Scene scene = through_glb(component_scene(old_path()));
    for (const Transform& place : {Transform{{0, 0, 100}, {}, {1, 1, 1}}, {{}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}}}) {
        Scene moved = scene;
        moved.nodes[find(scene, "ship_test")].local = place;
        const MadeFiles made = made_files(moved, new_path());
        EXPECT_EQ(codes_of(made.report), "component-origin ");
        EXPECT_EQ(made.xml(), read_text(old_path()));
    }
}

/// As a part that is dragged onto another one, without its connection.
TEST_F(ComponentBack, PartsThatHangOnOthersKeepTheirTags) {
    Scene scene = through_glb(component_scene(old_path()));
    const Index glow = find(scene, "fx_glow");
    std::erase(scene.nodes[find(scene, "Connection03")].children, glow);
    add_child(scene, find(scene, "part_main"), glow);
    const auto xml = [&] { return made_files(scene, new_path()).xml(); };
    EXPECT_THAT(xml(), HasSubstr("<connection name=\"con_fx_glow\" tags=\"part nocollision fx\" parent=\"part_main\""));
    scene.nodes[glow].extras.other = R"({"tags": "part"})";
    EXPECT_THAT(xml(), HasSubstr("<connection name=\"con_fx_glow\" tags=\"part\" parent=\"part_main\""));
}

/// The mod with a third level, of another material.
test::ModFiles mod_with_three_levels(test::ModFiles mod) {
    mod.meshes[test::data_path + "part_main-lod2.xmf"] = test::box_mesh(2, 3, {"my.other"});
    mod.replace(test::component_path, "<lod index=\"1\">",
                "<lod index=\"2\"><materials><material id=\"1\" ref=\"my.other\"/></materials></lod>"
                "<lod index=\"1\">");
    return mod;
}

TEST_F(ComponentBack, LevelsCloseUpWhereOneIsGone) {
    mod_with_three_levels(mod_).write(old());
    Scene scene = through_glb(component_scene(old_path()));
    const Index gone = find(scene, "part_main-lod1");
    std::erase(scene.nodes[find(scene, "part_main-lod0")].lods, gone);
    scene.nodes[gone] = {};
    scene.nodes[gone].hidden = true;
    const MadeFiles made = made_files(scene, new_path());
    const std::string level = "ship_test_data/part_main-lod";
    ASSERT_TRUE(made.by_path.contains(level + "1.xmf"));
    EXPECT_EQ(made.by_path.at(level + "1.xmf"), old_files().at(level + "2.xmf"));
    EXPECT_FALSE(made.by_path.contains(level + "2.xmf"));
    EXPECT_THAT(made.xml(),
                ContainsRegex("<lod index=\"1\">[ \n]*<materials>[ \n]*<material id=\"1\" ref=\"my.other\""));
    EXPECT_THAT(made.xml(), Not(HasSubstr("index=\"2\"")));
}

TEST_F(ComponentBack, ALevelThatWasChosenIsTheFinest) {
    mod_with_three_levels(mod_).write(old());
    OptionValues options;
    options.set("lod", "2");
    const MadeFiles made = made_files(through_glb(component_scene({old_path()}, options)), new_path());
    const std::string level = "ship_test_data/part_main-lod";
    ASSERT_TRUE(made.by_path.contains(level + "0.xmf"));
    EXPECT_EQ(made.by_path.at(level + "0.xmf"), old_files().at(level + "2.xmf"));
    EXPECT_THAT(made.xml(),
                ContainsRegex("<lod index=\"0\">[ \n]*<materials>[ \n]*<material id=\"1\" ref=\"my.other\""));
    EXPECT_FALSE(made.by_path.contains(level + "1.xmf"));
    EXPECT_THAT(made.xml(), Not(HasSubstr("index=\"1\"")));
}

TEST_F(ComponentBack, MaterialsOfLevelsChangeInPlace) {
    test::ModFiles mod = mod_with_three_levels(mod_);
    const std::string level = "<lod index=\"0\"><materials>";
    const std::string end = "</materials></lod>\n";
    mod.replace(test::component_path, level + "<material id=\"1\" ref=\"my.hull\"/>" + end,
                level + "<!-- hull --><material id='1' ref='my.hull' note='k'/>" + end);
    mod.write(old());
    OptionValues options;
    options.set("lod", "2");
    const MadeFiles made = made_files(through_glb(component_scene({old_path()}, options)), new_path());
    EXPECT_THAT(made.xml(), HasSubstr(level + "<!-- hull --><material id='1' ref=\"my.other\" note='k'/>"));
}

/// As after Separate, By Material, or Shift+D of a mesh.
TEST_F(ComponentBack, MeshesOfOneLevelAreOneFile) {
    Scene scene = through_glb(component_scene(old_path()));
    const auto triangles = [&](const Scene& of) {
        return triangle_count(of.meshes[of.nodes[find(of, "part_main-lod0")].mesh].primitives.front());
    };
    const std::size_t before = triangles(scene);
    const Index copy = add_copy(scene, find(scene, "part_main-lod0"), find(scene, "part_main"));
    scene.nodes[copy].local.translation.x += 9;
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(made.by_path.at("ship_test_data/part_main-lod1.xmf"),
              old_files().at("ship_test_data/part_main-lod1.xmf"));
    EXPECT_FALSE(made.by_path.contains("ship_test_data/part_main-lod2.xmf"));
    write_all(made, new_path().parent_path());
    EXPECT_EQ(triangles(component_scene(new_path())), 2 * before);
}

TEST_F(ComponentBack, LevelsKeepGapsThatTheirFilesHad) {
    mod_with_three_levels(mod_).write(old());
    fs::remove(old() / test::data_path / "part_main-lod1.xmf");
    const MadeFiles made = made_files(through_glb(component_scene(old_path())), new_path());
    EXPECT_EQ(made.xml(), read_text(old_path()));
    EXPECT_TRUE(made.by_path.contains("ship_test_data/part_main-lod2.xmf"));
    EXPECT_FALSE(made.by_path.contains("ship_test_data/part_main-lod1.xmf"));
}

TEST_F(ComponentBack, PosesThatMayBePlacesAreNamed) {
    Scene scene = through_glb(component_scene(old_path()));
    const Index door = find(scene, "anim_door");
    Clip& other = scene.clips.emplace_back(scene.clips.front());
    other.name = "other";
    turn_instead(other);
    EXPECT_THAT(codes_of(made_files(scene, new_path()).report), Not(HasSubstr("component-pose-left")));
    scene.nodes[door].local.translation = {0.5f, 0, 0};
    EXPECT_THAT(codes_of(made_files(scene, new_path()).report), HasSubstr("component-pose-left"));
}

/// Libraries are written into mods only.
TEST_F(ComponentBack, EditedMaterialsAreNamed) {
    Scene scene = through_glb(component_scene(old_path()));
    ASSERT_FALSE(scene.materials.empty());
    Material& hull = scene.materials.front();
    const std::size_t dot = hull.name.find('.');
    ASSERT_NE(dot, std::string::npos);
    hull.extras.json = R"({"material_library":{"collection":")" + hull.name.substr(0, dot) + R"(","name":")" +
                       hull.name.substr(dot + 1) +
                       R"(","properties":[{"type":"BitMap","name":"diffuse_map","value":"assets\\hull"}]}})";
    scene.images.resize(1);
    scene.images[0].name = "assets\\hull";
    scene.images[0].mime_type = "image/png";
    scene.images[0].bytes = image::encode_png({4, 4, Bytes(64), false, {}}).value();
    hull.base_color_texture.image = 0;
    hull.base_color = {1, 1, 1, 1};
    hull.extras.json.insert(1, R"("pictures":")" + Pictures(scene).hashes(hull) + R"(",)");
    set_hashes(scene);
    scene = through_glb(scene);
    EXPECT_EQ(codes_of(made_files(scene, new_path()).report), "");
    const auto codes_with = [&](auto edit) {
        Scene edited = scene;
        edit(edited.materials.front());
        return codes_of(made_files(edited, new_path()).report, Severity::warning);
    };
    EXPECT_EQ(codes_with([](Material& one) { one.base_color.r = 0.5f; }), "xmf-material-edited ");
    EXPECT_EQ(codes_with([](Material& one) { one.double_sided = true; }), "xmf-material-edited ");
    EXPECT_EQ(codes_with([](Material& one) { one.name = "other.hull"; }), "xmf-material-edited ");
    EXPECT_EQ(codes_with([](Material& one) { one.name = "hull"; }), "") << "xmf-material-new says that";
    EXPECT_EQ(codes_with([](Material& one) { one.base_color_texture.offset = {0.5f, 0}; }), "xmf-texture-placed ");
    // Who paints on a texture edits no material.
    scene.images[0].bytes = image::encode_png({4, 4, Bytes(64, std::byte{255}), false, {}}).value();
    EXPECT_EQ(codes_of(made_files(scene, new_path()).report, Severity::warning), "xmf-material-edited ");
}

TEST_F(ComponentBack, DamagedXmlInExtrasIsMadeAnew) {
    Scene scene = through_glb(component_scene(old_path()));
    Node& root = scene.nodes[find(scene, "ship_test")];
    const std::size_t at = root.extras.json.find("<connections>");
    ASSERT_NE(at, std::string::npos);
    root.extras.json.replace(at, 13, "<connection  ");
    const MadeFiles made = made_files(scene, new_path());
    EXPECT_EQ(codes_of(made.report, Severity::warning), "component-xml-damaged ");
    write_all(made, new_path().parent_path());
    EXPECT_EQ(codes_of(findings_of(new_path())), "");
    DiffOptions options;
    options.ignore = {"extras"};
    EXPECT_EQ(differences(component_scene(old_path()), component_scene(new_path()), options), "");
}

egosoft::SceneInput input_of(const std::string& stem, const std::string& xml) {
    const auto raw = std::as_bytes(std::span(xml));
    egosoft::SceneInput input;
    input.components.push_back(
        {{stem, xml.size(), {}}, egosoft::read_components(Bytes(raw.begin(), raw.end())).value().value});
    return input;
}

TEST(ComponentBackLights, ComeBackAndChange) {
    const std::string xml = R"(<?xml version="1.0"?>
<components>
	<component name="lamp" class="object">
		<source geometry="assets\props\lamp_data"/>
		<layers><layer><lights>
			<omni name="one" r="210" g="234" b="255" range="3" intensity="1.5"><offset><position x="1" y="2" z="3"/></offset></omni>
			<spot name="two" r="255" g="204" b="149" range="2" intensity="1" hotspot="30" falloff="60"><offset><position x="0" y="1" z="0"/><quaternion qx="0" qy="0.7071068" qz="0" qw="0.7071068"/></offset></spot>
			<spot name="four" r="255" g="255" b="255" range="2" intensity="1" angle="40" gradientindex="1"/>
			<arealight name="three" areax="1"/>
		</lights></layer></layers>
		<connections><connection name="a" tags="x "/></connections>
	</component>
</components>
)";
    Scene scene = through_glb(builders::convert(input_of("lamp", xml)).value);
    EXPECT_EQ(made_files(scene, "lamp.xml").xml(), xml);

    for (effigy::Light& light : scene.lights) light.range = 0;
    EXPECT_EQ(made_files(scene, "lamp.xml").xml(), xml) << "Blender's exporter says no ranges";

    scene.lights[scene.nodes[find(scene, "one")].light].color = {1, 0, 0};
    scene.lights[scene.nodes[find(scene, "two")].light].outer_cone = 0.7853982f;
    scene.lights[scene.nodes[find(scene, "four")].light].outer_cone = 0.6981317f;
    scene.nodes[find(scene, "three")].local.translation = {0, 5, 0};
    const std::string changed = made_files(scene, "lamp.xml").xml();
    EXPECT_THAT(changed, HasSubstr(R"(r="255" g="0" b="0" range="3")"));
    EXPECT_THAT(changed, HasSubstr(R"(falloff="90")"));
    EXPECT_THAT(changed, HasSubstr(R"(angle="80" gradientindex="1"/>)"));
    EXPECT_THAT(changed, HasSubstr(R"(<position x="0" y="5" z="0")"));
    EXPECT_THAT(changed, HasSubstr(R"(qy="0.7071068")"));
    EXPECT_THAT(changed, HasSubstr("\n\t\t<layers>"));
}

TEST(ComponentBackLights, HaveTheFormOfTheGameThatTheyAreMadeFor) {
    const std::string xml =
        "<components><component name=\"lamp\" class=\"object\"><source geometry=\"assets\\props\\lamp_data\"/>"
        "<layers><layer><lights><spot name=\"two\" r=\"255\" hotspot=\"30\" falloff=\"60\"/>"
        "<spot name=\"one\" r=\"255\" angle=\"40\"/></lights></layer></layers><connections/></component></components>";
    const Scene scene = through_glb(builders::convert(input_of("lamp", xml)).value);
    ConversionContext settings;
    EXPECT_EQ(made_files(scene, "lamp.xml", settings).xml(), xml);
    settings.options.set("target", "x4");
    const std::string x4 = made_files(scene, "lamp.xml", settings).xml();
    EXPECT_THAT(x4, HasSubstr(R"(<spot name="two" r="255" angle="60"/>)"));
    EXPECT_THAT(x4, HasSubstr(R"(<spot name="one" r="255" angle="40"/>)"));
    settings.options.set("target", "xrebirth");
    const std::string x_rebirth = made_files(scene, "lamp.xml", settings).xml();
    EXPECT_THAT(x_rebirth, HasSubstr(R"(<spot name="two" r="255" hotspot="30" falloff="60"/>)"));
    EXPECT_THAT(x_rebirth, HasSubstr(R"(<spot name="one" r="255" hotspot="0" falloff="40"/>)"));
}

TEST(ComponentBackLights, OfPartsComeBackAndChange) {
    const std::string xml = R"(<?xml version="1.0"?>
<components>
	<component name="lamp" class="object">
		<source geometry="assets\props\lamp_data"/>
		<connections>
			<connection name="a" tags="part ">
				<parts>
					<part name="shade">
						<lights>
							<omni name="a light whose name is long enough to lie apart" r="210" g="234" b="255" range="3" intensity="1.5"/>
						</lights>
					</part>
				</parts>
			</connection>
		</connections>
	</component>
</components>
)";
    Scene scene = through_glb(builders::convert(input_of("lamp", xml)).value);
    EXPECT_EQ(made_files(scene, "lamp.xml").xml(), xml);
    ASSERT_EQ(scene.lights.size(), 1U);
    scene.lights[0].color = {1, 0, 0};
    EXPECT_THAT(made_files(scene, "lamp.xml").xml(), HasSubstr(R"(r="255" g="0" b="0" range="3")"));
}

/// Lights whose XML says more than a scene does: two of one name in a layer, one each in two parts, none in a third.
class ComponentBackLightNames : public testing::Test {
protected:
    [[nodiscard]] static std::string omni(const std::string& name, const std::string& blink, int red) {
        return "<omni name=\"" + name + "\" r=\"" + std::to_string(red) +
               "\" range=\"2\"><lightanimations><lightanimation name=\"" + blink +
               "\"/></lightanimations><offset><position x=\"1\" y=\"0\" z=\"0\"/></offset></omni>";
    }
    [[nodiscard]] static std::string part(const std::string& name, const std::string& parent,
                                          const std::string& lights) {
        return "<connection name=\"con_" + name + "\"" + parent + " tags=\"part\"><parts><part name=\"" + name + "\">" +
               (lights.empty() ? "" : "<lights>" + lights + "</lights>") + "</part></parts></connection>\n";
    }

    /// The name of each light, and what makes it blink, by what it hangs on.
    [[nodiscard]] std::map<std::string, std::string> lights() const {
        std::map<std::string, std::string> found;
        pugi::xml_document document;
        EXPECT_TRUE(document.load_string(made_files(scene_, "lamp.xml").xml().c_str()));
        for (const auto& each : document.select_nodes("//lights/*")) {
            const pugi::xml_node one = each.node(), above = one.parent().parent();
            found[above.attribute("name").as_string(above.name())] +=
                std::string(one.attribute("name").value()) + ":" +
                one.child("lightanimations").child("lightanimation").attribute("name").value() + " ";
        }
        return found;
    }
    [[nodiscard]] Index child_of(const std::string& parent, const std::string& name, int number = 0) const {
        for (const Index child : scene_.nodes[find(scene_, parent)].children) {
            if (scene_.nodes[child].name == name && number-- == 0) return child;
        }
        ADD_FAILURE() << name << " of " << parent;
        return 0;
    }
    void take_out(const std::string& parent, Index child) {
        std::erase(scene_.nodes[find(scene_, parent)].children, child);
    }
    Index copy(const std::string& parent, Index node, const std::string& name) {
        const auto made = static_cast<Index>(scene_.nodes.size());
        scene_.nodes.push_back(Node(scene_.nodes[node]));
        scene_.nodes.back().name = name;
        scene_.nodes.back().children.clear();
        add_child(scene_, find(scene_, parent), made);
        return made;
    }

    const std::string end_ = "</connections></component></components>\n";
    const std::string xml_ =
        "<components><component name=\"lamp\" class=\"object\"><source "
        "geometry=\"assets\\props\\lamp_data\"/>\n<layers>"
        "<layer><lights>\n" +
        omni("Lamp", "a", 1) + "\n" + omni("Lamp", "b", 2) + "\n</lights></layer></layers><connections>\n" +
        part("shade", " parent=\"base\"", omni("Lamp", "c", 3)) + part("base", "", omni("Lamp", "d", 3)) +
        part("foot", "", "") + end_;
    Scene scene_ = through_glb(builders::convert(input_of("lamp", xml_)).value);
};

using LightNames = std::map<std::string, std::string>;

TEST_F(ComponentBackLightNames, AreThoseOfTheirNodes) {
    EXPECT_EQ(made_files(scene_, "lamp.xml").xml(), xml_);
    scene_.nodes[child_of("lamp", "Lamp", 1)].name = "Beacon";
    std::string renamed = xml_.substr(0, xml_.size() - end_.size());
    const std::string old = "\"Lamp\" r=\"2\"";
    renamed.replace(renamed.find(old), old.size(), "\"Beacon\" r=\"2\"");
    EXPECT_THAT(made_files(scene_, "lamp.xml").xml(), testing::StartsWith(renamed));
    scene_.nodes[child_of("shade", "Lamp")].name = "Beacon";
    EXPECT_EQ(lights(), (LightNames{{"layer", "Lamp:a Beacon:b "}, {"shade", "Beacon:c "}, {"base", "Lamp:d "}}));
}

/// Modelling programs number what shares a name with anything else.
TEST_F(ComponentBackLightNames, MayBeNumberedByPrograms) {
    scene_.nodes[child_of("lamp", "Lamp", 0)].name = "Lamp.002";
    scene_.nodes[child_of("shade", "Lamp")].name = "Lamp.001";
    scene_.nodes[child_of("base", "Lamp")].name = "Lamp.003";
    EXPECT_EQ(made_files(scene_, "lamp.xml").xml(), xml_);
}

TEST_F(ComponentBackLightNames, OfCopiesHaveAllThatTheirElementsHave) {
    copy("lamp", child_of("lamp", "Lamp", 1), "Lamp.001");
    copy("shade", child_of("lamp", "Lamp", 0), "Lamp_right");
    EXPECT_EQ(
        lights(),
        (LightNames{{"layer", "Lamp:a Lamp:b Lamp_001:b "}, {"shade", "Lamp:c Lamp_right:a "}, {"base", "Lamp:d "}}));
}

TEST_F(ComponentBackLightNames, OfCopiedPartsAreThoseOfCopies) {
    const Index light = child_of("base", "Lamp");
    copy("lamp", find(scene_, "con_base"), "con_base.001");
    copy("con_base.001", find(scene_, "base"), "base.001");
    copy("base.001", light, "Lamp.001");
    copy("lamp", find(scene_, "con_base"), "con_base.002");
    copy("con_base.002", find(scene_, "base"), "base.002");
    EXPECT_EQ(
        lights(),
        (LightNames{
            {"layer", "Lamp:a Lamp:b "}, {"shade", "Lamp:c "}, {"base", "Lamp:d "}, {"base_001", "Lamp_001:d "}}));
}

TEST_F(ComponentBackLightNames, GoWithTheirNodes) {
    const Index moved = child_of("shade", "Lamp"), hung = child_of("lamp", "Lamp", 1), gone = child_of("base", "Lamp");
    take_out("shade", moved);
    add_child(scene_, find(scene_, "foot"), moved);
    take_out("lamp", hung);
    add_child(scene_, find(scene_, "foot"), hung);
    take_out("base", gone);
    scene_.nodes[gone] = {};
    scene_.nodes[gone].hidden = true;
    const LightNames expected{{"layer", "Lamp:a "}, {"foot", "Lamp:c Lamp:b "}};
    EXPECT_EQ(lights(), expected);
    EXPECT_THAT(made_files(scene_, "lamp.xml").xml(), HasSubstr(omni("Lamp", "a", 1)));
}

/// Earlier files do not say what lights were called: then they are told apart by what they hang on.
void forget_names_of_lights(Scene& scene) {
    for (Node& node : scene.nodes) {
        Json record = record_of(node.extras);
        if (text_at(record, "kind") != "light") continue;
        record.erase("name");
        record.erase("repeat");
        set_record(node.extras, record);
    }
}

TEST_F(ComponentBackLightNames, NeedNoRecords) {
    forget_names_of_lights(scene_);
    EXPECT_EQ(made_files(scene_, "lamp.xml").xml(), xml_);
}

TEST_F(ComponentBackLightNames, NeedNoRecordsInCopiedParts) {
    const Index light = child_of("base", "Lamp");
    copy("lamp", find(scene_, "con_base"), "con_base.001");
    copy("con_base.001", find(scene_, "base"), "base.001");
    copy("base.001", light, "Lamp");
    forget_names_of_lights(scene_);
    EXPECT_EQ(
        lights(),
        (LightNames{{"layer", "Lamp:a Lamp:b "}, {"shade", "Lamp:c "}, {"base", "Lamp:d "}, {"base_001", "Lamp:d "}}));
}

/// What is made anew of its attributes is no copy, either.
TEST_F(ComponentBackLightNames, WithoutRecordsMayBeNumberedByPrograms) {
    scene_.nodes[child_of("shade", "Lamp")].name = "Lamp.001";
    scene_.nodes[child_of("base", "Lamp")].name = "Beacon.001";
    forget_names_of_lights(scene_);
    EXPECT_EQ(lights(), (LightNames{{"layer", "Lamp:a Lamp:b "}, {"shade", "Lamp: "}, {"base", "Beacon_001: "}}));
}

TEST(ComponentBackLights, WithoutNamesStaySoIfProgramsNumberThem) {
    const std::string xml =
        "<components><component name=\"lamp\" class=\"object\"><source geometry=\"assets\\props\\lamp_data\"/>"
        "<layers><layer><lights><omni r=\"1\" "
        "range=\"2\"/></lights></layer></layers><connections/></component></components>";
    Scene scene = through_glb(builders::convert(input_of("lamp", xml)).value);
    scene.nodes[find(scene, "omni")].name = "omni.001";
    forget_names_of_lights(scene);
    const std::string made = made_files(scene, "lamp.xml").xml();
    EXPECT_THAT(made, HasSubstr("<omni "));
    EXPECT_THAT(made, testing::Not(HasSubstr("omni_001")));
}

/// Lights of a layer that hang on a part of which the file knows nothing.
class ComponentBackLightNamesOfNewParts : public ComponentBackLightNames {
protected:
    void SetUp() override {
        Node& stand = scene_.nodes[find(scene_, "foot")];
        stand.name = "stand";
        Json record = record_of(stand.extras);
        record["name"] = "stand";
        set_record(stand.extras, record);
    }
};

TEST_F(ComponentBackLightNamesOfNewParts, ComeAfterThoseThatAreWhereTheyWere) {
    const Index light = child_of("lamp", "Lamp", 0);
    copy("stand", light, "Lamp");
    scene_.nodes[light].name = "Beacon";
    EXPECT_EQ(
        lights(),
        (LightNames{{"layer", "Beacon:a Lamp:b "}, {"shade", "Lamp:c "}, {"base", "Lamp:d "}, {"stand", "Lamp:a "}}));
}

TEST_F(ComponentBackLightNamesOfNewParts, AreMadeAnewWithoutRecords) {
    const Index light = child_of("lamp", "Lamp", 1);
    take_out("lamp", light);
    add_child(scene_, find(scene_, "stand"), light);
    forget_names_of_lights(scene_);
    EXPECT_EQ(lights(),
              (LightNames{{"layer", "Lamp:a "}, {"shade", "Lamp:c "}, {"base", "Lamp:d "}, {"stand", "Lamp: "}}));
}

// Which one is which says the file's order, where the tree of the scene has another one.
TEST(ComponentBackNames, NamesakesKeepWhatIsTheirs) {
    const std::string xml = R"(<?xml version="1.0"?>
<components>
	<component name="ship" class="object">
		<source geometry="assets\props\ship_data"/>
		<connections>
			<connection name="gun" parent="hull" tags="a "><restrictions><restriction type="rotation_y"/></restrictions></connection>
			<connection name="gun" tags="b "><parts><part name="plate"><uv_animations/></part></parts></connection>
			<connection name="body" tags="part "><parts><part name="hull"/></parts></connection>
			<connection name="gun" parent="hull" tags="c "><parts><part name="plate"/></parts></connection>
		</connections>
	</component>
</components>
)";
    EXPECT_EQ(made_files(through_glb(builders::convert(input_of("ship", xml)).value), "ship.xml").xml(), xml);
}

const std::string gun_xml = R"(<?xml version="1.0"?>
<components>
	<component name="gun" class="turret">
		<source geometry="assets\props\gun_data"/>
		<connections>
			<connection name="base" tags="part "><parts><part name="foot"/></parts></connection>
			<connection name="con_a" parent="foot" tags="part iklink" value="7">
				<offset><rotation pitch="10" yaw="20" roll="30"/></offset>
				<restrictions><restriction type="rotation_x"/></restrictions>
				<parts><part name="arm"><size><max x="1" y="2" z="3"/><center x="0" y="0" z="0"/></size><uv_animations/><sounds/></part></parts>
				<waypoints/>
			</connection>
			<connection name="con_b" parent="foot" tags="part iklink" value="7">
				<restrictions><restriction type="rotation_y"/></restrictions>
				<parts><part name="leg"><size><max x="3" y="2" z="1"/><center x="0" y="0" z="0"/></size></part></parts>
			</connection>
		</connections>
	</component>
</components>
)";

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

/// What effigy does not know in an element does not go with its name.
TEST(ComponentBackNames, ThatChangedChangeNothingElse) {
    const Scene scene = through_glb(builders::convert(input_of("gun", gun_xml)).value);
    ASSERT_EQ(made_files(scene, "gun.xml").xml(), gun_xml);
    for (const auto& [holder, held] :
         {std::pair("con_new", "arm"), std::pair("con_a", "limb"), std::pair("con_new", "limb")}) {
        Scene renamed = scene;
        renamed.nodes[find(scene, "con_a")].name = holder;
        renamed.nodes[find(scene, "arm")].name = held;
        const std::string xml = made_files(renamed, "gun.xml").xml();
        EXPECT_THAT(xml, HasSubstr("<connection name=\"" + std::string(holder) +
                                   "\" parent=\"foot\" tags=\"part iklink\" value=\"7\">"));
        EXPECT_THAT(xml, ContainsRegex("<rotation pitch=\"10\" yaw=\"20\" roll=\"30\"/></offset>[ \t\n]*"
                                       "<restrictions>[ \t\n]*<restriction type=\"rotation_x\"/>"));
        EXPECT_THAT(xml, ContainsRegex("<part name=\"" + std::string(held) +
                                       "\">(.|\n)*<uv_animations/><sounds/>(.|\n)*<waypoints/>"));
        EXPECT_EQ(count_of(xml, "<connection "), 3u);
        EXPECT_EQ(count_of(xml, "<part "), 3u);
        EXPECT_THAT(xml, Not(HasSubstr("quaternion")));
    }
}

TEST(ComponentBackNames, OfCopiesComeWithAllThatIsCopied) {
    const Scene scene = through_glb(builders::convert(input_of("gun", gun_xml)).value);
    const Index arm = find(scene, "arm"), holder = find(scene, "con_a"), foot = find(scene, "foot");
    Scene both = scene;
    const Index copy = add_copy(both, holder, foot);
    add_copy(both, arm, copy);
    for (const auto& [name, made] : {std::pair{"con_a.001", "con_a_001"}, {"con_c", "con_c"}}) {
        both.nodes[copy].name = name;
        const std::string xml = made_files(both, "gun.xml").xml();
        EXPECT_THAT(xml, HasSubstr("<connection name=\"" + std::string(made) + "\" parent=\"foot\""));
        EXPECT_THAT(xml, HasSubstr("<part name=\"arm_001\">"));
        for (const char* copied : {"<restriction type=\"rotation_x\"", "<uv_animations", "<sounds", "<waypoints"})
            EXPECT_EQ(count_of(xml, copied), 2u) << copied;
        EXPECT_EQ(count_of(xml, "rotation_y"), 1u);
        EXPECT_EQ(count_of(xml, "<part "), 4u);
    }
    // Only a part, and only a connection.
    Scene with_part = scene;
    add_copy(with_part, arm, holder);
    const std::string parts = made_files(with_part, "gun.xml").xml();
    EXPECT_EQ(count_of(parts, "<sounds"), 2u);
    EXPECT_EQ(count_of(parts, "rotation_x"), 1u);
    Scene with_connection = scene;
    add_copy(with_connection, holder, foot);
    const std::string connections = made_files(with_connection, "gun.xml").xml();
    EXPECT_EQ(count_of(connections, "<sounds"), 1u);
    EXPECT_EQ(count_of(connections, "rotation_x"), 2u);
    // One that is left of the two is no copy any more.
    std::erase(both.nodes[foot].children, holder);
    for (const Index gone : {holder, arm}) {
        both.nodes[gone].extras.json.clear();
        both.nodes[gone].hidden = true;
        both.nodes[gone].parent = no_index;
        both.nodes[gone].children.clear();
    }
    EXPECT_EQ(count_of(made_files(both, "gun.xml").xml(), "rotation_x"), 1u);
}

/// Of a large element nobody makes more copies than memory is allowed for.
TEST(ComponentBackNames, OfManyCopiesTakeMemory) {
    std::string xml = gun_xml, points;
    for (int i = 0; i < 10'000; ++i) points += "<waypoint/>";
    xml.insert(xml.find("<waypoints/>"), "<waypoints>" + points + "</waypoints>");
    Scene scene = builders::convert(input_of("gun", xml)).value;
    const Index holder = find(scene, "con_a"), foot = find(scene, "foot");
    for (int i = 0; i < 100; ++i) add_copy(scene, holder, foot);
    egosoft::FromSceneOptions options;
    options.name = "gun";
    options.limits.memory = 64 << 20;
    const auto made = egosoft::from_scene(scene, options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit-memory");
}

TEST(ComponentBackStates, WithoutKeysNeedNoRange) {
    const std::string xml = R"(<?xml version="1.0"?>
<components>
	<component name="ship" class="object">
		<source geometry="assets\props\ship_data"/>
		<connections><connection name="body" tags="part "><parts><part name="hull"/></parts></connection></connections>
	</component>
</components>
)";
    ani::File file;
    ani::Animation& state = file.animations.emplace_back();
    std::strcpy(state.part.data(), "hull");
    std::strcpy(state.state.data(), "resting");
    state.duration = 2;
    egosoft::SceneInput input = input_of("ship", xml);
    input.animations.push_back({{"ship_data", 0, {}}, std::move(file)});
    EXPECT_EQ(made_files(through_glb(builders::convert(std::move(input)).value), "ship.xml").xml(), xml);
}

#ifdef EFFIGY_MAKE_SHIP
[[nodiscard]] image::Picture picture_of(const fs::path& file) {
    const std::string content = read_text(file);
    auto picture = image::decode(std::as_bytes(std::span(content)));
    EXPECT_TRUE(picture) << file;
    return picture ? std::move(*picture) : image::Picture();
}

/// Of the colours of two pictures, in steps.
[[nodiscard]] double mean_difference(const image::Picture& a, const image::Picture& b) {
    EXPECT_EQ(a.rgba.size(), b.rgba.size());
    double sum = 0;
    for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); ++i)
        sum += std::abs(std::to_integer<int>(a.rgba[i]) - std::to_integer<int>(b.rgba[i]));
    return sum / static_cast<double>(std::max<std::size_t>(a.rgba.size(), 1));
}

TEST(ComponentBackShip, TheExampleShipComesBack) {
    const Folder folder;
    const fs::path mod = folder.path() / "courier";
    ASSERT_EQ(std::system((std::string(EFFIGY_MAKE_SHIP) + " " + mod.string()).c_str()), 0);
    const fs::path path = mod / "assets/units/size_s/ship_courier.xml";
    const Scene scene = through_glb(component_scene(path));
    const MadeFiles made = made_files(scene, path);
    EXPECT_EQ(codes_of(made.report), "");
    for (const NewFile& file : made.files)
        EXPECT_EQ(text_of(file.bytes), read_text(path.parent_path() / file.name)) << file.name;
    EXPECT_GE(made.files.size(), 15u);

    // Without extras all is new, and means the same.
    Scene bare = scene;
    forget_extras(bare);
    const fs::path other = folder.path() / "other" / "courier";
    fs::create_directories(other);
    for (const char* name : {"content.xml", "libraries", "assets/textures"}) {
        fs::create_directories((other / name).parent_path());
        fs::copy(mod / name, other / name, fs::copy_options::recursive);
    }
    const fs::path other_path = other / "assets/units/size_s/ship_courier.xml";
    const MadeFiles anew = made_files(bare, other_path);
    write_all(anew, other_path.parent_path());
    EXPECT_EQ(codes_of(findings_of(other_path)), "");
    EXPECT_GE(anew.files.size(), made.files.size());
    EXPECT_LE(distance_of(scene, component_scene(other_path)), 1e-3);
}

/// Whose keys nobody has touched.
TEST(ComponentBackShip, AGearThatIsMovedIsMovedInAllStates) {
    const Folder folder;
    const fs::path mod = folder.path() / "courier";
    ASSERT_EQ(std::system((std::string(EFFIGY_MAKE_SHIP) + " " + mod.string()).c_str()), 0);
    const fs::path path = mod / "assets/units/size_s/ship_courier.xml";
    const std::string keys = read_text(mod / "assets/units/size_s/SHIP_COURIER_DATA.ANI");
    Scene scene = through_glb(component_scene(path));
    const Vec3 place{10, 20, 5};
    scene.nodes[find(scene, "gear_port")].local.translation = place;
    const MadeFiles made = made_files(scene, path);
    EXPECT_EQ(made.by_path.at("ship_courier_data.ani"), keys);
    write_all(made, path.parent_path());
    Scene again = component_scene(path);
    EXPECT_LE(distance_of(scene, again), 1e-4);
    // And back, when it has a node of its own for where it is.
    const Index offset = find(again, "gear_port.offset");
    EXPECT_EQ(again.nodes[offset].local.translation, place);
    again.nodes[find(again, "gear_port")].local.translation = {-10, -20, -5};
    write_all(made_files(through_glb(again), path), path.parent_path());
    EXPECT_LE(distance_of(again, component_scene(path)), 1e-4);
}

/// As the README does it.
TEST(ComponentBackShip, TheExampleShipIsAModWithItsTextures) {
    const Folder folder;
    const fs::path mod = folder.path() / "courier", fresh = folder.path() / "mods/courier";
    ASSERT_EQ(std::system((std::string(EFFIGY_MAKE_SHIP) + " " + mod.string()).c_str()), 0);
    const fs::path glb = folder.path() / "courier.glb";
    ASSERT_TRUE(effigy::convert({mod / "assets/units/size_s/ship_courier.xml"}, glb));
    ConvertOptions options;
    options.values = {{"target", "x4"}, {"class", "ship_s"}};
    const auto made = effigy::convert({glb}, fresh / "", options);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(codes_of(made->report), "");
    for (const char* name : {"diffuse", "normal", "metal", "smooth", "glow"}) {
        const std::string texture = "assets/textures/courier_" + std::string(name) + ".gz";
        ASSERT_TRUE(fs::exists(fresh / texture)) << texture;
        EXPECT_LE(mean_difference(picture_of(mod / texture), picture_of(fresh / texture)), 3.0) << texture;
    }
    EXPECT_EQ(check_folder(fresh).count(Severity::warning), 0u);
}

TEST(ComponentBackShip, TheBareExampleShipIsAWholeMod) {
    const Folder folder;
    const fs::path mod = folder.path() / "courier", made_mod = folder.path() / "my_mod";
    ASSERT_EQ(std::system((std::string(EFFIGY_MAKE_SHIP) + " " + mod.string()).c_str()), 0);
    gltf::WriteOptions plain;
    plain.records = false;
    Scene bare = through_glb(component_scene(mod / "assets/units/size_s/ship_courier.xml"), plain);
    for (Material& material : bare.materials) material.name = material.name.substr(material.name.find('.') + 1);
    ConversionContext context;
    context.options = {{"target", "x4"}, {"class", "ship_s"}, {"stubs", "true"}};
    const auto made = make_folder(bare, made_mod / "ship_my_s_boat", context);
    ASSERT_TRUE(made) << to_string(made.error());
    ASSERT_TRUE(write_files(made->value, made_mod));
    const fs::path path = made_mod / "assets/units/size_s/ship_my_s_boat.xml";
    Report found = findings_of(path);
    found.append(check_folder(made_mod));
    EXPECT_FALSE(found.has_errors());
    EXPECT_EQ(found.count(Severity::warning), 0u);
    const Scene again = component_scene(path);
    EXPECT_LE(distance_of(bare, again), 1e-3);
    // Every level, wreck and collision mesh.
    std::size_t meshes = 0;
    for (const Node& node : bare.nodes) {
        if (node.mesh == no_index) continue;
        ASSERT_TRUE(has(again, node.name)) << node.name;
        const Mesh &one = bare.meshes[node.mesh], &other = again.meshes[again.nodes[find(again, node.name)].mesh];
        EXPECT_LE(surface_distance(one, other, 1000), 1e-5) << node.name;
        ++meshes;
    }
    EXPECT_GE(meshes, 10u);
}
#endif

}  // namespace
