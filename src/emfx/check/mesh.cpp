/// Rules for meshes and their skinning. All are linear in the size of the data, whatever the data says.

#include <algorithm>

#include "effigy/emfx_codes.hpp"

#include "emfx/check/actor.hpp"

namespace effigy::emfx::checks {

namespace {

using xac::LayerType;
using xac::Mesh;
using xac::Skinning;
using xac::VertexLayer;

constexpr std::array<std::string_view, 9> layer_names{"position",        "normal",   "tangent",   "uv",   "color32",
                                                      "original_vertex", "color128", "bitangent", "cloth"};
constexpr std::size_t last_known_layer = 6;  // 7 and 8 came after XAC

const VertexLayer* first_layer(const Mesh& mesh, LayerType type) noexcept {
    for (const VertexLayer& layer : mesh.layers)
        if (layer.type == type) return &layer;
    return nullptr;
}

bool fits(const Mesh& mesh, const VertexLayer& layer) noexcept {
    const auto type = static_cast<std::uint32_t>(layer.type);
    return layer.data.size() == std::uint64_t{layer.element_size} * mesh.vertex_count &&
           (type >= layer_sizes.size() || layer.element_size == layer_sizes[type]);
}

/// The elements of a layer that fits.
template <class T>
std::span<const T> elements(const VertexLayer& layer) noexcept {
    return layer.as<T>();
}

struct MeshCheck {
    const Actor& actor;
    Findings& findings;
    const Mesh& mesh;
    Where where;

    void run() const {
        actor.check_node(mesh.node, {&where, "node"});
        check_totals();
        check_indices();
        check_layer_list();
        for (std::size_t index = 0; index < mesh.layers.size(); ++index) check_layer(index);
    }

    // --- submeshes

    void check_totals() const {
        std::uint64_t vertices = 0, indices = 0;
        for (const xac::Submesh& submesh : mesh.submeshes) {
            vertices += submesh.vertex_count;
            indices += submesh.indices.size();
        }
        if (vertices != mesh.vertex_count)
            findings.add(codes::mesh_vertex_total, {&where, "vertex_count"}, number(mesh.vertex_count),
                         number(vertices) + ", as the submeshes have");
        if (indices != mesh.index_count)
            findings.add(codes::mesh_index_total, {&where, "index_count"}, number(mesh.index_count),
                         number(indices) + ", as the submeshes have");
    }

    void check_indices() const {
        std::uint64_t bad_count = 0;
        std::size_t bad_submesh = 0, bad_index = 0;
        for (std::size_t number_of = 0; number_of < mesh.submeshes.size(); ++number_of) {
            const xac::Submesh& submesh = mesh.submeshes[number_of];
            check_submesh(submesh, {&where, "submesh", number_of});
            const auto beyond = [&](std::size_t i) { return submesh.indices[i] >= submesh.vertex_count; };
            const Tally bad = tally(submesh.indices.size(), beyond);
            if (bad && bad_count == 0) {
                bad_submesh = number_of;
                bad_index = bad.at();
            }
            bad_count += bad.count;
        }
        if (bad_count == 0) return;
        const xac::Submesh& submesh = mesh.submeshes[bad_submesh];
        const Where place{&where, "submesh", bad_submesh};
        findings.add(codes::mesh_index_range, {&place, "indices", bad_index}, number(submesh.indices[bad_index]),
                     "below " + number(submesh.vertex_count), bad_count);
    }

    void check_submesh(const xac::Submesh& submesh, const Where& place) const {
        if (submesh.indices.size() % 3 != 0)
            findings.add(codes::mesh_index_multiple, {&place, "indices"}, number(submesh.indices.size()),
                         "a multiple of 3");
        if (submesh.material >= actor.materials())
            findings.add(codes::mesh_material_range, {&place, "material"}, number(submesh.material),
                         "below " + number(actor.materials()));
        const auto beyond = [&](std::size_t i) { return submesh.bones[i] >= actor.nodes.size(); };
        if (const Tally bad = tally(submesh.bones.size(), beyond))
            findings.add(codes::node_range, {&place, "bones", bad.first}, number(submesh.bones[bad.at()]),
                         "below " + number(actor.nodes.size()), bad.count);
    }

