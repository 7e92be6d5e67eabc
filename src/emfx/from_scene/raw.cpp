/// Meshes that nobody has edited, as their file had them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/geometry.hpp"
#include "scene/triangles.hpp"

namespace effigy::emfx::bridge {
namespace {

using xac::LayerType;

/// Turns the sign of each third number, whatever the number is.
void mirror_back(Bytes& bytes, std::size_t width) {
    auto* floats = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 2; i < bytes.size() / sizeof(float); i += width) {
        floats[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(floats[i]) ^ 0x80000000u);
    }
}

/// Influences of vertices that nothing uses, in the order of the vertices.
struct Unused {
    Bulk<xac::InfluenceRange> ranges{};
    Bulk<xac::Influence> influences{};
    std::size_t next = 0, place = 0;  ///< in them

    bool read(const Json& record) {
        const Json* const json = member(record, "unused");
        if (json == nullptr) return true;
        auto some_ranges = elements_at<xac::InfluenceRange>(*json, "ranges");
        auto some_influences = elements_at<xac::Influence>(*json, "influences");
        if (!some_ranges || !some_influences) return false;
        ranges = std::move(*some_ranges);
        influences = std::move(*some_influences);
        return true;
    }
};

class RawMesh {
public:
    RawMesh(Build& build, std::size_t place)
        : build_(build),
          place_(build.places[place]),
          mesh_(build.scene.meshes[place_.mesh]),
          old_(build.old_meshes[place_.mesh]),
          file_(build.files[place_.file]),
          numbering_(file_.numbering),
          record_(record_of(mesh_.extras)) {
        native_.place = place;
    }

    std::optional<NativeMesh> run() {
        constexpr std::uint32_t all_fields = 2;
        if (!build_.untouched(mesh_) || place_.baked) return std::nullopt;
        if (place_.skin == no_index && is_apart_from_node(build_, place_)) return std::nullopt;
        // Influences, joints and tangents as these games take them.
        if (build_.map.is_ported && is_paradox(build_.options.target)) return std::nullopt;
        if (old_.model != place_.file) return std::nullopt;
        native_.mesh.vertex_count = mesh_.vertex_count;
        add_usual("submeshes", [&](const Json&) { return Json{{"vertex_count", mesh_.vertex_count}}; });
        Json padding = Json::array({0u, 0u});
        add_usual("layers", [&](const Json& layer) {
            if (const Json* own = member(layer, "padding"); own != nullptr && &layer == &record_["layers"][0])
                padding = *own;
            return usual_layer(number_member(layer, "type").value_or(0), padding);
        });
        if (!read_record(build_, record_, all_fields, native_.mesh)) return std::nullopt;
        if (native_.mesh.vertex_count != mesh_.vertex_count || native_.mesh.layers.empty()) return std::nullopt;
        native_.mesh.node = numbering_.of_actor(place_.number);
        if (native_.mesh.node == no_number || (native_.mesh.is_collision != 0) != place_.collision) return std::nullopt;
        if (!fits_target()) return std::nullopt;
        if (!fill_layers() || !fill_submeshes() || !fill_skinning()) return std::nullopt;
        if (member(record_, "index_count") == nullptr) count_indices();
        native_.chunk = old_.chunk;
        native_.is_raw = true;
        note_influences();
        return std::move(native_);
    }

private:
    /// Whether the target's engine shows what stands in the file as the scene shows it.
    [[nodiscard]] bool fits_target() const {
        const SkinLimits limits = skin_limits(build_.options);
        const auto is_beyond = [&](const xac::Submesh& submesh) {
            return (limits.vertices != 0 && submesh.vertex_count > limits.vertices) ||
                   (limits.bones != 0 && submesh.bones.size() > limits.bones);
        };
        if (std::ranges::any_of(native_.mesh.submeshes, is_beyond)) return false;
        const bool is_rigid = member(record_, "skinning") == nullptr && place_.skin == no_index;
        return !is_rigid || !binds_to_node(build_, place_) || build_.nodes[place_.number].is_raw_to_root;
    }

