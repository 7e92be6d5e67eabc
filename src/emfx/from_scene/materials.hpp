#pragma once
/// Standard and FX materials made of the scene's, and what both need for it.

#include <string>
#include <vector>

#include "emfx/from_scene/build.hpp"
#include "scene/texture_names.hpp"

namespace effigy::emfx::bridge {

// from_scene/material_textures.cpp
/// What materials call the scene's images.
class MaterialTextures {
public:
    explicit MaterialTextures(Build& build);

    /// Without extension. An image that is only named is one of the game's own; others get new names.
    [[nodiscard]] std::string name_of(Index image) const;
    /// With extension.
    [[nodiscard]] std::string file_name_of(Index image) const;
    /// Whether a file's name for a texture means the slot's image.
    [[nodiscard]] bool is_same(const std::string& raw, const TextureSlot& slot) const;
    /// Whether somebody has painted on a picture that is renamed: then a record that nobody has edited names another
    /// picture.
    [[nodiscard]] bool has_renamed_picture(const Material& material) const;

private:
    [[nodiscard]] bool is_renamed(Index image) const;

    Build& build_;
    std::vector<std::string> names_;
    std::vector<Index> renamed_;  ///< pictures that cannot be called as their images; increasing
    Pictures pictures_;
};

// from_scene/standard_materials.cpp
/// Grey as exporters make it, or white, as glTF shows what has no material.
[[nodiscard]] xac::StandardMaterial default_standard(float grey);
/// `is_raw`: as its record has it.
[[nodiscard]] xac::StandardMaterial make_standard(Build& build, const MaterialTextures& textures,
                                                  const Material& material, const Json& extras, bool is_raw);
/// Whether the material had an opacity map beside the texture of its colour, which is gone.
[[nodiscard]] bool loses_opacity_map(Build& build, const Material& material);
/// Layers that the file has in chunks of their own.
[[nodiscard]] std::vector<xac::MaterialLayer> separate_layers(Build& build, const Json& extras);

// from_scene/fx_materials.cpp
/// `is_raw`: as its record has it.
[[nodiscard]] xac::FxMaterial make_fx(Build& build, const MaterialTextures& textures, const Material& material,
                                      const Json& extras, bool is_raw);
/// Textures of an FX material, which may stand in its record only, as a standard one has them.
[[nodiscard]] std::vector<xac::MaterialLayer> layers_of_effect(Build& build, const Json& extras);

// from_scene/material_limits.cpp
/// Says what of the scene's material a new standard or FX one cannot have, and of a name that the target does not find.
void note_material_limits(Build& build, const NativeMaterial& made, const Material& material, const std::string& path);

}  // namespace effigy::emfx::bridge
