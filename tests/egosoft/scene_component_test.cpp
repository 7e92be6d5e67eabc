/// Components: hierarchy, references, lights, and the files that they name.

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "effigy/gltf.hpp"

#include "contents.hpp"
#include "egosoft/scene_builders.hpp"

namespace {

using namespace builders;
using Json = nlohmann::json;

Loaded<Scene> convert(egosoft::ComponentInput component, std::vector<egosoft::MeshInput> meshes = {},
                      const egosoft::GameFiles* files = nullptr) {
    egosoft::SceneInput input;
    input.components.push_back(std::move(component));
    input.meshes = std::move(meshes);
    input.files = files;
    auto loaded = builders::convert(std::move(input));
    const auto glb = gltf::write_glb(loaded.value);
    EXPECT_TRUE(glb) << to_string(glb.error());
    return loaded;
}

std::vector<egosoft::MeshInput> meshes(const std::vector<std::string>& stems) {
    std::vector<egosoft::MeshInput> result;
    for (const std::string& stem : stems) result.push_back(mesh(stem));
    return result;
}

TEST(EgosoftComponent, HangsConnectionsUnderThePartsThatTheyName) {
    auto turned = connection("con_arm", {1, 2, 3}, {part("arm")});
    // A quarter turn about y in the file's frame: z goes to x there.
    turned.offset.rotation = {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)};
    turned.tags = {"part", "detail_m"};
    turned.group = "left";
    const auto loaded = convert(component({connection("con_hand", {0, 0, 5}, {part("hand")}, "ARM"), turned}),
                                meshes({"arm-lod0", "hand-lod0"}));
    const Scene& scene = loaded.value;
    const Index root = find(scene, "ship_x"), arm = find(scene, "arm");
    EXPECT_EQ(scene.nodes[find(scene, "con_arm")].parent, root);
    EXPECT_EQ(scene.nodes[find(scene, "con_hand")].parent, arm);
    EXPECT_EQ(scene.nodes[find(scene, "arm-lod0")].parent, arm);
    // In the file: (1,2,3) + turn * (0,0,5) = (6,2,3); the scene negates x.
    const glm::dvec3 hand(world(scene, find(scene, "hand"))[3]);
    EXPECT_NEAR(hand.x, -6, 1e-5);
    EXPECT_NEAR(hand.y, 2, 1e-5);
    EXPECT_NEAR(hand.z, 3, 1e-5);
    const Json extras = Json::parse(scene.nodes[find(scene, "con_arm")].extras.json);
    EXPECT_EQ(extras["tags"], (Json{"part", "detail_m"}));
    EXPECT_EQ(extras["group"], "left");
    EXPECT_EQ(Json::parse(scene.nodes[root].extras.json)["class"], "ship_s");
}

TEST(EgosoftComponent, CutsCirclesAndReportsUnknownParents) {
    const auto loaded =
        convert(component({connection("a", {}, {part("pa")}, "pb"), connection("b", {}, {part("pb")}, "pa"),
                           connection("c", {}, {part("pc")}, "pc"), connection("d", {}, {}, "nobody"),
                           connection("e", {}, {}, "ship_x")}),
                meshes({"pa-lod0", "pb-lod0", "pc-lod0"}));
    const Scene& scene = loaded.value;
    EXPECT_EQ(loaded.report.count("connection-cycle"), 1u);
    EXPECT_EQ(loaded.report.count("connection-parent"), 1u);
    const Index root = find(scene, "ship_x");
    for (const char* name : {"c", "d", "e"}) EXPECT_EQ(scene.nodes[find(scene, name)].parent, root) << name;
    EXPECT_TRUE((scene.nodes[find(scene, "a")].parent == root) != (scene.nodes[find(scene, "b")].parent == root));
}

