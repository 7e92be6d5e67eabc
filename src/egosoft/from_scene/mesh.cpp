/// Mesh files from the meshes of a scene.

#include <algorithm>
#include <set>
#include <utility>
#include <zlib.h>

#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/file/xmf_streams.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "scene/level_names.hpp"

namespace effigy::egosoft {
namespace bridge {
namespace {

constexpr std::size_t max_materials = 255;

void set_name(xmf::Material& material, const std::string& name) {
    material.name = {};
    const std::string_view kept = cut(name, material.name.size() - 1);
    std::copy(kept.begin(), kept.end(), material.name.begin());
}

/// The file that a mesh comes from, and whether nobody has touched the mesh since.
struct OldMesh {
    std::optional<MeshRecord> record;
    bool is_untouched = false;
    bool is_refused = false;  ///< there is a record, which is of a damaged file
};

/// That of the first mesh which has one for the target.
OldMesh old_mesh(Context& context, const std::vector<Piece>& pieces) {
    std::set<Index> known;
    for (const Piece& piece : pieces) {
        const Mesh& mesh = context.scene.meshes[piece.mesh];
        if (!known.insert(piece.mesh).second) continue;
        if (auto taken = context.take(8 * mesh.extras.json.size() + mesh.extras.bulk.size(), 1, "extras"); !taken)
            return {};
        std::optional<MeshRecord> record = mesh_record_from(mesh.extras);
        const std::optional<Target> target = context.options.target;
        if (record && target && target_of(record->file) != *target) continue;
        const bool is_untouched = pieces.size() == 1 && context.untouched(mesh) && piece.place == glm::dmat4(1) &&
                                  context.scene.nodes[piece.node].skin == no_index;
        if (record) return {std::move(record), is_untouched};
        if (is_untouched && member(context.record_of_mesh(piece.mesh), "buffers") != nullptr) return {{}, false, true};
    }
    return {};
}

/// For contents, and for these compressed. Layouts in extras may have any number of elements.
Result<void> take_buffers(Context& context, const xmf::File& file, const Geometry& geometry) {
    for (const xmf::Buffer& buffer : file.buffers) {
        const bool is_indices = xmf::is_index_buffer(buffer);
        const std::uint64_t count = is_indices ? geometry.indices.size() : geometry.count;
        const std::uint64_t size = is_indices ? sizeof(std::uint32_t) : buffer.item_size;
        if (auto taken = context.take(count, 2 * size, "buffers"); !taken) return taken;
    }
    return {};
}

// --- the mesh as it was

/// At zlib's default level, as some tools do; write() leaves streams as they are that hold the contents.
void pack_plainly(xmf::File& file) {
    for (xmf::Buffer& buffer : file.buffers) {
        if (buffer.compressed == 0 || file.header.big_endian != 0) continue;
        const Bytes packed = compressed(buffer.content, Z_DEFAULT_COMPRESSION);
        if (file.data.size() + packed.size() > UINT32_MAX) continue;
        buffer.data_offset = static_cast<std::uint32_t>(file.data.size());
        buffer.stored_size = static_cast<std::uint32_t>(packed.size());
        file.data.insert(file.data.end(), packed.begin(), packed.end());
    }
}

/// The materials of the records' ranges, if these are the primitives and nothing is between them but what has no
/// material.
std::optional<std::vector<Index>> without_gaps(const std::vector<xmf::Material*>& records,
                                               const std::vector<Geometry::Range>& ranges) {
    std::vector<Index> materials;
    std::uint64_t first = 0;
    for (const Geometry::Range& range : ranges) {
        const xmf::Material* next = materials.size() < records.size() ? records[materials.size()] : nullptr;
        if (next != nullptr && next->first_index == first && next->index_count == range.count) {
            materials.push_back(range.material);
        } else if (range.material != no_index) {
            return std::nullopt;
        }
        first += range.count;
    }
    return materials.size() == records.size() ? std::optional(std::move(materials)) : std::nullopt;
}

/// The records' ranges are those of the primitives; names that were changed since are the new ones.
bool keep_materials(Context& context, xmf::File& file, const Geometry& geometry) {
    std::vector<xmf::Material*> ranges;
    for (xmf::Material& material : file.materials) {
        if (material.index_count != 0) ranges.push_back(&material);
    }
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const auto* a, const auto* b) { return a->first_index < b->first_index; });
    const auto named = without_gaps(ranges, geometry.ranges);
    if (!named) return false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const Index material = (*named)[i];
        if (material >= context.scene.materials.size()) continue;
        const std::string& own = context.scene.materials[material].name;
        const bool same_name = own == text(xmf::name_of(*ranges[i]));
        // A mod gets entries of materials that were edited, whatever has them.
        const bool may_be_mods = context.options.for_mod && std::count(own.begin(), own.end(), '.') == 1;
        if (same_name && !may_be_mods) {
            context.kept_materials.insert(material);
            continue;
        }
        const std::string name = material_name(context, material);
        if (!same_name || name != plain_name(own, "")) set_name(*ranges[i], name);
    }
    return true;
}

