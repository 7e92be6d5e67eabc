/// Materials of the scene as standard or FX materials.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/extras.hpp"
#include "scene/material_slots.hpp"
#include "scene/texture_names.hpp"

namespace effigy::emfx::bridge {
namespace {

float brightest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }

/// Grey as exporters make it, or white, as glTF shows what has no material.
NativeMaterial new_default(float grey) {
    xac::StandardMaterial record;
    record.name = "EMFX Default";
    record.ambient = record.diffuse = {grey, grey, grey, 1};
    record.specular = record.emissive = {0, 0, 0, 1};
    NativeMaterial material;
    material.record = std::move(record);
    return material;
}

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

/// Images that are written as pictures and cannot be called as they are, because not all files take their characters.
std::vector<Index> renamed_images(const Scene& scene, const std::vector<std::string>& names) {
    std::vector<Index> renamed;
    for (Index image = 0; image < scene.images.size(); ++image) {
        if (lower(picture_stem(scene.images[image].name)) != lower(names[image])) renamed.push_back(image);
    }
    if (renamed.empty()) return renamed;  // the others take long: all pictures are hashed
    const std::vector<Index> written = new_images(scene, "type");
    std::erase_if(renamed, [&](Index image) { return !std::binary_search(written.begin(), written.end(), image); });
    return renamed;
}

class MaterialAdder {
public:
    explicit MaterialAdder(Build& build)
        : build_(build),
          file_(build.files.front()),
          scene_(build.scene),
          names_(texture_names(build.scene)),
          renamed_(renamed_images(build.scene, names_)),
          pictures_(build.scene) {}

    void run() {
        file_.material_numbers.assign(scene_.materials.size(), no_number);
        if (wants_default()) file_.materials.push_back(new_default(0.5f));
        std::map<std::size_t, std::vector<Index>> old;
        std::vector<Index> others;
        sort_out(old, others);
        for (const auto& [chunk, users] : old) add_old(chunk, users);
        const std::vector<std::set<std::size_t>> users = files_of_materials();
        for (const Index index : others) {
            if (users[index].empty()) continue;
            NativeMaterial made = make(index, record_of(scene_.materials[index].extras));
            if (!stays_with_levels(index, made, users[index])) append(index, std::move(made));
        }
    }

private:
    /// Actors of Tree of Savior begin with it.
    [[nodiscard]] bool wants_default() const {
        if (build_.options.target != Target::tree_of_savior) return false;
        if (!build_.map.is_ported) return chunks_of(file_.json).empty();
        return std::ranges::find(scene_.materials, "EMFX Default", &Material::name) == scene_.materials.end();
    }

    void sort_out(std::map<std::size_t, std::vector<Index>>& old, std::vector<Index>& others) const {
        const std::size_t chunks = chunks_of(file_.json).size();
        for (Index i = 0; i < scene_.materials.size(); ++i) {
            const Json extras = record_of(scene_.materials[i].extras);
            const auto chunk = number_member(extras, "chunk");
            const std::string type = text_member(extras, "type");
            const bool is_record = type == "standard" || type == "fx";
            if (is_record && chunk && *chunk < chunks && number_member(extras, "model").value_or(0) == 0) {
                old[static_cast<std::size_t>(*chunk)].push_back(i);
            } else {
                others.push_back(i);
            }
        }
    }

    /// Several materials of the scene may be one of the file: untouched ones are.
    void add_old(std::size_t chunk, const std::vector<Index>& users) {
        std::optional<std::uint32_t> first;
        const bool is_first_untouched = build_.untouched(scene_.materials[users.front()]);
        for (const Index index : users) {
            const Material& material = scene_.materials[index];
            if (first && build_.untouched(material) && is_first_untouched) {
                file_.material_numbers[index] = *first;
                continue;
            }
            NativeMaterial made = make(index, record_of(material.extras));
            if (!first && !build_.map.is_ported) made.chunk = chunk;
            append(index, std::move(made));
            if (!first) first = file_.material_numbers[index];
        }
    }

    void append(Index index, NativeMaterial material) {
        file_.material_numbers[index] = static_cast<std::uint32_t>(file_.materials.size());
        file_.materials.push_back(std::move(material));
    }

    /// For each material the files with meshes that use it.
    std::vector<std::set<std::size_t>> files_of_materials() const {
        std::vector<std::set<std::size_t>> files(scene_.materials.size());
        for (const MeshPlace& place : build_.places) {
            for (const Primitive& primitive : scene_.meshes[place.mesh].primitives) {
                if (primitive.material != no_index) files[primitive.material].insert(place.file);
            }
        }
        return files;
    }

