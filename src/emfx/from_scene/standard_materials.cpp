/// Standard materials: colours, shine and layers.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "emfx/from_scene/materials.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

float brightest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }

/// What the record means already stays as it is.
void set_reflection(xac::StandardMaterial& record, const Material& material) {
    if (refraction_of(record) != material.ior) record.index_of_refraction = material.ior;
    const auto part = [&](float tint) { return std::clamp(material.specular * tint, 0.0f, 1.0f); };
    const Vec3& tint = material.specular_color;
    const Vec3 highlight{part(tint.x), part(tint.y), part(tint.z)};
    if (highlight_of(record) != highlight) record.specular = {highlight.x, highlight.y, highlight.z, 1};
}

void set_colors(xac::StandardMaterial& record, const Material& material, const Json& extras, bool is_old) {
    const Color& base = material.base_color;
    const bool is_textured = material.base_color_texture.used() || is_left_out(extras, "base_color_texture");
    const bool is_told = is_old && (is_textured || color_of(record) == Vec3{base.r, base.g, base.b});
    if (!is_told) record.diffuse = {base.r, base.g, base.b, 1};
    if (!is_old) record.ambient = record.diffuse;
    record.opacity = base.a;
    if (material.emissive != Vec3{} || !is_left_out(extras, "emissive_texture"))
        record.emissive = {material.emissive.x, material.emissive.y, material.emissive.z, 1};
    // A black that is meant needs another colour beside it: the faintest one.
    if (!is_textured && color_of(record) != Vec3{base.r, base.g, base.b}) record.ambient = {1e-3f, 1e-3f, 1e-3f, 1};
    record.double_sided = material.double_sided ? 1 : 0;
    set_reflection(record, material);
    // Of many pairs of shine and strength that mean one roughness, the old one stays.
    const float roughness = std::clamp(material.roughness, 0.0f, 1.0f);
    if (is_old && std::abs(roughness_of(record) - roughness) <= 1e-5f) return;
    constexpr float strongest = 1e6f;
    record.shine_strength = roughness < 1 ? 1.0f : 0.0f;
    const float fourth = roughness * roughness * roughness * roughness;
    record.shine = roughness < 1 ? std::min(strongest, 2.0f / std::max(fourth, 1e-7f) - 2.0f) : 0.0f;
}

/// An opacity map that is another texture than the colour: the scene's material could not have it, so that it says
/// nothing about it.
const xac::MaterialLayer* opacity_aside(const std::vector<xac::MaterialLayer>& old) {
    const auto first_of = [&](std::uint8_t map_type) -> const xac::MaterialLayer* {
        const auto found = std::find_if(old.begin(), old.end(), [&](const xac::MaterialLayer& layer) {
            return layer.map_type == map_type && !is_no_texture(layer.texture);
        });
        return found == old.end() ? nullptr : &*found;
    };
    const xac::MaterialLayer* const map = first_of(opacity);
    const xac::MaterialLayer* const base = first_of(diffuse);
    return map != nullptr && base != nullptr && lower(map->texture) != lower(base->texture) ? map : nullptr;
}

/// A texture that the material has, written anew; the old layer where it would have one, had its image been found.
std::optional<xac::MaterialLayer> layer_for(const TextureSlot& slot, std::uint8_t map_type, std::optional<float> amount,
                                            bool has_left_out, const std::vector<xac::MaterialLayer>& old,
                                            const MaterialTextures& textures) {
    std::optional<xac::MaterialLayer> layer;
    const auto before = std::ranges::find(old, map_type, &xac::MaterialLayer::map_type);
    if (before != old.end()) layer = *before;
    if (!slot.used()) return has_left_out ? layer : std::nullopt;
    if (!layer) layer.emplace();
    layer->map_type = map_type;
    if (amount) layer->amount = *amount;
    layer->u_offset = slot.offset.x;
    layer->v_offset = slot.offset.y;
    layer->u_tiling = slot.scale.x;
    layer->v_tiling = slot.scale.y;
    layer->rotation = slot.rotation;
    if (!textures.is_same(layer->texture, slot)) layer->texture = textures.name_of(slot.image);
    return layer;
}

/// Textures that a glTF material has are written anew, all others stay.
std::vector<xac::MaterialLayer> layers_for(const Material& material, const Json& extras,
                                           const std::vector<xac::MaterialLayer>& old,
                                           const MaterialTextures& textures) {
    std::vector<xac::MaterialLayer> layers;
    const auto add = [&](std::optional<xac::MaterialLayer> layer) {
        if (layer && layers.size() < 255) layers.push_back(std::move(*layer));
    };
    const TextureSlot& base = material.base_color_texture;
    const bool blends = material.alpha_mode != AlphaMode::opaque;
    const bool has_left_out_base = is_left_out(extras, "base_color_texture");
    add(layer_for(base, diffuse, {}, has_left_out_base, old, textures));
    for (const xac::MaterialLayer& layer : old) {
        if (!is_shown(layer.map_type)) add(layer);
    }
    if (blends && material.base_color.a >= 1) {
        add(layer_for(base, opacity, {}, has_left_out_base, old, textures));
    } else if (const xac::MaterialLayer* aside = opacity_aside(old)) {
        add(*aside);
    } else if (!blends && is_left_out(extras, "alpha_mode")) {
        add(layer_for(base, opacity, {}, false, old, textures));
    }
    add(layer_for(material.normal_texture, bump, material.normal_texture.strength,
                  is_left_out(extras, "normal_texture"), old, textures));
    add(layer_for(material.emissive_texture, self_illumination, brightest(material.emissive),
                  is_left_out(extras, "emissive_texture"), old, textures));
    return layers;
}

}  // namespace

xac::StandardMaterial default_standard(float grey) {
    xac::StandardMaterial record;
    record.name = "EMFX Default";
    record.ambient = record.diffuse = {grey, grey, grey, 1};
    record.specular = record.emissive = {0, 0, 0, 1};
    return record;
}

std::vector<xac::MaterialLayer> separate_layers(Build& build, const Json& extras) {
    std::vector<xac::MaterialLayer> layers;
    for (const Json& json : list_at(extras, "separate_layers")) {
        xac::MaterialLayer layer;
        if (read_record(build, json, 2, layer)) layers.push_back(std::move(layer));
    }
    return layers;
}

xac::StandardMaterial make_standard(Build& build, const MaterialTextures& textures, const Material& material,
                                    const Json& extras, bool is_raw) {
    constexpr std::uint32_t all_fields = 3;
    const std::string type = text_member(extras, "type");
    const bool is_old = type == "standard";
    xac::StandardMaterial record;
    if (is_old) {
        (void)read_record(build, extras, all_fields, record);
    } else {
        record = default_standard(0.5f);
        record.name.clear();
    }
    record.padding = static_cast<std::uint8_t>(number_member(extras, "padding").value_or(0) & 0xffu);
    record.layers.resize(std::min<std::size_t>(record.layers.size(), 255));
    if (is_raw) return record;
    join_layers(record, separate_layers(build, extras));
    if (type == "fx") record.layers = layers_of_effect(build, extras);
    set_colors(record, material, extras, is_old);
    record.layers = layers_for(material, extras, record.layers, textures);
    if (!is_old || !build.means(record.name, material.name)) record.name = build.raw_name(material.name, extras, "");
    return record;
}

void join_layers(xac::StandardMaterial& material, const std::vector<xac::MaterialLayer>& layers) {
    for (const xac::MaterialLayer& layer : layers) {
        if (material.layers.size() < 255) material.layers.push_back(layer);
    }
}

}  // namespace effigy::emfx::bridge
