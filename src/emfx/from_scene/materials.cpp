/// Which of the scene's materials go into which file, and where.

#include "emfx/from_scene/materials.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

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
    const Json& chunks = chunks_of(build.files.front().json);
    for (Index i = 0; i < build.scene.materials.size(); ++i) {
        const Json extras = record_of(build.scene.materials[i].extras);
        const auto chunk = number_member(extras, "chunk");
        const std::string type = text_member(extras, "type");
        const bool is_record = type == "standard" || type == "fx";
        const bool is_of_actor = is_record && chunk && number_member(extras, "model").value_or(0) == 0;
        if (is_of_actor && *chunk < chunks.size() && is_material(chunks[static_cast<std::size_t>(*chunk)])) {
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

NativeMaterial make_record(Build& build, const MaterialTextures& textures, const Material& material, bool is_fx,
                           bool is_raw) {
    const Json extras = record_of(material.extras);
    NativeMaterial made;
    made.is_raw = is_raw;
    if (is_fx) {
        made.record = make_fx(build, textures, material, extras, is_raw);
    } else {
        made.record = make_standard(build, textures, material, extras, is_raw);
    }
    return made;
}

NativeMaterial make_material(Build& build, const MaterialTextures& textures, Index index) {
    const Material& material = build.scene.materials[index];
    const Json extras = record_of(material.extras);
    const std::string type = text_member(extras, "type");
    const bool is_fx = becomes_fx(build, material, type);
    const bool is_raw =
        build.untouched(material) && type == (is_fx ? "fx" : "standard") && !textures.has_renamed_picture(material);
    NativeMaterial made = make_record(build, textures, material, is_fx, is_raw);
    if (is_raw) made.separate_layers = separate_layers(build, extras);
    return made;
}

/// To be called for what is written only.
void note_limits(Build& build, Index index, const NativeMaterial& made) {
    const Material& material = build.scene.materials[index];
    if (made.is_raw) return;
    note_material_limits(build, made, material, "materials[" + std::to_string(index) + "] " + material.name);
}

/// To the actor's.
void append_material(Build& build, Index index, NativeMaterial material) {
    FileParts& actor = build.files.front();
    note_limits(build, index, material);
    actor.material_numbers[index] = static_cast<std::uint32_t>(actor.materials.size());
    actor.materials.push_back(std::move(material));
}

/// Materials of embedded levels, which have lists of their own: an edited one takes its old place in each.
class LevelMaterials {
public:
    LevelMaterials(Build& build, const MaterialTextures& textures) : build_(build), textures_(textures) {
        const auto is_untouched = [&](const Material& material) { return build.untouched(material); };
        if (build.map.is_ported || std::ranges::all_of(build.scene.materials, is_untouched)) return;
        for (std::size_t level = 1; level < build.files.size(); ++level) add_level(level);
        for (const Material& material : build.scene.materials) {
            if (is_untouched(material) && may_have(material)) places_.erase(text_of(before(material)));
        }
    }

    [[nodiscard]] bool may_have(const Material& material) const {
        if (places_.empty()) return false;
        const std::string type = type_of(material);
        return type == "standard" || type == "fx";
    }

    /// `made`: of that material of the scene. False if no level had it, or the scene has it unedited as well.
    [[nodiscard]] bool edit(Index index, const NativeMaterial& made) {
        const Material& material = build_.scene.materials[index];
        if (made.is_raw || !may_have(material)) return false;
        const auto found = places_.find(text_of(before(material)));
        if (found == places_.end()) return false;
        const std::string now = text_of(made);
        for (const auto& [level, number] : found->second) {
            FileParts& file = build_.files[level];
            const std::optional<std::size_t> chunk = file.materials[number].chunk;
            file.materials[number] = made;
            file.materials[number].chunk = chunk;
            file.material_numbers[index] = number;
            if (file.known.empty()) continue;  // it is not needed yet
            file.known.erase(found->first);
            file.known.try_emplace(now, number);
        }
        places_.erase(found);
        return true;
    }

private:
    /// The first of equal ones counts.
    void add_level(std::size_t level) {
        const std::vector<NativeMaterial>& materials = build_.files[level].materials;
        for (std::uint32_t number = 0; number < materials.size(); ++number) {
            auto& list = places_[text_of(materials[number])];
            if (list.empty() || list.back().first != level) list.emplace_back(level, number);
        }
    }
    [[nodiscard]] static std::string type_of(const Material& material) {
        return text_member(record_of(material.extras), "type");
    }
    [[nodiscard]] NativeMaterial before(const Material& material) const {
        return make_record(build_, textures_, material, type_of(material) == "fx", true);
    }

    Build& build_;
    const MaterialTextures& textures_;
    /// Levels and numbers there, by all fields; without those that the scene has unedited.
    std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::uint32_t>>> places_;
};

/// Materials of the scene that were one of the file: untouched ones are. The others stand behind all that the file has,
/// as their chunks do.
void add_old_materials(Build& build, const MaterialTextures& textures, LevelMaterials& levels,
                       const std::map<std::size_t, std::vector<Index>>& chunks) {
    FileParts& actor = build.files.front();
    const auto is_untouched = [&](Index index) { return build.untouched(build.scene.materials[index]); };
    std::vector<Index> copies;
    for (const auto& [chunk, users] : chunks) {
        // One that is untouched stays where it was.
        const auto untouched = std::ranges::find_if(users, is_untouched);
        const Index first = untouched == users.end() ? users.front() : *untouched;
        NativeMaterial made = make_material(build, textures, first);
        if (!build.map.is_ported) made.chunk = chunk;
        (void)levels.edit(first, made);
        append_material(build, first, std::move(made));
        for (const Index index : users) {
            if (index == first) continue;
            if (is_untouched(index)) {
                actor.material_numbers[index] = actor.material_numbers[first];
            } else {
                copies.push_back(index);
            }
        }
    }
    for (const Index index : copies) {
        NativeMaterial made = make_material(build, textures, index);
        (void)levels.edit(index, made);
        append_material(build, index, std::move(made));
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
    if (build.map.is_ported || users.contains(0)) return false;
    bool have_all = true;
    for (const std::size_t file : users) {
        std::uint32_t& number = build.files[file].material_numbers[index];
        if (material.is_raw) number = find_equal(build.files[file], material);
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
    LevelMaterials levels(build, textures);
    add_old_materials(build, textures, levels, origins.chunks);
    const std::vector<MaterialUsers> users = users_of_materials(build);
    for (const Index index : origins.others) {
        const bool is_unused = users[index].files.empty();
        if (is_unused && !levels.may_have(build.scene.materials[index])) continue;
        NativeMaterial made = make_material(build, textures, index);
        const bool is_in_levels = levels.edit(index, made);
        if (is_unused || stays_with_levels(build, index, made, users[index].files)) {
            if (is_in_levels) note_limits(build, index, made);
            continue;
        }
        const bool is_of_actor = users[index].lod != no_number && lod_of(made) == 0;
        if (is_of_actor) set_lod(made, material_level(actor, users[index].lod));
        append_material(build, index, std::move(made));
    }
}

}  // namespace effigy::emfx::bridge
