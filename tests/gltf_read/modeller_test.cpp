/// Scenes that effigy wrote, as Blender 3.4 writes them again: properties as Python's text or with numbers for truth
/// values, hidden nodes shown, skinned meshes taken off their nodes, animated nodes where an animation has them.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"

#include "gltf/read/context.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

Index named(const Scene& scene, const std::string& name) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return i;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
}

bool has(const Scene& scene, const std::string& name) {
    return std::any_of(scene.nodes.begin(), scene.nodes.end(), [&](const Node& node) { return node.name == name; });
}

json property(const char* name, json value) { return {{"effigy", {{name, std::move(value)}}}}; }

/// A skinned tube on a node of its own; the number of the chain's first node.
std::size_t add_puppet(AssetBuilder& builder, const json& node) {
    json primitive = primitive_of(builder, tube(3, 4));
    add_influences(builder, primitive, tube(3, 4), 2);
    Floats moved(tube(3, 4).positions.size(), 0);
    moved[0] = 1;
    primitive["targets"].push_back({{"POSITION", add_floats(builder, moved, "VEC3")}});
    builder.root["meshes"].push_back({{"name", "tube"}, {"primitives", json::array({primitive})}});
    const std::size_t first = add_chain(builder, 2);
    json with_mesh = node;
    with_mesh["mesh"] = 0;
    with_mesh["skin"] = 0;
    add_node(builder, with_mesh);
    return first;
}

TEST(PythonText, BecomesJson) {
    EXPECT_EQ(gltf::json_of_python(R"({'a': True, 'b': [False, None, -1.5e-07], 'c': {}})"),
              R"({"a": true, "b": [false, null, -1.5e-07], "c": {}})");
    EXPECT_EQ(gltf::json_of_python(R"({'it\'s': "it's", 'q': 'say "x"', 'True': '\\ \n'})"),
              R"({"it's": "it's", "q": "say \"x\"", "True": "\\ \n"})");
    EXPECT_EQ(gltf::json_of_python(R"('\x07\u200b\U000e0001')"), R"("\u0007\u200b\ufffd")");
    EXPECT_EQ(gltf::json_of_python(R"({"a":true,"b":"\u00e9\/"})"), R"({"a":true,"b":"\u00e9\/"})");
    for (const char* const torn : {"{'a", "{'a\\", "{'a': '\\x4", "{'a': Tru", "{'a': True"}) {
        EXPECT_FALSE(json::accept(gltf::json_of_python(torn))) << torn;
    }
}

