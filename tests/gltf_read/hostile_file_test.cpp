/// A rich .glb, damaged in every place.

#include <algorithm>
#include <gtest/gtest.h>

#include "effigy/registry.hpp"

#include "asset_builder.hpp"

namespace effigy::gltf_test {
namespace {

constexpr int u16 = 5123, f32 = 5126;

/// A skinned, morphing, animated triangle with a picture and a sparse accessor.
AssetBuilder rich() {
    AssetBuilder b;
    const auto floats = [&](const std::vector<float>& values, const char* type, std::size_t count) {
        return b.accessor(packed(values), f32, type, count);
    };
    const auto positions = floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    const auto texcoords = floats({0, 0, 1, 0, 0, 1}, "VEC2", 3);
    const auto joints =
        b.accessor(packed(std::vector<std::uint16_t>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}), u16, "VEC4", 3);
    const auto weights = floats({0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 3);
    const auto indices = b.accessor(packed(std::vector<std::uint16_t>{0, 1, 2}), u16, "SCALAR", 3);
    const auto moved_at = b.view(packed(std::vector<std::uint16_t>{1}));
    const auto moved_by = b.view(packed(std::vector<float>{0, 0, 1}));
    const auto target = b.accessor({{"componentType", f32},
                                    {"type", "VEC3"},
                                    {"count", 3},
                                    {"sparse",
                                     {{"count", 1},
                                      {"indices", {{"bufferView", moved_at}, {"componentType", u16}}},
                                      {"values", {{"bufferView", moved_by}}}}}});
    std::vector<float> matrices;
    for (int i = 0; i < 2; ++i) matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    const auto binds = floats(matrices, "MAT4", 2);
    const auto times = floats({0, 1}, "SCALAR", 2);
    const auto turns = floats({0, 0, 0, 1, 0, 1, 0, 0}, "VEC4", 2);
    const auto picture = b.view("\x89PNG\r\n\x1a\n0123");
    b.root["images"] = {{{"bufferView", picture}, {"mimeType", "image/png"}}};
    b.root["textures"] = {{{"source", 0}}};
    b.root["materials"] = {{{"name", "skin"}, {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    const json primitive = {
        {"attributes",
         {{"POSITION", positions}, {"TEXCOORD_0", texcoords}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
        {"indices", indices},
        {"material", 0},
        {"targets", {{{"POSITION", target}}}}};
    b.root["meshes"] = {{{"primitives", {primitive}}, {"extras", {{"targetNames", {"smile"}}}}}};
    b.root["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", binds}}};
    b.root["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"name", "hip"}, {"children", {2}}}, {{"name", "knee"}}};
    b.root["scenes"] = {{{"nodes", {0, 1}}}};
    b.root["scene"] = 0;
    b.root["animations"] = {{{"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
                             {"samplers", {{{"input", times}, {"output", turns}}}}}};
    return b;
}

/// Everything that can be done with a file; what it finds does not matter, only that it ends.
void exercise(const std::string& bytes, bool& is_scene) {
    const auto input = std::as_bytes(std::span(std::string_view(bytes)));
    ReadOptions options;
    options.limits.memory = 16 << 20;
    const auto file = gltf::read(input, options);
    ASSERT_TRUE(file) << to_string(file.error());
    const auto written = gltf::write(file->value);
    ASSERT_TRUE(written);
    ASSERT_EQ(std::string(reinterpret_cast<const char*>(written->data()), written->size()), bytes);
    gltf::SceneOptions scene_options;
    scene_options.limits = options.limits;
    const auto scene = gltf::to_scene(file->value, scene_options);
    is_scene = scene.has_value();
    if (!scene) {
        EXPECT_FALSE(scene.error().code.empty() || scene.error().message.empty());
        return;
    }
    const auto again = gltf::write_glb(scene->value);
    EXPECT_TRUE(again) << to_string(again.error());
}

TEST(Hostile, TheWholeFileIsAScene) {
    bool is_scene = false;
    exercise(rich().glb(), is_scene);
    EXPECT_TRUE(is_scene);
    exercise(rich().gltf(), is_scene);
    EXPECT_TRUE(is_scene);
}

TEST(Hostile, EveryChangedByte) {
    const std::string whole = rich().glb();
    std::size_t scenes = 0;
    for (std::size_t i = 4; i < whole.size(); ++i) {
        for (const char mask : {'\xff', '\x01', '\x08'}) {
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ mask);
            bool is_scene = false;
            exercise(changed, is_scene);
            if (HasFatalFailure()) return;
            scenes += is_scene ? 1 : 0;
        }
    }
    EXPECT_GT(scenes, whole.size() / 10);
}

TEST(Hostile, EveryLength) {
    const std::string whole = rich().glb();
    for (std::size_t size = 4; size < whole.size(); ++size) {
        bool is_scene = false;
        exercise(whole.substr(0, size), is_scene);
        if (HasFatalFailure()) return;
        EXPECT_FALSE(is_scene) << size;
    }
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

/// Every value of the JSON as another one.
TEST(Hostile, EveryValue) {
    const AssetBuilder whole = rich();
    std::size_t scenes = 0;
    for (const json& value : {json(nullptr), json(-1), json(1e300), json(4294967295u), json("text"), json::array(),
                              json::object(), json({0, 0}), json(true)}) {
        std::vector<json> changed;
        replace_each(whole.root, value, json::json_pointer(), changed);
        for (const json& root : changed) {
            bool is_scene = false;
            exercise(AssetBuilder{root, whole.buffer}.glb(), is_scene);
            if (HasFatalFailure()) return;
            scenes += is_scene ? 1 : 0;
        }
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

std::string text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(Registry, DumpsAreBuiltAgain) {
    const std::string glb = rich().glb();
    std::string lying = glb;
    lying[8] = 3;
    for (const std::string& bytes : {glb, lying, glb + "tail", glb.substr(0, 9), rich().gltf()}) {
        const auto opened = open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x");
        ASSERT_TRUE(opened) << to_string(opened.error());
        const auto built = build(opened->value.dump().value());
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(text_of(built->write().value()), bytes);
        EXPECT_TRUE(opened->value.hex_map());
    }
}

TEST(Registry, InfoCounts) {
    const std::string bytes = rich().glb();
    const auto opened = open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x");
    const json info = json::parse(opened->value.info());
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

TEST(Registry, SeveralFilesMakeNoScene) {
    const std::string bytes = rich().glb();
    std::vector<SceneSource> sources;
    for (int i = 0; i < 2; ++i)
        sources.push_back({open_bytes(std::as_bytes(std::span(std::string_view(bytes))), "x")->value, {}, 0, {}});
    const auto scene = to_scene(std::move(sources));
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, "gltf-several");
}

}  // namespace
}  // namespace effigy::gltf_test