    /// What only embedded levels of detail have, as all of these have it, does not become the actor's.
    bool stays_with_levels(Index index, const NativeMaterial& material, const std::set<std::size_t>& users) {
        if (!material.is_raw || build_.map.is_ported || users.contains(0)) return false;
        bool have_all = true;
        for (const std::size_t file : users) {
            std::uint32_t& number = build_.files[file].material_numbers[index];
            number = find_equal(build_.files[file], material);
            have_all = have_all && number != no_number;
        }
        return have_all;
    }

    NativeMaterial make(Index index, const Json& extras) {
        const Material& material = scene_.materials[index];
        const std::string type = text_member(extras, "type");
        const bool fx = becomes_fx(material, type);
        NativeMaterial result;
        result.is_raw =
            build_.untouched(material) && type == (fx ? "fx" : "standard") && !has_renamed_picture(material);
        path_ = "materials[" + std::to_string(index) + "] " + material.name;
        const bool is_raw = result.is_raw;
        result.record = fx ? xac::Record(make_fx(material, extras, is_raw)) : make_standard(material, extras, is_raw);
        if (is_raw) result.separate_layers = separate_layers(extras);
        return result;
    }

    [[nodiscard]] bool becomes_fx(const Material& material, const std::string& type) const {
        const bool is_tos = build_.options.target == Target::tree_of_savior;
        if (type.empty()) return is_tos;
        if (!build_.map.is_ported) return type == "fx";
        return is_tos && material.name != "EMFX Default";  // which is a standard one in that game, too
    }

    // --- textures of the other engine's materials, which may stand in their records only

    [[nodiscard]] std::vector<xac::MaterialLayer> layers_of_effect(const Json& extras) {
        xac::FxMaterial effect;
        (void)read_record(build_, extras, 3, effect);
        std::vector<xac::MaterialLayer> layers;
        for (const BitmapKind& kind : bitmap_kinds) {
            const auto found = find_bitmap(effect, kind);
            if (found == effect.bitmaps.end()) continue;
            layers.emplace_back().map_type = kind.map_type;
            layers.back().texture = picture_stem(found->value);
        }
        return layers;
    }

    [[nodiscard]] std::vector<xac::BitmapParameter> bitmaps_of_standard(const Json& extras) {
        xac::StandardMaterial standard;
        (void)read_record(build_, extras, 3, standard);
        join_layers(standard, separate_layers(extras));
        std::vector<xac::BitmapParameter> bitmaps;
        for (const BitmapKind& kind : bitmap_kinds) {
            const auto found = std::ranges::find(standard.layers, kind.map_type, &xac::MaterialLayer::map_type);
            if (found == standard.layers.end() || is_no_texture(found->texture)) continue;
            bitmaps.push_back({kind.usual, picture_stem(found->texture) + ".dds"});
        }
        return bitmaps;
    }

    // --- standard materials

    /// Those that the file has in chunks of their own.
    std::vector<xac::MaterialLayer> separate_layers(const Json& extras) {
        std::vector<xac::MaterialLayer> layers;
        for (const Json& json : list_member(extras, "separate_layers")) {
            xac::MaterialLayer layer;
            if (read_record(build_, json, 2, layer)) layers.push_back(std::move(layer));
        }
        return layers;
    }

