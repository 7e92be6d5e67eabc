/// Writes JSON and buffers of small glTF files.

#include "asset_builder.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace effigy::gltf_test {
namespace {

std::string word(std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    unsigned bits = 0, count = 0;
    for (const char letter : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(letter);
        for (count += 8; count >= 6; count -= 6) text += digits[(bits >> (count - 6)) & 63];
    }
    if (count != 0) text += digits[(bits << (6 - count)) & 63];
    while (text.size() % 4 != 0) text += '=';
    return text;
}

std::size_t AssetBuilder::view(std::string_view bytes, std::size_t stride) {
    while (buffer.size() % 4 != 0) buffer += '\0';
    json description = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
    if (stride != 0) description["byteStride"] = stride;
    buffer += bytes;
    root["bufferViews"].push_back(std::move(description));
    return root["bufferViews"].size() - 1;
}

std::size_t AssetBuilder::accessor(json description) {
    root["accessors"].push_back(std::move(description));
    return root["accessors"].size() - 1;
}

std::size_t AssetBuilder::accessor(std::string_view bytes, int component, std::string_view type, std::size_t count,
                                   std::size_t stride, std::size_t offset) {
    return accessor({{"bufferView", view(bytes, stride)},
                     {"byteOffset", offset},
                     {"componentType", component},
                     {"type", type},
                     {"count", count}});
}

std::string AssetBuilder::glb() const {
    json complete = root;
    if (!buffer.empty() && !complete.contains("buffers")) complete["buffers"] = {{{"byteLength", buffer.size()}}};
    std::string text = complete.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string binary = buffer;
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    return glb_of(chunk("JSON", text) + (buffer.empty() ? "" : chunk(std::string_view("BIN\0", 4), binary)));
}

std::string AssetBuilder::gltf() const {
    json complete = root;
    complete["buffers"] = {
        {{"byteLength", buffer.size()}, {"uri", "data:application/octet-stream;base64," + base64(buffer)}}};
    return complete.dump(1);
}

std::string chunk(std::string_view type, std::string_view bytes) {
    return word(bytes.size()) + std::string(type) + std::string(bytes);
}

std::string glb_of(std::string_view chunks) {
    return "glTF" + word(2) + word(12 + chunks.size()) + std::string(chunks);
}

gltf::File file_of(std::string_view bytes) {
    auto loaded = gltf::read(std::as_bytes(std::span(bytes)));
    if (!loaded) {
        ADD_FAILURE() << to_string(loaded.error());
        return {};
    }
    return std::move(loaded->value);
}

std::unique_ptr<Opened> open(std::string_view bytes, const gltf::SceneOptions& options) {
    auto opened = std::make_unique<Opened>();
    opened->file = file_of(bytes);
    opened->asset = gltf::Asset::open(opened->file, options, opened->report);
    return opened;
}

}  // namespace effigy::gltf_test
