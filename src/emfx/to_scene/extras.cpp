/// Writes records of files into `extras.effigy`: all that glTF has no place for.

#include "emfx/to_scene/extras.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <variant>

#include "core/fields_json.hpp"
#include "core/text.hpp"
#include "emfx/file/container_write.hpp"
#include "emfx/file/wavelets.hpp"

namespace effigy::emfx::bridge {
namespace {

constexpr std::uint32_t all_node_fields = 4;

/// What glTF carries itself, or carries in a form of its own.
constexpr std::array<std::string_view, 15> bulk{"data",          "indices",       "influences", "ranges",
                                                "positions",     "normals",       "tangents",   "vertices",
                                                "position_keys", "rotation_keys", "scale_keys", "scale_rotation_keys",
                                                "rotations",     "scales",        "keys"};

/// The fields of whatever `walk` hands to a visitor, without bulk data.
template <class Walk>
Json fields(Walk&& walk) {
    return layout::fields_json(walk, bulk);
}

/// Whether two values are the same to the bit: -0 is not 0.
bool are_same(const Json& a, const Json& b) {
    if (a.type() != b.type() || a.size() != b.size()) return false;
    if (a.is_number_float()) {
        return std::bit_cast<std::uint64_t>(a.get<double>()) == std::bit_cast<std::uint64_t>(b.get<double>());
    }
    if (!a.is_array()) return a == b;
    return std::equal(a.begin(), a.end(), b.begin(), are_same);
}

/// Leaves out the members that `usual` has as well.
void leave_out(Json& record, const Json& usual) {
    for (const auto& [name, value] : usual.items()) {
        const auto found = record.find(name);
        if (found != record.end() && are_same(*found, value)) record.erase(found);
    }
}

/// Leaves out how many entries the lists have that stand in the record as well.
void leave_out_counts(Json& record) {
    constexpr std::string_view suffix = "_count";
    std::vector<std::string> names;
    for (const auto& [name, value] : record.items()) {
        if (!name.ends_with(suffix)) continue;
        const auto list = record.find(layout::plural_name(name.substr(0, name.size() - suffix.size())));
        if (list != record.end() && list->is_array() && value == list->size()) names.push_back(name);
    }
    for (const std::string& name : names) record.erase(name);
}

/// The fields of one record, by its layout.
template <class Record>
Json all_fields_of(const Record& record, std::uint32_t version) {
    return fields([&](auto& visitor) { layout(visitor, record, version); });
}

/// The same without what another record has as well, to the bit.
template <class Record>
Json fields_besides(const Record& record, const Record& usual, std::uint32_t version) {
    const layout::FieldBytes known = layout::field_bytes([&](auto& visitor) { layout(visitor, usual, version); });
    return layout::fields_json([&](auto& visitor) { layout(visitor, record, version); }, bulk, &known);
}

/// The same without what is as usual.
template <class Record>
Json fields_of(const Record& record, std::uint32_t version) {
    Json json = fields_besides(record, Record(), version);
    leave_out_counts(json);
    return json;
}

/// What stands before and behind a file's chunks.
template <class File>
Json frame_record(const File& file) {
    const auto all = [](const Header& header) {
        return std::move(fields([&](auto& visitor) { layout(visitor, header); })["header"]);
    };
    Json json{{"header", all(file.header)}};
    leave_out(json["header"], all(File().header));
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
    if (!file.wrapper_head.empty()) json["wrapper_head"] = json_bytes(file.wrapper_head);
    if (!file.wrapper_tail.empty()) json["wrapper_tail"] = json_bytes(file.wrapper_tail);
    return json;
}

template <class Record>
Json record_fields(const Record& record, std::uint32_t version) {
    const auto all = [&](const Record& one) {
        return fields([&](auto& visitor) {
            layout_record(visitor, one, version, [](const auto& skinning) {
                return skinning.ranges.empty() ? skinning.vertices.size() : skinning.ranges.size();
            });
        });
    };
    Json json = all(record);
    leave_out(json,
              all(std::visit([](const auto& one) { return Record(std::remove_cvref_t<decltype(one)>()); }, record)));
    leave_out_counts(json);
    return json;
}

/// The compressed blocks of a motion, one after the other: the record has their sizes.
void add_blocks(Json& record, const xsm::Wavelet& wavelet) {
    Bytes blocks;
    for (const xsm::WaveletChunk& chunk : wavelet.chunks) {
        for (const xsm::WaveletBlock block : xsm::wavelet_blocks) {
            const Bytes& bytes = xsm::block_of(chunk, block);
            blocks.insert(blocks.end(), bytes.begin(), bytes.end());
        }
    }
    if (!blocks.empty()) record["blocks"] = json_bytes(blocks);
}

/// A chunk's header, and its record where `with_record` says so. Its version if it is not 1, its size if it is a lie.
template <class Record>
Json chunk_record(const Chunk<Record>& chunk, bool with_record) {
    Json json;
    json["id"] = chunk.id;
    if (chunk.version != 1) json["version"] = chunk.version;
    const auto size = chunk.size ? measure_content(chunk, false) : Result<std::uint64_t>(0u);
    if (chunk.size && (!size || *size != *chunk.size)) json["size"] = *chunk.size;
    if (!chunk.trailing.empty()) json["trailing"] = json_bytes(chunk.trailing);
    if (const auto* opaque = std::get_if<Opaque>(&chunk.record)) {
        json["record"]["bytes"] = json_bytes(opaque->bytes);
    } else if (with_record) {
        json["record"] = record_fields(chunk.record, chunk.version);
        if constexpr (std::is_same_v<Record, xsm::Record>) {
            if (const auto* wavelet = std::get_if<xsm::Wavelet>(&chunk.record)) add_blocks(json["record"], *wavelet);
        }
    }
    return json;
}

template <class... Kinds>
bool is_any_of(const xac::Record& record) {
    return (std::holds_alternative<Kinds>(record) || ...);
}

/// `is_embedded`: the file's nodes and materials may have no objects of their own in glTF, because they join others.
Json file_record(const xac::File& file, std::uint32_t depth, bool is_embedded);

Json level_record(const xac::MeshLod& level, std::uint32_t depth) {
    Json json;
    json["level"] = level.level;
    if (level.size) json["size"] = *level.size;
    if (!level.bytes.empty()) json["bytes"] = json_bytes(level.bytes);
    if (!level.actor.empty() && depth > 0) json["actor"] = file_record(level.actor.front(), depth - 1, true);
    return json;
}

/// How many nodes a chunk has, unless it has all, and how many roots, if that is wrong.
void set_counts(Json& chunk, const xac::Nodes& list, std::ptrdiff_t node_chunks) {
    const auto roots = std::count_if(list.nodes.begin(), list.nodes.end(),
                                     [&](const xac::Node& node) { return node.parent >= list.nodes.size(); });
    if (chunk.contains("record")) chunk["record"].erase("root_count");
    if (node_chunks != 1) chunk["record"]["node_count"] = list.nodes.size();
    if (list.root_count != static_cast<std::uint64_t>(roots)) chunk["record"]["root_count"] = list.root_count;
    static const Json usual = all_fields_of(xac::Node(), all_node_fields);
    if (!chunk.contains("record") || !chunk["record"].contains("nodes")) return;
    for (Json& node : chunk["record"]["nodes"]) leave_out(node, usual);
}

/// The values of nodes that are not the usual ones: bulk.
template <class Value>
void add_node_values(Json& file, const char* name, std::span<const Value> values, std::span<const Value> usual) {
    std::vector<NodeValue<Value>> unusual;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        // NOLINTNEXTLINE(*-suspicious-memory-comparison): bit by bit, zeros with their signs
        if (std::memcmp(&values[i], &usual[i], sizeof(Value)) != 0) unusual.push_back({i, values[i]});
    }
    if (!unusual.empty()) file[name] = json_bytes(std::as_bytes(std::span(unusual)));
}

/// Whether a record names nodes that its file does not have.
struct NamesMissingNodes {
    std::size_t count;  ///< of the nodes that it has

