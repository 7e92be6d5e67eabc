/// Meshes that nobody has edited, back in the places where the file had them.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/text.hpp"
#include "scene/triangles.hpp"
#include "x42/file/finite.hpp"
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

/// Which elements of a section have been written.
class Coverage {
public:
    explicit Coverage(std::size_t count) : covered_(count, false) {}
    bool mark(std::uint64_t first, std::uint64_t count) {
        if (first > covered_.size() || count > covered_.size() - first) return false;
        std::fill_n(covered_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
        return true;
    }
    [[nodiscard]] bool all() const { return std::find(covered_.begin(), covered_.end(), false) == covered_.end(); }

private:
    std::vector<bool> covered_;
};

/// Everything is tried on a file of its own: whatever does not fit ends it.
class MeshKeeper {
public:
    explicit MeshKeeper(Making& making) : making_(making), scene_(making.scene), old_(making.records->file) {}

    Result<bool> run() {
        if (!find_meshes() || !is_same_skin()) return false;
        std::uint64_t vertices = 0, indices = 0;
        for (const KeptMesh& one : meshes_) {
            vertices += one.mesh->vertex_count;
            for (const Primitive& primitive : one.mesh->primitives) indices += primitive.indices.size();
        }
        if (making_.records->vertex_count > vertices || making_.records->index_count > indices) return false;
        if (auto taken = making_.take(vertices + indices, 64, "vertices"); !taken)
            return fail(std::move(taken.error()));
        start();
        Coverage vertex_places(file_.vertices.size()), index_places(file_.indices.size());
        groups_.assign(old_.groups.size(), false);
        for (const KeptMesh& one : meshes_) {
            if (!put_mesh(one, vertex_places, index_places)) return false;
        }
        if (!vertex_places.all() || !index_places.all() || !has_all_groups()) return false;
        finish();
        return true;
    }

private:
    bool find_meshes() {
        Index base = no_index;
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            if (node.mesh >= scene_.meshes.size()) continue;
            const Mesh& mesh = scene_.meshes[node.mesh];
            if (!making_.untouched(mesh) || node.collision) return false;
            if (!node.hidden) {
                if (base != no_index) return false;
                base = i;
            }
            const bool in_place = node.skin != no_index || making_.nodes.within[i] == glm::dmat4(1);
            if (!in_place || (node.skin == no_index && making_.nodes.bone_of[i] != no_bone)) return false;
            KeptMesh kept{i, &mesh, record_of(mesh.extras), -1};
            kept.lod = integer_at(kept.extras, "lod").value_or(-1);
            meshes_.push_back(std::move(kept));
        }
        if (meshes_.empty()) return old_.groups.empty() && old_.lods.empty();
        return base != no_index && is_same_order(base);
    }

