/// Models of other tools as components, and scenes that nobody would make on purpose.

#include <gmock/gmock.h>
#include <iostream>
#include <set>

#include "effigy/hashes.hpp"

#include "egosoft/from_scene_component_files.hpp"
#include "gltf/rich_scene.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"

namespace {

using namespace effigy;
using namespace builders;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

/// What was made, read again from a folder; fails the test if check finds more than info there.
Scene written_and_read(const Scene& scene, const std::string& name = "thing", MadeFiles* files = nullptr) {
    const Folder folder;
    const fs::path path = folder.path() / "assets/props" / (name + ".xml");
    MadeFiles made = made_files(scene, path);
    write_all(made, path.parent_path());
    EXPECT_EQ(codes_of(findings_of(path), Severity::warning), "") << made.xml();
    Scene again = made.files.empty() ? Scene() : component_scene(path);
    if (files != nullptr) *files = std::move(made);
    return again;
}

Index add_node(Scene& scene, const std::string& name, Index parent = no_index, Index mesh = no_index) {
    Node node;
    node.name = name;
    node.mesh = mesh;
    scene.nodes.push_back(std::move(node));
    const auto index = static_cast<Index>(scene.nodes.size() - 1);
    if (parent != no_index) add_child(scene, parent, index);
    return index;
}

/// One mesh of two triangles.
Scene quad_scene() {
    Scene scene = builders::convert(quad()).value;
    forget_extras(scene);
    scene.nodes.clear();
    return scene;
}

TEST(ComponentModels, ModelsLookAndMoveAsBefore) {
    for (const auto& [name, glb] : gltf_test::gltf_models()) {
        SCOPED_TRACE(name);
        const Scene scene = gltf_test::read_text(glb);
        const Scene again = written_and_read(scene);
        const auto poser = playback::Poser::make(scene);
        ASSERT_TRUE(poser);
        const playback::Bounds bounds = poser->bounds();
        const Vec3 low = bounds.low, high = bounds.high;
        const auto extent = static_cast<double>(std::max({high.x - low.x, high.y - low.y, high.z - low.z}));
        const double distance = distance_of(scene, again);
        std::cout << name << ": " << distance << " of " << extent << " apart\n";
        EXPECT_LE(distance, 1e-5 * extent);
    }
    EXPECT_FALSE(written_and_read(test::rich_scene()).meshes.empty());
}

TEST(ComponentModels, NodesBecomeConnectionsAndParts) {
    Scene scene = quad_scene();
    const Index root = add_node(scene, "Ship");
    const Index hull = add_node(scene, "hull", root, 0);
    const Index door = add_node(scene, "door", hull, 0);
    const Index engine = add_node(scene, "con engine.01", root);
    scene.nodes[hull].local.translation = {0, 1, 0};
    scene.nodes[door].local.translation = {-3, 0, 0};
    scene.nodes[door].local.scale = {2, 2, 2};
    scene.nodes[engine].local.rotation = {0, 1, 0, 0};
    scene.nodes[engine].extras.other = R"({"tags": "engine small", "group": "g", "value": "1"})";
    scene.nodes[root].extras.other = R"({"class": "ship_m"})";
    MadeFiles made;
    const Scene again = written_and_read(scene, "ship", &made);
    EXPECT_THAT(made.xml(), HasSubstr("<component name=\"ship\" class=\"ship_m\">"));
    EXPECT_THAT(made.xml(), HasSubstr("<source geometry=\"assets\\props\\ship_data\" />"));
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"con_hull\" tags=\"part\">"));
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"con_door\" tags=\"part\" parent=\"hull\">"));
    EXPECT_THAT(made.xml(),
                HasSubstr("<connection name=\"con_engine_01\" tags=\"engine small\" group=\"g\" value=\"1\">"));
    EXPECT_EQ(made.report.count("component-collision-made"), 1u);
    EXPECT_EQ(made.report.count("component-jcs"), 1u);
    EXPECT_EQ(made.report.count("component-class"), 0u);
    EXPECT_TRUE(made.by_path.contains("ship_data/door-collision.xmf"));
    const glm::dmat4 place = world(again, find(again, "door-lod0"));
    EXPECT_NEAR(place[3].x, -3, 1e-6);
    EXPECT_NEAR(place[3].y, 1, 1e-6);
    // Scale is in the mesh.
    const auto& doors = again.meshes[again.nodes[find(again, "door-lod0")].mesh];
    EXPECT_EQ(points(*find(doors, Semantic::position, 0)).back().y, 4);
}