    // --- layers

    void check_layer_list() const {
        const auto count = [&](LayerType type) {
            return std::count_if(mesh.layers.begin(), mesh.layers.end(),
                                 [&](const VertexLayer& layer) { return layer.type == type; });
        };
        if (count(LayerType::position) == 0 && mesh.vertex_count != 0)
            findings.add(codes::mesh_position_missing, where, "no position layer", "one position layer");
        if (count(LayerType::normal) == 0 && mesh.vertex_count != 0)
            findings.collect(codes::mesh_normal_missing, where, "no normal layer", "one normal layer");
        const auto tangents = count(LayerType::tangent), uvs = count(LayerType::uv);
        if (tangents != 0 && tangents != uvs)
            findings.add(codes::mesh_tangent_count, where, number(tangents) + " tangent layers",
                         number(uvs) + ", one for each UV set, or none");
        check_layer_order();
    }

    /// The exporters' order: original vertices, positions, normals, UV sets, tangents. Colours stand anywhere.
    static int rank(LayerType type) noexcept {
        constexpr std::array<int, 6> ranks{2, 3, 5, 4, 0, 1};
        const auto number = static_cast<std::size_t>(type);
        return number < ranks.size() ? ranks[number] : 0;
    }

    void check_layer_order() const {
        int highest = 0;
        std::array<bool, 6> seen{};
        bool ordered = true;
        for (std::size_t index = 0; index < mesh.layers.size(); ++index) {
            const LayerType type = mesh.layers[index].type;
            const Where place{&where, "layer", index};
            const int current = rank(type);
            if (static_cast<std::uint32_t>(type) > last_known_layer)
                findings.add(codes::mesh_layer_unknown, {&place, "type"}, number(static_cast<std::uint32_t>(type)),
                             "at most " + number(last_known_layer));
            if (current == 0) continue;
            const bool once = current <= 3;
            if (once && seen[static_cast<std::size_t>(current)])
                findings.add(codes::mesh_layer_duplicate, {&place, "type"}, std::string(name_of(type)),
                             "one such layer");
            else if (current < highest && ordered) {
                ordered = false;
                findings.collect(codes::mesh_layer_order, {&place, "type"}, std::string(name_of(type)) + " here",
                                 "original_vertex, position, normal, uv, tangent");
            }
            seen[static_cast<std::size_t>(current)] = true;
            highest = std::max(highest, current);
        }
    }

    static std::string_view name_of(LayerType type) noexcept {
        const auto index = static_cast<std::size_t>(type);
        return index < layer_names.size() ? layer_names[index] : "unknown";
    }

    void check_layer(std::size_t index) const {
        const VertexLayer& layer = mesh.layers[index];
        const Where place{&where, "layer", index};
        const auto type = static_cast<std::uint32_t>(layer.type);
        if (type < layer_sizes.size() && layer.element_size != layer_sizes[type]) {
            findings.add(codes::mesh_layer_size, {&place, "element_size"}, number(layer.element_size),
                         number(layer_sizes[type]) + " for " + std::string(name_of(layer.type)));
        } else if (!fits(mesh, layer)) {
            findings.add(codes::mesh_layer_size, {&place, "data"}, number(layer.data.size()) + " bytes",
                         number(std::uint64_t{layer.element_size} * mesh.vertex_count) + " bytes");
        } else {
            check_data(layer, place);
        }
    }

