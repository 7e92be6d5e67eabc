/// The parts of an actor as a file: in the order of the old file, or in that of the exporters.

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "emfx/file/container_write.hpp"
#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/extras.hpp"

namespace effigy::emfx::bridge {
namespace {

/// Chunks in the order in which engines want them.
enum Rank : int { info, nodes, limits, material_info, materials, meshes, morphs, groups, levels, rank_count };

int rank_of(const xac::Chunk& chunk) {
    constexpr std::array<Rank, 16> by_id{nodes,  meshes, meshes, materials, materials, materials,     limits, info,
                                         levels, morphs, groups, nodes,     morphs,    material_info, groups, groups};
    return chunk.id < by_id.size() ? by_id[chunk.id] : -1;
}

using FreshChunks = std::array<std::vector<xac::Chunk>, rank_count>;

std::uint32_t count_roots(const xac::Nodes& list) {
    return static_cast<std::uint32_t>(std::count_if(
        list.nodes.begin(), list.nodes.end(), [&](const xac::Node& node) { return node.parent >= list.nodes.size(); }));
}

bool has_meshes(const Json& file) {
    const Json& chunks = chunks_of(file);
    return std::any_of(chunks.begin(), chunks.end(),
                       [](const Json& chunk) { return number_member(chunk, "id") == 1u; });
}

bool are_meshes_raw(const FileParts& parts) {
    return std::all_of(parts.meshes.begin(), parts.meshes.end(), [](const auto& mesh) { return mesh.is_raw; });
}

bool is_untouched(const FileParts& parts) {
    return are_meshes_raw(parts) &&
           std::all_of(parts.materials.begin(), parts.materials.end(), [](const auto& m) { return m.is_raw; });
}

/// Version 1 has a list for each vertex.
void split_table(xac::Skinning& skinning) {
    for (const xac::InfluenceRange& range : skinning.ranges) {
        xac::VertexInfluences& vertex = skinning.vertices.emplace_back();
        const std::size_t all = skinning.influences.size();
        const std::size_t first = std::min<std::size_t>(range.first, all);
        const std::size_t count = std::min<std::size_t>({range.count, all - first, 255});
        const auto begin = skinning.influences.begin() + static_cast<std::ptrdiff_t>(first);
        vertex.influences.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    skinning.influences = {};
    skinning.ranges = {};
}

void add_limit(Build& build, const Json& extras, std::uint32_t number, FreshChunks& fresh) {
    const Json* json = member(extras, "limit");
    if (json == nullptr || !json->is_object()) return;
    xac::Limit limit;
    if (!read_record(build, *json, 1, limit)) return;
    limit.node = number;
    fresh[limits].push_back({6, 1, std::nullopt, limit, {}});
}

/// What nodes say about limits, groups, attachments and mirroring where nothing else is left of the old file.
void add_notes(Build& build, FreshChunks& fresh) {
    std::map<std::string, Bulk<std::uint16_t>> node_groups;
    Bulk<std::uint16_t> attachments;
    Bulk<std::uint16_t> sources(build.nodes.size(), std::uint16_t{0xffff});
    bool mirrors = false;
    for (std::size_t i = 0; i < build.nodes.size(); ++i) {
        const Json extras = record_of(build.scene.nodes[build.nodes[i].scene_node].extras);
        const auto number = static_cast<std::uint16_t>(i);
        add_limit(build, extras, number, fresh);
        if (flag_at(extras, "attachment")) attachments.push_back(number);
        const auto source = number_member(extras, "motion_source");
        if (source && build.numbers_kept && *source < build.nodes.size()) {
            sources[i] = static_cast<std::uint16_t>(*source);
            mirrors = true;
        }
        std::set<std::string> names;
        for (const Json& name : list_member(extras, "groups")) {
            if (auto text = text_from_json(name); text && names.insert(*text).second)
                node_groups[*text].push_back(number);
        }
    }
    if (!node_groups.empty()) {
        xac::NodeGroups record;
        for (auto& [name, list] : node_groups) record.groups.push_back({0, {}, name, std::move(list)});
        fresh[groups].push_back({10, 1, std::nullopt, std::move(record), {}});
    }
    if (mirrors) {
        xac::NodeMotionSources mirror;
        mirror.sources = std::move(sources);
        fresh[groups].push_back({14, 1, std::nullopt, std::move(mirror), {}});
    }
    if (attachments.empty()) return;
    xac::AttachmentNodes record;
    record.nodes = std::move(attachments);
    fresh[groups].push_back({15, 1, std::nullopt, std::move(record), {}});
}

/// Each kind behind the last chunk that comes before it in the usual order.
void insert_fresh(xac::File& file, FreshChunks& fresh) {
    for (int rank = 0; rank < rank_count; ++rank) {
        auto& list = fresh[static_cast<std::size_t>(rank)];
        if (list.empty()) continue;
        std::size_t at = file.chunks.size();
        while (at > 0) {
            const int before = rank_of(file.chunks[at - 1]);
            if (before >= 0 && before <= rank) break;
            --at;
        }
        file.chunks.insert(file.chunks.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(list.begin()),
                           std::make_move_iterator(list.end()));
    }
}

/// Takes records of the old file over to the node numbers of today.
struct NodeUpdate {
    const FileParts& parts;
    bool& is_raw;  ///< becomes false where anything changes

    [[nodiscard]] std::uint32_t number(std::uint32_t node) const {
        const std::uint32_t now = parts.numbering.of_old(node);
        is_raw = is_raw && now == node;
        return now;
    }

    void list(Bulk<std::uint16_t>& nodes) const {
        std::size_t kept = 0;
        for (const std::uint16_t node : nodes) {
            const std::uint32_t now = number(node);
            if (now <= 0xffff) nodes[kept++] = static_cast<std::uint16_t>(now);
        }
        nodes.resize(kept);
    }

    void sources(xac::NodeMotionSources& mirror) const {
        if (parts.are_nodes_raw) return;
        is_raw = false;
        xac::NodeMotionSources now;
        now.has_axes = mirror.has_axes && mirror.axes.size() == mirror.sources.size() &&
                       mirror.flags.size() == mirror.sources.size();
        const std::size_t count = parts.nodes.size();
        now.sources.assign(count, std::uint16_t{0xffff});
        if (now.has_axes) now.axes.assign(count, std::uint8_t{0});
        if (now.has_axes) now.flags.assign(count, std::uint8_t{0});
        for (std::uint32_t old = 0; old < mirror.sources.size(); ++old) {
            const std::uint32_t node = parts.numbering.of_old(old);
            const std::uint32_t source = parts.numbering.of_old(mirror.sources[old]);
            if (node >= count || source >= count) continue;
            now.sources[node] = static_cast<std::uint16_t>(source);
            if (!now.has_axes) continue;
            now.axes[node] = mirror.axes[old];
            now.flags[node] = mirror.flags[old];
        }
        mirror = std::move(now);
    }

    void morph_target(xac::MorphTarget& target) const {
        for (xac::MorphDeformation& deformation : target.deformations) deformation.node = number(deformation.node);
        std::erase_if(target.deformations, [](const auto& d) { return d.node == no_number; });
        for (xac::MorphTransformation& transformation : target.transformations) {
            transformation.node = number(transformation.node);
        }
        std::erase_if(target.transformations, [](const auto& t) { return t.node == no_number; });
    }
};

class Assembler {
public:
    Assembler(Build& build, std::size_t number, std::size_t& next_file)
        : build_(build), parts_(build.files[number]), number_(number), next_file_(next_file) {}

    Result<xac::File> run() {
        prepare();
        const Json& chunks = chunks_of(parts_.json);
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            if (auto added = add_old(chunks[i], i); !added) return fail(std::move(added.error()));
        }
        add_new();
        if (auto added = add_new_levels(); !added) return fail(std::move(added.error()));
        insert_fresh(file_, fresh_);
        if (auto added = add_morphs(build_, parts_, file_, keeps_morphs_); !added)
            return fail(std::move(added.error()));
        return std::move(file_);
    }

private:
    void prepare() {
        (void)read_frame(build_.budget, build_.options, parts_.json, file_);
        if (parts_.json.empty() || build_.map.is_ported)
            file_.header.multiplication_order = build_.map.multiplication_order;
        for (std::size_t i = 0; i < parts_.materials.size(); ++i) {
            settle_layers(parts_.materials[i], i);
            if (parts_.materials[i].chunk) material_at_.try_emplace(*parts_.materials[i].chunk, i);
        }
        const Json& chunks = chunks_of(parts_.json);
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            if (has_id(i, 3) || has_id(i, 5)) old_materials_.push_back(i);
        }
        for (std::size_t i = 0; i < parts_.meshes.size(); ++i) find_place(i);
    }

