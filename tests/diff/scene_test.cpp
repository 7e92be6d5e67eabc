/// One thing is changed in a scene that has one of everything, and exactly that is reported.

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/diff.hpp"

#include "gltf/rich_scene.hpp"
#include "reports.hpp"

namespace effigy::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Report diff(const Scene& a, const Scene& b, const DiffOptions& options = {}) {
    const auto report = diff_scenes(a, b, options);
    EXPECT_TRUE(report) << to_string(report.error());
    return report ? *report : Report();
}

DiffOptions exact() {
    DiffOptions options;
    options.tolerances = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    return options;
}

Report diff_of_change(const std::function<void(Scene&)>& change, const DiffOptions& options = {}) {
    Scene changed = rich_scene();
    change(changed);
    return diff(rich_scene(), changed, options);
}

/// The one finding; fails the test if there are others.
Diagnostic only_finding(const std::function<void(Scene&)>& change, const DiffOptions& options = {}) {
    const Report report = diff_of_change(change, options);
    EXPECT_EQ(report.diagnostics().size(), 1U);
    for (const Diagnostic& finding : report.diagnostics()) SCOPED_TRACE(to_string(finding));
    return report.empty() ? Diagnostic() : report.diagnostics().front();
}

Attribute& attribute(Scene& scene, Semantic semantic, std::uint32_t set = 0, const std::string& name = {}) {
    for (Attribute& each : scene.meshes[rich::body_mesh].attributes) {
        if (each.semantic == semantic && each.set == set && each.custom_name == name) return each;
    }
    ADD_FAILURE() << "no such attribute";
    return scene.meshes[rich::body_mesh].attributes.front();
}

TEST(DiffScenes, FindsNothingBetweenEquals) {
    EXPECT_THAT(codes_of(diff(rich_scene(), rich_scene(), exact())), IsEmpty());
    EXPECT_THAT(codes_of(diff(scene_of_all_topologies(), scene_of_all_topologies(), exact())), IsEmpty());
    EXPECT_THAT(codes_of(diff(Scene(), Scene(), exact())), IsEmpty());
}

TEST(DiffScenes, FindsAMovedNode) {
    const Diagnostic finding = only_finding([](Scene& scene) { scene.nodes[0].local.translation.y += 0.5f; });
    EXPECT_EQ(finding.code, "diff-transform");
    EXPECT_EQ(finding.path, "nodes[0] root");
    EXPECT_EQ(finding.expected, "(0.1, 0, 0)");
    EXPECT_EQ(finding.found, "(0.1, 0.5, 0)");
    EXPECT_THAT(finding.message, HasSubstr("translation differs by 0.5"));
}

TEST(DiffScenes, TakesBothSignsOfARotationForOne) {
    EXPECT_THAT(codes_of(diff_of_change([](Scene& scene) {
                    Quat& turn = scene.nodes[1].local.rotation;
                    turn = {-turn.x, -turn.y, -turn.z, -turn.w};
                })),
                IsEmpty());
    const Diagnostic finding = only_finding([](Scene& scene) { scene.nodes[1].local.rotation = {}; });
    EXPECT_THAT(finding.message, HasSubstr("rotation differs by 1.57"));
}

TEST(DiffScenes, FindsWhatElseNodesHave) {
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[2].local.scale.y = 3; }).code, "diff-transform");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::static_node].matrix->m[12] = 9; }).code, "diff-transform");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[1].name = "leg"; }).code, "diff-name");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::hidden_node].hidden = false; }).code, "diff-flags");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::hidden_node].collision = true; }).code, "diff-flags");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::hidden_node].follows = 2; }).code, "diff-flags");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::static_node].lods.clear(); }).code, "diff-levels");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[rich::static_node].mesh = no_index; }).code, "diff-mesh");
    EXPECT_EQ(only_finding([](Scene& s) { s.nodes[0].light = no_index; }).code, "diff-light");
}

TEST(DiffScenes, FindsNodesThatHangElsewhere) {
    // The hand goes from the arm to the root, where its place in the scene is another one.
    const Report report = diff_of_change([](Scene& scene) { add_child(scene, 0, 2); });
    EXPECT_THAT(codes_of(report), ElementsAre("diff-parent", "diff-transform"));
    EXPECT_EQ(report.diagnostics()[0].expected, "arm");
    EXPECT_EQ(report.diagnostics()[0].found, "root");
}

TEST(DiffScenes, ListsOnlyTheUppermostOfNewNodes) {
    const Diagnostic finding = only_finding([](Scene& scene) {
        for (const char* name : {"tail", "tip"}) scene.nodes.emplace_back().name = name;
        add_child(scene, 2, 8);
        add_child(scene, 8, 9);
    });
    EXPECT_EQ(finding.code, "diff-node");
    EXPECT_EQ(finding.path, "nodes[8] tail");
    EXPECT_THAT(finding.message, HasSubstr("the first has no such node; 1 node below it likewise"));
}

