/// Names of textures in materials: kept where they mean the same image, else new.

#include <algorithm>

#include "core/text.hpp"
#include "emfx/from_scene/materials.hpp"
#include "scene/material_slots.hpp"

namespace effigy::emfx::bridge {
namespace {

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

std::string without_folder(const std::string& name) {
    const std::size_t slash = name.find_last_of("/\\");
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

}  // namespace

MaterialTextures::MaterialTextures(Build& build)
    : build_(build),
      names_(texture_names(build.scene)),
      renamed_(renamed_images(build.scene, names_)),
      pictures_(build.scene) {}

std::string MaterialTextures::name_of(Index image) const {
    const std::string own = picture_stem(build_.scene.images[image].name);
    const bool is_named = build_.scene.images[image].bytes.empty() && !own.empty();
    return is_named ? build_.raw_name(own, Json::object(), "") : names_[image];
}

std::string MaterialTextures::file_name_of(Index image) const {
    const std::string own = without_folder(build_.scene.images[image].name);
    const bool is_file = build_.scene.images[image].bytes.empty() && lower(own).ends_with(".dds");
    return is_file ? build_.raw_name(own, Json::object(), "") : name_of(image) + ".dds";
}

bool MaterialTextures::is_same(const std::string& raw, const TextureSlot& slot) const {
    if (raw.empty()) return false;
    const std::string& name = build_.scene.images[slot.image].name;
    const std::string text = lower(to_utf8(raw, build_.encodings.front()));
    if (picture_stem(text) == lower(names_[slot.image])) return true;
    return (build_.means(raw, name) || text == lower(name)) && !is_renamed(slot.image);
}

bool MaterialTextures::is_renamed(Index image) const {
    return std::binary_search(renamed_.begin(), renamed_.end(), image);
}

bool MaterialTextures::has_renamed_picture(const Material& material) const {
    const auto slots = slots_of(material);
    const auto has_new_name = [&](const auto& slot) { return slot.slot->used() && is_renamed(slot.slot->image); };
    return std::ranges::any_of(slots, has_new_name) && !pictures_.edited(material).empty();
}

}  // namespace effigy::emfx::bridge
