/// Parses and decodes written glTF.

#include "gltf/glb.hpp"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

namespace effigy::test {
namespace {

using nlohmann::json;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.subspan(offset, sizeof(T)).data(), sizeof(T));
    return value;
}

double load_component(std::span<const std::byte> bytes, std::size_t offset, int type) {
    switch (type) {
        case 5120:
            return load<std::int8_t>(bytes, offset);
        case 5121:
            return load<std::uint8_t>(bytes, offset);
        case 5122:
            return load<std::int16_t>(bytes, offset);
        case 5123:
            return load<std::uint16_t>(bytes, offset);
        case 5125:
            return load<std::uint32_t>(bytes, offset);
        case 5126:
            return static_cast<double>(load<float>(bytes, offset));
        default:
            ADD_FAILURE() << "component type " << type;
            return 0;
    }
}

std::size_t size_of(int type) { return type <= 5121 ? 1 : type <= 5123 ? 2 : 4; }

std::size_t components_of(const std::string& type) {
    static const std::map<std::string, std::size_t> counts{
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    return counts.at(type);
}

// `count` elements from a view; `place` is an accessor or a part of a sparse one.
std::vector<double> read_view(const Gltf& gltf, const json& place, std::size_t count, std::size_t components,
                              int type) {
    const json& view = gltf.json["bufferViews"][place["bufferView"].get<std::size_t>()];
    const std::size_t element = components * size_of(type);
    const std::size_t stride = view.value("byteStride", element);
    const std::size_t offset = place.value("byteOffset", std::size_t{0});
    EXPECT_EQ((view.value("byteOffset", std::size_t{0}) + offset) % size_of(type), 0u);
    EXPECT_LE(offset + stride * (count - 1) + element, view["byteLength"].get<std::size_t>());
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t component = 0; component < components; ++component) {
            const std::size_t place_in_buffer =
                view["byteOffset"].get<std::size_t>() + offset + i * stride + component * size_of(type);
            values.push_back(load_component(gltf.binary, place_in_buffer, type));
        }
    }
    return values;
}

}  // namespace

std::vector<double> Gltf::read(std::size_t number) const {
    const ::nlohmann::json& place = accessor(number);
    const auto count = place["count"].get<std::size_t>();
    const std::size_t components = components_of(place["type"]);
    const int type = place["componentType"];
    std::vector<double> values(count * components, 0.0);
    if (place.contains("bufferView")) values = read_view(*this, place, count, components, type);
    if (!place.contains("sparse")) return values;
    const ::nlohmann::json& sparse = place["sparse"];
    const auto moved = sparse["count"].get<std::size_t>();
    const auto indices = read_view(*this, sparse["indices"], moved, 1, sparse["indices"]["componentType"]);
    const auto offsets = read_view(*this, sparse["values"], moved, components, type);
    for (std::size_t i = 0; i < moved; ++i) {
        for (std::size_t component = 0; component < components; ++component) {
            values.at(static_cast<std::size_t>(indices[i]) * components + component) =
                offsets[i * components + component];
        }
    }
    return values;
}

Gltf parse_glb(std::span<const std::byte> bytes) {
    Gltf gltf;
    EXPECT_GE(bytes.size(), 20u);
    if (bytes.size() < 20) return gltf;
    EXPECT_EQ(load<std::uint32_t>(bytes, 0), 0x46546c67u);
    EXPECT_EQ(load<std::uint32_t>(bytes, 4), 2u);
    EXPECT_EQ(load<std::uint32_t>(bytes, 8), bytes.size());
    const auto json_size = load<std::uint32_t>(bytes, 12);
    EXPECT_EQ(load<std::uint32_t>(bytes, 16), 0x4e4f534au);
    EXPECT_EQ(json_size % 4, 0u);
    const auto text = bytes.subspan(20, json_size);
    gltf.json = json::parse(reinterpret_cast<const char*>(text.data()),
                            reinterpret_cast<const char*>(text.data()) + text.size());
    if (bytes.size() == 20 + json_size) return gltf;
    const auto chunk = bytes.subspan(20 + json_size);
    const auto binary_size = load<std::uint32_t>(chunk, 0);
    EXPECT_EQ(load<std::uint32_t>(chunk, 4), 0x004e4942u);
    EXPECT_EQ(binary_size % 4, 0u);
    EXPECT_EQ(chunk.size(), 8u + binary_size);
    gltf.binary.assign(chunk.begin() + 8, chunk.end());
    const auto declared = gltf.json["buffers"][0]["byteLength"].get<std::size_t>();
    EXPECT_LE(declared, binary_size);
    EXPECT_LT(binary_size - declared, 4u);
    return gltf;
}

}  // namespace effigy::test
