/// emfx::to_scene(): actors and motions to a scene, step by step.

#include "emfx/to_scene/to_scene.hpp"

#include <algorithm>

#include "effigy/emfx_codes.hpp"
#include "effigy/hashes.hpp"

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "core/text.hpp"
#include "emfx/file/container_write.hpp"
#include "emfx/to_scene/extras.hpp"
#include "scene/texture_coordinates.hpp"

namespace effigy::emfx {
namespace bridge {
namespace {

template <class File>
std::uint64_t size_of(const Source& source, const File& file) {
    const auto size = measure_file(file, false);
    return std::max(source.size, size ? *size : 0);
}

/// What the caller says and what the files would take: the larger one.
std::uint64_t input_size(const SceneInput& input) {
    std::uint64_t size = 0;
    for (const Actor& actor : input.actors) size += size_of(actor.source, actor.file);
    for (const auto& motion : input.motions) size += size_of(motion.source, motion.file);
    for (const auto& motion : input.morph_motions) size += size_of(motion.source, motion.file);
    return size;
}

/// The actor files in the order in which they join: each part, followed by its levels of detail.
void collect_models(Context& context, const Source& source, xac::File& file, std::size_t part, std::uint64_t& level,
                    std::uint32_t depth) {
    Model model;
    model.source = &source;
    model.file = &file;
    model.part = part;
    model.base_level = level++;
    model.order = order_of(file.header);
    model.records = xac::nodes(file);
    context.models.push_back(std::move(model));
    for (xac::Chunk& chunk : file.chunks) {
        auto* embedded = std::get_if<xac::MeshLod>(&chunk.record);
        if (embedded == nullptr || embedded->actor.empty()) continue;
        if (depth == 0) {
            context.note(codes::actor_depth, "level of detail",
                         "An actor is nested deeper than the limit allows; it is left out.");
            continue;
        }
        collect_models(context, source, embedded->actor.front(), part, level, depth - 1);
    }
}

void collect_actors(Context& context, SceneInput& input) {
    for (std::size_t part = 0; part < input.actors.size(); ++part) {
        std::uint64_t level = 0;
        context.file = input.actors[part].source.named();
        collect_models(context, input.actors[part].source, input.actors[part].file, part, level,
                       context.options.limits.depth);
    }
    for (Model& model : context.models) {
        context.file = model.source->named();
        join_nodes(context, model);
        add_materials(context, model);
    }
}

Result<void> build(Context& context, SceneInput& input) {
    if (!is_known_encoding(context.options.encoding)) {
        context.note(codes::encoding_unknown, "options", "The code page is not known here; only ASCII is decoded.",
                     context.options.encoding);
    }
    if (auto unpacked = unpack_wavelets(context, input.motions); !unpacked) return unpacked;
    collect_actors(context, input);
    if (input.actors.empty() && !input.motions.empty()) nodes_from_motion(context, input.motions.front());
    if (context.skeleton.nodes.empty() && context.models.empty()) {
        // A motion that was left out is the better reason.
        if (context.report.has_errors()) return fail(context.report.diagnostics().front());
        return fail(nothing_to_show("There is no actor and no skeletal motion with nodes: name the actor as well."));
    }
    prepare_motions(context, input.motions);
    emit_nodes(context);
    if (auto added = add_meshes(context); !added) return added;
    if (auto added = add_morph_targets(context); !added) return added;
    set_common_roots(context);
    context.report.append(effigy::fit_texture_coordinates(context.scene));
    if (auto added = add_motions(context, input.motions); !added) return added;
    if (auto added = add_morph_motions(context, input.morph_motions); !added) return added;
    for (Clip& clip : context.scene.clips) fill_duration(clip);
    if (context.scene.nodes.empty()) return fail(nothing_to_show("The actor has neither nodes nor meshes."));
    return {};
}

/// Chunks of the first actor (model 0) and of those embedded in it, counted as collect_models() does.
void add_kept_chunks(Json& file, std::size_t& model, const std::vector<KeptChunk>& kept) {
    const auto chunks = file.find("chunks");
    if (chunks == file.end()) return;
    for (const KeptChunk& chunk : kept) {
        if (chunk.model != model || chunk.chunk >= chunks->size()) continue;
        (*chunks)[chunk.chunk]["record"] = {{"bytes", json_bytes(chunk.content)}};
    }
    for (Json& chunk : *chunks) {
        const auto record = chunk.find("record");
        if (record == chunk.end() || !record->contains("actor")) continue;
        add_kept_chunks((*record)["actor"], ++model, kept);
    }
}

void add_kept_chunks(Json& extras, const std::vector<KeptChunk>& kept) {
    std::size_t model = 0;
    if (!kept.empty() && extras.contains("file")) add_kept_chunks(extras["file"], model, kept);
}

/// Which nodes each actor but the first has: names, by which it joined.
void add_part_nodes(Json& extras, const Context& context) {
    for (const Model& model : context.models) {
        if (model.part == 0 || model.base_level != 0) continue;
        Json& names = extras["parts"][model.part - 1]["nodes"];
        for (const Index index : model.to_skeleton) {
            const SkeletonNode& node = context.skeleton.nodes[index];
            names.push_back(node.name);
            if (node.chained) names.push_back(context.scene.nodes[node.first].name);
        }
    }
}

std::string scene_name(const Context& context, const SceneInput& input) {
    if (!input.actors.empty()) return context.text(input.actors.front().source.stem);
    if (!input.motions.empty()) return context.text(input.motions.front().source.stem);
    return {};
}

Result<Loaded<Scene>> convert(SceneInput& input, const SceneOptions& options) {
    auto checked = check_option("resample", options.resample, 0).and_then([&] {
        return check_option("morph_normal_range", double{options.morph_normal_range}, 1, 2);
    });
    if (!checked) return fail(std::move(checked.error()));
    Context context(options, Budget(options.limits, input_size(input)));
    context.scene.name = scene_name(context, input);
    Json extras = asset_extras(input, options.limits.depth);
    if (auto built = build(context, input); !built) return fail(std::move(built.error()));
    add_kept_chunks(extras, context.kept_chunks);
    if (!context.models.empty()) add_node_values(extras["file"], context);
    add_part_nodes(extras, context);
    if (options.encoding != SceneOptions().encoding) extras["encoding"] = options.encoding;
    for (Json& motion : context.idle_motions) extras["idle_motions"].push_back(std::move(motion));
    set_record(context.scene.asset_extras, std::move(extras));
    set_hashes(context.scene);
    return Loaded<Scene>{std::move(context.scene), std::move(context.report)};
}

}  // namespace

std::string Context::text(std::string_view raw) const { return to_utf8(raw, options.encoding); }

void Context::keep_chunk(std::size_t model, std::size_t chunk) {
    constexpr std::size_t headers = 8 + 12;  // of the file and of the chunk
    xac::File one;
    one.header = models[model].file->header;
    one.chunks.push_back(models[model].file->chunks[chunk]);
    one.chunks.front().trailing = Bytes();
    const auto bytes = xac::write(one);
    if (!bytes || bytes->size() < headers) return;
    kept_chunks.push_back({model, chunk, Bytes(bytes->begin() + headers, bytes->end())});
}

void Context::note_repairs(const Repairs& repairs, const std::string& path) {
    note_any(repairs.not_finite, codes::not_finite_replaced, path, {}, " numbers");
    note_any(repairs.zero_rotations, codes::rotation_zero, path, {}, " rotations");
}

}  // namespace bridge

Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options) {
    return without_exceptions([&] { return bridge::convert(input, options); });
}

}  // namespace effigy::emfx
