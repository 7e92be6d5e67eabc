/// Writes records of files into `extras.effigy`: all that glTF has no place for.

#include "emfx/to_scene/extras.hpp"

#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "core/fields_json.hpp"
#include "core/layout_write.hpp"
#include "core/path.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx::bridge {
namespace {

/// What glTF carries itself, or carries in a form of its own.
constexpr std::array<std::string_view, 15> bulk{"data",          "indices",       "influences", "ranges",
                                                "positions",     "normals",       "tangents",   "vertices",
                                                "position_keys", "rotation_keys", "scale_keys", "scale_rotation_keys",
                                                "rotations",     "scales",        "keys"};

/// The fields of whatever `walk` hands to a visitor, without bulk data.
template <class Walk>
Json fields(Walk&& walk) {
    layout::FieldsJson handler(bulk);
    layout::Path path;
    layout::WriteVisitor<layout::FieldsJson> visitor(handler, path);
    walk(visitor);
    return handler.take();
}

/// The fields of one record, by its layout.
template <class Record>
Json fields_of(const Record& record, std::uint32_t version) {
    return fields([&](auto& visitor) { layout(visitor, record, version); });
}

Json header_record(const Header& header) {
    return std::move(fields([&](auto& visitor) { layout(visitor, header); })["header"]);
}

/// A chunk's header, and its record where `with_record` says so.
template <class Record>
Json chunk_record(const Chunk<Record>& chunk, bool with_record) {
    Json json;
    json["id"] = chunk.id;
    json["version"] = chunk.version;
    if (chunk.size) json["size"] = *chunk.size;
    if (!chunk.trailing.empty()) json["trailing"] = json_bytes(chunk.trailing);
    if (const auto* opaque = std::get_if<Opaque>(&chunk.record)) {
        json["record"]["bytes"] = json_bytes(opaque->bytes);
    } else if (with_record) {
        json["record"] = fields([&](auto& visitor) {
            layout_record(visitor, chunk.record, chunk.version, [](const auto& skinning) {
                return skinning.ranges.empty() ? skinning.vertices.size() : skinning.ranges.size();
            });
        });
    }
    return json;
}

/// Whether a record has no object of its own in glTF whose extras hold it.
bool stands_alone(const xac::Record& record) {
    return !std::holds_alternative<xac::Node>(record) && !std::holds_alternative<xac::Nodes>(record) &&
           !std::holds_alternative<xac::Mesh>(record) && !std::holds_alternative<xac::Skinning>(record) &&
           !std::holds_alternative<xac::StandardMaterial>(record) && !std::holds_alternative<xac::FxMaterial>(record) &&
           !std::holds_alternative<xac::MeshLod>(record);
}

bool has_bulk_data(const xac::Record& record) {
    return std::holds_alternative<xac::Mesh>(record) || std::holds_alternative<xac::Skinning>(record) ||
           std::holds_alternative<xac::MeshLod>(record);
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

Json file_record(const xac::File& file, std::uint32_t depth, bool is_embedded) {
    Json json;
    json["header"] = header_record(file.header);
    Json& chunks = json["chunks"] = Json::array();
    for (const xac::Chunk& chunk : file.chunks) {
        const bool with_record = is_embedded ? !has_bulk_data(chunk.record) : stands_alone(chunk.record);
        Json entry = chunk_record(chunk, with_record);
        if (const auto* nodes = std::get_if<xac::Nodes>(&chunk.record)) {
            entry["record"]["node_count"] = nodes->nodes.size();
            entry["record"]["root_count"] = nodes->root_count;
        }
        if (const auto* level = std::get_if<xac::MeshLod>(&chunk.record)) entry["record"] = level_record(*level, depth);
        chunks.push_back(std::move(entry));
    }
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
    if (!file.wrapper_head.empty()) json["wrapper_head"] = json_bytes(file.wrapper_head);
    if (!file.wrapper_tail.empty()) json["wrapper_tail"] = json_bytes(file.wrapper_tail);
    return json;
}

template <class File>
Json source_record(const Source& source, const File& file, std::string_view format) {
    return source_json(source, format,
                       std::to_string(file.header.major_version) + "." + std::to_string(file.header.minor_version));
}

template <class Motion>
Json any_motion_record(const Motion& motion, std::string_view format) {
    Json json;
    json["source"] = source_record(motion.source, motion.file, format);
    json["header"] = header_record(motion.file.header);
    Json& chunks = json["chunks"] = Json::array();
    for (const auto& chunk : motion.file.chunks) chunks.push_back(chunk_record(chunk, true));
    if (!motion.file.trailing.empty()) json["trailing"] = json_bytes(motion.file.trailing);
    if (!motion.file.wrapper_head.empty()) json["wrapper_head"] = json_bytes(motion.file.wrapper_head);
    if (!motion.file.wrapper_tail.empty()) json["wrapper_tail"] = json_bytes(motion.file.wrapper_tail);
    return json;
}

}  // namespace

NodeNotes::NodeNotes(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* limit = std::get_if<xac::Limit>(&chunk.record)) {
            notes_[limit->node]["limit"] = fields_of(*limit, chunk.version);
        } else if (const auto* list = std::get_if<xac::NodeGroups>(&chunk.record)) {
            for (const xac::NodeGroup& group : list->groups) {
                for (const std::uint16_t node : group.nodes) notes_[node]["groups"].push_back(json_text(group.name));
            }
        } else if (const auto* attachments = std::get_if<xac::AttachmentNodes>(&chunk.record)) {
            for (const std::uint16_t node : attachments->nodes) notes_[node]["attachment"] = true;
        } else if (const auto* mirror = std::get_if<xac::NodeMotionSources>(&chunk.record)) {
            for (std::size_t i = 0; i < mirror->sources.size(); ++i) {
                if (mirror->sources[i] == 0xffff) continue;
                notes_[static_cast<std::uint32_t>(i)]["motion_source"] = mirror->sources[i];
            }
        }
    }
}