TEST(ModellerExtras, AreReadFromText) {
    AssetBuilder builder;
    add_node(builder, {{"extras", {{"effigy", "{'index': 4294967295, 'deep': [{'on': True}]}"}, {"mine", 1}}}});
    add_node(builder, {{"extras", {{"effigy", R"({"index":3})"}}}});
    add_node(builder, {{"extras", {{"effigy", "{torn"}}}});
    add_node(builder, {{"extras", {{"effigy", std::string(100000, '{')}}}});
    const Scene scene = read_text(builder.glb());
    EXPECT_EQ(scene.nodes[0].extras.json, R"({"deep":[{"on":true}],"index":4294967295})");
    EXPECT_EQ(scene.nodes[0].extras.other, R"({"mine":1})");
    EXPECT_EQ(scene.nodes[1].extras.json, R"({"index":3})");
    EXPECT_EQ(scene.nodes[2].extras.other, R"({"effigy":"{torn"})");
    EXPECT_EQ(scene.nodes[3].extras.json, "");
}

TEST(ModellerExtras, OfTheAssetAreTakenFromTheScene) {
    Scene scene;
    scene.nodes.emplace_back().name = "root";
    scene.asset_extras.json = R"({"embedded":[1,2],"source":{"format":"xac"},"version":1})";
    AssetBuilder builder;
    builder.root = json::parse(json_of(written(scene)));
    builder.root["asset"].erase("extras");
    const Scene again = read_text(builder.glb());
    EXPECT_EQ(again.asset_extras.json, R"({"source":{"format":"xac"},"version":1})");
}

TEST(ModellerNodes, AreHiddenAgain) {
    AssetBuilder builder;
    const std::size_t first = add_puppet(builder, {{"name", "body"}});
    json level = {{"name", "coarse"}, {"mesh", 0}, {"skin", 0}, {"translation", {1, 2, 3}}};
    level["extras"]["effigy"] = {{"hidden", 1}, {"level_of", {{"name", "body"}, {"node", 77}, {"level", 1}}}};
    builder.root["nodes"].push_back(level);
    builder.root["nodes"][first]["children"].push_back(builder.root["nodes"].size() - 1);
    json hull = {{"name", "hull"}, {"mesh", 0}};
    hull["extras"]["effigy"] = {{"hidden", 1}, {"collision", 1}, {"follows", {{"name", "body"}, {"node", 77}}}};
    add_node(builder, hull);
    const Scene scene = read_text(builder.glb());
    const Index body = named(scene, "body");
    const Index coarse = named(scene, "coarse");
    EXPECT_EQ(scene.nodes[body].lods, std::vector<Index>{coarse});
    EXPECT_TRUE(scene.nodes[coarse].hidden);
    EXPECT_EQ(scene.nodes[coarse].parent, no_index);
    EXPECT_EQ(scene.nodes[coarse].local, Transform{}) << "a skinned mesh stands where its joints are";
    const Node& collision = scene.nodes[named(scene, "hull")];
    EXPECT_TRUE(collision.hidden && collision.collision);
    EXPECT_EQ(collision.follows, body);
}

/// Whose finest mesh was deleted: one stays hidden, and one that has got its name is the finest.
TEST(ModellerNodes, LevelsMayBeAlone) {
    for (const std::string name : {"coarse", "body"}) {
        AssetBuilder builder;
        add_puppet(builder, {{"name", "other"}});
        for (const int number : {1, 2}) {
            json level = {{"name", number == 1 ? name : "coarser"}, {"mesh", 0}, {"skin", 0}};
            level["extras"]["effigy"] = {{"hidden", 1},
                                         {"level_of", {{"name", "body"}, {"node", 77}, {"level", number}}}};
            add_node(builder, level);
        }
        const Loaded<Scene> loaded = load(builder.glb());
        const Node& first = loaded.value.nodes[named(loaded.value, name)];
        EXPECT_EQ(first.hidden, name == "coarse");
        EXPECT_EQ(first.lods.size(), name == "coarse" ? 0U : 1U);
        EXPECT_TRUE(loaded.value.nodes[named(loaded.value, "coarser")].hidden);
        EXPECT_EQ(loaded.report.count("gltf-level-alone"), name == "coarse" ? 1U : 0U);
    }
}

/// Objects that were copied have the records of the first ones.
TEST(ModellerNodes, CopiesGoTogether) {
    AssetBuilder builder;
    add_puppet(builder, {{"name", "body"}});
    for (const char* const copy : {"", ".001"}) {
        if (*copy != 0) add_node(builder, {{"name", "body.001"}, {"mesh", 0}});
        json level = {{"name", std::string("coarse") + copy}, {"mesh", 0}};
        level["extras"]["effigy"] = {{"hidden", 1}, {"level_of", {{"name", "body"}, {"node", 0}, {"level", 1}}}};
        add_node(builder, level);
        json hull = {{"name", std::string("hull") + copy}, {"mesh", 0}};
        hull["extras"]["effigy"] = {{"hidden", 1}, {"collision", 1}, {"follows", {{"name", "body"}, {"node", 0}}}};
        add_node(builder, hull);
    }
    const Scene scene = read_text(builder.glb());
    for (const std::string copy : {"", ".001"}) {
        const Index body = named(scene, "body" + copy);
        EXPECT_EQ(scene.nodes[body].lods, std::vector<Index>{named(scene, "coarse" + copy)}) << copy;
        EXPECT_EQ(scene.nodes[named(scene, "hull" + copy)].follows, body);
    }
}

TEST(ModellerNodes, GetTheirMeshesBack) {
    AssetBuilder builder;
    add_puppet(builder, {{"name", "tube.001"}});
    const std::size_t loose = builder.root["nodes"].size() - 1;
    add_node(builder, {{"name", "tube.mesh"}, {"extras", {{"effigy", {{"helper", 1}, {"mesh", "tube"}}}}}});
    json animation;
    add_channel(builder, animation, loose, "weights", {0, 1}, {0, 1});
    builder.root["animations"].push_back(animation);
    const Scene scene = read_text(builder.glb());
    EXPECT_FALSE(has(scene, "tube.001"));
    const Index node = named(scene, "tube.mesh");
    EXPECT_EQ(scene.nodes[node].mesh, 0u);
    EXPECT_EQ(scene.nodes[node].skin, 0u);
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].tracks[0].node, node);
    EXPECT_FALSE(written(scene).empty());
}

