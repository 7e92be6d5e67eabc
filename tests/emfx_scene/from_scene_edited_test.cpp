/// Actors of which something other than the numbers of a mesh was edited: where it stands, what its joints are.

#include <algorithm>
#include <glm/gtc/type_ptr.hpp>
#include <gtest/gtest.h>
#include <set>

#include "effigy/scene_access.hpp"

#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"
#include "proof/trip.hpp"

namespace {

using namespace effigy;
using namespace actor_back;
using builders::ActorFile;

/// Rigid meshes on `hat`, which is turned: a figure's, those of a level of detail, and one that is hit. Through a .glb.
Scene hatted_scene() {
    using namespace builders;
    const auto figure = [] {
        xac::Node hat = node("hat", 1, {0, 2, 0.5f});
        hat.rotation = turn({1, 0, 0}, 30);
        ActorFile actor;
        actor.nodes({node("root"), node("head", 0, {0, 1, 0}), hat, node("hand", 0, {3, 1, 0})}).mesh(triangle(2));
        return actor;
    };
    ActorFile actor = figure();
    xac::Mesh hull = triangle(2);
    hull.is_collision = 1;
    actor.mesh(std::move(hull));
    xac::MeshLod level;
    level.actor.push_back(figure().file);
    actor.add(8, 1, std::move(level));
    return trip::scene_of(trip::glb_of(scene_of(actor.file)));
}

Bytes bytes_of_actor(const Scene& scene) { return xac::write(files_of(scene).value.actor).value(); }

/// Where the vertices of a node's mesh stand at rest.
std::vector<glm::dvec3> points(const Scene& scene, const std::string& name) {
    const Index index = builders::find(scene, name);
    std::vector<glm::dvec3> result;
    if (index == no_index || scene.nodes[index].mesh == no_index) return result;
    const glm::dmat4 world = builders::world(scene, index);
    const Attribute* positions = builders::find(scene.meshes[scene.nodes[index].mesh], Semantic::position);
    for (const Vec3& p : positions->data.as<const Vec3>()) result.emplace_back(world * glm::dvec4(p.x, p.y, p.z, 1));
    return result;
}

void expect_near(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
    ASSERT_EQ(a.size(), b.size());
    ASSERT_FALSE(a.empty());
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[i][k], b[i][k], 1e-5) << i;
    }
}

void adopt(Scene& scene, const std::string& child, const std::string& parent) {
    const Index index = builders::find(scene, child);
    std::erase(scene.nodes[scene.nodes[index].parent].children, index);
    scene.nodes[index].parent = builders::find(scene, parent);
    scene.nodes[scene.nodes[index].parent].children.push_back(index);
}

/// Of meshes that are as they were, the numbers alone do not say where they stand.
TEST(EmfxActorEdited, RigidMeshesStandWhereTheirHoldersDo) {
    const Scene scene = hatted_scene();
    const Bytes before = bytes_of_actor(scene);
    for (const std::string name : {"hat.mesh", "hat.lod1", "hat.collision"}) {
        for (const bool is_scale : {false, true}) {
            Scene moved = scene;
            Transform& local = moved.nodes[builders::find(moved, name)].local;
            (is_scale ? local.scale : local.translation) = is_scale ? Vec3{2, 2, 2} : Vec3{0.25f, 0.5f, 0};
            const auto files = files_of(moved);
            EXPECT_EQ(xac::nodes(files.value.actor).size(), 4u);
            const Scene again = scene_of(files.value.actor);
            for (const char* each : {"hat.mesh", "hat.lod1", "hat.collision"}) {
                SCOPED_TRACE(name + ", " + each);
                expect_near(points(moved, each), points(again, each));
            }
        }
    }
    Scene handed = scene;
    adopt(handed, "hat.mesh", "hand");
    expect_near(points(handed, "hat.mesh"), points(scene_of(files_of(handed).value.actor), "hat.mesh"));
    EXPECT_EQ(bytes_of_actor(scene), before);
}

/// As programs leave it that write transforms anew.
TEST(EmfxActorEdited, RoundingMovesNoMesh) {
    const Scene scene = hatted_scene();
    Scene rounded = scene;
    for (const char* name : {"hat.mesh", "hat.lod1", "hat.collision"}) {
        Transform& local = rounded.nodes[builders::find(rounded, name)].local;
        local.translation.x += 2e-6f;
        local.scale.y *= 1.000002f;
    }
    EXPECT_EQ(difference(bytes_of_actor(rounded), bytes_of_actor(scene)), "");
}

/// As modelling programs duplicate objects: extras and all. `own_mesh`: the mesh as well.
std::string duplicate(Scene& scene, const std::string& name, bool own_mesh) {
    Node copy = scene.nodes[builders::find(scene, name)];
    copy.name += ".001";
    copy.lods.clear();
    if (copy.skin == no_index) copy.local.translation.x += 5;
    if (own_mesh) {
        scene.meshes.push_back(Mesh(scene.meshes[copy.mesh]));
        copy.mesh = static_cast<Index>(scene.meshes.size() - 1);
    }
    const auto index = static_cast<Index>(scene.nodes.size());
    if (copy.parent != no_index) scene.nodes[copy.parent].children.push_back(index);
    scene.nodes.push_back(std::move(copy));
    return scene.nodes.back().name;
}

/// Of several meshes of one kind on one node engines keep the last one.
TEST(EmfxActorEdited, CopiesOfMeshesGetNodesOfTheirOwn) {
    const Scene scene = hatted_scene();
    for (const std::string name : {"hat.mesh", "hat.collision"}) {
        for (const bool own_mesh : {false, true}) {
            for (const bool is_edited : {false, true}) {
                SCOPED_TRACE(name + (own_mesh ? ", own mesh" : "") + (is_edited ? ", edited" : ""));
                Scene more = scene;
                const std::string copy = duplicate(more, name, own_mesh);
                const Index first = more.nodes[builders::find(more, name)].mesh;
                if (is_edited) more.meshes[first].attributes.front().data.as<Vec3>()[0].x += 1;
                const xac::File actor = files_of(more).value.actor;
                EXPECT_EQ(xac::check(actor).count("mesh-duplicate"), 0u);
                EXPECT_EQ(xac::nodes(actor).size(), 5u);
                EXPECT_EQ(xac::nodes(actor).back()->name, copy);
                const Scene again = scene_of(actor);
                expect_near(points(more, name), points(again, name));
                const bool is_hull = name == "hat.collision";
                expect_near(points(more, copy), points(again, copy + (is_hull ? ".collision" : "")));
            }
        }
    }
}