/// Programs make numbers of custom properties unless they are told otherwise.
TEST(ComponentModels, NumbersAreTextsToo) {
    Scene scene = quad_scene();
    const Index root = add_node(scene, "Ship");
    add_node(scene, "hull", root, 0);
    const Index slot = add_node(scene, "slot", root);
    for (const auto& [json, text] : {std::pair("5", "5"), std::pair("1.0", "1"), std::pair("-1", "-1"),
                                     std::pair("2.5", "2.5"), std::pair("\"7\"", "7")}) {
        scene.nodes[slot].extras.other =
            R"({"tags":"dock","value":)" + std::string(json) + R"(,"group":)" + std::string(json) + "}";
        EXPECT_THAT(made_files(scene, "ship.xml").xml(),
                    HasSubstr("tags=\"dock\" group=\"" + std::string(text) + "\" value=\"" + std::string(text) + "\""));
    }
}

/// Uneven scale that leaves the volume as it is, and mirroring, count as any other scale.
TEST(ComponentModels, StretchedPartsHoldOthersWhereTheyWere) {
    for (const Vec3& scale : {Vec3{1, 2, 0.5f}, Vec3{-1, 1, 1}, Vec3{2, 2, 2}}) {
        Scene scene = quad_scene();
        const Index arm = add_node(scene, "arm", add_node(scene, "crane"), 0);
        const Index claw = add_node(scene, "claw", arm, 0);
        scene.nodes[arm].local.scale = scale;
        scene.nodes[claw].local.translation = {2, 3, 5};
        scene.nodes[claw].local.rotation = {0.6f, 0, 0, 0.8f};
        EXPECT_LE(distance_of(scene, written_and_read(scene, "crane")), 1e-5);
    }
}

