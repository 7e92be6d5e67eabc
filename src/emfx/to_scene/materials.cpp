/// Standard and FX materials with their textures as materials of the scene.

#include <algorithm>
#include <cmath>
#include <variant>

#include "effigy/emfx_codes.hpp"

#include "core/lists.hpp"
#include "core/text.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {
namespace {

struct Entry {
    std::size_t chunk = 0;
    std::uint32_t level = 0;
    std::variant<const xac::StandardMaterial*, const xac::FxMaterial*> record;
    std::vector<const xac::MaterialLayer*> separate_layers;  ///< of chunk 4
};

std::vector<Entry> entries_of(const xac::File& file) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const xac::Record& record = file.chunks[i].record;
        if (const auto* standard = std::get_if<xac::StandardMaterial>(&record)) {
            entries.push_back({i, standard->lod, standard, {}});
        } else if (const auto* fx = std::get_if<xac::FxMaterial>(&record)) {
            entries.push_back({i, fx->lod, fx, {}});
        }
    }
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* layer = std::get_if<xac::MaterialLayer>(&chunk.record);
        if (layer != nullptr && layer->material < entries.size()) {
            entries[layer->material].separate_layers.push_back(layer);
        }
    }
    return entries;
}

Index image_of(Context& context, std::string_view raw_name) {
    if (is_no_texture(raw_name)) return no_index;
    const auto next = static_cast<Index>(context.scene.images.size());
    const auto [place, is_new] = context.images.try_emplace(lower(raw_name), next);
    if (is_new) context.scene.images.emplace_back().name = context.text(raw_name);
    return place->second;
}

float finite_or(float value, float fallback) { return std::isfinite(value) ? value : fallback; }

float unit(float value) { return std::clamp(finite_or(value, 0), 0.0f, 1.0f); }

Vec3 unit_rgb(Color color) { return {unit(color.r), unit(color.g), unit(color.b)}; }

/// Texture coordinates become offset + turn(tiling * uv), glTF's own order.
TextureSlot slot_of(Context& context, const xac::MaterialLayer& layer, const std::string& path) {
    TextureSlot slot;
    slot.image = image_of(context, layer.texture);
    if (!slot.used()) return slot;
    slot.offset = {finite_or(layer.u_offset, 0), finite_or(layer.v_offset, 0)};
    slot.scale = {finite_or(layer.u_tiling, 1), finite_or(layer.v_tiling, 1)};
    slot.rotation = finite_or(layer.rotation, 0);
    if (slot.rotation != 0) {
        context.note(codes::texture_turned, path,
                     "The texture is turned; that it turns about the origin after tiling is an assumption.",
                     number_text(slot.rotation) + " radians");
    }
    return slot;
}

/// The layers of a standard material by what they are for.
class Layers {
public:
    Layers(Context& context, const Entry& entry, const xac::StandardMaterial& material, const std::string& path) {
        for (const xac::MaterialLayer& layer : material.layers) add(context, layer, path);
        for (const xac::MaterialLayer* layer : entry.separate_layers) add(context, *layer, path);
    }
    [[nodiscard]] const xac::MaterialLayer* find(std::uint8_t map_type) const {
        const auto found = first_.find(map_type);
        return found == first_.end() ? nullptr : found->second;
    }
    [[nodiscard]] const std::map<std::uint8_t, const xac::MaterialLayer*>& all() const { return first_; }

private:
    void add(Context& context, const xac::MaterialLayer& layer, const std::string& path) {
        if (is_no_texture(layer.texture)) return;
        if (first_.try_emplace(layer.map_type, &layer).second) return;
        context.note(codes::texture_repeated, path,
                     "The material has two textures of one kind; only the first one is used.",
                     "map type " + std::to_string(layer.map_type) + ": " + context.text(layer.texture));
    }
    std::map<std::uint8_t, const xac::MaterialLayer*> first_;
};

void set_alpha(Context& context, Material& material, const Layers& layers, const std::string& path) {
    const xac::MaterialLayer* map = layers.find(opacity);
    const xac::MaterialLayer* base = layers.find(diffuse);
    if (material.base_color.a < 1) material.alpha_mode = AlphaMode::blend;
    if (map == nullptr) return;
    if (base == nullptr) {
        material.base_color_texture = slot_of(context, *map, path);
        material.alpha_mode = AlphaMode::blend;
    } else if (lower(map->texture) == lower(base->texture)) {
        material.alpha_mode = AlphaMode::blend;
    } else {
        context.note(codes::alpha_map_lost, path,
                     "The opacity map is another texture than the base colour; glTF cannot join them, so the surface "
                     "stays opaque.",
                     context.text(map->texture), context.text(base->texture));
    }
}