TEST(EmfxActorEdited, CopiesOfSkinnedMeshesGetNodesOfTheirOwn) {
    using namespace builders;
    ActorFile actor;
    actor.nodes({node("root"), node("arm", 0, {0, 1, 0}), node("body", 0)}).mesh(triangle(2));
    actor.skinning(skinning(2, {{influence(1, 0)}, {influence(1, 1)}, {influence(1, 1)}}));
    for (const bool own_mesh : {false, true}) {
        Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
        const std::string copy = duplicate(scene, "body.mesh", own_mesh);
        const xac::File file = files_of(scene).value.actor;
        EXPECT_EQ(xac::check(file).count("mesh-duplicate"), 0u);
        EXPECT_EQ(xac::nodes(file).size(), 4u);
        const Scene again = scene_of(file);
        ASSERT_EQ(again.skins.size(), 2u);
        expect_near(points(again, "body.mesh"), points(again, copy + ".mesh"));
        EXPECT_EQ(again.skins[0].joints, again.skins[1].joints);
    }
}

/// Chunks of 2007 count neither children nor bones.
TEST(EmfxActorEdited, NodesAndSkinsOfOldFilesAreCounted) {
    using namespace builders;
    ActorFile actor;
    actor.add(7, 2, xac::Info{});
    for (xac::Node one : {node("root"), node("arm", 0, {0, 1, 0}), node("body", 0)}) actor.add(0, 3, std::move(one));
    actor.mesh(triangle(2));
    actor.add(2, 2, skinning(2, {{influence(1, 0)}, {influence(1, 1)}, {influence(1, 1)}}));
    Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
    scene.nodes[find(scene, "arm")].local.translation = {0, 2, 0};
    (void)duplicate(scene, "body.mesh", true);
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(xac::nodes(file).at(0)->child_count, 2u);
    EXPECT_EQ(findings(file), "");
}

/// Of unit length wherever they are, unlike positions.
TEST(EmfxActorEdited, MorphNormalsAreThoseBelowAScale) {
    using namespace builders;
    Scene scene = scene_of(ActorFile().nodes({node("face")}).mesh(triangle(0)).file);
    MorphTarget target{"smile", {1}, {}, {}, {}};
    target.positions.push_back({1, 0, 0});
    target.normals.push_back({0.5f, 0, -0.25f});
    scene.meshes[0].targets.push_back(std::move(target));
    scene.meshes[0].weights = {0};
    strip(scene);
    const auto armature = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = "armature";
    scene.nodes[armature].local.scale = {0.01f, 0.01f, 0.01f};
    add_child(scene, armature, find(scene, "face"));
    const Scene again = scene_of(files_of(scene).value.actor);
    const MorphTarget& made = again.meshes.at(0).targets.at(0);
    ASSERT_EQ(made.normals.size(), 1u);
    EXPECT_NEAR(made.normals[0].x, 0.5, 0.01);
    EXPECT_NEAR(made.normals[0].z, -0.25, 0.01);
}

/// A level of detail without a finer one, below a scale that turns; its mesh has a target.
xac::File sheared_level() {
    using namespace builders;
    std::vector<xac::Node> nodes{node("root"), node("brow", 0, {0, 1, 0})};
    nodes[0].scale = {2, -1, 1};
    nodes[1].rotation = turn({0, 0, 1}, 40);
    xac::MorphTargets list;
    xac::MorphTarget& target = list.targets.emplace_back();
    target.name = "frown";
    xac::MorphDeformation& deformation = target.deformations.emplace_back();
    deformation.node = 1;
    deformation.min_value = -1;
    deformation.max_value = 1;
    deformation.vertices.push_back(1);
    deformation.positions.push_back({{65535, 0, 65535}});
    deformation.normals.push_back({{255, 0, 255}});
    deformation.tangents.push_back({{128, 128, 128}});
    xac::MeshLod level;
    level.actor.push_back(ActorFile().nodes(nodes).mesh(triangle(1)).add(12, 1, std::move(list)).file);
    return ActorFile().nodes(nodes).add(8, 1, std::move(level)).file;
}

TEST(EmfxActorEdited, TargetsStandWhereTheirVerticesDo) {
    const Scene scene = scene_of(sheared_level());
    const auto offset = [](const Scene& one) { return one.meshes.at(0).targets.at(0).positions[0]; };
    const glm::dmat3 linear(builders::world(scene, builders::find(scene, "brow")));
    const glm::dvec3 wanted = linear * glm::dvec3(1, -1, -1);
    const Scene again = scene_of(round_trip(sheared_level()));
    for (const Scene* one : {&scene, &again}) {
        EXPECT_NEAR(offset(*one).x, wanted.x, 1e-3);
        EXPECT_NEAR(offset(*one).y, wanted.y, 1e-3);
        EXPECT_NEAR(offset(*one).z, wanted.z, 1e-3);
    }
    const Vec3 before = scene.meshes[0].targets[0].normals[0], after = again.meshes[0].targets[0].normals[0];
    EXPECT_NEAR(before.x, after.x, 0.03);
    EXPECT_NEAR(before.y, after.y, 0.03);
    EXPECT_NEAR(before.z, after.z, 0.03);
}