std::string NodeNotes::extras(const xac::Node& record, std::uint32_t index, std::size_t model) const {
    constexpr std::uint32_t all_fields = 4;
    static const Json usual = fields_of(xac::Node(), all_fields);
    Json json = Json::object();
    const Json all = fields_of(record, all_fields);
    for (const auto& [name, value] : all.items()) {
        // By this one the way back knows the records of nodes.
        if (value.dump() != usual[name].dump() || name == "skeletal_lods") json[name] = value;  // -0 is not 0
    }
    json["index"] = index;
    set_model(json, model);
    json.erase("name");
    if (!is_utf8(record.name)) json["name_bytes"] = to_base64(std::as_bytes(std::span(record.name)));
    if (const auto found = notes_.find(index); found != notes_.end()) json.update(found->second);
    return to_text(json);
}

void set_model(Json& record, std::size_t model) {
    if (model != 0) record["model"] = model;
}

Json old_values_record(std::size_t layer, const OldValues& old) {
    return {{"layer", layer},
            {"places", json_bytes(std::as_bytes(std::span(old.places)))},
            {"values", json_bytes(std::as_bytes(std::span(old.values)))}};
}

Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning) {
    constexpr std::uint32_t all_mesh_fields = 2, all_skinning_fields = 4;
    Json json = fields_of(mesh, all_mesh_fields);
    if (skinning == nullptr) return json;
    json["skinning"] = fields([&](auto& visitor) {
        layout(visitor, *skinning, all_skinning_fields, [&] { return skinning->ranges.size(); });
    });
    return json;
}

Json morph_target_record(const xac::MorphTarget& target) { return fields_of(target, 1); }

Json material_record(const xac::StandardMaterial& material,
                     const std::vector<const xac::MaterialLayer*>& separate_layers) {
    constexpr std::uint32_t all_fields = 3;
    Json json{{"type", "standard"}};
    json.update(fields_of(material, all_fields));
    if (material.padding != 0) json["padding"] = material.padding;
    for (const xac::MaterialLayer* layer : separate_layers) json["separate_layers"].push_back(fields_of(*layer, 2));
    return json;
}

Json material_record(const xac::FxMaterial& material) {
    constexpr std::uint32_t all_fields = 3;
    Json json{{"type", "fx"}};
    json.update(fields_of(material, all_fields));
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
