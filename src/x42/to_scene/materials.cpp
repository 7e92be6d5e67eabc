/// Names of shaders become materials.

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

void read_skins(Build& build, std::span<const SkinInput> skins) {
    NameList repeated;
    for (const SkinInput& input : skins) {
        for (const auto& [surface, shader] : input.skin.surfaces) {
            const bool is_new = build.shaders.try_emplace(lower(surface), SurfaceShader{surface, shader}).second;
            if (!is_new) repeated.add(build.text(surface));
        }
    }
    build.note_any(repeated, codes::x42_skin_repeated, "skins",
                   "These surfaces have several lines in the skins; the first one counts.");
}

void note_unused_shaders(Build& build) {
    NameList unused;
    for (const auto& [surface, entry] : build.shaders) {
        // A tag's line has no shader.
        if (!entry.used && !entry.shader.empty()) unused.add(build.text(entry.surface));
    }
    build.note_any(unused, codes::x42_skin_unmatched, "skins",
                   "A skin names surfaces that no model has: its lines for them do nothing. Is it another model's?");
}

std::optional<std::string_view> shader_of(Build& build, const File& file, const Group& group) {
    if (build.shaders.empty()) return name_of(file, group.material);
    const auto found = build.shaders.find(lower(name_of(file, group.surface)));
    if (found == build.shaders.end()) return name_of(file, group.material);
    found->second.used = true;
    const std::string& shader = found->second.shader;
    if (shader.empty() || lower(shader) == "nodraw") return std::nullopt;
    return shader;
}

Index material_of(Build& build, std::string_view shader, bool textured) {
    if (shader.empty()) return no_index;
    const auto next = static_cast<Index>(build.scene.materials.size());
    const auto [place, is_new] = build.materials.try_emplace((textured ? "+" : "-") + std::string(shader), next);
    if (!is_new) return place->second;
    Material& material = build.scene.materials.emplace_back();
    material.name = build.text(shader);
    set_record(material.extras, Json{{"shader", json_text(shader)}});
    if (!textured) return next;
    material.base_color_texture.image = static_cast<Index>(build.scene.images.size());
    build.scene.images.emplace_back().name = material.name;
    return next;
}

}  // namespace effigy::x42::bridge