TEST(ModellerNodes, LeaveMeshesThatSomebodyElseAdded) {
    AssetBuilder builder;
    add_puppet(builder, {{"name", "tube.001"}, {"children", json::array({4})}});
    add_node(builder, {{"name", "tube.mesh"}, {"extras", property("mesh", "tube")}});
    builder.root["nodes"].push_back({{"name", "below"}});
    EXPECT_TRUE(has(read_text(builder.glb()), "tube.001")) << "it has a child";
}

/// A node that an animation moves, standing at x = `now`, with its rest at 5.
Scene moved_node(float now) {
    AssetBuilder builder;
    add_node(builder, {{"name", "lamp"},
                       {"translation", {now, 0, 0}},
                       {"extras", property("rest", json{5, 0, 0, 0, 0, 0, 1, 1, 1, 1})}});
    builder.root["nodes"][0]["extras"]["effigy"]["index"] = 1;
    json animation;
    add_channel(builder, animation, 0, "translation", {0, 1, 2}, {1, 0, 0, 2, 0, 0, 4, 0, 0});
    builder.root["animations"].push_back(animation);
    return read_text(builder.glb());
}

TEST(ModellerNodes, RestWhereTheyDidBeforeAnAnimationMovedThem) {
    EXPECT_EQ(moved_node(2.00001f).nodes[0].local.translation, (Vec3{5, 0, 0}));
    EXPECT_EQ(moved_node(3).nodes[0].local.translation, (Vec3{3, 0, 0})) << "no key: somebody moved it there";
    EXPECT_EQ(moved_node(2).nodes[0].extras.json, R"({"index":1})");
}

TEST(ModellerNodes, HaveTheScaleThatABoneHasNot) {
    AssetBuilder builder;
    const std::size_t first = add_puppet(builder, {{"name", "body"}});
    json& bone = builder.root["nodes"][first];
    const json place = bone.value("translation", json{0, 0, 0});
    bone["extras"] = property("rest", json{place[0], place[1], place[2], 0, 0, 0, 1, 2, 3, 4});
    EXPECT_EQ(read_text(builder.glb()).nodes[first].local.scale, (Vec3{2, 3, 4}));
    builder.root["nodes"][first]["scale"] = {1.5, 1, 1};
    EXPECT_EQ(read_text(builder.glb()).nodes[first].local.scale, (Vec3{1.5f, 1, 1})) << "somebody scaled it";
}

/// A rest says what a hash would, and long ones are bits.
TEST(ModellerNodes, AreKnownByTheirRest) {
    const Transform plain{{5, 0, 0}, {}, {1, 1, 1}};
    const Transform odd{
        {1.0f / 3, 2.0f / 7, 0.1f}, {-0.36299005f, 0.7215203f, 0.5644857f, -0.17030147f}, {1.1f, 1.3f, 1.7f}};
    for (const Transform& local : {plain, odd}) {
        Scene scene = moved_node(2);
        scene.nodes[0].local = local;
        const bool is_short = local == plain;
        set_hashes(scene);
        const std::string glb = written(scene);
        json root = json::parse(json_of(glb));
        const json& record = root["nodes"][0]["extras"]["effigy"];
        EXPECT_EQ(record["rest"].is_array(), is_short);
        EXPECT_EQ(record["rest"].is_string(), !is_short);
        EXPECT_FALSE(record.contains("hash"));
        const Scene again = read_text(glb);
        EXPECT_EQ(again.nodes[0].local, local);
        EXPECT_TRUE(Untouched(again)(again.nodes[0]));
        scene.nodes[0].local.translation.x += 1;
        const Scene edited = read_text(written(scene));
        EXPECT_FALSE(Untouched(edited)(edited.nodes[0])) << "it was edited before it was written";
    }
}

