/// From a scene to the files of Egosoft's games: the one entry, and what the steps share.

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "effigy/egosoft_codes.hpp"
#include "effigy/program_codes.hpp"

#include "core/guard.hpp"
#include "egosoft/from_scene/component.hpp"
#include "egosoft/mod/old_material.hpp"
#include "scene/material_slots.hpp"
#include "scene/triangles.hpp"

namespace effigy::egosoft {
namespace bridge {

std::vector<glm::dmat4> worlds_of(const Scene& scene) {
    std::vector<glm::dmat4> worlds = rest_worlds(scene);
    if (scene.facing == 0) return worlds;
    const double angle = glm::radians(-static_cast<double>(scene.facing));
    const glm::dmat4 rotation = glm::rotate(glm::dmat4(1), angle, {0, 1, 0});
    for (glm::dmat4& world : worlds) world = rotation * world;
    return worlds;
}

const Json& Context::record_of_mesh(Index mesh) {
    const auto [place, is_new] = mesh_records.try_emplace(mesh, Json::object());
    const Extras& extras = scene.meshes[mesh].extras;
    if (is_new && budget.take(8 * extras.json.size() + extras.bulk.size())) place->second = record_of(extras);
    return place->second;
}

const Json& Context::record_of_asset() {
    if (!asset_record) asset_record = record_of(scene.asset_extras);
    return *asset_record;
}

namespace {

/// Whether textures are shifted, turned or scaled; in a mod, which has them, also on which coordinates they lie.
bool places_textures(const Material& material, bool for_mod) {
    const auto slots = slots_of(material);
    return std::any_of(slots.begin(), slots.end(), [&](const auto& named) {
        const TextureSlot& slot = *named.slot;
        const bool moves = slot.offset.x != 0 || slot.offset.y != 0 || slot.rotation != 0;
        const bool is_on_others = for_mod && slot.texcoord != 0;
        return slot.used() && (moves || slot.scale.x != 1 || slot.scale.y != 1 || is_on_others);
    });
}

/// Whether it means something else than the entry of a library that it came from, or has another one's name.
bool is_edited(const Context& context, const Material& material, const std::string& name) {
    const std::vector<Index> pictures = context.pictures.edited(material);
    if (context.untouched(material) && pictures.empty()) return false;
    auto entry = mod::recorded_entry(material);
    if (!entry) return false;
    const bool has_name = lower(name) == lower(plain_name(entry->collection + "." + entry->name, ""));
    return !has_name || !mod::OldMaterial(std::move(*entry), material, pictures).is_same();
}

}  // namespace

void Context::note_once() {
    NameList placed, edited;
    std::map<Index, std::string> names = material_names;
    for (const Index index : kept_materials) names.emplace(index, scene.materials[index].name);
    for (const auto& [index, name] : names) {
        if (index >= scene.materials.size()) continue;
        if (places_textures(scene.materials[index], options.for_mod)) placed.add(name);
        // What is new altogether is told apart, and a mod gets entries.
        const bool has_entry = !options.for_mod && !new_names.contains(name);
        if (has_entry && is_edited(*this, scene.materials[index], name)) edited.add(name);
    }
    note_any(placed, codes::xmf_texture_placed, "materials",
             "Texture coordinates are written as they are, and the first ones are used for all: the offset, rotation, "
             "scale and set of these materials' textures are lost. Apply them to the coordinates, or bake the "
             "textures; occlusion on coordinates of its own is left out.");
    note_any(taken_materials, codes::mod_material_own, "materials",
             "These materials of the game or of other mods were edited, or came with textures: the mod gets entries of "
             "its own for them, with its collection in the name.");
    if (options.for_mod) named_materials = {};  // the mod gets their entries
    note_any(named_materials, codes::xmf_material_new, "materials",
             "Materials are called collection.material in a library of the game: add entries of these names to "
             "libraries/material_library.xml.");
    note_any(edited, codes::xmf_material_edited, "materials",
             "These materials or their pictures were edited, and what they look like stands in a material library, "
             "which is written into mods only: convert into a mod's folder (-o mods/my_mod/), or change their entries "
             "in libraries/material_library.xml.");
    named_materials = {};
}

namespace {

/// What meshes without normals become: each of their triangles gets vertices of its own.
std::uint64_t size_of_flat(const Scene& scene) {
    constexpr std::uint64_t vertex = 2 * sizeof(Vec3) + sizeof(Vec4) + sizeof(Vec2);
    std::uint64_t size = 0;
    for (const Mesh& mesh : scene.meshes) {
        if (find_attribute(mesh, Semantic::normal) != nullptr) continue;
        for (const Primitive& primitive : mesh.primitives) {
            const std::uint64_t for_each_index = primitive.topology == Topology::triangles ? 1 : 3;
            if (has_triangles(primitive.topology)) size += for_each_index * primitive.indices.size() * vertex;
        }
    }
    return size;
}

}  // namespace

Context start(const Scene& scene, const FromSceneOptions& options) {
    return {Budget(options.limits, size_of(scene) + size_of_flat(scene)), scene, options};
}

namespace {

/// The one file that was made of the scene.
template <class File>
Result<Loaded<NativeFiles>> one_file(Result<Loaded<File>> made, std::string name) {
    if (!made) return fail(std::move(made.error()));
    auto bytes = write(made->value);
    if (!bytes) return fail(std::move(bytes.error()));
    NativeFiles files;
    files.files.push_back({std::move(name), std::move(*bytes)});
    return Loaded<NativeFiles>{std::move(files), std::move(made->report)};
}

Result<Loaded<NativeFiles>> make_files(const Scene& scene, const FromSceneOptions& options) {
    if (options.product == Product::mesh) return one_file(mesh_from_scene(scene, options), options.name + ".xmf");
    if (options.product == Product::animation)
        return one_file(animation_from_scene(scene, options), options.name + ".ani");
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    if (const auto axis = options.mirror_axis; axis && (*axis < 0 || *axis > 2))
        return fail(problem_at("options / mirror_axis", codes::usage_option, "there is no such axis",
                               std::to_string(*axis), "0, 1 or 2"));
    Context context = start(scene, options);
    auto made = make_components(context, [](const Plan&, FromSceneOptions&) {});
    if (!made) return fail(std::move(made.error()));
    NativeFiles all{.files = {}, .folder = made->front().folder, .materials = context.material_names};
    for (NativeFiles& one : *made) add_files(context, all.files, std::move(one.files));
    return Loaded<NativeFiles>{std::move(all), std::move(context.report)};
}

}  // namespace
}  // namespace bridge

Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::make_files(scene, options); });
}

}  // namespace effigy::egosoft