struct AttributeCase {
    Semantic semantic;
    std::uint32_t set;
    std::string custom;
    std::string code, name;
};

TEST(DiffScenes, FindsOneVertexThatDiffers) {
    const std::vector<AttributeCase> cases{
        {Semantic::position, 0, "", "diff-position", "POSITION"},
        {Semantic::normal, 0, "", "diff-normal", "NORMAL"},
        {Semantic::tangent, 0, "", "diff-normal", "TANGENT"},
        {Semantic::texcoord, 0, "", "diff-texcoord", "TEXCOORD_0"},
        {Semantic::color, 1, "", "diff-color", "COLOR_1"},
        {Semantic::custom, 0, "_TANGENT_1", "diff-normal", "_TANGENT_1"},
    };
    for (const AttributeCase& each : cases) {
        SCOPED_TRACE(each.name);
        const Diagnostic finding = only_finding([&](Scene& scene) {
            Accessor& data = attribute(scene, each.semantic, each.set, each.custom).data;
            data.as<float>()[5 * component_count(data.element) + 1] += 0.25f;
        });
        EXPECT_EQ(finding.code, each.code);
        EXPECT_EQ(finding.path, "meshes[1] body / " + each.name);
        EXPECT_THAT(finding.message, HasSubstr("1 vertex differs by up to 0.25, at vertex 5"));
    }
}

TEST(DiffScenes, FindsPackedAttributes) {
    const auto change = [](Scene& scene) { attribute(scene, Semantic::color, 0).data.as<std::uint8_t>()[3 * 7] += 51; };
    const Diagnostic finding = only_finding(change);
    EXPECT_EQ(finding.code, "diff-color");
    EXPECT_THAT(finding.message, HasSubstr("differs by up to 0.2"));
    EXPECT_THAT(finding.message, HasSubstr(", at vertex 7"));
}

TEST(DiffScenes, FindsAttributesOfOneMeshOnly) {
    const auto remove = [](Scene& scene) {
        scene.meshes[rich::body_mesh].attributes.erase(scene.meshes[rich::body_mesh].attributes.begin() + 1);
    };
    EXPECT_EQ(only_finding(remove).code, "diff-attribute");
    EXPECT_EQ(only_finding(remove).path, "meshes[1] body / NORMAL");
}

TEST(DiffScenes, FindsWeights) {
    const auto shift = [](Scene& scene) {
        const auto weights = attribute(scene, Semantic::weights).data.as<float>();
        weights[4 * 9] += 0.125f;
        weights[4 * 9 + 1] -= 0.125f;
    };
    const Diagnostic finding = only_finding(shift);
    EXPECT_EQ(finding.code, "diff-weight");
    EXPECT_THAT(finding.message, HasSubstr("1 vertex differs by up to 0.125, at vertex 9"));
}

TEST(DiffScenes, FindsBinds) {
    const Diagnostic finding = only_finding([](Scene& scene) { scene.skins[0].inverse_bind_matrices[1].m[13] = -2; });
    EXPECT_EQ(finding.code, "diff-bind");
    EXPECT_EQ(finding.path, "skins[0] skin / nodes[1] arm");
}

TEST(DiffScenes, FindsMorphTargets) {
    const auto move = [](Scene& scene) { scene.meshes[rich::body_mesh].targets[1].positions[3].x += 1; };
    const Diagnostic finding = only_finding(move);
    EXPECT_EQ(finding.code, "diff-morph");
    EXPECT_EQ(finding.path, "meshes[1] body / targets[1] all / POSITION");
    const auto weight = [](Scene& scene) { scene.meshes[rich::body_mesh].weights[1] = 0.75f; };
    EXPECT_THAT(only_finding(weight).message, HasSubstr("the weight at rest differs by 0.5"));
    const auto rename = [](Scene& scene) { scene.meshes[rich::body_mesh].targets[0].name = "grin"; };
    EXPECT_THAT(codes_of(diff_of_change(rename)), ElementsAre("diff-name"));
    const auto add = [](Scene& scene) { scene.meshes[rich::static_mesh].targets.emplace_back().name = "bend"; };
    EXPECT_EQ(only_finding(add).code, "diff-target");
}

