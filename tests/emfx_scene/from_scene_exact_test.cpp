/// Actors that nobody has edited come back byte for byte.

#include <algorithm>
#include <array>
#include <cstdio>
#include <gtest/gtest.h>

#include "corpus/corpus.hpp"
#include "emfx/fixtures.hpp"
#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"
#include "proof/trip.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

/// Empty if the bytes came back, else where they differ.
std::string trip(std::span<const std::byte> bytes) {
    auto file = xac::read(bytes);
    if (!file) return "not read";
    const auto before = xac::write(file->value);
    const auto after = xac::write(round_trip(file->value));
    if (!before || !after) return "not written: " + to_string(before ? after.error() : before.error());
    return difference(*before, *after);
}

TEST(EmfxActorExact, Corpus) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t exact = 0, all = 0;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        ++all;
        const std::string where = trip(file->bytes);
        EXPECT_EQ(where, "") << file->path;
        exact += where.empty() ? 1u : 0u;
    }
    std::printf("corpus: %zu of %zu actors came back from the scene byte for byte\n", exact, all);
}

class Fixtures : public testing::TestWithParam<test::Fixture> {};

/// Most fixtures are one chunk and no figure: each stands behind a figure here, so that there is something to show.
TEST_P(Fixtures, ComeBackBehindAFigure) {
    constexpr std::ptrdiff_t header = 8;
    for (const bool big : {false, true}) {
        Bytes bytes = test::whole_actor(big);
        const Bytes more = GetParam().bytes(big);
        bytes.insert(bytes.end(), more.begin() + header, more.end());
        EXPECT_EQ(trip(bytes), "") << (big ? "big-endian" : "little-endian");
    }
}

INSTANTIATE_TEST_SUITE_P(Xac, Fixtures, testing::ValuesIn(test::xac_fixtures()),
                         [](const auto& fixture) { return fixture.param.name; });

TEST(EmfxActorExact, WholeActor) {
    EXPECT_EQ(trip(test::whole_actor(false)), "");
    EXPECT_EQ(trip(test::whole_actor(true)), "");
}

TEST(EmfxActorExact, SkinsThatShareANodeOrBindNothing) {
    using namespace builders;
    const auto bound_to = [](std::uint16_t node) {
        return skinning(1, {{influence(1, node)}, {influence(1, node)}, {influence(1, node)}});
    };
    const auto actor = [] { return ActorFile().nodes({node("a"), node("b", 0, {0, 1, 0})}).mesh(triangle(1)); };
    const auto exact = [](const ActorFile& file) { return trip(xac::write(file.file).value()); };
    EXPECT_EQ(exact(actor().skinning(bound_to(0)).mesh(triangle(1)).skinning(bound_to(1))), "");
    EXPECT_EQ(exact(actor().mesh(triangle(1)).skinning(bound_to(0)).skinning(bound_to(1))), "");
    EXPECT_EQ(exact(actor().mesh(triangle(1)).skinning(bound_to(0))), "") << "fewer skinnings";
    EXPECT_EQ(exact(actor().skinning(bound_to(0)).skinning(bound_to(1))), "") << "fewer meshes";
    EXPECT_EQ(exact(actor().skinning(skinning(1, {{}, {}, {}}))), "");
    EXPECT_EQ(exact(actor().skinning(skinning(1, {{influence(1, 0)}, {}, {influence(1, 1)}}))), "");
}

/// Such nodes are roots, and whoever they name has no child by them.
TEST(EmfxActorExact, NodesWhoseParentDoesNotComeFirst) {
    using namespace builders;
    for (const std::uint32_t count : {0u, 1u}) {
        xac::Node late = node("late", 0, {0, 1, 0});
        late.child_count = count;
        const ActorFile file =
            ActorFile()
                .nodes({node("root"), node("early", 3), node("itself", 2, {1, 0, 0}), late, node("lost", 77)})
                .mesh(triangle(0));
        EXPECT_EQ(trip(xac::write(file.file).value()), "") << count;
    }
}

using builders::ActorFile;
using Influences = std::vector<std::vector<xac::Influence>>;

xac::StandardMaterial named(const std::string& name) {
    xac::StandardMaterial material;
    material.name = name;
    return material;
}

