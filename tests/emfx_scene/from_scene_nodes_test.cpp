/// Nodes of actors that were lost in part, or stood in other files: how they rest, and what goes on naming them.

#include <array>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"

namespace {

using namespace effigy;
using namespace actor_back;
using builders::ActorFile;

constexpr std::array<std::uint8_t, 2> orders{0, 1};
constexpr std::uint8_t other(std::uint8_t order) { return order == 0 ? orders[1] : orders[0]; }

/// One below the other, with scales along axes of their own. In multiplication order 1 `tip` is one node of the scene
/// all the same: its axes turn with it.
std::vector<xac::Node> stretched_nodes() {
    using namespace builders;
    std::vector<xac::Node> nodes{node("root", xac::no_node, {1, 2, 3}), node("arm", 0, {0, 1, -2}),
                                 node("hand", 1, {0.5f, 0, 1}), node("tip", 2, {0, 0.25f, 0.5f})};
    nodes[1].rotation = turn({1, 2, 3}, 70);
    nodes[1].scale = {2, 0.5f, 1};
    nodes[2].rotation = turn({-1, 0, 1}, 25);
    nodes[2].scale = {1, 3, 0.7f};
    nodes[2].scale_rotation = turn({0, 1, 1}, 33);
    nodes[3].rotation = nodes[3].scale_rotation = turn({3, 1, 0}, 50);
    nodes[3].scale = {0.02f, 0.03f, 0.01f};
    return nodes;
}

Scene untouched_scene_of(const xac::File& file) {
    Scene scene = scene_of(file);
    set_untouched(scene);
    return scene;
}

/// Small ones as exactly as large ones.
void expect_same_rest(const Scene& scene, const xac::File& file) {
    const Scene again = scene_of(file);
    for (const xac::Node* node : xac::nodes(file)) {
        const glm::dmat4 was = builders::world(scene, builders::find(scene, node->name));
        const glm::dmat4 is = builders::world(again, builders::find(again, node->name));
        for (int column = 0; column < 4; ++column) {
            const double size = column == 3 ? 1 : glm::length(was[column]);
            EXPECT_LT(glm::length(was[column] - is[column]), 1e-5 * size) << node->name << ", column " << column;
        }
    }
}

/// As after modelling programs, which drop bulk data or all extras of the asset.
TEST(EmfxActorNodes, RestAsTheSceneHasThemWhereTheirRecordsAreLost) {
    for (const std::uint8_t order : orders) {
        const ActorFile actor = ActorFile(order).nodes(stretched_nodes());
        for (const bool is_all_lost : {false, true}) {
            SCOPED_TRACE(std::to_string(order) + (is_all_lost ? ", all" : ", bulk data"));
            Scene scene = untouched_scene_of(actor.file);
            scene.asset_extras.bulk.clear();
            if (is_all_lost) scene.asset_extras = {};
            const xac::File file = files_of(scene).value.actor;
            EXPECT_EQ(file.header.multiplication_order, is_all_lost ? orders[0] : order);
            expect_same_rest(scene, file);
        }
        EXPECT_EQ(difference(xac::write(actor.file).value(), xac::write(round_trip(actor.file)).value()), "");
    }
}

TEST(EmfxActorNodes, OfAnotherOrderRestAsTheyDid) {
    for (const std::uint8_t order : orders) {
        emfx::SceneInput input = builders::input(ActorFile(order).nodes({builders::node("base")}));
        ActorFile second = ActorFile(other(order)).nodes(stretched_nodes());
        input.actors.push_back({{"second", 0, {}}, std::move(second.file)});
        Scene scene = builders::convert(std::move(input)).value;
        set_untouched(scene);
        const xac::File file = files_of(scene).value.actor;
        EXPECT_EQ(file.header.multiplication_order, order);
        EXPECT_EQ(xac::nodes(file).size(), 5u);
        expect_same_rest(scene, file);
    }
}

TEST(EmfxActorNodes, OfALevelHaveTheOrderOfTheActorThatTheyComeFrom) {
    for (const std::uint8_t order : orders) {
        ActorFile actor(order), far(other(order));
        for (ActorFile* one : {&actor, &far}) one->nodes(stretched_nodes()).mesh(builders::triangle(3));
        xac::MeshLod level;
        level.actor.push_back(std::move(far.file));
        actor.add(8, 1, std::move(level));
        Scene scene = untouched_scene_of(actor.file);
        for (const bool is_edited : {false, true}) {
            if (is_edited) scene.nodes[builders::find(scene, "root")].local.translation.x += 1;
            const xac::File file = files_of(scene).value.actor;
            const xac::File* const again = level_of(file);
            ASSERT_NE(again, nullptr);
            EXPECT_EQ(again->header.multiplication_order, is_edited ? order : other(order));
            if (is_edited) expect_same_rest(scene, *again);
        }
    }
}

// --- numbers

/// An actor whose chunks name all of its nodes, and `more`.
xac::File named_nodes(std::vector<std::uint16_t> more = {}) {
    using namespace builders;
    ActorFile actor;
    xac::Info info;
    info.reposition_node = 2;
    actor.add(7, 2, std::move(info)).nodes({node("root"), node("arm", 0, {0, 1, 0}), node("hand", 1, {0, 1, 0})});
    more.insert(more.begin(), {1, 2});
    xac::NodeGroups groups;
    xac::AttachmentNodes attachments;
    xac::MorphTarget target;
    target.name = "wave";
    xac::NodeGroup group;
    group.name = "arms";
    for (const std::uint16_t number : more) {
        xac::Limit limit;
        limit.node = number;
        actor.add(6, 1, limit);
        group.nodes.push_back(number);
        attachments.nodes.push_back(number);
        xac::MorphTransformation transformation;
        transformation.node = number;
        target.transformations.push_back(transformation);
    }
    groups.groups.push_back(std::move(group));
    xac::Mesh mesh = triangle(0);
    mesh.submeshes.front().bones.assign(more.begin(), more.end());
    xac::NodeMotionSources sources;
    sources.sources = {0xffff, 2, 1};
    xac::MorphTargets targets;
    targets.targets.push_back(std::move(target));
    actor.mesh(std::move(mesh)).add(12, 1, std::move(targets));
    return actor.add(10, 1, std::move(groups)).add(14, 1, std::move(sources)).add(15, 1, std::move(attachments)).file;
}

/// Numbers of the nodes that chunks name, each kind for itself, and the mirror.
std::vector<std::vector<std::uint32_t>> named_in(const xac::File& file) {
    std::vector<std::vector<std::uint32_t>> lists(7);
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* info = std::get_if<xac::Info>(&chunk.record)) lists[0] = {info->reposition_node};
        if (const auto* limit = std::get_if<xac::Limit>(&chunk.record)) lists[1].push_back(limit->node);
        if (const auto* groups = std::get_if<xac::NodeGroups>(&chunk.record))
            lists[2].assign(groups->groups.front().nodes.begin(), groups->groups.front().nodes.end());
        if (const auto* list = std::get_if<xac::AttachmentNodes>(&chunk.record))
            lists[3].assign(list->nodes.begin(), list->nodes.end());
        if (const auto* mirror = std::get_if<xac::NodeMotionSources>(&chunk.record))
            lists[4].assign(mirror->sources.begin(), mirror->sources.end());
        if (const auto* targets = std::get_if<xac::MorphTargets>(&chunk.record)) {
            for (const auto& one : targets->targets.front().transformations) lists[5].push_back(one.node);
        }
        if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record))
            lists[6].assign(mesh->submeshes.front().bones.begin(), mesh->submeshes.front().bones.end());
    }
    return lists;
}

