/// Scenes from other tools.

#include <algorithm>
#include <functional>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <limits>

#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"
#include "emfx_scene/corners.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

template <class T>
Attribute attribute(Semantic semantic, ElementType element, const std::vector<T>& values,
                    ComponentType component = ComponentType::f32) {
    Attribute result;
    result.semantic = semantic;
    result.data.element = element;
    result.data.component = component;
    result.data.bytes = builders::raw(values);
    return result;
}

/// A bent strip of `cells` cells along x, with texture coordinates.
Mesh strip_mesh(std::uint32_t cells, bool with_normals) {
    Mesh mesh;
    mesh.name = "strip";
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> uvs;
    Primitive primitive;
    for (std::uint32_t i = 0; i <= cells; ++i) {
        const float x = static_cast<float>(i);
        for (const float z : {0.0f, 1.0f}) {
            positions.push_back({x, 0.1f * x * x, z});
            normals.push_back({0, 1, 0});
            uvs.push_back({x / 4, z});
        }
        if (i == cells) break;
        for (const std::uint32_t corner : {0u, 1u, 2u, 2u, 1u, 3u}) primitive.indices.push_back(2 * i + corner);
    }
    mesh.vertex_count = static_cast<std::uint32_t>(positions.size());
    primitive.vertex_count = mesh.vertex_count;
    mesh.attributes.push_back(attribute(Semantic::position, ElementType::vec3, positions));
    if (with_normals) mesh.attributes.push_back(attribute(Semantic::normal, ElementType::vec3, normals));
    mesh.attributes.push_back(attribute(Semantic::texcoord, ElementType::vec2, uvs));
    mesh.primitives.push_back(std::move(primitive));
    return mesh;
}

Index add_node(Scene& scene, const std::string& name, Index parent = no_index, Index mesh = no_index) {
    const auto index = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = name;
    scene.nodes.back().mesh = mesh;
    if (parent != no_index) add_child(scene, parent, index);
    return index;
}

Scene strip_scene(bool with_normals = true) {
    Scene scene;
    scene.name = "strip";
    scene.meshes.push_back(strip_mesh(4, with_normals));
    scene.materials.emplace_back().name = "cloth";
    scene.meshes.front().primitives.front().material = 0;
    const Index root = add_node(scene, "root");
    add_node(scene, "strip", root, 0);
    return scene;
}

/// A strip whose vertices follow a chain of bones, one for each cell edge.
Scene skinned_strip(std::uint32_t cells) {
    Scene scene;
    scene.name = "chain";
    scene.meshes.push_back(strip_mesh(cells, true));
    Skin skin;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    Index parent = add_node(scene, "root");
    for (std::uint32_t i = 0; i <= cells; ++i) {
        const Index bone = add_node(scene, "bone" + std::to_string(i), parent);
        scene.nodes[bone].local.translation = {i == 0 ? 0.0f : 1.0f, 0, 0};
        skin.joints.push_back(bone);
        Mat4 inverse;
        inverse.m[12] = -static_cast<float>(i);
        skin.inverse_bind_matrices.push_back(inverse);
        parent = bone;
        for (int side = 0; side < 2; ++side) {
            const auto own = static_cast<std::uint16_t>(i);
            const auto last = static_cast<std::uint16_t>(i == 0 ? 0 : i - 1);
            joints.insert(joints.end(), {own, last, 0, 0});
            weights.insert(weights.end(), {i == 0 ? 1.0f : 0.75f, i == 0 ? 0.0f : 0.25f, 0, 0});
        }
    }
    Mesh& mesh = scene.meshes.front();
    mesh.attributes.push_back(attribute(Semantic::joints, ElementType::vec4, joints, ComponentType::u16));
    mesh.attributes.push_back(attribute(Semantic::weights, ElementType::vec4, weights));
    scene.skins.push_back(std::move(skin));
    const Index node = add_node(scene, "body", no_index, 0);
    scene.nodes[node].skin = 0;
    return scene;
}

/// Scene, file, scene; the largest distance at rest and in two poses.
double trip(const Scene& scene, const emfx::FromSceneOptions& options = {}, bool with_normals = true) {
    const auto files = files_of(scene, options);
    EXPECT_EQ(findings(files.value.actor), "");
    const Scene again = scene_of(files.value.actor);
    double worst = 0;
    for (const unsigned seed : {0u, 3u, 4u}) {
        worst = std::max(worst, corners::compare(corners::drawn(scene, corners::worlds(scene, seed)),
                                                 corners::drawn(again, corners::worlds(again, seed)), with_normals));
    }
    return worst;
}