    bool operator()(const xac::Info& info) const {
        const std::array all{info.reposition_node, info.trajectory_node, info.motion_extraction_node};
        return any(all, [&](std::uint32_t node) { return node != xac::no_node && is_missing(node); });
    }
    bool operator()(const xac::Limit& limit) const { return is_missing(limit.node); }
    bool operator()(const xac::NodeGroups& list) const {
        return any(list.groups, [&](const auto& group) { return has_missing(group.nodes); });
    }
    bool operator()(const xac::AttachmentNodes& list) const { return has_missing(list.nodes); }
    bool operator()(const xac::NodeMotionSources& mirror) const {
        const auto is_wrong = [&](std::uint16_t node) { return node != 0xffff && is_missing(node); };
        return mirror.sources.size() != count || any(mirror.sources, is_wrong);
    }
    bool operator()(const xac::Mesh& mesh) const {
        return any(mesh.submeshes, [&](const auto& submesh) { return has_missing(submesh.bones); });
    }
    bool operator()(const xac::Skinning& skinning) const {
        return name_missing(skinning.influences) ||
               any(skinning.vertices, [&](const auto& vertex) { return name_missing(vertex.influences); });
    }
    bool operator()(const xac::MorphTarget& target) const {
        return name_missing(target.deformations) || name_missing(target.transformations);
    }
    bool operator()(const xac::MorphTargets& list) const { return any(list.targets, *this); }
    bool operator()(const Opaque&) const { return true; }  // or nobody knows
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }

private:
    template <class List, class Is>
    static bool any(const List& list, Is is) {
        return std::any_of(list.begin(), list.end(), is);
    }
    [[nodiscard]] bool is_missing(std::uint32_t node) const { return node >= count; }
    template <class Nodes>
    [[nodiscard]] bool has_missing(const Nodes& nodes) const {
        return any(nodes, [&](std::uint32_t node) { return is_missing(node); });
    }
    template <class List>
    [[nodiscard]] bool name_missing(const List& list) const {
        return any(list, [&](const auto& one) { return is_missing(one.node); });
    }
};

