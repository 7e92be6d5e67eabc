/// What a material library says about a scene's materials.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "effigy/material_library.hpp"
#include "effigy/textures.hpp"

namespace effigy::egosoft {
namespace {

using testing::HasSubstr;

struct LibraryText {
    std::string text;

    LibraryText& material(const std::string& name, const std::string& blendmode, const std::string& properties) {
        text += "<material name=\"" + name + "\" shader=\"P1_complex_surface.fx\" blendmode=\"" + blendmode +
                "\"><properties>" + properties + "</properties></material>";
        return *this;
    }
};

std::string bitmap(const std::string& name, const std::string& value) {
    return "<property type=\"BitMap\" name=\"" + name + "\" value=\"" + value + "\"/>";
}

std::string number(const std::string& name, const std::string& value) {
    return "<property type=\"Float\" name=\"" + name + "\" value=\"" + value + "\"/>";
}

class Materials : public testing::Test {
protected:
    /// A library with one collection, "ship".
    void lay(const LibraryText& materials) {
        const std::string xml = "<?xml version=\"1.0\"?><materiallibrary><collection name=\"ship\">" + materials.text +
                                "</collection></materiallibrary>";
        const auto* first = reinterpret_cast<const std::byte*>(xml.data());
        const auto report = library_.add(Bytes(first, first + xml.size()));
        ASSERT_TRUE(report) << to_string(report.error());
        EXPECT_TRUE(report->empty());
    }

    Material& add_material(const std::string& name) {
        scene_.materials.emplace_back().name = name;
        return scene_.materials.back();
    }

    /// A mesh with a triangle for each material.
    void add_mesh(std::uint32_t texture_coordinate_sets) {
        Mesh& mesh = scene_.meshes.emplace_back();
        mesh.name = "hull";
        mesh.vertex_count = 3;
        for (std::uint32_t set = 0; set < texture_coordinate_sets; ++set) {
            Attribute attribute;
            attribute.semantic = Semantic::texcoord;
            attribute.set = set;
            attribute.data = {Bytes(3 * 8), ElementType::vec2, ComponentType::f32, false};
            mesh.attributes.push_back(std::move(attribute));
        }
        for (Index i = 0; i < scene_.materials.size(); ++i) {
            mesh.primitives.push_back({0, 3, {0, 1, 2}, i});
        }
    }

    Report resolve(bool expected = true) { return resolve_materials(scene_, library_, expected); }
    [[nodiscard]] const Image& image_of(const TextureSlot& slot) const { return scene_.images.at(slot.image); }
    [[nodiscard]] nlohmann::json extras(std::size_t material = 0) const {
        return nlohmann::json::parse(scene_.materials.at(material).extras.json);
    }