const xac::Mesh* first_mesh(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) return mesh;
    }
    return nullptr;
}

std::vector<std::uint32_t> layer_types(const xac::Mesh& mesh) {
    std::vector<std::uint32_t> types;
    for (const xac::VertexLayer& layer : mesh.layers) types.push_back(static_cast<std::uint32_t>(layer.type));
    return types;
}

std::vector<std::uint32_t> chunk_ids(const xac::File& file) {
    std::vector<std::uint32_t> ids;
    for (const xac::Chunk& chunk : file.chunks) ids.push_back(chunk.id);
    return ids;
}

TEST(EmfxActorForeign, PlainMesh) {
    const Scene scene = strip_scene();
    EXPECT_LT(trip(scene), 1e-6);
    const auto files = files_of(scene);
    EXPECT_EQ(chunk_ids(files.value.actor), (std::vector<std::uint32_t>{7, 11, 13, 3, 1}));
    EXPECT_EQ(layer_types(*first_mesh(files.value.actor)), (std::vector<std::uint32_t>{5, 0, 1, 3}));
}

TEST(EmfxActorForeign, MissingNormalsAreFlat) {
    const Scene scene = strip_scene(false);
    EXPECT_LT(trip(scene), 1e-6);
    const auto files = files_of(scene);
    const xac::Mesh& mesh = *first_mesh(files.value.actor);
    EXPECT_EQ(mesh.vertex_count, 24u);           // three for each triangle
    EXPECT_EQ(mesh.original_vertex_count, 10u);  // that are welded again
}

TEST(EmfxActorForeign, InstancesMirrorsAndMatrices) {
    Scene scene = strip_scene();
    const Index again = add_node(scene, "again", 0, 0);
    scene.nodes[again].local.scale = {-2, 2, 2};
    scene.nodes[again].local.translation = {0, 0, 5};
    const Index skewed = add_node(scene, "skewed", 0, 0);
    scene.nodes[skewed].matrix = Mat4{{1, 0.5f, 0, 0, 0, 1, 0, 0, 0, 0.25f, 2, 0, 3, 4, 5, 1}};
    const Index uneven = add_node(scene, "uneven", again);
    scene.nodes[uneven].local.rotation = builders::turn({1, 1, 0}, 50);
    scene.nodes[uneven].local.scale = {1, 2, 3};
    add_node(scene, "below", uneven, 0);
    EXPECT_LT(trip(scene), 1e-6);
    emfx::FromSceneOptions options;
    options.target = emfx::Target::tree_of_savior;
    EXPECT_EQ(files_of(scene, options).value.actor.header.multiplication_order, 0);  // because of uneven scale
}

TEST(EmfxActorForeign, NamesAreMadeUniqueAndPointsLeftOut) {
    Scene scene = strip_scene();
    add_node(scene, "root");
    add_node(scene, "");
    Primitive points;
    points.topology = Topology::points;
    points.vertex_count = scene.meshes.front().vertex_count;
    points.indices = {0, 1, 2};
    scene.meshes.front().primitives.push_back(points);
    const auto files = files_of(scene);
    EXPECT_EQ(findings(files.value.actor), "");
    EXPECT_EQ(files.report.count("emfx-node-renamed"), 1u);
    EXPECT_EQ(files.report.count("emfx-topology"), 1u);
}

TEST(EmfxActorForeign, MaterialsWithoutAndWithTextures) {
    Scene scene = strip_scene();
    scene.meshes.front().primitives.push_back(scene.meshes.front().primitives.front());
    scene.meshes.front().primitives.back().material = no_index;
    scene.images.emplace_back().name = "Cloth Red.png";
    scene.materials.front().base_color_texture.image = 0;
    scene.materials.front().normal_texture.image = 0;
    const auto files = files_of(scene);
    EXPECT_EQ(findings(files.value.actor), "");
    const xac::Mesh& mesh = *first_mesh(files.value.actor);
    EXPECT_EQ(layer_types(mesh), (std::vector<std::uint32_t>{5, 0, 1, 3, 2}));  // the normal map wants tangents
    EXPECT_EQ(files.report.count("emfx-tangents"), 1u);
    EXPECT_EQ(mesh.submeshes[1].material, 1u);
}

TEST(EmfxActorForeign, EveryTargetPassesCheck) {
    using emfx::Target;
    for (const Target target :
         {Target::any, Target::victoria2, Target::eu3, Target::tree_of_savior, Target::x_rebirth}) {
        Scene scene = skinned_strip(6);
        scene.materials.emplace_back().name = "skins.cloth";
        scene.images.emplace_back().name = "cloth";
        scene.materials.front().base_color_texture.image = 0;
        scene.materials.front().alpha_mode = AlphaMode::mask;
        scene.meshes.front().primitives.front().material = 0;
        emfx::FromSceneOptions options;
        options.target = target;
        EXPECT_LT(trip(scene, options), 1e-6) << static_cast<int>(target);
    }
}

