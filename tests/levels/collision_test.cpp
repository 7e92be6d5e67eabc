/// Collision meshes that are made: hulls, and what is cut down.

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effigy/levels.hpp"
#include "effigy/scene_access.hpp"
#include "effigy/validate.hpp"

#include "levels/measure.hpp"
#include "levels/shapes.hpp"

namespace effigy::test {
namespace {

struct Collided {
    Scene scene;
    Report report;

    [[nodiscard]] const Node* node() const {
        const Node& last = scene.nodes.back();
        return last.collision ? &last : nullptr;
    }
    [[nodiscard]] const Mesh& mesh() const { return scene.meshes[node()->mesh]; }
};

Collided collide(Scene scene, CollisionShape shape, std::size_t most = 5000) {
    Collided made{std::move(scene), {}};
    LevelOptions options;
    options.collision = shape;
    options.collision_triangles = most;
    auto report = make_levels(made.scene, options);
    EXPECT_TRUE(report) << to_string(report.error());
    if (report) made.report = std::move(*report);
    EXPECT_FALSE(validate(made.scene).has_errors());
    return made;
}

/// How far a point of the mesh is outside of a convex mesh at most.
double outside(const Mesh& hull, const Mesh& mesh) {
    const FloatView corners(hull, Semantic::position), points(mesh, Semantic::position);
    const auto& indices = hull.primitives.front().indices;
    double most = -1e9;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const auto a = corners[indices[i]], b = corners[indices[i + 1]], c = corners[indices[i + 2]];
        const double e[] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, f[] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double n[] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
        const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (std::uint32_t v = 0; v < mesh.vertex_count; ++v) {
            const auto p = points[v];
            const double height = n[0] * (p[0] - a[0]) + n[1] * (p[1] - a[1]) + n[2] * (p[2] - a[2]);
            most = std::max(most, height / length);
        }
    }
    return most;
}

void expect_shape_only(const Mesh& mesh) {
    ASSERT_EQ(mesh.attributes.size(), 1u);
    EXPECT_EQ(mesh.attributes[0].semantic, Semantic::position);
    ASSERT_EQ(mesh.primitives.size(), 1u);
    EXPECT_EQ(mesh.primitives[0].material, no_index);
    EXPECT_TRUE(open_edges(mesh).empty());
}

TEST(Collision, HullsHoldEverything) {
    for (const double bumps : {0.0, 0.1}) {
        const Collided made = collide(scene_of(sphere(16, bumps)), CollisionShape::hull);
        ASSERT_NE(made.node(), nullptr);
        EXPECT_EQ(made.node()->name, "hull-collision");
        EXPECT_TRUE(made.node()->hidden);
        EXPECT_EQ(made.node()->follows, 0u);
        expect_shape_only(made.mesh());
        EXPECT_LT(outside(made.mesh(), made.scene.meshes[0]), 1e-6) << "wound outwards, and nothing sticks out";
        EXPECT_EQ(triangles_of(made.mesh()), 2 * made.mesh().vertex_count - 4);
        EXPECT_EQ(made.report.count("collision-made"), 1u);
    }
}

TEST(Collision, LargeHullsAreHullsOfLess) {
    const Collided made = collide(scene_of(sphere(40)), CollisionShape::hull, 500);
    EXPECT_LE(triangles_of(made.mesh()), 500u);
    EXPECT_LT(outside(made.mesh(), made.mesh()), 1e-6);
    EXPECT_LT(surface_distance(made.scene.meshes[0], made.mesh()), 0.08);
}

TEST(Collision, MeshesAreCutDown) {
    const Collided made = collide(scene_of(sphere(32, 0.05)), CollisionShape::simplify, 1000);
    EXPECT_LE(triangles_of(made.mesh()), 1000u);
    EXPECT_GE(triangles_of(made.mesh()), 900u);
    expect_shape_only(made.mesh());
    EXPECT_LT(surface_distance(made.scene.meshes[0], made.mesh()), 0.03);
    // Seams of textures and hard edges do not matter to a shape.
    const Collided flat = collide(scene_of(with_flat_faces(sphere(40))), CollisionShape::simplify, 1000);
    EXPECT_LE(triangles_of(flat.mesh()), 1000u);
    expect_shape_only(flat.mesh());
}

TEST(Collision, MeshesAsTheyAreHaveTheirPlacesOnce) {
    const Collided made = collide(scene_of(with_flat_faces(sphere(12))), CollisionShape::mesh);
    EXPECT_EQ(triangles_of(made.mesh()), triangles_of(made.scene.meshes[0]));
    EXPECT_EQ(made.mesh().vertex_count, 11u * 24 + 2);
    expect_shape_only(made.mesh());
}

TEST(Collision, OfWhatIsFlatIsTheMeshItself) {
    const Collided made = collide(scene_of(grid(8)), CollisionShape::hull);
    EXPECT_EQ(made.report.count("collision-flat"), 1u);
    EXPECT_EQ(triangles_of(made.mesh()), 128u);
}

TEST(Collision, StandsWhereTheMeshStands) {
    Scene scene = scene_of(sphere(8));
    add_node(scene, "root", no_index);
    add_child(scene, 1, 0);
    scene.nodes[1].local.translation = {1, 2, 3};
    scene.nodes[0].local.scale = {2, 2, 2};
    const Collided made = collide(std::move(scene), CollisionShape::hull);
    const auto worlds = world_matrices(made.scene);
    EXPECT_EQ(worlds.back(), worlds.front());
    EXPECT_EQ(made.node()->parent, no_index);
}

TEST(Collision, IsMadeOnceOnly) {
    Collided made = collide(scene_of(sphere(8)), CollisionShape::hull);
    const std::size_t before = made.scene.nodes.size();
    EXPECT_EQ(collide(made.scene, CollisionShape::simplify).scene.nodes.size(), before);
    made.scene.nodes.back().name = "else";
    EXPECT_EQ(collide(made.scene, CollisionShape::simplify).scene.nodes.size(), before) << "it follows the node";
    made.scene.nodes.back().name = "hull-collision1";
    made.scene.nodes.back().follows = no_index;
    EXPECT_EQ(collide(made.scene, CollisionShape::simplify).scene.nodes.size(), before) << "it is called so";
}

TEST(Collision, OfAWreckIsNoneOfItsPart) {
    Collided made = collide(scene_of(sphere(8)), CollisionShape::hull);
    Node& wreck = made.scene.nodes.back();
    wreck.name = "hull_wreck-collision";
    wreck.extras.json = R"({"kind":"collision","part":"hull","wreck":true})";
    const std::size_t before = made.scene.nodes.size();
    EXPECT_EQ(collide(made.scene, CollisionShape::hull).scene.nodes.size(), before + 1);
}

TEST(Collision, IsNoneOfSkinnedMeshes) {
    const Collided made = collide(skinned_tube(8), CollisionShape::hull);
    EXPECT_EQ(made.node(), nullptr);
    EXPECT_EQ(made.report.count("collision-skinned"), 1u);
}

}  // namespace
}  // namespace effigy::test