    xac::StandardMaterial make_standard(const Material& material, const Json& extras, bool is_raw) {
        constexpr std::uint32_t all_fields = 3;
        auto record = std::get<xac::StandardMaterial>(new_default(0.5f).record);
        record.name.clear();
        const bool is_old = text_member(extras, "type") == "standard";
        if (is_old) record = {};
        if (is_old) (void)read_record(build_, extras, all_fields, record);
        record.padding = static_cast<std::uint8_t>(number_member(extras, "padding").value_or(0) & 0xffu);
        record.layers.resize(std::min<std::size_t>(record.layers.size(), 255));
        if (is_raw) return record;
        join_layers(record, separate_layers(extras));
        if (text_member(extras, "type") == "fx") record.layers = layers_of_effect(extras);
        set_colors(record, material, extras, is_old);
        set_layers(record, material, extras);
        if (!is_old || !build_.means(record.name, material.name)) {
            record.name = build_.raw_name(material.name, extras, "");
        }
        note_lost(material, true);
        note_library_name(material);
        return record;
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

    /// What the record means already stays as it is.
    static void set_reflection(xac::StandardMaterial& record, const Material& material) {
        if (refraction_of(record) != material.ior) record.index_of_refraction = material.ior;
        const auto part = [&](float tint) { return std::clamp(material.specular * tint, 0.0f, 1.0f); };
        const Vec3& tint = material.specular_color;
        const Vec3 highlight{part(tint.x), part(tint.y), part(tint.z)};
        if (highlight_of(record) != highlight) record.specular = {highlight.x, highlight.y, highlight.z, 1};
    }

    /// Textures that a glTF material has are written anew, all others stay.
    void set_layers(xac::StandardMaterial& record, const Material& material, const Json& extras) {
        std::vector<xac::MaterialLayer> old = std::move(record.layers);
        record.layers.clear();
        const bool blends = material.alpha_mode != AlphaMode::opaque;
        const bool has_left_out_base = is_left_out(extras, "base_color_texture");
        add_layer(record, old, material.base_color_texture, diffuse, {}, has_left_out_base);
        for (const xac::MaterialLayer& layer : old) {
            if (!is_shown(layer.map_type) && record.layers.size() < 255) record.layers.push_back(layer);
        }
        if (blends && material.base_color.a >= 1) {
            add_layer(record, old, material.base_color_texture, opacity, {}, has_left_out_base);
        } else if (const xac::MaterialLayer* aside = opacity_aside(old)) {
            if (record.layers.size() < 255) record.layers.push_back(*aside);
        } else if (!blends && is_left_out(extras, "alpha_mode")) {
            add_layer(record, old, material.base_color_texture, opacity, {}, false);
        }
        add_layer(record, old, material.normal_texture, bump, material.normal_texture.strength,
                  is_left_out(extras, "normal_texture"));
        add_layer(record, old, material.emissive_texture, self_illumination, brightest(material.emissive),
                  is_left_out(extras, "emissive_texture"));
    }

    /// An opacity map that is another texture than the colour: the scene's material could not have it, so that it says
    /// nothing about it.
    static const xac::MaterialLayer* opacity_aside(const std::vector<xac::MaterialLayer>& old) {
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

    /// Whether a material would have it, had its texture been found.
    static bool is_left_out(const Json& extras, std::string_view what) {
        const Json* const names = member(extras, left_out_key);
        return names != nullptr && std::find(names->begin(), names->end(), what) != names->end();
    }

    void add_layer(xac::StandardMaterial& record, const std::vector<xac::MaterialLayer>& old, const TextureSlot& slot,
                   std::uint8_t map_type, std::optional<float> amount, bool has_left_out) {
        if (record.layers.size() >= 255) return;
        xac::MaterialLayer layer;
        const auto before = std::find_if(old.begin(), old.end(), [&](const auto& o) { return o.map_type == map_type; });
        if (!slot.used()) {
            if (has_left_out && before != old.end()) record.layers.push_back(*before);
            return;
        }
        if (before != old.end()) layer = *before;
        layer.map_type = map_type;
        if (amount) layer.amount = *amount;
        layer.u_offset = slot.offset.x;
        layer.v_offset = slot.offset.y;
        layer.u_tiling = slot.scale.x;
        layer.v_tiling = slot.scale.y;
        layer.rotation = slot.rotation;
        if (!is_same_texture(layer.texture, slot)) layer.texture = texture_name(slot.image);
        record.layers.push_back(std::move(layer));
    }

    /// Whether a file's name for a texture means the slot's image.
    bool is_same_texture(const std::string& raw, const TextureSlot& slot) const {
        if (raw.empty()) return false;
        const std::string& name = scene_.images[slot.image].name;
        const std::string text = lower(to_utf8(raw, build_.encodings.front()));
        if (picture_stem(text) == lower(names_[slot.image])) return true;
        return (build_.means(raw, name) || text == lower(name)) && !is_renamed(slot.image);
    }

    bool is_renamed(Index image) const { return std::binary_search(renamed_.begin(), renamed_.end(), image); }

    /// Whether somebody has painted on a picture that is renamed: then a record that nobody has edited names another
    /// picture.
    bool has_renamed_picture(const Material& material) const {
        const auto slots = slots_of(material);
        const auto has_new_name = [&](const auto& slot) { return slot.slot->used() && is_renamed(slot.slot->image); };
        return std::ranges::any_of(slots, has_new_name) && !pictures_.edited(material).empty();
    }

    static std::string without_folder(const std::string& name) {
        const std::size_t slash = name.find_last_of("/\\");
        return slash == std::string::npos ? name : name.substr(slash + 1);
    }

    /// Without extension. An image that is only named is one of the game's own; others get new names.
    std::string texture_name(Index image) const {
        const std::string own = picture_stem(scene_.images[image].name);
        const bool is_named = scene_.images[image].bytes.empty() && !own.empty();
        return is_named ? build_.raw_name(own, Json::object(), "") : names_[image];
    }

    /// With extension.
    std::string file_name(Index image) const {
        const std::string own = without_folder(scene_.images[image].name);
        const bool is_file = scene_.images[image].bytes.empty() && lower(own).ends_with(".dds");
        return is_file ? build_.raw_name(own, Json::object(), "") : texture_name(image) + ".dds";
    }

    // --- FX materials

    xac::FxMaterial make_fx(const Material& material, const Json& extras, bool is_raw) {
        constexpr std::uint32_t all_fields = 3;
        xac::FxMaterial record;
        const bool is_old = text_member(extras, "type") == "fx";
        if (!is_old) record = new_effect();
        if (text_member(extras, "type") == "standard") record.bitmaps = bitmaps_of_standard(extras);
        if (is_old) (void)read_record(build_, extras, all_fields, record);
        if (is_raw) return record;
        if (!is_old || !build_.means(record.name, material.name)) {
            record.name = build_.raw_name(material.name, extras, "");
        }
        set_parameters(record, material, extras);
        note_lost(material, false);
        return record;
    }

    void set_parameters(xac::FxMaterial& record, const Material& material, const Json& extras) {
        const auto set_flag = [&](const char* name, bool on) {
            set(record.bools, name, static_cast<std::uint8_t>(on ? 1 : 0));
        };
        // Both may be on; the scene shows such a material as blended.
        const bool stays = material.alpha_mode == AlphaMode::blend && is_on(record, "g_isAlphaBlendOn");
        set_flag("g_isAlphaBlendOn", material.alpha_mode == AlphaMode::blend);
        if (!stays) set_flag("g_isAlphaTestOn", material.alpha_mode == AlphaMode::mask);
        set_flag("g_isTwoSideOn", material.double_sided);
        set_flag("g_isLightOff", material.unlit);
        if (material.alpha_mode == AlphaMode::mask) {
            const float cutoff = std::clamp(material.alpha_cutoff, 0.0f, 1.0f);
            set(record.ints, "g_alphaTestValue", static_cast<std::int32_t>(std::lround(cutoff * 255)));
        }
        if (material.base_color_texture.used()) {
            const std::uint32_t channel = std::min<std::uint32_t>(material.base_color_texture.texcoord, 255) + 1;
            set(record.ints, "DiffuseTexmapChannel", static_cast<std::int32_t>(channel));
        }
        set_bitmap(record, bitmap_kinds[0], material.base_color_texture, is_left_out(extras, "base_color_texture"));
        set_bitmap(record, bitmap_kinds[1], material.normal_texture, is_left_out(extras, "normal_texture"));
        set_bitmap(record, bitmap_kinds[2], material.emissive_texture, is_left_out(extras, "emissive_texture"));
    }

    static bool is_on(const xac::FxMaterial& record, std::string_view name) {
        const auto found = std::ranges::find(record.bools, name, &xac::BoolParameter::name);
        return found != record.bools.end() && found->value != 0;
    }

    template <class Parameter, class Value>
    static void set(std::vector<Parameter>& parameters, const char* name, Value value) {
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Parameter& parameter) { return parameter.name == name; });
        if (found != parameters.end()) {
            found->value = value;
        } else {
            parameters.push_back({value, name});
        }
    }