/// Keys of a part stand in its frame, which has no scale and is not mirrored, whatever is above it.
TEST(ComponentModels, PartsMoveAlikeBelowScaledAndMirroredOnes) {
    const std::vector<std::pair<Vec3, Vec3>> scales{
        {{2, 2, 2}, {1, 1, 1}}, {{-1, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {1, -2, 0.5f}}, {{1, 1, 1}, {1, 1, 1}}};
    for (const auto& [above, own] : scales) {
        Scene scene = quad_scene();
        const Index arm = add_node(scene, "arm", add_node(scene, "crane"), 0);
        const Index claw = add_node(scene, "claw", arm, 0);
        scene.nodes[arm].local.rotation = {0, 0.6f, 0, 0.8f};
        scene.nodes[arm].local.scale = above;
        scene.nodes[claw].local = {{2, 3, 5}, {0.6f, 0, 0, 0.8f}, own};
        Clip& clip = scene.clips.emplace_back();
        clip.name = "loop";
        clip.duration = 1;
        clip.tracks.push_back(
            {claw, TrackPath::rotation, Interpolation::linear, {0, 1}, {0.6f, 0, 0, 0.8f, 0, 0, 0.6f, 0.8f}});
        clip.tracks.push_back({claw, TrackPath::translation, Interpolation::linear, {0, 1}, {2, 3, 5, 4, 3, 4}});
        MadeFiles made;
        EXPECT_LE(distance_of(scene, written_and_read(scene, "crane", &made)), 0.02);
        EXPECT_EQ(made.report.count("ani-shear-lost"), 0u);
        scene.nodes[arm].local.scale = {1, 2, 3};
        EXPECT_EQ(made_files(scene, "crane.xml").report.count("ani-shear-lost"), 1u);
    }
}

TEST(ComponentModels, NamesSayWhatLevelsAndCollisionAre) {
    // As levels are made only where none of such a name is there.
    for (const auto& [finest, level, collision] : {std::array{"hull-lod0", "hull-lod1", "hull-collision"},
                                                   {"hull_lod0", "hull_lod1", "hull-collision"},
                                                   {"hull", "hull_LOD1", "hull.collision"},
                                                   {"hull", "hull.lod1", "hull-collision.001"},
                                                   {"hull", "hull-lod1.001", "hull-collision2"}}) {
        Scene scene = quad_scene();
        Mesh small = scene.meshes[0];
        small.primitives[0].indices.resize(3);
        scene.meshes.push_back(small);
        add_node(scene, finest, no_index, 0);
        add_node(scene, level, no_index, 1);
        add_node(scene, collision, no_index, 1);
        MadeFiles made;
        const Scene again = written_and_read(scene, "crate", &made);
        std::set<std::string> names;
        for (const auto& [name, bytes] : made.by_path) names.insert(name);
        EXPECT_EQ(names, (std::set<std::string>{"crate.xml", "crate_data/hull-lod0.xmf", "crate_data/hull-lod1.xmf",
                                                "crate_data/hull-collision.xmf"}))
            << level;
        EXPECT_THAT(made.xml(), HasSubstr("<lod index=\"1\">"));
        EXPECT_EQ(again.nodes[find(again, "hull-lod0")].lods.size(), 1u);
    }
}

TEST(ComponentModels, NamesBesideThePartSayWhatTheyAre) {
    for (const bool below : {false, true}) {
        Scene scene = quad_scene();
        Mesh small = scene.meshes[0];
        small.primitives[0].indices.resize(3);
        scene.meshes.push_back(small);
        const Index hull = add_node(scene, "Hull", no_index, 0);
        scene.nodes[hull].local.translation = {1, 2, 3};
        const Index above = below ? hull : no_index;
        for (const auto& [name, mesh] : {std::pair("hull-lod1", Index{1}),
                                         {"hull_wreck", Index{0}},
                                         {"hull_wreck-lod1", Index{1}},
                                         {"hull-collision", Index{1}}}) {
            const Index node = add_node(scene, name, above, mesh);
            if (!below) scene.nodes[node].local.translation = {1, 2, 3};
        }
        add_node(scene, "mast_wreck", no_index, 0);
        MadeFiles made;
        const Scene again = written_and_read(scene, "crate", &made);
        std::set<std::string> names;
        for (const auto& [name, bytes] : made.by_path) names.insert(name);
        const std::string data = "crate_data/";
        EXPECT_EQ(names, (std::set<std::string>{"crate.xml", data + "hull-lod0.xmf", data + "hull-lod1.xmf",
                                                data + "hull-collision.xmf", data + "hull_wreck-lod0.xmf",
                                                data + "hull_wreck-lod1.xmf", data + "hull_wreck-collision.xmf",
                                                data + "mast_wreck-lod0.xmf", data + "mast_wreck-collision.xmf"}));
        EXPECT_THAT(made.xml(), HasSubstr("wreck=\"hull_wreck\""));
        const Node& wreck = again.nodes[find(again, "hull_wreck-lod0")];
        EXPECT_TRUE(wreck.hidden);
        EXPECT_EQ(wreck.local.translation, scene.nodes[hull].local.translation);
    }
}

/// As components are read: a part's finest mesh hangs below the part, and so do other connections.
TEST(ComponentModels, NodesAbovePartsMeshesAreTheParts) {
    Scene scene = quad_scene();
    const Index hull = add_node(scene, "hull", add_node(scene, "crate")), place = add_node(scene, "con_lid", hull);
    scene.nodes[hull].local.translation = {0, 1, 0};
    scene.nodes[add_node(scene, "hull-lod0", hull, 0)].local.translation = {1, 0, 0};
    scene.nodes[place].local.translation = {0, 0, 2};
    MadeFiles made;
    const Scene again = written_and_read(scene, "crate", &made);
    EXPECT_THAT(made.xml(), HasSubstr("<part name=\"hull\">"));
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"con_lid\" parent=\"hull\">"));
    EXPECT_LE(distance_of(scene, again), 1e-5);
}

TEST(ComponentModels, NodesThatMoveAreParts) {
    const Scene scene = gltf_test::read_text(gltf_test::gltf_model("box_animated"));
    MadeFiles made;
    const Scene again = written_and_read(scene, "box", &made);
    EXPECT_EQ(again.clips.size(), scene.clips.size());
    EXPECT_THAT(made.xml(), HasSubstr("tags=\"part animation\""));
    EXPECT_THAT(made.xml(), HasSubstr("<animation name="));
    EXPECT_THAT(made.xml(), HasSubstr("<size_raw>"));
    EXPECT_TRUE(made.by_path.contains("box_data.ani"));
}

/// A clip that lifts the node.
void add_lift(Scene& scene, Index node) {
    Track track;
    track.node = node;
    track.path = TrackPath::translation;
    track.times = {0, 1};
    track.values = {0, 0, 0, 0, 1, 0};
    if (scene.clips.empty()) scene.clips.emplace_back().name = "lift";
    scene.clips.front().duration = 1;
    scene.clips.front().tracks.push_back(std::move(track));
}