/// How many nodes there are, where that alone tells numbers of nodes that never were from those of deleted ones.
void add_node_count(Json& json, const xac::File& file) {
    const NamesMissingNodes names_missing{xac::nodes(file).size()};
    const auto is_wrong = [&](const xac::Chunk& chunk) { return std::visit(names_missing, chunk.record); };
    if (std::any_of(file.chunks.begin(), file.chunks.end(), is_wrong)) json["node_count"] = names_missing.count;
}

Json file_record(const xac::File& file, std::uint32_t depth, bool is_embedded) {
    Json json = frame_record(file);
    if (!is_embedded) add_node_count(json, file);
    const auto node_chunks = std::count_if(file.chunks.begin(), file.chunks.end(), [](const xac::Chunk& chunk) {
        return is_any_of<xac::Node, xac::Nodes>(chunk.record);
    });
    Json& chunks = json["chunks"] = Json::array();
    for (const xac::Chunk& chunk : file.chunks) {
        const bool has_bulk_data = is_any_of<xac::Mesh, xac::Skinning, xac::MeshLod>(chunk.record);
        const bool has_object =
            !is_embedded && is_any_of<xac::Node, xac::Nodes, xac::StandardMaterial, xac::FxMaterial>(chunk.record);
        Json entry = chunk_record(chunk, !has_bulk_data && !has_object);
        if (const auto* nodes = std::get_if<xac::Nodes>(&chunk.record)) set_counts(entry, *nodes, node_chunks);
        if (const auto* level = std::get_if<xac::MeshLod>(&chunk.record)) entry["record"] = level_record(*level, depth);
        chunks.push_back(std::move(entry));
    }
    return json;
}

template <class File>
Json source_record(const Source& source, const File& file, std::string_view format) {
    return source_json(source, format,
                       std::to_string(file.header.major_version) + "." + std::to_string(file.header.minor_version));
}

/// Leaves out what is as usual in all submotions: as long as they are alike they make a table.
template <class Record>
void leave_out_usual_members(Json& chunk, const Record& record, std::uint32_t version) {
    if constexpr (
        requires { record.submotions; } && !requires { record.mappings; }) {
        if (record.submotions.empty()) return;
        Record one;
        one.submotions.resize(1);
        const Json usual = std::move(all_fields_of(one, version)["submotions"][0]);
        Json& list = chunk["record"]["submotions"];
        for (const auto& [name, value] : usual.items()) {
            const auto is_usual = [&, &key = name, &wanted = value](const Json& submotion) {
                const Json* const own = member(submotion, key);
                return own != nullptr && are_same(*own, wanted);
            };
            if (!std::all_of(list.begin(), list.end(), is_usual)) continue;
            for (Json& submotion : list) submotion.erase(name);
        }
    }
}