/// Those that glTF has no place for, and more tangents than texture coordinates.
TEST(EmfxActorEdited, LayersThatAreNotMadeAnewAreNamed) {
    using namespace builders;
    xac::VertexLayer uneven = layer<Vec2>(xac::LayerType::uv, std::vector<Vec2>(3));
    uneven.is_scale = 1;
    const xac::VertexLayer layers[]{layer<std::uint32_t>(static_cast<xac::LayerType>(42), {1, 2, 3}),
                                    layer<std::uint32_t>(static_cast<xac::LayerType>(8), {1, 2, 3}), uneven,
                                    layer(xac::LayerType::tangent, std::vector<Vec4>(3, {1, 0, 0, 1}))};
    for (const xac::VertexLayer& more : layers) {
        xac::Mesh mesh = triangle(0);
        mesh.layers.push_back(layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
        mesh.layers.push_back(layer(xac::LayerType::tangent, std::vector<Vec4>(3, {1, 0, 0, 1})));
        mesh.layers.push_back(more);
        Scene scene = scene_of(ActorFile().nodes({node("a")}).mesh(std::move(mesh)).file);
        set_untouched(scene);
        EXPECT_EQ(files_of(scene).report.count("emfx-attribute"), 0u);
        scene.meshes[0].extras.hash = 0;
        EXPECT_EQ(files_of(scene).report.count("emfx-attribute"), 1u) << static_cast<int>(more.type);
    }
}

/// Motions reach only the first target of a name.
TEST(EmfxActorEdited, CopiesOfMeshesMorphByTheTargetsOfTheFirst) {
    using namespace builders;
    xac::MorphDeformation moved;
    moved.max_value = 1;
    moved.positions.push_back({{65535, 0, 0}});
    moved.normals.push_back({{128, 128, 128}});
    moved.tangents.push_back({{128, 128, 128}});
    moved.vertices.push_back(1);
    xac::MorphTarget smile;
    smile.name = "smile";
    smile.range_max = 1;
    smile.deformations.push_back(std::move(moved));
    xac::MorphTargets list;
    list.targets.push_back(std::move(smile));
    ActorFile actor;
    actor.nodes({node("face")}).mesh(triangle(0)).add(12, 1, std::move(list));
    Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
    (void)duplicate(scene, "face", true);
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(xac::check(file).count("morph-name-duplicate"), 0u);
    const Scene again = scene_of(file);
    ASSERT_EQ(again.meshes.size(), 2u);
    for (const Mesh& mesh : again.meshes) {
        ASSERT_EQ(mesh.targets.size(), 1u);
        ASSERT_EQ(mesh.targets[0].indices.size(), 1u);
        EXPECT_EQ(mesh.targets[0].indices[0], 1u);
        EXPECT_NEAR(mesh.targets[0].positions[0].x, 1, 1e-4);
    }
}

/// A strip between two arms. `in_table`: its record has the table of influences, as where a vertex has none.
Scene armed_scene(bool in_table) {
    using namespace builders;
    ActorFile actor;
    actor.nodes({node("root"), node("left", 0, {-1, 1, 0}), node("right", 0, {1, 2, 0}), node("body", 0)});
    xac::Mesh mesh = triangle(3);
    mesh.submeshes.front().bones = {1, 2};
    actor.mesh(std::move(mesh));
    const std::vector<xac::Influence> both{influence(0.5f, 1), influence(0.5f, 2)};
    actor.skinning(
        skinning(3, {{influence(1, 1)}, {influence(1, 2)}, in_table ? std::vector<xac::Influence>{} : both}));
    return trip::scene_of(trip::glb_of(scene_of(actor.file)));
}

/// Vertices as the skin has them, at rest or with a node moved.
std::vector<glm::dvec3> skinned_points(Scene scene, const std::string& moved = {}) {
    const Node& holder = scene.nodes[builders::find(scene, "body.mesh")];
    const Mesh& mesh = scene.meshes[holder.mesh];
    const Skin& skin = scene.skins[holder.skin];
    if (!moved.empty()) scene.nodes[builders::find(scene, moved)].local.translation.y += 3;
    InfluenceReader reader(mesh, skin.joints.size());
    const auto positions = builders::find(mesh, Semantic::position)->data.as<const Vec3>();
    std::vector<glm::dvec3> result;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        glm::dvec3& sum = result.emplace_back(0);
        const glm::dvec4 at(positions[v].x, positions[v].y, positions[v].z, 1);
        for (const VertexInfluence& share : reader.all(v)) {
            const glm::dmat4 bind(glm::make_mat4(skin.inverse_bind_matrices[share.joint].m.data()));
            sum += share.weight * glm::dvec3(builders::world(scene, skin.joints[share.joint]) * bind * at);
        }
    }
    return result;
}

void expect_same_skin(const Scene& scene, const Scene& again) {
    expect_near(skinned_points(scene), skinned_points(again));
    for (const char* arm : {"left", "right"}) expect_near(skinned_points(scene, arm), skinned_points(again, arm));
}

/// Joints are numbers in the mesh, and the mesh is the same whatever nodes the skin has under them.
TEST(EmfxActorEdited, SkinsFollowTheNodesThatTheyHaveNow) {
    for (const bool in_table : {false, true}) {
        const Scene scene = armed_scene(in_table);
        for (const bool with_binds : {false, true}) {
            SCOPED_TRACE(std::string(in_table ? "table" : "derived") + (with_binds ? ", binds" : ""));
            Scene swapped = scene;
            Skin& skin = swapped.skins.front();
            std::swap(skin.joints[0], skin.joints[1]);
            if (with_binds) std::swap(skin.inverse_bind_matrices[0], skin.inverse_bind_matrices[1]);
            expect_same_skin(swapped, scene_of(files_of(swapped).value.actor));
        }
        Scene handed = scene;
        adopt(handed, "right", "left");
        expect_same_skin(handed, scene_of(files_of(handed).value.actor));
        const xac::File actor = files_of(scene).value.actor;
        EXPECT_EQ(difference(xac::write(actor).value(), xac::write(round_trip(actor)).value()), "");
    }
}

