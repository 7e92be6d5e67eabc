/// Materials of actors in scenes.

#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

using namespace builders;

xac::MaterialLayer texture(std::uint8_t map_type, std::string name) {
    xac::MaterialLayer result;
    result.map_type = map_type;
    result.texture = std::move(name);
    return result;
}

Loaded<Scene> with_material(xac::Record material, std::uint32_t id = 3) {
    return convert(ActorFile().nodes({node("a")}).add(id, 2, std::move(material)));
}

TEST(Materials, ATextureStandsForTheColour) {
    xac::StandardMaterial material;
    material.name = "Standard";
    material.opacity = 0.5f;
    material.emissive = {0.25f, 2, 0, 1};
    material.double_sided = 1;
    material.layers = {texture(2, "Soldier"), texture(3, "nospec"), texture(5, "Bumps"), texture(1, "Ambient")};
    const auto converted = with_material(material);
    const Material& result = converted.value.materials.at(0);
    EXPECT_EQ(result.base_color, (Color{1, 1, 1, 0.5f}));
    EXPECT_EQ(result.alpha_mode, AlphaMode::blend);
    EXPECT_EQ(converted.value.images.at(result.base_color_texture.image).name, "Soldier");
    EXPECT_EQ(converted.value.images.at(result.normal_texture.image).name, "Bumps");
    EXPECT_EQ(converted.value.images.size(), 2u);
    EXPECT_EQ(result.emissive, (Vec3{0.25f, 2, 0})) << "glTF has a strength for it";
    EXPECT_TRUE(result.double_sided);
    EXPECT_EQ(result.roughness, 1) << "no highlight";
    EXPECT_EQ(converted.report.count("texture-kept"), 1u) << "the ambient map";
    EXPECT_NE(result.extras.json.find(R"("texture":"nospec")"), std::string::npos);
}

TEST(Materials, ShineMakesSmoother) {
    xac::StandardMaterial material;
    material.diffuse = {0.5f, 0.25f, 0.125f, 1};
    material.shine = 30;
    material.shine_strength = 1;
    const auto scene = with_material(material).value;
    EXPECT_NEAR(scene.materials.at(0).roughness, 0.5, 1e-6);
    EXPECT_EQ(scene.materials.at(0).base_color, (Color{0.5f, 0.25f, 0.125f, 1}));
    EXPECT_EQ(scene.materials.at(0).alpha_mode, AlphaMode::opaque);
}

TEST(Materials, ATextureIsMissedWhereAMeshIsSeen) {
    xac::StandardMaterial material;
    material.layers = {texture(2, "Soldier")};
    const auto count_with = [&](std::uint8_t is_collision) {
        xac::Mesh mesh = triangle(0);
        mesh.is_collision = is_collision;
        ActorFile actor;
        actor.nodes({node("a")}).add(3, 2, material).mesh(std::move(mesh));
        return convert(std::move(actor)).report.count("texture-coordinates");
    };
    EXPECT_EQ(count_with(0), 1u);
    EXPECT_EQ(count_with(1), 0u);
}

/// The colour of an actor's material, and the amount of its map, as what shines.
Vec3 emission(const Color& color, float amount) {
    xac::StandardMaterial material;
    material.emissive = color;
    material.layers = {texture(6, "Glow")};
    material.layers.front().amount = amount;
    return with_material(material).value.materials.at(0).emissive;
}

TEST(Materials, AMapShinesAsStronglyAsItsAmountInTheHueOfTheColour) {
    EXPECT_EQ(emission({0, 0, 0, 1}, 0.75f), (Vec3{0.75f, 0.75f, 0.75f}));
    EXPECT_EQ(emission({0, 0, 0, 1}, 3), (Vec3{3, 3, 3}));
    EXPECT_EQ(emission({1, 0.5f, 0, 1}, 1), (Vec3{1, 0.5f, 0}));
    EXPECT_EQ(emission({0.5f, 0.25f, 0, 1}, 2), (Vec3{2, 1, 0}));
    EXPECT_EQ(emission({NAN, -1, INFINITY, 1}, NAN), Vec3{});
}

/// Exporters leave them all black, and the games show textures only.
TEST(Materials, ThreeBlackColoursAreNone) {
    xac::StandardMaterial black;
    black.ambient = black.diffuse = black.emissive = {0, 0, 0, 1};
    black.opacity = 0.5f;
    EXPECT_EQ(with_material(black).value.materials.at(0).base_color, (Color{1, 1, 1, 0.5f}));
    xac::StandardMaterial lit = black;
    lit.ambient = {0.5f, 0.5f, 0.5f, 1};
    EXPECT_EQ(with_material(lit).value.materials.at(0).base_color, (Color{0, 0, 0, 0.5f}));
    xac::StandardMaterial glowing = black;
    glowing.emissive = {1, 0, 0, 1};
    EXPECT_EQ(with_material(glowing).value.materials.at(0).base_color, (Color{0, 0, 0, 0.5f}));
}

TEST(Materials, OpacityMapsMeanBlending) {
    xac::StandardMaterial same;
    same.layers = {texture(2, "Shadow"), texture(4, "SHADOW")};
    EXPECT_EQ(with_material(same).value.materials.at(0).alpha_mode, AlphaMode::blend);
    xac::StandardMaterial alone;
    alone.layers = {texture(4, "Shadow")};
    const auto scene = with_material(alone).value;
    EXPECT_EQ(scene.materials.at(0).alpha_mode, AlphaMode::blend);
    EXPECT_TRUE(scene.materials.at(0).base_color_texture.used());
    xac::StandardMaterial other;
    other.layers = {texture(2, "Body"), texture(4, "Shadow")};
    const auto converted = with_material(other);
    EXPECT_EQ(converted.value.materials.at(0).alpha_mode, AlphaMode::opaque);
    EXPECT_EQ(converted.report.count("alpha-map-lost"), 1u);
}

