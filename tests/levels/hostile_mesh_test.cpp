/// Meshes that are tiny, broken or of another kind than triangles of a surface.

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "effigy/levels.hpp"
#include "effigy/validate.hpp"

#include "levels/measure.hpp"
#include "levels/shapes.hpp"
#include "scene/attributes.hpp"

namespace effigy::test {
namespace {

Mesh mesh_of(const std::vector<Vec3>& places, std::vector<std::uint32_t> indices,
             Topology topology = Topology::triangles) {
    Mesh mesh;
    mesh.vertex_count = static_cast<std::uint32_t>(places.size());
    const auto out = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    std::copy(places.begin(), places.end(), out.begin());
    Primitive primitive;
    primitive.vertex_count = mesh.vertex_count;
    primitive.indices.assign(indices.begin(), indices.end());
    primitive.topology = topology;
    mesh.primitives.push_back(std::move(primitive));
    return mesh;
}

/// Levels of it; whatever it is, the scene stays as sound as it was.
std::vector<Mesh> levels_of(Mesh mesh, CollisionShape collision = CollisionShape::none) {
    Scene scene = scene_of(std::move(mesh));
    const bool was_sound = !validate(scene).has_errors();
    LevelOptions options;
    options.ratios = {0.5, 0.1};
    options.collision = collision;
    const auto report = make_levels(scene, options);
    EXPECT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(!validate(scene).has_errors(), was_sound);
    std::vector<Mesh> levels;
    for (const Index level : scene.nodes.front().lods) levels.push_back(scene.meshes[scene.nodes[level].mesh]);
    return levels;
}

const std::vector<Vec3> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(LevelsOfHostileMeshes, TinyOnesHaveNone) {
    EXPECT_TRUE(levels_of(mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2})).empty());
    EXPECT_TRUE(levels_of(mesh_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {0, 1, 2, 0, 2, 3})).empty());
    EXPECT_TRUE(levels_of(mesh_of(tetrahedron, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})).empty());
}

TEST(LevelsOfHostileMeshes, EmptyOnesHaveNone) {
    EXPECT_TRUE(levels_of({}).empty());
    EXPECT_TRUE(levels_of(mesh_of({}, {})).empty());
    EXPECT_TRUE(levels_of(mesh_of(tetrahedron, {})).empty());
}

TEST(LevelsOfHostileMeshes, TrianglesWithoutAnAreaGo) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), huge = 3e38f;
    EXPECT_TRUE(levels_of(mesh_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {0, 1, 2, 0, 0, 1, 2, 2, 2})).empty());
    EXPECT_TRUE(levels_of(mesh_of({{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2})).empty());
    for (const float bad : {nan, huge, -huge}) {
        Mesh mesh = grid(8);
        mesh.attributes.front().data.as<Vec3>()[40].x = bad;
        for (const CollisionShape shape : {CollisionShape::mesh, CollisionShape::hull, CollisionShape::simplify})
            (void)levels_of(mesh, shape);
    }
    Mesh mesh = grid(8);
    for (std::uint32_t i = 0; i < 30; ++i) mesh.primitives.front().indices.push_back(i % 2);
    EXPECT_EQ(levels_of(mesh).size(), 2u);
}

TEST(LevelsOfHostileMeshes, EdgesOfManyTrianglesStay) {
    // Three grids that meet in one line.
    Mesh mesh = grid(12);
    const std::vector<Vec3> places(mesh.attributes[0].data.as<Vec3>().begin(),
                                   mesh.attributes[0].data.as<Vec3>().end());
    std::vector<Vec3> all;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t leaf = 0; leaf < 3; ++leaf) {
        const float angle = 2.1f * static_cast<float>(leaf);
        for (const std::uint32_t index : mesh.primitives.front().indices)
            indices.push_back(leaf * mesh.vertex_count + index);
        for (const Vec3& p : places) all.push_back({p.x * std::cos(angle), p.y, p.x * std::sin(angle)});
    }
    const auto levels = levels_of(mesh_of(all, indices));
    ASSERT_EQ(levels.size(), 2u);
    EXPECT_LT(plain_distance(mesh_of(all, indices), levels.back()), 1e-6);
}

TEST(LevelsOfHostileMeshes, BothSidesOfALeafStay) {
    Mesh mesh = grid(8);
    auto& indices = mesh.primitives.front().indices;
    for (std::size_t i = 0, count = indices.size(); i < count; i += 3) {
        for (const std::size_t k : {0u, 2u, 1u}) indices.push_back(indices[i + k]);
    }
    (void)levels_of(mesh);
}

TEST(LevelsOfHostileMeshes, StripsAndFansAreTriangles) {
    std::vector<Vec3> places;
    std::vector<std::uint32_t> strip;
    for (std::uint32_t i = 0; i < 40; ++i) {
        places.push_back({static_cast<float>(i / 2), static_cast<float>(i % 2), 0});
        strip.push_back(i);
    }
    const auto levels = levels_of(mesh_of(places, strip, Topology::triangle_strip));
    ASSERT_EQ(levels.size(), 2u);
    EXPECT_LE(triangles_of(levels[1]), 4u);
    EXPECT_LT(plain_distance(mesh_of(places, strip, Topology::triangle_strip), levels[1]), 1e-6);
    std::vector<Vec3> rim{{0, 0, 0}};
    std::vector<std::uint32_t> fan{0};
    for (std::uint32_t i = 0; i <= 32; ++i) {
        rim.push_back({std::cos(0.1f * static_cast<float>(i)), std::sin(0.1f * static_cast<float>(i)), 0});
        fan.push_back(i + 1);
    }
    EXPECT_EQ(levels_of(mesh_of(rim, fan, Topology::triangle_fan)).size(), 2u);
}

TEST(LevelsOfHostileMeshes, LinesAndPointsStay) {
    Mesh mesh = grid(8);
    Primitive lines = mesh.primitives.front();
    lines.topology = Topology::lines;
    lines.indices.assign({0, 1, 1, 2});
    mesh.primitives.push_back(lines);
    const auto levels = levels_of(mesh);
    ASSERT_EQ(levels.size(), 2u);
    ASSERT_EQ(levels[1].primitives.size(), 2u);
    EXPECT_EQ(levels[1].primitives[1].topology, Topology::lines);
    EXPECT_EQ(levels[1].primitives[1].indices.size(), 4u);
    EXPECT_TRUE(levels_of(mesh_of(tetrahedron, {0, 1, 2, 3}, Topology::lines)).empty());
}

TEST(LevelsOfHostileMeshes, ScenesThatContradictItselfAreRefused) {
    Scene lost = scene_of(grid(4)), blind = scene_of(grid(4));
    lost.nodes.front().mesh = 7;
    blind.meshes.front().attributes.erase(blind.meshes.front().attributes.begin());
    LevelOptions options;
    options.ratios = {0.5};
    for (Scene* const scene : {&lost, &blind}) {
        const auto report = make_levels(*scene, options);
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().code, "scene-invalid");
    }
}

}  // namespace
}  // namespace effigy::test
