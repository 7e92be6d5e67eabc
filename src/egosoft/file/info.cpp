/// What is in an XMF and in an ANI, as JSON: docs/json.md, "info".

#include <algorithm>
#include <array>
#include <set>

#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/vertex_elements.hpp"

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
    const std::string text =
        joined(declaration(buffer), " ", [](const PlacedElement& placed) { return element_text(placed.element); });
    return text.empty() ? "?" : text;
}

std::string layout_text(const File& file) {
    return joined(file.buffers, ", ", [](const Buffer& buffer) { return layout_text(buffer); });
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

Json info(const File& file, const InfoOptions& options) {
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
    if (const auto bounds = egosoft::bounds_of(file)) {
        const auto& [low, high] = *bounds;  // with x turned as the scene has it
        json["bounds"] = {{"min", json_numbers_unsigned_zeros({-high.x, low.y, low.z})},
                          {"max", json_numbers_unsigned_zeros({-low.x, high.y, high.z})}};
    }
    Json& buffers = json["buffers"] = Json::array();
    for (const Buffer& buffer : file.buffers) buffers.push_back(buffer_json(buffer));
    Json& materials = json["materials"] = Json::array();
    for (const Material& material : file.materials) {
        materials.push_back({{"name", to_utf8(name_of(material), options.encoding)},
                             {"first_index", material.first_index},
                             {"triangles", material.index_count / 3}});
    }
    return json;
}

}  // namespace effigy::xmf

namespace effigy::ani {

namespace {

std::string interpolation_name(Interpolation kind) {
    switch (kind) {
        case Interpolation::step:
            return "step";
        case Interpolation::linear:
            return "linear";
        case Interpolation::bezier:
            return "bezier";
        case Interpolation::bezier_linear_time:
            return "bezier_linear_time";
        case Interpolation::tcb:
            return "tcb";
    }
    return std::to_string(static_cast<std::uint32_t>(kind));
}

/// "position_keys": how many there are of "positions".
std::string count_name(const KeyList& list) {
    const std::string_view name = list.name;
    return std::string(name.substr(0, name.size() - 1)) + "_keys";
}

/// In the order in which they occur first.
Json names_of(const File& file, std::string_view (*name_of)(const Animation&) noexcept, const std::string& encoding) {
    Json names = Json::array();
    std::set<std::string_view> seen;
    for (const Animation& animation : file.animations) {
        if (seen.insert(name_of(animation)).second) names.push_back(to_utf8(name_of(animation), encoding));
    }
    return names;
}

}  // namespace

Json info(const File& file, const InfoOptions& options) {
    Json json;
    json["format"] = "ani";
    json["version"] = std::to_string(file.header.version);
    float duration = 0;
    std::set<std::uint32_t> interpolations;
    Json animations = Json::array();
    Json counts{{"animations", file.animations.size()}};
    for (const KeyList& list : key_lists) counts[count_name(list)] = std::uint64_t{0};
    for (const Animation& animation : file.animations) {
        duration = std::max(duration, animation.duration);
        Json& entry = animations.emplace_back();
        entry["part"] = to_utf8(part_of(animation), options.encoding);
        entry["state"] = to_utf8(state_of(animation), options.encoding);
        entry["duration"] = json_number(animation.duration);
        for (const KeyList& list : key_lists) {
            const Bulk<Key>& keys = animation.*list.keys;
            entry[count_name(list)] = keys.size();
            counts[count_name(list)] = counts[count_name(list)].get<std::uint64_t>() + keys.size();
            for (const Key& key : keys) {
                for (const Interpolation kind : key.interpolation)
                    interpolations.insert(static_cast<std::uint32_t>(kind));
            }
        }
    }
    constexpr std::size_t max_kinds = 16;  // a damaged file may have as many as numbers
    Json kinds = Json::array();
    for (const std::uint32_t kind : interpolations) {
        if (kinds.size() < max_kinds) kinds.push_back(interpolation_name(static_cast<Interpolation>(kind)));
    }
    json["duration"] = json_number(duration);
    json["interpolation"] = std::move(kinds);
    json["counts"] = std::move(counts);
    json["states"] = names_of(file, state_of, options.encoding);
    json["parts"] = names_of(file, part_of, options.encoding);
    json["animations"] = std::move(animations);
    return json;
}

}  // namespace effigy::ani
