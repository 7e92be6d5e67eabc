/// Skins of actors in scenes: joints, binds, influences.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using namespace builders;
using Influences = std::vector<std::vector<xac::Influence>>;

ActorFile skinned(const Influences& influences) {
    return ActorFile()
        .nodes({node("root", xac::no_node, {0, 1, 2}), node("arm", 0, {1, 0, 0}), node("hand", 1, {1, 0, 1}),
                node("mesh", 0, {9, 9, 9})})
        .mesh(triangle(3))
        .skinning(skinning(3, influences));
}

double weight_sum(const Mesh& mesh, std::size_t vertex, std::size_t sets) {
    double sum = 0;
    for (std::uint32_t set = 0; set < sets; ++set) {
        for (std::size_t k = 0; k < 4; ++k) {
            sum += find(mesh, Semantic::weights, set)->data.as<const float>()[4 * vertex + k];
        }
    }
    return sum;
}

TEST(Skins, HangOnAnIdentityNodeAtTheRoot) {
    const auto scene = convert(skinned(Influences(3, {influence(1, 2)}))).value;
    const Node& mesh = scene.nodes[find(scene, "mesh.mesh")];
    EXPECT_EQ(mesh.parent, no_index);
    EXPECT_EQ(mesh.local, Transform{});
    EXPECT_EQ(mesh.skin, 0u);
    EXPECT_EQ(scene.nodes[find(scene, "mesh")].mesh, no_index);
    EXPECT_EQ(scene.skins.at(0).skeleton, find(scene, "root"));
    for (const Node& node : scene.nodes) EXPECT_NE(node.name, scene.skins.at(0).name);
}

TEST(Skins, JointsAreTheNodesInUseAndBindsAreInverse) {
    const auto scene =
        convert(skinned({{influence(1, 2)}, {influence(0.5f, 0), influence(0.5f, 2)}, {influence(1, 0)}})).value;
    const Skin& skin = scene.skins.at(0);
    ASSERT_EQ(skin.joints, (std::vector<Index>{find(scene, "root"), find(scene, "hand")}));
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        glm::dmat4 inverse(0);
        for (int k = 0; k < 16; ++k)
            inverse[k / 4][k % 4] = skin.inverse_bind_matrices[i].m[static_cast<std::size_t>(k)];
        EXPECT_LT(difference(world(scene, skin.joints[i]) * inverse, glm::dmat4(1)), 1e-6);
    }
    EXPECT_EQ(find(scene.meshes[0], Semantic::joints)->data.component, ComponentType::u8);
}

TEST(Skins, MoreThanFourInfluencesNeedMoreSets) {
    std::vector<xac::Node> nodes;
    std::vector<xac::Influence> many;
    for (std::uint16_t i = 0; i < 11; ++i) {
        nodes.push_back(node("n" + std::to_string(i), i == 0 ? xac::no_node : i - 1u));
        many.push_back(influence(0.01f * static_cast<float>(i + 1), i));
    }
    auto actor = ActorFile()
                     .nodes(nodes)
                     .mesh(triangle(0))
                     .skinning(skinning(0, {many, {influence(1, 3)}, {influence(0.25f, 1), influence(0.75f, 2)}}));
    const auto scene = convert(std::move(actor)).value;
    const Mesh& mesh = scene.meshes.at(0);
    ASSERT_NE(find(mesh, Semantic::weights, 2), nullptr);
    EXPECT_EQ(find(mesh, Semantic::weights, 3), nullptr);
    for (std::size_t vertex = 0; vertex < 3; ++vertex) EXPECT_NEAR(weight_sum(mesh, vertex, 3), 1, 1e-6);
    const auto joints = find(mesh, Semantic::joints)->data.as<const std::uint8_t>();
    const auto weights = find(mesh, Semantic::weights)->data.as<const float>();
    EXPECT_EQ(joints[0], 10) << "the heaviest first";
    EXPECT_EQ(joints[4], 3);
    EXPECT_EQ(joints[5], 0) << "no weight, no joint";
    EXPECT_EQ(weights[5], 0);
    EXPECT_EQ(weights[8], 0.75f);
}