/// They stand in UTF-8 among names that do not.
TEST(EmfxActorForeign, NamesThatTheCodePageLacksAreNamed) {
    const std::string german =
                          "Gr\xC3\xB6\xC3\x9F"
                          "e",
                      japanese = "\xE6\x97\xA5\xE6\x9C\xAC";
    Scene scene = strip_scene();
    scene.materials.front().name = german;
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    EXPECT_EQ(files_of(scene, options).report.count("emfx-name-encoding"), 0u) << "CP1252 has them all";
    scene.nodes.front().name = japanese;
    const Report report = files_of(scene, options).report;
    ASSERT_EQ(report.count("emfx-name-encoding"), 1u);
    for (const Diagnostic& one : report.diagnostics())
        EXPECT_TRUE(one.code != "emfx-name-encoding" || one.found == "1: " + japanese) << one.found;
    options.target = emfx::Target::any;
    EXPECT_EQ(files_of(scene, options).report.count("emfx-name-encoding"), 0u) << "all are UTF-8";
}

xac::StandardMaterial standard_of(const Scene& scene) {
    for (const xac::Chunk& chunk : files_of(scene).value.actor.chunks) {
        if (const auto* material = std::get_if<xac::StandardMaterial>(&chunk.record)) return *material;
    }
    return {};
}

TEST(EmfxActorForeign, RefractionAndReflectionHaveFields) {
    Scene scene = strip_scene();
    EXPECT_EQ(standard_of(scene).index_of_refraction, 1) << "as exporters write it where nobody chose anything";
    EXPECT_EQ(standard_of(scene).specular, (Color{0, 0, 0, 1}));
    Material& cloth = scene.materials.front();
    cloth.roughness = 0.5f;
    cloth.ior = 1.33f;
    cloth.specular = 0.5f;
    cloth.specular_color = {1, 0.5f, 4};
    EXPECT_EQ(standard_of(scene).index_of_refraction, 1.33f);
    EXPECT_EQ(standard_of(scene).specular, (Color{0.5f, 0.25f, 1, 1}));
    Scene again = scene_of(files_of(scene).value.actor);
    EXPECT_EQ(again.materials.at(0).ior, 1.33f);
    EXPECT_EQ(again.materials.at(0).specular_color, (Vec3{0.5f, 0.25f, 1}));
    EXPECT_EQ(files_of(scene).report.count("emfx-material-lost"), 0u);
    Scene matt = scene;
    matt.materials.front().roughness = 1;
    EXPECT_EQ(files_of(matt).report.count("emfx-material-lost"), 1u) << "where nothing shines, no colour is read";
    again.materials.at(0).ior = 1.5f;
    EXPECT_EQ(standard_of(again).index_of_refraction, 1.5f);
    EXPECT_EQ(standard_of(again).specular, (Color{0.5f, 0.25f, 1, 1}));
    emfx::FromSceneOptions effects;
    effects.target = emfx::Target::tree_of_savior;
    EXPECT_EQ(files_of(scene, effects).report.count("emfx-material-lost"), 1u);
}

