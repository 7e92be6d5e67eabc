/// Images that no material uses, found and removed.

#include "material_slots.hpp"

#include <utility>

namespace effigy {

std::vector<bool> find_unused_images(const Scene& scene) {
    std::vector<bool> unused(scene.images.size(), true);
    for (const Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (named.slot->image < unused.size()) unused[named.slot->image] = false;
        }
    }
    return unused;
}

void remove_images(Scene& scene, const std::vector<bool>& marked) {
    std::vector<Index> new_index(scene.images.size(), no_index);
    std::vector<Image> kept;
    for (std::size_t i = 0; i < new_index.size(); ++i) {
        if (marked[i]) continue;
        new_index[i] = static_cast<Index>(kept.size());
        kept.push_back(std::move(scene.images[i]));
    }
    scene.images = std::move(kept);
    for (Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (named.slot->image < new_index.size()) named.slot->image = new_index[named.slot->image];
        }
    }
}

}  // namespace effigy