/// The actor's roots are as they were, and so is what they carry.
TEST(EmfxActorEdited, WhatStandsAboveAllRootsMovesThem) {
    using namespace builders;
    ActorFile actor = ActorFile().nodes({node("body"), node("left"), node("right", no_index, {1, 0, 0})});
    actor.mesh(triangle(0));
    actor.skinning(skinning(0, {{influence(1, 1)}, {influence(1, 2)}, {influence(1, 1)}}));
    const Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
    EXPECT_EQ(difference(bytes_of_actor(scene), xac::write(actor.file).value()), "");
    Scene moved = scene;
    moved.nodes[find(moved, "effigy_root")].local = {{1, 2, 3}, {0, 0.6f, 0, 0.8f}, {2, 2, 2}};
    const auto files = files_of(moved);
    EXPECT_EQ(xac::nodes(files.value.actor).size(), 4u);
    const Scene again = scene_of(files.value.actor);
    expect_near(skinned_points(moved), skinned_points(again));
    for (const char* arm : {"left", "right"}) expect_near(skinned_points(moved, arm), skinned_points(again, arm));
    // Or a clip does so.
    Scene animated = scene;
    Clip& clip = animated.clips.emplace_back();
    clip.name = "rise";
    clip.duration = 1;
    clip.tracks.push_back(
        {find(animated, "effigy_root"), TrackPath::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 0, 1, 0}});
    const auto rising = files_of(animated);
    EXPECT_EQ(xac::nodes(rising.value.actor).size(), 4u);
    EXPECT_EQ(rising.report.count("motion-track-lost"), 0u);
}

/// What no influence moves follows the mesh's own node, by a joint that no table lists.
TEST(EmfxActorEdited, UnboundVerticesFollowTheNodeThatTheyHaveNow) {
    Scene scene = armed_scene(true);
    Skin& skin = scene.skins.front();
    ASSERT_EQ(skin.joints.back(), builders::find(scene, "body"));
    skin.joints.back() = builders::find(scene, "root");
    const Scene again = scene_of(files_of(scene).value.actor);
    for (const char* moved : {"", "body", "root"})
        expect_near(skinned_points(scene, moved), skinned_points(again, moved));
}

TEST(EmfxActorEdited, PalettesHaveTheJointsThatSkinsHaveNow) {
    Scene scene = armed_scene(false);
    Skin& skin = scene.skins.front();
    skin.joints[1] = builders::find(scene, "root");
    skin.inverse_bind_matrices[1] = {};
    const xac::File actor = files_of(scene).value.actor;
    for (const xac::Chunk& chunk : actor.chunks) {
        const auto* mesh = std::get_if<xac::Mesh>(&chunk.record);
        if (mesh == nullptr) continue;
        EXPECT_EQ(std::set(mesh->submeshes.front().bones.begin(), mesh->submeshes.front().bones.end()),
                  (std::set<std::uint32_t>{0, 1}));
    }
}

/// A strip on an arm that is stretched along axes of its own, so that it is two nodes of the scene, and on another.
Scene stretched_scene() {
    using namespace builders;
    ActorFile actor;
    xac::Node left = node("left", 0, {-1, 1, 0});
    left.rotation = turn({0, 0, 1}, 30);
    left.scale = {1, 2, 0.5f};
    left.scale_rotation = turn({1, 0, 1}, 25);
    actor.nodes({node("root"), left, node("right", 0, {1, 2, 0}), node("body", 0)});
    xac::Mesh mesh = triangle(3);
    mesh.submeshes.front().bones = {1, 2};
    actor.mesh(std::move(mesh));
    const std::vector<xac::Influence> both{influence(0.5f, 1), influence(0.5f, 2)};
    actor.skinning(skinning(3, {{influence(1, 1)}, {influence(1, 2)}, both}));
    return trip::scene_of(trip::glb_of(scene_of(actor.file)));
}

Mat4 bound_at_rest(const Scene& scene, Index node) {
    const glm::dmat4 inverse = glm::inverse(builders::world(scene, node));
    Mat4 matrix;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row)
            matrix.m[static_cast<std::size_t>(4 * column + row)] = static_cast<float>(inverse[column][row]);
    }
    return matrix;
}

/// Viewers get the upper half of a node as a joint, too, and programs that drop the extras of skins keep it.
TEST(EmfxActorEdited, TheUpperHalfOfANodeIsAJointAsTheNodeIs) {
    const Scene scene = stretched_scene();
    const Bytes bytes = bytes_of_actor(scene);
    const Index upper = builders::find(scene, "left.scale");
    for (const bool has_weights : {false, true}) {
        Scene bound = scene;
        Skin& skin = bound.skins.front();
        if (!has_weights) {
            skin.joints.push_back(upper);
            skin.inverse_bind_matrices.push_back(bound_at_rest(scene, upper));
        } else {
            skin.joints[0] = upper;
            skin.inverse_bind_matrices[0] = bound_at_rest(scene, upper);
        }
        EXPECT_EQ(difference(bytes, bytes_of_actor(bound)), "");
        Mesh& mesh = bound.meshes[bound.nodes[builders::find(bound, "body.mesh")].mesh];
        for (Attribute& attribute : mesh.attributes) {
            if (attribute.semantic == Semantic::position) attribute.data.as<Vec3>()[0].x += 0.25f;
        }
        const auto files = files_of(bound);
        EXPECT_EQ(files.report.count("emfx-bind-differs"), 0u);
        expect_near(skinned_points(bound), skinned_points(scene_of(files.value.actor)));
    }
}