TEST(EmfxActorForeign, TreeOfSaviorHasEffects) {
    Scene scene = strip_scene();
    scene.images.emplace_back().name = "cloth";
    scene.materials.front().base_color_texture.image = 0;
    scene.materials.front().double_sided = true;
    emfx::FromSceneOptions options;
    options.target = emfx::Target::tree_of_savior;
    const auto files = files_of(scene, options);
    EXPECT_EQ(files.value.actor.header.multiplication_order, 1);
    EXPECT_EQ(chunk_ids(files.value.actor), (std::vector<std::uint32_t>{7, 11, 13, 3, 5, 1}));
    const auto& fx = std::get<xac::FxMaterial>(files.value.actor.chunks[4].record);
    EXPECT_EQ(fx.effect_file, "Default.fx");
    const auto number_of = [](const auto& list, std::string_view name) {
        const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
        return found == list.end() ? -99.0f : static_cast<float>(found->value);
    };
    EXPECT_EQ(number_of(fx.ints, "g_srcAlphaValue"), 5);
    EXPECT_EQ(number_of(fx.ints, "g_dstAlphaValue"), 6);
    EXPECT_EQ(number_of(fx.ints, "g_alphaTestValue"), 127);
    EXPECT_EQ(number_of(fx.ints, "DiffuseTexmapChannel"), 1);
    EXPECT_EQ(number_of(fx.floats, "g_MidPosZ"), 20);
    EXPECT_EQ(number_of(fx.floats, "g_depthDistanceValue"), 2);
    EXPECT_EQ(number_of(fx.floats, "farSaturation"), -24);
    EXPECT_EQ(fx.floats.size(), 26u);
    ASSERT_EQ(fx.bitmaps.size(), 1u);
    EXPECT_EQ(fx.bitmaps.front().name, "DiffuseTex");
    EXPECT_EQ(fx.bitmaps.front().value, "cloth.dds");
    const Scene again = scene_of(files.value.actor);
    EXPECT_TRUE(again.materials.back().double_sided);

    // Bitmaps are not placed, and have no strength.
    const auto lost = [&] {
        std::string text;
        const auto made = files_of(scene, options);
        for (const Diagnostic& diagnostic : made.report.diagnostics())
            if (diagnostic.code == "emfx-material-lost") text += diagnostic.found;
        return text;
    };
    EXPECT_EQ(lost().find("offset"), std::string::npos);
    scene.materials.front().base_color_texture.scale = {2, 2};
    EXPECT_NE(lost().find("offset, rotation and scale of textures"), std::string::npos);
    EXPECT_EQ(lost().find("strength"), std::string::npos);
    scene.materials.front().emissive = {0.5f, 0, 0};
    EXPECT_NE(lost().find("strength of emission or relief"), std::string::npos);

    scene.materials.front().base_color.a = 0.5f;
    scene.materials.front().alpha_mode = AlphaMode::opaque;
    EXPECT_EQ(lost().find("opacity"), std::string::npos) << "it says nothing";
    scene.materials.front().alpha_mode = AlphaMode::blend;
    EXPECT_NE(lost().find("opacity"), std::string::npos);
}

/// As in all known files: material info behind the nodes, whatever it counts.
TEST(EmfxActorForeign, SkeletonsHaveMaterialInfo) {
    Scene scene;
    add_node(scene, "root");
    const auto files = files_of(scene);
    EXPECT_EQ(findings(files.value.actor), "");
    EXPECT_EQ(chunk_ids(files.value.actor), (std::vector<std::uint32_t>{7, 11, 13}));
}

TEST(EmfxActorForeign, SkinsFollowTheirBones) { EXPECT_LT(trip(skinned_strip(5)), 1e-6); }

TEST(EmfxActorForeign, AMeshInAnotherSpaceIsMovedToItsBones) {
    Scene scene = skinned_strip(5);
    // As exporters do that keep the mesh's own units: all binds share one scale.
    for (Mat4& bind : scene.skins.front().inverse_bind_matrices) {
        for (const std::size_t k : {0u, 5u, 10u}) bind.m[k] = 0.01f;
    }
    for (Vec3& p : scene.meshes.front().attributes.front().data.as<Vec3>()) p = {100 * p.x, 100 * p.y, 100 * p.z};
    EXPECT_LT(trip(scene), 1e-6);
}

TEST(EmfxActorForeign, ARestThatIsNotTheBindIsLeftToMotions) {
    Scene scene = skinned_strip(5);
    scene.nodes[3].local.rotation = builders::turn({0, 0, 1}, 40);
    const auto files = files_of(scene);
    EXPECT_EQ(findings(files.value.actor), "");
    EXPECT_EQ(files.report.count("emfx-bind-pose"), 1u);
    // The actor rests in the bind; posed like the scene, it looks like the scene.
    Scene again = scene_of(files.value.actor);
    const Index bone = builders::find(again, scene.nodes[3].name);
    again.nodes[bone].local = scene.nodes[3].local;
    const auto before = corners::drawn(scene, corners::worlds(scene));
    EXPECT_LT(corners::compare(before, corners::drawn(again, corners::worlds(again))), 1e-6);
}

TEST(EmfxActorForeign, PalettesAreSplit) {
    const Scene scene = skinned_strip(30);
    emfx::FromSceneOptions options;
    options.max_bones = 6;
    const auto files = files_of(scene, options);
    EXPECT_EQ(findings(files.value.actor), "");
    const xac::Mesh& mesh = *first_mesh(files.value.actor);
    EXPECT_GT(mesh.submeshes.size(), 4u);
    std::size_t indices = 0;
    for (const xac::Submesh& submesh : mesh.submeshes) {
        EXPECT_LE(submesh.bones.size(), 6u);
        indices += submesh.indices.size();
    }
    EXPECT_EQ(indices, 30u * 6);
    options.max_bones = 2;
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "emfx-palette");
    EXPECT_EQ(refused.error().found, "3");
}

