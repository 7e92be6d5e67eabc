/// Materials, textures and images of glTF files.

#include <gtest/gtest.h>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/image.hpp"

#include "gltf_read/models.hpp"
#include "gltf_read/reading.hpp"
#include "gltf_read/shapes.hpp"

namespace effigy::gltf_test {
namespace {

/// A file of one material, one picture and a box that has both.
AssetBuilder painted(const json& material) {
    AssetBuilder builder;
    add_texture(builder);
    json primitive = primitive_of(builder, box());
    primitive["material"] = 0;
    builder.root["materials"].push_back(material);
    builder.root["meshes"].push_back({{"name", "box"}, {"primitives", json::array({primitive})}});
    add_node(builder, {{"mesh", 0}});
    return builder;
}

Material material_of(const json& material) { return read_text(painted(material).glb()).materials.at(0); }

TEST(GltfMaterials, HaveDefaults) {
    const Material material = material_of(json::object());
    EXPECT_EQ(material.base_color, (Color{1, 1, 1, 1}));
    EXPECT_EQ(material.metallic, 1);
    EXPECT_EQ(material.roughness, 1);
    EXPECT_EQ(material.emissive, Vec3{});
    EXPECT_EQ(material.alpha_mode, AlphaMode::opaque);
    EXPECT_EQ(material.alpha_cutoff, 0.5f);
    EXPECT_FALSE(material.double_sided);
    EXPECT_FALSE(material.unlit);
}

TEST(GltfMaterials, HaveEverySlot) {
    json json_material = {{"name", "all"},
                          {"normalTexture", {{"index", 0}, {"scale", 0.5}}},
                          {"occlusionTexture", {{"index", 0}, {"strength", 0.25}}},
                          {"emissiveTexture", {{"index", 0}}},
                          {"emissiveFactor", {0.5, 0.25, 0}},
                          {"alphaMode", "MASK"},
                          {"alphaCutoff", 0.75},
                          {"doubleSided", true}};
    json_material["pbrMetallicRoughness"] = {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
                                             {"baseColorTexture", {{"index", 0}}},
                                             {"metallicRoughnessTexture", {{"index", 0}}},
                                             {"metallicFactor", 0.5},
                                             {"roughnessFactor", 0.6}};
    json_material["extensions"] = {{"KHR_materials_unlit", json::object()},
                                   {"KHR_materials_emissive_strength", {{"emissiveStrength", 4}}}};
    const Material material = material_of(json_material);
    EXPECT_EQ(material.name, "all");
    EXPECT_EQ(material.base_color, (Color{0.1f, 0.2f, 0.3f, 0.4f}));
    EXPECT_TRUE(material.base_color_texture.used());
    EXPECT_TRUE(material.metallic_roughness_texture.used());
    EXPECT_EQ(material.normal_texture.strength, 0.5f);
    EXPECT_EQ(material.occlusion_texture.strength, 0.25f);
    EXPECT_TRUE(material.emissive_texture.used());
    EXPECT_EQ(material.emissive, (Vec3{2, 1, 0}));
    EXPECT_EQ(material.metallic, 0.5f);
    EXPECT_EQ(material.roughness, 0.6f);
    EXPECT_EQ(material.alpha_mode, AlphaMode::mask);
    EXPECT_EQ(material.alpha_cutoff, 0.75f);
    EXPECT_TRUE(material.double_sided);
    EXPECT_TRUE(material.unlit);
}

TEST(GltfMaterials, HaveTransformsAndWrapsOfTextures) {
    const Scene scene = read_text(gltf_model("texture_transform"));
    ASSERT_EQ(scene.materials.size(), 3u);
    const TextureSlot& slot = scene.materials[0].base_color_texture;
    EXPECT_EQ(slot.offset, (Vec2{0.5f, 0}));
    EXPECT_EQ(slot.wrap_u, Wrap::clamp_to_edge);
    EXPECT_EQ(slot.wrap_v, Wrap::mirrored_repeat);
    EXPECT_EQ(scene.materials[1].base_color_texture.rotation, 0.39269908f);
    EXPECT_EQ(scene.materials[2].base_color_texture.scale, (Vec2{1.5f, 2}));
    const Scene two_sets = read_text(gltf_model("multi_uv"));
    EXPECT_EQ(two_sets.materials[0].emissive_texture.texcoord, 1u);
}

TEST(GltfMaterials, EmissionComesBackBitByBit) {
    Scene scene;
    for (int i = 1; i < 200; ++i) {
        const float large = 1.0f + 0.37f * static_cast<float>(i);
        scene.materials.emplace_back().emissive = {large, large * 0.123f, 0.7f * static_cast<float>(i % 13)};
    }
    const std::string once = written(scene);
    EXPECT_EQ(json_of(written(read_text(once))), json_of(once));
}

TEST(GltfMaterials, AreCutToWhatGltfAllows) {
    json material = {
        {"occlusionTexture", {{"index", 0}, {"strength", 3}}}, {"alphaCutoff", -1}, {"emissiveFactor", {-1, 0, 0}}};
    material["pbrMetallicRoughness"] = {{"baseColorFactor", {2, -1, 0, 1}}, {"metallicFactor", "much"}};
    const auto loaded = load(painted(material).glb());
    EXPECT_EQ(loaded.value.materials[0].base_color, (Color{1, 0, 0, 1}));
    EXPECT_EQ(loaded.report.count("gltf-range"), 3u);
    EXPECT_EQ(loaded.report.count("gltf-value"), 1u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfMaterials, TurnSpecularGlossinessIntoMetalAndRoughness) {
    const auto converted = [](const json& older) {
        json material;
        material["extensions"]["KHR_materials_pbrSpecularGlossiness"] = older;
        return material_of(material);
    };
    const Material plain = converted(
        {{"diffuseFactor", {0.5, 0.25, 0.125, 1}}, {"specularFactor", {0.04, 0.04, 0.04}}, {"glossinessFactor", 0.25}});
    EXPECT_NEAR(plain.metallic, 0, 1e-3);
    EXPECT_EQ(plain.roughness, 0.75f);
    EXPECT_NEAR(plain.base_color.r, 0.5, 1e-3);
    const Material metal = converted({{"diffuseFactor", {0, 0, 0, 1}}, {"specularFactor", {1, 0.75, 0.25}}});
    EXPECT_NEAR(metal.metallic, 1, 1e-3);
    EXPECT_NEAR(metal.base_color.g, 0.75, 1e-3);
    EXPECT_EQ(metal.roughness, 0);
    const Material textured =
        converted({{"diffuseTexture", {{"index", 0}}}, {"specularGlossinessTexture", {{"index", 0}}}});
    EXPECT_TRUE(textured.base_color_texture.used());
    EXPECT_EQ(textured.metallic, 0) << "what is in the texture is not known";
}

TEST(GltfMaterials, HaveRefractionAndReflection) {
    json material;
    material["extensions"] = {
        {"KHR_materials_ior", {{"ior", 1.33}}},
        {"KHR_materials_specular", {{"specularFactor", 0.5}, {"specularColorFactor", {1, 2, 0.25}}}}};
    const auto loaded = load(painted(material).glb());
    const Material& read = loaded.value.materials.at(0);
    EXPECT_EQ(read.ior, 1.33f);
    EXPECT_EQ(read.specular, 0.5f);
    EXPECT_EQ(read.specular_color, (Vec3{1, 2, 0.25f}));
    EXPECT_EQ(loaded.report.count("gltf-material-lost"), 0u);
    const Material again = read_text(written(loaded.value)).materials.at(0);
    EXPECT_EQ(again.ior, read.ior);
    EXPECT_EQ(again.specular, read.specular);
    EXPECT_EQ(again.specular_color, read.specular_color);
    material["extensions"] = {{"KHR_materials_ior", {{"ior", 0.5}}},
                              {"KHR_materials_specular", {{"specularTexture", {{"index", 0}}}}}};
    const auto odd = load(painted(material).glb());
    EXPECT_EQ(odd.value.materials.at(0).ior, 1);
    EXPECT_EQ(odd.report.count("gltf-material-lost"), 1u) << "the texture";
}

TEST(GltfMaterials, SayWhatIsLost) {
    json material;
    material["extensions"] = {{"KHR_materials_ior", {{"ior", 1.4}}}, {"KHR_materials_clearcoat", json::object()}};
    const auto loaded = load(painted(material).glb());
    ASSERT_EQ(loaded.report.count("gltf-material-lost"), 1u);
}

TEST(GltfMaterials, WithoutTheirCoordinatesGetAVariant) {
    json material;
    material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}, {"texCoord", 3}};
    const auto loaded = load(painted(material).glb());
    EXPECT_EQ(loaded.report.count("texture-coordinates"), 1u);
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfMaterials, MustReferToWhatIsThere) {
    json material;
    material["normalTexture"]["index"] = 1;
    EXPECT_EQ(code_of(try_to_read(painted(material).glb())), "gltf-reference");
    AssetBuilder builder = painted({{"normalTexture", {{"index", 0}}}});
    builder.root["textures"][0]["source"] = 5;
    EXPECT_EQ(code_of(try_to_read(builder.glb())), "gltf-reference");
    builder.root["textures"][0].erase("source");
    EXPECT_EQ(load(builder.glb()).report.count("gltf-texture-empty"), 1u);
    builder.root["textures"][0] = {{"source", 0}, {"sampler", 0}};
    EXPECT_EQ(code_of(try_to_read(builder.glb())), "gltf-reference");
    builder.root["samplers"].push_back({{"wrapS", 1}});
    EXPECT_EQ(load(builder.glb()).report.count("gltf-value"), 1u);
}

TEST(GltfImages, AreKeptOrDecoded) {
    const Scene scene = read_text(gltf_model("multi_uv"));
    ASSERT_EQ(scene.images.size(), 2u);
    EXPECT_EQ(scene.images[0].mime_type, "image/png");
    EXPECT_EQ(image::probe(scene.images[0].bytes), image::Kind::png);
    // A picture in another format, uncompressed.
    const std::string tga = std::string("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\40\50", 18) + std::string("\1\2\3\377", 4);
    AssetBuilder builder = painted(json::object());
    builder.root["images"][0] = {{"bufferView", builder.view(tga)}, {"mimeType", "image/x-tga"}};
    const auto loaded = load(builder.glb());
    EXPECT_EQ(loaded.value.images[0].mime_type, "image/png");
    const auto picture = image::decode(loaded.value.images[0].bytes);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 1u);
    // What a picture is called does not make it one.
    builder.root["images"][0]["mimeType"] = "image/png";
    EXPECT_EQ(image::probe(load(builder.glb()).value.images[0].bytes), image::Kind::png);
    for (const char* const said : {"image/webp", "image/png", "image/jpeg"}) {
        builder.root["images"][0] = {{"bufferView", builder.view("no picture at all")}, {"mimeType", said}};
        const auto lost = load(builder.glb());
        EXPECT_EQ(lost.report.count("gltf-image-lost"), 1u);
        EXPECT_TRUE(lost.value.images[0].bytes.empty());
    }
}