    void check_data(const VertexLayer& layer, const Where& place) const {
        switch (layer.type) {
            case LayerType::position:
                finite<Vec3>(codes::not_finite, layer, place);
                break;
            case LayerType::normal:
                check_normals(layer, place);
                break;
            case LayerType::tangent:
                check_tangents(layer, place);
                break;
            case LayerType::uv:
                finite<Vec2>(codes::mesh_uv_not_finite, layer, place);
                break;
            case LayerType::color128:
                finite<Vec4>(codes::not_finite, layer, place);
                break;
            case LayerType::original_vertex:
                check_originals(layer, place);
                break;
            default:
                break;
        }
    }

    template <class Element>
    bool finite(const Code& code, const VertexLayer& layer, const Where& place) const {
        constexpr std::size_t parts = sizeof(Element) / sizeof(float);
        const std::span<const float> values{reinterpret_cast<const float*>(layer.data.data()),
                                            layer.data.size() / sizeof(float)};
        const Tally bad = tally(values.size(), [&](std::size_t i) { return not_finite(values[i]); });
        if (!bad) return true;
        const std::size_t vertex = bad.at() / parts;
        findings.add(code, {&place, "data", vertex}, numbers(values.subspan(vertex * parts, parts)), "finite numbers",
                     bad.count);
        return false;
    }

    void check_normals(const VertexLayer& layer, const Where& place) const {
        if (!finite<Vec3>(codes::not_finite, layer, place)) return;
        const auto normals = elements<Vec3>(layer);
        const auto odd = [&](std::size_t i) {
            const Vec3& n = normals[i];
            return not_unit(n.x * n.x + n.y * n.y + n.z * n.z);
        };
        if (const Tally bad = tally(normals.size(), odd))
            findings.add(codes::mesh_normal_length, {&place, "data", bad.first}, numbers(normals[bad.at()]), "length 1",
                         bad.count);
    }

    void check_tangents(const VertexLayer& layer, const Where& place) const {
        if (!finite<Vec4>(codes::not_finite, layer, place)) return;
        const auto tangents = elements<Vec4>(layer);
        const auto at = [&](std::size_t i) {
            return numbers(std::array{tangents[i].x, tangents[i].y, tangents[i].z, tangents[i].w});
        };
        const auto odd = [&](std::size_t i) {
            const Vec4& t = tangents[i];
            return not_unit(t.x * t.x + t.y * t.y + t.z * t.z);
        };
        if (const Tally bad = tally(tangents.size(), odd))
            findings.add(codes::mesh_tangent_length, {&place, "data", bad.first}, at(bad.at()), "length 1", bad.count);
        const auto unsigned_w = [&](std::size_t i) { return std::fabs(std::fabs(tangents[i].w) - 1) > 1e-3f; };
        if (const Tally bad = tally(tangents.size(), unsigned_w))
            findings.add(codes::mesh_tangent_sign, {&place, "data", bad.first}, at(bad.at()), "w = 1 or -1", bad.count);
    }

    void check_originals(const VertexLayer& layer, const Where& place) const {
        const auto originals = elements<std::uint32_t>(layer);
        const auto beyond = [&](std::size_t i) { return originals[i] >= mesh.original_vertex_count; };
        if (const Tally bad = tally(originals.size(), beyond))
            findings.add(codes::mesh_original_range, {&place, "data", bad.first}, number(originals[bad.at()]),
                         "below " + number(mesh.original_vertex_count), bad.count);
    }
};

/// Counts distinct nodes; starting over costs nothing.
class NodeSet {
public:
    void clear() noexcept {
        ++round_;
        size_ = 0;
    }
    void insert(std::uint16_t node) {
        if (marks_.empty()) marks_.resize(65536);
        size_ += marks_[node] != round_ ? 1u : 0u;
        marks_[node] = round_;
    }
    [[nodiscard]] bool contains(std::uint32_t node) const noexcept {
        return node < marks_.size() && marks_[node] == round_;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    std::vector<std::uint64_t> marks_;
    std::uint64_t round_ = 0;
    std::size_t size_ = 0;
};

struct SkinCheck {
    const Actor& actor;
    Findings& findings;
    const Skinning& skinning;
    std::uint32_t version = 0;
    Where where;
    NodeSet& nodes;

