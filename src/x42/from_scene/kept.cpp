/// Meshes that nobody has edited, back in the places where the file had them.

#include <algorithm>
#include <cstring>

#include "scene/triangles.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/to_scene/math.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {
namespace {

/// One level of detail.
struct KeptMesh {
    Index node = no_index;
    const Mesh* mesh = nullptr;
    Json extras;
    std::int64_t lod = -1;
};

/// The joint of each influence.
struct KeptJoints {
    std::vector<std::uint32_t> of_influences;
    std::size_t count = 0;
};

/// Says that elements of a section have been written; false where it has none.
bool mark(std::vector<bool>& covered, std::uint64_t first, std::uint64_t count) {
    if (first > covered.size() || count > covered.size() - first) return false;
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(first), count, true);
    return true;
}

/// The base is the finest level, and the others follow in the order of their records.
bool is_same_order(const FileBuild& build, Index base, std::vector<KeptMesh>& meshes) {
    std::stable_sort(meshes.begin(), meshes.end(), [](auto& a, auto& b) { return a.lod < b.lod; });
    const Node& finest = build.scene.nodes[base];
    std::vector<Index> order{base};
    order.insert(order.end(), finest.lods.begin(), finest.lods.end());
    if (order.size() != meshes.size()) return false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool has_lod = build.records->file.lods.empty()
                                 ? meshes[i].lod == -1 && i == 0
                                 : meshes[i].lod >= 0 && (i == 0 || meshes[i].lod > meshes[i - 1].lod);
        if (order[i] != meshes[i].node || !has_lod) return false;
    }
    return true;
}

/// All meshes of the scene in the order of their levels; nothing if one is not as it was.
std::optional<std::vector<KeptMesh>> find_meshes(const FileBuild& build) {
    const Scene& scene = build.scene;
    std::vector<KeptMesh> meshes;
    Index base = no_index;
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh >= scene.meshes.size()) continue;
        const Mesh& mesh = scene.meshes[node.mesh];
        if (!build.untouched(mesh) || node.collision) return std::nullopt;
        if (!node.hidden) {
            if (base != no_index) return std::nullopt;
            base = i;
        }
        const bool in_place = node.skin != no_index || build.nodes.within[i] == glm::dmat4(1);
        if (!in_place || (node.skin == no_index && build.nodes.bone_of[i] != no_bone)) return std::nullopt;
        KeptMesh kept{i, &mesh, record_of(mesh.extras), -1};
        kept.lod = integer_at(kept.extras, "lod").value_or(-1);
        meshes.push_back(std::move(kept));
    }
    // What has nothing to draw has no mesh; whether that is all that the file has is seen in the end.
    const bool same = meshes.empty() || (base != no_index && is_same_order(build, base, meshes));
    return same ? std::optional(std::move(meshes)) : std::nullopt;
}

bool is_same_joint(const FileBuild& build, const effigy::Skin& skin, std::size_t joint, const Influence& influence) {
    const Index node = skin.joints[joint];
    if (node >= build.scene.nodes.size() || joint >= skin.inverse_bind_matrices.size()) return false;
    if (build.nodes.bone_of[node] != influence.bone || build.nodes.within[node] != glm::dmat4(1)) return false;
    return is_finite(influence.mesh_to_bone) &&
           skin.inverse_bind_matrices[joint] == narrow(wide(influence.mesh_to_bone));
}

/// No hash covers a skin: its matrices must be those of the records, bit for bit.
std::optional<KeptJoints> find_joints(const FileBuild& build, const std::vector<KeptMesh>& meshes) {
    const Scene& scene = build.scene;
    const auto& records = build.records->file.influences;
    KeptJoints joints;
    Index number = no_index;
    for (const KeptMesh& one : meshes) {
        const Index skin = scene.nodes[one.node].skin;
        if (skin == no_index) continue;
        if (skin >= scene.skins.size() || (number != no_index && skin != number)) return std::nullopt;
        number = skin;
    }
    if (number == no_index) return joints;
    const effigy::Skin& skin = scene.skins[number];
    joints.count = skin.joints.size();
    const Json extras = record_of(skin.extras);
    const Json* const influences = member(extras, "influences");
    if (influences != nullptr && (!influences->is_array() || influences->size() != records.size())) return std::nullopt;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Json joint = influences == nullptr ? Json(i) : (*influences)[i];
        if (!joint.is_number_unsigned() || joint.get<std::uint64_t>() >= joints.count) return std::nullopt;
        const auto place = joint.get<std::uint32_t>();
        if (!is_same_joint(build, skin, place, records[i])) return std::nullopt;
        joints.of_influences.push_back(place);
    }
    return joints;
}