TEST(Skins, RepeatedJointsAreAddedUp) {
    const auto converted = convert(skinned({{influence(0.25f, 2), influence(0.5f, 1), influence(0.25f, 2)},
                                            {influence(2, 1), influence(6, 2)},
                                            {influence(1, 1)}}));
    const auto weights = find(converted.value.meshes.at(0), Semantic::weights)->data.as<const float>();
    EXPECT_EQ(weights[0], 0.5f);
    EXPECT_EQ(weights[1], 0.5f);
    EXPECT_EQ(weights[4], 0.75f) << "normalised";
    EXPECT_EQ(converted.report.count("skin-repeated-joint"), 1u);
}

TEST(Skins, ManyRepeatedJointsAreAddedUp) {
    std::vector<xac::Influence> many;
    for (int i = 0; i < 30; ++i) many.push_back(influence(1, static_cast<std::uint16_t>(i % 3)));
    const auto converted = convert(skinned({many, many, many}));
    const Mesh& mesh = converted.value.meshes.at(0);
    EXPECT_EQ(find(mesh, Semantic::joints, 1), nullptr) << "three joints fit into one set";
    EXPECT_NEAR(weight_sum(mesh, 2, 1), 1, 1e-6);
    EXPECT_NEAR(find(mesh, Semantic::weights)->data.as<const float>()[0], 1.0 / 3, 1e-6);
}

TEST(Skins, VerticesWithoutInfluencesFollowTheMeshNode) {
    const auto converted = convert(skinned({{}, {influence(1, 1)}, {influence(-1, 1), influence(NAN, 2)}}));
    const Scene& scene = converted.value;
    const auto joints = find(scene.meshes.at(0), Semantic::joints)->data.as<const std::uint8_t>();
    const Skin& skin = scene.skins.at(0);
    EXPECT_EQ(skin.joints.at(joints[0]), find(scene, "mesh"));
    EXPECT_EQ(skin.joints.at(joints[8]), find(scene, "mesh"));
    EXPECT_NEAR(weight_sum(scene.meshes[0], 0, 1), 1, 1e-9);
    EXPECT_EQ(converted.report.count("skin-unbound"), 1u);
    EXPECT_EQ(converted.report.count("skin-weight"), 1u);
}

/// The joint of each mesh, in the order of the file.
std::vector<std::string> joints_of(ActorFile actor) {
    const Scene scene = convert(std::move(actor)).value;
    std::vector<std::string> names;
    for (const Mesh& mesh : scene.meshes) {
        const auto number = static_cast<Index>(&mesh - scene.meshes.data());
        const auto holder =
            std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& node) { return node.mesh == number; });
        EXPECT_NE(holder, scene.nodes.end());
        const auto joints = find(mesh, Semantic::joints)->data.as<const std::uint8_t>();
        names.push_back(scene.nodes[scene.skins.at(holder->skin).joints.at(joints[0])].name);
    }
    return names;
}

TEST(Skins, BelongToTheMeshesOfOneNodeInTheirOrder) {
    using Names = std::vector<std::string>;
    const auto bound_to = [](std::uint16_t node) { return skinning(3, Influences(3, {influence(1, node)})); };
    const auto actor = [] { return skinned({{influence(1, 1)}, {influence(1, 1)}, {influence(1, 1)}}); };
    EXPECT_EQ(joints_of(actor().mesh(triangle(3)).skinning(bound_to(2))), (Names{"arm", "hand"})) << "one by one";
    ActorFile together = actor();
    together.file.chunks.insert(together.file.chunks.begin() + 2, {1, 1, std::nullopt, triangle(3), {}});
    EXPECT_EQ(joints_of(std::move(together.skinning(bound_to(2)))), (Names{"arm", "hand"})) << "meshes first";
    EXPECT_EQ(joints_of(actor().mesh(triangle(3))), (Names{"arm", "arm"})) << "one for both";
    EXPECT_EQ(joints_of(actor().skinning(bound_to(2))), (Names{"arm"})) << "the first one counts";
}

/// What nothing of the table binds is skinned all the same, as it is where a few vertices are unbound.
TEST(Skins, WithoutAnyInfluencesFollowTheMeshNode) {
    const auto converted = convert(skinned(Influences(3)));
    const Scene& scene = converted.value;
    EXPECT_EQ(scene.skins.at(0).joints, (std::vector<Index>{find(scene, "mesh")}));
    EXPECT_EQ(scene.nodes[find(scene, "mesh.mesh")].skin, 0u);
    EXPECT_EQ(weight_sum(scene.meshes.at(0), 0, 1), 1);
    EXPECT_EQ(converted.report.count("skin-unbound"), 1u);
}

