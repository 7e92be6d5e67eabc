#pragma once
/// The texture slots of a material as a list.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/scene.hpp"

namespace effigy {

struct NamedSlot {
    std::string_view name;
    TextureSlot* slot;
    bool is_normal_map = false;
};

[[nodiscard]] inline std::array<NamedSlot, 5> slots_of(Material& material) noexcept {
    return {{{"base_color_texture", &material.base_color_texture},
             {"metallic_roughness_texture", &material.metallic_roughness_texture},
             {"normal_texture", &material.normal_texture, true},
             {"occlusion_texture", &material.occlusion_texture},
             {"emissive_texture", &material.emissive_texture}}};
}

/// One answer for each image: does no material use it?
[[nodiscard]] std::vector<bool> find_unused_images(Scene& scene);

/// Takes out the images so marked, which no material uses, and renumbers the rest.
void remove_images(Scene& scene, const std::vector<bool>& marked);

/// "meshes[3]"
[[nodiscard]] inline std::string element_path(std::string_view list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

}  // namespace effigy
