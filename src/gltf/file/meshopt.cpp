/// Decoding of EXT_meshopt_compression: streams checked before meshoptimizer sees them, filters undone.

#include "gltf/file/meshopt.hpp"

#include <cstdint>
#include <meshoptimizer.h>
#include <string_view>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"

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

}  // namespace

const nlohmann::json* meshopt_extension(const nlohmann::json& view) {
    return extension_of(view, "EXT_meshopt_compression");
}

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

}  // namespace effigy::gltf
