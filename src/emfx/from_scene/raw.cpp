/// Meshes that nobody has edited, as their file had them.

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/extras.hpp"
#include "scene/triangles.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Gives each object of a list the members that it lacks because they are as usual.
template <class Usual>
void add_usual(Json& record, const char* name, Usual usual) {
    const auto list = record.find(name);
    if (list == record.end() || !list->is_array()) return;
    for (Json& one : *list) {
        const Json all = usual(one);
        if (one.is_object()) one.insert(all.begin(), all.end());
    }
}

/// Without what is an attribute or a primitive of the scene's mesh; nothing if it makes no sense.
std::optional<xac::Mesh> read_mesh(Build& build, Json& record, std::uint32_t vertex_count) {
    constexpr std::uint32_t all_fields = 2;
    xac::Mesh mesh;
    mesh.vertex_count = vertex_count;
    add_usual(record, "submeshes", [&](const Json&) { return Json{{"vertex_count", vertex_count}}; });
    Json padding = Json::array({0u, 0u});
    add_usual(record, "layers", [&](const Json& layer) {
        if (const Json* own = member(layer, "padding"); own != nullptr && &layer == &record["layers"][0])
            padding = *own;
        return usual_layer(number_member(layer, "type").value_or(0), padding);
    });
    if (!read_record(build, record, all_fields, mesh)) return std::nullopt;
    if (mesh.vertex_count != vertex_count || mesh.layers.empty()) return std::nullopt;
    return mesh;
}

/// Whether the target's engine shows what stands in the file as the scene shows it.
bool fits_target(const Build& build, const MeshPlace& place, const xac::Mesh& mesh, bool has_skinning) {
    const SkinLimits limits = skin_limits(build.options);
    const auto is_beyond = [&](const xac::Submesh& submesh) {
        return (limits.vertices != 0 && submesh.vertex_count > limits.vertices) ||
               (limits.bones != 0 && submesh.bones.size() > limits.bones);
    };
    if (std::ranges::any_of(mesh.submeshes, is_beyond)) return false;
    const bool is_rigid = !has_skinning && place.skin == no_index;
    return !is_rigid || !binds_to_node(build, place) || build.nodes[place.number].is_raw_to_root;
}

// --- submeshes

bool any_good_triangle(const Bulk<std::uint32_t>& indices, std::uint64_t vertices) {
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        if (indices[i] < vertices && indices[i + 1] < vertices && indices[i + 2] < vertices) return true;
    }
    return false;
}

bool keeps_winding(const Build& build, const MeshPlace& place) {
    return !place.baked && place.skin == no_index && place.number < build.nodes.size() &&
           is_mirrored(build.nodes[place.number].world);
}

/// Whether the old file may have had a material of that number, which the scene has no more.
bool had_material(const FileParts& file, std::uint32_t material) {
    const Json& chunks = chunks_of(file.json);
    const auto old = std::count_if(chunks.begin(), chunks.end(), is_material);
    const auto kept = std::count_if(file.materials.begin(), file.materials.end(),
                                    [](const NativeMaterial& one) { return one.chunk.has_value(); });
    return kept < old && std::cmp_less(material, old);
}

bool set_material(FileParts& file, const Primitive& primitive, std::uint32_t lod, xac::Submesh& submesh) {
    if (primitive.material == no_index) {
        const std::size_t count = file.of_level[material_level(file, lod)].size();
        return submesh.material >= count && !had_material(file, submesh.material);
    }
    const std::uint32_t number = material_number(file, primitive.material, lod, submesh.material);
    if (number == no_number) return false;
    submesh.material = number;
    return true;
}

/// For each submesh the primitive that has its indices, or no_number where the record has them. Nothing if the two do
/// not go together.
std::optional<std::vector<std::uint32_t>> find_indices(Build& build, const MeshPlace& place, const Json& record,
                                                       xac::Mesh& native) {
    const Mesh& mesh = build.scene.meshes[place.mesh];
    FileParts& file = build.files[place.file];
    std::map<std::uint64_t, Bulk<std::uint32_t>> kept;
    for (const Json& entry : list_at(record, "kept_indices")) {
        auto indices = elements_at<std::uint32_t>(entry, "bytes");
        const auto submesh = number_member(entry, "submesh");
        if (submesh && indices) kept.try_emplace(*submesh, std::move(*indices));
    }
    std::vector<std::uint32_t> primitives(native.submeshes.size(), no_number);
    std::uint64_t first = 0;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < native.submeshes.size(); ++i) {
        xac::Submesh& submesh = native.submeshes[i];
        const std::uint64_t begin = std::min<std::uint64_t>(first, mesh.vertex_count);
        const std::uint64_t count = std::min<std::uint64_t>(submesh.vertex_count, mesh.vertex_count - begin);
        first += submesh.vertex_count;
        const auto found = kept.find(i);
        // Nothing: as many as its primitive.
        const auto wanted = number_member(record["submeshes"][i], "index_count");
        const bool is_shown = found != kept.end() ? any_good_triangle(found->second, count) : wanted != 0u;
        std::size_t index_count = 0;
        if (is_shown) {
            if (next >= mesh.primitives.size()) return std::nullopt;
            const Primitive& primitive = mesh.primitives[next];
            if (primitive.first_vertex != begin || primitive.vertex_count != count ||
                primitive.topology != Topology::triangles || !set_material(file, primitive, native.lod, submesh))
                return std::nullopt;
            index_count = primitive.indices.size();
            primitives[i] = next++;
        }
        if (found != kept.end()) {
            submesh.indices = std::move(found->second);
            index_count = submesh.indices.size();
            primitives[i] = no_number;
        }
        if (wanted && index_count != *wanted) return std::nullopt;
        for (std::uint32_t& bone : submesh.bones) {
            bone = file.numbering.of_old(bone);
            if (bone == no_number) return std::nullopt;
        }
    }
    if (next != mesh.primitives.size()) return std::nullopt;
    return primitives;
}

