/// Vertex layers of meshes that nobody has edited: attributes, back in the file's frame.

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

using xac::LayerType;

/// How many layers of a kind became attributes so far.
struct LayerCounts {
    std::uint32_t tangents = 0, uvs = 0, colors = 0, bitangents = 0;
};

/// The attribute that a layer became; null for what becomes none.
const Attribute* source_of(const Mesh& mesh, LayerType type, LayerCounts& counts) {
    switch (type) {
        case LayerType::position:
            return find_attribute(mesh, Semantic::position, 0);
        case LayerType::normal:
            return find_attribute(mesh, Semantic::normal, 0);
        case LayerType::tangent: {
            const std::uint32_t number = counts.tangents++;
            const Attribute* const first = number == 0 ? find_attribute(mesh, Semantic::tangent, 0) : nullptr;
            return first != nullptr ? first : find_attribute(mesh, "_TANGENT_" + std::to_string(number));
        }
        case LayerType::uv:
            return find_attribute(mesh, Semantic::texcoord, counts.uvs++);
        case LayerType::color32:
        case LayerType::color128:
            return find_attribute(mesh, Semantic::color, counts.colors++);
        case LayerType::bitangent:
            return find_attribute(mesh, "_BITANGENT_" + std::to_string(counts.bitangents++));
        case LayerType::original_vertex:
            return find_attribute(mesh, "_ORIGINAL_VERTEX");
        case LayerType::cloth:
            return nullptr;
    }
    return nullptr;
}

/// What the repairs of a layer replaced, the first repair first; nothing if the record makes no sense.
std::optional<std::vector<RepairedNumbers>> old_values_of(const Json& record, std::size_t layer, std::size_t numbers) {
    std::vector<RepairedNumbers> all;
    for (const Json& entry : list_at(record, "old_values")) {
        if (number_member(entry, "layer") != layer) continue;
        auto places = elements_at<std::uint32_t>(entry, "places");
        auto values = elements_at<float>(entry, "values");
        if (!places || !values || places->size() != values->size()) return std::nullopt;
        if (!std::ranges::all_of(*places, [&](std::uint32_t place) { return place < numbers; })) return std::nullopt;
        all.push_back({std::move(*places), std::move(*values)});
    }
    return all;
}

void restore(Bytes& data, std::span<const RepairedNumbers> repairs) {
    const std::span<float> floats(reinterpret_cast<float*>(data.data()), data.size() / sizeof(float));
    for (std::size_t i = repairs.size(); i-- > 0;) {
        const auto& [places, values] = repairs[i];
        for (std::size_t k = places.size(); k-- > 0;) floats[places[k]] = values[k];
    }
}

/// How many numbers an element has whose third one has another sign in the file; 0: there are none.
std::size_t mirrored_width(LayerType type) {
    if (type == LayerType::tangent) return 4;
    const bool is_turned = type == LayerType::position || type == LayerType::normal || type == LayerType::bitangent;
    return is_turned ? 3 : 0;
}

/// Turns the sign of each third number, whatever the number is.
void mirror_back(Bytes& bytes, std::size_t width) {
    auto* floats = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 2; i < bytes.size() / sizeof(float); i += width) {
        floats[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(floats[i]) ^ 0x80000000u);
    }
}

bool to_numbers(xac::VertexLayer& layer) {
    for (std::size_t at = 0; at + sizeof(float) <= layer.data.size(); at += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, &layer.data[at], sizeof value);
        if (!(value >= 0 && value <= 16777216.0f)) return false;
        const auto number = static_cast<std::uint32_t>(value);
        std::memcpy(&layer.data[at], &number, sizeof number);
    }
    return true;
}

/// The bytes of an attribute: moved out of `spent`, the same mesh, or copied where that is null.
Bytes taken(const Mesh& mesh, Mesh* spent, std::size_t attribute) {
    return spent != nullptr ? std::move(spent->attributes[attribute].data.bytes)
                            : block_copy(mesh.attributes[attribute].data.bytes);
}

}  // namespace

std::optional<std::vector<RawLayer>> find_raw_layers(Build& build, const Mesh& mesh, Mesh* spent, const Json& record,
                                                     std::vector<xac::VertexLayer>& layers) {
    std::map<std::uint64_t, Bytes> kept;
    for (const char* name : {"kept_layers", "unmoved_layers"}) {
        for (const Json& entry : list_at(record, name)) {
            auto bytes = bytes_at(entry, "bytes");
            const auto layer = number_member(entry, "layer");
            if (layer && bytes) kept.try_emplace(*layer, std::move(*bytes));
        }
    }
    const auto has_numbers = [](const xac::VertexLayer& layer) { return layer.type == LayerType::original_vertex; };
    if (std::count_if(layers.begin(), layers.end(), has_numbers) > 1) spent = nullptr;
    std::vector<RawLayer> found;
    std::map<std::size_t, std::size_t> last;  // of an attribute
    LayerCounts counts;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        xac::VertexLayer& layer = layers[i];
        const std::uint64_t size = std::uint64_t{layer.element_size} * mesh.vertex_count;
        if (const auto old = kept.find(i); old != kept.end()) {
            layer.data = std::move(old->second);
            if (layer.data.size() != size) return std::nullopt;
            continue;
        }
        const Attribute* const attribute = source_of(mesh, layer.type, counts);
        if (attribute == nullptr || attribute->data.bytes.size() != size || !build.budget.take(size, 1))
            return std::nullopt;
        const bool is_packed = layer.type == LayerType::color32;
        if (attribute->data.component != (is_packed ? ComponentType::u8 : ComponentType::f32)) return std::nullopt;
        auto repairs = old_values_of(record, i, attribute->data.bytes.size() / sizeof(float));
        if (!repairs) return std::nullopt;
        const auto number = static_cast<std::size_t>(attribute - mesh.attributes.data());
        if (layer.type == LayerType::original_vertex) {
            layer.data = taken(mesh, spent, number);
            restore(layer.data, *repairs);
            if (!to_numbers(layer)) return std::nullopt;
            continue;
        }
        const auto [other, is_first] = last.try_emplace(number, found.size());
        if (!is_first) found[std::exchange(other->second, found.size())].is_last = false;
        found.push_back({i, number, true, std::move(*repairs)});
    }
    return found;
}

void fill_raw_layers(const Mesh& mesh, Mesh* spent, std::span<const RawLayer> found,
                     std::vector<xac::VertexLayer>& layers) {
    for (const RawLayer& one : found) {
        xac::VertexLayer& layer = layers[one.layer];
        layer.data = taken(mesh, one.is_last ? spent : nullptr, one.attribute);
        restore(layer.data, one.old_values);
        if (const std::size_t width = mirrored_width(layer.type); width != 0) mirror_back(layer.data, width);
    }
}

}  // namespace effigy::emfx::bridge