    /// A material that does not stand where it stood has all its layers in itself. Every layer says whose it is.
    static void settle_layers(NativeMaterial& material, std::size_t number) {
        auto* const standard = std::get_if<xac::StandardMaterial>(&material.record);
        if (standard == nullptr || (material.is_raw && material.chunk)) return;
        join_layers(*standard, material.separate_layers);
        for (xac::MaterialLayer& layer : standard->layers) layer.material = static_cast<std::uint16_t>(number);
    }

    [[nodiscard]] bool has_id(std::size_t chunk, std::uint64_t id) const {
        const Json& chunks = chunks_of(parts_.json);
        return chunk < chunks.size() && number_member(chunks[chunk], "id") == id;
    }

    /// A mesh that cannot stand where it stood, its skinning behind it, is a new one.
    void find_place(std::size_t number) {
        NativeMesh& mesh = parts_.meshes[number];
        const bool skinning_fits =
            !mesh.skinning || (mesh.chunk && mesh.skinning_chunk && *mesh.skinning_chunk > *mesh.chunk &&
                               has_id(*mesh.skinning_chunk, 2) && !skinning_at_.contains(*mesh.skinning_chunk));
        const bool fits = mesh.chunk && has_id(*mesh.chunk, 1) && !mesh_at_.contains(*mesh.chunk);
        const bool is_as_it_was = mesh.is_raw && fits;  // even with its skinning before it, or shared
        if (!fits || (!skinning_fits && !is_as_it_was)) {
            mesh.chunk.reset();
            return;
        }
        mesh_at_.emplace(*mesh.chunk, number);
        if (mesh.skinning && mesh.skinning_chunk) skinning_at_.try_emplace(*mesh.skinning_chunk, number);
    }