    /// Games' own files have such vertices, so that the mesh stays as it is.
    void note_influences() {
        if (build_.options.target == Target::any || !native_.skinning) return;
        const std::size_t most = skin_limits(build_.options).influences;
        const auto& ranges = native_.skinning->ranges;
        const auto beyond =
            std::count_if(ranges.begin(), ranges.end(), [&](const auto& range) { return range.count > most; });
        if (beyond == 0) return;
        build_.note(
            codes::emfx_influences.as(Severity::info), "meshes[" + std::to_string(place_.mesh) + "] " + mesh_.name,
            "Vertices have more influences than the game uses; nobody has edited the mesh, and they stay as the "
            "file had them.",
            std::to_string(beyond) + " vertices", "at most " + std::to_string(most) + " influences");
    }

    /// Gives each object of a list the members that it lacks because they are as usual.
    template <class Usual>
    void add_usual(const char* name, Usual usual) {
        const auto list = record_.find(name);
        if (list == record_.end() || !list->is_array()) return;
        for (Json& one : *list) {
            const Json all = usual(one);
            if (one.is_object()) one.insert(all.begin(), all.end());
        }
    }

    void count_indices() {
        std::size_t count = 0;
        for (const xac::Submesh& submesh : native_.mesh.submeshes) count += submesh.indices.size();
        native_.mesh.index_count = static_cast<std::uint32_t>(count);
    }

    // --- layers

    bool fill_layers() {
        std::map<std::uint64_t, Bytes> kept;
        for (const Json& entry : list_member(record_, "kept_layers")) {
            auto bytes = bytes_at(entry, "bytes");
            const auto layer = number_member(entry, "layer");
            if (layer && bytes) kept.try_emplace(*layer, std::move(*bytes));
        }
        for (std::size_t i = 0; i < native_.mesh.layers.size(); ++i) {
            xac::VertexLayer& layer = native_.mesh.layers[i];
            const auto found = kept.find(i);
            if (found != kept.end()) {
                layer.data = std::move(found->second);
            } else if (!fill_layer(layer, i)) {
                return false;
            }
            if (layer.data.size() != std::uint64_t{layer.element_size} * mesh_.vertex_count) return false;
        }
        return true;
    }

    bool fill_layer(xac::VertexLayer& layer, std::size_t number) {
        switch (layer.type) {
            case LayerType::position:
                return copy(layer, number, find_attribute(mesh_, Semantic::position, 0), 3);
            case LayerType::normal:
                return copy(layer, number, find_attribute(mesh_, Semantic::normal, 0), 3);
            case LayerType::tangent:
                return copy(layer, number, tangents(tangents_++), 4);
            case LayerType::uv:
                return copy(layer, number, find_attribute(mesh_, Semantic::texcoord, uvs_++), 0);
            case LayerType::color32:
            case LayerType::color128:
                return copy(layer, number, find_attribute(mesh_, Semantic::color, colors_++), 0);
            case LayerType::bitangent:
                return copy(layer, number, find_attribute(mesh_, "_BITANGENT_" + std::to_string(bitangents_++)), 3);
            case LayerType::original_vertex:
                return copy(layer, number, find_attribute(mesh_, "_ORIGINAL_VERTEX"), 0) && to_numbers(layer);
            case LayerType::cloth:
                return false;
        }
        return false;
    }

    const Attribute* tangents(std::uint32_t number) const {
        const Attribute* first = number == 0 ? find_attribute(mesh_, Semantic::tangent, 0) : nullptr;
        return first != nullptr ? first : find_attribute(mesh_, "_TANGENT_" + std::to_string(number));
    }

    /// `mirrored`: numbers in an element of which the third one changes its sign; 0: none does.
    bool copy(xac::VertexLayer& layer, std::size_t number, const Attribute* attribute, std::size_t mirrored) {
        if (attribute == nullptr || !build_.budget.take(attribute->data.bytes.size(), 1)) return false;
        const bool is_packed = layer.type == LayerType::color32;
        if (attribute->data.component != (is_packed ? ComponentType::u8 : ComponentType::f32)) return false;
        layer.data = attribute->data.bytes;
        if (layer.data.size() != std::uint64_t{layer.element_size} * mesh_.vertex_count) return false;
        if (!restore(layer.data, number)) return false;
        if (mirrored != 0) mirror_back(layer.data, mirrored);
        return true;
    }