TEST(EmfxActorEdited, JointsThatMoveNothingMayBeBoundAnywhere) {
    Scene scene = armed_scene(false);
    Skin& skin = scene.skins.front();
    skin.joints.insert(skin.joints.begin(), builders::find(scene, "root"));
    skin.inverse_bind_matrices.insert(skin.inverse_bind_matrices.begin(), Mat4{});
    skin.inverse_bind_matrices.front().m[12] = 5;
    Mesh& mesh = scene.meshes[scene.nodes[builders::find(scene, "body.mesh")].mesh];
    for (Attribute& attribute : mesh.attributes) {
        if (attribute.semantic != Semantic::joints) continue;
        for (std::uint8_t& joint : attribute.data.as<std::uint8_t>()) ++joint;
    }
    const auto files = files_of(scene);
    EXPECT_EQ(files.report.count("emfx-bind-differs"), 0u);
    expect_near(skinned_points(scene), skinned_points(scene_of(files.value.actor)));
}

void add_child_node(Scene& scene, const std::string& name, const std::string& parent) {
    const auto index = static_cast<Index>(scene.nodes.size());
    Node& node = scene.nodes.emplace_back();
    node.name = name;
    node.parent = builders::find(scene, parent);
    scene.nodes[node.parent].children.push_back(index);
}

std::vector<std::uint32_t> kept_as_bytes(const xac::File& file) {
    std::vector<std::uint32_t> ids;
    for (const xac::Chunk& chunk : file.chunks) {
        if (std::holds_alternative<emfx::Opaque>(chunk.record)) ids.push_back(chunk.id);
    }
    return ids;
}

/// Groups, mirroring and events that nobody could read: the first two name nodes by their numbers.
TEST(EmfxActorEdited, ChunksThatAreKeptAsBytesStayAsLongAsTheyAreTrue) {
    using namespace builders;
    const emfx::Opaque bytes{raw<std::uint8_t>({1, 2, 3})};
    ActorFile actor;
    actor.nodes({node("root"), node("arm", 0, {0, 1, 0}), node("tip", 1)}).mesh(triangle(1));
    actor.add(10, 1, bytes).add(14, 1, bytes).add(50, 4, bytes).add(77, 1, bytes);
    const Scene scene = scene_of(actor.file);
    Scene moved = scene;
    moved.nodes[find(moved, "tip")].local.translation = {0, 2, 0};
    const auto after_move = files_of(moved);
    EXPECT_EQ(kept_as_bytes(after_move.value.actor), (std::vector<std::uint32_t>{10, 14, 50, 77}));
    EXPECT_EQ(after_move.report.count("emfx-chunk-lost"), 0u);
    Scene more = scene, less = scene;
    add_child_node(more, "new", "root");
    ASSERT_EQ(find(less, "tip") + 1, less.nodes.size());
    less.nodes[find(less, "arm")].children.clear();
    less.nodes.pop_back();
    for (const Scene* edited : {&more, &less}) {
        const auto files = files_of(*edited);
        EXPECT_EQ(kept_as_bytes(files.value.actor), (std::vector<std::uint32_t>{50, 77}));
        const auto& findings = files.report.diagnostics();
        const auto lost = std::ranges::find(findings, "emfx-chunk-lost", &Diagnostic::code);
        ASSERT_NE(lost, findings.end());
        EXPECT_EQ(lost->found, "2: node_groups, node_motion_sources");
    }
}

/// As programs leave the scene that drop the extras of assets.
TEST(EmfxActorEdited, NodesTellOfGroupsAndMirroringWhereTheAssetIsLost) {
    using namespace builders;
    xac::NodeGroups groups;
    groups.groups.push_back({1, {}, "left", {1, 2}});
    groups.groups.push_back({0, {}, "right", {2}});
    xac::NodeMotionSources mirror;
    mirror.has_axes = true;
    mirror.sources = {0xffff, 2, 1};
    mirror.axes = {0, 2, 0};
    mirror.flags = {0, 0, 5};
    for (const bool has_axes : {true, false}) {
        mirror.has_axes = has_axes;
        ActorFile actor;
        actor.nodes({node("root"), node("arm", 0), node("leg", 0)}).mesh(triangle(1));
        actor.add(10, 1, groups).add(14, 1, mirror);
        Scene scene = scene_of(actor.file);
        scene.asset_extras = {};
        const xac::File file = files_of(scene).value.actor;
        xac::File made;
        for (const xac::Chunk& chunk : file.chunks) {
            if (chunk.id == 10 || chunk.id == 14) made.chunks.push_back(chunk);
        }
        const xac::File wanted = ActorFile().add(10, 1, groups).add(14, 1, mirror).file;
        EXPECT_EQ(difference(xac::write(made).value(), xac::write(wanted).value()), "") << has_axes;
    }
}

/// A target whose vertices are in no order and that moves a node as well, and one that only moves a node; and a body,
/// which they do not move.
ActorFile nodding_actor() {
    using namespace builders;
    xac::MorphDeformation deformation;
    deformation.node = 1;
    deformation.max_value = 1;
    deformation.vertices = {2, 0};
    deformation.positions = {{{65535, 0, 0}}, {{0, 32768, 0}}};
    deformation.normals = {{{128, 128, 128}}, {{128, 128, 128}}};
    deformation.tangents = deformation.normals;
    xac::MorphTargets list;
    xac::MorphTarget& smile = list.targets.emplace_back();
    smile.name = "smile";
    smile.deformations = {deformation};
    smile.transformations = {{2, {}, {}, {0, 1, 0}, {}}};
    xac::MorphTarget& nod = list.targets.emplace_back();
    nod.name = "nod";
    nod.transformations = {{1, {}, {}, {0, 2, 0}, {}}};
    ActorFile actor;
    actor.nodes({node("root"), node("face", 0), node("jaw", 1), node("body", 0)}).mesh(triangle(1)).mesh(triangle(3));
    actor.add(12, 1, std::move(list));
    return actor;
}

const xac::MorphTargets& targets_of(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* list = std::get_if<xac::MorphTargets>(&chunk.record)) return *list;
    }
    ADD_FAILURE() << "no targets";
    static const xac::MorphTargets none;
    return none;
}

Bytes bytes_of(const xac::MorphTargets& list) { return xac::write(ActorFile().add(12, 1, list).file).value(); }