    [[nodiscard]] bool has_vertex_lists() const noexcept { return version < 2; }
    [[nodiscard]] std::size_t vertex_count() const noexcept {
        return has_vertex_lists() ? skinning.vertices.size() : skinning.ranges.size();
    }

    /// Influences of one original vertex; none if they are out of range.
    [[nodiscard]] std::span<const xac::Influence> influences(std::size_t vertex) const noexcept {
        if (vertex >= vertex_count()) return {};
        if (has_vertex_lists()) return skinning.vertices[vertex].influences;
        const xac::InfluenceRange range = skinning.ranges[vertex];
        if (std::uint64_t{range.first} + range.count > skinning.influences.size()) return {};
        return std::span(skinning.influences).subspan(range.first, range.count);
    }

    /// What one pass over vertices may cost: far more than any real table needs, and no more than linear.
    [[nodiscard]] std::uint64_t allowance(std::uint64_t vertices) const noexcept {
        return 64 * (vertices + vertex_count() + skinning.influences.size()) + 65536;
    }

    void run(const Mesh& mesh) const {
        const bool whole_table = check_table(mesh);
        bool known_nodes = true, known_ranges = true;
        if (has_vertex_lists()) {
            for (std::size_t vertex = 0; vertex < skinning.vertices.size(); ++vertex) {
                const Where list{&where, "vertex", vertex};
                known_nodes = check_influences(skinning.vertices[vertex].influences, list) && known_nodes;
            }
        } else {
            known_nodes = check_influences(skinning.influences, where);
            known_ranges = check_ranges();
        }
        check_vertices();
        if (known_nodes) check_bone_count();
        if (known_nodes && known_ranges && whole_table) check_palettes(mesh);
    }

    bool check_table(const Mesh& mesh) const {
        const bool fitting = vertex_count() == mesh.original_vertex_count;
        if (!fitting)
            findings.add(codes::skin_range_count, has_vertex_lists() ? where : Where{&where, "ranges"},
                         number(vertex_count()), number(mesh.original_vertex_count));
        if (first_layer(mesh, LayerType::original_vertex) == nullptr)
            findings.add(codes::skin_original_missing, where, "a mesh without original vertices",
                         "an original_vertex layer");
        return fitting;
    }

    /// Whether all influences refer to nodes.
    bool check_influences(std::span<const xac::Influence> list, const Where& place) const {
        const auto infinite = [&](std::size_t i) { return not_finite(list[i].weight); };
        if (const Tally bad = tally(list.size(), infinite))
            findings.add(codes::not_finite, {&place, "influences", bad.first}, number(list[bad.at()].weight),
                         "a finite weight", bad.count);
        const auto outside = [&](std::size_t i) { return list[i].weight < 0 || list[i].weight > 1 + 1e-3f; };
        if (const Tally bad = tally(list.size(), outside))
            findings.add(codes::skin_weight, {&place, "influences", bad.first}, number(list[bad.at()].weight), "0 to 1",
                         bad.count);
        const auto beyond = [&](std::size_t i) { return list[i].node >= actor.nodes.size(); };
        const Tally bad = tally(list.size(), beyond);
        if (bad)
            findings.add(codes::skin_node, {&place, "influences", bad.first}, number(list[bad.at()].node),
                         "below " + number(actor.nodes.size()), bad.count);
        return !bad;
    }

    /// Whether all ranges are inside the table.
    bool check_ranges() const {
        const auto beyond = [&](std::size_t i) { return out_of_range(i); };
        if (const Tally bad = tally(skinning.ranges.size(), beyond)) {
            const xac::InfluenceRange range = skinning.ranges[bad.at()];
            findings.add(codes::skin_range, {&where, "ranges", bad.first},
                         number(range.first) + " + " + number(range.count),
                         "at most " + number(skinning.influences.size()), bad.count);
            return false;
        }
        check_contiguous();
        return true;
    }

