/// Rules for the textures of materials: that they are there, and their DDS headers.

#include "egosoft/check/textures.hpp"

#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

namespace effigy::egosoft::checks {

void TextureRules::look_at(const LibraryMaterial& material, const Place& place) {
    if (scope_->files == nullptr) return;
    std::vector<std::string> missing;
    for (const MaterialProperty& property : material.properties) {
        if (lower(property.type) != "bitmap" || property.value.empty() || scope_->find_texture(property.value))
            continue;
        const bool is_known = scope_->game || scope_->owns(property.value);
        if (is_known) {
            missing.push_back(property.value);
        } else {
            unresolved_.insert(property.value);
        }
    }
    if (missing.empty()) return;
    findings_->add(codes::material_texture_missing, place,
                   material.collection + "." + material.name + " lacks " + listed(missing, "texture"));
}

void TextureRules::finish(const Place& place) {
    if (!unresolved_.empty())
        findings_->add(codes::material_texture_unresolved, place,
                       listed({unresolved_.begin(), unresolved_.end()}, "texture"));
}

}  // namespace effigy::egosoft::checks