    MaterialLibrary library_;
    Scene scene_;
};

TEST_F(Materials, PropertiesBecomeTexturesAndFactors) {
    lay(LibraryText().material(
        "hull", "NONE",
        bitmap("diffuse_map", "assets\\textures\\hull_diff") + bitmap("normal_map", "assets\\textures\\hull_normal") +
            bitmap("metal_map", "assets\\textures\\hull_metal") +
            bitmap("smooth_map", "assets\\textures\\hull_smooth") +
            bitmap("color_glow_map", "extensions\\mod\\hull_glow") + number("normalStr", "0.5") +
            number("color_glowStr", "0.25") + number("Smoothness", "0.75") + number("Metallness", "0.5")));
    add_material("SHIP.Hull");
    const Report report = resolve();
    EXPECT_TRUE(report.empty()) << to_string(report.diagnostics().front());

    const Material& hull = scene_.materials[0];
    EXPECT_EQ(hull.name, "SHIP.Hull");
    EXPECT_EQ(image_of(hull.base_color_texture).name, "assets\\textures\\hull_diff");
    EXPECT_EQ(image_of(hull.normal_texture).name, "assets\\textures\\hull_normal");
    EXPECT_FLOAT_EQ(hull.normal_texture.strength, 0.5f);
    EXPECT_EQ(image_of(hull.emissive_texture).name, "extensions\\mod\\hull_glow");
    EXPECT_FLOAT_EQ(hull.emissive.y, 0.25f);
    const std::vector<ChannelSource> packed{
        {"", 1, false}, {"assets\\textures\\hull_smooth", 0.75f, true}, {"assets\\textures\\hull_metal", 0.5f, false}};
    EXPECT_EQ(image_of(hull.metallic_roughness_texture).channels, packed);
    EXPECT_EQ(hull.metallic, 1);
    EXPECT_EQ(hull.roughness, 1);
    EXPECT_EQ(hull.base_color, (Color{1, 1, 1, 1}));
    EXPECT_EQ(hull.alpha_mode, AlphaMode::opaque);
    EXPECT_FALSE(hull.double_sided);
}

TEST_F(Materials, EverythingIsKeptInExtras) {
    lay(LibraryText().material("hull", "NONE",
                               bitmap("diffuse_map", "d") + bitmap("diffuse_detail_map", "x") +
                                   bitmap("color_dirt_map", "y") + number("diffuse_detail_tiling", "10.0")));
    add_material("ship.hull").extras.json = R"({"record":1})";
    add_material("ship.hull");
    const Report report = resolve();
    ASSERT_EQ(report.diagnostics().size(), 1u) << "one line for the whole scene";
    EXPECT_EQ(report.diagnostics()[0].code, "texture-kept");
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::info);
    EXPECT_EQ(report.diagnostics()[0].found, "4 textures of 2 materials");
    const nlohmann::json kept = extras();
    EXPECT_EQ(kept["record"], 1);
    EXPECT_EQ(kept["material_library"]["collection"], "ship");
    EXPECT_EQ(kept["material_library"]["name"], "hull");
    EXPECT_EQ(kept["material_library"]["shader"], "P1_complex_surface.fx");
    EXPECT_EQ(kept["material_library"]["blendmode"], "NONE");
    ASSERT_EQ(kept["material_library"]["properties"].size(), 4u);
    EXPECT_EQ(kept["material_library"]["properties"][3],
              nlohmann::json({{"type", "Float"}, {"name", "diffuse_detail_tiling"}, {"value", "10.0"}}));
}

TEST_F(Materials, ANumberAloneIsTheValueAndOneWithItsMapAFactor) {
    lay(LibraryText()
            .material("plain", "NONE", number("Smoothness", "0.75") + number("Metallness", "0.5"))
            .material("none", "NONE", "")
            .material("smooth", "NONE", bitmap("smooth_map", "s"))
            .material("metal", "NONE",
                      bitmap("metal_map", "m") + number("Metallness", "3") + number("Smoothness", "?")));
    for (const char* name : {"ship.plain", "ship.none", "ship.smooth", "ship.metal"}) add_material(name);
    EXPECT_TRUE(resolve().empty());
    EXPECT_FLOAT_EQ(scene_.materials[0].roughness, 0.25f);
    EXPECT_FLOAT_EQ(scene_.materials[0].metallic, 0.5f);
    EXPECT_FALSE(scene_.materials[0].metallic_roughness_texture.used());
    EXPECT_EQ(scene_.materials[1].roughness, 1);
    EXPECT_EQ(scene_.materials[1].metallic, 0);
    EXPECT_EQ(image_of(scene_.materials[2].metallic_roughness_texture).channels,
              (std::vector<ChannelSource>{{"", 1, false}, {"s", 1, true}, {"", 0, false}}));
    EXPECT_EQ(image_of(scene_.materials[3].metallic_roughness_texture).channels,
              (std::vector<ChannelSource>{{"", 1, false}, {"", 0, true}, {"m", 1, false}}));
}

TEST_F(Materials, NumbersBeyondAllFloatsAreLeftOut) {
    const std::string endless(100, '9');
    lay(LibraryText().material("hull", "NONE",
                               number("Smoothness", endless + " 0.5") + number("Metallness", endless) +
                                   "<property type=\"Color\" name=\"diffuse_color\" value=\"" + endless +
                                   " 255 0 255\"/>"));
    add_material("ship.hull");
    EXPECT_TRUE(resolve().empty());
    EXPECT_FLOAT_EQ(scene_.materials[0].roughness, 0.5f) << "the digits are one number, and not many";
    EXPECT_EQ(scene_.materials[0].metallic, Material().metallic);
    EXPECT_EQ(scene_.materials[0].base_color, (Color{1, 0, 1, 1}));
}

TEST_F(Materials, EqualTexturesAreOneImage) {
    const std::string maps = bitmap("metal_map", "m") + bitmap("smooth_map", "s");
    lay(LibraryText()
            .material("a", "NONE", maps + bitmap("diffuse_map", "tex\\d"))
            .material("b", "NONE",
                      bitmap("metal_map", "M") + bitmap("smooth_map", "S") + bitmap("diffuse_map", "TEX/D"))
            .material("c", "NONE", maps + number("Smoothness", "0.5")));
    for (const char* name : {"ship.a", "ship.b", "ship.c"}) add_material(name);
    EXPECT_TRUE(resolve().empty());
    const auto& m = scene_.materials;
    EXPECT_EQ(m[0].base_color_texture.image, m[1].base_color_texture.image);
    EXPECT_EQ(m[0].metallic_roughness_texture.image, m[1].metallic_roughness_texture.image);
    EXPECT_NE(m[0].metallic_roughness_texture.image, m[2].metallic_roughness_texture.image);
    EXPECT_EQ(scene_.images.size(), 3u);
}

TEST_F(Materials, ColorsAreLinear) {
    lay(LibraryText()
            .material(
                "red", "NONE",
                R"x(<property type="Color" name="diffuse_color" r="255" g="0" b="188" a="51" value="(color 1 2 3)"/>)x"
                R"(<property type="Color" name="color_glow_color" r="0" g="255" b="0" a="255"/>)")
            .material("dim", "NONE", bitmap("diffuse_map", "d") + number("diffuseStr", "0.5")));
    add_material("ship.red");
    add_material("ship.dim").base_color = {0, 0, 0, 1};
    EXPECT_TRUE(resolve().empty());
    EXPECT_FLOAT_EQ(scene_.materials[0].base_color.r, 1);
    EXPECT_FLOAT_EQ(scene_.materials[0].base_color.g, 0);
    EXPECT_NEAR(scene_.materials[0].base_color.b, 0.5f, 0.005f);
    EXPECT_FLOAT_EQ(scene_.materials[0].base_color.a, 0.2f);
    EXPECT_EQ(scene_.materials[0].emissive, (Vec3{0, 1, 0}));
    EXPECT_EQ(scene_.materials[1].base_color, (Color{0.5f, 0.5f, 0.5f, 1}));
}

TEST_F(Materials, BlendModes) {
    struct Case {
        const char* blendmode;
        AlphaMode mode;
        bool double_sided, lost;
    };
    const std::vector<Case> cases{
        {"NONE", AlphaMode::opaque, false, false},          {"", AlphaMode::opaque, false, false},
        {"TWOSIDED", AlphaMode::opaque, true, false},       {"ALPHA1", AlphaMode::mask, false, false},
        {"alpha1_twosided", AlphaMode::mask, true, false},  {"ALPHA8_SINGLE", AlphaMode::blend, false, false},
        {"ALPHA8_DOUBLE", AlphaMode::blend, true, false},   {"ADDITIVE_SINGLE", AlphaMode::blend, false, true},
        {"SOMETHING_DOUBLE", AlphaMode::blend, true, true}, {"ALPHA8", AlphaMode::blend, true, false},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.blendmode);
        library_ = {};
        scene_ = {};
        lay(LibraryText().material("glass", one.blendmode, ""));
        add_material("ship.glass");
        const Report report = resolve();
        EXPECT_EQ(scene_.materials[0].alpha_mode, one.mode);
        EXPECT_EQ(scene_.materials[0].double_sided, one.double_sided);
        EXPECT_EQ(report.count("blending-lost"), one.lost ? 1u : 0u);
        if (one.lost) {
            EXPECT_EQ(report.diagnostics()[0].found, one.blendmode);
        }
    }
}

