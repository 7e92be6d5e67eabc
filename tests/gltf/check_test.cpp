/// What may not be in a scene, and how it is reported.

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/validate.hpp"

#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

struct Damage {
    const char* name;
    const char* code;
    const char* path;  // where the diagnostic must point
    std::function<void(Scene&)> apply;
};

void PrintTo(const Damage& damage, std::ostream* stream) { *stream << damage.name; }

Mesh& body(Scene& scene) { return scene.meshes[rich::body_mesh]; }
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

const Damage damages[] = {
    {"parent", "scene-invalid", "nodes[5]", [](Scene& s) { s.nodes[5].parent = 99; }},
    {"child", "scene-invalid", "nodes[0]", [](Scene& s) { s.nodes[0].children.push_back(99); }},
    {"foreign_child", "scene-invalid", "nodes[5]", [](Scene& s) { s.nodes[5].children.push_back(1); }},
    {"child_twice", "scene-invalid", "nodes[1]", [](Scene& s) { s.nodes[0].children.push_back(1); }},
    {"unlisted_child", "scene-invalid", "nodes[1]", [](Scene& s) { s.nodes[0].children.clear(); }},
    {"cycle", "scene-invalid", "nodes[0]",
     [](Scene& s) {
         s.nodes[0].parent = 2;
         s.nodes[2].children = {0};
     }},
    {"own_parent", "scene-invalid", "nodes[5]",
     [](Scene& s) {
         s.nodes[5].parent = 5;
         s.nodes[5].children = {5};
     }},
    {"mesh", "scene-invalid", "nodes[5]", [](Scene& s) { s.nodes[5].mesh = 99; }},
    {"skin", "scene-invalid", "nodes[3]", [](Scene& s) { s.nodes[3].skin = 99; }},
    {"skin_without_mesh", "scene-invalid", "nodes[0]", [](Scene& s) { s.nodes[0].skin = 0; }},
    {"lod", "scene-invalid", "nodes[4]", [](Scene& s) { s.nodes[4].lods.push_back(99); }},
    {"own_lod", "scene-invalid", "nodes[4]", [](Scene& s) { s.nodes[4].lods.push_back(4); }},
    {"lods_in_a_circle", "scene-invalid", "nodes[4]",
     [](Scene& s) { s.nodes[rich::lod_node].lods.push_back(rich::static_node); }},
    {"matrix", "scene-invalid", "nodes[4]", [](Scene& s) { s.nodes[4].matrix->m[15] = 2; }},
    {"matrix_nan", "scene-not-finite", "nodes[4]", [](Scene& s) { s.nodes[4].matrix->m[5] = nan; }},
    {"translation_nan", "scene-not-finite", "nodes[2]", [](Scene& s) { s.nodes[2].local.translation.y = nan; }},
    {"light", "scene-invalid", "nodes[1]", [](Scene& s) { s.nodes[1].light = 3; }},
    {"light_nan", "scene-not-finite", "lights[0]", [](Scene& s) { s.lights[0].range = nan; }},
    {"light_color", "scene-invalid", "lights[0]", [](Scene& s) { s.lights[0].color.x = 1.5f; }},
    {"light_intensity", "scene-invalid", "lights[2]", [](Scene& s) { s.lights[2].intensity = -1; }},
    {"light_cone", "scene-invalid", "lights[1]", [](Scene& s) { s.lights[1].inner_cone = 0.5f; }},
    {"light_wide", "scene-invalid", "lights[1]", [](Scene& s) { s.lights[1].outer_cone = 2; }},
    {"joints_empty", "scene-invalid", "skins[0]",
     [](Scene& s) {
         s.skins[0].joints.clear();
         s.skins[0].inverse_bind_matrices.clear();
     }},
    {"joint_matrices", "scene-invalid", "skins[0]", [](Scene& s) { s.skins[0].inverse_bind_matrices.pop_back(); }},
    {"joint", "scene-invalid", "skins[0]", [](Scene& s) { s.skins[0].joints[1] = 99; }},
    {"joint_twice", "scene-invalid", "skins[0]", [](Scene& s) { s.skins[0].joints[1] = 0; }},
    {"skeleton", "scene-invalid", "skins[0]", [](Scene& s) { s.skins[0].skeleton = 99; }},
    {"bind_nan", "scene-not-finite", "skins[0]", [](Scene& s) { s.skins[0].inverse_bind_matrices[0].m[0] = infinity; }},
    {"image", "scene-invalid", "materials[1] / baseColorTexture",
     [](Scene& s) { s.materials[1].base_color_texture.image = 99; }},
    {"wrap", "scene-invalid", "materials[1] / baseColorTexture",
     [](Scene& s) { s.materials[1].base_color_texture.wrap_u = static_cast<Wrap>(5); }},
    {"mime", "scene-invalid", "images[0]", [](Scene& s) { s.images[0].mime_type = "image/tga"; }},
    {"colour_range", "scene-invalid", "materials[1]", [](Scene& s) { s.materials[1].base_color.g = 1.5f; }},
    {"colour_nan", "scene-not-finite", "materials[1]", [](Scene& s) { s.materials[1].base_color.g = nan; }},
    {"emissive", "scene-invalid", "materials[1]", [](Scene& s) { s.materials[1].emissive.x = -1; }},
    {"scale_nan", "scene-not-finite", "materials[0] / normalTexture",
     [](Scene& s) { s.materials[0].normal_texture.strength = nan; }},
    {"vertex_count", "scene-invalid", "meshes[1] / attributes[0]", [](Scene& s) { body(s).vertex_count += 1; }},
    {"attribute_bytes", "scene-invalid", "meshes[1] / attributes[3]",
     [](Scene& s) { body(s).attributes[3].data.bytes.pop_back(); }},
    {"no_positions", "scene-invalid", "meshes[1]",
     [](Scene& s) { body(s).attributes.erase(body(s).attributes.begin()); }},
    {"attribute_twice", "scene-invalid", "meshes[1] / attributes[3]",
     [](Scene& s) { body(s).attributes[3] = body(s).attributes[2]; }},
    {"set_gap", "scene-invalid", "meshes[1] / attributes[4]", [](Scene& s) { body(s).attributes[4].set = 2; }},
    {"attribute_type", "scene-invalid", "meshes[1] / attributes[1]",
     [](Scene& s) { body(s).attributes[1].data.component = ComponentType::u32; }},
    {"unknown_type", "scene-invalid", "meshes[1] / attributes[12]",
     [](Scene& s) { body(s).attributes[12].data.component = static_cast<ComponentType>(7); }},
    {"unknown_semantic", "scene-invalid", "meshes[1] / attributes[1]",
     [](Scene& s) { body(s).attributes[1].semantic = static_cast<Semantic>(77); }},
    {"custom_name", "scene-invalid", "meshes[1] / attributes[11]",
     [](Scene& s) { body(s).attributes[11].custom_name = "TANGENT_1"; }},
    {"joints_without_weights", "scene-invalid", "meshes[1]",
     [](Scene& s) { body(s).attributes.erase(body(s).attributes.begin() + 10); }},
    {"joint_of_no_skin", "scene-invalid", "meshes[1] / JOINTS_1[2]",
     [](Scene& s) { body(s).attributes[9].data.as<std::uint16_t>()[8] = 3; }},
    {"range", "scene-invalid", "meshes[1] / primitives[1]", [](Scene& s) { body(s).primitives[1].vertex_count += 1; }},
    {"range_wraps", "scene-invalid", "meshes[1] / primitives[1]",
     [](Scene& s) { body(s).primitives[1].first_vertex = 0xfffffff0u; }},
    {"no_triangles", "scene-invalid", "meshes[1] / primitives[0] / indices",
     [](Scene& s) { body(s).primitives[0].indices.pop_back(); }},
    {"no_lines", "scene-invalid", "meshes[1] / primitives[0] / indices",
     [](Scene& s) {
         body(s).primitives[0].topology = Topology::lines;
         body(s).primitives[0].indices.resize(3);
     }},
    {"no_topology", "scene-invalid", "meshes[1] / primitives[0] / indices",
     [](Scene& s) { body(s).primitives[0].topology = static_cast<Topology>(2); }},
    {"index", "scene-invalid", "meshes[1] / primitives[1] / indices[5]",
     [](Scene& s) { body(s).primitives[1].indices[5] = rich::second_vertices; }},
    {"material", "scene-invalid", "meshes[1] / primitives[1] / material",
     [](Scene& s) { body(s).primitives[1].material = 99; }},
    {"texcoord", "scene-invalid", "meshes[1] / primitives[0] / material / normalTexture",
     [](Scene& s) { s.materials[0].normal_texture.texcoord = 2; }},
    {"position_nan", "scene-not-finite", "meshes[1] / attributes[0]",
     [](Scene& s) { body(s).attributes[0].data.as<float>()[190] = nan; }},
    {"uv_infinite", "scene-not-finite", "meshes[1] / attributes[3]",
     [](Scene& s) { body(s).attributes[3].data.as<float>()[1] = -infinity; }},
    {"target_lengths", "scene-invalid", "meshes[1] / targets[0]",
     [](Scene& s) { body(s).targets[0].positions.pop_back(); }},
    {"target_order", "scene-invalid", "meshes[1] / targets[0]", [](Scene& s) { body(s).targets[0].indices[3] = 0; }},
    {"target_twice", "scene-invalid", "meshes[1] / targets[0]",
     [](Scene& s) { body(s).targets[0].indices[3] = body(s).targets[0].indices[2]; }},
    {"target_range", "scene-invalid", "meshes[1] / targets[0]",
     [](Scene& s) { body(s).targets[0].indices.back() = 64; }},
    {"target_nan", "scene-not-finite", "meshes[1] / targets[0]",
     [](Scene& s) { body(s).targets[0].positions[9].y = nan; }},
    {"target_tangents", "scene-invalid", "meshes[2] / targets[0]",
     [](Scene& s) {
         s.meshes[2].targets = {MorphTarget{"t", {}, {}, {}, {}}}, s.meshes[2].targets[0].indices.assign(1, 0u),
         s.meshes[2].targets[0].tangents.assign(1, Vec3{});
     }},
    {"weights", "scene-invalid", "meshes[1] / weights", [](Scene& s) { body(s).weights.pop_back(); }},
    {"weight_nan", "scene-not-finite", "meshes[1] / weights", [](Scene& s) { body(s).weights[0] = nan; }},
    {"track_node", "scene-invalid", "clips[0] / tracks[0]", [](Scene& s) { s.clips[0].tracks[0].node = no_index; }},
    {"track_path", "scene-invalid", "clips[0] / tracks[0]",
     [](Scene& s) { s.clips[0].tracks[0].path = static_cast<TrackPath>(9); }},
    {"track_twice", "scene-invalid", "clips[0] / tracks[1]",
     [](Scene& s) { s.clips[0].tracks[1] = s.clips[0].tracks[0]; }},
    {"track_length", "scene-invalid", "clips[0] / tracks[1]", [](Scene& s) { s.clips[0].tracks[1].values.pop_back(); }},
    {"track_matrix", "scene-invalid", "clips[0] / tracks[0]",
     [](Scene& s) { s.clips[0].tracks[0].node = rich::static_node; }},
    {"track_weights", "scene-invalid", "clips[0] / tracks[4]", [](Scene& s) { s.clips[0].tracks[4].node = 0; }},
    {"times_fall", "scene-invalid", "clips[0] / tracks[0] / times",
     [](Scene& s) { s.clips[0].tracks[0].times[2] = 0.5f; }},
    {"times_negative", "scene-invalid", "clips[0] / tracks[0] / times",
     [](Scene& s) { s.clips[0].tracks[0].times[0] = -1; }},
    {"times_nan", "scene-not-finite", "clips[0] / tracks[0] / times",
     [](Scene& s) { s.clips[0].tracks[0].times[1] = nan; }},
    {"values_nan", "scene-not-finite", "clips[0] / tracks[0] / values",
     [](Scene& s) { s.clips[0].tracks[0].values[1] = nan; }},
    {"extras_text", "gltf-extras", "nodes[0]", [](Scene& s) { s.nodes[0].extras.json = "{\"a\":"; }},
    {"extras_array", "gltf-extras", "meshes[1]", [](Scene& s) { body(s).extras.json = "[1]"; }},
    {"extras_number", "gltf-extras", "clips[0]", [](Scene& s) { s.clips[0].extras.json = "{\"a\":1e999}"; }},
    {"extras_deep", "gltf-extras", "asset_extras",
     [](Scene& s) { s.asset_extras.json = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}"; }},
};

class DamagedScene : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedScene, IsRefusedWithAnAddress) {
    Scene scene = rich_scene();
    ASSERT_TRUE(gltf::write_glb(scene));
    GetParam().apply(scene);
    const auto written = gltf::write_glb(scene);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, GetParam().code) << to_string(written.error());
    EXPECT_EQ(written.error().path, GetParam().path) << to_string(written.error());
    EXPECT_EQ(written.error().severity, Severity::error);
    EXPECT_FALSE(written.error().message.empty());
    if (std::string_view(GetParam().code) == "gltf-extras") return;
    const Report report = validate(scene);
    ASSERT_FALSE(report.empty());
    EXPECT_EQ(report.diagnostics().front().code, GetParam().code) << to_string(report.diagnostics().front());
    EXPECT_EQ(report.diagnostics().front().path, GetParam().path) << to_string(report.diagnostics().front());
}