TEST(DiffScenes, FindsTriangles) {
    const auto remove = [](Scene& scene) {
        auto& indices = scene.meshes[rich::body_mesh].primitives[1].indices;
        indices.resize(indices.size() - 3);
    };
    const Diagnostic finding = only_finding(remove);
    EXPECT_EQ(finding.code, "diff-triangles");
    EXPECT_THAT(finding.message, HasSubstr("1 triangle of the first and 0 of the second"));
    const auto turn = [](Scene& scene) {
        auto& indices = scene.meshes[rich::body_mesh].primitives[0].indices;
        std::swap(indices[0], indices[1]);
    };
    EXPECT_THAT(only_finding(turn).message, HasSubstr("1 triangle of the first and 1 of the second"));
}

TEST(DiffScenes, FindsOtherMaterials) {
    const Diagnostic finding =
        only_finding([](Scene& scene) { scene.meshes[rich::body_mesh].primitives[3].material = 3; });
    EXPECT_EQ(finding.code, "diff-assignment");
    EXPECT_THAT(finding.message, HasSubstr("4 triangles have another material"));
    EXPECT_EQ(finding.expected, "materials[2] blend");
    EXPECT_EQ(finding.found, "materials[3] flat");
}

TEST(DiffScenes, FindsWhatMaterialsHave) {
    const std::vector<std::function<void(Material&)>> changes{
        [](Material& m) { m.base_color.g = 0.5f; },
        [](Material& m) { m.roughness = 0.2f; },
        [](Material& m) { m.metallic = 1; },
        [](Material& m) { m.emissive.x = 0; },
        [](Material& m) { m.double_sided = true; },
        [](Material& m) { m.unlit = true; },
        [](Material& m) { m.alpha_mode = AlphaMode::blend; },
        [](Material& m) { m.base_color_texture.offset.x = 0; },
        [](Material& m) { m.base_color_texture.wrap_u = Wrap::clamp_to_edge; },
        [](Material& m) { m.normal_texture.texcoord = 0; },
        [](Material& m) { m.normal_texture.strength = 1; }};
    for (const auto& change : changes) {
        const Diagnostic finding = only_finding([&](Scene& scene) { change(scene.materials[0]); });
        EXPECT_EQ(finding.code, "diff-material") << finding.message;
        EXPECT_EQ(finding.path, "materials[0] rich");
    }
    const auto lose = [](Scene& scene) { scene.materials[2].base_color_texture.image = no_index; };
    EXPECT_EQ(only_finding(lose).code, "diff-image");
}

TEST(DiffScenes, ComparesPicturesIfAsked) {
    const auto repaint = [](Scene& scene) { scene.images[0].bytes.push_back(std::byte{1}); };
    EXPECT_THAT(codes_of(diff_of_change(repaint)), IsEmpty());
    DiffOptions options;
    options.images = true;
    EXPECT_EQ(diff_of_change(repaint, options).count("diff-image"), 4U) << "slots of four materials' textures";
}

TEST(DiffScenes, FindsWhatLightsHave) {
    const std::vector<std::function<void(Light&)>> changes{
        [](Light& l) { l.color.x = 0; }, [](Light& l) { l.intensity = 9; }, [](Light& l) { l.range = 3; },
        [](Light& l) { l.outer_cone = 0.7f; }};
    for (const auto& change : changes)
        EXPECT_EQ(only_finding([&](Scene& scene) { change(scene.lights[1]); }).code, "diff-light");
}

TEST(DiffScenes, FindsMotion) {
    const auto key = [](Scene& scene) { scene.clips[0].tracks[0].values[3] = 1.5f; };
    const Diagnostic finding = only_finding(key);
    EXPECT_EQ(finding.code, "diff-track");
    EXPECT_EQ(finding.path, "clips[0] walk / nodes[0] root / translation");
    EXPECT_THAT(finding.message, HasSubstr("at 3 moments of 5, by up to 0.5 at 0.5 s"));
    EXPECT_EQ(finding.expected, "(1, 0, 0)");
    EXPECT_EQ(finding.found, "(1.5, 0, 0)");
    const auto step = [](Scene& scene) { scene.clips[0].tracks[1].interpolation = Interpolation::step; };
    EXPECT_THAT(only_finding(step).message, HasSubstr("radians"));
    const auto weights = [](Scene& scene) { scene.clips[0].tracks[4].values[5] = 0; };
    EXPECT_EQ(only_finding(weights).path, "clips[0] walk / nodes[3] body / morph weights");
    EXPECT_EQ(only_finding([](Scene& scene) { scene.clips[0].duration = 2; }).code, "diff-duration");
    EXPECT_EQ(only_finding([](Scene& scene) { scene.clips.pop_back(); }).code, "diff-clip");
}

