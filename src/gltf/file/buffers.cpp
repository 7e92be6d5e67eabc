/// Buffers and buffer views of glTF, loaded when asked for, decompressed (EXT_meshopt_compression) where needed.

#include "gltf/file/buffers.hpp"

#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"
#include "gltf/file/meshopt.hpp"

namespace effigy::gltf {

Result<const nlohmann::json*> element_of(const nlohmann::json& root, std::string_view array, std::uint64_t number,
                                         std::string_view path) {
    const nlohmann::json* const list = member(root, array);
    const std::size_t count = list != nullptr && list->is_array() ? list->size() : 0;
    if (number >= count) return leads_nowhere(std::string(path), std::to_string(number), array, count);
    return &(*list)[static_cast<std::size_t>(number)];
}

Buffers::BytesOrWhyNot Buffers::content_of(const nlohmann::json& json, std::uint64_t number) {
    const nlohmann::json* const uri = member(json, "uri");
    if (uri == nullptr) {
        if (number == 0 && binary_) return *binary_;
        return refuse({}, codes::gltf_buffer, "a buffer has no data: neither a uri nor the binary chunk of a .glb");
    }
    if (!uri->is_string()) return refuse({}, codes::gltf_buffer, "the uri of a buffer is not a text");
    const auto& text = uri->get_ref<const std::string&>();
    if (!is_data_uri(text)) return files_.read(text);
    auto data = decode_data_uri(text, budget_);
    if (!data) return fail(std::move(data.error()));
    kept_.push_back(std::move(data->bytes));
    return bytes_of(kept_.back());
}

Buffers::BytesOrWhyNot Buffers::load_buffer(const nlohmann::json& json, std::uint64_t number) {
    const std::string path = place("buffers", number);
    const auto length = whole_member(json, "byteLength");
    if (!length) return refuse(path, codes::gltf_buffer, "a buffer does not say how long it is");
    auto content = content_of(json, number);
    if (!content) {
        if (content.error().path.empty()) content.error().path = path;
        return content;
    }
    if (content->size() < *length)
        return refuse(path, codes::gltf_buffer, "a buffer is shorter than the file says; it may have been cut off",
                      std::to_string(content->size()) + " bytes", std::to_string(*length) + " bytes");
    return content->first(static_cast<std::size_t>(*length));
}

Buffers::BytesOrWhyNot Buffers::buffer(std::uint64_t number) {
    const auto known = buffers_.find(number);
    if (known != buffers_.end()) return known->second;
    const auto json = element_of(root_, "buffers", number, place("buffers", number));
    if (!json) return fail(json.error());
    return buffers_.emplace(number, load_buffer(**json, number)).first->second;
}

Buffers::BytesOrWhyNot Buffers::part(const nlohmann::json& json, const std::string& path) {
    const auto number = whole_member(json, "buffer");
    const auto offset = whole_member_or(json, "byteOffset", 0);
    const auto length = whole_member(json, "byteLength");
    if (!number || !offset || !length)
        return refuse(path, codes::gltf_view, "a buffer view does not say which bytes it stands for");
    auto bytes = buffer(*number);
    if (!bytes) return bytes;
    if (*offset > bytes->size() || *length > bytes->size() - *offset)
        return refuse(path, codes::gltf_view, "a buffer view ends beyond its buffer",
                      std::to_string(*length) + " bytes from " + std::to_string(*offset) + " on",
                      "within " + std::to_string(bytes->size()) + " bytes");
    return bytes->subspan(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*length));
}

Buffers::BytesOrWhyNot Buffers::decompress(const nlohmann::json& compressed, std::uint64_t number) {
    const auto known = decompressed_.find(number);
    if (known != decompressed_.end()) return known->second;
    const std::string path = place("bufferViews", number);
    auto decoded = part(compressed, path).and_then([&](std::span<const std::byte> bytes) {
        return decode_meshopt(compressed, bytes, path, budget_);
    });
    if (!decoded) return decompressed_.emplace(number, fail(std::move(decoded.error()))).first->second;
    kept_.push_back(std::move(*decoded));
    return decompressed_.emplace(number, bytes_of(kept_.back())).first->second;
}

Result<View> Buffers::view(std::uint64_t number) {
    const std::string path = place("bufferViews", number);
    const auto json = element_of(root_, "bufferViews", number, path);
    if (!json) return fail(json.error());
    const auto stride = whole_member_or(**json, "byteStride", 0);
    if (!stride) return refuse(path, codes::gltf_view, "the stride of a buffer view is no number of bytes");
    const nlohmann::json* const compressed = meshopt_extension(**json);
    auto bytes = compressed == nullptr ? part(**json, path) : decompress(*compressed, number);
    if (!bytes) return fail(std::move(bytes.error()));
    return View{*bytes, *stride};
}

}  // namespace effigy::gltf
