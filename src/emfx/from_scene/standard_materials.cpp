/// Standard materials: colours, shine and layers.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/lists.hpp"
#include "core/text.hpp"
#include "emfx/from_scene/materials.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

float brightest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }

/// The layer of a kind that the scene shows.
template <class Layers>
auto* first_of(Layers& layers, std::uint8_t map_type) {
    return first_where(layers, [&](const xac::MaterialLayer& layer) {
        return layer.map_type == map_type && !is_no_texture(layer.texture);
    });
}

/// Of many pairs of a colour and the amount of its map that mean one emission, the old one stays.
bool keeps_emission(const xac::StandardMaterial& old, const Material& material, const Json& extras, bool is_old) {
    const bool has_left_out = is_left_out(extras, "emissive_texture");
    if (has_left_out && material.emissive == Vec3{}) return true;
    const xac::MaterialLayer* const map = first_of(old.layers, self_illumination);
    if (!is_old || (map != nullptr) != (has_left_out || material.emissive_texture.used())) return false;
    const Vec3 before = emission_of(old, map);
    const float tolerance = 1e-5f * std::max(1.0f, brightest(before));
    const auto is_near = [&](float a, float b) { return std::abs(a - b) <= tolerance; };
    const Vec3& now = material.emissive;
    return is_near(before.x, now.x) && is_near(before.y, now.y) && is_near(before.z, now.z);
}

/// The colour has the hue and the map the strength; without a map the colour has both.
void set_emission(xac::StandardMaterial& record, const Vec3& emissive) {
    record.emissive = {emissive.x, emissive.y, emissive.z, 1};
    if (xac::MaterialLayer* map = first_of(record.layers, self_illumination)) map->amount = brightest(emissive);
}

/// The alpha of an opaque surface says nothing.
void set_opacity(xac::StandardMaterial& record, const Material& material) {
    const float alpha = material.alpha_mode == AlphaMode::opaque ? 1.0f : material.base_color.a;
    if (std::clamp(record.opacity, 0.0f, 1.0f) != alpha) record.opacity = alpha;
}

/// What the record means already stays as it is.
void set_reflection(xac::StandardMaterial& record, const Material& material) {
    if (refraction_of(record) != material.ior) record.index_of_refraction = material.ior;
    const auto part = [&](float tint) { return std::clamp(material.specular * tint, 0.0f, 1.0f); };
    const Vec3& tint = material.specular_color;
    const Vec3 highlight{part(tint.x), part(tint.y), part(tint.z)};
    if (highlight_of(record) != highlight) record.specular = {highlight.x, highlight.y, highlight.z, 1};
}

/// `record`: with its layers.
void set_colors(xac::StandardMaterial& record, const Material& material, bool is_old) {
    const Color& base = material.base_color;
    const bool is_textured = first_of(record.layers, diffuse) != nullptr;
    const bool is_told = is_old && (is_textured || color_of(record) == Vec3{base.r, base.g, base.b});
    if (!is_told) record.diffuse = {base.r, base.g, base.b, 1};
    if (!is_old) record.ambient = record.diffuse;
    set_opacity(record, material);
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
    const xac::MaterialLayer* const map = first_of(old, opacity);
    const xac::MaterialLayer* const base = first_of(old, diffuse);
    return map != nullptr && base != nullptr && lower(map->texture) != lower(base->texture) ? map : nullptr;
}

/// The layer of a kind that a new texture takes the place of: the one that the scene shows, or one without a texture.
const xac::MaterialLayer* rewritten_of(const std::vector<xac::MaterialLayer>& old, std::uint8_t map_type) {
    if (const xac::MaterialLayer* shown = first_of(old, map_type)) return shown;
    return first_where(old, [&](const xac::MaterialLayer& layer) { return layer.map_type == map_type; });
}

