/// Extras that nobody can trust.

#include <gtest/gtest.h>
#include <random>

#include "emfx/fixtures.hpp"
#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

std::vector<Extras*> extras_of(Scene& scene) {
    std::vector<Extras*> list{&scene.asset_extras};
    for (Node& node : scene.nodes) list.push_back(&node.extras);
    for (Mesh& mesh : scene.meshes) list.push_back(&mesh.extras);
    for (Material& material : scene.materials) list.push_back(&material.extras);
    return list;
}

/// Changes some digits and letters, swaps numbers for others, cuts texts.
void damage(std::string& text, std::mt19937& random) {
    static const std::array<std::string, 8> values{"4294967295", "-1", "0", "null", "[]", "{}", "\"x\"", "1e300"};
    for (int count = 0; count < 4 && !text.empty(); ++count) {
        const std::size_t at = random() % text.size();
        if (random() % 3 == 0) {
            const std::size_t number = text.find_first_of("0123456789", at);
            if (number == std::string::npos) continue;
            const std::size_t end = text.find_first_not_of("0123456789.", number);
            text.replace(number, end == std::string::npos ? end : end - number, values[random() % values.size()]);
        } else if (text[at] >= '0' && text[at] <= '9') {
            text[at] = static_cast<char>('0' + random() % 10);
        } else if (random() % 8 == 0) {
            text.resize(at);
        }
    }
}

TEST(EmfxActorHostile, DamagedExtrasAreSafe) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    Scene whole = scene_of(std::move(file->value));
    set_untouched(whole);
    std::size_t made = 0;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        std::mt19937 random(seed);
        Scene scene = whole;
        const auto list = extras_of(scene);
        damage(list[random() % list.size()]->json, random);
        const auto files = emfx::from_scene(scene);
        if (files && xac::write(files->value.actor)) ++made;
    }
    EXPECT_GT(made, 800u);
}

TEST(EmfxActorHostile, LostExtrasAreNoHindrance) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    const std::size_t own_errors = xac::check(file->value).count(Severity::error);
    Scene whole = scene_of(std::move(file->value));
    set_untouched(whole);
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        Scene scene = whole;
        for (Extras* extras : extras_of(scene)) {
            if (random() % 3 == 0) *extras = {};
            if (random() % 3 == 0) extras->hash = 0;
        }
        const auto files = files_of(scene);
        EXPECT_TRUE(xac::write(files.value.actor)) << seed;
        EXPECT_LE(xac::check(files.value.actor).count(Severity::error), own_errors) << seed << "\n"
                                                                                    << findings(files.value.actor);
    }
}

TEST(EmfxActorHostile, MemoryIsBounded) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    const Scene scene = scene_of(std::move(file->value));
    emfx::FromSceneOptions options;
    options.limits.memory = 100;
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
}

TEST(EmfxActorHostile, InstancesOfAMeshWithManyTargets) {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 3;
    Attribute& positions = mesh.attributes.emplace_back();
    positions.data.element = ElementType::vec3;
    positions.data.bytes.resize(36);
    mesh.primitives.push_back({0, 3, {0, 1, 2}, no_index, Topology::triangles});
    mesh.targets.resize(2000);
    scene.nodes.resize(200);
    for (Node& node : scene.nodes) node.mesh = 0;
    emfx::FromSceneOptions options;
    options.limits.memory = 32U << 20U;
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
}

/// Each level has a number for each node.
TEST(EmfxActorHostile, ManyLevelsOfManyNodes) {
    builders::ActorFile actor;
    std::vector<xac::Node> nodes;
    for (int i = 0; i < 2000; ++i) nodes.push_back(builders::node("node" + std::to_string(i)));
    actor.nodes(std::move(nodes));
    for (int i = 0; i < 5000; ++i) {
        xac::MeshLod level;
        level.actor.emplace_back();
        actor.add(8, 1, std::move(level));
    }
    Scene scene = scene_of(std::move(actor.file));
    set_untouched(scene);
    emfx::FromSceneOptions options;
    options.limits.memory = 32U << 20U;
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
    options.limits.memory = 256U << 20U;
    EXPECT_TRUE(emfx::from_scene(scene, options));
}

/// Each level gets a copy of the actor's nodes where these have changed.
TEST(EmfxActorHostile, ManyLevelsOfANodeWithALongName) {
    builders::ActorFile actor;
    actor.nodes({builders::node(std::string(1U << 20U, 'n'))});
    for (int i = 0; i < 100; ++i) {
        xac::MeshLod level;
        level.actor.emplace_back();
        actor.add(8, 1, std::move(level));
    }
    Scene scene = scene_of(std::move(actor.file));
    set_untouched(scene);
    scene.nodes.front().local.translation = {1, 0, 0};
    emfx::FromSceneOptions options;
    options.limits.memory = 32U << 20U;
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
    options.limits.memory = 256U << 20U;
    EXPECT_TRUE(emfx::from_scene(scene, options));
}

Scene two_nodes(const char* upper, const char* lower) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].name = upper;
    scene.nodes[1].name = lower;
    scene.nodes[0].children = {1};
    scene.nodes[1].parent = 0;
    return scene;
}

TEST(EmfxActorHostile, NodesWithoutNamesAreNodes) {
    const auto files = emfx::from_scene(two_nodes("", ""));
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(scene_of(files->value.actor).nodes.size(), 2u);
}

TEST(EmfxActorHostile, NothingThatCouldBeAnActor) {
    const auto refused = emfx::from_scene(two_nodes("effigy_root", "effigy_root.twin"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "emfx-empty");
}

}  // namespace