TEST(Materials, LayersOfTheirOwnChunkFindTheirMaterial) {
    xac::StandardMaterial first;
    first.name = "first";
    xac::StandardMaterial second;
    second.name = "second";
    auto layer_of_first = texture(2, "A");
    layer_of_first.u_offset = 0.5f;
    layer_of_first.v_tiling = 2;
    layer_of_first.rotation = 1;
    auto repeated = texture(2, "B");
    auto lost = texture(2, "C");
    lost.material = 9;
    ActorFile actor;
    actor.nodes({node("a")})
        .add(3, 1, first)
        .add(3, 1, second)
        .add(4, 1, layer_of_first)
        .add(4, 1, repeated)
        .add(4, 1, lost);
    const auto converted = convert(std::move(actor));
    const TextureSlot& slot = converted.value.materials.at(0).base_color_texture;
    EXPECT_EQ(slot.offset, (Vec2{0.5f, 0}));
    EXPECT_EQ(slot.scale, (Vec2{1, 2}));
    EXPECT_EQ(slot.rotation, 1);
    EXPECT_FALSE(converted.value.materials.at(1).base_color_texture.used());
    EXPECT_EQ(converted.report.count("texture-repeated"), 1u);
    EXPECT_EQ(converted.report.count("texture-turned"), 1u);
}

xac::FxMaterial effect() {
    xac::FxMaterial material;
    material.name = "fx";
    material.bitmaps = {
        {"DiffuseTex", "body.dds"}, {"NormalTex", "None"}, {"EnvTex", "sky.dds"}, {"GlowTex", "glow.dds"}};
    material.ints = {{2, "DiffuseTexmapChannel"}, {51, "g_alphaTestValue"}};
    material.bools = {{1, "g_isTwoSideOn"}, {1, "g_isAlphaTestOn"}, {1, "g_isLightOff"}, {0, "g_isAlphaBlendOn"}};
    return material;
}

TEST(Materials, EffectParametersAreUnderstood) {
    const auto converted = with_material(effect(), 5);
    const Material& result = converted.value.materials.at(0);
    EXPECT_EQ(converted.value.images.at(result.base_color_texture.image).name, "body.dds");
    EXPECT_EQ(result.base_color_texture.texcoord, 1u);
    EXPECT_FALSE(result.normal_texture.used());
    EXPECT_TRUE(result.emissive_texture.used());
    EXPECT_EQ(result.alpha_mode, AlphaMode::mask);
    EXPECT_NEAR(result.alpha_cutoff, 0.2, 1e-6);
    EXPECT_TRUE(result.double_sided);
    EXPECT_TRUE(result.unlit);
    EXPECT_EQ(converted.report.count("texture-kept"), 1u);
}

TEST(Materials, MeshesWithoutTheCoordinatesGetVariants) {
    auto none = triangle(0);
    auto one = triangle(0);
    one.layers.push_back(layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
    auto two = triangle(0);
    for (int i = 0; i < 2; ++i) two.layers.push_back(layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
    ActorFile actor;
    actor.nodes({node("a")}).add(5, 2, effect()).mesh(std::move(two)).mesh(std::move(one)).mesh(std::move(none));
    const auto converted = convert(std::move(actor));
    const Scene& scene = converted.value;
    EXPECT_EQ(scene.meshes[0].primitives[0].material, 0u);
    const Material& first_set = scene.materials.at(scene.meshes[1].primitives[0].material);
    EXPECT_TRUE(first_set.base_color_texture.used());
    EXPECT_EQ(first_set.base_color_texture.texcoord, 0u);
    EXPECT_FALSE(scene.materials.at(scene.meshes[2].primitives[0].material).base_color_texture.used());
    EXPECT_EQ(converted.report.count("texture-coordinates"), 2u);
}

TEST(Materials, ImagesAreNamedOnceWhateverTheCase) {
    xac::StandardMaterial one;
    one.layers = {texture(2, "Body.dds")};
    xac::StandardMaterial two;
    two.layers = {texture(2, "BODY.DDS")};
    const auto scene = convert(ActorFile().nodes({node("a")}).add(3, 2, one).add(3, 2, two)).value;
    ASSERT_EQ(scene.images.size(), 1u);
    EXPECT_EQ(scene.images[0].name, "Body.dds");
    EXPECT_TRUE(scene.images[0].bytes.empty());
}

TEST(Materials, BrokenNumbersStayInRange) {
    xac::StandardMaterial material;
    material.diffuse = {NAN, -1, 7, 1};
    material.opacity = INFINITY;
    material.shine = -1e30f;
    material.shine_strength = NAN;
    auto moved = texture(2, "x");
    moved.u_tiling = INFINITY;
    material.layers = {moved};
    const Material result = with_material(material).value.materials.at(0);
    EXPECT_EQ(result.base_color_texture.scale.x, 1);
    EXPECT_GE(result.base_color.a, 0);
    EXPECT_EQ(result.roughness, 1);
}

TEST(Materials, OldBlendingIsReported) {
    xac::StandardMaterial material;
    material.transparency_type = 'A';
    material.wireframe = 1;
    const auto converted = with_material(material);
    EXPECT_EQ(converted.report.count("blending-lost"), 1u);
    EXPECT_EQ(converted.report.count("wireframe-lost"), 1u);
}

}  // namespace
