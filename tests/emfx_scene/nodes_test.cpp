/// Nodes of actors in scenes: transforms of both orders, parents, names.

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>

#include "builders.hpp"
#include "core/json_members.hpp"
#include "scene/records.hpp"

namespace {

using namespace builders;

/// Nodes with everything that a transform can hold, one below the other.
std::vector<xac::Node> hard_nodes() {
    std::vector<xac::Node> nodes{node("root", xac::no_node, {1, 2, 3}), node("arm", 0, {0, 1, -2}),
                                 node("hand", 1, {0.5f, 0, 1}), node("tip", 2, {0, 0.25f, 0.5f})};
    nodes[0].rotation = turn({0, 1, 0}, 40);
    nodes[1].rotation = turn({1, 2, 3}, 70);
    nodes[1].scale = {2, 0.5f, 1};
    nodes[2].rotation = turn({-1, 0, 1}, 25);
    nodes[2].scale = {1, -3, 0.7f};
    nodes[2].scale_rotation = turn({0, 1, 1}, 33);
    nodes[3].scale = {-1, -1, -1};
    nodes[3].rotation = turn({3, 1, 0}, 200);
    return nodes;
}

class Order : public testing::TestWithParam<int> {};

TEST_P(Order, WorldTransformsAreThoseOfTheFile) {
    const std::vector<xac::Node> nodes = hard_nodes();
    const auto scene = convert(ActorFile(static_cast<std::uint8_t>(GetParam())).nodes(nodes)).value;
    glm::dmat4 expected(1);
    for (const xac::Node& record : nodes) {
        expected = expected * expected_local(record, GetParam());
        EXPECT_LT(difference(world(scene, find(scene, record.name)), expected), 1e-5) << record.name;
    }
}

TEST_P(Order, OnlyWhatOneNodeCannotSayBecomesTwo) {
    const auto converted = convert(ActorFile(static_cast<std::uint8_t>(GetParam())).nodes(hard_nodes()));
    const Scene& scene = converted.value;
    // Scale before rotation is what glTF says; turned scale axes are not.
    EXPECT_EQ(scene.nodes.size(), GetParam() == 0 ? 5u : 6u);
    EXPECT_EQ(scene.nodes[find(scene, "hand")].parent, find(scene, "hand.scale"));
    EXPECT_EQ(scene.nodes[find(scene, "tip")].parent, find(scene, "hand"));
    EXPECT_EQ(scene.nodes[find(scene, "hand.scale")].extras.json, R"({"helper":true})");
    EXPECT_EQ(converted.report.count("scale-baked"), 1u);
}

INSTANTIATE_TEST_SUITE_P(Both, Order, testing::Values(0, 1));

TEST(Nodes, ScalesThatCommuteWithTheRotationStayPlain) {
    auto list = std::vector{node("a")};
    list[0].scale = {2, 2, 5};
    list[0].rotation = turn({0, 0, 1}, 30);
    EXPECT_EQ(convert(ActorFile(1).nodes(list)).value.nodes.size(), 1u);
    list[0].rotation = turn({1, 0, 0}, 30);
    EXPECT_EQ(convert(ActorFile(1).nodes(list)).value.nodes.size(), 2u);
}

TEST(Nodes, AxesAreMirrored) {
    auto list = std::vector{node("a", xac::no_node, {1, 2, 3})};
    list[0].rotation = {0.1f, 0.2f, 0.3f, 0.927362f};
    const Transform local = convert(ActorFile().nodes(list)).value.nodes[0].local;
    EXPECT_EQ(local.translation, (Vec3{1, 2, -3}));
    EXPECT_NEAR(local.rotation.x, -0.1, 1e-6);
    EXPECT_NEAR(local.rotation.y, -0.2, 1e-6);
    EXPECT_NEAR(local.rotation.z, 0.3, 1e-6);
    EXPECT_NEAR(local.rotation.w, 0.927362, 1e-6);
}

TEST(Nodes, ParentsThatDoNotComeFirstMakeRoots) {
    const auto converted = convert(ActorFile().nodes({node("a", 1), node("b", 1), node("c", 99), node("d", 2)}));
    for (const char* name : {"a", "b", "c"}) {
        EXPECT_EQ(converted.value.nodes[find(converted.value, name)].parent, no_index);
    }
    EXPECT_EQ(converted.value.nodes[3].parent, 2u);
    EXPECT_EQ(converted.report.count("node-parent"), 3u);
}

TEST(Nodes, BrokenNumbersAreReplacedAndReported) {
    auto list = std::vector{node("a", xac::no_node, {NAN, INFINITY, 1})};
    list[0].rotation = {0, 0, 0, 0};
    list[0].scale = {NAN, 2, INFINITY};
    const auto converted = convert(ActorFile().nodes(list));
    EXPECT_EQ(converted.value.nodes[0].local.translation, (Vec3{0, 0, -1}));
    EXPECT_EQ(converted.value.nodes[0].local.scale, (Vec3{1, 2, 1})) << "0 would hide it";
    EXPECT_EQ(converted.value.nodes[0].local.rotation, Quat{});
    EXPECT_EQ(converted.report.count("not-finite-replaced"), 1u);
    EXPECT_EQ(converted.report.count("rotation-zero"), 1u);
    // The whole transform of node 0, to the bit: its number, then position, rotation, scale and scale rotation.
    const Json asset = record_of(converted.value.asset_extras);
    const Bytes kept = bytes_at(asset.at("file"), "transforms").value();
    ASSERT_EQ(kept.size(), 15 * sizeof(float));
    const std::array<std::uint32_t, 4> first{0, 0x7fc00000u, 0x7f800000u, 0x3f800000u};
    EXPECT_EQ(std::memcmp(kept.data(), first.data(), sizeof first), 0);
}

TEST(Nodes, SingleNodeChunksAndListsAreCountedTogether) {
    ActorFile actor;
    actor.add(0, 4, node("a")).add(0, 4, node("b", 0)).nodes({node("c", 1)});
    const auto scene = convert(std::move(actor)).value;
    EXPECT_EQ(scene.nodes[2].parent, 1u);
}

TEST(Nodes, NotesOfOtherChunksStandInTheExtras) {
    xac::Limit limit;
    limit.node = 1;
    limit.translation_max = {1, 2, 3};
    xac::NodeGroups groups;
    groups.groups.push_back({0, {}, "upper", {0, 1}});
    xac::NodeMotionSources sources;
    sources.sources = {0xffff, 0};
    xac::AttachmentNodes attachments;
    attachments.nodes = {0};
    ActorFile actor;
    actor.nodes({node("a"), node("b", 0)})
        .add(6, 1, limit)
        .add(10, 1, groups)
        .add(14, 1, sources)
        .add(15, 1, attachments);
    const auto scene = convert(std::move(actor)).value;
    const std::string& a = scene.nodes[0].extras.json;
    const std::string& b = scene.nodes[1].extras.json;
    EXPECT_NE(a.find(R"("groups":["upper"])"), std::string::npos);
    EXPECT_NE(a.find(R"("attachment":true)"), std::string::npos);
    EXPECT_EQ(a.find("motion_source"), std::string::npos);
    EXPECT_NE(b.find(R"("translation_max":[1.0,2.0,3.0])"), std::string::npos) << b;
    EXPECT_NE(b.find(R"("motion_source":0)"), std::string::npos);
}

TEST(Nodes, LaterActorsJoinByName) {
    auto body = ActorFile().nodes({node("root"), node("head", 0, {0, 1, 0})});
    auto hat = ActorFile().nodes({node("head", xac::no_node, {0, 5, 0}), node("feather", 0, {0, 1, 0})});
    emfx::SceneInput files = input(std::move(body));
    files.actors.push_back({{"hat", 0, {}}, std::move(hat.mesh(triangle(1)).file)});
    const auto converted = convert(std::move(files));
    const Scene& scene = converted.value;
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[find(scene, "feather")].parent, find(scene, "head"));
    EXPECT_EQ(scene.nodes[find(scene, "head")].local.translation, (Vec3{0, 1, 0}));
    EXPECT_NE(scene.nodes[find(scene, "feather")].mesh, no_index);
    ASSERT_EQ(converted.report.count("binds-differ"), 1u);
    const auto& findings = converted.report.diagnostics();
    const auto differ = std::ranges::find(findings, "binds-differ", &Diagnostic::code);
    EXPECT_EQ(differ->found, "1 nodes, largest difference 4") << "whatever the locale makes of a decimal point";
    EXPECT_NE(scene.asset_extras.json.find(R"("parts":)"), std::string::npos);
}

TEST(Nodes, NothingToShowIsAnError) {
    const auto nothing = emfx::to_scene({});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, "nothing-to-show");
    emfx::SceneInput morph_only;
    morph_only.morph_motions.push_back({{"face", 0, {}}, {}});
    EXPECT_EQ(emfx::to_scene(std::move(morph_only)).error().code, "nothing-to-show");
    EXPECT_EQ(emfx::to_scene(input(ActorFile())).error().code, "nothing-to-show");
}

}  // namespace