/// The file with the sections of vertices and indices as large as they were.
File start_file(const FileBuild& build) {
    const Records& records = *build.records;
    const Header& old = records.file.header;
    File file = build.file;
    constexpr std::uint16_t kept_flags = static_cast<std::uint16_t>(~uniform_scale);
    file.header.model_flags |= static_cast<std::uint16_t>(old.model_flags & kept_flags);
    file.header.bounds_low = old.bounds_low;
    file.header.bounds_high = old.bounds_high;
    file.header.sphere_center = old.sphere_center;
    file.header.sphere_radius = old.sphere_radius;
    file.pack = records.file.pack;
    file.pack.animation_positions = build.file.pack.animation_positions;
    file.pack.animation_scales = build.file.pack.animation_scales;
    file.influences = records.file.influences;
    file.lods = records.file.lods;
    file.groups = records.file.groups;
    file.version = records.file.version;
    file.morphs = records.file.morphs;
    MeshCodes unused;
    each_code(unused, file, [&](const char*, const auto&, auto& section, bool has) {
        if (has) section.resize(static_cast<std::size_t>(records.vertex_count));
    });
    file.indices.resize(static_cast<std::size_t>(records.index_count));
    return file;
}

/// What one mesh's groups are made from.
struct MeshSource {
    const KeptMesh& kept;
    MeshCodes codes{};
    bool flipped = false;               ///< its winding
    std::optional<Bytes> blend{};       ///< of all its groups, where packing would give others
    Weights weights{*kept.mesh};        ///< likewise where it does not
    std::size_t primitive = 0, at = 0;  ///< the next one, and where its bytes begin in `blend`
};

/// Codes that are kept take the place of those that were packed again; there must be one for each vertex.
bool take_codes(MeshSource& source, const File& old) {
    const Json* const stored = member(source.kept.extras, "codes");
    if (stored != nullptr) source.blend = bytes_at(*stored, "blend");
    bool sound = true;
    each_code(source.codes, old, [&](const char* name, auto& values, const auto&, bool has) {
        using Code = typename std::remove_reference_t<decltype(values)>::value_type;
        if (const auto bytes = stored == nullptr ? std::nullopt : bytes_at(*stored, name)) {
            sound = sound && bytes->size() % sizeof(Code) == 0;
            values.resize(bytes->size() / sizeof(Code));
            if (!values.empty()) std::memcpy(values.data(), bytes->data(), values.size() * sizeof(Code));
        }
        sound = sound && values.size() == (has ? source.kept.mesh->vertex_count : 0);
    });
    return sound;
}

void put_vertices(MeshCodes& codes, std::size_t from, const Group& group, File& file) {
    if (group.vertex_count == 0) return;
    each_code(codes, file, [&](const char*, const auto& values, auto& section, bool) {
        if (!values.empty()) std::copy_n(&values[from], group.vertex_count, &section[group.first_vertex]);
    });
}

bool put_indices(const Primitive& primitive, bool flipped, const Group& group, std::vector<bool>& places, File& file) {
    if (static_cast<std::uint16_t>(primitive.topology) != static_cast<std::uint16_t>(group.type)) return false;
    Primitive back = primitive;
    if (flipped) {
        const bool longer = back.topology == Topology::triangle_strip && group.element_count % 2 == 0;
        if (longer && !back.indices.empty()) {
            back.indices.erase(back.indices.begin());
        } else {
            reverse_winding(back);
        }
    }
    if (back.indices.size() != group.element_count) return false;
    const bool indexed = group.first_index != no_indices;
    if (indexed && !mark(places, group.first_index, group.element_count)) return false;
    for (std::uint32_t i = 0; i < group.element_count; ++i) {
        const std::uint32_t index = back.indices[i];
        if (indexed ? index >= std::min(group.vertex_count, 65536u) : index != i) return false;
        if (indexed) file.indices[group.first_index + i] = static_cast<std::uint16_t>(index);
    }
    return true;
}

bool put_blend(MeshSource& source, const Primitive& primitive, const Group& group, const KeptJoints& joints,
               Bytes& blend) {
    blend.clear();
    if (group.vertex_influences == 0) return true;
    if (group.vertex_influences > max_weights || group.influence_count > max_influences) return false;
    const auto size = static_cast<std::size_t>(blend_size(group));
    if (source.blend) {
        if (source.at > source.blend->size() || size > source.blend->size() - source.at) return false;
        const auto first = source.blend->begin() + static_cast<std::ptrdiff_t>(source.at);
        blend.assign(first, first + static_cast<std::ptrdiff_t>(size));
        source.at += size;
        return true;
    }
    if (source.weights.empty()) return false;
    std::vector<std::uint32_t> palette;
    for (std::size_t i = 0; i < group.influence_count; ++i) {
        const std::uint16_t influence = group.influences[i];
        palette.push_back(influence < joints.of_influences.size() ? joints.of_influences[influence] : no_index);
    }
    const auto places = places_of(palette, joints.count);
    std::uint64_t lost = 0;
    for (std::uint32_t i = 0; i < primitive.vertex_count; ++i) {
        append_blend(source.weights.at(std::size_t{primitive.first_vertex} + i, lost), group.vertex_influences, places,
                     blend);
    }
    return true;
}