/// Nothing where the record does not fit what the mesh says.
std::optional<xmf::File> kept_file(Context& context, const MeshRecord& record, const Geometry& geometry, bool collision,
                                   const std::string& path) {
    xmf::File file = record.file;
    bool wide = false;
    for (const xmf::Buffer& buffer : file.buffers) {
        const bool is_indices = xmf::is_index_buffer(buffer);
        if (xmf::item_count(buffer) != (is_indices ? geometry.indices.size() : geometry.count)) return std::nullopt;
        wide = wide || (is_indices && buffer.item_size == 4);
    }
    if (!take_buffers(context, file, geometry) || !keep_materials(context, file, geometry)) return std::nullopt;
    const Report before = context.report;
    fill_vertices(context, file, geometry, {&record.json, true}, path);
    fill_indices(file, geometry, wide);
    // Extras are untrusted, and those of a damaged file lead to one that is damaged again.
    if (check_mesh(file, collision).has_errors()) {
        context.report = before;
        return std::nullopt;
    }
    if (text_at(record.json, "compression") == "default") pack_plainly(file);
    return file;
}

// --- a new one

/// What a layout from a file has room for. What the games' own files say of mirrored pictures is often wrong, and is
/// left so.
MeshNeeds needs_of(const xmf::File& layout) {
    MeshNeeds needs{.normals = false, .tangents = false, .sound_tangents = false};
    for (const xmf::Buffer& buffer : layout.buffers) {
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            const xmf::Usage usage = placed.element.usage;
            if (usage == xmf::Usage::position && placed.element.usage_index == 0) needs.position = placed.element.type;
            needs.normals = needs.normals || usage == xmf::Usage::normal;
            needs.tangents = needs.tangents || usage == xmf::Usage::tangent;
        }
    }
    return needs;
}

void finish_header(xmf::File& file, const Geometry& geometry) {
    file.header.vertex_count = geometry.count;
    file.header.index_count = static_cast<std::uint32_t>(geometry.indices.size());
    for (xmf::Buffer& buffer : file.buffers) {
        if (!xmf::is_index_buffer(buffer)) continue;
        buffer.item_count = file.header.index_count;
        buffer.minimum = 0;
        buffer.maximum = geometry.count - 1.0;
    }
}

Result<void> add_materials(Context& context, xmf::File& file, const Geometry& geometry, const std::string& path) {
    if (geometry.ranges.size() > max_materials) {
        return fail(problem_at(path, codes::xmf_too_many,
                               "The mesh has more materials than the format can count. Join materials, or split the "
                               "mesh into parts.",
                               std::to_string(geometry.ranges.size()), "at most 255"));
    }
    std::uint32_t first = 0;
    for (const Geometry::Range& range : geometry.ranges) {
        xmf::Material& material = file.materials.emplace_back();
        material.first_index = first;
        material.index_count = range.count;
        set_name(material, material_name(context, range.material));
        first += range.count;
    }
    return {};
}