/// A figure, and levels of detail with nodes and a material that only they have: `b` below `a`, `c` above it all.
ActorFile with_own_levels(bool skin, int levels) {
    using namespace builders;
    ActorFile actor(1);
    actor.nodes({node("root"), node("a", 0, {0, 1, 0})}).add(13, 1, xac::MaterialInfo{0, 1, 1, 0});
    actor.add(3, 2, named("near")).mesh(triangle(1));
    if (skin) actor.skinning(skinning(1, Influences(3, {influence(1, 1)})));
    for (int i = 0; i < levels; ++i) {
        ActorFile far;
        far.nodes({node("c", xac::no_node, {3, 0, 0}), node("root"), node("a", 1, {0, 1, 0}), node("b", 2, {1, 0, 0})});
        far.add(3, 2, named("near")).add(3, 2, named("far" + std::to_string(i / 2)));
        xac::Mesh own = triangle(3), shared = triangle(2);
        own.submeshes[0].material = 1;
        far.mesh(std::move(shared));
        if (skin) far.skinning(skinning(2, Influences(3, {influence(0.5f, 2), influence(0.5f, 3)})));
        far.mesh(std::move(own));
        if (skin) far.skinning(skinning(3, Influences(3, {influence(0.75f, 3), influence(0.25f, 0)})));
        xac::MeshLod level;
        level.actor.push_back(std::move(far.file));
        actor.add(8, 1, std::move(level));
    }
    return actor;
}

template <class Record>
std::vector<const Record*> records_of(const xac::File& file) {
    std::vector<const Record*> records;
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* record = std::get_if<Record>(&chunk.record)) records.push_back(record);
    }
    return records;
}

Bytes glb_trip(const xac::File& file) {
    return xac::write(files_of(trip::scene_of(trip::glb_of(scene_of(file)))).value.actor).value();
}

/// The record of a mesh knows which of them has it.
TEST(EmfxActorExact, MeshesStayWithTheirNodeAmongNamesakes) {
    using namespace builders;
    const auto actor = [] {
        return ActorFile().nodes({node("root"), node("twin", 0, {1, 0, 0}), node("twin", 0, {2, 0, 0})});
    };
    const auto bound = [](std::uint32_t node) {
        return skinning(node, {{influence(1, 0)}, {influence(1, 1)}, {influence(1, 2)}});
    };
    xac::Mesh hull = triangle(2);
    hull.is_collision = 1;
    const std::vector<ActorFile> actors{
        actor().mesh(triangle(1)).mesh(triangle(2)),
        actor().mesh(triangle(1)).mesh(triangle(1)).mesh(triangle(2)).mesh(triangle(2)),
        actor().mesh(triangle(2)).skinning(bound(2)),
        actor().mesh(triangle(1)).skinning(bound(1)).mesh(triangle(2)).skinning(bound(2)),
        actor().mesh(triangle(1)).mesh(triangle(2)).skinning(bound(2)).mesh(hull),
    };
    for (std::size_t i = 0; i < actors.size(); ++i) {
        const Bytes bytes = xac::write(actors[i].file).value();
        EXPECT_EQ(trip(bytes), "") << i;
        EXPECT_EQ(difference(bytes, glb_trip(actors[i].file)), "") << i;
    }
}

TEST(EmfxActorExact, NamesKeepTheCodePageInWhichTheyWereRead) {
    using namespace builders;
    const std::string name = "\xB0\xA1";  // of CP949; two letters of CP1252, too
    ActorFile actor = ActorFile().nodes({node(name), node(name + "2", 0)});
    actor.add(3, 2, named(name)).mesh(triangle(0));
    const std::pair<const char*, const char*> pages[]{{"CP949", "\xEA\xB0\x80"},
                                                      {"ISO_8859-5:1988", "\xD0\x90\xD0\x81"}};
    for (const auto& [page, text] : pages) {
        emfx::SceneOptions options;
        options.encoding = page;
        Scene scene = scene_of(actor.file, options);
        EXPECT_EQ(scene.nodes.front().name, text);
        set_untouched(scene);
        EXPECT_EQ(difference(xac::write(files_of(scene).value.actor).value(), xac::write(actor.file).value()), "");
        scene.nodes[1].local.translation = {0, 2, 0};
        scene.materials.front().roughness = 0.5f;
        const xac::File edited = files_of(scene).value.actor;
        EXPECT_EQ(xac::nodes(edited)[1]->name, name + "2") << page;
        EXPECT_EQ(records_of<xac::StandardMaterial>(edited).at(0)->name, name) << page;
    }
}