INSTANTIATE_TEST_SUITE_P(Gltf, DamagedScene, ::testing::ValuesIn(damages),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Validate, FindsNothingInASoundScene) {
    EXPECT_TRUE(validate(rich_scene()).empty()) << to_string(validate(rich_scene()).diagnostics().front());
    EXPECT_TRUE(validate({}).empty());
}

TEST(Validate, FindsEverythingAtOnce) {
    Scene scene = rich_scene();
    scene.materials[1].base_color.g = 1.5f;
    body(scene).attributes[0].data.as<float>()[190] = nan;
    body(scene).primitives[1].indices[5] = rich::second_vertices;
    const Report report = validate(scene);
    ASSERT_EQ(report.diagnostics().size(), 3u);
    EXPECT_EQ(report.diagnostics()[2].path, "meshes[1] / primitives[1] / indices[5]");
}

TEST(Validate, FindsWhatOnlyReadersWouldNotice) {
    Scene scene = rich_scene();
    Scene changed = scene;
    changed.nodes[2].local.rotation.w += 1;
    EXPECT_EQ(validate(changed).diagnostics().front().path, "nodes[2]");
    changed = scene;
    for (Track& track : changed.clips[0].tracks) {
        if (track.path == TrackPath::rotation) std::fill(track.values.begin(), track.values.end(), 0.0f);
    }
    EXPECT_EQ(validate(changed).count("scene-invalid"), 1u);
    changed.clips[0].rules.rotation = RotationRule::by_angle;
    EXPECT_TRUE(validate(changed).empty());
    changed = scene;
    changed.skins[0].joints.resize(1);
    changed.skins[0].inverse_bind_matrices.resize(1);
    ASSERT_FALSE(validate(changed).empty());
    EXPECT_EQ(validate(changed).diagnostics().front().message, "a vertex follows a joint that its skin does not have");
}

TEST(NotFinite, NamesTheObject) {
    Scene scene = rich_scene();
    body(scene).attributes[0].data.as<float>()[0] = infinity;
    const auto written = gltf::write_glb(scene);
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("\"body\""), std::string::npos);
    EXPECT_EQ(written.error().found, "infinity");
}

TEST(CheckScene, DeepTreesAreNoProblem) {
    Scene scene;
    scene.nodes.resize(50000);
    for (Index i = 1; i < scene.nodes.size(); ++i) add_child(scene, i - 1, i);
    EXPECT_TRUE(gltf::write_glb(scene));
}

TEST(AddChild, MovesBetweenParents) {
    Scene scene;
    scene.nodes.resize(3);
    add_child(scene, 0, 2);
    add_child(scene, 1, 2);
    EXPECT_TRUE(scene.nodes[0].children.empty());
    EXPECT_EQ(scene.nodes[1].children, std::vector<Index>{2});
    EXPECT_EQ(scene.nodes[2].parent, 1u);
}

}  // namespace
}  // namespace effigy::test