/// The game that is asked for, else the one that the mesh comes from.
Target target_for(const Context& context, const std::optional<MeshRecord>& record) {
    return context.options.target.value_or(record ? target_of(record->file) : Target::x4);
}

/// In the layout of the file that the mesh comes from, where there is one.
Result<xmf::File> new_file(Context& context, const std::optional<MeshRecord>& record, Geometry geometry, bool collision,
                           const std::string& path) {
    const bool reuses = !collision && record && !xmf::is_collision_mesh(record->file);
    std::optional<xmf::File> layout;
    if (reuses) layout = reused_layout(record->file);
    const MeshNeeds needs = layout ? needs_of(*layout) : MeshNeeds{.normals = !collision};
    // All materials of a mod have pictures, plain colours too, which show nothing on meshes without coordinates.
    if (context.options.for_mod && !collision && !layout && geometry.texcoords.empty())
        geometry.texcoords.emplace_back(geometry.count);
    if (auto completed = complete(context, geometry, needs, path); !completed) return fail(completed.error());
    if (geometry.indices.empty())
        return fail(nothing_to_show("The mesh has no triangles with an area. Meshes are made of triangles."));
    if (collision) reduce_to_collision(geometry);
    const Target target = target_for(context, record);
    xmf::File file = collision ? collision_layout(target) : layout ? *layout : target_layout(geometry, target);
    if (auto taken = take_buffers(context, file, geometry); !taken) return fail(taken.error());
    fill_vertices(context, file, geometry, {layout ? &record->json : nullptr, false}, path);
    fill_indices(file, geometry, collision || geometry.count > 65535);
    finish_header(file, geometry);
    if (collision) return file;
    if (auto added = add_materials(context, file, geometry, path); !added) return fail(added.error());
    return file;
}

/// Meshes that are made, in order of their nodes.
std::vector<Piece> choose_pieces(const Context& context, const std::vector<MeshRole>& roles) {
    const Scene& scene = context.scene;
    const std::vector<glm::dmat4> worlds = worlds_of(scene);
    const std::vector<bool> hidden = hidden_nodes(scene);
    std::vector<Piece> pieces;
    const auto try_role = [&](MeshRole role, bool hidden_too) {
        for (Index i = 0; i < scene.nodes.size(); ++i) {
            if (roles[i] == role && (hidden_too || !hidden[i])) pieces.push_back({i, scene.nodes[i].mesh, worlds[i]});
        }
    };
    if (context.options.collision) try_role(MeshRole::collision, true);
    if (pieces.empty()) try_role(MeshRole::visible, false);
    for (const MeshRole role : {MeshRole::visible, MeshRole::collision, MeshRole::wreck, MeshRole::level}) {
        if (pieces.empty()) try_role(role, true);
    }
    return pieces;
}

Result<Loaded<xmf::File>> convert(const Scene& scene, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_indices(scene); !checked) return fail(std::move(checked.error()));
    Context context = start(scene, options);
    const std::vector<MeshRole> roles = roles_of(scene);
    const std::vector<Piece> pieces = choose_pieces(context, roles);
    if (pieces.empty()) return fail(nothing_to_show("The scene has no meshes."));
    const bool collision =
        options.collision || std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
            return roles[piece.node] == MeshRole::collision || flag_at(context.record_of_mesh(piece.mesh), "collision");
        });
    const std::string path = pieces.size() == 1 ? "meshes[" + std::to_string(pieces.front().mesh) + "] " +
                                                      scene.meshes[pieces.front().mesh].name
                                                : "meshes";
    const auto with_mesh = std::count_if(roles.begin(), roles.end(), [](MeshRole r) { return r != MeshRole::none; });
    auto made = make_mesh(context, pieces, collision, path);
    if (!made) return fail(std::move(made.error()));
    const std::size_t left = static_cast<std::size_t>(with_mesh) - pieces.size();
    context.note_any(left, codes::xmf_meshes_left, "nodes",
                     "Levels of detail, collision meshes and wrecks are files of their own; write a component to get "
                     "all of them.",
                     " meshes");
    if (!scene.clips.empty()) {
        context.note(codes::xmf_clips_left, "animations",
                     "Animations stand in an ANI file beside a component; they are left out.",
                     std::to_string(scene.clips.size()));
    }
    context.note_once();
    return Loaded<xmf::File>{std::move(*made), std::move(context.report)};
}

}  // namespace