template <class Motion>
Json any_motion_record(const Motion& motion, std::string_view format) {
    Json json = frame_record(motion.file);
    json["source"] = source_record(motion.source, motion.file, format);
    Json& chunks = json["chunks"] = Json::array();
    for (const auto& chunk : motion.file.chunks) {
        chunks.push_back(chunk_record(chunk, true));
        std::visit([&](const auto& record) { leave_out_usual_members(chunks.back(), record, chunk.version); },
                   chunk.record);
    }
    return json;
}

}  // namespace

NodeNotes::NodeNotes(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* limit = std::get_if<xac::Limit>(&chunk.record)) {
            Json& json = notes_[limit->node]["limit"] = fields_of(*limit, chunk.version);
            json.erase("node");
        } else if (const auto* list = std::get_if<xac::NodeGroups>(&chunk.record)) {
            for (const xac::NodeGroup& group : list->groups) {
                for (const std::uint16_t node : group.nodes) {
                    notes_[node]["groups"].push_back(json_text(group.name));
                    if (group.disabled_on_default != 0)
                        notes_[node]["disabled_groups"].push_back(json_text(group.name));
                }
            }
        } else if (const auto* attachments = std::get_if<xac::AttachmentNodes>(&chunk.record)) {
            for (const std::uint16_t node : attachments->nodes) notes_[node]["attachment"] = true;
        } else if (const auto* mirror = std::get_if<xac::NodeMotionSources>(&chunk.record)) {
            for (std::size_t i = 0; i < mirror->sources.size(); ++i) {
                if (mirror->sources[i] == 0xffff) continue;
                Json& note = notes_[static_cast<std::uint32_t>(i)];
                note["motion_source"] = mirror->sources[i];
                if (!mirror->has_axes || i >= mirror->axes.size() || i >= mirror->flags.size()) continue;
                note["motion_axis"] = mirror->axes[i];
                note["motion_flags"] = mirror->flags[i];
            }
        }
    }
}

std::string NodeNotes::extras(const SkeletonNode& node, const xac::Node& record, xac::Node told,
                              std::size_t part) const {
    told.name = record.name;
    if (node.model == 0) {
        set_transform(told, transform_of(record));
        told.box = record.box;
        told.padding = record.padding;
        if ((record.flags & 1u) != 0) told.flags = record.flags;
    }
    Json json = fields_besides(record, told, all_node_fields);
    json["index"] = node.file_index;
    set_model(json, node.model);
    if (part != 0) json["part"] = part;
    if (node.namesake != 0) json["keeps_name"] = node.namesake;
    // UTF-8 as well: a file may have names in several code pages, and its motions have the same bytes.
    if (!is_ascii(record.name)) json["name_bytes"] = to_base64(std::as_bytes(std::span(record.name)));
    if (const auto found = notes_.find(node.file_index); found != notes_.end()) json.update(found->second);
    return to_text(json);
}

void add_node_values(Json& file, const Context& context) {
    std::vector<NodeTransform> transforms, told_transforms;
    std::vector<NodeFlags> flags;
    std::vector<NodeBox> boxes;
    for (const SkeletonNode& node : context.skeleton.nodes) {
        if (node.model != 0) break;
        const xac::Node& record = *context.models.front().records[node.file_index];
        xac::Node told;
        take_transform(told, context.scene.nodes[node.first].local);
        transforms.push_back(transform_of(record));
        told_transforms.push_back(transform_of(told));
        flags.push_back(flags_of(record));
        boxes.push_back(record.box);
    }
    add_node_values<NodeTransform>(file, "transforms", transforms, told_transforms);
    add_node_values<NodeFlags>(file, "flags", flags, std::vector(flags.size(), flags_of({})));
    add_node_values<NodeBox>(file, "boxes", boxes, std::vector(boxes.size(), xac::Node::no_box));
    // Chunks that are kept as bytes may name nodes by their numbers: they stay as long as these do.
    const bool has_kept = std::any_of(context.kept_chunks.begin(), context.kept_chunks.end(),
                                      [](const KeptChunk& chunk) { return chunk.model == 0; });
    if (has_kept) file["node_count"] = boxes.size();
}

void set_model(Json& record, std::size_t model) {
    if (model != 0) record["model"] = model;
}

Json usual_layer(std::uint64_t type, Json padding) {
    const bool deforms = type <= 2 || type == 7;  // positions, normals, tangents, bitangents
    return {{"element_size", type < 8 ? layer_sizes[static_cast<std::size_t>(type)] : 12u},
            {"enable_deformations", deforms ? 1u : 0u},
            {"is_scale", 0u},
            {"padding", std::move(padding)}};
}