TEST(ModellerNodes, HaveNoRestInOtherTexts) {
    for (const char* const text :
         {"", "AAAA", "no base64", "AACAfwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAIA/AACAPw=="}) {
        AssetBuilder builder;
        add_node(builder, {{"name", "lamp"}, {"extras", property("rest", text)}});
        builder.root["nodes"][0]["extras"]["effigy"]["index"] = 1;
        const Scene scene = read_text(builder.glb());
        EXPECT_EQ(scene.nodes[0].local, Transform{}) << text;
        EXPECT_FALSE(Untouched(scene)(scene.nodes[0])) << text;
    }
}

/// A puppet below an object of its own, as Blender writes what had none.
AssetBuilder puppet_below(const json& armature, const char* generator) {
    AssetBuilder builder;
    const std::size_t first = add_puppet(builder, {{"name", "body"}});
    json node = armature;
    node["children"] = builder.root["scenes"][0]["nodes"];
    builder.root["scenes"][0]["nodes"] = json::array();
    add_node(builder, node);
    builder.root["skins"][0]["skeleton"] = builder.root["nodes"].size() - 1;
    builder.root["asset"]["generator"] = generator;
    EXPECT_EQ(first, 0u);
    return builder;
}

constexpr const char* blender = "Khronos glTF Blender I/O v3.4.50";

TEST(ModellerNodes, StandWithoutTheArmatureThatBlenderAdded) {
    const Scene scene = read_text(puppet_below({{"name", "body skin"}}, blender).glb());
    EXPECT_EQ(scene.nodes.size(), 3u);
    EXPECT_FALSE(has(scene, "body skin"));
    for (const char* const root : {"joint0", "body"}) EXPECT_EQ(scene.nodes[named(scene, root)].parent, no_index);
    EXPECT_EQ(scene.nodes[named(scene, "joint1")].parent, named(scene, "joint0"));
    EXPECT_EQ(scene.skins[0].joints, (std::vector<Index>{named(scene, "joint0"), named(scene, "joint1")}));
    EXPECT_EQ(scene.skins[0].skeleton, no_index);
}

/// As Blender's exporter writes skinned objects that are mirrored.
TEST(ModellerMeshes, AreNamedThatAreInsideOut) {
    for (const float side : {1.0f, -1.0f}) {
        AssetBuilder builder;
        builder.root["asset"]["generator"] = blender;
        Shape shape = tube(3, 4);
        for (float& number : shape.normals) number *= side;
        builder.root["meshes"].push_back({{"primitives", json::array({primitive_of(builder, shape)})}});
        add_node(builder, {{"name", "tube"}, {"mesh", 0}});
        EXPECT_EQ(load(builder.glb()).report.count("gltf-inside-out"), side < 0 ? 1U : 0U);
    }
}

TEST(ModellerNodes, AreHiddenAgainWithoutTheArmature) {
    AssetBuilder builder = puppet_below({{"name", "body skin"}}, blender);
    json far = {{"name", "far"}, {"mesh", 0}};
    far["extras"]["effigy"] = {{"hidden", 1}, {"level_of", {{"name", "body"}, {"node", 0}, {"level", 1}}}};
    json hull = {{"name", "hull"}, {"mesh", 0}};
    hull["extras"]["effigy"] = {{"hidden", 1}, {"collision", 1}, {"follows", {{"name", "body"}, {"node", 77}}}};
    json& nodes = builder.root["nodes"];
    const std::size_t armature = nodes.size() - 1;
    for (const json& hidden : {far, hull}) {
        nodes.push_back(hidden);
        nodes[armature]["children"].push_back(nodes.size() - 1);
    }
    const Scene scene = read_text(builder.glb());
    const Index body = named(scene, "body");
    EXPECT_TRUE(scene.nodes[named(scene, "far")].hidden);
    EXPECT_EQ(scene.nodes[body].lods, std::vector<Index>{named(scene, "far")});
    const Node& collision = scene.nodes[named(scene, "hull")];
    EXPECT_TRUE(collision.hidden && collision.collision);
    EXPECT_EQ(collision.follows, body);
}

