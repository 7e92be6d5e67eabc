/// What the game's materials cannot say of the scene's, and names that a game does not find.

#include <algorithm>
#include <array>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/materials.hpp"
#include "emfx/to_scene/extras.hpp"
#include "scene/material_slots.hpp"

namespace effigy::emfx::bridge {
namespace {

bool has_specular(const Material& material) {
    const Material usual;
    return material.specular != usual.specular || material.specular_color != usual.specular_color;
}

/// Whether one of the textures that a material of the game can have is such a one.
bool has_texture(const Material& material, bool (*is_such)(const TextureSlot&)) {
    const std::array slots{&material.base_color_texture, &material.normal_texture, &material.emissive_texture};
    return std::any_of(slots.begin(), slots.end(), [&](const auto* slot) { return slot->used() && is_such(*slot); });
}

bool wraps_unusually(const TextureSlot& slot) { return slot.wrap_u != Wrap::repeat || slot.wrap_v != Wrap::repeat; }

bool is_placed(const TextureSlot& slot) {
    const bool moves = slot.offset.x != 0 || slot.offset.y != 0 || slot.rotation != 0;
    return moves || slot.scale.x != 1 || slot.scale.y != 1;
}

bool uses_other_set(const TextureSlot& slot) { return slot.texcoord != 0; }

/// Bitmaps have none.
bool has_factors(const Material& material) {
    const float usual = material.emissive_texture.used() ? 1.0f : 0.0f;
    const Vec3& glow = material.emissive;
    const bool relief = material.normal_texture.used() && material.normal_texture.strength != 1;
    return relief || glow.x != usual || glow.y != usual || glow.z != usual;
}

/// A texture stands for the colour of a standard material; an opacity map alone does not.
bool has_texture_of_color(const NativeMaterial& made) {
    const auto* const standard = std::get_if<xac::StandardMaterial>(&made.record);
    return standard != nullptr && std::ranges::any_of(standard->layers, [](const xac::MaterialLayer& layer) {
               return layer.map_type == diffuse && !is_no_texture(layer.texture);
           });
}

/// Where a texture was not found, its material keeps the colour that the file has beside it.
bool keeps_color(const NativeMaterial& made, const Material& material) {
    const auto* const standard = std::get_if<xac::StandardMaterial>(&made.record);
    const Color& base = material.base_color;
    return standard != nullptr && color_of(*standard) != Vec3{base.r, base.g, base.b};
}

std::string lost_of(Build& build, const NativeMaterial& made, const Material& material, bool is_fx) {
    std::string lost;
    const auto add = [&](bool is_lost, const char* what) {
        if (is_lost) lost += (lost.empty() ? "" : ", ") + std::string(what);
    };
    const Color& base = material.base_color;
    const bool tinted = base.r != 1 || base.g != 1 || base.b != 1;
    const bool is_textured = material.base_color_texture.used() && has_texture_of_color(made);
    add(is_textured || is_fx ? tinted : keeps_color(made, material), "colour factor");
    add(material.metallic != 0, "metallic factor");
    add(material.metallic_roughness_texture.used(), "metallic-roughness texture");
    add(material.occlusion_texture.used(), "occlusion texture");
    add(!is_fx && material.roughness >= 1 && has_specular(material), "specular colour of a matt surface");
    add(!is_fx && material.unlit, "unlit");
    add(!is_fx && material.alpha_mode == AlphaMode::mask, "alpha cutoff");
    add(is_fx && material.roughness != 1, "roughness");
    add(is_fx && base.a < 1 && material.alpha_mode != AlphaMode::opaque, "opacity");
    add(!is_fx && loses_opacity_map(build, material), "opacity map without a colour texture");
    add(is_fx && !reflects_as_usual(material), "refraction and reflection");
    add(is_fx && has_texture(material, is_placed), "offset, rotation and scale of textures");
    add(is_fx && has_factors(material), "strength of emission or relief");
    add(!is_fx && has_texture(material, uses_other_set), "texture coordinates of other sets than the first");
    add(has_texture(material, wraps_unusually), "wrapping of textures");
    return lost;
}

}  // namespace

void note_material_limits(Build& build, const NativeMaterial& made, const Material& material, const std::string& path) {
    const bool is_fx = std::holds_alternative<xac::FxMaterial>(made.record);
    if (const std::string lost = lost_of(build, made, material, is_fx); !lost.empty()) {
        build.note(codes::emfx_material_lost, path,
                   "The game's materials cannot say this; put it into the textures where it matters.", lost);
    }
    if (is_fx || build.options.target != Target::x_rebirth || material.name.find('.') != std::string::npos) return;
    build.note(codes::emfx_material_name, path,
               "X Rebirth looks materials up by names of the form collection.material; rename it, and add it to "
               "a material library.",
               material.name, "collection.material");
}

}  // namespace effigy::emfx::bridge