namespace {

/// Nodes with meshes by the names that artists give them: `<part>-lod1`, `<part>_wreck` and so on beside a `<part>`.
struct NamedMeshes {
    std::vector<LevelName> names{};  ///< of each node
    PartFinder finest;

    explicit NamedMeshes(const Scene& scene) : finest(scene) {
        for (Index i = 0; i < scene.nodes.size(); ++i) {
            const LevelName& name = names.emplace_back(parse_level_name(scene.nodes[i].name));
            const bool is_finest = name.kind != LevelName::Kind::collision && name.number == 0;
            if (is_finest && scene.nodes[i].mesh != no_index) finest.add(i);
        }
    }

    [[nodiscard]] bool is_level(const Scene& scene, Index node) const {
        const LevelName& name = names[node];
        return name.kind == LevelName::Kind::level && name.number > 0 &&
               finest.find(part_name_of(scene.nodes[node].name), node) != no_index;
    }
    [[nodiscard]] bool is_wreck(const Scene& scene, Index node) const {
        const PartName name = part_name_of(scene.nodes[node].name);
        const auto part = part_of_wreck(name.stem);
        return part && finest.find({std::string(*part), name.copy}, node) != no_index;
    }
};

}  // namespace

std::vector<MeshRole> roles_of(const Scene& scene) {
    std::vector<MeshRole> roles(scene.nodes.size(), MeshRole::none);
    std::vector<bool> is_lod(scene.nodes.size(), false);
    for (const Node& node : scene.nodes) {
        for (const Index lod : node.lods) {
            if (lod < is_lod.size()) is_lod[lod] = true;
        }
    }
    const NamedMeshes named(scene);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh >= scene.meshes.size()) continue;
        const std::string kind = text_at(record_of(node.extras), "kind").value_or("");
        const bool is_collision =
            node.collision || kind == "collision" || named.names[i].kind == LevelName::Kind::collision;
        roles[i] = is_collision                               ? MeshRole::collision
                   : kind == "wreck"                          ? MeshRole::wreck
                   : is_lod[i] || named.is_level(scene, i)    ? MeshRole::level
                   : kind.empty() && named.is_wreck(scene, i) ? MeshRole::wreck
                                                              : MeshRole::visible;
    }
    return roles;
}

Result<xmf::File> make_mesh(Context& context, const std::vector<Piece>& pieces, bool collision,
                            const std::string& path) {
    const OldMesh old = old_mesh(context, pieces);
    const bool is_made_of_level = collision && !context.scene.nodes[pieces.front().node].collision;
    auto geometry = gather(context, pieces, target_for(context, old.record), !is_made_of_level, path);
    if (!geometry) return fail(std::move(geometry.error()));
    if (old.is_untouched && (!collision || xmf::is_collision_mesh(old.record->file))) {
        const std::uint64_t used = context.budget.used();
        if (auto kept = kept_file(context, *old.record, *geometry, collision, path)) return std::move(*kept);
        context.budget.give_back(context.budget.used() - used);
        context.note(codes::xmf_made_anew, path);
    }
    if (old.is_refused && !is_made_of_level) context.note(codes::xmf_made_anew, path);
    return new_file(context, old.record, std::move(*geometry), collision, path);
}

}  // namespace bridge

Result<Loaded<xmf::File>> mesh_from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(scene, options); });
}

}  // namespace effigy::egosoft