/// A root of the game's may look like an armature.
TEST(ModellerNodes, StandBelowTheirRootWhereNothingTellsItFromAnArmature) {
    EXPECT_TRUE(has(read_text(puppet_below({{"name", "soldier"}}, blender).glb()), "soldier"));
    EXPECT_FALSE(has(read_text(puppet_below({{"name", "Armature.001"}}, blender).glb()), "Armature.001"));
    AssetBuilder known = puppet_below({{"name", "soldier"}}, blender);
    known.root["nodes"][0]["extras"] = property("index", 1);
    EXPECT_FALSE(has(read_text(known.glb()), "soldier")) << "the game's nodes have records";
}

TEST(ModellerNodes, StandBelowArmaturesThatSaySomething) {
    EXPECT_TRUE(has(read_text(puppet_below({{"name", "a"}}, "another program").glb()), "a"));
    EXPECT_TRUE(has(read_text(puppet_below({{"name", "a"}, {"translation", {0, 1, 0}}}, blender).glb()), "a"));
    EXPECT_TRUE(has(read_text(puppet_below({{"name", "a"}, {"extras", {{"mine", 1}}}}, blender).glb()), "a"));
    EXPECT_TRUE(
        has(read_text(puppet_below({{"name", "a"}, {"extras", property("hidden", true)}}, blender).glb()), "a"));
    AssetBuilder moved = puppet_below({{"name", "a"}}, blender);
    json animation;
    add_channel(moved, animation, 3, "translation", {0, 1}, {0, 0, 0, 0, 1, 0}, "LINEAR");
    moved.root["animations"].push_back(animation);
    EXPECT_TRUE(has(read_text(moved.glb()), "a"));
}

TEST(WriterSkins, MakeBonesOfWhatHangsBelowThem) {
    AssetBuilder builder;
    const std::size_t first = add_puppet(builder, {{"name", "body"}});
    const std::size_t last = first + 1;
    builder.root["nodes"].push_back({{"name", "hat"}, {"translation", {0, 1, 0}}});
    builder.root["nodes"][last]["children"].push_back(builder.root["nodes"].size() - 1);
    const Scene scene = read_text(builder.glb());
    ASSERT_EQ(scene.skins[0].joints.size(), 2u);
    const std::string glb = written(scene);
    const json root = json::parse(json_of(glb));
    EXPECT_EQ(root["skins"][0]["joints"].size(), 3u);
    EXPECT_EQ(root["skins"][0]["joints"][2], named(scene, "hat"));
    EXPECT_EQ(root["skins"][0]["extras"]["effigy"]["joints"], 2);
    const Scene again = read_text(glb);
    EXPECT_EQ(again.skins[0].joints, scene.skins[0].joints);
    EXPECT_EQ(again.skins[0].inverse_bind_matrices, scene.skins[0].inverse_bind_matrices);
    EXPECT_TRUE(written(again) == glb);
}