/// A motion has a name's bytes as well.
TEST(EmfxActorExact, NamesKeepTheirBytesWhereAFileHasSeveralCodePages) {
    using namespace builders;
    const std::string latin =
                          "S\xE4"
                          "bel",
                      utf8 =
                          "\xC3\xBC"
                          "ber";
    const ActorFile actor = ActorFile().nodes({node(latin), node(utf8, 0)});
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    EXPECT_EQ(difference(xac::write(files_of(scene).value.actor).value(), xac::write(actor.file).value()), "");
    scene.nodes[1].local.translation = {0, 2, 0};
    scene.nodes[1].extras.hash = 0;
    for (const emfx::Target target : {emfx::Target::any, emfx::Target::victoria2}) {
        emfx::FromSceneOptions options;
        options.target = target;
        const xac::File file = files_of(scene, options).value.actor;
        EXPECT_EQ(xac::nodes(file)[0]->name, latin);
        EXPECT_EQ(xac::nodes(file)[1]->name, utf8);
    }
}

TEST(EmfxActorExact, LevelsHaveNodesAndMaterialsOfTheirOwn) {
    for (const bool skin : {false, true}) {
        for (const int levels : {1, 2, 3}) {
            const xac::File file = with_own_levels(skin, levels).file;
            const Bytes bytes = xac::write(file).value();
            EXPECT_EQ(trip(bytes), "") << skin << levels;
            EXPECT_EQ(difference(bytes, glb_trip(file)), "") << skin << levels;
        }
    }
}

ActorFile& add_level(ActorFile& actor, ActorFile far) {
    xac::MeshLod level;
    level.actor.push_back(std::move(far.file));
    return actor.add(8, 1, std::move(level));
}

TEST(EmfxActorExact, LevelsStayWithTheirNodeAmongNamesakes) {
    using namespace builders;
    const auto figure = [] {
        return ActorFile().nodes({node("root"), node("twin", 0, {0, 1, 0}), node("twin", 0, {0, 2, 0})});
    };
    const auto bound = [](std::uint16_t node) { return skinning(node, Influences(3, {influence(1, node)})); };
    ActorFile rigid = figure().mesh(triangle(2)), skinned = figure().mesh(triangle(2)).skinning(bound(2)),
              both = figure();
    add_level(rigid, figure().mesh(triangle(2)));
    add_level(skinned, figure().mesh(triangle(2)).skinning(bound(2)));
    both.mesh(triangle(1)).mesh(triangle(2));
    add_level(add_level(both, figure().mesh(triangle(1)).mesh(triangle(2))), figure().mesh(triangle(2)));
    // The second twin is the level's own.
    ActorFile own = ActorFile().nodes({node("root"), node("twin", 0, {0, 1, 0})}).mesh(triangle(1));
    add_level(add_level(own, figure().mesh(triangle(1)).mesh(triangle(2))), figure().mesh(triangle(2)));
    for (const ActorFile* actor : {&rigid, &skinned, &both, &own}) {
        const Bytes bytes = xac::write(actor->file).value();
        EXPECT_EQ(trip(bytes), "");
        EXPECT_EQ(difference(bytes, glb_trip(actor->file)), "");
    }
    const Scene scene = scene_of(skinned.file);
    EXPECT_EQ(std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& n) { return n.name == "twin"; }), 2);
    for (const Skin& skin : scene.skins) EXPECT_NEAR(world(scene, skin.joints.front())[3].y, 2, 1e-6);
}

/// A mesh may use it all the same.
TEST(EmfxActorExact, AMaterialOfAnUnknownVersionIsCounted) {
    using namespace builders;
    for (const std::uint32_t used : {0u, 1u}) {
        const auto figure = [&] {
            xac::Mesh mesh = triangle(0);
            mesh.submeshes.front().material = used;
            ActorFile actor = ActorFile().nodes({node("root")}).add(13, 1, xac::MaterialInfo{0, 2, 2, 0});
            return actor.add(3, 2, named("one")).add(3, 9, emfx::Opaque{raw<std::uint8_t>({1, 2})}).mesh(mesh);
        };
        ActorFile actor = figure();
        add_level(actor, figure());
        const Bytes bytes = xac::write(actor.file).value();
        EXPECT_EQ(trip(bytes), "") << used;
        EXPECT_EQ(difference(bytes, glb_trip(actor.file)), "") << used;
    }
}

TEST(EmfxActorExact, ALevelOfAnUnknownVersionStays) {
    using namespace builders;
    ActorFile actor = ActorFile().nodes({node("root")}).mesh(triangle(0));
    actor.add(8, 2, emfx::Opaque{raw<std::uint8_t>({1, 2, 3, 4})});
    const Bytes bytes = xac::write(actor.file).value();
    EXPECT_EQ(trip(bytes), "");
    EXPECT_EQ(difference(bytes, glb_trip(actor.file)), "");
}

