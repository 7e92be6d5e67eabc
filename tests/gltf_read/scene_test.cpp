/// Nodes, scenes, skins, lights and custom properties of glTF files.

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>

#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/rich_scene.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

/// A file that has nodes only.
AssetBuilder nodes(std::vector<json> list) {
    AssetBuilder builder;
    for (json& node : list) builder.root["nodes"].push_back(std::move(node));
    return builder;
}

json shown_nodes(std::vector<int> numbers) { return {{"nodes", numbers}}; }

std::string failure(const AssetBuilder& builder, const gltf::SceneOptions& options = {}) {
    return code_of(try_to_read(builder.glb(), options));
}

TEST(GltfNodes, HaveTheirTransformsAndChildren) {
    const Scene scene = read_text(nodes({{{"name", "up"}, {"translation", {1, 2, 3}}, {"children", json::array({1})}},
                                         {{"rotation", {0, 0, 1, 0}}, {"scale", {1, 2, 3}}}})
                                      .glb());
    ASSERT_EQ(scene.nodes.size(), 2u);
    EXPECT_EQ(scene.nodes[0].name, "up");
    EXPECT_EQ(scene.nodes[0].local.translation, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.nodes[0].children, std::vector<Index>{1});
    EXPECT_EQ(scene.nodes[1].parent, 0u);
    EXPECT_EQ(scene.nodes[1].local.rotation, (Quat{0, 0, 1, 0}));
    EXPECT_EQ(scene.nodes[1].local.scale, (Vec3{1, 2, 3}));
}