TEST(Skins, ReferencesOutOfRangeAreHarmless) {
    auto actor = skinned({{influence(1, 1)}, {influence(1, 99)}, {influence(1, 2)}});
    auto& mesh = std::get<xac::Mesh>(actor.file.chunks[1].record);
    mesh.layers[0] = layer<std::uint32_t>(xac::LayerType::original_vertex, {0, 1, 0xffffffff});
    std::get<xac::Skinning>(actor.file.chunks[2].record).ranges[0] = {0xfffffff0, 0xffffffff};
    const auto converted = convert(std::move(actor));
    EXPECT_EQ(converted.report.count("skin-range"), 1u);
    EXPECT_EQ(converted.report.count("skin-node"), 1u);
    for (std::size_t vertex = 0; vertex < 3; ++vertex)
        EXPECT_NEAR(weight_sum(converted.value.meshes[0], vertex, 1), 1, 1e-6);
}

TEST(Skins, OldChunksHoldInfluencesByVertex) {
    auto actor = ActorFile().nodes({node("a"), node("b", 0)}).mesh(triangle(0));
    xac::Skinning old;
    for (int i = 0; i < 3; ++i) {
        xac::VertexInfluences vertex;
        vertex.influences = {influence(1, 1)};
        old.vertices.push_back(std::move(vertex));
    }
    const auto scene = convert(std::move(actor.add(2, 1, std::move(old)))).value;
    EXPECT_EQ(scene.skins.at(0).joints, std::vector<Index>{find(scene, "b")});
}

TEST(Skins, OverlappingRangesCannotUseUpTheMemory) {
    const std::uint32_t count = 20'000;
    auto mesh = triangle(0);
    mesh.vertex_count = count;
    mesh.layers = {};
    mesh.layers.push_back(layer<Vec3>(xac::LayerType::position, std::vector<Vec3>(count)));
    mesh.submeshes[0].vertex_count = count;
    xac::Skinning table;
    table.influences.assign(count, influence(0.001f, 0));
    table.ranges.assign(count, {0, count});
    const auto result =
        emfx::to_scene(input(ActorFile().nodes({node("a")}).mesh(std::move(mesh)).skinning(std::move(table))));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "limit-memory");
}

TEST(Skins, JointsUnderSeveralRootsGetACommonOne) {
    auto actor = ActorFile()
                     .nodes({node("a"), node("b"), node("c", 1)})
                     .mesh(triangle(0))
                     .skinning(skinning(0, {{influence(1, 0)}, {influence(1, 2)}, {influence(1, 0)}}));
    const auto scene = convert(std::move(actor)).value;
    const Index top = find(scene, "effigy_root");
    EXPECT_EQ(scene.skins.at(0).skeleton, top);
    EXPECT_EQ(scene.nodes[find(scene, "a")].parent, top);
    EXPECT_EQ(scene.nodes[find(scene, "b")].parent, top);
    EXPECT_EQ(scene.nodes[find(scene, "a.mesh")].parent, no_index);
}

TEST(Skins, FlatBonesHaveNoInverse) {
    auto nodes = std::vector{node("a")};
    nodes[0].scale = {1, 0, 1};
    const auto converted =
        convert(ActorFile().nodes(nodes).mesh(triangle(0)).skinning(skinning(0, Influences(3, {influence(1, 0)}))));
    EXPECT_EQ(converted.value.skins.at(0).inverse_bind_matrices.at(0), Mat4{});
    EXPECT_EQ(converted.report.count("skin-bind"), 1u);
}

TEST(Skins, JoinedPartsKeepTheirOwnBinds) {
    auto body = skinned(Influences(3, {influence(1, 2)}));
    auto hat = ActorFile()
                   .nodes({node("hand", xac::no_node, {0, 5, 0})})
                   .mesh(triangle(0))
                   .skinning(skinning(0, Influences(3, {influence(1, 0)})));
    emfx::SceneInput files = input(std::move(body));
    files.actors.push_back({{"hat", 0, {}}, std::move(hat.file)});
    const auto scene = convert(std::move(files)).value;
    ASSERT_EQ(scene.skins.size(), 2u);
    EXPECT_EQ(scene.skins[1].joints, std::vector<Index>{find(scene, "hand")});
    EXPECT_EQ(scene.skins[1].inverse_bind_matrices[0].m[13], -5);
}

}  // namespace
