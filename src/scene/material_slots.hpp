#pragma once
/// The texture slots of a material as a list.

#include <array>
#include <type_traits>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

/// Member of records of materials: names of slots whose texture was not found, and "alpha_mode" where blending was
/// dropped because every pixel is opaque.
inline constexpr const char* left_out_key = "left_out";

template <class Slot>
struct NamedSlot {
    const char* name = nullptr;
    const char* gltf_name = nullptr;
    Slot* slot = nullptr;
    bool is_normal_map = false;
};

/// Of a Material or a const one.
template <class AnyMaterial>
[[nodiscard]] auto slots_of(AnyMaterial& material) noexcept {
    using Slot = std::remove_pointer_t<decltype(&material.normal_texture)>;
    return std::array<NamedSlot<Slot>, 5>{
        {{"base_color_texture", "baseColorTexture", &material.base_color_texture},
         {"metallic_roughness_texture", "metallicRoughnessTexture", &material.metallic_roughness_texture},
         {"normal_texture", "normalTexture", &material.normal_texture, true},
         {"occlusion_texture", "occlusionTexture", &material.occlusion_texture},
         {"emissive_texture", "emissiveTexture", &material.emissive_texture}}};
}

/// Whether it has what glTF says without KHR_materials_ior and KHR_materials_specular.
[[nodiscard]] inline bool reflects_as_usual(const Material& material) noexcept {
    const Material usual;
    return material.ior == usual.ior && material.specular == usual.specular &&
           material.specular_color == usual.specular_color;
}

/// One answer for each image: does no material use it?
[[nodiscard]] std::vector<bool> find_unused_images(const Scene& scene);

/// Takes out the images so marked, which no material uses, and renumbers the rest.
void remove_images(Scene& scene, const std::vector<bool>& marked);

}  // namespace effigy