TEST(GltfImages, WithoutTheirEndAreSaidToBeCutOff) {
    image::Picture picture{.width = 2, .height = 2, .rgba = Bytes(16, std::byte{7}), .has_alpha = true, .report = {}};
    const Bytes png = image::encode_png(picture).value();
    const std::string whole(reinterpret_cast<const char*>(png.data()), png.size());
    for (const std::size_t missing : {0U, 12U, 30U}) {
        AssetBuilder builder = painted(json::object());
        builder.root["images"][0] = {{"bufferView", builder.view(whole.substr(0, whole.size() - missing))},
                                     {"mimeType", "image/png"}};
        const auto loaded = load(builder.glb());
        EXPECT_EQ(loaded.report.count("image-truncated"), missing == 0 ? 0U : 1U);
        EXPECT_FALSE(loaded.value.images[0].bytes.empty());
    }
    constexpr std::string_view jpeg = "\xff\xd8\xff\xc0\xff\xda data\xff\xd9";
    EXPECT_FALSE(image::is_cut_off(std::as_bytes(std::span(jpeg))));
    EXPECT_TRUE(image::is_cut_off(std::as_bytes(std::span(jpeg.substr(0, jpeg.size() - 2)))));
}

// Two by one pixels, red and blue, lossless.
const std::string webp_file(
    "RIFF\x1e\0\0\0WEBPVP8L\x11\0\0\0\x2f\1\0\0\0\x0f\x10\xf3\xbf\xff\xf3\x1f\x0e\x32\xa2\xff\1\0", 38);