TEST(EgosoftComponent, KeepsCollisionsAndWrecksWhereThePartRests) {
    egosoft::Part hull = part("hull");
    hull.wreck = "hull_wreck";
    hull.offset = egosoft::Offset{};
    hull.offset->position = {0, 1, 0};
    const auto loaded = convert(component({connection("con", {2, 0, 0}, {hull})}),
                                meshes({"hull-lod0", "hull-lod1", "hull-collision", "hull-collision1",
                                        "hull_wreck-lod0", "hull_wreck-collision", "stray-lod0"}));
    const Scene& scene = loaded.value;
    EXPECT_EQ(scene.nodes[find(scene, "hull-lod0")].lods, (std::vector<Index>{find(scene, "hull-lod1")}));
    for (const char* name : {"hull-collision", "hull-collision1", "hull_wreck-collision", "hull_wreck-lod0"}) {
        const Node& node = scene.nodes[find(scene, name)];
        EXPECT_TRUE(node.hidden) << name;
        EXPECT_EQ(node.parent, no_index) << name;
        EXPECT_EQ(node.follows, find(scene, "hull")) << name;
        EXPECT_EQ(node.local.translation, (Vec3{-2, 1, 0})) << name;
        EXPECT_EQ(node.collision, std::string(name).starts_with("hull-")) << name << ": a wreck is not there yet";
        const bool is_collision = std::string(name).find("collision") != std::string::npos;
        EXPECT_EQ(Json::parse(node.extras.json)["kind"], is_collision ? "collision" : "wreck");
    }
    EXPECT_EQ(loaded.report.count("mesh-unmatched"), 1u);
    EXPECT_FALSE(has(scene, "stray-lod0"));
}

TEST(EgosoftComponent, WrecksThatArePartsAreMarkedAsWell) {
    egosoft::Part hull = part("hull");
    hull.wreck = "hull_wreck";
    const auto loaded = convert(component({connection("con", {}, {hull, part("hull_wreck")})}),
                                meshes({"hull-lod0", "hull_wreck-lod0", "hull_wreck-collision"}));
    const Node& node = loaded.value.nodes[find(loaded.value, "hull_wreck-collision")];
    EXPECT_FALSE(node.collision);
    EXPECT_TRUE(node.hidden);
    EXPECT_EQ(Json::parse(node.extras.json)["wreck"], true);
}

TEST(EgosoftComponent, ComparesSizesAndMaterialLists) {
    egosoft::Part right = part("right"), wrong = part("wrong"), effect = part("fx_wrong");
    right.size = egosoft::Box{{0.5f, 1, 1.5f}, {0.5f, 1, 1.5f}};  // of the quad, in the file's own frame
    wrong.size = effect.size = egosoft::Box{{-0.5f, 1, 1.5f}, {0.5f, 1, 1.5f}};
    egosoft::Lod lod;
    lod.materials = {{2, "c.two"}, {1, "c.one"}};
    right.lods = wrong.lods = {lod};
    xmf::File two = quad();
    two.materials = {material("c.one", 0, 3), material("c.two", 3, 3)};
    xmf::File other = quad();
    other.materials = {material("c.other", 0, 6)};
    const auto loaded = convert(component({connection("con", {}, {right, wrong, effect})}),
                                {mesh("right-lod0", two), mesh("wrong-lod0", other), mesh("fx_wrong-lod0")});
    EXPECT_EQ(loaded.report.count("size-differs"), 1u);
    EXPECT_EQ(loaded.report.count("material-list-differs"), 1u);
}

/// As `check` has it: size-small is a warning, size-large is none.
TEST(EgosoftComponent, SizesBeyondTheMeshAreNoWarning) {
    egosoft::Part hull = part("hull");
    const auto severities = [&](const egosoft::Box& size) {
        hull.size = size;
        const auto loaded = convert(component({connection("con", {}, {hull})}), meshes({"hull-lod0"}));
        EXPECT_EQ(loaded.report.count("size-differs"), 1u);
        return std::pair(loaded.report.count(Severity::warning), loaded.report.count(Severity::info));
    };
    const auto [warnings, infos] = severities({{0.5f, 1, 1.5f}, {0.5f, 1, 1}});
    EXPECT_EQ(severities({{0.5f, 1, 1.5f}, {0.5f, 2, 1.5f}}), std::pair(warnings - 1, infos + 1));
    EXPECT_EQ(severities({{0, 1, 1.5f}, {1, 1, 1.5f}}), std::pair(warnings - 1, infos + 1));
    EXPECT_EQ(severities({{0, 1, 1.5f}, {0.9f, 1, 1.5f}}), std::pair(warnings, infos)) << "one side juts out";
    EXPECT_EQ(severities({{0.5f, 1, 1.5f}, {500, 1, 1}}), std::pair(warnings, infos)) << "however long another is";
}