TEST(EmfxActorForeign, PalettesOfUneditedMeshesAreSplitWhereTheyAreTooLarge) {
    Scene scene = scene_of(files_of(skinned_strip(60)).value.actor);
    set_untouched(scene);
    const auto largest_palette = [&](const emfx::FromSceneOptions& options) {
        std::size_t largest = 0;
        for (const xac::Submesh& submesh : first_mesh(files_of(scene, options).value.actor)->submeshes)
            largest = std::max(largest, submesh.bones.size());
        return largest;
    };
    emfx::FromSceneOptions options;
    EXPECT_GT(largest_palette(options), 45u);
    options.target = emfx::Target::eu3;
    EXPECT_LE(largest_palette(options), 45u);
    options.max_bones = 6;
    EXPECT_LE(largest_palette(options), 6u);
}

/// The shaders of Paradox's games have room for 45 matrices.
TEST(EmfxActorForeign, PalettesFitTheTarget) {
    const Scene scene = skinned_strip(100);
    for (const emfx::Target target : {emfx::Target::any, emfx::Target::victoria2, emfx::Target::eu3}) {
        emfx::FromSceneOptions options;
        options.target = target;
        const auto files = files_of(scene, options);
        std::size_t most = 0;
        for (const xac::Submesh& submesh : first_mesh(files.value.actor)->submeshes)
            most = std::max(most, submesh.bones.size());
        if (target == emfx::Target::any) {
            EXPECT_GT(most, 45u);
        } else {
            EXPECT_LE(most, 45u);
            EXPECT_GT(most, 30u);
        }
    }
}

/// Where the scene shows the vertices of a mesh, and where the actor has them.
double apart_in_model(const Scene& scene, Index node, const xac::Mesh& mesh) {
    const glm::dmat4 world = builders::world(scene, node);
    const auto wanted = find_attribute(scene.meshes[scene.nodes[node].mesh], Semantic::position)->data.as<Vec3>();
    const auto found = mesh.layers[1].as<Vec3>();
    if (wanted.size() != found.size()) return 1e9;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const glm::dvec4 place = world * glm::dvec4(wanted[i].x, wanted[i].y, wanted[i].z, 1);
        worst = std::max(worst, glm::distance(glm::dvec3(place), glm::dvec3(found[i].x, found[i].y, -found[i].z)));
    }
    return worst;
}

/// The mesh that hangs on a node is bound to it now, moves as it did, and shows its outside.
void expect_to_follow(const Scene& scene, Index node, const Scene& again) {
    const Mesh& before = scene.meshes[scene.nodes[node].mesh];
    const Index shown = builders::find(again, scene.nodes[node].name + ".mesh");
    const Mesh& after = again.meshes[again.nodes[shown].mesh];
    const Skin& skin = again.skins[again.nodes[shown].skin];
    ASSERT_EQ(skin.joints.size(), 1u);
    const auto place = [](const glm::dmat4& world, const Mesh& mesh, std::uint32_t v) {
        const Vec3 p = find_attribute(mesh, Semantic::position)->data.as<Vec3>()[v];
        return glm::dvec3(world * glm::dvec4(p.x, p.y, p.z, 1));
    };
    glm::dmat4 inverse_bind(1);
    for (int i = 0; i < 16; ++i)
        inverse_bind[i / 4][i % 4] = skin.inverse_bind_matrices[0].m[static_cast<std::size_t>(i)];
    for (const unsigned seed : {0u, 3u, 4u}) {
        const glm::dmat4 old = corners::worlds(scene, seed)[node];
        const glm::dmat4 now = corners::worlds(again, seed)[skin.joints[0]] * inverse_bind;
        for (std::uint32_t v = 0; v < before.vertex_count; ++v)
            EXPECT_LT(glm::distance(place(old, before, v), place(now, after, v)), 1e-4) << seed << " " << v;
    }
    const auto normals = find_attribute(after, Semantic::normal)->data.as<Vec3>();
    const auto& indices = after.primitives[0].indices;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const glm::dvec3 a = place(glm::dmat4(1), after, indices[i]);
        const glm::dvec3 out = glm::cross(place(glm::dmat4(1), after, indices[i + 1]) - a,
                                          place(glm::dmat4(1), after, indices[i + 2]) - a);
        const Vec3& n = normals[indices[i]];
        EXPECT_GT(glm::dot(out, glm::dvec3(n.x, n.y, n.z)), 0);
    }
}