TEST(EmfxActorEdited, TargetsThatTheSceneDoesNotSayWholeStayWhereOthersAreEdited) {
    const ActorFile actor = nodding_actor();
    const Scene scene = scene_of(actor.file);
    const auto push = [](Scene& edited, const char* name) {
        const Index mesh = edited.nodes[builders::find(edited, name)].mesh;
        edited.meshes[mesh].attributes.front().data.as<Vec3>()[0].x += 1;
    };
    Scene other_mesh = scene, more_nodes = scene, own_mesh = scene;
    push(other_mesh, "body");
    add_child_node(more_nodes, "new", "root");
    for (const Scene* edited : {&other_mesh, &more_nodes}) {
        const auto files = files_of(*edited);
        EXPECT_EQ(difference(bytes_of(targets_of(files.value.actor)), bytes_of(targets_of(actor.file))), "");
        EXPECT_EQ(files.report.count("emfx-chunk-lost"), 0u);
    }
    push(own_mesh, "face");
    // Once they are read, their numbers can be turned.
    ActorFile turned = actor;
    turned.file.header.endian = 1;
    Scene big_endian = scene_of(turned.file);
    set_untouched(big_endian);
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    EXPECT_TRUE(files_of(big_endian, options).value.actor.header.big_endian());
    push(big_endian, "face");
    const auto little_endian = files_of(big_endian, options);
    EXPECT_FALSE(little_endian.value.actor.header.big_endian());
    EXPECT_EQ(targets_of(little_endian.value.actor).targets.size(), 2u);
    const xac::File file = files_of(own_mesh).value.actor;
    const xac::MorphTargets& list = targets_of(file);
    ASSERT_EQ(list.targets.size(), 2u);
    EXPECT_EQ(list.targets[1].name, "nod");
    EXPECT_EQ(list.targets[1].transformations.size(), 1u);
    ASSERT_EQ(list.targets[0].transformations.size(), 1u);
    EXPECT_EQ(list.targets[0].transformations[0].node, 2u);
    ASSERT_EQ(list.targets[0].deformations.size(), 1u);
    const xac::MorphDeformation& deformation = list.targets[0].deformations[0];
    ASSERT_EQ(deformation.vertices.size(), 2u);
    EXPECT_EQ(deformation.vertices[0], 0u);
    EXPECT_EQ(deformation.positions[0].value[1], 32768);
    EXPECT_EQ(deformation.positions[1].value[0], 65535);
}

/// A target that is of a node without a mesh, and of vertices that its mesh lacks, as well.
TEST(EmfxActorEdited, TargetsThatTheSceneHasNotStayWhereOtherMeshesAreEdited) {
    ActorFile actor = nodding_actor();
    auto& targets = std::get<xac::MorphTargets>(actor.file.chunks.back().record).targets;
    xac::MorphDeformation jaw = targets[0].deformations[0];
    jaw.node = 2;
    xac::MorphTarget beyond;
    beyond.name = "beyond";
    beyond.deformations = {targets[0].deformations[0], jaw};
    beyond.deformations[0].vertices = {77, 78};
    targets.push_back(std::move(beyond));
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    Scene without = scene;
    scene.meshes[scene.nodes[builders::find(scene, "body")].mesh].attributes.front().data.as<Vec3>()[0].x += 1;
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(difference(bytes_of(targets_of(file)), bytes_of(targets_of(actor.file))), "");
    without.nodes[builders::find(without, "face")].mesh = no_index;
    for (const xac::MorphTarget& target : targets_of(files_of(without).value.actor).targets)
        EXPECT_TRUE(target.deformations.empty()) << target.name << ": of a mesh that is gone";
}

/// Later exporters have materials for each level. `used`: what the coarse mesh names.
ActorFile leveled_actor(std::uint32_t used = 0) {
    using namespace builders;
    ActorFile actor;
    actor.nodes({node("root")});
    for (const std::uint32_t lod : {0u, 1u}) actor.add(13, 2, xac::MaterialInfo{lod, 1, 1, 0});
    for (const std::uint32_t lod : {0u, 1u}) {
        xac::StandardMaterial material;
        material.name = lod == 0 ? "near" : "far";
        material.lod = lod;
        actor.add(3, 3, material);
    }
    xac::Mesh fine = triangle(0), coarse = triangle(0);
    coarse.lod = 1;
    coarse.submeshes.front().material = used;
    return actor.add(1, 2, fine).add(1, 2, coarse);
}

std::vector<std::string> materials_of_level(const xac::File& file, std::uint32_t lod) {
    std::vector<std::string> names;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* material = std::get_if<xac::StandardMaterial>(&chunk.record);
        if (material != nullptr && material->lod == lod) names.push_back(material->name);
    }
    return names;
}

/// What the meshes of a file have: of the materials of their level, or of level 0 where it has none.
std::vector<std::string> materials_of_meshes(const xac::File& file) {
    std::vector<std::string> used;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* mesh = std::get_if<xac::Mesh>(&chunk.record);
        if (mesh == nullptr) continue;
        std::vector<std::string> names = materials_of_level(file, mesh->lod);
        if (names.empty()) names = materials_of_level(file, 0);
        const std::uint32_t number = mesh->submeshes.front().material;
        used.push_back(number < names.size() ? names[number] : "none");
    }
    return used;
}

using Names = std::vector<std::string>;

