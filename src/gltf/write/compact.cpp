/// Buffer views as streams of meshoptimizer, each with a place in a buffer that is not there, as
/// EXT_meshopt_compression wants it; and attributes with fewer bits.

#include "gltf/write/compact.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <meshoptimizer.h>
#include <optional>
#include <utility>
#include <vector>

#include "effigy/scene_access.hpp"

#include "gltf/write/document.hpp"

namespace effigy::gltf {
namespace {

/// How a view is used: all of its accessors alike, or it stays as it is.
struct Use {
    ViewMode mode = ViewMode::attributes;
    std::size_t stride = 0;

    friend bool operator==(const Use&, const Use&) = default;
};

class Uses {
public:
    explicit Uses(const Document& document) : document_(document) {
        for (const AccessorLayout& accessor : document.accessors) add(accessor);
    }

    /// Nothing for what is no accessor's, or is used in two ways.
    [[nodiscard]] std::optional<Use> of(std::size_t view) const {
        const auto found = uses_.find(view);
        return found == uses_.end() ? std::nullopt : found->second;
    }

private:
    void add(const AccessorLayout& accessor) {
        if (accessor.view != no_index) {
            const std::size_t stride = document_.views[accessor.view].stride;
            add(accessor.view, {accessor.mode, stride == 0 ? accessor.element_size() : stride});
        }
        if (!accessor.sparse) return;
        add(accessor.sparse->indices_view, {ViewMode::indices, component_size(accessor.sparse->index_component)});
        add(accessor.sparse->values_view, {ViewMode::attributes, accessor.element_size()});
    }

    void add(std::size_t view, Use use) {
        const auto [place, is_new] = uses_.try_emplace(view, use);
        if (is_new || !place->second || *place->second == use) return;
        Use& known = *place->second;
        const bool both_indices = known.mode != ViewMode::attributes && use.mode != ViewMode::attributes;
        if (both_indices && known.stride == use.stride)
            known.mode = ViewMode::indices;
        else
            place->second.reset();
    }

    const Document& document_;
    std::map<std::size_t, std::optional<Use>> uses_;
};

bool can_be_compressed(const Use& use, std::uint64_t size) {
    if (use.stride == 0 || size == 0 || size % use.stride != 0) return false;
    if (use.mode == ViewMode::attributes) return use.stride % 4 == 0 && use.stride <= 256;
    const bool has_width = use.stride == 2 || use.stride == 4;
    return has_width && (use.mode == ViewMode::indices || size / use.stride % 3 == 0);
}

std::vector<std::uint32_t> indices_of(std::span<const std::byte> bytes, std::size_t width) {
    std::vector<std::uint32_t> indices(bytes.size() / width);
    for (std::size_t i = 0; i < indices.size(); ++i) std::memcpy(&indices[i], bytes.data() + i * width, width);
    return indices;
}

/// meshoptimizer keeps the versions of its streams for the whole program; the extension has these.
void set_versions() {
    static const bool are_set = (meshopt_encodeVertexVersion(0), meshopt_encodeIndexVersion(1), true);
    static_cast<void>(are_set);
}

Bytes encoded(std::span<const std::byte> bytes, const Use& use) {
    const std::size_t count = bytes.size() / use.stride;
    const auto encode = [](std::size_t bound, auto&& write) {
        Bytes stream(bound);
        stream.resize(write(reinterpret_cast<unsigned char*>(stream.data()), stream.size()));
        return stream;
    };
    if (use.mode == ViewMode::attributes) {
        return encode(meshopt_encodeVertexBufferBound(count, use.stride), [&](unsigned char* out, std::size_t size) {
            return meshopt_encodeVertexBuffer(out, size, bytes.data(), count, use.stride);
        });
    }
    const std::vector<std::uint32_t> indices = indices_of(bytes, use.stride);
    const std::size_t vertices = std::size_t{*std::max_element(indices.begin(), indices.end())} + 1;
    if (use.mode == ViewMode::triangles) {
        return encode(meshopt_encodeIndexBufferBound(count, vertices), [&](unsigned char* out, std::size_t size) {
            return meshopt_encodeIndexBuffer(out, size, indices.data(), count);
        });
    }
    return encode(meshopt_encodeIndexSequenceBound(count, vertices), [&](unsigned char* out, std::size_t size) {
        return meshopt_encodeIndexSequence(out, size, indices.data(), count);
    });
}

std::uint64_t aligned(std::uint64_t size) { return (size + 3) / 4 * 4; }

// Numbers with fewer bits

/// Readers divide by the greatest number of the type.
template <class Integer>
void shorten(Accessor& data, ComponentType component) {
    constexpr double most = std::numeric_limits<Integer>::max();
    Bulk<float> values(data.bytes.size() / sizeof(float));
    std::memcpy(values.data(), data.bytes.data(), data.bytes.size());
    Bytes bytes(values.size() * sizeof(Integer));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<Integer>(std::lround(double{values[i]} * most));
        std::memcpy(bytes.data() + i * sizeof(Integer), &value, sizeof(Integer));
    }
    data.bytes = std::move(bytes);
    data.component = component;
    data.normalized = true;
}

bool lies_within(const Accessor& data, float least, float greatest) {
    const auto values = data.as<float>();
    return std::all_of(values.begin(), values.end(), [&](float value) { return value >= least && value <= greatest; });
}

bool quantize_attribute(Attribute& attribute) {
    Accessor& data = attribute.data;
    if (data.component != ComponentType::f32 || data.bytes.empty()) return false;
    if (attribute.semantic == Semantic::normal || attribute.semantic == Semantic::tangent) {
        if (!lies_within(data, -1.001f, 1.001f)) return false;
        for (float& value : data.as<float>()) value = std::clamp(value, -1.0f, 1.0f);
        shorten<std::int8_t>(data, ComponentType::i8);
        return true;
    }
    if (attribute.semantic == Semantic::texcoord && lies_within(data, 0, 1))
        shorten<std::uint16_t>(data, ComponentType::u16);
    return false;
}

}  // namespace

bool quantize(Scene& scene) {
    bool any = false;
    for (Mesh& mesh : scene.meshes) {
        for (Attribute& attribute : mesh.attributes) any = quantize_attribute(attribute) || any;
    }
    return any;
}

Result<void> compress(Document& document) {
    Bytes content;
    content.reserve(static_cast<std::size_t>(document.buffer.size()));
    if (auto written = document.buffer.write(memory_sink(content)); !written) return written;
    set_versions();
    const Uses uses(document);
    Buffer buffer;
    for (std::size_t i = 0; i < document.views.size(); ++i) {
        ViewLayout& view = document.views[i];
        const auto plain =
            bytes_of(content).subspan(static_cast<std::size_t>(view.offset), static_cast<std::size_t>(view.size));
        const std::optional<Use> use = uses.of(i);
        constexpr std::size_t words = 200;  // that the extension takes in the JSON
        Bytes stream;
        if (use && can_be_compressed(*use, plain.size())) stream = encoded(plain, *use);
        if (stream.empty() || stream.size() + words >= plain.size()) {
            view.offset = buffer.add(buffer.keep(Bytes(plain.begin(), plain.end())));
            continue;
        }
        const std::size_t size = stream.size();
        view.stream = StreamLayout{buffer.add(buffer.keep(std::move(stream))), size, use->stride, use->mode};
        view.offset = document.fallback_size;
        document.fallback_size += aligned(view.size);
    }
    document.buffer = std::move(buffer);
    if (document.fallback_size == 0) return {};
    document.extensions.insert(meshopt_extension_name);
    document.required.insert(meshopt_extension_name);
    return {};
}

}  // namespace effigy::gltf