    // --- chunks of the old file

    Result<void> add_old(const Json& json, std::size_t index) {
        const auto id = number_member(json, "id").value_or(no_number);
        const auto version = number_member(json, "version").value_or(1);
        if (id > no_number - 1 || version > no_number - 1) return {};
        xac::Chunk chunk{
            static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(version), std::nullopt, Opaque{}, {}};
        const Json* record = member(json, "record");
        is_raw_ = true;
        if (auto bytes = record == nullptr ? std::nullopt : bytes_at(*record, "bytes"); bytes && chunk.id != 8) {
            // What is known refers to nodes by their numbers.
            if (!parts_.are_nodes_raw && XacFormat::make_record(chunk.id, chunk.version)) return {};
            const bool has_morphs = rank_of(chunk) == morphs;
            if (has_morphs && !is_untouched(parts_)) return {};
            keeps_morphs_ = keeps_morphs_ || has_morphs;
            chunk.record = Opaque{std::move(*bytes)};
            return keep(std::move(chunk), json);
        }
        auto made = XacFormat::make_record(chunk.id, chunk.version);
        if (!made) return {};
        chunk.record = std::move(*made);
        static const Json nothing = Json::object();
        auto kept = fill(chunk, record == nullptr ? nothing : *record, index);
        if (!kept) return fail(std::move(kept.error()));
        return *kept ? keep(std::move(chunk), json) : Result<void>{};
    }

    /// With the declared size and what stood behind, if it is what it was.
    Result<void> keep(xac::Chunk chunk, const Json& json) {
        if (is_raw_) {
            chunk.size = size_member(json);
            if (auto bytes = bytes_at(json, "trailing")) chunk.trailing = std::move(*bytes);
        }
        file_.chunks.push_back(std::move(chunk));
        return {};
    }