    /// That of the record, or a new one.
    void set_bitmap(xac::FxMaterial& record, const BitmapKind& kind, const TextureSlot& slot, bool has_left_out) {
        const auto found = find_bitmap(record, kind);
        if (!slot.used()) {
            if (found != record.bitmaps.end() && !has_left_out) record.bitmaps.erase(found);
            return;
        }
        if (found == record.bitmaps.end()) {
            record.bitmaps.push_back({kind.usual, file_name(slot.image)});
        } else if (!is_same_texture(found->value, slot)) {
            found->value = file_name(slot.image);
        }
    }

    // --- what is lost

    void note_lost(const Material& material, bool standard) {
        std::string lost;
        const auto add = [&](bool is_lost, const char* what) {
            if (is_lost) lost += (lost.empty() ? "" : ", ") + std::string(what);
        };
        const Color& base = material.base_color;
        const bool tinted = base.r != 1 || base.g != 1 || base.b != 1;
        add(tinted && (material.base_color_texture.used() || !standard), "colour factor");
        add(material.metallic != 0, "metallic factor");
        add(material.metallic_roughness_texture.used(), "metallic-roughness texture");
        add(material.occlusion_texture.used(), "occlusion texture");
        add(standard && material.roughness >= 1 && has_specular(material), "specular colour of a matt surface");
        add(standard && material.unlit, "unlit");
        add(standard && material.alpha_mode == AlphaMode::mask, "alpha cutoff");
        add(!standard && material.roughness != 1, "roughness");
        add(!standard && base.a < 1, "opacity");
        add(!standard && !reflects_as_usual(material), "refraction and reflection");
        add(!standard && has_texture(material, is_placed), "offset, rotation and scale of textures");
        add(!standard && has_factors(material), "strength of emission or relief");
        add(standard && has_texture(material, uses_other_set), "texture coordinates of other sets than the first");
        add(has_texture(material, wraps_unusually), "wrapping of textures");
        if (lost.empty()) return;
        build_.note(codes::emfx_material_lost, path_,
                    "The game's materials cannot say this; put it into the textures where it matters.", lost);
    }