TEST(EgosoftComponent, SaysWhichNamedLevelsAreMissing) {
    egosoft::Part hull = part("hull");
    hull.lods.resize(2);
    hull.lods[1].index = 1;
    const auto loaded = convert(component({connection("con", {}, {hull})}), meshes({"hull-lod0"}));
    EXPECT_EQ(loaded.report.count("mesh-missing"), 1u);
    EXPECT_TRUE(has(loaded.value, "hull-lod0"));
}

TEST(EgosoftComponent, HasSomethingToShowOrFails) {
    egosoft::Part hull = part("hull");
    hull.lods.resize(1);
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {hull})}));
    const auto failed = egosoft::to_scene(std::move(input), {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, "nothing-to-show");
    EXPECT_NE(failed.error().message.find("geometry of <source>"), std::string::npos) << failed.error().message;
}

constexpr const char* index_xml = R"(<?xml version="1.0"?>
<index><entry name="chair" value="assets\interiors\chair"/><entry name="loop_a" value="assets\interiors\loop_a"/>
<entry name="loop_b" value="assets\interiors\loop_b"/></index>)";

std::string component_xml(const std::string& name, const std::string& part) {
    return "<?xml version=\"1.0\"?><components><component name=\"" + name +
           "\" class=\"x\"><source geometry=\"assets\\interiors\\" + name +
           "_data\"/><connections><connection name=\"c\"><parts>" + part + "</parts></connection></connections>" +
           "</component></components>";
}

TEST(EgosoftComponent, BorrowsMeshesThroughTheGamesIndex) {
    const Folder mod;
    mod.write("content.xml", "<content id=\"test\"/>");
    mod.write("index/components.xml", index_xml);
    mod.write("assets/interiors/chair.xml", component_xml("chair", R"(<part name="seat"/>)"));
    mod.write("assets/interiors/Chair_Data/SEAT-lod0.xmf", quad());
    mod.write("assets/interiors/Chair_Data/seat-collision.xmf", quad());
    mod.write("assets/interiors/loop_a.xml", component_xml("loop_a", R"(<part name="p" ref="loop_b.p"/>)"));
    mod.write("assets/interiors/loop_b.xml", component_xml("loop_b", R"(<part name="p" ref="loop_a.p"/>)"));
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files) << to_string(files.error());

    egosoft::Part seat = part("my_seat"), lost = part("lost"), round = part("round"), no_part = part("no_part");
    seat.reference = "chair.seat";
    lost.reference = "game_only.seat";
    round.reference = "loop_a.p";
    no_part.reference = "chair.leg";
    const auto loaded =
        convert(component({connection("con", {0, 7, 0}, {seat, lost, round, no_part})}), {}, &files->value);
    const Scene& scene = loaded.value;
    const Node& shown = scene.nodes[find(scene, "my_seat-lod0")];
    EXPECT_EQ(shown.parent, find(scene, "my_seat"));
    EXPECT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.nodes[find(scene, "seat-collision")].local.translation, (Vec3{0, 7, 0}));
    EXPECT_EQ(loaded.report.count("reference-missing"), 3u);
}

TEST(EgosoftComponent, WhatLiesBesideAndIsNotTakenIsSaid) {
    const Folder folder;
    folder.write("game/assets/interiors/chair_data/seat-lod0.xmf", quad());
    folder.write("game/assets/interiors/chair_data/leg-lod0.xmf", quad());
    xmf::File other = quad();
    other.materials = {material("a.b", 0, 6)};
    folder.write("own/chair_data/seat-lod0.xmf", other);
    folder.write("own/chair_data/leg-lod0.xmf", quad());
    for (const char* name : {"seat", "leg"}) {
        for (const char* place : {"assets/interiors/chair_data/", "chair_data/"})
            folder.write("both/" + std::string(place) + name + "-lod0.xmf",
                         std::string(place) == "chair_data/" ? other : quad());
    }
    const auto convert_with = [&](const std::vector<std::filesystem::path>& roots) {
        const auto files = egosoft::GameFiles::open(roots);
        egosoft::ComponentInput chair = component({connection("con", {}, {part("seat"), part("leg")})});
        chair.file.components[0].geometry = "assets/interiors/chair_data";
        return convert(std::move(chair), {}, &files->value).report;
    };
    const Report both = convert_with({folder.path() / "game", folder.path() / "own"});
    ASSERT_EQ(both.count("mesh-beside"), 1u);
    for (const Diagnostic& one : both.diagnostics())
        EXPECT_TRUE(one.code != "mesh-beside" || one.found == "1: chair_data/seat-lod0.xmf") << one.found;
    const Report alone = convert_with({folder.path() / "both"});
    EXPECT_EQ(alone.count("mesh-beside"), 1u);
    for (const Diagnostic& one : alone.diagnostics())
        EXPECT_TRUE(one.code != "mesh-beside" || one.message.find("--game") == std::string::npos) << one.message;
    EXPECT_EQ(convert_with({folder.path() / "game"}).count("mesh-beside"), 0u);
    EXPECT_EQ(convert_with({folder.path() / "own"}).count("mesh-beside"), 0u);
}

