/// The parts of an actor as a file: in the order of the old file, or in that of the exporters.

#include <algorithm>

#include "effigy/emfx_codes.hpp"

#include "core/text.hpp"
#include "emfx/file/container_write.hpp"
#include "emfx/from_scene/chunks.hpp"

namespace effigy::emfx::bridge {
namespace {

bool has_meshes(const Json& file) {
    const Json& chunks = chunks_of(file);
    return std::any_of(chunks.begin(), chunks.end(), is_mesh);
}

bool has_morphs(const xac::Chunk& chunk) { return chunk.id == 9 || chunk.id == 12; }

/// Whether an embedded file's nodes have been made for the actor's multiplication order, or may be given it.
bool takes_order(const Build& build, const FileParts& parts) {
    const auto is_even = [](const xac::Node& node) { return is_uniform(wide(node.scale)); };
    const bool has_old_nodes = parts.are_nodes_raw && !parts.json.empty();
    return !has_old_nodes || (build.map.is_ported && std::all_of(parts.nodes.begin(), parts.nodes.end(), is_even));
}

/// One file of Build::files at work.
struct Assembly {
    Build& build;
    FileParts& parts;
    std::size_t& next_file;  ///< of those that are embedded
    OldPlaces places;
    std::size_t next_node = 0;                                  ///< all before it are in chunks
    NameList lost{};                                            ///< chunks that were kept as bytes
    const bool is_renamed = has_renamed_targets(build, parts);  ///< some of its morph targets are
};

Result<xac::File> assemble_file(Build& build, std::size_t number, std::size_t& next_file);

// --- chunks of the old file

Result<Fate> fill_level(Assembly& to, xac::Chunk& chunk, const Json& json) {
    Build& build = to.build;
    auto& level = std::get<xac::MeshLod>(chunk.record);
    const auto number = number_member(json, "level").value_or(0);
    level.level = static_cast<std::uint32_t>(std::min<std::uint64_t>(number, no_number));
    const Json* actor = member(json, "actor");
    if (actor == nullptr || !actor->is_object()) {
        if (auto bytes = bytes_at(json, "bytes")) level.bytes = std::move(*bytes);
        level.size = size_member(json);
        return Fate::same;
    }
    if (to.next_file >= build.files.size() || build.options.limits.depth == 0) return Fate::gone;
    const std::size_t number_of_file = to.next_file++;
    const FileParts& parts = build.files[number_of_file];
    const bool stays = !has_meshes(*actor) || !parts.meshes.empty();
    auto made = assemble_file(build, number_of_file, to.next_file);
    if (!made) return fail(std::move(made.error()));
    if (!stays) return Fate::gone;
    level.actor.push_back(std::move(*made));
    if (parts.is_same) level.size = size_member(json);
    return parts.is_same ? Fate::same : Fate::changed;
}

Result<Fate> fill_chunk(Assembly& to, xac::Chunk& chunk, const Json& json, std::size_t index) {
    if (chunk.id == 0 || chunk.id == 11) return fill_nodes(to.parts, json, to.next_node, chunk);
    if (chunk.id == 3 || chunk.id == 5) return fill_material(to.parts, to.places, index, chunk);
    if (chunk.id == 1) return fill_mesh(to.parts, to.places, index, chunk);
    if (chunk.id == 2) return fill_skinning(to.parts, to.places, index, chunk);
    if (chunk.id == 8) return fill_level(to, chunk, json);
    bool read = true;
    std::visit(
        [&](auto& record) {
            using Record = std::remove_cvref_t<decltype(record)>;
            if constexpr (!std::is_same_v<Record, Opaque> && !std::is_same_v<Record, xac::MeshLod>) {
                read = read_record(to.build, json, chunk.version, record);
            }
        },
        chunk.record);
    if (!read) return fail(to.build.memory_limit());
    return update_record(to.parts, to.places, to.build.map.is_ported, chunk);
}

/// What a chunk says that is kept as bytes; nothing if that cannot be read.
std::optional<xac::Record> record_in(const Build& build, const Header& header, const xac::Chunk& chunk) {
    xac::File one;
    one.header = header;
    one.chunks.push_back(chunk);
    const auto bytes = xac::write(one);
    if (!bytes) return std::nullopt;
    auto read = xac::read(*bytes, {build.options.limits});
    if (!read || read->value.chunks.size() != 1 || !read->value.trailing.empty()) return std::nullopt;
    xac::Record& record = read->value.chunks.front().record;
    if (std::holds_alternative<Opaque>(record)) return std::nullopt;
    return std::move(record);
}

/// Of a chunk that is kept as bytes: targets that the scene does not say whole are read again.
Fate update_opaque(Assembly& to, const Header& header, xac::Chunk& chunk) {
    const bool is_renamed = has_morphs(chunk) && to.is_renamed;
    if (!is_renamed && is_still_true(to.parts, to.places, chunk)) return Fate::same;
    auto record = has_morphs(chunk) ? record_in(to.build, header, chunk) : std::nullopt;
    if (!record) {
        to.lost.add(kind_of(XacFormat::make_record(chunk.id, chunk.version).value_or(Opaque{})));
        return Fate::gone;
    }
    chunk.record = std::move(*record);
    (void)update_record(to.parts, to.places, to.build.map.is_ported, chunk);
    return Fate::changed;
}

/// Adds it as it is now, unless it is gone.
Result<Fate> add_old_chunk(Assembly& to, const Json& json, std::size_t index, xac::File& file) {
    const auto id = number_member(json, "id").value_or(no_number);
    const auto version = number_member(json, "version").value_or(1);
    if (id > no_number - 1 || version > no_number - 1) return Fate::gone;
    xac::Chunk chunk{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(version), std::nullopt, Opaque{}, {}};
    const Json* record = member(json, "record");
    Fate fate = Fate::same;
    // Bytes of a level are only a part of it.
    const bool may_be_opaque = record != nullptr && (chunk.id != 8 || member(*record, "level") == nullptr);
    if (auto bytes = may_be_opaque ? bytes_at(*record, "bytes") : std::nullopt) {
        chunk.record = Opaque{std::move(*bytes)};
        fate = update_opaque(to, file.header, chunk);
    } else {
        auto made = XacFormat::make_record(chunk.id, chunk.version);
        if (!made) return Fate::gone;
        chunk.record = std::move(*made);
        static const Json nothing = Json::object();
        auto filled = fill_chunk(to, chunk, record == nullptr ? nothing : *record, index);
        if (!filled) return fail(std::move(filled.error()));
        fate = *filled;
    }
    if (fate == Fate::gone) return fate;
    if (fate == Fate::same) {  // with the declared size and what stood behind
        chunk.size = size_member(json);
        if (auto trailing = bytes_at(json, "trailing")) chunk.trailing = std::move(*trailing);
    }
    file.chunks.push_back(std::move(chunk));
    return fate;
}

// --- what the old file did not have

xac::Info info_of_effigy(const Scene& scene) {
    xac::Info record;
    record.exporter_major = 1;
    record.source_application = "effigy " EFFIGY_VERSION;
    record.actor_name = scene.name;
    return record;
}

/// `old`: the chunks of the old file.
std::vector<xac::Chunk> new_chunks(Assembly& from, const std::vector<xac::Chunk>& old, bool is_actor) {
    FileParts& parts = from.parts;
    std::vector<xac::Chunk> added;
    const bool is_new = parts.json.empty();  // an old one may have no chunks at all
    if (is_new) added.push_back({7, 2, std::nullopt, info_of_effigy(from.build.scene), {}});
    if (from.next_node == 0 && !parts.nodes.empty()) added.push_back(nodes_chunk(parts));
    if (is_new && is_actor) add_notes(from.build, added);
    for (const NativeMaterial& material : parts.materials) {
        if (!material.chunk) added.push_back(material_chunk(material));
    }
    // Exporters of 2007 counted none.
    const bool has_counts = std::any_of(old.begin(), old.end(), [](const auto& chunk) { return chunk.id == 13; });
    if (is_new || (from.places.old_materials.empty() && !has_counts && !parts.materials.empty()))
        added.push_back({13, 1, std::nullopt, count_materials(parts, {}), {}});
    for (NativeMesh& mesh : parts.meshes) {
        if (!mesh.chunk) added.push_back(mesh_chunk(mesh));
        if (!mesh.chunk && mesh.skinning) added.push_back(skinning_chunk(mesh));
        mesh.skinning.reset();
    }
    return added;
}

/// Levels of detail that no old actor was embedded for.
Result<void> add_new_levels(Build& build, std::size_t first, std::vector<xac::Chunk>& chunks) {
    for (std::size_t number = first; number < build.files.size(); ++number) {
        const FileParts& parts = build.files[number];
        if (parts.meshes.empty() || !parts.json.empty()) continue;
        std::size_t none = build.files.size();
        auto made = assemble_file(build, number, none);
        if (!made) return fail(std::move(made.error()));
        xac::MeshLod level;
        level.actor.push_back(std::move(*made));
        chunks.push_back({8, 1, std::nullopt, std::move(level), {}});
    }
    return {};
}

Result<xac::File> assemble_file(Build& build, std::size_t number, std::size_t& next_file) {
    FileParts& parts = build.files[number];
    xac::File file;
    (void)read_frame(build.budget, build.options, parts.json, file);
    if (number == 0 || takes_order(build, parts)) file.header.multiplication_order = build.map.multiplication_order;
    settle_layers(parts);
    Assembly assembly{build, parts, next_file, find_old_places(parts)};
    const Json& old = chunks_of(parts.json);
    for (std::size_t i = 0; i < old.size(); ++i) {
        auto fate = add_old_chunk(assembly, old[i], i, file);
        if (!fate) return fail(std::move(fate.error()));
        parts.is_same = parts.is_same && *fate == Fate::same;
    }
    build.note_any(assembly.lost, codes::emfx_chunk_lost, "asset");
    const bool keeps_morphs = std::any_of(file.chunks.begin(), file.chunks.end(), [](const xac::Chunk& chunk) {
        return has_morphs(chunk) && std::holds_alternative<Opaque>(chunk.record);
    });
    std::vector<xac::Chunk> added = new_chunks(assembly, file.chunks, number == 0);
    parts.is_same = parts.is_same && added.empty() && !assembly.is_renamed;
    if (number == 0) {
        if (auto made = add_new_levels(build, next_file, added); !made) return fail(std::move(made.error()));
    }
    insert_new(file.chunks, std::move(added));
    if (auto made = add_morphs(build, parts, file, keeps_morphs); !made) return fail(std::move(made.error()));
    return file;
}

}  // namespace

Result<xac::File> assemble(Build& build) {
    std::size_t next_file = 1;
    auto file = assemble_file(build, 0, next_file);
    if (!file) return file;
    fit_target(build.options.target, *file, "actor", build.report);
    if (auto set = set_wrapped_size(file->wrapper_head, *file, false); !set) return fail(std::move(set.error()));
    return file;
}

}  // namespace effigy::emfx::bridge
