/// Which of the scene's materials go into which file, and where.

#include "emfx/from_scene/materials.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

NativeMaterial new_default(float grey) {
    NativeMaterial material;
    material.record = default_standard(grey);
    return material;
}

/// Actors of Tree of Savior begin with it.
bool wants_default(const Build& build) {
    if (build.options.target != Target::tree_of_savior) return false;
    if (!build.map.is_ported) return chunks_of(build.files.front().json).empty();
    const std::vector<Material>& materials = build.scene.materials;
    return std::ranges::find(materials, "EMFX Default", &Material::name) == materials.end();
}

/// Where nobody needs it, it is grey, as exporters make it.
bool needs_default(const Build& build) {
    return std::any_of(build.places.begin(), build.places.end(), [&](const MeshPlace& place) {
        const auto& primitives = build.scene.meshes[place.mesh].primitives;
        return std::ranges::find(primitives, no_index, &Primitive::material) != primitives.end();
    });
}

struct Origins {
    std::map<std::size_t, std::vector<Index>> chunks;  ///< materials that were one chunk of the actor's file
    std::vector<Index> others;
};

Origins origins_of(const Build& build) {
    Origins origins;
    const std::size_t chunks = chunks_of(build.files.front().json).size();
    for (Index i = 0; i < build.scene.materials.size(); ++i) {
        const Json extras = record_of(build.scene.materials[i].extras);
        const auto chunk = number_member(extras, "chunk");
        const std::string type = text_member(extras, "type");
        const bool is_record = type == "standard" || type == "fx";
        if (is_record && chunk && *chunk < chunks && number_member(extras, "model").value_or(0) == 0) {
            origins.chunks[static_cast<std::size_t>(*chunk)].push_back(i);
        } else {
            origins.others.push_back(i);
        }
    }
    return origins;
}

bool becomes_fx(const Build& build, const Material& material, const std::string& type) {
    const bool is_tos = build.options.target == Target::tree_of_savior;
    if (type.empty()) return is_tos;
    if (!build.map.is_ported) return type == "fx";
    return is_tos && material.name != "EMFX Default";  // which is a standard one in that game, too
}

NativeMaterial make_material(Build& build, const MaterialTextures& textures, Index index) {
    const Material& material = build.scene.materials[index];
    const Json extras = record_of(material.extras);
    const std::string type = text_member(extras, "type");
    const bool is_fx = becomes_fx(build, material, type);
    NativeMaterial made;
    made.is_raw =
        build.untouched(material) && type == (is_fx ? "fx" : "standard") && !textures.has_renamed_picture(material);
    if (is_fx) {
        made.record = make_fx(build, textures, material, extras, made.is_raw);
    } else {
        made.record = make_standard(build, textures, material, extras, made.is_raw);
    }
    if (made.is_raw) {
        made.separate_layers = separate_layers(build, extras);
    } else {
        note_material_limits(build, made, material, "materials[" + std::to_string(index) + "] " + material.name);
    }
    return made;
}

void append_material(FileParts& file, Index index, NativeMaterial material) {
    file.material_numbers[index] = static_cast<std::uint32_t>(file.materials.size());
    file.materials.push_back(std::move(material));
}

/// Several materials of the scene may be one of the file: untouched ones are.
void add_old_materials(Build& build, const MaterialTextures& textures, std::size_t chunk,
                       const std::vector<Index>& users) {
    FileParts& actor = build.files.front();
    std::optional<std::uint32_t> first;
    const bool is_first_untouched = build.untouched(build.scene.materials[users.front()]);
    for (const Index index : users) {
        if (first && build.untouched(build.scene.materials[index]) && is_first_untouched) {
            actor.material_numbers[index] = *first;
            continue;
        }
        NativeMaterial made = make_material(build, textures, index);
        if (!first && !build.map.is_ported) made.chunk = chunk;
        append_material(actor, index, std::move(made));
        if (!first) first = actor.material_numbers[index];
    }
}

/// Where a material is used.
struct MaterialUsers {
    std::set<std::size_t> files{};
    std::uint32_t lod = no_number;  ///< the finest level of the actor's own meshes
};

std::vector<MaterialUsers> users_of_materials(const Build& build) {
    std::vector<MaterialUsers> all(build.scene.materials.size());
    for (const MeshPlace& place : build.places) {
        for (const Primitive& primitive : build.scene.meshes[place.mesh].primitives) {
            if (primitive.material == no_index) continue;
            MaterialUsers& users = all[primitive.material];
            users.files.insert(place.file);
            if (place.file == 0) users.lod = std::min(users.lod, place.lod);
        }
    }
    return all;
}

/// What only embedded levels of detail have, as all of these have it, does not become the actor's.
bool stays_with_levels(Build& build, Index index, const NativeMaterial& material, const std::set<std::size_t>& users) {
    if (!material.is_raw || build.map.is_ported || users.contains(0)) return false;
    bool have_all = true;
    for (const std::size_t file : users) {
        std::uint32_t& number = build.files[file].material_numbers[index];
        number = find_equal(build.files[file], material);
        have_all = have_all && number != no_number;
    }
    return have_all;
}

}  // namespace

std::string text_of(const NativeMaterial& material) {
    if (const auto* fx = std::get_if<xac::FxMaterial>(&material.record)) return to_text(material_record(*fx));
    const auto* standard = std::get_if<xac::StandardMaterial>(&material.record);
    return standard == nullptr ? std::string() : to_text(material_record(*standard, {}));
}

std::uint32_t find_equal(FileParts& file, const NativeMaterial& material) {
    if (file.known.empty()) {
        for (std::uint32_t i = 0; i < file.materials.size(); ++i) file.known.try_emplace(text_of(file.materials[i]), i);
    }
    const auto found = file.known.find(text_of(material));
    return found == file.known.end() ? no_number : found->second;
}

std::uint32_t default_material(FileParts& file, std::uint32_t level) {
    const std::uint32_t lod = material_level(file, level);
    const std::vector<std::uint32_t>& list = file.of_level[lod];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto* standard = std::get_if<xac::StandardMaterial>(&file.materials[list[i]].record);
        if (standard != nullptr && standard->name == "EMFX Default") return static_cast<std::uint32_t>(i);
    }
    file.materials.push_back(new_default(1));
    set_lod(file.materials.back(), lod);
    return static_cast<std::uint32_t>(list.size());
}

void add_materials(Build& build) {
    FileParts& actor = build.files.front();
    actor.material_numbers.assign(build.scene.materials.size(), no_number);
    if (wants_default(build)) actor.materials.push_back(new_default(needs_default(build) ? 1.0f : 0.5f));
    const MaterialTextures textures(build);
    const Origins origins = origins_of(build);
    for (const auto& [chunk, users] : origins.chunks) add_old_materials(build, textures, chunk, users);
    const std::vector<MaterialUsers> users = users_of_materials(build);
    for (const Index index : origins.others) {
        if (users[index].files.empty()) continue;
        NativeMaterial made = make_material(build, textures, index);
        if (stays_with_levels(build, index, made, users[index].files)) continue;
        const bool is_of_actor = users[index].lod != no_number && lod_of(made) == 0;
        if (is_of_actor) set_lod(made, material_level(actor, users[index].lod));
        append_material(actor, index, std::move(made));
    }
}

}  // namespace effigy::emfx::bridge