TEST(EmfxActorExact, ALevelStaysWhoseMeshesNobodyCanRead) {
    using namespace builders;
    ActorFile actor = ActorFile().nodes({node("root")}).mesh(triangle(0));
    add_level(actor, ActorFile().nodes({node("root")}).add(1, 9, emfx::Opaque{raw<std::uint8_t>({1, 2})}));
    const Bytes bytes = xac::write(actor.file).value();
    EXPECT_EQ(trip(bytes), "");
    EXPECT_EQ(difference(bytes, glb_trip(actor.file)), "");
}

/// Engines find what stands behind a level by its size.
TEST(EmfxActorExact, ALevelThatLostAMeshHasItsTrueSize) {
    using namespace builders;
    const auto figure = [] {
        return ActorFile().nodes({node("root"), node("a", 0), node("b", 0)}).mesh(triangle(1)).mesh(triangle(2));
    };
    ActorFile actor = figure();
    add_level(actor, figure());
    Scene scene = scene_of(xac::read(xac::write(actor.file).value()).value().value);
    scene.nodes[find(scene, "b.mesh")].lods.clear();
    ASSERT_EQ(find(scene, "b.lod1") + 1, scene.nodes.size());
    scene.nodes.pop_back();
    const auto again = xac::read(xac::write(files_of(scene).value.actor).value());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->report.diagnostics().empty());
    const xac::File* level = level_of(again->value);
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(records_of<xac::Mesh>(*level).size(), 1u);
}

/// As where somebody deletes the finest mesh and gives its name to the next level.
TEST(EmfxActorExact, ALevelThatIsCalledAsTheFinestIsThat) {
    using namespace builders;
    const auto figure = ActorFile().nodes({node("root"), node("a", 0, {0, 1, 0})}).mesh(triangle(1));
    ActorFile actor = figure;
    add_level(actor, figure);
    Scene scene = scene_of(xac::read(xac::write(actor.file).value()).value().value);
    const Index finest = find(scene, "a.mesh"), level = find(scene, "a.lod1");
    scene.nodes[finest] = {};
    scene.nodes[finest].name = "gone";
    std::erase(scene.nodes[find(scene, "a")].children, finest);
    scene.nodes[level].name = "a.mesh";
    scene.nodes[level].hidden = false;
    add_child(scene, find(scene, "a"), level);
    const xac::File file = files_of(scene).value.actor;
    const auto meshes = records_of<xac::Mesh>(file);
    ASSERT_EQ(meshes.size(), 1u);
    EXPECT_EQ(meshes.front()->lod, 0u);
    EXPECT_TRUE(level_of(file) == nullptr || records_of<xac::Mesh>(*level_of(file)).empty());
}

/// As they are made where there are none: without records.
TEST(EmfxActorExact, NewLevelsGoToTheNodeOfTheirMesh) {
    using namespace builders;
    const auto figure = ActorFile().nodes({node("root"), node("twin", 0, {0, 1, 0}), node("twin", 0, {0, 2, 0})});
    for (const bool is_skinned : {false, true}) {
        ActorFile actor = ActorFile(figure).mesh(triangle(2));
        if (is_skinned) actor.skinning(skinning(2, Influences(3, {influence(1, 2)})));
        Scene scene = scene_of(actor.file);
        set_untouched(scene);
        const auto holds = [](const Node& node) { return node.mesh != no_index; };
        const auto fine =
            static_cast<Index>(std::find_if(scene.nodes.begin(), scene.nodes.end(), holds) - scene.nodes.begin());
        Node coarse;
        coarse.name = "twin.lod1";
        coarse.mesh = static_cast<Index>(scene.meshes.size());
        coarse.skin = scene.nodes[fine].skin;
        coarse.hidden = true;
        scene.meshes.push_back(scene.meshes[scene.nodes[fine].mesh]);
        scene.meshes.back().extras = {};
        scene.nodes[fine].lods = {static_cast<Index>(scene.nodes.size())};
        scene.nodes.push_back(std::move(coarse));
        const auto files = files_of(scene);
        const xac::File* level = level_of(files.value.actor);
        ASSERT_NE(level, nullptr);
        const auto meshes = records_of<xac::Mesh>(*level);
        ASSERT_EQ(meshes.size(), 1u);
        EXPECT_EQ(meshes.front()->node, 2u) << is_skinned;
    }
}

