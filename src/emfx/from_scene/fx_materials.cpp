/// FX materials: parameters of effects, and bitmaps for layers of standard materials and back.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "emfx/from_scene/materials.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

/// With the parameters that are the same in all known characters of Tree of Savior, in their order.
xac::FxMaterial new_effect() {
    xac::FxMaterial record;
    record.effect_file = "Default.fx";
    record.technique = "CharacterShadingTq_NoOutline";
    record.ints = {
        {1, "DiffuseTexmapChannel"}, {5, "g_srcAlphaValue"}, {6, "g_dstAlphaValue"}, {127, "g_alphaTestValue"}};
    record.floats = {{0, "g_MidPosX"},
                     {0, "g_MidPosY"},
                     {20, "g_MidPosZ"},
                     {1, "envValue"},
                     {2, "g_depthDistanceValue"},
                     {-7.641f, "farBrightness"},
                     {0, "farContrast"},
                     {0, "farHue"},
                     {-24, "farSaturation"},
                     {9.634f, "nearBrightness"},
                     {8.621f, "nearContrast"},
                     {0, "nearHue"},
                     {0, "nearSaturation"},
                     {1.641f, "nearTopBrightness"},
                     {0, "nearTopContrast"},
                     {6.754f, "nearTopHue"},
                     {-13, "nearTopSaturation"},
                     {-14.641f, "nearBottomBrightness"},
                     {0, "nearBottomContrast"},
                     {0, "nearBottomHue"},
                     {-15, "nearBottomSaturation"},
                     {-20, "outlineBrightness"},
                     {-30, "outlineContrast"},
                     {0, "outlineHue"},
                     {-15, "outlineSaturation"},
                     {0, "gamma"}};
    return record;
}

/// Bitmaps of effects that mean what a layer of a standard material does.
struct BitmapKind {
    std::uint8_t map_type = 0;
    const char* usual = "";  ///< name
    std::array<std::string_view, 3> words;
};
constexpr std::array<BitmapKind, 3> bitmap_kinds{{{diffuse, "DiffuseTex", {"diffuse", "base", "albedo"}},
                                                  {bump, "NormalTex", {"normal", "bump", "bump"}},
                                                  {self_illumination, "EmissiveTex", {"emissive", "glow", "illum"}}}};

/// The first bitmap that has a texture and one of the words in its name.
auto find_bitmap(xac::FxMaterial& effect, const BitmapKind& kind) {
    return std::ranges::find_if(effect.bitmaps, [&](const xac::BitmapParameter& bitmap) {
        const std::string name = lower(bitmap.name);
        return lower(bitmap.value) != "none" && std::ranges::any_of(kind.words, [&](std::string_view word) {
                   return name.find(word) != std::string::npos;
               });
    });
}

/// Textures of a standard material, which may stand in its record only.
std::vector<xac::BitmapParameter> bitmaps_of_standard(Build& build, const Json& extras) {
    xac::StandardMaterial standard;
    (void)read_record(build, extras, 3, standard);
    join_layers(standard, separate_layers(build, extras));
    std::vector<xac::BitmapParameter> bitmaps;
    for (const BitmapKind& kind : bitmap_kinds) {
        const auto found = std::ranges::find(standard.layers, kind.map_type, &xac::MaterialLayer::map_type);
        if (found == standard.layers.end() || is_no_texture(found->texture)) continue;
        bitmaps.push_back({kind.usual, picture_stem(found->texture) + ".dds"});
    }
    return bitmaps;
}

bool is_flag_on(const xac::FxMaterial& record, std::string_view name) {
    const auto found = std::ranges::find(record.bools, name, &xac::BoolParameter::name);
    return found != record.bools.end() && found->value != 0;
}

template <class Parameter, class Value>
void set_parameter(std::vector<Parameter>& parameters, const char* name, Value value) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    if (found != parameters.end()) {
        found->value = value;
    } else {
        parameters.push_back({value, name});
    }
}

/// That of the record, or a new one.
void set_bitmap(xac::FxMaterial& record, const BitmapKind& kind, const TextureSlot& slot, bool has_left_out,
                const MaterialTextures& textures) {
    const auto found = find_bitmap(record, kind);
    if (!slot.used()) {
        if (found != record.bitmaps.end() && !has_left_out) record.bitmaps.erase(found);
        return;
    }
    if (found == record.bitmaps.end()) {
        record.bitmaps.push_back({kind.usual, textures.file_name_of(slot.image)});
    } else if (!textures.is_same(found->value, slot)) {
        found->value = textures.file_name_of(slot.image);
    }
}

void set_parameters(xac::FxMaterial& record, const Material& material, const Json& extras,
                    const MaterialTextures& textures) {
    const auto set_flag = [&](const char* name, bool on) {
        set_parameter(record.bools, name, static_cast<std::uint8_t>(on ? 1 : 0));
    };
    // Both may be on; the scene shows such a material as blended.
    const bool stays = material.alpha_mode == AlphaMode::blend && is_flag_on(record, "g_isAlphaBlendOn");
    set_flag("g_isAlphaBlendOn", material.alpha_mode == AlphaMode::blend);
    if (!stays) set_flag("g_isAlphaTestOn", material.alpha_mode == AlphaMode::mask);
    set_flag("g_isTwoSideOn", material.double_sided);
    set_flag("g_isLightOff", material.unlit);
    if (material.alpha_mode == AlphaMode::mask) {
        const float cutoff = std::clamp(material.alpha_cutoff, 0.0f, 1.0f);
        set_parameter(record.ints, "g_alphaTestValue", static_cast<std::int32_t>(std::lround(cutoff * 255)));
    }
    if (material.base_color_texture.used()) {
        const std::uint32_t channel = std::min<std::uint32_t>(material.base_color_texture.texcoord, 255) + 1;
        set_parameter(record.ints, "DiffuseTexmapChannel", static_cast<std::int32_t>(channel));
    }
    set_bitmap(record, bitmap_kinds[0], material.base_color_texture, is_left_out(extras, "base_color_texture"),
               textures);
    set_bitmap(record, bitmap_kinds[1], material.normal_texture, is_left_out(extras, "normal_texture"), textures);
    set_bitmap(record, bitmap_kinds[2], material.emissive_texture, is_left_out(extras, "emissive_texture"), textures);
}

}  // namespace

std::vector<xac::MaterialLayer> layers_of_effect(Build& build, const Json& extras) {
    xac::FxMaterial effect;
    (void)read_record(build, extras, 3, effect);
    std::vector<xac::MaterialLayer> layers;
    for (const BitmapKind& kind : bitmap_kinds) {
        const auto found = find_bitmap(effect, kind);
        if (found == effect.bitmaps.end()) continue;
        layers.emplace_back().map_type = kind.map_type;
        layers.back().texture = picture_stem(found->value);
    }
    return layers;
}

xac::FxMaterial make_fx(Build& build, const MaterialTextures& textures, const Material& material, const Json& extras,
                        bool is_raw) {
    constexpr std::uint32_t all_fields = 3;
    const std::string type = text_member(extras, "type");
    const bool is_old = type == "fx";
    xac::FxMaterial record;
    if (!is_old) record = new_effect();
    if (type == "standard") record.bitmaps = bitmaps_of_standard(build, extras);
    if (is_old) (void)read_record(build, extras, all_fields, record);
    if (is_raw) return record;
    if (!is_old || !build.means(record.name, material.name)) record.name = build.raw_name(material.name, extras, "");
    set_parameters(record, material, extras, textures);
    return record;
}

}  // namespace effigy::emfx::bridge
