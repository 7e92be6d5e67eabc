/// Meshes of the scene in the files that they go to.

#include <algorithm>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// The number of a file's material that is this one but for the level that it is of; it is added where there is none.
std::uint32_t copy_of(FileParts& file, NativeMaterial material, std::uint32_t lod) {
    set_lod(material, lod);
    const std::uint32_t equal = find_equal(file, material);
    if (equal != no_number) return equal;
    const auto number = static_cast<std::uint32_t>(file.materials.size());
    file.known.try_emplace(text_of(material), number);
    material.chunk.reset();
    material.is_raw = false;
    file.materials.push_back(std::move(material));
    return number;
}

/// Gives `file` a material of the actor; embedded levels have lists of their own.
void lend_material(FileParts& file, const FileParts& base, Index material) {
    const std::uint32_t number = base.material_numbers[material];
    if (file.material_numbers[material] != no_number || number == no_number) return;
    const NativeMaterial& wanted = base.materials[number];
    const std::uint32_t equal = lod_of(wanted) == 0 ? no_number : find_equal(file, wanted);
    file.material_numbers[material] = equal != no_number ? equal : copy_of(file, wanted, 0);
}

void lend_materials(Build& build, const MeshPlace& place) {
    if (place.file == 0) return;
    FileParts& file = build.files[place.file];
    for (const Primitive& primitive : build.scene.meshes[place.mesh].primitives) {
        if (primitive.material != no_index) lend_material(file, build.files.front(), primitive.material);
    }
}

/// From the actor's numbers to those of the file; false if the file lacks a node.
bool renumber(NativeMesh& native, const Numbering& numbering) {
    if (numbering.actor.empty()) return true;
    native.mesh.node = numbering.of_actor(native.mesh.node);
    bool complete = native.mesh.node != no_number;
    for (xac::Submesh& submesh : native.mesh.submeshes) {
        for (std::uint32_t& bone : submesh.bones) {
            bone = numbering.of_actor(bone);
            complete = complete && bone != no_number;
        }
    }
    if (!native.skinning) return complete;
    native.skinning->node = native.mesh.node;
    for (xac::Influence& influence : native.skinning->influences) {
        const std::uint32_t number = numbering.of_actor(influence.node);
        complete = complete && number != no_number;
        influence.node = static_cast<std::uint16_t>(number);
    }
    return complete;
}

/// Where the old file had the mesh, if it was there.
void take_chunks(const Build& build, const MeshPlace& place, NativeMesh& native) {
    const OldMesh& old = build.old_meshes[place.mesh];
    if (old.model != place.file || !old.has_layers) return;
    native.chunk = old.chunk;
    if (native.skinning) native.skinning_chunk = old.skinning_chunk;
}

Result<void> add_mesh(Build& build, std::size_t place_number) {
    const MeshPlace& place = build.places[place_number];
    FileParts& file = build.files[place.file];
    lend_materials(build, place);
    std::optional<NativeMesh> native = raw_mesh(build, place_number);
    if (!native) {
        auto made = new_mesh(build, place_number);
        if (!made) return fail(std::move(made.error()));
        if (!*made) return {};
        native = std::move(**made);
        const Mesh& mesh = build.scene.meshes[place.mesh];
        if (place.baked && build.untouched(mesh))
            build.note(codes::emfx_mesh_anew, "meshes[" + std::to_string(place.mesh) + "] " + mesh.name);
        take_chunks(build, place, *native);
        if (!renumber(*native, file.numbering)) {
            build.note(codes::emfx_level_node, "nodes[" + std::to_string(place.scene_node) + "]",
                       "The level of detail lacks a node that its mesh needs; the mesh is left out. Convert with "
                       "--levels fields instead.");
            return {};
        }
    }
    file.meshes.push_back(std::move(*native));
    return {};
}

/// Those that were added since, too.
void list_levels(FileParts& file) {
    for (; file.listed < file.materials.size(); ++file.listed) {
        file.of_level[lod_of(file.materials[file.listed])].push_back(static_cast<std::uint32_t>(file.listed));
    }
}

}  // namespace

std::uint32_t lod_of(const NativeMaterial& material) noexcept {
    if (const auto* fx = std::get_if<xac::FxMaterial>(&material.record)) return fx->lod;
    const auto* standard = std::get_if<xac::StandardMaterial>(&material.record);
    return standard == nullptr ? 0 : standard->lod;
}

void set_lod(NativeMaterial& material, std::uint32_t lod) noexcept {
    if (auto* const fx = std::get_if<xac::FxMaterial>(&material.record)) fx->lod = lod;
    if (auto* const standard = std::get_if<xac::StandardMaterial>(&material.record)) standard->lod = lod;
}

std::uint32_t material_level(FileParts& file, std::uint32_t level) {
    list_levels(file);
    return file.of_level[level].empty() ? 0 : level;
}

std::uint32_t material_number(FileParts& file, Index material, std::uint32_t level, std::uint32_t old) {
    if (material >= file.material_numbers.size()) return no_number;
    std::uint32_t wanted = file.material_numbers[material];
    if (wanted == no_number) return no_number;
    const std::uint32_t lod = material_level(file, level);
    const std::vector<std::uint32_t>& list = file.of_level[lod];
    if (old < list.size() &&
        (list[old] == wanted || text_of(file.materials[list[old]]) == text_of(file.materials[wanted])))
        return old;
    if (lod_of(file.materials[wanted]) != lod) {
        const auto [copy, is_new] = file.copies.try_emplace({wanted, lod}, no_number);
        if (is_new) copy->second = copy_of(file, file.materials[wanted], lod);
        wanted = copy->second;
        list_levels(file);
    }
    const auto found = std::lower_bound(list.begin(), list.end(), wanted);
    return found == list.end() || *found != wanted ? no_number : static_cast<std::uint32_t>(found - list.begin());
}

Result<void> add_meshes(Build& build) {
    build.place_counts.assign(build.scene.meshes.size(), 0);
    for (const MeshPlace& place : build.places) ++build.place_counts[place.mesh];
    for (std::size_t i = 0; i < build.places.size(); ++i) {
        if (build.places[i].number == no_number) continue;
        if (auto added = add_mesh(build, i); !added) return added;
    }
    return {};
}

}  // namespace effigy::emfx::bridge