    static bool has_specular(const Material& material) {
        const Material usual;
        return material.specular != usual.specular || material.specular_color != usual.specular_color;
    }

    /// Whether one of the textures that a material of the game can have is such a one.
    static bool has_texture(const Material& material, bool (*is_such)(const TextureSlot&)) {
        const std::array slots{&material.base_color_texture, &material.normal_texture, &material.emissive_texture};
        return std::any_of(slots.begin(), slots.end(),
                           [&](const auto* slot) { return slot->used() && is_such(*slot); });
    }
    static bool wraps_unusually(const TextureSlot& slot) {
        return slot.wrap_u != Wrap::repeat || slot.wrap_v != Wrap::repeat;
    }
    static bool is_placed(const TextureSlot& slot) {
        const bool moves = slot.offset.x != 0 || slot.offset.y != 0 || slot.rotation != 0;
        return moves || slot.scale.x != 1 || slot.scale.y != 1;
    }
    static bool uses_other_set(const TextureSlot& slot) { return slot.texcoord != 0; }

    /// Bitmaps have none.
    static bool has_factors(const Material& material) {
        const float usual = material.emissive_texture.used() ? 1.0f : 0.0f;
        const Vec3& glow = material.emissive;
        const bool relief = material.normal_texture.used() && material.normal_texture.strength != 1;
        return relief || glow.x != usual || glow.y != usual || glow.z != usual;
    }

    void note_library_name(const Material& material) {
        if (build_.options.target != Target::x_rebirth || material.name.find('.') != std::string::npos) return;
        build_.note(codes::emfx_material_name, path_,
                    "X Rebirth looks materials up by names of the form collection.material; rename it, and add it to "
                    "a material library.",
                    material.name, "collection.material");
    }

    Build& build_;
    FileParts& file_;
    const Scene& scene_;
    std::vector<std::string> names_;
    std::vector<Index> renamed_;  ///< see renamed_images()
    Pictures pictures_;
    std::string path_;
};

}  // namespace

void join_layers(xac::StandardMaterial& material, const std::vector<xac::MaterialLayer>& layers) {
    for (const xac::MaterialLayer& layer : layers) {
        if (material.layers.size() < 255) material.layers.push_back(layer);
    }
}

std::string text_of(const NativeMaterial& material) {
    if (const auto* fx = std::get_if<xac::FxMaterial>(&material.record)) return to_text(material_record(*fx));
    const auto* standard = std::get_if<xac::StandardMaterial>(&material.record);
    return standard == nullptr ? std::string() : to_text(material_record(*standard, {}));
}

std::uint32_t find_equal(FileParts& file, const NativeMaterial& material) {
    if (file.known.empty()) {
        for (std::uint32_t i = 0; i < file.materials.size(); ++i) file.known.try_emplace(text_of(file.materials[i]), i);
    }
    const auto found = file.known.find(text_of(material));
    return found == file.known.end() ? no_number : found->second;
}

std::uint32_t default_material(FileParts& file) {
    for (std::size_t i = 0; i < file.materials.size(); ++i) {
        const auto* standard = std::get_if<xac::StandardMaterial>(&file.materials[i].record);
        if (standard != nullptr && standard->name == "EMFX Default") return static_cast<std::uint32_t>(i);
    }
    file.materials.push_back(new_default(1));
    return static_cast<std::uint32_t>(file.materials.size() - 1);
}

void add_materials(Build& build) { MaterialAdder(build).run(); }

}  // namespace effigy::emfx::bridge
