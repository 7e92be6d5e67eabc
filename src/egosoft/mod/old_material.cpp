#include "egosoft/mod/old_material.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "scene/material_slots.hpp"
#include "scene/records.hpp"

namespace effigy::egosoft::mod {
namespace {

constexpr const char* library_key = "material_library";

bool near(float a, float b) {
    constexpr float rounding = 1e-4f;  // of programs that keep colours otherwise
    return std::fabs(a - b) <= rounding;
}
bool near(const Vec3& a, const Vec3& b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z); }

/// What reading makes of the entry: a scene of one material.
Scene meaning_of(LibraryMaterial entry) {
    entry.collection = "a";
    entry.name = "b";
    MaterialLibrary library;
    library.add(std::move(entry));
    Scene scene;
    scene.materials.emplace_back().name = "a.b";
    (void)resolve_materials(scene, library, false);
    return scene;
}

/// What was left out of the scene is no edit.
void leave_out(Material& old, const Json& record) {
    const Json* const names = member(record, left_out_key);
    for (const Json& name : names != nullptr ? *names : Json::array()) {
        if (name == "alpha_mode") old.alpha_mode = AlphaMode::opaque;
        for (const auto& named : slots_of(old)) {
            if (name == named.name) *named.slot = {};
        }
        if (name == "emissive_texture") old.emissive = {0, 0, 0};
    }
}

}  // namespace

Group group_of(std::string_view property) {
    constexpr std::array<std::pair<std::string_view, Group>, 12> groups{{{"diffuse_map", Group::diffuse},
                                                                         {"diffusestr", Group::diffuse},
                                                                         {"diffuse_color", Group::diffuse},
                                                                         {"normal_map", Group::normal},
                                                                         {"normalstr", Group::normal},
                                                                         {"metal_map", Group::surface},
                                                                         {"smooth_map", Group::surface},
                                                                         {"metallness", Group::surface},
                                                                         {"smoothness", Group::surface},
                                                                         {"color_glow_map", Group::glow},
                                                                         {"color_glowstr", Group::glow},
                                                                         {"color_glow_color", Group::glow}}};
    const std::string name = lower(property);
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == name; });
    return found == groups.end() ? Group::none : found->second;
}

OldMaterial::OldMaterial(LibraryMaterial entry, const Material& now, const std::vector<Index>& edited)
    : entry_(std::move(entry)) {
    Scene meaning = meaning_of(entry_);
    Material& old = meaning.materials.front();
    if (const Index packed = old.metallic_roughness_texture.image; packed < meaning.images.size()) {
        const std::vector<ChannelSource>& channels = meaning.images[packed].channels;
        smoothness_ = channels[1].scale;
        metalness_ = channels[2].scale;
    }
    leave_out(old, record_of(now.extras));
    const auto same = [&](const TextureSlot& a, const TextureSlot& b) {
        return a.used() == b.used() && std::find(edited.begin(), edited.end(), a.image) == edited.end();
    };
    const Color &a = now.base_color, &b = old.base_color;
    same_[static_cast<std::size_t>(Group::diffuse)] =
        same(now.base_color_texture, old.base_color_texture) && !now.occlusion_texture.used() &&
        now.alpha_mode == old.alpha_mode && near(a.r, b.r) && near(a.g, b.g) && near(a.b, b.b) && near(a.a, b.a);
    same_[static_cast<std::size_t>(Group::normal)] =
        same(now.normal_texture, old.normal_texture) && near(now.normal_texture.strength, old.normal_texture.strength);
    same_[static_cast<std::size_t>(Group::surface)] =
        same(now.metallic_roughness_texture, old.metallic_roughness_texture) && near(now.metallic, old.metallic) &&
        near(now.roughness, old.roughness);
    same_[static_cast<std::size_t>(Group::glow)] =
        same(now.emissive_texture, old.emissive_texture) && near(now.emissive, old.emissive);
    was_glass_ = old.alpha_mode == AlphaMode::blend;
    same_blending_ = now.alpha_mode == old.alpha_mode && now.double_sided == old.double_sided;
}

bool is_as_read(const Edits& edits, const Material& material) {
    return is_known(edits.untouched, material, library_key) && edits.pictures.edited(material).empty();
}

bool differs_from_entry(const Edits& edits, const Material& material) {
    if (is_as_read(edits, material)) return false;
    const auto slots = slots_of(material);
    const bool has_images = std::any_of(slots.begin(), slots.end(), [&](const auto& named) {
        const Index image = named.slot->image;
        return image < edits.scene.images.size() && !edits.scene.images[image].bytes.empty();
    });
    return has_images || member(record_of(material.extras), library_key) != nullptr;
}

std::optional<LibraryMaterial> recorded_entry(const Material& material) {
    const Json record = record_of(material.extras);
    const Json* const library = member(record, library_key);
    const Json* const properties = library == nullptr ? nullptr : member(*library, "properties");
    if (properties == nullptr || !properties->is_array()) return std::nullopt;
    LibraryMaterial entry;
    entry.collection = text_at(*library, "collection").value_or("");
    entry.name = text_at(*library, "name").value_or("");
    entry.shader = text_at(*library, "shader").value_or("");
    entry.blendmode = text_at(*library, "blendmode").value_or("");
    for (const Json& property : *properties) {
        MaterialProperty one{text_at(property, "type").value_or(""), text_at(property, "name").value_or(""),
                             text_at(property, "value").value_or("")};
        if (!one.type.empty() && !one.name.empty()) entry.properties.push_back(std::move(one));
    }
    return entry;
}

}  // namespace effigy::egosoft::mod