/// Puts meshes into a file of their own, group by group: whatever does not fit ends it.
class KeptFile {
public:
    KeptFile(FileBuild& build, KeptJoints joints)
        : build_(build),
          old_(build.records->file),
          joints_(std::move(joints)),
          file_(start_file(build)),
          vertex_places_(file_.vertices.size()),
          index_places_(file_.indices.size()),
          groups_(old_.groups.size()) {}

    bool put(const KeptMesh& kept) {
        const Json* const records = member(kept.extras, "groups");
        if (records == nullptr || !records->is_array()) return false;
        MeshSource source{kept};
        source.codes = codes_of(*kept.mesh, old_.header, old_.pack);
        source.flipped = text_at(kept.extras, "winding") != "kept";
        if (!take_codes(source, old_)) return false;
        std::size_t next = 0;
        for (const Json& record : *records) {
            const auto number = static_cast<std::size_t>(integer_at(record, "group").value_or(next));
            if (number >= old_.groups.size()) return false;
            next = number + 1;
            if (member(record, "drawn") == nullptr && !put_group(source, record, number)) return false;
        }
        return source.primitive == kept.mesh->primitives.size();
    }

    /// False if something of the file is missing.
    bool finish() {
        const auto all = [](const std::vector<bool>& places) {
            return std::find(places.begin(), places.end(), false) == places.end();
        };
        if (!all(vertex_places_) || !put_loose_indices()) return false;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            // What has nothing to draw has no primitive.
            const Group& group = old_.groups[i];
            if (!groups_[i].is_there && (group.vertex_count != 0 || group.element_count != 0)) return false;
            file_.blend.insert(file_.blend.end(), groups_[i].blend.begin(), groups_[i].blend.end());
        }
        for (const auto& [group, shader] : shaders_) file_.groups[group].material = build_.names.add(shader);
        build_.file = std::move(file_);
        return true;
    }

private:
    /// Into the places that no group has.
    bool put_loose_indices() {
        const auto& loose = build_.records->loose_indices;
        std::size_t next = 0;
        for (std::size_t place = 0; place < index_places_.size(); ++place) {
            if (index_places_[place]) continue;
            if (next == loose.size()) return false;
            file_.indices[place] = loose[next++];
        }
        return next == loose.size();
    }

    bool put_group(MeshSource& source, const Json& record, std::size_t number) {
        const Mesh& mesh = *source.kept.mesh;
        const Group& group = old_.groups[number];
        if (source.primitive >= mesh.primitives.size()) return false;
        const Primitive& primitive = mesh.primitives[source.primitive++];
        if (primitive.vertex_count != group.vertex_count || primitive.first_vertex > mesh.vertex_count ||
            primitive.vertex_count > mesh.vertex_count - primitive.first_vertex ||
            !mark(vertex_places_, group.first_vertex, primitive.vertex_count))
            return false;
        put_vertices(source.codes, primitive.first_vertex, group, file_);
        // A skin beside the model may have given the surface another shader; a material that is another one now counts.
        const std::string now = build_.shader(primitive.material), own(name_of(old_, group.material));
        if (now != text_at(record, "shader").value_or(own)) shaders_.emplace_back(number, now);
        groups_[number].is_there = true;
        return put_indices(primitive, source.flipped, group, index_places_, file_) &&
               put_blend(source, primitive, group, joints_, groups_[number].blend);
    }

    struct PlacedGroup {
        bool is_there = false;
        Bytes blend;
    };

    FileBuild& build_;
    const File& old_;
    KeptJoints joints_;
    File file_;
    std::vector<bool> vertex_places_, index_places_;  ///< that have been written
    std::vector<PlacedGroup> groups_;
    std::vector<std::pair<std::size_t, std::string>> shaders_;  ///< of groups that have others now
};

}  // namespace

Result<bool> keep_meshes(FileBuild& build) {
    if (!build.records || build.nodes.rotated || !build.nodes.bones_kept) return false;
    const auto meshes = find_meshes(build);
    auto joints = meshes ? find_joints(build, *meshes) : std::nullopt;
    if (!joints) return false;
    std::uint64_t vertices = 0, indices = build.records->loose_indices.size();
    for (const KeptMesh& one : *meshes) {
        vertices += one.mesh->vertex_count;
        for (const Primitive& primitive : one.mesh->primitives) indices += primitive.indices.size();
    }
    if (build.records->vertex_count > vertices || build.records->index_count > indices) return false;
    if (auto taken = build.take(vertices + indices, 64, "vertices"); !taken) return fail(std::move(taken.error()));
    KeptFile file(build, std::move(*joints));
    return std::all_of(meshes->begin(), meshes->end(), [&](const KeptMesh& one) { return file.put(one); }) &&
           file.finish();
}

}  // namespace effigy::x42::bridge