TEST(EmfxActorEdited, MeshesHaveMaterialsOfTheirLevel) {
    const Scene scene = scene_of(leveled_actor().file);
    const Index fine = scene.nodes[builders::find(scene, "root.mesh")].mesh,
                coarse = scene.nodes[builders::find(scene, "root.lod1")].mesh;
    const auto with = [&](std::vector<Index> meshes, Index material) {
        Scene edited = scene;
        edited.materials.emplace_back().name = "new";
        for (const Index mesh : meshes) edited.meshes[mesh].primitives.front().material = material;
        return files_of(edited).value.actor;
    };
    const xac::File none = with({coarse}, no_index);
    EXPECT_EQ(materials_of_meshes(none), (Names{"near", "EMFX Default"}));
    EXPECT_EQ(materials_of_level(none, 0), Names{"near"});
    const xac::File fresh = with({coarse}, 2);
    EXPECT_EQ(materials_of_meshes(fresh), (Names{"near", "new"}));
    EXPECT_EQ(materials_of_level(fresh, 0), Names{"near"});
    EXPECT_EQ(materials_of_level(fresh, 1), (Names{"far", "new"}));
    EXPECT_EQ(materials_of_meshes(with({fine, coarse}, 2)), (Names{"new", "new"}));
    EXPECT_EQ(materials_of_meshes(with({fine}, 1)), (Names{"far", "far"}));
    for (const xac::File& file : {none, fresh}) EXPECT_EQ(xac::check(file).count("material-info-count"), 0u);
}

TEST(EmfxActorEdited, LevelsThatBecomeActorsHaveTheirMaterialsInLevel0) {
    emfx::FromSceneOptions options;
    options.levels = emfx::LevelStorage::embedded;
    const xac::File actor = files_of(scene_of(leveled_actor().file), options).value.actor;
    EXPECT_EQ(materials_of_meshes(actor), Names{"near"});
    const auto* level = std::get_if<xac::MeshLod>(&actor.chunks.back().record);
    ASSERT_NE(level, nullptr);
    ASSERT_EQ(level->actor.size(), 1u);
    EXPECT_EQ(materials_of_meshes(level->actor.front()), Names{"far"});
    EXPECT_EQ(materials_of_level(level->actor.front(), 0), Names{"far"});
}

/// Nodes, and on each a mesh with a material of its own.
ActorFile actor_with(const Names& materials) {
    ActorFile actor;
    std::vector<xac::Node> nodes;
    for (std::size_t i = 0; i < materials.size(); ++i) nodes.push_back(builders::node("node" + std::to_string(i)));
    actor.nodes(std::move(nodes));
    for (std::size_t i = 0; i < materials.size(); ++i) {
        xac::StandardMaterial material;
        material.name = materials[i];
        material.layers.emplace_back().map_type = 2;
        material.layers.back().texture = "skin";
        material.layers.back().material = static_cast<std::uint16_t>(i);
        actor.add(3, 2, std::move(material));
    }
    for (std::uint32_t i = 0; i < materials.size(); ++i) {
        xac::Mesh mesh = builders::triangle(i);
        mesh.layers.push_back(builders::layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
        mesh.submeshes.front().material = i;
        actor.mesh(std::move(mesh));
    }
    return actor;
}

Scene untouched(const ActorFile& actor) {
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    return scene;
}

/// As modelling programs copy them, with their records.
TEST(EmfxActorEdited, CopiesOfMaterialsStandBehindAllOthers) {
    const Scene scene = untouched(actor_with({"one", "two", "three"}));
    for (const bool is_copy_first : {false, true}) {
        Scene edited = scene;
        edited.materials.push_back(scene.materials.front());
        const Index copy = is_copy_first ? 0 : 3;
        edited.materials[copy].name = "copy";
        edited.meshes.front().primitives.front().material = copy;
        const xac::File file = files_of(edited).value.actor;
        EXPECT_EQ(materials_of_meshes(file), (Names{"copy", "two", "three"})) << is_copy_first;
        EXPECT_EQ(materials_of_level(file, 0), (Names{"one", "two", "three", "copy"})) << is_copy_first;
        std::uint16_t number = 0;
        for (const xac::Chunk& chunk : file.chunks) {
            const auto* const material = std::get_if<xac::StandardMaterial>(&chunk.record);
            if (material != nullptr) EXPECT_EQ(material->layers.at(0).material, number++) << material->name;
        }
    }
}

/// As where somebody adds it from another scene.
TEST(EmfxActorEdited, AMaterialWhoseChunkIsNoneIsNew) {
    Scene scene = untouched(actor_with({"one", "two"}));
    std::string& extras = scene.materials.front().extras.json;
    const std::string own = R"("chunk":1)", other = R"("chunk":0)";
    ASSERT_NE(extras.find(own), std::string::npos) << extras;
    extras.replace(extras.find(own), own.size(), other);
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(materials_of_level(file, 0), (Names{"two", "one"}));
    EXPECT_EQ(materials_of_meshes(file), (Names{"one", "two"}));
}

/// An actor of meshes with these materials, and an embedded level that has "one", and "far", which no mesh has.
Scene scene_with_level(const Names& materials) {
    ActorFile actor = actor_with(materials), far = actor_with({"one"});
    xac::StandardMaterial own;
    own.name = "far";
    far.add(3, 2, std::move(own));
    xac::MeshLod embedded;
    embedded.actor.push_back(std::move(far.file));
    return untouched(actor.add(8, 1, std::move(embedded)));
}

/// Even those that no mesh of the scene has.
TEST(EmfxActorEdited, EditedMaterialsTakeTheirPlaceInEachLevel) {
    const Scene scene = scene_with_level({"one", "two"});
    ASSERT_EQ(scene.materials.size(), 3u);
    Scene edited = scene, copied = scene;
    edited.materials[0].name = "new";
    edited.materials[2].name = "farther";
    const xac::File now = files_of(edited).value.actor;
    EXPECT_EQ(materials_of_level(now, 0), (Names{"new", "two"}));
    ASSERT_NE(level_of(now), nullptr);
    EXPECT_EQ(materials_of_level(*level_of(now), 0), (Names{"new", "farther"}));
    EXPECT_EQ(materials_of_meshes(*level_of(now)), Names{"new"});
    copied.materials.push_back(scene.materials[0]);
    copied.materials.back().name = "copy";
    copied.meshes.front().primitives.front().material = 3;
    const xac::File with = files_of(copied).value.actor;
    EXPECT_EQ(materials_of_meshes(with), (Names{"copy", "two"}));
    ASSERT_NE(level_of(with), nullptr);
    EXPECT_EQ(materials_of_level(*level_of(with), 0), (Names{"one", "far"}));
    EXPECT_EQ(materials_of_meshes(*level_of(with)), Names{"one"});
}

TEST(EmfxActorEdited, LimitsOfMaterialsThatAreNotWrittenAreNotSaid) {
    const Scene scene = scene_with_level({"one"});
    ASSERT_EQ(scene.materials.size(), 2u);
    Scene copied = scene, edited = scene;
    copied.materials.push_back(scene.materials[1]);
    copied.materials.back().metallic = 1;  // nothing uses the copy, and the level keeps the one that nobody edited
    EXPECT_EQ(files_of(copied).report.count("emfx-material-lost"), 0u);
    edited.materials[1].metallic = 1;
    EXPECT_EQ(files_of(edited).report.count("emfx-material-lost"), 1u) << "the level has it";
}

/// Info of version 4 says how many levels there are.
TEST(EmfxActorEdited, LevelsAreCountedAnewWhereMeshesGo) {
    const auto count_in = [](const Scene& scene, emfx::LevelStorage levels) {
        emfx::FromSceneOptions options;
        options.levels = levels;
        return std::get<xac::Info>(files_of(scene, options).value.actor.chunks.front().record).lod_count;
    };
    for (const std::uint32_t said : {2u, 3u}) {
        xac::Info info;
        info.lod_count = said;
        xac::File file = leveled_actor().file;
        file.chunks.insert(file.chunks.begin(), {7, 4, std::nullopt, info, {}});
        Scene scene = scene_of(file);
        EXPECT_EQ(count_in(scene, emfx::LevelStorage::by_target), said);
        EXPECT_EQ(count_in(scene, emfx::LevelStorage::embedded), 1u);
        ASSERT_EQ(builders::find(scene, "root.lod1") + 1, scene.nodes.size());
        scene.nodes[builders::find(scene, "root.mesh")].lods.clear();
        scene.nodes.pop_back();
        EXPECT_EQ(count_in(scene, emfx::LevelStorage::by_target), 1u);
    }
}

emfx::SceneOptions second_level() {
    emfx::SceneOptions options;
    options.lod = 1;
    return options;
}

/// The only level of detail that a scene has is the actor's finest.
TEST(EmfxActorEdited, ALevelByNumberThatIsTakenAloneBecomesLevel0) {
    using namespace builders;
    ActorFile actor = leveled_actor();
    const std::vector<xac::Influence> root{influence(1, 0)};
    for (const std::uint32_t lod : {0u, 1u}) {
        xac::Skinning bound = skinning(0, {root, root, root});
        bound.lod = lod;
        actor.add(2, 4, std::move(bound));
    }
    for (const auto levels :
         {emfx::LevelStorage::by_target, emfx::LevelStorage::embedded, emfx::LevelStorage::fields}) {
        emfx::FromSceneOptions options;
        options.levels = levels;
        Scene scene = scene_of(actor.file, second_level());
        set_untouched(scene);
        const xac::File file = files_of(scene, options).value.actor;
        std::size_t meshes = 0, skinnings = 0;
        for (const xac::Chunk& chunk : file.chunks) {
            if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) {
                ++meshes;
                EXPECT_EQ(mesh->lod, 0u);
            }
            if (const auto* bound = std::get_if<xac::Skinning>(&chunk.record)) {
                ++skinnings;
                EXPECT_EQ(bound->lod, 0u);
            }
        }
        EXPECT_EQ(meshes, 1u);
        EXPECT_EQ(skinnings, 1u);
        EXPECT_EQ(materials_of_meshes(file), Names{"far"});
    }
}

