/// What is in an XMF, as JSON: docs/json.md, "info".

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "egosoft/file/xmf_format.hpp"

namespace effigy::xmf {

namespace {

bool has_garbage(const Header& header, std::uint64_t vertices, std::uint64_t indices) noexcept {
    return header.vertex_count != vertices || header.index_count != indices;
}

/// The last slots of a declaration that nothing uses are filled differently from tool to tool.
bool ends_in_ones(const File& file) noexcept {
    return std::any_of(file.buffers.begin(), file.buffers.end(), [](const Buffer& buffer) {
        return buffer.element_count != 0 && buffer.element_count < max_elements &&
               static_cast<std::uint32_t>(buffer.elements.back().type) == 0xffffffffu;
    });
}

std::uint64_t items(const File& file, bool of_indices) noexcept {
    for (const Buffer& buffer : file.buffers) {
        if (is_index_buffer(buffer) == of_indices) return item_count(buffer);
    }
    return 0;
}

/// Which tool made the file: docs/formats/xmf.md, "Who wrote it".
const char* producer(const File& file) noexcept {
    const Header& header = file.header;
    if (header.reserved != 0 || header.right_handed != 0 || has_garbage(header, items(file, false), items(file, true)))
        return "XRConverters or a relative";
    if (header.reserved_end[2] == 0x84 && header.reserved_end[3] == 0x80) return "Egosoft's public tools";
    if (header.cull == 1) return "Egosoft, X Rebirth";
    return ends_in_ones(file) ? "Egosoft, X4 7 or later" : "Egosoft, X4";
}

std::string type_text(ElementType type) {
    static constexpr std::array<const char*, 18> names{"1",   "2",   "3",    "4",    "c",   "u4",  "s2", "s4", "u4n",
                                                       "s2n", "s4n", "us2n", "us4n", "ud3", "d3n", "2h", "4h", ""};
    const auto number = static_cast<std::uint32_t>(type);
    return number < names.size() ? names[number] : "?";
}

/// "P3", "N", "UVh2": what it is for, its type where that is not the usual one, its index where that is not 0.
std::string element_text(const Element& element) {
    static constexpr std::array<const char*, 14> names{"P", "BW", "BI", "N", "PS", "UV", "T",
                                                       "B", "TF", "PT", "C", "F",  "D",  "S"};
    const auto usage = static_cast<std::size_t>(element.usage);
    const std::string name = usage < names.size() ? names[usage] : "?";
    const bool uv = element.usage == Usage::texcoord, position = element.usage == Usage::position;
    const bool color = element.usage == Usage::color;
    const std::string index = element.usage_index == 0 && !color ? "" : std::to_string(element.usage_index);
    if (element.type == ElementType::color && !uv && !position) return name + index;
    if (uv && element.type == ElementType::float2) return name + "f" + index;
    if (uv && element.type == ElementType::half2) return name + "h" + index;
    if (position && element.type == ElementType::half4) return name + "4h";
    return name + type_text(element.type) + (index.empty() ? "" : ":" + index);
}

std::string layout_text(const Buffer& buffer) {
    if (is_index_buffer(buffer)) return buffer.item_size == 2 ? "I16" : buffer.item_size == 4 ? "I32" : "I?";
    std::string text;
    for (const PlacedElement& placed : declaration(buffer))
        text += (text.empty() ? "" : " ") + element_text(placed.element);
    return text.empty() ? "?" : text;
}

std::string layout_text(const File& file) {
    std::string text;
    for (const Buffer& buffer : file.buffers) text += (text.empty() ? "" : ", ") + layout_text(buffer);
    return text;
}

struct Bounds {
    std::array<float, 3> low, high;
};

/// Of the positions that are numbers, with x turned as the scene has it.
std::optional<Bounds> bounds(const File& file) {
    std::optional<Bounds> all;
    for (const Buffer& buffer : file.buffers) {
        for (const PlacedElement& placed : declaration(buffer)) {
            if (placed.element.usage != Usage::position || placed.element.usage_index != 0) continue;
            for (std::size_t at = 0; at + buffer.item_size <= buffer.content.size(); at += buffer.item_size) {
                const Vec4 value = decode(placed.element.type, buffer.content.data() + at + placed.offset);
                const std::array<float, 3> point{-value.x, value.y, value.z};
                if (!std::all_of(point.begin(), point.end(), [](float number) { return std::isfinite(number); }))
                    continue;
                if (!all) all = Bounds{point, point};
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    all->low[axis] = std::min(all->low[axis], point[axis]);
                    all->high[axis] = std::max(all->high[axis], point[axis]);
                }
            }
        }
    }
    return all;
}

Json vector_json(const std::array<float, 3>& values) {
    Json list = Json::array();
    for (const float value : values) list.push_back(json_number(value == 0 ? 0.0f : value));
    return list;
}

Json buffer_json(const Buffer& buffer) {
    Json json;
    json["kind"] = is_index_buffer(buffer) ? "indices" : "vertices";
    json["layout"] = layout_text(buffer);
    json["items"] = item_count(buffer);
    json["item_size"] = buffer.item_size;
    json["stored_size"] = buffer.stored_size;
    json["compressed"] = buffer.compressed != 0;
    if (buffer.minimum != 0 || buffer.maximum != 0)
        json["range"] = Json::array({json_number(buffer.minimum), json_number(buffer.maximum)});
    return json;
}

}  // namespace

Json info(const File& file, const std::string& encoding) {
    const std::uint64_t vertices = items(file, false), indices = items(file, true);
    Json json;
    json["format"] = "xmf";
    json["version"] = std::to_string(file.header.version);
    json["endian"] = file.header.big_endian != 0 ? "big" : "little";
    json["producer"] = producer(file);
    json["collision"] = is_collision_mesh(file);
    json["layout"] = layout_text(file);
    json["counts"] = {{"vertices", vertices},
                      {"triangles", indices / 3},
                      {"buffers", file.buffers.size()},
                      {"materials", file.materials.size()}};
    if (const auto box = bounds(file))
        json["bounds"] = {{"min", vector_json(box->low)}, {"max", vector_json(box->high)}};
    Json& buffers = json["buffers"] = Json::array();
    for (const Buffer& buffer : file.buffers) buffers.push_back(buffer_json(buffer));
    Json& materials = json["materials"] = Json::array();
    for (const Material& material : file.materials) {
        materials.push_back({{"name", to_utf8(name_of(material), encoding)},
                             {"first_index", material.first_index},
                             {"triangles", material.index_count / 3}});
    }
    return json;
}

}  // namespace effigy::xmf