/// Programs write a skin for each armature, also where its bones only carry whole meshes.
TEST(ComponentModels, BonesThatCarryMeshesArePartsThatMove) {
    Scene scene = quad_scene();
    const Index rig = add_node(scene, "rig");
    const Index arm = add_node(scene, "arm", rig), hand = add_node(scene, "hand", arm);
    add_node(scene, "claw", hand, 0);
    const Index cable = add_node(scene, "cable_bone", arm);
    for (const Index bone : {arm, hand, cable}) add_lift(scene, bone);
    Skin& skin = scene.skins.emplace_back();
    skin.joints = {arm, hand, cable};
    skin.inverse_bind_matrices.resize(3);
    MadeFiles made;
    const Scene again = written_and_read(scene, "crane", &made);
    EXPECT_EQ(made.report.count("ani-part-missing"), 0u);
    EXPECT_THAT(made.xml(), HasSubstr("<connection name=\"con_hand\" tags=\"part animation\" parent=\"arm\">"));
    EXPECT_LE(distance_of(scene, again), 1e-5);

    // What a mesh is bent by has no place, unless it carries something as well.
    const Index hose = add_node(scene, "hose", rig, 0);
    scene.nodes[hose].skin = 0;
    const MadeFiles bent = made_files(scene, "crane.xml");
    EXPECT_EQ(bent.report.count("ani-part-missing"), 1u);
    EXPECT_THAT(bent.xml(), Not(HasSubstr("cable_bone")));
    EXPECT_THAT(bent.xml(), HasSubstr("<connection name=\"con_arm\" tags=\"part animation\">"));
}

TEST(ComponentModels, NamesAreMadeSafeAndDifferent) {
    Scene scene = quad_scene();
    const Index root = add_node(scene, "");
    for (const std::string name : {"", "", "Cube", "Cube", "cube", "../x", "a\\b/c:d", "Schl\xc3\xb6\xc3\x9f", "a.b.c"})
        add_node(scene, name, root, 0);
    add_node(scene, std::string(300, 'n'), root, 0);
    add_node(scene, std::string(300, 'n') + "2", root, 0);
    MadeFiles made;
    (void)written_and_read(scene, "names", &made);
    std::set<std::string> names;
    for (const NewFile& file : made.files) {
        EXPECT_TRUE(names.insert(lower(file.name)).second) << file.name;
        EXPECT_EQ(file.name.find(".."), std::string::npos) << file.name;
        EXPECT_EQ(file.name.find_first_of("\\:"), std::string::npos) << file.name;
        EXPECT_LE(std::count(file.name.begin(), file.name.end(), '/'), 1) << file.name;
    }
    EXPECT_EQ(names.size(), 1u + 2 * 11);
}

TEST(ComponentModels, KnownNamesLeadNowhereElse) {
    auto loaded = builders::convert([] {
        egosoft::SceneInput input;
        input.components.push_back(component({connection("con", {}, {part("part_main")})}));
        input.meshes.push_back(mesh("part_main-lod0"));
        return input;
    }());
    Scene& scene = loaded.value;
    leave_untouched(scene);
    scene.nodes[find(scene, "part_main")].name = "../../evil";
    for (Node& node : scene.nodes) {
        if (node.extras.json.find("\"component\"") == std::string::npos) continue;
        node.extras.json.insert(1, R"("geometry":"..\\..\\..\\etc\\passwd",)");
    }
    const MadeFiles made = made_files(scene, "x.xml");
    for (const NewFile& file : made.files) {
        for (const char* up : {"../", "..\\"}) EXPECT_EQ(file.name.find(up), std::string::npos) << file.name;
    }
    EXPECT_THAT(made.xml(), Not(HasSubstr("passwd")));
}

