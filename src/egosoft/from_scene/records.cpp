/// What nodes' extras say of a component.

#include <array>

#include "egosoft/from_scene/component.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

std::optional<std::string> property_of(const Node& node, std::string_view name) {
    if (node.extras.other.empty()) return std::nullopt;
    const auto json = parse_json(node.extras.other);
    return json ? text_at(*json, name) : std::nullopt;
}

std::optional<Offset> offset_at(const Json& json, std::string_view name) {
    const Json* const record = member(json, name);
    if (record == nullptr) return std::nullopt;
    std::array<float, 7> values{0, 0, 0, 0, 0, 0, 1};
    const auto read = [&](std::string_view part, std::size_t first, std::size_t count) {
        const Json* const list = member(*record, part);
        if (list == nullptr || !list->is_array() || list->size() != count) return;
        for (std::size_t i = 0; i < count; ++i)
            values[first + i] = float_from_json((*list)[i]).value_or(values[first + i]);
    };
    read("position", 0, 3);
    read("rotation", 3, 4);
    Offset offset;
    offset.position = {values[0], values[1], values[2]};
    offset.rotation = {values[3], values[4], values[5], values[6]};
    return offset;
}

std::optional<Transform> known_rest(const Scene& scene, Index node, const Json& record) {
    if (text_at(record, "kind") != "part") return std::nullopt;
    const Index above = scene.nodes[node].parent;
    const bool has_helper = above != no_index && flag_at(record_of(scene.nodes[above].extras), "helper");
    const auto offset = has_helper ? std::nullopt : offset_at(record, "offset");
    std::uint64_t not_finite = 0;
    return offset ? to_scene(*offset, not_finite) : Transform();
}

}  // namespace effigy::egosoft::bridge
