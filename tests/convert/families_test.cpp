/// What is one rule wherever a scene is written: types of numbers, numbers that are none, influences beyond a format's
/// limit, and clips by their own rules, in every format alike.

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "effigy/effigy.hpp"
#include "effigy/image.hpp"
#include "effigy/poser.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/glb.hpp"

namespace effigy::test {
namespace {

struct Written {
    const char* name;
    const char* path;
    bool keeps_types = false;        ///< of numbers: the bytes differ, the meaning does not
    std::size_t max_influences = 0;  ///< 0: all

    friend std::ostream& operator<<(std::ostream& stream, const Written& one) { return stream << one.name; }
};

/// Those that move stand first, those whose joints may do so in any way before the others: avatars only turn theirs.
constexpr std::array<Written, 8> formats_written{{{"Component", "a.xml"},
                                                  {"Xac", "a.xac", false, 4},
                                                  {"X42", "a.x42", false, 4},
                                                  {"Glb", "a.glb", true},
                                                  {"Gltf", "a.gltf", true},
                                                  {"Jar", "a.jar"},
                                                  {"Obj", "a.obj"},
                                                  {"Ply", "a.ply"}}};
constexpr std::size_t moving_formats = 6, lifting_formats = 5;  ///< the first of them has no skins

class Family : public testing::TestWithParam<Written> {};
INSTANTIATE_TEST_SUITE_P(Formats, Family, testing::ValuesIn(formats_written),
                         [](const auto& one) { return std::string(one.param.name); });

class FamilySkins : public testing::TestWithParam<Written> {};
INSTANTIATE_TEST_SUITE_P(Formats, FamilySkins,
                         testing::ValuesIn(formats_written.begin() + 1, formats_written.begin() + lifting_formats),
                         [](const auto& one) { return std::string(one.param.name); });

template <class Stored>
Attribute attribute(Semantic semantic, ElementType element, ComponentType component, bool normalized,
                    std::vector<Stored> values) {
    Attribute result;
    result.semantic = semantic;
    result.data.element = element;
    result.data.component = component;
    result.data.normalized = normalized;
    const auto bytes = std::as_bytes(std::span(values));
    result.data.bytes.assign(bytes.begin(), bytes.end());
    return result;
}

/// A square from (0, 0) to (width, height).
Mesh square(const char* name, float width, float height) {
    Mesh mesh;
    mesh.name = name;
    mesh.vertex_count = 4;
    mesh.attributes.push_back(attribute<float>(Semantic::position, ElementType::vec3, ComponentType::f32, false,
                                               {0, 0, 0, width, 0, 0, width, height, 0, 0, height, 0}));
    mesh.attributes.push_back(attribute<float>(Semantic::normal, ElementType::vec3, ComponentType::f32, false,
                                               {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
    mesh.attributes.push_back(
        attribute<float>(Semantic::texcoord, ElementType::vec2, ComponentType::f32, false, {0, 1, 1, 1, 1, 0, 0, 0}));
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = 4;
    primitive.indices = {0, 1, 2, 0, 2, 3};
    return mesh;
}

/// A body that stands and an arm of its own node on it.
Scene figure() {
    Scene scene;
    scene.name = "figure";
    scene.nodes.resize(2);
    scene.nodes[0].name = "body";
    scene.nodes[1].name = "arm";
    scene.nodes[1].local.translation = {0, 2, 0};
    add_child(scene, 0, 1);
    scene.meshes.push_back(square("torso", 1, 2));
    scene.meshes.push_back(square("sleeve", 3, 0.5f));
    scene.nodes[0].mesh = 0;
    scene.nodes[1].mesh = 1;
    return scene;
}

/// Six joints beside the body, which a clip lifts by 0, 1, 2, ... units; all of the sleeve follows those that are
/// given.
Scene skinned(const std::vector<std::array<std::pair<std::uint8_t, float>, 4>>& sets) {
    Scene scene = figure();
    Skin& skin = scene.skins.emplace_back();
    Clip& clip = scene.clips.emplace_back();
    clip.name = "lift";
    clip.duration = 1;
    for (std::uint32_t joint = 0; joint < 6; ++joint) {
        const auto node = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = "joint" + std::to_string(joint);
        add_child(scene, 0, node);
        skin.joints.push_back(node);
        skin.inverse_bind_matrices.emplace_back();
        Track& track = clip.tracks.emplace_back();
        track.node = node;
        track.times = {0, 1};
        track.values = {0, 0, 0, 0, static_cast<float>(joint), 0};
    }
    scene.nodes[1].skin = 0;
    scene.nodes[1].local.translation = {};
    for (std::uint32_t set = 0; set < sets.size(); ++set) {
        std::vector<std::uint8_t> joints;
        std::vector<float> weights;
        for (int vertex = 0; vertex < 4; ++vertex) {
            for (const auto& [joint, weight] : sets[set]) {
                joints.push_back(joint);
                weights.push_back(weight);
            }
        }
        auto& attributes = scene.meshes[1].attributes;
        attributes.push_back(attribute(Semantic::joints, ElementType::vec4, ComponentType::u8, false, joints));
        attributes.back().set = set;
        attributes.push_back(attribute(Semantic::weights, ElementType::vec4, ComponentType::f32, false, weights));
        attributes.back().set = set;
    }
    return scene;
}

using FileMap = std::map<std::string, Bytes>;

/// Fails the test where nothing is written.
FileMap written(const Scene& scene, const Written& format) {
    const auto files = write_scene_to_memory(scene, format.path);
    EXPECT_TRUE(files) << to_string(files.error());
    FileMap all;
    if (files) {
        for (const NewFile& file : files->value) all[file.name] = file.bytes;
    }
    return all;
}

Scene read(const FileMap& files, const Written& format) {
    ConvertOptions options;
    options.files = {[&](const std::string& name) -> Result<Bytes> {
                         if (const auto found = files.find(name); found != files.end()) return found->second;
                         Diagnostic missing;
                         missing.code = "file-missing";
                         missing.file = name;
                         return fail(std::move(missing));
                     },
                     [&] {
                         std::vector<std::string> names;
                         for (const auto& [name, bytes] : files) names.push_back(name);
                         return names;
                     }};
    std::vector<InputFile> inputs{format.path};
    for (const auto& [name, bytes] : files) {
        if (name.ends_with(".xsm") || name.ends_with(".cas.xml")) inputs.emplace_back(name.c_str());
    }
    auto scene = load_scene(inputs, options);
    EXPECT_TRUE(scene) << to_string(scene.error());
    return scene ? std::move(scene->value) : Scene();
}

/// Sizes of the box around everything that is drawn, at 31 moments of a second. Formats look different ways, so that
/// width and depth may change places.
std::vector<double> sizes(const Scene& scene) {
    std::vector<double> all;
    auto poser = playback::Poser::make(scene);
    EXPECT_TRUE(poser) << to_string(poser.error());
    for (int moment = 0; poser && moment <= 30; ++moment) {
        EXPECT_TRUE(poser->pose(scene.clips.empty() ? no_index : 0, moment / 30.0, false));
        const playback::Bounds bounds = poser->bounds();
        const double width = static_cast<double>(bounds.high.x - bounds.low.x);
        const double depth = static_cast<double>(bounds.high.z - bounds.low.z);
        all.insert(all.end(),
                   {static_cast<double>(bounds.high.y - bounds.low.y), std::max(width, depth), std::min(width, depth)});
    }
    return all;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

// --- types of numbers ---

TEST_P(Family, NumbersMeanTheSameWhateverTheyAreStoredAs) {
    const Scene floats = figure();
    const FileMap expected = written(floats, GetParam());
    const auto expect_same = [&](const char* what, std::size_t place, const Attribute& stored) {
        SCOPED_TRACE(what);
        Scene scene = floats;
        scene.meshes[1].attributes[place] = stored;
        const FileMap files = written(scene, GetParam());
        if (!GetParam().keeps_types) {
            EXPECT_TRUE(files == expected);
            return;
        }
        const Scene back = read(files, GetParam());
        ASSERT_EQ(back.meshes.size(), 2u);
        const FloatView before(&floats.meshes[1].attributes[place]);
        const FloatView after(back.meshes[1], stored.semantic);
        EXPECT_TRUE(std::ranges::equal(before.values(), after.values()));
    };
    expect_same("texture coordinates of 8 bits", 2,
                attribute<std::uint8_t>(Semantic::texcoord, ElementType::vec2, ComponentType::u8, true,
                                        {0, 255, 255, 255, 255, 0, 0, 0}));
    expect_same("texture coordinates of 16 bits", 2,
                attribute<std::uint16_t>(Semantic::texcoord, ElementType::vec2, ComponentType::u16, true,
                                         {0, 65535, 65535, 65535, 65535, 0, 0, 0}));
}

TEST_P(FamilySkins, InfluencesMeanTheSameWhateverTheyAreStoredAs) {
    const Scene floats = skinned({{{{1, 0.0f}, {4, 0.8f}, {2, 0.2f}, {0, 0.0f}}}});
    const auto repeated = [](const auto& one) {
        auto all = one;
        for (int vertex = 1; vertex < 4; ++vertex) all.insert(all.end(), one.begin(), one.end());
        return all;
    };
    Scene integers = floats;
    auto& attributes = integers.meshes[1].attributes;
    attributes[3] = attribute(Semantic::joints, ElementType::vec4, ComponentType::u16, false,
                              repeated(std::vector<std::uint16_t>{1, 4, 2, 0}));
    for (const bool wide : {false, true}) {
        attributes[4] = wide ? attribute(Semantic::weights, ElementType::vec4, ComponentType::u16, true,
                                         repeated(std::vector<std::uint16_t>{0, 52428, 13107, 0}))
                             : attribute(Semantic::weights, ElementType::vec4, ComponentType::u8, true,
                                         repeated(std::vector<std::uint8_t>{0, 204, 51, 0}));
        const FileMap files = written(integers, GetParam());
        if (!GetParam().keeps_types) {
            EXPECT_TRUE(files == written(floats, GetParam()));
        }
        EXPECT_LE(difference(sizes(read(files, GetParam())), sizes(floats)), 0.03);
    }
}

// --- clips ---

class FamilyRules : public testing::TestWithParam<std::tuple<Written, RotationRule>> {};
std::string name_of(const testing::TestParamInfo<std::tuple<Written, RotationRule>>& one) {
    const RotationRule rule = std::get<1>(one.param);
    return std::string(std::get<0>(one.param).name) + (rule == RotationRule::slerp   ? "Slerp"
                                                       : rule == RotationRule::nlerp ? "Nlerp"
                                                                                     : "ByAngle");
}
INSTANTIATE_TEST_SUITE_P(
    Formats, FamilyRules,
    testing::Combine(testing::ValuesIn(formats_written.begin(), formats_written.begin() + moving_formats),
                     testing::Values(RotationRule::slerp, RotationRule::nlerp, RotationRule::by_angle)),
    name_of);

/// From one key to the next the arm turns by 130 degrees, where the rules are up to 5 degrees apart.
TEST_P(FamilyRules, ClipsMoveByTheirOwn) {
    const auto& [format, rule] = GetParam();
    Scene scene = figure();
    Clip& clip = scene.clips.emplace_back();
    clip.name = "turn";
    clip.duration = 1;
    clip.rules.rotation = rule;
    Track& track = clip.tracks.emplace_back();
    track.node = 1;
    track.path = TrackPath::rotation;
    const auto half = static_cast<float>(65 * 3.14159265358979323846 / 180);
    track.times = {0, 1};
    track.values = {0, 0, 0, 1, 0, 0, std::sin(half), std::cos(half)};
    const std::vector<double> expected = sizes(scene);
    for (const RotationRule other : {RotationRule::slerp, RotationRule::nlerp}) {
        if (other == rule || (other == RotationRule::slerp && rule == RotationRule::by_angle)) continue;
        Scene wrong = scene;
        wrong.clips[0].rules.rotation = other;
        const bool differ = !(rule == RotationRule::by_angle && other == RotationRule::nlerp);
        if (differ) {
            EXPECT_GT(difference(sizes(wrong), expected), 0.05);
        }
    }
    const Scene back = read(written(scene, format), format);
    ASSERT_EQ(back.clips.size(), 1u);
    EXPECT_LE(difference(sizes(back), expected), 0.01);
}

// --- influences ---

TEST_P(FamilySkins, TheHeaviestInfluencesStay) {
    // The lightest come first.
    const Scene all =
        skinned({{{{0, 0.05f}, {1, 0.1f}, {2, 0.15f}, {3, 0.2f}}}, {{{4, 0.22f}, {5, 0.28f}, {0, 0}, {0, 0}}}});
    const double kept = 0.15 + 0.2 + 0.22 + 0.28;
    const auto part = [&](double weight) { return static_cast<float>(weight / kept); };
    const Scene four = skinned({{{{2, part(0.15)}, {3, part(0.2)}, {4, part(0.22)}, {5, part(0.28)}}}});
    EXPECT_GT(difference(sizes(all), sizes(four)), 0.3);
    const Scene back = read(written(all, GetParam()), GetParam());
    EXPECT_LE(difference(sizes(back), sizes(GetParam().max_influences == 4 ? four : all)), 0.03);
}

// --- where they are written ---

TEST_P(Family, FilesOnTheDiskAreThoseInMemory) {
    const Scene scene = skinned({{{{0, 0.5f}, {1, 0.5f}, {0, 0}, {0, 0}}}});
    const FileMap memory = written(scene, GetParam());
    const TemporaryFolder folder;
    ASSERT_TRUE(save_scene(scene, OutputFiles(folder.path() / GetParam().path), {}));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (!entry.is_regular_file()) continue;
        const std::string name = entry.path().lexically_relative(folder.path()).generic_string();
        ASSERT_TRUE(memory.contains(name)) << name;
        EXPECT_TRUE(std::ranges::equal(read_bytes(entry.path()), memory.at(name))) << name;
        ++files;
    }
    EXPECT_EQ(files, memory.size());
    // Formats that are written piece by piece make no files for others.
    const auto made = make_files(scene, GetParam().path);
    for (const NewFile& file : made ? made->value : std::vector<NewFile>()) {
        ASSERT_TRUE(memory.contains(file.name)) << file.name;
        EXPECT_EQ(file.bytes, memory.at(file.name)) << file.name;
        EXPECT_FALSE(file.write) << file.name;
    }
    if (!made) EXPECT_EQ(made.error().code, "unknown-format");
}

// --- numbers that are none ---

TEST_P(Family, NothingBecomesNumbersThatAreNone) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN(), endless = std::numeric_limits<float>::infinity();
    const auto spoil = [&](const char* what, const auto& change) {
        SCOPED_TRACE(what);
        Scene scene = skinned({{{{0, 0.5f}, {1, 0.5f}, {0, 0}, {0, 0}}}});
        change(scene);
        const auto files = write_scene_to_memory(scene, GetParam().path);
        if (!files) {
            const std::string code(files.error().code);
            EXPECT_TRUE(code.ends_with("not-finite") || code == "playback-value") << to_string(files.error());
            return;
        }
        FileMap all;
        for (const NewFile& file : files->value) all[file.name] = file.bytes;
        if (find_format(std::filesystem::path(GetParam().path).extension().string())->to_scene == false) return;
        for (const double size : sizes(read(all, GetParam()))) EXPECT_TRUE(std::isfinite(size));
    };
    spoil("a place", [&](Scene& scene) { scene.nodes[1].local.translation.x = none; });
    spoil("a matrix", [&](Scene& scene) { scene.nodes[0].matrix.emplace().m[5] = endless; });
    spoil("a flat matrix", [](Scene& scene) { scene.nodes[0].matrix.emplace().m[5] = 0; });
    spoil("a flat node", [](Scene& scene) { scene.nodes[0].local.scale = {1, 0, 1}; });
    spoil("no rotation", [](Scene& scene) { scene.nodes[0].local.rotation = {0, 0, 0, 0}; });
    spoil("a bind matrix", [&](Scene& scene) { scene.skins[0].inverse_bind_matrices[0].m[0] = none; });
    spoil("a flat bind matrix", [](Scene& scene) { scene.skins[0].inverse_bind_matrices[0].m.fill(0); });
    spoil("a vertex", [&](Scene& scene) { scene.meshes[1].attributes[0].data.as<float>()[4] = none; });
    spoil("a weight", [&](Scene& scene) { scene.meshes[1].attributes.back().data.as<float>()[0] = none; });
    spoil("a key", [&](Scene& scene) { scene.clips[0].tracks[1].values[4] = none; });
}

/// Those of people's own; a record of effigy's that is no object is none of them.
TEST_P(Family, CustomPropertiesAreKeptOrNamed) {
    Scene scene = figure();
    const auto found = [&] {
        std::vector<std::string> all;
        const auto files = write_scene_to_memory(scene, GetParam().path);
        EXPECT_TRUE(files) << to_string(files.error());
        if (!files) return all;
        for (const Diagnostic& one : files->report.diagnostics()) {
            if (one.code == "properties-lost") all.push_back(one.found);
        }
        return all;
    };
    EXPECT_EQ(found(), std::vector<std::string>());
    scene.nodes[1].extras.other = R"({"effigy":5,"mass":3,"value":"1"})";
    scene.meshes[0].extras.other = R"({"artist":"me"})";
    const std::string name = GetParam().name;
    const std::string value = name == "Component" ? "" : ", arm / value";
    const std::string count = name == "Component" ? "2" : "3";
    const bool keeps = name == "Glb" || name == "Gltf";
    const std::vector<std::string> lost{count + ": arm / mass" + value + ", torso / artist"};
    EXPECT_EQ(found(), keeps ? std::vector<std::string>() : lost);
}

/// A picture that could be read with more memory is not damaged.
TEST(Pictures, ThatAreNotWrittenSayWhy) {
    constexpr std::uint32_t side = 1024;
    Scene scene = figure();
    scene.materials.emplace_back().base_color_texture.image = 0;
    scene.meshes[0].primitives[0].material = 0;
    Bytes png = image::encode_png({side, side, Bytes(std::size_t{4} * side * side), false, {}}).value();
    ConversionContext context;
    context.options.set("textures-as", "dds");
    context.limits.memory = 1 << 20;
    for (const bool is_damaged : {false, true}) {
        scene.images = {{"skin", "image/png", png, {}, {}}};
        if (is_damaged) scene.images[0].bytes.resize(100);
        const auto made = make_files(scene, "a.xac", context);
        ASSERT_TRUE(made) << to_string(made.error());
        ASSERT_EQ(made->report.count("image-kind"), 1u);
        for (const Diagnostic& one : made->report.diagnostics()) {
            if (one.code != "image-kind") continue;
            EXPECT_EQ(one.message.find("ends before its last pixel") != std::string::npos, is_damaged) << one.message;
            EXPECT_EQ(one.message.find("--limit-memory") != std::string::npos, !is_damaged) << one.message;
        }
    }
}

}  // namespace
}  // namespace effigy::test