/// Paradox's technique for what stands still applies no node's transform, and its skinned one applies a joint's.
TEST(EmfxActorForeign, ParadoxHasRigidMeshesInTheModel) {
    using emfx::Target;
    for (const Target target : {Target::any, Target::x_rebirth, Target::victoria2, Target::eu3, Target::hoi3}) {
        for (const float mirror : {1.0f, -1.0f}) {
            Scene scene = strip_scene();
            scene.nodes[0].local.translation = {1, 2, 3};
            scene.nodes[0].local.rotation = builders::turn({0, 1, 0}, 30);
            scene.nodes[1].local.translation = {0, 5, 0};
            scene.nodes[1].local.rotation = builders::turn({1, 0, 0}, 50);
            scene.nodes[1].local.scale = {2 * mirror, 2, 2};
            const Index hull = add_node(scene, "strip.collision", 1, 0);
            scene.nodes[hull].hidden = scene.nodes[hull].collision = true;
            emfx::FromSceneOptions options;
            options.target = target;
            const xac::File actor = files_of(scene, options).value.actor;
            const xac::Mesh& mesh = *first_mesh(actor);
            const xac::Skinning* skinning = xac::find_skinning(actor, mesh);
            ASSERT_EQ(skinning != nullptr, emfx::is_paradox(target));
            if (skinning != nullptr) {
                EXPECT_EQ(mesh.submeshes[0].bones, Bulk<std::uint32_t>{mesh.node});
                EXPECT_EQ(skinning->local_bone_count, 1u);
                EXPECT_LT(apart_in_model(scene, 1, mesh), 1e-5);
            }
            std::size_t skinnings = 0;
            for (const std::uint32_t id : chunk_ids(actor)) skinnings += id == 2 ? 1u : 0u;
            EXPECT_EQ(skinnings, emfx::is_paradox(target) ? 1u : 0u) << "what is clicked has no weights";
            if (skinning != nullptr) expect_to_follow(scene, 1, scene_of(actor));
        }
    }
}

TEST(EmfxActorForeign, RigidMeshesInTheModelMorphThere) {
    Scene scene = strip_scene();
    scene.nodes[1].local.rotation = builders::turn({0, 0, 1}, 90);
    MorphTarget& target = scene.meshes.front().targets.emplace_back();
    target.name = "up";
    target.indices = {3};
    target.positions = {{1, 0, 0}};
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    const auto files = files_of(scene, options);
    EXPECT_EQ(files.report.count("emfx-chunk-version"), 1u) << "no known actor of the game has any";
    const Scene again = scene_of(files.value.actor);
    ASSERT_EQ(again.meshes.front().targets.size(), 1u);
    EXPECT_NEAR(again.meshes.front().targets[0].positions[0].x, 0, 1e-4);
    EXPECT_NEAR(again.meshes.front().targets[0].positions[0].y, 1, 1e-4);
}

/// What is unedited comes back as the game's file had it, unless its node stands elsewhere now.
TEST(EmfxActorForeign, ParadoxKeepsUneditedRigidMeshes) {
    Scene scene = strip_scene();
    scene = scene_of(files_of(scene).value.actor);
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    for (const bool is_moved : {false, true}) {
        set_untouched(scene);
        if (is_moved) scene.nodes[0].local.translation = {0, 7, 0};
        const xac::File actor = files_of(scene, options).value.actor;
        EXPECT_EQ(xac::find_skinning(actor, *first_mesh(actor)) != nullptr, is_moved);
        if (is_moved) EXPECT_LT(apart_in_model(scene, builders::find(scene, "strip"), *first_mesh(actor)), 1e-5);
    }
}

/// Where indices of 16 bits end.
TEST(EmfxActorForeign, SubmeshesOfParadoxHaveAtMost65535Vertices) {
    using emfx::Target;
    constexpr std::uint32_t cells = 33000, most = 65535;
    for (const bool with_normals : {true, false}) {
        for (const Target target : {Target::any, Target::tree_of_savior, Target::victoria2, Target::eu3}) {
            Scene scene;
            scene.meshes.push_back(strip_mesh(cells, with_normals));
            add_node(scene, "strip", no_index, 0);
            emfx::FromSceneOptions options;
            options.target = target;
            const xac::File actor = files_of(scene, options).value.actor;
            EXPECT_EQ(findings(actor), "");
            const xac::Mesh& mesh = *first_mesh(actor);
            std::size_t indices = 0, largest = 0;
            for (const xac::Submesh& submesh : mesh.submeshes) {
                indices += submesh.indices.size();
                largest = std::max<std::size_t>(largest, submesh.vertex_count);
            }
            EXPECT_EQ(indices, cells * 6);
            EXPECT_EQ(largest > most, !emfx::is_paradox(target));
            EXPECT_EQ(mesh.submeshes.size(), !emfx::is_paradox(target) ? 1u : with_normals ? 2u : 4u);
        }
    }
}