Json old_values_record(std::size_t layer, const OldValues& old) {
    return {{"layer", layer},
            {"places", json_bytes(std::as_bytes(std::span(old.places)))},
            {"values", json_bytes(std::as_bytes(std::span(old.values)))}};
}

Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning) {
    constexpr std::uint32_t all_mesh_fields = 2;
    Json json = fields_of(mesh, all_mesh_fields);
    json.erase("vertex_count");
    std::uint64_t indices = 0;
    for (std::size_t i = 0; i < mesh.submeshes.size(); ++i) {
        indices += mesh.submeshes[i].indices.size();
        Json& submesh = json["submeshes"][i];
        leave_out_counts(submesh);
        leave_out(submesh, Json{{"bones", Json::array()}, {"material", 0u}, {"vertex_count", mesh.vertex_count}});
    }
    leave_out(json, Json{{"index_count", indices}});
    for (std::size_t i = 0; i < mesh.layers.size(); ++i) {
        const Json padding = i == 0 ? Json::array({0u, 0u}) : Json(mesh.layers.front().padding);
        leave_out(json["layers"][i], usual_layer(static_cast<std::uint32_t>(mesh.layers[i].type), padding));
    }
    if (skinning == nullptr) return json;
    const auto all = [](const xac::Skinning& one) {
        constexpr std::uint32_t all_skinning_fields = 4;
        return fields([&](auto& visitor) {
            layout(visitor, one, all_skinning_fields, [&] { return std::uint64_t{one.ranges.size()}; });
        });
    };
    Json& table = json["skinning"] = all(*skinning);
    leave_out(table, all({}));
    table.erase("influence_count");
    table.erase("node");
    return json;
}

Json morph_target_record(const xac::MorphTarget& target) { return fields_of(target, 1); }

Json material_record(const xac::StandardMaterial& material,
                     const std::vector<const xac::MaterialLayer*>& separate_layers) {
    constexpr std::uint32_t all_fields = 3;
    Json json{{"type", "standard"}};
    json.update(fields_of(material, all_fields));
    static const Json usual = all_fields_of(xac::MaterialLayer(), 2);
    if (const auto layers = json.find("layers"); layers != json.end()) {
        for (Json& layer : *layers) leave_out(layer, usual);
    }
    if (material.padding != 0) json["padding"] = material.padding;
    for (const xac::MaterialLayer* layer : separate_layers) json["separate_layers"].push_back(fields_of(*layer, 2));
    return json;
}

Json material_record(const xac::FxMaterial& material) {
    constexpr std::uint32_t all_fields = 3;
    Json json{{"type", "fx"}};
    json.update(fields_of(material, all_fields));
    for (const char* const list : {"ints", "floats", "bools"}) {
        if (!json.contains(list)) continue;
        for (Json& parameter : json[list])
            leave_out(parameter, Json{{"value", std::string_view(list) == "floats" ? Json(0.0) : Json(0u)}});
    }
    return json;
}

Json motion_record(const SkeletalMotion& motion) {
    Json json = any_motion_record(motion, "xsm");
    if (motion.ticks.empty()) return json;
    Json& ticks = json["ticks"] = Json::array();
    for (const TimedValue& tick : motion.ticks) {
        ticks.push_back({{"time", json_number(tick.time)}, {"value", tick.value}});
    }
    return json;
}

Json motion_record(const MorphMotion& motion) { return any_motion_record(motion, "xpm"); }

Json asset_extras(const SceneInput& input, std::uint32_t depth) {
    Json json;
    json["version"] = 1;
    if (input.actors.empty()) {
        if (!input.motions.empty()) {
            json["source"] = source_record(input.motions.front().source, input.motions.front().file, "xsm");
        }
        return json;
    }
    const Actor& first = input.actors.front();
    json["source"] = source_record(first.source, first.file, "xac");
    json["file"] = file_record(first.file, depth, false);
    for (std::size_t i = 1; i < input.actors.size(); ++i) {
        const Actor& part = input.actors[i];
        json["parts"].push_back(
            {{"source", source_record(part.source, part.file, "xac")}, {"file", file_record(part.file, depth, false)}});
    }
    return json;
}

}  // namespace effigy::emfx::bridge