void note_transparency(Context& context, const xac::StandardMaterial& record, const std::string& path) {
    if (record.transparency_type == 'A' || record.transparency_type == 'S') {
        context.note(
            codes::blending_lost, path,
            "glTF knows neither additive nor subtractive blending: the surface blends as usual where it has an "
            "opacity map or is not fully opaque, and hides what is behind it elsewhere.",
            record.transparency_type == 'A' ? "additive" : "subtractive");
    }
    if (record.wireframe != 0) {
        context.note(codes::wireframe_lost, path);
    }
}

void note_kept_textures(Context& context, const Layers& layers, const std::string& path) {
    std::string kept;
    for (const auto& [map_type, layer] : layers.all()) {
        if (is_shown(map_type)) continue;
        kept +=
            (kept.empty() ? "" : ", ") + context.text(layer->texture) + " (map type " + std::to_string(map_type) + ")";
    }
    if (kept.empty()) return;
    context.note(
        codes::texture_kept, path,
        "These textures mean nothing that a glTF material can say (the specular slot holds a mask in the known "
        "games); they are kept in extras.",
        kept);
}

Material convert(Context& context, const Entry& entry, const xac::StandardMaterial& record, const std::string& path) {
    Material material;
    material.name = context.text(record.name);
    const Layers layers(context, entry, record, path);
    const Vec3 color = color_of(record);
    material.base_color = {color.x, color.y, color.z, unit(record.opacity)};
    if (const auto* layer = layers.find(diffuse)) {
        // The exporters leave the colour black where a texture stands for it.
        material.base_color_texture = slot_of(context, *layer, path);
        material.base_color = {1, 1, 1, material.base_color.a};
    }
    material.roughness = roughness_of(record);
    material.ior = refraction_of(record);
    material.specular_color = highlight_of(record);
    const auto* const glow = layers.find(self_illumination);
    if (glow != nullptr) material.emissive_texture = slot_of(context, *glow, path);
    material.emissive = emission_of(record, glow);
    if (const auto* layer = layers.find(bump)) {
        material.normal_texture = slot_of(context, *layer, path);
        material.normal_texture.strength = finite_or(layer->amount, 1);
    }
    material.double_sided = record.double_sided != 0;
    set_alpha(context, material, layers, path);
    note_transparency(context, record, path);
    note_kept_textures(context, layers, path);
    set_record(material.extras, material_record(record, entry.separate_layers));
    return material;
}

bool contains_any(const std::string& text, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

template <class Parameter>
const Parameter* find_parameter(const std::vector<Parameter>& parameters, std::string_view name) {
    return first_where(parameters, [&](const Parameter& parameter) { return parameter.name == name; });
}

bool is_on(const xac::FxMaterial& record, std::string_view name) {
    const auto* parameter = find_parameter(record.bools, name);
    return parameter != nullptr && parameter->value != 0;
}

/// The slot that a bitmap parameter's name speaks of, or null.
TextureSlot* fx_slot(Material& material, const std::string& parameter) {
    const std::string name = lower(parameter);
    if (contains_any(name, {"diffuse", "base", "albedo"})) return &material.base_color_texture;
    if (contains_any(name, {"normal", "bump"})) return &material.normal_texture;
    if (contains_any(name, {"emissive", "glow", "illum"})) return &material.emissive_texture;
    return nullptr;
}

void set_fx_textures(Context& context, const xac::FxMaterial& record, Material& material, const std::string& path) {
    std::string kept;
    for (const xac::BitmapParameter& bitmap : record.bitmaps) {
        if (is_no_texture(bitmap.value)) continue;
        TextureSlot* slot = fx_slot(material, bitmap.name);
        if (slot == nullptr) {
            kept += (kept.empty() ? "" : ", ") + context.text(bitmap.name) + " " + context.text(bitmap.value);
        } else if (slot->used()) {
            context.note(codes::texture_repeated, path,
                         "The material has two textures of one kind; only the first one is used.",
                         context.text(bitmap.name));
        } else {
            slot->image = image_of(context, bitmap.value);
        }
    }
    const auto* channel = find_parameter(record.ints, "DiffuseTexmapChannel");
    if (channel != nullptr && channel->value > 1) {
        material.base_color_texture.texcoord = static_cast<std::uint32_t>(channel->value) - 1;
    }
    if (material.emissive_texture.used()) material.emissive = {1, 1, 1};
    if (kept.empty()) return;
    context.note(codes::texture_kept, path,
                 "These textures mean nothing that a glTF material can say; they are kept in extras.", kept);
}

Material convert(Context& context, const Entry&, const xac::FxMaterial& record, const std::string& path) {
    Material material;
    material.name = context.text(record.name);
    set_fx_textures(context, record, material, path);
    material.double_sided = is_on(record, "g_isTwoSideOn");
    material.unlit = is_on(record, "g_isLightOff");
    if (is_on(record, "g_isAlphaBlendOn")) {
        material.alpha_mode = AlphaMode::blend;
    } else if (is_on(record, "g_isAlphaTestOn")) {
        const auto* value = find_parameter(record.ints, "g_alphaTestValue");
        material.alpha_mode = AlphaMode::mask;
        material.alpha_cutoff =
            value == nullptr ? 0.5f : std::clamp(static_cast<float>(value->value) / 255.0f, 0.0f, 1.0f);
    }
    set_record(material.extras, material_record(record));
    return material;
}

}  // namespace