    /// Values from before they were repaired, the last repair first.
    bool restore(Bytes& data, std::size_t number) const {
        for (const Json& entry : list_member(record_, "old_values")) {
            if (number_member(entry, "layer") != number) continue;
            const auto places = elements_at<std::uint32_t>(entry, "places");
            const auto values = elements_at<float>(entry, "values");
            if (!places || !values || places->size() != values->size()) return false;
            const std::span<float> floats(reinterpret_cast<float*>(data.data()), data.size() / sizeof(float));
            for (std::size_t i = places->size(); i-- > 0;) {
                if ((*places)[i] >= floats.size()) return false;
                floats[(*places)[i]] = (*values)[i];
            }
        }
        return true;
    }

    static bool to_numbers(xac::VertexLayer& layer) {
        for (std::size_t at = 0; at + sizeof(float) <= layer.data.size(); at += sizeof(float)) {
            float value = 0;
            std::memcpy(&value, &layer.data[at], sizeof value);
            if (!(value >= 0 && value <= 16777216.0f)) return false;
            const auto number = static_cast<std::uint32_t>(value);
            std::memcpy(&layer.data[at], &number, sizeof number);
        }
        return true;
    }

    // --- submeshes

    bool fill_submeshes() {
        std::map<std::uint64_t, Bulk<std::uint32_t>> kept;
        for (const Json& entry : list_member(record_, "kept_indices")) {
            auto indices = elements_at<std::uint32_t>(entry, "bytes");
            const auto submesh = number_member(entry, "submesh");
            if (submesh && indices) kept.try_emplace(*submesh, std::move(*indices));
        }
        const bool flip = !keeps_winding();
        std::uint64_t first = 0;
        std::size_t next = 0;
        for (std::size_t i = 0; i < native_.mesh.submeshes.size(); ++i) {
            xac::Submesh& submesh = native_.mesh.submeshes[i];
            const std::uint64_t begin = std::min<std::uint64_t>(first, mesh_.vertex_count);
            const std::uint64_t count = std::min<std::uint64_t>(submesh.vertex_count, mesh_.vertex_count - begin);
            first += submesh.vertex_count;
            const auto found = kept.find(i);
            const std::optional<std::uint64_t> wanted = index_count(i);
            const bool is_shown = found != kept.end() ? any_good_triangle(found->second, count) : wanted != 0u;
            if (is_shown) {
                if (next >= mesh_.primitives.size()) return false;
                const Primitive& primitive = mesh_.primitives[next++];
                if (primitive.first_vertex != begin || primitive.vertex_count != count ||
                    primitive.topology != Topology::triangles)
                    return false;
                submesh.indices = primitive.indices;
                if (flip) reverse_winding(submesh.indices);
                if (!set_material(submesh, primitive)) return false;
            }
            if (found != kept.end()) submesh.indices = std::move(found->second);
            if (wanted && submesh.indices.size() != *wanted) return false;
            for (std::uint32_t& bone : submesh.bones) {
                bone = numbering_.of_old(bone);
                if (bone == no_number) return false;
            }
        }
        return next == mesh_.primitives.size();
    }

    /// Nothing: as many as its primitive.
    std::optional<std::uint64_t> index_count(std::size_t submesh) const {
        return number_member(record_["submeshes"][submesh], "index_count");
    }

    static bool any_good_triangle(const Bulk<std::uint32_t>& indices, std::uint64_t vertices) {
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            if (indices[i] < vertices && indices[i + 1] < vertices && indices[i + 2] < vertices) return true;
        }
        return false;
    }

    bool keeps_winding() const {
        return place_.skin == no_index && place_.number < build_.nodes.size() &&
               is_mirrored(build_.nodes[place_.number].world);
    }

    /// Whether the old file had a material of that number, which the scene has no more.
    [[nodiscard]] bool had(std::uint32_t material) const {
        const Json& chunks = chunks_of(file_.json);
        const auto count = std::count_if(chunks.begin(), chunks.end(), [](const Json& chunk) {
            const auto id = number_member(chunk, "id").value_or(0);
            return id == 3 || id == 5;
        });
        return std::cmp_less(material, count);
    }

    bool set_material(xac::Submesh& submesh, const Primitive& primitive) {
        if (primitive.material == no_index) return submesh.material >= file_.materials.size() && !had(submesh.material);
        const std::uint32_t number = material_number(file_, primitive.material, native_.mesh.lod, submesh.material);
        if (number == no_number) return false;
        submesh.material = number;
        return true;
    }

