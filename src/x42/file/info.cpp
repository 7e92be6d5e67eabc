/// What is in an X42, as JSON: docs/json.md, "info".

#include <array>
#include <set>
#include <string>

#include "core/text.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42 {

namespace {

constexpr std::array<const char*, 4> morph_layouts{"none", "small", "large", "undetermined"};

/// A bone's number; nothing for the model itself.
void add_bone(Json& entry, const char* name, std::uint16_t bone) {
    if (bone != no_bone) entry[name] = bone;
}

std::string type_text(PrimitiveType type) {
    constexpr std::array<const char*, 7> names{"points",    "lines",          nullptr,       "line strip",
                                               "triangles", "triangle strip", "triangle fan"};
    const auto number = static_cast<std::uint16_t>(type);
    return number < names.size() && names[number] != nullptr ? names[number] : std::to_string(number);
}

std::uint64_t triangles(const Group& group) noexcept {
    const std::uint64_t elements = group.element_count;
    if (group.type == PrimitiveType::triangles) return elements / 3;
    const bool joined = group.type == PrimitiveType::triangle_strip || group.type == PrimitiveType::triangle_fan;
    return joined && elements > 2 ? elements - 2 : 0;
}

std::uint64_t all_triangles(const File& file) noexcept {
    std::uint64_t sum = 0;
    for (const Group& group : file.groups) sum += triangles(group);
    return sum;
}

std::string version_text(const File& file) {
    if (file.version == version_5) return "5";
    return file.version == version_6 ? "6" : "6 (number " + std::to_string(file.version) + ")";
}

Json flags_json(std::uint16_t flags) {
    constexpr std::array<std::pair<std::uint16_t, const char*>, 5> names{{{has_normals, "normals"},
                                                                          {has_tangents, "tangents"},
                                                                          {has_texcoords, "texcoords"},
                                                                          {has_colors, "colors"},
                                                                          {uniform_scale, "uniform_scale"}}};
    Json list = Json::array();
    unsigned rest = flags;
    for (const auto& [flag, name] : names) {
        if ((flags & flag) != 0) list.push_back(name);
        rest &= ~unsigned{flag};
    }
    if (rest != 0) list.push_back(std::to_string(rest));
    return list;
}

/// Makes the parts; names of a damaged file may be as long as the blob, and there are as many as 65535 of them.
class Info {
public:
    Info(const File& file, const std::string& encoding) : file_(file), encoding_(encoding) {}

    Json bones() const {
        return list_of(file_.bones, [&](const Bone& bone) {
            Json entry{{"name", name(bone.name)}};
            add_bone(entry, "parent", bone.parent);
            entry["extent"] = json_number(bone.extent);
            if (bone.flags != 0) entry["flags"] = bone.flags;
            return entry;
        });
    }
    Json animations() const {
        return list_of(file_.animations, [&](const Animation& animation) {
            Json entry{{"name", name(animation.name)},
                       {"first_frame", animation.first_frame},
                       {"last_frame", animation.last_frame},
                       {"frame_rate", animation.frame_rate}};
            if (animation.loop_start != no_loop)
                entry["loop"] = {{"start", animation.loop_start}, {"end", animation.loop_end}};
            return entry;
        });
    }
    Json tags() const {
        return list_of(file_.tags, [&](const Tag& tag) {
            Json entry{{"name", name(tag.name)}};
            add_bone(entry, "bone", tag.bone);
            return entry;
        });
    }
    Json groups() const {
        return list_of(file_.groups, [&](const Group& group) -> Json {
            return {{"material", name(group.material)},
                    {"surface", name(group.surface)},
                    {"type", type_text(group.type)},
                    {"influences", group.influence_count},
                    {"vertex_influences", group.vertex_influences},
                    {"vertices", group.vertex_count},
                    {"indexed", group.first_index != no_indices},
                    {"elements", group.element_count},
                    {"triangles", triangles(group)}};
        });
    }
    /// Animation groups or levels of detail: their own fields.
    template <class Records>
    Json named(const Records& records) const {
        return list_of(records, [&](const auto& record) {
            Json entry = record_json(record);
            entry["name"] = name(record.name);
            return entry;
        });
    }
    /// In the order in which they occur first.
    Json materials() const {
        Json list = Json::array();
        std::set<std::uint16_t> places;
        std::set<std::string> seen;
        for (const Group& group : file_.groups) {
            if (!places.insert(group.material).second) continue;
            std::string text = name(group.material);
            if (seen.insert(text).second) list.push_back(std::move(text));
        }
        return list;
    }
    Json morph_targets() const {
        return list_of(file_.morphs.targets, [&](const MorphTarget& target) -> Json {
            return {{"name", name(target.name)}, {"deltas", target.delta_count}};
        });
    }

private:
    template <class Records, class Make>
    static Json list_of(const Records& records, Make&& make) {
        Json list = Json::array();
        for (const auto& record : records) list.push_back(make(record));
        return list;
    }
    std::string name(std::uint16_t at) const { return to_utf8(shortened(name_of(file_, at), 256), encoding_); }

    const File& file_;
    const std::string& encoding_;
};

Json counts_json(const File& file) {
    return {{"bones", file.bones.size()},
            {"animation_groups", file.animation_groups.size()},
            {"position_values", file.positions.size()},
            {"scale_values", file.scales.size() / scale_width(file.header)},
            {"rotation_values", file.rotations.size()},
            {"keys", file.keys.size()},
            {"animations", file.animations.size()},
            {"tags", file.tags.size()},
            {"influences", file.influences.size()},
            {"lods", file.lods.size()},
            {"groups", file.groups.size()},
            {"vertices", file.vertices.size()},
            {"indices", file.indices.size()},
            {"triangles", all_triangles(file)},
            {"morph_targets", file.morphs.targets.size()},
            {"morph_deltas", file.morphs.indices.size()}};
}

}  // namespace

Json info(const File& file, const std::string& encoding) {
    const Header& header = file.header;
    const Info parts(file, encoding);
    Json json;
    json["format"] = "x42";
    json["version"] = version_text(file);
    json["endian"] = file.big_endian ? "big" : "little";
    json["flags"] = flags_json(header.model_flags);
    json["frames"] = header.frame_count;
    json["base_frame"] = header.base_frame;
    json["bounds"] = {{"min", json_numbers_unsigned_zeros(header.bounds_low)},
                      {"max", json_numbers_unsigned_zeros(header.bounds_high)}};
    json["sphere"] = {{"center", json_numbers_unsigned_zeros(header.sphere_center)},
                      {"radius", json_number(header.sphere_radius)}};
    json["counts"] = counts_json(file);
    json["bones"] = parts.bones();
    json["animation_groups"] = parts.named(file.animation_groups);
    json["animations"] = parts.animations();
    json["tags"] = parts.tags();
    json["lods"] = parts.named(file.lods);
    json["groups"] = parts.groups();
    json["materials"] = parts.materials();
    if (file.version == version_5) return json;
    Json& morphs = json["morphs"];
    morphs["layout"] = morph_layouts.at(static_cast<std::size_t>(file.morphs.layout));
    morphs["wide_counts"] = file.morphs.wide_counts;
    morphs["targets"] = parts.morph_targets();
    if (!file.morphs.opaque.empty()) morphs["opaque_bytes"] = file.morphs.opaque.size();
    return json;
}

}  // namespace effigy::x42
