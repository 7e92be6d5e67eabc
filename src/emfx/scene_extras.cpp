#include "emfx/scene_extras.hpp"

#include <algorithm>
#include <type_traits>

namespace effigy::emfx::bridge {
namespace {

Json numbers(std::span<const float> values) {
    Json json = Json::array();
    for (const float value : values) json.push_back(json_number(value));
    return json;
}

template <std::size_t count>
Json padding(const std::array<std::uint8_t, count>& bytes) {
    return json_of(std::span<const std::uint8_t>(bytes));
}

template <class T>
Json integers(const Bulk<T>& values) {
    Json json = Json::array();
    for (const T value : values) json.push_back(value);
    return json;
}

Json texts(const std::vector<std::string>& values) {
    Json json = Json::array();
    for (const std::string& value : values) json.push_back(json_text(value));
    return json;
}

Json limit_record(const xac::Limit& limit) {
    Json json;
    json["translation_min"] = json_of(limit.translation_min);
    json["translation_max"] = json_of(limit.translation_max);
    json["rotation_min"] = json_of(limit.rotation_min);
    json["rotation_max"] = json_of(limit.rotation_max);
    json["scale_min"] = json_of(limit.scale_min);
    json["scale_max"] = json_of(limit.scale_max);
    json["flags"] = padding(limit.flags);
    json["padding"] = padding(limit.padding);
    return json;
}

Json layer_record(const xac::MaterialLayer& layer) {
    Json json;
    json["map_type"] = layer.map_type;
    json["texture"] = json_text(layer.texture);
    json["amount"] = json_number(layer.amount);
    json["u_offset"] = json_number(layer.u_offset);
    json["v_offset"] = json_number(layer.v_offset);
    json["u_tiling"] = json_number(layer.u_tiling);
    json["v_tiling"] = json_number(layer.v_tiling);
    json["rotation"] = json_number(layer.rotation);
    json["material"] = layer.material;
    json["blend_mode"] = layer.blend_mode;
    return json;
}

Json event_record(const MotionEvent& event) {
    Json json;
    json["start_time"] = json_number(event.start_time);
    json["end_time"] = json_number(event.end_time);
    json["type"] = event.type;
    json["parameter"] = event.parameter;
    json["padding"] = padding(event.padding);
    return json;
}

Json record_of(const MotionEvents& events) {
    Json json;
    json["packed"] = events.packed;
    json["tracks"] = Json::array();
    for (const MotionEventTrack& track : events.tracks) {
        Json entry;
        entry["enabled"] = track.enabled;
        entry["padding"] = padding(track.padding);
        entry["name"] = json_text(track.name);
        entry["types"] = texts(track.types);
        entry["parameters"] = texts(track.parameters);
        entry["events"] = Json::array();
        for (const MotionEvent& event : track.events) entry["events"].push_back(event_record(event));
        json["tracks"].push_back(std::move(entry));
    }
    return json;
}

Json record_of(const Timestamp& stamp) {
    Json json;
    json["year"] = stamp.year;
    json["month"] = stamp.month;
    json["day"] = stamp.day;
    json["hours"] = stamp.hours;
    json["minutes"] = stamp.minutes;
    json["seconds"] = stamp.seconds;
    json["padding"] = padding(stamp.padding);
    return json;
}

Json record_of(const Opaque& opaque) { return {{"bytes", to_base64(opaque.bytes)}}; }

Json record_of(const xac::Info& info) {
    Json json;
    json["lod_count"] = info.lod_count;
    json["reposition_mask"] = info.reposition_mask;
    json["reposition_node"] = info.reposition_node;
    json["trajectory_node"] = info.trajectory_node;
    json["motion_extraction_node"] = info.motion_extraction_node;
    json["motion_extraction_mask"] = info.motion_extraction_mask;
    json["exporter_major"] = info.exporter_major;
    json["exporter_minor"] = info.exporter_minor;
    json["padding"] = padding(info.padding);
    json["retarget_root_offset"] = json_number(info.retarget_root_offset);
    json["source_application"] = json_text(info.source_application);
    json["original_file"] = json_text(info.original_file);
    json["export_date"] = json_text(info.export_date);
    json["actor_name"] = json_text(info.actor_name);
    return json;
}

Json record_of(const xac::NodeGroup& group) {
    Json json;
    json["name"] = json_text(group.name);
    json["disabled_on_default"] = group.disabled_on_default;
    json["padding"] = padding(group.padding);
    json["nodes"] = integers(group.nodes);
    return json;
}

Json record_of(const xac::MaterialInfo& info) {
    return {{"lod", info.lod}, {"total", info.total}, {"standard", info.standard}, {"fx", info.fx}};
}

Json record_of(const xac::NodeMotionSources& sources) {
    Json json;
    json["sources"] = integers(sources.sources);
    if (sources.has_axes) {
        json["axes"] = integers(sources.axes);
        json["flags"] = integers(sources.flags);
    }
    return json;
}

Json record_of(const xac::MorphTarget& target) {
    Json json = morph_target_record(target);
    Json& deformations = json["deformations"] = Json::array();
    for (const xac::MorphDeformation& deformation : target.deformations) {
        deformations.push_back({{"node", deformation.node},
                                {"min_value", json_number(deformation.min_value)},
                                {"max_value", json_number(deformation.max_value)}});
    }
    return json;
}

Json record_of(const xac::MorphTargets& targets) {
    Json json{{"lod", targets.lod}};
    json["targets"] = Json::array();
    for (const xac::MorphTarget& target : targets.targets) json["targets"].push_back(record_of(target));
    return json;
}

Json record_of(const xac::AttachmentNodes& attachments) { return {{"nodes", integers(attachments.nodes)}}; }

Json record_of(const MotionInfo& info) {
    Json json;
    json["importance_factor"] = json_number(info.importance_factor);
    json["maximum_error"] = json_number(info.maximum_error);
    json["frames_per_second"] = info.frames_per_second;
    json["motion_extraction_mask"] = info.motion_extraction_mask;
    json["exporter_major"] = info.exporter_major;
    json["exporter_minor"] = info.exporter_minor;
    json["padding"] = padding(info.padding);
    json["source_application"] = json_text(info.source_application);
    json["original_file"] = json_text(info.original_file);
    json["export_date"] = json_text(info.export_date);
    json["motion_name"] = json_text(info.motion_name);
    return json;
}

Json header_record(const Header& header) {
    Json json;
    json["major_version"] = header.major_version;
    json["minor_version"] = header.minor_version;
    json["endian"] = header.endian;
    json["multiplication_order"] = header.multiplication_order;
    return json;
}

template <class Record>
Json chunk_record(const Chunk<Record>& chunk) {
    Json json;
    json["id"] = chunk.id;
    json["version"] = chunk.version;
    if (chunk.size) json["size"] = *chunk.size;
    if (!chunk.trailing.empty()) json["trailing"] = to_base64(chunk.trailing);
    return json;
}

Json file_record(const xac::File& file, std::uint32_t depth);

Json level_record(const xac::MeshLod& level, std::uint32_t depth) {
    Json json;
    json["level"] = level.level;
    if (level.size) json["size"] = *level.size;
    if (!level.bytes.empty()) json["bytes"] = to_base64(level.bytes);
    if (!level.actor.empty() && depth > 0) json["actor"] = file_record(level.actor.front(), depth - 1);
    return json;
}

Json file_record(const xac::File& file, std::uint32_t depth) {
    Json json;
    json["header"] = header_record(file.header);
    Json& chunks = json["chunks"] = Json::array();
    for (const xac::Chunk& chunk : file.chunks) {
        Json entry = chunk_record(chunk);
        std::visit(
            [&](const auto& record) {
                using Record = std::decay_t<decltype(record)>;
                if constexpr (std::is_same_v<Record, xac::MeshLod>) {
                    entry["record"] = level_record(record, depth);
                } else if constexpr (std::is_same_v<Record, xac::Nodes>) {
                    entry["record"] = {{"root_count", record.root_count}};
                } else if constexpr (requires { record_of(record); }) {
                    entry["record"] = record_of(record);
                }
            },
            chunk.record);
        chunks.push_back(std::move(entry));
    }
    if (!file.trailing.empty()) json["trailing"] = to_base64(file.trailing);
    if (!file.wrapper_head.empty()) json["wrapper_head"] = to_base64(file.wrapper_head);
    if (!file.wrapper_tail.empty()) json["wrapper_tail"] = to_base64(file.wrapper_tail);
    return json;
}

template <class File>
Json source_record(const Source& source, const File& file, std::string_view format) {
    Json json;
    json["format"] = format;
    json["version"] = std::to_string(file.header.major_version) + "." + std::to_string(file.header.minor_version);
    json["name"] = json_text(source.stem);
    json["size"] = source.size;
    if (!source.hash.empty()) json["hash"] = json_text(source.hash);
    return json;
}

Json rotation_json(Quat rotation) { return json_of(rotation); }
Json rotation_json(xsm::PackedQuat q) { return Json::array({q.x, q.y, q.z, q.w}); }

template <class Rotation>
Json submotion_record(const xsm::BasicSubmotion<Rotation>& submotion) {
    Json json;
    json["node_name"] = json_text(submotion.node_name);
    json["pose_position"] = json_of(submotion.pose_position);
    json["pose_rotation"] = rotation_json(submotion.pose_rotation);
    json["pose_scale"] = json_of(submotion.pose_scale);
    json["pose_scale_rotation"] = rotation_json(submotion.pose_scale_rotation);
    json["bind_pose_position"] = json_of(submotion.bind_pose_position);
    json["bind_pose_rotation"] = rotation_json(submotion.bind_pose_rotation);
    json["bind_pose_scale"] = json_of(submotion.bind_pose_scale);
    json["bind_pose_scale_rotation"] = rotation_json(submotion.bind_pose_scale_rotation);
    json["maximum_error"] = json_number(submotion.maximum_error);
    return json;
}

Json submotion_record(const xpm::Submotion& submotion) {
    Json json;
    json["name"] = json_text(submotion.name);
    json["pose_weight"] = json_number(submotion.pose_weight);
    json["min_weight"] = json_number(submotion.min_weight);
    json["max_weight"] = json_number(submotion.max_weight);
    json["phoneme_set"] = submotion.phoneme_set;
    return json;
}

/// The chunks of a motion; submotions in full, but for their keys.
template <class File>
Json motion_chunks(const File& file) {
    Json chunks = Json::array();
    for (const auto& chunk : file.chunks) {
        Json entry = chunk_record(chunk);
        std::visit(
            [&](const auto& record) {
                if constexpr (requires { record_of(record); }) {
                    entry["record"] = record_of(record);
                } else if constexpr (requires { submotion_record(record); }) {
                    entry["submotions"] = Json::array({submotion_record(record)});
                } else if constexpr (requires {
                                         record.submotions;
                                         submotion_record(record.submotions.front());
                                     }) {
                    Json& submotions = entry["submotions"] = Json::array();
                    for (const auto& submotion : record.submotions) submotions.push_back(submotion_record(submotion));
                }
            },
            chunk.record);
        chunks.push_back(std::move(entry));
    }
    return chunks;
}

template <class Motion>
Json any_motion_record(const Motion& motion, std::string_view format) {
    Json json;
    json["source"] = source_record(motion.source, motion.file, format);
    json["header"] = header_record(motion.file.header);
    json["chunks"] = motion_chunks(motion.file);
    if (!motion.file.trailing.empty()) json["trailing"] = to_base64(motion.file.trailing);
    return json;
}

}  // namespace

Json json_of(Vec3 v) { return numbers(std::array{v.x, v.y, v.z}); }
Json json_of(Quat q) { return numbers(std::array{q.x, q.y, q.z, q.w}); }
Json json_of(Color c) { return numbers(std::array{c.r, c.g, c.b, c.a}); }

Json json_of(std::span<const std::uint8_t> bytes) {
    Json json = Json::array();
    for (const std::uint8_t byte : bytes) json.push_back(byte);
    return json;
}

NodeNotes::NodeNotes(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* limit = std::get_if<xac::Limit>(&chunk.record)) {
            notes_[limit->node]["limit"] = limit_record(*limit);
        } else if (const auto* group = std::get_if<xac::NodeGroup>(&chunk.record)) {
            for (const std::uint16_t node : group->nodes) notes_[node]["groups"].push_back(json_text(group->name));
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

std::string NodeNotes::extras(const xac::Node& record, std::uint32_t index) const {
    Json json;
    json["index"] = index;
    json["position"] = json_of(record.position);
    json["rotation"] = json_of(record.rotation);
    json["scale"] = json_of(record.scale);
    json["scale_rotation"] = json_of(record.scale_rotation);
    json["shear"] = json_of(record.shear);
    json["skeletal_lods"] = record.skeletal_lods;
    json["motion_lods"] = record.motion_lods;
    json["parent"] = record.parent;
    json["child_count"] = record.child_count;
    json["flags"] = record.flags;
    json["padding"] = padding(record.padding);
    json["box"] = numbers(record.box);
    json["importance"] = json_number(record.importance);
    if (!is_utf8(record.name)) json["name_bytes"] = to_base64(std::as_bytes(std::span(record.name)));
    if (const auto found = notes_.find(index); found != notes_.end()) json.update(found->second);
    return to_text(json);
}

Json mesh_record(const xac::Mesh& mesh, const xac::Skinning* skinning) {
    Json json;
    json["node"] = mesh.node;
    json["lod"] = mesh.lod;
    json["original_vertex_count"] = mesh.original_vertex_count;
    json["is_collision"] = mesh.is_collision;
    json["padding"] = padding(mesh.padding);
    Json& layers = json["layers"] = Json::array();
    for (const xac::VertexLayer& layer : mesh.layers) {
        layers.push_back({{"type", static_cast<std::uint32_t>(layer.type)},
                          {"element_size", layer.element_size},
                          {"enable_deformations", layer.enable_deformations},
                          {"is_scale", layer.is_scale},
                          {"padding", padding(layer.padding)}});
    }
    Json& submeshes = json["submeshes"] = Json::array();
    for (const xac::Submesh& submesh : mesh.submeshes) {
        submeshes.push_back({{"material", submesh.material}, {"bones", integers(submesh.bones)}});
    }
    if (skinning != nullptr) {
        Json& skin = json["skinning"];
        skin["lod"] = skinning->lod;
        skin["local_bone_count"] = skinning->local_bone_count;
        skin["is_for_collision_mesh"] = skinning->is_for_collision_mesh;
        skin["padding"] = padding(skinning->padding);
    }
    return json;
}

Json morph_target_record(const xac::MorphTarget& target) {
    Json json;
    json["name"] = json_text(target.name);
    json["range_min"] = json_number(target.range_min);
    json["range_max"] = json_number(target.range_max);
    json["lod"] = target.lod;
    json["phoneme_sets"] = target.phoneme_sets;
    if (target.transformations.empty()) return json;
    Json& transformations = json["transformations"] = Json::array();
    for (const xac::MorphTransformation& transformation : target.transformations) {
        transformations.push_back({{"node", transformation.node},
                                   {"rotation", json_of(transformation.rotation)},
                                   {"scale_rotation", json_of(transformation.scale_rotation)},
                                   {"position", json_of(transformation.position)},
                                   {"scale", json_of(transformation.scale)}});
    }
    return json;
}

Json material_record(const xac::StandardMaterial& material,
                     const std::vector<const xac::MaterialLayer*>& separate_layers) {
    Json json;
    json["type"] = "standard";
    json["name"] = json_text(material.name);
    json["lod"] = material.lod;
    json["ambient"] = json_of(material.ambient);
    json["diffuse"] = json_of(material.diffuse);
    json["specular"] = json_of(material.specular);
    json["emissive"] = json_of(material.emissive);
    json["shine"] = json_number(material.shine);
    json["shine_strength"] = json_number(material.shine_strength);
    json["opacity"] = json_number(material.opacity);
    json["index_of_refraction"] = json_number(material.index_of_refraction);
    json["double_sided"] = material.double_sided;
    json["wireframe"] = material.wireframe;
    json["transparency_type"] = material.transparency_type;
    json["padding"] = material.padding;
    json["layers"] = Json::array();
    for (const xac::MaterialLayer& layer : material.layers) json["layers"].push_back(layer_record(layer));
    if (separate_layers.empty()) return json;
    json["separate_layers"] = Json::array();
    for (const xac::MaterialLayer* layer : separate_layers) json["separate_layers"].push_back(layer_record(*layer));
    return json;
}

Json material_record(const xac::FxMaterial& material) {
    const auto list = [](const auto& parameters, auto&& value_of) {
        Json json = Json::array();
        for (const auto& parameter : parameters) {
            json.push_back({{"name", json_text(parameter.name)}, {"value", value_of(parameter.value)}});
        }
        return json;
    };
    const auto same = [](auto value) { return value; };
    Json json;
    json["type"] = "fx";
    json["name"] = json_text(material.name);
    json["lod"] = material.lod;
    json["effect_file"] = json_text(material.effect_file);
    json["technique"] = json_text(material.technique);
    json["ints"] = list(material.ints, same);
    json["floats"] = list(material.floats, json_number);
    json["colors"] = list(material.colors, [](Color color) { return json_of(color); });
    json["bools"] = list(material.bools, same);
    json["vectors"] = list(material.vectors, [](Vec3 v) { return json_of(v); });
    json["bitmaps"] = list(material.bitmaps, [](const std::string& text) { return json_text(text); });
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

std::string asset_extras(const SceneInput& input, std::uint32_t depth) {
    Json json;
    json["version"] = 1;
    if (input.actors.empty()) {
        if (!input.motions.empty()) {
            json["source"] = source_record(input.motions.front().source, input.motions.front().file, "xsm");
        }
        return to_text(json);
    }
    const Actor& first = input.actors.front();
    json["source"] = source_record(first.source, first.file, "xac");
    json["file"] = file_record(first.file, depth);
    for (std::size_t i = 1; i < input.actors.size(); ++i) {
        const Actor& part = input.actors[i];
        json["parts"].push_back(
            {{"source", source_record(part.source, part.file, "xac")}, {"file", file_record(part.file, depth)}});
    }
    return to_text(json);
}

}  // namespace effigy::emfx::bridge