    void check_contiguous() const {
        std::uint64_t end = 0;
        for (std::size_t vertex = 0; vertex < skinning.ranges.size(); ++vertex) {
            if (skinning.ranges[vertex].first != end) {
                findings.add(codes::skin_contiguous, {&where, "ranges", vertex}, number(skinning.ranges[vertex].first),
                             number(end));
                return;
            }
            end += skinning.ranges[vertex].count;
        }
        if (end != skinning.influences.size())
            findings.add(codes::skin_contiguous, {&where, "influences", end},
                         number(skinning.influences.size()) + " influences", number(end) + ", as the vertices use");
    }

    void check_bone_count() const {
        if (version < 3) return;
        nodes.clear();
        for (const xac::Influence& influence : skinning.influences) nodes.insert(influence.node);
        if (nodes.size() != skinning.local_bone_count)
            findings.add(codes::skin_bone_count, {&where, "local_bone_count"}, number(skinning.local_bone_count),
                         number(nodes.size()));
    }

    /// Sums and numbers of influences.
    void check_vertices() const {
        Tally loose, many, uneven, repeated;
        float first_sum = 0;
        std::uint64_t left = allowance(0);
        for (std::size_t vertex = 0; vertex < vertex_count(); ++vertex) {
            const auto list = influences(vertex);
            if (list.size() > left) return report_overlap(vertex);
            left -= list.size();
            if (list.size() > 4) many.hit(vertex);
            if (names_a_node_twice(list)) repeated.hit(vertex);
            if (list.empty()) {
                if (!out_of_range(vertex)) loose.hit(vertex);
                continue;
            }
            float sum = 0;
            for (const xac::Influence& influence : list) sum += influence.weight;
            if (std::fabs(sum - 1) <= 1e-3f || not_finite(sum)) continue;
            if (!uneven) first_sum = sum;
            uneven.hit(vertex);
        }
        const std::string_view member = has_vertex_lists() ? "vertex" : "ranges";
        if (loose)
            findings.add(codes::skin_vertex_loose, {&where, member, loose.first}, "0 influences", "1 or more",
                         loose.count);
        if (many)
            findings.add(codes::skin_influence_count, {&where, member, many.first},
                         number(influences(many.at()).size()) + " influences", "at most 4", many.count);
        if (repeated)
            findings.add(codes::skin_repeated_joint, {&where, member, repeated.first},
                         number(influences(repeated.at()).size()) + " influences", "one for each node", repeated.count);
        if (uneven)
            findings.add(codes::skin_weight_sum, {&where, member, uneven.first}, "sum " + number(first_sum), "sum 1",
                         uneven.count);
    }

    [[nodiscard]] bool names_a_node_twice(std::span<const xac::Influence> list) const {
        constexpr std::size_t few = 4;
        if (list.size() <= few) {
            for (std::size_t i = 1; i < list.size(); ++i) {
                for (std::size_t k = 0; k < i; ++k) {
                    if (list[k].node == list[i].node) return true;
                }
            }
            return false;
        }
        nodes.clear();
        for (const xac::Influence& influence : list) nodes.insert(influence.node);
        return nodes.size() != list.size();
    }

    [[nodiscard]] bool out_of_range(std::size_t vertex) const noexcept {
        if (has_vertex_lists()) return false;
        const xac::InfluenceRange range = skinning.ranges[vertex];
        return std::uint64_t{range.first} + range.count > skinning.influences.size();
    }

    void report_overlap(std::size_t vertex) const {
        findings.add(codes::skin_overlap, {&where, has_vertex_lists() ? "vertex" : "ranges", vertex},
                     number(influences(vertex).size()) + " influences here", "each influence used about once");
    }

