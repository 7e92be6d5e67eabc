/// Buffers and buffer views of glTF, loaded when asked for; EXT_meshopt_compression: streams checked before
/// meshoptimizer sees them, filters undone.

#include "gltf/file/buffers.hpp"

#include <meshoptimizer.h>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"

namespace effigy::gltf {

namespace {

enum class Mode { attributes, triangles, indices, unknown };

struct Stream {
    Mode mode = Mode::unknown;
    std::string_view filter;
    std::uint64_t count = 0;
    std::uint64_t stride = 0;
};

Mode mode_of(std::string_view name) noexcept {
    if (name == "ATTRIBUTES") return Mode::attributes;
    if (name == "TRIANGLES") return Mode::triangles;
    return name == "INDICES" ? Mode::indices : Mode::unknown;
}

Stream stream_of(const nlohmann::json& extension) {
    Stream stream;
    stream.mode = mode_of(text_member(extension, "mode"));
    stream.filter = text_member(extension, "filter");
    if (stream.filter.empty()) stream.filter = "NONE";
    stream.count = whole_member(extension, "count").value_or(0);
    stream.stride = whole_member(extension, "byteStride").value_or(0);
    return stream;
}

/// What the library demands of its caller, and ends the program without.
bool is_allowed(const Stream& stream) noexcept {
    const std::uint64_t stride = stream.stride;
    if (stream.count == 0 || stream.mode == Mode::unknown) return false;
    if (stream.mode != Mode::attributes)
        return (stride == 2 || stride == 4) && (stream.mode != Mode::triangles || stream.count % 3 == 0) &&
               stream.filter == "NONE";
    if (stride == 0 || stride > 256 || stride % 4 != 0) return false;
    if (stream.filter == "OCTAHEDRAL") return stride == 4 || stride == 8;
    if (stream.filter == "QUATERNION") return stride == 8;
    return stream.filter == "EXPONENTIAL" || stream.filter == "NONE";
}

/// 0 if the stream is whole.
int decode(const Stream& stream, std::span<const std::byte> compressed, Bytes& bytes) {
    const auto* const from = reinterpret_cast<const unsigned char*>(compressed.data());
    const auto count = static_cast<std::size_t>(stream.count);
    const auto stride = static_cast<std::size_t>(stream.stride);
    switch (stream.mode) {
        case Mode::attributes:
            return meshopt_decodeVertexBuffer(bytes.data(), count, stride, from, compressed.size());
        case Mode::triangles:
            return meshopt_decodeIndexBuffer(bytes.data(), count, stride, from, compressed.size());
        default:
            return meshopt_decodeIndexSequence(bytes.data(), count, stride, from, compressed.size());
    }
}

void undo_filter(const Stream& stream, Bytes& bytes) {
    const auto count = static_cast<std::size_t>(stream.count);
    const auto stride = static_cast<std::size_t>(stream.stride);
    if (stream.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(bytes.data(), count, stride);
    if (stream.filter == "QUATERNION") meshopt_decodeFilterQuat(bytes.data(), count, stride);
    if (stream.filter == "EXPONENTIAL") meshopt_decodeFilterExp(bytes.data(), count, stride);
}

const nlohmann::json* meshopt_extension(const nlohmann::json& view) {
    return extension_of(view, "EXT_meshopt_compression");
}

/// The bytes of the view. Fails with "gltf-meshopt" and "limit-memory".
Result<Bytes> decode_meshopt(const nlohmann::json& extension, std::span<const std::byte> compressed,
                             const std::string& path, Budget& budget) {
    const Stream stream = stream_of(extension);
    if (!is_allowed(stream))
        return refuse(path, codes::gltf_meshopt,
                      "a compressed buffer view has a mode, filter, stride and count that do not go together",
                      std::string(text_member(extension, "mode")) + ", " + std::string(stream.filter) + ", " +
                          std::to_string(stream.stride) + ", " + std::to_string(stream.count));
    if (!budget.take(stream.count, stream.stride)) return out_of_budget(path, budget);
    Bytes bytes(static_cast<std::size_t>(stream.count * stream.stride));
    if (decode(stream, compressed, bytes) != 0)
        return refuse(path, codes::gltf_meshopt,
                      "a compressed buffer view is damaged: its bytes cannot be decompressed");
    undo_filter(stream, bytes);
    return bytes;
}

}  // namespace

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
    const std::string path = element_path("buffers", number);
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

Buffers::BytesOrWhyNot Buffers::buffer(std::uint64_t number, const std::string& path) {
    const auto known = buffers_.find(number);
    if (known != buffers_.end()) return known->second;
    const auto json = element_of(root_, "buffers", number, path);
    if (!json) return fail(json.error());
    return buffers_.emplace(number, load_buffer(**json, number)).first->second;
}

Buffers::BytesOrWhyNot Buffers::part(const nlohmann::json& json, const std::string& path) {
    const auto number = whole_member(json, "buffer");
    const auto offset = whole_member_or(json, "byteOffset", 0);
    const auto length = whole_member(json, "byteLength");
    if (!number || !offset || !length)
        return refuse(path, codes::gltf_view, "a buffer view does not say which bytes it stands for");
    auto bytes = buffer(*number, path + " / buffer");
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
    const std::string path = element_path("bufferViews", number);
    auto decoded = part(compressed, path).and_then([&](std::span<const std::byte> bytes) {
        return decode_meshopt(compressed, bytes, path, budget_);
    });
    if (!decoded) return decompressed_.emplace(number, fail(std::move(decoded.error()))).first->second;
    kept_.push_back(std::move(*decoded));
    return decompressed_.emplace(number, bytes_of(kept_.back())).first->second;
}

Result<View> Buffers::view(std::uint64_t number) {
    const std::string path = element_path("bufferViews", number);
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
