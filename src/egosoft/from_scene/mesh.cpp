/// Mesh files from the meshes of a scene.

#include <algorithm>
#include <set>
#include <zlib.h>

#include "effigy/egosoft_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/check/xmf.hpp"
#include "egosoft/from_scene/from_scene.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft {
namespace bridge {
namespace {

constexpr std::size_t max_materials = 255;

void set_name(xmf::Material& material, const std::string& name) {
    material.name = {};
    const std::string_view kept = cut(name, material.name.size() - 1);
    std::copy(kept.begin(), kept.end(), material.name.begin());
}

class MeshMaker {
public:
    MeshMaker(Making& making, const std::vector<Piece>& pieces, bool collision, const std::string& path)
        : making_(making), scene_(making.scene), pieces_(pieces), collision_(collision), path_(path) {}

    Result<xmf::File> run() {
        find_record();
        auto gathered = gather(making_, pieces_, path_);
        if (!gathered) return fail(std::move(gathered.error()));
        geometry_ = std::move(*gathered);
        if (record_ && is_kept_ && keep()) return std::move(file_);
        if (auto made = derive(); !made) return fail(std::move(made.error()));
        return std::move(file_);
    }

private:
    void find_record() {
        std::set<Index> known;
        for (const Piece& piece : pieces_) {
            const Mesh& mesh = scene_.meshes[piece.mesh];
            if (!known.insert(piece.mesh).second) continue;
            if (auto taken = making_.take(8 * mesh.extras.json.size() + mesh.extras.bulk.size(), 1, "extras"); !taken)
                return;
            record_ = mesh_record_from(mesh.extras);
            const std::optional<Target> target = making_.options.target;
            if (record_ && target && target_of(record_->file) != *target) record_.reset();
            if (!record_) continue;
            is_kept_ = pieces_.size() == 1 && making_.untouched(mesh) && piece.place == glm::dmat4(1) &&
                       scene_.nodes[piece.node].skin == no_index;
            return;
        }
    }

    // --- the mesh as it was

    bool keep() {
        if (collision_ && !xmf::is_collision_mesh(record_->file)) return false;
        file_ = record_->file;
        for (const xmf::Buffer& buffer : file_.buffers) {
            const std::uint64_t count = xmf::is_index_buffer(buffer) ? geometry_.indices.size() : geometry_.count;
            if (xmf::item_count(buffer) != count) return false;
        }
        if (!take_buffers() || !keep_materials()) return false;
        const Report before = making_.report;
        fill_vertices(making_, file_, geometry_, {&record_->json, true}, path_);
        const bool wide = std::any_of(file_.buffers.begin(), file_.buffers.end(), [](const xmf::Buffer& buffer) {
            return xmf::is_index_buffer(buffer) && buffer.item_size == 4;
        });
        fill_indices(file_, geometry_, wide);
        // Extras are untrusted, and those of a damaged file lead to one that is damaged again.
        const bool sound = !check_mesh(file_, collision_).has_errors();
        if (!sound) making_.report = before;
        if (sound && text_at(record_->json, "compression") == "default") pack_plainly();
        return sound;
    }

    /// Layouts in extras may have any number of elements.
    Result<void> take_buffers() {
        std::uint64_t size = 0;
        for (const xmf::Buffer& buffer : file_.buffers) size += 2 * std::uint64_t{buffer.item_size};
        return making_.take(std::max<std::uint64_t>(geometry_.count, geometry_.indices.size()), size, "buffers");
    }

    /// At zlib's default level, as some tools do; write() leaves streams as they are that hold the contents.
    void pack_plainly() {
        for (xmf::Buffer& buffer : file_.buffers) {
            if (buffer.compressed == 0 || file_.header.big_endian != 0) continue;
            uLongf size = compressBound(static_cast<uLong>(buffer.content.size()));
            Bytes packed(size);
            const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                         reinterpret_cast<const Bytef*>(buffer.content.data()),
                                         static_cast<uLong>(buffer.content.size()), Z_DEFAULT_COMPRESSION);
            if (result != Z_OK || file_.data.size() + size > UINT32_MAX) continue;
            buffer.data_offset = static_cast<std::uint32_t>(file_.data.size());
            buffer.stored_size = static_cast<std::uint32_t>(size);
            file_.data.insert(file_.data.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
        }
    }

