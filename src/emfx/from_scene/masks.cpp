/// The specular slot of new materials for Paradox's games, where a mask stands: docs/formats/dds.md.

#include <algorithm>

#include "core/text.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/from_scene/files.hpp"
#include "scene/texture_names.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::uint8_t diffuse_slot = 2, mask_slot = 3;

bool has_slot(const xac::StandardMaterial& record, std::uint8_t slot) {
    return std::ranges::find(record.layers, slot, &xac::MaterialLayer::map_type) != record.layers.end();
}

/// Shadows have no mask in any of the games' files.
bool wants_mask(const xac::StandardMaterial& record) {
    return has_slot(record, diffuse_slot) && !has_slot(record, mask_slot) && record.layers.size() < 255 &&
           !lower(record.name).ends_with("shadow");
}

}  // namespace

void add_masks(Build& build) {
    const std::optional<image::MaskUse> use = mask_use(build.options.target);
    if (!use) return;
    const std::vector<Index> masks = mask_images(build.scene);
    const std::vector<std::string> names = texture_names(build.scene);
    FileParts& file = build.files.front();
    for (std::size_t i = 0; i < build.scene.materials.size(); ++i) {
        const Material& material = build.scene.materials[i];
        const std::uint32_t number = file.material_numbers[i];
        const std::string type = text_member(record_of(material.extras), "type");
        const bool is_new = type.empty() || (build.map.is_ported && type == "fx");
        if (number >= file.materials.size() || !is_new) continue;
        auto* const record = std::get_if<xac::StandardMaterial>(&file.materials[number].record);
        if (record == nullptr || !wants_mask(*record)) continue;
        const Index image = material.metallic_roughness_texture.image;
        const bool has_mask =
            *use != image::MaskUse::colors && std::find(masks.begin(), masks.end(), image) != masks.end();
        xac::MaterialLayer layer;
        layer.map_type = mask_slot;
        layer.texture = has_mask ? names[image] : std::string(empty_mask(*use));
        record->layers.push_back(std::move(layer));
    }
}

}  // namespace effigy::emfx::bridge
