#pragma once
/// An XMF as a mesh of the scene, in steps: vertex streams, triangles, attributes. Each says what it takes and gives.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "core/unique_names.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

/// Findings about one mesh.
struct MeshNotes {
    MeshBuild& build;

    void note(const Code& code, std::string message, std::string found = {}, std::string expected = {}) const {
        build.note(code, "mesh " + build.file, std::move(message), std::move(found), std::move(expected));
    }
    void count(const Code& code, std::uint64_t number, const char* what, std::string_view message = {}) const {
        build.note_any(number, code, "mesh " + build.file, message, what);
    }
};

/// One element of one vertex buffer, for all vertices.
struct VertexStream {
    const xmf::Buffer* buffer = nullptr;
    xmf::PlacedElement placed;

    [[nodiscard]] xmf::ElementType type() const noexcept { return placed.element.type; }
    [[nodiscard]] xmf::Usage usage() const noexcept { return placed.element.usage; }
    [[nodiscard]] std::uint8_t usage_index() const noexcept { return placed.element.usage_index; }
    [[nodiscard]] const std::byte* at(std::size_t vertex) const noexcept {
        return buffer->content.data() + vertex * buffer->item_size + placed.offset;
    }
};

/// The streams of a file that have a value for each vertex.
struct VertexStreams {
    std::vector<VertexStream> streams;  ///< in order of usage index
    std::uint32_t vertex_count = 0;     ///< 0: no positions are usable

    /// The one of the lowest usage index, or null.
    [[nodiscard]] const VertexStream* first_of(xmf::Usage usage) const noexcept;
};
[[nodiscard]] VertexStreams vertex_streams(const xmf::File& file, const MeshNotes& notes);

/// The triangles of each material, a place in the file's list, without those that have no vertices.
[[nodiscard]] Result<std::vector<Primitive>> triangles(const xmf::File& file, std::uint32_t vertex_count,
                                                       const MeshNotes& notes);

/// What becomes of a file's vertex streams.
struct MeshAttributes {
    MeshBuild& build;
    std::uint32_t vertex_count = 0;
    Json record{};  ///< of the mesh; gets what attributes cannot say
    std::vector<Attribute> list{};
    UniqueNames custom_names{};
    bool unknown_bitangents = false;  ///< there are tangents, and no normal marks mirrored texture coordinates

    /// A new attribute's bytes, which are to be filled.
    [[nodiscard]] Result<std::span<std::byte>> add(Semantic semantic, std::uint32_t set, const std::string& custom_name,
                                                   ElementType element, ComponentType component = ComponentType::f32);
    /// The number, or 0 where it is none.
    [[nodiscard]] float finite(float number) noexcept {
        if (std::isfinite(number)) return number;
        ++build.bad_numbers;
        return 0;
    }
};
/// All streams as attributes, in the scene's frame.
[[nodiscard]] Result<void> add_attributes(MeshAttributes& to, const VertexStreams& from, const MeshNotes& notes);
/// Normals, and tangents where there are any, with the side of the bitangent in their w.
[[nodiscard]] Result<void> add_normals_and_tangents(MeshAttributes& to, const VertexStream& normals,
                                                    const VertexStream* tangents);

template <class T>
[[nodiscard]] T* values_of(std::span<std::byte> bytes) noexcept {
    return reinterpret_cast<T*>(bytes.data());
}

/// Calls `take(index, bytes)` for the D3DCOLOR of each vertex.
template <class Take>
void for_each_color(const VertexStream& stream, std::size_t count, Take&& take) {
    const std::byte* from = stream.at(0);
    for (std::size_t i = 0; i < count; ++i, from += stream.buffer->item_size) take(i, from);
}

/// Calls `take(index, value)` for the element of each vertex. The common types are read here, where the compiler sees
/// the loop.
template <class Take>
void for_each_value(const VertexStream& stream, std::size_t count, Take&& take) {
    const std::byte* from = stream.at(0);
    const std::size_t stride = stream.buffer->item_size;
    const auto floats = [&](auto width) {
        for (std::size_t i = 0; i < count; ++i, from += stride) {
            std::array<float, 4> v{0, 0, 0, 1};
            std::memcpy(v.data(), from, sizeof(float) * width);
            take(i, Vec4{v[0], v[1], v[2], v[3]});
        }
    };
    switch (stream.type()) {
        case xmf::ElementType::float2:
            return floats(std::integral_constant<std::size_t, 2>());
        case xmf::ElementType::float3:
            return floats(std::integral_constant<std::size_t, 3>());
        case xmf::ElementType::color:
            return for_each_color(stream, count, [&](std::size_t i, const std::byte* bgra) {
                const auto channel = [&](std::size_t k) { return static_cast<float>(bgra[k]) * (1.0f / 255.0f); };
                take(i, Vec4{channel(2), channel(1), channel(0), channel(3)});
            });
        default:
            for (std::size_t i = 0; i < count; ++i, from += stride) take(i, xmf::decode(stream.type(), from));
    }
}

[[nodiscard]] inline std::uint8_t to_byte(float unit) noexcept {
    return static_cast<std::uint8_t>(std::clamp(unit, 0.0f, 1.0f) * 255.0f + 0.5f);  // NOLINT(*-incorrect-roundings)
}

}  // namespace effigy::egosoft::bridge