TEST(GltfNodes, TurnMatricesIntoTransformsWhereTheyCan) {
    const json turned = {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1};
    const json sheared = {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const Scene scene = read_text(nodes({{{"matrix", turned}}, {{"matrix", sheared}}}).glb());
    const Node& node = scene.nodes[0];
    ASSERT_FALSE(node.matrix);
    EXPECT_EQ(node.local.translation, (Vec3{5, 6, 7}));
    EXPECT_NEAR(std::abs(node.local.scale.x * node.local.scale.y * node.local.scale.z), 24, 1e-5);
    EXPECT_LT(node.local.scale.x * node.local.scale.y * node.local.scale.z, 0) << "the node is mirrored";
    ASSERT_TRUE(scene.nodes[1].matrix);
    EXPECT_EQ(scene.nodes[1].matrix->m[4], 0.5f);
}

TEST(GltfNodes, MustBeATree) {
    EXPECT_EQ(failure(nodes({{{"children", json::array({1})}}, {{"children", json::array({0})}}})), "gltf-tree");
    EXPECT_EQ(failure(nodes({{{"children", json::array({0})}}})), "gltf-tree");
    EXPECT_EQ(failure(nodes({{{"children", {2}}}, {{"children", {2}}}, {{"name", "torn"}}})), "gltf-tree");
    EXPECT_EQ(failure(nodes({{{"children", {1, 1}}}, {{"name", "twice"}}})), "gltf-tree");
}

TEST(GltfNodes, MustReferToWhatIsThere) {
    EXPECT_EQ(failure(nodes({{{"children", json::array({7})}}})), "gltf-reference");
    EXPECT_EQ(failure(nodes({{{"mesh", 0}}})), "gltf-reference");
    EXPECT_EQ(failure(nodes({{{"mesh", "zero"}}})), "gltf-reference");
    EXPECT_EQ(failure(nodes({{{"mesh", -1}}})), "gltf-reference");
    EXPECT_EQ(failure(nodes({{{"extensions", {{"MSFT_lod", {{"ids", json::array({3})}}}}}}})), "gltf-reference");
}

TEST(GltfNodes, ReportWhatIsOdd) {
    const auto loaded = load(
        nodes({{{"rotation", {0, 0, 2, 0}}}, {{"scale", "large"}}, {{"camera", 0}, {"translation", {1e300, 0, 0}}}})
            .glb());
    EXPECT_EQ(loaded.value.nodes[0].local.rotation, (Quat{0, 0, 1, 0}));
    EXPECT_EQ(loaded.value.nodes[1].local.scale, (Vec3{1, 1, 1}));
    EXPECT_EQ(loaded.report.count("gltf-rotation"), 1u);
    EXPECT_EQ(loaded.report.count("gltf-value"), 1u);
    EXPECT_EQ(loaded.report.count("gltf-camera-lost"), 1u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfScenes, ShowTheDefaultOneAndHideTheRest) {
    AssetBuilder builder = nodes({{{"name", "a"}}, {{"name", "b"}}, {{"name", "loose"}}});
    builder.root["scenes"].push_back(shown_nodes({0}));
    builder.root["scenes"].push_back(shown_nodes({1}));
    builder.root["scenes"][1]["name"] = "second";
    builder.root["scene"] = 1;
    const auto hidden = [&](int wanted) {
        gltf::SceneOptions options;
        options.scene = wanted;
        const auto loaded = load(builder.glb(), options);
        EXPECT_EQ(loaded.report.count("gltf-scenes"), 1u);
        std::vector<bool> flags;
        for (const Node& node : loaded.value.nodes) flags.push_back(node.hidden);
        return flags;
    };
    EXPECT_EQ(hidden(-1), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(hidden(0), (std::vector<bool>{false, true, true}));
    EXPECT_EQ(read_text(builder.glb()).name, "second");
    gltf::SceneOptions missing;
    missing.scene = 2;
    EXPECT_EQ(failure(builder, missing), "gltf-scene-missing");
    builder.root.erase("scene");
    EXPECT_FALSE(read_text(builder.glb()).nodes[0].hidden) << "the first one, where none is the default";
    builder.root.erase("scenes");
    for (const Node& node : read_text(builder.glb()).nodes) EXPECT_FALSE(node.hidden);
}

TEST(GltfScenes, SayWhatIsInNone) {
    AssetBuilder builder = nodes({{{"name", "a"}, {"extensions", {{"MSFT_lod", {{"ids", {1}}}}}}},
                                  {{"name", "far"}},
                                  {{"name", "solid"}, {"extras", {{"effigy", {{"hidden", true}}}}}}});
    builder.root["scenes"].push_back(shown_nodes({0}));
    EXPECT_EQ(load(builder.glb()).report.count("gltf-scenes"), 0u) << "levels and the like are meant to be hidden";
    builder.root["nodes"].push_back({{"name", "loose"}, {"children", {4}}});
    builder.root["nodes"].push_back({{"name", "below"}});
    const auto loaded = load(builder.glb());
    ASSERT_EQ(loaded.report.count("gltf-scenes"), 1u);
    EXPECT_EQ(loaded.report.diagnostics().front().found, "1 node, and what is below");
    EXPECT_TRUE(loaded.value.nodes[3].hidden);
}

TEST(GltfScenes, HaveCustomPropertiesThatTheAssetKeeps) {
    AssetBuilder builder = nodes({{{"name", "a"}}});
    builder.root["scenes"].push_back(shown_nodes({0}));
    builder.root["scenes"][0]["extras"] = {{"author", "scene"}, {"year", 2001}};
    builder.root["asset"]["extras"] = {{"author", "asset"}};
    builder.root["asset"]["extras"]["effigy"] = "no record";
    builder.root["extras"] = {{"pack", "birds"}};
    const auto loaded = load(builder.glb());
    EXPECT_TRUE(loaded.report.empty());
    EXPECT_EQ(json::parse(loaded.value.asset_extras.other),
              (json{{"author", "asset"}, {"effigy", "no record"}, {"year", 2001}, {"pack", "birds"}}));
    builder.root["extras"] = json::array({1, 2});
    EXPECT_EQ(load(builder.glb()).report.count("gltf-extras-lost"), 1u);
}

TEST(GltfLosses, AreMeshesOnNoNodeAndVariantsOfMaterials) {
    AssetBuilder builder = nodes({{{"name", "a"}, {"mesh", 0}}});
    const std::size_t points = builder.accessor(packed<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}), 5126, "VEC3", 3);
    for (const char* const name : {"shown", "spare"}) {
        builder.root["meshes"].push_back(
            {{"name", name}, {"primitives", json::array({{{"attributes", {{"POSITION", points}}}}})}});
    }
    builder.root["extensionsUsed"] = {"KHR_materials_variants"};
    builder.root["extensions"]["KHR_materials_variants"]["variants"] = json::array({{{"name", "red"}}});
    const Report report = load(builder.glb()).report;
    ASSERT_EQ(report.count("gltf-mesh-unused"), 1u);
    ASSERT_EQ(report.count("gltf-variants-lost"), 1u);
    for (const Diagnostic& finding : report.diagnostics())
        EXPECT_EQ(finding.found, finding.code == "gltf-variants-lost" ? "1: red" : "1: spare");
}

TEST(GltfNodes, SayWhereANumberIsTooLargeForAFloat) {
    AssetBuilder builder = nodes({{{"name", "far"}, {"translation", {1e300, 2, 3}}}});
    const auto loaded = load(builder.glb());
    ASSERT_EQ(loaded.report.count("gltf-range"), 1u);
    EXPECT_EQ(loaded.report.diagnostics().front().path, "nodes[0] / translation");
    EXPECT_EQ(loaded.report.diagnostics().front().found, "1e+300");
    EXPECT_EQ(loaded.value.nodes[0].local.translation.x, std::numeric_limits<float>::max());
}

TEST(GltfScenes, HideLevelsOfDetail) {
    AssetBuilder builder = nodes({{{"name", "near"}, {"extensions", {{"MSFT_lod", {{"ids", {1, 2}}}}}}},
                                  {{"name", "far"}},
                                  {{"name", "farther"}}});
    const Scene scene = read_text(builder.glb());
    EXPECT_EQ(scene.nodes[0].lods, (std::vector<Index>{1, 2}));
    EXPECT_FALSE(scene.nodes[0].hidden);
    EXPECT_TRUE(scene.nodes[1].hidden);
    EXPECT_TRUE(scene.nodes[2].hidden);
}

TEST(GltfScenes, KeepWhatHiddenNodesAreFor) {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[0].name = "hull";
    for (Index i = 1; i < 3; ++i) {
        scene.nodes[i].hidden = true;
        scene.nodes[i].follows = 0;
    }
    scene.nodes[1].collision = true;
    scene.nodes[2].extras.json = R"({"kind":"collision","part":"hull"})";
    scene.nodes[2].collision = true;
    const std::string once = written(scene);
    const Scene again = read_text(once);
    for (Index i = 1; i < 3; ++i) {
        EXPECT_TRUE(again.nodes[i].hidden);
        EXPECT_TRUE(again.nodes[i].collision);
        EXPECT_EQ(again.nodes[i].follows, 0u);
        EXPECT_TRUE(Untouched(again)(again.nodes[i]));
    }
    EXPECT_EQ(again.nodes[2].extras.json, scene.nodes[2].extras.json);
    EXPECT_TRUE(written(again) == once);
}

TEST(GltfScenes, FollowByNameWhereNumbersHaveChanged) {
    AssetBuilder builder = nodes({{{"name", "new"}},
                                  {{"name", "hull"}},
                                  {{"extras", {{"effigy", {{"follows", {{"name", "hull"}, {"node", 0}}}}}}}}});
    builder.root["scenes"].push_back(shown_nodes({0, 1}));
    EXPECT_EQ(read_text(builder.glb()).nodes[2].follows, 1u);
}

/// Two ships, each with a hull, its coarser level and its collision mesh.
Scene two_ships() {
    Scene scene;
    const auto add = [&](const char* name, Index parent) {
        Node& node = scene.nodes.emplace_back();
        node.name = name;
        node.parent = parent;
        const auto index = static_cast<Index>(scene.nodes.size() - 1);
        if (parent != no_index) scene.nodes[parent].children.push_back(index);
        return index;
    };
    for (const char* name : {"first", "second"}) {
        const Index hull = add("hull", add(name, no_index));
        for (const char* other : {"shape", "far"}) scene.nodes[add(other, no_index)].hidden = true;
        scene.nodes[hull + 1].follows = hull;
        scene.nodes[hull].lods = {hull + 2};
    }
    return scene;
}

/// Programs number nodes anew, show all of them, drop levels, and some make names unique in an order of their own.
TEST(GltfScenes, FollowByPlaceWhereSeveralHaveTheName) {
    for (const bool is_unique : {false, true}) {
        AssetBuilder builder;
        builder.root = json::parse(json_of(written(two_ships())));
        json& list = builder.root["nodes"];
        ASSERT_EQ(list.size(), 8u);
        std::reverse(list.begin(), list.end());
        for (json& node : list) {
            node.erase("extensions");
            if (!node.contains("children")) continue;
            for (json& child : node["children"]) child = 7 - child.get<int>();
        }
        builder.root["scenes"] = json::array({shown_nodes({0, 1, 3, 4, 5, 7})});
        // far, shape, hull and ship of the second, then those of the first
        if (is_unique) {
            for (const std::size_t number : {0u, 1u, 6u})
                list[number]["name"] = list[number]["name"].get<std::string>() + ".001";
        }
        const Scene scene = read_text(builder.glb());
        for (const Index hull : {2u, 6u}) {
            ASSERT_TRUE(scene.nodes[hull].name.starts_with("hull"));
            EXPECT_EQ(scene.nodes[hull - 1].follows, hull) << is_unique;
            EXPECT_EQ(scene.nodes[hull].lods, std::vector<Index>{hull - 2}) << is_unique;
        }
    }
}

TEST(GltfExtras, AreSplit) {
    AssetBuilder builder = nodes({{{"extras",
                                    {{"effigy", {{"flags", 3}, {"hash", "xxh3:0000000000000000"}}},
                                     {"note", "hello"},
                                     {"MSFT_screencoverage", {0.5}}}}}});
    builder.root["asset"]["extras"] = {{"effigy", {{"version", 1}}}, {"author", "x"}};
    const Scene scene = read_text(builder.glb());
    EXPECT_EQ(scene.nodes[0].extras.json, R"({"flags":3})");
    EXPECT_EQ(scene.nodes[0].extras.other, R"({"note":"hello"})");
    EXPECT_FALSE(Untouched(scene)(scene.nodes[0])) << "the hash is of something else";
    EXPECT_EQ(scene.asset_extras.json, R"({"version":1})");
    EXPECT_EQ(scene.asset_extras.other, R"({"author":"x"})");
}

TEST(GltfExtras, OfAllObjectsAreWrittenAgain) {
    Scene scene = test::rich_scene();
    const auto set = [](auto& objects) {
        for (auto& object : objects) object.extras.other = R"({"a":1,"b":{"c":[1.5,"x"]}})";
    };
    set(scene.nodes);
    set(scene.meshes);
    set(scene.skins);
    set(scene.materials);
    set(scene.lights);
    set(scene.clips);
    scene.asset_extras.other = R"({"z":null})";
    const std::string once = written(scene);
    const Scene again = read_text(once);
    const auto expect = [](const auto& objects) {
        for (const auto& object : objects) {
            EXPECT_EQ(object.extras.other, R"({"a":1,"b":{"c":[1.5,"x"]}})") << object.name;
        }
    };
    expect(again.nodes);
    expect(again.meshes);
    expect(again.skins);
    expect(again.materials);
    expect(again.lights);
    expect(again.clips);
    EXPECT_EQ(again.asset_extras.other, R"({"z":null})");
    EXPECT_TRUE(written(again) == once);
}

TEST(GltfExtras, ThatAreNoObjectAreReported) {
    const auto loaded = load(nodes({{{"extras", "text"}}, {{"extras", {{"effigy", 5}}}}}).glb());
    EXPECT_EQ(loaded.report.count("gltf-extras-lost"), 1u);
    EXPECT_EQ(loaded.value.nodes[1].extras.other, R"({"effigy":5})");
    EXPECT_EQ(loaded.value.nodes[1].extras.json, "");
}

/// The rich scene as JSON, edited and read.
template <class Edit>
Scene edited(Edit edit) {
    const std::string glb = written(test::rich_scene());
    AssetBuilder builder;
    builder.root = json::parse(json_of(glb));
    const std::string text = json_of(glb);
    builder.buffer = glb.substr(20 + text.size() + 8);
    edit(builder.root, builder.buffer);
    return read_text(builder.glb());
}

template <class List>
bool first_is_untouched(const Scene& scene, List list) {
    return Untouched(scene)((scene.*list).at(0));
}

TEST(GltfHashes, TellWhatHasBeenEdited) {
    const auto nothing = [](json&, std::string&) {};
    ASSERT_TRUE(first_is_untouched(edited(nothing), &Scene::nodes));
    EXPECT_FALSE(first_is_untouched(edited([](json& root, std::string&) { root["nodes"][0]["translation"][0] = 0.2; }),
                                    &Scene::nodes));
    EXPECT_TRUE(first_is_untouched(edited([](json& root, std::string&) { root["nodes"][0]["name"] = "renamed"; }),
                                   &Scene::nodes));
    const auto material = edited([](json& root, std::string&) { root["materials"][0]["doubleSided"] = true; });
    EXPECT_FALSE(first_is_untouched(material, &Scene::materials));
    const auto light = edited(
        [](json& root, std::string&) { root["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = 4; });
    EXPECT_FALSE(first_is_untouched(light, &Scene::lights));
    // Each byte of the buffer belongs to something.
    const auto touch = [](const char* array, std::size_t number, const char* first, const char* second) {
        return edited([&](json& root, std::string& buffer) {
            const json& object = root[array][number];
            const std::size_t accessor = *first == 'i' ? object[first].get<std::size_t>()
                                         : object.contains(first)
                                             ? object[first][0][second].is_object()
                                                   ? object[first][0][second]["POSITION"].get<std::size_t>()
                                                   : object[first][0][second].get<std::size_t>()
                                             : 0;
            const json& view = root["bufferViews"][root["accessors"][accessor]["bufferView"].get<std::size_t>()];
            buffer[view["byteOffset"].get<std::size_t>() + root["accessors"][accessor].value("byteOffset", 0u)] ^= 1;
        });
    };
    EXPECT_FALSE(first_is_untouched(touch("meshes", 0, "primitives", "attributes"), &Scene::meshes));
    EXPECT_FALSE(first_is_untouched(touch("meshes", 0, "primitives", "indices"), &Scene::meshes));
    EXPECT_FALSE(first_is_untouched(touch("skins", 0, "inverseBindMatrices", ""), &Scene::skins));
    EXPECT_FALSE(first_is_untouched(touch("animations", 0, "samplers", "output"), &Scene::clips));
    const auto steps =
        edited([](json& root, std::string&) { root["animations"][0]["samplers"][0]["interpolation"] = "STEP"; });
    EXPECT_FALSE(first_is_untouched(steps, &Scene::clips));
}

TEST(GltfSkins, MayLackMatricesAndNameJointsTwice) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, tube(3, 4));
    add_influences(builder, primitive, tube(3, 4), 2);
    builder.root["meshes"].push_back({{"primitives", json::array({primitive})}});
    add_node(builder, {{"name", "bone"}});
    add_node(builder, {{"mesh", 0}, {"skin", 0}});
    builder.root["skins"].push_back({{"joints", {0, 0}}});
    const auto loaded = load(builder.glb());
    const Skin& skin = loaded.value.skins[0];
    EXPECT_EQ(skin.inverse_bind_matrices, std::vector<Mat4>(2));
    ASSERT_EQ(skin.joints.size(), 2u);
    EXPECT_EQ(loaded.value.nodes[skin.joints[1]].parent, skin.joints[0]);
    EXPECT_EQ(loaded.value.nodes[skin.joints[1]].local, Transform{});
    EXPECT_EQ(loaded.report.count("gltf-joint-twice"), 1u);
    EXPECT_FALSE(written(loaded.value).empty());
    builder.root["skins"][0]["joints"] = json::array();
    EXPECT_EQ(failure(builder), "gltf-skin");
    builder.root["skins"][0]["joints"] = json::array({0});
    EXPECT_EQ(failure(builder), "gltf-joint-range");
}

TEST(GltfSkins, HaveWeightsThatAddUpToOne) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, tube(3, 4));
    add_influences(builder, primitive, tube(3, 4), 2);
    const json& accessor = builder.root["accessors"][primitive["attributes"]["WEIGHTS_0"].get<std::size_t>()];
    const json& view = builder.root["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::array<float, 8> weights{0.1f, 0.1f, 0, 0, 0.75f, 0.25f, 0, 0};
    std::memcpy(&builder.buffer[view["byteOffset"].get<std::size_t>()], weights.data(), sizeof weights);
    builder.root["meshes"].push_back({{"primitives", json::array({primitive})}});
    add_chain(builder, 2);
    add_node(builder, {{"mesh", 0}, {"skin", 0}});
    const auto loaded = load(builder.glb());
    EXPECT_EQ(loaded.report.count("gltf-weights"), 1u);
    const FloatView read(loaded.value.meshes[0], Semantic::weights, 0);
    EXPECT_FLOAT_EQ(read[0][0], 0.5f);
    EXPECT_FLOAT_EQ(read[0][1], 0.5f);
    EXPECT_EQ(read[1][0], 0.75f);
}

TEST(GltfMeshes, MembersOfAnotherKindAreSaid) {
    AssetBuilder builder;
    json primitive = primitive_of(builder, tube(3, 4));
    builder.root["materials"].push_back({{"pbrMetallicRoughness", json::array()}, {"normalTexture", 1}});
    primitive["material"] = 0;
    builder.root["meshes"].push_back({{"primitives", json::array({primitive})}, {"weights", "none"}});
    builder.root["meshes"].push_back({{"primitives", primitive}});
    add_node(builder, {{"mesh", 0}, {"children", {{"of", 1}}}});
    const auto loaded = load(builder.glb());
    EXPECT_EQ(loaded.report.count("gltf-value"), 5u);
    EXPECT_EQ(loaded.value.meshes[0].primitives.size(), 1u);
}

TEST(GltfLights, AreRead) {
    AssetBuilder builder = nodes({{{"extensions", {{"KHR_lights_punctual", {{"light", 1}}}}}}});
    json& lights = builder.root["extensions"]["KHR_lights_punctual"]["lights"];
    lights.push_back({{"type", "directional"}, {"intensity", 3}});
    lights.push_back({{"type", "spot"},
                      {"name", "torch"},
                      {"color", {1, 0.5, 0}},
                      {"range", 7},
                      {"spot", {{"innerConeAngle", 0.1}, {"outerConeAngle", 0.2}}}});
    lights.push_back({{"type", "spot"}, {"spot", {{"innerConeAngle", 2}, {"outerConeAngle", 3}}}});
    lights.push_back({{"type", "area"}, {"intensity", -2}});
    const auto loaded = load(builder.glb());
    ASSERT_EQ(loaded.value.lights.size(), 4u);
    const Light& torch = loaded.value.lights[1];
    EXPECT_EQ(loaded.value.nodes[0].light, 1u);
    EXPECT_EQ(torch.kind, LightKind::spot);
    EXPECT_EQ(torch.color, (Vec3{1, 0.5f, 0}));
    EXPECT_EQ(torch.range, 7);
    EXPECT_EQ(torch.inner_cone, 0.1f);
    EXPECT_EQ(loaded.report.count("gltf-range"), 1u);
    EXPECT_EQ(loaded.report.count("gltf-value"), 1u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfWeights, OfNodesMakeCopiesOnlyWhereTheyDiffer) {
    AssetBuilder builder;
    const std::size_t positions = add_positions(builder, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    json primitive = {{"attributes", {{"POSITION", positions}}}};
    primitive["targets"].push_back({{"POSITION", add_positions(builder, {0, 0, 1, 0, 0, 1, 0, 0, 0})}});
    builder.root["meshes"].push_back({{"primitives", json::array({primitive})}});
    const json zero = {{"mesh", 0}, {"weights", json::array({0})}}, plain = {{"mesh", 0}};
    const json moved = {{"mesh", 0}, {"weights", json::array({0.5})}};
    for (const json& node : {zero, plain, moved, moved}) add_node(builder, node);
    const Scene scene = read_text(builder.glb());
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.nodes[1].mesh, 0u);
    EXPECT_EQ(scene.nodes[0].mesh, 0u);
    EXPECT_EQ(scene.nodes[2].mesh, 1u);
    EXPECT_EQ(scene.nodes[3].mesh, 1u);
    EXPECT_EQ(scene.meshes[1].weights, std::vector<float>{0.5f});
}

TEST(GltfMemory, IsLimited) {
    gltf::SceneOptions options;
    options.limits.memory = 20000;
    EXPECT_EQ(code_of(try_to_read(gltf_model("fox"), options)), "limit-memory");
}

}  // namespace
}  // namespace effigy::gltf_test