/// `spent`: the same mesh as `mesh`, if nobody needs its indices any more; else null.
void fill_indices(const Mesh& mesh, Mesh* spent, std::span<const std::uint32_t> primitives, bool flip,
                  std::vector<xac::Submesh>& submeshes) {
    for (std::size_t i = 0; i < submeshes.size(); ++i) {
        const std::uint32_t number = primitives[i];
        if (number == no_number) continue;
        submeshes[i].indices = spent != nullptr ? std::move(spent->primitives[number].indices)
                                                : block_copy(mesh.primitives[number].indices);
        if (flip) reverse_winding(submeshes[i].indices);
    }
}

std::uint32_t count_indices(const xac::Mesh& mesh) {
    std::size_t count = 0;
    for (const xac::Submesh& submesh : mesh.submeshes) count += submesh.indices.size();
    return static_cast<std::uint32_t>(count);
}

/// Games' own files have such vertices, so that the mesh stays as it is.
void note_influences(Build& build, const MeshPlace& place, const xac::Skinning& skinning) {
    if (build.options.target == Target::any) return;
    const std::size_t most = skin_limits(build.options).influences;
    const auto beyond = std::count_if(skinning.ranges.begin(), skinning.ranges.end(),
                                      [&](const auto& range) { return range.count > most; });
    if (beyond == 0) return;
    build.note(codes::emfx_influences.as(Severity::info),
               "meshes[" + std::to_string(place.mesh) + "] " + build.scene.meshes[place.mesh].name,
               "Vertices have more influences than the game uses; nobody has edited the mesh, and they stay as the "
               "file had them.",
               std::to_string(beyond) + " vertices", "at most " + std::to_string(most) + " influences");
}

}  // namespace

std::optional<NativeMesh> raw_mesh(Build& build, std::size_t place_number) {
    const MeshPlace& place = build.places[place_number];
    const Mesh& mesh = build.scene.meshes[place.mesh];
    const OldMesh& old = build.old_meshes[place.mesh];
    if (!build.untouched(mesh) || old.model != place.file) return std::nullopt;
    if (place.skin == no_index && is_apart_from_node(build, place)) return std::nullopt;
    // Influences, joints and tangents as these games take them.
    if (build.map.is_ported && is_paradox(build.options.target)) return std::nullopt;
    Json record = record_of(mesh.extras);
    if (place.baked && list_at(record, "unmoved_layers").empty()) return std::nullopt;
    auto read = read_mesh(build, record, mesh.vertex_count);
    if (!read) return std::nullopt;
    NativeMesh native;
    native.mesh = std::move(*read);
    native.place = place_number;
    native.chunk = old.chunk;
    // Not where the scene shows another level of detail as the finest.
    native.is_raw = native.mesh.lod == place.lod;
    native.mesh.lod = place.lod;
    native.mesh.node = build.files[place.file].numbering.of_actor(place.number);
    if (native.mesh.node == no_number || (native.mesh.is_collision != 0) != place.collision) return std::nullopt;
    const Json* const skinning = member(record, "skinning");
    if (!fits_target(build, place, native.mesh, skinning != nullptr)) return std::nullopt;
    const bool is_last = build.spent != nullptr && build.place_counts[place.mesh] == 1;
    Mesh* const spent = is_last ? &build.spent->meshes[place.mesh] : nullptr;
    const auto layers = find_raw_layers(build, mesh, spent, record, native.mesh.layers);
    if (!layers) return std::nullopt;
    const auto primitives = find_indices(build, place, record, native.mesh);
    if (!primitives) return std::nullopt;
    if (skinning != nullptr) {
        native.skinning = raw_skinning(build, place, *skinning, native.mesh);
        native.skinning_chunk = old.skinning_chunk;
    }
    if (!native.skinning && (skinning != nullptr || place.skin != no_index)) return std::nullopt;
    // From here on nothing can fail.
    fill_raw_layers(mesh, spent, *layers, native.mesh.layers);
    fill_indices(mesh, spent, *primitives, !keeps_winding(build, place), native.mesh.submeshes);
    if (member(record, "index_count") == nullptr) native.mesh.index_count = count_indices(native.mesh);
    if (native.skinning) {
        if (!native.is_raw) native.skinning->lod = place.lod;
        note_influences(build, place, *native.skinning);
    }
    return native;
}

}  // namespace effigy::emfx::bridge