    /// mesh-palette: is reported at the submesh.
    void check_palettes(const Mesh& mesh) const {
        const VertexLayer* layer = first_layer(mesh, LayerType::original_vertex);
        if (layer == nullptr || !fits(mesh, *layer)) return;
        const auto originals = elements<std::uint32_t>(*layer);
        const Where mesh_place = actor.place(actor.mesh_of(key_of(skinning, version))->chunk);
        std::uint64_t left = allowance(mesh.vertex_count);
        std::size_t start = 0;
        for (std::size_t index = 0; index < mesh.submeshes.size(); ++index) {
            const xac::Submesh& submesh = mesh.submeshes[index];
            if (submesh.vertex_count > originals.size() - start) return;  // mesh-vertex-total says so
            nodes.clear();
            for (const std::uint32_t original : originals.subspan(start, submesh.vertex_count)) {
                const auto list = influences(original);
                if (list.size() > left) return report_overlap(original);
                left -= list.size();
                for (const xac::Influence& influence : list) nodes.insert(influence.node);
            }
            start += submesh.vertex_count;
            compare_palette(submesh, {&mesh_place, "submesh", index});
        }
    }

    void compare_palette(const xac::Submesh& submesh, const Where& place) const {
        const auto foreign = [&](std::size_t i) { return !nodes.contains(submesh.bones[i]); };
        if (const Tally bad = tally(submesh.bones.size(), foreign))
            findings.add(codes::mesh_palette, {&place, "bones", bad.first}, number(submesh.bones[bad.at()]),
                         "a node that moves a vertex of the submesh", bad.count);
        else if (submesh.bones.size() != nodes.size())
            findings.add(codes::mesh_palette, {&place, "bones"}, count_text(submesh.bones.size(), "bones"),
                         number(nodes.size()) + ", as its vertices use");
    }
};

template <class Record>
void check_unique(const Actor& actor, const std::vector<Keyed<Record>>& records, const Code& code) {
    for (std::size_t index = 1; index < records.size(); ++index)
        if (records[index].key == records[index - 1].key)
            actor.findings.add(code, actor.place(records[index].chunk),
                               "again for node " + number(records[index].key.node),
                               "only chunk " + number(records[index - 1].chunk));
}

void check_skinning(const Actor& actor, const Skinning& skinning, std::size_t chunk, NodeSet& nodes) {
    const Where where = actor.place(chunk);
    const std::uint32_t version = actor.file.chunks[chunk].version;
    const Keyed<Mesh>* mesh = actor.mesh_of(key_of(skinning, version));
    actor.check_node(skinning.node, {&where, "node"});
    if (mesh == nullptr) {
        actor.findings.add(codes::skin_mesh_missing, {&where, "node"}, number(skinning.node),
                           "a node with a mesh of the same kind");
        return;
    }
    if (mesh->chunk > chunk)
        actor.findings.add(codes::skin_mesh_order, where, "chunk " + number(chunk),
                           "after chunk " + number(mesh->chunk));
    // A second skinning is not compared: many of them for one large mesh would take forever.
    if (actor.skinning_of(key_of(skinning, version))->chunk == chunk)
        SkinCheck{actor, actor.findings, skinning, version, where, nodes}.run(*mesh->record);
}

}  // namespace

void check_meshes(const Actor& actor) {
    check_unique(actor, actor.meshes, codes::mesh_duplicate);
    check_unique(actor, actor.skinnings, codes::skin_duplicate);
    NodeSet nodes;
    for (std::size_t chunk = 0; chunk < actor.file.chunks.size(); ++chunk) {
        const xac::Record& record = actor.file.chunks[chunk].record;
        if (const auto* mesh = std::get_if<Mesh>(&record))
            MeshCheck{actor, actor.findings, *mesh, actor.place(chunk)}.run();
        if (const auto* skinning = std::get_if<Skinning>(&record)) check_skinning(actor, *skinning, chunk, nodes);
    }
}

}  // namespace effigy::emfx::checks