/// The last node of the scene.
void remove_hand(Scene& scene) {
    ASSERT_EQ(scene.nodes.back().name, "hand");
    std::erase(scene.nodes[scene.nodes.back().parent].children, static_cast<Index>(scene.nodes.size() - 1));
    scene.nodes.pop_back();
}

using Lists = std::vector<std::vector<std::uint32_t>>;

TEST(EmfxActorNodes, ThatAreGoneAreNamedByNothing) {
    const std::vector<std::vector<std::uint16_t>> kinds{{}, {7}};
    for (const std::vector<std::uint16_t>& more : kinds) {
        const xac::File file = named_nodes(more);
        EXPECT_EQ(difference(xac::write(file).value(), xac::write(round_trip(file)).value()), "");
        Scene scene = untouched_scene_of(file);
        remove_hand(scene);
        const xac::File without = files_of(scene).value.actor;
        EXPECT_EQ(named_in(without), (Lists{{xac::no_node}, {1}, {1}, {1}, {0xffff, 0xffff}, {1}, {}}));
        EXPECT_EQ(xac::check(without).count("node-range"), 0u);
        // A new node in its place takes nothing over.
        const auto fresh = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = "fresh";
        add_child(scene, builders::find(scene, "arm"), fresh);
        const xac::File with = files_of(scene).value.actor;
        EXPECT_EQ(xac::nodes(with).size(), 3u);
        EXPECT_EQ(named_in(with), (Lists{{xac::no_node}, {1}, {1}, {1}, {0xffff, 0xffff, 0xffff}, {1}, {}}));
    }
}

