/// Records of X42 for extras.effigy: header, packing, bones, tags, groups, animations, morph targets.

#include "x42/to_scene/extras.hpp"

#include <algorithm>

#include "core/json_vectors.hpp"
#include "x42/file/finite.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/to_scene/file_records.hpp"

namespace effigy::x42::bridge {
namespace {

Json name_json(const File& file, std::uint16_t name) { return json_text(name_of(file, name)); }

Json range_json(const Range& range) { return Json::array({json_number(range.low), json_number(range.high)}); }

template <std::size_t count>
Json ranges_json(const std::array<Range, count>& ranges) {
    Json json = Json::array();
    for (const Range& range : ranges) json.push_back(range_json(range));
    return json;
}

Json matrix_json(const Matrix& matrix) {
    Json json = Json::array();
    for (const float value : matrix) json.push_back(json_number(value));
    return json;
}

void add_padding(Json& json, std::uint16_t padding) {
    if (padding != 0) json["padding"] = padding;
}

Json header_json(const Header& header) {
    Json json{{"model_flags", header.model_flags},
              {"base_frame", header.base_frame},
              {"frame_count", header.frame_count},
              {"bounds_low", json_numbers(header.bounds_low)},
              {"bounds_high", json_numbers(header.bounds_high)},
              {"sphere_center", json_numbers(header.sphere_center)},
              {"sphere_radius", json_number(header.sphere_radius)}};
    add_padding(json, header.padding);
    return json;
}

Json pack_json(const File& file) {
    const PackHeader& pack = file.pack;
    Json json{{"animation_positions", ranges_json(pack.animation_positions)},
              {"animation_scales", range_json(pack.animation_scales)},
              {"vertex_positions", ranges_json(pack.vertex_positions)},
              {"texcoords", ranges_json(pack.texcoords)}};
    if (file.version != version_5) json["morph_positions"] = ranges_json(pack.morph_positions);
    return json;
}

Json bone_json(const File& file, std::size_t number) {
    const Bone& bone = file.bones[number];
    Json json{{"bone", number}, {"flags", bone.flags}, {"extent", json_number(bone.extent)}};
    if (bone.parent != no_bone) json["parent"] = bone.parent;
    add_padding(json, bone.padding);
    return json;
}

Json animations_json(const File& file) {
    Json json = Json::array();
    for (const Animation& animation : file.animations) {
        json.push_back({{"name", name_json(file, animation.name)},
                        {"first_frame", animation.first_frame},
                        {"last_frame", animation.last_frame},
                        {"loop_start", animation.loop_start},
                        {"loop_end", animation.loop_end},
                        {"frame_rate", animation.frame_rate}});
    }
    return json;
}

Json groups_json(const File& file) {
    Json json = Json::array();
    for (const AnimationGroup& group : file.animation_groups) {
        json.push_back(
            {{"name", name_json(file, group.name)}, {"begin_bone", group.begin_bone}, {"end_bone", group.end_bone}});
    }
    return json;
}

Json morphs_json(const File& file) {
    const Morphs& morphs = file.morphs;
    Json json{{"layout", name_of(morphs.layout)}, {"wide_counts", morphs.wide_counts}};
    if (morphs.layout != MorphLayout::undetermined) return json;
    json["stored_target_count"] = morphs.stored_target_count;
    json["stored_delta_count"] = morphs.stored_delta_count;
    json["opaque"] = json_bytes(morphs.opaque);
    return json;
}

/// Later models' bones may stand for nodes of the first one: theirs are kept together.
Json file_json(const File& file, bool with_bones) {
    Json json{{"big_endian", file.big_endian}, {"header", header_json(file.header)}, {"pack", pack_json(file)}};
    if (with_bones) {
        for (std::size_t i = 0; i < file.bones.size(); ++i) {
            json["bones"].push_back(bone_json(file, i));
            json["bones"].back()["name"] = name_json(file, file.bones[i].name);
        }
    }
    json["animation_groups"] = groups_json(file);
    json["animations"] = animations_json(file);
    if (file.version != version_5) json["morphs"] = morphs_json(file);
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
    return json;
}

Result<void> take(Build& build, const SceneInput& input, const File& file) {
    constexpr std::uint64_t record = 800;  // a small object in memory
    const std::uint64_t bones = &file == &input.models.front().file ? 0 : file.bones.size();
    return build.take(bones + file.animations.size() + file.animation_groups.size(), record, "extras")
        .and_then([&] { return build.take(file.trailing.size() + file.morphs.opaque.size(), 3, "extras"); })
        .and_then([&] { return build.take(input.models.size() == 1 ? size_of_records(file) : 0, 2, "extras"); })
        .and_then([&] { return take_names(build, file, file.animations); })
        .and_then([&] { return take_names(build, file, file.animation_groups); })
        .and_then([&] { return bones == 0 ? Result<void>() : take_names(build, file, file.bones); });
}

/// Not UTF-8, so that the node's name is another.
void add_raw_name(Json& json, const File& file, std::uint16_t name) {
    const std::string_view raw = name_of(file, name);
    if (!is_utf8(raw)) json["name"] = json_text(raw);
}

}  // namespace

std::string bone_extras(const File& file, std::size_t number) {
    Json json = bone_json(file, number);
    json.erase("parent");
    add_raw_name(json, file, file.bones[number].name);
    return to_text(json);
}

std::string tag_extras(const File& file, std::size_t number) {
    const Tag& tag = file.tags[number];
    Json json{{"tag", number}, {"matrix", matrix_json(tag.matrix)}};
    add_raw_name(json, file, tag.name);
    return to_text(json);
}

Json group_record(const File& file, std::size_t number) {
    const Group& group = file.groups[number];
    Json json{{"group", number},
              {"material", name_json(file, group.material)},
              {"surface", name_json(file, group.surface)},
              {"type", static_cast<std::uint16_t>(group.type)},
              {"vertex_influences", group.vertex_influences}};
    const std::size_t count = std::min<std::size_t>(group.influence_count, group.influences.size());
    json["influences"] = std::vector<std::uint16_t>(group.influences.begin(),
                                                    group.influences.begin() + static_cast<std::ptrdiff_t>(count));
    if (count != group.influence_count) json["influence_count"] = group.influence_count;
    json["first_vertex"] = group.first_vertex;
    json["vertex_count"] = group.vertex_count;
    if (group.first_index != no_indices) json["first_index"] = group.first_index;
    json["element_count"] = group.element_count;
    add_padding(json, group.padding);
    return json;
}

Json lod_record(const File& file, std::size_t number) {
    const Lod& lod = file.lods[number];
    return {{"lod", number},
            {"name", name_json(file, lod.name)},
            {"first_group", lod.first_group},
            {"group_count", lod.group_count}};
}

std::string skin_extras(const File& file, const Joints& joints) {
    Json json{{"influences", Json::array()}};
    for (std::size_t i = 0; i < file.influences.size(); ++i) {
        const Influence& influence = file.influences[i];
        Json record{{"bone", influence.bone}, {"joint", joints.of_influences[i]}};
        add_padding(record, influence.padding);
        if (!is_finite(influence.mesh_to_bone)) record["mesh_to_bone"] = matrix_json(influence.mesh_to_bone);
        json["influences"].push_back(std::move(record));
    }
    return to_text(json);
}

Json morph_record(const File& file, std::size_t number) {
    const MorphTarget& target = file.morphs.targets[number];
    Json json{{"target", number}, {"first_delta", target.first_delta}, {"delta_count", target.delta_count}};
    add_raw_name(json, file, target.name);
    add_padding(json, target.padding);
    return json;
}

Result<Json> asset_extras(Build& build, const SceneInput& input) {
    Json json{{"version", 1}};
    for (const ModelInput& model : input.models) {
        if (auto taken = take(build, input, model.file); !taken) return fail(std::move(taken.error()));
        const bool is_first = &model == &input.models.front();
        Json entry{{"source", source_json(model.source, "x42", std::to_string(model.file.version))},
                   {"file", file_json(model.file, !is_first)}};
        if (is_first) {
            json.update(entry);
        } else {
            json["parts"].push_back(std::move(entry));
        }
    }
    // Of several models that became one there is no way back to each.
    if (input.models.size() == 1) json["records"] = records_json(input.models.front().file, build.scene.clips.size());
    for (const ConfigInput& config : input.configs) {
        json["companions"].push_back({{"source", source_json(config.source, "animation-cfg")}});
    }
    for (const SkinInput& skin : input.skins) {
        json["companions"].push_back({{"source", source_json(skin.source, "skin")}});
    }
    return json;
}

}  // namespace effigy::x42::bridge