TEST(GltfImages, InWebpAreDecoded) {
    AssetBuilder builder = painted({{"normalTexture", {{"index", 0}}}});
    builder.root["images"][0] = {{"bufferView", builder.view(webp_file)}, {"mimeType", "image/webp"}};
    builder.root["textures"][0] = {{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}};
    for (const char* const list : {"extensionsUsed", "extensionsRequired"}) {
        builder.root[list] = json::array({"EXT_texture_webp"});
        const auto loaded = load(builder.glb());
        EXPECT_EQ(loaded.report.count("gltf-image-lost") + loaded.report.count("gltf-extension-unknown"), 0u);
        ASSERT_EQ(loaded.value.images.size(), 1u);
        EXPECT_EQ(loaded.value.materials[0].normal_texture.image, 0u);
        EXPECT_EQ(loaded.value.images[0].mime_type, "image/png");
        const auto picture = image::decode(loaded.value.images[0].bytes);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picture->width, 2u);
        EXPECT_EQ(picture->rgba[0], std::byte{255});
        EXPECT_EQ(picture->rgba[6], std::byte{255});
    }
    // Whatever its type says.
    builder.root["images"][0]["mimeType"] = "image/png";
    EXPECT_EQ(image::probe(load(builder.glb()).value.images[0].bytes), image::Kind::png);
}

