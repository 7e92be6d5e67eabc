/// Names for the texture files that a scene is written with.

#include "scene/texture_names.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/hasher.hpp"
#include "core/json_members.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "scene/material_slots.hpp"

namespace effigy {
namespace {

std::string wanted_name(const Image& image, std::string_view marks) {
    const std::string name = picture_stem(!image.name.empty() ? image.name : image.uri);
    // What every file system and every game's own lists take; cannot lead out of a folder.
    constexpr std::size_t longest = 96;
    const std::string plain = plain_text(name.substr(0, longest), marks);
    return plain.empty() ? "texture" : plain;
}

/// The images of the slots that have bytes.
std::vector<Index> pictures_of(const Scene& scene, const Material& material) {
    std::vector<Index> images;
    for (const auto& named : slots_of(material)) {
        const Index image = named.slot->image;
        if (image < scene.images.size() && !scene.images[image].bytes.empty()) images.push_back(image);
    }
    return images;
}

bool is_in(const Material& material, Slots slots, Index image) {
    return slots.empty() || std::ranges::any_of(slots, [&](auto slot) { return (material.*slot).image == image; });
}

}  // namespace

std::string picture_stem(std::string_view source) {
    std::string name(source.substr(source.find_last_of("/\\") + 1));
    // Modelling programs name images after whatever file they were made from.
    constexpr std::array<std::string_view, 12> extensions{".gz",  ".png", ".jpg", ".jpeg", ".webp", ".dds",
                                                          ".tga", ".bmp", ".gif", ".psd",  ".tif",  ".tiff"};
    for (const std::string_view extension : extensions) {
        if (name.size() > extension.size() && lower(name).ends_with(extension))
            name.resize(name.size() - extension.size());
    }
    return name;
}

std::vector<std::string> texture_names(const Scene& scene, std::string_view marks) {
    UniqueNames unique(UniqueNames::Case::is_ignored);
    std::vector<std::string> names;
    for (const Image& image : scene.images) names.push_back(unique.add(wanted_name(image, marks)));
    return names;
}

void name_images(Scene& scene, std::string_view model) {
    for (const Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (named.slot->image >= scene.images.size()) continue;
            Image& image = scene.images[named.slot->image];
            std::string_view role = named.name;
            role.remove_suffix(std::string_view("_texture").size());
            if (image.name.empty() && image.uri.empty()) image.name = std::string(model) + "_" + std::string(role);
        }
    }
}

bool is_known(const Untouched& untouched, const Material& material, std::string_view mark) {
    return untouched(material) && object_of(material.extras.json).contains(mark);
}

bool is_left_out(const Json& record, std::string_view what) {
    const Json* const names = member(record, left_out_key);
    return names != nullptr && std::find(names->begin(), names->end(), what) != names->end();
}

std::vector<Index> mask_images(const Scene& scene) {
    std::set<Index> masks, others;
    for (const Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (named.slot->image >= scene.images.size()) continue;
            if (named.slot == &material.occlusion_texture) continue;
            (named.slot == &material.metallic_roughness_texture ? masks : others).insert(named.slot->image);
        }
    }
    for (const Index image : others) masks.erase(image);
    return {masks.begin(), masks.end()};
}

std::string Pictures::hashes(const Material& material) const {
    std::string text;
    for (const Index image : pictures_of(scene_, material)) {
        std::string& hash = hashes_[image];
        if (hash.empty()) {
            Hasher hasher;
            hasher.add(bytes_of(scene_.images[image].bytes));
            hash = hash_text(hasher.digest());
        }
        text += (text.empty() ? "" : " ") + hash;
    }
    return text;
}

std::vector<Index> Pictures::edited(const Material& material) const {
    const auto recorded = text_at(object_of(material.extras.json), pictures_key);
    if (!recorded) return {};
    const std::string now = hashes(material);
    std::vector<Index> edited;
    if (now == *recorded) return edited;
    const std::vector<Index> images = pictures_of(scene_, material);
    const bool has_same_slots = now.size() == recorded->size();
    for (std::size_t i = 0; i < images.size(); ++i) {
        const std::string& hash = hashes_[images[i]];
        const std::size_t place = i * (hash.size() + 1);  // each has the same length, and a blank parts them
        const bool is_old = has_same_slots ? recorded->compare(place, hash.size(), hash) == 0
                                           : recorded->find(hash) != std::string::npos;
        if (!is_old) edited.push_back(images[i]);
    }
    return edited;
}

std::vector<Index> new_images(const Scene& scene, std::string_view mark, Slots slots) {
    std::set<Index> used;
    const Untouched untouched(scene);
    const Pictures pictures(scene);
    for (const Material& material : scene.materials) {
        const bool is_old = is_known(untouched, material, mark);
        for (const Index image : is_old ? pictures.edited(material) : pictures_of(scene, material)) {
            if (is_in(material, slots, image)) used.insert(image);
        }
    }
    return {used.begin(), used.end()};
}

}  // namespace effigy
