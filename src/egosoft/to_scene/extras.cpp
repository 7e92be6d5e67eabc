/// Records of XMF, ANI and components for extras.effigy.

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/fields_json.hpp"
#include "core/layout_write.hpp"
#include "core/path.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/layout_xmf.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// What glTF carries itself.
constexpr std::array<std::string_view, 1> bulk{"data"};

/// The fields of a mesh, less the slots of its declarations that nothing uses: they are many, and hold garbage.
class MeshFields : public layout::FieldsJson {
public:
    explicit MeshFields(const xmf::File& file) : FieldsJson(bulk), file_(file) {}

    void leaf(const char* name, const layout::ElementType& type, const std::byte* data, std::uint64_t count,
              layout::Shape shape) {
        if (!skips_) FieldsJson::leaf(name, type, data, count, shape);
    }
    void enter(const layout::Path& path) {
        const bool is_element = path.depth() == 2;
        if (path.depth() == 1) element_ = 0;
        skips_ = is_element && element_++ >= used();
        if (path.depth() == 1 && buffer_ < file_.buffers.size()) ++buffer_;
        if (!skips_) FieldsJson::enter(path);
    }
    void leave(const layout::Path& path) {
        if (!skips_) FieldsJson::leave(path);
        skips_ = false;
    }

private:
    [[nodiscard]] std::uint64_t used() const { return buffer_ == 0 ? 0 : file_.buffers[buffer_ - 1].element_count; }

    const xmf::File& file_;
    std::size_t buffer_ = 0;  ///< how many were entered
    std::uint64_t element_ = 0;
    bool skips_ = false;
};

/// The slots that MeshFields leaves out, where they are not all zero.
void add_unused_elements(Json& json, const xmf::File& file) {
    for (std::size_t i = 0; i < file.buffers.size() && json.contains("buffers") && i < json["buffers"].size(); ++i) {
        const xmf::Buffer& buffer = file.buffers[i];
        const std::size_t used = std::min<std::size_t>(buffer.element_count, buffer.elements.size());
        const auto unused = std::as_bytes(std::span(buffer.elements).subspan(used));
        const bool zero = std::all_of(unused.begin(), unused.end(), [](std::byte one) { return one == std::byte{0}; });
        if (!zero) json["buffers"][i]["unused_elements"] = json_bytes(unused);
    }
}

/// Whether the streams say that they were made at zlib's default level, unlike those of the games' own tools.
bool is_packed_plainly(const xmf::File& file) {
    constexpr std::array head{std::byte{0x78}, std::byte{0x9c}};
    const auto starts_so = [&](const xmf::Buffer& buffer) {
        const std::span<const std::byte> data(file.data);
        if (buffer.compressed == 0 || buffer.data_offset > data.size() || data.size() - buffer.data_offset < 2)
            return false;
        return std::equal(head.begin(), head.end(), data.begin() + buffer.data_offset);
    };
    return !file.buffers.empty() && std::all_of(file.buffers.begin(), file.buffers.end(), starts_so);
}

Json box_record(const Box& box) {
    return {{"center", json_numbers(box.center)}, {"half_size", json_numbers(box.half_size)}};
}

Json offset_record(const Offset& offset) {
    Json json{{"position", json_numbers(offset.position)}, {"rotation", json_numbers(offset.rotation)}};
    if (offset.has_angles) json["has_angles"] = true;
    return json;
}

void add_text(Json& json, const char* name, const std::string& value) {
    if (!value.empty()) json[name] = json_text(value);
}

Json lod_record(const Lod& lod) {
    Json json{{"index", lod.index}, {"materials", Json::array()}};
    for (const MaterialReference& material : lod.materials) {
        json["materials"].push_back({{"id", material.id}, {"name", json_text(material.name)}});
    }
    return json;
}

}  // namespace

Json mesh_record(const Source& source, const xmf::File& file) {
    MeshFields handler(file);
    handler.add("source", source_json(source, "xmf", std::to_string(file.header.version)));
    layout::Path path;
    layout::WriteVisitor<MeshFields> visitor(handler, path);
    xmf::layout(visitor, file, [&] { return file.data.size(); });
    Json json = handler.take();
    add_unused_elements(json, file);
    if (xmf::is_collision_mesh(file)) json["collision"] = true;
    if (is_packed_plainly(file)) json["compression"] = "default";
    return json;
}

Json component_record(const Component& component) {
    Json json{{"kind", "component"}};
    add_text(json, "class", component.class_name);
    add_text(json, "geometry", component.geometry);
    return json;
}

