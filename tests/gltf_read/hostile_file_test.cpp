/// A rich .glb, damaged in every place.

#include <algorithm>
#include <gtest/gtest.h>

#include "effigy/registry.hpp"
#include "effigy/validate.hpp"

#include "contents.hpp"
#include "gltf_read/rich_asset.hpp"
#include "hostile/samples.hpp"

namespace effigy::gltf_test {
namespace {

AssetBuilder rich() { return rich_asset(); }

/// Everything that can be done with a file; whether it is a scene.
void exercise(const std::string& bytes, bool& is_scene, bool dump = true) {
    harness::Demands demands = harness::demands_of(bytes.starts_with("glTF") ? "glb" : "gltf");
    demands.dump = dump;
    const harness::Outcome outcome = harness::exercise(std::as_bytes(std::span(std::string_view(bytes))), demands);
    ASSERT_TRUE(outcome.read);
    ASSERT_EQ(outcome.fault, "");
    is_scene = outcome.scene;
}

TEST(Hostile, TheWholeFileIsAScene) {
    bool is_scene = false;
    exercise(rich().glb(), is_scene);
    EXPECT_TRUE(is_scene);
    exercise(rich().gltf(), is_scene);
    EXPECT_TRUE(is_scene);
}

void replace_each(const json& root, const json& value, const json::json_pointer& at, std::vector<json>& all) {
    const json& here = root[at];
    if (!at.empty()) {
        all.push_back(root);
        all.back()[at] = value;
    }
    if (here.is_object()) {
        for (const auto& [name, child] : here.items()) replace_each(root, value, at / name, all);
    } else if (here.is_array()) {
        for (std::size_t i = 0; i < std::min<std::size_t>(here.size(), 4); ++i) replace_each(root, value, at / i, all);
    }
}

/// Every value of the JSON as another one. A dump has the JSON as one text, so that each value is dumped as one other.
TEST(Hostile, EveryValue) {
    const AssetBuilder whole = rich();
    std::size_t scenes = 0, number = 0;
    for (const json& value : {json(nullptr), json(-1), json(1e300), json(4294967295u), json("text"), json::array(),
                              json::object(), json({0, 0}), json(true)}) {
        std::vector<json> changed;
        replace_each(whole.root, value, json::json_pointer(), changed);
        for (std::size_t place = 0; place < changed.size(); ++place) {
            bool is_scene = false;
            exercise(AssetBuilder{changed[place], whole.buffer}.glb(), is_scene, place % 9 == number);
            if (HasFatalFailure()) return;
            scenes += is_scene ? 1 : 0;
        }
        ++number;
    }
    EXPECT_GT(scenes, 10u);
}

// Through the registry

TEST(Registry, BothFormsAreRecognised) {
    const auto recognized = [](std::string_view text, std::string_view name) -> std::string {
        const Recognition recognition = recognize(std::as_bytes(std::span(text)), name);
        return recognition.format == nullptr ? "" : std::string(recognition.format->id);
    };
    EXPECT_EQ(recognized(rich().glb(), "x"), "glb");
    EXPECT_EQ(recognized("glTF", "x.xac"), "glb");
    EXPECT_EQ(recognized(rich().gltf(), "x"), "gltf");
    EXPECT_EQ(recognized("\xef\xbb\xbf \n{}", "x.GLTF"), "gltf");
    EXPECT_EQ(recognized(R"({"asset":{"version":"2.0"},"scenes":[]})", "x.json"), "gltf");
    EXPECT_EQ(recognized(R"({"asset":"a house"})", "x.json"), "");
    EXPECT_EQ(recognized(R"({"effigy_dump":1,"asset":{},"nodes":[]})", "x.json"), "");
    EXPECT_EQ(recognized("[]", "x.gltf"), "");
    EXPECT_EQ(recognized(R"({"frames":[{"id4cc":"asset"}],"signIndex":0})", "hello.cas.json"), "cas");
}

TEST(Registry, DumpsAreBuiltAgain) {
    const std::string glb = rich().glb();
    std::string lying = glb;
    lying[8] = 3;
    for (const std::string& bytes : {glb, lying, glb + "tail", glb.substr(0, 9), rich().gltf()}) {
        const auto opened = open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x");
        ASSERT_TRUE(opened) << to_string(opened.error());
        const auto built = build(opened->value.dump().value());
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(test::text_of(built->write().value()), bytes);
        EXPECT_TRUE(opened->value.hex_map());
    }
}

TEST(Registry, InfoCounts) {
    const std::string bytes = rich().glb();
    const auto opened = open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x");
    const json info = json::parse(*opened->value.info());
    EXPECT_EQ(info["format"], "glb");
    EXPECT_EQ(info["size"], bytes.size());
    const json expected = {{"nodes", 3},     {"meshes", 1}, {"primitives", 1}, {"vertices", 3},
                           {"triangles", 1}, {"skins", 1},  {"joints", 2},     {"materials", 1},
                           {"images", 1},    {"lights", 0}, {"animations", 1}};
    EXPECT_EQ(info["counts"], expected);
    EXPECT_EQ(info["meshes"][0]["morph_targets"], 1);
    EXPECT_EQ(info["scenes"][0]["default"], true);
}

TEST(Registry, CheckSaysWhatIsWrong) {
    const auto codes = [](const AssetBuilder& builder) {
        const std::string bytes = builder.glb();
        const auto opened = open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x");
        std::vector<std::string> all;
        const Report report = opened->value.check();
        for (const Diagnostic& finding : report.diagnostics()) {
            if (finding.severity != Severity::info) all.push_back(finding.code);
        }
        return all;
    };
    EXPECT_EQ(codes(rich()), std::vector<std::string>());
    AssetBuilder broken = rich();
    broken.root["accessors"][0]["count"] = 1000;
    EXPECT_EQ(codes(broken), std::vector<std::string>{"gltf-accessor"});
}

Scene scene_of_copies(int count) {
    const std::string bytes = rich().glb();
    std::vector<SceneSource> sources;
    for (int i = 0; i < count; ++i)
        sources.push_back(
            {std::move(open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x")->value), "x.glb", 0, {}});
    auto scene = to_scene(std::move(sources));
    EXPECT_TRUE(scene);
    return scene ? std::move(scene->value) : Scene();
}

TEST(Registry, SeveralFilesMakeOneScene) {
    const Scene one = scene_of_copies(1), two = scene_of_copies(2);
    EXPECT_EQ(two.nodes.size(), 2 * one.nodes.size());
    EXPECT_EQ(two.clips.size(), 2 * one.clips.size());
    EXPECT_EQ(two.images.size(), one.images.size());
    EXPECT_TRUE(validate(two).empty());
}

}  // namespace
}  // namespace effigy::gltf_test