TEST_F(Materials, StrongGlowIsCutAndSaid) {
    lay(LibraryText().material("lamp", "NONE", bitmap("color_glow_map", "g") + number("color_glowStr", "8")));
    add_material("ship.lamp");
    const Report report = resolve();
    EXPECT_EQ(scene_.materials[0].emissive, (Vec3{1, 1, 1}));
    EXPECT_EQ(report.count("emission-clamped"), 1u);
}

TEST_F(Materials, UnknownNamesAreSaidOnceWhereALibraryIsExpected) {
    lay(LibraryText().material("hull", "NONE", bitmap("diffuse_map", "d")));
    for (const char* name : {"ship.gone", "SHIP.GONE", "standardmaterial", "ship.hull", ""}) add_material(name);
    Scene before = scene_;
    const Report silent = resolve(false);
    EXPECT_TRUE(silent.empty());
    scene_ = std::move(before);
    const Report report = resolve(true);
    ASSERT_EQ(report.count("material-unresolved"), 2u);
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::warning);
    EXPECT_EQ(report.diagnostics()[0].found, "1: ship.gone");
    EXPECT_THAT(report.diagnostics()[0].message, HasSubstr("--game"));
    EXPECT_THAT(report.diagnostics()[0].message, HasSubstr("--materials"));
    EXPECT_EQ(report.diagnostics()[1].severity, Severity::info);
    EXPECT_TRUE(scene_.materials[3].base_color_texture.used());
    EXPECT_TRUE(scene_.materials[0].extras.json.empty());
}