Json connection_record(const Connection& connection) {
    Json json{{"kind", "connection"}};
    for (const std::string& tag : connection.tags) json["tags"].push_back(json_text(tag));
    add_text(json, "group", connection.group);
    add_text(json, "value", connection.value);
    add_text(json, "parent", connection.parent);
    if (connection.offset.has_angles) json["has_angles"] = true;
    for (const AnimationRange& range : connection.animations) {
        json["animations"].push_back({{"name", json_text(range.name)}, {"start", range.start}, {"end", range.end}});
    }
    return json;
}

Json part_record(const Part& part) {
    Json json{{"kind", "part"}};
    add_text(json, "reference", part.reference);
    add_text(json, "wreck", part.wreck);
    if (part.offset) json["offset"] = offset_record(*part.offset);
    if (part.pivot) json["pivot"] = offset_record(*part.pivot);
    for (const Lod& lod : part.lods) json["lods"].push_back(lod_record(lod));
    if (part.size) json["size"] = box_record(*part.size);
    if (part.size_raw) json["size_raw"] = box_record(*part.size_raw);
    add_text(json, "uv_animations", part.uv_animations);
    return json;
}

void record_name(Json& record, std::string_view name, NameCounts& counts) {
    std::string utf8 = text(name);
    if (const std::uint64_t before = counts[utf8]++; before > 0) record["repeat"] = before;
    record["name"] = std::move(utf8);
}

Json light_record(const Light& light) {
    Json json{{"kind", "light"}, {"element", json_text(light.kind)}, {"attributes", Json::array()}};
    for (const auto& [name, value] : light.attributes) {
        json["attributes"].push_back(Json::array({json_text(name), json_text(value)}));
    }
    return json;
}

Json animation_record(const ani::Animation& animation, std::size_t index) {
    Json json{{"part", json_text(ani::part_of(animation))}, {"duration", json_number(animation.duration)}};
    json["index"] = index;
    Bytes descriptor;
    const auto put = [&](std::span<const std::byte> bytes) {
        descriptor.insert(descriptor.end(), bytes.begin(), bytes.end());
    };
    put(std::as_bytes(std::span(animation.part)));
    put(std::as_bytes(std::span(animation.state)));
    put(std::as_bytes(std::span(&animation.duration, 1)));
    put(std::as_bytes(std::span(animation.reserved)));
    json["descriptor"] = json_bytes(descriptor);
    for (const ani::KeyList& list : ani::key_lists) {
        const Bulk<ani::Key>& keys = animation.*list.keys;
        if (!keys.empty()) json[list.name] = json_bytes(bytes_of(keys));
    }
    return json;
}

Json range_record(const ani::Animation& animation, std::size_t index, const AnimationRange& range) {
    Json json{{"part", json_text(ani::part_of(animation))}, {"index", index}};
    json["range"] = {{"state", json_text(ani::state_of(animation))}, {"start", range.start}, {"end", range.end}};
    return json;
}

Json animation_file_record(const ani::File& file, const std::vector<bool>& in_clips) {
    Json json{{"count", file.animations.size()}};
    json["header"] = {
        {"key_offset", file.header.key_offset}, {"version", file.header.version}, {"reserved", file.header.reserved}};
    for (std::size_t i = 0; i < file.animations.size(); ++i) {
        if (!in_clips[i]) json["animations"].push_back(animation_record(file.animations[i], i));
    }
    if (!file.gap.empty()) json["gap"] = json_bytes(file.gap);
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
    return json;
}

Json asset_record(const SceneInput& input) {
    Json sources = Json::array();
    for (const ComponentInput& one : input.components) {
        Json entry{{"source", source_json(one.source, "component", "")}};
        for (const Component& component : one.file.components) {
            Json record{{"name", json_text(component.name)}};
            record.update(component_record(component));
            entry["file"]["components"].push_back(std::move(record));
        }
        sources.push_back(std::move(entry));
    }
    for (const MeshInput& one : input.meshes) {
        sources.push_back({{"source", source_json(one.source, "xmf", std::to_string(one.file.header.version))}});
    }
    for (const AnimationInput& one : input.animations) {
        sources.push_back({{"source", source_json(one.source, "ani", std::to_string(one.file.header.version))}});
    }
    Json json{{"version", 1}};
    if (sources.empty()) return json;
    json.update(sources.front());
    sources.erase(sources.begin());
    if (!sources.empty()) json["parts"] = std::move(sources);
    return json;
}

}  // namespace effigy::egosoft::bridge