    /// The records' ranges are those of the primitives; names that were changed since are the new ones.
    bool keep_materials() {
        std::vector<xmf::Material*> ranges;
        for (xmf::Material& material : file_.materials) {
            if (material.index_count != 0) ranges.push_back(&material);
        }
        if (ranges.empty()) return geometry_.ranges.size() == 1 && geometry_.ranges.front().material == no_index;
        std::stable_sort(ranges.begin(), ranges.end(),
                         [](const auto* a, const auto* b) { return a->first_index < b->first_index; });
        if (ranges.size() != geometry_.ranges.size()) return false;
        std::uint64_t next = 0;
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const Geometry::Range& range = geometry_.ranges[i];
            if (ranges[i]->first_index != next || ranges[i]->index_count != range.count) return false;
            next += range.count;
        }
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const Index material = geometry_.ranges[i].material;
            if (material >= scene_.materials.size()) continue;
            const bool same = scene_.materials[material].name == text(xmf::name_of(*ranges[i]));
            if (!same) set_name(*ranges[i], material_name(making_, material));
        }
        return true;
    }

    // --- a new one

    Result<void> derive() {
        choose_layout();
        if (auto completed = complete(making_, geometry_, wanted_, path_); !completed) return completed;
        if (geometry_.indices.empty()) {
            return fail(nothing_to_show("The mesh has no triangles with an area. Meshes are made of triangles."));
        }
        if (collision_) reduce_to_collision(geometry_);
        const Target target = making_.options.target.value_or(record_ ? target_of(record_->file) : Target::x4);
        file_ = collision_ ? collision_layout(target) : layout_ ? *layout_ : target_layout(geometry_, target);
        if (auto taken = take_buffers(); !taken) return taken;
        fill_vertices(making_, file_, geometry_, {layout_ ? &record_->json : nullptr, false}, path_);
        const bool wide = collision_ || geometry_.count > 65535;
        fill_indices(file_, geometry_, wide);
        finish_header();
        return collision_ ? Result<void>() : add_materials();
    }

    /// That of the file that the mesh comes from, where there is one.
    void choose_layout() {
        if (collision_) {
            wanted_.normals = false;
            return;
        }
        if (!record_ || xmf::is_collision_mesh(record_->file)) return;
        layout_ = reused_layout(record_->file);
        // What the games' own files say of mirrored pictures is often wrong, and is left so.
        wanted_.normals = wanted_.tangents = wanted_.sound_tangents = false;
        for (const xmf::Buffer& buffer : layout_->buffers) {
            for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
                const xmf::Usage usage = placed.element.usage;
                if (usage == xmf::Usage::position && placed.element.usage_index == 0)
                    wanted_.position = placed.element.type;
                wanted_.normals = wanted_.normals || usage == xmf::Usage::normal;
                wanted_.tangents = wanted_.tangents || usage == xmf::Usage::tangent;
            }
        }
    }

    void finish_header() {
        file_.header.vertex_count = geometry_.count;
        file_.header.index_count = static_cast<std::uint32_t>(geometry_.indices.size());
        for (xmf::Buffer& buffer : file_.buffers) {
            if (!xmf::is_index_buffer(buffer)) continue;
            buffer.item_count = file_.header.index_count;
            buffer.minimum = 0;
            buffer.maximum = geometry_.count - 1.0;
        }
    }

    Result<void> add_materials() {
        if (geometry_.ranges.size() > max_materials) {
            return fail(problem_at(path_, codes::xmf_too_many,
                                   "The mesh has more materials than the format can count. Join materials, or split "
                                   "the mesh into parts.",
                                   std::to_string(geometry_.ranges.size()), "at most 255"));
        }
        std::uint32_t first = 0;
        for (const Geometry::Range& range : geometry_.ranges) {
            xmf::Material& material = file_.materials.emplace_back();
            material.first_index = first;
            material.index_count = range.count;
            set_name(material, material_name(making_, range.material));
            first += range.count;
        }
        return {};
    }

    Making& making_;
    const Scene& scene_;
    const std::vector<Piece>& pieces_;
    bool collision_;
    const std::string& path_;
    std::optional<MeshRecord> record_;
    bool is_kept_ = false;
    Geometry geometry_;
    Wanted wanted_;
    std::optional<xmf::File> layout_;
    xmf::File file_;
};

