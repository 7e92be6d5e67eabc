/// The vertex streams of an XMF that can be used, joined by index.

#include <limits>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/to_scene/mesh.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// Elements of buffers that hold what they state, in order of usage index.
std::vector<VertexStream> usable_streams(const xmf::File& file, const MeshNotes& notes) {
    std::vector<VertexStream> streams;
    std::uint64_t damaged = 0;
    for (const xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer)) continue;
        const std::uint64_t count = xmf::item_count(buffer);
        const bool whole = buffer.item_size != 0 && count <= buffer.content.size() / buffer.item_size;
        damaged += whole || count == 0 ? 0u : 1u;
        if (!whole) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            const std::uint64_t size = xmf::size_of(placed.element.type);
            if (size == 0 || placed.offset + size > buffer.item_size) continue;
            streams.push_back({&buffer, placed});
        }
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const VertexStream& a, const VertexStream& b) { return a.usage_index() < b.usage_index(); });
    if (damaged != 0) {
        notes.note(codes::stream_missing, "Buffers without usable content are left out.",
                   std::to_string(damaged) + " buffers");
    }
    return streams;
}

}  // namespace

const VertexStream* VertexStreams::first_of(xmf::Usage usage) const noexcept {
    const auto found = std::find_if(streams.begin(), streams.end(),
                                    [&](const VertexStream& stream) { return stream.usage() == usage; });
    return found == streams.end() ? nullptr : &*found;
}

/// Streams that are too short are left out.
VertexStreams vertex_streams(const xmf::File& file, const MeshNotes& notes) {
    VertexStreams result{usable_streams(file, notes)};
    const VertexStream* const positions = result.first_of(xmf::Usage::position);
    if (positions == nullptr) return result;
    const std::uint64_t count = xmf::item_count(*positions->buffer);
    if (count == 0 || count > std::numeric_limits<std::uint32_t>::max() - 1) return result;
    result.vertex_count = static_cast<std::uint32_t>(count);
    std::set<const xmf::Buffer*> others, shorter;
    for (const VertexStream& stream : result.streams) {
        const std::uint64_t its = xmf::item_count(*stream.buffer);
        if (its != count) others.insert(stream.buffer);
        if (its < count) shorter.insert(stream.buffer);
    }
    std::erase_if(result.streams, [&](const VertexStream& stream) { return shorter.contains(stream.buffer); });
    if (others.empty()) return result;
    notes.note(codes::stream_count, {}, std::to_string(others.size()) + " buffers",
               std::to_string(count) + " vertices each");
    return result;
}

}  // namespace effigy::egosoft::bridge