    /// Returns whether the chunk stays.
    Result<bool> fill(xac::Chunk& chunk, const Json& json, std::size_t index) {
        if (chunk.id == 0 || chunk.id == 11) return fill_nodes(chunk, json);
        if (chunk.id == 3 || chunk.id == 5) return fill_material(chunk, index);
        if (chunk.id == 1) return fill_mesh(chunk, index);
        if (chunk.id == 2) return fill_skinning(chunk, index);
        if (chunk.id == 8) return fill_level(chunk, json);
        bool read = true;
        std::visit(
            [&](auto& record) {
                using Record = std::remove_cvref_t<decltype(record)>;
                if constexpr (!std::is_same_v<Record, Opaque> && !std::is_same_v<Record, xac::MeshLod>) {
                    read = read_record(build_, json, chunk.version, record);
                }
            },
            chunk.record);
        if (!read) return fail(build_.memory_limit());
        return adapt(chunk.record, chunk.version);
    }

    /// Node and material numbers of today; false if what the record is about is gone.
    bool adapt(xac::Record& record, std::uint32_t version) {
        const NodeUpdate update{parts_, is_raw_};
        if (auto* found = std::get_if<xac::Info>(&record)) {
            for (std::uint32_t* node :
                 {&found->reposition_node, &found->trajectory_node, &found->motion_extraction_node}) {
                if (*node != xac::no_node) *node = update.number(*node);
                if (!parts_.are_nodes_raw && *node >= parts_.nodes.size()) *node = xac::no_node;
            }
        } else if (auto* limit = std::get_if<xac::Limit>(&record)) {
            limit->node = update.number(limit->node);
            return limit->node != no_number;
        } else if (auto* list = std::get_if<xac::NodeGroups>(&record)) {
            for (xac::NodeGroup& group : list->groups) update.list(group.nodes);
        } else if (auto* attachments = std::get_if<xac::AttachmentNodes>(&record)) {
            update.list(attachments->nodes);
        } else if (auto* mirror = std::get_if<xac::NodeMotionSources>(&record)) {
            update.sources(*mirror);
        } else if (auto* counts = std::get_if<xac::MaterialInfo>(&record)) {
            adapt_counts(*counts, version);
        } else if (auto* layer = std::get_if<xac::MaterialLayer>(&record)) {
            return adapt_layer(*layer);
        } else if (std::holds_alternative<xac::MorphTarget>(record) ||
                   std::holds_alternative<xac::MorphTargets>(record)) {
            is_raw_ = is_raw_ && are_meshes_raw(parts_);
            for (xac::MorphTarget& one : records_in(record, &xac::MorphTargets::targets)) update.morph_target(one);
        }
        return true;
    }

    [[nodiscard]] bool are_materials_raw() const {
        return material_at_.size() == old_materials_.size() && parts_.materials.size() == old_materials_.size();
    }

    /// From version 2 on, each level of detail has its own.
    void adapt_counts(xac::MaterialInfo& counts, std::uint32_t version) {
        if (are_materials_raw() && !build_.map.is_ported) return;
        is_raw_ = false;
        counts = count_materials(version < 2 ? std::nullopt : std::optional(counts.lod));
    }

    /// Those of one level of detail, or all.
    [[nodiscard]] xac::MaterialInfo count_materials(std::optional<std::uint32_t> lod) const {
        xac::MaterialInfo counts;
        counts.lod = lod.value_or(0);
        for (const NativeMaterial& material : parts_.materials) {
            if (lod && lod_of(material) != *lod) continue;
            ++counts.total;
            ++(std::holds_alternative<xac::FxMaterial>(material.record) ? counts.fx : counts.standard);
        }
        return counts;
    }

    /// A texture in a chunk of its own stays with a material that is what it was.
    bool adapt_layer(xac::MaterialLayer& layer) {
        if (layer.material >= old_materials_.size()) return are_materials_raw();
        const auto found = material_at_.find(old_materials_[layer.material]);
        if (found == material_at_.end() || !parts_.materials[found->second].is_raw) return false;
        is_raw_ = is_raw_ && layer.material == found->second;
        layer.material = static_cast<std::uint16_t>(found->second);
        return true;
    }