    /// The base is the finest level, and the others follow in the order of their records.
    bool is_same_order(Index base) {
        std::stable_sort(meshes_.begin(), meshes_.end(), [](auto& a, auto& b) { return a.lod < b.lod; });
        std::vector<Index> order{base};
        order.insert(order.end(), scene_.nodes[base].lods.begin(), scene_.nodes[base].lods.end());
        if (order.size() != meshes_.size()) return false;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool has_lod = old_.lods.empty()
                                     ? meshes_[i].lod == -1 && i == 0
                                     : meshes_[i].lod >= 0 && (i == 0 || meshes_[i].lod > meshes_[i - 1].lod);
            if (order[i] != meshes_[i].node || !has_lod) return false;
        }
        return true;
    }

    /// No hash covers a skin: its matrices must be those of the records, bit for bit.
    bool is_same_skin() {
        Index number = no_index;
        for (const KeptMesh& one : meshes_) {
            const Index skin = scene_.nodes[one.node].skin;
            if (skin == no_index) continue;
            if (skin >= scene_.skins.size() || (number != no_index && skin != number)) return false;
            number = skin;
        }
        if (number == no_index) return true;
        const effigy::Skin& skin = scene_.skins[number];
        joint_count_ = skin.joints.size();
        const Json extras = record_of(skin.extras);
        const Json* const influences = member(extras, "influences");
        if (influences == nullptr || !influences->is_array() || influences->size() != old_.influences.size())
            return false;
        for (std::size_t i = 0; i < old_.influences.size(); ++i) {
            const Json& joint = (*influences)[i];
            if (!joint.is_number_unsigned() || joint.get<std::uint64_t>() >= skin.joints.size()) return false;
            const auto place = joint.get<std::size_t>();
            if (!is_same_joint(skin, place, old_.influences[i])) return false;
            joints_.push_back(static_cast<std::uint32_t>(place));
        }
        return true;
    }

    bool is_same_joint(const effigy::Skin& skin, std::size_t joint, const Influence& influence) const {
        const Index node = skin.joints[joint];
        if (node >= scene_.nodes.size() || joint >= skin.inverse_bind_matrices.size()) return false;
        if (making_.nodes.bone_of[node] != influence.bone || making_.nodes.within[node] != glm::dmat4(1)) return false;
        return is_finite(influence.mesh_to_bone) &&
               skin.inverse_bind_matrices[joint] == narrow(wide(influence.mesh_to_bone));
    }

    void start() {
        file_.header = old_.header;
        file_.pack = old_.pack;
        file_.influences = old_.influences;
        file_.lods = old_.lods;
        file_.groups = old_.groups;
        const auto count = static_cast<std::size_t>(making_.records->vertex_count);
        const auto size = [&](auto& section, std::uint16_t flag) {
            if ((old_.header.model_flags & flag) != 0) section.resize(count);
        };
        file_.vertices.resize(count);
        size(file_.normals, has_normals);
        size(file_.tangents, has_tangents);
        size(file_.texcoords, has_texcoords);
        size(file_.colors, has_colors);
        file_.indices.resize(static_cast<std::size_t>(making_.records->index_count));
        blend_.assign(old_.groups.size(), {});
    }

    bool put_mesh(const KeptMesh& kept, Coverage& vertex_places, Coverage& index_places) {
        const Json* const records = member(kept.extras, "groups");
        if (records == nullptr || !records->is_array()) return false;
        MeshCodes codes = codes_of(*kept.mesh, old_.header, old_.pack);
        if (!take_codes(kept, codes)) return false;
        const bool turned = text_at(kept.extras, "winding") != "kept";
        std::size_t primitive = 0, blend = 0;
        const auto stored = stored_blend(kept);
        Weights weights(*kept.mesh);
        for (const Json& record : *records) {
            const auto number = integer_at(record, "group");
            if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= old_.groups.size()) return false;
            if (const Json* drawn = member(record, "drawn"); drawn != nullptr) continue;
            if (primitive >= kept.mesh->primitives.size()) return false;
            const auto group = static_cast<std::size_t>(*number);
            const Primitive& one = kept.mesh->primitives[primitive++];
            if (one.vertex_count != old_.groups[group].vertex_count) return false;
            if (one.first_vertex > kept.mesh->vertex_count ||
                one.vertex_count > kept.mesh->vertex_count - one.first_vertex)
                return false;
            if (!vertex_places.mark(old_.groups[group].first_vertex, one.vertex_count)) return false;
            put_vertices(codes, one.first_vertex, old_.groups[group]);
            if (!put_indices(one, turned, old_.groups[group], index_places)) return false;
            if (!put_blend(one, group, weights, stored, blend)) return false;
            put_material(one, record, group);
            groups_[group] = true;
        }
        return primitive == kept.mesh->primitives.size();
    }

    /// Those that are kept take the place of those that were packed again; there must be one for each vertex.
    bool take_codes(const KeptMesh& kept, MeshCodes& codes) const {
        const Json* const stored = member(kept.extras, "codes");
        bool sound = true;
        each_code(codes, [&](const char* name, auto& values) {
            using Code = typename std::remove_reference_t<decltype(values)>::value_type;
            const auto bytes = stored == nullptr ? std::nullopt : bytes_at(*stored, name);
            if (!bytes) return;
            sound = sound && bytes->size() % sizeof(Code) == 0;
            if (!sound) return;
            values.resize(bytes->size() / sizeof(Code));
            if (!bytes->empty()) std::memcpy(values.data(), bytes->data(), bytes->size());
        });
        const auto fits = [&](const auto& values, bool wanted) {
            return values.size() == (wanted ? kept.mesh->vertex_count : 0);
        };
        const auto has = [&](std::uint16_t flag) { return (old_.header.model_flags & flag) != 0; };
        return sound && fits(codes.positions, true) && fits(codes.normals, has(has_normals)) &&
               fits(codes.tangents, has(has_tangents)) && fits(codes.texcoords, has(has_texcoords)) &&
               fits(codes.colors, has(has_colors));
    }

    void put_vertices(const MeshCodes& codes, std::size_t from, const Group& group) {
        const auto put = [&](const auto& values, auto& section) {
            if (!values.empty()) std::copy_n(&values[from], group.vertex_count, &section[group.first_vertex]);
        };
        if (group.vertex_count == 0) return;
        put(codes.positions, file_.vertices);
        put(codes.normals, file_.normals);
        put(codes.tangents, file_.tangents);
        put(codes.texcoords, file_.texcoords);
        put(codes.colors, file_.colors);
    }

    bool put_indices(const Primitive& primitive, bool turned, const Group& group, Coverage& places) {
        if (static_cast<std::uint16_t>(primitive.topology) != static_cast<std::uint16_t>(group.type)) return false;
        Primitive back = primitive;
        if (turned) {
            const bool longer = back.topology == Topology::triangle_strip && group.element_count % 2 == 0;
            if (longer && !back.indices.empty()) {
                back.indices.erase(back.indices.begin());
            } else {
                turn(back);
            }
        }
        if (back.indices.size() != group.element_count) return false;
        const bool indexed = group.first_index != no_indices;
        if (indexed && !places.mark(group.first_index, group.element_count)) return false;
        for (std::uint32_t i = 0; i < group.element_count; ++i) {
            const std::uint32_t index = back.indices[i];
            if (indexed ? index >= std::min(group.vertex_count, 65536u) : index != i) return false;
            if (indexed) file_.indices[group.first_index + i] = static_cast<std::uint16_t>(index);
        }
        return true;
    }

    static std::optional<Bytes> stored_blend(const KeptMesh& kept) {
        const Json* const stored = member(kept.extras, "codes");
        return stored == nullptr ? std::nullopt : bytes_at(*stored, "blend");
    }

    /// `place`: where the group's bytes begin in those that are kept.
    bool put_blend(const Primitive& primitive, std::size_t number, Weights& weights, const std::optional<Bytes>& stored,
                   std::size_t& place) {
        const Group& group = old_.groups[number];
        Bytes& blend = blend_[number];
        blend.clear();
        if (group.vertex_influences == 0) return true;
        if (group.vertex_influences > max_weights || group.influence_count > max_influences) return false;
        const auto size = static_cast<std::size_t>(blend_size(group));
        if (stored) {
            if (place > stored->size() || size > stored->size() - place) return false;
            const auto first = stored->begin() + static_cast<std::ptrdiff_t>(place);
            blend.assign(first, first + static_cast<std::ptrdiff_t>(size));
            place += size;
            return true;
        }
        if (weights.empty()) return false;
        std::vector<std::uint32_t> palette;
        for (std::size_t i = 0; i < group.influence_count; ++i) {
            const std::uint16_t influence = group.influences[i];
            palette.push_back(influence < joints_.size() ? joints_[influence] : no_index);
        }
        const auto places = places_of(palette, joint_count_);
        std::uint64_t lost = 0;
        for (std::uint32_t i = 0; i < primitive.vertex_count; ++i) {
            append_blend(weights.at(std::size_t{primitive.first_vertex} + i, lost), group.vertex_influences, places,
                         blend);
        }
        return true;
    }

    /// A skin beside the model may have given the surface another shader; a material that is another one now counts.
    void put_material(const Primitive& primitive, const Json& record, std::size_t group) {
        const std::string now = making_.shader(primitive.material);
        const std::string own(name_of(old_, old_.groups[group].material));
        if (now != text_at(record, "shader").value_or(own)) shaders_.emplace_back(group, now);
    }

    /// What has nothing to draw has no primitive.
    [[nodiscard]] bool has_all_groups() const {
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            const Group& group = old_.groups[i];
            const bool empty = group.vertex_count == 0 && group.element_count == 0;
            if (!groups_[i] && !empty) return false;
        }
        return true;
    }

    void finish() {
        for (const Bytes& blend : blend_) file_.blend.insert(file_.blend.end(), blend.begin(), blend.end());
        for (const auto& [group, shader] : shaders_) file_.groups[group].material = making_.names.add(shader);
        const auto move = [](auto& from, auto& to) { to = std::move(from); };
        File& file = making_.file;
        constexpr std::uint16_t kept_flags = static_cast<std::uint16_t>(~uniform_scale);
        file.header.model_flags |= static_cast<std::uint16_t>(file_.header.model_flags & kept_flags);
        file.header.bounds_low = file_.header.bounds_low;
        file.header.bounds_high = file_.header.bounds_high;
        file.header.sphere_center = file_.header.sphere_center;
        file.header.sphere_radius = file_.header.sphere_radius;
        file.pack.vertex_positions = file_.pack.vertex_positions;
        file.pack.texcoords = file_.pack.texcoords;
        file.pack.morph_positions = file_.pack.morph_positions;
        move(file_.influences, file.influences);
        move(file_.lods, file.lods);
        move(file_.groups, file.groups);
        move(file_.vertices, file.vertices);
        move(file_.blend, file.blend);
        move(file_.normals, file.normals);
        move(file_.tangents, file.tangents);
        move(file_.texcoords, file.texcoords);
        move(file_.colors, file.colors);
        move(file_.indices, file.indices);
        file.version = old_.version;
        file.morphs = old_.morphs;
    }

    Making& making_;
    const Scene& scene_;
    const File& old_;
    File file_;
    std::vector<KeptMesh> meshes_;
    std::vector<std::uint32_t> joints_;  ///< of each influence
    std::size_t joint_count_ = 0;
    std::vector<Bytes> blend_;  ///< of each group
    std::vector<bool> groups_;  ///< which are there
    std::vector<std::pair<std::size_t, std::string>> shaders_;
};

}  // namespace

Result<bool> keep_meshes(Making& making) {
    if (!making.records || making.nodes.turned || !making.nodes.bones_kept) return false;
    return MeshKeeper(making).run();
}

}  // namespace effigy::x42::bridge