TEST(EgosoftComponent, ChangesOfModsDoNotHideWhatTheyAreFor) {
    const Folder folder;
    const std::string path = "assets/interiors/chair.xml";
    folder.write("game/index/components.xml", index_xml);
    folder.write("game/" + path, component_xml("chair", R"(<part name="seat"/>)"));
    folder.write("game/assets/interiors/chair_data/seat-lod0.xmf", quad());
    const char* const change =
        R"(<diff><add sel="/components/component/connections"><connection name="x" tags="y"/></add></diff>)";
    for (const std::string mod : {"mod", "game/extensions/mod"}) {
        folder.write(mod + "/content.xml", "<content id=\"mod\"/>");
        folder.write(mod + "/" + path, change);
        std::vector<std::filesystem::path> roots{folder.path() / "game"};
        if (mod == "mod") roots.push_back(folder.path() / mod);
        auto files = egosoft::GameFiles::open(roots);
        ASSERT_TRUE(files) << to_string(files.error());
        egosoft::Part seat = part("my_seat");
        seat.reference = "chair.seat";
        const auto borrowing = convert(component({connection("con", {}, {seat})}), {}, &files->value);
        EXPECT_EQ(borrowing.value.meshes.size(), 1u);
        EXPECT_EQ(borrowing.report.count("diff-applied"), 1u);
        EXPECT_EQ(borrowing.report.count("reference-missing"), 0u);
        // The component itself.
        egosoft::ComponentInput chair = component({connection("con", {}, {part("seat")})});
        chair.file.components[0].name = "chair";
        chair.file.components[0].geometry = "assets/interiors/chair_data";
        EXPECT_EQ(convert(std::move(chair), {}, &files->value).report.count("diff-base"), 1u);
        std::filesystem::remove_all(folder.path() / "mod");
    }
}