/// Records before version 4 have no counts of children; levels that are made of the actor have them.
TEST(EmfxActorNodes, OfOldFilesAreCountedInNewLevels) {
    using namespace builders;
    xac::Mesh coarse = triangle(1);
    coarse.lod = 1;
    ActorFile actor;
    actor.add(0, 3, node("root")).add(0, 3, node("arm", 0, {0, 1, 0})).mesh(triangle(1)).add(1, 2, std::move(coarse));
    emfx::FromSceneOptions options;
    options.levels = emfx::LevelStorage::embedded;
    Scene scene = untouched_scene_of(actor.file);
    std::string& extras = scene.nodes[find(scene, "root")].extras.json;
    EXPECT_EQ(extras.find("child_count"), std::string::npos) << extras;
    for (const bool is_told : {false, true}) {
        if (is_told) extras.insert(1, R"("child_count":0,)");  // as records of other programs' files may say
        const xac::File file = files_of(scene, options).value.actor;
        const xac::File* const level = level_of(file);
        ASSERT_NE(level, nullptr);
        EXPECT_EQ(xac::nodes(*level).at(0)->child_count, 1u) << is_told;
    }
}

TEST(EmfxActorNodes, WithoutASourceKeepTheirMirrorAxes) {
    using namespace builders;
    xac::NodeMotionSources mirror;
    mirror.has_axes = true;
    mirror.sources = {0xffff, 2, 1, 0xffff};
    mirror.axes = {0, 1, 2, 1};
    mirror.flags = {1, 2, 3, 4};
    ActorFile actor;
    actor.nodes({node("root"), node("left", 0), node("right", 0), node("tail", 0)}).mesh(triangle(0));
    Scene scene = untouched_scene_of(actor.add(14, 1, std::move(mirror)).file);
    scene.nodes[find(scene, "tail")].local.translation.x += 1;
    const auto fresh = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = "fresh";
    add_child(scene, find(scene, "root"), fresh);
    const xac::File file = files_of(scene).value.actor;
    const auto* const now = std::get_if<xac::NodeMotionSources>(&file.chunks.back().record);
    ASSERT_NE(now, nullptr);
    const auto list = [](const auto& values) { return std::vector<int>(values.begin(), values.end()); };
    EXPECT_EQ(list(now->sources), (std::vector{0xffff, 2, 1, 0xffff, 0xffff}));
    EXPECT_EQ(list(now->axes), (std::vector{0, 1, 2, 1, 0}));
    EXPECT_EQ(list(now->flags), (std::vector{1, 2, 3, 4, 0}));
}

TEST(EmfxActorNodes, ThatNeverWereAreNamedOnlyWhereNothingIsEdited) {
    Scene scene = untouched_scene_of(named_nodes({7}));
    scene.nodes[builders::find(scene, "arm")].local.translation.x += 1;
    EXPECT_EQ(named_in(files_of(scene).value.actor), (Lists{{2}, {1, 2}, {1, 2}, {1, 2}, {0xffff, 2, 1}, {1, 2}, {}}));
}

/// What is kept as bytes cannot say other numbers.
TEST(EmfxActorNodes, ThatAreGoneTakeChunksAlongThatNobodyCanRead) {
    using namespace builders;
    xac::Mesh empty = triangle(1);
    empty.submeshes.clear();
    empty.index_count = 0;
    ActorFile actor;
    actor.nodes({node("root"), node("hand", 0, {0, 1, 0})}).mesh(triangle(0)).mesh(std::move(empty));
    EXPECT_EQ(difference(xac::write(actor.file).value(), xac::write(round_trip(actor.file)).value()), "");
    Scene scene = untouched_scene_of(actor.file);
    remove_hand(scene);
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(xac::check(file).count("node-range"), 0u);
    ASSERT_EQ(file.chunks.size(), 2u);
    EXPECT_EQ(file.chunks.back().id, 1u);
}

}  // namespace