/// Meshes that are made, in order of their nodes.
std::vector<Piece> choose_pieces(Making& making, const std::vector<MeshRole>& roles) {
    const Scene& scene = making.scene;
    const auto all_of = [&](MeshRole role, bool hidden_too) {
        std::vector<Piece> pieces;
        const std::vector<glm::dmat4> worlds = worlds_of(scene);
        for (Index i = 0; i < scene.nodes.size(); ++i) {
            if (roles[i] != role || (scene.nodes[i].hidden && !hidden_too)) continue;
            pieces.push_back({i, scene.nodes[i].mesh, worlds[i]});
        }
        return pieces;
    };
    std::vector<Piece> pieces;
    if (making.options.collision) pieces = all_of(MeshRole::collision, true);
    if (pieces.empty()) pieces = all_of(MeshRole::shown, false);
    for (const MeshRole role : {MeshRole::shown, MeshRole::collision, MeshRole::wreck, MeshRole::level}) {
        if (pieces.empty()) pieces = all_of(role, true);
    }
    return pieces;
}

Result<Loaded<xmf::File>> convert(const Scene& scene, const FromSceneOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    Making making = start(scene, options);
    const std::vector<MeshRole> roles = roles_of(scene);
    const std::vector<Piece> pieces = choose_pieces(making, roles);
    if (pieces.empty()) return fail(nothing_to_show("The scene has no meshes."));
    const bool collision =
        options.collision || std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
            return roles[piece.node] == MeshRole::collision || flag_at(making.record_of_mesh(piece.mesh), "collision");
        });
    const std::string path = pieces.size() == 1 ? "meshes[" + std::to_string(pieces.front().mesh) + "] " +
                                                      scene.meshes[pieces.front().mesh].name
                                                : "meshes";
    const auto with_mesh = std::count_if(roles.begin(), roles.end(), [](MeshRole r) { return r != MeshRole::none; });
    auto made = make_mesh(making, pieces, collision, path);
    if (!made) return fail(std::move(made.error()));
    const std::size_t left = static_cast<std::size_t>(with_mesh) - pieces.size();
    if (left != 0) {
        making.note(codes::xmf_meshes_left, "nodes",
                    "Levels of detail, collision meshes and wrecks are files of their own; write a component to get "
                    "all of them.",
                    std::to_string(left) + " meshes");
    }
    if (!scene.clips.empty()) {
        making.note(codes::xmf_clips_left, "animations",
                    "Animations stand in an ANI file beside a component; they are left out.",
                    std::to_string(scene.clips.size()));
    }
    making.note_once();
    return Loaded<xmf::File>{std::move(*made), std::move(making.report)};
}

}  // namespace

std::vector<MeshRole> roles_of(const Scene& scene) {
    std::vector<MeshRole> roles(scene.nodes.size(), MeshRole::none);
    std::set<std::string> finest;
    std::vector<MeshName> names;
    std::vector<bool> is_lod(scene.nodes.size(), false);
    for (const Node& node : scene.nodes) {
        for (const Index lod : node.lods) {
            if (lod < is_lod.size()) is_lod[lod] = true;
        }
        names.push_back(parse_mesh_name(node.name));
        if (names.back().kind == MeshName::Kind::level && names.back().number == 0 && node.mesh != no_index)
            finest.insert(names.back().part);
    }
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh >= scene.meshes.size()) continue;
        const std::string kind = text_at(record_of(node.extras), "kind").value_or("");
        const bool lower = names[i].kind == MeshName::Kind::level && names[i].number > 0;
        roles[i] = node.collision || kind == "collision" || names[i].kind == MeshName::Kind::collision
                       ? MeshRole::collision
                   : kind == "wreck"                                        ? MeshRole::wreck
                   : is_lod[i] || (lower && finest.contains(names[i].part)) ? MeshRole::level
                                                                            : MeshRole::shown;
    }
    return roles;
}

Result<xmf::File> make_mesh(Making& making, const std::vector<Piece>& pieces, bool collision, const std::string& path) {
    return MeshMaker(making, pieces, collision, path).run();
}

}  // namespace bridge

Result<Loaded<xmf::File>> mesh_from_scene(const Scene& scene, const FromSceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(scene, options); });
}

}  // namespace effigy::egosoft
