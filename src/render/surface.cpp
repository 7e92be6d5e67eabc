/// Materials as the renderer shades them.

#include "surface.hpp"

#include <algorithm>
#include <cmath>

#include "vectors.hpp"

namespace effigy::render {
namespace {

/// Sets of texture coordinates beyond are left out, with the textures that ask for them.
constexpr std::uint32_t max_texcoord_sets = 8;

constexpr glm::vec4 collision_color{1.0f, 0.35f, 0.05f, 0.2f};

float finite_or(float value, float otherwise) noexcept { return std::isfinite(value) ? value : otherwise; }

/// Colours beyond any sense would only spoil sums.
float light_value(float value) noexcept { return std::clamp(finite_or(value, 0), 0.0f, 1000.0f); }

Map make_map(const TextureSlot& slot, std::span<const image::Picture> images) {
    Map map;
    if (slot.image >= images.size() || images[slot.image].rgba.empty() || slot.texcoord >= max_texcoord_sets) {
        return map;
    }
    map.picture = &images[slot.image];
    map.texcoord = slot.texcoord;
    map.wrap_u = slot.wrap_u;
    map.wrap_v = slot.wrap_v;
    // Scaled, then turned counter-clockwise as seen on the image, then moved.
    const float sine = std::sin(finite_or(slot.rotation, 0));
    const float cosine = std::cos(finite_or(slot.rotation, 0));
    map.turn = glm::mat2(cosine * slot.scale.x, -sine * slot.scale.x, sine * slot.scale.y, cosine * slot.scale.y);
    map.offset = to_glm(slot.offset);
    map.strength = finite_or(slot.strength, 1);
    return map;
}

Surface make_surface(const Material& material, std::span<const image::Picture> images) {
    Surface surface;
    surface.base = {light_value(material.base_color.r), light_value(material.base_color.g),
                    light_value(material.base_color.b), std::clamp(finite_or(material.base_color.a, 1), 0.0f, 1.0f)};
    surface.emissive = {light_value(material.emissive.x), light_value(material.emissive.y),
                        light_value(material.emissive.z)};
    surface.metallic = std::clamp(finite_or(material.metallic, 0), 0.0f, 1.0f);
    surface.roughness = std::clamp(finite_or(material.roughness, 1), 0.0f, 1.0f);
    surface.cutoff = finite_or(material.alpha_cutoff, 0.5f);
    surface.alpha_mode = material.alpha_mode;
    surface.double_sided = material.double_sided;
    surface.unlit = material.unlit;
    surface.base_map = make_map(material.base_color_texture, images);
    surface.metallic_roughness_map = make_map(material.metallic_roughness_texture, images);
    surface.normal_map = make_map(material.normal_texture, images);
    surface.occlusion_map = make_map(material.occlusion_texture, images);
    surface.emissive_map = make_map(material.emissive_texture, images);
    return surface;
}

Surface collision_surface() {
    Surface surface;
    surface.base = collision_color;
    surface.alpha_mode = AlphaMode::blend;
    surface.double_sided = true;
    surface.collision = true;
    return surface;
}

std::uint32_t sets_of(const Surface& surface) {
    std::uint32_t sets = 0;
    for (const Map* map : {&surface.base_map, &surface.metallic_roughness_map, &surface.normal_map,
                           &surface.occlusion_map, &surface.emissive_map}) {
        if (map->used()) sets = std::max(sets, map->texcoord + 1);
    }
    return sets;
}

}  // namespace

Surfaces make_surfaces(const Scene& scene, std::span<const image::Picture> images) {
    Surfaces surfaces;
    surfaces.all.reserve(scene.materials.size() + 2);
    for (const Material& material : scene.materials) {
        surfaces.all.push_back(make_surface(material, images));
        surfaces.texcoord_sets = std::max(surfaces.texcoord_sets, sets_of(surfaces.all.back()));
    }
    surfaces.all.push_back(make_surface(Material{}, images));
    surfaces.all.push_back(collision_surface());
    return surfaces;
}

}  // namespace effigy::render