    // --- skinning

    bool fill_skinning() {
        const Json* record = member(record_, "skinning");
        if (record == nullptr) return place_.skin == no_index;
        constexpr std::uint32_t all_fields = 4;
        xac::Skinning& skinning = native_.skinning.emplace();
        if (!read_record(build_, *record, all_fields, skinning)) return false;
        skinning.node = native_.mesh.node;
        native_.skinning_chunk = old_.skinning_chunk;
        if (!has_old_binds()) return false;
        if (member(*record, "table") != nullptr) return take_table(*member(*record, "table"), skinning);
        return place_.skin != no_index && derive_table(*record, skinning);
    }

    /// Whether the joints still stand where they stood when the skin was bound.
    bool has_old_binds() const {
        if (place_.skin == no_index) return true;
        const Skin& skin = build_.scene.skins[place_.skin];
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            const std::uint32_t number = joint_number(build_, skin.joints[i]);
            if (number >= build_.nodes.size() || !build_.nodes[number].is_raw_to_root) return false;
            // Nodes of levels of detail may have stood elsewhere from the start.
            const bool tells = place_.file == 0 && i < skin.inverse_bind_matrices.size();
            if (tells && !rests_in_bind(build_.nodes[number].world, skin.inverse_bind_matrices[i])) return false;
        }
        return true;
    }

    /// Below another parent, or in the place of another joint, an unedited node does not.
    static bool rests_in_bind(const glm::dmat4& world, const Mat4& inverse_bind) {
        if (is_close(bind_difference(world, inverse_bind), glm::dmat4(1), 1e-5)) return true;
        const auto bind = bind_of(inverse_bind);
        const bool has_inverse = inverse_affine(world, 1e-15).has_value();  // else to_scene() wrote none
        return !bind || !has_inverse || is_close(world, *bind, 1e-4);
    }

    /// Whether the skin's joints are the nodes of the table, as to_scene() lists them.
    bool has_joints_of(std::span<const xac::Influence> influences) const {
        if (place_.skin == no_index) return true;
        const std::size_t count = numbering_.old.empty() ? file_.nodes.size() : numbering_.old.size();
        std::vector<std::uint8_t> is_used(count);
        for (const xac::Influence& influence : influences) {
            if (counts_as_weight(influence.weight) && influence.node < count) is_used[influence.node] = 1;
        }
        const std::vector<Index>& joints = build_.scene.skins[place_.skin].joints;
        auto joint = joints.begin();
        for (std::uint32_t node = 0; node < count; ++node) {
            if (is_used[node] == 0) continue;
            if (joint == joints.end()) return false;
            if (numbering_.of_old(node) != numbering_.of_actor(joint_number(build_, *joint++))) return false;
        }
        // Vertices that nothing moves follow the mesh's node, which is the last joint then.
        return joint == joints.end() || (joint + 1 == joints.end() && joint_number(build_, *joint) == place_.number);
    }

    bool take_table(const Json& table, xac::Skinning& skinning) const {
        auto influences = elements_at<xac::Influence>(table, "influences");
        auto ranges = elements_at<xac::InfluenceRange>(table, "ranges");
        if (!influences || !ranges || ranges->size() != native_.mesh.original_vertex_count) return false;
        if (!has_joints_of(*influences)) return false;
        for (xac::Influence& influence : *influences) {
            const std::uint32_t now = numbering_.of_old(influence.node);
            if (now > 0xffff) return false;
            influence.node = static_cast<std::uint16_t>(now);
        }
        skinning.influences = std::move(*influences);
        skinning.ranges = std::move(*ranges);
        return true;
    }

    bool derive_table(const Json& record, xac::Skinning& skinning) {
        const std::uint32_t count = native_.mesh.original_vertex_count;
        if (!build_.budget.take(count, sizeof(xac::InfluenceRange) + sizeof(std::uint32_t))) return false;
        std::vector<std::uint32_t> vertex_of(count, no_number);
        if (!find_users(vertex_of)) return false;
        Unused unused;
        if (!unused.read(record)) return false;
        InfluenceReader reader(mesh_, build_.scene.skins[place_.skin].joints.size());
        if (reader.empty()) return false;
        for (std::uint32_t original = 0; original < count; ++original) {
            const auto first = static_cast<std::uint32_t>(skinning.influences.size());
            const bool done = vertex_of[original] != no_number
                                  ? add_influences(reader.all(vertex_of[original]), skinning)
                                  : add_unused(unused, original, skinning);
            if (!done) return false;
            skinning.ranges.push_back({first, static_cast<std::uint32_t>(skinning.influences.size()) - first});
        }
        return !is_in_place_of_others(skinning) && set_padding(record, skinning);
    }

    /// Whether palettes lack a node that moves vertices and have another one, which moves none.
    [[nodiscard]] bool is_in_place_of_others(const xac::Skinning& skinning) const {
        constexpr std::uint8_t is_listed = 1, moves = 2;
        std::vector<std::uint8_t> nodes(std::size_t{0xffff} + 1);
        for (const xac::Submesh& submesh : native_.mesh.submeshes) {
            for (const std::uint32_t bone : submesh.bones) nodes[std::min(bone, std::uint32_t{0xffff})] |= is_listed;
        }
        for (const xac::Influence& influence : skinning.influences) nodes[influence.node] |= moves;
        const auto any = [&](std::uint8_t which) {
            return std::find(nodes.begin(), nodes.end(), which) != nodes.end();
        };
        return any(is_listed) && any(moves);
    }

    /// For each entry of the table a vertex that takes it.
    bool find_users(std::vector<std::uint32_t>& vertex_of) const {
        const auto layer =
            std::find_if(native_.mesh.layers.begin(), native_.mesh.layers.end(), [](const xac::VertexLayer& l) {
                return l.type == LayerType::original_vertex && l.is_scale == 0 && l.element_size == 4;
            });
        for (std::uint32_t v = 0; v < mesh_.vertex_count; ++v) {
            std::uint32_t original = v;
            if (layer != native_.mesh.layers.end()) {
                std::memcpy(&original, &layer->data[std::size_t{v} * sizeof original], sizeof original);
            }
            if (original >= vertex_of.size()) return false;
            if (vertex_of[original] == no_number) vertex_of[original] = v;
        }
        return true;
    }

    bool add_influences(std::span<const VertexInfluence> influences, xac::Skinning& skinning) const {
        for (const VertexInfluence& one : influences) {
            const Index joint = build_.scene.skins[place_.skin].joints[one.joint];
            const std::uint32_t number = numbering_.of_actor(joint_number(build_, joint));
            if (number > 0xffff) return false;
            skinning.influences.push_back({static_cast<float>(one.weight), static_cast<std::uint16_t>(number), {}});
        }
        return true;
    }

    bool add_unused(Unused& unused, std::uint32_t vertex, xac::Skinning& skinning) const {
        if (unused.next == unused.ranges.size() || unused.ranges[unused.next].first != vertex) return false;
        const std::uint32_t count = unused.ranges[unused.next++].count;
        if (count > unused.influences.size() - unused.place) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            xac::Influence influence = unused.influences[unused.place++];
            const std::uint32_t number = numbering_.of_old(influence.node);
            if (number > 0xffff) return false;
            influence.node = static_cast<std::uint16_t>(number);
            skinning.influences.push_back(influence);
        }
        return true;
    }

    static bool set_padding(const Json& record, xac::Skinning& skinning) {
        const std::optional<Bytes> padding = bytes_at(record, "influence_padding");
        if (!padding || padding->size() != 2 * skinning.influences.size()) return true;
        for (std::size_t i = 0; i < skinning.influences.size(); ++i) {
            skinning.influences[i].padding = {std::to_integer<std::uint8_t>((*padding)[2 * i]),
                                              std::to_integer<std::uint8_t>((*padding)[2 * i + 1])};
        }
        return true;
    }

    Build& build_;
    const MeshPlace& place_;
    const Mesh& mesh_;
    const OldMesh& old_;
    FileParts& file_;
    const Numbering& numbering_;
    Json record_;
    NativeMesh native_;
    std::uint32_t tangents_ = 0, uvs_ = 0, colors_ = 0, bitangents_ = 0;
};

}  // namespace

std::optional<NativeMesh> raw_mesh(Build& build, std::size_t place) { return RawMesh(build, place).run(); }

}  // namespace effigy::emfx::bridge