/// A root and twins below it, one after the other.
ActorFile twins(std::size_t count) {
    std::vector<xac::Node> nodes{builders::node("root")};
    for (std::size_t i = 1; i <= count; ++i) nodes.push_back(builders::node("twin", 0, {0, static_cast<float>(i), 0}));
    return ActorFile().nodes(std::move(nodes));
}

ActorFile bound_triangle(ActorFile actor, std::uint16_t to) {
    return actor.mesh(builders::triangle(to))
        .skinning(builders::skinning(to, Influences(3, {builders::influence(1, to)})));
}

Scene untouched_scene_of(const ActorFile& actor) {
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    return scene;
}

/// The node at that height.
Index node_at(const Scene& scene, float height) {
    const auto stands_there = [&](const Node& node) { return node.local.translation.y == height; };
    return static_cast<Index>(std::ranges::find_if(scene.nodes, stands_there) - scene.nodes.begin());
}

std::vector<std::string> names_of(const xac::File& file) {
    std::vector<std::string> names;
    for (const xac::Node* node : xac::nodes(file)) names.push_back(node->name);
    return names;
}

/// Actors with levels of detail whose meshes on that node no level 0 of their kind stands above.
std::vector<ActorFile> with_lone_levels(const ActorFile& nodes, std::uint16_t place) {
    using namespace builders;
    const ActorFile bound = bound_triangle(nodes, place), rigid = ActorFile(nodes).mesh(triangle(place));
    xac::Mesh mesh = triangle(place);
    mesh.is_collision = 1;
    xac::Skinning bones = skinning(place, Influences(3, {influence(1, place)}));
    bones.is_for_collision_mesh = 1;
    const ActorFile hull = ActorFile(bound).mesh(std::move(mesh)).skinning(std::move(bones));
    std::vector<ActorFile> actors{bound, nodes, nodes, rigid};
    add_level(actors[0], hull);
    add_level(actors[1], bound);
    add_level(actors[2], rigid);
    add_level(actors[3], bound);
    return actors;
}

TEST(EmfxActorExact, LoneLevelsStayWithTheirNode) {
    using builders::node;
    for (const std::uint16_t place : {std::uint16_t{1}, std::uint16_t{2}}) {
        for (const ActorFile& actor : with_lone_levels(twins(2), place)) {
            const Bytes bytes = xac::write(actor.file).value();
            EXPECT_EQ(trip(bytes), "") << place;
            EXPECT_EQ(difference(bytes, glb_trip(actor.file)), "") << place;
        }
    }
    const ActorFile nameless = ActorFile().nodes({node("root"), node("", 0, {0, 1, 0})});
    for (const ActorFile& actor : with_lone_levels(nameless, 1)) EXPECT_EQ(trip(xac::write(actor.file).value()), "");
}

TEST(EmfxActorExact, LoneLevelsStayWithARenamedNode) {
    for (const ActorFile& actor : with_lone_levels(twins(1), 1)) {
        Scene scene = untouched_scene_of(actor);
        scene.nodes[node_at(scene, 1)].name = "arm";
        for (Node& node : scene.nodes) node.follows = no_index;  // which glTF says by the name
        const xac::File file = files_of(scene).value.actor;
        EXPECT_EQ(names_of(file), (std::vector<std::string>{"root", "arm"}));
        const xac::File* level = level_of(file);
        ASSERT_NE(level, nullptr);
        const auto meshes = records_of<xac::Mesh>(*level);
        EXPECT_FALSE(meshes.empty());
        for (const xac::Mesh* mesh : meshes) EXPECT_EQ(mesh->node, 1u);
    }
}

TEST(EmfxActorExact, NodesMayBeCalledAsCollisionMeshes) {
    using builders::node;
    for (const std::string name : {"n.collision", "n.collision.lod1", "n.lod1", "n.mesh"}) {
        const ActorFile nodes = ActorFile().nodes({node("root"), node("n", 0), node(name, 1, {0, 1, 0})});
        ActorFile actor = bound_triangle(nodes, 2);
        add_level(actor, bound_triangle(nodes, 2));
        for (const ActorFile& one : {bound_triangle(nodes, 2), actor}) {
            const Bytes bytes = xac::write(one.file).value();
            EXPECT_EQ(trip(bytes), "") << name;
            EXPECT_EQ(difference(bytes, glb_trip(one.file)), "") << name;
        }
    }
}