TEST(EmfxActorEdited, AnEmbeddedLevelThatIsTakenAloneKeepsItsCollisionMesh) {
    using namespace builders;
    const auto part = [] {
        xac::Mesh hull = triangle(0);
        hull.is_collision = 1;
        return ActorFile().nodes({node("root")}).mesh(triangle(0)).mesh(std::move(hull));
    };
    ActorFile actor = part();
    xac::MeshLod level;
    level.actor.push_back(part().file);
    actor.add(8, 1, std::move(level));
    Scene scene = scene_of(actor.file, second_level());
    set_untouched(scene);
    const xac::File file = files_of(scene).value.actor;
    EXPECT_EQ(level_of(file), nullptr);
    std::vector<int> collides;
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) collides.push_back(mesh->is_collision);
    }
    EXPECT_EQ(collides, (std::vector<int>{0, 1}));
}

/// A number that only another level has is that of no material.
TEST(EmfxActorEdited, MaterialNumbersBeyondTheirLevelStay) {
    const xac::File file = leveled_actor(1).file;
    EXPECT_EQ(difference(xac::write(file).value(), xac::write(round_trip(file)).value()), "");
}

/// Games' own files have more than their shaders use: nothing changes, and it is said.
TEST(EmfxActorEdited, UneditedMeshesKeepInfluencesBeyondTheGames) {
    using namespace builders;
    ActorFile actor;
    actor.nodes({node("root"), node("left", 0), node("right", 0)}).mesh(triangle(0));
    const std::vector<xac::Influence> three{influence(0.5f, 0), influence(0.25f, 1), influence(0.25f, 2)};
    actor.skinning(skinning(0, {three, three, {influence(1, 1)}}));
    const Scene scene = trip::scene_of(trip::glb_of(scene_of(actor.file)));
    for (const emfx::Target target : {emfx::Target::any, emfx::Target::hoi3}) {
        emfx::FromSceneOptions options;
        options.target = target;
        const auto files = files_of(scene, options);
        EXPECT_EQ(files.report.count("emfx-influences"), target == emfx::Target::any ? 0u : 1u);
        EXPECT_EQ(difference(xac::write(files.value.actor).value(), xac::write(actor.file).value()), "");
    }
}

}  // namespace