TEST(EmfxActorForeign, UneditedSubmeshesAreSplitWhereTheTargetHasNoRoom) {
    Scene scene;
    scene.meshes.push_back(strip_mesh(33000, true));
    add_node(scene, "strip", no_index, 0);
    scene = scene_of(files_of(scene).value.actor);
    set_untouched(scene);
    emfx::FromSceneOptions options;
    EXPECT_EQ(first_mesh(files_of(scene, options).value.actor)->submeshes.size(), 1u);
    options.target = emfx::Target::hoi3;
    EXPECT_EQ(first_mesh(files_of(scene, options).value.actor)->submeshes.size(), 2u);
}

TEST(EmfxActorForeign, ManyInfluencesAreReduced) {
    Scene scene = skinned_strip(5);
    Mesh& mesh = scene.meshes.front();
    Attribute joints = mesh.attributes[mesh.attributes.size() - 2];
    Attribute weights = mesh.attributes.back();
    joints.set = weights.set = 1;
    for (std::size_t v = 0; v < mesh.vertex_count; ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
            joints.data.as<std::uint16_t>()[4 * v + k] = static_cast<std::uint16_t>(2 + k);
            weights.data.as<float>()[4 * v + k] = 0.2f;
        }
    }
    mesh.attributes.push_back(std::move(joints));
    mesh.attributes.push_back(std::move(weights));
    for (const emfx::Target target : {emfx::Target::any, emfx::Target::victoria2, emfx::Target::eu3}) {
        emfx::FromSceneOptions options;
        options.target = target;
        const auto files = files_of(scene, options);
        EXPECT_EQ(findings(files.value.actor), "");
        EXPECT_EQ(files.report.count("emfx-influences"), 1u);
        std::size_t most = 0;
        for (const xac::Chunk& chunk : files.value.actor.chunks) {
            const auto* skinning = std::get_if<xac::Skinning>(&chunk.record);
            if (skinning == nullptr) continue;
            for (std::uint32_t vertex = 0; vertex < skinning->ranges.size(); ++vertex) {
                const auto influences = xac::influences(*skinning, vertex);
                most = std::max(most, influences.size());
                EXPECT_TRUE(std::ranges::is_sorted(influences, std::ranges::greater{}, &xac::Influence::weight));
            }
        }
        EXPECT_EQ(most, target == emfx::Target::any ? 4u : 2u);
    }
}

TEST(EmfxActorForeign, MorphTargets) {
    Scene scene = skinned_strip(5);
    Mesh& mesh = scene.meshes.front();
    for (const char* name : {"smile", ""}) {
        MorphTarget& target = mesh.targets.emplace_back();
        target.name = name;
        target.indices = {1, 4, 5};
        target.positions = {{0.5f, -0.25f, 1}, {0.125f, 0.3f, -0.7f}, {-1, 0, 0}};
        target.normals = {{0.5f, 0, 0}, {0, 0.25f, 0}, {0, 0, -1}};
    }
    const auto files = files_of(scene);
    EXPECT_EQ(findings(files.value.actor), "");
    const Scene again = scene_of(files.value.actor);
    const Mesh* found = nullptr;
    for (const Mesh& other : again.meshes) found = other.targets.empty() ? found : &other;
    ASSERT_NE(found, nullptr);
    ASSERT_EQ(found->targets.size(), 2u);
    for (std::size_t t = 0; t < 2; ++t) {
        EXPECT_EQ(found->targets[t].indices, mesh.targets[t].indices);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(found->targets[t].positions[i].x, mesh.targets[t].positions[i].x, 2.0 / 65535);
            EXPECT_NEAR(found->targets[t].positions[i].z, mesh.targets[t].positions[i].z, 2.0 / 65535);
            EXPECT_NEAR(found->targets[t].normals[i].z, mesh.targets[t].normals[i].z, 2.0 / 255);
        }
    }
    EXPECT_EQ(found->targets[0].name, "smile");
    EXPECT_EQ(found->targets[1].name, "morph_1");
}