TEST(EgosoftComponent, HasTheChangesOfExtensions) {
    const Folder folder;
    const std::string path = "assets/interiors/chair.xml", base = component_xml("chair", R"(<part name="seat"/>)");
    folder.write("game/index/components.xml", index_xml);
    folder.write("game/" + path, base);
    for (const char* part : {"seat", "back"})
        folder.write("game/assets/interiors/chair_data/" + std::string(part) + "-lod0.xmf", quad());
    folder.write("game/extensions/a/content.xml", R"(<content id="a"><dependency id="b"/></content>)");
    folder.write("game/extensions/a/" + path,
                 R"(<diff><replace sel="//connection[@name='con_back']/@tags">part soft</replace>)"
                 R"(<remove sel="//connection[@name='none']"/></diff>)");
    folder.write("game/extensions/b/content.xml", R"(<content id="b"/>)");
    folder.write("game/extensions/b/" + path,
                 R"(<diff><add sel="/components/component[@name='chair']/connections"><connection name="con_back" )"
                 R"(tags="part"><parts><part name="back"/></parts></connection></add></diff>)");
    folder.write("game/extensions/c/content.xml", R"(<content id="c"/>)");
    folder.write("game/extensions/c/" + path, "<diff><add");
    auto files = egosoft::GameFiles::open({folder.path() / "game"});
    ASSERT_TRUE(files) << to_string(files.error());

    egosoft::ComponentInput chair;
    chair.file = egosoft::read_components(test::bytes_of_text(base)).value().value;
    const auto loaded = convert(std::move(chair), {}, &files->value);
    EXPECT_EQ(loaded.value.meshes.size(), 2u);
    EXPECT_NE(loaded.value.nodes[find(loaded.value, "con_back")].extras.json.find("soft"), std::string::npos);
    EXPECT_EQ(loaded.report.count("diff-applied"), 1u);
    EXPECT_EQ(loaded.report.count("diff-no-match"), 1u);
    EXPECT_EQ(loaded.report.count("diff-base"), 0u);

    // What borrows from it finds the part that was added.
    egosoft::Part back = part("my_back");
    back.reference = "chair.back";
    const auto borrowing = convert(component({connection("con", {}, {back})}), {}, &files->value);
    EXPECT_EQ(borrowing.value.meshes.size(), 1u);
    EXPECT_EQ(borrowing.report.count("diff-applied"), 1u);

    // A file of one's own with the component's name is none of the game's.
    egosoft::ComponentInput own;
    own.file = egosoft::read_components(test::bytes_of_text(base + "<!-- mine -->")).value().value;
    const auto apart = convert(std::move(own), {}, &files->value);
    EXPECT_EQ(apart.value.meshes.size(), 1u);
    EXPECT_EQ(apart.report.count("diff-applied"), 0u);
    EXPECT_GE(apart.report.count("diff-base"), 1u);
}

TEST(EgosoftComponent, FilesOfModsReplaceTheGames) {
    const Folder folder;
    const std::string path = "assets/interiors/chair.xml";
    folder.write("game/index/components.xml", index_xml);
    folder.write("game/" + path, component_xml("chair", R"(<part name="seat"/>)"));
    folder.write("game/assets/interiors/chair_data/seat-lod0.xmf", quad());
    folder.write("game/assets/interiors/chair_data/back-lod0.xmf", quad());
    folder.write("game/extensions/mod/content.xml", "<content id=\"mod\"/>");
    folder.write("game/extensions/mod/" + path, component_xml("chair", R"(<part name="back"/>)"));
    auto files = egosoft::GameFiles::open({folder.path() / "game"});
    ASSERT_TRUE(files) << to_string(files.error());
    egosoft::Part back = part("my_back");
    back.reference = "chair.back";
    const auto loaded = convert(component({connection("con", {}, {back})}), {}, &files->value);
    EXPECT_EQ(loaded.value.meshes.size(), 1u);
    EXPECT_TRUE(loaded.report.empty());
}

TEST(EgosoftComponent, FilesOfModsReplaceThoseOfOtherExtensions) {
    const Folder folder;
    const std::string path = "extensions/ego_dlc_x/assets/interiors/chair.xml";
    folder.write("game/extensions/ego_dlc_x/content.xml", "<content id=\"ego_dlc_x\"/>");
    folder.write("game/extensions/ego_dlc_x/index/components.xml",
                 R"(<index><entry name="chair" value="extensions\ego_dlc_x\assets\interiors\chair"/></index>)");
    folder.write("game/" + path, component_xml("chair", R"(<part name="seat"/>)"));
    folder.write("game/assets/interiors/chair_data/seat-lod0.xmf", quad());
    folder.write("game/assets/interiors/chair_data/back-lod0.xmf", quad());
    for (const std::string mod : {"a_mod", "z_mod"}) {
        const std::string own = "game/extensions/" + mod;
        folder.write(own + "/content.xml", "<content id=\"" + mod + "\"/>");
        folder.write(own + "/" + path, component_xml("chair", R"(<part name="back"/>)"));
        auto files = egosoft::GameFiles::open({folder.path() / "game"});
        ASSERT_TRUE(files) << to_string(files.error());
        egosoft::Part back = part("my_back");
        back.reference = "chair.back";
        const auto loaded = convert(component({connection("con", {}, {back})}), {}, &files->value);
        EXPECT_EQ(loaded.value.meshes.size(), 1u) << mod;
        EXPECT_TRUE(loaded.report.empty()) << mod;
        std::filesystem::remove_all(folder.path() / own);
    }
}

TEST(EgosoftComponent, AGivenMeshStandsForTheOneInTheFolder) {
    const Folder mod;
    mod.write("content.xml", "<content id=\"test\"/>");
    mod.write("assets/units/ship_x_data/hull-lod0.xmf", quad());
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files) << to_string(files.error());
    const auto loaded =
        convert(component({connection("con", {}, {part("hull")})}), meshes({"HULL-lod0"}), &files->value);
    EXPECT_EQ(loaded.value.meshes.size(), 1u);
    EXPECT_EQ(loaded.report.count("mesh-unused"), 0u);
}