/// A texture that the material has, written anew; the old layer where it would have one, had its image been found.
std::optional<xac::MaterialLayer> layer_for(const TextureSlot& slot, std::uint8_t map_type, std::optional<float> amount,
                                            bool has_left_out, const std::vector<xac::MaterialLayer>& old,
                                            const MaterialTextures& textures) {
    std::optional<xac::MaterialLayer> layer;
    if (const xac::MaterialLayer* before = rewritten_of(old, map_type)) layer = *before;
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

/// Whether the scene's texture is the old opacity map and stays that alone: beside it the surface has its own colour.
bool is_opacity_alone(const Material& material, const Json& extras, const std::vector<xac::MaterialLayer>& old,
                      const MaterialTextures& textures) {
    const TextureSlot& base = material.base_color_texture;
    const xac::MaterialLayer* const map = first_of(old, opacity);
    if (!base.used() || map == nullptr || first_of(old, diffuse) != nullptr) return false;
    const bool stays = material.alpha_mode != AlphaMode::opaque || is_left_out(extras, "alpha_mode");
    return stays && textures.is_same(map->texture, base);
}

/// What becomes of the texture of the colour.
std::optional<xac::MaterialLayer> diffuse_layer(const Material& material, const Json& extras,
                                                const std::vector<xac::MaterialLayer>& old,
                                                const MaterialTextures& textures) {
    if (is_opacity_alone(material, extras, old, textures)) return std::nullopt;
    return layer_for(material.base_color_texture, diffuse, {}, is_left_out(extras, "base_color_texture"), old,
                     textures);
}

/// What becomes of the opacity map: a glTF material has none but the alpha of its colour's texture, which is `color`.
std::optional<xac::MaterialLayer> opacity_layer(const Material& material, const Json& extras,
                                                const std::vector<xac::MaterialLayer>& old,
                                                const MaterialTextures& textures,
                                                const std::optional<xac::MaterialLayer>& color) {
    const TextureSlot& base = material.base_color_texture;
    const bool has_left_out_base = is_left_out(extras, "base_color_texture");
    const bool blends = material.alpha_mode != AlphaMode::opaque;
    const bool blends_by_texture = blends && material.base_color.a >= 1;
    const xac::MaterialLayer* const aside = opacity_aside(old);
    if (aside != nullptr && !blends_by_texture) {
        // Without the colour's texture it would be shown as the colour.
        return base.used() || has_left_out_base ? std::optional(*aside) : std::nullopt;
    }
    std::optional<xac::MaterialLayer> layer;
    if (blends_by_texture || (blends && first_of(old, opacity) != nullptr)) {
        layer = layer_for(base, opacity, {}, has_left_out_base, old, textures);
    } else if (!blends && is_left_out(extras, "alpha_mode")) {
        layer = layer_for(base, opacity, {}, false, old, textures);
    }
    // Under two names they would be two textures.
    const bool is_one = base.used() && color && layer;
    if (is_one && lower(layer->texture) != lower(color->texture)) layer->texture = color->texture;
    return layer;
}

/// The layers of a material that is written anew, as many as fit.
class NewLayers {
public:
    explicit NewLayers(const std::vector<xac::MaterialLayer>& old) : old_(old) {}

    void add(xac::MaterialLayer layer) {
        if (layers_.size() < 255) layers_.push_back(std::move(layer));
    }
    /// What becomes of the layer that the scene shows. The scene has no place for others of its kind, which stay
    /// unless it is gone: then one of them would be shown.
    void add_kind(std::uint8_t map_type, std::optional<xac::MaterialLayer> shown) {
        const xac::MaterialLayer* const before = rewritten_of(old_, map_type);
        const bool is_there = shown.has_value();
        if (is_there) add(std::move(*shown));
        for (const xac::MaterialLayer& layer : old_) {
            if (layer.map_type != map_type) continue;
            if (is_there ? &layer != before : is_no_texture(layer.texture)) add(layer);
        }
    }
    [[nodiscard]] std::vector<xac::MaterialLayer> take() { return std::move(layers_); }

private:
    const std::vector<xac::MaterialLayer>& old_;
    std::vector<xac::MaterialLayer> layers_;
};

/// Textures that a glTF material has are written anew, all others stay.
std::vector<xac::MaterialLayer> layers_for(const Material& material, const Json& extras,
                                           const std::vector<xac::MaterialLayer>& old,
                                           const MaterialTextures& textures) {
    NewLayers layers(old);
    const auto color = diffuse_layer(material, extras, old, textures);
    layers.add_kind(diffuse, color);
    for (const xac::MaterialLayer& layer : old) {
        if (!is_shown(layer.map_type)) layers.add(layer);
    }
    layers.add_kind(opacity, opacity_layer(material, extras, old, textures, color));
    layers.add_kind(bump, layer_for(material.normal_texture, bump, material.normal_texture.strength,
                                    is_left_out(extras, "normal_texture"), old, textures));
    layers.add_kind(self_illumination, layer_for(material.emissive_texture, self_illumination, {},
                                                 is_left_out(extras, "emissive_texture"), old, textures));
    return layers.take();
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
    const bool has_old_emission = keeps_emission(record, material, extras, is_old);
    record.layers = layers_for(material, extras, record.layers, textures);
    if (!has_old_emission) set_emission(record, material.emissive);
    set_colors(record, material, is_old);
    if (!is_old || !build.means(record.name, material.name)) record.name = build.raw_name(material.name, extras, "");
    return record;
}

bool loses_opacity_map(Build& build, const Material& material) {
    const Json extras = record_of(material.extras);
    const bool has_base = material.base_color_texture.used() || is_left_out(extras, "base_color_texture");
    if (has_base || text_member(extras, "type") != "standard") return false;
    xac::StandardMaterial old;
    (void)read_record(build, extras, 3, old);
    join_layers(old, separate_layers(build, extras));
    return opacity_aside(old.layers) != nullptr;
}

void join_layers(xac::StandardMaterial& material, const std::vector<xac::MaterialLayer>& layers) {
    for (const xac::MaterialLayer& layer : layers) {
        if (material.layers.size() < 255) material.layers.push_back(layer);
    }
}

}  // namespace effigy::emfx::bridge