TEST(EmfxActorForeign, LevelsAndCollision) {
    for (const auto storage : {emfx::LevelStorage::embedded, emfx::LevelStorage::fields}) {
        Scene scene = strip_scene();
        scene.meshes.push_back(strip_mesh(2, true));
        const Index level = add_node(scene, "strip_far", no_index, 1);
        scene.nodes[level].hidden = true;
        scene.nodes[1].lods.push_back(level);
        const Index hull = add_node(scene, "strip.collision", no_index, 1);
        scene.nodes[hull].hidden = scene.nodes[hull].collision = true;
        emfx::FromSceneOptions options;
        options.levels = storage;
        const auto files = files_of(scene, options);
        EXPECT_EQ(findings(files.value.actor), "");
        const Scene again = scene_of(files.value.actor);
        std::size_t levels = 0, hulls = 0;
        for (const Node& node : again.nodes) {
            levels += node.lods.size();
            hulls += node.collision ? 1u : 0u;
        }
        EXPECT_EQ(levels, 1u);
        EXPECT_EQ(hulls, 1u);
    }
}

TEST(EmfxActorForeign, WhatTheSceneDoesNotShowIsLeftOut) {
    Scene scene = strip_scene();
    const Index spare = add_node(scene, "spare", no_index, 0);
    scene.nodes[spare].hidden = true;
    add_node(scene, "below", spare, 0);
    scene.nodes[add_node(scene, "strip.mesh2", no_index, 0)].hidden = true;  // called as what has an owner
    const auto files = files_of(scene);
    EXPECT_EQ(files.report.count("emfx-hidden-left-out"), 1u);
    EXPECT_EQ(scene_of(files.value.actor).meshes.size(), 1u);
}

TEST(EmfxActorForeign, TooManyNodesAreRefused) {
    Scene scene;
    for (int i = 0; i < 65536; ++i) add_node(scene, "node" + std::to_string(i));
    const auto refused = emfx::from_scene(scene);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "emfx-node-count");
    EXPECT_EQ(refused.error().found, "65536");
    EXPECT_EQ(refused.error().expected, "at most 65535");
}

TEST(EmfxActorForeign, NothingIsRefused) {
    const auto refused = emfx::from_scene(Scene{});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "emfx-empty");
}

TEST(EmfxActorForeign, WhatContradictsItselfIsRefused) {
    Scene scene = skinned_strip(2);
    const std::size_t joints = scene.meshes[0].attributes.size() - 2;
    scene.meshes[0].attributes[joints].data.as<std::uint16_t>()[0] = 99;
    const auto with_joint = emfx::from_scene(scene);
    ASSERT_FALSE(with_joint);
    EXPECT_EQ(with_joint.error().code, "scene-invalid");
    EXPECT_EQ(with_joint.error().path, "meshes[0] / JOINTS_0[0]");
    scene = strip_scene();
    const Index level = add_node(scene, "other", no_index, 0);
    scene.nodes[1].lods = {level};
    EXPECT_TRUE(emfx::from_scene(scene));
    scene.nodes[level].lods = {1};
    const auto with_circle = emfx::from_scene(scene);
    ASSERT_FALSE(with_circle);
    EXPECT_EQ(with_circle.error().code, "scene-invalid");
    EXPECT_EQ(with_circle.error().path, "nodes[1]");
}

TEST(EmfxActorForeign, NumbersThatAreNoneAreCounted) {
    Scene scene = skinned_strip(2);
    std::vector<Attribute>& attributes = scene.meshes[0].attributes;
    attributes.front().data.as<float>()[4] = std::numeric_limits<float>::quiet_NaN();
    attributes[2].data.as<float>()[0] = std::numeric_limits<float>::infinity();  // a texture coordinate
    attributes.back().data.as<float>()[5] = -0.25f;
    const auto files = emfx::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->report.count("skin-weight"), 1u);
    ASSERT_EQ(files->report.count("emfx-not-finite"), 1u);
    for (const Diagnostic& one : files->report.diagnostics()) {
        if (one.code == "emfx-not-finite") EXPECT_EQ(one.found, "2 numbers");
    }
}

TEST(EmfxActorForeign, OptionsAndNamesOutOfRangeAreRefused) {
    emfx::FromSceneOptions options;
    options.max_error = std::numeric_limits<double>::quiet_NaN();
    const auto odd = emfx::from_scene(strip_scene(), options);
    ASSERT_FALSE(odd);
    EXPECT_EQ(odd.error().code, "usage-option");
    EXPECT_EQ(odd.error().path, "options / max_error");
    options = {};
    options.limits.string = 8;
    Scene scene = strip_scene();
    EXPECT_TRUE(emfx::from_scene(scene, options));
    scene.nodes[1].name = "a long name";
    const auto refused = emfx::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-string");
    EXPECT_EQ(refused.error().path, "nodes[1]");
}

}  // namespace