/// As X Rebirth's actors come: with names of the library, and some with textures of their own.
TEST_F(Materials, TexturesOfTheirOwnStayUnlessTheLibraryNamesThem) {
    lay(LibraryText()
            .material("head", "NONE", bitmap("diffuse_map", "lib_head_diff") + bitmap("specular_map", "lib_spec"))
            .material("body", "", number("environmentStr", "1")));
    for (const char* name : {"ship.head", "ship.body"}) {
        Material& material = add_material(name);
        material.base_color_texture.image = 0;
        material.normal_texture.image = 1;
        material.roughness = 0.6f;
        material.double_sided = true;
        material.alpha_mode = AlphaMode::mask;
    }
    scene_.images = {{"own_diff", {}, {}, {}}, {"own_normal", {}, {}, {}}};
    const Report report = resolve();
    EXPECT_EQ(report.count("texture-kept"), 1u);
    const Material& head = scene_.materials[0];
    EXPECT_EQ(image_of(head.base_color_texture).name, "lib_head_diff");
    EXPECT_EQ(image_of(head.normal_texture).name, "own_normal");
    EXPECT_FLOAT_EQ(head.roughness, 0.6f) << "nothing in the library speaks of it";
    EXPECT_EQ(head.alpha_mode, AlphaMode::opaque);
    EXPECT_TRUE(head.double_sided);
    const Material& body = scene_.materials[1];
    EXPECT_EQ(image_of(body.base_color_texture).name, "own_diff");
    EXPECT_EQ(body.alpha_mode, AlphaMode::mask) << "no blend mode, no change";
}

TEST_F(Materials, MeshesWithoutTextureCoordinatesGetAVariant) {
    lay(LibraryText().material("hull", "NONE", bitmap("diffuse_map", "d") + number("Metallness", "1")));
    add_material("ship.hull");
    add_mesh(0);
    add_mesh(1);
    const Report report = resolve();
    EXPECT_EQ(report.count("texture-coordinates"), 1u);
    ASSERT_EQ(scene_.materials.size(), 2u);
    const Index variant = scene_.meshes[0].primitives[0].material;
    EXPECT_EQ(variant, 1u);
    EXPECT_EQ(scene_.meshes[1].primitives[0].material, 0u);
    EXPECT_FALSE(scene_.materials[variant].base_color_texture.used());
    EXPECT_EQ(scene_.materials[variant].metallic, 1);
}

TEST_F(Materials, ResolvedNormalMapsGetTangents) {
    lay(LibraryText().material("hull", "NONE", bitmap("normal_map", "n")).material("flat", "NONE", ""));
    add_material("ship.hull");
    add_material("ship.flat");
    // Two ranges of triangles over the same vertices, as an XMF has them.
    Mesh& mesh = scene_.meshes.emplace_back();
    mesh.vertex_count = 4;
    const auto add = [&](Semantic semantic, ElementType element, std::initializer_list<float> values) {
        Attribute attribute;
        attribute.semantic = semantic;
        attribute.data.element = element;
        const auto bytes = std::as_bytes(std::span(values.begin(), values.size()));
        attribute.data.bytes.assign(bytes.begin(), bytes.end());
        mesh.attributes.push_back(std::move(attribute));
    };
    add(Semantic::position, ElementType::vec3, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
    add(Semantic::normal, ElementType::vec3, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    add(Semantic::texcoord, ElementType::vec2, {0, 1, 1, 1, 0, 0, 1, 0});
    mesh.primitives = {{0, 4, {0, 1, 2}, 1}, {0, 4, {2, 1, 3}, 0}};
    EXPECT_TRUE(resolve().empty());
    const Report report = generate_missing_tangents(scene_);
    EXPECT_EQ(report.count("tangents-generated"), 1u);
    ASSERT_EQ(scene_.meshes[0].attributes.size(), 4u);
    const Attribute& tangents = scene_.meshes[0].attributes.back();
    ASSERT_EQ(tangents.semantic, Semantic::tangent);
    for (const Vec4& tangent : tangents.data.as<Vec4>()) EXPECT_EQ(tangent, (Vec4{1, 0, 0, 1}));
    EXPECT_EQ(scene_.meshes[0].primitives[0].material, 1u);
}

}  // namespace
}  // namespace effigy::egosoft