TEST(DiffScenes, TakesMoreKeysOnOneWayForTheSame) {
    EXPECT_THAT(codes_of(diff_of_change([](Scene& scene) {
                    Track& track = scene.clips[0].tracks[0];
                    track.times = {0, 0.25f, 0.5f, 1};
                    track.values = {0, 0, 0, 0.5f, 0, 0, 1, 0, 0, 2, 0, 0};
                })),
                IsEmpty());
    // A track that says what rests anyway.
    EXPECT_THAT(codes_of(diff_of_change([](Scene& scene) {
                    scene.clips[0].tracks.push_back({0, TrackPath::scale, Interpolation::linear, {0}, {1, 1, 1}});
                })),
                IsEmpty());
}

TEST(DiffScenes, ComparesRulesOfRotationAtTheKeysOnly) {
    EXPECT_THAT(codes_of(diff_of_change([](Scene& scene) { scene.clips[0].rules.rotation = RotationRule::nlerp; })),
                IsEmpty());
}

TEST(DiffScenes, HoldsNumbersAgainstTheTolerance) {
    const auto change = [](float by) {
        return [by](Scene& scene) { attribute(scene, Semantic::normal).data.as<float>()[0] += by; };
    };
    EXPECT_THAT(codes_of(diff_of_change(change(0.0079f))), IsEmpty());
    EXPECT_THAT(codes_of(diff_of_change(change(0.0081f))), ElementsAre("diff-normal"));
    DiffOptions options;
    options.tolerances.normal = 0.125;
    EXPECT_THAT(codes_of(diff_of_change(change(0.125f), options)), IsEmpty());
    options.tolerances.normal = 0.1249;
    EXPECT_THAT(codes_of(diff_of_change(change(0.125f), options)), ElementsAre("diff-normal"));
    EXPECT_THAT(codes_of(diff_of_change(change(1e-7f), exact())), ElementsAre("diff-normal"));
}

TEST(DiffScenes, TakesWhatACopyHasMoreForNoLoss) {
    Scene bare = rich_scene(), more = rich_scene();
    for (Mesh& mesh : bare.meshes) {
        for (Primitive& primitive : mesh.primitives) primitive.material = no_index;
    }
    more.nodes.emplace_back().name = "added";
    more.materials.emplace_back().name = "added";
    DiffOptions options;
    options.is_made_of_a = true;
    const Report gained = diff(bare, more, options);
    EXPECT_EQ(gained.count(Severity::warning), 0U) << findings(gained);
    for (const char* code : {"diff-node", "diff-material", "diff-assignment"})
        EXPECT_GE(gained.count(code), 1U) << code;
    const Report lost = diff(more, bare, options);
    for (const char* code : {"diff-node", "diff-material", "diff-assignment"}) EXPECT_GE(lost.count(code), 1U) << code;
    EXPECT_EQ(lost.count(Severity::info), 0U) << findings(lost);
    EXPECT_EQ(diff(bare, more).count(Severity::info), 0U);
}

TEST(DiffScenes, LeavesOutWhatIsIgnored) {
    DiffOptions options;
    options.ignore = {"normal", "name"};
    EXPECT_THAT(codes_of(diff_of_change(
                    [](Scene& scene) {
                        attribute(scene, Semantic::normal).data.as<float>()[0] = 1;
                        scene.nodes[1].name = "leg";
                        scene.nodes[0].local.translation.x = 3;
                    },
                    options)),
                ElementsAre("diff-transform"));
}

TEST(DiffScenes, SurvivesWhatIsNoNumber) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    const auto break_it = [&](Scene& scene) {
        attribute(scene, Semantic::position).data.as<float>()[0] = none;
        scene.nodes[0].local.translation.x = none;
        scene.nodes[1].parent = 2;  // in a circle
        scene.nodes[7].parent = 4711;
        scene.meshes[rich::static_mesh].primitives[0].indices[0] = 4711;
    };
    Scene broken = rich_scene();
    break_it(broken);
    static_cast<void>(diff(broken, broken, exact()));
    EXPECT_FALSE(diff_of_change(break_it).empty());
}

TEST(DiffScenes, StopsAtTheMemoryLimit) {
    DiffOptions options;
    options.limits.memory = 1000;
    Scene moved = rich_scene();
    for (Mesh& mesh : moved.meshes) {
        for (Attribute& each : mesh.attributes) {
            if (each.semantic == Semantic::position) each.data.as<float>()[0] += 1;
        }
    }
    const auto report = diff_scenes(rich_scene(), moved, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "limit-memory");
}

TEST(DiffScenes, NeedsNoMemoryForWhatIsTheSameToTheBit) {
    DiffOptions options;
    options.limits.memory = 1000;
    const auto report = diff_scenes(rich_scene(), rich_scene(), options);
    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_TRUE(report->empty());
}

}  // namespace
}  // namespace effigy::test
