/// Attributes of glTF: semantics by name, component types that they may have, made-up values.

#include "gltf/read/attribute_types.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "gltf/file/accessors.hpp"

namespace effigy::gltf {
namespace {

std::optional<std::uint32_t> number_after(std::string_view prefix, std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_plain = name == "0" || !name.starts_with('0');
    if (error != std::errc() || end != name.data() + name.size() || !is_plain) return std::nullopt;
    return number;
}

float greatest(const Accessor& data) {
    if (data.component == ComponentType::u8) return std::numeric_limits<std::uint8_t>::max();
    if (data.component == ComponentType::u16) return std::numeric_limits<std::uint16_t>::max();
    return 1;
}

void set_component(Accessor& data, std::size_t index, float value) {
    if (data.component == ComponentType::u8) data.as<std::uint8_t>()[index] = static_cast<std::uint8_t>(value);
    if (data.component == ComponentType::u16) data.as<std::uint16_t>()[index] = static_cast<std::uint16_t>(value);
    if (data.component == ComponentType::f32) data.as<float>()[index] = value;
}

}  // namespace

std::optional<Attribute> attribute_of(const std::string& name) {
    Attribute attribute;
    if (name == "POSITION") return attribute;
    if (name == "NORMAL") attribute.semantic = Semantic::normal;
    if (name == "TANGENT") attribute.semantic = Semantic::tangent;
    if (attribute.semantic != Semantic::position) return attribute;
    if (name.starts_with('_')) {
        attribute.semantic = Semantic::custom;
        attribute.custom_name = name;
        return attribute;
    }
    constexpr std::pair<std::string_view, Semantic> numbered[] = {{"TEXCOORD_", Semantic::texcoord},
                                                                  {"COLOR_", Semantic::color},
                                                                  {"JOINTS_", Semantic::joints},
                                                                  {"WEIGHTS_", Semantic::weights}};
    for (const auto& [prefix, semantic] : numbered) {
        const auto number = number_after(prefix, name);
        if (!number || *number >= max_sets) continue;
        attribute.semantic = semantic;
        attribute.set = *number;
        return attribute;
    }
    return std::nullopt;
}

std::optional<Accessor> to_u16(const Accessor& joints) {
    const Accessor numbers = to_floats(joints);
    Accessor narrow{{}, joints.element, ComponentType::u16, false};
    narrow.bytes.resize(numbers.count() * narrow.stride());
    const auto from = numbers.as<float>();
    const auto to = narrow.as<std::uint16_t>();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!(from[i] >= 0 && from[i] <= 65535) || from[i] != std::floor(from[i])) return std::nullopt;
        to[i] = static_cast<std::uint16_t>(from[i]);
    }
    return narrow;
}

Accessor with_alpha(const Accessor& colors) {
    Accessor wide{{}, ElementType::vec4, ComponentType::f32, false};
    wide.bytes.resize(colors.count() * wide.stride());
    const auto from = colors.as<float>();
    const auto to = wide.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = i % 4 == 3 ? 1.0f : from[i / 4 * 3 + i % 4];
    return wide;
}

void make_up(Attribute& attribute, std::size_t first, std::size_t count) {
    const std::size_t width = component_count(attribute.data.element);
    const float one = greatest(attribute.data);
    for (std::size_t i = first; i < first + count; ++i) {
        for (std::size_t part = 0; part < width; ++part) {
            const bool is_weight = attribute.semantic == Semantic::weights && attribute.set == 0 && part == 0;
            if (attribute.semantic == Semantic::color || is_weight) {
                set_component(attribute.data, i * width + part, one);
            }
        }
    }
}

}  // namespace effigy::gltf