    Result<bool> fill_nodes(xac::Chunk& chunk, const Json& json) {
        if (!parts_.are_nodes_raw) {
            if (next_node_ != 0) return false;
            is_raw_ = false;
            chunk = nodes_chunk();
            return true;
        }
        if (auto* node = std::get_if<xac::Node>(&chunk.record)) {
            if (next_node_ >= parts_.nodes.size()) return false;
            *node = parts_.nodes[next_node_++];
            return true;
        }
        auto& list = std::get<xac::Nodes>(chunk.record);
        const std::size_t rest = parts_.nodes.size() - next_node_;
        const std::uint64_t single = parts_.json.is_object() ? number_member(json, "node_count").value_or(rest) : rest;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(single, rest));
        const auto first = parts_.nodes.begin() + static_cast<std::ptrdiff_t>(next_node_);
        list.nodes.assign(first, first + static_cast<std::ptrdiff_t>(count));
        next_node_ += count;
        list.root_count = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(number_member(json, "root_count").value_or(count_roots(list)), no_number));
        return true;
    }

    xac::Chunk nodes_chunk() {
        xac::Nodes list;
        list.nodes = parts_.nodes;
        list.root_count = count_roots(list);
        next_node_ = list.nodes.size();
        return {11, 1, std::nullopt, std::move(list), {}};
    }

    static xac::Chunk material_chunk(const NativeMaterial& material) {
        const bool fx = std::holds_alternative<xac::FxMaterial>(material.record);
        const std::uint32_t version = lod_of(material) == 0 ? material.version : std::max(material.version, 3u);
        return {fx ? 5u : 3u, version, std::nullopt, material.record, {}};
    }

    Result<bool> fill_material(xac::Chunk& chunk, std::size_t index) {
        const auto found = material_at_.find(index);
        if (found == material_at_.end()) return false;
        NativeMaterial& material = parts_.materials[found->second];
        is_raw_ = material.is_raw;
        const xac::Chunk fresh = material_chunk(material);
        // Version 1 has its textures in other chunks, which a changed material does not use.
        const bool same_kind = fresh.id == chunk.id && (material.is_raw || chunk.version >= 2);
        if (!same_kind) {
            chunk = fresh;
        } else {
            chunk.record = material.record;
        }
        return true;
    }

    static xac::Chunk mesh_chunk(NativeMesh& native) {
        const std::uint32_t version = native.mesh.lod == 0 ? 1 : 2;
        return {1, version, std::nullopt, std::move(native.mesh), {}};
    }

    static xac::Chunk skinning_chunk(NativeMesh& native) {
        const std::uint32_t version = native.skinning->lod == 0 ? 3 : 4;
        return {2, version, std::nullopt, std::move(*native.skinning), {}};
    }

    Result<bool> fill_mesh(xac::Chunk& chunk, std::size_t index) {
        const auto found = mesh_at_.find(index);
        if (found == mesh_at_.end()) return false;
        NativeMesh& native = parts_.meshes[found->second];
        is_raw_ = native.is_raw;
        if (native.mesh.lod != 0) chunk.version = std::max(chunk.version, 2u);
        chunk.record = std::move(native.mesh);
        return true;
    }

    Result<bool> fill_skinning(xac::Chunk& chunk, std::size_t index) {
        const auto found = skinning_at_.find(index);
        if (found == skinning_at_.end()) return false;
        NativeMesh& native = parts_.meshes[found->second];
        is_raw_ = native.is_raw;
        if (native.skinning->lod != 0) chunk.version = std::max(chunk.version, 4u);
        if (chunk.version == 1) split_table(*native.skinning);
        chunk.record = std::move(*native.skinning);
        native.skinning.reset();
        return true;
    }

    Result<bool> fill_level(xac::Chunk& chunk, const Json& json) {
        auto& level = std::get<xac::MeshLod>(chunk.record);
        const auto number = number_member(json, "level").value_or(0);
        level.level = static_cast<std::uint32_t>(std::min<std::uint64_t>(number, no_number));
        const Json* actor = member(json, "actor");
        if (actor == nullptr || !actor->is_object()) {
            if (auto bytes = bytes_at(json, "bytes")) level.bytes = std::move(*bytes);
            level.size = size_member(json);
            return true;
        }
        if (next_file_ >= build_.files.size() || build_.options.limits.depth == 0) return false;
        const std::size_t file = next_file_++;
        const bool had_meshes = has_meshes(*actor);
        const bool stays = !had_meshes || !build_.files[file].meshes.empty();
        const bool is_raw = build_.files[file].are_nodes_raw && is_untouched(build_.files[file]);
        auto made = Assembler(build_, file, next_file_).run();
        if (!made) return fail(std::move(made.error()));
        level.actor.push_back(std::move(*made));
        is_raw_ = is_raw;
        if (is_raw) level.size = size_member(json);
        return stays;
    }

    // --- what the old file did not have

    void add_new() {
        const bool is_new = parts_.json.empty();  // an old one may have no chunks at all
        if (is_new) fresh_[info].push_back({7, 2, std::nullopt, info_of_effigy(), {}});
        if (next_node_ == 0 && !parts_.nodes.empty()) fresh_[nodes].push_back(nodes_chunk());
        if (is_new && number_ == 0) add_notes(build_, fresh_);
        for (const NativeMaterial& material : parts_.materials) {
            if (!material.chunk) fresh_[materials].push_back(material_chunk(material));
        }
        // Exporters of 2007 counted none.
        if (is_new || (old_materials_.empty() && !has_chunk(13) && !parts_.materials.empty()))
            fresh_[material_info].push_back({13, 1, std::nullopt, count_materials({}), {}});
        for (NativeMesh& mesh : parts_.meshes) add_mesh(mesh);
    }

    void add_mesh(NativeMesh& mesh) {
        const bool is_new = !mesh.chunk;
        if (is_new) fresh_[meshes].push_back(mesh_chunk(mesh));
        if (!mesh.skinning) return;
        xac::Chunk chunk = skinning_chunk(mesh);
        mesh.skinning.reset();
        if (is_new) fresh_[meshes].push_back(std::move(chunk));
    }

    [[nodiscard]] bool has_chunk(std::uint32_t id) const {
        return std::any_of(file_.chunks.begin(), file_.chunks.end(), [&](const auto& chunk) { return chunk.id == id; });
    }

    xac::Info info_of_effigy() const {
        xac::Info record;
        record.exporter_major = 1;
        record.source_application = "effigy " EFFIGY_VERSION;
        record.actor_name = build_.scene.name;
        return record;
    }

    /// Levels of detail that no old actor was embedded for.
    Result<void> add_new_levels() {
        if (number_ != 0) return {};
        for (; next_file_ < build_.files.size(); ++next_file_) {
            FileParts& parts = build_.files[next_file_];
            if (parts.meshes.empty() || !parts.json.empty()) continue;
            std::size_t none = build_.files.size();
            auto made = Assembler(build_, next_file_, none).run();
            if (!made) return fail(std::move(made.error()));
            xac::MeshLod level;
            level.actor.push_back(std::move(*made));
            fresh_[levels].push_back({8, 1, std::nullopt, std::move(level), {}});
        }
        return {};
    }

    Build& build_;
    FileParts& parts_;
    std::size_t number_;
    std::size_t& next_file_;
    xac::File file_;
    std::map<std::size_t, std::size_t> material_at_, mesh_at_, skinning_at_;  ///< by chunk of the old file
    std::vector<std::size_t> old_materials_;                                  ///< chunks of the old file
    FreshChunks fresh_;
    std::size_t next_node_ = 0;
    bool keeps_morphs_ = false;  ///< some morph targets are kept as bytes
    bool is_raw_ = true;         ///< the chunk at work says what it said
};

}  // namespace

Result<xac::File> assemble(Build& build) {
    std::size_t next_file = 1;
    auto file = Assembler(build, 0, next_file).run();
    if (!file) return file;
    if (auto set = set_wrapped_size(file->wrapper_head, *file, false); !set) return fail(std::move(set.error()));
    return file;
}

}  // namespace effigy::emfx::bridge