TEST(EgosoftComponent, ReadsItsFolderInAnyCaseAndNamesWhatNobodyUses) {
    const Folder mod;
    mod.write("content.xml", "<content id=\"test\"/>");
    mod.write("assets/units/SHIP_X_data/hull-lod0.xmf", quad());
    mod.write("assets/units/SHIP_X_data/assets_units_ship_x-lod0.xmf", quad());
    mod.write("assets/units/SHIP_X_data/damaged-lod0.xmf", std::string("no mesh"));
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files) << to_string(files.error());
    const auto loaded = convert(component({connection("con", {}, {part("Hull"), part("damaged")})}), {}, &files->value);
    EXPECT_TRUE(has(loaded.value, "Hull-lod0"));
    EXPECT_FALSE(has(loaded.value, "damaged-lod0"));
    EXPECT_TRUE(loaded.report.has_errors());
    EXPECT_EQ(loaded.report.count("mesh-unused"), 1u);
}

TEST(EgosoftComponent, ReadsTheFolderBesideALooseComponent) {
    const Folder folder;
    folder.write("ship_x_data/hull-lod0.xmf", quad());
    const auto files = egosoft::GameFiles::open({folder.path()});
    ASSERT_TRUE(files) << to_string(files.error());
    const auto loaded = convert(component({connection("con", {}, {part("hull")})}), {}, &files->value);
    EXPECT_TRUE(has(loaded.value, "hull-lod0"));
}

/// A component with the part "hull" in an extension.
egosoft::ComponentInput in_extension() {
    egosoft::ComponentInput ship = component({connection("con", {}, {part("hull")})});
    ship.file.components[0].geometry = "extensions\\mod\\assets\\units\\ship_x_data";
    return ship;
}
TEST(EgosoftComponent, MeshesOfAnExtensionThatTheGameHasTooAreNoStrays) {
    const Folder folder;
    folder.write("game/assets/units/ship_x_data/others-lod0.xmf", quad());
    const std::string meshes = "/assets/units/ship_x_data/";
    for (const std::string mod : {"work/mod", "game/extensions/mod"}) {
        folder.write(mod + "/content.xml", "<content id=\"mod\"/>");
        folder.write(mod + meshes + "hull-lod0.xmf", quad());
        const auto files = egosoft::GameFiles::open({folder.path() / "game", folder.path() / "work/mod"});
        ASSERT_TRUE(files) << to_string(files.error());
        EXPECT_EQ(convert(in_extension(), {}, &files->value).report.count("mesh-unused"), 0u) << mod;
    }
    folder.write("game/extensions/mod" + meshes + "stray-lod0.xmf", quad());
    const auto files = egosoft::GameFiles::open({folder.path() / "game", folder.path() / "work/mod"});
    ASSERT_TRUE(files) << to_string(files.error());
    const auto loaded = convert(in_extension(), {}, &files->value);
    ASSERT_EQ(loaded.report.count("mesh-unused"), 1u);
    for (const Diagnostic& finding : loaded.report.diagnostics())
        EXPECT_TRUE(finding.code != "mesh-unused" || finding.found == "1: stray-lod0") << finding.found;
}

TEST(EgosoftComponent, CarriesLightsThatGltfHas) {
    auto ship = component({connection("con", {1, 0, 0}, {part("hull")})});
    egosoft::Light omni;
    omni.kind = "omni";
    omni.name = "Omni001";
    omni.color = {1, 0.5f, 0};
    omni.intensity = 3;
    omni.range = 12;
    omni.offset.position = {4, 5, 6};
    egosoft::Light area = omni;
    area.kind = "arealight";
    area.name = "Area";
    area.attributes = {{"areax", "0.5"}};
    egosoft::Light spot = omni;
    spot.kind = "spot";
    spot.name = "Spot";
    ship.file.components[0].lights = {omni, area};
    ship.file.components[0].connections[0].parts[0].lights = {spot};
    const auto loaded = convert(std::move(ship), meshes({"hull-lod0"}));
    const Scene& scene = loaded.value;
    ASSERT_EQ(scene.lights.size(), 2u);
    const Node& node = scene.nodes[find(scene, "Omni001")];
    EXPECT_EQ(node.parent, find(scene, "ship_x"));
    EXPECT_EQ(node.local.translation, (Vec3{-4, 5, 6}));
    const Light& light = scene.lights[node.light];
    EXPECT_EQ(light.kind, LightKind::point);
    EXPECT_EQ(light.intensity, 3);
    EXPECT_EQ(light.range, 12);
    EXPECT_EQ(light.color.x, 1);
    EXPECT_NEAR(light.color.y, 0.21404, 1e-4) << "linear";
    EXPECT_EQ(scene.nodes[find(scene, "Area")].light, no_index);
    EXPECT_EQ(loaded.report.count("light-kept"), 1u);
    // glTF's lights shine along -z; this one along the file's z.
    const Index at = find(scene, "Spot");
    EXPECT_EQ(scene.nodes[at].parent, find(scene, "hull"));
    const glm::dvec3 direction = glm::dmat3(world(scene, at)) * glm::dvec3(0, 0, -1);
    EXPECT_NEAR(direction.z, 1, 1e-6);
}

