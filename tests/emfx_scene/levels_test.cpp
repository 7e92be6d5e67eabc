/// Levels of detail of actors in scenes.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "builders.hpp"

namespace {

using namespace builders;
using Influences = std::vector<std::vector<xac::Influence>>;

ActorFile with_levels(bool skin, int levels) {
    const auto part = [&] {
        ActorFile actor;
        actor.nodes({node("root"), node("a", 0, {0, 1, 0})}).mesh(triangle(1));
        if (skin) actor.skinning(skinning(1, Influences(3, {influence(1, 1)})));
        return actor;
    };
    ActorFile actor = part();
    for (int i = 0; i < levels; ++i) {
        xac::MeshLod level;
        level.actor.push_back(std::move(part().file));
        actor.add(8, 1, std::move(level));
    }
    return actor;
}

TEST(Levels, EmbeddedActorsAreSkinnedLevels) {
    const auto scene = convert(with_levels(true, 2)).value;
    const Node& base = scene.nodes[find(scene, "a.mesh")];
    EXPECT_EQ(base.lods, (std::vector<Index>{find(scene, "a.lod1"), find(scene, "a.lod2")}));
    for (const Index level : base.lods) {
        EXPECT_TRUE(scene.nodes[level].hidden);
        EXPECT_EQ(scene.nodes[level].parent, no_index);
        EXPECT_NE(scene.nodes[level].skin, no_index);
        EXPECT_EQ(scene.skins[scene.nodes[level].skin].joints, scene.skins[base.skin].joints);
    }
    EXPECT_FALSE(base.hidden);
}

TEST(Levels, IndicesThatAreKeptStandBesideWhateverElseIs) {
    for (const bool skin : {false, true}) {
        for (const std::uint32_t original_vertices : {0U, 77U}) {
            auto actor = with_levels(skin, 2);
            const auto damage = [&](xac::File& file) {
                auto& mesh = std::get<xac::Mesh>(file.chunks.at(1).record);
                mesh.original_vertex_count = original_vertices;
                mesh.submeshes[0].indices = {0, 1, 2, 0, 1, 9};
                mesh.submeshes.resize(4, mesh.submeshes[0]);
            };
            damage(actor.file);
            for (xac::Chunk& chunk : actor.file.chunks) {
                if (auto* level = std::get_if<xac::MeshLod>(&chunk.record)) damage(level->actor.front());
            }
            const auto converted = convert(std::move(actor));
            ASSERT_EQ(converted.value.meshes.size(), 3u);
            for (const Mesh& mesh : converted.value.meshes) {
                const auto record = nlohmann::json::parse(mesh.extras.json);
                EXPECT_EQ(record["kept_indices"].size(), 4u);
                EXPECT_EQ(record["submeshes"].size(), 4u);
            }
        }
    }
}

TEST(Levels, RigidLevelsReplaceAChild) {
    const auto scene = convert(with_levels(false, 1)).value;
    const Index base = find(scene, "a.mesh");
    EXPECT_EQ(scene.nodes[base].parent, find(scene, "a"));
    EXPECT_EQ(scene.nodes[base].lods, std::vector<Index>{find(scene, "a.lod1")});
}

TEST(Levels, OneCanBeAskedFor) {
    emfx::SceneOptions options;
    options.lod = 1;
    auto actor = with_levels(true, 2);
    actor.mesh(triangle(0));
    const auto converted = convert(std::move(actor), options);
    const Scene& scene = converted.value;
    EXPECT_EQ(scene.meshes.size(), 2u) << "level 1, and level 0 where there is nothing else";
    EXPECT_EQ(converted.report.count("lod-other"), 1u);
    EXPECT_TRUE(scene.nodes[find(scene, "a.mesh")].lods.empty());
    for (const Node& each : scene.nodes) EXPECT_FALSE(each.hidden);
}

TEST(Levels, LodFieldsCountLikeEmbeddedActors) {
    auto finer = triangle(0);
    auto coarser = triangle(0);
    coarser.lod = 3;
    auto lost = triangle(1);
    lost.lod = 1;
    ActorFile actor;
    xac::StandardMaterial material;
    material.name = "near";
    actor.nodes({node("a"), node("b")}).add(3, 3, material);
    material.name = "far";
    material.lod = 3;
    actor.add(3, 3, material).mesh(std::move(coarser)).mesh(std::move(finer)).mesh(std::move(lost));
    const auto converted = convert(std::move(actor));
    const Scene& scene = converted.value;
    const Index far = find(scene, "a.lod3");
    EXPECT_EQ(scene.nodes[find(scene, "a.mesh")].lods, std::vector<Index>{far});
    EXPECT_EQ(scene.materials[scene.meshes[scene.nodes[far].mesh].primitives[0].material].name, "far");
    EXPECT_TRUE(scene.nodes[find(scene, "b.lod1")].hidden);
    EXPECT_EQ(converted.report.count("lod-without-base"), 1u);
}

TEST(Levels, OfAnotherKindAreNotListed) {
    auto actor = with_levels(true, 1);
    auto& level = std::get<xac::MeshLod>(actor.file.chunks.back().record).actor.front();
    level.chunks.pop_back();  // its skinning
    const auto converted = convert(std::move(actor));
    EXPECT_TRUE(converted.value.nodes[find(converted.value, "a.mesh")].lods.empty());
    const Index lod = find(converted.value, "a.lod1");
    EXPECT_TRUE(converted.value.nodes[lod].hidden);
    EXPECT_EQ(converted.report.count("lod-kind"), 1u);
    EXPECT_LT(difference(world(converted.value, lod), world(converted.value, find(converted.value, "a"))), 1e-6)
        << "it has no joints that would place it";
}

TEST(Levels, NestingIsBounded) {
    ActorFile actor = with_levels(false, 0);
    for (int i = 0; i < 20; ++i) {
        ActorFile outer = with_levels(false, 0);
        xac::MeshLod level;
        level.actor.push_back(std::move(actor.file));
        outer.add(8, 1, std::move(level));
        actor = std::move(outer);
    }
    const auto converted = convert(std::move(actor));
    EXPECT_EQ(converted.report.count("actor-depth"), 1u);
    EXPECT_EQ(converted.value.meshes.size(), 9u);
}

TEST(Levels, IdenticalMaterialsAreShared) {
    auto actor = with_levels(false, 1);
    xac::StandardMaterial material;
    material.name = "skin";
    auto& level = std::get<xac::MeshLod>(actor.file.chunks.back().record).actor.front();
    level.chunks.push_back({3, 2, std::nullopt, material, {}});
    actor.add(3, 2, material).add(3, 2, material);
    EXPECT_EQ(convert(std::move(actor)).value.materials.size(), 2u) << "the actor's own list stays as it is";
}

TEST(Collision, IsHiddenAtItsNode) {
    auto nodes = std::vector{node("root", xac::no_node, {1, 2, 3}), node("hull", 0, {0, 1, 0})};
    nodes[0].rotation = turn({0, 1, 0}, 30);
    nodes[1].scale = {2, 3, 4};
    auto mesh = triangle(1);
    mesh.is_collision = 1;
    const auto scene = convert(ActorFile().nodes(nodes).mesh(std::move(mesh)).mesh(triangle(1))).value;
    const Index hull = find(scene, "hull.collision");
    EXPECT_TRUE(scene.nodes[hull].hidden);
    EXPECT_EQ(scene.nodes[hull].parent, no_index);
    EXPECT_EQ(scene.nodes[hull].extras.json, R"({"collision":true,"node":"hull"})");
    EXPECT_TRUE(scene.nodes[hull].collision);
    EXPECT_EQ(scene.nodes[hull].follows, find(scene, "hull"));
    EXPECT_LT(difference(world(scene, hull), world(scene, find(scene, "hull"))), 1e-6);
    EXPECT_NE(scene.nodes[find(scene, "hull")].mesh, scene.nodes[hull].mesh);
}

TEST(Collision, IsBakedWhereItsTransformHasShear) {
    auto nodes = std::vector{node("root"), node("hull", 0, {0, 1, 0})};
    nodes[0].scale = {2, -1, 1};
    nodes[1].rotation = turn({0, 0, 1}, 40);
    auto mesh = triangle(1);
    mesh.is_collision = 1;
    mesh.layers.push_back(layer(xac::LayerType::tangent, std::vector<Vec4>(3, {1, 0, 0, 1})));
    mesh.layers.push_back(layer(xac::LayerType::uv, std::vector<Vec2>(3)));
    const auto converted = convert(ActorFile().nodes(nodes).mesh(mesh));
    const Scene& scene = converted.value;
    const glm::dmat4 at = world(scene, find(scene, "hull"));
    // As without the mirror image, but for it.
    auto upright = nodes;
    upright[0].scale = {2, 1, 1};
    const Scene other = convert(ActorFile().nodes(upright).mesh(mesh)).value;
    const auto sides = [](const Scene& one) {
        return find(one.meshes.at(0), Semantic::tangent)->data.as<const Vec4>();
    };
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(sides(scene)[i].w, -sides(other)[i].w);
    const Mesh& baked = scene.meshes.at(0);
    const std::vector<glm::dvec4> corners{{0, 0, -1, 1}, {1, 0, -1, 1}, {0, 1, -1, 1}};
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 v = find(baked, Semantic::position)->data.as<const Vec3>()[i];
        EXPECT_LT(glm::length(at * corners[i] - glm::dvec4(v.x, v.y, v.z, 1)), 1e-6);
    }
    // The mirroring node would have made the viewer turn the triangle over; now the triangle itself is turned.
    EXPECT_EQ(baked.primitives[0].indices[1], 2u);
    EXPECT_EQ(scene.nodes[find(scene, "hull.collision")].local, Transform{});
    EXPECT_EQ(converted.report.count("collision-baked"), 1u);
}

}  // namespace
