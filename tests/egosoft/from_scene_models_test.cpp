/// Models of other tools as meshes: read again, they show what the model showed.

#include <iostream>
#include <set>

#include "egosoft/from_scene_files.hpp"
#include "gltf/rich_scene.hpp"
#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"

namespace {

using namespace effigy;
using namespace builders;

/// One step of a byte from -1 to 1, and what rounding of floats adds.
constexpr double byte_step = 1.0 / 255 + 1e-4;

Distances there_and_back(const Scene& scene, const egosoft::FromSceneOptions& options = {}) {
    auto made = made_mesh(scene, options);
    if (made.value.buffers.empty()) return {};
    return distances(corners_of(scene), corners_of(convert(std::move(made.value)).value));
}

double extent_of(const Scene& scene) {
    double most = 1;
    for (const Corner& corner : corners_of(scene)) most = std::max(most, glm::length(corner.position));
    return most;
}

TEST(EgosoftMeshModels, ShowTheSameAfterwards) {
    for (const auto& [name, glb] : gltf_test::gltf_models()) {
        SCOPED_TRACE(name);
        const Scene scene = gltf_test::read_text(glb);
        const Distances most = there_and_back(scene);
        std::cout << name << ": " << most.triangles << " triangles, " << most.position << " of " << extent_of(scene)
                  << " apart, normals " << most.normal << ", uv " << most.uv << "\n";
        EXPECT_GT(most.triangles, 0u);
        EXPECT_LE(most.position, 1e-6 * extent_of(scene));
        EXPECT_LE(most.normal, byte_step);
        EXPECT_EQ(most.uv, 0);
    }
}

TEST(EgosoftMeshModels, XRebirthHasHalvesForTextureCoordinates) {
    egosoft::FromSceneOptions options;
    options.target = egosoft::Target::x_rebirth;
    for (const auto& [name, glb] : gltf_test::gltf_models()) {
        SCOPED_TRACE(name);
        const Scene scene = gltf_test::read_text(glb);
        const Distances most = there_and_back(scene, options);
        EXPECT_LE(most.position, 1e-6 * extent_of(scene));
        EXPECT_LE(most.normal, byte_step);
        EXPECT_LE(most.uv, 1.0 / 1024);
    }
}

TEST(EgosoftMeshModels, CollisionMeshesHaveTheSameTriangles) {
    egosoft::FromSceneOptions options;
    options.collision = true;
    for (const auto& [name, glb] : gltf_test::gltf_models()) {
        SCOPED_TRACE(name);
        const Scene scene = gltf_test::read_text(glb);
        auto made = made_mesh(scene, options);
        EXPECT_TRUE(xmf::is_collision_mesh(made.value));
        auto wanted = corners_of(scene);
        const auto got = corners_of(convert(std::move(made.value)).value);
        ASSERT_EQ(wanted.size(), got.size());
    }
}

TEST(EgosoftMeshModels, EverythingThatGltfCanSay) {
    // Strips over a grid whose normals look to one side only, so that half of the triangles are seen from behind.
    const std::set<std::string> of_the_models{"xmf-triangle-inverted", "xmf-decal-inverted"};
    for (const Scene& scene : {effigy::test::rich_scene(), effigy::test::scene_of_all_topologies()}) {
        const auto made = egosoft::mesh_from_scene(scene);
        ASSERT_TRUE(made) << to_string(made.error());
        const Report findings = egosoft::check_mesh(made->value, false);
        for (const Diagnostic& one : findings.diagnostics())
            EXPECT_TRUE(of_the_models.contains(one.code)) << to_string(one);
        const bool is_rich = scene.nodes.size() > 2;
        EXPECT_EQ(made->report.count("xmf-skin-lost"), is_rich ? 1u : 0u);
        EXPECT_EQ(made->report.count("xmf-morphs-lost"), 1u);
        EXPECT_EQ(made->report.count("xmf-topology"), is_rich ? 0u : 1u);
    }
}

TEST(EgosoftMeshModels, SaysWhatIsLost) {
    const auto codes_of = [](std::string_view name) {
        const auto made = made_mesh(gltf_test::read_text(gltf_test::gltf_model(name)));
        std::set<std::string> codes;
        for (const Diagnostic& one : made.report.diagnostics()) codes.insert(one.code);
        return codes;
    };
    using Codes = std::set<std::string>;
    EXPECT_EQ(codes_of("fox"), (Codes{"xmf-clips-left", "xmf-material-new", "xmf-skin-lost", "xmf-tangents-made"}));
    EXPECT_EQ(codes_of("box_textured"), (Codes{"xmf-material-new", "xmf-tangents-made"}));
    EXPECT_EQ(codes_of("morph_stress"),
              (Codes{"xmf-clips-left", "xmf-material-new", "xmf-morphs-lost", "xmf-tangents-made"}));
    EXPECT_EQ(codes_of("simple_morph"),
              (Codes{"xmf-clips-left", "xmf-material-new", "xmf-morphs-lost", "xmf-normals-made"}));
}

}  // namespace