/// The exporters for Maya leave all colours black, and the games show textures only: a material without a texture is
/// no black one then (emfx-games.md, section 3).
Vec3 color_of(const xac::StandardMaterial& material) {
    const bool has_none = unit_rgb(material.diffuse) == Vec3{} && unit_rgb(material.ambient) == Vec3{} &&
                          unit_rgb(material.emissive) == Vec3{};
    return has_none ? Vec3{1, 1, 1} : unit_rgb(material.diffuse);
}

/// Shine is the exponent of a Blinn-Phong highlight, (2 / (shine + 2))^(1/4) the roughness with a highlight of the
/// same width. It counts as far as the highlight is strong: shine_strength is 0 in all known files, and these
/// materials are matt.
float roughness_of(const xac::StandardMaterial& material) {
    const float exponent = std::clamp(finite_or(material.shine, 0), 0.0f, 1e6f);
    const float highlight = std::pow(2.0f / (exponent + 2.0f), 0.25f);
    return 1.0f + unit(material.shine_strength) * (highlight - 1.0f);
}

/// Exporters write 1 where nobody chose anything.
float refraction_of(const xac::StandardMaterial& material) {
    const float ior = finite_or(material.index_of_refraction, 1);
    return ior > 1 ? ior : Material().ior;
}

/// Black is what stands where nobody chose a colour, and so it says nothing.
Vec3 highlight_of(const xac::StandardMaterial& material) {
    const Vec3 color = unit_rgb(material.specular);
    return unit(material.shine_strength) > 0 && color != Vec3{} ? color : Material().specular_color;
}

/// A map's amount says how strongly it shines, and the colour beside it in which hue; exporters leave it black where a
/// map stands for it. Both may be beyond 1: glTF has a strength for that.
Vec3 emission_of(const xac::StandardMaterial& material, const xac::MaterialLayer* map) {
    const auto light = [](float value) { return std::max(finite_or(value, 0), 0.0f); };
    const Vec3 color{light(material.emissive.r), light(material.emissive.g), light(material.emissive.b)};
    if (map == nullptr) return color;
    const float amount = light(map->amount), brightest = std::max({color.x, color.y, color.z});
    if (brightest == amount) return color;
    if (brightest == 0) return {amount, amount, amount};
    const auto part = [&](float value) { return value / brightest * amount; };
    return {part(color.x), part(color.y), part(color.z)};
}

void add_materials(Context& context, Model& model) {
    const bool first = context.scene.materials.empty();
    const auto model_number = static_cast<std::size_t>(&model - context.models.data());
    std::size_t number = 0;
    for (const Entry& entry : entries_of(*model.file)) {
        const std::string path = "material[" + std::to_string(number++) + "]";
        Material material =
            std::visit([&](const auto* record) { return convert(context, entry, *record, path); }, entry.record);
        const auto next = static_cast<Index>(context.scene.materials.size());
        const auto [place, is_new] = context.known_materials.try_emplace(material.extras.json, next);
        // The first actor's list stays as it is; later ones reuse what is already there.
        if (!is_new && !first) {
            model.materials[entry.level].push_back(place->second);
            continue;
        }
        Json extras = record_of(material.extras);
        extras["chunk"] = entry.chunk;
        set_model(extras, model_number);
        set_record(material.extras, std::move(extras));
        context.scene.materials.push_back(std::move(material));
        model.materials[entry.level].push_back(next);
    }
}

Index find_material(const Model& model, std::uint32_t level, std::uint32_t number) noexcept {
    auto list = model.materials.find(level);
    if (list == model.materials.end()) list = model.materials.find(0);
    if (list == model.materials.end() || number >= list->second.size()) return no_index;
    return list->second[number];
}

}  // namespace effigy::emfx::bridge