TEST(EgosoftComponent, PlacesBeyondAllFloatsStayFinite) {
    egosoft::Part turret = part("turret");
    turret.wreck = "gone";
    const auto loaded = convert(component({connection("far", {3e38f, 0, 0}, {part("hull")}),
                                           connection("farther", {3e38f, 0, 0}, {turret}, "hull")}),
                                meshes({"hull-lod0", "turret-lod0", "gone-lod0"}));
    const Index wreck = find(loaded.value, "gone-lod0");
    ASSERT_NE(wreck, no_index);
    EXPECT_TRUE(std::isfinite(loaded.value.nodes[wreck].local.translation.x));
}

egosoft::ComponentInput several(std::vector<egosoft::ComponentInput> components) {
    egosoft::ComponentInput all = std::move(components.front());
    for (std::size_t i = 1; i < components.size(); ++i) {
        egosoft::Component& one = all.file.components.emplace_back(components[i].file.components.front());
        one.name += std::to_string(i);
    }
    return all;
}

TEST(EgosoftComponent, ComponentsThatShareAFolderReadItsFilesOnce) {
    const Folder mod;
    mod.write("ship_x_data/hull-lod0.xmf", quad());
    mod.write("ship_x_data/wing-lod0.xmf", quad());
    mod.write("ship_x_data/stray-lod0.xmf", quad());
    mod.write("ship_x_data.ani", "no animation");
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files);
    const auto loaded = convert(several({component({connection("con", {}, {part("hull")})}),
                                         component({connection("con", {}, {part("wing")})})}),
                                {}, &files->value);
    std::size_t about_animations = 0;
    for (const Diagnostic& finding : loaded.report.diagnostics()) {
        about_animations += finding.file.ends_with("ship_x_data.ani") ? 1 : 0;
        if (finding.code == "mesh-unused") {
            EXPECT_EQ(finding.found, "1: stray-lod0");
        }
    }
    EXPECT_EQ(about_animations, 1u);
    EXPECT_EQ(loaded.report.count("mesh-unused"), 1u);
}

TEST(EgosoftComponent, AFileThatTheIndexGivesForManyNamesIsReadOnce) {
    const Folder mod;
    mod.write("index/components.xml",
              R"(<index><entry name="one" value="lib"/><entry name="two" value="lib"/></index>)");
    mod.write("lib.xml", R"(<components><component name="one"><connections><connection name="c">)"
                         R"(<offset><position x="?"/></offset><parts><part name="a"/></parts></connection>)"
                         R"(</connections></component><component name="two"/></components>)");
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files);
    egosoft::Part first = part("first"), second = part("second");
    first.reference = "one.a";
    second.reference = "two.a";
    const auto loaded = convert(component({connection("con", {}, {first, second})}), {}, &files->value);
    EXPECT_EQ(loaded.report.count("xml-number"), 1u);
}

TEST(EgosoftComponent, BoundsWhatAnyOfItsFilesMayTake) {
    const Folder mod;
    mod.write("ship_x_data/hull-lod0.xmf", quad());
    const auto files = egosoft::GameFiles::open({mod.path()});
    ASSERT_TRUE(files);
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {part("hull")})}));
    input.files = &files->value;
    egosoft::SceneOptions options;
    options.limits.memory = 5 * sizeof(Node) + 300;
    const auto failed = egosoft::to_scene(std::move(input), options);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, "limit-memory");
}

}  // namespace