TEST(ComponentModels, DeepAndWideScenesTakeTheirTime) {
    Scene deep = quad_scene();
    Index above = no_index;
    constexpr int levels = 10'000;
    for (int i = 0; i < levels; ++i) above = add_node(deep, "node", above, i + 1 == levels ? 0 : no_index);
    EXPECT_EQ(made_files(deep, "deep.xml").files.size(), 3u);

    Scene wide = quad_scene();
    const Index root = add_node(wide, "root");
    for (int i = 0; i < 50'000; ++i) add_node(wide, "place", root);
    add_node(wide, "part", root, 0);
    const MadeFiles made = made_files(wide, "wide.xml");
    EXPECT_EQ(made.files.size(), 3u);
    EXPECT_THAT(made.xml(), HasSubstr("name=\"place_50000\""));

    Scene parts = quad_scene();
    above = no_index;
    for (int i = 0; i < 2'000; ++i) above = add_node(parts, "part", above, 0);
    EXPECT_EQ(made_files(parts, "parts.xml").files.size(), 4'001u);
}

/// Records that nobody would write.
const char* const records[] = {
    R"({"kind":"component","file":{"xml":"<components/>","component":0}})",
    R"({"kind":"component","file":{"xml":"<components><component/></components>","component":-1}})",
    R"({"kind":"component","file":{"xml":"<components><component/></components>","component":1e9}})",
    R"({"kind":"component","file":{"xml":{"bytes":"PA=="},"component":"x"}})",
    R"({"kind":"component","file":{"xml":"<components><component/><component/></components>","component":1}})",
    R"({"kind":"component","file":7,"geometry":[1],"class":{}})",
    R"({"kind":"component","file":{"xml":"<!DOCTYPE a [<!ENTITY b 'c'>]><components/>"}})",
    R"({"kind":"connection","tags":[1,{},"<a>&\""],"group":4,"value":null,"parent":"x","animations":{}})",
    R"({"kind":"part","reference":"","wreck":"../../w","offset":{"position":[1],"rotation":"x"},"pivot":3,"lods":1})",
    R"({"kind":"part","absent_levels":[0,"x",null,1e400],"pivot":{"position":[1,{"bits":"0x7fc00000"},3]}})",
    R"({"kind":"light","element":"a b","attributes":[["x","y"],3,["1a","b"],["ok",5]]})",
    R"({"kind":"light","element":"omni","attributes":[["r","nan"],["r","2"],["name","<"]]})",
    R"({"kind":"wreck"})",
    R"({"kind":"collision","part":"nobody"})",
    R"({"helper":true})",
    "[",
    "7",
    "{}",
};

TEST(ComponentModels, ExtrasMayBeAnything) {
    for (const char* first : records) {
        for (const char* second : records) {
            Scene scene = quad_scene();
            const Index root = add_node(scene, "root");
            const Index child = add_node(scene, "child", root, 0);
            const Index other = add_node(scene, "child", child, 0);
            scene.nodes[root].extras = {.json = first, .other = R"({"class":[],"tags":3})"};
            scene.nodes[child].extras = {.json = second, .other = "["};
            scene.nodes[other].extras = {.json = first};
            set_hashes(scene);
            scene.nodes[other].extras.hash ^= 1;  // somebody has edited it
            auto made = make_files(scene, "x.xml");
            if (!made) {
                EXPECT_EQ(made.error().code, "nothing-to-show") << to_string(made.error());
                continue;
            }
            for (const NewFile& file : made->value) EXPECT_EQ(file.name.find(".."), std::string::npos) << file.name;
            const auto read = egosoft::read_components(made->value.front().bytes);
            EXPECT_TRUE(read) << first << second << to_string(read.error());
        }
    }
}

TEST(ComponentModels, ExtrasOfSeveralMayBeAnything) {
    for (const char* first : records) {
        for (const char* second : records) {
            Scene scene = quad_scene();
            for (const char* const record : {first, second, first}) {
                const Index root = add_node(scene, "root");
                add_node(scene, "child", root, 0);
                scene.nodes[root].extras.json = record;
            }
            const auto made = make_files(scene, "x.xml");
            ASSERT_TRUE(made) << to_string(made.error());
            for (const NewFile& file : made->value) {
                EXPECT_FALSE(file.bytes.empty()) << file.name << first << second;
                EXPECT_TRUE(!file.name.ends_with(".xml") || egosoft::read_components(file.bytes)) << first << second;
            }
        }
    }
}

TEST(ComponentModels, LimitsAreKept) {
    Scene scene = quad_scene();
    add_node(scene, "part", no_index, 0);
    ConversionContext options;
    options.limits.memory = 1000;
    const auto made = make_files(scene, "x.xml", options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit-memory");
    const auto nothing = make_files(Scene(), "x.xml");
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, "nothing-to-show");
}

}  // namespace