TEST(WriterSkins, KeepAddedJointsThatVerticesFollow) {
    AssetBuilder builder;
    const std::size_t first = add_puppet(builder, {{"name", "body"}});
    builder.root["nodes"].push_back({{"name", "hat"}});
    builder.root["nodes"][first + 1]["children"].push_back(builder.root["nodes"].size() - 1);
    const std::string glb = written(read_text(builder.glb()));
    AssetBuilder edited;
    edited.root = json::parse(json_of(glb));
    edited.buffer = glb.substr(20 + json_of(glb).size() + 8);
    const json& attributes = edited.root["meshes"][0]["primitives"][0]["attributes"];
    const json& accessor = edited.root["accessors"][attributes["JOINTS_0"].get<std::size_t>()];
    const json& view = edited.root["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    edited.buffer[view["byteOffset"].get<std::size_t>() + accessor.value("byteOffset", std::size_t{0})] = 2;
    EXPECT_EQ(read_text(edited.glb()).skins[0].joints.size(), 3u);
}

// --- levels and collision meshes that only names tell of

/// A box on nodes of these names, each below the node of the second name, if that is not empty and stands before it.
AssetBuilder boxes(const std::vector<std::pair<std::string, std::string>>& names) {
    AssetBuilder builder;
    builder.root["meshes"].push_back({{"name", "box"}, {"primitives", json::array({primitive_of(builder, box())})}});
    for (const auto& [name, above] : names) {
        const std::size_t node = add_node(builder, {{"name", name}, {"mesh", 0}}, above.empty());
        for (json& other : builder.root["nodes"]) {
            if (!above.empty() && other["name"] == above) other["children"].push_back(node);
        }
    }
    return builder;
}

std::vector<std::string> levels_of(const Scene& scene, const std::string& name) {
    std::vector<std::string> levels;
    for (const Index level : scene.nodes[named(scene, name)].lods) {
        EXPECT_TRUE(scene.nodes[level].hidden && scene.nodes[level].parent == no_index);
        levels.push_back(scene.nodes[level].name);
    }
    return levels;
}

using Names = std::vector<std::string>;

TEST(NamedLevels, AreThoseOfTheFinestMesh) {
    for (const std::string mark : {"-lod", "_lod", ".lod", "-LOD"}) {
        const Scene scene =
            read_text(boxes({{"prop" + mark + "2", ""}, {"prop", ""}, {"prop" + mark + "1", ""}}).glb());
        EXPECT_EQ(levels_of(scene, "prop"), (Names{"prop" + mark + "1", "prop" + mark + "2"}));
        EXPECT_FALSE(scene.nodes[named(scene, "prop")].hidden);
    }
    EXPECT_EQ(levels_of(read_text(boxes({{"prop-lod0", ""}, {"prop-lod1", ""}}).glb()), "prop-lod0"),
              Names{"prop-lod1"});
    EXPECT_EQ(levels_of(read_text(boxes({{"prop.mesh", ""}, {"prop-lod1", ""}}).glb()), "prop.mesh"),
              Names{"prop-lod1"});
    const Scene copies =
        read_text(boxes({{"prop", ""}, {"prop.001", ""}, {"prop-lod1", ""}, {"prop-lod1.001", ""}}).glb());
    EXPECT_EQ(levels_of(copies, "prop"), Names{"prop-lod1"});
    EXPECT_EQ(levels_of(copies, "prop.001"), Names{"prop-lod1.001"});
}

TEST(NamedLevels, AreCollisionMeshesToo) {
    for (const std::string name : {"prop-collision", "prop.collision"}) {
        AssetBuilder builder = boxes({{"prop", ""}, {name, "prop"}});
        builder.root["nodes"][0]["translation"] = {0, 2, 0};
        builder.root["nodes"][1]["translation"] = {1, 0, 0};
        const Scene scene = read_text(builder.glb());
        const Node& collision = scene.nodes[1];
        EXPECT_TRUE(collision.hidden && collision.collision);
        EXPECT_EQ(collision.follows, 0u);
        EXPECT_EQ(collision.parent, no_index);
        ASSERT_TRUE(collision.matrix);
        EXPECT_EQ(collision.matrix->m[12], 1) << "it stands in the world";
        EXPECT_EQ(collision.matrix->m[13], 2);
        EXPECT_TRUE(scene.nodes[0].children.empty());
    }
}

TEST(NamedLevels, StandWhereTheyDid) {
    AssetBuilder builder = boxes({{"ship", ""}, {"prop", "ship"}, {"prop-lod1", "ship"}, {"prop-lod2", "prop"}});
    builder.root["nodes"][0]["translation"] = {0, 0, 5};
    builder.root["nodes"][1]["translation"] = {0, 2, 0};
    builder.root["nodes"][2]["translation"] = {0, 3, 0};
    builder.root["nodes"][3]["translation"] = {1, 0, 0};
    const Scene scene = read_text(builder.glb());
    ASSERT_EQ(levels_of(scene, "prop"), (Names{"prop-lod1", "prop-lod2"}));
    EXPECT_EQ(scene.nodes[2].local.translation, (Vec3{0, 3, 0})) << "below what the finest hangs on";
    ASSERT_TRUE(scene.nodes[3].matrix);
    EXPECT_EQ(scene.nodes[3].matrix->m[12], 1);
    EXPECT_EQ(scene.nodes[3].matrix->m[13], 2);
    EXPECT_EQ(scene.nodes[3].matrix->m[14], 0);
}

/// What held nothing else is no part of the model: writers would make something of it.
TEST(NamedLevels, TakeTheirFoldersAlong) {
    AssetBuilder builder = boxes({{"prop", ""}, {"levels", ""}, {"prop-lod1", "levels"}});
    builder.root["nodes"][1].erase("mesh");
    EXPECT_TRUE(read_text(builder.glb()).nodes[1].hidden);
    builder.root["nodes"][1]["extras"] = {{"tags", "mine"}};
    EXPECT_FALSE(read_text(builder.glb()).nodes[1].hidden);
}

TEST(NamedLevels, MayBend) {
    AssetBuilder builder;
    add_puppet(builder, {{"name", "body"}});
    add_node(builder, {{"name", "body.lod1"}, {"mesh", 0}, {"skin", 0}, {"translation", {1, 2, 3}}});
    const Scene scene = read_text(builder.glb());
    EXPECT_EQ(levels_of(scene, "body"), Names{"body.lod1"});
    EXPECT_EQ(scene.nodes[named(scene, "body.lod1")].skin, 0u);
}

TEST(NamedLevels, AreNoneWithoutTheFinestMesh) {
    const std::vector<std::pair<std::string, std::string>> others[] = {
        {{"prop-lod1", ""}, {"prop-lod2", ""}, {"prop-collision", ""}},  // it is not there
        {{"prop", ""}, {"propeller-lod1", ""}, {"prop-lod", ""}, {"prop_collision", ""}, {"proplod1", ""}},
        {{"prop-lod1", ""}, {"prop", "prop-lod1"}, {"prop-collision", ""}, {"other", "prop-collision"}},  // hang there
    };
    for (const auto& names : others) {
        for (const Node& node : read_text(boxes(names).glb()).nodes)
            EXPECT_TRUE(!node.hidden && !node.collision && node.lods.empty()) << node.name;
    }
    const Scene twice = read_text(boxes({{"prop", ""}, {"prop_lod1", ""}, {"prop-lod1", ""}}).glb());
    EXPECT_EQ(levels_of(twice, "prop"), Names{"prop_lod1"}) << "one of each number";
}

/// A game may show what is called so; a copy that somebody made of a game's mesh has its record.
TEST(NamedLevels, AreNotWhatAGameShows) {
    AssetBuilder builder = boxes({{"prop", ""}, {"prop-lod1", ""}, {"prop-collision", ""}});
    for (const std::size_t i : {0u, 1u, 2u}) builder.root["nodes"][i]["extras"] = property("index", i);
    for (const Node& node : read_text(builder.glb()).nodes) EXPECT_FALSE(node.hidden) << node.name;
    builder.root["nodes"][1]["extras"] = property("index", 0);
    EXPECT_EQ(levels_of(read_text(builder.glb()), "prop"), Names{"prop-lod1"});
}

TEST(NamedLevels, ComeBehindThoseThatTheFileStates) {
    AssetBuilder builder = boxes({{"prop", ""}, {"far", ""}, {"prop-lod1", ""}, {"prop-lod2", ""}});
    builder.root["nodes"][0]["extensions"]["MSFT_lod"]["ids"] = {1};
    const Scene scene = read_text(builder.glb());
    EXPECT_EQ(levels_of(scene, "prop"), (Names{"far", "prop-lod2"}));
    EXPECT_EQ(json_of(written(read_text(written(scene)))), json_of(written(scene))) << "and then it states all";
}

}  // namespace
}  // namespace effigy::gltf_test