/// The sign of their determinant is rounding noise.
TEST(EmfxActorExact, MeshesBelowAScaleOfZeroKeepTheirWinding) {
    using namespace builders;
    const Vec3 scales[]{{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {0, 0, 0}};
    for (int i = 0; i < 48; ++i) {
        std::vector<xac::Node> nodes{node("root"), node("flat", 0, {0.3f, 0.2f, -0.7f}), node("leaf", 1, {1, 2, 3})};
        nodes[0].rotation = turn({1, 2, 3}, 20 + 11 * i);
        nodes[1].scale = scales[i % 4];
        nodes[2].rotation = turn({-2, 1, 1}, 10 + 7 * i);
        const ActorFile actor = ActorFile().nodes(std::move(nodes)).mesh(triangle(2));
        EXPECT_EQ(trip(xac::write(actor.file).value()), "") << i;
    }
}

/// Glb has them in world space, and where that is flat nothing leads back.
TEST(EmfxActorExact, CollisionMeshesBelowShearComeBack) {
    using namespace builders;
    const Vec3 scales[]{{2, 1, 1}, {2, -1, 1}, {1, 0, 1}, {0, 0, 1}};
    for (const Vec3& scale : scales) {
        SCOPED_TRACE(testing::PrintToString(std::array{scale.x, scale.y, scale.z}));
        std::vector<xac::Node> nodes{node("root", xac::no_node, {0.3f, 0.2f, -0.7f}), node("hull", 0, {1, 2, 3})};
        nodes[0].scale = scale;
        nodes[1].rotation = turn({1, 2, 3}, 40);
        xac::Mesh hull = triangle(1);
        hull.is_collision = 1;
        hull.layers.push_back(layer(xac::LayerType::uv, std::vector<Vec2>(3)));
        hull.layers.push_back(layer(xac::LayerType::tangent, std::vector<Vec4>(3, {0.6f, 0.8f, 0, 1})));
        const ActorFile actor = ActorFile().nodes(std::move(nodes)).mesh(std::move(hull));
        const Bytes bytes = xac::write(actor.file).value();
        EXPECT_EQ(trip(bytes), "");
        EXPECT_EQ(difference(bytes, glb_trip(actor.file)), "");
        const Scene scene = untouched_scene_of(actor);
        EXPECT_NE(scene.meshes.at(0).extras.json.find("unmoved_layers"), std::string::npos);
    }
}

/// Motions move the first node of a name: that has to be the actor's own.
TEST(EmfxActorExact, ANodeKeepsItsNameWhereALevelHasItTwice) {
    ActorFile actor = twins(1).mesh(builders::triangle(1));
    add_level(actor, twins(2).mesh(builders::triangle(2)));
    Scene scene = untouched_scene_of(actor);
    scene.nodes[builders::find(scene, "root")].local.translation = {1, 0, 0};
    const auto files = files_of(scene);
    EXPECT_EQ(files.report.count("emfx-node-renamed"), 0u);
    EXPECT_EQ(names_of(files.value.actor), (std::vector<std::string>{"root", "twin", "twin"}));
    EXPECT_EQ(xac::nodes(files.value.actor)[1]->position.y, 1);
    const xac::File* level = level_of(files.value.actor);
    ASSERT_NE(level, nullptr);
    const auto meshes = records_of<xac::Mesh>(*level);
    ASSERT_EQ(meshes.size(), 1u);
    EXPECT_EQ(meshes.front()->node, 2u);
}

TEST(EmfxActorExact, ANodeKeepsItsNameWhereAnotherActorHasItTwice) {
    emfx::SceneInput input = builders::input(twins(1).mesh(builders::triangle(1)));
    input.actors.push_back({{"part", 0, {}}, twins(2).mesh(builders::triangle(2)).file});
    Scene scene = builders::convert(std::move(input)).value;
    set_untouched(scene);
    const auto files = files_of(scene);
    EXPECT_EQ(files.report.count("emfx-node-renamed"), 0u);
    EXPECT_EQ(names_of(files.value.actor), (std::vector<std::string>{"root", "twin", "twin"}));
    EXPECT_EQ(xac::nodes(files.value.actor)[1]->position.y, 1);
}

/// Blender has each name once, and people rename, too.
TEST(EmfxActorExact, LevelsStayWithARenamedNodeAmongNamesakes) {
    for (const bool is_skinned : {false, true}) {
        for (const std::uint16_t place : {std::uint16_t{1}, std::uint16_t{2}}) {
            const auto figure = [&] {
                return is_skinned ? bound_triangle(twins(2), place) : twins(2).mesh(builders::triangle(place));
            };
            ActorFile actor = figure();
            add_level(actor, figure());
            Scene scene = untouched_scene_of(actor);
            scene.nodes[node_at(scene, place)].name = "arm";
            const auto files = files_of(scene);
            EXPECT_EQ(files.report.count("emfx-level-node"), 0u);
            const xac::File* level = level_of(files.value.actor);
            ASSERT_NE(level, nullptr);
            const auto meshes = records_of<xac::Mesh>(*level);
            ASSERT_EQ(meshes.size(), 1u) << is_skinned << place;
            EXPECT_EQ(meshes.front()->node, place) << is_skinned;
            EXPECT_EQ(xac::nodes(*level)[place]->name, "arm") << "renamed there, too";
            if (!is_skinned) continue;
            const auto skins = records_of<xac::Skinning>(*level);
            ASSERT_EQ(skins.size(), 1u);
            for (const xac::Influence& influence : skins.front()->influences) EXPECT_EQ(influence.node, place);
        }
    }
}

TEST(EmfxActorExact, TheOtherOfTwoNamesakesKeepsItsLevel) {
    for (const int renamed : {1, 2}) {
        const auto place = static_cast<std::uint16_t>(3 - renamed);
        ActorFile actor = bound_triangle(twins(2), place);
        add_level(actor, bound_triangle(twins(2), place));
        Scene scene = untouched_scene_of(actor);
        scene.nodes[node_at(scene, static_cast<float>(renamed))].name = "arm";
        const xac::File file = files_of(scene).value.actor;
        const xac::File* level = level_of(file);
        ASSERT_NE(level, nullptr);
        EXPECT_EQ(names_of(*level), names_of(file));
        const auto skins = records_of<xac::Skinning>(*level);
        ASSERT_EQ(skins.size(), 1u);
        for (const xac::Influence& influence : skins.front()->influences) EXPECT_EQ(influence.node, place);
        const auto meshes = records_of<xac::Mesh>(*level);
        ASSERT_EQ(meshes.size(), 1u);
        EXPECT_EQ(meshes.front()->node, place);
    }
}

/// The first twin stands behind the second, because its parent does.
TEST(EmfxActorExact, LevelsFollowNamesakesThatChangeTheirOrder) {
    const auto figure = [] {
        ActorFile actor = twins(2);
        std::get<xac::Nodes>(actor.file.chunks.front().record).nodes.push_back(builders::node("late", 0, {0, 3, 0}));
        xac::Mesh mesh = builders::triangle(0);
        mesh.submeshes.front().bones = {2};
        return actor.mesh(std::move(mesh)).skinning(builders::skinning(0, Influences(3, {builders::influence(1, 2)})));
    };
    ActorFile actor = figure();
    add_level(actor, figure());
    Scene scene = untouched_scene_of(actor);
    const Index twin = node_at(scene, 1), late = builders::find(scene, "late");
    std::erase(scene.nodes[scene.nodes[twin].parent].children, twin);
    scene.nodes[twin].parent = late;
    scene.nodes[twin].local.translation = {0, -2, 0};
    scene.nodes[late].children.push_back(twin);
    const xac::File file = files_of(scene).value.actor;
    const xac::File* level = level_of(file);
    ASSERT_NE(level, nullptr);
    for (const xac::File* one : {&file, level}) {
        EXPECT_EQ(names_of(*one), (std::vector<std::string>{"root", "twin", "late", "twin"}));
        const auto skins = records_of<xac::Skinning>(*one);
        ASSERT_EQ(skins.size(), 1u);
        for (const xac::Influence& influence : skins.front()->influences) EXPECT_EQ(influence.node, 1u);
        const auto meshes = records_of<xac::Mesh>(*one);
        ASSERT_EQ(meshes.size(), 1u);
        EXPECT_EQ(meshes.front()->node, 0u);
        EXPECT_EQ(meshes.front()->submeshes.front().bones.front(), 1u);
    }
}

TEST(EmfxActorExact, AnEditedLevelKeepsItsOwnNodesToItself) {
    Scene scene = scene_of(with_own_levels(true, 1).file);
    set_untouched(scene);
    const Index far = builders::find(scene, "b.lod1");
    scene.meshes[scene.nodes[far].mesh].attributes.front().data.as<Vec3>()[0].x += 5;
    const auto files = files_of(scene);
    EXPECT_EQ(files.report.count("emfx-level-node"), 0u);
    EXPECT_EQ(xac::nodes(files.value.actor).size(), 2u);
    const xac::File* level = level_of(files.value.actor);
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(xac::nodes(*level).size(), 4u);
    const auto skins = records_of<xac::Skinning>(*level);
    ASSERT_EQ(skins.size(), 2u);
    EXPECT_EQ(skins[1]->node, 3u);
    EXPECT_EQ(skins[1]->influences[0].node, 3u);
    EXPECT_EQ(skins[1]->influences[1].node, 0u);
}

/// Then levels get the actor's nodes, as new ones do, and lack none.
TEST(EmfxActorExact, AnEditedActorHasTheNodesOfItsLevels) {
    for (const bool is_clip : {false, true}) {
        Scene scene = scene_of(with_own_levels(true, 2).file);
        set_untouched(scene);
        const Index own = builders::find(scene, "b");
        if (is_clip) {
            Clip& clip = scene.clips.emplace_back();
            clip.name = "wave";
            Track& track = clip.tracks.emplace_back();
            track.node = own;
            track.path = TrackPath::translation;
            track.times = {0, 1};
            track.values = {1, 0, 0, 2, 0, 0};
            clip.duration = 1;
        } else {
            scene.nodes[builders::find(scene, "a")].local.translation = {0, 2, 0};
        }
        const auto files = files_of(scene);
        EXPECT_EQ(files.report.count("emfx-level-node"), 0u);
        EXPECT_EQ(xac::nodes(files.value.actor).size(), 4u);
        const xac::File* level = level_of(files.value.actor);
        ASSERT_NE(level, nullptr);
        EXPECT_EQ(records_of<xac::Mesh>(*level).size(), 2u);
        EXPECT_EQ(scene_of(files.value.actor).meshes.size(), scene.meshes.size());
        if (!is_clip) continue;
        ASSERT_EQ(files.value.motions.size(), 1u);
    }
}

TEST(EmfxActorExact, LevelsFollowJointsThatAreRenamed) {
    using namespace builders;
    // Influences that say nothing, in no order, stay as long as nobody makes the mesh anew.
    const std::vector<xac::Influence> odd{influence(0, 2), influence(0.25f, 1), influence(0.75f, 2)};
    const auto figure = [&] {
        ActorFile actor(1);
        actor.nodes({node("root"), node("a", 0, {0, 1, 0}), node("b", 1, {0, 1, 0})}).mesh(triangle(1));
        return actor.skinning(skinning(1, Influences(3, odd)));
    };
    ActorFile actor = figure();
    xac::MeshLod embedded;
    embedded.actor.push_back(figure().file);
    actor.add(8, 1, std::move(embedded));
    Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
    scene.nodes[find(scene, "b")].name = "arm";
    const xac::File file = files_of(scene).value.actor;
    const xac::File* level = level_of(file);
    ASSERT_NE(level, nullptr);
    for (const xac::File* one : {&file, level}) {
        EXPECT_EQ(xac::nodes(*one).back()->name, "arm");
        const auto skins = records_of<xac::Skinning>(*one);
        ASSERT_EQ(skins.size(), 1u);
        EXPECT_EQ(skins[0]->node, 1u);
        ASSERT_EQ(skins[0]->influences.size(), 9u);
        for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(skins[0]->influences[i].node, odd[i % 3].node) << i;
    }
}

TEST(EmfxActorExact, OneListOfLevelsHasAllNodes) {
    Scene scene = scene_of(with_own_levels(true, 1).file);
    set_untouched(scene);
    emfx::FromSceneOptions options;
    options.levels = emfx::LevelStorage::fields;
    const auto files = files_of(scene, options);
    EXPECT_EQ(xac::nodes(files.value.actor).size(), 4u);
    EXPECT_EQ(records_of<xac::Mesh>(files.value.actor).size(), 3u);
}

/// With their motions, through a .glb as it stands on disk.
TEST(EmfxActorExact, EveryFigureComesBackFromGlb) {
    for (const auto actor : {test::whole_actor, test::actor_of_2007, test::broken_actor}) {
        for (const auto motion : {test::whole_motion, test::motion_of_2007, test::still_motion}) {
            for (const bool big : {false, true}) {
                emfx::SceneInput input;
                input.actors.push_back({{"actor", 0, {}}, xac::read(actor(big)).value().value});
                input.motions.push_back({{"motion", 0, {}}, xsm::read(motion(!big)).value().value, {}});
                const auto scene = emfx::to_scene(std::move(input));
                ASSERT_TRUE(scene) << to_string(scene.error());
                const auto files = files_of(trip::scene_of(trip::glb_of(scene->value)));
                EXPECT_EQ(difference(actor(big), xac::write(files.value.actor).value()), "");
                ASSERT_EQ(files.value.motions.size(), 1u);
                EXPECT_EQ(difference(motion(!big), xsm::write(files.value.motions[0].file).value()), "");
            }
        }
    }
}

}  // namespace