TEST(GltfImages, ThatAreNotThereAreNamed) {
    AssetBuilder builder = painted({{"normalTexture", {{"index", 0}}}});
    builder.root["images"][0] = {{"uri", "no%20such%20picture.png"}};
    const auto loaded = load(builder.glb());
    EXPECT_EQ(loaded.report.count("gltf-image-missing"), 1u);
    EXPECT_EQ(loaded.value.images[0].uri, "no such picture.png");
    EXPECT_FALSE(written(loaded.value).empty());
}

TEST(GltfImages, ThatAreNotReadDoNotKeepTheModel) {
    AssetBuilder builder = painted({{"normalTexture", {{"index", 0}}}});
    for (const char* uri : {"/home/me/oak%20wood.png", "http://example.org/oak%20wood.png", "C:\\me\\oak wood.png"}) {
        builder.root["images"][0] = {{"uri", uri}};
        const auto loaded = load(builder.glb());
        EXPECT_EQ(loaded.report.count("gltf-uri"), 1u) << uri;
        EXPECT_FALSE(loaded.report.has_errors()) << uri;
        ASSERT_EQ(loaded.value.images.size(), 1u);
        EXPECT_EQ(loaded.value.images[0].uri, "oak wood.png");
        EXPECT_FALSE(written(loaded.value).empty());
    }
    builder.root["images"][0] = {{"uri", "data:image/png;base64,A*=="}};
    EXPECT_EQ(load(builder.glb()).report.count("gltf-image-lost"), 1u);
}

}  // namespace
}  // namespace effigy::gltf_test
